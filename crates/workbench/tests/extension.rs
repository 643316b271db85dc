//! The files for editors go with the program: the grammar knows every word of the language, and the extension has its version.

use promela::parse::KEYWORDS;
use serde_json::Value;

fn read(name: &str) -> Value {
    let path = format!("{}/../../editors/vscode/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All texts in a document.
fn texts(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::String(text) => into.push(text.clone()),
        Value::Array(list) => list.iter().for_each(|each| texts(each, into)),
        Value::Object(members) => members.values().for_each(|each| texts(each, into)),
        _ => {}
    }
}

#[test]
fn the_grammar_knows_every_word_of_the_language() {
    let mut patterns = Vec::new();
    texts(&read("syntaxes/promela.tmLanguage.json")["repository"]["code"], &mut patterns);
    let words: Vec<&str> = patterns
        .iter()
        .flat_map(|pattern| pattern.split(|each: char| !each.is_alphanumeric() && each != '_'))
        .collect();
    // `\b` before a group leaves a `b` at no word's beginning, since a group opens with a bracket.
    for keyword in KEYWORDS {
        assert!(words.contains(keyword), "{keyword}");
    }
}

#[test]
fn the_extension_has_the_version_of_the_program() {
    assert_eq!(read("package.json")["version"], env!("CARGO_PKG_VERSION"));
}
