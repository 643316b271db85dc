//! Objects by the names that people know them by: `client[2]`, `link[1]`, `client[2]:x`.

use group::Point;
use group::graph::SparsePermutation;
use machine::ground::{CellId, Program, SlotKind};
use machine::id::Pid;
use machine::state::Storage;
use rustc_hash::FxHashMap;

use super::domains::Domains;
use super::program_graph::ProgramGraph;
use super::projection::{DomainKey, PointSource};

/// What a point is called.
pub(super) fn point(program: &Program<'_>, domains: &Domains, point: PointSource) -> String {
    let configuration = &program.configuration;
    match point {
        PointSource::Slot(SlotKind::Location(pid)) => configuration.process_name(pid),
        PointSource::Slot(SlotKind::Length(id)) => configuration.channel_name(id),
        PointSource::Slot(kind) => kind.name(configuration),
        PointSource::Value(DomainKey::Locations(pid), value) => format!("{}@{value}", configuration.process_name(pid)),
        PointSource::Value(DomainKey::Class(class), value) => {
            let root = domains.classes.root(class);
            let cells = domains.cells.iter().position(|&class| domains.classes.root(class) == root);
            match cells {
                Some(index) => format!("{}={value}", configuration.cell_name(CellId(index as u32))),
                None => format!("value {value}"),
            }
        }
    }
}

/// The objects that people think of, by vertex: processes, channels and global variables.
pub(super) struct Objects {
    names: FxHashMap<Point, String>,
    others: FxHashMap<Point, String>,
}

impl Objects {
    pub fn of(program: &Program<'_>, domains: &Domains, graph: &ProgramGraph) -> Objects {
        let configuration = &program.configuration;
        let mut objects = Objects { names: FxHashMap::default(), others: FxHashMap::default() };
        for pid in configuration.pids() {
            objects.names.insert(graph.processes[pid.index()].point(), configuration.process_name(pid));
        }
        for (&id, vertex) in &graph.channels {
            objects.names.insert(vertex.point(), configuration.channel_name(id));
        }
        for (&id, vertex) in &graph.cells {
            let (group, _) = configuration.element(id);
            let is_channel = configuration.layout_of(group).ty == promela::model::Type::Chan;
            match configuration.groups[group.index()].storage {
                Storage::Global if !is_channel => objects.names.insert(vertex.point(), configuration.cell_name(id)),
                _ => objects.others.insert(vertex.point(), configuration.cell_name(id)),
            };
        }
        for (&class, names) in &graph.names {
            for &(value, vertex) in names {
                let name = point(program, domains, PointSource::Value(DomainKey::Class(class), value));
                objects.others.insert(vertex.point(), name);
            }
        }
        for (pid, locations) in graph.locations.iter().enumerate() {
            for &(location, vertex) in locations {
                let source = PointSource::Value(DomainKey::Locations(Pid(pid as u8)), location.0 as i32);
                objects.others.insert(vertex.point(), point(program, domains, source));
            }
        }
        objects
    }

    /// How many objects are shown.
    pub fn shown(&self) -> usize {
        self.names.len()
    }

    /// All objects with a name: processes by pid, then what people think of, then everything else.
    pub fn list(&self, graph: &ProgramGraph) -> (Vec<Point>, Vec<String>) {
        let processes: Vec<Point> = graph.processes.iter().map(|process| process.point()).collect();
        let mut points = processes.clone();
        for names in [&self.names, &self.others] {
            let mut more: Vec<Point> = names.keys().copied().filter(|point| !processes.contains(point)).collect();
            more.sort_unstable();
            points.extend(more);
        }
        let name = |point: &Point| self.names.get(point).or_else(|| self.others.get(point)).cloned();
        let names = points.iter().map(|point| name(point).unwrap_or_default()).collect();
        (points, names)
    }

    /// The cycles of an automorphism on objects, or where it moves none, on everything else.
    pub fn cycles(&self, generator: &SparsePermutation) -> Vec<Vec<String>> {
        let cycles = cycles_of(generator, &self.names);
        if cycles.is_empty() { cycles_of(generator, &self.others) } else { cycles }
    }
}

fn cycles_of(generator: &SparsePermutation, names: &FxHashMap<Point, String>) -> Vec<Vec<String>> {
    let mut seen: Vec<Point> = Vec::new();
    let mut cycles = Vec::new();
    for &(start, _) in generator.moves().iter().filter(|(start, _)| names.contains_key(start)) {
        if seen.contains(&start) {
            continue;
        }
        let mut cycle = Vec::new();
        let mut vertex = start;
        loop {
            seen.push(vertex);
            cycle.extend(names.get(&vertex).cloned());
            vertex = generator.image(vertex);
            if vertex == start {
                break;
            }
        }
        cycles.push(cycle);
    }
    cycles
}
