//! Ample sets that keep fair runs.
//!
//! Let `r` be a fair run of the system, weakly or strongly, and `A` the set of processes that move alone in its first state. Some process of `A` can
//! move, nobody outside can change that, so if none of `A` ever moved, `r` would not be fair. The first move of `A` in `r` is put in front of
//! the moves `b` before it; this is repeated from the next state on. As nothing is put off for ever (`endless.rs`), the outcome `r'` is a run of the reduced system
//! with exactly the moves of `r`. Is it fair to a process `p`? If `p` moves again and again in `r`, it does in `r'`. Otherwise, look at what `p` waits for after
//! its last move: the variables and channels that its next actions read.
//!
//! - *Variables.* If `p` is not in `A`, no move of `A` writes one of them, else the two would conflict; if `p` is in `A`, no move `b` does. So the order of
//!   the moves that write them is the same in `r` and `r'`: the two have the same sequence of values, each held for a while, and `p` can move again and again
//!   in `r'` exactly when it can in `r`; likewise for being unable to move again and again.
//! - *Channels.* A send and a receive on a channel that is neither full nor empty do not conflict, and may exchange places: with several receivers, a channel
//!   that is empty again and again in `r` need never be empty in `r'`. But if only `p` can receive from it, then, as `p` moves no more, once a message is
//!   there that `p` waits for, it stays there: what `p` can do because of the channel changes at most once. The same holds for room in the channel if only `p`
//!   can send. So moves of `A` may use only channels that at most one process may ever send to and at most one receive from.
//! - *Death.* A process dies when it is the youngest. Once it could, it can, unless another is created; and creation conflicts with death.
//! - `timeout` depends on everything. Models that use it are not reduced.
//!
//! A search has to know in which states a process can move. Where only `A` moves, that is known of the processes of `A`. Of another process `p` it is not, but
//! by the above, moves of `A` do not change it, except for the one change by a channel, which cannot happen on a cycle on which `p` does not move. So following a
//! cycle, `p` is as able to move as in this state until it moves, or is in the set that moves alone, or all processes move; one of which happens.

use super::AmpleSets;
use super::conflict::Touched;
use crate::expression::Expr;
use crate::footprint::ChannelUse;
use crate::generate::Refusal;
use crate::machine::Machine;

const SENDS: ChannelUse = ChannelUse::APPEND.and(ChannelUse::INSERT).and(ChannelUse::AWAIT_ROOM);
const RECEIVES: ChannelUse = ChannelUse::TAKE.and(ChannelUse::PEEK).and(ChannelUse::SEARCH);

/// Whether fair runs of a machine can be kept.
///
/// # Errors
/// When it uses `timeout`.
pub(super) fn can_keep(machine: &Machine) -> Result<(), Refusal> {
    let waits = machine.actions.iter().any(|action| action.any(&mut |part| matches!(part, Expr::Timeout)));
    let mut provided = machine.definitions.iter().filter_map(|definition| definition.automaton.provided.as_ref());
    if waits || provided.any(|condition| condition.any(&mut |part| matches!(part, Expr::Timeout))) {
        return Err(Refusal { reason: "`timeout` depends on what all processes can do".into() });
    }
    Ok(())
}

impl AmpleSets {
    /// Whether the moves of a set of processes use only channels with one sender and one receiver, and create no process.
    pub(super) fn keeps_fairness(&self, mut set: u128) -> bool {
        while set != 0 {
            let pid = set.trailing_zeros() as usize;
            set &= set - 1;
            let presence = self.present[pid];
            let next = &self.instances[presence.instance.0 as usize].reach.next.at(presence.location);
            let exclusive = next.channels.iter().all(|&(number, _)| self.is_between_two(number));
            if next.processes.creates || next.unknown_channels != ChannelUse::NONE || !exclusive {
                return false;
            }
        }
        true
    }

    /// Whether at most one process may ever send to a channel, and at most one receive from it.
    fn is_between_two(&self, number: u8) -> bool {
        let slots = &self.shared.slots;
        let leaked = slots.leaked.get(usize::from(number) - 1).copied().unwrap_or(slots.leaked_local);
        let usage = |touched: &Touched| {
            let known = touched.channels.binary_search_by_key(&number, |&(known, _)| known);
            let known = known.map_or(ChannelUse::NONE, |at| touched.channels[at].1);
            if leaked { known.and(touched.unknown_channels) } else { known }
        };
        let (mut senders, mut receivers) = (0, 0);
        for presence in &self.present {
            let future = &self.instances[presence.instance.0 as usize].reach.future.at(presence.location);
            // Processes that it creates are part of its future, and there may be any number of them.
            let count = if future.processes.creates { 2 } else { 1 };
            let usage = usage(future);
            senders += if usage.meets(SENDS) { count } else { 0 };
            receivers += if usage.meets(RECEIVES) { count } else { 0 };
        }
        senders <= 1 && receivers <= 1
    }
}
