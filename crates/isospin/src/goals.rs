//! The state that `--goal` asks for: an expression over the model.

use isospin::verify::{Goal, Property};
use machine::Machine;
use machine::claim::Subject;
use promela::Scope;
use promela::ast::Unit;

use crate::console::Exit;
use crate::diagnostics;
use crate::model::refuse;

/// What messages call the place where it stands.
const PLACE: &str = "--goal";

/// Reads the expression; what is wrong with it is printed.
pub fn read(scope: &mut Scope, text: &str) -> Result<Unit, Exit> {
    let unit = scope.add_text(PLACE, text).and_then(|file| scope.expression(PLACE, file, 0..text.len()));
    unit.map_err(|wrong| diagnostics::refuse(&wrong, scope.sources()))
}

/// Takes the expression, which is the last property of a machine, and makes a goal of it.
pub fn take(machine: &mut Machine, text: &str) -> Result<Goal, Exit> {
    let name = Property::Goal.name();
    let atom = machine.ltl.pop().and_then(|property| property.proposition);
    let is_taken = Subject::all(machine).into_iter().any(|subject| *subject.name(machine) == *name);
    match atom {
        Some(_) if is_taken => Err(refuse(&format!("--goal cannot be used: the model has a property called {name}"))),
        Some(atom) => Ok(Goal { text: text.to_owned(), atom }),
        None => Err(refuse("--goal needs an expression without operators of temporal logic")),
    }
}
