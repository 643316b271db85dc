//! Inlines: definitions, and uses with their text put in.
//!
//! ```text
//! inline   = "inline" name "(" [ name { "," name } ] ")" "{" tokens "}"
//! call     = name "(" [ expr { "," expr } ] ")"
//! ```
//! A use is replaced by the definition's tokens, each parameter by the tokens of its argument, without parentheses around
//! them; only then is the body parsed, as a block. Strings and embedded C are left as they are. So `inline f(a) { x = a * 2 }`
//! makes of `f(1 + 2)` the statement `x = 1 + 2 * 2`, as in SPIN. The text may thus be no Promela as long as it is not used.
//!
//! Every token remembers how it got where it is: the spans of a body's tokens name the use ([`ExpansionKind::Inline`]), those
//! of an argument's tokens the parameter they stand for ([`ExpansionKind::Argument`]), and what came from a macro before
//! keeps that story in front.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::MAX_INLINE_NESTING;
use super::cursor::{Parsed, Parser, Stop};
use super::embedded_c::source_text;
use crate::ast::{Inline, InlineCall, Name};
use crate::diagnostic::Diagnostic;
use crate::source::{Expansion, ExpansionId, ExpansionKind, SourceMap, Span};
use crate::token::{Token, TokenKind};

/// An inline as its uses need it.
#[derive(Debug)]
pub(super) struct InlineDefinition {
    name: Name,
    parameters: Vec<Name>,
    /// The body with its braces.
    body: Vec<Token>,
}

/// What replaces a parameter.
struct Argument {
    parameter: Name,
    tokens: Vec<Token>,
}

impl Parser<'_> {
    /// `inline f(a, b) { ... }`
    pub(super) fn inline_definition(&mut self) -> Parsed<Inline> {
        let start = self.bump().span;
        let name = self.name("the name of the inline")?;
        let rest = self.inline_parameters(&name).and_then(|parameters| Ok((parameters, self.inline_body(&name)?)));
        let (parameters, body) = match rest {
            Ok(rest) => rest,
            Err(stop) => {
                self.names.reported.insert(name.text);
                return Err(stop);
            }
        };
        let text = source_text(&body[1..body.len() - 1]).into();
        let definition = InlineDefinition { name: name.clone(), parameters: parameters.clone(), body };
        let earlier = self.names.inlines.insert(name.text.clone(), Arc::new(definition));
        if let Some(earlier) = earlier {
            let problem =
                Diagnostic::error("inline-redefined", name.span, format!("inline `{}` is defined twice", name.text))
                    .also(earlier.name.span, "first defined here");
            self.report(problem);
        }
        Ok(Inline { name, parameters, text, span: self.since(start) })
    }

    fn inline_parameters(&mut self, name: &Name) -> Parsed<Vec<Name>> {
        if self.at(TokenKind::LeftBrace) {
            let missing = self.last_span.after();
            let problem =
                Diagnostic::error("missing-parameters", missing, format!("expected `(` after `{}`", name.text))
                    .note("an inline without parameters still has its parentheses")
                    .suggest("add them", missing, "()");
            self.report(problem);
            return Ok(Vec::new());
        }
        let open = self.open_parenthesis("`(` and the parameters")?;
        let mut parameters = Vec::new();
        if !self.at(TokenKind::RightParen) {
            parameters.push(self.inline_parameter()?);
            while self.eat(TokenKind::Comma) {
                parameters.push(self.inline_parameter()?);
            }
        }
        self.close_parenthesis(open)?;
        Ok(parameters)
    }

    fn inline_parameter(&mut self) -> Parsed<Name> {
        if self.at_declaration() {
            let problem = self
                .unexpected("the name of a parameter")
                .note("the parameters of an inline have no types: the text of the arguments is put in their place");
            return Err(self.fail(problem));
        }
        self.name("the name of a parameter")
    }

    /// The tokens of a body, braces included.
    fn inline_body(&mut self, name: &Name) -> Parsed<Vec<Token>> {
        if !self.at(TokenKind::LeftBrace) {
            return Err(self.expected(&format!("`{{` and the body of inline `{}`", name.text)));
        }
        let open = self.span();
        let first = self.position;
        let mut depth = 0_usize;
        loop {
            match self.token().kind {
                TokenKind::LeftBrace => depth += 1,
                TokenKind::RightBrace => depth -= 1,
                TokenKind::End => {
                    let problem = Diagnostic::error(
                        "unclosed-body",
                        open,
                        format!("the body of inline `{}` does not end", name.text),
                    )
                    .label("this `{` has no `}`");
                    self.report(problem);
                    return Err(Stop::Unit);
                }
                _ => {}
            }
            self.bump_raw();
            if depth == 0 {
                return Ok(self.tokens[first..self.position].to_vec());
            }
        }
    }

    /// A use of an inline known to be defined.
    pub(super) fn inline_call(&mut self) -> Parsed<InlineCall> {
        let name = self.bump_name();
        let definition = self.names.inlines[&name.text].clone();
        let context = name.span.expansion;
        let open = self.open_parenthesis("`(` and the arguments")?;
        let mut arguments = Vec::new();
        let mut texts = Vec::new();
        while !self.at(TokenKind::RightParen) || !arguments.is_empty() {
            if self.at(TokenKind::String) {
                let problem = self
                    .unexpected("an expression")
                    .note("SPIN takes no string as an inline's argument; use a `#define` for that");
                return Err(self.fail(problem));
            }
            let first = self.position;
            arguments.push(self.inside(Self::expression)?);
            texts.push(self.tokens[first..self.position].to_vec());
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.close_parenthesis(open)?;
        let span = self.since(name.span);
        self.check_call(&definition, texts.len(), span)?;
        let arguments_of = |(parameter, tokens): (&Name, Vec<Token>)| Argument { parameter: parameter.clone(), tokens };
        let replaced: Vec<Argument> = definition.parameters.iter().zip(texts).map(arguments_of).collect();
        let tokens = expand(self.sources, &definition, &replaced, span, context);
        self.expanded_tokens += tokens.len();
        if self.expanded_tokens > self.most_expanded_tokens {
            let problem =
                Diagnostic::error("expansion-too-large", span, "the uses of inlines add up to too much text").note(
                    format!("more than {} tokens: do inlines use each other several times?", self.most_expanded_tokens),
                );
            return Err(self.give_up(problem));
        }
        self.expanding.push(name.clone());
        let body = self.nested(|parser| parser.over(tokens, |parser| parser.block("the inline")));
        self.expanding.pop();
        self.ended_with_brace();
        Ok(InlineCall { name, arguments, body: body?, span })
    }

    fn check_call(&mut self, definition: &InlineDefinition, given: usize, span: Span) -> Parsed<()> {
        let name = &definition.name.text;
        let wanted = definition.parameters.len();
        if given != wanted {
            let plural = if wanted == 1 { "" } else { "s" };
            let problem = Diagnostic::error(
                "argument-count",
                span,
                format!("inline `{name}` takes {wanted} argument{plural}, not {given}"),
            )
            .also(definition.name.span, "defined here");
            return Err(self.fail(problem));
        }
        if self.expanding.iter().any(|outer| outer.text == *name) {
            let problem = Diagnostic::error("recursive-inline", span, format!("inline `{name}` uses itself"))
                .also(definition.name.span, "defined here")
                .note("an inline's text is put in where it is used, so this would never end");
            return Err(self.fail(problem));
        }
        if self.expanding.len() >= MAX_INLINE_NESTING {
            let problem = Diagnostic::error("nested-too-deeply", span, "inlines use each other too deeply")
                .note(format!("at most {MAX_INLINE_NESTING} uses inside each other are supported"));
            return Err(self.fail(problem));
        }
        Ok(())
    }
}

/// The body with the arguments in place. `context` is the expansion that the use itself stands in.
fn expand(
    sources: &mut SourceMap,
    definition: &InlineDefinition,
    arguments: &[Argument],
    call: Span,
    context: ExpansionId,
) -> Vec<Token> {
    let name = definition.name.clone();
    let expansion = Expansion { kind: ExpansionKind::Inline, name: name.text, call, definition: name.span };
    let outer = sources.add_expansion(expansion);
    let mut copies = Copies::new(outer, ExpansionId::NONE);
    let mut tokens = Vec::with_capacity(definition.body.len());
    let mut embedded_c = EmbeddedCText::default();
    for token in &definition.body {
        let is_c = embedded_c.contains(token);
        let span = copies.copy(sources, token.span);
        let argument = arguments.iter().find(|argument| !is_c && token.is_word(&argument.parameter.text));
        let Some(argument) = argument else {
            tokens.push(Token { span, ..token.clone() });
            continue;
        };
        let parameter = argument.parameter.clone();
        let expansion =
            Expansion { kind: ExpansionKind::Argument, name: parameter.text, call: span, definition: parameter.span };
        let place = sources.add_expansion(expansion);
        let mut copies = Copies::new(place, context);
        tokens.extend(argument.tokens.iter().enumerate().map(|(index, from)| Token {
            span: copies.copy(sources, from.span),
            newline_before: index == 0 && token.newline_before,
            space_before: if index == 0 { token.space_before } else { from.space_before || from.newline_before },
            ..from.clone()
        }));
    }
    tokens
}

/// Copies spans from one place to another: what came from `root` now comes from `new`, and the expansions in between are
/// copied along.
struct Copies {
    new: ExpansionId,
    root: ExpansionId,
    copied: FxHashMap<ExpansionId, ExpansionId>,
}

impl Copies {
    fn new(new: ExpansionId, root: ExpansionId) -> Copies {
        Copies { new, root, copied: FxHashMap::default() }
    }

    fn copy(&mut self, sources: &mut SourceMap, span: Span) -> Span {
        // From the outermost expansion inwards, so that each copy can name the copy it stands in.
        let mut chain = Vec::new();
        let mut at = span;
        let mut inner = loop {
            if at.expansion == self.root || at.expansion == ExpansionId::NONE {
                break self.new;
            }
            if let Some(&copy) = self.copied.get(&at.expansion) {
                break copy;
            }
            match sources.expansion(at) {
                Some(expansion) => {
                    chain.push((at.expansion, expansion.clone()));
                    at = expansion.call;
                }
                None => break self.new,
            }
        };
        for (id, mut expansion) in chain.into_iter().rev() {
            expansion.call.expansion = inner;
            inner = sources.add_expansion(expansion);
            self.copied.insert(id, inner);
        }
        Span { expansion: inner, ..span }
    }
}

/// Follows the tokens of a body to tell which of them are embedded C, where parameters mean nothing.
#[derive(Clone, Copy, Default)]
enum EmbeddedCText {
    #[default]
    Outside,
    /// Behind `c_code` and its like, or behind the precondition.
    Keyword,
    /// In `[...]`, so many brackets deep.
    Precondition(usize),
    /// In `{...}`, so many braces deep.
    Text(usize),
}

impl EmbeddedCText {
    /// Takes the next token, and says whether it is C.
    fn contains(&mut self, token: &Token) -> bool {
        let before = *self;
        *self = match (before, token.kind) {
            (EmbeddedCText::Keyword, TokenKind::LeftBracket) => EmbeddedCText::Precondition(1),
            (EmbeddedCText::Keyword, TokenKind::LeftBrace) => EmbeddedCText::Text(1),
            (EmbeddedCText::Precondition(depth), TokenKind::LeftBracket) => EmbeddedCText::Precondition(depth + 1),
            (EmbeddedCText::Precondition(1), TokenKind::RightBracket) => EmbeddedCText::Keyword,
            (EmbeddedCText::Precondition(depth), TokenKind::RightBracket) => EmbeddedCText::Precondition(depth - 1),
            (EmbeddedCText::Text(depth), TokenKind::LeftBrace) => EmbeddedCText::Text(depth + 1),
            (EmbeddedCText::Text(1), TokenKind::RightBrace) => EmbeddedCText::Outside,
            (EmbeddedCText::Text(depth), TokenKind::RightBrace) => EmbeddedCText::Text(depth - 1),
            (EmbeddedCText::Precondition(_) | EmbeddedCText::Text(_), _) => before,
            (_, TokenKind::Word) if matches!(&*token.text, "c_code" | "c_expr" | "c_decl") => EmbeddedCText::Keyword,
            _ => EmbeddedCText::Outside,
        };
        matches!(before, EmbeddedCText::Precondition(_) | EmbeddedCText::Text(_))
    }
}
