//! Runs both engines side by side over the first states of a model.

use std::collections::{HashSet, VecDeque};
use std::path::Path;
use std::sync::Arc;

use machine::Machine;
use machine::generate::InterpretedGenerator;
use machine::id::ActionId;
use machine::interpret::Interpreter;
use machine::jit::{CompiledGenerator, CompiledMachine, EmbeddedCode};
use system::{Arena, Grouped as _, System as _};

use crate::scramble::{Random, scramble};

/// Both engines for one machine.
pub struct Pair {
    machine: Arc<Machine>,
    interpreted: InterpretedGenerator,
    compiled: CompiledGenerator,
}

/// What a comparison saw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    pub states: usize,
    pub transitions: usize,
    pub errors: usize,
}

/// The machine of a model in a file.
pub fn load(path: &Path) -> Result<Arc<Machine>, String> {
    let loaded = promela::load(path, &promela::Options::default());
    match loaded.model {
        Some(model) => Ok(Arc::new(machine::lower(&model))),
        None => Err(loaded.diagnostics.iter().map(|diagnostic| diagnostic.message.to_string()).collect()),
    }
}

/// The machine of a model in a text.
pub fn read(text: &str) -> Arc<Machine> {
    let loaded = promela::load_text("model.pml", text, &promela::Options::default());
    let messages: Vec<_> = loaded.diagnostics.iter().map(|diagnostic| diagnostic.message.to_string()).collect();
    Arc::new(machine::lower(&loaded.model.unwrap_or_else(|| panic!("{messages:?} in {text}"))))
}

impl Pair {
    /// Both engines, or why one of them refuses the machine.
    pub fn new(machine: Arc<Machine>) -> Result<Pair, String> {
        let interpreted = InterpretedGenerator::new(machine.clone()).map_err(|refusal| refusal.reason)?;
        let compiled = CompiledMachine::new(machine.clone(), EmbeddedCode::none()).map_err(|refusal| refusal.reason)?;
        Ok(Pair { machine, interpreted, compiled: CompiledGenerator::new(compiled) })
    }

    /// Compares the engines on the states that are reached first, breadth first, and on one made at random from each.
    pub fn compare_states(&mut self, most_states: usize) -> Result<Seen, String> {
        let mut initial = Vec::new();
        if Interpreter::new(&self.machine).initial().is_err() {
            return Ok(Seen::default());
        }
        self.interpreted.initial(&mut initial);
        let mut random = Random::new(1);
        let mut scratch = Arena::new();
        let mut seen = HashSet::from([initial.clone()]);
        let mut queue = VecDeque::from([initial]);
        let mut result = Seen::default();
        let mut successors = Arena::new();
        while let Some(state) = queue.pop_front() {
            self.compare(&state, &mut successors)?;
            let mut scrambled = state;
            scramble(&self.machine, &mut scrambled, &mut random);
            self.compare(&scrambled, &mut scratch)?;
            result.states += 1;
            result.transitions += successors.len();
            result.errors += successors.signals().errors as usize;
            for target in successors.targets() {
                if seen.len() < most_states && !seen.contains(target) {
                    seen.insert(target.to_vec());
                    queue.push_back(target.to_vec());
                }
            }
        }
        Ok(result)
    }

    /// Compares the engines on one state, and leaves its successors in `into`.
    pub fn compare(&mut self, state: &[u8], into: &mut Arena) -> Result<(), String> {
        let mut expected = Arena::new();
        self.interpreted.successors(state, &mut expected);
        self.compiled.successors(state, into);
        let texts = |successors: &Arena| -> Vec<String> {
            successors
                .targets()
                .zip(successors.labels())
                .map(|(target, step)| {
                    let text = &self.machine.action(ActionId(step.action)).text;
                    format!("process {} {text}, {:b} move: {target:?}", step.process, step.movers.0)
                })
                .collect()
        };
        if expected.signals() != into.signals() || texts(&expected) != texts(into) {
            return Err(format!(
                "in state {state:?}\ninterpreted {:?}\n{}\ncompiled {:?}\n{}",
                expected.signals(),
                texts(&expected).join("\n"),
                into.signals(),
                texts(into).join("\n")
            ));
        }
        self.compare_processes(state, into)
    }

    /// Compares the engines on the moves of each process alone; together they are the successors, unless these are timeouts.
    fn compare_processes(&mut self, state: &[u8], all: &Arena) -> Result<(), String> {
        let (mut expected, mut found) = (Arena::new(), Arena::new());
        for pid in (0..state[0]).rev() {
            self.interpreted.of_process(state, pid, &mut expected);
            self.compiled.of_process(state, pid, &mut found);
            if expected.signals() != found.signals() || !expected.targets().eq(found.targets()) {
                return Err(format!("the engines differ on the moves of process {} in state {state:?}", pid));
            }
        }
        let is_timeout = expected.is_empty() && expected.signals().errors == 0;
        if !is_timeout && (!expected.targets().eq(all.targets()) || !expected.labels().eq(all.labels())) {
            return Err(format!("the processes' moves are not the successors of state {state:?}"));
        }
        Ok(())
    }
}
