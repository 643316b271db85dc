//! Automorphism groups of graphs: orders known from theory, and some hundred graphs that Traces is asked about too.

mod combinatorial;
mod dreadnaut;
mod models;
mod naive;
mod sample;

use std::collections::HashMap;
use std::time::Duration;

use group::graph::{
    Automorphisms, Extent, Graph, automorphisms, automorphisms_within, find_automorphism, is_automorphism,
};
use group::{Group, Permutation, Point, Random};
use sample::Sample;

/// Graphs of all families, small enough for tests.
fn structured() -> Vec<Sample> {
    let mut samples = Vec::new();
    for (k, m) in [(1, 1), (1, 5), (5, 1), (2, 2), (3, 3), (4, 7), (10, 10), (20, 20)] {
        samples.push(models::star(k, m));
    }
    samples.extend((1..=7).map(models::cube));
    samples.extend([1, 2, 3, 10, 20].map(models::network));
    samples.extend([1, 2, 3, 4, 5, 12, 100, 1000].map(models::directed_ring));
    samples.extend([3, 4, 5, 12, 100, 1001].map(models::ring));
    samples.extend([(1, 30), (5, 20), (20, 50), (100, 50)].map(|(copies, size)| models::trees(copies, size, 7)));
    samples.extend([1, 2, 3, 50, 500].map(models::fan));
    samples.extend([10, 1000, 10_000].map(|size| models::syntax(size, 3)));
    samples.extend([1, 2, 3, 10, 60].map(combinatorial::complete));
    samples.extend([(5, 2), (6, 2), (7, 3), (8, 3)].map(|(of, size)| combinatorial::kneser(of, size)));
    samples.extend([5, 13, 17, 29, 37].map(combinatorial::paley));
    samples.extend([2, 3, 5, 7].map(combinatorial::projective_plane));
    samples.extend([(3, 3), (4, 4), (3, 5), (8, 8), (6, 20)].map(|(x, y)| combinatorial::torus(x, y)));
    samples.extend([(2, 2), (2, 3), (5, 5), (4, 9), (30, 20)].map(|(x, y)| combinatorial::grid(x, y)));
    samples.extend([3, 4, 5, 8].map(combinatorial::rook));
    samples.push(combinatorial::shrikhande());
    samples.extend([4, 5, 6, 7, 8].map(|size| combinatorial::latin(size, 2)));
    samples.extend(
        [(6, 0), (6, 1), (10, 0), (10, 1), (30, 0)].map(|(base, twists)| combinatorial::twisted(base, twists, 5)),
    );
    samples.extend([6, 8, 10, 50, 2000].map(|size| combinatorial::cubic(size, 1)));
    let pair = [combinatorial::shrikhande(), combinatorial::rook(4)];
    let order = factor(&pair[0]) * factor(&pair[1]);
    samples.push(combinatorial::union("shrikhande and rook", &pair).with_order(order));
    let twins = [0, 1, 0, 1].map(|twists| combinatorial::twisted(8, twists, 1));
    samples.push(combinatorial::union("two pairs of twisted", &twins[..2]));
    let rings = [models::ring(5), models::ring(5), models::ring(5), models::ring(6), models::directed_ring(4)];
    samples.push(combinatorial::union("rings", &rings).with_order(10u32.pow(3) * 6 * 12 * 4));
    let mixed = [models::star(3, 4), models::cube(3), models::star(3, 4), combinatorial::paley(13)];
    samples.push(combinatorial::union("mixed", &mixed));
    samples
}

fn factor(sample: &Sample) -> num_bigint::BigUint {
    sample.order.clone().expect("the order is known")
}

/// Random graphs: some with few arcs, colours that often coincide, and copies of parts; some made of regular parts that
/// refinement can't tell apart, equal or not.
fn random_samples(count: u64) -> Vec<Sample> {
    let draw = |seed| {
        let mut random = Random::from_seed(seed);
        let parts = if random.below(3) == 0 { regular_parts(&mut random) } else { equal_parts(&mut random) };
        renamed(&combinatorial::union(format!("random {seed}"), &parts), &mut random)
    };
    (0..count).map(draw).collect()
}

fn regular_parts(random: &mut Random) -> Vec<Sample> {
    let size = 6 + 2 * random.below(5) as u32;
    let kinds = 1 + random.below(4);
    (0..1 + random.below(6)).map(|_| combinatorial::cubic(size, random.below(kinds) as u64)).collect()
}

fn equal_parts(random: &mut Random) -> Vec<Sample> {
    let mut part = Sample::named("part");
    let size = 2 + random.below(12) as u32;
    let colours = 1 + random.below(3);
    for _ in 0..size {
        part.vertex(random.below(colours) as u32);
    }
    let mut pairs: Vec<(u32, u32)> = (0..size).flat_map(|to| (0..to).map(move |from| (from, to))).collect();
    for _ in 0..random.below(2 * size as usize) {
        if pairs.is_empty() {
            break;
        }
        let (one, other) = pairs.swap_remove(random.below(pairs.len()));
        match random.below(3) {
            0 => part.arcs.push((one, other)),
            1 => part.arcs.push((other, one)),
            _ => part.edges.push((one, other)),
        }
    }
    vec![part; 1 + random.below(4)]
}

/// The same graph with its vertices in another order.
fn renamed(sample: &Sample, random: &mut Random) -> Sample {
    let renaming = Permutation::random(sample.colours.len(), random);
    let rename = |&(from, to): &(u32, u32)| (renaming.image(from), renaming.image(to));
    Sample {
        name: format!("renamed {}", sample.name),
        colours: renaming.permute(&sample.colours),
        arcs: sample.arcs.iter().map(rename).collect(),
        edges: sample.edges.iter().map(rename).collect(),
        order: sample.order.clone(),
    }
}

fn assert_generators_are_automorphisms(name: &str, graph: &Graph, found: &Automorphisms) {
    for generator in found.generators() {
        assert!(is_automorphism(graph, &generator.to_permutation()), "{name}: {generator}");
    }
}

#[test]
fn orders_are_those_of_theory_in_any_order_of_the_vertices() {
    let mut random = Random::from_seed(1);
    for sample in structured() {
        for sample in [renamed(&sample, &mut random), sample] {
            let graph = sample.graph();
            let found = automorphisms(&graph);
            assert_eq!(found.extent(), Extent::Complete);
            if let Some(order) = &sample.order {
                assert_eq!(found.order(), order, "{}", sample.name);
            }
            if graph.order() <= 1000 {
                assert_generators_are_automorphisms(&sample.name, &graph, &found);
            }
        }
    }
}

#[test]
fn the_order_is_that_of_the_generators() {
    for sample in structured().iter().filter(|sample| sample.colours.len() <= 150).chain(&random_samples(100)) {
        let found = automorphisms(&sample.graph());
        let generators = found.generators().iter().map(|generator| generator.to_permutation());
        let group = Group::generated_by(found.degree(), generators);
        assert_eq!((&group.order(), group.orbits()), (found.order(), found.orbits()), "{}", sample.name);
        // Each generator joins orbits of the stabiliser of some base points, so there are few of them.
        assert!(found.generators().len() < found.degree(), "{}", sample.name);
    }
}

#[test]
fn orders_are_those_of_the_naive_twin() {
    for sample in structured().iter().chain(&random_samples(400)).filter(|sample| sample.colours.len() <= 50) {
        assert_eq!(automorphisms(&sample.graph()).order(), &naive::order(sample), "{}", sample.name);
    }
}

#[test]
fn orders_and_orbits_are_those_of_traces() {
    let samples: Vec<Sample> = structured().into_iter().chain(random_samples(400)).collect();
    let questions: Vec<String> = samples.iter().map(Sample::dreadnaut).collect();
    let answers = match dreadnaut::ask(&questions, Duration::from_secs(60)) {
        Ok(answers) => answers,
        Err(reason) => {
            eprintln!("skipped: {reason} (it is in Debian's package nauty)");
            assert_eq!(reason, "no dreadnaut");
            return;
        }
    };
    for (sample, answer) in samples.iter().zip(answers) {
        let found = automorphisms(&sample.graph());
        assert!(answer.agrees_with(found.order()), "{}: {} and {answer:?}", sample.name, found.order());
        let encoded = found.orbits().len() + 2 * orbits_of_arcs(sample, &found);
        assert_eq!(encoded, answer.orbits, "{}", sample.name);
    }
}

/// The number of orbits of arcs, without edges.
fn orbits_of_arcs(sample: &Sample, found: &Automorphisms) -> usize {
    let number: HashMap<(Point, Point), usize> = sample.arcs.iter().copied().zip(0..).collect();
    let mut least: Vec<usize> = (0..sample.arcs.len()).collect();
    let find = |least: &mut Vec<usize>, mut arc: usize| {
        while least[arc] != arc {
            least[arc] = least[least[arc]];
            arc = least[arc];
        }
        arc
    };
    for generator in found.generators() {
        let images = generator.to_permutation();
        for (arc, &(from, to)) in sample.arcs.iter().enumerate() {
            let image = number[&(images.image(from), images.image(to))];
            let (one, other) = (find(&mut least, arc), find(&mut least, image));
            least[one.max(other)] = one.min(other);
        }
    }
    least.iter().enumerate().filter(|&(arc, &root)| arc == root).count()
}

#[test]
fn an_automorphism_between_two_vertices_exists_within_orbits_only() {
    for sample in structured().iter().filter(|sample| sample.colours.len() <= 120) {
        let graph = sample.graph();
        let orbits = automorphisms(&graph).orbits();
        let vertices: Vec<_> = graph.vertices().collect();
        let from = vertices[vertices.len() / 2];
        let orbit = orbits.iter().find(|orbit| orbit.contains(&from.point())).expect("each vertex has an orbit");
        for &to in &vertices {
            match find_automorphism(&graph, from, to) {
                Some(element) => {
                    assert_eq!(element.image(from.point()), to.point(), "{}", sample.name);
                    assert!(is_automorphism(&graph, &element.to_permutation()), "{}", sample.name);
                }
                None => assert!(!orbit.contains(&to.point()), "{}: {from:?} to {to:?}", sample.name),
            }
        }
    }
}

#[test]
fn a_hard_part_does_not_hide_the_symmetry_of_the_others() {
    let hard = combinatorial::union("hard", &[combinatorial::latin(12, 1), combinatorial::latin(12, 2)]);
    let graph = combinatorial::union("hard and easy", &[hard, models::star(5, 5)]).graph();
    let found = automorphisms_within(&graph, 2_000_000);
    assert_eq!(found.extent(), Extent::Partial);
    assert_eq!(found.order(), &factor(&models::star(5, 5)));
    assert_generators_are_automorphisms("hard and easy", &graph, &found);
}

#[test]
fn what_a_budget_yields_grows_to_the_whole_group() {
    let graph = models::star(6, 6).graph();
    let whole = automorphisms(&graph);
    let mut budget = 1;
    loop {
        let found = automorphisms_within(&graph, budget);
        assert_generators_are_automorphisms("star 6×6", &graph, &found);
        let group = found.to_group();
        assert!(found.order() <= &group.order() && &group.order() <= whole.order());
        if found.extent() == Extent::Complete {
            assert_eq!(found.order(), whole.order());
            return;
        }
        budget *= 2;
    }
}
