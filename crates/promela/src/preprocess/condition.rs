//! The value of an `#if` expression (C99 §6.10.1): 64-bit integers, signed or unsigned, with C's operators.
//!
//! Macros are expanded and `defined` is answered before; words that remain are 0. Precedence climbing; what `&&`, `||`
//! and `?:` leave out is checked for form only, so `N && 1/N` is fine when `N` is 0.

use super::symbol::{PreToken, Symbols};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::token::TokenKind;

/// A value in an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Value {
    bits: i64,
    unsigned: bool,
}

impl Value {
    fn signed(bits: i64) -> Value {
        Value { bits, unsigned: false }
    }

    fn truth(truth: bool) -> Value {
        Value::signed(i64::from(truth))
    }

    fn is_true(self) -> bool {
        self.bits != 0
    }
}

/// Whether an operand's value is needed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Evaluate,
    CheckOnly,
}

/// Parentheses, signs and `?:` within one another take a piece of the program's stack each.
const MAX_NESTING: usize = 200;

/// Whether the expression is true. `directive` is where to report a missing one.
pub(super) fn evaluate(
    directive: Span,
    tokens: &[PreToken],
    symbols: &Symbols,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<bool, Diagnostic> {
    let mut parser = Parser { tokens, position: 0, symbols, directive, nesting: 0, diagnostics };
    let value = parser.comma(Mode::Evaluate)?;
    match parser.peek() {
        None => Ok(value.is_true()),
        Some(token) => {
            let text = symbols.text(token.symbol);
            Err(Diagnostic::error("condition", token.span, format!("no operator before `{text}`")))
        }
    }
}

struct Parser<'a> {
    tokens: &'a [PreToken],
    position: usize,
    symbols: &'a Symbols,
    directive: Span,
    nesting: usize,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Parser<'_> {
    fn comma(&mut self, mode: Mode) -> Result<Value, Diagnostic> {
        let mut value = self.conditional(mode)?;
        while self.take(TokenKind::Comma) {
            value = self.conditional(mode)?;
        }
        Ok(value)
    }

    fn conditional(&mut self, mode: Mode) -> Result<Value, Diagnostic> {
        self.nested(|parser| {
            let condition = parser.binary(1, mode)?;
            if !parser.take(TokenKind::Question) {
                return Ok(condition);
            }
            let used = |is_used: bool| if is_used { mode } else { Mode::CheckOnly };
            let one = parser.comma(used(condition.is_true()))?;
            if !parser.take(TokenKind::Colon) {
                return Err(parser.missing("`:` of this `?`"));
            }
            let two = parser.conditional(used(!condition.is_true()))?;
            let unsigned = one.unsigned || two.unsigned;
            Ok(Value { unsigned, ..if condition.is_true() { one } else { two } })
        })
    }

    fn binary(&mut self, minimum: u8, mode: Mode) -> Result<Value, Diagnostic> {
        let mut left = self.unary(mode)?;
        while let Some(operator) = self.peek()
            && let Some(precedence) = precedence(operator.kind)
            && precedence >= minimum
        {
            self.position += 1;
            let decided = match operator.kind {
                TokenKind::AndAnd => !left.is_true(),
                TokenKind::OrOr => left.is_true(),
                _ => false,
            };
            let right_mode = if decided { Mode::CheckOnly } else { mode };
            let right = self.binary(precedence + 1, right_mode)?;
            left = apply(operator, left, right, right_mode)?;
        }
        Ok(left)
    }

    fn unary(&mut self, mode: Mode) -> Result<Value, Diagnostic> {
        let Some(token) = self.peek() else { return Err(self.missing("value")) };
        self.position += 1;
        match token.kind {
            TokenKind::Plus => self.nested(|parser| parser.unary(mode)),
            TokenKind::Minus => {
                let value = self.nested(|parser| parser.unary(mode))?;
                Ok(Value { bits: value.bits.wrapping_neg(), ..value })
            }
            TokenKind::Tilde => {
                let value = self.nested(|parser| parser.unary(mode))?;
                Ok(Value { bits: !value.bits, ..value })
            }
            TokenKind::Bang => Ok(Value::truth(!self.nested(|parser| parser.unary(mode))?.is_true())),
            // Two `!` for C, one token for Promela.
            TokenKind::BangBang => Ok(Value::truth(self.nested(|parser| parser.unary(mode))?.is_true())),
            TokenKind::LeftParen => {
                let value = self.nested(|parser| parser.comma(mode))?;
                if self.take(TokenKind::RightParen) { Ok(value) } else { Err(self.missing("`)`")) }
            }
            TokenKind::Number => integer(token, self.symbols.text(token.symbol), self.diagnostics),
            TokenKind::Character => Ok(character(token, self.symbols.text(token.symbol), self.diagnostics)),
            TokenKind::Word => {
                if let Some(next) = self.peek().filter(|next| next.kind == TokenKind::LeftParen) {
                    let text = self.symbols.text(token.symbol);
                    let message = format!("no macro `{text}` with arguments is defined");
                    return Err(Diagnostic::error("condition", token.span.to(next.span), message));
                }
                Ok(Value::signed(0))
            }
            _ => {
                let text = self.symbols.text(token.symbol);
                Err(Diagnostic::error("condition", token.span, format!("`{text}` cannot stand here in a condition")))
            }
        }
    }

    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Result<Value, Diagnostic>) -> Result<Value, Diagnostic> {
        if self.nesting >= MAX_NESTING {
            let span = self.peek().map_or(self.directive, |token| token.span);
            let message = format!("this condition is nested more than {MAX_NESTING} deep");
            return Err(Diagnostic::error("condition", span, message));
        }
        self.nesting += 1;
        let result = read(self);
        self.nesting -= 1;
        result
    }

    fn peek(&self) -> Option<PreToken> {
        self.tokens.get(self.position).copied()
    }

    fn take(&mut self, kind: TokenKind) -> bool {
        let found = self.peek().is_some_and(|token| token.kind == kind);
        self.position += usize::from(found);
        found
    }

    fn missing(&self, what: &str) -> Diagnostic {
        match self.peek() {
            Some(token) => {
                let message = format!("expected a {what}, found `{}`", self.symbols.text(token.symbol));
                Diagnostic::error("condition", token.span, message)
            }
            None => {
                let span = self.tokens.last().map_or(self.directive, |last| last.span.after());
                Diagnostic::error("condition", span, format!("the condition ends where a {what} is expected"))
            }
        }
    }
}

fn precedence(operator: TokenKind) -> Option<u8> {
    use TokenKind as T;
    Some(match operator {
        T::OrOr => 1,
        T::AndAnd => 2,
        T::Bar => 3,
        T::Caret => 4,
        T::Ampersand => 5,
        T::Equal | T::NotEqual => 6,
        T::Less | T::LessEqual | T::Greater | T::GreaterEqual => 7,
        T::ShiftLeft | T::ShiftRight => 8,
        T::Plus | T::Minus => 9,
        T::Star | T::Slash | T::Percent => 10,
        _ => return None,
    })
}

fn apply(operator: PreToken, left: Value, right: Value, mode: Mode) -> Result<Value, Diagnostic> {
    use TokenKind as T;
    let unsigned = left.unsigned || right.unsigned;
    let (a, b) = (left.bits, right.bits);
    let less = |a: i64, b: i64| if unsigned { (a as u64) < b as u64 } else { a < b };
    let bits = match operator.kind {
        T::OrOr => return Ok(Value::truth(left.is_true() || right.is_true())),
        T::AndAnd => return Ok(Value::truth(left.is_true() && right.is_true())),
        T::Equal => return Ok(Value::truth(a == b)),
        T::NotEqual => return Ok(Value::truth(a != b)),
        T::Less => return Ok(Value::truth(less(a, b))),
        T::LessEqual => return Ok(Value::truth(!less(b, a))),
        T::Greater => return Ok(Value::truth(less(b, a))),
        T::GreaterEqual => return Ok(Value::truth(!less(a, b))),
        T::ShiftLeft => return Ok(shift(left, Direction::Left, right)),
        T::ShiftRight => return Ok(shift(left, Direction::Right, right)),
        T::Bar => a | b,
        T::Caret => a ^ b,
        T::Ampersand => a & b,
        T::Plus => a.wrapping_add(b),
        T::Minus => a.wrapping_sub(b),
        T::Star => a.wrapping_mul(b),
        T::Slash | T::Percent if b == 0 => {
            if mode == Mode::CheckOnly {
                return Ok(Value { bits: 0, unsigned });
            }
            return Err(Diagnostic::error("condition", operator.span, "division by zero in a condition"));
        }
        T::Slash if unsigned => ((a as u64) / (b as u64)) as i64,
        T::Slash => a.wrapping_div(b),
        T::Percent if unsigned => ((a as u64) % (b as u64)) as i64,
        T::Percent => a.wrapping_rem(b),
        _ => return Err(Diagnostic::error("condition", operator.span, "this is no operator of conditions")),
    };
    Ok(Value { bits, unsigned })
}

#[derive(Clone, Copy)]
enum Direction {
    Left,
    Right,
}

/// As gcc has it: a negative distance shifts the other way, and a distance beyond the width moves every bit out.
fn shift(value: Value, direction: Direction, distance: Value) -> Value {
    let (direction, distance) = match direction {
        _ if distance.unsigned || distance.bits >= 0 => (direction, distance.bits as u64),
        Direction::Left => (Direction::Right, distance.bits.unsigned_abs()),
        Direction::Right => (Direction::Left, distance.bits.unsigned_abs()),
    };
    let bits = match direction {
        Direction::Left if distance >= 64 => 0,
        Direction::Left => value.bits << distance,
        Direction::Right if value.unsigned && distance >= 64 => 0,
        Direction::Right if value.unsigned => (value.bits as u64 >> distance) as i64,
        Direction::Right => value.bits >> distance.min(63),
    };
    Value { bits, ..value }
}

/// A decimal, octal, hexadecimal or binary constant with C's suffixes.
fn integer(token: PreToken, text: &str, diagnostics: &mut Vec<Diagnostic>) -> Result<Value, Diagnostic> {
    let bad = |message: String| Err(Diagnostic::error("condition", token.span, message));
    let lower = text.to_ascii_lowercase();
    let (radix, rest) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, &lower[2..]),
        [b'0', b'b', ..] => (2, &lower[2..]),
        [b'0', ..] => (8, &lower[..]),
        _ => (10, &lower[..]),
    };
    // For octal too, so that the 8 of `08` is a wrong digit and no suffix.
    let is_digit = |character: char| character.is_digit(radix.max(10));
    let digits = &rest[..rest.find(|character| !is_digit(character)).unwrap_or(rest.len())];
    let suffix = &rest[digits.len()..];
    if digits.is_empty() || !matches!(suffix, "" | "u" | "l" | "ul" | "lu" | "ll" | "ull" | "llu") {
        return bad(format!("`{text}` is no integer"));
    }
    let mut bits: u64 = 0;
    let mut fits = true;
    for character in digits.chars() {
        let Some(digit) = character.to_digit(radix) else {
            return bad(format!("`{character}` is no digit of the number `{text}` to the base {radix}"));
        };
        let (product, overflow) = bits.overflowing_mul(u64::from(radix));
        let (sum, carry) = product.overflowing_add(u64::from(digit));
        fits &= !overflow && !carry;
        bits = sum;
    }
    let beyond_signed = bits > i64::MAX as u64;
    if !fits || (beyond_signed && radix == 10 && !suffix.contains('u')) {
        let message =
            if fits { "this integer is taken as unsigned" } else { "this integer exceeds 64 bits and is cut" };
        diagnostics.push(Diagnostic::warning("condition", token.span, message));
    }
    Ok(Value { bits: bits as i64, unsigned: suffix.contains('u') || beyond_signed })
}

/// A character constant: one signed byte, or several bytes side by side as gcc has them.
fn character(token: PreToken, text: &str, diagnostics: &mut Vec<Diagnostic>) -> Value {
    let bytes = unescape(text.get(1..text.len().saturating_sub(1)).unwrap_or("").as_bytes());
    match bytes[..] {
        [byte] => Value::signed(i64::from(byte as i8)),
        [] => {
            diagnostics.push(Diagnostic::warning("condition", token.span, "this character constant is empty"));
            Value::signed(0)
        }
        _ => {
            let message = "this character constant holds several characters";
            diagnostics.push(Diagnostic::warning("condition", token.span, message));
            let bits = bytes.iter().fold(0u32, |bits, &byte| bits << 8 | u32::from(byte));
            Value::signed(i64::from(bits as i32))
        }
    }
}

fn unescape(mut text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Some((&byte, rest)) = text.split_first() {
        text = rest;
        let escaped = if byte == b'\\' { text.split_first() } else { None };
        let Some((&escaped, rest)) = escaped else {
            bytes.push(byte);
            continue;
        };
        text = rest;
        bytes.push(match escaped {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'a' => 7,
            b'b' => 8,
            b'e' | b'E' => 27,
            b'f' => 12,
            b'v' => 11,
            b'0'..=b'7' => take_digits(&mut text, 8, 2, escaped - b'0'),
            b'x' => take_digits(&mut text, 16, usize::MAX, 0),
            other => other,
        });
    }
    bytes
}

/// Reads up to `most` digits of an escape, the low eight bits of their value.
fn take_digits(text: &mut &[u8], radix: u32, most: usize, first: u8) -> u8 {
    let mut value = u32::from(first);
    let mut taken = 0;
    while taken < most
        && let Some((&byte, rest)) = text.split_first()
        && let Some(digit) = char::from(byte).to_digit(radix)
    {
        value = (value * radix + digit) & 0xff;
        *text = rest;
        taken += 1;
    }
    value as u8
}
