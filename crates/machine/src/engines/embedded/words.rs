//! Words of C text: enough to see which variables it names, and whether it keeps anything to itself.

use promela::ast::EmbeddedC;
use promela::model::{Model, Visibility};
use rustc_hash::FxHashSet;

use super::{Code, Scope, Sharing, scope};

/// What follows a word.
struct Word<'t> {
    text: &'t str,
    rest: &'t str,
}

fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find(is_part)?;
        let word = &rest[start..];
        let length = word.find(|character| !is_part(character)).unwrap_or(word.len());
        rest = &word[length..];
        Some(Word { text: &word[..length], rest: rest.trim_start() })
    })
}

/// The variables that a model's C names.
pub struct Mentions {
    names: FxHashSet<String>,
    /// It may reach variables in another way than by their names.
    everything: bool,
}

impl Mentions {
    pub fn of(model: &Model, code: &Code) -> Mentions {
        let mut mentions = Mentions { names: FxHashSet::default(), everything: false };
        for text in texts(model, code) {
            mentions.everything |= text.contains("include") && text.contains('"');
            for word in words(text) {
                let name = word.text.strip_prefix('P').unwrap_or_default();
                let is_process =
                    || model.processes.iter().any(|process| process.name.trim_matches(':') == name && !name.is_empty());
                let is_numbered = || !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
                mentions.everything |= match word.text {
                    "now" => !word.rest.starts_with('.'),
                    "_this" | "State" => true,
                    _ if is_process() => !word.rest.starts_with("->"),
                    _ => is_numbered(),
                };
                mentions.names.insert(word.text.to_string());
            }
        }
        mentions
    }

    pub fn contain(&self, name: &str) -> bool {
        self.everything || self.names.contains(name)
    }
}

/// Everything that a model says in C.
fn texts<'a>(model: &'a Model, code: &'a Code) -> impl Iterator<Item = &'a str> {
    let outside = model.embedded_c.iter().flat_map(|embedded| match embedded {
        EmbeddedC::Declarations(text) | EmbeddedC::Code(text) => vec![&*text.text],
        EmbeddedC::State(strings) | EmbeddedC::Track(strings) => strings.strings.iter().map(|text| &**text).collect(),
    });
    let inside = code.pieces.iter().flat_map(|piece| std::iter::once(&piece.text.text).chain(&piece.text.precondition));
    outside.chain(inside.map(|text| &**text))
}

/// What may stand before a bracket and is no call of something unknown.
const HARMLESS: [&str; 8] = ["if", "while", "for", "switch", "return", "sizeof", "printf", "Printf"];

/// Whether threads may run a model's C side by side: it keeps nothing but states, and calls nothing.
pub fn sharing(model: &Model, code: &Code) -> Sharing {
    let keeps_nothing = model.embedded_c.iter().all(|embedded| match embedded {
        EmbeddedC::State(state) => matches!(scope(state), Some(Scope::Global | Scope::Local(_))),
        EmbeddedC::Declarations(_) | EmbeddedC::Code(_) | EmbeddedC::Track(_) => false,
    });
    let has_hidden = model.globals.iter().any(|global| global.visibility == Some(Visibility::Hidden));
    let is_harmless = |text: &str| {
        words(text).all(|word| {
            let calls = word.rest.starts_with('(') && !HARMLESS.contains(&word.text);
            !calls && !matches!(word.text, "static" | "extern" | "asm" | "__asm__")
        })
    };
    let is_pure = keeps_nothing && !has_hidden && texts(model, code).all(is_harmless);
    if is_pure { Sharing::Threads } else { Sharing::OneByOne }
}

/// The name that a C declaration of one thing gives it: `x` in `short x[3]`.
pub fn declared_name(declaration: &str) -> &str {
    let before = declaration.split(['[', '=', ',', ';']).next().unwrap_or_default().trim();
    let start = before.rfind(|character: char| !character.is_ascii_alphanumeric() && character != '_');
    before[start.map_or(0, |start| start + 1)..].trim()
}

#[cfg(test)]
mod tests {
    use super::declared_name;

    #[test]
    fn the_name_is_the_last_word_before_brackets() {
        let cases =
            [("int x", "x"), ("struct foo *p ", "p"), ("short a[3][4]", "a"), ("Coord pt", "pt"), ("int *q", "q")];
        for (declaration, name) in cases {
            assert_eq!(declared_name(declaration), name);
        }
    }
}
