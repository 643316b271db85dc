//! Statements that no process comes to, as SPIN lists them.

use machine::Machine;
use machine::generate::Coverage;
use machine::interpret::Interpreter;
use machine::reached::Reached;
use machine::show::Show;
use machine::trace::Part;

/// A statement that was never tried.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreached {
    /// Its process definition.
    pub process: String,
    /// Its file.
    pub file: String,
    /// Its line.
    pub line: u32,
    /// Its number in its proctype, as SPIN has it.
    pub state: u32,
    /// Its text.
    pub text: String,
}

impl Unreached {
    /// Whether it is the end of a process, which SPIN counts among the statements. A process that goes on for ever is seldom a mistake.
    #[must_use]
    pub fn is_end(&self) -> bool {
        self.text == Part::END
    }
}

/// The statements of all process definitions that no process came to, in the order of their locations.
pub(super) fn unreached(machine: &Machine, executed: &Coverage) -> Vec<Unreached> {
    let Ok(initial) = Interpreter::new(machine).initial() else { return Vec::new() };
    let show = Show::new(machine);
    let describe = |(definition, location)| {
        let automaton = &machine.definition(definition).automaton;
        let info = automaton.location(location);
        let place = show.place(info.span.unwrap_or(automaton.span));
        Unreached {
            process: automaton.name.to_string(),
            file: place.file,
            line: place.line,
            state: location.0,
            text: info.text.to_string(),
        }
    };
    Reached::by_executing(machine, &initial, executed).missing(machine).into_iter().map(describe).collect()
}
