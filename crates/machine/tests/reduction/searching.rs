//! Models, and searches of them with and without reduction.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use explore::search::{Bounds, Errors, Options, Order, Progress, search, search_reduced};
use explore::store::{Limits, TreeStore};
use machine::Machine;
use machine::ample::{Ample, AmpleSets, Proviso};
use machine::gauge::Weighing;
use machine::interpret::Interpreter;
use machine::jit::{CompiledGenerator, CompiledMachine, EmbeddedCode};
use machine::merged::{Merged, Stops};
use system::{Arena, Extent, Seen, System, leave_to_inner};

const EXAMPLES: &str = "/usr/share/doc/spin/examples/Examples";

/// The models that come with SPIN, where they are installed.
pub fn examples() -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(Path::new(EXAMPLES), &mut found);
    found.sort();
    found
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "pml") {
            found.push(path);
        }
    }
}

/// The machine of a model in a file, if it is one.
pub fn load(path: &Path) -> Option<Arc<Machine>> {
    let loaded = promela::load(path, &promela::Options::default());
    loaded.model.map(|model| Arc::new(machine::lower(&model)))
}

/// The machine of a model in a text.
pub fn read(text: &str) -> Arc<Machine> {
    let loaded = promela::load_text("model.pml", text, &promela::Options::default());
    let messages: Vec<_> = loaded.diagnostics.iter().map(|diagnostic| diagnostic.message.to_string()).collect();
    Arc::new(machine::lower(&loaded.model.unwrap_or_else(|| panic!("{messages:?} in {text}"))))
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Findings {
    pub stored: u64,
    pub transitions: u64,
    /// States in which nothing can happen though something should.
    pub deadlocks: u64,
    /// Whether a step went wrong somewhere.
    pub errors: bool,
}

/// How to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    Full,
    /// By one worker, deep first, with flags.
    Reduced,
    /// In this order, without flags.
    ReducedPlainly(Order),
    /// In this order, by three workers that do not wait for each other, with flags.
    ReducedTogether(Order),
    /// Near states first, with flags.
    ReducedWidely,
    /// As `Reduced`, and chains are passed over.
    Skipping,
}

/// Searches all states of a machine; `None` when there are too many, or a part of it cannot be executed.
pub fn explore(machine: &Arc<Machine>, manner: Manner, most_states: u64) -> Option<Findings> {
    let compiled = CompiledMachine::new(Arc::clone(machine), EmbeddedCode::none()).ok()?;
    let sets = match manner {
        Manner::Full => None,
        Manner::Skipping => Some(AmpleSets::new(Arc::clone(machine), &[]).ok()?),
        _ => AmpleSets::new(Arc::clone(machine), &[]).ok(),
    };
    Interpreter::new(machine).initial().ok()?;
    let make = || {
        let engine = CompiledGenerator::new(Arc::clone(&compiled));
        let stack: Box<dyn System> = match sets.clone() {
            None => Box::new(engine),
            Some(sets) => {
                let ample = Ample::new(engine, sets.clone(), Proviso::OnThePath, Weighing::Never);
                match manner {
                    Manner::Skipping => Box::new(Merged::new(ample, sets, Stops::default(), Weighing::Never)),
                    _ => Box::new(ample),
                }
            }
        };
        Counted { stack, deadlocks: 0 }
    };
    let (order, workers) = match manner {
        Manner::ReducedPlainly(order) => (order, 1),
        Manner::ReducedTogether(order) => (order, 3),
        Manner::ReducedWidely => (Order::BreadthFirst, 1),
        _ => (Order::DepthFirst, 1),
    };
    let head_start = 0;
    let options = Options {
        order,
        workers,
        errors: Errors::All,
        bounds: Bounds { max_states: Some(most_states), ..Bounds::default() },
        head_start,
        ..Options::default()
    };
    let limits = Limits::memory(1 << 30);
    let outcome = match manner {
        Manner::Reduced | Manner::Skipping | Manner::ReducedTogether(_) | Manner::ReducedWidely => {
            search_reduced(make, &TreeStore::with_flags(limits), &options, &Progress::new())
        }
        _ => search(make, &TreeStore::new(limits), &options, &Progress::new()),
    };
    (outcome.end == explore::search::End::Complete).then(|| Findings {
        stored: outcome.stored,
        transitions: outcome.transitions(),
        deadlocks: outcome.systems.iter().map(|system| system.deadlocks).sum(),
        errors: outcome.notes.happened(Seen::ERRORS),
    })
}

/// A layer that counts deadlocks.
struct Counted {
    stack: Box<dyn System>,
    deadlocks: u64,
}

impl System for Counted {
    leave_to_inner!(stack: initial, notes);

    fn successors(&mut self, state: &[u8], into: &mut Arena) {
        self.stack.successors(state, into);
        self.deadlocks += u64::from(into.signals().rest.is_invalid());
    }

    fn reduced(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        let extent = self.stack.reduced(state, into);
        self.deadlocks += u64::from(into.signals().rest.is_invalid());
        extent
    }

    fn other(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        let extent = self.stack.other(state, into);
        self.deadlocks += u64::from(into.signals().rest.is_invalid());
        extent
    }
}
