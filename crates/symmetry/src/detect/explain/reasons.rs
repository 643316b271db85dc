//! Why a statement breaks symmetry, as a reader of the model would say it, and what could be written instead.
//!
//! Here only words are found; that a statement is an obstacle is tried out elsewhere: without it there is more symmetry.

use machine::ground::{CellId, Program, Reference, Step, Term, TermId, Way, is_ordering};
use machine::id::Pid;
use promela::source::Span;
use rustc_hash::FxHashSet;

use crate::detect::domains::is_arithmetic;
use crate::detect::habits::{SCAN_ADVICE, Scan};

/// What to do about numbers of processes that are computed with.
const NUMBER_ADVICE: &str = "numbers that tell processes apart are ids only where they are copied, used as an index, and compared with == \
     and !=; if it is a priority, let it be a variable that starts alike for all and is set by a choice";

/// At most this many processes are listed with their numbers.
const MOST_LISTED: usize = 4;

/// The processes that may execute a statement.
pub(super) fn executing(program: &Program<'_>, span: Span) -> Vec<Pid> {
    let executes = |pid: &Pid| {
        let locations = &program.processes[pid.index()].locations;
        locations.iter().flat_map(|(_, ways)| ways).any(|way| way.span == span)
    };
    program.configuration.pids().filter(executes).collect()
}

/// Whether there are processes of the same proctypes that cannot execute what these can.
pub(super) fn only_some(program: &Program<'_>, some: &[Pid]) -> Option<(String, String)> {
    let configuration = &program.configuration;
    let definitions: Vec<_> = some.iter().map(|&pid| configuration.definition(pid)).collect();
    let same = configuration.pids().filter(|&pid| definitions.contains(&configuration.definition(pid))).count();
    (some.len() < same && some.len() <= MOST_LISTED).then(|| {
        let names: Vec<String> = some.iter().map(|&pid| configuration.process_name(pid)).collect();
        let advice = "if any process may do it, leave out the test for one id, or give every id such an option";
        (format!("only {} can do this", names.join(", ")), advice.to_string())
    })
}

/// Why a statement is an obstacle that is of no kind known better.
pub(in crate::detect) fn reason(program: &Program<'_>, scans: &[Scan], span: Span) -> (String, Option<String>) {
    let configuration = &program.configuration;
    let some = executing(program, span);
    if let Some((message, advice)) = in_a_scan(program, scans, span) {
        return (message, Some(advice));
    }
    if some.len() == 1 {
        let advice = "if another one would do as well, let it be chosen: give each an option in an `if`";
        let name = configuration.process_name(some[0]);
        return (format!("here {name} treats some processes unlike others"), Some(advice.to_string()));
    }
    if let Some(name) = computed_with(program, &some, span) {
        let message = format!("this computes with `{name}`, which holds numbers that tell processes apart");
        return (message, Some(NUMBER_ADVICE.to_string()));
    }
    ("this treats some processes unlike others".to_string(), None)
}

/// Whether a process compares by size in a statement.
pub(super) fn orders(program: &Program<'_>, pid: Pid, span: Span) -> bool {
    let ways = program.processes[pid.index()].locations.iter().flat_map(|(_, ways)| ways);
    let mut waiting: Vec<TermId> = ways
        .filter(|way| way.span == span)
        .filter_map(|way| match &way.step {
            Step::Condition(term) | Step::Assert(term) | Step::Assign(_, term) => Some(*term),
            _ => None,
        })
        .collect();
    while let Some(term) = waiting.pop() {
        match program.terms.get(term) {
            Term::Binary(op, ..) if is_ordering(*op) => return true,
            Term::Binary(_, left, right) => waiting.extend([*left, *right]),
            Term::Unary(_, operand) => waiting.push(*operand),
            _ => {}
        }
    }
    false
}

/// Part of a loop that goes through all ids: where it starts, where it ends, and what it does in between.
fn in_a_scan(program: &Program<'_>, scans: &[Scan], span: Span) -> Option<(String, String)> {
    for Way { step, .. } in program.ways().filter(|way| way.span == span) {
        if let Step::Assign(Reference::Cell(cell), value) = step
            && let Some(scan) = scans.iter().find(|scan| scan.cells.contains(cell))
            && let Some(value) = program.terms.constant(*value)
        {
            let Scan { name, what, .. } = scan;
            let message =
                format!("`{name}` starts at {value}, so that whoever goes through {what} begins with the same one");
            let advice = format!(
                "choose the next one each time with `select ({name} : first .. last)` instead of counting; or put the \
                 loop with its start into `d_step`, or into an `atomic` in which nothing blocks"
            );
            return Some((message, advice));
        }
        let read: FxHashSet<CellId> = program.cells_of_step(step).into_iter().collect();
        let Some(scan) = scans.iter().find(|scan| !scan.cells.is_disjoint(&read)) else { continue };
        let Scan { name, what, .. } = scan;
        let message = match step {
            Step::Condition(term) if ends(program, scan, *term) => {
                format!("this tests by size how far `{name}` has gone through {what}, which puts them in order")
            }
            _ => format!("this is done for {what} in the order in which `{name}` goes through them"),
        };
        return Some((message, SCAN_ADVICE.to_string()));
    }
    None
}

/// Whether a condition does nothing but compare a counter by size with something known.
pub(super) fn ends(program: &Program<'_>, scan: &Scan, condition: TermId) -> bool {
    let terms = &program.terms;
    let counts = |id: TermId| matches!(terms.get(id), Term::Load(Reference::Cell(cell)) if scan.cells.contains(cell));
    match terms.get(condition) {
        Term::Binary(op, left, right) if is_ordering(*op) => {
            (counts(*left) && terms.constant(*right).is_some()) || (counts(*right) && terms.constant(*left).is_some())
        }
        _ => false,
    }
}

/// An assignment by which each process stores a number that is its own, such as a parameter.
pub(super) fn own_numbers(program: &Program<'_>, pids: &[Pid], span: Span) -> Option<(String, String)> {
    let configuration = &program.configuration;
    let mut given: Vec<(Pid, i32)> = Vec::new();
    let mut name = None;
    for &pid in pids {
        let steps = program.processes[pid.index()].locations.iter().flat_map(|(_, ways)| ways);
        for Way { step, .. } in steps.filter(|way| way.span == span) {
            let Step::Assign(place, value) = step else { continue };
            let group = match place {
                Reference::Cell(cell) => configuration.cells[cell.index()],
                Reference::Indexed(group, _) => *group,
                Reference::Remote { .. } | Reference::Missing => continue,
            };
            given.push((pid, program.terms.constant(*value)?));
            name = configuration.layout_of(group).path.last().map(|part| part.name.to_string());
        }
    }
    let (&(_, first), name) = (given.first()?, name?);
    if given.iter().all(|&(_, value)| value == first) {
        return None;
    }
    let listed = given.iter().take(MOST_LISTED).map(|&(pid, value)| {
        let process = configuration.process_name(pid);
        format!("{value} by {process}")
    });
    let listed: Vec<String> = listed.collect();
    let more = if given.len() > MOST_LISTED { ", ..." } else { "" };
    let message = format!("`{name}` is set to a number of the process' own: {}{more}", listed.join(", "));
    Some((message, NUMBER_ADVICE.to_string()))
}

/// The variable with numbers of processes that a statement computes with, if it does.
fn computed_with(program: &Program<'_>, pids: &[Pid], span: Span) -> Option<String> {
    let mut spans: Vec<Span> = program.ways().map(|way| way.span).collect();
    spans.sort_unstable();
    spans.dedup();
    let everybody: Vec<Pid> = program.configuration.pids().collect();
    spans.retain(|&span| own_numbers(program, &everybody, span).is_some());
    let holders: FxHashSet<CellId> = program
        .ways()
        .filter(|way| spans.binary_search(&way.span).is_ok())
        .filter_map(|way| match &way.step {
            Step::Assign(place, _) => Some(program.possible_cells(place)),
            _ => None,
        })
        .flatten()
        .collect();
    let ways = pids.iter().flat_map(|pid| &program.processes[pid.index()].locations).flat_map(|(_, ways)| ways);
    let mut waiting: Vec<(TermId, bool)> = ways
        .filter(|way| way.span == span)
        .filter_map(|way| match &way.step {
            Step::Condition(term) | Step::Assert(term) | Step::Assign(_, term) => Some((*term, false)),
            _ => None,
        })
        .collect();
    while let Some((term, computed)) = waiting.pop() {
        match program.terms.get(term) {
            Term::Binary(op, left, right) => {
                let computed = computed || is_arithmetic(*op);
                waiting.extend([(*left, computed), (*right, computed)]);
            }
            Term::Unary(_, operand) => waiting.push((*operand, true)),
            Term::Load(place) if computed => {
                let cell = program.possible_cells(place).into_iter().find(|cell| holders.contains(cell));
                if let Some(cell) = cell {
                    let group = program.configuration.cells[cell.index()];
                    return program.configuration.layout_of(group).path.last().map(|part| part.name.to_string());
                }
            }
            _ => {}
        }
    }
    None
}
