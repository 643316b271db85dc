//! One edge is taken: the vector is copied, compiled code changes the copy, and the target lands where it belongs.

use system::{Arena, Label};

use super::context::status;
use super::engine::{CompiledGenerator, Sink, Source, Tried};
use super::locations::{EdgeCode, Effect};
use super::module::Compiled;
use super::runtime::write_number;

/// Bytes by which a successor may first be longer than its source, when processes are created.
const FIRST_GROWTH: usize = 1024;

impl CompiledGenerator {
    /// Takes an ordinary edge, whose target is a successor. This is [`CompiledGenerator::step`] for the common case.
    #[inline(always)]
    pub(super) fn plain_step(&mut self, edge: &EdgeCode<Compiled>, source: Source, pid: u32, into: &mut Arena) {
        let frame = self.context.frames[pid as usize] as usize;
        let buffer = into.bytes_mut();
        let start = buffer.len();
        buffer.reserve(source.length);
        // SAFETY: there is room for the copy, and an ordinary step does not change its length.
        let outcome = unsafe {
            let target = buffer.as_mut_ptr().add(start);
            target.copy_from_nonoverlapping(source.bytes, source.length);
            let outcome = match edge.effect {
                Effect::Call(function) => {
                    self.context.pid = pid;
                    self.context.assertions = 0;
                    function(target, target.add(frame), &mut *self.context) as u32
                }
                _ => status::DONE,
            };
            let tables = &self.compiled.tables;
            if edge.target.0 != 0 {
                write_number(
                    target.add(frame + tables.definition_width as usize),
                    tables.location_width,
                    edge.target.0,
                );
            }
            if let Some(offset) = tables.last_offset {
                target.add(offset as usize).write(pid as u8);
            }
            outcome
        };
        self.coverage.mark(edge.action);
        if outcome != status::DONE {
            into.signals_mut().errors += 1;
            return;
        }
        // SAFETY: so many bytes were copied there.
        unsafe { buffer.set_len(start + source.length) };
        into.close(Label::alone(pid as u8, edge.action.0));
        if matches!(edge.effect, Effect::Call(_)) {
            into.signals_mut().errors += self.context.assertions;
        }
    }

    /// Takes an edge that is possible and is no offer.
    pub(super) fn step(
        &mut self,
        edge: &EdgeCode<Compiled>,
        source: Source,
        pid: u32,
        sink: Sink,
        into: &mut Arena,
    ) -> Tried {
        self.context.pid = pid;
        let first = Label::alone(pid as u8, edge.action.0);
        let mut buffer = self.buffer(edge, sink, into);
        let start = buffer.len();
        let outcome = match edge.effect {
            Effect::Move | Effect::Else => {
                self.copy(source, &mut buffer);
                status::DONE
            }
            Effect::End => {
                self.copy(source, &mut buffer);
                // Only the youngest process ends, so its frame is the last.
                buffer.truncate(start + self.context.frames[pid as usize] as usize);
                buffer[start] -= 1;
                status::DONE
            }
            Effect::Call(function) => self.fire(function, edge, source, pid, &mut buffer),
            Effect::Interpret => unreachable!("the interpreter does not take steps one by one"),
        };
        self.finish(outcome, buffer, start, edge, source, pid, first, sink, into)
    }

    /// Lets compiled code make a successor behind the end of a buffer.
    pub(super) fn fire(
        &mut self,
        function: Compiled,
        edge: &EdgeCode<Compiled>,
        source: Source,
        pid: u32,
        buffer: &mut Vec<u8>,
    ) -> u32 {
        let start = buffer.len();
        let frame = self.context.frames[pid as usize] as usize;
        let mut room = source.length + if edge.reshapes { FIRST_GROWTH } else { 0 };
        loop {
            buffer.reserve(room);
            self.context.assertions = 0;
            self.context.length = source.length as u32;
            self.context.capacity = room as u32;
            // SAFETY: there is room for the copy; code writes only to the copy, up to the capacity it was told, and leaves its
            // length in the context.
            let outcome = unsafe {
                let target = buffer.as_mut_ptr().add(start);
                target.copy_from_nonoverlapping(source.bytes, source.length);
                let outcome = function(target, target.add(frame), &mut *self.context) as u32;
                buffer.set_len(start + self.context.length as usize);
                outcome
            };
            if outcome != status::GROW {
                return outcome;
            }
            buffer.truncate(start);
            room *= 2;
            self.analyse(source);
        }
    }

    #[inline]
    fn copy(&self, source: Source, buffer: &mut Vec<u8>) {
        // SAFETY: the source is not changed while its successors are generated, and the buffer is none of its memory.
        buffer.extend_from_slice(unsafe { source.slice() });
    }

    /// What follows an effect: a successor lands, a failure is counted; the tables describe the source again.
    #[expect(clippy::too_many_arguments, reason = "the parts of one step")]
    #[inline]
    pub(super) fn finish(
        &mut self,
        outcome: u32,
        buffer: Vec<u8>,
        start: usize,
        edge: &EdgeCode<Compiled>,
        source: Source,
        pid: u32,
        first: Label,
        sink: Sink,
        into: &mut Arena,
    ) -> Tried {
        let tried = if outcome == status::DONE {
            if matches!(edge.effect, Effect::Call(_)) {
                into.signals_mut().errors += self.context.assertions;
            }
            self.land(buffer, start, edge, pid, first, sink, into);
            Tried::Done
        } else {
            debug_assert_eq!(outcome, status::FAILED, "the guard said that the edge is possible");
            let mut buffer = buffer;
            buffer.truncate(start);
            self.give_back(buffer, edge, sink, into);
            self.failed(edge, sink, into);
            Tried::Failed
        };
        let ran_chain = edge.atomic && sink == Sink::Successors;
        if edge.reshapes || (ran_chain && self.chain.has_reshaped()) {
            self.analyse(source);
        }
        tried
    }

    /// An edge that went wrong.
    pub(super) fn failed(&mut self, edge: &EdgeCode<Compiled>, sink: Sink, into: &mut Arena) {
        into.signals_mut().errors += 1;
        if sink != Sink::Trial {
            self.coverage.mark(edge.action);
        }
    }

    /// The memory behind whose end the target of an edge is to be written.
    #[inline]
    pub(super) fn buffer(&mut self, edge: &EdgeCode<Compiled>, sink: Sink, into: &mut Arena) -> Vec<u8> {
        match sink {
            Sink::Successors if !edge.atomic => std::mem::take(into.bytes_mut()),
            Sink::Successors => self.chain.first_buffer(),
            Sink::Chain => self.chain.alternatives_buffer(),
            Sink::Trial => {
                self.discarded.clear();
                std::mem::take(&mut self.discarded)
            }
        }
    }

    /// Returns the memory that [`CompiledGenerator::buffer`] gave.
    #[inline]
    fn give_back(&mut self, buffer: Vec<u8>, edge: &EdgeCode<Compiled>, sink: Sink, into: &mut Arena) {
        match sink {
            Sink::Successors if !edge.atomic => *into.bytes_mut() = buffer,
            Sink::Successors => self.chain.return_first_buffer(buffer),
            Sink::Chain => self.chain.return_alternatives_buffer(buffer),
            Sink::Trial => self.discarded = buffer,
        }
    }

    /// A target that lies elsewhere lands.
    pub(super) fn land_copy(
        &mut self,
        target: &[u8],
        edge: &EdgeCode<Compiled>,
        pid: u32,
        first: Label,
        sink: Sink,
        into: &mut Arena,
    ) {
        let mut buffer = self.buffer(edge, sink, into);
        let start = buffer.len();
        buffer.extend_from_slice(target);
        self.land(buffer, start, edge, pid, first, sink, into);
    }

    /// A target lands: the location moves, and the target becomes a successor or part of a chain.
    #[expect(clippy::too_many_arguments, reason = "the parts of one step")]
    #[inline]
    pub(super) fn land(
        &mut self,
        mut buffer: Vec<u8>,
        start: usize,
        edge: &EdgeCode<Compiled>,
        pid: u32,
        first: Label,
        sink: Sink,
        into: &mut Arena,
    ) {
        let tables = &self.compiled.tables;
        let target = &mut buffer[start..];
        // A process that ended is gone.
        if pid < u32::from(target[0]) && edge.target.0 != 0 {
            let at = self.context.frames[pid as usize] as usize + tables.definition_width as usize;
            let location = &mut target[at..at + tables.location_width as usize];
            // SAFETY: the slice has as many bytes as are written.
            unsafe { write_number(location.as_mut_ptr(), tables.location_width, edge.target.0) };
        }
        if let Some(offset) = tables.last_offset {
            target[offset as usize] = pid as u8;
        }
        if sink != Sink::Trial {
            self.coverage.mark(edge.action);
        }
        match sink {
            Sink::Successors if !edge.atomic => {
                *into.bytes_mut() = buffer;
                into.close(first);
            }
            Sink::Successors => {
                self.chain.return_first_buffer(buffer);
                self.run_chain(edge, pid, first, into);
            }
            Sink::Chain => {
                self.chain.return_alternatives_buffer(buffer);
                self.chain.add_alternative(pid, edge);
            }
            Sink::Trial => self.discarded = buffer,
        }
    }
}
