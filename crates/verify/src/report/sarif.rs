//! Reports in the Static Analysis Results Interchange Format (SARIF 2.1.0, OASIS), which code hosts show beside changes.
//!
//! A violation is an error with the run as its code flow. What is not known is a warning, and so is what is suspicious in the text: a code host shows both,
//! and neither looks like a pass. A model that could not be verified is a notification of the tool.

use machine::trace::{Trace, TraceStep};
use serde_json::{Value, json};

use super::{Attempt, Report, Reported, Warning, words};
use crate::verify::Verdict;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Steps of a counterexample that a code flow tells: the last ones.
const STEPS: usize = 500;

/// What was found, as one JSON document.
#[must_use]
pub fn to_sarif(attempts: &[Attempt]) -> String {
    let (mut results, mut notifications) = (Vec::new(), Vec::new());
    for attempt in attempts {
        match attempt {
            Attempt::Verified(report) => results.extend(results_of(report)),
            Attempt::Refused { model } => notifications.push(not_verified(model, "the model could not be verified")),
            Attempt::Skipped { model } => notifications.push(not_verified(model, "interrupted before its turn came")),
        }
    }
    let mut rules: Vec<&str> = results.iter().filter_map(|result| result["ruleId"].as_str()).collect();
    rules.sort_unstable();
    rules.dedup();
    let rules: Vec<Value> = rules.iter().map(|id| json!({ "id": id, "name": id })).collect();
    let document = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "isospin", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": notifications.is_empty(),
                "toolExecutionNotifications": notifications,
            }],
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&document).expect("a report is plain data") + "\n"
}

fn not_verified(model: &str, why: &str) -> Value {
    json!({
        "level": "error",
        "message": { "text": format!("{model}: {why}") },
        "locations": [location(model, None, None)],
    })
}

fn results_of(report: &Report) -> Vec<Value> {
    let findings = report.findings.iter().filter_map(|reported| result(report, reported));
    findings.chain(report.warnings.iter().map(suspicious)).collect()
}

fn result(report: &Report, reported: &Reported) -> Option<Value> {
    let finding = &reported.finding;
    let (rule, level, message) = match (&finding.verdict, &finding.counterexample) {
        (Verdict::Holds, _) => return None,
        (Verdict::Violated, Some(trace)) => (trace.end.kind.name(), "error", trace.end.message.clone()),
        (Verdict::Violated, None) => ("violated", "error", "does not hold".to_string()),
        (Verdict::Unknown(cause), _) => {
            ("incomplete", "warning", format!("{}: {}", words::reason(cause), words::advice(cause)))
        }
    };
    let trace = finding.counterexample.as_ref();
    let mut value = json!({
        "ruleId": rule,
        "level": level,
        "message": { "text": format!("{}: {message}", finding.property) },
        "locations": [place(report, trace)],
        "properties": { "property": finding.property.name(), "trace": reported.trace_file },
    });
    if let Some(trace) = trace {
        value["codeFlows"] = json!([{ "threadFlows": [{ "locations": flow(trace) }] }]);
    }
    Some(value)
}

/// Where a violation is shown: at the place of its end, or at the last statement that has one, or at the model.
fn place(report: &Report, trace: Option<&Trace>) -> Value {
    let end = trace.and_then(|trace| Some((trace.end.file.as_deref()?, trace.end.line?)));
    let last = || {
        let mut steps = trace?.steps.iter().rev();
        steps.find(|step| step.part.place.line > 0).map(|step| (&*step.part.place.file, step.part.place.line))
    };
    match end.or_else(last) {
        Some((file, line)) => location(file, Some(line), None),
        None => location(&report.model, None, None),
    }
}

fn flow(trace: &Trace) -> Vec<Value> {
    let left_out = trace.steps.len().saturating_sub(STEPS);
    (1_usize..).zip(&trace.steps).skip(left_out).map(|(number, step)| flow_step(number, step)).collect()
}

fn flow_step(number: usize, step: &TraceStep) -> Value {
    let part = &step.part;
    let text = format!("{}({}) {}", part.process, part.pid, part.written());
    let mut place = match part.place.line {
        0 => json!({}),
        line => location(&part.place.file, Some(line), Some(part.place.column)),
    };
    place["message"] = json!({ "text": text });
    json!({ "executionOrder": number, "location": place })
}

fn suspicious(warning: &Warning) -> Value {
    json!({
        "ruleId": warning.code,
        "level": "warning",
        "message": { "text": warning.message },
        "locations": [location(&warning.file, Some(warning.line), Some(warning.column))],
    })
}

fn location(file: &str, line: Option<u32>, column: Option<u32>) -> Value {
    let mut physical = json!({ "artifactLocation": { "uri": uri(file) } });
    if let Some(line) = line {
        physical["region"] = json!({ "startLine": line });
    }
    if let Some(column) = column.filter(|column| *column > 0) {
        physical["region"]["startColumn"] = column.into();
    }
    json!({ "physicalLocation": physical })
}

/// A path as a reference (RFC 3986).
fn uri(path: &str) -> String {
    let mut text = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => text.push(char::from(byte)),
            _ => text += &format!("%{byte:02X}"),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_references() {
        assert_eq!(uri("models/a b.pml"), "models/a%20b.pml");
        assert_eq!(uri("/tmp/\u{e4}.pml"), "file:///tmp/%C3%A4.pml");
    }

    #[test]
    fn a_model_that_was_refused_is_no_pass() {
        let text = to_sarif(&[Attempt::Refused { model: "a.pml".into() }]);
        let document: Value = serde_json::from_str(&text).expect("it is JSON");
        assert_eq!(document["runs"][0]["invocations"][0]["executionSuccessful"], false);
    }
}
