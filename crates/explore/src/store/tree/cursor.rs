//! A tree whose nodes are all known: the starting point for storing a similar vector.
//!
//! A successor differs from its parent in a few words. Given the parent's leaves and node numbers, only the leaves that
//! differ and the nodes above them are looked up; the rest is copied. [`TreeCursor::advance`] is that step.

use super::lengths::{Class, Form, Length};
use super::nodes::{NodeId, Nodes, Pair};

/// A state of a [`TreeStore`](super::TreeStore) with the nodes of its tree.
#[derive(Clone, Default)]
pub struct TreeCursor {
    /// `None`: no state, and nothing is known.
    class: Option<Class>,
    /// The vector, eight bytes a leaf.
    leaves: Vec<Pair>,
    /// The number of each position of the shape but the root.
    ids: Vec<NodeId>,
}

/// Nodes whose children have changed, a bit each.
#[derive(Default)]
pub(super) struct Changed(Vec<u64>);

impl TreeCursor {
    /// The class of the state, if there is one.
    pub(super) fn class(&self) -> Option<Class> {
        self.class
    }

    /// Forgets the state.
    pub(super) fn clear(&mut self) {
        self.class = None;
    }

    /// Becomes the zero vector of a form, all of whose nodes are node 0.
    pub(super) fn set_to_zero(&mut self, form: &Form) {
        self.class = Some(form.class);
        self.leaves.clear();
        self.leaves.resize(form.shape.leaves(), Pair::default());
        self.ids.clear();
        self.ids.resize(form.shape.positions() - 1, NodeId::default());
    }

    /// Becomes a copy of `other`, without allocating if there is room.
    pub(super) fn copy_from(&mut self, other: &TreeCursor) {
        self.class = other.class;
        self.leaves.clone_from(&other.leaves);
        self.ids.clone_from(&other.ids);
    }

    /// Becomes the state with these root children.
    pub(super) fn decode(&mut self, form: &Form, root: [NodeId; 2], nodes: &Nodes) {
        self.set_to_zero(form);
        let (leaves, children) = (form.shape.leaves(), form.shape.children());
        let mut pair = root;
        for (node, positions) in children.iter().enumerate().rev() {
            if leaves + node < self.ids.len() {
                pair = nodes.pair(self.ids[leaves + node]).children();
            }
            for (&position, id) in positions.iter().zip(pair) {
                self.ids[position as usize] = id;
            }
        }
        for (leaf, &id) in self.leaves.iter_mut().zip(&self.ids) {
            *leaf = nodes.pair(id);
        }
    }

    /// Becomes the state with these bytes, which have the form that the cursor is on already; the root's children.
    ///
    /// `cons` finds the number of a pair. If it fails the cursor is left without a state.
    #[inline]
    pub(super) fn advance(
        &mut self,
        form: &Form,
        state: &[u8],
        changed: &mut Changed,
        mut cons: impl FnMut(Pair) -> Option<NodeId>,
    ) -> Option<[NodeId; 2]> {
        debug_assert!(self.class == Some(form.class));
        let (shape, leaves) = (&form.shape, form.shape.leaves());
        // Stands if `cons` fails halfway.
        let class = self.class.take();
        changed.0.clear();
        changed.0.resize(leaves.div_ceil(64), 0);
        for (position, leaf) in self.leaves.iter_mut().enumerate() {
            let new = form.leaf(state, position);
            if *leaf != new {
                *leaf = new;
                self.ids[position] = cons(new)?;
                changed.mark(shape.parent(position));
            }
        }
        let root = leaves - 2;
        for word in 0..changed.0.len() {
            // Parents come after their children, so marks made here lie ahead.
            while changed.0[word] != 0 {
                let node = word * 64 + changed.0[word].trailing_zeros() as usize;
                changed.0[word] &= changed.0[word] - 1;
                if node == root {
                    break;
                }
                let [left, right] = shape.children()[node].map(|child| self.ids[child as usize]);
                let id = cons(Pair::of(left, right))?;
                if self.ids[leaves + node] != id {
                    self.ids[leaves + node] = id;
                    changed.mark(shape.parent(leaves + node));
                }
            }
        }
        self.class = class;
        Some(shape.children()[root].map(|child| self.ids[child as usize]))
    }

    /// Writes the state's bytes to `into`, replacing what is there.
    pub(super) fn bytes(&self, form: &Form, into: &mut Vec<u8>) {
        let length = match form.length {
            Length::Always(length) => length,
            Length::InLastLeaf => self.leaves.last().map_or(0, |leaf| leaf.0 as usize),
        };
        into.clear();
        into.extend(self.leaves.iter().flat_map(|leaf| leaf.0.to_le_bytes()));
        into.truncate(length);
    }
}

impl Changed {
    #[inline]
    fn mark(&mut self, node: usize) {
        self.0[node / 64] |= 1 << (node % 64);
    }
}
