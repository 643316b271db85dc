//! The stack of a depth-first search: states to visit, and how to get to them.
//!
//! It is a list of frames; a frame holds the new successors of one state, the states behind `next` still to be visited. The states just before each
//! frame's `next` form the path.

use super::chunks::Chunks;
use super::entries::List;
use super::exchange::Portable;
use super::open::{Decoder, Encoder};
use super::path::Path;

/// States to visit, and how to get to them.
pub(super) struct Stack<E> {
    /// The way to the states that were given.
    pub path: Path<E>,
    pub entries: E,
    pub frames: Chunks<Frame>,
}

/// The successors of one state that were new: entries from `start` to `end`, those before `next` visited.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub start: usize,
    pub next: usize,
    pub end: usize,
}

impl<E: List> Stack<E> {
    /// States that wait to be visited, and to which no path is needed.
    pub fn waiting(waiting: E) -> Stack<E> {
        let frames = [Frame { start: 0, next: 0, end: waiting.len() }].into_iter().collect();
        Stack { path: Path::default(), entries: waiting, frames }
    }

    /// How far the state that is visited is from the initial one.
    #[inline]
    pub fn depth(&self) -> u64 {
        (self.path.len() + self.frames.len() - 1) as u64
    }

    /// The memory of entries and frames.
    pub fn bytes(&self) -> u64 {
        self.entries.bytes() + self.frames.bytes()
    }

    fn restore(from: &mut Decoder<'_>) -> Option<Stack<E>> {
        let (path, entries) = (E::restore(from)?, E::restore(from)?);
        let length = path.len();
        let path = Path::default().followed_by(path, length, None);
        let mut frames: Chunks<Frame> = Chunks::default();
        for _ in 0..from.length(24)? {
            let mut index = || usize::try_from(from.number()?).ok();
            let frame = Frame { start: index()?, next: index()?, end: index()? };
            // All frames but the last have a visited state, from which the next one comes.
            let above = frames.last_mut().is_none_or(|below| frame.start >= below.end && below.next > below.start);
            if !above || frame.next < frame.start || frame.end < frame.next || frame.end > entries.len() {
                return None;
            }
            frames.push(frame);
        }
        Some(Stack { path, entries, frames })
    }
}

impl<E> Default for Stack<E>
where
    E: List,
{
    fn default() -> Stack<E> {
        Stack { path: Path::default(), entries: E::default(), frames: Chunks::default() }
    }
}

impl<E: List> Portable for Stack<E> {
    fn to_bytes(&self) -> Vec<u8> {
        let mut to = Encoder::default();
        let mut whole = E::default();
        for (states, count) in self.path.pieces() {
            (0..count).for_each(|index| whole.copy(states, index));
        }
        whole.save(&mut to);
        self.entries.save(&mut to);
        to.number(self.frames.len() as u64);
        for Frame { start, next, end } in self.frames.iter() {
            [start, next, end].into_iter().for_each(|index| to.number(index as u64));
        }
        to.0
    }

    fn from_bytes(bytes: &[u8]) -> Option<(Stack<E>, &[u8])> {
        let mut from = Decoder(bytes);
        let stack = Stack::restore(&mut from)?;
        Some((stack, from.0))
    }
}
