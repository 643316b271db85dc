//! Graphs such as those of concurrent programs: processes that are joined by channels, and copies of parts.

use num_bigint::BigUint;

use super::sample::Sample;
use group::Random;

/// `k` servers with `m` clients each. The clients of a server send requests into one channel and have a channel for
/// replies each.
pub fn star(k: u32, m: u32) -> Sample {
    let mut sample = Sample::named(format!("star {k}×{m}"));
    for _ in 0..k {
        let (server, requests) = (sample.vertex(0), sample.vertex(1));
        sample.arcs.push((requests, server));
        for _ in 0..m {
            let (client, replies) = (sample.vertex(2), sample.vertex(3));
            sample.arcs.extend([(client, requests), (server, replies), (replies, client)]);
        }
    }
    sample.with_order(factorial(m).pow(k) * factorial(k))
}

/// The hypercube of the dimension; neighbours are joined by a channel vertex in each direction.
pub fn cube(dimension: u32) -> Sample {
    let mut sample = Sample::named(format!("cube {dimension}"));
    for _ in 0..1u32 << dimension {
        sample.vertex(0);
    }
    for corner in 0..1u32 << dimension {
        for axis in 0..dimension {
            let channel = sample.vertex(1);
            sample.arcs.extend([(corner, channel), (channel, corner ^ (1 << axis))]);
        }
    }
    sample.with_order(factorial(dimension) << dimension)
}

/// Processes with a channel from each to each, itself included.
pub fn network(size: u32) -> Sample {
    let mut sample = Sample::named(format!("network {size}"));
    for _ in 0..size {
        sample.vertex(0);
    }
    for (from, to) in (0..size).flat_map(|from| (0..size).map(move |to| (from, to))) {
        let channel = sample.vertex(1);
        sample.arcs.extend([(from, channel), (channel, to)]);
    }
    sample.with_order(factorial(size))
}

/// Processes in a ring, each with a channel to the next.
pub fn directed_ring(length: u32) -> Sample {
    let mut sample = Sample::named(format!("directed ring {length}"));
    for place in 0..length {
        sample.vertex(0);
        sample.vertex(1);
        sample.arcs.extend([(2 * place, 2 * place + 1), (2 * place + 1, 2 * ((place + 1) % length))]);
    }
    sample.with_order(length)
}

/// Processes in a ring, joined by edges.
pub fn ring(length: u32) -> Sample {
    let edges = (0..length).map(|place| (place, (place + 1) % length)).collect();
    Sample::of_edges(format!("ring {length}"), length as usize, edges).with_order(2 * length)
}

/// A tree of the given size with random parents, `copies` times, their roots joined to a hub.
pub fn trees(copies: u32, size: u32, seed: u64) -> Sample {
    let mut random = Random::from_seed(seed);
    let parents: Vec<u32> = (1..size).map(|child| random.below(child as usize) as u32).collect();
    let mut sample = Sample::named(format!("{copies} trees of {size}"));
    let hub = sample.vertex(1);
    for _ in 0..copies {
        let root = sample.colours.len() as u32;
        for _ in 0..size {
            sample.vertex(0);
        }
        sample.edges.push((hub, root));
        sample.edges.extend(parents.iter().zip(1..).map(|(parent, child)| (root + parent, root + child)));
    }
    let order = tree_automorphisms(&parents).pow(copies) * factorial(copies);
    sample.with_order(order)
}

/// The number of automorphisms of a rooted tree: equal subtrees of a vertex may be exchanged, and nothing else.
fn tree_automorphisms(parents: &[u32]) -> BigUint {
    let mut children: Vec<Vec<String>> = vec![Vec::new(); parents.len() + 1];
    let mut order = BigUint::from(1u32);
    for vertex in (0..=parents.len()).rev() {
        let mut below = std::mem::take(&mut children[vertex]);
        below.sort_unstable();
        order *=
            below.chunk_by(|one, other| one == other).map(|equal| factorial(equal.len() as u32)).product::<BigUint>();
        if vertex > 0 {
            children[parents[vertex - 1] as usize].push(format!("({})", below.concat()));
        }
    }
    order
}

/// A graph like a syntax tree with references: a tree of random parents whose children are in order, and arcs to
/// random earlier vertices. Its group is trivial.
pub fn syntax(size: u32, seed: u64) -> Sample {
    let mut random = Random::from_seed(seed);
    let mut sample = Sample::named(format!("syntax {size}"));
    let mut children = vec![0u32; size as usize];
    sample.vertex(0);
    for vertex in 1..size {
        let parent = random.below(vertex as usize) as u32;
        // The colour of a child is its position, as in an ordered tree.
        children[parent as usize] += 1;
        sample.vertex(children[parent as usize]);
        sample.arcs.push((parent, vertex));
        let target = random.below(vertex as usize) as u32;
        if target != parent {
            sample.arcs.push((vertex, target));
        }
    }
    sample.with_order(1u32)
}

/// A hub with many equal neighbours.
pub fn fan(leaves: u32) -> Sample {
    let mut sample = Sample::named(format!("fan {leaves}"));
    let hub = sample.vertex(0);
    for _ in 0..leaves {
        let leaf = sample.vertex(1);
        sample.arcs.push((leaf, hub));
    }
    sample.with_order(factorial(leaves))
}

pub fn factorial(n: u32) -> BigUint {
    (1..=n).product()
}
