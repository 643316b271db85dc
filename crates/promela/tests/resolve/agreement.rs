//! The front end and the real `spin` on many small models: what SPIN accepts is accepted, and every exception is listed.
//!
//! SPIN *accepts* a model when `spin -a` ends with exit code 0. (It also writes a `pan.c` for some models that it reports
//! errors for, and prints the word "Error" about some that it accepts; the exit code is what scripts rely on.)
//! A table (`tests/resolve/agreement/*.txt`) holds one model a case, under a line `=== verdict: title`:
//!
//! | verdict | SPIN | we |
//! | --- | --- | --- |
//! | `accept` | accepts | accept |
//! | `reject` | rejects | reject |
//! | `beyond` | rejects | accept with a warning: the meaning is plain, and harmless |
//! | `unusable` | accepts, but its C file does not compile or its verifier refuses to start | reject |
//! | `stricter` | accepts | reject: it changes what must not be changed |
//!
//! Without a `spin` on the path only our half is tested.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::load;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    Accepts,
    Rejects,
}

/// What is expected of SPIN and of us.
fn expected(verdict: &str) -> (Answer, Answer) {
    match verdict {
        "accept" => (Answer::Accepts, Answer::Accepts),
        "reject" => (Answer::Rejects, Answer::Rejects),
        "beyond" => (Answer::Rejects, Answer::Accepts),
        "unusable" | "stricter" => (Answer::Accepts, Answer::Rejects),
        other => panic!("`{other}` is no verdict"),
    }
}

/// Runs `spin -a` on a model without macros. `None` without a `spin`.
fn spin_answer(directory: &Path, text: &str) -> Option<(Answer, String)> {
    std::fs::write(directory.join("m.pml"), text).expect("the temporary directory is writable");
    // `cat` instead of the C preprocessor: there is nothing to expand, and it is faster.
    let command =
        Command::new("spin").args(["-Pcat", "-a", "m.pml"]).current_dir(directory).stdin(Stdio::null()).output();
    let output = command.ok()?;
    let answer = if output.status.success() { Answer::Accepts } else { Answer::Rejects };
    Some((answer, String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)))
}

/// A directory that is removed again.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("isospin-resolve-{}-{name}", std::process::id()));
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
    for part in table.split("=== ").skip(1) {
        let (head, text) = part.split_once('\n').expect("a case has a text under its title");
        let (verdict, title) = head.split_once(": ").expect("a title has a verdict before it");
        let (spin, ours) = expected(verdict);
        let loaded = load(text);
        let answer = if loaded.model.is_some() { Answer::Accepts } else { Answer::Rejects };
        if answer != ours {
            let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| &*d.message).collect();
            wrong.push(format!("{title}: we {answer:?} {messages:?}"));
        }
        if verdict == "beyond" && loaded.diagnostics.is_empty() && !SILENT.contains(&title) {
            wrong.push(format!("{title}: SPIN refuses it, and we say nothing"));
        }
        if let Some((answer, output)) = spin_answer(&scratch.0, text)
            && answer != spin
        {
            wrong.push(format!("{title}: spin {answer:?} {output}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `X` is part of SPIN's language; only Debian's build of it leaves it out.
const SILENT: [&str; 1] = ["ltl with next"];

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
