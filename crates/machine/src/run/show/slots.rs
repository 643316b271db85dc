//! The grounded program as text: the slots of a state, and what every edge of every process reads and writes of them.

use std::fmt;

use crate::ground::{Access, Configuration, NoEntry, Program, SlotKind, SlotSet, Slots, find_entry};
use crate::machine::Machine;

/// The grounded program of a machine, to be shown.
#[derive(Clone, Debug)]
pub struct SlotsView<'m> {
    program: Program<'m>,
    slots: Slots,
}

impl<'m> SlotsView<'m> {
    /// Grounds a machine.
    ///
    /// # Errors
    /// When there is no state from which on no process is created any more.
    pub fn of(machine: &'m Machine) -> Result<SlotsView<'m>, NoEntry> {
        let program = Program::of(Configuration::of(machine, find_entry(machine)?));
        let slots = Slots::of(&program.configuration);
        Ok(SlotsView { program, slots })
    }

    fn access(&self, f: &mut fmt::Formatter<'_>, access: &Access) -> fmt::Result {
        if access.everything {
            return writeln!(f, "        reads and writes everything");
        }
        writeln!(f, "        reads  {}", self.names(&access.reads))?;
        if !access.ports.is_empty() {
            let ports: Vec<String> =
                access.ports.iter().map(|&port| self.program.configuration.channel_name(port)).collect();
            writeln!(f, "        meets a partner at {}", ports.join(", "))?;
        }
        writeln!(f, "        writes {}", self.names(&access.writes))
    }

    /// The names of slots, all messages of a channel as one.
    fn names(&self, set: &SlotSet) -> String {
        let configuration = &self.program.configuration;
        let mut names: Vec<String> = Vec::new();
        for slot in set.iter() {
            let name = match self.slots.get(slot).kind {
                SlotKind::Field { channel, .. } => format!("messages of {}", configuration.channel_name(channel)),
                kind => kind.name(configuration),
            };
            if names.last() != Some(&name) {
                names.push(name);
            }
        }
        if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
    }
}

impl fmt::Display for SlotsView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let configuration = &self.program.configuration;
        writeln!(f, "slots (offset, bytes, name):")?;
        for id in self.slots.ids() {
            let at = self.slots.get(id).at;
            let sign = if at.signed { "signed" } else { "" };
            writeln!(f, "  {:>5} {:>4}  {sign:<6} {}", at.offset, at.width, self.slots.name(configuration, id))?;
        }
        for pid in configuration.pids() {
            writeln!(f, "{}:", configuration.process_name(pid))?;
            for (location, ways) in &self.program.processes[pid.index()].locations {
                for way in ways {
                    let text = &configuration.machine.action(way.action).text;
                    writeln!(f, "  {:>3} -> {:<3} {text}", location.0, way.target.0)?;
                    self.access(f, &self.program.access(&self.slots, pid, *location, way))?;
                }
            }
        }
        Ok(())
    }
}
