//! Graphs of which refinement tells little: regular, strongly regular, and made to be hard.

use super::models::factorial;
use super::sample::Sample;
use group::Random;

pub fn complete(size: u32) -> Sample {
    let edges = pairs(size, |_, _| true);
    Sample::of_edges(format!("complete {size}"), size as usize, edges).with_order(factorial(size))
}

/// Subsets of `of` things with `size` members, joined where they are disjoint; `kneser(5, 2)` is the Petersen graph.
pub fn kneser(of: u32, size: u32) -> Sample {
    let subsets: Vec<u32> = (0..1u32 << of).filter(|subset| subset.count_ones() == size).collect();
    let disjoint = |one: u32, other: u32| subsets[one as usize] & subsets[other as usize] == 0;
    let edges = pairs(subsets.len() as u32, disjoint);
    Sample::of_edges(format!("kneser {of},{size}"), subsets.len(), edges).with_order(factorial(of))
}

/// Numbers modulo a prime `p = 4k + 1`, joined where their difference is a square.
pub fn paley(prime: u32) -> Sample {
    let squares: Vec<u32> = (1..prime).map(|number| number * number % prime).collect();
    let edges = pairs(prime, |one, other| squares.contains(&(other - one)));
    Sample::of_edges(format!("paley {prime}"), prime as usize, edges).with_order(prime * (prime - 1) / 2)
}

/// Points and lines of the plane over the integers modulo a prime `q`; duality exchanges them.
pub fn projective_plane(q: u32) -> Sample {
    let mut points = vec![[0, 0, 1]];
    points.extend((0..q).map(|z| [0, 1, z]));
    points.extend((0..q * q).map(|number| [1, number / q, number % q]));
    let count = points.len() as u32;
    let mut edges = Vec::new();
    for (point, p) in (0..).zip(&points) {
        for (line, l) in (0..).zip(&points) {
            if (p[0] * l[0] + p[1] * l[1] + p[2] * l[2]) % q == 0 {
                edges.push((point, count + line));
            }
        }
    }
    let q = u64::from(q);
    let collineations = q.pow(3) * (q.pow(3) - 1) * (q.pow(2) - 1);
    Sample::of_edges(format!("plane {q}"), 2 * count as usize, edges).with_order(2 * collineations)
}

/// A grid that is closed to a torus in both directions.
pub fn torus(width: u32, height: u32) -> Sample {
    let place = |x: u32, y: u32| (y % height) * width + x % width;
    let fields = (0..width * height).map(|field| (field % width, field / width));
    let edges = fields.flat_map(|(x, y)| [(place(x, y), place(x + 1, y)), (place(x, y), place(x, y + 1))]).collect();
    Sample::of_edges(format!("torus {width}×{height}"), (width * height) as usize, edges)
}

/// A grid with borders.
pub fn grid(width: u32, height: u32) -> Sample {
    let across = (0..width * height).filter(|field| field % width + 1 < width).map(|field| (field, field + 1));
    let down = (0..width * (height - 1)).map(|field| (field, field + width));
    let order: u32 = if width == height { 8 } else { 4 };
    let edges = across.chain(down).collect();
    Sample::of_edges(format!("grid {width}×{height}"), (width * height) as usize, edges).with_order(order)
}

/// Fields of a square board, joined where a rook moves.
pub fn rook(size: u32) -> Sample {
    let edges = pairs(size * size, |one, other| one / size == other / size || one % size == other % size);
    let sample = Sample::of_edges(format!("rook {size}"), (size * size) as usize, edges);
    sample.with_order(factorial(size).pow(2) * 2u32)
}

/// The strongly regular graph with the parameters of `rook(4)` that is not the same graph.
pub fn shrikhande() -> Sample {
    let steps = [(0, 1), (1, 0), (1, 1), (0, 3), (3, 0), (3, 3)];
    let step = |one: u32, other: u32| ((other / 4 + 4 - one / 4) % 4, (other % 4 + 4 - one % 4) % 4);
    let edges = pairs(16, |one, other| steps.contains(&step(one, other)));
    Sample::of_edges("shrikhande", 16, edges).with_order(192u32)
}

/// Fields of a random Latin square, joined where row, column or symbol agree: strongly regular, mostly rigid.
pub fn latin(size: u32, seed: u64) -> Sample {
    let square = latin_square(size, seed);
    let symbol = |field: u32| square[(field / size) as usize][(field % size) as usize];
    let agree =
        |one: u32, other: u32| one / size == other / size || one % size == other % size || symbol(one) == symbol(other);
    Sample::of_edges(format!("latin {size}/{seed}"), (size * size) as usize, pairs(size * size, agree))
}

/// The graph of Cai, Fürer and Immerman over a ring with random chords in which every vertex has three neighbours:
/// gadgets of four inner vertices that see an even number of twists. Refinement sees nothing of it.
pub fn twisted(base: u32, twists: u32, seed: u64) -> Sample {
    let edges = cubic_edges(base, seed);
    let mut incident = vec![Vec::new(); base as usize];
    let mut sample = Sample::named(format!("twisted {base}/{twists}/{seed}"));
    for (edge, &(one, other)) in edges.iter().enumerate() {
        let ends = [one, other].map(|end| {
            let pair = (sample.vertex(0), sample.vertex(0));
            incident[end as usize].push(pair);
            pair
        });
        let [(a, b), (c, d)] = ends;
        let straight = edge as u32 >= twists;
        sample.edges.extend(if straight { [(a, c), (b, d)] } else { [(a, d), (b, c)] });
    }
    for pairs in incident {
        for subset in (0..1u32 << pairs.len()).filter(|subset| subset.count_ones() % 2 == 0) {
            let inner = sample.vertex(0);
            let side = |(place, &(a, b)): (usize, &(u32, u32))| (inner, if subset >> place & 1 == 0 { a } else { b });
            sample.edges.extend(pairs.iter().enumerate().map(side));
        }
    }
    sample
}

/// A random graph in which every vertex has three neighbours, and at first nothing tells vertices apart.
pub fn cubic(size: u32, seed: u64) -> Sample {
    Sample::of_edges(format!("cubic {size}"), size as usize, cubic_edges(size, seed))
}

/// The graphs side by side, as one.
pub fn union(name: impl Into<String>, parts: &[Sample]) -> Sample {
    let mut whole = Sample::named(name);
    for part in parts {
        let shift = whole.colours.len() as u32;
        let shifted = |pair: &(u32, u32)| (pair.0 + shift, pair.1 + shift);
        whole.colours.extend(&part.colours);
        whole.arcs.extend(part.arcs.iter().map(shifted));
        whole.edges.extend(part.edges.iter().map(shifted));
    }
    whole
}

/// A ring with a random chord at every vertex, none beside an edge of the ring; `size` is even and at least six.
fn cubic_edges(size: u32, seed: u64) -> Vec<(u32, u32)> {
    let mut random = Random::from_seed(seed);
    let mut edges: Vec<(u32, u32)> = (0..size).map(|vertex| (vertex, (vertex + 1) % size)).collect();
    let on_ring = |pair: &[u32]| (pair[0] + 1) % size == pair[1] || (pair[1] + 1) % size == pair[0];
    let mut ends: Vec<u32> = (0..size).collect();
    // One chord lies on the ring on average, so about every third draw is good.
    while ends.chunks_exact(2).any(on_ring) {
        for last in (1..ends.len()).rev() {
            ends.swap(last, random.below(last + 1));
        }
    }
    edges.extend(ends.chunks_exact(2).map(|pair| (pair[0], pair[1])));
    edges
}

/// Symbols by row and column: rows are filled one after the other, with random augmenting paths.
fn latin_square(size: u32, seed: u64) -> Vec<Vec<u32>> {
    let mut random = Random::from_seed(seed);
    let mut square: Vec<Vec<u32>> = Vec::new();
    for _ in 0..size {
        let mut holder: Vec<Option<u32>> = vec![None; size as usize];
        for column in 0..size {
            let mut asked = vec![false; size as usize];
            let placed = augment(&square, &mut holder, column, &mut asked, &mut random);
            assert!(placed, "a Latin rectangle can always be extended");
        }
        let mut row = vec![0; size as usize];
        for (symbol, column) in (0..).zip(holder) {
            row[column.expect("every symbol has a column") as usize] = symbol;
        }
        square.push(row);
    }
    square
}

/// Finds a symbol for the column, moving other columns' symbols if need be.
fn augment(
    square: &[Vec<u32>],
    holder: &mut [Option<u32>],
    column: u32,
    asked: &mut [bool],
    random: &mut Random,
) -> bool {
    let start = random.below(holder.len());
    for step in 0..holder.len() {
        let symbol = (start + step) % holder.len();
        let used = square.iter().any(|row| row[column as usize] as usize == symbol);
        if used || std::mem::replace(&mut asked[symbol], true) {
            continue;
        }
        let free = match holder[symbol] {
            None => true,
            Some(other) => augment(square, holder, other, asked, random),
        };
        if free {
            holder[symbol] = Some(column);
            return true;
        }
    }
    false
}

/// The pairs of different numbers below `size` that are related.
fn pairs(size: u32, related: impl Fn(u32, u32) -> bool) -> Vec<(u32, u32)> {
    let all = (0..size).flat_map(|other| (0..other).map(move |one| (one, other)));
    all.filter(|&(one, other)| related(one, other)).collect()
}
