//! Tokens, as the preprocessor reads and writes them and the parser takes them.
//!
//! Words are not yet told apart into keywords and names: macros may be called anything, and SPIN lets several keywords
//! (and we every extension word) stand as plain names. The parser decides by position.

use std::sync::Arc;

use crate::source::Span;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TokenKind {
    /// Letters, digits and `_`, not starting with a digit.
    Word,
    /// Decimal digits.
    Number,
    /// A character constant, quotes included.
    Character,
    /// A string, quotes included.
    String,
    /// `{`
    LeftBrace,
    /// `}`
    RightBrace,
    /// `(`
    LeftParen,
    /// `)`
    RightParen,
    /// `[`
    LeftBracket,
    /// `]`
    RightBracket,
    /// `;`
    Semicolon,
    /// `->`
    Arrow,
    /// `,`
    Comma,
    /// `::`
    DoubleColon,
    /// `:`
    Colon,
    /// `..`
    DotDot,
    /// `.`
    Dot,
    /// `@`
    At,
    /// `=`
    Assign,
    /// `++`
    Increment,
    /// `--`
    Decrement,
    /// `!`
    Bang,
    /// `!!`
    BangBang,
    /// `?`
    Question,
    /// `??`
    QuestionQuestion,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Star,
    /// `/`
    Slash,
    /// `*/` that closes no comment: means nothing outside embedded C.
    CommentEnd,
    /// `%`
    Percent,
    /// `&`
    Ampersand,
    /// `&&`
    AndAnd,
    /// `|`
    Bar,
    /// `||`
    OrOr,
    /// `^`
    Caret,
    /// `~`
    Tilde,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `#`, legal inside macro bodies and embedded C only.
    Hash,
    /// `##`, legal inside macro bodies and embedded C only.
    HashHash,
    /// Any other character: legal inside embedded C only.
    Other,
    /// The end of the model.
    End,
}

/// A token with its text and origin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Its text; equal texts share one allocation.
    pub text: Arc<str>,
    /// Where it came from.
    pub span: Span,
    /// A line break stands between the previous token and this one (SPIN ends statements there).
    pub newline_before: bool,
    /// White space or a comment stands before it. Adjacent `[` `]` and `<` `>` are one operator in LTL formulas.
    pub space_before: bool,
}

impl Token {
    /// Whether this is the word `text`.
    #[must_use]
    pub fn is_word(&self, text: &str) -> bool {
        self.kind == TokenKind::Word && &*self.text == text
    }
}
