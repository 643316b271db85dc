//! The `pan.c` of `isospin spin -a`: scripts compile it as they compile SPIN's, and it calls isospin.
//!
//! Directives given to the C compiler (`-DBITSTATE`) reach isospin as words behind `-run`, as do the options of `./pan`.

use super::line::NEEDLESS;

/// Directives with a meaning.
const FLAGS: &[&str] = &[
    "SAFETY", "NOCLAIM", "NOREDUCE", "BITSTATE", "HC", "HC0", "HC1", "HC2", "HC3", "HC4", "BFS", "BFS_PAR", "NP",
    "XUSAFE",
];
const NUMBERS: &[&str] = &["NCORE", "MEMLIM"];

/// The text of `pan.c` for a program and the words that it calls it with.
pub fn pan(program: &str, before_run: &[String], model: &str) -> String {
    let mut text = String::from(
        "/* Written by `isospin spin -a`: verifies the model with isospin. Compile it, run it: ./pan [options]. */\n\
         #include <stdio.h>\n#include <unistd.h>\n#define TEXT(x) #x\n#define VALUE(x) TEXT(x)\n\n\
         int main(int argc, char **argv) {\n  const char *words[argc + 64];\n  int n = 0, i;\n",
    );
    let mut word = |word: &str| text.push_str(&format!("  words[n++] = {};\n", c_string(word)));
    word(program);
    word("spin");
    before_run.iter().for_each(|each| word(each));
    word("-run");
    for flag in FLAGS {
        text.push_str(&format!("#ifdef {flag}\n  words[n++] = \"-D{flag}\";\n#endif\n"));
    }
    for name in NUMBERS {
        text.push_str(&format!("#ifdef {name}\n  words[n++] = \"-D{name}=\" VALUE({name});\n#endif\n"));
    }
    text.push_str("  for (i = 1; i < argc; i++) words[n++] = argv[i];\n");
    text.push_str(&format!("  words[n++] = {};\n  words[n] = 0;\n", c_string(model)));
    text.push_str("  execv(words[0], (char **) words);\n  perror(words[0]);\n  return 2;\n}\n");
    debug_assert!(FLAGS.iter().all(|flag| !NEEDLESS.contains(flag)), "a directive either matters or does not");
    text
}

/// A string of C.
fn c_string(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' | b'?' => out.push_str(&format!("\\{}", byte as char)),
            b' '..=b'~' => out.push(byte as char),
            other => out.push_str(&format!("\\{other:03o}")),
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_survive_c() {
        assert_eq!(c_string("a\"b\\c\n\u{e4}"), "\"a\\\"b\\\\c\\012\\303\\244\"");
    }
}
