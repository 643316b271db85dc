//! A run as JSON lines, schema `isospin.run/1`: one object for the start, one for each step, one for the end.

use machine::show::StateView;
use machine::trace::{End, Origin, TraceStep};
use serde::Serialize;

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
enum Line<'a> {
    Start {
        schema: &'static str,
        version: &'static str,
        #[serde(flatten)]
        origin: &'a Origin,
        initial: &'a StateView,
    },
    Step(&'a TraceStep),
    End {
        steps: u32,
        #[serde(flatten)]
        end: &'a End,
        #[serde(rename = "final")]
        last: &'a StateView,
    },
}

/// The first line.
pub fn start(origin: &Origin, initial: &StateView) -> String {
    text(&Line::Start { schema: "isospin.run/1", version: env!("CARGO_PKG_VERSION"), origin, initial })
}

/// The line of a step.
pub fn step(step: &TraceStep) -> String {
    text(&Line::Step(step))
}

/// The last line.
pub fn end(end: &End, steps: u32, last: &StateView) -> String {
    text(&Line::End { steps, end, last })
}

fn text(line: &Line<'_>) -> String {
    serde_json::to_string(line).expect("a run is plain data")
}
