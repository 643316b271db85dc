//! How a permutation acts on a state vector.
//!
//! Once all processes exist and none disappears, every state is a vector of the same length in which every scalar has
//! a fixed place, its [`Slot`]. A slot holds a plain number, or a *name*: one of the values of a [`Domain`], such as the
//! process ids, the numbers of channels, the indices of an array, or the control locations of one process.
//!
//! The points of a shape are its slots, then the values of its domains. A permutation of the points is a symmetry of
//! vectors when it maps slots to slots of the same form, domains to domains as a whole, and the domain of each slot to the domain
//! of its image. It acts by moving contents along with their slots and renaming the names among them:
//! slot `g(p)` of `g(s)` holds `g(s[p])`.

use group::{Permutation, Point};
use machine::state::ScalarAt;

/// The number of a slot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SlotId(pub u32);

/// The number of a domain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DomainId(pub u32);

/// Where every scalar of a vector lies and what it stands for.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// Bytes of a vector.
    pub length: usize,
    /// The slots; bytes outside all slots stay as they are.
    pub slots: Vec<Slot>,
    /// The domains.
    pub domains: Vec<Domain>,
}

/// The place of one scalar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Where it lies.
    pub at: ScalarAt,
    /// What it holds.
    pub content: Content,
    /// When that is meaningful.
    pub validity: Validity,
}

/// What a slot holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// A number that no symmetry changes.
    Number,
    /// A value of a domain; a value that the domain does not list is left as it is.
    Name(DomainId),
}

/// When the content of a slot is meaningful.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Validity {
    /// In every state.
    Always,
    /// In a message of a channel: while the channel holds more than that many messages. Otherwise it is zero, which is not a name.
    Beyond {
        /// The slot that holds the number of messages.
        length: SlotId,
        /// The position of this message, from the oldest on.
        position: u32,
    },
}

/// Values that may be renamed into each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    /// The values, ascending.
    pub values: Vec<i32>,
    /// The point of the first value; the others follow it.
    pub first_point: Point,
}

impl Domain {
    /// The point of a value.
    #[must_use]
    pub fn point(&self, value: i32) -> Option<Point> {
        self.values.binary_search(&value).ok().map(|index| self.first_point + index as Point)
    }
}

impl Shape {
    /// Adds a slot. All slots come before the first domain, so that points stay as they are.
    pub fn add_slot(&mut self, slot: Slot) -> SlotId {
        assert!(self.domains.is_empty(), "slots come first");
        self.slots.push(slot);
        SlotId(self.slots.len() as u32 - 1)
    }

    /// Adds a domain.
    pub fn add_domain(&mut self, mut values: Vec<i32>) -> DomainId {
        values.sort_unstable();
        values.dedup();
        let first_point = self.degree() as Point;
        self.domains.push(Domain { values, first_point });
        DomainId(self.domains.len() as u32 - 1)
    }

    /// How many points there are.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.slots.len() + self.domains.iter().map(|domain| domain.values.len()).sum::<usize>()
    }

    /// The content of a slot.
    #[must_use]
    pub fn read(&self, state: &[u8], slot: SlotId) -> i32 {
        self.slots[slot.0 as usize].at.read(state)
    }

    /// Sets the content of a slot.
    pub fn write(&self, state: &mut [u8], slot: SlotId, value: i32) {
        self.slots[slot.0 as usize].at.write(state, value);
    }

    /// The domain of a slot's content in a state, unless it is a plain number there.
    #[must_use]
    pub fn name_domain(&self, state: &[u8], slot: SlotId) -> Option<DomainId> {
        let Slot { content: Content::Name(domain), validity, .. } = self.slots[slot.0 as usize] else { return None };
        match validity {
            Validity::Beyond { length, position } if self.read(state, length) <= position as i32 => None,
            _ => Some(domain),
        }
    }

    /// Lets a permutation of the points act on a state.
    #[must_use]
    pub fn apply(&self, permutation: &Permutation, state: &[u8]) -> Vec<u8> {
        let mut image = state.to_vec();
        for slot in (0..self.slots.len() as u32).map(SlotId) {
            let value = self.read(state, slot);
            let renamed = match self.name_domain(state, slot) {
                Some(domain) => self.rename(permutation, domain, value),
                None => value,
            };
            self.write(&mut image, SlotId(permutation.image(slot.0)), renamed);
        }
        image
    }

    fn rename(&self, permutation: &Permutation, domain: DomainId, value: i32) -> i32 {
        let Some(point) = self.domains[domain.0 as usize].point(value) else { return value };
        let image = permutation.image(point);
        self.value_at(image).unwrap_or(value)
    }

    /// The value that a point stands for.
    #[must_use]
    pub fn value_at(&self, point: Point) -> Option<i32> {
        let index = self.domains.partition_point(|domain| domain.first_point <= point).checked_sub(1)?;
        let domain = &self.domains[index];
        domain.values.get((point - domain.first_point) as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_processes() -> Shape {
        let mut shape = Shape { length: 3, ..Shape::default() };
        for offset in 0..3 {
            let content = if offset == 2 { Content::Name(DomainId(0)) } else { Content::Number };
            shape.add_slot(Slot { at: ScalarAt::byte(offset), content, validity: Validity::Always });
        }
        shape.add_domain(vec![0, 1, 2]);
        shape
    }

    #[test]
    fn contents_move_with_their_slots_and_names_are_renamed() {
        let shape = two_processes();
        // Slots 0 and 1 change places, and so do the names 1 and 2.
        let swap = Permutation::from_cycles(6, &[[0, 1], [4, 5]]).unwrap();
        assert_eq!(shape.apply(&swap, &[7, 8, 2]), [8, 7, 1]);
        assert_eq!(shape.apply(&swap, &[7, 8, 0]), [8, 7, 0]);
        assert_eq!(shape.apply(&swap, &[7, 8, 9]), [8, 7, 9]);
    }

    #[test]
    fn messages_that_are_not_there_are_no_names() {
        let mut shape = Shape { length: 2, ..Shape::default() };
        let length =
            shape.add_slot(Slot { at: ScalarAt::byte(0), content: Content::Number, validity: Validity::Always });
        let validity = Validity::Beyond { length, position: 0 };
        shape.add_slot(Slot { at: ScalarAt::byte(1), content: Content::Name(DomainId(0)), validity });
        shape.add_domain(vec![0, 1]);
        let swap = Permutation::from_cycles(4, &[[2, 3]]).unwrap();
        assert_eq!(shape.apply(&swap, &[0, 0]), [0, 0]);
        assert_eq!(shape.apply(&swap, &[1, 0]), [1, 1]);
    }
}
