//! Traces as message sequence charts: what stands where is worked out here, from a [`Trace`] alone; the crate `picture` draws it.
//!
//! Time runs downwards, one row for each step; every process number has a lane. A message goes from the step that sends it to the
//! step that receives that very message, which the trace knows by its number.

use picture::chart::{Arrow, Atomic, Chart, EndMark, Life, Mood, Row, RowKind, Target};
use rustc_hash::FxHashMap;

use crate::trace::{Direction, EndKind, Exchange, ExchangeKind, Trace, TraceStep};

/// A trace as a message sequence chart.
#[must_use]
pub fn chart(trace: &Trace) -> Chart {
    let mood = match trace.end.kind {
        kind if kind.is_violation() => Mood::Bad,
        EndKind::ValidEndState => Mood::Good,
        _ => Mood::Neutral,
    };
    let mut builder = Builder {
        chart: Chart {
            title: trace.origin.model.clone(),
            lanes: 0,
            lives: Vec::new(),
            rows: Vec::new(),
            arrows: Vec::new(),
            atomics: Vec::new(),
            cycle: trace.cycle_start,
            end: EndMark { mood, text: end_text(trace), stuck: Vec::new() },
        },
        control: None,
        on_the_way: FxHashMap::default(),
    };
    for process in &trace.initial.processes {
        let (lane, name) = (process.pid.into(), process.process.clone());
        builder.chart.lives.push(Life { lane, name, created: None, ended: None });
    }
    for (row, step) in trace.steps.iter().enumerate() {
        builder.add_step(row, step);
    }
    let mut chart = builder.chart;
    chart.lanes = chart.lives.iter().map(|life| life.lane + 1).max().unwrap_or(1);
    if trace.end.kind == EndKind::InvalidEndState {
        let stuck = trace.last.processes.iter().filter(|process| !process.valid_end);
        chart.end.stuck = stuck.map(|process| (process.pid.into(), process.place.line)).collect();
    }
    chart
}

struct Builder {
    chart: Chart,
    /// The lane that has control after the rows so far.
    control: Option<usize>,
    /// Messages that were sent and not received yet, by number: which arrow.
    on_the_way: FxHashMap<u32, usize>,
}

impl Builder {
    fn add_step(&mut self, row: usize, step: &TraceStep) {
        let lane = usize::from(step.part.pid);
        for exchange in &step.communications {
            self.add_exchange(row, exchange);
        }
        for birth in &step.created {
            let created = Some((row, lane));
            self.chart.lives.push(Life { lane: birth.pid.into(), name: birth.process.clone(), created, ended: None });
        }
        for &ended in &step.ended {
            let alive = |life: &&mut Life| life.lane == usize::from(ended) && life.ended.is_none();
            if let Some(life) = self.chart.lives.iter_mut().rev().find(alive) {
                life.ended = Some(row);
            }
        }
        if step.atomic {
            match self.chart.atomics.last_mut() {
                Some(atomic) if atomic.lane == lane && self.control == Some(lane) => atomic.last = row,
                _ => self.chart.atomics.push(Atomic { lane, first: row, last: row }),
            }
        }
        self.control = step.control.map(usize::from);
        let (label, kind) = label(step);
        self.chart.rows.push(Row {
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

    fn add_exchange(&mut self, row: usize, exchange: &Exchange) {
        let lane = usize::from(exchange.pid);
        let from = (row, lane);
        match exchange.kind {
            ExchangeKind::Send => {
                self.on_the_way.insert(exchange.message, self.chart.arrows.len());
                self.chart.arrows.push(Arrow { from, to: Target::Waiting });
            }
            ExchangeKind::Lose => self.chart.arrows.push(Arrow { from, to: Target::Lost }),
            ExchangeKind::Rendezvous => {
                let to = Target::Handed(exchange.to.unwrap_or(exchange.pid).into());
                self.chart.arrows.push(Arrow { from, to });
            }
            ExchangeKind::Receive => {
                if let Some(arrow) = self.on_the_way.remove(&exchange.message) {
                    self.chart.arrows[arrow].to = Target::Received(row, lane);
                }
            }
            // The message stays on its way.
            ExchangeKind::Copy => {}
        }
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
    if step.part.is_end() {
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
