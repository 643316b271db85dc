//! Which states the detected symmetries may be applied to.
//!
//! A state is eligible when its processes are those of the configuration, every cell that was taken for a constant holds the
//! known value, and every slot holds a value that was found possible. All three carry over to successors, in which no process
//! disappears, because no step writes constants and the possible values are closed under all steps.

use machine::ground::{CellId, Program, SlotKind};
use machine::state::ScalarAt;
use rustc_hash::FxHashMap;

use super::domains::Domains;
use super::program_graph::ProgramGraph;
use super::projection::{PointSource, Projection};
use crate::shape::{Shape, SlotId, Validity};

/// What is asked of a state.
#[derive(Clone, Debug)]
pub(super) struct Eligibility {
    length: usize,
    /// Bytes that always have the same value: offset and value. Those that differ first come first.
    fixed: Vec<(u32, u8)>,
    /// Bytes that are variables by themselves, always there, and what they may hold, as a place in `sets`. Most slots are such.
    bytes: Vec<(u32, u32)>,
    sets: Vec<[u64; 4]>,
    /// The other slots.
    possible: Vec<(SlotId, Possible)>,
    located: Vec<Located>,
}

/// What is asked where a process is at certain locations.
#[derive(Clone, Debug)]
struct Located {
    /// The slot of the process' location.
    at: SlotId,
    /// By location: what variables may hold there.
    asked: Vec<Vec<(SlotId, Possible)>>,
}

/// A set of values.
#[derive(Clone, Debug)]
enum Possible {
    /// Values of one byte.
    Small([u64; 4]),
    /// Other values, ascending.
    Any(Vec<i32>),
}

impl Eligibility {
    /// What is asked of the states of a program.
    pub fn of(
        program: &Program<'_>,
        domains: &Domains,
        graph: &ProgramGraph,
        projection: &Projection,
        dead: &FxHashMap<CellId, i32>,
    ) -> Eligibility {
        let configuration = &program.configuration;
        let layout = &configuration.machine.layout;
        let mut places: Vec<(u32, u32)> = vec![(0, 1)];
        for &frame in &configuration.frames {
            places.push((frame, layout.definition_width));
            if let Some(offset) = layout.priority_offset.filter(|_| !program.priorities_change) {
                places.push((frame + offset, 1));
            }
        }
        let in_graph = graph.cells.keys().filter(|cell| program.constants[cell.index()]);
        for &cell in program.relied_on.iter().chain(in_graph) {
            let width = configuration.layout_of(configuration.cells[cell.index()]).scalar.width();
            places.extend(configuration.offset(cell).map(|offset| (offset, width)));
        }
        places.sort_unstable();
        places.dedup();
        let entry = configuration.entry.bytes();
        let bytes = places.into_iter().flat_map(|(offset, width)| offset..offset + width);
        let mut eligibility = Eligibility {
            length: entry.len(),
            fixed: bytes.map(|offset| (offset, entry[offset as usize])).collect(),
            located: located(program, domains, projection, dead),
            ..Eligibility::never()
        };
        for (slot, values) in possible(domains, projection, dead) {
            eligibility.ask(&projection.shape, slot, values);
        }
        eligibility
    }

    /// Asks for the values of a slot.
    fn ask(&mut self, shape: &Shape, id: SlotId, values: Possible) {
        let slot = &shape.slots[id.0 as usize];
        match values {
            Possible::Small(set) if (slot.at, slot.validity) == (ScalarAt::byte(slot.at.offset), Validity::Always) => {
                let known = self.sets.iter().position(|&known| known == set);
                let number = known.unwrap_or_else(|| {
                    self.sets.push(set);
                    self.sets.len() - 1
                });
                self.bytes.push((slot.at.offset, number as u32));
            }
            values => self.possible.push((id, values)),
        }
    }

    /// Of no state at all.
    pub fn never() -> Eligibility {
        Eligibility {
            length: usize::MAX,
            fixed: Vec::new(),
            bytes: Vec::new(),
            sets: Vec::new(),
            possible: Vec::new(),
            located: Vec::new(),
        }
    }

    /// Whether a state is eligible.
    pub fn holds(&self, shape: &Shape, state: &[u8]) -> bool {
        state.len() == self.length
            && self.fixed.iter().all(|&(offset, value)| state[offset as usize] == value)
            && self.bytes.iter().all(|&(offset, set)| {
                let value = state[offset as usize];
                self.sets[set as usize][usize::from(value) / 64] >> (value % 64) & 1 == 1
            })
            && self.possible.iter().all(|(slot, values)| {
                let is_there = match shape.slots[slot.0 as usize].validity {
                    Validity::Always => true,
                    Validity::Beyond { length, position } => shape.read(state, length) > position as i32,
                };
                !is_there || values.contains(shape.read(state, *slot))
            })
            && self.located.iter().all(|Located { at, asked }| {
                let asked = usize::try_from(shape.read(state, *at)).ok().and_then(|location| asked.get(location));
                asked.is_none_or(|asked| asked.iter().all(|(slot, values)| values.contains(shape.read(state, *slot))))
            })
    }
}

/// What slots can hold, and what they are set back to where nobody reads them.
fn possible(domains: &Domains, projection: &Projection, dead: &FxHashMap<CellId, i32>) -> Vec<(SlotId, Possible)> {
    let mut possible = Vec::new();
    for (slot, values) in &projection.possible {
        let cell = match projection.points[slot.0 as usize] {
            PointSource::Slot(SlotKind::Cell(cell)) => Some(cell),
            _ => None,
        };
        let own = cell.and_then(|cell| domains.own_values.get(&cell));
        let set_back = cell.and_then(|cell| dead.get(&cell));
        let mut values: Vec<i32> = own.map_or_else(|| values.clone(), |own| own.iter().copied().collect());
        values.extend(set_back);
        values.sort_unstable();
        possible.push((*slot, Possible::of(&values)));
    }
    possible
}

/// What tables rely on at locations. A variable that is set back there is written before the table reads it.
fn located(
    program: &Program<'_>,
    domains: &Domains,
    projection: &Projection,
    dead: &FxHashMap<CellId, i32>,
) -> Vec<Located> {
    let slot_of = |source: SlotKind| {
        let place = projection.points.iter().position(|point| *point == PointSource::Slot(source));
        place.map(|place| SlotId(place as u32))
    };
    let mut located: Vec<Located> = Vec::new();
    for &(pid, location, known) in &domains.relied_on {
        let Some((cell, mut values)) = domains.values_under(&program.terms, known) else { continue };
        values.extend(dead.get(&cell));
        values.sort_unstable();
        if let (Some(at), Some(slot)) = (slot_of(SlotKind::Location(pid)), slot_of(SlotKind::Cell(cell))) {
            let known = located.iter().position(|known| known.at == at).unwrap_or_else(|| {
                located.push(Located { at, asked: Vec::new() });
                located.len() - 1
            });
            let asked = &mut located[known].asked;
            if asked.len() <= location.index() {
                asked.resize_with(location.index() + 1, Vec::new);
            }
            asked[location.index()].push((slot, Possible::of(&values)));
        }
    }
    located
}

impl Possible {
    fn of(values: &[i32]) -> Possible {
        let mut bits = [0; 4];
        for &value in values {
            let Ok(value) = u8::try_from(value) else { return Possible::Any(values.to_vec()) };
            bits[usize::from(value) / 64] |= 1 << (value % 64);
        }
        Possible::Small(bits)
    }

    fn contains(&self, value: i32) -> bool {
        match self {
            Possible::Small(bits) => {
                u8::try_from(value).is_ok_and(|value| bits[usize::from(value) / 64] >> (value % 64) & 1 == 1)
            }
            Possible::Any(values) => values.binary_search(&value).is_ok(),
        }
    }
}
