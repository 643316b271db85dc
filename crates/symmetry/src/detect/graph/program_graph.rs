//! The program graph: a coloured graph whose automorphisms are symmetries of the transition relation.
//!
//! Its vertices are processes, their locations and ways, cells, channels, names, and the terms of every statement. A
//! permutation that preserves it maps every way of every process to a way that does the same to the permuted objects with the
//! permuted names, so it commutes with the steps of the configuration, whatever the state. Names of variables and proctypes
//! are no colours: processes of different definitions may be symmetric.
//!
//! Parts that are built here: objects. `graph_terms.rs` adds statements and expressions.

use group::graph::{GraphBuilder, Vertex};
use machine::ground::{CellId, ChannelId, ChannelTerm, GroupId, Program, Step, Term, TermId};
use machine::id::{CellsId, DefinitionId, Location, Pid};
use machine::state::Storage;
use promela::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::detect::classes::ClassId;
use crate::detect::colour::{CellColour, Colour, Label};
use crate::detect::domains::{Domains, Function};

/// Whether processes that came to their end disappear.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deaths {
    /// They do. Each of them is fixed by every symmetry, since only the youngest can go.
    Happen,
    /// In eligible states a process at its end stays there. Nothing in the model can tell the difference.
    Ignored,
}

/// The program graph with what its vertices stand for.
pub(in crate::detect) struct ProgramGraph {
    pub builder: GraphBuilder,
    pub processes: Vec<Vertex>,
    pub locations: Vec<Vec<(Location, Vertex)>>,
    pub cells: FxHashMap<CellId, Vertex>,
    pub channels: FxHashMap<ChannelId, Vertex>,
    pub last: Option<Vertex>,
    /// The names of each nominal class.
    pub names: FxHashMap<ClassId, Vec<(i32, Vertex)>>,
    /// What the colours of the vertices stand for.
    pub colours: Vec<Colour>,
}

/// Builds the graph; conditions to be preserved keep their value under every automorphism. The initial values of some
/// variables may be left out, to see what the symmetry would be without them.
pub(in crate::detect) fn build(
    program: &Program<'_>,
    domains: &Domains,
    preserved: &[TermId],
    deaths: Deaths,
    without_values: &[Span],
) -> ProgramGraph {
    let mut writer = Writer::new(program, domains, deaths);
    writer.without_values = without_values.to_vec();
    writer.add_classes();
    writer.add_processes();
    writer.add_channels();
    writer.add_arrays();
    writer.add_cells();
    writer.add_names_of_objects();
    writer.add_program();
    for (index, &condition) in preserved.iter().enumerate() {
        let condition = writer.condition(condition);
        writer.node(Colour::Preserved(index as u32), vec![(Label::Part(0), condition)]);
    }
    let mut colours: Vec<(Colour, u32)> = writer.colours.into_iter().collect();
    colours.sort_unstable_by_key(|&(_, number)| number);
    ProgramGraph {
        colours: colours.into_iter().map(|(colour, _)| colour).collect(),
        builder: writer.builder,
        processes: writer.processes,
        locations: writer.locations,
        cells: writer.cells,
        channels: writer.channels,
        last: writer.last,
        names: writer.names,
    }
}

/// What makes two tables one: the classes of the arguments, that of the result, and the rows.
pub(in crate::detect) type TableKey = (Vec<ClassId>, Option<ClassId>, Vec<(Vec<i32>, Option<i32>)>);

/// What makes two tables one before their rows are written out: the classes of the arguments, that of the result, the values of the
/// arguments, and what is computed from them.
pub(in crate::detect) type FunctionKey = (Vec<ClassId>, Option<ClassId>, Vec<Vec<i32>>, Function);

/// A graph under construction.
pub(in crate::detect) struct Writer<'p, 'm> {
    pub program: &'p Program<'m>,
    pub domains: &'p Domains,
    pub deaths: Deaths,
    builder: GraphBuilder,
    colours: FxHashMap<Colour, u32>,
    nodes: FxHashMap<(u32, Vec<(u32, Vertex)>), Vertex>,
    pub tables: FxHashMap<TableKey, Vertex>,
    pub functions: FxHashMap<FunctionKey, Vertex>,
    pub processes: Vec<Vertex>,
    pub locations: Vec<Vec<(Location, Vertex)>>,
    pub cells: FxHashMap<CellId, Vertex>,
    pub channels: FxHashMap<ChannelId, Vertex>,
    pub arrays: FxHashMap<GroupId, Vertex>,
    pub families: FxHashMap<(DefinitionId, CellsId), Vertex>,
    pub last: Option<Vertex>,
    names: FxHashMap<ClassId, Vec<(i32, Vertex)>>,
    class_vertices: FxHashMap<ClassId, Vertex>,
    without_values: Vec<Span>,
}

impl<'p, 'm> Writer<'p, 'm> {
    fn new(program: &'p Program<'m>, domains: &'p Domains, deaths: Deaths) -> Writer<'p, 'm> {
        Writer {
            program,
            domains,
            deaths,
            builder: GraphBuilder::new(),
            colours: FxHashMap::default(),
            nodes: FxHashMap::default(),
            tables: FxHashMap::default(),
            functions: FxHashMap::default(),
            processes: Vec::new(),
            locations: Vec::new(),
            cells: FxHashMap::default(),
            channels: FxHashMap::default(),
            arrays: FxHashMap::default(),
            families: FxHashMap::default(),
            last: None,
            names: FxHashMap::default(),
            class_vertices: FxHashMap::default(),
            without_values: Vec::new(),
        }
    }

    fn colour(&mut self, colour: Colour) -> u32 {
        let next = self.colours.len() as u32;
        *self.colours.entry(colour).or_insert(next)
    }

    /// A vertex that is unlike all others.
    pub fn vertex(&mut self, colour: Colour) -> Vertex {
        let colour = self.colour(colour);
        self.builder.add_vertex(colour)
    }

    pub fn arc(&mut self, from: Vertex, to: Vertex, label: Label) {
        self.builder.add_labelled_arc(from, to, label.number());
    }

    /// The vertex of a term or statement; equal ones share it.
    pub fn node(&mut self, colour: Colour, parts: Vec<(Label, Vertex)>) -> Vertex {
        let colour = self.colour(colour);
        let mut parts: Vec<(u32, Vertex)> = parts.into_iter().map(|(label, part)| (label.number(), part)).collect();
        parts.sort_unstable();
        if let Some(&known) = self.nodes.get(&(colour, parts.clone())) {
            return known;
        }
        let vertex = self.builder.add_vertex(colour);
        for &(label, part) in &parts {
            self.builder.add_labelled_arc(vertex, part, label);
        }
        self.nodes.insert((colour, parts), vertex);
        vertex
    }

    /// The vertex of a name; `None` if the value never occurs in the class.
    pub fn name(&self, class: ClassId, value: i32) -> Option<Vertex> {
        let names = self.names.get(&self.domains.classes.root(class))?;
        names.binary_search_by_key(&value, |&(name, _)| name).ok().map(|index| names[index].1)
    }

    fn add_classes(&mut self) {
        for class in self.domains.classes.roots() {
            let details = self.domains.classes.get(class);
            let Some(names) = self.domains.classes.names(class).filter(|names| !names.is_empty()) else { continue };
            let vertex = self.vertex(Colour::Class);
            let mut vertices = Vec::new();
            for &value in names {
                let is_false = details.is_condition && value == 0;
                let name = self.vertex(Colour::Value { is_false });
                self.arc(name, vertex, Label::InClass);
                vertices.push((value, name));
            }
            self.names.insert(class, vertices);
            self.class_vertices.insert(class, vertex);
        }
    }

    fn add_processes(&mut self) {
        let program = self.program;
        let configuration = &program.configuration;
        let layout = &configuration.machine.layout;
        let classes = &self.domains.classes;
        let by_number = classes.roots().any(|id| classes.get(id).names_processes && classes.names(id).is_none());
        let locations_are_numbers = program.terms.ids().any(|id| matches!(program.terms.get(id), Term::LocationOf(_)));
        for pid in configuration.pids() {
            let automaton = &configuration.machine.definition(configuration.definition(pid)).automaton;
            let priority = layout.priority_offset.map(|_| configuration.entry.priority(layout, pid));
            let individual = by_number || self.is_individual(Storage::Process(pid));
            let process = self.vertex(Colour::Process {
                deterministic: automaton.deterministic,
                priority,
                individual: individual.then_some(u32::from(pid.0)),
            });
            let mut vertices = Vec::new();
            for &(location, _) in &program.processes[pid.index()].locations {
                let info = automaton.location(location);
                let vertex = self.vertex(Colour::Location {
                    end: info.end,
                    accept: info.accept,
                    progress: info.progress,
                    number: locations_are_numbers.then_some(location.0),
                });
                self.arc(vertex, process, Label::Owner);
                if location == program.processes[pid.index()].entry {
                    self.arc(process, vertex, Label::Entry);
                }
                vertices.push((location, vertex));
            }
            self.processes.push(process);
            self.locations.push(vertices);
        }
    }

    /// Whether the objects of an owner are to be fixed because it may disappear.
    fn is_individual(&self, storage: Storage) -> bool {
        matches!(storage, Storage::Process(pid) if self.deaths == Deaths::Happen && self.program.can_disappear(pid))
    }

    /// The channels that are used.
    fn add_channels(&mut self) {
        let program = self.program;
        let configuration = &program.configuration;
        let classes = &self.domains.classes;
        let mut used: FxHashSet<ChannelId> = FxHashSet::default();
        let mut by_number = false;
        for way in program.ways() {
            program.visit_step(&way.step, &mut |_| {}, &mut |channel| {
                if let ChannelTerm::Known(id) = channel {
                    used.insert(*id);
                }
            });
        }
        for term in program.terms.ids().filter(|&id| self.domains.class_of(id).is_some()) {
            program.visit_term(term, &mut |_| {}, &mut |channel| {
                if let ChannelTerm::Known(id) = channel {
                    used.insert(*id);
                }
            });
        }
        for class in classes.roots().filter(|&class| classes.get(class).names_channels) {
            match classes.names(class) {
                Some(names) => used.extend(names.iter().filter_map(|&name| configuration.channel(name))),
                None => by_number = true,
            }
        }
        for (index, channel) in configuration.channels.iter().enumerate() {
            let id = ChannelId(index as u32);
            if !by_number && !used.contains(&id) {
                continue;
            }
            let shape = configuration.machine.layout.shape(channel.shape);
            let individual = by_number || self.is_individual(channel.storage);
            let vertex = self.vertex(Colour::Channel {
                capacity: shape.capacity,
                fields: (0..shape.fields.len()).map(|field| shape.scalar(field)).collect(),
                individual: individual.then_some(id.0),
            });
            let classes = self.domains.fields[index].clone();
            for (field, &class) in classes.iter().enumerate() {
                if let Some(class) = self.class_vertex(class) {
                    self.arc(vertex, class, Label::Field(field as u32));
                }
            }
            let declared = configuration.layout_of(configuration.group(channel.storage, channel.cells)).span;
            let told =
                if self.without_values.contains(&declared) { Vec::new() } else { configuration.entry_messages(id) };
            for (position, message) in told.into_iter().enumerate() {
                let names: Vec<Option<Vertex>> =
                    classes.iter().zip(&message).map(|(&class, &value)| self.name(class, value)).collect();
                let numbers =
                    names.iter().zip(&message).map(|(name, &value)| name.is_none().then_some(value)).collect();
                let content = self.vertex(Colour::Message { position: position as u32, numbers });
                self.arc(vertex, content, Label::Entry);
                for (field, name) in names.into_iter().enumerate() {
                    name.into_iter().for_each(|name| self.arc(content, name, Label::Field(field as u32)));
                }
            }
            self.channels.insert(id, vertex);
        }
    }

    /// Groups of cells that are accessed by an index or a pid that is not known.
    fn add_arrays(&mut self) {
        let mut groups: Vec<GroupId> = self.domains.indices.keys().copied().collect();
        groups.sort_unstable();
        for group in groups {
            let vertex = self.vertex(Colour::Array);
            self.arrays.insert(group, vertex);
        }
        let mut families: Vec<(DefinitionId, CellsId)> = self.domains.families.iter().copied().collect();
        families.sort_unstable();
        for family in families {
            let vertex = self.vertex(Colour::Family);
            self.families.insert(family, vertex);
        }
    }

    fn add_cells(&mut self) {
        let configuration = &self.program.configuration;
        for index in 0..configuration.cells.len() as u32 {
            let cell = CellId(index);
            let (group, _) = configuration.element(cell);
            let storage = configuration.groups[group.index()].storage;
            let family = match storage {
                Storage::Process(pid) => {
                    let key = (configuration.definition(pid), configuration.groups[group.index()].id);
                    self.families.get(&key).copied().map(|family| (family, pid))
                }
                Storage::Global => None,
            };
            let array = self.arrays.get(&group).copied();
            let constant = self.program.constants[cell.index()];
            // What no step can access stays where it is, whatever it holds.
            let unused = !self.domains.accessible[cell.index()];
            if unused || (constant && array.is_none() && family.is_none()) {
                continue;
            }
            let indices: Vec<(ClassId, i32)> = match self.domains.indices.get(&group) {
                Some(classes) => classes.iter().copied().zip(configuration.indices(cell)).collect(),
                None => Vec::new(),
            };
            let class = self.domains.cells[cell.index()];
            let layout = configuration.layout_of(group);
            let value = configuration.entry_value(cell);
            let is_told = !self.without_values.contains(&layout.span);
            let entry = self.name(class, value).filter(|_| is_told);
            let index_names: Vec<Option<Vertex>> =
                indices.iter().map(|&(class, index)| self.name(class, index)).collect();
            // A name that cannot occur as an index leaves the cell without one; a plain number stays with it.
            let is_number = |class: ClassId| self.domains.classes.names(class).is_none();
            let colour = CellColour {
                scalar: layout.scalar,
                constant,
                entry: (is_told && entry.is_none()).then_some(value),
                indices: indices.iter().map(|&(class, index)| is_number(class).then_some(index)).collect(),
                individual: (layout.hidden || self.is_individual(storage)).then_some(index),
            };
            let vertex = self.vertex(Colour::Cell(colour));
            entry.into_iter().for_each(|entry| self.arc(vertex, entry, Label::Entry));
            self.class_vertex(class).into_iter().for_each(|class| self.arc(vertex, class, Label::InClass));
            array.into_iter().for_each(|array| self.arc(vertex, array, Label::InArray));
            for (dimension, name) in index_names.into_iter().enumerate() {
                name.into_iter().for_each(|name| self.arc(vertex, name, Label::Index(dimension as u32)));
            }
            if let Some((family, pid)) = family {
                self.arc(vertex, family, Label::InFamily);
                self.arc(vertex, self.processes[pid.index()], Label::Owner);
            }
            self.cells.insert(cell, vertex);
        }
        self.add_last();
    }

    fn add_last(&mut self) {
        let configuration = &self.program.configuration;
        let layout = &configuration.machine.layout;
        if layout.last_offset.is_none() {
            return;
        }
        let value = configuration.entry.last(layout);
        let entry = self.name(self.domains.last, value);
        let vertex = self.vertex(Colour::Last(entry.is_none().then_some(value)));
        entry.into_iter().for_each(|entry| self.arc(vertex, entry, Label::Entry));
        self.class_vertex(self.domains.last).into_iter().for_each(|class| self.arc(vertex, class, Label::InClass));
        self.last = Some(vertex);
    }

    /// Names of processes and channels are tied to what they name.
    fn add_names_of_objects(&mut self) {
        let configuration = &self.program.configuration;
        let mut classes: Vec<ClassId> = self.names.keys().copied().collect();
        classes.sort_unstable();
        for class in classes {
            let details = self.domains.classes.get(class);
            for (value, name) in self.names[&class].clone() {
                if details.names_processes {
                    let process = usize::try_from(value).ok().and_then(|pid| self.processes.get(pid).copied());
                    process.into_iter().for_each(|process| self.arc(name, process, Label::NamesProcess));
                }
                if details.names_channels {
                    let channel = configuration.channel(value).and_then(|id| self.channels.get(&id).copied());
                    channel.into_iter().for_each(|channel| self.arc(name, channel, Label::NamesChannel));
                }
            }
        }
    }

    fn add_program(&mut self) {
        let program = self.program;
        for pid in program.configuration.pids() {
            let process = self.processes[pid.index()];
            if let Some(provided) = program.processes[pid.index()].provided {
                let provided = self.condition(provided);
                self.arc(process, provided, Label::Does);
            }
            for &end in &program.processes[pid.index()].ends {
                let end = self.condition(end);
                self.arc(process, end, Label::HasToItself);
            }
            for (location, ways) in &program.processes[pid.index()].locations {
                let from = self.location(pid, *location);
                for way in ways {
                    if matches!(way.step, Step::End) && self.deaths == Deaths::Ignored {
                        continue;
                    }
                    let vertex = self.vertex(Colour::Way { atomic: way.atomic, rank: way.rank });
                    from.into_iter().for_each(|from| self.arc(from, vertex, Label::Out));
                    let target = self.location(pid, way.target);
                    target.into_iter().for_each(|target| self.arc(vertex, target, Label::Target));
                    let step = self.step(&way.step);
                    self.arc(vertex, step, Label::Does);
                }
            }
        }
    }

    /// The vertex of a location, if the process can be there.
    pub fn location(&self, pid: Pid, location: Location) -> Option<Vertex> {
        let locations = &self.locations[pid.index()];
        locations.binary_search_by_key(&location, |&(location, _)| location).ok().map(|index| locations[index].1)
    }

    fn class_vertex(&self, class: ClassId) -> Option<Vertex> {
        self.class_vertices.get(&self.domains.classes.root(class)).copied()
    }
}
