//! Whatever the text, the front end answers: mutations of real models go through [`load`](promela::load) without a panic.

use std::path::PathBuf;
use std::sync::OnceLock;

use promela::{Options, load_text};
use proptest::prelude::{Strategy, any, prop_oneof, proptest};
use proptest::test_runner::Config;

const EXAMPLES: &str = "/usr/share/doc/spin/examples/Examples";

/// Models that between them use the whole language, besides SPIN's examples where those are installed.
const OWN: [&str; 3] =
    [include_str!("models/everything.pml"), include_str!("models/ring.pml"), include_str!("models/references.pml")];

/// The models, each as its pieces of text: words, numbers, and everything between.
fn models() -> &'static [Vec<String>] {
    static MODELS: OnceLock<Vec<Vec<String>>> = OnceLock::new();
    MODELS.get_or_init(|| {
        let mut texts: Vec<String> = OWN.iter().map(|text| (*text).to_owned()).collect();
        let mut directories = vec![PathBuf::from(EXAMPLES)];
        while let Some(directory) = directories.pop() {
            let Ok(entries) = std::fs::read_dir(&directory) else { continue };
            for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
                if path.is_dir() {
                    directories.push(path);
                } else if let Ok(text) = std::fs::read_to_string(&path)
                    && text.len() < 6_000
                {
                    texts.push(text);
                }
            }
        }
        texts.iter().map(|text| pieces(text)).collect()
    })
}

fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for character in text.chars() {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        match pieces.last_mut() {
            Some(last) if last.ends_with(word) && word(character) => last.push(character),
            _ => pieces.push(character.into()),
        }
    }
    pieces
}

#[derive(Clone, Debug)]
enum Mutation {
    Delete(usize),
    Duplicate(usize),
    Swap(usize, usize),
    Replace(usize, usize),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    prop_oneof![
        any::<usize>().prop_map(Mutation::Delete),
        any::<usize>().prop_map(Mutation::Duplicate),
        (any::<usize>(), any::<usize>()).prop_map(|(a, b)| Mutation::Swap(a, b)),
        (any::<usize>(), any::<usize>()).prop_map(|(a, b)| Mutation::Replace(a, b)),
    ]
}

/// Words that mean something, to be put anywhere.
const WORDS: [&str; 24] = [
    "_pid",
    "_",
    "else",
    "break",
    "goto",
    "run",
    "d_step",
    "atomic",
    "unless",
    "timeout",
    "chan",
    "mtype",
    "byte",
    "eval",
    "len",
    "for",
    "select",
    "in",
    "init",
    "never",
    "ltl",
    "0",
    "99999999999",
    "typedef",
];

fn mutate(mut pieces: Vec<String>, mutations: &[Mutation]) -> String {
    for mutation in mutations {
        let count = pieces.len();
        if count == 0 {
            break;
        }
        match *mutation {
            Mutation::Delete(at) => {
                pieces.remove(at % count);
            }
            Mutation::Duplicate(at) => {
                let piece = pieces[at % count].clone();
                pieces.insert(at % count, piece);
            }
            Mutation::Swap(a, b) => pieces.swap(a % count, b % count),
            Mutation::Replace(at, word) => pieces[at % count] = WORDS[word % WORDS.len()].into(),
        }
    }
    pieces.concat()
}

proptest! {
    #![proptest_config(Config { cases: 1500, failure_persistence: None, ..Config::default() })]

    #[test]
    fn no_mutation_of_a_model_makes_the_front_end_panic(
        number in any::<usize>(),
        mutations in proptest::collection::vec(mutation(), 1..6),
    ) {
        let models = models();
        let text = mutate(models[number % models.len()].clone(), &mutations);
        let loaded = load_text("mutated.pml", &text, &Options::default());
        // A model comes out if and only if there is no error.
        let errors = loaded.diagnostics.iter().any(|diagnostic| diagnostic.is_error());
        proptest::prop_assert_eq!(loaded.model.is_none(), errors);
    }
}

#[test]
fn the_models_of_this_test_are_accepted() {
    for (text, number) in OWN.iter().zip(0..) {
        let loaded = load_text("own.pml", text, &Options::default());
        let errors: Vec<_> = loaded.diagnostics.iter().filter(|d| d.is_error()).collect();
        assert!(errors.is_empty(), "model {number}: {errors:?}");
    }
}

#[test]
fn sizes_without_bound_are_refused_and_not_built() {
    for text in [
        "byte a[2000000000]; init { a[0] = 1 }",
        "typedef T { byte a[100000] } chan q = [1] of { T }; init { T t; q!t }",
        "typedef A { int x[4000] } typedef B { A a; A b; A c } typedef C { B a; B b; B c } typedef D { C a; C b; C c } chan q = [2] of { D }; init { skip }",
        "chan q[300] = [1] of { byte }; init { q[0]!1 }",
    ] {
        assert!(load_text("m.pml", text, &Options::default()).model.is_none(), "{text}");
    }
    let doubling: String = (1..60).map(|n| format!("typedef T{n} {{ T{} a; T{} b }} ", n - 1, n - 1)).collect();
    let text = format!("typedef T0 {{ byte x }} {doubling} T59 t; init {{ skip }}");
    assert!(load_text("m.pml", &text, &Options::default()).model.is_some());
}

#[test]
fn deep_nesting_is_answered() {
    let deep = format!("init {{ {} skip {} }}", "if :: ".repeat(5000), "fi ".repeat(5000));
    assert!(load_text("m.pml", &deep, &Options::default()).model.is_none());
    for (open, close) in
        [("if :: ", " fi"), ("do :: ", " od"), ("{ ", " }"), ("atomic { ", " }"), ("{ ", " } unless { skip }")]
    {
        let nested = format!("byte x; init {{ {} x++ {} }}", open.repeat(90), close.repeat(90));
        let loaded = load_text("m.pml", &nested, &Options::default());
        assert!(loaded.model.is_some(), "{open} {:?}", loaded.diagnostics.first());
    }
    let indices = format!("byte a[2], b[2]; init {{ a[0] = {}0{} }}", "a[b[".repeat(45), "]]".repeat(45));
    assert!(load_text("m.pml", &indices, &Options::default()).model.is_some());
    let parentheses = format!("byte x; init {{ x = {}x{} }}", "(".repeat(150), ")".repeat(150));
    assert!(load_text("m.pml", &parentheses, &Options::default()).model.is_some());
}
