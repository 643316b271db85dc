//! Whether it can matter which number a process or a channel has.
//!
//! Two states that differ only in such numbers, and in processes that have ended but were not removed yet, behave alike when
//! no expression can tell them apart. Then creating a process is independent of other processes' creations and ends: both
//! orders lead to states that behave alike. (SPIN treats `run` as a local step without asking.) How many processes may exist at a time
//! is another matter: see `creation.rs`.

use promela::model::Type;

use crate::action::{Action, ActionKind, Field};
use crate::expression::{ChannelRef, Expr, Owner, Place, Predefined};
use crate::ground::Scope;
use crate::id::DefinitionId;
use crate::layout::Cells;
use crate::machine::{InitialValues, Machine};

use super::slots::actions_of;

/// Whether numbers of processes and channels are never looked at.
pub(super) fn numbers_are_meaningless(machine: &Machine) -> bool {
    let bodies = (0..machine.definitions.len() as u32).map(DefinitionId);
    bodies.into_iter().all(|id| {
        let definition = machine.definition(id);
        let view = View { scope: Scope::new(machine, Some(id)) };
        let initial = definition.initial.iter().all(|initialiser| match &initialiser.values {
            InitialValues::Same(value) => view.is_copy_or_blind(value),
            InitialValues::Each(_) => true,
        });
        let mut actions = actions_of(machine, &definition.automaton);
        initial
            && definition.automaton.provided.iter().all(|provided| view.is_blind(provided))
            && actions.all(|action| view.action_is_blind(machine.action(action)))
    })
}

struct View<'m> {
    scope: Scope<'m>,
}

impl View<'_> {
    fn action_is_blind(&self, action: &Action) -> bool {
        match &action.kind {
            ActionKind::Condition(Expr::Run(run)) => run.arguments.iter().all(|value| self.is_copy_or_blind(value)),
            ActionKind::Assign(place, value) => self.place_is_blind(place) && self.is_copy_or_blind(value),
            ActionKind::Send(send) if !send.sorted => {
                self.channel_is_blind(&send.channel) && send.values.iter().all(|value| self.is_copy_or_blind(value))
            }
            ActionKind::Receive(receive) => {
                let field = |field: &Field| match field {
                    Field::Bind(place) => self.place_is_blind(place),
                    Field::Ignore => true,
                    Field::Match(value) => self.is_blind(value),
                };
                self.channel_is_blind(&receive.channel) && receive.fields.iter().all(field)
            }
            // What is printed is no part of a state.
            ActionKind::Print(..) | ActionKind::PrintMtype(..) | ActionKind::Deterministic(_) => true,
            _ => !action.any(&mut |expr| self.looks(expr)),
        }
    }

    fn channel_is_blind(&self, channel: &ChannelRef) -> bool {
        match channel {
            ChannelRef::Variable(place) => self.place_is_blind(place),
            ChannelRef::Global(_) | ChannelRef::Own(_) => true,
        }
    }

    fn place_is_blind(&self, place: &Place) -> bool {
        !matches!(place.owner, Owner::Remote(..)) && !place.any(&mut |expr| self.looks(expr))
    }

    /// Whether a value is a channel that is merely passed on, or has nothing to do with numbers.
    fn is_copy_or_blind(&self, value: &Expr) -> bool {
        match value {
            Expr::Load(place) => self.place_is_blind(place),
            _ => self.is_blind(value),
        }
    }

    fn is_blind(&self, expr: &Expr) -> bool {
        !expr.any(&mut |part| self.looks(part))
    }

    /// Whether an expression, by itself, depends on the number of a process or channel.
    fn looks(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Load(place) => {
                let holds_number = |cells: &Cells| matches!(cells.ty, Type::Chan | Type::Ref(_));
                matches!(place.owner, Owner::Remote(..)) || self.scope.cells(place).is_some_and(holds_number)
            }
            Expr::Predefined(Predefined::Pid | Predefined::ProcessCount | Predefined::ChannelCount)
            | Expr::Predefined(Predefined::Last | Predefined::LocalNumber)
            | Expr::Run(_)
            | Expr::At(_)
            | Expr::Remote(_)
            | Expr::Enabled(_)
            | Expr::LocationOf(_)
            | Expr::PriorityOf(_)
            | Expr::Code(_)
            | Expr::AnyReference(..) => true,
            _ => false,
        }
    }
}
