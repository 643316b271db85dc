//! Which brackets are open at a point of the file, and the indentation that follows from them.
//!
//! Every frame knows two indentations: that of lines inside it, and that of a line which begins with its closing bracket.
//! Frames opened on one line do not add up where the eye sees one step: `f(g(` indents once. The options of `if` and `do`
//! stand below the word, or below the place a statement would have if the word is not the first of its line:
//!
//! ```text
//!     do
//!     :: a ->
//!         b
//!     :: c -> if
//!         :: d
//!         fi
//!     :: atomic {
//!         e
//!     }
//!     od
//! ```

use std::ops::Range;

use super::FormatError;
use super::definition::Pair;

/// How deep a line is indented.
pub(super) type Indent = usize;

/// What stands inside a bracket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Content {
    /// Statements or declarations: line breaks separate, and words before `:` are labels.
    Statements,
    /// Names or values separated by commas.
    List,
    /// An expression.
    Expression,
    /// A formula of temporal logic.
    Formula,
}

/// What the next free `:` inside a pair of parentheses is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ColonOf {
    /// Of a remote reference, as far as is known.
    Reference,
    /// Of `for (i : 1 .. N)`, or of `(condition -> a : b)`.
    Phrase,
}

/// An open bracket.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Frame {
    /// What opened it; nothing for options that stand in no `if` or `do` of this file.
    pub pair: Option<Pair>,
    /// What stands inside.
    pub content: Content,
    /// What the next free `:` is.
    pub colon: ColonOf,
    /// The place it was opened at.
    pub place: Range<usize>,
    /// The line it was opened on.
    pub line: usize,
    outer: Indent,
    inside: Indent,
    in_option: bool,
}

impl Frame {
    fn has_options(&self) -> bool {
        matches!(self.pair, None | Some(Pair::If | Pair::Do))
    }

    fn has_same_shape(&self, other: &Frame) -> bool {
        (self.pair, self.content, self.inside, self.in_option)
            == (other.pair, other.content, other.inside, other.in_option)
    }
}

/// The open brackets, outermost first.
#[derive(Clone, Default, Debug)]
pub(super) struct Nesting {
    frames: Vec<Frame>,
    /// The line being read, and its indentation.
    line: usize,
    line_indent: Indent,
}

impl Nesting {
    /// Starts a line.
    pub fn begin_line(&mut self, line: usize, indent: Indent) {
        (self.line, self.line_indent) = (line, indent);
    }

    /// How many brackets are open.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The innermost frame.
    pub fn top(&self) -> Option<&Frame> {
        self.frames.last()
    }

    /// The innermost frame, to change.
    pub fn top_mut(&mut self) -> Option<&mut Frame> {
        self.frames.last_mut()
    }

    /// What stands around this point.
    pub fn content(&self) -> Content {
        self.top().map_or(Content::Statements, |frame| frame.content)
    }

    /// The indentation of a line that begins something new here.
    pub fn statement_indent(&self) -> Indent {
        self.top().map_or(0, |frame| frame.inside + Indent::from(frame.has_options() && frame.in_option))
    }

    /// The indentation of a line that begins with `::`.
    pub fn option_indent(&self) -> Indent {
        match self.top() {
            Some(frame) if frame.has_options() => frame.inside,
            _ => self.statement_indent(),
        }
    }

    /// The indentation of a line that begins with these closing brackets.
    pub fn closing_indent(&self, closing: &[Pair]) -> Indent {
        let mut depth = self.frames.len();
        for &pair in closing {
            match self.matching(depth, pair) {
                Some((at, _)) => depth = at,
                None => break,
            }
        }
        self.frames.get(depth).map_or_else(|| self.statement_indent(), |frame| frame.outer)
    }

    /// Opens a bracket.
    pub fn open(&mut self, pair: Pair, content: Content, place: Range<usize>) {
        let statement = self.statement_indent();
        let base = statement.max(self.line_indent);
        let (outer, inside) = match (pair, self.top()) {
            (Pair::If | Pair::Do, _) => (base, base),
            // `f(g(`
            (Pair::Parens | Pair::Brackets, Some(top)) if top.line == self.line && top.is_parenthesis() => {
                (top.outer, top.inside)
            }
            // `:: atomic {` and what follows its `}`
            (Pair::Braces, Some(top)) if top.has_options() && top.line != self.line => {
                (self.line_indent, self.line_indent + 1)
            }
            _ => (base, base + 1),
        };
        let colon = ColonOf::Reference;
        self.frames.push(Frame {
            pair: Some(pair),
            content,
            colon,
            place,
            line: self.line,
            outer,
            inside,
            in_option: false,
        });
    }

    /// Begins an option.
    pub fn option(&mut self, place: Range<usize>) {
        if !self.top().is_some_and(Frame::has_options) {
            let indent = self.statement_indent();
            self.frames.push(Frame {
                pair: None,
                content: Content::Statements,
                colon: ColonOf::Reference,
                place,
                line: self.line,
                outer: indent,
                inside: indent,
                in_option: true,
            });
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.in_option = true;
        }
    }

    /// Closes a bracket, and whatever was left open inside it. Says what is wrong if brackets do not match; one that
    /// closes nothing has no effect.
    pub fn close(&mut self, pair: Pair, place: Range<usize>) -> (Option<Frame>, Result<(), FormatError>) {
        let Some((at, is_clean)) = self.matching(self.frames.len(), pair) else {
            let message = format!("this `{}` closes nothing", closing_text(pair));
            return (None, Err(FormatError::new(message, place)));
        };
        let verdict = match self.innermost_bracket() {
            Some((inner, frame)) if !is_clean => Err(FormatError::new(
                format!("this `{}` stands where `{}` is expected", closing_text(pair), closing_text(inner)),
                place,
            )
            .because(frame.place.clone(), format!("`{}` opened here", opening_text(inner)))),
            _ => Ok(()),
        };
        let frame = self.frames.drain(at..).next();
        (frame, verdict)
    }

    /// What is wrong at the end of the file.
    pub fn finish(&self) -> Result<(), FormatError> {
        match self.innermost_bracket() {
            Some((pair, frame)) => Err(FormatError::new(
                format!("this `{}` is not closed by `{}`", opening_text(pair), closing_text(pair)),
                frame.place.clone(),
            )),
            None => Ok(()),
        }
    }

    /// Whether the same brackets are open in the same way.
    pub fn has_same_shape(&self, other: &Nesting) -> bool {
        self.frames.len() == other.frames.len()
            && self.frames.iter().zip(&other.frames).all(|(one, two)| one.has_same_shape(two))
    }

    fn innermost_bracket(&self) -> Option<(Pair, &Frame)> {
        self.frames.iter().rev().find_map(|frame| Some((frame.pair?, frame)))
    }

    /// The frame below `depth` that a closing bracket belongs to, and whether all brackets inside it were closed.
    ///
    /// A `}` ends whatever is open inside its braces; the others do not reach beyond the brace they stand in, and `)` and `]`
    /// not beyond the statement.
    fn matching(&self, depth: usize, pair: Pair) -> Option<(usize, bool)> {
        let mut is_clean = true;
        for at in (0..depth).rev() {
            match self.frames[at].pair {
                Some(open) if open == pair => return Some((at, is_clean)),
                Some(Pair::Braces) if pair != Pair::Braces => return None,
                Some(Pair::If | Pair::Do) if matches!(pair, Pair::Parens | Pair::Brackets) => return None,
                Some(_) => is_clean = false,
                None => {}
            }
        }
        None
    }
}

impl Frame {
    fn is_parenthesis(&self) -> bool {
        matches!(self.pair, Some(Pair::Parens | Pair::Brackets))
    }
}

fn opening_text(pair: Pair) -> &'static str {
    match pair {
        Pair::Braces => "{",
        Pair::Parens => "(",
        Pair::Brackets => "[",
        Pair::If => "if",
        Pair::Do => "do",
    }
}

fn closing_text(pair: Pair) -> &'static str {
    match pair {
        Pair::Braces => "}",
        Pair::Parens => ")",
        Pair::Brackets => "]",
        Pair::If => "fi",
        Pair::Do => "od",
    }
}
