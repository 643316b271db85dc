//! From the command line's model to a machine, for every command that executes one.

use std::path::{Path, PathBuf};

pub use machine::Hidden;
use machine::claim::{HanoiClaim, Property};
use machine::embedded::Failure;
use machine::spin::Body;
use machine::trace::{Check, ClaimText, Origin};
use machine::{FullChannels, Machine};
use promela::ast::Unit;
use promela::diagnostic::Diagnostic;
use promela::model::Model;
use promela::source::Span;
use promela::{Loaded, Scope};

use isospin::report::SourceText;
use isospin::verify::{Branching, Goal};

use crate::branching;
use crate::claims;
use crate::cli::SourceArguments;
use crate::console::{self, Exit};
use crate::diagnostics;
use crate::formulas;
use crate::goals;
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
    /// The state that some run should reach.
    pub goal: Option<Goal>,
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

/// The properties that are added to a model.
#[derive(Clone, Debug, Default)]
pub struct Additions {
    /// `ltl` blocks, as traces carry them.
    pub blocks: Vec<String>,
    /// Formulas, each to be a property of its own.
    pub formulas: Vec<String>,
    /// Never claims, and automata in the Hanoi format.
    pub claims: Vec<ClaimText>,
    /// Formulas about the tree of runs.
    pub branching: Vec<branching::Given>,
    /// The condition of a state that some run should reach.
    pub goal: Option<String>,
}

impl Additions {
    /// Formulas, each to be a property of its own, and files with claims.
    pub fn new(formulas: &[String], files: &[PathBuf]) -> Result<Additions, Exit> {
        let read = |path: &PathBuf| match std::fs::read_to_string(path) {
            Ok(text) => Ok(ClaimText { file: path.display().to_string(), text }),
            Err(error) => Err(refuse(&format!("cannot read {}: {error}", path.display()))),
        };
        let claims = files.iter().map(read).collect::<Result<_, _>>()?;
        Ok(Additions { formulas: formulas.to_vec(), claims, ..Additions::default() })
    }

    /// The same, and formulas about the tree of runs.
    pub fn with_ctl(self, formulas: &[String]) -> Result<Additions, Exit> {
        let branching = formulas.iter().map(|text| branching::parse(text)).collect::<Result<_, _>>()?;
        Ok(Additions { branching, ..self })
    }

    /// The same, and a state that some run should reach.
    pub fn with_goal(self, goal: Option<&str>) -> Additions {
        Additions { goal: goal.map(str::to_owned), ..self }
    }

    fn is_empty(&self) -> bool {
        let Additions { blocks, formulas, claims, branching, goal } = self;
        blocks.is_empty() && formulas.is_empty() && claims.is_empty() && branching.is_empty() && goal.is_none()
    }

    /// Reads all of them in the scope of a model. The propositions of automata and of formulas about the tree of runs are its last properties,
    /// in their order.
    fn read(&self, model: Loaded, automata: &[Option<HanoiClaim>]) -> Result<Loaded, Exit> {
        let mut scope = Scope::of(model);
        let mut units = Vec::new();
        for block in &self.blocks {
            units.extend(formulas::read_blocks(&mut scope, block)?);
        }
        for (number, formula) in (1..).zip(&self.formulas) {
            units.push(formulas::read(&mut scope, number, formula)?);
        }
        for (claim, automaton) in self.claims.iter().zip(automata) {
            if automaton.is_none() {
                units.extend(claims::units(&mut scope, claim)?);
            }
        }
        for (number, (claim, automaton)) in (1..).zip(self.claims.iter().zip(automata)) {
            if let Some(automaton) = automaton {
                units.extend(claims::propositions(&mut scope, number, claim, automaton)?);
            }
        }
        for (number, formula) in (1..).zip(&self.branching) {
            units.extend(branching::propositions(&mut scope, number, formula)?);
        }
        if let Some(goal) = &self.goal {
            units.push(goals::read(&mut scope, goal)?);
        }
        Ok(scope.with(units))
    }

    /// Takes the propositions out of the properties of a machine, and makes of them what they belong to.
    fn take(
        &self,
        machine: &mut Machine,
        automata: &[Option<HanoiClaim>],
    ) -> Result<(Vec<Branching>, Option<Goal>), Exit> {
        let goal = self.goal.as_ref().map(|text| goals::take(machine, text)).transpose()?;
        let of_automata = automata.iter().flatten().map(|automaton| automaton.propositions().len());
        let of_formulas = self.branching.iter().map(branching::Given::propositions);
        let own = machine.ltl.len() - of_automata.chain(of_formulas).sum::<usize>();
        let mut propositions = machine.ltl.split_off(own).into_iter();
        for (claim, automaton) in self.claims.iter().zip(automata) {
            if let Some(automaton) = automaton {
                let own: Vec<Property> = propositions.by_ref().take(automaton.propositions().len()).collect();
                claims::add(machine, claim, automaton, &own)?;
            }
        }
        let formulas = self.branching.iter().enumerate();
        let with = |(number, given): (usize, &branching::Given)| {
            branching::with(number, given, propositions.by_ref().take(given.propositions()))
        };
        Ok((formulas.map(with).collect(), goal))
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
    let name = input::name(path);
    let written = input::load(path, &source.options());
    let digest = promela::print::digest(&written.ast);
    let texts = SourceText::all(&written.sources);
    let automata = additions.claims.iter().map(claims::automaton).collect::<Result<Vec<_>, _>>()?;
    let mut loaded = match &written.model {
        Some(_) if !additions.is_empty() => additions.read(written, &automata)?,
        _ => written,
    };
    let Some(model) = loaded.model.take() else {
        let errors: Vec<Diagnostic> = loaded.diagnostics.iter().filter(|each| each.is_error()).cloned().collect();
        return Err(diagnostics::refuse(&errors, &loaded.sources));
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
    let (mut branching, goal) = additions.take(&mut machine, &automata)?;
    branching.iter_mut().for_each(|property| branching::make_unique(property, &machine));
    Ok(Input { machine, loaded, origin, branching, goal, texts })
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

/// The choice of the `-m` option.
pub fn full_channels(lossy: bool) -> FullChannels {
    if lossy { FullChannels::Lose } else { FullChannels::Block }
}

/// Says that something cannot be done because of what the user gave.
pub fn refuse(message: &str) -> Exit {
    console::error(message);
    Exit::Usage
}
