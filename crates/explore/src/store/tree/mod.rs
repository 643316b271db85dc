//! The lossless store that costs about five bytes for a state: hash-consed trees, and a compact set of their roots.
//!
//! ```text
//! state    w0 w1 … w7  w8 … w15  w16 … w23  w24 … w31     4-byte words, up to eight to a leaf
//!              (a)        (b)        (c)        (d)        each distinct leaf is stored once, as a numbered record
//!                   (e)                  (f)              nodes: pairs of records
//! reference        class, e, f                            what the set of visited states stores, in 4 bytes and a fraction
//! ```
//! States of a model repeat each other's parts, so nodes are far fewer than states, and the cost of a state is that of
//! its root. A reference *is* the root: it decodes by reading nodes, without looking anything up in the set, so the set
//! may move its entries whenever it grows. After Laarman, van de Pol and Weber, "Parallel recursive state compression for
//! free" (2011). Departures: leaves are wide, so trees are low; the reference carries the tree's class, so vectors of all lengths share one
//! set; tables grow; the root set stores quotients (see the `compact` module).

mod arrangement;
mod batch;
mod cursor;
mod difference;
mod form;
mod lengths;
pub(super) mod nodes;
mod recent;
mod saved;
mod shape;
mod tables;

use super::compact::layout::{ID_BITS, PairLayout};
use super::compact::set::{Added, Coming, CompactSet};
use super::flagging::{ByteFlags, FlagMode, NoFlags, Numbers};
use super::growing::{Inside, Worker, Workers};
use super::memory::Budget;
use super::sync::Arc;
use super::{Coverage, FlagStates, Flags, Insert, Limits, LoadStates, NumberStates, StateRef, VisitedSet, Visitor};
pub use arrangement::{Arrangement, Branch};
pub(crate) use arrangement::{MOST_WORDS, WIDEST, WORD};
use batch::{Batch, LANES, Library, NO_ROOT, Roots, SmallForm};
pub use cursor::TreeCursor;
pub(crate) use form::read_word;
use form::{Form, Length, Width};
use lengths::{Class, Lengths};
use nodes::NodeId;
use std::marker::PhantomData;
use tables::{Finders, Tables};

/// A lossless, compressing set of states. Clones share one set.
pub struct TreeStore<F = NoFlags> {
    shared: Arc<Shared>,
    flags: PhantomData<F>,
}

struct Shared {
    lengths: Lengths,
    tables: Tables,
    roots: CompactSet<PairLayout>,
    workers: Arc<Workers>,
    budget: Arc<Budget>,
}

/// A worker's access to a [`TreeStore`].
pub struct TreeHandle<F = NoFlags> {
    shared: Arc<Shared>,
    worker: Worker,
    tree: TreeBuilder,
    /// The states that are being inserted, and where they will be.
    references: [StateRef; LANES],
    coming: [Coming; LANES],
    flags: PhantomData<F>,
}

/// A state whose tree is stored, and which is not in the set yet; or one for which there was no memory.
#[derive(Clone, Copy, Debug)]
pub struct TreePrepared(Option<StateRef>);

/// What a worker needs to turn vectors into trees.
struct TreeBuilder {
    finders: Finders,
    /// The state built or loaded last.
    last: TreeCursor,
    batch: Batch,
    /// What it found.
    roots: Roots,
}

impl TreeBuilder {
    fn new(budget: &Arc<Budget>) -> TreeBuilder {
        TreeBuilder {
            finders: Finders::new(budget),
            last: TreeCursor::default(),
            batch: Batch::default(),
            roots: [NO_ROOT; LANES],
        }
    }

    /// The reference of a state, whose tree is stored then; `None` if there is no memory for it.
    fn find_or_build(
        &mut self,
        shared: &Shared,
        inside: &mut Inside<'_>,
        state: &[u8],
        parent: &TreeCursor,
    ) -> Option<StateRef> {
        let form = shared.lengths.of(state.len())?;
        if parent.class() == Some(form.class) {
            self.last.copy_from(parent);
        } else if self.last.class() != Some(form.class) {
            self.last.set_to_zero(form);
        }
        let root = self.last.advance(form, state, &shared.tables, &mut self.finders, inside)?;
        Some(reference(class_bits(form.class), root))
    }

    /// Finds the reference of each state with a number below `count`, at most [`LANES`], as [`TreeBuilder::find_or_build`] would find them
    /// one by one. There is no memory for those that are [`NO_STATE`].
    #[inline]
    fn find_or_build_all<'s>(
        &mut self,
        shared: &Shared,
        inside: &mut Inside<'_>,
        count: usize,
        state: &impl Fn(usize) -> &'s [u8],
        parent: &TreeCursor,
        references: &mut [StateRef; LANES],
    ) {
        let form = parent.class().and_then(|class| shared.lengths.form(class));
        let mut unlike = match form.and_then(small_form) {
            Some(small) => {
                let TreeBuilder { finders: Finders { nodes, two, three, four }, batch, roots, .. } = self;
                // The same code for each width.
                macro_rules! build {
                    ($leaves:expr, $finder:expr) => {{
                        let (leaf_finder, node_finder) = ($finder, nodes);
                        let nodes = &shared.tables.nodes;
                        let mut library = Library { leaves: $leaves, nodes, leaf_finder, node_finder, inside };
                        batch.build(&small, parent, count, state, &mut library, roots)
                    }};
                }
                let unlike = match small.form.width {
                    Width::Two => build!(&shared.tables.two, two),
                    Width::Three => build!(&shared.tables.three, three),
                    Width::Four => build!(&shared.tables.four, four),
                };
                let class = class_bits(small.form.class);
                for (found, &root) in references[..count].iter_mut().zip(&*roots) {
                    *found = if root == NO_ROOT { NO_STATE } else { reference(class, root) };
                }
                unlike
            }
            None => u32::MAX >> (LANES - count),
        };
        while unlike != 0 {
            let number = unlike.trailing_zeros() as usize;
            unlike &= unlike - 1;
            references[number] = self.find_or_build(shared, inside, state(number), parent).unwrap_or(NO_STATE);
        }
    }
}

/// What a batch needs to know of a form with few leaves.
#[inline]
fn small_form(form: &Form) -> Option<SmallForm<'_>> {
    let Length::Always(length) = form.length else { return None };
    Some(SmallForm { form, length, leaves: form.shape.leaves(), shape: form.shape.small()?, order: form.order()? })
}

impl TreeStore {
    /// An empty store without flags.
    pub fn new(limits: Limits) -> TreeStore {
        TreeStore::with_mode(limits)
    }
}

impl TreeStore<ByteFlags> {
    /// An empty store with seven flags for each state.
    pub fn with_flags(limits: Limits) -> TreeStore<ByteFlags> {
        TreeStore::with_mode(limits)
    }
}

impl TreeStore<Numbers> {
    /// An empty store with a number for each state.
    pub fn with_numbers(limits: Limits) -> TreeStore<Numbers> {
        TreeStore::with_mode(limits)
    }
}

impl<F: FlagMode> TreeStore<F> {
    fn with_mode(limits: Limits) -> TreeStore<F> {
        let budget = Budget::new(limits.memory);
        let shared = Shared {
            lengths: Lengths::new(),
            tables: Tables::new(&budget),
            roots: CompactSet::new(F::FLAGGING, &budget),
            workers: Arc::new(Workers::default()),
            budget,
        };
        TreeStore { shared: Arc::new(shared), flags: PhantomData }
    }
}

impl<F> Clone for TreeStore<F> {
    fn clone(&self) -> TreeStore<F> {
        TreeStore { shared: Arc::clone(&self.shared), flags: PhantomData }
    }
}

impl<F: FlagMode> VisitedSet for TreeStore<F> {
    type Handle = TreeHandle<F>;

    fn handle(&self) -> TreeHandle<F> {
        TreeHandle {
            worker: Worker::new(&self.shared.workers),
            tree: TreeBuilder::new(&self.shared.budget),
            references: [NO_STATE; LANES],
            coming: [Coming::default(); LANES],
            shared: Arc::clone(&self.shared),
            flags: PhantomData,
        }
    }

    fn len(&self) -> u64 {
        self.shared.roots.len(&Worker::new(&self.shared.workers).enter())
    }

    fn memory(&self) -> u64 {
        self.shared.budget.used()
    }

    fn most_memory(&self) -> u64 {
        self.shared.budget.most()
    }

    fn coverage(&self) -> Coverage {
        Coverage::Exact
    }

    fn can_arrange(&self) -> bool {
        self.shared.lengths.is_unused()
    }

    fn arrange(&self, arrangements: Vec<(usize, Arrangement)>) {
        self.shared.lengths.arrange(arrangements);
    }
}

impl<F: FlagMode> Visitor for TreeHandle<F> {
    type Cursor = TreeCursor;

    type Prepared = TreePrepared;

    #[inline]
    fn prepare(&mut self, state: &[u8], parent: &TreeCursor) -> TreePrepared {
        let mut inside = self.worker.enter();
        let root = self.tree.find_or_build(&self.shared, &mut inside, state, parent);
        if let Some(root) = root {
            self.shared.roots.prefetch(root.0, &inside);
        }
        TreePrepared(root)
    }

    #[inline]
    fn commit(&mut self, _state: &[u8], TreePrepared(root): TreePrepared) -> Insert {
        let Some(root) = root else { return Insert::Full };
        self.shared.add(root, &mut self.worker.enter())
    }

    #[inline]
    fn insert(&mut self, state: &[u8], parent: &TreeCursor) -> Insert {
        let mut inside = self.worker.enter();
        match self.tree.find_or_build(&self.shared, &mut inside, state, parent) {
            Some(root) => self.shared.add(root, &mut inside),
            None => Insert::Full,
        }
    }

    fn insert_all<'s>(
        &mut self,
        count: usize,
        state: impl Fn(usize) -> &'s [u8],
        parent: &TreeCursor,
        into: &mut Vec<Insert>,
    ) {
        into.clear();
        self.for_all(count, state, parent, |shared, reference, coming, inside| {
            into.push(match reference {
                NO_STATE => Insert::Full,
                _ => told(reference, shared.roots.insert_prepared(coming, inside)),
            });
        });
    }

    fn budget(&self) -> &Arc<Budget> {
        &self.shared.budget
    }

    fn focus(&mut self, state: StateRef, cursor: &mut TreeCursor) {
        self.shared.decode(state, cursor);
    }
}

impl<F: FlagMode> TreeHandle<F> {
    /// Finds the references of successors of `parent`, and calls `insert` with each and what there is to be inserted.
    #[inline(always)]
    fn for_all<'s>(
        &mut self,
        count: usize,
        state: impl Fn(usize) -> &'s [u8],
        parent: &TreeCursor,
        mut insert: impl FnMut(&Shared, StateRef, Coming, &mut Inside<'_>),
    ) {
        let TreeHandle { shared, worker, tree, references, coming, .. } = self;
        let mut inside = worker.enter();
        let mut start = 0;
        while start < count {
            let (lanes, state) = (LANES.min(count - start), |number| state(start + number));
            tree.find_or_build_all(shared, &mut inside, lanes, &state, parent, references);
            for (coming, reference) in coming[..lanes].iter_mut().zip(&*references) {
                *coming = shared.roots.prepare(reference.0, &inside);
            }
            for (coming, &reference) in coming[..lanes].iter().zip(&*references) {
                insert(shared, reference, *coming, &mut inside);
            }
            start += lanes;
        }
    }
}

impl<F: FlagMode> LoadStates for TreeHandle<F> {
    fn load(&mut self, state: StateRef, into: &mut Vec<u8>) {
        into.clear();
        if self.shared.decode(state, &mut self.tree.last).is_some() {
            self.tree.last.bytes(into);
        }
    }

    fn visit(&mut self, state: StateRef, into: &mut Vec<u8>, cursor: &mut TreeCursor) {
        into.clear();
        if self.shared.decode(state, cursor).is_some() {
            cursor.bytes(into);
        }
    }
}

impl FlagStates for TreeHandle<ByteFlags> {
    fn flags(&mut self, state: StateRef) -> Flags {
        let flags = self.shared.roots.read_flags(state.0, &mut self.worker.enter());
        flags.map_or(Flags::NONE, |flags| Flags(flags as u8))
    }

    fn set_flags(&mut self, state: StateRef, mask: Flags) -> Flags {
        self.update_flags(state, |flags| flags | mask.0)
    }

    fn set_flags_unless(&mut self, state: StateRef, mask: Flags, unless: Flags) -> Flags {
        self.update_flags(state, |flags| if flags & unless.0 == 0 { flags | mask.0 } else { flags })
    }

    fn clear_flags(&mut self, state: StateRef, mask: Flags) -> Flags {
        self.update_flags(state, |flags| flags & !mask.0)
    }
}

impl TreeHandle<ByteFlags> {
    #[inline]
    fn update_flags(&mut self, state: StateRef, change: impl Fn(u8) -> u8) -> Flags {
        let change = |flags: u32| u32::from(change(flags as u8));
        let before = self.shared.roots.update_flags(state.0, &mut self.worker.enter(), change);
        before.map_or(Flags::NONE, |flags| Flags(flags as u8))
    }
}

impl NumberStates for TreeHandle<Numbers> {
    #[inline]
    fn number(&mut self, state: StateRef) -> u32 {
        self.shared.roots.read_flags(state.0, &mut self.worker.enter()).unwrap_or(0)
    }

    fn insert_all_numbered<'s>(
        &mut self,
        count: usize,
        state: impl Fn(usize) -> &'s [u8],
        parent: &TreeCursor,
        into: &mut Vec<(Insert, u32)>,
    ) {
        into.clear();
        self.for_all(count, state, parent, |shared, reference, coming, inside| {
            into.push(match reference {
                NO_STATE => (Insert::Full, 0),
                _ => {
                    let (added, number) = shared.roots.insert_prepared_and_read(coming, inside);
                    (told(reference, added), number)
                }
            });
        });
    }

    #[inline]
    fn set_number(&mut self, state: StateRef, number: u32) {
        self.shared.roots.update_flags(state.0, &mut self.worker.enter(), |_| number);
    }

    #[inline]
    fn number_or(&mut self, state: StateRef, number: u32) -> u32 {
        let choose = |old| if old == 0 { number } else { old };
        self.shared.roots.update_flags(state.0, &mut self.worker.enter(), choose).map_or(0, choose)
    }
}

impl<F> Drop for TreeHandle<F> {
    fn drop(&mut self) {
        self.shared.tables.give_back(&mut self.tree.finders);
    }
}

impl Shared {
    #[inline]
    fn add(&self, root: StateRef, inside: &mut Inside<'_>) -> Insert {
        told(root, self.roots.insert(root.0, inside))
    }

    /// Puts a cursor on a state; its form. A reference that is not of this store leaves the cursor without a state.
    fn decode(&self, state: StateRef, cursor: &mut TreeCursor) -> Option<&Form> {
        let form = self.lengths.form(Class::new(state.0 >> (2 * ID_BITS)));
        match form {
            Some(form) => cursor.decode(form, root(state), &self.tables),
            None => cursor.clear(),
        }
        form
    }
}

/// Stands for a state for which there is no memory: no reference has such numbers.
const NO_STATE: StateRef = StateRef(u64::MAX);

/// What became of the insertion of a root.
#[inline]
fn told(root: StateRef, added: Added) -> Insert {
    match added {
        Added::New => Insert::New(root),
        Added::Known => Insert::Known(root),
        Added::Full => Insert::Full,
    }
}

/// A class, where it stands in a reference.
fn class_bits(class: Class) -> u64 {
    class.number() << (2 * ID_BITS)
}

#[inline]
fn reference(class_bits: u64, [left, right]: [NodeId; 2]) -> StateRef {
    let (left, right) = (u64::from(left.number()), u64::from(right.number()));
    StateRef(class_bits | left << ID_BITS | right)
}

#[inline]
fn root(state: StateRef) -> [NodeId; 2] {
    let number = |bits: u64| NodeId::new((bits & ((1 << ID_BITS) - 1)) as u32);
    [number(state.0 >> ID_BITS), number(state.0)]
}
