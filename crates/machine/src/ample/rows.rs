//! For each process of a state, the processes that conflict with its next transition.
//!
//! A row depends on where its process is, and on what the others are and may do from where they are. While processes go round in their loops the latter
//! stays as it is, and a row that was worked out for a process at a location is found again there.

use super::conflict::{Condition, Conflict};
use super::present::Changes;
use super::{AmpleSets, everyone};

/// The processes that conflict with the next transition of one.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    always: u128,
    /// Whether they do depends on the rest of the state.
    sometimes: u128,
}

/// The rows of the current state.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    current: Vec<Row>,
    /// By process and location: a row, and when it was worked out.
    known: Vec<Vec<(u64, Row)>>,
    /// It grows whenever a process gets another future. From 1 on; what is known since 0 is not known.
    era: u64,
}

impl Rows {
    /// Forgets the current rows, since there were states for which none were asked.
    pub fn forget(&mut self) {
        self.current.clear();
        self.era += 1;
    }
}

impl AmpleSets {
    /// Works out the rows that changes ask for.
    pub(super) fn update_rows(&mut self, changes: Changes) {
        let count = self.present.len();
        if changes.anew || self.rows.current.len() != count {
            self.rows.era += 1;
            self.rows.current.resize(count, Row::default());
            return (0..count).for_each(|pid| self.rows.current[pid] = self.row(pid, everyone(count)));
        }
        if changes.future != 0 {
            self.rows.era += 1;
            for pid in bits(everyone(count) & !changes.next) {
                let part = changes.future & !(1 << pid);
                let new = self.row(pid, part);
                let row = &mut self.rows.current[pid];
                *row =
                    Row { always: row.always & !part | new.always, sometimes: row.sometimes & !part | new.sometimes };
            }
        }
        for pid in bits(changes.next) {
            self.rows.current[pid] = self.known_row(pid);
        }
    }

    /// The processes that conflict with the next transition of one; everyone if the property can see it.
    #[inline]
    pub(super) fn conflicts_of(&mut self, state: &[u8], pid: usize) -> u128 {
        let Row { always, sometimes } = self.rows.current[pid];
        bits(sometimes)
            .filter(|&other| self.conflicts_now(state, pid, other))
            .fold(always, |row, other| row | 1 << other)
    }

    /// The row of a process at its location, from the last time if nothing has changed since.
    fn known_row(&mut self, pid: usize) -> Row {
        let location = self.present[pid].location as usize;
        let Rows { known, era, .. } = &mut self.rows;
        if known.len() <= pid {
            known.resize(pid + 1, Vec::new());
        }
        if known[pid].len() <= location {
            known[pid].resize(location + 1, (0, Row::default()));
        }
        let (since, row) = known[pid][location];
        if since == *era {
            return row;
        }
        let row = self.row(pid, everyone(self.present.len()));
        self.rows.known[pid][location] = (self.rows.era, row);
        row
    }

    /// The part of a row that is about some of the other processes.
    fn row(&mut self, pid: usize, others: u128) -> Row {
        let mine = self.present[pid];
        if self.is_visible(mine) {
            return Row { always: everyone(self.present.len()), sometimes: 0 };
        }
        let mut row = Row::default();
        for other in bits(others & !(1 << pid)) {
            let found = self.conflict(mine, self.present[other]);
            match self.pairs.conflict(found) {
                Conflict::Never => {}
                Conflict::Always => row.always |= 1 << other,
                Conflict::When(conditions) if *conditions == [Condition::NotYoungest] => {
                    row.always |= u128::from(pid + 1 < self.present.len()) << other;
                }
                Conflict::When(_) => row.sometimes |= 1 << other,
            }
        }
        row
    }

    fn conflicts_now(&self, state: &[u8], pid: usize, other: usize) -> bool {
        let holds = |conditions: &[Condition]| conditions.iter().any(|&condition| self.holds(state, condition, pid));
        let question = self.question(self.present[pid], self.present[other]);
        match self.pairs.known(question).map(|found| self.pairs.conflict(found)) {
            Some(Conflict::Never) => false,
            Some(Conflict::When(conditions)) => holds(conditions),
            Some(Conflict::Always) | None => true,
        }
    }
}

/// The numbers of the bits of a set.
#[inline]
fn bits(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(bit)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use system::{Arena, System};

    use crate::ample::AmpleSets;
    use crate::generate::InterpretedGenerator;
    use crate::random::Random;

    fn sets_at(sets: &mut AmpleSets, state: &[u8]) -> Vec<u128> {
        sets.prepare(state);
        std::iter::from_fn(|| sets.next(state)).collect()
    }

    /// Asks about states of a model, back and forth, and of each anew. How many have sets.
    fn compare(text: &str) -> usize {
        let loaded = promela::load_text("model.pml", text, &promela::Options::default());
        let machine = Arc::new(crate::lower(&loaded.model.expect("a model")));
        let mut generator = InterpretedGenerator::new(Arc::clone(&machine)).expect("nothing is hidden");
        let anew = AmpleSets::new(machine, &[]).expect("nothing forbids it");
        let mut sets = anew.clone();
        let mut initial = Vec::new();
        generator.initial(&mut initial);
        let (mut states, mut random, mut all) = (vec![initial], Random::new(7), Arena::new());
        let mut found = 0;
        for _ in 0..2000 {
            let state = states[random.below(states.len())].clone();
            let expected = sets_at(&mut anew.clone(), &state);
            assert_eq!(sets_at(&mut sets, &state), expected, "{text}");
            assert!(expected.is_sorted_by_key(|set| set.count_ones()), "{text}: {expected:?}");
            found += usize::from(!expected.is_empty());
            generator.successors(&state, &mut all);
            if !all.is_empty() {
                states.push(all.target(random.below(all.len())).to_vec());
            }
        }
        found
    }

    #[test]
    fn rows_that_follow_the_changes_are_those_worked_out_anew() {
        for text in [
            "byte x, y; active [3] proctype P() { byte i, j; do :: i++; j = i; i < 5 -> x = i :: y = x; i = 0 :: j++; i = j od }",
            "chan q = [2] of { byte }; chan r = [1] of { byte }; byte n;
             active [2] proctype P() { byte i; do :: i++; q!i; i = i % 3 od }
             active proctype Q() { byte y; do :: q?y; y++; r!y :: n = y; y = 0 od } active proctype R() { byte z; do :: r?z; z = 0 od }",
            "byte g; proctype W(byte k) { byte i; do :: i < k -> i++; i = i; g = k :: else -> break od }
             init { byte i; do :: i++; run W(i % 3); i = i % 5 :: i = 0 od }",
        ] {
            assert!(compare(text) > 100, "{text}");
        }
    }
}
