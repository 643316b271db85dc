//! Interned texts, and the small copyable tokens the preprocessor works on.
//!
//! Macro expansion copies tokens many times over; here a token's text is a number, so copying is cheap and a macro is
//! found by indexing. The [`Token`](crate::token::Token)s handed to the parser share one text for each symbol.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::source::Span;
use crate::token::TokenKind;

/// An interned text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Symbol(u32);

impl Symbol {
    /// For tables with an entry for each symbol.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// All texts seen so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Symbols {
    known: FxHashMap<Arc<str>, Symbol>,
    texts: Vec<Arc<str>>,
}

impl Symbols {
    pub(super) fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.known.get(text) {
            return symbol;
        }
        let symbol = Symbol(self.texts.len() as u32);
        let text: Arc<str> = text.into();
        self.texts.push(Arc::clone(&text));
        self.known.insert(text, symbol);
        symbol
    }

    pub(super) fn text(&self, symbol: Symbol) -> &Arc<str> {
        &self.texts[symbol.index()]
    }
}

/// A token on its way through the preprocessor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PreToken {
    pub(super) kind: TokenKind,
    pub(super) symbol: Symbol,
    pub(super) span: Span,
    /// White space, a comment or a line break stands before it.
    pub(super) space_before: bool,
    /// It is the first of its line.
    pub(super) newline_before: bool,
    /// Its line is not that of the token before, be it for a comment or joined lines only; see [`super::output`].
    pub(super) line_changed: bool,
    /// It named a macro inside that macro's own expansion and is never expanded again (C99 §6.10.3.4).
    pub(super) painted: bool,
    /// It is a string or character constant without its closing quote.
    pub(super) unclosed: bool,
}
