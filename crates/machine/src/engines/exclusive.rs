//! `xr` and `xs`: a process says that nobody else receives from a channel, or sends to it.
//!
//! While the process exists, any other that uses that end of the channel breaks its word for it, which is an error; the step is taken all
//! the same. SPIN believes such words when it leaves out interleavings. Here nothing rests on them: which process uses which
//! channel is read off the model ([`crate::footprint`]).
//!
//! Rendezvous ports are left out. SPIN refuses `xr` and `xs` for them, as its reduction gains nothing there.

use promela::model::PortDirection;
use promela::source::Span;

use crate::expression::{ChannelRef, Index, Owner, Place};
use crate::id::{ChannelNumber, Pid};
use crate::machine::Machine;
use crate::state::{State, Storage};

/// One end of a channel that a process has to itself.
#[derive(Clone, Debug)]
pub struct ExclusiveEnd {
    /// Which end.
    pub direction: PortDirection,
    /// The channel, as its process names it.
    pub channel: ChannelRef,
    /// The declaration.
    pub span: Span,
}

impl ExclusiveEnd {
    /// Whether another process that names a channel in this way may mean the same channel.
    #[must_use]
    pub fn may_be(&self, channel: &ChannelRef) -> bool {
        match (&self.channel, channel) {
            (ChannelRef::Global(own), ChannelRef::Global(other)) => own == other,
            // The channels that different processes own are different.
            (ChannelRef::Own(_), ChannelRef::Own(_) | ChannelRef::Global(_))
            | (ChannelRef::Global(_), ChannelRef::Own(_)) => false,
            (ChannelRef::Variable(_), _) | (_, ChannelRef::Variable(_)) => true,
        }
    }

    fn number(&self, machine: &Machine, state: &State, pid: Pid) -> i32 {
        let layout = &machine.layout;
        match &self.channel {
            ChannelRef::Global(index) => i32::from(state.channel_number(layout, Storage::Global, *index).0),
            ChannelRef::Own(index) => i32::from(state.channel_number(layout, Storage::Process(pid), *index).0),
            ChannelRef::Variable(place) => {
                let storage = if place.owner == Owner::Global { Storage::Global } else { Storage::Process(pid) };
                state.read(layout, storage, place.cells, element(place))
            }
        }
    }
}

/// The element that a declaration names. It may have no index.
pub(crate) fn element(place: &Place) -> u32 {
    match place.index {
        Index::Constant(element) => element,
        Index::Computed(_) => unreachable!("`xr` and `xs` cannot name an element of an array"),
    }
}

impl Machine {
    /// Whether somebody else may have said that an end of a channel is his.
    #[must_use]
    pub fn may_be_taken(&self, direction: PortDirection, channel: &ChannelRef) -> bool {
        let ends = self.definitions.iter().flat_map(|definition| &definition.exclusive);
        ends.into_iter().any(|end| end.direction == direction && end.may_be(channel))
    }

    /// The process, other than `user`, that said that an end of a channel is its own, and where it did.
    #[must_use]
    pub fn owner_of_end(
        &self,
        state: &State,
        user: Pid,
        direction: PortDirection,
        channel: ChannelNumber,
    ) -> Option<(Pid, Span)> {
        let others = state.definitions(&self.layout).filter(|&(pid, _)| pid != user);
        others.into_iter().find_map(|(pid, definition)| {
            let ends = self.definition(definition).exclusive.iter().filter(|end| end.direction == direction);
            let mut own = ends.filter(|end| end.number(self, state, pid) == i32::from(channel.0));
            own.next().map(|end| (pid, end.span))
        })
    }
}
