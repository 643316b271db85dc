//! A text taken apart into a sketch, so that what exists only as a text can be cut down too.
//!
//! It reads the Promela that this crate writes, no more: a declaration ends with a semicolon or its line, a label is followed by a blank.
//! What it cannot read is no sketch.

use super::sketch::{Choice, Piece, ProcessSketch, Sketch};

/// Words that begin a declaration in a body.
const TYPES: [&str; 14] =
    ["bit", "bool", "byte", "short", "int", "unsigned", "chan", "mtype", "xr", "xs", "public", "ref", "U", "pid"];

impl Sketch {
    /// Takes a model apart; `None` if that is not understood.
    ///
    /// ```
    /// use oracle::generate::sketch::Sketch;
    /// let sketch = Sketch::parse("byte x; init { byte l; if :: x == 0 -> x = 1 :: else fi }").unwrap();
    /// assert_eq!(sketch.processes[0].locals, ["byte l"]);
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Sketch> {
        let mut rest = Rest(text);
        let mut sketch = Sketch::default();
        while !rest.skip_blanks_and(";").0.is_empty() {
            let word = rest.word();
            if rest.0.starts_with('#') {
                sketch.globals.push(rest.until(|text| text.starts_with('\n')).to_string());
            } else if ["active", "proctype", "init", "never"].contains(&word) {
                let head = rest.until(|text| text.starts_with('{')).trim().to_string();
                let (locals, body) = rest.process()?;
                sketch.processes.push(ProcessSketch { head, locals, body });
            } else if ["typedef", "ltl", "trace", "notrace"].contains(&word) {
                let head = rest.until(|text| text.starts_with('{'));
                let body = rest.until(|text| !text.starts_with('{'));
                sketch.globals.push(format!("{head}{body}"));
            } else {
                let global = rest.until(|text| text.starts_with([';', '\n']));
                sketch.globals.push(global.trim().to_string());
            }
        }
        Some(sketch)
    }
}

/// What is still to be read.
struct Rest<'t>(&'t str);

impl<'t> Rest<'t> {
    fn skip_blanks_and(&mut self, separators: &str) -> &Rest<'t> {
        self.0 =
            self.0.trim_start_matches(|character: char| character.is_whitespace() || separators.contains(character));
        self
    }

    /// The word that comes next, which is not taken.
    fn word(&mut self) -> &'t str {
        self.skip_blanks_and("");
        let end = self.0.find(|character: char| !character.is_alphanumeric() && character != '_');
        &self.0[..end.unwrap_or(self.0.len())]
    }

    fn take(&mut self, text: &str) -> bool {
        self.skip_blanks_and("");
        self.0.strip_prefix(text).map(|rest| self.0 = rest).is_some()
    }

    fn take_word(&mut self, word: &str) -> bool {
        self.word() == word && self.take(word)
    }

    /// Takes everything up to a place outside of all brackets and texts.
    fn until(&mut self, ends: impl Fn(&str) -> bool) -> &'t str {
        let (mut depth, mut quoted, mut end) = (0, false, self.0.len());
        for (at, character) in self.0.char_indices() {
            if depth == 0 && !quoted && ends(&self.0[at..]) {
                end = at;
                break;
            }
            quoted ^= character == '"';
            if !quoted {
                depth += i32::from("([{".contains(character)) - i32::from(")]}".contains(character));
            }
        }
        let (taken, rest) = self.0.split_at(end);
        self.0 = rest;
        taken
    }

    fn process(&mut self) -> Option<(Vec<String>, Vec<Piece>)> {
        self.take("{").then_some(())?;
        let mut locals = Vec::new();
        while TYPES.contains(&self.skip_blanks_and(";").word_here()) {
            locals.push(self.until(|text| text.starts_with([';', '}'])).to_string());
        }
        let body = self.sequence()?;
        self.take("}").then_some((locals, body))
    }

    fn word_here(&self) -> &'t str {
        Rest(self.0).word()
    }

    /// Statements up to a bracket, an option, or the end of a selection.
    fn sequence(&mut self) -> Option<Vec<Piece>> {
        let mut pieces = Vec::new();
        loop {
            while self.take(";") || self.take("->") {}
            if self.0.is_empty() || self.0.starts_with("::") || self.0.starts_with('}') || is_close(self.0) {
                return (!pieces.is_empty()).then_some(pieces);
            }
            pieces.push(self.statement()?);
        }
    }

    fn statement(&mut self) -> Option<Piece> {
        let word = self.word();
        let behind = &self.0[word.len()..];
        if !word.is_empty() && behind.starts_with(':') && behind[1..].starts_with(char::is_whitespace) {
            self.0 = &behind[1..];
            return Some(Piece::Labelled(word.to_string(), Box::new(self.statement()?)));
        }
        let piece = match word {
            "if" | "do" => self.choice()?,
            "atomic" | "d_step" | "for" => {
                let head = self.until(|text| text.starts_with('{')).trim().to_string();
                Piece::Block(head, self.block()?)
            }
            _ if self.0.starts_with('{') => Piece::Block(String::new(), self.block()?),
            _ => {
                let ends =
                    |text: &str| text.starts_with([';', '}', '\n']) || text.starts_with("->") || text.starts_with("::");
                // A selection ends with a word of its own.
                let text = self.until(|text| ends(text) || text.starts_with(' ') && is_close(text.trim_start()));
                Piece::Basic(text.trim().to_string())
            }
        };
        if !self.take_word("unless") {
            return Some(piece);
        }
        let main = match piece {
            Piece::Block(head, body) if head.is_empty() => body,
            other => vec![other],
        };
        Some(Piece::Unless(main, self.block()?))
    }

    fn block(&mut self) -> Option<Vec<Piece>> {
        self.take("{").then_some(())?;
        let body = self.sequence()?;
        self.take("}").then_some(body)
    }

    fn choice(&mut self) -> Option<Piece> {
        let (choice, close) = if self.take_word("if") { (Choice::If, "fi") } else { (Choice::Do, "od") };
        if choice == Choice::Do {
            self.take_word("do");
        }
        let mut options = Vec::new();
        while self.take("::") {
            options.push(self.sequence()?);
        }
        self.take_word(close).then_some(Piece::Choice(choice, options))
    }
}

fn is_close(text: &str) -> bool {
    ["fi", "od"].contains(&Rest(text).word())
}

#[cfg(test)]
mod tests {
    use super::Sketch;
    use crate::{enumerate::Space, liveness, symmetric};

    #[test]
    fn a_sketch_is_the_model_that_it_was_taken_from() {
        let space = Space::new();
        let enumerated = (0..3_000).filter_map(|number| space.model(number));
        let infinite = (0..100).flat_map(liveness::pairs).map(|pair| pair.text);
        let equal = (0..100).flat_map(|seed| [symmetric::model(seed), symmetric::pair(seed).text]);
        let drawn = (0..300).map(|seed| crate::generate::model(seed).to_string());
        let extended = (0..300).map(|seed| crate::generate::extended(seed).to_string());
        let watched = (0..100).map(|seed| crate::generate::watched(seed).text);
        for text in enumerated.chain(infinite).chain(equal).chain(drawn).chain(extended).chain(watched) {
            let sketch = Sketch::parse(&text).unwrap_or_else(|| panic!("not understood: {text}")).to_string();
            let squeeze = |text: &str| {
                let plain = text.replace("->", " ").replace(['{', '}', ';'], " ");
                let mut words: Vec<String> = plain.split_whitespace().map(str::to_string).collect();
                words.sort();
                words
            };
            assert_eq!(squeeze(&text), squeeze(&sketch), "{text}\n{sketch}");
        }
    }
}
