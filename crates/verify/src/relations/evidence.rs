//! From a run of a comparison to a trace: each of its steps is found again in the interpreter, and the whole is replayed before anybody sees it.

use machine::replay::{Replay, Verdict};
use machine::simulate::{History, Run as MachineRun};
use machine::trace::{End, EndKind, Origin, Trace};
use relate::Run;

use super::side::ModelSide;

/// A run of a model along the events of a difference.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The run.
    pub trace: Trace,
    /// Its visible events, each with the number of the step (from 1) that shows it.
    pub events: Vec<(u32, String)>,
}

/// Variables that nobody reads may keep a cycle from closing at once. They come back after as many rounds as a byte has values, or never.
const MOST_ROUNDS: usize = 300;

impl Evidence {
    /// The run of the model that the states of a comparison stand for.
    pub(super) fn of(side: &mut ModelSide<'_>, run: &Run) -> Result<Evidence, String> {
        let machine = side.model.machine.clone();
        let first = MachineRun::new(&machine, History::Record).map_err(|error| error.message)?;
        let real = first.state().bytes().to_vec();
        let mut walk = Walk { side, run: first, real, events: Vec::new() };
        let start = run.cycle_start.unwrap_or(run.events.len());
        walk.along(run, 0..start)?;
        let mut cycle_start = None;
        if start < run.events.len() {
            cycle_start = Some(walk.around(run, start)?);
        }
        let end = match cycle_start {
            Some(_) => End::new(EndKind::Stopped, "from here on internal steps are repeated for ever"),
            None => walk.run.end(),
        };
        let origin = Origin { property: None, ..walk.side.model.origin.clone() };
        let (events, run) = (walk.events, walk.run);
        let trace = Trace { cycle_start, ..run.into_trace(origin, end) };
        confirm(&machine, &trace)?;
        Ok(Evidence { trace, events })
    }
}

struct Walk<'w, 's, 'm> {
    side: &'w mut ModelSide<'s>,
    run: MachineRun<'m>,
    /// The state that was really reached, as the observer writes it.
    real: Vec<u8>,
    events: Vec<(u32, String)>,
}

impl Walk<'_, '_, '_> {
    fn along(&mut self, run: &Run, steps: std::ops::Range<usize>) -> Result<(), String> {
        for index in steps {
            self.step(run, index)?;
        }
        Ok(())
    }

    /// Takes a step that is seen as that of the run is, to a state for which the run's is stored.
    fn step(&mut self, run: &Run, index: usize) -> Result<(), String> {
        let (wanted, next) = (run.events[index], &run.states[index + 1]);
        for way in self.side.observer.ways(&self.real) {
            if self.side.event(way.event) == wanted && self.side.observer.mean_the_same(&way.target, next) {
                self.run.follow(&way.steps).map_err(|_| format!("step {index} cannot be taken"))?;
                if let Some(event) = way.event {
                    self.events.push((self.run.length(), self.side.observer.name(event).to_string()));
                }
                self.real = way.target;
                return Ok(());
            }
        }
        Err(format!("nothing leads to state {} of the run", index + 1))
    }

    /// Goes round the cycle until it closes; the number of steps before it.
    fn around(&mut self, run: &Run, start: usize) -> Result<usize, String> {
        let mut starts: Vec<(Vec<u8>, usize)> = Vec::new();
        for _ in 0..MOST_ROUNDS {
            if let Some((_, steps)) = starts.iter().find(|(state, _)| *state == self.real) {
                return Ok(*steps);
            }
            starts.push((self.real.clone(), self.run.length() as usize));
            self.along(run, start..run.events.len())?;
        }
        Err("the cycle of internal steps does not close".into())
    }
}

/// Executes a trace again.
fn confirm(machine: &machine::Machine, trace: &Trace) -> Result<(), String> {
    let mut replay = Replay::new(machine, trace).map_err(|mismatch| mismatch.to_string())?;
    while replay.step().map_err(|mismatch| mismatch.to_string())?.is_some() {}
    match replay.verdict() {
        Verdict::Confirmed { .. } => Ok(()),
        Verdict::NotConfirmed { reason } => Err(reason),
    }
}
