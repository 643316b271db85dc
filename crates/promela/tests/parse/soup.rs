//! Nothing makes the parser panic or hang: random words of the language in any order, and models with parts lost, doubled
//! or swapped.

use std::time::{Duration, Instant};

use promela::parse::parse;
use promela::print::print;
use promela::source::SourceMap;
use promela::token::{Token, TokenKind};
use proptest::collection::vec;
use proptest::prelude::{Strategy, any, prop_oneof, proptest};
use proptest::sample::select;

use crate::support::{parse_text, tokens};

const VOCABULARY: &[&str] = &[
    "active",
    "assert",
    "atomic",
    "bit",
    "bool",
    "break",
    "byte",
    "c_code",
    "c_decl",
    "c_expr",
    "c_state",
    "c_track",
    "chan",
    "d_step",
    "D_proctype",
    "do",
    "else",
    "empty",
    "enabled",
    "eval",
    "false",
    "fi",
    "for",
    "full",
    "get_priority",
    "goto",
    "hidden",
    "if",
    "in",
    "init",
    "inline",
    "int",
    "len",
    "local",
    "ltl",
    "mtype",
    "nempty",
    "never",
    "nfull",
    "notrace",
    "np_",
    "od",
    "of",
    "pc_value",
    "pid",
    "printf",
    "printm",
    "priority",
    "proctype",
    "provided",
    "return",
    "run",
    "select",
    "set_priority",
    "short",
    "show",
    "skip",
    "timeout",
    "trace",
    "true",
    "typedef",
    "unless",
    "unsigned",
    "xr",
    "xs",
    "x",
    "y",
    "P",
    "T",
    "f",
    "L",
    "_",
    "_pid",
    "ref",
    "public",
    "extern",
    "anyRef",
    "_undef_ref",
    "U",
    "X",
    "always",
    "while",
    "struct",
    "0",
    "1",
    "99999999999",
    "0x1F",
    "'a'",
    "\"text\"",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    "->",
    ",",
    "::",
    ":",
    "..",
    ".",
    "@",
    "=",
    "++",
    "--",
    "!",
    "!!",
    "?",
    "??",
    "+",
    "-",
    "*",
    "/",
    "%",
    "&",
    "&&",
    "|",
    "||",
    "^",
    "~",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "<<",
    ">>",
    "\\",
    "$",
    "[]",
    "<>",
    "<->",
    "\n",
    "\n",
    "\n",
];

/// Phrases that are right by themselves, so that a random order gets past the first few words.
const PHRASES: &[&str] = &[
    "init { ",
    "proctype P(byte x) { ",
    "active [2] proctype Q() { ",
    "inline f(a, b) { x = a + b } ",
    "typedef T { byte x } ",
    "mtype = { a, b } ",
    "chan q = [2] of { byte, T } ",
    "x = 1; ",
    "if :: x == 1 -> ",
    " :: else -> ",
    " fi; ",
    "do :: ",
    " od; ",
    "q!1,2; ",
    "q?x,eval(y); ",
    "f(1, 2); ",
    "L: ",
    "goto L; ",
    "atomic { ",
    "} ",
    "for (x : 1 .. 3) { ",
    "select (x : 0 .. 9); ",
    "ltl p { [] (x == 1 -> <> y) } ",
    "c_code { x = 1; } ",
    "printf(\"%d\", x); ",
    "(x -> 1 : 2)",
    "P[1]@L && ",
    "run P(1); ",
];

fn soup() -> impl Strategy<Value = String> {
    let word = prop_oneof![3 => select(VOCABULARY), 1 => select(PHRASES)];
    vec(word, 0..80).prop_map(|words| words.join(" "))
}

const MODEL: &str = "#define N 3\nmtype = { req, ack }\ntypedef Slot { byte who; bool free = true }\nSlot slots[N];\n\
    chan c[N] = [2] of { mtype, byte };\nunsigned load : 4;\ninline give(i, who_) {\n  slots[i].who = who_\n  slots[i].free = false\n}\n\
    active [N] proctype Client() provided (load < 9) {\n  byte i, x;\nidle:\n  do\n  :: select (i : 0 .. 2);\n     c[i]!req(_pid) unless { timeout }\n\
    :: nempty(c[_pid]) && c[_pid]?[ack, eval(i)] -> c[_pid]?ack,x; load++\n  :: else -> break\n  od;\n  for (i in slots) { give(i, _pid) }\n\
    if :: (x > 1 -> 2 : 3) == 2 -> goto idle :: else fi;\n  d_step { x = -(x + 1) * 2 << 1; assert(x != 7) }\n  printf(\"%d\\n\", x)\n}\n\
    init priority 2 { atomic { run Server(1) priority 3 } }\nproctype Server(byte first; mtype:k kind) { xr c[0]; c[0]??<req, _> }\n\
    never { T0: if :: np_ -> goto T0 fi }\nltl live { [] (Client[1]@idle -> <> (load == 0 U Client:x > 1)) }\n\
    c_state \"int z\" \"Global\"\nnotrace { c[1]!req,_ }\n";

proptest! {
    #[test]
    fn any_words_in_any_order_are_read_to_their_end(text in soup()) {
        check(&text);
    }

    #[test]
    fn a_broken_model_is_read_to_its_end(
        edits in vec((0..4_u8, any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..6),
    ) {
        let mut sources = SourceMap::new();
        let mut tokens = tokens(&mut sources, "model.pml", MODEL, &mut Vec::new());
        for (edit, first, second) in edits {
            let (first, second) = (first.index(tokens.len()), second.index(tokens.len()));
            match edit {
                0 => drop(tokens.remove(first)),
                1 => tokens.insert(first, tokens[second].clone()),
                2 => tokens.swap(first, second),
                _ => drop(tokens.drain(first.min(second)..first.max(second))),
            }
            if tokens.is_empty() {
                break;
            }
        }
        check_tokens(sources, tokens);
    }

    #[test]
    fn an_accepted_soup_survives_printing(text in soup()) {
        let parsed = parse_text(&text);
        if parsed.errors().count() == 0 {
            let printed = print(&parsed.ast);
            assert_eq!(parse_text(&printed).errors().count(), 0, "{printed}");
        }
    }
}

use proptest::prelude::prop;

fn check(text: &str) {
    let mut sources = SourceMap::new();
    let tokens = tokens(&mut sources, "soup.pml", text, &mut Vec::new());
    check_tokens(sources, tokens);
}

/// Parses, and insists that it ends soon and that an error comes with every part that was not understood.
fn check_tokens(mut sources: SourceMap, tokens: Vec<Token>) {
    let start = Instant::now();
    let mut diagnostics = Vec::new();
    let complete = tokens.last().is_some_and(|last| last.kind == TokenKind::End);
    let ast = parse(&mut sources, tokens, &mut diagnostics);
    assert!(start.elapsed() < Duration::from_secs(5));
    let printed = print(&ast);
    let has_error = diagnostics.iter().any(|diagnostic| diagnostic.is_error());
    assert!(has_error || !printed.contains("<error>") || !complete, "{printed}");
}

#[test]
fn the_model_of_these_tests_is_accepted() {
    parse_text(MODEL).accepted();
}
