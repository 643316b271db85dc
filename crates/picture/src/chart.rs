//! Message sequence charts: who sends what to whom, as a picture or as text.
//!
//! Time runs downwards, one row for each step; every process number has a lane. What stands where is plain data; [`Chart::svg`] and
//! [`Chart::text`] draw the same chart. A message is drawn from the step that sends it to the step that receives that very message.

mod svg;
mod text;

use rustc_hash::{FxHashMap, FxHashSet};

/// A chart: everything is placed by row and lane.
#[derive(Clone, Debug)]
pub struct Chart {
    /// What run it is.
    pub title: String,
    /// How many lanes there are.
    pub lanes: usize,
    /// The processes.
    pub lives: Vec<Life>,
    /// The steps.
    pub rows: Vec<Row>,
    /// The messages.
    pub arrows: Vec<Arrow>,
    /// Where processes keep control.
    pub atomics: Vec<Atomic>,
    /// The first row of the cycle.
    pub cycle: Option<usize>,
    /// How the run ends.
    pub end: EndMark,
}

/// A process: where it appears in its lane and where it ends.
#[derive(Clone, Debug)]
pub struct Life {
    /// Its lane.
    pub lane: usize,
    /// Its name.
    pub name: String,
    /// The row in which it is created and the lane of its creator; `None` if it is there from the start.
    pub created: Option<(usize, usize)>,
    /// The row in which it ends.
    pub ended: Option<usize>,
}

/// A step.
#[derive(Clone, Debug)]
pub struct Row {
    /// The number of the step.
    pub number: u32,
    /// The line of the statement.
    pub line: u32,
    /// The lane of the process that moves.
    pub lane: usize,
    /// The other lane of a rendezvous.
    pub partner: Option<usize>,
    /// What is written beside it.
    pub label: String,
    /// What that is about.
    pub kind: RowKind,
    /// All that is known, for those who point at it.
    pub details: String,
    /// Whether something went wrong in it.
    pub failed: bool,
}

/// What a row's label is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowKind {
    /// Something between a process and itself.
    Local,
    /// The model prints something.
    Print,
    /// Messages.
    Message,
    /// The process ends.
    End,
}

/// A message from one place to another.
#[derive(Clone, Debug)]
pub struct Arrow {
    /// Row and lane where it is sent.
    pub from: (usize, usize),
    /// Where it goes.
    pub to: Target,
}

/// Where a message goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// Row and lane where it is received.
    Received(usize, usize),
    /// Nowhere yet: it is in its channel at the end.
    Waiting,
    /// Nowhere: the channel was full.
    Lost,
    /// The lane of the partner of a rendezvous, in the same row.
    Handed(usize),
}

/// Rows in which a process keeps control.
#[derive(Clone, Debug)]
pub struct Atomic {
    /// The lane of the process.
    pub lane: usize,
    /// The first row.
    pub first: usize,
    /// The last row.
    pub last: usize,
}

/// How the run ends, and which lanes are to blame.
#[derive(Clone, Debug)]
pub struct EndMark {
    /// Whether that is good or bad.
    pub mood: Mood,
    /// What happened.
    pub text: String,
    /// Lanes of processes that are where they may not rest, with their lines.
    pub stuck: Vec<(usize, u32)>,
}

/// How good the end of a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mood {
    /// As it should be.
    Good,
    /// Neither.
    Neutral,
    /// A violation.
    Bad,
}

impl Chart {
    /// Leaves out the rows before the last `count`. What began there is drawn as if it had always been; messages that were sent there
    /// arrive without an arrow.
    pub fn keep_last(&mut self, count: usize) {
        let first = self.rows.len().saturating_sub(count);
        if first == 0 {
            return;
        }
        self.rows.drain(..first);
        self.lives.retain(|life| life.ended.is_none_or(|row| row >= first));
        for life in &mut self.lives {
            life.created = life.created.and_then(|(row, lane)| Some((row.checked_sub(first)?, lane)));
            life.ended = life.ended.map(|row| row - first);
        }
        self.arrows.retain(|arrow| arrow.from.0 >= first);
        for arrow in &mut self.arrows {
            arrow.from.0 -= first;
            if let Target::Received(row, _) = &mut arrow.to {
                *row -= first;
            }
        }
        self.atomics.retain(|atomic| atomic.last >= first);
        for atomic in &mut self.atomics {
            atomic.first = atomic.first.saturating_sub(first);
            atomic.last -= first;
        }
        self.cycle = self.cycle.and_then(|start| start.checked_sub(first));
    }

    /// The rows in which an arrow from the right ends; where several end, the first one counts.
    fn rows_from_right(&self) -> FxHashSet<usize> {
        let mut first = FxHashMap::default();
        for arrow in &self.arrows {
            if let Target::Received(row, lane) = arrow.to {
                first.entry(row).or_insert(arrow.from.1 > lane);
            }
        }
        first.into_iter().filter_map(|(row, from_right)| from_right.then_some(row)).collect()
    }
}
