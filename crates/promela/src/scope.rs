//! Properties from elsewhere, read in the scope of a model.
//!
//! A formula or claim of the command line may use the names and macros of the model. Its text is a file of its own in the
//! [`SourceMap`], so every message points into it; it is read with the macros that the model's end leaves behind, and
//! parsed with the names that the parser has met. What comes out are units of the syntax tree, which [`Scope::with`] puts
//! behind those of the model. The whole is then resolved at once: a property can change what a state must hold, as one
//! about `_last` or a label of a process does.

use std::ops::Range;
use std::sync::Arc;

use crate::ast::{Ast, Formula, FormulaKind, LtlProperty, Name, Unit};
use crate::diagnostic::Diagnostic;
use crate::load::{Loaded, Parsed, expanded, resolve_all};
use crate::parse::{self, parse_formula, proctype_names};
use crate::preprocess::preprocess_behind;
use crate::source::{FileId, SourceMap, Span};
use crate::token::Token;

/// The place behind the text of a model, where properties that come from elsewhere are read with its names and macros.
/// Messages about them point into their own text.
///
/// ```
/// use promela::{Options, Scope, load_text};
///
/// let model = "#define done (x == 2)\nbyte x; active proctype P() { x = 1; x = 2 }";
/// let mut scope = Scope::of(load_text("m.pml", model, &Options::default()));
/// let file = scope.add_text("--ltl", "<> done").unwrap();
/// let property = scope.formula("formula_1", file).unwrap();
/// let loaded = scope.with(vec![property]);
/// assert_eq!(&*loaded.model.unwrap().ltl[0].name, "formula_1");
///
/// let mut scope = Scope::of(load_text("m.pml", model, &Options::default()));
/// let file = scope.add_text("--ltl", "<> (y == 2)").unwrap();
/// let property = scope.formula("formula_1", file).unwrap();
/// let loaded = scope.with(vec![property]);
/// assert_eq!(loaded.sources.snippet(loaded.diagnostics[0].span()), "y");
/// ```
#[derive(Clone, Debug)]
pub struct Scope {
    loaded: Loaded,
}

impl Scope {
    /// The scope of a model.
    #[must_use]
    pub fn of(loaded: Loaded) -> Scope {
        Scope { loaded }
    }

    /// The texts: those of the model, and those that were added.
    #[must_use]
    pub fn sources(&self) -> &SourceMap {
        &self.loaded.sources
    }

    /// Adds a text; `place` is what messages call it.
    ///
    /// # Errors
    /// When all texts together are too long.
    pub fn add_text(
        &mut self,
        place: impl Into<Arc<str>>,
        text: impl Into<Arc<str>>,
    ) -> Result<FileId, Vec<Diagnostic>> {
        let place = place.into();
        let too_long = || Diagnostic::error("too-much-text", Span::NOWHERE, format!("{place} is too long"));
        self.loaded.sources.add_file(place.clone(), text).map_err(|_| vec![too_long()])
    }

    /// Reads a text as a formula of linear temporal logic, to be a property of this name.
    ///
    /// # Errors
    /// When it is none.
    pub fn formula(&mut self, name: &str, file: FileId) -> Result<Unit, Vec<Diagnostic>> {
        let whole = 0..self.sources().file(file).text.len();
        let formula = self.formula_in(file, whole.clone())?;
        Ok(self.property(name, formula, file, whole))
    }

    /// Reads a part of a text as an expression, to be a property of this name.
    ///
    /// # Errors
    /// When it is none.
    pub fn expression(&mut self, name: &str, file: FileId, part: Range<usize>) -> Result<Unit, Vec<Diagnostic>> {
        let formula = self.formula_in(file, part.clone())?;
        if !matches!(formula.kind, FormulaKind::Atom(_)) {
            let message = "this is no expression: it has operators of linear temporal logic";
            let span = self.sources().span(file, part.start, part.end);
            return Err(vec![Diagnostic::error("temporal-expression", span, message)]);
        }
        Ok(self.property(name, formula, file, part))
    }

    /// Reads a text as units of a model: never claims, `ltl` blocks, and what they need.
    ///
    /// # Errors
    /// When it is not correct.
    pub fn units(&mut self, file: FileId) -> Result<Vec<Unit>, Vec<Diagnostic>> {
        let whole = 0..self.sources().file(file).text.len();
        let (tokens, mut found) = self.tokens(file, whole);
        let Loaded { names, sources, .. } = &mut self.loaded;
        let Ast { units } = parse::parse_behind(names, sources, tokens, &mut found);
        self.accept(found)?;
        Ok(units)
    }

    /// The model with further units behind it. Its errors are those of the units, if it had none itself.
    #[must_use]
    pub fn with(self, units: Vec<Unit>) -> Loaded {
        let Loaded { sources, mut ast, index, macros, names, strictness, syntax, .. } = self.loaded;
        ast.units.extend(units);
        let parsed = Parsed { sources, ast, expanded: index.expanded, macros, names, strictness };
        resolve_all(parsed, syntax)
    }

    fn formula_in(&mut self, file: FileId, part: Range<usize>) -> Result<Formula, Vec<Diagnostic>> {
        let (tokens, mut found) = self.tokens(file, part.clone());
        let proctypes = proctype_names(&self.loaded.ast);
        let formula = parse_formula(&mut self.loaded.sources, tokens, &proctypes, &mut found);
        self.accept(found)?;
        let none =
            || Diagnostic::error("formula", self.sources().span(file, part.start, part.end), "this is no formula");
        formula.ok_or_else(|| vec![none()])
    }

    fn tokens(&mut self, file: FileId, part: Range<usize>) -> (Vec<Token>, Vec<Diagnostic>) {
        let mut found = Vec::new();
        let Loaded { macros, sources, index, .. } = &mut self.loaded;
        let tokens = preprocess_behind(macros, sources, file, part, &mut found);
        index.expanded.extend(expanded(&tokens));
        (tokens, found)
    }

    /// Goes on if there are only warnings, which are kept.
    fn accept(&mut self, mut found: Vec<Diagnostic>) -> Result<(), Vec<Diagnostic>> {
        if found.iter().any(Diagnostic::is_error) {
            found.retain(Diagnostic::is_error);
            return Err(found);
        }
        self.loaded.syntax.append(&mut found);
        Ok(())
    }

    fn property(&self, name: &str, formula: Formula, file: FileId, part: Range<usize>) -> Unit {
        let span = self.sources().span(file, part.start, part.end);
        // The name stands nowhere, so messages about it point at the formula.
        let name = Some(Name { text: name.into(), span });
        Unit::Ltl(LtlProperty { name, formula, span })
    }
}
