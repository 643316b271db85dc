//! Diagrams of what is symmetric, as Graphviz text or SVG: what is in one orbit has one colour and lies side by side.

use std::fmt::Write as _;

use crate::layered::{self, Size};
use crate::markup::{self, escaped, quoted};

/// A graph to be drawn.
#[derive(Clone, Debug, Default)]
pub struct Diagram {
    /// The nodes.
    pub nodes: Vec<Node>,
    /// Arcs between nodes, each once.
    pub arcs: Vec<(usize, usize)>,
}

/// A node of a diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// What is written on it.
    pub name: String,
    /// What it looks like.
    pub shape: Shape,
    /// The orbit it belongs to, if it is not alone: it gives the colour.
    pub orbit: Option<usize>,
}

/// What a node looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A box.
    Box,
    /// With round ends.
    Round,
    /// With a dashed border, or as a note.
    Note,
    /// Without a border, in a diagram too large to show orbits by place.
    Plain,
}

/// Colours of orbits, light enough for black text; after the last one they begin again.
const COLOURS: [&str; 12] = [
    "#a6cee3", "#b2df8a", "#fdbf6f", "#cab2d6", "#fb9a99", "#ffff99", "#8dd3c7", "#d9d9d9", "#fccde5", "#bebada",
    "#ccebc5", "#e5c494",
];
/// Pictures with more nodes than this are left to Graphviz.
pub const MOST_NODES: usize = 600;
const CHARACTER: f64 = 7.2;
const MARGIN: f64 = 24.0;

const STYLE: &str = "\
text{font:12px ui-monospace,monospace;text-anchor:middle;fill:#24292f}.paper{fill:#fff}\
.arc{fill:none;stroke:#8c959f;stroke-width:1.2;marker-end:url(#head)}.node{stroke:#57606a;stroke-width:1.2}";

impl Node {
    fn colour(&self) -> Option<&'static str> {
        self.orbit.map(|orbit| COLOURS[orbit % COLOURS.len()])
    }
}

/// Which nodes are to lie side by side: those that look alike and are in one orbit. Where there are plain ones, all lie where they belong.
fn classes(diagram: &Diagram) -> Vec<usize> {
    let is_plain = diagram.nodes.iter().any(|node| node.shape == Shape::Plain);
    let is_same =
        |one: &Node, other: &Node| one.orbit.is_some() && (one.shape, one.orbit) == (other.shape, other.orbit);
    let first = |(index, node): (usize, &Node)| {
        let alike = diagram.nodes.iter().position(|other| is_same(node, other));
        alike.filter(|_| !is_plain).unwrap_or(index)
    };
    let firsts: Vec<usize> = diagram.nodes.iter().enumerate().map(first).collect();
    let number = |&first: &usize| (0..first).filter(|&earlier| firsts[earlier] == earlier).count();
    firsts.iter().map(number).collect()
}

/// The diagram for Graphviz.
#[must_use]
pub fn dot(diagram: &Diagram) -> String {
    let mut text =
        String::from("digraph symmetry {\n  node [fontname=\"monospace\", style=filled, fillcolor=white];\n");
    for (index, node) in diagram.nodes.iter().enumerate() {
        let shape = match node.shape {
            Shape::Box => "box",
            Shape::Round => "ellipse",
            Shape::Note => "note",
            Shape::Plain => "plaintext",
        };
        let fill = node.colour().map_or_else(String::new, |colour| format!(", fillcolor=\"{colour}\""));
        let _ = writeln!(text, "  n{index} [label={}, shape={shape}{fill}];", quoted(&node.name));
    }
    for (from, to) in &diagram.arcs {
        let _ = writeln!(text, "  n{from} -> n{to};");
    }
    text + "}\n"
}

/// The diagram as a picture; `None` if it is too large for one.
#[must_use]
pub fn svg(diagram: &Diagram) -> Option<String> {
    if diagram.nodes.len() > MOST_NODES {
        return None;
    }
    let size = |node: &Node| Size { width: node.name.chars().count() as f64 * CHARACTER + 18.0, height: 26.0 };
    let sizes: Vec<Size> = diagram.nodes.iter().map(size).collect();
    let arcs: Vec<(usize, usize)> = diagram.arcs.iter().copied().filter(|(from, to)| from != to).collect();
    let drawing = layered::draw_side_by_side(&sizes, &arcs, &classes(diagram));
    let (width, height) = (drawing.size.width + 2.0 * MARGIN, drawing.size.height + 2.0 * MARGIN);
    let mut text = format!(
        "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\
         <path d=\"M0,0L8,4L0,8z\" fill=\"#8c959f\"/></marker></defs>\n<g transform=\"translate({MARGIN} {MARGIN})\">\n"
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
        let fill = node.colour().unwrap_or("#ffffff");
        let radius = if node.shape == Shape::Round { 13.0 } else { 2.0 };
        let dashes = if node.shape == Shape::Note { " stroke-dasharray=\"4 2\"" } else { "" };
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
    text.push_str("</g>\n");
    Some(markup::svg(width.round(), height.round(), "", STYLE, &text))
}
