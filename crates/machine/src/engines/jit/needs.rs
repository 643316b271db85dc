//! What expressions and actions need, found before any code is made for them.
//!
//! An expression that cannot fail needs no way out of its code; a guard that creates processes cannot be evaluated on the
//! state itself; and a few rare things are left to the interpreter altogether.

use std::ops::BitOr;

use crate::action::{Action, ActionKind, DStep, Field, Receive, Send};
use crate::expression::{BinaryOp, ChannelRef, Expr, Index, Owner, Place, Predefined};
use crate::ground::Scope;
use crate::layout::ChannelShape;
use crate::machine::{InitialValues, Machine};

/// What evaluating something needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Needs {
    /// It may end in a run-time error.
    pub fails: bool,
    /// It may create processes.
    pub runs: bool,
    /// It is left to the interpreter.
    pub interpreter: bool,
}

impl Needs {
    const NOTHING: Needs = Needs { fails: false, runs: false, interpreter: false };
    const FAILURE: Needs = Needs { fails: true, ..Needs::NOTHING };
    const INTERPRETER: Needs = Needs { fails: true, interpreter: true, ..Needs::NOTHING };
}

impl BitOr for Needs {
    type Output = Needs;

    fn bitor(self, other: Needs) -> Needs {
        Needs {
            fails: self.fails | other.fails,
            runs: self.runs | other.runs,
            interpreter: self.interpreter | other.interpreter,
        }
    }
}

impl FromIterator<Needs> for Needs {
    fn from_iter<I: IntoIterator<Item = Needs>>(all: I) -> Needs {
        all.into_iter().fold(Needs::NOTHING, Needs::bitor)
    }
}

/// Whether anything in a machine reads `timeout`.
pub fn reads_timeout(machine: &Machine) -> bool {
    let mut is_timeout = |expr: &Expr| matches!(expr, Expr::Timeout);
    let provided = machine.definitions.iter().filter_map(|definition| definition.automaton.provided.as_ref());
    let initial = machine.definitions.iter().flat_map(|definition| &definition.initial);
    let initial = initial.filter_map(|initialiser| match &initialiser.values {
        InitialValues::Same(value) => Some(value),
        InitialValues::Each(_) => None,
    });
    provided.chain(initial).any(|value| value.any(&mut is_timeout))
        || machine.actions.iter().any(|action| action.any(&mut is_timeout))
}

/// Who executes an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Executor {
    /// Code made for it.
    Compiled,
    /// The interpreter.
    Interpreter,
}

impl Scope<'_> {
    /// Who executes an action.
    pub fn executor(&self, action: &Action) -> Executor {
        let guard_runs = match &action.kind {
            ActionKind::Condition(Expr::Run(_)) => false,
            ActionKind::Condition(condition) => self.expr(condition).runs,
            ActionKind::Send(send) => self.send_guard(send).runs,
            ActionKind::Receive(receive) => self.receive_guard(receive).runs,
            ActionKind::Deterministic(body) => {
                return if self.steps(body).all(|inner| self.compiles_in_d_step(inner)) && !self.looks_around(body) {
                    Executor::Compiled
                } else {
                    Executor::Interpreter
                };
            }
            _ => false,
        };
        if guard_runs || self.action(action).interpreter { Executor::Interpreter } else { Executor::Compiled }
    }

    /// Whether a `d_step` may begin with the receiving half of a rendezvous, or with an `else`.
    fn looks_around(&self, body: &DStep) -> bool {
        let has_rendezvous = self.machine.layout.shapes.iter().any(ChannelShape::is_rendezvous);
        self.first_steps(body).any(|first| match &first.kind {
            ActionKind::Receive(receive) => has_rendezvous && self.may_accept(receive),
            ActionKind::Else => body.nodes[0].edges.len() == 1,
            _ => false,
        })
    }

    /// The actions that a `d_step` may begin with.
    pub fn first_steps<'s>(&'s self, body: &'s DStep) -> impl Iterator<Item = &'s Action> {
        body.nodes[0].edges.iter().map(|edge| self.machine.action(edge.action))
    }

    fn compiles_in_d_step(&self, inner: &Action) -> bool {
        let too_deep = matches!(inner.kind, ActionKind::Deterministic(_) | ActionKind::End);
        !too_deep && self.executor(inner) == Executor::Compiled
    }

    fn steps<'s>(&'s self, body: &'s DStep) -> impl Iterator<Item = &'s Action> {
        body.nodes.iter().flat_map(|node| &node.edges).map(|edge| self.machine.action(edge.action))
    }

    /// What an action needs, guard and effect.
    pub fn action(&self, action: &Action) -> Needs {
        match &action.kind {
            ActionKind::Skip | ActionKind::Jump(_) | ActionKind::Else | ActionKind::Event(_) | ActionKind::End => {
                Needs::NOTHING
            }
            ActionKind::Condition(value)
            | ActionKind::Discard(value)
            | ActionKind::Assert(value)
            | ActionKind::PrintMtype(value, _) => self.expr(value),
            ActionKind::Assign(place, value) => self.expr(value) | self.place(place),
            ActionKind::Send(send) => self.send_guard(send) | self.exprs(&send.values) | self.watched(&send.channel),
            ActionKind::Receive(receive) => {
                let binds = receive.fields.iter().filter_map(|field| match field {
                    Field::Bind(place) => Some(self.place(place)),
                    Field::Ignore | Field::Match(_) => None,
                });
                self.receive_guard(receive) | binds.collect() | self.watched(&receive.channel)
            }
            ActionKind::Print(_, arguments) => self.exprs(arguments),
            ActionKind::SetPriority(pid, priority) => self.expr(pid) | self.expr(priority) | Needs::INTERPRETER,
            ActionKind::Code(_) => Needs::FAILURE,
            ActionKind::Deterministic(body) => {
                self.steps(body).map(|inner| self.action(inner)).collect::<Needs>() | Needs::FAILURE
            }
        }
    }

    /// What the guard of an action needs: the question whether it is possible.
    pub fn guard(&self, action: &Action) -> Needs {
        match &action.kind {
            ActionKind::Condition(Expr::Run(_)) => Needs::NOTHING,
            ActionKind::Condition(condition) => self.expr(condition),
            ActionKind::Send(send) => self.send_guard(send),
            ActionKind::Receive(receive) => self.receive_guard(receive),
            ActionKind::Deterministic(_) => Needs::FAILURE,
            _ => Needs::NOTHING,
        }
    }

    /// Finding the channel and knowing whether it is full; a rendezvous also computes its values.
    pub fn send_guard(&self, send: &Send) -> Needs {
        let values = if self.may_be_rendezvous(&send.channel) { self.exprs(&send.values) } else { Needs::NOTHING };
        self.channel(&send.channel) | self.arity(&send.channel, send.values.len()) | values
    }

    /// Finding the channel and a message that matches.
    pub fn receive_guard(&self, receive: &Receive) -> Needs {
        let matches = receive.fields.iter().filter_map(|field| match field {
            Field::Match(value) => Some(self.expr(value)),
            Field::Ignore | Field::Bind(_) => None,
        });
        let copies_rendezvous = receive.copy && self.may_be_rendezvous(&receive.channel);
        let own = if copies_rendezvous { Needs::INTERPRETER } else { Needs::NOTHING };
        self.channel(&receive.channel) | self.arity(&receive.channel, receive.fields.len()) | matches.collect() | own
    }

    /// A `trace` takes notice of what goes through its channels: the interpreter knows how.
    fn watched(&self, channel: &ChannelRef) -> Needs {
        match &self.machine.trace {
            Some(trace) if trace.may_watch(self.machine, channel) => Needs::INTERPRETER,
            _ => Needs::NOTHING,
        }
    }

    fn arity(&self, channel: &ChannelRef, given: usize) -> Needs {
        match self.fixed_shape(channel) {
            Some(shape) if given >= shape.fields.len() => Needs::NOTHING,
            _ => Needs::FAILURE,
        }
    }

    fn channel(&self, channel: &ChannelRef) -> Needs {
        match channel {
            ChannelRef::Global(_) | ChannelRef::Own(_) => Needs::NOTHING,
            ChannelRef::Variable(place) => self.place(place) | Needs::FAILURE,
        }
    }

    fn exprs(&self, exprs: &[Expr]) -> Needs {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    /// What an expression needs.
    pub fn expr(&self, expr: &Expr) -> Needs {
        match expr {
            // An observer is no process: there is no frame to hand over.
            Expr::Code(_) if self.definition.is_none() => Needs::INTERPRETER,
            Expr::Constant(_) | Expr::Timeout | Expr::Code(_) => Needs::NOTHING,
            Expr::Load(place) => self.place(place),
            Expr::Predefined(Predefined::NonProgress) => Needs::INTERPRETER,
            Expr::Predefined(_) => Needs::NOTHING,
            Expr::Unary(_, operand) => self.expr(operand),
            Expr::Binary(op, left, right, _) => {
                let divides = matches!(op, BinaryOp::Divide | BinaryOp::Remainder);
                let safe = self.range(right).is_some_and(|range| !range.contains(&0));
                let own = if divides && !safe { Needs::FAILURE } else { Needs::NOTHING };
                self.expr(left) | self.expr(right) | own
            }
            Expr::Conditional(condition, yes, no) => self.expr(condition) | self.expr(yes) | self.expr(no),
            Expr::Probe(_, channel) => self.channel(channel),
            Expr::Poll(poll) => {
                let pattern = poll.pattern.iter().flatten().map(|value| self.expr(value)).collect();
                let own = if self.may_be_rendezvous(&poll.channel) { Needs::FAILURE } else { Needs::NOTHING };
                self.channel(&poll.channel) | pattern | own
            }
            Expr::Run(run) => {
                let priority = run.priority.iter().map(|priority| self.expr(priority)).collect();
                let inside = Scope::new(self.machine, Some(run.definition));
                let initial = &self.machine.definition(run.definition).initial;
                let initial: Needs = initial
                    .iter()
                    .map(|initialiser| match &initialiser.values {
                        // A process that another creates while it is being initialised is beyond what is compiled.
                        InitialValues::Same(value) if value.any(&mut |part| matches!(part, Expr::Run(_))) => {
                            Needs::INTERPRETER
                        }
                        InitialValues::Same(value) => inside.expr(value),
                        InitialValues::Each(_) => Needs::NOTHING,
                    })
                    .collect();
                let library = self.machine.code.library.as_ref();
                let from_code = match library.is_some_and(|library| library.starts_processes(run.definition)) {
                    true => Needs::INTERPRETER,
                    false => Needs::NOTHING,
                };
                self.exprs(&run.arguments) | priority | initial | from_code | Needs { runs: true, ..Needs::FAILURE }
            }
            Expr::At(at) => at.pid.iter().map(|pid| self.expr(pid)).collect(),
            Expr::Remote(_) | Expr::AnyReference(..) => Needs::INTERPRETER,
            Expr::LocationOf(_) | Expr::PriorityOf(_) | Expr::Enabled(_) => Needs::INTERPRETER,
        }
    }

    /// What finding a place needs.
    pub fn place(&self, place: &Place) -> Needs {
        let owner = match &place.owner {
            Owner::Global | Owner::Own => Needs::NOTHING,
            Owner::Remote(_, pid) => pid.iter().map(|pid| self.expr(pid)).collect::<Needs>() | Needs::FAILURE,
        };
        let index = match &place.index {
            Index::Constant(_) => Needs::NOTHING,
            Index::Computed(indices) => indices
                .iter()
                .map(|(index, length)| {
                    let safe = self.is_within(index, *length);
                    self.expr(index) | if safe { Needs::NOTHING } else { Needs::FAILURE }
                })
                .collect(),
        };
        owner | index
    }
}
