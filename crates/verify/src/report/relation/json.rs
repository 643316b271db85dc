//! The comparison as JSON, schema `isospin.relation/1`.

use relate::{Difference, Event, Side, Size, Verdict};
use serde_json::{Value, json};

use super::{Asked, RelationReport, ReportedRelation, words};

/// The report as one JSON document.
#[must_use]
pub fn to_json(report: &RelationReport) -> String {
    let document = match (report.asked, &report.results[..]) {
        (Asked::One, [only]) => result(report, only),
        _ => json!({
            "schema": "isospin.relation/1",
            "version": env!("CARGO_PKG_VERSION"),
            "left": { "model": report.left },
            "right": { "model": report.right },
            "relation": "all",
            "results": report.results.iter().map(|each| result(report, each)).collect::<Vec<_>>(),
            "notes": report.notes,
        }),
    };
    serde_json::to_string_pretty(&document).expect("a report is plain data") + "\n"
}

fn result(report: &RelationReport, reported: &ReportedRelation) -> Value {
    let comparison = &reported.related.comparison;
    let difference = match &comparison.verdict {
        Verdict::Violated(difference) if reported.related.doubt.is_none() => {
            difference_value(report, reported, difference)
        }
        _ => Value::Null,
    };
    json!({
        "schema": "isospin.relation/1",
        "version": env!("CARGO_PKG_VERSION"),
        "left": side(&report.left, comparison.left),
        "right": side(&report.right, comparison.right),
        "relation": comparison.relation.name(),
        "verdict": reported.related.word(),
        "reason": words::reason(reported),
        "pairs": comparison.pairs,
        "matched": comparison.matched,
        "difference": difference,
        "seconds": reported.related.time.as_secs_f64(),
        "notes": report.notes,
    })
}

fn side(model: &str, Size { states, sets, transitions }: Size) -> Value {
    json!({ "model": model, "states": states, "sets": sets, "transitions": transitions })
}

fn difference_value(report: &RelationReport, reported: &ReportedRelation, difference: &Difference) -> Value {
    let names = |events: &[Event]| -> Vec<String> {
        events.iter().map(|&event| report.alphabet.name(event).to_string()).collect()
    };
    let refusal = difference.refusal.as_ref();
    json!({
        "kind": difference.kind.name(),
        "trace": names(&difference.trace),
        "by": match difference.by { Side::Left => "left", Side::Right => "right" },
        "refusal": refusal.map(|refusal| names(&refusal.refused)),
        "offered": refusal.map(|refusal| names(&refusal.offered)),
        "other_offers": refusal.map(|refusal| refusal.other.iter().map(|set| names(set)).collect::<Vec<_>>()),
        "formula": difference.formula.as_ref().map(|formula| formula.symbols(&report.alphabet)),
        "formula_words": difference.formula.as_ref().map(|formula| formula.words(&report.alphabet)),
        "message": words::explanation(report, difference).join("\n"),
        "left_trace": reported.left_file,
        "right_trace": reported.right_file,
    })
}
