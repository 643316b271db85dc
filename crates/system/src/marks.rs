//! Acceptance of infinite runs.

/// A set of acceptance sets: bit `i` stands for the `i`-th.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Marks(pub u64);

impl Marks {
    /// No set.
    pub const NONE: Marks = Marks(0);

    /// The most acceptance sets a system can have.
    pub const LIMIT: u32 = 64;

    /// The first `count` sets.
    #[must_use]
    pub fn first(count: u32) -> Marks {
        if count >= Marks::LIMIT { Marks(u64::MAX) } else { Marks((1 << count) - 1) }
    }

    /// The sets in either.
    #[must_use]
    pub fn union(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }

    /// The sets here that are not there.
    #[must_use]
    pub fn without(self, other: Marks) -> Marks {
        Marks(self.0 & !other.0)
    }

    /// Are all sets of `other` here?
    #[must_use]
    pub fn contain(self, other: Marks) -> bool {
        other.0 & !self.0 == 0
    }

    /// Are there none?
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// Whether what comes later matters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Fate {
    /// It does.
    #[default]
    Open,
    /// The run is a violation already.
    Sealed,
}
