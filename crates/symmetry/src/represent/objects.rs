//! The objects that a group permutes: columns of points that move together, and the forest they form.
//!
//! Orbits of points between which there is an equivariant bijection move in step; corresponding points make up one object: a
//! process with its variables, channels and number. The objects of a class are an orbit of the group. Where a class maps
//! equivariantly onto a smaller one, its objects are children of the objects there. Block systems add classes of objects
//! without points where blocks have none of their own. Objects that are determined by others, as the cell of a matrix is by its row and
//! column, are *derived* and stand outside the forest.
//!
//! The group preserves this forest. If its order is that of the forest's automorphism group, it is that group, an iterated
//! wreath product of symmetric groups, and orbits are found by sorting siblings ([`super::siblings`]); this covers the symmetric
//! group acting on columns, products of such groups, and trees of them. All other groups are searched along a
//! stabiliser chain ([`super::chain`]).

use group::{Group, Permutation, Point};
use num_bigint::BigUint;

use super::forest::LARGEST_TABLE;
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
    /// For a class whose objects are determined by objects of classes before: which, for each of its objects. Empty for others.
    pub(super) derivation: Vec<Origin>,
}

/// One of the objects that determine a derived one.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    pub(super) class: usize,
    /// By object of the derived class: the place in its class of the object.
    pub(super) places: Vec<u32>,
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
        let classes = |factor: &Group| {
            let drafts = classes_in_step(factor);
            let sets = drafts.iter().enumerate().map(|(index, draft)| (draft.set.clone(), Some(index)));
            let related = arranged(&drafts, &related(sets.collect()));
            related.into_iter().map(|class| Class { parent: None, ..class }).collect()
        };
        let drafts = factors.iter().map(classes).collect();
        Self::numbered(drafts, Structure::Other)
    }

    fn numbered(parts: Vec<Vec<Class>>, structure: Structure) -> Self {
        let mut classes: Vec<Class> = Vec::new();
        let mut next = 0;
        for part in parts {
            let before = classes.len();
            for class in part {
                let parent = class.parent.map(|parent| parent + before);
                let shifted = |origin: Origin| Origin { class: origin.class + before, ..origin };
                let derivation = class.derivation.into_iter().map(shifted).collect();
                let first = next;
                next += class.count as Object;
                classes.push(Class { first, parent, derivation, ..class });
            }
        }
        Self { classes, structure }
    }

    /// By object: whether it is determined by others.
    pub(super) fn derived(&self) -> Vec<bool> {
        let of_class = |class: &Class| std::iter::repeat_n(!class.derivation.is_empty(), class.count);
        self.classes.iter().flat_map(of_class).collect()
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

/// A set on which the group acts, about to be a class.
struct Candidate {
    set: GSet,
    /// The points, if it has some.
    draft: Option<usize>,
    /// The set of parents, by place among the candidates, and the parent of each element.
    parent: Option<(usize, Vec<u32>)>,
    /// The same for sets that determine it.
    derivation: Vec<(usize, Vec<u32>)>,
}

/// The classes as a forest, if the group is its automorphism group.
fn forest(group: &Group, drafts: &[Draft]) -> Option<Vec<Class>> {
    let own = || drafts.iter().enumerate().map(|(index, draft)| (draft.set.clone(), Some(index)));
    let candidates = related(own().collect());
    if automorphisms(&candidates) == group.order() {
        return Some(arranged(drafts, &candidates));
    }
    let mut sets: Vec<(GSet, Option<usize>)> = own().collect();
    for candidate in candidates.iter().filter(|candidate| candidate.derivation.is_empty()) {
        let draft = candidate.draft.expect("only sets of points so far");
        let systems = group.all_block_systems(&drafts[draft].rows[0]);
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
    let candidates = related(sets);
    (automorphisms(&candidates) == group.order()).then(|| arranged(drafts, &candidates))
}

/// Relates sets to smaller ones: those that are determined by others, and otherwise the largest that a set maps to as parent.
///
/// This is a guess; the order of the automorphism group decides whether it was right.
fn related(mut sets: Vec<(GSet, Option<usize>)>) -> Vec<Candidate> {
    sets.sort_by_key(|(set, _)| set.len());
    let mut candidates: Vec<Candidate> = Vec::new();
    for (set, draft) in sets {
        let mut parent = None;
        let mut derivation: Vec<(usize, Vec<u32>)> = Vec::new();
        let mut told_apart = 1;
        for (number, smaller) in candidates.iter().enumerate().rev() {
            if smaller.set.len() == set.len() || !smaller.derivation.is_empty() {
                continue;
            }
            for map in set.maps_to(&smaller.set) {
                parent.get_or_insert_with(|| (number, map.clone()));
                derivation.push((number, map));
                let tuples = distinct_tuples(&derivation, set.len());
                if tuples == told_apart {
                    derivation.pop();
                }
                told_apart = tuples;
            }
        }
        let table: usize = derivation.iter().map(|(origin, _)| candidates[*origin].set.len()).product();
        let is_derived = told_apart == set.len() && table <= LARGEST_TABLE;
        if !is_derived {
            candidates.push(Candidate { set, draft, parent, derivation: Vec::new() });
        } else if draft.is_some() {
            candidates.push(Candidate { set, draft, parent: None, derivation });
        }
    }
    candidates
}

fn distinct_tuples(maps: &[(usize, Vec<u32>)], elements: usize) -> usize {
    let tuple = |element: usize| maps.iter().map(|(_, map)| map[element]).collect::<Vec<u32>>();
    let mut tuples: Vec<Vec<u32>> = (0..elements).map(tuple).collect();
    tuples.sort_unstable();
    tuples.dedup();
    tuples.len()
}

/// The order of the forest's automorphism group.
fn automorphisms(candidates: &[Candidate]) -> BigUint {
    let orders = candidates.iter().filter(|candidate| candidate.derivation.is_empty()).map(|candidate| {
        let families = candidate.parent.as_ref().map_or(1, |(parent, _)| candidates[*parent].set.len());
        factorial(candidate.set.len() / families).pow(families as u32)
    });
    orders.product()
}

/// The classes of a forest, children in the order of their parents.
fn arranged(drafts: &[Draft], candidates: &[Candidate]) -> Vec<Class> {
    // By candidate: the place of each element in its class.
    let mut places: Vec<Vec<u32>> = Vec::new();
    let mut classes = Vec::new();
    for Candidate { set, draft, parent, derivation } in candidates {
        let mut elements: Vec<u32> = (0..set.len() as u32).collect();
        if let Some((parent, map)) = parent {
            elements.sort_by_key(|&element| places[*parent][map[element as usize] as usize]);
        }
        let mut place = vec![0; set.len()];
        (0..).zip(&elements).for_each(|(at, &element)| place[element as usize] = at);
        let origin = |(class, map): &(usize, Vec<u32>)| {
            let place_of = |&element: &u32| places[*class][map[element as usize] as usize];
            Origin { class: *class, places: elements.iter().map(place_of).collect() }
        };
        let arrange = |row: &Vec<Point>| elements.iter().map(|&element| row[element as usize]).collect();
        classes.push(Class {
            first: 0,
            count: set.len(),
            rows: draft.map_or(Vec::new(), |draft| drafts[draft].rows.iter().map(arrange).collect()),
            parent: parent.as_ref().map(|(parent, _)| *parent),
            derivation: derivation.iter().map(origin).collect(),
        });
        places.push(place);
    }
    classes
}

fn factorial(count: usize) -> BigUint {
    (1..=count).product()
}

#[cfg(test)]
mod tests {
    use super::{Objects, Structure};
    use group::{Group, Permutation, Point};

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
    fn cells_of_matrices_are_derived_from_rows_and_columns() {
        // All pairs of a row and a column, without points of their own for these.
        let cell = |row: Point, column: Point| row * 4 + column;
        let lift = |rows: Permutation, columns: Permutation| {
            let images = (0..12).map(|at| cell(rows.image(at / 4), columns.image(at % 4)));
            Permutation::from_images(images.collect::<Vec<Point>>()).unwrap()
        };
        let (rows, columns) = (Group::symmetric(3), Group::symmetric(4));
        let of_rows = rows.generators().iter().map(|g| lift(g.clone(), Permutation::identity(4)));
        let of_columns = columns.generators().iter().map(|g| lift(Permutation::identity(3), g.clone()));
        let grid = Group::generated_by(12, of_rows.chain(of_columns));
        let objects = Objects::of_factors(&grid.disjoint_factors());
        assert_eq!(objects.structure, Structure::Forest);
        let classes: Vec<_> = objects.classes.iter().map(|class| (class.count, class.derivation.len())).collect();
        assert_eq!(classes, [(3, 0), (4, 0), (12, 2)]);
        // A corner of the cube is known by its diagonal and its parity, and these may be permuted at will.
        let cube = Objects::of_factors(&[Group::hypercube(3)]);
        let classes: Vec<_> = cube.classes.iter().map(|class| (class.count, class.derivation.len())).collect();
        assert_eq!((cube.structure, classes), (Structure::Forest, vec![(2, 0), (4, 0), (8, 2)]));
    }

    #[test]
    fn other_groups_are_no_forests() {
        for group in [Group::cyclic(4), Group::dihedral(5), Group::hypercube(4), Group::alternating(5)] {
            assert_eq!(counts(&group).0, Structure::Other, "{group:?}");
        }
        let mixed = Group::symmetric(3).wreath_product(&Group::cyclic(3));
        assert_eq!(counts(&mixed).0, Structure::Other);
    }
}
