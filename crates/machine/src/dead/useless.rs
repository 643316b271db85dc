//! Variables that are written, and read only to compute what such variables are given next: counters for the reader of a printed run,
//! values that are kept for nothing. What they hold makes no difference to anything, wherever the processes are.
//!
//! SPIN leaves variables that are only written out of its states, too.
//!
//! The useless variables are what is left when the useful ones are found: those that something other than an assignment reads,
//! and, again and again, those that are read for an assignment to a useful one. An assignment that may fail for what it reads is useful
//! in any case.

use super::analysis::Watched;
use crate::action::ActionKind;
use crate::ample::actions_of;
use crate::expression::{BinaryOp, Expr, Index, Owner, Place, Predefined};
use crate::footprint::Footprint;
use crate::id::{CellsId, DefinitionId};
use crate::machine::Machine;

/// The useless variables of a machine.
#[derive(Clone, Debug)]
pub(super) struct Useless {
    globals: Vec<bool>,
    locals: Vec<Vec<bool>>,
}

impl Useless {
    /// Takes all for useful.
    pub fn nothing(machine: &Machine) -> Useless {
        let layout = &machine.layout;
        Useless {
            globals: vec![false; layout.globals.cells.len()],
            locals: layout.frames.iter().map(|frame| vec![false; frame.cells.len()]).collect(),
        }
    }

    /// Finds them.
    pub fn of(machine: &Machine, watched: &Watched) -> Useless {
        let layout = &machine.layout;
        let ids = || (0..machine.definitions.len() as u32).map(DefinitionId);
        let all = |count: usize| (0..count as u32).map(CellsId);
        let mut useless = Useless {
            globals: all(layout.globals.cells.len()).map(|cells| !watched.has_global(cells)).collect(),
            locals: ids()
                .map(|id| {
                    let cells = all(layout.frames[id.index()].cells.len());
                    cells.map(|cells| !watched.has_local(id, cells)).collect()
                })
                .collect(),
        };
        for id in ids() {
            if let Some(provided) = &machine.definition(id).automaton.provided {
                useless.use_all(id, &Footprint::of_expr(machine, provided));
            }
        }
        loop {
            let mut changed = false;
            for id in ids() {
                for action in actions_of(machine, &machine.definition(id).automaton) {
                    let action = machine.action(action);
                    let is_vain = match &action.kind {
                        ActionKind::Assign(place, value) => useless.is_vain(id, place, value),
                        // What it consists of comes by itself.
                        ActionKind::Deterministic(_) => true,
                        ActionKind::Print(_, arguments) => arguments.iter().all(is_harmless),
                        ActionKind::PrintMtype(value, _) => is_harmless(value),
                        _ => false,
                    };
                    changed |= !is_vain && useless.use_all(id, &Footprint::of_action(machine, action));
                }
            }
            if !changed {
                return useless;
            }
        }
    }

    /// Whether an assignment that a process executes makes no difference to anything but useless variables.
    pub fn is_vain(&self, id: DefinitionId, place: &Place, value: &Expr) -> bool {
        let is_useless = match place.owner {
            Owner::Global => self.globals[place.cells.index()],
            Owner::Own => self.locals[id.index()][place.cells.index()],
            // Whom it belongs to looks at it, and there may be nobody.
            Owner::Remote(..) => false,
        };
        is_useless && has_plain_index(place) && is_harmless(value)
    }

    /// Notes that what a footprint reads is useful. Whether that is news.
    fn use_all(&mut self, id: DefinitionId, footprint: &Footprint) -> bool {
        let mut changed = false;
        if footprint.everything {
            let all = self.globals.iter_mut().chain(self.locals.iter_mut().flatten());
            all.for_each(|is_useless| changed |= std::mem::replace(is_useless, false));
        }
        for place in &footprint.reads {
            let is_useless = match place.owner {
                Owner::Global => &mut self.globals[place.cells.index()],
                Owner::Own => &mut self.locals[id.index()][place.cells.index()],
                Owner::Remote(definition, _) => &mut self.locals[definition.index()][place.cells.index()],
            };
            changed |= std::mem::replace(is_useless, false);
        }
        changed
    }
}

/// Whether an expression has a value whatever the variables in it hold.
fn is_harmless(value: &Expr) -> bool {
    let mut is_lazy = false;
    let mut looks_up = false;
    let fails = value.any(&mut |part| {
        match part {
            Expr::Constant(_) | Expr::Unary(..) | Expr::Predefined(Predefined::Pid) => {}
            Expr::Load(place) if place.owner == Owner::Global || place.owner == Owner::Own => {
                looks_up |= matches!(place.index, Index::Computed(_));
                return !has_plain_index(place);
            }
            Expr::Binary(BinaryOp::Divide | BinaryOp::Remainder, ..) => return true,
            Expr::Binary(BinaryOp::And | BinaryOp::Or, ..) | Expr::Conditional(..) => is_lazy = true,
            Expr::Binary(..) => {}
            _ => return true,
        }
        false
    });
    // Where one part decides whether another is looked at, no part may fail.
    !(fails || is_lazy && looks_up)
}

/// Whether it does not depend on variables if there is such an element.
fn has_plain_index(place: &Place) -> bool {
    match &place.index {
        Index::Constant(_) => true,
        Index::Computed(indices) => {
            let reads = |index: &Expr| {
                index.any(&mut |part| !matches!(part, Expr::Constant(_) | Expr::Predefined(Predefined::Pid)))
            };
            !indices.iter().any(|(index, _)| reads(index))
        }
    }
}
