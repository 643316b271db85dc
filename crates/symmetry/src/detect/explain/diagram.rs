//! Pictures of what is symmetric: who talks to whom, and the program graph itself.
//!
//! The channel diagram (Donaldson's, with variables added) has processes, channels and global variables, with an arc along the flow
//! of every message and value. It explains a group; it does not define it.

use machine::Machine;
use machine::ground::{
    CellId, ChannelId, ChannelTerm, Configuration, FieldTerm, Program, Reference, Step, TermId, find_entry,
};
use machine::state::Storage;
use rustc_hash::FxHashMap;

use crate::detect::compose::compose;
use crate::detect::domains::Domains;
use crate::detect::forgotten::Forgetting;
use crate::detect::program_graph::{self, Deaths};
use crate::detect::{deaths, names};

/// A graph to be drawn.
#[derive(Clone, Debug, Default)]
pub struct Diagram {
    /// The nodes.
    pub nodes: Vec<DiagramNode>,
    /// Arcs between nodes, each once.
    pub arcs: Vec<(usize, usize)>,
}

/// A node of a diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DiagramNode {
    /// What it is called, as in generators.
    pub name: String,
    /// What it is.
    pub kind: NodeKind,
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NodeKind {
    /// A process.
    Process,
    /// A channel.
    Channel,
    /// A variable.
    Variable,
    /// A part of the program.
    Program,
}

/// Processes, channels and global variables, with an arc where a message or value may flow.
#[must_use]
pub fn channel_diagram(machine: &Machine) -> Diagram {
    let Ok(entry) = find_entry(machine) else { return Diagram::default() };
    let program = Program::of(Configuration::of(machine, entry));
    let domains = Domains::of(&program, &[]);
    let mut drawer =
        Drawer { program: &program, domains: &domains, diagram: Diagram::default(), nodes: FxHashMap::default() };
    for pid in program.configuration.pids() {
        drawer.node(Object::Process(pid.index()));
    }
    for (index, process) in program.processes.iter().enumerate() {
        for way in process.locations.iter().flat_map(|(_, ways)| ways) {
            drawer.step(index, &way.step);
        }
    }
    let mut diagram = drawer.diagram;
    diagram.arcs.sort_unstable();
    diagram.arcs.dedup();
    diagram
}

/// The program graph, as it is searched for automorphisms.
#[must_use]
pub fn program_diagram(machine: &Machine) -> Diagram {
    let Ok(entry) = find_entry(machine) else { return Diagram::default() };
    let program = Program::of(Configuration::of(machine, entry));
    let deaths = if deaths::noticed(&program, &[]).is_some() { Deaths::Happen } else { Deaths::Ignored };
    let mut forgetting = Forgetting::usual(machine);
    let mut program = compose(&program, &forgetting);
    let domains = forgetting.settle(&mut program, &[]);
    let graph = program_graph::build(&program, &domains, &[], deaths, &[]);
    let (points, object_names) = names::Objects::of(&program, &domains, &graph).list(&graph);
    let named: FxHashMap<u32, String> = points.into_iter().zip(object_names).collect();
    let processes: Vec<u32> = graph.processes.iter().map(|process| process.point()).collect();
    let channels: Vec<u32> = graph.channels.values().map(|channel| channel.point()).collect();
    let nodes = graph.builder.colours().iter().enumerate().map(|(point, &colour)| {
        let point = point as u32;
        let kind = match named.get(&point) {
            _ if processes.contains(&point) => NodeKind::Process,
            _ if channels.contains(&point) => NodeKind::Channel,
            Some(_) => NodeKind::Variable,
            None => NodeKind::Program,
        };
        let described = format!("{:?}", graph.colours[colour as usize]);
        let kind_name = described.split(['{', '(', ' ']).next().unwrap_or("").to_string();
        DiagramNode { name: named.get(&point).cloned().unwrap_or(kind_name), kind }
    });
    let mut arcs: Vec<(usize, usize)> =
        graph.builder.arcs().map(|(from, to, _)| (from as usize, to as usize)).collect();
    arcs.sort_unstable();
    arcs.dedup();
    Diagram { nodes: nodes.collect(), arcs }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Object {
    Process(usize),
    Channel(ChannelId),
    Cell(CellId),
}

struct Drawer<'p, 'm> {
    program: &'p Program<'m>,
    domains: &'p Domains,
    diagram: Diagram,
    nodes: FxHashMap<Object, usize>,
}

impl Drawer<'_, '_> {
    fn node(&mut self, object: Object) -> usize {
        if let Some(&known) = self.nodes.get(&object) {
            return known;
        }
        let configuration = &self.program.configuration;
        let (name, kind) = match object {
            Object::Process(pid) => (configuration.process_name(machine::id::Pid(pid as u8)), NodeKind::Process),
            Object::Channel(id) => (configuration.channel_name(id), NodeKind::Channel),
            Object::Cell(cell) => (configuration.cell_name(cell), NodeKind::Variable),
        };
        self.diagram.nodes.push(DiagramNode { name, kind });
        self.nodes.insert(object, self.diagram.nodes.len() - 1);
        self.diagram.nodes.len() - 1
    }

    fn arc(&mut self, from: Object, to: Object) {
        let arc = (self.node(from), self.node(to));
        self.diagram.arcs.push(arc);
    }

    fn step(&mut self, process: usize, step: &Step) {
        match step {
            Step::Deterministic(nodes) => nodes.iter().flatten().for_each(|(step, _)| self.step(process, step)),
            Step::Composite(composite) => composite.steps().for_each(|step| self.step(process, step)),
            Step::Assign(place, value) => {
                self.writes(process, place);
                self.reads(process, *value);
            }
            Step::Send { channel, values, .. } => {
                for id in self.channels(channel) {
                    self.arc(Object::Process(process), Object::Channel(id));
                }
                values.iter().for_each(|&value| self.reads(process, value));
            }
            Step::Receive { channel, fields, .. } => {
                for id in self.channels(channel) {
                    self.arc(Object::Channel(id), Object::Process(process));
                }
                for field in fields {
                    match field {
                        FieldTerm::Bind(place) => self.writes(process, place),
                        FieldTerm::Match(value) => self.reads(process, *value),
                        FieldTerm::Ignore => {}
                    }
                }
            }
            Step::Condition(term) | Step::Assert(term) => self.reads(process, *term),
            Step::Evaluate(terms) => terms.iter().for_each(|&term| self.reads(process, term)),
            Step::SetPriority(..) | Step::Skip | Step::Else | Step::End | Step::Opaque => {}
        }
    }

    fn channels(&self, channel: &ChannelTerm) -> Vec<ChannelId> {
        match channel {
            ChannelTerm::Known(id) => vec![*id],
            ChannelTerm::Missing => Vec::new(),
            ChannelTerm::Variable(number) => {
                let names = self.domains.class_of(*number).and_then(|class| self.domains.classes.names(class));
                names.into_iter().flatten().filter_map(|&name| self.program.configuration.channel(name)).collect()
            }
        }
    }

    /// The global variables that a reference may mean, except those that never change and those that name channels.
    fn cells(&self, place: &Reference) -> Vec<CellId> {
        let configuration = &self.program.configuration;
        let is_shown = |cell: &CellId| {
            let group = configuration.cells[cell.index()];
            configuration.groups[group.index()].storage == Storage::Global
                && configuration.layout_of(group).ty != promela::model::Type::Chan
                && !self.program.constants[cell.index()]
        };
        self.program.possible_cells(place).into_iter().filter(is_shown).collect()
    }

    fn writes(&mut self, process: usize, place: &Reference) {
        for cell in self.cells(place) {
            self.arc(Object::Process(process), Object::Cell(cell));
        }
    }

    fn reads(&mut self, process: usize, term: TermId) {
        let mut cells = Vec::new();
        self.program.visit_term(term, &mut |place| cells.extend(self.cells(place)), &mut |_| {});
        for cell in cells {
            self.arc(Object::Cell(cell), Object::Process(process));
        }
    }
}
