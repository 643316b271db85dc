//! Label expressions of the HOA format, and the guards they stand for.
//!
//! Propositions are known by their place in the `AP:` item, aliases by name. Edges without labels have the letters in
//! binary order as guards.

use rustc_hash::FxHashMap;

use crate::atom::AtomId;
use crate::automaton::{Automaton, Guard};
use crate::hoa::lexer::{HoaError, Place};

/// More propositions than this cannot have implicit labels.
const MAX_IMPLICIT: usize = 20;

/// A label expression.
#[derive(Clone)]
pub(super) enum Label {
    Constant(bool),
    Proposition(u32, Place),
    Alias(String, Place),
    Not(Box<Label>),
    And(Vec<Label>),
    Or(Vec<Label>),
}

/// Turns labels into guards.
pub(super) struct GuardBuilder<'a> {
    propositions: &'a [AtomId],
    aliases: FxHashMap<String, Guard>,
}

impl<'a> GuardBuilder<'a> {
    /// For labels over these propositions, by number.
    pub fn new(propositions: &'a [AtomId]) -> GuardBuilder<'a> {
        GuardBuilder { propositions, aliases: FxHashMap::default() }
    }

    /// Gives a guard a name that later labels can use.
    pub fn define(&mut self, name: &str, guard: Guard) {
        self.aliases.insert(name.to_owned(), guard);
    }

    /// The guard of a label.
    pub fn guard(&self, label: &Label, automaton: &mut Automaton) -> Result<Guard, HoaError> {
        Ok(match label {
            Label::Constant(true) => Guard::TRUE,
            Label::Constant(false) => Guard::FALSE,
            Label::Proposition(index, place) => match self.literal(*index as usize, true, automaton) {
                Some(guard) => guard,
                None => return Err(place.error(format!("there are only {} propositions", self.propositions.len()))),
            },
            Label::Alias(name, place) => match self.aliases.get(name) {
                Some(&guard) => guard,
                None => return Err(place.error(format!("no alias `@{name}` was defined before"))),
            },
            Label::Not(inner) => {
                let inner = self.guard(inner, automaton)?;
                automaton.complement(inner)
            }
            Label::And(parts) => parts.iter().try_fold(Guard::TRUE, |all, part| {
                let guard = self.guard(part, automaton)?;
                Ok(automaton.both(all, guard))
            })?,
            Label::Or(parts) => parts.iter().try_fold(Guard::FALSE, |any, part| {
                let guard = self.guard(part, automaton)?;
                Ok(automaton.either(any, guard))
            })?,
        })
    }

    /// The guard of an implicit label: the letter whose bits are the index; `None` beyond the last letter.
    pub fn letter(&self, index: usize, automaton: &mut Automaton) -> Option<Guard> {
        let count = self.propositions.len();
        if count > MAX_IMPLICIT || index >> count != 0 {
            return None;
        }
        let mut guard = Guard::TRUE;
        for bit in 0..count {
            let literal = self.literal(bit, index >> bit & 1 == 1, automaton)?;
            guard = automaton.both(guard, literal);
        }
        Some(guard)
    }

    fn literal(&self, index: usize, value: bool, automaton: &mut Automaton) -> Option<Guard> {
        automaton.literal(*self.propositions.get(index)?, value)
    }
}
