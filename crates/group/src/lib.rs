//! Permutation groups, exact and without guesses: what a group is made of, and the representative of an orbit.
//!
//! ```text
//! Permutation ──▶ Group ──▶ Structure, disjoint_factors, wreath_decomposition, columns   what it is made of
//!                   │
//!                   ├─────▶ orbits, stabilisers, block systems, Action                   what it does to points and sets
//!                   │
//!                   └─────▶ ImageFinder ──▶ Image                                        the representative of a vector
//! ```
//! [`graph`] finds the automorphism group of a graph, which is where the groups of programs come from.
//!
//! A [`Group`] holds a complete stabiliser chain (`chain.rs`, built by `construct.rs`, proven by `verify.rs` or
//! `bound.rs`); everything else asks it.
//!
//! # The one convention
//! Points are `0..degree`, and everything acts **on the right**: a product is read from left to right, as in GAP.
//! To leave no doubt, the product is a word and not a sign:
//! ```
//! use group::{Numbering, Permutation};
//! let a = Permutation::parse(3, "(0 1)", Numbering::FromZero)?;
//! let b = Permutation::parse(3, "(1 2)", Numbering::FromZero)?;
//! // First a, then b: 0 goes to 1 and on to 2.
//! assert_eq!(a.then(&b).image(0), 2);
//! assert_eq!(a.then(&b).to_string(), "(0 2 1)");
//! // A vector's content moves along with its place: what stood at place p stands at place p.image afterwards.
//! assert_eq!(a.then(&b).permute(&['x', 'y', 'z']), ['y', 'z', 'x']);
//! // The conjugate renames the points of the cycles.
//! assert_eq!(a.conjugate_by(&b).to_string(), "(0 2)");
//! # Ok::<(), group::PermutationError>(())
//! ```

// A library returns what there is to say.
#![warn(clippy::print_stderr, clippy::print_stdout)]

mod action;
mod blocks;
mod bound;
mod chain;
mod columns;
mod construct;
mod elements;
mod equivariance;
pub mod graph;
mod group;
mod image;
mod level;
mod orbit;
mod permutation;
mod product;
mod random;
mod recognise;
mod schreier_sims;
mod standard;
mod structure;
#[cfg(test)]
mod testing;
mod union;
mod verify;
mod wreath;

pub use action::Action;
pub use blocks::BlockSystem;
pub use columns::Columns;
pub use elements::Elements;
pub use group::Group;
pub use image::{Image, ImageFinder, Representative, images_by_enumeration, orbit_by_enumeration};
pub use orbit::{orbit_of, orbits};
pub use permutation::{CycleForm, Numbering, Permutation, PermutationError, Point};
pub use random::Random;
pub use structure::Structure;
pub use wreath::Wreath;
