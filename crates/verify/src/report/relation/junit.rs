//! The comparison as JUnit XML: a case for each relation.

use relate::Verdict;

use super::{RelationReport, words};
use picture::escaped;

/// The report as one XML document.
#[must_use]
pub fn to_junit(report: &RelationReport) -> String {
    let suite = escaped(&format!("{} and {}", report.left, report.right));
    let (mut cases, mut failures, mut errors, mut seconds) = (String::new(), 0, 0, 0.0);
    for reported in &report.results {
        let comparison = &reported.related.comparison;
        let time = reported.related.time.as_secs_f64();
        seconds += time;
        let body = match (&comparison.verdict, words::reason(reported)) {
            (_, Some(reason)) => {
                errors += 1;
                format!(">\n      <error type=\"incomplete\" message=\"{}\"/>\n    </testcase>", escaped(&reason))
            }
            (Verdict::Violated(difference), None) => {
                failures += 1;
                let lines = words::explanation(report, difference);
                let first = lines.first().cloned().unwrap_or_default();
                format!(
                    ">\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>",
                    difference.kind.name(),
                    escaped(&first),
                    escaped(&lines.join("\n"))
                )
            }
            _ => "/>".to_string(),
        };
        cases +=
            &format!("    <testcase name=\"{}\" classname=\"{suite}\" time=\"{time:.3}\"{body}\n", comparison.relation);
    }
    let tally = format!(
        " tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{seconds:.3}\"",
        report.results.len()
    );
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"isospin\"{tally}>\n  <testsuite name=\"{suite}\"{tally}>\n{cases}  </testsuite>\n</testsuites>\n"
    )
}
