//! Blocks, and the steps in them.
//!
//! ```text
//! block      = "{" sequence "}"
//! sequence   = step { separator+ step } separator*      (no separator is needed after "}" and "else")
//! step       = declaration | ("xr" | "xs") variable { "," variable }
//!            | statement [ "unless" statement ]
//! ```
//! Here an error ends: what could not be read is skipped up to where the next step can begin ([`recovery`](super::recovery)).

use super::cursor::{Opener, Parsed, Parser, Stop, Stream};
use super::declaration::Declared;
use super::report::LINE_BREAK_NOTE;
use super::separator::{Ending, LineRule, begins_step, continues_expression};
use super::words::{UNIT_WORDS, is_keyword};
use crate::ast::{Block, Exclusive, Name, PortDirection, Statement, StatementKind, Step, Unit};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::token::TokenKind;

/// The most names that are kept of a statement that could not be read.
const MOST_NAMES: usize = 1_000;

impl Parser<'_> {
    // ------------------------------------------------------------------------------------ blocks and sequences

    /// `{ sequence }`; `whose` names the construct in messages.
    pub(super) fn block(&mut self, whose: &str) -> Parsed<Block> {
        if self.at(TokenKind::LeftBrace) {
            let open = self.bump().span;
            return self.block_after_brace(open);
        }
        if self.at_line_end() || !begins_step(self.token()) || self.at_one_of(UNIT_WORDS) {
            return Err(self.no_block(whose));
        }
        self.block_without_brace(whose)
    }

    fn no_block(&mut self, whose: &str) -> Stop {
        let mut problem = self.unexpected(&format!("`{{` to begin the body of {whose}"));
        if self.at_line_end() {
            problem = problem.suggest("put the brace on the same line", self.span(), " {");
        }
        self.fail(problem)
    }

    /// A block whose `{` is missing. If there is a `}` too many, reads on as if the `{` were there.
    fn block_without_brace(&mut self, whose: &str) -> Parsed<Block> {
        let missing = self.last_span.after();
        let problem = Diagnostic::error(
            "missing-brace",
            missing,
            format!("expected `{{` to begin the body of {whose}"),
        )
        .suggest("begin the body", missing, " {");
        self.report(problem);
        if self.surplus_braces == 0 || self.stream != Stream::Model {
            return Err(Stop::Step);
        }
        self.surplus_braces -= 1;
        self.closed_braces.insert(missing);
        self.block_after_brace(missing)
    }

    fn block_after_brace(&mut self, open: Span) -> Parsed<Block> {
        self.open.push((Opener::Brace, open));
        let steps = self.nested(|parser| parser.steps_to_brace(open));
        self.open.pop();
        Ok(Block { steps: steps?, span: self.since(open) })
    }

    /// The steps of a block and its `}`.
    fn steps_to_brace(&mut self, open: Span) -> Parsed<Vec<Step>> {
        let mut steps = self.sequence()?;
        loop {
            match self.kind() {
                TokenKind::RightBrace => {
                    self.bump();
                    return Ok(steps);
                }
                TokenKind::DoubleColon | TokenKind::Word if !self.has_open_selection() || self.body_is_closed() => {
                    self.report_stray_selection_token();
                    self.stray_options()?;
                    self.skip_separators();
                    if !self.at_sequence_end() {
                        steps.extend(self.sequence()?);
                    }
                }
                _ => {
                    let problem = self
                        .unexpected("`}`")
                        .label("the block should end before this")
                        .also(open, "this `{` has no `}`");
                    self.report(problem);
                    return if self.at(TokenKind::End) { Err(Stop::Unit) } else { Ok(steps) };
                }
            }
        }
    }

    /// Whether an `if` or `do` outside the innermost block still awaits its end.
    fn has_open_selection(&self) -> bool {
        self.open.iter().any(|(opener, _)| *opener != Opener::Brace)
    }

    /// Options whose `if` or `do` is missing, up to their end.
    fn stray_options(&mut self) -> Parsed<()> {
        while self.eat(TokenKind::DoubleColon) {
            if !self.at_sequence_end() {
                self.sequence()?;
            }
        }
        if self.at_one_of(&["fi", "od"]) {
            self.bump();
        }
        Ok(())
    }

    pub(super) fn report_stray_selection_token(&mut self) {
        let text = self.token().text.clone();
        let opener = match &*text {
            "fi" => "if",
            "od" => "do",
            _ => "if` or `do",
        };
        let problem = Diagnostic::error("stray-closer", self.span(), format!("this `{text}` belongs to no `{opener}`"));
        self.report(problem);
    }

    /// Steps up to a closing bracket, option or the end.
    pub(super) fn sequence(&mut self) -> Parsed<Vec<Step>> {
        let mut steps = Vec::new();
        let starts_with_step = !self.at_separator() && !self.at_sequence_end();
        if !starts_with_step {
            self.no_first_step();
        }
        while !self.at_sequence_end() {
            let start = self.position;
            let parentheses = self.lines.parentheses;
            match self.step(&mut steps) {
                Ok(()) => self.between_steps(),
                Err(Stop::Unit) => return Err(Stop::Unit),
                Err(Stop::Step) => {
                    self.lines.parentheses = parentheses;
                    self.unread_step(start, &mut steps);
                }
            }
        }
        if steps.is_empty() && starts_with_step {
            // An `ltl` block is no step, wherever it stands.
            self.report_empty_sequence(self.last_span);
        }
        Ok(steps)
    }

    /// A separator or the end stands where the first step should.
    fn no_first_step(&mut self) {
        if self.at_separator() {
            let problem =
                self.unexpected("a statement").note("a separator stands between statements, not before the first");
            self.report(problem);
            self.skip_separators();
        } else {
            self.report_empty_sequence(self.last_span);
        }
    }

    /// Skips a step that begins at `start` and could not be read.
    fn unread_step(&mut self, start: usize, steps: &mut Vec<Step>) {
        let span = self.tokens[start].span;
        self.skip_statement();
        if self.position == start && !self.at_sequence_end() && !self.at_separator() {
            self.bump();
        }
        let kind = StatementKind::Error(self.names_since(start));
        steps.push(Step::Statement(Statement { kind, span: self.since(span) }));
        self.skip_separators();
    }

    /// The names in text that could not be read, but for those that belong to another name: fields, labels and variables
    /// of processes.
    fn names_since(&self, start: usize) -> Vec<Name> {
        use TokenKind::{At, Colon, Dot, Word};
        let is_free = |at: usize| at == start || !matches!(self.tokens[at - 1].kind, At | Colon | Dot);
        let is_name = |at: &usize| self.tokens[*at].kind == Word && !is_keyword(&self.tokens[*at].text) && is_free(*at);
        let name = |at: usize| Name { text: self.tokens[at].text.clone(), span: self.tokens[at].span };
        (start..self.position).filter(is_name).take(MOST_NAMES).map(name).collect()
    }

    fn report_empty_sequence(&mut self, before: Span) {
        let what = if self.at(TokenKind::RightBrace) { "block" } else { "option" };
        let problem = Diagnostic::error("empty-sequence", self.span(), format!("this {what} is empty"))
            .label("a statement is missing before this")
            .note("`skip` is the statement that does nothing")
            .suggest("do nothing", before.after(), " skip ");
        self.report(problem);
    }

    pub(super) fn skip_separators(&mut self) {
        while self.at_separator() {
            self.bump();
        }
    }

    /// Takes the separators behind a step, and tells when one is missing.
    fn between_steps(&mut self) {
        if self.at_separator() {
            self.skip_separators();
            self.check_line_does_not_begin_with_operator();
            return;
        }
        let after = self.tokens[self.position.saturating_sub(1)].clone();
        let needless = matches!(self.lines.last, Ending::Brace) || after.is_word("else");
        if needless || self.at_sequence_end() {
            return;
        }
        let missing = self.last_span.after();
        if self.token().newline_before && begins_step(self.token()) {
            let problem = Diagnostic::warning("beyond-spin", missing, "SPIN 6.5 needs a `;` here")
                .note(format!("a line break after `{}` is no separator for SPIN", after.text))
                .suggest("add the separator", missing, ";");
            self.report(problem);
        } else if let Some(problem) = self.mistake_between_statements() {
            self.report(problem);
            if self.eat_word("then") {
                return;
            }
            self.skip_statement();
            self.skip_separators();
        } else if begins_step(self.token()) {
            let message = format!("expected `;` or `->` before {}", self.describe_current());
            let problem = Diagnostic::error("missing-separator", self.span(), message);
            self.report(problem.suggest("separate the statements", missing, ";"));
        } else {
            let problem = self.mistake_behind_statement();
            self.report(problem);
            self.skip_statement();
            self.skip_separators();
        }
    }

    /// The most common trap of the line rule: `(a)` in one line and `&& (b)` in the next.
    fn check_line_does_not_begin_with_operator(&mut self) {
        let token = self.token();
        let begins =
            continues_expression(token.kind) && token.kind != TokenKind::Minus || token.kind == TokenKind::Assign;
        if !token.newline_before || !begins || self.at_line_end() {
            return;
        }
        let operator = token.text.clone();
        let problem = Diagnostic::error(
            "operator-after-line-break",
            self.span(),
            format!("a statement cannot begin with `{operator}`"),
        )
        .also(self.last_span.after(), "the statement ended here, with the line")
        .note(LINE_BREAK_NOTE)
        .suggest("move the operator to the end of the line before", self.last_span.after(), format!(" {operator}"))
        .suggest("and remove it here", self.span(), "");
        self.report(problem);
        self.bump();
        self.skip_statement();
        self.skip_separators();
    }

    // ------------------------------------------------------------------------------------ steps

    /// One step, added to `steps`; nothing is added for a unit that found its way into a body.
    ///
    /// Statements nest through this function and those it calls for them, so whatever else needs room on the stack is
    /// done in functions of its own.
    fn step(&mut self, steps: &mut Vec<Step>) -> Parsed<()> {
        if self.at_one_of(&["xr", "xs"]) {
            self.exclusive(steps)
        } else if self.at_declaration() {
            self.local_declaration(steps)
        } else if self.at_word("ltl") {
            self.ltl_in_body()
        } else if self.at_one_of(UNIT_WORDS) {
            self.unit_in_body()
        } else {
            let statement = self.statement()?;
            steps.push(Step::Statement(statement));
            if self.at_word("unless") { self.escape(steps) } else { Ok(()) }
        }
    }

    /// `unless` and the statement after it; the statement before it is the last of `steps`.
    fn escape(&mut self, steps: &mut Vec<Step>) -> Parsed<()> {
        self.bump();
        let escape = Box::new(self.nested(Self::statement)?);
        if let Some(Step::Statement(normal)) = steps.pop() {
            let span = self.since(normal.span);
            let kind = StatementKind::Unless(Box::new(normal), escape);
            steps.push(Step::Statement(Statement { kind, span }));
        }
        if self.at_word("unless") {
            let problem = Diagnostic::error("nested-unless", self.span(), "a second `unless` needs braces")
                .note("write `{ a unless b } unless c` or `a unless { b unless c }`");
            return Err(self.fail(problem));
        }
        Ok(())
    }

    fn local_declaration(&mut self, steps: &mut Vec<Step>) -> Parsed<()> {
        steps.push(match self.declaration()? {
            Declared::Variables(declaration) => Step::Declaration(declaration),
            Declared::Mtype(mtype) => Step::Mtype(mtype),
        });
        Ok(())
    }

    /// SPIN moves every `ltl` block to the end of the model, wherever it stands.
    fn ltl_in_body(&mut self) -> Parsed<()> {
        let property = self.ltl()?;
        self.aside.push(Unit::Ltl(property));
        self.ended_with_brace();
        Ok(())
    }

    fn exclusive(&mut self, steps: &mut Vec<Step>) -> Parsed<()> {
        let word = self.bump();
        let direction = if &*word.text == "xr" { PortDirection::Receive } else { PortDirection::Send };
        let mut channels = vec![self.variable("a channel")?];
        while self.eat(TokenKind::Comma) {
            channels.push(self.variable("a channel")?);
        }
        steps.push(Step::Exclusive(Exclusive { direction, channels, span: self.since(word.span) }));
        Ok(())
    }

    /// `proctype`, `inline` and so on inside a body: either a `}` is missing above, or it does not belong here.
    fn unit_in_body(&mut self) -> Parsed<()> {
        let word = self.token().text.clone();
        let span = self.span();
        let outermost = self.open.first().map_or(span, |(_, span)| *span);
        if !self.body_is_closed() {
            let problem = Diagnostic::error("unclosed-body", span, format!("expected `}}` before `{word}`"))
                .also(outermost, "this `{` has no `}`");
            self.report(problem);
            return Err(Stop::Unit);
        }
        let problem = Diagnostic::error("unit-in-body", span, format!("`{word}` cannot stand inside a body"))
            .also(outermost, "the body begins here")
            .note("move it out, before or after this body");
        self.report(problem);
        let outer = std::mem::take(&mut self.open);
        let lines = self.lines;
        let unit = self.unit();
        self.lines = LineRule { last: self.lines.last, ..lines };
        self.open = outer;
        self.aside.extend(unit?);
        self.ended_with_brace();
        Ok(())
    }

    fn body_is_closed(&self) -> bool {
        self.stream == Stream::Inline || self.open.first().is_none_or(|(_, open)| self.closed_braces.contains(open))
    }
}
