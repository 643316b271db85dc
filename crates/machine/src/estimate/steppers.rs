//! Variables that are counted up and down: their difference to a number says how often that must happen.

use rustc_hash::FxHashMap;

use super::flow::{all_edges, parts};
use crate::action::{ActionKind, Field};
use crate::expression::{BinaryOp, Expr, Owner, Place};
use crate::id::{CellsId, DefinitionId};
use crate::machine::Machine;

/// Whose variable, none for globals, and which.
type Name = (Option<DefinitionId>, CellsId);

/// The variables that change by one only, or become a constant.
#[derive(Debug, Default)]
pub(super) struct Steppers(FxHashMap<Name, Use>);

#[derive(Clone, Copy, Default, Debug)]
struct Use {
    /// It is counted up or down somewhere.
    steps: bool,
    /// Something else is stored in it.
    jumps: bool,
}

impl Steppers {
    pub fn of(machine: &Machine) -> Steppers {
        let mut steppers = Steppers::default();
        for (definition, _, edge) in all_edges(machine) {
            for part in parts(machine, edge.action) {
                match &machine.action(part).kind {
                    ActionKind::Assign(place, value) => steppers.assign(definition, place, value),
                    ActionKind::Receive(receive) => receive.fields.iter().for_each(|field| {
                        if let Field::Bind(place) = field {
                            steppers.note(definition, place).jumps = true;
                        }
                    }),
                    _ => {}
                }
            }
        }
        steppers
    }

    fn note(&mut self, definition: DefinitionId, place: &Place) -> &mut Use {
        self.0.entry(name(Some(definition), place)).or_default()
    }

    fn assign(&mut self, definition: DefinitionId, place: &Place, value: &Expr) {
        let is_same = |expr: &Expr| matches!(expr, Expr::Load(other) if (&other.owner, other.cells, &other.index) == (&place.owner, place.cells, &place.index));
        let is_one = |expr: &Expr| matches!(expr, Expr::Constant(1 | -1));
        let note = self.note(definition, place);
        match value {
            Expr::Constant(_) => {}
            Expr::Binary(BinaryOp::Add | BinaryOp::Subtract, left, right, _) if is_same(left) && is_one(right) => {
                note.steps = true;
            }
            _ => note.jumps = true,
        }
    }

    /// Whether an expression is such a variable, of a process of this definition or a global.
    pub fn is_one(&self, asker: Option<DefinitionId>, expr: &Expr) -> bool {
        let (Expr::Load(place) | Expr::Remote(place)) = expr else { return false };
        self.0.get(&name(asker, place)).is_some_and(|found| found.steps && !found.jumps)
    }
}

fn name(asker: Option<DefinitionId>, place: &Place) -> Name {
    let owner = match place.owner {
        Owner::Global => None,
        Owner::Own => asker,
        Owner::Remote(definition, ref _pid) => Some(definition),
    };
    (owner, place.cells)
}
