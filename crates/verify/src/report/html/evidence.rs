//! Why a formula about the tree of runs holds, or does not: each part of the formula in a list, its run in a table below it,
//! and what holds on the way in a list further right.

use std::fmt::Write as _;

use machine::trace::TraceStep;

use crate::report::{steps, tree};
use crate::verify::{Because, Tree};
use picture::escaped;

/// Runs longer than this are closed until they are asked for.
const LONG: usize = 30;

/// The tree as nested lists.
pub(super) fn list(tree: &Tree, model: &str, body: &mut String) {
    body.push_str("<h3>Why</h3>\n<ul class=\"i-why\">\n");
    part(tree, "", model, body);
    body.push_str("</ul>\n");
}

fn part(part_of: &Tree, place: &str, model: &str, body: &mut String) {
    let mark = if part_of.holds { "i-true" } else { "i-false" };
    // Writing to a string cannot fail.
    let _ = write!(
        body,
        "<li class=\"{mark}\">{place}<span class=\"i-code\">{}</span>{}",
        escaped(&part_of.formula),
        escaped(&tree::reason(part_of))
    );
    match &part_of.because {
        Because::OfParts(parts) => {
            body.push_str("\n<ul>\n");
            parts.iter().for_each(|each| part(each, "", model, body));
            body.push_str("</ul>");
        }
        Because::OfRun { steps, cycle_start, points } => {
            run(steps, *cycle_start, model, body);
            if !points.is_empty() {
                body.push_str("\n<ul>\n");
                for (after, point) in points {
                    part(point, &format!("{}: ", tree::moment(steps, *after)), model, body);
                }
                body.push_str("</ul>");
            }
        }
        Because::OfTheState | Because::OfEveryRun { .. } | Because::Omitted => {}
    }
    body.push_str("</li>\n");
}

fn run(all: &[TraceStep], cycle_start: Option<usize>, model: &str, body: &mut String) {
    if all.is_empty() && cycle_start.is_none() {
        return;
    }
    let open = if all.len() <= LONG { " open" } else { "" };
    let count = if all.len() == 1 { "1 step".into() } else { format!("{} steps", all.len()) };
    let _ = write!(
        body,
        "\n<details{open}><summary>{count}</summary><div class=\"i-scroll\"><table class=\"i-table\">\
         <tr><th>step</th><th>process</th><th>line</th><th>statement</th><th>changes</th></tr>\n"
    );
    let one_file = all.iter().all(|step| step.part.place.file == model);
    for (index, step) in all.iter().enumerate() {
        if cycle_start == Some(index) {
            cycle(body);
        }
        for row in steps::rows(step, one_file) {
            let cells = [row.number, row.process, row.place, row.statement, row.changes.join(", ")];
            let cells = cells.map(|cell| format!("<td class=\"i-code\">{}</td>", escaped(&cell)));
            let _ = writeln!(body, "<tr>{}</tr>", cells.concat());
        }
    }
    if cycle_start == Some(all.len()) {
        cycle(body);
    }
    body.push_str("</table></div></details>");
}

fn cycle(body: &mut String) {
    body.push_str("<tr><td colspan=\"5\"><strong>from here on, these steps for ever</strong></td></tr>\n");
}
