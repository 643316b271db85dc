//! Code for actions: whether each is possible, and what it does to the vector.
//!
//! A guard is evaluated on the state itself and changes nothing. An effect works on a copy; it is only asked for when the
//! guard did not say no, but it finds by itself what goes wrong, which counts as "possible" for the guard.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder as _, Value};

use promela::model::PortDirection;

use super::channels::{ChannelAt, Pattern};
use super::context::field;
use super::emit::{Emitter, IN_CONTEXT};
use super::runtime::{ABOUT_RECEIVING, Helper, USER_SHIFT};
use crate::action::{Action, ActionKind, Field, Receive, Send};
use crate::expression::{ChannelRef, Expr};
use crate::ground::Scope;
use crate::machine::FullChannels;

/// What is known of a guard before any code is made for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It always holds, if only because the effect will fail.
    Always,
    /// It never holds.
    Never,
    /// It always holds, as the offer of a rendezvous.
    Offers,
    /// It holds when nothing else does.
    Else,
    /// It must be evaluated.
    Asked,
}

impl Scope<'_> {
    /// What is known of the guard of an action.
    pub fn verdict(&self, action: &Action) -> Verdict {
        match &action.kind {
            ActionKind::Skip
            | ActionKind::Jump(_)
            | ActionKind::Assign(..)
            | ActionKind::Discard(_)
            | ActionKind::Assert(_)
            | ActionKind::Print(..)
            | ActionKind::PrintMtype(..)
            | ActionKind::SetPriority(..)
            | ActionKind::Code(_)
            | ActionKind::Condition(Expr::Run(_)) => Verdict::Always,
            ActionKind::Condition(Expr::Constant(value)) if *value != 0 => Verdict::Always,
            ActionKind::Condition(Expr::Constant(_)) | ActionKind::Event(_) => Verdict::Never,
            ActionKind::Condition(_) | ActionKind::End => Verdict::Asked,
            ActionKind::Else => Verdict::Else,
            ActionKind::Send(send) => match self.fixed_shape(&send.channel) {
                None => Verdict::Asked,
                Some(shape) if send.values.len() < shape.fields.len() => Verdict::Always,
                Some(shape) if shape.is_rendezvous() && !self.send_guard(send).fails => Verdict::Offers,
                Some(shape) if !shape.is_rendezvous() && self.machine.full_channels == FullChannels::Lose => {
                    Verdict::Always
                }
                Some(_) => Verdict::Asked,
            },
            ActionKind::Receive(receive) => match self.fixed_shape(&receive.channel) {
                None => Verdict::Asked,
                Some(shape) if receive.fields.len() < shape.fields.len() => Verdict::Always,
                Some(shape) if shape.is_rendezvous() => Verdict::Never,
                Some(_) => Verdict::Asked,
            },
            ActionKind::Deterministic(body) => {
                let first = body.nodes[0].edges.first();
                match first.map(|edge| self.verdict(self.machine.action(edge.action))) {
                    Some(Verdict::Always | Verdict::Else) => Verdict::Always,
                    _ => Verdict::Asked,
                }
            }
        }
    }

    /// Whether a receive may take part in a rendezvous, if only by failing.
    pub fn may_accept(&self, receive: &Receive) -> bool {
        match self.fixed_shape(&receive.channel) {
            Some(shape) => shape.is_rendezvous() || receive.fields.len() < shape.fields.len(),
            None => true,
        }
    }
}

/// Where a guard leads.
#[derive(Clone, Copy, Debug)]
pub struct Ways {
    /// The action is possible.
    pub yes: Block,
    /// It is not.
    pub no: Block,
    /// It offers a rendezvous.
    pub offers: Block,
}

impl<'m> Emitter<'_, 'm> {
    /// Goes one of three ways, or fails.
    pub fn guard(&mut self, action: &'m Action, ways: Ways) {
        match self.scope.verdict(action) {
            Verdict::Always | Verdict::Else => return self.jump(ways.yes),
            Verdict::Never => return self.jump(ways.no),
            Verdict::Offers => return self.jump(ways.offers),
            Verdict::Asked => {}
        }
        match &action.kind {
            ActionKind::Condition(condition) => {
                let truth = self.truth(condition);
                self.branch(truth, ways.yes, ways.no);
            }
            ActionKind::End => {
                let truth = self.is_youngest();
                self.branch(truth, ways.yes, ways.no);
            }
            ActionKind::Send(send) => self.send_guard(send, ways),
            ActionKind::Receive(receive) => self.receive_guard(receive, ways),
            ActionKind::Deterministic(body) => self.d_step_guard(body, ways),
            _ => unreachable!("its verdict is known"),
        }
    }

    /// A guard as a truth, where no jumps are needed to evaluate it.
    pub fn guard_truth(&mut self, action: &'m Action) -> Option<Value> {
        let needs = self.scope.guard(action);
        if needs.fails {
            return None;
        }
        match &action.kind {
            ActionKind::Condition(condition) => Some(self.truth(condition)),
            ActionKind::End => Some(self.is_youngest()),
            ActionKind::Receive(receive) if !receive.random => {
                let mut truth = None;
                self.with_channel(&receive.channel, &mut |emit, channel| {
                    let pattern = emit.receive_pattern(receive);
                    truth = Some(emit.is_oldest(&channel, &pattern));
                });
                truth
            }
            ActionKind::Send(send) if !self.scope.may_be_rendezvous(&send.channel) => {
                let mut truth = None;
                self.with_channel(&send.channel, &mut |emit, channel| truth = Some(emit.has_room(&channel)));
                truth
            }
            _ => None,
        }
    }

    /// Only the youngest process can disappear.
    fn is_youngest(&mut self) -> Value {
        let pid = self.own_pid();
        let next = self.builder.ins().iadd_imm_s(pid, 1);
        let count = self.process_count();
        self.compare(IntCC::Equal, next, count)
    }

    fn has_room(&mut self, channel: &ChannelAt<'m>) -> Value {
        let length = self.channel_length(channel);
        self.compare_constant(IntCC::NotEqual, length, channel.shape.capacity as i32)
    }

    fn send_guard(&mut self, send: &'m Send, ways: Ways) {
        self.with_channel(&send.channel, &mut |emit, channel| {
            if send.values.len() < channel.shape.fields.len() {
                emit.jump(emit.failure);
            } else if channel.shape.is_rendezvous() {
                emit.message_values(send, &channel);
                emit.jump(ways.offers);
            } else if emit.scope.machine.full_channels == FullChannels::Lose {
                emit.jump(ways.yes);
            } else {
                let has_room = emit.has_room(&channel);
                emit.branch(has_room, ways.yes, ways.no);
            }
        });
    }

    fn receive_guard(&mut self, receive: &'m Receive, ways: Ways) {
        self.with_channel(&receive.channel, &mut |emit, channel| {
            if receive.fields.len() < channel.shape.fields.len() {
                emit.jump(emit.failure);
            } else if channel.shape.is_rendezvous() {
                emit.jump(ways.no);
            } else {
                let pattern = emit.receive_pattern(receive);
                if receive.random {
                    emit.find_message(&channel, &pattern, ways.yes, ways.no);
                } else {
                    let truth = emit.is_oldest(&channel, &pattern);
                    emit.branch(truth, ways.yes, ways.no);
                }
            }
        });
    }

    fn receive_pattern(&mut self, receive: &'m Receive) -> Pattern {
        self.pattern(receive.fields.iter().map(|field| match field {
            Field::Match(value) => Some(value),
            Field::Bind(_) | Field::Ignore => None,
        }))
    }

    /// The values of a message. Values beyond its fields are not even computed.
    fn message_values(&mut self, send: &'m Send, channel: &ChannelAt<'m>) -> Vec<Value> {
        let values = send.values.iter().take(channel.shape.fields.len());
        values.map(|value| self.value(value)).collect()
    }

    /// Changes the vector as an action does that is known to be possible.
    pub fn effect(&mut self, action: &'m Action) {
        match &action.kind {
            ActionKind::Skip | ActionKind::Jump(_) | ActionKind::Else | ActionKind::Event(_) => {}
            // The driver takes the frame away.
            ActionKind::End => {}
            ActionKind::Condition(value) | ActionKind::Discard(value) | ActionKind::PrintMtype(value, _) => {
                self.evaluate(value);
            }
            ActionKind::Assign(place, value) => {
                let value = self.value(value);
                let (scalar, at) = self.locate(place);
                self.store(scalar, at, value);
            }
            ActionKind::Assert(condition) => self.assert(condition),
            ActionKind::Print(format, arguments) => {
                for argument in arguments.iter().take(printed_arguments(format)) {
                    self.evaluate(argument);
                }
            }
            ActionKind::Send(send) => self.send(send),
            ActionKind::Receive(receive) => self.receive(receive),
            ActionKind::Code(id) => {
                let failed = self.embedded(*id);
                let done = self.block();
                self.branch(failed, self.failure, done);
                self.enter(done);
            }
            ActionKind::Deterministic(body) => self.d_step(body),
            ActionKind::SetPriority(..) => unreachable!("left to the interpreter"),
        }
    }

    /// Whether an action changes nothing and cannot fail, so that only the location moves.
    pub fn is_mere_move(scope: &Scope<'_>, action: &Action) -> bool {
        let harmless = |value: &Expr| {
            let needs = scope.expr(value);
            !needs.fails && !needs.runs && !contains_code(value)
        };
        match &action.kind {
            ActionKind::Skip | ActionKind::Jump(_) | ActionKind::Else | ActionKind::Event(_) => true,
            ActionKind::Condition(value) | ActionKind::Discard(value) | ActionKind::PrintMtype(value, _) => {
                harmless(value)
            }
            ActionKind::Print(format, arguments) => arguments.iter().take(printed_arguments(format)).all(harmless),
            _ => false,
        }
    }

    /// Computes a value for what can go wrong, or what it changes, on the way.
    fn evaluate(&mut self, value: &'m Expr) {
        let needs = self.scope.expr(value);
        if needs.fails || needs.runs || contains_code(value) {
            self.value(value);
        }
    }

    fn assert(&mut self, condition: &'m Expr) {
        let truth = self.truth(condition);
        self.count_unless(truth);
    }

    /// Counts an error of a step that is taken all the same.
    fn count_unless(&mut self, truth: Value) {
        let (violated, on) = (self.block(), self.block());
        self.builder.set_cold_block(violated);
        self.branch(truth, on, violated);
        self.enter(violated);
        let before = self.context_number(field::ASSERTIONS);
        let after = self.builder.ins().iadd_imm_s(before, 1);
        self.builder.ins().store(IN_CONTEXT, after, self.context, field::ASSERTIONS);
        self.jump(on);
        self.enter(on);
    }

    /// Another process may have said with `xr` or `xs` that this end of the channel is its own.
    fn check_end(&mut self, direction: PortDirection, named: &'m ChannelRef, channel: &ChannelAt<'m>) {
        if !self.scope.machine.may_be_taken(direction, named) {
            return;
        }
        let number = self.channel_number(channel);
        let pid = self.own_pid();
        let user = self.builder.ins().ishl_imm_u(pid, USER_SHIFT);
        let question = self.builder.ins().bor(number, user);
        let kind = self.constant(if direction == PortDirection::Receive { ABOUT_RECEIVING } else { 0 });
        let question = self.builder.ins().bor(question, kind);
        let taken = self.call(Helper::IsTaken, &[self.context, self.state, question]).expect("it returns a truth");
        let free = self.compare_constant(IntCC::Equal, taken, 0);
        self.count_unless(free);
    }

    fn send(&mut self, send: &'m Send) {
        let done = self.block();
        self.with_channel(&send.channel, &mut |emit, channel| {
            if send.values.len() < channel.shape.fields.len() || channel.shape.is_rendezvous() {
                if channel.shape.is_rendezvous() && send.values.len() >= channel.shape.fields.len() {
                    // An offer that can be made is no effect; this one cannot.
                    emit.message_values(send, &channel);
                }
                emit.jump(emit.failure);
                return;
            }
            let values = emit.message_values(send, &channel);
            emit.check_end(PortDirection::Send, &send.channel, &channel);
            if emit.scope.machine.full_channels == FullChannels::Lose {
                let fits = emit.block();
                let has_room = emit.has_room(&channel);
                emit.branch(has_room, fits, done);
                emit.enter(fits);
            }
            if send.sorted {
                emit.insert_sorted(&channel, &values);
            } else {
                emit.append_message(&channel, &values);
            }
            emit.jump(done);
        });
        self.enter(done);
    }

    fn receive(&mut self, receive: &'m Receive) {
        let done = self.block();
        self.with_channel(&receive.channel, &mut |emit, channel| {
            if receive.fields.len() < channel.shape.fields.len() || channel.shape.is_rendezvous() {
                emit.jump(emit.failure);
                return;
            }
            let pattern = if receive.random || emit.scope.receive_guard(receive).fails {
                emit.receive_pattern(receive)
            } else {
                Vec::new()
            };
            let message = if receive.random {
                let found = emit.block();
                let position = emit.find_message(&channel, &pattern, found, emit.failure);
                emit.enter(found);
                emit.check_end(PortDirection::Receive, &receive.channel, &channel);
                let message = emit.message_fields(&channel, Some(position));
                if !receive.copy {
                    emit.remove_message(&channel, position);
                }
                message
            } else {
                emit.check_end(PortDirection::Receive, &receive.channel, &channel);
                let message = emit.message_fields(&channel, None);
                if !receive.copy {
                    emit.remove_oldest(&channel);
                }
                message
            };
            emit.bind(receive, &message);
            emit.jump(done);
        });
        self.enter(done);
    }

    fn bind(&mut self, receive: &'m Receive, message: &[Value]) {
        for (field, &value) in receive.fields.iter().zip(message) {
            if let Field::Bind(place) = field {
                let (scalar, at) = self.locate(place);
                self.store(scalar, at, value);
            }
        }
    }

    /// The sending half of a rendezvous: its channel and message go to the context.
    pub fn offer(&mut self, send: &'m Send) {
        let done = self.block();
        self.with_channel(&send.channel, &mut |emit, channel| {
            if send.values.len() < channel.shape.fields.len() || !channel.shape.is_rendezvous() {
                emit.jump(emit.failure);
                return;
            }
            let values = emit.message_values(send, &channel);
            let buffer = emit.context_pointer(field::OFFER_MESSAGE);
            emit.write_message(channel.shape, buffer, &values);
            let number = emit.channel_number(&channel);
            emit.builder.ins().store(IN_CONTEXT, number, emit.context, field::OFFER_CHANNEL);
            emit.jump(done);
        });
        self.enter(done);
    }

    /// Whether a receive can take the message on offer.
    pub fn accept_guard(&mut self, receive: &'m Receive, ways: Ways) {
        self.with_channel(&receive.channel, &mut |emit, channel| {
            if receive.fields.len() < channel.shape.fields.len() {
                emit.jump(emit.failure);
                return;
            }
            if !channel.shape.is_rendezvous() {
                emit.jump(ways.no);
                return;
            }
            let offered = emit.context_number(field::OFFER_CHANNEL);
            let number = emit.channel_number(&channel);
            let mut truth = emit.compare(IntCC::Equal, offered, number);
            if receive.fields.iter().any(|field| matches!(field, Field::Match(_))) {
                let look = emit.block();
                emit.branch(truth, look, ways.no);
                emit.enter(look);
                truth = emit.builder.ins().iconst(cranelift_codegen::ir::types::I8, 1);
                let pattern = emit.receive_pattern(receive);
                let message = emit.offered_message(&channel);
                for (wanted, value) in pattern.into_iter().zip(message) {
                    if let Some(wanted) = wanted {
                        let equal = emit.compare(IntCC::Equal, value, wanted);
                        truth = emit.builder.ins().band(truth, equal);
                    }
                }
            }
            emit.branch(truth, ways.yes, ways.no);
        });
    }

    /// The receiving half of a rendezvous.
    pub fn accept(&mut self, receive: &'m Receive) {
        let done = self.block();
        self.with_channel(&receive.channel, &mut |emit, channel| {
            if receive.fields.len() < channel.shape.fields.len() || !channel.shape.is_rendezvous() {
                emit.jump(emit.failure);
                return;
            }
            if emit.scope.receive_guard(receive).fails {
                emit.receive_pattern(receive);
            }
            let message = emit.offered_message(&channel);
            emit.bind(receive, &message);
            emit.jump(done);
        });
        self.enter(done);
    }

    fn offered_message(&mut self, channel: &ChannelAt<'m>) -> Vec<Value> {
        let buffer = self.context_pointer(field::OFFER_MESSAGE);
        let fields = 0..channel.shape.fields.len() as i32;
        let number = cranelift_codegen::ir::types::I32;
        fields.map(|field| self.builder.ins().load(number, IN_CONTEXT, buffer, field * 4)).collect()
    }
}

/// How many arguments a format prints; the rest is not even computed.
fn printed_arguments(format: &str) -> usize {
    let mut count = 0;
    let mut characters = format.chars();
    while let Some(character) = characters.next() {
        if character == '%' {
            count += usize::from(characters.next().is_some_and(|conversion| conversion != '%'));
        }
    }
    count
}

fn contains_code(expr: &Expr) -> bool {
    expr.any(&mut |part| matches!(part, Expr::Code(_)))
}
