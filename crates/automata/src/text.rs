//! Reads formulas over plain identifiers, in SPIN's and Spot's spellings.
//!
//! | meaning | spellings |
//! | --- | --- |
//! | constants | `true` `1` `false` `0` |
//! | not, and, or, exclusive or | `!` `~`, `&&` `&` `/\`, `\|\|` `\|` `\/`, `xor` `^` |
//! | implication, equivalence | `->` `=>`, `<->` `<=>` |
//! | always, eventually, next | `[]` `G`, `<>` `F`, `X` |
//! | until, release, weak until, strong release | `U`, `R` `V`, `W`, `M` |
//!
//! Binding, weakest first: equivalence and implication (to the right), exclusive or, or, and, binary temporal (to the
//! right), unary. As in Spot, capital `G`, `F`, `X` at the front of a word are operators (`GFp0` is `G F p0`); an atom
//! whose name looks like that, or holds other signs, is written in double quotes. Promela expressions as atoms are the
//! business of the Promela parser, not of this one.

use std::fmt;

use crate::atom::AtomTable;
use crate::formula::Formula;

/// Deeper nesting than this is refused, so that recursive walks over formulas stay within any thread's stack.
pub const MAX_NESTING: usize = 1000;

/// Why a text is not a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Byte offset of the problem.
    pub offset: usize,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.offset + 1, self.message)
    }
}

impl std::error::Error for ParseError {}

/// Reads one formula; its atoms are added to the table.
///
/// ```
/// use automata::{atom::AtomTable, text::parse};
/// let mut atoms = AtomTable::default();
/// assert_eq!(parse("[](p -> <>q)", &mut atoms), parse("G(p => F q)", &mut atoms));
/// assert_eq!(parse("p U", &mut atoms).unwrap_err().to_string(), "column 4: expected a formula, found the end");
/// ```
pub fn parse(text: &str, atoms: &mut AtomTable) -> Result<Formula, ParseError> {
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens: &tokens, position: 0, end: text.len(), depth: 0, atoms };
    let formula = parser.formula(Binding::Weakest)?;
    match parser.tokens.get(parser.position) {
        None => Ok(formula),
        Some((offset, token)) => {
            Err(ParseError { offset: *offset, message: format!("expected an operator or the end, found {token}") })
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Open,
    Close,
    Constant(bool),
    Name(String),
    Unary(Unary),
    Binary(Binary),
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Unary {
    Not,
    Next,
    Eventually,
    Always,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Binary {
    And,
    Or,
    ExclusiveOr,
    Implies,
    Equivalent,
    Until,
    Release,
    WeakUntil,
    StrongRelease,
}

/// How tightly an operator holds its operands.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Weakest,
    Equivalence,
    Implication,
    ExclusiveOr,
    Or,
    And,
    Temporal,
}

impl Binary {
    /// The operator's binding, and the binding its right operand must exceed or reach.
    fn binding(self) -> (Binding, Binding) {
        match self {
            Binary::Equivalent => (Binding::Equivalence, Binding::Equivalence),
            Binary::Implies => (Binding::Implication, Binding::Implication),
            Binary::ExclusiveOr => (Binding::ExclusiveOr, Binding::Or),
            Binary::Or => (Binding::Or, Binding::And),
            Binary::And => (Binding::And, Binding::Temporal),
            Binary::Until | Binary::Release | Binary::WeakUntil | Binary::StrongRelease => {
                (Binding::Temporal, Binding::Temporal)
            }
        }
    }

    fn apply(self, left: Formula, right: Formula) -> Formula {
        match self {
            Binary::And => Formula::and([left, right]),
            Binary::Or => Formula::or([left, right]),
            Binary::ExclusiveOr => Formula::negation(Formula::equivalent(left, right)),
            Binary::Implies => Formula::implies(left, right),
            Binary::Equivalent => Formula::equivalent(left, right),
            Binary::Until => Formula::until(left, right),
            Binary::Release => Formula::release(left, right),
            Binary::WeakUntil => Formula::weak_until(left, right),
            Binary::StrongRelease => Formula::strong_release(left, right),
        }
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Open => write!(f, "`(`"),
            Token::Close => write!(f, "`)`"),
            Token::Constant(value) => write!(f, "`{value}`"),
            Token::Name(name) => write!(f, "`{name}`"),
            Token::Unary(operator) => write!(f, "the operator {operator:?}"),
            Token::Binary(operator) => write!(f, "the operator {operator:?}"),
        }
    }
}

/// Signs, longest first where one begins another.
const SIGNS: [(&str, Token); 23] = [
    ("<->", Token::Binary(Binary::Equivalent)),
    ("<=>", Token::Binary(Binary::Equivalent)),
    ("->", Token::Binary(Binary::Implies)),
    ("=>", Token::Binary(Binary::Implies)),
    ("<>", Token::Unary(Unary::Eventually)),
    ("[]", Token::Unary(Unary::Always)),
    ("&&", Token::Binary(Binary::And)),
    ("||", Token::Binary(Binary::Or)),
    ("/\\", Token::Binary(Binary::And)),
    ("\\/", Token::Binary(Binary::Or)),
    ("&", Token::Binary(Binary::And)),
    ("|", Token::Binary(Binary::Or)),
    ("^", Token::Binary(Binary::ExclusiveOr)),
    ("!", Token::Unary(Unary::Not)),
    ("~", Token::Unary(Unary::Not)),
    ("(", Token::Open),
    (")", Token::Close),
    ("1", Token::Constant(true)),
    ("0", Token::Constant(false)),
    ("∧", Token::Binary(Binary::And)),
    ("∨", Token::Binary(Binary::Or)),
    ("¬", Token::Unary(Unary::Not)),
    ("→", Token::Binary(Binary::Implies)),
];

fn tokens(text: &str) -> Result<Vec<(usize, Token)>, ParseError> {
    let mut tokens = Vec::new();
    let mut offset = 0;
    while let Some(first) = text[offset..].chars().next() {
        let rest = &text[offset..];
        if first.is_whitespace() {
            offset += first.len_utf8();
        } else if first == '"' {
            let (name, length) = quoted_name(rest)
                .ok_or_else(|| ParseError { offset, message: "the quoted name has no end".to_owned() })?;
            tokens.push((offset, Token::Name(name)));
            offset += length;
        } else if first.is_ascii_alphabetic() || first == '_' {
            let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            word(&rest[..length], offset, &mut tokens);
            offset += length;
        } else if let Some((sign, token)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
            tokens.push((offset, token.clone()));
            offset += sign.len();
        } else {
            return Err(ParseError { offset, message: format!("`{first}` has no meaning in a formula") });
        }
    }
    Ok(tokens)
}

/// A word is an operator, a constant, or a name that may carry `G`, `F`, `X` at its front.
fn word(word: &str, offset: usize, tokens: &mut Vec<(usize, Token)>) {
    let whole = match word {
        "true" => Some(Token::Constant(true)),
        "false" => Some(Token::Constant(false)),
        "xor" => Some(Token::Binary(Binary::ExclusiveOr)),
        "U" => Some(Token::Binary(Binary::Until)),
        "R" | "V" => Some(Token::Binary(Binary::Release)),
        "W" => Some(Token::Binary(Binary::WeakUntil)),
        "M" => Some(Token::Binary(Binary::StrongRelease)),
        _ => None,
    };
    if let Some(token) = whole {
        tokens.push((offset, token));
        return;
    }
    let name_at = word.find(|c| !matches!(c, 'G' | 'F' | 'X')).unwrap_or(word.len());
    for (index, letter) in word[..name_at].char_indices() {
        let operator = match letter {
            'G' => Unary::Always,
            'F' => Unary::Eventually,
            _ => Unary::Next,
        };
        tokens.push((offset + index, Token::Unary(operator)));
    }
    let name = &word[name_at..];
    match name {
        "" => {}
        "0" => tokens.push((offset + name_at, Token::Constant(false))),
        "1" => tokens.push((offset + name_at, Token::Constant(true))),
        "true" => tokens.push((offset + name_at, Token::Constant(true))),
        "false" => tokens.push((offset + name_at, Token::Constant(false))),
        _ => tokens.push((offset + name_at, Token::Name(name.to_owned()))),
    }
}

/// The name between quotes at the front of the text, with backslashes resolved, and the length read.
fn quoted_name(text: &str) -> Option<(String, usize)> {
    let mut name = String::new();
    let mut characters = text.char_indices().skip(1);
    while let Some((index, c)) = characters.next() {
        match c {
            '"' => return Some((name, index + 1)),
            '\\' => name.push(characters.next()?.1),
            _ => name.push(c),
        }
    }
    None
}

struct Parser<'a> {
    tokens: &'a [(usize, Token)],
    position: usize,
    end: usize,
    depth: usize,
    atoms: &'a mut AtomTable,
}

impl Parser<'_> {
    /// Precedence climbing: an operand, then every operator that binds at least as tightly as `minimum`.
    fn formula(&mut self, minimum: Binding) -> Result<Formula, ParseError> {
        self.descend()?;
        let mut left = self.operand()?;
        while let Some((_, Token::Binary(operator))) = self.tokens.get(self.position) {
            let (binding, right_binding) = operator.binding();
            if binding < minimum {
                break;
            }
            self.position += 1;
            let right = self.formula(right_binding)?;
            left = operator.apply(left, right);
            if left.nesting() > MAX_NESTING as u32 {
                return self.too_deep();
            }
        }
        self.depth -= 1;
        Ok(left)
    }

    fn operand(&mut self) -> Result<Formula, ParseError> {
        let Some((offset, token)) = self.tokens.get(self.position).cloned() else {
            return Err(ParseError { offset: self.end, message: "expected a formula, found the end".to_owned() });
        };
        self.position += 1;
        match token {
            Token::Constant(true) => Ok(Formula::truth()),
            Token::Constant(false) => Ok(Formula::falsehood()),
            Token::Name(name) => Ok(Formula::atom(self.atoms.intern(&name))),
            Token::Unary(operator) => {
                self.descend()?;
                let operand = self.operand()?;
                self.depth -= 1;
                Ok(match operator {
                    Unary::Not => Formula::negation(operand),
                    Unary::Next => Formula::next(operand),
                    Unary::Eventually => Formula::eventually(operand),
                    Unary::Always => Formula::always(operand),
                })
            }
            Token::Open => {
                let inner = self.formula(Binding::Weakest)?;
                match self.tokens.get(self.position) {
                    Some((_, Token::Close)) => {
                        self.position += 1;
                        Ok(inner)
                    }
                    Some((at, found)) => {
                        Err(ParseError { offset: *at, message: format!("expected `)` or an operator, found {found}") })
                    }
                    None => Err(ParseError { offset, message: "this `(` is never closed".to_owned() }),
                }
            }
            Token::Close | Token::Binary(_) => {
                Err(ParseError { offset, message: format!("expected a formula, found {token}") })
            }
        }
    }

    fn descend(&mut self) -> Result<(), ParseError> {
        self.depth += 1;
        if self.depth <= MAX_NESTING {
            return Ok(());
        }
        self.too_deep()
    }

    fn too_deep<T>(&self) -> Result<T, ParseError> {
        let offset = self.tokens.get(self.position).map_or(self.end, |(offset, _)| *offset);
        Err(ParseError { offset, message: format!("nested more than {MAX_NESTING} deep") })
    }
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::atom::AtomTable;
    use crate::spelling::Spelling;

    fn spot(text: &str) -> String {
        let mut atoms = AtomTable::default();
        let formula = parse(text, &mut atoms).unwrap_or_else(|error| panic!("{text}: {error}"));
        formula.display(Spelling::Spot, &atoms).to_string()
    }

    #[test]
    fn both_spellings_mean_the_same() {
        for (spin, other) in [
            ("[]<>p", "GFp"),
            ("[] (p -> <> q)", "G(p => F q)"),
            ("p V q", "p R q"),
            ("!p && q || r", "~p & q | r"),
            ("X X p", "XXp"),
        ] {
            assert_eq!(spot(spin), spot(other));
        }
    }

    #[test]
    fn binding_and_association() {
        assert_eq!(spot("a -> b -> c"), "a -> (b -> c)");
        assert_eq!(spot("a U b U c"), "a U (b U c)");
        assert_eq!(spot("a & b | c"), "(a & b) | c");
        assert_eq!(spot("a | b <-> c"), "(a | b) <-> c");
        assert_eq!(spot("!a U b"), "!a U b");
        assert_eq!(spot("Fa & b U c"), "F a & (b U c)");
    }

    #[test]
    fn errors_point_at_the_problem() {
        let error = |text: &str| parse(text, &mut AtomTable::default()).expect_err("the text is wrong").to_string();
        assert_eq!(error("(p"), "column 1: this `(` is never closed");
        assert_eq!(error("p q"), "column 3: expected an operator or the end, found `q`");
        assert_eq!(error("p # q"), "column 3: `#` has no meaning in a formula");
        assert!(error(&"!".repeat(5000)).contains("nested more than"));
        assert!(error(&"(".repeat(5000)).contains("nested more than"));
        assert!(error(&"p xor ".repeat(5000)).contains("nested more than"));
    }
}
