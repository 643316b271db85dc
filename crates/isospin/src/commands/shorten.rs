//! `isospin shorten`: a shorter run to the violation of a trace, whoever made it.
//!
//! The run is replayed first. Then a search that is bounded by its length looks for the same violation; a run that goes on for ever, or that a
//! formula judges, is looked for as `verify --shortest` does it.

use std::path::{Path, PathBuf};

use isospin::verify::{
    self, Effort, Finding, Job, Limits, Optimal, Options, Order, Properties, Shortened, Switch, Verdict,
};
use machine::replay::{Replay, Verdict as Replayed};
use machine::trace::Trace;

use super::replay::{check_origin, followed_trail, is_trail, read_for};
use crate::cli::shorten::ShortenArguments;
use crate::console::{self, Exit};
use crate::model::{self, Input};
use crate::{outputs, trace_file};

/// Shortens a trace.
pub fn run(arguments: &ShortenArguments) -> Exit {
    match shorten(arguments) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn shorten(arguments: &ShortenArguments) -> Result<Exit, Exit> {
    let output = arguments.output.clone().unwrap_or_else(|| beside(&arguments.trace));
    outputs::refuse_clashes(&[&arguments.model, &arguments.trace], &[("--output", Some(&output))])?;
    let (input, trace) = read(arguments)?;
    let effort = Effort {
        states: None,
        time: arguments.max_time,
        memory: arguments.max_memory.unwrap_or(Limits::default().memory),
    };
    let job = Job { origin: input.origin.clone(), ..Job::new(input.machine) };
    let found = match trace.end.kind.is_judged() {
        true => judged(&job, &trace, effort),
        false => verify::shorten(&job, &trace, &Options::default(), effort),
    };
    let found = found.map_err(|refusal| model::refuse(&refusal.reason))?;
    tell(&trace, found, &output)
}

/// The model and the run, which is a run of the model that ends where it claims.
fn read(arguments: &ShortenArguments) -> Result<(Input, Trace), Exit> {
    let replayed = arguments.to_replay();
    if is_trail(&arguments.trace) {
        return followed_trail(&replayed);
    }
    let trace = trace_file::read(&arguments.trace).map_err(|error| model::refuse(&error))?;
    let full_channels = model::full_channels(trace.origin.message_loss || arguments.lossy);
    let mut input = read_for(&trace, &replayed, full_channels)?;
    input.forget(&trace.origin.unchecked);
    check_origin(&input, &trace, &replayed)?;
    let refuse = |reason: &str| model::refuse(&format!("{} is not confirmed: {reason}", arguments.trace.display()));
    let mut replay = Replay::new(&input.machine, &trace).map_err(|mismatch| refuse(&mismatch.to_string()))?;
    while replay.step().map_err(|mismatch| refuse(&mismatch.to_string()))?.is_some() {}
    match replay.verdict() {
        Replayed::Confirmed { .. } => Ok((input, trace)),
        Replayed::NotConfirmed { reason } => Err(refuse(&reason)),
    }
}

/// A shorter run that violates the property of a trace.
fn judged(job: &Job, trace: &Trace, effort: Effort) -> Result<Shortened, verify::Refusal> {
    let nothing = || verify::Refusal { reason: "the trace does not say which property it violates".into() };
    let property = trace.origin.property.clone().ok_or_else(nothing)?;
    let options = Options {
        properties: Properties::Named(vec![property]),
        order: Order::Shortest,
        partial_order: Switch::Off,
        merging: Switch::Off,
        limits: Limits { time: Some(effort.time), memory: effort.memory, ..Limits::default() },
        ..Options::default()
    };
    let mut finding: Finding = verify::verify(job, &options)?.into_iter().next().ok_or_else(nothing)?;
    let found = finding.counterexample.take();
    let may_be_shorter = finding.notices.iter().any(|notice| matches!(notice, verify::Notice::PerhapsShorter(_)));
    let optimal = match finding.verdict == Verdict::Violated && !may_be_shorter {
        true => Optimal::Proved,
        false => Optimal::No,
    };
    let trace = found.filter(|found| found.steps.len() <= trace.steps.len());
    Ok(Shortened { trace, optimal, finding })
}

fn tell(before: &Trace, found: Shortened, output: &Path) -> Result<Exit, Exit> {
    let length = before.steps.len();
    let Shortened { trace, optimal, finding } = found;
    let Some(trace) = trace.filter(|trace| trace.steps.len() < length) else {
        return Ok(match (optimal, finding.verdict) {
            (Optimal::Proved, _) => console::print(&format!("no run is shorter than these {length} steps\n")),
            (Optimal::No, Verdict::Unknown(cause)) => {
                let reason = isospin::report::reason(&cause);
                console::print(&format!("no run shorter than {length} steps was found: {reason}\n"))
                    .max(Exit::Incomplete)
            }
            (Optimal::No, _) => {
                console::print(&format!("no run shorter than {length} steps was found\n")).max(Exit::Incomplete)
            }
        });
    };
    trace_file::write(output, &trace, || false).map_err(|message| console::unwritten(&message))?;
    let shortest = if optimal == Optimal::Proved { ", proved shortest" } else { ", perhaps not shortest" };
    let text = format!("{} steps instead of {length}{shortest}, in {}\n", trace.steps.len(), output.display());
    Ok(console::print(&text))
}

/// `m.pml.trace.json` becomes `m.pml.short.trace.json`, `m.pml.trail` the same.
fn beside(trace: &Path) -> PathBuf {
    let name = trace.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = [".trace.json", ".json", ".trail"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
    trace.with_file_name(format!("{stem}.short.trace.json"))
}
