//! Formulas as text, in the spelling of SPIN, of Spot, or in LBT's prefix form.
//!
//! Parentheses are written where the target's precedence needs them; mixed binary temporal operators are always
//! parenthesised, because tools disagree about them.

use std::fmt;

use crate::atom::{AtomId, AtomTable};
use crate::formula::{Formula, Operator};

/// How operators are written.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Spelling {
    /// `[] <> X U V && || ! -> <->`; strong release, which SPIN lacks, is written with `U`, and weak until with `V`,
    /// because `spin -f` takes `p W q` for the name of a proposition.
    Spin,
    /// `G F X U R W M & | ! -> <->`.
    Spot,
    /// Prefix form: `G F X U V W M & | ! i e t f`; names that are not `p` and a number are quoted.
    Lbt,
}

/// A formula ready to be printed; see [`Formula::display`].
pub struct Spelled<'a> {
    formula: &'a Formula,
    spelling: Spelling,
    atoms: &'a AtomTable,
}

impl Formula {
    /// The formula's text.
    ///
    /// ```
    /// use automata::{atom::AtomTable, spelling::Spelling, text};
    /// let mut atoms = AtomTable::default();
    /// let formula = text::parse("G(p -> F q)", &mut atoms).unwrap();
    /// assert_eq!(formula.display(Spelling::Spin, &atoms).to_string(), "[](p -> <>q)");
    /// assert_eq!(formula.display(Spelling::Lbt, &atoms).to_string(), "G i \"p\" F \"q\"");
    /// ```
    pub fn display<'a>(&'a self, spelling: Spelling, atoms: &'a AtomTable) -> Spelled<'a> {
        Spelled { formula: self, spelling, atoms }
    }

    /// The formula's text in Spot's spelling.
    pub fn spot<'a>(&'a self, atoms: &'a AtomTable) -> Spelled<'a> {
        self.display(Spelling::Spot, atoms)
    }
}

/// Spot's spelling with atoms by number.
impl fmt::Debug for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.spot(&AtomTable::default()))
    }
}

impl fmt::Display for Spelled<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.spelling {
            Spelling::Lbt => self.prefix(self.formula, f),
            Spelling::Spin | Spelling::Spot => self.infix(self.formula, f),
        }
    }
}

impl Spelled<'_> {
    fn infix(&self, formula: &Formula, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let spin = self.spelling == Spelling::Spin;
        match formula.operator() {
            Operator::True => f.write_str(if spin { "true" } else { "1" }),
            Operator::False => f.write_str(if spin { "false" } else { "0" }),
            Operator::Atom(atom) => f.write_str(&self.atom(*atom)),
            Operator::Not(g) => self.unary("!", g, f),
            Operator::Next(g) => self.unary("X", g, f),
            Operator::Eventually(g) => self.unary(if spin { "<>" } else { "F" }, g, f),
            Operator::Always(g) => self.unary(if spin { "[]" } else { "G" }, g, f),
            Operator::And(parts) => self.list(if spin { " && " } else { " & " }, parts, f),
            Operator::Or(parts) => self.list(if spin { " || " } else { " | " }, parts, f),
            Operator::Implies(g, h) => self.binary(g, " -> ", h, f),
            Operator::Equivalent(g, h) => self.binary(g, " <-> ", h, f),
            Operator::Until(g, h) => self.binary(g, " U ", h, f),
            Operator::Release(g, h) => self.binary(g, if spin { " V " } else { " R " }, h, f),
            Operator::WeakUntil(g, h) if spin => self.binary(h, " V ", &Formula::or([g.clone(), h.clone()]), f),
            Operator::WeakUntil(g, h) => self.binary(g, " W ", h, f),
            Operator::StrongRelease(g, h) if spin => self.binary(h, " U ", &Formula::and([g.clone(), h.clone()]), f),
            Operator::StrongRelease(g, h) => self.binary(g, " M ", h, f),
        }
    }

    fn unary(&self, sign: &str, operand: &Formula, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(sign)?;
        let letter_meets_name = sign.ends_with(char::is_alphabetic) && !self.opens_with_sign(operand);
        if letter_meets_name {
            f.write_str(" ")?;
        }
        self.operand(operand, f)
    }

    /// Does the operand's text begin with something that cannot be read as part of a preceding letter?
    fn opens_with_sign(&self, operand: &Formula) -> bool {
        match operand.operator() {
            Operator::Not(_) => true,
            Operator::Next(_) => self.spelling == Spelling::Spot,
            Operator::Eventually(_) | Operator::Always(_) => true,
            Operator::True | Operator::False | Operator::Atom(_) => false,
            _ => true,
        }
    }

    fn list(&self, sign: &str, parts: &[Formula], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                f.write_str(sign)?;
            }
            self.operand(part, f)?;
        }
        Ok(())
    }

    fn binary(&self, left: &Formula, sign: &str, right: &Formula, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.operand(left, f)?;
        f.write_str(sign)?;
        self.operand(right, f)
    }

    fn operand(&self, formula: &Formula, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match formula.operator() {
            Operator::True
            | Operator::False
            | Operator::Atom(_)
            | Operator::Not(_)
            | Operator::Next(_)
            | Operator::Eventually(_)
            | Operator::Always(_) => self.infix(formula, f),
            _ => {
                f.write_str("(")?;
                self.infix(formula, f)?;
                f.write_str(")")
            }
        }
    }

    fn prefix(&self, formula: &Formula, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match formula.operator() {
            Operator::True => "t",
            Operator::False => "f",
            Operator::Atom(atom) => return f.write_str(&self.atom(*atom)),
            Operator::Not(_) => "!",
            Operator::And(_) => "&",
            Operator::Or(_) => "|",
            Operator::Implies(..) => "i",
            Operator::Equivalent(..) => "e",
            Operator::Next(_) => "X",
            Operator::Eventually(_) => "F",
            Operator::Always(_) => "G",
            Operator::Until(..) => "U",
            Operator::Release(..) => "V",
            Operator::WeakUntil(..) => "W",
            Operator::StrongRelease(..) => "M",
        };
        // A list of n operands needs its sign n - 1 times, each in front of the operand that follows it.
        let operands = formula.operator().operands().count();
        if operands < 2 {
            f.write_str(sign)?;
        }
        for (index, operand) in formula.operator().operands().enumerate() {
            if index + 1 < operands {
                write!(f, "{}{sign}", if index > 0 { " " } else { "" })?;
            }
            f.write_str(" ")?;
            self.prefix(operand, f)?;
        }
        Ok(())
    }

    fn atom(&self, atom: AtomId) -> String {
        let name = self.atoms.name(atom);
        let numbered = name
            .strip_prefix('p')
            .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()));
        let identifier = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let keyword = matches!(&*name, "true" | "false" | "xor" | "t" | "f")
            || name.starts_with(|c: char| "GFXURVWM".contains(c));
        match self.spelling {
            Spelling::Spin if identifier => name.into_owned(),
            Spelling::Spin => format!("({name})"),
            Spelling::Spot if identifier && !keyword => name.into_owned(),
            Spelling::Lbt if numbered => name.into_owned(),
            Spelling::Spot | Spelling::Lbt => quoted(&name),
        }
    }
}

/// The name as a string literal: backslash before quotes and backslashes.
pub(crate) fn quoted(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 2);
    text.push('"');
    for c in name.chars() {
        if c == '"' || c == '\\' {
            text.push('\\');
        }
        text.push(c);
    }
    text.push('"');
    text
}
