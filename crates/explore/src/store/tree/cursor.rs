//! A tree whose nodes are all known: the starting point for storing a similar vector.
//!
//! A successor differs from its parent in a few words. Given the parent's leaves and node numbers, only the leaves that
//! differ and the nodes above them are looked up; the rest is copied. [`TreeCursor::advance`] is that step.

use super::lengths::{Class, Form, Length};
use super::nodes::{NodeId, Nodes, Pair};
use super::shape::Position;

/// A state of a [`TreeStore`](super::TreeStore) with the nodes of its tree.
#[derive(Clone, Default)]
pub struct TreeCursor {
    /// `None`: no state, and nothing is known.
    class: Option<Class>,
    /// The vector, eight bytes a leaf.
    leaves: Vec<Pair>,
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
        self.leaves.resize(form.shape.leaves(), Pair::default());
        self.ids.clear();
        self.ids.resize(form.shape.positions() - 1, NodeId::default());
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
    pub(super) fn decode(&mut self, form: &Form, root: [NodeId; 2], nodes: &Nodes) {
        if self.class == Some(form.class) && form.shape.leaves() <= 64 && form.length != Length::InLastLeaf {
            return self.decode_changes(form, root, nodes);
        }
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
        form.bytes(&self.leaves, &mut self.raw);
    }

    /// The same, from a state of the same form: equal nodes are equal trees, so only what differs is read. States that
    /// follow each other in a search differ in little.
    fn decode_changes(&mut self, form: &Form, root: [NodeId; 2], nodes: &Nodes) {
        let (leaves, children) = (form.shape.leaves(), form.shape.children());
        let (mut changed_leaves, mut changed_nodes) = (0u64, 0u64);
        let mut node = children.len() - 1;
        let mut pair = root;
        loop {
            for (position, id) in children[node].into_iter().zip(pair) {
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
            pair = nodes.pair(self.ids[leaves + node]).children();
        }
        while changed_leaves != 0 {
            let position = changed_leaves.trailing_zeros() as usize;
            changed_leaves &= changed_leaves - 1;
            let leaf = nodes.pair(self.ids[position]);
            self.leaves[position] = leaf;
            form.write(leaf, position, &mut self.raw);
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
        cons: impl FnMut(Pair) -> Option<NodeId>,
    ) -> Option<[NodeId; 2]> {
        debug_assert!(self.class == Some(form.class));
        // Stands if `cons` fails halfway.
        self.class = None;
        let root = if form.shape.leaves() <= 64 {
            self.advance_marking(form, state, 0, cons)
        } else {
            self.advance_marking(form, state, vec![0; form.shape.leaves().div_ceil(64)], cons)
        };
        self.class = root.is_some().then_some(form.class);
        self.raw.clear();
        self.raw.extend_from_slice(state);
        root
    }

    #[inline]
    fn advance_marking(
        &mut self,
        form: &Form,
        state: &[u8],
        mut changed: impl Marks,
        mut cons: impl FnMut(Pair) -> Option<NodeId>,
    ) -> Option<[NodeId; 2]> {
        let (shape, leaves, children) = (&form.shape, self.leaves.as_mut_slice(), form.shape.children());
        let (leaf_ids, node_ids) = self.ids.split_at_mut_checked(leaves.len())?;
        for (position, leaf) in leaves.iter_mut().enumerate() {
            let new = form.leaf(state, position);
            if *leaf != new {
                *leaf = new;
                leaf_ids[position] = cons(new)?;
                changed.mark(shape.parent(position));
            }
        }
        let id_of = |child: Position, node_ids: &[NodeId]| match (child as usize).checked_sub(leaf_ids.len()) {
            Some(node) => node_ids[node],
            None => leaf_ids[child as usize],
        };
        let (&root, inner) = children.split_last()?;
        // Parents come after their children, so marks made here lie ahead; the root's, the last, is left.
        while let Some(node) = changed.take_first() {
            let Some(pair) = inner.get(node) else { break };
            let [left, right] = pair.map(|child| id_of(child, node_ids));
            let id = cons(Pair::of(left, right))?;
            if node_ids[node] != id {
                node_ids[node] = id;
                changed.mark(shape.parent(leaf_ids.len() + node));
            }
        }
        Some(root.map(|child| id_of(child, node_ids)))
    }

    /// Writes the state's bytes to `into`, replacing what is there.
    pub(super) fn bytes(&self, into: &mut Vec<u8>) {
        into.clear();
        into.extend_from_slice(&self.raw);
    }
}

/// A set of nodes, from which the first can be taken.
trait Marks {
    fn mark(&mut self, node: usize);
    fn take_first(&mut self) -> Option<usize>;
}

/// Of up to 64 nodes.
impl Marks for u64 {
    #[inline]
    fn mark(&mut self, node: usize) {
        *self |= 1 << node;
    }

    #[inline]
    fn take_first(&mut self) -> Option<usize> {
        let first = (*self != 0).then(|| self.trailing_zeros() as usize);
        *self &= self.wrapping_sub(1);
        first
    }
}

impl Marks for Vec<u64> {
    fn mark(&mut self, node: usize) {
        self[node / 64].mark(node % 64);
    }

    fn take_first(&mut self) -> Option<usize> {
        let word = self.iter().position(|&word| word != 0)?;
        self[word].take_first().map(|bit| 64 * word + bit)
    }
}
