//! Control flow inside of an `atomic` or `d_step`: what can happen at a place, and where ways meet again.

use machine::ground::{CellId, ChannelTerm, FieldTerm, Program, Reference, Step, TermId};
use rustc_hash::FxHashSet;

use super::super::commute;
use super::Composer;
use super::knowledge::Store;

/// The control flow that is followed.
pub(super) struct Flow {
    pub alternatives: Vec<Vec<Alternative>>,
    pub kind: FlowKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FlowKind {
    /// The first possible alternative is taken; having none is an error.
    DStep,
    /// Any possible alternative is taken; having none gives up control.
    Atomic,
}

#[derive(Clone)]
pub(super) struct Alternative {
    pub step: Step,
    pub target: usize,
    /// Whether the process is still unseen afterwards.
    pub unseen: bool,
}

/// What can happen at a place, given what is known.
pub(super) enum Place {
    /// It may be seen, or is not understood.
    Visible,
    /// One of these happens.
    Choice(Vec<Alternative>),
    /// Conditions decide which one of these happens.
    Branch(Vec<(Vec<(TermId, bool)>, Alternative)>),
}

/// Where the ways of a branch meet.
#[derive(Clone, Copy)]
pub(super) enum Join {
    /// At a place at which the process is still unseen.
    Inside(usize),
    /// Where they leave the `atomic`.
    Outside(usize),
}

impl Composer<'_, '_> {
    /// What can happen at a place.
    pub(super) fn at(&mut self, flow: &Flow, place: usize, store: &Store) -> Place {
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
        // In a `d_step`, a channel that is not ready leaves the choice to the alternatives behind; where there are none, it is an error.
        let is_last = |index: usize| flow.kind == FlowKind::DStep && index + 1 == possible.len();
        let is_free = |index: usize| match &possible[index].step {
            Step::Skip | Step::Assign(..) | Step::Assert(_) | Step::Evaluate(_) => true,
            Step::Composite(composite) => composite.first.is_none(),
            step @ (Step::Send { .. } | Step::Receive { .. }) => store.cannot_block(step) || is_last(index),
            _ => false,
        };
        let mut free: Vec<bool> = (0..possible.len()).map(is_free).collect();
        if flow.kind == FlowKind::DStep
            && let Some(first) = free.iter().position(|&is_free| is_free)
        {
            possible.truncate(first + 1);
            free.truncate(first + 1);
        }
        if flow.kind == FlowKind::Atomic
            && let Some(first) = free.iter().position(|&is_free| is_free)
        {
            // An `else` behind it is not possible then. One before it, of a choice within a choice, may be.
            for index in (first + 1..possible.len()).rev() {
                if matches!(possible[index].step, Step::Else) {
                    possible.remove(index);
                    free.remove(index);
                }
            }
        }
        if possible.is_empty() {
            return Place::Visible;
        }
        if free.iter().all(|&is_free| is_free) {
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

    /// The cells that are read to find an index or a channel.
    pub(super) fn indices_in(&self, flow: &Flow) -> FxHashSet<CellId> {
        let mut cells = FxHashSet::default();
        for alternative in flow.alternatives.iter().flatten() {
            let mut indices: Vec<TermId> = Vec::new();
            let mut numbers: Vec<TermId> = Vec::new();
            self.program.visit_step(
                &alternative.step,
                &mut |place| match place {
                    Reference::Indexed(_, all) => indices.extend(all),
                    Reference::Remote { pid, indices: all, .. } => indices.extend(all.iter().chain([pid])),
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

    /// Whether a step does nothing but compute, assign, and use known buffered channels.
    pub(super) fn is_plain(&self, step: &Step) -> bool {
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
}

/// The one place to which all ways leave the `atomic`.
pub(super) fn common_exit(flow: &Flow, from: usize) -> Option<Join> {
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

/// The first place that every way from a place comes to.
pub(super) fn postdominator(flow: &Flow, from: usize) -> Option<usize> {
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
