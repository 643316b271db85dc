//! What SPIN writes out in simpler statements: `for`, `select`, `x++`.
//!
//! | text | becomes |
//! | --- | --- |
//! | `for (i : a .. b) { s }` | `i = a; do :: i <= b; s; i = i + 1 :: else -> break od` |
//! | `for (i in v) { s }` | the same with `0` and the last index of array `v` |
//! | `for (m in q) { s }` | `n = 0; do :: n < len(q); q?m; q!m; s; n = n + 1 :: else -> break od` |
//! | `select (i : a .. b)`, on one line with at most 33 plain numbers | `if :: i = a :: ... :: i = b fi` |
//! | the same with more numbers | `i = a; do :: i < b -> i = i + 1 :: break od` |
//! | any other `select (i : a .. b)` | `i = a; do :: break :: i < b; i = i + 1 od` |
//!
//! "Plain" is decided by SPIN's lexer: two decimal numbers, a name without underscores, and the statement not in the
//! text of an inline. A label before a `for`, or before a `select` of the last kind, marks the *loop*, not the assignment.

use std::sync::Arc;

use super::Resolver;
use super::initialiser::constant;
use super::place::Reference;
use super::statement::Sequence;
use crate::ast::{self, BinaryOp, Constant, ForRange};
use crate::diagnostic::Diagnostic;
use crate::model::{
    Array, Base, Block, ChannelProbe, Expr, ExprKind, Initial, Kind, LocalId, Place, Receive, ReceiveArgument, Send,
    Statement, StatementKind, Type, Variable,
};
use crate::source::Span;

/// A `skip` that no text stands for.
pub(super) fn skip(span: Span) -> Statement {
    Statement { labels: Vec::new(), kind: StatementKind::Expression(constant(1, span)), span }
}

/// `x = x + 1` or `x = x - 1`
pub(super) fn step_by_one(place: Place, operator: BinaryOp, span: Span) -> StatementKind {
    let old = read(place.clone());
    let value = binary(operator, old, constant(1, span), span);
    StatementKind::Assign(place, value)
}

fn read(place: Place) -> Expr {
    let span = place.span;
    Expr { kind: ExprKind::Read(place), meaning: Kind::Number, span }
}

fn binary(operator: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
    Expr { kind: ExprKind::Binary(operator, Box::new(a), Box::new(b)), meaning: Kind::Number, span }
}

fn plain(kind: StatementKind, span: Span) -> Statement {
    Statement { labels: Vec::new(), kind, span }
}

/// A `select` that SPIN's lexer rewrites before its grammar sees it.
struct LexerSelect {
    from: i32,
    to: i32,
}

/// The most numbers of a `select` that become an `if`, less one.
const WIDEST_CHOICE: i64 = 32;

impl Resolver<'_> {
    pub(super) fn for_loop(&mut self, it: &ast::For, span: Span, sequence: &mut Sequence) {
        let (start, head) = match &it.range {
            ForRange::Bounds(from, to) => match self.for_bounds(it, from, to, span) {
                Some(parts) => parts,
                None => return,
            },
            ForRange::In(over) => match self.for_in(it, over, span) {
                Some(parts) => parts,
                None => return,
            },
        };
        let StatementKind::Assign(counter, _) = &start.kind else { return };
        let step = plain(step_by_one(counter.clone(), BinaryOp::Add, it.variable.span), it.variable.span);
        sequence.push(start);
        let mut statements = head;
        self.in_loop(|resolver| {
            resolver.in_scope(it.body.span, |resolver| resolver.steps(&it.body.steps, &mut statements));
        });
        statements.push(step);
        let leave = Block { statements: vec![plain(StatementKind::Else, span), plain(StatementKind::Break, span)] };
        sequence.push(plain(StatementKind::Do(vec![Block { statements }, leave]), span));
    }

    fn for_bounds(
        &mut self,
        it: &ast::For,
        from: &ast::Expr,
        to: &ast::Expr,
        span: Span,
    ) -> Option<(Statement, Sequence)> {
        let counter = self.loop_variable(&it.variable, "for")?;
        if let (Some(first), Some(last)) = (self.literal(from), self.literal(to))
            && first > last
        {
            let message = format!("this loop never runs: it starts with {first} and ends with {last}");
            self.report(
                Diagnostic::warning("empty-range", from.span.to(to.span), message).note("SPIN does not accept it"),
            );
        }
        let (from, to) = (self.expression(from), self.expression(to));
        Some(self.count_up(counter, from, to, span))
    }

    /// `i = from`, and the guard `i <= to`
    fn count_up(&mut self, counter: Place, from: Expr, to: Expr, _span: Span) -> (Statement, Sequence) {
        let (from_span, to_span) = (from.span, to.span);
        let guard = binary(BinaryOp::LessEqual, read(counter.clone()), to, to_span);
        let start = plain(StatementKind::Assign(counter, from), from_span);
        (start, vec![plain(StatementKind::Expression(guard), to_span)])
    }

    fn for_in(&mut self, it: &ast::For, over: &ast::VariableRef, span: Span) -> Option<(Statement, Sequence)> {
        let Some(Reference::Place(message)) = self.whole_reference(&it.variable) else {
            self.reference(over);
            return None;
        };
        if let Type::Structure(_) = message.ty {
            return self.for_in_channel(message, over, span);
        }
        let counter = self.loop_variable(&it.variable, "for")?;
        let (array, length) = self.array_named(over)?;
        if let Some(body) = &self.body {
            let (owner, variable) = (body.owner, counter.base);
            self.hints.push(super::IndexHint { owner, variable, array });
        }
        let from = constant(0, over.span);
        let to = constant(length as i32 - 1, over.span);
        Some(self.count_up(counter, from, to, span))
    }

    /// The array of `for (i in a)`.
    fn array_named(&mut self, over: &ast::VariableRef) -> Option<(Array, u32)> {
        let Some(Reference::Place(place)) = self.whole_reference(over) else { return None };
        let (array, length) = match place.fields.last() {
            None => (self.array_of(place.base)?, self.variable(place.base).length),
            Some(last) => {
                let (structure, length) = self.field_of(&place, place.fields.len() - 1)?;
                (Array::Field(structure, last.field), length)
            }
        };
        let Some(length) = length else {
            let problem = Diagnostic::error("for-in-scalar", over.span, "`for (i in a)` needs an array or a channel");
            self.report(match place.ty {
                Type::Chan => problem.note(
                    "to go through the messages of a channel, the variable before `in` must be of a typedef with the fields of a message",
                ),
                _ => problem,
            });
            return None;
        };
        if !place.fields.is_empty() {
            self.beyond_spin(over.span, "an array inside a structure here");
        }
        Some((array, length))
    }

    fn array_of(&self, base: Base) -> Option<Array> {
        Some(match base {
            Base::Global(id) => Array::Global(id),
            Base::Local(id) => Array::Local(self.body.as_ref()?.owner, id),
            Base::Public(process, id) => Array::Local(crate::model::Owner::Process(process), id),
        })
    }

    /// `for (m in q)` passes every message of the channel once through `m`.
    fn for_in_channel(&mut self, message: Place, over: &ast::VariableRef, span: Span) -> Option<(Statement, Sequence)> {
        let Some(Reference::Place(channel)) = self.reference(over) else { return None };
        let spec = match &self.variable(channel.base).initial {
            Initial::Channel(spec) if channel.fields.is_empty() => spec.clone(),
            _ => {
                let message = "`for (m in q)` needs a channel that is declared with its capacity and type";
                self.report(Diagnostic::error("for-in-channel", over.span, message));
                return None;
            }
        };
        let mut leaves = Vec::new();
        self.flatten_place(message.clone(), &mut leaves);
        let types: Vec<Type> = leaves.iter().map(|leaf| leaf.ty).collect();
        if spec.capacity == 0
            || spec.groups.len() != 1
            || spec.fields != types
            || spec.groups[0] as usize != leaves.len()
        {
            let problem = format!("`{}` cannot hold the messages of this channel", self.variable(message.base).name);
            let note = "the channel must have a capacity, and one field of the same typedef";
            self.report(Diagnostic::error("for-in-channel", over.span, problem).note(note));
            return None;
        }
        let carried = self.structure_channels.get(&self.variable(channel.base).span);
        if carried.map(|&id| Type::Structure(id)) != Some(message.ty) {
            self.beyond_spin(over.span, "a channel of another typedef here");
        }
        let counter = self.message_counter(spec.capacity, over.span)?;
        let place = Place {
            base: Base::Local(counter),
            owner: None,
            index: None,
            fields: Vec::new(),
            ty: self.variable(Base::Local(counter)).ty,
            span: over.span,
        };
        let length =
            Expr { kind: ExprKind::Probe(ChannelProbe::Len, channel.clone()), meaning: Kind::Number, span: over.span };
        let guard = binary(BinaryOp::Less, read(place.clone()), length, over.span);
        let binds = leaves.iter().cloned().map(ReceiveArgument::Bind).collect();
        let receive = Receive { channel: channel.clone(), random: false, copy: false, arguments: binds };
        let send = Send { channel, sorted: false, arguments: leaves.into_iter().map(read).collect() };
        let head = vec![
            plain(StatementKind::Expression(guard), over.span),
            plain(StatementKind::Receive(receive), span),
            plain(StatementKind::Send(send), span),
        ];
        let start = plain(StatementKind::Assign(place, constant(0, over.span)), over.span);
        Some((start, head))
    }

    /// The counter of `for (m in q)`: loops in one scope share it.
    fn message_counter(&mut self, capacity: u32, span: Span) -> Option<LocalId> {
        let scope = self.names.scopes.as_ref()?.path().clone();
        let body = self.body.as_mut()?;
        let ty = if capacity > 255 { Type::Short } else { Type::Byte };
        if let Some(&id) = body.counters.get(&scope) {
            body.locals[id.index()].ty = ty;
            return Some(id);
        }
        let id = LocalId(body.locals.len() as u32);
        body.counters.insert(scope.clone(), id);
        self.index.add_local(None);
        body.locals.push(Variable {
            name: "_f0r_t3mp".into(),
            ty,
            length: None,
            initial: Initial::Zero,
            visibility: None,
            public: false,
            external: None,
            kind: Kind::Number,
            index: Kind::Number,
            channel: None,
            scope,
            span,
        });
        Some(id)
    }

    /// The variable that `for` or `select` counts with: a plain scalar.
    fn loop_variable(&mut self, variable: &ast::VariableRef, what: &str) -> Option<Place> {
        let place = match self.target(variable)? {
            Reference::Place(place) => place,
            _ => {
                self.report(Diagnostic::error("loop-variable", variable.span, format!("`{what}` needs a variable")));
                return None;
            }
        };
        if place.ty == Type::Chan || place.index.is_some() || !place.fields.is_empty() {
            let message = format!("`{what}` counts with a plain variable only");
            let note = "no array element, field or channel";
            self.report(Diagnostic::error("loop-variable", variable.span, message).note(note));
            return None;
        }
        Some(place)
    }

    pub(super) fn select(
        &mut self,
        variable: &ast::VariableRef,
        from: &ast::Expr,
        to: &ast::Expr,
        span: Span,
        sequence: &mut Sequence,
    ) {
        let Some(place) = self.loop_variable(variable, "select") else { return };
        if let (Some(first), Some(last)) = (self.literal(from), self.literal(to))
            && first > last
        {
            let message = format!("there is no number from {first} to {last}");
            self.report(Diagnostic::error("empty-range", from.span.to(to.span), message));
            return;
        }
        match self.lexer_select(variable, from, to, span) {
            Some(LexerSelect { from, to }) if i64::from(to) - i64::from(from) <= WIDEST_CHOICE => {
                let choice = |value| {
                    let kind = StatementKind::Assign(place.clone(), constant(value, span));
                    Block { statements: vec![plain(kind, span)] }
                };
                sequence.push(plain(StatementKind::If((from..=to).map(choice).collect()), span));
            }
            Some(LexerSelect { from, to }) => {
                self.counting_select(place, constant(from, span), constant(to, span), Order::StepFirst, span, sequence);
            }
            None => {
                let (from, to) = (self.expression(from), self.expression(to));
                self.counting_select(place, from, to, Order::BreakFirst, span, sequence);
            }
        }
    }

    fn counting_select(
        &mut self,
        place: Place,
        from: Expr,
        to: Expr,
        order: Order,
        span: Span,
        sequence: &mut Sequence,
    ) {
        let guard = binary(BinaryOp::Less, read(place.clone()), to, span);
        let step = step_by_one(place.clone(), BinaryOp::Add, span);
        let count = Block { statements: vec![plain(StatementKind::Expression(guard), span), plain(step, span)] };
        let leave = Block { statements: vec![plain(StatementKind::Break, span)] };
        let options = match order {
            Order::StepFirst => vec![count, leave],
            Order::BreakFirst => vec![leave, count],
        };
        sequence.push(plain(StatementKind::Assign(place, from), span));
        sequence.push(plain(StatementKind::Do(options), span));
    }

    fn lexer_select(
        &self,
        variable: &ast::VariableRef,
        from: &ast::Expr,
        to: &ast::Expr,
        span: Span,
    ) -> Option<LexerSelect> {
        let number = |expression: &ast::Expr| match expression.kind {
            ast::ExprKind::Constant(Constant::Number(value)) => Some(value),
            _ => None,
        };
        let (from, to) = (number(from)?, number(to)?);
        let name = &variable.parts.first()?.name.text;
        let in_inline = self.body.as_ref().is_some_and(|body| !body.inlines.is_empty());
        let one_line = !self.sources.snippet(span).contains('\n');
        (!in_inline && !name.contains('_') && one_line).then_some(LexerSelect { from, to })
    }

    /// Whether a label before the statement marks its first step: SPIN's lexer has written it out as statements.
    pub(super) fn is_expanded_early(&self, statement: &ast::Statement) -> bool {
        match &statement.kind {
            ast::StatementKind::Select(variable, from, to) => {
                self.lexer_select(variable, from, to, statement.span).is_some()
            }
            _ => false,
        }
    }
}

/// Which option of a counting `select` comes first.
enum Order {
    StepFirst,
    BreakFirst,
}

/// The text of a string constant: without its quotes, escapes replaced.
pub(super) fn unescape(text: &str) -> Arc<str> {
    let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text);
    if !inner.contains('\\') {
        return inner.into();
    }
    let mut result = String::with_capacity(inner.len());
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            result.push(character);
            continue;
        }
        match characters.next() {
            Some('n') => result.push('\n'),
            Some('t') => result.push('\t'),
            Some('r') => result.push('\r'),
            Some('a') => result.push('\x07'),
            Some('b') => result.push('\x08'),
            Some('f') => result.push('\x0c'),
            Some('v') => result.push('\x0b'),
            Some('0') => result.push('\0'),
            Some(other) => result.push(other),
            None => result.push('\\'),
        }
    }
    result.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_in_formats_are_replaced() {
        assert_eq!(&*unescape(r#""a\tb\n""#), "a\tb\n");
        assert_eq!(&*unescape(r#""say \"x\"""#), "say \"x\"");
        assert_eq!(&*unescape("\"plain\""), "plain");
    }
}
