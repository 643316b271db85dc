//! A labelled transition system for people and programs: text, JSON (schema `isospin.lts/1`), DOT, SVG, a page.

use std::fmt::Write as _;

use picture::escaped;
use picture::layered::{self, Size};
use relate::{Alphabet, Event, Lts};
use serde_json::json;

/// Larger systems are not drawn: nobody could read them.
pub const MOST_DRAWN: u32 = 200;

/// The sizes, before and after it was made small.
#[must_use]
pub fn to_text(name: &str, small: Option<&Lts>, whole: &Lts, alphabet: &Alphabet) -> String {
    let mut text = format!("{name}: {}\n", sizes(whole));
    if let Some(small) = small {
        let _ = writeln!(text, "  minimised: {}", sizes(small));
    }
    let events = events(whole, alphabet);
    let shown: Vec<&str> = events.iter().take(20).map(String::as_str).collect();
    let more = events.len().saturating_sub(20);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    let _ = match shown.is_empty() {
        true => writeln!(text, "  nothing is visible"),
        false => writeln!(text, "  {} events: {}{rest}", events.len(), shown.join(", ")),
    };
    text
}

fn sizes(lts: &Lts) -> String {
    let internal = lts.all().filter(|(_, event, _)| !event.is_visible()).count();
    format!("{} states, {} steps, {internal} of them internal", lts.states(), lts.transitions())
}

/// The names of the visible events of a system, sorted.
fn events(lts: &Lts, alphabet: &Alphabet) -> Vec<String> {
    let mut seen: Vec<Event> = lts.all().map(|(_, event, _)| event).filter(|event| event.is_visible()).collect();
    seen.sort_unstable();
    seen.dedup();
    let mut names: Vec<String> = seen.into_iter().map(|event| alphabet.name(event).to_string()).collect();
    names.sort();
    names
}

/// The system as one JSON document. An internal step has the label `null`.
#[must_use]
pub fn to_json(name: &str, shown: &Lts, whole: &Lts, alphabet: &Alphabet) -> String {
    let step = |(from, event, to): (u32, Event, u32)| {
        json!([from, event.is_visible().then(|| alphabet.name(event).to_string()), to])
    };
    let document = json!({
        "schema": "isospin.lts/1",
        "version": env!("CARGO_PKG_VERSION"),
        "model": name,
        "initial": shown.initial(),
        "states": shown.states(),
        "transitions": shown.all().map(step).collect::<Vec<_>>(),
        "events": events(shown, alphabet),
        "before": { "states": whole.states(), "transitions": whole.transitions() },
    });
    document.to_string() + "\n"
}

/// The system for Graphviz.
#[must_use]
pub fn to_dot(lts: &Lts, alphabet: &Alphabet) -> String {
    let mut out = String::from(
        "digraph lts {\n  node [shape=circle fontname=monospace];\n  edge [fontname=monospace fontsize=10];\n",
    );
    let _ = writeln!(out, "  s{} [style=bold];", lts.initial());
    for state in 0..lts.states() {
        if lts.steps(state).is_empty() {
            let _ = writeln!(out, "  s{state} [shape=doublecircle];");
        }
    }
    for (from, event, to) in lts.all() {
        let label = label(event, alphabet).replace('\\', "\\\\").replace('"', "\\\"");
        let style = if event.is_visible() { "" } else { " style=dashed" };
        let _ = writeln!(out, "  s{from} -> s{to} [label=\"{label}\"{style}];");
    }
    out.push_str("}\n");
    out
}

fn label(event: Event, alphabet: &Alphabet) -> String {
    if event.is_visible() { alphabet.name(event).to_string() } else { "τ".into() }
}

const STYLE: &str = "\
text{font:11px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#24292f;text-anchor:middle}\
.paper{fill:#fff}.state{fill:#f6f8fa;stroke:#57606a;stroke-width:1.3}.start{stroke-width:3}.stop{stroke:#cf222e}\
.box{fill:#fff;stroke:#afb8c1}.internal{stroke-dasharray:4 3}.edge{fill:none;stroke:#8c959f;stroke-width:1.2}.head{fill:#8c959f}";
const CHARACTER: f64 = 6.7;
const RADIUS: f64 = 13.0;
const MARGIN: f64 = 26.0;
/// Labels longer than this are cut; their tooltip has all of it.
const LONGEST: usize = 36;

/// The system as a picture; `None` if it is too large for one.
#[must_use]
pub fn to_svg(lts: &Lts, alphabet: &Alphabet) -> Option<String> {
    if lts.states() > MOST_DRAWN {
        return None;
    }
    let steps = joined(lts, alphabet);
    // The initial state comes on top.
    let place = |state: u32| match state {
        state if state == lts.initial() => 0,
        0 => lts.initial() as usize,
        state => state as usize,
    };
    let states = lts.states() as usize;
    let mut sizes = vec![Size { width: 2.0 * RADIUS, height: 2.0 * RADIUS }; states];
    let mut edges = Vec::new();
    for (number, (from, to, label)) in steps.iter().enumerate() {
        sizes.push(Size { width: CHARACTER * label.chars().count().min(LONGEST) as f64 + 12.0, height: 20.0 });
        edges.extend([(place(*from), states + number), (states + number, place(*to))]);
    }
    let drawing = layered::draw(&sizes, &edges);
    let (width, height) = (drawing.size.width + 2.0 * MARGIN, drawing.size.height + 2.0 * MARGIN);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         role=\"img\">\n<style>{STYLE}</style>\n<defs><marker id=\"i-head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" \
         markerHeight=\"7\" orient=\"auto\"><path class=\"head\" d=\"M0 0L8 4L0 8z\"/></marker></defs>\n\
         <rect class=\"paper\" width=\"{width:.0}\" height=\"{height:.0}\"/>\n<g transform=\"translate({MARGIN} {MARGIN})\">\n"
    );
    for (number, points) in drawing.edges.iter().enumerate() {
        let (from, to) = edges[number];
        let ends = std::iter::once(&drawing.nodes[from]).chain(points).chain([&drawing.nodes[to]]);
        let path: Vec<String> = ends.map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        let _ = writeln!(out, "<path class=\"edge\" d=\"M{}\"/>", path.join("L"));
        // The head stands where the edge comes to a state.
        if to < states {
            let before = points.last().copied().unwrap_or(drawing.nodes[from]);
            let (x, y) = drawing.nodes[to];
            let (dx, dy) = (x - before.0, y - before.1);
            let length = dx.hypot(dy).max(1.0);
            let tip = (x - dx / length * RADIUS, y - dy / length * RADIUS);
            let _ = writeln!(
                out,
                "<path class=\"edge\" marker-end=\"url(#i-head)\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/>",
                tip.0 - dx / length * 2.0,
                tip.1 - dy / length * 2.0,
                tip.0,
                tip.1
            );
        }
    }
    for (number, (_, _, label)) in steps.iter().enumerate() {
        let ((x, y), size) = (drawing.nodes[states + number], sizes[states + number]);
        let class = if label == "τ" { "box internal" } else { "box" };
        let cut: String = label.chars().take(LONGEST).collect();
        let _ = writeln!(
            out,
            "<g><title>{}</title><rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"4\"/><text x=\"{x:.1}\" y=\"{:.1}\">{}</text></g>",
            escaped(label),
            x - size.width / 2.0,
            y - size.height / 2.0,
            size.width,
            size.height,
            y + 4.0,
            escaped(&cut)
        );
    }
    for state in 0..lts.states() {
        let (x, y) = drawing.nodes[place(state)];
        let class = match (state == lts.initial(), lts.steps(state).is_empty()) {
            (true, _) => "state start",
            (false, true) => "state stop",
            (false, false) => "state",
        };
        let _ = writeln!(
            out,
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\"/><text x=\"{x:.1}\" y=\"{:.1}\">{state}</text>",
            y + 4.0
        );
    }
    out.push_str("</g>\n</svg>\n");
    Some(out)
}

/// Steps between the same two states are drawn as one.
fn joined(lts: &Lts, alphabet: &Alphabet) -> Vec<(u32, u32, String)> {
    let mut steps: Vec<(u32, u32, String)> = Vec::new();
    for (from, event, to) in lts.all() {
        let label = label(event, alphabet);
        match steps.iter_mut().find(|(other_from, other_to, _)| (*other_from, *other_to) == (from, to)) {
            Some((_, _, labels)) => *labels = format!("{labels}, {label}"),
            None => steps.push((from, to, label)),
        }
    }
    steps
}

/// A page with the picture, or with the sizes alone if it is too large for one.
#[must_use]
pub fn to_html(name: &str, lts: &Lts, alphabet: &Alphabet) -> String {
    let picture = to_svg(lts, alphabet).unwrap_or_else(|| {
        format!("<p>More than {MOST_DRAWN} states are not drawn: make the system smaller first.</p>")
    });
    let name = escaped(name);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{name}</title>\n\
         <style>body{{font:15px/1.45 system-ui,sans-serif;margin:1.2rem}}</style>\n</head>\n<body>\n<h1>{name}</h1>\n\
         <p>{}. A bold circle is the initial state, a red one a state without steps.</p>\n{picture}</body>\n</html>\n",
        sizes(lts)
    )
}
