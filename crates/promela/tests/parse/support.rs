//! From text to tree, in one call.

use promela::ast::Ast;
use promela::diagnostic::Diagnostic;
use promela::parse::parse;
use promela::preprocess::{FileSystem, Options, preprocess};
use promela::source::SourceMap;
use promela::token::Token;

/// What became of a text.
pub struct Parsed {
    pub ast: Ast,
    pub sources: SourceMap,
    pub diagnostics: Vec<Diagnostic>,
}

impl Parsed {
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.is_error())
    }

    pub fn line(&self, diagnostic: &Diagnostic) -> u32 {
        self.sources.location(self.sources.use_site(diagnostic.span())).line
    }

    /// The tree, when there was no error.
    #[track_caller]
    pub fn accepted(self) -> Ast {
        let errors: Vec<String> =
            self.errors().map(|error| format!("line {}: {}", self.line(error), error.message)).collect();
        assert!(errors.is_empty(), "{}", errors.join("\n"));
        self.ast
    }
}

pub fn tokens(sources: &mut SourceMap, path: &str, text: &str, diagnostics: &mut Vec<Diagnostic>) -> Vec<Token> {
    let main = sources.add_file(path, text).expect("a test's text is small");
    preprocess(sources, main, &Options::default(), &FileSystem, diagnostics)
}

pub fn parse_file(path: &str, text: &str) -> Parsed {
    let mut sources = SourceMap::new();
    let mut diagnostics = Vec::new();
    let tokens = tokens(&mut sources, path, text, &mut diagnostics);
    let ast = parse(&mut sources, tokens, &mut diagnostics);
    Parsed { ast, sources, diagnostics }
}

pub fn parse_text(text: &str) -> Parsed {
    parse_file("model.pml", text)
}
