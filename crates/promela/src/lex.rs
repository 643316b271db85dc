//! The scanner: cuts one file's text into pieces, each a token or a stretch of white space or comment.
//!
//! The pieces cover the text without gap or overlap, so a formatter can reproduce the file from [`pieces`], while the
//! [preprocessor](mod@crate::preprocess) takes the tokens and only notes that something stood between them.
//!
//! Punctuation is Promela's (`::`, `!!`, `??`, `..`), matched longest first. A backslash before a line break joins the
//! two lines wherever it stands, even inside a token (C99 §5.1.1.2, phase 2); blanks between the two are allowed, as by gcc.
//! A number is digits with any letters stuck to it, which is how macros must see `0x1F` and `2N`; [`split_number`] cuts
//! it into what the parser reads. Unlike C's it has no dots: `1..N` is three tokens, and `N` may be a macro.

use std::borrow::Cow;

use crate::token::TokenKind;

/// What a [`Piece`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PieceKind {
    /// A token.
    Token(TokenKind),
    /// A string or character constant without its closing quote; it ends with its line.
    Unclosed(Quote),
    /// Blanks within a line, or a byte order mark.
    Space,
    /// One line break.
    Newline,
    /// Backslashes before line breaks, joining lines.
    Continuation,
    /// `// …`, without the line break.
    LineComment,
    /// `/* … */`
    BlockComment,
    /// `/* …` up to the end of the file.
    UnclosedComment,
    /// A preprocessor directive from its `#` to the end of the last line it continues on, comments included.
    /// Only [`pieces`] makes these.
    Directive,
}

/// The two quotes that enclose constants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quote {
    /// `'`
    Single,
    /// `"`
    Double,
}

/// A stretch of a file's text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// What it is.
    pub kind: PieceKind,
    /// Offset of its first byte.
    pub start: usize,
    /// Offset one past its last byte.
    pub end: usize,
    /// Whether joined lines lie inside, so that its meaning is [`joined`] of its text.
    pub continued: bool,
}

/// The pieces of a whole file, directives as one piece each: the form for tools that rewrite source text.
///
/// ```
/// use promela::lex::{PieceKind, pieces};
/// let text = "#define N 3 // processes\nbyte x; /* shared */\n";
/// let all = pieces(text);
/// assert_eq!(all.iter().map(|piece| &text[piece.start..piece.end]).collect::<String>(), text);
/// assert_eq!(all[0].kind, PieceKind::Directive);
/// ```
#[must_use]
pub fn pieces(text: &str) -> Vec<Piece> {
    let mut found = Vec::new();
    let mut line_start = true;
    let mut scanner = Scanner::new(text).peekable();
    while let Some(mut piece) = scanner.next() {
        match piece.kind {
            PieceKind::Newline => line_start = true,
            PieceKind::Token(TokenKind::Hash) if line_start => {
                piece.kind = PieceKind::Directive;
                while let Some(rest) = scanner.next_if(|next| next.kind != PieceKind::Newline) {
                    piece.end = rest.end;
                    piece.continued |= rest.continued || rest.kind == PieceKind::Continuation;
                }
            }
            PieceKind::Token(TokenKind::Number) if !piece.continued => {
                line_start = false;
                let (digits, letters) = split_number(&text[piece.start..piece.end]);
                if !letters.is_empty() {
                    let middle = piece.start + digits.len();
                    found.push(Piece { end: middle, ..piece });
                    piece = Piece { kind: PieceKind::Token(TokenKind::Word), start: middle, ..piece };
                }
            }
            PieceKind::Token(_) | PieceKind::Unclosed(_) => line_start = false,
            _ => {}
        }
        found.push(piece);
    }
    found
}

/// Cuts a number as macros see it into its digits and the letters stuck to it (`0x1F` → `0`, `x1F`).
#[must_use]
pub fn split_number(text: &str) -> (&str, &str) {
    text.split_at(text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len()))
}

/// A piece's text with its lines joined.
#[must_use]
pub fn joined(text: &str) -> Cow<'_, str> {
    let mut result = String::new();
    let mut copied = 0;
    for (at, _) in text.match_indices('\\') {
        // Inside a run of continuations that was already passed.
        if at < copied {
            continue;
        }
        if let Some(end) = continuations_end(text.as_bytes(), at) {
            result.push_str(&text[copied..at]);
            copied = end;
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    result.push_str(&text[copied..]);
    Cow::Owned(result)
}

/// Whether some backslash of this text joins lines although blanks stand between it and the line break.
#[must_use]
pub fn has_blank_after_backslash(text: &str) -> bool {
    text.match_indices('\\').any(|(at, _)| {
        continuations_end(text.as_bytes(), at).is_some()
            && !matches!(&text.as_bytes()[at + 1..], [b'\n', ..] | [b'\r', b'\n', ..])
    })
}

/// Reads one piece after the other.
#[derive(Clone, Debug)]
pub struct Scanner<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Scanner<'a> {
    /// At the start of a file's text.
    #[must_use]
    pub fn new(text: &'a str) -> Scanner<'a> {
        Scanner::at(text, 0)
    }

    /// At a position that an earlier scanner of the same text had reached.
    #[must_use]
    pub fn at(text: &'a str, position: usize) -> Scanner<'a> {
        Scanner { bytes: text.as_bytes(), position }
    }

    /// The offset behind the last piece.
    #[must_use]
    pub fn position(&self) -> usize {
        self.position
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// The first offset from `at` on where no line continuation stands.
    fn past_continuations(&self, at: usize) -> usize {
        continuations_end(self.bytes, at).unwrap_or(at)
    }

    fn word(&mut self, kind: TokenKind) -> Piece {
        let start = self.position;
        let mut at = start + 1;
        let mut continued = false;
        loop {
            while self.byte(at).is_some_and(is_word_byte) {
                at += 1;
            }
            let after = self.past_continuations(at);
            if after == at || !self.byte(after).is_some_and(is_word_byte) {
                return self.finish(PieceKind::Token(kind), at, continued);
            }
            (at, continued) = (after, true);
        }
    }

    fn quoted(&mut self, quote: Quote) -> Piece {
        let (closing, kind) = match quote {
            Quote::Single => (b'\'', TokenKind::Character),
            Quote::Double => (b'"', TokenKind::String),
        };
        let mut at = self.position + 1;
        let mut continued = false;
        loop {
            match self.byte(at) {
                None => return self.finish(PieceKind::Unclosed(quote), at, continued),
                Some(b'\n') => {
                    let end = if self.bytes[at - 1] == b'\r' && at - 1 > self.position { at - 1 } else { at };
                    return self.finish(PieceKind::Unclosed(quote), end, continued);
                }
                Some(b'\\') => {
                    let after = self.past_continuations(at);
                    if after > at {
                        (at, continued) = (after, true);
                        continue;
                    }
                    let escaped = self.past_continuations(at + 1);
                    continued |= escaped > at + 1;
                    at = if matches!(self.byte(escaped), None | Some(b'\n')) { escaped } else { escaped + 1 };
                }
                Some(byte) if byte == closing => return self.finish(PieceKind::Token(kind), at + 1, continued),
                Some(_) => at += 1,
            }
        }
    }

    fn slash(&mut self) -> Piece {
        let second = self.past_continuations(self.position + 1);
        match self.byte(second) {
            Some(b'/') => self.line_comment(second + 1),
            Some(b'*') => self.block_comment(second + 1),
            _ => self.finish(PieceKind::Token(TokenKind::Slash), self.position + 1, false),
        }
    }

    fn line_comment(&mut self, mut at: usize) -> Piece {
        let mut continued = false;
        loop {
            match self.byte(at) {
                None => return self.finish(PieceKind::LineComment, at, continued),
                Some(b'\n') => {
                    let end = if self.bytes[at - 1] == b'\r' { at - 1 } else { at };
                    return self.finish(PieceKind::LineComment, end, continued);
                }
                Some(b'\\') => {
                    let after = self.past_continuations(at);
                    continued |= after > at;
                    at = after.max(at + 1);
                }
                Some(_) => at += 1,
            }
        }
    }

    fn block_comment(&mut self, mut at: usize) -> Piece {
        while let Some(byte) = self.byte(at) {
            at += 1;
            if byte == b'*' {
                let slash = self.past_continuations(at);
                if self.byte(slash) == Some(b'/') {
                    return self.finish(PieceKind::BlockComment, slash + 1, slash > at);
                }
            }
        }
        self.finish(PieceKind::UnclosedComment, at, false)
    }

    fn punctuation(&mut self, first: u8) -> Piece {
        use TokenKind as T;
        let second_at = self.past_continuations(self.position + 1);
        let pair = match (first, self.byte(second_at)) {
            (b'-', Some(b'>')) => Some(T::Arrow),
            (b':', Some(b':')) => Some(T::DoubleColon),
            (b'.', Some(b'.')) => Some(T::DotDot),
            (b'+', Some(b'+')) => Some(T::Increment),
            (b'-', Some(b'-')) => Some(T::Decrement),
            (b'!', Some(b'!')) => Some(T::BangBang),
            (b'?', Some(b'?')) => Some(T::QuestionQuestion),
            (b'&', Some(b'&')) => Some(T::AndAnd),
            (b'|', Some(b'|')) => Some(T::OrOr),
            (b'=', Some(b'=')) => Some(T::Equal),
            (b'!', Some(b'=')) => Some(T::NotEqual),
            (b'<', Some(b'=')) => Some(T::LessEqual),
            (b'>', Some(b'=')) => Some(T::GreaterEqual),
            (b'<', Some(b'<')) => Some(T::ShiftLeft),
            (b'>', Some(b'>')) => Some(T::ShiftRight),
            (b'#', Some(b'#')) => Some(T::HashHash),
            // In `*//` and `*/*` the slash begins a comment.
            (b'*', Some(b'/')) if !matches!(self.byte(self.past_continuations(second_at + 1)), Some(b'/' | b'*')) => {
                Some(T::CommentEnd)
            }
            _ => None,
        };
        if let Some(kind) = pair {
            let continued = second_at > self.position + 1;
            return self.finish(PieceKind::Token(kind), second_at + 1, continued);
        }
        let kind = match first {
            b'{' => T::LeftBrace,
            b'}' => T::RightBrace,
            b'(' => T::LeftParen,
            b')' => T::RightParen,
            b'[' => T::LeftBracket,
            b']' => T::RightBracket,
            b';' => T::Semicolon,
            b',' => T::Comma,
            b':' => T::Colon,
            b'.' => T::Dot,
            b'@' => T::At,
            b'=' => T::Assign,
            b'!' => T::Bang,
            b'?' => T::Question,
            b'+' => T::Plus,
            b'-' => T::Minus,
            b'*' => T::Star,
            b'%' => T::Percent,
            b'&' => T::Ampersand,
            b'|' => T::Bar,
            b'^' => T::Caret,
            b'~' => T::Tilde,
            b'<' => T::Less,
            b'>' => T::Greater,
            b'#' => T::Hash,
            _ => T::Other,
        };
        self.finish(PieceKind::Token(kind), self.position + 1, false)
    }

    fn other_character(&mut self) -> Piece {
        let is_inside = |byte: u8| byte & 0b1100_0000 == 0b1000_0000;
        let mut end = self.position + 1;
        while self.byte(end).is_some_and(is_inside) {
            end += 1;
        }
        self.finish(PieceKind::Token(TokenKind::Other), end, false)
    }

    fn space(&mut self) -> Piece {
        let mut at = self.position + 1;
        while self.byte(at).is_some_and(is_blank) && !self.bytes[at..].starts_with(b"\r\n") {
            at += 1;
        }
        self.finish(PieceKind::Space, at, false)
    }

    fn finish(&mut self, kind: PieceKind, end: usize, continued: bool) -> Piece {
        let start = std::mem::replace(&mut self.position, end);
        Piece { kind, start, end, continued }
    }
}

impl Iterator for Scanner<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
        let at = self.position;
        let byte = self.byte(at)?;
        Some(match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(TokenKind::Word),
            b'0'..=b'9' => self.word(TokenKind::Number),
            b'\n' => self.finish(PieceKind::Newline, at + 1, false),
            b'\r' if self.byte(at + 1) == Some(b'\n') => self.finish(PieceKind::Newline, at + 2, false),
            _ if is_blank(byte) => self.space(),
            b'"' => self.quoted(Quote::Double),
            b'\'' => self.quoted(Quote::Single),
            b'/' => self.slash(),
            b'\\' => match continuations_end(self.bytes, at) {
                Some(end) => self.finish(PieceKind::Continuation, end, false),
                None => self.finish(PieceKind::Token(TokenKind::Other), at + 1, false),
            },
            0x80.. if at == 0 && self.bytes.starts_with(BYTE_ORDER_MARK) => {
                self.finish(PieceKind::Space, BYTE_ORDER_MARK.len(), false)
            }
            0x80.. => self.other_character(),
            _ => self.punctuation(byte),
        })
    }
}

/// The offset behind all line continuations that start at `at`, if one does.
fn continuations_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut end = None;
    let mut from = at;
    while bytes.get(from) == Some(&b'\\') {
        let blanks = bytes[from + 1..].iter().take_while(|&&byte| is_blank(byte)).count();
        if bytes.get(from + 1 + blanks) != Some(&b'\n') {
            break;
        }
        from += blanks + 2;
        end = Some(from);
    }
    end
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)
}

#[cfg(test)]
mod tests {
    use super::{PieceKind, Quote, Scanner, joined, pieces};
    use crate::token::TokenKind as T;
    use proptest::prelude::*;

    fn tokens(text: &str) -> Vec<(T, String)> {
        Scanner::new(text)
            .filter_map(|piece| match piece.kind {
                PieceKind::Token(kind) => Some((kind, joined(&text[piece.start..piece.end]).into_owned())),
                _ => None,
            })
            .collect()
    }

    fn texts(text: &str) -> Vec<String> {
        tokens(text).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn punctuation_takes_the_longest_match() {
        assert_eq!(
            texts("a->b::c..d++--!!!=??<<=>>==###"),
            ["a", "->", "b", "::", "c", "..", "d", "++", "--", "!!", "!=", "??", "<<", "=", ">>", "==", "##", "#"]
        );
        assert_eq!(texts("[]<>~@$"), ["[", "]", "<", ">", "~", "@", "$"]);
        assert_eq!(
            texts("a**/b*\\\n/c * /d*/*e*/f*//g"),
            ["a", "*", "*/", "b", "*/", "c", "*", "/", "d", "*", "f", "*"]
        );
    }

    #[test]
    fn a_range_is_three_tokens() {
        assert_eq!(tokens("1..N"), [(T::Number, "1".into()), (T::DotDot, "..".into()), (T::Word, "N".into())]);
        assert_eq!(tokens("010"), [(T::Number, "010".into())]);
    }

    #[test]
    fn a_formatter_sees_digits_and_letters_apart() {
        let text = "0x1F";
        let cut: Vec<_> = pieces(text).iter().map(|piece| (piece.kind, &text[piece.start..piece.end])).collect();
        assert_eq!(cut, [(PieceKind::Token(T::Number), "0"), (PieceKind::Token(T::Word), "x1F")]);
    }

    #[test]
    fn lines_join_inside_tokens_strings_and_comments() {
        assert_eq!(
            texts("fo\\\no -\\\n> \"a\\\nb\" /\\\n* x *\\\n/ // c \\\n still\nend"),
            ["foo", "->", "\"ab\"", "end"]
        );
        assert_eq!(texts("a\\  \r\nb"), ["ab"]);
        assert_eq!(texts("a\\ b"), ["a", "\\", "b"]);
        assert_eq!(texts("\"\\\\\n\"q\""), ["\"\\\"q\""]);
    }

    #[test]
    fn an_escaped_quote_does_not_close() {
        assert_eq!(texts(r#"'\'' "\"" '"' "'""#), [r"'\''", r#""\"""#, r#"'"'"#, r#""'""#]);
    }

    #[test]
    fn an_unclosed_quote_ends_with_its_line() {
        let kinds = |text: &str| Scanner::new(text).map(|piece| (piece.kind, piece.end)).collect::<Vec<_>>();
        assert_eq!(kinds("'a\r\n"), [(PieceKind::Unclosed(Quote::Single), 2), (PieceKind::Newline, 4)]);
        assert_eq!(kinds("\"\\"), [(PieceKind::Unclosed(Quote::Double), 2)]);
        assert_eq!(kinds("/* x"), [(PieceKind::UnclosedComment, 4)]);
    }

    #[test]
    fn a_directive_is_one_piece_with_its_continued_lines() {
        let text = "  # define A \\\n 1 /* \n */ 2\nx # y";
        let all: Vec<_> = pieces(text).into_iter().map(|piece| (piece.kind, &text[piece.start..piece.end])).collect();
        assert_eq!(all[1], (PieceKind::Directive, "# define A \\\n 1 /* \n */ 2"));
        assert_eq!(all.iter().filter(|(kind, _)| *kind == PieceKind::Directive).count(), 1);
    }

    proptest! {
        #[test]
        fn pieces_cover_any_text_without_gap(text in "([ -~]|\\\\\n|\\\\ \n|\r\n|\n|/[*]|[*]/|//|[\"'#\\\\é\u{feff}\0])*") {
            let mut end = 0;
            for piece in pieces(&text) {
                prop_assert_eq!(piece.start, end);
                prop_assert!(piece.end > piece.start);
                prop_assert!(text.is_char_boundary(piece.end));
                end = piece.end;
            }
            prop_assert_eq!(end, text.len());
        }

        /// Phase 2 of C: joining lines first and scanning then gives the same tokens.
        #[test]
        fn joining_lines_first_gives_the_same_tokens(parts in prop::collection::vec("[a1+\\-:.!\"'/*# ]|\\\\\n", 0..24)) {
            // A backslash of an escape could meet a line break it does not join; none is generated here.
            let text = parts.concat();
            prop_assert_eq!(texts(&text), texts(&joined(&text)));
        }
    }
}
