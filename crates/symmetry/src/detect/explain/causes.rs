//! Known kinds of causes, each with a change to the program that would remove it.
//!
//! A cause is only suspected here; it is believed when the change, alone or with others, gives a larger group.

use machine::expression::BinaryOp;
use machine::ground::{Program, Reference, Step, Term, TermId, Way, is_ordering};
use machine::id::{Location, Pid};
use promela::source::Span;
use rustc_hash::FxHashSet;

use super::habits::{SCAN_ADVICE, Scan};
use super::reasons;
use super::{Start, unlike_variables, values_of};
use crate::detect::domains::Domains;

/// Something that may break symmetry.
pub(super) struct Cause {
    pub span: Span,
    pub message: String,
    /// Changes that would remove it, the smallest first, with what to tell the user about each.
    pub edits: Vec<(Edit, String)>,
}

/// A change to a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Edit {
    /// The initial values of a variable do not count.
    Start(Span),
    /// A counter takes any value next, instead of counting: the scan with this number.
    Choose(usize),
    /// What is sent comes last in its channel, instead of being sorted.
    Unsorted(Span),
    /// What is compared by size is compared for equality.
    Compare(Span),
    /// A statement does nothing and asks for nothing.
    Effect(Span),
    /// A statement cannot be executed.
    Way(Span),
}

/// All suspects. Those come first that are better left out where others will do.
pub(super) fn suspects(program: &Program<'_>, composed: &Program<'_>, scans: &[Scan]) -> Vec<Cause> {
    let mut causes = Vec::new();
    causes.extend(comparisons(program, scans));
    causes.extend(rounds(composed));
    causes.extend(sorted_sends(program));
    causes.extend(blocking_sends(composed));
    causes.extend(starts(program));
    causes.extend(literals(program));
    causes.extend(scans.iter().enumerate().map(|(number, scan)| Cause {
        span: scan.span,
        message: scan.message(),
        edits: vec![
            (Edit::Choose(number), SCAN_ADVICE.to_string()),
            (Edit::Effect(scan.span), SCAN_ADVICE.to_string()),
        ],
    }));
    causes
}

/// Variables whose initial values may tell processes apart.
fn starts(program: &Program<'_>) -> Vec<Cause> {
    let cause = |(span, name, start): (Span, String, Start)| {
        let (message, advice) = match start {
            Start::Same(value) => (
                format!("`{name}` starts with {value}, which names one of the things that would be alike"),
                "let it start with a value that is no id, such as 255 or the number of processes",
            ),
            Start::Unlike => (
                format!("`{name}` starts with different values: {}", values_of(program, span)),
                "let them start alike; if one is to be special, choose it in the model: if :: x = 1 :: x = 2 fi",
            ),
            Start::Messages(channels) => (
                format!("there are messages in {} from the start", channels.join(", ")),
                "let one of them be chosen: if :: q[0]!m :: q[1]!m fi",
            ),
        };
        Cause { span, message, edits: vec![(Edit::Start(span), advice.to_string())] }
    };
    unlike_variables(program).into_iter().map(cause).collect()
}

/// Comparisons by size, but for those that tell how far a loop has gone.
fn comparisons(program: &Program<'_>, scans: &[Scan]) -> Vec<Cause> {
    let mut spans: Vec<Span> = Vec::new();
    for (pid, way) in ways(program) {
        let ends =
            matches!(&way.step, Step::Condition(term) if scans.iter().any(|scan| reasons::ends(program, scan, *term)));
        if !ends && !spans.contains(&way.span) && reasons::orders(program, pid, way.span) {
            spans.push(way.span);
        }
    }
    let cause = |span: Span| Cause {
        span,
        message: "this compares by size what tells processes apart".to_string(),
        edits: vec![
            (Edit::Compare(span), "compare ids with == and != only".to_string()),
            (
                Edit::Effect(span),
                "leave the comparison out; if it is a priority, let it be a variable that starts alike for all"
                    .to_string(),
            ),
        ],
    };
    spans.into_iter().map(cause).collect()
}

/// Statements that only some of the processes of a proctype can execute, or that have another constant in each.
fn literals(program: &Program<'_>) -> Vec<Cause> {
    let mut spans: Vec<Span> = ways(program).map(|(_, way)| way.span).collect();
    spans.sort_unstable();
    spans.dedup();
    let mut causes = Vec::new();
    for span in spans {
        let pids = reasons::executing(program, span);
        if let Some((message, advice)) = reasons::only_some(program, &pids) {
            causes.push(Cause { span, message, edits: vec![(Edit::Way(span), advice)] });
        } else if let Some((message, advice)) = reasons::own_numbers(program, &pids, span) {
            causes.push(Cause { span, message, edits: vec![(Edit::Effect(span), advice)] });
        } else if has_unlike_assertions(program, &pids, span) {
            let message = "this asserts something else of one process than of the others".to_string();
            let advice =
                "assert what holds for every process in its place, such as that a variable has the same value for all";
            causes.push(Cause { span, message, edits: vec![(Edit::Effect(span), advice.to_string())] });
        }
    }
    causes
}

/// Whether an assertion is known to hold for some processes and known to fail for others.
fn has_unlike_assertions(program: &Program<'_>, pids: &[Pid], span: Span) -> bool {
    let known = |pid: &Pid| {
        let locations = &program.processes[pid.index()].locations;
        locations.iter().flat_map(|(_, ways)| ways).filter(|way| way.span == span).find_map(|way| match way.step {
            Step::Assert(term) => program.terms.constant(term).map(|value| value != 0),
            _ => None,
        })
    };
    let known: FxHashSet<bool> = pids.iter().filter_map(known).collect();
    known.len() == 2
}

/// Rounds of a loop that nobody sees from inside, but that do not commute.
fn rounds(composed: &Program<'_>) -> Vec<Cause> {
    let mut causes: Vec<Cause> = Vec::new();
    for (_, way) in ways(composed) {
        let Step::Composite(composite) = &way.step else { continue };
        let stores = |number: usize| {
            let steps = composite.segments[number].paths.iter().flat_map(|path| &path.steps);
            steps.filter_map(|step| match step {
                Step::Assign(Reference::Cell(cell), value) => Some((*cell, *value, composed.terms.span(*value))),
                _ => None,
            })
        };
        for (number, segment) in composite.segments.iter().enumerate() {
            let repeated = stores(number).find(|&(cell, value, span)| {
                let reads_itself = composed.cells_of_term(value).contains(&cell);
                let is_before =
                    |&before: &usize| stores(before).any(|(other, _, there)| (other, there) == (cell, span));
                reads_itself && segment.after.iter().any(is_before)
            });
            if let Some((cell, _, span)) = repeated
                && causes.iter().all(|cause| cause.span != span)
            {
                let name = composed.configuration.cell_name(cell);
                let name = name.rsplit(':').next().unwrap_or(&name);
                let message = format!(
                    "rounds of this loop do not commute: what `{name}` is in the end depends on who comes first"
                );
                let advice = "collect with one of +, *, &&, ||, &, | or as a maximum, the same in all rounds; or choose ids with `select`";
                let edits = [Edit::Effect(span), Edit::Effect(way.span)].map(|edit| (edit, advice.to_string()));
                causes.push(Cause { span, message, edits: edits.to_vec() });
            }
        }
    }
    causes
}

/// Messages that are sorted: ids in them are put in order.
fn sorted_sends(program: &Program<'_>) -> Vec<Cause> {
    let sorted = ways(program).filter(|(_, way)| matches!(way.step, Step::Send { sorted: true, .. }));
    let mut spans: Vec<Span> = sorted.map(|(_, way)| way.span).collect();
    spans.sort_unstable();
    spans.dedup();
    let advice = "send with `!`, and receive the message that is meant with `??`";
    let cause = |span: Span| Cause {
        span,
        message: "messages are sorted by what tells processes apart".to_string(),
        edits: vec![(Edit::Unsorted(span), advice.to_string())],
    };
    spans.into_iter().map(cause).collect()
}

/// Sends in the middle of an `atomic` at which a process may have to wait.
fn blocking_sends(composed: &Program<'_>) -> Vec<Cause> {
    let mut causes: Vec<Cause> = Vec::new();
    for process in &composed.processes {
        let ways = || process.locations.iter().flat_map(|(_, ways)| ways);
        let inside: FxHashSet<Location> = ways().filter(|way| way.atomic).map(|way| way.target).collect();
        for (_, ways) in process.locations.iter().filter(|(location, _)| inside.contains(location)) {
            let sends = |way: &&Way| match &way.step {
                Step::Send { .. } => true,
                Step::Composite(composite) => matches!(composite.first.as_deref(), Some(Step::Send { .. })),
                _ => false,
            };
            for way in ways.iter().filter(sends) {
                if causes.iter().all(|cause| cause.span != way.span) {
                    let message = "this may have to wait inside of an `atomic`, and others see how far it has come";
                    let advice = "test before the first send that there is room everywhere (`nfull`), or that all channels are empty";
                    let edits = vec![(Edit::Effect(way.span), advice.to_string())];
                    causes.push(Cause { span: way.span, message: message.to_string(), edits });
                }
            }
        }
    }
    causes
}

fn ways<'p>(program: &'p Program<'_>) -> impl Iterator<Item = (Pid, &'p Way)> {
    let all = program.configuration.pids().zip(&program.processes);
    all.flat_map(|(pid, process)| {
        process.locations.iter().flat_map(move |(_, ways)| ways.iter().map(move |way| (pid, way)))
    })
}

/// The program with changes, but for those that concern initial values. What is constant stays so.
pub(super) fn apply<'m>(program: &Program<'m>, edits: &[Edit], scans: &[Scan], domains: &Domains) -> Program<'m> {
    let mut program = program.clone();
    for &edit in edits {
        match edit {
            Edit::Start(_) => {}
            Edit::Effect(span) => change(&mut program, |way| way.span == span, |way| way.step = Step::Skip),
            Edit::Way(span) => {
                for process in &mut program.processes {
                    process.locations.iter_mut().for_each(|(_, ways)| ways.retain(|way| way.span != span));
                }
            }
            Edit::Unsorted(span) => change(
                &mut program,
                |way| way.span == span,
                |way| {
                    if let Step::Send { sorted, .. } = &mut way.step {
                        *sorted = false;
                    }
                },
            ),
            Edit::Compare(span) => compare(&mut program, span),
            Edit::Choose(number) => choose(&mut program, &scans[number], domains),
        }
    }
    program.processes.iter_mut().for_each(machine::ground::ProcessProgram::remove_unreachable);
    program
}

fn change(program: &mut Program<'_>, is_meant: impl Fn(&Way) -> bool, by: impl Fn(&mut Way)) {
    let locations = program.processes.iter_mut().flat_map(|process| &mut process.locations);
    locations.flat_map(|(_, ways)| ways).filter(|way| is_meant(way)).for_each(by);
}

fn compare(program: &mut Program<'_>, span: Span) {
    let ids: Vec<TermId> = program.terms.ids().filter(|&id| program.terms.span(id) == span).collect();
    for id in ids {
        if let Term::Binary(op, left, right) = *program.terms.get(id)
            && is_ordering(op)
        {
            program.terms.replace(id, Term::Binary(BinaryOp::NotEqual, left, right));
        }
    }
}

/// A counter that takes any of its values where it was counted or set.
fn choose(program: &mut Program<'_>, scan: &Scan, domains: &Domains) {
    let mut processes = std::mem::take(&mut program.processes);
    for process in &mut processes {
        for (_, ways) in &mut process.locations {
            let ends = |way: &Way| matches!(&way.step, Step::Condition(term) if reasons::ends(program, scan, *term));
            let is_end = ways.iter().any(ends);
            let mut chosen = Vec::new();
            for way in ways.drain(..) {
                match &way.step {
                    Step::Else if is_end => chosen.push(Way { step: Step::Skip, ..way }),
                    Step::Condition(term) if reasons::ends(program, scan, *term) => {
                        chosen.push(Way { step: Step::Skip, ..way });
                    }
                    Step::Assign(Reference::Cell(cell), value)
                        if scan.cells.contains(cell)
                            && (way.span == scan.span || program.terms.constant(*value).is_some()) =>
                    {
                        let values = domains.classes.names(domains.cells[cell.index()]);
                        for &value in values.into_iter().flatten() {
                            let value = program.terms.add(Term::Constant(value), way.span);
                            chosen.push(Way { step: Step::Assign(Reference::Cell(*cell), value), ..way.clone() });
                        }
                        if values.is_none() {
                            chosen.push(Way { step: Step::Skip, ..way });
                        }
                    }
                    _ => chosen.push(way),
                }
            }
            *ways = chosen;
        }
    }
    program.processes = processes;
}
