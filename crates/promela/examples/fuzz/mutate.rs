//! The inputs: models of the corpus with a few edits, the same for the same seed.

use std::fs;
use std::path::{Path, PathBuf};

/// Models, each as its pieces of text: words, and single characters between them.
pub struct Corpus {
    models: Vec<Vec<String>>,
}

/// Longer models are left out, and nothing is repeated to more than this: they would only take longer.
const LONGEST: usize = 12_000;

/// Words and phrases that mean something, to be put anywhere.
const PHRASES: &[&str] = &[
    "_pid",
    "_",
    "else",
    "break",
    "goto L",
    "run P()",
    "d_step {",
    "atomic {",
    "unless {",
    "timeout",
    "chan",
    "mtype",
    "byte",
    "eval(",
    "len(",
    "for (i : 1 .. 3) {",
    "select (x : 1 .. 2);",
    "in",
    "init {",
    "never {",
    "ltl {",
    "0",
    "99999999999",
    "2147483647",
    "-",
    "typedef",
    "inline f(a) {",
    "f(1)",
    "return",
    "proctype",
    "active [2]",
    "provided",
    "priority",
    "D_proctype",
    "if ::",
    "fi",
    "do ::",
    "od",
    "::",
    "->",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "!!",
    "??",
    "?<",
    "++",
    "--",
    "<<",
    ">>",
    "==",
    "&&",
    "||",
    "U",
    "X",
    "[]",
    "<>",
    "always",
    "np_",
    "_last",
    "_nr_pr",
    "enabled(",
    "pc_value(",
    "P@L",
    "P:x",
    "c_code { x; }",
    "c_expr { x }",
    "c_state \"int x\" \"Global\"",
    "trace {",
    "notrace {",
    "ref P",
    "public",
    "_lid",
    "anyRef(P)",
    "_undef_ref",
    "P[r].x",
    "(extern OUT !)",
    "L:",
    "end:",
    "accept:",
    "progress:",
    "hidden",
    "show",
    "local",
    "unsigned x : 3",
    "xr",
    "xs",
    "printf(\"%d\\n\", ",
    "printm(",
    "assert(",
    "'a'",
    "\"",
    "/*",
    "*/",
    "//",
    "\\\n",
    "\n#define N 3\n",
    "\n#define f(x) f(x) x\n",
    "\n#define N N N\n",
    "\n#if N > 2\n",
    "\n#else\n",
    "\n#endif\n",
    "\n#ifdef N\n",
    "\n#undef N\n",
    "\n#include \"x\"\n",
    "\n#line 7\n",
    "##",
    "#",
    "\0",
    "é",
    "\u{feff}",
    "\r\n",
];

impl Corpus {
    /// The cases of this crate's tests, and SPIN's examples where they are installed.
    pub fn load() -> Corpus {
        let mut files = Vec::new();
        collect(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests")), &mut files);
        collect(Path::new("/usr/share/doc/spin/examples/Examples"), &mut files);
        files.sort();
        let mut models = Vec::new();
        for path in files {
            let Ok(bytes) = fs::read(&path) else { continue };
            let text = String::from_utf8_lossy(&bytes);
            // Tables hold a model under each title.
            let parts: Vec<&str> = match text.strip_prefix("=== ") {
                Some(table) => {
                    table.split("\n=== ").filter_map(|case| case.split_once('\n')).map(|case| case.1).collect()
                }
                None => vec![&text],
            };
            models.extend(parts.into_iter().filter(|part| part.len() <= LONGEST).map(pieces));
        }
        Corpus { models }
    }

    /// The text of a number.
    pub fn input(&self, seed: u64) -> String {
        let mut dice = Dice(seed);
        let mut text = self.models[dice.below(self.models.len())].clone();
        for _ in 0..1 + dice.below(5) {
            self.edit(&mut text, &mut dice);
        }
        text.concat()
    }

    fn edit(&self, text: &mut Vec<String>, dice: &mut Dice) {
        let at = dice.below(text.len() + 1);
        let end = (at + dice.below(40)).min(text.len());
        let near = at.min(text.len().saturating_sub(1));
        match dice.below(12) {
            0 => drop(text.drain(at..(at + 1).min(text.len()))),
            1 => drop(text.drain(at..end)),
            2 | 3 => text.insert(at, format!(" {} ", PHRASES[dice.below(PHRASES.len())])),
            4 if near < text.len() => text[near] = PHRASES[dice.below(PHRASES.len())].to_owned(),
            5 if near < text.len() => {
                let other = dice.below(text.len());
                text.swap(near, other);
            }
            6 => {
                let copy = text[at..end].to_vec();
                let to = dice.below(text.len() + 1);
                text.splice(to..to, copy);
            }
            7 => {
                // Far too often: nesting and lengths without bound.
                let copy = text[at..end.min(at + 6)].concat();
                let times = (1 << dice.below(9)).min(LONGEST / copy.len().max(1));
                text.insert(at, copy.repeat(times));
            }
            8 => {
                let other = &self.models[dice.below(self.models.len())];
                let from = dice.below(other.len() + 1);
                let part = other[from..(from + dice.below(60)).min(other.len())].to_vec();
                text.splice(at..at, part);
            }
            9 => text.truncate(at.max(1)),
            10 if near < text.len() => {
                let copy = text[near].clone();
                text.insert(near, copy);
            }
            _ => text.insert(at, char::from(dice.below(128) as u8).to_string()),
        }
    }
}

fn collect(directory: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "pml" || extension == "txt" || extension == "h")
        {
            found.push(path);
        }
    }
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

/// A stream of numbers (splitmix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound.max(1) as u64) as usize
    }
}
