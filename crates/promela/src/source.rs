//! Source text and places in it.
//!
//! All files of a model (the main file, its includes, the command line's `-D` definitions) share one space of byte
//! positions, so a place is two numbers. A token that came out of a macro or an `inline` also names its *expansion*:
//! which definition it was copied from and where it was used. A diagnostic can therefore show both.

mod position;

use std::fmt;
use std::sync::Arc;

pub use position::{ColumnUnit, LineColumn, Position};

/// A file known to a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(u32);

/// The expansion a token came from, or [`ExpansionId::NONE`] for text that stands in a file as it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ExpansionId(u32);

impl ExpansionId {
    /// Text written by the user at the very place its span names.
    pub const NONE: ExpansionId = ExpansionId(0);
}

/// A range of source text: byte positions in the space of a [`SourceMap`], and the expansion it came from.
///
/// The positions are those of the text that was *copied* (a macro's body, an inline's body, an argument);
/// [`SourceMap::use_site`] tells where it was used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Where the text was pasted from, if it was.
    pub expansion: ExpansionId,
}

impl Span {
    /// A span of no text, for things that no source text stands for.
    pub const NOWHERE: Span = Span { start: 0, end: 0, expansion: ExpansionId::NONE };

    /// The span from the start of `self` to the end of `other`.
    ///
    /// When the two come from different expansions no single range covers both; the result is then `self`.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        if self.expansion == other.expansion && self.start <= other.end {
            Span { start: self.start, end: other.end.max(self.end), expansion: self.expansion }
        } else {
            self
        }
    }

    /// The empty span just behind this one: where something is missing.
    #[must_use]
    pub fn after(self) -> Span {
        Span { start: self.end, end: self.end, expansion: self.expansion }
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)?;
        if self.expansion != ExpansionId::NONE {
            write!(f, "@{}", self.expansion.0)?;
        }
        Ok(())
    }
}

/// What copied a piece of text to where it is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExpansionKind {
    /// A `#define` of the model or the command line.
    Macro,
    /// Promela's `inline`.
    Inline,
    /// A parameter in the body of an `inline`, in whose place the argument stands.
    Argument,
}

/// One use of a macro or inline.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// Macro or inline.
    pub kind: ExpansionKind,
    /// Its name.
    pub name: Arc<str>,
    /// The use: the name and, where there are any, the arguments. May itself lie in an expansion.
    pub call: Span,
    /// The name in its definition.
    pub definition: Span,
}

/// A source file.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The path as the user gave it, or as `#include` spelled it relative to the including file.
    pub path: Arc<str>,
    /// The whole text.
    pub text: Arc<str>,
    /// The `#include` that it was read for; `None` for the model itself and for texts that are no file.
    pub included_at: Option<Span>,
    start: u32,
    line_starts: Vec<u32>,
    line_markers: Vec<LineMarker>,
}

/// A `#line` directive, or the `# 12 "file"` of text that was preprocessed before: the lines behind it came from there.
#[derive(Clone, Debug)]
struct LineMarker {
    /// The first physical line it speaks about, from 1.
    first_line: u32,
    /// The number that line had.
    line: u32,
    /// The file it was in.
    path: Arc<str>,
}

/// A human-readable place: line and column count from 1, the column in characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Location {
    /// The file.
    pub file: FileId,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// All source text of a model and every expansion that happened in it.
///
/// ```
/// use promela::source::SourceMap;
/// let mut sources = SourceMap::new();
/// let file = sources.add_file("m.pml", "byte x;\nbyte y;\n").unwrap();
/// let span = sources.span(file, 13, 14);
/// assert_eq!(sources.snippet(span), "y");
/// let place = sources.location(span);
/// assert_eq!((place.line, place.column), (2, 6));
/// ```
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    /// Shared by the copies of a map, of which every model has one.
    expansions: Arc<Vec<Expansion>>,
}

/// The sources of one model exceed the 4 GiB that positions can name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooMuchText;

impl SourceMap {
    /// An empty map.
    #[must_use]
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds a file's text. The same file included twice is added twice: its tokens are different uses.
    ///
    /// # Errors
    /// When all texts together would exceed 4 GiB.
    pub fn add_file(&mut self, path: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Result<FileId, TooMuchText> {
        let text = text.into();
        // One position is left between files, so an empty span at a file's end lies in that file.
        let start = self.files.last().map_or(1, |last| last.start + last.text.len() as u32 + 1);
        let end = u64::from(start) + text.len() as u64 + 1;
        if end > u64::from(u32::MAX) {
            return Err(TooMuchText);
        }
        let line_starts = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1))
            .collect();
        let (path, line_markers) = (path.into(), Vec::new());
        self.files.push(SourceFile { path, text, included_at: None, start, line_starts, line_markers });
        Ok(FileId(self.files.len() as u32 - 1))
    }

    /// Records that the line holding byte `offset` of `file` was line `line` of `path` before an earlier tool copied
    /// it, and the lines behind it followed it there. Markers of a file are added from top to bottom.
    pub fn add_line_marker(&mut self, file: FileId, offset: usize, line: u32, path: impl Into<Arc<str>>) {
        let file = &mut self.files[file.0 as usize];
        let first_line = file.line_at(offset);
        file.line_markers.push(LineMarker { first_line, line, path: path.into() });
    }

    /// Records the `#include` that a file was read for.
    pub(crate) fn set_included_at(&mut self, file: FileId, directive: Span) {
        self.files[file.0 as usize].included_at = Some(directive);
    }

    /// Records a use of a macro or inline.
    pub fn add_expansion(&mut self, expansion: Expansion) -> ExpansionId {
        Arc::make_mut(&mut self.expansions).push(expansion);
        ExpansionId(self.expansions.len() as u32)
    }

    /// The file behind an id of this map.
    #[must_use]
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All files, in the order in which they were read; one that is included twice is there twice.
    #[must_use]
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// A span of a file, from byte offsets within that file.
    #[must_use]
    pub fn span(&self, file: FileId, start: usize, end: usize) -> Span {
        let base = self.file(file).start;
        Span { start: base + start as u32, end: base + end as u32, expansion: ExpansionId::NONE }
    }

    /// The file that holds a span's text, and the byte range within it. `None` for [`Span::NOWHERE`].
    #[must_use]
    pub fn range(&self, span: Span) -> Option<(FileId, std::ops::Range<usize>)> {
        let index = self.files.partition_point(|file| file.start <= span.start).checked_sub(1)?;
        let file = &self.files[index];
        let at = |position: u32| {
            file.text.floor_char_boundary((position.saturating_sub(file.start) as usize).min(file.text.len()))
        };
        let start = at(span.start);
        Some((FileId(index as u32), start..at(span.end).max(start)))
    }

    /// The text of a span.
    #[must_use]
    pub fn snippet(&self, span: Span) -> &str {
        self.range(span).map_or("", |(file, range)| &self.file(file).text[range])
    }

    /// Where a span's text stands.
    #[must_use]
    pub fn location(&self, span: Span) -> Location {
        let Some((id, range)) = self.range(span) else {
            return Location { file: FileId(0), line: 0, column: 0 };
        };
        let file = self.file(id);
        let line = file.line_at(range.start);
        let line_start = file.line_starts[line as usize - 1] as usize;
        let column = file.text[line_start..range.start].chars().count() + 1;
        Location { file: id, line, column: column as u32 }
    }

    /// The path and line to tell a user for a line of a file: its own, unless a `#line` directive above says otherwise.
    #[must_use]
    pub fn presumed_line(&self, file: FileId, line: u32) -> (&Arc<str>, u32) {
        let file = self.file(file);
        let marker = file.line_markers.partition_point(|marker| marker.first_line <= line).checked_sub(1);
        match marker.map(|index| &file.line_markers[index]) {
            Some(marker) => (&marker.path, marker.line.saturating_add(line - marker.first_line)),
            None => (&file.path, line),
        }
    }

    /// The expansion a span came from.
    #[must_use]
    pub fn expansion(&self, span: Span) -> Option<&Expansion> {
        span.expansion.0.checked_sub(1).map(|index| &self.expansions[index as usize])
    }

    /// All expansions, in the order in which they were made.
    #[must_use]
    pub fn expansions(&self) -> &[Expansion] {
        &self.expansions
    }

    /// The text from the start of `first` to the end of `last`, expansions unwound as far as it takes for one range to
    /// cover both. When they share no text at all, `first`.
    #[must_use]
    pub fn cover(&self, first: Span, last: Span) -> Span {
        let mut from = Some(first);
        while let Some(start) = from {
            let mut to = Some(last);
            while let Some(end) = to {
                if start.expansion == end.expansion && start.start <= end.end {
                    return start.to(end);
                }
                to = self.expansion(end).map(|expansion| expansion.call);
            }
            from = self.expansion(start).map(|expansion| expansion.call);
        }
        first
    }

    /// The place the user wrote that led to this text, all expansions unwound.
    #[must_use]
    pub fn use_site(&self, mut span: Span) -> Span {
        while let Some(expansion) = self.expansion(span) {
            span = expansion.call;
        }
        span
    }

    /// The smallest place in a file that the user can look at for this text: a macro's or inline's argument stands
    /// where it was written in the call; text of its body is seen at the call.
    #[must_use]
    pub fn visible_span(&self, mut span: Span) -> Span {
        while let Some(expansion) = self.expansion(span) {
            let call = expansion.call;
            span = if expansion.kind == ExpansionKind::Argument {
                Span { expansion: self.argument_context(call), ..span }
            } else if call.start <= span.start && span.end <= call.end {
                Span { expansion: call.expansion, ..span }
            } else {
                call
            };
        }
        span
    }

    /// What an argument's text was copied by before it took the place of the parameter at `parameter`: the parameter stands
    /// in the body of an inline, the argument in the use of that inline.
    fn argument_context(&self, parameter: Span) -> ExpansionId {
        let mut at = parameter;
        while let Some(expansion) = self.expansion(at) {
            match expansion.kind {
                ExpansionKind::Inline => return expansion.call.expansion,
                ExpansionKind::Macro => at = expansion.call,
                // The parameter is itself part of an argument for a further inline.
                ExpansionKind::Argument => at.expansion = self.argument_context(expansion.call),
            }
        }
        ExpansionId::NONE
    }

    /// The line SPIN would report: that of a macro's use, but that of the text inside an `inline`'s body.
    #[must_use]
    pub fn reported_span(&self, mut span: Span) -> Span {
        while let Some(expansion) = self.expansion(span) {
            match expansion.kind {
                ExpansionKind::Macro | ExpansionKind::Argument => span = expansion.call,
                ExpansionKind::Inline => break,
            }
        }
        span
    }
}

impl SourceFile {
    /// The line, from 1, that holds a byte offset.
    fn line_at(&self, offset: usize) -> u32 {
        self.line_starts.partition_point(|&start| start as usize <= offset) as u32
    }

    /// The byte range of a line, numbered from 1, without its line break.
    pub(crate) fn line_range(&self, line: u32) -> std::ops::Range<usize> {
        let start_of = |line: u32| self.line_starts.get(line as usize - 1).map_or(self.text.len(), |&at| at as usize);
        let (start, end) = (start_of(line), start_of(line + 1));
        start..start + self.text[start..end].trim_end_matches(['\n', '\r']).len()
    }
}

impl FileId {
    /// The first file of a map: the model itself.
    pub const MAIN: FileId = FileId(0);
}
