//! The grounded program: what each process of a configuration reads, asks and writes, over the places of the state vector.
//!
//! ```text
//! Machine ── entry ──▶ Configuration ── specialise ──▶ Program ── access ──▶ reads and writes of every edge, over slots
//!                          └── slots: name, place, kind
//! ```
//! A machine's actions speak of `x`, `_pid` and `flag[i]`. From the entry state on, in which all processes exist, each name means one cell or
//! channel of one process, and every scalar lies at a fixed place of the vector, its [slot](Slots). Grounding resolves the names and folds what is
//! known, once, for all who ask what depends on what: symmetry, and whoever estimates, slices or encodes a model.
//!
//! [`Scope`] resolves names for a definition only, for those who must work before the processes are known: compiled code and partial order.

mod access;
mod configuration;
mod entry;
mod program;
mod scope;
mod slots;
mod specialise;
mod term;
#[cfg(test)]
mod testing;

pub use crate::id::{CellId, ChannelId, GroupId, SlotId, TermId};

pub use self::access::{Access, Guard, SlotSet};
pub use self::configuration::{CellGroup, Configuration, StaticChannel};
pub use self::entry::{NoEntry, action_runs, find as find_entry};
pub use self::program::{ProcessProgram, Program, Rank, Way};
pub use self::scope::Scope;
pub use self::slots::{Slot, SlotKind, Slots};
pub use self::specialise::unary;
pub use self::term::{
    ChannelTerm, Composite, FieldTerm, Reference, Segment, SegmentPath, Step, Term, Terms, is_comparison, is_ordering,
};
