//! Claims: what must never happen, as an automaton that watches the system.
//!
//! ```text
//! ltl block ── negate, translate ──┐
//! never claim ── its locations ────┼──▶ Claim ── valuation ──▶ Product: the system and its observer in one
//! HOA file, np_, accept labels ────┘
//! ```
//! A claim is a generalised Büchi automaton over *atoms*, which are expressions over the global state. In each state all
//! atoms are evaluated once, to a word of bits; an edge of the claim is possible when its guard holds for that word. The
//! claim moves first: its edge reads the state that the system then leaves. A run of the system violates the property when
//! the claim has an accepting run over it, or comes to one of its ends.

mod automatic;
mod components;
mod hanoi;
mod judge;
mod memory;
mod never;
mod observed;
pub mod product;
mod property;
mod repetition;
mod subject;
mod valuation;

use std::sync::Arc;

use automata::atom::AtomId;
use automata::automaton::{Automaton, Guard, Marks, StateId};
use automata::classify::{Classification, ComponentKind};
use automata::translate::TranslationError;
use promela::model::Predefined;
use promela::source::Span;

pub use self::hanoi::{HanoiClaim, Proposition};
pub use self::judge::{Judgement, Lasso, judge, unanswered, unfair_to};
pub use self::product::{Fairness, Product};
pub use self::property::Property;
pub use self::subject::Subject;
pub use self::valuation::{InterpretedValuation, Valuation, Values};
pub(crate) use self::valuation::{answer, asks_for_timeout};

use crate::expression::Expr;
use crate::id::ActionId;

/// The most atoms a claim can have: their values fill a word.
pub const MOST_ATOMS: usize = 64;

/// An edge that asks about more atoms than that which cannot be evaluated is taken to depend on them.
const MOST_UNKNOWN: u32 = 12;

/// The most states a claim can have: their numbers fill two bytes.
pub const MOST_STATES: usize = 1 << 16;

/// An expression that a claim asks about.
#[derive(Clone, PartialEq, Debug)]
pub struct Atom {
    /// What is asked. It is true when its value is not zero.
    pub expression: Expr,
    /// Its text, as SPIN shows it.
    pub text: Arc<str>,
}

/// What watches the system.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its name.
    pub name: Arc<str>,
    /// What it asks about: the atom with number `i` is the `i`-th.
    pub atoms: Vec<Question>,
    /// The states and edges of the claim.
    pub states: Vec<ClaimState>,
    /// Where it starts.
    pub initial: ClaimStateId,
    /// A run is accepted when it takes edges of all these sets again and again. Without any, every infinite run is.
    pub acceptance_sets: u32,
    /// Whether a system that has come to rest goes on for ever as it is.
    pub at_rest: AtRest,
    /// Whether it is known that repeating states of a run, or leaving repetitions out, never changes whether the run is accepted.
    pub stutter_invariant: bool,
}

/// What an atom of a claim asks.
#[derive(Clone, PartialEq, Debug)]
pub enum Question {
    /// The value of an expression.
    Expression(Atom),
    /// Whether some process is at a label that begins with `accept`.
    Accepting,
}

/// What becomes of a run whose system can do nothing more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AtRest {
    /// Its last state is repeated for ever (SPIN's stutter extension).
    Stutters,
    /// The same, also where processes could move but whatever they do goes wrong.
    StuttersStuck,
    /// It ends, and is no infinite run.
    Ends,
}

/// A state of a claim, by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClaimStateId(pub u16);

impl ClaimStateId {
    /// The number as an index.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A state of a claim.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ClaimState {
    /// The ways out of it, in order.
    pub edges: Vec<ClaimEdge>,
    /// Whether a run that brings the claim here is a violation, whatever follows.
    pub end: Option<ClaimEnd>,
    /// What stands there, in a claim that was written by hand.
    pub span: Option<Span>,
}

/// Why a run that has come to a state of the claim is a violation already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClaimEnd {
    /// The claim is at its closing brace, or accepts whatever follows.
    Completed,
    /// An assertion of the claim failed.
    Assertion(ActionId),
    /// Where the claim goes from here depends on an atom that cannot be evaluated.
    Unanswered,
}

/// An edge of a claim.
#[derive(Clone, PartialEq, Debug)]
pub struct ClaimEdge {
    /// When it is possible: when one of these holds.
    pub guard: Vec<Cube>,
    /// The acceptance sets it belongs to: bit `i` for the `i`-th.
    pub marks: u64,
    /// Where it leads.
    pub target: ClaimStateId,
}

/// A conjunction of atoms that must hold and atoms that must not, as words of bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Cube {
    /// The atoms that must hold.
    pub required: u64,
    /// The atoms that must not.
    pub excluded: u64,
}

/// Why there is no claim for a property.
#[derive(Clone, PartialEq, Debug)]
pub enum ClaimError {
    /// The formula's automaton is too large.
    Translation(TranslationError),
    /// It asks about more than [`MOST_ATOMS`] things.
    TooManyAtoms(usize),
    /// It has more than [`MOST_STATES`] states.
    TooManyStates(usize),
    /// A never claim does something that an observer cannot do.
    Unobservable(Span, &'static str),
    /// A proposition of an automaton is a temporal formula.
    NotAProposition,
}

impl std::fmt::Display for ClaimError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ClaimError::Translation(error) => write!(f, "{error}"),
            ClaimError::TooManyAtoms(count) => {
                write!(f, "it asks about {count} different conditions; {MOST_ATOMS} are possible")
            }
            ClaimError::TooManyStates(count) => write!(f, "it has {count} states; {MOST_STATES} are possible"),
            ClaimError::NotAProposition => write!(f, "a proposition of an automaton must be an expression"),
            ClaimError::Unobservable(_, what) => write!(f, "a claim only observes: it cannot {what}"),
        }
    }
}

impl std::error::Error for ClaimError {}

impl Cube {
    /// Whether it holds when exactly these atoms do.
    #[inline]
    #[must_use]
    pub fn holds(self, valuation: u64) -> bool {
        valuation & self.required == self.required && valuation & self.excluded == 0
    }
}

impl ClaimEdge {
    /// Whether it is possible when exactly these atoms hold.
    #[inline]
    #[must_use]
    pub fn is_possible(&self, valuation: u64) -> bool {
        self.guard.iter().any(|cube| cube.holds(valuation))
    }

    /// Whether it depends on the value of atoms that are not known if it is possible, the others being as given.
    #[must_use]
    pub fn depends_on(&self, unknown: u64, valuation: u64) -> bool {
        let asked = unknown & self.guard.iter().fold(0, |asked, cube| asked | cube.required | cube.excluded);
        if asked.count_ones() > MOST_UNKNOWN {
            return true;
        }
        let mut subsets = std::iter::successors(Some(asked), |&subset| (subset != 0).then(|| (subset - 1) & asked));
        let none = self.is_possible(valuation & !unknown);
        subsets.any(|subset| self.is_possible(valuation & !unknown | subset) != none)
    }
}

impl ClaimState {
    /// Whether it depends on atoms that cannot be evaluated where the claim goes from here.
    #[must_use]
    pub fn is_unanswered(&self, values: Values) -> bool {
        values.unknown != 0 && self.edges.iter().any(|edge| edge.depends_on(values.unknown, values.holds))
    }
}

impl Claim {
    /// A state of the claim.
    #[inline]
    #[must_use]
    pub fn state(&self, id: ClaimStateId) -> &ClaimState {
        &self.states[id.index()]
    }

    /// The claim of an automaton over these atoms. A state from which everything is accepted is an end: whoever gets
    /// there has violated the property.
    ///
    /// # Errors
    /// When there are too many states or atoms.
    pub fn from_automaton(name: &str, automaton: &Automaton, atoms: Vec<Question>) -> Result<Claim, ClaimError> {
        let mut claim = Claim::observing(name, automaton, atoms)?;
        let classes = Classification::of(automaton);
        for state in automaton.states() {
            if classes.kind_of(state) == ComponentKind::Terminal {
                claim.states[state.index()].end = Some(ClaimEnd::Completed);
            }
        }
        Ok(claim)
    }

    /// A claim that looks at these atoms and accepts no run.
    ///
    /// # Errors
    /// When there are too many, or one asks what only a process can answer.
    pub fn watching(name: &str, atoms: Vec<Atom>) -> Result<Claim, ClaimError> {
        let mut nothing = Automaton::new((0..atoms.len() as u32).map(AtomId).collect(), 0);
        let initial = nothing.initial();
        nothing.add_edge(initial, Guard::TRUE, Marks::NONE, initial);
        let claim = Claim::observing(name, &nothing, atoms.into_iter().map(Question::Expression).collect())?;
        Ok(Claim { at_rest: AtRest::StuttersStuck, ..claim })
    }

    /// As [`Claim::from_automaton`], without ends.
    fn observing(name: &str, automaton: &Automaton, atoms: Vec<Question>) -> Result<Claim, ClaimError> {
        if atoms.len() > MOST_ATOMS {
            return Err(ClaimError::TooManyAtoms(atoms.len()));
        }
        if let Some(refusal) = atoms.iter().find_map(unobservable) {
            return Err(ClaimError::Unobservable(Span::NOWHERE, refusal));
        }
        if automaton.state_count() > MOST_STATES {
            return Err(ClaimError::TooManyStates(automaton.state_count()));
        }
        let state = |state: StateId| ClaimState {
            edges: automaton
                .edges(state)
                .iter()
                .map(|edge| ClaimEdge {
                    guard: automaton.cubes(edge.guard).iter().map(cube).collect(),
                    marks: edge.marks.iter().fold(0, |marks, set| marks | 1 << set),
                    target: claim_state(edge.target),
                })
                .collect(),
            end: None,
            span: None,
        };
        Ok(Claim {
            name: name.into(),
            atoms,
            states: automaton.states().map(state).collect(),
            initial: claim_state(automaton.initial()),
            acceptance_sets: automaton.acceptance_sets(),
            at_rest: AtRest::Stutters,
            stutter_invariant: false,
        })
    }

    /// What its atoms ask about, labels aside.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        self.atoms.iter().filter_map(|question| match question {
            Question::Expression(atom) => Some(&atom.expression),
            Question::Accepting => None,
        })
    }

    /// The atoms that are `np_`: a word of bits.
    #[must_use]
    pub fn non_progress_atoms(&self) -> u64 {
        let is_np = |question: &Question| match question {
            Question::Expression(atom) => atom.expression == Expr::Predefined(Predefined::NonProgress),
            Question::Accepting => false,
        };
        let atoms = self.atoms.iter().map(is_np).enumerate();
        atoms.fold(0, |word, (atom, is_np)| word | u64::from(is_np) << atom)
    }
}

/// What an atom asks that only a process can answer.
fn unobservable(question: &Question) -> Option<&'static str> {
    let Question::Expression(atom) = question else { return None };
    let mut found = None;
    atom.expression.any(&mut |part| {
        found = match part {
            Expr::Predefined(Predefined::Pid | Predefined::LocalNumber) => Some("ask for its own number"),
            Expr::Predefined(Predefined::Priority) => Some("ask for its own priority"),
            Expr::AnyReference(..) => Some("choose a process"),
            _ => None,
        };
        found.is_some()
    });
    found
}

/// The limit on states was checked.
fn claim_state(state: StateId) -> ClaimStateId {
    ClaimStateId(state.0 as u16)
}

fn cube(cube: &automata::automaton::Cube) -> Cube {
    cube.literals.iter().fold(Cube::default(), |mut bits, &(AtomId(atom), value)| {
        let word = if value { &mut bits.required } else { &mut bits.excluded };
        *word |= 1 << atom;
        bits
    })
}

#[cfg(test)]
mod tests {
    use super::{Claim, ClaimEdge, ClaimStateId, Cube};

    fn edge(guard: &[(u64, u64)]) -> ClaimEdge {
        let guard = guard.iter().map(|&(required, excluded)| Cube { required, excluded }).collect();
        ClaimEdge { guard, marks: 0, target: ClaimStateId(0) }
    }

    /// Whether some values of the unknown atoms make it possible and others do not.
    fn depends(edge: &ClaimEdge, unknown: u64, valuation: u64, atoms: u64) -> bool {
        let agrees = |letter: &u64| letter & !unknown == valuation & !unknown;
        let letters: Vec<u64> = (0..1 << atoms).filter(agrees).collect();
        letters.iter().any(|&letter| edge.is_possible(letter))
            && !letters.iter().all(|&letter| edge.is_possible(letter))
    }

    #[test]
    fn an_edge_depends_on_what_is_not_known_if_its_value_decides() {
        // x, x && y, x || !x && y, x && !y || z, and nothing at all.
        let guards: [&[(u64, u64)]; 6] =
            [&[(1, 0)], &[(3, 0)], &[(2, 0), (1, 2)], &[(1, 0), (2, 1)], &[(1, 2), (4, 0)], &[(0, 0)]];
        let cases =
            guards.iter().flat_map(|guard| (0..8).flat_map(move |unknown| (0..8).map(move |v| (guard, unknown, v))));
        for (guard, unknown, valuation) in cases {
            let edge = edge(guard);
            let expected = depends(&edge, unknown, valuation, 3);
            assert_eq!(edge.depends_on(unknown, valuation), expected, "{guard:?} {unknown:b} {valuation:b}");
        }
    }

    #[test]
    fn atoms_that_ask_for_progress_are_known() {
        let text = "bit g; active proctype P() { do :: g = 1 - g od } \
                    never { do :: g == 1 :: np_ -> break od; accept: do :: np_ && g == 0 od }";
        let model = promela::load_text("m.pml", text, &promela::Options::default()).model.expect("it is correct");
        let claim = Claim::from_never(&crate::lower(&model), 0).expect("it observes");
        let asked: Vec<bool> = (0..claim.atoms.len()).map(|atom| claim.non_progress_atoms() >> atom & 1 == 1).collect();
        assert_eq!(asked.iter().filter(|asks| **asks).count(), 1, "{asked:?}");
        assert_eq!(claim.non_progress_atoms() >> claim.atoms.len(), 0);
    }
}
