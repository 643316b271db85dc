//! What the file's own preprocessor lines tell the formatter.
//!
//! Macros stay unexpanded, but two kinds of them matter: those that turn an argument into a string (`#x`), for then white
//! space in the argument is seen by the program; and those that hide a bracket (`#define END od }`), for then the name
//! stands for that bracket. Definitions are noted in the order of the text, whatever `#if` they stand in.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::lex::{PieceKind, Scanner, joined};
use crate::token::TokenKind;

/// A word or sign that changes the nesting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bracket {
    /// `(`, `[`, `{`, `if` or `do`
    Open(Pair),
    /// Its counterpart.
    Close(Pair),
    /// `::`
    Option,
}

/// What stands between an opening and a closing bracket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pair {
    /// `{ }`
    Braces,
    /// `( )`
    Parens,
    /// `[ ]`
    Brackets,
    /// `if … fi`
    If,
    /// `do … od`
    Do,
}

impl Bracket {
    /// The bracket that a token is.
    pub fn of(kind: TokenKind, text: &str) -> Option<Bracket> {
        Some(match kind {
            TokenKind::LeftBrace => Bracket::Open(Pair::Braces),
            TokenKind::RightBrace => Bracket::Close(Pair::Braces),
            TokenKind::LeftParen => Bracket::Open(Pair::Parens),
            TokenKind::RightParen => Bracket::Close(Pair::Parens),
            TokenKind::LeftBracket => Bracket::Open(Pair::Brackets),
            TokenKind::RightBracket => Bracket::Close(Pair::Brackets),
            TokenKind::DoubleColon => Bracket::Option,
            TokenKind::Word => match text {
                "if" => Bracket::Open(Pair::If),
                "fi" => Bracket::Close(Pair::If),
                "do" => Bracket::Open(Pair::Do),
                "od" => Bracket::Close(Pair::Do),
                _ => return None,
            },
            _ => return None,
        })
    }
}

/// What a directive means for the lines around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DirectiveKind {
    /// `#if`, `#ifdef`, `#ifndef`
    If(Condition),
    /// `#else`, `#elif`
    Else,
    /// `#endif`
    EndIf,
    /// Any other.
    Other,
}

/// What is known about the condition of an `#if`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Condition {
    /// `#if 0`: the text below is not Promela.
    Never,
    /// It may hold.
    Open,
}

/// The definitions read so far.
#[derive(Clone, Default, Debug)]
pub(super) struct Definitions {
    making_strings: FxHashSet<String>,
    hiding_brackets: FxHashMap<String, Vec<Bracket>>,
}

impl DirectiveKind {
    /// The kind of a directive.
    pub fn of(directive: &str) -> DirectiveKind {
        let tokens = tokens(directive);
        let word = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
        match word(1) {
            "if" if tokens.len() == 3 && word(2) == "0" => DirectiveKind::If(Condition::Never),
            "if" | "ifdef" | "ifndef" => DirectiveKind::If(Condition::Open),
            "else" | "elif" => DirectiveKind::Else,
            "endif" => DirectiveKind::EndIf,
            _ => DirectiveKind::Other,
        }
    }
}

impl Definitions {
    /// Notes what a directive defines.
    pub fn note(&mut self, directive: &str) {
        let tokens = tokens(directive);
        if let Some((name, rest)) = tokens.get(2..).and_then(<[_]>::split_first)
            && tokens[1].text == "define"
        {
            self.define(name, rest);
        }
    }

    /// Whether a macro of this name makes strings of its arguments.
    pub fn makes_strings(&self, name: &str) -> bool {
        self.making_strings.contains(name)
    }

    /// The brackets that a macro of this name stands for; none if they balance.
    pub fn hidden_brackets(&self, name: &str) -> &[Bracket] {
        self.hiding_brackets.get(name).map_or(&[], Vec::as_slice)
    }

    fn define(&mut self, name: &DirectiveToken, rest: &[DirectiveToken]) {
        let has_parameters =
            rest.first().is_some_and(|token| token.kind == TokenKind::LeftParen && token.start == name.end);
        let body = if has_parameters {
            let end = rest.iter().position(|token| token.kind == TokenKind::RightParen).map_or(rest.len(), |at| at + 1);
            &rest[end..]
        } else {
            rest
        };
        if has_parameters && body.iter().any(|token| token.kind == TokenKind::Hash) {
            self.making_strings.insert(name.text.clone());
        }
        let brackets: Vec<Bracket> = body.iter().filter_map(|token| Bracket::of(token.kind, &token.text)).collect();
        if balances(&brackets) {
            self.hiding_brackets.remove(&name.text);
        } else {
            self.hiding_brackets.insert(name.text.clone(), brackets);
        }
    }
}

struct DirectiveToken {
    kind: TokenKind,
    text: String,
    start: usize,
    end: usize,
}

fn tokens(directive: &str) -> Vec<DirectiveToken> {
    Scanner::new(directive)
        .filter_map(|piece| match piece.kind {
            PieceKind::Token(kind) => Some(DirectiveToken {
                kind,
                text: joined(&directive[piece.start..piece.end]).into_owned(),
                start: piece.start,
                end: piece.end,
            }),
            _ => None,
        })
        .collect()
}

fn balances(brackets: &[Bracket]) -> bool {
    let mut open = Vec::new();
    for bracket in brackets {
        match *bracket {
            Bracket::Open(pair) => open.push(pair),
            Bracket::Close(pair) => {
                if open.pop() != Some(pair) {
                    return false;
                }
            }
            // An option of an `if` or `do` that is not the macro's own.
            Bracket::Option => {
                if !matches!(open.last(), Some(Pair::If | Pair::Do)) {
                    return false;
                }
            }
        }
    }
    open.is_empty()
}
