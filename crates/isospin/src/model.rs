//! From the command line's model to a machine, for every command that executes one.

use std::path::{Path, PathBuf};

pub use machine::Hidden;
use machine::embedded::Failure;
use machine::spin::Body;
use machine::trace::{Check, ClaimText, Origin};
use machine::{FullChannels, Machine};
use promela::Loaded;
use promela::ast::Unit;
use promela::diagnostic::Diagnostic;
use promela::model::Model;
use promela::parse::proctype_names;
use promela::preprocess::FileSystem;
use promela::source::Span;

use automata::ctl::Ctl;
use isospin::report::SourceText;
use isospin::verify::Branching;

use crate::branching;
use crate::claims;
use crate::cli::SourceArguments;
use crate::console::{self, Exit};
use crate::diagnostics;
use crate::formulas;
use crate::input;

/// A model that was read and has no errors.
pub struct Input {
    /// What the front end made of the text.
    pub loaded: Loaded,
    /// The machine.
    pub machine: Machine,
    /// What traces say about where they come from.
    pub origin: Origin,
    /// The formulas about the tree of runs that were added.
    pub branching: Vec<Branching>,
    /// The texts as they were written, without what was added.
    pub texts: Vec<SourceText>,
}

impl Input {
    /// Lets some things go unchecked, which traces say.
    pub fn forget(&mut self, checks: &[Check]) {
        checks.iter().for_each(|&check| self.machine.forget(check));
        self.origin.unchecked = checks.to_vec();
    }

    /// The order of bodies in the text, by which SPIN numbers statements.
    pub fn bodies(&self) -> Vec<Body> {
        let body = |unit: &Unit| match unit {
            Unit::Proctype(_) | Unit::Init(_) => Some(Body::Process),
            Unit::Never(_) => Some(Body::Claim),
            Unit::Trace(_) => Some(Body::Trace),
            _ => None,
        };
        self.loaded.ast.units.iter().filter_map(body).collect()
    }
}

/// What is done with embedded C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EmbeddedC {
    /// Nothing: the model is not executed.
    Ignore,
    /// The model is to be executed, so it must have none.
    Refuse,
    /// It is compiled, to be executed.
    Compile,
}

impl EmbeddedC {
    /// The choice of the `--allow-c` option.
    pub fn allowed(allow_c: bool) -> EmbeddedC {
        if allow_c { EmbeddedC::Compile } else { EmbeddedC::Refuse }
    }
}

/// Reads a model that is not to be executed. If it has errors they are printed, and the command ends with the given code.
pub fn read(path: &Path, source: &SourceArguments, full_channels: FullChannels, hidden: Hidden) -> Result<Input, Exit> {
    read_with(path, source, full_channels, hidden, EmbeddedC::Ignore, &Additions::default())
}

/// What is added to a model before it is read.
#[derive(Clone, Debug, Default)]
pub struct Additions {
    /// `ltl` blocks.
    pub formulas: Vec<String>,
    /// The formulas in them that were given as such.
    pub given: Vec<String>,
    /// Never claims, and automata in the Hanoi format.
    pub claims: Vec<ClaimText>,
    /// Formulas about the tree of runs.
    pub branching: Vec<Ctl>,
}

impl Additions {
    /// Formulas, each to be a block of its own, and files with claims.
    pub fn new(formulas: &[String], files: &[PathBuf]) -> Result<Additions, Exit> {
        let block = |(number, formula): (usize, &String)| formulas::block(number, formula);
        let read = |path: &PathBuf| match std::fs::read_to_string(path) {
            Ok(text) => Ok(ClaimText { file: path.display().to_string(), text }),
            Err(error) => Err(refuse(&format!("cannot read {}: {error}", path.display()))),
        };
        Ok(Additions {
            formulas: (1..).zip(formulas).map(block).collect::<Result<_, _>>()?,
            given: formulas.to_vec(),
            claims: files.iter().map(read).collect::<Result<_, _>>()?,
            branching: Vec::new(),
        })
    }

    /// The same, and formulas about the tree of runs.
    pub fn with_ctl(self, formulas: &[String]) -> Result<Additions, Exit> {
        let branching = formulas.iter().map(|text| branching::parse(text)).collect::<Result<_, _>>()?;
        Ok(Additions { branching, ..self })
    }

    fn is_empty(&self) -> bool {
        self.formulas.is_empty() && self.claims.is_empty() && self.branching.is_empty()
    }
}

/// Reads a model to which something is added.
pub fn read_with(
    path: &Path,
    source: &SourceArguments,
    full_channels: FullChannels,
    hidden: Hidden,
    embedded_c: EmbeddedC,
    additions: &Additions,
) -> Result<Input, Exit> {
    let (name, text) = (input::name(path), input::text(path));
    let load = |text: &str| promela::load_with(&name, text, &source.options(), &FileSystem);
    let written = match &text {
        Ok(text) => load(text),
        Err(error) => promela::unreadable(&name, error),
    };
    let digest = digest(&written);
    let texts = SourceText::all(&written.sources);
    // The names of the processes of a model that is correct by itself.
    let correct = written.model.as_ref().map(|_| proctype_names(&written.ast));
    let automata = additions.claims.iter().map(claims::automaton).collect::<Result<Vec<_>, _>>()?;
    let mut loaded = match text.as_ref().map(String::clone) {
        Ok(mut text) if !additions.is_empty() && written.model.is_some() => {
            additions.formulas.iter().for_each(|block| text += &format!("\n{block}"));
            for (number, (claim, automaton)) in additions.claims.iter().zip(&automata).enumerate() {
                text += &claims::promela(number, claim, automaton.as_ref());
            }
            (0..).zip(&additions.branching).for_each(|(number, formula)| text += &branching::promela(number, formula));
            load(&text)
        }
        _ => written,
    };
    let Some(model) = loaded.model.take() else {
        if let (Some(names), Ok(text)) = (&correct, &text)
            && (formulas::explain(&name, text, &additions.given, names, &source.options())
                || branching::explain(&additions.branching, names, &loaded))
        {
            return Err(Exit::Usage);
        }
        let errors: Vec<Diagnostic> = loaded.diagnostics.iter().filter(|each| each.is_error()).cloned().collect();
        diagnostics::print(&errors, &loaded.sources);
        return Err(Exit::Usage);
    };
    let origin = Origin {
        model: name,
        digest,
        defines: source.defines.clone(),
        message_loss: full_channels == FullChannels::Lose,
        claims: additions.claims.clone(),
        ..Origin::default()
    };
    let lowered = match embedded_c {
        EmbeddedC::Refuse if model.features.embedded_c => return Err(refuse_c(&model)),
        EmbeddedC::Ignore | EmbeddedC::Refuse => machine::lower_hidden(&model, hidden),
        EmbeddedC::Compile => {
            let name = path.to_string_lossy();
            machine::embedded::announce_crashes(model.features.embedded_c.then_some(&*name));
            let directory = path.parent().unwrap_or(Path::new("."));
            machine::embedded::lower(&model, hidden, directory).map_err(|failure| explain(&failure, &model))?
        }
    };
    let mut machine = Machine { full_channels, ..lowered };
    for (number, (claim, automaton)) in additions.claims.iter().zip(&automata).enumerate() {
        if let Some(automaton) = automaton {
            claims::add(&mut machine, number, claim, automaton)?;
        }
    }
    let formulas = (0..).zip(&additions.branching);
    let mut branching = formulas
        .map(|(number, formula)| branching::take(&mut machine, number, formula))
        .collect::<Result<Vec<Branching>, _>>()?;
    branching.iter_mut().for_each(|property| branching::make_unique(property, &machine));
    Ok(Input { machine, loaded, origin, branching, texts })
}

/// A model must not run code on the user's machine unasked.
fn refuse_c(model: &Model) -> Exit {
    let message = "the model has embedded C, which is not run unasked";
    let note = "--allow-c compiles it with the C compiler of this machine and runs it";
    let problem = Diagnostic::error("embedded-c", first_c(model).unwrap_or(Span::NOWHERE), message).note(note);
    diagnostics::print(&[problem], &model.sources);
    Exit::Usage
}

/// Where a model's embedded C begins.
fn first_c(model: &Model) -> Option<Span> {
    let outside = model.embedded_c.first().map(|embedded| match embedded {
        promela::ast::EmbeddedC::Declarations(text) | promela::ast::EmbeddedC::Code(text) => text.span,
        promela::ast::EmbeddedC::State(strings) | promela::ast::EmbeddedC::Track(strings) => strings.span,
    });
    outside.or_else(|| machine::lower(model).code.pieces.first().map(|piece| piece.text.span))
}

/// Says why embedded C cannot be executed.
fn explain(failure: &Failure, model: &Model) -> Exit {
    match failure {
        Failure::Declaration(span, message) => {
            diagnostics::print(&[Diagnostic::error("embedded-c", *span, message.clone())], &model.sources);
            Exit::Usage
        }
        other => refuse(&other.to_string()),
    }
}

/// Tells models apart, not forgers: FNV-1a over the text as the parser understood it.
fn digest(loaded: &Loaded) -> String {
    let text = promela::print::print(&loaded.ast);
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    format!("{hash:016x}")
}

/// The choice of the `-m` option.
pub fn full_channels(lossy: bool) -> FullChannels {
    if lossy { FullChannels::Lose } else { FullChannels::Block }
}

/// Says that something cannot be done because of what the user gave.
pub fn refuse(message: &str) -> Exit {
    console::error(message);
    Exit::Usage
}
