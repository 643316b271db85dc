//! The successors of one state stored together, each tree built from the parent's.
//!
//! A leaf that differs from the parent's gives every node above it another number, so which nodes have to be found is known
//! from the start: the other positions keep the parent's numbers. Leaves and numbers stand in two arrays, in which each tree in turn
//! puts its own and takes them back.
//!
//! Most records are among those that the worker used recently. For one that is not, two memory cells have to be waited for, and
//! a node cannot be looked for before its children are known. So a tree that lacks records asks for the first cell of each whose
//! content it knows, and lets the other trees go first; when its turn comes again, the cells have arrived.

use super::cursor::TreeCursor;
use super::difference::for_each_difference;
use super::form::{Form, Leaf, Order};
use super::nodes::{NodeId, Nodes, pair};
use super::shape::{FEW, SmallShape};
use super::tables::{Finder, Stop, narrowed};
use crate::store::growing::Inside;

/// So many states are stored together at most: enough to keep the memory busy, few enough to stay in the nearest cache.
pub(super) const LANES: usize = 32;

/// Memory for the trees of some states, used again and again.
pub(super) struct Batch {
    /// The numbers of the parent's positions but the root, and for a while those of another tree.
    ids: Box<[NodeId; 2 * FEW]>,
    /// The parent's leaves, and for a while those of another tree.
    leaves: Box<[Leaf; FEW]>,
    /// The trees that lack a record.
    late: Vec<Late>,
    /// The leaves of these trees that differ from the parent's, one tree after the other.
    late_leaves: Vec<Leaf>,
}

/// A tree that lacks a record.
#[derive(Clone, Copy)]
struct Late {
    /// Which successor it is.
    number: usize,
    /// Its leaves that differ, and where they are among those of all late trees.
    changed: u64,
    start: usize,
    asked: Asked,
}

/// The leaves and nodes whose cells a tree has asked for.
#[derive(Clone, Copy, Default)]
struct Asked {
    leaves: u64,
    nodes: u64,
}

/// The form of a parent with few leaves, as trees are built by it.
#[derive(Clone, Copy)]
pub(super) struct SmallForm<'f> {
    pub form: &'f Form,
    pub length: usize,
    pub leaves: usize,
    pub shape: &'f SmallShape,
    pub order: &'f Order,
}

/// Where records are, and how this worker finds them.
pub(super) struct Library<'f, 'w, const W: usize> {
    pub leaves: &'f Nodes<W>,
    pub nodes: &'f Nodes<1>,
    pub leaf_finder: &'f mut Finder<W>,
    pub node_finder: &'f mut Finder<1>,
    pub inside: &'f mut Inside<'w>,
}

/// The children of the root of each tree; those of a tree for which there is no memory are [`NO_ROOT`].
pub(super) type Roots = [[NodeId; 2]; LANES];

/// Stands for a tree that could not be built.
pub(super) const NO_ROOT: [NodeId; 2] = [NodeId::NONE; 2];

impl Default for Batch {
    fn default() -> Batch {
        Batch {
            ids: Box::new([NodeId::ZERO; 2 * FEW]),
            leaves: Box::new([Leaf::default(); FEW]),
            late: Vec::new(),
            late_leaves: Vec::new(),
        }
    }
}

impl Batch {
    /// Builds the trees of the successors with the numbers below `count`, at most [`LANES`], of a parent of this form. Those that cannot be
    /// built from this parent are returned as bits.
    pub(super) fn build<'s, const W: usize>(
        &mut self,
        form: &SmallForm<'_>,
        parent: &TreeCursor,
        count: usize,
        state: &impl Fn(usize) -> &'s [u8],
        library: &mut Library<'_, '_, W>,
        roots: &mut Roots,
    ) -> u32 {
        self.ids[..parent.ids().len()].copy_from_slice(parent.ids());
        self.leaves[..form.leaves].copy_from_slice(parent.leaves());
        let mut unlike = 0;
        for (number, root) in roots[..count].iter_mut().enumerate() {
            let state = state(number);
            if state.len() != form.length {
                unlike |= 1 << number;
                continue;
            }
            let (order, leaves) = (form.order, &mut self.leaves);
            let mut changed = 0;
            for_each_difference(parent.raw(), state, |word, difference| {
                let place = order.place(word);
                changed |= place.leaf_bit();
                place.change(difference, leaves);
            });
            let mut asked = Asked::default();
            match self.tree(form, parent, changed, &mut asked, library) {
                Ok(found) => *root = found,
                Err(Stop::Full) => *root = NO_ROOT,
                Err(Stop::Later) => self.put_off(number, changed, asked),
            }
            self.put_back_leaves(parent, changed);
        }
        if !self.late.is_empty() {
            self.build_late(form, parent, library, roots);
        }
        unlike
    }

    /// Keeps the tree whose leaves are there for later.
    #[inline(never)]
    fn put_off(&mut self, number: usize, changed: u64, asked: Asked) {
        self.late.push(Late { number, changed, start: self.late_leaves.len(), asked });
        for_each_bit(changed, |leaf| self.late_leaves.push(self.leaves[leaf % FEW]));
    }

    /// Builds the trees that lacked records. Each time a tree asks for records it has not asked for before, or is built.
    #[inline(never)]
    fn build_late<const W: usize>(
        &mut self,
        form: &SmallForm<'_>,
        parent: &TreeCursor,
        library: &mut Library<'_, '_, W>,
        roots: &mut Roots,
    ) {
        while !self.late.is_empty() {
            let mut waiting = std::mem::take(&mut self.late);
            waiting.retain_mut(|Late { number, changed, start, asked }| {
                let mut next = *start;
                for_each_bit(*changed, |leaf| {
                    self.leaves[leaf % FEW] = self.late_leaves[next];
                    next += 1;
                });
                let built = self.tree(form, parent, *changed, asked, library);
                self.put_back_leaves(parent, *changed);
                roots[*number] = match built {
                    Ok(root) => root,
                    Err(Stop::Later) => return true,
                    Err(Stop::Full) => NO_ROOT,
                };
                false
            });
            self.late = waiting;
        }
        self.late_leaves.clear();
    }

    #[inline]
    fn put_back_leaves(&mut self, parent: &TreeCursor, changed: u64) {
        let leaves = parent.leaves();
        for_each_bit(changed, |leaf| self.leaves[leaf % FEW] = leaves[leaf]);
    }

    /// The children of the root of the tree whose leaves are there; they differ from the parent's where it says so.
    #[inline(always)]
    fn tree<const W: usize>(
        &mut self,
        form: &SmallForm<'_>,
        parent: &TreeCursor,
        changed: u64,
        asked: &mut Asked,
        library: &mut Library<'_, '_, W>,
    ) -> Result<[NodeId; 2], Stop> {
        let SmallForm { leaves, shape, .. } = *form;
        let Library { leaf_finder, node_finder, inside, .. } = library;
        let (mut above, mut blocked) = (0, 0);
        let mut full = false;
        let mut rest = changed;
        while rest != 0 {
            let leaf = rest.trailing_zeros();
            rest &= rest - 1;
            let position = leaf as usize % FEW;
            above |= shape.above(position);
            let content = narrowed(&self.leaves[position]);
            match leaf_finder.find_or_ask(&content, leaf, &mut asked.leaves, library.leaves, inside) {
                Ok(id) => self.ids[position] = id,
                Err(why) => {
                    full |= matches!(why, Stop::Full);
                    blocked |= shape.above(position) | BLOCKED;
                }
            }
        }
        // Parents have higher numbers than their children.
        let mut rest = above & !blocked;
        while rest != 0 {
            let node = rest.trailing_zeros();
            rest &= rest - 1;
            let [left, right] = shape.children(node);
            let content = pair(self.ids[left % (2 * FEW)], self.ids[right % (2 * FEW)]);
            let position = (leaves + node as usize) % (2 * FEW);
            match node_finder.find_or_ask(&content, node, &mut asked.nodes, library.nodes, inside) {
                Ok(id) => self.ids[position] = id,
                Err(why) => {
                    full |= matches!(why, Stop::Full);
                    blocked |= shape.above(position) | BLOCKED;
                    rest &= !blocked;
                }
            }
        }
        let [left, right] = shape.children(leaves as u32 - 2);
        let root = [self.ids[left % (2 * FEW)], self.ids[right % (2 * FEW)]];
        self.put_back(parent.ids(), changed, 0);
        self.put_back(parent.ids(), above, leaves);
        if blocked == 0 {
            return Ok(root);
        }
        Err(if full { Stop::Full } else { Stop::Later })
    }

    /// Gives positions, counted from `start` on, the parent's numbers again.
    #[inline]
    fn put_back(&mut self, ids: &[NodeId], positions: u64, start: usize) {
        for_each_bit(positions, |number| self.ids[(start + number) % (2 * FEW)] = ids[start + number]);
    }
}

/// Calls `visit` with the number of each bit that is set.
#[inline(always)]
fn for_each_bit(mut bits: u64, mut visit: impl FnMut(usize)) {
    while bits != 0 {
        visit(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

/// The bit of no node: says that some node is missing, although none above it is.
const BLOCKED: u64 = 1 << (FEW - 1);
