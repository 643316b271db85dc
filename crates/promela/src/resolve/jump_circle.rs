//! Jumps that lead only to jumps: `L: goto L`.
//!
//! A jump is no step: a process that comes to one stands where it leads, at once. So every jump needs a statement at its end,
//! and a circle of jumps has no meaning. SPIN calls it "infinite goto loop" or "confusing control structure", or crashes.
//!
//! Each jump leads to one place, hence the jumps form a graph with one way out of each, and a circle is found by following it.
//! A jump that carries a label somebody can see a process at (`end`, `accept`, `progress`, or one asked for by `P@L`) is
//! preceded by a `skip`; reaching that is a step.

use super::label::is_special;
use crate::diagnostic::Diagnostic;
use crate::model::{Block, Label, LabelId, Process, Statement, StatementKind};
use crate::source::Span;

/// What a process meets first at some place of the text.
#[derive(Clone, Copy)]
enum Met {
    /// Anything it can rest at.
    Step,
    /// A jump, which it follows at once.
    Jump(usize),
}

/// Where a jump leads.
enum Target {
    /// `goto`
    Label(LabelId),
    /// `break`: what stands behind the loop.
    Behind(Met),
}

struct Jump {
    span: Span,
    target: Target,
}

/// The jumps of a body.
struct Jumps<'p> {
    labels: &'p [Label],
    jumps: Vec<Jump>,
    /// What a process meets at each label.
    at_label: Vec<Met>,
    /// What stands behind each of the loops around the current statement.
    behind_loops: Vec<Met>,
}

/// Reports every circle of jumps.
pub(super) fn check(process: &Process, diagnostics: &mut Vec<Diagnostic>) {
    let at_label = vec![Met::Step; process.labels.len()];
    let mut jumps = Jumps { labels: &process.labels, jumps: Vec::new(), at_label, behind_loops: Vec::new() };
    jumps.block(&process.body, Met::Step);
    diagnostics.extend(jumps.circles().iter().map(|circle| report(circle)));
}

impl Jumps<'_> {
    /// Collects the jumps of a block, given what is met behind it; the answer is what is met at its start.
    fn block(&mut self, block: &Block, behind: Met) -> Met {
        block.statements.iter().rev().fold(behind, |behind, statement| self.statement(statement, behind))
    }

    fn statement(&mut self, statement: &Statement, behind: Met) -> Met {
        match &statement.kind {
            StatementKind::Goto(label) => self.jump(Target::Label(*label), statement),
            StatementKind::Break => {
                let behind_loop = self.behind_loops.last().copied().unwrap_or(Met::Step);
                self.jump(Target::Behind(behind_loop), statement)
            }
            StatementKind::If(options) => {
                options.iter().for_each(|option| _ = self.block(option, behind));
                Met::Step
            }
            StatementKind::Do(options) => {
                self.behind_loops.push(behind);
                options.iter().for_each(|option| _ = self.block(option, Met::Step));
                self.behind_loops.pop();
                Met::Step
            }
            StatementKind::Unless(main, escape) => {
                self.block(escape, behind);
                let first = self.block(main, behind);
                // A label makes it a block of its own.
                if statement.labels.is_empty() { first } else { Met::Step }
            }
            StatementKind::Atomic(block) | StatementKind::Block(block) => {
                self.block(block, behind);
                Met::Step
            }
            StatementKind::DStep(block) => {
                self.block(block, Met::Step);
                Met::Step
            }
            _ => Met::Step,
        }
    }

    fn jump(&mut self, target: Target, statement: &Statement) -> Met {
        let number = self.jumps.len();
        self.jumps.push(Jump { span: statement.span, target });
        // The outermost label moves to the `skip` that a label with a meaning asks for; the others stay on the jump.
        let special = statement.labels.iter().any(|label| is_special(&self.labels[label.index()].name));
        let staying = if special { &statement.labels[1..] } else { &statement.labels[..] };
        let asked_for = staying.iter().any(|label| self.labels[label.index()].remote);
        let met = if asked_for { Met::Step } else { Met::Jump(number) };
        for label in staying {
            self.at_label[label.index()] = met;
        }
        if special { Met::Step } else { met }
    }

    fn next(&self, jump: usize) -> Option<usize> {
        let met = match self.jumps[jump].target {
            Target::Label(label) => self.at_label[label.index()],
            Target::Behind(met) => met,
        };
        match met {
            Met::Step => None,
            Met::Jump(next) => Some(next),
        }
    }

    /// The circles, each as its jumps from the first one in the text on.
    fn circles(&self) -> Vec<Vec<Span>> {
        const UNSEEN: usize = usize::MAX;
        let mut seen_from = vec![UNSEEN; self.jumps.len()];
        let mut circles = Vec::new();
        for start in 0..self.jumps.len() {
            let mut current = Some(start);
            while let Some(jump) = current.filter(|&jump| seen_from[jump] == UNSEEN) {
                seen_from[jump] = start;
                current = self.next(jump);
            }
            // Coming back to this very walk closes a circle; an earlier one has been dealt with.
            if let Some(entry) = current.filter(|&jump| seen_from[jump] == start) {
                let rest = std::iter::successors(self.next(entry), |&jump| self.next(jump).filter(|_| jump != entry));
                let mut circle: Vec<Span> = rest.map(|jump| self.jumps[jump].span).collect();
                let first = (0..circle.len()).min_by_key(|&index| circle[index]).unwrap_or(0);
                circle.rotate_left(first);
                circles.push(circle);
            }
        }
        circles
    }
}

/// The most jumps of a circle that are shown.
const SHOWN: usize = 4;

fn report(circle: &[Span]) -> Diagnostic {
    let message =
        if circle.len() == 1 { "this jump only leads to itself" } else { "these jumps only lead to each other" };
    let mut error = Diagnostic::error("jump-circle", circle[0], message);
    for &span in circle.iter().take(SHOWN).skip(1) {
        error = error.also(span, "which leads here");
    }
    error
        .note("a jump is no step of its own, so a process that comes here would be nowhere")
        .note("to run in a circle for ever, put a `skip` before the jump; to stop for ever, write `false` instead")
}

#[cfg(test)]
mod tests {
    /// How many circles are found, and how many jumps the first of them has.
    fn circles(text: &str) -> Vec<usize> {
        let loaded = crate::load_text("model.pml", text, &crate::Options::default());
        let errors = loaded.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
        errors.inspect(|error| assert_eq!(error.code, "jump-circle")).map(|error| error.labels.len()).collect()
    }

    #[test]
    fn a_circle_of_jumps_is_refused_even_where_nothing_leads_to_it() {
        assert_eq!(circles("init { L: goto L }"), [1]);
        assert_eq!(circles("init { skip; A: goto B; B: goto C; C: goto A }"), [3]);
        assert_eq!(circles("init { skip; goto M; L: goto L; M: skip }"), [1]);
        assert_eq!(circles("init { skip; goto A; A: goto A; B: goto B }"), [1, 1]);
        assert_eq!(circles("never { L: goto L } init { skip }"), [1]);
    }

    #[test]
    fn a_break_leads_on_behind_its_loop() {
        assert_eq!(circles("init { do :: skip; L: break od; goto L }"), [2]);
        assert_eq!(circles("init { do :: skip; do :: skip; L: break od; goto L od }"), [2]);
        assert_eq!(circles("init { do :: skip; if :: skip; L: break fi od; { goto L } unless { false } }"), [2]);
        assert_eq!(circles("init { do :: skip; L: break od; { goto L } }"), []);
        assert_eq!(circles("init { L: do :: break :: skip od; goto L }"), []);
    }

    #[test]
    fn a_selection_a_block_or_a_place_to_be_seen_at_is_a_step() {
        assert_eq!(circles("init { L: do :: goto L od }"), []);
        assert_eq!(circles("init { skip; L: { goto L } }"), []);
        assert_eq!(circles("init { end: goto end }"), []);
        assert_eq!(circles("init { A: goto end; end: goto A }"), []);
        assert_eq!(circles("init { A: end: goto B; B: goto A }"), []);
        assert_eq!(circles("init { end: A: goto B; B: goto A }"), [2]);
        assert_eq!(circles("proctype P() { skip; A: goto A } init { run P(); P[1]@A }"), []);
    }
}
