//! Cases for the type checker: small models, each with what must be said about it, no more and no less.
//!
//! A table (`tests/types/*.txt`) holds one model a case, under a line `=== verdict: title`:
//!
//! | verdict | meaning |
//! | --- | --- |
//! | `accept` | nothing at all is reported |
//! | `warn CODE …` | the model is accepted with exactly these warnings |
//! | `error CODE …` | the model is refused with exactly these errors, whatever the warnings |
//!
//! SPIN is expected to accept what we accept and to refuse what we refuse. Where it does not, ` (spin accepts)` or
//! ` (spin rejects)` stands behind the verdict, and `docs/promela.md` has the reason. Without a `spin` on the path only our
//! half is tested.

#[path = "../oracle/mod.rs"]
mod oracle;

use std::collections::BTreeSet;

use oracle::{Answer, Spin};
use promela::{Options, Strictness, load_text};

struct Case<'a> {
    title: &'a str,
    verdict: Verdict<'a>,
    spin: Answer,
    text: &'a str,
}

#[derive(PartialEq, Eq, Debug)]
struct Verdict<'a> {
    answer: Answer,
    codes: BTreeSet<&'a str>,
}

fn cases(table: &str) -> Vec<Case<'_>> {
    table.split("=== ").skip(1).map(case).collect()
}

fn case(part: &str) -> Case<'_> {
    let (head, text) = part.split_once('\n').expect("a case has a text under its title");
    let (expected, title) = head.split_once(": ").expect("a title has a verdict before it");
    let (expected, spin) = match expected.split_once(" (spin ") {
        Some((expected, "accepts)")) => (expected, Some(Answer::Accepts)),
        Some((expected, "rejects)")) => (expected, Some(Answer::Rejects)),
        Some((_, other)) => panic!("`{other}` is no answer of SPIN: {title}"),
        None => (expected, None),
    };
    let mut words = expected.split(' ');
    let answer = match words.next() {
        Some("accept" | "warn") => Answer::Accepts,
        Some("error") => Answer::Rejects,
        other => panic!("{other:?} is no verdict: {title}"),
    };
    Case { title, verdict: Verdict { answer, codes: words.collect() }, spin: spin.unwrap_or(answer), text }
}

/// What we say: of a model with errors only those count.
fn verdict(text: &str) -> Verdict<'static> {
    let loaded = load_text("model.pml", text, &Options::default());
    let answer = Answer::of(loaded.model.is_some());
    let counts = |error: bool| error || answer == Answer::Accepts;
    let codes = loaded.diagnostics.iter().filter(|each| counts(each.is_error())).map(|each| each.code).collect();
    Verdict { answer, codes }
}

fn check(name: &str, table: &str) {
    let spin = Spin::new(&format!("types-{name}"));
    let mut wrong = Vec::new();
    for case in cases(table) {
        let ours = verdict(case.text);
        if ours != case.verdict {
            wrong.push(format!("{}: expected {:?}, got {ours:?}", case.title, case.verdict));
        }
        if let Some((answer, printed)) = spin.answer(case.text)
            && answer != case.spin
        {
            wrong.push(format!("{}: spin {answer:?} {printed}", case.title));
        }
        // What is only warned about is refused on request, and nothing else is.
        let strict = Options { strictness: Strictness::Strict, ..Options::default() };
        let refused = load_text("model.pml", case.text, &strict).model.is_none();
        if refused == case.verdict.codes.is_empty() {
            wrong.push(format!("{}: --strict refuses: {refused}", case.title));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

macro_rules! types {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                check(stringify!($name), include_str!(concat!(stringify!($name), ".txt")));
            }
        )*
    };
}

types! { kinds ranges arrays structures mtypes channels carriers processes scopes control properties references ports }
