//! Never claims as observers: their conditions become atoms, their locations states.
//!
//! Every location that the claim can rest at is a state. `else` is the negation of its location's other conditions. An `atomic`
//! is one step, as everything in it sees the same state of the system. An assertion is a fork: it holds and the claim goes
//! on, or it fails, which is an end of its own. A claim that changes something is no observer and is refused.

use std::collections::VecDeque;

use automata::atom::{AtomId, AtomTable};
use automata::automaton::{Automaton as Buchi, Guard, Marks, StateId};

use super::{Atom, Claim, ClaimEnd, ClaimError, Question};
use crate::action::{Action, ActionKind};
use crate::automaton::Automaton;
use crate::expression::{Expr, Owner, Place};
use crate::id::{ActionId, Location};
use crate::machine::Machine;

impl Claim {
    /// The claim that a never claim of a machine describes.
    ///
    /// # Errors
    /// When it does more than to observe, or is too large.
    pub fn from_never(machine: &Machine, never: &Automaton) -> Result<Claim, ClaimError> {
        let mut reader = Reader::new(machine, never)?;
        reader.read()?;
        let Reader { atoms, buchi, states, .. } = reader;
        let mut claim = Claim::observing(&never.name, &buchi, atoms)?;
        for (state, meaning) in claim.states.iter_mut().zip(states) {
            match meaning {
                Meaning::At(location) => {
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meaning {
    At(Location),
    Failed(ActionId),
}

struct Reader<'m> {
    machine: &'m Machine,
    never: &'m Automaton,
    table: AtomTable,
    atoms: Vec<Question>,
    buchi: Buchi,
    /// What each state of the automaton stands for.
    states: Vec<Meaning>,
    queue: VecDeque<(StateId, Location)>,
}

/// A part of an `atomic` that the claim is going through.
struct Passage<'p> {
    source: StateId,
    marks: Marks,
    guard: Guard,
    before: &'p [Location],
}

impl<'m> Reader<'m> {
    fn new(machine: &'m Machine, never: &'m Automaton) -> Result<Reader<'m>, ClaimError> {
        let mut table = AtomTable::default();
        let mut atoms = Vec::new();
        for action in
            never.locations.iter().flat_map(|location| &location.edges).map(|edge| machine.action(edge.action))
        {
            if let Some(condition) = condition(action)? {
                let name = table.intern(&condition.text);
                if name.index() == atoms.len() {
                    atoms.push(Question::Expression(condition));
                }
            }
        }
        let buchi = Buchi::new((0..atoms.len() as u32).map(AtomId).collect(), 1);
        let states = vec![Meaning::At(never.start)];
        let queue = VecDeque::from([(buchi.initial(), never.start)]);
        Ok(Reader { machine, never, table, atoms, buchi, states, queue })
    }

    fn read(&mut self) -> Result<(), ClaimError> {
        while let Some((source, location)) = self.queue.pop_front() {
            if location == self.never.end {
                continue;
            }
            let marks = if self.never.location(location).accept { Marks::single(0) } else { Marks::NONE };
            self.ways_out(location, &Passage { source, marks, guard: Guard::TRUE, before: &[] })?;
        }
        Ok(())
    }

    fn ways_out(&mut self, location: Location, passage: &Passage<'_>) -> Result<(), ClaimError> {
        let info = self.never.location(location);
        let mut possible = Guard::FALSE;
        let mut guards = Vec::new();
        for edge in &info.edges {
            let action = self.machine.action(edge.action);
            if edge.escape.is_some() {
                return Err(ClaimError::Unobservable(action.span, "be interrupted by `unless`"));
            }
            let guard = match &action.kind {
                ActionKind::Condition(_) => self.atom(action)?,
                ActionKind::Else => Guard::FALSE,
                _ => Guard::TRUE,
            };
            possible = self.buchi.either(possible, guard);
            guards.push(guard);
        }
        let otherwise = self.buchi.complement(possible);
        for (edge, guard) in info.edges.iter().zip(guards) {
            let action = self.machine.action(edge.action);
            let guard = if matches!(action.kind, ActionKind::Else) { otherwise } else { guard };
            let mut guard = self.buchi.both(passage.guard, guard);
            if let ActionKind::Assert(_) = action.kind {
                let holds = self.atom(action)?;
                let fails = self.buchi.complement(holds);
                let failure = self.buchi.both(guard, fails);
                let failed = self.state(Meaning::Failed(edge.action));
                self.buchi.add_edge(passage.source, failure, passage.marks, failed);
                guard = self.buchi.both(guard, holds);
            }
            if guard == Guard::FALSE {
                continue;
            }
            let mut before = passage.before.to_vec();
            before.push(location);
            if edge.atomic && !before.contains(&edge.target) {
                self.ways_out(edge.target, &Passage { guard, before: &before, ..*passage })?;
            } else {
                let target = self.state(Meaning::At(edge.target));
                self.buchi.add_edge(passage.source, guard, passage.marks, target);
            }
        }
        // Stuck inside an `atomic`: it is left where it is.
        let has_else = info.edges.iter().any(|edge| matches!(self.machine.action(edge.action).kind, ActionKind::Else));
        if !passage.before.is_empty() && !has_else {
            let stuck = self.buchi.both(passage.guard, otherwise);
            let target = self.state(Meaning::At(location));
            self.buchi.add_edge(passage.source, stuck, passage.marks, target);
        }
        Ok(())
    }

    fn state(&mut self, meaning: Meaning) -> StateId {
        if let Some(known) = self.states.iter().position(|&state| state == meaning) {
            return StateId(known as u32);
        }
        let state = self.buchi.add_state();
        self.states.push(meaning);
        if let Meaning::At(location) = meaning {
            self.queue.push_back((state, location));
        }
        state
    }

    /// The guard that an action's condition holds.
    fn atom(&mut self, action: &Action) -> Result<Guard, ClaimError> {
        let Some(condition) = condition(action)? else { return Ok(Guard::TRUE) };
        let atom = self.table.intern(&condition.text);
        Ok(self.buchi.literal(atom, true).expect("all conditions of the claim are its atoms"))
    }
}

/// The condition of an action that only observes.
fn condition(action: &Action) -> Result<Option<Atom>, ClaimError> {
    let refuse = |what| Err(ClaimError::Unobservable(action.span, what));
    let expression = match &action.kind {
        ActionKind::Skip | ActionKind::Else | ActionKind::End | ActionKind::Print(..) | ActionKind::PrintMtype(..) => {
            return Ok(None);
        }
        ActionKind::Condition(expression) | ActionKind::Assert(expression) => expression,
        ActionKind::Assign(..) | ActionKind::Discard(_) => return refuse("change variables"),
        ActionKind::Send(_) | ActionKind::Receive(_) => return refuse("send or receive"),
        ActionKind::SetPriority(..) => return refuse("set priorities"),
        ActionKind::Code(_) => return refuse("run embedded C"),
        ActionKind::Deterministic(_) => return refuse("contain a `d_step`"),
        ActionKind::Event(_) => return refuse("watch events"),
    };
    if expression.any(&mut |part| matches!(part, Expr::Load(Place { owner: Owner::Own, .. }))) {
        return refuse("have variables of its own");
    }
    if expression.any(&mut |part| matches!(part, Expr::Run(_))) {
        return refuse("start processes");
    }
    let text = match &action.kind {
        ActionKind::Assert(_) => action.text.strip_prefix("assert").unwrap_or(&action.text),
        _ => &action.text,
    };
    Ok(Some(Atom { expression: expression.clone(), text: text.into() }))
}
