//! Finds an arrangement of the words of a system's states by watching random runs of it.
//!
//! Words that change in the same transitions belong together: they are put in a row (`order`), which is cut into leaves (`cut`) by how many
//! values words take together (`sample`). The runs are short and few, a matter of milliseconds.

mod cut;
mod order;
mod sample;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use system::{Arena, System};

use crate::store::{Arrangement, MOST_WORDS, WORD};
use order::Changes;
use sample::Sample;

/// States that are looked at, at most.
const EXPANSIONS: u32 = 2048;
/// States of one run, at most.
const LONGEST: u32 = 128;
/// After so many no run begins if enough different states were seen, or hardly any new ones in the last run.
const FEWEST_EXPANSIONS: u32 = 512;
const ENOUGH: u32 = 2048;
const HARDLY_ANY: u32 = LONGEST / 4;
/// No run begins after this time, so that dear transitions are not waited for. That is long, since arrangements, and with them the memory of a search,
/// should not depend on what else the machine does. The first run does not count: code for it is made on the way, which the search needs too.
const MOST_TIME: Duration = Duration::from_millis(40);

/// No run begins either if the last one saw nothing new and each state that was seen, or each of a few, was looked at so often on average:
/// then there are no more states.
const OFTEN: u32 = 4;
const A_FEW: u32 = 16;
/// States of a search that ends before its memory is worth the time of an arrangement.
const FEW_STATES: u64 = 10_000;

/// If fewer words change, their order does not matter.
const FEWEST_WORDS: usize = 5;

/// What was seen of the vectors of one length.
struct Watched {
    changes: Changes,
    sample: Sample,
}

/// Whether a search that ends when so many states are stored should have its words arranged.
pub(crate) fn is_worth_it(most_states: Option<u64>) -> bool {
    most_states.is_none_or(|most| most > FEW_STATES)
}

/// An arrangement for each length of vector that was seen to change.
pub(crate) fn arrange<S: System>(system: &mut S) -> Vec<(usize, Arrangement)> {
    let mut watched: BTreeMap<usize, Watched> = BTreeMap::new();
    let mut choice = Choice(0x9e37_79b9_7f4a_7c15);
    let (mut initial, mut state, mut successors) = (Vec::new(), Vec::new(), Arena::new());
    system.initial(&mut initial);
    let mut start = Instant::now();
    let (mut runs, mut length) = (0, LONGEST);
    let mut new = Vec::new();
    // States seen, and how many of them before the last run.
    let (mut seen, mut seen_before) = (0, 0);
    for expansions in 0..EXPANSIONS {
        if length == LONGEST || successors.is_empty() {
            if runs == 1 {
                start = Instant::now();
            }
            let has_enough = seen >= ENOUGH || seen - seen_before < HARDLY_ANY;
            let has_all = seen == seen_before && expansions >= OFTEN * seen.max(A_FEW);
            let is_long = start.elapsed() > MOST_TIME || (expansions >= FEWEST_EXPANSIONS && has_enough);
            if runs > 1 && (is_long || has_all) {
                break;
            }
            seen_before = seen;
            runs += 1;
            state.clone_from(&initial);
            length = 0;
        }
        length += 1;
        // What a search leaves out must not be waited for, nor code for it be made.
        system.reduced(&state, &mut successors);
        if successors.is_empty() {
            if length == 1 {
                break;
            }
            continue;
        }
        if state.len() <= MOST_WORDS * WORD {
            let Watched { changes, sample } = watched.entry(state.len()).or_insert_with(|| Watched {
                changes: Changes::none(state.len().div_ceil(WORD)),
                sample: Sample::new(state.len()),
            });
            for number in 0..successors.len() {
                let target = successors.target(number);
                if target.len() == state.len() {
                    changes.note(&state, target);
                    if sample.note(target) {
                        new.push(number);
                        seen += 1;
                    }
                }
            }
        }
        // Runs that go where none was see more.
        let next = match new.as_slice() {
            [] => choice.below(successors.len()),
            new => new[choice.below(new.len())],
        };
        let next = successors.target(next);
        new.clear();
        state.clear();
        state.extend_from_slice(next);
    }
    let arranged = |(length, Watched { changes, sample }): (usize, Watched)| {
        let order = Some(changes.order()).filter(|order| order.len() >= FEWEST_WORDS)?;
        let tree = cut::cut(&order, &changes.still(), &mut sample.counted())?;
        Some((length, Arrangement::new(length, tree)?))
    };
    watched.into_iter().filter_map(arranged).collect()
}

/// Random numbers that are the same in every run.
struct Choice(u64);

impl Choice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }
}

#[cfg(test)]
mod tests {
    use system::{Fate, Label};

    use super::*;
    use crate::store::{Insert, Limits, TreeStore, VisitedSet, Visitor};

    /// Eight counters below three; word k of the vector and word k + 8 always change together, the others are still.
    struct Pairs;

    impl System for Pairs {
        fn initial(&mut self, into: &mut Vec<u8>) -> Fate {
            into.clear();
            into.resize(20 * WORD, 0);
            Fate::Open
        }

        fn successors(&mut self, state: &[u8], into: &mut Arena) {
            into.clear();
            for counter in 0..8 {
                let mut target = state.to_vec();
                for word in [counter, counter + 8] {
                    target[WORD * word] = (target[WORD * word] + 1) % 3;
                }
                into.push(&target, Label::default());
            }
        }
    }

    #[test]
    fn words_that_change_together_become_neighbours() {
        let arranged = arrange(&mut Pairs);
        let [(length, arrangement)] = arranged.as_slice() else { panic!("{arranged:?}") };
        assert_eq!(*length, 20 * WORD);
        let words = arrangement.tree().words();
        let moving: Vec<u16> = words.iter().copied().filter(|&word| word < 16).collect();
        assert!(moving.chunks(2).all(|pair| pair[0].abs_diff(pair[1]) == 8), "{words:?}");
        // The others are together where they part nothing.
        assert!(words.windows(4).any(|still| still == [16, 17, 18, 19]), "{words:?}");
    }

    /// A counter below eight, which counts how often it is asked.
    #[derive(Default)]
    struct Round(u32);

    impl System for Round {
        fn initial(&mut self, into: &mut Vec<u8>) -> Fate {
            into.clear();
            into.resize(20 * WORD, 0);
            Fate::Open
        }

        fn successors(&mut self, state: &[u8], into: &mut Arena) {
            self.0 += 1;
            let mut target = state.to_vec();
            target[0] = (target[0] + 1) % 8;
            into.clear();
            into.push(&target, Label::default());
        }
    }

    #[test]
    fn a_system_of_which_everything_was_seen_is_not_watched_any_longer() {
        let mut round = Round::default();
        arrange(&mut round);
        assert!(round.0 <= 2 * LONGEST, "{}", round.0);
    }

    /// Nine flags that are set one after the other at the start, then six counters below six, each a word.
    struct Flagged;

    const FLAGS: usize = 9;

    impl System for Flagged {
        fn initial(&mut self, into: &mut Vec<u8>) -> Fate {
            into.clear();
            into.resize(19 * WORD, 0);
            Fate::Open
        }

        fn successors(&mut self, state: &[u8], into: &mut Arena) {
            into.clear();
            let mut change = |word: usize, value: u8| {
                let mut target = state.to_vec();
                target[WORD * word] = value;
                into.push(&target, Label::default());
            };
            match (0..FLAGS).find(|&flag| state[WORD * flag] == 0) {
                Some(flag) => change(flag, 1),
                None => (FLAGS..FLAGS + 6).for_each(|word| change(word, (state[WORD * word] + 1) % 6)),
            }
        }
    }

    #[test]
    fn words_that_are_set_once_take_no_room_from_those_that_vary() {
        let store = TreeStore::new(Limits::memory(1 << 28));
        store.arrange(arrange(&mut Flagged));
        let mut handle = store.handle();
        let (mut waiting, mut successors) = (vec![Vec::new()], Arena::new());
        Flagged.initial(&mut waiting[0]);
        while let Some(state) = waiting.pop() {
            if matches!(handle.insert(&state, &Default::default()), Insert::New(_)) {
                Flagged.successors(&state, &mut successors);
                waiting.extend(successors.targets().map(<[u8]>::to_vec));
            }
        }
        assert_eq!(store.len(), FLAGS as u64 + 6u64.pow(6));
        // A state is little more than its root: the six words that vary are in two leaves, three in each.
        let bytes = store.memory() as f64 / store.len() as f64;
        assert!(bytes < 12.0, "{bytes} bytes a state");
    }
}
