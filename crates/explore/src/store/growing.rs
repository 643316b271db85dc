//! Tables that are replaced by larger ones while other workers use them.
//!
//! # The protocol
//! A [`Growing`] is a pointer to a table. Workers use the table only while *inside* the store: entering raises the
//! worker's own turn counter to an odd number, leaving raises it to an even one. To replace a table, a worker
//!
//! 1. takes the pointer away (exchanges it for null), so that whoever comes next finds nothing and waits outside,
//! 2. leaves, and waits for every other worker that is inside to leave or to have left once since,
//! 3. is now alone with the old table: it builds the new one without atomics' trouble, publishes it, frees the old one.
//!
//! *Nobody uses a freed table.* A worker that entered before step 1 is waited for in step 2. For one that enters at the
//! same time, both sides write, then fence, then read (Dekker's pattern): worker: turn, fence, pointer; replacer: pointer,
//! fence, turn. Sequentially consistent fences are totally ordered, so whichever fence comes second sees the other's write: the worker finds null, or the
//! replacer finds an odd turn and waits. The worker's leaving store is a release which the replacer's load acquires, so
//! everything the worker did to the table is visible to the replacer.
//!
//! *Nobody waits for ever.* Whoever waits is outside: the replacer leaves before step 2, and a worker that finds null
//! leaves before it waits. So there is no cycle of waiting, even when many tables grow at once, and a worker waits at
//! most for one table's migration. Between two growths the price of all this is one fence for each entering, whose cache
//! line belongs to the worker; no shared counter is written. (A reader count in each table would be written twice for
//! each lookup by every worker.) Tables are kept small by splitting a set into shards that grow one at a time.

#![allow(unsafe_code)]

use super::sync::{Arc, AtomicPtr, AtomicU64, Mutex, Ordering, fence, lock, wait_until};
use std::ptr;

/// All workers of a store, so that a replacer can ask who is inside.
#[derive(Default)]
pub(crate) struct Workers {
    turns: Mutex<Vec<Arc<Turn>>>,
}

/// One worker's counter: odd while inside the store. On a line of its own (two, since processors fetch pairs).
#[repr(align(128))]
struct Turn(AtomicU64);

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
    }
}

impl Turn {
    /// To an odd number: the worker is about to read table pointers.
    #[inline]
    fn raise(&self) {
        self.0.store(self.0.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        fence(Ordering::SeqCst);
    }

    /// To an even number: the worker is done with every table it obtained.
    #[inline]
    fn lower(&self) {
        self.0.store(self.0.load(Ordering::Relaxed) + 1, Ordering::Release);
    }
}

impl Workers {
    /// Waits until each worker now inside has been outside. The caller must be outside itself.
    fn wait_for_those_inside(&self) {
        // A worker that joins after this point takes the lock after us, and so finds the pointer taken away.
        let turns = lock(&self.turns).clone();
        for turn in turns {
            let seen = turn.0.load(Ordering::Acquire);
            if seen % 2 == 1 {
                wait_until(|| turn.0.load(Ordering::Acquire) != seen);
            }
        }
    }
}

impl Inside<'_> {
    /// Steps outside for the time of `work`. The exclusive borrow ends the use of every table obtained before.
    pub(crate) fn outside<R>(&mut self, work: impl FnOnce(&Workers) -> R) -> R {
        struct Return<'w>(&'w Turn);
        impl Drop for Return<'_> {
            fn drop(&mut self) {
                self.0.raise();
            }
        }
        self.worker.turn.lower();
        let _inside_again_even_if_unwinding = Return(&self.worker.turn);
        work(&self.worker.workers)
    }
}

impl Drop for Inside<'_> {
    #[inline]
    fn drop(&mut self) {
        self.worker.turn.lower();
    }
}

impl<T: Send + Sync> Growing<T> {
    pub(crate) fn new(table: T) -> Growing<T> {
        Growing { current: AtomicPtr::new(Box::into_raw(Box::new(table))) }
    }

    /// The table; waits, outside, while another worker replaces it.
    #[inline]
    pub(crate) fn table<'a>(&'a self, inside: &'a mut Inside<'_>) -> &'a T {
        loop {
            let current = self.current.load(Ordering::Acquire);
            if !current.is_null() {
                // SAFETY: not null, so it came from `Box::into_raw` in `new` or `replace`. It is freed by `replace` or
                // `drop`. The first waits for this worker, who is inside until `inside` is free again (see the protocol);
                // the second has exclusive access.
                return unsafe { &*current };
            }
            self.wait(inside);
        }
    }

    #[cold]
    fn wait(&self, inside: &mut Inside<'_>) {
        inside.outside(|_| wait_until(|| !self.current.load(Ordering::Acquire).is_null()));
    }

    /// Replaces the table by what `build` makes of it; `None` leaves it. If another worker is already replacing it,
    /// waits for that instead and answers false.
    ///
    /// `build` has the old table to itself: no other worker reads or writes it meanwhile.
    #[cold]
    pub(crate) fn replace(&self, inside: &mut Inside<'_>, build: impl FnOnce(&T) -> Option<T>) -> bool {
        let old = self.current.swap(ptr::null_mut(), Ordering::AcqRel);
        if old.is_null() {
            self.wait(inside);
            return false;
        }
        inside.outside(|workers| {
            fence(Ordering::SeqCst);
            // Puts a table back even if `build` unwinds, or all others would wait for ever.
            let mut restore = Restore { growing: self, table: old };
            workers.wait_for_those_inside();
            // SAFETY: we took the pointer, so nobody else frees it; it came from `Box::into_raw`.
            if let Some(new) = build(unsafe { &*old }) {
                restore.table = Box::into_raw(Box::new(new));
                drop(restore);
                // SAFETY: as above, and after `wait_for_those_inside` no worker holds a reference to it.
                drop(unsafe { Box::from_raw(old) });
            }
        });
        true
    }
}

/// Publishes a table when dropped.
struct Restore<'a, T> {
    growing: &'a Growing<T>,
    table: *mut T,
}

impl<T> Drop for Restore<'_, T> {
    fn drop(&mut self) {
        self.growing.current.store(self.table, Ordering::Release);
    }
}

impl<T> Drop for Growing<T> {
    fn drop(&mut self) {
        let current = self.current.swap(ptr::null_mut(), Ordering::Acquire);
        if !current.is_null() {
            // SAFETY: exclusive access; the pointer came from `Box::into_raw`.
            drop(unsafe { Box::from_raw(current) });
        }
    }
}
