//! Writes an automaton in the HOA format.

use std::fmt::Write;

use crate::atom::AtomTable;
use crate::automaton::{Automaton, Cube};
use crate::classify::{Classification, Strength};
use crate::spelling::quoted;

/// The automaton in the HOA format; `name` is usually the formula.
///
/// ```
/// use automata::{atom::AtomTable, hoa::hoa, text, translate::translate};
/// let mut atoms = AtomTable::default();
/// let automaton = translate(&text::parse("F p", &mut atoms).unwrap()).unwrap();
/// let text = hoa(&automaton, &atoms, "F p");
/// assert!(text.contains("acc-name: Buchi\nAcceptance: 1 Inf(0)\n"));
/// ```
pub fn hoa(automaton: &Automaton, atoms: &AtomTable, name: &str) -> String {
    let on_states = automaton.has_state_acceptance();
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "HOA: v1");
    let _ = writeln!(text, "name: {}", quoted(name));
    let _ = writeln!(text, "States: {}", automaton.state_count());
    let _ = writeln!(text, "Start: {}", automaton.initial.0);
    let _ = write!(text, "AP: {}", automaton.atoms().len());
    for &atom in automaton.atoms() {
        let _ = write!(text, " {}", quoted(&atoms.name(atom)));
    }
    let sets = automaton.acceptance_sets;
    let _ = match sets {
        0 => writeln!(text, "\nacc-name: all"),
        1 => writeln!(text, "\nacc-name: Buchi"),
        _ => writeln!(text, "\nacc-name: generalized-Buchi {sets}"),
    };
    let condition: Vec<String> = (0..sets).map(|set| format!("Inf({set})")).collect();
    let _ = writeln!(text, "Acceptance: {sets} {}", if sets == 0 { "t".to_owned() } else { condition.join(" & ") });
    let _ = writeln!(text, "properties: {}", properties(automaton, on_states).join(" "));
    text.push_str("--BODY--\n");
    body(automaton, on_states, &mut text);
    text.push_str("--END--\n");
    text
}

fn properties(automaton: &Automaton, on_states: bool) -> Vec<&'static str> {
    let classification = Classification::of(automaton);
    let mut properties = vec!["trans-labels", "explicit-labels", if on_states { "state-acc" } else { "trans-acc" }];
    if classification.deterministic {
        properties.push("deterministic");
    }
    if classification.complete {
        properties.push("complete");
    }
    if classification.weak {
        properties.push("weak");
        if classification.very_weak {
            properties.push("very-weak");
        }
        if classification.strength() == Strength::Terminal {
            properties.push("terminal");
        }
    } else if classification.inherently_weak() {
        properties.push("inherently-weak");
    }
    properties
}

fn body(automaton: &Automaton, on_states: bool, text: &mut String) {
    let mut guards = automaton.guards.clone();
    let place = |cube: &Cube| {
        let literals = cube.literals.iter().map(|(atom, value)| {
            let index = automaton.atoms().partition_point(|other| other < atom);
            format!("{}{index}", if *value { "" } else { "!" })
        });
        literals.collect::<Vec<String>>().join("&")
    };
    for state in automaton.states() {
        let _ = write!(text, "State: {}", state.0);
        if on_states {
            text.push_str(&marks_text(automaton.state_marks(state).unwrap_or_default().iter()));
        }
        text.push('\n');
        for edge in automaton.edges(state) {
            let cubes = automaton.cubes_in(&mut guards, edge.guard);
            let label = match cubes.as_slice() {
                [cube] if cube.literals.is_empty() => "t".to_owned(),
                _ => cubes.iter().map(place).collect::<Vec<String>>().join(" | "),
            };
            let marks = if on_states { String::new() } else { marks_text(edge.marks.iter()) };
            let _ = writeln!(text, "[{label}] {}{marks}", edge.target.0);
        }
    }
}

fn marks_text(sets: impl Iterator<Item = u32>) -> String {
    let sets: Vec<String> = sets.map(|set| set.to_string()).collect();
    if sets.is_empty() { String::new() } else { format!(" {{{}}}", sets.join(" ")) }
}
