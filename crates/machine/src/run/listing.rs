//! Process automata as people read them: a list of transitions near SPIN's `pan -d`, and what the crate `picture` draws.
//!
//! Only what a process can reach is listed. Locations have SPIN's state numbers, transitions the numbers that its trails use.

use std::fmt::Write as _;

use promela::model::Role;

use crate::action::ActionKind;
use crate::automaton::{Automaton, Edge, LocationInfo};
use crate::id::Location;
use crate::machine::Machine;
use crate::show::{Show, SourcePlace};
use crate::simulate::Statements;
use crate::spin::Numbering;

/// An automaton to list, with what its transitions are called.
#[derive(Clone, Debug)]
pub struct Listed<'m> {
    automaton: &'m Automaton,
    /// Reachable locations by number, each with its ways out.
    locations: Vec<(Location, &'m LocationInfo, Vec<Transition>)>,
}

/// A way out of a location.
#[derive(Clone, Debug)]
struct Transition {
    target: Location,
    text: String,
    place: SourcePlace,
    /// The statement's number in the whole model, where it is known.
    id: Option<u32>,
    atomic: bool,
    d_step: bool,
    /// The escape that it belongs to.
    escape: Option<Location>,
}

impl<'m> Listed<'m> {
    /// All automata of a machine: processes, claims, trace; in this order. With names, only those.
    #[must_use]
    pub fn all(machine: &'m Machine, numbering: &Numbering, names: &[String]) -> Vec<Listed<'m>> {
        let statements = Statements::new(machine);
        let show = Show::new(machine);
        let definitions = machine.definitions.iter().map(|definition| &definition.automaton);
        let trace = machine.trace.iter().map(|trace| &trace.automaton);
        let wanted = |automaton: &&Automaton| names.is_empty() || names.iter().any(|name| **name == *automaton.name);
        let all = definitions.chain(&machine.claims).chain(trace).enumerate();
        let listed = all.filter(|(_, automaton)| wanted(automaton)).map(|(index, automaton)| {
            let transition = |edge: &Edge| {
                let action = machine.action(edge.action);
                Transition {
                    target: edge.target,
                    text: action.text.to_string(),
                    place: show.place(action.span),
                    id: numbering.in_body(index, statements.number(edge.action)),
                    atomic: edge.atomic,
                    d_step: matches!(action.kind, ActionKind::Deterministic(_)),
                    escape: edge.escape,
                }
            };
            let locations = reachable(automaton).into_iter().map(|at| {
                let info = automaton.location(at);
                (at, info, info.edges.iter().map(transition).collect())
            });
            Listed { automaton, locations: locations.collect() }
        });
        listed.collect()
    }

    /// The automaton's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.automaton.name
    }

    /// The automaton as it is drawn.
    #[must_use]
    pub fn picture(&self) -> picture::automaton::Automaton {
        let transition = |each: &Transition| picture::automaton::Transition {
            target: each.target.0,
            text: each.text.clone(),
            place: each.place.to_string(),
            line: each.place.line,
            atomic: each.atomic,
            escape: each.escape.is_some(),
        };
        let locations = self.locations.iter().map(|(at, info, transitions)| picture::automaton::Location {
            number: at.0,
            end: info.end,
            accept: info.accept,
            progress: info.progress,
            transitions: transitions.iter().map(transition).collect(),
        });
        let (title, start) = (self.title(), self.automaton.start.0);
        picture::automaton::Automaton { title, start, locations: locations.collect() }
    }

    /// `proctype P`
    fn title(&self) -> String {
        let what = match self.automaton.role {
            Role::Proctype => "proctype",
            Role::Init => return "init".to_string(),
            Role::Never => "claim",
            Role::Trace => "trace",
        };
        format!("{what} {}", self.automaton.name)
    }
}

/// The locations that can be reached from the start, by number.
fn reachable(automaton: &Automaton) -> Vec<Location> {
    let mut seen = vec![false; automaton.locations.len()];
    let mut pending = vec![automaton.start];
    while let Some(at) = pending.pop() {
        if at != Location(0) && !std::mem::replace(&mut seen[at.index()], true) {
            pending.extend(automaton.location(at).edges.iter().map(|edge| edge.target));
        }
    }
    (0..seen.len()).filter(|&index| seen[index]).map(|index| Location(index as u32)).collect()
}

/// The automata as text: one line for each transition.
///
/// ```text
/// proctype P (starts in state 3)
///   state   3 -> state   1  [id   0] [A---] m.pml:4 => x = 1
/// ```
/// The letters: `A` stays inside an `atomic`, `D` a `d_step`; of the state it starts in: `a` accept, `e` end, `p` progress.
#[must_use]
pub fn text(automata: &[Listed<'_>]) -> String {
    let mut text = String::new();
    for listed in automata {
        let _ = writeln!(text, "{} (starts in state {})", listed.title(), listed.automaton.start.0);
        for (from, info, transitions) in &listed.locations {
            for transition in transitions {
                let _ = writeln!(text, "\t{}", line(*from, info, transition));
            }
        }
    }
    text
}

fn line(from: Location, info: &LocationInfo, transition: &Transition) -> String {
    let flag = |set: bool, letter: char| if set { letter } else { '-' };
    let kind = if transition.d_step { 'D' } else { flag(transition.atomic, 'A') };
    let flags: String =
        [kind, flag(info.accept, 'a'), flag(info.end, 'e'), flag(info.progress, 'p')].into_iter().collect();
    let id = transition.id.map_or("  -".to_string(), |id| format!("{id:3}"));
    let escape = transition.escape.map_or(String::new(), |_| " (unless)".to_string());
    let Transition { target, text, place, .. } = transition;
    format!("state {:3} -> state {:3}  [id {id}] [{flags}] {place} => {text}{escape}", from.0, target.0)
}
