//! Steps that nobody can see apart, put together.
//!
//! Inside a `d_step`, and inside an `atomic` as long as nothing can block, no other process and no stored state sees what is in
//! between. So only the whole counts, and parts of it that commute may be done in any order: `fork[0] = 0; fork[1] = 0` is as
//! symmetric as it looks, and so is a loop over all ids that counts, marks or resets. A loop whose counter is known at each
//! point is unrolled, which leaves one segment for each round. Between segments, only the order of those that
//! do not commute is kept (a trace in Mazurkiewicz' sense), see `commute.rs`.
//!
//! Locations inside of an `atomic` at which a process never rests vanish from its program.

use machine::expression::{BinaryOp, UnaryOp};
use machine::id::Location;
use promela::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use super::commute;
use super::configuration::CellId;
use super::domains::may_fail;
use super::guards::{self, Guard};
use super::program::{Program, Way};
use super::specialise::unary;
use super::term::{ChannelTerm, Composite, FieldTerm, Reference, Segment, SegmentPath, Step, Term, TermId, Terms};

/// More elementary steps than this are not put together.
const MOST_STEPS: usize = 2_048;
/// More ways through one segment than this are not told apart.
const MOST_PATHS: usize = 64;
/// More ways out of one location than this are not followed through an `atomic`.
const MOST_WAYS: usize = 64;

/// Values of cells that are known at some point.
type Store = FxHashMap<CellId, i32>;

/// The control flow that is followed.
struct Flow {
    alternatives: Vec<Vec<Alternative>>,
    kind: FlowKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FlowKind {
    /// The first possible alternative is taken; having none is an error.
    DStep,
    /// Any possible alternative is taken; having none gives up control.
    Atomic,
}

#[derive(Clone)]
struct Alternative {
    step: Step,
    target: usize,
    /// Whether the process is still unseen afterwards.
    unseen: bool,
}

/// What can happen at a place, given what is known.
enum Place {
    /// It may be seen, or is not understood.
    Visible,
    /// One of these happens.
    Choice(Vec<Alternative>),
    /// Conditions decide which one of these happens.
    Branch(Vec<(Vec<(TermId, bool)>, Alternative)>),
}

/// What has been put together so far.
#[derive(Clone, Default)]
struct Trace {
    first: Option<Step>,
    segments: Vec<Vec<SegmentPath>>,
    store: Store,
    visited: Vec<(usize, Store)>,
    steps: usize,
}

/// The program with everything put together that nobody can see apart.
pub(super) fn compose<'m>(program: &Program<'m>) -> Program<'m> {
    let mut composer =
        Composer { program: program.clone(), untracked: FxHashSet::default(), lost: FxHashSet::default() };
    for index in 0..program.processes.len() {
        composer.d_steps_of(index);
        if composer.may_join_atomics(index) {
            composer.atomics_of(index);
        }
    }
    composer.program
}

struct Composer<'m> {
    program: Program<'m>,
    /// Cells whose value is not followed: they collect something.
    untracked: FxHashSet<CellId>,
    /// Cells whose value was known and is not any more.
    lost: FxHashSet<CellId>,
}

impl Composer<'_> {
    fn d_steps_of(&mut self, process: usize) {
        for location in 0..self.program.processes[process].locations.len() {
            for way in 0..self.program.processes[process].locations[location].1.len() {
                let Way { step: Step::Deterministic(nodes), .. } =
                    &self.program.processes[process].locations[location].1[way]
                else {
                    continue;
                };
                let nodes = nodes.clone();
                if let Some(step) = self.d_step(nodes) {
                    self.program.processes[process].locations[location].1[way].step = step;
                }
            }
        }
    }

    fn d_step(&mut self, nodes: Vec<Vec<(Step, Option<u32>)>>) -> Option<Step> {
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
        }
        let mut ends = self.follow_tracking(&flow, &trace, start)?;
        match ends.pop() {
            Some((trace, end, true)) if end == exit && ends.is_empty() => Some(self.finish(trace)),
            _ => None,
        }
    }

    /// Whether a process stays in control inside of an `atomic` as long as it can move.
    fn may_join_atomics(&self, process: usize) -> bool {
        let configuration = &self.program.configuration;
        let machine = configuration.machine;
        let automaton = &machine.definition(configuration.definitions[process]).automaton;
        let watched = self
            .program
            .terms
            .ids()
            .any(|id| matches!(self.program.terms.get(id), Term::LocationOf(_) | Term::Enabled(_) | Term::Last));
        let program = &self.program.processes[process];
        let priorities = machine.layout.priority_offset.is_some() || machine.layout.last_offset.is_some();
        program.provided.is_none() && !automaton.deterministic && !priorities && !watched
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
            step: self.finish(trace),
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
            let step = self.finish(trace);
            let target = names.get(end).copied().unwrap_or(way.target);
            Way { step, target, atomic: unseen, rank: way.rank, span: way.span }
        });
        joined.collect()
    }

    /// Follows the flow until something can be seen. A cell whose value was known first and then was not, such as a sum that
    /// starts with 0, would make the first round of a loop unlike the others; so it is not followed, unless it is an index.
    fn follow_tracking(&mut self, flow: &Flow, trace: &Trace, place: usize) -> Option<Vec<(Trace, usize, bool)>> {
        self.untracked.clear();
        self.lost.clear();
        let mut ends = Vec::new();
        self.follow(flow, trace.clone(), place, &mut ends)?;
        let counted = self.indices_in(flow);
        for _ in 0..4 {
            let collecting: Vec<CellId> = self.lost.drain().filter(|cell| !counted.contains(cell)).collect();
            if collecting.iter().all(|cell| self.untracked.contains(cell)) {
                break;
            }
            self.untracked.extend(collecting);
            let mut start = trace.clone();
            start.store.retain(|cell, _| !self.untracked.contains(cell));
            let mut better = Vec::new();
            if self.follow(flow, start, place, &mut better).is_none() || better.len() != ends.len() {
                break;
            }
            ends = better;
        }
        Some(ends)
    }

    /// The cells that are read to find an index or a channel.
    fn indices_in(&self, flow: &Flow) -> FxHashSet<CellId> {
        let mut cells = FxHashSet::default();
        for alternative in flow.alternatives.iter().flatten() {
            let mut indices: Vec<TermId> = Vec::new();
            let mut numbers: Vec<TermId> = Vec::new();
            self.program.visit_step(
                &alternative.step,
                &mut |place| match place {
                    Reference::Indexed(_, all) | Reference::Remote { indices: all, .. } => indices.extend(all),
                    Reference::Cell(_) | Reference::Missing => {}
                },
                &mut |channel| {
                    if let ChannelTerm::Variable(number) = channel {
                        numbers.push(*number);
                    }
                },
            );
            for index in indices.into_iter().chain(numbers) {
                let mut read = Vec::new();
                self.program.visit_term(
                    index,
                    &mut |place| read.extend(self.program.possible_cells(place)),
                    &mut |_| {},
                );
                cells.extend(read);
            }
        }
        cells
    }

    /// Takes note of what a condition that holds says: `x == 3`.
    fn assume(&self, store: &mut Store, step: &Step) {
        let Step::Condition(condition) = step else { return };
        for (part, holds) in guards::conjuncts(&self.program.terms, *condition, true) {
            self.assume_part(store, part, holds);
        }
    }

    fn assume_all(&self, store: &mut Store, condition: TermId, holds: bool) {
        for (part, holds) in guards::conjuncts(&self.program.terms, condition, holds) {
            self.assume_part(store, part, holds);
        }
    }

    fn assume_part(&self, store: &mut Store, part: TermId, holds: bool) {
        let terms = &self.program.terms;
        let (op, left, right) = match terms.get(part) {
            Term::Binary(op, left, right) => (*op, *left, *right),
            _ => return,
        };
        if (op, holds) != (BinaryOp::Equal, true) && (op, holds) != (BinaryOp::NotEqual, false) {
            return;
        }
        let pair = match (terms.get(left), terms.get(right)) {
            (Term::Load(Reference::Cell(cell)), Term::Constant(value)) => (*cell, *value),
            (Term::Constant(value), Term::Load(Reference::Cell(cell))) => (*cell, *value),
            _ => return,
        };
        let configuration = &self.program.configuration;
        if !configuration.layout_of(configuration.cells[pair.0.index()]).hidden && !self.untracked.contains(&pair.0) {
            store.insert(pair.0, pair.1);
        }
    }

    /// Follows the flow until something can be seen. `None` if that is too far.
    fn follow(
        &mut self,
        flow: &Flow,
        mut trace: Trace,
        mut place: usize,
        ends: &mut Vec<(Trace, usize, bool)>,
    ) -> Option<()> {
        loop {
            if trace.steps > MOST_STEPS || ends.len() > MOST_WAYS {
                return None;
            }
            // At a place that is met again, something known must have changed: then no state is met again, whatever the order.
            if trace.visited.iter().any(|(before, store)| *before == place && !differ(store, &trace.store)) {
                return None;
            }
            trace.visited.push((place, trace.store.clone()));
            match self.at(flow, place, &trace.store) {
                Place::Visible => {
                    ends.push((trace, place, true));
                    return Some(());
                }
                Place::Choice(mut alternatives) => {
                    let last = alternatives.pop()?;
                    for alternative in alternatives {
                        self.take(flow, trace.clone(), alternative, ends)?;
                    }
                    let Alternative { step, target, unseen } = last;
                    self.append_any(&mut trace, step);
                    if !unseen {
                        if target == usize::MAX {
                            return None;
                        }
                        ends.push((trace, target, false));
                        return Some(());
                    }
                    place = target;
                }
                Place::Branch(branches) => {
                    let join = postdominator(flow, place).map(Join::Inside).or_else(|| common_exit(flow, place));
                    let joined = join.and_then(|join| Some((join, self.paths(flow, branches, join, &trace.store)?)));
                    let Some((join, paths)) = joined else {
                        ends.push((trace, place, true));
                        return Some(());
                    };
                    self.append_paths(&mut trace, paths);
                    match join {
                        Join::Inside(join) => place = join,
                        Join::Outside(target) => {
                            ends.push((trace, target, false));
                            return Some(());
                        }
                    }
                }
            }
        }
    }

    fn take(
        &mut self,
        flow: &Flow,
        mut trace: Trace,
        alternative: Alternative,
        ends: &mut Vec<(Trace, usize, bool)>,
    ) -> Option<()> {
        let Alternative { step, target, unseen } = alternative;
        if target == usize::MAX {
            return None;
        }
        self.append_any(&mut trace, step);
        if unseen {
            return self.follow(flow, trace, target, ends);
        }
        ends.push((trace, target, false));
        Some(())
    }

    /// What can happen at a place.
    fn at(&mut self, flow: &Flow, place: usize, store: &Store) -> Place {
        let Some(alternatives) = flow.alternatives.get(place).filter(|all| !all.is_empty()) else {
            return Place::Visible;
        };
        let mut possible = Vec::new();
        for alternative in alternatives {
            let step = self.rewrite_step(&alternative.step, store);
            if let Step::Condition(condition) = &step {
                match self.program.terms.constant(*condition) {
                    Some(0) => continue,
                    Some(_) => possible.push(Alternative { step: Step::Skip, ..alternative.clone() }),
                    None => possible.push(Alternative { step, ..alternative.clone() }),
                }
            } else {
                possible.push(Alternative { step, ..alternative.clone() });
            }
        }
        if possible.iter().any(|each| !self.is_plain(&each.step)) {
            return Place::Visible;
        }
        let is_free = |step: &Step| match step {
            Step::Skip | Step::Assign(..) | Step::Assert(_) | Step::Evaluate(_) => true,
            Step::Composite(composite) => composite.first.is_none(),
            Step::Send { .. } | Step::Receive { .. } => flow.kind == FlowKind::DStep,
            _ => false,
        };
        let first_free = possible.iter().position(|each| is_free(&each.step));
        if flow.kind == FlowKind::DStep
            && let Some(first) = first_free
        {
            possible.truncate(first + 1);
        }
        if possible.iter().any(|each| is_free(&each.step)) && flow.kind == FlowKind::Atomic {
            // An `else` is not possible then.
            possible.retain(|each| !matches!(each.step, Step::Else));
        }
        if possible.is_empty() {
            return Place::Visible;
        }
        if possible.iter().all(|each| is_free(&each.step)) {
            return Place::Choice(possible);
        }
        if let [Alternative { step: Step::Else, .. }] = possible.as_slice() {
            possible[0].step = Step::Skip;
            return Place::Choice(possible);
        }
        self.branch(flow, possible)
    }

    /// Conditions of which exactly one decides.
    fn branch(&self, flow: &Flow, mut possible: Vec<Alternative>) -> Place {
        let terms = &self.program.terms;
        let Some(last) = possible.pop() else { return Place::Visible };
        let mut conditions = Vec::new();
        for each in &possible {
            match each.step {
                Step::Condition(condition) => conditions.push(condition),
                _ => return Place::Visible,
            }
        }
        let exclusive = |conditions: &[TermId]| {
            (0..conditions.len())
                .all(|right| (0..right).all(|left| commute::exclude(terms, conditions[left], conditions[right])))
        };
        let ordered = flow.kind == FlowKind::DStep && !exclusive(&conditions);
        let mut branches = Vec::new();
        for (position, alternative) in possible.into_iter().enumerate() {
            let before = conditions[..position].iter().map(|&condition| (condition, false));
            let mut holds: Vec<(TermId, bool)> = if ordered { before.collect() } else { Vec::new() };
            holds.push((conditions[position], true));
            branches.push((holds, Alternative { step: Step::Skip, ..alternative }));
        }
        match last.step {
            Step::Else if ordered || exclusive(&conditions) => {
                let none = conditions.iter().map(|&condition| (condition, false)).collect();
                branches.push((none, Alternative { step: Step::Skip, ..last }));
                Place::Branch(branches)
            }
            // Two conditions of which exactly one holds.
            Step::Condition(condition) => match conditions.as_slice() {
                [other] if commute::are_opposite(terms, *other, condition) => {
                    branches.push((vec![(*other, false)], Alternative { step: Step::Skip, ..last }));
                    Place::Branch(branches)
                }
                _ => Place::Visible,
            },
            _ if flow.kind == FlowKind::DStep && !matches!(last.step, Step::Else) => {
                let none = conditions.iter().map(|&condition| (condition, false)).collect();
                branches.push((none, last));
                Place::Branch(branches)
            }
            _ => Place::Visible,
        }
    }

    /// All ways from a branch to the place where they meet again.
    fn paths(
        &mut self,
        flow: &Flow,
        branches: Vec<(Vec<(TermId, bool)>, Alternative)>,
        join: Join,
        store: &Store,
    ) -> Option<Vec<(Path, Store)>> {
        let mut waiting: Vec<(Path, Store, Alternative)> = branches
            .into_iter()
            .map(|(conditions, alternative)| {
                let mut known = store.clone();
                conditions.iter().for_each(|&(part, holds)| self.assume_all(&mut known, part, holds));
                (Path { conditions, steps: Vec::new() }, known, alternative)
            })
            .collect();
        let mut finished = Vec::new();
        let mut steps = 0;
        while let Some((mut path, mut store, alternative)) = waiting.pop() {
            steps += 1;
            if steps > MOST_STEPS || finished.len() + waiting.len() > MOST_PATHS {
                return None;
            }
            let Alternative { step, target, unseen } = alternative;
            match step {
                Step::Skip => {}
                Step::Composite(composite) => {
                    // Only what is a plain sequence can be part of a path.
                    for segment in composite.segments {
                        let [SegmentPath { conditions: Some(conditions), steps, .. }] = segment.paths.as_slice() else {
                            return None;
                        };
                        if !conditions.is_empty() {
                            return None;
                        }
                        for step in steps {
                            self.learn(&mut store, step);
                            path.steps.push(step.clone());
                        }
                    }
                }
                step => {
                    self.learn(&mut store, &step);
                    path.steps.push(step);
                }
            }
            match (join, unseen) {
                (Join::Inside(join), true) if target == join => {
                    finished.push((path, store));
                    continue;
                }
                (Join::Outside(join), false) if target == join => {
                    finished.push((path, store));
                    continue;
                }
                (_, true) => {}
                (_, false) => return None,
            }
            match self.at(flow, target, &store) {
                Place::Visible => return None,
                Place::Choice(mut alternatives) => {
                    let only = alternatives.pop()?;
                    if !alternatives.is_empty() {
                        return None;
                    }
                    waiting.push((path, store, only));
                }
                Place::Branch(branches) => {
                    for (conditions, alternative) in branches {
                        // The conditions of a path are read at its start.
                        if conditions
                            .iter()
                            .any(|&(condition, _)| commute::reads_written(&self.program, condition, &path.steps))
                        {
                            return None;
                        }
                        let mut longer = path.clone();
                        let mut known = store.clone();
                        conditions.iter().for_each(|&(part, holds)| self.assume_all(&mut known, part, holds));
                        longer.conditions.extend(conditions);
                        waiting.push((longer, known, alternative));
                    }
                }
            }
        }
        Some(finished)
    }

    fn append_any(&mut self, trace: &mut Trace, step: Step) {
        match step {
            Step::Composite(composite) => self.append_composite(trace, composite),
            step => self.append(trace, step),
        }
    }

    fn append(&mut self, trace: &mut Trace, step: Step) {
        trace.steps += 1;
        if matches!(step, Step::Skip) {
            return;
        }
        self.learn(&mut trace.store, &step);
        trace.segments.push(vec![SegmentPath { conditions: Some(Vec::new()), steps: vec![step], ordered: false }]);
    }

    fn append_composite(&mut self, trace: &mut Trace, composite: Composite) {
        if let Some(first) = composite.first {
            trace.first = Some(*first);
        }
        trace.steps += composite.segments.len();
        for segment in composite.segments {
            for path in &segment.paths {
                let only = segment.paths.len() == 1;
                path.steps.iter().for_each(|step| {
                    if only {
                        self.learn(&mut trace.store, step);
                    } else {
                        self.forget(&mut trace.store, step);
                    }
                });
            }
            trace.segments.push(segment.paths);
        }
    }

    fn append_paths(&mut self, trace: &mut Trace, paths: Vec<(Path, Store)>) {
        trace.steps += paths.len();
        let stores: Vec<Store> = paths.iter().map(|(_, store)| store.clone()).collect();
        let before = std::mem::take(&mut trace.store);
        trace.store = match stores.split_first() {
            Some((first, others)) => first
                .iter()
                .filter(|(cell, value)| others.iter().all(|other| other.get(cell) == Some(value)))
                .map(|(&cell, &value)| (cell, value))
                .collect(),
            None => Store::default(),
        };
        self.lost.extend(before.into_keys().filter(|cell| !trace.store.contains_key(cell)));
        let paths = paths.into_iter().map(|(path, _)| {
            let conditions = path.conditions.into_iter().map(|(term, holds)| (Step::Condition(term), holds));
            SegmentPath { conditions: Some(conditions.collect()), steps: path.steps, ordered: true }
        });
        trace.segments.push(paths.collect());
    }

    /// Takes note of what is known after a step.
    fn learn(&mut self, store: &mut Store, step: &Step) {
        let constant = match step {
            Step::Assign(Reference::Cell(_), value) => self.program.terms.constant(*value),
            _ => None,
        };
        if constant.is_none() {
            let written = commute::written(&self.program, step);
            self.lost.extend(written.into_iter().filter(|cell| store.contains_key(cell)));
        }
        self.forget(store, step);
        if let (Step::Assign(Reference::Cell(cell), _), Some(value)) = (step, constant)
            && !self.untracked.contains(cell)
        {
            let configuration = &self.program.configuration;
            let scalar = configuration.layout_of(configuration.cells[cell.index()]).scalar;
            store.insert(*cell, scalar.truncate(value));
        }
    }

    fn forget(&self, store: &mut Store, step: &Step) {
        for cell in commute::written(&self.program, step) {
            store.remove(&cell);
        }
    }

    /// Whether a step does nothing but compute, assign, and use known buffered channels.
    fn is_plain(&self, step: &Step) -> bool {
        let plain = |term: &TermId| commute::is_plain(&self.program.terms, *term);
        let buffered = |channel: &ChannelTerm| {
            matches!(channel, ChannelTerm::Known(_))
                && !Program::may_be_rendezvous(&self.program.configuration, channel)
        };
        let place = |place: &Reference| match place {
            Reference::Cell(cell) => {
                let configuration = &self.program.configuration;
                !configuration.layout_of(configuration.cells[cell.index()]).hidden
            }
            Reference::Indexed(group, indices) => {
                !self.program.configuration.layout_of(*group).hidden && indices.iter().all(plain)
            }
            Reference::Remote { .. } | Reference::Missing => false,
        };
        match step {
            Step::Skip | Step::Else => true,
            Step::Condition(term) | Step::Assert(term) => plain(term),
            Step::Evaluate(terms) => terms.iter().all(plain),
            Step::Assign(target, value) => place(target) && plain(value),
            Step::Send { channel, values, .. } => buffered(channel) && values.iter().all(plain),
            Step::Receive { channel, fields, .. } => {
                let field = |field: &FieldTerm| match field {
                    FieldTerm::Bind(target) => place(target),
                    FieldTerm::Match(value) => plain(value),
                    FieldTerm::Ignore => true,
                };
                buffered(channel) && fields.iter().all(field)
            }
            Step::Composite(_) => true,
            Step::SetPriority(..) | Step::Deterministic(_) | Step::End | Step::Opaque => false,
        }
    }

    /// The step of a trace, in its simplest form.
    fn finish(&mut self, trace: Trace) -> Step {
        let Trace { first, mut segments, .. } = trace;
        for paths in &mut segments {
            for path in paths.iter_mut() {
                path.steps.retain(|step| match step {
                    Step::Evaluate(terms) => terms.iter().any(|&term| may_fail(&self.program.terms, term)),
                    _ => true,
                });
            }
        }
        commute::remove_overwritten(&self.program, &mut segments);
        for paths in &mut segments {
            paths.iter_mut().for_each(|path| path.ordered = !commute::all_independent(&self.program, &path.steps));
            commute::join_equal(&self.program, paths);
            self.as_function(paths);
        }
        segments.retain(|paths| paths.iter().any(|path| !path.steps.is_empty()) || self.may_go_wrong(paths));
        match (&first, segments.as_slice()) {
            (None, []) => return Step::Skip,
            (Some(first), []) => return first.clone(),
            (None, [paths]) => {
                if let [SegmentPath { conditions: Some(conditions), steps, .. }] = paths.as_slice()
                    && let ([], [step]) = (conditions.as_slice(), steps.as_slice())
                {
                    return step.clone();
                }
            }
            _ => {}
        }
        let after = commute::order(&self.program, &segments);
        let segments = segments.into_iter().zip(after).map(|(paths, after)| Segment { paths, after });
        Step::Composite(Composite { first: first.map(Box::new), segments: segments.collect() })
    }

    /// A segment that computes the new value of a cell from its old one is a function, however its cases are written.
    fn as_function(&mut self, paths: &mut Vec<SegmentPath>) {
        let Some(target) = paths.iter().find_map(|path| match path.steps.first() {
            Some(Step::Assign(Reference::Cell(cell), _)) => Some(*cell),
            _ => None,
        }) else {
            return;
        };
        let reads_itself = |id: TermId| {
            let places = guards::places_of(&self.program.terms, id).filter(|_| !may_fail(&self.program.terms, id));
            places.is_some_and(|places| {
                let is_target = |&place: &TermId| matches!(self.program.terms.get(place), Term::Load(Reference::Cell(cell)) if *cell == target);
                places.iter().all(is_target)
            })
        };
        let mut cases: Vec<(Option<Vec<Guard>>, Option<TermId>)> = Vec::new();
        for path in paths.iter() {
            let mut conditions = Vec::new();
            for (condition, holds) in path.conditions.iter().flatten() {
                match condition {
                    Step::Condition(term) if reads_itself(*term) => conditions.push((*term, *holds)),
                    _ => return,
                }
            }
            let value = match path.steps.as_slice() {
                [] => None,
                [Step::Assign(Reference::Cell(cell), value)] if *cell == target && reads_itself(*value) => Some(*value),
                _ => return,
            };
            cases.push((path.conditions.as_ref().map(|_| conditions), value));
        }
        // The case without conditions is what is left.
        cases.sort_by_key(|(conditions, _)| conditions.is_none());
        if cases.len() < 2 {
            return;
        }
        let terms = &mut self.program.terms;
        let span = cases.iter().find_map(|(_, value)| *value).map_or(Span::NOWHERE, |value| terms.span(value));
        let value_of = |value: Option<TermId>, terms: &mut Terms| {
            value.unwrap_or_else(|| terms.add(Term::Load(Reference::Cell(target)), span))
        };
        let Some((_, last)) = cases.pop() else { return };
        let mut function = value_of(last, terms);
        for (conditions, value) in cases.into_iter().rev() {
            let mut all = terms.add(Term::Constant(1), span);
            for (condition, holds) in conditions.into_iter().flatten() {
                let part = if holds { condition } else { terms.add(Term::Unary(UnaryOp::Not, condition), span) };
                all = terms.add(Term::Binary(BinaryOp::And, all, part), span);
            }
            let value = value_of(value, terms);
            function = terms.add(Term::Conditional(all, value, function), span);
        }
        let step = Step::Assign(Reference::Cell(target), function);
        *paths = vec![SegmentPath { conditions: Some(Vec::new()), steps: vec![step], ordered: false }];
    }

    /// Whether to find out which path is taken can be an error.
    fn may_go_wrong(&self, paths: &[SegmentPath]) -> bool {
        let conditions = paths.iter().flat_map(|path| path.conditions.iter().flatten());
        conditions.into_iter().any(|(condition, _)| match condition {
            Step::Condition(term) => may_fail(&self.program.terms, *term),
            _ => true,
        })
    }

    /// A step with what is known put in. All its terms are new ones, since what is found out about a term (the class of a
    /// constant) belongs to one occurrence of it.
    fn rewrite_step(&mut self, step: &Step, store: &Store) -> Step {
        match step {
            Step::Condition(term) => Step::Condition(self.rewrite(*term, store)),
            Step::Assert(term) => Step::Assert(self.rewrite(*term, store)),
            Step::Assign(place, value) => {
                let value = self.rewrite(*value, store);
                Step::Assign(self.rewrite_reference(place, store), value)
            }
            Step::Evaluate(terms) => Step::Evaluate(terms.iter().map(|&term| self.rewrite(term, store)).collect()),
            Step::Send { channel, sorted, values } => Step::Send {
                channel: self.rewrite_channel(channel, store),
                sorted: *sorted,
                values: values.iter().map(|&value| self.rewrite(value, store)).collect(),
            },
            Step::Receive { channel, random, copy, fields } => Step::Receive {
                channel: self.rewrite_channel(channel, store),
                random: *random,
                copy: *copy,
                fields: fields
                    .iter()
                    .map(|field| match field {
                        FieldTerm::Bind(place) => FieldTerm::Bind(self.rewrite_reference(place, store)),
                        FieldTerm::Ignore => FieldTerm::Ignore,
                        FieldTerm::Match(value) => FieldTerm::Match(self.rewrite(*value, store)),
                    })
                    .collect(),
            },
            step => step.clone(),
        }
    }

    fn rewrite(&mut self, id: TermId, store: &Store) -> TermId {
        let span = self.program.terms.span(id);
        match self.program.terms.get(id).clone() {
            Term::Load(place) => match self.rewrite_reference(&place, store) {
                Reference::Cell(cell) => match store.get(&cell) {
                    Some(&value) => self.program.terms.add(Term::Constant(value), span),
                    None => self.load(cell, span),
                },
                Reference::Missing => self.program.terms.add(Term::Fails, span),
                reference => self.program.terms.add(Term::Load(reference), span),
            },
            Term::Unary(op, operand) => {
                let operand = self.rewrite(operand, store);
                match self.program.terms.constant(operand) {
                    Some(value) => self.program.terms.add(Term::Constant(unary(op, value)), span),
                    None => self.program.terms.add(Term::Unary(op, operand), span),
                }
            }
            Term::Binary(op, left, right) => {
                let left = self.rewrite(left, store);
                let short = match (op, self.program.terms.constant(left)) {
                    (BinaryOp::And, Some(0)) => Some(0),
                    (BinaryOp::Or, Some(value)) if value != 0 => Some(1),
                    _ => None,
                };
                if let Some(value) = short {
                    return self.program.terms.add(Term::Constant(value), span);
                }
                let right = self.rewrite(right, store);
                self.program.terms.binary(op, left, right, span)
            }
            Term::Conditional(condition, yes, no) => {
                let condition = self.rewrite(condition, store);
                match self.program.terms.constant(condition) {
                    Some(0) => self.rewrite(no, store),
                    Some(_) => self.rewrite(yes, store),
                    None => {
                        let (yes, no) = (self.rewrite(yes, store), self.rewrite(no, store));
                        self.program.terms.add(Term::Conditional(condition, yes, no), span)
                    }
                }
            }
            Term::Probe(probe, channel) => {
                let channel = self.rewrite_channel(&channel, store);
                self.program.terms.add(Term::Probe(probe, channel), span)
            }
            Term::Poll { channel, random, pattern } => {
                let channel = self.rewrite_channel(&channel, store);
                let pattern = pattern.into_iter().map(|value| value.map(|value| self.rewrite(value, store))).collect();
                self.program.terms.add(Term::Poll { channel, random, pattern }, span)
            }
            term => self.program.terms.add(term, span),
        }
    }

    /// What a known cell holds, if that never changes.
    fn load(&mut self, cell: CellId, span: Span) -> TermId {
        let term = if self.program.constants[cell.index()] {
            self.program.relied_on.insert(cell);
            Term::Constant(self.program.configuration.entry_value(cell))
        } else {
            Term::Load(Reference::Cell(cell))
        };
        self.program.terms.add(term, span)
    }

    fn rewrite_reference(&mut self, place: &Reference, store: &Store) -> Reference {
        match place {
            Reference::Indexed(group, indices) => {
                let indices: Vec<TermId> = indices.iter().map(|&index| self.rewrite(index, store)).collect();
                self.program.resolve(*group, indices)
            }
            Reference::Remote { definition, cells, pid, indices } => Reference::Remote {
                definition: *definition,
                cells: *cells,
                pid: *pid,
                indices: indices.iter().map(|&index| self.rewrite(index, store)).collect(),
            },
            place => place.clone(),
        }
    }

    fn rewrite_channel(&mut self, channel: &ChannelTerm, store: &Store) -> ChannelTerm {
        let ChannelTerm::Variable(number) = channel else { return channel.clone() };
        let number = self.rewrite(*number, store);
        match self.program.terms.get(number) {
            Term::Constant(value) => {
                self.program.configuration.channel(*value).map_or(ChannelTerm::Missing, ChannelTerm::Known)
            }
            Term::Fails => ChannelTerm::Missing,
            _ => ChannelTerm::Variable(number),
        }
    }
}

/// One way through a branch.
#[derive(Clone)]
struct Path {
    conditions: Vec<(TermId, bool)>,
    steps: Vec<Step>,
}

/// Where the ways of a branch meet.
#[derive(Clone, Copy)]
enum Join {
    /// At a place at which the process is still unseen.
    Inside(usize),
    /// Where they leave the `atomic`.
    Outside(usize),
}

/// The one place to which all ways leave the `atomic`.
fn common_exit(flow: &Flow, from: usize) -> Option<Join> {
    let mut reached = FxHashSet::from_iter([from]);
    let mut waiting = vec![from];
    let mut exits = FxHashSet::default();
    while let Some(place) = waiting.pop() {
        exits.extend(flow.alternatives[place].iter().filter(|each| !each.unseen).map(|each| each.target));
        waiting.extend(unseen_targets(flow, place).filter(|&target| reached.insert(target)));
    }
    let mut exits = exits.into_iter();
    match (exits.next(), exits.next()) {
        (Some(exit), None) if exit < flow.alternatives.len() => Some(Join::Outside(exit)),
        _ => None,
    }
}

/// Whether two states in which these values are known cannot be the same.
fn differ(one: &Store, other: &Store) -> bool {
    one.iter().any(|(cell, value)| other.get(cell).is_some_and(|known| known != value))
}

/// The first place that every way from a place comes to.
fn postdominator(flow: &Flow, from: usize) -> Option<usize> {
    let mut reached = FxHashSet::default();
    let mut order = Vec::new();
    let mut waiting = vec![from];
    while let Some(place) = waiting.pop() {
        if place < flow.alternatives.len() && reached.insert(place) {
            order.push(place);
            waiting.extend(unseen_targets(flow, place));
        }
    }
    // A place is met by all ways if no way leads around it; the nearest one is met by all ways to the others.
    let avoids = |candidate: usize, goal: &FxHashSet<usize>| {
        let mut seen = FxHashSet::from_iter([from]);
        let mut waiting = vec![from];
        while let Some(place) = waiting.pop() {
            for target in unseen_targets(flow, place) {
                if target != candidate && seen.insert(target) {
                    waiting.push(target);
                }
            }
        }
        seen.iter().any(|place| goal.contains(place))
    };
    let is_end = |place: usize| {
        let alternatives = &flow.alternatives[place];
        alternatives.is_empty()
            || alternatives.iter().any(|each| !each.unseen || each.target >= flow.alternatives.len())
    };
    let ends: FxHashSet<usize> = order.iter().copied().filter(|&place| is_end(place)).collect();
    let common: Vec<usize> = order
        .into_iter()
        .filter(|&place| place != from)
        .filter(|&place| {
            let others: FxHashSet<usize> = ends.iter().copied().filter(|&end| end != place).collect();
            !avoids(place, &others)
        })
        .collect();
    // The nearest is the one that the others cannot be reached around.
    common.iter().copied().find(|&place| {
        let others: FxHashSet<usize> = common.iter().copied().filter(|&other| other != place).collect();
        !avoids(place, &others)
    })
}

fn unseen_targets(flow: &Flow, place: usize) -> impl Iterator<Item = usize> {
    let alternatives = flow.alternatives[place].iter().filter(|each| each.unseen);
    alternatives.map(|each| each.target).filter(|&target| target < flow.alternatives.len())
}
