//! Whether a model can tell that a process has disappeared. If it cannot, processes may stay at their end, and symmetry applies to all of them.

use machine::ground::{CellId, Program, Reference, Term, TermId};
use machine::id::Pid;
use machine::state::Storage;
use promela::source::Span;

/// Why it would be noticed that a process disappears, if it would, by the model or by conditions about it.
pub(super) fn noticed(program: &Program<'_>, conditions: &[TermId]) -> Option<Span> {
    let ending: Vec<bool> = program.configuration.pids().map(|pid| program.can_disappear(pid)).collect();
    if !ending.contains(&true) {
        return None;
    }
    let machine = program.configuration.machine;
    if machine.layout.last_offset.is_some() || machine.layout.priority_offset.is_some() {
        return Some(Span::NOWHERE);
    }
    let of_ending = |storage: Storage| matches!(storage, Storage::Process(pid) if ending[pid.index()]);
    let local_channel = program.configuration.channels.iter().any(|channel| of_ending(channel.storage));
    let noticed = program.terms.ids().find(|&id| match program.terms.get(id) {
        Term::ProcessCount | Term::ChannelCount | Term::Enabled(_) | Term::LocationOf(_) | Term::PriorityOf(_) => true,
        Term::At(pid, _) => ending[pid.index()],
        Term::AnyAt(..) | Term::Load(Reference::Remote { .. }) | Term::Instance(..) => true,
        _ => false,
    });
    // A variable goes with its process, and nothing but that process may ask for it.
    let storage_of = |cell: CellId| {
        let group = program.configuration.cells[cell.index()];
        program.configuration.groups[group.index()].storage
    };
    let remote_cell = || {
        program.processes.iter().enumerate().find_map(|(pid, process)| {
            let own = Storage::Process(Pid(pid as u8));
            let is_foreign = |&cell: &CellId| of_ending(storage_of(cell)) && storage_of(cell) != own;
            let mut ways = process.locations.iter().flat_map(|(_, ways)| ways);
            let provided = process.provided.filter(|&term| program.cells_of_term(term).iter().any(is_foreign));
            let way = ways.find(|way| program.cells_of_step(&way.step).iter().any(is_foreign));
            way.map(|way| way.span).or(provided.map(|term| program.terms.span(term)))
        })
    };
    let asked_about = || {
        let asks = |&&term: &&TermId| program.cells_of_term(term).into_iter().any(|cell| of_ending(storage_of(cell)));
        conditions.iter().find(asks).map(|&term| program.terms.span(term))
    };
    // What a process has to itself is anybody's once it has gone.
    let has_to_itself = || {
        let ends = program.processes.iter().zip(&ending).filter(|&(_, &ends)| ends).flat_map(|(each, _)| &each.ends);
        ends.map(|&end| program.terms.span(end)).next()
    };
    let noticed = noticed.map(|id| program.terms.span(id));
    let span = noticed.or_else(remote_cell).or_else(asked_about).or_else(has_to_itself);
    span.or(local_channel.then_some(Span::NOWHERE))
}

#[cfg(test)]
mod tests {
    use machine::ground::{Configuration, Program, find_entry};

    use super::noticed;
    use crate::detect::testing::machine_of;

    #[test]
    fn the_number_of_processes_makes_death_noticed() {
        let machine = machine_of("byte x; active proctype p() { x = 1 } active proctype q() { end: (_nr_pr == 1) }");
        let program = Program::of(Configuration::of(&machine, find_entry(&machine).unwrap()));
        assert!(noticed(&program, &[]).is_some());
    }

    #[test]
    fn the_end_of_processes_that_nobody_asks_about_is_not_noticed() {
        let machine = machine_of("byte x; active [2] proctype p() { x = 1 }");
        let program = Program::of(Configuration::of(&machine, find_entry(&machine).unwrap()));
        assert_eq!(noticed(&program, &[]), None);
    }
}
