//! Formulas of linear temporal logic, as `--ltl` gives them, and as traces carry them.

use promela::Scope;
use promela::ast::Unit;

use crate::console::Exit;
use crate::diagnostics;

/// What messages call the place where formulas stand.
const PLACE: &str = "--ltl";

/// Reads a formula; what is wrong with it is printed.
pub fn read(scope: &mut Scope, number: usize, text: &str) -> Result<Unit, Exit> {
    let name = format!("formula_{number}");
    let unit = scope.add_text(PLACE, text).and_then(|file| scope.formula(&name, file));
    unit.map_err(|wrong| diagnostics::refuse(&wrong, scope.sources()))
}

/// Reads `ltl` blocks; what is wrong with them is printed.
pub fn read_blocks(scope: &mut Scope, text: &str) -> Result<Vec<Unit>, Exit> {
    let units = scope.add_text(PLACE, text).and_then(|file| scope.units(file));
    units.map_err(|wrong| diagnostics::refuse(&wrong, scope.sources()))
}
