//! The properties of the liveness benchmark.

use crate::bench_engine::models::{Class, Origin, Subject as Model, subject};

/// A property of a model in one size.
pub struct Subject {
    pub model: Model,
    /// The name that isospin gives to the property, and SPIN, if there are several.
    pub property: &'static str,
    /// Whether SPIN has to be told which property is meant.
    pub several: bool,
    /// How many processes there are.
    pub processes: u64,
}

impl Subject {
    /// `petersonN N=4 bounded_bypass`
    pub fn name(&self) -> String {
        format!("{} {}", self.model.name(), self.property)
    }
}

use Class::Normal;
use Origin::{Ours, Spin};

const fn one(model: Model, property: &'static str, processes: u64) -> Subject {
    Subject { model, property, several: false, processes }
}

const fn named(model: Model, property: &'static str, processes: u64) -> Subject {
    Subject { model, property, several: true, processes }
}

/// All of them.
pub const SUBJECTS: &[Subject] = &[
    one(subject(Spin("LTL/petersonN.pml"), &[("N", 3)], Normal), "bounded_bypass", 3),
    one(subject(Spin("LTL/petersonN.pml"), &[("N", 4)], Normal), "bounded_bypass", 4),
    named(subject(Spin("LTL/leader.pml"), &[], Normal), "p1", 6),
    named(subject(Spin("LTL/leader.pml"), &[], Normal), "p2", 6),
    named(subject(Spin("LTL/train.pml"), &[], Normal), "c1", 6),
    named(subject(Spin("LTL/train.pml"), &[], Normal), "c2", 6),
    one(subject(Spin("LTL/mobile1.pml"), &[], Normal), "ltl_0", 6),
    one(subject(Spin("LTL/mobile2.pml"), &[], Normal), "ltl_0", 5),
    named(subject(Spin("LTL/pftp.pml"), &[], Normal), "p1", 4),
    one(subject(Ours("elevator.pml"), &[], Normal), "served", 3),
    one(subject(Ours("hypercube.pml"), &[], Normal), "arrives", 8),
    one(subject(Ours("leader.pml"), &[("N", 6)], Normal), "elected", 6),
    one(subject(Ours("readers_writers.pml"), &[], Normal), "writer_served", 4),
    one(subject(Ours("ticket_lock.pml"), &[("N", 5)], Normal), "served", 5),
    one(subject(Ours("token_ring.pml"), &[], Normal), "returns", 5),
    one(subject(Ours("writers_first.pml"), &[], Normal), "writer_served", 4),
];
