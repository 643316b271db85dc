//! The built-in C preprocessor: files in, one stream of tokens out.
//!
//! ```text
//! text ── lex ──▶ file ── directive (include, define, condition) ──▶ expand ──▶ output ──▶ Vec<Token>
//! ```
//! It follows C99 §6.10 with the GNU extensions that models use, and is tested against gcc, which SPIN calls. It departs
//! from gcc where Promela wants it: punctuation and numbers are Promela's ([`lex`](crate::lex)), so a macro in `1..N` is
//! expanded; names hold no `$` and no letters beyond ASCII; strings have no prefixes; there are no digraphs, no
//! `__VA_OPT__`, no `#include_next`; and only the standard's macros are predefined, so a variable may be called `linux`.
//!
//! No input makes it fail, hang or run out of memory: what expansion may cost is limited.

mod condition;
mod directive;
mod expand;
mod file;
mod include;
mod macros;
mod output;
mod symbol;

#[cfg(test)]
mod tests;

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

pub use include::{FileLoader, FileSystem, InMemory};
pub use macros::{MacroDefinition, Macros};

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, SourceMap, Span};
use crate::token::{Token, TokenKind};
use expand::{Carried, Context};
use file::OpenFile;
use macros::{Builtin, Macro, MacroKind};
use output::Output;
use symbol::{PreToken, Symbol, Symbols};

/// What the command line tells the preprocessor.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// `-D NAME` or `-D NAME=VALUE`, without the `-D`; `NAME` alone means `NAME=1`, and `F(x)=x` has a parameter.
    pub defines: Vec<String>,
    /// `-U NAME`: names that stay undefined in spite of `defines`.
    pub undefines: Vec<String>,
    /// `-I DIR`: where included files are looked for, in this order.
    pub include_dirs: Vec<PathBuf>,
}

/// Reads `main` and all it includes into tokens with every macro expanded; the last token is an [`TokenKind::End`].
///
/// Problems are added to `diagnostics`; the tokens are then what could be made of the text all the same.
/// A line break before a token is one that SPIN would see: an expansion stands on one line, that of the macro's name.
///
/// ```
/// use promela::preprocess::{InMemory, Options, preprocess};
/// use promela::source::SourceMap;
///
/// let mut sources = SourceMap::new();
/// let main = sources.add_file("m.pml", "#include \"n.h\"\nbyte x[N];\n").unwrap();
/// let files = InMemory::from([("n.h", "#define N 3\n")]);
/// let mut diagnostics = Vec::new();
/// let tokens = preprocess(&mut sources, main, &Options::default(), &files, &mut diagnostics);
/// let texts: Vec<&str> = tokens.iter().map(|token| &*token.text).collect();
/// assert_eq!(texts, ["byte", "x", "[", "3", "]", ";", ""]);
/// assert!(diagnostics.is_empty());
/// // The 3 stands in `n.h`, but was used in line 2 of the model.
/// assert_eq!(sources.location(sources.use_site(tokens[3].span)).line, 2);
/// ```
pub fn preprocess(
    sources: &mut SourceMap,
    main: FileId,
    options: &Options,
    loader: &dyn FileLoader,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Token> {
    preprocess_keeping_macros(sources, main, options, loader, diagnostics).0
}

/// Does what [`preprocess`] does, and also gives the macros that there were.
pub fn preprocess_keeping_macros(
    sources: &mut SourceMap,
    main: FileId,
    options: &Options,
    loader: &dyn FileLoader,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Vec<Token>, Macros) {
    preprocess_within(Limits::default(), sources, main, options, loader, diagnostics)
}

/// Reads a part of a further text, for which the macros are those that the end of a model left behind.
///
/// ```
/// use promela::preprocess::{InMemory, Options, preprocess_behind, preprocess_keeping_macros};
/// use promela::source::SourceMap;
///
/// let mut sources = SourceMap::new();
/// let main = sources.add_file("m.pml", "#define p (x == 1)\nbyte x;\n").unwrap();
/// let (files, mut diagnostics) = (InMemory::default(), Vec::new());
/// let (_, macros) = preprocess_keeping_macros(&mut sources, main, &Options::default(), &files, &mut diagnostics);
/// let formula = sources.add_file("--ltl", "<> p").unwrap();
/// let tokens = preprocess_behind(&macros, &mut sources, formula, 0..4, &mut diagnostics);
/// let texts: Vec<&str> = tokens.iter().map(|token| &*token.text).collect();
/// assert_eq!(texts, ["<", ">", "(", "x", "==", "1", ")", ""]);
/// ```
pub fn preprocess_behind(
    macros: &Macros,
    sources: &mut SourceMap,
    file: FileId,
    part: Range<usize>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Token> {
    let (options, loader) = (Options::default(), InMemory::default());
    let mut preprocessor = Preprocessor::new(Limits::default(), sources, &options, &loader, diagnostics);
    preprocessor.symbols = macros.symbols.clone();
    preprocessor.macros = macros.table.clone();
    let end = preprocessor.sources.span(file, part.end, part.end);
    let open = OpenFile::part(preprocessor.sources, file, part);
    preprocessor.files.push(open);
    preprocessor.read_all(end)
}

fn preprocess_within(
    limits: Limits,
    sources: &mut SourceMap,
    main: FileId,
    options: &Options,
    loader: &dyn FileLoader,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Vec<Token>, Macros) {
    let mut preprocessor = Preprocessor::new(limits, sources, options, loader, diagnostics);
    for (name, builtin) in [("__LINE__", Builtin::Line), ("__FILE__", Builtin::File)] {
        let name = preprocessor.symbols.intern(name);
        let kind = MacroKind::Builtin(builtin);
        preprocessor.set_macro(Macro { name, definition: Span::NOWHERE, kind, body: Vec::new() });
    }
    preprocessor.open_main(main);
    preprocessor.open_text("<command line>", &command_line(options), main);
    preprocessor.open_text("<built-in>", PREDEFINED, main);
    let length = preprocessor.sources.file(main).text.len();
    let end = preprocessor.sources.span(main, length, length);
    let tokens = preprocessor.read_all(end);
    let Preprocessor { symbols, macros: table, definitions, questions, .. } = preprocessor;
    (tokens, Macros { symbols, table, definitions, questions })
}

/// What expansion may cost before it is taken for a runaway.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// Tokens copied by macros, and a charge for each included file.
    work: usize,
    /// Macro calls within the arguments of macro calls: each takes a piece of the program's stack.
    nesting: usize,
    /// Files that include one another.
    includes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { work: 1 << 24, nesting: 200, includes: 200 }
    }
}

/// The standard's macros that do not depend on the place of use (C99 §6.10.8).
const PREDEFINED: &str = "\
#define __STDC__ 1
#define __STDC_HOSTED__ 1
#define __STDC_VERSION__ 199901L
";

/// The command line's definitions as directives. Like gcc's, a definition ends with its first line.
fn command_line(options: &Options) -> String {
    let first_line = |text: &str| text.lines().next().unwrap_or_default().to_string();
    let mut text = String::new();
    for define in &options.defines {
        let (name, value) = define.split_once('=').unwrap_or((define, "1"));
        let value = first_line(value);
        // Without it, a last backslash would join the next definition.
        let end = if value.trim_end().ends_with('\\') { "/**/" } else { "" };
        text.push_str(&format!("#define {} {value}{end}\n", first_line(name)));
    }
    for name in &options.undefines {
        text.push_str(&format!("#undef {}\n", first_line(name)));
    }
    text
}

/// The state of a run.
struct Preprocessor<'a> {
    sources: &'a mut SourceMap,
    options: &'a Options,
    loader: &'a dyn FileLoader,
    diagnostics: &'a mut Vec<Diagnostic>,
    limits: Limits,
    symbols: Symbols,
    /// The macro of each symbol.
    macros: Vec<Option<Arc<Macro>>>,
    /// Every definition that was read.
    definitions: Vec<MacroDefinition>,
    /// Where `#ifdef`, `#undef` and the like name a macro, and where that was defined.
    questions: Vec<(Span, Span)>,
    /// Whether each symbol's macro is being expanded.
    disabled: Vec<bool>,
    /// The file being read, above those that include it.
    files: Vec<OpenFile>,
    /// Texts of included files.
    loaded: FxHashMap<Arc<str>, Arc<str>>,
    /// Files with `#pragma once`.
    once: FxHashSet<Arc<str>>,
    /// What is read before the file; see [`expand`].
    contexts: Vec<Context>,
    /// The tokens of all contexts, innermost last.
    pool: Vec<PreToken>,
    carried: Carried,
    /// How many calls' arguments are being read.
    collecting: usize,
    /// How many calls' arguments are being expanded.
    nesting: usize,
    work: usize,
    /// A limit was passed; nothing more is read.
    stopped: bool,
    output: Output,
}

impl<'a> Preprocessor<'a> {
    fn new(
        limits: Limits,
        sources: &'a mut SourceMap,
        options: &'a Options,
        loader: &'a dyn FileLoader,
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Preprocessor<'a> {
        Preprocessor {
            sources,
            options,
            loader,
            diagnostics,
            limits,
            symbols: Symbols::default(),
            macros: Vec::new(),
            definitions: Vec::new(),
            questions: Vec::new(),
            disabled: Vec::new(),
            files: Vec::new(),
            loaded: FxHashMap::default(),
            once: FxHashSet::default(),
            contexts: Vec::new(),
            pool: Vec::new(),
            carried: Carried::default(),
            collecting: 0,
            nesting: 0,
            work: 0,
            stopped: false,
            output: Output::default(),
        }
    }

    /// All tokens of the files that are open, the outermost of which ends at `end`.
    fn read_all(&mut self, end: Span) -> Vec<Token> {
        while let Some(token) = self.next_expanded() {
            self.output.push(token, &mut self.symbols, self.diagnostics);
        }
        self.output.finish(end, &mut self.symbols)
    }

    /// The next token of the file stack, directives obeyed on the way.
    fn read_file(&mut self) -> Option<PreToken> {
        loop {
            if self.stopped {
                return None;
            }
            let file = self.files.last_mut()?;
            if file.is_skipping() {
                match file.skip_to_directive() {
                    Some((span, word)) => self.directive_in_skipped_text(span, &word),
                    None => self.close_conditionals(),
                }
                continue;
            }
            match file.next(&mut self.symbols, self.diagnostics) {
                Some(hash) if hash.kind == TokenKind::Hash && hash.newline_before => self.directive(hash),
                Some(token) => return Some(token),
                // A call's arguments end with the file its name stands in.
                None if self.collecting > 0 => return None,
                None => {
                    self.close_conditionals();
                    self.files.pop();
                }
            }
        }
    }

    fn definition(&self, name: Symbol) -> Option<Arc<Macro>> {
        self.macros.get(name.index()).and_then(Clone::clone)
    }

    /// Notes that a directive names a macro, if it is one.
    fn note_question(&mut self, name: PreToken) {
        if let Some(definition) = self.macros.get(name.symbol.index()).and_then(Option::as_ref) {
            self.questions.push((name.span, definition.definition));
        }
    }

    fn is_defined(&self, name: Symbol) -> bool {
        self.macros.get(name.index()).is_some_and(Option::is_some)
    }

    fn set_macro(&mut self, definition: Macro) {
        let index = definition.name.index();
        if self.macros.len() <= index {
            self.macros.resize(index + 1, None);
        }
        self.macros[index] = Some(Arc::new(definition));
    }

    /// Counts work done at `span`. `false` once the limit is passed.
    fn spend(&mut self, amount: usize, span: Span) -> bool {
        self.work += amount;
        if self.work > self.limits.work && !self.stopped {
            let message = format!("expanding macros and includes made more than {} tokens", self.limits.work);
            self.stop(Diagnostic::error("runaway-macro", span, message).label("the limit was passed here").note(
                "macros that use others more than once multiply: thirty such steps make a thousand million tokens",
            ));
        }
        !self.stopped
    }

    /// Reports why nothing more can be read.
    fn stop(&mut self, reason: Diagnostic) {
        if !self.stopped {
            self.diagnostics.push(reason);
            self.stopped = true;
        }
    }
}
