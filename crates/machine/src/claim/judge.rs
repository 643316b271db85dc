//! Is a given run really a violation? A second opinion that knows nothing of searches.
//!
//! The states of the run that a claim sees are evaluated one by one. A formula is evaluated on them directly, without
//! any automaton; of other claims it is asked whether they accept the run. So an error in the translation of formulas, in a
//! reduction or in the search for cycles would be noticed here.

use std::sync::Arc;

use system::Movers;

use super::{
    AtRest, Claim, ClaimError, ClaimStateId, Fairness, InterpretedValuation, Subject, Valuation, Values, answer,
};
use crate::id::Pid;
use crate::interpret::Interpreter;
use crate::interpret::error::RuntimeError;
use crate::machine::Machine;
use crate::state::State;

/// A run, by the states that claims see: those in the middle of an `atomic` are left out.
#[derive(Clone, Copy, Debug)]
pub struct Lasso<'s> {
    /// The states from the initial one on.
    pub states: &'s [State],
    /// Where the cycle begins: after the last state, the run goes on with this one. `None` for a run that ends.
    pub cycle_start: Option<usize>,
}

/// Whether a run is a violation.
#[derive(Clone, PartialEq, Debug)]
pub enum Judgement {
    /// It is.
    Violation,
    /// It is not, and why.
    None(String),
}

impl Lasso<'_> {
    /// The states that are repeated for ever.
    fn cycle(&self) -> &[State] {
        &self.states[self.cycle_start.unwrap_or(self.states.len())..]
    }

    /// Whether the run stands still at its end because nothing can move there.
    fn rests(&self, interpreter: &Interpreter<'_>) -> bool {
        self.cycle().len() == 1 && interpreter.successors(&self.states[self.states.len() - 1]).is_final
    }
}

/// Judges a run of a machine.
///
/// # Errors
/// When there is no claim.
pub fn judge(machine: &Arc<Machine>, subject: Subject, run: Lasso<'_>) -> Result<Judgement, ClaimError> {
    let claim = Arc::new(subject.claim(machine)?);
    let rests = run.rests(&Interpreter::new(machine));
    if rests && claim.at_rest == AtRest::Ends {
        return Ok(Judgement::None("the run comes to rest, which is allowed".into()));
    }
    let values = values_of(machine, &claim, run);
    let mut word: Vec<u64> = values.iter().map(|values| values.holds).collect();
    if rests && let Some(last) = word.last_mut() {
        *last &= !claim.non_progress_atoms();
    }
    let reading = Reading { claim: &claim, word: &word };
    if run.cycle_start.is_none() && reading.first_unanswered(&values).is_some() {
        return Ok(Judgement::Violation);
    }
    Ok(match (subject, run.cycle_start) {
        (Subject::Formula(index), Some(start)) => {
            let property = &machine.ltl[index];
            if property.holds_on(&word[..start], &word[start..]) {
                Judgement::None(format!("{} holds on this run", property.name))
            } else {
                Judgement::Violation
            }
        }
        (Subject::Formula(index), None) => {
            let property = &machine.ltl[index];
            let before = &word[..word.len().saturating_sub(1)];
            // Of the automaton's verdict that nothing can help any more, some continuations are tried.
            let survives = |letter: u64| property.holds_on(before, &[letter]);
            let letters = [0, u64::MAX].into_iter().chain((0..property.atoms.len()).map(|atom| 1 << atom));
            if letters.chain(word.last().copied()).any(survives) {
                Judgement::None(format!("{} can still be satisfied after this run", property.name))
            } else if reading.ends() {
                Judgement::Violation
            } else {
                Judgement::None(format!("the automaton of {} is not at its end after this run", property.name))
            }
        }
        (_, Some(start)) if reading.accepts(start) || reading.ends() => Judgement::Violation,
        (_, Some(_)) => Judgement::None(format!("{} does not accept this run", claim.name)),
        (_, None) if reading.ends() => Judgement::Violation,
        (_, None) => Judgement::None(format!("{} does not come to its end on this run", claim.name)),
    })
}

/// What goes wrong when a claim looks at a run that ends, if something on which its moves depend does.
///
/// # Errors
/// When there is no claim.
pub fn unanswered(
    machine: &Arc<Machine>,
    subject: Subject,
    run: Lasso<'_>,
) -> Result<Option<RuntimeError>, ClaimError> {
    let claim = Arc::new(subject.claim(machine)?);
    let values = values_of(machine, &claim, run);
    let word: Vec<u64> = values.iter().map(|values| values.holds).collect();
    let first = Reading { claim: &claim, word: &word }.first_unanswered(&values);
    Ok(first.and_then(|at| claim.first_error(machine, &run.states[at])))
}

impl Claim {
    /// What goes wrong when its atoms are evaluated in a state, if something does.
    #[must_use]
    pub fn first_error(&self, machine: &Machine, state: &State) -> Option<RuntimeError> {
        self.expressions().find_map(|expression| answer(machine, state, expression).err())
    }
}

fn values_of(machine: &Arc<Machine>, claim: &Arc<Claim>, run: Lasso<'_>) -> Vec<Values> {
    let mut valuation = InterpretedValuation::new(machine.clone(), claim.clone());
    run.states.iter().map(|state| valuation.valuation(state.bytes())).collect()
}

/// The processes to which a run is not fair in which the given ones move on the cycle. With weak fairness: those that can move in every state of the
/// cycle and never do; one that exists only now and then is not among them. With strong fairness: those that can move in some state of
/// the cycle and never do.
///
/// # Panics
/// When the run has no state.
#[must_use]
pub fn unfair_to(machine: &Machine, run: Lasso<'_>, moved: Movers, fairness: Fairness) -> Vec<Pid> {
    let interpreter = Interpreter::new(machine);
    let (mut always, mut ever) = (u64::MAX, 0);
    let cycle = run.cycle();
    for state in cycle {
        let transitions = interpreter.successors(state).transitions;
        let enabled = transitions.iter().fold(0, |all, transition| all | Movers::one(transition.steps[0].pid.0).0);
        always &= enabled;
        ever |= enabled;
    }
    let owed = match fairness {
        _ if cycle.is_empty() => 0,
        Fairness::None => 0,
        Fairness::Weak => always,
        Fairness::Strong => ever,
    };
    (0..64).filter(|pid| (owed & !moved.0) >> pid & 1 == 1).map(Pid).collect()
}

/// A claim that reads a word.
struct Reading<'r> {
    claim: &'r Claim,
    word: &'r [u64],
}

impl Reading<'_> {
    /// The claim's states after a letter, with the marks of the edges.
    fn after(&self, state: ClaimStateId, letter: u64) -> impl Iterator<Item = (ClaimStateId, u64)> {
        let edges = self.claim.state(state).edges.iter();
        edges.filter(move |edge| edge.is_possible(letter)).map(|edge| (edge.target, edge.marks))
    }

    /// Whether the claim can come to one of its ends on the word.
    fn ends(&self) -> bool {
        self.presence().iter().flatten().any(|&state| self.claim.state(state).end.is_some())
    }

    /// The first letter at which the claim can be in a state where its moves depend on what cannot be evaluated.
    fn first_unanswered(&self, values: &[Values]) -> Option<usize> {
        let asks = |(present, &values): (&Vec<ClaimStateId>, &Values)| {
            present.iter().any(|&state| self.claim.state(state).is_unanswered(values))
        };
        self.presence().iter().zip(values).position(asks)
    }

    /// The states in which the claim can be before each letter, and after the last.
    fn presence(&self) -> Vec<Vec<ClaimStateId>> {
        let mut list = vec![vec![self.claim.initial]];
        for &letter in self.word {
            let present = list[list.len() - 1].iter();
            let mut next: Vec<ClaimStateId> =
                present.flat_map(|&state| self.after(state, letter)).map(|(state, _)| state).collect();
            next.sort_unstable();
            next.dedup();
            list.push(next);
        }
        list
    }

    /// Whether the claim has an accepting run over the word whose letters from `start` on are repeated for ever.
    fn accepts(&self, start: usize) -> bool {
        let width = self.claim.states.len();
        let mut forward: Vec<Vec<(usize, u64)>> = Vec::with_capacity(self.word.len() * width);
        let mut backward: Vec<Vec<(usize, u64)>> = vec![Vec::new(); self.word.len() * width];
        for (position, &letter) in self.word.iter().enumerate() {
            let next = if position + 1 < self.word.len() { position + 1 } else { start };
            for state in 0..width {
                let edges = self.after(ClaimStateId(state as u16), letter);
                let edges: Vec<_> = edges.map(|(target, marks)| (next * width + target.index(), marks)).collect();
                edges.iter().for_each(|&(target, marks)| backward[target].push((position * width + state, marks)));
                forward.push(edges);
            }
        }
        let wanted = 1u64.checked_shl(self.claim.acceptance_sets).map_or(u64::MAX, |bit| bit - 1);
        let reachable = closure(&forward, self.claim.initial.index());
        // Every cycle passes the position where the word's cycle begins. A component is what a node reaches and is reached from;
        // its marks are those of the edges inside.
        (start * width..(start + 1) * width).filter(|&node| reachable[node]).any(|node| {
            let (ahead, behind) = (closure(&forward, node), closure(&backward, node));
            let member = |other: usize| ahead[other] && behind[other];
            let inside = (0..forward.len()).filter(|&from| member(from)).flat_map(|from| &forward[from]);
            let mut inside = inside.filter(|&&(to, _)| member(to)).peekable();
            inside.peek().is_some() && inside.fold(0, |marks, &(_, more)| marks | more) & wanted == wanted
        })
    }
}

/// What can be reached from a node, itself included.
fn closure(edges: &[Vec<(usize, u64)>], start: usize) -> Vec<bool> {
    let mut seen = vec![false; edges.len()];
    seen[start] = true;
    let mut waiting = vec![start];
    while let Some(node) = waiting.pop() {
        for &(target, _) in &edges[node] {
            if !std::mem::replace(&mut seen[target], true) {
                waiting.push(target);
            }
        }
    }
    seen
}
