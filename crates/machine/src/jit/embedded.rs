//! Embedded C: functions that stand for the model's `c_code` and `c_expr`.

use rustc_hash::FxHashMap;

use crate::action::ActionKind;
use crate::expression::Expr;
use crate::id::CodeId;
use crate::machine::{InitialValues, Machine};

/// A function for a piece of embedded C: it is given the vector, the frame of the executing process and its pid. What it
/// returns is the value of a `c_expr`; that of a `c_code` is ignored.
pub type CodeFunction = unsafe extern "C" fn(state: *mut u8, frame: *mut u8, pid: u32) -> i32;

/// The functions registered for pieces of embedded C.
#[derive(Clone, Debug, Default)]
pub struct EmbeddedCode {
    functions: FxHashMap<CodeId, CodeFunction>,
}

impl EmbeddedCode {
    /// No functions: a machine with embedded C is refused.
    #[must_use]
    pub fn none() -> EmbeddedCode {
        EmbeddedCode::default()
    }

    /// Registers the function for a piece.
    ///
    /// # Safety
    /// Until the last generator that uses it is dropped, the function can be called from any thread. It writes to cells of
    /// the vector and the frame only, as the machine's layout places them, and keeps no pointer. That of a `c_expr` writes nothing.
    pub unsafe fn register(&mut self, id: CodeId, function: CodeFunction) {
        self.functions.insert(id, function);
    }

    /// The function for a piece.
    #[must_use]
    pub fn get(&self, id: CodeId) -> Option<CodeFunction> {
        self.functions.get(&id).copied()
    }

    /// Whether every piece of the machine has a function.
    pub(super) fn covers(&self, machine: &Machine) -> bool {
        let mut is_missing = |expr: &Expr| matches!(expr, Expr::Code(id) if self.get(*id).is_none());
        let provided = machine.definitions.iter().filter_map(|definition| definition.automaton.provided.as_ref());
        let initial = machine.definitions.iter().flat_map(|definition| &definition.initial);
        let initial = initial.filter_map(|initialiser| match &initialiser.values {
            InitialValues::Same(value) => Some(value),
            InitialValues::Each(_) => None,
        });
        let in_actions = machine.actions.iter().any(|action| {
            matches!(action.kind, ActionKind::Code(id) if self.get(id).is_none()) || action.any(&mut is_missing)
        });
        !in_actions && !provided.chain(initial).any(|value| value.any(&mut is_missing))
    }
}
