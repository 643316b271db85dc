//! From classes of channels to channel types, no two of them equal.
//!
//! A channel type is a graph: a channel's fields may be channels. Two classes have the same type if no path of fields tells
//! them apart, so the types are the coarsest bisimulation, found by refining a partition as for the minimisation of
//! automata (Moore 1956): `rec X. chan {X, byte}` and its unfoldings become one.

use rustc_hash::FxHashMap;

use super::classes::Classes;
use super::nodes::Node;
use crate::model::{ChannelType, ChannelTypeId, Kind, MessageField, Type};

/// The type of each class of channels, by the node that stands for the class.
pub(super) type TypeOfClass = FxHashMap<Node, ChannelTypeId>;

/// What tells two classes apart before their fields' channels are compared.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Outline {
    declared: bool,
    fields: Vec<(Option<Type>, Kind)>,
}

/// The channel types, and which class has which.
pub(super) fn extract(classes: &Classes) -> (Vec<ChannelType>, TypeOfClass) {
    let roots: Vec<Node> = (0..classes.len() as u32)
        .map(Node)
        .filter(|&node| classes.find(node) == node && classes.kind(node) == Kind::Channel)
        .collect();
    let position: FxHashMap<Node, usize> = roots.iter().enumerate().map(|(i, &node)| (node, i)).collect();
    let mut outlines = Vec::with_capacity(roots.len());
    let mut children: Vec<Vec<Option<usize>>> = Vec::with_capacity(roots.len());
    for &root in &roots {
        let channel = classes.facts(root).channel.clone().unwrap_or_default();
        let declared = channel.declared.as_deref().filter(|_| !channel.clashed);
        let types = (0..channel.fields.len()).map(|number| declared.and_then(|types| types.get(number)).copied());
        let kinds = channel.fields.iter().map(|&field| classes.kind(field));
        outlines.push(Outline { declared: declared.is_some(), fields: types.zip(kinds).collect() });
        children.push(channel.fields.iter().map(|&field| position.get(&classes.find(field)).copied()).collect());
    }
    let colours = refine(number(outlines.iter().cloned()), &children);
    let mut types: Vec<Option<ChannelType>> = vec![None; colours.iter().max().map_or(0, |max| max + 1)];
    for (index, outline) in outlines.into_iter().enumerate() {
        types[colours[index]].get_or_insert_with(|| ChannelType {
            declared: outline.declared,
            fields: outline
                .fields
                .iter()
                .zip(&children[index])
                .map(|(&(ty, kind), child)| MessageField {
                    ty,
                    kind,
                    channel: child.map(|child| ChannelTypeId(colours[child] as u32)),
                })
                .collect(),
        });
    }
    let of_class = roots.iter().zip(&colours).map(|(&root, &colour)| (root, ChannelTypeId(colour as u32))).collect();
    (types.into_iter().flatten().collect(), of_class)
}

/// Splits classes until no field tells members of one class apart.
fn refine(mut colours: Vec<usize>, children: &[Vec<Option<usize>>]) -> Vec<usize> {
    let count = |colours: &[usize]| colours.iter().max().map_or(0, |max| max + 1);
    loop {
        let signature = |index: usize| {
            let of_fields: Vec<Option<usize>> =
                children[index].iter().map(|child| child.map(|child| colours[child])).collect();
            (colours[index], of_fields)
        };
        let finer = number((0..colours.len()).map(signature));
        if count(&finer) == count(&colours) {
            return finer;
        }
        colours = finer;
    }
}

/// Numbers values in the order of their first occurrence.
fn number<T: Eq + std::hash::Hash>(values: impl Iterator<Item = T>) -> Vec<usize> {
    let mut numbers = FxHashMap::default();
    values
        .map(|value| {
            let next = numbers.len();
            *numbers.entry(value).or_insert(next)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares every pair of vertices along every path up to a length that suffices.
    fn naive(outlines: &[usize], children: &[Vec<Option<usize>>]) -> Vec<Vec<bool>> {
        let n = outlines.len();
        let mut same: Vec<Vec<bool>> = (0..n).map(|a| (0..n).map(|b| outlines[a] == outlines[b]).collect()).collect();
        for _ in 0..n {
            let old = same.clone();
            for a in 0..n {
                for b in 0..n {
                    same[a][b] = old[a][b]
                        && children[a].len() == children[b].len()
                        && children[a].iter().zip(&children[b]).all(|(x, y)| match (x, y) {
                            (Some(x), Some(y)) => old[*x][*y],
                            (None, None) => true,
                            _ => false,
                        });
                }
            }
        }
        same
    }

    proptest::proptest! {
        #[test]
        fn refinement_finds_the_coarsest_bisimulation(
            graph in proptest::collection::vec((0..2_usize, proptest::collection::vec(proptest::option::of(0..8_usize), 0..3)), 8)
        ) {
            let outlines: Vec<usize> = graph.iter().map(|(outline, fields)| outline * 4 + fields.len()).collect();
            let children: Vec<Vec<Option<usize>>> = graph.into_iter().map(|(_, fields)| fields).collect();
            let colours = refine(number(outlines.iter()), &children);
            let expected = naive(&outlines, &children);
            for a in 0..8 {
                for b in 0..8 {
                    proptest::prop_assert_eq!(colours[a] == colours[b], expected[a][b]);
                }
            }
        }
    }
}
