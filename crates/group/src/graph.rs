//! Automorphism groups of vertex-coloured directed graphs with labelled arcs: exact, and fast on large sparse graphs
//! with huge groups.
//!
//! ```text
//! GraphBuilder ──freeze──▶ Graph ──▶ automorphisms ──▶ Automorphisms: generators, order, orbits
//!                            │
//!                            ├─────▶ find_automorphism     from one vertex to another, or the certainty of none
//!                            └─────▶ is_automorphism       the definition
//! ```
//! Individualisation and refinement, as in all practical programs for the problem (McKay, "Practical graph
//! isomorphism", 1981): `partition.rs` and `refine.rs` compute equitable partitions with a trace, `search.rs` walks the
//! levels of the stabiliser chain, and `pairing.rs` answers the one question asked there: does an automorphism carry
//! this vertex to that one? Every generator is verified by `verify.rs`, which knows the definition only.

mod adjacency;
mod automorphisms;
mod builder;
mod differences;
mod guess;
mod orbits;
mod pairing;
mod partition;
mod probe;
mod refine;
mod search;
mod sparse;
mod target;
#[cfg(test)]
mod testing;
mod verify;
mod vertex_set;

pub use adjacency::Graph;
pub use automorphisms::{
    Automorphisms, Extent, automorphisms, automorphisms_within, classes_by_refinement, find_automorphism,
};
pub use builder::{GraphBuilder, Vertex};
pub use sparse::SparsePermutation;
pub use verify::is_automorphism;
