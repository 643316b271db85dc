//! A hash index from records to their numbers: the records live elsewhere and never move.
//!
//! A slot is the record's number with, above it, as many bits of the hash as there is space for; these spare most
//! readings of records that are not the one asked for. Lines, shards and growth are those of the compact set.
//!
//! *Each record is indexed once*, for the reason given in the compact table: all who insert equal records walk the same
//! slots and compete for the same first empty one. The record is written before its number is published (the exchange
//! releases, the reading acquires), so whoever finds the number can read the record.

use super::growing::{Growing, Inside};
use super::memory::{Budget, Charge, Zeroed};
use super::slot::{LINE, RATIO, SlotWord, Wanted, next_size, prefetch};
use super::sync::{Arc, AtomicU64, Ordering};
use std::collections::VecDeque;
use std::ptr;

const SHARD_BITS: u32 = if cfg!(loom) { 1 } else { 6 };
/// Share of slots in use at which a table is to be replaced.
const COMFORT: f64 = 0.8;
/// Records that are on their way from memory while a table is copied.
const AHEAD: usize = 48;

/// The index of records numbered from 1.
pub(crate) struct Index<W> {
    shards: Box<[Growing<Table<W>>]>,
    budget: Arc<Budget>,
}

/// How an index sees the records.
pub(crate) trait Records {
    /// The hash of a record in the index. `scratch` is for the implementation to use.
    fn hash(&self, number: u64, scratch: &mut Vec<u8>) -> u64;

    /// The hash of a record of which so many of its last bits are known, if they suffice.
    fn hash_of_tag(_tag: u64, _bits: u32) -> Option<u64> {
        None
    }

    /// Asks for a record to be brought near.
    fn prefetch(&self, number: u64);
}

/// What became of asking for a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Indexed {
    /// It was there, with this number.
    Known(u64),
    /// It is there now, with the number offered.
    New(u64),
    /// It was not there, and there is no memory for it.
    Full,
}

struct Table<W> {
    slots: Zeroed<W>,
    lines: u64,
    /// Bits of a slot that are the number; the others are of the hash.
    number_bits: u32,
    comfortable: u64,
    count: Count,
    _charge: Option<Charge>,
}

#[repr(align(64))]
struct Count(AtomicU64);

/// Where a walk along the slots ended.
enum Walk {
    Found(u64),
    Empty(usize),
    NoRoom,
    Moving,
}

impl<W: SlotWord + Send + Sync + 'static> Index<W> {
    pub(crate) fn new(budget: &Arc<Budget>) -> Index<W> {
        let shards = (0..1u64 << SHARD_BITS).map(|_| Growing::new(Table::without_slots())).collect();
        Index { shards, budget: Arc::clone(budget) }
    }

    /// Finds the record with this hash for which `is_it` says yes, or enters the number of a new one.
    ///
    /// `offer` writes the record and tells its number. It may be called more than once and must then offer the same
    /// number; if another worker was faster, the answer is `Known` and the offered number is free for another record.
    #[inline]
    pub(crate) fn find_or_insert(
        &self,
        hash: u64,
        inside: &mut Inside<'_>,
        records: &impl Records,
        is_it: impl Fn(u64) -> bool,
        mut offer: impl FnMut() -> Option<u64>,
    ) -> Indexed {
        let shard = (hash >> (64 - SHARD_BITS)) as usize;
        loop {
            let table = self.shards[shard].table(inside);
            let slot = match table.walk(hash, &is_it) {
                Walk::Found(number) => return Indexed::Known(number),
                Walk::Empty(slot) => Some(slot),
                Walk::NoRoom => None,
                Walk::Moving => {
                    self.shards[shard].wait(inside);
                    continue;
                }
            };
            let Some(number) = offer() else { return Indexed::Full };
            let Some(slot) = slot.filter(|_| number >> table.number_bits == 0) else {
                let seen = ptr::from_ref(table);
                if !self.grow(shard, number, inside, seen, records) {
                    return Indexed::Full;
                }
                continue;
            };
            if table.slots[slot].claim(table.value(hash, number)).is_ok() {
                let before = table.count.0.fetch_add(1, Ordering::Relaxed);
                if before >= table.comfortable && !self.shards[shard].is_claimed() {
                    let seen = ptr::from_ref(table);
                    self.grow(shard, number, inside, seen, records);
                }
                return Indexed::New(number);
            }
        }
    }

    /// Asks for the line of a hash to be brought near.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64, inside: &Inside<'_>) {
        let table = self.shards[(hash >> (64 - SHARD_BITS)) as usize].table(inside);
        prefetch(table.slots.get(table.home(hash) as usize * W::PER_LINE));
    }

    /// The number of the record that a hash most likely belongs to, if there is one in the line of the hash; it is asked to be brought near.
    #[inline]
    pub(crate) fn candidate(&self, hash: u64, inside: &Inside<'_>, records: &impl Records) -> Option<u64> {
        let table = self.shards[(hash >> (64 - SHARD_BITS)) as usize].table(inside);
        let start = table.home(hash) as usize * W::PER_LINE;
        let line = table.slots.get(start..start + W::PER_LINE)?;
        let (tag, largest) = (table.value(hash, 0), !(u64::MAX << table.number_bits));
        for slot in line {
            let found = slot.read();
            let number = found ^ tag;
            if number <= largest {
                // Number zero is that of an empty or a frozen slot.
                let number = Some(number).filter(|&number| number != 0)?;
                records.prefetch(number);
                return Some(number);
            }
            if found == 0 {
                break;
            }
        }
        None
    }

    /// Calls `visit` with the number of each record.
    pub(crate) fn for_each(&self, inside: &Inside<'_>, mut visit: impl FnMut(u64)) {
        for shard in &self.shards {
            let table = shard.table(inside);
            let numbers = table.slots.iter().map(|slot| slot.read() & !(u64::MAX << table.number_bits));
            numbers.filter(|&number| number != 0).for_each(&mut visit);
        }
    }

    /// Replaces a shard's table by one with room for one more record, whose number is given; false if there is no memory
    /// for it. If the table is not the one `seen` any more, that is enough.
    #[cold]
    fn grow(
        &self,
        shard: usize,
        number: u64,
        inside: &mut Inside<'_>,
        seen: *const Table<W>,
        records: &impl Records,
    ) -> bool {
        let mut grown = true;
        self.shards[shard].replace(inside, |old| {
            if !ptr::eq(old, seen) {
                return None;
            }
            let mut wanted = (old.len() + 1) as f64 / COMFORT;
            if number >> old.number_bits == 0 {
                // It is room that is missing, not bits.
                wanted = wanted.max(old.slots.len() as f64);
                if W::BITS == u64::BITS {
                    // Beside whole states slots are small: time is saved rather than room.
                    wanted *= RATIO;
                }
            }
            let lines = next_size(wanted / W::PER_LINE as f64, shard as f64 / self.shards.len() as f64).get();
            let number_bits = old.number_bits.max(u64::BITS - number.leading_zeros() + 1).min(W::BITS - 1);
            let larger = Table::new(lines, number_bits, &self.budget);
            grown = larger.as_ref().is_some_and(|larger| old.move_into(larger, records));
            larger.filter(|_| grown)
        });
        grown
    }
}

impl<W: SlotWord> Table<W> {
    /// A slot that stays empty because its line has been copied: number 0, with a bit of the hash that no other slot with
    /// number 0 has, since there is none.
    const FROZEN: u64 = 1 << (W::BITS - 1);

    fn without_slots() -> Table<W> {
        let slots = Zeroed::new(0).unwrap_or_else(|| unreachable!("an empty slice needs no memory"));
        Table { slots, lines: 0, number_bits: 0, comfortable: 0, count: Count(AtomicU64::new(0)), _charge: None }
    }

    fn new(lines: u64, number_bits: u32, budget: &Arc<Budget>) -> Option<Table<W>> {
        let charge = budget.charge(lines.checked_mul(LINE as u64)?)?;
        let slots = Zeroed::<W>::new(usize::try_from(lines).ok()?.checked_mul(W::PER_LINE)?)?;
        let comfortable = (slots.len() as f64 * COMFORT) as u64;
        Some(Table { slots, lines, number_bits, comfortable, count: Count(AtomicU64::new(0)), _charge: Some(charge) })
    }

    fn len(&self) -> u64 {
        self.count.0.load(Ordering::Relaxed)
    }

    /// The slot of a record: its number, and above it the low bits of its hash.
    #[inline]
    fn value(&self, hash: u64, number: u64) -> u64 {
        (hash << self.number_bits | number) & (u64::MAX >> (64 - W::BITS))
    }

    /// The line where the search for a hash begins.
    #[inline]
    fn home(&self, hash: u64) -> u64 {
        ((u128::from(hash << SHARD_BITS) * u128::from(self.lines)) >> 64) as u64
    }

    #[inline]
    fn walk(&self, hash: u64, is_it: impl Fn(u64) -> bool) -> Walk {
        let (tag, largest) = (self.value(hash, 0), !(u64::MAX << self.number_bits));
        let wanted = Wanted { value: tag, compared: u64::MAX << self.number_bits, nonzero: !Self::FROZEN };
        let mut line = self.home(hash);
        for _ in 0..self.lines {
            let start = line as usize * W::PER_LINE;
            let slots = &self.slots[start..start + W::PER_LINE];
            let skipped = W::skip(slots, &wanted);
            for (offset, slot) in slots.iter().enumerate().skip(skipped) {
                let found = slot.read();
                if found == 0 {
                    return Walk::Empty(start + offset);
                }
                if found == Self::FROZEN {
                    return Walk::Moving;
                }
                let number = found ^ tag;
                if number <= largest && is_it(number) {
                    return Walk::Found(number);
                }
            }
            line = if line + 1 == self.lines { 0 } else { line + 1 };
        }
        Walk::NoRoom
    }

    /// Fills a table that nobody else knows with the numbers of this one, which is closed by that. False, and this table
    /// open again, if there was no room for all.
    fn move_into<R: Records>(&self, larger: &Table<W>, records: &R) -> bool {
        let (mut complete, mut moved, mut scratch) = (true, 0, Vec::new());
        let mut copy = |number: u64, known: Option<u64>| {
            let hash = known.unwrap_or_else(|| records.hash(number, &mut scratch));
            match larger.walk(hash, |_| false) {
                Walk::Empty(slot) => larger.slots[slot].fill(larger.value(hash, number)),
                Walk::Found(_) | Walk::NoRoom | Walk::Moving => complete = false,
            }
            moved += 1;
        };
        // Records lie anywhere: they are asked for a few lines before they are needed.
        let mut coming = VecDeque::with_capacity(AHEAD + W::PER_LINE);
        for line in self.slots.chunks_exact(W::PER_LINE) {
            // Frozen, the first empty slot closes the line: see the compact table.
            for found in line.iter().map(|slot| slot.freeze(Self::FROZEN)).take_while(|&found| found != 0) {
                let number = found & !(u64::MAX << self.number_bits);
                let known = R::hash_of_tag(found >> self.number_bits, W::BITS - self.number_bits);
                if known.is_some() {
                    copy(number, known);
                    continue;
                }
                records.prefetch(number);
                coming.push_back(number);
            }
            while coming.len() > AHEAD {
                coming.pop_front().into_iter().for_each(|number| copy(number, None));
            }
        }
        coming.into_iter().for_each(|number| copy(number, None));
        larger.count.0.store(moved, Ordering::Relaxed);
        if !complete {
            for slot in &*self.slots {
                slot.thaw(Self::FROZEN);
            }
        }
        complete
    }
}
