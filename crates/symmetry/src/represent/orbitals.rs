//! The orbits of a group on pairs of objects, as relations along which colours are refined.
//!
//! Of the orbits of a point's stabiliser within an orbit, the longest is known from the others and left out. So are long ones where there
//! are many short ones: what they tell, a few rounds along the others tell too, as a rule.

use group::{Group, Point};

use super::objects::{Object, Objects};
use super::reading::scramble;
use super::refine::{Neighbours, Relation, Relations};

/// With more objects, pairs are too many to look at for each state.
const MOST_OBJECTS: usize = 256;

/// The shortest orbitals are taken, as long as an object has no more neighbours in all.
const MOST_NEIGHBOURS: usize = 16;

/// Pairs of one orbit.
struct Orbital {
    label: u64,
    pairs: Vec<(Object, Object)>,
}

/// The relations of a group of permutations of objects among the first ones of these, which have colours. Derived objects are related
/// to those that determine them only.
pub(super) fn orbitals(group: &Group, objects: &Objects, coloured: usize) -> Relations {
    let mut relations = Relations { single: derivations(objects, coloured), neighbours: Vec::new() };
    let derived = objects.derived();
    if derived.iter().filter(|derived| !**derived).count() > MOST_OBJECTS {
        return relations;
    }
    let mut orbits = group.orbits();
    orbits.retain(|orbit| !derived[orbit[0] as usize]);
    let long = orbits.iter().filter(|orbit| orbit.len() > 1);
    let found: Vec<Orbital> = long.flat_map(|orbit| informative(group, &orbits, orbit)).collect();
    let reversed = |orbital: &Orbital| {
        let (from, to) = orbital.pairs[0];
        found.iter().any(|other| other.pairs.contains(&(to, from)))
    };
    for orbital in &found {
        let forward = orbital.pairs.iter().copied();
        relations.neighbours.push(Neighbours::new(orbital.label, forward));
        // What comes the other way is told by the reversed pairs, if they are an orbital that is there.
        if !reversed(orbital) {
            let backward = orbital.pairs.iter().map(|&(from, to)| (to, from));
            relations.neighbours.push(Neighbours::new(scramble(orbital.label), backward));
        }
    }
    relations
}

fn derivations(objects: &Objects, coloured: usize) -> Vec<Relation> {
    let mut relations = Vec::new();
    let with_colours = objects.classes.iter().filter(|class| (class.first as usize) < coloured);
    for (number, class) in with_colours.enumerate() {
        for (at, origin) in class.derivation.iter().enumerate() {
            let label = scramble((number as u64 + 1) << 48 | (at as u64 + 1) << 32);
            let start = objects.classes[origin.class].first;
            let relation = |(from, place): (Object, &u32)| Relation { from, to: start + place, label };
            relations.extend((class.first..).zip(&origin.places).map(relation));
        }
    }
    relations
}

/// The orbitals from one orbit to all that tell something.
fn informative(group: &Group, orbits: &[Vec<Point>], orbit: &[Point]) -> Vec<Orbital> {
    let first = orbit[0];
    let pieces = group.point_stabiliser(first).orbits();
    let mut chosen: Vec<&Vec<Point>> = Vec::new();
    for whole in orbits {
        let mut parts: Vec<&Vec<Point>> =
            pieces.iter().filter(|piece| whole.binary_search(&piece[0]).is_ok()).collect();
        parts.sort_by_key(|piece| piece.len());
        parts.pop();
        chosen.extend(parts.into_iter().filter(|piece| piece[..] != [first]));
    }
    chosen.sort_by_key(|piece| piece.len());
    let mut neighbours = 0;
    let is_short = |piece: &&Vec<Point>| {
        let none = neighbours == 0;
        neighbours += piece.len();
        none || neighbours <= MOST_NEIGHBOURS
    };
    let chosen: Vec<&Vec<Point>> = chosen.into_iter().take_while(is_short).collect();
    let carriers = group.transversal(first);
    let orbital = |piece: &&Vec<Point>| {
        let label = scramble(u64::MAX - (u64::from(first) << 32 | u64::from(piece[0])));
        let pairs = carriers.iter().flat_map(|(object, carrier)| piece.iter().map(|&to| (*object, carrier.image(to))));
        Orbital { label, pairs: pairs.collect() }
    };
    chosen.iter().map(orbital).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_in_a_cube_relate_its_corners() {
        let group = Group::hypercube(4);
        let objects = Objects::without_forest(std::slice::from_ref(&group));
        let relations = orbitals(&objects.action(&group), &objects, objects.count());
        // Of the distances 1, 2, 3 and 4, 2 has most corners and goes without saying; all are the same both ways.
        assert_eq!(relations.neighbours.len(), 3);
    }

    #[test]
    fn steps_along_a_ring_have_a_direction() {
        let group = Group::cyclic(5);
        let objects = Objects::without_forest(std::slice::from_ref(&group));
        let relations = orbitals(&objects.action(&group), &objects, objects.count());
        // Of the four steps one goes without saying, and is the reverse of another, which is told both ways.
        assert_eq!(relations.neighbours.len(), 4);
    }
}
