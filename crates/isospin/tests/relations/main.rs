//! Relations between models: the command, the examples, and random models against naive definitions.

#[path = "../support/mod.rs"]
mod support;

mod command;
mod examples;
mod naive;
mod observed;
mod random;
