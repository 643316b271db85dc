//! Which processes can move in a state, and how.
//!
//! Processes are asked from the youngest to the oldest, each for its ways out in their order, as SPIN's verifier does. A
//! rendezvous is one move of two processes.

use super::Interpreter;
use super::error::{ErrorKind, RuntimeError};
use super::execution::{Attempt, Execution, Offer, Verdict};
use crate::automaton::{Automaton, Edge};
use crate::id::{ActionId, DefinitionId, Location, Pid};
use crate::state::State;

/// Whether `timeout` is true.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Timeout {
    /// Some process may still be able to move without it.
    No,
    /// No process can move without it.
    Now,
}

/// One process' part in a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// The process.
    pub pid: Pid,
    /// What it is.
    pub definition: DefinitionId,
    /// Where it was.
    pub from: Location,
    /// What it did.
    pub action: ActionId,
    /// Where it is now.
    pub to: Location,
}

/// A move: one process' step, or the two steps of a rendezvous.
#[derive(Clone, Debug)]
pub struct Move {
    /// The steps.
    pub steps: Vec<Step>,
    /// Where it leads; `None` when an error ended it.
    pub outcome: Option<Outcome>,
    /// What went wrong.
    pub errors: Vec<RuntimeError>,
    /// What was printed.
    pub output: String,
}

/// What a move leads to.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The state afterwards.
    pub target: State,
    /// The process that keeps control because it is inside an `atomic`.
    pub exclusive: Option<Pid>,
}

/// All that can happen in a state, in the order in which SPIN finds it.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    /// The moves.
    pub moves: Vec<Move>,
    /// Somebody offered a rendezvous, whether or not anybody took it.
    pub offered: bool,
}

impl Moves {
    /// Whether nothing can happen.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    fn fail(&mut self, steps: Vec<Step>, error: RuntimeError) {
        self.moves.push(Move { steps, outcome: None, errors: vec![error], output: String::new() });
    }
}

impl Interpreter<'_> {
    /// What can happen in `state` when `exclusive` (if any) has control.
    #[must_use]
    pub fn moves(&self, state: &State, exclusive: Option<Pid>, timeout: Timeout) -> Moves {
        let mut moves = Moves::default();
        match exclusive {
            Some(pid) => self.process_moves(state, pid, timeout, &mut moves),
            None => state.pids().rev().for_each(|pid| self.process_moves(state, pid, timeout, &mut moves)),
        }
        moves
    }

    fn process_moves(&self, state: &State, pid: Pid, timeout: Timeout, moves: &mut Moves) {
        let attempt = Turn::new(self, state, pid, timeout);
        if attempt.is_provided(moves) && attempt.has_priority() {
            self.ways_out(attempt, moves);
        }
    }

    /// The moves of a process, whether or not it is its turn.
    fn ways_out(&self, mut attempt: Turn<'_, '_>, moves: &mut Moves) {
        let Turn { pid, timeout, .. } = attempt;
        while let Some(edge) = attempt.next_edge() {
            let step = attempt.step(edge);
            let mut execution = attempt.execution();
            match execution.action(self.machine().action(edge.action)) {
                Err(error) => {
                    moves.fail(vec![step], error);
                    attempt.executed(edge);
                }
                Ok(Verdict::Blocked) => {}
                Ok(Verdict::Done) => {
                    let mut done = self.finish(execution, vec![step], edge);
                    done.errors.extend(attempt.nondeterminism(edge));
                    moves.moves.push(done);
                    attempt.executed(edge);
                }
                Ok(Verdict::Offers(offer)) => {
                    let mut half = execution.state.into_owned();
                    half.set_location(&self.machine().layout, pid, edge.target);
                    let before = moves.moves.len();
                    moves.offered = true;
                    self.take_offer(&half, &offer, step, timeout, moves);
                    // An offer that nobody takes leaves the way free for `else` and for lesser escapes.
                    attempt.escape = None;
                    if moves.moves.len() > before {
                        attempt.executed(edge);
                    }
                }
            }
        }
    }

    /// Whether a process has something to execute, priorities and `provided` aside.
    fn can_move(&self, state: &State, pid: Pid, timeout: Timeout) -> bool {
        let mut moves = Moves::default();
        self.ways_out(Turn::new(self, state, pid, timeout), &mut moves);
        !moves.is_empty()
    }

    /// Every other process that can receive the offered message completes the rendezvous.
    fn take_offer(&self, half: &State, offer: &Offer, sent: Step, timeout: Timeout, moves: &mut Moves) {
        for pid in half.pids().rev().filter(|&pid| pid != sent.pid) {
            let mut attempt = Turn::new(self, half, pid, timeout);
            if !attempt.is_provided(moves) {
                continue;
            }
            while let Some(edge) = attempt.next_edge() {
                let step = attempt.step(edge);
                let mut execution = attempt.execution();
                execution.offer = Some(offer);
                match execution.action(self.machine().action(edge.action)) {
                    Err(error) => moves.fail(vec![sent, step], error),
                    Ok(Verdict::Blocked | Verdict::Offers(_)) => continue,
                    Ok(Verdict::Done) => moves.moves.push(self.finish(execution, vec![sent, step], edge)),
                }
                attempt.executed(edge);
            }
        }
    }

    fn finish(&self, execution: Execution<'_, '_>, steps: Vec<Step>, edge: &Edge) -> Move {
        let layout = &self.machine().layout;
        let pid = execution.pid;
        let mut target = execution.state.into_owned();
        // A process that ended is gone.
        if pid.index() < target.process_count() && edge.target != Location(0) {
            target.set_location(layout, pid, edge.target);
        }
        target.set_last(layout, pid);
        let exclusive = edge.atomic.then_some(pid);
        let outcome = Some(Outcome { target, exclusive });
        Move { steps, outcome, errors: execution.errors, output: execution.output }
    }
}

/// One process' turn: its ways out, one after the other.
struct Turn<'i, 's> {
    interpreter: &'i Interpreter<'i>,
    state: &'s State,
    pid: Pid,
    timeout: Timeout,
    definition: DefinitionId,
    automaton: &'i Automaton,
    location: Location,
    edges: &'i [Edge],
    next: usize,
    had_choice: bool,
    /// The escape that was found possible, which rules out everything else.
    escape: Option<Location>,
    /// Those who want to know whether this process can move, because the answer decides whether they can.
    asking: Vec<Pid>,
}

impl<'i, 's> Turn<'i, 's> {
    fn new(interpreter: &'i Interpreter<'i>, state: &'s State, pid: Pid, timeout: Timeout) -> Turn<'i, 's> {
        let machine = interpreter.machine();
        let location = state.location(&machine.layout, pid);
        let definition = state.definition(&machine.layout, pid);
        let automaton = &machine.definition(definition).automaton;
        let edges = &automaton.location(location).edges;
        Turn {
            interpreter,
            state,
            pid,
            timeout,
            definition,
            automaton,
            location,
            edges,
            next: 0,
            had_choice: false,
            escape: None,
            asking: Vec::new(),
        }
    }

    /// Whether the process' `provided` clause lets it move.
    fn is_provided(&self, moves: &mut Moves) -> bool {
        let Some(provided) = &self.automaton.provided else { return true };
        let mut execution = self.execution();
        execution.span = self.automaton.span;
        match execution.value(provided) {
            Ok(value) => value != 0,
            Err(error) => {
                let Turn { pid, definition, location, .. } = *self;
                let step = Step { pid, definition, from: location, action: ActionId(0), to: location };
                moves.fail(vec![step], error);
                false
            }
        }
    }

    /// Whether no process of higher priority can move.
    fn has_priority(&self) -> bool {
        let layout = &self.interpreter.machine().layout;
        if layout.priority_offset.is_none() {
            return true;
        }
        let own = self.state.priority(layout, self.pid);
        let mut higher = self.state.pids().filter(|&other| self.state.priority(layout, other) > own);
        !higher.any(|other| {
            let turn = Turn::new(self.interpreter, self.state, other, self.timeout);
            turn.is_provided(&mut Moves::default()) && self.interpreter.can_move(self.state, other, self.timeout)
        })
    }

    /// A `D_proctype` that has a second thing to do.
    fn nondeterminism(&self, edge: &Edge) -> Option<RuntimeError> {
        (self.automaton.deterministic && self.had_choice).then(|| RuntimeError {
            kind: ErrorKind::Nondeterminism,
            message: format!("the D_proctype {} has a choice", self.automaton.name),
            pid: Some(self.pid),
            span: self.interpreter.machine().action(edge.action).span,
        })
    }

    fn next_edge(&mut self) -> Option<&'i Edge> {
        let edge = self.edges.get(self.next)?;
        if self.escape.is_some() && self.escape != edge.escape {
            return None;
        }
        self.next += 1;
        Some(edge)
    }

    fn step(&self, edge: &Edge) -> Step {
        Step { pid: self.pid, definition: self.definition, from: self.location, action: edge.action, to: edge.target }
    }

    fn execution(&self) -> Execution<'i, 's> {
        let mut execution = Execution::new(self.interpreter.machine(), self.state, self.pid, self.timeout);
        execution.had_choice = self.had_choice;
        execution.asking.clone_from(&self.asking);
        execution
    }

    fn executed(&mut self, edge: &Edge) {
        self.had_choice = true;
        self.escape = edge.escape;
    }
}

impl Execution<'_, '_> {
    /// `enabled(p)`: whether a process has something to execute.
    pub fn enabled(&mut self, pid: i32) -> Attempt<i32> {
        let Some(other) = self.state.exists(pid) else { return Ok(0) };
        if other == self.pid {
            let message = "enabled() asks about the asking process itself";
            return Err(self.error(ErrorKind::NoSuchProcess, self.span, message));
        }
        let circular = || {
            let message = "enabled() asks about a process that asks back: neither can be answered first";
            self.error(ErrorKind::CircularQuestion, self.span, message)
        };
        if self.asking.contains(&other) {
            return Err(circular());
        }
        let interpreter = Interpreter::new(self.machine);
        let mut turn = Turn::new(&interpreter, &self.state, other, self.timeout);
        turn.asking.clone_from(&self.asking);
        turn.asking.push(self.pid);
        let mut moves = Moves::default();
        interpreter.ways_out(turn, &mut moves);
        let mut errors = moves.moves.iter().flat_map(|each| &each.errors);
        match errors.any(|error| error.kind == ErrorKind::CircularQuestion) {
            true => Err(circular()),
            false => Ok(i32::from(!moves.is_empty())),
        }
    }
}
