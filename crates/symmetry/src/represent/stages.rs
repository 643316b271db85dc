//! A group prepared for the search along its stabiliser chain: at each stage some objects are fixed, and the stage says what can be chosen next
//! and where that leads.
//!
//! Which object is chosen for first, second and so on may be the same for all states, or follow the state. For the latter there is a
//! stage for each stabiliser that can be reached: those of fewer objects fixed first lead to those of more, and different choices often
//! fix the same objects. What stands out in a state can then be chosen at
//! once, and once all that stands out is fixed nothing is left to search. Where there are too many stages, the order is the same for all states.

use std::collections::HashMap;
use std::ops::Range;

use group::{Group, Permutation};
use num_bigint::BigUint;

use super::layout::Layout;
use super::objects::{Class, Object, Objects, Origin};
use super::orbitals::orbitals;
use super::reading::scramble;
use super::refine::Relations;

/// How the search tells sources apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Guidance {
    /// By refined colours.
    Colours,
    /// By what they hold by themselves, references apart; all the rest is tried.
    Contents,
}

/// A group prepared for the search.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    /// The first is that of the whole group.
    pub(super) stages: Vec<Stage>,
    /// How many choices a path has at most.
    pub(super) depth: usize,
    pub(super) guidance: Guidance,
    pub(super) relations: Relations,
    /// By object: a number that is equal for objects whose transposition is in the group.
    pub(super) interchangeable: Vec<Object>,
    pub(super) colouring: Colouring,
}

/// The elements that fix some objects.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    /// The places whose source can be chosen, orbit by orbit; none for the identity alone.
    pub(super) places: Vec<Object>,
    /// What comes of choosing each.
    pub(super) choices: Vec<Choice>,
    /// Where the orbits of these are.
    pub(super) orbits: Vec<Range<usize>>,
    /// By object with a colour: a mark for its orbit, which no orbit of another stage has.
    pub(super) marks: Vec<u64>,
    /// The objects with colours that are moved, orbit by orbit.
    pub(super) moved: Vec<Vec<Object>>,
    pub(super) generators: Vec<Moves>,
    /// The number of elements is the product of these.
    pub(super) order: Vec<usize>,
}

/// The source of a place becomes that of the first place of its orbit.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    /// An element that carries the first place to this one, and its inverse.
    pub(super) carrier: Permutation,
    pub(super) back: Permutation,
    /// The stage that fixes the first place, too.
    pub(super) next: usize,
}

/// Which objects have colours.
///
/// Derived objects that hold nothing, such as the locations between which a node chooses a neighbour, are but names: to refer to one is
/// to refer to the objects that determine it. So they need no colours, of which there often are many.
#[derive(Clone, Debug)]
pub(super) struct Colouring {
    /// The objects before this one have colours.
    pub(super) coloured: usize,
    /// By object from there on: what determines it, with labels.
    pub(super) origins: Vec<Vec<(Object, u64)>>,
}

impl Colouring {
    fn new(objects: &Objects, layout: &Layout) -> Self {
        let holds_nothing = |class: &Class| {
            !class.derivation.is_empty()
                && layout.runs_of(class.first).is_empty()
                && layout.names_of(class.first).is_empty()
        };
        let names = objects.classes.iter().rev().take_while(|class| holds_nothing(class)).count();
        let (coloured, names) = objects.classes.split_at(objects.classes.len() - names);
        let coloured = coloured.iter().map(|class| class.count).sum();
        let mut origins = Vec::new();
        for (number, class) in (1u64..).zip(names) {
            for object in 0..class.count {
                let origin = |(at, origin): (u64, &Origin)| {
                    let first = objects.classes[origin.class].first;
                    (first + origin.places[object], scramble(number << 16 | at))
                };
                origins.push((1..).zip(&class.derivation).map(origin).collect());
            }
        }
        Self { coloured, origins }
    }

    pub(super) fn origins_of(&self, object: Object) -> &[(Object, u64)] {
        &self.origins[object as usize - self.coloured]
    }
}

/// The objects that an element moves, and where to, in the order of the objects.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    pub(super) list: Vec<(Object, Object)>,
    /// How many of them have colours.
    pub(super) coloured: usize,
}

/// With more objects or elements, stages are not looked for beyond those of one chain.
const MOST_OBJECTS: usize = 1 << 9;
const MOST_ELEMENTS: u64 = 1 << 32;

/// More stages than that take too long to find, and more images than that too much memory.
const MOST_STAGES: usize = 1 << 8;
const MOST_IMAGES: usize = 1 << 21;

/// Of more generators it takes too long to find out which can be spared.
const MOST_TO_REDUCE: usize = 16;

impl Chain {
    /// Prepares a group, given as it permutes the points.
    pub(super) fn new(group: &Group, objects: &Objects, layout: &Layout, guidance: Guidance) -> Self {
        let group = &objects.action(group);
        let colouring = Colouring::new(objects, layout);
        let builder = Builder { group, derived: objects.derived(), coloured: colouring.coloured, guidance };
        let mut stages = match guidance {
            Guidance::Colours => builder.all_stages().unwrap_or_else(|| builder.one_after_the_other()),
            Guidance::Contents => builder.one_after_the_other(),
        };
        let relations = match guidance {
            Guidance::Colours => orbitals(group, objects, colouring.coloured),
            Guidance::Contents => Relations::default(),
        };
        for (number, stage) in stages.iter_mut().enumerate() {
            stage.set_marks(number, colouring.coloured);
        }
        let depth = depth(&stages);
        Self { stages, depth, guidance, relations, interchangeable: interchangeable(group), colouring }
    }
}

/// The longest way through stages that lead to later ones only.
fn depth(stages: &[Stage]) -> usize {
    let mut depth = vec![0; stages.len()];
    for (number, stage) in stages.iter().enumerate().rev() {
        debug_assert!(stage.choices.iter().all(|choice| choice.next > number), "stages lead to later ones");
        depth[number] = stage.choices.iter().map(|choice| depth[choice.next] + 1).max().unwrap_or(0);
    }
    depth[0]
}

struct Builder<'a> {
    group: &'a Group,
    derived: Vec<bool>,
    coloured: usize,
    guidance: Guidance,
}

impl Builder<'_> {
    /// The stages of one chain: each has an orbit to choose from.
    fn one_after_the_other(&self) -> Vec<Stage> {
        let mut stages = Vec::new();
        let mut stabiliser = self.group.clone();
        while !stabiliser.is_trivial() {
            let orbits = stabiliser.orbits();
            // Of the longest, the first. What fixes all objects but derived ones fixes these too.
            let candidates = orbits.iter().rev().filter(|orbit| !self.derived[orbit[0] as usize]);
            let base = candidates.max_by_key(|orbit| orbit.len()).expect("a group that moves objects has orbits")[0];
            let mut stage = self.stage(&stabiliser);
            stage.add_orbit(&stabiliser, base, stages.len() + 1);
            stages.push(stage);
            stabiliser = stabiliser.point_stabiliser(base);
        }
        stages.push(self.stage(&stabiliser));
        stages
    }

    /// All stages that can be reached by choosing anything at each, if they are not too many.
    fn all_stages(&self) -> Option<Vec<Stage>> {
        if self.derived.len() > MOST_OBJECTS || self.group.order() > BigUint::from(MOST_ELEMENTS) {
            return None;
        }
        // A stage is known by the objects that it fixes. Those found are sorted later so that more fixed objects come later.
        let mut known: HashMap<Vec<Object>, usize> = HashMap::from([(fixed(self.group), 0)]);
        let mut groups = vec![self.group.clone()];
        let mut stages: Vec<Stage> = Vec::new();
        let mut images = 0;
        while stages.len() < groups.len() {
            let group = groups[stages.len()].clone();
            let mut stage = self.stage(&group);
            for orbit in group.orbits().iter().filter(|orbit| orbit.len() > 1 && !self.derived[orbit[0] as usize]) {
                let stabiliser = group.point_stabiliser(orbit[0]);
                let next = *known.entry(fixed(&stabiliser)).or_insert_with(|| {
                    groups.push(stabiliser);
                    groups.len() - 1
                });
                stage.add_orbit(&group, orbit[0], next);
                images += 2 * orbit.len() * self.derived.len();
                if groups.len() > MOST_STAGES || images > MOST_IMAGES {
                    return None;
                }
            }
            stages.push(stage);
        }
        let mut sorted: Vec<usize> = (0..stages.len()).collect();
        sorted.sort_by_key(|&stage| stages[stage].moved.iter().map(Vec::len).sum::<usize>());
        sorted.reverse();
        Some(renumbered(stages, &sorted))
    }

    fn stage(&self, group: &Group) -> Stage {
        let mut moved = group.orbits();
        moved.retain(|orbit| orbit.len() > 1 && (orbit[0] as usize) < self.coloured);
        let generators = match self.guidance {
            Guidance::Colours => moves(group, self.coloured),
            Guidance::Contents => Vec::new(),
        };
        let (marks, order) = (Vec::new(), group.orbit_lengths());
        Stage { places: Vec::new(), choices: Vec::new(), orbits: Vec::new(), marks, moved, generators, order }
    }
}

impl Stage {
    /// Lets sources of the orbit of a place be chosen for that place.
    fn add_orbit(&mut self, group: &Group, place: Object, next: usize) {
        let start = self.choices.len();
        let transversal = group.transversal(place);
        for (place, carrier) in transversal {
            self.places.push(place);
            self.choices.push(Choice { back: carrier.inverse(), carrier, next });
        }
        self.orbits.push(start..self.choices.len());
    }

    fn set_marks(&mut self, number: usize, coloured: usize) {
        let mark = |object: Object| scramble((number as u64 + 1) << 32 | u64::from(object) + 1);
        self.marks = (0..coloured as Object).map(mark).collect();
        for orbit in &self.moved {
            orbit.iter().for_each(|&object| self.marks[object as usize] = mark(orbit[0]));
        }
    }
}

/// The objects that a group leaves where they are.
fn fixed(group: &Group) -> Vec<Object> {
    let is_fixed = |object: &Object| group.generators().iter().all(|generator| generator.image(*object) == *object);
    (0..group.degree() as Object).filter(is_fixed).collect()
}

/// The stages in the order given, which is one of their numbers.
fn renumbered(stages: Vec<Stage>, order: &[usize]) -> Vec<Stage> {
    let mut number = vec![0; order.len()];
    order.iter().enumerate().for_each(|(new, &old)| number[old] = new);
    let mut renumbered: Vec<(usize, Stage)> = number.iter().copied().zip(stages).collect();
    renumbered.sort_by_key(|&(number, _)| number);
    for (_, stage) in &mut renumbered {
        stage.choices.iter_mut().for_each(|choice| choice.next = number[choice.next]);
    }
    renumbered.into_iter().map(|(_, stage)| stage).collect()
}

/// Few generators of a group, as the objects that each moves.
fn moves(group: &Group, coloured: usize) -> Vec<Moves> {
    let moved = |element: &Permutation| {
        let images = (0..).zip(element.images().iter().copied());
        let list: Vec<(Object, Object)> = images.filter(|(object, image)| object != image).collect();
        Moves { coloured: list.partition_point(|&(object, _)| (object as usize) < coloured), list }
    };
    if group.generators().len() > MOST_TO_REDUCE {
        return group.generators().iter().map(moved).collect();
    }
    group.with_reduced_generators().generators().iter().map(moved).collect()
}

/// Within an orbit, being interchangeable is a block system: it is enough to know the block of one object.
fn interchangeable(group: &Group) -> Vec<Object> {
    let degree = group.degree();
    let mut leader: Vec<Object> = (0..degree as Object).collect();
    for orbit in group.orbits() {
        let first = orbit[0];
        let swaps = |&other: &Object| {
            Permutation::from_cycles(degree, &[[first, other]]).is_ok_and(|swap| group.contains(&swap))
        };
        let block: Vec<Object> = orbit[1..].iter().copied().filter(swaps).chain([first]).collect();
        for (_, carrier) in group.transversal(first) {
            let least = block.iter().map(|&object| carrier.image(object)).min().unwrap_or(first);
            block.iter().for_each(|&object| leader[carrier.image(object) as usize] = least);
        }
    }
    leader
}
