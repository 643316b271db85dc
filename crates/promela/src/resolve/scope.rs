//! The scopes of one process: which local name is visible where.
//!
//! SPIN 6 gives every pair of braces a scope, and nothing else: the options of `if` and `do` share the one around them.
//! A name once visible may not be declared again further inside. Labels are symbols like variables, and the place of
//! a label's *first mention*, be it only in a `goto`, decides which scope it belongs to.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::model::{LocalId, Scope};

/// What a local name stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Symbol {
    /// A parameter or local.
    Variable(LocalId),
    /// A label, with the scope of its first mention.
    Label(Scope),
}

/// The open scopes, outermost first.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    path: Scope,
    /// How many scopes have been opened inside each open one.
    opened: Vec<u32>,
    /// The names that end with each open scope.
    declared: Vec<Vec<Arc<str>>>,
    /// The symbols of each name, innermost last.
    symbols: FxHashMap<Arc<str>, Vec<Symbol>>,
}

impl Scopes {
    /// Only the outermost scope is open: that of parameters and of the body itself.
    pub(super) fn new() -> Scopes {
        Scopes { opened: vec![0], declared: vec![Vec::new()], ..Scopes::default() }
    }

    /// Opens the scope of a pair of braces.
    pub(super) fn enter(&mut self) {
        let number = self.opened.last_mut().map_or(1, |opened| {
            *opened += 1;
            *opened
        });
        self.path.push(number);
        self.opened.push(0);
        self.declared.push(Vec::new());
    }

    /// Closes the innermost scope; its names end.
    pub(super) fn leave(&mut self) {
        self.path.pop();
        self.opened.pop();
        for name in self.declared.pop().unwrap_or_default() {
            if let Some(symbols) = self.symbols.get_mut(&name) {
                symbols.pop();
            }
        }
    }

    /// Where we are.
    pub(super) fn path(&self) -> &Scope {
        &self.path
    }

    /// What a name stands for here.
    pub(super) fn lookup(&self, name: &str) -> Option<&Symbol> {
        self.symbols.get(name)?.last()
    }

    /// Adds a name to the innermost scope.
    pub(super) fn declare(&mut self, name: &Arc<str>, symbol: Symbol) {
        if let Some(declared) = self.declared.last_mut() {
            declared.push(name.clone());
        }
        self.symbols.entry(name.clone()).or_default().push(symbol);
    }

    /// The variables visible here, for suggestions.
    pub(super) fn visible(&self) -> impl Iterator<Item = &Arc<str>> {
        self.symbols.iter().filter(|(_, symbols)| matches!(symbols.last(), Some(Symbol::Variable(_)))).map(|(n, _)| n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_end_with_their_scope_and_siblings_have_different_paths() {
        let mut scopes = Scopes::new();
        let x: Arc<str> = "x".into();
        scopes.enter();
        scopes.declare(&x, Symbol::Variable(LocalId(0)));
        assert_eq!(scopes.path(), &[1]);
        assert_eq!(scopes.lookup("x"), Some(&Symbol::Variable(LocalId(0))));
        scopes.leave();
        assert_eq!(scopes.lookup("x"), None);
        scopes.enter();
        assert_eq!(scopes.path(), &[2]);
        scopes.enter();
        assert_eq!(scopes.path(), &[2, 1]);
    }
}
