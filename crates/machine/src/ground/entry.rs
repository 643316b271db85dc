//! The entry state: the first state in which all processes exist for good.
//!
//! From the initial state on, `init` moves first, until every process stands where no `run` can follow any more. Inside an
//! `atomic` of `init`, the walk then goes on as long as there is one way only, so that assignments after the runs belong to
//! the entry state in whatever order they are written.

use std::fmt;

use crate::action::ActionKind;
use crate::expression::Expr;
use crate::id::{ActionId, DefinitionId, Pid};
use crate::interpret::{Interpreter, Move, Timeout};
use crate::machine::Machine;
use crate::state::State;
use promela::model::Role;
use rustc_hash::FxHashSet;

/// How much work the search for an entry state may be: every state counts as many times as processes are looked at in it,
/// each for the price of all that lie before it.
const BUDGET: usize = 4_000_000;

/// Why there is no entry state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoEntry {
    /// The initial state cannot be computed.
    BadInitialValue,
    /// No state was found after which no process is created any more.
    ProcessesKeepComing,
}

impl fmt::Display for NoEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoEntry::BadInitialValue => "the initial state cannot be computed",
            NoEntry::ProcessesKeepComing => "no state was found after which no process is created any more",
        })
    }
}

/// The entry state of a machine.
///
/// # Errors
/// When there is none, and why.
pub fn find(machine: &Machine) -> Result<State, NoEntry> {
    let interpreter = Interpreter::new(machine);
    let initial = interpreter.initial().map_err(|_| NoEntry::BadInitialValue)?;
    let final_locations = FinalLocations::of(machine);
    let mut seen = FxHashSet::default();
    let mut stack = vec![(initial, None)];
    let mut work = 0;
    while let Some((state, exclusive)) = stack.pop() {
        if final_locations.hold(machine, &state) {
            return Ok(follow(&interpreter, state, exclusive));
        }
        if !seen.insert(state.clone()) {
            continue;
        }
        // The last one is looked at first.
        let mut moves = moves_from(&interpreter, &final_locations, &state, exclusive);
        moves.reverse();
        work += state.process_count() * state.process_count() * moves.len().max(1);
        if work > BUDGET {
            break;
        }
        let outcomes = moves.into_iter().filter_map(|each| each.outcome);
        stack.extend(outcomes.map(|each| (each.target, each.exclusive)));
    }
    Err(NoEntry::ProcessesKeepComing)
}

/// The moves of the process in control, else of `init`, else of one that has processes to create, else of all.
fn moves_from(
    interpreter: &Interpreter<'_>,
    final_locations: &FinalLocations,
    state: &State,
    exclusive: Option<Pid>,
) -> Vec<Move> {
    let machine = interpreter.machine();
    let creates = |&pid: &Pid| !final_locations.is_final(machine, state, pid);
    let init = state.pids().find(|&pid| is_init(machine, state, pid));
    let creating = init.into_iter().chain(state.pids()).filter(creates);
    let chosen = exclusive.into_iter().chain(creating).map(|pid| (Some(pid), Timeout::No));
    let attempts = chosen.chain([(None, Timeout::No), (None, Timeout::Now)]);
    let moves = attempts.map(|(exclusive, timeout)| interpreter.moves(state, exclusive, timeout).moves);
    moves.into_iter().find(|moves| !moves.is_empty()).unwrap_or_default()
}

/// Goes on while one process has control and one way only.
fn follow(interpreter: &Interpreter<'_>, mut state: State, mut exclusive: Option<Pid>) -> State {
    let mut seen = FxHashSet::default();
    while let Some(pid) = exclusive {
        let mut moves = interpreter.moves(&state, Some(pid), Timeout::No);
        let (Some(only), true) = (moves.moves.pop(), moves.moves.is_empty()) else { break };
        let Some(only) = only.outcome else { break };
        // A process that ended would change the set of processes; a walk in circles never leaves the atomic.
        if only.target.process_count() != state.process_count() || !seen.insert(state.clone()) {
            break;
        }
        (state, exclusive) = (only.target, only.exclusive);
    }
    state
}

fn is_init(machine: &Machine, state: &State, pid: Pid) -> bool {
    machine.definition(state.definition(&machine.layout, pid)).automaton.role == Role::Init
}

/// For every definition and location: whether no `run` can follow.
struct FinalLocations {
    by_definition: Vec<Vec<bool>>,
}

impl FinalLocations {
    fn of(machine: &Machine) -> FinalLocations {
        let by_definition = (0..machine.definitions.len() as u32).map(|id| without_run(machine, DefinitionId(id)));
        FinalLocations { by_definition: by_definition.collect() }
    }

    fn hold(&self, machine: &Machine, state: &State) -> bool {
        state.pids().all(|pid| self.is_final(machine, state, pid))
    }

    fn is_final(&self, machine: &Machine, state: &State, pid: Pid) -> bool {
        let layout = &machine.layout;
        self.by_definition[state.definition(layout, pid).index()][state.location(layout, pid).index()]
    }
}

fn without_run(machine: &Machine, definition: DefinitionId) -> Vec<bool> {
    let locations = &machine.definition(definition).automaton.locations;
    let mut is_final = vec![true; locations.len()];
    loop {
        let mut changed = false;
        for (index, location) in locations.iter().enumerate() {
            let leads_to_run =
                location.edges.iter().any(|edge| !is_final[edge.target.index()] || action_runs(machine, edge.action));
            if is_final[index] && leads_to_run {
                is_final[index] = false;
                changed = true;
            }
        }
        if !changed {
            return is_final;
        }
    }
}

/// Whether an action may create a process.
#[must_use]
pub fn action_runs(machine: &Machine, action: ActionId) -> bool {
    let action = machine.action(action);
    match &action.kind {
        ActionKind::Deterministic(body) => {
            body.nodes.iter().flat_map(|node| &node.edges).any(|edge| action_runs(machine, edge.action))
        }
        _ => action.any(&mut |expr| matches!(expr, Expr::Run(_))),
    }
}

#[cfg(test)]
mod tests {
    use crate::id::CellsId;
    use crate::state::Storage;

    use super::{NoEntry, find};
    use crate::ground::testing::machine_of;

    #[test]
    fn processes_of_a_loop_in_init_all_exist_in_the_entry_state() {
        let machine = machine_of(
            "byte turn; active proctype idle() { skip } proctype p(byte id) { turn = id }
             init { byte i = 1; atomic { do :: i <= 3 -> run p(i); i++ :: else -> break od; turn = 7; turn = turn + 1 } }",
        );
        let entry = find(&machine).unwrap();
        assert_eq!(entry.process_count(), 5);
        assert_eq!(entry.read(&machine.layout, Storage::Global, CellsId(0), 0), 8);
    }

    #[test]
    fn choices_after_the_runs_are_not_made() {
        let machine = machine_of(
            "byte turn; proctype p() { skip } init { atomic { run p(); turn = 1; if :: turn = 2 :: turn = 3 fi } }",
        );
        assert_eq!(find(&machine).unwrap().read(&machine.layout, Storage::Global, CellsId(0), 0), 1);
    }

    #[test]
    fn processes_without_end_have_no_entry_state() {
        let machine = machine_of("proctype p() { do :: run p() od } init { run p() }");
        assert_eq!(find(&machine).unwrap_err(), NoEntry::ProcessesKeepComing);
    }
}
