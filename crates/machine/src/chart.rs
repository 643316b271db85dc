//! Message sequence charts: who sends what to whom, as a picture or as text.
//!
//! Time runs downwards, one row for each step of a trace; every process number has a lane. What stands where is worked out
//! here, from a [`Trace`] alone; [`svg()`] and [`text()`] draw the same chart. A message is drawn from the step that sends it to the
//! step that receives that very message, which the trace knows by its number.

mod svg;
mod text;

pub(crate) use self::svg::{escaped, shortened};
pub use self::svg::{svg, svg_of_last};
pub use self::text::text;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::trace::{Direction, EndKind, Exchange, ExchangeKind, Trace, TraceStep};

/// A chart: everything is placed by row and lane.
struct Chart {
    title: String,
    lanes: usize,
    lives: Vec<Life>,
    rows: Vec<Row>,
    arrows: Vec<Arrow>,
    atomics: Vec<Atomic>,
    /// The lane that has control after the rows so far.
    control: Option<usize>,
    /// The first row of the cycle.
    cycle: Option<usize>,
    end: EndMark,
}

/// A process: where it appears in its lane and where it ends.
struct Life {
    lane: usize,
    name: String,
    /// The row in which it is created and the lane of its creator; `None` if it is there from the start.
    created: Option<(usize, usize)>,
    /// The row in which it ends.
    ended: Option<usize>,
}

/// A step.
struct Row {
    number: u32,
    line: u32,
    lane: usize,
    /// The other lane of a rendezvous.
    partner: Option<usize>,
    label: String,
    kind: RowKind,
    /// All that is known, for those who point at it.
    details: String,
    failed: bool,
}

/// What a row's label is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RowKind {
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
struct Arrow {
    from: (usize, usize),
    to: Target,
}

/// Where a message goes.
enum Target {
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
struct Atomic {
    lane: usize,
    first: usize,
    last: usize,
}

/// How the run ends, and which lanes are to blame.
struct EndMark {
    kind: EndKind,
    text: String,
    /// Lanes of processes that are where they may not rest, with their lines.
    stuck: Vec<(usize, u32)>,
}

impl Chart {
    fn new(trace: &Trace) -> Chart {
        let mut chart = Chart {
            title: trace.origin.model.clone(),
            lanes: 0,
            lives: Vec::new(),
            rows: Vec::new(),
            arrows: Vec::new(),
            atomics: Vec::new(),
            control: None,
            cycle: trace.cycle_start,
            end: EndMark { kind: trace.end.kind, text: end_text(trace), stuck: Vec::new() },
        };
        for process in &trace.initial.processes {
            chart.lives.push(Life {
                lane: process.pid.into(),
                name: process.process.clone(),
                created: None,
                ended: None,
            });
        }
        let mut on_the_way = FxHashMap::default();
        for (row, step) in trace.steps.iter().enumerate() {
            chart.add_step(row, step, &mut on_the_way);
        }
        chart.lanes = chart.lives.iter().map(|life| life.lane + 1).max().unwrap_or(1);
        if trace.end.kind == EndKind::InvalidEndState {
            let stuck = trace.last.processes.iter().filter(|process| !process.valid_end);
            chart.end.stuck = stuck.map(|process| (process.pid.into(), process.place.line)).collect();
        }
        chart
    }

    /// Leaves out the rows before the last `count`. What began there is drawn as if it had always been; messages that were sent there
    /// arrive without an arrow.
    fn keep_last(&mut self, count: usize) {
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

    fn add_step(&mut self, row: usize, step: &TraceStep, on_the_way: &mut FxHashMap<u32, usize>) {
        let lane = usize::from(step.part.pid);
        for exchange in &step.communications {
            self.add_exchange(row, exchange, on_the_way);
        }
        for birth in &step.created {
            let created = Some((row, lane));
            self.lives.push(Life { lane: birth.pid.into(), name: birth.process.clone(), created, ended: None });
        }
        for &ended in &step.ended {
            let alive = |life: &&mut Life| life.lane == usize::from(ended) && life.ended.is_none();
            if let Some(life) = self.lives.iter_mut().rev().find(alive) {
                life.ended = Some(row);
            }
        }
        if step.atomic {
            match self.atomics.last_mut() {
                Some(atomic) if atomic.lane == lane && self.control == Some(lane) => atomic.last = row,
                _ => self.atomics.push(Atomic { lane, first: row, last: row }),
            }
        }
        self.control = step.control.map(usize::from);
        let (label, kind) = label(step);
        self.rows.push(Row {
            number: step.number,
            line: step.part.place.line,
            lane,
            partner: step.partner.as_ref().map(|partner| partner.pid.into()),
            label,
            kind,
            details: details(step),
            failed: step.error.is_some(),
        });
    }

    fn add_exchange(&mut self, row: usize, exchange: &Exchange, on_the_way: &mut FxHashMap<u32, usize>) {
        let lane = usize::from(exchange.pid);
        let from = (row, lane);
        match exchange.kind {
            ExchangeKind::Send => {
                on_the_way.insert(exchange.message, self.arrows.len());
                self.arrows.push(Arrow { from, to: Target::Waiting });
            }
            ExchangeKind::Lose => self.arrows.push(Arrow { from, to: Target::Lost }),
            ExchangeKind::Rendezvous => {
                let to = Target::Handed(exchange.to.unwrap_or(exchange.pid).into());
                self.arrows.push(Arrow { from, to });
            }
            ExchangeKind::Receive => {
                if let Some(arrow) = on_the_way.remove(&exchange.message) {
                    self.arrows[arrow].to = Target::Received(row, lane);
                }
            }
            // The message stays on its way.
            ExchangeKind::Copy => {}
        }
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

fn label(step: &TraceStep) -> (String, RowKind) {
    if !step.communications.is_empty() {
        let texts = step.communications.iter().map(|exchange| match exchange.kind {
            ExchangeKind::Send | ExchangeKind::Rendezvous => exchange.text(Direction::Send),
            ExchangeKind::Lose => format!("{} lost", exchange.text(Direction::Send)),
            ExchangeKind::Receive | ExchangeKind::Copy => exchange.text(Direction::Receive),
        });
        return (texts.collect::<Vec<_>>().join("; "), RowKind::Message);
    }
    if let Some(error) = &step.error {
        return (error.message.clone(), RowKind::Local);
    }
    if !step.output.trim().is_empty() {
        let line = step.output.split_whitespace().collect::<Vec<_>>().join(" ");
        return (format!("\u{201c}{line}\u{201d}"), RowKind::Print);
    }
    if step.part.statement == "-end-" {
        return (String::new(), RowKind::End);
    }
    (step.part.statement.clone(), RowKind::Local)
}

fn details(step: &TraceStep) -> String {
    let parts = std::iter::once(&step.part).chain(&step.partner).cloned().collect::<Vec<_>>();
    let mut text = format!("step {}: {}", step.number, crate::replay::describe(&parts));
    for change in &step.changes {
        text += &format!("\n{}: {} \u{2192} {}", change.name, change.old, change.new);
    }
    if let Some(error) = &step.error {
        text += &format!("\n{}", error.message);
    }
    text
}

fn end_text(trace: &Trace) -> String {
    let place = match (&trace.end.file, trace.end.line) {
        (Some(file), Some(line)) => format!(" ({file}:{line})"),
        _ => String::new(),
    };
    format!("{}{place}", trace.end.message)
}
