//! One shard of a compact set: open addressing by cache lines, a slot holding the remainder of its key.
//!
//! ```text
//! key ── permutation ──▶ mixed ── place ──▶ line, remainder          slot = remainder | displacement + 1   (0: empty)
//! ```
//! A key lives in its home line, or, if that was full, in one of the next six. Within a line, slots fill from the left
//! and are never emptied, so the first empty slot ends a search: a key found nowhere before it is not in the table. For
//! the same reason, freezing the first empty slot of a line closes the line, when the table is copied.
//!
//! *Each key is inserted once.* A slot changes once, from empty to its final value, by compare and exchange. Two workers
//! that insert the same key walk the same slots in the same order; the first empty slot that both reach goes to one of
//! them, and the other's exchange fails and shows it that very value.

use super::layout::Layout;
use super::{SHARD_BITS, next_serial};
use crate::store::memory::{Budget, Charge, Zeroed};
use crate::store::mix::{Base, Permutation, Place};
use crate::store::slot::{LINE, SlotWord, Wanted, prefetch};
use crate::store::sync::{Arc, AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::num::NonZero;

/// Bits of a slot for "displacement plus one".
const DISPLACEMENT_BITS: u32 = 3;
/// Lines in which a key may live: its home and the next ones.
const REACH: u64 = (1 << DISPLACEMENT_BITS) - 1;
/// A slot that stays empty because its line has been copied: no displacement, but not zero.
const FROZEN: u64 = 1 << DISPLACEMENT_BITS;
/// The bit of a flag byte which says that the byte has been copied; the other seven are the flags.
const FROZEN_FLAGS: u8 = 1 << 7;
/// The same bit of a number.
const FROZEN_NUMBER: u32 = 1 << 31;
/// Share of slots in use at which a table is to be replaced.
pub(crate) const COMFORT: f64 = 0.88;

/// A table of fixed size.
pub(crate) struct Table<L> {
    /// No other table of the process has it.
    serial: u64,
    layout: L,
    permutation: Permutation,
    place: Place,
    lines: u64,
    slots: Slots,
    notes: Notes,
    /// Keys at which the table is to be replaced.
    comfortable: u64,
    count: Count,
    _charge: Option<Charge>,
}

/// Written at each insertion, so kept apart from the fields above, which every lookup reads.
#[repr(align(64))]
struct Count(AtomicU64);

enum Slots {
    Narrow(Zeroed<AtomicU32>),
    Wide(Zeroed<AtomicU64>),
}

impl Slots {
    fn len(&self) -> usize {
        match self {
            Slots::Narrow(slots) => slots.len(),
            Slots::Wide(slots) => slots.len(),
        }
    }
}

/// What a set keeps for each key, beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flagging {
    Without,
    /// Seven flags, in a byte.
    With,
    /// A number of 31 bits, in a word.
    Numbers,
}

/// What is kept for each slot: flags, or a number.
enum Notes {
    None,
    Flags(Zeroed<AtomicU8>),
    Numbers(Zeroed<AtomicU32>),
}

impl Notes {
    fn new(flagging: Flagging, length: usize) -> Option<Notes> {
        Some(match flagging {
            Flagging::Without => Notes::None,
            Flagging::With => Notes::Flags(Zeroed::new(length)?),
            Flagging::Numbers => Notes::Numbers(Zeroed::new(length)?),
        })
    }

    /// The bytes of a note.
    fn size(flagging: Flagging) -> usize {
        match flagging {
            Flagging::Without => 0,
            Flagging::With => size_of::<AtomicU8>(),
            Flagging::Numbers => size_of::<AtomicU32>(),
        }
    }

    /// Changes a note and tells what it was.
    #[inline]
    fn update(&self, slot: usize, change: impl Fn(u32) -> u32) -> FlagsBefore {
        let before = match self {
            Notes::None => return FlagsBefore::Unknown,
            Notes::Flags(flags) => {
                let changed = |old: u8| (old & FROZEN_FLAGS == 0).then(|| change(u32::from(old)) as u8 & !FROZEN_FLAGS);
                flags[slot].fetch_update(Ordering::AcqRel, Ordering::Acquire, changed).map(u32::from).ok()
            }
            Notes::Numbers(numbers) => {
                let changed = |old: u32| (old & FROZEN_NUMBER == 0).then(|| change(old) & !FROZEN_NUMBER);
                numbers[slot].fetch_update(Ordering::AcqRel, Ordering::Acquire, changed).ok()
            }
        };
        before.map_or(FlagsBefore::Moving, FlagsBefore::Were)
    }

    /// Reads a note; zero where nothing is kept.
    #[inline]
    fn read(&self, slot: usize) -> FlagsBefore {
        let (note, frozen) = match self {
            Notes::None => return FlagsBefore::Unknown,
            Notes::Flags(flags) => (u32::from(flags[slot].load(Ordering::Acquire)), u32::from(FROZEN_FLAGS)),
            Notes::Numbers(numbers) => (numbers[slot].load(Ordering::Acquire), FROZEN_NUMBER),
        };
        if note & frozen == 0 { FlagsBefore::Were(note) } else { FlagsBefore::Moving }
    }

    /// Reads a note on a walk through the table, and closes or opens it.
    fn pass(&self, slot: usize, pass: Pass) -> u32 {
        match self {
            Notes::None => 0,
            Notes::Flags(flags) => {
                let flags = &flags[slot];
                let found = match pass {
                    Pass::Look => flags.load(Ordering::Acquire),
                    Pass::Freeze => flags.fetch_or(FROZEN_FLAGS, Ordering::AcqRel),
                    Pass::Thaw => flags.fetch_and(!FROZEN_FLAGS, Ordering::AcqRel),
                };
                u32::from(found & !FROZEN_FLAGS)
            }
            Notes::Numbers(numbers) => {
                let number = &numbers[slot];
                let found = match pass {
                    Pass::Look => number.load(Ordering::Acquire),
                    Pass::Freeze => number.fetch_or(FROZEN_NUMBER, Ordering::AcqRel),
                    Pass::Thaw => number.fetch_and(!FROZEN_NUMBER, Ordering::AcqRel),
                };
                found & !FROZEN_NUMBER
            }
        }
    }

    /// Writes a note of a table that nobody else knows.
    fn fill(&self, slot: usize, note: u32) {
        match self {
            Notes::None => {}
            Notes::Flags(flags) => flags[slot].store(note as u8, Ordering::Relaxed),
            Notes::Numbers(numbers) => numbers[slot].store(note, Ordering::Relaxed),
        }
    }

    /// Asks for the notes behind a slot to be brought near. Flags are not: sixteen times as many are near already.
    #[inline]
    fn prefetch(&self, slot: usize) {
        if let Notes::Numbers(numbers) = self {
            prefetch(numbers.get(slot));
        }
    }
}

/// What became of an insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inserted {
    New(Comfort),
    /// It was there, in this slot.
    Known(usize),
    /// The lines that the key may live in are full, or the key is too wide for the layout.
    NoRoom,
    /// Not in the table, which is being replaced.
    Moving,
}

/// What became of asking for flags or a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FlagsBefore {
    Were(u32),
    /// The key is not in the table, or the table has no flags.
    Unknown,
    /// The table is being replaced.
    Moving,
}

/// Is it time for a larger table?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comfort {
    Roomy,
    Crowded,
}

/// What is done to a table while walking along it.
#[derive(Clone, Copy)]
enum Pass {
    Look,
    Freeze,
    Thaw,
}

/// Where a search ended.
enum Search {
    At(usize),
    Empty { slot: usize, value: u64 },
    NoRoom,
    Moving,
}

/// The bits of a key that slots of so many bits, in so many lines, have room for.
fn room(slot_bits: u32, lines: NonZero<u64>) -> u32 {
    slot_bits - DISPLACEMENT_BITS + lines.ilog2()
}

impl<L: Layout> Table<L> {
    /// A table without slots, to be replaced at the first insertion.
    pub(crate) fn without_slots() -> Table<L> {
        let slots = Slots::Narrow(Zeroed::new(0).unwrap_or_else(|| unreachable!("an empty slice needs no memory")));
        Table::with_slots(L::narrowest(), NonZero::<u64>::MIN, slots, Notes::None, None)
    }

    /// An empty table for keys of `layout`, with slots as narrow as that allows. `lines` tells how many lines of so many
    /// slots are wanted.
    pub(crate) fn new(
        layout: L,
        lines: impl Fn(usize) -> NonZero<u64>,
        flagging: Flagging,
        budget: &Arc<Budget>,
    ) -> Option<Table<L>> {
        let (narrow_lines, wide_lines) = (lines(AtomicU32::PER_LINE), lines(AtomicU64::PER_LINE));
        let narrow = Table::is_narrow(layout, &lines);
        let (lines, per_line, room) = if narrow {
            (narrow_lines, AtomicU32::PER_LINE, room(u32::BITS, narrow_lines))
        } else {
            (wide_lines, AtomicU64::PER_LINE, room(u64::BITS, wide_lines))
        };
        let length = usize::try_from(lines.get()).ok()?.checked_mul(per_line)?;
        let note_bytes = length.checked_mul(Notes::size(flagging))?;
        let charge = budget.charge(lines.get().checked_mul(LINE as u64)?.checked_add(note_bytes as u64)?)?;
        let slots = if narrow { Slots::Narrow(Zeroed::new(length)?) } else { Slots::Wide(Zeroed::new(length)?) };
        let notes = Notes::new(flagging, length)?;
        Some(Table::with_slots(layout.widened(room.min(64 - SHARD_BITS)), lines, slots, notes, Some(charge)))
    }

    /// Whether a table of so many lines has room for keys of a layout in narrow slots.
    pub(crate) fn is_narrow(layout: L, lines: &impl Fn(usize) -> NonZero<u64>) -> bool {
        layout.bits() <= room(u32::BITS, lines(AtomicU32::PER_LINE))
    }

    /// The narrowest layout for the keys in the table.
    pub(crate) fn needed_layout(&self) -> L {
        let mut layout = L::narrowest();
        self.for_each(|rest, _| layout = layout.including(rest));
        layout
    }

    fn with_slots(layout: L, lines: NonZero<u64>, slots: Slots, notes: Notes, charge: Option<Charge>) -> Table<L> {
        let bits = layout.bits();
        Table {
            serial: next_serial(),
            layout,
            permutation: Permutation::new(bits),
            place: Place::new(lines, bits),
            lines: lines.get(),
            comfortable: (slots.len() as f64 * COMFORT) as u64,
            slots,
            notes,
            count: Count(AtomicU64::new(0)),
            _charge: charge,
        }
    }

    pub(crate) fn layout(&self) -> L {
        self.layout
    }

    /// Slots, in use or not.
    pub(crate) fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Keys in the table.
    pub(crate) fn len(&self) -> u64 {
        self.count.0.load(Ordering::Relaxed)
    }

    /// Adds a key.
    #[inline]
    pub(crate) fn insert(&self, rest: u64) -> Inserted {
        self.mixed(rest).map_or(Inserted::NoRoom, |mixed| self.insert_mixed(mixed))
    }

    /// A number by which this table is told from all others.
    #[inline]
    pub(crate) fn serial(&self) -> u64 {
        self.serial
    }

    /// A key as this table mixes it; `None` if it is too wide for the layout.
    #[inline]
    pub(crate) fn mixed(&self, rest: u64) -> Option<u64> {
        self.layout.pack(rest).map(|key| self.permutation.mix(key))
    }

    /// Adds a key, mixed.
    #[inline]
    pub(crate) fn insert_mixed(&self, mixed: u64) -> Inserted {
        match &self.slots {
            Slots::Narrow(slots) => self.insert_into(slots, mixed),
            Slots::Wide(slots) => self.insert_into(slots, mixed),
        }
    }

    /// Asks for the key's home line to be brought near.
    #[inline]
    pub(crate) fn prefetch_mixed(&self, mixed: u64) {
        let line = self.place.of(mixed).0 as usize;
        match &self.slots {
            Slots::Narrow(slots) => {
                prefetch(slots.get(line * AtomicU32::PER_LINE));
                self.notes.prefetch(line * AtomicU32::PER_LINE);
            }
            Slots::Wide(slots) => {
                prefetch(slots.get(line * AtomicU64::PER_LINE));
                self.notes.prefetch(line * AtomicU64::PER_LINE);
            }
        }
    }

    /// Changes the flags or the number of a key.
    #[inline]
    pub(crate) fn update_flags(&self, rest: u64, change: impl Fn(u32) -> u32) -> FlagsBefore {
        self.with_note(rest, |slot| self.notes.update(slot, change))
    }

    /// The flags or the number of a key.
    #[inline]
    pub(crate) fn read_flags(&self, rest: u64) -> FlagsBefore {
        self.with_note(rest, |slot| self.notes.read(slot))
    }

    /// The flags or the number behind a slot in which a key was found.
    #[inline]
    pub(crate) fn note_at(&self, slot: usize) -> FlagsBefore {
        self.notes.read(slot)
    }

    #[inline]
    fn with_note(&self, rest: u64, act: impl FnOnce(usize) -> FlagsBefore) -> FlagsBefore {
        let Some(mixed) = self.mixed(rest) else { return FlagsBefore::Unknown };
        let search = match &self.slots {
            Slots::Narrow(slots) => self.search(slots, mixed),
            Slots::Wide(slots) => self.search(slots, mixed),
        };
        match search {
            Search::At(slot) => act(slot),
            Search::Moving => FlagsBefore::Moving,
            Search::Empty { .. } | Search::NoRoom => FlagsBefore::Unknown,
        }
    }

    /// Calls `visit` with each key and its flags (0 without flags), in the order of the lines.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(u64, u32)) {
        self.for_each_mixed(Pass::Look, |mixed, flags| {
            visit(self.layout.unpack(self.permutation.unmix(mixed)), flags);
        });
    }

    /// Fills a table that nobody else knows with the keys and flags of this one, which is closed by that: from now on an
    /// insertion says [`Inserted::Moving`]. False, and this table open again, if a key found no room.
    pub(crate) fn move_into(&self, larger: &Table<L>) -> bool {
        let complete = match (&self.slots, &larger.slots) {
            (Slots::Narrow(from), Slots::Narrow(to)) => self.move_slots(from, larger, to),
            (Slots::Narrow(from), Slots::Wide(to)) => self.move_slots(from, larger, to),
            (Slots::Wide(from), Slots::Narrow(to)) => self.move_slots(from, larger, to),
            (Slots::Wide(from), Slots::Wide(to)) => self.move_slots(from, larger, to),
        };
        if !complete {
            self.for_each_mixed(Pass::Thaw, |_, _| {});
        }
        complete
    }

    fn move_slots<W: SlotWord, V: SlotWord>(&self, from: &[W], larger: &Table<L>, to: &[V]) -> bool {
        let (mut moved, mut complete) = (0, true);
        // Keys of each line so far: cheaper than looking for the first empty slot.
        let mut filled = vec![0u8; larger.lines as usize];
        if self.layout == larger.layout {
            // Lines are monotone in the mixed key: both tables are walked from end to end.
            self.for_each_in(from, Pass::Freeze, |mixed, flags| {
                complete &= larger.place_copy(to, mixed, flags, &mut filled);
                moved += 1;
            });
        } else {
            self.for_each_in(from, Pass::Freeze, |mixed, flags| {
                let mixed = larger.mixed(self.layout.unpack(self.permutation.unmix(mixed)));
                complete &= mixed.is_some_and(|mixed| larger.place_copy(to, mixed, flags, &mut filled));
                moved += 1;
            });
        }
        larger.count.0.store(moved, Ordering::Relaxed);
        complete
    }

    /// Puts a key into a table that nobody else knows.
    #[inline]
    fn place_copy<W: SlotWord>(&self, slots: &[W], mixed: u64, flags: u32, filled: &mut [u8]) -> bool {
        let (mut line, remainder) = self.place.of(mixed);
        for displacement in 0..REACH.min(self.lines) {
            let keys = &mut filled[line as usize];
            if usize::from(*keys) < W::PER_LINE {
                let slot = line as usize * W::PER_LINE + usize::from(*keys);
                *keys += 1;
                slots[slot].fill(remainder << DISPLACEMENT_BITS | (displacement + 1));
                self.notes.fill(slot, flags);
                return true;
            }
            line = self.after(line);
        }
        false
    }

    /// The line behind a line.
    #[inline]
    fn after(&self, line: u64) -> u64 {
        if line + 1 == self.lines { 0 } else { line + 1 }
    }

    #[inline]
    fn insert_into<W: SlotWord>(&self, slots: &[W], mixed: u64) -> Inserted {
        // Nearly all keys live in their home line.
        let (home, remainder) = self.place.of(mixed);
        let start = home as usize * W::PER_LINE;
        let Some(line) = slots.get(start..start + W::PER_LINE) else { return Inserted::NoRoom };
        let value = remainder << DISPLACEMENT_BITS | 1;
        let skipped = W::skip(line, &Wanted { value, compared: u64::MAX, nonzero: REACH });
        if let Some(slot) = line.get(skipped) {
            let found = slot.read();
            if found == value {
                return Inserted::Known(start + skipped);
            }
            if found == 0 && slot.claim(value).is_ok() {
                return self.inserted();
            }
        }
        self.insert_elsewhere(slots, mixed)
    }

    #[inline(never)]
    fn insert_elsewhere<W: SlotWord>(&self, slots: &[W], mixed: u64) -> Inserted {
        loop {
            match self.search(slots, mixed) {
                Search::At(slot) => return Inserted::Known(slot),
                Search::NoRoom => return Inserted::NoRoom,
                Search::Moving => return Inserted::Moving,
                Search::Empty { slot, value } => match slots[slot].claim(value) {
                    Ok(()) => return self.inserted(),
                    Err(found) if found == value => return Inserted::Known(slot),
                    // Another key came first: the search goes on behind it.
                    Err(_) => {}
                },
            }
        }
    }

    /// A key was inserted.
    #[inline]
    fn inserted(&self) -> Inserted {
        let before = self.count.0.fetch_add(1, Ordering::Relaxed);
        Inserted::New(if before < self.comfortable { Comfort::Roomy } else { Comfort::Crowded })
    }

    fn search<W: SlotWord>(&self, slots: &[W], mixed: u64) -> Search {
        let (home, remainder) = self.place.of(mixed);
        let mut line = home;
        for displacement in 0..REACH.min(self.lines) {
            let value = remainder << DISPLACEMENT_BITS | (displacement + 1);
            let start = line as usize * W::PER_LINE;
            let Some(slots) = slots.get(start..start + W::PER_LINE) else { return Search::NoRoom };
            let skipped = W::skip(slots, &Wanted { value, compared: u64::MAX, nonzero: REACH });
            for (offset, slot) in slots.iter().enumerate().skip(skipped) {
                let found = slot.read();
                if found == value {
                    return Search::At(start + offset);
                }
                if found & REACH == 0 {
                    return if found == 0 { Search::Empty { slot: start + offset, value } } else { Search::Moving };
                }
            }
            line = self.after(line);
        }
        Search::NoRoom
    }

    fn for_each_mixed(&self, pass: Pass, visit: impl FnMut(u64, u32)) {
        match &self.slots {
            Slots::Narrow(slots) => self.for_each_in(slots, pass, visit),
            Slots::Wide(slots) => self.for_each_in(slots, pass, visit),
        }
    }

    #[inline]
    fn for_each_in<W: SlotWord>(&self, slots: &[W], pass: Pass, mut visit: impl FnMut(u64, u32)) {
        // The starts of this line and of the six before it.
        let (stride, reach) = (self.place.stride(), REACH.min(self.lines));
        // Wrapping: the line before the first is the last one.
        let mut bases: Vec<Base> = (0..reach).map(|back| self.place.base((self.lines - back) % self.lines)).collect();
        let mut next = bases[0];
        for (line, content) in slots.chunks_exact(W::PER_LINE).enumerate() {
            if line > 0 {
                bases.rotate_right(1);
                bases[0] = next;
            }
            next = stride.next(next);
            for (offset, slot) in content.iter().enumerate() {
                let value = match pass {
                    Pass::Look => slot.read(),
                    Pass::Freeze => slot.freeze(FROZEN),
                    Pass::Thaw => slot.thaw(FROZEN),
                };
                if value == 0 || value == FROZEN {
                    break;
                }
                let displacement = (value & REACH) - 1;
                let flags = self.notes.pass(line * W::PER_LINE + offset, pass);
                visit(stride.mixed(bases[displacement as usize], value >> DISPLACEMENT_BITS), flags);
            }
        }
    }
}
