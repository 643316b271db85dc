//! Automata for Graphviz.

use std::fmt::Write as _;

use super::Listed;

/// The automata as one Graphviz text, a cluster for each.
#[must_use]
pub fn dot(automata: &[Listed<'_>]) -> String {
    let mut text = String::from(
        "digraph automata {\n  node [shape=circle fontname=monospace];\n  edge [fontname=monospace fontsize=10];\n",
    );
    for (number, listed) in automata.iter().enumerate() {
        let _ = writeln!(text, "  subgraph cluster_{number} {{\n    label={};", quoted(&listed.title()));
        for (at, info, transitions) in &listed.locations {
            let shape = if info.end || info.accept { "doublecircle" } else { "circle" };
            let style = if *at == listed.automaton.start { " style=bold" } else { "" };
            let marks = [(info.end, "end"), (info.accept, "accept"), (info.progress, "progress")];
            let marks: String = marks.iter().filter(|(set, _)| *set).map(|(_, name)| format!("\n{name}")).collect();
            let label = quoted(&format!("{}{marks}", at.0));
            let _ = writeln!(text, "    n{number}_{} [label={label} shape={shape}{style}];", at.0);
            for transition in transitions {
                let label = quoted(&format!("{}\n{}", transition.text, transition.place));
                let style = match (transition.atomic, transition.escape) {
                    (_, Some(_)) => " style=dashed",
                    (true, None) => " style=bold",
                    (false, None) => "",
                };
                let _ = writeln!(
                    text,
                    "    n{number}_{} -> n{number}_{} [label={label}{style}];",
                    at.0, transition.target.0
                );
            }
        }
        let gone = listed.locations.iter().flat_map(|(_, _, transitions)| transitions).any(|each| each.target.0 == 0);
        if gone {
            let _ = writeln!(text, "    n{number}_0 [label=\"\" shape=point];");
        }
        text.push_str("  }\n");
    }
    text.push_str("}\n");
    text
}

fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}
