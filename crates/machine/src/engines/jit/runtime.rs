//! What compiled code calls: work that is rare or long enough to be written once, in Rust.
//!
//! Every helper is handed pointers that compiled code computed from the state vector and the context; it may touch the
//! vector only within the channel or frame it is told about.

use cranelift_codegen::ir::{AbiParam, Signature, Type, types};
use cranelift_codegen::isa::CallConv;

use super::context::{ChannelSlot, Context};
use super::tables::EndChannel;
use crate::layout::ChannelShape;

/// A function that compiled code can call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Helper {
    /// Removes a message from a channel.
    RemoveMessage,
    /// Makes room for a message in a channel.
    InsertGap,
    /// Finds the place of a message in a sorted channel.
    SortedPosition,
    /// Creates a process.
    Create,
    /// Finds the oldest process of a definition.
    Oldest,
    /// Counts the older processes of the same definition.
    LocalNumber,
    /// Asks whether another process has an end of a channel to itself.
    IsTaken,
}

impl Helper {
    /// All of them; each stands at its own number.
    pub const ALL: [Helper; 7] = [
        Helper::RemoveMessage,
        Helper::InsertGap,
        Helper::SortedPosition,
        Helper::Create,
        Helper::Oldest,
        Helper::LocalNumber,
        Helper::IsTaken,
    ];

    /// Its name as a symbol.
    pub fn name(self) -> &'static str {
        match self {
            Helper::RemoveMessage => "remove_message",
            Helper::InsertGap => "insert_gap",
            Helper::SortedPosition => "sorted_position",
            Helper::Create => "create",
            Helper::Oldest => "oldest",
            Helper::LocalNumber => "local_number",
            Helper::IsTaken => "is_taken",
        }
    }

    /// Where its code is.
    pub fn address(self) -> *const u8 {
        match self {
            Helper::RemoveMessage => remove_message as *const u8,
            Helper::InsertGap => insert_gap as *const u8,
            Helper::SortedPosition => sorted_position as *const u8,
            Helper::Create => create as *const u8,
            Helper::Oldest => oldest as *const u8,
            Helper::LocalNumber => local_number as *const u8,
            Helper::IsTaken => is_taken as *const u8,
        }
    }
}

/// The parameters and results of a helper, as its declaration below has them.
pub fn signature(helper: Helper, convention: CallConv) -> Signature {
    const POINTER: Type = types::I64;
    const WORD: Type = types::I32;
    let (parameters, result): (&[Type], Option<Type>) = match helper {
        Helper::RemoveMessage | Helper::InsertGap => (&[POINTER, WORD, WORD, WORD], None),
        Helper::SortedPosition => (&[POINTER, POINTER, POINTER], Some(WORD)),
        Helper::Create | Helper::Oldest | Helper::LocalNumber | Helper::IsTaken => {
            (&[POINTER, POINTER, WORD], Some(WORD))
        }
    };
    let mut signature = Signature::new(convention);
    signature.params = parameters.iter().map(|&parameter| AbiParam::new(parameter)).collect();
    signature.returns = result.into_iter().map(AbiParam::new).collect();
    signature
}

/// What [`Helper::Create`] returns when there are too many processes or channels.
pub const TOO_MANY: i32 = -1;
/// What [`Helper::Create`] returns when the new process does not fit into the memory of the successor.
pub const TOO_SMALL: i32 = -2;

/// SPIN numbers processes with one byte, and never uses the last number.
const MOST_PROCESSES: u32 = 255;
const MOST_CHANNELS: usize = 255;

/// Removes the message at `position`; what follows moves up, and the room behind is zero again.
///
/// # Safety
/// `channel` points to the length of a channel with such a length counter and messages, and has more than `position` messages.
unsafe extern "C" fn remove_message(channel: *mut u8, length_width: u32, message_size: u32, position: u32) {
    // SAFETY: all accesses lie within the channel's `length` messages.
    unsafe {
        let length = read_number(channel, length_width);
        let (width, size) = (length_width as usize, message_size as usize);
        let from = channel.add(width + position as usize * size);
        let last = channel.add(width + (length as usize - 1) * size);
        from.copy_from(from.add(size), (length - 1 - position) as usize * size);
        last.write_bytes(0, size);
        write_number(channel, length_width, length - 1);
    }
}

/// Makes room for a message before the one at `position`.
///
/// # Safety
/// `channel` points to the length of a channel with such a length counter and messages, which has at least `position` messages
/// and room for one more.
unsafe extern "C" fn insert_gap(channel: *mut u8, length_width: u32, message_size: u32, position: u32) {
    // SAFETY: all accesses lie within the channel's `length + 1` messages.
    unsafe {
        let length = read_number(channel, length_width);
        let (width, size) = (length_width as usize, message_size as usize);
        let from = channel.add(width + position as usize * size);
        from.add(size).copy_from(from, (length - position) as usize * size);
        write_number(channel, length_width, length + 1);
    }
}

/// The place of a message in a sorted channel: before the first message that is greater, comparing field by field.
///
/// # Safety
/// `channel` points to the length of a channel of that shape, and `message` to a value for each field.
unsafe extern "C" fn sorted_position(channel: *const u8, shape: *const ChannelShape, message: *const i32) -> u32 {
    // SAFETY: the shape is one of the machine's, and the channel holds `length` messages of it.
    unsafe {
        let shape = &*shape;
        let length = read_number(channel, shape.length_width());
        let messages = channel.add(shape.length_width() as usize);
        let bytes = std::slice::from_raw_parts(messages, (length * shape.message_size()) as usize);
        let message = std::slice::from_raw_parts(message, shape.fields.len());
        let is_greater = |position: u32| {
            let start = position * shape.message_size();
            let field = |field: usize| shape.scalar(field).read(&bytes[(start + shape.field_offset(field)) as usize..]);
            (0..shape.fields.len()).map(field).gt(message.iter().copied())
        };
        (0..length).find(|&position| is_greater(position)).unwrap_or(length)
    }
}

/// Adds a process to the state: its frame as it is before parameters and computed initial values are stored. Returns its pid,
/// [`TOO_MANY`] or [`TOO_SMALL`].
///
/// # Safety
/// `context` is the context of the engine, `state` a vector of `context.length` bytes with room for `context.capacity`.
unsafe extern "C" fn create(context: *mut Context, state: *mut u8, definition: u32) -> i32 {
    // SAFETY: the context is only used by the thread that runs this code; frames are written behind the old end of the vector.
    unsafe {
        let context = &mut *context;
        let tables = &*context.tables;
        let details = &tables.definitions[definition as usize];
        let pid = u32::from(*state);
        if pid >= MOST_PROCESSES || context.channel_count as usize + details.channels.len() > MOST_CHANNELS {
            return TOO_MANY;
        }
        let start = context.length;
        if context.capacity - start < details.template.len() as u32 {
            return TOO_SMALL;
        }
        let frame = state.add(start as usize);
        frame.copy_from_nonoverlapping(details.template.as_ptr(), details.template.len());
        context.length += details.template.len() as u32;
        context.described = Context::NOTHING;
        context.frames[pid as usize] = start;
        context.channels_before[pid as usize] = context.channel_count;
        for channel in &details.channels {
            context.channel_count += 1;
            frame.add(channel.cell as usize).write(context.channel_count as u8);
            context.channels[context.channel_count as usize] =
                ChannelSlot { offset: start + channel.offset, shape: channel.shape };
        }
        state.write(pid as u8 + 1);
        pid as i32
    }
}

/// The oldest process of a definition, or -1.
///
/// # Safety
/// As for [`create`].
unsafe extern "C" fn oldest(context: *const Context, state: *const u8, definition: u32) -> i32 {
    // SAFETY: the context's table has the frames of all processes of the state.
    unsafe {
        let context = &*context;
        let width = (*context.tables).definition_width;
        let is_it = |&pid: &u8| read_number(state.add(context.frames[pid as usize] as usize), width) == definition;
        (0..*state).find(is_it).map_or(-1, i32::from)
    }
}

/// How many processes older than `pid` have the same definition.
///
/// # Safety
/// As for [`create`]; `pid` exists.
unsafe extern "C" fn local_number(context: *const Context, state: *const u8, pid: u32) -> i32 {
    // SAFETY: the context's table has the frames of all processes of the state.
    unsafe {
        let context = &*context;
        let width = (*context.tables).definition_width;
        let definition = |pid: u32| read_number(state.add(context.frames[pid as usize] as usize), width);
        let own = definition(pid);
        (0..pid).filter(|&older| definition(older) == own).count() as i32
    }
}

/// What [`Helper::IsTaken`] is asked, in one number: the channel, the bit below if it is about receiving, and the pid of the user above.
pub const ABOUT_RECEIVING: i32 = 1 << 8;
/// Where the pid stands in that number.
pub const USER_SHIFT: i64 = 16;

/// Whether a process other than the user said with `xr` or `xs` that an end of a channel is its own.
///
/// # Safety
/// As for [`create`].
unsafe extern "C" fn is_taken(context: *const Context, state: *const u8, question: u32) -> i32 {
    let (channel, user) = (question & 0xff, question >> USER_SHIFT);
    let receiving = question & ABOUT_RECEIVING as u32 != 0;
    // SAFETY: the context's table has the frames of all processes of the state, and cells lie within their frame or the globals.
    unsafe {
        let context = &*context;
        let tables = &*context.tables;
        let owners = if receiving { &tables.receives_alone } else { &tables.sends_alone };
        if !owners.depends_on_state {
            let owners = owners.of(channel);
            let takes = |pid: u32| {
                let frame = state.add(context.frames[pid as usize] as usize);
                owners.checked_shr(read_number(frame, tables.definition_width)).is_some_and(|bits| bits & 1 == 1)
            };
            return i32::from(owners != 0 && (0..u32::from(*state)).any(|pid| takes(pid) && pid != user));
        }
        let takes = |pid: u32| {
            let frame = state.add(context.frames[pid as usize] as usize);
            let definition = read_number(frame, tables.definition_width);
            let definition = &tables.definitions[definition as usize];
            let ends = if receiving { &definition.receives_alone } else { &definition.sends_alone };
            ends.iter().any(|&end| {
                let number = match end {
                    EndChannel::Global(number) => number,
                    EndChannel::Own(index) => context.channels_before[pid as usize] + index + 1,
                    EndChannel::GlobalCell(offset) => u32::from(*state.add(offset as usize)),
                    EndChannel::Cell(offset) => u32::from(*frame.add(offset as usize)),
                };
                number == channel
            })
        };
        i32::from((0..u32::from(*state)).any(|pid| pid != user && takes(pid)))
    }
}

/// Reads a little-endian number.
///
/// # Safety
/// `width` bytes can be read there; it is 1, 2 or 4.
pub unsafe fn read_number(at: *const u8, width: u32) -> u32 {
    // SAFETY: the caller's.
    unsafe {
        match width {
            1 => u32::from(*at),
            2 => u32::from(u16::from_le(at.cast::<u16>().read_unaligned())),
            _ => u32::from_le(at.cast::<u32>().read_unaligned()),
        }
    }
}

/// Writes a little-endian number.
///
/// # Safety
/// `width` bytes can be written there; it is 1, 2 or 4.
pub unsafe fn write_number(at: *mut u8, width: u32, value: u32) {
    // SAFETY: the caller's.
    unsafe {
        match width {
            1 => at.write(value as u8),
            2 => at.cast::<u16>().write_unaligned((value as u16).to_le()),
            _ => at.cast::<u32>().write_unaligned(value.to_le()),
        }
    }
}
