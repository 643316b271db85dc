//! Why a formula about the tree of runs holds, or does not: each part of the formula in a line, its run in a table below it, and what holds on the
//! way further right.

use std::fmt::Write as _;

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
    let holds = if tree.holds { "holds" } else { "does not hold" };
    let formula = &tree.formula;
    // Writing to a string cannot fail.
    let _ = match &tree.because {
        Because::OfTheState => writeln!(text, "  {place}{formula} {holds}"),
        Because::Omitted => writeln!(text, "  {place}{formula} {holds}, which is not explained further"),
        Because::OfEveryRun { states: 1 } => {
            writeln!(text, "  {place}{formula} {holds}: no run from here shows the contrary (the state is not left)")
        }
        Because::OfEveryRun { states } => {
            writeln!(
                text,
                "  {place}{formula} {holds}: no run from here shows the contrary ({} states)",
                grouped(*states)
            )
        }
        Because::OfParts(_) => writeln!(text, "  {place}{formula} {holds}, because"),
        Because::OfRun { steps, .. } if steps.is_empty() => {
            writeln!(text, "  {place}{formula} {holds}, as this state shows")
        }
        Because::OfRun { .. } => writeln!(text, "  {place}{formula} {holds}, as this run shows:"),
    };
    let mut inner = String::new();
    let room = width.saturating_sub(INDENT);
    match &tree.because {
        Because::OfParts(parts) => parts.iter().for_each(|each| part(each, "", model, room, &mut inner)),
        Because::OfRun { steps, cycle_start, points } => {
            steps::rows_of(steps, *cycle_start, model, room, &mut inner);
            for (after, point) in points {
                let number = steps.get(after.wrapping_sub(1)).map(|step| format!("after step {}: ", step.number));
                part(point, &number.unwrap_or_else(|| "at its beginning: ".into()), model, room, &mut inner);
            }
        }
        Because::OfTheState | Because::OfEveryRun { .. } | Because::Omitted => {}
    }
    for line in inner.lines() {
        let _ = writeln!(text, "{:INDENT$}{line}", "");
    }
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
