//! References into other processes: `P[e]@L` and `P[e]:x`.
//!
//! The process may stand further down, and so may its labels and variables, so such a reference is only noted when it is
//! read: its label or variable holds the number of the note. [`Resolver::connect_remotes`] puts the real ones in when all
//! processes are known.

use super::Resolver;
use super::names::Meaning;
use crate::ast::{self, Name, VariableRef};
use crate::diagnostic::Diagnostic;
use crate::index::Member;
use crate::model::visit::{VisitorMut, walk_mut};
use crate::model::{
    Base, Expr, ExprKind, FieldStep, LabelId, LocalId, Owner, Place, ProcessId, RemoteLabel, RemoteVariable, Type,
};
use crate::source::Span;

/// A reference to be connected.
pub(super) struct PendingRemote {
    process: ProcessId,
    wanted: Wanted,
    span: Span,
}

enum Wanted {
    Label(Name),
    /// The variable and its fields, each with its index.
    Variable(Vec<(Name, Option<Expr>)>),
}

/// What a reference turned out to mean.
enum Connected {
    Label(LabelId),
    Place(Place),
    /// Nothing; it has been reported.
    Nothing,
}

impl Resolver<'_> {
    pub(super) fn remote_label(&mut self, remote: &ast::RemoteLabel) -> ExprKind {
        let pid = remote.pid.as_ref().map(|pid| self.expression(pid));
        let Some(process) = self.remote_process(&remote.proctype) else { return ExprKind::Constant(0) };
        self.model.features.remote_labels = true;
        self.warn_in_d_step(remote.proctype.span);
        let own = self.body.as_ref().filter(|body| body.owner == Owner::Process(process));
        if own.is_some_and(|body| body.labels.first(&remote.label.text).is_none()) {
            self.beyond_spin(remote.label.span, "a label of the same proctype that stands further down");
        }
        let label = LabelId(self.remotes.len() as u32);
        let wanted = Wanted::Label(remote.label.clone());
        self.remotes.push(PendingRemote { process, wanted, span: remote.label.span });
        ExprKind::RemoteLabel(Box::new(RemoteLabel { process, pid, label }))
    }

    pub(super) fn remote_variable(&mut self, remote: &ast::RemoteVariable, span: Span) -> ExprKind {
        let pid = remote.pid.as_ref().map(|pid| self.expression(pid));
        let Some(process) = self.remote_process(&remote.proctype) else { return ExprKind::Constant(0) };
        let name = remote.variable.parts.first().map_or("", |part| &*part.name.text);
        match (name, pid) {
            // The process' own number is the one it was asked with.
            ("_pid", Some(pid)) => pid.kind,
            ("_p", Some(pid)) => {
                self.model.features.pc_value = true;
                ExprKind::PcValue(Box::new(pid))
            }
            (_, pid) => {
                self.model.features.remote_variables = true;
                self.warn_in_d_step(span);
                let place = self.pending_place(process, &remote.variable);
                ExprKind::RemoteVariable(Box::new(RemoteVariable { process, pid, place }))
            }
        }
    }

    fn pending_place(&mut self, process: ProcessId, variable: &VariableRef) -> Place {
        let parts = variable.parts.iter();
        let parts =
            parts.map(|part| (part.name.clone(), part.index.as_ref().map(|index| self.expression(index)))).collect();
        let base = Base::Local(LocalId(self.remotes.len() as u32));
        let span = variable.span;
        self.remotes.push(PendingRemote { process, wanted: Wanted::Variable(parts), span });
        Place { base, owner: None, index: None, fields: Vec::new(), ty: Type::Byte, span }
    }

    fn remote_process(&mut self, name: &Name) -> Option<ProcessId> {
        // The parser warns about one that stands further down.
        let later = self.names.proctypes.get(&name.text).copied();
        let found = match self.names.meaning(&name.text) {
            Meaning::Proctype(id) => Some(id),
            _ => later,
        };
        match found {
            Some(id) => self.index.used_process(name.span, id),
            None => {
                let message = format!("no proctype is called `{}`", name.text);
                self.report(Diagnostic::error("unknown-proctype", name.span, message));
            }
        }
        found
    }

    fn warn_in_d_step(&mut self, span: Span) {
        if self.body.as_ref().is_some_and(|body| body.d_step.is_some()) {
            self.beyond_spin(span, "most references into other processes inside a `d_step`");
        }
    }

    /// Gives every remote reference its label or variable.
    pub(super) fn connect_remotes(&mut self) {
        let pending = std::mem::take(&mut self.remotes);
        if pending.is_empty() {
            return;
        }
        let mut connected = Connect(pending.into_iter().map(|remote| self.connect(remote)).collect());
        for process in self.processes.iter_mut().flatten() {
            walk_mut::process(&mut connected, process);
        }
        walk_mut::model(&mut connected, &mut self.model);
    }

    fn connect(&mut self, remote: PendingRemote) -> Connected {
        let Some(process) = &mut self.processes[remote.process.index()] else { return Connected::Nothing };
        match remote.wanted {
            Wanted::Label(name) => {
                // The first of that name is meant.
                let Some(position) = process.labels.iter().position(|label| label.name == name.text) else {
                    let message = format!("proctype `{}` has no label `{}`", process.name, name.text);
                    self.report(Diagnostic::error("unknown-label", name.span, message));
                    return Connected::Nothing;
                };
                process.labels[position].remote = true;
                let label = LabelId(position as u32);
                self.index.used_member(name.span, remote.process, Member::Label(label));
                Connected::Label(label)
            }
            Wanted::Variable(parts) => match self.remote_place(remote.process, parts, remote.span) {
                Some(place) => Connected::Place(place),
                None => Connected::Nothing,
            },
        }
    }

    fn remote_place(&mut self, process: ProcessId, parts: Vec<(Name, Option<Expr>)>, span: Span) -> Option<Place> {
        let locals = &self.processes[process.index()].as_ref()?.locals;
        let mut parts = parts.into_iter();
        let (name, index) = parts.next()?;
        let Some(position) = locals.iter().position(|local| local.name == name.text && local.scope.is_empty()) else {
            let inner = locals.iter().find(|local| local.name == name.text).map(|local| local.span);
            let message = format!("no variable `{}` of that proctype can be read from here", name.text);
            let mut error = Diagnostic::error("unknown-remote-variable", name.span, message);
            if let Some(span) = inner {
                error = error.also(span, "variables of inner blocks cannot be read from outside");
            }
            self.report(error);
            return None;
        };
        let (ty, length) = (locals[position].ty, locals[position].length);
        self.index.used_member(name.span, process, Member::Local(LocalId(position as u32)));
        let index = self.remote_index(&name, index, length, span)?;
        let base = Base::Local(LocalId(position as u32));
        let mut place = Place { base, owner: None, index, fields: Vec::new(), ty, span };
        for (name, index) in parts {
            let (field, ty, length) = self.field_named(place.ty, &name)?;
            let index = self.remote_index(&name, index, length, span)?;
            place.fields.push(FieldStep { field, index });
            place.ty = ty;
        }
        if matches!(place.ty, Type::Structure(_)) {
            self.whole_structure(&name.text, span);
            return None;
        }
        Some(place)
    }

    /// Outer `None` after a report, inner `None` for a scalar.
    #[expect(clippy::option_option, reason = "a missing index and a reported one are different things")]
    fn remote_index(
        &mut self,
        name: &Name,
        index: Option<Expr>,
        length: Option<u32>,
        span: Span,
    ) -> Option<Option<Box<Expr>>> {
        match (index, length) {
            (Some(index), Some(_)) => Some(Some(Box::new(index))),
            (None, None) => Some(None),
            (None, Some(_)) => {
                let message = format!("array `{}` without an index", name.text);
                let note = "SPIN reads its element 0";
                self.report(Diagnostic::warning("remote-array", span, message).note(note));
                Some(Some(Box::new(super::initialiser::constant(0, span))))
            }
            (Some(index), None) => {
                let message = format!("`{}` is no array", name.text);
                self.report(Diagnostic::error("index-of-scalar", index.span, message));
                None
            }
        }
    }
}

/// Replaces the numbers of notes by labels and places, and references to nothing by a zero.
struct Connect(Vec<Connected>);

impl VisitorMut for Connect {
    fn expression(&mut self, expression: &mut Expr) {
        match &mut expression.kind {
            ExprKind::RemoteLabel(remote) => match self.0[remote.label.index()] {
                Connected::Label(label) => remote.label = label,
                _ => expression.kind = ExprKind::Constant(0),
            },
            ExprKind::RemoteVariable(remote) => {
                if let Base::Local(note) = remote.place.base {
                    let Connected::Place(place) = &self.0[note.index()] else {
                        expression.kind = ExprKind::Constant(0);
                        return;
                    };
                    remote.place = place.clone();
                }
                // Its indices may hold further references; the place itself is connected.
                let RemoteVariable { pid, place, .. } = &mut **remote;
                if let Some(pid) = pid {
                    self.expression(pid);
                }
                walk_mut::place(self, place);
                return;
            }
            _ => {}
        }
        walk_mut::expression(self, expression);
    }
}
