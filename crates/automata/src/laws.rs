//! Tests of the inner steps on random automata, which reach corners that automata of formulas do not.
//!
//! Each step must keep the language, checked by membership of random words; fast algorithms are compared with naive
//! twins that enumerate letters and pairs.

use proptest::prelude::{ProptestConfig, Strategy, any, prop_assert, prop_assert_eq, proptest};

use crate::atom::AtomId;
use crate::automaton::{Automaton, Guard, Marks, StateId};
use crate::bisimulation::merge_bisimilar;
use crate::components::Components;
use crate::degeneralise::{LookAhead, Orders, Placement, degeneralise};
use crate::emptiness::{is_empty, witness};
use crate::formula::Formula;
use crate::lasso::{Lasso, Valuation, holds};
use crate::obligation::WeakDeterministic;
use crate::product::{accepts, intersection};
use crate::prune::{Transient, mark_transient, prune, prune_states};
use crate::reduce::{Kind, reduce, to_kind};
use crate::simulation::{Acceptance, backward, forward};
use crate::suspension::suspended_intersection;
use crate::translate::translate;

const ATOMS: u32 = 2;

/// `ISOSPIN_AUTOMATA_CASES` makes a thorough run, here as in the tests of the public interface.
fn config(default: u32) -> ProptestConfig {
    let wanted = std::env::var("ISOSPIN_AUTOMATA_CASES").ok().and_then(|text| text.parse().ok());
    ProptestConfig { cases: wanted.unwrap_or(default), failure_persistence: None, ..ProptestConfig::default() }
}

/// A guard by its truth table over two atoms.
fn guard(automaton: &mut Automaton, table: u8) -> Guard {
    let mut sum = Guard::FALSE;
    for row in (0..4u32).filter(|row| table >> row & 1 == 1) {
        let mut product = Guard::TRUE;
        for atom in 0..ATOMS {
            let literal = automaton.literal(AtomId(atom), row >> atom & 1 == 1).expect("an atom of the automaton");
            product = automaton.both(product, literal);
        }
        sum = automaton.either(sum, product);
    }
    sum
}

/// Up to six states and two acceptance sets.
fn automata() -> impl Strategy<Value = Automaton> {
    let edge = (0u32..6, 1u8..16, 0u32..4, 0u32..6);
    (1u32..6, 0u32..3, proptest::collection::vec(edge, 0..14)).prop_map(|(states, sets, edges)| {
        let mut automaton = Automaton::new((0..ATOMS).map(AtomId).collect(), sets);
        for _ in 1..states {
            automaton.add_state();
        }
        for (source, table, marks, target) in edges {
            let guard = guard(&mut automaton, table);
            let marks: Marks = (0..sets).filter(|set| marks >> set & 1 == 1).collect();
            automaton.add_edge(StateId(source % states), guard, marks, StateId(target % states));
        }
        automaton
    })
}

fn on_states() -> impl Strategy<Value = Automaton> {
    automata().prop_map(|automaton| degeneralise(&automaton, Placement::States, &Orders::default()))
}

fn words() -> impl Strategy<Value = Vec<Lasso>> {
    let letter = (0u32..4).prop_map(|bits| (0..ATOMS).filter(|atom| bits >> atom & 1 == 1).map(AtomId).collect());
    let letter = letter.prop_map(|valuation: Valuation| valuation);
    let prefix = proptest::collection::vec(letter.clone(), 0..4);
    let word = (prefix, proptest::collection::vec(letter, 1..4)).prop_map(|(prefix, cycle)| Lasso { prefix, cycle });
    proptest::collection::vec(word, 30)
}

/// Do the two automata agree on all the words?
fn agree(one: &Automaton, other: &Automaton, words: &[Lasso]) -> bool {
    words.iter().all(|word| accepts(one, word) == accepts(other, word))
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn every_step_keeps_the_language(automaton in automata(), words in words()) {
        let steps = [
            ("prune", prune(&automaton)),
            ("marked", mark_transient(&automaton, Transient::Marked)),
            ("unmarked", mark_transient(&automaton, Transient::Unmarked)),
            ("bisimulation", merge_bisimilar(&automaton)),
            ("forward", forward(&automaton)),
            ("backward", backward(&automaton, Acceptance::Edges)),
            ("reduce", reduce(&automaton)),
            ("buchi on edges", to_kind(&automaton, Kind::BuchiEdges)),
            ("buchi on states", to_kind(&automaton, Kind::BuchiStates)),
        ];
        for (name, result) in steps {
            prop_assert!(agree(&automaton, &result, &words), "{} gives {:?}", name, result);
        }
    }

    #[test]
    fn steps_for_acceptance_on_states_keep_the_language_and_the_place(automaton in on_states(), words in words()) {
        let steps = [
            ("prune, marked", prune_states(&automaton, Transient::Marked)),
            ("prune, unmarked", prune_states(&automaton, Transient::Unmarked)),
            ("forward", forward(&automaton)),
            ("backward", backward(&automaton, Acceptance::States)),
        ];
        for (name, result) in steps {
            prop_assert!(result.has_state_acceptance(), "{}", name);
            prop_assert!(agree(&automaton, &result, &words), "{} gives {:?}", name, result);
        }
    }

    #[test]
    fn degeneralisation_keeps_the_language_for_every_order(
        automaton in automata(),
        words in words(),
        rotation in 0u32..3,
        reversed in any::<bool>(),
    ) {
        for look_ahead in [LookAhead::Common, LookAhead::Off] {
            for placement in [Placement::Edges, Placement::States] {
                let result = degeneralise(&automaton, placement, &Orders { rotation, reversed, look_ahead });
                prop_assert_eq!(result.acceptance_sets(), 1);
                prop_assert!(placement == Placement::Edges || result.has_state_acceptance());
                prop_assert!(agree(&automaton, &result, &words), "{:?}", result);
            }
        }
    }

    #[test]
    fn intersections_accept_what_both_accept(left in automata(), right in automata(), words in words()) {
        let product = intersection(&left, &right);
        for word in &words {
            prop_assert_eq!(accepts(&product, word), accepts(&left, word) && accepts(&right, word));
        }
    }

    #[test]
    fn witnesses_are_accepted_and_their_absence_means_emptiness(automaton in automata(), words in words()) {
        match witness(&automaton) {
            Some(word) => prop_assert!(accepts(&automaton, &word)),
            None => prop_assert!(words.iter().all(|word| !accepts(&automaton, word))),
        }
    }

    #[test]
    fn suspended_and_plain_intersection_agree(main in automata(), words in words(), table in 1u8..15) {
        // GF of a guard, which no prefix can change.
        let mut far = Automaton::new((0..ATOMS).map(AtomId).collect(), 1);
        let goal = guard(&mut far, table);
        let rest = far.complement(goal);
        far.add_edge(StateId(0), goal, Marks::single(0), StateId(0));
        far.add_edge(StateId(0), rest, Marks::NONE, StateId(0));
        let suspended = suspended_intersection(&main, &far);
        let plain = intersection(&main, &far);
        prop_assert!(suspended.is_some_and(|suspended| agree(&suspended, &plain, &words)));
    }

    #[test]
    fn components_are_the_classes_of_mutual_reachability(automaton in automata()) {
        let count = automaton.state_count();
        let components = Components::of_automaton(&automaton);
        let row = |one: usize| (0..count).map(|other| one == other).collect();
        let mut reaches: Vec<Vec<bool>> = (0..count).map(row).collect();
        for _ in 0..count {
            for state in automaton.states() {
                for edge in automaton.edges(state) {
                    for source in &mut reaches {
                        source[edge.target.index()] |= source[state.index()];
                    }
                }
            }
        }
        for (one, other) in (0..count).flat_map(|one| (0..count).map(move |other| (one, other))) {
            let mutual = reaches[one][other] && reaches[other][one];
            prop_assert_eq!(components.of(one) == components.of(other), mutual);
            prop_assert!(!reaches[one][other] || components.of(one) >= components.of(other));
        }
    }

    #[test]
    fn forward_quotient_has_one_state_for_each_naive_class(automaton in automata()) {
        let reachable = automaton.tidied();
        prop_assert_eq!(forward(&reachable).state_count(), naive_reachable_classes(&reachable));
    }

    #[test]
    fn weak_deterministic_automata_are_minimal(formula in obligations(), words in words()) {
        let automaton = translate(&formula).expect("random formulas are small");
        let weak = WeakDeterministic::of(&automaton, |word| holds(&formula, &word.prefix, &word.cycle), 1000);
        let weak = weak.expect("few subsets");
        let complement = weak.complement();
        for word in &words {
            let expected = holds(&formula, &word.prefix, &word.cycle);
            prop_assert_eq!(accepts(weak.automaton(), word), expected);
            prop_assert_eq!(accepts(&complement, word), !expected);
        }
        // Any two states accept different languages: one's words and the complement of the other's meet.
        let from = |automaton: &Automaton, state: StateId| {
            let mut moved = automaton.clone();
            moved.initial = state;
            moved
        };
        for one in weak.automaton().states() {
            for other in weak.automaton().states().filter(|&other| other < one) {
                let less = intersection(&from(weak.automaton(), one), &from(&complement, other));
                let more = intersection(&from(&complement, one), &from(weak.automaton(), other));
                prop_assert!(!is_empty(&less) || !is_empty(&more), "{:?} of {:?}", (one, other), weak.automaton());
            }
        }
    }
}

/// Boolean combinations of safety and guarantee formulas.
fn obligations() -> impl Strategy<Value = Formula> {
    let atom = (0..ATOMS).prop_map(|atom| Formula::atom(AtomId(atom)));
    let step = (atom.clone(), atom, 0u8..6).prop_map(|(p, q, shape)| match shape {
        0 => Formula::eventually(Formula::and([p, Formula::next(q)])),
        1 => Formula::always(Formula::implies(p, Formula::next(q))),
        2 => Formula::until(p, q),
        3 => Formula::release(p, q),
        4 => Formula::always(p),
        _ => Formula::next(Formula::until(Formula::negation(p), q)),
    });
    step.prop_recursive(3, 6, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        proptest::prop_oneof![
            pair.clone().prop_map(|(f, g)| Formula::and([f, g])),
            pair.prop_map(|(f, g)| Formula::or([f, g])),
            inner.prop_map(Formula::negation),
        ]
    })
}

/// The number of classes of mutual simulation that stay reachable when each state keeps its best edges only.
fn naive_reachable_classes(automaton: &Automaton) -> usize {
    let count = automaton.state_count();
    let letters: Vec<u32> = (0..1 << ATOMS).collect();
    let moves = |state: usize, letter: u32| -> Vec<(Marks, usize)> {
        let edges = automaton.edges[state].iter();
        let enabled = edges.filter(|edge| automaton.guard_holds(edge.guard, |atom| letter >> atom.0 & 1 == 1));
        enabled.map(|edge| (edge.marks, edge.target.index())).collect()
    };
    let mut simulates = vec![vec![true; count]; count];
    loop {
        let before = simulates.clone();
        for weak in 0..count {
            for strong in 0..count {
                simulates[weak][strong] = before[weak][strong]
                    && letters.iter().all(|&letter| {
                        moves(weak, letter).iter().all(|(marks, target)| {
                            moves(strong, letter)
                                .iter()
                                .any(|(better, goal)| marks.is_subset(*better) && before[*target][*goal])
                        })
                    });
            }
        }
        if simulates == before {
            break;
        }
    }
    let class = |state: usize| (0..count).find(|&other| simulates[state][other] && simulates[other][state]);
    let mut reached = vec![class(automaton.initial.index())];
    let mut next = 0;
    while next < reached.len() {
        let Some(state) = reached[next] else { return 0 };
        for &letter in &letters {
            let all = moves(state, letter);
            for (marks, target) in &all {
                let beaten = all.iter().any(|(better, goal)| {
                    marks.is_subset(*better)
                        && simulates[*target][*goal]
                        && !(better.is_subset(*marks) && simulates[*goal][*target])
                });
                if !beaten && !reached.contains(&class(*target)) {
                    reached.push(class(*target));
                }
            }
        }
        next += 1;
    }
    reached.len()
}
