//! Linear temporal logic, small Büchi automata, and the Hanoi omega-automata format.

pub mod atom;
pub mod automaton;
pub mod classes;
mod components;
mod diagram;
pub mod formula;
pub mod lasso;
pub mod simplify;
pub mod spelling;
pub mod text;
