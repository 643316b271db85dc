//! How the creation of a process depends on what other processes do.
//!
//! A new process gets the next number, so creations and ends of processes cannot be exchanged where a number is looked at. Where none is
//! (`anonymous.rs`), creations can be exchanged with each other. A creation and an end still cannot if there may be too many processes or channels:
//! whether the limit is met depends on how many have ended before. Only where all processes that can ever be created fit below the limit are
//! creations independent of everything.

use crate::automaton::Automaton;
use crate::footprint::Footprint;
use crate::id::DefinitionId;
use crate::machine::Machine;

use super::anonymous::numbers_are_meaningless;

/// How many processes and how many channels there can be at a time.
const LIMIT: u32 = 255;

/// What the creation of a process conflicts with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Creation {
    /// Other creations and ends: the number of the process may matter.
    Numbered,
    /// Ends: there may be too many processes.
    Limited,
    /// Nothing.
    Free,
}

impl Creation {
    /// What it conflicts with in runs of a machine that nobody observes.
    pub fn of(machine: &Machine) -> Creation {
        match (numbers_are_meaningless(machine), fits(machine)) {
            (false, _) => Creation::Numbered,
            (true, false) => Creation::Limited,
            (true, true) => Creation::Free,
        }
    }
}

/// Whether there never are too many processes or channels, even if none ever ended.
fn fits(machine: &Machine) -> bool {
    let mut families = vec![Family::Unknown; machine.definitions.len()];
    let mut all = Size { processes: 0, channels: machine.layout.globals.channels.len() as u32 };
    for &definition in &machine.active {
        all = all.and(family(machine, definition, &mut families));
    }
    all.processes <= LIMIT && all.channels <= LIMIT
}

/// How many processes there are, and how many channels they have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Size {
    processes: u32,
    channels: u32,
}

impl Size {
    const UNBOUNDED: Size = Size { processes: u32::MAX, channels: u32::MAX };

    fn and(self, other: Size) -> Size {
        Size {
            processes: self.processes.saturating_add(other.processes),
            channels: self.channels.saturating_add(other.channels),
        }
    }
}

/// A process with all that it creates, and that these create.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Family {
    Unknown,
    /// It is being computed: a process that creates one of its own kind has no bound.
    Open,
    Known(Size),
}

fn family(machine: &Machine, definition: DefinitionId, families: &mut [Family]) -> Size {
    match families[definition.index()] {
        Family::Known(size) => return size,
        Family::Open => return Size::UNBOUNDED,
        Family::Unknown => families[definition.index()] = Family::Open,
    }
    let automaton = &machine.definition(definition).automaton;
    let mut size = Size { processes: 1, channels: machine.layout.frames[definition.index()].channels.len() as u32 };
    for (location, info) in automaton.locations.iter().enumerate() {
        for edge in &info.edges {
            let created = Footprint::of_action(machine, machine.action(edge.action)).created;
            let is_repeated = !created.is_empty() && leads_to(automaton, edge.target.index(), location);
            for child in created {
                let child = family(machine, child, families);
                size = size.and(if is_repeated { Size::UNBOUNDED } else { child });
            }
        }
    }
    families[definition.index()] = Family::Known(size);
    size
}

/// Whether a process can come from one location to another.
fn leads_to(automaton: &Automaton, from: usize, to: usize) -> bool {
    let mut seen = vec![false; automaton.locations.len()];
    let mut waiting = vec![from];
    while let Some(location) = waiting.pop() {
        if location == to {
            return true;
        }
        if !std::mem::replace(&mut seen[location], true) {
            waiting.extend(automaton.locations[location].edges.iter().map(|edge| edge.target.index()));
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::Creation;

    fn creation(text: &str) -> Creation {
        let model = promela::load_text("m.pml", text, &promela::Options::default()).model.expect("it is correct");
        Creation::of(&crate::lower(&model))
    }

    #[test]
    fn creation_is_free_only_if_all_processes_fit_whatever_happens() {
        let child = "proctype C() { skip }";
        assert_eq!(creation(&format!("{child} active [2] proctype P() {{ run C(); run C() }}")), Creation::Free);
        assert_eq!(creation(&format!("{child} active [130] proctype P() {{ run C() }}")), Creation::Limited);
        assert_eq!(creation(&format!("{child} active proctype P() {{ do :: run C() od }}")), Creation::Limited);
        assert_eq!(creation("active proctype P() { run P() }"), Creation::Limited);
        assert_eq!(
            creation("proctype C() { chan q[100] = [1] of { bit }; q[0]!1 } active [3] proctype P() { run C() }"),
            Creation::Limited
        );
    }

    #[test]
    fn creation_is_numbered_where_a_number_is_read() {
        assert_eq!(creation("byte b; proctype C() { b = _pid } init { run C() }"), Creation::Numbered);
    }
}
