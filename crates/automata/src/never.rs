//! Never claims: a Büchi automaton as Promela text, with the labels SPIN users know.
//!
//! The first state is `T0_init` or `accept_init`, the others `T0_S3` or `accept_S3`; a state that accepts whatever
//! follows is `accept_all`, written last, where the claim ends. A state with no way on blocks: `false`.

use std::fmt::Write;

use crate::atom::{AtomId, AtomTable};
use crate::automaton::{Automaton, Cube, Guard, Marks, StateId};
use crate::degeneralise::on_states;

/// The never claim of an automaton; `comment` is usually the formula.
///
/// Acceptance must be one set on states; other automata are degeneralised first.
///
/// ```
/// use automata::{atom::AtomTable, never::never_claim, reduce::Kind, text, translate::translate_to};
/// let mut atoms = AtomTable::default();
/// let formula = text::parse("p U q", &mut atoms).unwrap();
/// let automaton = translate_to(&formula, Kind::BuchiStates).unwrap();
/// assert_eq!(
///     never_claim(&automaton, &atoms, "p U q"),
///     "never {    /* p U q */\n\
///      T0_init:\n\tdo\n\t:: (q) -> goto accept_all\n\t:: (p && !q) -> goto T0_init\n\tod;\n\
///      accept_all:\n\tskip\n}\n"
/// );
/// ```
pub fn never_claim(automaton: &Automaton, atoms: &AtomTable, comment: &str) -> String {
    if automaton.acceptance_sets != 1 || !automaton.has_state_acceptance() {
        return never_claim(&on_states(automaton), atoms, comment);
    }
    let mut guards = automaton.guards.clone();
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "never {{    /* {} */", comment.replace("*/", "* /"));
    let mut order: Vec<StateId> = automaton.states().collect();
    order.sort_by_key(|&state| (accepts_all(automaton, state), state != automaton.initial, state));
    // All states that accept everything share one label.
    let last = order.iter().position(|&state| accepts_all(automaton, state));
    order.truncate(last.map_or(order.len(), |index| index + 1));
    for &state in &order {
        let _ = writeln!(text, "{}:", label(automaton, state));
        if accepts_all(automaton, state) {
            text.push_str("\tskip\n");
        } else if automaton.edges(state).is_empty() {
            text.push_str("\tfalse;\n");
        } else {
            text.push_str("\tdo\n");
            for edge in automaton.edges(state) {
                let cubes = automaton.cubes_in(&mut guards, edge.guard);
                let _ = writeln!(text, "\t:: ({}) -> goto {}", sum(&cubes, atoms), label(automaton, edge.target));
            }
            text.push_str("\tod;\n");
        }
    }
    text.push_str("}\n");
    text
}

/// The Promela text of a guard: a disjunction of conjunctions of literals, `1` if it always holds.
pub fn guard_text(automaton: &Automaton, guard: Guard, atoms: &AtomTable) -> String {
    sum(&automaton.cubes(guard), atoms)
}

fn sum(cubes: &[Cube], atoms: &AtomTable) -> String {
    let product = |cube: &Cube| {
        let literals = cube.literals.iter().map(|&(atom, value)| literal(atom, value, atoms));
        let product = literals.collect::<Vec<String>>().join(" && ");
        if cubes.len() > 1 && cube.literals.len() > 1 { format!("({product})") } else { product }
    };
    match cubes {
        [] => "0".to_owned(),
        [cube] if cube.literals.is_empty() => "1".to_owned(),
        _ => cubes.iter().map(product).collect::<Vec<String>>().join(" || "),
    }
}

fn literal(atom: AtomId, value: bool, atoms: &AtomTable) -> String {
    let name = atoms.name(atom);
    let identifier = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let sign = if value { "" } else { "!" };
    if identifier { format!("{sign}{name}") } else { format!("{sign}({name})") }
}

/// An accepting state whose only edge reads every letter and stays; the initial state keeps its own label.
fn accepts_all(automaton: &Automaton, state: StateId) -> bool {
    state != automaton.initial
        && matches!(automaton.edges(state), [edge] if edge.guard == Guard::TRUE
            && edge.target == state
            && edge.marks == Marks::single(0))
}

fn label(automaton: &Automaton, state: StateId) -> String {
    if accepts_all(automaton, state) {
        return "accept_all".to_owned();
    }
    let accepting = automaton.state_marks(state) == Some(Marks::single(0));
    let prefix = if accepting { "accept" } else { "T0" };
    if state == automaton.initial { format!("{prefix}_init") } else { format!("{prefix}_S{}", state.0) }
}
