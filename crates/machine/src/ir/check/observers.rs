//! What watches the processes: the trace automaton, formulas, and automata that were added.

use automata::atom::AtomId;

use super::Checker;
use crate::claim::{Claim, ClaimEnd, MOST_ATOMS, Property, Question};
use crate::expression::Expr;
use crate::machine::{InitialValues, TraceAutomaton};

impl Checker<'_> {
    /// The location of a trace automaton is a cell that it alone changes, from its start on.
    pub(super) fn trace(&mut self, trace: &TraceAutomaton) {
        self.place = trace.automaton.name.to_string();
        let machine = self.machine;
        let Some(cells) = machine.layout.globals.cells.get(trace.cells.index()) else {
            return self.demand(false, "the state of the trace automaton has no cells");
        };
        let fits = trace.automaton.locations.len() as u64 <= 1 + u64::from(cells.scalar.range().1.unsigned_abs());
        self.demand(cells.count == 1 && fits, "the state of the trace automaton does not fit its cell");
        let mut values = machine.global_initial.iter().filter(|each| each.cells == trace.cells);
        let start = Expr::Constant(trace.automaton.start.0 as i32);
        let starts = |values: &InitialValues| matches!(values, InitialValues::Same(value) if *value == start);
        let is_initial = values.next().is_some_and(|first| starts(&first.values)) && values.next().is_none();
        self.demand(is_initial, "the trace automaton does not begin at its start");
    }

    pub(super) fn property(&mut self, property: &Property) {
        self.place = format!("ltl {}", property.name);
        let atoms = property.atoms.iter().chain(&property.proposition);
        atoms.for_each(|atom| self.observation(&atom.expression));
        let exists = |atom: &AtomId| atom.index() < property.atoms.len();
        self.demand(property.formula.atoms().iter().all(exists), "the formula has an atom that does not exist");
    }

    pub(super) fn claim(&mut self, claim: &Claim) {
        self.place = format!("automaton {}", claim.name);
        for question in &claim.atoms {
            if let Question::Expression(atom) = question {
                self.observation(&atom.expression);
            }
        }
        let below = |word: u64, count: usize| count >= MOST_ATOMS || word >> count == 0;
        self.demand(claim.atoms.len() <= MOST_ATOMS, "it has too many atoms");
        self.demand(claim.acceptance_sets as usize <= MOST_ATOMS, "it has too many acceptance sets");
        self.demand(claim.initial.index() < claim.states.len(), "it starts in no state");
        for (number, state) in claim.states.iter().enumerate() {
            self.place = format!("automaton {} in state {number}", claim.name);
            if let Some(ClaimEnd::Assertion(action)) = state.end {
                self.demand(self.kind(action).is_some(), "an assertion does not exist");
            }
            for edge in &state.edges {
                self.demand(edge.target.index() < claim.states.len(), "an edge leads to no state");
                self.demand(below(edge.marks, claim.acceptance_sets as usize), "an acceptance set does not exist");
                let asked = edge.guard.iter().fold(0, |asked, cube| asked | cube.required | cube.excluded);
                self.demand(below(asked, claim.atoms.len()), "a guard asks about an atom that does not exist");
            }
        }
    }

    /// Checks an expression that must not change the state.
    fn observation(&mut self, value: &Expr) {
        self.expr(value);
        let runs = value.any(&mut |part| matches!(part, Expr::Run(_)));
        self.demand(!runs, "an observer starts a process");
    }
}
