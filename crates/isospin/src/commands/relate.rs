//! `isospin relate`: two models, or files of transitions, and one question about what an observer sees of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use isospin::relations::{self, Evidence, Options, Related, Subject};
use isospin::report::relation::{Asked, RelationReport, ReportedRelation, to_html, to_json, to_junit, to_text};
use isospin::verify::Progress;
use relate::{Alphabet, Limits, Relation};

use crate::cli::SourceArguments;
use crate::cli::relate::{ALL, LimitArguments, RelateArguments};
use crate::console::{self, Exit};
use crate::observed::{self, Read, Sides};
use crate::watch::Watch;
use crate::{input, model, outputs, trace_file};

/// Compares two subjects.
pub fn run(arguments: &RelateArguments) -> Exit {
    match relate(arguments) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn relate(arguments: &RelateArguments) -> Result<Exit, Exit> {
    let (left_trace, right_trace) = trace_files(arguments);
    let written = [
        ("--left-trace", Some(&left_trace)),
        ("--right-trace", Some(&right_trace)),
        ("--html", arguments.html.as_ref()),
        ("--junit", arguments.junit.as_ref()),
    ];
    outputs::refuse_clashes(&[&arguments.left, &arguments.right], &written)?;
    let progress = Arc::new(Progress::new());
    let limits = limits(&arguments.limits);
    let watch = Watch::start(progress.clone(), arguments.limits.progress, limits.max_memory);
    let alphabet = Alphabet::new();
    let [left, right] = sides(arguments, &alphabet)?;
    watch.has_read();
    let relations = match Relation::named(&arguments.relation) {
        Some(relation) => vec![relation],
        None => Relation::ALL.to_vec(),
    };
    let options = Options { limits, reduce: arguments.reduce.into() };
    let mut report = RelationReport {
        left: input::name(&arguments.left),
        right: input::name(&arguments.right),
        asked: if arguments.relation == ALL { Asked::All } else { Asked::One },
        results: Vec::new(),
        notes: Vec::new(),
        alphabet,
    };
    let mut exit = Exit::Success;
    for relation in relations {
        let related = relations::relate(&left, &right, relation, &report.alphabet, &options, &progress);
        let (reported, written) = keep(related, report.asked, &left_trace, &right_trace);
        report.results.push(reported);
        exit = exit.max(written);
        if progress.is_interrupted() {
            break;
        }
    }
    drop(watch);
    exit = exit.max(report.summary().into());
    Ok(exit.max(show(arguments, &report)))
}

/// Reads both sides, and refuses wishes that fit none of them.
fn sides(arguments: &RelateArguments, alphabet: &Alphabet) -> Result<[Subject; 2], Exit> {
    let read = |path: &Path, defines: &[String], own: &[String]| {
        let mut source: SourceArguments = arguments.source.clone();
        source.defines.extend_from_slice(defines);
        let mut wanted = observed::patterns(&arguments.observe.observe, Sides::Both)?;
        wanted.extend(observed::patterns(own, Sides::One)?);
        observed::read(path, &source, &arguments.observe, &wanted, alphabet)
    };
    let left: Read = read(&arguments.left, &arguments.left_define, &arguments.left_observe)?;
    let right: Read = read(&arguments.right, &arguments.right_define, &arguments.right_observe)?;
    let is_model = |path: &Path| !observed::is_aut(path);
    let models = [&arguments.left, &arguments.right].into_iter().filter(|path| is_model(path)).count();
    for pattern in &arguments.observe.observe {
        let quoted = format!("`{pattern}`");
        let complaints: Vec<&String> =
            left.unfit.iter().chain(&right.unfit).filter(|complaint| complaint.contains(&quoted)).collect();
        if complaints.len() == models {
            complaints.iter().for_each(|complaint| console::error(complaint));
            return Err(match complaints.is_empty() {
                true => model::refuse(&format!("--observe {quoted} has no model to observe")),
                false => Exit::Usage,
            });
        }
    }
    for name in &arguments.observe.hide_values {
        if models > 0 && left.unhidden.iter().chain(&right.unhidden).filter(|other| *other == name).count() == models {
            return Err(model::refuse(&format!("--hide-values {name}: nothing of that name is observed")));
        }
    }
    Ok([left.subject, right.subject])
}

/// Writes the runs that show a difference.
fn keep(related: Related, asked: Asked, left: &Path, right: &Path) -> (ReportedRelation, Exit) {
    let mut exit = Exit::Success;
    let mut write = |evidence: Option<&Evidence>, path: &Path| {
        let evidence = evidence.filter(|_| asked == Asked::One)?;
        match trace_file::write(path, &evidence.trace, || false) {
            Ok(()) => Some(path.display().to_string()),
            Err(message) => {
                exit = exit.max(console::unwritten(&message));
                None
            }
        }
    };
    let left_file = write(related.left.as_ref(), left);
    let right_file = write(related.right.as_ref(), right);
    (ReportedRelation { related, left_file, right_file }, exit)
}

fn show(arguments: &RelateArguments, report: &RelationReport) -> Exit {
    let text = if arguments.json { to_json(report) } else { to_text(report) };
    let file = |path: &Option<PathBuf>, content: &dyn Fn(&RelationReport) -> String| match path {
        Some(path) => outputs::write(path, &content(report))
            .map_or_else(|message| console::unwritten(&message), |()| Exit::Success),
        None => Exit::Success,
    };
    console::print(&text).max(file(&arguments.html, &to_html)).max(file(&arguments.junit, &to_junit))
}

fn trace_files(arguments: &RelateArguments) -> (PathBuf, PathBuf) {
    let file = |given: &Option<PathBuf>, model: &Path, ending: &str| {
        given.clone().unwrap_or_else(|| input::beside(model, ending))
    };
    let left = file(&arguments.left_trace, &arguments.left, ".left.trace.json");
    (left, file(&arguments.right_trace, &arguments.right, ".right.trace.json"))
}

/// What may be used.
pub fn limits(arguments: &LimitArguments) -> Limits {
    let memory = isospin::verify::Options::default().limits.memory;
    Limits {
        max_states: arguments.max_states,
        max_memory: arguments.max_memory.unwrap_or(memory),
        max_time: arguments.max_time,
    }
}
