//! The Hanoi omega-automata format, version 1 (Babiak et al. 2015, <https://adl.github.io/hoaf/>): writer and reader.
//!
//! The writer prints generalised Büchi automata, with acceptance on states where that is possible. The reader takes any
//! automaton without universal branching, whatever its acceptance condition: Büchi and generalised Büchi as they are,
//! the others (co-Büchi, Rabin, Streett, parity, arbitrary Boolean combinations) converted to generalised Büchi.

mod acceptance;
mod label;
mod lexer;
mod read;
mod write;

pub use lexer::HoaError;
pub use read::{Hoa, read, read_all};
pub use write::hoa;
