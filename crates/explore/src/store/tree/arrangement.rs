//! Which words of a vector stand next to each other in its tree.
//!
//! A tree shares what repeats, and what repeats depends on which words are below one node. A process and the channel it
//! reads from change together and take few values together; two halves of a ring of processes change apart. With related words
//! below one node, nodes are few; with all channels on the left and all processes on the right, both halves of the root
//! take nearly as many values as there are states. So trees are arranged by how words were seen to change, and by how many values
//! they took; words that were never seen to change are out of the way. Any arrangement is right, some are small.

use super::shape::FEW;

/// Vectors of more words than this are not arranged.
pub(crate) const MOST_WORDS: usize = 120;

/// Bytes of a word.
pub(crate) const WORD: usize = 4;

/// The most words of a leaf.
pub(crate) const WIDEST: usize = 8;

/// The tree of all vectors of one length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrangement(Branch);

/// A part of a tree: words that are stored together, or two parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Branch {
    /// The numbers of the words, at most eight.
    Leaf(Vec<u16>),
    /// Two parts.
    Fork(Box<[Branch; 2]>),
}

impl Arrangement {
    /// An arrangement of the words of vectors of `length` bytes. `None` if that is no tree with each of these words once, if the vectors are too
    /// long, or if there are too many leaves.
    #[must_use]
    pub fn new(length: usize, tree: Branch) -> Option<Arrangement> {
        let mut words = tree.words();
        words.sort_unstable();
        let complete = words.len() <= MOST_WORDS && words.into_iter().eq(0..length.div_ceil(WORD) as u16);
        let leaves = tree.leaves();
        let fitting = (2..=FEW).contains(&leaves.len()) && leaves.iter().all(|leaf| (1..=WIDEST).contains(&leaf.len()));
        (complete && fitting).then_some(Arrangement(tree))
    }

    pub(crate) fn tree(&self) -> &Branch {
        &self.0
    }

    /// As numbers, to be saved.
    pub(super) fn to_words(&self) -> Vec<u64> {
        let mut saved = Vec::new();
        self.0.save(&mut saved);
        saved
    }

    /// What [`Arrangement::to_words`] told, at the front of `saved`, for vectors of `length` bytes.
    pub(super) fn from_words(saved: &mut &[u64], length: usize) -> Option<Arrangement> {
        Arrangement::new(length, Branch::restore(saved, FEW)?)
    }
}

impl Branch {
    /// All words, from left to right.
    #[must_use]
    pub fn words(&self) -> Vec<u16> {
        self.leaves().concat()
    }

    /// The words of each leaf, from left to right.
    pub(super) fn leaves(&self) -> Vec<&[u16]> {
        match self {
            Branch::Leaf(words) => vec![words],
            Branch::Fork(parts) => parts.iter().flat_map(Branch::leaves).collect(),
        }
    }

    /// A leaf as its words, after their number; a fork as zero and its parts.
    fn save(&self, into: &mut Vec<u64>) {
        match self {
            Branch::Leaf(words) => {
                into.push(words.len() as u64);
                into.extend(words.iter().map(|&word| u64::from(word)));
            }
            Branch::Fork(parts) => {
                into.push(0);
                parts.iter().for_each(|part| part.save(into));
            }
        }
    }

    /// A tree of at most `depth` forks above each other.
    fn restore(saved: &mut &[u64], depth: usize) -> Option<Branch> {
        let [count, rest @ ..] = *saved else { return None };
        *saved = rest;
        if *count == 0 {
            let depth = depth.checked_sub(1)?;
            return Some(Branch::Fork(Box::new([Branch::restore(saved, depth)?, Branch::restore(saved, depth)?])));
        }
        let (words, rest) = rest.split_at_checked(usize::try_from(*count).ok()?)?;
        *saved = rest;
        Some(Branch::Leaf(words.iter().map(|&word| u16::try_from(word)).collect::<Result<_, _>>().ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(words: &[u16]) -> Branch {
        Branch::Leaf(words.to_vec())
    }

    fn fork(left: Branch, right: Branch) -> Branch {
        Branch::Fork(Box::new([left, right]))
    }

    #[test]
    fn only_trees_with_all_words_are_arrangements() {
        let tree = |last: &[u16]| fork(leaf(&[5, 0]), fork(leaf(&[1, 2]), leaf(last)));
        assert!(Arrangement::new(24, tree(&[4, 3])).is_some());
        assert!(Arrangement::new(23, tree(&[4, 3])).is_some());
        assert!(Arrangement::new(24, tree(&[4, 4])).is_none());
        assert!(Arrangement::new(24, tree(&[4])).is_none());
        assert!(Arrangement::new(20, tree(&[4, 3])).is_none());
        assert!(Arrangement::new(24, fork(tree(&[4, 3]), leaf(&[]))).is_none());
        assert!(Arrangement::new(24, leaf(&[0, 1, 2, 3, 4, 5])).is_none());
        assert!(Arrangement::new(40, fork(leaf(&[0]), leaf(&[1, 2, 3, 4, 5, 6, 7, 8, 9]))).is_none());
        let many = |count: u16| (1..count).fold(leaf(&[0]), |tree, word| fork(tree, leaf(&[word])));
        assert!(Arrangement::new(64 * WORD, many(64)).is_some());
        assert!(Arrangement::new(65 * WORD, many(65)).is_none());
    }

    #[test]
    fn a_saved_arrangement_comes_back() {
        let tree = fork(leaf(&[5, 0]), fork(leaf(&[1, 2, 4]), leaf(&[3])));
        let arrangement = Arrangement::new(24, tree).expect("all words");
        let mut saved = arrangement.to_words();
        saved.push(77);
        let mut rest = saved.as_slice();
        assert_eq!(Arrangement::from_words(&mut rest, 24), Some(arrangement));
        assert_eq!(rest, [77]);
        assert_eq!(Arrangement::from_words(&mut &saved[..5], 24), None);
        assert_eq!(Arrangement::from_words(&mut [0; 1000].as_slice(), 24), None);
    }
}
