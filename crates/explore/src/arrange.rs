//! Finds an arrangement of the words of a system's states by watching random runs of it.
//!
//! Words that change in the same transitions belong together. They are joined by agglomerative clustering with average
//! linkage: the two groups with the greatest mean affinity become one, the ends that fit best side by side, until one is left.
//! Affinity is the cosine of the two words' changes. The runs are short and few, a matter of milliseconds.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::store::{Arrangement, MOST_WORDS, WORD};
use crate::system::{Successors, System};

/// States that are looked at, at most.
const EXPANSIONS: u32 = 1024;
/// States of one run, at most.
const LONGEST: u32 = 200;
/// After this time no run begins if there were enough. A run that takes longer is slow: the first may be, since code for it is made on the way, and
/// after another one no more follow.
const TIME: Duration = Duration::from_millis(4);
/// So many runs are enough.
const ENOUGH: u32 = 8;
/// No run begins after this time.
const MOST_TIME: Duration = Duration::from_millis(30);

/// An arrangement for each length of vector that was seen to change.
pub(crate) fn arrange<S: System>(system: &mut S) -> Vec<(usize, Arrangement)> {
    let mut watched: BTreeMap<usize, Changes> = BTreeMap::new();
    let mut choice = Choice(0x9e37_79b9_7f4a_7c15);
    let (mut initial, mut state, mut successors) = (Vec::new(), Vec::new(), S::Successors::default());
    system.initial(&mut initial);
    let start = Instant::now();
    let (mut time, mut runs) = (Duration::ZERO, 0);
    let mut length = LONGEST;
    for _ in 0..EXPANSIONS {
        if length == LONGEST || successors.is_empty() {
            let before = std::mem::replace(&mut time, start.elapsed());
            let has_enough = runs >= ENOUGH || (before > TIME && time - before > TIME);
            if time > MOST_TIME || (time > TIME && has_enough) {
                break;
            }
            runs += 1;
            state.clone_from(&initial);
            length = 0;
        }
        length += 1;
        // What a search leaves out must not be waited for, nor code for it be made.
        system.reduced_successors(&state, &mut successors);
        if successors.is_empty() {
            if length == 1 {
                break;
            }
            continue;
        }
        if state.len() <= MOST_WORDS * WORD {
            let changes = watched.entry(state.len()).or_insert_with(|| Changes::none(state.len().div_ceil(WORD)));
            let targets = (0..successors.len()).map(|number| successors.state(number));
            targets.filter(|target| target.len() == state.len()).for_each(|target| changes.note(&state, target));
        }
        let next = successors.state(choice.below(successors.len()));
        state.clear();
        state.extend_from_slice(next);
    }
    let arranged = |(length, changes): (usize, Changes)| {
        let order = changes.order();
        let changing = order.len();
        let still = (0..changes.words as u16).filter(|&word| changes.count[word as usize] == 0.0);
        Some((length, Arrangement::new(length, order.into_iter().chain(still).collect(), changing)?))
    };
    watched.into_iter().filter_map(arranged).collect()
}

/// Which words changed, and which of them together.
struct Changes {
    words: usize,
    count: Vec<f32>,
    /// For each pair of words, in how many transitions both changed.
    together: Vec<f32>,
    changed: Vec<usize>,
}

impl Changes {
    fn none(words: usize) -> Changes {
        Changes { words, count: vec![0.0; words], together: vec![0.0; words * words], changed: Vec::new() }
    }

    fn note(&mut self, from: &[u8], to: &[u8]) {
        self.changed.clear();
        let words = from.chunks(WORD).zip(to.chunks(WORD)).enumerate();
        self.changed.extend(words.filter(|(_, (from, to))| from != to).map(|(word, _)| word));
        for &word in &self.changed {
            self.count[word] += 1.0;
            for &other in &self.changed {
                self.together[word * self.words + other] += 1.0;
            }
        }
    }

    /// The words that changed, related ones near each other.
    fn order(&self) -> Vec<u16> {
        let affinity = |a: usize, b: usize| self.together[a * self.words + b] / (self.count[a] * self.count[b]).sqrt();
        let mut groups: Vec<Vec<usize>> =
            (0..self.words).filter(|&word| self.count[word] > 0.0).map(|word| vec![word]).collect();
        // The sums of affinities between groups, kept up to date as they are joined.
        let mut sums: Vec<Vec<f32>> =
            groups.iter().map(|a| groups.iter().map(|b| affinity(a[0], b[0])).collect()).collect();
        while groups.len() > 1 {
            let (mut best, mut joined) = (-1.0, (0, 1));
            for a in 0..groups.len() {
                for b in a + 1..groups.len() {
                    let mean = sums[a][b] / (groups[a].len() * groups[b].len()) as f32;
                    if mean > best {
                        (best, joined) = (mean, (a, b));
                    }
                }
            }
            let (a, b) = joined;
            let second = groups.remove(b);
            let first = std::mem::take(&mut groups[a]);
            groups[a] = side_by_side(first, second, affinity);
            let lost = sums.remove(b);
            for row in &mut sums {
                row.remove(b);
            }
            for (other, sum) in lost.iter().enumerate().filter(|&(other, _)| other != b) {
                let other = if other > b { other - 1 } else { other };
                sums[a][other] += sum;
                sums[other][a] = sums[a][other];
            }
        }
        groups.pop().unwrap_or_default().into_iter().map(|word| word as u16).collect()
    }
}

/// Two groups in one row, turned so that the words which meet have most to do with each other.
fn side_by_side(mut a: Vec<usize>, mut b: Vec<usize>, affinity: impl Fn(usize, usize) -> f32) -> Vec<usize> {
    /// So many words at an end count.
    const END: usize = 4;
    let meeting = |a: &mut dyn Iterator<Item = usize>, b: &[usize], from_end: bool| -> f32 {
        let near: Vec<usize> =
            if from_end { b.iter().rev().take(END).copied().collect() } else { b.iter().take(END).copied().collect() };
        a.take(END).map(|a| near.iter().map(|&b| affinity(a, b)).sum::<f32>()).sum()
    };
    let fits = [
        meeting(&mut a.iter().rev().copied(), &b, false),
        meeting(&mut a.iter().rev().copied(), &b, true),
        meeting(&mut a.iter().copied(), &b, false),
        meeting(&mut a.iter().copied(), &b, true),
    ];
    let best = (1..4).fold(0, |best, other| if fits[other] > fits[best] { other } else { best });
    if best >= 2 {
        a.reverse();
    }
    if best % 2 == 1 {
        b.reverse();
    }
    a.append(&mut b);
    a
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
    use super::*;

    /// Eight counters below three; word k of the vector and word k + 8 always change together, the others are still.
    struct Pairs;

    #[derive(Default)]
    struct States(Vec<Vec<u8>>);

    impl Successors for States {
        fn len(&self) -> usize {
            self.0.len()
        }

        fn state(&self, index: usize) -> &[u8] {
            &self.0[index]
        }

        fn violations(&self) -> u64 {
            0
        }
    }

    impl System for Pairs {
        type Successors = States;

        fn initial(&mut self, into: &mut Vec<u8>) {
            into.clear();
            into.resize(20 * WORD, 0);
        }

        fn successors(&mut self, state: &[u8], into: &mut States) {
            into.0.clear();
            for counter in 0..8 {
                let mut target = state.to_vec();
                for word in [counter, counter + 8] {
                    target[WORD * word] = (target[WORD * word] + 1) % 3;
                }
                into.0.push(target);
            }
        }
    }

    #[test]
    fn words_that_change_together_become_neighbours() {
        let arranged = arrange(&mut Pairs);
        let [(length, arrangement)] = arranged.as_slice() else { panic!("{arranged:?}") };
        assert_eq!(*length, 20 * WORD);
        let words = arrangement.words();
        assert!(words[..16].chunks(2).all(|pair| pair[0].abs_diff(pair[1]) == 8), "{words:?}");
        assert_eq!(words[16..], [16, 17, 18, 19]);
    }
}
