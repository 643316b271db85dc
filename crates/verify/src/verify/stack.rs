//! The layers of a search, one around the other, and their inverse.
//!
//! ```text
//! orbits ▷ audited ▷ kept ▷ ┬ checked ▷ product ▷ merged ▷ ample ▷ trimmed ▷ engine       states to which no symmetry applies
//!                           └ checked ▷ product ▷ merged ▷ ample ▷ trimmed ▷ engine       the others: processes stay at their end
//! ```
//! A layer that is not wanted, or that the model or the property does not bear, is left out. The same description makes the systems of all workers,
//! around the engine that was asked for, and the one that unwinds what they find, around the reference interpreter and without the claim.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use machine::ample::{Ample, AmpleSets, Proviso};
use machine::checked::Checked;
use machine::claim::product::CLAIM_BYTES;
use machine::claim::{Claim, Fairness, Product};
use machine::dead::{DeadVariables, Trimmed};
use machine::gauge::Weighing;
use machine::merged::{Merged, Stops};
use machine::state::State;
use machine::{Indifferent, Machine};
use symmetry::orbits::{Audited, Kept, Living, Orbits, Symmetry, Trial};
use system::unwind::{StoredLasso, Unmatched, Unwinder};
use system::{Grouped, Notes, System};

use super::engine::{Answers, Executable, Refusal};
use super::notice::{Unfit, Unused};
use super::options::{Engine, Reduction, Switch};

/// What the systems of a search are made of.
pub(super) struct Stack {
    ordinary: Part,
    /// For states to which symmetry applies, if processes stay at their end there.
    without_deaths: Option<Part>,
    symmetry: Option<Arc<Symmetry>>,
    /// The variables that are set back where nobody will read them.
    dead: Option<Arc<DeadVariables>>,
    watch: Option<Watch>,
    /// The bytes of states that the store does not compare, those of `hidden` variables.
    unmatched: Vec<Range<usize>>,
    audit: Switch,
    trial: Option<Arc<Trial>>,
    /// What was asked for and is not used, and why.
    pub unused: Vec<Unused>,
    seeds: AtomicU64,
}

/// Layers and a model that are chosen at run time.
pub(super) type BoxedUnwinder = Unwinder<Box<dyn System>, Box<dyn System>>;

/// A claim beside the system.
#[derive(Clone)]
pub(super) struct Watch {
    pub claim: Arc<Claim>,
    pub fairness: Fairness,
}

/// The layers around one engine.
#[derive(Clone)]
struct Part {
    machine: Arc<Machine>,
    executable: Executable,
    answers: Option<Answers>,
    partial_order: Option<(AmpleSets, Proviso)>,
    merging: Option<(AmpleSets, Stops)>,
    weighing: Weighings,
}

/// When reductions are switched off that do not pay.
#[derive(Clone, Copy)]
pub(super) struct Weighings {
    pub partial_order: Weighing,
    pub merging: Weighing,
}

impl Weighings {
    /// Never: what is left out is the same in the whole search.
    pub const NEVER: Weighings = Weighings { partial_order: Weighing::Never, merging: Weighing::Never };
}

/// What is wanted of a stack.
pub(super) struct Wanted<'a> {
    pub symmetry: Option<&'a Arc<Symmetry>>,
    pub dead: Option<Arc<DeadVariables>>,
    pub watch: Option<Watch>,
    pub partial_order: Switch,
    pub merging: Switch,
    pub proviso: Proviso,
    pub unmatched: Vec<Range<usize>>,
    pub audit: Switch,
    pub trial: Option<Arc<Trial>>,
    pub weighing: Weighings,
    pub engine: Engine,
}

impl Wanted<'_> {
    /// Nothing but a claim beside the system.
    pub fn watching(watch: Watch, engine: Engine) -> Wanted<'static> {
        Wanted {
            symmetry: None,
            dead: None,
            watch: Some(watch),
            partial_order: Switch::Off,
            merging: Switch::Off,
            proviso: Proviso::InAdvance,
            unmatched: Vec::new(),
            audit: Switch::Off,
            trial: None,
            weighing: Weighings::NEVER,
            engine,
        }
    }

    /// Which processes may move alone.
    fn sets(&self, machine: &Arc<Machine>) -> Result<AmpleSets, Unfit> {
        let refused = |refusal: machine::generate::Refusal| Unfit::Model(refusal.reason);
        let Some(Watch { claim, fairness }) = &self.watch else {
            return match &self.dead {
                Some(dead) => AmpleSets::for_trimmed(machine.clone(), dead).map_err(refused),
                None => AmpleSets::new(machine.clone(), &[]).map_err(refused),
            };
        };
        if !claim.stutter_invariant {
            return Err(Unfit::CountsSteps);
        }
        let sets = AmpleSets::for_claim(machine.clone(), claim, self.proviso).map_err(refused)?;
        let sets = match fairness {
            Fairness::None => sets,
            Fairness::Weak | Fairness::Strong => sets.keeping_fairness().map_err(refused)?,
        };
        // What is left out in advance must be the same, up to symmetry, for all states of an orbit.
        match self.symmetry {
            Some(symmetry) if !symmetry.keep(machine, |each, location| sets.is_guarded(each, location)) => {
                Err(Unfit::GuardsExchanged)
            }
            _ => Ok(sets),
        }
    }

    fn part(
        &self,
        machine: &Arc<Machine>,
        executable: Executable,
        stops: Stops,
    ) -> Result<(Part, Option<Unused>), Refusal> {
        let wanted = [(Reduction::PartialOrder, self.partial_order), (Reduction::Merging, self.merging)];
        let wanted: Vec<Reduction> =
            wanted.into_iter().filter(|(_, switch)| *switch == Switch::On).map(|(reduction, _)| reduction).collect();
        let (sets, unused) = match (!wanted.is_empty()).then(|| self.sets(machine)) {
            None => (None, None),
            Some(Ok(sets)) => (Some(sets), None),
            Some(Err(reason)) => (None, Some(Unused { reductions: wanted.clone(), reason })),
        };
        let uses = |reduction| sets.clone().filter(|_| wanted.contains(&reduction));
        let answers = self.watch.as_ref().map(|watch| executable.answers(machine, &watch.claim)).transpose()?;
        let part = Part {
            machine: machine.clone(),
            executable,
            answers,
            partial_order: uses(Reduction::PartialOrder).map(|sets| (sets, self.proviso)),
            merging: uses(Reduction::Merging).map(|sets| (sets, stops)),
            weighing: self.weighing,
        };
        Ok((part, unused))
    }
}

impl Stack {
    /// The layers around a machine that some executable executes.
    pub fn new(machine: &Arc<Machine>, executable: Executable, wanted: Wanted<'_>) -> Result<Stack, Refusal> {
        let stops = wanted.symmetry.map(Symmetry::beginning).unwrap_or_default();
        let (ordinary, unused) = wanted.part(machine, executable, stops)?;
        let mut unused: Vec<Unused> = unused.into_iter().collect();
        let without_deaths = wanted.symmetry.and_then(|symmetry| symmetry.without_deaths.as_ref());
        let without_deaths = without_deaths
            .map(|machine| wanted.part(machine, Executable::new(machine, wanted.engine)?, Stops::default()));
        let without_deaths = without_deaths.transpose()?.map(|(part, more)| {
            unused.extend(more);
            part
        });
        unused.dedup();
        let Wanted { symmetry, dead, watch, unmatched, audit, trial, .. } = wanted;
        let symmetry = symmetry.cloned();
        let seeds = AtomicU64::new(1);
        Ok(Stack { ordinary, without_deaths, symmetry, dead, watch, unmatched, audit, trial, unused, seeds })
    }

    fn parts(&self) -> impl Iterator<Item = &Part> {
        std::iter::once(&self.ordinary).chain(&self.without_deaths)
    }

    /// How long it took so far to make code.
    pub fn code_time(&self) -> Duration {
        self.parts().map(|part| part.executable.code_time()).sum()
    }

    /// The symmetry that is used.
    pub fn symmetry(&self) -> Option<&Arc<Symmetry>> {
        self.symmetry.as_ref()
    }

    /// The bytes of states that the store does not compare.
    pub fn unmatched(&self) -> &[Range<usize>] {
        &self.unmatched
    }

    /// The reductions that are used.
    pub fn reductions(&self) -> Vec<Reduction> {
        let is_used = |reduction: &Reduction| match reduction {
            Reduction::PartialOrder => self.ordinary.partial_order.is_some(),
            Reduction::Merging => self.ordinary.merging.is_some(),
            Reduction::DeadVariables => self.dead.is_some(),
            Reduction::Symmetry => self.symmetry.is_some(),
        };
        Reduction::ALL.into_iter().filter(is_used).collect()
    }

    /// The reductions that the workers had switched off when they came to their end.
    pub fn given_up(notes: &Notes) -> Vec<Reduction> {
        let happened = |reduction: &Reduction| match reduction {
            Reduction::PartialOrder => notes.happened(Ample::<Box<dyn Grouped>>::GIVEN_UP),
            Reduction::Merging => notes.happened(Merged::<Box<dyn Grouped>>::GIVEN_UP),
            Reduction::DeadVariables | Reduction::Symmetry => false,
        };
        Reduction::ALL.into_iter().filter(happened).collect()
    }

    /// The system of one worker.
    pub fn system(&self) -> Box<dyn System> {
        let Some(symmetry) = &self.symmetry else { return self.checked(&self.ordinary) };
        let tail = if self.watch.is_some() { CLAIM_BYTES } else { 0 };
        let kept = self.kept(symmetry, tail, |part| self.checked(part));
        let inner: Box<dyn System> = match self.audit {
            Switch::Off => kept,
            Switch::On => {
                let plain = self.kept(symmetry, tail, |part| self.trimmed(part));
                let seed = self.seeds.fetch_add(1, Ordering::Relaxed);
                Box::new(Audited::new(kept, plain, symmetry, seed))
            }
        };
        let orbits = Orbits::new(inner, symmetry, tail);
        let orbits = if self.watch.is_none() { orbits.covering_images() } else { orbits };
        Box::new(match &self.trial {
            Some(trial) => orbits.weighed(trial),
            None => orbits,
        })
    }

    /// Makes systems of the same states without reductions, for whoever asks what can happen in a state.
    pub fn plain(&self) -> impl Fn() -> Box<dyn System> + Send + Sync + Clone + use<> {
        let ordinary = self.ordinary.executable.clone();
        let without_deaths = self.without_deaths.as_ref().map(|part| part.executable.clone());
        let symmetry = self.symmetry.clone();
        move || match (&symmetry, &without_deaths) {
            (Some(symmetry), Some(part)) => Box::new(Kept::new(ordinary.engine(), part.engine(), symmetry, 0)),
            _ => ordinary.engine(),
        }
    }

    /// What answers a question about states of the machine, without a claim beside it.
    pub fn answers(&self, claim: &Arc<Claim>) -> Result<Answers, Refusal> {
        self.ordinary.executable.answers(&self.ordinary.machine, claim)
    }

    /// The system without symmetry: what a store learns from about states.
    pub fn ordinary(&self) -> Box<dyn System> {
        self.watched(&self.ordinary)
    }

    /// A product of the model and the claim without other layers, to ask for the claim's atoms.
    pub fn product(&self) -> Option<Product<Box<dyn Grouped>>> {
        let Watch { claim, fairness } = self.watch.clone()?;
        let valuation = self.ordinary.answers.as_ref()?.valuation();
        Some(Product::new(self.ordinary.executable.engine(), valuation, claim, fairness))
    }

    /// One of two systems where processes stay at their end in states to which symmetry applies.
    fn kept(&self, symmetry: &Arc<Symmetry>, tail: usize, make: impl Fn(&Part) -> Box<dyn System>) -> Box<dyn System> {
        let ordinary = make(&self.ordinary);
        match &self.without_deaths {
            Some(part) => Box::new(Kept::new(ordinary, make(part), symmetry, tail)),
            None => ordinary,
        }
    }

    /// The same, where declared read and write sets are checked on the way if the search is audited.
    fn checked(&self, part: &Part) -> Box<dyn System> {
        let system = self.watched(part);
        match self.audit {
            Switch::On => Box::new(Checked::new(system, part.machine.clone())),
            Switch::Off => system,
        }
    }

    /// All layers around an engine but those of symmetry.
    fn watched(&self, part: &Part) -> Box<dyn System> {
        let mut grouped = self.trimmed(part);
        if let Some((sets, proviso)) = &part.partial_order {
            grouped = Box::new(Ample::new(grouped, sets.clone(), *proviso, part.weighing.partial_order));
        }
        let system: Box<dyn System> = match &part.merging {
            Some((sets, stops)) => Box::new(Merged::new(grouped, sets.clone(), stops.clone(), part.weighing.merging)),
            None => grouped,
        };
        match (&self.watch, &part.answers) {
            (Some(Watch { claim, fairness }), Some(answers)) => {
                Box::new(Product::new(system, answers.valuation(), claim.clone(), *fairness))
            }
            _ => system,
        }
    }

    /// An engine whose dead variables are set back.
    fn trimmed(&self, part: &Part) -> Box<dyn Grouped> {
        let engine = part.executable.engine();
        match &self.dead {
            Some(dead) => Box::new(Trimmed::new(engine, dead.clone())),
            None => engine,
        }
    }

    /// Whether what is stored are states of the model, one for every step.
    fn stores_runs(&self) -> bool {
        self.symmetry.is_none() && self.dead.is_none() && self.ordinary.merging.is_none()
    }

    /// The same layers around the reference interpreter, without the claim.
    fn for_reference(&self) -> Result<Stack, Refusal> {
        let part = |part: &Part| {
            let executable = Executable::new(&part.machine, Engine::Interpreter)?;
            Ok::<Part, Refusal>(Part { executable, answers: None, weighing: Weighings::NEVER, ..part.clone() })
        };
        Ok(Stack {
            ordinary: part(&self.ordinary)?,
            without_deaths: self.without_deaths.as_ref().map(part).transpose()?,
            symmetry: self.symmetry.clone(),
            dead: self.dead.clone(),
            watch: None,
            unmatched: Vec::new(),
            audit: Switch::Off,
            trial: None,
            unused: Vec::new(),
            seeds: AtomicU64::new(1),
        })
    }

    /// What finds the run of the model behind stored states of the system.
    pub fn unwinder(&self) -> Result<BoxedUnwinder, Refusal> {
        let reference = self.for_reference()?;
        let engine = |part: &Part| -> Box<dyn System> { part.executable.engine() };
        let Some(symmetry) = &reference.symmetry else {
            return Ok(Unwinder::new(reference.watched(&reference.ordinary), engine(&reference.ordinary)));
        };
        let layers = reference.kept(symmetry, 0, |part| reference.watched(part));
        let model: Box<dyn System> = match &reference.without_deaths {
            Some(part) => {
                let kept = Kept::new(engine(&reference.ordinary), engine(part), symmetry, 0);
                Box::new(kept.of_untrimmed(reference.dead.clone()))
            }
            None => engine(&reference.ordinary),
        };
        Ok(Unwinder::new(Box::new(Orbits::new(layers, symmetry, 0).exactly()), model))
    }

    /// The run of the model that a stored path stands for. A state can do what the state that stands for it can do, so `None` is a mistake of a
    /// layer.
    pub fn run(&self, path: &[Vec<u8>]) -> Result<Option<Vec<State>>, Refusal> {
        if self.stores_runs() {
            return Ok(Some(path.iter().map(|state| State::from_bytes(state)).collect()));
        }
        let run = self.unwinder()?.path(path);
        Ok(run.map(|run| self.with_deaths(&run).0))
    }

    /// The run of the model that a stored lasso stands for, and where its cycle starts; its length if it has none.
    pub fn lasso(&self, stored: StoredLasso<'_>) -> Result<Option<(Vec<State>, usize)>, Refusal> {
        if self.stores_runs() && self.unmatched.is_empty() {
            let mut states: Vec<State> = stored.path.iter().map(|state| State::from_bytes(state)).collect();
            let start = if stored.cycle.is_empty() { states.len() } else { states.len() - 1 };
            // The step back to where the cycle starts is implied.
            states.extend(stored.cycle.iter().rev().skip(1).rev().map(|state| State::from_bytes(state)));
            return Ok(Some((states, start)));
        }
        let indifferent = || Indifferent::of(&self.ordinary.machine).bytes().to_vec();
        let unmatched = match self.unmatched.is_empty() {
            true => Unmatched::default(),
            false => Unmatched { bytes: self.unmatched.clone(), indifferent: indifferent() },
        };
        let Some((kept, start)) = self.unwinder()?.without(unmatched).lasso(stored) else { return Ok(None) };
        let (mut run, start) = self.lasso_with_deaths(kept, start);
        if start == run.len() {
            return Ok(Some((run, start)));
        }
        run.truncate((run.len() - 1).max(start + 1));
        Ok(Some((run, start)))
    }

    /// A lasso in which processes disappear that the search kept, and where its cycle starts. A `provided` clause may put that off until the cycle is
    /// gone round; then it starts a round later, until none disappears on it.
    fn lasso_with_deaths(&self, mut kept: Vec<Vec<u8>>, start: usize) -> (Vec<State>, usize) {
        let Some(round) = kept.get(start + 1..).map(<[Vec<u8>]>::to_vec) else {
            let run = self.with_deaths(&kept).0;
            let length = run.len();
            return (run, length);
        };
        loop {
            let (run, last) = self.with_deaths(&kept);
            let start = last[kept.len() - 1 - round.len()];
            if run.last().map(State::process_count) == Some(run[start].process_count()) {
                return (run, start);
            }
            kept.extend(round.iter().cloned());
        }
    }

    /// The run in which processes disappear that the search kept at their end, and where each state of the given one ends in it.
    fn with_deaths(&self, run: &[Vec<u8>]) -> (Vec<State>, Vec<usize>) {
        match (&self.symmetry, &self.without_deaths) {
            (Some(symmetry), Some(_)) => Living::new(&self.ordinary.machine, symmetry, self.dead.as_deref()).run(run),
            _ => (run.iter().map(|state| State::from_bytes(state)).collect(), (0..run.len()).collect()),
        }
    }
}
