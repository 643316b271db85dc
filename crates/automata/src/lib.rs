//! Linear temporal logic, small Büchi automata, and the Hanoi omega-automata format.

pub mod atom;
pub mod automaton;
mod bisimulation;
pub mod classes;
mod components;
pub mod degeneralise;
mod diagram;
pub mod emptiness;
pub mod formula;
pub mod lasso;
mod obligation;
pub mod product;
mod prune;
pub mod reduce;
pub mod simplify;
mod simulation;
pub mod spelling;
mod suspension;
mod tableau;
pub mod text;
pub mod translate;
