//! Atomic propositions: numbers with names.
//!
//! The logic and the automata know propositions by number only. What a proposition means (a Promela expression, a
//! label of a HOA file) is the caller's business; its text is looked up in an [`AtomTable`] when something is printed.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

/// An atomic proposition, by number.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AtomId(pub u32);

impl AtomId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The names of atoms, in the order of their numbers.
///
/// ```
/// use automata::atom::AtomTable;
/// let mut atoms = AtomTable::default();
/// let p = atoms.intern("p");
/// assert_eq!(atoms.intern("p"), p);
/// assert_eq!(atoms.name(p), "p");
/// ```
#[derive(Clone, Default, Debug)]
pub struct AtomTable {
    names: Vec<String>,
    numbers: FxHashMap<String, AtomId>,
}

impl AtomTable {
    /// The atom called `name`; a new number if the name is new.
    pub fn intern(&mut self, name: &str) -> AtomId {
        if let Some(&atom) = self.numbers.get(name) {
            return atom;
        }
        let atom = AtomId(self.names.len() as u32);
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), atom);
        atom
    }

    /// The name of `atom`; `p7` for an atom 7 that was never named.
    pub fn name(&self, atom: AtomId) -> Cow<'_, str> {
        match self.names.get(atom.index()) {
            Some(name) => Cow::Borrowed(name),
            None => Cow::Owned(format!("p{}", atom.0)),
        }
    }

    /// The atom called `name`, if there is one.
    pub fn find(&self, name: &str) -> Option<AtomId> {
        self.numbers.get(name).copied()
    }

    /// All atoms, in the order of their numbers.
    pub fn atoms(&self) -> impl Iterator<Item = AtomId> + use<> {
        (0..self.names.len() as u32).map(AtomId)
    }
}
