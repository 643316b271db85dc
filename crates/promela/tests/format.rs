//! The formatter's laws: it changes nothing but white space, it does so once, and blanks an author chose do not matter.
//!
//! `tests/format/*.txt` hold texts before and after, one law each; the models that come with SPIN and random texts hold
//! the laws that need no expectation.

mod examples;

use std::fs;
use std::path::{Path, PathBuf};

use promela::format::{format, unified_diff};
use promela::lex::{Piece, PieceKind, joined, pieces};
use promela::preprocess::{FileSystem, Options, preprocess};
use promela::source::SourceMap;
use promela::token::TokenKind;
use proptest::prelude::*;

use examples::spin_examples;

/// What must survive of a piece: what it is, its text, whether a line break stands before it, and whether it touches the
/// piece before it where that matters.
#[derive(PartialEq, Eq, Debug)]
struct Kept {
    kind: PieceKind,
    text: String,
    newline_before: bool,
    touches: bool,
}

fn kept(text: &str) -> Vec<Kept> {
    let mut found = Vec::new();
    let mut newline_before = false;
    let mut before: Option<Piece> = None;
    for piece in pieces(text) {
        let raw = &text[piece.start..piece.end];
        match piece.kind {
            PieceKind::Space => continue,
            PieceKind::Newline => {
                newline_before = !found.is_empty();
                continue;
            }
            _ => {}
        }
        let shown = match piece.kind {
            PieceKind::Directive => raw.split('\n').map(str::trim_ascii_end).collect::<Vec<_>>().join("\n"),
            PieceKind::LineComment | PieceKind::BlockComment => {
                raw.split('\n').map(str::trim_ascii).collect::<Vec<_>>().join("\n")
            }
            PieceKind::Continuation => raw.to_owned(),
            _ => joined(raw).into_owned(),
        };
        let touches = before.is_some_and(|before| before.end == piece.start && must_touch(before.kind, piece.kind));
        found.push(Kept { kind: piece.kind, text: shown, newline_before, touches });
        newline_before = false;
        before = Some(piece);
    }
    found
}

/// Whether two tokens without white space between them mean something else than with.
fn must_touch(left: PieceKind, right: PieceKind) -> bool {
    use TokenKind as T;
    let (PieceKind::Token(left), PieceKind::Token(right)) = (left, right) else { return false };
    matches!(
        (left, right),
        (T::LeftBracket, T::RightBracket)
            | (T::Less, T::Greater | T::Arrow)
            | (T::Number, T::Word)
            | (T::Word, T::String | T::Character)
            | (T::Other | T::Hash | T::HashHash, _)
            | (_, T::Other | T::Hash | T::HashHash)
    )
}

/// The laws that hold for every text that is not refused.
fn check_laws(text: &str) -> Result<bool, TestCaseError> {
    let Ok(once) = format(text) else { return Ok(false) };
    let (before, after) = (kept(text), kept(&once));
    for (one, two) in before.iter().zip(&after) {
        prop_assert_eq!(one, two, "meaning changed:\n{}", &once);
    }
    prop_assert_eq!(before.len(), after.len(), "something was lost or added:\n{}", &once);
    let twice = format(&once);
    prop_assert_eq!(twice.as_deref(), Ok(&*once), "formatting again changes something");
    prop_assert!(once.is_empty() || once.ends_with('\n'));
    prop_assert_eq!(patched(text, &unified_diff("m", text, &once)), once);
    Ok(true)
}

/// Applies a unified diff: an independent reading of what it says.
fn patched(old: &str, diff: &str) -> String {
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let mut position = 0;
    let mut new = String::new();
    let mut lines = diff.split_inclusive('\n').skip(2).peekable();
    while let Some(line) = lines.next() {
        let last_line = lines.next_if(|next| next.starts_with("\\ ")).is_some();
        let content = if last_line { &line[1..line.len() - 1] } else { &line[1..] };
        match line.as_bytes()[0] {
            b'@' => {
                let range = line[4..].split(' ').next().unwrap();
                let start = match range.split_once(',') {
                    Some((start, "0")) => start.parse::<usize>().unwrap(),
                    Some((start, _)) => start.parse::<usize>().unwrap() - 1,
                    None => range.parse::<usize>().unwrap() - 1,
                };
                new.extend(old[position..start].iter().copied());
                position = start;
            }
            b' ' => {
                assert_eq!(old[position], content);
                new.push_str(content);
                position += 1;
            }
            b'-' => {
                assert_eq!(old[position], content);
                position += 1;
            }
            b'+' => new.push_str(content),
            other => panic!("no diff line begins with {:?}", char::from(other)),
        }
    }
    new.extend(old[position..].iter().copied());
    new
}

#[test]
fn every_table_of_before_and_after_holds() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/format");
    let mut cases = 0;
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let table = fs::read_to_string(&path).unwrap();
        for case in table.split("=== ").skip(1) {
            let (law, texts) = case.split_once('\n').unwrap();
            let (before, after) = texts.split_once("---\n").unwrap();
            let formatted = format(before).unwrap_or_else(|error| panic!("{}: {law}: {error}", path.display()));
            let difference = unified_diff("expected (-) and found (+)", after, &formatted);
            assert!(difference.is_empty(), "{}: {law}\n{difference}\n{formatted}", path.display());
            check_laws(before).unwrap();
            cases += 1;
        }
    }
    assert!(cases > 20);
}

#[test]
fn what_has_no_end_is_left_alone() {
    for (text, message, place) in [
        ("/* a", "this comment is not closed", 0..2),
        ("x = \"a;\n", "this string is not closed", 4..7),
        ("x = 'a;\n", "this character constant is not closed", 4..7),
        ("init { skip", "this `{` is not closed by `}`", 5..6),
        ("init { if :: skip }", "this `}` stands where `fi` is expected", 18..19),
        ("init { skip } od", "this `od` closes nothing", 14..16),
        ("init { (a ] }", "this `]` closes nothing", 10..11),
        ("c_code { (", "this `{` is not closed", 7..8),
        (" \u{feff}", "a byte order mark stands amid the text", 1..4),
        ("a \\  ", "the file ends in a backslash", 2..3),
    ] {
        let error = format(text).unwrap_err();
        assert_eq!((error.to_string().as_str(), error.place()), (message, place), "{text}");
    }
}

#[test]
fn an_error_is_shown_where_it_is_and_where_it_began() {
    let text = "init { do :: skip }";
    let mut sources = SourceMap::new();
    let file = sources.add_file("m.pml", text).unwrap();
    let diagnostic = format(text).unwrap_err().diagnostic(&sources, file);
    let shown: Vec<&str> = diagnostic.labels.iter().map(|label| sources.snippet(label.span)).collect();
    assert_eq!(shown, ["}", "do"]);
}

#[test]
fn odd_line_ends_and_empty_files_come_out_even() {
    assert_eq!(format("").unwrap(), "");
    assert_eq!(format(" \n\t\n").unwrap(), "");
    assert_eq!(format("\u{feff}byte x;\r\n\r\n\r\n// a \r\nbyte y").unwrap(), "byte x;\n\n// a\nbyte y\n");
    assert_eq!(format("#define A \\\r\n 1  \r\n").unwrap(), "#define A \\\n 1\n");
}

fn examples() -> Vec<(PathBuf, String)> {
    spin_examples(&["pml", "h"])
}

#[test]
fn the_laws_hold_for_the_examples_of_spin() {
    for (path, text) in examples() {
        assert!(check_laws(&text).unwrap(), "{} is refused", path.display());
    }
}

/// Tokens behind the preprocessor: strings made by macros included.
#[test]
fn the_preprocessor_reads_the_same_from_the_formatted_examples() {
    for (path, text) in examples() {
        let tokens = |text: &str| {
            let mut sources = SourceMap::new();
            let main = sources.add_file(path.to_str().unwrap(), text).unwrap();
            let options = Options { include_dirs: vec![path.parent().unwrap().to_owned()], ..Options::default() };
            let tokens = preprocess(&mut sources, main, &options, &FileSystem, &mut Vec::new());
            tokens.into_iter().map(|token| (token.kind, token.text, token.newline_before)).collect::<Vec<_>>()
        };
        assert_eq!(tokens(&text), tokens(&format(&text).unwrap()), "{}", path.display());
    }
}

/// What white space an author may put between two pieces of a line.
fn blanks() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["", " ", "  ", "\t", " \t"])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_laws_hold_for_rubbish(parts in prop::collection::vec(rubbish(), 0..40)) {
        check_laws(&parts.concat())?;
    }

    #[test]
    fn the_laws_hold_for_nested_rubbish(text in nested()) {
        prop_assert!(check_laws(&text)?, "refused: {text}");
    }

    #[test]
    fn the_laws_hold_for_damaged_examples(
        which in any::<prop::sample::Index>(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), 0..4, rubbish()), 1..12),
    ) {
        let examples = examples();
        if examples.is_empty() {
            return Ok(());
        }
        let (_, text) = &examples[which.index(examples.len())];
        let mut parts: Vec<String> =
            pieces(text).iter().map(|piece| text[piece.start..piece.end].to_owned()).collect();
        for (at, how, part) in damage {
            let at = at.index(parts.len());
            match how {
                0 => parts[at].clear(),
                1 => parts[at] = part.to_owned(),
                2 => parts.insert(at, part.to_owned()),
                _ => parts.insert(at, parts[at].clone()),
            }
        }
        check_laws(&parts.concat())?;
    }

    /// But for comments and joined lines, the result depends on tokens and line breaks only.
    #[test]
    fn blanks_within_lines_do_not_matter(
        which in any::<prop::sample::Index>(),
        choice in prop::collection::vec(blanks(), 64),
    ) {
        let examples = examples();
        if examples.is_empty() {
            return Ok(());
        }
        let (_, text) = &examples[which.index(examples.len())];
        let is_comment = |piece: &Piece| matches!(piece.kind, PieceKind::LineComment | PieceKind::BlockComment);
        let bare: Vec<Piece> = pieces(text).into_iter().filter(|piece| !is_comment(piece)).collect();
        let bare: String = bare.iter().map(|piece| &text[piece.start..piece.end]).collect();
        // Strings made by macros and text below `#if 0` keep their blanks.
        if bare.contains("#s") || bare.contains("#if 0") {
            return Ok(());
        }
        let mut choice = choice.iter().cycle();
        let mut changed = String::new();
        let all = pieces(&bare);
        for (at, piece) in all.iter().enumerate() {
            let next = all.get(at + 1).map(|next| next.kind);
            let raw = &bare[piece.start..piece.end];
            match piece.kind {
                PieceKind::Space => {
                    changed.push(' ');
                    changed.push_str(choice.next().unwrap());
                }
                // A directive must keep its text, and a blank at its end is none of it.
                PieceKind::Directive => changed.push_str(raw),
                _ => {
                    changed.push_str(raw);
                    if next.is_some_and(|next| !must_touch(piece.kind, next)) {
                        changed.push_str(choice.next().unwrap());
                    }
                }
            }
        }
        prop_assert_eq!(format(&changed), format(&bare));
    }
}

const WORDS: &[&str] = &[
    "x", "q", "if", "fi", "do", "od", "atomic", "else", "mtype", "ltl", "unsigned", "for", "select", "of", "run", "U",
    "X", "c_code", "c_expr", "SHOW", "BEGIN", "0", "17", "'a'", "\"s t\"", "L", "goto", "proctype", "unless",
];
const SIGNS: &[&str] = &[
    "{", "}", "(", ")", "[", "]", ";", "->", ",", "::", ":", "..", ".", "@", "=", "++", "--", "!", "!!", "?", "??",
    "+", "-", "*", "/", "%", "&", "&&", "|", "||", "^", "~", "==", "!=", "<", "<=", ">", ">=", "<<", ">>", "#", "##",
    "$", "\\", "é", "'", "\"", "[]", "<>", "<->",
];
const WHITE: &[&str] = &[" ", "  ", "\t", "\n", "\n\n\n", "\r\n", " \n", "\\\n", " \\ \n", "\x0c", "\u{feff}"];
const OTHERS: &[&str] = &[
    "/* a */",
    "/* b  \n\t c */",
    "// d\n",
    "// e \\ \n f\n",
    "/* g *\\\n/",
    "\nend: ",
    "L: ",
    "{ ",
    " }\n",
    "/*",
    "\n#define SHOW(a) #a\n",
    "\n #define BEGIN { \\ \n do\n",
    "\n#if 0\n",
    "\n#ifdef A\n",
    "\n#else /* h \n */\n",
    "\n#endif  \n",
];

/// A token, comment, directive or white space.
fn rubbish() -> impl Strategy<Value = &'static str> {
    use prop::sample::select;
    prop_oneof![4 => select(WORDS), 4 => select(SIGNS), 4 => select(WHITE), 2 => select(OTHERS)]
}

/// Rubbish whose brackets match.
fn nested() -> impl Strategy<Value = String> {
    let is_harmless = |part: &&str| {
        let unclosed = ["/*", "'", "\"", "\\", "/", "#", "\u{feff}"];
        let brackets = ["fi", "od", "if", "do", "c_code", "c_expr", "SHOW", "BEGIN"];
        !unclosed.contains(part)
            && !brackets.contains(part)
            && !part.contains("#if")
            && !part.contains("#e")
            && !part.contains("#d")
            && !part.contains(['{', '}', '(', ')', '[', ']'])
    };
    let harmless = [WORDS, SIGNS, WHITE, OTHERS].concat().into_iter().filter(is_harmless).collect::<Vec<_>>();
    let leaves = prop::collection::vec(prop::sample::select(harmless), 0..8).prop_map(|parts| parts.join(" ") + " ");
    leaves.prop_recursive(5, 64, 6, |inner| {
        let brackets = prop::sample::select(vec![
            ("{", "}"),
            ("(", ")"),
            ("[", "]"),
            ("if\n::", "fi"),
            ("do ::", "od"),
            ("ltl p {", "}"),
            ("c_code {", "}"),
            ("\n#define SHOW(a) #a\nSHOW(", ")"),
            ("\n#ifdef A\n", "\n#endif\n"),
            ("\n#if 0\n", "\n#else\nx\n#endif\n"),
        ]);
        let ends = prop::sample::select(vec!["\n", " "]);
        (prop::collection::vec(inner, 0..6), brackets, ends.clone(), ends).prop_map(
            |(parts, (open, close), after_open, before_close)| {
                let parts = parts.concat();
                format!("{open}{after_open}{parts}{before_close}{close} ")
            },
        )
    })
}
