//! The front end and the real `spin` on many small models: what SPIN accepts is accepted, and every exception is listed.
//!
//! A table (`tests/resolve/agreement/*.txt`) holds one model a case, under a line `=== verdict: title`:
//!
//! | verdict | SPIN | we |
//! | --- | --- | --- |
//! | `accept` | accepts | accept |
//! | `reject` | rejects | reject |
//! | `beyond` | rejects | accept with a warning: the meaning is plain, and harmless |
//! | `built` | accepts it if it was built that way (`-DNXT`) | accept |
//! | `unusable` | accepts, but its C file does not compile or its verifier refuses to start | reject |
//! | `stricter` | accepts | reject: it changes what must not be changed |
//!
//! Without a `spin` on the path only our half is tested.

use crate::oracle::{Answer, Spin};
use crate::support::load;

/// What is expected of SPIN, unless that depends on how it was built, and of us.
fn expected(verdict: &str) -> (Option<Answer>, Answer) {
    match verdict {
        "accept" => (Some(Answer::Accepts), Answer::Accepts),
        "reject" => (Some(Answer::Rejects), Answer::Rejects),
        "beyond" => (Some(Answer::Rejects), Answer::Accepts),
        "built" => (None, Answer::Accepts),
        "unusable" | "stricter" => (Some(Answer::Accepts), Answer::Rejects),
        other => panic!("`{other}` is no verdict"),
    }
}

fn check(name: &str, table: &str) {
    let oracle = Spin::new(&format!("resolve-{name}"));
    let mut wrong = Vec::new();
    for part in table.split("=== ").skip(1) {
        let (head, text) = part.split_once('\n').expect("a case has a text under its title");
        let (verdict, title) = head.split_once(": ").expect("a title has a verdict before it");
        let (spin, ours) = expected(verdict);
        let loaded = load(text);
        let answer = Answer::of(loaded.model.is_some());
        if answer != ours {
            let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| &*d.message).collect();
            wrong.push(format!("{title}: we {answer:?} {messages:?}"));
        }
        if verdict == "beyond" && loaded.diagnostics.is_empty() {
            wrong.push(format!("{title}: SPIN refuses it, and we say nothing"));
        }
        if let Some((answer, output)) = oracle.answer(text)
            && spin.is_some_and(|expected| answer != expected)
        {
            wrong.push(format!("{title}: spin {answer:?} {output}"));
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

agreement! {
    scopes declarations labels loops d_steps processes messages structures expressions mtypes inlines remote properties traces
}
