//! Footprints of one known process, and when two of them conflict.
//!
//! `a` conflicts with `b` when a process that is about to do `a` cannot ignore that another does `b` first: `b` might
//! make a part of `a` possible or impossible, or lead elsewhere when it is done after `a` instead of before. What `b` might
//! make possible *for itself* by `a` is no conflict. So the relation is not symmetric.
//!
//! On channels the relation is that of Holzmann and Peled (FORTE 1994): a send and a receive of different processes on a
//! channel that is neither full nor empty can be exchanged.

use super::creation::Creation;
use crate::footprint::{ChannelUse, ProcessUse};

/// What a process touches, in terms of slots and channel numbers.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Touched {
    pub reads: Bits,
    pub writes: Bits,
    /// By the channel's number.
    pub channels: Vec<(u8, ChannelUse)>,
    /// Channels that are not known: any whose number is in some variable.
    pub unknown_channels: ChannelUse,
    pub processes: ProcessUse,
    pub everything: bool,
}

/// A set of slots. The last word is not 0, so equal sets have equal words.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    pub fn insert(&mut self, bit: usize) {
        if self.0.len() <= bit / 64 {
            self.0.resize(bit / 64 + 1, 0);
        }
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    pub fn merge(&mut self, other: &Bits) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine |= theirs);
    }

    fn meets(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).any(|(mine, theirs)| mine & theirs != 0)
    }
}

/// Whether two processes conflict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Conflict {
    Never,
    Always,
    /// When one of these holds.
    When(Vec<Condition>),
}

/// What it may depend on. A rendezvous port is both full and empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Condition {
    /// The channel is full.
    Full(u8),
    /// The channel is empty.
    Empty(u8),
    /// The first process is not the youngest one.
    NotYoungest,
}

impl Touched {
    /// Adds what another touches.
    pub fn merge(&mut self, other: &Touched) {
        self.reads.merge(&other.reads);
        self.writes.merge(&other.writes);
        other.channels.iter().for_each(|&(number, usage)| self.use_channel(number, usage));
        self.unknown_channels = self.unknown_channels.and(other.unknown_channels);
        self.processes.creates |= other.processes.creates;
        self.processes.ends |= other.processes.ends;
        self.processes.counts |= other.processes.counts;
        self.everything |= other.everything;
    }

    pub fn use_channel(&mut self, number: u8, usage: ChannelUse) {
        match self.channels.binary_search_by_key(&number, |&(known, _)| known) {
            Ok(at) => self.channels[at].1 = self.channels[at].1.and(usage),
            Err(at) => self.channels.insert(at, (number, usage)),
        }
    }

    /// The same, where it matters of every channel whether it makes the process wait.
    pub fn watching(&self) -> Touched {
        // Coming to a port or leaving it makes nobody wait.
        let watch = |usage: &mut ChannelUse| {
            if *usage != ChannelUse::NONE && *usage != ChannelUse::ARRIVE {
                *usage = usage.and(ChannelUse::INSPECT);
            }
        };
        let mut watching = self.clone();
        watching.channels.iter_mut().for_each(|(_, usage)| watch(usage));
        watch(&mut watching.unknown_channels);
        watching
    }
}

/// Whether a process that is about to do `next` conflicts with one that may do `other`. `leaked` tells which channels
/// a variable may name, `creation` how the creation of a process depends on other processes.
pub(super) fn conflict(next: &Touched, other: &Touched, creation: Creation, leaked: impl Fn(u8) -> bool) -> Conflict {
    if next.everything
        || other.everything
        || next.writes.meets(&other.reads)
        || next.writes.meets(&other.writes)
        || next.reads.meets(&other.writes)
    {
        return Conflict::Always;
    }
    let mut conditions = Vec::new();
    let (mine, theirs) = (next.processes, other.processes);
    let order_matters = mine.creates && theirs.creates && creation == Creation::Numbered
        || (mine.creates && theirs.ends || mine.ends && theirs.creates) && creation != Creation::Free;
    if order_matters
        || mine.creates && theirs.counts
        || mine.counts && theirs.creates
        || mine.ends && theirs.counts
        || mine.counts && theirs.ends
    {
        return Conflict::Always;
    }
    if mine.ends && theirs.ends {
        // The youngest process can end whatever the others do, and no other can before it.
        conditions.push(Condition::NotYoungest);
    }
    let unknown = |usage: ChannelUse, number: u8| if leaked(number) { usage } else { ChannelUse::NONE };
    for &(number, usage) in &next.channels {
        let known = other.channels.binary_search_by_key(&number, |&(known, _)| known);
        let known = known.map_or(ChannelUse::NONE, |at| other.channels[at].1);
        match on_channel(usage, known.and(unknown(other.unknown_channels, number))) {
            OnChannel::Never => {}
            OnChannel::Always => return Conflict::Always,
            OnChannel::When { full, empty } => {
                conditions.extend(full.then_some(Condition::Full(number)));
                conditions.extend(empty.then_some(Condition::Empty(number)));
            }
        }
    }
    if next.unknown_channels != ChannelUse::NONE {
        let mut others = other.unknown_channels;
        for &(number, usage) in &other.channels {
            others = others.and(unknown(usage, number));
        }
        if on_channel(next.unknown_channels, others) != OnChannel::Never {
            return Conflict::Always;
        }
    }
    if conditions.is_empty() { Conflict::Never } else { Conflict::When(conditions) }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum OnChannel {
    Never,
    Always,
    When { full: bool, empty: bool },
}

/// Whether using a channel in one way conflicts with other processes' using it in another.
fn on_channel(next: ChannelUse, other: ChannelUse) -> OnChannel {
    const ADDS: ChannelUse = ChannelUse::APPEND.and(ChannelUse::INSERT);
    const LOOKS: ChannelUse = ChannelUse::TAKE.and(ChannelUse::PEEK);
    const REORDERS: ChannelUse = ChannelUse::INSERT.and(ChannelUse::DESTROY);
    if other == ChannelUse::NONE {
        return OnChannel::Never;
    }
    let always = next.meets(ChannelUse::DESTROY)
        || other.meets(ChannelUse::DESTROY)
        || next.meets(ChannelUse::INSPECT) && other.meets(ChannelUse::CHANGES)
        || next.meets(ChannelUse::CHANGES) && other.meets(ChannelUse::INSPECT)
        // Whether a rendezvous is possible depends on who waits at the other end.
        || next.meets(ChannelUse::INSPECT) && other.meets(ChannelUse::ARRIVE)
        || next.meets(ChannelUse::ARRIVE) && other.meets(ChannelUse::INSPECT)
        // Two that add compete for room and for the order; one that adds takes the room another waits for.
        || next.meets(ADDS) && other.meets(ADDS.and(ChannelUse::AWAIT_ROOM))
        || next.meets(ChannelUse::AWAIT_ROOM) && other.meets(ADDS)
        // Two that take compete for messages; one that takes may take what another waits for.
        || next.meets(ChannelUse::TAKE) && other.meets(LOOKS)
        || next.meets(LOOKS) && other.meets(ChannelUse::TAKE)
        // A message that is not put at the end may come before the oldest.
        || next.meets(REORDERS) && other.meets(LOOKS)
        || next.meets(LOOKS) && other.meets(REORDERS)
        // Whether it is an error to receive or to send depends on whether somebody says that he alone does.
        || next.meets(ChannelUse::OWN_RECEIVES) && other.meets(LOOKS)
        || next.meets(LOOKS) && other.meets(ChannelUse::OWN_RECEIVES)
        || next.meets(ChannelUse::OWN_SENDS) && other.meets(ADDS)
        || next.meets(ADDS) && other.meets(ChannelUse::OWN_SENDS)
        // A message further back may be the one that is looked for.
        || next.meets(ChannelUse::SEARCH) && other.meets(ADDS);
    if always {
        return OnChannel::Always;
    }
    let full = next.meets(ADDS.and(ChannelUse::AWAIT_ROOM)) && other.meets(ChannelUse::TAKE);
    let empty = next.meets(LOOKS) && other.meets(ADDS);
    if full || empty { OnChannel::When { full, empty } } else { OnChannel::Never }
}
