//! The parser and the real `spin` on many small models: what SPIN accepts is accepted, and what we accept beyond that is
//! listed here case by case.
//!
//! A table (`tests/parse/agreement/*.txt`) holds one model a case, under a line `=== verdict: title`:
//!
//! | verdict | SPIN | the parser |
//! | --- | --- | --- |
//! | `accept` | accepts | accepts |
//! | `reject` | rejects | rejects |
//! | `beyond` | rejects the syntax | accepts, where the meaning is clear |
//! | `semantic` | rejects for another reason than syntax | accepts, and leaves it to the resolver |
//! | `stricter` | accepts, and makes nonsense of it | rejects |
//!
//! Without a `spin` on the path only the parser's half is tested.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::parse_file;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    Accepts,
    Rejects,
}

struct Case<'a> {
    title: &'a str,
    spin: Answer,
    parser: Answer,
    text: &'a str,
}

fn cases(table: &str) -> Vec<Case<'_>> {
    let case = |part| {
        let (head, text) = str::split_once(part, '\n').expect("a case has a text under its title");
        let (verdict, title) = head.split_once(": ").expect("a title has a verdict before it");
        let (spin, parser) = match verdict {
            "accept" => (Answer::Accepts, Answer::Accepts),
            "reject" => (Answer::Rejects, Answer::Rejects),
            "beyond" | "semantic" => (Answer::Rejects, Answer::Accepts),
            "stricter" => (Answer::Accepts, Answer::Rejects),
            other => panic!("`{other}` is no verdict"),
        };
        Case { title, spin, parser, text }
    };
    table.split("=== ").skip(1).map(case).collect()
}

fn parser_answer(path: &Path, text: &str) -> (Answer, Vec<String>) {
    let parsed = parse_file(&path.to_string_lossy(), text);
    let errors: Vec<String> = parsed.errors().map(|error| format!("line {}: {}", parsed.line(error), error.message)).collect();
    (if errors.is_empty() { Answer::Accepts } else { Answer::Rejects }, errors)
}

/// Runs `spin -a` on a model in a directory of its own. `None` without a `spin`.
fn spin_answer(directory: &Path, file: &str) -> Option<(Answer, String)> {
    let output = Command::new("spin").arg("-a").arg(file).current_dir(directory).stdin(Stdio::null()).output().ok()?;
    let answer = if output.status.success() { Answer::Accepts } else { Answer::Rejects };
    Some((answer, String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)))
}

/// A directory that is removed again.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("isospin-parse-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("the temporary directory is writable");
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Best effort: what stays behind is in the temporary directory.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn check(name: &str, table: &str) {
    let scratch = Scratch::new(name);
    let mut wrong = Vec::new();
    for case in cases(table) {
        let path = scratch.0.join("m.pml");
        std::fs::write(&path, case.text).expect("the temporary directory is writable");
        let (answer, errors) = parser_answer(&path, case.text);
        if answer != case.parser {
            wrong.push(format!("{}: the parser {answer:?} {errors:?}", case.title));
        }
        if let Some((answer, output)) = spin_answer(&scratch.0, "m.pml")
            && answer != case.spin
        {
            wrong.push(format!("{}: spin {answer:?} {output}", case.title));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

macro_rules! agreement {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                check(stringify!($name), include_str!(concat!("agreement/", stringify!($name), ".txt")));
            }
        )*
    };
}

agreement! { separators units declarations statements messages expressions formulas inlines embedded_c }

/// Debian's examples of SPIN.
const EXAMPLES: &str = "/usr/share/doc/spin/examples/Examples";

/// SPIN rejects it because this build knows no `X`; it also applies `&` to a temporal formula.
const NOT_PROMELA: &str = "patterns.pml";

#[test]
fn every_example_of_spin_is_accepted() {
    let mut count = 0;
    let mut directories = vec![PathBuf::from(EXAMPLES)];
    while let Some(directory) = directories.pop() {
        let Ok(entries) = std::fs::read_dir(&directory) else { continue };
        for entry in entries.filter_map(Result::ok) {
            let path = entry.path();
            if path.is_dir() {
                directories.push(path);
                continue;
            }
            if path.extension().is_none_or(|extension| extension != "pml") {
                continue;
            }
            let bytes = std::fs::read(&path).expect("an example is readable");
            let (answer, errors) = parser_answer(&path, &String::from_utf8_lossy(&bytes));
            let expected = if path.ends_with(NOT_PROMELA) { Answer::Rejects } else { Answer::Accepts };
            assert_eq!(answer, expected, "{}: {errors:?}", path.display());
            count += 1;
        }
    }
    assert!(count == 0 || count == 78, "{count} examples");
}
