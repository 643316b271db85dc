//! The system and the claim that watches it, in one: the vector of the system, then the claim's state in a word.
//!
//! In `(s, q)` the claim moves first, by an edge `q → q'` whose guard holds in `s`; then the system moves `s → s'`. A claim
//! without a possible edge ends the run: it is of no interest. A system that has come to rest repeats its state for ever, as
//! SPIN has it; `np_` is false of this repetition. Where the claim asks what cannot be evaluated, and its next move depends on it, it comes
//! to an end too, as an error. Where whatever the system does goes wrong, there is no infinite run to be judged; but the claim may come to its
//! end by what it sees there. This is the product of SPIN's verifier, one transition here for one pair of moves there.
//!
//! Weak fairness comes as acceptance sets behind those of the claim, one for each process number: a transition is in the set
//! of process `p` when `p` moves in it or cannot move before it. In a rendezvous both processes move. But only the sender can be
//! owed one: receiving is executable only while somebody offers a message. SPIN counts in the same way. With strong fairness, the transition is
//! in the set when `p` moves, and every state asks for the sets of the processes that can move in it.

use std::sync::Arc;

use system::{Arena, Extent, Fate, Label, Marks, Movers, Note, Notes, Rest, Signals, System, leave_to_inner};

use super::{AtRest, Claim, ClaimEdge, ClaimStateId, Valuation, Values};

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

/// The layer: the system and the claim in one. With fairness, what reduces the system must keep fair runs
/// ([`AmpleSets::keeping_fairness`](crate::ample::AmpleSets::keeping_fairness)).
pub struct Product<S> {
    inner: S,
    valuation: Box<dyn Valuation>,
    claim: Arc<Claim>,
    fairness: Fairness,
    successors: Arena,
    /// The atoms that are `np_`.
    progress_atoms: u64,
    /// The atoms that held in some state.
    held: u64,
    crowded: bool,
}

/// Which of the system's successors are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Choice {
    All,
    Best,
    Next,
}

impl<S: System> Product<S> {
    /// The name of the note: there were more processes than fairness has acceptance sets for, so that the search proves nothing.
    pub const CROWDED: &'static str = "crowded";
    /// The name of the note: the atoms that held in some state, one byte for each.
    pub const HELD: &'static str = "held";

    /// The product of a system and a claim, whose atoms are evaluated by `valuation`.
    #[must_use]
    pub fn new(inner: S, valuation: Box<dyn Valuation>, claim: Arc<Claim>, fairness: Fairness) -> Product<S> {
        let progress_atoms = claim.non_progress_atoms();
        Product { inner, valuation, claim, fairness, successors: Arena::new(), progress_atoms, held: 0, crowded: false }
    }

    /// Whether the claim cannot go on from a state because what it asks cannot be evaluated.
    fn is_unanswered(&mut self, system: &[u8], location: ClaimStateId) -> bool {
        self.valuation.can_fail() && self.claim.state(location).is_unanswered(self.valuation.valuation(system))
    }

    fn end_unanswered(&mut self, transitions: &mut Arena) {
        if !self.valuation.can_fail() {
            return;
        }
        for index in 0..transitions.len() {
            let (system, location) = split(transitions.target(index));
            if self.is_unanswered(system, location) {
                transitions.seal(index);
            }
        }
    }

    fn choose(&mut self, state: &[u8], choice: Choice, into: &mut Arena) -> Extent {
        let extent = self.chosen(state, choice, into);
        self.end_unanswered(into);
        extent
    }

    fn chosen(&mut self, state: &[u8], choice: Choice, into: &mut Arena) -> Extent {
        into.clear();
        let (system, location) = split(state);
        let Product { inner, valuation, claim, successors, held, crowded, .. } = self;
        let claim = &**claim;
        let sets = FairnessSets { fairness: self.fairness, first: claim.acceptance_sets };
        let values = valuation.valuation(system).holds;
        *held |= values;
        let values_at_rest = values & !self.progress_atoms;
        let edges = &claim.state(location).edges;
        if !edges.iter().any(|edge| edge.is_possible(values) || edge.is_possible(values_at_rest)) {
            return Extent::All;
        }
        let extent = match choice {
            Choice::All => {
                inner.successors(system, successors);
                Extent::All
            }
            Choice::Best => inner.reduced(system, successors),
            Choice::Next => inner.other(system, successors),
        };
        let signals = successors.signals();
        // What is at rest repeats itself: the product does not come to an end.
        *into.signals_mut() = Signals { rest: Rest::Moves, ..signals };
        let enabled = sets.of_enabled(successors, crowded);
        // Weak fairness asks of a transition that a process moves or cannot; strong fairness asks in every state where it can.
        let fairness = match sets.fairness {
            Fairness::None => 0,
            Fairness::Weak => !enabled & sets.of(signals.asked),
            Fairness::Strong => {
                into.signals_mut().requests = Marks(enabled);
                0
            }
        };
        let mut push = |system: &[u8], edge: &ClaimEdge, label: Label, fairness: u64| {
            let fate = if claim.state(edge.target).end.is_some() { Fate::Sealed } else { Fate::Open };
            into.push_marked(system, &word(edge.target), label, Marks(edge.marks | fairness), fate);
        };
        if signals.rest != Rest::Moves {
            if claim.at_rest != AtRest::Ends {
                for edge in edges.iter().filter(|edge| edge.is_possible(values_at_rest)) {
                    push(system, edge, Label::default(), fairness);
                }
            }
            return extent;
        }
        if successors.is_empty() {
            for edge in edges.iter().filter(|edge| edge.is_possible(values)) {
                if claim.state(edge.target).end.is_some() || claim.at_rest == AtRest::StuttersStuck {
                    push(system, edge, Label::default(), fairness);
                }
            }
            return extent;
        }
        for edge in edges.iter().filter(|edge| edge.is_possible(values)) {
            for (target, label) in successors.transitions() {
                push(target, edge, label, fairness | sets.of(label.movers));
            }
        }
        extent
    }

    /// The values of the claim's atoms in a state: `np_` does not hold when nothing can move.
    pub fn values(&mut self, state: &[u8]) -> Values {
        let (system, _) = split(state);
        let mut values = self.valuation.valuation(system);
        if values.holds & self.progress_atoms != 0 {
            self.inner.successors(system, &mut self.successors);
            if self.successors.signals().rest != Rest::Moves {
                values.holds &= !self.progress_atoms;
            }
        }
        values
    }
}

impl<S: System> System for Product<S> {
    leave_to_inner!(inner: novelty);

    fn initial(&mut self, into: &mut Vec<u8>) -> Fate {
        self.inner.initial(into);
        let initial = self.claim.initial;
        let ends = self.claim.state(initial).end.is_some() || self.is_unanswered(into, initial);
        into.extend_from_slice(&word(initial));
        if ends { Fate::Sealed } else { Fate::Open }
    }

    fn successors(&mut self, state: &[u8], into: &mut Arena) {
        self.choose(state, Choice::All, into);
    }

    fn reduced(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        self.choose(state, Choice::Best, into)
    }

    fn other(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        self.choose(state, Choice::Next, into)
    }

    /// Those of the claim, then those of fairness.
    fn acceptance(&self) -> Marks {
        match self.fairness {
            Fairness::None | Fairness::Strong => Marks::first(self.claim.acceptance_sets),
            Fairness::Weak => Marks(u64::MAX),
        }
    }

    fn notes(&self, into: &mut Notes) {
        self.inner.notes(into);
        let held = (0..self.claim.atoms.len()).map(|atom| (self.held >> atom & 1) as u8);
        into.add(Product::<S>::HELD, Note::Union(held.collect()));
        if self.crowded {
            into.add(Product::<S>::CROWDED, Note::Happened);
        }
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
    fn of_enabled(self, successors: &Arena, crowded: &mut bool) -> u64 {
        if self.fairness == Fairness::None {
            return 0;
        }
        let mut enabled = 0;
        for label in successors.labels() {
            match 1u64.checked_shl(self.first + u32::from(label.process)) {
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
