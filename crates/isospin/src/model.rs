//! From the command line's model to a machine, for every command that executes one.

use std::path::{Path, PathBuf};

use machine::spin::Body;
use machine::trace::{ClaimText, Origin};
use machine::{FullChannels, Machine};
use promela::Loaded;
use promela::ast::Unit;
use promela::diagnostic::Diagnostic;
use promela::model::Model;
use promela::preprocess::{FileLoader as _, FileSystem};

use crate::claims;
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
    read_with(path, source, full_channels, hidden, &Additions::default())
}

/// What is added to a model before it is read.
#[derive(Clone, Debug, Default)]
pub struct Additions {
    /// `ltl` blocks.
    pub formulas: Vec<String>,
    /// Never claims, and automata in the Hanoi format.
    pub claims: Vec<ClaimText>,
}

impl Additions {
    /// Formulas, each to be a block of its own, and files with claims.
    pub fn new(formulas: &[String], files: &[PathBuf]) -> Result<Additions, Exit> {
        let block = |(number, formula): (usize, &String)| format!("ltl formula_{number} {{ {formula} }}");
        let read = |path: &PathBuf| match std::fs::read_to_string(path) {
            Ok(text) => Ok(ClaimText { file: path.display().to_string(), text }),
            Err(error) => Err(refuse(&format!("cannot read {}: {error}", path.display()))),
        };
        Ok(Additions {
            formulas: (1..).zip(formulas).map(block).collect(),
            claims: files.iter().map(read).collect::<Result<_, _>>()?,
        })
    }

    fn is_empty(&self) -> bool {
        self.formulas.is_empty() && self.claims.is_empty()
    }
}

/// Reads a model to which something is added.
pub fn read_with(
    path: &Path,
    source: &SourceArguments,
    full_channels: FullChannels,
    hidden: Hidden,
    additions: &Additions,
) -> Result<Input, Exit> {
    let written = promela::load(path, &source.options());
    let digest = digest(&written);
    let automata = additions.claims.iter().map(claims::automaton).collect::<Result<Vec<_>, _>>()?;
    let mut loaded = match FileSystem.load(path) {
        Ok(mut text) if !additions.is_empty() && written.model.is_some() => {
            additions.formulas.iter().for_each(|block| text += &format!("\n{block}"));
            for (number, (claim, automaton)) in additions.claims.iter().zip(&automata).enumerate() {
                text += &claims::promela(number, claim, automaton.as_ref());
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
        claims: additions.claims.clone(),
        ..Origin::default()
    };
    let mut machine = lower(&model, full_channels);
    for (number, (claim, automaton)) in additions.claims.iter().zip(&automata).enumerate() {
        if let Some(automaton) = automaton {
            claims::add(&mut machine, number, claim, automaton)?;
        }
    }
    Ok(Input { machine, loaded, origin })
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
