//! Whether a store keeps flags, or a number, for each state is part of its type, so that only a store that does can be asked for them, and a search
//! without pays nothing.

use super::compact::table::Flagging;

/// Does the store keep flags for each state?
pub trait FlagMode: Send + Sync + 'static + private::Sealed {}

/// No flags; the default.
#[derive(Clone, Copy, Debug)]
pub enum NoFlags {}

/// Seven flags for each state, at a cost of a byte for each slot: about 1.3 bytes for each state.
#[derive(Clone, Copy, Debug)]
pub enum ByteFlags {}

/// A number of 31 bits for each state, at a cost of four bytes for each slot: about 5.2 bytes for each state.
#[derive(Clone, Copy, Debug)]
pub enum Numbers {}

impl FlagMode for NoFlags {}
impl FlagMode for ByteFlags {}
impl FlagMode for Numbers {}

pub(super) mod private {
    use super::{ByteFlags, Flagging, NoFlags, Numbers};

    pub trait Sealed {
        const FLAGGING: Flagging;
    }

    impl Sealed for NoFlags {
        const FLAGGING: Flagging = Flagging::Without;
    }

    impl Sealed for ByteFlags {
        const FLAGGING: Flagging = Flagging::With;
    }

    impl Sealed for Numbers {
        const FLAGGING: Flagging = Flagging::Numbers;
    }
}
