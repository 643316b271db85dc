//! Formulas of computation tree logic, as `--ctl` gives them.
//!
//! The formula itself is read here; its propositions are parts of its text that are read as expressions of the model, and what is wrong
//! with them is reported where they stand.

use std::ops::Range;

use automata::ctl::{self, Ctl, Proposition};
use isospin::verify::Branching;
use machine::Machine;
use machine::claim::{Property, Subject};
use promela::Scope;
use promela::ast::Unit;
use promela::diagnostic::Diagnostic;
use promela::source::SourceMap;

use crate::console::Exit;
use crate::diagnostics;
use crate::model::refuse;

/// What messages call the place where formulas stand.
const PLACE: &str = "--ctl";
/// What stands before a name that is taken.
const KIND: &str = "ctl.";

/// A formula whose propositions are still text.
#[derive(Clone, Debug)]
pub struct Given {
    text: String,
    formula: Ctl,
}

impl Given {
    /// How many propositions it has.
    pub fn propositions(&self) -> usize {
        self.formula.propositions.len()
    }
}

/// Reads a formula; what is wrong with it is printed.
pub fn parse(text: &str) -> Result<Given, Exit> {
    // Letter by letter the same, in one line.
    let line = text.replace(char::is_whitespace, " ");
    match ctl::parse(&line) {
        Ok(formula) => Ok(Given { text: text.to_owned(), formula }),
        Err(error) => {
            let before = line[..error.offset].chars().count();
            Err(complain(text, letters(text, before, 1), &error.message))
        }
    }
}

/// Says what is wrong at a place of a formula.
fn complain(text: &str, place: Range<usize>, message: &str) -> Exit {
    let mut sources = SourceMap::new();
    let Ok(file) = sources.add_file(PLACE, text) else { return refuse("the formula is larger than 4 GiB") };
    let span = sources.span(file, place.start, place.end);
    diagnostics::refuse(&[Diagnostic::error("ctl-syntax", span, message)], &sources)
}

/// Reads the propositions of the formula with this number; what is wrong with one is printed.
pub fn propositions(scope: &mut Scope, number: usize, given: &Given) -> Result<Vec<Unit>, Exit> {
    let mut read = || -> Result<Vec<Unit>, Vec<Diagnostic>> {
        let file = scope.add_text(PLACE, &*given.text)?;
        let each = |(index, proposition): (usize, &Proposition)| {
            let part = letters(&given.text, proposition.offset, proposition.text.chars().count());
            scope.expression(&format!("proposition {index} of {PLACE} {number}"), file, part)
        };
        given.formula.propositions.iter().enumerate().map(each).collect()
    };
    read().map_err(|wrong| diagnostics::refuse(&wrong, scope.sources()))
}

/// The formula with this number, from 0, when its propositions mean what these properties say.
pub fn with(number: usize, given: &Given, propositions: impl Iterator<Item = Property>) -> Branching {
    let atoms = propositions.filter_map(|property| property.proposition).collect();
    Branching { name: format!("ctl_{}", number + 1), formula: given.formula.clone(), atoms }
}

/// Where a formula or claim of the model has the name, the kind stands before it.
pub fn make_unique(property: &mut Branching, machine: &Machine) {
    let is_taken = |subject: Subject| *subject.name(machine) == *property.name;
    if Subject::all(machine).into_iter().any(is_taken) {
        property.name = format!("{KIND}{}", property.name);
    }
}

/// The name that a formula has before it is made unique.
pub fn written_name(property: &Branching) -> &str {
    property.name.strip_prefix(KIND).unwrap_or(&property.name)
}

/// The bytes of so many letters of a text, behind some others.
fn letters(text: &str, before: usize, count: usize) -> Range<usize> {
    let byte = |letter: usize| text.char_indices().nth(letter).map_or(text.len(), |(at, _)| at);
    byte(before)..byte(before + count)
}
