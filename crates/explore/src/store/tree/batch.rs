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
use crate::store::growing::Inside;

/// The most leaves of a tree for which this is done: marks are the bits of a word.
pub(super) const MOST_LEAVES: usize = 64;

/// Memory for the trees of some states, used again and again.
#[derive(Default)]
pub(super) struct Batch {
    /// For each tree the numbers of all positions but the root, tree after tree.
    ids: Vec<NodeId>,
    trees: Vec<Tree>,
    wanted: Vec<Wanted>,
    missing: Vec<Wanted>,
}

#[derive(Clone, Copy)]
struct Tree {
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

impl Batch {
    /// Forgets all trees.
    pub(super) fn clear(&mut self) {
        self.ids.clear();
        self.trees.clear();
        self.wanted.clear();
    }

    /// Whether states like this can be built from a parent of this form.
    #[inline]
    pub(super) fn accepts(form: &Form, state: &[u8]) -> bool {
        form.length == Length::Always(state.len()) && form.shape.leaves() <= MOST_LEAVES
    }

    /// Adds a state that [`Batch::accepts`] a parent for; the number of its tree.
    #[inline]
    pub(super) fn add(&mut self, form: &Form, parent: &TreeCursor, state: &[u8]) -> usize {
        let tree = self.trees.len();
        self.trees.push(Tree { changed: 0, failed: false });
        self.ids.extend_from_slice(parent.ids());
        let mut changed = form.changed_leaves(parent.raw(), state);
        while changed != 0 {
            let position = changed.trailing_zeros();
            changed &= changed - 1;
            let pair = form.leaf(state, position as usize);
            self.wanted.push(Wanted { tree: tree as u32, position, pair, hash: pair.hash() });
        }
        tree
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
        if self.trees.is_empty() {
            // Perhaps because there would be too many nodes for the bits of a word.
            return;
        }
        let (shape, leaves) = (&form.shape, form.shape.leaves());
        self.find(form, shared, inside, recent, spare);
        let mut start = 0;
        for &end in shape.levels() {
            let level = (u64::MAX << start) & (u64::MAX >> (64 - end));
            for tree in 0..self.trees.len() {
                let mut nodes = self.trees[tree].changed & level;
                let ids = &self.ids[tree * (2 * leaves - 2)..];
                while nodes != 0 {
                    let node = nodes.trailing_zeros() as usize;
                    nodes &= nodes - 1;
                    let [left, right] = shape.children()[node].map(|child| ids[child as usize]);
                    let pair = Pair::of(left, right);
                    let position = (leaves + node) as u32;
                    self.wanted.push(Wanted { tree: tree as u32, position, pair, hash: pair.hash() });
                }
            }
            self.find(form, shared, inside, recent, spare);
            start = end;
        }
    }

    /// The children of a tree's root; `None` if there was no memory for the tree.
    #[inline]
    pub(super) fn root(&self, form: &Form, tree: usize) -> Option<[NodeId; 2]> {
        let ids = &self.ids[tree * (2 * form.shape.leaves() - 2)..];
        let &root = form.shape.children().last()?;
        (!self.trees[tree].failed).then(|| root.map(|child| ids[child as usize]))
    }

    /// Finds the numbers of all wanted pairs, and marks the nodes above those that changed.
    fn find(&mut self, form: &Form, shared: &Shared, inside: &mut Inside<'_>, recent: &mut Recent, spare: &mut Spare) {
        let Batch { ids, trees, wanted, missing } = self;
        let width = 2 * form.shape.leaves() - 2;
        let mut found = |Wanted { tree, position, .. }: Wanted, id: NodeId| {
            let place = &mut ids[tree as usize * width + position as usize];
            if *place != id {
                *place = id;
                trees[tree as usize].changed |= 1 << form.shape.parent(position as usize);
            }
        };
        missing.clear();
        for want in wanted.drain(..) {
            match recent.get(want.pair, want.hash) {
                Some(id) => found(want, id),
                None => {
                    shared.nodes.prefetch(want.hash, inside);
                    missing.push(want);
                }
            }
        }
        let mut failed = 0u64;
        for &want in missing.iter() {
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
