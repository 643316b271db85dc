//! Formatting does not change what the parser makes of a text.

use promela::ast::{Ast, Unit};
use promela::format::format;
use promela::lex::{PieceKind, joined, pieces};
use promela::print::print;
use proptest::prelude::{ProptestConfig, proptest};

use crate::examples::spin_examples;
use crate::spans::without_spans;
use crate::support::{parse_file, parse_text};
use crate::trees;

/// The tree without spans, and without the white space in the text of inlines.
fn bare(ast: Ast) -> Ast {
    let mut ast = without_spans(ast);
    for unit in &mut ast.units {
        if let Unit::Inline(inline) = unit {
            let text = inline.text.to_string();
            let tokens = pieces(&text).into_iter().filter(|piece| matches!(piece.kind, PieceKind::Token(_)));
            inline.text = tokens
                .map(|piece| joined(&text[piece.start..piece.end]).into_owned())
                .collect::<Vec<_>>()
                .join(" ")
                .into();
        }
    }
    ast
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_formatted_tree_parses_back_to_itself(ast in trees::ast()) {
        let text = print(&ast);
        let formatted = format(&text).unwrap_or_else(|error| panic!("{error} at {:?}:\n{text}", error.place()));
        let parsed = parse_text(&formatted);
        assert_eq!(parsed.errors().count(), 0, "{formatted}");
        assert_eq!(bare(parsed.ast), bare(ast), "{formatted}");
    }
}

#[test]
fn every_example_of_spin_parses_the_same_when_formatted() {
    for (path, text) in spin_examples(&["pml"]) {
        let name = path.to_string_lossy();
        let formatted = format(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let (before, after) = (parse_file(&name, &text), parse_file(&name, &formatted));
        assert_eq!(before.errors().count(), after.errors().count(), "{name}");
        assert_eq!(bare(before.ast), bare(after.ast), "{name}");
    }
}
