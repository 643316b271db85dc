//! Internal steps, looked at once: the strongly connected components of the graph of internal steps, found by Tarjan's algorithm from every state that
//! is asked for and not yet known.
//!
//! A set of states after a trace is closed under internal steps, so it has all states of a component or none, and components are what sets are made
//! of. Components come in an order in which internal steps lead to smaller numbers. Whether a state is divergent is read off when its component is
//! complete, and never searched for again.

use explore::search::End;

use crate::Event;
use crate::graph::Graph;
use crate::labels::{EventSet, Labels};
use crate::lts::split;

/// The components of the states of a space that were asked for.
pub(crate) struct Components {
    /// The component of each state; [`UNKNOWN`], or with [`OPEN`] its number on the way of a search.
    of: Vec<u32>,
    all: Vec<Component>,
    /// Where internal steps lead, component after component.
    inner: Vec<u32>,
    /// The members of components of several states, and their visible steps.
    wide: Vec<Wide>,
    /// What each component offers, [`UNKNOWN`] until asked for.
    offers: Vec<EventSet>,
}

#[derive(Clone, Copy, Debug)]
struct Component {
    /// The only member, or an index of `wide`.
    member: u32,
    /// Where its internal steps to other components begin.
    inner: u32,
    is_wide: bool,
    is_cyclic: bool,
    is_divergent: bool,
}

#[derive(Debug)]
struct Wide {
    members: Vec<u32>,
    /// All visible steps of the members, sorted.
    visible: Vec<(Event, u32)>,
}

const UNKNOWN: u32 = u32::MAX;
const OPEN: u32 = 1 << 31;
const NOT_ASKED: EventSet = EventSet::UNKNOWN;

impl Components {
    pub(crate) fn new() -> Components {
        Components { of: Vec::new(), all: Vec::new(), inner: Vec::new(), wide: Vec::new(), offers: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    pub(crate) fn bytes(&self) -> u64 {
        let lists = 4 * (self.of.capacity() + self.inner.capacity() + self.offers.capacity());
        let wide: usize = self.wide.iter().map(|wide| 4 * wide.members.capacity() + 8 * wide.visible.capacity()).sum();
        (lists + self.all.capacity() * size_of::<Component>() + wide) as u64
    }

    /// The component of a state; everything that it reaches by internal steps is expanded.
    #[inline]
    pub(crate) fn of(&mut self, state: u32, graph: &mut impl Graph) -> Result<u32, End> {
        match self.of.get(state as usize) {
            Some(&component) if component < OPEN => Ok(component),
            _ => self.search(state, graph),
        }
    }

    /// Has it no internal step?
    #[inline]
    pub(crate) fn is_stable(&self, component: u32) -> bool {
        !self.all[component as usize].is_cyclic && self.inner(component).is_empty()
    }

    /// Does one of its internal steps lead back to it?
    #[inline]
    pub(crate) fn is_cyclic(&self, component: u32) -> bool {
        self.all[component as usize].is_cyclic
    }

    /// Can it go on with internal steps for ever?
    #[inline]
    pub(crate) fn is_divergent(&self, component: u32) -> bool {
        self.all[component as usize].is_divergent
    }

    /// The other components to which its internal steps lead.
    #[inline]
    pub(crate) fn inner(&self, component: u32) -> &[u32] {
        let start = self.all[component as usize].inner as usize;
        let end = self.all.get(component as usize + 1).map_or(self.inner.len(), |next| next.inner as usize);
        &self.inner[start..end]
    }

    /// The visible steps of its members, sorted, each with the state that it leads to.
    #[inline]
    pub(crate) fn visible<'a>(&'a self, component: u32, graph: &'a impl Graph) -> &'a [(Event, u32)] {
        let Component { member, is_wide, .. } = self.all[component as usize];
        if is_wide { &self.wide[member as usize].visible } else { split(graph.steps(member)).1 }
    }

    /// The events of its visible steps.
    #[inline]
    pub(crate) fn offers(&mut self, component: u32, graph: &impl Graph, labels: &mut Labels) -> EventSet {
        if self.offers.len() <= component as usize {
            self.offers.resize(self.all.len(), NOT_ASKED);
        }
        if self.offers[component as usize] == NOT_ASKED {
            let mut events: Vec<Event> = self.visible(component, graph).iter().map(|&(event, _)| event).collect();
            events.dedup();
            self.offers[component as usize] = labels.set(&events);
        }
        self.offers[component as usize]
    }

    /// Tarjan's algorithm on internal steps, from a state that is not known.
    #[cold]
    fn search(&mut self, root: u32, graph: &mut impl Graph) -> Result<u32, End> {
        let mut search = Search { found: Vec::new(), lowest: Vec::new(), way: Vec::new() };
        search.enter(root, self, graph)?;
        while let Some(&(state, next)) = search.way.last() {
            let internal = split(graph.steps(state)).0;
            match internal.get(next as usize) {
                Some(&(_, target)) => {
                    search.way.last_mut().expect("the way was not empty").1 += 1;
                    match self.of.get(target as usize).copied().unwrap_or(UNKNOWN) {
                        UNKNOWN => search.enter(target, self, graph)?,
                        number if number >= OPEN => search.reach(self.of[state as usize], number),
                        _ => {}
                    }
                }
                None => search.leave(state, self, graph),
            }
        }
        Ok(self.of[root as usize])
    }

    /// Makes a component of these states, all of whose internal steps lead to them or to known components.
    fn close(&mut self, members: &[u32], graph: &impl Graph) {
        let number = self.all.len() as u32;
        for &member in members {
            self.of[member as usize] = number;
        }
        let start = self.inner.len();
        let mut is_cyclic = false;
        for &(_, target) in members.iter().flat_map(|&member| split(graph.steps(member)).0) {
            match self.of[target as usize] {
                component if component == number => is_cyclic = true,
                component => self.inner.push(component),
            }
        }
        self.inner[start..].sort_unstable();
        let mut kept = start;
        for at in start..self.inner.len() {
            if at == start || self.inner[at] != self.inner[kept - 1] {
                self.inner[kept] = self.inner[at];
                kept += 1;
            }
        }
        self.inner.truncate(kept);
        let is_divergent = is_cyclic || self.inner[start..].iter().any(|&inner| self.is_divergent(inner));
        let is_wide = members.len() > 1;
        let member = if is_wide { self.widen(members, graph) } else { members[0] };
        self.all.push(Component { member, inner: start as u32, is_wide, is_cyclic, is_divergent });
    }

    fn widen(&mut self, members: &[u32], graph: &impl Graph) -> u32 {
        let mut visible: Vec<(Event, u32)> =
            members.iter().flat_map(|&member| split(graph.steps(member)).1).copied().collect();
        visible.sort_unstable();
        visible.dedup();
        self.wide.push(Wide { members: members.to_vec(), visible });
        self.wide.len() as u32 - 1
    }
}

/// The state of a search: the states on the way with the next step to take, and those found whose component is not complete.
struct Search {
    way: Vec<(u32, u32)>,
    found: Vec<u32>,
    /// For each found state the lowest number that it is known to reach.
    lowest: Vec<u32>,
}

impl Search {
    fn enter(&mut self, state: u32, components: &mut Components, graph: &mut impl Graph) -> Result<(), End> {
        graph.expand(state)?;
        if components.of.len() < graph.states() as usize {
            components.of.resize(graph.states() as usize, UNKNOWN);
        }
        let number = self.found.len() as u32;
        components.of[state as usize] = OPEN | number;
        self.found.push(state);
        self.lowest.push(number);
        self.way.push((state, 0));
        Ok(())
    }

    /// A state on the way has a step to an open one.
    fn reach(&mut self, from: u32, to: u32) {
        let lowest = &mut self.lowest[(from & !OPEN) as usize];
        *lowest = (*lowest).min(to & !OPEN);
    }

    /// All steps of the last state on the way were taken.
    fn leave(&mut self, state: u32, components: &mut Components, graph: &impl Graph) {
        self.way.pop();
        let number = components.of[state as usize] & !OPEN;
        let lowest = self.lowest[number as usize];
        if lowest == number {
            components.close(&self.found[number as usize..], graph);
            self.found.truncate(number as usize);
            self.lowest.truncate(number as usize);
        } else if let Some(&(before, _)) = self.way.last() {
            self.reach(components.of[before as usize], lowest);
        }
    }
}
