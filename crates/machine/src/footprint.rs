//! What an action reads and writes.
//!
//! A footprint is a conservative set of accesses to *slots*: groups of cells or single ones, channels with the way they are used,
//! the list of processes, other processes' locations. Two actions of different processes whose footprints do not conflict
//! can be executed in either order with the same outcome; partial-order reduction ([`crate::ample`]) rests on that.
//!
//! Footprints are symbolic, relative to the process that executes the action: `flag[_pid]` and a channel parameter that is
//! never assigned mean different slots for different processes, and are told apart when the process is known.

use crate::action::{Action, ActionKind, DStep, Field};
use crate::expression::{At, ChannelProbe, ChannelRef, Expr, Index, Owner, Place, Poll, Predefined};
use crate::id::{DefinitionId, Location};
use crate::machine::{FullChannels, InitialValues, Machine};

/// What an action may read and write. What is not listed it neither reads nor writes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Footprint {
    /// Cells whose values matter, for whether the action is possible or for what it does.
    pub reads: Vec<Place>,
    /// Cells that may change.
    pub writes: Vec<Place>,
    /// Channels, and how each is used.
    pub channels: Vec<(ChannelRef, ChannelUse)>,
    /// Labels of other processes that are asked about.
    pub locations: Vec<(DefinitionId, Location)>,
    /// What is done with the list of processes.
    pub processes: ProcessUse,
    /// Definitions of which a process may be created.
    pub created: Vec<DefinitionId>,
    /// Whether the value of `timeout` matters.
    pub timeout: bool,
    /// Whether it may read and write everything: embedded C, priorities, `enabled`, `_last` and their like.
    pub everything: bool,
}

/// A set of ways to use a channel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ChannelUse(u16);

impl ChannelUse {
    /// No way at all.
    pub const NONE: ChannelUse = ChannelUse(0);
    /// Puts a message at the end, and waits while the channel is full. On a rendezvous port: offers a message.
    pub const APPEND: ChannelUse = ChannelUse(1);
    /// Puts a message anywhere.
    pub const INSERT: ChannelUse = ChannelUse(1 << 1);
    /// Removes a message, and waits until there is one. On a rendezvous port: accepts an offer.
    pub const TAKE: ChannelUse = ChannelUse(1 << 2);
    /// Waits until the oldest message is as wanted, and leaves it there.
    pub const PEEK: ChannelUse = ChannelUse(1 << 3);
    /// Looks for a message behind the oldest one, too.
    pub const SEARCH: ChannelUse = ChannelUse(1 << 4);
    /// Waits until there is room.
    pub const AWAIT_ROOM: ChannelUse = ChannelUse(1 << 5);
    /// Any change of the channel may matter.
    pub const INSPECT: ChannelUse = ChannelUse(1 << 6);
    /// The channel ceases to exist.
    pub const DESTROY: ChannelUse = ChannelUse(1 << 7);
    /// Says, or ceases to say, that nobody else receives from it.
    pub const OWN_RECEIVES: ChannelUse = ChannelUse(1 << 8);
    /// Says, or ceases to say, that nobody else sends to it.
    pub const OWN_SENDS: ChannelUse = ChannelUse(1 << 9);
    /// Comes to a rendezvous port or leaves it, so that a partner who tries it may succeed or fail.
    pub const ARRIVE: ChannelUse = ChannelUse(1 << 10);
    /// All ways that change the channel.
    pub const CHANGES: ChannelUse = ChannelUse(1 | 1 << 1 | 1 << 2 | 1 << 7);

    /// The ways of both.
    #[must_use]
    pub const fn and(self, other: ChannelUse) -> ChannelUse {
        ChannelUse(self.0 | other.0)
    }

    /// Whether the two have a way in common.
    #[must_use]
    pub const fn meets(self, other: ChannelUse) -> bool {
        self.0 & other.0 != 0
    }
}

/// What is done with the list of processes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ProcessUse {
    /// A process may be created.
    pub creates: bool,
    /// The process itself may disappear.
    pub ends: bool,
    /// How many there are, or whether some process exists, matters.
    pub counts: bool,
}

impl Footprint {
    /// The footprint of an action.
    #[must_use]
    pub fn of_action(machine: &Machine, action: &Action) -> Footprint {
        let mut footprint = Footprint::default();
        footprint.add_action(machine, action);
        footprint
    }

    /// The footprint of a question.
    #[must_use]
    pub fn of_expr(machine: &Machine, expr: &Expr) -> Footprint {
        let mut footprint = Footprint::default();
        footprint.add_expr(machine, expr);
        footprint
    }

    /// Adds another footprint.
    pub fn merge(&mut self, other: &Footprint) {
        fn add<T: PartialEq + Clone>(list: &mut Vec<T>, more: &[T]) {
            for item in more {
                if !list.contains(item) {
                    list.push(item.clone());
                }
            }
        }
        add(&mut self.reads, &other.reads);
        add(&mut self.writes, &other.writes);
        add(&mut self.locations, &other.locations);
        add(&mut self.created, &other.created);
        other.channels.iter().for_each(|(channel, usage)| self.use_channel(channel, *usage));
        self.processes.creates |= other.processes.creates;
        self.processes.ends |= other.processes.ends;
        self.processes.counts |= other.processes.counts;
        self.timeout |= other.timeout;
        self.everything |= other.everything;
    }

    /// The same action where it matters not only that it becomes possible but also that it is *not* possible: beside an
    /// `else`, as an escape, or inside an `atomic` that is interrupted when it has to wait.
    pub fn watch_channels(&mut self) {
        for (_, usage) in &mut self.channels {
            *usage = usage.and(ChannelUse::INSPECT);
        }
    }

    /// Adds a way to use a channel.
    pub fn use_channel(&mut self, channel: &ChannelRef, usage: ChannelUse) {
        match self.channels.iter_mut().find(|(known, _)| known == channel) {
            Some((_, known)) => *known = known.and(usage),
            None => self.channels.push((channel.clone(), usage)),
        }
    }

    fn add_action(&mut self, machine: &Machine, action: &Action) {
        match &action.kind {
            ActionKind::Skip | ActionKind::Jump(_) | ActionKind::Else => {}
            ActionKind::Condition(Expr::Probe(ChannelProbe::NotEmpty, channel)) => {
                self.add_channel(machine, channel, ChannelUse::PEEK);
            }
            ActionKind::Condition(Expr::Probe(ChannelProbe::NotFull, channel)) => {
                self.add_channel(machine, channel, ChannelUse::AWAIT_ROOM);
            }
            ActionKind::Condition(Expr::Poll(poll)) => self.add_poll(machine, poll, ChannelUse::PEEK),
            ActionKind::Condition(value)
            | ActionKind::Discard(value)
            | ActionKind::Assert(value)
            | ActionKind::PrintMtype(value, _) => self.add_expr(machine, value),
            ActionKind::Assign(place, value) => {
                self.add_expr(machine, value);
                self.add_write(machine, place);
            }
            ActionKind::Send(send) => {
                let usage = match (machine.full_channels, send.sorted) {
                    (FullChannels::Block, false) => ChannelUse::APPEND,
                    (FullChannels::Block, true) => ChannelUse::INSERT,
                    (FullChannels::Lose, _) => ChannelUse::INSERT.and(ChannelUse::INSPECT),
                };
                // A rendezvous is an offer whether sorted or not.
                self.add_channel(machine, &send.channel, usage.and(ChannelUse::APPEND));
                self.add_event(machine, &send.channel);
                send.values.iter().for_each(|value| self.add_expr(machine, value));
            }
            ActionKind::Receive(receive) => {
                let taking = if receive.copy { ChannelUse::PEEK.and(ChannelUse::TAKE) } else { ChannelUse::TAKE };
                let search = if receive.random { ChannelUse::SEARCH } else { ChannelUse::NONE };
                self.add_channel(machine, &receive.channel, taking.and(search));
                self.add_event(machine, &receive.channel);
                for field in &receive.fields {
                    match field {
                        Field::Bind(place) => self.add_write(machine, place),
                        Field::Ignore => {}
                        Field::Match(value) => self.add_expr(machine, value),
                    }
                }
            }
            ActionKind::Print(_, arguments) => arguments.iter().for_each(|argument| self.add_expr(machine, argument)),
            ActionKind::SetPriority(..) | ActionKind::Code(_) => self.everything = true,
            ActionKind::Deterministic(body) => self.add_d_step(machine, body),
            ActionKind::Event(event) => {
                self.add_channel(machine, &event.channel, ChannelUse::INSPECT);
                event.pattern.iter().flatten().for_each(|value| self.add_expr(machine, value));
            }
            ActionKind::End => self.processes.ends = true,
        }
    }

    /// Only the first statement of a `d_step` may wait. Where there are several, the first one that is possible is taken, so
    /// it matters of each whether it is.
    fn add_d_step(&mut self, machine: &Machine, body: &DStep) {
        for (number, node) in body.nodes.iter().enumerate() {
            for edge in &node.edges {
                let mut inner = Footprint::of_action(machine, machine.action(edge.action));
                if number > 0 || node.edges.len() > 1 {
                    inner.watch_channels();
                }
                self.merge(&inner);
            }
        }
        if body.nodes.iter().any(|node| node.edges.iter().any(|edge| edge.target == Some(0))) {
            self.watch_channels();
        }
    }

    fn add_expr(&mut self, machine: &Machine, expr: &Expr) {
        match expr {
            Expr::Constant(_) => {}
            Expr::Load(place) | Expr::Remote(place) => self.add_read(machine, place),
            Expr::Predefined(Predefined::Pid) => {}
            Expr::Predefined(Predefined::ProcessCount | Predefined::ChannelCount | Predefined::LocalNumber)
            | Expr::AnyReference(..) => self.processes.counts = true,
            Expr::Predefined(Predefined::Last | Predefined::Priority | Predefined::NonProgress)
            | Expr::Enabled(_)
            | Expr::LocationOf(_)
            | Expr::PriorityOf(_)
            | Expr::Code(_) => self.everything = true,
            Expr::Unary(_, operand) => self.add_expr(machine, operand),
            Expr::Binary(_, left, right, _) => {
                self.add_expr(machine, left);
                self.add_expr(machine, right);
            }
            Expr::Conditional(condition, yes, no) => {
                [condition, yes, no].into_iter().for_each(|part| self.add_expr(machine, part));
            }
            Expr::Probe(_, channel) => self.add_channel(machine, channel, ChannelUse::INSPECT),
            Expr::Poll(poll) => self.add_poll(machine, poll, ChannelUse::INSPECT),
            Expr::Run(run) => {
                self.processes.creates = true;
                self.created.push(run.definition);
                run.arguments.iter().chain(&run.priority).for_each(|value| self.add_expr(machine, value));
                self.add_initial_values(machine, run.definition);
            }
            Expr::At(at) => self.add_at(machine, at),
            Expr::Timeout => self.timeout = true,
        }
    }

    /// The new process computes its initial values: what it reads of its own is new, what it reads of others counts.
    fn add_initial_values(&mut self, machine: &Machine, definition: DefinitionId) {
        let mut initial = Footprint::default();
        for initialiser in &machine.definition(definition).initial {
            if let InitialValues::Same(value) = &initialiser.values {
                initial.add_expr(machine, value);
            }
        }
        // Seen from the creator, indices and channels of the new process are anybody's.
        initial.reads.retain(|place| place.owner != Owner::Own);
        initial.reads.iter_mut().for_each(|place| place.index = Index::Computed(Vec::new()));
        self.everything |= !initial.channels.is_empty();
        initial.channels.clear();
        self.merge(&initial);
    }

    fn add_at(&mut self, machine: &Machine, at: &At) {
        self.processes.counts = true;
        self.locations.push((at.definition, at.location));
        at.pid.iter().for_each(|pid| self.add_expr(machine, pid));
    }

    fn add_poll(&mut self, machine: &Machine, poll: &Poll, usage: ChannelUse) {
        let search = if poll.random { ChannelUse::SEARCH } else { ChannelUse::NONE };
        self.add_channel(machine, &poll.channel, usage.and(search));
        poll.pattern.iter().flatten().for_each(|value| self.add_expr(machine, value));
    }

    fn add_channel(&mut self, machine: &Machine, channel: &ChannelRef, usage: ChannelUse) {
        if let ChannelRef::Variable(place) = channel {
            self.add_read(machine, place);
        }
        self.use_channel(channel, usage);
    }

    /// A `trace` that watches the channel moves on.
    fn add_event(&mut self, machine: &Machine, channel: &ChannelRef) {
        if let Some(trace) = &machine.trace
            && trace.may_watch(machine, channel)
        {
            let span = trace.automaton.span;
            let place = Place { owner: Owner::Global, cells: trace.cells, index: Index::Constant(0), span };
            self.add_read(machine, &place);
            self.add_write(machine, &place);
        }
    }

    fn add_read(&mut self, machine: &Machine, place: &Place) {
        self.add_address(machine, place);
        if !self.reads.contains(place) {
            self.reads.push(place.clone());
        }
    }

    fn add_write(&mut self, machine: &Machine, place: &Place) {
        self.add_address(machine, place);
        if !self.writes.contains(place) {
            self.writes.push(place.clone());
        }
    }

    /// What must be read to know which cell is meant.
    fn add_address(&mut self, machine: &Machine, place: &Place) {
        if let Owner::Remote(_, pid) = &place.owner {
            self.processes.counts = true;
            pid.iter().for_each(|pid| self.add_expr(machine, pid));
        }
        if let Index::Computed(indices) = &place.index {
            indices.iter().for_each(|(index, _)| self.add_expr(machine, index));
        }
    }
}
