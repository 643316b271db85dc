//! Prints how long the main operations take on groups of the sizes that programs have: `cargo run --release --example
//! times`.

use std::time::{Duration, Instant};

use group::{Group, ImageFinder, Permutation, Point, Random, Representative};

fn main() {
    construction();
    images();
}

/// Order and structure from bare generators.
fn construction() {
    println!("{:<28} {:>12} {:>12}  structure", "group", "order", "structure");
    let mut cases: Vec<(String, Group)> = Vec::new();
    for (degree, rows) in [(16, 1), (16, 4), (64, 1), (64, 4), (128, 4), (255, 1), (255, 4)] {
        cases.push((format!("S{degree} in columns of {rows}"), symmetric_in_columns(degree, rows)));
    }
    for (n, m) in [(4, 4), (8, 8), (16, 16)] {
        cases.push((format!("S{n} wr S{m}"), Group::symmetric(n).wreath_product(&Group::symmetric(m))));
    }
    for degree in [8, 16, 24] {
        cases.push((format!("S{degree} on points and pairs"), symmetric_on_points_and_pairs(degree)));
    }
    for dimension in [3, 5, 8] {
        cases.push((format!("cube of dimension {dimension}"), Group::hypercube(dimension)));
    }
    for (name, group) in cases {
        let (degree, generators) = (group.degree(), entangled(&group));
        let (group, order) = timed(|| Group::generated_by(degree, generators));
        let (structure, described) = timed(|| group.structure());
        println!("{name:<28} {order:>12.1?} {described:>12.1?}  {structure}");
    }
}

/// Representatives of random vectors of a few values.
fn images() {
    println!("\n{:<12} {:>7} {:>14} {:>14}", "group", "values", "minimal", "canonical");
    let cases = [
        ("cube 3", Group::hypercube(3)),
        ("cube 4", Group::hypercube(4)),
        ("cube 5", Group::hypercube(5)),
        ("D16", Group::dihedral(16)),
        ("S8", Group::symmetric(8)),
        ("A10", Group::alternating(10)),
        ("S4 wr S4", Group::symmetric(4).wreath_product(&Group::symmetric(4))),
        ("S8 wr S8", Group::symmetric(8).wreath_product(&Group::symmetric(8))),
    ];
    let mut random = Random::from_seed(5);
    for (name, group) in cases {
        let finders = [Representative::Minimal, Representative::Canonical].map(|kind| ImageFinder::new(&group, kind));
        for values in [1, 2, 4, 16] {
            let draw = |_| (0..group.degree()).map(|_| random.below(values) as u32).collect();
            let vectors: Vec<Vec<u32>> = (0..200).map(draw).collect();
            let [minimal, canonical] = finders.each_ref().map(|finder| {
                let ((), time) = timed(|| vectors.iter().for_each(|vector| drop(finder.find_by_rank(vector))));
                time / 200
            });
            println!("{name:<12} {values:>7} {minimal:>14.2?} {canonical:>14.2?}");
        }
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

/// A few random elements beside the generators' products, so that no structure shows in the generators.
fn entangled(group: &Group) -> Vec<Permutation> {
    let mut random = Random::from_seed(1);
    let renaming = Permutation::random(group.degree(), &mut random);
    let mut generators: Vec<Permutation> = (0..3).map(|_| group.random_element(&mut random)).collect();
    let first = generators[0].clone();
    generators.extend(group.generators().iter().map(|generator| generator.then(&first)));
    generators.iter().map(|generator| generator.conjugate_by(&renaming)).collect()
}

fn symmetric_in_columns(columns: usize, rows: usize) -> Group {
    let symmetric = Group::symmetric(columns);
    let spread = |generator: &Permutation| {
        let shifted = |row: usize| generator.images().iter().map(move |image| image + (row * columns) as Point);
        Permutation::from_images((0..rows).flat_map(shifted).collect::<Vec<_>>()).expect("rows are permuted alike")
    };
    Group::of_known_order(columns * rows, symmetric.generators().iter().map(spread), &symmetric.order())
}

fn symmetric_on_points_and_pairs(degree: usize) -> Group {
    let symmetric = Group::symmetric(degree);
    let size = degree as Point;
    let spread = |generator: &Permutation| {
        let pair = |code: Point| size + generator.image(code / size) * size + generator.image(code % size);
        let images = generator.images().iter().copied().chain((0..size * size).map(pair));
        Permutation::from_images(images.collect::<Vec<_>>()).expect("points and pairs are permuted alike")
    };
    let generators = symmetric.generators().iter().map(spread);
    Group::of_known_order(degree + degree * degree, generators, &symmetric.order())
}
