//! The symmetry of a model as searches use it.
//!
//! A search stores representatives. The way back to a run of the model has three parts: from the initial state, a successor is
//! chosen that the next representative stands for; where processes had to stay at their end, they disappear as soon as they
//! can; and the reference interpreter finds the steps.

use std::sync::Arc;
use std::time::Duration;

use machine::Machine;
use machine::interpret::Interpreter;
use machine::state::State;
use num_bigint::BigUint;
use symmetry::detect::{self, Deaths, Declared, Detection, Generator, without_deaths};
use symmetry::{Canonicaliser, Strategy};

use super::SymmetryUse;

/// A model's symmetry.
pub(super) struct Orbits {
    pub detection: Detection,
    pub strategy: Strategy,
    canonicaliser: Canonicaliser,
    /// The machine to be used where symmetry applies, if it is another one.
    pub immortal: Option<Arc<Machine>>,
}

impl Orbits {
    /// Detects symmetry, within what is declared; `None` if there is none.
    pub fn of(machine: &Machine, strategy: Strategy, declared: Option<&[Declared]>) -> Option<Orbits> {
        let options = detect::Options { declared: declared.map(<[Declared]>::to_vec), ..detect::Options::default() };
        let detection = detect::detect(machine, &options);
        if detection.group.is_trivial() {
            return None;
        }
        let canonicaliser = Canonicaliser::new(&detection.shape, &detection.group, strategy);
        let immortal = match detection.deaths {
            Deaths::Ignored => Some(Arc::new(without_deaths(machine))),
            Deaths::Happen => None,
        };
        Some(Orbits { detection, strategy, canonicaliser, immortal })
    }

    /// What finds representatives for one worker.
    pub fn canonicaliser(&self) -> Canonicaliser {
        self.canonicaliser.clone()
    }

    /// Whether symmetry applies to a state.
    pub fn applies(&self, state: &[u8]) -> bool {
        self.detection.is_eligible(state)
    }

    /// What a report says about it.
    pub fn usage(&self, represented: BigUint) -> SymmetryUse {
        SymmetryUse {
            order: self.detection.group.order(),
            generators: self.detection.generators.iter().map(cycle_form).collect(),
            strategy: self.strategy,
            exact: self.canonicaliser.is_exact(),
            detection_time: Duration::from_secs_f64(self.detection.seconds),
            represented,
        }
    }

    fn representative(&self, canonicaliser: &mut Canonicaliser, state: &[u8]) -> Vec<u8> {
        let mut representative = state.to_vec();
        if self.applies(state) {
            canonicaliser.representative(&mut representative);
        }
        representative
    }

    /// A run of the model through the orbits of a path of representatives.
    pub fn run_through(&self, machine: &Machine, path: &[Vec<u8>]) -> Vec<State> {
        let interpreter = Interpreter::new(machine);
        let immortal = self.immortal.as_deref().map(Interpreter::new);
        let mut canonicaliser = self.canonicaliser();
        let Ok(mut current) = interpreter.initial() else { return Vec::new() };
        let mut living = Living::new(machine, self.immortal.is_some());
        let mut run = Vec::new();
        living.append(&current, self.applies(current.bytes()), &mut run);
        for stored in path.iter().skip(1) {
            let moving = match &immortal {
                Some(immortal) if self.applies(current.bytes()) => immortal,
                _ => &interpreter,
            };
            let next = moving
                .successors(&current)
                .transitions
                .into_iter()
                .map(|transition| transition.target)
                .find(|target| self.representative(&mut canonicaliser, target.bytes()) == *stored);
            let Some(next) = next else { break };
            living.append(&next, self.applies(next.bytes()), &mut run);
            current = next;
        }
        run
    }
}

/// `(p[1] p[2])(q[1] q[2])`
fn cycle_form(generator: &Generator) -> String {
    generator.cycles.iter().map(|cycle| format!("({})", cycle.join(" "))).collect()
}

/// Lets processes disappear that a search kept at their end.
struct Living<'m> {
    machine: &'m Machine,
    kept: bool,
    /// How many processes there still are, once the first one disappeared.
    count: Option<usize>,
}

impl<'m> Living<'m> {
    fn new(machine: &'m Machine, kept: bool) -> Living<'m> {
        Living { machine, kept, count: None }
    }

    /// Appends the state that `state` is without the processes that have disappeared, then those in which more disappear.
    fn append(&mut self, state: &State, applies: bool, run: &mut Vec<State>) {
        if !(self.kept && applies) {
            run.push(state.clone());
            return;
        }
        let layout = &self.machine.layout;
        let mut state = state.clone();
        while self.count.is_some_and(|count| state.process_count() > count) {
            state.pop_process(layout);
        }
        run.push(state.clone());
        while let Some(youngest) = state.pids().next_back() {
            let definition = self.machine.definition(state.definition(layout, youngest));
            if state.location(layout, youngest) != definition.automaton.end {
                break;
            }
            state.pop_process(layout);
            run.push(state.clone());
        }
        self.count = Some(state.process_count());
    }
}
