//! Which words of a vector stand next to each other in its tree.
//!
//! A tree shares what repeats, and what repeats depends on which words are below one node. A process and the channel it
//! reads from change together and take few values together; two halves of a ring of processes change apart. With related words
//! below one node, nodes are few; with all channels on the left and all processes on the right, both halves of the root
//! take nearly as many values as there are states. So words are arranged by how they were seen to change; words that were never
//! seen to change come last and are out of the way. Any arrangement is right, some are small.

/// Vectors of more words than this are not arranged.
pub(crate) const MOST_WORDS: usize = 120;

/// Bytes of a word.
pub(crate) const WORD: usize = 4;

/// The order of the words of all vectors of one length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrangement {
    /// Every word once.
    words: Vec<u16>,
    /// The first so many of them change.
    changing: usize,
}

impl Arrangement {
    /// An arrangement of the words of vectors of `length` bytes, of which the first `changing` change. `None` if that is no order of
    /// these words, if the vectors are too long, or if too few words change for the order to matter.
    #[must_use]
    pub fn new(length: usize, words: Vec<u16>, changing: usize) -> Option<Arrangement> {
        let mut sorted = words.clone();
        sorted.sort_unstable();
        let complete = sorted.iter().copied().eq(0..length.div_ceil(WORD) as u16);
        let fitting = words.len() <= MOST_WORDS && changing <= words.len() && changing > 4;
        (complete && fitting).then_some(Arrangement { words, changing })
    }

    /// All words; those that change come first.
    pub(crate) fn words(&self) -> &[u16] {
        &self.words
    }

    /// How many words change.
    pub(super) fn changing(&self) -> usize {
        self.changing
    }

    /// As numbers, to be saved: how many words change, then the words.
    pub(super) fn to_words(&self) -> impl Iterator<Item = u64> {
        [self.words.len() as u64, self.changing as u64].into_iter().chain(self.words.iter().map(|&word| word.into()))
    }

    /// What [`Arrangement::to_words`] told, at the front of `saved`, for vectors of `length` bytes.
    pub(super) fn from_words(saved: &mut &[u64], length: usize) -> Option<Arrangement> {
        let [count, changing, rest @ ..] = *saved else { return None };
        let (words, rest) = rest.split_at_checked(usize::try_from(*count).ok()?)?;
        *saved = rest;
        let words = words.iter().map(|&word| u16::try_from(word)).collect::<Result<_, _>>().ok()?;
        Arrangement::new(length, words, usize::try_from(*changing).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_orders_of_all_words_are_arrangements() {
        assert!(Arrangement::new(24, vec![5, 0, 1, 2, 4, 3], 5).is_some());
        assert!(Arrangement::new(24, vec![5, 0, 1, 2, 4, 4], 5).is_none());
        assert!(Arrangement::new(24, vec![5, 0, 1, 2, 4], 5).is_none());
        assert!(Arrangement::new(23, vec![5, 0, 1, 2, 4, 3], 5).is_some());
        assert!(Arrangement::new(20, vec![5, 0, 1, 2, 4, 3], 5).is_none());
        assert!(Arrangement::new(24, vec![5, 0, 1, 2, 4, 3], 7).is_none());
        assert!(Arrangement::new(4000, (0..1000).collect(), 900).is_none());
    }

    #[test]
    fn a_saved_arrangement_comes_back() {
        let arrangement = Arrangement::new(24, vec![5, 0, 1, 2, 4, 3], 5).expect("an order");
        let mut saved: Vec<u64> = arrangement.to_words().collect();
        saved.push(77);
        let mut rest = saved.as_slice();
        assert_eq!(Arrangement::from_words(&mut rest, 24), Some(arrangement));
        assert_eq!(rest, [77]);
    }
}
