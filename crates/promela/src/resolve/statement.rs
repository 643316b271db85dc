//! Statements: the sequences they stand in, and the basic ones among them.
//!
//! Whatever a statement becomes is appended to a [`Sequence`], since sugar can become several. Control flow is in
//! `control`, sugar in `sugar`, messages in `message`.

use super::Resolver;
use super::constant::without_parentheses;
use super::initialiser::first_run;
use super::place::Reference;
use crate::ast::{self, BinaryOp, StatementKind as Syntax, Step};
use crate::diagnostic::Diagnostic;
use crate::model::{Block, Expr, ExprKind, MtypeSetId, Predefined, Role, Statement, StatementKind, Type};
use crate::source::Span;

/// The statements made so far of the sequence being read.
pub(super) type Sequence = Vec<Statement>;

impl Resolver<'_> {
    /// The body of a process: declarations at its start belong to the creation of the process.
    pub(super) fn body_block(&mut self, block: &ast::Block) -> Block {
        let mut sequence = Sequence::new();
        self.index.enter_block(block.span);
        self.steps(&block.steps, &mut sequence);
        self.index.leave_block();
        Block { statements: sequence }
    }

    /// A sequence in braces: a scope of its own.
    pub(super) fn braced(&mut self, block: &ast::Block) -> Block {
        let mut sequence = Sequence::new();
        self.in_scope(block.span, |resolver| resolver.steps(&block.steps, &mut sequence));
        self.check_not_empty(block);
        Block { statements: sequence }
    }

    /// `xr` and `xs` are no steps, so they alone make no sequence.
    pub(super) fn check_not_empty(&mut self, block: &ast::Block) {
        if !block.steps.is_empty() && block.steps.iter().all(|step| matches!(step, Step::Exclusive(_))) {
            self.report(Diagnostic::error("empty-sequence", block.span, "this sequence has no statement"));
        }
    }

    pub(super) fn in_scope<T>(&mut self, braces: Span, read: impl FnOnce(&mut Self) -> T) -> T {
        self.no_longer_at_start();
        if let Some(scopes) = &mut self.names.scopes {
            scopes.enter();
        }
        self.index.enter_block(braces);
        let result = read(self);
        self.index.leave_block();
        if let Some(scopes) = &mut self.names.scopes {
            scopes.leave();
        }
        result
    }

    fn in_trace(&self) -> bool {
        self.body.as_ref().is_some_and(|body| body.role == Role::Trace)
    }

    pub(super) fn no_longer_at_start(&mut self) {
        if let Some(body) = &mut self.body {
            body.at_start = false;
        }
    }

    pub(super) fn steps(&mut self, steps: &[Step], sequence: &mut Sequence) {
        for step in steps {
            match step {
                Step::Statement(statement) => {
                    // A label may stand before a declaration only by mistake, so the flag can fall before the labels.
                    self.statement(statement, sequence);
                    self.no_longer_at_start();
                }
                Step::Declaration(declaration) => self.local_declaration(declaration, sequence),
                Step::Mtype(declaration) => self.mtype(declaration),
                Step::Exclusive(exclusive) => self.exclusive(exclusive),
            }
        }
    }

    fn local_declaration(&mut self, declaration: &ast::Declaration, sequence: &mut Sequence) {
        let late = self.body.as_ref().is_some_and(|body| !body.at_start);
        let declared = self.declaration(declaration, super::declare::Home::Local);
        for declared in declared {
            let id = self.add_local(declared.variable, declared.definition);
            if late {
                sequence.push(self.late_step(id, declared.late_value));
            } else {
                self.note_number(crate::model::Base::Local(id), declared.declarator);
            }
        }
    }

    fn exclusive(&mut self, exclusive: &ast::Exclusive) {
        for channel in &exclusive.channels {
            let Some(Reference::Place(place)) = self.reference(channel) else { continue };
            if place.ty != Type::Chan {
                let message = "`xr` and `xs` are for channels";
                self.report(Diagnostic::error("exclusive-not-channel", place.span, message));
                continue;
            }
            if place.index.is_some() || place.fields.iter().any(|field| field.index.is_some()) {
                let message = "`xr` and `xs` cannot name an element of an array";
                let note = "copy it to a variable first: `chan c = q[3]; xr c`";
                self.report(Diagnostic::error("exclusive-element", place.span, message).note(note));
                continue;
            }
            let Some(body) = &mut self.body else { continue };
            body.exclusive.push((exclusive.direction, place.clone(), exclusive.span));
            if matches!(place.base, crate::model::Base::Global(_)) && place.fields.is_empty() {
                let receives = exclusive.direction == ast::PortDirection::Receive;
                let owner = body.owner;
                let claim = *self.exclusive.entry((place.base, receives)).or_insert((owner, exclusive.span));
                if claim.0 != owner {
                    let message = "two processes claim to be the only one at this end of the channel";
                    let error = Diagnostic::error("exclusive-conflict", exclusive.span, message);
                    self.report(error.also(claim.1, "the other claim"));
                }
            }
        }
    }

    pub(super) fn statement(&mut self, statement: &ast::Statement, sequence: &mut Sequence) {
        let span = statement.span;
        let kind = match &statement.kind {
            Syntax::Labelled(..) => return self.labelled(statement, sequence),
            Syntax::For(it) => return self.for_loop(it, span, sequence),
            Syntax::Select(variable, from, to) => return self.select(variable, from, to, span, sequence),
            Syntax::Error(names) => {
                for name in names {
                    let meaning = self.names.meaning(&name.text);
                    self.note_use(name, meaning);
                }
                return;
            }
            Syntax::Assign(target, value) => self.assignment(target, value, span),
            Syntax::Increment(target) => self.step_by_one(target, BinaryOp::Add, span),
            Syntax::Decrement(target) => self.step_by_one(target, BinaryOp::Subtract, span),
            Syntax::AssignInline(target, call) => Some(self.call(call, Some(target.clone()))),
            Syntax::Call(call) => Some(self.call(call, None)),
            Syntax::Return(value) => self.return_value(value, span),
            Syntax::Expression(value) => Some(self.condition(value)),
            Syntax::Send(send) if self.in_trace() => self.send_event(send),
            Syntax::Send(send) => self.send(send, span),
            Syntax::Receive(receive) if self.in_trace() => self.receive_event(receive),
            Syntax::Receive(receive) => self.receive_statement(receive),
            Syntax::If(options) => Some(StatementKind::If(self.options(options, span))),
            Syntax::Do(options) => {
                let options = self.in_loop(|resolver| resolver.options(options, span));
                Some(StatementKind::Do(options))
            }
            Syntax::Unless(main, escape) => return self.unless(main, escape, span, sequence),
            Syntax::Atomic(block) => Some(self.atomic(block)),
            Syntax::DStep(block) => Some(self.d_step(block)),
            Syntax::Block(block) => {
                let block = self.braced(block);
                self.check_first_label(&block, "{ L: ... }", "L: { ... }");
                Some(StatementKind::Block(block))
            }
            Syntax::Goto(label) => self.goto(label),
            Syntax::Break => self.break_statement(span),
            Syntax::Else => Some(StatementKind::Else),
            Syntax::Assert(value) => Some(StatementKind::Assert(self.expression(value))),
            Syntax::Printf(format, arguments) => {
                let arguments = arguments.iter().map(|argument| self.expression(argument)).collect();
                Some(StatementKind::Printf(super::sugar::unescape(format), arguments))
            }
            Syntax::Printm(value) => self.printm(value),
            Syntax::SetPriority(pid, priority) => {
                self.model.features.priorities = true;
                let pid = self.expression(pid);
                Some(StatementKind::SetPriority(pid, self.expression(priority)))
            }
            Syntax::CCode(text) => {
                self.model.features.embedded_c = true;
                Some(StatementKind::CCode(text.clone()))
            }
        };
        if let Some(kind) = kind {
            self.check_claim_statement(&kind, span);
            sequence.push(Statement { labels: Vec::new(), kind, span });
        }
    }

    /// An expression as a statement.
    fn condition(&mut self, value: &ast::Expr) -> StatementKind {
        let resolved = self.expression(value);
        if let Some(span) = first_run(&resolved)
            && !matches!(resolved.kind, ExprKind::Run(_))
        {
            let message = "`run` in a larger condition";
            let note = "it would start a process even when the condition is false; write it as a statement of its own";
            self.report(Diagnostic::error("run-in-condition", span, message).note(note));
        } else if let ExprKind::Run(run) = &resolved.kind
            && let Some(span) = run.arguments.iter().find_map(first_run)
        {
            self.report(Diagnostic::error("two-runs", span, "more than one `run` in an expression"));
        }
        // Only a plain constant is a `skip` to SPIN, or an option to be dropped; a condition that was folded to one is not.
        if let ExprKind::Constant(number @ (0 | 1)) = resolved.kind
            && self.literal(value).is_none()
        {
            let number = super::initialiser::constant(number, value.span);
            let zero = super::initialiser::constant(0, value.span);
            let kind = ExprKind::Binary(BinaryOp::NotEqual, Box::new(number), Box::new(zero));
            return StatementKind::Expression(Expr { kind, ..resolved });
        }
        StatementKind::Expression(resolved)
    }

    fn assignment(&mut self, target: &ast::VariableRef, value: &ast::Expr, span: Span) -> Option<StatementKind> {
        let Some(found) = self.target(target) else {
            // `a = b` with two structures is one mistake.
            if self.structure_argument(value).is_none() {
                self.expression(value);
            }
            return None;
        };
        let value = self.expression(value);
        match found {
            Reference::Scratch => Some(StatementKind::Discard(value)),
            Reference::Predefined(Predefined::Priority) => {
                self.model.features.priorities = true;
                let pid = Expr { kind: ExprKind::Predefined(Predefined::Pid), ..value.clone() };
                Some(StatementKind::SetPriority(Expr { span: target.span, ..pid }, value))
            }
            Reference::Place(place) => {
                // SPIN does not look into structures.
                if place.fields.is_empty() {
                    if place.ty == Type::Chan && matches!(value.kind, ExprKind::Constant(_)) {
                        let message = "a constant cannot be assigned to a channel";
                        self.report(Diagnostic::error("constant-to-channel", span, message));
                    }
                    self.check_channel_arithmetic(&value);
                }
                self.check_self_index(target);
                Some(StatementKind::Assign(place, value))
            }
            _ => None,
        }
    }

    /// `x++` and `x--`
    fn step_by_one(&mut self, target: &ast::VariableRef, operator: BinaryOp, span: Span) -> Option<StatementKind> {
        match self.target(target)? {
            Reference::Place(place) if place.ty == Type::Chan => {
                self.report(Diagnostic::error("channel-arithmetic", span, "arithmetic on a channel"));
                None
            }
            Reference::Place(place) => {
                self.check_self_index(target);
                Some(super::sugar::step_by_one(place, operator, span))
            }
            Reference::Predefined(Predefined::Priority) => {
                self.model.features.priorities = true;
                let predefined = |which| Expr {
                    kind: ExprKind::Predefined(which),
                    meaning: crate::model::Kind::Number,
                    span: target.span,
                };
                let one = super::initialiser::constant(1, span);
                let value = ExprKind::Binary(operator, Box::new(predefined(Predefined::Priority)), Box::new(one));
                let value = Expr { kind: value, meaning: crate::model::Kind::Number, span };
                Some(StatementKind::SetPriority(predefined(Predefined::Pid), value))
            }
            Reference::Scratch => {
                self.report(Diagnostic::error("scratch-read", span, "`_` cannot be read"));
                None
            }
            _ => None,
        }
    }

    fn return_value(&mut self, value: &ast::Expr, span: Span) -> Option<StatementKind> {
        let frame = self.body.as_ref().and_then(|body| body.inlines.last());
        match frame.map(|frame| frame.result.clone()) {
            Some(Some(target)) => self.assignment(&target, value, span),
            Some(None) => {
                let message = "`return` in an inline whose value nobody takes";
                let note = "call it as `x = f(...)`";
                self.report(Diagnostic::error("unused-return", span, message).note(note));
                None
            }
            None => {
                self.report(Diagnostic::error("misplaced-return", span, "`return` outside an inline"));
                None
            }
        }
    }

    fn printm(&mut self, value: &ast::Expr) -> Option<StatementKind> {
        let number = matches!(without_parentheses(value).kind, ast::ExprKind::Constant(_));
        let resolved = self.expression(value);
        if number {
            let message = "`printm` prints an mtype value, and this is a number";
            self.report(Diagnostic::error("printm-number", value.span, message));
        }
        let set = self.mtype_of(&resolved).unwrap_or(MtypeSetId(0));
        Some(StatementKind::Printm(resolved, set))
    }

    /// What SPIN warns about or refuses in a never claim.
    fn check_claim_statement(&mut self, kind: &StatementKind, span: Span) {
        if self.body.as_ref().is_none_or(|body| body.role != Role::Never) {
            return;
        }
        match kind {
            StatementKind::Send(_) | StatementKind::Receive(_) => {
                let message = "a never claim cannot send or receive";
                let note = "it only observes; use `q?[...]` to look at a channel";
                self.report(Diagnostic::error("claim-io", span, message).note(note));
            }
            StatementKind::Assign(..) | StatementKind::Discard(_) | StatementKind::SetPriority(..) => {
                let message = "a never claim should not change anything";
                let note = "what it changes becomes part of the behaviour that it is meant to observe";
                self.report(Diagnostic::warning("claim-side-effect", span, message).note(note));
            }
            StatementKind::Expression(Expr { kind: ExprKind::Run(_), .. }) => {
                let message = "a never claim should not start processes";
                self.report(Diagnostic::warning("claim-side-effect", span, message));
            }
            _ => {}
        }
    }
}
