//! Prints how long automorphism groups of graphs take, beside Traces if `dreadnaut` is installed: `cargo run --release
//! --example graph_times`. Names of graphs as arguments, such as `cube`, choose among them.

#[path = "../tests/graphs/combinatorial.rs"]
mod combinatorial;
#[path = "../tests/graphs/dreadnaut.rs"]
mod dreadnaut;
#[path = "../tests/graphs/models.rs"]
mod models;
#[path = "../tests/graphs/sample.rs"]
mod sample;

use std::time::{Duration, Instant};

use group::graph::automorphisms;
use sample::Sample;

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).collect();
    let wanted = |sample: &Sample| chosen.is_empty() || chosen.iter().any(|part| sample.name.contains(part.as_str()));
    let columns = ["vertices", "arcs", "freeze", "search", "gens", "moved", "orbits", "Traces", "order"];
    print!("{:<20}", "graph");
    columns.iter().for_each(|column| print!(" {column:>10}"));
    println!();
    for sample in samples().into_iter().filter(wanted) {
        measure(&sample);
    }
}

fn samples() -> Vec<Sample> {
    vec![
        models::star(3, 3),
        models::star(10, 10),
        models::star(20, 20),
        models::star(50, 50),
        models::cube(9),
        models::cube(12),
        models::trees(100, 200, 1),
        models::trees(250, 400, 2),
        models::network(60),
        models::network(200),
        models::syntax(100_000, 1),
        combinatorial::cubic(1_000, 1),
        combinatorial::cubic(10_000, 1),
        combinatorial::cubic(100_000, 1),
        models::directed_ring(50_000),
        models::ring(100_000),
        models::fan(100),
        models::fan(10_000),
        combinatorial::complete(200),
        combinatorial::kneser(10, 3),
        combinatorial::paley(29),
        combinatorial::paley(401),
        combinatorial::projective_plane(7),
        combinatorial::projective_plane(13),
        combinatorial::torus(30, 30),
        combinatorial::torus(100, 100),
        combinatorial::grid(100, 300),
        combinatorial::rook(20),
        combinatorial::latin(15, 1),
        combinatorial::latin(25, 1),
        combinatorial::twisted(20, 0, 1),
        combinatorial::twisted(60, 0, 1),
        combinatorial::twisted(200, 0, 1),
        many("20 twisted 20", |copy| combinatorial::twisted(20, copy as u32 % 2, 1)),
        many(
            "20 shrikhande, rook",
            |copy| if copy % 2 == 0 { combinatorial::shrikhande() } else { combinatorial::rook(4) },
        ),
        many("20 latin 10", |copy| combinatorial::latin(10, copy)),
    ]
}

fn many(name: &str, part: impl Fn(u64) -> Sample) -> Sample {
    combinatorial::union(name, &(0..20).map(part).collect::<Vec<_>>())
}

fn measure(sample: &Sample) {
    let (graph, frozen) = timed(|| sample.graph());
    let (found, searched) = timed(|| automorphisms(&graph));
    let moved: usize = found.generators().iter().map(|generator| generator.moves().len()).sum();
    let traces = match dreadnaut::ask(&[sample.dreadnaut()], Duration::from_secs(20)).as_deref() {
        Ok([answer]) if answer.agrees_with(found.order()) && answer.orbits >= found.orbits().len() => {
            format!("{:.2}s", answer.seconds)
        }
        Ok(answers) => format!("{answers:?}"),
        Err(reason) => (*reason).to_owned(),
    };
    let verdict = match &sample.order {
        Some(order) if order != found.order() => "wrong",
        Some(_) => "right",
        None => "unknown",
    };
    println!(
        "{:<20} {:>10} {:>10} {:>10.2?} {:>10.2?} {:>10} {:>10} {:>10} {:>10} {:>10}",
        sample.name,
        graph.order(),
        graph.arcs(),
        frozen,
        searched,
        found.generators().len(),
        moved,
        found.orbits().len(),
        traces,
        verdict,
    );
}

/// What it yields, and the time that this thread was running for it, the mean of some runs if it is short.
fn timed<T>(work: impl Fn() -> T) -> (T, Duration) {
    let (start, clock) = (running_time(), Instant::now());
    let mut runs = 0;
    loop {
        let result = work();
        runs += 1;
        if clock.elapsed() > Duration::from_millis(200) {
            let time = running_time().zip(start).map(|(end, start)| end - start);
            return (result, time.unwrap_or_else(|| clock.elapsed()) / runs);
        }
    }
}

/// How long this thread has been running, without the times when others had its processor: `dreadnaut` prints the same.
fn running_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
