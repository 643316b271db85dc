//! Generators are tried out before they are believed.
//!
//! The program graph proves each generator. This check knows nothing of that proof: it takes reachable states, lets the
//! reference interpreter compute the successors of a state and of its image, and compares. A generator that fails is left
//! out and reported, since it is a mistake of ours.

use std::collections::VecDeque;

use group::Permutation;
use machine::Machine;
use machine::action::ActionKind;
use machine::dead::DeadVariables;
use machine::expression::Expr;
use machine::interpret::Interpreter;
use machine::state::State;
use rustc_hash::FxHashSet;

use super::Generator;
use super::forgotten::Forgetting;
use super::program_graph::Deaths;
use crate::shape::Shape;

/// How much work the trials may be, roughly in steps of processes.
const WORK: usize = 2_000_000;

/// How many bytes of successors are as much work as one step of a process.
const BYTES: usize = 8;

/// A generator that is no symmetry after all.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// Its cycles.
    pub cycles: Vec<Vec<String>>,
    /// A state whose image has other successors than the images of its successors.
    pub state: Vec<u8>,
}

/// The machine in which processes that came to their end stay there. It means the same as the machine itself on eligible
/// states, if the model cannot tell the difference.
#[must_use]
pub fn without_deaths(machine: &Machine) -> Machine {
    let mut machine = machine.clone();
    for action in &mut machine.actions {
        if matches!(action.kind, ActionKind::End) {
            action.kind = ActionKind::Condition(Expr::Constant(0));
        }
    }
    machine::check::assert_sound(&machine, "keeping processes at their end");
    machine
}

/// What generators are tried out on.
pub(super) struct Trial<'a> {
    pub machine: &'a Machine,
    pub entry: &'a State,
    pub deaths: Deaths,
    pub forgetting: &'a Forgetting,
    pub shape: &'a Shape,
}

impl Trial<'_> {
    /// Takes out the generators that are no symmetries of some states near the entry state.
    pub fn reject(&self, generators: &mut Vec<Generator>, states: usize) -> Vec<Mismatch> {
        let Trial { machine, entry, shape, .. } = *self;
        // What hidden variables hold is not in the vector, so an image of a state is not all there is to know of it.
        if machine.layout.globals.hidden_size > 0 || generators.is_empty() {
            return Vec::new();
        }
        let without = match self.deaths {
            Deaths::Ignored => without_deaths(machine),
            Deaths::Happen => machine.clone(),
        };
        let stepper = Stepper { interpreter: Interpreter::new(&without), dead: self.forgetting.dead() };
        let mut sample = stepper.sample(entry, states.min(WORK / price(machine, entry)).max(4.min(states)));
        // Where a state may have thousands of successors, those with few are tried.
        sample.sort_by_key(|(_, step)| step.targets.len());
        let half = sample[..sample.len().div_ceil(2)].iter().map(|(state, step)| step.price(state)).max();
        let price = price(machine, entry).max(half.unwrap_or(0));
        // A product is a symmetry if its factors are. So where trials are dear, many generators share one.
        let together = generators.len().div_ceil((WORK / price).max(1)).max(1);
        let batches = generators.len().div_ceil(together);
        let each = states_for_each(price, batches, sample.len());
        if each < sample.len() {
            sample.truncate(sample.len().div_ceil(2).max(each));
        }
        let fixes = |generator: &Generator| shape.apply(&generator.permutation, entry.bytes()) == entry.bytes();
        let mut wrong: Vec<Option<State>> =
            generators.iter().map(|generator| (!fixes(generator)).then(|| entry.clone())).collect();
        for (number, batch) in (1..).zip((0..generators.len()).collect::<Vec<usize>>().chunks(together)) {
            let members: Vec<usize> = batch.iter().copied().filter(|&index| wrong[index].is_none()).collect();
            let Some(product) = product(generators, &members) else { continue };
            let tried = sample.iter().cycle().skip(number * each % sample.len().max(1)).take(each);
            let failing = tried.into_iter().find(|(state, step)| !stepper.commutes(shape, &product, state, step));
            if let Some((state, _)) = failing {
                stepper.blame(shape, generators, &members, state, &mut wrong);
            }
        }
        let mut wrong = wrong.into_iter();
        let mut rejected = Vec::new();
        generators.retain(|generator| {
            let wrong = wrong.next().flatten();
            if let Some(state) = &wrong {
                rejected.push(Mismatch { cycles: generator.cycles.clone(), state: state.bytes().to_vec() });
            }
            wrong.is_none()
        });
        rejected
    }
}

/// One after the other; nothing if there are none.
fn product(generators: &[Generator], members: &[usize]) -> Option<Permutation> {
    members.iter().map(|&index| generators[index].permutation.clone()).reduce(|product, next| product.then(&next))
}

/// How many states each product is tried on: fewer, but different ones, where there are many generators and processes.
fn states_for_each(price: usize, products: usize, states: usize) -> usize {
    (WORK / (price * products.max(1))).clamp(1.min(states), states)
}

/// Roughly what the successors of a state cost: every process finds its place, and every offer asks every other process.
fn price(machine: &Machine, entry: &State) -> usize {
    entry.process_count().pow(2) * entry.bytes().len() / 64 + machine.actions.len() + 1
}

/// What a state leads to. Where a process disappears, only how often that happens is compared.
#[derive(PartialEq, Eq, Debug)]
struct Step {
    targets: Vec<Vec<u8>>,
    deaths: usize,
    errors: usize,
}

impl Step {
    /// Roughly what it cost.
    fn price(&self, state: &State) -> usize {
        self.targets.len() * state.bytes().len() / BYTES
    }
}

fn images(shape: &Shape, permutation: &Permutation, targets: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut images: Vec<Vec<u8>> = targets.iter().map(|target| shape.apply(permutation, target)).collect();
    images.sort_unstable();
    images
}

/// Makes the steps of a search.
struct Stepper<'m> {
    interpreter: Interpreter<'m>,
    dead: Option<DeadVariables>,
}

impl Stepper<'_> {
    fn step(&self, state: &State) -> Step {
        let successors = self.interpreter.successors(state);
        let mut targets: Vec<Vec<u8>> =
            successors.transitions.into_iter().map(|transition| transition.target.bytes().to_vec()).collect();
        let all = targets.len();
        targets.retain(|target| target.len() == state.bytes().len());
        targets.iter_mut().for_each(|target| self.dead.iter().for_each(|dead| dead.reset(target)));
        targets.sort_unstable();
        Step { deaths: all - targets.len(), targets, errors: successors.errors.len() }
    }

    /// Whether a permutation carries the successors of a state to those of its image.
    fn commutes(&self, shape: &Shape, permutation: &Permutation, state: &State, step: &Step) -> bool {
        let image = shape.apply(permutation, state.bytes());
        let expected = Step { targets: images(shape, permutation, &step.targets), ..*step };
        self.step(&State::from_bytes(&image)) == expected
    }

    /// Finds the factors of a product that fails in a state: at least one fails where those before it lead.
    fn blame(
        &self,
        shape: &Shape,
        generators: &[Generator],
        members: &[usize],
        state: &State,
        wrong: &mut [Option<State>],
    ) {
        let mut state = state.clone();
        for &index in members {
            let permutation = &generators[index].permutation;
            if !self.commutes(shape, permutation, &state, &self.step(&state)) {
                wrong[index] = Some(state.clone());
            }
            state = State::from_bytes(&shape.apply(permutation, state.bytes()));
        }
    }

    /// States near the entry state: half of them the first ones, the others further away.
    fn sample(&self, entry: &State, count: usize) -> Vec<(State, Step)> {
        let mut seen = FxHashSet::default();
        let mut waiting = VecDeque::from([entry.clone()]);
        let mut sample = Vec::new();
        seen.insert(entry.clone());
        let mut spent = 0;
        while let Some(state) = if sample.len() % 2 == 0 { waiting.pop_front() } else { waiting.pop_back() } {
            if sample.len() >= count || (spent > WORK && !sample.is_empty()) {
                break;
            }
            let successors = self.step(&state);
            spent += successors.price(&state);
            for target in &successors.targets {
                let target = State::from_bytes(target);
                if seen.insert(target.clone()) {
                    waiting.push_back(target);
                }
            }
            sample.push((state, successors));
        }
        sample
    }
}
