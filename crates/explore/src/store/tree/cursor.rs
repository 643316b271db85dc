//! A tree whose nodes are all known: the starting point for storing a similar vector.
//!
//! A successor differs from its parent in a few words. Given the parent's leaves and node numbers, only the leaves that
//! differ and the nodes above them are looked up; the rest is copied. [`TreeCursor::advance`] is that step.

use super::form::{Form, Leaf, Length};
use super::lengths::Class;
use super::nodes::{NodeId, children, pair};
use super::shape::{FEW, Position};
use super::tables::{Finders, Tables};
use crate::store::growing::Inside;

/// A state of a [`TreeStore`](super::TreeStore) with the nodes of its tree.
#[derive(Clone, Default)]
pub struct TreeCursor {
    /// `None`: no state, and nothing is known.
    class: Option<Class>,
    leaves: Vec<Leaf>,
    /// The number of each position of the shape but the root.
    ids: Vec<NodeId>,
    /// The vector as it is.
    raw: Vec<u8>,
}

impl TreeCursor {
    /// The class of the state, if there is one.
    pub(super) fn class(&self) -> Option<Class> {
        self.class
    }

    /// The vector.
    #[inline]
    pub(super) fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// The leaves.
    #[inline]
    pub(super) fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }

    /// The number of each position but the root.
    #[inline]
    pub(super) fn ids(&self) -> &[NodeId] {
        &self.ids
    }

    /// Forgets the state.
    pub(super) fn clear(&mut self) {
        self.class = None;
    }

    /// Becomes the zero vector of a form, all of whose nodes are node 0.
    pub(super) fn set_to_zero(&mut self, form: &Form) {
        self.class = Some(form.class);
        self.leaves.clear();
        self.leaves.resize(form.shape.leaves(), Leaf::default());
        self.ids.clear();
        self.ids.resize(form.shape.positions() - 1, NodeId::ZERO);
        form.bytes(&self.leaves, &mut self.raw);
    }

    /// Becomes a copy of `other`, without allocating if there is room.
    pub(super) fn copy_from(&mut self, other: &TreeCursor) {
        self.class = other.class;
        self.leaves.clone_from(&other.leaves);
        self.ids.clone_from(&other.ids);
        self.raw.clone_from(&other.raw);
    }

    /// Becomes the state with these root children.
    pub(super) fn decode(&mut self, form: &Form, root: [NodeId; 2], tables: &Tables) {
        if self.class == Some(form.class) && form.shape.leaves() <= FEW && form.length != Length::InLastLeaf {
            return self.decode_changes(form, root, tables);
        }
        self.set_to_zero(form);
        let (leaves, nodes) = (form.shape.leaves(), form.shape.children());
        let mut found = root;
        for (node, positions) in nodes.iter().enumerate().rev() {
            if leaves + node < self.ids.len() {
                found = children(tables.nodes.get(self.ids[leaves + node]));
            }
            for (&position, id) in positions.iter().zip(found) {
                self.ids[position as usize] = id;
            }
        }
        for (leaf, &id) in self.leaves.iter_mut().zip(&self.ids) {
            *leaf = tables.leaf(form.width, id);
        }
        form.bytes(&self.leaves, &mut self.raw);
    }

    /// The same, from a state of the same form: equal nodes are equal trees, so only what differs is read. States that
    /// follow each other in a search differ in little.
    fn decode_changes(&mut self, form: &Form, root: [NodeId; 2], tables: &Tables) {
        let (leaves, nodes) = (form.shape.leaves(), form.shape.children());
        let (mut changed_leaves, mut changed_nodes) = (0u64, 0u64);
        let mut node = nodes.len() - 1;
        let mut found = root;
        loop {
            for (position, id) in nodes[node].into_iter().zip(found) {
                let position = position as usize;
                if self.ids[position] != id {
                    self.ids[position] = id;
                    match position.checked_sub(leaves) {
                        Some(node) => changed_nodes |= 1 << node,
                        None => changed_leaves |= 1 << position,
                    }
                }
            }
            // Parents have higher numbers than their children.
            if changed_nodes == 0 {
                break;
            }
            node = changed_nodes.ilog2() as usize;
            changed_nodes ^= 1 << node;
            found = children(tables.nodes.get(self.ids[leaves + node]));
        }
        while changed_leaves != 0 {
            let number = changed_leaves.trailing_zeros() as usize;
            changed_leaves &= changed_leaves - 1;
            let leaf = tables.leaf(form.width, self.ids[number]);
            form.write(number, &self.leaves[number], &leaf, &mut self.raw);
            self.leaves[number] = leaf;
        }
    }

    /// Becomes the state with these bytes, which have the form that the cursor is on already; the root's children.
    ///
    /// If there is no memory for a record of it, the cursor is left without a state.
    pub(super) fn advance(
        &mut self,
        form: &Form,
        state: &[u8],
        tables: &Tables,
        finders: &mut Finders,
        inside: &mut Inside<'_>,
    ) -> Option<[NodeId; 2]> {
        debug_assert!(self.class == Some(form.class));
        // Stands if a record is not found.
        self.class = None;
        let (shape, leaves, nodes) = (&form.shape, form.shape.leaves(), form.shape.children());
        let (mut few, mut many) = ([0], Vec::new());
        let changed: &mut [u64] = if leaves <= FEW {
            &mut few
        } else {
            many.resize(leaves.div_ceil(64), 0);
            &mut many
        };
        for number in 0..leaves {
            let leaf = form.leaf(state, number);
            if self.leaves[number] != leaf {
                self.leaves[number] = leaf;
                self.ids[number] = finders.leaf(form.width, &leaf, tables, inside)?;
                mark(changed, shape.parent(number));
            }
        }
        let (&root, inner) = nodes.split_last()?;
        let id_of = |child: Position, ids: &[NodeId]| ids[child as usize];
        // Parents come after their children, so marks made here lie ahead; the root's, the last, is left.
        while let Some(node) = take_first(changed) {
            let Some(positions) = inner.get(node) else { break };
            let [left, right] = positions.map(|child| id_of(child, &self.ids));
            let id = finders.nodes.find(&pair(left, right), &tables.nodes, inside)?;
            if self.ids[leaves + node] != id {
                self.ids[leaves + node] = id;
                mark(changed, shape.parent(leaves + node));
            }
        }
        self.class = Some(form.class);
        self.raw.clear();
        self.raw.extend_from_slice(state);
        Some(root.map(|child| id_of(child, &self.ids)))
    }

    /// Writes the state's bytes to `into`, replacing what is there.
    pub(super) fn bytes(&self, into: &mut Vec<u8>) {
        into.clear();
        into.extend_from_slice(&self.raw);
    }
}

/// Adds to a set of nodes.
fn mark(set: &mut [u64], node: usize) {
    set[node / 64] |= 1 << (node % 64);
}

/// Takes the first node from a set.
fn take_first(set: &mut [u64]) -> Option<usize> {
    let word = set.iter().position(|&word| word != 0)?;
    let bit = set[word].trailing_zeros() as usize;
    set[word] &= set[word] - 1;
    Some(64 * word + bit)
}
