//! The compiled engine equals the reference interpreter: the same successors in the same order, and the same signals.

mod constructs;
mod examples;
mod scramble;
mod support;
mod traps;
