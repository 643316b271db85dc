//! Saving a store to a file and restoring it, with every reference still valid.
//!
//! ```text
//! header   "isospin\0" | version 4 | store 4
//! block    section 4 | sequence 4 | words 4 | … words of 8 bytes … | checksum 8     (little endian throughout)
//! …
//! last     section End, one word: the number of states
//! ```
//! A checksum covers its block's head and words, and each block is numbered, so that a bit flipped, a block lost or
//! doubled, or a file cut short is noticed and told; nothing is restored from a damaged file. The format is self-delimiting: it
//! can stand in the middle of a larger file.

use super::compact::layout::Layout;
use super::compact::set::CompactSet;
use super::growing::Inside;
use super::{Limits, VisitedSet};
use std::fmt;
use std::io::{self, Read, Write};

const MAGIC: [u8; 8] = *b"isospin\0";
const VERSION: u32 = 3;
/// Words of a block, at most.
const BLOCK: usize = 1 << 13;

/// A store that can be saved and restored.
pub trait Checkpoint: VisitedSet {
    /// Writes the store. Workers must be paused: what they insert meanwhile may be written or not.
    fn save(&self, to: &mut impl Write) -> io::Result<()>;

    /// Reads a store that [`Checkpoint::save`] wrote. Its references are the same as before.
    fn restore(from: &mut impl Read, limits: Limits) -> Result<Self, CheckpointError>;
}

/// Why a store could not be restored.
#[derive(Debug)]
pub enum CheckpointError {
    /// The file could not be read.
    Unreadable(io::Error),
    /// The file ends before the store does.
    Truncated,
    /// The file does not begin like a saved store.
    NotAStore,
    /// The file was written in a version of the format that this program does not know.
    Version(u32),
    /// The file holds another kind of store.
    OtherStore,
    /// The content of a block does not agree with its checksum, or makes no sense.
    Damaged {
        /// The number of the block, from 0.
        block: u32,
    },
    /// The store does not fit into the memory limit.
    TooLarge,
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckpointError::Unreadable(error) => write!(formatter, "the saved states cannot be read: {error}"),
            CheckpointError::Truncated => {
                formatter.write_str("the saved states are incomplete: the file was cut short")
            }
            CheckpointError::NotAStore => formatter.write_str("these are not saved states"),
            CheckpointError::Version(version) => {
                write!(formatter, "the states were saved in format {version}; this program reads format {VERSION}")
            }
            CheckpointError::OtherStore => formatter.write_str("the states were saved from another kind of store"),
            CheckpointError::Damaged { block } => write!(formatter, "the saved states are damaged (in block {block})"),
            CheckpointError::TooLarge => formatter.write_str("the saved states do not fit into the memory limit"),
        }
    }
}

impl std::error::Error for CheckpointError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            CheckpointError::Unreadable(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for CheckpointError {
    fn from(error: io::Error) -> CheckpointError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => CheckpointError::Truncated,
            _ => CheckpointError::Unreadable(error),
        }
    }
}

/// Which store a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Tree = 1,
    Plain = 2,
    Fingerprint = 3,
    Bitstate = 4,
}

/// What the words of a block are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    /// Numbers that describe the store; the first block.
    Shape = 1,
    /// Nodes, arena or bits: what references point into, in order.
    Content = 2,
    /// References of all states.
    States = 3,
    /// References and flags, in turn, of the states that have flags.
    Flags = 4,
    /// The number of states; the last block.
    End = 5,
}

impl Section {
    fn from_number(number: u32) -> Option<Section> {
        use Section::{Content, End, Flags, Shape, States};
        [Shape, Content, States, Flags, End].into_iter().find(|&section| section as u32 == number)
    }
}

/// Why a store does not take what a block says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rejected {
    Full,
    Nonsense,
}

/// Writes blocks.
pub(super) struct BlockWriter<'w, W> {
    to: &'w mut W,
    sequence: u32,
    /// Words of a block that is not full yet.
    pending: Vec<u64>,
    section: Section,
}

impl<'w, W: Write> BlockWriter<'w, W> {
    pub(super) fn new(to: &'w mut W, kind: Kind) -> io::Result<BlockWriter<'w, W>> {
        to.write_all(&MAGIC)?;
        to.write_all(&VERSION.to_le_bytes())?;
        to.write_all(&(kind as u32).to_le_bytes())?;
        Ok(BlockWriter { to, sequence: 0, pending: Vec::with_capacity(BLOCK), section: Section::Shape })
    }

    /// Writes words of a section.
    pub(super) fn words(&mut self, section: Section, words: impl IntoIterator<Item = u64>) -> io::Result<()> {
        words.into_iter().try_for_each(|word| self.entry(section, &[word]))
    }

    /// Writes words that belong together, and so into one block.
    pub(super) fn entry(&mut self, section: Section, words: &[u64]) -> io::Result<()> {
        if section != self.section || self.pending.len() + words.len() > BLOCK {
            self.flush()?;
            self.section = section;
        }
        self.pending.extend_from_slice(words);
        Ok(())
    }

    /// Writes the keys of a set, then the flags of those that have some; the number of keys.
    pub(super) fn set<L: Layout>(&mut self, set: &CompactSet<L>, inside: &Inside<'_>) -> io::Result<u64> {
        let (mut result, mut count) = (Ok(()), 0);
        set.for_each(inside, |key, _| {
            count += 1;
            if result.is_ok() {
                result = self.entry(Section::States, &[key]);
            }
        });
        set.for_each(inside, |key, flags| {
            if flags != 0 && result.is_ok() {
                result = self.entry(Section::Flags, &[key, u64::from(flags)]);
            }
        });
        result.map(|()| count)
    }

    /// Writes the last block.
    pub(super) fn finish(mut self, states: u64) -> io::Result<()> {
        self.entry(Section::End, &[states])?;
        self.flush()?;
        self.to.flush()
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let mut bytes = Vec::with_capacity(12 + 8 * self.pending.len());
        for number in [self.section as u32, self.sequence, self.pending.len() as u32] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.pending.iter().flat_map(|word| word.to_le_bytes()));
        self.to.write_all(&bytes)?;
        self.to.write_all(&checksum(&bytes).to_le_bytes())?;
        self.sequence += 1;
        self.pending.clear();
        Ok(())
    }
}

/// Reads blocks.
pub(super) struct BlockReader<'r, R> {
    from: &'r mut R,
    /// The number of the next block.
    sequence: u32,
}

impl<'r, R: Read> BlockReader<'r, R> {
    pub(super) fn new(from: &'r mut R, kind: Kind) -> Result<BlockReader<'r, R>, CheckpointError> {
        let mut reader = BlockReader { from, sequence: 0 };
        if reader.bytes::<8>()? != MAGIC {
            return Err(CheckpointError::NotAStore);
        }
        match u32::from_le_bytes(reader.bytes()?) {
            VERSION => {}
            other => return Err(CheckpointError::Version(other)),
        }
        if u32::from_le_bytes(reader.bytes()?) != kind as u32 {
            return Err(CheckpointError::OtherStore);
        }
        Ok(reader)
    }

    /// The next block.
    pub(super) fn block(&mut self) -> Result<(Section, Vec<u64>), CheckpointError> {
        let head: [u8; 12] = self.bytes()?;
        let (numbers, _) = head.as_chunks::<4>();
        let [section, sequence, count] = [0, 1, 2].map(|field| u32::from_le_bytes(numbers[field]));
        let count = count as usize;
        if count == 0 || count > BLOCK {
            return Err(self.damaged());
        }
        let mut bytes = head.to_vec();
        bytes.resize(12 + 8 * count, 0);
        self.from.read_exact(&mut bytes[12..])?;
        let expected = u64::from_le_bytes(self.bytes()?);
        let section =
            Section::from_number(section).filter(|_| sequence == self.sequence && checksum(&bytes) == expected);
        let section = section.ok_or_else(|| self.damaged())?;
        self.sequence += 1;
        let (words, _) = bytes[12..].as_chunks::<8>();
        Ok((section, words.iter().map(|word| u64::from_le_bytes(*word)).collect()))
    }

    /// The words of the first block.
    pub(super) fn shape(&mut self) -> Result<Vec<u64>, CheckpointError> {
        match self.block()? {
            (Section::Shape, words) => Ok(words),
            _ => Err(self.damaged()),
        }
    }

    /// Gives all blocks but the last to `restore`; the number of states that the last one tells.
    pub(super) fn rest(
        &mut self,
        mut restore: impl FnMut(Section, &[u64]) -> Result<(), Rejected>,
    ) -> Result<u64, CheckpointError> {
        loop {
            match self.block()? {
                (Section::End, words) => return words.first().copied().ok_or_else(|| self.damaged()),
                (section, words) => restore(section, &words).map_err(|rejected| self.explain(rejected))?,
            }
        }
    }

    /// Why the block read last could not be restored.
    pub(super) fn explain(&self, rejected: Rejected) -> CheckpointError {
        match rejected {
            Rejected::Full => CheckpointError::TooLarge,
            Rejected::Nonsense => self.damaged(),
        }
    }

    /// What to say if the block read last makes no sense.
    pub(super) fn damaged(&self) -> CheckpointError {
        CheckpointError::Damaged { block: self.sequence.saturating_sub(1) }
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], CheckpointError> {
        let mut bytes = [0; N];
        self.from.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

/// Stable for ever, like the hash of states.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    super::mix::hash_bytes(bytes)
}
