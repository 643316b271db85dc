//! `isospin replay`: is a trace a run of the model, and does it end where it claims?

use std::io::Read as _;
use std::path::{Path, PathBuf};

use machine::claim::Subject;
use machine::replay::{Replay, Verdict};
use machine::simulate::Run;
use machine::spin::{self, Followed, Numbering, SpinRun};
use machine::trace::{End, EndKind, Origin, Trace};
use machine::{FullChannels, Machine};

use crate::cli::replay::ReplayArguments;
use crate::console::Exit;
use crate::listing::{Listing, Summary};
use crate::model::{self, Additions, EmbeddedC, Hidden, Input};
use crate::{outputs, run_files, trace_file};

/// Replays a trace.
pub fn run(arguments: &ReplayArguments) -> Exit {
    match replay(arguments) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn replay(arguments: &ReplayArguments) -> Result<Exit, Exit> {
    let read: Vec<&Path> = [&arguments.model].into_iter().chain(&arguments.trace).map(PathBuf::as_path).collect();
    outputs::refuse_clashes(&read, &arguments.listing.files())?;
    match &arguments.trace {
        Some(path) if !is_trail(path) => {
            let trace = trace_file::read(path).map_err(|error| model::refuse(&error))?;
            let full_channels = model::full_channels(trace.origin.message_loss || arguments.lossy);
            let mut input = read_for(&trace, arguments, full_channels)?;
            input.forget(&trace.origin.unchecked);
            check_origin(&input, &trace, arguments)?;
            own_trace(input, &trace, arguments)
        }
        _ if arguments.force => {
            Err(model::refuse("--force is for traces; SPIN's runs do not say for which text they were made"))
        }
        _ => spin_run(arguments),
    }
}

/// The model, with the formula or claims that the trace was made for if the model itself has none of that name.
pub fn read_for(trace: &Trace, arguments: &ReplayArguments, full_channels: FullChannels) -> Result<Input, Exit> {
    // A claim is evaluated on states, so what it asks about has to be part of them.
    let hidden = if trace.end.kind.is_judged() { Hidden::InState } else { Hidden::Outside };
    let additions = Additions { claims: trace.origin.claims.clone(), ..Additions::default() };
    let input = read(arguments, full_channels, hidden, &additions)?;
    let named = |name: &String| match Subject::named(&input.machine, name) {
        Some(Subject::Formula(index)) => Some(&input.machine.ltl[index]),
        _ => None,
    };
    match (&trace.origin.formula, trace.origin.property.as_ref().and_then(named)) {
        (Some(block), Some(property)) => {
            let own = property.block(&input.machine.sources);
            if !arguments.force && !block.split_whitespace().eq(own.split_whitespace()) {
                let message = format!("the trace was made for `{block}`, but the model says `{own}`");
                return Err(model::refuse(&message));
            }
            Ok(input)
        }
        (Some(block), None) => {
            let additions = Additions { blocks: vec![block.clone()], ..additions };
            read(arguments, full_channels, hidden, &additions)
        }
        (None, _) => Ok(input),
    }
}

fn read(
    arguments: &ReplayArguments,
    full_channels: FullChannels,
    hidden: Hidden,
    additions: &Additions,
) -> Result<Input, Exit> {
    let embedded_c = EmbeddedC::allowed(arguments.allow_c);
    model::read_with(&arguments.model, &arguments.source, full_channels, hidden, embedded_c, additions)
}

/// SPIN's verifiers name their trails so. `isospin spin` keeps its own traces under that name too, where SPIN has no form for them.
pub fn is_trail(path: &Path) -> bool {
    let is_json = || {
        let mut first = [0];
        std::fs::File::open(path).is_ok_and(|mut file| file.read_exact(&mut first).is_ok() && first == *b"{")
    };
    path.extension().is_some_and(|extension| extension == "trail") && !is_json()
}

/// A run that SPIN found. It does not say how it ends, so what is judged is whether it ends in an error at all.
fn spin_run(arguments: &ReplayArguments) -> Result<Exit, Exit> {
    let (told, path) = read_spin_run(arguments)?;
    let full_channels = model::full_channels(arguments.lossy);
    let input = read(arguments, full_channels, Hidden::Outside, &Additions::default())?;
    let numbering = Numbering::new(&input.machine, &input.bodies());
    let Followed { run, cycle } = spin::follow(&input.machine, &numbering, &told)
        .map_err(|lost| model::refuse(&format!("{} is no run of this model: {lost}", path.display())))?;

    let cycle_start = cycle.map(|(first, _)| first);
    let mut listing = Listing::new(&arguments.listing);
    listing.start(&input.origin, run.initial());
    for (index, step) in run.steps().iter().enumerate() {
        if cycle_start == Some(index) {
            listing.cycle();
        }
        listing.step(step);
    }
    if cycle_start == Some(run.steps().len()) {
        listing.cycle();
    }
    let (end, verdict) = spin_end(&run, cycle, &told, &input.machine);
    listing.end(&Summary { end: &end, length: run.length(), last: run.view(), waiting: run.stuck(), seed: None });
    let judged = conclude(&mut listing, end.kind, &verdict);
    let printed = listing.finish();
    let kept = run_files::write(run, input.origin.clone(), end, cycle_start, &arguments.listing, &input.texts);
    Ok(judged.max(printed).max(kept))
}

/// The run of a trail as a trace, with its model.
pub fn followed_trail(arguments: &ReplayArguments) -> Result<(Input, Trace), Exit> {
    let (told, path) = read_spin_run(arguments)?;
    let full_channels = model::full_channels(arguments.lossy);
    let input = read(arguments, full_channels, Hidden::Outside, &Additions::default())?;
    let numbering = Numbering::new(&input.machine, &input.bodies());
    let lost = |reason: &str| model::refuse(&format!("{} is no run of this model: {reason}", path.display()));
    let followed = spin::follow(&input.machine, &numbering, &told);
    let Followed { run, cycle } = followed.map_err(|wrong| lost(&wrong.to_string()))?;
    let (end, _) = spin_end(&run, cycle, &told, &input.machine);
    let trace = run.into_trace(input.origin.clone(), end);
    Ok((input, Trace { cycle_start: cycle.map(|(first, _)| first), ..trace }))
}

fn read_spin_run(arguments: &ReplayArguments) -> Result<(SpinRun, &Path), Exit> {
    let read = |path: &Path| {
        std::fs::read_to_string(path)
            .map_err(|error| model::refuse(&format!("cannot read {}: {error}", path.display())))
    };
    let (result, path) = match (arguments.spin_trail.as_ref().or(arguments.trace.as_ref()), &arguments.from_spin_output)
    {
        (Some(path), _) => (spin::read_trail(&read(path)?), path),
        (None, Some(path)) => (spin::read_listing(&read(path)?), path),
        (None, None) => return Err(model::refuse("nothing to replay was named")),
    };
    let run = result.map_err(|error| model::refuse(&format!("{}: {error}", path.display())))?;
    Ok((run, path))
}

/// How SPIN's run ends in our machine.
fn spin_end(run: &Run<'_>, cycle: Option<(usize, bool)>, told: &SpinRun, machine: &Machine) -> (End, Verdict) {
    let end = run.end();
    match cycle {
        Some((_, true)) => {
            // A claim that the model does not have is the one that looks for cycles without progress.
            let own_claim = !machine.claims.is_empty() || !machine.ltl.is_empty();
            let can_accept = !told.with_claim && accepts(machine);
            let kind = if own_claim || can_accept { EndKind::AcceptanceCycle } else { EndKind::NonProgressCycle };
            let note = Some("whether the cycle violates a formula or claim, or lacks progress, was not evaluated");
            (End::new(kind, "the run goes round for ever"), Verdict::Confirmed { note })
        }
        Some((_, false)) => {
            let reason = "the last step does not lead back to the state where the cycle begins".to_string();
            (End::new(EndKind::Stopped, "the cycle does not close"), Verdict::NotConfirmed { reason })
        }
        None if end.kind.is_violation() => (end, Verdict::Confirmed { note: None }),
        None if told.with_claim => {
            let note = Some("the claim itself was not evaluated");
            (End::new(EndKind::Claim, "the never claim decides about this run"), Verdict::Confirmed { note })
        }
        None => (end, Verdict::NotConfirmed { reason: "nothing is wrong where the run ends".to_string() }),
    }
}

/// Whether a process has a label `accept`.
fn accepts(machine: &Machine) -> bool {
    machine.definitions.iter().any(|each| each.automaton.locations.iter().any(|location| location.accept))
}

fn conclude(listing: &mut Listing<'_>, kind: EndKind, verdict: &Verdict) -> Exit {
    match verdict {
        Verdict::Confirmed { note } => {
            listing.remark(&format!("confirmed: {kind}"));
            note.iter().for_each(|note| listing.remark(&format!("  ({note})")));
            Exit::Success
        }
        Verdict::NotConfirmed { reason } => {
            listing.remark(&format!("not confirmed: {kind}"));
            listing.remark(&format!("  {reason}"));
            Exit::Violation
        }
    }
}

/// A trace of another text would fail somewhere with a message that leads nowhere.
pub fn check_origin(input: &Input, trace: &Trace, arguments: &ReplayArguments) -> Result<(), Exit> {
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

/// Executes a trace, or as many steps of it as are wanted, and lists them.
pub fn follow<'m, 't>(
    input: &'m Input,
    trace: &'t Trace,
    origin: &Origin,
    limit: Option<u32>,
    listing: &mut Listing<'_>,
) -> Result<Replay<'m, 't>, Exit> {
    let mut replay = Replay::new(&input.machine, trace).map_err(|mismatch| model::refuse(&mismatch.to_string()))?;
    listing.start(origin, replay.run().initial());
    while limit.is_none_or(|limit| replay.run().length() < limit) && listing.is_open() {
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
    Ok(replay)
}

fn own_trace(input: Input, trace: &Trace, arguments: &ReplayArguments) -> Result<Exit, Exit> {
    let mut listing = Listing::new(&arguments.listing);
    let replay = follow(&input, trace, &trace.origin, None, &mut listing)?;
    let verdict = replay.verdict();
    listing.end(&Summary {
        end: &trace.end,
        length: replay.run().length(),
        last: replay.run().view(),
        waiting: replay.run().stuck(),
        seed: trace.origin.seed,
    });
    let judged = conclude(&mut listing, trace.end.kind, &verdict);
    let printed = listing.finish();
    let (origin, end) = (trace.origin.clone(), trace.end.clone());
    let kept = run_files::write(replay.into_run(), origin, end, trace.cycle_start, &arguments.listing, &input.texts);
    Ok(judged.max(printed).max(kept))
}
