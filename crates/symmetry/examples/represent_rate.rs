//! How long a representative takes: `cargo run --release --example represent_rate`.
//!
//! Random states of equal objects, each with a few bytes of its own and cells in two global arrays, without references and with
//! them (in each object and in a global), and with a matrix of cells, for several groups; nanoseconds for each call, copying the
//! state included.

use std::hint::black_box;
use std::time::Instant;

use group::{Group, Permutation, Point, Random};
use machine::state::ScalarAt;
use symmetry::{Canonicaliser, Content, DomainId, Shape, Slot, SlotId, Strategy, Validity};

/// Bytes of an object that lie together.
const OWN: u32 = 5;
/// Global arrays with a cell for each object.
const ARRAYS: u32 = 2;
const STATES: usize = 1000;

/// What an object holds besides numbers.
#[derive(Clone, Copy)]
struct Parts {
    /// Whether it refers to an object, as does a global.
    references: u32,
    /// Whether it has a cell for each other object.
    matrix: u32,
}

/// What random states are like.
#[derive(Clone, Copy)]
enum States {
    /// Numbers below a bound.
    Below(usize),
    /// All numbers equal, and references in rings, which refinement does not tell apart.
    Rings,
    /// All numbers equal, and references in both directions between two objects each.
    Couples,
}

fn main() {
    let titles = ["numbers", "references", "busy", "rings", "couples", "matrix"];
    print!("{:<22}{:>6}", "group", "bytes");
    titles.iter().for_each(|title| print!("{title:>14}"));
    println!();
    let symmetric = Group::symmetric;
    for count in [5, 10, 20, 50, 100] {
        report(&format!("S{count}"), &symmetric(count));
    }
    report("S5 x S5", &Group::disjoint_product(&[symmetric(5), symmetric(5)]));
    report("S10 x C5", &Group::disjoint_product(&[symmetric(10), Group::cyclic(5)]));
    report("S3 wr S3", &symmetric(3).wreath_product(&symmetric(3)));
    report("S3 wr S3 wr S3", &symmetric(3).wreath_product(&symmetric(3)).wreath_product(&symmetric(3)));
    report("S3 wr C5", &symmetric(3).wreath_product(&Group::cyclic(5)));
    report("C10", &Group::cyclic(10));
    report("D10", &Group::dihedral(10));
    report("cube of dimension 3", &Group::hypercube(3));
    report("cube of dimension 4", &Group::hypercube(4));
    report("cube of dimension 5", &Group::hypercube(5));
}

fn report(name: &str, objects: &Group) {
    let (plain, referring) = (Parts { references: 0, matrix: 0 }, Parts { references: 1, matrix: 0 });
    print!("{name:<22}{:>6}", model(objects, referring).0.length);
    print!("{:>11.0} ns", rate(objects, plain, States::Below(4)));
    print!("{:>11.0} ns", rate(objects, referring, States::Below(4)));
    // Many different contents, as in the middle of a search.
    print!("{:>11.0} ns", rate(objects, referring, States::Below(50)));
    print!("{:>11.0} ns", rate(objects, referring, States::Rings));
    print!("{:>11.0} ns", rate(objects, referring, States::Couples));
    if objects.degree() <= 20 {
        print!("{:>11.0} ns", rate(objects, Parts { references: 1, matrix: 1 }, States::Below(4)));
    }
    println!();
}

/// The time for each call.
fn rate(objects: &Group, parts: Parts, kind: States) -> f64 {
    let (shape, group) = model(objects, parts);
    let mut canonicaliser = Canonicaliser::new(&shape, &group, Strategy::Exact);
    let mut random = Random::from_seed(1);
    let states: Vec<Vec<u8>> = (0..STATES).map(|_| state(&shape, objects.degree(), kind, &mut random)).collect();
    let mut buffer = vec![0; shape.length];
    // The least of several times for each few states, so that what else the machine does matters little.
    let mut total = 0;
    for few in states.chunks(20) {
        let mut time = || {
            let start = Instant::now();
            for state in few {
                buffer.copy_from_slice(state);
                canonicaliser.representative(&mut buffer);
                black_box(&buffer);
            }
            start.elapsed().as_nanos()
        };
        total += std::iter::repeat_with(&mut time).take(10).min().unwrap_or(0);
    }
    total as f64 / STATES as f64
}

/// Objects one after the other, then the arrays, then the matrix, then a global name.
fn model(objects: &Group, Parts { references, matrix }: Parts) -> (Shape, Group) {
    let count = objects.degree() as u32;
    let own = OWN + references;
    let cells = matrix * count * count;
    let length = count * (own + ARRAYS) + cells + references;
    let mut shape = Shape { length: length as usize, ..Shape::default() };
    let name = Content::Name(DomainId(0));
    let mut add = |offset: u32, content: Content| {
        shape.add_slot(Slot { at: ScalarAt::byte(offset), content, validity: Validity::Always });
    };
    for object in 0..count {
        (0..OWN).for_each(|byte| add(object * own + byte, Content::Number));
        (0..references).for_each(|byte| add(object * own + OWN + byte, name));
    }
    (count * own..length - references).for_each(|offset| add(offset, Content::Number));
    (length - references..length).for_each(|offset| add(offset, name));
    let domain = shape.add_domain((1..=count as i32).collect());
    let first_name = shape.domains[domain.0 as usize].first_point;
    let lift = |element: &Permutation| {
        let mut images: Vec<Point> = (0..shape.degree() as Point).collect();
        for object in 0..count {
            let image = element.image(object);
            (0..own).for_each(|slot| images[(object * own + slot) as usize] = image * own + slot);
            for array in 0..ARRAYS {
                let start = count * own + array * count;
                images[(start + object) as usize] = start + image;
            }
            for other in 0..if matrix > 0 { count } else { 0 } {
                let start = count * (own + ARRAYS);
                images[(start + object * count + other) as usize] = start + image * count + element.image(other);
            }
            images[(first_name + object) as usize] = first_name + image;
        }
        Permutation::from_images(images).expect("objects are exchanged as wholes")
    };
    let generators: Vec<Permutation> = objects.generators().iter().map(lift).collect();
    let degree = shape.degree();
    (shape, Group::of_known_order(degree, generators, &objects.order()))
}

fn state(shape: &Shape, objects: usize, kind: States, random: &mut Random) -> Vec<u8> {
    let mut state = vec![0; shape.length];
    let ring = Permutation::random(objects, random);
    let mut referring = 0;
    for slot in (0..shape.slots.len() as u32).map(SlotId) {
        let value = match (shape.slots[slot.0 as usize].content, kind) {
            (Content::Number, States::Rings | States::Couples) => 0,
            // Mostly the same, as states are; half of the bytes never differ.
            (Content::Number, States::Below(_)) if slot.0 % 2 == 0 => 0,
            (Content::Number, States::Below(bound)) => random.below(bound) as i32,
            (Content::Name(_), States::Below(_)) => random.below(objects + 1) as i32,
            (Content::Name(_), States::Rings) => {
                referring += 1;
                if referring > objects { 0 } else { ring.image(referring as Point - 1) as i32 + 1 }
            }
            (Content::Name(_), States::Couples) => {
                referring += 1;
                let place = ring.preimage((referring as Point - 1).min(objects as Point - 1)) ^ 1;
                if referring > objects || place as usize >= objects { 0 } else { ring.image(place) as i32 + 1 }
            }
        };
        shape.write(&mut state, slot, value);
    }
    state
}
