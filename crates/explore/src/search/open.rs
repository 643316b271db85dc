//! The open end of a search: what is needed beside the store to go on with it later.
//!
//! A search that is to be saved is given a [`Checkpointer`]. When that says that it is time, or when the search is told to end,
//! all workers pause between two states and hand over their stacks; the checkpointer gets them as one [`OpenSearch`], and can
//! write it and the store to a file while nothing changes. A search that was [resumed](super::Options::resume) goes on from exactly there: nothing
//! is visited twice, and the final counts are those of a search that was never interrupted.
//!
//! ```text
//! bytes    "open" 4 | length 8 | … content … | checksum 8      (little endian)
//! ```

use std::fmt;
use std::io::{self, Read, Write};

use super::Counters;
use crate::store::{CheckpointError, StateRef, checksum};

const MAGIC: [u8; 4] = *b"open";
/// A content longer than this is not believed.
const LONGEST: u64 = 1 << 40;

/// Saves searches.
pub trait Checkpointer: fmt::Debug + Send + Sync {
    /// Whether it is time to save the search; asked now and then.
    fn is_due(&self) -> bool;

    /// Saves the search. All workers are paused meanwhile, so the store does not change.
    fn save(&self, open: &OpenSearch);
}

/// What is needed beside the store to go on with a search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OpenSearch {
    pub(super) counters: Counters,
    pub(super) violations: u64,
    /// Whether some state was too deep to be expanded.
    pub(super) truncated: bool,
    /// The path to the first violation.
    pub(super) path: Option<Vec<Vec<u8>>>,
    /// What the systems have learnt.
    pub(super) notes: Vec<Vec<u8>>,
    /// The states to be visited, in a form of the search's own.
    pub(super) work: Vec<u8>,
}

impl OpenSearch {
    /// The counts so far.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Writes it.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn save(&self, to: &mut impl Write) -> io::Result<()> {
        let mut content = Encoder::default();
        let Counters { stored, matched, depth } = self.counters;
        let flags = [self.truncated, self.path.is_some()].map(u64::from);
        [stored, matched, depth, self.violations].into_iter().chain(flags).for_each(|number| content.number(number));
        content.list(self.path.as_deref().unwrap_or_default());
        content.list(&self.notes);
        content.bytes(&self.work);
        let bytes = content.0;
        to.write_all(&MAGIC)?;
        to.write_all(&(bytes.len() as u64).to_le_bytes())?;
        to.write_all(&bytes)?;
        to.write_all(&checksum(&bytes).to_le_bytes())
    }

    /// Reads what [`OpenSearch::save`] wrote.
    ///
    /// # Errors
    /// When it is not whole.
    pub fn restore(from: &mut impl Read) -> Result<OpenSearch, CheckpointError> {
        let damaged = || CheckpointError::Damaged { block: 0 };
        let mut magic = [0; 4];
        from.read_exact(&mut magic)?;
        if magic != MAGIC {
            return Err(damaged());
        }
        let mut word = [0; 8];
        from.read_exact(&mut word)?;
        let length = u64::from_le_bytes(word);
        if length > LONGEST {
            return Err(damaged());
        }
        let mut bytes = Vec::new();
        if from.take(length).read_to_end(&mut bytes)? as u64 != length {
            return Err(CheckpointError::Truncated);
        }
        from.read_exact(&mut word)?;
        if u64::from_le_bytes(word) != checksum(&bytes) {
            return Err(damaged());
        }
        OpenSearch::decode(&bytes).ok_or_else(damaged)
    }

    fn decode(bytes: &[u8]) -> Option<OpenSearch> {
        let mut content = Decoder(bytes);
        let counters = Counters { stored: content.number()?, matched: content.number()?, depth: content.number()? };
        let (violations, truncated, has_path) = (content.number()?, content.number()? != 0, content.number()? != 0);
        let path = content.list()?;
        let open = OpenSearch {
            counters,
            violations,
            truncated,
            path: has_path.then_some(path),
            notes: content.list()?,
            work: content.bytes()?.to_vec(),
        };
        content.0.is_empty().then_some(open)
    }
}

/// Numbers and pieces of bytes, one after the other.
#[derive(Default)]
pub(super) struct Encoder(pub Vec<u8>);

impl Encoder {
    pub fn number(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    pub fn references(&mut self, list: &[StateRef]) {
        self.number(list.len() as u64);
        list.iter().for_each(|reference| self.number(reference.to_bits()));
    }

    fn list(&mut self, list: &[Vec<u8>]) {
        self.number(list.len() as u64);
        list.iter().for_each(|bytes| self.bytes(bytes));
    }
}

/// Reads what an [`Encoder`] wrote; `None` where it makes no sense.
pub(super) struct Decoder<'b>(pub &'b [u8]);

impl<'b> Decoder<'b> {
    pub fn number(&mut self) -> Option<u64> {
        let (word, rest) = self.0.split_first_chunk::<8>()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*word))
    }

    /// The length of something whose every item takes at least `width` bytes.
    pub fn length(&mut self, width: usize) -> Option<usize> {
        let length = usize::try_from(self.number()?).ok()?;
        (length.checked_mul(width)? <= self.0.len()).then_some(length)
    }

    pub fn bytes(&mut self) -> Option<&'b [u8]> {
        let length = self.length(1)?;
        let (bytes, rest) = self.0.split_at(length);
        self.0 = rest;
        Some(bytes)
    }

    pub fn references(&mut self) -> Option<Vec<StateRef>> {
        let length = self.length(8)?;
        (0..length).map(|_| self.number().map(StateRef::from_bits)).collect()
    }

    fn list(&mut self) -> Option<Vec<Vec<u8>>> {
        let length = self.length(8)?;
        (0..length).map(|_| self.bytes().map(<[u8]>::to_vec)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Counters, OpenSearch};

    fn sample() -> OpenSearch {
        OpenSearch {
            counters: Counters { stored: 7, matched: 8, depth: 9 },
            violations: 1,
            truncated: true,
            path: Some(vec![vec![1, 2], vec![]]),
            notes: vec![vec![3], vec![4, 5]],
            work: vec![6; 40],
        }
    }

    fn saved() -> Vec<u8> {
        let mut file = Vec::new();
        sample().save(&mut file).expect("memory can be written to");
        file
    }

    #[test]
    fn what_was_saved_comes_back() {
        assert_eq!(OpenSearch::restore(&mut saved().as_slice()).expect("it is whole"), sample());
    }

    #[test]
    fn a_file_that_is_cut_or_changed_never_comes_back() {
        let file = saved();
        for length in 0..file.len() {
            assert!(OpenSearch::restore(&mut &file[..length]).is_err(), "{length}");
        }
        for at in 0..file.len() {
            let mut changed = file.clone();
            changed[at] ^= 4;
            assert!(OpenSearch::restore(&mut changed.as_slice()).is_err(), "{at}");
        }
    }
}
