//! Acceptance conditions of the HOA format, and their conversion to generalised Büchi.
//!
//! Without `Fin`, a condition is a monotone combination of `Inf`, and a conjunction of disjunctions of `Inf` is
//! generalised Büchi with one set for each disjunction. With `Fin`, a disjunction of conjunctions says: for one
//! disjunct, from some point on none of its `Fin` sets is visited, and each of its `Inf` sets is visited for ever. So a
//! run guesses the point and the disjunct, and moves to a copy of the automaton that lacks the edges of the `Fin` sets.

use crate::automaton::{Automaton, Guard, Marks, StateId};

/// A set of edges, or the edges outside a set.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct SetLiteral {
    pub set: u32,
    pub complemented: bool,
}

impl SetLiteral {
    fn contains(self, marks: Marks) -> bool {
        marks.contains(self.set) != self.complemented
    }
}

/// An acceptance condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Condition {
    Constant(bool),
    /// Visited infinitely often.
    Inf(SetLiteral),
    /// Visited finitely often.
    Fin(SetLiteral),
    And(Vec<Condition>),
    Or(Vec<Condition>),
}

/// An edge as read: source, guard, marks of the file's sets, target.
pub(super) type RawEdge = (StateId, Guard, Marks, StateId);

/// Larger normal forms than this are refused.
const MAX_CLAUSES: usize = 256;

/// More states than this in all copies together are refused.
const MAX_COPIED_STATES: usize = 1 << 22;

/// Gives the automaton these edges, with acceptance sets that say what the condition says of the file's sets.
///
/// `Err` if the condition's normal form is too large.
pub(super) fn apply(condition: &Condition, automaton: &mut Automaton, edges: &[RawEdge]) -> Result<(), String> {
    let too_large = "the acceptance condition is too complex to be written as generalised Büchi";
    if has_fin(condition) {
        let disjuncts = normal_form(condition, Form::Disjunctive).ok_or(too_large)?;
        return in_copies(&disjuncts, automaton, edges).ok_or_else(|| too_large.to_owned());
    }
    let clauses = normal_form(condition, Form::Conjunctive).ok_or(too_large)?;
    if clauses.len() > Marks::LIMIT as usize {
        return Err(too_large.to_owned());
    }
    automaton.acceptance_sets = clauses.len() as u32;
    for &(source, guard, marks, target) in edges {
        let satisfied =
            clauses.iter().enumerate().filter(|(_, clause)| clause.iter().any(|part| part.literal().contains(marks)));
        let new_marks = satisfied.map(|(index, _)| index as u32).collect();
        automaton.add_edge(source, guard, new_marks, target);
    }
    Ok(())
}

/// An `Inf` or `Fin` of a normal form.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Part {
    Inf(SetLiteral),
    Fin(SetLiteral),
}

impl Part {
    fn literal(self) -> SetLiteral {
        match self {
            Part::Inf(literal) | Part::Fin(literal) => literal,
        }
    }
}

fn has_fin(condition: &Condition) -> bool {
    match condition {
        Condition::Constant(_) | Condition::Inf(_) => false,
        Condition::Fin(_) => true,
        Condition::And(parts) | Condition::Or(parts) => parts.iter().any(has_fin),
    }
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Form {
    Conjunctive,
    Disjunctive,
}

/// The clauses of a normal form, none containing another; `None` if there are too many.
fn normal_form(condition: &Condition, form: Form) -> Option<Vec<Vec<Part>>> {
    let (parts, joins) = match condition {
        // The neutral constant has no clause, the other one an empty clause.
        Condition::Constant(value) if *value == (form == Form::Conjunctive) => return Some(Vec::new()),
        Condition::Constant(_) => return Some(vec![Vec::new()]),
        Condition::Inf(literal) => return Some(vec![vec![Part::Inf(*literal)]]),
        Condition::Fin(literal) => return Some(vec![vec![Part::Fin(*literal)]]),
        Condition::And(parts) => (parts, form == Form::Conjunctive),
        Condition::Or(parts) => (parts, form == Form::Disjunctive),
    };
    let mut clauses: Option<Vec<Vec<Part>>> = None;
    for part in parts {
        let more = normal_form(part, form)?;
        clauses = Some(match clauses {
            None => more,
            Some(clauses) if joins => minimal(clauses.into_iter().chain(more)),
            Some(clauses) => {
                let pairs = clauses.iter().flat_map(|one| more.iter().map(move |other| (one, other)));
                minimal(pairs.map(|(one, other)| {
                    let new = other.iter().filter(|part| !one.contains(part));
                    one.iter().chain(new).copied().collect()
                }))
            }
        });
        if clauses.as_ref().is_some_and(|clauses| clauses.len() > MAX_CLAUSES) {
            return None;
        }
    }
    clauses
}

/// The clauses that contain no other.
fn minimal(clauses: impl Iterator<Item = Vec<Part>>) -> Vec<Vec<Part>> {
    let within = |small: &[Part], large: &[Part]| small.iter().all(|part| large.contains(part));
    let mut minimal: Vec<Vec<Part>> = Vec::new();
    for clause in clauses {
        if !minimal.iter().any(|other| within(other, &clause)) {
            minimal.retain(|other| !within(&clause, other));
            minimal.push(clause);
        }
    }
    minimal
}

/// The automaton, unmarked, and for each disjunct a copy to which runs can move and from which they cannot return.
fn in_copies(disjuncts: &[Vec<Part>], automaton: &mut Automaton, edges: &[RawEdge]) -> Option<()> {
    let count = automaton.state_count();
    let infinite = |disjunct: &[Part]| -> Vec<SetLiteral> {
        disjunct
            .iter()
            .filter_map(|part| match part {
                Part::Inf(literal) => Some(*literal),
                Part::Fin(_) => None,
            })
            .collect()
    };
    // At least one set, which runs that never move to a copy miss.
    let sets = disjuncts.iter().map(|disjunct| infinite(disjunct).len()).max().unwrap_or(0).max(1) as u32;
    if sets > Marks::LIMIT || count.checked_mul(disjuncts.len() + 1)? > MAX_COPIED_STATES {
        return None;
    }
    automaton.acceptance_sets = sets;
    for _ in 0..count * disjuncts.len() {
        automaton.add_state();
    }
    for &(source, guard, marks, target) in edges {
        automaton.add_edge(source, guard, Marks::NONE, target);
        for (index, disjunct) in disjuncts.iter().enumerate() {
            let offset = ((index + 1) * count) as u32;
            let in_copy = StateId(target.0 + offset);
            automaton.add_edge(source, guard, Marks::NONE, in_copy);
            let forbidden = |part: &Part| matches!(part, Part::Fin(literal) if literal.contains(marks));
            if !disjunct.iter().any(forbidden) {
                let wanted = infinite(disjunct);
                let seen = wanted.iter().enumerate().filter(|(_, literal)| literal.contains(marks));
                let seen: Marks = seen.map(|(set, _)| set as u32).collect();
                let unused = Marks::all(sets).without(Marks::all(wanted.len() as u32));
                automaton.add_edge(StateId(source.0 + offset), guard, seen.union(unused), in_copy);
            }
        }
    }
    Some(())
}
