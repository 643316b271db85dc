//! Watches a search from another thread: shows how far it is, and ends it when the user asks for that or memory runs out.
//!
//! The first Ctrl-C (or SIGTERM) ends the search, and its report is still printed. The second one ends the program.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use isospin::verify::{Counters, Progress};

use crate::cli::verify::ProgressKind;
use crate::resources;

/// How often the wish to end is looked at.
const GLANCE: Duration = Duration::from_millis(40);
/// Buffers and generated code; what the program needs by itself is not what a limit is about.
const OWN_MEMORY: u64 = 32 << 20;
/// How often progress is shown.
const REPORT: Duration = Duration::from_secs(1);

/// A thread that watches a search until this is dropped.
pub struct Watch {
    over: Arc<AtomicBool>,
    has_read: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Starts to watch a search that may use so much memory.
    pub fn start(progress: Arc<Progress>, kind: ProgressKind, memory: u64) -> Watch {
        let interrupted = Arc::new(AtomicBool::new(false));
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
            // The shutdown is registered first, so the first signal finds the flag still unset. Without handlers a signal ends the program
            // at once, which is what the system would do anyway.
            let _ = signal_hook::flag::register_conditional_shutdown(signal, 130, interrupted.clone());
            let _ = signal_hook::flag::register(signal, interrupted.clone());
        }
        // A file that outgrows what the user may write is an error of that file, not the end of the program.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
        let (over, has_read) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let watched = Watched { progress, kind, memory, over: over.clone(), has_read: has_read.clone(), interrupted };
        let thread = std::thread::Builder::new().name("watch".into()).spawn(move || watched.run()).ok();
        Watch { over, has_read, thread }
    }

    /// The model is read: what it takes from now on counts.
    pub fn has_read(&self) {
        self.has_read.store(true, Ordering::Relaxed);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // A panic there has been printed and concerns nothing but the display.
            let _ = thread.join();
        }
    }
}

struct Watched {
    progress: Arc<Progress>,
    kind: ProgressKind,
    memory: u64,
    over: Arc<AtomicBool>,
    has_read: Arc<AtomicBool>,
    interrupted: Arc<AtomicBool>,
}

impl Watched {
    fn run(&self) {
        let start = Instant::now();
        let (mut shown, mut before) = (start, Counters::default());
        let line = self.kind == ProgressKind::Auto && std::io::stderr().is_terminal();
        let (mut drawn, mut has_read, mut has_begun) = (false, false, false);
        let most_from_now_on = || resources::memory().saturating_add(OWN_MEMORY).saturating_add(self.memory);
        let mut most = u64::MAX;
        while !self.over.load(Ordering::Relaxed) {
            if !has_read && self.has_read.load(Ordering::Relaxed) {
                has_read = true;
                most = most_from_now_on();
            }
            if !has_begun && self.progress.counters().stored > 0 {
                has_begun = true;
                most = most.max(most_from_now_on());
            }
            // The store keeps to the limit by itself; stacks and queues grow beside it.
            if resources::memory() > most {
                self.progress.exhaust();
            }
            if self.interrupted.load(Ordering::Relaxed) {
                self.progress.stop();
            }
            drawn &= !self.tell_warnings(drawn);
            if shown.elapsed() >= REPORT && (line || self.kind == ProgressKind::Json) {
                let counters = self.progress.counters();
                let rate = counters.stored.saturating_sub(before.stored) as f64 / shown.elapsed().as_secs_f64();
                self.show(counters, rate, start.elapsed());
                (shown, before) = (Instant::now(), counters);
                drawn = line;
            }
            std::thread::park_timeout(GLANCE);
        }
        self.tell_warnings(drawn);
        if drawn {
            let _ = write!(std::io::stderr(), "\r\u{1b}[K");
        }
    }

    /// Writes what the user should know now; whether there was anything.
    fn tell_warnings(&self, drawn: bool) -> bool {
        let warnings = self.progress.take_warnings();
        let start = if drawn { "\r\u{1b}[K" } else { "" };
        // Nobody is helped when a warning that cannot be shown ends the search.
        warnings.iter().for_each(|warning| drop(writeln!(std::io::stderr(), "{start}warning: {warning}")));
        !warnings.is_empty()
    }

    fn show(&self, counters: Counters, rate: f64, elapsed: Duration) {
        let Counters { stored, matched, depth } = counters;
        let memory = resources::memory();
        let mut stderr = std::io::stderr().lock();
        // Nobody is helped when progress that cannot be shown ends the search.
        let _ = if self.kind == ProgressKind::Json {
            let transitions = stored + matched;
            let document = serde_json::json!({
                "schema": "isospin.progress/1", "seconds": elapsed.as_secs_f64(), "states": stored,
                "transitions": transitions, "depth": depth, "states_per_second": rate, "rss_bytes": memory,
                "nearest": self.progress.nearest(),
            });
            writeln!(stderr, "{document}")
        } else {
            let (millions, memory) = (stored as f64 / 1e6, memory as f64 / 1e6);
            let seconds = elapsed.as_secs();
            let nearest = self.progress.nearest().map_or(String::new(), |estimate| format!(", nearest {estimate}"));
            let line = format!(
                "{seconds} s: {millions:.2} M states, {:.2} M/s, depth {depth}{nearest}, {memory:.0} MB",
                rate / 1e6
            );
            // A line that is broken by the terminal cannot be written over.
            let width =
                terminal_size::terminal_size_of(std::io::stderr()).map_or(usize::MAX, |(width, _)| width.0.into());
            let shown: String = line.chars().take(width.saturating_sub(1)).collect();
            write!(stderr, "\r\u{1b}[K{shown}").and_then(|()| stderr.flush())
        };
    }
}
