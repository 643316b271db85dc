//! What compiled code knows besides the state: the one structure shared by it, the runtime helpers and the driver.
//!
//! Its fields are read and written by native code through their byte offsets, so it is laid out as C does. The tables are
//! indexed by process and channel numbers, which are bytes: 256 entries are always enough.

use std::mem::offset_of;

use super::tables::Tables;

/// What a compiled effect reports.
pub mod status {
    /// It was executed.
    pub const DONE: u32 = 0;
    /// A run-time error: the step leads nowhere.
    pub const FAILED: u32 = 1;
    /// It could not be executed after all. The guard must have said so before; only a `provided` clause uses it.
    pub const BLOCKED: u32 = 2;
    /// A new process did not fit into the memory of the successor: try again with more of it.
    pub const GROW: u32 = 3;
}

/// Where a channel of the current state lies.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct ChannelSlot {
    /// Byte offset of its length from the start of the vector.
    pub offset: u32,
    /// The number of its shape.
    pub shape: u32,
}

/// The context of compiled code.
#[repr(C)]
pub struct Context {
    /// The edges of the last mask that offer a rendezvous: a subset of the mask.
    pub offers: u64,
    /// The executing process.
    pub pid: u32,
    /// 1 when `timeout` is true.
    pub timeout: u32,
    /// Whether an edge of an earlier word of the same location was possible, for `else`.
    pub earlier_choice: u32,
    /// Assertions that failed in the current effect.
    pub assertions: u32,
    /// Bytes of the successor being written.
    pub length: u32,
    /// Bytes it may have.
    pub capacity: u32,
    /// How many channels exist.
    pub channel_count: u32,
    /// The channel of the rendezvous on offer.
    pub offer_channel: u32,
    /// As many processes has the vector that the tables below describe; [`Context::NOTHING`] when they describe none.
    pub described: u32,
    /// The message of the rendezvous on offer: a value for each field.
    pub offer_message: *mut i32,
    /// A message for the runtime helpers.
    pub message: *mut i32,
    /// What the runtime helpers know of the machine.
    pub tables: *const Tables,
    /// Byte offset of each process' frame.
    pub frames: [u32; 256],
    /// The number of each process' definition; only the driver needs it.
    pub definitions: [u32; 256],
    /// How many locations there are before those of each process' definition; likewise.
    pub locations_before: [u32; 256],
    /// How many channels precede those of each process.
    pub channels_before: [u32; 256],
    /// Where each channel lies, by its number; 0 is no channel.
    pub channels: [ChannelSlot; 256],
}

impl Context {
    /// More processes than any vector has.
    pub const NOTHING: u32 = u32::MAX;
}

/// Byte offsets of the fields, for compiled code.
pub mod field {
    use super::{ChannelSlot, Context, offset_of};

    pub const OFFERS: i32 = offset_of!(Context, offers) as i32;
    pub const PID: i32 = offset_of!(Context, pid) as i32;
    pub const TIMEOUT: i32 = offset_of!(Context, timeout) as i32;
    pub const EARLIER_CHOICE: i32 = offset_of!(Context, earlier_choice) as i32;
    pub const ASSERTIONS: i32 = offset_of!(Context, assertions) as i32;
    pub const CHANNEL_COUNT: i32 = offset_of!(Context, channel_count) as i32;
    pub const OFFER_CHANNEL: i32 = offset_of!(Context, offer_channel) as i32;
    pub const OFFER_MESSAGE: i32 = offset_of!(Context, offer_message) as i32;
    pub const MESSAGE: i32 = offset_of!(Context, message) as i32;
    pub const FRAMES: i32 = offset_of!(Context, frames) as i32;
    pub const CHANNELS_BEFORE: i32 = offset_of!(Context, channels_before) as i32;
    pub const CHANNELS: i32 = offset_of!(Context, channels) as i32;
    pub const CHANNEL_SLOT_SIZE: i32 = size_of::<ChannelSlot>() as i32;
    pub const CHANNEL_SLOT_SHAPE: i32 = offset_of!(ChannelSlot, shape) as i32;
}
