//! The front door: from a file or text to a checked model and everything there is to say about it.

use std::path::Path;

use rustc_hash::FxHashSet;

use crate::ast::Ast;
use crate::diagnostic::{Diagnostic, Severity};
use crate::index::{Builder, Index};
use crate::model::Model;
use crate::parse::KnownNames;
use crate::preprocess::{self, FileLoader, FileSystem, InMemory, Macros};
use crate::source::{ExpansionId, SourceMap, Span};
use crate::token::Token;
use crate::{kinds, lint, parse, resolve};

/// How a model is read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Definitions and directories for the preprocessor.
    pub preprocess: preprocess::Options,
    /// What happens to warnings.
    pub strictness: Strictness,
}

/// What happens to warnings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strictness {
    /// They are only reported: whatever SPIN takes, is taken.
    #[default]
    Lenient,
    /// They are errors: the model is refused.
    Strict,
}

/// What was made of a text.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The texts, and every expansion of a macro or inline.
    pub sources: SourceMap,
    /// The model as written.
    pub ast: Ast,
    /// What the names of the text mean, also if there were errors.
    pub index: Index,
    /// The model, if there were no errors.
    pub model: Option<Model>,
    /// If there were errors: what could be made of the model. What is wrong is left out of it, or replaced by `0` or
    /// `skip`; the kinds of values are not inferred.
    pub partial: Option<Model>,
    /// The macros at the end of the text.
    pub macros: Macros,
    /// What the parser has to know of the names of the text.
    pub(crate) names: KnownNames,
    pub(crate) strictness: Strictness,
    /// What preprocessor and parser said.
    pub(crate) syntax: Vec<Diagnostic>,
    /// Errors and warnings in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the model in a file.
#[must_use]
pub fn load(path: &Path, options: &Options) -> Loaded {
    match FileSystem.load(path) {
        Ok(text) => load_with(&path.to_string_lossy(), &text, options, &FileSystem),
        Err(error) => unreadable(&path.display().to_string(), &error),
    }
}

/// What is said of a model that could not be read.
#[must_use]
pub fn unreadable(name: &str, error: &std::io::Error) -> Loaded {
    refused(Diagnostic::error("unreadable-file", Span::NOWHERE, format!("cannot read {name}: {error}")))
}

/// Reads a model from memory. It can include nothing; see [`load_with`] for that.
///
/// ```
/// use promela::{Options, load_text};
///
/// let loaded = load_text("hello.pml", "active proctype P() { byte x; x = 300; assert(x > 0) }", &Options::default());
/// let model = loaded.model.expect("it has no errors");
/// assert_eq!(&*model.processes[0].name, "P");
///
/// let warning = &loaded.diagnostics[0];
/// assert_eq!(warning.message, "300 does not fit into a `byte`");
/// assert_eq!(loaded.sources.snippet(warning.span()), "300");
/// ```
#[must_use]
pub fn load_text(name: &str, text: &str, options: &Options) -> Loaded {
    load_with(name, text, options, &InMemory::default())
}

/// Reads a model from memory, and the files that it includes from `files`.
#[must_use]
pub fn load_with(name: &str, text: &str, options: &Options, files: &dyn FileLoader) -> Loaded {
    let mut sources = SourceMap::new();
    let Ok(main) = sources.add_file(name, text) else {
        return refused(Diagnostic::error("too-much-text", Span::NOWHERE, format!("{name} is larger than 4 GiB")));
    };
    let mut diagnostics = Vec::new();
    let (tokens, macros) =
        preprocess::preprocess_keeping_macros(&mut sources, main, &options.preprocess, files, &mut diagnostics);
    let expanded = expanded(&tokens).collect();
    let mut names = KnownNames::default();
    let ast = parse::parse_behind(&mut names, &mut sources, tokens, &mut diagnostics);
    resolve_all(Parsed { sources, ast, expanded, macros, names, strictness: options.strictness }, diagnostics)
}

/// The tokens that macros made.
pub(crate) fn expanded(tokens: &[Token]) -> impl Iterator<Item = Token> {
    tokens.iter().filter(|token| token.span.expansion != ExpansionId::NONE).cloned()
}

/// A text up to its tree.
pub(crate) struct Parsed {
    pub(crate) sources: SourceMap,
    pub(crate) ast: Ast,
    /// The tokens that macros made.
    pub(crate) expanded: Vec<Token>,
    pub(crate) macros: Macros,
    pub(crate) names: KnownNames,
    pub(crate) strictness: Strictness,
}

/// From the tree on; `syntax` is what preprocessor and parser said.
pub(crate) fn resolve_all(parsed: Parsed, syntax: Vec<Diagnostic>) -> Loaded {
    let Parsed { sources, ast, expanded, macros, names, strictness } = parsed;
    let mut diagnostics = syntax.clone();
    let (model, index) = check(&ast, &sources, &mut diagnostics);
    let index = index.finish(&sources, &macros, expanded);
    if strictness == Strictness::Strict {
        make_strict(&mut diagnostics);
    }
    let diagnostics = arrange(&sources, diagnostics);
    let refused = diagnostics.iter().any(Diagnostic::is_error);
    let (model, partial) = if refused { (None, Some(model)) } else { (Some(model), None) };
    Loaded { sources, ast, index, model, partial, macros, names, strictness, syntax, diagnostics }
}

/// From the tree to the model; what the tree's own errors have caused is not reported again.
fn check(ast: &Ast, sources: &SourceMap, diagnostics: &mut Vec<Diagnostic>) -> (Model, Builder) {
    let broken = diagnostics.iter().any(Diagnostic::is_error);
    let mut resolution = resolve::resolve(ast, sources);
    let resolved = !resolution.diagnostics.iter().any(Diagnostic::is_error);
    if broken {
        // A declaration or process that could not be read is missed later on.
        let consequences = ["unknown-name", "unknown-type", "unknown-proctype", "unknown-label", "no-process"];
        resolution.diagnostics.retain(|diagnostic| !consequences.contains(&diagnostic.code));
    }
    diagnostics.append(&mut resolution.diagnostics);
    let mut model = resolution.model;
    if resolved {
        let mixes = kinds::infer(&mut model, &resolution.hints, diagnostics);
        lint::check(&model, ast, &resolution.hints, &mixes, diagnostics);
    }
    (model, resolution.index)
}

fn make_strict(diagnostics: &mut [Diagnostic]) {
    for diagnostic in diagnostics {
        if diagnostic.severity == Severity::Warning {
            diagnostic.severity = Severity::Error;
        }
    }
}

/// The most errors and the most warnings that are shown.
const SHOWN: usize = 50;

/// In the order of the text, each once, and not more than anyone reads.
fn arrange(sources: &SourceMap, mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by_cached_key(|diagnostic| {
        let span = diagnostic.span();
        (sources.use_site(span), span, diagnostic.code)
    });
    // An inline that is used twice says everything twice.
    let mut seen = FxHashSet::default();
    diagnostics.retain(|diagnostic| {
        let span = diagnostic.span();
        seen.insert((span.start, span.end, diagnostic.code, diagnostic.message.clone()))
    });
    let mut shown = Vec::with_capacity(diagnostics.len().min(2 * SHOWN + 2));
    let (mut errors, mut warnings) = (0, 0);
    for diagnostic in diagnostics {
        let count = if diagnostic.is_error() { &mut errors } else { &mut warnings };
        *count += 1;
        if *count <= SHOWN {
            shown.push(diagnostic);
        }
    }
    if errors > SHOWN {
        let message = format!("and {}", resolve::counted(errors - SHOWN, "more error"));
        shown.push(Diagnostic::error("more-errors", Span::NOWHERE, message));
    }
    if warnings > SHOWN {
        let message = format!("and {}", resolve::counted(warnings - SHOWN, "more warning"));
        shown.push(Diagnostic::warning("more-warnings", Span::NOWHERE, message));
    }
    shown
}

fn refused(error: Diagnostic) -> Loaded {
    Loaded {
        sources: SourceMap::new(),
        ast: Ast::default(),
        index: Index::default(),
        model: None,
        partial: None,
        macros: Macros::default(),
        names: KnownNames::default(),
        strictness: Strictness::default(),
        syntax: Vec::new(),
        diagnostics: vec![error],
    }
}
