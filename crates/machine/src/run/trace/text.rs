//! A trace as people read it: one line for each statement, with what it changed.

use std::fmt::{self, Write as _};

use super::{Part, Trace, TraceStep};

/// How much of a trace is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Every step.
    All,
    /// The last steps, so many.
    Last(usize),
}

impl Trace {
    /// The steps as text, each with what it changed, the start of the cycle marked as SPIN marks it.
    ///
    /// ```text
    ///   (3 steps before)
    ///   4:  proc  1 (P) m.pml:7 (state 3)  [q!1]
    ///         queue (q): [1]
    /// ```
    #[must_use]
    pub fn text(&self, extent: Extent) -> String {
        let skipped = match extent {
            Extent::All => 0,
            Extent::Last(count) => self.steps.len().saturating_sub(count),
        };
        let mut text = String::new();
        match skipped {
            0 => {}
            1 => text += "  (1 step before)\n",
            _ => text += &format!("  ({skipped} steps before)\n"),
        }
        for (index, step) in self.steps.iter().enumerate().skip(skipped) {
            if self.cycle_start == Some(index) {
                text += CYCLE_STARTS;
            }
            // Writing to a string cannot fail.
            let _ = write!(text, "{step}");
        }
        if self.cycle_start == Some(self.steps.len()) {
            text += CYCLE_STARTS;
        }
        text
    }
}

const CYCLE_STARTS: &str = "  <<<<<START OF CYCLE>>>>>\n";

impl fmt::Display for TraceStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in std::iter::once(&self.part).chain(&self.partner) {
            writeln!(f, "{:3}:\t{part}", self.number)?;
        }
        for change in &self.changes {
            writeln!(f, "\t\t{change}")?;
        }
        Ok(())
    }
}

/// `proc  1 (P) m.pml:7 (state 3)  [q!1]`, as SPIN has it.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Part { pid, process, place, statement, state, .. } = self;
        match self.is_end() {
            true => write!(f, "proc {pid:2} ({process}) terminates"),
            false => write!(f, "proc {pid:2} ({process}) {place} (state {state})\t[{statement}]"),
        }
    }
}
