//! The successors of one state stored together, their trees built side by side.
//!
//! Finding the number of a node means waiting for two memory cells, and a node cannot be looked for before its children
//! are known: one tree after the other, a state costs a dozen such waits. The trees of several successors do not depend
//! on each other. So all their changed leaves are looked up first, then all their nodes of height one, and so on; the
//! cells of a level are asked for together and arrive together.

use super::Shared;
use super::cursor::TreeCursor;
use super::lengths::{Form, Length};
use super::nodes::{NodeId, Pair, Spare};
use super::recent::Recent;
use super::shape::{FEW, SmallShape};
use crate::store::growing::Inside;

/// So many states are stored together at most: enough to keep the memory busy, few enough to stay in the nearest cache.
pub(super) const LANES: usize = 32;

/// Memory for the trees of some states, used again and again.
pub(super) struct Batch {
    trees: Box<[Tree; LANES]>,
    count: usize,
    wanted: Vec<Wanted>,
    missing: Vec<Wanted>,
}

#[derive(Clone, Copy)]
struct Tree {
    /// The numbers of all positions but the root.
    ids: [NodeId; 2 * FEW],
    /// Nodes with a child that changed.
    changed: u64,
    /// There was no memory for one of its nodes.
    failed: bool,
}

/// A pair whose number is to be found.
#[derive(Clone, Copy)]
struct Wanted {
    tree: u32,
    position: u32,
    pair: Pair,
    hash: u64,
}

impl Default for Batch {
    fn default() -> Batch {
        let tree = Tree { ids: [NodeId::default(); 2 * FEW], changed: 0, failed: false };
        Batch { trees: Box::new([tree; LANES]), count: 0, wanted: Vec::new(), missing: Vec::new() }
    }
}

impl Batch {
    /// Forgets all trees.
    pub(super) fn clear(&mut self) {
        self.count = 0;
        self.wanted.clear();
    }

    /// Whether states like this can be built from a parent of this form.
    #[inline]
    pub(super) fn accepts(form: &Form, state: &[u8]) -> bool {
        form.length == Length::Always(state.len()) && form.shape.small().is_some()
    }

    /// Adds a state that [`Batch::accepts`] a parent for; there is room for [`LANES`] of them, numbered in order.
    #[inline]
    pub(super) fn add(&mut self, form: &Form, parent: &TreeCursor, state: &[u8]) {
        debug_assert!(self.count < LANES);
        let number = self.count % LANES;
        self.count += 1;
        let tree = &mut self.trees[number];
        (tree.changed, tree.failed) = (0, false);
        tree.ids[..parent.ids().len()].copy_from_slice(parent.ids());
        let mut changed = form.changed_leaves(parent.raw(), state);
        while changed != 0 {
            let position = changed.trailing_zeros();
            changed &= changed - 1;
            let pair = form.leaf(state, position as usize);
            self.wanted.push(Wanted { tree: number as u32, position, pair, hash: pair.hash() });
        }
    }

    /// Finds the numbers of all nodes of all trees.
    pub(super) fn build(
        &mut self,
        form: &Form,
        shared: &Shared,
        inside: &mut Inside<'_>,
        recent: &mut Recent,
        spare: &mut Spare,
    ) {
        let Some(shape) = form.shape.small() else { return };
        self.find(shape, shared, inside, recent, spare);
        let mut start = 0;
        for &end in form.shape.levels() {
            let level = (u64::MAX << start) & (u64::MAX >> (64 - end));
            for (number, tree) in self.trees.iter().enumerate().take(self.count) {
                let mut nodes = tree.changed & level;
                while nodes != 0 {
                    let node = nodes.trailing_zeros();
                    nodes &= nodes - 1;
                    let [left, right] = shape.children(node).map(|child| tree.ids[child % (2 * FEW)]);
                    let pair = Pair::of(left, right);
                    let position = form.shape.leaves() as u32 + node;
                    self.wanted.push(Wanted { tree: number as u32, position, pair, hash: pair.hash() });
                }
            }
            self.find(shape, shared, inside, recent, spare);
            start = end;
        }
    }

    /// The children of a tree's root; `None` if there was no memory for the tree.
    #[inline]
    pub(super) fn root(&self, form: &Form, number: usize) -> Option<[NodeId; 2]> {
        let tree = &self.trees[number % LANES];
        let &root = form.shape.children().last()?;
        (!tree.failed).then(|| root.map(|child| tree.ids[child as usize % (2 * FEW)]))
    }

    /// Finds the numbers of all wanted pairs, and marks the nodes above those that changed.
    #[inline]
    fn find(
        &mut self,
        shape: &SmallShape,
        shared: &Shared,
        inside: &mut Inside<'_>,
        recent: &mut Recent,
        spare: &mut Spare,
    ) {
        let Batch { trees, wanted, missing, .. } = self;
        let mut found = |want: &Wanted, id: NodeId| {
            let tree = &mut trees[want.tree as usize % LANES];
            let place = &mut tree.ids[want.position as usize % (2 * FEW)];
            if *place != id {
                *place = id;
                tree.changed |= 1 << shape.parent(want.position);
            }
        };
        missing.clear();
        for want in wanted.iter() {
            match recent.get(want.pair, want.hash) {
                Some(id) => found(want, id),
                None => {
                    shared.nodes.prefetch(want.hash, inside);
                    missing.push(*want);
                }
            }
        }
        wanted.clear();
        let mut failed = 0_u64;
        for want in missing.iter() {
            // Another tree may have wanted the same, so it is remembered by now.
            let cons = || shared.nodes.cons(want.pair, want.hash, spare, inside);
            match recent.get_or_find(want.pair, want.hash, cons) {
                Some(id) => found(want, id),
                None => failed |= 1 << want.tree,
            }
        }
        if failed != 0 {
            trees.iter_mut().enumerate().for_each(|(number, tree)| tree.failed |= failed >> number & 1 == 1);
        }
    }
}
