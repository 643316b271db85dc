//! Embedded C: functions that stand for the model's `c_code` and `c_expr`.

use rustc_hash::FxHashMap;

use crate::action::ActionKind;
pub use crate::embedded::CodeFunction;
use crate::expression::Expr;
use crate::id::CodeId;
use crate::machine::{InitialValues, Machine};

/// The functions for pieces of embedded C.
#[derive(Clone, Debug, Default)]
pub struct EmbeddedCode {
    functions: FxHashMap<CodeId, CodeFunction>,
}

impl EmbeddedCode {
    /// No functions: only the C that a machine brings along can be executed.
    #[must_use]
    pub fn none() -> EmbeddedCode {
        EmbeddedCode::default()
    }

    /// Adds the functions of the machine's compiled C.
    pub(super) fn and_of(mut self, machine: &Machine) -> EmbeddedCode {
        if let Some(library) = &machine.code.library {
            let pieces = (0..machine.code.pieces.len() as u32).map(CodeId);
            self.functions.extend(pieces.map(|id| (id, library.function(id))));
        }
        self
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
        // Formulas may ask C, too, where nothing else does.
        if machine.features.embedded_c && self.functions.is_empty() && machine.code.library.is_none() {
            return false;
        }
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
