//! A stabiliser chain prepared for image search: orbits, representatives, and which places to read after each choice.
//!
//! An element `t` of the group names for each place the point its new content comes from: `w[p] = v[p·t]`. Level `k`
//! chooses the source of its root among the orbit; `t` is then known up to the next stabiliser `G_{k+1}`. So the
//! contents of each orbit of `G_{k+1}` are known as multisets. Those orbits that are new at this level, and what they
//! contain, tell choices apart.

use crate::chain::Chain;
use crate::construct;
use crate::group::Group;
use crate::orbit::orbits;
use crate::permutation::{Permutation, Point};

use super::Representative;

#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) degree: usize,
    pub(super) representative: Representative,
    pub(super) levels: Vec<Level>,
}

#[derive(Clone, Debug)]
pub(super) struct Level {
    /// The orbit of the root under this level's group; the root comes first.
    pub(super) orbit: Vec<Point>,
    /// For each orbit point an element that carries the root to it.
    pub(super) representatives: Vec<Permutation>,
    /// The places to read, cell by cell, once the source of the root is chosen.
    pub(super) cells: Vec<Vec<Point>>,
}

impl Plan {
    /// The plan for a group that moves all its points.
    pub(super) fn new(group: &Group, representative: Representative) -> Self {
        let degree = group.degree();
        let base = match representative {
            Representative::Minimal => (0..degree as Point).collect(),
            Representative::Canonical => greedy_base(group),
        };
        let chain = construct::with_base(group.chain(), &base);
        let moving: Vec<usize> =
            (0..chain.levels().len()).filter(|&level| chain.levels()[level].orbit().len() > 1).collect();
        let next = |place: usize| moving.get(place + 1).copied();
        let levels = moving.iter().enumerate().map(|(place, &level)| {
            let cells = match representative {
                Representative::Minimal => fixed_places(level, next(place).unwrap_or(degree)),
                Representative::Canonical => new_cells(&chain, level),
            };
            let here = &chain.levels()[level];
            let representative =
                |&point: &Point| here.representative(point).expect("orbit points have representatives");
            Level {
                orbit: here.orbit().to_vec(),
                representatives: here.orbit().iter().map(representative).collect(),
                cells,
            }
        });
        Self { degree, representative, levels: levels.collect() }
    }
}

/// For the minimal image: the places after the root `level` that are fixed with it, one by one in order.
fn fixed_places(level: usize, next: usize) -> Vec<Vec<Point>> {
    (level + 1..next).map(|place| vec![place as Point]).collect()
}

/// For a canonical image: the next stabiliser's orbits that are no orbits of this level's group, but one of each split.
///
/// The one left out, the longest, is determined by the others. The root is left out too: its content is chosen.
fn new_cells(chain: &Chain, level: usize) -> Vec<Vec<Point>> {
    let orbits_at = |level| orbits(chain.degree(), chain.generators_at(level).map(|step| &step.forward));
    let after = orbits_at(level + 1);
    let mut cells: Vec<Vec<Point>> = Vec::new();
    for orbit in orbits_at(level) {
        let mut pieces: Vec<&Vec<Point>> =
            after.iter().filter(|piece| orbit.binary_search(&piece[0]).is_ok()).collect();
        pieces.sort_by_key(|piece| piece.len());
        pieces.pop();
        cells.extend(pieces.into_iter().filter(|piece| piece[..] != [chain.levels()[level].root()]).cloned());
    }
    // Short cells are read first: they are the cheapest to compare.
    cells.sort_by_key(Vec::len);
    cells
}

/// A base that takes a point of the longest remaining orbit each time, so that it is short.
fn greedy_base(group: &Group) -> Vec<Point> {
    let mut base = Vec::new();
    let mut stabiliser = group.clone();
    while !stabiliser.is_trivial() {
        let orbits = stabiliser.orbits();
        // Of the longest, the first: the choice must depend on the group only.
        let longest =
            orbits.iter().rev().max_by_key(|orbit| orbit.len()).expect("a group that moves points has orbits");
        base.push(longest[0]);
        stabiliser = stabiliser.point_stabiliser(longest[0]);
    }
    base
}
