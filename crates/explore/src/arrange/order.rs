//! An order of words in which those that change in the same transitions are neighbours.
//!
//! They are joined by agglomerative clustering with average linkage: the two groups with the greatest mean affinity become one, the ends
//! that fit best side by side, until one is left. Affinity is the cosine of the two words' changes.

use crate::store::WORD;

/// Which words changed, and which of them together.
pub(super) struct Changes {
    words: usize,
    count: Vec<f32>,
    /// For each pair of words, in how many transitions both changed.
    together: Vec<f32>,
    changed: Vec<usize>,
}

impl Changes {
    pub fn none(words: usize) -> Changes {
        Changes { words, count: vec![0.0; words], together: vec![0.0; words * words], changed: Vec::new() }
    }

    pub fn note(&mut self, from: &[u8], to: &[u8]) {
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

    /// The words that never changed.
    pub fn still(&self) -> Vec<u16> {
        (0..self.words as u16).filter(|&word| self.count[usize::from(word)] == 0.0).collect()
    }

    /// The words that changed, related ones near each other.
    pub fn order(&self) -> Vec<u16> {
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
