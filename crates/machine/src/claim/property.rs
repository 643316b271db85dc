//! Formulas of linear temporal logic as claims: the negation is what must never happen.

use std::sync::Arc;

use automata::formula::Formula;
use automata::lasso;
use automata::reduce::Kind;
use automata::stutter::is_stutter_invariant;
use automata::translate::translate_to;
use promela::model::PropertyForm;
use promela::source::{SourceMap, Span};

use super::{Atom, Claim, ClaimError, Question};

/// A formula over the states of a model: an `ltl` block, or a formula that was given beside the model.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name: `ltl_0` and the like if it has none, as SPIN has it.
    pub name: Arc<str>,
    /// What must hold on every run.
    pub formula: Formula,
    /// What the atoms of the formula stand for.
    pub atoms: Vec<Atom>,
    /// The whole formula as one atom, when it has no temporal operators.
    pub proposition: Option<Atom>,
    /// What its text is.
    pub form: PropertyForm,
    /// Its text.
    pub span: Span,
}

impl Property {
    /// The property as an `ltl` block, as it would stand in the model.
    #[must_use]
    pub fn block(&self, sources: &SourceMap) -> String {
        let text = sources.snippet(self.span);
        match self.form {
            PropertyForm::Block => text.to_owned(),
            // A comment must not hide the brace.
            PropertyForm::Formula if text.contains("//") => format!("ltl {} {{ {text}\n}}", self.name),
            PropertyForm::Formula => format!("ltl {} {{ {text} }}", self.name),
        }
    }

    /// The claim that accepts the runs on which the formula does not hold.
    ///
    /// # Errors
    /// When it is too large.
    pub fn claim(&self) -> Result<Claim, ClaimError> {
        let automaton = translate_to(&self.formula.negated(), Kind::Generalised).map_err(ClaimError::Translation)?;
        let atoms = self.atoms.iter().cloned().map(Question::Expression).collect();
        let claim = Claim::from_automaton(&self.name, &automaton, atoms)?;
        Ok(Claim { stutter_invariant: is_stutter_invariant(&self.formula).unwrap_or(false), ..claim })
    }

    /// Whether the formula holds on a run whose states have these values: first those of the prefix, then again and again
    /// those of the cycle. No automaton is asked.
    ///
    /// # Panics
    /// When the cycle is empty.
    #[must_use]
    pub fn holds_on(&self, prefix: &[u64], cycle: &[u64]) -> bool {
        assert!(!cycle.is_empty(), "a run goes on for ever");
        lasso::holds_by(&self.formula, prefix.len(), cycle.len(), |position, atom| {
            let letter = match position.checked_sub(prefix.len()) {
                None => prefix[position],
                Some(inside) => cycle[inside],
            };
            letter >> atom.index() & 1 == 1
        })
    }
}
