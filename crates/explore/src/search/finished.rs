//! Which states a depth-first search has come back from.

use crate::store::{FlagStates, Flags, StateRef, Visitor};

/// Remembers which states are finished: the search has visited all that they lead to.
pub(super) trait Finished<H: Visitor>: Send {
    /// Notes that a state is finished.
    fn finish(handle: &mut H, state: StateRef);

    /// Whether a state is known to be finished.
    fn is_finished(handle: &mut H, state: StateRef) -> bool;
}

/// Remembers nothing.
pub(super) enum Unknown {}

impl<H: Visitor> Finished<H> for Unknown {
    fn finish(_: &mut H, _: StateRef) {}

    fn is_finished(_: &mut H, _: StateRef) -> bool {
        false
    }
}

/// One flag of each state.
pub(super) enum Flagged {}

const FINISHED: Flags = Flags::bit(0);

impl<H: FlagStates> Finished<H> for Flagged {
    fn finish(handle: &mut H, state: StateRef) {
        handle.set_flags(state, FINISHED);
    }

    fn is_finished(handle: &mut H, state: StateRef) -> bool {
        handle.flags(state).contains(FINISHED)
    }
}
