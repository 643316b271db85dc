//! A forest of objects compiled for the search among siblings: families, children, and derived objects.

use super::objects::{Class, Object, Objects};
use super::reading::scramble;
use super::refine::{Relation, Relations};

/// The forest, compiled.
#[derive(Clone, Debug)]
pub(super) struct Forest {
    /// Ranges of siblings, classes in order.
    pub(super) families: Vec<Family>,
    /// By class, its children: how many of each child class an object has, and where those of the first object start.
    pub(super) children: Vec<Vec<Brood>>,
    /// By object.
    pub(super) class: Vec<u32>,
    pub(super) first: Vec<Object>,
    /// From child to parent, and from derived objects to those that determine them.
    pub(super) relations: Relations,
    /// By object: the objects whose colours take in its own, which come before it, with labels.
    pub(super) above: Vec<Vec<(Object, u64)>>,
    /// By object: its place in `families`, if it is not derived.
    pub(super) family: Vec<u32>,
    pub(super) derived: Vec<Derived>,
    /// By object: the derived objects that it determines, as places in `derived` and among its objects, and which origin it is.
    pub(super) derives: Vec<Vec<(u32, u32, u32)>>,
    /// By object: its parent, or that it has none, or that it is derived.
    parents: Vec<Object>,
    pub(super) has_parents: bool,
    /// The objects with children.
    pub(super) parental: Vec<Object>,
    pub(super) effort: Effort,
}

const NO_PARENT: Object = Object::MAX;
const DERIVED: Object = Object::MAX - 1;

/// What is done about ties between siblings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// Whatever it takes.
    Exact,
    /// Nothing: they stay in the order they are in.
    SortOnly,
}

/// A class of derived objects.
#[derive(Clone, Debug)]
pub(super) struct Derived {
    pub(super) first: Object,
    /// How many objects determine one.
    pub(super) arity: usize,
    /// By object: what determines it.
    pub(super) origins: Vec<Object>,
    /// From origins to the object: the place of the `i`-th origin in its class counts `steps[i]`.
    pub(super) table: Vec<Object>,
    pub(super) starts: Vec<Object>,
    pub(super) steps: Vec<usize>,
}

/// Larger tables of derived objects are not made.
pub(super) const LARGEST_TABLE: usize = 1 << 22;

impl Derived {
    pub(super) fn new(objects: &Objects, class: &Class) -> Self {
        let arity = class.derivation.len();
        let mut steps = Vec::with_capacity(arity);
        let mut size = 1;
        for origin in &class.derivation {
            steps.push(size);
            size *= objects.classes[origin.class].count;
        }
        let starts: Vec<Object> = class.derivation.iter().map(|origin| objects.classes[origin.class].first).collect();
        let mut derived =
            Self { first: class.first, arity, origins: Vec::new(), table: vec![Object::MAX; size], starts, steps };
        for object in 0..class.count {
            let origins =
                class.derivation.iter().zip(&derived.starts).map(|(origin, start)| start + origin.places[object]);
            derived.origins.extend(origins);
            let place = derived.place(object, |origin| origin);
            derived.table[place] = class.first + object as Object;
        }
        derived
    }

    pub(super) fn origins_of(&self, object: usize) -> &[Object] {
        &self.origins[object * self.arity..][..self.arity]
    }

    /// The place in the table of what takes the place of an object when others take the place of its origins.
    #[inline]
    pub(super) fn place(&self, object: usize, moved: impl Fn(Object) -> Object) -> usize {
        let origins = self.origins_of(object).iter().zip(&self.starts).zip(&self.steps);
        origins.map(|((&origin, start), step)| (moved(origin) - start) as usize * step).sum()
    }

    #[inline]
    pub(super) fn image(&self, object: usize, moved: impl Fn(Object) -> Object) -> Object {
        self.table[self.place(object, moved)]
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Family {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) class: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Brood {
    pub(super) first: Object,
    pub(super) size: usize,
}

impl Forest {
    pub(super) fn new(objects: &Objects, effort: Effort) -> Self {
        let mut forest = Self {
            families: Vec::new(),
            children: vec![Vec::new(); objects.classes.len()],
            class: Vec::new(),
            first: objects.classes.iter().map(|class| class.first).collect(),
            relations: Relations::default(),
            above: vec![Vec::new(); objects.count()],
            family: vec![u32::MAX; objects.count()],
            derived: Vec::new(),
            derives: vec![Vec::new(); objects.count()],
            parents: vec![NO_PARENT; objects.count()],
            has_parents: objects.classes.iter().any(|class| class.parent.is_some()),
            parental: Vec::new(),
            effort,
        };
        for (number, class) in objects.classes.iter().enumerate() {
            if !class.derivation.is_empty() {
                forest.class.extend(std::iter::repeat_n(number as u32, class.count));
                forest.add_derived(objects, number, class);
                continue;
            }
            let families = class.parent.map_or(1, |parent| objects.classes[parent].count);
            let size = class.count / families;
            for family in 0..families {
                let start = class.first as usize + family * size;
                forest.families.push(Family { start, end: start + size, class: number });
            }
            forest.class.extend(std::iter::repeat_n(number as u32, class.count));
            if let Some(parent) = class.parent {
                forest.children[parent].push(Brood { first: class.first, size });
                let above = objects.classes[parent].first;
                let relation = |index: usize| Relation {
                    from: class.first + index as Object,
                    to: above + (index / size) as Object,
                    label: scramble(u64::MAX - number as u64),
                };
                forest.relations.single.extend((0..class.count).map(relation));
                for index in 0..class.count {
                    forest.parents[class.first as usize + index] = above + (index / size) as Object;
                }
            }
        }
        for (number, family) in (0..).zip(&forest.families) {
            forest.family[family.start..family.end].fill(number);
        }
        for &Relation { from, to, label } in &forest.relations.single {
            debug_assert!(to < from, "objects come after those whose colours take in theirs");
            forest.above[from as usize].push((to, label));
        }
        let is_parental = |object: &Object| !forest.children[forest.class[*object as usize] as usize].is_empty();
        forest.parental = (0..forest.objects() as Object).filter(is_parental).collect();
        forest
    }

    pub(super) fn add_derived(&mut self, objects: &Objects, number: usize, class: &Class) {
        let derived = Derived::new(objects, class);
        for object in 0..class.count {
            self.parents[class.first as usize + object] = DERIVED;
            for (at, &origin) in derived.origins_of(object).iter().enumerate() {
                self.derives[origin as usize].push((self.derived.len() as u32, object as u32, at as u32));
                let label = scramble(u64::MAX - number as u64 - ((at as u64 + 1) << 32));
                self.relations.single.push(Relation { from: class.first + object as Object, to: origin, label });
            }
        }
        self.derived.push(derived);
    }

    pub(super) fn brood(&self, parent: Object, brood: Brood) -> std::ops::Range<usize> {
        let index = (parent - self.first[self.class[parent as usize] as usize]) as usize;
        let start = brood.first as usize + index * brood.size;
        start..start + brood.size
    }

    pub(super) fn objects(&self) -> usize {
        self.class.len()
    }

    /// Whether no other object moves with an object: none is below it, none derived from it.
    pub(super) fn is_simple(&self, object: Object) -> bool {
        self.children[self.class[object as usize] as usize].is_empty() && self.derives[object as usize].is_empty()
    }

    pub(super) fn is_derived(&self, object: Object) -> bool {
        self.parents[object as usize] == DERIVED
    }

    pub(super) fn parent(&self, object: Object) -> Option<Object> {
        let parent = self.parents[object as usize];
        (parent < DERIVED).then_some(parent)
    }
}
