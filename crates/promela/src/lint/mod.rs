//! Lints: legal models that probably do not mean what they say.
//!
//! One rule is one file, with its reason and an example in its first lines. A rule sees the checked model, laid out flat in
//! [`code`], and the tree it was made from; it only reports. Names that start with `_` are left alone by all rules about
//! unused things.

mod channel_mix;
mod code;
mod comparison;
mod dead_else;
mod division;
mod else_with_io;
mod index_bounds;
mod initialisation_order;
mod invisible_label;
mod kind_mix;
mod label_in_option;
mod message_arity;
mod mtype_argument;
mod mtype_mix;
mod one_sided_channel;
mod printf_format;
mod rendezvous_use;
mod run_in_expression;
mod stores;
mod timeout_in_d_step;
mod truncation;
mod unreachable_code;
mod unused_definition;
mod unused_label;
mod unused_variable;
mod usage;

use crate::ast::Ast;
use crate::diagnostic::Diagnostic;
use crate::kinds::Mix;
use crate::model::Model;
use crate::resolve::IndexHint;
use code::Code;
use stores::Store;
use usage::Usage;

/// What a rule can look at.
struct Context<'m> {
    model: &'m Model,
    ast: &'m Ast,
    code: Code<'m>,
    stores: Vec<Store<'m>>,
    usage: Usage,
    mixes: &'m [Mix],
}

/// Runs every rule.
pub(crate) fn check(model: &Model, ast: &Ast, hints: &[IndexHint], mixes: &[Mix], diagnostics: &mut Vec<Diagnostic>) {
    let code = Code::of(model);
    let usage = Usage::of(model, &code, hints);
    let stores = stores::stores(model, &code);
    let context = Context { model, ast, code, stores, usage, mixes };
    let rules = [
        channel_mix::check,
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
        // Behind the rules about channels and mtypes: a place that they have marked is not marked twice.
        kind_mix::check,
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
