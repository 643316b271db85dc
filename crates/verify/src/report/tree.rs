//! Why a formula about the tree of runs holds, or does not: each part of the formula in a line, its run in a table below it, and what holds on the
//! way further right.

use std::fmt::Write as _;

use machine::trace::TraceStep;
use serde_json::{Value, json};

use super::steps;
use super::text::grouped;
use crate::verify::{Because, Tree};

/// How far to the right a part stands below another one.
const INDENT: usize = 4;

/// The tree as text.
pub(super) fn to_text(tree: &Tree, model: &str, width: usize, text: &mut String) {
    part(tree, "", model, width, text);
}

fn part(tree: &Tree, place: &str, model: &str, width: usize, text: &mut String) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "  {place}{}{}", tree.formula, reason(tree));
    let mut inner = String::new();
    let room = width.saturating_sub(INDENT);
    match &tree.because {
        Because::OfParts(parts) => parts.iter().for_each(|each| part(each, "", model, room, &mut inner)),
        Because::OfRun { steps, cycle_start, points } => {
            steps::rows_of(steps, *cycle_start, model, room, &mut inner);
            for (after, point) in points {
                part(point, &format!("{}: ", moment(steps, *after)), model, room, &mut inner);
            }
        }
        Because::OfTheState | Because::OfEveryRun { .. } | Because::Omitted => {}
    }
    for line in inner.lines() {
        let _ = writeln!(text, "{:INDENT$}{line}", "");
    }
}

/// Whether a part holds, and why in a few words; what these introduce is told below them.
pub(super) fn reason(tree: &Tree) -> String {
    let holds = if tree.holds { "holds" } else { "does not hold" };
    match &tree.because {
        Because::OfTheState => format!(" {holds}"),
        Because::Omitted => format!(" {holds}, which is not explained further"),
        Because::OfEveryRun { states: 1 } => {
            format!(" {holds}: no run from here shows the contrary (the state is not left)")
        }
        Because::OfEveryRun { states } => {
            format!(" {holds}: no run from here shows the contrary ({} states)", grouped(*states))
        }
        Because::OfParts(_) => format!(" {holds}, because"),
        Because::OfRun { steps, .. } if steps.is_empty() => format!(" {holds}, as this state shows"),
        Because::OfRun { .. } => format!(" {holds}, as this run shows:"),
    }
}

/// When in a run so many of its steps are done.
pub(super) fn moment(steps: &[TraceStep], after: usize) -> String {
    let last = after.checked_sub(1).and_then(|last| steps.get(last));
    last.map_or_else(|| "at its beginning".into(), |step| format!("after step {}", step.number))
}

/// The tree as JSON.
pub(super) fn to_json(tree: &Tree) -> Value {
    let mut value = json!({ "formula": tree.formula, "holds": tree.holds });
    match &tree.because {
        Because::OfTheState => value["because"] = "state".into(),
        Because::Omitted => value["because"] = "omitted".into(),
        Because::OfEveryRun { states } => {
            value["because"] = "every-run".into();
            value["states"] = (*states).into();
        }
        Because::OfParts(parts) => {
            value["because"] = "parts".into();
            value["parts"] = parts.iter().map(to_json).collect();
        }
        Because::OfRun { steps, cycle_start, points } => {
            value["because"] = "run".into();
            value["steps"] = json!(steps);
            value["cycle_start"] = json!(cycle_start);
            value["points"] =
                points.iter().map(|(after, point)| json!({ "after": after, "evidence": to_json(point) })).collect();
        }
    }
    value
}
