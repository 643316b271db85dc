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
//! | `built` | accepts it if it was built that way (`-DNXT`) | accepts |
//! | `stricter` | accepts, and makes nonsense of it | rejects |
//!
//! Without a `spin` on the path only the parser's half is tested.

use std::path::{Path, PathBuf};

use crate::oracle::{Answer, Spin};
use crate::support::parse_file;

struct Case<'a> {
    title: &'a str,
    /// `None` where it depends on how SPIN was built.
    spin: Option<Answer>,
    parser: Answer,
    text: &'a str,
}

fn cases(table: &str) -> Vec<Case<'_>> {
    let case = |part| {
        let (head, text) = str::split_once(part, '\n').expect("a case has a text under its title");
        let (verdict, title) = head.split_once(": ").expect("a title has a verdict before it");
        let (spin, parser) = match verdict {
            "accept" => (Some(Answer::Accepts), Answer::Accepts),
            "reject" => (Some(Answer::Rejects), Answer::Rejects),
            "beyond" | "semantic" => (Some(Answer::Rejects), Answer::Accepts),
            "built" => (None, Answer::Accepts),
            "stricter" => (Some(Answer::Accepts), Answer::Rejects),
            other => panic!("`{other}` is no verdict"),
        };
        Case { title, spin, parser, text }
    };
    table.split("=== ").skip(1).map(case).collect()
}

fn parser_answer(path: &Path, text: &str) -> (Answer, Vec<String>) {
    let parsed = parse_file(&path.to_string_lossy(), text);
    let errors: Vec<String> =
        parsed.errors().map(|error| format!("line {}: {}", parsed.line(error), error.message)).collect();
    (Answer::of(errors.is_empty()), errors)
}

fn check(name: &str, table: &str) {
    let spin = Spin::new(&format!("parse-{name}"));
    let mut wrong = Vec::new();
    for case in cases(table) {
        let (answer, errors) = parser_answer(&spin.model_path(), case.text);
        if answer != case.parser {
            wrong.push(format!("{}: the parser {answer:?} {errors:?}", case.title));
        }
        if let Some((answer, output)) = spin.answer(case.text)
            && case.spin.is_some_and(|expected| answer != expected)
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

/// A model for edits: every statement and expression of the language, but neither `select` nor `ltl`, which SPIN reads as
/// text first and where it accepts garbage.
const EDITED: &str = "mtype = { req, ack };\ntypedef Slot { byte who; bool free = true }\nSlot slots[3];\nchan c[2] = [2] of { mtype, byte };\n\
    unsigned load : 4;\nbyte x, y;\ninline give(i, w) {\n  slots[i].who = w\n  slots[i].free = false\n}\n\
    active [2] proctype Client() provided (load < 9) {\n  byte i;\nidle:\n  do\n  :: c[0]!req(_pid) unless { timeout }\n\
    :: nempty(c[1]) && c[1]?[ack, eval(i)] -> c[1]?ack,x; load++\n  :: else -> break\n  od;\n  for (i : 0 .. 2) { give(i, _pid) }\n\
    if :: (x > 1 -> 2 : 3) == 2 -> goto idle :: else fi;\n  d_step { x = -(x + 1) * 2 << 1; assert(x != 7) }\n  printf(\"%d\\n\", x)\n}\n\
    proctype Server(byte first; mtype kind) { xr c[0]; c[0]??<req, _>; atomic { x = first & 3 | y; y-- } }\n\
    init priority 2 { atomic { run Server(1, ack) } }\n";

#[test]
fn what_spin_accepts_of_an_edited_model_is_accepted() {
    let spin = Spin::new("parse-edited");
    let words: Vec<&str> = EDITED.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let mut state = 7_u64;
    let mut roll = |sides: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % sides
    };
    let others = [
        ";", "->", "::", ",", "=", "==", "!", "?", "+", "-", "(", ")", "{", "}", "[", "]", "fi", "od", "else", "skip",
        "x", "1", "\n",
    ];
    for _ in 0..120 {
        let mut edited: Vec<&str> = words.clone();
        for _ in 0..1 + roll(2) {
            let place = roll(edited.len());
            match roll(3) {
                0 => drop(edited.remove(place)),
                1 => edited.insert(place, others[roll(others.len())]),
                _ => edited[place] = others[roll(others.len())],
            }
        }
        let text = edited.concat();
        let (answer, errors) = parser_answer(&spin.model_path(), &text);
        if answer == Answer::Accepts {
            continue;
        }
        let Some((answer, _)) = spin.answer(&text) else { return };
        assert_eq!(answer, Answer::Rejects, "{errors:?}\n{text}");
    }
}

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
