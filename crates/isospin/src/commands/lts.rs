//! `isospin lts`: the labelled transition system of a model, written, made small and looked at.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use isospin::relations::{End, Layers, Statements, Subject};
use isospin::report::lts as report;
use isospin::verify::Progress;
use relate::aut;
use relate::{Alphabet, Lts, Observed, explore, minimise};

use super::relate::limits;
use crate::cli::relate::{Labels, LtsArguments};
use crate::console::{self, Exit};
use crate::observed::{self, Sides};
use crate::watch::Watch;
use crate::{input, model, outputs};

/// Writes the system of a subject.
pub fn run(arguments: &LtsArguments) -> Exit {
    match lts(arguments) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn lts(arguments: &LtsArguments) -> Result<Exit, Exit> {
    let LtsArguments { output, dot, svg, html, .. } = arguments;
    let written =
        [("-o", output.as_ref()), ("--dot", dot.as_ref()), ("--svg", svg.as_ref()), ("--html", html.as_ref())];
    outputs::refuse_clashes(&[&arguments.model], &written)?;
    let progress = Arc::new(Progress::new());
    let limits = limits(&arguments.limits);
    let watch = Watch::start(progress.clone(), arguments.limits.progress, limits.max_memory);
    let alphabet = Alphabet::new();
    let wanted = observed::patterns(&arguments.observe.observe, Sides::One)?;
    let read = observed::read(&arguments.model, &arguments.source, &arguments.observe, &wanted, &alphabet)?;
    if let Some(name) = read.unhidden.first() {
        return Err(model::refuse(&format!("--hide-values {name}: nothing of that name is observed")));
    }
    watch.has_read();
    let mut system = system(&read.subject, arguments, &alphabet)?;
    let whole = explore(&mut *system, &limits, &progress).map(|explored| explored.lts);
    let whole = whole.map_err(incomplete)?;
    let small = arguments.minimise.map(|kind| minimise(&whole, kind, &limits, &progress));
    let small = small.transpose().map_err(incomplete)?;
    drop(watch);
    let shown = small.as_ref().unwrap_or(&whole);
    let mut exit = write(arguments, shown, &alphabet)?;
    exit = exit.max(console::print(&match arguments.json {
        true => report::to_json(&input::name(&arguments.model), shown, &whole, &alphabet),
        false if output.as_deref() == Some(Path::new("-")) || dot.as_deref() == Some(Path::new("-")) => String::new(),
        false => report::to_text(&input::name(&arguments.model), small.as_ref(), &whole, &alphabet),
    }));
    Ok(exit)
}

fn system<'s>(
    subject: &'s Subject,
    arguments: &LtsArguments,
    alphabet: &Alphabet,
) -> Result<Box<dyn Observed + 's>, Exit> {
    Ok(match (arguments.labels, subject) {
        (Labels::Statements, Subject::Model(model)) => Box::new(Statements::new(model.machine().clone(), alphabet)),
        (Labels::Statements, Subject::File(_)) => {
            return Err(model::refuse("--labels statements is for models: a file has its own labels"));
        }
        (Labels::Events, subject) => Box::new(subject.observed(Layers::None, alphabet)),
    })
}

fn incomplete(end: End) -> Exit {
    let (reason, exit) = match end {
        End::States => ("the limit of states was reached (--max-states)", Exit::Incomplete),
        End::Time => ("the time was up (--max-time)", Exit::Incomplete),
        End::Interrupted => ("interrupted", Exit::Interrupted),
        _ => ("the limit of memory was reached (--max-memory)", Exit::Incomplete),
    };
    console::error(&format!("the system is not complete, and nothing is written: {reason}"));
    exit
}

fn write(arguments: &LtsArguments, lts: &Lts, alphabet: &Alphabet) -> Result<Exit, Exit> {
    let mut exit = Exit::Success;
    if let Some(path) = &arguments.output {
        let text = aut::write(lts, arguments.observe.tau_label.into(), alphabet).map_err(|ambiguous| {
            model::refuse(&format!(
                "the event `{}` is spelled like the internal label: choose another --tau-label",
                ambiguous.label
            ))
        })?;
        exit = exit.max(put(path, &text));
    }
    if let Some(path) = &arguments.dot {
        exit = exit.max(put(path, &report::to_dot(lts, alphabet)));
    }
    for (path, page) in [(&arguments.svg, false), (&arguments.html, true)] {
        let Some(path) = path else { continue };
        let name = input::name(&arguments.model);
        let picture = match page {
            true => Some(report::to_html(&name, lts, alphabet)),
            false => report::to_svg(lts, alphabet),
        };
        let picture = picture.ok_or_else(|| {
            let most = report::MOST_DRAWN;
            model::refuse(&format!(
                "{} states are too many for a picture, {most} at most are drawn: try --minimise",
                lts.states()
            ))
        })?;
        exit = exit.max(put(path, &picture));
    }
    Ok(exit)
}

fn put(path: &PathBuf, text: &str) -> Exit {
    if path == Path::new("-") {
        return console::print_exactly(text);
    }
    outputs::write(path, text).map_or_else(|message| console::unwritten(&message), |()| Exit::Success)
}
