//! From automorphisms of the program graph to permutations of a shape's points.
//!
//! Constants have no slots; every process has one, for its location, even if that never changes, so that the group is one of
//! permutations of processes too. A class of names that no automorphism renames is left as plain numbers, which says the
//! same and is faster.

use group::graph::SparsePermutation;
use group::{Permutation, Point};
use machine::ground::{self, CellId, ChannelId, Program, SlotKind, Slots};
use machine::id::{Location, Pid};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::detect::classes::ClassId;
use crate::detect::domains::Domains;
use crate::detect::program_graph::ProgramGraph;
use crate::shape::{Content, DomainId, Shape, Slot, SlotId, Validity};

/// A set of values that are renamed together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(in crate::detect) enum DomainKey {
    Locations(Pid),
    Class(ClassId),
}

/// What a point is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::detect) enum PointSource {
    Slot(SlotKind),
    Value(DomainKey, i32),
}

/// A shape and what its points are.
pub(in crate::detect) struct Projection {
    pub shape: Shape,
    pub points: Vec<PointSource>,
    /// The values that can occur in a slot, where they are known.
    pub possible: Vec<(SlotId, Vec<i32>)>,
    images: FxHashMap<Point, Vec<Point>>,
}

/// The shape on which the automorphisms act.
pub(in crate::detect) fn project(
    program: &Program<'_>,
    domains: &Domains,
    graph: &ProgramGraph,
    generators: &[SparsePermutation],
) -> Projection {
    let renamed = renamed_domains(graph, generators);
    let mut keys: Vec<DomainKey> = renamed.iter().copied().collect();
    keys.sort_unstable();
    let mut builder = Builder {
        program,
        domains,
        graph,
        slots: Slots::of(&program.configuration),
        keys,
        projection: Projection {
            shape: Shape { length: program.configuration.entry.bytes().len(), ..Shape::default() },
            points: Vec::new(),
            possible: Vec::new(),
            images: FxHashMap::default(),
        },
    };
    builder.add_processes();
    builder.add_cells();
    builder.add_channels();
    builder.add_domains();
    builder.projection
}

impl Projection {
    /// The points of the processes' locations, by pid.
    pub fn process_points(&self) -> Vec<Point> {
        let is_process = |&point: &usize| matches!(self.points[point], PointSource::Slot(SlotKind::Location(_)));
        (0..self.points.len()).filter(is_process).map(|point| point as Point).collect()
    }

    /// What an automorphism does to the points.
    pub fn permutation(&self, generator: &SparsePermutation) -> Permutation {
        let mut images: Vec<Point> = (0..self.shape.degree() as Point).collect();
        for &(from, to) in generator.moves() {
            if let (Some(from), Some(to)) = (self.images.get(&from), self.images.get(&to)) {
                for (&from, &to) in from.iter().zip(to) {
                    images[from as usize] = to;
                }
            }
        }
        Permutation::from_images(images).expect("an automorphism permutes the vertices of each kind among themselves")
    }
}

/// The domains in which some name gets another number.
fn renamed_domains(graph: &ProgramGraph, generators: &[SparsePermutation]) -> FxHashSet<DomainKey> {
    let mut names: FxHashMap<Point, (DomainKey, i32)> = FxHashMap::default();
    for (&class, values) in &graph.names {
        names.extend(values.iter().map(|&(value, vertex)| (vertex.point(), (DomainKey::Class(class), value))));
    }
    for (pid, locations) in graph.locations.iter().enumerate() {
        let key = DomainKey::Locations(Pid(pid as u8));
        names.extend(locations.iter().map(|&(location, vertex)| (vertex.point(), (key, location.0 as i32))));
    }
    let mut renamed = FxHashSet::default();
    let mut together: FxHashMap<DomainKey, Vec<DomainKey>> = FxHashMap::default();
    for &(from, to) in generators.iter().flat_map(SparsePermutation::moves) {
        let (Some(&(from, old)), Some(&(to, new))) = (names.get(&from), names.get(&to)) else { continue };
        if old != new {
            renamed.extend([from, to]);
        }
        if from != to {
            together.entry(from).or_default().push(to);
            together.entry(to).or_default().push(from);
        }
    }
    let mut waiting: Vec<DomainKey> = renamed.iter().copied().collect();
    while let Some(key) = waiting.pop() {
        for &other in together.get(&key).into_iter().flatten() {
            if renamed.insert(other) {
                waiting.push(other);
            }
        }
    }
    renamed
}

struct Builder<'b, 'm> {
    program: &'b Program<'m>,
    domains: &'b Domains,
    graph: &'b ProgramGraph,
    slots: Slots,
    keys: Vec<DomainKey>,
    projection: Projection,
}

impl Builder<'_, '_> {
    fn add_processes(&mut self) {
        let program = self.program;
        for pid in program.configuration.pids() {
            let vertex = self.graph.processes[pid.index()].point();
            let locations = &program.processes[pid.index()].locations;
            let values = locations.iter().map(|&(location, _)| location.0 as i32).collect();
            let key = DomainKey::Locations(pid);
            self.add_slot(vertex, self.slots.location(pid), Some((key, values)), Validity::Always);
            if let Some(slot) = self.slots.priority(pid).filter(|_| program.priorities_change) {
                self.add_slot(vertex, slot, None, Validity::Always);
            }
        }
        if let (Some(slot), Some(vertex)) = (self.slots.last(), self.graph.last) {
            let class = self.nominal(self.domains.last);
            self.add_slot(vertex.point(), slot, class, Validity::Always);
        }
    }

    fn add_cells(&mut self) {
        let mut cells: Vec<CellId> = self.graph.cells.keys().copied().collect();
        cells.sort_unstable();
        for cell in cells.into_iter().filter(|cell| !self.program.constants[cell.index()]) {
            let Some(slot) = self.slots.cell(cell) else { continue };
            let class = self.nominal(self.domains.cells[cell.index()]);
            let vertex = self.graph.cells[&cell].point();
            self.add_slot(vertex, slot, class, Validity::Always);
        }
    }

    fn add_channels(&mut self) {
        let mut channels: Vec<ChannelId> = self.graph.channels.keys().copied().collect();
        channels.sort_unstable();
        for id in channels {
            let Some(length) = self.slots.length(id) else { continue };
            let vertex = self.graph.channels[&id].point();
            let length = self.add_slot(vertex, length, None, Validity::Always);
            let fields: Vec<ground::SlotId> = self.slots.fields(id).collect();
            for slot in fields {
                let SlotKind::Field { position, field, .. } = self.slots.get(slot).kind else { continue };
                let class = self.nominal(self.domains.fields[id.index()][field]);
                self.add_slot(vertex, slot, class, Validity::Beyond { length, position });
            }
        }
    }

    /// The values of a class, if they are names.
    fn nominal(&self, class: ClassId) -> Option<(DomainKey, Vec<i32>)> {
        let class = self.domains.classes.root(class);
        let names = self.domains.classes.names(class)?;
        Some((DomainKey::Class(class), names.iter().copied().collect()))
    }

    fn add_slot(
        &mut self,
        vertex: Point,
        slot: ground::SlotId,
        class: Option<(DomainKey, Vec<i32>)>,
        validity: Validity,
    ) -> SlotId {
        let domain = class.as_ref().and_then(|(key, _)| self.keys.binary_search(key).ok());
        let content = domain.map_or(Content::Number, |domain| Content::Name(DomainId(domain as u32)));
        let ground::Slot { at, kind } = self.slots.get(slot);
        let id = self.projection.shape.add_slot(Slot { at, content, validity });
        self.projection.points.push(PointSource::Slot(kind));
        self.projection.images.entry(vertex).or_default().push(id.0);
        if let Some((_, values)) = class {
            self.projection.possible.push((id, values));
        }
        id
    }

    fn add_domains(&mut self) {
        for key in self.keys.clone() {
            let vertices: Vec<(i32, Point)> = match key {
                DomainKey::Class(class) => {
                    self.graph.names[&class].iter().map(|&(value, vertex)| (value, vertex.point())).collect()
                }
                DomainKey::Locations(pid) => {
                    let locations = self.graph.locations[pid.index()].iter();
                    locations.map(|&(Location(number), vertex)| (number as i32, vertex.point())).collect()
                }
            };
            let id = self.projection.shape.add_domain(vertices.iter().map(|&(value, _)| value).collect());
            let first = self.projection.shape.domains[id.0 as usize].first_point;
            for (index, (value, vertex)) in vertices.into_iter().enumerate() {
                self.projection.points.push(PointSource::Value(key, value));
                self.projection.images.insert(vertex, vec![first + index as Point]);
            }
        }
    }
}
