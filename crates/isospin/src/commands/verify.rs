//! `isospin verify`: the main job.

use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use isospin::report::{self, Attempt, Report, Reported, Resources, TextOptions};
use isospin::verify::{
    AfterViolation, Branching, Cause, Certificate, Checkpoints, Choice as _, Confirm, Effort, Errors, Fairness,
    Finding, Given, HiddenVariables, Job, Limits, Notice, Options, Order, Progress, Properties, Property, Shortening,
    Strategy, Switch, Symmetry, Unusable, Verdict,
};
use machine::Machine;
use machine::claim::Subject;
use machine::trace::{Check, EndKind, Origin};

use crate::cli::verify::{ConfirmKind, Reduce, SymmetryKind, VerifyArguments};
use crate::console::{self, Exit};
use crate::model::{self, Additions, EmbeddedC, Hidden};
use crate::supervise::Impatience;
use crate::watch::Watch;
use crate::{branching, declared, diagnostics, input, outputs, reproducer, resources, supervise, trace_file};

/// A group with more elements than this is not enumerated.
const MOST_ELEMENTS: u64 = 1_000_000;

/// Searches are saved so often.
const INTERVAL: Duration = Duration::from_secs(600);

/// Verifies models.
pub fn run(arguments: &VerifyArguments) -> Exit {
    let several = arguments.models.len() > 1;
    if several && let Some(option) = for_one_model(arguments) {
        return model::refuse(&format!("{option} names one file: it cannot be used with several models"));
    }
    if let Err(refused) = refuse_clashes(arguments) {
        return refused;
    }
    if arguments.checkpoint_interval.is_some() && arguments.checkpoint.is_none() && arguments.resume.is_none() {
        return model::refuse("--checkpoint-interval says how often a search is saved: --checkpoint FILE says where");
    }
    let is_shortest = |order| matches!(order, Order::BreadthFirst | Order::AStar | Order::Deepening);
    if let Some(order) = arguments.search.filter(|&order| arguments.shortest && !is_shortest(order)) {
        let order = order.word();
        return model::refuse(&format!(
            "--shortest searches breadth first, by A* or by iterative deepening: it cannot be used with --search {order}"
        ));
    }
    if arguments.shortest && arguments.weight.is_some_and(|weight| weight.number() > 1.0) {
        return model::refuse("--shortest finds a shortest run: it cannot be used with a --weight above 1");
    }
    if arguments.certificate.is_some() && (arguments.no_assertions || arguments.no_exclusive) {
        return model::refuse(
            "--certificate proves that every check succeeds: it cannot be used with --no-assertions or --no-exclusive",
        );
    }
    let (mut exit, mut attempts) = (Exit::Success, Vec::new());
    for path in &arguments.models {
        if exit == Exit::Interrupted {
            attempts.push(Attempt::Skipped { model: input::name(path) });
            continue;
        }
        match verify_model(path, arguments) {
            Ok(report) => {
                exit = exit.max(report.summary().into());
                if !arguments.json {
                    exit = exit.max(console::print(&report::to_text(&report, text_options())));
                }
                attempts.push(Attempt::Verified(report));
            }
            Err(refused) => {
                exit = exit.max(refused);
                attempts.push(Attempt::Refused { model: input::name(path) });
            }
        }
    }
    exit.max(conclude(arguments, &attempts))
}

/// What is printed and written when all models have been looked at.
fn conclude(arguments: &VerifyArguments, attempts: &[Attempt]) -> Exit {
    let printed = match attempts {
        [Attempt::Verified(report)] if arguments.json => console::print(&report::to_json(report)),
        [_] => Exit::Success,
        _ if arguments.json => console::print(&report::several_to_json(attempts)),
        _ => console::print(&report::summary_table(attempts)),
    };
    let file = |path: &Option<PathBuf>, text: fn(&[Attempt]) -> String| {
        path.as_ref().map_or(Exit::Success, |path| write_file(path, &text(attempts)))
    };
    let page = match attempts {
        [Attempt::Refused { .. } | Attempt::Skipped { .. }] => Exit::Success,
        _ => file(&arguments.html, report::to_html),
    };
    let rendered = file(&arguments.junit, report::to_junit).max(file(&arguments.sarif, report::to_sarif));
    let coverage = arguments.lcov.as_ref().map_or(Exit::Success, |path| match report::to_lcov(attempts) {
        Some(text) => write_file(path, &text),
        None => {
            let why = "only the search for safety counts what is executed, and there was none";
            console::unwritten(&format!("cannot write {}: {why}", path.display()))
        }
    });
    printed.max(page).max(rendered).max(coverage)
}

fn refuse_clashes(arguments: &VerifyArguments) -> Result<(), Exit> {
    let others = arguments.claim.iter().chain(&arguments.symmetry_file);
    let read: Vec<&Path> = arguments.models.iter().chain(others).map(PathBuf::as_path).collect();
    let written = [
        ("--trace", arguments.trace.as_ref()),
        ("--html", arguments.html.as_ref()),
        ("--junit", arguments.junit.as_ref()),
        ("--sarif", arguments.sarif.as_ref()),
        ("--lcov", arguments.lcov.as_ref()),
        ("--certificate", arguments.certificate.as_ref()),
        ("--checkpoint", arguments.checkpoint.as_ref()),
        ("--resume", arguments.resume.as_ref().filter(|_| arguments.checkpoint.is_none())),
    ];
    outputs::refuse_clashes(&read, &written)
}

/// An option that makes sense for one model only.
fn for_one_model(arguments: &VerifyArguments) -> Option<&'static str> {
    let files = [
        ("--trace", &arguments.trace),
        ("--checkpoint", &arguments.checkpoint),
        ("--resume", &arguments.resume),
        ("--certificate", &arguments.certificate),
    ];
    files.into_iter().find(|(_, file)| file.is_some()).map(|(option, _)| option)
}

fn text_options() -> TextOptions {
    TextOptions { width: console::width(), ..TextOptions::default() }
}

fn write_file(path: &Path, text: &str) -> Exit {
    outputs::write(path, text).map_or_else(|message| console::unwritten(&message), |()| Exit::Success)
}

/// Verifies one model and writes its traces.
pub fn verify_model(path: &Path, arguments: &VerifyArguments) -> Result<Report, Exit> {
    let start = Instant::now();
    let full_channels = model::full_channels(arguments.lossy);
    let embedded_c = EmbeddedC::allowed(arguments.allow_c);
    let additions = Additions::new(&arguments.ltl, &arguments.claim)?
        .with_ctl(&arguments.ctl)?
        .with_goal(arguments.goal.as_deref());
    let progress = Arc::new(Progress::new());
    let memory = arguments.max_memory.unwrap_or(Options::default().limits.memory);
    let watch = Watch::start(progress.clone(), arguments.progress, memory);
    let read = {
        let (path, source) = (path.to_owned(), arguments.source.clone());
        move || model::read_with(&path, &source, full_channels, Hidden::InState, embedded_c, &additions)
    };
    let mut input = match supervise::read(arguments.max_time, &progress, read)? {
        Ok(input) => input,
        Err(incomplete) => return Ok(unread(path, arguments, start, &incomplete)),
    };
    let unchecked =
        [arguments.no_assertions.then_some(Check::Assertions), arguments.no_exclusive.then_some(Check::ExclusiveEnds)];
    input.forget(&unchecked.into_iter().flatten().collect::<Vec<Check>>());
    let warnings = diagnostics::warnings(&input.loaded);
    let machine = input.machine;
    let options = options(arguments, &machine, &input.branching);
    let declared = match &arguments.symmetry_file {
        Some(_) if options.symmetry == Symmetry::Off => {
            return Err(model::refuse("--symmetry-file asks for symmetry, and other options for none"));
        }
        Some(path) => Some(declared::read(path, &machine, options.dead_variables(&machine))?),
        None => None,
    };
    let planted_fault = reproducer::planted_fault();
    let (origin, branching, goal) = (input.origin, input.branching, input.goal);
    let machine = Arc::new(machine);
    let job = Job { machine, origin: origin.clone(), progress, declared, branching, goal, planted_fault };
    let compile_time = start.elapsed();
    watch.has_read();
    let progress = job.progress.clone();
    let findings = supervise::verify(job, &options);
    let findings = findings.map_err(|refusal| model::refuse(&refusal.reason))?;
    let mut reported: Vec<Reported> = Vec::new();
    for mut finding in findings {
        let is_first = reported.iter().all(|earlier| earlier.finding.counterexample.is_none());
        let mut impatience = Impatience::new(&progress, arguments.max_time, &finding);
        let enough = || impatience.is_great();
        let trace_file = write_trace(path, arguments, &finding, is_first, enough).unwrap_or_else(|message| {
            finding.notices.push(Notice::TraceNotWritten(message));
            None
        });
        finding.notices.extend(remove_stale(path, arguments, &origin, &finding));
        let bug_report = finding.contradiction.as_ref().map(|contradiction| {
            let beside = trace_file.as_ref().map_or_else(|| input::beside(path, ".trace.json"), PathBuf::from);
            reproducer::write(path, &beside, &arguments.source, finding.property.name(), contradiction)
        });
        reported.push(Reported { finding, trace_file, bug_report });
    }
    drop(watch);
    if let Some(path) = &arguments.certificate {
        write_certificate(path, &reported)?;
    }
    let report = Report {
        model: input::name(path),
        findings: reported,
        resources: Resources {
            time: start.elapsed(),
            compile_time,
            peak_rss_bytes: resources::peak_memory(),
            workers: options.workers.get(),
        },
        source_options: options_to_repeat(arguments),
        sources: input.texts,
        warnings,
    };
    Ok(report)
}

/// Writes the certificate of what holds. If nothing does, that of an earlier run is removed: it would mislead.
fn write_certificate(path: &Path, reported: &[Reported]) -> Result<(), Exit> {
    let parts: Vec<&Certificate> = reported.iter().filter_map(|each| each.finding.certificate.as_ref()).collect();
    if parts.is_empty() {
        if std::fs::read(path).is_ok_and(|bytes| bytes.starts_with(certify::file::MAGIC)) {
            let removed = std::fs::remove_file(path);
            removed.map_err(|error| console::unwritten(&format!("cannot remove {}: {error}", path.display())))?;
        }
        return Ok(());
    }
    let written = outputs::write_with(path, |file| file.write_all(&Certificate::file(&parts)));
    written.map_err(|message| console::unwritten(&message))
}

/// The report on a model that could not be read in time: what it asks for is not known.
fn unread(path: &Path, arguments: &VerifyArguments, start: Instant, cause: &Cause) -> Report {
    let named = |name: &String| match name {
        name if name == Property::Safety.name() => Property::Safety,
        name => Property::InfiniteRuns(name.clone()),
    };
    let mut asked: Vec<Property> = arguments.property.iter().map(named).collect();
    if asked.is_empty() {
        asked.push(Property::Safety);
    }
    let finding =
        |property| Reported { finding: Finding::unknown(property, cause.clone()), trace_file: None, bug_report: None };
    Report {
        model: input::name(path),
        findings: asked.into_iter().map(finding).collect(),
        resources: Resources {
            time: start.elapsed(),
            compile_time: start.elapsed(),
            peak_rss_bytes: resources::peak_memory(),
            workers: arguments.workers.unwrap_or(Options::default().workers).get(),
        },
        source_options: options_to_repeat(arguments),
        sources: Vec::new(),
        warnings: Vec::new(),
    }
}

/// What another command needs to read and run the same model.
fn options_to_repeat(arguments: &VerifyArguments) -> Vec<String> {
    let mut words = arguments.source.words();
    words.extend(arguments.allow_c.then(|| "--allow-c".to_string()));
    words
}

fn options(arguments: &VerifyArguments, machine: &Machine, branching: &[Branching]) -> Options {
    let defaults = Options::default();
    let given = names_given(arguments);
    let properties = match (arguments.safety, arguments.property.is_empty()) {
        (true, _) if given.is_empty() && arguments.goal.is_none() => Properties::Safety,
        // What is asked for here is checked, whatever the file asks for.
        (true, _) => Properties::Named(
            [
                vec![Property::Safety.name().to_string()],
                all_called(&given, machine, branching),
                names_of_goal(arguments),
            ]
            .concat(),
        ),
        (false, true) if arguments.goal.is_some() => Properties::Named([given, names_of_goal(arguments)].concat()),
        (false, true) => Properties::All,
        (false, false) if arguments.exact_names => Properties::Named(arguments.property.clone()),
        (false, false) => Properties::Named(all_called(&arguments.property, machine, branching)),
    };
    let reduce = match arguments.reduce {
        Reduce::All => Switch::On,
        Reduce::None => Switch::Off,
    };
    // Partial order and merging keep a counterexample, but not always a shortest one.
    let wants_shortest = arguments.shortest || arguments.search.is_some_and(Order::adds_depth);
    let by_default = if wants_shortest { Switch::Off } else { reduce };
    let partial_order = arguments.por.unwrap_or(by_default);
    let merging = arguments.merge.unwrap_or(partial_order);
    let dead = arguments.dead.unwrap_or(reduce);
    let symmetry = match (arguments.symmetry, arguments.reduce) {
        (Some(kind), _) => symmetry(kind),
        (None, Reduce::All) => symmetry(SymmetryKind::Auto),
        (None, Reduce::None) => Symmetry::Off,
    };
    // What is not reduced at all, or asked for in SPIN's words, has SPIN's meaning.
    let is_reduced = [partial_order, merging, dead].contains(&Switch::On) || symmetry != Symmetry::Off;
    let hidden = match arguments.is_translated || !is_reduced {
        true => HiddenVariables::Ignored,
        false => HiddenVariables::Compared,
    };
    Options {
        properties,
        fairness: arguments.fairness,
        engine: arguments.engine,
        store: arguments.store.unwrap_or_default(),
        order: arguments.search.unwrap_or(match arguments.shortest {
            true => Order::Shortest,
            false => Order::DepthFirst,
        }),
        heuristic: arguments.heuristic.unwrap_or_default(),
        weight: arguments.weight.unwrap_or(defaults.weight),
        width: arguments.width.unwrap_or(defaults.width),
        workers: workers(arguments, machine),
        errors: if arguments.all_errors { Errors::All } else { Errors::First },
        after_violation: match arguments.is_translated && !arguments.all_errors {
            true => AfterViolation::End,
            false => AfterViolation::GoOn,
        },
        limits: Limits {
            depth: arguments.max_depth,
            states: arguments.max_states,
            time: arguments.max_time,
            memory: arguments.max_memory.unwrap_or(defaults.limits.memory),
        },
        partial_order,
        merging,
        dead,
        symmetry,
        hidden,
        // Who asks for a strategy gets it.
        patience: match arguments.symmetry {
            None | Some(SymmetryKind::Auto) => defaults.patience,
            Some(_) => None,
        },
        weighing: defaults.weighing,
        audit: if arguments.audit { Switch::On } else { Switch::Off },
        end_states: if arguments.no_end_states { Switch::Off } else { Switch::On },
        seed: arguments.seed,
        swarm: arguments.swarm,
        checkpoints: arguments.checkpoint.as_ref().or(arguments.resume.as_ref()).map(|file| Checkpoints {
            file: file.clone(),
            interval: arguments.checkpoint_interval.unwrap_or(INTERVAL),
        }),
        resume: arguments.resume.clone(),
        certificate: if arguments.certificate.is_some() { Switch::On } else { Switch::Off },
        confirm: match arguments.confirm {
            ConfirmKind::Auto => Confirm::Auto,
            ConfirmKind::Off => Confirm::Off,
            ConfirmKind::Within(time) => Confirm::Within(time),
        },
        // What a seed finds can be found again.
        shortening: match arguments.first || arguments.is_translated || arguments.seed.is_some() {
            true => Shortening::Off,
            false => Shortening::Within(Effort::SMALL),
        },
        given: given_options(arguments),
        unusable: if arguments.is_translated { Unusable::Note } else { Unusable::Refuse },
    }
}

/// The options that the user has given and that some searches cannot use.
fn given_options(arguments: &VerifyArguments) -> Vec<Given> {
    let is_given = |option: &Given| match option {
        Given::Store => arguments.store.is_some(),
        Given::Search => arguments.search.is_some(),
        Given::Heuristic => arguments.heuristic.is_some(),
        Given::Weight => arguments.weight.is_some(),
        Given::Width => arguments.width.is_some(),
        Given::Shortest => arguments.shortest,
        Given::Seed => arguments.seed.is_some(),
        Given::Workers => arguments.workers.is_some_and(|workers| workers > NonZeroUsize::MIN),
        Given::AllErrors => arguments.all_errors,
        Given::PartialOrder => arguments.por.is_some(),
        Given::Merging => arguments.merge.is_some(),
        Given::DeadVariables => arguments.dead.is_some(),
        Given::Symmetry => arguments.symmetry.is_some(),
        Given::Audit => arguments.audit,
        Given::Fairness => arguments.fairness != Fairness::None,
        Given::NoEndStates => arguments.no_end_states,
        Given::Checkpoints => arguments.checkpoint.is_some() || arguments.resume.is_some(),
        Given::Confirm => matches!(arguments.confirm, ConfirmKind::Within(_)),
    };
    Given::ALL.into_iter().filter(is_given).collect()
}

/// The name of the goal of the command line.
fn names_of_goal(arguments: &VerifyArguments) -> Vec<String> {
    arguments.goal.iter().map(|_| Property::Goal.name().to_string()).collect()
}

/// The names of the formulas of the command line.
fn names_given(arguments: &VerifyArguments) -> Vec<String> {
    let formulas = (1..=arguments.ltl.len()).map(|number| format!("formula_{number}"));
    formulas.chain((1..=arguments.ctl.len()).map(|number| format!("ctl_{number}"))).collect()
}

/// The names, and those of reports for all that is called so where it is written.
fn all_called(names: &[String], machine: &Machine, branching: &[Branching]) -> Vec<String> {
    let is_wanted = |written: &str| names.iter().any(|name| name == written);
    let subjects = Subject::all(machine).into_iter().filter(|subject| is_wanted(&subject.written_name(machine)));
    let trees = branching.iter().filter(|property| is_wanted(branching::written_name(property)));
    let called = subjects.map(|subject| subject.name(machine).to_string());
    names.iter().cloned().chain(called).chain(trees.map(|property| property.name.clone())).collect()
}

/// Embedded C may keep data of its own, which workers would share.
fn workers(arguments: &VerifyArguments, machine: &Machine) -> NonZeroUsize {
    let wanted = arguments.workers.unwrap_or(Options::default().workers);
    if machine.code.allows_workers() || wanted == NonZeroUsize::MIN {
        return wanted;
    }
    console::note("one worker only: the embedded C may keep data of its own, which workers would share");
    NonZeroUsize::MIN
}

fn symmetry(kind: SymmetryKind) -> Symmetry {
    strategy(kind).map_or(Symmetry::Off, Symmetry::Detect)
}

/// How representatives are found, if they are.
pub fn strategy(kind: SymmetryKind) -> Option<Strategy> {
    match kind {
        SymmetryKind::Off => None,
        SymmetryKind::Auto | SymmetryKind::Exact => Some(Strategy::Exact),
        SymmetryKind::Fast => Some(Strategy::Fast),
        SymmetryKind::Enumerate => Some(Strategy::Enumerate { most_elements: MOST_ELEMENTS }),
        SymmetryKind::Segmented => Some(Strategy::Segmented),
        SymmetryKind::LocalSearch => Some(Strategy::LocalSearch),
        SymmetryKind::Sort => Some(Strategy::Sort),
    }
}

fn write_trace(
    model: &Path,
    arguments: &VerifyArguments,
    finding: &Finding,
    is_first: bool,
    enough: impl FnMut() -> bool,
) -> Result<Option<String>, String> {
    let Some(trace) = &finding.counterexample else { return Ok(None) };
    let path = match &arguments.trace {
        Some(path) if is_first => path.clone(),
        Some(path) => named(path, finding.property.name()),
        None if finding.property == Property::Safety => input::beside(model, ".trace.json"),
        None => named(&input::beside(model, ".trace.json"), finding.property.name()),
    };
    trace_file::write(&path, trace, enough)?;
    Ok(Some(path.display().to_string()))
}

/// Removes the trace of an earlier violation of a property that holds now, and says so. A file is taken for it only if that is what it says itself:
/// a trace of the model as it was read here, and of this property.
fn remove_stale(path: &Path, arguments: &VerifyArguments, origin: &Origin, finding: &Finding) -> Option<Notice> {
    // What is called `formula_1` may have been another formula then.
    let is_witness = finding.counterexample.is_some();
    if finding.verdict != Verdict::Holds
        || is_witness
        || names_given(arguments).iter().any(|name| name == finding.property.name())
    {
        return None;
    }
    let plain = arguments.trace.clone().unwrap_or_else(|| input::beside(path, ".trace.json"));
    let candidates = [named(&plain, finding.property.name()), plain];
    let stale = candidates.iter().find(|file| is_stale(file, arguments, origin, finding))?;
    let error = std::fs::remove_file(stale).err().map(|error| error.to_string());
    Some(Notice::StaleTrace { file: stale.clone(), error })
}

fn is_stale(file: &Path, arguments: &VerifyArguments, origin: &Origin, finding: &Finding) -> bool {
    let is_file = std::fs::symlink_metadata(file).is_ok_and(|metadata| metadata.is_file());
    let Some(trace) = is_file.then(|| trace_file::read(file).ok()).flatten() else { return false };
    let (was, is) = (&trace.origin, origin);
    let same_reading = (&was.model, &was.defines, was.message_loss, &was.unchecked, &was.claims)
        == (&is.model, &is.defines, is.message_loss, &is.unchecked, &is.claims);
    let same_fairness = was.fairness.is_some() == (arguments.fairness != Fairness::None);
    let looked_at = !arguments.no_end_states || trace.end.kind != EndKind::InvalidEndState;
    let is_safety = finding.property == Property::Safety;
    same_reading
        && (same_fairness || is_safety)
        && looked_at
        && was.property.as_deref() == Some(finding.property.name())
}

/// `MODEL.PROPERTY.trace.json`, so that one violation does not overwrite another.
fn named(path: &Path, property: &str) -> PathBuf {
    path.with_extension("").with_extension(format!("{property}.trace.json"))
}
