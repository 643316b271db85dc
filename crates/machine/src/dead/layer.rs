//! The layer that sets dead variables back.
//!
//! A transition moves one process, mostly. The others' locals stay as they are, and so does what they have a use for. So in a successor of a state in which everything is set back, only the
//! locals of the process that moved are set back, and the globals that neither it nor the others need. Should something else be left as it was, the state would still do what the one that stands for it
//! does.

use std::sync::Arc;

use system::{Arena, Extent, Fate, Grouped, Movers, System, leave_to_inner};

use super::DeadVariables;

/// A layer: a system whose states have their dead variables set back.
///
/// A state and what stands for it can do the same, moved by the same processes, so every run is kept, step by step.
#[derive(Clone, Debug)]
pub struct Trimmed<S> {
    inner: S,
    dead: Arc<DeadVariables>,
    outline: Outline,
}

/// The processes of a state in which everything is set back that is dead.
#[derive(Clone, Debug, Default)]
struct Outline {
    processes: Vec<Process>,
    length: usize,
}

#[derive(Clone, Copy, Debug)]
struct Process {
    frame: usize,
    definition: usize,
    /// The globals that the others need.
    needed: u128,
}

impl<S> Trimmed<S> {
    /// Sets back these variables.
    #[must_use]
    pub fn new(inner: S, dead: Arc<DeadVariables>) -> Trimmed<S> {
        Trimmed { inner, dead, outline: Outline::default() }
    }

    /// Sets the dead variables of all successors of a state back.
    fn trim(&mut self, state: &[u8], into: &mut Arena) {
        // To look at the state takes as long as to set one successor back.
        if into.len() < 2 {
            return self.trim_from(0, into);
        }
        self.outline.take(state, &self.dead);
        for transition in 0..into.len() {
            let movers = into.label(transition).movers;
            self.outline.reset(&self.dead, movers, into.target_mut(transition));
        }
    }

    /// Sets the dead variables of the successors from one on back, in which a process moved.
    fn trim_moved(&self, state: &[u8], process: u8, first: usize, into: &mut Arena) {
        if self.dead.globals.written != 0 || into.len() == first {
            return self.trim_from(first, into);
        }
        debug_assert!(self.dead.is_reset(state), "states come from this layer");
        let (frame, definition) = self.dead.frame(state, process);
        for transition in first..into.len() {
            let movers = into.label(transition).movers;
            let target = into.target_mut(transition);
            let same = target.len() == state.len() && target[0] == state[0];
            // Numbers above 63 are not told from none.
            match same && process < 64 && movers == Movers::one(process) {
                true => self.dead.reset_locals(definition, frame, target),
                false => self.dead.reset(target),
            }
        }
    }

    fn trim_from(&self, first: usize, into: &mut Arena) {
        (first..into.len()).for_each(|transition| self.dead.reset(into.target_mut(transition)));
    }
}

impl Outline {
    /// Looks at a state in which everything is set back.
    fn take(&mut self, state: &[u8], dead: &DeadVariables) {
        debug_assert!(dead.is_reset(state), "states come from this layer");
        self.processes.clear();
        self.length = state.len();
        let (mut frame, mut needed) = (dead.header.first, 0);
        for _ in 0..state[0] {
            let (definition, location) = dead.place(state, frame);
            // For now those before it.
            self.processes.push(Process { frame, definition, needed });
            let process = &dead.definitions[definition];
            needed |= process.needs[location];
            frame += process.frame_size;
        }
        if dead.globals.written == 0 {
            return;
        }
        let mut after = 0;
        for process in self.processes.iter_mut().rev() {
            process.needed |= after;
            let (definition, location) = dead.place(state, process.frame);
            after |= dead.definitions[definition].needs[location];
        }
    }

    /// Sets back what is dead in a successor of the state, in which these processes have moved.
    #[inline]
    fn reset(&self, dead: &DeadVariables, movers: Movers, target: &mut [u8]) {
        let Some(Process { frame, definition, needed }) = self.single(movers, target) else {
            return dead.reset(target);
        };
        let (now, location) = dead.place(target, frame);
        if now != definition {
            return dead.reset(target);
        }
        let process = &dead.definitions[definition];
        process.writes[location].iter().for_each(|write| write.apply(target, frame));
        dead.globals.reset(target, needed | process.needs[location]);
        debug_assert!(dead.is_reset(target), "one process has moved");
    }

    /// The process that has moved, if it is one, and processes have neither come nor gone.
    #[inline]
    fn single(&self, movers: Movers, target: &[u8]) -> Option<Process> {
        // Beyond the processes that movers tell apart there may have been others.
        let told = u64::BITS as usize;
        let same = target.len() == self.length && usize::from(target[0]) == self.processes.len();
        let is_single = movers.0.is_power_of_two() && self.processes.len() <= told;
        self.processes.get(movers.0.trailing_zeros() as usize).copied().filter(|_| same && is_single)
    }
}

impl<S: System> System for Trimmed<S> {
    leave_to_inner!(inner: gives_all, acceptance, novelty, notes);

    fn initial(&mut self, into: &mut Vec<u8>) -> Fate {
        let fate = self.inner.initial(into);
        self.dead.reset(into);
        fate
    }

    fn successors(&mut self, state: &[u8], into: &mut Arena) {
        self.inner.successors(state, into);
        self.trim(state, into);
    }

    fn reduced(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        let extent = self.inner.reduced(state, into);
        self.trim(state, into);
        extent
    }

    fn other(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        let extent = self.inner.other(state, into);
        self.trim(state, into);
        extent
    }

    fn normalise(&mut self, state: &mut Vec<u8>) {
        self.inner.normalise(state);
        self.dead.reset(state);
    }
}

impl<S: Grouped> Grouped for Trimmed<S> {
    fn of_process(&mut self, state: &[u8], process: u8, into: &mut Arena) {
        let before = into.len();
        self.inner.of_process(state, process, into);
        self.trim_moved(state, process, before, into);
    }
}
