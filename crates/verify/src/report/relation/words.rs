//! A difference in words.

use explore::search::End;
use relate::{Difference, Event, Kind, Side, Verdict};

use super::{RelationReport, ReportedRelation};

/// Events as a line of text: `IN!1 · IN!2`; a word for none.
pub(super) fn events(report: &RelationReport, events: &[Event]) -> String {
    let names: Vec<String> = events.iter().map(|&event| report.alphabet.name(event).to_string()).collect();
    if names.is_empty() { "nothing".into() } else { names.join(" · ") }
}

/// A set of events: `{IN!1, IN!2}`.
pub(super) fn set(report: &RelationReport, events: &[Event]) -> String {
    let names: Vec<String> = events.iter().map(|&event| report.alphabet.name(event).to_string()).collect();
    format!("{{{}}}", names.join(", "))
}

/// The name of a side: its file, and which side it is.
pub(super) fn side(report: &RelationReport, side: Side) -> String {
    match side {
        Side::Left => format!("the left side ({})", report.left),
        Side::Right => format!("the right side ({})", report.right),
    }
}

/// The trace after which the sides differ: of a trace that only one side has, all but the last event.
pub(super) fn common(difference: &Difference) -> &[Event] {
    match (difference.kind, difference.trace.split_last()) {
        (Kind::Trace, Some((_, common))) => common,
        _ => &difference.trace,
    }
}

/// What one side can do and the other cannot, as sentences.
pub(super) fn explanation(report: &RelationReport, difference: &Difference) -> Vec<String> {
    let (by, other) = (side(report, difference.by), side(report, difference.by.other()));
    let after = match common(difference) {
        [] => "at the start".to_string(),
        common => format!("after {}", events(report, common)),
    };
    match difference.kind {
        Kind::Trace => {
            let last =
                difference.trace.last().map(|&event| report.alphabet.name(event).to_string()).unwrap_or_default();
            vec![format!("{after}, {by} can do {last}; {other} cannot")]
        }
        Kind::Refusal => refusal(report, difference, &after),
        Kind::Divergence => vec![
            format!("{after}, {by} can go on with internal steps for ever; {other} cannot"),
            "an observer waits in vain for what comes next: busy waiting is such an internal cycle".into(),
        ],
        Kind::Completion => vec![format!("{after}, {by} can stop for good; {other} cannot")],
        Kind::Formula => {
            let mut lines = Vec::new();
            if let Some(formula) = &difference.formula {
                lines.push(format!("{by} satisfies a formula that {other} does not:"));
                lines.push(format!("  {}", formula.symbols(&report.alphabet)));
                lines.push(format!("in words: it {}", formula.words(&report.alphabet)));
            }
            lines
        }
    }
}

fn refusal(report: &RelationReport, difference: &Difference, after: &str) -> Vec<String> {
    let (by, other) = (side(report, difference.by), side(report, difference.by.other()));
    let Some(refusal) = &difference.refusal else { return Vec::new() };
    let offers = match &refusal.offered[..] {
        [] => "nothing at all: it is stuck there".to_string(),
        offered => format!("only {}", set(report, offered)),
    };
    let mut lines = vec![format!("{after}, {by} can wait in a state that offers {offers}")];
    lines.push(match (&refusal.refused[..], &refusal.other[..]) {
        (_, []) => format!("{other} has no state after this trace in which it waits"),
        (refused, sets) => {
            let sets: Vec<String> = sets.iter().map(|offered| set(report, offered)).collect();
            format!(
                "so it can refuse {}; {other} always offers one of these: where it waits it offers {}",
                set(report, refused),
                sets.join(" or ")
            )
        }
    });
    lines
}

/// Why a verdict is unknown.
pub(super) fn reason(reported: &ReportedRelation) -> Option<String> {
    if let Some(doubt) = &reported.related.doubt {
        return Some(doubt.clone());
    }
    let Verdict::Unknown(end) = &reported.related.comparison.verdict else { return None };
    Some(
        match end {
            End::States => "the limit of states was reached (--max-states)",
            End::Time => "the time was up (--max-time)",
            End::Memory => "the limit of memory was reached (--max-memory)",
            End::Interrupted => "interrupted",
            _ => "the comparison did not come to its end",
        }
        .into(),
    )
}
