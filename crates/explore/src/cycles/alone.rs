//! The states of a system as one worker walks over them: named by their references, with their places in the store.

use std::sync::Arc;

use system::{Arena, Extent, Fate, Notes, Seen, System};

use super::space::{Edge, Expansion, Place, Space};
use crate::store::{Budget, Insert, LoadStates, NumberStates, StateRef};

pub(super) struct Alone<S: System, H: LoadStates> {
    pub system: S,
    handle: H,
    state: Vec<u8>,
    cursor: H::Cursor,
    transitions: Arena,
    seen: Seen,
    inserted: Vec<(Insert, u32)>,
}

impl<S: System, H: LoadStates + NumberStates> Alone<S, H> {
    pub fn new(system: S, handle: H) -> Self {
        Alone {
            system,
            handle,
            state: Vec::new(),
            cursor: Default::default(),
            transitions: Arena::new(),
            seen: Seen::default(),
            inserted: Vec::new(),
        }
    }

    /// What was learnt on the way.
    pub fn notes(&self) -> Notes {
        let mut notes = Notes::default();
        self.seen.notes(&mut notes);
        self.system.notes(&mut notes);
        notes
    }

    /// Where a transition of the last expansion leads.
    pub fn target(&self, index: usize) -> &[u8] {
        self.transitions.target(index)
    }

    /// Whether nobody had stored that state before.
    pub fn is_new(&self, index: usize) -> bool {
        matches!(self.inserted[index].0, Insert::New(_))
    }

    /// Puts the targets of the transitions at hand into the store.
    fn store(&mut self, extent: Extent, edges: &mut Vec<Edge<StateRef>>) -> (Expansion, u64) {
        let Alone { handle, transitions, cursor, inserted, .. } = self;
        edges.clear();
        if let Some(last) = sealed(transitions) {
            return (Expansion::Sealed(last), 0);
        }
        handle.insert_all_numbered(transitions.len(), |index| transitions.target(index), cursor, inserted);
        let mut new = 0;
        for (index, &(insert, number)) in inserted.iter().enumerate() {
            let (target, place) = match insert {
                Insert::New(target) => {
                    new += 1;
                    (target, Place::OPEN)
                }
                Insert::Known(target) => (target, Place(number)),
                Insert::Full => return (Expansion::Full, new),
            };
            edges.push(Edge { target, place, marks: transitions.marks(index) });
        }
        (expansion(extent), new)
    }
}

/// Where a transition leads that seals the fate of a run, if there is one.
pub(super) fn sealed(transitions: &Arena) -> Option<Vec<u8>> {
    let index = (0..transitions.len()).find(|&index| transitions.fate(index) == Fate::Sealed)?;
    Some(transitions.target(index).to_vec())
}

pub(super) fn expansion(extent: Extent) -> Expansion {
    match extent {
        Extent::All => Expansion::All,
        Extent::Part => Expansion::Part,
    }
}

impl<S: System, H: LoadStates + NumberStates> Space for Alone<S, H> {
    type System = S;

    type Node = StateRef;

    fn budget(&self) -> &Arc<Budget> {
        self.handle.budget()
    }

    fn initial(&mut self, state: &[u8]) -> Option<StateRef> {
        match self.handle.insert(state, &self.cursor) {
            Insert::New(reference) | Insert::Known(reference) => Some(reference),
            Insert::Full => None,
        }
    }

    fn expand(&mut self, node: StateRef, edges: &mut Vec<Edge<StateRef>>) -> (Expansion, u64) {
        self.handle.visit(node, &mut self.state, &mut self.cursor);
        self.seen.visited();
        let extent = self.system.reduced(&self.state, &mut self.transitions);
        self.seen.expanded(&self.state, &self.transitions);
        self.store(extent, edges)
    }

    fn expand_otherwise(&mut self, _node: StateRef, edges: &mut Vec<Edge<StateRef>>) -> (Expansion, u64) {
        let extent = self.system.other(&self.state, &mut self.transitions);
        self.seen.expanded(&self.state, &self.transitions);
        self.store(extent, edges)
    }

    fn place(&mut self, node: StateRef) -> Place {
        Place(self.handle.number(node))
    }

    fn put(&mut self, node: StateRef, place: Place) {
        self.handle.set_number(node, place.0);
    }

    fn load(&mut self, node: StateRef, into: &mut Vec<u8>) {
        self.handle.load(node, into);
    }

    fn find(&mut self, state: &[u8]) -> Place {
        match self.handle.insert(state, &Default::default()) {
            Insert::Known(reference) => self.place(reference),
            Insert::New(_) | Insert::Full => Place::OPEN,
        }
    }

    fn system(&mut self) -> &mut S {
        &mut self.system
    }
}
