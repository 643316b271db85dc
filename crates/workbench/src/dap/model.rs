//! What is debugged: a model, how its run is chosen, and the conditions that are asked about it.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use machine::claim::Atom;
use machine::expression::Expr;
use machine::random::Random;
use machine::replay::Replay;
use machine::trace::Trace;
use machine::{FullChannels, Hidden, Machine};
use promela::diagnostic::Diagnostic;
use promela::source::SourceMap;
use promela::{Options, Scope};
use serde::Deserialize;
use serde_json::Value;

use super::debugger::Kept;

/// The arguments of `launch`.
#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Arguments {
    /// The model.
    program: Option<PathBuf>,
    /// A trace to follow.
    trace: Option<PathBuf>,
    /// A random run with this seed.
    seed: Option<u64>,
    definitions: Vec<String>,
    include_directories: Vec<PathBuf>,
    /// Whether to stop before the first step; so it is unless somebody says otherwise.
    stop_on_entry: Option<bool>,
}

/// How the next step is chosen where nothing says which.
#[derive(Clone, Debug)]
pub enum Guide {
    /// By the trace, and behind its end by nobody.
    Trace,
    /// By chance.
    Chance(Random),
    /// By the person, if there is a choice.
    Person,
}

/// What was asked to be debugged.
pub struct Launch {
    program: PathBuf,
    options: Options,
    trace: Option<Trace>,
    seed: Option<u64>,
    stop_on_entry: bool,
}

impl Launch {
    /// Reads the arguments, and the trace.
    pub fn read(arguments: &Value, options: &Options) -> Result<Launch, String> {
        let arguments = Arguments::deserialize(arguments).map_err(|error| format!("launch: {error}"))?;
        let Arguments { program, trace, seed, definitions, include_directories, stop_on_entry } = arguments;
        let program = program.ok_or("`program` is missing: the model to debug")?;
        let trace = trace.map(|path| read_trace(&path)).transpose()?;
        let mut options = options.clone();
        options.preprocess.include_dirs.extend(include_directories);
        options.preprocess.defines.extend(definitions);
        if let Some(trace) = trace.as_ref().filter(|_| options.preprocess.defines.is_empty()) {
            options.preprocess.defines.clone_from(&trace.origin.defines);
        }
        let program = std::path::absolute(&program).map_err(|error| format!("{}: {error}", program.display()))?;
        Ok(Launch { program, options, trace, seed, stop_on_entry: stop_on_entry.unwrap_or(true) })
    }
}

fn read_trace(path: &Path) -> Result<Trace, String> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {shown}: {error}"))?;
    let trace: Trace = serde_json::from_str(&text).map_err(|error| format!("{shown} is no trace: {error}"))?;
    if trace.schema == machine::trace::SCHEMA {
        Ok(trace)
    } else {
        Err(format!("{shown} is of schema {}", trace.schema))
    }
}

/// A model that can be executed, and conditions about its states.
pub struct Loaded {
    /// The machine.
    pub machine: Machine,
    /// The conditions by their texts.
    conditions: Vec<(String, Atom)>,
    launch: Rc<Launch>,
}

impl Loaded {
    /// Reads the model again, with these conditions.
    pub fn again(&self, conditions: &[String]) -> Result<Loaded, String> {
        Loaded::new(&self.launch, conditions)
    }

    /// The expression of a condition.
    pub fn condition(&self, text: &str) -> Option<&Expr> {
        self.conditions.iter().find(|(condition, _)| condition == text).map(|(_, atom)| &atom.expression)
    }

    /// Reads the model, and conditions in its scope.
    pub fn new(launch: &Rc<Launch>, conditions: &[String]) -> Result<Loaded, String> {
        let loaded = promela::load(&launch.program, &launch.options);
        if loaded.model.is_none() {
            return Err(first_error(&loaded.diagnostics, &loaded.sources));
        }
        let mut scope = Scope::of(loaded);
        let mut units = Vec::new();
        for (number, condition) in conditions.iter().enumerate() {
            let name = format!("condition_{number}");
            let unit = scope
                .add_text("condition", condition.as_str())
                .and_then(|file| scope.expression(&name, file, 0..condition.len()));
            units.push(unit.map_err(|wrong| first_error(&wrong, scope.sources()))?);
        }
        let mut loaded = scope.with(units);
        let Some(model) = loaded.model.take() else { return Err(first_error(&loaded.diagnostics, &loaded.sources)) };
        if model.features.embedded_c {
            return Err("the model has embedded C, which the debugger does not run".to_owned());
        }
        // A claim is evaluated on states, so what it asks about is part of them.
        let is_judged = launch.trace.as_ref().is_some_and(|trace| trace.end.kind.is_judged());
        let hidden = if is_judged { Hidden::InState } else { Hidden::Outside };
        let mut machine = machine::lower_hidden(&model, hidden);
        if let Some(trace) = &launch.trace {
            machine.full_channels = if trace.origin.message_loss { FullChannels::Lose } else { FullChannels::Block };
            trace.origin.unchecked.iter().for_each(|&check| machine.forget(check));
        }
        let atoms = machine.ltl.split_off(machine.ltl.len() - conditions.len());
        let atoms = atoms.into_iter().map(|property| property.proposition).collect::<Option<Vec<Atom>>>();
        let atoms = atoms.ok_or("a condition has operators of temporal logic")?;
        let conditions = conditions.iter().cloned().zip(atoms).collect();
        Ok(Loaded { machine, conditions, launch: launch.clone() })
    }

    /// The run before its first step.
    pub fn begin(&self) -> Result<Kept, String> {
        let launch = &self.launch;
        let (choices, guide, end) = match (&launch.trace, launch.seed) {
            (Some(trace), _) => {
                let mut replay = Replay::new(&self.machine, trace).map_err(|mismatch| mismatch.to_string())?;
                while replay.step().map_err(|mismatch| mismatch.to_string())?.is_some() {}
                (replay.into_run().taken().collect(), Guide::Trace, Some(trace.end.message.clone()))
            }
            (None, Some(seed)) => (Vec::new(), Guide::Chance(Random::new(seed)), None),
            (None, None) => (Vec::new(), Guide::Person, None),
        };
        Ok(Kept::new(choices, guide, end, launch.stop_on_entry))
    }
}

/// The first error, with its place.
fn first_error(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    let Some(error) = diagnostics.iter().find(|each| each.is_error()) else { return "it cannot be read".to_owned() };
    match sources.range(error.span()) {
        Some((file, _)) => {
            let place = sources.location(error.span());
            format!("{}:{}:{}: {}", sources.file(file).path, place.line, place.column, error.message)
        }
        None => error.message.clone(),
    }
}
