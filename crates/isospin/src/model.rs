//! From the command line's model to a machine, for every command that executes one.

use std::path::Path;

pub use machine::Hidden;
use machine::embedded::Failure;
use machine::spin::Body;
use machine::trace::Origin;
use machine::{FullChannels, Machine};
use promela::Loaded;
use promela::ast::Unit;
use promela::diagnostic::Diagnostic;
use promela::model::Model;
use promela::preprocess::{FileLoader as _, FileSystem};
use promela::source::Span;

use crate::cli::SourceArguments;
use crate::console::{self, Exit};
use crate::diagnostics;

/// A model that was read and has no errors.
pub struct Input {
    /// What the front end made of the text.
    pub loaded: Loaded,
    /// The machine.
    pub machine: Machine,
    /// What traces say about where they come from.
    pub origin: Origin,
}

impl Input {
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
    read_with(path, source, full_channels, hidden, EmbeddedC::Ignore, &[])
}

/// Reads a model to which formulas are added, each as an `ltl` block of its own.
pub fn read_with(
    path: &Path,
    source: &SourceArguments,
    full_channels: FullChannels,
    hidden: Hidden,
    embedded_c: EmbeddedC,
    formulas: &[String],
) -> Result<Input, Exit> {
    let written = promela::load(path, &source.options());
    let digest = digest(&written);
    let mut loaded = match FileSystem.load(path) {
        Ok(mut text) if !formulas.is_empty() && written.model.is_some() => {
            for (index, formula) in formulas.iter().enumerate() {
                text += &format!("\nltl formula_{} {{ {formula} }}", index + 1);
            }
            promela::load_with(&path.to_string_lossy(), &text, &source.options(), &FileSystem)
        }
        _ => written,
    };
    let Some(model) = loaded.model.take() else {
        let errors: Vec<Diagnostic> = loaded.diagnostics.iter().filter(|each| each.is_error()).cloned().collect();
        diagnostics::print(&errors, &loaded.sources);
        return Err(Exit::Usage);
    };
    let origin = Origin {
        model: path.display().to_string(),
        digest,
        defines: source.defines.clone(),
        message_loss: full_channels == FullChannels::Lose,
        property: None,
        seed: None,
    };
    let machine = match embedded_c {
        EmbeddedC::Refuse if model.features.embedded_c => return Err(refuse_c(&model)),
        EmbeddedC::Ignore | EmbeddedC::Refuse => machine::lower_hidden(&model, hidden),
        EmbeddedC::Compile => {
            let directory = path.parent().unwrap_or(Path::new("."));
            machine::embedded::lower(&model, hidden, directory).map_err(|failure| explain(&failure, &model))?
        }
    };
    Ok(Input { machine: Machine { full_channels, ..machine }, loaded, origin })
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
