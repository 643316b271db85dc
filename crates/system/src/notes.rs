//! What workers learn on the way, beside the states: how often, how much, whether ever.
//!
//! A note says by its kind how the notes of two workers become one. So a search merges the notes of its workers, and keeps them with a search that
//! is saved, without knowing what they are about; who wrote a note reads it again by its name.

use std::collections::BTreeMap;

use crate::{Arena, Rest};

/// Notes by their names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Notes(BTreeMap<String, Note>);

/// Something that was learnt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Note {
    /// Something happened: to one of the workers.
    Happened,
    /// A number of any size, least significant byte first: those of all workers together.
    Sum(Vec<u8>),
    /// The greatest number.
    Most(u64),
    /// A set, one byte for each member that may be in it: those of all workers.
    Union(Vec<u8>),
    /// A text: any worker's.
    Text(String),
}

impl Note {
    /// A number to be added.
    #[must_use]
    pub fn sum(number: u64) -> Note {
        Note::Sum(number.to_le_bytes().to_vec())
    }

    fn merge(&mut self, other: &Note) {
        match (self, other) {
            (Note::Sum(mine), Note::Sum(theirs)) => add(mine, theirs),
            (Note::Most(mine), Note::Most(theirs)) => *mine = (*mine).max(*theirs),
            (Note::Union(mine), Note::Union(theirs)) => {
                mine.resize(mine.len().max(theirs.len()), 0);
                mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine |= theirs);
            }
            // What happened happened, and one text is enough.
            _ => {}
        }
    }
}

/// Adds a number to another, least significant byte first.
fn add(to: &mut Vec<u8>, number: &[u8]) {
    to.resize(to.len().max(number.len()) + 1, 0);
    let mut carry = 0;
    for (index, byte) in to.iter_mut().enumerate() {
        let sum = u16::from(*byte) + u16::from(number.get(index).copied().unwrap_or(0)) + carry;
        *byte = sum as u8;
        carry = sum >> 8;
    }
    while to.last() == Some(&0) {
        to.pop();
    }
}

impl Notes {
    /// Adds a note.
    pub fn add(&mut self, name: &str, note: Note) {
        match self.0.get_mut(name) {
            Some(mine) => mine.merge(&note),
            None => {
                self.0.insert(name.to_string(), note);
            }
        }
    }

    /// Adds the notes of another worker.
    pub fn merge(&mut self, other: &Notes) {
        other.0.iter().for_each(|(name, note)| self.add(name, note.clone()));
    }

    /// The note of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Note> {
        self.0.get(name)
    }

    /// Whether something happened.
    #[must_use]
    pub fn happened(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// A sum as a machine number, the greatest one if it is larger; or the greatest number noted. Zero if there is none.
    #[must_use]
    pub fn number(&self, name: &str) -> u64 {
        match self.0.get(name) {
            Some(Note::Most(number)) => *number,
            Some(Note::Sum(bytes)) => {
                let small = bytes.iter().skip(8).all(|&byte| byte == 0);
                let low = bytes.iter().take(8).rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
                if small { low } else { u64::MAX }
            }
            _ => 0,
        }
    }

    /// The bytes of a sum or a set; none if there is no such note.
    #[must_use]
    pub fn bytes(&self, name: &str) -> &[u8] {
        match self.0.get(name) {
            Some(Note::Sum(bytes) | Note::Union(bytes)) => bytes,
            _ => &[],
        }
    }

    /// A text.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.0.get(name) {
            Some(Note::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The notes as bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut piece = |content: &[u8]| {
            bytes.extend((content.len() as u64).to_le_bytes());
            bytes.extend(content);
        };
        for (name, note) in &self.0 {
            piece(name.as_bytes());
            match note {
                Note::Happened => piece(&[0]),
                Note::Sum(number) => piece(&[&[1], number.as_slice()].concat()),
                Note::Most(number) => piece(&[&[2], number.to_le_bytes().as_slice()].concat()),
                Note::Union(set) => piece(&[&[3], set.as_slice()].concat()),
                Note::Text(text) => piece(&[&[4], text.as_bytes()].concat()),
            }
        }
        bytes
    }

    /// The notes that such bytes are; `None` if they are none.
    #[must_use]
    pub fn from_bytes(mut bytes: &[u8]) -> Option<Notes> {
        let mut notes = Notes::default();
        while !bytes.is_empty() {
            let mut piece = || {
                let (length, rest) = bytes.split_first_chunk::<8>()?;
                let (content, rest) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
                bytes = rest;
                Some(content)
            };
            let name = std::str::from_utf8(piece()?).ok()?;
            let (kind, content) = piece()?.split_first()?;
            let note = match kind {
                0 => Note::Happened,
                1 => Note::Sum(content.to_vec()),
                2 => Note::Most(u64::from_le_bytes(content.try_into().ok()?)),
                3 => Note::Union(content.to_vec()),
                4 => Note::Text(std::str::from_utf8(content).ok()?.to_string()),
                _ => return None,
            };
            notes.add(name, note);
        }
        Some(notes)
    }
}

/// What a worker has seen of the states that it expanded.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    expanded: u64,
    inner_steps: u64,
    vector_bytes: u64,
    errors: bool,
    diverges: bool,
    truncated: bool,
}

impl Seen {
    /// The name of the note: how often a state was expanded.
    pub const EXPANDED: &'static str = "expanded";
    /// The name of the note: steps inside of transitions.
    pub const INNER_STEPS: &'static str = "inner steps";
    /// The name of the note: the length of the longest vector.
    pub const VECTOR_BYTES: &'static str = "vector bytes";
    /// The name of the note: something went wrong on the way out of a state.
    pub const ERRORS: &'static str = "errors";
    /// The name of the note: a transition was met that never comes to its end.
    pub const DIVERGES: &'static str = "divergence";
    /// The name of the note: a transition was not followed to its end.
    pub const TRUNCATED: &'static str = "truncation";

    /// A state is visited, however often its successors are asked for.
    #[inline]
    pub fn visited(&mut self) {
        self.expanded += 1;
    }

    /// Successors of a state were asked for.
    #[inline]
    pub fn expanded(&mut self, state: &[u8], successors: &Arena) {
        let signals = successors.signals();
        self.inner_steps += signals.inner_steps;
        self.vector_bytes = self.vector_bytes.max(state.len() as u64);
        self.errors |= signals.errors > 0;
        self.diverges |= signals.diverges;
        self.truncated |= signals.truncated;
    }

    /// The same as notes.
    pub fn notes(&self, into: &mut Notes) {
        into.add(Seen::EXPANDED, Note::sum(self.expanded));
        into.add(Seen::INNER_STEPS, Note::sum(self.inner_steps));
        into.add(Seen::VECTOR_BYTES, Note::Most(self.vector_bytes));
        let events = [(Seen::ERRORS, self.errors), (Seen::DIVERGES, self.diverges), (Seen::TRUNCATED, self.truncated)];
        events.into_iter().filter(|(_, seen)| *seen).for_each(|(name, _)| into.add(name, Note::Happened));
    }
}

impl Rest {
    /// Whether it is a deadlock.
    #[must_use]
    pub fn is_invalid(self) -> bool {
        self == Rest::InvalidEnd
    }
}

#[cfg(test)]
mod tests {
    use super::{Note, Notes};

    fn notes() -> Notes {
        let mut notes = Notes::default();
        notes.add("a", Note::Happened);
        notes.add("b", Note::sum(255));
        notes.add("c", Note::Most(7));
        notes.add("d", Note::Union(vec![0, 1, 0]));
        notes.add("e", Note::Text("first".into()));
        notes
    }

    #[test]
    fn the_notes_of_two_workers_become_one() {
        let mut all = notes();
        let mut other = Notes::default();
        other.add("b", Note::sum(u64::MAX));
        other.add("c", Note::Most(5));
        other.add("d", Note::Union(vec![1]));
        other.add("e", Note::Text("second".into()));
        all.merge(&other);
        // 2^64 - 1 + 255 = 2^64 + 254.
        assert_eq!(all.bytes("b"), [254, 0, 0, 0, 0, 0, 0, 0, 1]);
        assert_eq!((all.number("b"), all.number("c")), (u64::MAX, 7));
        assert_eq!((all.bytes("d"), all.text("e")), ([1, 1, 0].as_slice(), Some("first")));
        assert!(all.happened("a") && !all.happened("f"));
    }

    #[test]
    fn notes_come_back_from_bytes_and_what_is_cut_off_does_not() {
        let bytes = notes().to_bytes();
        assert_eq!(Notes::from_bytes(&bytes), Some(notes()));
        let whole = (1..bytes.len()).filter(|&length| Notes::from_bytes(&bytes[..length]).is_some());
        // A note is a whole piece.
        assert!(whole.count() < 5);
    }
}
