//! Claims about infinite runs: formulas, never claims, accept and progress labels.
//!
//! The model and the claim are searched as one system for a cycle that the claim accepts. The path that was found is executed
//! again by the reference interpreter, as for safety.

use std::sync::Arc;
use std::time::Instant;

use explore::cycles::{self, Fate, MarkedSystem, Marks, Transitions, Violation};
use explore::search::End;
use explore::store::{self, TreeStore, VisitedSet};
use machine::claim::product::split;
use machine::claim::{Claim, Fairness, InterpretedValuation, Product, ProductTransitions, Subject, Valuation};
use machine::generate::{Generator, InterpretedGenerator};
use machine::interpret::Interpreter;
use machine::jit::{CompiledClaim, CompiledGenerator, CompiledMachine, CompiledValuation, EmbeddedCode};
use machine::state::State;
use machine::trace::{self, EndKind, Origin, PathEnd, Trace, counterexample};

use super::engine::Refusal;
use super::options::{Engine, Options};
use super::{Counts, Finding, Incomplete, Job, Verdict, incomplete_because};

/// Verifies one claim.
pub(super) fn verify(job: &Job, subject: Subject, options: &Options) -> Result<Finding, Refusal> {
    let start = Instant::now();
    let name = subject.name(&job.machine).to_string();
    let claim = match subject.claim(&job.machine) {
        Ok(claim) => Arc::new(claim),
        Err(error) => return Ok(unknown(name, error.to_string(), "rewrite the claim")),
    };
    if let Err(error) = Interpreter::new(&job.machine).initial() {
        return Err(Refusal { reason: format!("there is no initial state: {}", error.message) });
    }
    let system = ProductSystem { product: product(job, &claim, options)?, vector_bytes: 0 };
    let store = TreeStore::with_flags(store::Limits::memory(options.limits.memory));
    let search = cycles::Options {
        max_depth: options.limits.depth,
        max_states: options.limits.states,
        max_time: options.limits.time,
    };
    let outcome = cycles::search(system, &store, &search, &job.progress);
    let incomplete = match outcome.end {
        End::Complete if outcome.system.product.is_crowded() => Some(Incomplete {
            reason: "there are more processes than fairness can be checked for".into(),
            advice: "use fewer processes, or --fairness none".into(),
            interrupted: false,
        }),
        end => incomplete_because(end, options),
    };
    let counterexample = outcome.violation.as_ref().map(|violation| trace(job, subject, &name, violation));
    let complete = incomplete.is_none();
    Ok(Finding {
        property: name,
        verdict: match (&counterexample, incomplete) {
            (Some(_), _) => Verdict::Violated,
            (None, Some(incomplete)) => Verdict::Unknown(incomplete),
            (None, None) => Verdict::Holds,
        },
        violations: u64::from(counterexample.is_some()),
        counterexample,
        complete,
        symmetry: None,
        unreached: Vec::new(),
        warnings: Vec::new(),
        counts: Counts {
            states: outcome.stored,
            matched: outcome.matched,
            depth: outcome.depth,
            atomic_steps: 0,
            vector_bytes: outcome.system.vector_bytes as u64,
            store_bytes: store.memory(),
            time: start.elapsed(),
            description: description(&claim, options),
        },
    })
}

/// A property that cannot be verified, and why.
pub(super) fn unknown(property: String, reason: String, advice: &str) -> Finding {
    Finding {
        property,
        verdict: Verdict::Unknown(Incomplete { reason, advice: advice.into(), interrupted: false }),
        counterexample: None,
        violations: 0,
        complete: false,
        symmetry: None,
        unreached: Vec::new(),
        warnings: Vec::new(),
        counts: Counts::default(),
    }
}

fn product(job: &Job, claim: &Arc<Claim>, options: &Options) -> Result<Product, Refusal> {
    let (generator, valuation): (Box<dyn Generator>, Box<dyn Valuation>) = match options.engine {
        Engine::Compiled => {
            let compiled = CompiledMachine::new(job.machine.clone(), EmbeddedCode::none())?;
            let code = CompiledClaim::new(compiled.clone(), claim.clone())?;
            (Box::new(CompiledGenerator::new(compiled)), Box::new(CompiledValuation::new(code)))
        }
        Engine::Interpreter => {
            let valuation = InterpretedValuation::new(job.machine.clone(), claim.clone());
            (Box::new(InterpretedGenerator::new(job.machine.clone())?), Box::new(valuation))
        }
    };
    Ok(Product::new(generator, valuation, claim.clone(), options.fairness))
}

struct ProductSystem {
    product: Product,
    vector_bytes: usize,
}

#[derive(Default)]
struct Moves(ProductTransitions);

impl MarkedSystem for ProductSystem {
    type Transitions = Moves;

    fn initial(&mut self, into: &mut Vec<u8>) -> Fate {
        match self.product.initial(into).expect("the initial state was computed before the search") {
            Some(_) => Fate::Sealed,
            None => Fate::Open,
        }
    }

    fn transitions(&mut self, state: &[u8], into: &mut Moves) {
        self.vector_bytes = self.vector_bytes.max(state.len());
        self.product.transitions(state, &mut into.0);
    }

    fn acceptance(&self) -> Marks {
        Marks(self.product.acceptance())
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
}

/// Executes the states of a violating run again.
fn trace(job: &Job, subject: Subject, name: &str, violation: &Violation) -> Trace {
    let system = |state: &Vec<u8>| State::from_bytes(split(state).0);
    let mut states: Vec<State> = violation.prefix.iter().map(system).collect();
    let end = if violation.cycle.is_empty() {
        let message = match subject {
            Subject::Formula(_) => format!("no continuation of this run satisfies {name}"),
            _ => format!("the claim {name} comes to its end"),
        };
        PathEnd::Judged(trace::End::new(EndKind::Claim, message))
    } else {
        let to = states.len() - 1;
        // The step back to where the cycle starts is implied.
        states.extend(violation.cycle[..violation.cycle.len() - 1].iter().map(system));
        let (kind, message) = match subject {
            Subject::NonProgress => (EndKind::NonProgressCycle, "a cycle without progress".to_string()),
            Subject::Acceptance => (EndKind::AcceptanceCycle, "a cycle through an accepting state".to_string()),
            Subject::Formula(_) => (EndKind::AcceptanceCycle, format!("a cycle that violates {name}")),
            Subject::Never(_) => (EndKind::AcceptanceCycle, format!("a cycle that {name} accepts")),
        };
        PathEnd::Returns { to, kind, message }
    };
    let origin = Origin { property: Some(name.into()), ..job.origin.clone() };
    counterexample(&job.machine, origin, &states, end)
        .unwrap_or_else(|error| panic!("the reference interpreter cannot follow the search: {error}"))
}

fn description(claim: &Claim, options: &Options) -> Vec<String> {
    let engine = match options.engine {
        Engine::Compiled => "compiled",
        Engine::Interpreter => "interpreted",
    };
    let mut list = vec!["components on the fly".to_string(), "1 worker".into(), "tree store".into(), engine.into()];
    list.push(format!("claim of {} states", claim.states.len()));
    if options.fairness == Fairness::Weak {
        list.push("weak fairness".into());
    }
    list
}
