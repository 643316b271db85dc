//! Tables that are replaced by larger ones while other workers use them.
//!
//! # The protocol
//! A [`Growing`] is a pointer to a table whose slots change only once, from empty to occupied. To replace it, a worker
//!
//! 1. claims the replacement; whoever else wants it waits for this one,
//! 2. copies the table slot by slot. An empty slot is first *frozen*: exchanged for a mark that no key has. From then on
//!    nobody can insert there, and since all keys that would go there or further look at this slot first, the copy misses
//!    nothing. An occupied slot never changes, so it is just copied (flags beside it are frozen likewise),
//! 3. publishes the new table, and retires the old one.
//!
//! Meanwhile the others go on: what they find in the old table is there. Only a worker that meets a frozen slot, hence has
//! a key that is not in the old table, waits for the new one: at most for one table's migration, and tables are kept small
//! by splitting a set into shards.
//!
//! # When is an old table freed?
//! When no worker can still be using it. Workers use tables only while *inside* the store: entering raises the worker's
//! own turn counter to an odd number, leaving raises it to an even one. A retired table comes with the odd turns seen just
//! after its successor was published, and is freed once all of these have changed. Nobody waits for that; it is looked
//! after when the next table retires. (Waiting would be simpler, but a worker that loses its processor while inside would
//! then hold up all others.)
//!
//! *Nobody uses a freed table.* Both sides write, then fence, then read (Dekker's pattern): worker: turn, fence, pointer;
//! replacer: pointer, fence, turns. Sequentially consistent fences are totally ordered, so whichever fence comes second
//! sees the other's write: the worker finds the new table, or the replacer finds the odd turn. The worker's leaving store
//! is a release which the replacer's load acquires, so all that the worker did to the table comes before its end.
//!
//! The price, between two growths, is one fence for each entering, on a cache line that belongs to the worker. (A reader
//! count in each table would be written twice for each lookup, by every worker.)

#![allow(unsafe_code)]

use super::sync::{Arc, AtomicPtr, AtomicU8, AtomicU64, Mutex, Ordering, fence, lock, wait_until};

/// All workers of a store, and the tables that some of them may still be using.
#[derive(Default)]
pub(crate) struct Workers {
    turns: Mutex<Vec<Arc<Turn>>>,
    retired: Mutex<Vec<Retired>>,
}

/// One worker's counter: odd while inside the store. On a line of its own (two, since processors fetch pairs).
#[repr(align(128))]
struct Turn(AtomicU64);

/// A table, and the workers that were inside when it was replaced, each with its turn.
struct Retired {
    users: Vec<(Arc<Turn>, u64)>,
    #[expect(dead_code, reason = "waits to be dropped")]
    table: Box<dyn Send>,
}

/// A worker's membership in [`Workers`]; ends when dropped.
pub(crate) struct Worker {
    workers: Arc<Workers>,
    turn: Arc<Turn>,
}

/// Proof that the worker is inside: tables obtained through it stay alive as long as it is borrowed.
pub(crate) struct Inside<'w> {
    worker: &'w Worker,
}

/// A table that can be replaced.
pub(crate) struct Growing<T> {
    current: AtomicPtr<T>,
    /// 1 while a worker is replacing the table.
    claimed: AtomicU8,
}

impl Worker {
    pub(crate) fn new(workers: &Arc<Workers>) -> Worker {
        let turn = Arc::new(Turn(AtomicU64::new(0)));
        lock(&workers.turns).push(Arc::clone(&turn));
        Worker { workers: Arc::clone(workers), turn }
    }

    /// Enters the store. The exclusive borrow keeps a worker from entering twice.
    #[inline]
    pub(crate) fn enter(&mut self) -> Inside<'_> {
        self.turn.raise();
        Inside { worker: self }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        lock(&self.workers.turns).retain(|turn| !Arc::ptr_eq(turn, &self.turn));
        self.workers.free_retired();
    }
}

impl Turn {
    /// To an odd number: the worker is about to read table pointers.
    #[inline]
    fn raise(&self) {
        // A release like leaving: who waits for a turn to end may see only the next one begin.
        self.0.store(self.0.load(Ordering::Relaxed) + 1, Ordering::Release);
        fence(Ordering::SeqCst);
    }

    /// To an even number: the worker is done with every table it obtained.
    #[inline]
    fn lower(&self) {
        self.0.store(self.0.load(Ordering::Relaxed) + 1, Ordering::Release);
    }
}

impl Workers {
    /// Keeps a table that has been replaced until no worker can be using it.
    fn retire(&self, table: Box<dyn Send>) {
        fence(Ordering::SeqCst);
        // A worker that joins after this point takes the lock after us, and so finds the new table.
        let now = |turn: &Arc<Turn>| (Arc::clone(turn), turn.0.load(Ordering::Acquire));
        let users = lock(&self.turns).iter().map(now).filter(|(_, turn)| turn % 2 == 1).collect();
        lock(&self.retired).push(Retired { users, table });
        self.free_retired();
    }

    /// Frees the tables that nobody uses any more.
    pub(crate) fn free_retired(&self) {
        let mut retired = lock(&self.retired);
        retired.retain(|table| table.users.iter().any(|(turn, seen)| turn.0.load(Ordering::Acquire) == *seen));
    }
}

impl Inside<'_> {
    /// Steps outside for the time of `work`. The exclusive borrow ends the use of every table obtained before.
    fn outside(&mut self, work: impl FnOnce(&Workers)) {
        self.worker.turn.lower();
        work(&self.worker.workers);
        self.worker.turn.raise();
    }
}

impl Drop for Inside<'_> {
    #[inline]
    fn drop(&mut self) {
        self.worker.turn.lower();
    }
}

impl<T: Send + Sync + 'static> Growing<T> {
    pub(crate) fn new(table: T) -> Growing<T> {
        Growing { current: AtomicPtr::new(Box::into_raw(Box::new(table))), claimed: AtomicU8::new(0) }
    }

    /// The table.
    #[inline]
    pub(crate) fn table<'a>(&'a self, _inside: &'a Inside<'_>) -> &'a T {
        // SAFETY: the pointer came from `Box::into_raw` in `new` or `replace`. The table is freed by the `Drop` of
        // `Growing`, which has exclusive access, or after `replace` has retired it: then not before this worker, who is
        // inside until `_inside` is free again, has left (see above).
        unsafe { &*self.current.load(Ordering::Acquire) }
    }

    /// Is somebody replacing the table?
    pub(crate) fn is_claimed(&self) -> bool {
        self.claimed.load(Ordering::Relaxed) != 0
    }

    /// Waits until nobody is replacing the table.
    #[cold]
    pub(crate) fn wait(&self, inside: &mut Inside<'_>) {
        inside.outside(|_| wait_until(|| self.claimed.load(Ordering::Acquire) == 0));
    }

    /// Replaces the table by what `build` makes of it; `None` leaves it, and then nothing in it may stay frozen.
    ///
    /// Answers whether `build` was run. If not, another worker was replacing the table, and has finished.
    #[cold]
    pub(crate) fn replace(&self, inside: &mut Inside<'_>, build: impl FnOnce(&T) -> Option<T>) -> bool {
        if self.claimed.compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {
            self.wait(inside);
            return false;
        }
        let _claim = Claim(&self.claimed);
        if let Some(new) = build(self.table(inside)) {
            let old = self.current.swap(Box::into_raw(Box::new(new)), Ordering::AcqRel);
            // SAFETY: it came from `Box::into_raw`, and the swap made it ours: nobody will obtain it again. Those who have
            // it already are waited for.
            let old = unsafe { Box::from_raw(old) };
            // From outside, so as not to count as a user ourselves.
            inside.outside(|workers| workers.retire(old));
        }
        true
    }
}

/// The right to replace a table, given up when dropped, also by a panic.
struct Claim<'a>(&'a AtomicU8);

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        self.0.store(0, Ordering::Release);
    }
}

impl<T> Drop for Growing<T> {
    fn drop(&mut self) {
        // SAFETY: exclusive access; the pointer came from `Box::into_raw`.
        drop(unsafe { Box::from_raw(self.current.load(Ordering::Acquire)) });
    }
}
