//! Automata as a picture: locations are circles, statements are boxes between them, time runs downwards.

use std::fmt::Write as _;

use super::{Automaton, Location, Transition};
use crate::layered::{self, Drawing, Size};
use crate::markup::{self, escaped, shortened};

/// Width of a character, about.
const CHARACTER: f64 = 6.7;
/// Statements longer than this are cut; their tooltip has all of it.
const LONGEST: usize = 46;
/// Radius of a location.
const RADIUS: f64 = 13.0;
/// Room around each automaton.
const MARGIN: f64 = 26.0;

const STYLE: &str = "\
text{font:11px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#24292f;text-anchor:middle}\
.paper{fill:#fff}.title{font-weight:bold;font-size:13px;text-anchor:start}.quiet{fill:#6e7781;text-anchor:start}\
.location{fill:#f6f8fa;stroke:#57606a;stroke-width:1.3}.start{stroke-width:3}.ring{fill:none;stroke:#57606a;stroke-width:1.1}\
.accept{stroke:#8250df}.end{stroke:#1a7f37}.progress{stroke-dasharray:3 2}\
.box{fill:#fff;stroke:#afb8c1}.atomic{fill:#f7edd0;stroke:#c9a93f}.escape{stroke-dasharray:4 3}\
.edge{fill:none;stroke:#8c959f;stroke-width:1.2}.head{fill:#8c959f}\
@media(prefers-color-scheme:dark){text{fill:#d1d9e0}.paper{fill:#0d1117}.quiet{fill:#8b949e}\
.location{fill:#161b22;stroke:#8b949e}.ring{stroke:#8b949e}.box{fill:#0d1117;stroke:#484f58}\
.atomic{fill:#3a3218;stroke:#8a7426}.edge{stroke:#6e7681}.head{fill:#6e7681}.accept{stroke:#bc8cff}.end{stroke:#56d364}}";

/// Draws automata, one below the other.
#[must_use]
pub fn svg(automata: &[Automaton]) -> String {
    let pictures: Vec<Picture<'_>> = automata.iter().map(Picture::new).collect();
    let width = pictures.iter().map(|picture| picture.drawing.size.width).fold(240.0, f64::max) + 2.0 * MARGIN;
    let height: f64 = pictures.iter().map(Picture::height).sum();
    let mut out = String::new();
    let mut top = 0.0;
    for picture in &pictures {
        let _ = writeln!(out, "<g transform=\"translate({MARGIN} {:.0})\">", top + 2.0 * MARGIN);
        picture.draw(&mut out);
        out.push_str("</g>\n");
        top += picture.height();
    }
    markup::svg(width.round(), height.round(), "", STYLE, &out)
}

struct Picture<'l> {
    automaton: &'l Automaton,
    /// What the nodes are: all locations, then all transitions; the last is where a process goes that is gone.
    nodes: Vec<Node<'l>>,
    edges: Vec<(usize, usize)>,
    drawing: Drawing,
}

#[derive(Clone, Copy)]
enum Node<'l> {
    Location(&'l Location),
    Transition(&'l Transition),
    Gone,
}

impl<'l> Picture<'l> {
    fn new(automaton: &'l Automaton) -> Picture<'l> {
        let locations = || {
            let first = automaton.locations.iter().filter(move |location| location.number == automaton.start);
            first.chain(automaton.locations.iter().filter(move |location| location.number != automaton.start))
        };
        let mut nodes: Vec<Node<'_>> = locations().map(Node::Location).collect();
        let index = |nodes: &[Node<'_>], wanted: u32| {
            nodes.iter().position(|node| matches!(node, Node::Location(location) if location.number == wanted))
        };
        let mut edges = Vec::new();
        for (from, location) in locations().enumerate() {
            for transition in &location.transitions {
                let node = nodes.len();
                nodes.push(Node::Transition(transition));
                edges.push((from, node));
                match index(&nodes, transition.target) {
                    Some(target) => edges.push((node, target)),
                    None => {
                        edges.push((node, nodes.len()));
                        nodes.push(Node::Gone);
                    }
                }
            }
        }
        let sizes: Vec<Size> = nodes.iter().map(Node::size).collect();
        let drawing = layered::draw(&sizes, &edges);
        Picture { automaton, nodes, edges, drawing }
    }

    fn height(&self) -> f64 {
        self.drawing.size.height + 3.0 * MARGIN
    }

    fn draw(&self, out: &mut String) {
        let _ = writeln!(out, "<text class=\"title\" x=\"0\" y=\"-26\">{}</text>", escaped(&self.automaton.title));
        for (index, &(from, to)) in self.edges.iter().enumerate() {
            self.edge(out, from, to, &self.drawing.edges[index]);
        }
        for (node, &at) in self.nodes.iter().zip(&self.drawing.nodes) {
            node.draw(out, at, self.automaton.start);
        }
    }

    /// A way down leaves below and arrives above; a way back up leaves and arrives at the side.
    fn edge(&self, out: &mut String, from: usize, to: usize, between: &[(f64, f64)]) {
        let (start, end) = (self.drawing.nodes[from], self.drawing.nodes[to]);
        let up = end.1 < start.1;
        let towards = between.first().copied().unwrap_or(end);
        let (leave, arrive) = if up {
            let right = towards.0 >= start.0 || between.is_empty();
            let side = if right { 1.0 } else { -1.0 };
            let last = between.last().copied().unwrap_or((start.0 + side * 40.0, start.1));
            let arrives = if last.0 >= end.0 { 1.0 } else { -1.0 };
            let half = self.nodes[from].size().width / 2.0;
            (
                (start.0 + side * half.min((towards.0 - start.0).abs().max(8.0)), start.1),
                (end.0 + arrives * RADIUS, end.1),
            )
        } else {
            let (below, above) = (self.nodes[from].size().height / 2.0, self.nodes[to].size().height / 2.0);
            ((start.0, start.1 + below), (end.0, end.1 - above))
        };
        let mut path = format!("M{:.1} {:.1}", leave.0, leave.1);
        let mut previous = leave;
        for (index, &point) in between.iter().chain([&arrive]).enumerate() {
            let last = index == between.len();
            let half = (point.1 - previous.1) / 2.0;
            // The last piece of a way up comes in from the side.
            if up && last {
                let _ = write!(path, "Q{:.1} {:.1} {:.1} {:.1}", previous.0, point.1, point.0, point.1);
            } else if up && index == 0 {
                let _ = write!(path, "Q{:.1} {:.1} {:.1} {:.1}", point.0, previous.1, point.0, point.1);
            } else {
                let (first, second) = (previous.1 + half, point.1 - half);
                let _ = write!(
                    path,
                    "C{:.1} {first:.1} {:.1} {second:.1} {:.1} {:.1}",
                    previous.0, point.0, point.0, point.1
                );
            }
            previous = point;
        }
        let _ = writeln!(out, "<path class=\"edge\" d=\"{path}\"/>");
        if matches!(self.nodes[to], Node::Location(..)) {
            let (x, y) = arrive;
            let head = if up {
                let side = if arrive.0 > end.0 { 1.0 } else { -1.0 };
                format!("M{x:.1} {y:.1}l{0:.1} -4v8z", side * 8.0)
            } else {
                format!("M{x:.1} {y:.1}l-4 -8h8z")
            };
            let _ = writeln!(out, "<path class=\"head\" d=\"{head}\"/>");
        }
    }
}

impl Node<'_> {
    fn size(&self) -> Size {
        match self {
            Node::Location(..) => Size { width: 2.0 * RADIUS + 2.0, height: 2.0 * RADIUS },
            Node::Transition(transition) => {
                let length = transition.text.chars().count().min(LONGEST) + 1 + line_text(transition).len();
                Size { width: length as f64 * CHARACTER + 14.0, height: 19.0 }
            }
            Node::Gone => Size { width: 8.0, height: 8.0 },
        }
    }

    fn draw(&self, out: &mut String, (x, y): (f64, f64), start: u32) {
        match self {
            Node::Location(location) => {
                let at = location.number;
                let mut class = String::from("location");
                for (set, name) in [(at == start, " start"), (location.progress, " progress")] {
                    class.push_str(if set { name } else { "" });
                }
                let _ = writeln!(
                    out,
                    "<g><title>state {}{}</title><circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\"/>",
                    at,
                    location.marks().map(|mark| format!(" {mark}")).collect::<String>()
                );
                for (set, name, radius) in [(location.end, "end", 10.5), (location.accept, "accept", 10.5)] {
                    if set {
                        let _ =
                            writeln!(out, "<circle class=\"ring {name}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"/>");
                    }
                }
                let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{:.1}\">{}</text></g>", y + 4.0, at);
            }
            Node::Transition(transition) => {
                let Size { width, height } = self.size();
                let mut class = String::from("box");
                for (set, name) in [(transition.atomic, " atomic"), (transition.escape, " escape")] {
                    class.push_str(if set { name } else { "" });
                }
                let _ = writeln!(
                    out,
                    "<g><title>{}</title><rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height}\" rx=\"3\"/>\
                     <text class=\"quiet\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\
                     <text x=\"{:.1}\" y=\"{:.1}\" style=\"text-anchor:end\">{}</text></g>",
                    escaped(&format!("{}: {}", transition.place, transition.text)),
                    x - width / 2.0,
                    y - height / 2.0,
                    x - width / 2.0 + 5.0,
                    y + 4.0,
                    line_text(transition),
                    x + width / 2.0 - 6.0,
                    y + 4.0,
                    escaped(&shortened(&transition.text, LONGEST))
                );
            }
            Node::Gone => {
                let _ = writeln!(out, "<circle class=\"head\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>");
            }
        }
    }
}

fn line_text(transition: &Transition) -> String {
    transition.line.to_string()
}
