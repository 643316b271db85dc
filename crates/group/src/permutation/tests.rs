//! Meaning and laws of permutations; elements of order above two wherever a convention could be mistaken.

use proptest::prelude::{Strategy, any, prop_assert, prop_assert_eq, proptest};

use super::{Numbering, Permutation, PermutationError};
use crate::random::Random;

fn of(degree: usize, text: &str) -> Permutation {
    Permutation::parse(degree, text, Numbering::FromZero).expect("test permutations are well-formed")
}

fn any_permutation(degree: usize) -> impl Strategy<Value = Permutation> {
    any::<u64>().prop_map(move |seed| Permutation::random(degree, &mut Random::from_seed(seed)))
}

#[test]
fn products_are_read_from_left_to_right() {
    let a = of(4, "(0 1 2)");
    let b = of(4, "(1 2 3)");
    assert_eq!(a.then(&b), of(4, "(0 2)(1 3)"));
    assert_eq!(b.then(&a), of(4, "(0 1)(2 3)"));
    // GAP: (1,2,3)*(2,3,4) = (1,3)(2,4).
}

#[test]
fn contents_move_along_with_their_places() {
    assert_eq!(of(4, "(0 1 2)").permute(&["a", "b", "c", "d"]), ["c", "a", "b", "d"]);
}

#[test]
fn conjugation_renames_the_points_of_cycles() {
    // GAP: (1,2,3)^(3,4,5) = (1,2,4).
    assert_eq!(of(5, "(0 1 2)").conjugate_by(&of(5, "(2 3 4)")), of(5, "(0 1 3)"));
}

#[test]
fn cycle_form_is_read_and_written_in_both_numberings() {
    let a = Permutation::parse(6, " (1,3 2) (5, 6)", Numbering::FromOne).unwrap();
    assert_eq!(a.images(), [2, 0, 1, 3, 5, 4]);
    assert_eq!(a.to_string(), "(0 2 1)(4 5)");
    assert_eq!(a.cycle_form(Numbering::FromOne).to_string(), "(1 3 2)(5 6)");
    assert_eq!(Permutation::identity(3).to_string(), "()");
    assert_eq!(of(3, "()"), Permutation::identity(3));
}

#[test]
fn ill_formed_input_is_refused_with_its_reason() {
    let refused = |text| Permutation::parse(3, text, Numbering::FromOne).unwrap_err();
    assert_eq!(refused("(1 4)"), PermutationError::OutOfRange { point: 4, degree: 3 });
    assert_eq!(refused("(0 1)"), PermutationError::OutOfRange { point: 0, degree: 3 });
    assert_eq!(refused("(1 99999999999999999999999)"), PermutationError::OutOfRange { point: u64::MAX, degree: 3 });
    assert_eq!(refused("(1 2)(2 3)"), PermutationError::Repeated { point: 2 });
    assert_eq!(refused("(1 2"), PermutationError::Syntax { position: 4, expected: "')'" });
    assert_eq!(refused("1 2"), PermutationError::Syntax { position: 0, expected: "a cycle" });
    assert_eq!(refused("(1 x)").to_string(), "expected a point or ')' at byte 3");
    assert_eq!(Permutation::from_images([0, 2]), Err(PermutationError::OutOfRange { point: 2, degree: 2 }));
    assert_eq!(Permutation::from_images([1, 1]), Err(PermutationError::Repeated { point: 1 }));
}

#[test]
fn the_order_is_the_least_common_multiple_of_the_cycle_lengths() {
    assert_eq!(of(9, "(0 1 2 3)(4 5 6 7 8)").order(), 20u32.into());
    assert_eq!(of(10, "(0 1 2 3)(4 5 6 7 8 9)").order(), 12u32.into());
    assert_eq!(Permutation::identity(4).order(), 1u32.into());
}

proptest! {
    #[test]
    fn images_of_a_product_are_images_of_images(a in any_permutation(9), b in any_permutation(9)) {
        let product = a.then(&b);
        let mut in_place = a.clone();
        in_place.then_assign(&b);
        prop_assert_eq!(&product, &in_place);
        for point in 0..9 {
            prop_assert_eq!(product.image(point), b.image(a.image(point)));
            prop_assert_eq!(a.preimage(a.image(point)), point);
        }
        let values = [4, 7, 1, 1, 0, 2, 9, 9, 9];
        prop_assert_eq!(product.permute(&values), b.permute(&a.permute(&values)));
    }

    #[test]
    fn inverses_and_powers_agree_with_repeated_products(a in any_permutation(8), exponent in 0i64..40) {
        prop_assert!(a.then(&a.inverse()).is_identity());
        let repeated = (0..exponent).fold(Permutation::identity(8), |product, _| product.then(&a));
        prop_assert_eq!(a.power(exponent), repeated.clone());
        prop_assert_eq!(a.power(-exponent), repeated.inverse());
        prop_assert!(a.power(a.order().try_into().unwrap()).is_identity());
    }

    #[test]
    fn conjugation_is_a_product_of_three(a in any_permutation(8), b in any_permutation(8)) {
        prop_assert_eq!(a.conjugate_by(&b), b.inverse().then(&a).then(&b));
        prop_assert_eq!(a.then(&b).is_even(), a.is_even() == b.is_even());
    }

    #[test]
    fn reading_undoes_writing(a in any_permutation(12)) {
        prop_assert_eq!(&of(12, &a.to_string()), &a);
        let written = a.cycle_form(Numbering::FromOne).to_string();
        prop_assert_eq!(&Permutation::parse(12, &written, Numbering::FromOne).unwrap(), &a);
        prop_assert_eq!(&Permutation::from_images(a.images()).unwrap(), &a);
        prop_assert_eq!(a.cycles().concat().len(), a.support().len());
        prop_assert_eq!(a.first_moved(), a.support().first().copied());
        prop_assert_eq!(a.extended(15).support(), a.support());
    }
}
