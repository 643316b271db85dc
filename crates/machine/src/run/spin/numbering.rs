//! SPIN's numbers of statements: within a body, and counted over all bodies in the order of the text.
//!
//! Our locations have SPIN's numbers but for one thing: a `skip` that carries a label of a jump. SPIN numbers the jump first
//! and the `skip` for an `end`, `accept` or `progress` label after it; a `skip` for a label that others ask about takes
//! the number of the jump. The jump is then the last of its body, and over all bodies it is counted where SPIN comes upon the first
//! question about the label: before the statement that asks.

use rustc_hash::FxHashSet;

use super::merging::is_goto;
use crate::action::{Action, ActionKind};
use crate::automaton::Automaton;
use crate::expression::Expr;
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

/// SPIN's numbers.
#[derive(Clone, Debug)]
pub struct Numbering {
    /// For each body: processes, then claims, then the trace.
    bodies: Vec<BodyNumbers>,
}

#[derive(Clone, Debug, Default)]
struct BodyNumbers {
    /// How many statements stand in bodies before.
    before: u32,
    /// The number of each location, from 1.
    local: Vec<Option<u32>>,
    /// For each jump of another body that is counted in this one, the number of the statement it comes before.
    jumps: Vec<u32>,
}

impl Numbering {
    /// The numbering of a model whose bodies stand in the given order. Bodies that SPIN derives from `ltl` formulas come last
    /// and need not be given.
    #[must_use]
    pub fn new(machine: &Machine, order: &[Body]) -> Numbering {
        let definitions = machine.definitions.iter().map(|definition| &definition.automaton);
        let trace = machine.trace.iter().map(|trace| &trace.automaton);
        let all: Vec<&Automaton> = definitions.chain(&machine.claims).chain(trace).collect();
        let mut bodies = vec![BodyNumbers::default(); all.len()];
        // Where the next body of each kind is in that list.
        let mut next = [0, machine.definitions.len(), machine.definitions.len() + machine.claims.len()];
        let mut split = split_labels(machine);
        let mut before = 0;
        for body in order {
            let index = next[*body as usize];
            next[*body as usize] += 1;
            if let Some(automaton) = all.get(index) {
                let (local, count) = local_numbers(automaton, machine);
                let mut jumps = Vec::new();
                for (at, number) in (0..).zip(&local) {
                    let Some(number) = *number else { continue };
                    for asked in asked_at(automaton, machine, Location(at)) {
                        if split.remove(&asked) {
                            jumps.push(number);
                        }
                    }
                }
                let count = count + jumps.len() as u32;
                bodies[index] = BodyNumbers { before, local, jumps };
                before += count;
            }
        }
        Numbering { bodies }
    }

    /// The number of a statement in its body, from 1.
    #[must_use]
    pub fn in_proctype(&self, definition: DefinitionId, statement: Location) -> Option<u32> {
        *self.bodies.get(definition.index())?.local.get(statement.index())?
    }

    /// The number of a statement in the whole model, from 0.
    #[must_use]
    pub fn in_model(&self, definition: DefinitionId, statement: Location) -> Option<u32> {
        self.in_body(definition.index(), statement)
    }

    /// The same for any body: processes count first, then claims, then the trace.
    #[must_use]
    pub fn in_body(&self, body: usize, statement: Location) -> Option<u32> {
        let body = self.bodies.get(body)?;
        let number = (*body.local.get(statement.index())?)?;
        let jumps = body.jumps.iter().filter(|&&first| first <= number).count();
        Some(body.before + number - 1 + jumps as u32)
    }
}

/// Where labels stand from which a jump was split off.
fn split_labels(machine: &Machine) -> FxHashSet<(DefinitionId, Location)> {
    let mut found = FxHashSet::default();
    for (definition, body) in (0..).map(DefinitionId).zip(&machine.definitions) {
        let automaton = &body.automaton;
        let own = |at: &Location| own_action(automaton, machine, at.index());
        let jumps = (automaton.end.index() + 1..automaton.locations.len()).map(|at| Location(at as u32));
        for jump in jumps.filter_map(|at| own(&at)) {
            let labels = automaton.labels.iter().map(|&(_, at)| at);
            found.extend(
                labels.filter(|at| own(at).is_some_and(|skip| skip.span == jump.span)).map(|at| (definition, at)),
            );
        }
    }
    found
}

/// The locations that a statement asks about.
fn asked_at(automaton: &Automaton, machine: &Machine, at: Location) -> Vec<(DefinitionId, Location)> {
    let mut asked = Vec::new();
    for edge in automaton.location(at).edges.iter().filter(|edge| edge.escape.is_none()) {
        machine.action(edge.action).any(&mut |part| {
            if let Expr::At(question) = part {
                asked.push((question.definition, question.location));
            }
            false
        });
    }
    asked
}

/// The first thing that a process can do at a location, escapes aside.
fn own_action<'m>(automaton: &Automaton, machine: &'m Machine, at: usize) -> Option<&'m Action> {
    let edges = &automaton.locations.get(at)?.edges;
    edges.iter().find(|edge| edge.escape.is_none()).map(|edge| machine.action(edge.action))
}

/// The number of every location, and how many statements SPIN's parser has counted at the closing brace.
fn local_numbers(automaton: &Automaton, machine: &Machine) -> (Vec<Option<u32>>, u32) {
    let mut numbers = vec![None; automaton.locations.len()];
    let (mut count, mut at_end) = (0, 0);
    let mut at = 1;
    while at < automaton.locations.len() {
        count += 1;
        numbers[at] = Some(count);
        if carries_label(automaton, machine, at) {
            if has_special_label(automaton, at) {
                count += 1;
                numbers[at] = Some(count);
                numbers[at + 1] = Some(count - 1);
            }
            at += 1;
        }
        if automaton.end.index() <= at && at_end == 0 {
            at_end = count;
        }
        at += 1;
    }
    (numbers, at_end)
}

/// Whether a location is a `skip` that stands for the label of the jump behind it.
fn carries_label(automaton: &Automaton, machine: &Machine, at: usize) -> bool {
    match (own_action(automaton, machine, at), own_action(automaton, machine, at + 1)) {
        (Some(skip), Some(jump)) => {
            matches!(skip.kind, ActionKind::Skip)
                && is_goto(jump)
                && skip.span == jump.span
                && automaton.labels.iter().any(|&(_, label)| label.index() == at)
        }
        _ => false,
    }
}

fn has_special_label(automaton: &Automaton, at: usize) -> bool {
    let special = |name: &str| ["end", "accept", "progress"].iter().any(|prefix| name.starts_with(prefix));
    automaton.labels.iter().any(|(name, label)| label.index() == at && special(name))
}
