//! Sees to it that a verification ends when it is asked to.
//!
//! A search looks at its limits all the time. But a model of a hundred thousand statements takes long to read and to prepare, and a single state may
//! have a million successors: nobody looks then. So the work is done by a thread of its own, and when that thread has been asked to end, or its time
//! is up, and it does not look, it is left to itself: the report says what is known, and the end of the program is its end.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use isospin::verify::{
    self, Cause, Counts, During, Event, Finding, Impatience as Ended, Job, Notice, Options, Progress, Property,
    Refusal, Verdict,
};

use crate::console::Exit;
use crate::model;

/// How often the thread is looked after.
const GLANCE: Duration = Duration::from_millis(50);
/// How long it may take to notice that it was asked to end.
const PATIENCE: Duration = Duration::from_secs(2);
/// The same when it saves its work first.
const PATIENCE_WITH_CHECKPOINTS: Duration = Duration::from_secs(20);

/// What the thread tells.
enum Told {
    Event(Event),
    Done(Result<(), Refusal>),
}

/// Verifies a model. What could not be ended in time is unknown, or violated if that much is known.
pub fn verify(job: Job, options: &Options) -> Result<Vec<Finding>, Refusal> {
    let (progress, copy) = (job.progress.clone(), options.clone());
    supervise(&progress, options, move |tell| verify::verify_each(&job, &copy, tell))
}

/// What the work tells, as long as one waits for it.
fn supervise(
    progress: &Progress,
    options: &Options,
    work: impl FnOnce(&dyn Fn(Event)) -> Result<(), Refusal> + Send + 'static,
) -> Result<Vec<Finding>, Refusal> {
    let (sender, receiver) = mpsc::channel();
    // Nobody listens any more if it took too long.
    let work = move || {
        let outcome = work(&|event| drop(sender.send(Told::Event(event))));
        let _ = sender.send(Told::Done(outcome));
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
            Some(_) if !progress.is_over() => PATIENCE_WITH_CHECKPOINTS,
            _ => PATIENCE,
        };
        if since.since.elapsed() > patience {
            let during = match (progress.is_violated(), progress.is_over()) {
                (true, _) => During::Telling,
                (false, true) => During::Finishing,
                (false, false) => During::Preparing,
            };
            let because = late(time_is_up, progress.is_interrupted(), during);
            let counters = progress.counters();
            let counts = Counts {
                states: counters.stored,
                matched: counters.matched,
                depth: counters.depth,
                time: begun.elapsed(),
                ..Counts::default()
            };
            let mut left = planned.into_iter().skip(findings.len());
            let at_hand = |property| match during {
                During::Telling => untold(property, &because, counts),
                During::Finishing | During::Preparing | During::Reading => {
                    Finding { counts, ..Finding::unknown(property, because.clone()) }
                }
            };
            findings.extend(left.next().map(at_hand));
            let because = late(time_is_up, progress.is_interrupted(), During::Preparing);
            findings.extend(left.map(|property| Finding::unknown(property, because.clone())));
            return Ok(findings);
        }
    }
}

/// Reads a model, which never looks at limits: what is not done in time is left to itself.
pub fn read<T: Send + 'static>(
    time: Option<Duration>,
    progress: &Progress,
    work: impl FnOnce() -> Result<T, Exit> + Send + 'static,
) -> Result<Result<T, Cause>, Exit> {
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
            return Ok(Err(late(time_is_up, progress.is_interrupted(), During::Reading)));
        }
    }
}

/// Whether what is written of a finding takes too long: longer than the limit of time leaves, or than one waits after a signal.
pub struct Impatience<'a> {
    progress: &'a Progress,
    begun: Instant,
    /// What is left of the time limit, but never nothing: most files are written in no time.
    left: Option<Duration>,
    interrupted: Option<Instant>,
}

impl<'a> Impatience<'a> {
    /// Writing begins.
    pub fn new(progress: &'a Progress, limit: Option<Duration>, finding: &Finding) -> Impatience<'a> {
        let left = limit.map(|limit| limit.saturating_sub(finding.counts.time).max(PATIENCE));
        Impatience { progress, begun: Instant::now(), left, interrupted: None }
    }

    /// Whether nobody waits any longer.
    pub fn is_great(&mut self) -> bool {
        if self.progress.is_interrupted() {
            self.interrupted.get_or_insert_with(Instant::now);
        }
        self.left.is_some_and(|left| self.begun.elapsed() > left)
            || self.interrupted.is_some_and(|since| since.elapsed() > PATIENCE)
    }
}

/// Since when the thread has not looked, and how often it had before.
#[derive(Clone, Copy)]
struct Deaf {
    looks: u64,
    since: Instant,
}

/// A property that is violated, but the run that shows it was not worked out in time.
fn untold(property: Property, because: &Cause, counts: Counts) -> Finding {
    Finding {
        verdict: Verdict::Violated,
        violations: 1,
        counts,
        notices: vec![Notice::NoCounterexample(because.clone())],
        ..Finding::unknown(property, because.clone())
    }
}

fn late(time_is_up: bool, interrupted: bool, during: During) -> Cause {
    let because = match (interrupted, time_is_up) {
        (true, _) => Ended::Interrupted,
        (false, true) => Ended::Time,
        (false, false) => Ended::Memory,
    };
    Cause::Late { because, during }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(text: &str) -> Job {
        Job::new(oracle::ours::machine(text).expect("a model"))
    }

    /// Verifies, and then works on for so long that nobody can wait for it.
    fn verify_and_dawdle(text: &str) -> Vec<Finding> {
        let job = job(text);
        let progress = job.progress.clone();
        let mut options = Options::default();
        options.limits.time = Some(Duration::from_millis(1));
        let work = move |tell: &dyn Fn(Event)| {
            tell(Event::Planned(vec![Property::Safety, Property::InfiniteRuns("p".into())]));
            tell(Event::Begun);
            verify::verify(&job, &Options::default())?;
            std::thread::sleep(Duration::from_secs(1000));
            Ok(())
        };
        supervise(&progress, &options, work).unwrap_or_else(|refusal| panic!("{refusal}"))
    }

    #[test]
    fn a_violation_stays_one_when_there_is_no_time_to_tell_its_run() {
        let begun = Instant::now();
        let found = verify_and_dawdle("active proctype P() { assert(false) }");
        assert!(begun.elapsed() < PATIENCE + Duration::from_secs(20), "{:?}", begun.elapsed());
        assert_eq!((&found[0].verdict, found[0].violations, found.len()), (&Verdict::Violated, 1, 2));
        assert!(
            found[0].counterexample.is_none() && found[0].notices[0].to_string().contains("the time was up"),
            "{:?}",
            found[0]
        );
        assert!(matches!(found[1].verdict, Verdict::Unknown(_)), "{:?}", found[1]);
    }

    #[test]
    fn a_search_that_found_nothing_is_unknown_when_it_is_not_told_in_time() {
        let found = verify_and_dawdle("active proctype P() { assert(true) }");
        assert!(matches!(found[0].verdict, Verdict::Unknown(_)), "{:?}", found[0]);
    }
}
