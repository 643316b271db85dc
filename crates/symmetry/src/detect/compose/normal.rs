//! Comparisons in normal form: `==`, `!=` and `<` only, with constants on the right.

use machine::expression::{BinaryOp, UnaryOp};
use machine::ground::{Term, TermId, Terms};

/// Writes all comparisons in normal form.
pub(super) fn normalise(terms: &mut Terms) {
    for id in terms.ids() {
        let Term::Binary(op, left, right) = *terms.get(id) else { continue };
        match op {
            BinaryOp::Less => less(terms, id, left, right, true),
            BinaryOp::Greater => less(terms, id, right, left, true),
            BinaryOp::LessEqual => less(terms, id, right, left, false),
            BinaryOp::GreaterEqual => less(terms, id, left, right, false),
            BinaryOp::Equal | BinaryOp::NotEqual if terms.constant(left).is_some() => {
                terms.replace(id, Term::Binary(op, right, left));
            }
            _ => {}
        }
    }
}

/// Writes a term as `left < right`, or as the negation of it.
fn less(terms: &mut Terms, id: TermId, left: TermId, right: TermId, holds: bool) {
    let span = terms.span(id);
    let next = terms.constant(left).and_then(|value| value.checked_add(1));
    let (left, right, holds) = match next.filter(|_| terms.constant(right).is_none()) {
        Some(next) => (right, terms.add(Term::Constant(next), span), !holds),
        None => (left, right, holds),
    };
    let comparison = Term::Binary(BinaryOp::Less, left, right);
    let term = if holds { comparison } else { Term::Unary(UnaryOp::Not, terms.add(comparison, span)) };
    terms.replace(id, term);
}

#[cfg(test)]
mod tests {
    use machine::expression::{BinaryOp, UnaryOp};
    use machine::ground::{CellId, Reference, Term, Terms};
    use promela::source::Span;

    use super::normalise;

    #[test]
    fn constants_are_on_the_right_of_less() {
        let mut terms = Terms::default();
        let x = terms.add(Term::Load(Reference::Cell(CellId(0))), Span::NOWHERE);
        let three = terms.add(Term::Constant(3), Span::NOWHERE);
        let greater = terms.add(Term::Binary(BinaryOp::Greater, x, three), Span::NOWHERE);
        let less = terms.add(Term::Binary(BinaryOp::Greater, three, x), Span::NOWHERE);
        normalise(&mut terms);
        assert_eq!(terms.get(less), &Term::Binary(BinaryOp::Less, x, three));
        let Term::Unary(UnaryOp::Not, inside) = *terms.get(greater) else { panic!("3 < x is !(x < 4)") };
        let Term::Binary(BinaryOp::Less, place, four) = *terms.get(inside) else { panic!("it is a comparison") };
        assert_eq!((place, terms.constant(four)), (x, Some(4)));
    }
}
