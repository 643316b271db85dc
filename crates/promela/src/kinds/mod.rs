//! What values stand for, inferred: process identifiers, indices, mtype values, channels and what those carry.
//!
//! Every variable, message field and array index starts in a class of its own; whatever flows from one to another, or is
//! compared with it, unites their classes ([`classes`], a union-find). Channel types are part of the same graph, and may
//! be recursive, since nothing forbids a class to contain itself. A class whose uses contradict each other stands for
//! plain numbers: nothing is ever refused here. The idea is Donaldson's (thesis, chapter 7: type reconstruction for
//! channels and process identifiers); that *all* identifiers are inferred, not only declared `pid`s, goes beyond it.
//!
//! ```text
//! constraints ──▶ classes ──▶ channel_type (minimised) ──▶ fill (kinds of variables and expressions)
//!                    └──────▶ mixes (where uses contradict each other)
//! ```

mod channel_type;
mod classes;
mod constraints;
mod fill;
mod mixes;
mod nodes;

use crate::diagnostic::Diagnostic;
use crate::model::Model;
use crate::resolve::IndexHint;
use nodes::Nodes;

pub(crate) use mixes::{Mix, Sort};

/// Fills in the kinds, domains and channel types of a model, and reports channels that are used with two types.
/// Returns the places where kinds are taken for one another that have nothing in common.
pub(crate) fn infer(model: &mut Model, hints: &[IndexHint], diagnostics: &mut Vec<Diagnostic>) -> Vec<Mix> {
    let nodes = Nodes::new(model);
    let (mut classes, seen) = constraints::unite(model, &nodes, hints);
    let mixes = mixes::find(&nodes, &classes, seen);
    classes.report_clashes(model, diagnostics);
    model.domains = classes.number_domains(&nodes);
    let (channel_types, type_of_class) = channel_type::extract(&classes);
    model.channel_types = channel_types;
    fill::fill(model, &fill::Inferred { nodes: &nodes, classes: &classes, type_of_class: &type_of_class });
    mixes
}
