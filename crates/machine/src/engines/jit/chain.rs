//! `atomic` sequences: from state to state, one process alone, until it leaves the sequence or cannot move.
//!
//! The states in the middle are not stored; their alternatives are followed one after the other, depth first, on a stack of
//! our own, for a sequence may be long. A sequence that comes back to one of its own states never ends and has no transition.
//!
//! Most states in the middle have one way on. Such steps are taken in place, and leave nothing on the stack. Should the sequence
//! turn out long, or without an end, it is run again from its start with every state on the stack.

use std::collections::hash_map::Entry;
use std::hash::Hasher as _;

use rustc_hash::{FxHashMap, FxHasher};

use system::{Arena, Label, Movers};

use super::context::status;
use super::engine::{CompiledGenerator, Sink, Source};
use super::locations::{EdgeCode, Effect};
use super::module::Compiled;
use super::runtime::write_number;

/// A sequence of which more steps were taken in place is run again.
const MOST_IN_PLACE: u32 = 1000;

/// The way through an `atomic` so far. Its memory is used again.
#[derive(Debug, Default)]
pub(super) struct Chain {
    links: Vec<Link>,
    /// How many of the links are in use.
    depth: usize,
    /// The states of the links in use past the first few, by their hashes: a sequence of a million steps is not compared step by step.
    deep: FxHashMap<u64, u32>,
    /// Whether processes came or went on the way, so that states differ in shape.
    reshaped: bool,
    /// Where the sequence started.
    start: Vec<u8>,
    /// How many steps were taken in place.
    in_place: u32,
    mode: Mode,
}

/// Links that are compared one by one.
const SHALLOW: usize = 32;

/// How a sequence is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Mode {
    /// In place where there is one way on.
    #[default]
    Swift,
    /// In place, and it was found out that it should not be.
    Abandoned,
    /// Every state on the stack.
    Thorough,
}

/// A state in the middle of an `atomic`.
#[derive(Debug, Default)]
struct Link {
    state: Vec<u8>,
    /// A hash of it, past the first few links.
    hash: u64,
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
        let (shallow, deep) = before.split_at(before.len().min(SHALLOW));
        if shallow.iter().any(visits) {
            return Opened::Endless;
        }
        if before.len() >= SHALLOW {
            link.hash = hash(&link.state);
            let known = self.deep.entry(link.hash).or_insert(0);
            if *known > 0 && deep.iter().any(visits) {
                return Opened::Endless;
            }
            *known += 1;
        }
        (link.pid, link.location, link.next) = (pid, location, 0);
        link.movers = before.last().map_or(Movers::default(), |link| link.movers).and(Movers::one(pid as u8));
        link.alternatives.clear();
        link.ends.clear();
        self.depth += 1;
        Opened::New
    }

    /// Closes the last link.
    fn close(&mut self) {
        self.depth -= 1;
        if self.depth >= SHALLOW
            && let Entry::Occupied(mut known) = self.deep.entry(self.links[self.depth].hash)
        {
            *known.get_mut() -= 1;
            if *known.get() == 0 {
                known.remove();
            }
        }
    }
}

fn hash(state: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(state);
    hasher.finish()
}

enum Opened {
    New,
    /// The chain was there before.
    Endless,
}

impl CompiledGenerator {
    /// Follows an `atomic` sequence from the state in the chain's first buffer, to which `edge` led.
    pub(super) fn run_chain(&mut self, edge: &EdgeCode<Compiled>, pid: u32, first: Label, into: &mut Arena) {
        let Chain { links, start, .. } = &mut self.chain;
        start.clone_from(&links[0].state);
        let before = into.mark();
        let swiftly = self.compiled.tables.free_turns && !edge.reshapes;
        self.chain.mode = if swiftly { Mode::Swift } else { Mode::Thorough };
        self.follow_chain(edge, pid, first, into);
        if self.chain.mode == Mode::Abandoned {
            into.return_to(before);
            let Chain { links, start, .. } = &mut self.chain;
            links[0].state.clone_from(start);
            if self.chain.reshaped {
                self.analyse(Source::of(&self.chain.links[0].state));
            }
            self.chain.mode = Mode::Thorough;
            self.follow_chain(edge, pid, first, into);
        }
    }

    fn follow_chain(&mut self, edge: &EdgeCode<Compiled>, pid: u32, first: Label, into: &mut Arena) {
        self.chain.depth = 0;
        if !self.chain.deep.is_empty() {
            self.chain.deep.clear();
        }
        self.chain.in_place = 0;
        self.chain.reshaped = edge.reshapes;
        let timeout = std::mem::replace(&mut self.context.timeout, 0);
        self.enter_link(pid, first, into);
        while self.chain.depth > 0 && self.chain.mode != Mode::Abandoned {
            let depth = self.chain.depth;
            if self.chain.links.len() == depth {
                self.chain.links.push(Link::default());
            }
            let [link, following] = &mut self.chain.links[depth - 1..=depth] else {
                unreachable!("the next link was just made")
            };
            let Some(&(end, pid, is_atomic)) = link.ends.get(link.next) else {
                self.chain.close();
                continue;
            };
            let start = if link.next == 0 { 0 } else { link.ends[link.next - 1].0 };
            link.next += 1;
            if !is_atomic {
                let movers = Movers::one(pid as u8).and(link.movers);
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
    fn enter_link(&mut self, pid: u32, first: Label, into: &mut Arena) {
        if self.chain.mode == Mode::Swift && !self.chain.reshaped && self.go_straight_on(pid, first, into) {
            return;
        }
        into.signals_mut().inner_steps += 1;
        let source = Source::of(&self.chain.links[self.chain.depth].state);
        if self.chain.reshaped {
            self.analyse(source);
        }
        let (_, location) = self.whereabouts(source, pid);
        match self.chain.open(pid, location as u32) {
            Opened::Endless if self.chain.in_place > 0 => self.chain.mode = Mode::Abandoned,
            Opened::Endless => into.signals_mut().diverges = true,
            Opened::New => {
                if !self.turn(source, pid, Sink::Chain, into) {
                    let link = &self.chain.links[self.chain.depth - 1];
                    into.push(&link.state, first.with(link.movers));
                }
            }
        }
    }

    /// Takes steps in place as long as there is one way on. Whether the sequence has come to its end by that; if not, the state has
    /// several ways on, or one of a kind that is not taken in place.
    fn go_straight_on(&mut self, pid: u32, first: Label, into: &mut Arena) -> bool {
        let depth = self.chain.depth;
        let frame = self.context.frames[pid as usize] as usize;
        loop {
            let source = Source::of(&self.chain.links[depth].state);
            let code = self.code_at(source, pid);
            if !code.is_simple {
                return false;
            }
            self.context.pid = pid;
            let (ready, offers) = self.mask(code.mask, source, pid);
            if offers != 0 || !(ready == 0 || ready.is_power_of_two()) {
                return false;
            }
            let mut goes_on = false;
            if ready != 0 {
                let edge = &code.edges[ready.trailing_zeros() as usize];
                if edge.reshapes || !matches!(edge.effect, Effect::Move | Effect::Call(_)) {
                    return false;
                }
                if !self.step_in_place(edge, depth, frame, pid, into) {
                    into.signals_mut().inner_steps += 1;
                    return true;
                }
                goes_on = edge.atomic;
            }
            into.signals_mut().inner_steps += 1;
            if !goes_on {
                let earlier = depth.checked_sub(1).map_or(Movers::default(), |last| self.chain.links[last].movers);
                into.push(&self.chain.links[depth].state, first.with(earlier.and(Movers::one(pid as u8))));
                return true;
            }
            self.chain.in_place += 1;
            if self.chain.in_place == MOST_IN_PLACE {
                self.chain.mode = Mode::Abandoned;
                return true;
            }
        }
    }

    /// Takes an edge that leaves processes as they are in the state behind the last link. Whether it went well.
    #[inline]
    fn step_in_place(
        &mut self,
        edge: &EdgeCode<Compiled>,
        depth: usize,
        frame: usize,
        pid: u32,
        into: &mut Arena,
    ) -> bool {
        self.coverage.mark(edge.action);
        let state = self.chain.links[depth].state.as_mut_ptr();
        if let Effect::Call(function) = edge.effect {
            self.context.assertions = 0;
            // SAFETY: the tables describe this state, and the effect does not change its length.
            let outcome = unsafe { function(state, state.add(frame), &mut *self.context) as u32 };
            if outcome != status::DONE {
                into.signals_mut().errors += 1;
                return false;
            }
            into.signals_mut().errors += self.context.assertions;
        }
        let tables = &self.compiled.tables;
        // SAFETY: every frame has a location behind its definition, and `_last` lies where the layout says.
        unsafe {
            if edge.target.0 != 0 {
                let at = state.add(frame + tables.definition_width as usize);
                write_number(at, tables.location_width, edge.target.0);
            }
            if let Some(offset) = tables.last_offset {
                state.add(offset as usize).write(pid as u8);
            }
        }
        true
    }
}
