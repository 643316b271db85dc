//! The parser's reports.
//!
//! Of several errors at one place only the first is kept, so a mistake in the text of an inline is told once however often
//! the inline is used. After [`MAX_ERRORS`] errors, or when going on would cost too much, the parser gives up.

use super::MAX_ERRORS;
use super::cursor::{Parser, Stop, Stream};
use super::words::is_keyword;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::token::{Token, TokenKind};

pub(super) const LINE_BREAK_NOTE: &str = "inside a body, a line that could be a complete statement ends there; end the line with an operator or an open \
     parenthesis to go on in the next";

impl Parser<'_> {
    /// The error "expected ..., found ..." at the current token, to be reported.
    pub(super) fn unexpected(&self, expected: &str) -> Diagnostic {
        let problem =
            Diagnostic::error("syntax", self.span(), format!("expected {expected}, found {}", self.describe_current()));
        if self.at_line_end() { problem.note(LINE_BREAK_NOTE) } else { problem }
    }

    /// Reports that something else was expected here.
    pub(super) fn expected(&mut self, expected: &str) -> Stop {
        let problem = self.unexpected(expected);
        self.fail(problem)
    }

    /// Reports an error, and fails the statement.
    pub(super) fn fail(&mut self, problem: Diagnostic) -> Stop {
        self.report(problem);
        Stop::Step
    }

    /// Reports an error, and reads nothing more.
    pub(super) fn give_up(&mut self, problem: Diagnostic) -> Stop {
        self.report(problem);
        self.stopped = true;
        Stop::Unit
    }

    /// Adds a diagnostic. Of several errors (or warnings) at one place the first is kept, so that an
    /// inline's error is told once.
    pub(super) fn report(&mut self, problem: Diagnostic) {
        let place = (problem.span().start, problem.span().end, problem.is_error());
        if self.stopped || !self.reported.insert(place) {
            return;
        }
        let is_error = problem.is_error();
        self.diagnostics.push(problem);
        if is_error {
            self.errors += 1;
            if self.errors == MAX_ERRORS {
                self.stopped = true;
                let last = self.last_span.after();
                self.diagnostics.push(Diagnostic::error("too-many-errors", last, "too many errors, giving up"));
            }
        }
    }

    /// Warns that SPIN refuses what is accepted here.
    pub(super) fn beyond_spin(&mut self, span: Span, what: &str) {
        self.report(Diagnostic::warning("beyond-spin", span, format!("SPIN 6.5 does not accept {what}")));
    }

    /// The current token in words.
    pub(super) fn describe_current(&self) -> String {
        if self.at_line_end() {
            return "the end of the line".into();
        }
        if self.stopped || self.token().kind == TokenKind::End {
            return match self.stream {
                Stream::Model => "the end of the model",
                Stream::Inline => "the end of the inline's body",
                Stream::Formula => "the end of the formula",
            }
            .into();
        }
        describe(self.token())
    }
}

/// A token in words.
pub(super) fn describe(token: &Token) -> String {
    match token.kind {
        TokenKind::Word if is_keyword(&token.text) => format!("keyword `{}`", token.text),
        TokenKind::String => "a string".into(),
        TokenKind::End => "the end".into(),
        _ => match token.text.char_indices().nth(LONGEST_SHOWN) {
            Some((end, _)) => format!("`{}...`", &token.text[..end]),
            None => format!("`{}`", token.text),
        },
    }
}

/// Characters of a word that a message repeats.
const LONGEST_SHOWN: usize = 60;
