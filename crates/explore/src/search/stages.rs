//! What a search remembers of a state's visit, so that a reduced expansion can be justified.
//!
//! A state that is expanded in part has a *witness* among the successors that were followed, so that what is left out is not put off for ever:
//! from every state, the search must have followed a path to one that it expanded fully. (In Valmari's words: every terminal
//! strong component of the reduced graph holds a fully expanded state; Valmari and Hansen, "Stubborn set intuition explained", 2017.)
//! There are two kinds of witnesses, for any number of workers in any order:
//!
//! - A *safe* state. A state is called safe only when it was expanded fully, or when the search has followed a transition from it to a state that
//!   is safe already. By induction over the moments at which states are called safe, a path leads on to a fully expanded state; and as
//!   transitions that were followed are never taken back, this holds for ever, whoever reads it and when.
//! - A state that was *not visited*. A worker that visits `s` sets the flag of `s`, then looks at the flag of a successor `t`. When it is not set, `t` is
//!   visited later than `s`: of two workers that do this with each other's states at least one sees the flag, because there is a
//!   sequentially consistent fence between setting and looking. All these fences have one order, and along every such pair it increases.
//!
//! A state that is sure to be expanded fully is called safe when it is visited for the first time: the worker that visits it will expand it whatever happens, unless the search ends.
//!
//! So going from witness to witness never comes back: the order of visits increases until the witness is safe or the state was expanded fully.

use std::sync::atomic::{Ordering, fence};

use crate::store::{FlagStates, Flags, StateRef, Visitor};

/// How far a search has come with a known state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// It will be visited after the state that the worker is visiting.
    Unvisited,
    /// It was visited, or nothing is known of it.
    Visited,
    /// From it, the search has followed a path to a state that was expanded fully.
    Safe,
}

/// What is known of the expansion of a state that is visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Coming {
    /// All its successors will be followed, and none is asked for its stage.
    All,
    /// Perhaps a part of them.
    Perhaps,
}

/// Remembers stages.
pub(super) trait Stages<H: Visitor>: Send {
    /// Whether anything is remembered.
    const REMEMBERS: bool;

    /// Notes that a state is visited, and gives its stage before. A state that is about to be expanded fully is safe.
    fn visit(handle: &mut H, state: StateRef, coming: Coming) -> Stage;

    /// Notes that a state is safe.
    fn settle(handle: &mut H, state: StateRef);

    /// The stage of a state.
    fn stage(handle: &mut H, state: StateRef) -> Stage;
}

/// Remembers nothing: only states that are new to the store are witnesses, ordered by when they were stored.
pub(super) enum Unknown {}

impl<H: Visitor> Stages<H> for Unknown {
    const REMEMBERS: bool = false;

    fn visit(_: &mut H, _: StateRef, _: Coming) -> Stage {
        Stage::Unvisited
    }

    fn settle(_: &mut H, _: StateRef) {}

    fn stage(_: &mut H, _: StateRef) -> Stage {
        Stage::Visited
    }
}

/// Two flags of each state.
pub(super) enum Flagged {}

const VISITED: Flags = Flags::bit(0);
const SAFE: Flags = Flags::bit(1);

impl<H: FlagStates> Stages<H> for Flagged {
    const REMEMBERS: bool = true;

    fn visit(handle: &mut H, state: StateRef, coming: Coming) -> Stage {
        if coming == Coming::All {
            // One that was visited before may have been expanded in part, and is not expanded again.
            return stage(handle.set_flags_unless(state, VISITED.and(SAFE), VISITED));
        }
        let before = handle.set_flags(state, VISITED);
        fence(Ordering::SeqCst);
        stage(before)
    }

    fn settle(handle: &mut H, state: StateRef) {
        handle.set_flags(state, SAFE);
    }

    fn stage(handle: &mut H, state: StateRef) -> Stage {
        stage(handle.flags(state))
    }
}

fn stage(flags: Flags) -> Stage {
    if flags.contains(SAFE) {
        Stage::Safe
    } else if flags.contains(VISITED) {
        Stage::Visited
    } else {
        Stage::Unvisited
    }
}
