//! A set of 64-bit keys in 4 (sometimes 8) bytes each, shared by all workers.
//!
//! The root set of the tree store, and the whole of the fingerprint store. Keys are split among shards; each shard is an
//! open-addressing [`table`] that keeps only what a slot's position does not tell of its key; tables are replaced by
//! slightly larger ones, a shard at a time. [`layout`] says which bits of a key vary at all.
//!
//! The idea of storing quotients is Cleary's (1984); compact trees on top of it are Laarman's ("Optimal compression of
//! combinatorial state spaces", 2019). Departure from both: the displacement is stored in the slot, in cache lines,
//! instead of being recovered from order or marker bits. That costs three bits and makes an insertion one exchange of one
//! word, so no locks are needed.

pub(crate) mod layout;
pub(crate) mod set;
pub(crate) mod table;

/// Two to this many shards: enough that the longest wait, for one shard's migration, is below a tenth of a second at a
/// thousand million keys.
pub(crate) const SHARD_BITS: u32 = if cfg!(loom) { 1 } else { 8 };

/// The serial number of no table.
const NO_SERIAL: u64 = 0;

/// A number by which a table is told from all others of the process.
fn next_serial() -> u64 {
    // Not loom's: it orders nothing.
    use std::sync::atomic::{AtomicU64, Ordering};
    static LAST: AtomicU64 = AtomicU64::new(NO_SERIAL);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}
