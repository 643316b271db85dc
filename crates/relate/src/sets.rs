//! The states after a trace: sets closed under internal steps, each kept once. The transformation *Det* of Erdogmus, on the fly.
//!
//! A set is a sorted list of components ([`Components`]). Only *essential* ones are kept: those with a visible step and, where the relation asks for
//! refusals, stable ones. What else the closure had is in one mark, [`DIVERGENT`], which is there if a member can go on internally for ever and the
//! relation asks for that. Steps, acceptance sets and divergence depend on nothing else. The mark is greater than any component, so that "is a subset" is
//! one comparison of sorted lists, and a divergent set is never a subset of one that is not.
//!
//! A set's steps are worked out once, for all events together.

use explore::search::End;

use crate::Event;
use crate::components::Components;
use crate::interner::Interner;
use crate::labels::{EventSet, Family, Labels, is_subset};
use crate::space::Space;

/// The number of a set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct SetId(pub(crate) u32);

impl SetId {
    /// No state at all.
    pub(crate) const EMPTY: SetId = SetId(0);
}

/// What a relation wants to know of a set beside its visible steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Wanted {
    pub(crate) refusals: bool,
    pub(crate) divergence: bool,
}

/// The local behaviour of a set or a component: Erdogmus' triple, with acceptance sets in place of must sets, which can be read off them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Local {
    pub(crate) events: EventSet,
    pub(crate) acceptance: Family,
    pub(crate) is_divergent: bool,
}

/// A side of a comparison: its states, its internal steps and its sets, all as far as they were asked for.
pub(crate) struct Det<'o> {
    pub(crate) space: Space<'o>,
    pub(crate) components: Components,
    wanted: Wanted,
    sets: Interner<u32>,
    /// Was the set without members, which is always there, met on the way?
    met_empty: bool,
    /// One bit for some members of each set: a quick proof that it is no subset.
    masks: Vec<u64>,
    /// The steps and the local behaviour of each set that was expanded.
    known: Vec<Option<Known>>,
    steps: Vec<(Event, SetId)>,
    /// The closure of each component alone, [`UNKNOWN`] until asked for.
    closures: Vec<u32>,
    /// A component was seen in the closure at hand if its stamp is the current one.
    stamps: Vec<u32>,
    stamp: u32,
    scratch: Scratch,
}

#[derive(Clone, Copy, Debug)]
struct Known {
    start: u32,
    length: u32,
    local: Local,
}

#[derive(Default)]
struct Scratch {
    open: Vec<u32>,
    members: Vec<u32>,
    targets: Vec<(Event, u32)>,
    offers: Vec<EventSet>,
    events: Vec<Event>,
}

const UNKNOWN: u32 = u32::MAX;

/// The mark of a divergent set, after all its members.
const DIVERGENT: u32 = u32::MAX;

impl<'o> Det<'o> {
    pub(crate) fn new(space: Space<'o>, wanted: Wanted) -> Det<'o> {
        Det {
            space,
            components: Components::new(),
            wanted,
            sets: Interner::new(),
            met_empty: false,
            masks: vec![0],
            known: vec![None],
            steps: Vec::new(),
            closures: Vec::new(),
            stamps: Vec::new(),
            stamp: 0,
            scratch: Scratch::default(),
        }
    }

    /// How many sets were met.
    pub(crate) fn sets(&self) -> u64 {
        self.sets.len() as u64 - u64::from(!self.met_empty)
    }

    pub(crate) fn bytes(&self) -> u64 {
        let lists = self.sets.bytes()
            + 8 * self.masks.capacity()
            + self.known.capacity() * size_of::<Option<Known>>()
            + 8 * self.steps.capacity()
            + 4 * (self.closures.capacity() + self.stamps.capacity());
        self.space.bytes() + self.components.bytes() + lists as u64
    }

    /// The component of the initial state.
    pub(crate) fn initial_component(&mut self) -> Result<u32, End> {
        self.components.of(0, &mut self.space)
    }

    /// The states after the empty trace.
    pub(crate) fn initial_set(&mut self) -> Result<SetId, End> {
        let component = self.initial_component()?;
        Ok(self.closure_of_one(component))
    }

    /// Is every member of the one in the other?
    #[inline]
    pub(crate) fn is_subset(&self, small: SetId, large: SetId) -> bool {
        self.masks[small.0 as usize] & !self.masks[large.0 as usize] == 0
            && is_subset(self.sets.get(small.0), self.sets.get(large.0))
    }

    /// The local behaviour of a component by itself.
    pub(crate) fn local_of_component(&mut self, component: u32, labels: &mut Labels) -> Local {
        let events = self.components.offers(component, &self.space, labels);
        let is_stable = self.wanted.refusals && self.components.is_stable(component);
        let acceptance = if is_stable { labels.family(&mut vec![events]) } else { Family::NONE };
        Local { events, acceptance, is_divergent: self.components.is_cyclic(component) }
    }

    /// The local behaviour of a set, which is expanded for it.
    #[inline]
    pub(crate) fn local(&mut self, set: SetId, labels: &mut Labels) -> Result<Local, End> {
        match self.known[set.0 as usize] {
            Some(known) => Ok(known.local),
            None => self.expand(set, labels),
        }
    }

    /// The visible steps of a set that was expanded, sorted by event, each to the states after it.
    #[inline]
    pub(crate) fn steps(&self, set: SetId) -> &[(Event, SetId)] {
        let known = self.known[set.0 as usize].expect("the set was expanded");
        &self.steps[known.start as usize..(known.start + known.length) as usize]
    }

    /// The states after an event; empty if it is not possible.
    #[inline]
    pub(crate) fn after(&self, set: SetId, event: Event) -> SetId {
        let steps = self.steps(set);
        steps.binary_search_by_key(&event, |&(event, _)| event).map_or(SetId::EMPTY, |at| steps[at].1)
    }

    fn expand(&mut self, set: SetId, labels: &mut Labels) -> Result<Local, End> {
        let mut targets = std::mem::take(&mut self.scratch.targets);
        let mut offers = std::mem::take(&mut self.scratch.offers);
        targets.clear();
        offers.clear();
        let mut is_divergent = false;
        for at in 0..self.sets.get(set.0).len() {
            let member = self.sets.get(set.0)[at];
            if member == DIVERGENT {
                is_divergent = true;
                continue;
            }
            targets.extend_from_slice(self.components.visible(member, &self.space));
            if self.wanted.refusals && self.components.is_stable(member) {
                offers.push(self.components.offers(member, &self.space, labels));
            }
        }
        for (_, target) in &mut targets {
            *target = self.components.of(*target, &mut self.space)?;
        }
        targets.sort_unstable();
        targets.dedup();
        let events = self.follow(&targets, labels);
        let start = self.steps.len() - labels.events(events).len();
        let local = Local { events, acceptance: labels.family(&mut offers), is_divergent };
        let length = (self.steps.len() - start) as u32;
        let start = u32::try_from(start).map_err(|_| End::Memory)?;
        self.known[set.0 as usize] = Some(Known { start, length, local });
        (self.scratch.targets, self.scratch.offers) = (targets, offers);
        Ok(local)
    }

    /// Adds a step for each event of a sorted list of targets.
    fn follow(&mut self, targets: &[(Event, u32)], labels: &mut Labels) -> EventSet {
        let mut events = std::mem::take(&mut self.scratch.events);
        events.clear();
        for targets in targets.chunk_by(|one, other| one.0 == other.0) {
            let set = match targets {
                &[(_, component)] => self.closure_of_one(component),
                _ => self.closure(targets.iter().map(|&(_, component)| component)),
            };
            events.push(targets[0].0);
            self.steps.push((targets[0].0, set));
        }
        let set = labels.set(&events);
        self.scratch.events = events;
        set
    }

    #[inline]
    fn closure_of_one(&mut self, component: u32) -> SetId {
        if self.closures.len() <= component as usize {
            self.closures.resize(self.components.len(), UNKNOWN);
        }
        if self.closures[component as usize] == UNKNOWN {
            self.closures[component as usize] = self.closure([component].into_iter()).0;
        }
        SetId(self.closures[component as usize])
    }

    /// The set of the components that these reach by internal steps.
    fn closure(&mut self, of: impl Iterator<Item = u32>) -> SetId {
        self.next_stamp();
        let Scratch { mut open, mut members, .. } = std::mem::take(&mut self.scratch);
        open.clear();
        members.clear();
        let mut is_divergent = false;
        for component in of {
            self.meet(component, &mut open);
            is_divergent |= self.components.is_divergent(component);
        }
        while let Some(component) = open.pop() {
            if self.is_essential(component) {
                members.push(component);
            }
            for at in 0..self.components.inner(component).len() {
                self.meet(self.components.inner(component)[at], &mut open);
            }
        }
        members.sort_unstable();
        if is_divergent && self.wanted.divergence {
            members.push(DIVERGENT);
        }
        let set = self.intern(&members);
        (self.scratch.open, self.scratch.members) = (open, members);
        set
    }

    fn next_stamp(&mut self) {
        if self.stamps.len() < self.components.len() {
            self.stamps.resize(self.components.len(), self.stamp.wrapping_sub(1));
        }
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.stamps.fill(u32::MAX);
        }
    }

    #[inline]
    fn meet(&mut self, component: u32, open: &mut Vec<u32>) {
        if std::mem::replace(&mut self.stamps[component as usize], self.stamp) != self.stamp {
            open.push(component);
        }
    }

    fn is_essential(&self, component: u32) -> bool {
        !self.components.visible(component, &self.space).is_empty()
            || (self.wanted.refusals && self.components.is_stable(component))
    }

    fn intern(&mut self, members: &[u32]) -> SetId {
        let set = self.sets.intern(members);
        self.met_empty |= members.is_empty();
        if set as usize == self.masks.len() {
            self.masks.push(members.iter().fold(0, |mask, &member| mask | bit(member)));
            self.known.push(None);
        }
        SetId(set)
    }
}

/// One of 64 bits for a member.
#[inline]
fn bit(member: u32) -> u64 {
    1 << (member.wrapping_mul(0x9E37_79B9) >> 26)
}
