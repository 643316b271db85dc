//! What remains of a run: the trace file, the message sequence chart and the page that were asked for.

use std::path::Path;

use isospin::report::{SourceText, run_to_html};
use machine::chart::chart;
use machine::simulate::Run;
use machine::trace::{End, Origin, Trace};

use crate::cli::listing::ListingArguments;
use crate::console::{self, Exit};
use crate::{model, outputs, trace_file};

/// Writes the files that the options name.
pub fn write(
    run: Run<'_>,
    origin: Origin,
    end: End,
    cycle_start: Option<usize>,
    options: &ListingArguments,
    sources: &[SourceText],
) -> Exit {
    if options.files().iter().all(|(_, file)| file.is_none()) {
        return Exit::Success;
    }
    let trace = Trace { cycle_start, ..run.into_trace(origin, end) };
    let saved = match &options.save {
        Some(path) => trace_file::write(path, &trace, || false)
            .map_or_else(|error| console::unwritten(&error), |()| Exit::Success),
        None => Exit::Success,
    };
    let drawn = options.msc.as_ref().map_or(Exit::Success, |path| draw(path, &trace));
    let page = options.html.as_ref().map_or(Exit::Success, |path| {
        let text = run_to_html(&trace.origin.model, sources, &trace);
        outputs::write(path, &text).map_or_else(|message| console::unwritten(&message), |()| Exit::Success)
    });
    saved.max(drawn).max(page)
}

fn draw(path: &Path, trace: &Trace) -> Exit {
    if path == Path::new("-") {
        return console::print(&chart(trace).text());
    }
    let picture = match path.extension().and_then(|extension| extension.to_str()) {
        Some("svg") => chart(trace).svg(),
        Some("txt") => chart(trace).text(),
        _ => {
            let message = "a chart is written to FILE.svg as a picture or to FILE.txt as text; - prints the text";
            return model::refuse(&format!("cannot tell what {} shall hold: {message}", path.display()));
        }
    };
    outputs::write(path, &picture).map_or_else(|message| console::unwritten(&message), |()| Exit::Success)
}
