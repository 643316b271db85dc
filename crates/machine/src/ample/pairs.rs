//! The conflicts of processes with each other that have been asked for.
//!
//! A conflict is one of few, and is kept as its number. The numbers stand in a table by what the one does next and what
//! the other may do later, for each pair of processes; two that are too large for that have a map.

use rustc_hash::FxHashMap;

use super::conflict::Conflict;
use super::present::InstanceId;

/// A table of more entries than this is a map instead.
const LARGEST_TABLE: usize = 1 << 18;

/// Not asked for yet.
const UNKNOWN: u16 = 0;

/// What every conflict past the last number counts as.
const ALWAYS: u16 = 2;

#[derive(Clone, Debug)]
pub(super) struct Pairs {
    tables: Vec<Vec<Table>>,
    /// By number; the first stands for [`UNKNOWN`].
    conflicts: Vec<Conflict>,
}

#[derive(Clone, Debug)]
enum Table {
    Unused,
    Dense(Vec<u16>),
    Sparse(FxHashMap<(u32, u32), u16>),
}

/// What is asked: the next transition of one process, and the future of another, by their classes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    pub processes: (InstanceId, InstanceId),
    pub classes: (u32, u32),
    /// How many classes there are.
    pub sizes: (usize, usize),
}

impl Default for Pairs {
    fn default() -> Pairs {
        Pairs { tables: Vec::new(), conflicts: vec![Conflict::Never, Conflict::Never, Conflict::Always] }
    }
}

impl Pairs {
    /// The conflict with a number.
    pub fn conflict(&self, number: u16) -> &Conflict {
        &self.conflicts[usize::from(number)]
    }

    /// The number of an answer that was given before.
    pub fn known(&self, question: Question) -> Option<u16> {
        let (row, column) = (question.processes.0.0 as usize, question.processes.1.0 as usize);
        let (mine, theirs) = question.classes;
        let entry = match self.tables.get(row)?.get(column)? {
            Table::Dense(entries) => entries[mine as usize * question.sizes.1 + theirs as usize],
            Table::Sparse(entries) => *entries.get(&question.classes)?,
            Table::Unused => UNKNOWN,
        };
        (entry != UNKNOWN).then_some(entry)
    }

    /// The number of the answer, which `find` gives if it is not known yet.
    pub fn answer(&mut self, question: Question, find: impl FnOnce() -> Conflict) -> u16 {
        let (row, column) = (question.processes.0.0 as usize, question.processes.1.0 as usize);
        if self.tables.len() <= row {
            self.tables.resize(row + 1, Vec::new());
        }
        if self.tables[row].len() <= column {
            self.tables[row].resize(column + 1, Table::Unused);
        }
        let table = &mut self.tables[row][column];
        if let Table::Unused = table {
            *table = match question.sizes.0.saturating_mul(question.sizes.1) {
                size @ ..=LARGEST_TABLE => Table::Dense(vec![UNKNOWN; size]),
                _ => Table::Sparse(FxHashMap::default()),
            };
        }
        let (mine, theirs) = question.classes;
        let entry = match table {
            Table::Dense(entries) => &mut entries[mine as usize * question.sizes.1 + theirs as usize],
            Table::Sparse(entries) => entries.entry(question.classes).or_insert(UNKNOWN),
            Table::Unused => unreachable!("it was made just now"),
        };
        if *entry == UNKNOWN {
            let found = find();
            let known = self.conflicts.iter().skip(1).position(|known| *known == found);
            let number = known.map(|at| at + 1).unwrap_or_else(|| {
                self.conflicts.push(found);
                self.conflicts.len() - 1
            });
            *entry = u16::try_from(number).unwrap_or(ALWAYS);
        }
        *entry
    }
}
