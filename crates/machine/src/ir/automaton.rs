//! Process automata: control locations and the actions that lead from one to the next.
//!
//! Locations are numbered as SPIN numbers the states of its automata, so its listings and ours can be laid side by side.

use std::sync::Arc;

use promela::model::Role;
use promela::source::Span;

use crate::expression::Expr;
use crate::id::{ActionId, Location};

/// The automaton of a process definition or claim.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// Its name.
    pub name: Arc<str>,
    /// What it is.
    pub role: Role,
    /// `D_proctype`: more than one possible action is an error.
    pub deterministic: bool,
    /// Locations by number; 0 is never used.
    pub locations: Vec<LocationInfo>,
    /// Where it starts.
    pub start: Location,
    /// The location of its closing brace.
    pub end: Location,
    /// `provided (e)`
    pub provided: Option<Expr>,
    /// Labels by name, with the location each stands at.
    pub labels: Vec<(Arc<str>, Location)>,
    /// The definition.
    pub span: Span,
}

impl Automaton {
    /// What is known of a location.
    #[must_use]
    pub fn location(&self, location: Location) -> &LocationInfo {
        &self.locations[location.index()]
    }
}

/// A control location.
#[derive(Clone, Debug, Default)]
pub struct LocationInfo {
    /// The ways out of it, in the order in which SPIN tries them. Empty where no process ever rests.
    pub edges: Vec<Edge>,
    /// A valid end state.
    pub end: bool,
    /// An accepting state.
    pub accept: bool,
    /// A state that makes progress.
    pub progress: bool,
    /// The statement that stands there.
    pub span: Option<Span>,
    /// The text of that statement.
    pub text: Arc<str>,
}

/// A way from one location to another.
#[derive(Clone, Debug)]
pub struct Edge {
    /// What is done.
    pub action: ActionId,
    /// Where it leads.
    pub target: Location,
    /// Whether the process still is inside an `atomic` afterwards.
    pub atomic: bool,
    /// For the guard of an `unless`: which escape it belongs to. Once one escape is possible, only ways of the same
    /// escape are.
    pub escape: Option<Location>,
}
