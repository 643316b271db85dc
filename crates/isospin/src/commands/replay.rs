//! `isospin replay`: is a trace a run of the model, and does it end where it claims?

use machine::replay::{Replay, Verdict};
use machine::trace::Trace;

use crate::cli::replay::ReplayArguments;
use crate::console::Exit;
use crate::keep;
use crate::listing::{Listing, Summary};
use crate::model::{self, Input};
use crate::trace_file;

/// Replays a trace.
pub fn run(arguments: &ReplayArguments) -> Exit {
    match replay(arguments) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn replay(arguments: &ReplayArguments) -> Result<Exit, Exit> {
    match &arguments.trace {
        Some(path) => {
            let trace = trace_file::read(path).map_err(|error| model::refuse(&error))?;
            let full_channels = model::full_channels(trace.origin.message_loss);
            let input = model::read(&arguments.model, &arguments.source, full_channels)?;
            check_origin(&input, &trace, arguments)?;
            own_trace(input, &trace, arguments)
        }
        None => Ok(Exit::Usage),
    }
}

/// A trace of another text would fail somewhere with a message that leads nowhere.
fn check_origin(input: &Input, trace: &Trace, arguments: &ReplayArguments) -> Result<(), Exit> {
    if arguments.force || input.origin.digest == trace.origin.digest {
        return Ok(());
    }
    let mut message = format!("the trace was made for another text than {} has now", arguments.model.display());
    let (then, now) = (&trace.origin.defines, &input.origin.defines);
    if then != now {
        let list = |defines: &[String]| match defines {
            [] => "no definitions".to_string(),
            _ => defines.iter().map(|define| format!("-D {define}")).collect::<Vec<_>>().join(" "),
        };
        message += &format!("\n  it was made with {}, this is with {}", list(then), list(now));
    }
    message += &format!("\n  the trace names the model {}; --force tries all the same", trace.origin.model);
    Err(model::refuse(&message))
}

fn own_trace(input: Input, trace: &Trace, arguments: &ReplayArguments) -> Result<Exit, Exit> {
    let mut listing = Listing::new(&arguments.listing);
    let mut replay = Replay::new(&input.machine, trace).map_err(|mismatch| model::refuse(&mismatch.to_string()))?;
    listing.start(&trace.origin, replay.run().initial());
    while listing.is_open() {
        if trace.cycle_start == Some(replay.run().length() as usize) {
            listing.cycle();
        }
        match replay.step() {
            Ok(Some(step)) => listing.step(&step),
            Ok(None) => break,
            Err(mismatch) => {
                listing.flush();
                return Err(model::refuse(&mismatch.to_string()));
            }
        }
    }
    let verdict = replay.verdict();
    listing.end(&Summary {
        end: &trace.end,
        length: replay.run().length(),
        last: replay.run().view(),
        seed: trace.origin.seed,
    });
    let judged = match verdict {
        Verdict::Confirmed { note } => {
            listing.remark(&format!("confirmed: {}", trace.end.kind));
            note.iter().for_each(|note| listing.remark(&format!("  ({note})")));
            Exit::Success
        }
        Verdict::NotConfirmed { reason } => {
            listing.remark(&format!("not confirmed: {}", trace.end.kind));
            listing.remark(&format!("  {reason}"));
            Exit::Violation
        }
    };
    let printed = listing.finish();
    let kept =
        keep::keep(replay.into_run(), trace.origin.clone(), trace.end.clone(), trace.cycle_start, &arguments.listing);
    Ok(judged.max(printed).max(kept))
}
