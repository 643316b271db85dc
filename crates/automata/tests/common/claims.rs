//! A reader for never claims, as SPIN and we write them: just enough to run them on words.

use std::collections::HashMap;

use automata::atom::AtomTable;
use automata::automaton::{Automaton, Guard, Marks, StateId};
use automata::formula::{Formula, Operator};
use automata::text;

/// The Büchi automaton of a never claim.
pub fn read_claim(claim: &str, atoms: &mut AtomTable) -> Automaton {
    let mut automaton = Automaton::new(atoms.atoms().collect(), 1);
    let mut states: HashMap<String, StateId> = HashMap::new();
    // Labels in a row name one state; the first state of the text is initial.
    let mut labels: Vec<String> = Vec::new();
    let mut edges: Vec<(String, String, String)> = Vec::new();
    let mut accepting: Vec<String> = Vec::new();
    let mut in_labels = false;
    for line in claim.lines().skip(1).map(str::trim) {
        if let Some(label) = line.strip_suffix(':') {
            if !in_labels {
                labels.clear();
            }
            in_labels = true;
            labels.push(label.to_owned());
            continue;
        }
        if in_labels {
            in_labels = false;
            let state = if states.is_empty() { automaton.initial() } else { automaton.add_state() };
            for label in &labels {
                states.insert(label.clone(), state);
            }
            accepting.extend(labels.iter().filter(|label| label.starts_with("accept")).cloned());
        }
        let current = labels.last().expect("statements follow a label").clone();
        if line == ":: false" {
            continue;
        }
        if line == "skip" {
            edges.push((current.clone(), "true".to_owned(), current));
        } else if let Some(option) = line.strip_prefix(":: atomic {") {
            // SPIN's shortcut to `accept_all`: the assertion fails at once.
            let (guard, _) = option.split_once("->").expect("guard and assertion");
            edges.push((current, guard.to_owned(), "accept_all".to_owned()));
        } else if let Some(option) = line.strip_prefix("::") {
            let (guard, target) = option.split_once("-> goto").expect("guard and jump");
            edges.push((current, guard.to_owned(), target.trim().to_owned()));
        } else {
            assert!(matches!(line, "do" | "od;" | "if" | "fi;" | "false;" | "}"), "unexpected line {line:?}");
        }
    }
    for (source, condition, target) in edges {
        let formula = text::parse(&condition, atoms).expect("guards are formulas without temporal operators");
        let guard = guard(&formula, &mut automaton);
        let marks =
            if accepting.iter().any(|label| states[label] == states[&source]) { Marks::single(0) } else { Marks::NONE };
        automaton.add_edge(states[&source], guard, marks, states[&target]);
    }
    automaton
}

fn guard(formula: &Formula, automaton: &mut Automaton) -> Guard {
    let operands: Vec<Guard> = formula.operator().operands().map(|operand| guard(operand, automaton)).collect();
    match formula.operator() {
        Operator::True => Guard::TRUE,
        Operator::Atom(atom) => automaton.literal(*atom, true).expect("claims use known atoms"),
        Operator::Not(_) => automaton.complement(operands[0]),
        Operator::And(_) => operands.into_iter().fold(Guard::TRUE, |all, part| automaton.both(all, part)),
        Operator::Or(_) => operands.into_iter().fold(Guard::FALSE, |any, part| automaton.either(any, part)),
        _ => Guard::FALSE,
    }
}
