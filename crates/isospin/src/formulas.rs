//! Formulas of linear temporal logic, as `--ltl` gives them.
//!
//! Each is read together with the model, as an `ltl` block behind its text, so that it may use the model's names and macros. The blocks are what
//! traces carry. Mistakes are reported where they stand in the formula: a model that was refused with its formulas is read once more with each, in a form
//! that tells places.

use std::sync::Arc;

use promela::diagnostic::{Diagnostic, Label};
use promela::parse::parse_formula;
use promela::preprocess::{self, FileSystem, InMemory};
use promela::render;
use promela::source::{SourceMap, Span};
use promela::{Loaded, Options};

use crate::console::Exit;
use crate::diagnostics;

/// What messages call the place where formulas stand.
const PLACE: &str = "--ltl";

/// The block of a formula.
pub fn block(number: usize, text: &str) -> Result<String, Exit> {
    // Behind a brace that closes the block, anything could be added to the model.
    if closes_block(text) && is_wrong(PLACE, text, &[]) {
        return Err(Exit::Usage);
    }
    // A comment must not hide the brace.
    let end = if text.contains("//") { '\n' } else { ' ' };
    Ok(format!("ltl formula_{number} {{ {text}{end}}}"))
}

/// Whether there may be a brace that nothing in the text opens.
fn closes_block(text: &str) -> bool {
    let mut depth = 0_u32;
    text.bytes().any(|byte| match byte {
        b'{' => {
            depth += 1;
            false
        }
        b'}' => depth.checked_sub(1).map(|outer| depth = outer).is_none(),
        _ => false,
    })
}

/// Prints what is wrong with the first formula that is; false if none seems to be. The model, of this name and text, is correct without them.
pub fn explain(name: &str, model: &str, formulas: &[String], proctypes: &[Arc<str>], options: &Options) -> bool {
    formulas.iter().any(|formula| {
        let text = format!("{model}\nltl formula {{\n#line 1 \"{PLACE}\"\n{formula}\n}}\n");
        let loaded = promela::load_with(name, &text, options, &FileSystem);
        let errors = errors_inside(formula, &loaded, model.lines().count() as u32);
        diagnostics::print(&errors, &loaded.sources);
        // A formula that ends too early is blamed on the brace.
        !errors.is_empty() || is_wrong(PLACE, formula, proctypes)
    })
}

/// The errors that stand in the formula, without remarks about what was put around it, which is behind the last line of the model.
fn errors_inside(formula: &str, loaded: &Loaded, last: u32) -> Vec<Diagnostic> {
    let place = |span: Span| render::place(&loaded.sources, &Label { span, message: String::new() });
    let lines = formula.lines().count() as u32;
    let inside = |span: Span| place(span).is_some_and(|place| &*place.path == PLACE && place.line <= lines);
    let around = |span: Span| place(span).is_some_and(|place| &*place.path != PLACE && place.line > last);
    let errors = loaded.diagnostics.iter().filter(|error| error.is_error() && inside(error.span()));
    let mut errors: Vec<Diagnostic> = errors.cloned().collect();
    errors.iter_mut().for_each(|error| error.labels.retain(|label| !around(label.span)));
    errors
}

/// Whether a text, given at some place, is no formula even by itself; why is printed.
pub fn is_wrong(place: &str, text: &str, proctypes: &[Arc<str>]) -> bool {
    let mut sources = SourceMap::new();
    let Ok(file) = sources.add_file(place, text) else { return false };
    let mut found = Vec::new();
    let options = preprocess::Options::default();
    let tokens = preprocess::preprocess(&mut sources, file, &options, &InMemory::default(), &mut found);
    parse_formula(&mut sources, tokens, proctypes, &mut found);
    found.retain(Diagnostic::is_error);
    diagnostics::print(&found, &sources);
    !found.is_empty()
}
