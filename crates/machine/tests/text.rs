//! The textual form of machines: hand-written files with what is to come of them, and the models of the repository written and read back.
//!
//! A file of `tests/text` says what it expects in comments: `; run: states 5, transitions 6, errors 1, violated` for figures of the reference
//! interpreter, in any selection, or
//! `; error: 7:3: message` for the first words of what the reader says.

use std::path::{Path, PathBuf};

use machine::enumerate::{Census, Limits, Mistake, enumerate};
use machine::random::Random;
use machine::text::{read, write};
use machine::{Hidden, Machine};

/// States compared for each model.
const STATES: usize = 2_000;

/// The folders of models.
const MODELS: [&str; 7] = [
    "tests/traps",
    "../../examples",
    "../../examples/families",
    "../isospin/tests/verdicts",
    "../isospin/tests/liveness/models",
    "../symmetry/tests/corpus",
    "../symmetry/tests/models",
];

/// Where Debian has the models that come with SPIN.
const EXAMPLES_OF_SPIN: &str = "/usr/share/doc/spin/examples/Examples";

fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be listed").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    paths.sort();
    paths
}

/// The models below a folder, if it is there.
fn installed(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let below = |path: PathBuf| if path.is_dir() { installed(&path) } else { vec![path] };
    let mut paths: Vec<PathBuf> = entries.flatten().flat_map(|entry| below(entry.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == "pml" || found == "prom"));
    paths
}

fn load(path: &Path, hidden: Hidden) -> Option<Machine> {
    promela::load(path, &promela::Options::default()).model.map(|model| machine::lower_hidden(&model, hidden))
}

fn search(machine: &Machine) -> Option<Census> {
    let mut census = enumerate(machine, Limits { states: STATES, ..Limits::default() }).ok()?;
    // Places differ: one machine has a model for its source, the other one its own text.
    for finding in &mut census.found {
        if let Mistake::Runtime(error) = &mut finding.mistake {
            error.span = promela::source::Span::NOWHERE;
        }
    }
    Some(census)
}

#[test]
fn hand_written_machines_do_what_they_say() {
    let paths = files("tests/text", "machine");
    assert!(paths.len() >= 25, "only {} files", paths.len());
    let failures: Vec<String> = paths.iter().filter_map(|path| judge(path)).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What is wrong with a file.
fn judge(path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(path).expect("it can be read");
    let name = path.display();
    let directive = |word: &str| text.lines().find_map(|line| line.strip_prefix(&format!("; {word}: ")));
    match (directive("run"), directive("error"), read(&text)) {
        (Some(expected), None, Ok(machine)) => run(&machine, expected).map(|problem| format!("{name}: {problem}")),
        (None, Some(expected), Err(error)) if error.to_string().starts_with(expected) => None,
        (Some(_), None, Err(error)) | (None, Some(_), Err(error)) => Some(format!("{name}: {error}")),
        (None, Some(_), Ok(_)) => Some(format!("{name}: it is read without an error")),
        _ => Some(format!("{name}: it does not say the one thing that is to come of it")),
    }
}

fn run(machine: &Machine, expected: &str) -> Option<String> {
    let census = enumerate(machine, Limits::default()).expect("there is an initial state");
    let is_found = |figure: &&str| {
        let (word, number) = figure.split_once(' ').unwrap_or((figure, ""));
        match word {
            "states" => census.states.to_string() == number,
            "transitions" => census.transitions.to_string() == number,
            "errors" => census.errors.to_string() == number,
            "violated" => census.errors > 0,
            "holds" => census.errors == 0,
            _ => false,
        }
    };
    if let Some(figure) = expected.split(", ").find(|figure| !is_found(figure)) {
        return Some(format!("not {figure}: {census:?}"));
    }
    let written = write(machine);
    (read(&written).map(|again| write(&again)) != Ok(written.clone()))
        .then(|| format!("it is not read back:\n{written}"))
}

#[test]
fn the_example_of_the_documentation_is_a_machine() {
    let page = include_str!("../../../docs/internals/machine-text.md");
    let example = page.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).expect("the page has one");
    let machine = read(example).unwrap_or_else(|error| panic!("{error}\n{example}"));
    assert_eq!(run(&machine, "states 10, holds"), None);
}

#[test]
fn what_is_written_is_read_back() {
    let mut models: Vec<PathBuf> = MODELS.into_iter().flat_map(|folder| files(folder, "pml")).collect();
    models.extend(installed(Path::new(EXAMPLES_OF_SPIN)));
    let mut count = 0;
    for path in &models {
        for hidden in [Hidden::InState, Hidden::Outside] {
            let Some(machine) = load(path, hidden) else { continue };
            let written = write(&machine);
            let read = read(&written).unwrap_or_else(|error| panic!("{}: {error}\n{written}", path.display()));
            assert_eq!(write(&read), written, "{}", path.display());
            assert_eq!(contents(&read), contents(&machine), "{}", path.display());
            if hidden == Hidden::InState || machine.layout.globals.hidden_size > 0 {
                assert_eq!(search(&read), search(&machine), "{}", path.display());
            }
            count += 1;
        }
    }
    assert!(count >= 1_400, "only {count} machines");
}

/// All of a machine but its sources, without spans. Nothing of the writer takes part in it.
fn contents(machine: &Machine) -> String {
    let Machine { mtypes, layout, definitions, claims, trace, ltl, automata, actions, .. } = machine;
    let Machine { global_initial, active, features, code, full_channels, .. } = machine;
    let automata = (definitions, claims, trace, ltl, automata, actions);
    let rest = (mtypes, global_initial, active, features, code, full_channels);
    let text = format!("{layout:?} {automata:?} {rest:?}");
    let mut parts = text.split("span: ");
    let mut contents = parts.next().unwrap_or_default().to_string();
    for part in parts {
        // A span is `12..34`, `12..34@5`, or one of these in `Some()`.
        contents += part.trim_start_matches("Some(").trim_start_matches("None").trim_start_matches(is_part_of_span);
    }
    // That of an operator has no name.
    while let Some(at) = contents.find("..") {
        let before = contents[..at].trim_end_matches(is_part_of_span).len();
        let after = contents[at..].len() - contents[at..].trim_start_matches(is_part_of_span).len();
        contents.replace_range(before..at + after, "");
    }
    contents
}

fn is_part_of_span(each: char) -> bool {
    each.is_ascii_digit() || matches!(each, '.' | '@' | ')')
}

/// Files are cut off, lose and repeat words, and have their numbers changed. Whatever is read must be fit to be executed.
#[test]
fn no_text_makes_the_reader_or_the_interpreter_panic() {
    let mut texts: Vec<String> = files("tests/text", "machine")
        .iter()
        .map(|path| std::fs::read_to_string(path).expect("it can be read"))
        .collect();
    let traps = files("tests/traps", "pml");
    texts.extend(traps.iter().step_by(9).filter_map(|path| load(path, Hidden::InState)).map(|machine| write(&machine)));
    let mut random = Random::new(18);
    let (mut accepted, mut failures) = (0, 0);
    for text in &texts {
        for _ in 0..100 {
            let mutant = mutate(text, &mut random);
            let Ok(machine) = read(&mutant) else { continue };
            accepted += 1;
            assert_eq!(read(&write(&machine)).map(|again| write(&again)), Ok(write(&machine)), "{mutant}");
            let outcome =
                std::panic::catch_unwind(|| enumerate(&machine, Limits { states: 50, ..Limits::default() }).is_ok());
            failures += usize::from(outcome.is_err());
            if outcome.is_err() && failures <= 3 {
                println!("the interpreter panics:\n{mutant}");
            }
        }
    }
    assert_eq!(failures, 0, "the interpreter panics");
    assert!(accepted > texts.len(), "only {accepted} mutants were accepted");
}

fn mutate(text: &str, random: &mut Random) -> String {
    let mut text = text.to_string();
    for _ in 0..=random.below(2) {
        let (from, to) = (boundary(&text, random), boundary(&text, random));
        let numbers: Vec<usize> =
            text.char_indices().filter(|(_, each)| each.is_ascii_digit()).map(|(at, _)| at).collect();
        match random.below(10) {
            0 => text.truncate(from),
            1 => text.replace_range(from.min(to)..from.max(to).min(from.min(to) + 12), ""),
            2 => {
                let piece: String = text[from..].chars().take(12).collect();
                text.insert_str(to, &piece);
            }
            3 | 4 => {
                let (old, new) = (word(&text, from), text[word(&text, to)].to_string());
                text.replace_range(old, &new);
            }
            _ if numbers.is_empty() => {}
            _ => {
                let at = numbers[random.below(numbers.len())];
                let value = ["0", "1", "2", "3", "9", "255", "256", "65536", "4294967295"][random.below(9)];
                text.replace_range(at..=at, value);
            }
        }
    }
    text
}

fn boundary(text: &str, random: &mut Random) -> usize {
    text.floor_char_boundary(random.below(text.len() + 1))
}

/// The word behind an offset.
fn word(text: &str, from: usize) -> std::ops::Range<usize> {
    let is_part = |each: char| each.is_ascii_alphanumeric() || each == '_';
    let start = text[from..].find(is_part).map_or(text.len(), |found| from + found);
    let end = text[start..].find(|each| !is_part(each)).map_or(text.len(), |found| start + found);
    start..end
}
