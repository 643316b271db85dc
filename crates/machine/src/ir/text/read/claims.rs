//! Formulas of linear temporal logic, and automata that were added to a model.

use automata::atom::AtomId;
use automata::formula::{Formula, Operator};
use promela::model::PropertyForm;

use super::{Problem, Reader, Reading};
use crate::claim::{
    AtRest, Atom, Claim, ClaimEdge, ClaimEnd, ClaimState, ClaimStateId, Cube, MOST_ATOMS, Property, Question,
};
use crate::id::ActionId;
use crate::text::words::AT_REST;

impl Reader<'_> {
    /// A property, behind the word `ltl`.
    pub fn ltl(&mut self, start: usize) -> Reading<Property> {
        let name = self.name()?;
        self.part(format!("ltl {name}"), start);
        let form = if self.accepts_word("outside") { PropertyForm::Formula } else { PropertyForm::Block };
        let span = self.since(start);
        let (mut atoms, mut proposition, mut formula) = (Vec::new(), None, None);
        self.block(|reader| {
            if reader.accepts_word("ask") {
                reader.next_id("p", atoms.len())?;
                atoms.push(reader.atom()?);
            } else if reader.accepts_word("proposition") {
                proposition = Some(reader.atom()?);
            } else {
                reader.word("holds")?;
                formula = Some(reader.formula()?);
            }
            Ok(())
        })?;
        let formula = formula.ok_or_else(|| Problem::new(start, "this property has no formula"))?;
        Ok(Property { name, formula, atoms, proposition, form, span })
    }

    /// An expression with its text. Without a text of its own it is shown as it is written.
    fn atom(&mut self) -> Reading<Atom> {
        let start = self.here();
        let expression = self.expr()?;
        let written = self.text_since(start);
        Ok(Atom { expression, text: if self.is_quoted() { self.quoted()? } else { written } })
    }

    fn formula(&mut self) -> Reading<Formula> {
        if self.accepts_word("true") {
            return Ok(Formula::truth());
        }
        if self.accepts_word("false") {
            return Ok(Formula::falsehood());
        }
        if self.peek_id("p").is_some() {
            return self.id("p").map(|atom| Formula::atom(AtomId(atom)));
        }
        self.nested(|reader| {
            reader.sign("(")?;
            let formula = reader.inner_formula()?;
            reader.sign(")")?;
            Ok(formula)
        })
    }

    /// What stands in parentheses.
    fn inner_formula(&mut self) -> Reading<Formula> {
        type Prefix = (&'static str, fn(Formula) -> Formula);
        type Infix = (&'static str, fn(Formula, Formula) -> Formula);
        const PREFIXES: [Prefix; 3] = [("X", Formula::next), ("F", Formula::eventually), ("G", Formula::always)];
        const INFIXES: [Infix; 4] = [
            ("U", Formula::until),
            ("R", Formula::release),
            ("W", Formula::weak_until),
            ("M", Formula::strong_release),
        ];
        if self.accepts("!") {
            return self.formula().map(Formula::negation);
        }
        for (word, make) in PREFIXES {
            if self.accepts_word(word) {
                return self.formula().map(make);
            }
        }
        let left = self.formula()?;
        for (word, make) in INFIXES {
            if self.accepts_word(word) {
                return Ok(make(left, self.formula()?));
            }
        }
        match self.any_sign() {
            Some(sign @ ("&&" | "||")) => {
                let mut parts = vec![left];
                while self.accepts(sign) {
                    parts.push(self.formula()?);
                }
                Ok(Formula::new(if sign == "&&" { Operator::And(parts) } else { Operator::Or(parts) }))
            }
            Some("->") => {
                self.sign("->")?;
                Ok(Formula::implies(left, self.formula()?))
            }
            Some("<->") => {
                self.sign("<->")?;
                Ok(Formula::equivalent(left, self.formula()?))
            }
            _ => Ok(left),
        }
    }

    /// An automaton, behind the word `automaton`.
    pub fn claim(&mut self, start: usize) -> Reading<Claim> {
        let name = self.name()?;
        self.part(format!("automaton {name}"), start);
        self.word("initial")?;
        let initial = self.claim_state()?;
        self.word("sets")?;
        let acceptance_sets = self.number()?;
        let mut claim = Claim {
            name,
            atoms: Vec::new(),
            states: Vec::new(),
            initial,
            acceptance_sets,
            at_rest: self.at_rest()?,
            stutter_invariant: self.accepts_word("stutter_invariant"),
        };
        self.block(|reader| reader.claim_line(&mut claim))?;
        Ok(claim)
    }

    fn at_rest(&mut self) -> Reading<AtRest> {
        let start = self.here();
        let word = self.any_word("what a system at rest does")?;
        let known = AT_REST.into_iter().find(|(name, _)| *name == word);
        let unknown = || Problem::new(start, format!("`{word}` is none of stutters, stutters_stuck and ends"));
        known.map(|(_, at_rest)| at_rest).ok_or_else(unknown)
    }

    fn claim_line(&mut self, claim: &mut Claim) -> Reading<()> {
        if self.accepts_word("ask") {
            self.next_id("p", claim.atoms.len())?;
            let question = match self.accepts_word("accepting") {
                true => Question::Accepting,
                false => Question::Expression(self.atom()?),
            };
            claim.atoms.push(question);
            return Ok(());
        }
        let start = self.here();
        if self.accepts_word("state") {
            self.numbered("state", claim.states.len())?;
            self.part(format!("automaton {} in state {}", claim.name, claim.states.len()), start);
            let end = self.claim_end()?;
            claim.states.push(ClaimState { edges: Vec::new(), end, span: Some(self.since(start)) });
            return Ok(());
        }
        let edge = self.claim_edge()?;
        match claim.states.last_mut() {
            Some(state) => state.edges.push(edge),
            None => return Err(Problem::new(start, "an edge stands behind its state")),
        }
        Ok(())
    }

    fn claim_end(&mut self) -> Reading<Option<ClaimEnd>> {
        if self.accepts_word("completed") {
            return Ok(Some(ClaimEnd::Completed));
        }
        if self.accepts_word("unanswered") {
            return Ok(Some(ClaimEnd::Unanswered));
        }
        if self.accepts_word("failed") {
            return Ok(Some(ClaimEnd::Assertion(ActionId(self.id("a")?))));
        }
        Ok(None)
    }

    /// `p0 & !p1 | p2 -> 1 in 0`
    fn claim_edge(&mut self) -> Reading<ClaimEdge> {
        let mut guard = Vec::new();
        if !self.accepts_word("false") {
            guard.push(self.cube()?);
            while self.accepts("|") {
                guard.push(self.cube()?);
            }
        }
        self.sign("->")?;
        let target = self.claim_state()?;
        let mut marks = 0;
        if self.accepts_word("in") {
            for set in self.list(|reader| reader.bit(|reader| reader.number()))? {
                marks |= set;
            }
        }
        Ok(ClaimEdge { guard, marks, target })
    }

    fn cube(&mut self) -> Reading<Cube> {
        let mut cube = Cube::default();
        if self.accepts_word("true") {
            return Ok(cube);
        }
        loop {
            let word = if self.accepts("!") { &mut cube.excluded } else { &mut cube.required };
            *word |= self.bit(|reader| reader.id("p"))?;
            if !self.accepts("&") {
                return Ok(cube);
            }
        }
    }

    /// The bit with a number.
    fn bit(&mut self, number: impl FnOnce(&mut Self) -> Reading<u32>) -> Reading<u64> {
        let start = self.here();
        let number = number(self)?;
        match (number as usize) < MOST_ATOMS {
            true => Ok(1 << number),
            false => Err(Problem::new(start, format!("this number is not below {MOST_ATOMS}"))),
        }
    }

    fn claim_state(&mut self) -> Reading<ClaimStateId> {
        let start = self.here();
        let number = u16::try_from(self.number()?);
        number.map(ClaimStateId).map_err(|_| Problem::new(start, "an automaton has at most 65536 states"))
    }
}
