//! The objects that a group permutes: columns of points that move together, and the forest they form.
//!
//! Orbits of points between which there is an equivariant bijection move in step; corresponding points make up one object: a
//! process with its variables, channels and number. The objects of a class are an orbit of the group. Where a class maps
//! equivariantly onto a smaller one, its objects are children of the objects there. Block systems add classes of objects
//! without points where blocks have none of their own.
//!
//! The group preserves this forest. If its order is that of the forest's automorphism group, it is that group, an iterated
//! wreath product of symmetric groups, and orbits are found by sorting siblings ([`super::siblings`]); this covers the symmetric
//! group acting on columns, products of such groups, and trees of them. All other groups are searched along a
//! stabiliser chain ([`super::chain`]).

use group::{Group, Permutation, Point};
use num_bigint::BigUint;

use super::gset::GSet;

/// An object's number.
pub(super) type Object = u32;

/// The objects of a group.
#[derive(Clone, Debug)]
pub(super) struct Objects {
    pub(super) classes: Vec<Class>,
    pub(super) structure: Structure,
}

/// What the group does with the objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Structure {
    /// All permutations that keep classes and parents.
    Forest,
    /// Some of them.
    Other,
}

/// An orbit of objects.
#[derive(Clone, Debug)]
pub(super) struct Class {
    /// The first object; the others follow it.
    pub(super) first: Object,
    pub(super) count: usize,
    /// By row: the point of each object.
    pub(super) rows: Vec<Vec<Point>>,
    /// The class of the parents, which comes before this one. The children of an object are consecutive, and the children of
    /// consecutive objects follow each other. Not given unless the structure is a forest.
    pub(super) parent: Option<usize>,
}

/// A class being found.
struct Draft {
    set: GSet,
    rows: Vec<Vec<Point>>,
}

/// More block systems than that are not those of a forest worth finding.
const MOST_BLOCK_SYSTEMS: usize = 16;

impl Objects {
    /// The objects of a group that is a product of the given factors with disjoint supports.
    pub(super) fn of_factors(factors: &[Group]) -> Self {
        let drafts: Vec<Vec<Draft>> = factors.iter().map(classes_in_step).collect();
        let forests: Option<Vec<Vec<Class>>> =
            factors.iter().zip(&drafts).map(|(factor, drafts)| forest(factor, drafts)).collect();
        match forests {
            Some(forests) => Self::numbered(forests, Structure::Forest),
            None => Self::without_forest(factors),
        }
    }

    /// The same without looking for a forest.
    pub(super) fn without_forest(factors: &[Group]) -> Self {
        let drafts = factors.iter().map(|factor| classes_in_step(factor).iter().map(unrelated).collect()).collect();
        Self::numbered(drafts, Structure::Other)
    }

    fn numbered(parts: Vec<Vec<Class>>, structure: Structure) -> Self {
        let mut classes: Vec<Class> = Vec::new();
        let mut next = 0;
        for part in parts {
            let before = classes.len();
            for class in part {
                let parent = class.parent.map(|parent| parent + before);
                let first = next;
                next += class.count as Object;
                classes.push(Class { first, parent, ..class });
            }
        }
        Self { classes, structure }
    }

    pub(super) fn count(&self) -> usize {
        self.classes.iter().map(|class| class.count).sum()
    }

    /// The group as it permutes the objects.
    pub(super) fn action(&self, group: &Group) -> Group {
        let mut number = vec![0; group.degree()];
        for class in &self.classes {
            for row in &class.rows {
                row.iter().zip(class.first..).for_each(|(&point, object)| number[point as usize] = object);
            }
        }
        let lead = |class: &Class| class.rows[0].clone();
        let leads: Vec<Point> = self.classes.iter().flat_map(lead).collect();
        let act = |generator: &Permutation| {
            let images: Vec<Point> = leads.iter().map(|&lead| number[generator.image(lead) as usize]).collect();
            Permutation::from_images(images).expect("a group permutes its objects")
        };
        Group::of_known_order(leads.len(), group.generators().iter().map(act), &group.order())
    }
}

fn unrelated(draft: &Draft) -> Class {
    Class { first: 0, count: draft.set.len(), rows: draft.rows.clone(), parent: None }
}

/// The moved orbits, those in step together.
fn classes_in_step(group: &Group) -> Vec<Draft> {
    let mut drafts: Vec<Draft> = Vec::new();
    for orbit in group.orbits().into_iter().filter(|orbit| orbit.len() > 1) {
        let set = GSet::of_points(group, &orbit);
        let equally_long = drafts.iter_mut().filter(|draft| draft.set.len() == set.len());
        let known = equally_long.map(|draft| (draft.set.map_to(&set), draft)).find(|(map, _)| map.is_some());
        match known {
            Some((Some(map), draft)) => draft.rows.push(map.iter().map(|&place| orbit[place as usize]).collect()),
            _ => drafts.push(Draft { set, rows: vec![orbit] }),
        }
    }
    drafts
}

/// The classes as a forest, if the group is its automorphism group.
fn forest(group: &Group, drafts: &[Draft]) -> Option<Vec<Class>> {
    let mut sets: Vec<(GSet, Option<usize>)> = Vec::new();
    for (index, draft) in drafts.iter().enumerate() {
        sets.push((draft.set.clone(), Some(index)));
    }
    for draft in drafts {
        // A symmetric group has no blocks; its order tells at once.
        if group.order() == factorial(draft.set.len()) {
            continue;
        }
        let systems = group.all_block_systems(&draft.rows[0]);
        if systems.len() > MOST_BLOCK_SYSTEMS {
            return None;
        }
        for system in systems {
            let set = GSet::of_blocks(group, &system);
            if !sets.iter().any(|(known, _)| known.len() == set.len() && known.map_to(&set).is_some()) {
                sets.push((set, None));
            }
        }
    }
    // Parents come first. The parent is the largest smaller set with a map; the order decides whether that was right.
    sets.sort_by_key(|(set, _)| set.len());
    let parents: Vec<Option<(usize, Vec<u32>)>> = (0..sets.len())
        .map(|child| {
            let smaller = (0..child).rev().filter(|&other| sets[other].0.len() < sets[child].0.len());
            smaller
                .map(|other| (other, sets[child].0.map_to(&sets[other].0)))
                .find_map(|(other, map)| Some((other, map?)))
        })
        .collect();
    let mut order = BigUint::from(1u32);
    for ((set, _), parent) in sets.iter().zip(&parents) {
        let families = parent.as_ref().map_or(1, |(parent, _)| sets[*parent].0.len());
        order *= factorial(set.len() / families).pow(families as u32);
    }
    if order != group.order() {
        return None;
    }
    // Children follow the order of their parents.
    let mut places: Vec<Vec<u32>> = Vec::new();
    let mut classes = Vec::new();
    for ((set, draft), parent) in sets.iter().zip(&parents) {
        let mut elements: Vec<u32> = (0..set.len() as u32).collect();
        if let Some((parent, map)) = parent {
            elements.sort_by_key(|&element| places[*parent][map[element as usize] as usize]);
        }
        let mut place = vec![0; set.len()];
        (0..).zip(&elements).for_each(|(at, &element)| place[element as usize] = at);
        places.push(place);
        let arrange = |row: &Vec<Point>| elements.iter().map(|&element| row[element as usize]).collect();
        let rows = draft.map_or(Vec::new(), |draft| drafts[draft].rows.iter().map(arrange).collect());
        classes.push(Class { first: 0, count: set.len(), rows, parent: parent.as_ref().map(|(parent, _)| *parent) });
    }
    Some(classes)
}

fn factorial(count: usize) -> BigUint {
    (1..=count).product()
}

#[cfg(test)]
mod tests {
    use super::{Objects, Structure};
    use group::Group;

    fn counts(group: &Group) -> (Structure, Vec<(usize, Option<usize>, usize)>) {
        let objects = Objects::of_factors(&group.disjoint_factors());
        let classes = objects.classes.iter().map(|class| (class.count, class.parent, class.rows.len()));
        (objects.structure, classes.collect())
    }

    #[test]
    fn products_and_wreath_products_of_symmetric_groups_are_forests() {
        assert_eq!(counts(&Group::symmetric(4)), (Structure::Forest, vec![(4, None, 1)]));
        let product = Group::disjoint_product(&[Group::symmetric(3), Group::symmetric(4)]);
        assert_eq!(counts(&product), (Structure::Forest, vec![(3, None, 1), (4, None, 1)]));
        let wreath = Group::symmetric(3).wreath_product(&Group::symmetric(4));
        assert_eq!(counts(&wreath), (Structure::Forest, vec![(4, None, 0), (12, Some(0), 1)]));
        let three = Group::symmetric(2).wreath_product(&Group::symmetric(2)).wreath_product(&Group::symmetric(3));
        assert_eq!(counts(&three), (Structure::Forest, vec![(3, None, 0), (6, Some(0), 0), (12, Some(1), 1)]));
    }

    #[test]
    fn other_groups_are_no_forests() {
        for group in [Group::cyclic(4), Group::dihedral(5), Group::hypercube(3), Group::alternating(5)] {
            assert_eq!(counts(&group).0, Structure::Other, "{group:?}");
        }
        let mixed = Group::symmetric(3).wreath_product(&Group::cyclic(3));
        assert_eq!(counts(&mixed).0, Structure::Other);
    }
}
