//! How often each variable is used, and how: what the rules about unused things ask for.

use rustc_hash::FxHashMap;

use super::code::{Code, PlaceAt};
use crate::model::visit::Access;
use crate::model::{Array, Base, ExprKind, Model, Owner, ProcessId};
use crate::resolve::IndexHint;

/// How a variable is used; the numbers are counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Uses {
    pub(super) reads: u32,
    pub(super) writes: u32,
    pub(super) sends: u32,
    pub(super) receives: u32,
    pub(super) probes: u32,
}

/// The uses of all variables, and which proctypes are started.
#[derive(Debug, Default)]
pub(super) struct Usage {
    uses: FxHashMap<(Option<Owner>, Base), Uses>,
    started: Vec<bool>,
}

impl Usage {
    pub(super) fn of(model: &Model, code: &Code<'_>, hints: &[IndexHint]) -> Usage {
        let mut usage = Usage { uses: FxHashMap::default(), started: vec![false; model.processes.len()] };
        for active in &model.active {
            usage.started[active.process.index()] = true;
        }
        for PlaceAt { owner, access, declaration, place } in &code.places {
            if !declaration {
                usage.count(*owner, place.base, *access);
            }
        }
        for at in &code.expressions {
            match &at.expression.kind {
                ExprKind::Run(run) => usage.started[run.process.index()] = true,
                ExprKind::RemoteVariable(remote) => {
                    usage.count(Owner::Process(remote.process), remote.place.base, Access::Read);
                }
                _ => {}
            }
        }
        for (owner, process) in model.owners() {
            for (_, place, _) in &process.exclusive {
                usage.count(owner, place.base, Access::Probe);
            }
        }
        for hint in hints {
            // `for (i in a)` uses the length of `a`.
            match hint.array {
                Array::Global(id) => usage.count(hint.owner, Base::Global(id), Access::Read),
                Array::Local(owner, id) => usage.count(owner, Base::Local(id), Access::Read),
                Array::Field(..) => {}
            }
        }
        usage
    }

    fn count(&mut self, owner: Owner, base: Base, access: Access) {
        let (owner, base) = match base {
            Base::Local(_) => (Some(owner), base),
            Base::Global(_) => (None, base),
            Base::Public(process, id) => (Some(Owner::Process(process)), Base::Local(id)),
        };
        let uses = self.uses.entry((owner, base)).or_default();
        match access {
            Access::Read | Access::Print => uses.reads += 1,
            Access::Write | Access::Bind => uses.writes += 1,
            Access::Send => uses.sends += 1,
            Access::Receive => uses.receives += 1,
            Access::Probe => uses.probes += 1,
        }
    }

    /// The uses of a variable of a process, or of a global.
    pub(super) fn uses(&self, owner: Owner, base: Base) -> Uses {
        let owner = matches!(base, Base::Local(_)).then_some(owner);
        self.uses.get(&(owner, base)).copied().unwrap_or_default()
    }

    /// Whether processes of a proctype are ever started.
    pub(super) fn is_started(&self, process: ProcessId) -> bool {
        self.started[process.index()]
    }
}
