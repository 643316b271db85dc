//! The atomics and threads of the store: those of the standard library, or loom's when its model checker runs the store.

#[cfg(loom)]
pub(crate) use loom::{
    sync::Mutex,
    sync::atomic::{AtomicPtr, AtomicU8, AtomicU32, AtomicU64, Ordering, fence},
    thread::yield_now,
};
pub(crate) use std::sync::Arc;
#[cfg(not(loom))]
pub(crate) use std::{
    sync::Mutex,
    sync::atomic::{AtomicPtr, AtomicU8, AtomicU32, AtomicU64, Ordering, fence},
    thread::yield_now,
};

#[cfg(loom)]
pub(crate) type Guard<'a, T> = loom::sync::MutexGuard<'a, T>;
#[cfg(not(loom))]
pub(crate) type Guard<'a, T> = std::sync::MutexGuard<'a, T>;

/// Locks a mutex whose holders never leave the data half changed, so that a panic elsewhere cannot harm it.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> Guard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Waits until `ready` answers true: a short time on the processor, then by giving way to other threads.
pub(crate) fn wait_until(mut ready: impl FnMut() -> bool) {
    let mut rounds = 0u32;
    while !ready() {
        if cfg!(loom) || rounds > 64 {
            yield_now();
        } else {
            rounds += 1;
            std::hint::spin_loop();
        }
    }
}
