//! SPIN's numbers of statements, counted over all bodies in the order of the text.

use crate::action::ActionKind;
use crate::automaton::Automaton;
use crate::id::{DefinitionId, Location};
use crate::machine::Machine;

/// A body of the model's text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Body {
    /// A proctype or `init`.
    Process,
    /// A never claim.
    Claim,
    /// `trace` or `notrace`.
    Trace,
}

/// Where the numbers of each definition begin.
#[derive(Clone, Debug)]
pub struct Numbering {
    /// First number and count of the statements of each body: processes, then claims, then the trace.
    bodies: Vec<(u32, u32)>,
}

impl Numbering {
    /// The numbering of a model whose bodies stand in the given order. Bodies that SPIN derives from `ltl` formulas come last
    /// and need not be given.
    #[must_use]
    pub fn new(machine: &Machine, order: &[Body]) -> Numbering {
        let definitions = machine.definitions.iter().map(|definition| &definition.automaton);
        let trace = machine.trace.iter().map(|trace| &trace.automaton);
        let all: Vec<&Automaton> = definitions.chain(&machine.claims).chain(trace).collect();
        let mut bodies = vec![(0, 0); all.len()];
        // Where the next body of each kind is in that list.
        let mut next = [0, machine.definitions.len(), machine.definitions.len() + machine.claims.len()];
        let mut first = 0;
        for body in order {
            let index = next[*body as usize];
            next[*body as usize] += 1;
            if let Some(automaton) = all.get(index) {
                bodies[index] = (first, statements(automaton, machine));
                first += bodies[index].1;
            }
        }
        Numbering { bodies }
    }

    /// The number of a statement in the whole model.
    #[must_use]
    pub fn in_model(&self, definition: DefinitionId, statement: Location) -> Option<u32> {
        self.in_body(definition.index(), statement)
    }

    /// The same for any body: processes count first, then claims, then the trace.
    #[must_use]
    pub fn in_body(&self, body: usize, statement: Location) -> Option<u32> {
        let &(first, count) = self.bodies.get(body)?;
        let index = statement.0.checked_sub(1)?;
        (index < count).then_some(first + index)
    }
}

/// How many statements SPIN's parser has counted when it reaches the closing brace. A `skip` that only gives a place to a label
/// that others ask about is not among them.
fn statements(automaton: &Automaton, machine: &Machine) -> u32 {
    let is_special = |name: &str| ["end", "accept", "progress"].iter().any(|prefix| name.starts_with(prefix));
    let is_given = |at: Location| {
        let own = |location: Location| {
            let info = automaton.locations.get(location.index())?;
            info.edges.iter().find(|edge| edge.escape.is_none()).map(|edge| machine.action(edge.action))
        };
        match (own(at), own(Location(at.0 + 1))) {
            (Some(skip), Some(jump)) => {
                matches!(skip.kind, ActionKind::Skip)
                    && &*skip.text == "(1)"
                    && &*jump.text == "goto"
                    && skip.span == jump.span
            }
            _ => false,
        }
    };
    let plain = automaton.labels.iter().filter(|(name, _)| !is_special(name));
    let mut given: Vec<Location> = plain.map(|&(_, at)| at).filter(|&at| is_given(at)).collect();
    given.dedup();
    automaton.end.0 - given.len() as u32
}
