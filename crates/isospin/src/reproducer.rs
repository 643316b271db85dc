//! The file that goes with a bug report: the model after the preprocessor, and above it, in a comment, how to see the mistake.

use std::path::{Path, PathBuf};

use isospin::report::BugReport;
use isospin::verify::{Contradiction, Reduction};

use crate::cli::{SourceArguments, quoted};
use crate::commands::show::preprocessed;
use crate::{input, outputs};

/// Writes the reproducer of a contradiction beside the trace of the violation.
pub fn write(
    model: &Path,
    trace: &Path,
    source: &SourceArguments,
    property: &str,
    contradiction: &Contradiction,
) -> BugReport {
    let words: Vec<String> = std::env::args().collect();
    let command = line(&words);
    let file = beside(trace);
    let again = repeated(&words, model, &file);
    let names = |reductions: &[Reduction]| reductions.iter().map(|each| each.name()).collect::<Vec<_>>().join(", ");
    let head = [
        "A reduced search of isospin says that this model has a property which is violated.".to_string(),
        format!("version:              isospin {}", env!("CARGO_PKG_VERSION")),
        format!("command:              {command}"),
        format!("property:             {property}"),
        format!("reductions in use:    {}", names(&contradiction.used)),
        format!("reductions at fault:  {}", names(&contradiction.at_fault)),
        format!("it says \"holds\":      {again} --confirm off"),
        format!("it says \"violated\":   {again} --reduce none"),
        "The text below is the model after the preprocessor.".to_string(),
    ];
    let text = match preprocessed::text(model, source) {
        Ok(text) => text,
        // The model was read before, so this happens only if it was taken away meanwhile.
        Err(_) => {
            let unwritten = Some(format!("{} cannot be read again", input::name(model)));
            return BugReport { command, file: None, unwritten };
        }
    };
    let comment = head.join("\n   ").replace("*/", "* /");
    match outputs::write(&file, &format!("/* {comment}\n*/\n{text}")) {
        Ok(()) => BugReport { command, file: Some(file.display().to_string()), unwritten: None },
        Err(message) => BugReport { command, file: None, unwritten: Some(message) },
    }
}

/// A reduction that is to miss every violation, to test the way of a contradiction from here to the report. There is none in a program that is
/// made for users.
pub fn planted_fault() -> Option<Reduction> {
    if !cfg!(debug_assertions) {
        return None;
    }
    let name = std::env::var("ISOSPIN_TEST_PLANTED_FAULT").ok()?;
    Reduction::ALL.into_iter().find(|reduction| reduction.name() == name)
}

/// `MODEL.reproducer.pml` beside `MODEL.trace.json`.
fn beside(trace: &Path) -> PathBuf {
    let name = trace.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let base = name.strip_suffix(".trace.json").unwrap_or(&name);
    trace.with_file_name(format!("{base}.reproducer.pml"))
}

/// The command with another file in the place of the model, and without the options that the two commands of a reproducer give.
fn repeated(words: &[String], model: &Path, file: &Path) -> String {
    let is_given = |word: &str| word == "--confirm" || word == "--reduce";
    let mut again = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        if is_given(word) {
            rest.next();
        } else if !word.split_once('=').is_some_and(|(option, _)| is_given(option)) {
            let is_model = Path::new(word) == model;
            again.push(if is_model { file.display().to_string() } else { word.clone() });
        }
    }
    line(&again)
}

fn line(words: &[String]) -> String {
    let program = words.first().and_then(|word| Path::new(word).file_name());
    let program = program.map_or_else(|| "isospin".to_string(), |name| name.to_string_lossy().into_owned());
    let rest = words.iter().skip(1).map(|word| quoted(word));
    std::iter::once(program).chain(rest).collect::<Vec<_>>().join(" ")
}
