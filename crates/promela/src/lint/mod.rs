//! Lints: legal models that probably do not mean what they say.
//!
//! One rule is one file, with its reason and an example in its first lines. A rule sees the checked model and the tree it
//! was made from, and only reports. Names that start with `_` are left alone by all rules about unused things.

mod comparison;
mod dead_else;
mod division;
mod else_with_io;
mod index_bounds;
mod initialisation_order;
mod invisible_label;
mod label_in_option;
mod message_arity;
mod mtype_argument;
mod mtype_mix;
mod one_sided_channel;
mod printf_format;
mod rendezvous_use;
mod run_in_expression;
mod timeout_in_d_step;
mod truncation;
mod unreachable_code;
mod unused_definition;
mod unused_label;
mod unused_variable;
mod usage;

use crate::ast::Ast;
use crate::diagnostic::Diagnostic;
use crate::model::visit::{Visitor, walk};
use crate::model::{Model, Owner};
use crate::resolve::IndexHint;
use usage::Usage;

/// What a rule can look at.
pub(crate) struct Context<'m> {
    pub(crate) model: &'m Model,
    pub(crate) ast: &'m Ast,
    pub(crate) usage: Usage,
}

/// Runs every rule.
pub(crate) fn check(model: &Model, ast: &Ast, hints: &[IndexHint], diagnostics: &mut Vec<Diagnostic>) {
    let context = Context { model, ast, usage: Usage::of(model, hints) };
    let rules = [
        comparison::check,
        dead_else::check,
        division::check,
        else_with_io::check,
        index_bounds::check,
        initialisation_order::check,
        invisible_label::check,
        label_in_option::check,
        message_arity::check,
        mtype_argument::check,
        mtype_mix::check,
        one_sided_channel::check,
        printf_format::check,
        rendezvous_use::check,
        run_in_expression::check,
        timeout_in_d_step::check,
        truncation::check,
        unreachable_code::check,
        unused_definition::check,
        unused_label::check,
        unused_variable::check,
    ];
    for rule in rules {
        rule(&context, diagnostics);
    }
}

impl Context<'_> {
    /// Lets a visitor see all code; it is told whose code it sees. Globals' initial values and formulas belong to nobody,
    /// and have no locals, so the trace stands for nobody there.
    fn walk<V: Visitor>(&self, visitor: &mut V, mut begin: impl FnMut(&mut V, Owner)) {
        begin(visitor, Owner::Trace);
        for variable in &self.model.globals {
            walk::initial(visitor, &variable.initial);
        }
        for property in &self.model.ltl {
            walk::formula(visitor, &property.formula);
        }
        for (owner, process) in self.model.owners() {
            begin(visitor, owner);
            walk::process(visitor, process);
        }
    }
}
