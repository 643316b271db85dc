//! The properties in the report of `isospin symmetry`: how much of the group keeps what each of them asks about.
//!
//! A search for a property merges only states in which its claim can do the same, so it uses a subgroup.

use std::fmt::Write as _;

use ::symmetry::detect::{Options, Useless, detect};
use isospin::verify::observations;
use machine::Machine;
use machine::claim::Subject;
use serde::Serialize;

/// A property with the symmetries that keep its atoms.
#[derive(Serialize)]
pub struct PropertySymmetry {
    property: String,
    order: String,
    structure: String,
}

impl PropertySymmetry {
    /// What each `ltl` block and claim of the model keeps. Labels need no mention: all symmetries keep them. Neither are claims
    /// mentioned that cannot be built: `verify` says why.
    pub fn all(machine: &Machine, options: &Options) -> Vec<PropertySymmetry> {
        let subjects = Subject::all(machine).into_iter();
        let asked = subjects.filter(|subject| !matches!(subject, Subject::Acceptance | Subject::NonProgress));
        asked.filter_map(|subject| PropertySymmetry::of(machine, options, subject)).collect()
    }

    fn of(machine: &Machine, options: &Options, subject: Subject) -> Option<PropertySymmetry> {
        let claim = subject.claim(machine).ok()?;
        // As a search for the claim asks: nothing is left out that would let it count for ever.
        let preserve = observations(&claim);
        let options = Options { preserve, useless: Useless::Kept, ..options.clone() };
        let group = detect(machine, &options).group;
        Some(PropertySymmetry {
            property: subject.name(machine).to_string(),
            order: group.order().to_string(),
            structure: group.structure().to_string(),
        })
    }

    /// A line for each property.
    pub fn text(all: &[PropertySymmetry]) -> String {
        let mut text = String::new();
        if !all.is_empty() {
            text += "\nkept by what properties ask about\n";
        }
        for PropertySymmetry { property, order, structure } in all {
            let _ = match order.as_str() {
                "1" => writeln!(text, "  {property}: no symmetry"),
                order => writeln!(text, "  {property}: {order} symmetries, {structure}"),
            };
        }
        text
    }
}
