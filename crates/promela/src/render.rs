//! Diagnostics as text: the source underlined, with labels, notes and mends.
//!
//! Text that a macro or inline brought in is shown where the user wrote it: the argument itself, or the call. Behind it
//! follow, from the outermost expansion to the innermost, the places in the definitions that the text was copied from.
//!
//! Any span of the map can be shown. Only the lines from the first label to the last are handed to the drawing library,
//! so a message costs the same in a long file as in a short one.

use std::ops::Range;
use std::sync::Arc;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Patch, Renderer, Snippet};

use crate::diagnostic::{Diagnostic, Label, Severity, Suggestion};
use crate::source::{Expansion, ExpansionKind, FileId, SourceMap, Span};

/// Whether to write colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    /// Text only.
    Never,
    /// With the escape sequences of terminals.
    Always,
}

/// How a diagnostic is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// With or without colours.
    pub colour: Colour,
    /// Columns of the terminal; longer source lines are cut.
    pub width: usize,
}

impl Default for Style {
    fn default() -> Style {
        Style { colour: Colour::Never, width: 120 }
    }
}

/// Where a label points, for machine-readable reports.
///
/// Lines and columns count from 1, columns in characters; the end is exclusive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file, as a `#line` directive names it if there is one.
    pub path: Arc<str>,
    /// First line.
    pub line: u32,
    /// First column.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// One past the last column.
    pub end_column: u32,
}

/// The place a user can look at for a label; `None` if no text stands for it.
///
/// ```
/// use promela::diagnostic::Label;
/// use promela::render::place;
/// use promela::source::SourceMap;
/// let mut sources = SourceMap::new();
/// let file = sources.add_file("m.pml", "byte x;\nbyte y;\n").unwrap();
/// let label = Label { span: sources.span(file, 13, 14), message: String::new() };
/// let place = place(&sources, &label).unwrap();
/// assert_eq!((place.line, place.column, place.end_line, place.end_column), (2, 6, 2, 7));
/// ```
#[must_use]
pub fn place(sources: &SourceMap, label: &Label) -> Option<Place> {
    let span = sources.visible_span(label.span);
    let (file, range) = sources.range(span)?;
    let location_of = |offset| sources.location(sources.span(file, offset, offset));
    let (start, end) = (location_of(range.start), location_of(range.end));
    let (path, line) = sources.presumed_line(file, start.line);
    Some(Place {
        path: Arc::clone(path),
        line,
        column: start.column,
        end_line: line + (end.line - start.line),
        end_column: end.column,
    })
}

/// Draws a diagnostic.
///
/// ```
/// use promela::diagnostic::Diagnostic;
/// use promela::render::{Style, render};
/// use promela::source::SourceMap;
/// let mut sources = SourceMap::new();
/// let file = sources.add_file("m.pml", "byte x = 300;\n").unwrap();
/// let message = Diagnostic::warning("overflow", sources.span(file, 9, 12), "the value does not fit")
///     .label("a byte holds 0 to 255");
/// let text = render(&message, &sources, Style::default());
/// assert!(text.contains("m.pml:1:10"));
/// assert!(text.contains("^^^ a byte holds 0 to 255"));
/// ```
#[must_use]
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap, style: Style) -> String {
    let renderer = match style.colour {
        Colour::Never => Renderer::plain(),
        Colour::Always => Renderer::styled(),
    };
    let mut groups = vec![main_group(diagnostic, sources)];
    if let Some(primary) = diagnostic.labels.first() {
        groups.extend(expansion_groups(primary.span, sources));
    }
    groups.extend(diagnostic.suggestions.iter().map(|suggestion| suggestion_group(suggestion, sources)));
    renderer.term_width(style.width.max(MIN_WIDTH)).render(&groups)
}

/// Narrower drawings hold nothing readable.
const MIN_WIDTH: usize = 40;

/// How many of many nested expansions are shown: the outermost, which the user meets first, and the innermost, which
/// hold the text.
const OUTERMOST_SHOWN: usize = 3;
const INNERMOST_SHOWN: usize = 2;

/// A mend of longer text is told, not drawn: the drawing repeats its lines in full.
const MAX_MENDED_TEXT: usize = 400;

fn main_group<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Note => Level::NOTE,
        Severity::Warning => Level::WARNING,
        Severity::Error => Level::ERROR,
    };
    let mut group = Group::with_title(level.primary_title(diagnostic.message.as_str()).id(diagnostic.code));
    let marks = diagnostic.labels.iter().enumerate().filter_map(|(index, label)| {
        let kind = if index == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
        Mark::new(sources, sources.visible_span(label.span), kind, &label.message)
    });
    for excerpt in excerpts(marks, sources) {
        group = group.element(excerpt.snippet(sources));
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    group
}

/// One note for each expansion the text went through, the outermost first.
fn expansion_groups<'a>(span: Span, sources: &'a SourceMap) -> Vec<Group<'a>> {
    let mut steps = expansion_steps(span, sources);
    steps.reverse();
    let hidden = steps.len().saturating_sub(OUTERMOST_SHOWN + INNERMOST_SHOWN);
    let mut groups = Vec::new();
    for (index, (expansion, text)) in steps.iter().enumerate() {
        if hidden > 0 && (OUTERMOST_SHOWN..OUTERMOST_SHOWN + hidden).contains(&index) {
            if index == OUTERMOST_SHOWN {
                let title = format!("{hidden} more expansions in between");
                groups.push(Group::with_title(Level::NOTE.secondary_title(title)));
            }
            continue;
        }
        let kind = match expansion.kind {
            ExpansionKind::Macro => "macro",
            ExpansionKind::Inline | ExpansionKind::Argument => "inline",
        };
        let title = format!("in this expansion of {kind} `{}`", expansion.name);
        let mark = match text {
            Some(text) => Mark::new(sources, *text, AnnotationKind::Primary, ""),
            None => Mark::new(sources, expansion.definition, AnnotationKind::Primary, "defined here"),
        };
        let mut group = Group::with_title(Level::NOTE.secondary_title(title));
        for excerpt in excerpts(mark.into_iter(), sources) {
            group = group.element(excerpt.snippet(sources));
        }
        groups.push(group);
    }
    groups
}

/// The expansions of a span, the innermost first, each with the text of its body that led on; `None` for an argument.
fn expansion_steps(mut span: Span, sources: &SourceMap) -> Vec<(&Expansion, Option<Span>)> {
    let mut steps = Vec::new();
    while let Some(expansion) = sources.expansion(span) {
        let call = expansion.call;
        if expansion.kind == ExpansionKind::Argument {
            // The argument itself is shown already; what follows is the parameter in the inline's body.
            span = call;
        } else if call.start <= span.start && span.end <= call.end {
            steps.push((expansion, None));
            span.expansion = call.expansion;
        } else {
            steps.push((expansion, Some(span)));
            span = call;
        }
    }
    steps
}

fn suggestion_group<'a>(suggestion: &'a Suggestion, sources: &'a SourceMap) -> Group<'a> {
    let mark = Mark::new(sources, suggestion.span, AnnotationKind::Primary, "");
    if let Some(mark) = mark {
        let range = mark.range.clone();
        let excerpt = Excerpt::new(mark, sources);
        let window = excerpt.window(sources);
        if window.text.len() <= MAX_MENDED_TEXT && suggestion.replacement.len() <= MAX_MENDED_TEXT {
            let patch = Patch::new(window.range(&range), &*suggestion.replacement);
            let snippet =
                Snippet::source(window.text).path(excerpt.path.to_string()).line_start(window.first_line).patch(patch);
            return Group::with_title(Level::HELP.secondary_title(&*suggestion.message)).element(snippet);
        }
    }
    let title = format!("{}: `{}`", suggestion.message, suggestion.replacement);
    Group::with_title(Level::HELP.secondary_title(title))
}

/// A range of a file to underline.
struct Mark<'a> {
    file: FileId,
    range: Range<usize>,
    kind: AnnotationKind,
    message: &'a str,
    first_line: u32,
    last_line: u32,
}

impl<'a> Mark<'a> {
    fn new(sources: &SourceMap, span: Span, kind: AnnotationKind, message: &'a str) -> Option<Mark<'a>> {
        let (file, range) = sources.range(span)?;
        let line_of = |offset| sources.location(sources.span(file, offset, offset)).line;
        let (first_line, last_line) = (line_of(range.start), line_of(range.end));
        Some(Mark { file, range, kind, message, first_line, last_line })
    }
}

/// Marks in lines of one file that are numbered without a break.
struct Excerpt<'a> {
    file: FileId,
    path: Arc<str>,
    /// What is added to a line's number for the user, by a `#line` directive.
    shift: i64,
    marks: Vec<Mark<'a>>,
}

/// The lines of an excerpt that are drawn.
struct Window<'a> {
    text: &'a str,
    /// Offset of the text in its file.
    start: usize,
    /// The number of the first line, for the user.
    first_line: usize,
}

impl Window<'_> {
    /// A range of the file as one of the window. Line ends are not part of it, and a mark behind several of them moves up to
    /// the end of the last line.
    fn range(&self, range: &Range<usize>) -> Range<usize> {
        let within = |offset: usize| (offset - self.start).min(self.text.len());
        within(range.start)..within(range.end)
    }
}

/// Sorts marks into excerpts, in the order of their first marks.
fn excerpts<'a>(marks: impl Iterator<Item = Mark<'a>>, sources: &SourceMap) -> Vec<Excerpt<'a>> {
    let mut excerpts: Vec<Excerpt<'a>> = Vec::new();
    for mark in marks {
        let numbering = numbering(sources, mark.file, mark.first_line);
        match excerpts
            .iter_mut()
            .find(|excerpt| (excerpt.file, &excerpt.path, excerpt.shift) == (mark.file, numbering.0, numbering.1))
        {
            Some(excerpt) => excerpt.marks.push(mark),
            None => excerpts.push(Excerpt::new(mark, sources)),
        }
    }
    excerpts
}

fn numbering(sources: &SourceMap, file: FileId, line: u32) -> (&Arc<str>, i64) {
    let (path, presumed) = sources.presumed_line(file, line);
    (path, i64::from(presumed) - i64::from(line))
}

impl<'a> Excerpt<'a> {
    fn new(mark: Mark<'a>, sources: &SourceMap) -> Excerpt<'a> {
        let (path, shift) = numbering(sources, mark.file, mark.first_line);
        Excerpt { file: mark.file, path: Arc::clone(path), shift, marks: vec![mark] }
    }

    fn window<'s>(&self, sources: &'s SourceMap) -> Window<'s> {
        let file = sources.file(self.file);
        let first = self.marks.iter().map(|mark| mark.first_line).min().unwrap_or(1);
        let last = self.marks.iter().map(|mark| mark.last_line).max().unwrap_or(1);
        let start = file.line_range(first).start;
        let end = file.line_range(last).end.max(start);
        let first_line = usize::try_from(i64::from(first) + self.shift).unwrap_or(1);
        Window { text: &file.text[start..end], start, first_line }
    }

    fn snippet<'s>(&self, sources: &'s SourceMap) -> Snippet<'s, Annotation<'s>>
    where
        'a: 's,
    {
        let window = self.window(sources);
        let annotations = self.marks.iter().map(|mark| {
            let annotation = mark.kind.span(window.range(&mark.range));
            if mark.message.is_empty() { annotation } else { annotation.label(mark.message) }
        });
        Snippet::source(window.text)
            .path(self.path.to_string())
            .line_start(window.first_line)
            .annotations(annotations.collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::{Colour, Style, place, render};
    use crate::diagnostic::{Diagnostic, Label};
    use crate::preprocess::{InMemory, Options, preprocess};
    use crate::source::{ExpansionId, SourceMap, Span};
    use crate::token::Token;
    use proptest::prelude::*;

    fn preprocessed(files: &[(&str, &str)]) -> (SourceMap, Vec<Token>, Vec<Diagnostic>) {
        let mut sources = SourceMap::new();
        let main = sources.add_file(files[0].0, files[0].1).expect("the text is small");
        let loader = files[1..].iter().copied().collect::<InMemory>();
        let mut diagnostics = Vec::new();
        let tokens = preprocess(&mut sources, main, &Options::default(), &loader, &mut diagnostics);
        (sources, tokens, diagnostics)
    }

    fn token<'a>(tokens: &'a [Token], text: &str) -> &'a Token {
        tokens.iter().find(|token| &*token.text == text).expect("the token is there")
    }

    fn lines(text: &str) -> Vec<&str> {
        text.lines().map(str::trim_end).collect()
    }

    #[test]
    fn text_of_a_macro_is_shown_at_its_use_and_in_each_definition() {
        let (sources, tokens, _) = preprocessed(&[
            ("m.pml", "#include \"d.h\"\nbyte x = OUTER(1);\n"),
            ("d.h", "#define INNER bad\n#define OUTER(a) a + INNER\n"),
        ]);
        let message =
            Diagnostic::error("unknown-name", token(&tokens, "bad").span, "no variable is called `bad`").label("here");
        let expected = "\
error[unknown-name]: no variable is called `bad`
 --> m.pml:2:10
  |
2 | byte x = OUTER(1);
  |          ^^^^^^^^ here
  |
note: in this expansion of macro `OUTER`
 --> d.h:2:22
  |
2 | #define OUTER(a) a + INNER
  |                      ^^^^^
note: in this expansion of macro `INNER`
 --> d.h:1:15
  |
1 | #define INNER bad
  |               ^^^";
        assert_eq!(lines(&render(&message, &sources, Style::default())), lines(expected));
    }

    #[test]
    fn a_mark_behind_several_carriage_returns_is_drawn_at_the_end_of_the_line() {
        let mut sources = SourceMap::new();
        let file = sources.add_file("m.pml", "byte\r\r").expect("the text is small");
        let message =
            Diagnostic::error("e", sources.span(file, 6, 6), "e").suggest("do", sources.span(file, 6, 6), "x");
        assert!(render(&message, &sources, Style::default()).contains("1 | byte"));
    }

    #[test]
    fn an_argument_is_shown_where_it_was_written() {
        let (sources, tokens, _) = preprocessed(&[("m.pml", "#define F(a) a + 1\nx = F(\n  bad);\n")]);
        let message = Diagnostic::error("unknown-name", token(&tokens, "bad").span, "no variable is called `bad`");
        let expected = "\
error[unknown-name]: no variable is called `bad`
 --> m.pml:3:3
  |
3 |   bad);
  |   ^^^
  |
note: in this expansion of macro `F`
 --> m.pml:1:9
  |
1 | #define F(a) a + 1
  |         ^ defined here";
        assert_eq!(lines(&render(&message, &sources, Style::default())), lines(expected));
        let found = place(&sources, &message.labels[0]).expect("it stands in a file");
        assert_eq!((found.line, found.column, found.end_line, found.end_column), (3, 3, 3, 6));
    }

    #[test]
    fn of_many_expansions_the_outermost_and_innermost_are_shown() {
        let chain: String = (0..9).map(|level| format!("#define C{level} C{}\n", level + 1)).collect();
        let (sources, tokens, _) = preprocessed(&[("m.pml", &format!("{chain}C0\n"))]);
        let text = render(&Diagnostic::error("e", token(&tokens, "C9").span, "e"), &sources, Style::default());
        let notes: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("note: ")).collect();
        let expansion = |level: u32| format!("in this expansion of macro `C{level}`");
        let expected = [
            expansion(0),
            expansion(1),
            expansion(2),
            "4 more expansions in between".into(),
            expansion(7),
            expansion(8),
        ];
        assert_eq!(notes, expected);
    }

    #[test]
    fn line_directives_rename_what_is_shown() {
        let (sources, tokens, _) = preprocessed(&[("m.pml", "x\n#line 40 \"gen.pml\"\ny\nz bad\n")]);
        let message = Diagnostic::warning("w", token(&tokens, "bad").span, "w").also(token(&tokens, "x").span, "first");
        let text = render(&message, &sources, Style::default());
        assert!(text.contains("gen.pml:41:3") && text.contains("m.pml:1:1"), "{text}");
    }

    #[test]
    fn a_mend_is_drawn_as_a_change() {
        let (sources, _, diagnostics) = preprocessed(&[("m.pml", "#defin N 3\n")]);
        let text = render(&diagnostics[0], &sources, Style::default());
        let expected = "\
error[unknown-directive]: there is no directive `#defin`
 --> m.pml:1:1
  |
1 | #defin N 3
  | ^^^^^^
  |
help: `#define` is one
  |
1 | #define N 3
  |       +";
        assert_eq!(lines(&text), lines(expected));
    }

    #[test]
    fn a_diagnostic_about_no_text_is_its_message() {
        let message = Diagnostic::error("code", Span::NOWHERE, "something").note("because");
        let text = render(&message, &SourceMap::new(), Style::default());
        assert!(text.starts_with("error[code]: something") && text.contains("because"), "{text}");
    }

    #[test]
    fn long_lines_are_cut_to_the_width() {
        let mut sources = SourceMap::new();
        let file = sources.add_file("m.pml", "x ".repeat(50_000)).expect("the text is small");
        let span = sources.span(file, 60_000, 60_001);
        let message = Diagnostic::error("code", span, "here").suggest("drop it", span, "");
        let text = render(&message, &sources, Style { width: 80, ..Style::default() });
        assert!(text.lines().all(|line| line.chars().count() <= 90), "{text}");
    }

    proptest! {
        #[test]
        fn any_span_can_be_drawn(
            files in prop::collection::vec("([a-z{};\t\r\né🦀\0\u{1b}]|#define F[(]x[)] x\n|F[(]|[)]|#line 7 \"q\"\n){0,40}", 1..4),
            spans in prop::collection::vec((0u32..200, 0u32..200, 0usize..8), 1..6),
            styled in any::<bool>(),
            width in 0usize..200,
            replacement in "[a-z\n\t]{0,6}",
        ) {
            let names = ["m.pml", "a.h", "b.h"];
            let mut files: Vec<(&str, String)> = names.into_iter().zip(files).collect();
            files[0].1.push_str("\n#include \"a.h\"\n#include \"b.h\"\n");
            let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
            let (sources, tokens, diagnostics) = preprocessed(&files);
            let style = Style { colour: if styled { Colour::Always } else { Colour::Never }, width };
            for diagnostic in &diagnostics {
                prop_assert!(render(diagnostic, &sources, style).contains(diagnostic.code));
            }
            let expansion_of = |index: usize| tokens.get(index).map_or(ExpansionId::NONE, |token| token.span.expansion);
            let spans: Vec<Span> =
                spans.into_iter().map(|(start, end, index)| Span { start, end, expansion: expansion_of(index) }).collect();
            let mut message = Diagnostic::error("code", spans[0], "text\nover lines").suggest("mend", spans[0], replacement);
            for &span in &spans {
                message = message.also(span, "label");
                let _ = place(&sources, &Label { span, message: String::new() });
            }
            prop_assert!(render(&message, &sources, style).contains("code"));
        }
    }
}
