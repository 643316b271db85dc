//! Renamings: permutations of processes, channels, global variables, names and locations, and what they do to states.
//!
//! A renaming moves the content of every slot to the slot of the renamed object, and renames it if it is a name. Which objects go where follows
//! from the kinds: the numbers of processes and channels are names, and so may be the indices of arrays.

use crate::file::{Reader, Writer};
use crate::kinds::{Kind, NUMBER, element, indices, lengths};
use crate::region::{Region, What};
use crate::{Accepted, Rejection};

/// A permutation of what the states of a region consist of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Renaming {
    /// By kind, but for numbers: the names that change, ascending, each with its new name.
    names: Vec<Vec<(i32, i32)>>,
    /// Where each group of global cells goes.
    globals: Vec<usize>,
    /// By process: where its locations go.
    locations: Vec<Vec<usize>>,
    /// Where each process goes: what happens to its number.
    processes: Vec<usize>,
    /// Where each channel goes: what happens to its number, which is one more.
    channels: Vec<usize>,
}

/// What a renaming does to the vectors of a region's states.
#[derive(Clone, Debug)]
pub struct Action {
    renaming: Renaming,
    /// By slot: where its content goes.
    targets: Vec<u32>,
}

impl Renaming {
    /// A renaming: for each kind but numbers the names that change, by group of global cells where it goes, and by process where its locations
    /// go.
    ///
    /// # Errors
    /// When it is no permutation that fits the region.
    pub fn new(
        region: &Region,
        mut names: Vec<Vec<(i32, i32)>>,
        globals: Vec<usize>,
        locations: Vec<Vec<usize>>,
    ) -> Accepted<Renaming> {
        for names in &mut names {
            names.retain(|(from, to)| from != to);
            names.sort_unstable();
            let mut images: Vec<i32> = names.iter().map(|&(_, to)| to).collect();
            images.sort_unstable();
            let increase = images.windows(2).all(|pair| pair[0] < pair[1]);
            if !increase || !images.iter().eq(names.iter().map(|(from, _)| from)) {
                return Err(Rejection::new("a renaming of names is no permutation"));
            }
        }
        let mut renaming = Renaming { names, globals, locations, processes: Vec::new(), channels: Vec::new() };
        if renaming.names.len() + 1 != usize::from(region.kinds.count) {
            return Err(Rejection::new("a renaming has not all kinds"));
        }
        renaming.processes = renaming.objects(region.kinds.process, 0, region.frames.len())?;
        renaming.channels = renaming.objects(region.kinds.channel, 1, region.channels.len())?;
        renaming.check_ranges(region)?;
        renaming.check(region)?;
        Ok(renaming)
    }

    /// What happens to objects whose names are consecutive numbers.
    fn objects(&self, kind: Kind, first: i32, count: usize) -> Accepted<Vec<usize>> {
        let image = |index: usize| {
            let image = usize::try_from(self.name(kind, index as i32 + first) - first).ok();
            image.filter(|&image| image < count)
        };
        (0..count)
            .map(image)
            .collect::<Option<_>>()
            .ok_or_else(|| Rejection::new("the name of an object is no object's"))
    }

    /// What is permuted is alike.
    fn check(&self, region: &Region) -> Accepted<()> {
        let layout = &region.machine.layout;
        let refuse = |reason: &str| Err(Rejection::new(reason));
        if !is_permutation(&self.globals, region.kinds.globals.len()) || self.locations.len() != region.frames.len() {
            return refuse("a renaming is no permutation of the variables");
        }
        for (pid, locations) in self.locations.iter().enumerate() {
            let definition = region.definition(pid);
            let count = region.machine.definition(definition).automaton.locations.len();
            if region.definition(self.processes[pid]) != definition || !is_permutation(locations, count) {
                return refuse("a renaming exchanges processes of two definitions, or no locations");
            }
        }
        for (from, &to) in self.globals.iter().enumerate() {
            let (one, other) = (&layout.globals.cells[from], &layout.globals.cells[to]);
            let alike = one.scalar == other.scalar && one.count == other.count && lengths(one).eq(lengths(other));
            if !alike || region.kinds.globals[from] != region.kinds.globals[to] {
                return refuse("a renaming exchanges variables that differ");
            }
        }
        // What a channel is known by for ever goes where the channel goes.
        let holds = |cells: usize, element: u32| {
            let (to, image) = self.cell(region, None, cells, element);
            region.constant(cells, element).map(|channel| self.channels[channel]) == region.constant(to, image)
        };
        let count = |cells: usize| layout.globals.cells[cells].count;
        if !(0..self.globals.len()).all(|cells| (0..count(cells)).all(|element| holds(cells, element))) {
            return refuse("a renaming parts channels from the variables that hold them");
        }
        for (from, &to) in self.channels.iter().enumerate() {
            let shapes = (region.channels[from].shape, region.channels[to].shape);
            if shapes.0 != shapes.1 || region.kinds.fields[from] != region.kinds.fields[to] {
                return refuse("a renaming exchanges channels that differ");
            }
        }
        Ok(())
    }

    /// Names fit where they are kept, and indices are renamed to indices.
    fn check_ranges(&self, region: &Region) -> Accepted<()> {
        let fits = |kind: Kind, (least, most): (i32, i32)| {
            kind == NUMBER || self.names[usize::from(kind) - 1].iter().all(|(name, _)| (least..=most).contains(name))
        };
        let cells = region.slots.iter().filter_map(|slot| match slot.what {
            What::Cell(owner, cells, 0) => Some((owner, cells)),
            _ => None,
        });
        for (owner, number) in cells {
            let (cells, kinds) = (region.cells(owner, number), region.cell_kinds(owner, number));
            let mut sides = lengths(cells).zip(&kinds.indices);
            let stays = |(length, &kind): (u32, &Kind)| {
                (0..length as i32).all(|index| (0..length as i32).contains(&self.name(kind, index)))
            };
            if !fits(kinds.content, cells.scalar.range()) || !sides.all(stays) {
                return Err(Rejection::new("a name does not fit into a variable, or an index leaves its array"));
            }
        }
        let mut fields =
            region.kinds.fields.iter().enumerate().flat_map(|(channel, kinds)| {
                kinds.iter().enumerate().map(move |(field, &kind)| (channel, field, kind))
            });
        match fields.all(|(channel, field, kind)| fits(kind, region.field(channel, field).range())) {
            true => Ok(()),
            false => Err(Rejection::new("a name does not fit into a message")),
        }
    }

    /// First this one, then another. Both are of the same region.
    #[must_use]
    pub fn then(&self, next: &Renaming) -> Renaming {
        let compose = |kind: usize| {
            let moved = self.names[kind].iter().chain(&next.names[kind]).map(|&(name, _)| name);
            let kind = kind as Kind + 1;
            let mut names: Vec<(i32, i32)> = moved.map(|name| (name, next.name(kind, self.name(kind, name)))).collect();
            names.sort_unstable();
            names.dedup();
            names.retain(|(from, to)| from != to);
            names
        };
        let objects = |one: &[usize], other: &[usize]| one.iter().map(|&object| other[object]).collect::<Vec<usize>>();
        let locations = self.locations.iter().zip(&self.processes);
        Renaming {
            names: (0..self.names.len()).map(compose).collect(),
            globals: objects(&self.globals, &next.globals),
            locations: locations.map(|(locations, &pid)| objects(locations, &next.locations[pid])).collect(),
            processes: objects(&self.processes, &next.processes),
            channels: objects(&self.channels, &next.channels),
        }
    }

    /// The new name of a value of a kind.
    #[must_use]
    pub fn name(&self, kind: Kind, value: i32) -> i32 {
        if kind == NUMBER {
            return value;
        }
        let names = &self.names[usize::from(kind) - 1];
        names.binary_search_by_key(&value, |&(from, _)| from).map_or(value, |index| names[index].1)
    }

    /// Where a process goes.
    #[must_use]
    pub fn process(&self, pid: usize) -> usize {
        self.processes[pid]
    }

    /// Where a location of a process goes.
    #[must_use]
    pub fn location(&self, pid: usize, location: usize) -> usize {
        self.locations[pid][location]
    }

    /// Where a cell goes: the group of cells, which is one of the process that its owner becomes, and the element.
    #[must_use]
    pub fn cell(&self, region: &Region, owner: Option<usize>, cells: usize, number: u32) -> (usize, u32) {
        let layout = region.cells(owner, cells);
        let kinds = &region.cell_kinds(owner, cells).indices;
        let renamed = |(index, &kind): (u32, &Kind)| self.name(kind, index as i32) as u32;
        let image: Vec<u32> = indices(layout, number).into_iter().zip(kinds).map(renamed).collect();
        let to = if owner.is_none() { self.globals[cells] } else { cells };
        (to, element(layout, &image))
    }

    /// What it does to states.
    #[must_use]
    pub fn action(self, region: &Region) -> Action {
        let target = |what: What| match what {
            What::Location(pid) => What::Location(self.processes[pid]),
            What::Cell(owner, cells, number) => {
                let (cells, number) = self.cell(region, owner, cells, number);
                What::Cell(owner.map(|pid| self.processes[pid]), cells, number)
            }
            What::Length(channel) => What::Length(self.channels[channel]),
            What::Field(channel, position, field) => What::Field(self.channels[channel], position, field),
        };
        let targets = region.slots.iter().map(|slot| region.offset(target(slot.what))).collect();
        Action { renaming: self, targets }
    }

    /// Writes it.
    pub fn write(&self, into: &mut Writer) {
        for names in &self.names {
            into.number(names.len() as u64);
            for &(from, to) in names {
                into.signed(from);
                into.signed(to);
            }
        }
        [&self.globals].into_iter().chain(&self.locations).for_each(|images| {
            let moved: Vec<(usize, &usize)> = images.iter().enumerate().filter(|(from, to)| from != *to).collect();
            into.number(moved.len() as u64);
            for (from, &to) in moved {
                into.number(from as u64);
                into.number(to as u64);
            }
        });
    }

    /// Reads one.
    ///
    /// # Errors
    /// When it is no permutation that fits the region.
    pub fn read(from: &mut Reader<'_>, region: &Region) -> Accepted<Renaming> {
        let mut names = Vec::new();
        for _ in 1..region.kinds.count {
            let count = from.below(1 << 16)?;
            names.push((0..count).map(|_| Ok((from.signed()?, from.signed()?))).collect::<Accepted<Vec<_>>>()?);
        }
        let mut images = |count: usize| {
            let mut images: Vec<usize> = (0..count).collect();
            for _ in 0..from.below(count + 1)? {
                let (source, target) = (from.below(count)?, from.below(count)?);
                images[source] = target;
            }
            Ok(images)
        };
        let globals = images(region.kinds.globals.len())?;
        let locations = |pid: usize| region.machine.definition(region.definition(pid)).automaton.locations.len();
        let locations = (0..region.frames.len()).map(|pid| images(locations(pid))).collect::<Accepted<Vec<_>>>()?;
        Renaming::new(region, names, globals, locations)
    }
}

impl Action {
    /// The renaming.
    #[must_use]
    pub fn renaming(&self) -> &Renaming {
        &self.renaming
    }

    /// The image of a state of the region.
    #[must_use]
    pub fn apply(&self, region: &Region, state: &[u8]) -> Vec<u8> {
        let mut image = state.to_vec();
        for (slot, &target) in region.slots.iter().zip(&self.targets) {
            let value = slot.at.read(state);
            let value = match slot.what {
                What::Location(pid) => self.renaming.location(pid, value as usize) as i32,
                What::Field(channel, position, _) if region.messages(state, channel) <= position => value,
                _ => self.renaming.name(slot.kind, value),
            };
            machine::state::ScalarAt { offset: target, ..slot.at }.write(&mut image, value);
        }
        image
    }
}

fn is_permutation(images: &[usize], count: usize) -> bool {
    let mut seen = vec![false; count];
    images.len() == count && images.iter().all(|&image| image < count && !std::mem::replace(&mut seen[image], true))
}
