//! Expressions.
//!
//! Constant parts are folded. A long chain of operators is as deep in the syntax tree as it is long; where the operator is
//! associative the model's tree is balanced instead, so that nothing later needs a deep stack for it. (Grouping `&&` and
//! `||` anew keeps the order in which operands are evaluated, and which of them are.)

use super::Resolver;
use super::constant::{fold_binary, fold_unary, value_of};
use super::message::ChannelUse;
use super::place::{Reference, last_name};
use crate::ast::{self, BinaryOp, ChannelProbe, OperatorChain, UnaryOp, VariableRef};
use crate::diagnostic::Diagnostic;
use crate::model::{Expr, ExprKind, Kind, MtypeSetId, Place, Predefined, Role, Type};
use crate::source::Span;

/// Chains longer than this are balanced.
const LONG_CHAIN: usize = 32;

impl Resolver<'_> {
    pub(super) fn expression(&mut self, expression: &ast::Expr) -> Expr {
        use ast::ExprKind as Syntax;
        let span = expression.span;
        let mut meaning = Kind::Number;
        let kind = match &expression.kind {
            Syntax::Paren(inner) => {
                // The parentheses belong to the text, so that a message underlines them too.
                return Expr { span, ..self.expression(inner) };
            }
            Syntax::Constant(constant) => ExprKind::Constant(value_of(*constant)),
            Syntax::Variable(variable) => {
                let (kind, kind_meaning) = self.variable_value(variable);
                meaning = kind_meaning;
                kind
            }
            Syntax::Unary(operator, operand) => self.unary(*operator, operand),
            Syntax::Binary(..) => return self.chain(expression),
            Syntax::Conditional(condition, yes, no) => {
                let condition = self.expression(condition);
                let yes = self.expression(yes);
                let no = self.expression(no);
                match condition.kind {
                    ExprKind::Constant(value) => return Expr { span, ..if value != 0 { yes } else { no } },
                    _ => ExprKind::Conditional(Box::new(condition), Box::new(yes), Box::new(no)),
                }
            }
            Syntax::Probe(probe, channel) => self.probe(*probe, channel),
            Syntax::Poll(receive) => match self.receive(receive, ChannelUse::Poll) {
                Some(receive) => ExprKind::Poll(Box::new(receive)),
                None => ExprKind::Constant(0),
            },
            Syntax::Run(run) => self.run(run, span),
            Syntax::RemoteLabel(remote) => self.remote_label(remote),
            Syntax::RemoteVariable(remote) => self.remote_variable(remote, span),
            Syntax::Timeout => ExprKind::Timeout,
            Syntax::NonProgress => self.non_progress(span),
            Syntax::Enabled(pid) => {
                self.model.features.enabled = true;
                self.meant_for_claims("enabled()", span);
                ExprKind::Enabled(Box::new(self.expression(pid)))
            }
            Syntax::PcValue(pid) => {
                self.model.features.pc_value = true;
                self.meant_for_claims("pc_value()", span);
                ExprKind::PcValue(Box::new(self.expression(pid)))
            }
            Syntax::GetPriority(pid) => {
                self.model.features.priorities = true;
                ExprKind::GetPriority(Box::new(self.expression(pid)))
            }
            Syntax::CExpr(text) => {
                self.model.features.embedded_c = true;
                if c_changes_something(&text.text) {
                    let message = "a `c_expr` should not change anything";
                    let note = "use `c_code` for statements; SPIN also takes a function call for a change";
                    self.report(Diagnostic::error("c-side-effect", span, message).note(note));
                }
                ExprKind::CExpr(text.clone())
            }
            Syntax::AnyRef(name) => {
                self.model.features.references = true;
                match self.names.proctypes.get(&name.text) {
                    Some(&process) => {
                        self.index.used_process(name.span, process);
                        ExprKind::AnyRef(process)
                    }
                    None => {
                        let message = format!("no proctype is called `{}`", name.text);
                        self.report(Diagnostic::error("unknown-proctype", name.span, message));
                        ExprKind::Constant(0)
                    }
                }
            }
            Syntax::UndefinedRef => {
                self.model.features.references = true;
                ExprKind::UndefinedRef
            }
            Syntax::Error => ExprKind::Constant(0),
        };
        Expr { kind, meaning, span }
    }

    fn variable_value(&mut self, variable: &VariableRef) -> (ExprKind, Kind) {
        let kind = match self.reference(variable) {
            None => ExprKind::Constant(0),
            Some(Reference::Constant(set, value)) => return (ExprKind::Constant(value), Kind::Mtype(set)),
            Some(Reference::Predefined(which)) => ExprKind::Predefined(which),
            Some(Reference::Location) => {
                self.model.features.pc_value = true;
                let message = "`_p` is a number inside SPIN";
                let note = "it is taken as `pc_value(_pid)`";
                self.report(Diagnostic::warning("location-number", variable.span, message).note(note));
                let own = Expr { kind: ExprKind::Predefined(Predefined::Pid), meaning: Kind::Pid, span: variable.span };
                ExprKind::PcValue(Box::new(own))
            }
            Some(Reference::Scratch) => {
                self.report(Diagnostic::error("scratch-read", variable.span, "`_` cannot be read"));
                ExprKind::Constant(0)
            }
            Some(Reference::Place(place)) if matches!(place.ty, Type::Structure(_)) => {
                self.whole_structure(last_name(variable), variable.span);
                ExprKind::Constant(0)
            }
            Some(Reference::Place(place)) => ExprKind::Read(place),
        };
        (kind, Kind::Number)
    }

    fn unary(&mut self, operator: UnaryOp, operand: &ast::Expr) -> ExprKind {
        let operand = self.expression(operand);
        match operand.kind {
            ExprKind::Constant(value) => ExprKind::Constant(fold_unary(operator, value)),
            _ => ExprKind::Unary(operator, Box::new(operand)),
        }
    }

    fn probe(&mut self, probe: ChannelProbe, channel: &VariableRef) -> ExprKind {
        match self.reference(channel) {
            Some(Reference::Place(place)) => {
                if place.ty != Type::Chan {
                    let message = format!("`{}` asks about a channel, and this is none", probe.name());
                    self.report(Diagnostic::warning("not-a-channel", channel.span, message));
                }
                ExprKind::Probe(probe, place)
            }
            Some(_) => {
                self.report(Diagnostic::error("not-a-channel", channel.span, "this is no channel"));
                ExprKind::Constant(0)
            }
            None => ExprKind::Constant(0),
        }
    }

    // ------------------------------------------------------------------------------------------ chains of operators

    fn chain(&mut self, expression: &ast::Expr) -> Expr {
        let OperatorChain { first, links } = OperatorChain::of(expression);
        let mut value = self.expression(first);
        let mut index = 0;
        while index < links.len() {
            let operator = links[index].operator;
            let same = links[index..].iter().take_while(|link| joins(operator, link.operator)).count().max(1);
            let run = &links[index..index + same];
            let mut operands = vec![(Sign::Plus, value)];
            for link in run {
                let sign = if link.operator == BinaryOp::Subtract { Sign::Minus } else { Sign::Plus };
                operands.push((sign, self.expression(link.right)));
            }
            let span = run[same - 1].span;
            value = if same > LONG_CHAIN {
                balance_run(operator, operands, span)
            } else {
                let mut operands = operands.into_iter().map(|(_, operand)| operand);
                let first = operands.next().unwrap_or_else(|| unreachable!("the value so far is the first operand"));
                operands.zip(run).fold(first, |left, (right, link)| join(link.operator, left, right, link.span))
            };
            index += same;
        }
        value
    }

    fn non_progress(&mut self, span: Span) -> ExprKind {
        self.model.features.non_progress = true;
        if self.body.as_ref().is_some_and(|body| body.role != Role::Never) {
            let message = "`np_` can only be used in never claims and formulas";
            self.report(Diagnostic::error("misplaced-np", span, message));
        }
        ExprKind::Predefined(Predefined::NonProgress)
    }

    fn meant_for_claims(&mut self, what: &str, span: Span) {
        if self.body.as_ref().is_some_and(|body| body.role != Role::Never) {
            let message = format!("`{what}` outside a never claim");
            self.report(
                Diagnostic::warning("outside-claim", span, message).note("it is meant for claims and formulas"),
            );
        }
    }

    // ------------------------------------------------------------------------------------------ checks of values

    /// Channels can be copied and compared, not computed with.
    pub(super) fn check_channel_arithmetic(&mut self, value: &Expr) {
        match &value.kind {
            ExprKind::Unary(_, a) => self.refuse_channel(a),
            ExprKind::Binary(_, a, b) => {
                self.refuse_channel(a);
                self.refuse_channel(b);
            }
            ExprKind::Conditional(condition, a, b) => {
                self.refuse_channel(condition);
                if self.is_channel(a) || self.is_channel(b) {
                    self.beyond_spin(value.span, "a choice between channels");
                }
                self.check_channel_arithmetic(a);
                self.check_channel_arithmetic(b);
            }
            ExprKind::Read(place) => {
                let indices = place.fields.iter().filter_map(|field| field.index.as_deref());
                for index in place.index.as_deref().into_iter().chain(indices) {
                    self.check_channel_arithmetic(index);
                }
            }
            _ => {}
        }
    }

    fn refuse_channel(&mut self, operand: &Expr) {
        if self.is_channel(operand) {
            let message = "a channel in arithmetic";
            self.report(Diagnostic::error("channel-arithmetic", operand.span, message));
        } else {
            self.check_channel_arithmetic(operand);
        }
    }

    fn is_channel(&self, value: &Expr) -> bool {
        match &value.kind {
            ExprKind::Read(place) => place.ty == Type::Chan && place.fields.is_empty(),
            _ => false,
        }
    }

    /// The mtype set whose names `printm` uses.
    pub(super) fn mtype_of(&self, value: &Expr) -> Option<MtypeSetId> {
        match (&value.kind, value.meaning) {
            (_, Kind::Mtype(set)) => Some(set),
            (ExprKind::Read(Place { ty: Type::Mtype(set), .. }), _) => Some(*set),
            _ => None,
        }
    }
}

/// A term of a long sum.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Plus,
    Minus,
}

/// Whether a chain of the one operator may be grouped at will when it goes on with the other.
fn joins(operator: BinaryOp, next: BinaryOp) -> bool {
    use BinaryOp::{Add, And, BitAnd, BitOr, BitXor, Multiply, Or, Subtract};
    match operator {
        And | Or | Multiply | BitAnd | BitOr | BitXor => next == operator,
        Add | Subtract => matches!(next, Add | Subtract),
        _ => false,
    }
}

/// Groups a long chain in a tree of small depth. Sums wrap around, so their terms can be taken in any order.
fn balance_run(operator: BinaryOp, operands: Vec<(Sign, Expr)>, span: Span) -> Expr {
    if !matches!(operator, BinaryOp::Add | BinaryOp::Subtract) {
        return balanced(operator, operands.into_iter().map(|(_, operand)| operand).collect(), span);
    }
    let (plus, minus): (Vec<_>, Vec<_>) = operands.into_iter().partition(|(sign, _)| *sign == Sign::Plus);
    let sum =
        |terms: Vec<(Sign, Expr)>| balanced(BinaryOp::Add, terms.into_iter().map(|(_, term)| term).collect(), span);
    let plus = sum(plus);
    if minus.is_empty() { plus } else { join(BinaryOp::Subtract, plus, sum(minus), span) }
}

fn join(operator: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
    let kind = match (&a.kind, &b.kind) {
        (ExprKind::Constant(x), ExprKind::Constant(y)) => fold_binary(operator, *x, *y).map(ExprKind::Constant),
        _ => None,
    };
    let kind = kind.unwrap_or_else(|| ExprKind::Binary(operator, Box::new(a), Box::new(b)));
    Expr { kind, meaning: Kind::Number, span }
}

fn balanced(operator: BinaryOp, mut operands: Vec<Expr>, span: Span) -> Expr {
    if operands.len() == 1 {
        return operands.pop().unwrap_or_else(|| unreachable!("its length is one"));
    }
    let right = operands.split_off(operands.len() / 2);
    join(operator, balanced(operator, operands, span), balanced(operator, right, span), span)
}

/// SPIN's guess at whether a C expression changes something.
fn c_changes_something(text: &str) -> bool {
    let text = text.trim_start();
    let bytes = text.as_bytes();
    let quoted = |at: usize| at > 0 && matches!(bytes[at - 1], b'"' | b'\'');
    let has = |pattern: &str| text.find(pattern).is_some_and(|at| !quoted(at));
    let call = text.find('(').is_some_and(|at| at > 0 && bytes[at - 1].is_ascii_alphanumeric());
    if call && !text.starts_with("spin_mutex_free(") || has(";") || has("++") || has("--") {
        return true;
    }
    let mut at = 0;
    while let Some(found) = text[at..].find('=') {
        let position = at + found;
        let compound = position > 0 && matches!(bytes[position - 1], b'!' | b'<' | b'>' | b'"' | b'\'');
        if !compound && bytes.get(position + 1) != Some(&b'=') {
            return true;
        }
        at = (position + 2).min(bytes.len());
        while !text.is_char_boundary(at) {
            at += 1;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_c_expression_that_assigns_or_calls_is_seen() {
        for text in ["now.x = 3", "f(2)", "x++", "a; b", "x = = 1"] {
            assert!(c_changes_something(text), "{text}");
        }
        for text in ["now.x == 3", "(x)", "a <= b && c != d", "x >= 2", " 1 "] {
            assert!(!c_changes_something(text), "{text}");
        }
    }

    #[test]
    fn a_balanced_chain_is_shallow_and_keeps_its_order() {
        let operand = |span| Expr { kind: ExprKind::Timeout, meaning: Kind::Number, span };
        let operands: Vec<Expr> = (0..1000).map(|n| operand(Span { start: n, end: n, ..Span::NOWHERE })).collect();
        let tree = balanced(BinaryOp::And, operands, Span::NOWHERE);
        fn leaves(e: &Expr, depth: usize, out: &mut Vec<u32>) -> usize {
            match &e.kind {
                ExprKind::Binary(_, a, b) => leaves(a, depth + 1, out).max(leaves(b, depth + 1, out)),
                _ => {
                    out.push(e.span.start);
                    depth
                }
            }
        }
        let mut order = Vec::new();
        assert!(leaves(&tree, 0, &mut order) <= 10);
        assert_eq!(order, (0..1000).collect::<Vec<_>>());
    }
}
