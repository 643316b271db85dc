//! The comparison as one page: the verdict, the difference, and the runs of both sides beside each other, event by event.
//!
//! The runs agree in their events as far as both can go, so they are cut at the events and the pieces stand side by side: what each side does on its way to
//! the next event. The last row is where they part.

use std::fmt::Write as _;

use machine::chart;
use machine::trace::TraceStep;
use relate::Verdict;

use super::{RelationReport, ReportedRelation, words};
use crate::relations::Evidence;
use picture::escaped;

const STYLE: &str = "\
body{font:15px/1.45 system-ui,sans-serif;margin:0 auto;max-width:76rem;padding:1.2rem;color:#24292f;background:#fff}\
h1{font-size:1.35rem}h2{font-size:1.1rem;margin:1.6rem 0 .4rem}.i-holds{color:#1a7f37}.i-violated{color:#cf222e}.i-unknown{color:#9a6700}\
table{border-collapse:collapse;width:100%}td,th{border:1px solid #d0d7de;padding:.35rem .6rem;vertical-align:top;text-align:left}\
.i-event{background:#ddf4ff;font-weight:600;text-align:center;font-family:ui-monospace,monospace}.i-part{background:#ffebe9}\
code,pre,td.i-steps{font:13px/1.5 ui-monospace,'DejaVu Sans Mono',monospace}.i-charts{display:flex;gap:1.5rem;overflow-x:auto}\
.i-quiet{color:#6e7781}\
@media(prefers-color-scheme:dark){body{color:#d1d9e0;background:#0d1117}td,th{border-color:#30363d}.i-event{background:#12304a}.i-part{background:#3c1618}}";

/// The report as one page. Nothing is loaded from anywhere.
#[must_use]
pub fn to_html(report: &RelationReport) -> String {
    let title = format!("{} and {}", report.left, report.right);
    let mut body = format!("<h1>{}</h1>\n", escaped(&title));
    overview(report, &mut body);
    for reported in &report.results {
        difference(report, reported, &mut body);
    }
    for note in &report.notes {
        let _ = writeln!(body, "<p class=\"i-quiet\">{}</p>", escaped(note));
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n<style>{STYLE}</style>\n\
         </head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        escaped(&title)
    )
}

fn overview(report: &RelationReport, body: &mut String) {
    body.push_str("<table><tr><th>relation</th><th>verdict</th><th>what it says</th><th>pairs</th><th>left</th><th>right</th></tr>\n");
    for reported in &report.results {
        let comparison = &reported.related.comparison;
        let word = reported.related.word();
        let _ = writeln!(
            body,
            "<tr><td>{}</td><td class=\"i-{word}\"><strong>{word}</strong>{}</td><td>{}</td><td>{}</td><td>{} states, {} sets</td><td>{} states, {} sets</td></tr>",
            comparison.relation,
            words::reason(reported).map(|reason| format!("<br>{}", escaped(&reason))).unwrap_or_default(),
            escaped(comparison.relation.meaning()),
            comparison.pairs,
            comparison.left.states,
            comparison.left.sets,
            comparison.right.states,
            comparison.right.sets,
        );
    }
    body.push_str("</table>\n");
}

fn difference(report: &RelationReport, reported: &ReportedRelation, body: &mut String) {
    let (Verdict::Violated(difference), None) = (&reported.related.comparison.verdict, &reported.related.doubt) else {
        return;
    };
    let _ = writeln!(body, "<h2>Why not {}</h2>", reported.related.comparison.relation);
    for line in words::explanation(report, difference) {
        let _ = writeln!(body, "<p>{}</p>", escaped(&line));
    }
    let (left, right) = (reported.related.left.as_ref(), reported.related.right.as_ref());
    if left.is_none() && right.is_none() {
        return;
    }
    side_by_side(report, left, right, body);
    body.push_str("<details><summary>The runs as charts</summary><div class=\"i-charts\">\n");
    for (name, evidence) in [(&report.left, left), (&report.right, right)] {
        let Some(evidence) = evidence else { continue };
        let mut chart = chart::chart(&evidence.trace);
        chart.keep_last(MOST_ROWS);
        let _ = writeln!(body, "<div><h3>{}</h3>{}</div>", escaped(name), chart.svg());
    }
    body.push_str("</div></details>\n");
}

/// Steps that a chart of the page shows.
const MOST_ROWS: usize = 500;

/// The steps of both runs, cut at their events.
fn side_by_side(report: &RelationReport, left: Option<&Evidence>, right: Option<&Evidence>, body: &mut String) {
    let _ = writeln!(body, "<table><tr><th>{}</th><th>{}</th></tr>", escaped(&report.left), escaped(&report.right));
    let (left, right) = (pieces(left), pieces(right));
    for row in 0..left.len().max(right.len()) {
        let (one, other) = (left.get(row), right.get(row));
        let cell = |piece: Option<&Piece<'_>>| piece.map_or_else(String::new, |piece| steps(piece.steps));
        let _ = writeln!(
            body,
            "<tr><td class=\"i-steps\">{}</td><td class=\"i-steps\">{}</td></tr>",
            cell(one),
            cell(other)
        );
        let event = |piece: Option<&Piece<'_>>| piece.and_then(|piece| piece.event.map(str::to_string));
        match (event(one), event(other)) {
            (Some(one), Some(other)) if one == other => {
                let _ = writeln!(body, "<tr><td class=\"i-event\" colspan=\"2\">{}</td></tr>", escaped(&one));
            }
            (None, None) => {}
            (one, other) => {
                let cell = |event: Option<String>| event.map_or_else(|| "—".to_string(), |event| escaped(&event));
                let _ = writeln!(
                    body,
                    "<tr><td class=\"i-event i-part\">{}</td><td class=\"i-event i-part\">{}</td></tr>",
                    cell(one),
                    cell(other)
                );
            }
        }
    }
    body.push_str("</table>\n");
}

/// What a side does up to its next event, which the last of the steps shows.
struct Piece<'e> {
    steps: &'e [TraceStep],
    event: Option<&'e str>,
}

fn pieces(evidence: Option<&Evidence>) -> Vec<Piece<'_>> {
    let Some(evidence) = evidence else { return Vec::new() };
    let (mut pieces, mut start) = (Vec::new(), 0);
    for (number, event) in &evidence.events {
        let end = *number as usize;
        pieces.push(Piece { steps: &evidence.trace.steps[start.min(end)..end], event: Some(event) });
        start = end;
    }
    let rest = &evidence.trace.steps[start..];
    if !rest.is_empty() {
        pieces.push(Piece { steps: rest, event: None });
    }
    pieces
}

fn steps(steps: &[TraceStep]) -> String {
    let line = |step: &TraceStep| {
        let part = &step.part;
        let with = step.partner.as_ref().map(|partner| format!(" with {}({})", partner.process, partner.pid));
        let text = format!(
            "{}({}){} {}:{}  {}",
            part.process,
            part.pid,
            with.unwrap_or_default(),
            part.place.file,
            part.place.line,
            part.statement
        );
        escaped(&text)
    };
    steps.iter().map(line).collect::<Vec<_>>().join("<br>")
}
