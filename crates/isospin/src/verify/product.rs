//! A model and a claim as one system that can be searched for cycles, with its reductions.
//!
//! Partial order chooses which processes move; then the system's part of every successor is replaced by the representative of
//! its orbit, and the claim's part stays as it is. That is sound because every symmetry used keeps the value of each of the claim's atoms:
//! `(s, q)` and `(g(s), q)` have the same futures, up to `g`.

use std::sync::Arc;
use std::time::Duration;

use explore::Extent;
use explore::cycles::{Fate, MarkedSystem, Marks, Transitions};
use machine::Machine;
use machine::ample::{AmpleSets, Chains, Proviso};
use machine::claim::product::split;
use machine::claim::{Claim, Fairness, InterpretedValuation, Product, ProductTransitions, Valuation, Values};
use machine::dead::{DeadVariables, Trimmed};
use machine::generate::{Generator, InterpretedGenerator};
use machine::jit::{CompiledClaim, CompiledGenerator, CompiledMachine, CompiledValuation, EmbeddedCode};
use num_bigint::BigUint;
use symmetry::Canonicaliser;

use super::engine::Refusal;
use super::options::Engine;
use super::orbits::Orbits;
use super::retrace::Steps;
use super::system::extent_of;

/// Makes the parts of a product for any number of workers.
pub(super) struct Workshop {
    machine: Arc<Machine>,
    claim: Arc<Claim>,
    fairness: Fairness,
    compiled: Option<(Arc<CompiledMachine>, Arc<CompiledClaim>)>,
    layers: Layers,
}

/// What reduces a product, symmetry aside.
#[derive(Default)]
pub(super) struct Layers {
    /// Which processes may move alone, and when.
    pub ample: Option<(AmpleSets, Proviso)>,
    /// The variables that are set back where nobody will read them.
    pub dead: Option<Arc<DeadVariables>>,
}

impl Workshop {
    /// How long it took so far to make code, which is made where a search first needs it.
    pub fn code_time(&self) -> Duration {
        self.compiled.as_ref().map_or(Duration::ZERO, |(machine, _)| machine.statistics().time)
    }

    /// Prepares a machine and a claim.
    pub fn new(
        machine: &Arc<Machine>,
        claim: &Arc<Claim>,
        fairness: Fairness,
        engine: Engine,
        layers: Layers,
    ) -> Result<Workshop, Refusal> {
        let compiled = match engine {
            Engine::Compiled => {
                let compiled = CompiledMachine::new(machine.clone(), EmbeddedCode::none())?;
                let code = CompiledClaim::new(compiled.clone(), claim.clone())?;
                Some((compiled, code))
            }
            Engine::Interpreter => {
                InterpretedGenerator::new(machine.clone())?;
                None
            }
        };
        Ok(Workshop { machine: machine.clone(), claim: claim.clone(), fairness, compiled, layers })
    }

    /// Which processes may move alone, and what becomes of chains.
    pub fn ample(&self) -> Option<&AmpleSets> {
        self.layers.ample.as_ref().map(|(ample, _)| ample)
    }

    /// What follows, in the reference interpreter, the chains that are passed over.
    pub fn steps(&self) -> Option<Steps> {
        let chains = self.ample().filter(|ample| ample.chains() == Chains::Skip)?.clone();
        let generator = InterpretedGenerator::new(self.machine.clone()).ok()?;
        Some(Steps { generator: Trimmed::new(generator, self.layers.dead.clone()), chains })
    }

    fn product(&self) -> Product {
        let (generator, valuation): (Box<dyn Generator>, Box<dyn Valuation>) = match &self.compiled {
            Some((compiled, code)) => {
                let generator = CompiledGenerator::new(compiled.clone());
                (self.trimmed(generator), Box::new(CompiledValuation::new(code.clone())))
            }
            None => {
                let generator = InterpretedGenerator::new(self.machine.clone()).expect("it was made once before");
                let valuation = InterpretedValuation::new(self.machine.clone(), self.claim.clone());
                (self.trimmed(generator), Box::new(valuation))
            }
        };
        Product::new(generator, valuation, self.claim.clone(), self.fairness).reduced_by(self.layers.ample.clone())
    }

    fn trimmed(&self, generator: impl Generator + 'static) -> Box<dyn Generator> {
        match &self.layers.dead {
            Some(dead) => Box::new(Trimmed::new(generator, Some(dead.clone()))),
            None => Box::new(generator),
        }
    }

    /// A system without symmetry.
    pub fn system(&self) -> ProductSystem {
        ProductSystem {
            ordinary: self.product(),
            symmetric: None,
            is_crowded: false,
            met_endless_atomic: false,
            met_error: false,
            vector_bytes: 0,
            represented: BigUint::default(),
        }
    }

    /// A system modulo symmetry. `immortal` makes the products for states to which symmetry applies, if they are others.
    pub fn system_modulo(&self, orbits: &Arc<Orbits>, immortal: Option<&Workshop>) -> ProductSystem {
        let symmetric = Symmetric {
            orbits: orbits.clone(),
            canonicaliser: orbits.canonicaliser(),
            product: immortal.map(Workshop::product),
        };
        ProductSystem {
            ordinary: self.product(),
            symmetric: Some(symmetric),
            is_crowded: false,
            met_endless_atomic: false,
            met_error: false,
            vector_bytes: 0,
            represented: BigUint::default(),
        }
    }
}

/// A model and a claim as one worker sees them.
pub(super) struct ProductSystem {
    ordinary: Product,
    symmetric: Option<Symmetric>,
    /// Whether another worker saw too many processes.
    is_crowded: bool,
    /// Whether another worker met an `atomic` that never ends.
    met_endless_atomic: bool,
    /// Whether another worker met an error.
    met_error: bool,
    /// The longest vector.
    pub vector_bytes: usize,
    /// How many states those stand for whose transitions were asked for.
    pub represented: BigUint,
}

struct Symmetric {
    orbits: Arc<Orbits>,
    canonicaliser: Canonicaliser,
    /// In states to which symmetry applies, processes may have to stay at their end.
    product: Option<Product>,
}

impl ProductSystem {
    /// Whether there were more processes than fairness can be checked for.
    pub fn is_crowded(&self) -> bool {
        let symmetric = self.symmetric.as_ref().and_then(|symmetric| symmetric.product.as_ref());
        self.is_crowded || self.ordinary.is_crowded() || symmetric.is_some_and(Product::is_crowded)
    }

    /// Whether an `atomic` sequence was met that never ends.
    pub fn met_endless_atomic(&self) -> bool {
        let symmetric = self.symmetric.as_ref().and_then(|symmetric| symmetric.product.as_ref());
        self.met_endless_atomic
            || self.ordinary.met_endless_atomic()
            || symmetric.is_some_and(Product::met_endless_atomic)
    }

    /// Whether a failed assertion or a run-time error was met before the claim was decided.
    pub fn met_error(&self) -> bool {
        let symmetric = self.symmetric.as_ref().and_then(|symmetric| symmetric.product.as_ref());
        self.met_error || self.ordinary.met_error() || symmetric.is_some_and(Product::met_error)
    }

    /// The values of the claim's atoms in a state.
    pub fn values(&mut self, state: &[u8]) -> Values {
        self.ordinary.values(state)
    }

    /// A state is about to be expanded: counts the states that it stands for.
    fn note(&mut self, state: &[u8]) {
        self.vector_bytes = self.vector_bytes.max(state.len());
        let Some(symmetric) = &mut self.symmetric else { return };
        let system = split(state).0;
        let applies = symmetric.orbits.applies(system);
        self.represented += if applies { symmetric.canonicaliser.orbit_size(system) } else { BigUint::from(1_u32) };
    }

    /// The product that is the right one for a state.
    fn product(&mut self, state: &[u8]) -> &mut Product {
        match &mut self.symmetric {
            Some(Symmetric { orbits, product: Some(product), .. }) if orbits.applies(split(state).0) => product,
            _ => &mut self.ordinary,
        }
    }

    /// Replaces the targets of transitions by what stands for them.
    fn represent(&mut self, moves: &mut Moves) {
        let Some(symmetric) = &mut self.symmetric else { return };
        for index in 0..moves.0.len() {
            let target = moves.0.system_mut(index);
            // To the successors of such a state symmetry applies, too, unless a process disappeared.
            if symmetric.orbits.applies(target) {
                symmetric.canonicaliser.representative(target);
            }
        }
    }
}

/// The transitions out of one state.
#[derive(Default)]
pub(super) struct Moves(ProductTransitions);

impl MarkedSystem for ProductSystem {
    type Transitions = Moves;

    fn initial(&mut self, into: &mut Vec<u8>) -> Fate {
        let end = self.ordinary.initial(into).expect("the initial state was computed before the search");
        if let Some(symmetric) = &mut self.symmetric {
            let system = split(into).0.len();
            if symmetric.orbits.applies(&into[..system]) {
                symmetric.canonicaliser.representative(&mut into[..system]);
            }
        }
        match end {
            Some(_) => Fate::Sealed,
            None => Fate::Open,
        }
    }

    fn transitions(&mut self, state: &[u8], into: &mut Moves) {
        self.note(state);
        self.product(state).transitions(state, &mut into.0);
        self.represent(into);
    }

    fn reduced_transitions(&mut self, state: &[u8], into: &mut Moves) -> Extent {
        self.note(state);
        let extent = self.product(state).reduced_transitions(state, &mut into.0);
        self.represent(into);
        extent_of(extent)
    }

    fn other_transitions(&mut self, state: &[u8], into: &mut Moves) -> Extent {
        let extent = self.product(state).other_transitions(state, &mut into.0);
        self.represent(into);
        extent_of(extent)
    }

    fn acceptance(&self) -> Marks {
        Marks(self.ordinary.acceptance())
    }

    fn learn(&mut self, other: ProductSystem) {
        self.vector_bytes = self.vector_bytes.max(other.vector_bytes);
        self.is_crowded |= other.is_crowded();
        self.met_endless_atomic |= other.met_endless_atomic();
        self.met_error |= other.met_error();
    }
}

impl Transitions for Moves {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn target(&self, index: usize) -> &[u8] {
        self.0.target(index)
    }

    fn marks(&self, index: usize) -> Marks {
        Marks(self.0.marks(index))
    }

    fn fate(&self, index: usize) -> Fate {
        if self.0.claim_end(index).is_some() { Fate::Sealed } else { Fate::Open }
    }

    fn requests(&self) -> Marks {
        Marks(self.0.requests())
    }
}
