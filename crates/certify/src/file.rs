//! The bytes of a certificate.
//!
//! ```text
//! file:   magic │ block │ block │ …
//! block:  tag │ bytes when unpacked │ bytes here │ deflated bytes
//! order:  (property  group?  states*  measures*  witnesses*)+  end
//! ```
//! Numbers are written seven bits at a time, the least first. A block is at most [`BLOCK_LIMIT`] bytes when unpacked, so a reader needs no more memory
//! than a file's blocks say and its states take.

use std::io::{self, Read};

use crate::{Accepted, Rejection};

/// What every certificate begins with.
pub const MAGIC: &[u8] = b"isospin.certificate/1\n";

/// The most bytes of a block when unpacked.
pub const BLOCK_LIMIT: usize = 1 << 26;

/// What a block holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Tag {
    /// The property that the following blocks prove.
    Property = b'P',
    /// Kinds and renamings.
    Group = b'G',
    /// Listed states of one length, in increasing order.
    States = b'S',
    /// What infinite runs need: the measure of each listed state.
    Measures = b'M',
    /// The renaming of each successor that is not listed itself.
    Witnesses = b'W',
    /// There is no more.
    End = b'E',
}

impl Tag {
    const ALL: [Tag; 6] = [Tag::Property, Tag::Group, Tag::States, Tag::Measures, Tag::Witnesses, Tag::End];
}

/// Bytes to be written.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// How many bytes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// A byte.
    pub fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// Bytes whose number the reader knows.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// A number.
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// A number that may be negative.
    pub fn signed(&mut self, number: i32) {
        self.number(u64::from((number << 1 ^ number >> 31) as u32));
    }

    /// Numbers, and how many.
    pub fn numbers(&mut self, numbers: impl ExactSizeIterator<Item = u64>) {
        self.number(numbers.len() as u64);
        numbers.for_each(|number| self.number(number));
    }

    /// A text.
    pub fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.bytes(text.as_bytes());
    }

    /// The block of these bytes.
    #[must_use]
    pub fn block(&self, tag: Tag) -> Vec<u8> {
        let packed = miniz_oxide::deflate::compress_to_vec(&self.bytes, 9);
        let mut block = Writer::default();
        block.byte(tag as u8);
        block.number(self.bytes.len() as u64);
        block.number(packed.len() as u64);
        block.bytes(&packed);
        block.bytes
    }
}

/// Bytes that are read.
#[derive(Clone, Debug)]
pub struct Reader<'b> {
    bytes: &'b [u8],
}

impl<'b> Reader<'b> {
    /// Reads these bytes.
    #[must_use]
    pub fn new(bytes: &'b [u8]) -> Reader<'b> {
        Reader { bytes }
    }

    /// Whether all was read.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.bytes.is_empty()
    }

    /// How many bytes are left.
    #[must_use]
    pub fn left(&self) -> usize {
        self.bytes.len()
    }

    /// A byte.
    ///
    /// # Errors
    /// When there is none.
    pub fn byte(&mut self) -> Accepted<u8> {
        self.bytes(1).map(|bytes| bytes[0])
    }

    /// So many bytes.
    ///
    /// # Errors
    /// When there are fewer.
    pub fn bytes(&mut self, count: usize) -> Accepted<&'b [u8]> {
        let (bytes, rest) =
            self.bytes.split_at_checked(count).ok_or_else(|| Rejection::new("a block ends too early"))?;
        self.bytes = rest;
        Ok(bytes)
    }

    /// A number.
    ///
    /// # Errors
    /// When there is none.
    pub fn number(&mut self) -> Accepted<u64> {
        number(|| self.byte())
    }

    /// A number that may be negative.
    ///
    /// # Errors
    /// When there is none.
    pub fn signed(&mut self) -> Accepted<i32> {
        let number = u32::try_from(self.number()?).map_err(|_| Rejection::new("a number is out of range"))?;
        Ok((number >> 1) as i32 ^ -((number & 1) as i32))
    }

    /// A number that is less than a limit.
    ///
    /// # Errors
    /// When it is not.
    pub fn below(&mut self, limit: usize) -> Accepted<usize> {
        let number = self.number()?;
        let number = usize::try_from(number).ok().filter(|&number| number < limit);
        number.ok_or_else(|| Rejection::new("a number is out of range"))
    }

    /// Numbers, at most so many.
    ///
    /// # Errors
    /// When there are more, or fewer than is said.
    pub fn numbers(&mut self, most: usize) -> Accepted<Vec<u64>> {
        let count = self.below(most.saturating_add(1))?;
        (0..count).map(|_| self.number()).collect()
    }

    /// A text.
    ///
    /// # Errors
    /// When it is none.
    pub fn text(&mut self) -> Accepted<String> {
        let length = self.below(1 << 16)?;
        let bytes = self.bytes(length)?;
        String::from_utf8(bytes.to_vec()).map_err(|_| Rejection::new("a text is not UTF-8"))
    }
}

fn number(mut byte: impl FnMut() -> Accepted<u8>) -> Accepted<u64> {
    let mut number = 0;
    for place in 0..9 {
        let byte = byte()?;
        number |= u64::from(byte & 0x7F) << (7 * place);
        if byte & 0x80 == 0 {
            return Ok(number);
        }
    }
    Err(Rejection::new("a number is too long"))
}

/// The blocks of a file, one after the other.
pub struct Blocks<R> {
    source: R,
    next: Option<(Tag, Vec<u8>)>,
}

impl<R: Read> Blocks<R> {
    /// Reads the beginning of a file.
    ///
    /// # Errors
    /// When it is no certificate.
    pub fn new(mut source: R) -> Accepted<Blocks<R>> {
        let mut magic = [0; MAGIC.len()];
        let read = source.read_exact(&mut magic);
        if read.is_err() || magic != MAGIC {
            return Err(Rejection::new("this is no certificate of this version"));
        }
        Ok(Blocks { source, next: None })
    }

    /// The tag of the next block.
    ///
    /// # Errors
    /// When there is none.
    pub fn peek(&mut self) -> Accepted<Tag> {
        let (tag, bytes) = self.next()?;
        self.next = Some((tag, bytes));
        Ok(tag)
    }

    /// The next block.
    ///
    /// # Errors
    /// When there is none.
    #[allow(clippy::should_implement_trait, reason = "a file that just ends is an error, not the end of an iteration")]
    pub fn next(&mut self) -> Accepted<(Tag, Vec<u8>)> {
        if let Some(next) = self.next.take() {
            return Ok(next);
        }
        let tag = self.byte()?;
        let tag = Tag::ALL.into_iter().find(|&known| known as u8 == tag);
        let tag = tag.ok_or_else(|| Rejection::new("a block is of no known kind"))?;
        let (unpacked, packed) = (number(|| self.byte())?, number(|| self.byte())?);
        if unpacked > BLOCK_LIMIT as u64 || packed > 2 * BLOCK_LIMIT as u64 {
            return Err(Rejection::new("a block is too large"));
        }
        let mut bytes = Vec::new();
        let read = (&mut self.source).take(packed).read_to_end(&mut bytes);
        if !read.is_ok_and(|read| read as u64 == packed) {
            return Err(Rejection::new("the file ends too early"));
        }
        let bytes = miniz_oxide::inflate::decompress_to_vec_with_limit(&bytes, unpacked as usize);
        match bytes {
            Ok(bytes) if bytes.len() as u64 == unpacked => Ok((tag, bytes)),
            _ => Err(Rejection::new("a block cannot be unpacked")),
        }
    }

    /// The next block, which must be of this kind.
    ///
    /// # Errors
    /// When it is not.
    pub fn expect(&mut self, wanted: Tag) -> Accepted<Vec<u8>> {
        match self.next()? {
            (tag, bytes) if tag == wanted => Ok(bytes),
            (tag, _) => Err(Rejection::new(format!("a block {tag:?} stands where {wanted:?} should"))),
        }
    }

    /// Whether the file ends here.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn is_at_end(&mut self) -> io::Result<bool> {
        Ok(self.next.is_none() && self.source.read(&mut [0])? == 0)
    }

    fn byte(&mut self) -> Accepted<u8> {
        let mut byte = [0];
        self.source.read_exact(&mut byte).map_err(|_| Rejection::new("the file ends too early"))?;
        Ok(byte[0])
    }
}

#[cfg(test)]
mod tests {
    use super::{Blocks, MAGIC, Reader, Tag, Writer};

    #[test]
    fn what_is_written_is_read() {
        let mut writer = Writer::default();
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), 1 << 60];
        numbers.iter().for_each(|&number| writer.number(number));
        for number in [0, -1, 1, i32::MIN, i32::MAX] {
            writer.signed(number);
        }
        writer.text("é");
        let file = [MAGIC, &writer.block(Tag::Group)].concat();
        let mut blocks = Blocks::new(&file[..]).unwrap();
        assert_eq!(blocks.peek(), Ok(Tag::Group));
        let bytes = blocks.expect(Tag::Group).unwrap();
        let mut reader = Reader::new(&bytes);
        assert!(numbers.iter().all(|&number| reader.number() == Ok(number)));
        assert!([0, -1, 1, i32::MIN, i32::MAX].iter().all(|&number| reader.signed() == Ok(number)));
        assert_eq!(reader.text().unwrap(), "é");
        assert!(reader.is_at_end() && blocks.is_at_end().unwrap());
    }

    #[test]
    fn a_file_that_ends_early_is_not_read() {
        let mut writer = Writer::default();
        writer.text("a property of some length");
        let file = [MAGIC, &writer.block(Tag::Property)].concat();
        for length in 0..file.len() {
            let read = Blocks::new(&file[..length]).and_then(|mut blocks| blocks.next());
            assert!(read.is_err(), "{length}");
        }
    }
}
