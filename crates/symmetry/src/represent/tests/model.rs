//! Random shapes on which a given group acts: objects with numbers, references, messages and locations, placed at random.

use group::{Group, Permutation, Point, Random};
use machine::state::ScalarAt;

use crate::shape::{Content, DomainId, Shape, Slot, SlotId, Validity};

/// How much there is of each kind; the first group for each object, the second once.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Parts {
    pub(super) numbers: usize,
    pub(super) names: usize,
    /// Locations in a domain of each object's own.
    pub(super) locations: usize,
    /// The capacity of a channel of each object.
    pub(super) own_messages: u32,
    /// A number for each pair of different objects.
    pub(super) pairs: usize,
    /// A name for each pair.
    pub(super) pair_names: usize,

    pub(super) globals: usize,
    pub(super) global_names: usize,
    /// The capacity of a global channel.
    pub(super) messages: u32,
    /// Whether each orbit of objects has a domain of its own, and names of others occur in globals only.
    pub(super) own_domains: bool,
}

/// A shape, a group of its symmetries, and what its slots are.
pub(super) struct Model {
    pub(super) shape: Shape,
    pub(super) group: Group,
    pub(super) numbers: Vec<SlotId>,
    pub(super) names: Vec<SlotId>,
    lengths: Vec<(SlotId, u32)>,
}

/// What a slot is, by the objects it belongs to: none, one, or two.
#[derive(Clone, PartialEq, Eq)]
struct Role {
    kind: usize,
    index: usize,
    owners: Vec<Point>,
}

const NUMBER: usize = 0;
const NAME: usize = 1;
const LOCATION: usize = 2;
const LENGTH: usize = 3;
const MESSAGE: usize = 4;
const PAIR: usize = 5;
const PAIR_NAME: usize = 6;

impl Model {
    /// Slots in the order of objects, names numbered from one.
    pub(super) fn plain(group: &Group, parts: Parts) -> Self {
        Self::build(group, parts, None)
    }

    /// Slots, widths and names at random.
    pub(super) fn new(group: &Group, parts: Parts, random: &mut Random) -> Self {
        Self::build(group, parts, Some(random))
    }

    fn build(objects: &Group, parts: Parts, mut random: Option<&mut Random>) -> Self {
        let mut roles = roles(objects, parts);
        if let Some(random) = random.as_deref_mut() {
            let order = Permutation::random(roles.len(), random);
            roles = order.permute(&roles);
        }
        let orbits = objects.orbits();
        let domain_of = |object: Point| match parts.own_domains {
            true => orbits.iter().position(|orbit| orbit.contains(&object)).expect("orbits cover the objects") as u32,
            false => 0,
        };
        let name_domains = if parts.own_domains { orbits.len() as u32 } else { 1 };
        let formed = |kind: usize, index: usize| [1u8, 2, 4, 1][(3 * kind + index) % 4];
        let mut shape = Shape::default();
        let mut offset = 0;
        for role in &roles {
            let width = if random.is_some() { formed(role.kind, role.index) } else { 1 };
            let length =
                SlotId(roles.iter().position(|r| r.kind == LENGTH && r.owners == role.owners).unwrap_or(0) as u32);
            let names =
                DomainId(role.owners.first().map_or(role.index as u32 % name_domains, |&object| domain_of(object)));
            let (content, validity) = match role.kind {
                NAME | PAIR_NAME => (Content::Name(names), Validity::Always),
                MESSAGE => (Content::Name(names), Validity::Beyond { length, position: role.index as u32 }),
                LOCATION => (Content::Name(DomainId(name_domains + role.owners[0])), Validity::Always),
                _ => (Content::Number, Validity::Always),
            };
            // A byte that is in no slot now and then.
            offset += u32::from(random.as_deref_mut().is_some_and(|random| random.below(4) == 0));
            shape.add_slot(Slot { at: ScalarAt { offset, width, signed: role.kind == NAME }, content, validity });
            offset += u32::from(width);
        }
        shape.length = offset as usize;
        let mut value_points: Vec<Vec<Point>> = Vec::new();
        for number in 0..name_domains {
            let members = (0..objects.degree() as Point).filter(|&object| domain_of(object) == number);
            // Some names are those of nothing that is permuted.
            let values: Vec<i32> = members.clone().map(|object| name(object, random.is_some())).chain([100]).collect();
            let domain = shape.add_domain(values);
            let domain = &shape.domains[domain.0 as usize];
            let points = (0..objects.degree() as Point).map(|object| domain.point(name(object, random.is_some())));
            let points: Vec<Point> = points.map(|point| point.unwrap_or(Point::MAX)).collect();
            value_points.push(points);
        }
        // Locations of odd objects are numbered the other way round, half of the time.
        let reversed = random.is_some_and(|random| random.below(2) == 0);
        let mut location_points = Vec::new();
        for object in 0..objects.degree() {
            let domain = shape.add_domain((0..parts.locations as i32).collect());
            let first = shape.domains[domain.0 as usize].first_point;
            let flip = reversed && object % 2 == 1;
            let point = |at: usize| first + if flip { parts.locations - 1 - at } else { at } as Point;
            location_points.push((0..parts.locations).map(point).collect::<Vec<Point>>());
        }
        let lift = |element: &Permutation| {
            let mut images: Vec<Point> = (0..shape.degree() as Point).collect();
            for (slot, role) in roles.iter().enumerate() {
                let owners = role.owners.iter().map(|&owner| element.image(owner)).collect();
                let image = Role { owners, ..role.clone() };
                images[slot] =
                    roles.iter().position(|role| *role == image).expect("all objects have all roles") as Point;
            }
            for object in 0..objects.degree() {
                let image = element.image(object as Point) as usize;
                for points in value_points.iter().filter(|points| points[object] != Point::MAX) {
                    images[points[object] as usize] = points[image];
                }
                for (&from, &to) in location_points[object].iter().zip(&location_points[image]) {
                    images[from as usize] = to;
                }
            }
            Permutation::from_images(images).expect("a symmetry of objects permutes their points")
        };
        let generators: Vec<Permutation> = objects.generators().iter().map(lift).collect();
        let group = Group::generated_by(shape.degree(), generators);
        assert_eq!(group.order(), objects.order());
        let of_kind = |kind: usize| {
            let slots = roles.iter().enumerate().filter(move |(_, role)| role.kind == kind);
            slots.map(|(slot, _)| SlotId(slot as u32)).collect::<Vec<SlotId>>()
        };
        let capacity =
            |slot: &SlotId| if roles[slot.0 as usize].owners.is_empty() { parts.messages } else { parts.own_messages };
        let lengths = of_kind(LENGTH).iter().map(|slot| (*slot, capacity(slot))).collect();
        Self { numbers: of_kind(NUMBER), names: of_kind(NAME), shape, group, lengths }
    }

    /// A random state; few different contents, so that ties are frequent.
    pub(super) fn state(&self, random: &mut Random) -> Vec<u8> {
        let mut state: Vec<u8> = (0..self.shape.length).map(|_| random.below(256) as u8).collect();
        for &(slot, capacity) in &self.lengths {
            self.shape.write(&mut state, slot, random.below(capacity as usize + 1) as i32);
        }
        let variety = 1 + random.below(3);
        let references = 1 + random.below(4);
        // References that form rings or couples, now and then.
        let matching = Permutation::random(self.names.len(), random);
        let matched = random.below(4);
        for slot in (0..self.shape.slots.len() as u32).map(SlotId) {
            if self.lengths.iter().any(|&(length, _)| length == slot) {
                continue;
            }
            let value = match (self.shape.slots[slot.0 as usize].content, self.shape.name_domain(&state, slot)) {
                (Content::Number, _) => random.below(variety) as i32,
                (Content::Name(_), None) => 0,
                (Content::Name(_), Some(domain)) => {
                    let values = &self.shape.domains[domain.0 as usize].values;
                    let place = self.names.iter().position(|&name| name == slot);
                    let matched_with = place.filter(|_| matched < 2).map(|place| match matched {
                        0 => matching.image(place as Point),
                        _ => matching.image((matching.preimage(place as Point) ^ 1).min(self.names.len() as Point - 1)),
                    });
                    if let Some(other) = matched_with {
                        self.shape.write(&mut state, slot, values[other as usize % values.len()]);
                        continue;
                    }
                    match random.below(references) {
                        // No name at all.
                        1 => 111,
                        _ => values[random.below(values.len())],
                    }
                }
            };
            self.shape.write(&mut state, slot, value);
        }
        state
    }
}

/// How an object is named.
fn name(object: Point, scattered: bool) -> i32 {
    if scattered {
        [7, 3, 12, 5, 4, 9, 1, 20][object as usize % 8] + 30 * (object as i32 / 8)
    } else {
        object as i32 + 1
    }
}

fn roles(objects: &Group, parts: Parts) -> Vec<Role> {
    let mut roles = Vec::new();
    let mut add = |kind: usize, count: usize, owners: &[Point]| {
        roles.extend((0..count).map(|index| Role { kind, index, owners: owners.to_vec() }));
    };
    for object in 0..objects.degree() as Point {
        add(NUMBER, parts.numbers, &[object]);
        add(NAME, parts.names, &[object]);
        add(LOCATION, usize::from(parts.locations > 0), &[object]);
        add(LENGTH, usize::from(parts.own_messages > 0), &[object]);
        add(MESSAGE, parts.own_messages as usize, &[object]);
        for other in (0..objects.degree() as Point).filter(|&other| other != object) {
            add(PAIR, parts.pairs, &[object, other]);
            add(PAIR_NAME, parts.pair_names, &[object, other]);
        }
    }
    add(NUMBER, parts.globals, &[]);
    add(NAME, parts.global_names, &[]);
    add(LENGTH, usize::from(parts.messages > 0), &[]);
    add(MESSAGE, parts.messages as usize, &[]);
    roles
}
