//! Properties that are read in the scope of a model.

#[path = "examples/mod.rs"]
mod examples;

use std::path::{Path, PathBuf};

use promela::ast::Unit;
use promela::diagnostic::Diagnostic;
use promela::preprocess::FileSystem;
use promela::{Loaded, Options, Scope, load_text, load_with};

const MODEL: &str = "#define one (x == 1)\n#define two x == 2\nbyte x; inline is(v) { x == v }\n\
    active proctype P() { byte mine; again: x = 1 - x; goto again }\n";

fn scope() -> Scope {
    Scope::of(load_text("m.pml", MODEL, &Options::default()))
}

fn formula(text: &str) -> Result<Loaded, (Box<Scope>, Vec<Diagnostic>)> {
    let mut scope = scope();
    let file = scope.add_text("--ltl", text).expect("it is short");
    match scope.formula("formula_1", file) {
        Ok(unit) => Ok(scope.with(vec![unit])),
        Err(wrong) => Err((Box::new(scope), wrong)),
    }
}

/// Where an error stands: the file, the text that it points at and its message.
fn told(sources: &promela::source::SourceMap, error: &Diagnostic) -> (String, String, String) {
    let (file, range) = sources.range(error.span()).expect("it has a place");
    let file = sources.file(file);
    (file.path.to_string(), file.text[range].to_string(), error.message.clone())
}

#[test]
fn a_formula_uses_names_macros_and_processes_of_the_model() {
    for text in
        ["[] <> one", "<> (two)", "[] !(P[0]:mine > 0)", "<> P@again", "[] (one -> <> !one) // at times", "X\n one"]
    {
        let loaded = formula(text).unwrap_or_else(|(_, wrong)| panic!("{text}: {wrong:?}"));
        let model = loaded.model.unwrap_or_else(|| panic!("{text}: {:?}", loaded.diagnostics));
        assert_eq!(&*model.ltl[0].name, "formula_1");
        assert_eq!(loaded.sources.snippet(model.ltl[0].span), text);
    }
}

#[test]
fn mistakes_are_told_in_the_given_text() {
    for (text, at, message) in [
        ("[] (x == 1", "", "expected `)`"),
        ("[] <> x ) y", ")", "expected the end of the formula"),
        ("x } active proctype Q() { skip", "}", "expected the end of the formula"),
        ("ltl p { x }", "ltl", "expected a formula"),
    ] {
        let (scope, wrong) = formula(text).expect_err(text);
        let (file, snippet, said) = told(scope.sources(), &wrong[0]);
        assert_eq!((&*file, &*snippet), ("--ltl", at), "{text}: {said}");
        assert!(said.contains(message) || said.contains(at), "{text}: {said}");
    }
    for (text, at) in [("[] nobody", "nobody"), ("<> P[0]@nowhere", "nowhere"), ("one && two && nobody == 1", "nobody")]
    {
        let loaded = formula(text).expect("its form is right");
        assert!(loaded.model.is_none(), "{text}");
        let errors: Vec<_> = loaded.diagnostics.iter().filter(|each| each.is_error()).collect();
        assert_eq!(errors.len(), 1, "{errors:?}");
        let (file, snippet, _) = told(&loaded.sources, errors[0]);
        assert_eq!((&*file, &*snippet), ("--ltl", at));
    }
}

#[test]
fn a_part_of_a_text_is_read_as_an_expression_at_its_place() {
    let text = "AG (one -> EF nobody > 3)";
    let mut scope = scope();
    let file = scope.add_text("--ctl", text).expect("it is short");
    let first = scope.expression("p", file, 4..7).expect("it is an expression");
    let second = scope.expression("q", file, 14..24).expect("its form is right");
    let temporal = scope.add_text("--ctl", "AG (<> one)").expect("it is short");
    let wrong = scope.expression("r", temporal, 4..10).expect_err("it is temporal");
    assert_eq!(told(scope.sources(), &wrong[0]).1, "<> one");
    let loaded = scope.with(vec![first, second]);
    let error = loaded.diagnostics.iter().find(|each| each.is_error()).expect("a name is unknown");
    assert_eq!(loaded.sources.range(error.span()), Some((file, 14..20)));
}

#[test]
fn claims_use_inlines_of_the_model_and_may_bring_macros_of_their_own() {
    let mut scope = scope();
    let text = "#define zero (x == 0)\nnever {\n  do :: is(1) :: zero -> break od\n}\nltl after { <> zero }\n";
    let file = scope.add_text("c.never", text).expect("it is short");
    let units = scope.units(file).expect("it is correct");
    assert!(matches!(units[..], [Unit::Never(_), Unit::Ltl(_)]));
    let loaded = scope.with(units);
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    assert_eq!((model.claims.len(), model.ltl.len()), (1, 1));
    // What the claim uses is used, whatever was said of the model alone.
    assert!(loaded.diagnostics.iter().all(|each| each.code != "unused-inline"), "{:?}", loaded.diagnostics);
    // The index knows the claim too.
    let file = loaded.sources.file(file);
    let offset = file.text.find("is(1)").expect("it is there");
    let position =
        promela::source::Position { file: loaded.sources.files_at("c.never").next().expect("it is there"), offset };
    let inline = loaded.index.definition_at(&loaded.sources, position).expect("it is used there");
    assert_eq!(&*loaded.index.definition(inline).name, "is");
}

fn models() -> Vec<(PathBuf, String)> {
    let mut found = examples::spin_examples(&["pml"]);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut directories = vec![root.join("examples"), root.join("crates/machine/tests/traps")];
    while let Some(directory) = directories.pop() {
        for path in std::fs::read_dir(&directory).expect("it is there").map(|entry| entry.expect("an entry").path()) {
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "pml") {
                let text = std::fs::read_to_string(&path).expect("a model is readable");
                found.push((path, text));
            }
        }
    }
    found
}

/// Spans written as `3..7@2` taken out.
fn without_places(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(dots) = rest.find("..") {
        let (before, after) = (&rest[..dots], &rest[dots + 2..]);
        kept += before.trim_end_matches(|letter: char| letter.is_ascii_digit());
        rest = after.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '@');
    }
    kept + rest
}

#[test]
fn a_property_means_what_it_means_behind_the_text_of_the_model() {
    let mut compared = 0;
    for (path, text) in models() {
        let name = path.to_string_lossy();
        let load = |text: &str| load_with(&name, text, &Options::default(), &FileSystem);
        let written = load(&text);
        let Some(model) = &written.model else { continue };
        let mut formulas = vec!["[] (_nr_pr < 200)".to_owned(), "<> (_last == 1)".to_owned()];
        formulas.extend(model.globals.iter().take(2).map(|global| format!("[] <> ({} == 1)", global.name)));
        for process in model.processes.iter().filter(|process| process.role == promela::model::Role::Proctype) {
            formulas.extend(process.labels.first().map(|label| format!("[] !{}[0]@{}", process.name, label.name)));
            formulas
                .extend(process.locals.first().map(|local| format!("<> ({}[0]:{} == 1)", process.name, local.name)));
        }
        for formula in formulas {
            let pasted = load(&format!("{text}\nltl formula_1 {{ {formula} }}\n"));
            let mut scope = Scope::of(written.clone());
            let file = scope.add_text("--ltl", &*formula).expect("it is short");
            let unit = scope.formula("formula_1", file).unwrap_or_else(|wrong| panic!("{name}: {formula}: {wrong:?}"));
            let read = scope.with(vec![unit]);
            assert_eq!(read.model.is_some(), pasted.model.is_some(), "{name}: {formula}: {:?}", read.diagnostics);
            let (Some(read), Some(pasted)) = (read.model, pasted.model) else { continue };
            let said = |model: &promela::model::Model| {
                let code = format!("{:?}{:?}{:?}", model.globals, model.processes, model.claims);
                let kinds = format!("{:?}{:?}{:?}", model.features, model.domains, model.channel_types);
                let ltl: Vec<_> = model.ltl.iter().map(|each| format!("{} {:?}", each.name, each.formula)).collect();
                without_places(&format!("{code}{kinds}{ltl:?}"))
            };
            assert_eq!(said(&read), said(&pasted), "{name}: {formula}");
            compared += 1;
        }
    }
    assert!(compared > 800, "only {compared} properties were compared");
    assert_eq!(without_places("a 3..17@2 b 4..5"), "a  b ");
}
