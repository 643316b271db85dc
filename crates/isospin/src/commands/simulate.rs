//! `isospin simulate`: one run of a model, chosen by chance, by a person or by a trace.

mod interactive;
mod prompt;

use std::path::{Path, PathBuf};

use machine::random::Random;
use machine::simulate::{History, Run};
use machine::trace::EndKind;

use super::replay;
use crate::cli::listing::ListingArguments;
use crate::cli::simulate::SimulateArguments;
use crate::console::{self, Exit};
use crate::listing::{Listing, Summary};
use crate::model::{self, Additions, EmbeddedC, Hidden, Input};
use crate::{input, outputs, run_files, trace_file};

/// A run is stopped after so many steps.
const STEPS: u32 = 10_000;

/// Runs a model.
pub fn run(arguments: &SimulateArguments) -> Exit {
    match simulate(arguments) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn simulate(arguments: &SimulateArguments) -> Result<Exit, Exit> {
    let read: Vec<&Path> = [&arguments.model].into_iter().chain(&arguments.trace).map(PathBuf::as_path).collect();
    outputs::refuse_clashes(&read, &arguments.listing.files())?;
    if arguments.interactive && input::is_stdin(&arguments.model) {
        return Err(model::refuse(
            "--interactive reads your choices from standard input, so the model has to be a file",
        ));
    }
    let guide = arguments.trace.as_deref().map(trace_file::read).transpose().map_err(|error| model::refuse(&error))?;
    let lossy = arguments.lossy || guide.as_ref().is_some_and(|trace| trace.origin.message_loss);
    let (full_channels, embedded_c) = (model::full_channels(lossy), EmbeddedC::allowed(arguments.allow_c));
    let (path, source) = (&arguments.model, &arguments.source);
    let additions = Additions::default();
    let mut input = model::read_with(path, source, full_channels, Hidden::Outside, embedded_c, &additions)?;
    if let Some(trace) = &guide {
        input.forget(&trace.origin.unchecked);
    }
    // Whoever chooses steps sees what they were.
    let options = ListingArguments {
        statements: arguments.listing.statements || arguments.interactive,
        ..arguments.listing.clone()
    };
    let mut listing = Listing::new(&options);
    let steps = arguments.steps.unwrap_or(STEPS);
    note_unused(arguments);
    let seed = arguments.seed.unwrap_or_else(new_seed);
    let is_random = guide.is_none() && !arguments.interactive;
    input.origin.seed = is_random.then_some(seed);

    let mut run = match &guide {
        Some(trace) => replay::follow(&input, trace, &input.origin, Some(steps), &mut listing)?.into_run(),
        None => begin(&input, arguments, &mut listing)?,
    };
    let mut random = Random::new(seed);
    if arguments.interactive {
        interactive::explore(&mut run, &mut random, &mut listing)?;
    } else if is_random {
        wander(&mut run, &mut random, steps, &mut listing);
    }

    let mut end = run.end();
    if end.kind == EndKind::Stopped && is_random {
        end.message = format!("stopped after {} steps (--steps)", run.length());
    }
    listing.end(&Summary {
        end: &end,
        length: run.length(),
        last: run.view(),
        waiting: run.stuck(),
        seed: input.origin.seed,
    });
    let printed = listing.finish();
    let violation = if end.kind.is_violation() { Exit::Violation } else { Exit::Success };
    let kept = run_files::write(run, input.origin.clone(), end, None, &arguments.listing, &input.texts);
    Ok(printed.max(violation).max(kept))
}

/// Says which options have no meaning beside others.
fn note_unused(arguments: &SimulateArguments) {
    if arguments.seed.is_some() && arguments.trace.is_some() && !arguments.interactive {
        console::note("--seed is not used here: the trace says what happens");
    }
    if arguments.steps.is_some() && arguments.interactive && arguments.trace.is_none() {
        console::note("--steps is not used here: you say when to stop");
    }
}

fn begin<'m>(input: &'m Input, arguments: &SimulateArguments, listing: &mut Listing<'_>) -> Result<Run<'m>, Exit> {
    let options = &arguments.listing;
    let keep = arguments.interactive || options.save.is_some() || options.msc.is_some();
    let history = if keep { History::Keep } else { History::Forget };
    let run = Run::new(&input.machine, history).map_err(|error| {
        console::error(&format!("the model has no initial state: {}", error.message));
        Exit::Violation
    })?;
    listing.start(&input.origin, run.initial());
    Ok(run)
}

/// A random run, to its end or to the limit.
fn wander(run: &mut Run<'_>, random: &mut Random, limit: u32, listing: &mut Listing<'_>) {
    while run.length() < limit
        && listing.is_open()
        && run.failure().is_none()
        && let Some(choice) = run.pick(random)
    {
        listing.step(&run.take(choice));
    }
}

/// A seed that nobody chose.
fn new_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |elapsed| u64::from(elapsed.subsec_nanos()) ^ elapsed.as_secs()) % 1_000_000
}
