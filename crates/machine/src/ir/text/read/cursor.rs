//! The steps of the reader: one token, one word, one number, one list.

use std::sync::Arc;

use super::{Problem, Reader, Reading};
use crate::text::lex::TokenKind;

impl Reader<'_> {
    /// The offset of the next token.
    pub fn here(&self) -> usize {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(0, |token| token.start)
    }

    fn peek(&self) -> &TokenKind {
        self.tokens.get(self.at).map_or(&TokenKind::Line, |token| &token.kind)
    }

    /// Whether all is read.
    pub fn is_done(&self) -> bool {
        self.at >= self.tokens.len()
    }

    fn wanted<T>(&self, what: &str) -> Reading<T> {
        let found = match self.peek() {
            TokenKind::Line => "the line ends".to_string(),
            TokenKind::Word(word) => format!("`{word}` stands here"),
            TokenKind::Number(number) => format!("`{number}` stands here"),
            TokenKind::Text(_) => "a quoted text stands here".to_string(),
            TokenKind::Sign(sign) => format!("`{sign}` stands here"),
        };
        Err(Problem::new(self.here(), format!("{what} is expected, but {found}")))
    }

    /// Whether the line ends here.
    pub fn is_line(&self) -> bool {
        *self.peek() == TokenKind::Line
    }

    /// Demands that the line ends here.
    pub fn end_of_line(&mut self) -> Reading<()> {
        if !self.is_line() {
            return self.wanted("the end of the line");
        }
        self.at += 1;
        Ok(())
    }

    pub fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), TokenKind::Sign(found) if *found == sign)
    }

    /// The next token, if it is a sign.
    pub fn any_sign(&self) -> Option<&'static str> {
        match self.peek() {
            TokenKind::Sign(sign) => Some(sign),
            _ => None,
        }
    }

    /// Whether the tokens before and at the next one touch: `-3`, but not `- 3`.
    pub fn touches(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|before| self.tokens.get(before));
        before.zip(self.tokens.get(self.at)).is_some_and(|(before, next)| before.end == next.start)
    }

    /// Passes a sign if it is the next token.
    pub fn accepts(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        self.at += usize::from(found);
        found
    }

    pub fn sign(&mut self, sign: &str) -> Reading<()> {
        if self.accepts(sign) { Ok(()) } else { self.wanted(&format!("`{sign}`")) }
    }

    /// Goes back by one token.
    pub fn back(&mut self) {
        self.at = self.at.saturating_sub(1);
    }

    pub fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), TokenKind::Word(found) if found == word)
    }

    /// Passes a word if it is the next token.
    pub fn accepts_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += usize::from(found);
        found
    }

    pub fn word(&mut self, word: &str) -> Reading<()> {
        if self.accepts_word(word) { Ok(()) } else { self.wanted(&format!("`{word}`")) }
    }

    /// The next word, whatever it is.
    pub fn any_word(&mut self, what: &str) -> Reading<String> {
        match self.peek() {
            TokenKind::Word(word) => {
                let word = word.clone();
                self.at += 1;
                Ok(word)
            }
            _ => self.wanted(what),
        }
    }

    pub fn is_quoted(&self) -> bool {
        matches!(self.peek(), TokenKind::Text(_))
    }

    pub fn quoted(&mut self) -> Reading<Arc<str>> {
        match self.peek() {
            TokenKind::Text(text) => {
                let text = text.as_str().into();
                self.at += 1;
                Ok(text)
            }
            _ => self.wanted("a quoted text"),
        }
    }

    /// A name: a word or a quoted text.
    pub fn name(&mut self) -> Reading<Arc<str>> {
        if self.is_quoted() { self.quoted() } else { self.any_word("a name").map(Arc::from) }
    }

    pub fn is_number(&self) -> bool {
        matches!(self.peek(), TokenKind::Number(_))
    }

    pub fn number(&mut self) -> Reading<u32> {
        let TokenKind::Number(number) = *self.peek() else { return self.wanted("a number") };
        let number = u32::try_from(number).map_err(|_| Problem::new(self.here(), "this number is too large"))?;
        self.at += 1;
        Ok(number)
    }

    /// A number with a sign.
    pub fn integer(&mut self) -> Reading<i32> {
        let start = self.here();
        let negative = self.accepts("-");
        let value = i64::from(self.number()?);
        let value = if negative { -value } else { value };
        i32::try_from(value).map_err(|_| Problem::new(start, "this number does not fit 32 bits"))
    }

    /// The number of a word such as `g12`, if the next token is one.
    pub fn peek_id(&self, prefix: &str) -> Option<u32> {
        let TokenKind::Word(word) = self.peek() else { return None };
        let digits = word.strip_prefix(prefix)?;
        if !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        digits.parse().ok()
    }

    /// The number of a word such as `g12`.
    pub fn id(&mut self, prefix: &str) -> Reading<u32> {
        match self.peek_id(prefix) {
            Some(number) => {
                self.at += 1;
                Ok(number)
            }
            None => self.wanted(&format!("`{prefix}` with a number")),
        }
    }

    /// The next of the things that are numbered with a prefix.
    pub fn next_id(&mut self, prefix: &str, number: usize) -> Reading<()> {
        let start = self.here();
        match self.id(prefix)? as usize == number {
            true => Ok(()),
            false => Err(Problem::new(start, format!("`{prefix}{number}` comes next"))),
        }
    }

    /// The next of the things that are numbered without a prefix.
    pub fn numbered(&mut self, what: &str, number: usize) -> Reading<()> {
        let start = self.here();
        match self.number()? as usize == number {
            true => Ok(()),
            false => Err(Problem::new(start, format!("{what} {number} comes next"))),
        }
    }

    /// One or more parts with commas between them.
    pub fn list<T>(&mut self, mut part: impl FnMut(&mut Self) -> Reading<T>) -> Reading<Vec<T>> {
        let mut parts = vec![part(self)?];
        while self.accepts(",") {
            parts.push(part(self)?);
        }
        Ok(parts)
    }

    /// The lines of a block up to its closing brace; the opening one comes first.
    pub fn block(&mut self, mut line: impl FnMut(&mut Self) -> Reading<()>) -> Reading<()> {
        let start = self.here();
        self.sign("{")?;
        self.end_of_line()?;
        while !self.accepts("}") {
            if self.is_done() {
                return Err(Problem::new(start, "this block has no closing brace"));
            }
            line(self)?;
            self.end_of_line()?;
        }
        Ok(())
    }
}
