//! A set of vertices with insertion, removal and choice in constant time.

use crate::permutation::Point;

/// A set of vertices, as the vector of its members and the place of each in it.
#[derive(Clone, Debug)]
pub(super) struct VertexSet {
    members: Vec<Point>,
    /// By vertex: its place among the members, or [`ABSENT`].
    places: Vec<u32>,
}

const ABSENT: u32 = u32::MAX;

impl VertexSet {
    /// The empty set of vertices of a graph of this order.
    pub(super) fn new(order: usize) -> Self {
        Self { members: Vec::new(), places: vec![ABSENT; order] }
    }

    /// Some member.
    pub(super) fn any(&self) -> Option<Point> {
        self.members.last().copied()
    }

    /// All members, in no particular order.
    pub(super) fn members(&self) -> &[Point] {
        &self.members
    }

    pub(super) fn contains(&self, vertex: Point) -> bool {
        self.places[vertex as usize] != ABSENT
    }

    /// Makes the vertex a member or none.
    pub(super) fn set(&mut self, vertex: Point, member: bool) {
        if member { self.insert(vertex) } else { self.remove(vertex) }
    }

    pub(super) fn insert(&mut self, vertex: Point) {
        let place = &mut self.places[vertex as usize];
        if *place == ABSENT {
            *place = self.members.len() as u32;
            self.members.push(vertex);
        }
    }

    fn remove(&mut self, vertex: Point) {
        let place = std::mem::replace(&mut self.places[vertex as usize], ABSENT);
        if place != ABSENT {
            self.members.swap_remove(place as usize);
            if let Some(&moved) = self.members.get(place as usize) {
                self.places[moved as usize] = place;
            }
        }
    }

    pub(super) fn clear(&mut self) {
        for vertex in self.members.drain(..) {
            self.places[vertex as usize] = ABSENT;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::VertexSet;
    use crate::random::Random;
    use std::collections::BTreeSet;

    #[test]
    fn it_behaves_as_a_set() {
        let mut random = Random::from_seed(11);
        let (mut fast, mut plain) = (VertexSet::new(20), BTreeSet::new());
        for round in 0..2000 {
            let vertex = random.below(20) as u32;
            if random.below(2) == 0 {
                fast.insert(vertex);
                plain.insert(vertex);
            } else {
                fast.remove(vertex);
                plain.remove(&vertex);
            }
            if round % 500 == 499 {
                fast.clear();
                plain.clear();
            }
            assert_eq!(fast.any().is_some(), !plain.is_empty());
            assert_eq!(fast.members.iter().copied().collect::<BTreeSet<_>>(), plain);
            assert_eq!(fast.members.len(), plain.len());
        }
    }
}
