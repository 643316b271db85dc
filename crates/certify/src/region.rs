//! The region in which symmetries apply: all processes exist, and none is created any more.
//!
//! Every state of the region has the same length, and every scalar has its place, its slot. In the region processes stay at their end: only the
//! youngest process may disappear, so disappearing would tell processes apart. That is no loss if nobody can tell the
//! difference, which [`crate::prover`] makes sure of: then every run of the model is a run of the machine without deaths, up to processes at their
//! end, and what is wrong in the one is wrong in the other.

use std::sync::Arc;

use machine::Machine;
use machine::action::{Action, ActionKind, Field};
use machine::expression::{Expr, Owner, Place};
use machine::id::{ChannelShapeId, DefinitionId, Location};
use machine::layout::{Area, OwnedChannel};
use machine::scalar::Scalar;
use machine::state::{Header, ScalarAt, read_number};

use crate::kinds::{Kind, Kinds, NUMBER};
use crate::{Accepted, Rejection};

/// The states in which certain processes exist, and none of them is at a location from which it could come to a `run`.
#[derive(Clone, Debug)]
pub struct Region {
    /// The machine.
    pub machine: Arc<Machine>,
    /// The machine in which processes stay at their end.
    pub without_deaths: Arc<Machine>,
    /// What is a name, and of what.
    pub kinds: Kinds,
    /// By definition and location: whether no `run` can follow.
    settled: Vec<Vec<bool>>,
    /// By definition: whether a process of it can come to its end in the region.
    dying: Vec<bool>,
    /// By group of global cells: the channel that each of its elements holds for ever, if it does.
    constants: Vec<Option<Vec<usize>>>,
    /// Where each process lies.
    pub frames: Vec<u32>,
    /// The channels, in the order of their numbers.
    pub channels: Vec<ChannelAt>,
    /// The scalars of a state.
    pub slots: Vec<Slot>,
    /// Bytes of a state.
    pub length: usize,
}

/// A channel of the states of a region.
#[derive(Clone, Copy, Debug)]
pub struct ChannelAt {
    /// Its shape.
    pub shape: ChannelShapeId,
    /// Where it begins.
    pub offset: u32,
}

/// The place of a scalar.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// Where it lies.
    pub at: ScalarAt,
    /// What lies there.
    pub what: What,
    /// The kind of what it holds; locations are of none.
    pub kind: Kind,
}

/// What lies in a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// The location of a process.
    Location(usize),
    /// A cell of a process, or a global one.
    Cell(Option<usize>, usize, u32),
    /// The number of messages in a channel.
    Length(usize),
    /// A field of a message: channel, position, field.
    Field(usize, u32, usize),
}

impl Region {
    /// The region with these processes.
    ///
    /// # Errors
    /// When the machine has something that tells processes apart by their numbers, or that nobody can see through.
    pub fn new(machine: &Arc<Machine>, kinds: Kinds) -> Accepted<Region> {
        let refuse = |what: &str| Err(Rejection::new(format!("symmetry is not certified for models with {what}")));
        let layout = &machine.layout;
        if layout.last_offset.is_some() || layout.priority_offset.is_some() {
            return refuse("`_last` or priorities");
        }
        if machine.trace.is_some() {
            return refuse("a trace automaton");
        }
        if machine.definitions.iter().any(|definition| !definition.exclusive.is_empty()) {
            return refuse("`xr` or `xs`");
        }
        let areas = std::iter::once(&layout.globals).chain(&layout.frames);
        if areas.flat_map(|area| &area.cells).any(|cells| cells.hidden) {
            return refuse("variables beside the state");
        }
        if machine.features.embedded_c || !machine.code.pieces.is_empty() {
            return refuse("embedded C");
        }
        let settled: Vec<Vec<bool>> =
            (0..machine.definitions.len() as u32).map(|id| settled(machine, DefinitionId(id))).collect();
        let ends = |id: usize| ends(machine, DefinitionId(id as u32), &settled[id]);
        let dying = (0..settled.len()).map(ends).collect::<Accepted<Vec<bool>>>()?;
        let without_deaths = Arc::new(without_deaths(machine));
        let mut region = Region {
            machine: machine.clone(),
            without_deaths,
            kinds,
            settled,
            dying,
            constants: constants(machine),
            frames: Vec::new(),
            channels: Vec::new(),
            slots: Vec::new(),
            length: layout.globals.size as usize,
        };
        region.lay_out();
        let owns = |&definition: &u32| !layout.frames[definition as usize].channels.is_empty();
        let dies = |&definition: &u32| region.dying[definition as usize];
        if region.kinds.processes.iter().any(|definition| dies(definition) && owns(definition)) {
            return Err(Rejection::new("a process that can come to its end owns a channel"));
        }
        Ok(region)
    }

    fn lay_out(&mut self) {
        let machine = self.machine.clone();
        let layout = &machine.layout;
        self.add_cells(None, &layout.globals, 0);
        for (pid, definition) in self.kinds.processes.clone().into_iter().enumerate() {
            let frame = self.length as u32;
            let bytes = Header::of(layout).location_bytes(frame as usize);
            let at = ScalarAt { offset: bytes.start as u32, width: bytes.len() as u8, signed: false };
            self.slots.push(Slot { at, what: What::Location(pid), kind: NUMBER });
            let area = &layout.frames[definition as usize];
            self.add_cells(Some(pid), area, frame);
            self.frames.push(frame);
            self.length += area.size as usize;
        }
        let channels: Vec<(Option<usize>, OwnedChannel)> =
            self.kinds.channels(&machine).map(|(owner, channel)| (owner, channel.clone())).collect();
        for (owner, channel) in channels {
            let base = owner.map_or(0, |pid| self.frames[pid]);
            self.channels.push(ChannelAt { shape: channel.shape, offset: base + channel.offset });
            self.add_channel(self.channels.len() - 1);
        }
    }

    fn add_cells(&mut self, owner: Option<usize>, area: &Area, base: u32) {
        for (number, cells) in area.cells.iter().enumerate() {
            let kind = self.cell_kinds(owner, number).content;
            for element in 0..cells.count {
                let at = ScalarAt::of(base + cells.element_offset(element), cells.scalar);
                self.slots.push(Slot { at, what: What::Cell(owner, number, element), kind });
            }
        }
    }

    fn add_channel(&mut self, channel: usize) {
        let machine = self.machine.clone();
        let ChannelAt { shape, offset } = self.channels[channel];
        let shape = machine.layout.shape(shape);
        if shape.is_rendezvous() {
            return;
        }
        let width = shape.length_width();
        let at = ScalarAt { offset, width: width as u8, signed: false };
        self.slots.push(Slot { at, what: What::Length(channel), kind: NUMBER });
        for position in 0..shape.capacity {
            for field in 0..shape.fields.len() {
                let what = What::Field(channel, position, field);
                let at = ScalarAt::of(self.offset(what), shape.scalar(field));
                self.slots.push(Slot { at, what, kind: self.kinds.fields[channel][field] });
            }
        }
    }

    /// Where something lies.
    #[must_use]
    pub fn offset(&self, what: What) -> u32 {
        match what {
            What::Location(pid) => self.frames[pid] + self.machine.layout.definition_width,
            What::Cell(owner, cells, element) => {
                let base = owner.map_or(0, |pid| self.frames[pid]);
                base + self.cells(owner, cells).element_offset(element)
            }
            What::Length(channel) => self.channels[channel].offset,
            What::Field(channel, position, field) => {
                let ChannelAt { shape, offset } = self.channels[channel];
                let shape = self.machine.layout.shape(shape);
                offset + shape.length_width() + position * shape.message_size() + shape.field_offset(field)
            }
        }
    }

    /// Whether a cell of a global group may hold the number of a channel.
    #[must_use]
    pub fn may_hold(&self, cells: usize, channel: usize) -> bool {
        self.constants[cells].as_ref().is_none_or(|channels| channels.contains(&channel))
    }

    /// The channel that a global cell holds for ever, if it does.
    #[must_use]
    pub fn constant(&self, cells: usize, element: u32) -> Option<usize> {
        self.constants[cells].as_ref().map(|channels| channels[element as usize])
    }

    /// How many messages a channel holds in a state of the region.
    #[must_use]
    pub fn messages(&self, state: &[u8], channel: usize) -> u32 {
        let ChannelAt { shape, offset } = self.channels[channel];
        read_number(&state[offset as usize..], self.machine.layout.shape(shape).length_width() as usize)
    }

    /// The kinds of a group of cells of a process, or of a global one.
    #[must_use]
    pub fn cell_kinds(&self, owner: Option<usize>, cells: usize) -> &crate::kinds::CellKinds {
        match owner {
            None => &self.kinds.globals[cells],
            Some(pid) => &self.kinds.frames[self.kinds.processes[pid] as usize][cells],
        }
    }

    /// A group of cells of a process, or a global one.
    #[must_use]
    pub fn cells(&self, owner: Option<usize>, cells: usize) -> &machine::layout::Cells {
        let layout = &self.machine.layout;
        match owner {
            None => &layout.globals.cells[cells],
            Some(pid) => &layout.frames[self.kinds.processes[pid] as usize].cells[cells],
        }
    }

    /// The storage of a field of a channel.
    #[must_use]
    pub fn field(&self, channel: usize, field: usize) -> Scalar {
        self.machine.layout.shape(self.channels[channel].shape).scalar(field)
    }

    /// The definition of a process.
    #[must_use]
    pub fn definition(&self, pid: usize) -> DefinitionId {
        DefinitionId(self.kinds.processes[pid])
    }

    /// Whether no `run` can follow a location.
    #[must_use]
    pub fn is_settled(&self, definition: DefinitionId, location: Location) -> bool {
        self.settled[definition.index()][location.index()]
    }

    /// Whether processes of a definition can come to their end in the region.
    #[must_use]
    pub fn can_die(&self, definition: DefinitionId) -> bool {
        self.dying[definition.index()]
    }

    /// Whether any process of the region can.
    #[must_use]
    pub fn has_deaths(&self) -> bool {
        (0..self.kinds.processes.len()).any(|pid| self.can_die(self.definition(pid)))
    }

    /// Whether a state, which is one of the machine, lies in the region.
    #[must_use]
    pub fn contains(&self, state: &[u8]) -> bool {
        let layout = &self.machine.layout;
        let header = Header::of(layout);
        state.len() == self.length
            && usize::from(state[0]) == self.frames.len()
            && self.frames.iter().zip(&self.kinds.processes).all(|(&frame, &definition)| {
                let frame = frame as usize;
                let at = read_number(&state[header.location_bytes(frame)], layout.location_width as usize);
                header.definition(state, frame).0 == definition && self.settled[definition as usize][at as usize]
            })
    }
}

/// The machine in which processes that came to their end stay there.
fn without_deaths(machine: &Machine) -> Machine {
    let mut machine = machine.clone();
    for action in &mut machine.actions {
        if matches!(action.kind, ActionKind::End) {
            action.kind = ActionKind::Condition(Expr::Constant(0));
        }
    }
    machine
}

/// By group of global cells: the channels that its elements hold for ever. Each must own one, and nobody may ever write to the group.
fn constants(machine: &Machine) -> Vec<Option<Vec<usize>>> {
    let globals = &machine.layout.globals;
    let owned = |cells: usize| {
        let of = |element: u32| {
            let is_owned = |each: &OwnedChannel| (each.cells.index(), each.element) == (cells, element);
            globals.channels.iter().position(is_owned)
        };
        let is_written = machine.actions.iter().any(|action| writes(action, cells))
            || machine.global_initial.iter().any(|each| each.cells.index() == cells);
        if is_written { None } else { (0..globals.cells[cells].count).map(of).collect() }
    };
    (0..globals.cells.len()).map(owned).collect()
}

/// Whether an action writes to a group of global cells. Actions inside of a `d_step` are actions of their own.
fn writes(action: &Action, cells: usize) -> bool {
    let is_one = |place: &Place| place.owner == Owner::Global && place.cells.index() == cells;
    match &action.kind {
        ActionKind::Assign(place, _) => is_one(place),
        ActionKind::Receive(receive) => {
            receive.fields.iter().any(|field| matches!(field, Field::Bind(place) if is_one(place)))
        }
        _ => false,
    }
}

/// By location: whether no `run` can follow.
fn settled(machine: &Machine, definition: DefinitionId) -> Vec<bool> {
    let locations = &machine.definition(definition).automaton.locations;
    let mut settled = vec![true; locations.len()];
    loop {
        let before = settled.clone();
        for (number, location) in locations.iter().enumerate() {
            settled[number] &= location
                .edges
                .iter()
                .all(|edge| settled[edge.target.index()] && !creates(machine, machine.action(edge.action)));
        }
        if settled == before {
            return settled;
        }
    }
}

/// Whether an action may create a process.
fn creates(machine: &Machine, action: &Action) -> bool {
    match &action.kind {
        ActionKind::Deterministic(body) => {
            body.nodes.iter().flat_map(|node| &node.edges).any(|edge| creates(machine, machine.action(edge.action)))
        }
        _ => action.any(&mut |expr| matches!(expr, Expr::Run(_))),
    }
}

/// Whether a process can come to its end from a settled location. The end is a location of its own.
fn ends(machine: &Machine, definition: DefinitionId, settled: &[bool]) -> Accepted<bool> {
    let is_end = |edge: &machine::automaton::Edge| matches!(machine.action(edge.action).kind, ActionKind::End);
    let locations = machine.definition(definition).automaton.locations.iter().zip(settled);
    let mut ends = false;
    for (location, _) in locations.filter(|(location, settled)| **settled && location.edges.iter().any(is_end)) {
        if location.edges.len() > 1 || !location.end {
            return Err(Rejection::new("a process can do something else at its end"));
        }
        ends = true;
    }
    Ok(ends)
}
