//! Sets of processes that may move alone, remembered for the next state with the same processes at the same places.
//!
//! Which sets there are depends on the processes, with their fixed values, and their locations; and on whether some channels are full or empty. Where
//! no channel was asked about, the answer can be given again. The memory is a table without chains: what comes later takes the place of what
//! was there. Models whose processes ask about channels nearly everywhere gain nothing by it, and soon it is not asked any more.

use super::Presence;

/// How many answers are remembered, by how many were asked for: a small search is over before a large table is made.
const PLACES: [usize; 3] = [1 << 6, 1 << 10, 1 << 13];

/// After so many questions it is looked whether this helps.
const TRIAL: u32 = 1 << 14;

/// What was found before.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    answers: Vec<Answer>,
    asked: u32,
    answered: u32,
}

/// The sets for processes at places. An empty key is no answer.
#[derive(Clone, Debug, Default)]
struct Answer {
    key: Vec<u64>,
    sets: Vec<u128>,
}

/// Where an answer is to be remembered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place(usize);

impl Memory {
    /// Writes what is known about processes at their places to `sets`; else where to remember it, if anywhere.
    pub fn recall(&mut self, present: &[Presence], sets: &mut Vec<u128>) -> Result<(), Option<Place>> {
        if self.asked == TRIAL && self.answered < TRIAL / 2 {
            self.answers = Vec::new();
            return Err(None);
        }
        let [first, second, most] = PLACES;
        let asked = self.asked as usize;
        let places = [first, second].into_iter().find(|&places| asked < places).unwrap_or(most);
        if self.answers.len() != places {
            self.answers = vec![Answer::default(); places];
        }
        let place = Place(present.iter().fold(0, |hash: u64, each| mixed(hash ^ word(*each))) as usize % places);
        let answer = &self.answers[place.0];
        let is_known =
            answer.key.len() == present.len() && answer.key.iter().zip(present).all(|(key, each)| *key == word(*each));
        if self.asked < TRIAL {
            self.asked += 1;
            self.answered += u32::from(is_known);
        }
        if !is_known {
            return Err(Some(place));
        }
        sets.extend_from_slice(&answer.sets);
        Ok(())
    }

    /// Remembers the sets of processes at their places.
    pub fn remember(&mut self, place: Place, present: &[Presence], sets: &[u128]) {
        let Answer { key, sets: known } = &mut self.answers[place.0];
        key.clear();
        key.extend(present.iter().map(|each| word(*each)));
        known.clear();
        known.extend_from_slice(sets);
    }
}

/// A process at its place. Where its variables lie follows from the processes before it.
fn word(presence: Presence) -> u64 {
    u64::from(presence.instance.0) << 32 | u64::from(presence.location)
}

/// Every bit of the outcome depends on all bits.
fn mixed(word: u64) -> u64 {
    let product = u128::from(word ^ 0x2d35_8dcc_aa6c_78a5) * 0x9e37_79b9_7f4a_7c15_u128;
    (product as u64) ^ (product >> 64) as u64
}
