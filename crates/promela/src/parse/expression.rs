//! Expressions, by operator precedence.
//!
//! ```text
//! expr     = operand { binary operand }
//! binary   = "||"  <  "&&"  <  "|"  <  "^"  <  "&"  <  "==" "!="  <  "<" "<=" ">" ">="
//!            <  "<<" ">>"  <  "+" "-"  <  "*" "/" "%"                    (all associate to the left)
//! operand  = ("-" | "~" | "!") operand
//!          | "(" expr ")" | "(" expr "->" expr ":" expr ")"
//!          | number | character | "true" | "false" | "skip"
//!          | variable | variable ("?" | "??") "[" message "]" | remote
//!          | ("len" | "full" | "empty" | "nfull" | "nempty") "(" variable ")"
//!          | "run" name "(" [ expr { "," expr } ] ")" [ "priority" constant ]
//!          | ("enabled" | "pc_value" | "get_priority") "(" expr ")"
//!          | "timeout" | "np_" | "c_expr" c-text | "anyRef" "(" name ")" | "_undef_ref"
//! ```
//! SPIN keeps `full` and its like apart: they may be joined by `&&` and `||` and stand as a statement or behind `=` and
//! `assert`, but nothing else may be done with them, not even `!`. We accept more and say so ([`Operand::probe`]).

use super::MAX_CHAIN;
use super::cursor::{Around, Parsed, Parser, Stop};
use crate::ast::{BinaryOp, ChannelProbe, Constant, Expr, ExprKind, Name, RefPart, Run, UnaryOp, VariableRef};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::token::TokenKind;

/// How tightly an operator binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Precedence {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `&`
    BitAnd,
    /// `==` `!=`
    Equality,
    /// `<` `<=` `>` `>=`
    Comparison,
    /// `<<` `>>`
    Shift,
    /// `+` `-`
    Sum,
    /// `*` `/` `%`
    Product,
}

impl Precedence {
    /// Of a binary operator.
    pub(crate) fn of(operator: BinaryOp) -> Precedence {
        match operator {
            BinaryOp::Or => Precedence::Or,
            BinaryOp::And => Precedence::And,
            BinaryOp::BitOr => Precedence::BitOr,
            BinaryOp::BitXor => Precedence::BitXor,
            BinaryOp::BitAnd => Precedence::BitAnd,
            BinaryOp::Equal | BinaryOp::NotEqual => Precedence::Equality,
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => Precedence::Comparison,
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => Precedence::Shift,
            BinaryOp::Add | BinaryOp::Subtract => Precedence::Sum,
            BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder => Precedence::Product,
        }
    }
}

/// A parsed operand.
pub(super) struct Operand {
    pub expr: Expr,
    /// `full(q)` or a conjunction or disjunction with such a probe: what SPIN calls an *Expr* and lets nothing else be
    /// done with. Holds the probe.
    pub probe: Option<Probe>,
}

/// The probe in an [`Operand`].
#[derive(Clone, Copy)]
pub(super) struct Probe {
    kind: ChannelProbe,
    span: Span,
}

impl From<Expr> for Operand {
    fn from(expr: Expr) -> Operand {
        Operand { expr, probe: None }
    }
}

/// The binary operator a token is.
fn binary_operator(kind: TokenKind) -> Option<BinaryOp> {
    Some(match kind {
        TokenKind::Star => BinaryOp::Multiply,
        TokenKind::Slash => BinaryOp::Divide,
        TokenKind::Percent => BinaryOp::Remainder,
        TokenKind::Plus => BinaryOp::Add,
        TokenKind::Minus => BinaryOp::Subtract,
        TokenKind::ShiftLeft => BinaryOp::ShiftLeft,
        TokenKind::ShiftRight => BinaryOp::ShiftRight,
        TokenKind::Less => BinaryOp::Less,
        TokenKind::LessEqual => BinaryOp::LessEqual,
        TokenKind::Greater => BinaryOp::Greater,
        TokenKind::GreaterEqual => BinaryOp::GreaterEqual,
        TokenKind::Equal => BinaryOp::Equal,
        TokenKind::NotEqual => BinaryOp::NotEqual,
        TokenKind::Ampersand => BinaryOp::BitAnd,
        TokenKind::Caret => BinaryOp::BitXor,
        TokenKind::Bar => BinaryOp::BitOr,
        TokenKind::AndAnd => BinaryOp::And,
        TokenKind::OrOr => BinaryOp::Or,
        _ => return None,
    })
}

impl Parser<'_> {
    /// An expression where SPIN allows no `full(q)` and its like.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let operand = self.operand_chain()?;
        Ok(self.plain(operand))
    }

    /// An expression where SPIN allows `full(q)` and its like.
    pub(super) fn full_expression(&mut self) -> Parsed<Expr> {
        Ok(self.operand_chain()?.expr)
    }

    /// The whole expression, as far as SPIN allows probes, whose first operand is read already.
    pub(super) fn expression_from(&mut self, first: Operand) -> Parsed<Expr> {
        Ok(self.operators(first, Precedence::Or)?.expr)
    }

    fn operand_chain(&mut self) -> Parsed<Operand> {
        let first = self.operand()?;
        self.operators(first, Precedence::Or)
    }

    /// The binary operators behind `first` that bind at least as tightly as `loosest`, by operator precedence: what waits
    /// for its right operand is kept on a stack, so a long chain takes no recursion.
    pub(super) fn operators(&mut self, first: Operand, loosest: Precedence) -> Parsed<Operand> {
        let mut waiting: Vec<(Operand, BinaryOp)> = Vec::new();
        let mut right = first;
        let mut count = 0;
        loop {
            let operator = self.binary_operator().filter(|operator| Precedence::of(*operator) >= loosest);
            while let Some((left, above)) = waiting.pop() {
                if operator.is_some_and(|operator| Precedence::of(operator) > Precedence::of(above)) {
                    waiting.push((left, above));
                    break;
                }
                right = self.binary(left, above, right);
            }
            let Some(operator) = operator else { return Ok(right) };
            count += 1;
            if count > MAX_CHAIN {
                let problem = Diagnostic::error("expression-too-long", self.span(), "this expression is too long")
                    .note(format!("at most {MAX_CHAIN} operators may follow each other; put a part into parentheses"));
                return Err(self.give_up(problem));
            }
            self.bump();
            waiting.push((right, operator));
            if let Some(stop) = self.mistake_behind_operator() {
                return Err(stop);
            }
            right = self.operand()?;
        }
    }

    /// The binary operator that stands here.
    pub(super) fn binary_operator(&self) -> Option<BinaryOp> {
        if self.in_formula && self.at_composed_connective() { None } else { binary_operator(self.kind()) }
    }

    pub(super) fn binary(&mut self, left: Operand, operator: BinaryOp, right: Operand) -> Operand {
        let span = self.sources.cover(left.expr.span, right.expr.span);
        let probe = left.probe.or(right.probe);
        let joins_probes = matches!(operator, BinaryOp::And | BinaryOp::Or);
        let (left, right, probe) =
            if joins_probes { (left.expr, right.expr, probe) } else { (self.plain(left), self.plain(right), None) };
        let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
        Operand { expr: Expr { kind, span }, probe }
    }

    /// The expression of an operand that is used where SPIN allows no probes.
    pub(super) fn plain(&mut self, operand: Operand) -> Expr {
        if let Some(probe) = operand.probe {
            let name = probe.kind.name();
            let problem = Diagnostic::warning("beyond-spin", probe.span, format!("SPIN 6.5 does not accept `{name}` here"))
                .note("SPIN allows `full`, `empty`, `nfull` and `nempty` only as conditions by themselves or joined by `&&` and `||`; `len` can stand anywhere");
            self.report(problem);
        }
        operand.expr
    }

    /// One operand with the unary operators before it.
    pub(super) fn operand(&mut self) -> Parsed<Operand> {
        match self.kind() {
            TokenKind::Minus | TokenKind::Tilde | TokenKind::Bang | TokenKind::BangBang => self.unary(),
            TokenKind::LeftParen => self.inside(Self::parenthesised),
            TokenKind::Number | TokenKind::Character => Ok(self.constant("a number")?.into()),
            TokenKind::Word if self.at_name() => self.name_operand(),
            TokenKind::Word => self.keyword_operand(),
            _ => Err(self.mistake_at_operand()),
        }
    }

    /// A unary operator with its operand.
    fn unary(&mut self) -> Parsed<Operand> {
        let start = self.span();
        let operator = match self.kind() {
            TokenKind::Minus => UnaryOp::Negate,
            TokenKind::Tilde => UnaryOp::Complement,
            TokenKind::BangBang => {
                self.beyond_spin(start, "`!!` for a double negation; write `! !`");
                self.bump();
                let inner = self.nested(|parser| parser.nested(Self::operand))?;
                let inner = self.negation(inner, start);
                let outer = self.negation(inner, start);
                return Ok(outer);
            }
            _ => UnaryOp::Not,
        };
        self.bump();
        if operator == UnaryOp::Negate && self.at(TokenKind::Number) {
            let number = self.number(Sign::Negative)?;
            let kind = ExprKind::Unary(operator, Box::new(number));
            return Ok(Expr { kind, span: self.since(start) }.into());
        }
        let inner = self.nested(Self::operand)?;
        if operator == UnaryOp::Not {
            return Ok(self.negation(inner, start));
        }
        let inner = self.plain(inner);
        Ok(Expr { kind: ExprKind::Unary(operator, Box::new(inner)), span: self.since(start) }.into())
    }

    /// `!e`. SPIN refuses `!full(q)` although its meaning is clear.
    pub(super) fn negation(&mut self, inner: Operand, start: Span) -> Operand {
        let span = self.sources.cover(start, inner.expr.span);
        if let (Some(_), ExprKind::Probe(kind, channel)) = (inner.probe, &inner.expr.kind) {
            let opposite = match kind {
                ChannelProbe::Full => "nfull",
                ChannelProbe::NotFull => "full",
                ChannelProbe::Empty => "nempty",
                _ => "empty",
            };
            let channel = self.sources.snippet(channel.span).to_owned();
            let problem =
                Diagnostic::warning("beyond-spin", span, format!("SPIN 6.5 does not accept `!{}`", kind.name()))
                    .suggest("say it without `!`", span, format!("{opposite}({channel})"));
            self.report(problem);
            return Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(inner.expr)), span }.into();
        }
        let inner = self.plain(inner);
        Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(inner)), span }.into()
    }

    /// `( e )` or `( c -> a : b )`
    fn parenthesised(&mut self) -> Parsed<Operand> {
        let start = self.span();
        let open = self.open_parenthesis("`(`")?;
        let inner = self.operand_chain()?;
        if self.at(TokenKind::Arrow) {
            self.bump();
            let condition = self.plain(inner);
            return Ok(self.conditional(condition, open, start)?.into());
        }
        if !self.at(TokenKind::RightParen) {
            return Err(self.mistake_in_parentheses(open));
        }
        self.close_parenthesis(open)?;
        let probe = inner.probe;
        let kind = ExprKind::Paren(Box::new(inner.expr));
        Ok(Operand { expr: Expr { kind, span: self.since(start) }, probe })
    }

    /// What follows `( c ->`.
    pub(super) fn conditional(&mut self, condition: Expr, open: Span, start: Span) -> Parsed<Expr> {
        let first = self.around(Around::Conditional, Self::expression)?;
        if !self.at(TokenKind::Colon) {
            let problem = self
                .unexpected("`:` and the other value")
                .also(open, "in this conditional expression")
                .note("`(condition -> value : other value)`");
            return Err(self.fail(problem));
        }
        self.bump();
        let second = self.expression()?;
        self.close_parenthesis(open)?;
        let kind = ExprKind::Conditional(Box::new(condition), Box::new(first), Box::new(second));
        Ok(Expr { kind, span: self.since(start) })
    }

    /// A number, character, `true`, `false`, `skip`, or a name that may be an mtype's.
    pub(super) fn constant(&mut self, what: &str) -> Parsed<Expr> {
        let start = self.span();
        let constant = match self.kind() {
            TokenKind::Number => return self.number(Sign::Positive),
            TokenKind::Character => {
                let text = self.token().text.clone();
                let Some(value) = character_value(&text) else {
                    let problem = Diagnostic::error("bad-character", start, format!("{text} is not one character"));
                    return Err(self.fail(problem));
                };
                Constant::Character(value)
            }
            TokenKind::Word if self.at_word("true") => Constant::True,
            TokenKind::Word if self.at_word("false") => Constant::False,
            TokenKind::Word if self.at_word("skip") => Constant::Skip,
            TokenKind::Word if self.at_name() => {
                let name = self.bump_name();
                let variable = VariableRef { span: name.span, parts: vec![RefPart { name, index: None }] };
                return Ok(Expr { span: variable.span, kind: ExprKind::Variable(variable) });
            }
            _ => return Err(self.expected(what)),
        };
        self.bump();
        Ok(Expr { kind: ExprKind::Constant(constant), span: start })
    }

    /// A decimal number. SPIN computes with 32 bits and cuts what does not fit.
    fn number(&mut self, sign: Sign) -> Parsed<Expr> {
        let token = self.bump();
        let next = self.token();
        if next.kind == TokenKind::Word && !next.space_before && !next.newline_before {
            return Err(self.mistake_in_number(&token));
        }
        let value = token.text.parse::<i64>().unwrap_or(i64::MAX);
        let cut = value as i32;
        let largest = i64::from(i32::MAX) + i64::from(sign == Sign::Negative);
        if value > largest {
            let problem = Diagnostic::warning(
                "number-too-large",
                token.span,
                format!("`{}` does not fit into 32 bits", token.text),
            )
            .note(format!("it is cut to {cut}, as SPIN does; the largest number is {}", i32::MAX));
            self.report(problem);
        }
        Ok(Expr { kind: ExprKind::Constant(Constant::Number(cut)), span: token.span })
    }

    fn keyword_operand(&mut self) -> Parsed<Operand> {
        let word = self.token().text.clone();
        match &*word {
            "true" | "false" | "skip" => Ok(self.constant("a constant")?.into()),
            "timeout" => Ok(Expr { kind: ExprKind::Timeout, span: self.bump().span }.into()),
            "np_" => Ok(Expr { kind: ExprKind::NonProgress, span: self.bump().span }.into()),
            "len" => self.probe(ChannelProbe::Len),
            "full" => self.probe(ChannelProbe::Full),
            "empty" => self.probe(ChannelProbe::Empty),
            "nfull" => self.probe(ChannelProbe::NotFull),
            "nempty" => self.probe(ChannelProbe::NotEmpty),
            "enabled" => self.about_process(ExprKind::Enabled),
            "pc_value" => self.about_process(ExprKind::PcValue),
            "get_priority" => self.about_process(ExprKind::GetPriority),
            "run" => self.inside(Self::run),
            "c_expr" => {
                let text = self.c_text()?;
                Ok(Expr { span: text.span, kind: ExprKind::CExpr(text) }.into())
            }
            _ => Err(self.mistake_at_operand()),
        }
    }

    fn probe(&mut self, kind: ChannelProbe) -> Parsed<Operand> {
        let start = self.bump().span;
        let open = self.open_parenthesis(&format!("`(` after `{}`", kind.name()))?;
        let channel = self.inside(|parser| parser.variable("a channel"))?;
        self.close_parenthesis(open)?;
        let span = self.since(start);
        let probe = if kind == ChannelProbe::Len { None } else { Some(Probe { kind, span }) };
        Ok(Operand { expr: Expr { kind: ExprKind::Probe(kind, channel), span }, probe })
    }

    /// `enabled(e)` and its like.
    fn about_process(&mut self, kind: fn(Box<Expr>) -> ExprKind) -> Parsed<Operand> {
        let word = self.bump();
        let open = self.open_parenthesis(&format!("`(` and a process number after `{}`", word.text))?;
        let argument = Box::new(self.inside(Self::expression)?);
        self.close_parenthesis(open)?;
        Ok(Expr { kind: kind(argument), span: self.since(word.span) }.into())
    }

    fn run(&mut self) -> Parsed<Operand> {
        let start = self.bump().span;
        let proctype = self.name("a proctype after `run`")?;
        if !self.at(TokenKind::LeftParen) {
            let missing = self.last_span.after();
            let problem =
                Diagnostic::error("missing-arguments", missing, format!("expected `(` after `run {}`", proctype.text))
                    .note("a process without arguments is still started with parentheses")
                    .suggest("add them", missing, "()");
            return Err(self.fail(problem));
        }
        let open = self.open_parenthesis("`(` and the arguments")?;
        let arguments = self.arguments(TokenKind::RightParen)?;
        self.close_parenthesis(open)?;
        let priority = self.priority()?;
        let run = Box::new(Run { proctype, arguments, priority });
        Ok(Expr { kind: ExprKind::Run(run), span: self.since(start) }.into())
    }

    /// Expressions separated by commas, up to `end`; there may be none.
    pub(super) fn arguments(&mut self, end: TokenKind) -> Parsed<Vec<Expr>> {
        let mut arguments = Vec::new();
        if self.at(end) {
            return Ok(arguments);
        }
        arguments.push(self.expression()?);
        while self.eat(TokenKind::Comma) {
            arguments.push(self.expression()?);
        }
        Ok(arguments)
    }

    /// Whether `anyRef(P)` stands here, and not an inline of that name.
    pub(super) fn is_any_ref(&self) -> bool {
        self.at_word("anyRef")
            && !self.names.inlines.contains_key("anyRef")
            && self.token_after(1).kind == TokenKind::LeftParen
            && self.token_after(2).kind == TokenKind::Word
            && self.token_after(3).kind == TokenKind::RightParen
    }

    /// `anyRef(P)`
    pub(super) fn any_ref(&mut self) -> Parsed<Expr> {
        let start = self.bump().span;
        let open = self.open_parenthesis("`(`")?;
        let proctype: Name = self.name("a proctype")?;
        self.close_parenthesis(open)?;
        Ok(Expr { kind: ExprKind::AnyRef(proctype), span: self.since(start) })
    }

    /// An inline used inside an expression.
    pub(super) fn inline_in_expression(&mut self) -> Stop {
        let name = self.token().text.clone();
        let is_inline = self.names.inlines.contains_key(&name);
        if !is_inline && !self.names.reported.insert(name.clone()) {
            return Stop::Step;
        }
        let problem = match is_inline {
            true => Diagnostic::error("inline-in-expression", self.span(), format!("inline `{name}` cannot be used inside an expression"))
                .note("an inline is a piece of text with statements; use it as a statement, or as all of `x = name(...)` if it has a `return`"),
            false => self.unknown_call_guess(&name, self.span()),
        };
        self.fail(problem)
    }
}

/// Whether a minus stands before a number: the least number has no positive counterpart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Positive,
    Negative,
}

/// The value of a character constant, quotes included in `text`. A backslash gives `n r t f` their usual meaning and leaves
/// every other character as it is.
fn character_value(text: &str) -> Option<u8> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    match inner.as_bytes() {
        [byte] if *byte != b'\\' => Some(*byte),
        [b'\\', escaped] => Some(match escaped {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'f' => 0x0c,
            other => *other,
        }),
        _ => None,
    }
}
