//! The driver: asks processes for their moves, youngest first, and collects the successors.
//!
//! It goes through a state as the interpreter does, rule by rule: `provided`, priorities, escapes, `else`, `timeout`. Guards and
//! effects are calls of compiled code.

use std::sync::Arc;

use system::{Arena, Fate, Grouped, Label, Notes, Rest, System};

use super::CompiledMachine;
use super::chain::Chain;
use super::context::{ChannelSlot, Context, status};
use super::locations::{EdgeCode, Effect, LocationCode, Mask, Pace, Provided, WORD};
use super::module::Compiled;
use super::runtime::read_number;
use crate::generate::{Coverage, write_initial};
use crate::id::{DefinitionId, Location, Pid};
use crate::interpret::{Attempted, Circumstances, Interpreter, Timeout};
use crate::state::{State, View};

/// Generates successors by compiled code.
pub struct CompiledGenerator {
    pub(super) compiled: Arc<CompiledMachine>,
    pub(super) context: Box<Context>,
    /// What the context's pointers to messages point to: it is reached through them only.
    _messages: Vec<i32>,
    /// The code of each location of all definitions, as far as this generator has met it. It belongs to `compiled`.
    codes: Box<[Option<&'static LocationCode<Compiled>>]>,
    pub(super) chain: Chain,
    /// Memory for half states of rendezvous that are not in use.
    pub(super) halves: Vec<Vec<u8>>,
    /// Memory for targets that nobody wants.
    pub(super) discarded: Vec<u8>,
    pub(super) coverage: Coverage,
}

// SAFETY: the context's pointers lead to memory that the generator owns, and to tables that are shared and never change.
unsafe impl Send for CompiledGenerator {}

/// A vector whose successors are generated. The tables of the context describe it.
#[derive(Clone, Copy)]
pub(super) struct Source {
    pub bytes: *const u8,
    pub length: usize,
}

impl Source {
    pub fn of(bytes: &[u8]) -> Source {
        Source { bytes: bytes.as_ptr(), length: bytes.len() }
    }

    /// The vector.
    ///
    /// # Safety
    /// The memory it was made of is still there and unchanged for as long as the slice is used.
    pub unsafe fn slice<'s>(self) -> &'s [u8] {
        // SAFETY: the caller's.
        unsafe { std::slice::from_raw_parts(self.bytes, self.length) }
    }

    pub fn process_count(self) -> u32 {
        // SAFETY: every vector has a first byte.
        u32::from(unsafe { *self.bytes })
    }
}

/// Where the targets of moves go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sink {
    /// To the successors; `atomic` sequences are run to their ends.
    Successors,
    /// To the chain, as alternatives of its last state.
    Chain,
    /// Nowhere: only whether there is a move matters.
    Trial,
}

impl System for CompiledGenerator {
    /// # Panics
    /// When an initial value cannot be computed: who asks has made sure.
    fn initial(&mut self, into: &mut Vec<u8>) -> Fate {
        write_initial(&self.compiled.machine, into)
    }

    fn successors(&mut self, state: &[u8], into: &mut Arena) {
        into.clear();
        let source = Source::of(state);
        self.analyse(source);
        self.context.timeout = 0;
        let mut moves = self.round(source, into);
        if !moves && self.compiled.tables.reads_timeout {
            self.context.timeout = 1;
            moves = self.round(source, into);
        }
        if !moves {
            into.signals_mut().rest = if self.is_valid_end(source) { Rest::ValidEnd } else { Rest::InvalidEnd };
        }
    }

    fn novelty(&self) -> u64 {
        self.coverage.count()
    }

    fn notes(&self, into: &mut Notes) {
        into.add(Coverage::EXECUTED, self.coverage.note());
    }
}

impl Grouped for CompiledGenerator {
    fn of_process(&mut self, state: &[u8], process: u8, into: &mut Arena) {
        let source = Source::of(state);
        self.analyse(source);
        self.context.timeout = 0;
        if self.compiled.tables.free_turns {
            self.ways_out(source, u32::from(process), Sink::Successors, into);
        } else {
            self.turn(source, u32::from(process), Sink::Successors, into);
        }
    }
}

impl CompiledGenerator {
    /// A generator that shares the code of a machine.
    #[must_use]
    pub fn new(compiled: Arc<CompiledMachine>) -> CompiledGenerator {
        let tables = &compiled.tables;
        let mut messages = vec![0; tables.most_fields * 2];
        let (offer_message, message) = messages.split_at_mut(tables.most_fields);
        let mut context = Box::new(Context {
            offers: 0,
            pid: 0,
            timeout: 0,
            earlier_choice: 0,
            assertions: 0,
            length: 0,
            capacity: 0,
            channel_count: tables.global_channels,
            offer_channel: 0,
            described: Context::NOTHING,
            offer_message: offer_message.as_mut_ptr(),
            message: message.as_mut_ptr(),
            tables,
            frames: [0; 256],
            definitions: [0; 256],
            locations_before: [0; 256],
            channels_before: [0; 256],
            channels: [ChannelSlot::default(); 256],
        });
        for (slot, channel) in context.channels[1..].iter_mut().zip(&compiled.machine.layout.globals.channels) {
            *slot = ChannelSlot { offset: channel.offset, shape: channel.shape.0 };
        }
        CompiledGenerator {
            coverage: Coverage::none(&compiled.machine),
            context,
            _messages: messages,
            codes: vec![None; compiled.tables.locations].into(),
            chain: Chain::default(),
            halves: Vec::new(),
            discarded: Vec::new(),
            compiled,
        }
    }

    /// Makes the tables of the context describe a vector: where its frames and channels are.
    pub(super) fn analyse(&mut self, source: Source) {
        let tables = &self.compiled.tables;
        let context = &mut *self.context;
        if context.described == source.process_count() && Self::fits(context, tables.definition_width, source) {
            return;
        }
        context.described = source.process_count();
        let mut channels = tables.global_channels;
        // SAFETY: the source is a vector of the machine, and is not changed meanwhile.
        let vector = View::new(&self.compiled.machine.layout, unsafe { source.slice() });
        for frame in vector.frames() {
            let (pid, offset, definition) = (frame.pid.index(), frame.offset as u32, frame.definition);
            context.frames[pid] = offset;
            context.definitions[pid] = definition.0;
            context.locations_before[pid] = tables.locations_before[definition.index()];
            if tables.owned_channels {
                context.channels_before[pid] = channels;
                for channel in &tables.definitions[definition.index()].channels {
                    channels += 1;
                    context.channels[channels as usize] =
                        ChannelSlot { offset: offset + channel.offset, shape: channel.shape };
                }
            }
        }
        context.channel_count = channels;
    }

    /// Whether the tables of the context, which describe a vector of as many processes, describe this one, too.
    #[inline]
    fn fits(context: &Context, definition_width: u32, source: Source) -> bool {
        let count = context.described as usize;
        let frames = context.frames[..count].iter().zip(&context.definitions[..count]);
        for (&frame, &definition) in frames {
            // SAFETY: a frame lies where the tables say if all frames before it are of the definitions that they say.
            if unsafe { read_number(source.bytes.add(frame as usize), definition_width) } != definition {
                return false;
            }
        }
        true
    }

    /// All processes in turn, the youngest first. Whether anything could happen.
    fn round(&mut self, source: Source, into: &mut Arena) -> bool {
        let mut moves = false;
        let compiled = self.compiled();
        if !compiled.tables.free_turns {
            for pid in (0..source.process_count()).rev() {
                moves |= self.turn(source, pid, Sink::Successors, into);
            }
            return moves;
        }
        for pid in (0..source.process_count()).rev() {
            let code = self.code_at(source, pid);
            if !code.is_simple {
                moves |= self.ways_out(source, pid, Sink::Successors, into);
                continue;
            }
            self.context.pid = pid;
            let (ready, offers) = self.mask(code.mask, source, pid);
            if ready != 0 {
                moves |= self.take_edges(&code.edges, ready, offers, source, pid, Sink::Successors, into);
            }
        }
        moves
    }

    /// One process' turn. Whether anything could happen.
    pub(super) fn turn(&mut self, source: Source, pid: u32, sink: Sink, into: &mut Arena) -> bool {
        match self.provided(source, pid) {
            status::DONE => {}
            status::FAILED => {
                into.signals_mut().errors += 1;
                return true;
            }
            _ => return false,
        }
        if self.compiled.tables.priority_offset.is_some() && !self.has_priority(source, pid, into) {
            return false;
        }
        self.ways_out(source, pid, sink, into)
    }

    /// Whether the `provided` clause of a process lets it move, as a status.
    pub(super) fn provided(&mut self, source: Source, pid: u32) -> u32 {
        let (definition, _) = self.whereabouts(source, pid);
        match self.compiled.definitions[definition].provided {
            Provided::Always => status::DONE,
            Provided::When(function) => {
                self.context.pid = pid;
                self.call(function, source, pid) as u32
            }
            Provided::Interpret => {
                // SAFETY: the source is not changed while its successors are generated.
                let state = State::from_bytes(unsafe { source.slice() });
                match Interpreter::new(&self.compiled.machine).provided(self.circumstances(&state, pid)) {
                    Some(true) => status::DONE,
                    Some(false) => status::BLOCKED,
                    None => status::FAILED,
                }
            }
        }
    }

    pub(super) fn circumstances<'s>(&self, state: &'s State, pid: u32) -> Circumstances<'s> {
        let timeout = if self.context.timeout == 1 { Timeout::Now } else { Timeout::No };
        Circumstances { state, pid: Pid(pid as u8), timeout, had_choice: false, offer: None }
    }

    /// Whether no process of higher priority can move.
    fn has_priority(&mut self, source: Source, pid: u32, into: &mut Arena) -> bool {
        let own = self.priority(source, pid);
        let signals = into.signals();
        for other in 0..source.process_count() {
            if self.priority(source, other) > own {
                let is_provided = self.provided(source, other) == status::DONE;
                let can_move = is_provided && self.ways_out(source, other, Sink::Trial, into);
                *into.signals_mut() = signals;
                if can_move {
                    return false;
                }
            }
        }
        true
    }

    fn priority(&self, source: Source, pid: u32) -> u8 {
        let offset = self.compiled.tables.priority_offset.unwrap_or(0) as usize;
        // SAFETY: every frame has a priority where the layout says so.
        unsafe { *source.bytes.add(self.context.frames[pid as usize] as usize + offset) }
    }

    /// The definition and location of a process.
    #[inline]
    pub(super) fn whereabouts(&self, source: Source, pid: u32) -> (usize, usize) {
        let tables = &self.compiled.tables;
        let definition = self.context.definitions[pid as usize];
        let at = self.context.frames[pid as usize] + tables.definition_width;
        // SAFETY: the tables describe the source, and every frame has a location behind its definition.
        let location = unsafe { read_number(source.bytes.add(at as usize), tables.location_width) };
        (definition as usize, location as usize)
    }

    /// The code of the location where a process is.
    #[inline]
    pub(super) fn code_at<'c>(&mut self, source: Source, pid: u32) -> &'c LocationCode<Compiled> {
        let tables = &self.compiled.tables;
        let at = self.context.frames[pid as usize] + tables.definition_width;
        // SAFETY: as above.
        let location = unsafe { read_number(source.bytes.add(at as usize), tables.location_width) };
        let number = self.context.locations_before[pid as usize] + location;
        match self.codes[number as usize] {
            Some(code) => code,
            None => self.find_code(source, pid, number),
        }
    }

    #[cold]
    fn find_code<'c>(&mut self, source: Source, pid: u32, number: u32) -> &'c LocationCode<Compiled> {
        let (definition, location) = self.whereabouts(source, pid);
        let code = self.compiled().location(definition, location);
        self.codes[number as usize] = Some(code);
        code
    }

    /// Calls a guard: a function that changes nothing.
    #[inline]
    pub(super) fn call(&mut self, function: Compiled, source: Source, pid: u32) -> u64 {
        let frame = self.context.frames[pid as usize] as usize;
        // SAFETY: the context describes the source, and guards do not write to it.
        unsafe {
            let state = source.bytes.cast_mut();
            function(state, state.add(frame), &mut *self.context)
        }
    }

    /// Calls a function that belongs to no process and changes nothing.
    #[inline]
    pub(super) fn observe(&mut self, function: Compiled, source: Source) -> u64 {
        // SAFETY: the context describes the source; code of no process does not look at a frame of its own, and does not write.
        unsafe {
            let state = source.bytes.cast_mut();
            function(state, state, &mut *self.context)
        }
    }

    /// The edges of a word that are possible, and those of them that offer a rendezvous.
    #[inline]
    pub(super) fn mask(&mut self, mask: Mask<Compiled>, source: Source, pid: u32) -> (u64, u64) {
        match mask {
            Mask::Constant { ready, offers } => (ready, offers),
            Mask::Evaluated(function) => {
                let ready = self.call(function, source, pid);
                (ready, self.context.offers)
            }
        }
    }

    /// The moves of a process, whether or not it is its turn.
    #[inline]
    pub(super) fn ways_out(&mut self, source: Source, pid: u32, sink: Sink, into: &mut Arena) -> bool {
        let code = self.code_at(source, pid);
        self.context.pid = pid;
        if code.pace == Pace::Careful {
            return self.careful_ways_out(code, source, pid, sink, into);
        }
        let (ready, offers) = self.mask(code.mask, source, pid);
        let mut moves = self.take_edges(&code.edges, ready, offers, source, pid, sink, into);
        let mut had_choice = ready & !offers != 0;
        for (word, &mask) in code.later_masks.iter().enumerate() {
            self.context.pid = pid;
            self.context.earlier_choice = u32::from(had_choice);
            let (ready, offers) = self.mask(mask, source, pid);
            had_choice |= ready & !offers != 0;
            moves |= self.take_edges(&code.edges[(word + 1) * WORD..], ready, offers, source, pid, sink, into);
        }
        moves
    }

    /// Takes the edges of a word that are possible, each for itself.
    #[expect(clippy::too_many_arguments, reason = "the parts of a turn")]
    #[inline(always)]
    fn take_edges(
        &mut self,
        edges: &[EdgeCode<Compiled>],
        mut ready: u64,
        offers: u64,
        source: Source,
        pid: u32,
        sink: Sink,
        into: &mut Arena,
    ) -> bool {
        let mut moves = false;
        while ready != 0 {
            let bit = ready.trailing_zeros();
            ready &= ready - 1;
            let edge = &edges[bit as usize];
            if offers >> bit & 1 == 1 {
                moves |= self.offer(edge, source, pid, sink, into);
                continue;
            }
            moves = true;
            if edge.is_plain && sink == Sink::Successors {
                self.plain_step(edge, source, pid, into);
            } else {
                self.step(edge, source, pid, sink, into);
            }
        }
        moves
    }

    /// Edge after edge: an escape rules out what follows, a `D_proctype` must not have a choice, and some edges are left to
    /// the interpreter.
    fn careful_ways_out(
        &mut self,
        code: &LocationCode<Compiled>,
        source: Source,
        pid: u32,
        sink: Sink,
        into: &mut Arena,
    ) -> bool {
        let (definition, _) = self.whereabouts(source, pid);
        let is_deterministic = self.compiled.machine.definitions[definition].automaton.deterministic;
        let masks = std::iter::once(&code.mask).chain(&code.later_masks);
        let masks: Vec<(u64, u64)> = masks.map(|&mask| self.mask(mask, source, pid)).collect();
        let (mut moves, mut had_choice) = (false, false);
        let mut escape: Option<Location> = None;
        for (number, edge) in code.edges.iter().enumerate() {
            if escape.is_some() && escape != edge.escape {
                break;
            }
            let (ready, offers) = masks[number / WORD];
            let has_bit = |word: u64| word >> (number % WORD) & 1 == 1;
            self.context.pid = pid;
            let tried = match edge.effect {
                Effect::Else if had_choice => Tried::Blocked,
                Effect::Else => self.step(edge, source, pid, sink, into),
                Effect::Interpret => self.interpret(edge, had_choice, source, pid, sink, into),
                _ if has_bit(offers) => Tried::Offered { taken: self.offer(edge, source, pid, sink, into) },
                _ if has_bit(ready) => self.step(edge, source, pid, sink, into),
                _ => Tried::Blocked,
            };
            match tried {
                Tried::Blocked => {}
                Tried::Done | Tried::Failed => {
                    if tried == Tried::Done && is_deterministic && had_choice {
                        into.signals_mut().errors += 1;
                    }
                    moves = true;
                    had_choice = true;
                    escape = edge.escape;
                }
                // An offer that nobody takes leaves the way free for `else` and for lesser escapes.
                Tried::Offered { taken } => {
                    moves |= taken;
                    had_choice |= taken;
                    escape = edge.escape.filter(|_| taken);
                }
            }
        }
        moves
    }

    /// Lets the interpreter try an edge.
    fn interpret(
        &mut self,
        edge: &EdgeCode<Compiled>,
        had_choice: bool,
        source: Source,
        pid: u32,
        sink: Sink,
        into: &mut Arena,
    ) -> Tried {
        // SAFETY: the source is not changed while its successors are generated.
        let state = State::from_bytes(unsafe { source.slice() });
        let circumstances = Circumstances { had_choice, ..self.circumstances(&state, pid) };
        match Interpreter::new(&self.compiled().machine).attempt(circumstances, edge.action) {
            Attempted::Blocked => Tried::Blocked,
            Attempted::Failed => {
                self.failed(edge, sink, into);
                Tried::Failed
            }
            Attempted::Done { target, assertions } => {
                into.signals_mut().errors += assertions;
                let first = Label::alone(pid as u8, edge.action.0);
                self.land_copy(target.bytes(), edge, pid, first, sink, into);
                self.analyse(source);
                Tried::Done
            }
            Attempted::Offers { half, channel, message } => {
                self.set_offer(u32::from(channel.0), &message);
                let half_source = Source::of(half.bytes());
                self.analyse(half_source);
                let taken = self.take_offer(edge, half_source, pid, sink, into);
                self.analyse(source);
                Tried::Offered { taken }
            }
        }
    }

    fn is_valid_end(&self, source: Source) -> bool {
        (0..source.process_count()).all(|pid| {
            let (definition, location) = self.whereabouts(source, pid);
            let definition = self.compiled.machine.definition(DefinitionId(definition as u32));
            definition.automaton.location(Location(location as u32)).end
        }) && !self.trace_is_open(source)
    }

    fn trace_is_open(&self, source: Source) -> bool {
        let machine = &self.compiled.machine;
        // SAFETY: the source is not changed while it is looked at.
        let state = || State::from_bytes(unsafe { source.slice() });
        machine.trace.is_some() && Interpreter::new(machine).trace_is_open(&state())
    }

    /// The message on offer: as many numbers as the longest message has.
    pub(super) fn offered_message(&mut self) -> &mut [i32] {
        // SAFETY: the pointer leads to memory of that many numbers which the generator owns.
        unsafe { std::slice::from_raw_parts_mut(self.context.offer_message, self.compiled.tables.most_fields) }
    }

    /// The compiled machine, for use while the generator itself is changed.
    #[inline]
    pub(super) fn compiled<'c>(&self) -> &'c CompiledMachine {
        // SAFETY: the generator shares ownership of it for as long as it lives, and the reference stays within its methods.
        unsafe { &*Arc::as_ptr(&self.compiled) }
    }
}

/// How trying an edge went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tried {
    Blocked,
    Failed,
    Done,
    Offered { taken: bool },
}
