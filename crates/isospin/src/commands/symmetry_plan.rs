//! The plan in the report of `isospin symmetry --plan`: how representatives of orbits will be found.

use std::fmt::Write as _;

use ::symmetry::detect::Detection;
use ::symmetry::{Canonicaliser, Part};
use serde::Serialize;

use crate::cli::verify::SymmetryKind;
use crate::commands::verify::strategy;

/// The plan for a group.
#[derive(Serialize)]
pub struct Plan {
    exact: bool,
    parts: Vec<PlannedPart>,
}

/// Factors of the group that are handled together.
#[derive(Serialize)]
struct PlannedPart {
    structure: String,
    order: String,
    means: &'static str,
    exact: bool,
    objects: Vec<Objects>,
}

/// Objects that are permuted with each other.
#[derive(Serialize)]
struct Objects {
    count: usize,
    points: usize,
    siblings: Option<usize>,
    derived: bool,
}

impl Plan {
    /// The plan that a strategy makes; none at all for `off`.
    pub fn of(kind: SymmetryKind, detection: &Detection) -> Plan {
        let Some(strategy) = strategy(kind) else { return Plan { exact: true, parts: Vec::new() } };
        let canonicaliser = Canonicaliser::new(&detection.shape, &detection.group, strategy);
        let parts = canonicaliser.parts().into_iter().map(PlannedPart::of).collect();
        Plan { exact: canonicaliser.is_exact(), parts }
    }

    /// The plan as a tree of lines.
    pub fn text(&self) -> String {
        let mut text = String::from(match (self.parts.len(), self.exact) {
            (0, _) => return "\nplan: every state is its own representative\n".into(),
            (_, true) => "\nplan: one representative for each orbit\n",
            (_, false) => "\nplan: representatives that may not be unique\n",
        });
        for part in &self.parts {
            let _ = writeln!(text, "  {}, order {}: {}", part.structure, part.order, part.means);
            for each in &part.objects {
                let Objects { count, points, .. } = each;
                let siblings = each.siblings.map_or_else(String::new, |siblings| format!(", {siblings} together"));
                let derived = if each.derived { ", determined by those before" } else { "" };
                let _ = writeln!(text, "    {count} objects of {points} variables and names{siblings}{derived}");
            }
        }
        text
    }
}

impl PlannedPart {
    fn of(part: Part) -> PlannedPart {
        let objects = part.classes.iter().map(|class| Objects {
            count: class.objects,
            points: class.points,
            siblings: class.siblings,
            derived: class.derived,
        });
        PlannedPart {
            structure: part.structure,
            order: part.order.to_string(),
            means: part.means,
            exact: part.exact,
            objects: objects.collect(),
        }
    }
}
