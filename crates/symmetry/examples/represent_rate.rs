//! How long a representative takes: `cargo run --release --example represent_rate`.
//!
//! Random states of equal objects, each with a few bytes of its own and cells in two global arrays, without references and with
//! them (in each object and in a global), for several groups; nanoseconds for each call, copying the state included.

use std::hint::black_box;
use std::time::Instant;

use group::{Group, Permutation, Point, Random};
use symmetry::{Canonicaliser, Content, DomainId, Shape, Slot, SlotId, Strategy, Validity};

/// Bytes of an object that lie together.
const OWN: u32 = 5;
/// Global arrays with a cell for each object.
const ARRAYS: u32 = 2;
const STATES: usize = 1000;

fn main() {
    println!("{:<28}{:>8}{:>14}{:>14}{:>14}", "group", "bytes", "numbers", "references", "busy");
    for count in [5, 10, 20, 50, 100] {
        report(&format!("S{count}"), &Group::symmetric(count));
    }
    let symmetric = Group::symmetric;
    report("S5 x S5", &Group::disjoint_product(&[symmetric(5), symmetric(5)]));
    report("S3 wr S3", &symmetric(3).wreath_product(&symmetric(3)));
    report("S3 wr S3 wr S3", &symmetric(3).wreath_product(&symmetric(3)).wreath_product(&symmetric(3)));
    report("C10", &Group::cyclic(10));
    report("D10", &Group::dihedral(10));
    report("cube of dimension 3", &Group::hypercube(3));
    report("cube of dimension 4", &Group::hypercube(4));
    report("cube of dimension 5", &Group::hypercube(5));
}

fn report(name: &str, objects: &Group) {
    let numbers = rate(objects, 0, 4);
    let references = rate(objects, 1, 4);
    // Many different contents, as in the middle of a search.
    let busy = rate(objects, 1, 50);
    println!("{name:<28}{:>8}{:>11.0} ns{:>11.0} ns{:>11.0} ns", references.0, numbers.1, references.1, busy.1);
}

/// The length of a state and the time for each call.
fn rate(objects: &Group, references: u32, variety: usize) -> (usize, f64) {
    let (shape, group) = model(objects, references);
    let mut canonicaliser = Canonicaliser::new(&shape, &group, Strategy::Exact);
    let mut random = Random::from_seed(1);
    let states: Vec<Vec<u8>> = (0..STATES).map(|_| state(&shape, variety, &mut random)).collect();
    let mut buffer = vec![0; shape.length];
    let mut best = f64::INFINITY;
    for _ in 0..10 {
        let start = Instant::now();
        for state in &states {
            buffer.copy_from_slice(state);
            canonicaliser.representative(&mut buffer);
            black_box(&buffer);
        }
        best = best.min(start.elapsed().as_nanos() as f64 / STATES as f64);
    }
    (shape.length, best)
}

/// Objects one after the other, then the arrays, then a global name.
fn model(objects: &Group, references: u32) -> (Shape, Group) {
    let count = objects.degree() as u32;
    let own = OWN + references;
    let mut shape = Shape { length: (count * (own + ARRAYS) + 1) as usize, ..Shape::default() };
    let name = Content::Name(DomainId(0));
    let mut add = |offset: u32, content: Content| {
        shape.add_slot(Slot { offset, width: 1, signed: false, content, validity: Validity::Always });
    };
    for object in 0..count {
        (0..OWN).for_each(|byte| add(object * own + byte, Content::Number));
        (0..references).for_each(|byte| add(object * own + OWN + byte, name));
    }
    (count * own..count * (own + ARRAYS)).for_each(|offset| add(offset, Content::Number));
    if references > 0 {
        add(count * (own + ARRAYS), name);
    }
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
            images[(first_name + object) as usize] = first_name + image;
        }
        Permutation::from_images(images).expect("objects are exchanged as wholes")
    };
    let generators: Vec<Permutation> = objects.generators().iter().map(lift).collect();
    let degree = shape.degree();
    (shape, Group::of_known_order(degree, generators, &objects.order()))
}

fn state(shape: &Shape, variety: usize, random: &mut Random) -> Vec<u8> {
    let mut state = vec![0; shape.length];
    for slot in (0..shape.slots.len() as u32).map(SlotId) {
        let value = match shape.slots[slot.0 as usize].content {
            // Mostly the same, as states are; half of the bytes never differ.
            Content::Number if slot.0 % 2 == 0 => 0,
            Content::Number => random.below(variety) as i32,
            Content::Name(domain) => random.below(shape.domains[domain.0 as usize].values.len() + 1) as i32,
        };
        shape.write(&mut state, slot, value);
    }
    state
}
