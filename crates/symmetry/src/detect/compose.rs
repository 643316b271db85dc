//! Steps that nobody can see apart, put together.
//!
//! Inside a `d_step`, and inside an `atomic` as long as nothing can block, no other process and no stored state sees what is in
//! between. So only the whole counts, and parts of it that commute may be done in any order: `fork[0] = 0; fork[1] = 0` is as
//! symmetric as it looks, and so is a loop over all ids that counts, marks or resets. A loop whose counter is known at each
//! point is unrolled, which leaves one segment for each round. Between segments, only the order of those that
//! do not commute is kept (a trace in Mazurkiewicz' sense), see `commute.rs`.
//!
//! Locations inside of an `atomic` at which a process never rests vanish from its program.

pub(super) mod commute;
mod finish;
mod flow;
mod folds;
mod follow;
mod knowledge;
mod normal;
mod rewrite;
mod values;

use machine::ground::{CellId, FieldTerm, Program, Reference, Step, Term, Way};
use machine::id::{Location, Pid};
use rustc_hash::{FxHashMap, FxHashSet};

use super::forgotten::Forgetting;
use flow::{Alternative, Flow, FlowKind, Place};
use follow::Trace;
use knowledge::Store;
use values::Values;

/// More ways out of one location than this are not followed through an `atomic`.
const MOST_WAYS: usize = 256;

/// The program with everything put together that nobody can see apart, and without what is stored only to be forgotten.
pub(super) fn compose<'m>(program: &Program<'m>, forgetting: &Forgetting) -> Program<'m> {
    let mut program = program.clone();
    normal::normalise(&mut program.terms);
    let mut composer = Composer {
        values: Values::of(&program),
        forgetting,
        process: 0,
        watched: program
            .terms
            .ids()
            .any(|id| matches!(program.terms.get(id), Term::LocationOf(_) | Term::Enabled(_) | Term::Last)),
        untracked: FxHashSet::default(),
        lost: FxHashSet::default(),
        program,
    };
    for index in 0..composer.program.processes.len() {
        composer.process = index;
        composer.d_steps_of(index);
        if composer.may_join_atomics(index) {
            composer.atomics_of(index);
        }
        composer.forget_stores(index);
    }
    // Values that were put in make new comparisons.
    normal::normalise(&mut composer.program.terms);
    composer.program
}

struct Composer<'m, 'f> {
    program: Program<'m>,
    /// What is set back.
    forgetting: &'f Forgetting,
    /// The process at hand.
    process: usize,
    /// Whether some term asks where a process is or whether it can move.
    watched: bool,
    /// Cells whose value is not followed: they collect something.
    untracked: FxHashSet<CellId>,
    /// Cells whose value was known and is not any more.
    lost: FxHashSet<CellId>,
    /// What cells can hold.
    values: Values,
}

impl Composer<'_, '_> {
    fn d_steps_of(&mut self, process: usize) {
        for location in 0..self.program.processes[process].locations.len() {
            for way in 0..self.program.processes[process].locations[location].1.len() {
                let Way { step: Step::Deterministic(nodes), target, .. } =
                    &self.program.processes[process].locations[location].1[way]
                else {
                    continue;
                };
                let (nodes, target) = (nodes.clone(), *target);
                if let Some(step) = self.d_step(nodes, target) {
                    self.program.processes[process].locations[location].1[way].step = step;
                }
            }
        }
    }

    fn d_step(&mut self, nodes: Vec<Vec<(Step, Option<u32>)>>, behind: Location) -> Option<Step> {
        let exit = nodes.len();
        let alternatives = nodes.into_iter().map(|node| {
            let each = node.into_iter().map(|(step, target)| {
                let target = target.map_or(exit, |target| target as usize);
                Alternative { step, target, unseen: true }
            });
            each.collect()
        });
        let flow = Flow { alternatives: alternatives.chain([Vec::new()]).collect(), kind: FlowKind::DStep };
        let mut trace = Trace::default();
        let mut start = 0;
        if let [Alternative { step, target, .. }] = flow.alternatives[0].as_slice()
            && matches!(step, Step::Condition(_) | Step::Send { .. } | Step::Receive { .. })
        {
            if !self.is_plain(step) {
                return None;
            }
            self.assume(&mut trace.store, step);
            trace.first = Some(step.clone());
            start = *target;
        } else if flow.alternatives[0].iter().any(|each| matches!(each.step, Step::Send { .. } | Step::Receive { .. }))
        {
            // A `d_step` waits where nothing is possible at its beginning, and is wrong where nothing is possible later.
            return None;
        }
        let mut ends = self.follow_tracking(&flow, &trace, start)?;
        match ends.pop() {
            Some((trace, end, true)) if end == exit && ends.is_empty() => Some(self.finish(trace, behind)),
            _ => None,
        }
    }

    /// Whether a process stays in control inside of an `atomic` as long as it can move.
    fn may_join_atomics(&self, process: usize) -> bool {
        let configuration = &self.program.configuration;
        let machine = configuration.machine;
        let automaton = &machine.definition(configuration.definitions[process]).automaton;
        let program = &self.program.processes[process];
        let priorities = machine.layout.priority_offset.is_some() || machine.layout.last_offset.is_some();
        program.provided.is_none() && !automaton.deterministic && !priorities && !self.watched
    }

    fn atomics_of(&mut self, process: usize) {
        let locations = &self.program.processes[process].locations;
        let numbers: FxHashMap<Location, usize> =
            locations.iter().enumerate().map(|(index, &(location, _))| (location, index)).collect();
        let names: Vec<Location> = locations.iter().map(|&(location, _)| location).collect();
        let flow = Flow {
            alternatives: locations
                .iter()
                .map(|(_, ways)| {
                    // Where escapes and offers matter, a location is left as it is: it has no ways to follow.
                    if ways.iter().any(|way| !way.rank.is_free()) {
                        return Vec::new();
                    }
                    let alternatives = ways.iter().map(|way| {
                        let target = numbers.get(&way.target).copied().unwrap_or(usize::MAX);
                        Alternative { step: way.step.clone(), target, unseen: way.atomic }
                    });
                    alternatives.collect()
                })
                .collect(),
            kind: FlowKind::Atomic,
        };
        for location in 0..names.len() {
            let ways = self.program.processes[process].locations[location].1.clone();
            let mut joined: Vec<Way> = self.whole_branch(&flow, &names, location, &ways);
            if joined.is_empty() {
                for way in ways {
                    joined.extend(self.through_atomic(&flow, &numbers, &names, way));
                }
            }
            if joined.len() <= MOST_WAYS.max(self.program.processes[process].locations[location].1.len()) {
                self.program.processes[process].locations[location].1 = joined;
            }
        }
        self.program.processes[process].remove_unreachable();
    }

    /// The ways out of a location of which exactly one is possible and nobody sees which one, as one way.
    fn whole_branch(&mut self, flow: &Flow, names: &[Location], location: usize, ways: &[Way]) -> Vec<Way> {
        let Some(first) = ways.first().filter(|_| ways.iter().all(|way| way.atomic)) else { return Vec::new() };
        if !matches!(self.at(flow, location, &Store::default()), Place::Branch(_)) {
            return Vec::new();
        }
        let ends = self.follow_tracking(flow, &Trace::default(), location).unwrap_or_default();
        if ends.iter().any(|(trace, end, _)| trace.segments.is_empty() || *end >= names.len()) {
            return Vec::new();
        }
        let ways = ends.into_iter().map(|(trace, end, unseen)| Way {
            action: first.action,
            step: self.finish(trace, names[end]),
            target: names[end],
            atomic: unseen,
            rank: first.rank,
            span: first.span,
        });
        ways.collect()
    }

    /// A way, followed until the process can be seen.
    fn through_atomic(
        &mut self,
        flow: &Flow,
        numbers: &FxHashMap<Location, usize>,
        names: &[Location],
        way: Way,
    ) -> Vec<Way> {
        let Some(&target) = numbers.get(&way.target).filter(|_| way.atomic) else { return vec![way] };
        let mut trace = Trace::default();
        match &way.step {
            Step::Skip | Step::Assign(..) | Step::Assert(_) | Step::Evaluate(_) if self.is_plain(&way.step) => {
                let step = way.step.clone();
                self.append(&mut trace, step);
            }
            Step::Composite(composite) => self.append_composite(&mut trace, composite.clone()),
            Step::Condition(_) | Step::Else | Step::Send { .. } | Step::Receive { .. } if self.is_plain(&way.step) => {
                self.assume(&mut trace.store, &way.step);
                self.forget(&mut trace.store, &way.step);
                trace.first = Some(way.step.clone());
            }
            _ => return vec![way],
        }
        let Some(ends) = self.follow_tracking(flow, &trace, target) else { return vec![way] };
        if let [(_, end, true)] = ends.as_slice()
            && *end == target
        {
            return vec![way];
        }
        let joined = ends.into_iter().map(|(trace, end, unseen)| {
            let target = names.get(end).copied().unwrap_or(way.target);
            let step = self.finish(trace, target);
            Way { action: way.action, step, target, atomic: unseen, rank: way.rank, span: way.span }
        });
        joined.collect()
    }

    /// What is stored where it is set back at once is not stored. That computing it may fail still counts.
    fn forget_stores(&mut self, process: usize) {
        for location in 0..self.program.processes[process].locations.len() {
            for way in 0..self.program.processes[process].locations[location].1.len() {
                let Way { step, target, .. } = &self.program.processes[process].locations[location].1[way];
                if let Some(step) = without_stores(step, &self.dead_at(*target)) {
                    self.program.processes[process].locations[location].1[way].step = step;
                    self.program.forgets = true;
                }
            }
        }
    }

    /// What is set back when the process at hand is at a location.
    fn dead_at(&self, location: Location) -> FxHashSet<CellId> {
        self.forgetting.dead_at(&self.program.configuration, Pid(self.process as u8), location)
    }
}

/// A step without what it stores in these cells, if it stores something there.
fn without_stores(step: &Step, dead: &FxHashSet<CellId>) -> Option<Step> {
    let is_dead = |place: &Reference| matches!(place, Reference::Cell(cell) if dead.contains(cell));
    match step {
        Step::Assign(place, value) if is_dead(place) => Some(Step::Evaluate(vec![*value])),
        Step::Receive { channel, random, copy, fields } => {
            let mut forgets = false;
            let kept = fields.iter().map(|field| match field {
                FieldTerm::Bind(place) if is_dead(place) => {
                    forgets = true;
                    FieldTerm::Ignore
                }
                field => field.clone(),
            });
            let fields = kept.collect();
            let step = Step::Receive { channel: channel.clone(), random: *random, copy: *copy, fields };
            forgets.then_some(step)
        }
        _ => None,
    }
}
