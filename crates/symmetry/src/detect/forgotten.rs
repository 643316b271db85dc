//! Variables that are written before they are read again: nobody can tell what they hold.
//!
//! A search that sets such variables back ([`machine::dead`]) may choose the value. Where a variable holds names, a value
//! that names nothing is chosen, the same one for all variables of a type, so that all symmetries leave it alone. Without that, a
//! server's `byte client`, which is 0 until the first request comes in, would name client 0 and tell it from the others. The
//! entry state then is the one in which dead variables are set back, and what they held before does not count as a possible value.
//!
//! Setting back has to commute with every symmetry, or states of one orbit would be set back to states of several. Where it does not,
//! because one of two processes that are alike has a use for its variable that the analysis cannot exclude, or because a type has no
//! value to spare, variables are left alone.

use group::Point;
use machine::Machine;
use machine::dead::{DeadElement, DeadVariables};
use machine::ground::{CellId, Configuration, Program, SlotKind, TermId};
use machine::id::{CellsId, DefinitionId, Location, Pid};
use machine::scalar::Scalar;
use machine::state::{State, Storage};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Generator;
use super::domains::Domains;
use super::projection::{PointSource, Projection};
use crate::shape::Content;

/// What is forgotten cannot be set back in the same way in all states of an orbit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unfit;

/// How dead variables are treated.
#[derive(Clone, Debug)]
pub(super) enum Forgetting {
    /// Variables keep what they hold.
    Nothing,
    /// Variables are set back to what they start with, and that counts.
    Kept(DeadVariables),
    /// Variables are set back to something that means nothing.
    Dead(DeadVariables),
}

impl Forgetting {
    /// What a search sets back, if anything.
    pub fn dead(&self) -> Option<DeadVariables> {
        match self {
            Forgetting::Nothing => None,
            Forgetting::Kept(dead) | Forgetting::Dead(dead) => Some(dead.clone()),
        }
    }

    /// What a search does unless it is told otherwise.
    pub fn usual(machine: &Machine) -> Forgetting {
        DeadVariables::of(machine).map_or(Forgetting::Nothing, Forgetting::Dead)
    }

    /// The locals that are set back where their process is at a location. Those with two values are not counted: there may be
    /// none to set them back to that means nothing.
    pub fn dead_at(&self, configuration: &Configuration<'_>, pid: Pid, location: Location) -> FxHashSet<CellId> {
        let Forgetting::Dead(dead) = self else { return FxHashSet::default() };
        let definition = configuration.definition(pid);
        let locals = dead.elements(Some(definition)).filter(|element| !element.is_needed(definition, location));
        let cells = locals.map(|element| cell_of(configuration, Storage::Process(pid), &element));
        cells.filter(|&cell| scalar_of(configuration, cell) != Scalar::Bit).collect()
    }

    /// Sets dead variables of the entry state back, and finds the domains of the program that starts so.
    pub fn settle(&mut self, program: &mut Program<'_>, preserved: &[TermId]) -> Domains {
        let Forgetting::Dead(dead) = self else { return Domains::of(program, preserved) };
        let entry = program.configuration.entry.clone();
        program.forgotten = dead_at_entry(program, dead);
        loop {
            let domains = Domains::of(program, preserved);
            let values = Neutral::of(program, &domains, dead);
            values.put_into(&program.configuration, &domains, dead);
            program.configuration.entry = set_back(dead, &entry);
            let left = |cell: &CellId| values.of_cell(&program.configuration, *cell).is_some();
            let count = program.forgotten.len();
            program.forgotten = program.forgotten.iter().copied().filter(left).collect();
            if program.forgotten.len() == count {
                return domains;
            }
        }
    }

    /// What the cells of the configuration are set back to, where they are.
    pub fn values(&self, configuration: &Configuration<'_>) -> FxHashMap<CellId, i32> {
        let (Forgetting::Kept(dead) | Forgetting::Dead(dead)) = self else { return FxHashMap::default() };
        let all = elements(configuration, dead).into_iter().filter(|(.., element)| element.is_set_back());
        all.filter_map(|(_, cell, element)| Some((cell, element.value?))).collect()
    }

    /// Leaves those variables alone that cannot be set back in the same way in all states of an orbit. An error if the symmetries
    /// were found for states in which they are.
    pub fn restrict(
        &mut self,
        program: &Program<'_>,
        projection: &Projection,
        generators: &[Generator],
    ) -> Result<(), Unfit> {
        let equivariance = Equivariance::new(program, projection, generators);
        match self {
            Forgetting::Nothing => Ok(()),
            Forgetting::Kept(dead) => {
                equivariance.restrict(dead);
                Ok(())
            }
            Forgetting::Dead(dead) => {
                let left_alone = equivariance.restrict(dead);
                let forgotten = |cell: &CellId| {
                    let is_bit = scalar_of(&program.configuration, *cell) == Scalar::Bit;
                    !is_bit || program.forgotten.contains(cell)
                };
                if left_alone.iter().any(forgotten) { Err(Unfit) } else { Ok(()) }
            }
        }
    }
}

impl Forgetting {
    /// Sets back what is of no use to anybody, too, if that commutes with the symmetries that were found.
    ///
    /// This comes last, so that symmetries of what is only stored are found as well: they are symmetries of the states in which it is
    /// set back, too.
    pub fn forget_useless(
        &mut self,
        program: &Program<'_>,
        domains: &Domains,
        projection: &Projection,
        generators: &[Generator],
    ) {
        let configuration = &program.configuration;
        let (Forgetting::Kept(dead) | Forgetting::Dead(dead)) = self else { return };
        let Some(mut more) = DeadVariables::with_useless(configuration.machine) else { return };
        let before: FxHashMap<ElementKey, (CellId, Option<i32>)> = elements(configuration, dead)
            .into_iter()
            .filter(|(.., element)| element.is_set_back())
            .map(|(_, cell, element)| (key(&element), (cell, element.value)))
            .collect();
        Neutral::of(program, domains, &more).put_into(configuration, domains, &mut more);
        more.set_back_to(|element| before.get(&key(&element)).map_or(element.value, |&(_, value)| value));
        let left_alone = Equivariance::new(program, projection, generators).restrict(&mut more);
        if !before.values().any(|(cell, _)| left_alone.contains(cell)) {
            *dead = more;
        }
    }
}

fn set_back(dead: &DeadVariables, state: &State) -> State {
    let mut bytes = state.bytes().to_vec();
    dead.reset(&mut bytes);
    State::from_bytes(&bytes)
}

/// The cell of an element.
fn cell_of(configuration: &Configuration<'_>, storage: Storage, element: &DeadElement<'_>) -> CellId {
    configuration.cell(configuration.group(storage, element.cells), element.number)
}

/// Everything that is dead now and then: globals, and the locals of each process.
fn elements<'d>(configuration: &Configuration<'_>, dead: &'d DeadVariables) -> Vec<(Storage, CellId, DeadElement<'d>)> {
    let owners = configuration.pids().map(|pid| (Storage::Process(pid), Some(configuration.definition(pid))));
    let mut found = Vec::new();
    for (storage, definition) in owners.chain([(Storage::Global, None)]) {
        let each = dead.elements(definition);
        found.extend(each.map(|element| (storage, cell_of(configuration, storage, &element), element)));
    }
    found
}

/// Cells that are dead where the processes start. What nothing writes is known to hold what it holds, dead or not.
fn dead_at_entry(program: &Program<'_>, dead: &DeadVariables) -> FxHashSet<CellId> {
    let configuration = &program.configuration;
    let is_needed = |element: &DeadElement<'_>, pid: Pid| {
        element.is_needed(configuration.definition(pid), program.processes[pid.index()].entry)
    };
    let mut found = FxHashSet::default();
    for (storage, cell, element) in elements(configuration, dead) {
        let needed = match storage {
            Storage::Process(pid) => is_needed(&element, pid),
            Storage::Global => configuration.pids().any(|pid| is_needed(&element, pid)),
        };
        if !needed && !program.constants[cell.index()] {
            found.insert(cell);
        }
    }
    found
}

/// What tells elements apart: where they are declared, which variable, which number.
type ElementKey = (Option<DefinitionId>, CellsId, u32);

fn key(element: &DeadElement<'_>) -> ElementKey {
    (element.owner, element.cells, element.number)
}

/// For each type a value that names nothing.
struct Neutral(FxHashMap<Scalar, Option<i32>>);

impl Neutral {
    fn of(program: &Program<'_>, domains: &Domains, dead: &DeadVariables) -> Neutral {
        let configuration = &program.configuration;
        let mut used: FxHashMap<Scalar, FxHashSet<i32>> = FxHashMap::default();
        for (_, cell, _) in elements(configuration, dead) {
            let names = domains.classes.names(domains.cells[cell.index()]);
            let of_type = used.entry(scalar_of(configuration, cell)).or_default();
            of_type.extend(names.into_iter().flatten());
        }
        let free = |(scalar, used): (Scalar, FxHashSet<i32>)| {
            let free = candidates(scalar).find(|value| !used.contains(value));
            (scalar, free)
        };
        Neutral(used.into_iter().map(free).collect())
    }

    fn of_cell(&self, configuration: &Configuration<'_>, cell: CellId) -> Option<i32> {
        self.0.get(&scalar_of(configuration, cell)).copied().flatten()
    }

    /// Lets variables be set back to these values where they hold names in some process.
    fn put_into(&self, configuration: &Configuration<'_>, domains: &Domains, dead: &mut DeadVariables) {
        let mut values: FxHashMap<ElementKey, i32> = FxHashMap::default();
        for (_, cell, element) in elements(configuration, dead) {
            let names = domains.classes.names(domains.cells[cell.index()]);
            match self.of_cell(configuration, cell).filter(|_| names.is_some()) {
                Some(neutral) => values.insert(key(&element), neutral),
                // Any number will do for what is a number everywhere.
                None => values.insert(key(&element), element.value.unwrap_or(0)).filter(|&before| before != 0),
            };
        }
        dead.set_back_to(|element| values.get(&key(&element)).copied().or(element.value));
    }
}

fn scalar_of(configuration: &Configuration<'_>, cell: CellId) -> Scalar {
    configuration.layout_of(configuration.cells[cell.index()]).scalar
}

/// Values of a type, the least likely ones first.
fn candidates(scalar: Scalar) -> Box<dyn Iterator<Item = i32>> {
    match scalar {
        Scalar::Bit => Box::new((0..=1).rev()),
        Scalar::Byte => Box::new((0..=255).rev()),
        Scalar::Short | Scalar::Int => Box::new((-1024..0).rev()),
        Scalar::Unsigned(bits) => Box::new((0..1_i32 << bits.min(16)).rev()),
    }
}

/// Whether setting back commutes with symmetries.
struct Equivariance<'a, 'm> {
    program: &'a Program<'m>,
    projection: &'a Projection,
    generators: &'a [Generator],
    /// The points of cells, and those of locations, ascending.
    cells: FxHashMap<CellId, Point>,
    locations: Vec<Point>,
}

impl<'a, 'm> Equivariance<'a, 'm> {
    fn new(program: &'a Program<'m>, projection: &'a Projection, generators: &'a [Generator]) -> Equivariance<'a, 'm> {
        let mut cells = FxHashMap::default();
        for (point, source) in projection.points.iter().enumerate() {
            if let PointSource::Slot(SlotKind::Cell(cell)) = source {
                cells.insert(*cell, point as Point);
            }
        }
        let locations = projection.process_points();
        Equivariance { program, projection, generators, cells, locations }
    }

    /// Leaves elements alone where setting them back does not commute; gives their cells.
    fn restrict(&self, dead: &mut DeadVariables) -> FxHashSet<CellId> {
        let configuration = &self.program.configuration;
        let mut moved: FxHashSet<ElementKey> = FxHashSet::default();
        let all = elements(configuration, dead).into_iter();
        let all: Vec<(ElementKey, CellId)> = all.map(|(_, cell, element)| (key(&element), cell)).collect();
        for (_, cell, element) in elements(configuration, dead) {
            if element.is_set_back() && !self.value_stays(cell, element.value) {
                moved.insert(key(&element));
            }
        }
        let mut left_alone = moved.clone();
        loop {
            dead.set_back_to(|element| element.value.filter(|_| !moved.contains(&key(&element))));
            let unlike = self.unlike(dead);
            if unlike.is_empty() {
                return all.into_iter().filter(|(key, _)| left_alone.contains(key)).map(|(_, cell)| cell).collect();
            }
            left_alone.extend(unlike.iter().map(|(key, _)| *key));
            let (locals, globals): (Vec<_>, Vec<_>) = unlike.into_iter().partition(|(key, _)| key.0.is_some());
            moved = globals.into_iter().map(|(key, _)| key).collect();
            let locals: FxHashSet<(ElementKey, Location)> = locals.into_iter().collect();
            dead.keep(|location, element| locals.contains(&(key(&element), location)));
        }
    }

    /// Whether all symmetries leave alone what a cell is set back to. One without a slot always holds the same.
    fn value_stays(&self, cell: CellId, value: Option<i32>) -> bool {
        let Some(value) = value else { return true };
        let Some(&point) = self.cells.get(&cell) else {
            return self.program.configuration.entry_value(cell) == value;
        };
        let shape = &self.projection.shape;
        let Content::Name(domain) = shape.slots[point as usize].content else { return true };
        let Some(name) = shape.domains[domain.0 as usize].point(value) else { return true };
        self.generators.iter().all(|generator| generator.permutation.image(name) == name)
    }

    /// Elements that are set back where their images are not, or to something else.
    fn unlike(&self, dead: &DeadVariables) -> FxHashSet<(ElementKey, Location)> {
        let configuration = &self.program.configuration;
        let all = elements(configuration, dead).into_iter().filter(|(.., element)| element.is_set_back());
        let reset: FxHashMap<CellId, (Storage, DeadElement<'_>)> =
            all.map(|(storage, cell, element)| (cell, (storage, element))).collect();
        let mut unlike = FxHashSet::default();
        for generator in self.generators {
            let carried: Vec<Carried> = configuration.pids().map(|pid| self.carried(generator, pid)).collect();
            let moved: Vec<Pid> = configuration.pids().filter(|pid| !carried[pid.index()].stays).collect();
            for (cell, (storage, element)) in &reset {
                let Some(&point) = self.cells.get(cell) else { continue };
                let image = generator.permutation.image(point);
                let users: Vec<Pid> = match storage {
                    Storage::Process(pid) => vec![*pid],
                    Storage::Global if image == point => moved.clone(),
                    Storage::Global => configuration.pids().collect(),
                };
                let image = match self.projection.points[image as usize] {
                    PointSource::Slot(SlotKind::Cell(image)) => reset.get(&image),
                    _ => None,
                };
                for pid in users {
                    let Carried { to, locations, .. } = &carried[pid.index()];
                    let image = image.filter(|(owner, image)| {
                        let belongs = match (storage, owner) {
                            (Storage::Process(_), Storage::Process(owner)) => owner == to,
                            (Storage::Global, Storage::Global) => true,
                            _ => false,
                        };
                        belongs && image.value == element.value
                    });
                    for &(location, there) in locations {
                        let is_needed = element.is_needed(configuration.definition(pid), location);
                        let is_alike = image.is_some_and(|(_, image)| {
                            image.is_needed(configuration.definition(*to), there) == is_needed
                        });
                        if !is_alike && (!is_needed || *storage == Storage::Global) {
                            unlike.insert((key(element), location));
                        }
                    }
                }
            }
        }
        unlike
    }

    /// What a process and its locations are carried to.
    fn carried(&self, generator: &Generator, pid: Pid) -> Carried {
        let shape = &self.projection.shape;
        let point = self.locations[pid.index()];
        let image = generator.permutation.image(point);
        let to = self.locations.binary_search(&image).map_or(pid, |index| Pid(index as u8));
        let there = |location: Location| {
            let Content::Name(domain) = shape.slots[point as usize].content else { return location };
            let point = shape.domains[domain.0 as usize].point(location.0 as i32);
            let image = point.and_then(|point| shape.value_at(generator.permutation.image(point)));
            image.map_or(location, |image| Location(image as u32))
        };
        let locations = self.program.processes[pid.index()].locations.iter();
        let locations: Vec<(Location, Location)> =
            locations.map(|&(location, _)| (location, there(location))).collect();
        let stays = to == pid && locations.iter().all(|(here, there)| here == there);
        Carried { to, locations, stays }
    }
}

/// Where a symmetry carries a process.
struct Carried {
    to: Pid,
    /// Its locations, each with where it is carried.
    locations: Vec<(Location, Location)>,
    stays: bool,
}
