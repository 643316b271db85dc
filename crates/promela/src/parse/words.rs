//! The words of the language: which are keywords, and what each kind of keyword begins.
//!
//! The keywords are those of SPIN 6.5.2. `in` is none of them: it is special only inside the parentheses of `for`. The words
//! of temporal logic and of our extensions are no keywords either; their position tells.

/// Every word that cannot be a name, sorted.
pub const KEYWORDS: &[&str] = &[
    "D_proctype",
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
];

/// Whether SPIN reserves the word.
pub(super) fn is_keyword(word: &str) -> bool {
    KEYWORDS.binary_search(&word).is_ok()
}

/// Words that begin a unit which cannot also stand inside a body.
pub(super) const UNIT_WORDS: &[&str] = &[
    "active",
    "proctype",
    "D_proctype",
    "init",
    "never",
    "trace",
    "notrace",
    "typedef",
    "inline",
    "c_state",
    "c_track",
];

/// The types, but for those a model defines.
pub(super) const TYPE_WORDS: &[&str] = &["bit", "bool", "byte", "pid", "short", "int", "unsigned", "mtype", "chan"];

/// Words before a type.
pub(super) const VISIBILITY_WORDS: &[&str] = &["hidden", "show", "local"];

/// Words that begin a statement other than an expression.
pub(super) const STATEMENT_WORDS: &[&str] = &[
    "if",
    "do",
    "for",
    "select",
    "atomic",
    "d_step",
    "goto",
    "break",
    "else",
    "assert",
    "printf",
    "printm",
    "set_priority",
    "return",
    "c_code",
    "xr",
    "xs",
];

/// Words that begin an operand of an expression.
pub(super) const OPERAND_WORDS: &[&str] = &[
    "true",
    "false",
    "skip",
    "run",
    "len",
    "full",
    "empty",
    "nfull",
    "nempty",
    "enabled",
    "pc_value",
    "get_priority",
    "timeout",
    "np_",
    "c_expr",
];

/// The word among `candidates` that `word` most likely was meant to be: by capitals, or one or two slips of the keyboard
/// away (a letter missing, added, wrong, or two neighbours swapped).
pub(super) fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = match word.chars().count() {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    };
    candidates
        .into_iter()
        .map(|candidate| {
            let slips = if candidate.eq_ignore_ascii_case(word) { 0 } else { slips_between(word, candidate) };
            (slips, candidate)
        })
        .filter(|&(slips, candidate)| slips <= allowed && candidate != word)
        .min_by_key(|&(slips, _)| slips)
        .map(|(_, candidate)| candidate)
}

/// The distance of Damerau and Levenshtein, neighbours swapped at most once (optimal string alignment).
fn slips_between(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 2 {
        return usize::MAX;
    }
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (rows[i - 1][j] + 1).min(row[j - 1] + 1).min(rows[i - 1][j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_sorted_so_that_binary_search_finds_them() {
        assert!(KEYWORDS.is_sorted());
        for words in [UNIT_WORDS, TYPE_WORDS, VISIBILITY_WORDS, STATEMENT_WORDS, OPERAND_WORDS] {
            assert!(words.iter().all(|word| is_keyword(word)), "{words:?}");
        }
    }

    #[test]
    fn a_slip_of_the_keyboard_is_mended_and_another_word_is_not() {
        for (typed, meant) in
            [("pintf", "printf"), ("atomci", "atomic"), ("Byte", "byte"), ("assrt", "assert"), ("unles", "unless")]
        {
            assert_eq!(closest(typed, KEYWORDS.iter().copied()), Some(meant));
        }
        for word in ["x", "count", "ab", "philosopher"] {
            assert_eq!(closest(word, KEYWORDS.iter().copied()), None, "{word}");
        }
    }
}
