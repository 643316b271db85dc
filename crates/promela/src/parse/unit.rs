//! The model and its units.
//!
//! ```text
//! model     = { unit | separator }
//! unit      = proctype | init | never | trace | ltl | declaration | typedef | inline | embedded-c
//! proctype  = [ "active" [ "[" expr "]" ] ] ("proctype" | "D_proctype") name "(" [ parameters ] ")"
//!             [ "priority" constant ] [ "provided" "(" expr ")" ] block
//! parameters = declaration { ";" declaration }
//! init      = "init" [ "priority" constant ] block
//! never     = "never" [ name ] block
//! trace     = ("trace" | "notrace") block
//! ltl       = "ltl" [ name ] "{" formula [ separator ] "}"
//! typedef   = "typedef" name "{" declaration { ";" declaration } [ ";" ] "}"
//! ```
//! No separator is needed between units, and line breaks mean nothing outside bodies and typedefs.

use super::cursor::{Parsed, Parser, Stop};
use super::declaration::Declared;
use super::separator::LineRule;
use super::words::{TYPE_WORDS, UNIT_WORDS, closest};
use crate::ast::{
    Active, Block, Claim, Declaration, Expr, ExprKind, Formula, FormulaKind, Init, LtlProperty, Proctype, Trace,
    Typedef, Unit,
};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::token::TokenKind;

impl Parser<'_> {
    /// All units.
    pub(super) fn model(&mut self) -> Vec<Unit> {
        let mut units = Vec::new();
        let mut after_error = false;
        loop {
            self.skip_separators();
            if self.at(TokenKind::End) {
                return units;
            }
            if after_error && self.eat(TokenKind::RightBrace) {
                // The end of what could not be read.
                continue;
            }
            let start = self.position;
            let unit = self.unit();
            units.append(&mut self.aside);
            after_error = unit.is_err();
            match unit {
                Ok(unit) => {
                    self.among_stray_statements = false;
                    units.extend(unit);
                }
                Err(stop) => {
                    self.leave_body();
                    if stop == Stop::Step {
                        self.skip_unit();
                    }
                    if self.position == start && !self.at(TokenKind::End) {
                        self.bump();
                    }
                }
            }
        }
    }

    /// Forgets what was open in a unit that could not be read to its end.
    fn leave_body(&mut self) {
        self.lines = LineRule::OUTSIDE;
        self.open.clear();
        self.in_formula = false;
    }

    /// One unit; none when only an error was found.
    pub(super) fn unit(&mut self) -> Parsed<Option<Unit>> {
        if self.at_declaration() {
            return self.global_declaration().map(Some);
        }
        if !self.at(TokenKind::Word) {
            return Err(self.mistake_at_unit());
        }
        let word = self.token().text.clone();
        Ok(Some(match &*word {
            "active" | "proctype" | "D_proctype" => Unit::Proctype(self.proctype()?),
            "init" => Unit::Init(self.init()?),
            "never" => Unit::Never(self.never()?),
            "trace" | "notrace" => Unit::Trace(self.trace()?),
            "ltl" => Unit::Ltl(self.ltl()?),
            "typedef" => Unit::Typedef(self.typedef()?),
            "inline" => Unit::Inline(self.inline_definition()?),
            "c_decl" | "c_code" | "c_state" | "c_track" => Unit::EmbeddedC(self.embedded_c()?),
            _ => return Err(self.mistake_at_unit()),
        }))
    }

    fn global_declaration(&mut self) -> Parsed<Unit> {
        let unit = match self.declaration()? {
            Declared::Variables(declaration) => Unit::Declaration(declaration),
            Declared::Mtype(mtype) => Unit::Mtype(mtype),
        };
        if self.at(TokenKind::LeftParen) {
            return Err(self.mistake_function());
        }
        Ok(unit)
    }

    fn proctype(&mut self) -> Parsed<Proctype> {
        let start = self.span();
        let active = if self.at_word("active") { Some(self.active()?) } else { None };
        if !self.at_one_of(&["proctype", "D_proctype"]) {
            let mut problem = self.unexpected("`proctype` after `active`");
            if self.at_word("init") {
                problem = problem.note("`init` is always active").suggest("leave it out", start, "");
            } else if self.at(TokenKind::Word)
                && let Some(meant) = closest(&self.token().text, ["proctype", "D_proctype"])
            {
                problem = problem.suggest(format!("did you mean `{meant}`?"), self.span(), meant);
            }
            return Err(self.fail(problem));
        }
        let deterministic = &*self.bump().text == "D_proctype";
        let name = self.name("the name of the proctype")?;
        self.names.proctypes.entry(name.text.clone()).or_insert(name.span);
        if self.at(TokenKind::LeftBrace) {
            let missing = self.last_span.after();
            let problem =
                Diagnostic::error("missing-parameters", missing, format!("expected `(` after `{}`", name.text))
                    .note("a proctype without parameters still has its parentheses")
                    .suggest("add them", missing, "()");
            self.report(problem);
        }
        let parameters = if self.at(TokenKind::LeftBrace) { Vec::new() } else { self.parameters()? };
        let priority = self.priority()?;
        let provided = self.provided()?;
        if provided.is_some() && priority.is_none() && self.at_word("priority") {
            let problem = self.unexpected("the body").note("`priority` stands before `provided`");
            return Err(self.fail(problem));
        }
        let body = self.body(&format!("proctype `{}`", name.text))?;
        Ok(Proctype { name, deterministic, active, parameters, priority, provided, body, span: self.since(start) })
    }

    fn active(&mut self) -> Parsed<Active> {
        let start = self.bump().span;
        let count = if self.eat(TokenKind::LeftBracket) {
            let count = self.expression()?;
            self.expect(TokenKind::RightBracket, "`]` after the number of processes")?;
            Some(count)
        } else {
            None
        };
        Ok(Active { count, span: self.since(start) })
    }

    /// `( declaration ; declaration )`
    fn parameters(&mut self) -> Parsed<Vec<Declaration>> {
        let open = self.open_parenthesis("`(` and the parameters")?;
        let mut parameters = Vec::new();
        if self.parameters_to_parenthesis(open, &mut parameters).is_err() {
            while !matches!(self.kind(), TokenKind::RightParen | TokenKind::LeftBrace | TokenKind::End) {
                self.skip_group();
            }
            self.eat(TokenKind::RightParen);
            self.lines = LineRule::OUTSIDE;
        }
        Ok(parameters)
    }

    fn parameters_to_parenthesis(&mut self, open: Span, parameters: &mut Vec<Declaration>) -> Parsed<()> {
        while !self.at(TokenKind::RightParen) {
            parameters.push(self.parameter()?);
            if self.at(TokenKind::Semicolon) {
                while self.eat(TokenKind::Semicolon) {}
                if self.at(TokenKind::RightParen) {
                    self.beyond_spin(self.last_span, "a `;` after the last parameter");
                }
            } else if self.at_declaration() {
                let missing = self.last_span.after();
                let problem = self.unexpected("`;` or `)`").suggest("separate the parameters", missing, ";");
                self.report(problem);
            } else {
                break;
            }
        }
        self.close_parenthesis(open)
    }

    fn parameter(&mut self) -> Parsed<Declaration> {
        if !self.at_declaration() {
            return Err(self.mistake_at_type());
        }
        match self.declaration()? {
            Declared::Variables(declaration) => Ok(declaration),
            Declared::Mtype(mtype) => {
                let problem = Diagnostic::error("mtype-parameter", mtype.span, "mtype names cannot be declared here");
                Err(self.fail(problem))
            }
        }
    }

    /// `priority n`
    pub(super) fn priority(&mut self) -> Parsed<Option<Expr>> {
        if !self.eat_word("priority") {
            return Ok(None);
        }
        self.constant("a number, the priority").map(Some)
    }

    fn provided(&mut self) -> Parsed<Option<Expr>> {
        if !self.eat_word("provided") {
            return Ok(None);
        }
        let open = self.open_parenthesis("`(` and the condition")?;
        let condition = self.full_expression()?;
        self.close_parenthesis(open)?;
        Ok(Some(condition))
    }

    fn init(&mut self) -> Parsed<Init> {
        let start = self.bump().span;
        if self.at(TokenKind::LeftParen) {
            let parentheses = self.span();
            self.skip_group();
            let problem = Diagnostic::error("init-parameters", self.since(parentheses), "`init` has no parameters")
                .suggest("leave the parentheses out", self.since(parentheses), "");
            self.report(problem);
        }
        let priority = self.priority()?;
        let keyword = self.span();
        let provided = self.provided()?;
        if provided.is_some() {
            let problem =
                Diagnostic::error("init-provided", self.since(keyword), "`init` can have no `provided` clause")
                    .note("let `init` start a proctype that has one");
            self.report(problem);
        }
        let body = self.body("`init`")?;
        Ok(Init { priority, provided, body, span: self.since(start) })
    }

    fn never(&mut self) -> Parsed<Claim> {
        let start = self.bump().span;
        let name = if self.at_name() { Some(self.bump_name()) } else { None };
        let body = self.body("the never claim")?;
        Ok(Claim { name, body, span: self.since(start) })
    }

    fn trace(&mut self) -> Parsed<Trace> {
        let word = self.bump();
        let negated = &*word.text == "notrace";
        let name = if self.at_name() { Some(self.bump_name()) } else { None };
        if let Some(name) = &name {
            self.beyond_spin(name.span, "a name here");
        }
        let body = self.body(&format!("`{}`", word.text))?;
        Ok(Trace { negated, name, body, span: self.since(word.span) })
    }

    pub(super) fn ltl(&mut self) -> Parsed<LtlProperty> {
        let start = self.bump().span;
        let name = if self.at_name() { Some(self.bump_name()) } else { None };
        if !self.at(TokenKind::LeftBrace) {
            let problem = self.unexpected("`{` and a formula").note("a property is written `ltl name { formula }`");
            return Err(self.fail(problem));
        }
        let lines = std::mem::replace(&mut self.lines, LineRule::OUTSIDE);
        let open = self.bump().span;
        let formula = self.formula();
        let at_end = formula.is_ok() && {
            self.skip_separators();
            self.at(TokenKind::RightBrace)
        };
        if at_end {
            self.bump();
        } else {
            if formula.is_ok() {
                let problem = self.mistake_in_formula("`}`").also(open, "in this formula");
                self.report(problem);
            }
            self.skip_formula();
        }
        self.lines = LineRule { last: self.lines.last, ..lines };
        let unread = |stop: Stop| match stop {
            Stop::Step => {
                Ok(Formula { kind: FormulaKind::Atom(Expr { kind: ExprKind::Error, span: open }), span: open })
            }
            Stop::Unit => Err(stop),
        };
        Ok(LtlProperty { name, formula: formula.or_else(unread)?, span: self.since(start) })
    }

    /// Skips the rest of a formula and its `}`.
    fn skip_formula(&mut self) {
        self.in_formula = false;
        while !self.at(TokenKind::End) && !self.at_one_of(UNIT_WORDS) {
            if self.eat(TokenKind::RightBrace) {
                return;
            }
            self.skip_group();
        }
    }

    fn typedef(&mut self) -> Parsed<Typedef> {
        let start = self.bump().span;
        if self.at_one_of(TYPE_WORDS) || self.at_name() && self.next_kind() == TokenKind::Word {
            let problem = Diagnostic::error("typedef-alias", self.span(), "a typedef makes a structure")
                .note("`typedef T { byte x; byte y }`; to give a type another name, use `#define`");
            self.names.typedefs.insert(self.token().text.clone(), self.span());
            return Err(self.fail(problem));
        }
        let name = self.name("the name of the type")?;
        if !self.at(TokenKind::LeftBrace) {
            self.names.typedefs.insert(name.text, name.span);
            return Err(self.expected("`{` and the fields"));
        }
        let open = self.bump().span;
        self.lines = LineRule { in_body: true, ..LineRule::OUTSIDE };
        let fields = self.fields(open);
        self.lines = LineRule { last: self.lines.last, ..LineRule::OUTSIDE };
        self.names.typedefs.entry(name.text.clone()).or_insert(name.span);
        Ok(Typedef { name, fields: fields?, span: self.since(start) })
    }

    fn fields(&mut self, open: Span) -> Parsed<Vec<Declaration>> {
        let mut fields = Vec::new();
        loop {
            match self.structure_field() {
                Ok(field) => fields.push(field),
                Err(Stop::Unit) => return Err(Stop::Unit),
                Err(Stop::Step) => self.skip_statement(),
            }
            let separated = self.at(TokenKind::Semicolon);
            while self.eat(TokenKind::Semicolon) {}
            if self.eat(TokenKind::RightBrace) {
                return Ok(fields);
            }
            if !separated && !self.at_declaration() {
                let problem = self.unexpected("`;` or `}`").also(open, "in this structure");
                self.report(problem);
                return Err(if self.at(TokenKind::End) { Stop::Unit } else { Stop::Step });
            }
            if !separated {
                let missing = self.last_span.after();
                let problem = self.unexpected("`;` or `}`").suggest("separate the fields", missing, ";");
                self.report(problem);
            }
        }
    }

    fn structure_field(&mut self) -> Parsed<Declaration> {
        if self.at(TokenKind::RightBrace) {
            let problem = self.unexpected("a field").note("a structure has at least one field");
            return Err(self.fail(problem));
        }
        self.parameter()
    }

    /// `{ ... }` of a process, claim or trace.
    fn body(&mut self, whose: &str) -> Parsed<Block> {
        self.lines = LineRule { in_body: true, ..LineRule::OUTSIDE };
        let block = self.block(whose);
        self.lines = LineRule { last: self.lines.last, ..LineRule::OUTSIDE };
        block
    }
}
