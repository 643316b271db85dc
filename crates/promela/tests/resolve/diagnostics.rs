//! The messages for typical mistakes, kept as snapshots: read them as someone would who just began with Promela.
//!
//! A table of mistakes (`tests/resolve/mistakes/*.txt`) holds one model each, under a line `=== title`. Every mistake is
//! reported, and reported once. Titles that begin with `warn:` stand for models that are accepted with warnings only.

use promela::render::{Style, render};
use promela::{Options, Strictness, load_text};

use crate::support::load;

fn check(name: &str, table: &str) {
    let mut text = String::new();
    let mut wrong = Vec::new();
    for part in table.split("=== ").skip(1) {
        let (title, model) = part.split_once('\n').expect("a mistake has a model under its title");
        let loaded = load(model);
        text += &format!("=== {title}\n");
        for diagnostic in &loaded.diagnostics {
            text += &render(diagnostic, &loaded.sources, Style::default());
            text += "\n\n";
        }
        let errors = loaded.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
        let expected = usize::from(!title.starts_with("warn: "));
        if errors != expected || loaded.diagnostics.is_empty() {
            wrong.push(format!("{title}: {errors} errors"));
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

mistakes! { names declarations control messages types references lints }

#[test]
fn only_the_first_statement_of_an_option_is_its_guard() {
    let codes = |body: &str| -> Vec<&str> {
        let text = format!("byte x; active proctype p() {{ {body} }}");
        load(&text).diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
    };
    for body in [
        "if :: x == 0 :: x == 1 fi; L: x = 2; goto L",
        "do :: x == 0 :: break od; x = 3; L: x = 2; goto L",
        "if :: x == 0 :: if :: x == 1 fi fi; { L: x = 2 }; goto L",
        "if :: x == 0 :: atomic { x == 1; L: x = 2 } fi; goto L",
    ] {
        assert!(!codes(body).contains(&"label-in-option"), "{body}");
    }
    assert_eq!(codes("if :: x == 0 :: L: if :: x == 1 fi fi; goto L"), ["label-in-option"]);
    assert_eq!(codes("if :: x == 0 :: x == 1 fi; else"), ["misplaced-else"]);
}

#[test]
fn strict_reading_turns_warnings_into_errors() {
    let text = "byte x; init { x = 300; assert(x == 44) }";
    let lenient = load(text);
    assert!(lenient.model.is_some() && lenient.diagnostics.len() == 1);
    let options = Options { strictness: Strictness::Strict, ..Options::default() };
    let strict = load_text("model.pml", text, &options);
    assert!(strict.model.is_none() && strict.diagnostics[0].is_error());
}

#[test]
fn reports_stand_in_the_order_of_the_text_once_each_and_not_too_many() {
    let text = "byte y; inline f() { y = 300; y = 301 } init { f(); f(); y = 400; assert(y == 1) }";
    let messages: Vec<String> = load(text).diagnostics.into_iter().map(|d| d.message).collect();
    let expected = [300, 301, 400].map(|value| format!("{value} does not fit into a `byte`"));
    assert_eq!(messages, expected);

    let many: String = (0..200).map(|n| format!("unknown{n} = 1; ")).collect();
    let reported = load(&format!("init {{ {many} skip }}")).diagnostics;
    assert_eq!(reported.len(), 51);
    assert_eq!(reported[50].message, "and 150 more errors");
}

#[test]
fn a_declaration_that_failed_is_not_missed_again() {
    let loaded = load("byte a[0]; init { a[1] = 2; a[2] = 3 }");
    assert_eq!(loaded.diagnostics.iter().filter(|d| d.is_error()).count(), 1);
    let loaded = load("byte a b; init { a = 1; b = 2 }");
    assert!(loaded.diagnostics.iter().all(|d| d.code != "unknown-name"), "{:?}", loaded.diagnostics);
}
