//! Models, and searches of them with and without reduction.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use explore::search::{Errors, Options, Order, Progress, search, search_reduced};
use explore::store::{Limits, TreeStore};
use explore::{Extent, System};
use machine::Machine;
use machine::ample::{self, AmpleSets, Chains};
use machine::generate::{Generator, Rest, Successors};
use machine::jit::{CompiledGenerator, CompiledMachine, EmbeddedCode};

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
    let ample = match manner {
        Manner::Full => None,
        Manner::Skipping => Some(AmpleSets::new(Arc::clone(machine), &[]).ok()?.with_chains(Chains::Skip)),
        _ => AmpleSets::new(Arc::clone(machine), &[]).ok(),
    };
    CompiledGenerator::new(Arc::clone(&compiled)).initial(&mut Vec::new()).ok()?;
    let make = || Explored {
        generator: CompiledGenerator::new(Arc::clone(&compiled)),
        ample: ample.clone(),
        deadlocks: 0,
        errors: false,
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
        max_states: Some(most_states),
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
        errors: outcome.systems.iter().any(|system| system.errors),
    })
}

struct Explored {
    generator: CompiledGenerator,
    ample: Option<AmpleSets>,
    deadlocks: u64,
    errors: bool,
}

#[derive(Default)]
pub struct List(Successors);

impl explore::Successors for List {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn state(&self, index: usize) -> &[u8] {
        self.0.target(index)
    }

    fn violations(&self) -> u64 {
        0
    }
}

impl Explored {
    fn note(&mut self, list: &List) {
        let signals = list.0.signals();
        self.deadlocks += u64::from(signals.rest == Rest::InvalidEnd);
        self.errors |= signals.errors > 0;
    }
}

impl System for Explored {
    type Successors = List;

    fn initial(&mut self, into: &mut Vec<u8>) {
        self.generator.initial(into).expect("it was computed before");
    }

    fn successors(&mut self, state: &[u8], into: &mut List) {
        self.generator.successors(state, &mut into.0);
        self.note(into);
    }

    fn reduced_successors(&mut self, state: &[u8], into: &mut List) -> Extent {
        let Some(ample) = &mut self.ample else {
            self.successors(state, into);
            return Extent::All;
        };
        let extent = ample.successors(&mut self.generator, state, &mut into.0);
        self.note(into);
        translate(extent)
    }

    fn other_successors(&mut self, state: &[u8], into: &mut List) -> Extent {
        let Some(ample) = &mut self.ample else {
            self.successors(state, into);
            return Extent::All;
        };
        let extent = ample.next_successors(&mut self.generator, state, &mut into.0);
        self.note(into);
        translate(extent)
    }
}

fn translate(extent: ample::Extent) -> Extent {
    match extent {
        ample::Extent::All => Extent::All,
        ample::Extent::Part => Extent::Part,
    }
}
