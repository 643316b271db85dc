//! Reports as JUnit XML, which build servers show: a suite for each model, a case for each property.
//!
//! A violation is a failure. What is not known, and a model that could not be verified, is an error: neither is a pass.

use std::fmt::Write as _;

use machine::trace::Extent;
use picture::escaped;

use super::{Attempt, Report, Reported, words};
use crate::verify::Verdict;

/// Steps of a counterexample that a failure tells; the trace file has all.
const STEPS: usize = 30;

/// What was found, as one XML document.
#[must_use]
pub fn to_junit(attempts: &[Attempt]) -> String {
    let mut suites = String::new();
    let mut all = Tally::default();
    for attempt in attempts {
        let suite = suite(attempt);
        all.add(&suite.tally);
        suites += &suite.text;
    }
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"isospin\"{all}>\n{suites}</testsuites>\n")
}

/// How many cases of a suite ended how.
#[derive(Default)]
struct Tally {
    tests: usize,
    failures: usize,
    errors: usize,
    seconds: f64,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.tests += other.tests;
        self.failures += other.failures;
        self.errors += other.errors;
        self.seconds += other.seconds;
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Tally { tests, failures, errors, seconds } = self;
        write!(f, " tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{seconds:.3}\"")
    }
}

struct Suite {
    text: String,
    tally: Tally,
}

fn suite(attempt: &Attempt) -> Suite {
    let mut tally = Tally::default();
    let (model, cases) = match attempt {
        Attempt::Verified(report) => {
            tally.seconds = report.resources.time.as_secs_f64();
            (&report.model, report.findings.iter().map(|each| case(report, each, &mut tally)).collect())
        }
        Attempt::Refused { model } => (model, not_verified(model, "the model could not be verified", &mut tally)),
        Attempt::Skipped { model } => (model, not_verified(model, "interrupted before its turn came", &mut tally)),
    };
    let text = format!("  <testsuite name=\"{}\"{tally}>\n{cases}  </testsuite>\n", escaped(model));
    Suite { text, tally }
}

fn not_verified(model: &str, why: &str, tally: &mut Tally) -> String {
    tally.tests += 1;
    tally.errors += 1;
    let model = escaped(model);
    format!(
        "    <testcase name=\"model\" classname=\"{model}\" time=\"0.000\">\n      \
         <error type=\"refused\" message=\"{why}; standard error says more\"/>\n    </testcase>\n"
    )
}

fn case(report: &Report, reported: &Reported, tally: &mut Tally) -> String {
    let finding = &reported.finding;
    tally.tests += 1;
    let mut text = format!(
        "    <testcase name=\"{}\" classname=\"{}\" time=\"{:.3}\"",
        escaped(finding.property.name()),
        escaped(&report.model),
        finding.counts.time.as_secs_f64()
    );
    // Writing to a string cannot fail.
    let _ = match (&finding.verdict, &finding.counterexample) {
        (Verdict::Holds, _) => writeln!(text, "/>"),
        (Verdict::Violated, trace) => {
            tally.failures += 1;
            let (kind, message) =
                trace.as_ref().map_or(("violated", ""), |trace| (trace.end.kind.name(), &*trace.end.message));
            let steps = trace.as_ref().map_or_else(String::new, |trace| trace.text(Extent::Last(STEPS)));
            let place = trace.as_ref().and_then(|trace| Some((trace.end.file.as_ref()?, trace.end.line?)));
            let place = place.map_or_else(String::new, |(file, line)| format!("{file}:{line}: "));
            writeln!(
                text,
                ">\n      <failure type=\"{kind}\" message=\"{}\">{}</failure>\n    </testcase>",
                escaped(&format!("{place}{message}")),
                escaped(&steps)
            )
        }
        (Verdict::Unknown(incomplete), _) => {
            tally.errors += 1;
            let message = escaped(&format!("{}: {}", words::reason(incomplete), words::advice(incomplete)));
            writeln!(text, ">\n      <error type=\"incomplete\" message=\"{message}\"/>\n    </testcase>")
        }
    };
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_cannot_hold_is_replaced() {
        assert_eq!(escaped("a<b && \"c\" \u{1b}[0m\u{0}"), "a&lt;b &amp;&amp; &quot;c&quot; \u{fffd}[0m\u{fffd}");
    }

    #[test]
    fn a_model_that_was_refused_is_an_error() {
        let text = to_junit(&[Attempt::Refused { model: "a&b.pml".into() }]);
        assert!(text.contains("<testsuites name=\"isospin\" tests=\"1\" failures=\"0\" errors=\"1\""), "{text}");
        assert!(text.contains("a&amp;b.pml"), "{text}");
    }
}
