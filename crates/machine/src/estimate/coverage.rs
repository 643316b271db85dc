//! Locations that were never met come first, then rare ones: for searches that know of no property.

use std::sync::Arc;

use super::Estimate;
use crate::machine::Machine;
use crate::state::View;

/// How often the rarest location of a state was met so far, as a power of two. It depends on the states that were asked about before.
#[derive(Clone, Debug)]
pub struct Coverage {
    machine: Arc<Machine>,
    met: Vec<Vec<u32>>,
}

impl Coverage {
    /// Nothing was met yet.
    #[must_use]
    pub fn new(machine: &Arc<Machine>) -> Coverage {
        let locations = |definition: &crate::machine::Definition| vec![0; definition.automaton.locations.len()];
        Coverage { machine: machine.clone(), met: machine.definitions.iter().map(locations).collect() }
    }
}

impl Estimate for Coverage {
    fn estimate(&mut self, bytes: &[u8]) -> u32 {
        let view = View::new(&self.machine.layout, bytes);
        let mut rarest = u32::MAX;
        for frame in view.frames() {
            let met = &mut self.met[frame.definition.index()][view.location(frame).index()];
            rarest = rarest.min(*met);
            *met = met.saturating_add(1);
        }
        u32::BITS - rarest.leading_zeros()
    }
}
