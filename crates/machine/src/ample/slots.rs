//! Which shared slots a machine has, and which of a process' values never change.
//!
//! A slot is a bit: an element of a global, a local variable that other processes name, a label that others ask about.
//! Locals that nobody else names are no slots, because only their own process touches them. Channels are not slots but
//! numbers, with a set of uses each.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::action::{Action, ActionKind, Field};
use crate::automaton::Automaton;
use crate::expression::{ChannelRef, Expr, Index, Owner, Place, Predefined};
use crate::footprint::Footprint;
use crate::id::{ActionId, CellsId, DefinitionId, Location};
use crate::machine::{InitialValues, Machine};

/// A group of more cells than this is one slot.
const LARGEST_DIVIDED: u32 = 1024;

/// The shared slots of a machine.
#[derive(Debug)]
pub(super) struct Slots {
    /// For each group of global cells its first slot, and how many it has.
    globals: Vec<(usize, u32)>,
    /// Locals that other processes name.
    remote: FxHashMap<(DefinitionId, CellsId), usize>,
    /// Labels that are asked about.
    labels: FxHashMap<(DefinitionId, Location), usize>,
    count: usize,
    /// By slot of a global: whether no state holds a value of it.
    unseen: Vec<bool>,
    /// Global cells that are never written after the initial state.
    fixed_globals: Vec<bool>,
    /// For each definition, its cells that are never written after a process is created.
    fixed_locals: Vec<Vec<bool>>,
    /// Global channels whose number is ever used as a value, so that any variable may hold it.
    pub leaked: Vec<bool>,
    /// Whether that may be so for channels of processes.
    pub leaked_local: bool,
}

impl Slots {
    /// The slots of a machine that is watched by `observers`; what the `unseen` elements of globals hold makes no difference.
    pub fn new(machine: &Machine, observers: &[Footprint], unseen: &[(CellsId, u32)]) -> Slots {
        let layout = &machine.layout;
        let mut slots = Slots {
            globals: Vec::new(),
            remote: FxHashMap::default(),
            labels: FxHashMap::default(),
            count: 0,
            unseen: Vec::new(),
            fixed_globals: vec![true; layout.globals.cells.len()],
            fixed_locals: layout.frames.iter().map(|frame| vec![true; frame.cells.len()]).collect(),
            leaked: Vec::new(),
            leaked_local: false,
        };
        for cells in &layout.globals.cells {
            let width = if cells.count > LARGEST_DIVIDED { 1 } else { cells.count };
            slots.globals.push((slots.count, width));
            slots.count += width as usize;
        }
        slots.unseen = vec![false; slots.count];
        for &(cells, element) in unseen {
            let (first, width) = slots.globals[cells.index()];
            // A group that is one slot holds elements that may be live.
            if width == layout.globals.cells[cells.index()].count {
                slots.unseen[first + element as usize] = true;
            }
        }
        let footprints = machine.actions.iter().map(|action| Footprint::of_action(machine, action));
        let provided = machine.definitions.iter().filter_map(|definition| definition.automaton.provided.as_ref());
        let provided = provided.map(|provided| Footprint::of_expr(machine, provided));
        for footprint in footprints.chain(provided).chain(observers.iter().cloned()) {
            slots.name(&footprint);
        }
        for (index, definition) in machine.definitions.iter().enumerate() {
            for action in actions_of(machine, &definition.automaton) {
                slots.note_writes(machine.action(action), DefinitionId(index as u32));
            }
        }
        // Sends and receives move it.
        if let Some(trace) = &machine.trace {
            slots.fixed_globals[trace.cells.index()] = false;
        }
        slots.note_leaks(machine);
        slots
    }

    /// How many slots there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// The slots of a global place; all of its group where the element is not known.
    pub fn global(&self, cells: CellsId, element: Option<u32>) -> std::ops::Range<usize> {
        let (first, width) = self.globals[cells.index()];
        let slots = match element {
            Some(element) if element < width => first + element as usize..first + element as usize + 1,
            _ => first..first + width as usize,
        };
        // Where one of several may be meant, one that is seen makes all count.
        if self.unseen[slots.clone()].iter().all(|&unseen| unseen) { 0..0 } else { slots }
    }

    /// The slot of a local, if other processes name it.
    pub fn local(&self, definition: DefinitionId, cells: CellsId) -> Option<usize> {
        self.remote.get(&(definition, cells)).copied()
    }

    /// The slot of a location, if it is asked about.
    pub fn label(&self, definition: DefinitionId, location: Location) -> Option<usize> {
        self.labels.get(&(definition, location)).copied()
    }

    /// Whether a place of a process of `definition` never changes as long as the process exists.
    pub fn is_fixed_place(&self, definition: DefinitionId, place: &Place) -> bool {
        let fixed = match &place.owner {
            Owner::Global => self.fixed_globals[place.cells.index()],
            Owner::Own => self.fixed_locals[definition.index()][place.cells.index()],
            Owner::Remote(..) => false,
        };
        fixed && self.has_fixed_index(definition, place)
    }

    /// Whether a place always is the same element for a process of `definition`.
    pub fn has_fixed_index(&self, definition: DefinitionId, place: &Place) -> bool {
        match &place.index {
            Index::Constant(_) => true,
            Index::Computed(indices) => {
                !indices.is_empty() && indices.iter().all(|(index, _)| self.is_fixed(definition, index))
            }
        }
    }

    /// Whether the global cells of a channel array never change.
    pub fn is_fixed_global(&self, cells: CellsId) -> bool {
        self.fixed_globals[cells.index()]
    }

    /// The cells of a definition that never change once a process exists.
    pub fn fixed_locals(&self, definition: DefinitionId) -> impl Iterator<Item = CellsId> {
        let fixed = self.fixed_locals[definition.index()].iter().enumerate();
        fixed.filter(|(_, fixed)| **fixed).map(|(cells, _)| CellsId(cells as u32))
    }

    fn is_fixed(&self, definition: DefinitionId, expr: &Expr) -> bool {
        match expr {
            Expr::Constant(_) | Expr::Predefined(Predefined::Pid) => true,
            Expr::Load(place) => self.is_fixed_place(definition, place),
            Expr::Unary(_, operand) => self.is_fixed(definition, operand),
            Expr::Binary(_, left, right, _) => self.is_fixed(definition, left) && self.is_fixed(definition, right),
            Expr::Conditional(condition, yes, no) => {
                [condition, yes, no].into_iter().all(|part| self.is_fixed(definition, part))
            }
            _ => false,
        }
    }

    /// Gives slots to what a footprint names of other processes.
    fn name(&mut self, footprint: &Footprint) {
        for place in footprint.reads.iter().chain(&footprint.writes) {
            if let Owner::Remote(definition, _) = place.owner {
                let next = self.count;
                let slot = *self.remote.entry((definition, place.cells)).or_insert(next);
                self.count = self.count.max(slot + 1);
            }
        }
        for &label in &footprint.locations {
            let next = self.count;
            let slot = *self.labels.entry(label).or_insert(next);
            self.count = self.count.max(slot + 1);
        }
    }

    fn note_writes(&mut self, action: &Action, definition: DefinitionId) {
        let mut note = |place: &Place| match &place.owner {
            Owner::Global => self.fixed_globals[place.cells.index()] = false,
            Owner::Own => self.fixed_locals[definition.index()][place.cells.index()] = false,
            Owner::Remote(other, _) => self.fixed_locals[other.index()][place.cells.index()] = false,
        };
        match &action.kind {
            ActionKind::Assign(place, _) => note(place),
            ActionKind::Receive(receive) => receive.fields.iter().for_each(|field| {
                if let Field::Bind(place) = field {
                    note(place);
                }
            }),
            _ => {}
        }
    }

    fn note_leaks(&mut self, machine: &Machine) {
        let layout = &machine.layout;
        let mut global_cells = FxHashSet::default();
        let mut local = false;
        let mut note = |expr: &Expr| {
            if let Expr::Load(place) = expr {
                match place.owner {
                    Owner::Global => drop(global_cells.insert(place.cells)),
                    // Which definition's cells these are is not known here.
                    Owner::Own | Owner::Remote(..) => {
                        let holds_channel = |area: &crate::layout::Area| {
                            area.channels.iter().any(|channel| channel.cells == place.cells)
                        };
                        local |= layout.frames.iter().any(holds_channel);
                    }
                }
            }
            false
        };
        for action in &machine.actions {
            action.any(&mut note);
        }
        let initial = machine.definitions.iter().flat_map(|definition| &definition.initial);
        for initialiser in initial.chain(&machine.global_initial) {
            if let InitialValues::Same(value) = &initialiser.values {
                value.any(&mut note);
            }
        }
        self.leaked = layout.globals.channels.iter().map(|each| global_cells.contains(&each.cells)).collect();
        self.leaked_local = local || follows_to_channel(machine);
    }
}

/// Whether a process uses a channel of another that it finds by a reference: `P[r].c!1`.
fn follows_to_channel(machine: &Machine) -> bool {
    let actions = machine.actions.iter().map(|action| Footprint::of_action(machine, action));
    let provided = machine.definitions.iter().filter_map(|definition| definition.automaton.provided.as_ref());
    let mut footprints = actions.chain(provided.map(|provided| Footprint::of_expr(machine, provided)));
    let is_found = |channel: &ChannelRef| matches!(channel, ChannelRef::Variable(place) if matches!(place.owner, Owner::Remote(..)));
    footprints.any(|footprint| footprint.channels.iter().any(|(channel, _)| is_found(channel)))
}

/// All actions of an automaton, those inside of `d_step`s included.
pub(crate) fn actions_of<'m>(machine: &'m Machine, automaton: &'m Automaton) -> impl Iterator<Item = ActionId> {
    let edges = automaton.locations.iter().flat_map(|location| &location.edges);
    edges.flat_map(|edge| {
        let inner: Vec<ActionId> = match &machine.action(edge.action).kind {
            ActionKind::Deterministic(body) => {
                body.nodes.iter().flat_map(|node| &node.edges).map(|inner| inner.action).collect()
            }
            _ => Vec::new(),
        };
        std::iter::once(edge.action).chain(inner)
    })
}
