//! The machine as text that can be read back: what another front end writes, what a test has by hand, what two passes are compared by.
//!
//! ```text
//! Machine ── write ──▶ text ── read ──▶ Machine (checked)
//! ```
//! The form is line-oriented: a line declares one thing and gives it a number (`g0` a global, `l0` a local, `gc0` and `lc0` channels, `d0` a
//! definition, `a0` an action), and expressions name these. The grammar stands in `docs/internals/machine-text.md`.
//!
//! Everything that executions depend on is there. Left out are the sources and the spans: a machine that was read has the text it was
//! read from as its source, so messages and traces name lines of that text. Compiled embedded C is left out too; pieces of C are written, but a machine
//! that was read does not run them. Where a file gives no offsets, cells lie where [`lower`](crate::lower()) would put them.

mod lex;
mod read;
mod words;
mod write;

pub use self::read::read;
pub use self::write::write;

/// Why a text is no machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The problem.
    pub message: String,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::ActionKind;
    use crate::expression::Expr;
    use crate::id::{DefinitionId, Location};
    use crate::layout::Area;
    use crate::machine::{FullChannels, Machine};

    const MODEL: &str = "mtype = { red }; chan q = [2] of { byte, mtype }; hidden byte h; byte a[3] = { 1, 2, 3 };
        proctype C(byte n; chan c) { xs c; chan own = [0] of { bit }; c!n,red; do :: own!1 :: a[n] = 2; break od }
        init { byte i; run C(i, q); d_step { i = 1; a[2] = i }; accept: q?i,_; assert(i == 1) }
        ltl p { [] <> (a[0] == 1) }";

    fn machine() -> Machine {
        let model = promela::load_text("m.pml", MODEL, &promela::Options::default()).model.expect("it is correct");
        crate::lower(&model)
    }

    #[test]
    fn every_change_of_a_machine_is_seen_in_its_text() {
        type Change = fn(&mut Machine);
        let changes: [Change; 30] = [
            |machine| machine.mtypes[0].members[0].1 = 7,
            |machine| machine.layout.shapes[0].capacity = 3,
            |machine| machine.layout.definition_width = 2,
            |machine| machine.layout.location_width = 2,
            |machine| machine.layout.last_offset = Some(1),
            |machine| machine.layout.priority_offset = Some(2),
            |machine| machine.layout.globals.size += 4,
            |machine| machine.layout.globals.hidden_size += 4,
            |machine| machine.layout.globals.cells[1].offset += 1,
            |machine| machine.layout.globals.cells[1].hidden ^= true,
            |machine| machine.layout.globals.cells[1].unmatched ^= true,
            |machine| machine.layout.globals.cells[1].ty = promela::model::Type::Int,
            |machine| machine.layout.globals.cells[1].kind = promela::model::Kind::Pid,
            |machine| machine.layout.globals.channels[0].offset += 1,
            |machine| machine.layout.frames[0] = Area::default(),
            |machine| machine.definitions[0].parameters.truncate(1),
            |machine| machine.definitions[0].priority = 3,
            |machine| machine.definitions[0].exclusive.clear(),
            |machine| machine.definitions[0].automaton.deterministic = true,
            |machine| machine.definitions[0].automaton.provided = Some(Expr::Timeout),
            |machine| machine.definitions[0].automaton.start = Location(2),
            |machine| machine.definitions[0].automaton.locations[1].progress = true,
            |machine| machine.definitions[1].automaton.locations.iter_mut().for_each(|each| each.accept = false),
            |machine| machine.definitions[1].automaton.labels.clear(),
            |machine| machine.global_initial.clear(),
            |machine| machine.active.push(DefinitionId(0)),
            |machine| machine.features.unless = true,
            |machine| machine.full_channels = FullChannels::Lose,
            |machine| machine.actions.push(machine.actions[0].clone()),
            |machine| {
                machine.actions.iter_mut().for_each(|each| {
                    if let ActionKind::Send(send) = &mut each.kind {
                        send.sorted = true;
                    }
                })
            },
        ];
        let original = write(&machine());
        for (number, change) in changes.into_iter().enumerate() {
            let mut changed = machine();
            change(&mut changed);
            assert_ne!(write(&changed), original, "change {number}");
        }
    }

    #[test]
    fn deep_expressions_are_read_and_deeper_ones_refused() {
        let text = |levels: usize| format!("machine 1\naction a0 when {}1{}", "(! ".repeat(levels), ")".repeat(levels));
        assert!(read(&text(900)).is_ok());
        assert!(read(&text(100_000)).is_err_and(|error| error.message.contains("nested")));
    }

    #[test]
    fn messages_of_a_machine_name_lines_of_its_text() {
        let machine = read(&write(&machine())).expect("it is sound");
        let assertion = machine.actions.iter().find(|action| matches!(action.kind, ActionKind::Assert(_)));
        let span = assertion.expect("the model has one").span;
        assert!(machine.sources.snippet(span).starts_with("action a"), "{}", machine.sources.snippet(span));
    }
}
