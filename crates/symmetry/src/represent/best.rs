//! What a search for the least leaf keeps of its tree: the best leaf so far, and how it goes on after a node.
//!
//! Leaves are compared by the traces along their paths first, which hold for all images of a state alike, and by their images then. So
//! most of the tree is cut off before a leaf is reached.

use std::cmp::Ordering;
use std::sync::LazyLock;

use num_bigint::BigUint;

use super::objects::Object;

/// The least leaf so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Best {
    traces: Vec<u64>,
    /// Whether the rest belongs to these traces.
    has_leaf: bool,
    pub(super) path: Vec<Object>,
    pub(super) sources: Vec<Object>,
    pub(super) image: Vec<u8>,
    /// By level: the objects among which the path chose.
    pub(super) cells: Vec<Vec<Object>>,
}

/// How a search goes on after a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Continue,
    /// At the node of this level; what lies between repeats what is known.
    ReturnTo(usize),
}

/// Whether a node is a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Leaf,
    Inner,
}

/// A factor of a stabiliser's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Factor {
    Number(usize),
    Factorial(usize),
}

impl Best {
    pub(super) fn clear(&mut self) {
        self.traces.clear();
        self.has_leaf = false;
    }

    /// Whether a node may lead to the least leaf, given what all nodes that correspond to it have in common.
    pub(super) fn admits(&mut self, depth: usize, summary: u64, node: Node) -> bool {
        let trace = summary << 1 | u64::from(node == Node::Inner);
        match self.traces.get(depth).map(|best| trace.cmp(best)) {
            Some(Ordering::Greater) => false,
            Some(Ordering::Equal) => true,
            Some(Ordering::Less) | None => {
                self.traces.truncate(depth);
                self.traces.push(trace);
                self.has_leaf = false;
                true
            }
        }
    }

    /// Compares a leaf with the best one; any is less than none.
    pub(super) fn compare(&self, image: &[u8]) -> Ordering {
        if self.has_leaf { image.cmp(&self.image) } else { Ordering::Less }
    }

    /// Makes a leaf the best one. Its cells are set by the search.
    pub(super) fn keep(&mut self, path: &[Object], sources: &[Object], image: &[u8]) {
        self.has_leaf = true;
        overwrite(&mut self.path, path);
        overwrite(&mut self.sources, sources);
        self.image.clear();
        self.image.extend_from_slice(image);
        if self.cells.len() < path.len() {
            self.cells.resize_with(path.len(), Vec::new);
        }
    }

    /// How many choices a path shares with the best one.
    pub(super) fn common(&self, path: &[Object]) -> usize {
        self.path.iter().zip(path).take_while(|(a, b)| a == b).count()
    }
}

impl Factor {
    pub(super) fn value(&self) -> BigUint {
        match *self {
            Factor::Number(number) => number.into(),
            Factor::Factorial(count) => FACTORIALS.get(count).cloned().unwrap_or_else(|| (1..=count).product()),
        }
    }
}

/// The first factorials, since those of ties are asked for with every state.
static FACTORIALS: LazyLock<Vec<BigUint>> = LazyLock::new(|| {
    let mut factorials: Vec<BigUint> = vec![1u32.into()];
    for number in 1u32..256 {
        let next = &factorials[number as usize - 1] * number;
        factorials.push(next);
    }
    factorials
});

/// The numerator of an orbit's size over its denominator, without big numbers where that is possible.
pub(super) fn quotient(order: &BigUint, stabiliser: &[Factor]) -> BigUint {
    let mut small: u64 = 1;
    let mut large: Option<BigUint> = None;
    for factor in stabiliser {
        let value = match *factor {
            Factor::Number(number) => Some(number as u64),
            // 20! is the largest factorial in 64 bits.
            Factor::Factorial(count) if count <= 20 => Some((1..=count as u64).product()),
            Factor::Factorial(_) => None,
        };
        match value.and_then(|value| small.checked_mul(value)) {
            Some(product) => small = product,
            None => {
                let value = factor.value();
                large = Some(match large {
                    Some(large) => large * value,
                    None => value,
                });
            }
        }
    }
    match large {
        Some(large) => order / (large * small),
        None => order / small,
    }
}

fn overwrite(list: &mut Vec<Object>, with: &[Object]) {
    list.clear();
    list.extend_from_slice(with);
}

#[cfg(test)]
mod tests {
    use super::{Factor, quotient};
    use num_bigint::BigUint;

    #[test]
    fn orders_are_divided_exactly_whatever_their_size() {
        let factorial = |n: u32| (1..=n).product::<BigUint>();
        let factors = [Factor::Factorial(30), Factor::Number(7), Factor::Factorial(20), Factor::Factorial(19)];
        let stabiliser: BigUint = factors.iter().map(Factor::value).product();
        assert_eq!(quotient(&(&stabiliser * 12345u32), &factors), 12345u32.into());
        assert_eq!(quotient(&factorial(5), &[Factor::Factorial(3)]), 20u32.into());
        assert_eq!(quotient(&factorial(5), &[]), 120u32.into());
    }
}
