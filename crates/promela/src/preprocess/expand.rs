//! Macro expansion.
//!
//! Tokens are read from a stack of *contexts*: the expansion of a macro is pushed as a new context and read again from
//! its start, so that macros in it are expanded in their turn. A macro is disabled while its context is on the stack; a
//! name that meets its own disabled macro is *painted* and stays as it is for good. That is C99 §6.10.3.4 word by word,
//! and what gcc does; Prosser's hide sets say the same, except where the standard leaves the choice open.
//!
//! Arguments are expanded by themselves first, behind a *barrier* context that ends like a file does.
//!
//! Where tokens come from: body tokens keep the span of the `#define` and name the expansion; argument tokens keep the
//! span where they were written and name a second expansion with the same call. The two never share an id, so
//! [`Span::to`] never stretches from a definition to a use.

use std::ops::Range;
use std::sync::Arc;

use super::Preprocessor;
use super::macros::{BodyToken, Builtin, Macro, MacroKind, Parameters, Role};
use super::symbol::{PreToken, Symbol};
use crate::diagnostic::Diagnostic;
use crate::lex::{PieceKind, Scanner};
use crate::source::{Expansion, ExpansionId, ExpansionKind, Span};
use crate::token::TokenKind;

/// Tokens to be read before those below it on the stack. They lie in [`Preprocessor::pool`].
pub(super) struct Context {
    kind: ContextKind,
    start: usize,
    next: usize,
    end: usize,
}

#[derive(Clone, Copy)]
enum ContextKind {
    /// A macro's expansion.
    Expansion(Symbol),
    /// Tokens to be expanded by themselves: an argument, or a directive's line.
    Barrier,
}

/// What an empty expansion leaves to the token behind it.
#[derive(Clone, Copy, Default)]
pub(super) struct Carried {
    space: bool,
    newline: bool,
    line_changed: bool,
}

/// The arguments of a call, one after the other.
struct Arguments {
    tokens: Vec<PreToken>,
    ends: Vec<usize>,
    /// No argument was given for the `...`, so a comma glued to it disappears (a GNU extension).
    variadic_missing: bool,
    /// The closing parenthesis.
    close: Span,
}

impl Arguments {
    fn range(&self, index: usize) -> Range<usize> {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        start..self.ends[index]
    }

    fn raw(&self, index: usize) -> &[PreToken] {
        &self.tokens[self.range(index)]
    }
}

/// An argument after its own expansion.
struct Expanded {
    tokens: Vec<PreToken>,
    /// White space came last.
    trailing_space: bool,
}

impl Preprocessor<'_> {
    /// The next token with all macros expanded; `None` at the end of the file stack or at a barrier.
    pub(super) fn next_expanded(&mut self) -> Option<PreToken> {
        loop {
            let token = self.read()?;
            if token.kind != TokenKind::Word || token.painted {
                return Some(token);
            }
            let Some(definition) = self.definition(token.symbol) else {
                return Some(token);
            };
            if self.is_disabled(token.symbol) {
                return Some(PreToken { painted: true, ..token });
            }
            match &definition.kind {
                MacroKind::Builtin(builtin) => return Some(self.builtin(*builtin, token)),
                MacroKind::Object => self.enter(&definition, None, token),
                MacroKind::Function(parameters) => {
                    if !self.left_paren_follows() {
                        return Some(token);
                    }
                    let Some(arguments) = self.collect_arguments(&definition, parameters, token) else {
                        return Some(token);
                    };
                    self.enter(&definition, Some(arguments), token);
                }
            }
        }
    }

    /// Expands the tokens of a directive's line.
    pub(super) fn expand_line(&mut self, line: &[PreToken]) -> Vec<PreToken> {
        self.expand_alone(line).tokens
    }

    /// Opens a barrier context; tokens are then read with [`Preprocessor::next_expanded`] and
    /// [`Preprocessor::read`] until they give `None`.
    pub(super) fn push_barrier(&mut self, tokens: &[PreToken]) {
        let start = self.pool.len();
        self.pool.extend_from_slice(tokens);
        self.contexts.push(Context { kind: ContextKind::Barrier, start, next: start, end: self.pool.len() });
    }

    /// Closes the innermost barrier context and all above it.
    pub(super) fn pop_barrier(&mut self) {
        while let Some(kind) = self.contexts.last().map(|context| context.kind) {
            self.pop_context();
            if matches!(kind, ContextKind::Barrier) {
                break;
            }
        }
    }

    /// The next token, not expanded; `None` at the end of the file stack or at a barrier.
    pub(super) fn read(&mut self) -> Option<PreToken> {
        loop {
            if self.stopped {
                return None;
            }
            let mut token = match self.contexts.last_mut() {
                None => self.read_file()?,
                Some(context) if context.next < context.end => {
                    context.next += 1;
                    self.pool[context.next - 1]
                }
                Some(Context { kind: ContextKind::Barrier, .. }) => return None,
                Some(_) => {
                    self.pop_context();
                    continue;
                }
            };
            let carried = std::mem::take(&mut self.carried);
            token.space_before |= carried.space;
            token.newline_before |= carried.newline;
            token.line_changed |= carried.line_changed;
            return Some(token);
        }
    }

    fn expand_alone(&mut self, tokens: &[PreToken]) -> Expanded {
        let outer = std::mem::take(&mut self.carried);
        self.push_barrier(tokens);
        // White space before an argument is that before the parameter; what remains at the first token of the result
        // stood behind a macro without text.
        let start = self.pool.len() - tokens.len();
        if let Some(first) = self.pool.get_mut(start) {
            first.space_before = false;
        }
        let mut expanded = Vec::with_capacity(tokens.len());
        while let Some(token) = self.next_expanded() {
            expanded.push(token);
        }
        self.pop_barrier();
        let inner = std::mem::replace(&mut self.carried, outer);
        Expanded { tokens: expanded, trailing_space: inner.space }
    }

    fn pop_context(&mut self) {
        if let Some(context) = self.contexts.pop() {
            self.pool.truncate(context.start);
            if let ContextKind::Expansion(name) = context.kind {
                self.disabled[name.index()] = false;
            }
        }
    }

    fn is_disabled(&self, name: Symbol) -> bool {
        self.disabled.get(name.index()).is_some_and(|&disabled| disabled)
    }

    /// Whether the next token, line breaks aside, opens an argument list.
    fn left_paren_follows(&mut self) -> bool {
        for context in self.contexts.iter().rev() {
            if context.next < context.end {
                return self.pool[context.next].kind == TokenKind::LeftParen;
            }
            if matches!(context.kind, ContextKind::Barrier) {
                return false;
            }
        }
        let Some(file) = self.files.last_mut() else { return false };
        file.peek(&mut self.symbols, self.diagnostics).is_some_and(|token| token.kind == TokenKind::LeftParen)
    }

    fn collect_arguments(&mut self, definition: &Macro, parameters: &Parameters, name: PreToken) -> Option<Arguments> {
        self.collecting += 1;
        let arguments = self.read_arguments(parameters, name);
        self.collecting -= 1;
        self.check_count(definition, parameters, name, arguments?)
    }

    fn read_arguments(&mut self, parameters: &Parameters, name: PreToken) -> Option<Arguments> {
        let mut tokens = Vec::new();
        let mut ends = Vec::new();
        let mut nesting = 0usize;
        loop {
            let Some(mut token) = self.read() else {
                if !self.stopped {
                    let text = self.symbols.text(name.symbol);
                    let message = format!("the arguments of the macro `{text}` have no closing parenthesis");
                    self.diagnostics.push(Diagnostic::error("unclosed-call", name.span, message));
                }
                return None;
            };
            if self.contexts.is_empty()
                && token.line_changed
                && let Some(file) = self.files.last_mut()
            {
                file.note_line_change();
            }
            // A call stands on one line, however many its text takes.
            token.newline_before = false;
            token.line_changed = false;
            match token.kind {
                TokenKind::LeftParen => {
                    nesting += 1;
                    if nesting == 1 {
                        continue;
                    }
                }
                TokenKind::RightParen => {
                    nesting -= 1;
                    if nesting == 0 {
                        ends.push(tokens.len());
                        return Some(Arguments { tokens, ends, variadic_missing: false, close: token.span });
                    }
                }
                TokenKind::Comma
                    if nesting == 1 && !(parameters.variadic && ends.len() + 1 >= parameters.names.len()) =>
                {
                    ends.push(tokens.len());
                    continue;
                }
                TokenKind::Word if self.is_disabled(token.symbol) => token.painted = true,
                _ => {}
            }
            if !self.spend(1, name.span) {
                return None;
            }
            tokens.push(token);
        }
    }

    fn check_count(
        &mut self,
        definition: &Macro,
        parameters: &Parameters,
        name: PreToken,
        mut arguments: Arguments,
    ) -> Option<Arguments> {
        let expected = parameters.names.len();
        let only_one_empty = arguments.ends.len() == 1 && arguments.tokens.is_empty();
        let given = if expected == 0 && only_one_empty { 0 } else { arguments.ends.len() };
        if parameters.variadic && given + 1 >= expected {
            arguments.variadic_missing = given < expected || only_one_empty;
            arguments.ends.resize(expected, arguments.tokens.len());
            return Some(arguments);
        }
        if given == expected {
            return Some(arguments);
        }
        let text = self.symbols.text(name.symbol);
        let at_least = if parameters.variadic { "at least " } else { "" };
        let least = if parameters.variadic { expected - 1 } else { expected };
        let plural = if least == 1 { "" } else { "s" };
        let message = format!("the macro `{text}` takes {at_least}{least} argument{plural}, not {given}");
        self.diagnostics.push(
            Diagnostic::error("macro-arguments", name.span.to(arguments.close), message)
                .also(definition.definition, "defined here"),
        );
        None
    }

    /// Pushes the expansion of a call as a new context.
    fn enter(&mut self, definition: &Arc<Macro>, arguments: Option<Arguments>, name: PreToken) {
        let call = arguments.as_ref().map_or(name.span, |arguments| name.span.to(arguments.close));
        if !self.spend(1 + definition.body.len(), call) {
            return;
        }
        let expansion = self.record_expansion(definition, call);
        let start = self.pool.len();
        match arguments {
            None => self.substitute(definition, expansion, None, &[]),
            Some(mut arguments) => {
                if !arguments.tokens.is_empty() {
                    let expansion = self.record_expansion(definition, call);
                    for token in &mut arguments.tokens {
                        // Text of an outer macro's argument already leads to the outer call, which holds this one.
                        if token.span.expansion == ExpansionId::NONE || token.span.expansion == name.span.expansion {
                            token.span.expansion = expansion;
                        }
                    }
                }
                let Some(expanded) = self.expand_arguments(definition, &arguments, call) else { return };
                self.substitute(definition, expansion, Some(&arguments), &expanded);
            }
        }
        match self.pool.get_mut(start) {
            Some(first) => {
                first.space_before = name.space_before;
                first.newline_before = name.newline_before;
                first.line_changed = name.line_changed;
            }
            None => {
                self.carried.space |= name.space_before;
                self.carried.newline |= name.newline_before;
                self.carried.line_changed |= name.line_changed;
            }
        }
        if self.disabled.len() <= definition.name.index() {
            self.disabled.resize(definition.name.index() + 1, false);
        }
        self.disabled[definition.name.index()] = true;
        let end = self.pool.len();
        self.contexts.push(Context { kind: ContextKind::Expansion(definition.name), start, next: start, end });
    }

    fn record_expansion(&mut self, definition: &Macro, call: Span) -> ExpansionId {
        self.sources.add_expansion(Expansion {
            kind: ExpansionKind::Macro,
            name: self.symbols.text(definition.name).clone(),
            call,
            definition: definition.definition,
        })
    }

    /// Expands each argument that the body wants expanded. `None` if a limit stopped it.
    fn expand_arguments(
        &mut self,
        definition: &Macro,
        arguments: &Arguments,
        call: Span,
    ) -> Option<Vec<Option<Expanded>>> {
        if self.nesting >= self.limits.nesting {
            let message = format!("macro calls are nested more than {} deep", self.limits.nesting);
            self.stop(Diagnostic::error("runaway-macro", call, message));
            return None;
        }
        self.nesting += 1;
        let mut all = Vec::with_capacity(arguments.ends.len());
        for index in 0..arguments.ends.len() {
            let raw = arguments.raw(index);
            let has_macros = raw.iter().any(|token| token.kind == TokenKind::Word && self.is_defined(token.symbol));
            all.push((has_macros && definition.needs_expanded(index)).then(|| self.expand_alone(raw)));
        }
        self.nesting -= 1;
        (!self.stopped).then_some(all)
    }

    /// Appends a macro's body to the pool, parameters replaced.
    fn substitute(
        &mut self,
        definition: &Macro,
        expansion: ExpansionId,
        arguments: Option<&Arguments>,
        expanded: &[Option<Expanded>],
    ) {
        let mut glue = false;
        let mut left_is_empty = false;
        let mut pending_space = false;
        for (index, item) in definition.body.iter().enumerate() {
            let single;
            let mut trailing_space = false;
            let mut leading_space = false;
            let own = PreToken { span: Span { expansion, ..item.token.span }, ..item.token };
            let operand: &[PreToken] = match (item.role, arguments) {
                (Role::Parameter(parameter), Some(arguments)) => {
                    match expanded.get(parameter).and_then(Option::as_ref) {
                        Some(expanded) if !glue && !item.glued_to_next => {
                            trailing_space = expanded.trailing_space;
                            leading_space = expanded.tokens.first().is_some_and(|first| first.space_before);
                            &expanded.tokens
                        }
                        _ => arguments.raw(parameter),
                    }
                }
                (Role::Stringify(parameter), Some(arguments)) => {
                    single = [self.stringify(arguments.raw(parameter), own)];
                    &single
                }
                (Role::Text, _) | (_, None) => {
                    single = [own];
                    &single
                }
            };
            if !self.spend(operand.len(), own.span) {
                return;
            }
            let start = self.pool.len();
            let mut comma_removed = false;
            if glue && is_comma_before_variadic(definition, index) {
                if arguments.is_some_and(|arguments| arguments.variadic_missing) {
                    self.pool.pop();
                    comma_removed = true;
                } else {
                    self.pool.extend_from_slice(operand);
                }
            } else if !glue || left_is_empty {
                self.pool.extend_from_slice(operand);
                if !glue && let Some(first) = self.pool.get_mut(start) {
                    first.space_before = own.space_before || leading_space;
                }
            } else if let Some((&right, rest)) = operand.split_first() {
                self.glue(right);
                self.pool.extend_from_slice(rest);
            }
            match self.pool.get_mut(start) {
                Some(first) => first.space_before |= std::mem::take(&mut pending_space),
                None => pending_space |= !glue && own.space_before,
            }
            pending_space |= trailing_space;
            left_is_empty = operand.is_empty() && (!glue || left_is_empty || comma_removed);
            glue = item.glued_to_next;
        }
        self.carried.space |= pending_space;
    }

    /// `##`: joins the last token of the pool and `right` into one.
    fn glue(&mut self, right: PreToken) {
        let Some(left) = self.pool.pop() else {
            self.pool.push(right);
            return;
        };
        let text = format!("{}{}", self.symbols.text(left.symbol), self.symbols.text(right.symbol));
        let mut pieces = Scanner::new(&text);
        if let Some(piece) = pieces.next()
            && let PieceKind::Token(kind) = piece.kind
            && piece.end == text.len()
            && kind != TokenKind::CommentEnd
        {
            let symbol = self.symbols.intern(&text);
            self.pool.push(PreToken { kind, symbol, span: left.span.to(right.span), painted: false, ..left });
            return;
        }
        let (left_text, right_text) = (self.symbols.text(left.symbol), self.symbols.text(right.symbol));
        let message = format!("`##` cannot make one token of `{left_text}` and `{right_text}`");
        self.diagnostics.push(Diagnostic::error("bad-glue", left.span, message));
        self.pool.push(left);
        self.pool.push(right);
    }

    /// `#`: the spelling of an argument as a string, inner white space as one blank (C99 §6.10.3.2).
    fn stringify(&mut self, argument: &[PreToken], operator: PreToken) -> PreToken {
        let mut text = String::from("\"");
        for (index, token) in argument.iter().enumerate() {
            if index > 0 && token.space_before {
                text.push(' ');
            }
            let spelling = self.symbols.text(token.symbol);
            if token.unclosed || matches!(token.kind, TokenKind::String | TokenKind::Character) {
                push_escaped(&mut text, spelling);
            } else {
                text.push_str(spelling);
            }
        }
        // A last lone backslash would escape the closing quote.
        if text.bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 1 {
            text.pop();
            let message = "a backslash at the end of an argument made into a string is left out";
            self.diagnostics.push(Diagnostic::warning("stray-backslash", operator.span, message));
        }
        text.push('"');
        PreToken { kind: TokenKind::String, symbol: self.symbols.intern(&text), ..operator }
    }

    fn builtin(&mut self, builtin: Builtin, token: PreToken) -> PreToken {
        let place = self.sources.location(self.sources.visible_span(token.span));
        let (path, line) = self.sources.presumed_line(place.file, place.line);
        let (kind, text) = match builtin {
            Builtin::Line => (TokenKind::Number, line.to_string()),
            Builtin::File => {
                let mut text = String::from("\"");
                push_escaped(&mut text, path);
                text.push('"');
                (TokenKind::String, text)
            }
        };
        PreToken { kind, symbol: self.symbols.intern(&text), ..token }
    }
}

/// Appends `spelling` as it must stand inside a string.
fn push_escaped(text: &mut String, spelling: &str) {
    for character in spelling.chars() {
        if matches!(character, '"' | '\\') {
            text.push('\\');
        }
        text.push(character);
    }
}

/// The body has `, ## __VA_ARGS__` with the variable arguments at `index`.
fn is_comma_before_variadic(definition: &Macro, index: usize) -> bool {
    let MacroKind::Function(Parameters { names, variadic: true }) = &definition.kind else { return false };
    let is_comma = |item: &BodyToken| item.role == Role::Text && item.token.kind == TokenKind::Comma;
    definition.body[index].role == Role::Parameter(names.len() - 1)
        && index > 0
        && is_comma(&definition.body[index - 1])
}
