//! Formulas that hold because their premise never happens: `[] (p -> <> q)` says nothing of a model in which `p` is never true.
//!
//! The claim of such a formula is the automaton of `<> (p && [] !q)`. Every finite word begins one that it accepts, unless it accepts none at all, so that a
//! complete search meets every reachable state together with some state of the claim, and sees there which atoms hold. This is so for formulas
//! `[] f` and conjunctions of them, and only these are looked at. Reductions keep whether `[] !p` holds, since they keep formulas over the same atoms.

use automata::formula::{Formula, Operator};
use machine::claim::{Claim, Property};

/// The premises of a formula that holds that were never true, as they are written; `held` has a byte for each atom.
pub(super) fn never_true(property: &Property, claim: &Claim, held: &[u8]) -> Vec<String> {
    let accepts_nothing = claim.state(claim.initial).edges.is_empty();
    let Some(premises) = premises(&property.formula).filter(|_| !accepts_nothing) else { return Vec::new() };
    let has_held = |atom: usize| held.get(atom).is_some_and(|held| *held != 0);
    let never: Vec<&Formula> = premises.into_iter().filter(|premise| !may_hold(premise, &has_held)).collect();
    never.into_iter().map(|premise| written(premise, property)).collect()
}

/// The premises of the implications that a formula says of all states; `None` if it says anything else.
fn premises(formula: &Formula) -> Option<Vec<&Formula>> {
    match formula.operator() {
        Operator::Always(inner) => Some(implied(inner)),
        Operator::And(parts) => Some(parts.iter().map(premises).collect::<Option<Vec<_>>>()?.concat()),
        _ => None,
    }
}

fn implied(formula: &Formula) -> Vec<&Formula> {
    match formula.operator() {
        Operator::Implies(premise, _) if is_boolean(premise) => vec![premise],
        Operator::And(parts) => parts.iter().flat_map(implied).collect(),
        _ => Vec::new(),
    }
}

fn is_boolean(formula: &Formula) -> bool {
    match formula.operator() {
        Operator::True | Operator::False | Operator::Atom(_) => true,
        Operator::Not(inner) => is_boolean(inner),
        Operator::And(parts) | Operator::Or(parts) => parts.iter().all(is_boolean),
        _ => false,
    }
}

/// Whether a proposition may have been true, if each atom was true only where it `has_held`.
fn may_hold(formula: &Formula, has_held: &impl Fn(usize) -> bool) -> bool {
    match formula.operator() {
        Operator::False => false,
        Operator::Atom(atom) => has_held(atom.index()),
        Operator::And(parts) => parts.iter().all(|part| may_hold(part, has_held)),
        Operator::Or(parts) => parts.iter().any(|part| may_hold(part, has_held)),
        _ => true,
    }
}

fn written(formula: &Formula, property: &Property) -> String {
    let joined = |parts: &[Formula], sign: &str| {
        let parts: Vec<String> = parts.iter().map(|part| written(part, property)).collect();
        format!("({})", parts.join(sign))
    };
    match formula.operator() {
        Operator::Atom(atom) => property.atoms[atom.index()].text.to_string(),
        Operator::Not(inner) => format!("!{}", written(inner, property)),
        Operator::And(parts) => joined(parts, " && "),
        Operator::Or(parts) => joined(parts, " || "),
        Operator::True => "true".to_string(),
        _ => "false".to_string(),
    }
}
