//! From the syntax tree to the model: names looked up, constants folded, sugar removed.
//!
//! Like SPIN, the resolver reads the units once, from top to bottom (`ltl` properties last), so that a name means what
//! was declared above it. It stops at nothing: a part that has no meaning is reported and left out, and the model
//! is what remains. Every name it looks up it tells the [index](crate::index).
//!
//! | file | what is resolved there |
//! | --- | --- |
//! | `names`, `scope`, `label` | tables of names |
//! | `declare`, `initialiser`, `constant` | declarations, what they start with, constants |
//! | `process` | proctypes, `init`, claims, traces, `ltl` properties |
//! | `statement`, `control`, `sugar`, `message` | statements; among them jumps and loops, `for` and its like, messages |
//! | `place`, `expression`, `remote` | variables, expressions, references into other processes |
//! | `jump_circle` | jumps that lead nowhere |
//! | `event` | what a `trace` may hold |
//! | `reference` | the rules for `ref` and `public` |

mod constant;
mod control;
mod declare;
mod event;
mod expression;
mod initialiser;
mod jump_circle;
mod label;
mod message;
mod names;
mod place;
mod process;
mod reference;
mod remote;
mod scope;
mod statement;
mod sugar;

pub(crate) use label::is_special;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{Ast, Name, Unit};
use crate::diagnostic::{Diagnostic, Label};
use crate::index::{Builder, DefinitionKind, New};
use crate::model::{
    ActiveProcess, Array, Base, Features, Model, MtypeSet, Owner, Process, ProcessId, Structure, StructureId, Variable,
};
use crate::source::{SourceMap, Span};
use initialiser::Shape;
use names::Names;
use process::Body;
use remote::PendingRemote;

/// What the resolver made of a tree.
pub(crate) struct Resolution {
    /// The model, complete but for what is inferred; if there were errors, what could be made of it.
    pub(crate) model: Model,
    /// Errors, and warnings about what SPIN would refuse or take differently.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// What the names of the text mean.
    pub(crate) index: Builder,
    /// Facts for the inference of kinds that the removed sugar showed.
    pub(crate) hints: Vec<IndexHint>,
}

/// `for (i in a)`: the variable runs over the indices of the array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndexHint {
    pub(crate) owner: Owner,
    pub(crate) variable: Base,
    pub(crate) array: Array,
}

/// Resolves a tree whose text is in `sources`.
pub(crate) fn resolve(ast: &Ast, sources: &SourceMap) -> Resolution {
    let first = read(ast, sources, Vec::new());
    if !first.looked_ahead {
        return first.finish();
    }
    // Public variables of a proctype further down: what the first reading found out about them is used in the second.
    // There a `for` over one of them may need a counter of its own, after which the locals are numbered for good.
    let second = read(ast, sources, first.locals());
    let counts = |locals: Vec<Vec<Variable>>| locals.iter().map(Vec::len).collect::<Vec<_>>();
    if counts(first.locals()) == counts(second.locals()) {
        return second.finish();
    }
    let locals = second.locals();
    read(ast, sources, locals).finish()
}

/// Reads all units; `known` are the locals of every process as an earlier reading found them.
fn read<'s>(ast: &Ast, sources: &'s SourceMap, known: Vec<Vec<Variable>>) -> Resolver<'s> {
    let mut resolver = Resolver::new(sources);
    resolver.known = known;
    resolver.number_processes(ast);
    for unit in &ast.units {
        resolver.unit(unit);
    }
    for unit in &ast.units {
        if let Unit::Ltl(property) = unit {
            resolver.ltl(property);
        }
    }
    resolver
}

/// The tables being filled.
struct Resolver<'s> {
    sources: &'s SourceMap,
    diagnostics: Vec<Diagnostic>,
    names: Names,
    index: Builder,
    model: Model,
    /// For each typedef, what is asked about it often.
    shapes: Vec<Shape>,
    /// In place of `model.processes` until all are there.
    processes: Vec<Option<Process>>,
    active: Vec<ActiveProcess>,
    /// The process being read.
    body: Option<Body>,
    /// Variables declared with a plain number: SPIN lets them stand for it in array bounds.
    numbers: FxHashMap<Base, i32>,
    /// Structures that were refused as parts of messages.
    unsendable: FxHashSet<StructureId>,
    /// Channels whose messages have one field, a structure.
    structure_channels: FxHashMap<Span, StructureId>,
    /// The most fields a message of any channel has.
    widest_message: usize,
    /// Sends, to be compared with `widest_message` when that is known.
    sends: Vec<(Span, usize)>,
    /// `run`s, to be compared with parameters when all proctypes are known.
    runs: Vec<PendingRun>,
    /// References into other processes, to be connected when all of them are known.
    remotes: Vec<PendingRemote>,
    /// Reports of unknown names, by their numbers: the name may be declared further down.
    unknown: Vec<(usize, Arc<str>)>,
    /// The names of claims and `ltl` properties, with their numbers.
    properties: FxHashMap<Arc<str>, (usize, Span)>,
    /// How many `ltl` properties had no name.
    unnamed_ltl: u32,
    /// For each channel variable, who claimed it with `xr` and with `xs`.
    exclusive: FxHashMap<(Base, bool), (Owner, Span)>,
    hints: Vec<IndexHint>,
    /// The locals of every process, from an earlier reading.
    known: Vec<Vec<Variable>>,
    /// Whether a public variable of a process further down was asked for.
    looked_ahead: bool,
}

/// A `run` whose proctype may come later.
struct PendingRun {
    span: Span,
    process: ProcessId,
    arguments: usize,
}

impl<'s> Resolver<'s> {
    fn new(sources: &'s SourceMap) -> Resolver<'s> {
        let model = Model {
            sources: sources.clone(),
            mtypes: vec![MtypeSet { name: None, members: Vec::new() }],
            structures: Vec::new(),
            globals: Vec::new(),
            processes: Vec::new(),
            active: Vec::new(),
            claims: Vec::new(),
            trace: None,
            ltl: Vec::new(),
            embedded_c: Vec::new(),
            domains: Vec::new(),
            channel_types: Vec::new(),
            features: Features::default(),
        };
        Resolver {
            sources,
            diagnostics: Vec::new(),
            names: Names::default(),
            index: Builder::default(),
            model,
            shapes: Vec::new(),
            processes: Vec::new(),
            active: Vec::new(),
            body: None,
            numbers: FxHashMap::default(),
            unsendable: FxHashSet::default(),
            structure_channels: FxHashMap::default(),
            widest_message: 0,
            sends: Vec::new(),
            runs: Vec::new(),
            remotes: Vec::new(),
            unknown: Vec::new(),
            properties: FxHashMap::default(),
            unnamed_ltl: 0,
            exclusive: FxHashMap::default(),
            hints: Vec::new(),
            known: Vec::new(),
            looked_ahead: false,
        }
    }

    fn locals(&self) -> Vec<Vec<Variable>> {
        let locals = |process: &Option<Process>| process.as_ref().map_or(Vec::new(), |process| process.locals.clone());
        self.processes.iter().map(locals).collect()
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Warns about what SPIN refuses although its meaning is plain.
    fn beyond_spin(&mut self, span: Span, what: &str) {
        self.report(Diagnostic::warning("beyond-spin", span, format!("SPIN 6.5 does not accept {what}")));
    }

    /// `run` may name a proctype further down, so all of them get their numbers first.
    fn number_processes(&mut self, ast: &Ast) {
        for unit in &ast.units {
            match unit {
                Unit::Proctype(proctype) => {
                    let new = New::plain(&proctype.name, DefinitionKind::Proctype, proctype.span);
                    let definition = self.index.define(new);
                    self.index.add_process(definition);
                    let id = ProcessId(self.processes.len() as u32);
                    self.processes.push(None);
                    self.names.proctypes.entry(proctype.name.text.clone()).or_insert(id);
                }
                Unit::Init(init) => {
                    let name = Name { text: "init".into(), span: process::keyword(init.span, "init") };
                    let definition = self.index.define(New::plain(&name, DefinitionKind::Init, init.span));
                    self.index.add_process(definition);
                    self.processes.push(None);
                }
                _ => {}
            }
        }
    }

    fn unit(&mut self, unit: &Unit) {
        match unit {
            Unit::Declaration(declaration) => self.globals(declaration),
            Unit::Mtype(declaration) => self.mtype(declaration),
            Unit::Typedef(typedef) => self.typedef(typedef),
            Unit::Inline(inline) => {
                self.names.inlines.insert(inline.name.text.clone(), inline.name.span);
                let definition = self.index.define(New::plain(&inline.name, DefinitionKind::Inline, inline.span));
                for parameter in &inline.parameters {
                    let new = New::plain(parameter, DefinitionKind::InlineParameter, parameter.span);
                    self.index.define_in(new, Some(definition), Some(inline.span));
                }
            }
            Unit::Proctype(proctype) => self.proctype(proctype),
            Unit::Init(init) => self.init(init),
            Unit::Never(claim) => self.never(claim),
            Unit::Trace(trace) => self.trace(trace),
            Unit::Ltl(_) => {}
            Unit::EmbeddedC(c) => {
                self.model.features.embedded_c = true;
                self.model.embedded_c.push(c.clone());
            }
        }
    }

    /// The checks that need the whole model, and the model if all is well.
    fn finish(mut self) -> Resolution {
        self.check_message_widths();
        self.check_runs();
        self.check_synchronous_channels();
        self.check_channel_count();
        if self.active.is_empty() && self.diagnostics.iter().all(|d| !d.is_error()) {
            let message = match self.sources.files().first() {
                Some(file) if file.text.trim().is_empty() => {
                    format!("{} is empty: there is no process to start with", file.path)
                }
                Some(file) => format!("{} has no process to start with", file.path),
                None => "the model has no process to start with".to_string(),
            };
            let note = "write `init { ... }`, or put `active` before a proctype";
            self.report(Diagnostic::error("no-process", Span::NOWHERE, message).note(note));
        }
        self.connect_remotes();
        for (number, name) in std::mem::take(&mut self.unknown) {
            if let Some(&id) = self.names.globals.get(&name) {
                let below = self.model.globals[id.index()].span;
                self.diagnostics[number].labels.push(Label { span: below, message: "declared only here".into() });
            }
        }
        self.model.processes = std::mem::take(&mut self.processes).into_iter().flatten().collect();
        if !self.diagnostics.iter().any(Diagnostic::is_error) {
            // Every jump has its label.
            self.model.owners().for_each(|(_, process)| jump_circle::check(process, &mut self.diagnostics));
        }
        self.model.active = std::mem::take(&mut self.active);
        // A variable that should refer to an unknown proctype has no type, and says nothing about its values.
        let known = self.diagnostics.iter().all(|diagnostic| diagnostic.code != "unknown-proctype");
        if self.model.features.references && known {
            reference::check(&self.model, &mut self.diagnostics);
        }
        let Resolver { model, index, diagnostics, hints, .. } = self;
        Resolution { model, index, diagnostics, hints }
    }

    fn check_message_widths(&mut self) {
        for (span, width) in std::mem::take(&mut self.sends) {
            if width > self.widest_message && self.unsendable.is_empty() {
                let message = format!(
                    "{} sent, but no channel of the model takes more than {}",
                    fields(width),
                    self.widest_message
                );
                self.report(Diagnostic::error("message-too-wide", span, message));
            }
        }
    }

    fn check_runs(&mut self) {
        for run in std::mem::take(&mut self.runs) {
            let Some(process) = &self.processes[run.process.index()] else { continue };
            let parameters = &process.locals[..process.parameters];
            let expected: usize = parameters.iter().map(|parameter| self.leaf_count(parameter)).sum();
            if run.arguments != expected {
                let message = format!(
                    "`{}` takes {}, but {} given",
                    process.name,
                    counted(expected, "argument"),
                    if run.arguments == 1 { "1 is".to_owned() } else { format!("{} are", run.arguments) }
                );
                let definition = process.name_span;
                self.report(Diagnostic::error("argument-count", run.span, message).also(definition, "defined here"));
            }
        }
    }

    /// SPIN cannot combine `enabled` (an error) or priorities (its C file does not compile) with rendezvous.
    fn check_synchronous_channels(&mut self) {
        let features = self.model.features;
        if !features.enabled && !features.priorities {
            return;
        }
        let locals = self.processes.iter().flatten().flat_map(|process| &process.locals);
        let fields = self.model.structures.iter().flat_map(|structure| &structure.fields);
        let variables = self.model.globals.iter().chain(locals).chain(fields);
        let Some(channel) = variables.filter(|v| initialiser::is_rendezvous(v)).map(|v| v.span).next() else { return };
        if features.enabled {
            let message = "`enabled()` cannot be used in a model with rendezvous channels";
            self.report(Diagnostic::error("enabled-with-rendezvous", channel, message).label("a rendezvous channel"));
        } else {
            let message = "priorities in a model with rendezvous channels";
            let note = "SPIN's verifier does not compile for such a model";
            self.report(Diagnostic::warning("priority-with-rendezvous", channel, message).note(note));
        }
    }

    /// A channel's identifier is a byte.
    fn check_channel_count(&mut self) {
        let mut count = 0_u64;
        for (index, variable) in self.model.globals.iter().enumerate() {
            count += self.channels_of(variable);
            if count > 255 {
                let span = self.model.globals[index].span;
                let message = "more than 255 channels";
                let note = "a `chan` variable holds a channel's number in one byte";
                self.report(Diagnostic::error("too-many-channels", span, message).note(note));
                return;
            }
        }
    }

    fn structure(&self, id: StructureId) -> &Structure {
        &self.model.structures[id.index()]
    }

    /// The variable behind a base of the process being read.
    fn variable(&self, base: Base) -> &Variable {
        match (base, &self.body) {
            (Base::Global(id), _) => &self.model.globals[id.index()],
            (Base::Local(id), Some(body)) => &body.locals[id.index()],
            (Base::Public(process, id), body) => match (&self.processes[process.index()], body) {
                (Some(process), _) => &process.locals[id.index()],
                (None, Some(body)) if body.owner == Owner::Process(process) => &body.locals[id.index()],
                // `public_reference` has found it there.
                (None, _) => &self.known[process.index()][id.index()],
            },
            (Base::Local(_), None) => unreachable!("a local name is only found while its process is read"),
        }
    }
}

/// `1 field`, `2 fields`
pub(crate) fn fields(count: usize) -> String {
    counted(count, "field")
}

/// `1 thing`, `2 things`
pub(crate) fn counted(count: usize, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}
