//! The set: shards of tables, and the rule by which they grow.
//!
//! A key's low bits choose its shard, in a way that shard and table together still tell the whole key ([`split`]).
//! A table that is 88 % full is replaced by one that is larger by a fixed ratio ([`next_size`]).

use super::layout::Layout;
use super::table::{COMFORT, Comfort, Flagging, FlagsBefore, Inserted, Table};
use super::{NO_SERIAL, SHARD_BITS};
use crate::store::checkpoint::{Rejected, Section};
use crate::store::growing::{Growing, Inside};
use crate::store::memory::Budget;
use crate::store::mix::spread;
use crate::store::slot::{RATIO, next_size};
use crate::store::sync::Arc;
use std::ptr;

/// Attempts to move a table into a larger one before giving up.
const ATTEMPTS: u32 = 8;

/// A set of keys below 2⁶⁴ that grows, shared by all workers.
pub(crate) struct CompactSet<L> {
    shards: Box<[Growing<Table<L>>]>,
    flagging: Flagging,
    budget: Arc<Budget>,
}

/// A key on its way into a set: its shard, the rest of it, and the rest as the table with this serial number mixes it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Coming {
    shard: usize,
    rest: u64,
    mixed: u64,
    serial: u64,
}

/// What became of an insertion into a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Added {
    New,
    Known,
    /// There is no memory to grow into.
    Full,
}

impl<L: Layout> CompactSet<L> {
    pub(crate) fn new(flagging: Flagging, budget: &Arc<Budget>) -> CompactSet<L> {
        let shards = (0..1u64 << SHARD_BITS).map(|_| Growing::new(Table::without_slots())).collect();
        CompactSet { shards, flagging, budget: Arc::clone(budget) }
    }

    /// Adds a key.
    #[inline]
    pub(crate) fn insert(&self, key: u64, inside: &mut Inside<'_>) -> Added {
        let (shard, rest) = split(key);
        let inserted = self.shards[shard].table(inside).insert(rest);
        self.settle(inserted, shard, rest, inside)
    }

    /// The first half of [`CompactSet::insert`]: all but the look at the key's line, which is asked to come near.
    #[inline]
    pub(crate) fn prepare(&self, key: u64, inside: &Inside<'_>) -> Coming {
        let (shard, rest) = split(key);
        let table = self.shards[shard].table(inside);
        match table.mixed(rest) {
            Some(mixed) => {
                table.prefetch_mixed(mixed);
                Coming { shard, rest, mixed, serial: table.serial() }
            }
            None => Coming { shard, rest, mixed: 0, serial: NO_SERIAL },
        }
    }

    /// The second half of [`CompactSet::insert`].
    #[inline]
    pub(crate) fn insert_prepared(&self, coming: Coming, inside: &mut Inside<'_>) -> Added {
        let Coming { shard, rest, mixed, serial } = coming;
        let table = self.shards[shard].table(inside);
        // Another table may have another layout, and mix the key otherwise.
        let inserted = if table.serial() == serial { table.insert_mixed(mixed) } else { table.insert(rest) };
        self.settle(inserted, shard, rest, inside)
    }

    /// The same, and the flags or the number of a key that was there, which stand beside where it was found; zero of one that was not.
    #[inline]
    pub(crate) fn insert_prepared_and_read(&self, coming: Coming, inside: &mut Inside<'_>) -> (Added, u32) {
        let Coming { shard, rest, mixed, serial } = coming;
        let table = self.shards[shard].table(inside);
        let inserted = if table.serial() == serial { table.insert_mixed(mixed) } else { table.insert(rest) };
        if let Inserted::Known(slot) = inserted
            && let FlagsBefore::Were(note) = table.note_at(slot)
        {
            return (Added::Known, note);
        }
        match self.settle(inserted, shard, rest, inside) {
            Added::Known => (Added::Known, self.read_flags(join(shard, rest), inside).unwrap_or(0)),
            added => (added, 0),
        }
    }

    /// What becomes of an insertion, after growing if that is necessary.
    #[inline]
    fn settle(&self, inserted: Inserted, shard: usize, rest: u64, inside: &mut Inside<'_>) -> Added {
        match inserted {
            Inserted::New(Comfort::Roomy) => Added::New,
            Inserted::Known(_) => Added::Known,
            Inserted::New(Comfort::Crowded) => {
                // Without memory for more comfort, lines fill up to the last slot.
                self.grow(shard, rest, inside, Reason::Crowded);
                Added::New
            }
            Inserted::NoRoom | Inserted::Moving => self.insert_after_growing(shard, rest, inside),
        }
    }

    /// Asks for the line of `key` to be brought near.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64, inside: &Inside<'_>) {
        self.prepare(key, inside);
    }

    /// Changes the flags or the number of a key by `change`, which must not use the last of their bits; what they were.
    /// `None` if the key is not in the set.
    #[inline]
    pub(crate) fn update_flags(&self, key: u64, inside: &mut Inside<'_>, change: impl Fn(u32) -> u32) -> Option<u32> {
        self.note(key, inside, |table, rest| table.update_flags(rest, &change))
    }

    /// The flags or the number of a key.
    #[inline]
    pub(crate) fn read_flags(&self, key: u64, inside: &mut Inside<'_>) -> Option<u32> {
        self.note(key, inside, |table, rest| table.read_flags(rest))
    }

    #[inline]
    fn note(&self, key: u64, inside: &mut Inside<'_>, act: impl Fn(&Table<L>, u64) -> FlagsBefore) -> Option<u32> {
        let (shard, rest) = split(key);
        loop {
            match act(self.shards[shard].table(inside), rest) {
                FlagsBefore::Were(flags) => return Some(flags),
                FlagsBefore::Unknown => return None,
                FlagsBefore::Moving => self.shards[shard].wait(inside),
            }
        }
    }

    /// Keys in the set; exact when no worker is inserting.
    pub(crate) fn len(&self, inside: &Inside<'_>) -> u64 {
        self.shards.iter().map(|shard| shard.table(inside).len()).sum()
    }

    /// Calls `visit` with each key and its flags. The keys of a shard come in ascending order: in the order of their slots they
    /// would crowd in the first lines of a smaller table, and could not be inserted there again.
    pub(crate) fn for_each(&self, inside: &Inside<'_>, mut visit: impl FnMut(u64, u32)) {
        let mut keys = Vec::new();
        for (shard, growing) in self.shards.iter().enumerate() {
            keys.clear();
            growing.table(inside).for_each(|rest, flags| keys.push((rest, flags)));
            keys.sort_unstable();
            keys.iter().for_each(|&(rest, flags)| visit(join(shard, rest), flags));
        }
    }

    /// Adds the keys, or sets the flags, that a block of a saved set tells.
    pub(crate) fn restore(&self, section: Section, words: &[u64], inside: &mut Inside<'_>) -> Result<(), Rejected> {
        match section {
            Section::States => words.iter().try_for_each(|&key| match self.insert(key, inside) {
                Added::New => Ok(()),
                Added::Known => Err(Rejected::Nonsense),
                Added::Full => Err(Rejected::Full),
            }),
            Section::Flags => words.chunks(2).try_for_each(|entry| {
                let &[key, flags] = entry else { return Err(Rejected::Nonsense) };
                let most = if self.flagging == Flagging::Numbers { u32::MAX } else { u32::from(u8::MAX) };
                let flags = u32::try_from(flags).ok().filter(|&flags| flags <= most).ok_or(Rejected::Nonsense)?;
                self.update_flags(key, inside, |_| flags).map(drop).ok_or(Rejected::Nonsense)
            }),
            Section::Shape | Section::Content | Section::End => Err(Rejected::Nonsense),
        }
    }

    #[cold]
    fn insert_after_growing(&self, shard: usize, rest: u64, inside: &mut Inside<'_>) -> Added {
        loop {
            match self.shards[shard].table(inside).insert(rest) {
                Inserted::New(_) => return Added::New,
                Inserted::Known(_) => return Added::Known,
                Inserted::Moving => self.shards[shard].wait(inside),
                Inserted::NoRoom => {
                    if !self.grow(shard, rest, inside, Reason::NoRoom) {
                        return Added::Full;
                    }
                }
            }
        }
    }

    /// Replaces a shard's table by a larger one; false if there is no memory for it. If another worker has replaced it
    /// meanwhile, that is enough: the caller looks again.
    #[cold]
    fn grow(&self, shard: usize, rest: u64, inside: &mut Inside<'_>, reason: Reason) -> bool {
        let growing = &self.shards[shard];
        if reason == Reason::Crowded && growing.is_claimed() {
            return true;
        }
        let seen = ptr::from_ref(growing.table(inside));
        let mut grown = true;
        growing.replace(inside, |old| {
            if !ptr::eq(old, seen) {
                return None;
            }
            grown = false;
            let mut slots = (old.len() + 1) as f64 / COMFORT;
            if old.layout().pack(rest).is_some() {
                // It is room that is missing, not bits.
                slots = slots.max(old.slots() as f64);
            }
            // Once suffices, unless keys crowd in a few lines, or one comes in the middle of it.
            for attempt in 1..=ATTEMPTS {
                let lines =
                    |per_line: usize| next_size(slots / per_line as f64, shard as f64 / self.shards.len() as f64);
                let mut layout = old.layout().including(rest);
                if attempt < ATTEMPTS && !Table::is_narrow(layout, &lines) {
                    // A table takes all bits that it has room for. Those that keys need are fewer.
                    layout = old.needed_layout().including(rest);
                }
                let larger = Table::new(layout, lines, self.flagging, &self.budget)?;
                if old.move_into(&larger) {
                    grown = true;
                    return Some(larger);
                }
                slots *= RATIO;
            }
            None
        });
        grown
    }
}

/// Why a table is to be replaced.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reason {
    Crowded,
    NoRoom,
}

/// The shard of a key, and the rest of the key. The shard is the key's low bits, exchanged for others by a function of
/// the rest (a Feistel round), so that the two together still tell the key.
#[inline]
fn split(key: u64) -> (usize, u64) {
    let rest = key >> SHARD_BITS;
    (((key ^ scatter(rest)) & SHARD_MASK) as usize, rest)
}

/// The inverse of [`split`].
fn join(shard: usize, rest: u64) -> u64 {
    rest << SHARD_BITS | ((shard as u64 ^ scatter(rest)) & SHARD_MASK)
}

const SHARD_MASK: u64 = (1 << SHARD_BITS) - 1;

#[inline]
fn scatter(rest: u64) -> u64 {
    spread(rest) >> (64 - SHARD_BITS)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::layout::{PairLayout, WordLayout};
    use super::*;
    use crate::store::growing::{Worker, Workers};
    use proptest::prelude::*;
    use std::collections::HashSet;

    fn worker() -> Worker {
        Worker::new(&Arc::new(Workers::default()))
    }

    /// Keys as the tree makes them: two ids below a bound, and a class.
    fn keys(ids: u64, classes: u64, count: usize) -> impl Strategy<Value = Vec<u64>> {
        prop::collection::vec((0..classes, 0..ids, 0..ids).prop_map(|(c, l, r)| c << 58 | l << 29 | r), 0..count)
    }

    fn law<L: Layout>(keys: &[u64]) -> Result<(), TestCaseError> {
        let (set, mut worker) = (CompactSet::<L>::new(Flagging::With, &Budget::new(1 << 30)), worker());
        let mut inside = worker.enter();
        let mut twin = HashSet::new();
        for &key in keys {
            let expected = if twin.insert(key) { Added::New } else { Added::Known };
            prop_assert_eq!(set.insert(key, &mut inside), expected);
            let flag = 1 << (key % 7);
            let before = set.update_flags(key, &mut inside, |flags| flags | flag);
            prop_assert_eq!(before, Some(if expected == Added::New { 0 } else { flag }));
        }
        prop_assert_eq!(set.len(&inside), twin.len() as u64);
        let mut listed = HashSet::new();
        set.for_each(&inside, |key, flags| assert!(flags == 1 << (key % 7) && listed.insert(key)));
        prop_assert_eq!(listed, twin);
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn a_set_of_pairs_is_a_set(keys in prop_oneof![keys(40, 1, 4000), keys(1 << 20, 3, 4000), keys(1 << 29, 64, 4000)]) {
            law::<PairLayout>(&keys)?;
        }

        #[test]
        fn a_set_of_words_is_a_set(keys in prop::collection::vec(any::<u64>(), 0..4000), bits in 10u32..64) {
            let keys: Vec<u64> = keys.into_iter().map(|key| key >> (64 - bits)).collect();
            law::<WordLayout>(&keys)?;
        }

        #[test]
        fn splitting_is_invertible(key: u64) {
            let (shard, rest) = split(key);
            prop_assert_eq!(join(shard, rest), key);
        }
    }

    #[test]
    fn a_key_costs_little_more_than_four_bytes_at_every_size_but_the_smallest() {
        let budget = Budget::new(1 << 30);
        let (set, mut worker) = (CompactSet::<PairLayout>::new(Flagging::Without, &budget), worker());
        let mut inside = worker.enter();
        for i in 0..8_000_000u64 {
            let (left, right) = (i % 1000, i / 1000 * 7919 % 65_536);
            assert_eq!(set.insert(left << 29 | right, &mut inside), Added::New);
            if i >= 100_000 && i % 10_000 == 0 {
                let bytes = budget.used() as f64 / i as f64;
                // Small tables, of a megabyte together, grow in larger steps. In large ones, some lines overflow a little earlier.
                let most = if i < 390_000 {
                    7.5
                } else if i < 1_000_000 {
                    6.25
                } else {
                    6.6
                };
                assert!((4.5..most).contains(&bytes), "{bytes} bytes for each of {i} keys");
            }
        }
    }

    #[test]
    fn a_full_set_keeps_what_it_has() {
        let (set, mut worker) = (CompactSet::<PairLayout>::new(Flagging::Without, &Budget::new(100_000)), worker());
        let mut inside = worker.enter();
        let keys = (0..100_000).map(|i| ((i % 300) << 29) | (i / 300));
        let added: Vec<u64> = keys.filter(|&key| set.insert(key, &mut inside) == Added::New).collect();
        assert!((15_000..25_000).contains(&added.len()), "{} keys in 100 kB", added.len());
        assert_eq!(set.len(&inside), added.len() as u64);
        assert!(added.iter().all(|&key| set.insert(key, &mut inside) == Added::Known));
    }
}
