//! Walking a model's code.
//!
//! A [`Visitor`] gets every statement, expression and place; each of its methods goes on to the parts by itself unless
//! it is overridden, and an override that wants the parts calls the function of the same name here. [`VisitorMut`] is
//! its twin that may change what it sees.

use super::{
    Block, Expr, ExprKind, Formula, FormulaKind, Model, Place, Process, Receive, ReceiveArgument, Statement,
    StatementKind,
};

/// How a statement or expression uses a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Its value is read.
    Read,
    /// Its value is read only to be printed.
    Print,
    /// It is assigned.
    Write,
    /// It is assigned by a receive.
    Bind,
    /// It is the channel of a send.
    Send,
    /// It is the channel of a receive or poll.
    Receive,
    /// It is the channel of `len`, `full` and their like, or of an event.
    Probe,
}

macro_rules! visitor {
    ($(#[$doc:meta])* $name:ident, $walk:ident, ($($life:lifetime)?), ($($m:ident)?), $iter:ident) => {
        $(#[$doc])*
        pub trait $name<$($life)?>: Sized {
            /// A statement.
            fn statement(&mut self, statement: &$($life)? $($m)? Statement) {
                $walk::statement(self, statement);
            }
            /// An expression.
            fn expression(&mut self, expression: &$($life)? $($m)? Expr) {
                $walk::expression(self, expression);
            }
            /// A place, and how it is used. Its indices are read, whatever happens to it.
            fn place(&mut self, place: &$($life)? $($m)? Place, access: Access) {
                let _ = access;
                $walk::place(self, place);
            }
        }

        /// The functions that go on to the parts.
        pub mod $walk {
            use super::*;

            /// Everything of a model that is code: initial values, bodies, `provided` clauses, formulas.
            pub fn model<$($life)?>(visitor: &mut impl $name<$($life)?>, model: &$($life)? $($m)? Model) {
                for variable in model.globals.$iter() {
                    initial(visitor, &$($m)? variable.initial);
                }
                for structure in model.structures.$iter() {
                    for field in structure.fields.$iter() {
                        initial(visitor, &$($m)? field.initial);
                    }
                }
                for process in model.processes.$iter() {
                    super::$walk::process(visitor, process);
                }
                for claim in model.claims.$iter() {
                    super::$walk::process(visitor, claim);
                }
                for trace in model.trace.$iter() {
                    super::$walk::process(visitor, &$($m)? trace.process);
                }
                for property in model.ltl.$iter() {
                    formula(visitor, &$($m)? property.formula);
                }
            }

            /// Initial values, `provided` clause and body.
            pub fn process<$($life)?>(visitor: &mut impl $name<$($life)?>, process: &$($life)? $($m)? Process) {
                for variable in process.locals.$iter() {
                    initial(visitor, &$($m)? variable.initial);
                }
                if let Some(provided) = &$($m)? process.provided {
                    visitor.expression(provided);
                }
                block(visitor, &$($m)? process.body);
            }

            /// An initial value.
            pub fn initial<$($life)?>(visitor: &mut impl $name<$($life)?>, initial: &$($life)? $($m)? super::super::Initial) {
                if let super::super::Initial::Value(value) = initial {
                    visitor.expression(value);
                }
            }

            /// The statements of a block.
            pub fn block<$($life)?>(visitor: &mut impl $name<$($life)?>, block: &$($life)? $($m)? Block) {
                for statement in block.statements.$iter() {
                    visitor.statement(statement);
                }
            }

            /// The parts of a statement.
            pub fn statement<$($life)?>(visitor: &mut impl $name<$($life)?>, statement: &$($life)? $($m)? Statement) {
                match &$($m)? statement.kind {
                    StatementKind::Expression(e) | StatementKind::Discard(e) | StatementKind::Assert(e) => {
                        visitor.expression(e);
                    }
                    StatementKind::Assign(place, value) => {
                        visitor.expression(value);
                        visitor.place(place, Access::Write);
                    }
                    StatementKind::Send(send) => {
                        visitor.place(&$($m)? send.channel, Access::Send);
                        for argument in send.arguments.$iter() {
                            visitor.expression(argument);
                        }
                    }
                    StatementKind::Receive(it) => receive(visitor, it),
                    StatementKind::Event(event) => {
                        visitor.place(&$($m)? event.channel, Access::Probe);
                        for argument in event.arguments.$iter().flatten() {
                            visitor.expression(argument);
                        }
                    }
                    StatementKind::If(options) | StatementKind::Do(options) => {
                        for option in options.$iter() {
                            block(visitor, option);
                        }
                    }
                    StatementKind::Unless(main, escape) => {
                        block(visitor, main);
                        block(visitor, escape);
                    }
                    StatementKind::Atomic(inner) | StatementKind::DStep(inner) | StatementKind::Block(inner) => {
                        block(visitor, inner);
                    }
                    StatementKind::Printf(_, arguments) => {
                        for argument in arguments.$iter() {
                            printed(visitor, argument);
                        }
                    }
                    StatementKind::Printm(value, _) => printed(visitor, value),
                    StatementKind::SetPriority(pid, priority) => {
                        visitor.expression(pid);
                        visitor.expression(priority);
                    }
                    StatementKind::Goto(_) | StatementKind::Break | StatementKind::Else | StatementKind::CCode(_) => {}
                }
            }

            fn printed<$($life)?>(visitor: &mut impl $name<$($life)?>, argument: &$($life)? $($m)? Expr) {
                match &$($m)? argument.kind {
                    ExprKind::Read(place) => visitor.place(place, Access::Print),
                    _ => visitor.expression(argument),
                }
            }

            /// The channel and arguments of a receive or poll.
            pub fn receive<$($life)?>(visitor: &mut impl $name<$($life)?>, receive: &$($life)? $($m)? Receive) {
                visitor.place(&$($m)? receive.channel, Access::Receive);
                for argument in receive.arguments.$iter() {
                    match argument {
                        ReceiveArgument::Bind(place) => visitor.place(place, Access::Bind),
                        ReceiveArgument::Match(value) => visitor.expression(value),
                        ReceiveArgument::Ignore => {}
                    }
                }
            }

            /// The parts of an expression.
            pub fn expression<$($life)?>(visitor: &mut impl $name<$($life)?>, expression: &$($life)? $($m)? Expr) {
                match &$($m)? expression.kind {
                    ExprKind::Read(place) => visitor.place(place, Access::Read),
                    ExprKind::Unary(_, e) | ExprKind::Enabled(e) | ExprKind::PcValue(e) | ExprKind::GetPriority(e) => {
                        visitor.expression(e);
                    }
                    ExprKind::Binary(_, a, b) => {
                        visitor.expression(a);
                        visitor.expression(b);
                    }
                    ExprKind::Conditional(c, a, b) => {
                        visitor.expression(c);
                        visitor.expression(a);
                        visitor.expression(b);
                    }
                    ExprKind::Probe(_, place) => visitor.place(place, Access::Probe),
                    ExprKind::Poll(it) => receive(visitor, it),
                    ExprKind::Run(run) => {
                        for argument in run.arguments.$iter() {
                            visitor.expression(argument);
                        }
                        if let Some(priority) = &$($m)? run.priority {
                            visitor.expression(priority);
                        }
                    }
                    ExprKind::RemoteLabel(remote) => {
                        if let Some(pid) = &$($m)? remote.pid {
                            visitor.expression(pid);
                        }
                    }
                    ExprKind::RemoteVariable(remote) => {
                        if let Some(pid) = &$($m)? remote.pid {
                            visitor.expression(pid);
                        }
                        // The base belongs to the other process, but the indices are computed by this one.
                        place(visitor, &$($m)? remote.place);
                    }
                    ExprKind::Constant(_)
                    | ExprKind::Predefined(_)
                    | ExprKind::Timeout
                    | ExprKind::CExpr(_)
                    | ExprKind::AnyRef(_)
                    | ExprKind::UndefinedRef => {}
                }
            }

            /// The indices of a place.
            pub fn place<$($life)?>(visitor: &mut impl $name<$($life)?>, place: &$($life)? $($m)? Place) {
                if let Some(owner) = &$($m)? place.owner {
                    visitor.expression(owner);
                }
                if let Some(index) = &$($m)? place.index {
                    visitor.expression(index);
                }
                for field in place.fields.$iter() {
                    if let Some(index) = &$($m)? field.index {
                        visitor.expression(index);
                    }
                }
            }

            /// The atoms of a formula.
            pub fn formula<$($life)?>(visitor: &mut impl $name<$($life)?>, formula: &$($life)? $($m)? Formula) {
                match &$($m)? formula.kind {
                    FormulaKind::Atom(e) => visitor.expression(e),
                    FormulaKind::Not(f)
                    | FormulaKind::Next(f)
                    | FormulaKind::Always(f)
                    | FormulaKind::Eventually(f) => super::$walk::formula(visitor, f),
                    FormulaKind::And(f, g)
                    | FormulaKind::Or(f, g)
                    | FormulaKind::Implies(f, g)
                    | FormulaKind::Equivalent(f, g)
                    | FormulaKind::Until(f, g)
                    | FormulaKind::WeakUntil(f, g)
                    | FormulaKind::Release(f, g) => {
                        super::$walk::formula(visitor, f);
                        super::$walk::formula(visitor, g);
                    }
                }
            }
        }
    };
}

visitor!(
    /// Sees every statement, expression and place of some code.
    Visitor, walk, ('m), (), iter
);
visitor!(
    /// Sees every statement, expression and place of some code, and may change them.
    VisitorMut, walk_mut, (), (mut), iter_mut
);
