//! **unused-proctype**, **unused-inline**, **unused-typedef**: definitions that nothing uses.
//!
//! ```promela
//! proctype Watchdog() { ... }       // never run, so it watches nothing
//! init { run Server() }
//! ```

use rustc_hash::FxHashSet;

use super::Context;
use crate::ast::{self, Block, Declaration, Initialiser, Statement, StatementKind as Syntax, Step, TypeName, Unit};
use crate::diagnostic::Diagnostic;
use crate::model::{ProcessId, Role};

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for (number, process) in context.model.processes.iter().enumerate() {
        if process.role == Role::Proctype
            && !context.usage.is_started(ProcessId(number as u32))
            && !process.name.starts_with('_')
        {
            let message = format!("no process of proctype `{}` is ever started", process.name);
            let note = "put `active` before it, or `run` it";
            diagnostics.push(Diagnostic::warning("unused-proctype", process.name_span, message).note(note));
        }
    }
    let mut used = Used::default();
    used.units(&context.ast.units);
    for unit in &context.ast.units {
        let (name, code, what) = match unit {
            Unit::Inline(inline) if !used.inlines.contains(&*inline.name.text) => {
                (&inline.name, "unused-inline", "inline")
            }
            Unit::Typedef(typedef) if !used.types.contains(&*typedef.name.text) => {
                (&typedef.name, "unused-typedef", "typedef")
            }
            _ => continue,
        };
        if !name.text.starts_with('_') {
            let message = format!("{what} `{}` is never used", name.text);
            diagnostics.push(Diagnostic::warning(code, name.span, message));
        }
    }
}

/// The names of inlines and typedefs that the tree uses.
#[derive(Default)]
struct Used<'a> {
    inlines: FxHashSet<&'a str>,
    types: FxHashSet<&'a str>,
}

impl<'a> Used<'a> {
    fn units(&mut self, units: &'a [Unit]) {
        for unit in units {
            match unit {
                Unit::Declaration(declaration) => self.declaration(declaration),
                Unit::Typedef(typedef) => typedef.fields.iter().for_each(|field| self.declaration(field)),
                Unit::Proctype(proctype) => {
                    proctype.parameters.iter().for_each(|parameter| self.declaration(parameter));
                    self.block(&proctype.body);
                }
                Unit::Init(init) => self.block(&init.body),
                Unit::Never(claim) => self.block(&claim.body),
                Unit::Trace(trace) => self.block(&trace.body),
                Unit::Mtype(_) | Unit::Inline(_) | Unit::Ltl(_) | Unit::EmbeddedC(_) => {}
            }
        }
    }

    fn declaration(&mut self, declaration: &'a Declaration) {
        self.type_name(&declaration.type_name);
        for variable in &declaration.variables {
            if let Some(Initialiser::Channel(channel)) = &variable.initialiser {
                channel.fields.iter().for_each(|(field, _)| self.type_name(field));
            }
        }
    }

    fn type_name(&mut self, name: &'a TypeName) {
        if let TypeName::User(name) = name {
            self.types.insert(&name.text);
        }
    }

    fn block(&mut self, block: &'a Block) {
        for step in &block.steps {
            match step {
                Step::Statement(statement) => self.statement(statement),
                Step::Declaration(declaration) => self.declaration(declaration),
                Step::Mtype(_) | Step::Exclusive(_) => {}
            }
        }
    }

    fn statement(&mut self, statement: &'a Statement) {
        match &statement.kind {
            Syntax::Labelled(_, Some(inner)) => self.statement(inner),
            Syntax::Call(call) | Syntax::AssignInline(_, call) => self.call(call),
            Syntax::If(options) | Syntax::Do(options) => options.iter().for_each(|option| self.block(option)),
            Syntax::For(it) => self.block(&it.body),
            Syntax::Unless(main, escape) => {
                self.statement(main);
                self.statement(escape);
            }
            Syntax::Atomic(block) | Syntax::DStep(block) | Syntax::Block(block) => self.block(block),
            _ => {}
        }
    }

    fn call(&mut self, call: &'a ast::InlineCall) {
        self.inlines.insert(&call.name.text);
        self.block(&call.body);
    }
}
