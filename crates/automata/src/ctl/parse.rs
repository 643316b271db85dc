//! How formulas are written: `AX EX AF EF AG EG`, `A[p U q]`, `E[p U q]` and the same with `W` and `R`, and `! && || -> <->`.
//!
//! What stands between is text that the caller understands, an expression of the language of the model. It goes up to the next operator outside
//! of parentheses, so that it may contain operators of its own: `AG x + 1 < y` is about `x + 1 < y`. A negation belongs to the
//! expression behind it, unless there is a temporal operator. `A` and `E` are operators only before brackets with `U`, `W` or `R`
//! inside, and `AX` and its like only where an operand follows: otherwise they are names.

use std::fmt;

use super::{Ctl, Operator, Part, Quantifier};

/// A proposition of a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposition {
    /// Its text.
    pub text: String,
    /// How many characters of the formula stand before it.
    pub offset: usize,
}

/// What is wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CtlError {
    /// Where, in bytes from the beginning.
    pub offset: usize,
    /// What.
    pub message: String,
}

impl fmt::Display for CtlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.offset, self.message)
    }
}

impl std::error::Error for CtlError {}

/// Formulas nested deeper than this are refused.
const MAX_NESTING: usize = 200;

/// Reads a formula.
///
/// # Errors
/// When the text is no formula.
///
/// ```
/// use automata::ctl::parse;
/// let formula = parse("AG (x > 1 -> EF len(q) == 0)")?;
/// let texts: Vec<&str> = formula.propositions.iter().map(|each| each.text.as_str()).collect();
/// assert_eq!(texts, ["x > 1", "len(q) == 0"]);
/// assert_eq!(formula.text(formula.root()).to_string(), "AG ((x > 1) -> EF (len(q) == 0))");
/// assert_eq!(parse("AG (p && )").unwrap_err().to_string(), "at byte 9: a formula is expected here");
/// # Ok::<(), automata::ctl::CtlError>(())
/// ```
pub fn parse(text: &str) -> Result<Ctl, CtlError> {
    let mut parser = Parser { text, at: 0, formula: Ctl { parts: Vec::new(), propositions: Vec::new() }, nesting: 0 };
    parser.equivalence()?;
    parser.skip_blanks();
    if parser.at < text.len() {
        return parser.fail("this is more than a formula");
    }
    Ok(parser.formula)
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    formula: Ctl,
    nesting: usize,
}

/// A temporal operator before its operand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Prefix {
    Next,
    Finally,
    Globally,
    /// `A` or `E`, with a pair of operands in brackets behind it.
    Pair,
}

impl<'t> Parser<'t> {
    fn fail<T>(&self, message: &str) -> Result<T, CtlError> {
        Err(CtlError { offset: self.at, message: message.to_owned() })
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn take(&mut self, token: &str) -> bool {
        self.skip_blanks();
        let found = self.rest().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn add(&mut self, operator: Operator) -> Part {
        self.formula.parts.push(operator);
        self.formula.root()
    }

    fn equivalence(&mut self) -> Result<Part, CtlError> {
        let mut left = self.implication()?;
        while self.take("<->") {
            let right = self.implication()?;
            left = self.add(Operator::Equivalent(left, right));
        }
        Ok(left)
    }

    /// `a -> b -> c` is `(a -> b) -> c`, as in SPIN's formulas.
    fn implication(&mut self) -> Result<Part, CtlError> {
        let mut left = self.disjunction()?;
        while self.take("->") {
            let right = self.disjunction()?;
            left = self.add(Operator::Implies(left, right));
        }
        Ok(left)
    }

    fn disjunction(&mut self) -> Result<Part, CtlError> {
        let mut left = self.conjunction()?;
        while self.take("||") {
            let right = self.conjunction()?;
            left = self.add(Operator::Or(left, right));
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Result<Part, CtlError> {
        let mut left = self.unary()?;
        while self.take("&&") {
            let right = self.unary()?;
            left = self.add(Operator::And(left, right));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Part, CtlError> {
        self.skip_blanks();
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return self.fail("the formula is nested too deeply");
        }
        let part = match prefix(self.rest()) {
            Some((quantifier, Prefix::Pair)) => {
                self.at += 1;
                self.pair(quantifier)?
            }
            Some((quantifier, prefix)) => {
                self.at += 2;
                let operand = self.unary()?;
                self.add(match prefix {
                    Prefix::Next => Operator::Next(quantifier, operand),
                    Prefix::Finally => Operator::Finally(quantifier, operand),
                    Prefix::Globally | Prefix::Pair => Operator::Globally(quantifier, operand),
                })
            }
            None if self.rest().starts_with('!') && is_negated_formula(self.rest()) => {
                self.at += 1;
                let operand = self.unary()?;
                self.add(Operator::Not(operand))
            }
            None if is_group(self.rest()) => {
                self.at += 1;
                let inside = self.equivalence()?;
                if !self.take(")") {
                    return self.fail("`)` is expected here");
                }
                inside
            }
            None => self.proposition()?,
        };
        self.nesting -= 1;
        Ok(part)
    }

    /// What follows `A` or `E`: `[p U q]`.
    fn pair(&mut self, quantifier: Quantifier) -> Result<Part, CtlError> {
        let close = if self.take("[") { "]" } else { ")" };
        if close == ")" && !self.take("(") {
            return self.fail("`[` is expected here");
        }
        let left = self.equivalence()?;
        self.skip_blanks();
        let operator = self.rest().chars().next().filter(|_| is_connective(self.text, self.at));
        let Some(operator) = operator else { return self.fail("`U`, `W` or `R` is expected here") };
        self.at += 1;
        let right = self.equivalence()?;
        if !self.take(close) {
            return self.fail(&format!("`{close}` is expected here"));
        }
        Ok(self.add(match operator {
            'U' => Operator::Until(quantifier, left, right),
            'W' => Operator::WeakUntil(quantifier, left, right),
            _ => Operator::Release(quantifier, left, right),
        }))
    }

    /// Text up to the next operator outside of parentheses.
    fn proposition(&mut self) -> Result<Part, CtlError> {
        let start = self.at;
        let mut depth = 0;
        while let Some(letter) = self.rest().chars().next() {
            match letter {
                '(' | '[' => depth += 1,
                ')' | ']' if depth == 0 => break,
                ')' | ']' => depth -= 1,
                _ if depth > 0 => {}
                _ if ends_proposition(self.text, self.at) => break,
                _ => {}
            }
            self.at += letter.len_utf8();
        }
        let text = self.text[start..self.at].trim_end();
        match text {
            "" => self.fail("a formula is expected here"),
            "true" => Ok(self.add(Operator::Constant(true))),
            "false" => Ok(self.add(Operator::Constant(false))),
            _ => {
                let known = self.formula.propositions.iter().position(|known| known.text == text);
                let number = known.unwrap_or_else(|| {
                    let offset = self.text[..start].chars().count();
                    self.formula.propositions.push(Proposition { text: text.to_owned(), offset });
                    self.formula.propositions.len() - 1
                });
                Ok(self.add(Operator::Atom(number as u32)))
            }
        }
    }
}

/// Whether a connective of formulas stands at a place outside of parentheses.
fn ends_proposition(text: &str, at: usize) -> bool {
    let rest = &text[at..];
    ["&&", "||", "->", "<->"].iter().any(|operator| rest.starts_with(operator)) || is_connective(text, at)
}

/// Whether `U`, `W` or `R` stands at a place, as a word of its own.
fn is_connective(text: &str, at: usize) -> bool {
    text[at..].starts_with(['U', 'W', 'R']) && starts_word(text, at) && !is_word(&text[at + 1..])
}

/// A temporal operator at the beginning of a text.
fn prefix(text: &str) -> Option<(Quantifier, Prefix)> {
    let quantifier = match text.chars().next()? {
        'A' => Quantifier::All,
        'E' => Quantifier::Some,
        _ => return None,
    };
    let prefix = match text[1..].chars().next()? {
        'X' => Prefix::Next,
        'F' => Prefix::Finally,
        'G' => Prefix::Globally,
        _ => {
            let bracket = text[1..].trim_start();
            let inside = bracket.strip_prefix(['[', '('])?;
            return has_connective(inside).then_some((quantifier, Prefix::Pair));
        }
    };
    (!is_word(&text[2..]) && begins_operand(&text[2..])).then_some((quantifier, prefix))
}

/// Whether what follows can be an operand, and not the rest of an expression about a variable. At the end of the text an operand is missing.
fn begins_operand(text: &str) -> bool {
    let text = text.trim_start();
    let negation = text.starts_with('!') && !text.starts_with("!=");
    text.is_empty() || negation || text.starts_with(['(', '-', '~', ')', ']']) || is_word(text)
}

/// Whether `U`, `W` or `R` stands before the bracket closes that was opened before the text.
fn has_connective(text: &str) -> bool {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' if depth == 0 => return false,
            ')' | ']' => depth -= 1,
            _ if depth == 0 && is_connective(text, at) => return true,
            _ => {}
        }
    }
    // The bracket is not closed: say so, and not that there is no array of this name.
    false
}

/// Whether there is a temporal operator in a text.
fn has_temporal(text: &str) -> bool {
    text.char_indices().any(|(at, _)| starts_word(text, at) && prefix(&text[at..]).is_some())
}

/// Whether the negation at the beginning of a text is one of a formula, and not of an expression.
fn is_negated_formula(text: &str) -> bool {
    let operand = text.trim_start_matches(|letter: char| letter == '!' || letter.is_whitespace());
    prefix(operand).is_some() || is_group(operand)
}

/// Whether a parenthesis at the beginning of a text encloses a formula, and not a part of an expression: there is something temporal or
/// an arrow inside, and no operator of expressions behind it.
fn is_group(text: &str) -> bool {
    let Some(inside) = text.strip_prefix('(') else { return false };
    let end = closing(inside).unwrap_or(inside.len());
    if has_temporal(&inside[..end]) {
        return true;
    }
    let after = inside.get(end + 1..).unwrap_or("");
    let blanks = after.len() - after.trim_start().len();
    let is_over = after.trim_start().is_empty() || after.trim_start().starts_with([')', ']']);
    let is_conditional = inside[..end].contains("->") && inside[..end].contains(':');
    (is_over || ends_proposition(after, blanks)) && !is_conditional
}

/// Whether a text begins with a letter, digit or underscore.
fn is_word(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_')
}

/// Whether no letter, digit or underscore comes before a place.
fn starts_word(text: &str, at: usize) -> bool {
    !text[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_')
}

/// Where the parenthesis closes that was opened before the text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop, proptest};

    use super::parse;

    fn texts(formula: &str) -> Vec<String> {
        let formula = parse(formula).unwrap_or_else(|error| panic!("{formula}: {error}"));
        formula.propositions.into_iter().map(|proposition| proposition.text).collect()
    }

    fn shown(formula: &str) -> String {
        let formula = parse(formula).unwrap_or_else(|error| panic!("{formula}: {error}"));
        formula.text(formula.root()).to_string()
    }

    #[test]
    fn propositions_are_the_text_between_operators() {
        assert_eq!(texts("AG (a[i + 1] == (2 * x) && !done)"), ["a[i + 1] == (2 * x)", "!done"]);
        assert_eq!(texts("E[p != 1 U (q || EG P[1]@crit)]"), ["p != 1", "q", "P[1]@crit"]);
        assert_eq!(texts("(x + 1) > 3 -> AF (x + 1) > 3"), ["(x + 1) > 3"]);
        assert_eq!(texts("EF (Every == 1 && UX == 2)"), ["Every == 1", "UX == 2"]);
        assert_eq!(texts("EF (A[0] == 1 && AX == 2 && E != 3)"), ["A[0] == 1", "AX == 2", "E != 3"]);
        assert_eq!(texts("AG !x == 1"), ["!x == 1"]);
        assert_eq!(texts("AG (x -> 1 : 0)"), ["(x -> 1 : 0)"]);
        assert_eq!(texts("!(p -> q) && !!EF r"), ["p", "q", "r"]);
    }

    #[test]
    fn precedence_is_that_of_expressions() {
        assert_eq!(shown("AX p && q || r -> s <-> t"), "(((AX p && q) || r) -> s) <-> t");
        assert_eq!(shown("A(p U q)"), "A[p U q]");
        assert_eq!(shown("E[p W q] && A[p R EX q]"), "E[p W q] && A[p R EX q]");
        assert_eq!(shown("!AG EF x > 1"), "!AG EF (x > 1)");
    }

    #[test]
    fn mistakes_have_a_place() {
        let offset = |text: &str| parse(text).map(|_| ()).unwrap_err().offset;
        assert_eq!(offset(""), 0);
        assert_eq!(offset("AG"), 2);
        assert_eq!(offset("E[p U q"), 7);
        assert_eq!(offset("E[p U ]"), 6);
        assert_eq!(offset("AG p)"), 4);
        assert_eq!(offset("AG (EF p"), 8);
        assert_eq!(offset(&"AG ".repeat(1000)) % 3, 0);
    }

    proptest! {
        #[test]
        fn no_text_makes_the_parser_panic(words in prop::collection::vec(
            prop::sample::select(vec!["A", "E", "X", "AG", "EF", "[", "]", "(", ")", "U", "W", " ", "!", "->", "&&", "x", "é", "=="]),
            0..20,
        )) {
            let _ = parse(&words.concat());
        }
    }
}
