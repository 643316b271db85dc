//! Sets of processes that may move alone, remembered by where the processes are.
//!
//! Which processes conflict depends on their locations, unless it is asked whether a channel is full or empty. There are fewer combinations of locations than states, and a search stays
//! with one for a while. So the sets of the last few thousand combinations are kept, in a table without collision lists, in which what comes later takes the place of what was there.

use rustc_hash::FxHashMap;

use super::present::{InstanceId, Presence};

/// What is remembered.
#[derive(Clone, Debug, Default)]
pub(super) struct Memo {
    /// All that were met of what processes a state can have, numbered from 1 on.
    crews: FxHashMap<Vec<InstanceId>, u32>,
    crew: u32,
    places: Vec<Place>,
    asked: usize,
}

/// The sets for one combination of locations. Crew 0 is none.
#[derive(Clone, Debug, Default)]
struct Place {
    crew: u32,
    locations: Vec<u32>,
    sets: Vec<u128>,
}

/// How many combinations are remembered, by how many were asked for: a small search is over before a large table is made.
const PLACES: [usize; 3] = [1 << 4, 1 << 8, 1 << 12];

impl Memo {
    /// There are other processes now.
    pub fn meet(&mut self, crew: impl Iterator<Item = InstanceId>) {
        let next = self.crews.len() as u32 + 1;
        self.crew = *self.crews.entry(crew.collect()).or_insert(next);
    }

    /// The sets for the processes where they are, if they are remembered.
    #[inline]
    pub fn find(&mut self, whereabouts: u64, present: &[Presence]) -> Option<&[u128]> {
        let [first, second, most] = PLACES;
        let places = [first, second].into_iter().find(|&places| self.asked < 8 * places).unwrap_or(most);
        self.asked += 1;
        if self.places.len() != places {
            self.places = vec![Place::default(); places];
        }
        let place = &self.places[self.index(whereabouts)];
        let is_it = || place.locations.iter().zip(present).all(|(&location, presence)| location == presence.location);
        (place.crew == self.crew && is_it()).then_some(&place.sets[..])
    }

    /// Remembers the sets for the processes where they are.
    pub fn remember(&mut self, whereabouts: u64, present: &[Presence], sets: &[u128]) {
        let index = self.index(whereabouts);
        let place = &mut self.places[index];
        place.crew = self.crew;
        place.locations.clear();
        place.locations.extend(present.iter().map(|presence| presence.location));
        place.sets.clear();
        place.sets.extend_from_slice(sets);
    }

    #[inline]
    fn index(&self, whereabouts: u64) -> usize {
        (whereabouts >> 32) as usize & (self.places.len() - 1)
    }
}

/// A number for a process at a location; those of all processes are added bit by bit.
#[inline]
pub(super) fn whereabouts(pid: usize, location: u32) -> u64 {
    let word = (u64::from(location) << 8 | pid as u64 & 0xff).wrapping_add(1);
    let mixed = word.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}
