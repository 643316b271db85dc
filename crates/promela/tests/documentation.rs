//! The handbook stays true: every model in it is accepted, and every example model too.

use std::fs;
use std::path::{Path, PathBuf};

use promela::diagnostic::Diagnostic;
use promela::{Options, load, load_text};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files(directory: &str, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut directories = vec![root().join(directory)];
    while let Some(directory) = directories.pop() {
        let Ok(entries) = fs::read_dir(&directory) else { continue };
        for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|it| it == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The text of every block that is marked as Promela.
fn models(page: &str) -> Vec<&str> {
    page.split("```promela\n").skip(1).map(|rest| rest.split("```").next().unwrap_or(rest)).collect()
}

fn errors(diagnostics: &[Diagnostic]) -> Vec<&str> {
    diagnostics.iter().filter(|each| each.is_error()).map(|each| &*each.message).collect()
}

#[test]
fn every_model_of_the_handbook_is_accepted() {
    let mut count = 0;
    for path in files("docs", "md") {
        let page = fs::read_to_string(&path).expect("a page is readable");
        for model in models(&page) {
            let loaded = load_text("page.pml", model, &Options::default());
            assert!(loaded.model.is_some(), "{}: {:?}\n{model}", path.display(), errors(&loaded.diagnostics));
            count += 1;
        }
    }
    assert!(count >= 8, "{count} models");
}

#[test]
fn every_example_is_accepted_without_a_word() {
    let found = files("examples", "pml");
    let table = |folder: &str| fs::read_to_string(root().join(folder).join("README.md")).expect("there is a table");
    let table = ["examples", "examples/families", "examples/relations", "examples/bench", "examples/directed"]
        .map(table)
        .concat();
    assert!(found.len() >= 15, "{} examples", found.len());
    for path in found {
        let loaded = load(&path, &Options::default());
        let said: Vec<&str> = loaded.diagnostics.iter().map(|each| &*each.message).collect();
        // Families and models for measuring keep the variables of the models in the literature, read or not: their counts depend on them.
        let may_warn = path.components().any(|part| part.as_os_str() == "families" || part.as_os_str() == "bench");
        assert!(loaded.model.is_some() && (may_warn || said.is_empty()), "{}: {said:?}", path.display());
        let text = fs::read_to_string(&path).expect("an example is readable");
        assert_eq!(promela::format::format(&text).as_deref(), Ok(&*text), "{} is formatted", path.display());
        let name = path.file_name().expect("a file has a name").to_string_lossy();
        assert!(table.contains(&format!("({name})")), "{name} is in the table of examples");
    }
}
