//! Proctypes, `init`, never claims, traces and `ltl` properties.
//!
//! Each is read with a [`Body`]: the tables and flags that live as long as its text is read.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Resolver;
use super::label::{DStepNumber, Labels};
use super::names::Meaning;
use super::scope::Scopes;
use super::sugar::skip;
use crate::ast::{self, Name};
use crate::diagnostic::Diagnostic;
use crate::index::{DefinitionId, DefinitionKind, New};
use crate::model::visit::{Visitor, VisitorMut, walk, walk_mut};
use crate::model::{
    ActiveProcess, Base, Block, Expr, ExprKind, Formula, FormulaKind, LabelId, LocalId, LtlProperty, Owner, Place,
    PortDirection, Process, ProcessId, PropertyForm, Role, Scope, Statement, StatementKind, TraceAssertion, Variable,
};
use crate::source::Span;

/// What is known of the process being read.
pub(super) struct Body {
    pub(super) owner: Owner,
    pub(super) role: Role,
    pub(super) locals: Vec<Variable>,
    pub(super) labels: Labels,
    pub(super) exclusive: Vec<(PortDirection, Place, Span)>,
    /// No statement has been read: declared variables start with their values when the process is created.
    pub(super) at_start: bool,
    /// The open loops, each with the `d_step` that it stands in.
    pub(super) loops: Vec<Option<DStepNumber>>,
    /// Inside `atomic` or `d_step`: a further `atomic` is only a block.
    pub(super) atomic: bool,
    pub(super) d_step: Option<DStepNumber>,
    pub(super) d_steps: u32,
    /// The inlines being expanded, outermost first.
    pub(super) inlines: Vec<InlineFrame>,
    /// The hidden counter of `for (m in q)`: one for each scope.
    pub(super) counters: FxHashMap<Scope, LocalId>,
}

/// An inline being expanded.
pub(super) struct InlineFrame {
    pub(super) name: Arc<str>,
    /// Where its `return` puts the value.
    pub(super) result: Option<ast::VariableRef>,
}

impl Body {
    fn new(owner: Owner, role: Role) -> Body {
        Body {
            owner,
            role,
            locals: Vec::new(),
            labels: Labels::default(),
            exclusive: Vec::new(),
            at_start: true,
            loops: Vec::new(),
            atomic: false,
            d_step: None,
            d_steps: 0,
            inlines: Vec::new(),
            counters: FxHashMap::default(),
        }
    }

    /// The inline whose text is being read.
    pub(super) fn inline(&self) -> Option<Arc<str>> {
        self.inlines.last().map(|frame| frame.name.clone())
    }
}

impl Resolver<'_> {
    pub(super) fn proctype(&mut self, proctype: &ast::Proctype) {
        self.check_new(&proctype.name);
        let id = ProcessId(self.names.begun);
        self.names.begun += 1;
        self.begin(Owner::Process(id), Role::Proctype, self.index.process(id));
        let count = proctype.active.as_ref().map_or(0, |active| self.active_count(active));
        self.parameters(&proctype.parameters);
        let parameters = self.body.as_ref().map_or(0, |body| body.locals.len());
        let priority = self.priority(proctype.priority.as_ref(), proctype.active.is_some() && count > 0);
        let provided = proctype.provided.as_ref().map(|provided| self.provided(provided));
        let block = self.body_block(&proctype.body);
        let mut process = self.end(proctype.name.text.clone(), block, proctype.span, proctype.name.span);
        process.deterministic = proctype.deterministic;
        process.parameters = parameters;
        process.priority = priority;
        process.provided = provided;
        self.processes[id.index()] = Some(process);
        self.active.extend((0..count).map(|_| ActiveProcess { process: id }));
    }

    pub(super) fn init(&mut self, init: &ast::Init) {
        let id = ProcessId(self.names.begun);
        self.names.begun += 1;
        if let Some(first) = self.processes.iter().flatten().find(|process| process.role == Role::Init) {
            let first = first.name_span;
            let message = "a second `init`";
            let note = "SPIN starts a process for each of them";
            let span = keyword(init.span, "init");
            self.report(Diagnostic::warning("second-init", span, message).also(first, "the first").note(note));
        }
        self.begin(Owner::Process(id), Role::Init, self.index.process(id));
        let priority = self.priority(init.priority.as_ref(), true);
        let block = self.body_block(&init.body);
        let mut process = self.end(":init:".into(), block, init.span, keyword(init.span, "init"));
        process.priority = priority;
        self.processes[id.index()] = Some(process);
        self.active.push(ActiveProcess { process: id });
    }

    pub(super) fn never(&mut self, claim: &ast::Claim) {
        let number = self.model.claims.len() as u32;
        let name: Arc<str> =
            claim.name.as_ref().map_or_else(|| format!("never_{number}").into(), |name| name.text.clone());
        let span = claim.name.as_ref().map_or(keyword(claim.span, "never"), |name| name.span);
        self.check_claim_name(&name, span);
        let named = Name { text: name.clone(), span };
        let definition = self.index.define(New::plain(&named, DefinitionKind::Never, claim.span));
        self.begin(Owner::Claim(number), Role::Never, definition);
        let block = self.body_block(&claim.body);
        for local in self.body.as_ref().map_or(Vec::new(), |body| body.locals.iter().map(|l| l.span).collect()) {
            let message = "a never claim cannot have variables of its own";
            let note = "use a global variable that nothing else uses";
            self.report(Diagnostic::error("claim-variable", local, message).note(note));
        }
        let process = self.end(name, block, claim.span, span);
        self.model.claims.push(process);
    }

    pub(super) fn trace(&mut self, trace: &ast::Trace) {
        if let Some(first) = &self.model.trace {
            let first = first.process.name_span;
            let message = "a model has at most one `trace` or `notrace`";
            let span = keyword(trace.span, if trace.negated { "notrace" } else { "trace" });
            self.report(Diagnostic::error("second-trace", span, message).also(first, "the first"));
        }
        self.check_events(&trace.body);
        let name = if trace.negated { ":notrace:" } else { ":trace:" };
        let word = name.trim_matches(':');
        let named = Name { text: word.into(), span: keyword(trace.span, word) };
        let definition = self.index.define(New::plain(&named, DefinitionKind::Trace, trace.span));
        self.begin(Owner::Trace, Role::Trace, definition);
        let block = self.body_block(&trace.body);
        let process = self.end(name.into(), block, trace.span, named.span);
        self.model.trace = Some(TraceAssertion { negated: trace.negated, process });
    }

    pub(super) fn ltl(&mut self, property: &ast::LtlProperty) {
        let name = match &property.name {
            Some(name) => name.text.clone(),
            None => {
                self.unnamed_ltl += 1;
                format!("ltl_{}", self.unnamed_ltl - 1).into()
            }
        };
        let span = property.name.as_ref().map_or(keyword(property.span, "ltl"), |name| name.span);
        if let Some(name) = &property.name
            && matches!(
                self.names.meaning(&name.text),
                Meaning::Proctype(_) | Meaning::Typedef(_) | Meaning::Mtype(..) | Meaning::Inline
            )
        {
            self.check_new(name);
        }
        self.check_claim_name(&name, span);
        let named = Name { text: name.clone(), span };
        self.index.define(New::plain(&named, DefinitionKind::Ltl, property.span));
        let formula = self.formula(&property.formula);
        // The name of a formula that was given by itself stands nowhere.
        let form = if span == property.span { PropertyForm::Formula } else { PropertyForm::Block };
        self.model.ltl.push(LtlProperty { name, formula, form, span: property.span });
    }

    /// SPIN refuses two claims of one name only when one follows the other; with another between, the first is meant.
    fn check_claim_name(&mut self, name: &Arc<str>, span: Span) {
        let number = self.model.claims.len() + self.model.ltl.len();
        match self.properties.insert(name.clone(), (number, span)) {
            None => {}
            Some((other, first)) => {
                let message = format!("two properties are called `{name}`");
                let diagnostic = if other + 1 == number {
                    Diagnostic::error("redefined-property", span, message)
                } else {
                    Diagnostic::warning("redefined-property", span, message)
                };
                self.report(diagnostic.also(first, "the other one"));
            }
        }
    }

    fn begin(&mut self, owner: Owner, role: Role, definition: DefinitionId) {
        self.index.begin_body(owner, definition);
        self.body = Some(Body::new(owner, role));
        self.names.scopes = Some(Scopes::new());
    }

    fn end(&mut self, name: Arc<str>, mut block: Block, span: Span, name_span: Span) -> Process {
        let Some(body) = self.body.take() else { unreachable!("`begin` made it") };
        self.names.scopes = None;
        self.connect_jumps(&mut block, &body);
        self.index.end_body();
        let end_span = Span { start: span.end.saturating_sub(1).max(span.start), ..span };
        Process {
            name,
            role: body.role,
            deterministic: false,
            locals: body.locals,
            parameters: 0,
            priority: 1,
            provided: None,
            labels: body.labels.table,
            exclusive: body.exclusive,
            body: block,
            span,
            name_span,
            end_span,
        }
    }

    /// Gives every `goto` its label, now that all are known.
    fn connect_jumps(&mut self, block: &mut Block, body: &Body) {
        let mut targets = Vec::with_capacity(body.labels.jumps.len());
        for jump in &body.labels.jumps {
            let name = &jump.label.text;
            match body.labels.target(jump) {
                None => {
                    let message = format!("no label `{name}` in this process");
                    let candidates = body.labels.table.iter().map(|label| &*label.name);
                    let mut error = Diagnostic::error("unknown-label", jump.label.span, message);
                    if let Some(similar) = super::names::closest(name, candidates) {
                        error = error.suggest("a label with a similar name exists", jump.label.span, similar);
                    }
                    self.report(error);
                    targets.push(None);
                }
                Some(target) => {
                    if target.d_step != jump.d_step {
                        let direction = if jump.d_step.is_some() { "out of" } else { "into" };
                        let message = format!("`goto {name}` jumps {direction} a `d_step`");
                        let at = body.labels.table[target.id.index()].span;
                        let note = "a `d_step` is one step, entered at its start and left at its end";
                        let error = Diagnostic::error("jump-across-d-step", jump.label.span, message);
                        self.report(error.also(at, "the label").note(note));
                    }
                    self.index.used_label(jump.label.span, target.id);
                    targets.push(Some(target.id));
                }
            }
        }
        walk_mut::block(&mut ConnectJumps(&targets), block);
    }

    fn active_count(&mut self, active: &ast::Active) -> usize {
        let Some(count) = &active.count else { return 1 };
        let value = match self.bare_variable(count) {
            Some((base, name)) => match self.number_of(base, &name) {
                Some(value) => Some(value),
                None if matches!(self.variable(base).initial, crate::model::Initial::Zero) => Some(0),
                None => {
                    let message = "the number of processes must be a constant";
                    self.report(Diagnostic::error("not-constant", count.span, message));
                    None
                }
            },
            None => self.constant_expression(count, "the number of processes"),
        };
        match value {
            Some(value @ 1..=255) => value as usize,
            Some(value) if value > 255 => {
                let message = format!("{value} processes: at most 255 can run at a time");
                self.report(Diagnostic::error("too-many-processes", count.span, message));
                0
            }
            Some(value) => {
                let message = format!("`active [{value}]` starts no process");
                self.report(Diagnostic::warning("no-active-process", count.span, message));
                0
            }
            None => 0,
        }
    }

    fn priority(&mut self, priority: Option<&ast::Expr>, starts: bool) -> i32 {
        let Some(expression) = priority else { return 1 };
        self.model.features.priorities = true;
        let Some(value) = self.constant_expression(expression, "a priority") else { return 1 };
        if !(1..=255).contains(&value) && starts {
            let message = format!("a priority of {value}: it must be from 1 to 255");
            self.report(Diagnostic::error("bad-priority", expression.span, message));
        } else if !starts {
            let message = "this priority has no effect";
            let note = "only processes of the initial state get it; write `run P() priority n` for the others";
            self.report(Diagnostic::warning("unused-priority", expression.span, message).note(note));
        }
        value
    }

    /// A `provided` clause sees globals, and parameters in indices: the body's variables are not declared yet.
    fn provided(&mut self, expression: &ast::Expr) -> Expr {
        self.model.features.provided = true;
        let resolved = self.expression(expression);
        let mut check = ProvidedCheck::default();
        check.expression(&resolved);
        for (span, what) in check.problems {
            let message = format!("a `provided` clause cannot use {what}");
            self.report(Diagnostic::error("bad-provided", span, message));
        }
        resolved
    }

    fn formula(&mut self, formula: &ast::Formula) -> Formula {
        use crate::ast::FormulaKind as Syntax;
        let kind = match &formula.kind {
            Syntax::Atom(atom) => {
                let resolved = self.expression(atom);
                if let Some(span) = super::initialiser::first_run(&resolved) {
                    self.report(Diagnostic::error("run-in-formula", span, "a formula cannot start a process"));
                }
                FormulaKind::Atom(resolved)
            }
            Syntax::Not(f) => FormulaKind::Not(Box::new(self.formula(f))),
            Syntax::Next(f) => FormulaKind::Next(Box::new(self.formula(f))),
            Syntax::Always(f) => FormulaKind::Always(Box::new(self.formula(f))),
            Syntax::Eventually(f) => FormulaKind::Eventually(Box::new(self.formula(f))),
            Syntax::And(f, g) => self.formula_pair(f, g, FormulaKind::And),
            Syntax::Or(f, g) => self.formula_pair(f, g, FormulaKind::Or),
            Syntax::Implies(f, g) => self.formula_pair(f, g, FormulaKind::Implies),
            Syntax::Equivalent(f, g) => self.formula_pair(f, g, FormulaKind::Equivalent),
            Syntax::Until(f, g) => self.formula_pair(f, g, FormulaKind::Until),
            Syntax::WeakUntil(f, g) => self.formula_pair(f, g, FormulaKind::WeakUntil),
            Syntax::Release(f, g) => self.formula_pair(f, g, FormulaKind::Release),
        };
        Formula { kind, span: formula.span }
    }

    fn formula_pair(
        &mut self,
        f: &ast::Formula,
        g: &ast::Formula,
        make: impl FnOnce(Box<Formula>, Box<Formula>) -> FormulaKind,
    ) -> FormulaKind {
        let f = Box::new(self.formula(f));
        let g = Box::new(self.formula(g));
        make(f, g)
    }
}

/// The keyword that a definition starts with.
pub(super) fn keyword(span: Span, word: &str) -> Span {
    Span { end: (span.start + word.len() as u32).min(span.end), ..span }
}

/// Replaces the numbers of jumps by labels, and jumps to nowhere by `skip`.
struct ConnectJumps<'t>(&'t [Option<LabelId>]);

impl VisitorMut for ConnectJumps<'_> {
    fn statement(&mut self, statement: &mut Statement) {
        if let StatementKind::Goto(jump) = &mut statement.kind {
            match self.0[jump.index()] {
                Some(label) => *jump = label,
                None => statement.kind = skip(statement.span).kind,
            }
        }
        walk_mut::statement(self, statement);
    }
}

/// Collects what a `provided` clause may not hold. Parameters may stand in indices, as SPIN has it.
#[derive(Default)]
struct ProvidedCheck {
    problems: Vec<(Span, &'static str)>,
    inside_index: bool,
}

impl<'m> Visitor<'m> for ProvidedCheck {
    fn expression(&mut self, expression: &Expr) {
        let problem = match &expression.kind {
            ExprKind::Run(_) => Some("`run`"),
            ExprKind::RemoteLabel(_) | ExprKind::RemoteVariable(_) => Some("remote references"),
            _ => None,
        };
        self.problems.extend(problem.map(|what| (expression.span, what)));
        walk::expression(self, expression);
    }

    fn place(&mut self, place: &Place, _: crate::model::visit::Access) {
        if matches!(place.base, Base::Local(_)) && !self.inside_index {
            self.problems.push((place.span, "a parameter outside an index"));
        }
        let outside = std::mem::replace(&mut self.inside_index, true);
        walk::place(self, place);
        self.inside_index = outside;
    }
}
