//! The part a token plays where it stands, as far as white space is concerned, and the spacing that follows from it.
//!
//! `-` may subtract or negate, `!` send or negate, `:` end a label or reach into a process; roles tell these apart.
//! Spacing depends on two neighbouring roles only. Two rules stand above taste: tokens must not grow together, and what
//! SPIN reads as one sign in formulas (`[]`, `<>`, `<->`) stays together or apart as it was written.

use super::item::{Item, ItemKind};
use crate::lex::Scanner;
use crate::token::TokenKind;

/// The part that an item plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// A name, number, string or word that stands for a value or can be called.
    Operand,
    /// A word of the language that is neither an operand nor called.
    Keyword,
    /// An opening bracket.
    Open(Shape),
    /// A closing bracket.
    Close(Shape),
    /// Text copied as it stands, brackets included.
    Verbatim(Shape),
    /// An operator before its operand, or the last token of one.
    Prefix,
    /// The first token of `[]` or `<>`.
    PrefixHead,
    /// `++` and `--`
    Postfix,
    /// An operator between operands.
    Binary,
    /// The `<` of `<->`.
    BinaryHead,
    /// `->`
    Arrow,
    /// `.`, `@`, `!` and `!!` of sends, `:` of remote references: no blanks around it.
    Tight,
    /// `?` and `??`
    Receive,
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// `::`
    Option,
    /// The `:` behind a label.
    Label,
    /// Not Promela.
    Foreign,
    /// A comment.
    Comment,
    /// A directive or a joining of lines: white space around it stays.
    Layout,
}

/// The shape of a bracket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// `( )`
    Paren,
    /// `[ ]`
    Bracket,
    /// `{ }`
    Brace,
    /// `< >` of a receive.
    Angle,
}

impl Role {
    /// Whether an operand ends here, so that an operator may follow.
    pub fn ends_operand(self) -> bool {
        match self {
            Role::Operand | Role::Postfix | Role::Verbatim(_) => true,
            Role::Close(shape) => shape != Shape::Brace,
            _ => false,
        }
    }

    /// Whether what stands here must go on, be it on the next line.
    pub fn goes_on(self) -> bool {
        matches!(
            self,
            Role::Binary
                | Role::BinaryHead
                | Role::Prefix
                | Role::PrefixHead
                | Role::Tight
                | Role::Receive
                | Role::Comma
        )
    }
}

/// Words that are neither operands nor called like functions.
#[rustfmt::skip]
const PLAIN_KEYWORDS: &[&str] = &[
    "D_proctype", "active", "atomic", "bit", "bool", "byte", "c_code", "c_decl", "c_expr", "c_state", "c_track", "chan",
    "d_step", "do", "else", "fi", "for", "goto", "hidden", "if", "in", "init", "inline", "int", "local", "ltl", "mtype",
    "never", "notrace", "od", "of", "pid", "priority", "proctype", "provided", "return", "run", "select", "short", "show",
    "trace", "typedef", "unless", "unsigned", "xr", "xs",
];

/// Whether a token stands between operands wherever it stands; `<` and `>` do where they are no brackets.
#[rustfmt::skip]
pub(super) fn is_always_binary(kind: TokenKind) -> bool {
    use TokenKind as T;
    matches!(
        kind,
        T::Assign | T::DotDot | T::Plus | T::Star | T::Slash | T::Percent | T::ShiftLeft | T::ShiftRight | T::Ampersand
            | T::AndAnd | T::Bar | T::OrOr | T::Caret | T::Equal | T::NotEqual | T::Less | T::LessEqual | T::Greater
            | T::GreaterEqual
    )
}

/// Whether a word is neither an operand nor called like a function.
pub(super) fn is_plain_keyword(word: &str) -> bool {
    PLAIN_KEYWORDS.contains(&word)
}

/// Words that join two formulas, where one ends before them.
pub(super) fn is_temporal_connective(word: &str) -> bool {
    matches!(word, "U" | "V" | "R" | "W" | "until" | "stronguntil" | "weakuntil" | "release" | "implies" | "equivalent")
}

/// Words before a formula; `X` is written like a function.
pub(super) fn is_temporal_prefix(word: &str) -> bool {
    matches!(word, "always" | "eventually" | "next")
}

/// Whether white space goes between two neighbours of a line.
pub(super) fn is_spaced(file: &str, (left, left_role): (&Item, Role), (right, right_role): (&Item, Role)) -> bool {
    let written = left.end < right.start;
    // `chan c (extern NAME)`: nothing is called.
    if right.text(file) == "(" && file[right.end..].trim_start().starts_with("extern ") {
        return true;
    }
    match by_role(left_role, right_role) {
        Spacing::Blank => true,
        Spacing::AsWritten => written,
        Spacing::None if !written => false,
        Spacing::None => grow_together(left.text(file), right.text(file)),
        Spacing::Words if left.kind == ItemKind::Token(TokenKind::Number) || is_quoted(right) => written,
        Spacing::Words => true,
    }
}

enum Spacing {
    None,
    Blank,
    AsWritten,
    /// Between operands: a blank, but `0x1F` and `L"x"` are for others to judge.
    Words,
}

fn by_role(left: Role, right: Role) -> Spacing {
    use Role as R;
    match (left, right) {
        (R::Foreign | R::Layout, _) | (_, R::Foreign | R::Layout) => Spacing::AsWritten,
        (R::PrefixHead | R::BinaryHead, _) => Spacing::AsWritten,
        (R::Comment, R::Comma | R::Semicolon | R::Close(_) | R::Postfix | R::Tight | R::Receive) => Spacing::AsWritten,
        (R::Open(_) | R::Prefix | R::Tight | R::Receive, R::Comment) => Spacing::AsWritten,
        (R::Comment, _) | (_, R::Comment) => Spacing::Blank,
        (R::Open(Shape::Bracket), R::Close(Shape::Bracket)) => Spacing::AsWritten,
        (R::Open(Shape::Angle), R::Close(Shape::Angle) | R::Arrow) => Spacing::AsWritten,
        (R::Open(Shape::Brace), R::Close(Shape::Brace)) => Spacing::None,
        (R::Option, _) => Spacing::Blank,
        (_, R::Open(Shape::Brace) | R::Close(Shape::Brace)) | (R::Open(Shape::Brace), _) => Spacing::Blank,
        (_, R::Comma | R::Semicolon | R::Close(_) | R::Postfix | R::Label | R::Tight | R::Receive) => Spacing::None,
        (R::Open(_) | R::Prefix | R::Tight | R::Receive, _) => Spacing::None,
        (R::Operand, R::Open(Shape::Paren) | R::Verbatim(Shape::Paren)) => Spacing::None,
        (R::Operand | R::Close(Shape::Bracket | Shape::Paren), R::Open(Shape::Bracket)) => Spacing::None,
        (R::Operand | R::Keyword, R::Operand | R::Keyword) => Spacing::Words,
        _ => Spacing::Blank,
    }
}

fn is_quoted(item: &Item) -> bool {
    matches!(item.kind, ItemKind::Token(TokenKind::String | TokenKind::Character))
}

/// Whether two tokens, written without white space between, might be read as other tokens.
fn grow_together(left: &str, right: &str) -> bool {
    if left.ends_with(['"', '\'']) {
        return false;
    }
    let ends: String = left.chars().next_back().into_iter().chain(right.chars().next()).collect();
    Scanner::new(&ends).count() < 2
}
