//! Claims that need no text: acceptance cycles of the processes themselves, and cycles without progress.
//!
//! A system at rest for ever at an `accept` label is a violation (SPIN's "accept stutter"); one that rests without having to make
//! progress is not.

use automata::atom::AtomId;
use automata::automaton::{Automaton, Guard, Marks};
use promela::model::Predefined;

use super::{AtRest, Atom, Claim, Question};
use crate::expression::Expr;

impl Claim {
    /// Accepts the runs on which, again and again, some process is at a label that begins with `accept`.
    #[must_use]
    pub fn acceptance() -> Claim {
        let mut automaton = Automaton::new(vec![AtomId(0)], 1);
        let state = automaton.initial();
        let accepting = automaton.literal(AtomId(0), true).expect("it is the automaton's atom");
        let other = automaton.complement(accepting);
        automaton.add_edge(state, accepting, Marks::single(0), state);
        automaton.add_edge(state, other, Marks::NONE, state);
        let claim = Claim::observing("acceptance", &automaton, vec![Question::Accepting]);
        Claim { stutter_invariant: true, ..claim.expect("one state and one atom are few enough") }
    }

    /// Accepts the runs on which from some state on no process is at a label that begins with `progress`.
    #[must_use]
    pub fn non_progress() -> Claim {
        let mut automaton = Automaton::new(vec![AtomId(0)], 1);
        let start = automaton.initial();
        let lost = automaton.add_state();
        let none = automaton.literal(AtomId(0), true).expect("it is the automaton's atom");
        automaton.add_edge(start, Guard::TRUE, Marks::NONE, start);
        automaton.add_edge(start, none, Marks::NONE, lost);
        automaton.add_edge(lost, none, Marks::single(0), lost);
        let np = Atom { expression: Expr::Predefined(Predefined::NonProgress), text: "np_".into() };
        let claim = Claim::observing("non-progress", &automaton, vec![Question::Expression(np)]);
        Claim {
            at_rest: AtRest::Ends,
            stutter_invariant: true,
            ..claim.expect("two states and one atom are few enough")
        }
    }
}
