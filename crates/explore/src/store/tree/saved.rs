//! Saving a tree store: the lengths, the nodes in the order of their numbers, the roots, and the flags.

use super::arrangement::Arrangement;
use super::lengths::Class;
use super::nodes::{Pair, Spare};
use super::{Shared, TreeStore, root};
use crate::store::checkpoint::{BlockReader, BlockWriter, Checkpoint, CheckpointError, Kind, Rejected, Section};
use crate::store::compact::layout::ID_BITS;
use crate::store::flagging::FlagMode;
use crate::store::growing::Worker;
use crate::store::{Limits, StateRef};
use std::io::{self, Read, Write};

impl<F: FlagMode> Checkpoint for TreeStore<F> {
    fn save(&self, to: &mut impl Write) -> io::Result<()> {
        let mut blocks = BlockWriter::new(to, Kind::Tree)?;
        let nodes = self.shared.nodes.end();
        let lengths: Vec<u64> =
            self.shared.lengths.implied().flat_map(|length| self.shared.saved_length(length)).collect();
        blocks.words(Section::Shape, [F::FLAGGING as u64, nodes].into_iter().chain(lengths))?;
        blocks.words(Section::Content, (0..nodes).map(|node| self.shared.nodes.content(node)))?;
        let mut worker = Worker::new(&self.shared.workers);
        let states = blocks.set(&self.shared.roots, &worker.enter())?;
        blocks.finish(states)
    }

    fn restore(from: &mut impl Read, limits: Limits) -> Result<TreeStore<F>, CheckpointError> {
        let mut blocks = BlockReader::new(from, Kind::Tree)?;
        let store = TreeStore::with_mode(limits);
        let shape = blocks.shape()?;
        let [flagging, nodes, lengths @ ..] = shape.as_slice() else { return Err(blocks.damaged()) };
        if *flagging != F::FLAGGING as u64 {
            return Err(CheckpointError::OtherStore);
        }
        restore_lengths(&store.shared, lengths).map_err(|rejected| blocks.explain(rejected))?;
        store.shared.nodes.reserve_until(*nodes).map_err(|rejected| blocks.explain(rejected))?;

        let mut worker = Worker::new(&store.shared.workers);
        let mut inside = worker.enter();
        let (mut next, mut unused) = (0, Spare::default());
        let states = blocks.rest(|section, words| {
            match section {
                Section::Content => {
                    for &pair in words {
                        store.shared.nodes.restore(next, Pair(pair), &mut unused, &mut inside)?;
                        next += 1;
                    }
                }
                Section::States | Section::Flags => {
                    let entry = if section == Section::States { 1 } else { 2 };
                    let known = |&state: &u64| store.shared.can_be(StateRef(state), next);
                    if !words.iter().step_by(entry).all(known) {
                        return Err(Rejected::Nonsense);
                    }
                    store.shared.roots.restore(section, words, &mut inside)?;
                }
                Section::Shape | Section::End => return Err(Rejected::Nonsense),
            }
            Ok(())
        })?;
        store.shared.nodes.give_back(unused);
        if states != store.shared.roots.len(&inside) || next != *nodes {
            return Err(blocks.damaged());
        }
        drop(inside);
        drop(worker);
        Ok(store)
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

    /// Is this a state over the nodes below `nodes`? Node 0 is there even if no node was ever stored.
    fn can_be(&self, state: StateRef, nodes: u64) -> bool {
        let class = Class::new(state.0 >> (2 * ID_BITS));
        root(state).iter().all(|node| u64::from(node.number()) < nodes.max(1)) && self.lengths.form(class).is_some()
    }
}
