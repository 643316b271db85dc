//! From several acceptance sets to one: degeneralisation, on edges or on states.
//!
//! Copies of a component count which sets have been seen, in some order; the *level* of a copy is how many. Three ideas
//! of Babiak, Badie, Duret-Lutz, Křetínský and Strejček (2013) keep the copies few: each component has its own order of
//! sets, and levels only where it needs several; on entering a component the level is free, so one that exists already
//! is taken; and a level is raised at once by marks that all edges out of the target will bring.

use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, Marks, StateId};
use crate::components::Components;
use crate::prune::has_cycle;

/// A Büchi automaton with acceptance on edges: exactly one acceptance set.
pub fn on_edges(automaton: &Automaton) -> Automaton {
    degeneralise(automaton, Placement::Edges, &Orders::default())
}

/// A Büchi automaton with acceptance on states: one acceptance set, and all edges of a state agree.
pub fn on_states(automaton: &Automaton) -> Automaton {
    degeneralise(automaton, Placement::States, &Orders::default())
}

/// Where the one acceptance set is to sit.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Placement {
    /// On edges.
    Edges,
    /// On states.
    States,
}

/// In which order components count their sets: a rotation and a direction, the same for all.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Orders {
    pub rotation: u32,
    pub reversed: bool,
    /// Raise levels on arrival by what all edges out of the target carry.
    pub look_ahead: LookAhead,
}

/// Whether marks that every continuation will bring are counted on arrival.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) enum LookAhead {
    /// Count them on arrival.
    #[default]
    Common,
    /// Count marks when their edge is taken.
    Off,
}

pub(crate) fn degeneralise(automaton: &Automaton, placement: Placement, orders: &Orders) -> Automaton {
    let mut construction = Construction::new(automaton, placement, orders);
    let start = construction.entry_level(automaton.initial);
    construction.number((automaton.initial, start));
    let mut next = 0;
    while next < construction.copies.len() {
        let (state, level) = construction.copies[next];
        let source = StateId::from_index(next);
        for edge in automaton.edges(state) {
            let (level, accepting) = construction.step(state, level, edge.marks, edge.target);
            let target = construction.number((edge.target, level));
            let marks = if accepting { Marks::single(0) } else { Marks::NONE };
            construction.result.add_edge(source, edge.guard, marks, target);
        }
        next += 1;
    }
    construction.result
}

/// How a component counts.
enum Counting {
    /// No cycle accepts: no counting.
    Rejecting,
    /// Every cycle accepts: no counting.
    Accepting,
    /// Sets in the order they are waited for.
    Sets(Vec<u32>),
}

struct Construction {
    placement: Placement,
    components: Components,
    counting: Vec<Counting>,
    /// Marks that all inner edges out of a state carry.
    common: Vec<Marks>,
    result: Automaton,
    copies: Vec<(StateId, u32)>,
    numbers: FxHashMap<(StateId, u32), StateId>,
    /// The level at which a state was first made.
    first_level: FxHashMap<StateId, u32>,
}

impl Construction {
    fn new(automaton: &Automaton, placement: Placement, orders: &Orders) -> Construction {
        let components = Components::of_automaton(automaton);
        let accepting = components.accepting(automaton);
        let counting = (0..components.count())
            .map(|component| {
                if !accepting[component] {
                    return Counting::Rejecting;
                }
                let mut sets: Vec<u32> = (0..automaton.acceptance_sets)
                    .filter(|&set| {
                        has_cycle(automaton, &components, component, Marks::NONE, |_, edge| !edge.marks.contains(set))
                    })
                    .collect();
                if sets.is_empty() {
                    return Counting::Accepting;
                }
                let rotation = orders.rotation as usize % sets.len();
                sets.rotate_left(rotation);
                if orders.reversed {
                    sets.reverse();
                }
                Counting::Sets(sets)
            })
            .collect();
        let common = automaton
            .states()
            .map(|state| {
                let inner = automaton.edges(state).iter().filter(|edge| components.together(state, edge.target));
                let marks = inner.map(|edge| edge.marks).reduce(Marks::intersection).unwrap_or(Marks::NONE);
                if orders.look_ahead == LookAhead::Common { marks } else { Marks::NONE }
            })
            .collect();
        let result = Automaton::with_states(automaton.atoms().to_vec(), automaton.guards.clone(), 0, 1);
        Construction {
            placement,
            components,
            counting,
            common,
            result,
            copies: Vec::new(),
            numbers: FxHashMap::default(),
            first_level: FxHashMap::default(),
        }
    }

    fn number(&mut self, copy: (StateId, u32)) -> StateId {
        self.first_level.entry(copy.0).or_insert(copy.1);
        *self.numbers.entry(copy).or_insert_with(|| {
            self.copies.push(copy);
            self.result.add_state()
        })
    }

    /// The level of a state entered from another component: an existing copy's, else what its own edges allow.
    fn entry_level(&self, state: StateId) -> u32 {
        if let Some(&level) = self.first_level.get(&state) {
            return level;
        }
        match &self.counting[self.components.of(state.index())] {
            Counting::Sets(sets) if self.placement == Placement::States => raised(sets, 0, self.common[state.index()]),
            _ => 0,
        }
    }

    /// The target's level, and whether the edge (or its source state) is accepting.
    fn step(&self, state: StateId, level: u32, marks: Marks, target: StateId) -> (u32, bool) {
        let leaves = !self.components.together(state, target);
        match &self.counting[self.components.of(state.index())] {
            Counting::Rejecting if leaves => (self.entry_level(target), false),
            Counting::Rejecting => (0, false),
            Counting::Accepting if leaves => (self.entry_level(target), true),
            Counting::Accepting => (0, true),
            Counting::Sets(sets) => {
                let full = sets.len() as u32;
                match self.placement {
                    Placement::States => {
                        let accepting = level == full;
                        if leaves {
                            return (self.entry_level(target), accepting);
                        }
                        let start = if accepting { 0 } else { level };
                        let level = raised(sets, start, marks);
                        let level =
                            if level == full { level } else { raised(sets, level, self.common[target.index()]) };
                        (level, accepting)
                    }
                    Placement::Edges => {
                        if leaves {
                            return (self.entry_level(target), false);
                        }
                        let after = raised(sets, level, marks);
                        if after < full {
                            return (after, false);
                        }
                        // Marks beyond the completed round count for the next one.
                        let again = raised(sets, 0, marks);
                        (if again == full { 0 } else { again }, true)
                    }
                }
            }
        }
    }
}

/// The level after seeing the marks.
fn raised(sets: &[u32], mut level: u32, marks: Marks) -> u32 {
    while sets.get(level as usize).is_some_and(|&set| marks.contains(set)) {
        level += 1;
    }
    level
}
