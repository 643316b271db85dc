//! Writing the formatted lines: indentation, blanks between tokens, labels at the margin, comments in columns.
//!
//! A line of the file becomes a line of the result; only blank lines disappear. Comments behind code that stand on
//! consecutive lines of one indentation are aligned, with blanks, so that the column holds whatever a tab is worth.

use super::TAB;
use super::item::{CommentKind, Item, ItemKind, Line, LineKind, Lines};
use super::role::{Role, Shape, is_spaced};
use super::walk::{Place, Walk};

/// Deeper nesting than any model has; beyond it the indentation stays, so that rubbish costs no more than its size.
const DEEPEST: usize = 100;

/// A line of the result.
#[derive(Default)]
struct Written {
    /// Everything up to the last token.
    code: String,
    /// The comments behind the last token.
    comment: String,
    /// The indentation of the statement on it, and the offset in `code` where that begins.
    indent: usize,
    body: usize,
}

/// The text of a file whose items have got roles and places.
pub(super) fn write(file: &str, lines: &Lines, walk: &Walk) -> String {
    let writer = Writer { file, lines, walk };
    let mut written: Vec<Written> = Vec::new();
    let mut is_blank_due = false;
    let mut after_opening = true;
    for (line, place) in lines.lines.iter().zip(&walk.places) {
        if line.kind == LineKind::Dead {
            let end = line.items.clone().next_back().map_or(line.start, |at| lines.items[at].end);
            written.push(Written { code: file[line.start..end].to_owned(), ..Written::default() });
            continue;
        }
        if line.items.is_empty() {
            is_blank_due = true;
            continue;
        }
        if is_blank_due && !after_opening && !place.closes {
            written.push(Written::default());
        }
        is_blank_due = false;
        after_opening = writer.ends_with_opening(line);
        written.push(writer.line(line, place));
    }
    align_comments(&mut written);
    let mut text = String::with_capacity(file.len());
    for line in written {
        text.push_str(&line.code);
        text.push_str(&line.comment);
        text.push('\n');
    }
    text
}

struct Writer<'a> {
    file: &'a str,
    lines: &'a Lines,
    walk: &'a Walk,
}

impl Writer<'_> {
    fn ends_with_opening(&self, line: &Line) -> bool {
        let last = line.items.clone().rev().find(|&at| self.lines.items[at].is_code());
        last.is_some_and(|at| match self.walk.roles[at] {
            Role::Open(_) => true,
            Role::Keyword => matches!(self.lines.items[at].text(self.file), "if" | "do"),
            _ => false,
        })
    }

    fn line(&self, line: &Line, place: &Place) -> Written {
        let items = &self.lines.items;
        let first = &items[line.items.start];
        let is_directive = matches!(line.kind, LineKind::Directive(_));
        let white = &self.file[line.start..first.start];
        let indent = if is_directive { 0 } else { place.indent.min(DEEPEST) };
        let last_code = line.items.clone().rev().find(|&at| !matches!(items[at].kind, ItemKind::Comment(_)));
        let comments_from = last_code.map_or(line.items.end, |at| at + 1);

        let mut out = Written { indent, ..Written::default() };
        match first.kind {
            ItemKind::Continuation => out.code.push_str(white),
            _ if place.label_items > 0 => {}
            _ => out.code.extend(std::iter::repeat_n('\t', indent)),
        }
        out.body = out.code.len();
        for at in line.items.clone() {
            let index = at - line.items.start;
            let item = &items[at];
            if at > line.items.start {
                let gap = self.gap(at);
                if at == comments_from {
                    out.comment.push(' ');
                } else if at > comments_from {
                    out.comment.push_str(&gap);
                } else if gap != " " {
                    out.code.push_str(&gap);
                } else if index == place.label_items && index > 0 {
                    out.code.push_str(&label_gap(&out.code, indent));
                    out.body = out.code.len();
                } else if index == 1 && self.is_hanging_brace(at - 1) {
                    out.code.push('\t');
                    out.indent += 1;
                    out.body = out.code.len();
                } else {
                    out.code.push_str(&gap);
                }
            }
            let target = if at >= comments_from { &mut out.comment } else { &mut out.code };
            match item.kind {
                ItemKind::Comment(kind) => {
                    let moved = (at == line.items.start).then(|| (white, "\t".repeat(indent)));
                    push_comment(target, item, kind, self.file, moved);
                }
                ItemKind::Directive => push_trimmed(target, item.text(self.file)),
                _ => target.push_str(item.text(self.file)),
            }
        }
        out
    }

    /// The white space between the item at `at` and the one before it on the line.
    fn gap(&self, at: usize) -> String {
        let (left, right) = (&self.lines.items[at - 1], &self.lines.items[at]);
        let is_layout = |item: &Item| item.kind == ItemKind::Continuation;
        if is_layout(left) || is_layout(right) {
            return self.file[left.end..right.start].to_owned();
        }
        let roles = &self.walk.roles;
        let is_spaced = is_spaced(self.file, (left, roles[at - 1]), (right, roles[at]));
        String::from(if is_spaced { " " } else { "" })
    }

    /// Whether `{` begins a line and the block it opens begins on the same line: `{` tab `byte x;`.
    fn is_hanging_brace(&self, at: usize) -> bool {
        self.walk.roles[at] == Role::Open(Shape::Brace)
            && !self.walk.closed_on_line[at]
            && self.lines.items[at + 1].is_code()
    }
}

/// The white space between labels at the margin and their statement.
fn label_gap(labels: &str, indent: usize) -> String {
    let width = labels.chars().count();
    if width < indent * TAB { "\t".repeat(indent - width / TAB) } else { String::from(" ") }
}

/// Puts the comments behind code of consecutive lines in one column.
fn align_comments(lines: &mut [Written]) {
    let is_aligned =
        |line: &Written| !line.comment.is_empty() && !line.code.contains('\n') && !line.comment.contains('\n');
    for run in lines.chunk_by_mut(|one, two| one.indent == two.indent && is_aligned(one) && is_aligned(two)) {
        if run.len() < 2 {
            continue;
        }
        let width = |line: &Written| line.code[line.body..].chars().count();
        let widest = run.iter().map(width).max().unwrap_or(0);
        for line in run {
            let padding = widest - width(line);
            line.code.extend(std::iter::repeat_n(' ', padding));
        }
    }
}

/// Writes a comment. The later lines of one that was moved with its line keep their place relative to the first.
fn push_comment(out: &mut String, item: &Item, kind: CommentKind, file: &str, moved: Option<(&str, String)>) {
    let text = item.text(file);
    match moved {
        // Joined lines may carry the closing `*/`, which must not be moved.
        Some((from, to)) if kind == CommentKind::Block && !item.continued => {
            for (number, line) in text.split('\n').enumerate() {
                let line = trimmed(line);
                match line.strip_prefix(from) {
                    Some(rest) if number > 0 && !line.is_empty() => {
                        out.push('\n');
                        out.push_str(&to);
                        out.push_str(rest);
                    }
                    _ => {
                        out.push_str(if number > 0 { "\n" } else { "" });
                        out.push_str(line);
                    }
                }
            }
        }
        _ => push_trimmed(out, text),
    }
}

/// Writes text of several lines without the white space at their ends.
fn push_trimmed(out: &mut String, text: &str) {
    for (number, line) in text.split('\n').enumerate() {
        out.push_str(if number > 0 { "\n" } else { "" });
        out.push_str(trimmed(line));
    }
}

/// A line without the white space at its end.
pub(super) fn trimmed(line: &str) -> &str {
    line.trim_end_matches([' ', '\t', '\r', '\x0b', '\x0c'])
}
