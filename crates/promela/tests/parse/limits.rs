//! Size and depth: what a generator may write is accepted, what nobody writes is refused, and nothing overflows a stack of
//! 2 MiB, which is what a thread has by default.

use std::time::{Duration, Instant};

use promela::parse::{MAX_CHAIN, MAX_ERRORS, MAX_FORMULA_CHAIN, MAX_INLINE_NESTING, MAX_NESTING};
use promela::print::{print, print_statement_line};

use crate::spans::without_spans;
use crate::support::{Parsed, parse_text};

/// Runs everything that walks a tree (parsing, cloning, comparing, printing, dropping) on a stack of 2 MiB.
#[track_caller]
fn walk(text: String) -> Vec<&'static str> {
    let walk = move || {
        let Parsed { ast, diagnostics, .. } = parse_text(&text);
        let copy = ast.clone();
        assert!(copy == ast);
        if diagnostics.iter().all(|diagnostic| !diagnostic.is_error()) {
            let again = parse_text(&print(&ast)).accepted();
            assert!(without_spans(again) == without_spans(copy));
        }
        diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).map(|error| error.code).collect()
    };
    std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(walk)
        .expect("a thread can be made")
        .join()
        .expect("no overflow")
}

/// A construct inside itself so many times, around `core`.
fn nested(open: &str, core: &str, close: &str, times: usize) -> String {
    format!("{}{core}{}", open.repeat(times), close.repeat(times))
}

/// Ways to nest: how to open and close a level, what stands inside, and around the whole.
const NESTINGS: &[(&str, &str, &str, &str)] = &[
    ("init { x = @ }", "(", "1", ")"),
    ("init { x = @ }", "- ", "1", ""),
    ("init { x = @ }", "!", "1", ""),
    ("init { x = @ }", "(1 + ", "1", ")"),
    ("init { x = @ }", "1 + (x == (", "1", "))"),
    ("init { x = @ }", "(1 -> ", "1", " : 2)"),
    ("init { x = @ }", "a[", "1", "]"),
    ("init { x = @ }", "enabled(", "1", ")"),
    ("init { x = @ }", "run P(", "1", ")"),
    ("init { x = @ }", "a[1 + (x -> (x || x && x | x ^ x & x == x < x << x + x * ", "1", ") : 2)]"),
    ("init { q?@ }", "(", "x", ")"),
    ("init { q?@ }", "x(", "x", ")"),
    ("init { @ }", "q?[eval(", "x", ")]"),
    ("init { @ }", "{ ", "skip", " }"),
    ("init { @ }", "atomic { ", "skip", " }"),
    ("init { @ }", "if :: ", "skip", " fi"),
    ("init { @ }", "do :: x == 1 -> skip; ", "skip", " :: else od"),
    ("init { @ }", "for (x : 1 .. 2) { ", "skip", " }"),
    ("init { @ }", "L: ", "skip", ""),
    ("init { @ }", "{ skip unless ", "skip", " }"),
    ("init { @ }", "L: { atomic { if :: skip; do :: skip -> { ", "skip", " } od fi } }"),
    ("ltl { @ }", "(", "x", ")"),
    ("ltl { @ }", "!", "x", ""),
    ("ltl { @ }", "[] ", "x", ""),
    ("ltl { @ }", "<> (x U ", "x", ")"),
    ("ltl { @ }", "x -> (x <-> ![](", "x", "))"),
];

#[test]
fn nesting_up_to_the_limit_is_accepted() {
    for (around, open, core, close) in NESTINGS {
        let text = |times| around.replace('@', &nested(open, core, close, times));
        let accepted = |times: &usize| parse_text(&text(*times)).errors().count() == 0;
        // No construct takes more than eight levels at a time, the whole less than ten more.
        let sure = (MAX_NESTING as usize - 10) / 8;
        let deepest = (sure..=MAX_NESTING as usize).rev().find(accepted).expect("this much is accepted");
        assert_eq!(walk(text(deepest)), [""; 0], "{open}");
    }
}

#[test]
fn nesting_beyond_the_limit_is_refused_with_one_error() {
    for (around, open, core, close) in NESTINGS {
        for times in [MAX_NESTING as usize + 1, 20_000] {
            let text = around.replace('@', &nested(open, core, close, times));
            assert_eq!(walk(text), ["nested-too-deeply"], "{open}");
        }
    }
}

#[test]
fn unclosed_nesting_is_refused() {
    for (around, open, ..) in NESTINGS {
        assert!(!walk(around.replace('@', &open.repeat(20_000))).is_empty(), "{open}");
    }
}

#[test]
fn a_chain_of_operators_may_be_as_long_as_a_generator_writes_it() {
    for operator in [" + ", " || ", " && ", " - ", " == ", " + 1 * ", " || x && "] {
        let terms = vec!["x"; MAX_CHAIN / operator.matches(' ').count().max(2) * 2];
        let sum = terms.join(operator);
        assert_eq!(walk(format!("byte x; init {{ {sum}; x = {sum} }}")), [""; 0], "{operator}");
    }
    let too_long = vec!["x"; MAX_CHAIN + 2].join(" + ");
    assert_eq!(walk(format!("byte x; init {{ {too_long} }}")), ["expression-too-long"]);
}

#[test]
fn a_long_chain_prints_in_one_line_without_recursion() {
    let sum = vec!["x"; MAX_CHAIN].join(" + ");
    let ast = parse_text(&format!("byte x; init {{ {sum} }}")).accepted();
    let promela::ast::Unit::Init(init) = &ast.units[1] else { panic!("`init` is the second unit") };
    let promela::ast::Step::Statement(statement) = &init.body.steps[0] else { panic!("an expression is a statement") };
    assert_eq!(print_statement_line(statement).len(), 2 + 4 * (MAX_CHAIN - 1) + 1);
}

#[test]
fn a_formula_may_join_a_thousand_others() {
    for operator in [" && ", " || ", " -> ", " U "] {
        let formula = vec!["[] x"; MAX_FORMULA_CHAIN].join(operator);
        assert_eq!(walk(format!("bool x; ltl {{ {formula} }} init {{ skip }}")), [""; 0], "{operator}");
        let too_long = vec!["[] x"; MAX_FORMULA_CHAIN + 2].join(operator);
        assert_eq!(walk(format!("bool x; ltl {{ {too_long} }} init {{ skip }}")), ["formula-too-long"], "{operator}");
    }
}

/// `f0` does nothing, each next inline uses the one before it `uses` times.
fn inlines(count: usize, uses: usize) -> String {
    let mut text = String::from("byte x; inline f0(a) { x = a }\n");
    for index in 1..count {
        let before = index - 1;
        text += &format!("inline f{index}(a) {{ {} }}\n", vec![format!("f{before}(a)"); uses].join("; "));
    }
    text + &format!("init {{ f{}(1) }}", count - 1)
}

#[test]
fn inlines_may_use_each_other_up_to_the_limit() {
    assert_eq!(walk(inlines(MAX_INLINE_NESTING, 1)), [""; 0]);
    assert_eq!(walk(inlines(MAX_INLINE_NESTING + 1, 1)), ["nested-too-deeply"]);
}

#[test]
fn inlines_that_grow_exponentially_are_refused_in_time() {
    let start = Instant::now();
    assert_eq!(walk(inlines(40, 2)), ["expansion-too-large"]);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn errors_are_counted_and_end_at_the_limit() {
    let text = format!("byte x; init {{ {} skip }}", "x = ; ".repeat(10 * MAX_ERRORS));
    let codes = walk(text);
    assert_eq!(codes.len(), MAX_ERRORS + 1);
    assert_eq!(codes.last(), Some(&"too-many-errors"));
}

#[test]
fn time_grows_with_the_text_and_no_faster() {
    let model = |size: usize| {
        let body = "if :: x == 1 -> x = y + 2 * z; q!x,y :: else -> atomic { x++; y-- } fi;\n".repeat(size);
        format!("byte x, y, z; chan q = [2] of {{ byte, byte }}; init {{ {body} skip }}")
    };
    let time = |size| {
        let text = model(size);
        let start = Instant::now();
        parse_text(&text).accepted();
        start.elapsed()
    };
    let (small, large) = (time(500), time(10_000));
    // Twenty times the text; a quadratic parser would take four hundred times as long.
    assert!(large < small * 100 + Duration::from_millis(200), "{small:?} {large:?}");
}
