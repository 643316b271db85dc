//! Sees to it that a verification ends when it is asked to.
//!
//! A search looks at its limits all the time. But a model of a hundred thousand statements takes long to read and to prepare, and a single state may
//! have a million successors: nobody looks then. So the work is done by a thread of its own, and when that thread has been asked to end, or its time
//! is up, and it does not look, it is left to itself: the report says what is known, and the end of the program is its end.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use isospin::verify::{self, Counts, Event, Finding, Incomplete, Job, Options, Progress, Refusal};

use crate::console::Exit;
use crate::model;

/// How often the thread is looked after.
const GLANCE: Duration = Duration::from_millis(50);
/// How long it may take to notice that it was asked to end.
const PATIENCE: Duration = Duration::from_secs(2);
/// The same when it saves its work first.
const PATIENCE_WITH_CHECKPOINTS: Duration = Duration::from_secs(20);

/// How long it may take to tell what a search has found, once it was asked to end.
const PATIENCE_WITH_TELLING: Duration = Duration::from_secs(60);

/// What the thread tells.
enum Told {
    Event(Event),
    Done(Result<(), Refusal>),
}

/// Verifies a model. What could not be ended in time is unknown.
pub fn verify(job: Job, options: &Options) -> Result<Vec<Finding>, Refusal> {
    let progress = job.progress.clone();
    let (sender, receiver) = mpsc::channel();
    let work = {
        let options = options.clone();
        move || {
            let outcome = verify::verify_each(&job, &options, |event| drop(sender.send(Told::Event(event))));
            // Nobody listens any more if this took too long.
            let _ = sender.send(Told::Done(outcome));
        }
    };
    let thread = std::thread::Builder::new().name("verify".into()).stack_size(crate::STACK_BYTES).spawn(work);
    let thread = thread.map_err(|error| Refusal { reason: format!("cannot start a thread: {error}") })?;
    let (mut findings, mut planned) = (Vec::new(), Vec::new());
    let mut begun = Instant::now();
    let mut deaf: Option<Deaf> = None;
    loop {
        match receiver.recv_timeout(GLANCE) {
            Ok(Told::Event(Event::Planned(names))) => planned = names,
            Ok(Told::Event(Event::Begun)) => begun = Instant::now(),
            Ok(Told::Event(Event::Found(finding))) => findings.push(*finding),
            Ok(Told::Done(outcome)) => return outcome.map(|()| findings),
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Ok(()) => unreachable!("it says that it is done"),
                Err(panic) => std::panic::resume_unwind(panic),
            },
            Err(RecvTimeoutError::Timeout) => {}
        }
        let time_is_up = options.limits.time.is_some_and(|time| begun.elapsed() > time);
        if !time_is_up && !progress.is_asked_to_end() {
            deaf = None;
            continue;
        }
        let looks = progress.looks();
        let since = deaf.filter(|deaf| deaf.looks == looks).unwrap_or(Deaf { looks, since: Instant::now() });
        deaf = Some(since);
        let patience = match options.checkpoints {
            _ if progress.is_over() => PATIENCE_WITH_TELLING,
            Some(_) => PATIENCE_WITH_CHECKPOINTS,
            None => PATIENCE,
        };
        if since.since.elapsed() > patience {
            let when = if progress.is_over() { When::Afterwards } else { When::Before };
            let because = reason(time_is_up, progress.is_interrupted(), when);
            let counters = progress.counters();
            let counts = Counts {
                states: counters.stored,
                matched: counters.matched,
                depth: counters.depth,
                time: begun.elapsed(),
                ..Counts::default()
            };
            let mut left = planned.into_iter().skip(findings.len());
            findings.extend(left.next().map(|name| Finding { counts, ..Finding::unknown(name, because.clone()) }));
            findings.extend(left.map(|name| Finding::unknown(name, because.clone())));
            return Ok(findings);
        }
    }
}

/// Reads a model, which never looks at limits: what is not done in time is left to itself.
pub fn read<T: Send + 'static>(
    time: Option<Duration>,
    progress: &Progress,
    work: impl FnOnce() -> Result<T, Exit> + Send + 'static,
) -> Result<Result<T, Incomplete>, Exit> {
    let begun = Instant::now();
    let (sender, receiver) = mpsc::channel();
    let thread = std::thread::Builder::new().name("read".into()).stack_size(crate::STACK_BYTES);
    // Nobody listens any more if this took too long.
    let thread = thread.spawn(move || drop(sender.send(work())));
    let thread = thread.map_err(|error| model::refuse(&format!("cannot start a thread: {error}")))?;
    loop {
        match receiver.recv_timeout(GLANCE) {
            Ok(outcome) => return outcome.map(Ok),
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Ok(()) => unreachable!("it says what it has read"),
                Err(panic) => std::panic::resume_unwind(panic),
            },
            Err(RecvTimeoutError::Timeout) => {}
        }
        let time_is_up = time.is_some_and(|time| begun.elapsed() > time);
        if time_is_up || progress.is_asked_to_end() {
            return Ok(Err(reason(time_is_up, progress.is_interrupted(), When::Reading)));
        }
    }
}

/// Since when the thread has not looked, and how often it had before.
#[derive(Clone, Copy)]
struct Deaf {
    looks: u64,
    since: Instant,
}

/// What the thread was at when it was left to itself.
#[derive(Clone, Copy)]
enum When {
    /// It read the model.
    Reading,
    /// It prepared the model, or was held up by a single state.
    Before,
    /// It worked on what the search had found.
    Afterwards,
}

fn reason(time_is_up: bool, interrupted: bool, when: When) -> Incomplete {
    let (cause, advice) = match (interrupted, time_is_up) {
        (true, _) => ("it was interrupted", "run it again"),
        (false, true) => ("the time was up", "raise --max-time"),
        (false, false) => ("memory ran out", "raise --max-memory"),
    };
    let at = match when {
        When::Reading => "while the model was read",
        When::Before => "while the model was prepared",
        When::Afterwards => "when the search was over, but not yet what it had found worked out",
    };
    Incomplete { reason: format!("{cause} {at}"), advice: advice.into(), interrupted }
}
