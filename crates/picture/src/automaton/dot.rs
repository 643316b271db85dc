//! Automata for Graphviz.

use std::fmt::Write as _;

use super::Automaton;
use crate::markup::quoted;

/// The automata as one Graphviz text, a cluster for each.
#[must_use]
pub fn dot(automata: &[Automaton]) -> String {
    let mut text = String::from(
        "digraph automata {\n  node [shape=circle fontname=monospace];\n  edge [fontname=monospace fontsize=10];\n",
    );
    for (number, automaton) in automata.iter().enumerate() {
        let _ = writeln!(text, "  subgraph cluster_{number} {{\n    label={};", quoted(&automaton.title));
        for location in &automaton.locations {
            let at = location.number;
            let shape = if location.end || location.accept { "doublecircle" } else { "circle" };
            let style = if at == automaton.start { " style=bold" } else { "" };
            let marks: String = location.marks().map(|name| format!("\n{name}")).collect();
            let label = quoted(&format!("{at}{marks}"));
            let _ = writeln!(text, "    n{number}_{at} [label={label} shape={shape}{style}];");
            for transition in &location.transitions {
                let label = quoted(&format!("{}\n{}", transition.text, transition.place));
                let style = match (transition.atomic, transition.escape) {
                    (_, true) => " style=dashed",
                    (true, false) => " style=bold",
                    (false, false) => "",
                };
                let target = transition.target;
                let _ = writeln!(text, "    n{number}_{at} -> n{number}_{target} [label={label}{style}];");
            }
        }
        let mut transitions = automaton.locations.iter().flat_map(|location| &location.transitions);
        if transitions.any(|each| each.target == 0) {
            let _ = writeln!(text, "    n{number}_0 [label=\"\" shape=point];");
        }
        text.push_str("  }\n");
    }
    text.push_str("}\n");
    text
}
