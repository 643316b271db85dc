//! How often each variable is used, and how: what the rules about unused things ask for.

use rustc_hash::FxHashMap;

use crate::model::visit::{Access, Visitor, walk};
use crate::model::{Array, Base, Expr, ExprKind, Model, Owner, Place, ProcessId, Statement, StatementKind};
use crate::resolve::IndexHint;
use crate::source::Span;

/// How a variable is used; the numbers are counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Uses {
    pub(crate) reads: u32,
    pub(crate) writes: u32,
    pub(crate) sends: u32,
    pub(crate) receives: u32,
    pub(crate) probes: u32,
}

/// The uses of all variables, and which proctypes are started.
#[derive(Debug, Default)]
pub(crate) struct Usage {
    uses: FxHashMap<(Option<Owner>, Base), Uses>,
    started: Vec<bool>,
}

impl Usage {
    pub(crate) fn of(model: &Model, hints: &[IndexHint]) -> Usage {
        let usage = Usage { uses: FxHashMap::default(), started: vec![false; model.processes.len()] };
        let mut counter = Counter { model, usage, owner: Owner::Trace };
        for active in &model.active {
            counter.usage.started[active.process.index()] = true;
        }
        for variable in &model.globals {
            walk::initial(&mut counter, &variable.initial);
        }
        for property in &model.ltl {
            walk::formula(&mut counter, &property.formula);
        }
        for (owner, process) in model.owners() {
            counter.owner = owner;
            walk::process(&mut counter, process);
            for (_, place, _) in &process.exclusive {
                counter.place(place, Access::Probe);
            }
        }
        for hint in hints {
            // `for (i in a)` uses the length of `a`.
            match hint.array {
                Array::Global(id) => counter.count(hint.owner, Base::Global(id), Access::Read),
                Array::Local(owner, id) => counter.count(owner, Base::Local(id), Access::Read),
                Array::Field(..) => {}
            }
        }
        counter.usage
    }

    /// The uses of a variable of a process, or of a global.
    pub(crate) fn uses(&self, owner: Owner, base: Base) -> Uses {
        let owner = matches!(base, Base::Local(_)).then_some(owner);
        self.uses.get(&(owner, base)).copied().unwrap_or_default()
    }

    /// Whether processes of a proctype are ever started.
    pub(crate) fn is_started(&self, process: ProcessId) -> bool {
        self.started[process.index()]
    }
}

struct Counter<'m> {
    model: &'m Model,
    usage: Usage,
    owner: Owner,
}

impl Counter<'_> {
    fn count(&mut self, owner: Owner, base: Base, access: Access) {
        let (owner, base) = match base {
            Base::Local(_) => (Some(owner), base),
            Base::Global(_) => (None, base),
            Base::Public(process, id) => (Some(Owner::Process(process)), Base::Local(id)),
        };
        let uses = self.usage.uses.entry((owner, base)).or_default();
        match access {
            Access::Read | Access::Print => uses.reads += 1,
            Access::Write | Access::Bind => uses.writes += 1,
            Access::Send => uses.sends += 1,
            Access::Receive => uses.receives += 1,
            Access::Probe => uses.probes += 1,
        }
    }

    /// Whether a statement only stands for the declaration of the variable it assigns.
    fn is_declaration(&self, place: &Place, span: Span) -> bool {
        self.model.variable(place.base, self.owner).is_some_and(|variable| variable.span == span)
    }
}

impl Visitor for Counter<'_> {
    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Assign(place, value) if self.is_declaration(place, statement.span) => {
                self.expression(value);
            }
            _ => walk::statement(self, statement),
        }
    }

    fn expression(&mut self, expression: &Expr) {
        match &expression.kind {
            ExprKind::Run(run) => self.usage.started[run.process.index()] = true,
            ExprKind::RemoteVariable(remote) => {
                self.count(Owner::Process(remote.process), remote.place.base, Access::Read);
            }
            _ => {}
        }
        walk::expression(self, expression);
    }

    fn place(&mut self, place: &Place, access: Access) {
        self.count(self.owner, place.base, access);
        walk::place(self, place);
    }
}
