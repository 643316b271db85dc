//! The naive twin: vertices are mapped one after the other, neighbours first, wherever no arc contradicts.

use std::collections::VecDeque;

use super::sample::Sample;
use num_bigint::BigUint;

/// The order of the automorphism group, as the product of the orbits of a stabiliser chain.
pub fn order(sample: &Sample) -> BigUint {
    let twin = Naive::new(sample);
    let size = twin.sequence.len();
    let mut order = BigUint::from(1u32);
    for level in 0..size {
        // All vertices before this level are fixed.
        let mut map = vec![None; size];
        twin.sequence[..level].iter().for_each(|&vertex| map[vertex] = Some(vertex));
        let reaches = |&image: &usize| {
            let mut map = map.clone();
            !map.contains(&Some(image)) && twin.fits(&map, level, image) && {
                map[twin.sequence[level]] = Some(image);
                twin.extends(&mut map, level + 1)
            }
        };
        order *= (0..size).filter(reaches).count();
    }
    order
}

struct Naive {
    colours: Vec<u32>,
    /// By pair of vertices: the number of arcs from the first to the second.
    arcs: Vec<Vec<u32>>,
    degrees: Vec<u32>,
    sequence: Vec<usize>,
}

impl Naive {
    fn new(sample: &Sample) -> Self {
        let size = sample.colours.len();
        let mut arcs = vec![vec![0; size]; size];
        for &(from, to) in sample.arcs.iter().chain(&sample.edges) {
            arcs[from as usize][to as usize] += 1;
        }
        for &(from, to) in &sample.edges {
            arcs[to as usize][from as usize] += 1;
        }
        let joined = |one: usize, other: usize| arcs[one][other] + arcs[other][one] > 0;
        let (mut sequence, mut met) = (Vec::new(), vec![false; size]);
        for start in 0..size {
            let mut queue = VecDeque::from([start]);
            while let Some(vertex) = queue.pop_front() {
                if !std::mem::replace(&mut met[vertex], true) {
                    sequence.push(vertex);
                    queue.extend((0..size).filter(|&other| joined(vertex, other)));
                }
            }
        }
        let degree = |vertex: usize| (0..size).map(|other| arcs[vertex][other] + arcs[other][vertex]).sum();
        Self { colours: sample.colours.clone(), degrees: (0..size).map(degree).collect(), sequence, arcs }
    }

    /// Whether the image agrees with everything that is mapped so far.
    fn fits(&self, map: &[Option<usize>], level: usize, image: usize) -> bool {
        let vertex = self.sequence[level];
        self.colours[vertex] == self.colours[image]
            && self.degrees[vertex] == self.degrees[image]
            && self.sequence[..level].iter().all(|&other| {
                let target = map[other].expect("earlier vertices are mapped");
                self.arcs[vertex][other] == self.arcs[image][target]
                    && self.arcs[other][vertex] == self.arcs[target][image]
            })
    }

    /// Whether the map can be completed.
    fn extends(&self, map: &mut Vec<Option<usize>>, level: usize) -> bool {
        let Some(&vertex) = self.sequence.get(level) else { return true };
        for image in 0..map.len() {
            if !map.contains(&Some(image)) && self.fits(map, level, image) {
                map[vertex] = Some(image);
                if self.extends(map, level + 1) {
                    return true;
                }
                map[vertex] = None;
            }
        }
        false
    }
}
