//! Automata as Graphviz text: states with acceptance drawn double, marks of edges as circled numbers.

use std::fmt::Write;

use crate::atom::AtomTable;
use crate::automaton::{Automaton, Marks};
use crate::never::guard_text;

/// The automaton as a Graphviz graph; `title` is usually the formula.
///
/// ```
/// use automata::{atom::AtomTable, dot::dot, text, translate::translate};
/// let mut atoms = AtomTable::default();
/// let automaton = translate(&text::parse("G F p", &mut atoms).unwrap()).unwrap();
/// assert!(dot(&automaton, &atoms, "G F p").contains("0 -> 0 [label=\"p\\n⓿\"]"));
/// ```
pub fn dot(automaton: &Automaton, atoms: &AtomTable, title: &str) -> String {
    let on_states = automaton.acceptance_sets == 1 && automaton.has_state_acceptance();
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "digraph {{");
    let _ = writeln!(text, "  label=\"{}\"; labelloc=t; rankdir=LR;", escaped(title));
    let _ = writeln!(text, "  node [shape=circle]; start [shape=point, style=invis];");
    let _ = writeln!(text, "  start -> {};", automaton.initial.0);
    for state in automaton.states() {
        let double = on_states && automaton.state_marks(state) == Some(Marks::single(0));
        let _ = writeln!(text, "  {}{};", state.0, if double { " [shape=doublecircle]" } else { "" });
        for edge in automaton.edges(state) {
            let marks = if on_states { String::new() } else { marks_text(edge.marks) };
            let guard = escaped(&guard_text(automaton, edge.guard, atoms));
            let _ = writeln!(text, "  {} -> {} [label=\"{guard}{marks}\"];", state.0, edge.target.0);
        }
    }
    text.push_str("}\n");
    text
}

fn marks_text(marks: Marks) -> String {
    let sign = |set: u32| match set {
        0 => '⓿',
        1..=10 => char::from_u32(0x2775 + set).unwrap_or('●'),
        11..=20 => char::from_u32(0x24E0 + set).unwrap_or('●'),
        _ => '●',
    };
    if marks.is_empty() { String::new() } else { format!("\\n{}", marks.iter().map(sign).collect::<String>()) }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use super::marks_text;
    use crate::automaton::Marks;

    #[test]
    fn marks_are_circled_numbers() {
        assert_eq!(marks_text(Marks::NONE), "");
        assert_eq!(marks_text([0, 1, 10, 11, 20].into_iter().collect()), "\\n⓿❶❿⓫⓴");
    }
}
