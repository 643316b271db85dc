//! Strongly connected components on the fly, with the marks inside each (Couvreur 1999; Tarjan's idea, Gabow's bookkeeping).
//!
//! States that were visited and whose component is not complete lie on one stack, in the order of their discovery. The stack is
//! cut into components-so-far, each with its *root* and the marks collected inside. A transition to a state of the stack closes
//! a cycle: all components from that state's on become one. When the last transition of a root is done, its component is
//! complete, and dead. The search stops as soon as a component-so-far carries all marks.
//!
//! What a state costs: its place in the search, four bytes in the store; and while it lives, its name on the stack. A state from which nothing leads on
//! but to dead ones is dead at once. Transitions that close cycles are looked at before those to new states, so violations are found early.
//!
//! A system may offer a part of a state's transitions ([`System::reduced`]). It is enough if none of them leads back to the path. For of
//! a cycle of what is followed, let `v` be the state that is visited first, and `u -> v` its last transition. When `v` is visited, no other state of the cycle has been, so all of them are
//! visited before `v` is left, and `v` is on the path when `u` is visited. So nothing was left out of `u`.

use system::{Fate, Marks, System as _};

use super::Violation;
use super::lasso;
use super::space::{Edge, Expansion, Place, Space};
use crate::bounds::{Bounds, End, Meter, Tally};
use crate::progress::{Counters, Progress};
use crate::search::chunks::Chunks;

/// A component as far as it is known.
#[derive(Clone, Copy)]
struct Component {
    /// The position of its first state.
    root: u32,
    /// The marks of the transition that led to it.
    incoming: Marks,
    /// The marks of transitions inside.
    marks: Marks,
}

/// A state on the path: `pending` from `next` to `end` is what is still to be followed.
#[derive(Clone, Copy)]
struct Frame {
    position: u32,
    start: usize,
    next: usize,
}

/// A transition to be followed.
#[derive(Clone, Copy)]
struct Pending<N> {
    target: N,
    marks: Marks,
}

pub(super) struct Search<'a, P: Space> {
    pub space: P,
    progress: &'a Progress,
    meter: Meter<'a>,
    tally: Tally,
    acceptance: Marks,
    /// The states that were visited and whose component is not complete.
    live: Chunks<P::Node>,
    components: Chunks<Component>,
    frames: Chunks<Frame>,
    pending: Chunks<Pending<P::Node>>,
    complete: u64,
    edges: Vec<Edge<P::Node>>,
    /// How deep the first state of the path is.
    above: u64,
    /// Bytes that somebody keeps beside the search.
    beside: u64,
}

/// What a search found, and its states.
pub(super) struct Found<P> {
    pub end: End,
    pub counters: Counters,
    pub components: u64,
    pub violation: Option<Violation>,
    pub space: P,
}

/// Why the search stops.
pub(super) enum Stop {
    End(End),
    /// The path, and then a state that seals the fate of the run.
    Sealed(Vec<u8>),
    /// The component on top carries all marks.
    Cycle,
}

impl<'a, P: Space> Search<'a, P> {
    pub fn new(mut space: P, bounds: Bounds, progress: &'a Progress) -> Self {
        Search {
            acceptance: space.system().acceptance(),
            tally: Tally::new(space.budget()),
            space,
            progress,
            meter: Meter::new(bounds, progress, Counters::default(), false),
            live: Chunks::default(),
            components: Chunks::default(),
            frames: Chunks::default(),
            pending: Chunks::default(),
            complete: 0,
            edges: Vec::new(),
            above: 0,
            beside: 0,
        }
    }

    pub fn run(self) -> Found<P> {
        self.run_with(|search| {
            let initial = search.start(&mut Vec::new())?;
            search.visit_from(initial)
        })
    }

    /// Searches in parts, as `explore` says.
    pub fn run_with(mut self, explore: impl FnOnce(&mut Self) -> Result<(), Stop>) -> Found<P> {
        let stop = explore(&mut self).err();
        let reached = match stop {
            Some(Stop::End(end)) => Some(end),
            Some(Stop::Sealed(_) | Stop::Cycle) => {
                self.progress.violate();
                Some(End::Violation)
            }
            None => None,
        };
        self.meter.hand_in(&mut self.tally);
        let (end, counters) = self.meter.end(reached);
        let violation = match stop {
            Some(Stop::Sealed(last)) => {
                let mut prefix = self.path(u32::MAX);
                prefix.push(last);
                Some(Violation::sealed(prefix))
            }
            Some(Stop::Cycle) => Some(self.lasso()),
            Some(Stop::End(_)) | None => None,
        };
        Found { end, counters, components: self.complete, violation, space: self.space }
    }

    /// The initial state, whose bytes are written.
    pub fn start(&mut self, state: &mut Vec<u8>) -> Result<P::Node, Stop> {
        if self.space.system().initial(state) == Fate::Sealed {
            return Err(Stop::Sealed(std::mem::take(state)));
        }
        let initial = self.space.initial(state).ok_or(Stop::End(End::Memory))?;
        self.tally.stored += 1;
        Ok(initial)
    }

    /// The next state from which it sets out is so deep, and so many bytes are kept beside the search.
    pub fn set_out(&mut self, depth: u64, beside: u64) {
        (self.above, self.beside) = (depth, beside);
    }

    /// Visits all that can be reached from a state that was not visited.
    pub fn visit_from(&mut self, state: P::Node) -> Result<(), Stop> {
        self.visit(state, Marks::NONE)?;
        while let Some(frame) = self.frames.last_mut() {
            if frame.next == self.pending.len() {
                self.leave();
                continue;
            }
            let Pending { target, marks } = self.pending.get(frame.next);
            let is_first = frame.next == frame.start;
            frame.next += 1;
            if is_first {
                // Nothing was visited since it was found to be open.
                self.visit(target, marks)?;
            } else {
                self.follow(target, marks)?;
            }
        }
        Ok(())
    }

    /// Follows a transition from the state on top of the path.
    fn follow(&mut self, target: P::Node, marks: Marks) -> Result<(), Stop> {
        match self.space.place(target) {
            Place::OPEN => self.visit(target, marks),
            place => place.position().map_or(Ok(()), |position| self.close(position, marks)),
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
            self.components.drop_last();
        }
        Ok(())
    }

    /// Comes to a state for the first time.
    fn visit(&mut self, state: P::Node, incoming: Marks) -> Result<(), Stop> {
        let depth = self.above + self.frames.len() as u64;
        if self.meter.is_too_deep(depth) {
            self.tally.depth = self.tally.depth.max(depth);
            self.bury(state);
            return Ok(());
        }
        if self.tally.expanded(depth, &self.meter) {
            self.look_at_bounds()?;
        }
        let sealed = self.find_edges(state)?;
        if sealed.is_none() && self.edges.iter().all(|edge| edge.place == Place::DEAD) {
            self.bury(state);
            return Ok(());
        }
        let position = u32::try_from(self.live.len()).ok().filter(|&position| position < Place::LIMIT);
        let position = position.ok_or(Stop::End(End::Memory))?;
        self.live.push(state);
        self.space.put(state, Place::live(position));
        let start = self.pending.len();
        self.components.push(Component { root: position, incoming, marks: Marks::NONE });
        self.frames.push(Frame { position, start, next: start });
        if let Some(last) = sealed {
            return Err(Stop::Sealed(last));
        }
        for index in 0..self.edges.len() {
            let Edge { target, place, marks } = self.edges[index];
            match place {
                Place::OPEN if target == state => self.close(position, marks)?,
                Place::OPEN => self.pending.push(Pending { target, marks }),
                place => place.position().map_or(Ok(()), |position| self.close(position, marks))?,
            }
        }
        Ok(())
    }

    /// The state's component is complete: it is alone.
    fn bury(&mut self, state: P::Node) {
        self.complete += 1;
        self.space.put(state, Place::DEAD);
    }

    /// Finds the transitions out of a state that have to be followed. The result is where one of them leads that seals the fate of the run.
    fn find_edges(&mut self, state: P::Node) -> Result<Option<Vec<u8>>, Stop> {
        let (mut expansion, mut new) = self.space.expand(state, &mut self.edges);
        let mut rejected = 0;
        while matches!(expansion, Expansion::Part) && self.returns_to_path(state) {
            rejected += new;
            (expansion, new) = self.space.expand_otherwise(state, &mut self.edges);
        }
        self.tally.stored += new + rejected;
        // All transitions include those that were not enough, whose targets are known by now.
        let counted = if matches!(expansion, Expansion::Part) { new } else { new + rejected };
        self.tally.matched += (self.edges.len() as u64 + self.space.left_out()).saturating_sub(counted);
        match expansion {
            Expansion::All | Expansion::Part => Ok(None),
            Expansion::Sealed(last) => Ok(Some(last)),
            Expansion::Full => Err(Stop::End(End::Memory)),
        }
    }

    /// Whether one of the transitions at hand leads to a state of the path, or back to where it comes from.
    fn returns_to_path(&self, state: P::Node) -> bool {
        let returns = |edge: &Edge<P::Node>| {
            edge.target == state || edge.place.position().is_some_and(|position| self.is_on_path(position))
        };
        self.edges.iter().any(returns)
    }

    fn is_on_path(&self, position: u32) -> bool {
        let (mut low, mut high) = (0, self.frames.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.frames.get(middle).position {
                found if found == position => return true,
                found if found < position => low = middle + 1,
                _ => high = middle,
            }
        }
        false
    }

    /// Everything behind the state on top of the path was visited.
    fn leave(&mut self) {
        let Some(frame) = self.frames.last() else { return };
        self.frames.drop_last();
        self.pending.truncate(frame.start);
        if self.components.last().is_some_and(|component| component.root == frame.position) {
            self.components.drop_last();
            self.complete += 1;
            for position in frame.position as usize..self.live.len() {
                self.space.put(self.live.get(position), Place::DEAD);
            }
            self.live.truncate(frame.position as usize);
        }
    }

    fn look_at_bounds(&mut self) -> Result<(), Stop> {
        let Search { meter, tally, live, components, frames, pending, beside, .. } = self;
        let bytes = || live.bytes() + components.bytes() + frames.bytes() + pending.bytes() + *beside;
        meter.look(tally, bytes).map_or(Ok(()), |end| Err(Stop::End(end)))
    }

    /// The states of the path up to a position of the stack.
    fn path(&mut self, last: u32) -> Vec<Vec<u8>> {
        let Search { frames, live, space, .. } = self;
        let on_path = frames.iter().take_while(|frame| frame.position <= last);
        on_path
            .map(|frame| {
                let mut state = Vec::new();
                space.load(live.get(frame.position as usize), &mut state);
                state
            })
            .collect()
    }

    /// The path to the component on top, and a cycle through it with all marks.
    fn lasso(&mut self) -> Violation {
        let root = self.components.last().map_or(0, |component| component.root);
        let prefix = self.path(root);
        let (cycle, marks) = lasso::cycle(&mut self.space, &self.live, root);
        Violation { prefix, cycle, marks }
    }
}
