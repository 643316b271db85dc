//! Random graphs of few states for tests of searches.

use proptest::prelude::*;
use system::{Arena, Fate, Label, System};

/// A graph of few states, of which some are wrong, with an estimate of each.
#[derive(Clone, Debug)]
pub(super) struct Small {
    pub edges: Vec<Vec<u8>>,
    pub wrong: Vec<bool>,
    /// How much less than the distance the estimate is.
    pub less: Vec<u32>,
}

impl System for Small {
    fn initial(&mut self, into: &mut Vec<u8>) -> Fate {
        *into = vec![0];
        Fate::Open
    }

    fn successors(&mut self, state: &[u8], into: &mut Arena) {
        into.clear();
        into.signals_mut().errors = u32::from(self.wrong[usize::from(state[0])]);
        self.edges[usize::from(state[0])].iter().for_each(|&target| into.push(&[target], Label::default()));
    }
}

impl Small {
    /// Lower bounds of the distance to what is wrong, which need not get smaller along a path.
    pub fn estimates(&self) -> Vec<u32> {
        let mut distance: Vec<u32> = self.wrong.iter().map(|&wrong| if wrong { 0 } else { 1000 }).collect();
        for _ in 0..self.edges.len() {
            for (state, edges) in self.edges.iter().enumerate() {
                let nearest = edges.iter().map(|&target| distance[usize::from(target)] + 1).min();
                distance[state] = distance[state].min(nearest.unwrap_or(1000));
            }
        }
        distance.iter().zip(&self.less).map(|(distance, less)| distance.saturating_sub(*less)).collect()
    }
}

/// Any such graph.
pub(super) fn small() -> impl Strategy<Value = Small> {
    (2_usize..14).prop_flat_map(|size| {
        let edges = prop::collection::vec(prop::collection::vec(0..size as u8, 0..4), size);
        let wrong = prop::collection::vec(prop::bool::weighted(0.15), size);
        (edges, wrong, prop::collection::vec(0_u32..6, size)).prop_map(|(edges, wrong, less)| Small {
            edges,
            wrong,
            less,
        })
    })
}
