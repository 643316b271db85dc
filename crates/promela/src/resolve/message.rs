//! Sends, receives and `run`: structures among their arguments are replaced by their scalar parts.

use rustc_hash::FxHashSet;

use super::constant::without_parentheses;
use super::initialiser::first_run;
use super::place::{Reference, last_name};
use super::{PendingRun, Resolver};
use crate::ast::{self, VariableRef};
use crate::diagnostic::Diagnostic;
use crate::model::{
    Base, Expr, ExprKind, FieldStep, Kind, Place, Predefined, Receive, ReceiveArgument, Run, Send, StatementKind, Type,
};
use crate::source::Span;

/// What a receive's channel is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ChannelUse {
    Receive,
    Poll,
}

impl Resolver<'_> {
    pub(super) fn send(&mut self, send: &ast::Send, span: Span) -> Option<StatementKind> {
        let channel = self.channel(&send.channel);
        let arguments = self.arguments(&send.arguments);
        if let Some(run) = arguments.iter().find_map(first_run) {
            self.report(Diagnostic::error("run-in-send", run, "`run` cannot be part of a message"));
        }
        let channel = channel?;
        self.sends.push((span, arguments.len()));
        Some(StatementKind::Send(Send { channel, sorted: send.sorted, arguments }))
    }

    pub(super) fn receive_statement(&mut self, receive: &ast::Receive) -> Option<StatementKind> {
        let receive = self.receive(receive, ChannelUse::Receive)?;
        let mut bound = FxHashSet::default();
        let mut twice = None;
        for argument in &receive.arguments {
            if let ReceiveArgument::Bind(place) = argument
                && let Some(address) = constant_address(place)
                && !bound.insert(address)
            {
                twice.get_or_insert((place.span, place.index.is_none() && place.fields.is_empty()));
            }
        }
        if let Some((span, scalar)) = twice {
            let message = "the same variable receives two fields";
            let note = "write `_` for a field that is not needed";
            // SPIN looks at plain variables only.
            self.report(if scalar {
                Diagnostic::error("bound-twice", span, message).note(note)
            } else {
                Diagnostic::warning("bound-twice", span, message).note(note)
            });
        }
        Some(StatementKind::Receive(receive))
    }

    /// A receive or poll.
    pub(super) fn receive(&mut self, receive: &ast::Receive, use_of_channel: ChannelUse) -> Option<Receive> {
        let channel = match use_of_channel {
            ChannelUse::Receive => self.channel(&receive.channel),
            ChannelUse::Poll => self.polled_channel(&receive.channel),
        };
        let mut arguments = Vec::with_capacity(receive.arguments.len());
        for argument in &receive.arguments {
            match argument {
                ast::ReceiveArgument::Variable(variable) => self.bind(variable, &mut arguments),
                ast::ReceiveArgument::Eval(value) => arguments.push(ReceiveArgument::Match(self.expression(value))),
                ast::ReceiveArgument::Constant(value) => {
                    arguments.push(ReceiveArgument::Match(self.expression(value)));
                }
            }
        }
        Some(Receive { channel: channel?, random: receive.random, copy: receive.copy, arguments })
    }

    /// A name in a receive: a variable to bind, a constant to match, or `_`.
    fn bind(&mut self, variable: &VariableRef, arguments: &mut Vec<ReceiveArgument>) {
        match self.reference(variable) {
            Some(Reference::Place(place)) => {
                if self.can_flatten(place.ty, variable.span) {
                    let mut places = Vec::new();
                    self.flatten_place(place, &mut places);
                    if let Some(problem) = places.iter().find_map(|place| self.foreign_target(place)) {
                        self.report(Diagnostic::error("read-only", variable.span, problem));
                    }
                    arguments.extend(places.into_iter().map(ReceiveArgument::Bind));
                }
            }
            Some(Reference::Constant(set, value)) => {
                let value = Expr { kind: ExprKind::Constant(value), meaning: Kind::Mtype(set), span: variable.span };
                arguments.push(ReceiveArgument::Match(value));
            }
            Some(Reference::Scratch) => arguments.push(ReceiveArgument::Ignore),
            Some(Reference::Predefined(Predefined::LocalNumber)) | None => arguments.push(ReceiveArgument::Ignore),
            Some(Reference::Predefined(_) | Reference::Location) => {
                let name = &variable.parts[0].name.text;
                let message = format!("`{name}` cannot receive a value");
                let note = format!("to match it, write `eval({name})`");
                self.report(Diagnostic::error("read-only", variable.span, message).note(note));
            }
        }
    }

    /// The channel of a send or receive.
    pub(super) fn channel(&mut self, variable: &VariableRef) -> Option<Place> {
        match self.reference(variable)? {
            Reference::Place(place) if place.ty == Type::Chan => Some(place),
            _ => {
                let message = format!("`{}` is no channel: nothing can be sent to it or received", last_name(variable));
                self.report(Diagnostic::error("not-a-channel", variable.span, message));
                None
            }
        }
    }

    /// SPIN lets anything be polled, as it lets anything be asked for its length.
    fn polled_channel(&mut self, variable: &VariableRef) -> Option<Place> {
        match self.reference(variable)? {
            Reference::Place(place) if matches!(place.ty, Type::Structure(_)) => {
                self.whole_structure(last_name(variable), variable.span);
                None
            }
            Reference::Place(place) => {
                if place.ty != Type::Chan {
                    let message = format!("`{}` is polled, and is no channel", last_name(variable));
                    self.report(Diagnostic::warning("not-a-channel", variable.span, message));
                }
                Some(place)
            }
            _ => {
                self.report(Diagnostic::error("not-a-channel", variable.span, "this is no channel"));
                None
            }
        }
    }

    /// Values with structures replaced by their parts.
    fn arguments(&mut self, arguments: &[ast::Expr]) -> Vec<Expr> {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            match self.structure_argument(argument) {
                Some(place) => {
                    if self.can_flatten(place.ty, argument.span) {
                        let mut places = Vec::new();
                        self.flatten_place(place, &mut places);
                        values.extend(places.into_iter().map(|place| Expr {
                            span: place.span,
                            meaning: Kind::Number,
                            kind: ExprKind::Read(place),
                        }));
                    }
                }
                None => values.push(self.expression(argument)),
            }
        }
        values
    }

    /// A whole structure as an argument.
    pub(super) fn structure_argument(&mut self, argument: &ast::Expr) -> Option<Place> {
        let ast::ExprKind::Variable(variable) = &without_parentheses(argument).kind else { return None };
        let reports = self.diagnostics.len();
        match self.reference(variable) {
            Some(Reference::Place(place)) if matches!(place.ty, Type::Structure(_)) => Some(place),
            _ => {
                // It is resolved again as a plain value, with the same reports.
                self.diagnostics.truncate(reports);
                None
            }
        }
    }

    pub(super) fn run(&mut self, run: &ast::Run, span: Span) -> ExprKind {
        let arguments = self.arguments(&run.arguments);
        let priority = run.priority.as_ref().and_then(|priority| self.run_priority(priority));
        let Some(&process) = self.names.proctypes.get(&run.proctype.text) else {
            let message = format!("no proctype is called `{}`", run.proctype.text);
            let candidates = self.names.proctypes.keys().map(|name| &**name);
            let mut error = Diagnostic::error("unknown-proctype", run.proctype.span, message);
            if let Some(similar) = super::names::closest(&run.proctype.text, candidates) {
                error = error.suggest("a proctype with a similar name exists", run.proctype.span, similar);
            }
            self.report(error);
            return ExprKind::Constant(0);
        };
        self.index.used_process(run.proctype.span, process);
        self.runs.push(PendingRun { span, process, arguments: arguments.len() });
        ExprKind::Run(Box::new(Run { process, arguments, priority }))
    }

    fn run_priority(&mut self, priority: &ast::Expr) -> Option<Expr> {
        self.model.features.priorities = true;
        let value = self.constant_expression(priority, "a priority")?;
        if !(0..=255).contains(&value) {
            let message = format!("a priority of {value}: it must be from 1 to 255");
            self.report(Diagnostic::error("bad-priority", priority.span, message));
        }
        Some(super::initialiser::constant(value.max(1), priority.span))
    }
}

/// What tells a place from all others, if its indices are constants.
fn constant_address(place: &Place) -> Option<(Base, Vec<i32>)> {
    let constant = |index: &Option<Box<Expr>>| match index.as_ref().map(|index| &index.kind) {
        None => Some(-1),
        Some(ExprKind::Constant(value)) => Some(*value),
        Some(_) => None,
    };
    let mut path = vec![constant(&place.index)?];
    for FieldStep { field, index } in &place.fields {
        path.extend([*field as i32, constant(index)?]);
    }
    Some((place.base, path))
}
