//! Claims from files, as `--claim` names them: automata in the Hanoi format, and never claims.
//!
//! Never claims and `ltl` blocks are read as units behind the model. The propositions of an automaton are parts of its file that are read
//! as expressions of the model. What is wrong is reported where it stands in the file.

use std::path::Path;

use machine::Machine;
use machine::claim::{ClaimError, HanoiClaim, Property, Proposition};
use machine::trace::ClaimText;
use promela::Scope;
use promela::ast::Unit;
use promela::diagnostic::Diagnostic;
use promela::source::{ColumnUnit, FileId, LineColumn};

use crate::console::Exit;
use crate::diagnostics;
use crate::model::refuse;

/// The automaton of a file, if it is one.
pub fn automaton(claim: &ClaimText) -> Result<Option<HanoiClaim>, Exit> {
    if !claim.text.trim_start().starts_with("HOA:") {
        return Ok(None);
    }
    HanoiClaim::read(&claim.text)
        .map(Some)
        .map_err(|error| refuse(&format!("{}:{}:{}: {}", claim.file, error.line, error.column, error.message)))
}

/// Reads a file of never claims and formulas; what is wrong with it is printed.
pub fn units(scope: &mut Scope, claim: &ClaimText) -> Result<Vec<Unit>, Exit> {
    let units = scope.add_text(&*claim.file, &*claim.text).and_then(|file| scope.units(file));
    units.map_err(|wrong| diagnostics::refuse(&wrong, scope.sources()))
}

/// Reads the propositions of the automaton of the file with this number; what is wrong with one is printed.
pub fn propositions(
    scope: &mut Scope,
    number: usize,
    claim: &ClaimText,
    automaton: &HanoiClaim,
) -> Result<Vec<Unit>, Exit> {
    let mut read = || -> Result<Vec<Unit>, Vec<Diagnostic>> {
        let file = scope.add_text(&*claim.file, &*claim.text)?;
        let all = automaton.propositions().iter().enumerate();
        let name = |index: usize| format!("proposition {index} of --claim {number}");
        all.map(|(index, given)| proposition(scope, file, given, &name(index))).collect()
    };
    read().map_err(|wrong| diagnostics::refuse(&wrong, scope.sources()))
}

fn proposition(scope: &mut Scope, file: FileId, given: &Proposition, name: &str) -> Result<Unit, Vec<Diagnostic>> {
    let Proposition { text, line, column } = given;
    let place = LineColumn { line: *line as u32, column: *column as u32 };
    let written = scope.sources().file(file);
    let start = written.offset(place, ColumnUnit::Character).unwrap_or(0);
    if written.text[start..].starts_with(&**text) {
        return scope.expression(name, file, start..start + text.len());
    }
    // It is written with escapes: a text of its own, at the same line and column.
    let padded = format!("{}{}{text}", "\n".repeat(line - 1), " ".repeat(column - 1));
    let part = padded.len() - text.len()..padded.len();
    let path = written.path.clone();
    let file = scope.add_text(path, padded)?;
    scope.expression(name, file, part)
}

/// Adds an automaton to the machine, whose propositions mean what these properties say.
pub fn add(
    machine: &mut Machine,
    claim: &ClaimText,
    automaton: &HanoiClaim,
    propositions: &[Property],
) -> Result<(), Exit> {
    let name = Path::new(&claim.file).file_stem().map_or_else(|| "claim".into(), |stem| stem.to_string_lossy());
    match automaton.claim(&name, propositions) {
        Ok(built) => {
            machine.automata.push(built);
            Ok(())
        }
        Err(ClaimError::Unobservable(_, what)) => {
            Err(refuse(&format!("{}: a claim only observes: it cannot {what}", claim.file)))
        }
        Err(error) => Err(refuse(&format!("{}: {error}", claim.file))),
    }
}
