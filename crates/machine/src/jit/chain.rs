//! `atomic` sequences: from state to state, one process alone, until it leaves the sequence or cannot move.
//!
//! The states in the middle are not stored; their alternatives are followed one after the other, depth first, on a stack of
//! our own, for a sequence may be long. A sequence that comes back to one of its own states never ends and has no transition.

use super::engine::{CompiledGenerator, Sink, Source};
use super::locations::EdgeCode;
use super::module::Compiled;
use crate::generate::{FirstStep, Movers, Successors};
use crate::id::Pid;

/// The way through an `atomic` so far. Its memory is used again.
#[derive(Debug, Default)]
pub(super) struct Chain {
    links: Vec<Link>,
    /// How many of the links are in use.
    depth: usize,
    /// Whether processes came or went on the way, so that states differ in shape.
    reshaped: bool,
}

/// A state in the middle of an `atomic`.
#[derive(Debug, Default)]
struct Link {
    state: Vec<u8>,
    /// The process that has control.
    pid: u32,
    /// Where it is.
    location: u32,
    /// The processes that had control so far.
    movers: Movers,
    /// The states after its next step, one after the other.
    alternatives: Vec<u8>,
    /// For each of them its end, the process that took the last step, and whether that process keeps control.
    ends: Vec<(usize, u32, bool)>,
    /// The alternative to be followed next.
    next: usize,
}

impl Chain {
    /// The memory for the first state.
    pub fn first_buffer(&mut self) -> Vec<u8> {
        let mut buffer = self.links.first_mut().map(|link| std::mem::take(&mut link.state)).unwrap_or_default();
        buffer.clear();
        buffer
    }

    /// Takes it back.
    pub fn return_first_buffer(&mut self, buffer: Vec<u8>) {
        if self.links.is_empty() {
            self.links.push(Link::default());
        }
        self.links[0].state = buffer;
    }

    /// The memory for the alternatives of the last state.
    pub fn alternatives_buffer(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.links[self.depth - 1].alternatives)
    }

    /// Takes it back.
    pub fn return_alternatives_buffer(&mut self, buffer: Vec<u8>) {
        self.links[self.depth - 1].alternatives = buffer;
    }

    /// What was appended to the alternatives is one of them.
    pub fn add_alternative(&mut self, pid: u32, edge: &EdgeCode<Compiled>) {
        self.reshaped |= edge.reshapes;
        let link = &mut self.links[self.depth - 1];
        link.ends.push((link.alternatives.len(), pid, edge.atomic));
    }

    /// Whether the tables may no longer describe the state from which the chain started.
    pub fn has_reshaped(&self) -> bool {
        self.reshaped
    }

    /// Opens the link whose state was just written, unless the chain has been there before.
    fn open(&mut self, pid: u32, location: u32) -> Opened {
        let (before, rest) = self.links.split_at_mut(self.depth);
        let link = &mut rest[0];
        // Equal states have the process at the same location, which is quickly compared.
        let visits =
            |earlier: &Link| (earlier.pid != pid || earlier.location == location) && earlier.state == link.state;
        if before.iter().any(visits) {
            return Opened::Endless;
        }
        (link.pid, link.location, link.next) = (pid, location, 0);
        link.movers = before.last().map_or(Movers::default(), |link| link.movers).and(Movers::one(Pid(pid as u8)));
        link.alternatives.clear();
        link.ends.clear();
        self.depth += 1;
        Opened::New
    }
}

enum Opened {
    New,
    /// The chain was there before.
    Endless,
}

impl CompiledGenerator {
    /// Follows an `atomic` sequence from the state in the chain's first buffer, to which `edge` led.
    pub(super) fn run_chain(&mut self, edge: &EdgeCode<Compiled>, pid: u32, first: FirstStep, into: &mut Successors) {
        self.chain.reshaped = edge.reshapes;
        let timeout = std::mem::replace(&mut self.context.timeout, 0);
        self.enter_link(pid, first, into);
        while self.chain.depth > 0 {
            let depth = self.chain.depth;
            if self.chain.links.len() == depth {
                self.chain.links.push(Link::default());
            }
            let [link, following] = &mut self.chain.links[depth - 1..=depth] else {
                unreachable!("the next link was just made")
            };
            let Some(&(end, pid, is_atomic)) = link.ends.get(link.next) else {
                self.chain.depth -= 1;
                continue;
            };
            let start = if link.next == 0 { 0 } else { link.ends[link.next - 1].0 };
            link.next += 1;
            if !is_atomic {
                let movers = Movers::one(Pid(pid as u8)).and(link.movers);
                into.push(&link.alternatives[start..end], first.with(movers));
                continue;
            }
            if link.ends.len() == 1 {
                std::mem::swap(&mut following.state, &mut link.alternatives);
            } else {
                following.state.clear();
                following.state.extend_from_slice(&link.alternatives[start..end]);
            }
            self.enter_link(pid, first, into);
        }
        self.context.timeout = timeout;
    }

    /// The state behind the last link becomes one itself, its alternatives are found; if there are none, it is a successor.
    fn enter_link(&mut self, pid: u32, first: FirstStep, into: &mut Successors) {
        into.signals_mut().atomic_steps += 1;
        let source = Source::of(&self.chain.links[self.chain.depth].state);
        if self.chain.reshaped {
            self.analyse(source);
        }
        let (_, location) = self.whereabouts(source, pid);
        match self.chain.open(pid, location as u32) {
            Opened::Endless => into.signals_mut().endless_atomic = true,
            Opened::New => {
                if !self.turn(source, pid, Sink::Chain, into) {
                    let link = &self.chain.links[self.chain.depth - 1];
                    into.push(&link.state, first.with(link.movers));
                }
            }
        }
    }
}
