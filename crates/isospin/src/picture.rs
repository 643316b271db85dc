//! Diagrams of symmetric models as Graphviz text or SVG: what is in one orbit has one colour.

use std::fmt::Write as _;

use machine::listing::layered::{self, Size};
use symmetry::detect::{Diagram, DiagramNode, NodeKind};

/// Colours of orbits, light enough for black text; after the last one they begin again.
const COLOURS: [&str; 12] = [
    "#a6cee3", "#b2df8a", "#fdbf6f", "#cab2d6", "#fb9a99", "#ffff99", "#8dd3c7", "#d9d9d9", "#fccde5", "#bebada",
    "#ccebc5", "#e5c494",
];
/// Pictures with more nodes than this are left to Graphviz.
pub const MOST_NODES: usize = 600;
const CHARACTER: f64 = 7.2;
const MARGIN: f64 = 24.0;

/// The colour of a node: that of its orbit.
fn colour(node: &DiagramNode, orbits: &[Vec<String>]) -> Option<&'static str> {
    let orbit = orbits.iter().position(|orbit| orbit.contains(&node.name))?;
    Some(COLOURS[orbit % COLOURS.len()])
}

/// Which nodes are to lie side by side: processes, channels and variables that are in one orbit. Parts of a program lie where
/// they belong.
fn classes(diagram: &Diagram, orbits: &[Vec<String>]) -> Vec<usize> {
    if diagram.nodes.iter().any(|node| node.kind == NodeKind::Program) {
        return (0..diagram.nodes.len()).collect();
    }
    let mut known: Vec<(NodeKind, Result<usize, &str>)> = Vec::new();
    let mut classes = Vec::new();
    for DiagramNode { name, kind } in &diagram.nodes {
        let orbit = orbits.iter().position(|orbit| orbit.contains(name));
        let class = (*kind, orbit.ok_or(name.as_str()));
        classes.push(known.iter().position(|each| *each == class).unwrap_or(known.len()));
        if !known.contains(&class) {
            known.push(class);
        }
    }
    classes
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The diagram for Graphviz.
pub fn dot(diagram: &Diagram, orbits: &[Vec<String>]) -> String {
    let mut text =
        String::from("digraph symmetry {\n  node [fontname=\"monospace\", style=filled, fillcolor=white];\n");
    for (index, node) in diagram.nodes.iter().enumerate() {
        let shape = match node.kind {
            NodeKind::Process => "box",
            NodeKind::Channel => "ellipse",
            NodeKind::Variable => "note",
            NodeKind::Program => "plaintext",
        };
        let fill = colour(node, orbits).map_or_else(String::new, |colour| format!(", fillcolor=\"{colour}\""));
        let name = node.name.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "  n{index} [label=\"{name}\", shape={shape}{fill}];");
    }
    for (from, to) in &diagram.arcs {
        let _ = writeln!(text, "  n{from} -> n{to};");
    }
    text + "}\n"
}

/// The diagram as a picture; `None` if it is too large for one.
pub fn svg(diagram: &Diagram, orbits: &[Vec<String>]) -> Option<String> {
    if diagram.nodes.len() > MOST_NODES {
        return None;
    }
    let size = |node: &DiagramNode| Size { width: node.name.chars().count() as f64 * CHARACTER + 18.0, height: 26.0 };
    let sizes: Vec<Size> = diagram.nodes.iter().map(size).collect();
    let arcs: Vec<(usize, usize)> = diagram.arcs.iter().copied().filter(|(from, to)| from != to).collect();
    let drawing = layered::draw_side_by_side(&sizes, &arcs, &classes(diagram, orbits));
    let (width, height) = (drawing.size.width + 2.0 * MARGIN, drawing.size.height + 2.0 * MARGIN);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} \
         {height:.0}\" role=\"img\">\n<style>text{{font:12px ui-monospace,monospace;text-anchor:middle;fill:#24292f}}\
         .arc{{fill:none;stroke:#8c959f;stroke-width:1.2;marker-end:url(#head)}}.node{{stroke:#57606a;stroke-width:1.2}}</style>\n\
         <defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\
         <path d=\"M0,0L8,4L0,8z\" fill=\"#8c959f\"/></marker></defs>\n<rect width=\"{width:.0}\" height=\"{height:.0}\" fill=\"#fff\"/>\n\
         <g transform=\"translate({MARGIN} {MARGIN})\">\n"
    );
    for (index, &(from, to)) in arcs.iter().enumerate() {
        let ((x, y), (end_x, end_y)) = (drawing.nodes[from], drawing.nodes[to]);
        if (y - end_y).abs() < 1.0 {
            let (low, middle) = (y + 13.0, f64::midpoint(x, end_x));
            let _ = writeln!(
                text,
                "<path class=\"arc\" d=\"M{x:.1},{low:.1}Q{middle:.1},{:.1} {end_x:.1},{low:.1}\"/>",
                low + 24.0
            );
            continue;
        }
        let down = end_y >= y;
        let shift = if down { 13.0 } else { -13.0 };
        let _ = write!(text, "<path class=\"arc\" d=\"M{x:.1},{:.1}", y + shift);
        for (x, y) in &drawing.edges[index] {
            let _ = write!(text, "L{x:.1},{y:.1}");
        }
        let _ = writeln!(text, "L{end_x:.1},{:.1}\"/>", end_y - shift);
    }
    for (node, (&(x, y), size)) in diagram.nodes.iter().zip(drawing.nodes.iter().zip(&sizes)) {
        let fill = colour(node, orbits).unwrap_or("#ffffff");
        let radius = if node.kind == NodeKind::Channel { 13.0 } else { 2.0 };
        let dashes = if node.kind == NodeKind::Variable { " stroke-dasharray=\"4 2\"" } else { "" };
        let _ = writeln!(
            text,
            "<rect class=\"node\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"26\" rx=\"{radius}\" fill=\"{fill}\"{dashes}/>\
             <text x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
            x - size.width / 2.0,
            y - 13.0,
            size.width,
            y + 4.0,
            escaped(&node.name)
        );
    }
    Some(text + "</g>\n</svg>\n")
}
