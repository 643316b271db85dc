//! How far a depth-first search has come with a state.

use std::sync::atomic::{Ordering, fence};

use crate::store::{FlagStates, Flags, StateRef, Visitor};

/// How far a search has come with a known state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// It waits to be visited.
    Waiting,
    /// It was visited, and the search has come back from it.
    Finished,
    /// It will be visited after the state that the worker is visiting.
    Later,
    /// It is on the path, or nothing is known of it.
    Other,
}

/// Remembers stages.
pub(super) trait Stages<H: Visitor>: Send {
    /// Notes that a state is visited. Whether this is the first time.
    fn visit(handle: &mut H, state: StateRef) -> bool;

    /// Notes that a state is finished: all that it leads to was visited.
    fn finish(handle: &mut H, state: StateRef);

    /// The stage of a state.
    fn stage(handle: &mut H, state: StateRef) -> Stage;
}

/// Remembers nothing.
pub(super) enum Unknown {}

impl<H: Visitor> Stages<H> for Unknown {
    fn visit(_: &mut H, _: StateRef) -> bool {
        true
    }

    fn finish(_: &mut H, _: StateRef) {}

    fn stage(_: &mut H, _: StateRef) -> Stage {
        Stage::Other
    }
}

/// One flag of each state, for any number of workers in any order.
///
/// A worker that visits `s` sets the flag of `s`, then looks at the flag of a successor `t`. When it is not set, `t` is visited
/// later than `s`: of two workers that do this with each other's states at least one sees the flag, because there is a
/// sequentially consistent fence between setting and looking. All these fences have one order, and along every such pair it increases; so
/// going from a state to one that is `Later`, again and again, never comes back, and ends at a state that was expanded fully.
pub(super) enum Visited {}

impl<H: FlagStates> Stages<H> for Visited {
    fn visit(handle: &mut H, state: StateRef) -> bool {
        let first = !handle.set_flags(state, VISITED).contains(VISITED);
        fence(Ordering::SeqCst);
        first
    }

    fn finish(_: &mut H, _: StateRef) {}

    fn stage(handle: &mut H, state: StateRef) -> Stage {
        if handle.flags(state).contains(VISITED) { Stage::Other } else { Stage::Later }
    }
}

/// Two flags of each state.
pub(super) enum Flagged {}

const VISITED: Flags = Flags::bit(0);
const FINISHED: Flags = Flags::bit(1);

impl<H: FlagStates> Stages<H> for Flagged {
    fn visit(handle: &mut H, state: StateRef) -> bool {
        !handle.set_flags(state, VISITED).contains(VISITED)
    }

    fn finish(handle: &mut H, state: StateRef) {
        handle.set_flags(state, FINISHED);
    }

    fn stage(handle: &mut H, state: StateRef) -> Stage {
        let flags = handle.flags(state);
        if flags.contains(FINISHED) {
            Stage::Finished
        } else if flags.contains(VISITED) {
            Stage::Other
        } else {
            Stage::Waiting
        }
    }
}
