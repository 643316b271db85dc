//! What algorithms on steps need: a side as far as it was asked for, or an explicit system.

use explore::search::End;

use crate::Lts;
use crate::lts::Row;

/// States with steps.
pub(crate) trait Graph {
    /// States known so far.
    fn states(&self) -> u32;

    /// Makes sure that the steps of a state are known.
    fn expand(&mut self, state: u32) -> Result<(), End>;

    /// The steps of a state that was expanded: sorted, internal ones first.
    fn steps(&self, state: u32) -> &Row;
}

impl Graph for &Lts {
    fn states(&self) -> u32 {
        Lts::states(self)
    }

    fn expand(&mut self, _state: u32) -> Result<(), End> {
        Ok(())
    }

    fn steps(&self, state: u32) -> &Row {
        Lts::steps(self, state)
    }
}
