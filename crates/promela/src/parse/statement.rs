//! Statements.
//!
//! ```text
//! statement  = name ":" [ statement ]
//!            | "if" option+ "fi" | "do" option+ "od"
//!            | "for" "(" variable ":" expr ".." expr ")" block | "for" "(" variable "in" variable ")" block
//!            | "select" "(" variable ":" expr ".." expr ")"
//!            | "atomic" block | "d_step" block | block
//!            | "goto" name | "break" | "else" | "assert" expr | "return" expr
//!            | "printf" "(" string { "," expr } ")" | "printm" "(" (variable | constant) ")"
//!            | "set_priority" "(" expr "," expr ")" | "c_code" c-text
//!            | name "(" [ expr { "," expr } ] ")"                              (a use of an inline)
//!            | variable ("=" expr | "=" name "(" ... ")" | "++" | "--" | send | receive)
//!            | expr
//! option     = "::" sequence
//! ```

use super::cursor::{Definition, Opener, Parsed, Parser, Stop};
use super::reference::Reference;
use super::words::{OPERAND_WORDS, STATEMENT_WORDS};
use crate::ast::{Block, EmbeddedC, Expr, ExprKind, For, ForRange, Name, Statement, StatementKind, Unit, VariableRef};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::token::TokenKind;

impl Parser<'_> {
    // ------------------------------------------------------------------------------------ statements

    pub(super) fn statement(&mut self) -> Parsed<Statement> {
        let start = self.span();
        let kind = self.statement_kind()?;
        Ok(Statement { kind, span: self.since(start) })
    }

    fn statement_kind(&mut self) -> Parsed<StatementKind> {
        match self.kind() {
            TokenKind::LeftBrace => Ok(StatementKind::Block(self.block("this block")?)),
            TokenKind::Word => {
                let word = self.token().text.clone();
                if self.at_name() {
                    self.statement_from_name()
                } else if matches!(&*word, "if" | "do") {
                    self.selection(if &*word == "if" { Opener::If } else { Opener::Do })
                } else if matches!(&*word, "atomic" | "d_step") {
                    self.indivisible(&word)
                } else if &*word == "for" {
                    self.for_statement()
                } else if STATEMENT_WORDS.contains(&&*word) || &*word == "c_decl" {
                    self.keyword_statement(&word)
                } else if OPERAND_WORDS.contains(&&*word) {
                    self.expression_statement()
                } else {
                    Err(self.mistake_at_statement())
                }
            }
            _ => self.expression_statement(),
        }
    }

    fn keyword_statement(&mut self, word: &str) -> Parsed<StatementKind> {
        match word {
            "select" => self.select_statement(),
            "goto" => {
                self.bump();
                Ok(StatementKind::Goto(self.name("a label after `goto`")?))
            }
            "printf" => self.printf(),
            "printm" => self.printm(),
            "set_priority" => self.set_priority(),
            "c_code" => Ok(StatementKind::CCode(self.c_text()?)),
            "c_decl" => self.c_decl_in_body(),
            _ => self.simple_keyword_statement(word),
        }
    }

    /// SPIN makes the declarations global, and a step of the text.
    fn c_decl_in_body(&mut self) -> Parsed<StatementKind> {
        let text = self.c_text()?;
        let problem = Diagnostic::warning("c-decl-in-body", text.span, "`c_decl` belongs outside bodies")
            .note("as in SPIN, its declarations are global, and reaching it is a step that does nothing");
        self.report(problem);
        self.aside.push(Unit::EmbeddedC(EmbeddedC::Declarations(text.clone())));
        Ok(StatementKind::CCode(text))
    }

    fn simple_keyword_statement(&mut self, word: &str) -> Parsed<StatementKind> {
        self.bump();
        match word {
            "break" => Ok(StatementKind::Break),
            "else" => Ok(StatementKind::Else),
            "assert" => Ok(StatementKind::Assert(self.full_expression()?)),
            "return" => Ok(StatementKind::Return(self.full_expression()?)),
            _ => Err(self.expected("a statement")),
        }
    }

    /// A statement that begins with a name: a label, a use of an inline, an assignment and so on, or an expression.
    fn statement_from_name(&mut self) -> Parsed<StatementKind> {
        let word = self.token().text.clone();
        let next = self.next_kind();
        if next == TokenKind::Colon && !self.names.proctypes.contains_key(&word) {
            return self.labelled();
        }
        if next == TokenKind::LeftParen && !self.is_any_ref() {
            if self.names.inlines.contains_key(&word) {
                return Ok(StatementKind::Call(self.inline_call()?));
            }
            return Err(self.unknown_call());
        }
        let ends = ["fi", "od", "unless"].iter().any(|word| self.token_after(1).is_word(word));
        if !ends && matches!(next, TokenKind::Word | TokenKind::String | TokenKind::LeftBrace) {
            return Err(self.mistake_at_statement());
        }
        match self.reference()? {
            Reference::Variable(variable) => self.statement_from_variable(variable),
            Reference::Other(operand) => Ok(StatementKind::Expression(self.expression_from(operand)?)),
        }
    }

    fn statement_from_variable(&mut self, variable: VariableRef) -> Parsed<StatementKind> {
        match self.kind() {
            TokenKind::Assign => {
                self.bump();
                self.assignment(variable)
            }
            TokenKind::Increment => {
                self.bump();
                Ok(StatementKind::Increment(variable))
            }
            TokenKind::Decrement => {
                self.bump();
                Ok(StatementKind::Decrement(variable))
            }
            TokenKind::Bang | TokenKind::BangBang => Ok(StatementKind::Send(self.send(variable)?)),
            TokenKind::Question | TokenKind::QuestionQuestion if self.next_kind() != TokenKind::LeftBracket => {
                Ok(StatementKind::Receive(self.receive(variable)?))
            }
            _ => {
                let operand = self.operand_from_variable(variable)?;
                let expr = self.expression_from(operand)?;
                Ok(StatementKind::Expression(expr))
            }
        }
    }

    fn assignment(&mut self, variable: VariableRef) -> Parsed<StatementKind> {
        let is_call = self.at_name()
            && self.names.inlines.contains_key(&self.token().text)
            && self.next_kind() == TokenKind::LeftParen;
        if is_call {
            return Ok(StatementKind::AssignInline(variable, self.inline_call()?));
        }
        Ok(StatementKind::Assign(variable, self.full_expression()?))
    }

    fn expression_statement(&mut self) -> Parsed<StatementKind> {
        if let Some(stop) = self.mistake_at_expression_statement() {
            return Err(stop);
        }
        Ok(StatementKind::Expression(self.full_expression()?))
    }

    fn labelled(&mut self) -> Parsed<StatementKind> {
        let label = self.bump_name();
        self.bump();
        if self.at_declaration() || self.at_one_of(&["xr", "xs"]) || self.at(TokenKind::Assign) {
            return Err(self.nothing_to_label(&label));
        }
        if self.at_separator() || self.at_sequence_end() || self.at_word("unless") {
            return Ok(StatementKind::Labelled(label, None));
        }
        let statement = Box::new(self.nested(Self::statement)?);
        Ok(StatementKind::Labelled(label, Some(statement)))
    }

    fn nothing_to_label(&mut self, label: &Name) -> Stop {
        if !self.at(TokenKind::Assign) {
            let what = if self.at_declaration() { "a declaration" } else { "`xr` or `xs`" };
            let problem = Diagnostic::error(
                "label-before-declaration",
                label.span,
                format!("a label cannot stand before {what}"),
            )
            .note("a label marks a statement; declare first, or put the label on a `skip`");
            return self.fail(problem);
        }
        let problem =
            Diagnostic::error("pascal-assignment", self.span(), "expected a statement after the label, found `=`")
                .note("an assignment is written with `=`")
                .suggest("assign", self.sources.cover(label.span.after(), self.span()), " =");
        self.fail(problem)
    }

    /// A name with parentheses that is no inline defined above.
    fn unknown_call(&mut self) -> Stop {
        let name = self.token().text.clone();
        let span = self.span();
        if !self.names.reported.insert(name.clone()) {
            return Stop::Step;
        }
        let ahead = self.names.ahead.get(&name).copied();
        let problem = match ahead {
            Some((Definition::Inline, definition)) => Diagnostic::error(
                "inline-before-definition",
                span,
                format!("inline `{name}` is used before its definition"),
            )
            .also(definition, "defined here")
            .note("an inline's text is put in where it is used, so it must stand above"),
            Some((Definition::Proctype, definition)) => {
                Diagnostic::error("call-of-proctype", span, format!("proctype `{name}` is started with `run`"))
                    .also(definition, "a proctype")
                    .suggest("start a process", Span { end: span.start, ..span }, "run ")
            }
            _ => self.unknown_call_guess(&name, span),
        };
        self.fail(problem)
    }

    // ------------------------------------------------------------------------------------ compound statements

    /// `if` or `do` with its options.
    fn selection(&mut self, opener: Opener) -> Parsed<StatementKind> {
        let first = self.position;
        let open = self.bump().span;
        self.open.push((opener, open));
        let options = self.nested(|parser| parser.options(opener, open, first));
        self.open.pop();
        options.map(if opener == Opener::Do { StatementKind::Do } else { StatementKind::If })
    }

    /// `atomic` or `d_step`
    fn indivisible(&mut self, word: &str) -> Parsed<StatementKind> {
        self.bump();
        let block = self.block(&format!("`{word}`"))?;
        Ok(if word == "atomic" { StatementKind::Atomic(block) } else { StatementKind::DStep(block) })
    }

    /// The options of the `if` or `do` at `open`, the token at `first`, and its end.
    fn options(&mut self, opener: Opener, open: Span, first: usize) -> Parsed<Vec<Block>> {
        let (word, closer, _) = selection_words(opener);
        if !self.at(TokenKind::DoubleColon) {
            self.mistake_at_selection(word, closer, open)?;
        }
        let mut options = Vec::new();
        loop {
            while self.at(TokenKind::DoubleColon) {
                let start = self.bump().span;
                let steps = self.sequence()?;
                options.push(Block { steps, span: self.since(start) });
            }
            if self.eat_word(closer) {
                return Ok(options);
            }
            if !self.skip_stray_closer(opener)? {
                self.unclosed_selection(opener, open, first)?;
                return Ok(options);
            }
        }
    }

    /// Inside `do`, a `fi` whose `if` is missing (or the other way round), or a `}` too many: told by the right end that
    /// follows.
    fn skip_stray_closer(&mut self, opener: Opener) -> Parsed<bool> {
        let (_, closer, other) = selection_words(opener);
        let outer = if opener == Opener::Do { Opener::If } else { Opener::Do };
        let stray_word = self.at_word(other) && !self.is_inside(outer);
        let stray_brace = self.at(TokenKind::RightBrace) && self.surplus_braces > 0;
        if !stray_word && !stray_brace || !self.closer_follows(self.position + 1, closer) {
            return Ok(false);
        }
        if stray_brace {
            self.surplus_braces -= 1;
            let problem = Diagnostic::error("stray-closer", self.span(), "this `}` closes nothing");
            self.report(problem);
        } else {
            self.report_stray_selection_token();
        }
        self.bump();
        self.skip_separators();
        if !self.at_sequence_end() {
            self.sequence()?;
        }
        Ok(true)
    }

    /// An `if` or `do` does not end where it should.
    fn unclosed_selection(&mut self, opener: Opener, open: Span, first: usize) -> Parsed<()> {
        let (word, closer, other) = selection_words(opener);
        let found = self.describe_current();
        let closes_another = self.at_word(other) && {
            let outer = if opener == Opener::Do { Opener::If } else { Opener::Do };
            self.is_inside(outer)
        };
        if self.at_word(other) && !closes_another {
            let problem = Diagnostic::error("wrong-closer", self.span(), format!("expected `{closer}`, found {found}"))
                .also(open, format!("to close this `{word}`"))
                .suggest(format!("`{word}` ends with `{closer}`"), self.span(), closer);
            self.report(problem);
            self.bump();
            return Ok(());
        }
        let problem =
            Diagnostic::error("unclosed-selection", self.span(), format!("expected `{closer}` or `::`, found {found}"))
                .also(open, format!("this `{word}` is not closed"));
        let problem = match self.outdented_since(first) {
            Some(place) => problem.suggest(format!("close the `{word}`, perhaps here"), place, format!("{closer}; ")),
            None => problem.suggest(format!("close the `{word}`"), self.last_span.after(), format!(" {closer}")),
        };
        self.report(problem);
        if self.at(TokenKind::End) { Err(Stop::Unit) } else { Ok(()) }
    }

    fn for_statement(&mut self) -> Parsed<StatementKind> {
        self.bump();
        let open = self.open_parenthesis("`(` after `for`")?;
        if let Some(stop) = self.mistake_at_for(open) {
            return Err(stop);
        }
        let variable = self.variable("the loop's variable")?;
        let range = if self.eat_word("in") {
            ForRange::In(self.variable("an array or channel")?)
        } else {
            let (low, high) = self.bounds("`:` or `in`")?;
            ForRange::Bounds(low, high)
        };
        self.close_parenthesis(open)?;
        // SPIN allows one `;` or a line break before the loop's body.
        if self.at(TokenKind::Semicolon) && self.brace_behind_separator() {
            self.bump();
        }
        let body = self.block("`for`")?;
        Ok(StatementKind::For(For { variable, range, body }))
    }

    fn brace_behind_separator(&self) -> bool {
        let ahead = if self.at_line_end() { 0 } else { 1 };
        self.token_after(ahead).kind == TokenKind::LeftBrace
    }

    fn select_statement(&mut self) -> Parsed<StatementKind> {
        self.bump();
        let open = self.open_parenthesis("`(` after `select`")?;
        let variable = self.variable("the variable to select a value for")?;
        let (low, high) = self.bounds("`:`")?;
        self.close_parenthesis(open)?;
        Ok(StatementKind::Select(variable, low, high))
    }

    /// `: low .. high`
    fn bounds(&mut self, what: &str) -> Parsed<(Expr, Expr)> {
        self.expect(TokenKind::Colon, &format!("{what} after the variable"))?;
        let low = self.expression()?;
        self.expect(TokenKind::DotDot, "`..` between the bounds")?;
        let high = self.expression()?;
        Ok((low, high))
    }

    // ------------------------------------------------------------------------------------ library statements

    fn printf(&mut self) -> Parsed<StatementKind> {
        self.bump();
        let open = self.open_parenthesis("`(` after `printf`")?;
        if self.at(TokenKind::Character) {
            let problem = self.unexpected("a string in double quotes");
            return Err(self.fail(problem));
        }
        let format = self.expect(TokenKind::String, "a string, the format")?;
        if self.at(TokenKind::String) {
            let problem = self.unexpected("`,` or `)`").note("strings are not joined: put all text into one");
            return Err(self.fail(problem));
        }
        let mut arguments = Vec::new();
        while self.eat(TokenKind::Comma) {
            arguments.push(self.expression()?);
        }
        self.close_parenthesis(open)?;
        Ok(StatementKind::Printf(format.text, arguments))
    }

    fn printm(&mut self) -> Parsed<StatementKind> {
        self.bump();
        let open = self.open_parenthesis("`(` after `printm`")?;
        let argument = if self.at_name() {
            let variable = self.variable("a variable or mtype name")?;
            Expr { span: variable.span, kind: ExprKind::Variable(variable) }
        } else {
            self.constant("a variable or mtype name")?
        };
        self.close_parenthesis(open)?;
        Ok(StatementKind::Printm(argument))
    }

    fn set_priority(&mut self) -> Parsed<StatementKind> {
        self.bump();
        let open = self.open_parenthesis("`(` after `set_priority`")?;
        let process = self.expression()?;
        self.expect(TokenKind::Comma, "`,` and the new priority")?;
        let priority = self.expression()?;
        self.close_parenthesis(open)?;
        Ok(StatementKind::SetPriority(process, priority))
    }
}

/// The words of a selection: its own, the one that ends it, and the one that ends the other.
fn selection_words(opener: Opener) -> (&'static str, &'static str, &'static str) {
    match opener {
        Opener::Do => ("do", "od", "fi"),
        Opener::If | Opener::Brace => ("if", "fi", "od"),
    }
}
