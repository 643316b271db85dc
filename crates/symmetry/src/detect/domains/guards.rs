//! What is known of a process' own variables where it stands.
//!
//! Behind `if :: x == 3 -> x = 0 :: else -> x++ fi` the increment meets all values but 3, so that it turns 0, 1, 2, 3 like a ring,
//! whatever it would make of other numbers. Conditions that hold on every way to a location are known there, as long as
//! nothing they read is written: the textbook analysis of available expressions.

use machine::ground::{CellId, Program, Reference, Step, Term, TermId, Terms, Way};
use machine::id::{Location, Pid};
use machine::state::Storage;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::detect::commute;
use crate::detect::domains::may_fail;

/// A condition that holds, or does not.
pub(in crate::detect) type Guard = (TermId, bool);

/// Variables of processes that others may write, through references.
pub(in crate::detect) fn written_by_others(program: &Program<'_>) -> FxHashSet<CellId> {
    let configuration = &program.configuration;
    let mut foreign = FxHashSet::default();
    for pid in configuration.pids() {
        for cell in program.steps_of(pid).flat_map(|step| commute::written(program, step)) {
            let storage = configuration.groups[configuration.cells[cell.index()].index()].storage;
            if storage != Storage::Global && storage != Storage::Process(pid) {
                foreign.insert(cell);
            }
        }
    }
    foreign
}

/// What is known at every location of a process; others may write what is `foreign`.
pub(in crate::detect) fn known_conditions(
    program: &Program<'_>,
    pid: Pid,
    foreign: &FxHashSet<CellId>,
) -> FxHashMap<Location, Vec<Guard>> {
    let process = &program.processes[pid.index()];
    let mut known: FxHashMap<Location, Vec<Guard>> = FxHashMap::default();
    known.insert(process.entry, Vec::new());
    let mut waiting = vec![process.entry];
    while let Some(location) = waiting.pop() {
        let Ok(index) = process.locations.binary_search_by_key(&location, |&(location, _)| location) else { continue };
        let ways = &process.locations[index].1;
        let before = known[&location].clone();
        for way in ways {
            let mut after = before.clone();
            for guard in guards_of(program, way, ways) {
                if is_own(program, pid, foreign, guard.0) && !contains(&program.terms, &after, guard) {
                    after.push(guard);
                }
            }
            after
                .retain(|&(condition, _)| !commute::reads_written(program, condition, std::slice::from_ref(&way.step)));
            match known.get_mut(&way.target) {
                None => {
                    known.insert(way.target, after);
                    waiting.push(way.target);
                }
                Some(there) => {
                    let count = there.len();
                    there.retain(|&guard| contains(&program.terms, &after, guard));
                    if there.len() < count {
                        waiting.push(way.target);
                    }
                }
            }
        }
    }
    known
}

/// What holds before a way is taken, told by itself and its alternatives; `way` is one of `ways`.
fn guards_of(program: &Program<'_>, way: &Way, ways: &[Way]) -> Vec<Guard> {
    fn first(step: &Step) -> Option<&Step> {
        match step {
            Step::Composite(composite) => composite.first.as_deref(),
            step => Some(step),
        }
    }
    match first(&way.step) {
        Some(Step::Condition(condition)) => conjuncts(&program.terms, *condition, true),
        // An `else` of an inner selection asks about the ways before it only.
        Some(Step::Else) => {
            let before = ways.iter().take_while(|other| !std::ptr::eq(*other, way));
            let others = before.filter_map(|other| match first(&other.step) {
                Some(Step::Condition(condition)) => Some(*condition),
                _ => None,
            });
            others.flat_map(|condition| conjuncts(&program.terms, condition, false)).collect()
        }
        _ => Vec::new(),
    }
}

/// The parts of `a && b` that holds, and of `a || b` that does not.
pub(in crate::detect) fn conjuncts(terms: &Terms, condition: TermId, holds: bool) -> Vec<Guard> {
    use machine::expression::{BinaryOp, UnaryOp};
    match (terms.get(condition), holds) {
        (Term::Binary(BinaryOp::And, left, right), true) | (Term::Binary(BinaryOp::Or, left, right), false) => {
            let mut parts = conjuncts(terms, *left, holds);
            parts.extend(conjuncts(terms, *right, holds));
            parts
        }
        (Term::Unary(UnaryOp::Not, operand), _) => conjuncts(terms, *operand, !holds),
        _ => vec![(condition, holds)],
    }
}

fn contains(terms: &Terms, guards: &[Guard], (condition, holds): Guard) -> bool {
    guards.iter().any(|&(other, also)| holds == also && terms.same(condition, other))
}

/// Whether a condition reads one variable of the process that nobody else writes, and nothing else.
fn is_own(program: &Program<'_>, pid: Pid, foreign: &FxHashSet<CellId>, condition: TermId) -> bool {
    let Some(leaves) = places_of(&program.terms, condition) else { return false };
    let own = |&leaf: &TermId| match program.terms.get(leaf) {
        Term::Load(Reference::Cell(cell)) => {
            let group = program.configuration.cells[cell.index()];
            program.configuration.groups[group.index()].storage == Storage::Process(pid) && !foreign.contains(cell)
        }
        _ => false,
    };
    leaves.len() == 1 && leaves.iter().all(own) && !may_fail(&program.terms, condition)
}

/// The different places that an operator tree reads; `None` if it does anything else.
pub(in crate::detect) fn places_of(terms: &Terms, term: TermId) -> Option<Vec<TermId>> {
    let mut places: Vec<TermId> = Vec::new();
    let mut waiting = vec![term];
    while let Some(term) = waiting.pop() {
        match terms.get(term) {
            Term::Constant(_) => {}
            Term::Unary(_, operand) => waiting.push(*operand),
            Term::Binary(_, left, right) => waiting.extend([*left, *right]),
            Term::Conditional(condition, yes, no) => waiting.extend([*condition, *yes, *no]),
            Term::Load(Reference::Cell(_)) => {
                if !places.iter().any(|&place| terms.same(place, term)) {
                    places.push(term);
                }
            }
            _ => return None,
        }
    }
    Some(places)
}
