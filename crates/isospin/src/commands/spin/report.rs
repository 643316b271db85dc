//! The report of a verification in the form that SPIN's verifiers print, line by line: scripts that read theirs read ours.
//!
//! Sizes of a hash table and of a stack, which isospin does not have, are left out; so is the number of hash conflicts. Everything
//! else has SPIN's words, order and widths.

use std::fmt::Write as _;

use isospin::report::{Report, Reported, reason};
use isospin::verify::{Cause, Property, Reduction, Search, Store, Unreached, Verdict};
use machine::Machine;
use machine::trace::{EndKind, Trace};

use super::line::{Cycles, Verification};

/// What SPIN adds to each stored state.
const OVERHEAD: u64 = 20;

/// What the report of a run consists of.
pub struct PanReport<'a> {
    /// The command line.
    pub line: &'a Verification,
    /// The claim that was verified.
    pub claim: Option<&'a str>,
    /// What was found.
    pub report: &'a Report,
    /// The model, for the numbers of its states.
    pub machine: &'a Machine,
    /// The trail that was written.
    pub trail: Option<&'a str>,
}

impl PanReport<'_> {
    /// The text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if let Some(claim) = self.claim {
            let _ = writeln!(text, "pan: ltl formula {claim}");
        }
        self.errors(&mut text);
        let _ = writeln!(text, "\n(isospin Version {})", env!("CARGO_PKG_VERSION"));
        if !self.is_searched() {
            text.push_str("Warning: Search not completed\n");
        }
        self.modes(&mut text);
        self.searched_for(&mut text);
        self.counts(&mut text);
        self.memory(&mut text);
        if !self.line.no_unreached && self.main().finding.complete {
            self.unreached(&mut text);
        }
        self.time(&mut text);
        text
    }

    /// The search whose counts are told: that of the claim, if there is one.
    fn main(&self) -> &Reported {
        let of_claim = self.report.findings.iter().find(|each| each.finding.property != Property::Safety);
        of_claim.or(self.report.findings.first()).expect("something was verified")
    }

    /// Whether searches came to their end. That states were told apart approximately, SPIN does not count against it.
    fn is_searched(&self) -> bool {
        self.report.findings.iter().all(|each| each.finding.complete || is_approximate(each))
    }

    fn errors(&self, text: &mut String) {
        let mut number = 0;
        for each in &self.report.findings {
            if let Verdict::Unknown(cause) = &each.finding.verdict
                && !is_approximate(each)
            {
                let words = match cause {
                    Cause::Depth { .. } => "max search depth too small".to_string(),
                    cause => reason(cause),
                };
                let _ = writeln!(text, "error: {words}");
            }
            if let Some(trace) = &each.finding.counterexample {
                number += 1;
                let _ = writeln!(text, "pan:{number}: {} (at depth {})", error_text(trace), depth(trace));
            }
        }
        if let Some(trail) = self.trail {
            let _ = writeln!(text, "pan: wrote {trail}");
        }
    }

    fn modes(&self, text: &mut String) {
        let finding = &self.main().finding;
        let method = finding.method.as_ref();
        if method.is_some_and(|method| method.search == Search::BreadthFirst) {
            text.push_str("\t+ Breadth-First Search\n");
        }
        if finding.reductions.contains(&Reduction::PartialOrder) {
            text.push_str("\t+ Partial Order Reduction\n");
        }
        if method.is_some_and(|method| method.store == Some(Store::Tree)) {
            text.push_str("\t+ Compression\n");
        }
        if let Some(symmetry) = &finding.symmetry {
            let _ = writeln!(text, "\t+ Symmetry Reduction (group of order {})", symmetry.order);
        }
    }

    fn searched_for(&self, text: &mut String) {
        let line = self.line;
        let non_progress = line.cycles == Cycles::NonProgress;
        let claim = match self.claim {
            Some(claim) => format!("+ ({claim})"),
            None if non_progress => "+ (:np_:)".into(),
            None if line.no_claim => "- (not selected)".into(),
            None => "- (none specified)".into(),
        };
        let watched = self.claim.is_some() || non_progress;
        let fairness = if line.fair { "fairness enabled" } else { "fairness disabled" };
        let cycles = match line.cycles {
            Cycles::NonProgress => format!("non-progress cycles \t+ ({fairness})"),
            _ if self.claim.is_some() || line.cycles == Cycles::Acceptance => {
                format!("acceptance   cycles \t+ ({fairness})")
            }
            _ => "cycle checks       \t- (disabled by -DSAFETY)".into(),
        };
        let assertions = if line.no_assertions { "- (disabled by -A flag)" } else { "+" };
        let end_states = match (watched, line.no_end_states) {
            (true, _) => "- (disabled by never claim)",
            (false, true) => "- (disabled by -E flag)",
            (false, false) => "+",
        };
        let kind = match (line.bitstate, line.compact) {
            (true, _) => "Bit statespace",
            (false, true) => "Hash-Compact",
            (false, false) => "Full statespace",
        };
        let _ = writeln!(
            text,
            "\n{kind} search for:\n\tnever claim         \t{claim}\n\tassertion violations\t{assertions}\n\
             \t{cycles}\n\tinvalid end states\t{end_states}"
        );
    }

    fn counts(&self, text: &mut String) {
        let counts = &self.main().finding.counts;
        let errors: u64 = self.report.findings.iter().map(|each| each.finding.violations).sum();
        let _ = writeln!(
            text,
            "\nState-vector {} byte, depth reached {}, errors: {errors}\n{} states, stored\n{} states, matched\n\
             {} transitions (= stored+matched)\n{} atomic steps",
            counts.vector_bytes,
            counts.depth,
            wide(counts.states),
            wide(counts.matched),
            wide(counts.transitions()),
            wide(counts.atomic_steps)
        );
        let factor = self.main().finding.method.as_ref().and_then(|method| method.hash_factor);
        if let Some(factor) = factor {
            let _ = writeln!(text, "\nhash factor: {factor:.1} (best if > 100.)\n\nbits set per state: 3 (-k3)");
        }
    }

    fn memory(&self, text: &mut String) {
        let counts = &self.main().finding.counts;
        let megabytes = |bytes: u64| bytes as f64 / 1_048_576.0;
        let _ = writeln!(
            text,
            "\nStats on memory usage (in Megabytes):\n{:9.3}\tequivalent memory usage for states (stored*(State-vector + overhead))\n\
             {:9.3}\tactual memory usage for states\n{:9.3}\ttotal actual memory usage\n",
            megabytes(counts.states * (counts.vector_bytes + OVERHEAD)),
            megabytes(counts.store_bytes),
            megabytes(self.report.resources.peak_rss_bytes)
        );
    }

    fn unreached(&self, text: &mut String) {
        let list = &self.main().finding.unreached;
        // Without coverage there is nothing to say.
        if self.main().finding.property != Property::Safety {
            return;
        }
        for definition in &self.machine.definitions {
            let automaton = &definition.automaton;
            let _ = match &*automaton.name {
                ":init:" => writeln!(text, "unreached in init"),
                name => writeln!(text, "unreached in proctype {name}"),
            };
            let here: Vec<&Unreached> = list.iter().filter(|each| *each.process == *automaton.name).collect();
            for each in &here {
                let _ = writeln!(text, "\t{}:{}, state {}, \"{}\"", each.file, each.line, each.state, each.text);
            }
            let _ = writeln!(text, "\t({} of {} states)", here.len(), automaton.end.0);
        }
    }

    fn time(&self, text: &mut String) {
        let time = self.report.resources.time.as_secs_f64();
        let counts = &self.main().finding.counts;
        let search = counts.time.as_secs_f64();
        let _ = writeln!(text, "\npan: elapsed time {time:.3} seconds");
        if search > 0.0 {
            let _ = writeln!(text, "pan: rate {:.2} states/second", counts.states as f64 / search);
        }
    }
}

/// Whether all that is unsure about a finding is that its store is approximate.
pub fn is_approximate(reported: &Reported) -> bool {
    matches!(&reported.finding.verdict, Verdict::Unknown(Cause::Approximate { .. }))
}

/// What is wrong, in SPIN's words.
fn error_text(trace: &Trace) -> String {
    match trace.end.kind {
        EndKind::Assertion => {
            let statement = trace.steps.last().map_or("", |step| step.part.statement.as_str());
            let inside = statement.strip_prefix("assert(").and_then(|rest| rest.strip_suffix(')'));
            format!("assertion violated {}", inside.unwrap_or(&trace.end.message))
        }
        EndKind::InvalidEndState => "invalid end state".into(),
        EndKind::AcceptanceCycle => "acceptance cycle".into(),
        EndKind::NonProgressCycle => "non-progress cycle".into(),
        EndKind::Claim => "end state in claim reached".into(),
        EndKind::Ctl | EndKind::Goal => trace.end.message.clone(),
        EndKind::ExclusiveEnd => "error, partial order reduction invalid".into(),
        EndKind::TraceAssertion => "event_trace error (no matching event)".into(),
        EndKind::RuntimeError | EndKind::ValidEndState | EndKind::Stopped => trace.end.message.clone(),
    }
}

/// The depth that SPIN tells: where the cycle begins, or how many steps lead to the last one, both halves of a rendezvous counted.
fn depth(trace: &Trace) -> usize {
    let lines = trace.steps.iter().map(|step| 1 + usize::from(step.partner.is_some())).sum::<usize>();
    trace.cycle_start.unwrap_or_else(|| lines.saturating_sub(1))
}

/// C's `%9.8g`.
fn wide(number: u64) -> String {
    if number < 100_000_000 {
        return format!("{number:9}");
    }
    let text = format!("{:.7e}", number as f64);
    let (digits, exponent) = text.split_once('e').expect("it was written so");
    let digits = digits.trim_end_matches('0').trim_end_matches('.');
    format!("{:>9}", format!("{digits}e+{exponent:0>2}"))
}

#[cfg(test)]
mod tests {
    use super::wide;

    #[test]
    fn numbers_look_as_in_c() {
        assert_eq!(wide(15), "       15");
        assert_eq!(wide(99_999_999), " 99999999");
        assert_eq!(wide(123_456_789), "1.2345679e+08");
        assert_eq!(wide(100_000_000), "    1e+08");
    }
}
