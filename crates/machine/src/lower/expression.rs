//! Expressions and places: names replaced by where their values lie.

use promela::model::{self, Base, ExprKind, Model, Predefined, Process, ReceiveArgument};

use super::cells::{Changing, Leaves, field_path};
use crate::action::{Field, Receive, Send};
use crate::embedded::{Piece, PieceKind};
use crate::expression::{At, ChannelRef, Expr, Index, Owner, Place, Poll, Run};
use crate::id::{CodeId, DefinitionId, Location};
use crate::layout::Area;

/// What is known of a definition before its body is lowered.
pub struct Frame {
    /// Its locals and channels.
    pub area: Area,
    /// The cells of each local.
    pub leaves: Vec<Leaves>,
    /// Which of its channel variables never change.
    pub changing: Changing,
}

/// Everything that turns a name into a place.
pub struct Context<'a> {
    pub model: &'a Model,
    pub globals: &'a Frame,
    /// The frames of all definitions.
    pub frames: &'a [Frame],
    /// The frame of the process whose text is lowered; claims and formulas have none.
    pub own: Option<&'a Frame>,
    /// That process.
    pub process: Option<&'a Process>,
    /// The location of each label of each definition.
    pub labels: &'a [Vec<Option<Location>>],
    /// Its definition, if it is not a claim or trace.
    pub definition: Option<DefinitionId>,
    /// Pieces of embedded C that were met so far.
    pub code: &'a std::cell::RefCell<Vec<Piece>>,
}

impl Context<'_> {
    pub fn expr(&self, expr: &model::Expr) -> Expr {
        match &expr.kind {
            ExprKind::Constant(value) => Expr::Constant(*value),
            ExprKind::Read(place) => Expr::Load(self.place(place)),
            // A reference to a process is its number.
            ExprKind::Predefined(Predefined::LocalNumber) => Expr::Predefined(Predefined::Pid),
            ExprKind::Predefined(which) => Expr::Predefined(*which),
            ExprKind::Unary(op, operand) => Expr::Unary(*op, Box::new(self.expr(operand))),
            ExprKind::Binary(op, left, right) => {
                Expr::Binary(*op, Box::new(self.expr(left)), Box::new(self.expr(right)), expr.span)
            }
            ExprKind::Conditional(condition, yes, no) => {
                Expr::Conditional(Box::new(self.expr(condition)), Box::new(self.expr(yes)), Box::new(self.expr(no)))
            }
            ExprKind::Probe(probe, channel) => Expr::Probe(*probe, self.channel(channel)),
            ExprKind::Poll(receive) => Expr::Poll(Box::new(self.poll(receive, expr.span))),
            ExprKind::Run(run) => Expr::Run(Box::new(Run {
                definition: DefinitionId(run.process.0),
                arguments: run.arguments.iter().map(|argument| self.expr(argument)).collect(),
                priority: run.priority.as_ref().map(|priority| self.expr(priority)),
                span: expr.span,
            })),
            ExprKind::RemoteLabel(remote) => Expr::At(Box::new(At {
                definition: DefinitionId(remote.process.0),
                pid: remote.pid.as_ref().map(|pid| self.expr(pid)),
                location: self.labels[remote.process.index()][remote.label.index()].unwrap_or(Location(0)),
                span: expr.span,
            })),
            ExprKind::RemoteVariable(remote) => {
                let definition = DefinitionId(remote.process.0);
                let pid = remote.pid.as_ref().map(|pid| Box::new(self.expr(pid)));
                let Base::Local(local) = remote.place.base else {
                    unreachable!("a remote variable is a local of its process")
                };
                let frame = &self.frames[remote.process.index()];
                Expr::Remote(self.resolve(
                    &remote.place,
                    Owner::Remote(definition, pid),
                    frame,
                    &frame.leaves[local.index()],
                ))
            }
            ExprKind::Timeout => Expr::Timeout,
            ExprKind::Enabled(pid) => Expr::Enabled(Box::new(self.expr(pid))),
            ExprKind::PcValue(pid) => Expr::LocationOf(Box::new(self.expr(pid))),
            ExprKind::GetPriority(pid) => Expr::PriorityOf(Box::new(self.expr(pid))),
            ExprKind::CExpr(text) => Expr::Code(self.code(text, PieceKind::Expression)),
            ExprKind::AnyRef(process) => Expr::AnyReference(DefinitionId(process.0), 0),
            ExprKind::UndefinedRef => Expr::Constant(crate::UNDEFINED_REFERENCE),
        }
    }

    pub fn place(&self, place: &model::Place) -> Place {
        let own = || self.own.expect("only processes have locals");
        match place.base {
            Base::Global(id) => self.resolve(place, Owner::Global, self.globals, &self.globals.leaves[id.index()]),
            Base::Local(id) => self.resolve(place, Owner::Own, own(), &own().leaves[id.index()]),
            Base::Public(process, id) => {
                let frame = &self.frames[process.index()];
                let reference = place.owner.as_ref().map(|owner| Box::new(self.expr(owner)));
                self.resolve(place, Owner::Remote(DefinitionId(process.0), reference), frame, &frame.leaves[id.index()])
            }
        }
    }

    fn resolve(&self, place: &model::Place, owner: Owner, frame: &Frame, leaves: &Leaves) -> Place {
        let cells = leaves.at(&field_path(place));
        let given = std::iter::once(&place.index).chain(place.fields.iter().map(|step| &step.index));
        let mut indices = Vec::new();
        for (part, index) in frame.area.cells(cells).path.iter().zip(given) {
            if let Some(length) = part.length {
                let index = index.as_ref().map_or(Expr::Constant(0), |index| self.expr(index));
                indices.push((index, length));
            }
        }
        Place { owner, cells, index: fold_index(indices), span: place.span }
    }

    pub fn channel(&self, place: &model::Place) -> ChannelRef {
        let lowered = self.place(place);
        let (frame, variable, fixed): (&Frame, usize, fn(u32) -> ChannelRef) = match (place.base, self.own) {
            (Base::Global(id), _) => (self.globals, id.index(), ChannelRef::Global),
            (Base::Local(id), Some(own)) => (own, id.index(), ChannelRef::Own),
            _ => return ChannelRef::Variable(lowered),
        };
        if let Index::Constant(element) = lowered.index
            && frame.changing.is_fixed(variable)
            && let Some(channel) = frame
                .area
                .channels
                .iter()
                .position(|channel| channel.cells == lowered.cells && channel.element == element)
        {
            return fixed(channel as u32);
        }
        ChannelRef::Variable(lowered)
    }

    pub fn send(&self, send: &model::Send) -> Send {
        Send {
            channel: self.channel(&send.channel),
            sorted: send.sorted,
            values: send.arguments.iter().map(|argument| self.expr(argument)).collect(),
        }
    }

    pub fn receive(&self, receive: &model::Receive) -> Receive {
        let field = |argument: &ReceiveArgument| match argument {
            ReceiveArgument::Bind(place) => Field::Bind(self.place(place)),
            ReceiveArgument::Ignore => Field::Ignore,
            ReceiveArgument::Match(value) => Field::Match(self.expr(value)),
        };
        Receive {
            channel: self.channel(&receive.channel),
            random: receive.random,
            copy: receive.copy,
            fields: receive.arguments.iter().map(field).collect(),
        }
    }

    fn poll(&self, receive: &model::Receive, span: promela::source::Span) -> Poll {
        let pattern = |argument: &ReceiveArgument| match argument {
            ReceiveArgument::Match(value) => Some(self.expr(value)),
            ReceiveArgument::Bind(_) | ReceiveArgument::Ignore => None,
        };
        Poll {
            channel: self.channel(&receive.channel),
            random: receive.random,
            pattern: receive.arguments.iter().map(pattern).collect(),
            span,
        }
    }

    pub fn code(&self, text: &promela::ast::CText, kind: PieceKind) -> CodeId {
        let mut code = self.code.borrow_mut();
        code.push(Piece { kind, owner: self.definition, text: text.clone() });
        CodeId(code.len() as u32 - 1)
    }
}

/// Constant indices within bounds become one number; the rest is checked when it is computed.
fn fold_index(indices: Vec<(Expr, u32)>) -> Index {
    let mut flat = 0;
    for (index, length) in &indices {
        match index {
            Expr::Constant(value) if (0..i64::from(*length)).contains(&i64::from(*value)) => {
                flat = flat * length + *value as u32;
            }
            _ => return Index::Computed(indices),
        }
    }
    Index::Constant(flat)
}
