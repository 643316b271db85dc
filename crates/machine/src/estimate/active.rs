//! The processes that can move: where none can, there is a deadlock.

use system::{Arena, System};

use super::Estimate;

/// How many processes can move, as the system itself says.
pub struct Active<S> {
    system: S,
    successors: Arena,
}

impl<S: System> Active<S> {
    /// The processes of a system that is not reduced: of a reduced one only some are asked.
    #[must_use]
    pub fn new(system: S) -> Active<S> {
        Active { system, successors: Arena::new() }
    }
}

impl<S: System> Estimate for Active<S> {
    fn estimate(&mut self, state: &[u8]) -> u32 {
        self.system.successors(state, &mut self.successors);
        let mut able = [0_u64; 4];
        for label in self.successors.labels() {
            able[usize::from(label.process >> 6)] |= 1 << (label.process & 63);
            // Processes beyond these are not told apart there.
            able[0] |= label.movers.0;
        }
        able.iter().map(|part| part.count_ones()).sum()
    }
}
