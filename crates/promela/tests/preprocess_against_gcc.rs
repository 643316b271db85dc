//! The preprocessor against gcc's, which SPIN calls: same tokens, same line breaks, errors for the same texts.
//!
//! gcc's output is cut into tokens by our scanner, so only what the preprocessor decides is compared. Deliberate
//! differences are pinned at the end.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use promela::diagnostic::Diagnostic;
use promela::lex::{PieceKind, pieces};
use promela::preprocess::{FileSystem, Options, preprocess};
use promela::source::SourceMap;
use promela::token::TokenKind;
use proptest::prelude::*;

/// A token's text, and whether a line break stands before it.
type Shown = (String, bool);

/// What gcc makes of a text, and its messages if it refuses it. `None` without gcc.
fn gcc(text: &str, directory: &Path, arguments: &[&str]) -> Option<(Vec<Shown>, Option<String>)> {
    let spawned = Command::new("gcc")
        .args(["-std=gnu99", "-E", "-x", "c"])
        .args(arguments)
        .arg("-I")
        .arg(directory)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = spawned else {
        eprintln!("skipped: no gcc on this machine to compare with");
        return None;
    };
    child.stdin.take().expect("was piped").write_all(text.as_bytes()).expect("gcc reads its input");
    let output = child.wait_with_output().expect("gcc ends");
    let refusal = (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned());
    Some((shown_text(&String::from_utf8_lossy(&output.stdout)), refusal))
}

/// The tokens of preprocessed text, line markers left out. Each line is cut by itself: gcc has joined the lines that its
/// input continues, so a backslash that it writes at a line's end, as for the argument of `F(\n\)`, is a token.
fn shown_text(text: &str) -> Vec<Shown> {
    let mut tokens: Vec<Shown> = Vec::new();
    for line in text.lines() {
        let mut newline = true;
        for piece in pieces(line) {
            if let PieceKind::Token(_) | PieceKind::Unclosed(_) = piece.kind {
                tokens.push((line[piece.start..piece.end].to_string(), newline));
                newline = false;
            }
        }
    }
    tokens
}

fn ours(text: &str, path: &str, options: &Options) -> (Vec<Shown>, Vec<Diagnostic>) {
    let mut sources = SourceMap::new();
    let main = sources.add_file(path, text).expect("the text is small");
    let mut diagnostics = Vec::new();
    let tokens = preprocess(&mut sources, main, options, &FileSystem, &mut diagnostics);
    let shown = tokens
        .iter()
        .filter(|token| token.kind != TokenKind::End)
        .map(|token| (token.text.to_string(), token.newline_before))
        .collect();
    (shown, diagnostics)
}

/// Holds the two equal on a text without errors.
fn compare(text: &str) {
    same_result(text, Path::new("."), &Options::default(), &[]).unwrap_or_else(|difference| panic!("{difference}"));
    let (_, diagnostics) = ours(text, "-", &Options::default());
    assert_eq!(diagnostics.iter().find(|diagnostic| diagnostic.is_error()), None);
}

/// Equal tokens and line breaks, or an error from both and the same text.
fn same_result(text: &str, directory: &Path, options: &Options, arguments: &[&str]) -> Result<(), String> {
    let Some((expected, refusal)) = gcc(text, directory, arguments) else { return Ok(()) };
    let path = directory.join("-");
    let (tokens, diagnostics) = ours(text, &path.to_string_lossy(), options);
    let error = diagnostics.iter().find(|diagnostic| diagnostic.is_error());
    match (refusal, error) {
        (Some(messages), None) => return Err(format!("only gcc reports an error: {messages}")),
        (None, Some(error)) => return Err(format!("only we report an error: {}", error.message)),
        // After a call that was refused, gcc writes tokens side by side without keeping them apart.
        (Some(_), Some(_)) if concatenated(&expected) == concatenated(&tokens) => return Ok(()),
        (None, None) if expected == tokens => return Ok(()),
        (Some(_), Some(_)) | (None, None) => {}
    }
    let at = expected.iter().zip(&tokens).take_while(|(one, two)| one == two).count();
    Err(format!("from token {at} on\ngcc:  {:?}\nours: {:?}", head(&expected[at..]), head(&tokens[at..])))
}

fn concatenated(tokens: &[Shown]) -> String {
    tokens.iter().map(|(text, _)| text.as_str()).collect()
}

fn head(tokens: &[Shown]) -> &[Shown] {
    &tokens[..tokens.len().min(12)]
}

#[test]
fn the_standards_examples_expand_alike() {
    compare(include_str!("preprocess/standard.h"));
}

#[test]
fn gluing_and_strings_agree() {
    compare(include_str!("preprocess/glue.h"));
}

#[test]
fn variadic_macros_agree() {
    compare(include_str!("preprocess/variadic.h"));
}

#[test]
fn conditionals_agree() {
    compare(include_str!("preprocess/conditional.h"));
}

#[test]
fn line_breaks_agree() {
    compare(include_str!("preprocess/lines.h"));
}

#[test]
fn a_backslash_before_a_written_line_break_is_a_token() {
    compare("#define H(...) (__VA_ARGS__\nA H( \n\\);\n");
}

#[test]
fn texts_that_gcc_refuses_are_refused() {
    for text in include_str!("preprocess/refused.txt").split("----\n") {
        same_result(text, Path::new("."), &Options::default(), &[]).unwrap_or_else(|why| panic!("{why}\n{text}"));
        let (_, diagnostics) = ours(text, "-", &Options::default());
        assert!(diagnostics.iter().any(Diagnostic::is_error), "accepted:\n{text}");
    }
}

#[test]
fn spins_own_examples_agree() {
    let root = Path::new("/usr/share/doc/spin/examples");
    let mut pending = vec![root.to_path_buf()];
    let mut compared = 0;
    while let Some(directory) = pending.pop() {
        let Ok(entries) = fs::read_dir(&directory) else {
            eprintln!("skipped: {} is not readable", directory.display());
            continue;
        };
        for entry in entries {
            let path = entry.expect("the directory is readable").path();
            if path.is_dir() {
                pending.push(path);
                continue;
            }
            // The two read-me files are prose, with apostrophes that gcc only warns of.
            if path.extension().is_some_and(|extension| extension == "txt") {
                continue;
            }
            let text = String::from_utf8_lossy(&fs::read(&path).expect("the example is readable")).into_owned();
            if let Err(difference) = same_result(&text, &directory, &Options::default(), &[]) {
                panic!("{}: {difference}", path.display());
            }
            compared += 1;
        }
    }
    assert!(compared > 50 || !root.exists(), "only {compared} examples were found");
}

#[test]
fn definitions_of_the_command_line_agree() {
    let text = "N M F(2, 3) E|\n#ifdef X\nx\n#endif\n#ifdef Y\ny\n#endif\n";
    let defines = ["N", "M=4 + 4", "F(a,b)=a*b", "E=", "X", "Y=0", "Q=1\nN"];
    let arguments: Vec<String> = defines.iter().map(|define| format!("-D{define}")).chain(["-UX".into()]).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let options = Options {
        defines: defines.map(String::from).to_vec(),
        undefines: vec!["X".into()],
        include_dirs: vec![PathBuf::from(".")],
    };
    same_result(text, Path::new("."), &options, &arguments).expect("the same tokens");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_macro_programs_agree(program in program()) {
        same_result(&program, Path::new("."), &Options::default(), &[]).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn random_directives_agree(lines in prop::collection::vec(directive_line(), 0..24)) {
        let text = format!("#define F(x) <x>\n{}", lines.concat());
        same_result(&text, Path::new("."), &Options::default(), &[]).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn random_conditions_agree(conditions in prop::collection::vec(condition(), 20)) {
        let prelude = "#define A 3\n#define Z 0\n#define F(x) (x)\n";
        let branches = |(index, condition)| format!("#if {condition}\nyes {index}\n#else\nno {index}\n#endif\n");
        let all: String = conditions.iter().enumerate().map(branches).collect();
        // Without tracking, an error's line is that of the use, not of the macro.
        let arguments = ["-ftrack-macro-expansion=0"];
        let Some((_, refusal)) = gcc(&format!("{prelude}{all}"), Path::new("."), &arguments) else { return Ok(()) };
        let refusal = refusal.unwrap_or_default();
        let mut accepted = Vec::new();
        for (index, condition) in conditions.iter().enumerate() {
            let place = format!("<stdin>:{}:", 4 + 5 * index);
            let refused = refusal.lines().any(|line| line.starts_with(&place) && line.contains("error:"));
            // Blank lines keep `__LINE__` what it is in the whole.
            let alone = format!("{prelude}{}{}", "\n".repeat(5 * index), branches((index, condition)));
            let (_, diagnostics) = ours(&alone, "-", &Options::default());
            prop_assert_eq!(refused, diagnostics.iter().any(Diagnostic::is_error), "{}", condition);
            accepted.push(if refused { "\n\n\n\n\n".to_string() } else { branches((index, condition)) });
        }
        let text = format!("{prelude}{}", accepted.concat());
        same_result(&text, Path::new("."), &Options::default(), &[]).map_err(TestCaseError::fail)?;
    }
}

/// Definitions and uses of a few macros that meet again and again.
fn program() -> impl Strategy<Value = String> {
    let object = ("[A-D]", body(&["A", "B", "C", "D", "F", "G", "H"], &[]))
        .prop_map(|(name, body)| format!("#undef {name}\n#define {name} {body}\n"));
    let function = ("[F-H]", 0usize..3, any::<bool>()).prop_flat_map(|(name, count, variadic)| {
        let mut parameters = vec!["p", "q"][..count].to_vec();
        let mut list = parameters.join(",");
        if variadic {
            parameters.push("__VA_ARGS__");
            list = if list.is_empty() { "...".into() } else { format!("{list},...") };
        }
        let words: Vec<&'static str> = ["A", "B", "F", "G", "H"].into_iter().chain(parameters.clone()).collect();
        body(&words, &parameters).prop_map(move |body| format!("#undef {name}\n#define {name}({list}) {body}\n"))
    });
    let undefine = "#undef [A-H]\n";
    let text = prop::collection::vec(
        prop_oneof![
            4 => "[A-D]".prop_map(String::from),
            4 => "[F-H] ?\\(".prop_map(String::from),
            2 => "[F-H]".prop_map(String::from),
            4 => Just(")".to_string()),
            2 => Just(",".to_string()),
            3 => "[xy12]".prop_map(String::from),
            2 => Just(" ".to_string()),
            1 => Just("\n".to_string()),
            1 => Just("\\\n".to_string()),
            1 => Just("/* c */".to_string()),
            1 => Just("/*\n*/".to_string()),
            1 => Just("\"s\\n\"".to_string()),
        ],
        0..16,
    )
    .prop_map(|parts| format!("{}\n", parts.join(" ").replace(" \\\n", "\\\n")));
    let closed = text.clone().prop_map(|text| {
        // Closing what is open makes most of the calls complete.
        let open = text.matches('(').count().saturating_sub(text.matches(')').count());
        format!("{}{};\n", text.trim_end_matches('\n'), ")".repeat(open))
    });
    let line = prop_oneof![3 => object, 4 => function, 1 => undefine, 5 => closed, 1 => text];
    prop::collection::vec(line, 1..14).prop_map(|lines| lines.concat())
}

fn body(words: &[&'static str], parameters: &[&'static str]) -> impl Strategy<Value = String> + use<> {
    let words = prop::sample::select(words.to_vec());
    let string = match parameters {
        [] => Just("x".to_string()).boxed(),
        _ => prop::sample::select(parameters.to_vec()).prop_map(|name| format!("#{name}")).boxed(),
    };
    let part = prop_oneof![
        8 => words.prop_map(String::from),
        1 => string,
        2 => Just("## ".to_string()),
        2 => Just("(".to_string()),
        2 => Just(")".to_string()),
        1 => Just(",".to_string()),
        1 => Just(" + ".to_string()),
        2 => "[xy1]".prop_map(String::from),
        1 => Just("\\\n".to_string()),
    ];
    prop::collection::vec((part, any::<bool>()), 0..8).prop_map(|parts| {
        parts.into_iter().map(|(text, space)| if space { format!("{text} ") } else { text }).collect()
    })
}

/// Conditionals in any order, well nested or not, with text and calls across them. No `__LINE__`: with directives inside
/// a call's arguments, which C leaves undefined, gcc's lines are not always those of the text.
fn directive_line() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "#if 0\n",
        "#if 1\n",
        "#if A\n",
        "#if A == 2 \\\n || B\n",
        "# ifdef A\n",
        " #ifndef A /* c */\n",
        "#ifdef B // c\n",
        "#elif 1\n",
        "#elif A\n",
        "#elif 0 /*\n*/\n",
        "#else\n",
        "#else\n",
        "#endif\n",
        "#endif\n",
        "#endif\n",
        "#endif\n",
        "#define A 2\n",
        "#define A\n",
        "#undef A\n",
        "#define B A\n",
        "#define B F(\n",
        "#undef F\n",
        "#define F(y) y F\n",
        "text A B\n",
        "x /* \n#else\n */ y\n",
        "/* c */ # define A 1\n",
        "F(\n",
        ")\n",
        "F\n",
        "(z) w\n",
        "#if 0\nit's \\\n",
        "a # b\n",
        "#\n",
        "#!\n",
        "#unknown\n",
        "\\\n",
        "\n",
        "#line 5\n",
        "F(1) F(2\n",
    ])
    .prop_map(String::from)
}

fn condition() -> impl Strategy<Value = String> {
    let number = prop_oneof![
        "[0-9]{1,2}",
        "0x[0-9a-fA-F]{1,16}",
        "0[0-7]{0,5}",
        "[0-9]{1,3}[uU]",
        "[0-9][uU]?ll",
        "0b[01]{1,5}",
        "[1-9][0-9]{18}",
        "'[a-z]'",
        "'\\\\[abfnrtv0e\\\\]'",
        "'\\\\x[0-9a-f]{2}'",
        "'\\\\[0-3][0-7]{2}'",
    ];
    let leaf = prop_oneof![
        4 => number,
        1 => "[AZU]",
        1 => "defined [AZU]",
        1 => "defined ?\\([AZUF]\\)",
        1 => "F\\([0-9]\\)",
        1 => Just("__LINE__".to_string()),
        1 => Just("__STDC_VERSION__".to_string()),
    ];
    leaf.prop_recursive(5, 24, 3, |inner| {
        let operator = prop::sample::select(vec![
            "+", "-", "*", "/", "%", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&", "^", "|", "&&", "||", ",",
        ]);
        prop_oneof![
            4 => (inner.clone(), operator, inner.clone()).prop_map(|(a, operator, b)| format!("{a} {operator} {b}")),
            2 => inner.clone().prop_map(|a| format!("({a})")),
            1 => ("[-+~!]|!!", inner.clone()).prop_map(|(sign, a)| format!("{sign} {a}")),
            1 => (inner.clone(), inner.clone(), inner).prop_map(|(a, b, c)| format!("{a} ? {b} : {c}")),
        ]
    })
}

/// Deliberate differences, each with its reason.
#[test]
fn we_differ_from_gcc_only_where_promela_wants_it() {
    let tokens =
        |text: &str| ours(text, "-", &Options::default()).0.into_iter().map(|(text, _)| text).collect::<Vec<_>>();
    // C reads `1..N` as one number, so N is not expanded; SPIN then knows no N.
    assert_eq!(tokens("#define N 5\n1..N"), ["1", "..", "5"]);
    // C reads `0xE+N` as one number.
    assert_eq!(tokens("#define N 5\n0xE+N"), ["0", "xE", "+", "5"]);
    // gcc writes `!!`, the sorted send, for these two.
    assert_eq!(tokens("#define NOT !\nNOT!x"), ["!", "!", "x"]);
    // gcc has the macros `linux` and `unix`, with the value 1.
    assert_eq!(tokens("byte linux, unix"), ["byte", "linux", ",", "unix"]);
    // To gcc, `$x` and `é` are names and L'a' is one token.
    assert_eq!(tokens("#define x 1\n#define L 2\n$x é L'a'"), ["$", "1", "é", "2", "'a'"]);
    // `::`, `!!`, `??` and `..` are tokens, so `##` can make them.
    assert_eq!(tokens("#define P(a,b) a##b\nP(:,:) P(!,!) P(?,?) P(.,.)"), ["::", "!!", "??", ".."]);
}
