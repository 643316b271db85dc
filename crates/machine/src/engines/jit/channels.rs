//! Code for channels: finding them, asking about them, putting messages in and taking them out.
//!
//! A channel whose variable never changes lies at a known offset. For any other, the number in the variable leads through a
//! table of the context to its place and shape; the code then has one branch for every shape in the model.
//! The room behind the last message is always zero, so a short queue is moved up as a whole, whatever its length.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder as _, Type, Value, types};

use super::context::field;
use super::emit::{Address, Emitter, IN_CONTEXT, IN_STATE};
use super::runtime::Helper;
use crate::expression::{ChannelProbe, ChannelRef, Expr, Poll};
use crate::layout::{ChannelShape, OwnedChannel};

/// Queues of at most so many bytes are moved up by code made for their size.
const SHORT_QUEUE: u32 = 64;

/// A channel in the code at hand.
#[derive(Clone, Copy, Debug)]
pub struct ChannelAt<'m> {
    /// Where its length lies.
    pub at: Address,
    /// Its shape.
    pub shape: &'m ChannelShape,
    number: Number,
}

#[derive(Clone, Copy, Debug)]
enum Number {
    Global(u32),
    Own(u32),
    Loaded(Value),
}

/// The values that the fields of a message must have, as far as any are asked for.
pub type Pattern = Vec<Option<Value>>;

impl ChannelAt<'_> {
    fn message_field(&self, field: usize) -> Address {
        self.at.plus(self.shape.length_width() + self.shape.field_offset(field))
    }
}

impl<'m> Emitter<'_, 'm> {
    /// Makes code for a channel once for every shape it can have. Each piece of code must end by going somewhere else.
    pub fn with_channel(&mut self, channel: &'m ChannelRef, each: &mut dyn FnMut(&mut Self, ChannelAt<'m>)) {
        let layout = &self.scope.machine.layout;
        let fixed = |owned: &OwnedChannel, base, number| ChannelAt {
            at: Address { base, offset: owned.offset as i32 },
            shape: layout.shape(owned.shape),
            number,
        };
        match channel {
            ChannelRef::Global(index) => {
                let owned = &layout.globals.channels[*index as usize];
                each(self, fixed(owned, self.state, Number::Global(*index)));
            }
            ChannelRef::Own(index) => {
                let own = self.scope.definition.expect("compiled text belongs to a definition");
                let owned = &layout.frames[own.index()].channels[*index as usize];
                each(self, fixed(owned, self.own.frame, Number::Own(*index)));
            }
            ChannelRef::Variable(place) => {
                let (scalar, at) = self.locate(place);
                let number = self.load(scalar, at);
                self.with_channel_number(number, each);
            }
        }
    }

    fn with_channel_number(&mut self, number: Value, each: &mut dyn FnMut(&mut Self, ChannelAt<'m>)) {
        let shapes = &self.scope.machine.layout.shapes;
        let Some((last, others)) = shapes.split_last() else {
            // A model without channels: whatever the variable holds is none.
            self.jump(self.failure);
            return;
        };
        let before = self.builder.ins().iadd_imm_s(number, -1);
        let count = self.context_number(field::CHANNEL_COUNT);
        let exists = self.compare(IntCC::UnsignedLessThan, before, count);
        self.fail_unless(exists);
        let index = self.builder.ins().uextend(types::I64, number);
        let offset = self.builder.ins().imul_imm_u(index, i64::from(field::CHANNEL_SLOT_SIZE));
        let slot = self.builder.ins().iadd(self.context, offset);
        let offset = self.builder.ins().load(types::I32, IN_CONTEXT, slot, field::CHANNELS);
        let offset = self.builder.ins().uextend(types::I64, offset);
        let base = self.builder.ins().iadd(self.state, offset);
        let at = Address { base, offset: 0 };
        if !others.is_empty() {
            let shape_field = field::CHANNELS + field::CHANNEL_SLOT_SHAPE;
            let shape_number = self.builder.ins().load(types::I32, IN_CONTEXT, slot, shape_field);
            for (index, shape) in others.iter().enumerate() {
                let (this, next) = (self.block(), self.block());
                let is_this = self.compare_constant(IntCC::Equal, shape_number, index as i32);
                self.branch(is_this, this, next);
                self.enter(this);
                each(self, ChannelAt { at, shape, number: Number::Loaded(number) });
                self.enter(next);
            }
        }
        each(self, ChannelAt { at, shape: last, number: Number::Loaded(number) });
    }

    /// The number of a channel.
    pub fn channel_number(&mut self, channel: &ChannelAt<'m>) -> Value {
        match channel.number {
            Number::Global(index) => self.constant(index as i32 + 1),
            Number::Own(index) => {
                let pid = self.own_pid();
                let before = self.context_entry(field::CHANNELS_BEFORE, pid);
                self.builder.ins().iadd_imm_s(before, i64::from(index) + 1)
            }
            Number::Loaded(number) => number,
        }
    }

    /// Messages in a channel.
    pub fn channel_length(&mut self, channel: &ChannelAt<'m>) -> Value {
        match channel.shape.length_width() {
            0 => self.constant(0),
            width => self.load_number(width, channel.at),
        }
    }

    /// `len(q)` and its like. A rendezvous channel is always empty and never full.
    pub fn probe(&mut self, probe: ChannelProbe, channel: &'m ChannelRef) -> Value {
        let zero = self.constant(0);
        let result = self.variable(types::I32, zero);
        let done = self.block();
        self.with_channel(channel, &mut |emit, channel| {
            let length = emit.channel_length(&channel);
            let value = match probe {
                ChannelProbe::Len => length,
                ChannelProbe::Empty | ChannelProbe::NotEmpty => {
                    let condition = if probe == ChannelProbe::Empty { IntCC::Equal } else { IntCC::NotEqual };
                    let truth = emit.compare_constant(condition, length, 0);
                    emit.widen(truth)
                }
                ChannelProbe::Full | ChannelProbe::NotFull if channel.shape.is_rendezvous() => {
                    emit.constant(i32::from(probe == ChannelProbe::NotFull))
                }
                ChannelProbe::Full | ChannelProbe::NotFull => {
                    let condition = if probe == ChannelProbe::Full { IntCC::Equal } else { IntCC::NotEqual };
                    let truth = emit.compare_constant(condition, length, channel.shape.capacity as i32);
                    emit.widen(truth)
                }
            };
            emit.builder.def_var(result, value);
            emit.jump(done);
        });
        self.enter(done);
        self.builder.use_var(result)
    }

    /// `q?[...]`
    pub fn poll(&mut self, poll: &'m Poll) -> Value {
        let no = self.builder.ins().iconst(types::I8, 0);
        let result = self.variable(types::I8, no);
        let (found, done) = (self.block(), self.block());
        self.with_channel(&poll.channel, &mut |emit, channel| {
            if channel.shape.is_rendezvous() {
                emit.jump(emit.failure);
                return;
            }
            let pattern = emit.pattern(poll.pattern.iter().map(Option::as_ref));
            if poll.random {
                emit.find_message(&channel, &pattern, found, done);
            } else {
                let truth = emit.is_oldest(&channel, &pattern);
                emit.builder.def_var(result, truth);
                emit.jump(done);
            }
        });
        self.enter(found);
        let yes = self.builder.ins().iconst(types::I8, 1);
        self.builder.def_var(result, yes);
        self.jump(done);
        self.enter(done);
        self.builder.use_var(result)
    }

    /// The values that fields must have, all computed before any is compared.
    pub fn pattern(&mut self, fields: impl Iterator<Item = Option<&'m Expr>>) -> Pattern {
        let mut pattern = Vec::new();
        for field in fields {
            pattern.push(field.map(|value| self.value(value)));
        }
        pattern
    }

    /// Whether there is a message, and the oldest one matches.
    pub fn is_oldest(&mut self, channel: &ChannelAt<'m>, pattern: &Pattern) -> Value {
        let length = self.channel_length(channel);
        let mut truth = self.compare_constant(IntCC::NotEqual, length, 0);
        // An empty channel has room for a message all the same, so its fields can be read.
        for (field, wanted) in pattern.iter().enumerate().take(channel.shape.fields.len()) {
            if let Some(wanted) = wanted {
                let value = self.load(channel.shape.scalar(field), channel.message_field(field));
                let equal = self.compare(IntCC::Equal, value, *wanted);
                truth = self.builder.ins().band(truth, equal);
            }
        }
        truth
    }

    /// Goes to `found` with the position of the first message that matches, in the variable that is returned, or to `none`.
    pub fn find_message(&mut self, channel: &ChannelAt<'m>, pattern: &Pattern, found: Block, none: Block) -> Value {
        let header = self.block();
        let position = self.builder.append_block_param(header, types::I32);
        let (body, next) = (self.block(), self.block());
        let length = self.channel_length(channel);
        let zero = self.constant(0);
        self.builder.ins().jump(header, &[zero.into()]);

        self.enter(header);
        let inside = self.compare(IntCC::UnsignedLessThan, position, length);
        self.branch(inside, body, none);

        self.enter(body);
        let message = self.index(channel.at, position, channel.shape.message_size());
        let mut truth = None;
        for (field, wanted) in pattern.iter().enumerate().take(channel.shape.fields.len()) {
            if let Some(wanted) = wanted {
                let at = message.plus(channel.shape.length_width() + channel.shape.field_offset(field));
                let value = self.load(channel.shape.scalar(field), at);
                let equal = self.compare(IntCC::Equal, value, *wanted);
                truth = Some(match truth {
                    None => equal,
                    Some(truth) => self.builder.ins().band(truth, equal),
                });
            }
        }
        match truth {
            Some(truth) => self.branch(truth, found, next),
            None => self.jump(found),
        }

        self.enter(next);
        let following = self.builder.ins().iadd_imm_s(position, 1);
        self.builder.ins().jump(header, &[following.into()]);
        position
    }

    /// The fields of a message, from the oldest one or the one at a position.
    pub fn message_fields(&mut self, channel: &ChannelAt<'m>, position: Option<Value>) -> Vec<Value> {
        let message = match position {
            Some(position) => self.index(channel.at, position, channel.shape.message_size()),
            None => channel.at,
        };
        let fields = 0..channel.shape.fields.len();
        let offset = |field| channel.shape.length_width() + channel.shape.field_offset(field);
        fields.map(|field| self.load(channel.shape.scalar(field), message.plus(offset(field)))).collect()
    }

    /// Appends a message to a channel that has room for it.
    pub fn append_message(&mut self, channel: &ChannelAt<'m>, values: &[Value]) {
        let length = self.channel_length(channel);
        let message = self.index(channel.at, length, channel.shape.message_size());
        self.store_message(channel.shape, message, values);
        let longer = self.builder.ins().iadd_imm_s(length, 1);
        self.store_number(channel.shape.length_width(), channel.at, longer);
    }

    /// Puts a message before the first one that is greater, in a channel that has room for it.
    pub fn insert_sorted(&mut self, channel: &ChannelAt<'m>, values: &[Value]) {
        let buffer = self.context_pointer(field::MESSAGE);
        self.write_message(channel.shape, buffer, values);
        let pointer = self.pointer(channel.at);
        let shape = self.constant_64(std::ptr::from_ref(channel.shape) as usize as u64);
        let position = self.call(Helper::SortedPosition, &[pointer, shape, buffer]).expect("it returns a position");
        self.move_messages(Helper::InsertGap, channel, position);
        let message = self.index(channel.at, position, channel.shape.message_size());
        self.store_message(channel.shape, message, values);
    }

    fn store_message(&mut self, shape: &ChannelShape, message: Address, values: &[Value]) {
        for (field, &value) in values.iter().enumerate() {
            let at = message.plus(shape.length_width() + shape.field_offset(field));
            self.store(shape.scalar(field), at, value);
        }
    }

    /// Writes the values of a message, truncated, to a list of 32-bit numbers outside the state.
    pub fn write_message(&mut self, shape: &ChannelShape, buffer: Value, values: &[Value]) {
        for (field, &value) in values.iter().enumerate() {
            let value = self.truncate(shape.scalar(field), value);
            self.builder.ins().store(IN_CONTEXT, value, buffer, field as i32 * 4);
        }
    }

    /// Removes the message at a position.
    pub fn remove_message(&mut self, channel: &ChannelAt<'m>, position: Value) {
        self.move_messages(Helper::RemoveMessage, channel, position);
    }

    fn move_messages(&mut self, helper: Helper, channel: &ChannelAt<'m>, position: Value) {
        let pointer = self.pointer(channel.at);
        let width = self.constant(channel.shape.length_width() as i32);
        let size = self.constant(channel.shape.message_size() as i32);
        self.call(helper, &[pointer, width, size, position]);
    }

    /// Removes the oldest message of a channel that has one.
    pub fn remove_oldest(&mut self, channel: &ChannelAt<'m>) {
        let shape = channel.shape;
        let size = shape.message_size();
        let bytes = shape.capacity * size;
        if bytes > SHORT_QUEUE {
            let zero = self.constant(0);
            self.remove_message(channel, zero);
            return;
        }
        let start = channel.at.plus(shape.length_width());
        // All is read before anything is written: the pieces overlap when they are wider than a message.
        let mut pieces = Vec::new();
        for (offset, width) in pieces_of(bytes - size) {
            let from = start.plus(size + offset);
            let ty = Type::int_with_byte_size(width as u16).expect("a width of at most eight bytes");
            pieces.push((offset, self.builder.ins().load(ty, IN_STATE, from.base, from.offset)));
        }
        for (offset, piece) in pieces {
            let to = start.plus(offset);
            self.builder.ins().store(IN_STATE, piece, to.base, to.offset);
        }
        for (offset, width) in pieces_of(size) {
            let to = start.plus(bytes - size + offset);
            let ty = Type::int_with_byte_size(width as u16).expect("a width of at most eight bytes");
            let zero = self.builder.ins().iconst(ty, 0);
            self.builder.ins().store(IN_STATE, zero, to.base, to.offset);
        }
        let length = self.channel_length(channel);
        let shorter = self.builder.ins().iadd_imm_s(length, -1);
        self.store_number(shape.length_width(), channel.at, shorter);
    }
}

/// A number of bytes in pieces of 8, 4, 2 and 1: offset and width of each.
fn pieces_of(bytes: u32) -> Vec<(u32, u32)> {
    let mut pieces = Vec::new();
    let mut offset = 0;
    for width in [8, 4, 2, 1] {
        while bytes - offset >= width {
            pieces.push((offset, width));
            offset += width;
        }
    }
    pieces
}
