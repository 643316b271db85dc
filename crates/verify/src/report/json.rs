//! The report as JSON, schema `isospin.report/1`.

use machine::trace::EndKind;
use serde_json::{Value, json};

use super::{Attempt, Report, Reported, Warning, bug_lines, tree, words};
use crate::verify::{
    Audited, Certificate, Choice as _, Course, Finding, Optimal, Property, Reduction, SymmetryUse, Unreached, Verdict,
};

/// The report as one JSON document.
#[must_use]
pub fn to_json(report: &Report) -> String {
    printed(&document(report))
}

/// Several reports as one JSON document, schema `isospin.reports/1`.
#[must_use]
pub fn several_to_json(attempts: &[Attempt]) -> String {
    let (mut reports, mut refused, mut skipped) = (Vec::new(), Vec::new(), Vec::new());
    for attempt in attempts {
        match attempt {
            Attempt::Verified(report) => reports.push(document(report)),
            Attempt::Refused { model } => refused.push(model),
            Attempt::Skipped { model } => skipped.push(model),
        }
    }
    printed(&json!({
        "schema": "isospin.reports/1",
        "version": env!("CARGO_PKG_VERSION"),
        "reports": reports,
        "refused": refused,
        "skipped": skipped,
    }))
}

fn printed(document: &Value) -> String {
    serde_json::to_string_pretty(document).expect("a report is plain data") + "\n"
}

fn document(report: &Report) -> Value {
    json!({
        "schema": "isospin.report/1",
        "version": env!("CARGO_PKG_VERSION"),
        "model": report.model,
        "results": report.findings.iter().map(result).collect::<Vec<_>>(),
        "warnings": report.warnings.iter().map(warning).collect::<Vec<_>>(),
        "resources": {
            "seconds": report.resources.time.as_secs_f64(),
            "compile_seconds": report.resources.compile_time.as_secs_f64(),
            "peak_rss_bytes": report.resources.peak_rss_bytes,
            "workers": report.resources.workers,
        },
    })
}

fn warning(warning: &Warning) -> Value {
    json!({
        "code": warning.code,
        "message": warning.message,
        "file": warning.file,
        "line": warning.line,
        "column": warning.column,
    })
}

fn result(reported: &Reported) -> Value {
    let finding = &reported.finding;
    let counts = &finding.counts;
    let (verdict, cause) = match &finding.verdict {
        Verdict::Holds => ("holds", None),
        Verdict::Violated => ("violated", None),
        Verdict::Unknown(cause) => ("unknown", Some(cause)),
    };
    json!({
        "property": finding.property.name(),
        "verdict": verdict,
        "complete": finding.complete,
        "reason": cause.map(words::reason),
        "cause": cause.map(words::cause_name),
        "violation": violation(reported),
        "witness": witness(reported),
        "search": finding.course.as_ref().map(search),
        "evidence": finding.evidence.as_ref().map(tree::to_json),
        "violations": finding.violations,
        "states": counts.states,
        "matched": counts.matched,
        "transitions": counts.transitions(),
        "atomic_steps": counts.atomic_steps,
        "depth": counts.depth,
        "vector_bytes": counts.vector_bytes,
        "reductions": names(&finding.reductions),
        "confirmed": finding.confirmed.map(|confirmed| json!({ "states": confirmed.states })),
        "contradiction": contradiction(reported),
        "certificate": finding.certificate.as_ref().map(certificate),
        "symmetry": finding.symmetry.as_ref().map(symmetry),
        "checked": finding.checked.as_ref().map(audited),
        "unreached": finding.unreached.iter().map(unreached).collect::<Vec<_>>(),
        "warnings": finding.notices.iter().map(words::notice).collect::<Vec<_>>(),
        "seconds": counts.time.as_secs_f64(),
        "code_seconds": counts.code_time.as_secs_f64(),
        "bytes_per_state": counts.bytes_per_state(),
        "store_bytes": counts.store_bytes,
        "search_bytes": counts.search_bytes,
    })
}

/// The course of a search.
fn search(course: &Course) -> Value {
    let heuristics: Vec<&str> = course.heuristics.iter().map(|heuristic| heuristic.word()).collect();
    json!({
        "order": course.order.word(),
        "heuristic": (!heuristics.is_empty()).then(|| heuristics.join("+")),
        "weight": course.weight,
        "expanded": course.expanded,
        "generated": course.generated,
        "length": course.length,
        "optimal": match course.optimal {
            Optimal::Proved => "proved",
            Optimal::No => "no",
        },
        "initial_estimate": course.initial_estimate,
        "shortened_from": course.shortened_from,
        "iterations": course.iterations,
        "walks": course.walks.map(|walks| json!({
            "count": walks.count,
            "steps": walks.steps,
            "statements_executed": walks.executed,
            "statements": walks.statements,
        })),
    })
}

/// The run that reaches a goal.
fn witness(reported: &Reported) -> Value {
    match &reported.finding {
        Finding { verdict: Verdict::Holds, counterexample: Some(trace), .. } => {
            json!({ "message": trace.end.message, "trace": reported.trace_file, "length": trace.steps.len() })
        }
        _ => Value::Null,
    }
}

fn violation(reported: &Reported) -> Value {
    if reported.finding.verdict == Verdict::Holds {
        return Value::Null;
    }
    let Some(trace) = &reported.finding.counterexample else { return without_run(reported) };
    let mut value = json!({
        "kind": trace.end.kind.name(),
        "message": trace.end.message,
        "file": trace.end.file,
        "line": trace.end.line,
        "trace": reported.trace_file,
        "length": trace.steps.len(),
    });
    if let Some(start) = trace.cycle_start {
        value["cycle_start"] = start.into();
        value["starved"] = reported.finding.starved.clone().into();
    }
    value
}

/// A formula about the tree of runs can be violated without a run that shows it: what should be possible is not.
fn without_run(reported: &Reported) -> Value {
    match (&reported.finding.verdict, &reported.finding.evidence) {
        (Verdict::Violated, Some(tree)) => json!({
            "kind": EndKind::Ctl.name(),
            "message": format!("{} does not hold", tree.formula),
            "file": null,
            "line": null,
            "trace": null,
            "length": 0,
        }),
        (Verdict::Violated, None) if reported.finding.property == Property::Goal => json!({
            "kind": "unreachable",
            "message": "no run leads to the goal",
            "file": null,
            "line": null,
            "trace": null,
            "length": 0,
        }),
        _ => Value::Null,
    }
}

fn names(reductions: &[Reduction]) -> Vec<&'static str> {
    reductions.iter().map(|reduction| reduction.name()).collect()
}

/// The reduced search that said otherwise.
fn contradiction(reported: &Reported) -> Value {
    let Some(contradiction) = &reported.finding.contradiction else { return Value::Null };
    let bug = reported.bug_report.as_ref();
    json!({
        "reductions": names(&contradiction.used),
        "at_fault": names(&contradiction.at_fault),
        "states": contradiction.states,
        "command": bug.map(|bug| &bug.command),
        "reproducer": bug.and_then(|bug| bug.file.as_ref()),
        "message": bug_lines(reported).join("\n"),
    })
}

/// What of a certificate is about a property.
fn certificate(part: &Certificate) -> Value {
    json!({ "bytes": part.size(), "states": part.states, "transitions": part.transitions })
}

fn symmetry(usage: &SymmetryUse) -> Value {
    json!({
        "order": usage.order.to_string(),
        "generators": usage.generators,
        "strategy": usage.strategy_name(),
        "exact": usage.exact,
        "detection_seconds": usage.detection_time.as_secs_f64(),
        "represented": usage.represented.as_ref().map(ToString::to_string),
        "ended_processes_stay": usage.ended_stay,
        "audit": usage.audit.as_ref().map(audited),
    })
}

fn audited(audit: &Audited) -> Value {
    json!({ "states": audit.states, "failure": audit.failure })
}

fn unreached(unreached: &Unreached) -> Value {
    json!({
        "process": unreached.process,
        "file": unreached.file,
        "line": unreached.line,
        "state": unreached.state,
        "text": unreached.text,
    })
}
