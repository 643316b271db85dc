//! The machine: everything a model means, ready to be executed.

use promela::model::{Features, MtypeSet};
use promela::source::SourceMap;

use crate::action::{Action, ActionKind, Event};
use crate::automaton::Automaton;
use crate::claim::{Claim, Property};
use crate::embedded::Code;
use crate::exclusive::ExclusiveEnd;
use crate::expression::{ChannelRef, Expr};
use crate::id::{ActionId, CellsId, DefinitionId};
use crate::layout::Layout;
use crate::trace::Check;

/// A model, ready to be executed.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The text it came from.
    pub sources: SourceMap,
    /// The mtype sets, for printing.
    pub mtypes: Vec<MtypeSet>,
    /// Where everything lies.
    pub layout: Layout,
    /// Proctypes and `init`.
    pub definitions: Vec<Definition>,
    /// Never claims.
    pub claims: Vec<Automaton>,
    /// `trace` or `notrace`.
    pub trace: Option<TraceAutomaton>,
    /// `ltl` properties.
    pub ltl: Vec<Property>,
    /// Automata that were added to the model: what they accept must never happen.
    pub automata: Vec<Claim>,
    /// All actions.
    pub actions: Vec<Action>,
    /// How the globals start: in this order.
    pub global_initial: Vec<Initialiser>,
    /// The processes of the initial state, in order of pid.
    pub active: Vec<DefinitionId>,
    /// Which features with a price the model uses.
    pub features: Features,
    /// Its embedded C.
    pub code: Code,
    /// What is done with a message that is sent to a full channel.
    pub full_channels: FullChannels,
}

impl Machine {
    /// Lets something go unchecked.
    pub fn forget(&mut self, check: Check) {
        match check {
            // What is left of an assertion is a step without effect.
            Check::Assertions => {
                for action in &mut self.actions {
                    if matches!(action.kind, ActionKind::Assert(_)) {
                        action.kind = ActionKind::Skip;
                    }
                }
            }
            Check::ExclusiveEnds => self.definitions.iter_mut().for_each(|definition| definition.exclusive.clear()),
        }
    }
}

/// What a send to a full channel does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FullChannels {
    /// It waits.
    #[default]
    Block,
    /// The message is lost (SPIN's `-m`).
    Lose,
}

/// A process definition.
#[derive(Clone, Debug)]
pub struct Definition {
    /// What its processes do.
    pub automaton: Automaton,
    /// The cells of its parameters, in order.
    pub parameters: Vec<CellsId>,
    /// How its other locals start: in this order, after the parameters.
    pub initial: Vec<Initialiser>,
    /// The priority its processes start with.
    pub priority: i32,
    /// The ends of channels that each of its processes has to itself.
    pub exclusive: Vec<ExclusiveEnd>,
}

/// Cells and the values they start with.
#[derive(Clone, Debug)]
pub struct Initialiser {
    /// The cells.
    pub cells: CellsId,
    /// The values.
    pub values: InitialValues,
}

/// The values that cells start with. Cells that are not mentioned start with zero, channel variables with their channel.
#[derive(Clone, Debug)]
pub enum InitialValues {
    /// Every cell the same value; it may read what was initialised before.
    Same(Expr),
    /// One value for each cell.
    Each(Vec<i32>),
}

/// `trace` or `notrace`.
#[derive(Clone, Debug)]
pub struct TraceAutomaton {
    /// `notrace`: the behaviour must not occur.
    pub negated: bool,
    /// The automaton over sends and receives.
    pub automaton: Automaton,
    /// The global that says where it is.
    pub cells: CellsId,
}

impl TraceAutomaton {
    /// Whether a channel that a statement names may be one that the automaton watches, in either direction.
    #[must_use]
    pub fn may_watch(&self, machine: &Machine, channel: &ChannelRef) -> bool {
        let edges = self.automaton.locations.iter().flat_map(|location| &location.edges);
        edges.into_iter().any(|edge| match (&machine.action(edge.action).kind, channel) {
            (ActionKind::Event(Event { channel: ChannelRef::Global(watched), .. }), ChannelRef::Global(named)) => {
                watched == named
            }
            // A process' own channel, which no variable holds but its own, is none of the globals.
            (ActionKind::Event(Event { channel: ChannelRef::Global(_), .. }), ChannelRef::Own(_)) => false,
            (ActionKind::Event(_), _) => true,
            _ => false,
        })
    }
}

impl Machine {
    /// An action.
    #[must_use]
    pub fn action(&self, id: ActionId) -> &Action {
        &self.actions[id.index()]
    }

    /// A process definition.
    #[must_use]
    pub fn definition(&self, id: DefinitionId) -> &Definition {
        &self.definitions[id.index()]
    }
}
