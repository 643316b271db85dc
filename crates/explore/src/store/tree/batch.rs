//! The successors of one state stored together, each tree built from the parent's.
//!
//! A leaf that differs from the parent's gives every node above it another number, so which nodes have to be found is known
//! from the start: the other positions keep the parent's numbers. They stand in one array, in which each tree in turn puts
//! its own numbers and takes them back.
//!
//! Most nodes are among those that the worker used recently. For one that is not, two memory cells have to be waited for, and
//! a node cannot be looked for before its children are known. So a tree that lacks a node asks for the first cell and lets
//! the other trees go first; when its turn comes again, the cell has arrived.

use super::Shared;
use super::cursor::TreeCursor;
use super::lengths::{Form, Length};
use super::nodes::{NodeId, Pair, Spare};
use super::recent::Recent;
use super::shape::{FEW, SmallShape};
use crate::store::growing::Inside;

/// So many states are stored together at most: enough to keep the memory busy, few enough to stay in the nearest cache.
pub(super) const LANES: usize = 32;

/// How often a tree lets others go first at most. Nodes that displace each other from the recent ones cannot keep a tree from
/// being built that way.
const ROUNDS: u32 = 4;

/// Memory for the trees of some states, used again and again.
pub(super) struct Batch {
    /// The numbers of the parent's positions but the root, and for a while those of another tree.
    ids: Box<[NodeId; 2 * FEW]>,
    /// The trees that lack a node: which successor, and its leaves that differ.
    late: Vec<(usize, u64)>,
}

/// Where nodes are found.
pub(super) struct Finder<'f, 'w> {
    pub shared: &'f Shared,
    pub inside: &'f mut Inside<'w>,
    pub recent: &'f mut Recent,
    pub spare: &'f mut Spare,
}

/// What became of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Built {
    /// The children of its root.
    Root([NodeId; 2]),
    /// It cannot be built from this parent.
    Unlike,
    /// There was no memory for a node.
    Full,
}

/// Why a tree is not built.
enum Stop {
    /// A node is not near; it was asked for.
    Later,
    Full,
}

impl Default for Batch {
    fn default() -> Batch {
        Batch { ids: Box::new([NodeId::default(); 2 * FEW]), late: Vec::new() }
    }
}

impl Batch {
    /// Builds the trees of the successors with the numbers below the length of `built`, at most [`LANES`], of a parent of this form.
    pub(super) fn build<'s>(
        &mut self,
        form: &Form,
        parent: &TreeCursor,
        state: &impl Fn(usize) -> &'s [u8],
        finder: &mut Finder<'_, '_>,
        built: &mut [Built],
    ) {
        let Some(shape) = form.shape.small() else { return built.fill(Built::Unlike) };
        self.ids[..parent.ids().len()].copy_from_slice(parent.ids());
        self.late.clear();
        // Without others to be built meanwhile, there is no use in waiting.
        let patience = if built.len() == 1 { u32::MAX } else { 0 };
        for (number, built) in built.iter_mut().enumerate() {
            let state = state(number);
            if form.length != Length::Always(state.len()) {
                *built = Built::Unlike;
                continue;
            }
            let changed = form.changed_leaves(parent.raw(), state);
            match self.tree(form, shape, parent, state, changed, patience, finder) {
                Ok(root) => *built = Built::Root(root),
                Err(Stop::Later) => self.late.push((number, changed)),
                Err(Stop::Full) => *built = Built::Full,
            }
        }
        let mut round = 0;
        while !self.late.is_empty() {
            round += 1;
            let patience = if self.late.len() == 1 || round == ROUNDS { u32::MAX } else { 1 };
            let mut late = std::mem::take(&mut self.late);
            late.retain(|&(number, changed)| {
                let tree = self.tree(form, shape, parent, state(number), changed, patience, finder);
                built[number] = match tree {
                    Ok(root) => Built::Root(root),
                    Err(Stop::Later) => return true,
                    Err(Stop::Full) => Built::Full,
                };
                false
            });
            self.late = late;
        }
    }

    /// The children of the root of a tree that differs from the parent's in some leaves. `patience` tells how many nodes that are not
    /// near are waited for.
    #[expect(clippy::too_many_arguments, reason = "a tree is a parent and its differences")]
    #[inline]
    fn tree(
        &mut self,
        form: &Form,
        shape: &SmallShape,
        parent: &TreeCursor,
        state: &[u8],
        changed: u64,
        mut patience: u32,
        finder: &mut Finder<'_, '_>,
    ) -> Result<[NodeId; 2], Stop> {
        let leaves = form.shape.leaves();
        let mut above = 0;
        let mut stop = None;
        let mut rest = changed;
        while rest != 0 {
            let leaf = rest.trailing_zeros();
            rest &= rest - 1;
            above |= shape.above(leaf);
            match finder.number(form.leaf(state, leaf as usize), &mut patience) {
                Ok(id) => self.ids[leaf as usize] = id,
                Err(why) => {
                    stop = Some(why);
                    break;
                }
            }
        }
        // Parents have higher numbers than their children.
        let mut rest = if stop.is_none() { above } else { 0 };
        while rest != 0 {
            let node = rest.trailing_zeros();
            rest &= rest - 1;
            let [left, right] = shape.children(node).map(|child| self.ids[child % (2 * FEW)]);
            match finder.number(Pair::of(left, right), &mut patience) {
                Ok(id) => self.ids[(leaves + node as usize) % (2 * FEW)] = id,
                Err(why) => {
                    stop = Some(why);
                    break;
                }
            }
        }
        let root = shape.children(leaves as u32 - 2).map(|child| self.ids[child % (2 * FEW)]);
        let (leaf_ids, node_ids) = parent.ids().split_at(leaves);
        put_back(&mut self.ids[..leaves], leaf_ids, changed);
        put_back(&mut self.ids[leaves..], node_ids, above);
        stop.map_or(Ok(root), Err)
    }
}

/// Gives the positions of a set their old numbers again.
#[inline]
fn put_back(ids: &mut [NodeId], old: &[NodeId], mut positions: u64) {
    while positions != 0 {
        let position = positions.trailing_zeros() as usize;
        positions &= positions - 1;
        ids[position] = old[position];
    }
}

impl Finder<'_, '_> {
    /// The number of a pair.
    #[inline]
    fn number(&mut self, pair: Pair, patience: &mut u32) -> Result<NodeId, Stop> {
        let hash = pair.hash();
        match self.recent.get(pair, hash) {
            Some(id) => Ok(id),
            None => self.far_number(pair, hash, patience),
        }
    }

    /// The number of a pair that was not used recently.
    #[inline(never)]
    fn far_number(&mut self, pair: Pair, hash: u64, patience: &mut u32) -> Result<NodeId, Stop> {
        if *patience == 0 {
            self.shared.nodes.prefetch(hash, self.inside);
            return Err(Stop::Later);
        }
        *patience -= 1;
        let cons = || self.shared.nodes.cons(pair, hash, self.spare, self.inside);
        self.recent.get_or_find(pair, hash, cons).ok_or(Stop::Full)
    }
}
