//! Traces: what they may hold, and what their sends and receives mean.
//!
//! An event only observes. SPIN compares a field with a constant, and in a receive with `eval(e)`; anything else that
//! stands in an event, be it a variable or `_`, lets every value pass.

use super::Resolver;
use super::place::Reference;
use crate::ast::{self, PortDirection, ReceiveArgument, StatementKind as Syntax, Step, VariableRef};
use crate::diagnostic::Diagnostic;
use crate::model::{Event, Expr, StatementKind, Type};

impl Resolver<'_> {
    pub(super) fn send_event(&mut self, send: &ast::Send) -> Option<StatementKind> {
        let channel = self.channel(&send.channel);
        let mut arguments = Vec::with_capacity(send.arguments.len());
        for argument in &send.arguments {
            match &argument.kind {
                ast::ExprKind::Variable(variable) => self.event_variable(variable, &mut arguments),
                _ if self.literal(argument).is_some() => arguments.push(Some(self.expression(argument))),
                _ => {
                    self.expression(argument);
                    self.warn_unobserved(argument.span);
                    arguments.push(None);
                }
            }
        }
        let event = Event { direction: PortDirection::Send, channel: channel?, arguments };
        Some(StatementKind::Event(event))
    }

    pub(super) fn receive_event(&mut self, receive: &ast::Receive) -> Option<StatementKind> {
        let channel = self.channel(&receive.channel);
        let mut arguments = Vec::with_capacity(receive.arguments.len());
        for argument in &receive.arguments {
            match argument {
                ReceiveArgument::Variable(variable) => self.event_variable(variable, &mut arguments),
                ReceiveArgument::Eval(value) | ReceiveArgument::Constant(value) => {
                    arguments.push(Some(self.expression(value)));
                }
            }
        }
        let event = Event { direction: PortDirection::Receive, channel: channel?, arguments };
        Some(StatementKind::Event(event))
    }

    /// A name in an event: an mtype name, or something that lets every value pass.
    fn event_variable(&mut self, variable: &VariableRef, arguments: &mut Vec<Option<Expr>>) {
        match self.reference(variable) {
            Some(Reference::Constant(set, value)) => {
                let meaning = crate::model::Kind::Mtype(set);
                let kind = crate::model::ExprKind::Constant(value);
                arguments.push(Some(Expr { kind, meaning, span: variable.span }));
            }
            Some(Reference::Place(place)) => {
                self.warn_unobserved(variable.span);
                let leaves = match place.ty {
                    Type::Structure(id) => self.shapes[id.index()].leaves as usize,
                    _ => 1,
                };
                if self.can_flatten(place.ty, variable.span) {
                    arguments.extend(std::iter::repeat_n(None, leaves));
                }
            }
            Some(Reference::Scratch | Reference::Predefined(_) | Reference::Location) | None => arguments.push(None),
        }
    }

    fn warn_unobserved(&mut self, span: crate::source::Span) {
        let message = "every value passes here: a trace compares constants and `eval(...)` only";
        self.report(Diagnostic::warning("unobserved-field", span, message).note("write `_` to say so"));
    }

    /// Reports every statement of a trace that is no event.
    pub(super) fn check_events(&mut self, block: &ast::Block) {
        for step in &block.steps {
            if let Step::Statement(statement) = step {
                self.check_event(statement);
            }
        }
    }

    fn check_event(&mut self, statement: &ast::Statement) {
        let allowed = match &statement.kind {
            Syntax::Labelled(_, Some(inner)) => return self.check_event(inner),
            Syntax::If(options) | Syntax::Do(options) => {
                return options.iter().for_each(|option| self.check_events(option));
            }
            Syntax::Send(send) => !send.sorted,
            Syntax::Receive(receive) => !receive.random && !receive.copy,
            Syntax::Labelled(_, None) | Syntax::Goto(_) | Syntax::Break | Syntax::Error(_) => true,
            _ => false,
        };
        if !allowed {
            let message = "this is no event that a trace can hold";
            let note = "events are `q!...` and `q?...`; only `if`, `do`, `goto`, `break` and labels stand between them";
            self.report(Diagnostic::error("not-an-event", statement.span, message).note(note));
        }
    }
}
