//! Which objects hold the same, decided by comparing contents.
//!
//! Contents get numbers as they are met, and keep them from state to state: most objects of a state hold what they held in the one
//! before, and what has changed has been met before. Which number it is depends on the order in which states come, so nothing but equality
//! is concluded from it.

use rustc_hash::FxHashMap;

use super::layout::{Layout, Reference};
use super::objects::Object;

/// The numbers of contents.
#[derive(Clone, Debug)]
pub(super) struct Kinds {
    /// By object: the number of what it holds.
    of: Vec<u32>,
    known: FxHashMap<Box<[u8]>, u32>,
    contents: Vec<u8>,
}

/// What an object holds has to be looked at.
const STALE: u32 = u32::MAX;

/// With so many contents all are forgotten before the next state, so that memory is bounded.
const MANY: usize = 1 << 13;

impl Kinds {
    pub(super) fn new(objects: usize) -> Self {
        Self { of: vec![STALE; objects], known: FxHashMap::default(), contents: Vec::new() }
    }

    /// Says that an object holds something else.
    #[inline]
    pub(super) fn change(&mut self, object: Object) {
        self.of[object as usize] = STALE;
    }

    /// Says that an object holds again what it held when this was its number.
    #[inline]
    pub(super) fn restore(&mut self, object: Object, kind: u32) {
        self.of[object as usize] = kind;
    }

    /// Looks at what an object holds: numbers, names of nothing and of itself, and that there are references to others.
    #[inline]
    pub(super) fn find(
        &mut self,
        object: Object,
        layout: &Layout,
        state: &[u8],
        (references, values): (&[Reference], &[i32]),
    ) -> u32 {
        if self.of[object as usize] == STALE {
            self.look_up(object, layout, state, (references, values));
        }
        self.of[object as usize]
    }

    /// The number of what an object holds, which has been found.
    #[inline]
    pub(super) fn get(&self, object: Object) -> u32 {
        self.of[object as usize]
    }

    /// Whether two objects are known to hold the same.
    #[inline]
    pub(super) fn are_known_equal(&self, a: Object, b: Object) -> bool {
        let kind = self.of[a as usize];
        kind == self.of[b as usize] && kind != STALE
    }

    fn look_up(&mut self, object: Object, layout: &Layout, state: &[u8], read: (&[Reference], &[i32])) {
        self.contents.clear();
        for run in layout.runs_of(object) {
            self.contents.extend_from_slice(&state[run.offset as usize..][..run.length as usize]);
        }
        for at in layout.names_of(object) {
            let (tag, number) = match read.0[at] {
                Reference::NONE => (0, read.1[at] as u32),
                Reference { object: referred, row } => (1 + u8::from(referred != object), row),
            };
            self.contents.push(tag);
            self.contents.extend(number.to_le_bytes());
        }
        let number = match self.known.get(&self.contents[..]) {
            Some(&number) => number,
            None => {
                let number = self.known.len() as u32;
                self.known.insert(self.contents.as_slice().into(), number);
                number
            }
        };
        self.of[object as usize] = number;
    }

    /// Says that another state is looked at. Only now may contents be forgotten: numbers are compared within a state.
    pub(super) fn begin(&mut self) {
        if self.known.len() >= MANY {
            self.known.clear();
            self.of.fill(STALE);
        }
    }
}
