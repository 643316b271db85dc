//! Labels of one process, and which of them a `goto` means.
//!
//! The same label may stand in different scopes. SPIN takes the one in the scope of the `goto`'s own symbol; failing
//! that, the first one defined in a scope around it; failing that, the last one defined anywhere in the process.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::ast::Name;
use crate::model::{Label, LabelId, Scope};

/// A `d_step`, numbered within its process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct DStepNumber(pub(super) u32);

/// A label in front of a statement.
#[derive(Debug)]
pub(super) struct Definition {
    pub(super) id: LabelId,
    /// The scope of the label's first mention.
    pub(super) scope: Scope,
    /// The inline whose text it stands in.
    pub(super) inline: Option<Arc<str>>,
    /// The `d_step` it stands in.
    pub(super) d_step: Option<DStepNumber>,
}

/// A `goto` whose label may still come.
#[derive(Debug)]
pub(super) struct Jump {
    pub(super) label: Name,
    /// The scope of the label's first mention.
    pub(super) scope: Scope,
    /// The `d_step` it stands in.
    pub(super) d_step: Option<DStepNumber>,
}

/// The labels of a process, and its jumps.
#[derive(Debug, Default)]
pub(super) struct Labels {
    pub(super) table: Vec<Label>,
    pub(super) jumps: Vec<Jump>,
    definitions: FxHashMap<Arc<str>, Vec<Definition>>,
}

impl Labels {
    /// Adds a label; the earlier one that it repeats, if it does.
    pub(super) fn define(
        &mut self,
        name: &Name,
        scope: Scope,
        inline: Option<Arc<str>>,
        d_step: Option<DStepNumber>,
    ) -> Result<LabelId, LabelId> {
        let id = LabelId(self.table.len() as u32);
        self.table.push(Label { name: name.text.clone(), span: name.span, remote: false });
        let definitions = self.definitions.entry(name.text.clone()).or_default();
        let repeated = definitions.iter().find(|d| d.scope == scope && d.inline == inline).map(|d| d.id);
        definitions.push(Definition { id, scope, inline, d_step });
        repeated.map_or(Ok(id), Err)
    }

    /// Adds a jump. Until [`Labels::target`] can be asked, its statement holds the jump's number instead of a label.
    pub(super) fn jump(&mut self, jump: Jump) -> LabelId {
        self.jumps.push(jump);
        LabelId(self.jumps.len() as u32 - 1)
    }

    /// The label a jump leads to.
    pub(super) fn target(&self, jump: &Jump) -> Option<&Definition> {
        let definitions = self.definitions.get(&jump.label.text)?;
        let same = definitions.iter().rev().find(|d| d.scope == jump.scope);
        let around = || definitions.iter().find(|d| jump.scope.starts_with(&d.scope));
        same.or_else(around).or_else(|| definitions.last())
    }

    /// The label that a remote reference means: the first of that name.
    pub(super) fn first(&self, name: &str) -> Option<LabelId> {
        Some(self.definitions.get(name)?.first()?.id)
    }
}

/// Whether a label's name makes its state an end, accept or progress state.
pub(crate) fn is_special(name: &str) -> bool {
    ["accept", "end", "progress"].iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

    fn name(text: &str) -> Name {
        Name { text: text.into(), span: Span::NOWHERE }
    }

    fn target(definitions: &[Scope], jump: Scope) -> Option<usize> {
        let mut labels = Labels::default();
        for scope in definitions {
            let _ = labels.define(&name("L"), scope.clone(), None, None);
        }
        labels.target(&Jump { label: name("L"), scope: jump, d_step: None }).map(|d| d.id.index())
    }

    #[test]
    fn a_goto_prefers_its_own_scope_then_the_first_around_it_then_the_last_anywhere() {
        assert_eq!(target(&[vec![1], vec![2]], vec![2]), Some(1));
        assert_eq!(target(&[vec![1], vec![], vec![1, 1]], vec![1, 1, 1]), Some(0));
        assert_eq!(target(&[vec![1], vec![2]], vec![3]), Some(1));
        assert_eq!(target(&[], vec![]), None);
    }

    #[test]
    fn a_label_repeats_another_only_in_one_scope_and_one_inline() {
        let mut labels = Labels::default();
        assert!(labels.define(&name("L"), vec![1], None, None).is_ok());
        assert!(labels.define(&name("L"), vec![2], None, None).is_ok());
        assert!(labels.define(&name("L"), vec![1], Some("f".into()), None).is_ok());
        assert_eq!(labels.define(&name("L"), vec![1], None, None), Err(LabelId(0)));
    }
}
