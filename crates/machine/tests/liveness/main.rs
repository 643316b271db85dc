//! Verdicts on small models with formulas, never claims, accept and progress labels, with and without weak fairness.
//!
//! Each model names its properties in its first lines: `/* expect NAME PLAIN FAIR */`, where a verdict is `holds` or
//! `violated`. Where SPIN says something else, because of an error of its own, the line ends with what SPIN says:
//! `/* expect NAME PLAIN FAIR SPIN PLAIN FAIR */`. An ignored test asks SPIN again.

mod against_spin;
mod examples;
mod random;

use std::path::PathBuf;
use std::sync::Arc;

use explore::cycles::{self, Fate, MarkedSystem, Marks, Options, Transitions};
use explore::search::{End, Progress};
use explore::store::{Limits, TreeStore};
use machine::Machine;
use machine::claim::product::split;
use machine::claim::{Claim, Fairness, InterpretedValuation, Product, ProductTransitions, Valuation};
use machine::jit::{CompiledClaim, CompiledGenerator, CompiledMachine, CompiledValuation, EmbeddedCode};

/// What is expected of a property.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Expectation {
    property: String,
    /// Whether it holds, without and with weak fairness.
    holds: [bool; 2],
    /// What SPIN says.
    spin: [bool; 2],
}

struct Model {
    name: String,
    text: String,
    expectations: Vec<Expectation>,
}

fn models() -> Vec<Model> {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/liveness/models");
    let mut models: Vec<Model> = std::fs::read_dir(directory)
        .expect("the models are there")
        .map(|entry| {
            let path = entry.expect("it can be read").path();
            let text = std::fs::read_to_string(&path).expect("it can be read");
            let expectations = text.lines().filter_map(expectation).collect();
            Model { name: path.file_stem().unwrap().to_string_lossy().into_owned(), text, expectations }
        })
        .collect();
    models.sort_by(|one, other| one.name.cmp(&other.name));
    models
}

fn expectation(line: &str) -> Option<Expectation> {
    let words: Vec<&str> = line.strip_prefix("/* expect ")?.strip_suffix(" */")?.split(' ').collect();
    let holds = |word: &str| match word {
        "holds" => true,
        "violated" => false,
        other => panic!("{other} is no verdict"),
    };
    let ours = [holds(words[1]), holds(words[2])];
    let spin = if words.get(3) == Some(&"SPIN") { [holds(words[4]), holds(words[5])] } else { ours };
    Some(Expectation { property: words[0].to_owned(), holds: ours, spin })
}

struct System(Product);

#[derive(Default)]
struct Moves(ProductTransitions);

impl MarkedSystem for System {
    type Transitions = Moves;

    fn initial(&mut self, into: &mut Vec<u8>) -> Fate {
        match self.0.initial(into).expect("these models start") {
            Some(_) => Fate::Sealed,
            None => Fate::Open,
        }
    }

    fn transitions(&mut self, state: &[u8], into: &mut Moves) {
        self.0.transitions(state, &mut into.0);
    }

    fn acceptance(&self) -> Marks {
        Marks(self.0.acceptance())
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

fn load(text: &str) -> Arc<Machine> {
    let loaded = promela::load_text("m.pml", text, &promela::Options::default());
    Arc::new(machine::lower(&loaded.model.unwrap_or_else(|| panic!("{text}: {:?}", loaded.diagnostics))))
}

fn claim_of(machine: &Machine, property: &str) -> Arc<Claim> {
    Arc::new(match property {
        "accept" => Claim::acceptance(),
        "progress" => Claim::non_progress(),
        "never" => Claim::from_never(machine, &machine.claims[0]).expect("it observes"),
        name => {
            let property = machine.ltl.iter().find(|property| &*property.name == name).expect("it is in the model");
            property.claim().expect("it is small")
        }
    })
}

/// Compiled code and the interpreter, which must agree on every state.
struct Both(CompiledValuation, InterpretedValuation);

impl Valuation for Both {
    fn valuation(&mut self, state: &[u8]) -> u64 {
        let word = self.0.valuation(state);
        assert_eq!(word, self.1.valuation(state));
        word
    }
}

fn product(machine: &Arc<Machine>, claim: &Arc<Claim>, fairness: Fairness) -> System {
    let compiled = CompiledMachine::new(machine.clone(), EmbeddedCode::none()).expect("it can be compiled");
    let generator = CompiledGenerator::new(compiled.clone());
    let code = CompiledClaim::new(compiled, claim.clone()).expect("it can be compiled");
    let valuation = Both(CompiledValuation::new(code), InterpretedValuation::new(machine.clone(), claim.clone()));
    System(Product::new(Box::new(generator), Box::new(valuation), claim.clone(), fairness))
}

/// Whether the property holds. A formula's violation is confirmed by evaluating the formula on the run.
fn holds(machine: &Arc<Machine>, property: &str, fairness: Fairness) -> bool {
    let claim = claim_of(machine, property);
    let store = TreeStore::with_flags(Limits::memory(1 << 26));
    let system = product(machine, &claim, fairness);
    let outcome = cycles::search(system, &store, &Options::default(), &Progress::new());
    let Some(violation) = outcome.violation else {
        assert_eq!(outcome.end, End::Complete, "{property}");
        return true;
    };
    if let Some(formula) = machine.ltl.iter().find(|other| &*other.name == property) {
        let mut valuation = InterpretedValuation::new(machine.clone(), claim.clone());
        let mut word = |states: &[Vec<u8>]| -> Vec<u64> {
            states.iter().map(|state| valuation.valuation(split(state).0)).collect()
        };
        let (prefix, cycle) = (word(&violation.prefix), word(&violation.cycle));
        if cycle.is_empty() {
            // The claim has read all states but the last, and no continuation can help.
            let (last, before) = prefix.split_last().expect("there is a state");
            for continuation in [*last, 0, u64::MAX] {
                assert!(!formula.holds_on(before, &[continuation]), "{property} holds on the prefix");
            }
        } else {
            // The state where the cycle starts is the last of the cycle, too.
            assert!(!formula.holds_on(&prefix, &cycle), "{property} holds on the run");
        }
    }
    false
}

#[test]
fn verdicts_are_as_expected() {
    let mut count = 0;
    let mut wrong = Vec::new();
    for model in models() {
        let machine = load(&model.text);
        for expectation in &model.expectations {
            for (fairness, expected) in [Fairness::None, Fairness::Weak].into_iter().zip(expectation.holds) {
                count += 1;
                if holds(&machine, &expectation.property, fairness) != expected {
                    wrong.push(format!("{} {} {fairness:?}: expected {expected}", model.name, expectation.property));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 190, "only {count} verdicts");
}
