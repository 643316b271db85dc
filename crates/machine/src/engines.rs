//! What executes a machine: the interpreter, which is written to be read, and compiled code, which is to be fast. Embedded C is
//! compiled for both.

pub mod embedded;
pub mod enumerate;
pub mod exclusive;
pub mod generate;
pub mod interpret;
pub mod jit;
