//! References: variables, their elements and fields, and what another process holds.
//!
//! ```text
//! variable = part { "." part }
//! part     = name [ "[" expr "]" ]
//! remote   = name [ "[" expr "]" ] "@" name            (is the process at the label?)
//!          | name [ "[" expr "]" ] ":" part            (the process' local variable)
//! ```
//! `P : x` is a remote reference only when `P` is a proctype defined above; otherwise the colon belongs to a label or to a
//! conditional expression. SPIN decides the same way, except that it knows every proctype while it reads an `ltl` block.

use super::cursor::{Around, Definition, Parsed, Parser, Stop, Stream};
use super::expression::Operand;
use crate::ast::{Expr, ExprKind, Name, RefPart, RemoteLabel, RemoteVariable, VariableRef};
use crate::diagnostic::Diagnostic;
use crate::token::TokenKind;

/// What a name turned out to begin.
pub(super) enum Reference {
    /// A variable.
    Variable(VariableRef),
    /// A remote reference.
    Other(Operand),
}

impl Parser<'_> {
    /// A variable with its indices and fields; `what` it is for, in messages.
    pub(super) fn variable(&mut self, what: &str) -> Parsed<VariableRef> {
        let first = self.name(what)?;
        let index = self.index()?;
        self.variable_from(RefPart { name: first, index })
    }

    fn variable_from(&mut self, first: RefPart) -> Parsed<VariableRef> {
        let start = first.name.span;
        let mut parts = vec![first];
        while self.eat(TokenKind::Dot) {
            let name = self.name("the name of a field")?;
            let index = self.index()?;
            parts.push(RefPart { name, index });
        }
        Ok(VariableRef { parts, span: self.since(start) })
    }

    /// `[ e ]`, if it stands here.
    fn index(&mut self) -> Parsed<Option<Box<Expr>>> {
        if !self.at(TokenKind::LeftBracket) || self.in_formula && self.at_always() {
            return Ok(None);
        }
        let open = self.bump().span;
        let index = self.inside(Self::expression)?;
        if !self.at(TokenKind::RightBracket) && !self.at_line_end() {
            let problem = self.unexpected("`]`").also(open, "to close this bracket");
            return Err(self.fail(problem));
        }
        self.expect(TokenKind::RightBracket, "`]`")?;
        if self.at(TokenKind::LeftBracket) && !(self.in_formula && self.at_always()) {
            let problem = Diagnostic::error("array-of-arrays", self.span(), "arrays have one dimension")
                .note("an element that is a structure can hold another array: `grid[i].cell[j]`");
            return Err(self.fail(problem));
        }
        Ok(Some(Box::new(index)))
    }

    /// An operand that begins with a name.
    pub(super) fn name_operand(&mut self) -> Parsed<Operand> {
        if self.next_kind() == TokenKind::LeftParen && self.around != Around::MessageHead && !self.is_any_ref() {
            return Err(self.inline_in_expression());
        }
        match self.reference()? {
            Reference::Variable(variable) => self.operand_from_variable(variable),
            Reference::Other(operand) => Ok(operand),
        }
    }

    /// A variable, remote reference or one of the extensions, where a name stands.
    pub(super) fn reference(&mut self) -> Parsed<Reference> {
        if self.is_any_ref() {
            return Ok(Reference::Other(self.any_ref()?.into()));
        }
        if self.at_word("_undef_ref") && !self.names.undefined_ref_is_plain {
            let span = self.bump().span;
            return Ok(Reference::Other(Expr { kind: ExprKind::UndefinedRef, span }.into()));
        }
        if self.names.inlines.contains_key(&self.token().text) && self.around != Around::MessageHead {
            return Err(self.inline_without_arguments());
        }
        let name = self.bump_name();
        let index = self.index()?;
        match self.kind() {
            TokenKind::At => self.remote_label(name, index).map(Reference::Other),
            TokenKind::Colon if self.colon_is_remote(&name) => self.remote_variable(name, index).map(Reference::Other),
            _ => self.variable_from(RefPart { name, index }).map(Reference::Variable),
        }
    }

    fn inline_without_arguments(&mut self) -> Stop {
        let name = self.bump_name();
        let missing = name.span.after();
        let problem =
            Diagnostic::error("missing-arguments", missing, format!("expected `(` after inline `{}`", name.text))
                .note("an inline without parameters is still used with parentheses")
                .suggest("add them", missing, "()");
        self.fail(problem)
    }

    /// Whether the `:` behind `name` or `name[e]` makes a remote reference.
    fn colon_is_remote(&self, name: &Name) -> bool {
        let proctypes = &self.names.proctypes;
        let ahead = matches!(self.names.ahead.get(&name.text), Some((Definition::Proctype, _)));
        let unknown_model = self.stream == Stream::Formula && proctypes.is_empty();
        proctypes.contains_key(&name.text) || self.around != Around::Conditional && (ahead || unknown_model)
    }

    /// A variable, or the poll that begins with it.
    pub(super) fn operand_from_variable(&mut self, variable: VariableRef) -> Parsed<Operand> {
        if !matches!(self.kind(), TokenKind::Question | TokenKind::QuestionQuestion) {
            return Ok(Expr { span: variable.span, kind: ExprKind::Variable(variable) }.into());
        }
        if self.next_kind() != TokenKind::LeftBracket {
            return Err(self.receive_in_expression(&variable));
        }
        let start = variable.span;
        let poll = self.poll(variable)?;
        Ok(Expr { kind: ExprKind::Poll(Box::new(poll)), span: self.since(start) }.into())
    }

    fn receive_in_expression(&mut self, channel: &VariableRef) -> Stop {
        let text = self.sources.snippet(channel.span).to_owned();
        let problem = self.unexpected("an operator").label("a receive is a statement, not part of an expression").note(
            format!("`{text}?[...]` asks whether a receive is possible; `(c -> a : b)` is the conditional expression"),
        );
        self.fail(problem)
    }

    /// What follows `P` or `P[e]`: `@ label`.
    fn remote_label(&mut self, proctype: Name, pid: Option<Box<Expr>>) -> Parsed<Operand> {
        let pid = pid.map(|pid| *pid);
        self.check_defined_above(&proctype);
        self.bump();
        let start = proctype.span;
        let label = self.name("a label after `@`")?;
        let remote = RemoteLabel { proctype, pid, label };
        Ok(Expr { kind: ExprKind::RemoteLabel(Box::new(remote)), span: self.since(start) }.into())
    }

    /// What follows `P` or `P[e]`: `: variable`.
    fn remote_variable(&mut self, proctype: Name, pid: Option<Box<Expr>>) -> Parsed<Operand> {
        let pid = pid.map(|pid| *pid);
        self.check_defined_above(&proctype);
        self.bump();
        let start = proctype.span;
        let variable = self.variable("a local variable of the process")?;
        if variable.parts.len() > 1 {
            self.beyond_spin(variable.span, "a structure's field in a remote reference");
        }
        if self.at(TokenKind::Assign) {
            let problem = Diagnostic::error(
                "remote-assignment",
                self.span(),
                format!("a local variable of `{}` cannot be assigned from outside", proctype.text),
            );
            return Err(self.fail(problem));
        }
        let remote = RemoteVariable { proctype, pid, variable };
        Ok(Expr { kind: ExprKind::RemoteVariable(Box::new(remote)), span: self.since(start) }.into())
    }

    fn check_defined_above(&mut self, proctype: &Name) {
        if !self.in_formula
            && !self.names.proctypes.contains_key(&proctype.text)
            && self.names.ahead.contains_key(&proctype.text)
        {
            self.beyond_spin(proctype.span, "a reference to a proctype that is defined further down");
        }
    }
}
