//! One side of a comparison: a model in its layers, or a system that was read from a file.

use std::sync::Arc;

use machine::Machine;
use machine::ample::{Ample, AmpleSets, Proviso};
use machine::dead::{DeadVariables, Trimmed};
use machine::events::{self, EventId, Observables, Observer};
use machine::gauge::Weighing;
use machine::generate::InterpretedGenerator;
use machine::jit::{CompiledGenerator, CompiledMachine, EmbeddedCode};
use machine::trace::Origin;
use relate::{Alphabet, Event, Lts, Observed, Run, Steps};
use system::{Grouped, System};

use super::{Evidence, Layers};
use crate::verify::{Engine, Refusal};

/// Something that can be compared.
pub enum Subject {
    /// A model.
    Model(Box<Model>),
    /// A file of transitions.
    File(Lts),
}

/// A model, with what is observed of it.
pub struct Model {
    pub(super) machine: Arc<Machine>,
    pub(super) origin: Origin,
    observables: Arc<Observables>,
    engine: Executable,
    dead: Option<Arc<DeadVariables>>,
    ample: Option<AmpleSets>,
    /// Why ample sets cannot be used, if they cannot.
    pub refusal: Option<String>,
}

#[derive(Clone)]
enum Executable {
    Compiled(Arc<CompiledMachine>),
    Interpreted(InterpretedGenerator),
}

impl Model {
    /// Prepares a model.
    ///
    /// # Errors
    /// When it cannot be executed.
    pub fn new(machine: Machine, origin: Origin, observables: Observables, engine: Engine) -> Result<Model, Refusal> {
        let (machine, observables) = (Arc::new(machine), Arc::new(observables));
        let engine = match engine {
            Engine::Compiled => Executable::Compiled(CompiledMachine::new(machine.clone(), EmbeddedCode::none())?),
            Engine::Interpreter => Executable::Interpreted(InterpretedGenerator::new(machine.clone())?),
        };
        let seen = events::seen_actions(&machine, &observables);
        let sets = AmpleSets::for_events(machine.clone(), &|action| seen[action.index()]);
        let (ample, refusal) = match sets {
            Ok(sets) => (Some(sets), None),
            Err(refusal) => (None, Some(refusal.reason)),
        };
        let dead = events::dead_variables(&machine, &observables).map(Arc::new);
        Ok(Model { machine, origin, observables, engine, dead, ample, refusal })
    }

    /// The machine.
    #[must_use]
    pub fn machine(&self) -> &Arc<Machine> {
        &self.machine
    }

    fn system(&self, layers: Layers) -> Box<dyn System> {
        let mut system: Box<dyn Grouped> = match &self.engine {
            Executable::Compiled(compiled) => Box::new(CompiledGenerator::new(compiled.clone())),
            Executable::Interpreted(engine) => Box::new(engine.clone()),
        };
        if let (Layers::Dead | Layers::DeadAndAmple, Some(dead)) = (layers, &self.dead) {
            system = Box::new(Trimmed::new(system, dead.clone()));
        }
        match (layers, &self.ample) {
            (Layers::DeadAndAmple, Some(sets)) => {
                Box::new(Ample::new(system, sets.clone(), Proviso::InAdvance, Weighing::Never))
            }
            _ => system,
        }
    }
}

impl Subject {
    /// What an observer sees of it.
    #[must_use]
    pub fn observed<'s>(&'s self, layers: Layers, alphabet: &Alphabet) -> Side<'s> {
        match self {
            Subject::File(lts) => Side::File(lts),
            Subject::Model(model) => {
                let system = model.system(layers);
                let observer = Observer::new(model.machine.clone(), model.observables.clone(), system);
                let events = Vec::new();
                Side::Model(Box::new(ModelSide { model, observer, alphabet: alphabet.clone(), events }))
            }
        }
    }
}

/// A side as it is compared.
pub enum Side<'s> {
    /// A model.
    Model(Box<ModelSide<'s>>),
    /// A file of transitions.
    File(&'s Lts),
}

/// A model as it is compared.
pub struct ModelSide<'s> {
    pub(super) model: &'s Model,
    pub(super) observer: Observer<Box<dyn System>>,
    alphabet: Alphabet,
    /// The numbers of the observer's events in the alphabet, as far as they were met.
    events: Vec<Event>,
}

impl Side<'_> {
    /// Whether steps are missing because some `atomic` was too long.
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        matches!(self, Side::Model(side) if side.observer.truncated())
    }

    /// A run of the comparison as a run of the model; `None` for a file.
    pub(super) fn evidence(&mut self, run: &Run) -> Result<Option<Evidence>, String> {
        match self {
            Side::Model(side) => Evidence::of(side, run).map(Some),
            Side::File(_) => Ok(None),
        }
    }
}

impl ModelSide<'_> {
    /// The number of an event in the alphabet.
    pub(super) fn event(&mut self, event: Option<EventId>) -> Event {
        let ModelSide { observer, alphabet, events, .. } = self;
        event.map_or(Event::INTERNAL, |event| number(event, observer.names(), events, alphabet))
    }
}

/// The number of an observer's event in an alphabet. Those before it are looked up, too, and kept.
fn number(event: EventId, names: &[Arc<str>], known: &mut Vec<Event>, alphabet: &Alphabet) -> Event {
    let index = event.0 as usize;
    while known.len() <= index {
        known.push(alphabet.event(&names[known.len()]));
    }
    known[index]
}

impl Observed for Side<'_> {
    fn initial(&mut self, into: &mut Vec<u8>) {
        match self {
            Side::Model(side) => side.observer.initial(into),
            Side::File(lts) => Observed::initial(lts, into),
        }
    }

    fn steps(&mut self, state: &[u8], into: &mut Steps) {
        match self {
            Side::File(lts) => Observed::steps(lts, state, into),
            Side::Model(side) => {
                into.clear();
                let ModelSide { observer, alphabet, events, .. } = &mut **side;
                observer.steps(state, |event, target, names| {
                    let event = event.map_or(Event::INTERNAL, |event| number(event, names, events, alphabet));
                    into.push(event, target);
                });
            }
        }
    }
}
