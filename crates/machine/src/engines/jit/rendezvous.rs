//! Rendezvous: a sender's offer is put to every other process.
//!
//! The receivers look at the half state, in which the sender has already moved on.

use system::{Arena, Label, Movers};

use super::context::status;
use super::engine::{CompiledGenerator, Sink, Source, Tried};
use super::locations::{EdgeCode, Effect, LocationCode, Mask, Pace, WORD};
use super::module::Compiled;
use super::runtime::write_number;
use crate::action::ActionKind;
use crate::id::{ChannelNumber, Location};
use crate::interpret::{Attempted, Circumstances, Interpreter};
use crate::state::State;

impl CompiledGenerator {
    /// The sending half of a rendezvous. Whether anybody took the message, or failed to.
    pub(super) fn offer(
        &mut self,
        edge: &EdgeCode<Compiled>,
        source: Source,
        pid: u32,
        sink: Sink,
        into: &mut Arena,
    ) -> bool {
        self.context.pid = pid;
        let function = edge.offer.expect("an edge that offers has a function for it");
        let outcome = self.call(function, source, pid) as u32;
        debug_assert_eq!(outcome, status::DONE, "the guard said that the offer can be made");
        self.take_offer(edge, source, pid, sink, into)
    }

    /// Puts a message on offer.
    pub(super) fn set_offer(&mut self, channel: u32, message: &[i32]) {
        self.context.offer_channel = channel;
        self.offered_message()[..message.len()].copy_from_slice(message);
    }

    /// Every other process that can receive the message on offer completes the rendezvous; `source` is the state in which the
    /// sender has not moved on yet.
    pub(super) fn take_offer(
        &mut self,
        sent: &EdgeCode<Compiled>,
        source: Source,
        sender: u32,
        sink: Sink,
        into: &mut Arena,
    ) -> bool {
        let compiled = self.compiled();
        let channel = 1 << (self.context.offer_channel as usize % WORD);
        let mut half = HalfState { source, memory: None };
        let mut taken = false;
        for pid in (0..source.process_count()).rev().filter(|&pid| pid != sender) {
            let (definition, location) = self.whereabouts(source, pid);
            if compiled.definitions[definition].provided.is_clause() {
                let state = half.get(self, sender, sent.target);
                match self.provided(state, pid) {
                    status::DONE => {}
                    status::FAILED => {
                        into.signals_mut().errors += 1;
                        taken = true;
                        continue;
                    }
                    _ => continue,
                }
            }
            let code = compiled.location(definition, location);
            if code.listens & channel == 0 {
                continue;
            }
            let state = half.get(self, sender, sent.target);
            let taking = Taking { sent, sender, sink };
            taken |= match code.pace {
                Pace::Free => self.takers(code, state, pid, taking, into),
                Pace::Careful => self.careful_takers(code, state, pid, taking, into),
            };
        }
        if let Some(memory) = half.memory {
            self.halves.push(memory);
        }
        taken
    }

    fn takers(
        &mut self,
        code: &LocationCode<Compiled>,
        half: Source,
        pid: u32,
        taking: Taking<'_>,
        into: &mut Arena,
    ) -> bool {
        let mut taken = false;
        for (word, &mask) in code.accepts.iter().enumerate() {
            let mut ready = self.accepts(mask, half, pid);
            while ready != 0 {
                let bit = ready.trailing_zeros() as usize;
                ready &= ready - 1;
                self.complete(&code.edges[word * WORD + bit], half, pid, taking, into);
                taken = true;
            }
        }
        taken
    }

    fn careful_takers(
        &mut self,
        code: &LocationCode<Compiled>,
        half: Source,
        pid: u32,
        taking: Taking<'_>,
        into: &mut Arena,
    ) -> bool {
        let masks: Vec<u64> = code.accepts.iter().map(|&mask| self.accepts(mask, half, pid)).collect();
        let mut taken = false;
        let mut escape: Option<Location> = None;
        for (number, edge) in code.edges.iter().enumerate() {
            if escape.is_some() && escape != edge.escape {
                break;
            }
            let is_ready = masks.get(number / WORD).is_some_and(|word| word >> (number % WORD) & 1 == 1);
            let tried = match edge.effect {
                Effect::Interpret => self.interpreted_taker(edge, half, pid, taking, into),
                _ if is_ready => self.complete(edge, half, pid, taking, into),
                _ => Tried::Blocked,
            };
            if matches!(tried, Tried::Done | Tried::Failed) {
                taken = true;
                escape = edge.escape;
            }
        }
        taken
    }

    fn accepts(&mut self, mask: Mask<Compiled>, half: Source, pid: u32) -> u64 {
        match mask {
            Mask::Constant { ready, .. } => ready,
            Mask::Evaluated(function) => {
                self.context.pid = pid;
                self.call(function, half, pid)
            }
        }
    }

    /// The receiving half of a rendezvous.
    fn complete(
        &mut self,
        edge: &EdgeCode<Compiled>,
        half: Source,
        pid: u32,
        taking: Taking<'_>,
        into: &mut Arena,
    ) -> Tried {
        let function = edge.accept.expect("an edge that accepts has a function for it");
        self.context.pid = pid;
        let mut buffer = self.buffer(edge, taking.sink, into);
        let start = buffer.len();
        let outcome = self.fire(function, edge, half, pid, &mut buffer);
        if outcome == status::DONE {
            self.sent(taking);
        }
        self.keeping_offer(edge, taking.sink, |this| {
            this.finish(outcome, buffer, start, edge, half, pid, taking.first_step(pid), taking.sink, into)
        })
    }

    fn interpreted_taker(
        &mut self,
        edge: &EdgeCode<Compiled>,
        half: Source,
        pid: u32,
        taking: Taking<'_>,
        into: &mut Arena,
    ) -> Tried {
        if !matches!(
            self.compiled.machine.action(edge.action).kind,
            ActionKind::Receive(_) | ActionKind::Deterministic(_)
        ) {
            return Tried::Blocked;
        }
        // SAFETY: the half state is not changed while it is looked at.
        let state = State::from_bytes(unsafe { half.slice() });
        let message = self.offered_message().to_vec();
        let offer = Some((ChannelNumber(self.context.offer_channel as u8), &message[..self.offered_fields()]));
        let circumstances = Circumstances { offer, ..self.circumstances(&state, pid) };
        match Interpreter::new(&self.compiled().machine).attempt(circumstances, edge.action) {
            Attempted::Blocked | Attempted::Offers { .. } => Tried::Blocked,
            Attempted::Failed => {
                self.failed(edge, taking.sink, into);
                Tried::Failed
            }
            Attempted::Done { target, assertions } => {
                into.signals_mut().errors += assertions;
                self.sent(taking);
                self.keeping_offer(edge, taking.sink, |this| {
                    this.land_copy(target.bytes(), edge, pid, taking.first_step(pid), taking.sink, into);
                });
                self.analyse(half);
                Tried::Done
            }
        }
    }

    /// How many fields the message on offer has.
    fn offered_fields(&self) -> usize {
        let slot = self.context.channels[self.context.offer_channel as usize];
        self.compiled.machine.layout.shapes[slot.shape as usize].fields.len()
    }

    fn sent(&mut self, taking: Taking<'_>) {
        if taking.sink != Sink::Trial {
            self.coverage.mark(taking.sent.action);
        }
    }

    /// The rest of an `atomic` sequence may make offers of its own; afterwards this one is on offer again.
    fn keeping_offer<T>(&mut self, edge: &EdgeCode<Compiled>, sink: Sink, work: impl FnOnce(&mut Self) -> T) -> T {
        if !edge.atomic || sink != Sink::Successors {
            return work(self);
        }
        let channel = self.context.offer_channel;
        let message = self.offered_message().to_vec();
        let result = work(self);
        self.set_offer(channel, &message);
        result
    }
}

/// An offer that is being put to others.
#[derive(Clone, Copy)]
struct Taking<'o> {
    sent: &'o EdgeCode<Compiled>,
    sender: u32,
    sink: Sink,
}

impl Taking<'_> {
    fn first_step(&self, receiver: u32) -> Label {
        Label::alone(self.sender as u8, self.sent.action.0).with(Movers::one(receiver as u8))
    }
}

/// The state in which the sender has moved on, made when it is first needed.
struct HalfState {
    source: Source,
    memory: Option<Vec<u8>>,
}

impl HalfState {
    fn get(&mut self, generator: &mut CompiledGenerator, sender: u32, target: Location) -> Source {
        let source = self.source;
        let memory = self.memory.get_or_insert_with(|| {
            let mut memory = generator.halves.pop().unwrap_or_default();
            memory.clear();
            // SAFETY: the source is not changed while its successors are generated.
            memory.extend_from_slice(unsafe { source.slice() });
            let tables = &generator.compiled.tables;
            let at = generator.context.frames[sender as usize] as usize + tables.definition_width as usize;
            let location = &mut memory[at..at + tables.location_width as usize];
            // SAFETY: the slice has as many bytes as are written.
            unsafe { write_number(location.as_mut_ptr(), tables.location_width, target.0) };
            memory
        });
        Source::of(memory)
    }
}
