//! What the ways out of a location read and write, over slots.
//!
//! Both sets are upper bounds. A way changes no slot outside its write set; as long as all slots of its read set hold the same, it stays possible, or
//! impossible, and does the same. What a way needs of other processes at a rendezvous port is not among its reads: it names the port, and a move is
//! a way of each partner. `hidden` variables have no slots. Who steps outside of all this (embedded C, priorities, `timeout`, `enabled`) is said to
//! touch everything.

use super::configuration::Configuration;
use super::program::{Program, Way};
use super::slots::Slots;
use super::term::{ChannelTerm, FieldTerm, Reference, Step, Term};
use crate::id::{CellId, ChannelId, Location, Pid, SlotId, TermId};
use crate::state::Storage;

/// A set of slots.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SlotSet(Vec<u64>);

/// What is read and written.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Access {
    /// Slots whose contents matter.
    pub reads: SlotSet,
    /// Slots that may change.
    pub writes: SlotSet,
    /// Rendezvous ports at which it may need a partner, ascending.
    pub ports: Vec<ChannelId>,
    /// Whether it may read and write everything.
    pub everything: bool,
}

/// When a way is possible, other things aside: the process is there, its `provided` clause holds, and no escape comes first.
#[derive(Clone, Debug)]
pub enum Guard<'p> {
    /// Always.
    Always,
    /// While a term is not 0.
    Holds(TermId),
    /// While no other way out of the location is possible.
    Else,
    /// While a channel has room, or somebody is there to receive.
    CanSend(&'p ChannelTerm),
    /// While the channel has a message that matches, or somebody is there to send one.
    CanReceive {
        /// The channel.
        channel: &'p ChannelTerm,
        /// Whether any message will do, not just the oldest.
        random: bool,
        /// What is asked of the fields.
        fields: &'p [FieldTerm],
    },
    /// While one of these is possible: the alternatives at the start of a `d_step`.
    Any(Vec<Guard<'p>>),
    /// Nothing is known about it.
    Unknown,
}

impl SlotSet {
    /// Adds a slot.
    pub fn insert(&mut self, slot: SlotId) {
        let word = slot.index() / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (slot.index() % 64);
    }

    /// Whether a slot is in it.
    #[must_use]
    pub fn contains(&self, slot: SlotId) -> bool {
        self.0.get(slot.index() / 64).is_some_and(|word| word >> (slot.index() % 64) & 1 == 1)
    }

    /// Adds the slots of another set.
    pub fn merge(&mut self, other: &SlotSet) {
        other.iter().for_each(|slot| self.insert(slot));
    }

    /// Whether two sets have a slot in common.
    #[must_use]
    pub fn meets(&self, other: &SlotSet) -> bool {
        self.0.iter().zip(&other.0).any(|(one, other)| one & other != 0)
    }

    /// The slots, ascending.
    pub fn iter(&self) -> impl Iterator<Item = SlotId> {
        let bits = |(index, &word): (usize, &u64)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| (index, bit))
        };
        self.0.iter().enumerate().flat_map(bits).map(|(index, bit)| SlotId(index as u32 * 64 + bit))
    }
}

impl Way {
    /// When it is possible.
    #[must_use]
    pub fn guard(&self) -> Guard<'_> {
        guard(&self.step)
    }
}

fn guard(step: &Step) -> Guard<'_> {
    match step {
        Step::Condition(term) => Guard::Holds(*term),
        Step::Else => Guard::Else,
        Step::Send { channel, .. } => Guard::CanSend(channel),
        Step::Receive { channel, random, fields, .. } => Guard::CanReceive { channel, random: *random, fields },
        Step::Deterministic(nodes) => {
            Guard::Any(nodes.first().into_iter().flatten().map(|(step, _)| guard(step)).collect())
        }
        Step::Composite(composite) => composite.first.as_deref().map_or(Guard::Always, guard),
        Step::Opaque => Guard::Unknown,
        Step::Skip | Step::Assign(..) | Step::Evaluate(_) | Step::Assert(_) | Step::SetPriority(..) | Step::End => {
            Guard::Always
        }
    }
}

impl Program<'_> {
    /// What a process reads and writes when it goes a way out of a location: to find out whether it can, and as it does.
    #[must_use]
    pub fn access(&self, slots: &Slots, pid: Pid, location: Location, way: &Way) -> Access {
        let mut reader = Reader { program: self, slots, pid: Some(pid), access: Access::default() };
        // With priorities, a process asks what all others can do.
        reader.access.everything = !slots.priorities_are_absent();
        reader.access.reads.insert(slots.location(pid));
        if way.target != location {
            reader.access.writes.insert(slots.location(pid));
        }
        slots.last().into_iter().for_each(|last| reader.access.writes.insert(last));
        self.processes[pid.index()].provided.into_iter().for_each(|term| reader.term(term));
        reader.step(&way.step);
        // Of two ways at a location, one may be possible only while the other is not.
        let locations = &self.processes[pid.index()].locations;
        if let Ok(index) = locations.binary_search_by_key(&location, |&(location, _)| location) {
            let ways = &locations[index].1;
            if matches!(way.step, Step::Else) || ways.iter().any(|other| other.rank != way.rank) {
                ways.iter().for_each(|other| reader.guard(&other.guard()));
            }
        }
        reader.access
    }

    /// What must be read for the value of a term that a process computes, or nobody in particular.
    #[must_use]
    pub fn access_of_term(&self, slots: &Slots, pid: Option<Pid>, term: TermId) -> Access {
        let mut reader = Reader { program: self, slots, pid, access: Access::default() };
        reader.term(term);
        reader.access
    }
}

struct Reader<'p, 'm> {
    program: &'p Program<'m>,
    slots: &'p Slots,
    pid: Option<Pid>,
    access: Access,
}

impl<'m> Reader<'_, 'm> {
    fn configuration(&self) -> &Configuration<'m> {
        &self.program.configuration
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Skip | Step::Else => {}
            Step::Condition(term) | Step::Assert(term) => self.term(*term),
            Step::Assign(place, value) => {
                self.term(*value);
                self.write(place);
            }
            Step::Evaluate(terms) => terms.iter().for_each(|&term| self.term(term)),
            Step::Send { channel, values, .. } => {
                values.iter().for_each(|&value| self.term(value));
                self.exchange(channel);
            }
            Step::Receive { channel, fields, copy, .. } => {
                self.fields(fields);
                let bound = fields.iter().filter_map(|field| match field {
                    FieldTerm::Bind(place) => Some(place),
                    FieldTerm::Ignore | FieldTerm::Match(_) => None,
                });
                bound.for_each(|place| self.write(place));
                if *copy { self.messages(channel) } else { self.exchange(channel) }
            }
            Step::SetPriority(pid, priority) => {
                self.term(*pid);
                self.term(*priority);
                self.access.everything = true;
            }
            Step::Deterministic(nodes) => nodes.iter().flatten().for_each(|(step, _)| self.step(step)),
            Step::Composite(composite) => composite.steps().for_each(|step| self.step(step)),
            Step::End => self.end(),
            Step::Opaque => self.access.everything = true,
        }
    }

    fn guard(&mut self, guard: &Guard<'_>) {
        match guard {
            Guard::Always | Guard::Else => {}
            Guard::Holds(term) => self.term(*term),
            Guard::CanSend(channel) => self.lengths(channel),
            Guard::CanReceive { channel, fields, .. } => {
                self.fields(fields);
                self.messages(channel);
            }
            Guard::Any(guards) => guards.iter().for_each(|guard| self.guard(guard)),
            Guard::Unknown => self.access.everything = true,
        }
    }

    fn term(&mut self, term: TermId) {
        let program = self.program;
        match program.terms.get(term) {
            Term::Constant(_) | Term::Fails => {}
            Term::Load(place) => self.read(place),
            Term::Unary(_, operand) => self.term(*operand),
            Term::Binary(_, left, right) => [left, right].into_iter().for_each(|&term| self.term(term)),
            Term::Conditional(condition, yes, no) => {
                [condition, yes, no].into_iter().for_each(|&term| self.term(term));
            }
            Term::Probe(_, channel) => self.lengths(channel),
            Term::Poll { channel, pattern, .. } => {
                pattern.iter().flatten().for_each(|&term| self.term(term));
                self.messages(channel);
            }
            Term::At(pid, _) => self.location(*pid),
            Term::AnyAt(pid, definition, _) => {
                self.term(*pid);
                let asked: Vec<Pid> = self.configuration().instances(*definition).collect();
                asked.into_iter().for_each(|pid| self.location(pid));
            }
            Term::LocationOf(pid) => {
                self.term(*pid);
                self.all_locations();
            }
            Term::NonProgress => self.all_locations(),
            Term::ProcessCount | Term::ChannelCount | Term::Instance(..) => self.processes(),
            Term::Last => self.slots.last().into_iter().for_each(|last| self.access.reads.insert(last)),
            Term::Timeout | Term::Priority(_) | Term::PriorityOf(_) | Term::Enabled(_) | Term::Opaque => {
                self.access.everything = true;
            }
        }
    }

    fn fields(&mut self, fields: &[FieldTerm]) {
        for field in fields {
            if let FieldTerm::Match(term) = field {
                self.term(*term);
            }
        }
    }

    fn read(&mut self, place: &Reference) {
        self.indices(place);
        for cell in self.program.possible_cells(place) {
            self.owner(cell);
            self.slots.cell(cell).into_iter().for_each(|slot| self.access.reads.insert(slot));
        }
    }

    fn write(&mut self, place: &Reference) {
        self.indices(place);
        for cell in self.program.possible_cells(place) {
            self.owner(cell);
            self.slots.cell(cell).into_iter().for_each(|slot| self.access.writes.insert(slot));
        }
    }

    fn indices(&mut self, place: &Reference) {
        match place {
            Reference::Cell(_) | Reference::Missing => {}
            Reference::Indexed(_, indices) => indices.iter().for_each(|&index| self.term(index)),
            Reference::Remote { pid, indices, .. } => {
                self.term(*pid);
                indices.iter().for_each(|&index| self.term(index));
            }
        }
    }

    /// A cell of another process is there as long as that process is.
    fn owner(&mut self, cell: CellId) {
        let group = self.configuration().cells[cell.index()];
        if let Storage::Process(owner) = self.configuration().groups[group.index()].storage
            && Some(owner) != self.pid
            && self.program.can_disappear(owner)
        {
            self.processes();
        }
    }

    fn location(&mut self, pid: Pid) {
        self.access.reads.insert(self.slots.location(pid));
        if self.program.can_disappear(pid) {
            self.processes();
        }
    }

    fn all_locations(&mut self) {
        self.configuration().pids().for_each(|pid| self.location(pid));
    }

    fn processes(&mut self) {
        self.access.reads.insert(self.slots.process_count());
    }

    /// The channels that may be meant, once the number of the channel is read.
    fn channels(&mut self, channel: &ChannelTerm) -> Vec<ChannelId> {
        match channel {
            ChannelTerm::Known(id) => vec![*id],
            ChannelTerm::Missing => Vec::new(),
            ChannelTerm::Variable(number) => {
                self.term(*number);
                (0..self.configuration().channels.len() as u32).map(ChannelId).collect()
            }
        }
    }

    /// How full a channel is; at a port, whether a partner is there.
    fn lengths(&mut self, channel: &ChannelTerm) {
        for id in self.channels(channel) {
            match self.slots.length(id) {
                Some(length) => self.access.reads.insert(length),
                None => self.port(id),
            }
            self.ends();
            if let Storage::Process(owner) = self.configuration().channels[id.index()].storage
                && Some(owner) != self.pid
            {
                self.processes();
            }
        }
    }

    /// The messages of a channel.
    fn messages(&mut self, channel: &ChannelTerm) {
        self.lengths(channel);
        for id in self.channels(channel) {
            self.slots.fields(id).for_each(|slot| self.access.reads.insert(slot));
        }
    }

    /// Messages come and go, and others move up.
    fn exchange(&mut self, channel: &ChannelTerm) {
        self.messages(channel);
        for id in self.channels(channel) {
            let slots = self.slots.length(id).into_iter().chain(self.slots.fields(id));
            slots.for_each(|slot| self.access.writes.insert(slot));
        }
        self.observer();
    }

    fn port(&mut self, id: ChannelId) {
        if let Err(place) = self.access.ports.binary_search(&id) {
            self.access.ports.insert(place, id);
        }
    }

    /// Whether somebody has the end of a channel to himself: who that is may be said by a variable.
    fn ends(&mut self) {
        let program = self.program;
        let ends = program.processes.iter().flat_map(|process| &process.ends);
        for &end in ends {
            self.processes();
            for cell in program.cells_of_term(end) {
                self.slots.cell(cell).into_iter().for_each(|slot| self.access.reads.insert(slot));
            }
        }
    }

    /// A `trace` or `notrace` automaton moves with what is sent and received.
    fn observer(&mut self) {
        let configuration = &self.program.configuration;
        let Some(trace) = &configuration.machine.trace else { return };
        for cell in configuration.cells_of(configuration.group(Storage::Global, trace.cells)) {
            if let Some(slot) = self.slots.cell(cell) {
                self.access.reads.insert(slot);
                self.access.writes.insert(slot);
            }
        }
    }

    /// A process goes, if it is the youngest, with its variables and channels.
    fn end(&mut self) {
        self.processes();
        let Some(pid) = self.pid else { return };
        let configuration = &self.program.configuration;
        let own = Storage::Process(pid);
        self.access.writes.insert(self.slots.process_count());
        self.access.writes.insert(self.slots.location(pid));
        let cells = (0..configuration.cells.len() as u32).map(CellId);
        let is_own = |cell: &CellId| configuration.groups[configuration.cells[cell.index()].index()].storage == own;
        for slot in cells.filter(is_own).filter_map(|cell| self.slots.cell(cell)) {
            self.access.writes.insert(slot);
        }
        let channels = (0..configuration.channels.len() as u32).map(ChannelId);
        for id in channels.filter(|id| configuration.channels[id.index()].storage == own) {
            let slots = self.slots.length(id).into_iter().chain(self.slots.fields(id));
            slots.for_each(|slot| self.access.writes.insert(slot));
        }
    }
}
