//! The places of a source file where a fault can be planted, and the insertions that plant it.
//!
//! Every fault is a choice made at run time (mutant schemata: Untch, Offutt and Harrold, ISSTA 1993), written as insertions
//! around expressions that stay where they are: `a < b` becomes `lt(7, &(a), &(b))`, and `a && b` becomes
//! `(if (a) == planted(8) { planted(8) } else { b })`. So faults nest, line numbers stay, and what does not compile is
//! left out line by line. Constants, patterns, macros, tests and unsafe blocks are not touched.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    Arm, Attribute, BinOp, Block, Expr, ExprBinary, ExprIf, ExprMethodCall, ExprRange, ImplItemFn, ItemFn, ItemImpl,
    ItemMod, Lit, Pat, ReturnType, Safety, Signature, Stmt, TraitItemFn, Type, UnOp,
};

/// A place where a fault can be planted, or a branch that is only watched.
#[derive(Clone, Debug)]
pub struct Point {
    pub kind: Kind,
    /// Lines of the original text, the first one is 1.
    pub lines: (usize, usize),
    /// The function around it.
    pub function: String,
    /// The text that is changed, on one line.
    pub text: String,
    edits: Vec<Edit>,
}

/// What the fault does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Not a fault: a branch whose execution is recorded.
    Branch,
    AndOr,
    ConditionLeftOut,
    Negated,
    Bound,
    Arithmetic,
    Bits,
    Start,
    End,
    AllAny,
    MinMax,
    StatementLeftOut,
    ExitLeftOut,
    ReturnsTrue,
    ReturnsFalse,
}

impl Kind {
    /// What is wrong, for people.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Branch => "branch",
            Kind::AndOr => "and/or exchanged",
            Kind::ConditionLeftOut => "condition left out",
            Kind::Negated => "negated",
            Kind::Bound => "bound off by one",
            Kind::Arithmetic => "+/- exchanged",
            Kind::Bits => "|/& exchanged",
            Kind::Start => "range starts one later",
            Kind::End => "range ends one earlier",
            Kind::AllAny => "all/any exchanged",
            Kind::MinMax => "min/max exchanged",
            Kind::StatementLeftOut => "statement left out",
            Kind::ExitLeftOut => "early exit left out",
            Kind::ReturnsTrue => "returns true",
            Kind::ReturnsFalse => "returns false",
        }
    }
}

#[derive(Clone, Debug)]
struct Edit {
    at: usize,
    removed: usize,
    place: Place,
    /// `#` stands for the number of the fault.
    text: String,
}

/// In which order edits at the same place are made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Place {
    /// Behind an expression: the innermost first.
    After,
    /// Instead of an operator.
    Instead,
    /// Before an expression: the outermost first.
    Before,
}

/// All places of a text, outer ones before those inside of them.
pub fn points(text: &str) -> Result<Vec<Point>, String> {
    let file = syn::parse_file(text).map_err(|error| format!("{error} in line {}", error.span().start().line))?;
    let mut finder = Finder { text, points: Vec::new(), functions: Vec::new(), negated: false };
    finder.visit_file(&file);
    Ok(finder.points)
}

/// The text with those points planted that have a number.
pub fn plant(text: &str, points: &[Point], numbers: &[Option<u32>]) -> String {
    let mut edits = Vec::new();
    for (order, (point, number)) in points.iter().zip(numbers).enumerate() {
        let Some(number) = number else { continue };
        for edit in &point.edits {
            let nesting = if edit.place == Place::After { -(order as i64) } else { order as i64 };
            edits.push((edit.at, edit.place, nesting, edit.removed, edit.text.replace('#', &number.to_string())));
        }
    }
    edits.sort();
    let (mut planted, mut done) = (String::with_capacity(2 * text.len()), 0);
    for (at, _, _, removed, insertion) in edits {
        planted.push_str(&text[done..at]);
        planted.push_str(&insertion);
        // Removed lines are kept empty, so that lines keep their numbers.
        planted.extend(text[at..at + removed].chars().filter(|&letter| letter == '\n'));
        done = at + removed;
    }
    planted.push_str(&text[done..]);
    planted
}

struct Finder<'t> {
    text: &'t str,
    points: Vec<Point>,
    functions: Vec<String>,
    /// The expression that is visited next stands behind `!`.
    negated: bool,
}

impl Finder<'_> {
    fn point(&mut self, kind: Kind, whole: Span, edits: Vec<Edit>) {
        if self.functions.is_empty() {
            return;
        }
        let text = self.text[whole.byte_range()].split_whitespace().collect::<Vec<_>>().join(" ");
        let lines = (whole.start().line, whole.end().line);
        self.points.push(Point { kind, lines, function: self.functions.join("::"), text, edits });
    }

    /// A point that puts something before and behind an expression.
    fn around(&mut self, kind: Kind, whole: Span, before: &str, after: &str) {
        let range = whole.byte_range();
        let edits = vec![
            Edit { at: range.start, removed: 0, place: Place::Before, text: before.to_owned() },
            Edit { at: range.end, removed: 0, place: Place::After, text: after.to_owned() },
        ];
        self.point(kind, whole, edits);
    }

    /// A call with two expressions instead of an operator between them.
    fn between(&mut self, kind: Kind, node: &ExprBinary, before: &str, instead: &str, after: &str) {
        let whole = node.left.span().byte_range().start..node.right.span().byte_range().end;
        let operator = node.op.span().byte_range();
        let edits = vec![
            Edit { at: whole.start, removed: 0, place: Place::Before, text: before.to_owned() },
            Edit { at: operator.start, removed: operator.len(), place: Place::Instead, text: instead.to_owned() },
            Edit { at: whole.end, removed: 0, place: Place::After, text: after.to_owned() },
        ];
        self.point(kind, node.span(), edits);
    }

    /// A function instead of a method with one argument.
    fn method(&mut self, kind: Kind, node: &ExprMethodCall, before: &str) {
        let receiver = node.receiver.span().byte_range();
        let open = node.paren_token.span.open().byte_range();
        let edits = vec![
            Edit { at: receiver.start, removed: 0, place: Place::Before, text: before.to_owned() },
            Edit { at: receiver.end, removed: open.end - receiver.end, place: Place::Instead, text: "), ".to_owned() },
        ];
        self.point(kind, node.span(), edits);
    }

    /// Records that a block is executed.
    fn branch(&mut self, block: &Block) {
        let at = block.brace_token.span.open().byte_range().end;
        let edit = Edit { at, removed: 0, place: Place::Before, text: " crate::planted::mark(#); ".to_owned() };
        self.point(Kind::Branch, block.brace_token.span.open(), vec![edit]);
    }

    fn function(
        &mut self,
        signature: &Signature,
        attributes: &[Attribute],
        block: Option<&Block>,
        visit: impl FnOnce(&mut Self),
    ) {
        if signature.constness.is_some()
            || matches!(signature.safety, Safety::Unsafe(_))
            || attributes.iter().any(is_test)
            || signature.ident == "fmt"
        {
            return;
        }
        self.functions.push(signature.ident.to_string());
        if let (Some(block), ReturnType::Type(_, kind)) = (block, &signature.output)
            && matches!(&**kind, Type::Path(path) if path.path.is_ident("bool"))
        {
            let at = block.brace_token.span.open().byte_range().end;
            for (kind, value) in [(Kind::ReturnsTrue, true), (Kind::ReturnsFalse, false)] {
                let text = format!(" if crate::planted::planted(#) {{ return {value}; }} ");
                self.point(kind, signature.ident.span(), vec![Edit { at, removed: 0, place: Place::Before, text }]);
            }
        }
        visit(self);
        self.functions.pop();
    }

    /// The condition of an `if`, a loop or an arm that is neither an operator nor a pattern.
    fn condition(&mut self, condition: &Expr) {
        if matches!(
            condition,
            Expr::MethodCall(_) | Expr::Call(_) | Expr::Path(_) | Expr::Field(_) | Expr::Macro(_) | Expr::Index(_)
        ) {
            self.around(Kind::Negated, condition.span(), "crate::planted::flip(#, ", ")");
        }
    }

    /// An operand of `&&` or `||` that is left out.
    fn operand(&mut self, operand: &Expr, operator: &BinOp) {
        let left_out = match operator {
            BinOp::And(_) => "(crate::planted::planted(#) || crate::planted::seen(#, ",
            _ => "(!crate::planted::planted(#) && crate::planted::seen(#, ",
        };
        let same = matches!((operand, operator), (Expr::Binary(inner), _) if same_operator(&inner.op, operator));
        if !same && !has_let(operand) {
            self.around(Kind::ConditionLeftOut, operand.span(), left_out, "))");
        }
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_attribute(&mut self, _: &'ast Attribute) {}
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
    fn visit_type(&mut self, _: &'ast Type) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_expr_unsafe(&mut self, _: &'ast syn::ExprUnsafe) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}

    fn visit_item_mod(&mut self, node: &'ast ItemMod) {
        if !node.attrs.iter().any(is_test) {
            visit::visit_item_mod(self, node);
        }
    }

    fn visit_item_impl(&mut self, node: &'ast ItemImpl) {
        if !node.attrs.iter().any(is_test) {
            visit::visit_item_impl(self, node);
        }
    }

    fn visit_item_fn(&mut self, node: &'ast ItemFn) {
        self.function(&node.sig, &node.attrs, Some(&node.block), |finder| visit::visit_block(finder, &node.block));
    }

    fn visit_impl_item_fn(&mut self, node: &'ast ImplItemFn) {
        self.function(&node.sig, &node.attrs, Some(&node.block), |finder| visit::visit_block(finder, &node.block));
    }

    fn visit_trait_item_fn(&mut self, node: &'ast TraitItemFn) {
        let block = node.default.as_ref();
        self.function(&node.sig, &node.attrs, block, |finder| {
            block.into_iter().for_each(|block| finder.visit_block(block))
        });
    }

    /// Of a pattern only its condition is an expression that is evaluated.
    fn visit_pat(&mut self, node: &'ast Pat) {
        if let Pat::Guard(guarded) = node {
            self.condition(&guarded.guard);
            self.visit_expr(&guarded.guard);
        }
    }

    fn visit_expr_repeat(&mut self, node: &'ast syn::ExprRepeat) {
        self.visit_expr(&node.expr);
    }

    fn visit_stmt(&mut self, node: &'ast Stmt) {
        if let Stmt::Expr(expression, Some(_)) = node {
            let idle = |call: &ExprMethodCall| ["reserve", "shrink_to_fit"].contains(&call.method.to_string().as_str());
            let left_out = match expression {
                Expr::MethodCall(call) => !idle(call),
                // What a value still borrows would be moved.
                Expr::Call(call) => !matches!(&*call.func, Expr::Path(path) if path.path.is_ident("drop")),
                Expr::Assign(assign) => !matches!(&*assign.left, Expr::Path(_)),
                Expr::Binary(_) => true,
                _ => false,
            };
            if left_out {
                self.around(Kind::StatementLeftOut, node.span(), "if !crate::planted::planted(#) { ", " }");
            }
        }
        visit::visit_stmt(self, node);
    }

    fn visit_expr_if(&mut self, node: &'ast ExprIf) {
        let exits = node.else_branch.is_none()
            && matches!(
                node.then_branch.stmts.last(),
                Some(Stmt::Expr(Expr::Return(_) | Expr::Break(_) | Expr::Continue(_), _))
            );
        if exits {
            let (before, after) = match has_let(&node.cond) {
                true => ("!crate::planted::planted(#) && ", ""),
                false => ("!crate::planted::planted(#) && (", ")"),
            };
            self.around(Kind::ExitLeftOut, node.cond.span(), before, after);
        }
        self.condition(&node.cond);
        self.visit_expr(&node.cond);
        self.branch(&node.then_branch);
        self.visit_block(&node.then_branch);
        if let Some((_, other)) = &node.else_branch {
            if let Expr::Block(block) = &**other {
                self.branch(&block.block);
            }
            self.visit_expr(other);
        }
    }

    fn visit_expr_while(&mut self, node: &'ast syn::ExprWhile) {
        self.visit_expr(&node.cond);
        self.branch(&node.body);
        self.visit_block(&node.body);
    }

    fn visit_expr_for_loop(&mut self, node: &'ast syn::ExprForLoop) {
        self.visit_expr(&node.expr);
        self.branch(&node.body);
        self.visit_block(&node.body);
    }

    fn visit_arm(&mut self, node: &'ast Arm) {
        self.visit_pat(&node.pat);
        match &*node.body {
            Expr::Block(block) if block.label.is_none() => self.branch(&block.block),
            body => self.around(Kind::Branch, body.span(), "{ crate::planted::mark(#); ", " }"),
        }
        self.visit_expr(&node.body);
    }

    fn visit_expr_unary(&mut self, node: &'ast syn::ExprUnary) {
        if matches!(node.op, UnOp::Not(_)) {
            self.around(Kind::Negated, node.span(), "crate::planted::flip(#, ", ")");
            self.negated = true;
        }
        self.visit_expr(&node.expr);
        self.negated = false;
    }

    fn visit_expr_binary(&mut self, node: &'ast ExprBinary) {
        let negated = std::mem::take(&mut self.negated);
        let flip = "crate::planted::flip(#, ";
        match &node.op {
            operator @ (BinOp::And(_) | BinOp::Or(_)) => {
                if !has_let(&node.left) && !has_let(&node.right) {
                    let choice = match operator {
                        BinOp::And(_) => ") == crate::planted::planted(#) { crate::planted::planted(#) } else { ",
                        _ => ") != crate::planted::planted(#) { !crate::planted::planted(#) } else { ",
                    };
                    self.between(Kind::AndOr, node, "(if (", choice, " })");
                }
                // Each operand is preceded by its own faults, so that these stand inside of the operator's.
                self.operand(&node.left, operator);
                self.visit_expr(&node.left);
                self.operand(&node.right, operator);
                self.visit_expr(&node.right);
                return;
            }
            BinOp::Eq(_) | BinOp::Ne(_) if !negated => self.around(Kind::Negated, node.span(), flip, ")"),
            operator @ (BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_)) => {
                if !negated {
                    self.around(Kind::Negated, node.span(), flip, ")");
                }
                let name = match operator {
                    BinOp::Lt(_) => "lt",
                    BinOp::Le(_) => "le",
                    BinOp::Gt(_) => "gt",
                    _ => "ge",
                };
                self.between(Kind::Bound, node, &format!("crate::planted::{name}(#, &("), "), &(", "))");
            }
            BinOp::Add(_) => self.between(Kind::Arithmetic, node, "crate::planted::add(#, ", ", ", ")"),
            BinOp::Sub(_) => self.between(Kind::Arithmetic, node, "crate::planted::sub(#, ", ", ", ")"),
            BinOp::BitOr(_) => self.between(Kind::Bits, node, "crate::planted::bit_or(#, ", ", ", ")"),
            BinOp::BitAnd(_) => self.between(Kind::Bits, node, "crate::planted::bit_and(#, ", ", ", ")"),
            BinOp::BitXor(_) => self.between(Kind::Bits, node, "crate::planted::bit_xor(#, ", ", ", ")"),
            _ => {}
        }
        self.visit_expr(&node.left);
        self.visit_expr(&node.right);
    }

    fn visit_expr_range(&mut self, node: &'ast ExprRange) {
        if let Some(start) = &node.start {
            self.around(Kind::Start, start.span(), "crate::planted::up(#, ", ")");
            self.visit_expr(start);
        }
        if let Some(end) = &node.end {
            self.around(Kind::End, end.span(), "crate::planted::down(#, ", ")");
            self.visit_expr(end);
        }
    }

    fn visit_expr_method_call(&mut self, node: &'ast ExprMethodCall) {
        self.negated = false;
        if node.args.len() == 1 {
            match node.method.to_string().as_str() {
                "any" => self.method(Kind::AllAny, node, "crate::planted::any(#, &mut ("),
                "all" => self.method(Kind::AllAny, node, "crate::planted::all(#, &mut ("),
                "min" => self.method(Kind::MinMax, node, "crate::planted::min(#, ("),
                "max" => self.method(Kind::MinMax, node, "crate::planted::max(#, ("),
                _ => {}
            }
        }
        visit::visit_expr_method_call(self, node);
    }

    fn visit_expr_lit(&mut self, node: &'ast syn::ExprLit) {
        if matches!(node.lit, Lit::Bool(_)) {
            self.around(Kind::Negated, node.span(), "crate::planted::flip(#, ", ")");
        }
    }
}

fn is_test(attribute: &Attribute) -> bool {
    attribute.path().is_ident("test")
        || attribute.path().is_ident("cfg")
            && matches!(&attribute.meta, syn::Meta::List(list) if ["test", "loom"].contains(&list.tokens.to_string().as_str()))
}

fn same_operator(one: &BinOp, other: &BinOp) -> bool {
    matches!((one, other), (BinOp::And(_), BinOp::And(_)) | (BinOp::Or(_), BinOp::Or(_)))
}

/// Whether a condition binds something: such a one can't become an argument.
fn has_let(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(node) if matches!(node.op, BinOp::And(_)) => has_let(&node.left) || has_let(&node.right),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planted(text: &str) -> String {
        let points = points(text).expect("it is Rust");
        let numbers: Vec<Option<u32>> = (0..points.len() as u32).map(Some).collect();
        plant(text, &points, &numbers).replace("crate::planted::", "")
    }

    #[test]
    fn faults_nest_and_lines_stay() {
        let text = "fn f(a: u8, b: bool) -> u8 {\n    if a < 3 &&\n b { g(a); }\n    a + 1\n}\n";
        let expected = "fn f(a: u8, b: bool) -> u8 {\n    if (if ((planted(1) || seen(1, flip(2, lt(3, &(a ), &( 3)))))) == \
            planted(0) { planted(0) } else { \n (planted(4) || seen(4, b)) }) { mark(5);  if !planted(6) { g(a); } }\n    add(7, a ,  1)\n}\n";
        let found = planted(text);
        assert_eq!(found.lines().count(), text.lines().count());
        let squeeze = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(squeeze(&found), squeeze(expected));
    }

    #[test]
    fn constants_patterns_and_tests_are_left_alone() {
        let text = "const A: u8 = 1 + 2;\n#[cfg(test)]\nmod t { fn f() -> u8 { 1 + 2 } }\nfn g(x: u8) { match x { 1..=2 => h(), _ => i() } }\n";
        let kinds: Vec<Kind> = points(text).expect("it is Rust").iter().map(|point| point.kind).collect();
        assert_eq!(kinds, [Kind::Branch, Kind::Branch]);
    }
}
