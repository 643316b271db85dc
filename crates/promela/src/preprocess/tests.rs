//! What no comparison with gcc shows: origins, includes, limits, messages, and that no input does harm.

use std::path::PathBuf;
use std::sync::Arc;

use proptest::prelude::*;

use super::{InMemory, Limits, Options, preprocess_within};
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::{ExpansionId, ExpansionKind, SourceMap};
use crate::token::{Token, TokenKind};

/// The result of a run.
struct Run {
    sources: SourceMap,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
}

impl Run {
    fn texts(&self) -> Vec<&str> {
        self.tokens.iter().filter(|token| token.kind != TokenKind::End).map(|token| &*token.text).collect()
    }

    fn token(&self, text: &str) -> &Token {
        self.tokens.iter().find(|token| &*token.text == text).expect("the token is there")
    }

    fn messages(&self) -> Vec<&str> {
        self.diagnostics.iter().map(|diagnostic| diagnostic.message.as_str()).collect()
    }

    fn only_error(&self) -> &Diagnostic {
        let errors: Vec<_> = self.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).collect();
        assert_eq!(errors.len(), 1, "{errors:?}");
        errors[0]
    }
}

fn run_all(files: &[(&str, &str)], options: &Options, limits: Limits) -> Run {
    let mut sources = SourceMap::new();
    let main = sources.add_file(files[0].0, files[0].1).expect("the text is small");
    let loader: InMemory = files[1..].iter().copied().collect();
    let mut diagnostics = Vec::new();
    let (tokens, _) = preprocess_within(limits, &mut sources, main, options, &loader, &mut diagnostics);
    Run { sources, tokens, diagnostics }
}

fn run_files(files: &[(&str, &str)]) -> Run {
    run_all(files, &Options::default(), Limits::default())
}

fn run(text: &str) -> Run {
    run_files(&[("m.pml", text)])
}

fn defining(defines: &[&str]) -> Options {
    Options { defines: defines.iter().map(|define| (*define).to_string()).collect(), ..Options::default() }
}

// ---------------------------------------------------------------------------------------------- origins

#[test]
fn body_text_stands_in_the_definition_and_is_used_at_the_call() {
    let run = run("#define F(a) a + body\nx;\ny = F(arg);\n");
    let body = run.token("body");
    assert_eq!(run.sources.snippet(body.span), "body");
    assert_eq!(run.sources.location(body.span).line, 1);
    assert_eq!(run.sources.snippet(run.sources.use_site(body.span)), "F(arg)");
    let expansion = run.sources.expansion(body.span).expect("it came from a macro");
    assert_eq!((expansion.kind, &*expansion.name), (ExpansionKind::Macro, "F"));
    assert_eq!(run.sources.location(expansion.definition).column, 9);
}

#[test]
fn an_argument_reports_the_line_of_the_macros_name() {
    let run = run("#define ID(a) a\n#define G body\n;\nID(\n  first\n  G\n);\n");
    for text in ["first", "body"] {
        let span = run.token(text).span;
        assert_eq!(run.sources.location(run.sources.reported_span(span)).line, 4, "{text}");
        assert_eq!(run.sources.location(run.sources.use_site(span)).line, 4, "{text}");
    }
    assert_eq!(run.sources.snippet(run.sources.visible_span(run.token("first").span)), "first");
    assert_eq!(run.sources.snippet(run.sources.visible_span(run.token("body").span)), "G");
}

#[test]
fn arguments_of_nested_calls_stay_visible_where_they_were_written() {
    let run = run("#define IN(a) <a>\n#define OUT(a) IN(a x)\nOUT(arg)\n");
    assert_eq!(run.texts(), ["<", "arg", "x", ">"]);
    assert_eq!(run.sources.snippet(run.sources.visible_span(run.token("arg").span)), "arg");
    assert_eq!(run.sources.snippet(run.sources.visible_span(run.token("x").span)), "OUT(arg)");
    let inner = run.sources.expansion(run.token("x").span).expect("it came from a macro");
    assert_eq!(&*inner.name, "IN");
}

#[test]
fn no_span_reaches_from_a_definition_to_a_use() {
    let run = run("#define SET(v) y = v\nbyte y;\nSET(x + 1);\n");
    let (first, last) = (run.token("y"), run.token("1"));
    let whole = run.tokens.iter().find(|token| &*token.text == "=").expect("there").span.to(last.span);
    assert_eq!(run.sources.snippet(whole), "=");
    assert_eq!(run.sources.snippet(run.token("x").span.to(last.span)), "x + 1");
    assert_eq!(first.span.expansion, ExpansionId::NONE);
}

#[test]
fn halves_of_a_number_have_their_own_spans() {
    let run = run("x = 0x1F;");
    assert_eq!(run.texts(), ["x", "=", "0", "x1F", ";"]);
    assert_eq!(run.sources.snippet(run.tokens[2].span), "0");
    assert_eq!(run.sources.snippet(run.tokens[3].span), "x1F");
    assert_eq!((run.tokens[3].kind, run.tokens[3].space_before), (TokenKind::Word, false));
}

#[test]
fn equal_texts_share_one_allocation() {
    let run = run("#define A name\nname A name ; ;");
    assert!(Arc::ptr_eq(&run.tokens[0].text, &run.tokens[1].text));
    assert!(Arc::ptr_eq(&run.tokens[3].text, &run.tokens[4].text));
}

#[test]
fn the_last_token_is_the_end_of_the_main_file() {
    for text in ["", "x", "#include \"a.h\"\n", "#if 0\n"] {
        let run = run_files(&[("m.pml", text), ("a.h", "y z")]);
        let end = run.tokens.last().expect("there is an end");
        assert_eq!(end.kind, TokenKind::End);
        assert_eq!(run.sources.range(end.span).expect("in a file").1, text.len()..text.len());
    }
}

#[test]
fn brackets_that_stand_together_stay_together() {
    let run = run("#define ALWAYS []\n#define OPEN [\n[] p; [ ] q; ALWAYS r; OPEN] s; <> t");
    let spaces: Vec<bool> =
        run.tokens.iter().filter(|t| matches!(&*t.text, "]" | ">")).map(|t| t.space_before).collect();
    assert_eq!(spaces, [false, true, false, false, false]);
}

#[test]
fn markers_of_an_earlier_preprocessor_name_the_lines() {
    let run = run("# 1 \"m.pml\"\n# 1 \"<built-in>\" 1\n# 5 \"dir/orig.pml\" 2\nx\ny __LINE__ __FILE__\n");
    assert_eq!(run.texts(), ["x", "y", "6", "\"dir/orig.pml\""]);
    let place = run.sources.location(run.token("x").span);
    let (path, line) = run.sources.presumed_line(place.file, place.line);
    assert_eq!((&**path, line), ("dir/orig.pml", 5));
}

// ---------------------------------------------------------------------------------------------- includes

#[test]
fn files_are_looked_for_beside_the_including_file_first() {
    let files = [
        ("models/m.pml", "#include \"sub/a.h\"\n#include \"c.h\"\n#include <c.h>\n"),
        ("models/sub/a.h", "#include \"b.h\"\n"),
        ("models/sub/b.h", "beside"),
        ("models/c.h", "local"),
        ("lib/c.h", "library"),
        ("lib/b.h", "wrong"),
    ];
    let options = Options { include_dirs: vec![PathBuf::from("lib")], ..Options::default() };
    let run = run_all(&files, &options, Limits::default());
    assert_eq!(run.texts(), ["beside", "local", "library"]);
    assert_eq!(run.messages(), [] as [&str; 0]);
    let file = run.sources.location(run.token("beside").span).file;
    assert_eq!(&*run.sources.file(file).path, "models/sub/b.h");
    assert!(run.tokens.iter().all(|token| token.newline_before));
}

#[test]
fn a_missing_file_is_reported_with_the_places_tried() {
    let options = Options { include_dirs: vec![PathBuf::from("lib")], ..Options::default() };
    let run = run_all(&[("models/m.pml", "#include \"gone.h\"\nx")], &options, Limits::default());
    let error = run.only_error();
    assert_eq!(error.notes, ["`models/gone.h` does not exist", "`lib/gone.h` does not exist"]);
    assert_eq!(run.sources.snippet(error.span()), "\"gone.h\"");
    assert_eq!(run.texts(), ["x"]);
}

#[test]
fn an_include_may_be_made_by_macros() {
    let text = "#define NAME \"a.h\"\n#define DIR lib\n#define FILE <DIR/b.h>\n#include NAME\n#include FILE\n";
    let files = [("m.pml", text), ("a.h", "one"), ("inc/lib/b.h", "two")];
    let options = Options { include_dirs: vec![PathBuf::from("inc")], ..Options::default() };
    assert_eq!(run_all(&files, &options, Limits::default()).texts(), ["one", "two"]);
}

#[test]
fn a_guarded_cycle_of_includes_is_fine_and_a_plain_one_shows_its_chain() {
    let guarded = "#ifndef A\n#define A\n#include \"b.h\"\nx\n#endif\n";
    let run = run_files(&[("m.pml", "#include \"a.h\"\n"), ("a.h", guarded), ("b.h", "#include \"a.h\"\ny\n")]);
    assert_eq!((run.texts(), run.messages().len()), (vec!["y", "x"], 0));

    let plain = [("m.pml", "#include \"a.h\"\n"), ("a.h", "#include \"b.h\"\n"), ("b.h", "#include \"a.h\"\n")];
    let run = run_files(&plain);
    assert!(
        run.only_error().notes[0].ends_with("a.h → b.h → a.h")
            || run.only_error().notes[0].ends_with("b.h → a.h → b.h")
    );
}

#[test]
fn pragma_once_reads_a_file_once_and_other_pragmas_are_ignored_aloud() {
    let run = run_files(&[("m.pml", "#include \"a.h\"\n#include \"a.h\"\n#pragma pack\n"), ("a.h", "#pragma once\nx")]);
    assert_eq!((run.texts(), run.messages()), (vec!["x"], vec!["`#pragma` is ignored"]));
}

#[test]
fn conditionals_end_with_their_file() {
    let run = run_files(&[("m.pml", "#include \"a.h\"\nx\n"), ("a.h", "#if 1\ny\n")]);
    assert_eq!(run.texts(), ["y", "x"]);
    assert_eq!(run.only_error().message, "no `#endif` closes this conditional");
}

// ---------------------------------------------------------------------------------------------- messages

#[test]
fn a_different_redefinition_is_a_warning_that_shows_the_first() {
    let run = run("#define N 1\n#define N  1 /* same */\n#define N 2\nN");
    assert_eq!((run.texts(), run.messages()), (vec!["2"], vec!["the macro `N` is defined anew"]));
    assert_eq!(run.diagnostics[0].severity, Severity::Warning);
    assert_eq!(run.sources.location(run.diagnostics[0].labels[1].span).line, 1);
}

#[test]
fn problems_of_the_command_line_point_at_it() {
    let run = run_all(&[("m.pml", "N M")], &defining(&["3=4", "N=a\\", "M=b"]), Limits::default());
    assert_eq!(run.texts(), ["a", "\\", "b"]);
    let file = run.sources.location(run.only_error().span()).file;
    assert_eq!(&*run.sources.file(file).path, "<command line>");
}

#[test]
fn unclosed_constants_are_reported_once_and_closed() {
    let run = run("#define UNUSED it's unused\n#if 0\nit's left out\n#endif\n'a;\n\"text\\\nx 'q'");
    assert_eq!(run.texts(), ["'a'", "\"textx 'q'\""]);
    assert_eq!(run.messages(), ["this character constant has no closing quote", "this string has no closing quote"]);
    assert_eq!(run.tokens[0].kind, TokenKind::Character);
}

#[test]
fn a_message_of_the_model_is_passed_on() {
    let run = run("#error don't /* do */ \"that\n#warning  careful  \nx");
    assert_eq!(run.messages(), ["#error: don't /* do */ \"that", "#warning: careful"]);
    assert_eq!(run.texts(), ["x"]);
}

#[test]
fn blanks_behind_a_backslash_join_with_a_warning() {
    let run = run("#define N 1 + \\  \n 2\nN");
    assert_eq!((run.texts(), run.messages().len()), (vec!["1", "+", "2"], 1));
}

#[test]
fn byte_order_marks_carriage_returns_and_zero_bytes_do_no_harm() {
    let run = run("\u{feff}#define N 1\r\nN\r\n/* \0 */ \0 \\\r\n+\r\n");
    assert_eq!(run.texts(), ["1", "\0", "+"]);
    assert_eq!(run.messages(), [] as [&str; 0]);
}

#[test]
fn embedded_c_is_only_tokens() {
    let run = run("#define N 3\nc_code { x = 0x1F + N; s->f = 'a'; y = \"N\"; }");
    let c = ["x", "=", "0", "x1F", "+", "3", ";", "s", "->", "f", "=", "'a'", ";", "y", "=", "\"N\"", ";", "}"];
    assert_eq!(run.texts()[2..], c);
}

// ---------------------------------------------------------------------------------------------- limits

#[test]
fn macros_that_multiply_are_stopped() {
    for last in ["x", ""] {
        let mut text = format!("#define L0 {last}\n");
        for level in 1..64 {
            text.push_str(&format!("#define L{level} L{0} L{0}\n", level - 1));
        }
        text.push_str("L63\nafter");
        let run = run_all(&[("m.pml", &text)], &Options::default(), Limits { work: 100_000, ..Limits::default() });
        assert_eq!(run.only_error().code, "runaway-macro");
        assert!(run.tokens.len() < 200_000);
    }
}

#[test]
fn includes_that_multiply_are_stopped() {
    let files: Vec<(String, String)> = (0..40)
        .map(|level| (format!("f{level}.h"), format!("#include \"f{0}.h\"\n#include \"f{0}.h\"\n", level + 1)))
        .collect();
    let mut files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    files.push(("f40.h", "x\n"));
    let run = run_files(&files);
    assert_eq!(run.only_error().code, "runaway-macro");
}

#[test]
fn deeply_nested_calls_are_stopped_and_less_deep_ones_are_not() {
    let nested = |depth: usize| format!("#define F(x) x\n{}1{}", "F(".repeat(depth), ")".repeat(depth));
    assert_eq!(run(&nested(150)).texts(), ["1"]);
    assert_eq!(run(&nested(100_000)).only_error().code, "runaway-macro");
    let parentheses = format!("#if {}1{}\n#endif", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(run(&parentheses).only_error().code, "condition");
    assert_eq!(run(&format!("#if {}1\n#endif", "!".repeat(100_001))).only_error().code, "condition");
    assert_eq!(run(&format!("#if {}1\n#endif", "1?1:".repeat(100_000))).only_error().code, "condition");
}

#[test]
fn long_chains_of_macros_are_no_problem() {
    let mut text: String = (0..50_000).map(|index| format!("#define C{index} C{}\n", index + 1)).collect();
    text.push_str("C0");
    let run = run(&text);
    assert_eq!(run.texts(), ["C50000"]);
    assert_eq!(run.sources.snippet(run.sources.use_site(run.tokens[0].span)), "C0");
}

#[test]
fn a_line_of_a_million_characters_is_no_problem() {
    let run = run(&"x + ".repeat(250_000));
    assert_eq!(run.tokens.len(), 500_001);
}

// ---------------------------------------------------------------------------------------------- any input

/// Laws that hold whatever the text.
fn check_any(text: &str) -> Result<(), TestCaseError> {
    let files = [("m.pml", text), ("a.h", "#define A(x) x x A\n#ifdef B\n"), ("m.h", "#include \"m.h\"\n")];
    let run = run_all(&files, &defining(&["B=A(1"]), Limits { work: 50_000, nesting: 50, includes: 20 });
    prop_assert_eq!(run.tokens.iter().filter(|token| token.kind == TokenKind::End).count(), 1);
    for token in &run.tokens {
        let snippet = run.sources.snippet(token.span);
        let as_written = token.span.expansion == ExpansionId::NONE && token.kind == TokenKind::Word;
        prop_assert!(!as_written || snippet == &*token.text || snippet.contains('\\'));
        let used = run.sources.use_site(token.span);
        prop_assert_eq!(used.expansion, ExpansionId::NONE);
        if matches!(token.kind, TokenKind::String | TokenKind::Character) {
            prop_assert!(token.text.len() >= 2 && token.text.ends_with(token.text.chars().next().unwrap_or(' ')));
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn random_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        check_any(&String::from_utf8_lossy(&bytes))?;
    }

    #[test]
    fn random_directives_and_macros_do_no_harm(parts in prop::collection::vec(part(), 0..80)) {
        check_any(&parts.concat())?;
    }
}

fn part() -> impl Strategy<Value = String> {
    let fixed = prop::sample::select(vec![
        "\n#define ",
        "\n#undef ",
        "\n#if ",
        "\n#ifdef ",
        "\n#elif ",
        "\n#else\n",
        "\n#endif\n",
        "\n#include ",
        "\n#include \"a.h\"\n",
        "\n#include \"m.h\"\n",
        "\n#line ",
        "\n# 3 ",
        "\n#pragma once\n",
        "\n#error ",
        "\n#",
        "\n",
        "\\\n",
        "A",
        "B",
        "F",
        "F(",
        "(",
        ")",
        ",",
        "...",
        "__VA_ARGS__",
        "#",
        "##",
        "defined",
        "__LINE__",
        "__FILE__",
        "\"",
        "'",
        "\\",
        "/*",
        "*/",
        "//",
        "1",
        "0x",
        "x",
        "?",
        ":",
        "&&",
        "<<",
        "-",
        "/",
        "%",
        " ",
        "\t",
        "\r\n",
        "é",
        "\0",
        "\n#define F(x) x##F(x",
        "\n#define F(x,...) #x x,##__VA_ARGS__ F\n",
        "\n#define A B A\n",
        "\n#define B A( F\n",
    ]);
    prop_oneof![9 => fixed.prop_map(String::from), 1 => "[ -~]{0,6}"]
}
