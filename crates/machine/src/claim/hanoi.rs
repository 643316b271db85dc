//! Claims from automata in the Hanoi format, as Spot and Owl write them: what they accept must never happen.
//!
//! The atomic propositions of such a file are Promela expressions. They are resolved with the model they speak about: the file is
//! read first, each of its propositions goes into the model as an `ltl` block of its own, and from the lowered model comes
//! what each block says.

use automata::atom::AtomTable;
use automata::automaton::Automaton;
use automata::hoa;

use super::{Claim, ClaimError, Property, Question};

/// An automaton that was read, its propositions still text.
#[derive(Clone, Debug)]
pub struct HanoiClaim {
    automaton: Automaton,
    propositions: Vec<String>,
}

impl HanoiClaim {
    /// Reads the first automaton of a text.
    ///
    /// # Errors
    /// When the text is not in the format, or the acceptance condition is not one that can be converted.
    ///
    /// ```
    /// use machine::claim::HanoiClaim;
    /// let text = "HOA: v1 States: 1 Start: 0 AP: 1 \"x > 3\" Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 0 {0} --END--";
    /// let read = HanoiClaim::read(text).unwrap();
    /// let model = format!("byte x = 4; active proctype P() {{ skip }} {}", read.blocks("never_"));
    /// let model = promela::load_text("m.pml", &model, &promela::Options::default()).model.expect("it is correct");
    /// let claim = read.claim("file", &machine::lower(&model).ltl).unwrap();
    /// assert_eq!(claim.states[0].edges.len(), 1);
    /// ```
    pub fn read(text: &str) -> Result<HanoiClaim, hoa::HoaError> {
        let mut atoms = AtomTable::default();
        let automaton = hoa::read(text, &mut atoms)?.automaton;
        let propositions = atoms.atoms().map(|atom| atoms.name(atom).into_owned()).collect();
        Ok(HanoiClaim { automaton, propositions })
    }

    /// The propositions, as they are written.
    #[must_use]
    pub fn propositions(&self) -> &[String] {
        &self.propositions
    }

    /// Promela text that states each proposition in an `ltl` block, whose names begin with `prefix`.
    #[must_use]
    pub fn blocks(&self, prefix: &str) -> String {
        let block = |(number, text): (usize, &String)| format!("ltl {prefix}{number} {{ ({text}) }}\n");
        self.propositions.iter().enumerate().map(block).collect()
    }

    /// The claim, when each proposition is what the property of the same place says.
    ///
    /// # Errors
    /// When it is too large, or a proposition is missing or temporal.
    pub fn claim(&self, name: &str, propositions: &[Property]) -> Result<Claim, ClaimError> {
        let atoms: Vec<Question> =
            propositions.iter().filter_map(|property| property.proposition.clone()).map(Question::Expression).collect();
        if atoms.len() != self.propositions.len() {
            return Err(ClaimError::NotAProposition);
        }
        Claim::from_automaton(name, &self.automaton, atoms)
    }
}
