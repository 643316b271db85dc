//! Control flow: labels and jumps, selections and loops, `unless`, `atomic`, `d_step`, uses of inlines.
//!
//! Options, steps and labels stay in the order and place of the text. What SPIN rearranges (`else` tried last, skips
//! dropped, skips added before labelled jumps) shows in its state numbers, so it is left to whoever numbers the states.

use super::Resolver;
use super::label::{DStepNumber, Jump};
use super::names::Meaning;
use super::process::InlineFrame;
use super::scope::Symbol;
use super::statement::Sequence;
use super::sugar::skip;
use crate::ast::{self, Name, StatementKind as Syntax, Step};
use crate::diagnostic::Diagnostic;
use crate::model::visit::{Visitor, walk};
use crate::model::{Block, Expr, ExprKind, LabelId, Predefined, Scope, Statement, StatementKind};
use crate::source::Span;

impl Resolver<'_> {
    /// `A: B: s`
    pub(super) fn labelled(&mut self, mut statement: &ast::Statement, sequence: &mut Sequence) {
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
        labels.append(&mut sequence[carrier].labels);
        sequence[carrier].labels = labels;
    }

    fn define_label(&mut self, name: &Name) -> Option<LabelId> {
        let scope = self.mention_label(name)?;
        self.index.add_label(name);
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
                if let Some((taken, at)) = self.taken(name)
                    && self.names.refused.insert(name.text.clone())
                {
                    let message = format!("`{}` is {taken}, so it cannot be a label", name.text);
                    let error = Diagnostic::error("bad-label", name.span, message);
                    self.report(if let Some(at) = at { error.also(at, "declared here") } else { error });
                }
                return None;
            }
        }
        let scopes = self.names.scopes.as_mut()?;
        let scope = scopes.path().clone();
        scopes.declare(&name.text, Symbol::Label(scope.clone()));
        Some(scope)
    }

    pub(super) fn goto(&mut self, label: &Name) -> Option<StatementKind> {
        let scope = self.mention_label(label)?;
        let body = self.body.as_mut()?;
        let jump = Jump { label: label.clone(), scope, d_step: body.d_step };
        Some(StatementKind::Goto(body.labels.jump(jump)))
    }

    pub(super) fn break_statement(&mut self, span: Span) -> Option<StatementKind> {
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

    /// SPIN has no state to attach such a label to, unless it is a loop that is labelled.
    pub(super) fn check_first_label(&mut self, block: &Block, instead_of: &str, write: &str) {
        let Some(first) = block.statements.first() else { return };
        let Some(label) = first.labels.first() else { return };
        if matches!(first.kind, StatementKind::Do(_)) {
            return;
        }
        let Some(body) = &self.body else { return };
        let span = body.labels.table[label.index()].span;
        let message = "a label cannot stand first in a block";
        let note = format!("instead of `{instead_of}` write `{write}`");
        self.report(Diagnostic::error("label-first", span, message).note(note));
    }

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

    pub(super) fn options(&mut self, options: &[ast::Block], span: Span) -> Vec<Block> {
        self.no_longer_at_start();
        let mut blocks = Vec::with_capacity(options.len());
        for option in options {
            let mut statements = Sequence::new();
            self.steps(&option.steps, &mut statements);
            self.check_not_empty(option);
            blocks.push(Block { statements });
        }
        self.check_elses(&blocks, span);
        blocks
    }

    /// A state has one `else` at most.
    fn check_elses(&mut self, options: &[Block], span: Span) {
        let mut elses = options.iter().filter_map(Block::leading_else);
        if let (Some(first), Some(second)) = (elses.next(), elses.next()) {
            let (first, second) = (first.span, second.span);
            let message = "a second `else` in the same selection";
            self.report(Diagnostic::error("duplicate-else", second, message).also(first, "the first"));
        } else if self.body.as_ref().is_some_and(|body| body.d_step.is_none())
            && options.iter().map(|option| elses_at(option).len()).sum::<usize>() > 1
            && options.iter().all(|option| elses_at(option).len() <= 1)
        {
            let mut elses = options.iter().flat_map(elses_at);
            let (first, second) = (elses.next().unwrap_or(span), elses.next().unwrap_or(span));
            let message = "two `else` compete for the same state";
            let note = "an `if` or `do` at the start of an option is part of the choice around it, with its own `else`";
            self.report(Diagnostic::error("duplicate-else", second, message).also(first, "the other one").note(note));
        }
    }

    pub(super) fn unless(
        &mut self,
        main: &ast::Statement,
        escape: &ast::Statement,
        span: Span,
        sequence: &mut Sequence,
    ) {
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

    pub(super) fn atomic(&mut self, block: &ast::Block) -> StatementKind {
        let outer = self.body.as_mut().map(|body| std::mem::replace(&mut body.atomic, true));
        let inner = self.braced(block);
        self.check_first_label(&inner, "atomic { L: ... }", "L: atomic { ... }");
        if let (Some(body), Some(outer)) = (&mut self.body, outer) {
            body.atomic = outer;
        }
        if outer == Some(true) { StatementKind::Block(inner) } else { StatementKind::Atomic(inner) }
    }

    pub(super) fn d_step(&mut self, block: &ast::Block) -> StatementKind {
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
        let mut runs = Runs(Vec::new());
        walk::block(&mut runs, &inner);
        for run in runs.0 {
            let message = "`run` inside a `d_step`";
            self.report(Diagnostic::error("run-in-d-step", run, message).note("use `atomic` instead"));
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
    pub(super) fn call(&mut self, call: &ast::InlineCall, result: Option<ast::VariableRef>) -> StatementKind {
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
        let meaning = self.names.meaning(&part.name.text);
        self.note_use(&part.name, meaning);
        match meaning {
            Meaning::Unknown => self.beyond_spin(argument.span, "a name that is not declared yet as an argument"),
            Meaning::Variable(base) if part.index.is_none() && self.variable(base).length.is_some() => {
                self.beyond_spin(argument.span, "a whole array as an argument");
            }
            _ => {}
        }
    }
}

/// Collects every `run`.
struct Runs(Vec<Span>);

impl<'m> Visitor<'m> for Runs {
    fn expression(&mut self, expression: &Expr) {
        if matches!(expression.kind, ExprKind::Run(_)) {
            self.0.push(expression.span);
        }
        walk::expression(self, expression);
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

/// The `else`s that belong to the state before an option.
fn elses_at(option: &Block) -> Vec<Span> {
    let Some(first) = option.statements.first() else { return Vec::new() };
    match &first.kind {
        StatementKind::Else => vec![first.span],
        StatementKind::If(options) | StatementKind::Do(options) => options.iter().flat_map(elses_at).collect(),
        StatementKind::Block(block) | StatementKind::Atomic(block) | StatementKind::Unless(block, _) => elses_at(block),
        _ => Vec::new(),
    }
}
