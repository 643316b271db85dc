//! The states that a certificate lists, sorted by length and bytes, so that one is found by halving.
//!
//! A block holds states of one length, each as its differences from the one before: how many bytes differ, and for each of them how far it is
//! from the last one and what it is.

use machine::Machine;
use machine::layout::Area;
use machine::state::read_number;

use crate::file::{Reader, Writer};
use crate::{Accepted, Rejection};

/// So many states make a block, at most.
const BLOCK_STATES: usize = 1 << 16;
/// So many bytes are enough for a block.
const BLOCK_BYTES: usize = 1 << 24;
/// No state is longer.
const MOST_BYTES: usize = 1 << 20;

/// States, sorted.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    groups: Vec<Group>,
    count: usize,
}

/// States of one length.
#[derive(Clone, Debug)]
struct Group {
    length: usize,
    /// The number of the first one.
    first: usize,
    bytes: Vec<u8>,
}

impl Group {
    fn get(&self, index: usize) -> &[u8] {
        &self.bytes[index * self.length..(index + 1) * self.length]
    }

    fn count(&self) -> usize {
        self.bytes.len() / self.length
    }
}

impl Listing {
    /// These states.
    #[must_use]
    pub fn of(mut states: Vec<Box<[u8]>>) -> Listing {
        states.sort_unstable_by(|one, other| (one.len(), one).cmp(&(other.len(), other)));
        states.dedup();
        let mut listing = Listing::default();
        states.iter().filter(|state| !state.is_empty()).for_each(|state| listing.push(state));
        listing
    }

    fn push(&mut self, state: &[u8]) {
        match self.groups.last_mut() {
            Some(group) if group.length == state.len() => group.bytes.extend_from_slice(state),
            _ => self.groups.push(Group { length: state.len(), first: self.count, bytes: state.to_vec() }),
        }
        self.count += 1;
    }

    /// How many states there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.groups.iter().flat_map(|group| group.bytes.chunks_exact(group.length))
    }

    /// The number of a state, if it is listed.
    #[must_use]
    pub fn find(&self, state: &[u8]) -> Option<usize> {
        let group = self.groups.binary_search_by_key(&state.len(), |group| group.length).ok()?;
        let group = &self.groups[group];
        let (mut from, mut to) = (0, group.count());
        while from < to {
            let middle = from + (to - from) / 2;
            match group.get(middle).cmp(state) {
                std::cmp::Ordering::Equal => return Some(group.first + middle),
                std::cmp::Ordering::Less => from = middle + 1,
                std::cmp::Ordering::Greater => to = middle,
            }
        }
        None
    }

    /// The contents of its blocks.
    pub fn write(&self) -> impl Iterator<Item = Writer> {
        self.groups.iter().flat_map(|group| {
            let most = (BLOCK_BYTES / group.length).clamp(1, BLOCK_STATES);
            group.bytes.chunks(most * group.length).map(move |states| write_block(group.length, states))
        })
    }

    /// Takes in the states of a block. They must come in increasing order.
    ///
    /// # Errors
    /// When they do not, or the block is damaged.
    pub fn read(&mut self, block: &[u8]) -> Accepted<()> {
        let mut reader = Reader::new(block);
        let (length, count) = (reader.below(MOST_BYTES)?, reader.below(BLOCK_STATES + 1)?);
        let last = self.groups.last().map_or(0, |group| group.length);
        if length == 0 || length < last {
            return Err(Rejection::new("the states are not in order"));
        }
        let mut state = vec![0; length];
        for _ in 0..count {
            let mut at = 0;
            for _ in 0..reader.below(length + 1)? {
                at += reader.below(length)?;
                *state.get_mut(at).ok_or_else(|| Rejection::new("a difference lies behind a state"))? =
                    reader.byte()?;
                at += 1;
            }
            let before = self.groups.last().filter(|group| group.length == length);
            if before.is_some_and(|group| group.get(group.count() - 1) >= &state[..]) {
                return Err(Rejection::new("the states are not in order"));
            }
            self.push(&state);
        }
        if reader.is_at_end() { Ok(()) } else { Err(Rejection::new("a block is longer than it should be")) }
    }
}

fn write_block(length: usize, states: &[u8]) -> Writer {
    let mut writer = Writer::default();
    writer.number(length as u64);
    writer.number((states.len() / length) as u64);
    let mut before = vec![0; length];
    for state in states.chunks_exact(length) {
        let differs = |&at: &usize| state[at] != before[at];
        writer.number((0..length).filter(differs).count() as u64);
        let mut last = 0;
        for at in (0..length).filter(differs) {
            writer.number((at - last) as u64);
            writer.byte(state[at]);
            last = at + 1;
        }
        before.copy_from_slice(state);
    }
    writer
}

/// Whether bytes can be taken apart as a state of a machine: its processes are there and of known definitions, at known locations, and no channel holds
/// more than it can. What the interpreter does with such a state is defined, whatever its variables hold.
#[must_use]
pub fn is_well_formed(machine: &Machine, state: &[u8]) -> bool {
    let layout = &machine.layout;
    let (definition_width, location_width) = (layout.definition_width as usize, layout.location_width as usize);
    let fits = |area: &Area, base: usize| {
        area.channels.iter().all(|channel| {
            let shape = layout.shape(channel.shape);
            let at = base + channel.offset as usize;
            shape.is_rendezvous() || read_number(&state[at..], shape.length_width() as usize) <= shape.capacity
        })
    };
    let mut frame = layout.globals.size as usize;
    if state.len() < frame || frame == 0 || !fits(&layout.globals, 0) {
        return false;
    }
    if let Some(trace) = &machine.trace {
        let cells = layout.globals.cells(trace.cells);
        let at = cells.scalar.read(&state[cells.offset as usize..]);
        if usize::try_from(at).map_or(true, |at| at >= trace.automaton.locations.len()) {
            return false;
        }
    }
    for _ in 0..state[0] {
        if state.len() < frame + definition_width + location_width {
            return false;
        }
        let definition = read_number(&state[frame..], definition_width) as usize;
        let location = read_number(&state[frame + definition_width..], location_width) as usize;
        let Some(area) = layout.frames.get(definition) else { return false };
        let is_known = location < machine.definitions[definition].automaton.locations.len();
        if !is_known || state.len() < frame + area.size as usize || !fits(area, frame) {
            return false;
        }
        frame += area.size as usize;
    }
    frame == state.len()
}

#[cfg(test)]
mod tests {
    use super::Listing;

    #[test]
    fn states_are_found_and_read_as_they_were_written() {
        let states: Vec<Box<[u8]>> =
            [&[3, 1][..], &[1, 2, 3], &[0, 9], &[3, 1], &[1, 2, 4]].iter().map(|&state| state.into()).collect();
        let listing = Listing::of(states);
        let mut read = Listing::default();
        for block in listing.write() {
            let mut bytes = block.block(crate::file::Tag::States);
            bytes.splice(..0, crate::file::MAGIC.iter().copied());
            let mut blocks = crate::file::Blocks::new(&bytes[..]).unwrap();
            read.read(&blocks.expect(crate::file::Tag::States).unwrap()).unwrap();
        }
        assert_eq!(read.iter().collect::<Vec<_>>(), listing.iter().collect::<Vec<_>>());
        assert_eq!(
            (read.count(), read.find(&[3, 1]), read.find(&[1, 2, 4]), read.find(&[1])),
            (4, Some(1), Some(3), None)
        );
    }
}
