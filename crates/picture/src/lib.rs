//! Pictures from plain data: SVG, Graphviz text, characters.
//!
//! Nothing here knows Promela or states: whoever has a run, an automaton or a group says what is to be seen, as names, rows and arcs. Pictures are
//! the same for the same data, follow the reader's light or dark scheme where they can, and load nothing.

#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod automaton;
pub mod chart;
pub mod diagram;
pub mod group;
pub mod layered;
mod markup;

pub use self::markup::{escaped, quoted, shortened};
