//! Tests of the parser and the printer through the crate's public face.

mod agreement;
mod diagnostics;
mod extensions;
mod limits;
mod printing;
mod soup;
mod spans;
mod structure;
mod support;
mod trees;
