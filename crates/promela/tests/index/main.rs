//! The index: what names mean, by their places.

mod golden;
mod laws;
mod support;

#[path = "../examples/mod.rs"]
mod examples;
