//! Generalised Büchi automata with acceptance on edges.
//!
//! An edge carries a *guard* (a Boolean function of atoms), a target, and the *marks* of the acceptance sets it belongs
//! to. A run is accepting if it takes edges of every set infinitely often; with no set, every infinite run is. Büchi
//! automata are the case of one set, and acceptance on states the case where all edges of a state carry the same marks.
//!
//! Guards are decision diagrams in a table that the automaton owns, so guards of one automaton can be compared as
//! numbers.

use std::fmt;

use rustc_hash::FxHashMap;

use crate::atom::AtomId;
use crate::diagram::{Diagram, Diagrams, Level};

/// A state, by number.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StateId(pub u32);

impl StateId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn from_index(index: usize) -> StateId {
        StateId(index as u32)
    }
}

/// A guard; meaningful for the automaton it came from.
pub type Guard = Diagram;

/// A set of acceptance sets.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Marks(u64);

impl Marks {
    /// The largest number of acceptance sets an automaton can have.
    pub const LIMIT: u32 = 64;
    /// No set.
    pub const NONE: Marks = Marks(0);

    /// The sets `0..count`.
    pub fn all(count: u32) -> Marks {
        if count >= Marks::LIMIT { Marks(u64::MAX) } else { Marks((1 << count) - 1) }
    }

    /// One set.
    pub fn single(set: u32) -> Marks {
        Marks(1 << set)
    }

    /// Is the set among them?
    pub fn contains(self, set: u32) -> bool {
        self.0 >> set & 1 == 1
    }

    /// Those in either.
    pub fn union(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }

    /// Those in both.
    pub fn intersection(self, other: Marks) -> Marks {
        Marks(self.0 & other.0)
    }

    /// Those here that are not in the other.
    pub fn without(self, other: Marks) -> Marks {
        Marks(self.0 & !other.0)
    }

    /// Is each of these in the other?
    pub fn is_subset(self, other: Marks) -> bool {
        self.0 & !other.0 == 0
    }

    /// Is it no set at all?
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The sets, in increasing order.
    pub fn iter(self) -> impl Iterator<Item = u32> {
        (0..Marks::LIMIT).filter(move |&set| self.contains(set))
    }

    /// The same sets with every number raised by `offset`.
    pub(crate) fn shifted(self, offset: u32) -> Marks {
        Marks(self.0.checked_shl(offset).unwrap_or(0))
    }
}

impl FromIterator<u32> for Marks {
    fn from_iter<I: IntoIterator<Item = u32>>(sets: I) -> Marks {
        sets.into_iter().fold(Marks::NONE, |marks, set| marks.union(Marks::single(set)))
    }
}

impl fmt::Debug for Marks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// An edge to a state.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Edge {
    /// The letters the edge can read.
    pub guard: Guard,
    /// The acceptance sets the edge belongs to.
    pub marks: Marks,
    /// Where it leads.
    pub target: StateId,
}

/// A conjunction of literals: atoms that must hold and atoms that must not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cube {
    /// Literals in increasing order of atoms; `true` for "must hold".
    pub literals: Vec<(AtomId, bool)>,
}

/// A generalised Büchi automaton with one initial state.
#[derive(Clone)]
pub struct Automaton {
    /// In increasing order; the atom at index `i` is level `i` of the diagrams.
    atoms: Vec<AtomId>,
    pub(crate) guards: Diagrams,
    pub(crate) edges: Vec<Vec<Edge>>,
    pub(crate) initial: StateId,
    pub(crate) acceptance_sets: u32,
}

/// Sizes of an automaton, as tools of the field report them.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Size {
    /// Number of states.
    pub states: usize,
    /// Number of edges.
    pub edges: usize,
    /// Number of transitions: edges counted once for each letter over the automaton's atoms; saturates.
    pub transitions: u128,
}

impl Automaton {
    /// An automaton over these atoms, with one state, which is initial and has no edges: it accepts nothing.
    ///
    /// ```
    /// use automata::{atom::AtomId, automaton::{Automaton, Guard, Marks}};
    /// // Infinitely often `p`.
    /// let p = AtomId(0);
    /// let mut automaton = Automaton::new(vec![p], 1);
    /// let state = automaton.initial();
    /// let holds = automaton.literal(p, true).unwrap();
    /// automaton.add_edge(state, holds, Marks::single(0), state);
    /// automaton.add_edge(state, Guard::TRUE, Marks::NONE, state);
    /// assert!(!automaton.is_deterministic() && automaton.is_complete());
    /// ```
    pub fn new(mut atoms: Vec<AtomId>, acceptance_sets: u32) -> Automaton {
        atoms.sort_unstable();
        atoms.dedup();
        Automaton { atoms, guards: Diagrams::default(), edges: vec![Vec::new()], initial: StateId(0), acceptance_sets }
    }

    /// As [`Automaton::new`], with states `0..count`, of which state 0 is initial, and a table of guards to start with.
    pub(crate) fn with_states(atoms: Vec<AtomId>, guards: Diagrams, count: usize, acceptance_sets: u32) -> Automaton {
        Automaton { atoms, guards, edges: vec![Vec::new(); count], initial: StateId(0), acceptance_sets }
    }

    /// The atoms that guards may speak of, in increasing order.
    pub fn atoms(&self) -> &[AtomId] {
        &self.atoms
    }

    /// The number of acceptance sets.
    pub fn acceptance_sets(&self) -> u32 {
        self.acceptance_sets
    }

    /// The marks of an edge that is in every acceptance set.
    pub fn all_marks(&self) -> Marks {
        Marks::all(self.acceptance_sets)
    }

    /// The initial state.
    pub fn initial(&self) -> StateId {
        self.initial
    }

    /// The states, in order.
    pub fn states(&self) -> impl Iterator<Item = StateId> + use<> {
        (0..self.edges.len() as u32).map(StateId)
    }

    /// The number of states.
    pub fn state_count(&self) -> usize {
        self.edges.len()
    }

    /// The edges of a state.
    pub fn edges(&self, state: StateId) -> &[Edge] {
        &self.edges[state.index()]
    }

    /// Number of states, edges and transitions.
    pub fn size(&self) -> Size {
        let variables = self.atoms.len() as u32;
        let all = self.edges.iter().flatten();
        Size {
            states: self.state_count(),
            edges: all.clone().count(),
            transitions: all
                .map(|edge| self.guards.model_count(edge.guard, variables))
                .fold(0, |sum: u128, count| sum.saturating_add(count)),
        }
    }

    /// Adds a state without edges.
    pub fn add_state(&mut self) -> StateId {
        self.edges.push(Vec::new());
        StateId(self.edges.len() as u32 - 1)
    }

    /// Adds an edge; one that can read no letter is left out, one that differs from another in its guard only is
    /// merged.
    pub fn add_edge(&mut self, source: StateId, guard: Guard, marks: Marks, target: StateId) {
        if guard == Guard::FALSE {
            return;
        }
        let edges = &mut self.edges[source.index()];
        match edges.iter_mut().find(|edge| edge.target == target && edge.marks == marks) {
            Some(edge) => edge.guard = self.guards.or(edge.guard, guard),
            None => edges.push(Edge { guard, marks, target }),
        }
    }

    /// The guard that demands an atom to hold, or not to; none if the atom is not among [`Automaton::atoms`].
    pub fn literal(&mut self, atom: AtomId, value: bool) -> Option<Guard> {
        let level = self.atoms.binary_search(&atom).ok()?;
        Some(self.guards.literal(level as Level, value))
    }

    /// The conjunction of two guards of this automaton.
    pub fn both(&mut self, first: Guard, second: Guard) -> Guard {
        self.guards.and(first, second)
    }

    /// The disjunction of two guards of this automaton.
    pub fn either(&mut self, first: Guard, second: Guard) -> Guard {
        self.guards.or(first, second)
    }

    /// The negation of a guard of this automaton.
    pub fn complement(&mut self, guard: Guard) -> Guard {
        self.guards.not(guard)
    }

    /// Does the guard hold when exactly these atoms do?
    pub fn guard_holds(&self, guard: Guard, holds: impl Fn(AtomId) -> bool) -> bool {
        self.guards.value(guard, |level| holds(self.atoms[level as usize]))
    }

    /// The guard as an irredundant disjunction of cubes: none for false, one empty cube for true.
    pub fn cubes(&self, guard: Guard) -> Vec<Cube> {
        let mut guards = self.guards.clone();
        self.cubes_in(&mut guards, guard)
    }

    /// As [`Automaton::cubes`], with scratch space for many calls.
    pub(crate) fn cubes_in(&self, scratch: &mut Diagrams, guard: Guard) -> Vec<Cube> {
        let products = scratch.products(guard);
        products
            .into_iter()
            .map(|product| Cube {
                literals: product.into_iter().map(|(level, value)| (self.atoms[level as usize], value)).collect(),
            })
            .collect()
    }

    /// Extends the alphabet; guards on edges keep their meaning.
    pub(crate) fn add_atoms(&mut self, atoms: &[AtomId]) {
        let mut merged: Vec<AtomId> = self.atoms.iter().chain(atoms).copied().collect();
        merged.sort_unstable();
        merged.dedup();
        if merged.len() == self.atoms.len() {
            return;
        }
        let mut guards = Diagrams::default();
        let old_atoms = std::mem::replace(&mut self.atoms, merged);
        let rename = level_map(&old_atoms, &self.atoms);
        let mut memo = FxHashMap::default();
        for edge in self.edges.iter_mut().flatten() {
            edge.guard = guards.import(&self.guards, edge.guard, &rename, &mut memo);
        }
        self.guards = guards;
    }

    /// The marks of a state if all its edges carry the same ones; a state without edges has none.
    pub fn state_marks(&self, state: StateId) -> Option<Marks> {
        let edges = self.edges(state);
        let Some(first) = edges.first() else {
            return Some(Marks::NONE);
        };
        edges.iter().all(|edge| edge.marks == first.marks).then_some(first.marks)
    }

    /// Is acceptance a matter of states: do all edges of each state carry the same marks?
    pub fn has_state_acceptance(&self) -> bool {
        self.states().all(|state| self.state_marks(state).is_some())
    }

    /// Can no state read one letter in two ways?
    pub fn is_deterministic(&self) -> bool {
        let mut guards = self.guards.clone();
        self.edges.iter().all(|edges| {
            let mut seen = Diagram::FALSE;
            edges.iter().all(|edge| {
                let disjoint = guards.and(seen, edge.guard) == Diagram::FALSE;
                seen = guards.or(seen, edge.guard);
                disjoint
            })
        })
    }

    /// Can every state read every letter?
    pub fn is_complete(&self) -> bool {
        let mut guards = self.guards.clone();
        self.edges
            .iter()
            .all(|edges| edges.iter().fold(Diagram::FALSE, |seen, edge| guards.or(seen, edge.guard)) == Diagram::TRUE)
    }

    /// Only states that can be reached, numbered in breadth-first order, and a table with only the guards in use.
    pub(crate) fn tidied(&self) -> Automaton {
        let mut number = FxHashMap::default();
        let mut order = vec![self.initial];
        number.insert(self.initial, StateId(0));
        let mut next = 0;
        while next < order.len() {
            for edge in self.edges(order[next]) {
                number.entry(edge.target).or_insert_with(|| {
                    order.push(edge.target);
                    StateId(order.len() as u32 - 1)
                });
            }
            next += 1;
        }
        let mut tidy =
            Automaton::with_states(self.atoms.clone(), Diagrams::default(), order.len(), self.acceptance_sets);
        let mut memo = FxHashMap::default();
        for (index, &state) in order.iter().enumerate() {
            for edge in self.edges(state) {
                let guard = tidy.guards.import(&self.guards, edge.guard, &|level| level, &mut memo);
                tidy.add_edge(StateId::from_index(index), guard, edge.marks, number[&edge.target]);
            }
        }
        tidy
    }
}

/// Where each level of the first atom list stands in the second, which contains the first.
pub(crate) fn level_map(from: &[AtomId], to: &[AtomId]) -> impl Fn(Level) -> Level + use<> {
    let places: Vec<Level> = from.iter().map(|atom| to.partition_point(|other| other < atom) as Level).collect();
    move |level| places[level as usize]
}

impl fmt::Debug for Automaton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "initial {}, {} acceptance sets", self.initial.0, self.acceptance_sets)?;
        for state in self.states() {
            for edge in self.edges(state) {
                let cubes = self.cubes(edge.guard);
                writeln!(f, "{} -> {} {:?} {cubes:?}", state.0, edge.target.0, edge.marks)?;
            }
        }
        Ok(())
    }
}
