//! The parser's place in the token stream, its memory of names, and its reports.
//!
//! The one idea: a line break that ends a statement shows up as a `;` that is not there ([`LineRule`]), so the grammar
//! below never mentions line breaks. An inline's body is parsed by laying its tokens over the current ones
//! ([`Parser::over`]) and taking them away again.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::MAX_NESTING;
use super::inline::InlineDefinition;
use super::separator::{Ending, LineRule, WordClass, ending};
use super::words::is_keyword;
use crate::ast::{Name, Unit};
use crate::diagnostic::Diagnostic;
use crate::source::{SourceMap, Span};
use crate::token::{Token, TokenKind};

/// Why a parse function came back without a result. The error has been reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// This statement cannot be read; the next one may.
    Step,
    /// A closing brace is missing: the next unit begins here.
    Unit,
}

/// The result of a parse function.
pub(super) type Parsed<T> = Result<T, Stop>;

/// A bracket or keyword that awaits its partner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Opener {
    /// `{`
    Brace,
    /// `if`
    If,
    /// `do`
    Do,
}

/// What a colon or parenthesis behind an expression belongs to, inside the innermost brackets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Around {
    /// Nothing special.
    Nothing,
    /// `(c -> ` ... ` : b)`: a colon ends the expression.
    Conditional,
    /// `q!` ... `(a, b)`: a parenthesis ends the expression.
    MessageHead,
}

/// What follows the tokens at hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stream {
    /// The end of the model.
    Model,
    /// The end of an inline's body.
    Inline,
    /// The end of a formula.
    Formula,
}

/// Names defined by the model, with where.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// Proctypes defined so far.
    pub proctypes: FxHashMap<Arc<str>, Span>,
    /// Typedefs defined so far.
    pub typedefs: FxHashMap<Arc<str>, Span>,
    /// Inlines defined so far.
    pub inlines: FxHashMap<Arc<str>, Arc<InlineDefinition>>,
    /// Names that were reported already: inlines whose definition is broken or missing.
    pub reported: FxHashSet<Arc<str>>,
    /// Every proctype, typedef and inline of the model, for messages about a use before the definition.
    pub ahead: FxHashMap<Arc<str>, (Definition, Span)>,
    /// Set when the model declares `_undef_ref` itself, which then is a plain name.
    pub undefined_ref_is_plain: bool,
}

/// What a name defined somewhere in the model is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Definition {
    /// `proctype`
    Proctype,
    /// `typedef`
    Typedef,
    /// `inline`
    Inline,
}

/// The parser.
pub(super) struct Parser<'a> {
    pub(super) sources: &'a mut SourceMap,
    pub(super) diagnostics: &'a mut Vec<Diagnostic>,
    /// The tokens at hand; the last is [`TokenKind::End`].
    pub(super) tokens: Vec<Token>,
    pub(super) position: usize,
    /// Each `{` of the model that has its `}`.
    pub(super) closed_braces: FxHashSet<Span>,
    /// How many `}` of the model have no `{`, as far as not yet accounted for.
    pub(super) surplus_braces: usize,
    pub(super) stream: Stream,
    pub(super) lines: LineRule,
    /// The line break before the current token has been taken as a separator already.
    line_break_taken: bool,
    /// The last token taken.
    pub(super) last_span: Span,
    pub(super) names: Names,
    /// What is open around the current place, outermost first.
    pub(super) open: Vec<(Opener, Span)>,
    /// Units that were found inside a body.
    pub(super) aside: Vec<Unit>,
    /// The inlines being expanded, outermost first.
    pub(super) expanding: Vec<Name>,
    pub(super) expanded_tokens: usize,
    pub(super) most_expanded_tokens: usize,
    /// What an expression at hand is part of.
    pub(super) around: Around,
    /// Reading a temporal formula.
    pub(super) in_formula: bool,
    /// Statements outside any body were reported; those that follow need no further error.
    pub(super) among_stray_statements: bool,
    nesting: u32,
    pub(super) errors: usize,
    pub(super) reported: FxHashSet<(u32, u32, bool)>,
    /// Gave up: only the end of the stream is seen from here on.
    pub(super) stopped: bool,
}

impl<'a> Parser<'a> {
    pub(super) fn new(
        sources: &'a mut SourceMap,
        mut tokens: Vec<Token>,
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Parser<'a> {
        if tokens.last().is_none_or(|last| last.kind != TokenKind::End) {
            tokens.push(end_token(tokens.last().map_or(Span::NOWHERE, |last| last.span.after())));
        }
        let mut names = Names::default();
        for pair in tokens.windows(2) {
            let definition = match &*pair[0].text {
                "proctype" | "D_proctype" => Definition::Proctype,
                "typedef" => Definition::Typedef,
                "inline" => Definition::Inline,
                _ => continue,
            };
            if pair[0].kind == TokenKind::Word && pair[1].kind == TokenKind::Word {
                names.ahead.entry(pair[1].text.clone()).or_insert((definition, pair[1].span));
            }
        }
        let (closed_braces, surplus_braces) = match_braces(&tokens);
        Parser {
            closed_braces,
            surplus_braces,
            sources,
            diagnostics,
            most_expanded_tokens: super::MAX_EXPANDED_TOKENS.max(10 * tokens.len()),
            tokens,
            position: 0,
            stream: Stream::Model,
            lines: LineRule::OUTSIDE,
            line_break_taken: false,
            last_span: Span::NOWHERE,
            names,
            open: Vec::new(),
            aside: Vec::new(),
            expanding: Vec::new(),
            expanded_tokens: 0,
            around: Around::Nothing,
            in_formula: false,
            among_stray_statements: false,
            nesting: 0,
            errors: 0,
            reported: FxHashSet::default(),
            stopped: false,
        }
    }

    // ------------------------------------------------------------------------------------ looking

    /// The kind of the current token; `;` where a line break separates, the end once the parser has given up.
    pub(super) fn kind(&self) -> TokenKind {
        if self.stopped {
            TokenKind::End
        } else if self.at_line_end() {
            TokenKind::Semicolon
        } else {
            self.tokens[self.position].kind
        }
    }

    /// Whether a line break stands here as a separator.
    pub(super) fn at_line_end(&self) -> bool {
        !self.line_break_taken && self.lines.separates(&self.tokens[self.position])
    }

    /// The current token, line breaks aside.
    pub(super) fn token(&self) -> &Token {
        if self.stopped { &self.tokens[self.tokens.len() - 1] } else { &self.tokens[self.position] }
    }

    /// The token `ahead` places behind the current one, line breaks aside.
    pub(super) fn token_after(&self, ahead: usize) -> &Token {
        &self.tokens[(self.position + ahead).min(self.tokens.len() - 1)]
    }

    /// The kind of the token behind the current one, with line breaks that separate.
    pub(super) fn next_kind(&self) -> TokenKind {
        let next = self.token_after(1);
        let rule = LineRule { last: self.ending_of(self.token()), ..self.lines };
        if self.stopped {
            TokenKind::End
        } else if rule.separates(next) {
            TokenKind::Semicolon
        } else {
            next.kind
        }
    }

    /// Where the current token stands; the end of the last one where a line break separates.
    pub(super) fn span(&self) -> Span {
        if self.at_line_end() { self.last_span.after() } else { self.token().span }
    }

    pub(super) fn at(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    /// Whether the current token is this word.
    pub(super) fn at_word(&self, word: &str) -> bool {
        self.at(TokenKind::Word) && &*self.token().text == word
    }

    /// Whether the current token is one of these words.
    pub(super) fn at_one_of(&self, words: &[&str]) -> bool {
        self.at(TokenKind::Word) && words.contains(&&*self.token().text)
    }

    /// Whether the current token can be a name.
    pub(super) fn at_name(&self) -> bool {
        self.at(TokenKind::Word) && !is_keyword(&self.token().text)
    }

    /// Whether a separator stands here, visible or not.
    pub(super) fn at_separator(&self) -> bool {
        matches!(self.kind(), TokenKind::Semicolon | TokenKind::Arrow)
    }

    /// From the start of `first` to the last token taken.
    pub(super) fn since(&self, first: Span) -> Span {
        self.sources.cover(first, self.last_span)
    }

    // ------------------------------------------------------------------------------------ moving

    /// Takes the current token.
    pub(super) fn bump(&mut self) -> Token {
        if self.stopped {
            return self.tokens[self.tokens.len() - 1].clone();
        }
        if self.at_line_end() {
            self.line_break_taken = true;
            self.lines.last = Ending::Open;
            let span = self.last_span.after();
            return Token {
                kind: TokenKind::Semicolon,
                text: ";".into(),
                span,
                newline_before: false,
                space_before: false,
            };
        }
        let token = self.tokens[self.position].clone();
        self.lines.last = self.ending_of(&token);
        self.line_break_taken = false;
        if token.kind != TokenKind::End {
            self.position += 1;
            self.last_span = token.span;
        }
        token
    }

    /// Takes the current token if it is of this kind.
    pub(super) fn eat(&mut self, kind: TokenKind) -> bool {
        let here = self.at(kind);
        if here {
            self.bump();
        }
        here
    }

    /// Takes the current token if it is this word.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let here = self.at_word(word);
        if here {
            self.bump();
        }
        here
    }

    /// Takes a token of this kind, or reports that `what` is missing.
    pub(super) fn expect(&mut self, kind: TokenKind, what: &str) -> Parsed<Token> {
        if self.at(kind) {
            return Ok(self.bump());
        }
        let stop = self.expected(what);
        // Broken over two lines where that is not allowed: what was expected is there all the same.
        if self.at_line_end() && self.token().kind == kind {
            self.bump();
            return Ok(self.bump());
        }
        Err(stop)
    }

    /// Takes `(`; line breaks mean nothing until it is closed.
    pub(super) fn open_parenthesis(&mut self, what: &str) -> Parsed<Span> {
        let open = self.expect(TokenKind::LeftParen, what)?;
        self.lines.parentheses += 1;
        Ok(open.span)
    }

    /// Takes the `)` that closes the parenthesis at `open`.
    pub(super) fn close_parenthesis(&mut self, open: Span) -> Parsed<()> {
        if !self.at(TokenKind::RightParen) {
            let problem = self.unexpected("`)`").also(open, "to close this parenthesis");
            return Err(self.fail(problem));
        }
        self.bump();
        self.lines.parentheses = self.lines.parentheses.saturating_sub(1);
        Ok(())
    }

    /// Takes a name, or reports that `what` is missing.
    pub(super) fn name(&mut self, what: &str) -> Parsed<Name> {
        if self.at_name() {
            return Ok(self.bump_name());
        }
        if self.at(TokenKind::Word) {
            let word = self.token().text.clone();
            let problem =
                Diagnostic::error("keyword-as-name", self.span(), format!("expected {what}, found keyword `{word}`"))
                    .label("a keyword cannot be a name")
                    .suggest("choose another name", self.span(), format!("{word}_"));
            return Err(self.fail(problem));
        }
        Err(self.expected(what))
    }

    /// Takes the current word as a name.
    pub(super) fn bump_name(&mut self) -> Name {
        let token = self.bump();
        Name { text: token.text, span: token.span }
    }

    /// Says that what was taken last ends like a closing brace, as a use of an inline does.
    pub(super) fn ended_with_brace(&mut self) {
        self.lines.last = Ending::Brace;
    }

    /// Runs `read` on other tokens laid over the current ones.
    pub(super) fn over<T>(&mut self, mut tokens: Vec<Token>, read: impl FnOnce(&mut Self) -> T) -> T {
        let end = tokens.last().map_or(self.last_span, |last| last.span).after();
        tokens.push(end_token(end));
        let kept = (
            std::mem::replace(&mut self.tokens, tokens),
            std::mem::take(&mut self.position),
            std::mem::replace(&mut self.stream, Stream::Inline),
            std::mem::replace(&mut self.line_break_taken, false),
            std::mem::take(&mut self.open),
            self.lines,
            self.last_span,
        );
        self.lines.last = Ending::Open;
        let result = read(self);
        (self.tokens, self.position, self.stream, self.line_break_taken, self.open, self.lines, self.last_span) = kept;
        result
    }

    /// Runs `read` on an expression with something special around it.
    pub(super) fn around<T>(&mut self, around: Around, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let outer = std::mem::replace(&mut self.around, around);
        let result = read(self);
        self.around = outer;
        result
    }

    /// Runs `read` inside brackets.
    pub(super) fn inside<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.nested(|parser| parser.around(Around::Nothing, read))
    }

    /// Runs `read` one level deeper, unless that is too deep.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting >= MAX_NESTING {
            let problem = Diagnostic::error("nested-too-deeply", self.span(), "this is nested too deeply").note(
                format!("at most {MAX_NESTING} levels of braces, selections, parentheses and inlines are supported"),
            );
            return Err(self.give_up(problem));
        }
        self.nesting += 1;
        let result = read(self);
        self.nesting -= 1;
        result
    }

    /// What a token makes of a line break behind it.
    fn ending_of(&self, token: &Token) -> Ending {
        ending(token, self.class_of(token), self.stream == Stream::Inline)
    }

    fn class_of(&self, token: &Token) -> WordClass {
        let names = &self.names;
        let word = &token.text;
        if token.kind == TokenKind::Word
            && (names.proctypes.contains_key(word)
                || names.typedefs.contains_key(word)
                || names.inlines.contains_key(word))
        {
            WordClass::Definition
        } else {
            WordClass::Plain
        }
    }
}

fn end_token(span: Span) -> Token {
    Token { kind: TokenKind::End, text: "".into(), span, newline_before: true, space_before: true }
}

/// The `{` that have a `}`, and how many `}` have no `{`.
fn match_braces(tokens: &[Token]) -> (FxHashSet<Span>, usize) {
    let mut open = Vec::new();
    let mut closed = FxHashSet::default();
    let mut surplus = 0;
    for token in tokens {
        match token.kind {
            TokenKind::LeftBrace => open.push(token.span),
            TokenKind::RightBrace => match open.pop() {
                Some(partner) => drop(closed.insert(partner)),
                None => surplus += 1,
            },
            _ => {}
        }
    }
    (closed, surplus)
}
