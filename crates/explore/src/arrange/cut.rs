//! Cuts a row of words into the leaves of a tree.
//!
//! A state costs its root, and its share of the records below. With s states there are about √s records on each side if the two
//! sides of the root vary apart and as much as each other; a side that varies with everything has as many records as there are states, and a
//! record of eight words is six times a root. What counts is not how many words are on a side but how many values they take: nine
//! words that are set once at the start weigh less than one pointer. So a row is cut where both parts take as many values as each
//! other, and again as long as a part does not fit in a leaf, or takes so many values that a node and two leaves with fewer are cheaper. Every leaf and
//! every node on the way up takes time, which counts as bytes.

use super::sample::{Counted, STATES};
use crate::store::{Branch, WIDEST};

/// Bytes of a record of so many words, and of a node, with their places in an index.
const LEAF_BYTES: f64 = 38.0;
const NODE_BYTES: f64 = 14.0;
/// So many bytes a state are worth another leaf.
const WORTH: f64 = 2.0;

/// The tree over the words that change, in their order, and those that are still.
pub(super) fn cut(moving: &[u16], still: &[u16], counted: &mut Counted) -> Option<Branch> {
    if moving.len() < 2 {
        return None;
    }
    let mut tree = fork(moving, counted).tree;
    let widest = widest(&tree).next_multiple_of(2).max(WIDEST / 2);
    let mut rest = still;
    match [widest, WIDEST].into_iter().find(|&width| room(&tree, width) >= still.len()) {
        Some(width) => fill(&mut tree, width, &mut rest),
        None => hang(&mut tree, &halved(still, widest), counted),
    }
    Some(tree)
}

/// A tree, and what it is likely to cost for each state, in bytes.
struct Priced {
    bytes: f64,
    tree: Branch,
}

/// The cheapest tree of a few over some words.
fn tree(words: &[u16], counted: &mut Counted) -> Priced {
    let values = counted.values(words) / STATES;
    let leaf = || Priced { bytes: values * LEAF_BYTES, tree: Branch::Leaf(words.to_vec()) };
    let fits = words.len() <= WIDEST;
    if fits && (values * LEAF_BYTES < 2.0 * WORTH || words.len() <= 2) {
        return leaf();
    }
    let mut forked = fork(words, counted);
    forked.bytes += values * NODE_BYTES + WORTH;
    if fits && leaf().bytes <= forked.bytes { leaf() } else { forked }
}

/// The cheapest of a few trees that divide some words, of which there are at least two. The node that does so is not counted.
fn fork(words: &[u16], counted: &mut Counted) -> Priced {
    let even = even_cut(words, counted);
    // Cuts that need no more leaves than there must be.
    let leaves = words.len().div_ceil(WIDEST).max(2);
    let is_tight = |&cut: &usize| cut.div_ceil(WIDEST) + (words.len() - cut).div_ceil(WIDEST) <= leaves;
    let before = (1..=even).rev().find(is_tight);
    let after = (even..words.len()).find(is_tight);
    let mut best: Option<Priced> = None;
    let mut tried = 0;
    for at in [Some(even), before, after].into_iter().flatten() {
        if at == tried {
            continue;
        }
        tried = at;
        let (left, right) = (tree(&words[..at], counted), tree(&words[at..], counted));
        let bytes = left.bytes + right.bytes;
        if best.as_ref().is_none_or(|best| bytes < best.bytes) {
            best = Some(Priced { bytes, tree: Branch::Fork(Box::new([left.tree, right.tree])) });
        }
    }
    best.unwrap_or_else(|| Priced { bytes: 0.0, tree: Branch::Leaf(words.to_vec()) })
}

/// Where some words, of which there are at least two, divide into parts that take few values, hence about as many as each other: the
/// more words are in a part, the more values it takes.
fn even_cut(words: &[u16], counted: &mut Counted) -> usize {
    let mut parts = |cut: usize| (counted.values(&words[..cut]), counted.values(&words[cut..]));
    let (mut low, mut high) = (1, words.len() - 1);
    while low < high {
        let middle = low.midpoint(high);
        let (left, right) = parts(middle);
        if left >= right {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    let mut sum = |cut: usize| {
        let (left, right) = parts(cut);
        left + right
    };
    if low > 1 && sum(low - 1) <= sum(low) { low - 1 } else { low }
}

fn widest(tree: &Branch) -> usize {
    match tree {
        Branch::Leaf(words) => words.len(),
        Branch::Fork(parts) => parts.iter().map(widest).max().unwrap_or(0),
    }
}

/// How many words more there would be room for with leaves of so many words.
fn room(tree: &Branch, width: usize) -> usize {
    match tree {
        Branch::Leaf(words) => width.saturating_sub(words.len()),
        Branch::Fork(parts) => parts.iter().map(|part| room(part, width)).sum(),
    }
}

/// Puts words where there is room.
fn fill(tree: &mut Branch, width: usize, rest: &mut &[u16]) {
    match tree {
        Branch::Leaf(words) => {
            let (filling, later) = rest.split_at(rest.len().min(width.saturating_sub(words.len())));
            words.extend(filling);
            *rest = later;
        }
        Branch::Fork(parts) => parts.iter_mut().for_each(|part| fill(part, width, rest)),
    }
}

/// Hangs a tree that hardly changes where few records have it below them.
fn hang(tree: &mut Branch, still: &Branch, counted: &mut Counted) {
    match tree {
        Branch::Leaf(_) => *tree = Branch::Fork(Box::new([tree.clone(), still.clone()])),
        Branch::Fork(parts) => {
            let [left, right] = parts.as_mut();
            let is_left = counted.values(&left.words()) <= counted.values(&right.words());
            hang(if is_left { left } else { right }, still, counted);
        }
    }
}

/// An even tree.
fn halved(words: &[u16], width: usize) -> Branch {
    let leaves = words.len().div_ceil(width);
    if leaves <= 1 {
        return Branch::Leaf(words.to_vec());
    }
    let (left, right) = words.split_at(leaves.div_ceil(2) * width);
    Branch::Fork(Box::new([halved(left, width), halved(right, width)]))
}

#[cfg(test)]
mod tests {
    use super::super::sample::Sample;
    use super::*;

    /// A thousand states of so many words, each of which takes any value below its bound.
    fn counted(bounds: &[u32]) -> Counted {
        let mut sample = Sample::new(4 * bounds.len());
        for number in 0..1000u64 {
            let value = |(word, bound): (usize, &u32)| {
                let random = crate::store::spread(number << 32 | word as u64);
                ((random >> 20) as u32 % bound).to_le_bytes()
            };
            sample.note(&bounds.iter().enumerate().map(value).collect::<Vec<_>>().concat());
        }
        sample.counted()
    }

    fn leaves(tree: &Branch) -> Vec<usize> {
        match tree {
            Branch::Leaf(words) => vec![words.len()],
            Branch::Fork(parts) => parts.iter().flat_map(leaves).collect(),
        }
    }

    #[test]
    fn parts_are_as_varied_as_each_other() {
        let moving: Vec<u16> = (0..10).collect();
        let tree = cut(&moving, &[], &mut counted(&[1, 1, 1, 1, 1, 1, 6, 6, 6, 6])).expect("two words");
        assert_eq!(leaves(&tree), [8, 2]);
        let tree = cut(&moving, &[], &mut counted(&[6, 6, 6, 6, 6, 6, 6, 6, 6, 6])).expect("two words");
        let halves = match &tree {
            Branch::Fork(parts) => parts.each_ref().map(|part| part.words().len()),
            Branch::Leaf(_) => panic!("{tree:?}"),
        };
        assert!(halves.iter().all(|&words| words >= 4), "{halves:?}");
    }

    #[test]
    fn every_word_is_in_one_leaf_that_is_not_too_wide() {
        for (moving, still) in (2..60u16).flat_map(|moving| [0, 1, 7, 40].map(|still| (moving, still))) {
            let bounds: Vec<u32> = (0..moving + still).map(|word| 1 + u32::from(word) % 5).collect();
            let (first, last): (Vec<u16>, Vec<u16>) = (0..moving + still).partition(|&word| word < moving);
            let tree = cut(&first, &last, &mut counted(&bounds)).expect("two words");
            let mut words = tree.words();
            words.sort_unstable();
            assert!(words.into_iter().eq(0..moving + still));
            let leaves = leaves(&tree);
            assert!(leaves.len() >= 2 && leaves.iter().all(|&words| (1..=WIDEST).contains(&words)), "{leaves:?}");
        }
    }
}
