//! Linear temporal logic, small Büchi automata, and the Hanoi omega-automata format.

pub mod atom;
pub mod automaton;
mod bisimulation;
pub mod classes;
pub mod classify;
mod components;
pub mod degeneralise;
mod diagram;
pub mod dot;
pub mod emptiness;
pub mod formula;
pub mod hoa;
pub mod lasso;
pub mod never;
mod obligation;
pub mod product;
mod prune;
pub mod reduce;
pub mod simplify;
mod simulation;
pub mod spelling;
pub mod stutter;
mod suspension;
mod tableau;
pub mod text;
pub mod translate;

#[cfg(test)]
mod laws;
