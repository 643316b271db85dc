//! What went wrong, in the words of whoever wrote it: messages for mistakes that other languages' habits lead to.
//!
//! The grammar files call these functions where nothing they know stands at the current token. Each looks at the tokens
//! around and makes the message; none of them decides what is legal.

mod expression;

use super::cursor::{Definition, Parsed, Parser, Stop};
use super::report::describe;
use super::words::{OPERAND_WORDS, STATEMENT_WORDS, TYPE_WORDS, UNIT_WORDS, VISIBILITY_WORDS, closest, is_keyword};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::token::{Token, TokenKind};

/// Types of other languages, and what to use instead.
const FOREIGN_TYPES: &[(&str, &str, &str)] = &[
    ("boolean", "bool", ""),
    ("char", "byte", ""),
    ("channel", "chan", ""),
    ("integer", "int", ""),
    ("long", "int", "`int` has 32 bits and is the largest type"),
    ("int8_t", "short", ""),
    ("int16_t", "short", ""),
    ("int32_t", "int", ""),
    ("int64_t", "int", "`int` has 32 bits and is the largest type"),
    ("uint8_t", "byte", ""),
    ("uint", "int", "`unsigned x : 5` is a variable of five bits"),
    ("uint16_t", "int", "`unsigned x : 16` is a variable of sixteen bits"),
    ("uint32_t", "int", "`unsigned x : 31` is the largest unsigned variable"),
    ("float", "int", "there are no fractions; scale the numbers to integers"),
    ("double", "int", "there are no fractions; scale the numbers to integers"),
    ("string", "mtype", "there are no strings in models; `mtype = { red, green }` declares symbolic names"),
    ("enum", "mtype", "`mtype = { red, green }` declares symbolic names"),
    ("struct", "typedef", "`typedef Point { byte x; byte y }` declares a structure"),
    ("const", "#define", "constants are written `#define N 3`"),
    ("var", "byte", "a variable is declared with its type: `byte x`"),
    ("let", "byte", "a variable is declared with its type: `byte x`"),
];

/// Operators that other languages write as words.
const WORD_OPERATORS: &[(&str, &str)] =
    &[("and", "&&"), ("or", "||"), ("mod", "%"), ("div", "/"), ("xor", "^"), ("not", "!")];

impl Parser<'_> {
    // ------------------------------------------------------------------------------------ units

    /// No unit begins here.
    pub(super) fn mistake_at_unit(&mut self) -> Stop {
        let span = self.span();
        let word = self.token().text.clone();
        let next = self.token_after(1).kind;
        let found = self.describe_current();
        let problem = match self.kind() {
            TokenKind::RightBrace => {
                Diagnostic::error("stray-closer", span, "this `}` closes nothing").note("is there one too many above?")
            }
            TokenKind::Hash => self.leftover_directive(),
            TokenKind::Word if FOREIGN_TYPES.iter().any(|(foreign, ..)| *foreign == &*word) => {
                return self.mistake_at_type();
            }
            TokenKind::Word if matches!(&*word, "void" | "function" | "def" | "fn" | "func" | "procedure") => {
                self.no_functions(span)
            }
            TokenKind::Word if matches!(&*word, "define" | "include" | "ifdef" | "ifndef" | "endif") => {
                let before = Span { end: span.start, ..span };
                Diagnostic::error(
                    "stray-directive",
                    span,
                    format!("expected a declaration or a proctype, found {found}"),
                )
                .suggest("a directive begins with `#`", before, "#")
            }
            TokenKind::Word if matches!(&*word, "process" | "thread" | "task") => {
                Diagnostic::error("unknown-unit", span, format!("expected a declaration or a proctype, found {found}"))
                    .suggest("a process is declared by", span, "proctype")
            }
            TokenKind::Word if self.is_statement_outside(&word, next) => Diagnostic::error(
                "statement-outside-body",
                span,
                format!("a statement cannot stand outside a body, found {found}"),
            )
            .note("statements belong into a `proctype` or into `init { ... }`"),
            TokenKind::Word => {
                let known =
                    UNIT_WORDS.iter().chain(TYPE_WORDS).chain(VISIBILITY_WORDS).chain(&["ltl", "c_decl", "c_code"]);
                let problem = Diagnostic::error(
                    "unknown-unit",
                    span,
                    format!("expected a declaration or a proctype, found {found}"),
                );
                match closest(&word, known.copied().chain(self.names.typedefs.keys().map(|name| &**name))) {
                    Some(meant) => problem.suggest(format!("did you mean `{meant}`?"), span, meant),
                    None if next == TokenKind::Word => {
                        problem.note(format!("if `{word}` is meant to be a type, define it above with `typedef`"))
                    }
                    None => problem,
                }
            }
            TokenKind::LeftParen
            | TokenKind::LeftBrace
            | TokenKind::Number
            | TokenKind::Bang
            | TokenKind::DoubleColon => Diagnostic::error(
                "statement-outside-body",
                span,
                format!("expected a declaration or a proctype, found {found}"),
            )
            .note("statements belong into a `proctype` or into `init { ... }`"),
            _ => self.unexpected("a declaration or a proctype"),
        };
        let is_stray = problem.code == "statement-outside-body";
        if is_stray && std::mem::replace(&mut self.among_stray_statements, true) {
            return Stop::Step;
        }
        self.fail(problem)
    }

    fn is_statement_outside(&self, word: &str, next: TokenKind) -> bool {
        let assigns = matches!(
            next,
            TokenKind::Assign
                | TokenKind::Increment
                | TokenKind::Decrement
                | TokenKind::Bang
                | TokenKind::Question
                | TokenKind::LeftParen
                | TokenKind::LeftBracket
                | TokenKind::Dot
                | TokenKind::Colon
        );
        STATEMENT_WORDS.contains(&word) || OPERAND_WORDS.contains(&word) || !is_keyword(word) && assigns
    }

    /// `int f(...)`
    pub(super) fn mistake_function(&mut self) -> Stop {
        let problem = self.no_functions(self.span());
        self.fail(problem)
    }

    fn no_functions(&self, span: Span) -> Diagnostic {
        Diagnostic::error("no-functions", span, "there are no functions in Promela")
            .note("`inline f(a, b) { ... }` names a piece of text with statements, and `proctype P(byte a) { ... }` a process")
    }

    fn leftover_directive(&self) -> Diagnostic {
        Diagnostic::error(
            "stray-directive",
            self.span(),
            "`#` can only begin a preprocessor directive, alone on its line",
        )
    }

    // ------------------------------------------------------------------------------------ types

    /// The message for a type of another language or a misspelt one at the current token.
    pub(super) fn foreign_type(&self) -> Option<Diagnostic> {
        if !self.at(TokenKind::Word) {
            return None;
        }
        let word = &*self.token().text;
        let span = self.span();
        if let Some((_, instead, note)) = FOREIGN_TYPES.iter().find(|(foreign, ..)| *foreign == word) {
            let mut problem = Diagnostic::error("unknown-type", span, format!("there is no type `{word}`"));
            if !note.is_empty() {
                problem = problem.note(*note);
            }
            let replaces = TYPE_WORDS.contains(instead) && !matches!(word, "string" | "enum");
            return Some(if replaces { problem.suggest(format!("use `{instead}`"), span, *instead) } else { problem });
        }
        if is_keyword(word) {
            return None;
        }
        let known = TYPE_WORDS.iter().copied().chain(self.names.typedefs.keys().map(|name| &**name));
        let problem = Diagnostic::error("unknown-type", span, format!("there is no type `{word}`"));
        Some(match (closest(word, known), self.names.ahead.get(word)) {
            (Some(meant), _) => problem.suggest(format!("did you mean `{meant}`?"), span, meant),
            (None, Some((Definition::Typedef, definition))) => {
                problem.also(*definition, "a typedef must stand above its use")
            }
            _ => problem.note("define it above with `typedef`"),
        })
    }

    // ------------------------------------------------------------------------------------ statements

    /// A word that cannot begin a statement, or a name with another word behind it.
    pub(super) fn mistake_at_statement(&mut self) -> Stop {
        let token = self.token().clone();
        let word = &*token.text;
        let span = self.span();
        let problem = match word {
            "unless" => {
                self.unexpected("a statement").note("`unless` stands after a statement: `{ ... } unless { ... }`")
            }
            "eval" => {
                self.unexpected("a statement").note("`eval(...)` stands among the fields of a receive: `q?eval(x)`")
            }
            "in" | "of" | "priority" | "provided" => self.unexpected("a statement"),
            "elif" | "elsif" | "elseif" => {
                Diagnostic::error("foreign-statement", span, format!("there is no `{word}`"))
                    .note("every alternative is an option: `if :: a -> ... :: !a && b -> ... :: else -> ... fi`")
            }
            "case" | "switch" => self.no_switch(span),
            _ => self.name_before_word(&token),
        };
        self.fail(problem)
    }

    /// `x y`: a misspelt keyword, a type, or a missing separator.
    fn name_before_word(&self, first: &Token) -> Diagnostic {
        let word = &*first.text;
        let next = self.token_after(1);
        if let Some((_, operator)) = WORD_OPERATORS.iter().find(|(name, _)| next.is_word(name) || first.is_word(name)) {
            let is_first = WORD_OPERATORS.iter().any(|(name, _)| first.is_word(name));
            let wrong = if is_first { first } else { next };
            return word_operator(wrong.span, &wrong.text, operator);
        }
        if FOREIGN_TYPES.iter().any(|(foreign, ..)| *foreign == word)
            && let Some(problem) = self.foreign_type()
        {
            return problem;
        }
        let statements = STATEMENT_WORDS.iter().chain(TYPE_WORDS).chain(OPERAND_WORDS).chain(UNIT_WORDS).copied();
        let known = statements.chain(self.names.typedefs.keys().map(|name| &**name));
        if let Some(meant) = closest(word, known) {
            return Diagnostic::error(
                "misspelt-keyword",
                first.span,
                format!("expected a statement, found `{word}` before {}", describe(next)),
            )
            .suggest(format!("did you mean `{meant}`?"), first.span, meant);
        }
        let problem = Diagnostic::error(
            "syntax",
            next.span,
            format!("expected `;`, `->` or an operator after `{word}`, found {}", describe(next)),
        );
        if next.kind == TokenKind::Word && !is_keyword(&next.text) {
            problem.note(format!("if `{word}` is meant to be a type, define it above with `typedef`"))
        } else {
            problem
        }
    }

    /// An expression is to begin here; `++x` and the like look like one.
    pub(super) fn mistake_at_expression_statement(&mut self) -> Option<Stop> {
        let span = self.span();
        let problem = match self.kind() {
            TokenKind::Increment | TokenKind::Decrement => {
                let operator = self.token().text.clone();
                let problem =
                    Diagnostic::error("prefix-increment", span, format!("`{operator}` stands after its variable"));
                let variable = self.token_after(1);
                if variable.kind == TokenKind::Word {
                    let whole = self.sources.cover(span, variable.span);
                    let text = format!("{}{operator}", variable.text);
                    problem.suggest("write", whole, text)
                } else {
                    problem
                }
            }
            TokenKind::String => {
                Diagnostic::error("stray-string", span, "a string can only stand in `printf(\"...\")`")
            }
            TokenKind::Hash => self.leftover_directive(),
            TokenKind::RightParen | TokenKind::RightBracket => {
                Diagnostic::error("stray-closer", span, format!("this `{}` closes nothing", self.token().text))
            }
            _ => return None,
        };
        Some(self.fail(problem))
    }

    /// A statement is complete, and something follows it that cannot begin another.
    pub(super) fn mistake_behind_statement(&self) -> Diagnostic {
        let span = self.span();
        match self.kind() {
            TokenKind::Assign => Diagnostic::error("bad-assignment", span, "only a variable can be assigned")
                .note("`=` assigns, `==` compares")
                .suggest("compare", span, "=="),
            TokenKind::RightParen | TokenKind::RightBracket => {
                Diagnostic::error("stray-closer", span, format!("this `{}` closes nothing", self.token().text))
            }
            TokenKind::Colon => self
                .unexpected("`;` or `->`")
                .note("a conditional expression needs its parentheses: `x = (c -> a : b)`; a label is a plain name"),
            TokenKind::Comma => self.unexpected("`;` or `->`").note("statements are separated by `;`"),
            TokenKind::Question => {
                self.unexpected("`;` or `->`").note("the conditional expression is written `(c -> a : b)`")
            }
            TokenKind::Hash => self.leftover_directive(),
            TokenKind::Increment | TokenKind::Decrement => {
                self.unexpected("`;` or `->`").note("`++` and `--` make a statement of a variable; they have no value")
            }
            TokenKind::Word if self.at_word("unless") => {
                self.unexpected("`;`").note("`unless` stands after a statement")
            }
            _ => self.unexpected("`;` or `->`"),
        }
    }

    /// What stands between two statements instead of a separator, if it can be told.
    pub(super) fn mistake_between_statements(&self) -> Option<Diagnostic> {
        let token = self.token();
        let span = self.span();
        if token.kind != TokenKind::Word {
            return None;
        }
        if let Some((_, operator)) = WORD_OPERATORS.iter().find(|(name, _)| token.is_word(name)) {
            return Some(word_operator(span, &token.text, operator));
        }
        if token.is_word("then") {
            let problem = Diagnostic::error("foreign-statement", span, "there is no `then`");
            return Some(problem.suggest("a guard is separated from what follows by `->`", span, "->"));
        }
        None
    }

    /// `f(...)`, and no inline is called that.
    pub(super) fn unknown_call_guess(&self, name: &str, span: Span) -> Diagnostic {
        let problem = Diagnostic::error("unknown-inline", span, format!("there is no inline `{name}`"));
        match name {
            "while" | "until" | "repeat" | "loop" => {
                Diagnostic::error("foreign-statement", span, format!("there is no `{name}`"))
                    .note("a loop is written `do :: condition -> ... :: else -> break od`")
            }
            "switch" | "case" => self.no_switch(span),
            "elif" | "elsif" | "elseif" => {
                Diagnostic::error("foreign-statement", span, format!("there is no `{name}`"))
                    .note("every alternative is an option: `if :: a -> ... :: !a && b -> ... :: else -> ... fi`")
            }
            "print" | "println" | "puts" | "fprintf" => problem.suggest("text is printed by", span, "printf"),
            "sizeof" | "rand" | "random" | "malloc" => {
                problem.note("there are no functions; for an arbitrary value write `select (x : 0 .. 9)`")
            }
            _ => {
                let words =
                    ["printf", "printm", "assert", "select", "len", "full", "empty", "nfull", "nempty", "enabled"];
                let known = words.into_iter().chain(self.names.inlines.keys().map(|name| &**name));
                match closest(name, known) {
                    Some(meant) => problem.suggest(format!("did you mean `{meant}`?"), span, meant),
                    None => problem.note("there are no functions; an inline must be defined above its use"),
                }
            }
        }
    }

    fn no_switch(&self, span: Span) -> Diagnostic {
        Diagnostic::error("foreign-statement", span, "there is no `switch`")
            .note("a choice is written `if :: x == 1 -> ... :: x == 2 -> ... :: else -> ... fi`")
    }

    /// `if` or `do` without `::` behind it. Goes on when what follows can be read as the first option.
    pub(super) fn mistake_at_selection(&mut self, word: &str, closer: &str, open: Span) -> Parsed<()> {
        if self.at_one_of(&["fi", "od"]) {
            let problem = Diagnostic::error("empty-selection", open, format!("this `{word}` has no options"))
                .note(format!("an option begins with `::`, as in `{word} :: x > 0 -> x-- :: else -> skip {closer}`"));
            self.report(problem);
            return Ok(());
        }
        let problem = Diagnostic::error(
            "missing-option",
            self.span(),
            format!("expected `::` after `{word}`, found {}", self.describe_current()),
        )
        .note(match word {
            "if" => "a selection is written `if :: condition -> statements :: else -> statements fi`",
            _ => "a loop is written `do :: condition -> statements :: else -> break od`",
        });
        if !self.closer_follows(self.position, closer) {
            return Err(self.fail(problem));
        }
        let problem = problem.suggest("begin an option", self.last_span.after(), " ::");
        self.report(problem);
        self.skip_separators();
        self.sequence()?;
        Ok(())
    }

    /// Whether the `fi` or `od` of a selection stands at or after `position`, before the block around it ends.
    pub(super) fn closer_follows(&self, position: usize, closer: &str) -> bool {
        let mut braces = 0_usize;
        let mut selections = 0_usize;
        for token in self.tokens.iter().skip(position) {
            match (token.kind, &*token.text) {
                (TokenKind::LeftBrace, _) => braces += 1,
                (TokenKind::RightBrace, _) if braces == 0 => return false,
                (TokenKind::RightBrace, _) => braces -= 1,
                (TokenKind::Word, "if" | "do") => selections += 1,
                (TokenKind::Word, "fi" | "od") if selections == 0 => return braces == 0 && token.is_word(closer),
                (TokenKind::Word, "fi" | "od") => selections -= 1,
                (TokenKind::Word, word) if UNIT_WORDS.contains(&word) => return false,
                _ => {}
            }
        }
        false
    }

    /// `for (int i = 0; i < n; i++)`
    pub(super) fn mistake_at_for(&mut self, open: Span) -> Option<Stop> {
        let as_in_c = self.at_one_of(TYPE_WORDS) || self.at_name() && self.next_kind() == TokenKind::Assign;
        if !as_in_c {
            return None;
        }
        let problem =
            Diagnostic::error("foreign-for", self.span(), "a `for` runs over a range: `for (i : 0 .. 9) { ... }`")
                .also(open, "in this `for`")
                .note("declare the variable before the loop");
        self.report(problem);
        while !matches!(
            self.kind(),
            TokenKind::RightParen | TokenKind::LeftBrace | TokenKind::RightBrace | TokenKind::End
        ) {
            self.skip_group();
        }
        self.eat(TokenKind::RightParen);
        Some(Stop::Step)
    }
}

pub(super) fn word_operator(span: Span, word: &str, operator: &str) -> Diagnostic {
    Diagnostic::error("foreign-operator", span, format!("`{word}` is not an operator")).suggest(
        "it is written",
        span,
        operator,
    )
}
