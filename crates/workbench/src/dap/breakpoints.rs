//! Where a run stops: lines, conditions, changes of variables.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use machine::action::ActionKind;
use machine::automaton::Edge;
use machine::id::{Location, Pid};
use machine::show::{Show, SourcePlace};
use machine::state::State;
use machine::trace::Part;
use promela::source::Span;
use serde_json::Value;

use crate::paths::normal;

/// A line at which to stop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineBreakpoint {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: u32,
    /// Only where this is true.
    pub condition: Option<String>,
}

/// All that stops a run.
#[derive(Clone, Default, Debug)]
pub struct Breakpoints {
    /// A process comes to such a line.
    pub lines: Vec<LineBreakpoint>,
    /// Something is true.
    pub conditions: Vec<String>,
    /// A variable changes.
    pub data: BTreeSet<String>,
}

impl Breakpoints {
    /// All conditions, each once.
    pub fn conditions(&self) -> BTreeSet<String> {
        let of_lines = self.lines.iter().filter_map(|each| each.condition.as_ref());
        of_lines.chain(&self.conditions).cloned().collect()
    }
}

/// The lines of statements.
#[derive(Debug)]
pub struct Lines(BTreeSet<(PathBuf, u32)>);

impl Lines {
    /// Those of a machine.
    pub fn of(show: &Show<'_>) -> Lines {
        let machine = show.machine();
        let locations = machine.definitions.iter().flat_map(|definition| &definition.automaton.locations);
        let spans = locations.flat_map(|location| {
            let actions = location.edges.iter().map(|edge| machine.action(edge.action).span);
            location.span.into_iter().chain(actions)
        });
        Lines(spans.map(|span| key(&show.place(span))).filter(|(_, line)| *line > 0).collect())
    }

    /// The line itself, or the next one with a statement.
    pub fn at_or_behind(&self, file: &Path, line: u32) -> Option<u32> {
        let found = self.0.range((file.to_owned(), line)..).next()?;
        (found.0 == file).then_some(found.1)
    }
}

/// The text of what a process executes next: the statement, or the selection if there are several.
pub fn standing(show: &Show<'_>, state: &State, pid: Pid) -> Span {
    let machine = show.machine();
    let automaton = &machine.definition(state.definition(&machine.layout, pid)).automaton;
    let location = automaton.location(state.location(&machine.layout, pid));
    match location.edges[..] {
        [Edge { action, .. }] if !matches!(machine.action(action).kind, ActionKind::End) => machine.action(action).span,
        _ => location.span.unwrap_or(automaton.span),
    }
}

/// File and line of a place.
pub fn key(place: &SourcePlace) -> (PathBuf, u32) {
    (normal(Path::new(&place.file)), place.line)
}

/// The place of a statement that was one of several: nobody stands at it before it is chosen.
pub fn chosen<'p>(show: &Show<'_>, part: &'p Part) -> Option<&'p SourcePlace> {
    let machine = show.machine();
    let definition = machine.definitions.iter().find(|definition| *definition.automaton.name == *part.process)?;
    let edges = &definition.automaton.location(Location(part.from)).edges;
    (edges.len() > 1).then_some(&part.place)
}

/// The file that a request is about.
pub fn file(arguments: &Value) -> PathBuf {
    normal(Path::new(arguments["source"]["path"].as_str().unwrap_or_default()))
}

/// One member of each breakpoint of a request.
pub fn members(arguments: &Value, name: &str) -> Vec<String> {
    let list = arguments["breakpoints"].as_array().into_iter().flatten();
    list.filter_map(|each| each[name].as_str().map(str::to_owned)).collect()
}

/// The breakpoints of a request as they are given.
pub fn lines(arguments: &Value) -> Vec<LineBreakpoint> {
    let list = arguments["breakpoints"].as_array().into_iter().flatten();
    let breakpoint = |each: &Value| LineBreakpoint {
        file: file(arguments),
        line: each["line"].as_u64().and_then(|line| u32::try_from(line).ok()).unwrap_or(0),
        condition: each["condition"].as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned),
    };
    list.map(breakpoint).collect()
}
