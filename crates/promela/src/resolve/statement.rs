//! Statements.
//!
//! The order of statements, options and steps is SPIN's to the last detail, since states and transitions are compared
//! with its counts: the option with `else` is moved to the end, a needless `skip` inside an option is dropped, and a
//! jump that carries an `accept`, `end` or `progress` label gets a `skip` before it to carry that label.

use super::Resolver;
use super::constant::without_parentheses;
use super::initialiser::first_run;
use super::label::{DStepNumber, Jump, is_special};
use super::names::Meaning;
use super::place::Reference;
use super::process::InlineFrame;
use super::scope::Symbol;
use super::sugar::{drop_needless_skips, skip};
use crate::ast::{self, BinaryOp, Name, StatementKind as Syntax, Step};
use crate::diagnostic::Diagnostic;
use crate::model::{
    Block, Expr, ExprKind, LabelId, MtypeSetId, Predefined, Role, Scope, Statement, StatementKind, Type,
};
use crate::source::Span;

/// The statements made so far of the sequence being read.
pub(super) type Sequence = Vec<Statement>;

impl Resolver<'_> {
    /// The body of a process: declarations at its start belong to the creation of the process.
    pub(super) fn body_block(&mut self, block: &ast::Block) -> Block {
        let mut sequence = Sequence::new();
        self.steps(&block.steps, &mut sequence);
        Block { statements: sequence }
    }

    /// A sequence in braces: a scope of its own.
    pub(super) fn braced(&mut self, block: &ast::Block) -> Block {
        let mut sequence = Sequence::new();
        self.in_scope(|resolver| resolver.steps(&block.steps, &mut sequence));
        Block { statements: sequence }
    }

    pub(super) fn in_scope<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        self.no_longer_at_start();
        if let Some(scopes) = &mut self.names.scopes {
            scopes.enter();
        }
        let result = read(self);
        if let Some(scopes) = &mut self.names.scopes {
            scopes.leave();
        }
        result
    }

    fn in_trace(&self) -> bool {
        self.body.as_ref().is_some_and(|body| body.role == Role::Trace)
    }

    fn no_longer_at_start(&mut self) {
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
            let id = self.add_local(declared.variable);
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
            Syntax::Error => return,
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
            self.check_d_step_statement(&kind, span);
            sequence.push(Statement { labels: Vec::new(), kind, span });
        }
    }

    // ------------------------------------------------------------------------------------------ labels and jumps

    /// `A: B: s`
    fn labelled(&mut self, mut statement: &ast::Statement, sequence: &mut Sequence) {
        let mut labels = Vec::new();
        let mut inner = None;
        while let Syntax::Labelled(name, rest) = &statement.kind {
            labels.extend(self.define_label(name));
            inner = rest.as_deref();
            match inner {
                Some(next) => statement = next,
                None => break,
            }
        }
        let Some(inner) = inner else {
            sequence.push(Statement { labels, ..skip(statement.span) });
            return;
        };
        let before = sequence.len();
        self.statement(inner, sequence);
        if sequence.len() == before {
            return;
        }
        // SPIN has put the first statements of a `for` or `select` into the sequence before it sees the label.
        let carrier = if self.is_expanded_early(inner) { before } else { sequence.len() - 1 };
        let special = labels
            .iter()
            .any(|label| self.body.as_ref().is_some_and(|body| is_special(&body.labels.table[label.index()].name)));
        if special && matches!(sequence[carrier].kind, StatementKind::Goto(_) | StatementKind::Break) {
            let outermost = labels.drain(..1).collect();
            let carrying = Statement { labels: outermost, ..skip(sequence[carrier].span) };
            sequence.insert(carrier, carrying);
            sequence[carrier + 1].labels = labels;
        } else {
            labels.append(&mut sequence[carrier].labels);
            sequence[carrier].labels = labels;
        }
    }

    fn define_label(&mut self, name: &Name) -> Option<LabelId> {
        let scope = self.mention_label(name)?;
        let body = self.body.as_mut()?;
        let (inline, d_step) = (body.inline(), body.d_step);
        match body.labels.define(name, scope, inline, d_step) {
            Ok(id) => Some(id),
            Err(first) => {
                let first = body.labels.table[first.index()].span;
                let message = format!("label `{}` is defined twice in this scope", name.text);
                self.report(Diagnostic::error("redefined-label", name.span, message).also(first, "first here"));
                None
            }
        }
    }

    /// The scope of a label's first mention, which may be this one.
    fn mention_label(&mut self, name: &Name) -> Option<Scope> {
        if let Some(scopes) = &mut self.names.scopes
            && let Some(Symbol::Label(scope)) = scopes.lookup(&name.text)
        {
            return Some(scope.clone());
        }
        match self.names.meaning(&name.text) {
            Meaning::Unknown | Meaning::Label => {}
            Meaning::Predefined(Predefined::LocalNumber | Predefined::ChannelCount) => {}
            _ => {
                let message = format!("`{}` cannot be a label: the name is taken", name.text);
                self.report(Diagnostic::error("bad-label", name.span, message));
                return None;
            }
        }
        let scopes = self.names.scopes.as_mut()?;
        let scope = scopes.path().clone();
        scopes.declare(&name.text, Symbol::Label(scope.clone()));
        Some(scope)
    }

    fn goto(&mut self, label: &Name) -> Option<StatementKind> {
        let scope = self.mention_label(label)?;
        let body = self.body.as_mut()?;
        let jump = Jump { label: label.clone(), scope, d_step: body.d_step };
        Some(StatementKind::Goto(body.labels.jump(jump)))
    }

    fn break_statement(&mut self, span: Span) -> Option<StatementKind> {
        let body = self.body.as_ref()?;
        match body.loops.last() {
            None => {
                let message = "`break` outside a loop";
                self.report(Diagnostic::error("misplaced-break", span, message).note("it leaves a `do` or `for`"));
                None
            }
            Some(&d_step) if d_step != body.d_step => {
                let message = "`break` jumps out of a `d_step`";
                let note = "a `d_step` is one step, entered at its start and left at its end";
                self.report(Diagnostic::error("jump-across-d-step", span, message).note(note));
                None
            }
            Some(_) => Some(StatementKind::Break),
        }
    }

    /// SPIN has no state to attach such a label to.
    pub(super) fn check_first_label(&mut self, block: &Block, instead_of: &str, write: &str) {
        let Some(label) = block.statements.first().and_then(|first| first.labels.first()) else { return };
        let Some(body) = &self.body else { return };
        let span = body.labels.table[label.index()].span;
        let message = "a label cannot stand first in a block";
        let note = format!("instead of `{instead_of}` write `{write}`");
        self.report(Diagnostic::error("label-first", span, message).note(note));
    }

    // ------------------------------------------------------------------------------------------ compound statements

    pub(super) fn in_loop<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        if let Some(body) = &mut self.body {
            let d_step = body.d_step;
            body.loops.push(d_step);
        }
        let result = read(self);
        if let Some(body) = &mut self.body {
            body.loops.pop();
        }
        result
    }

    fn options(&mut self, options: &[ast::Block], span: Span) -> Vec<Block> {
        self.no_longer_at_start();
        let mut blocks = Vec::with_capacity(options.len());
        for option in options {
            let mut statements = Sequence::new();
            self.steps(&option.steps, &mut statements);
            blocks.push(Block { statements });
        }
        self.arrange_options(blocks, span)
    }

    /// Moves `else` to the end and drops needless skips.
    pub(super) fn arrange_options(&mut self, mut options: Vec<Block>, span: Span) -> Vec<Block> {
        if self.body.as_ref().is_some_and(|body| body.role != Role::Never) {
            for option in &mut options {
                drop_needless_skips(option);
            }
        }
        let is_else =
            |option: &Block| option.statements.first().is_some_and(|first| matches!(first.kind, StatementKind::Else));
        let mut elses = options.iter().filter(|option| is_else(option));
        if let (Some(first), Some(second)) = (elses.next(), elses.next()) {
            let (first, second) = (first.statements[0].span, second.statements[0].span);
            let message = "a second `else` in the same selection";
            self.report(Diagnostic::error("duplicate-else", second, message).also(first, "the first"));
        } else if self.body.as_ref().is_some_and(|body| body.d_step.is_none())
            && options.iter().map(elses_at).sum::<usize>() > 1
            && options.iter().all(|option| elses_at(option) <= 1)
        {
            let message = "two `else` compete for the same state";
            let note = "an `if` or `do` at the start of an option is part of the choice around it, with its own `else`";
            self.report(Diagnostic::error("duplicate-else", span, message).note(note));
        }
        if let Some(position) = options.iter().position(is_else) {
            let option = options.remove(position);
            options.push(option);
        }
        options
    }

    fn unless(&mut self, main: &ast::Statement, escape: &ast::Statement, span: Span, sequence: &mut Sequence) {
        self.model.features.unless = true;
        // SPIN lifts the labels of `L: { ... } unless ...` to the whole.
        let mut labels = Vec::new();
        let mut main = main;
        while let Syntax::Labelled(name, Some(inner)) = &main.kind {
            if !matches!(innermost(inner).kind, Syntax::Block(_) | Syntax::Atomic(_) | Syntax::DStep(_)) {
                break;
            }
            labels.extend(self.define_label(name));
            main = inner;
        }
        let mut statements = Sequence::new();
        self.statement(main, &mut statements);
        // The steps that `for` and `select` put before their loop stand before the `unless`.
        let last = statements.pop();
        sequence.append(&mut statements);
        let main_block = match last {
            Some(Statement { kind: StatementKind::Block(block), labels, .. }) if labels.is_empty() => block,
            Some(last) => Block { statements: vec![last] },
            None => Block::default(),
        };
        self.check_first_label(&main_block, "L: s unless t", "L: { s unless t }");
        self.no_longer_at_start();
        let mut statements = Sequence::new();
        self.statement(escape, &mut statements);
        let escape_block = match statements.pop() {
            Some(Statement { kind: StatementKind::Block(block), .. }) if statements.is_empty() => block,
            last => Block { statements: statements.into_iter().chain(last).collect() },
        };
        self.check_first_label(&escape_block, "s unless { L: t }", "s unless { t }");
        let kind = if self.body.as_ref().is_some_and(|body| body.d_step.is_some()) {
            let message = "`unless` inside a `d_step` is no escape";
            let note = "SPIN treats it as a choice: the first part, or the second one when the first is not executable";
            self.report(Diagnostic::warning("unless-in-d-step", span, message).note(note));
            StatementKind::If(vec![main_block, escape_block])
        } else {
            StatementKind::Unless(main_block, escape_block)
        };
        sequence.push(Statement { labels, kind, span });
    }

    fn atomic(&mut self, block: &ast::Block) -> StatementKind {
        let outer = self.body.as_mut().map(|body| std::mem::replace(&mut body.atomic, true));
        let inner = self.braced(block);
        self.check_first_label(&inner, "atomic { L: ... }", "L: atomic { ... }");
        if let (Some(body), Some(outer)) = (&mut self.body, outer) {
            body.atomic = outer;
        }
        if outer == Some(true) { StatementKind::Block(inner) } else { StatementKind::Atomic(inner) }
    }

    fn d_step(&mut self, block: &ast::Block) -> StatementKind {
        let Some(body) = &mut self.body else { return StatementKind::Block(Block::default()) };
        if body.d_step.is_some() {
            let inner = self.braced(block);
            self.check_first_label(&inner, "d_step { L: ... }", "L: d_step { ... }");
            return StatementKind::Block(inner);
        }
        let atomic = std::mem::replace(&mut body.atomic, true);
        body.d_step = Some(DStepNumber(body.d_steps));
        body.d_steps += 1;
        let inner = self.braced(block);
        self.check_first_label(&inner, "d_step { L: ... }", "L: d_step { ... }");
        if let Some(body) = &mut self.body {
            body.atomic = atomic;
            body.d_step = None;
        }
        if let Some(first) = inner.statements.first()
            && let Some(Syntax::Unless(..)) = block.steps.iter().find_map(as_statement).map(|s| &s.kind)
        {
            let message = "a `d_step` cannot start with `unless`";
            self.report(Diagnostic::error("unless-in-d-step", first.span, message));
        }
        StatementKind::DStep(inner)
    }

    /// `f(a, b)` is its body in braces.
    fn call(&mut self, call: &ast::InlineCall, result: Option<ast::VariableRef>) -> StatementKind {
        call.arguments.iter().for_each(|argument| self.check_inline_argument(argument));
        if let Some(body) = &mut self.body {
            body.inlines.push(InlineFrame { name: call.name.text.clone(), result });
        }
        let block = self.braced(&call.body);
        self.check_first_label(&block, "inline f() { L: ... }", "inline f() { skip; L: ... }");
        if let Some(body) = &mut self.body {
            body.inlines.pop();
        }
        StatementKind::Block(block)
    }

    /// SPIN reads the arguments of an inline as expressions before it puts them into the text.
    fn check_inline_argument(&mut self, argument: &ast::Expr) {
        let ast::ExprKind::Variable(variable) = &argument.kind else { return };
        let [part] = &*variable.parts else { return };
        match self.names.meaning(&part.name.text) {
            Meaning::Unknown => self.beyond_spin(argument.span, "a name that is not declared yet as an argument"),
            Meaning::Variable(base) if part.index.is_none() && self.variable(base).length.is_some() => {
                self.beyond_spin(argument.span, "a whole array as an argument");
            }
            _ => {}
        }
    }

    // ------------------------------------------------------------------------------------------ basic statements

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
        // Only a plain constant is a `skip` to SPIN; a condition that was folded to one is not.
        if matches!(resolved.kind, ExprKind::Constant(1)) && self.literal(value).is_none() {
            let (one, zero) =
                (super::initialiser::constant(1, value.span), super::initialiser::constant(0, value.span));
            let kind = ExprKind::Binary(BinaryOp::NotEqual, Box::new(one), Box::new(zero));
            return StatementKind::Expression(Expr { kind, ..resolved });
        }
        StatementKind::Expression(resolved)
    }

    fn assignment(&mut self, target: &ast::VariableRef, value: &ast::Expr, span: Span) -> Option<StatementKind> {
        let value = self.expression(value);
        match self.target(target)? {
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

    /// What a `d_step` cannot do.
    fn check_d_step_statement(&mut self, kind: &StatementKind, span: Span) {
        if self.body.as_ref().is_none_or(|body| body.d_step.is_none()) {
            return;
        }
        let run = match kind {
            StatementKind::Expression(e) | StatementKind::Assert(e) | StatementKind::Discard(e) => first_run(e),
            StatementKind::Assign(_, e) => first_run(e),
            StatementKind::Printf(_, arguments) => arguments.iter().find_map(first_run),
            _ => None,
        };
        if let Some(run) = run {
            let message = "`run` inside a `d_step`";
            let error = Diagnostic::error("run-in-d-step", run, message).note("use `atomic` instead");
            self.report(if run == span { error } else { error.also(span, "in this statement") });
        }
    }
}

/// A labelled statement without its labels.
fn innermost(mut statement: &ast::Statement) -> &ast::Statement {
    while let Syntax::Labelled(_, Some(inner)) = &statement.kind {
        statement = inner;
    }
    statement
}

fn as_statement(step: &Step) -> Option<&ast::Statement> {
    match step {
        Step::Statement(statement) => Some(innermost(statement)),
        _ => None,
    }
}

/// How many `else` belong to the state before an option.
fn elses_at(option: &Block) -> usize {
    option.statements.first().map_or(0, |first| match &first.kind {
        StatementKind::Else => 1,
        StatementKind::If(options) | StatementKind::Do(options) => options.iter().map(elses_at).sum(),
        StatementKind::Block(block) | StatementKind::Atomic(block) | StatementKind::Unless(block, _) => elses_at(block),
        _ => 0,
    })
}
