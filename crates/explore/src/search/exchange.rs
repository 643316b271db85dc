//! The exchange of work between the workers of a search: the seam behind which they share memory, or do not.
//!
//! A worker that has nothing to do takes work from the exchange; one that has much to do is told that work is wanted, and gives some away. When all
//! workers wait and nothing lies ready, the search is over. When the search is to be saved, all pause, and hand over what they have as bytes.
//!
//! What is exchanged is [`Portable`]. The [`Pool`] moves it from thread to thread as it is; another transport may send its bytes.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};

/// Work that can be carried elsewhere.
pub(super) trait Portable: Sized + Send {
    /// The work as bytes.
    fn to_bytes(&self) -> Vec<u8>;

    /// The first piece of work that such bytes are, and the bytes behind it; `None` if they make no sense.
    fn from_bytes(bytes: &[u8]) -> Option<(Self, &[u8])>;

    /// All the pieces of work that bytes are, one behind the other.
    fn all_from_bytes(mut bytes: &[u8]) -> Option<Vec<Self>> {
        let mut all = Vec::new();
        while !bytes.is_empty() {
            let (work, rest) = Self::from_bytes(bytes)?;
            all.push(work);
            bytes = rest;
        }
        Some(all)
    }
}

/// What a worker hands over when the search pauses.
#[derive(Default)]
pub(super) struct Paused {
    /// What it has learnt.
    pub notes: Vec<u8>,
    /// What it has to do.
    pub work: Vec<u8>,
}

/// A search that is saved now and then, while all its workers pause.
pub(super) trait Pausing: Sync {
    /// Whether workers should pause.
    fn is_pausing(&self) -> bool;

    /// All have paused: saves what they handed over, and lets them go on.
    fn save(&self, workers: Vec<Paused>);
}

/// How workers that have nothing to do get work from those that have.
pub(super) trait Exchange<W: Portable>: Sync {
    /// Whether work should be given away; asked often.
    fn is_wanted(&self) -> bool;

    /// From now on work may be given away.
    fn open(&self);

    /// Gives work away.
    fn give(&self, work: W);

    /// Waits for work; `None` when there is none left anywhere, or the exchange was closed. If the search pauses meanwhile, `notes` is what the
    /// worker has learnt.
    fn take(&self, search: &impl Pausing, notes: impl Fn() -> Vec<u8>) -> Option<W>;

    /// Hands over what a worker has, and waits until the search was saved, or has ended.
    fn pause(&self, search: &impl Pausing, paused: Paused);

    /// Lets everybody go home.
    fn close(&self);
}

/// The exchange of workers that share memory.
pub(super) struct Pool<W> {
    inner: Mutex<Inner<W>>,
    arrival: Condvar,
    workers: usize,
    /// How many workers wait, minus how much work lies ready: positive when work should be given away.
    wanted: AtomicUsize,
}

struct Inner<W> {
    ready: VecDeque<W>,
    waiting: usize,
    closed: bool,
    /// Whether work may be given away: not during the head start of the first worker.
    open: bool,
    /// What the workers that have paused so far handed over.
    paused: Vec<Paused>,
    /// How often the search was saved.
    round: u64,
}

impl<W: Portable> Pool<W> {
    pub fn new(workers: usize, open: bool) -> Pool<W> {
        let inner = Inner { ready: VecDeque::new(), waiting: 0, closed: false, open, paused: Vec::new(), round: 0 };
        Pool { inner: Mutex::new(inner), arrival: Condvar::new(), workers, wanted: AtomicUsize::new(0) }
    }

    fn note_wanted(&self, inner: &Inner<W>) {
        let wanted = if inner.open { inner.waiting.saturating_sub(inner.ready.len()) } else { 0 };
        self.wanted.store(wanted, Ordering::Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, Inner<W>> {
        self.inner.lock().expect("no worker panics while it holds this")
    }

    fn save_if_all_paused(&self, search: &impl Pausing, inner: &mut Inner<W>) {
        if inner.paused.len() < self.workers {
            return;
        }
        let ready = inner.ready.iter().map(|work| Paused { work: work.to_bytes(), ..Paused::default() });
        let all = ready.chain(inner.paused.drain(..)).collect();
        search.save(all);
        inner.round += 1;
        self.arrival.notify_all();
    }
}

impl<W: Portable> Exchange<W> for Pool<W> {
    #[inline]
    fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed) > 0
    }

    fn open(&self) {
        let mut inner = self.lock();
        inner.open = true;
        self.note_wanted(&inner);
    }

    fn give(&self, work: W) {
        let mut inner = self.lock();
        inner.ready.push_back(work);
        self.note_wanted(&inner);
        drop(inner);
        self.arrival.notify_one();
    }

    fn take(&self, search: &impl Pausing, notes: impl Fn() -> Vec<u8>) -> Option<W> {
        let mut inner = self.lock();
        inner.waiting += 1;
        let mut paused_in = None;
        loop {
            if search.is_pausing() && !inner.closed {
                if paused_in != Some(inner.round) {
                    paused_in = Some(inner.round);
                    inner.paused.push(Paused { notes: notes(), ..Paused::default() });
                    self.save_if_all_paused(search, &mut inner);
                    continue;
                }
            } else if let Some(work) = inner.ready.pop_front() {
                inner.waiting -= 1;
                self.note_wanted(&inner);
                return Some(work);
            } else if inner.closed || inner.waiting == self.workers {
                inner.closed = true;
                self.arrival.notify_all();
                return None;
            }
            self.note_wanted(&inner);
            inner = self.arrival.wait(inner).expect("no worker panics while it holds this");
        }
    }

    fn pause(&self, search: &impl Pausing, paused: Paused) {
        let mut inner = self.lock();
        // Workers without work must notice, too.
        self.arrival.notify_all();
        let round = inner.round;
        inner.paused.push(paused);
        self.save_if_all_paused(search, &mut inner);
        while inner.round == round && !inner.closed {
            inner = self.arrival.wait(inner).expect("no worker panics while it holds this");
        }
    }

    fn close(&self) {
        self.lock().closed = true;
        self.arrival.notify_all();
    }
}
