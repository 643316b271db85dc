//! Sending and receiving.
//!
//! ```text
//! send     = ("!" | "!!") ( expr { "," expr } | expr "(" expr { "," expr } ")" )
//! receive  = ("?" | "??") ( message | "<" message ">" )
//! poll     = ("?" | "??") "[" message "]"                                   (an operand of an expression)
//! message  = field { "," field } | field "(" message ")" | "(" message ")"
//! field    = variable | "eval" "(" expr ")" | [ "-" ] constant
//! ```
//! `m(a, b)` is another way to write `m, a, b`.

use super::cursor::{Around, Parsed, Parser};
use crate::ast::{Expr, ExprKind, Receive, ReceiveArgument, Send, UnaryOp, VariableRef};
use crate::diagnostic::Diagnostic;
use crate::token::TokenKind;

const EVAL_NOTE: &str = "to receive only a message with a computed value, write `eval(expression)`";

impl Parser<'_> {
    /// What follows the channel in a send.
    pub(super) fn send(&mut self, channel: VariableRef) -> Parsed<Send> {
        let sorted = self.bump().kind == TokenKind::BangBang;
        let mut arguments = vec![self.around(Around::MessageHead, Self::expression)?];
        if self.at(TokenKind::LeftParen) {
            let open = self.open_parenthesis("`(`")?;
            if self.at(TokenKind::RightParen) {
                return Err(self.expected("the other fields of the message"));
            }
            arguments.extend(self.arguments(TokenKind::RightParen)?);
            self.close_parenthesis(open)?;
            return Ok(Send { channel, sorted, arguments });
        }
        while self.eat(TokenKind::Comma) {
            arguments.push(self.expression()?);
        }
        Ok(Send { channel, sorted, arguments })
    }

    /// What follows the channel in a receive statement.
    pub(super) fn receive(&mut self, channel: VariableRef) -> Parsed<Receive> {
        let random = self.bump().kind == TokenKind::QuestionQuestion;
        let copy = self.eat(TokenKind::Less);
        let mut arguments = Vec::new();
        self.message(&mut arguments)?;
        if copy {
            self.expect(TokenKind::Greater, "`>` after the fields to copy")?;
        }
        Ok(Receive { channel, random, copy, arguments })
    }

    /// What follows the channel in `q?[...]`.
    pub(super) fn poll(&mut self, channel: VariableRef) -> Parsed<Receive> {
        let random = self.bump().kind == TokenKind::QuestionQuestion;
        self.expect(TokenKind::LeftBracket, "`[`")?;
        let mut arguments = Vec::new();
        self.inside(|parser| parser.message(&mut arguments))?;
        self.expect(TokenKind::RightBracket, "`]` after the fields to match")?;
        Ok(Receive { channel, random, copy: false, arguments })
    }

    /// The fields of a receive, added to `fields`.
    fn message(&mut self, fields: &mut Vec<ReceiveArgument>) -> Parsed<()> {
        loop {
            if self.at(TokenKind::LeftParen) {
                let open = self.open_parenthesis("`(`")?;
                self.inside(|parser| parser.message(fields))?;
                return self.close_parenthesis(open);
            }
            fields.push(self.receive_field()?);
            if self.at(TokenKind::LeftParen) {
                continue;
            }
            if !self.eat(TokenKind::Comma) {
                return Ok(());
            }
            if self.at(TokenKind::LeftParen) {
                return Err(self.expected("a variable, a constant or `eval(...)`"));
            }
        }
    }

    fn receive_field(&mut self) -> Parsed<ReceiveArgument> {
        let argument = self.receive_argument()?;
        if self.binary_operator().is_some() && !self.at(TokenKind::Greater) {
            let problem = self.unexpected("`,` or the end of the message").note(EVAL_NOTE);
            return Err(self.fail(problem));
        }
        Ok(argument)
    }

    fn receive_argument(&mut self) -> Parsed<ReceiveArgument> {
        if self.at_name() {
            let variable = self.variable("a variable")?;
            return Ok(ReceiveArgument::Variable(variable));
        }
        if self.eat_word("eval") {
            let open = self.open_parenthesis("`(` after `eval`")?;
            let expr = self.inside(Self::expression)?;
            self.close_parenthesis(open)?;
            return Ok(ReceiveArgument::Eval(expr));
        }
        let start = self.span();
        if self.at(TokenKind::Minus)
            && matches!(self.next_kind(), TokenKind::Number | TokenKind::Character | TokenKind::Word)
        {
            self.bump();
            let constant = Box::new(self.constant("a constant")?);
            let kind = ExprKind::Unary(UnaryOp::Negate, constant);
            return Ok(ReceiveArgument::Constant(Expr { kind, span: self.since(start) }));
        }
        if matches!(self.kind(), TokenKind::Number | TokenKind::Character) || self.at_one_of(&["true", "false", "skip"])
        {
            return Ok(ReceiveArgument::Constant(self.constant("a constant")?));
        }
        let what = "a variable, a constant or `eval(...)`";
        let mut problem: Diagnostic = self.unexpected(what);
        if matches!(
            self.kind(),
            TokenKind::LeftParen | TokenKind::Minus | TokenKind::Bang | TokenKind::Tilde | TokenKind::Word
        ) {
            problem = problem.note(EVAL_NOTE);
        }
        Err(self.fail(problem))
    }
}
