//! The successors of one state stored together, each tree built from the parent's.
//!
//! A leaf that differs from the parent's gives every node above it another number, so which nodes have to be found is known
//! from the start: the other positions keep the parent's numbers. They stand in one array, in which each tree in turn puts
//! its own numbers and takes them back.
//!
//! Most nodes are among those that the worker used recently. For one that is not, two memory cells have to be waited for, and
//! a node cannot be looked for before its children are known. So a tree that lacks nodes asks for the first cell of each whose
//! children it knows, and lets the other trees go first; when its turn comes again, the cells have arrived.

use super::Shared;
use super::cursor::TreeCursor;
use super::difference::differing_words;
use super::lengths::{Form, Length};
use super::nodes::{NodeId, Nodes, Pair, Spare};
use super::recent::Recent;
use super::shape::{FEW, SmallShape};
use crate::store::growing::Inside;

/// So many states are stored together at most: enough to keep the memory busy, few enough to stay in the nearest cache.
pub(super) const LANES: usize = 32;

/// Memory for the trees of some states, used again and again.
pub(super) struct Batch {
    /// The numbers of the parent's positions but the root, and for a while those of another tree.
    ids: Box<[NodeId; 2 * FEW]>,
    /// The trees that lack a node.
    late: Vec<Late>,
}

/// A tree that lacks a node.
#[derive(Clone, Copy)]
struct Late {
    /// Which successor it is.
    number: usize,
    /// Its leaves that differ.
    changed: u64,
    asked: Asked,
}

/// The leaves and nodes whose cells a tree has asked for.
#[derive(Clone, Copy, Default)]
struct Asked {
    leaves: u64,
    nodes: u64,
}

/// Where nodes are found.
pub(super) struct Finder<'f, 'w> {
    pub shared: &'f Shared,
    pub inside: &'f mut Inside<'w>,
    pub recent: &'f mut Recent,
    pub spare: &'f mut Spare,
}

/// Why a tree is not built.
enum Stop {
    /// Nodes are not near; they were asked for.
    Later,
    Full,
}

impl Default for Batch {
    fn default() -> Batch {
        Batch { ids: Box::new([NodeId::default(); 2 * FEW]), late: Vec::new() }
    }
}

impl Batch {
    /// Builds the trees of the successors with the numbers below `count`, at most [`LANES`], of a parent of this form; `None`: of no
    /// parent. `each` is given the children of the root of each, as soon as they are known. Those that cannot be built from this
    /// parent are returned as bits. What is in neither is a tree for which there was no memory.
    #[inline]
    pub(super) fn build<'s>(
        &mut self,
        form: Option<&Form>,
        cursor: &TreeCursor,
        count: usize,
        state: &impl Fn(usize) -> &'s [u8],
        finder: &mut Finder<'_, '_>,
        mut each: impl FnMut(usize, [NodeId; 2], &Inside<'_>),
    ) -> u32 {
        let all = u32::MAX >> (LANES - count);
        let Some((form, shape)) = form.and_then(|form| Some((form, form.shape.small()?))) else { return all };
        let Length::Always(length) = form.length else { return all };
        self.ids[..cursor.ids().len()].copy_from_slice(cursor.ids());
        let mut unlike = 0;
        for number in 0..count {
            let state = state(number);
            if state.len() != length {
                unlike |= 1 << number;
                continue;
            }
            let changed = form.leaves_of(differing_words(cursor.raw(), state));
            let mut asked = Asked::default();
            match self.tree(form, shape, cursor, state, changed, &mut asked, finder) {
                Ok(root) => each(number, root, finder.inside),
                Err(Stop::Full) => {}
                Err(Stop::Later) => self.late.push(Late { number, changed, asked }),
            }
        }
        // Each time a tree asks for nodes it has not asked for before, or is built.
        while !self.late.is_empty() {
            let mut waiting = std::mem::take(&mut self.late);
            waiting.retain_mut(|Late { number, changed, asked }| {
                match self.tree(form, shape, cursor, state(*number), *changed, asked, finder) {
                    Ok(root) => {
                        each(*number, root, finder.inside);
                        false
                    }
                    Err(Stop::Later) => true,
                    Err(Stop::Full) => false,
                }
            });
            self.late = waiting;
        }
        unlike
    }

    /// The children of the root of a tree that differs from the parent's in some leaves.
    #[expect(clippy::too_many_arguments, reason = "a tree is a parent and its differences")]
    #[inline]
    fn tree(
        &mut self,
        form: &Form,
        shape: &SmallShape,
        parent: &TreeCursor,
        state: &[u8],
        changed: u64,
        asked: &mut Asked,
        finder: &mut Finder<'_, '_>,
    ) -> Result<[NodeId; 2], Stop> {
        let leaves = form.shape.leaves();
        let (mut above, mut blocked) = (0, 0);
        let mut full = false;
        let mut rest = changed;
        while rest != 0 {
            let leaf = rest.trailing_zeros();
            rest &= rest - 1;
            above |= shape.above(leaf as usize);
            match finder.number(form.leaf(state, leaf as usize), leaf, &mut asked.leaves) {
                Ok(id) => self.ids[leaf as usize] = id,
                Err(why) => {
                    full |= matches!(why, Stop::Full);
                    blocked |= shape.above(leaf as usize) | BLOCKED;
                }
            }
        }
        // Parents have higher numbers than their children.
        let mut rest = above & !blocked;
        while rest != 0 {
            let node = rest.trailing_zeros();
            rest &= rest - 1;
            let [left, right] = shape.children(node).map(|child| self.ids[child % (2 * FEW)]);
            let position = (leaves + node as usize) % (2 * FEW);
            match finder.number(Pair::of(left, right), node, &mut asked.nodes) {
                Ok(id) => self.ids[position] = id,
                Err(why) => {
                    full |= matches!(why, Stop::Full);
                    blocked |= shape.above(position) | BLOCKED;
                    rest &= !blocked;
                }
            }
        }
        let root = shape.children(leaves as u32 - 2).map(|child| self.ids[child % (2 * FEW)]);
        let (leaf_ids, node_ids) = parent.ids().split_at(leaves);
        put_back(&mut self.ids[..leaves], leaf_ids, changed);
        put_back(&mut self.ids[leaves..], node_ids, above);
        match (full, blocked) {
            (true, _) => Err(Stop::Full),
            (false, 0) => Ok(root),
            (false, _) => Err(Stop::Later),
        }
    }
}

/// The bit of no node: says that some node is missing, although none above it is.
const BLOCKED: u64 = 1 << (FEW - 1);

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
    /// The number of a pair that belongs at a position of a tree. If it may be far it is asked for, unless it was already: see
    /// `asked`.
    #[inline]
    fn number(&mut self, pair: Pair, position: u32, asked: &mut u64) -> Result<NodeId, Stop> {
        let hash = pair.hash();
        match self.recent.get(pair, hash) {
            Some(id) => Ok(id),
            None => self.far_number(pair, hash, position, asked),
        }
    }

    #[inline(never)]
    fn far_number(&mut self, pair: Pair, hash: u64, position: u32, asked: &mut u64) -> Result<NodeId, Stop> {
        let bit = 1 << (position % u64::BITS);
        if *asked & bit == 0 && Nodes::are_far(self.spare) {
            *asked |= bit;
            self.shared.nodes.prefetch(hash, self.inside);
            return Err(Stop::Later);
        }
        let cons = || self.shared.nodes.cons(pair, hash, self.spare, self.inside);
        self.recent.get_or_find(pair, hash, cons).ok_or(Stop::Full)
    }
}
