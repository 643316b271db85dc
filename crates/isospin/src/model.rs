//! From the command line's model to a machine, for every command that executes one.

use std::path::Path;

use machine::spin::Body;
use machine::trace::Origin;
use machine::{FullChannels, Machine};
use promela::Loaded;
use promela::ast::Unit;
use promela::diagnostic::Diagnostic;
use promela::model::Model;
use promela::preprocess::{FileLoader as _, FileSystem};

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

/// Where `hidden` variables are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hidden {
    /// Outside states, as in SPIN: they keep the value they were given last on the run at hand.
    Outside,
    /// In states like any other variable. SPIN's own searches depend on the order of visits where a hidden value is read before it
    /// is written; with the variable in the state, verdicts are right for every run.
    InState,
}

/// Reads a model. If it has errors they are printed, and the command ends with the given code.
pub fn read(path: &Path, source: &SourceArguments, full_channels: FullChannels, hidden: Hidden) -> Result<Input, Exit> {
    read_with(path, source, full_channels, hidden, &[])
}

/// Reads a model to which formulas are added, each as an `ltl` block of its own.
pub fn read_with(
    path: &Path,
    source: &SourceArguments,
    full_channels: FullChannels,
    hidden: Hidden,
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
    let Some(mut model) = loaded.model.take() else {
        let errors: Vec<Diagnostic> = loaded.diagnostics.iter().filter(|each| each.is_error()).cloned().collect();
        diagnostics::print(&errors, &loaded.sources);
        return Err(Exit::Usage);
    };
    if hidden == Hidden::InState {
        model.globals.iter_mut().for_each(|global| global.visibility = None);
    }
    let origin = Origin {
        model: path.display().to_string(),
        digest,
        defines: source.defines.clone(),
        message_loss: full_channels == FullChannels::Lose,
        property: None,
        seed: None,
    };
    Ok(Input { machine: lower(&model, full_channels), loaded, origin })
}

fn lower(model: &Model, full_channels: FullChannels) -> Machine {
    Machine { full_channels, ..machine::lower(model) }
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
