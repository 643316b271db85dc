//! `isospin symmetry`: the group of symmetries of a model, by the names of what is permuted, and what breaks symmetry.

use std::fmt::{self, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use ::symmetry::detect::{
    Detection, Diagram, DiagramNode, Explanation, NodeKind, Obstacle, Options, channel_diagram, detect, explain,
    program_diagram,
};
use machine::Machine;
use machine::dead::DeadVariables;
use picture::diagram::{self, Shape};
use promela::source::SourceMap;
use serde::Serialize;

use crate::cli::symmetry::{PictureKind, SymmetryArguments};
use crate::commands::symmetry_oracle::Oracle;
use crate::commands::symmetry_plan::Plan;
use crate::commands::symmetry_properties::PropertySymmetry;
use crate::console::{self, Exit};
use crate::model::{self, Hidden};
use crate::{declared, input, outputs};

/// More objects than this are not listed one by one.
const MOST_LISTED: usize = 24;

/// What finding symmetries and what breaks them may take together, unless more is asked for.
const USUAL_TIME: Duration = Duration::from_millis(800);

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    version: &'static str,
    model: String,
    order: String,
    /// The order where variables keep what they hold when nobody will read it, if that is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    order_dead_off: Option<String>,
    structure: String,
    generators: Vec<String>,
    orbits: Vec<Vec<String>>,
    complete: bool,
    broken_by: Vec<Break>,
    /// Whether there was time to find all that breaks symmetry.
    explained: bool,
    /// What is left of the group for each `ltl` block and claim.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    properties: Vec<PropertySymmetry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<Plan>,
    #[serde(skip_serializing_if = "Option::is_none")]
    oracle: Option<Oracle>,
    seconds: f64,
}

/// Something that breaks symmetry.
#[derive(Serialize)]
pub struct Break {
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    message: String,
    suggestion: Option<String>,
    order_without: Option<String>,
}

/// Detects and explains.
pub fn run(arguments: &SymmetryArguments) -> Exit {
    if arguments.picture.is_some() && arguments.dot.is_none() && arguments.svg.is_none() {
        return model::refuse("--picture says what --dot and --svg show: one of them is needed");
    }
    let input = match model::read(&arguments.model, &arguments.source, model::full_channels(false), Hidden::InState) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    let start = Instant::now();
    let dead = DeadVariables::of(&input.machine);
    let declared = match &arguments.symmetry_file {
        Some(path) => match declared::read(path, &input.machine, dead.clone()) {
            Ok(declared) => Some(declared),
            Err(exit) => return exit,
        },
        None => None,
    };
    let options = Options { declared, dead, ..Options::default() };
    let detection = detect(&input.machine, &options);
    let kept = detection.needs_dead.then(|| detect(&input.machine, &Options { dead: None, ..options.clone() }));
    let properties = PropertySymmetry::all(&input.machine, &options);
    let limit = arguments.explain.unwrap_or_else(|| USUAL_TIME.saturating_sub(start.elapsed()));
    let explanation = explain(&input.machine, &detection, &options, limit);
    let mut report = report(arguments, &detection, &explanation, &input.machine.sources);
    report.properties = properties;
    let breaks = &report.broken_by;
    report.oracle = match arguments.oracle.map(|most| Oracle::of(&input.machine, &detection, most, arguments)) {
        Some(Err(exit)) => return exit,
        Some(Ok(mut oracle)) => {
            oracle.blame(breaks);
            Some(oracle)
        }
        None => None,
    };
    let order_kept = kept.map(|detection| detection.group.order().to_string());
    report.order_dead_off = order_kept.filter(|order| *order != report.order);
    let output = if arguments.json {
        serde_json::to_string_pretty(&report).expect("a report is plain data") + "\n"
    } else {
        text(&report, &detection, !limit.is_zero())
    };
    if let Err(exit) = draw(arguments, &input.machine, &detection) {
        return exit;
    }
    for mismatch in &detection.rejected {
        console::error(&format!(
            "this is a bug in isospin: {} was found to be a symmetry and is none; it was left out",
            cycle_form(&mismatch.cycles)
        ));
    }
    console::print(&output)
}

/// Writes the pictures that were asked for.
fn draw(arguments: &SymmetryArguments, machine: &Machine, detection: &Detection) -> Result<(), Exit> {
    if arguments.dot.is_none() && arguments.svg.is_none() {
        return Ok(());
    }
    let diagram = match arguments.picture {
        None | Some(PictureKind::Channels) => channel_diagram(machine),
        Some(PictureKind::Program) => program_diagram(machine),
    };
    let diagram = coloured(diagram, &detection.object_orbits());
    let write = |path: &Path, text: &str| outputs::write(path, text).map_err(|message| model::refuse(&message));
    if let Some(path) = &arguments.dot {
        write(path, &diagram::dot(&diagram))?;
    }
    if let Some(path) = &arguments.svg {
        let Some(text) = diagram::svg(&diagram) else {
            let message = format!(
                "the picture would have {} nodes, more than {}: write it with --dot and let Graphviz draw it",
                diagram.nodes.len(),
                diagram::MOST_NODES
            );
            return Err(model::refuse(&message));
        };
        write(path, &text)?;
    }
    Ok(())
}

/// The diagram as it is drawn.
fn coloured(diagram: Diagram, orbits: &[Vec<String>]) -> diagram::Diagram {
    let node = |DiagramNode { name, kind }: DiagramNode| {
        let shape = match kind {
            NodeKind::Process => Shape::Box,
            NodeKind::Channel => Shape::Round,
            NodeKind::Variable => Shape::Note,
            NodeKind::Program => Shape::Plain,
        };
        let orbit = orbits.iter().position(|orbit| orbit.contains(&name));
        diagram::Node { name, shape, orbit }
    };
    diagram::Diagram { nodes: diagram.nodes.into_iter().map(node).collect(), arcs: diagram.arcs }
}

fn report(
    arguments: &SymmetryArguments,
    detection: &Detection,
    explanation: &Explanation,
    sources: &SourceMap,
) -> Report {
    Report {
        schema: "isospin.symmetry/1",
        version: env!("CARGO_PKG_VERSION"),
        model: input::name(&arguments.model),
        order: detection.group.order().to_string(),
        order_dead_off: None,
        structure: detection.group.structure().to_string(),
        generators: detection.generators.iter().map(|generator| cycle_form(&generator.cycles)).collect(),
        orbits: orbits(detection),
        complete: detection.complete,
        explained: explanation.complete,
        broken_by: explanation.obstacles.iter().map(|obstacle| Break::new(obstacle, sources)).collect(),
        properties: Vec::new(),
        plan: arguments.plan.map(|strategy| Plan::of(strategy, detection)),
        oracle: None,
        seconds: detection.seconds,
    }
}

impl Break {
    fn new(obstacle: &Obstacle, sources: &SourceMap) -> Break {
        let span = sources.reported_span(obstacle.span);
        let place = sources.range(span).map(|_| sources.location(span));
        let presumed = place.as_ref().map(|place| sources.presumed_line(place.file, place.line));
        Break {
            file: presumed.as_ref().map(|(path, _)| path.to_string()),
            line: presumed.as_ref().map(|&(_, line)| line),
            column: place.as_ref().map(|place| place.column),
            message: obstacle.message.clone(),
            suggestion: obstacle.suggestion.clone(),
            order_without: obstacle.order_without.as_ref().map(ToString::to_string),
        }
    }
}

impl Break {
    /// Itself in one line, if changing it was seen to give a larger group.
    pub fn cause(&self) -> Option<String> {
        self.order_without.as_ref().map(|_| self.to_string())
    }
}

impl fmt::Display for Break {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some(file), Some(line), Some(column)) = (&self.file, self.line, self.column) {
            write!(f, "{file}:{line}:{column}: ")?;
        }
        f.write_str(&self.message)?;
        self.order_without.as_ref().map_or(Ok(()), |order| write!(f, " (without it: {order})"))
    }
}

/// `(client[1] client[2])(link[1] link[2])`
pub(super) fn cycle_form(cycles: &[Vec<String>]) -> String {
    cycles.iter().map(|cycle| format!("({})", cycle.join(" "))).collect()
}

/// Objects that are carried to each other.
fn orbits(detection: &Detection) -> Vec<Vec<String>> {
    let mut orbits: Vec<Vec<String>> = Vec::new();
    for cycle in detection.generators.iter().flat_map(|generator| &generator.cycles) {
        let mut merged: Vec<String> = cycle.clone();
        orbits.retain(|orbit| {
            let touches = orbit.iter().any(|name| cycle.contains(name));
            if touches {
                merged.extend(orbit.iter().filter(|name| !cycle.contains(name)).cloned());
            }
            !touches
        });
        merged.sort_by_key(|name| natural(name));
        orbits.push(merged);
    }
    orbits.sort_by_key(|orbit| natural(&orbit[0]));
    orbits
}

/// `link[10]` comes after `link[9]`.
fn natural(name: &str) -> Vec<(String, u64)> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let text: String = rest.chars().take_while(|character| !character.is_ascii_digit()).collect();
        rest = &rest[text.len()..];
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        rest = &rest[digits.len()..];
        parts.push((text, digits.parse().unwrap_or(0)));
    }
    parts
}

fn text(report: &Report, detection: &Detection, sought: bool) -> String {
    let mut text = String::new();
    let _ = match report.order.as_str() {
        "1" => writeln!(text, "{}: no symmetry found", report.model),
        order => writeln!(text, "{}: {order} symmetries, {}", report.model, report.structure),
    };
    if let Some(order) = &report.order_dead_off {
        let _ = writeln!(
            text,
            "  once variables that will be written before they are read are set back, as safety searches do; {order} with --dead off"
        );
    }
    if !report.generators.is_empty() {
        text += "\ngenerated by\n";
    }
    for generator in &detection.generators {
        let shown: Vec<String> = generator.cycles.iter().map(|cycle| arrows(cycle)).take(MOST_LISTED).collect();
        let more = generator.cycles.len().saturating_sub(MOST_LISTED);
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        let _ = writeln!(text, "  {}{more}", shown.join(", "));
    }
    if !report.orbits.is_empty() {
        text += "\nalike are\n";
    }
    for orbit in &report.orbits {
        let shown: Vec<&str> = orbit.iter().map(String::as_str).take(MOST_LISTED).collect();
        let more = orbit.len().saturating_sub(MOST_LISTED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let _ = writeln!(text, "  {}{more}", shown.join(" "));
    }
    if !report.broken_by.is_empty() {
        text += "\nin the way of more symmetry\n";
    }
    for each in &report.broken_by {
        let _ = writeln!(text, "  {each}");
        if let Some(suggestion) = &each.suggestion {
            let _ = writeln!(text, "      {suggestion}");
        }
    }
    if !report.explained && sought {
        text += "\nthe time to look for what is in the way is over: --explain DURATION allows more\n";
    }
    if !report.complete {
        text += "\nthe search for symmetries was cut short: there may be more\n";
    }
    text += &PropertySymmetry::text(&report.properties);
    text += &report.plan.as_ref().map_or_else(String::new, Plan::text);
    text += &report.oracle.as_ref().map_or_else(String::new, Oracle::text);
    let _ = writeln!(text, "\ndetected in {:.3} s", report.seconds);
    text
}

/// `a <-> b`, or `a -> b -> c -> a`.
pub(super) fn arrows(cycle: &[String]) -> String {
    match cycle {
        [one, other] => format!("{one} <-> {other}"),
        cycle => cycle.iter().chain(cycle.first()).map(String::as_str).collect::<Vec<&str>>().join(" -> "),
    }
}

#[cfg(test)]
mod tests {
    use super::{arrows, natural};

    #[test]
    fn numbers_in_names_are_compared_as_numbers() {
        assert!(natural("link[9]") < natural("link[10]"));
        assert!(natural("client[1]:x") < natural("client[1]:y"));
    }

    #[test]
    fn exchanges_and_longer_cycles_are_told_apart() {
        let names = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
        assert_eq!(arrows(&names("a b")), "a <-> b");
        assert_eq!(arrows(&names("a b c")), "a -> b -> c -> a");
    }
}
