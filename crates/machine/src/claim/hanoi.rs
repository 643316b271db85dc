//! Claims from automata in the Hanoi format, as Spot and Owl write them: what they accept must never happen.
//!
//! The atomic propositions of such a file are Promela expressions. They are resolved with the model they speak about: the file is
//! read first, each of its propositions is read in the [scope](promela::Scope) of the model as a property of its own, and from
//! the lowered model comes what each of them says.

use automata::atom::AtomTable;
use automata::automaton::Automaton;
use automata::hoa;

use super::{Claim, ClaimError, Property, Question};

/// An automaton that was read, its propositions still text.
#[derive(Clone, Debug)]
pub struct HanoiClaim {
    automaton: Automaton,
    propositions: Vec<Proposition>,
    name: Option<String>,
    stutter_invariant: bool,
}

/// An atomic proposition: a Promela expression, and where in the file it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposition {
    /// The expression.
    pub text: String,
    /// The line, from 1.
    pub line: usize,
    /// The column of its first character, from 1.
    pub column: usize,
}

impl HanoiClaim {
    /// Reads the one automaton of a text.
    ///
    /// # Errors
    /// When the text is not in the format, or the acceptance condition is not one that can be converted.
    ///
    /// ```
    /// use machine::claim::HanoiClaim;
    /// let text = "HOA: v1 States: 1 Start: 0 AP: 1 \"x > 3\" Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 0 {0} --END--";
    /// let read = HanoiClaim::read(text).unwrap();
    /// let model = "byte x = 4; active proctype P() { skip }";
    /// let mut scope = promela::Scope::of(promela::load_text("m.pml", model, &promela::Options::default()));
    /// let file = scope.add_text("m.hoa", &*read.propositions()[0].text).unwrap();
    /// let proposition = scope.expression("p", file, 0..5).unwrap();
    /// let model = scope.with(vec![proposition]).model.expect("it is correct");
    /// let claim = read.claim("file", &machine::lower(&model).ltl).unwrap();
    /// assert_eq!(claim.states[0].edges.len(), 1);
    /// ```
    pub fn read(text: &str) -> Result<HanoiClaim, hoa::HoaError> {
        let mut atoms = AtomTable::default();
        let hoa = hoa::read(text, &mut atoms)?;
        let propositions = atoms.atoms().map(|atom| Proposition::found(atoms.name(atom).into_owned(), text)).collect();
        // The words of the header are promises of the tool that wrote the file.
        let stutter_invariant = hoa.properties.iter().any(|word| word == "stutter-invariant");
        Ok(HanoiClaim { automaton: hoa.automaton, propositions, name: hoa.name, stutter_invariant })
    }

    /// The propositions.
    #[must_use]
    pub fn propositions(&self) -> &[Proposition] {
        &self.propositions
    }

    /// What the file calls the automaton.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
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
        let claim = Claim::from_automaton(name, &self.automaton, atoms)?;
        Ok(Claim { stutter_invariant: self.stutter_invariant, ..claim })
    }
}

impl Proposition {
    /// Looks up where the text names a proposition. One that is written with escapes is taken to stand at the list's beginning.
    fn found(proposition: String, text: &str) -> Proposition {
        let list = text.find("AP:").unwrap_or(0);
        let quoted = text[list..].find(&format!("\"{proposition}\"")).map_or(list, |at| list + at + 1);
        let before = &text[..quoted];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        Proposition { text: proposition, line, column }
    }
}
