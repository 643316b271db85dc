//! The textual form cut into tokens: words, numbers, quoted texts, signs and ends of lines. A comment goes from `;` to the end of its line.

use super::read::{Problem, Reading};

/// A token with its place in the text.
#[derive(Clone, PartialEq, Debug)]
pub struct Token {
    /// The token.
    pub kind: TokenKind,
    /// The offset of its first byte.
    pub start: usize,
    /// The offset behind its last byte.
    pub end: usize,
}

/// What a token is.
#[derive(Clone, PartialEq, Debug)]
pub enum TokenKind {
    /// Letters, digits and underscores, the first no digit.
    Word(String),
    /// Decimal digits.
    Number(u64),
    /// A quoted text, without quotes and escapes.
    Text(String),
    /// A sign, one of [`SIGNS`].
    Sign(&'static str),
    /// The end of a line that has other tokens, or of the text.
    Line,
}

/// All signs; one that begins another stands behind it.
const SIGNS: [&str; 37] = [
    "<->", "->", ":=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "!!", "??", "{", "}", "[", "]", "(", ")", ",",
    ":", ".", "@", "=", "!", "?", "<", ">", "+", "-", "*", "/", "%", "&", "^", "|", "~",
];

/// Cuts a text into tokens. The last one is a [`TokenKind::Line`].
pub fn tokens(text: &str) -> Reading<Vec<Token>> {
    let mut lexer = Lexer { text, at: 0, tokens: Vec::new() };
    while let Some(first) = lexer.text[lexer.at..].chars().next() {
        lexer.token(first)?;
    }
    lexer.line();
    Ok(lexer.tokens)
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn token(&mut self, first: char) -> Reading<()> {
        match first {
            '\n' => {
                if !self.tokens.is_empty() {
                    self.line();
                }
                self.at += 1;
            }
            ';' => self.skip(|each| each != '\n'),
            '"' => self.text()?,
            _ if first.is_whitespace() => self.at += first.len_utf8(),
            _ if first.is_ascii_digit() => {
                let start = self.at;
                self.skip(|each| each.is_ascii_digit());
                let number = self.text[start..self.at].parse();
                let number = number.map_err(|_| Problem::new(start, "this number is too large"))?;
                self.push(TokenKind::Number(number), start);
            }
            _ if first.is_ascii_alphabetic() || first == '_' => {
                let start = self.at;
                self.skip(|each| each.is_ascii_alphanumeric() || each == '_');
                self.push(TokenKind::Word(self.text[start..self.at].to_string()), start);
            }
            _ => {
                let rest = &self.text[self.at..];
                let sign = SIGNS.into_iter().find(|sign| rest.starts_with(sign));
                let sign = sign.ok_or_else(|| Problem::new(self.at, format!("`{first}` means nothing here")))?;
                self.at += sign.len();
                self.push(TokenKind::Sign(sign), self.at - sign.len());
            }
        }
        Ok(())
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        self.tokens.push(Token { kind, start, end: self.at });
    }

    /// Ends a line; empty lines have no token.
    fn line(&mut self) {
        if self.tokens.last().is_none_or(|last| last.kind != TokenKind::Line) {
            self.push(TokenKind::Line, self.at);
        }
    }

    fn skip(&mut self, belongs: impl Fn(char) -> bool) {
        let rest = &self.text[self.at..];
        self.at += rest.find(|each| !belongs(each)).unwrap_or(rest.len());
    }

    /// A quoted text with the escapes `\n`, `\r`, `\t`, `\"`, `\\` and `\u{7f}`.
    fn text(&mut self) -> Reading<()> {
        let start = self.at;
        let unfinished = || Problem::new(start, "this text has no closing quote");
        let mut value = String::new();
        let mut characters = self.text[start..].char_indices().skip(1);
        while let Some((offset, character)) = characters.next() {
            match character {
                '"' => {
                    self.at = start + offset + 1;
                    self.push(TokenKind::Text(value), start);
                    return Ok(());
                }
                '\n' => return Err(unfinished()),
                '\\' => {
                    let wrong = || {
                        Problem::new(start + offset, "this escape is none of \\n, \\r, \\t, \\\", \\\\ and \\u{...}")
                    };
                    value.push(match characters.next().ok_or_else(unfinished)?.1 {
                        'n' => '\n',
                        'r' => '\r',
                        't' => '\t',
                        plain @ ('"' | '\\') => plain,
                        'u' => {
                            let code: String = characters
                                .by_ref()
                                .map(|(_, each)| each)
                                .take_while(|&each| each != '}' && each != '"')
                                .collect();
                            let code = code.strip_prefix('{').and_then(|code| u32::from_str_radix(code, 16).ok());
                            code.and_then(char::from_u32).ok_or_else(wrong)?
                        }
                        _ => return Err(wrong()),
                    });
                }
                plain => value.push(plain),
            }
        }
        Err(unfinished())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<TokenKind> {
        tokens(text).expect("it has tokens").into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn lines_without_tokens_are_nothing() {
        assert_eq!(kinds("; a\n\n  x ; b\n\n"), [TokenKind::Word("x".into()), TokenKind::Line]);
    }

    #[test]
    fn what_is_escaped_is_read_back() {
        let text = "a \"b\" \\ \n\t\r \u{7f} é";
        let mut quoted = String::new();
        crate::text::write::quote(&mut quoted, text);
        assert_eq!(kinds(&quoted)[0], TokenKind::Text(text.into()));
    }
}
