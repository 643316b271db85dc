//! A model's text after the preprocessor: macros expanded, comments and directives gone, lines kept.

use std::path::Path;

use promela::diagnostic::Diagnostic;
use promela::preprocess::{FileSystem, preprocess};
use promela::source::SourceMap;
use promela::token::{Token, TokenKind};

use crate::cli::SourceArguments;
use crate::console::Exit;
use crate::{diagnostics, input, model};

/// The text after the preprocessor.
pub fn text(path: &Path, source: &SourceArguments) -> Result<String, Exit> {
    let shown = input::name(path);
    let text = input::text(path).map_err(|error| model::refuse(&format!("cannot read {shown}: {error}")))?;
    let mut sources = SourceMap::new();
    let Ok(main) = sources.add_file(shown.as_str(), text) else {
        return Err(model::refuse(&format!("{shown} is larger than 4 GiB")));
    };
    let mut found = Vec::new();
    let tokens = preprocess(&mut sources, main, &source.options().preprocess, &FileSystem, &mut found);
    if found.iter().any(Diagnostic::is_error) {
        diagnostics::print(&found, &sources);
        return Err(Exit::Usage);
    }
    Ok(layout(&tokens, &sources))
}

/// One line for each line that the parser sees, indented as it was.
fn layout(tokens: &[Token], sources: &SourceMap) -> String {
    let mut out = String::new();
    let mut previous: Option<&Token> = None;
    for token in tokens.iter().filter(|token| token.kind != TokenKind::End) {
        if token.newline_before && previous.is_some() {
            out.push('\n');
        }
        if out.is_empty() || out.ends_with('\n') {
            let column = sources.location(sources.use_site(token.span)).column as usize;
            out.push_str(&" ".repeat(column.saturating_sub(1)));
        } else if token.space_before || previous.is_some_and(|previous| would_join(previous, token)) {
            out.push(' ');
        }
        out.push_str(&token.text);
        previous = Some(token);
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// Whether two tokens that were not written side by side would be read as one.
fn would_join(left: &Token, right: &Token) -> bool {
    let adjacent = left.span.end == right.span.start && left.span.expansion == right.span.expansion;
    let (Some(last), Some(first)) = (left.text.chars().last(), right.text.chars().next()) else { return false };
    let word = |character: char| character.is_alphanumeric() || character == '_';
    let operator = |character: char| !word(character) && !"(){}[];,\"'".contains(character);
    !adjacent && (word(last) && word(first) || operator(last) && operator(first))
}

#[cfg(test)]
mod tests {
    use promela::preprocess::{InMemory, Options, preprocess};
    use promela::source::SourceMap;

    use super::layout;

    fn preprocessed(text: &str) -> String {
        let mut sources = SourceMap::new();
        let main = sources.add_file("m.pml", text).expect("it is small");
        let tokens = preprocess(&mut sources, main, &Options::default(), &InMemory::default(), &mut Vec::new());
        layout(&tokens, &sources)
    }

    #[test]
    fn macros_are_expanded_and_lines_keep_their_indentation() {
        let text = "#define N 3\nbyte a[N]; /* gone */\nactive proctype P() {\n\ta[N - 1] = N\n}\n";
        assert_eq!(preprocessed(text), "byte a[3];\nactive proctype P() {\n a[3 - 1] = 3\n}\n");
    }

    #[test]
    fn tokens_of_different_expansions_do_not_run_together() {
        assert_eq!(preprocessed("#define MINUS -\nint x = -MINUS 1;\n"), "int x = - - 1;\n");
    }
}
