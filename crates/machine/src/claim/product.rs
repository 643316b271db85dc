//! The system and the claim that watches it, in one: the vector of the system, then the claim's state in a word.
//!
//! In `(s, q)` the claim moves first, by an edge `q → q'` whose guard holds in `s`; then the system moves `s → s'`. A claim
//! without a possible edge ends the run: it is of no interest. A system that has come to rest repeats its state for ever, as
//! SPIN has it; `np_` is false of this repetition. Where the claim asks what cannot be evaluated, and its next move depends on it, it comes to an end too, as an error. Where whatever the system does goes wrong, there is no infinite run to be judged; but the claim may come
//! to its end by what it sees there. This is the product of SPIN's verifier, one transition here for one pair of moves there.
//!
//! Weak fairness comes as acceptance sets behind those of the claim, one for each process number: a transition is in the set
//! of process `p` when `p` moves in it or cannot move before it. In a rendezvous both processes move. But only the sender can be
//! owed one: receiving is executable only while somebody offers a message. SPIN counts in the same way. With strong fairness, the transition is
//! in the set when `p` moves, and every state asks for the sets of the processes that can move in it.

use std::sync::Arc;

use super::{AtRest, Claim, ClaimEdge, ClaimEnd, ClaimStateId, Valuation, Values};
use crate::ample::{AmpleSets, Extent, Proviso};
use crate::generate::{Generator, Movers, Rest, Successors};
use crate::interpret::error::RuntimeError;

/// Bytes of the claim's state at the end of a vector. Two would do; but stores arrange vectors of whole words only.
pub const CLAIM_BYTES: usize = 4;

/// Which runs count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Fairness {
    /// All.
    #[default]
    None,
    /// Those in which no process can for ever move and never does.
    Weak,
    /// Those in which no process can move again and again and does so only finitely often.
    Strong,
}

impl Fairness {
    /// The name that options and files use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Fairness::None => "none",
            Fairness::Weak => "weak",
            Fairness::Strong => "strong",
        }
    }
}

/// The system and the claim in one.
pub struct Product {
    generator: Box<dyn Generator>,
    valuation: Box<dyn Valuation>,
    claim: Arc<Claim>,
    fairness: Fairness,
    ample: Option<(AmpleSets, Proviso)>,
    successors: Successors,
    /// The atoms that are `np_`.
    progress_atoms: u64,
    crowded: bool,
    endless_atomic: bool,
    error: bool,
}

/// Which of the sets of processes that may move alone is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Choice {
    All,
    Best,
    Next,
}

/// The transitions out of one state of the product.
#[derive(Clone, Debug, Default)]
pub struct ProductTransitions {
    bytes: Vec<u8>,
    list: Vec<ProductTransition>,
    requests: u64,
}

#[derive(Clone, Copy, Debug)]
struct ProductTransition {
    /// Where the target ends in the bytes.
    end: u32,
    marks: u64,
    claim_end: Option<ClaimEnd>,
}

impl Product {
    /// The product of what a generator generates and a claim, whose atoms are evaluated by `valuation`.
    #[must_use]
    pub fn new(
        generator: Box<dyn Generator>,
        valuation: Box<dyn Valuation>,
        claim: Arc<Claim>,
        fairness: Fairness,
    ) -> Product {
        let progress_atoms = claim.non_progress_atoms();
        let successors = Successors::new();
        Product {
            generator,
            valuation,
            claim,
            fairness,
            ample: None,
            successors,
            progress_atoms,
            crowded: false,
            endless_atomic: false,
            error: false,
        }
    }

    /// The same, where only some processes move in states where that is enough. With fairness the sets must keep fair runs
    /// ([`AmpleSets::keeping_fairness`]).
    #[must_use]
    pub fn reduced_by(self, ample: Option<(AmpleSets, Proviso)>) -> Product {
        Product { ample, ..self }
    }

    /// The claim.
    #[must_use]
    pub fn claim(&self) -> &Arc<Claim> {
        &self.claim
    }

    /// The generator of the system's moves.
    #[must_use]
    pub fn generator(&self) -> &dyn Generator {
        &*self.generator
    }

    /// Whether there were more processes than fairness has acceptance sets for: then the search proves nothing.
    #[must_use]
    pub fn is_crowded(&self) -> bool {
        self.crowded
    }

    /// Whether an `atomic` sequence was met that never ends. A run that stays in it is no run of the product.
    #[must_use]
    pub fn met_endless_atomic(&self) -> bool {
        self.endless_atomic
    }

    /// Whether a failed assertion or a run-time error was met in a state where the claim can still move. A run that ends so is no run of the product.
    #[must_use]
    pub fn met_error(&self) -> bool {
        self.error
    }

    /// Writes the initial state to `into`, and tells whether the claim is at an end there already.
    ///
    /// # Errors
    /// When an initial value cannot be computed.
    pub fn initial(&mut self, into: &mut Vec<u8>) -> Result<Option<ClaimEnd>, RuntimeError> {
        self.generator.initial(into)?;
        let unanswered = self.is_unanswered(into, self.claim.initial).then_some(ClaimEnd::Unanswered);
        into.extend_from_slice(&word(self.claim.initial));
        Ok(self.claim.state(self.claim.initial).end.or(unanswered))
    }

    /// Whether the claim cannot go on from a state because what it asks cannot be evaluated.
    fn is_unanswered(&mut self, system: &[u8], location: ClaimStateId) -> bool {
        self.valuation.can_fail() && self.claim.state(location).is_unanswered(self.valuation.valuation(system))
    }

    fn end_unanswered(&mut self, transitions: &mut ProductTransitions) {
        if !self.valuation.can_fail() {
            return;
        }
        for index in 0..transitions.len() {
            let (system, location) = split(transitions.target(index));
            if transitions.list[index].claim_end.is_none() && self.is_unanswered(system, location) {
                transitions.list[index].claim_end = Some(ClaimEnd::Unanswered);
            }
        }
    }

    /// All acceptance sets: those of the claim, then those of fairness.
    #[must_use]
    pub fn acceptance(&self) -> u64 {
        let own = bits_below(self.claim.acceptance_sets);
        match self.fairness {
            Fairness::None | Fairness::Strong => own,
            Fairness::Weak => u64::MAX,
        }
    }

    /// Writes the transitions out of a state to `into`, whose old content is dropped: all that a search needs to follow which does not see to it that
    /// nothing is put off for ever.
    pub fn transitions(&mut self, state: &[u8], into: &mut ProductTransitions) {
        let choice = match &self.ample {
            Some((_, Proviso::InAdvance)) => Choice::Best,
            Some((_, Proviso::OnThePath)) | None => Choice::All,
        };
        self.choose(state, choice, into);
    }

    /// The same for a search that sees to it: it may take these transitions for all if none of them closes a cycle on its path.
    pub fn reduced_transitions(&mut self, state: &[u8], into: &mut ProductTransitions) -> Extent {
        let extent = self.choose(state, Choice::Best, into);
        match &self.ample {
            Some((_, Proviso::OnThePath)) => extent,
            Some((_, Proviso::InAdvance)) | None => Extent::All,
        }
    }

    /// Other transitions out of the state that was asked about last, when one of those does.
    pub fn other_transitions(&mut self, state: &[u8], into: &mut ProductTransitions) -> Extent {
        self.choose(state, Choice::Next, into)
    }

    fn choose(&mut self, state: &[u8], choice: Choice, into: &mut ProductTransitions) -> Extent {
        let extent = self.chosen(state, choice, into);
        self.end_unanswered(into);
        extent
    }

    fn chosen(&mut self, state: &[u8], choice: Choice, into: &mut ProductTransitions) -> Extent {
        into.clear();
        let (system, location) = split(state);
        let Product { generator, valuation, claim, ample, successors, crowded, .. } = self;
        let (generator, claim) = (&mut **generator, &**claim);
        let sets = FairnessSets { fairness: self.fairness, first: claim.acceptance_sets };
        let values = valuation.valuation(system).holds;
        let values_at_rest = values & !self.progress_atoms;
        let edges = &claim.state(location).edges;
        if !edges.iter().any(|edge| edge.is_possible(values) || edge.is_possible(values_at_rest)) {
            return Extent::All;
        }
        // The processes of which it is known whether they can move.
        let mut known = u64::MAX;
        let extent = match (&mut *ample, choice) {
            (Some((ample, _)), Choice::Best) => ample.successors(generator, system, successors),
            (Some((ample, _)), Choice::Next) => ample.next_successors(generator, system, successors),
            (Some((ample, _)), Choice::All) => {
                ample.all_successors(generator, system, successors);
                Extent::All
            }
            (None, _) => {
                generator.successors(system, successors);
                Extent::All
            }
        };
        if let (Extent::Part, Some((ample, _))) = (extent, ample) {
            known = ample.proposed() as u64;
        }
        let enabled = sets.of_enabled(successors, crowded);
        // Weak fairness asks of a transition that a process moves or cannot; strong fairness asks in every state where it can.
        let fairness = match sets.fairness {
            Fairness::None => 0,
            Fairness::Weak => !enabled & sets.of(Movers(known)),
            Fairness::Strong => {
                into.requests = enabled;
                0
            }
        };
        self.endless_atomic |= successors.signals().endless_atomic;
        self.error |= successors.signals().errors > 0;
        if successors.signals().rest != Rest::Moves {
            if claim.at_rest != AtRest::Ends {
                for edge in edges.iter().filter(|edge| edge.is_possible(values_at_rest)) {
                    into.push(system, edge, fairness, claim.state(edge.target).end);
                }
            }
            return extent;
        }
        if successors.is_empty() {
            for edge in edges.iter().filter(|edge| edge.is_possible(values)) {
                let claim_end = claim.state(edge.target).end;
                if claim_end.is_some() || claim.at_rest == AtRest::StuttersStuck {
                    into.push(system, edge, fairness, claim_end);
                }
            }
            return extent;
        }
        for edge in edges.iter().filter(|edge| edge.is_possible(values)) {
            let claim_end = claim.state(edge.target).end;
            for (target, first) in successors.transitions() {
                into.push(target, edge, fairness | sets.of(first.movers), claim_end);
            }
        }
        extent
    }

    /// The values of the claim's atoms in a state: `np_` does not hold when nothing can move.
    pub fn values(&mut self, state: &[u8]) -> Values {
        let (system, _) = split(state);
        let mut values = self.valuation.valuation(system);
        if values.holds & self.progress_atoms != 0 {
            self.generator.successors(system, &mut self.successors);
            if self.successors.signals().rest != Rest::Moves {
                values.holds &= !self.progress_atoms;
            }
        }
        values
    }
}

/// The acceptance sets of fairness, one for each process, behind those of the claim.
#[derive(Clone, Copy)]
struct FairnessSets {
    fairness: Fairness,
    /// The set of the first process.
    first: u32,
}

impl FairnessSets {
    /// Those of processes that can move by one of the transitions at hand; `crowded` becomes true when there are too many.
    #[inline]
    fn of_enabled(self, successors: &Successors, crowded: &mut bool) -> u64 {
        if self.fairness == Fairness::None {
            return 0;
        }
        let mut enabled = 0;
        for first in successors.first_steps() {
            match 1u64.checked_shl(self.first + u32::from(first.pid.0)) {
                Some(set) => enabled |= set,
                None => *crowded = true,
            }
        }
        enabled
    }

    /// Those of processes that move.
    #[inline]
    fn of(self, movers: Movers) -> u64 {
        match self.fairness {
            Fairness::None => 0,
            Fairness::Weak | Fairness::Strong => movers.0.checked_shl(self.first).unwrap_or(0),
        }
    }
}

impl ProductTransitions {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Where a transition leads.
    ///
    /// # Panics
    /// When there is no such transition.
    #[must_use]
    pub fn target(&self, index: usize) -> &[u8] {
        let start = if index == 0 { 0 } else { self.list[index - 1].end as usize };
        &self.bytes[start..self.list[index].end as usize]
    }

    /// The system's part of where a transition leads, to be replaced by a state that stands for it.
    ///
    /// # Panics
    /// When there is no such transition.
    #[must_use]
    pub fn system_mut(&mut self, index: usize) -> &mut [u8] {
        let start = if index == 0 { 0 } else { self.list[index - 1].end as usize };
        &mut self.bytes[start..self.list[index].end as usize - CLAIM_BYTES]
    }

    /// The acceptance sets it belongs to.
    ///
    /// # Panics
    /// When there is no such transition.
    #[must_use]
    pub fn marks(&self, index: usize) -> u64 {
        self.list[index].marks
    }

    /// Whether it brings the claim to an end, and to which.
    ///
    /// # Panics
    /// When there is no such transition.
    #[must_use]
    pub fn claim_end(&self, index: usize) -> Option<ClaimEnd> {
        self.list[index].claim_end
    }

    /// The sets that a fair run takes again and again if it visits the state again and again: with strong fairness, those of the processes
    /// that can move.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.requests
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.list.clear();
        self.requests = 0;
    }

    #[inline]
    fn push(&mut self, system: &[u8], edge: &ClaimEdge, fairness: u64, claim_end: Option<ClaimEnd>) {
        self.bytes.reserve(system.len() + CLAIM_BYTES);
        self.bytes.extend_from_slice(system);
        self.bytes.extend_from_slice(&word(edge.target));
        let end = self.bytes.len() as u32;
        self.list.push(ProductTransition { end, marks: edge.marks | fairness, claim_end });
    }
}

/// The system's vector and the claim's state of a state of the product.
///
/// # Panics
/// When it is no state of a product: it is too short.
#[must_use]
pub fn split(state: &[u8]) -> (&[u8], ClaimStateId) {
    let (system, claim) = state.split_last_chunk::<CLAIM_BYTES>().expect("a state of a product ends with the claim's");
    (system, ClaimStateId(u32::from_le_bytes(*claim) as u16))
}

fn word(ClaimStateId(state): ClaimStateId) -> [u8; CLAIM_BYTES] {
    u32::from(state).to_le_bytes()
}

fn bits_below(count: u32) -> u64 {
    1u64.checked_shl(count).map_or(u64::MAX, |bit| bit - 1)
}
