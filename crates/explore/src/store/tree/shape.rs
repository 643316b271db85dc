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

/// A leaf or node of a tree: leaves first, then nodes after their children, the root last.
pub(crate) type Position = u32;

/// A binary tree over leaves.
#[derive(Debug)]
pub(crate) struct Shape {
    leaves: usize,
    /// For each node, its children.
    children: Vec<[Position; 2]>,
    /// For each leaf and each node but the root, the number of the parent among the nodes.
    parents: Vec<u32>,
}

impl Shape {
    /// The tree over `leaves` leaves, of which there are at least two.
    pub(crate) fn new(leaves: usize) -> Shape {
        debug_assert!(leaves >= 2 && u32::try_from(2 * leaves).is_ok());
        let mut shape = Shape { leaves, children: Vec::with_capacity(leaves - 1), parents: vec![0; 2 * leaves - 2] };
        let chunk = 1 << leaves.ilog2().saturating_sub(2);
        shape.join(0, leaves, chunk);
        shape
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

    /// The parent of a position, as a number among the nodes.
    #[inline]
    pub(crate) fn parent(&self, position: usize) -> usize {
        self.parents[position] as usize
    }

    /// Joins `count` leaves from `start` on; the position of their tree.
    fn join(&mut self, start: usize, count: usize, chunk: usize) -> Position {
        if count == 1 {
            return start as Position;
        }
        let left = if count <= chunk { count.next_power_of_two() / 2 } else { count.div_ceil(chunk) / 2 * chunk };
        let children = [self.join(start, left, chunk), self.join(start + left, count - left, chunk)];
        let node = self.children.len();
        for child in children {
            self.parents[child as usize] = node as u32;
        }
        self.children.push(children);
        (self.leaves + node) as Position
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
