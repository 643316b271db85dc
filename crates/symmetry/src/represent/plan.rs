//! The plan: which factors of the group are handled together, and how.

use std::fmt::Write as _;

use group::Group;
use num_bigint::BigUint;

use crate::shape::{Content, Shape};

use super::Strategy;
use super::chain::Chain;
use super::layout::Layout;
use super::objects::{Objects, Structure};
use super::siblings::Forest;

/// A compiled group.
#[derive(Debug)]
pub(super) struct Plan {
    /// Bytes of a state.
    pub(super) length: usize,
    pub(super) order: BigUint,
    /// One after the other; none for the trivial group.
    pub(super) clusters: Vec<Cluster>,
}

/// Factors that references tie together.
#[derive(Debug)]
pub(super) struct Cluster {
    pub(super) objects: Objects,
    pub(super) layout: Layout,
    pub(super) method: Method,
    order: BigUint,
    structure: String,
}

#[derive(Debug)]
pub(super) enum Method {
    Siblings(Forest),
    Chain(Chain),
    Enumerate(Chain),
}

impl Method {
    pub(super) fn is_exact(&self) -> bool {
        match self {
            Method::Siblings(_) | Method::Chain(_) | Method::Enumerate(_) => true,
        }
    }
}

impl Plan {
    pub(super) fn new(shape: &Shape, group: &Group, strategy: Strategy) -> Self {
        let order = group.order();
        let factors = group.disjoint_factors();
        let clusters = match strategy {
            _ if factors.is_empty() => Vec::new(),
            Strategy::Enumerate { most_elements } if order <= BigUint::from(most_elements) => {
                let method = |objects: &Objects| Method::Enumerate(Chain::new(&objects.action(group)));
                vec![Cluster::new(shape, &factors, Objects::without_forest(&factors), method)]
            }
            Strategy::Exact | Strategy::Enumerate { .. } => {
                clusters(shape, factors).iter().map(|factors| Cluster::exact(shape, factors)).collect()
            }
        };
        Self { length: shape.length, order, clusters }
    }

    pub(super) fn describe(&self) -> String {
        let mut text = match self.clusters.len() {
            0 => String::from("trivial group: every state is its own representative\n"),
            1 => format!("group of order {}\n", self.order),
            parts => format!("group of order {}: {parts} independent parts, one after the other\n", self.order),
        };
        for cluster in &self.clusters {
            let _ = writeln!(text, "- {}, order {}: {}", cluster.structure, cluster.order, cluster.means());
            for class in &cluster.objects.classes {
                let parent = class.parent.map(|parent| {
                    let families = cluster.objects.classes[parent].count;
                    format!(", {} for each of {families}", class.count / families)
                });
                let derived = if class.derivation.is_empty() { "" } else { ", determined by those before" };
                let (objects, points) = (class.count, class.rows.len());
                let parent = parent.unwrap_or_default();
                let _ = writeln!(text, "  - {objects} objects of {points} points{parent}{derived}");
            }
        }
        text
    }
}

impl Cluster {
    fn new(shape: &Shape, factors: &[Group], objects: Objects, method: impl FnOnce(&Objects) -> Method) -> Self {
        let structures: Vec<String> = factors.iter().map(|factor| factor.structure().to_string()).collect();
        Self {
            layout: Layout::new(shape, &objects),
            method: method(&objects),
            objects,
            order: factors.iter().map(Group::order).product(),
            structure: structures.join(" × "),
        }
    }

    fn exact(shape: &Shape, factors: &[Group]) -> Self {
        Self::new(shape, factors, Objects::of_factors(factors), |objects| match objects.structure {
            Structure::Forest => Method::Siblings(Forest::new(objects)),
            Structure::Other => Method::Chain(Chain::new(&objects.action(&product(factors)))),
        })
    }

    fn means(&self) -> &'static str {
        match (&self.method, self.layout.has_no_names()) {
            (Method::Siblings(_), true) => "exact by sorting",
            (Method::Siblings(_), false) => "exact by sorting with refinement by references",
            (Method::Chain(_), _) => "exact by search along a stabiliser chain",
            (Method::Enumerate(_), _) => "exact by trying all elements",
        }
    }
}

fn product(factors: &[Group]) -> Group {
    let degree = factors[0].degree();
    let generators = factors.iter().flat_map(|factor| factor.generators().iter().cloned());
    Group::of_known_order(degree, generators, &factors.iter().map(Group::order).product())
}

/// The factors in clusters: those that are not independent are together.
fn clusters(shape: &Shape, factors: Vec<Group>) -> Vec<Vec<Group>> {
    let mut factor_of: Vec<Option<usize>> = vec![None; shape.degree()];
    for (number, factor) in factors.iter().enumerate() {
        factor.moved_points().iter().for_each(|&point| factor_of[point as usize] = Some(number));
    }
    let mut cluster: Vec<usize> = (0..factors.len()).collect();
    for (slot, moved_by) in shape.slots.iter().zip(&factor_of) {
        let (Some(moved_by), Content::Name(domain)) = (*moved_by, slot.content) else { continue };
        let domain = &shape.domains[domain.0 as usize];
        let values = &factor_of[domain.first_point as usize..][..domain.values.len()];
        for renamed_by in values.iter().flatten() {
            let (one, other) = (cluster[moved_by], cluster[*renamed_by]);
            cluster.iter_mut().filter(|cluster| **cluster == other).for_each(|cluster| *cluster = one);
        }
    }
    let mut grouped: Vec<Vec<Group>> = vec![Vec::new(); factors.len()];
    for (factor, cluster) in factors.into_iter().zip(cluster) {
        grouped[cluster].push(factor);
    }
    grouped.retain(|factors| !factors.is_empty());
    grouped
}
