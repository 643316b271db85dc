//! Strongly connected components on the fly, with the marks inside each (Couvreur 1999; Tarjan's idea, Gabow's bookkeeping).
//!
//! States that were visited and whose component is not complete lie on one stack, in the order of their discovery. The stack is
//! cut into components-so-far, each with its *root* and the marks collected inside. A transition to a state of the stack closes
//! a cycle: all components from that state's on become one. When the last transition of a root is done, its component is
//! complete, and dead. The search stops as soon as a component-so-far carries all marks.
//!
//! What a state costs while it lives: its reference and a slot in a table, about fourteen bytes; afterwards a flag in the
//! store. A state from which nothing leads on but to dead ones is dead at once. Transitions that close cycles are looked at before those to new states, so violations are found early.
//!
//! A system may offer a part of a state's transitions ([`MarkedSystem::reduced_transitions`]). It is enough if none of them leads back to the path. For of
//! a cycle of what is followed, let `v` be the state that is visited first, and `u -> v` its last transition. When `v` is visited, no other state of the cycle has been, so all of them are
//! visited before `v` is left, and `v` is on the path when `u` is visited. So nothing was left out of `u`.

use std::time::Instant;

use super::lasso;
use super::{Fate, MarkedSystem, Marks, Options, Outcome, Transitions, Violation};
use crate::numbering::Numbering;
use crate::search::{Counters, End, Progress};
use crate::store::{FlagStates, Flags, Insert, LoadStates, StateRef};
use crate::system::Extent;

/// The state's component is complete and was no violation.
const DEAD: Flags = Flags::bit(0);
/// The state was visited.
const VISITED: Flags = Flags::bit(1);

/// Limits are looked at after so many expansions.
const BATCH: u64 = 256;

/// A component as far as it is known.
struct Component {
    /// The position of its first state.
    root: u32,
    /// The marks of the transition that led to it.
    incoming: Marks,
    /// The marks of transitions inside.
    marks: Marks,
}

/// A state on the path: `pending` from `next` to `end` is what is still to be followed.
struct Frame {
    position: u32,
    start: usize,
    next: usize,
}

/// A transition to be followed.
#[derive(Clone, Copy)]
struct Pending {
    target: StateRef,
    marks: Marks,
}

pub(super) struct Search<'a, S: MarkedSystem, H: LoadStates> {
    system: S,
    handle: H,
    options: &'a Options,
    progress: &'a Progress,
    started: Instant,
    acceptance: Marks,
    live: Numbering,
    components: Vec<Component>,
    frames: Vec<Frame>,
    pending: Vec<Pending>,
    counters: Counters,
    expansions: u64,
    complete: u64,
    is_cut: bool,
    state: Vec<u8>,
    cursor: H::Cursor,
    transitions: S::Transitions,
    inserted: Vec<Insert>,
    targets: Vec<Target>,
}

/// Where a transition leads.
#[derive(Clone, Copy)]
enum Target {
    /// To a state that was not visited.
    Open(StateRef),
    /// To one whose component is not complete, by its position.
    Live(u32),
    /// Back at once.
    Itself,
    /// To one from which nothing is to be hoped.
    Dead,
    /// There was no memory for it.
    Nowhere,
}

/// Why the search stops.
enum Stop {
    End(End),
    /// The path, and then a state that seals the fate of the run.
    Sealed(Vec<u8>),
    /// The component on top carries all marks.
    Cycle,
}

impl<'a, S: MarkedSystem, H: LoadStates + FlagStates> Search<'a, S, H> {
    pub fn new(system: S, handle: H, options: &'a Options, progress: &'a Progress) -> Self {
        Search {
            acceptance: system.acceptance(),
            system,
            handle,
            options,
            progress,
            started: Instant::now(),
            live: Numbering::default(),
            components: Vec::new(),
            frames: Vec::new(),
            pending: Vec::new(),
            counters: Counters::default(),
            expansions: 0,
            complete: 0,
            is_cut: false,
            state: Vec::new(),
            cursor: Default::default(),
            transitions: Default::default(),
            inserted: Vec::new(),
            targets: Vec::new(),
        }
    }

    pub fn run(mut self) -> Outcome<S> {
        let stop = match self.explore() {
            Err(stop) => stop,
            Ok(()) => Stop::End(if self.is_cut { End::Depth } else { End::Complete }),
        };
        self.progress.set(self.counters);
        let (end, violation) = match stop {
            Stop::End(end) => (end, None),
            Stop::Sealed(last) => {
                let mut prefix = self.path(u32::MAX);
                prefix.push(last);
                (End::Violation, Some(Violation::sealed(prefix)))
            }
            Stop::Cycle => (End::Violation, Some(self.lasso())),
        };
        Outcome {
            end,
            stored: self.counters.stored,
            matched: self.counters.matched,
            depth: self.counters.depth,
            components: self.complete,
            violation,
            system: self.system,
        }
    }

    fn explore(&mut self) -> Result<(), Stop> {
        let mut initial = Vec::new();
        if self.system.initial(&mut initial) == Fate::Sealed {
            return Err(Stop::Sealed(initial));
        }
        match self.handle.insert(&initial, &self.cursor) {
            Insert::New(reference) | Insert::Known(reference) => {
                self.counters.stored += 1;
                self.follow(reference, Marks::NONE)?;
            }
            Insert::Full => return Err(Stop::End(End::Memory)),
        }
        while let Some(frame) = self.frames.last_mut() {
            if frame.next == self.pending.len() {
                self.leave();
                continue;
            }
            let Pending { target, marks } = self.pending[frame.next];
            frame.next += 1;
            self.follow(target, marks)?;
        }
        Ok(())
    }

    /// Follows a transition from the state on top of the path.
    fn follow(&mut self, target: StateRef, marks: Marks) -> Result<(), Stop> {
        let before = self.handle.set_flags(target, VISITED);
        if before.contains(DEAD) {
            return Ok(());
        }
        if !before.contains(VISITED) {
            return self.visit(target, marks);
        }
        match self.live.find(target) {
            Some(position) => self.close(position, marks),
            None => Ok(()),
        }
    }

    /// A cycle: the components from the target's on are one.
    fn close(&mut self, target: u32, marks: Marks) -> Result<(), Stop> {
        let mut inside = marks;
        while let Some(top) = self.components.last_mut() {
            if top.root <= target {
                top.marks = top.marks.union(inside);
                return if top.marks.contain(self.acceptance) { Err(Stop::Cycle) } else { Ok(()) };
            }
            inside = inside.union(top.marks).union(top.incoming);
            self.components.pop();
        }
        Ok(())
    }

    /// Comes to a state for the first time.
    fn visit(&mut self, state: StateRef, incoming: Marks) -> Result<(), Stop> {
        let depth = self.frames.len() as u64;
        self.counters.depth = self.counters.depth.max(depth);
        if self.options.max_depth.is_some_and(|limit| depth >= limit) {
            self.is_cut = true;
            self.bury(state);
            return Ok(());
        }
        self.check_limits()?;
        self.handle.visit(state, &mut self.state, &mut self.cursor);
        self.find_targets(state);
        let is_sealed = |index| self.transitions.fate(index) == Fate::Sealed;
        let sealed = (0..self.transitions.len()).find(|&index| is_sealed(index));
        if sealed.is_none() && self.targets.iter().all(|target| matches!(target, Target::Dead)) {
            self.bury(state);
            return Ok(());
        }
        let position = self.live.push(state).ok_or(Stop::End(End::Memory))?;
        let start = self.pending.len();
        self.components.push(Component { root: position, incoming, marks: Marks::NONE });
        self.frames.push(Frame { position, start, next: start });
        if let Some(index) = sealed {
            return Err(Stop::Sealed(self.transitions.target(index).to_vec()));
        }
        for index in 0..self.targets.len() {
            let marks = self.transitions.marks(index);
            match self.targets[index] {
                Target::Open(target) => self.pending.push(Pending { target, marks }),
                Target::Live(position) => self.close(position, marks)?,
                Target::Itself => self.close(position, marks)?,
                Target::Dead => {}
                Target::Nowhere => return Err(Stop::End(End::Memory)),
            }
        }
        Ok(())
    }

    /// The state's component is complete: it is alone.
    fn bury(&mut self, state: StateRef) {
        self.complete += 1;
        self.handle.set_flags(state, DEAD);
    }

    /// Finds the transitions out of a state that have to be followed, and where they lead.
    fn find_targets(&mut self, state: StateRef) {
        let mut extent = self.system.reduced_transitions(&self.state, &mut self.transitions);
        let mut new = self.store_targets(state);
        let mut rejected = 0;
        while extent == Extent::Part && self.returns_to_path() {
            rejected += new;
            extent = self.system.other_transitions(&self.state, &mut self.transitions);
            new = self.store_targets(state);
        }
        self.counters.stored += new + rejected;
        // All transitions include those that were not enough, whose targets are known by now.
        let counted = if extent == Extent::All { new + rejected } else { new };
        self.counters.matched += self.transitions.len() as u64 - counted;
    }

    /// Puts the targets of the transitions at hand into the store, and tells how many of them are new.
    fn store_targets(&mut self, state: StateRef) -> u64 {
        let Search { handle, transitions, cursor, inserted, targets, live, .. } = self;
        handle.insert_all(transitions.len(), |index| transitions.target(index), cursor, inserted);
        targets.clear();
        let mut new = 0;
        for insert in inserted {
            targets.push(match *insert {
                Insert::New(target) => {
                    new += 1;
                    Target::Open(target)
                }
                Insert::Known(target) if target == state => Target::Itself,
                Insert::Known(target) => match handle.flags(target) {
                    flags if flags.contains(DEAD) => Target::Dead,
                    flags if flags.contains(VISITED) => live.find(target).map_or(Target::Dead, Target::Live),
                    _ => Target::Open(target),
                },
                Insert::Full => Target::Nowhere,
            });
        }
        new
    }

    /// Whether one of the transitions at hand leads to a state of the path.
    fn returns_to_path(&self) -> bool {
        self.targets.iter().any(|target| match *target {
            Target::Itself => true,
            Target::Live(position) => self.is_on_path(position),
            Target::Open(_) | Target::Dead | Target::Nowhere => false,
        })
    }

    fn is_on_path(&self, position: u32) -> bool {
        self.frames.binary_search_by_key(&position, |frame| frame.position).is_ok()
    }

    /// Everything behind the state on top of the path was visited.
    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        self.pending.truncate(frame.start);
        if self.components.last().is_some_and(|component| component.root == frame.position) {
            self.components.pop();
            self.complete += 1;
            while self.live.len() > frame.position as usize
                && let Some(state) = self.live.pop()
            {
                self.handle.set_flags(state, DEAD);
            }
        }
    }

    fn check_limits(&mut self) -> Result<(), Stop> {
        self.expansions += 1;
        if self.options.max_states.is_some_and(|limit| self.counters.stored >= limit) {
            return Err(Stop::End(End::States));
        }
        if self.expansions.is_multiple_of(BATCH) {
            self.progress.set(self.counters);
            if let Some(end) = self.progress.end_asked_for() {
                return Err(Stop::End(end));
            }
            if self.options.max_time.is_some_and(|limit| self.started.elapsed() >= limit) {
                return Err(Stop::End(End::Time));
            }
        }
        Ok(())
    }

    /// The states of the path up to a position of the stack.
    fn path(&mut self, last: u32) -> Vec<Vec<u8>> {
        let Search { frames, live, handle, .. } = self;
        let on_path = frames.iter().take_while(|frame| frame.position <= last);
        on_path
            .map(|frame| {
                let mut state = Vec::new();
                handle.load(live.state(frame.position), &mut state);
                state
            })
            .collect()
    }

    /// The path to the component on top, and a cycle through it with all marks.
    fn lasso(&mut self) -> Violation {
        let root = self.components.last().map_or(0, |component| component.root);
        let prefix = self.path(root);
        let (cycle, marks) = lasso::cycle(&mut self.system, &mut self.handle, &self.live, root);
        Violation { prefix, cycle, marks }
    }
}
