//! Tests of the parser, the printer and the formatter through the crate's public face.

mod agreement;
mod diagnostics;
#[path = "../examples/mod.rs"]
mod examples;
mod extensions;
mod formatting;
mod limits;
#[path = "../oracle/mod.rs"]
mod oracle;
mod printing;
mod soup;
mod spans;
mod structure;
mod support;
mod trees;
