//! Macro definitions: what a `#define` line means, and when two of them say the same.
//!
//! The body is analysed once, here: which tokens are parameters, which are made into strings by `#`, and which are
//! glued to their neighbour by `##`. [Expansion](super::expand) then only copies.

use std::sync::Arc;

use super::symbol::{PreToken, Symbol, Symbols};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::token::TokenKind;

/// The macros of a text: those there were, and those that its end leaves behind.
#[derive(Clone, Debug, Default)]
pub struct Macros {
    pub(super) symbols: Symbols,
    pub(super) table: Vec<Option<Arc<Macro>>>,
    pub(super) definitions: Vec<MacroDefinition>,
    pub(super) questions: Vec<(Span, Span)>,
}

impl Macros {
    /// Every `#define` that was read, of the model, of files that it includes and of the command line.
    #[must_use]
    pub fn definitions(&self) -> &[MacroDefinition] {
        &self.definitions
    }

    /// Where `#ifdef`, `#undef` and the like name a macro, each with the name in its definition.
    pub(crate) fn questions(&self) -> &[(Span, Span)] {
        &self.questions
    }
}

/// A `#define`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MacroDefinition {
    /// The macro's name.
    pub name: Arc<str>,
    /// The name in the definition.
    pub span: Span,
    /// The definition from its name to its end.
    pub whole: Span,
}

/// A macro.
#[derive(Debug)]
pub(super) struct Macro {
    pub(super) name: Symbol,
    /// The name in its definition.
    pub(super) definition: Span,
    pub(super) kind: MacroKind,
    pub(super) body: Vec<BodyToken>,
}

/// What using a macro takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum MacroKind {
    /// Its name.
    Object,
    /// Its name and arguments.
    Function(Parameters),
    /// Its name; the text is made anew at each use.
    Builtin(Builtin),
}

/// The macros whose text depends on the place of use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Builtin {
    /// `__LINE__`
    Line,
    /// `__FILE__`
    File,
}

/// A function-like macro's parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Parameters {
    pub(super) names: Vec<Symbol>,
    /// The last one takes all further arguments with their commas.
    pub(super) variadic: bool,
}

/// A token of a macro's body.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyToken {
    pub(super) token: PreToken,
    pub(super) role: Role,
    /// `##` stands between it and the next.
    pub(super) glued_to_next: bool,
}

/// What a token of a body stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Itself.
    Text,
    /// The argument with this index.
    Parameter(usize),
    /// The argument's spelling as a string.
    Stringify(usize),
}

impl Macro {
    /// Whether two definitions say the same (C99 §6.10.3p2): equal tokens, with white space in the same places.
    pub(super) fn says_the_same_as(&self, other: &Macro) -> bool {
        self.kind == other.kind
            && self.body.len() == other.body.len()
            && self.body.iter().zip(&other.body).all(|(one, two)| {
                one.token.symbol == two.token.symbol
                    && one.token.kind == two.token.kind
                    && one.token.space_before == two.token.space_before
                    && one.role == two.role
                    && one.glued_to_next == two.glued_to_next
            })
    }

    /// Whether the parameter's expanded argument occurs in the body.
    pub(super) fn needs_expanded(&self, parameter: usize) -> bool {
        let mut glued = false;
        self.body.iter().any(|item| {
            let stands_alone = !glued && !item.glued_to_next;
            glued = item.glued_to_next;
            stands_alone && item.role == Role::Parameter(parameter)
        })
    }
}

/// Reads what follows `#define`. `None` after an error was reported.
pub(super) fn define(
    directive: Span,
    line: &[PreToken],
    symbols: &mut Symbols,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Macro> {
    let name = macro_name("define", directive, line, symbols, diagnostics)?;
    let rest = &line[1..];
    let (kind, body) = match rest.first() {
        Some(first) if first.kind == TokenKind::LeftParen && !first.space_before => {
            let (parameters, body) = match parameters(first.span, &rest[1..], symbols) {
                Ok(found) => found,
                Err(problem) => {
                    diagnostics.push(problem);
                    return None;
                }
            };
            (MacroKind::Function(parameters), body)
        }
        first => {
            if let Some(first) = first.filter(|first| !first.space_before) {
                diagnostics.push(
                    Diagnostic::warning("macro-without-space", first.span, "no white space after the macro's name")
                        .suggest("separate the name from its text", Span { end: first.span.start, ..first.span }, " "),
                );
            }
            (MacroKind::Object, rest)
        }
    };
    let body = match analyse_body(&kind, body, symbols) {
        Ok(body) => body,
        Err(problem) => {
            diagnostics.push(problem);
            return None;
        }
    };
    warn_of_stray_variadic(&kind, &body, symbols, diagnostics);
    Some(Macro { name: name.symbol, definition: name.span, kind, body })
}

/// The name that `#define`, `#undef`, `#ifdef` and `#ifndef` start with. `None` after an error was reported.
pub(super) fn macro_name(
    word: &str,
    directive: Span,
    line: &[PreToken],
    symbols: &Symbols,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<PreToken> {
    let problem = match line.first() {
        None => Diagnostic::error("macro-name", directive, format!("`#{word}` needs the name of a macro")),
        Some(name) if name.kind != TokenKind::Word => {
            Diagnostic::error("macro-name", name.span, format!("`{}` cannot name a macro", symbols.text(name.symbol)))
        }
        Some(name) if &**symbols.text(name.symbol) == "defined" => {
            Diagnostic::error("macro-name", name.span, "`defined` cannot name a macro")
                .note("`#if` uses this word to ask whether a macro exists")
        }
        Some(name) => return Some(*name),
    };
    diagnostics.push(problem);
    None
}

/// Reads a parameter list behind its `(`. Also gives what follows the `)`.
fn parameters<'a>(
    open: Span,
    mut line: &'a [PreToken],
    symbols: &mut Symbols,
) -> Result<(Parameters, &'a [PreToken]), Diagnostic> {
    use TokenKind as T;
    let mut names: Vec<Symbol> = Vec::new();
    if let [close, rest @ ..] = line
        && close.kind == T::RightParen
    {
        return Ok((Parameters { names, variadic: false }, rest));
    }
    loop {
        let mut variadic = false;
        match line {
            [one, two, rest @ ..] if is_ellipsis(one, two) => {
                names.push(symbols.intern("__VA_ARGS__"));
                variadic = true;
                line = rest;
            }
            [name, rest @ ..] if name.kind == T::Word => {
                let text = symbols.text(name.symbol);
                if names.contains(&name.symbol) {
                    let message = format!("the parameter `{text}` occurs twice");
                    return Err(Diagnostic::error("macro-parameters", name.span, message));
                }
                names.push(name.symbol);
                line = rest;
                if let [one, two, rest @ ..] = line
                    && is_ellipsis(one, two)
                {
                    variadic = true;
                    line = rest;
                }
            }
            [other, ..] => {
                let message = format!("a parameter's name is missing before `{}`", symbols.text(other.symbol));
                return Err(Diagnostic::error("macro-parameters", other.span, message));
            }
            [] => return Err(Diagnostic::error("macro-parameters", open, "this parameter list has no end")),
        }
        match line {
            [close, rest @ ..] if close.kind == T::RightParen => return Ok((Parameters { names, variadic }, rest)),
            [comma, rest @ ..] if comma.kind == T::Comma && !variadic => line = rest,
            [other, ..] => {
                let expected = if variadic { "`)`" } else { "`,` or `)`" };
                let message =
                    format!("expected {expected} in the parameter list, found `{}`", symbols.text(other.symbol));
                return Err(Diagnostic::error("macro-parameters", other.span, message));
            }
            [] => return Err(Diagnostic::error("macro-parameters", open, "this parameter list has no end")),
        }
    }
}

/// `...`, which the scanner gives as `..` and `.`.
fn is_ellipsis(one: &PreToken, two: &PreToken) -> bool {
    one.kind == TokenKind::DotDot && two.kind == TokenKind::Dot && !two.space_before
}

fn analyse_body(kind: &MacroKind, line: &[PreToken], symbols: &Symbols) -> Result<Vec<BodyToken>, Diagnostic> {
    use TokenKind as T;
    let names = match kind {
        MacroKind::Function(parameters) => parameters.names.as_slice(),
        MacroKind::Object | MacroKind::Builtin(_) => &[],
    };
    let parameter_of = |token: &PreToken| names.iter().position(|&name| token.kind == T::Word && name == token.symbol);
    let mut body: Vec<BodyToken> = Vec::with_capacity(line.len());
    let mut glue: Option<PreToken> = None;
    let mut rest = line.iter();
    while let Some(&token) = rest.next() {
        // An expansion stands on one line, however many lines its definition takes.
        let mut token = PreToken { newline_before: false, line_changed: false, ..token };
        let role = match token.kind {
            T::HashHash => {
                let Some(left) = body.last_mut() else {
                    return Err(Diagnostic::error("macro-body", token.span, "`##` has nothing on its left to glue"));
                };
                left.glued_to_next = true;
                glue = Some(token);
                continue;
            }
            T::Hash if matches!(kind, MacroKind::Function(_)) => {
                let Some((argument, parameter)) = rest.next().and_then(|next| Some((next, parameter_of(next)?))) else {
                    return Err(Diagnostic::error("macro-body", token.span, "`#` is not followed by a parameter")
                        .note(format!("the parameters are {}", list_of(names, symbols))));
                };
                token.span = token.span.to(argument.span);
                Role::Stringify(parameter)
            }
            _ => parameter_of(&token).map_or(Role::Text, Role::Parameter),
        };
        if body.is_empty() {
            token.space_before = false;
        }
        glue = None;
        body.push(BodyToken { token, role, glued_to_next: false });
    }
    match glue {
        Some(operator) => Err(Diagnostic::error("macro-body", operator.span, "`##` has nothing on its right to glue")),
        None => Ok(body),
    }
}

fn list_of(names: &[Symbol], symbols: &Symbols) -> String {
    if names.is_empty() {
        return "none".to_string();
    }
    names.iter().map(|&name| format!("`{}`", symbols.text(name))).collect::<Vec<_>>().join(", ")
}

fn warn_of_stray_variadic(kind: &MacroKind, body: &[BodyToken], symbols: &Symbols, diagnostics: &mut Vec<Diagnostic>) {
    if matches!(kind, MacroKind::Function(parameters) if parameters.variadic) {
        return;
    }
    for item in body {
        if item.role == Role::Text
            && item.token.kind == TokenKind::Word
            && &**symbols.text(item.token.symbol) == "__VA_ARGS__"
        {
            let message = "`__VA_ARGS__` means something only in a macro whose last parameter is `...`";
            diagnostics.push(Diagnostic::warning("stray-variadic", item.token.span, message));
        }
    }
}
