//! Statements that no run executes, as SPIN lists them.

use machine::Machine;
use machine::action::ActionKind;
use machine::automaton::Automaton;
use machine::generate::Coverage;
use machine::show::Show;
use machine::simulate::Statements;

/// A statement that was never executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreached {
    /// Its process definition.
    pub process: String,
    /// Its file.
    pub file: String,
    /// Its line.
    pub line: u32,
    /// Its number in its proctype, as SPIN has it.
    pub state: u32,
    /// Its text.
    pub text: String,
}

/// The statements of all process definitions that were not executed, in the order of their locations.
pub(super) fn unreached(machine: &Machine, coverage: &Coverage) -> Vec<Unreached> {
    let show = Show::new(machine);
    let statements = Statements::new(machine);
    let mut list = Vec::new();
    for definition in &machine.definitions {
        let mut seen = Vec::new();
        for edge in definition.automaton.locations.iter().flat_map(|location| &location.edges) {
            if coverage.contains(edge.action) || seen.contains(&edge.action) {
                continue;
            }
            // A process that came to its end has ended: with symmetry it stays there, and the step is never taken.
            if &*machine.action(edge.action).text == "-end-" && comes_to_end(&definition.automaton, coverage) {
                continue;
            }
            seen.push(edge.action);
            let action = machine.action(edge.action);
            // A jump is no statement that anybody misses: what it leads to is listed.
            if matches!(action.kind, ActionKind::Skip) && (&*action.text == ".(goto)" || &*action.text == "break") {
                continue;
            }
            let place = show.place(action.span);
            list.push(Unreached {
                process: definition.automaton.name.to_string(),
                file: place.file,
                line: place.line,
                state: statements.number(edge.action).0,
                text: action.text.to_string(),
            });
        }
    }
    list
}

/// Whether some process executed a statement that leads to the end of its body.
fn comes_to_end(automaton: &Automaton, coverage: &Coverage) -> bool {
    let mut edges = automaton.locations.iter().flat_map(|location| &location.edges);
    automaton.start == automaton.end || edges.any(|edge| edge.target == automaton.end && coverage.contains(edge.action))
}
