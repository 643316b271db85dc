//! Saving a tree store: the lengths, the records of each width in the order of their numbers, the roots, and the flags.

use super::arrangement::Arrangement;
use super::form::Width;
use super::lengths::Class;
use super::nodes::{Nodes, Spare};
use super::tables::Tables;
use super::{Shared, TreeStore, root};
use crate::store::checkpoint::{BlockReader, BlockWriter, Checkpoint, CheckpointError, Kind, Rejected, Section};
use crate::store::compact::layout::ID_BITS;
use crate::store::flagging::FlagMode;
use crate::store::growing::{Inside, Worker};
use crate::store::{Limits, StateRef};
use std::io::{self, Read, Write};

impl<F: FlagMode> Checkpoint for TreeStore<F> {
    fn save(&self, to: &mut impl Write) -> io::Result<()> {
        let mut blocks = BlockWriter::new(to, Kind::Tree)?;
        let Tables { nodes, two, three, four } = &self.shared.tables;
        let ends = [nodes.end(), two.end(), three.end(), four.end()];
        let lengths: Vec<u64> =
            self.shared.lengths.implied().flat_map(|length| self.shared.saved_length(length)).collect();
        blocks.words(Section::Shape, [F::FLAGGING as u64].into_iter().chain(ends).chain(lengths))?;
        save_records(nodes, &mut blocks)?;
        save_records(two, &mut blocks)?;
        save_records(three, &mut blocks)?;
        save_records(four, &mut blocks)?;
        let mut worker = Worker::new(&self.shared.workers);
        let states = blocks.set(&self.shared.roots, &worker.enter())?;
        blocks.finish(states)
    }

    fn restore(from: &mut impl Read, limits: Limits) -> Result<TreeStore<F>, CheckpointError> {
        let mut blocks = BlockReader::new(from, Kind::Tree)?;
        let store = TreeStore::with_mode(limits);
        let shape = blocks.shape()?;
        let [flagging, nodes, two, three, four, lengths @ ..] = shape.as_slice() else { return Err(blocks.damaged()) };
        if *flagging != F::FLAGGING as u64 {
            return Err(CheckpointError::OtherStore);
        }
        restore_lengths(&store.shared, lengths).map_err(|rejected| blocks.explain(rejected))?;
        let mut worker = Worker::new(&store.shared.workers);
        let mut inside = worker.enter();
        let tables = &store.shared.tables;
        let opened = (|| {
            let nodes = Restoring::new(&tables.nodes, *nodes)?;
            let (two, three) = (Restoring::new(&tables.two, *two)?, Restoring::new(&tables.three, *three)?);
            Ok((nodes, two, three, Restoring::new(&tables.four, *four)?))
        })();
        let (mut nodes, mut two, mut three, mut four) = opened.map_err(|rejected| blocks.explain(rejected))?;
        let states = blocks.rest(|section, words| {
            match section {
                Section::Content => {
                    let mut rest = words;
                    while !rest.is_empty() {
                        let taken = nodes.take(&mut rest, &mut inside)?
                            || two.take(&mut rest, &mut inside)?
                            || three.take(&mut rest, &mut inside)?
                            || four.take(&mut rest, &mut inside)?;
                        if !taken {
                            return Err(Rejected::Nonsense);
                        }
                    }
                }
                Section::States | Section::Flags => {
                    let entry = if section == Section::States { 1 } else { 2 };
                    let known = |&state: &u64| store.shared.can_be(StateRef(state));
                    if !words.iter().step_by(entry).all(known) {
                        return Err(Rejected::Nonsense);
                    }
                    store.shared.roots.restore(section, words, &mut inside)?;
                }
                Section::Shape | Section::End => return Err(Rejected::Nonsense),
            }
            Ok(())
        })?;
        let complete = [nodes.finish(), two.finish(), three.finish(), four.finish()];
        if states != store.shared.roots.len(&inside) || complete.contains(&false) {
            return Err(blocks.damaged());
        }
        drop(inside);
        drop(worker);
        Ok(store)
    }
}

fn save_records<const W: usize>(records: &Nodes<W>, blocks: &mut BlockWriter<'_, impl Write>) -> io::Result<()> {
    (0..records.end()).try_for_each(|number| blocks.entry(Section::Content, &records.content(number)))
}

/// A table whose records are coming back.
struct Restoring<'t, const W: usize> {
    table: &'t Nodes<W>,
    next: u64,
    end: u64,
    unused: Spare,
}

impl<'t, const W: usize> Restoring<'t, W> {
    fn new(table: &'t Nodes<W>, end: u64) -> Result<Restoring<'t, W>, Rejected> {
        table.reserve_until(end)?;
        Ok(Restoring { table, next: 0, end, unused: Spare::default() })
    }

    /// Takes the next record from the front of some words; false if there is none left.
    fn take(&mut self, words: &mut &[u64], inside: &mut Inside<'_>) -> Result<bool, Rejected> {
        if self.next == self.end {
            return Ok(false);
        }
        let (record, rest) = words.split_first_chunk().ok_or(Rejected::Nonsense)?;
        self.table.restore(self.next, record, &mut self.unused, inside)?;
        self.next += 1;
        *words = rest;
        Ok(true)
    }

    /// Whether all records came back.
    fn finish(self) -> bool {
        self.table.give_back(self.unused);
        self.next == self.end
    }
}

/// Marks a length that is followed by an arrangement.
const ARRANGED: u64 = 1 << 63;

fn restore_lengths(shared: &Shared, mut saved: &[u64]) -> Result<(), Rejected> {
    let (mut lengths, mut arrangements) = (Vec::new(), Vec::new());
    while let [length, rest @ ..] = saved {
        saved = rest;
        let plain = usize::try_from(length & !ARRANGED).map_err(|_| Rejected::Nonsense)?;
        lengths.push(plain);
        if length & ARRANGED != 0 {
            arrangements.push((plain, Arrangement::from_words(&mut saved, plain).ok_or(Rejected::Nonsense)?));
        }
    }
    shared.lengths.arrange(arrangements);
    for (class, length) in (0..).zip(lengths) {
        let form = shared.lengths.of(length).ok_or(Rejected::Nonsense)?;
        if form.class != Class::new(class) {
            return Err(Rejected::Nonsense);
        }
    }
    Ok(())
}

impl Shared {
    /// A length, and how its words are arranged.
    fn saved_length(&self, length: usize) -> Vec<u64> {
        match self.lengths.arrangement(length) {
            Some(arrangement) => [length as u64 | ARRANGED].into_iter().chain(arrangement.to_words()).collect(),
            None => vec![length as u64],
        }
    }

    /// Is this a state over the records that there are? Record 0 is there even if none was ever stored.
    fn can_be(&self, state: StateRef) -> bool {
        let Some(form) = self.lengths.form(Class::new(state.0 >> (2 * ID_BITS))) else { return false };
        let leaf_end = match form.width {
            Width::Two => self.tables.two.end(),
            Width::Three => self.tables.three.end(),
            Width::Four => self.tables.four.end(),
        };
        let Some(&positions) = form.shape.children().last() else { return false };
        positions.iter().zip(root(state)).all(|(&position, id)| {
            let is_leaf = (position as usize) < form.shape.leaves();
            let end = if is_leaf { leaf_end } else { self.tables.nodes.end() };
            u64::from(id.number()) < end.max(1)
        })
    }
}
