//! Numbers for the states on a stack: where does a stored state lie?
//!
//! An open-addressed table of positions, four bytes each; the keys are on the stack itself. States leave from the top only,
//! and take their entries along: what was pushed behind an entry in its run of the table moves up.

use crate::store::StateRef;

/// A stack of states, each of which can be found.
#[derive(Default)]
pub(crate) struct Numbering {
    states: Vec<StateRef>,
    /// Positions plus one; zero is free. The length is a power of two, or zero.
    table: Vec<u32>,
}

impl Numbering {
    pub fn len(&self) -> usize {
        self.states.len()
    }

    pub fn state(&self, position: u32) -> StateRef {
        self.states[position as usize]
    }

    /// Where a state lies.
    pub fn find(&self, state: StateRef) -> Option<u32> {
        if self.table.is_empty() {
            return None;
        }
        let mask = self.table.len() - 1;
        let mut slot = hash(state) & mask;
        loop {
            match self.table[slot] {
                0 => return None,
                entry if self.states[entry as usize - 1] == state => return Some(entry - 1),
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// Puts a state on top that is not there. `None` when there are more than 32 bits can count.
    pub fn push(&mut self, state: StateRef) -> Option<u32> {
        let position = u32::try_from(self.states.len()).ok().filter(|&position| position < u32::MAX)?;
        if (self.states.len() + 1) * 4 > self.table.len() * 3 {
            self.grow();
        }
        self.states.push(state);
        self.enter(position);
        Some(position)
    }

    /// Takes the top state away.
    pub fn pop(&mut self) -> Option<StateRef> {
        let state = *self.states.last()?;
        let mask = self.table.len() - 1;
        let position = self.states.len() as u32;
        let mut free = hash(state) & mask;
        while self.table[free] != position {
            free = (free + 1) & mask;
        }
        // Whoever would have been put into the free slot, or before it, moves there.
        let mut slot = (free + 1) & mask;
        while self.table[slot] != 0 {
            let home = hash(self.states[self.table[slot] as usize - 1]) & mask;
            if (slot.wrapping_sub(home) & mask) >= (slot.wrapping_sub(free) & mask) {
                self.table[free] = self.table[slot];
                free = slot;
            }
            slot = (slot + 1) & mask;
        }
        self.table[free] = 0;
        self.states.pop()
    }

    fn grow(&mut self) {
        let length = (self.table.len() * 2).max(64);
        self.table.clear();
        self.table.resize(length, 0);
        (0..self.states.len() as u32).for_each(|position| self.enter(position));
    }

    fn enter(&mut self, position: u32) {
        let mask = self.table.len() - 1;
        let mut slot = hash(self.states[position as usize]) & mask;
        while self.table[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        self.table[slot] = position + 1;
    }
}

/// References are places in tables, not random numbers: multiply and take high bits.
fn hash(state: StateRef) -> usize {
    let product = u128::from(state.to_bits() ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (product as u64 ^ (product >> 64) as u64) as usize
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::{prop, prop_assert_eq, proptest};

    use super::{Numbering, StateRef};

    proptest! {
        #[test]
        fn every_state_on_the_stack_is_found_and_no_other(steps in prop::collection::vec(prop::option::of(0u64..200), 0..600)) {
            let mut numbering = Numbering::default();
            let mut twin: Vec<u64> = Vec::new();
            for step in steps {
                match step {
                    Some(state) if !twin.contains(&state) => {
                        prop_assert_eq!(numbering.push(StateRef::from_bits(state)), Some(twin.len() as u32));
                        twin.push(state);
                    }
                    Some(_) => {}
                    None => prop_assert_eq!(numbering.pop(), twin.pop().map(StateRef::from_bits)),
                }
                let places: HashMap<u64, usize> = twin.iter().enumerate().map(|(place, &state)| (state, place)).collect();
                for state in 0..200 {
                    let found = numbering.find(StateRef::from_bits(state)).map(|position| position as usize);
                    prop_assert_eq!(found, places.get(&state).copied());
                }
            }
        }
    }
}
