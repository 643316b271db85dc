//! **printf-format**: a `printf` whose arguments do not fit its format.
//!
//! ```promela
//! printf("%d of %d\n", x)      // one argument is missing
//! ```

use super::Context;
use super::code::StatementAt;
use crate::diagnostic::Diagnostic;
use crate::model::StatementKind;
use crate::resolve::counted;

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for StatementAt { statement, .. } in &context.code.statements {
        let StatementKind::Printf(format, arguments) = &statement.kind else { continue };
        let conversions = conversions(format);
        if let Some(unknown) = conversions.iter().find(|c| !"cdeouxi".contains(**c)) {
            let message = format!("`printf` does not know `%{unknown}`");
            let note = "it knows %c, %d, %e (an mtype name), %o, %u and %x";
            diagnostics.push(Diagnostic::warning("printf-format", statement.span, message).note(note));
        } else if conversions.len() != arguments.len() {
            let message = format!(
                "the format asks for {}, and there {} {}",
                counted(conversions.len(), "value"),
                if arguments.len() == 1 { "is" } else { "are" },
                arguments.len()
            );
            diagnostics.push(Diagnostic::warning("printf-format", statement.span, message));
        }
    }
}

/// The letters of the conversions in a format.
fn conversions(format: &str) -> Vec<char> {
    let mut found = Vec::new();
    let mut characters = format.chars();
    while let Some(character) = characters.next() {
        if character != '%' {
            continue;
        }
        let flags = |c: &char| c.is_ascii_digit() || "-+ #.l".contains(*c);
        match characters.by_ref().find(|c| !flags(c)) {
            Some('%') | None => {}
            Some(letter) => found.push(letter),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::conversions;

    #[test]
    fn flags_and_widths_are_passed_over() {
        assert_eq!(conversions("%d %3c 100%% %-4.2e\n"), ['d', 'c', 'e']);
        assert!(conversions("no values %").is_empty());
    }
}
