//! `isospin verify`: the main job.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use isospin::report::{self, Report, Reported, Resources, Summary, TextOptions};
use isospin::verify::{
    self, Engine, Errors, Fairness, Finding, Job, Limits, Options, Order, Progress, Properties, Store, Strategy,
    Switch, Symmetry,
};

use crate::cli::verify::{
    EngineKind, FairnessKind, OnOff, Reduce, SearchOrder, StoreKind, SymmetryKind, VerifyArguments,
};
use crate::console::{self, Exit};
use crate::model::{self, Additions, Hidden};
use crate::watch::Watch;
use crate::{resources, trace_file};

/// A group with more elements than this is not enumerated.
const MOST_ELEMENTS: u64 = 1_000_000;

/// Verifies a model.
pub fn run(arguments: &VerifyArguments) -> Exit {
    let start = Instant::now();
    let full_channels = model::full_channels(arguments.lossy);
    let additions = match Additions::new(&arguments.ltl, &arguments.claim) {
        Ok(additions) => additions,
        Err(exit) => return exit,
    };
    let input = match model::read_with(&arguments.model, &arguments.source, full_channels, Hidden::InState, &additions)
    {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    let options = options(arguments);
    let progress = Arc::new(Progress::new());
    let job = Job { machine: Arc::new(input.machine), origin: input.origin, progress: progress.clone() };
    let compile_time = start.elapsed();
    let watch = Watch::start(progress, arguments.progress);
    let findings = verify::verify(&job, &options);
    drop(watch);
    let findings = match findings {
        Ok(findings) => findings,
        Err(refusal) => return model::refuse(&refusal.reason),
    };
    let mut exit = Exit::Success;
    let mut reported = Vec::new();
    for finding in findings {
        let trace_file = match write_trace(arguments, &finding) {
            Ok(file) => file,
            Err(message) => {
                exit = model::refuse(&message);
                None
            }
        };
        reported.push(Reported { finding, trace_file });
    }
    let report = Report {
        model: arguments.model.display().to_string(),
        findings: reported,
        resources: Resources {
            time: start.elapsed(),
            compile_time,
            peak_rss_bytes: resources::peak_memory(),
            workers: options.workers.get(),
        },
    };
    let text = if arguments.json { report::to_json(&report) } else { report::to_text(&report, TextOptions::default()) };
    exit.max(console::print(&text)).max(match report.summary() {
        Summary::Holds => Exit::Success,
        Summary::Violated => Exit::Violation,
        Summary::Unknown => Exit::Incomplete,
        Summary::Interrupted => Exit::Interrupted,
    })
}

fn options(arguments: &VerifyArguments) -> Options {
    let defaults = Options::default();
    let properties = match (arguments.safety, arguments.property.is_empty()) {
        (true, _) => Properties::Safety,
        (false, true) => Properties::All,
        (false, false) => Properties::Named(arguments.property.clone()),
    };
    Options {
        properties,
        fairness: match arguments.fairness {
            FairnessKind::None => Fairness::None,
            FairnessKind::Weak => Fairness::Weak,
        },
        engine: match arguments.engine {
            EngineKind::Jit => Engine::Compiled,
            EngineKind::Interpreter => Engine::Interpreter,
        },
        store: match arguments.store {
            StoreKind::Tree => Store::Tree,
            StoreKind::Plain => Store::Plain,
            StoreKind::Bitstate => Store::Bitstate,
            StoreKind::Compact => Store::Compact,
        },
        order: match arguments.search {
            SearchOrder::Bfs => Order::BreadthFirst,
            SearchOrder::Dfs if arguments.shortest => Order::BreadthFirst,
            SearchOrder::Dfs => Order::DepthFirst,
        },
        workers: arguments.workers.unwrap_or(defaults.workers),
        errors: if arguments.all_errors { Errors::All } else { Errors::First },
        limits: Limits {
            depth: arguments.max_depth,
            states: arguments.max_states,
            time: arguments.max_time,
            memory: arguments.max_memory.unwrap_or(defaults.limits.memory),
        },
        partial_order: match (arguments.por, arguments.reduce) {
            (Some(OnOff::On), _) | (None, Reduce::All) => Switch::On,
            (Some(OnOff::Off), _) | (None, Reduce::None) => Switch::Off,
        },
        symmetry: match (arguments.symmetry, arguments.reduce) {
            (Some(kind), _) => symmetry(kind),
            (None, Reduce::All) => symmetry(SymmetryKind::Auto),
            (None, Reduce::None) => Symmetry::Off,
        },
        end_states: if arguments.no_end_states { Switch::Off } else { Switch::On },
    }
}

fn symmetry(kind: SymmetryKind) -> Symmetry {
    Symmetry::Detect(match kind {
        SymmetryKind::Off => return Symmetry::Off,
        SymmetryKind::Auto | SymmetryKind::Exact => Strategy::Exact,
        SymmetryKind::Fast => Strategy::Fast,
        SymmetryKind::Enumerate => Strategy::Enumerate { most_elements: MOST_ELEMENTS },
        SymmetryKind::Segmented => Strategy::Segmented,
        SymmetryKind::LocalSearch => Strategy::LocalSearch,
        SymmetryKind::Sort => Strategy::Sort,
    })
}

fn write_trace(arguments: &VerifyArguments, finding: &Finding) -> Result<Option<String>, String> {
    let Some(trace) = &finding.counterexample else { return Ok(None) };
    let path = arguments.trace.clone().unwrap_or_else(|| beside(&arguments.model));
    let path =
        if finding.property == "safety" || arguments.trace.is_some() { path } else { named(&path, &finding.property) };
    trace_file::write(&path, trace)?;
    Ok(Some(path.display().to_string()))
}

/// `MODEL.PROPERTY.trace.json`, so that one violation does not overwrite another.
fn named(path: &Path, property: &str) -> PathBuf {
    path.with_extension("").with_extension(format!("{property}.trace.json"))
}

/// `MODEL.trace.json`
fn beside(model: &Path) -> PathBuf {
    let mut name = model.as_os_str().to_owned();
    name.push(".trace.json");
    PathBuf::from(name)
}
