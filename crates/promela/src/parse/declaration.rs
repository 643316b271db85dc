//! Declarations of variables, channels and mtype names.
//!
//! ```text
//! declaration = [ "public" ] [ "hidden" | "show" | "local" ] type declarator { "," declarator }
//!             | "mtype" [ [ ":" name ] "=" ] "{" name { [","] name } "}"
//! type        = "bit" | "bool" | "byte" | "pid" | "short" | "int" | "unsigned" | "chan"
//!             | "mtype" [ ":" name ] | name                       (a typedef's) | "ref" name
//! declarator  = name [ ":" constant | "[" expr "]" ] [ "(" "extern" name [ "!" | "?" ] ")" ] [ "=" initialiser ]
//! initialiser = expr | "{" expr { "," expr } "}" | "[" expr "]" "of" "{" type { "," type } "}"
//! ```
//! `public`, `ref` and `extern` are extensions and stay plain names elsewhere.

use super::cursor::{Definition, Parsed, Parser, Stop};
use super::words::{TYPE_WORDS, VISIBILITY_WORDS, is_keyword};
use crate::ast::{
    BinaryOp, ChannelInitialiser, Declaration, Declarator, Expr, ExprKind, External, Initialiser, MtypeDeclaration,
    Name, OperatorChain, PortDirection, TypeName, UnaryOp, Visibility,
};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::token::{Token, TokenKind};

/// What a declaration declares.
pub(super) enum Declared {
    /// Variables or channels.
    Variables(Declaration),
    /// A set of mtype names.
    Mtype(MtypeDeclaration),
}

impl Parser<'_> {
    /// Whether a declaration begins here.
    pub(super) fn at_declaration(&self) -> bool {
        self.at_one_of(VISIBILITY_WORDS)
            || self.at_type()
            || self.at_word("public") && self.next_kind() == TokenKind::Word && self.type_follows_public()
    }

    fn at_type(&self) -> bool {
        self.at_one_of(TYPE_WORDS)
            || self.at_name()
                && self.next_kind() == TokenKind::Word
                && self.is_type_before_name(self.token(), self.token_after(1), self.token_after(2))
    }

    /// Whether `first` is a typedef's name or `ref P`, with a variable's name behind it.
    fn is_type_before_name(&self, first: &Token, second: &Token, third: &Token) -> bool {
        let plain = |token: &Token| token.kind == TokenKind::Word && !is_keyword(&token.text);
        first.kind == TokenKind::Word
            && plain(second)
            && (self.names.typedefs.contains_key(&first.text)
                || matches!(self.names.ahead.get(&first.text), Some((Definition::Typedef, _)))
                || first.is_word("ref") && plain(third) && !(third.newline_before && self.lines.in_body))
    }

    fn type_follows_public(&self) -> bool {
        let next = self.token_after(1);
        next.kind == TokenKind::Word
            && (TYPE_WORDS.contains(&&*next.text)
                || VISIBILITY_WORDS.contains(&&*next.text)
                || self.is_type_before_name(next, self.token_after(2), self.token_after(3)))
    }

    /// One declaration, without the separator behind it.
    pub(super) fn declaration(&mut self) -> Parsed<Declared> {
        let start = self.span();
        let public = if self.at_word("public") { Some(self.bump().span) } else { None };
        let visibility = self.visibility();
        if self.at_one_of(VISIBILITY_WORDS) {
            let problem = self.unexpected("a type").note("only one of `hidden`, `show` and `local` can be given");
            return Err(self.fail(problem));
        }
        if self.at_word("mtype") {
            let word = self.bump();
            return self.after_mtype(start, word.span, public, visibility);
        }
        if !self.at_type() {
            return Err(self.mistake_at_type());
        }
        let type_span = self.span();
        let type_name = self.type_name()?;
        let type_span = self.since(type_span);
        self.variables(start, public, visibility, type_name, type_span).map(Declared::Variables)
    }

    fn visibility(&mut self) -> Option<(Visibility, Span)> {
        let visibility = match () {
            () if self.at_word("hidden") => Visibility::Hidden,
            () if self.at_word("show") => Visibility::Show,
            () if self.at_word("local") => Visibility::Local,
            () => return None,
        };
        Some((visibility, self.bump().span))
    }

    /// What follows `mtype`: a set of names, or variables.
    fn after_mtype(
        &mut self,
        start: Span,
        word: Span,
        public: Option<Span>,
        visibility: Option<(Visibility, Span)>,
    ) -> Parsed<Declared> {
        let set = if self.eat(TokenKind::Colon) { Some(self.name("the name of an mtype set")?) } else { None };
        let names_follow = self.at(TokenKind::LeftBrace) || self.at(TokenKind::Assign);
        if !names_follow {
            let type_span = self.since(word);
            let variables = self.variables(start, public, visibility, TypeName::Mtype(set), type_span)?;
            return Ok(Declared::Variables(variables));
        }
        if let Some(span) = visibility.map(|(_, span)| span).or(public) {
            let problem = Diagnostic::error("mtype-visibility", span, "a set of mtype names can have no visibility");
            self.report(problem);
        }
        if !self.eat(TokenKind::Assign) && set.is_some() {
            self.beyond_spin(self.span(), "a named mtype set without `=`");
        }
        let names = self.mtype_names()?;
        Ok(Declared::Mtype(MtypeDeclaration { set, names, span: self.since(start) }))
    }

    /// `{ a, b, c }`, where SPIN does not insist on the commas.
    fn mtype_names(&mut self) -> Parsed<Vec<Name>> {
        self.expect(TokenKind::LeftBrace, "`{` and the names of the set")?;
        let mut names = vec![self.name("an mtype name")?];
        loop {
            match self.kind() {
                TokenKind::Comma => {
                    self.bump();
                }
                TokenKind::RightBrace => {
                    self.bump();
                    return Ok(names);
                }
                TokenKind::Assign => {
                    let problem = self.unexpected("`,` or `}`").note(
                        "mtype names are numbered by SPIN, from the last to the first; they cannot be given values",
                    );
                    return Err(self.fail(problem));
                }
                _ => {
                    let name = self.name("an mtype name, `,` or `}`")?;
                    self.note_declared(&name);
                    names.push(name);
                }
            }
        }
    }

    /// A type, where one is known to begin.
    fn type_name(&mut self) -> Parsed<TypeName> {
        let token = self.bump();
        Ok(match &*token.text {
            "bit" => TypeName::Bit,
            "bool" => TypeName::Bool,
            "byte" => TypeName::Byte,
            "pid" => TypeName::Pid,
            "short" => TypeName::Short,
            "int" => TypeName::Int,
            "unsigned" => TypeName::Unsigned,
            "chan" => TypeName::Chan,
            "mtype" => {
                let set = if self.eat(TokenKind::Colon) { Some(self.name("the name of an mtype set")?) } else { None };
                TypeName::Mtype(set)
            }
            _ if self.names.typedefs.contains_key(&token.text) => {
                TypeName::User(Name { text: token.text, span: token.span })
            }
            "ref" => TypeName::Ref(self.name("a proctype after `ref`")?),
            _ => {
                let name = Name { text: token.text, span: token.span };
                self.report_late_typedef(&name);
                TypeName::User(name)
            }
        })
    }

    fn report_late_typedef(&mut self, name: &Name) {
        let mut problem = Diagnostic::error(
            "typedef-before-definition",
            name.span,
            format!("type `{}` is used before its definition", name.text),
        );
        if let Some((_, definition)) = self.names.ahead.get(&name.text) {
            problem = problem.also(*definition, "defined here");
        }
        self.report(problem.note("move the typedef up, before its first use"));
    }

    fn variables(
        &mut self,
        start: Span,
        public: Option<Span>,
        visibility: Option<(Visibility, Span)>,
        type_name: TypeName,
        type_span: Span,
    ) -> Parsed<Declaration> {
        let mut variables = vec![self.declarator(&type_name)?];
        while self.at(TokenKind::Comma) {
            let comma = self.bump().span;
            if self.at_one_of(TYPE_WORDS) || self.at_one_of(VISIBILITY_WORDS) {
                let problem = self
                    .unexpected("the name of another variable")
                    .note("declarations with their own type are separated by `;`")
                    .suggest("begin another declaration", comma, ";");
                self.report(problem);
                break;
            }
            let after_brace =
                self.tokens[..self.position - 1].last().is_some_and(|token| token.kind == TokenKind::RightBrace);
            if after_brace {
                self.beyond_spin(comma, "another variable after an initialiser in braces");
            }
            variables.push(self.declarator(&type_name)?);
        }
        Ok(Declaration { visibility, public, type_name, type_span, variables, span: self.since(start) })
    }

    fn declarator(&mut self, type_name: &TypeName) -> Parsed<Declarator> {
        let name = self.name("the name of a variable")?;
        self.note_declared(&name);
        let start = name.span;
        let mut width = None;
        let mut length = None;
        if self.eat(TokenKind::Colon) {
            width = Some(self.constant("the width in bits")?);
        } else if self.at(TokenKind::LeftBracket) {
            length = Some(self.array_length()?);
        }
        // Two words in a row are no expression, which might begin the next statement.
        let is_clause = self.token_after(1).is_word("extern") && self.token_after(2).kind == TokenKind::Word;
        let external = match self.at(TokenKind::LeftParen) {
            true if *type_name == TypeName::Chan || is_clause => Some(self.external(type_name)?),
            _ => None,
        };
        let initialiser =
            if self.eat(TokenKind::Assign) { Some(self.initialiser()?) } else { self.no_initialiser(type_name)? };
        Ok(Declarator { name, width, length, external, initialiser, span: self.since(start) })
    }

    fn array_length(&mut self) -> Parsed<Expr> {
        self.bump();
        if self.at(TokenKind::RightBracket) {
            let problem = self.unexpected("the number of elements").note("an array's length must be given");
            return Err(self.fail(problem));
        }
        let length = self.expression()?;
        self.expect(TokenKind::RightBracket, "`]`")?;
        self.check_constant_form(&length);
        if self.at(TokenKind::LeftBracket) {
            let problem = Diagnostic::error("array-of-arrays", self.span(), "arrays have one dimension")
                .note("put the inner array into a typedef: `typedef Row { byte cell[3] }` and `Row grid[2]`, used as `grid[i].cell[j]`");
            return Err(self.fail(problem));
        }
        Ok(length)
    }

    /// SPIN takes numbers and `+ - * / %` in the length of an array and the capacity of a channel.
    fn check_constant_form(&mut self, expr: &Expr) {
        if !is_constant_form(expr) {
            self.beyond_spin(expr.span, "this operator in an array's length or a channel's capacity");
        }
    }

    fn external(&mut self, type_name: &TypeName) -> Parsed<External> {
        let start = self.span();
        let open = self.open_parenthesis("`(`")?;
        if !self.eat_word("extern") {
            let problem = self.unexpected("`extern`").note("a channel is initialised with `= [capacity] of { types }`");
            return Err(self.fail(problem));
        }
        let name = self.name("the name by which it is observed")?;
        let direction = match self.kind() {
            TokenKind::Bang => Some(PortDirection::Send),
            TokenKind::Question => Some(PortDirection::Receive),
            TokenKind::RightParen => None,
            _ => return Err(self.expected("`!`, `?` or `)`")),
        };
        if direction.is_some() {
            if *type_name != TypeName::Chan {
                let problem = self.unexpected("`)`").note("only channels have a direction");
                return Err(self.fail(problem));
            }
            self.bump();
        }
        self.close_parenthesis(open)?;
        Ok(External { name, direction, span: self.since(start) })
    }

    fn initialiser(&mut self) -> Parsed<Initialiser> {
        match self.kind() {
            TokenKind::LeftBrace => self.initialiser_list(),
            TokenKind::LeftBracket => self.channel_initialiser().map(Initialiser::Channel),
            _ => Ok(Initialiser::Expression(self.expression()?)),
        }
    }

    /// Mistakes that look like an initialiser without `=`.
    fn no_initialiser(&mut self, type_name: &TypeName) -> Parsed<Option<Initialiser>> {
        if *type_name == TypeName::Chan && self.at_word("of") {
            let problem = self
                .unexpected("`= [capacity]` before `of`")
                .note("a channel with room for 3 messages of one byte: `chan c = [3] of { byte }`")
                .suggest(
                    "give the capacity; 0 makes sender and receiver meet",
                    Span { end: self.span().start, ..self.span() },
                    "= [0] ",
                );
            return Err(self.fail(problem));
        }
        Ok(None)
    }

    fn initialiser_list(&mut self) -> Parsed<Initialiser> {
        let open = self.bump().span;
        let mut values = vec![self.list_value()?];
        while self.eat(TokenKind::Comma) {
            if self.at(TokenKind::RightBrace) {
                self.beyond_spin(self.last_span, "a `,` before `}`");
                break;
            }
            values.push(self.list_value()?);
        }
        if !self.at(TokenKind::RightBrace) {
            let problem = self.unexpected("`,` or `}`").also(open, "in this list");
            return Err(self.fail(problem));
        }
        self.bump();
        Ok(Initialiser::List(values, self.since(open)))
    }

    fn list_value(&mut self) -> Parsed<Expr> {
        let value = self.expression()?;
        if !matches!(value.kind, ExprKind::Constant(_) | ExprKind::Variable(_)) {
            self.beyond_spin(value.span, "anything but plain constants in such a list");
        }
        Ok(value)
    }

    fn channel_initialiser(&mut self) -> Parsed<ChannelInitialiser> {
        let start = self.bump().span;
        let capacity = self.expression()?;
        self.check_constant_form(&capacity);
        self.expect(TokenKind::RightBracket, "`]` after the channel's capacity")?;
        if !self.eat_word("of") {
            let problem = self
                .unexpected("`of` and the types of a message")
                .note("a channel with room for 3 messages of one byte: `chan c = [3] of { byte }`");
            return Err(self.fail(problem));
        }
        self.expect(TokenKind::LeftBrace, "`{` and the types of a message's fields")?;
        let mut fields = vec![self.field_type()?];
        while self.eat(TokenKind::Comma) {
            fields.push(self.field_type()?);
        }
        self.expect(TokenKind::RightBrace, "`,` or `}` after the type of a message's field")?;
        Ok(ChannelInitialiser { capacity, fields, span: self.since(start) })
    }

    fn field_type(&mut self) -> Parsed<(TypeName, Span)> {
        let start = self.span();
        let known = self.at_one_of(TYPE_WORDS)
            || self.at_name()
                && (self.names.typedefs.contains_key(&self.token().text)
                    || matches!(self.names.ahead.get(&self.token().text), Some((Definition::Typedef, _)))
                    || self.at_word("ref") && self.next_kind() == TokenKind::Word);
        if !known {
            return Err(self.mistake_at_type());
        }
        let type_name = self.type_name()?;
        let field = (type_name, self.since(start));
        if self.at_name() {
            let problem = self
                .unexpected("`,` or `}` after the type of a message's field")
                .note("the fields of a message have types but no names");
            return Err(self.fail(problem));
        }
        Ok(field)
    }

    /// A type's name was expected, and something else stands here.
    pub(super) fn mistake_at_type(&mut self) -> Stop {
        let problem = match self.foreign_type() {
            Some(problem) => problem,
            None => self.unexpected("a type"),
        };
        self.fail(problem)
    }

    fn note_declared(&mut self, name: &Name) {
        if &*name.text == "_undef_ref" {
            self.names.undefined_ref_is_plain = true;
        }
    }
}

fn is_constant_form(expr: &Expr) -> bool {
    let chain = OperatorChain::of(expr);
    let first = match &chain.first.kind {
        ExprKind::Constant(_) | ExprKind::Variable(_) | ExprKind::Error => true,
        ExprKind::Unary(UnaryOp::Negate, inner) | ExprKind::Paren(inner) => is_constant_form(inner),
        _ => false,
    };
    first
        && chain.links.iter().all(|link| {
            let plain = matches!(
                link.operator,
                BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder
            );
            plain && is_constant_form(link.right)
        })
}
