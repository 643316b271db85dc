//! Tokens of the HOA format, with their places.

use std::fmt;

/// Why a text is not an automaton we can use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HoaError {
    /// Line of the problem, from 1.
    pub line: usize,
    /// Column of the problem, in characters from 1.
    pub column: usize,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for HoaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for HoaError {}

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// `name:` at the start of a header item or of a state.
    Header(String),
    /// A bare word.
    Word(String),
    /// `@name`.
    Alias(String),
    /// A quoted string, without quotes.
    Text(String),
    /// A number.
    Number(u32),
    /// One of `! & | ( ) [ ] { }`.
    Sign(char),
    /// `--BODY--`, `--END--`, `--ABORT--`.
    Marker(Marker),
    /// Nothing more.
    End,
}

/// The words between dashes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Marker {
    Body,
    End,
    Abort,
}

/// A place in the text.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub line: usize,
    pub column: usize,
}

impl Place {
    pub fn error(self, message: impl Into<String>) -> HoaError {
        HoaError { line: self.line, column: self.column, message: message.into() }
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Header(name) => write!(f, "`{name}:`"),
            Token::Word(word) => write!(f, "`{word}`"),
            Token::Alias(name) => write!(f, "`@{name}`"),
            Token::Text(_) => write!(f, "a quoted text"),
            Token::Number(number) => write!(f, "`{number}`"),
            Token::Sign(sign) => write!(f, "`{sign}`"),
            Token::Marker(marker) => write!(f, "`--{}--`", format!("{marker:?}").to_uppercase()),
            Token::End => write!(f, "the end of the text"),
        }
    }
}

/// All tokens of a text, the last one [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<(Place, Token)>, HoaError> {
    let mut lexer = Lexer { characters: text.chars().collect(), position: 0, place: Place { line: 1, column: 1 } };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blanks()?;
        let place = lexer.place;
        let token = lexer.token()?;
        let last = token == Token::End;
        tokens.push((place, token));
        if last {
            return Ok(tokens);
        }
    }
}

struct Lexer {
    characters: Vec<char>,
    position: usize,
    place: Place,
}

impl Lexer {
    fn peek(&self) -> Option<char> {
        self.characters.get(self.position).copied()
    }

    fn starts_with(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(index, c)| self.characters.get(self.position + index) == Some(&c))
    }

    fn advance(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.position += 1;
        if c == '\n' {
            self.place = Place { line: self.place.line + 1, column: 1 };
        } else {
            self.place.column += 1;
        }
        Some(c)
    }

    /// White space and comments, which nest.
    fn skip_blanks(&mut self) -> Result<(), HoaError> {
        let mut open: Vec<Place> = Vec::new();
        loop {
            if self.starts_with("/*") {
                open.push(self.place);
                self.advance();
                self.advance();
            } else if !open.is_empty() && self.starts_with("*/") {
                open.pop();
                self.advance();
                self.advance();
            } else if let Some(start) = open.last() {
                if self.advance().is_none() {
                    return Err(start.error("this comment has no end"));
                }
            } else if self.peek().is_some_and(char::is_whitespace) {
                self.advance();
            } else {
                return Ok(());
            }
        }
    }

    fn token(&mut self) -> Result<Token, HoaError> {
        let place = self.place;
        let Some(c) = self.peek() else { return Ok(Token::End) };
        match c {
            '!' | '&' | '|' | '(' | ')' | '[' | ']' | '{' | '}' => {
                self.advance();
                Ok(Token::Sign(c))
            }
            '"' => self.text(place),
            '0'..='9' => {
                let digits = self.take_while(|c| c.is_ascii_digit());
                digits.parse().map(Token::Number).map_err(|_| place.error(format!("the number {digits} is too large")))
            }
            '@' => {
                self.advance();
                let name = self.take_while(is_name_character);
                if name.is_empty() { Err(place.error("a name must follow `@`")) } else { Ok(Token::Alias(name)) }
            }
            '-' => {
                for (text, marker) in
                    [("--BODY--", Marker::Body), ("--END--", Marker::End), ("--ABORT--", Marker::Abort)]
                {
                    if self.starts_with(text) {
                        for _ in text.chars() {
                            self.advance();
                        }
                        return Ok(Token::Marker(marker));
                    }
                }
                Err(place.error("expected `--BODY--`, `--END--` or `--ABORT--`"))
            }
            _ if c.is_ascii_alphabetic() || c == '_' => {
                let name = self.take_while(is_name_character);
                if self.peek() == Some(':') {
                    self.advance();
                    return Ok(Token::Header(name));
                }
                Ok(Token::Word(name))
            }
            _ => Err(place.error(format!("`{c}` has no meaning in the HOA format"))),
        }
    }

    fn text(&mut self, start: Place) -> Result<Token, HoaError> {
        self.advance();
        let mut text = String::new();
        loop {
            match self.advance() {
                Some('"') => return Ok(Token::Text(text)),
                Some('\\') => text.extend(self.advance()),
                Some(c) => text.push(c),
                None => return Err(start.error("this text has no closing quote")),
            }
        }
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let mut taken = String::new();
        while let Some(c) = self.peek().filter(|&c| wanted(c)) {
            taken.push(c);
            self.advance();
        }
        taken
    }
}

fn is_name_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}
