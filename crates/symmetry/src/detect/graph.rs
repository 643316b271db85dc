//! The graph of a program, whose automorphisms are its symmetries: vertices and colours, the terms in it, and what its automorphisms do to states.

pub(super) mod colour;
mod conditions;
pub(super) mod program_graph;
pub(super) mod projection;
pub(super) mod terms;
