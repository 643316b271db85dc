//! The messages for typical mistakes, kept as snapshots: read them as someone would who just began with Promela.
//!
//! A table of mistakes (`tests/parse/mistakes/*.txt`) holds one model each, under a line `=== title`. Every mistake is
//! reported, and reported once: nothing follows from it. Titles that begin with `warn:` stand for models that are accepted
//! with a warning, those with `two:` for models with two mistakes.

use promela::render::{Style, render};

use crate::support::parse_file;

fn check(name: &str, table: &str) {
    let mut text = String::new();
    let mut wrong = Vec::new();
    for part in table.split("=== ").skip(1) {
        let (title, model) = part.split_once('\n').expect("a mistake has a model under its title");
        let parsed = parse_file("model.pml", model);
        text += &format!("=== {title}\n");
        for diagnostic in &parsed.diagnostics {
            text += &render(diagnostic, &parsed.sources, Style::default());
            text += "\n\n";
        }
        let expected = match title.split_once(": ") {
            Some(("warn", _)) => 0,
            Some(("two", _)) => 2,
            _ => 1,
        };
        if parsed.errors().count() != expected || parsed.diagnostics.is_empty() {
            wrong.push(format!("{title}: {} errors", parsed.errors().count()));
        }
    }
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true, snapshot_path => "mistakes" }, {
        insta::assert_snapshot!(name, text);
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

macro_rules! mistakes {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                check(stringify!($name), include_str!(concat!("mistakes/", stringify!($name), ".txt")));
            }
        )*
    };
}

mistakes! { separators units declarations statements expressions formulas inlines }
