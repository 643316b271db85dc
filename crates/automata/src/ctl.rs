//! Computation tree logic: formulas about the tree of runs, not about each run by itself.
//!
//! ```text
//!  text ── parse ──▶ Ctl ── evaluate ──▶ the states of a graph in which each part holds ── explain ──▶ Evidence
//! ```
//! `A` speaks about all infinite runs from a state, `E` about some, of a [`Graph`](crate::graph::Graph): all its fair ones. Every operator
//! comes down to three shapes that one run shows: a next state, a path to a state, a run that stays among states for ever. `A` holds
//! when no run shows the contrary.

mod evaluate;
mod evidence;
mod parse;

use std::fmt;

pub use self::evaluate::Evaluation;
pub use self::evidence::{Evidence, Reason};
pub use self::parse::{CtlError, Proposition, parse};

/// For all runs, or for some.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    /// `A`
    All,
    /// `E`
    Some,
}

/// A part of a formula, by number: operands come before operators.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Part(pub u32);

impl Part {
    /// The number as an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a part of a formula says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operator {
    /// Always true, or never.
    Constant(bool),
    /// A proposition, by its number.
    Atom(u32),
    /// `!f`
    Not(Part),
    /// `f && g`
    And(Part, Part),
    /// `f || g`
    Or(Part, Part),
    /// `f -> g`
    Implies(Part, Part),
    /// `f <-> g`
    Equivalent(Part, Part),
    /// `AX f`, `EX f`: in the next state
    Next(Quantifier, Part),
    /// `AF f`, `EF f`: now or later
    Finally(Quantifier, Part),
    /// `AG f`, `EG f`: now and always
    Globally(Quantifier, Part),
    /// `A[f U g]`, `E[f U g]`: later `g`, and `f` until then
    Until(Quantifier, Part, Part),
    /// `A[f W g]`, `E[f W g]`: the same, or `f` for ever
    WeakUntil(Quantifier, Part, Part),
    /// `A[f R g]`, `E[f R g]`: `g` until and in the state where `f` holds, or for ever
    Release(Quantifier, Part, Part),
}

/// A formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ctl {
    /// Its parts; the last one is the formula itself.
    parts: Vec<Operator>,
    /// The texts of its propositions.
    pub propositions: Vec<Proposition>,
}

impl Ctl {
    /// The formula itself.
    #[must_use]
    pub fn root(&self) -> Part {
        Part(self.parts.len() as u32 - 1)
    }

    /// What a part says.
    #[must_use]
    pub fn operator(&self, part: Part) -> Operator {
        self.parts[part.index()]
    }

    /// All parts, operands first.
    pub fn parts(&self) -> impl ExactSizeIterator<Item = Part> {
        (0..self.parts.len() as u32).map(Part)
    }

    /// The largest parts without temporal operators: what the formula says about single states.
    pub fn statements(&self) -> impl Iterator<Item = Part> {
        let mut inside = vec![false; self.parts.len()];
        for part in self.parts().filter(|&part| !self.is_temporal(part)) {
            match self.operator(part) {
                Operator::Not(inner) => inside[inner.index()] = true,
                Operator::And(left, right)
                | Operator::Or(left, right)
                | Operator::Implies(left, right)
                | Operator::Equivalent(left, right) => {
                    inside[left.index()] = true;
                    inside[right.index()] = true;
                }
                _ => {}
            }
        }
        self.parts().filter(move |part| !inside[part.index()] && !self.is_temporal(*part))
    }

    /// The value of a part without temporal operators where some propositions have none, if it follows from the others.
    pub fn value(&self, part: Part, of: &impl Fn(u32) -> Option<bool>) -> Option<bool> {
        let value = |part: Part| self.value(part, of);
        let either = |left: Option<bool>, right: Option<bool>| match (left, right) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        };
        let not = |value: Option<bool>| value.map(|value| !value);
        match self.operator(part) {
            Operator::Constant(value) => Some(value),
            Operator::Atom(atom) => of(atom),
            Operator::Not(inner) => not(value(inner)),
            Operator::And(left, right) => not(either(not(value(left)), not(value(right)))),
            Operator::Or(left, right) => either(value(left), value(right)),
            Operator::Implies(left, right) => either(not(value(left)), value(right)),
            Operator::Equivalent(left, right) => Some(value(left)? == value(right)?),
            _ => None,
        }
    }

    /// Whether a part has temporal operators.
    #[must_use]
    pub fn is_temporal(&self, part: Part) -> bool {
        match self.operator(part) {
            Operator::Constant(_) | Operator::Atom(_) => false,
            Operator::Not(inner) => self.is_temporal(inner),
            Operator::And(left, right)
            | Operator::Or(left, right)
            | Operator::Implies(left, right)
            | Operator::Equivalent(left, right) => self.is_temporal(left) || self.is_temporal(right),
            _ => true,
        }
    }

    /// The text of a part.
    #[must_use]
    pub fn text(&self, part: Part) -> Text<'_> {
        Text { formula: self, part }
    }
}

/// A part of a formula as text.
#[derive(Clone, Copy, Debug)]
pub struct Text<'f> {
    formula: &'f Ctl,
    part: Part,
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |part| Text { formula: self.formula, part };
        // What does not hold together by itself is put into parentheses.
        let inner = |part: Part| match self.formula.operator(part) {
            Operator::Constant(_) | Operator::Not(_) | Operator::Next(..) => text(part).to_string(),
            Operator::Finally(..) | Operator::Globally(..) => text(part).to_string(),
            Operator::Until(..) | Operator::WeakUntil(..) | Operator::Release(..) => text(part).to_string(),
            Operator::Atom(atom) if is_simple(&self.formula.propositions[atom as usize].text) => text(part).to_string(),
            _ => format!("({})", text(part)),
        };
        let letter = |quantifier| match quantifier {
            Quantifier::All => 'A',
            Quantifier::Some => 'E',
        };
        match self.formula.operator(self.part) {
            Operator::Constant(value) => write!(f, "{value}"),
            Operator::Atom(atom) => f.write_str(&self.formula.propositions[atom as usize].text),
            Operator::Not(part) => write!(f, "!{}", inner(part)),
            Operator::And(left, right) => write!(f, "{} && {}", inner(left), inner(right)),
            Operator::Or(left, right) => write!(f, "{} || {}", inner(left), inner(right)),
            Operator::Implies(left, right) => write!(f, "{} -> {}", inner(left), inner(right)),
            Operator::Equivalent(left, right) => write!(f, "{} <-> {}", inner(left), inner(right)),
            Operator::Next(quantifier, part) => write!(f, "{}X {}", letter(quantifier), inner(part)),
            Operator::Finally(quantifier, part) => write!(f, "{}F {}", letter(quantifier), inner(part)),
            Operator::Globally(quantifier, part) => write!(f, "{}G {}", letter(quantifier), inner(part)),
            Operator::Until(quantifier, left, right) => {
                write!(f, "{}[{} U {}]", letter(quantifier), text(left), text(right))
            }
            Operator::WeakUntil(quantifier, left, right) => {
                write!(f, "{}[{} W {}]", letter(quantifier), text(left), text(right))
            }
            Operator::Release(quantifier, left, right) => {
                write!(f, "{}[{} R {}]", letter(quantifier), text(left), text(right))
            }
        }
    }
}

/// Whether an expression needs no parentheses: a name, a number, or something in parentheses already.
fn is_simple(text: &str) -> bool {
    let is_word = text.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    let enclosed = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    is_word || enclosed.is_some_and(|inside| !inside.contains(['(', ')']))
}
