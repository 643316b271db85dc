//! What a name means at a point of the text.
//!
//! SPIN reads a model once, from top to bottom: a name means what was declared above it, and its lexer decides the
//! class before the grammar sees it. The classes are asked in its order: mtype names, typedefs, proctypes, inlines,
//! then locals, then globals.

use std::cell::Cell;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::scope::{Scopes, Symbol};
use crate::model::{Base, GlobalId, MtypeSetId, Predefined, ProcessId, StructureId};
use crate::source::Span;

/// What a name means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// A name of an mtype set.
    Mtype(MtypeSetId, i32),
    /// A typedef.
    Typedef(StructureId),
    /// A proctype whose definition has begun.
    Proctype(ProcessId),
    /// An inline.
    Inline,
    /// A variable.
    Variable(Base),
    /// A label.
    Label,
    /// `_pid` and its like.
    Predefined(Predefined),
    /// `_`
    Scratch,
    /// `_p`: the number of the control state; SPIN's own, not in its manual.
    Location,
    /// Nothing.
    Unknown,
}

/// All names but those of fields.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) mtypes: FxHashMap<Arc<str>, (MtypeSetId, i32, Span)>,
    /// The named sets; the unnamed one is set 0.
    pub(super) mtype_sets: FxHashMap<Arc<str>, MtypeSetId>,
    pub(super) typedefs: FxHashMap<Arc<str>, StructureId>,
    pub(super) proctypes: FxHashMap<Arc<str>, ProcessId>,
    pub(super) inlines: FxHashMap<Arc<str>, Span>,
    pub(super) globals: FxHashMap<Arc<str>, GlobalId>,
    /// How many processes have begun: proctypes further down can be run, but not referred to.
    pub(super) begun: u32,
    /// Names whose declaration was refused: nothing more is said about them.
    pub(super) refused: FxHashSet<Arc<str>>,
    /// The scopes of the process being read.
    pub(super) scopes: Option<Scopes>,
    /// How often a similar name was looked for.
    questions: Cell<u32>,
}

/// Past so many unknown names no similar ones are looked for: that many errors are not shown.
const MOST_QUESTIONS: u32 = 200;

impl Names {
    /// What a name means here.
    pub(super) fn meaning(&self, name: &str) -> Meaning {
        if let Some(&(set, value, _)) = self.mtypes.get(name) {
            return Meaning::Mtype(set, value);
        }
        if let Some(&id) = self.typedefs.get(name) {
            return Meaning::Typedef(id);
        }
        if let Some(&id) = self.proctypes.get(name)
            && id.0 < self.begun
        {
            return Meaning::Proctype(id);
        }
        if self.inlines.contains_key(name) {
            return Meaning::Inline;
        }
        match self.scopes.as_ref().and_then(|scopes| scopes.lookup(name)) {
            Some(Symbol::Variable(id)) => return Meaning::Variable(Base::Local(*id)),
            Some(Symbol::Label(_)) => return Meaning::Label,
            None => {}
        }
        if let Some(&id) = self.globals.get(name) {
            return Meaning::Variable(Base::Global(id));
        }
        match name {
            "_" => Meaning::Scratch,
            "_p" => Meaning::Location,
            "_pid" => Meaning::Predefined(Predefined::Pid),
            "_nr_pr" => Meaning::Predefined(Predefined::ProcessCount),
            "_nr_qs" => Meaning::Predefined(Predefined::ChannelCount),
            "_last" => Meaning::Predefined(Predefined::Last),
            "_priority" => Meaning::Predefined(Predefined::Priority),
            "_lid" => Meaning::Predefined(Predefined::LocalNumber),
            _ => Meaning::Unknown,
        }
    }

    /// The visible name most like a misspelled one.
    pub(super) fn similar(&self, name: &str) -> Option<&str> {
        let asked = self.questions.replace(self.questions.get().saturating_add(1));
        if asked >= MOST_QUESTIONS {
            return None;
        }
        let locals = self.scopes.iter().flat_map(Scopes::visible);
        let all = locals.chain(self.globals.keys()).chain(self.mtypes.keys());
        closest(name, all.map(|candidate| &**candidate))
    }
}

/// A name longer than this was not typed by hand, and comparing such names would take long.
const LONGEST_SUGGESTED_FOR: usize = 100;

/// The candidate nearest to `name`, if one is near enough to be a slip of the fingers.
pub(super) fn closest<'n>(name: &str, candidates: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let limit = match name.chars().count() {
        0..=2 => return None,
        3..=5 => 1,
        6..=LONGEST_SUGGESTED_FOR => 2,
        _ => return None,
    };
    let near = |candidate: &'n str| {
        let length = candidate.len().abs_diff(name.len());
        let distance = if length > limit { usize::MAX } else { edit_distance(name, candidate) };
        (distance > 0 && distance <= limit).then_some((distance, candidate))
    };
    // Equal distances are decided by the alphabet, so that a message does not depend on a map's order.
    candidates.filter_map(near).min().map(|(_, candidate)| candidate)
}

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replace = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested_and_far_ones_are_not() {
        let names = ["count", "amount", "counter", "x"];
        assert_eq!(closest("cuont", names.into_iter()), Some("count"));
        assert_eq!(closest("countre", names.into_iter()), Some("counter"));
        assert_eq!(closest("y", names.into_iter()), None);
        assert_eq!(closest("zebra", names.into_iter()), None);
    }

    #[test]
    fn names_of_a_million_letters_are_not_compared_letter_by_letter() {
        let (declared, used) = ("x".repeat(1_000_000), "x".repeat(999_999));
        assert_eq!(closest(&used, [&*declared].into_iter()), None);
    }
}
