//! Formulas of computation tree logic, as `--ctl` gives them.
//!
//! Their propositions are read together with the model: each becomes an `ltl` block, from which its meaning is taken. Mistakes are
//! reported where they stand in the formula.

use std::sync::Arc;

use automata::ctl::{self, Ctl};
use isospin::verify::Branching;
use machine::Machine;
use machine::claim::{Atom, Property, Subject};
use promela::Loaded;
use promela::diagnostic::{Diagnostic, Label};
use promela::render;
use promela::source::SourceMap;

use crate::console::Exit;
use crate::diagnostics;
use crate::formulas;
use crate::model::refuse;

/// What messages call the place where formulas stand.
const PLACE: &str = "--ctl";
/// What stands before a name that is taken.
const KIND: &str = "ctl.";

/// Reads a formula; what is wrong with it is printed.
pub fn parse(text: &str) -> Result<Ctl, Exit> {
    // In one line, so that a place is a column.
    let text = text.replace(char::is_whitespace, " ");
    ctl::parse(&text).map_err(|error| complain(&text, error.offset, &error.message))
}

/// Says what is wrong at a place of a formula.
fn complain(text: &str, offset: usize, message: &str) -> Exit {
    let mut sources = SourceMap::new();
    let Ok(file) = sources.add_file(PLACE, text) else { return refuse("the formula is larger than 4 GiB") };
    let length = text[offset..].chars().next().map_or(0, char::len_utf8);
    let span = sources.span(file, offset, offset + length);
    diagnostics::print(&[Diagnostic::error("ctl-syntax", span, message)], &sources);
    Exit::Usage
}

/// The blocks that are appended to the model.
pub fn promela(number: usize, formula: &Ctl) -> String {
    let block = |(index, proposition): (usize, &ctl::Proposition)| {
        let indent = " ".repeat(proposition.offset);
        format!("\nltl {}{index} {{ (\n#line 1 \"{PLACE}\"\n{indent}{}\n) }}\n", prefix(number), proposition.text)
    };
    formula.propositions.iter().enumerate().map(block).collect()
}

/// Prints what is wrong with a proposition that ends too early, so that what was put behind it is blamed; false if there is none.
pub fn explain(given: &[Ctl], proctypes: &[Arc<str>], loaded: &Loaded) -> bool {
    let is_behind = |error: &Diagnostic| {
        let label = Label { span: error.span(), message: String::new() };
        let place = render::place(&loaded.sources, &label);
        // Formulas have one line.
        error.is_error() && place.is_some_and(|place| &*place.path == PLACE && place.line > 1)
    };
    let text = |proposition: &ctl::Proposition| format!("{}{}", " ".repeat(proposition.offset), proposition.text);
    loaded.diagnostics.iter().any(is_behind)
        && given
            .iter()
            .flat_map(|formula| &formula.propositions)
            .any(|proposition| formulas::is_wrong(PLACE, &text(proposition), proctypes))
}

/// Turns the blocks of a formula's propositions into what they stand for.
pub fn take(machine: &mut Machine, number: usize, formula: &Ctl) -> Result<Branching, Exit> {
    let prefix = prefix(number);
    let (own, others): (Vec<Property>, Vec<Property>) =
        std::mem::take(&mut machine.ltl).into_iter().partition(|property| property.name.starts_with(&prefix));
    machine.ltl = others;
    let atom = |(property, proposition): (&Property, &ctl::Proposition)| -> Result<Atom, Exit> {
        property.proposition.clone().ok_or_else(|| {
            let text = formula.text(formula.root()).to_string();
            let place = text.find(&proposition.text).unwrap_or(0);
            complain(&text, place, "this is no expression: it has operators of linear temporal logic")
        })
    };
    let atoms = own.iter().zip(&formula.propositions).map(atom).collect::<Result<_, _>>()?;
    Ok(Branching { name: format!("ctl_{}", number + 1), formula: formula.clone(), atoms })
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

fn prefix(number: usize) -> String {
    format!("ctl_formula_{number}_proposition_")
}
