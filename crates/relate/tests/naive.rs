//! Everything against definitions written down as naively as possible, on thousands of random pairs of small systems: verdicts, shortest traces,
//! formulas, and the laws of the spectrum.

mod reference;

use explore::search::Progress;
use reference::{Draw, Naive, lts, pair};
use relate::{
    Alphabet, Comparison, Difference, Event, Kind, Limits, Lts, Options, Pairs, Quotient, Relation, Side, Verdict,
    compare, minimise, state_of,
};

fn ask(left: &Lts, right: &Lts, relation: Relation, pairs: Pairs) -> Comparison {
    compare(&mut &*left, &mut &*right, relation, &Options { pairs, ..Options::default() }, &Progress::new())
}

fn holds(left: &Lts, right: &Lts, relation: Relation) -> bool {
    match ask(left, right, relation, Pairs::Pruned).verdict {
        Verdict::Holds => true,
        Verdict::Violated(_) => false,
        Verdict::Unknown(end) => panic!("{relation} is undecided: {end:?}"),
    }
}

/// So many random pairs.
const CASES: u64 = 2000;

#[test]
fn verdicts_are_those_of_the_definitions() {
    let mut held = vec![0; Relation::ALL.len()];
    for seed in 0..CASES {
        let (left, right) = pair(seed);
        for (at, relation) in Relation::ALL.into_iter().enumerate() {
            let truth = Naive::new(&left, &right).holds(relation);
            held[at] += u64::from(truth);
            for pairs in [Pairs::Pruned, Pairs::All] {
                let comparison = ask(&left, &right, relation, pairs);
                let verdict = matches!(comparison.verdict, Verdict::Holds);
                assert_eq!(verdict, truth, "{relation} {pairs:?}, pair {seed}: {left:?} {right:?} {comparison:?}");
            }
        }
    }
    // Both answers are met often, else the comparison would say little.
    for (relation, held) in Relation::ALL.into_iter().zip(held) {
        assert!((CASES / 20..CASES * 19 / 20).contains(&held), "{relation} holds for {held} of {CASES}");
    }
}

#[test]
fn differences_of_sets_are_real_and_have_the_fewest_events() {
    for seed in 0..CASES {
        let (left, right) = pair(seed);
        for relation in Relation::ALL {
            for pairs in [Pairs::Pruned, Pairs::All] {
                let Verdict::Violated(difference) = ask(&left, &right, relation, pairs).verdict else { continue };
                check_runs(&difference, &left, &right);
                if difference.kind != Kind::Formula {
                    let shortest = Naive::new(&left, &right).shortest(relation).expect("it is violated");
                    assert_eq!(difference.trace.len(), shortest, "{relation}, pair {seed}: {difference:?}");
                }
            }
        }
    }
}

/// Both runs are runs; that of the able side has the trace, that of the other side as much of it as there is.
fn check_runs(difference: &Difference, left: &Lts, right: &Lts) {
    for (side, lts, run) in [(Side::Left, left, &difference.left), (Side::Right, right, &difference.right)] {
        let states: Vec<u32> = run.states.iter().map(|bytes| state_of(bytes)).collect();
        assert_eq!(states[0], lts.initial());
        assert_eq!(states.len(), run.events.len() + 1);
        for (at, &event) in run.events.iter().enumerate() {
            assert!(lts.steps(states[at]).contains(&(event, states[at + 1])), "{difference:?}");
        }
        let visible: Vec<Event> = run.events.iter().copied().filter(|event| event.is_visible()).collect();
        assert!(difference.trace.starts_with(&visible));
        if side == difference.by && difference.kind != Kind::Formula {
            assert_eq!(visible, difference.trace);
            let last = *states.last().expect("a run has a state");
            match difference.kind {
                Kind::Divergence => {
                    let start = run.cycle_start.expect("a divergence is a cycle");
                    assert!(start < states.len() - 1 && states[start] == last);
                    assert!(run.events[start..].iter().all(|event| !event.is_visible()));
                }
                Kind::Completion => assert!(lts.steps(last).is_empty()),
                Kind::Refusal => {
                    let refusal = difference.refusal.as_ref().expect("a refusal");
                    let offered: Vec<Event> = lts.steps(last).iter().map(|step| step.0).collect();
                    assert!(offered.iter().all(|event| event.is_visible() && !refusal.refused.contains(event)));
                    assert!(refusal.other.iter().all(|set| set.iter().any(|event| refusal.refused.contains(event))));
                }
                Kind::Trace | Kind::Formula => {}
            }
        }
    }
}

#[test]
fn formulas_hold_of_one_side_only_and_are_as_shallow_as_can_be() {
    let mut shown = 0;
    for seed in 0..CASES {
        let (left, right) = pair(seed);
        let naive = Naive::new(&left, &right);
        for relation in Relation::ALL {
            let Verdict::Violated(difference) = ask(&left, &right, relation, Pairs::Pruned).verdict else { continue };
            let Some(formula) = &difference.formula else { continue };
            shown += 1;
            let truth = [naive.satisfies(Side::Left, formula), naive.satisfies(Side::Right, formula)];
            assert_eq!(
                truth,
                [difference.by == Side::Left, difference.by == Side::Right],
                "{relation}, pair {seed}: {formula:?}"
            );
            if let Some(depth) = naive.depth(relation) {
                assert_eq!(formula.depth(), depth, "{relation}, pair {seed}: {formula:?} for {left:?} {right:?}");
            }
        }
    }
    assert!(shown > CASES, "{shown} formulas");
}

#[test]
fn a_quotient_is_related_to_its_system_and_cannot_be_made_smaller() {
    let limits = Limits::default();
    for seed in 0..CASES / 2 {
        let system = lts(seed);
        for quotient in Quotient::ALL {
            let small = minimise(&system, quotient, &limits, &Progress::new()).expect("there are no limits");
            let relation = match quotient {
                Quotient::Strong => Relation::StrongBisimulation,
                Quotient::Branching => Relation::BranchingBisimulation,
                Quotient::DivergencePreservingBranching => Relation::DivergencePreservingBranchingBisimulation,
                Quotient::Weak => Relation::WeakBisimulation,
                Quotient::Trace => Relation::TraceEquivalence,
            };
            assert!(Naive::new(&system, &small).holds(relation), "{quotient:?} of {system:?} is {small:?}");
            for (one, other) in (0..small.states()).flat_map(|one| (0..one).map(move |other| (one, other))) {
                let from = |state| Lts::new(state, small.states(), small.all().collect());
                assert!(
                    !Naive::new(&from(one), &from(other)).holds(relation),
                    "{quotient:?} of {system:?} is {small:?}"
                );
            }
        }
    }
}

/// `strong ⇒ brΔ ⇒ …`: what implies what, for relations in the same direction.
#[test]
fn the_spectrum_is_ordered_as_the_literature_has_it() {
    use Relation::*;
    let laws: &[(Relation, &[Relation])] = &[
        (StrongBisimulation, &[DivergencePreservingBranchingBisimulation, ReadySimulation]),
        (DivergencePreservingBranchingBisimulation, &[BranchingBisimulation, DivergencePreservingWeakBisimulation]),
        (BranchingBisimulation, &[WeakBisimulation]),
        (
            DivergencePreservingWeakBisimulation,
            &[
                WeakBisimulation,
                TestingEquivalence,
                FailuresInclusion,
                FdRefinement,
                CompletedTraceInclusion,
                ReadySimulation,
            ],
        ),
        (WeakBisimulation, &[TraceEquivalence, Simulation]),
        (TestingEquivalence, &[TraceEquivalence, FdRefinement, MustPreorder, MustSets]),
        (MustSets, &[TraceEquivalence]),
        (ReadySimulation, &[Simulation, FailuresInclusion, CompletedTraceInclusion]),
        (Simulation, &[TraceInclusion]),
        (FailuresInclusion, &[TraceInclusion, CompletedTraceInclusion]),
        (TraceEquivalence, &[TraceInclusion, MayPreorder]),
        (TraceInclusion, &[MayPreorder]),
        (MayPreorder, &[TraceInclusion]),
    ];
    for seed in 0..CASES / 4 {
        let (left, right) = pair(seed ^ 0x5eed);
        for &(strong, weak) in laws.iter().filter(|(strong, _)| holds(&left, &right, *strong)) {
            for &weak in weak {
                assert!(holds(&left, &right, weak), "{strong} without {weak}, pair {seed}: {left:?} {right:?}");
            }
        }
        for relation in Relation::ALL.into_iter().filter(|relation| relation.is_symmetric()) {
            assert_eq!(holds(&left, &right, relation), holds(&right, &left, relation), "{relation} is symmetric");
        }
        assert_eq!(holds(&left, &right, MustPreorder), holds(&right, &left, FdRefinement));
    }
}

#[test]
fn every_system_is_related_to_itself_to_a_renumbered_copy_and_to_itself_after_an_internal_step() {
    for seed in 0..CASES / 4 {
        let system = lts(seed);
        let renumbered = reference::renumber(&system, seed);
        let delayed = reference::after_internal_step(&system);
        for relation in Relation::ALL {
            assert!(holds(&system, &system, relation), "{relation} with itself: {system:?}");
            assert!(holds(&system, &renumbered, relation), "{relation} with a copy: {system:?}");
            if relation != Relation::StrongBisimulation {
                assert!(holds(&system, &delayed, relation), "{relation} after τ: {system:?}");
                assert!(holds(&delayed, &system, relation), "{relation} after τ: {system:?}");
            }
        }
    }
}

#[test]
fn preorders_are_transitive() {
    for seed in 0..CASES / 8 {
        let [one, two, three] = [lts(3 * seed), lts(3 * seed + 1), lts(3 * seed + 2)];
        for relation in Relation::ALL {
            if holds(&one, &two, relation) && holds(&two, &three, relation) {
                assert!(holds(&one, &three, relation), "{relation}: {one:?} {two:?} {three:?}");
            }
        }
    }
}

/// A system written as `0a1 1t0`: state, label, state; `t` is internal. The first state is 0.
fn read(text: &str, alphabet: &Alphabet) -> Lts {
    let digit = |c: char| c.to_digit(10).expect("a digit");
    let steps = text.split_whitespace().map(|step| {
        let [from, label, to] = step.chars().collect::<Vec<_>>()[..] else { panic!("{step} is no step") };
        let event = if label == 't' { Event::INTERNAL } else { alphabet.event(&label.to_string()) };
        (digit(from), event, digit(to))
    });
    let steps: Vec<_> = steps.collect();
    let states = steps.iter().flat_map(|&(from, _, to)| [from, to]).max().unwrap_or(0) + 1;
    Lts::new(0, states, steps)
}

/// The smallest pairs on which a wrong variant of an algorithm gives the wrong answer: relation, left, right, and the length of the trace of
/// the difference, if there is one.
#[test]
fn the_smallest_pairs_that_tell_wrong_algorithms_from_right_ones() {
    use Relation::*;
    let cases: &[(Relation, &str, &str, Option<usize>)] = &[
        // The initial pair is checked.
        (FailuresInclusion, "", "0b0", Some(0)),
        (FdRefinement, "0t0", "", Some(0)),
        // A smaller set speaks for a larger one, not the reverse.
        (TraceInclusion, "0a0", "0t1 0a1", Some(2)),
        // Sets are closed under internal steps, at the start and after each event.
        (TraceInclusion, "0a0", "0t1 1a0", None),
        // Refusals: a subset of what is offered suffices.
        (FailuresInclusion, "0a0", "0t1 0a0", None),
        // Only stable states refuse, on either side.
        (FailuresInclusion, "0t0", "0a0", None),
        (FailuresInclusion, "", "0t0", Some(0)),
        // Acceptance sets say more than the events that must be possible.
        (FailuresInclusion, "0b1", "0b0 0b1 1a1", Some(1)),
        // After a divergence of the right side everything is allowed; it is looked at first, and nothing below it.
        (FdRefinement, "", "0t0", None),
        (FdRefinement, "0a0", "0t0", None),
        // A cycle of internal steps may have more than one state.
        (FdRefinement, "0t1 1t0", "", Some(0)),
        // Of failures and divergences neither implies the other, nor traces.
        (FailuresInclusion, "0t0", "", None),
        (TraceInclusion, "0a0", "0t0", Some(1)),
        // Completed traces follow events that the right side does not have.
        (CompletedTraceInclusion, "0a0", "", None),
        (CompletedTraceInclusion, "0a1", "0b1", Some(1)),
        // Equal failures without equal divergences, and the reverse.
        (TestingEquivalence, "", "0t0 0t1", Some(0)),
        (TestingEquivalence, "0t0", "0t0 0t1", None),
        // Must sets are weaker than acceptance sets.
        (MustSets, "0a0 0a1 0a2 2b3", "0a1 0a2 1t0 2b3", None),
        (TestingEquivalence, "0a0 0a1 0a2 2b3", "0a1 0a2 1t0 2b3", Some(1)),
        (MustSets, "0t1 0t2 1b3 2c3", "0t1 0t2 1b3 2c3 0t3", None),
        // Explicit divergence is finer than agreement on divergence, which is finer than nothing.
        (DivergencePreservingBranchingBisimulation, "0t1 0a0 0b1 1t1", "0t0 0t1 0a0 0b1 1t1", Some(0)),
        (DivergencePreservingWeakBisimulation, "0t1 0a0 0b1 1t1", "0t0 0t1 0a0 0b1 1t1", None),
        (BranchingBisimulation, "0t0 0t1 1a2", "0t0 0t1 0a2 1a2", None),
        (WeakBisimulation, "", "0t0", None),
    ];
    for &(relation, left, right, length) in cases {
        let alphabet = Alphabet::new();
        let (l, r) = (read(left, &alphabet), read(right, &alphabet));
        let found = match ask(&l, &r, relation, Pairs::Pruned).verdict {
            Verdict::Holds => None,
            Verdict::Violated(difference) => Some(difference.trace.len()),
            Verdict::Unknown(end) => panic!("{relation} is undecided: {end:?}"),
        };
        assert_eq!(found, length, "{relation}: {left} | {right}");
        assert_eq!(
            Naive::new(&l, &r).holds(relation),
            length.is_none(),
            "the definition of {relation}: {left} | {right}"
        );
    }
}

#[test]
fn the_reference_agrees_with_enumeration_of_words() {
    for seed in 0..CASES / 8 {
        let mut draw = Draw::new(seed);
        let (left, right) = (reference::random(3, 2, &mut draw), reference::random(3, 2, &mut draw));
        let naive = Naive::new(&left, &right);
        let included =
            reference::words(2, 6).iter().all(|word| !reference::has(&left, word) || reference::has(&right, word));
        assert_eq!(naive.holds(Relation::TraceInclusion), included, "{left:?} {right:?}");
    }
}
