//! The steps that an observer counts: one for each transition of an engine, an event or internal.
//!
//! A transition that shows several events is split at them. Inside of an `atomic` the state behind an event is a state of its own in which one process has
//! control, unless the rest of the sequence has no choice and shows nothing: then it belongs to the step. The events of one statement, or of one
//! `d_step`, come one after the other through states in which nothing else can happen. A valid end is the event `√` and whatever goes
//! wrong is the event `error`; nothing comes after them. An `atomic` that never ends is internal for ever.
//!
//! Two ways lead to the steps of a state: the engine's transitions, where their first actions tell all there is to see (`ways.rs`), and the reference
//! interpreter, which is also asked for the elementary steps when a run is to be shown.

use std::sync::Arc;

use promela::model::{PortDirection, Type};
use rustc_hash::FxHashMap;
use system::{Arena, Rest, System};

use super::encode::Encoded;
use super::ways::{Shows, shows};
use super::{Ends, Observables, Values};
use crate::action::ActionKind;
use crate::id::{ActionId, ChannelNumber, Pid};
use crate::interpret::{Communication, CommunicationKind, Interpreter, Move, Moves, Outcome, Step, Timeout};
use crate::machine::Machine;
use crate::state::State;

/// The number of an event that an observer has met.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EventId(pub u32);

/// A step in full.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way {
    /// What is seen; `None` for an internal step.
    pub event: Option<EventId>,
    /// Where it leads, as the observer writes states.
    pub target: Vec<u8>,
    /// The elementary steps of the machine. Of several events of one statement, the first one has them.
    pub steps: Vec<Step>,
}

/// Observes a machine that an engine executes.
pub struct Observer<S> {
    machine: Arc<Machine>,
    observables: Arc<Observables>,
    engine: S,
    /// By the first action of a transition.
    shows: Arc<[Shows]>,
    events: Events,
    successors: Arena,
    found: Vec<(Option<EventId>, Target)>,
    truncated: bool,
}

/// Where a step leads.
enum Target {
    /// Where the engine's transition of this number does.
    Transition(usize),
    /// To a state that was written for it.
    Written(Vec<u8>),
}

/// The names of events, by what they are made of: who (a channel, or a variable behind them), the direction, and the values.
#[derive(Clone, Debug, Default)]
struct Events {
    by_content: FxHashMap<Vec<i32>, EventId>,
    names: Vec<Arc<str>>,
}

/// In an `atomic` more internal steps in a row than this are not followed.
const MOST_STEPS: usize = 2_000_000;

const SENT: i32 = 0;
const RECEIVED: i32 = 1;
const CHANGED: i32 = 2;
const SPECIAL: i32 = 3;

impl<S: System> Observer<S> {
    /// An observer of a machine; `engine` generates its successors.
    pub fn new(machine: Arc<Machine>, observables: Arc<Observables>, engine: S) -> Observer<S> {
        let shows = shows(&machine, &observables).into();
        let (events, successors, found) = (Events::default(), Arena::new(), Vec::new());
        Observer { machine, observables, engine, shows, events, successors, found, truncated: false }
    }

    /// The name of an event: `NAME!1,2`, `NAME?1`, `NAME=3`, `√` or `error`.
    ///
    /// # Panics
    /// When it is none of this observer's.
    #[must_use]
    pub fn name(&self, event: EventId) -> &Arc<str> {
        &self.events.names[event.0 as usize]
    }

    /// The names of all events so far, by their numbers.
    #[must_use]
    pub fn names(&self) -> &[Arc<str>] {
        &self.events.names
    }

    /// Whether some `atomic` was too long to be followed to its end, so that steps are missing.
    #[must_use]
    pub fn truncated(&self) -> bool {
        self.truncated
    }

    /// Writes the initial state.
    pub fn initial(&mut self, into: &mut Vec<u8>) {
        self.engine.initial(into);
    }

    /// Gives every step of a state to `into`: the event, the state it leads to, and the names of all events so far.
    pub fn steps(&mut self, state: &[u8], mut into: impl FnMut(Option<EventId>, &[u8], &[Arc<str>])) {
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        if !Encoded::is_vector(state) || !self.by_engine(state, &mut found) {
            for way in self.ways(state) {
                let target = self.stored(Encoded::read(&way.target));
                found.push((way.event, Target::Written(target)));
            }
        }
        for (event, target) in &found {
            let target = match target {
                Target::Transition(number) => self.successors.target(*number),
                Target::Written(bytes) => bytes,
            };
            into(*event, target, &self.events.names);
        }
        self.found = found;
    }

    /// The steps of a state as the engine tells them. Whether it can: if not, nothing was found.
    fn by_engine(&mut self, state: &[u8], found: &mut Vec<(Option<EventId>, Target)>) -> bool {
        let mut successors = std::mem::take(&mut self.successors);
        self.engine.successors(state, &mut successors);
        let signals = successors.signals();
        let tells = signals.errors == 0
            && !signals.diverges
            && !signals.truncated
            && successors.labels().all(|label| self.shows[label.action as usize] != Shows::More);
        if tells {
            if signals.rest == Rest::ValidEnd && self.observables.ends == Ends::Visible {
                found.push((Some(self.events.special("√")), Target::Written(Encoded::Stopped.write())));
            }
            self.look_at(state, &successors, found);
        }
        self.successors = successors;
        tells
    }

    fn look_at(&mut self, state: &[u8], successors: &Arena, found: &mut Vec<(Option<EventId>, Target)>) {
        let mut whole = None;
        for (number, (target, label)) in successors.transitions().enumerate() {
            if self.shows[label.action as usize] == Shows::Nothing {
                found.push((None, Target::Transition(number)));
                continue;
            }
            let whole = whole.get_or_insert_with(|| State::from_bytes(state));
            let mut events = self.message_of(whole, Pid(label.process), ActionId(label.action));
            self.changes(state, target, &mut events);
            let target = match events.get(1..) {
                None | Some([]) => Target::Transition(number),
                Some(rest) => Target::Written(pending(State::from_bytes(target), None, rest).write()),
            };
            found.push((events.first().copied(), target));
        }
    }

    /// The event of the message that a send or receive moves by itself.
    fn message_of(&mut self, state: &State, pid: Pid, action: ActionId) -> Vec<EventId> {
        let machine = Arc::clone(&self.machine);
        let Some((channel, message)) = Interpreter::new(&machine).moved(state, pid, action) else { return Vec::new() };
        let direction = match &machine.action(action).kind {
            ActionKind::Send(_) => PortDirection::Send,
            _ => PortDirection::Receive,
        };
        self.message(channel, direction, &message).into_iter().collect()
    }

    /// All steps of a state as the interpreter finds them, with the elementary steps.
    #[must_use]
    pub fn ways(&mut self, state: &[u8]) -> Vec<Way> {
        let internal = |target: &Encoded| Way { event: None, target: target.write(), steps: Vec::new() };
        match Encoded::read(state) {
            Encoded::Stopped => Vec::new(),
            Encoded::Endless => vec![internal(&Encoded::Endless)],
            Encoded::Pending(state, control, mut events) => {
                let event = events.pop();
                let mut steps = Vec::new();
                let target = match events.is_empty() {
                    true => self.settled(state, control, &mut steps),
                    false => Encoded::Pending(state, control, events),
                };
                vec![Way { event, target: target.write(), steps }]
            }
            Encoded::State(state, control) => self.moves_of(&state, control),
        }
    }

    /// Whether two states can do the same, as far as is known: they differ in dead variables at most, also in the middle of an `atomic`, where a comparison
    /// stores them as they are.
    #[must_use]
    pub fn mean_the_same(&mut self, one: &[u8], other: &[u8]) -> bool {
        let mut normal = |state: &[u8]| match Encoded::read(state) {
            Encoded::State(state, control) => Encoded::State(self.normal(&state), control).write(),
            Encoded::Pending(state, control, events) => Encoded::Pending(self.normal(&state), control, events).write(),
            other => other.write(),
        };
        normal(one) == normal(other)
    }

    /// The state that the engine stores for one that the interpreter found.
    fn stored(&mut self, state: Encoded) -> Vec<u8> {
        match state {
            Encoded::State(state, None) => Encoded::State(self.normal(&state), None),
            Encoded::Pending(state, None, events) => Encoded::Pending(self.normal(&state), None, events),
            other => other,
        }
        .write()
    }

    fn normal(&mut self, state: &State) -> State {
        let mut bytes = state.bytes().to_vec();
        self.engine.normalise(&mut bytes);
        State::from_bytes(&bytes)
    }

    fn moves_of(&mut self, state: &State, control: Option<Pid>) -> Vec<Way> {
        let machine = Arc::clone(&self.machine);
        let interpreter = Interpreter::new(&machine);
        let mut timeout = Timeout::No;
        let mut moves = interpreter.moves(state, control, timeout);
        if moves.is_empty() && control.is_none() {
            timeout = Timeout::Now;
            moves = interpreter.moves(state, None, timeout);
        }
        if moves.is_empty() {
            let ends = self.observables.ends == Ends::Visible && interpreter.is_valid_end(state);
            let event = ends.then(|| self.events.special("√"));
            let end = |event| Way { event: Some(event), target: Encoded::Stopped.write(), steps: Vec::new() };
            return event.into_iter().map(end).collect();
        }
        self.follow(state, moves, timeout)
    }

    /// Follows moves to the next event, or to the next state of the machine if there is none before.
    fn follow(&mut self, start: &State, moves: Moves, timeout: Timeout) -> Vec<Way> {
        let machine = Arc::clone(&self.machine);
        let interpreter = Interpreter::new(&machine);
        let mut ways = Vec::new();
        let mut path: Vec<(Vec<Step>, State)> = vec![(Vec::new(), start.clone())];
        let mut levels = vec![moves.moves.into_iter()];
        let mut count = 0;
        while let Some(level) = levels.last_mut() {
            let Some(Move { steps, outcome, errors, .. }) = level.next() else {
                levels.pop();
                path.pop();
                continue;
            };
            let taken = |last: &[Step]| path.iter().flat_map(|(steps, _)| steps).chain(last).copied().collect();
            if !errors.is_empty() || outcome.is_none() {
                let event = Some(self.events.special("error"));
                ways.push(Way { event, target: Encoded::Stopped.write(), steps: taken(&steps) });
                continue;
            }
            let Some(Outcome { target, exclusive }) = outcome else { continue };
            let before = path.last().map_or(start, |(_, state)| state);
            let timeout = if path.len() == 1 { timeout } else { Timeout::No };
            let events = self.events_of(before, &steps, timeout, &target);
            if let Some((&event, rest)) = events.split_first() {
                let mut all: Vec<Step> = taken(&steps);
                let target = match rest {
                    [] => self.settled(target, exclusive, &mut all),
                    _ => pending(target, exclusive, rest),
                };
                ways.push(Way { event: Some(event), target: target.write(), steps: all });
                continue;
            }
            let inner = exclusive.map(|pid| interpreter.moves(&target, Some(pid), Timeout::No)).unwrap_or_default();
            count += 1;
            if inner.is_empty() {
                ways.push(Way { event: None, target: target.bytes().to_vec(), steps: taken(&steps) });
            } else if path.iter().any(|(_, state)| *state == target) {
                ways.push(Way { event: None, target: Encoded::Endless.write(), steps: taken(&steps) });
            } else if count > MOST_STEPS {
                self.truncated = true;
                return ways;
            } else {
                path.push((steps, target));
                levels.push(inner.moves.into_iter());
            }
        }
        ways
    }

    /// Where an event leads: on to the end of the `atomic` if there is no choice and nothing is seen on the way.
    fn settled(&mut self, state: State, control: Option<Pid>, steps: &mut Vec<Step>) -> Encoded {
        let machine = Arc::clone(&self.machine);
        let interpreter = Interpreter::new(&machine);
        let (start, first) = (state.clone(), control);
        let (mut state, mut control) = (state, control);
        let before = steps.len();
        let mut passed = vec![state.clone()];
        while let Some(pid) = control {
            let mut moves = interpreter.moves(&state, Some(pid), Timeout::No).moves;
            if moves.is_empty() {
                break;
            }
            let only = if moves.len() == 1 { moves.pop() } else { None };
            let next = only.filter(|only| only.errors.is_empty()).and_then(|only| Some((only.steps, only.outcome?)));
            let Some((taken, Outcome { target, exclusive })) = next else {
                steps.truncate(before);
                return Encoded::State(start, first);
            };
            let shows = !self.events_of(&state, &taken, Timeout::No, &target).is_empty();
            if shows || passed.contains(&target) || passed.len() > 1000 {
                steps.truncate(before);
                return Encoded::State(start, first);
            }
            steps.extend(taken);
            passed.push(target.clone());
            (state, control) = (target, exclusive);
        }
        Encoded::State(state, None)
    }

    /// What is seen of a move, in order.
    fn events_of(&mut self, before: &State, steps: &[Step], timeout: Timeout, after: &State) -> Vec<EventId> {
        let machine = Arc::clone(&self.machine);
        let interpreter = Interpreter::new(&machine);
        let mut events = Vec::new();
        let is_composed = |step: &Step| matches!(machine.action(step.action).kind, ActionKind::Deterministic(_));
        let inside = steps.last().filter(|step| is_composed(step)).is_some();
        if !inside || steps.len() > 1 {
            let seen = interpreter.observe(before, &steps[..steps.len().min(2)], timeout);
            seen.communications.iter().for_each(|each| events.extend(self.communication(each)));
        }
        match inside {
            false => self.changes(before.bytes(), after.bytes(), &mut events),
            true => {
                let mut state = before.clone();
                for (next, communication) in interpreter.observe_inside(before, steps, timeout) {
                    communication.iter().for_each(|each| events.extend(self.communication(each)));
                    self.changes(state.bytes(), next.bytes(), &mut events);
                    state = next;
                }
            }
        }
        events
    }

    fn communication(&mut self, communication: &Communication) -> Option<EventId> {
        let direction = match communication.kind {
            CommunicationKind::Sent(_) | CommunicationKind::HandedTo(_) => PortDirection::Send,
            CommunicationKind::Received(_) => PortDirection::Receive,
            CommunicationKind::Lost | CommunicationKind::Copied(_) => return None,
        };
        self.message(communication.channel, direction, &communication.message)
    }

    fn message(&mut self, channel: ChannelNumber, direction: PortDirection, message: &[i32]) -> Option<EventId> {
        let observed = self.observables.channel(channel)?;
        if observed.direction.is_some_and(|only| only != direction) {
            return None;
        }
        let values = if observed.values == Values::Shown { message } else { &[] };
        let (kind, sign) = match direction {
            PortDirection::Send => (SENT, '!'),
            PortDirection::Receive => (RECEIVED, '?'),
        };
        let key = [i32::from(channel.0), kind];
        if let Some(known) = self.events.known(&key, values) {
            return Some(known);
        }
        let shape = self.machine.layout.globals.channels[usize::from(channel.0) - 1].shape;
        let fields = &self.machine.layout.shape(shape).fields;
        let texts: Vec<String> = fields.iter().zip(values).map(|(&ty, &value)| self.value(ty, value)).collect();
        let name = format!("{}{sign}{}", observed.name, texts.join(","));
        Some(self.events.add(&key, values, &name))
    }

    /// The variables that differ between two vectors.
    fn changes(&mut self, before: &[u8], after: &[u8], events: &mut Vec<EventId>) {
        let machine = Arc::clone(&self.machine);
        let observables = Arc::clone(&self.observables);
        for (number, variable) in observables.variables.iter().enumerate() {
            let cells = machine.layout.globals.cells(variable.cells);
            let at = cells.element_offset(variable.element) as usize;
            let value = cells.scalar.read(&after[at..]);
            if value == cells.scalar.read(&before[at..]) {
                continue;
            }
            let values: &[i32] = if variable.values == Values::Shown { &[value] } else { &[] };
            let key = [number as i32, CHANGED];
            let event = self.events.known(&key, values).unwrap_or_else(|| {
                let text = values.first().map_or_else(|| "*".to_string(), |&value| self.value(cells.ty, value));
                self.events.add(&key, values, &format!("{}={text}", variable.name))
            });
            events.push(event);
        }
    }

    /// A value by its name, where both sides of a comparison would give it the same.
    fn value(&self, ty: Type, value: i32) -> String {
        let globals = &self.machine.layout.globals;
        let name = match ty {
            Type::Mtype(set) => {
                let members = &self.machine.mtypes[set.index()].members;
                members.iter().find(|(_, member)| *member == value).map(|(name, _)| name.to_string())
            }
            Type::Chan => usize::try_from(value).ok().and_then(|number| number.checked_sub(1)).and_then(|index| {
                let observed = self.observables.channels.get(index)?.as_ref().map(|observed| observed.name.to_string());
                let channel = globals.channels.get(index)?;
                observed.or_else(|| Some(globals.cells(channel.cells).element_name(channel.element)))
            }),
            _ => None,
        };
        name.unwrap_or_else(|| value.to_string())
    }
}

/// The state behind the first of several events.
fn pending(state: State, control: Option<Pid>, rest: &[EventId]) -> Encoded {
    Encoded::Pending(state, control, rest.iter().rev().copied().collect())
}

impl Events {
    fn known(&self, key: &[i32; 2], values: &[i32]) -> Option<EventId> {
        self.by_content.get([key.as_slice(), values].concat().as_slice()).copied()
    }

    fn add(&mut self, key: &[i32; 2], values: &[i32], name: &str) -> EventId {
        let event = EventId(self.names.len() as u32);
        self.by_content.insert([key.as_slice(), values].concat(), event);
        self.names.push(name.into());
        event
    }

    fn special(&mut self, name: &str) -> EventId {
        let key = [name.len() as i32, SPECIAL];
        self.known(&key, &[]).unwrap_or_else(|| self.add(&key, &[], name))
    }
}
