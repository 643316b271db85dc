//! Tests of the resolver, the inference and the lints through the crate's front door.

mod agreement;
mod desugaring;
mod diagnostics;
mod examples;
mod kinds;
#[path = "../oracle/mod.rs"]
mod oracle;
mod references;
mod robustness;
mod support;
