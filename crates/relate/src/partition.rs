//! Bisimulations by refinement of signatures (Blom and Orzan, 2003): one driver, and a signature for each equivalence.
//!
//! All states begin in one block. In every round the *signature* of each state says which blocks its steps lead to, and states of a block with different
//! signatures part. A round looks at the blocks of the round before and at nothing newer, so the round in which two states part is the least depth of a
//! formula that tells them apart (Martens and Groote, CONCUR 2023). Blocks are nodes of a tree, each with its round: for an explanation nothing is renumbered.
//!
//! | equivalence | signature of a state |
//! | --- | --- |
//! | strong | event and block of each step |
//! | branching | the same, of all states that it reaches by internal steps within its block, without internal steps within the block |
//! | weak | event and block of each `=a⇒`, and blocks of `⇒` |
//!
//! With divergence a mark is added: for branching, if an infinite run of internal steps stays in the block; for weak, if there is one at all. For the last
//! two, cycles of internal steps are condensed first, and states come in an order in which internal steps lead back, so a signature is put together
//! from earlier ones and no closure is ever written down.

use explore::search::{Counters, End};
use rustc_hash::FxHashMap;

use crate::components::Components;
use crate::interner::Interner;
use crate::limits::Watch;
use crate::lts::split;
use crate::{Event, Lts};

/// The equivalences that are decided by refinement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Equivalence {
    Strong,
    Branching(Divergence),
    Weak(Divergence),
}

/// Does divergence count?
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Divergence {
    Ignored,
    Preserved,
}

/// A system in which cycles of internal steps are one state with an internal step to itself, and all others lead to smaller numbers.
pub(crate) struct Condensed {
    pub(crate) lts: Lts,
    /// The state of the condensed system for each of the original one.
    pub(crate) of: Vec<u32>,
}

/// Blocks of states, with the history of their splitting.
pub(crate) struct Partition {
    /// The block of each state now.
    pub(crate) block: Vec<u32>,
    blocks: Vec<Block>,
}

#[derive(Clone, Copy, Debug)]
struct Block {
    /// The block that it was split off; of the first one, itself.
    parent: u32,
    /// The round in which that happened.
    round: u32,
    is_split: bool,
}

/// The mark of divergence in a signature.
const ENDLESS: (Event, u32) = (Event::INTERNAL, u32::MAX);

impl Equivalence {
    pub(crate) fn divergence(self) -> Divergence {
        match self {
            Equivalence::Strong => Divergence::Ignored,
            Equivalence::Branching(divergence) | Equivalence::Weak(divergence) => divergence,
        }
    }

    /// The system on which it is decided.
    pub(crate) fn condense(self, lts: &Lts) -> Condensed {
        if self == Equivalence::Strong {
            return Condensed { lts: lts.clone(), of: (0..lts.states()).collect() };
        }
        let mut graph = lts;
        let mut components = Components::new();
        let mut of = Vec::with_capacity(lts.states() as usize);
        for state in 0..lts.states() {
            of.push(components.of(state, &mut graph).expect("an explicit system has no limits"));
        }
        let row = |component: u32| {
            let itself = components.is_cyclic(component).then_some((Event::INTERNAL, component));
            let inner = components.inner(component).iter().map(|&inner| (Event::INTERNAL, inner));
            let visible =
                components.visible(component, &graph).iter().map(|&(event, target)| (event, of[target as usize]));
            let mut row: Vec<(Event, u32)> = inner.chain(itself).chain(visible).collect();
            row.sort_unstable();
            row.dedup();
            row
        };
        let condensed = Lts::of_rows(of[lts.initial() as usize], (0..components.len() as u32).map(row));
        Condensed { lts: condensed, of }
    }

    /// Writes the blocks that a state reaches by internal steps, as a weak signature has them. Those of the states before it are known.
    fn closure(self, lts: &Lts, state: u32, block: &[u32], known: &Signatures, into: &mut Vec<(Event, u32)>) {
        into.clear();
        into.push((Event::INTERNAL, block[state as usize]));
        for &(_, target) in split(lts.steps(state)).0 {
            if target != state {
                into.extend_from_slice(known.of(target));
            } else if self.divergence() == Divergence::Preserved {
                into.push(ENDLESS);
            }
        }
        into.sort_unstable();
        into.dedup();
    }

    /// Writes the signature of a state of a condensed system. Those of the states before it are known, and for weak ones all closures.
    fn signature(
        self,
        lts: &Lts,
        state: u32,
        block: &[u32],
        closures: Option<&Signatures>,
        known: &Signatures,
        into: &mut Vec<(Event, u32)>,
    ) {
        into.clear();
        let own = block[state as usize];
        let closure = |state: u32| closures.map_or(&[][..], |closures| closures.of(state));
        into.extend_from_slice(closure(state));
        for &(event, target) in lts.steps(state) {
            let there = block[target as usize];
            match self {
                Equivalence::Strong => into.push((event, there)),
                // The mark of a weak signature is in the closure.
                Equivalence::Branching(Divergence::Preserved) if !event.is_visible() && target == state => {
                    into.push(ENDLESS)
                }
                _ if !event.is_visible() && target == state => {}
                Equivalence::Branching(_) if !event.is_visible() && there == own => {
                    into.extend_from_slice(known.of(target))
                }
                Equivalence::Branching(_) => into.push((event, there)),
                Equivalence::Weak(_) if !event.is_visible() => into.extend_from_slice(known.of(target)),
                Equivalence::Weak(_) => {
                    let after = closure(target).iter().filter(|&&step| step != ENDLESS);
                    into.extend(after.map(|&(_, block)| (event, block)));
                }
            }
        }
        into.sort_unstable();
        into.dedup();
    }
}

/// Writes the signature of a state, with those before it known.
type Write<'a> = &'a dyn Fn(u32, &Signatures, &mut Vec<(Event, u32)>);

/// The signatures of a round.
struct Signatures {
    all: Interner<(Event, u32)>,
    of: Vec<u32>,
}

impl Signatures {
    fn of(&self, state: u32) -> &[(Event, u32)] {
        self.all.get(self.of[state as usize])
    }
}

impl Partition {
    /// Refines until nothing changes, or until two states have parted.
    pub(crate) fn refine(
        lts: &Lts,
        equivalence: Equivalence,
        apart: Option<(u32, u32)>,
        watch: &mut Watch<'_>,
    ) -> Result<Partition, End> {
        let first = Block { parent: 0, round: 0, is_split: false };
        let mut partition = Partition { block: vec![0; lts.states() as usize], blocks: vec![first] };
        let mut round = 1;
        while partition.refine_once(lts, equivalence, round, watch)? {
            if apart.is_some_and(|(one, other)| partition.block[one as usize] != partition.block[other as usize]) {
                break;
            }
            round += 1;
        }
        Ok(partition)
    }

    /// How many blocks there are now.
    pub(crate) fn len(&self) -> usize {
        self.blocks.iter().filter(|block| !block.is_split).count()
    }

    /// The block of a state after a round.
    pub(crate) fn block_after(&self, round: u32, state: u32) -> u32 {
        let mut block = self.block[state as usize];
        while self.blocks[block as usize].round > round {
            block = self.blocks[block as usize].parent;
        }
        block
    }

    /// The round in which two states parted, and the blocks that they came into.
    pub(crate) fn parting(&self, one: u32, other: u32) -> Option<(u32, u32, u32)> {
        let (mut one, mut other) = (self.block[one as usize], self.block[other as usize]);
        if one == other {
            return None;
        }
        loop {
            let (a, b) = (self.blocks[one as usize], self.blocks[other as usize]);
            if a.parent == b.parent && a.round == b.round {
                return Some((a.round, one, other));
            }
            if a.round >= b.round {
                one = a.parent;
            } else {
                other = b.parent;
            }
        }
    }

    /// One round; answers whether a block was split.
    fn refine_once(
        &mut self,
        lts: &Lts,
        equivalence: Equivalence,
        round: u32,
        watch: &mut Watch<'_>,
    ) -> Result<bool, End> {
        let signatures = self.signatures(lts, equivalence, round, watch)?;
        let blocks = self.blocks.len();
        let mut first = vec![u32::MAX; blocks];
        for (&block, &signature) in self.block.iter().zip(&signatures.of) {
            let first = &mut first[block as usize];
            if *first == u32::MAX {
                *first = signature;
            } else if *first != signature {
                self.blocks[block as usize].is_split = true;
            }
        }
        let mut parts: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        for (block, &signature) in self.block.iter_mut().zip(&signatures.of) {
            let parent = *block;
            if self.blocks[parent as usize].is_split {
                *block = *parts.entry((parent, signature)).or_insert_with(|| {
                    self.blocks.push(Block { parent, round, is_split: false });
                    self.blocks.len() as u32 - 1
                });
            }
        }
        Ok(self.blocks.len() > blocks)
    }

    fn signatures(
        &self,
        lts: &Lts,
        equivalence: Equivalence,
        round: u32,
        watch: &mut Watch<'_>,
    ) -> Result<Signatures, End> {
        let block = &self.block;
        let mut pass = |write: Write<'_>| {
            let mut known = Signatures { all: Interner::new(), of: Vec::with_capacity(block.len()) };
            let mut signature = Vec::new();
            for state in 0..lts.states() {
                if watch.is_due() {
                    let bytes = known.all.bytes() as u64 + 16 * u64::from(lts.states()) + 16 * lts.transitions();
                    let stored = u64::from(lts.states());
                    watch.look(stored, bytes, Counters { stored, matched: 0, depth: u64::from(round) })?;
                }
                write(state, &known, &mut signature);
                let number = known.all.intern(&signature);
                known.of.push(number);
            }
            Ok(known)
        };
        let closures = match equivalence {
            Equivalence::Weak(_) => {
                Some(pass(&|state, known, into| equivalence.closure(lts, state, block, known, into))?)
            }
            _ => None,
        };
        pass(&|state, known, into| equivalence.signature(lts, state, block, closures.as_ref(), known, into))
    }
}
