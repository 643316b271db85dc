//! Places as editors name them: a file and an offset, or a line and a column.
//!
//! Columns count characters, as our messages do, or UTF-16 code units, as the language server protocol does. A line ends
//! with its line break, so every offset has one line and column, and the way there and back is the same for every border
//! between characters.

use super::{FileId, SourceFile, SourceMap, Span};

/// A place in a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// The file.
    pub file: FileId,
    /// The byte within the file's text.
    pub offset: usize,
}

/// What a column counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColumnUnit {
    /// Unicode characters.
    Character,
    /// UTF-16 code units: characters beyond U+FFFF count twice.
    Utf16,
}

impl ColumnUnit {
    fn width(self, character: char) -> u32 {
        match self {
            ColumnUnit::Character => 1,
            ColumnUnit::Utf16 => character.len_utf16() as u32,
        }
    }
}

/// A line and a column, both from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

impl SourceMap {
    /// Where a span's text starts. `None` for [`Span::NOWHERE`].
    #[must_use]
    pub fn position(&self, span: Span) -> Option<Position> {
        self.range(span).map(|(file, range)| Position { file, offset: range.start })
    }

    /// A place in the space of positions that spans use.
    #[must_use]
    pub(crate) fn absolute(&self, position: Position) -> u32 {
        let file = self.file(position.file);
        file.start + position.offset.min(file.text.len()) as u32
    }

    /// The files with this path: several if it is included more than once.
    pub fn files_at<'s>(&'s self, path: &'s str) -> impl Iterator<Item = FileId> + 's {
        let all = self.files.iter().enumerate();
        all.filter(move |(_, file)| &*file.path == path).map(|(number, _)| FileId(number as u32))
    }
}

impl SourceFile {
    /// The line and column of a byte offset; one inside a character counts as that character's start.
    ///
    /// ```
    /// use promela::source::{ColumnUnit, LineColumn, SourceMap};
    /// let mut sources = SourceMap::new();
    /// let text = "/* ä𝄞 */ byte x;";
    /// let file = sources.add_file("m.pml", text).unwrap();
    /// let (file, offset) = (sources.file(file), text.find('b').unwrap());
    /// assert_eq!(file.line_column(offset, ColumnUnit::Character), LineColumn { line: 1, column: 10 });
    /// assert_eq!(file.line_column(offset, ColumnUnit::Utf16), LineColumn { line: 1, column: 11 });
    /// assert_eq!(file.offset(LineColumn { line: 1, column: 11 }, ColumnUnit::Utf16), Some(offset));
    /// ```
    #[must_use]
    pub fn line_column(&self, offset: usize, unit: ColumnUnit) -> LineColumn {
        let offset = self.text.floor_char_boundary(offset);
        let line = self.line_at(offset);
        let start = self.line_starts[line as usize - 1] as usize;
        let before: u32 = self.text[start..offset].chars().map(|character| unit.width(character)).sum();
        LineColumn { line, column: before + 1 }
    }

    /// The byte offset of a line and column. A column behind the end of its line is taken as that end, one inside a
    /// character as its start; `None` if there is no such line.
    #[must_use]
    pub fn offset(&self, place: LineColumn, unit: ColumnUnit) -> Option<usize> {
        let line = (place.line as usize).checked_sub(1)?;
        let start = *self.line_starts.get(line)? as usize;
        let next = self.line_starts.get(line + 1).map_or(self.text.len() + 1, |&next| next as usize);
        let mut column = 1;
        for (index, character) in self.text[start..next - 1].char_indices() {
            column += unit.width(character);
            if column > place.column {
                return Some(start + index);
            }
        }
        Some(next - 1)
    }
}
