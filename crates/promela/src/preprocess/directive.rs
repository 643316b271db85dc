//! Directives: the lines that start with `#`.

use super::Preprocessor;
use super::condition::evaluate;
use super::file::Conditional;
use super::macros::{MacroDefinition, MacroKind, define, macro_name};
use super::symbol::PreToken;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::token::TokenKind;

/// The words that may follow `#`.
const WORDS: [&str; 16] = [
    "define", "undef", "include", "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif", "error",
    "warning", "line", "pragma", "ident",
];

/// What a branch of a conditional depends on.
#[derive(Clone, Copy)]
enum Test {
    /// `#if`, `#elif`
    Expression,
    /// `#ifdef`, `#elifdef`
    Defined,
    /// `#ifndef`, `#elifndef`
    NotDefined,
}

impl Preprocessor<'_> {
    /// Obeys a directive whose `#` has just been read.
    pub(super) fn directive(&mut self, hash: PreToken) {
        let Some(name) = self.next_in_line() else { return };
        let span = hash.span.to(name.span);
        let word = self.symbols.text(name.symbol).clone();
        match (name.kind, &*word) {
            (TokenKind::Number, _) => self.line_marker(span, name),
            (TokenKind::Word, "define") => self.define(span),
            (TokenKind::Word, "undef") => self.undefine(span),
            (TokenKind::Word, "include") => {
                let line = self.line();
                self.include(span, &line);
            }
            (TokenKind::Word, "error") => self.message(name, Diagnostic::error),
            (TokenKind::Word, "warning") => self.message(name, Diagnostic::warning),
            (TokenKind::Word, "line") => self.line_directive(span),
            (TokenKind::Word, "pragma") => self.pragma(span),
            (TokenKind::Word, "ident" | "sccs") => self.ignored(span, &word),
            (TokenKind::Word, _) => {
                if !self.conditional(span, &word) {
                    self.unknown(span, name, &word);
                }
            }
            _ => self.unknown(span, name, &word),
        }
        if let Some(file) = self.files.last_mut().filter(|file| file.is_skipping()) {
            file.skip_line();
        }
    }

    /// Looks at a directive in text that is left out: only those matter that end the leaving out, or nest in it.
    pub(super) fn directive_in_skipped_text(&mut self, span: Span, word: &str) {
        if matches!(word, "if" | "ifdef" | "ifndef") {
            self.open_conditional(Conditional { opened: span, active: false, decided: true, otherwise: None });
        } else {
            self.conditional(span, word);
        }
        if let Some(file) = self.files.last_mut() {
            file.skip_line();
        }
    }

    /// Reports the `#if`s that the file leaves open.
    pub(super) fn close_conditionals(&mut self) {
        let Some(file) = self.files.last_mut() else { return };
        for conditional in file.conditionals.drain(..) {
            let mut diagnostic =
                Diagnostic::error("unclosed-conditional", conditional.opened, "no `#endif` closes this conditional");
            if let Some(otherwise) = conditional.otherwise {
                diagnostic = diagnostic.also(otherwise, "its `#else`");
            }
            self.diagnostics.push(diagnostic);
        }
    }

    /// Warns of tokens behind the end of a directive.
    pub(super) fn warn_of_rest(&mut self, word: &str, rest: &[PreToken]) {
        if let [first, .., last] | [first @ last] = rest {
            let message = format!("the text behind `#{word}` is ignored");
            self.diagnostics.push(
                Diagnostic::warning("directive-rest", first.span.to(last.span), message)
                    .note("make it a comment to keep it"),
            );
        }
    }

    fn next_in_line(&mut self) -> Option<PreToken> {
        self.files.last_mut()?.next_in_line(&mut self.symbols, self.diagnostics)
    }

    fn line(&mut self) -> Vec<PreToken> {
        std::iter::from_fn(|| self.next_in_line()).collect()
    }

    // ------------------------------------------------------------------------------------------ macros

    fn define(&mut self, span: Span) {
        let line = self.line();
        let Some(new) = define(span, &line, &mut self.symbols, self.diagnostics) else { return };
        let name = self.symbols.text(new.name).clone();
        let whole = line.last().map_or(new.definition, |last| new.definition.to(last.span));
        self.definitions.push(MacroDefinition { name, span: new.definition, whole });
        if let Some(old) = self.definition(new.name) {
            if old.says_the_same_as(&new) {
                return;
            }
            let message = format!("the macro `{}` is defined anew", self.symbols.text(new.name));
            let mut diagnostic = Diagnostic::warning("macro-redefined", new.definition, message);
            diagnostic = match old.kind {
                MacroKind::Builtin(_) => diagnostic.note("it is built in"),
                MacroKind::Object | MacroKind::Function(_) => diagnostic.also(old.definition, "first defined here"),
            };
            self.diagnostics.push(diagnostic.note("`#undef` it first if that is meant"));
        }
        self.set_macro(new);
    }

    fn undefine(&mut self, span: Span) {
        let line = self.line();
        let Some(name) = macro_name("undef", span, &line, &self.symbols, self.diagnostics) else { return };
        self.warn_of_rest("undef", &line[1..]);
        self.note_question(name);
        if let Some(old) = self.macros.get_mut(name.symbol.index()).and_then(Option::take)
            && matches!(old.kind, MacroKind::Builtin(_))
        {
            let message = format!("the built-in macro `{}` is undefined", self.symbols.text(name.symbol));
            self.diagnostics.push(Diagnostic::warning("macro-redefined", name.span, message));
        }
    }

    // ------------------------------------------------------------------------------------------ conditionals

    /// Obeys the directives of conditionals. `false` if it is none.
    fn conditional(&mut self, span: Span, word: &str) -> bool {
        match word {
            "if" => self.begin(span, Test::Expression),
            "ifdef" => self.begin(span, Test::Defined),
            "ifndef" => self.begin(span, Test::NotDefined),
            "elif" => self.next_branch(span, word, Some(Test::Expression)),
            "elifdef" => self.next_branch(span, word, Some(Test::Defined)),
            "elifndef" => self.next_branch(span, word, Some(Test::NotDefined)),
            "else" => self.next_branch(span, word, None),
            "endif" => self.end(span),
            _ => return false,
        }
        true
    }

    fn begin(&mut self, span: Span, test: Test) {
        let active = self.holds(span, test);
        self.open_conditional(Conditional { opened: span, active, decided: active, otherwise: None });
    }

    fn open_conditional(&mut self, conditional: Conditional) {
        if let Some(file) = self.files.last_mut() {
            file.conditionals.push(conditional);
        }
    }

    fn next_branch(&mut self, span: Span, word: &str, test: Option<Test>) {
        let Some(conditional) = self.files.last_mut().and_then(|file| file.conditionals.last_mut()) else {
            self.without_if(span, word);
            return;
        };
        if let Some(otherwise) = conditional.otherwise {
            let message = format!("`#{word}` behind the `#else` of the same conditional");
            let opened = conditional.opened;
            conditional.active = false;
            self.diagnostics.push(
                Diagnostic::error("conditional-order", span, message)
                    .also(otherwise, "the `#else`")
                    .also(opened, "the conditional starts here"),
            );
            return;
        }
        if test.is_none() {
            conditional.otherwise = Some(span);
        }
        let was_decided = conditional.decided;
        let active = !was_decided && test.is_none_or(|test| self.holds(span, test));
        if test.is_none() && !self.in_skipped_conditional() {
            let rest = self.line();
            self.warn_of_rest(word, &rest);
        }
        if let Some(conditional) = self.files.last_mut().and_then(|file| file.conditionals.last_mut()) {
            conditional.active = active;
            conditional.decided = was_decided || active;
        }
    }

    fn end(&mut self, span: Span) {
        let in_skipped = self.in_skipped_conditional();
        if self.files.last_mut().and_then(|file| file.conditionals.pop()).is_none() {
            self.without_if(span, "endif");
        } else if !in_skipped {
            let rest = self.line();
            self.warn_of_rest("endif", &rest);
        }
    }

    fn without_if(&mut self, span: Span, word: &str) {
        self.line();
        let message = format!("`#{word}` without an `#if`");
        self.diagnostics.push(Diagnostic::error("conditional-order", span, message));
    }

    /// Whether the innermost conditional lies in text that an outer one leaves out.
    fn in_skipped_conditional(&self) -> bool {
        let conditionals = self.files.last().map_or(&[][..], |file| &file.conditionals);
        matches!(conditionals, [.., outer, _] if !outer.active)
    }

    fn holds(&mut self, span: Span, test: Test) -> bool {
        let line = self.line();
        let (word, wanted) = match test {
            Test::Expression => return self.condition_holds(span, &line),
            Test::Defined => ("ifdef", true),
            Test::NotDefined => ("ifndef", false),
        };
        let Some(name) = macro_name(word, span, &line, &self.symbols, self.diagnostics) else { return false };
        self.warn_of_rest(word, &line[1..]);
        self.note_question(name);
        self.is_defined(name.symbol) == wanted
    }

    fn condition_holds(&mut self, span: Span, line: &[PreToken]) -> bool {
        let value =
            self.expand_condition(line).and_then(|tokens| evaluate(span, &tokens, &self.symbols, self.diagnostics));
        value.unwrap_or_else(|problem| {
            self.diagnostics.push(problem);
            false
        })
    }

    /// Expands a condition's macros, but for the names that `defined` asks about, which it answers.
    fn expand_condition(&mut self, line: &[PreToken]) -> Result<Vec<PreToken>, Diagnostic> {
        self.push_barrier(line);
        let result = self.expand_condition_behind_barrier();
        self.pop_barrier();
        result
    }

    fn expand_condition_behind_barrier(&mut self) -> Result<Vec<PreToken>, Diagnostic> {
        let mut tokens = Vec::new();
        while let Some(token) = self.next_expanded() {
            if token.kind != TokenKind::Word || &**self.symbols.text(token.symbol) != "defined" {
                tokens.push(token);
                continue;
            }
            let mut operand = self.read();
            let parenthesis = operand.filter(|operand| operand.kind == TokenKind::LeftParen);
            if parenthesis.is_some() {
                operand = self.read();
            }
            let Some(name) = operand.filter(|operand| operand.kind == TokenKind::Word) else {
                let span = operand.map_or(token.span, |operand| operand.span);
                return Err(Diagnostic::error("condition", span, "`defined` needs the name of a macro"));
            };
            if let Some(open) = parenthesis
                && self.read().is_none_or(|close| close.kind != TokenKind::RightParen)
            {
                return Err(Diagnostic::error("condition", open.span, "no `)` behind `defined (`"));
            }
            self.note_question(name);
            let answer = if self.is_defined(name.symbol) { "1" } else { "0" };
            let symbol = self.symbols.intern(answer);
            tokens.push(PreToken { kind: TokenKind::Number, symbol, ..token });
        }
        Ok(tokens)
    }

    // ------------------------------------------------------------------------------------------ the rest

    /// `#error` and `#warning`: the rest of the line is the message, whatever it holds.
    fn message(&mut self, name: PreToken, make: fn(&'static str, Span, String) -> Diagnostic) {
        let Some(file) = self.files.last_mut() else { return };
        file.skip_line();
        let (line, start) = file.rest_of_line(name.span);
        let span = file.span(start, start + line.trim_end().len());
        let word = self.symbols.text(name.symbol);
        let text = line[line.find(char::is_whitespace).unwrap_or(line.len())..].trim();
        let message = if text.is_empty() { format!("`#{word}`") } else { format!("#{word}: {text}") };
        self.diagnostics.push(make("user-message", span, message));
    }

    /// `#line 12 "file"`, macros expanded.
    fn line_directive(&mut self, span: Span) {
        let line = self.line();
        let tokens = self.expand_line(&line);
        self.mark_line(span, &tokens);
    }

    /// `# 12 "file" flags`, as an earlier preprocessor left it.
    fn line_marker(&mut self, span: Span, number: PreToken) {
        let mut tokens = vec![number];
        tokens.extend(self.line());
        self.mark_line(span, &tokens);
    }

    fn mark_line(&mut self, span: Span, tokens: &[PreToken]) {
        let number = tokens.first().filter(|token| token.kind == TokenKind::Number);
        let Some(line) = number.and_then(|token| self.symbols.text(token.symbol).parse::<u32>().ok()) else {
            let span = tokens.first().map_or(span, |token| token.span);
            self.diagnostics.push(Diagnostic::error("line-directive", span, "`#line` needs the number of a line"));
            return;
        };
        let path = match tokens.get(1) {
            Some(name) if name.kind == TokenKind::String => {
                let text = self.symbols.text(name.symbol);
                Some(text[1..text.len() - 1].replace("\\\\", "\\").replace("\\\"", "\""))
            }
            Some(other) => {
                let message = format!("`{}` is no file name; write it as a string", self.symbols.text(other.symbol));
                self.diagnostics.push(Diagnostic::error("line-directive", other.span, message));
                return;
            }
            None => None,
        };
        let Some(file) = self.files.last() else { return };
        let offset = file.next_line_offset();
        let path = path.map_or_else(
            || {
                let here = self.sources.location(span);
                self.sources.presumed_line(here.file, here.line).0.clone()
            },
            Into::into,
        );
        self.sources.add_line_marker(file.id, offset, line, path);
        self.output.break_line();
    }

    fn pragma(&mut self, span: Span) {
        let line = self.line();
        if line.first().is_some_and(|first| &**self.symbols.text(first.symbol) == "once") {
            if let Some(file) = self.files.last() {
                self.once.insert(file.path.clone());
            }
            return;
        }
        let end = line.last().map_or(span, |last| last.span);
        self.diagnostics.push(Diagnostic::warning("ignored-directive", span.to(end), "`#pragma` is ignored"));
    }

    fn ignored(&mut self, span: Span, word: &str) {
        self.line();
        let message = format!("`#{word}` is ignored");
        self.diagnostics.push(Diagnostic::warning("ignored-directive", span, message));
    }

    fn unknown(&mut self, span: Span, name: PreToken, word: &str) {
        self.line();
        let message = format!("there is no directive `#{word}`");
        let mut diagnostic = Diagnostic::error("unknown-directive", span, message);
        if let Some(meant) = WORDS.iter().find(|known| differ_by_one(known, word)) {
            diagnostic = diagnostic.suggest(format!("`#{meant}` is one"), name.span, *meant);
        }
        self.diagnostics.push(diagnostic);
    }
}

/// Whether one letter added, left out, replaced, or swapped with its neighbour makes one word of the other.
fn differ_by_one(one: &str, two: &str) -> bool {
    let (one, two) = (one.as_bytes(), two.as_bytes());
    let same_start = one.iter().zip(two).take_while(|(a, b)| a == b).count();
    let (one, two) = (&one[same_start..], &two[same_start..]);
    match (one, two) {
        ([_, rest @ ..], _) if rest == two => true,
        (_, [_, rest @ ..]) if rest == one => true,
        ([_, one @ ..], [_, two @ ..]) if one == two => true,
        ([a, b, one @ ..], [c, d, two @ ..]) => a == d && b == c && one == two,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::differ_by_one;

    #[test]
    fn near_words_differ_by_one_letter() {
        for (known, typed) in [("ifdef", "ifdf"), ("endif", "endiff"), ("define", "defime"), ("include", "inculde")] {
            assert!(differ_by_one(known, typed), "{typed}");
        }
        assert!(!differ_by_one("define", "undefine"));
    }
}
