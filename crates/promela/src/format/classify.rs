//! Telling apart the tokens that look the same: subtraction and sign, send and negation, the six meanings of `:`.
//!
//! The text around a token decides, never a declaration: the file may lack what it includes. A wrong guess costs a blank.

use super::item::{Item, ItemKind};
use super::nesting::{ColonOf, Content};
use super::role::{Role, Shape, is_always_binary, is_plain_keyword, is_temporal_connective, is_temporal_prefix};
use super::walk::Walker;
use crate::token::TokenKind;

impl Walker<'_> {
    /// The role of the token at `at`.
    pub(super) fn token_role(&mut self, kind: TokenKind, at: usize) -> Role {
        use TokenKind as T;
        let after_operand = self.state.previous.is_some_and(Role::ends_operand);
        match kind {
            T::Word => self.word_role(at),
            T::Number | T::Character | T::String => Role::Operand,
            T::LeftBrace => Role::Open(Shape::Brace),
            T::RightBrace => Role::Close(Shape::Brace),
            T::LeftParen => Role::Open(Shape::Paren),
            T::RightParen => Role::Close(Shape::Paren),
            T::LeftBracket if self.touches_next(at, T::RightBracket) => Role::PrefixHead,
            T::LeftBracket => Role::Open(Shape::Bracket),
            T::RightBracket | T::Greater if self.state.previous == Some(Role::PrefixHead) => Role::Prefix,
            T::RightBracket => Role::Close(Shape::Bracket),
            T::Less if self.touches_next(at, T::Greater) => Role::PrefixHead,
            T::Less if self.touches_next(at, T::Arrow) => Role::BinaryHead,
            T::Less if self.state.previous == Some(Role::Receive) => {
                self.state.angle = Some(self.state.nesting.depth());
                Role::Open(Shape::Angle)
            }
            T::Greater if self.state.angle == Some(self.state.nesting.depth()) => {
                self.state.angle = None;
                Role::Close(Shape::Angle)
            }
            T::Arrow if self.state.previous == Some(Role::BinaryHead) => Role::Binary,
            T::Arrow => {
                if let Some(frame) = self.state.nesting.top_mut().filter(|frame| frame.content == Content::Expression) {
                    frame.colon = ColonOf::Phrase;
                }
                Role::Arrow
            }
            T::Semicolon => Role::Semicolon,
            T::Comma => Role::Comma,
            T::DoubleColon => Role::Option,
            T::Colon => self.colon_role(at),
            T::Dot | T::At => Role::Tight,
            T::Increment | T::Decrement if after_operand => Role::Postfix,
            T::Increment | T::Decrement | T::Tilde => Role::Prefix,
            T::Bang | T::BangBang if after_operand && self.state.nesting.content() != Content::Formula => Role::Tight,
            T::Bang | T::BangBang => Role::Prefix,
            T::Question | T::QuestionQuestion => Role::Receive,
            T::Minus if !after_operand => Role::Prefix,
            T::Minus => Role::Binary,
            _ if is_always_binary(kind) => Role::Binary,
            _ => Role::Foreign,
        }
    }

    fn word_role(&mut self, at: usize) -> Role {
        let item = &self.lines.items[at];
        let word = item.text(self.file);
        let follows_colon = self.next_code(at).is_some_and(|next| next.kind == ItemKind::Token(TokenKind::Colon));
        self.state.in_label = follows_colon && self.is_label_word(item) && self.begins_statement();
        self.state.says_bits |= word == "unsigned";
        if matches!(self.state.previous, Some(Role::Tight)) {
            return Role::Operand;
        }
        if self.state.nesting.content() == Content::Formula {
            let after_operand = self.state.previous.is_some_and(Role::ends_operand);
            if is_temporal_connective(word) && after_operand || is_temporal_prefix(word) {
                return Role::Keyword;
            }
        }
        if is_plain_keyword(word) { Role::Keyword } else { Role::Operand }
    }

    fn colon_role(&mut self, at: usize) -> Role {
        if std::mem::take(&mut self.state.in_label) {
            return Role::Label;
        }
        let before_number = self.next_code(at).is_some_and(|next| next.kind == ItemKind::Token(TokenKind::Number));
        if self.latest_text(0) == "mtype" {
            return Role::Tight;
        }
        let in_phrase = self
            .state
            .nesting
            .top_mut()
            .is_some_and(|frame| std::mem::replace(&mut frame.colon, ColonOf::Reference) == ColonOf::Phrase);
        if in_phrase || before_number || self.state.says_bits { Role::Binary } else { Role::Tight }
    }

    /// Whether the next token is of this kind and touches the one at `at`.
    fn touches_next(&self, at: usize, kind: TokenKind) -> bool {
        let items = &self.lines.items;
        items.get(at + 1).is_some_and(|next| next.kind == ItemKind::Token(kind) && next.start == items[at].end)
    }

    fn next_code(&self, at: usize) -> Option<&Item> {
        self.lines.items[at + 1..].iter().find(|item| item.is_code())
    }
}
