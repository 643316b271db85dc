//! Which statements and which options of selections were executed, by lines of the source.

use std::collections::HashSet;

use machine::Machine;
use machine::action::{ActionKind, Jump};
use machine::automaton::Edge;
use machine::generate::Coverage;
use machine::show::Show;

/// What of a model's text was executed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Covered {
    /// Every statement.
    pub statements: Vec<CoveredStatement>,
    /// Every option of a selection or repetition.
    pub options: Vec<CoveredOption>,
}

/// A statement that was executed or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoveredStatement {
    /// Its file.
    pub file: String,
    /// Its line.
    pub line: u32,
    /// Whether some process has executed it.
    pub executed: bool,
}

/// An option of a selection or repetition that was taken or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoveredOption {
    /// The file of its guard.
    pub file: String,
    /// The line of its guard.
    pub line: u32,
    /// The number of the selection in the model.
    pub selection: u32,
    /// The number of the option in the selection.
    pub option: u32,
    /// Whether some process has taken it.
    pub taken: bool,
}

/// What was executed of a machine's text.
pub(super) fn covered(machine: &Machine, executed: &Coverage) -> Covered {
    let show = Show::new(machine);
    let mut covered = Covered::default();
    // A statement that several locations lead on by is one.
    let mut seen = HashSet::new();
    let mut selection = 0;
    for definition in &machine.definitions {
        for location in &definition.automaton.locations {
            let own: Vec<&Edge> = location.edges.iter().filter(|edge| is_statement(machine, edge)).collect();
            let is_selection = own.len() > 1;
            for (option, edge) in (0..).zip(&own) {
                let place = show.place(machine.action(edge.action).span);
                if place.line == 0 {
                    continue;
                }
                let (file, line, taken) = (place.file, place.line, executed.contains(edge.action));
                if seen.insert(edge.action) {
                    covered.statements.push(CoveredStatement { file: file.clone(), line, executed: taken });
                }
                if is_selection {
                    covered.options.push(CoveredOption { file, line, selection, option, taken });
                }
            }
            selection += u32::from(is_selection);
        }
    }
    covered
}

/// Whether an edge is something that a person wrote at its place; the escapes of an `unless` stand where they are written, too.
fn is_statement(machine: &Machine, edge: &Edge) -> bool {
    let is_written = !matches!(machine.action(edge.action).kind, ActionKind::End | ActionKind::Jump(Jump::Join));
    is_written && edge.escape.is_none()
}
