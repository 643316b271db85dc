//! SPINE's example, figures 2 to 5 of Erdogmus' paper, with its verdict and its counts. The two models are written out as systems here: what Promela
//! makes of them is tested where Promela is known.

use explore::search::Progress;
use relate::{Alphabet, Event, Observed, Options, Pairs, Relation, Steps, Verdict, compare};

/// The values that the environment sends.
const VALUES: [u8; 4] = [1, 2, 3, 4];

/// What is seen of a step, if anything, and the next state.
type Step = (Option<(&'static str, u8)>, Vec<u8>);

/// A state as bytes, and its steps: an event's name, or nothing, and the next state.
struct Model {
    initial: Vec<u8>,
    steps: fn(&[u8]) -> Vec<Step>,
    alphabet: Alphabet,
}

impl Observed for Model {
    fn initial(&mut self, into: &mut Vec<u8>) {
        into.clone_from(&self.initial);
    }

    fn steps(&mut self, state: &[u8], into: &mut Steps) {
        into.clear();
        for (event, next) in (self.steps)(state) {
            let event = event.map_or(Event::INTERNAL, |(name, value)| self.alphabet.event(&format!("{name}!{value}")));
            into.push(event, &next);
        }
    }
}

/// `FIFO2` and the environment: the place in the program, `slot1`, `slot2`, `any`.
fn centralised(state: &[u8]) -> Vec<Step> {
    let &[place, one, two, any] = state else { panic!("four bytes") };
    let receive = |next: fn(u8, u8, u8, u8) -> Vec<u8>| {
        VALUES.into_iter().map(move |v| (Some(("IN", v)), next(v, one, two, any))).collect::<Vec<_>>()
    };
    match place {
        0 => receive(|v, _, two, any| vec![1, v, two, any]),
        1 => {
            let mut steps = receive(|v, one, _, any| vec![2, one, v, any]);
            steps.push((Some(("OUT", one)), vec![0, one, two, one]));
            steps
        }
        2 => vec![(Some(("OUT", one)), vec![3, one, two, one])],
        _ => vec![(None, vec![1, two, two, any])],
    }
}

/// Two `FIFO1` and the environment: the place and `slot` of each, `any`.
fn distributed(state: &[u8]) -> Vec<Step> {
    let &[first, one, second, two, any] = state else { panic!("five bytes") };
    let mut steps = Vec::new();
    if first == 0 {
        steps.extend(VALUES.into_iter().map(|v| (Some(("IN", v)), vec![1, v, second, two, any])));
    }
    if first == 1 && second == 0 {
        steps.push((None, vec![0, one, 1, one, any]));
    }
    if second == 1 {
        steps.push((Some(("OUT", two)), vec![first, one, 0, two, two]));
    }
    steps
}

#[test]
fn the_two_buffers_are_equivalent_with_the_counts_of_the_paper() {
    let alphabet = Alphabet::new();
    let mut left = Model { initial: vec![0; 4], steps: centralised, alphabet: alphabet.clone() };
    let mut right = Model { initial: vec![0; 5], steps: distributed, alphabet };
    let options = Options { pairs: Pairs::All, ..Options::default() };
    let comparison = compare(&mut left, &mut right, Relation::TraceEquivalence, &options, &Progress::new());
    assert!(matches!(comparison.verdict, Verdict::Holds));
    assert_eq!((comparison.pairs, comparison.matched), (185, 400));
    assert_eq!((comparison.left.sets, comparison.right.sets), (185, 105));
    // They are as alike as can be, and pruning needs fewer pairs.
    for relation in Relation::ALL.into_iter().filter(|&relation| relation != Relation::StrongBisimulation) {
        let comparison = compare(&mut left, &mut right, relation, &Options::default(), &Progress::new());
        assert!(matches!(comparison.verdict, Verdict::Holds), "{relation}: {:?}", comparison.verdict);
    }
    let pruned = compare(&mut left, &mut right, Relation::TraceEquivalence, &Options::default(), &Progress::new());
    assert!(pruned.pairs <= 185);
}
