//! The shape of the tree over a vector of n leaves, and the rule that vectors of different lengths share subtrees.
//!
//! ```text
//! 11 leaves:  0 1   2 3   4 5   6 7   8 9   10        chunks of two: 2 to the power ⌊log₂ n⌋ − 2
//!              a     b     c     d     e               positions 0 … n-1 are leaves, then nodes, children first
//!               ( a b ) (c d)   ( e  10 )
//! ```
//! A vector is cut into four to seven chunks of the same power of two of leaves (the last may be shorter), each a perfect binary tree, and the
//! chunks are joined evenly. Perfect trees at fixed places make vectors that agree in a prefix agree in nodes, also
//! between lengths; the even joint makes both halves of the root carry about the same information, which is what keeps
//! nodes few: with s states, about √s for each half if the halves are independent (Laarman, van de Pol and Weber 2011).
//!
//! Nodes are numbered by their height.

use super::arrangement::Branch;

/// A leaf or node of a tree: leaves first, then nodes by height, the root last.
pub(crate) type Position = u32;

/// A binary tree over leaves.
#[derive(Debug)]
pub(crate) struct Shape {
    leaves: usize,
    /// For each node, its children.
    children: Vec<[Position; 2]>,
    /// For each leaf and each node but the root, the number of the parent among the nodes.
    parents: Vec<u32>,
    /// Of a tree with few leaves, the same in little memory.
    small: Option<Box<SmallShape>>,
}

/// The most leaves of a tree whose nodes are the bits of a word.
pub(crate) const FEW: usize = 64;

/// A shape with at most [`FEW`] leaves. Arrays of fixed lengths need no checks of bounds.
#[derive(Debug)]
pub(crate) struct SmallShape {
    children: [[u8; 2]; FEW],
    /// For each position, the nodes above it but the root, as bits.
    above: [u64; 2 * FEW],
}

impl SmallShape {
    fn new(children: &[[Position; 2]], parents: &[u32]) -> SmallShape {
        let mut small = SmallShape { children: [[0; 2]; FEW], above: [0; 2 * FEW] };
        small.children.iter_mut().zip(children).for_each(|(to, from)| *to = from.map(|child| child as u8));
        let leaves = children.len() + 1;
        for (start, above) in small.above.iter_mut().enumerate().take(2 * leaves - 2) {
            let mut position = start;
            while let Some(&node) = parents.get(position).filter(|&&node| (node as usize) < leaves - 2) {
                *above |= 1 << node;
                position = leaves + node as usize;
            }
        }
        small
    }

    /// The children of a node.
    #[inline]
    pub(crate) fn children(&self, node: u32) -> [usize; 2] {
        let [left, right] = self.children[node as usize % FEW];
        [usize::from(left), usize::from(right)]
    }

    /// The nodes above a position but the root, as bits.
    #[inline]
    pub(crate) fn above(&self, position: usize) -> u64 {
        self.above[position % (2 * FEW)]
    }
}

impl Shape {
    /// The tree over `leaves` leaves, of which there are at least two.
    pub(crate) fn new(leaves: usize) -> Shape {
        debug_assert!(leaves >= 2 && u32::try_from(2 * leaves).is_ok());
        let mut joined = Vec::with_capacity(leaves - 1);
        join(0, leaves, 1 << leaves.ilog2().saturating_sub(2), leaves, &mut joined);
        Shape::by_height(leaves, &joined)
    }

    /// An arranged tree; its leaves are numbered from left to right.
    pub(crate) fn of(tree: &Branch) -> Shape {
        let leaves = tree.leaves().len();
        let mut joined = Vec::with_capacity(leaves - 1);
        arranged(tree, &mut 0, leaves, &mut joined);
        Shape::by_height(leaves, &joined)
    }

    /// The tree with these nodes, which come after their children, numbered anew by their heights.
    fn by_height(leaves: usize, nodes: &[[Position; 2]]) -> Shape {
        let mut heights: Vec<usize> = Vec::with_capacity(nodes.len());
        for children in nodes {
            let height = |child: Position| (child as usize).checked_sub(leaves).map_or(0, |node| heights[node]);
            heights.push(1 + children.map(height).into_iter().max().unwrap_or(0));
        }
        let mut order: Vec<usize> = (0..nodes.len()).collect();
        order.sort_by_key(|&node| heights[node]);
        let mut numbers = vec![0; nodes.len()];
        order.iter().enumerate().for_each(|(number, &node)| numbers[node] = number);
        let renumbered = |child: Position| match (child as usize).checked_sub(leaves) {
            Some(node) => (leaves + numbers[node]) as Position,
            None => child,
        };
        let children: Vec<[Position; 2]> = order.iter().map(|&node| nodes[node].map(renumbered)).collect();
        let mut parents = vec![0; 2 * leaves - 2];
        for (node, children) in children.iter().enumerate() {
            children.iter().for_each(|&child| parents[child as usize] = node as u32);
        }
        let small = (leaves <= FEW).then(|| Box::new(SmallShape::new(&children, &parents)));
        Shape { leaves, children, parents, small }
    }

    pub(crate) fn leaves(&self) -> usize {
        self.leaves
    }

    /// Leaves and nodes together.
    pub(crate) fn positions(&self) -> usize {
        2 * self.leaves - 1
    }

    /// The children of each node, in an order in which children come before their parents; the last is the root.
    #[inline]
    pub(crate) fn children(&self) -> &[[Position; 2]] {
        &self.children
    }

    /// The same shape in little memory, if it has few leaves.
    #[inline]
    pub(crate) fn small(&self) -> Option<&SmallShape> {
        self.small.as_deref()
    }

    /// The parent of a position, as a number among the nodes.
    #[inline]
    pub(crate) fn parent(&self, position: usize) -> usize {
        self.parents[position] as usize
    }
}

/// Joins `count` leaves from `start` on; the position of their tree.
fn join(start: usize, count: usize, chunk: usize, leaves: usize, nodes: &mut Vec<[Position; 2]>) -> Position {
    if count == 1 {
        return start as Position;
    }
    let left = if count <= chunk { count.next_power_of_two() / 2 } else { count.div_ceil(chunk) / 2 * chunk };
    let children = [join(start, left, chunk, leaves, nodes), join(start + left, count - left, chunk, leaves, nodes)];
    nodes.push(children);
    (leaves + nodes.len() - 1) as Position
}

/// Joins what is below a branch, whose first leaf has the number `next`; its position.
fn arranged(branch: &Branch, next: &mut Position, leaves: usize, nodes: &mut Vec<[Position; 2]>) -> Position {
    match branch {
        Branch::Leaf(_) => {
            *next += 1;
            *next - 1
        }
        Branch::Fork(parts) => {
            let [left, right] = parts.as_ref();
            let children = [arranged(left, next, leaves, nodes), arranged(right, next, leaves, nodes)];
            nodes.push(children);
            (leaves + nodes.len() - 1) as Position
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The leaves below a position, in order.
    fn below(shape: &Shape, position: usize) -> Vec<usize> {
        match position.checked_sub(shape.leaves) {
            None => vec![position],
            Some(node) => shape.children[node].iter().flat_map(|&child| below(shape, child as usize)).collect(),
        }
    }

    #[test]
    fn every_shape_is_a_tree_over_its_leaves_in_order() {
        for leaves in 2..200 {
            let shape = Shape::new(leaves);
            assert_eq!(below(&shape, shape.positions() - 1), (0..leaves).collect::<Vec<_>>());
            for (node, children) in shape.children.iter().enumerate() {
                assert!(children.iter().all(|&child| (child as usize) < leaves + node));
                assert!(children.iter().all(|&child| shape.parent(child as usize) == node));
            }
        }
    }

    /// A tree of so many leaves of one word, from `first` on, which leans to one side.
    fn leaning(first: usize, leaves: usize) -> Branch {
        if leaves == 1 {
            return Branch::Leaf(vec![first as u16]);
        }
        let left = leaves.div_ceil(3);
        Branch::Fork(Box::new([leaning(first, left), leaning(first + left, leaves - left)]))
    }

    #[test]
    fn an_arranged_shape_has_the_leaves_of_its_branches() {
        for leaves in 2..60 {
            let shape = Shape::of(&leaning(0, leaves));
            assert_eq!(below(&shape, shape.positions() - 1), (0..leaves).collect::<Vec<_>>());
            let left = below(&shape, shape.children[leaves - 2][0] as usize).len();
            assert_eq!(left, leaves.div_ceil(3));
        }
    }

    #[test]
    fn a_small_shape_is_the_same_shape() {
        let leaning = (2..100).map(|leaves| Shape::of(&leaning(0, leaves)));
        for shape in (2..200).map(Shape::new).chain(leaning) {
            let leaves = shape.leaves();
            assert_eq!(shape.small().is_some(), leaves <= FEW);
            if let Some(small) = shape.small() {
                let children = (0..leaves as u32 - 1).map(|node| small.children(node).map(|child| child as Position));
                assert!(children.eq(shape.children.iter().copied()));
                for position in 0..2 * leaves - 2 {
                    let leaf = below(&shape, position)[0];
                    let is_above = |&node: &usize| {
                        let leaves_below = below(&shape, leaves + node);
                        leaves_below.contains(&leaf) && leaves_below.len() > below(&shape, position).len()
                    };
                    let above = (0..leaves - 2).filter(is_above).fold(0, |bits, node| bits | 1 << node);
                    assert_eq!(small.above(position), above);
                }
            }
        }
    }

    #[test]
    fn shapes_are_shallow_and_even() {
        for leaves in 2..200 {
            let shape = Shape::new(leaves);
            let depth = |mut position: usize| {
                let mut depth = 0;
                while position != shape.positions() - 1 {
                    position = leaves + shape.parent(position);
                    depth += 1;
                }
                depth
            };
            let limit = leaves.next_power_of_two().ilog2();
            assert!((0..leaves).all(|leaf| depth(leaf) <= limit), "{leaves} leaves");
            let left = below(&shape, shape.children[leaves - 2][0] as usize).len();
            assert!(left * 3 >= leaves && left * 3 <= 2 * leaves, "{left} of {leaves} leaves on the left");
        }
    }

    #[test]
    fn lengths_of_one_octave_share_their_chunks() {
        let subtrees = |leaves: usize| -> Vec<Vec<usize>> {
            let shape = Shape::new(leaves);
            (leaves..shape.positions()).map(|node| below(&shape, node)).collect()
        };
        let (shorter, longer) = (subtrees(33), subtrees(57));
        for start in [0, 8, 16, 24] {
            let chunk: Vec<usize> = (start..start + 8).collect();
            assert!(shorter.contains(&chunk) && longer.contains(&chunk));
        }
    }
}
