//! Never claims as observers: their conditions become atoms, their locations states.
//!
//! Every location that the claim can rest at is a state; if the claim has variables (globals that only it uses), every location with every value that they can have there
//! ([`memory`](super::memory)). `else` is the negation of the conditions before it at its location. An `atomic` is one step, as everything in it sees the same
//! state of the system, and a claim that cannot go on inside one has no way out; so is a `d_step`, which takes the first way that is possible. An assertion is a fork: it holds and the claim goes
//! on, or it fails, which is an end of its own. A claim that changes the system is no observer and is refused.

use std::collections::VecDeque;

use automata::atom::{AtomId, AtomTable};
use automata::automaton::{Automaton as Buchi, Guard, Marks, StateId};

use super::memory::{Memory, Variables};
use super::{Atom, Claim, ClaimEnd, ClaimError, MOST_ATOMS, MOST_STATES, Question};
use crate::action::{Action, ActionKind, DStep};
use crate::automaton::Automaton;
use crate::expression::Expr;
use crate::id::{ActionId, Location};
use crate::machine::Machine;

impl Claim {
    /// The claim that a never claim of a machine describes, by its number.
    ///
    /// # Errors
    /// When it does more than to observe, or is too large.
    pub fn from_never(machine: &Machine, number: usize) -> Result<Claim, ClaimError> {
        let never = &machine.claims[number];
        let variables = Variables::new(machine, never);
        let mut reader = Reader::new(machine, never, variables)?;
        reader.read()?;
        let Reader { atoms, buchi, states, .. } = reader;
        let mut claim = Claim::observing(&never.name, &buchi, atoms)?;
        for (state, meaning) in claim.states.iter_mut().zip(states) {
            match meaning {
                Meaning::At(location, _) => {
                    state.span = never.location(location).span;
                    state.end = (location == never.end).then_some(ClaimEnd::Completed);
                }
                Meaning::Failed(action) => {
                    state.span = Some(machine.action(action).span);
                    state.end = Some(ClaimEnd::Assertion(action));
                }
            }
        }
        Ok(claim)
    }
}

/// What a state stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Meaning {
    At(Location, Memory),
    Failed(ActionId),
}

struct Reader<'m> {
    machine: &'m Machine,
    never: &'m Automaton,
    variables: Variables<'m>,
    table: AtomTable,
    atoms: Vec<Question>,
    buchi: Buchi,
    /// What each state of the automaton stands for.
    states: Vec<Meaning>,
    queue: VecDeque<(StateId, Location, Memory)>,
}

/// A part of an `atomic` that the claim is going through.
struct Passage<'p> {
    source: StateId,
    marks: Marks,
    guard: Guard,
    memory: Memory,
    before: &'p [Location],
}

/// What an action can do: when, and what the variables are afterwards.
#[derive(Default)]
struct Outcomes {
    possible: Vec<(Guard, Memory)>,
    /// Assertions that fail on the way.
    failures: Vec<(Guard, ActionId)>,
}

/// So many steps of a `d_step` are followed.
const LONGEST_D_STEP: usize = 10_000;

impl<'m> Reader<'m> {
    fn new(machine: &'m Machine, never: &'m Automaton, variables: Variables<'m>) -> Result<Reader<'m>, ClaimError> {
        // How many atoms there are is known at the end.
        let buchi = Buchi::new((0..MOST_ATOMS as u32).map(AtomId).collect(), 1);
        let memory = variables.initial()?;
        let states = vec![Meaning::At(never.start, memory.clone())];
        let queue = VecDeque::from([(buchi.initial(), never.start, memory)]);
        let (table, atoms) = (AtomTable::default(), Vec::new());
        Ok(Reader { machine, never, variables, table, atoms, buchi, states, queue })
    }

    fn read(&mut self) -> Result<(), ClaimError> {
        while let Some((source, location, memory)) = self.queue.pop_front() {
            if location == self.never.end {
                continue;
            }
            let marks = if self.never.location(location).accept { Marks::single(0) } else { Marks::NONE };
            self.ways_out(location, &Passage { source, marks, guard: Guard::TRUE, memory, before: &[] })?;
        }
        Ok(())
    }

    fn ways_out(&mut self, location: Location, passage: &Passage<'_>) -> Result<(), ClaimError> {
        let info = self.never.location(location);
        let mut possible = Guard::FALSE;
        let mut all = Vec::new();
        for edge in &info.edges {
            let action = self.machine.action(edge.action);
            if edge.escape.is_some() {
                return Err(ClaimError::Unobservable(action.span, "be interrupted by `unless`"));
            }
            let mut outcomes = self.outcomes(edge.action, &passage.memory)?;
            // That of an inner selection has options of the outer one behind it, about which it does not ask.
            if matches!(action.kind, ActionKind::Else) {
                let otherwise = self.buchi.complement(possible);
                outcomes.possible.push((otherwise, passage.memory.clone()));
            }
            for &(guard, _) in &outcomes.possible {
                possible = self.buchi.either(possible, guard);
            }
            for &(guard, _) in &outcomes.failures {
                possible = self.buchi.either(possible, guard);
            }
            all.push(outcomes);
        }
        for (edge, outcomes) in info.edges.iter().zip(all) {
            for (guard, action) in outcomes.failures {
                let failure = self.buchi.both(passage.guard, guard);
                let failed = self.state(Meaning::Failed(action))?;
                self.buchi.add_edge(passage.source, failure, passage.marks, failed);
            }
            for (guard, memory) in outcomes.possible {
                let guard = self.buchi.both(passage.guard, guard);
                if guard == Guard::FALSE {
                    continue;
                }
                let mut before = passage.before.to_vec();
                before.push(location);
                if edge.atomic && !before.contains(&edge.target) {
                    self.ways_out(edge.target, &Passage { guard, memory, before: &before, ..*passage })?;
                } else {
                    let target = self.state(Meaning::At(edge.target, memory))?;
                    self.buchi.add_edge(passage.source, guard, passage.marks, target);
                }
            }
        }
        Ok(())
    }

    fn state(&mut self, meaning: Meaning) -> Result<StateId, ClaimError> {
        if let Some(known) = self.states.iter().position(|state| *state == meaning) {
            return Ok(StateId(known as u32));
        }
        if self.states.len() >= MOST_STATES {
            return Err(ClaimError::TooManyStates(self.states.len() + 1));
        }
        let state = self.buchi.add_state();
        if let Meaning::At(location, memory) = &meaning {
            self.queue.push_back((state, *location, memory.clone()));
        }
        self.states.push(meaning);
        Ok(state)
    }

    /// What an action can do; nothing for `else`, which depends on the others.
    fn outcomes(&mut self, id: ActionId, memory: &Memory) -> Result<Outcomes, ClaimError> {
        let action = self.machine.action(id);
        let refuse = |what| Err(ClaimError::Unobservable(action.span, what));
        let mut outcomes = Outcomes::default();
        match &action.kind {
            ActionKind::Else => {}
            ActionKind::Skip
            | ActionKind::Jump(_)
            | ActionKind::End
            | ActionKind::Print(..)
            | ActionKind::PrintMtype(..) => {
                outcomes.possible.push((Guard::TRUE, memory.clone()));
            }
            ActionKind::Condition(expression) => {
                let guard = self.guard(expression, &action.text, action, memory)?;
                outcomes.possible.push((guard, memory.clone()));
            }
            ActionKind::Assert(expression) => {
                let text = action.text.strip_prefix("assert").unwrap_or(&action.text);
                let holds = self.guard(expression, text, action, memory)?;
                let fails = self.buchi.complement(holds);
                outcomes.failures.push((fails, id));
                outcomes.possible.push((holds, memory.clone()));
            }
            ActionKind::Assign(place, value) if self.variables.contain(place) => {
                let after = self.variables.assign(memory, place, value, action.span)?;
                outcomes.possible.push((Guard::TRUE, after));
            }
            ActionKind::Deterministic(body) => return self.d_step(body, action, memory),
            ActionKind::Assign(..) => return refuse("change variables that processes use"),
            ActionKind::Discard(_) => return refuse("throw values away"),
            ActionKind::Send(_) | ActionKind::Receive(_) => return refuse("send or receive"),
            ActionKind::SetPriority(..) => return refuse("set priorities"),
            ActionKind::Code(_) => return refuse("run embedded C"),
            ActionKind::Event(_) => return refuse("watch events"),
        }
        Ok(outcomes)
    }

    /// A `d_step` goes the first way that is possible, at each of its locations, to its end.
    fn d_step(&mut self, body: &DStep, action: &Action, memory: &Memory) -> Result<Outcomes, ClaimError> {
        let refuse = |what| Err(ClaimError::Unobservable(action.span, what));
        let mut outcomes = Outcomes::default();
        let mut waiting = vec![(0, Guard::TRUE, memory.clone())];
        let mut steps = 0;
        while let Some((node, reached, memory)) = waiting.pop() {
            steps += 1;
            if steps > LONGEST_D_STEP {
                return refuse("go round in a `d_step` without an end");
            }
            let mut untaken = reached;
            for edge in &body.nodes[node as usize].edges {
                let mut inner = self.outcomes(edge.action, &memory)?;
                if matches!(self.machine.action(edge.action).kind, ActionKind::Else) {
                    inner.possible.push((Guard::TRUE, memory.clone()));
                }
                let mut taken = Guard::FALSE;
                for (guard, failed) in inner.failures {
                    let failure = self.buchi.both(untaken, guard);
                    taken = self.buchi.either(taken, guard);
                    outcomes.failures.push((failure, failed));
                }
                for (guard, after) in inner.possible {
                    let here = self.buchi.both(untaken, guard);
                    taken = self.buchi.either(taken, guard);
                    match edge.target {
                        _ if here == Guard::FALSE => {}
                        None => outcomes.possible.push((here, after)),
                        Some(target) => waiting.push((target, here, after)),
                    }
                }
                let not_taken = self.buchi.complement(taken);
                untaken = self.buchi.both(untaken, not_taken);
            }
            if node != 0 && untaken != Guard::FALSE {
                return refuse("wait inside a `d_step`");
            }
        }
        Ok(outcomes)
    }

    /// When an expression holds, given the values of the claim's variables.
    fn guard(&mut self, expression: &Expr, text: &str, action: &Action, memory: &Memory) -> Result<Guard, ClaimError> {
        if expression.any(&mut |part| matches!(part, Expr::Run(_))) {
            return Err(ClaimError::Unobservable(action.span, "start processes"));
        }
        let known = self.variables.specialise(expression, memory, action.span)?;
        if let Some(value) = self.variables.constant(&known, action.span)? {
            return Ok(if value == 0 { Guard::FALSE } else { Guard::TRUE });
        }
        let text = match self.variables.named_in(expression, memory) {
            values if values.is_empty() => text.to_string(),
            values => format!("{text} with {values}"),
        };
        let atom = self.table.intern(&text);
        if atom.index() == self.atoms.len() {
            if self.atoms.len() == MOST_ATOMS {
                return Err(ClaimError::TooManyAtoms(MOST_ATOMS + 1));
            }
            self.atoms.push(Question::Expression(Atom { expression: known, text: text.into() }));
        }
        Ok(self.buchi.literal(atom, true).expect("there are atoms of all numbers"))
    }
}
