//! The plan: which factors of the group are handled together, and how.

use std::fmt::Write as _;

use group::Group;
use num_bigint::BigUint;

use crate::shape::{Content, Shape};

use super::Strategy;
use super::approximate::Moves;
use super::forest::{Effort, Forest};
use super::layout::Layout;
use super::objects::{Class, Objects, Structure};
use super::stages::{Chain, Guidance};

/// A part of a plan, for people: factors of the group that are handled together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// What the factors are, such as `S3 wr S2`.
    pub structure: String,
    /// How many symmetries they have.
    pub order: BigUint,
    /// How representatives are found.
    pub means: &'static str,
    /// Whether each orbit has one representative only.
    pub exact: bool,
    /// What is permuted.
    pub classes: Vec<ObjectClass>,
}

/// Objects that are permuted with each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ObjectClass {
    /// How many there are.
    pub objects: usize,
    /// Of how many variables and names each consists.
    pub points: usize,
    /// How many belong together, if they belong to other objects.
    pub siblings: Option<usize>,
    /// Whether they are determined by other objects, as a cell of a matrix is by its row and column.
    pub derived: bool,
}

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
    pub(super) is_exact: bool,
    order: BigUint,
    structure: String,
}

/// Whether slots of one factor may hold names of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coupling {
    None,
    References,
}

#[derive(Debug)]
pub(super) enum Method {
    Siblings(Forest),
    Chain(Chain),
    Enumerate(Chain),
    LocalSearch(Moves),
    PseudoSort,
}

impl Plan {
    pub(super) fn new(shape: &Shape, group: &Group, strategy: Strategy) -> Self {
        let order = group.order();
        let factors = group.disjoint_factors();
        let independent = |factors| clusters(shape, factors);
        let clusters = match strategy {
            _ if factors.is_empty() => Vec::new(),
            Strategy::Enumerate { most_elements } if order <= BigUint::from(most_elements) => {
                vec![Cluster::enumerate(shape, &factors)]
            }
            Strategy::Exact | Strategy::Enumerate { .. } => {
                independent(factors).iter().map(|factors| Cluster::exact(shape, factors)).collect()
            }
            Strategy::Segmented => {
                independent(factors).iter().map(|factors| Cluster::segmented(shape, factors)).collect()
            }
            Strategy::Fast | Strategy::LocalSearch | Strategy::Sort => {
                let each = |factors: &Vec<Group>| match factors.len() {
                    1 => vec![Cluster::approximate(shape, &factors[0], strategy, Coupling::None)],
                    _ => {
                        let apart = |factor| Cluster::approximate(shape, factor, strategy, Coupling::References);
                        factors.iter().map(apart).collect()
                    }
                };
                independent(factors).iter().flat_map(each).collect()
            }
        };
        Self { length: shape.length, order, clusters }
    }

    pub(super) fn parts(&self) -> Vec<Part> {
        let part = |cluster: &Cluster| Part {
            structure: cluster.structure.clone(),
            order: cluster.order.clone(),
            means: cluster.means(),
            exact: cluster.is_exact,
            classes: cluster.classes(),
        };
        self.clusters.iter().map(part).collect()
    }

    pub(super) fn describe(&self) -> String {
        let mut text = match self.clusters.len() {
            0 => String::from("trivial group: every state is its own representative\n"),
            1 => format!("group of order {}\n", self.order),
            parts => format!("group of order {}: {parts} independent parts, one after the other\n", self.order),
        };
        for part in self.parts() {
            let _ = writeln!(text, "- {}, order {}: {}", part.structure, part.order, part.means);
            for class in part.classes {
                let ObjectClass { objects, points, siblings, derived } = class;
                let siblings = siblings.map_or_else(String::new, |siblings| format!(", {siblings} together"));
                let derived = if derived { ", determined by those before" } else { "" };
                let _ = writeln!(text, "  - {objects} objects of {points} points{siblings}{derived}");
            }
        }
        text
    }
}

impl Cluster {
    fn new(
        shape: &Shape,
        factors: &[Group],
        objects: Objects,
        method: impl FnOnce(&Objects, &Layout) -> Method,
    ) -> Self {
        let structures: Vec<String> = factors.iter().map(|factor| factor.structure().to_string()).collect();
        let layout = Layout::new(shape, &objects);
        Self {
            method: method(&objects, &layout),
            layout,
            objects,
            order: factors.iter().map(Group::order).product(),
            structure: structures.join(" × "),
            is_exact: true,
        }
    }

    fn enumerate(shape: &Shape, factors: &[Group]) -> Self {
        Self::new(shape, factors, Objects::without_forest(factors), |objects, layout| {
            Method::Enumerate(Chain::new(&product(factors), objects, layout, Guidance::Contents))
        })
    }

    fn segmented(shape: &Shape, factors: &[Group]) -> Self {
        Self::new(shape, factors, Objects::without_forest(factors), |objects, layout| {
            Method::Chain(Chain::new(&product(factors), objects, layout, Guidance::Contents))
        })
    }

    /// One factor by itself, whatever it is coupled with.
    fn approximate(shape: &Shape, factor: &Group, strategy: Strategy, coupling: Coupling) -> Self {
        let factors = std::slice::from_ref(factor);
        let exact = Self::exact(shape, factors);
        // Without references sorting is exact, and exact sorting costs no more.
        if coupling == Coupling::None && exact.layout.has_no_names() && exact.objects.structure == Structure::Forest {
            return exact;
        }
        let flat = exact.objects.classes.iter().all(|class| class.parent.is_none() && class.derivation.is_empty());
        let cluster = match (strategy, exact.objects.structure) {
            (Strategy::Fast, Structure::Forest) => {
                let method = Method::Siblings(Forest::new(&exact.objects, Effort::SortOnly));
                Self { method, ..exact }
            }
            (Strategy::Sort, Structure::Forest) if flat => Self { method: Method::PseudoSort, ..exact },
            (Strategy::Fast, Structure::Other) if exact.order <= few_elements(&exact.objects) => {
                return Self { is_exact: coupling == Coupling::None, ..Self::enumerate(shape, factors) };
            }
            _ => Self::new(shape, factors, Objects::without_forest(factors), |objects, _| {
                Method::LocalSearch(Moves::new(&objects.action(factor)))
            }),
        };
        Self { is_exact: false, ..cluster }
    }

    fn exact(shape: &Shape, factors: &[Group]) -> Self {
        Self::new(shape, factors, Objects::of_factors(factors), |objects, layout| match objects.structure {
            Structure::Forest => Method::Siblings(Forest::new(objects, Effort::Exact)),
            Structure::Other => Method::Chain(Chain::new(&product(factors), objects, layout, Guidance::Colours)),
        })
    }

    fn classes(&self) -> Vec<ObjectClass> {
        let classes = &self.objects.classes;
        let class = |class: &Class| ObjectClass {
            objects: class.count,
            points: class.rows.len(),
            siblings: class.parent.map(|parent| class.count / classes[parent].count),
            derived: !class.derivation.is_empty(),
        };
        classes.iter().map(class).collect()
    }

    fn means(&self) -> &'static str {
        match (&self.method, self.layout.has_no_names()) {
            (Method::Siblings(_), true) if self.is_exact => "exact by sorting",
            (Method::Siblings(_), false) if self.is_exact => "exact by sorting with refinement by references",
            (Method::Siblings(_), _) => "not exact: sorted by what objects hold apart from references",
            (Method::Chain(_), _) => "exact by search along a stabiliser chain",
            (Method::Enumerate(_), _) if self.is_exact => "exact by trying all elements",
            (Method::Enumerate(_), _) => "not exact: all elements tried, but coupled with other factors",
            (Method::LocalSearch(_), _) => "not exact: local search with the generators",
            (Method::PseudoSort, _) => "not exact: sorted by exchanges that rename references",
        }
    }
}

/// A group of at most that many elements is small for its objects: so TopSPIN decides what to enumerate.
fn few_elements(objects: &Objects) -> BigUint {
    let count = objects.count();
    (count * count).into()
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
