//! `isospin check`: what is wrong with a model's text. Nothing of the model is run, embedded C least of all.

use promela::diagnostic::{Diagnostic, Severity};
use serde::Serialize;

use crate::cli::CheckArguments;
use crate::console::{self, Exit};
use crate::diagnostics::{self, Record};
use crate::input;

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    version: &'static str,
    models: Vec<ModelReport>,
}

#[derive(Serialize)]
struct ModelReport {
    model: String,
    accepted: bool,
    diagnostics: Vec<Record>,
}

/// Checks every model.
pub fn run(arguments: &CheckArguments) -> Exit {
    let options = arguments.source.options();
    let mut exit = Exit::Success;
    let mut models = Vec::new();
    let mut summary = String::new();
    for path in &arguments.models {
        let loaded = input::load(path, &options);
        let accepted = !loaded.diagnostics.iter().any(Diagnostic::is_error);
        if !accepted {
            exit = Exit::Usage;
        }
        if arguments.json {
            models.push(ModelReport {
                model: input::name(path),
                accepted,
                diagnostics: loaded.diagnostics.iter().map(|each| Record::new(each, &loaded.sources)).collect(),
            });
        } else {
            diagnostics::print(&loaded.diagnostics, &loaded.sources);
            summary += &format!("{}: {}\n", input::name(path), verdict(&loaded.diagnostics));
        }
    }
    let output = if arguments.json {
        let report = Report { schema: "isospin.diagnostics/1", version: env!("CARGO_PKG_VERSION"), models };
        serde_json::to_string_pretty(&report).expect("a report is plain data") + "\n"
    } else {
        summary
    };
    exit.max(console::print(&output))
}

/// `ok`, `ok, 2 warnings` or `1 error, 2 warnings`.
fn verdict(diagnostics: &[Diagnostic]) -> String {
    let count = |severity| diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
    let counted = |count: usize, what: &str| match count {
        0 => None,
        1 => Some(format!("1 {what}")),
        _ => Some(format!("{count} {what}s")),
    };
    let errors = counted(count(Severity::Error), "error").unwrap_or_else(|| "ok".to_string());
    let warnings = counted(count(Severity::Warning), "warning");
    std::iter::once(errors).chain(warnings).collect::<Vec<_>>().join(", ")
}
