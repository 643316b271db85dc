//! Expressions as text, with the parentheses that were written and those that are needed.

use super::Printer;
use crate::ast::{Constant, Expr, ExprKind, OperatorChain, Receive, ReceiveArgument, Send, VariableRef};
use crate::parse::Precedence;

impl Printer {
    pub(super) fn expr(&mut self, expr: &Expr) {
        let chain = OperatorChain::of(expr);
        // A looser operator to the left of a tighter one needs parentheses around all that came before.
        let closes_before = |index: usize| {
            index > 0 && Precedence::of(chain.links[index - 1].operator) < Precedence::of(chain.links[index].operator)
        };
        let opened = (0..chain.links.len()).filter(|&index| closes_before(index)).count();
        self.out.extend(std::iter::repeat_n('(', opened));
        self.operand(chain.first);
        for (index, link) in chain.links.iter().enumerate() {
            if closes_before(index) {
                self.word(")");
            }
            self.format(format_args!(" {} ", link.operator.text()));
            let looser = matches!(&link.right.kind, ExprKind::Binary(inner, ..) if Precedence::of(*inner) <= Precedence::of(link.operator));
            if looser { self.in_parentheses(link.right) } else { self.expr(link.right) }
        }
    }

    fn in_parentheses(&mut self, expr: &Expr) {
        self.word("(");
        self.expr(expr);
        self.word(")");
    }

    /// An expression that is no binary operation.
    pub(super) fn operand(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Binary(..) => self.in_parentheses(expr),
            ExprKind::Constant(constant) => self.constant(*constant),
            ExprKind::Variable(variable) => self.variable(variable),
            ExprKind::Unary(operator, inner) => {
                self.word(operator.text());
                // `--` and `!!` are other tokens.
                if matches!(&inner.kind, ExprKind::Unary(other, _) if other == operator) {
                    self.word(" ");
                }
                self.operand(inner);
            }
            ExprKind::Conditional(condition, first, second) => {
                self.word("(");
                self.expr(condition);
                self.word(" -> ");
                self.expr(first);
                self.word(" : ");
                self.expr(second);
                self.word(")");
            }
            ExprKind::Probe(probe, channel) => {
                self.format(format_args!("{}(", probe.name()));
                self.variable(channel);
                self.word(")");
            }
            ExprKind::Poll(receive) => {
                self.variable(&receive.channel);
                self.word(if receive.random { "??[" } else { "?[" });
                self.fields(receive);
                self.word("]");
            }
            ExprKind::Run(run) => {
                self.format(format_args!("run {}(", run.proctype.text));
                self.separated(&run.arguments, ", ", Self::expr);
                self.word(")");
                if let Some(priority) = &run.priority {
                    self.word(" priority ");
                    self.expr(priority);
                }
            }
            ExprKind::RemoteLabel(remote) => {
                self.process(&remote.proctype.text, remote.pid.as_ref());
                self.format(format_args!("@{}", remote.label.text));
            }
            ExprKind::RemoteVariable(remote) => {
                self.process(&remote.proctype.text, remote.pid.as_ref());
                self.word(":");
                self.variable(&remote.variable);
            }
            ExprKind::Timeout => self.word("timeout"),
            ExprKind::NonProgress => self.word("np_"),
            ExprKind::Enabled(process) => self.about_process("enabled", process),
            ExprKind::PcValue(process) => self.about_process("pc_value", process),
            ExprKind::GetPriority(process) => self.about_process("get_priority", process),
            ExprKind::CExpr(text) => self.c_text("c_expr", text),
            ExprKind::AnyRef(proctype) => self.format(format_args!("anyRef({})", proctype.text)),
            ExprKind::UndefinedRef => self.word("_undef_ref"),
            ExprKind::Paren(inner) => self.in_parentheses(inner),
            ExprKind::Error => self.word("<error>"),
        }
    }

    fn constant(&mut self, constant: Constant) {
        match constant {
            // A number that was cut to a negative one is written as what it was cut from.
            Constant::Number(number) => self.format(format_args!("{}", number as u32)),
            Constant::Character(character) => {
                let escaped = match character {
                    b'\n' => "\\n".into(),
                    b'\r' => "\\r".into(),
                    b'\t' => "\\t".into(),
                    0x0c => "\\f".into(),
                    b'\'' | b'\\' => format!("\\{}", char::from(character)),
                    other => char::from(other).to_string(),
                };
                self.format(format_args!("'{escaped}'"));
            }
            Constant::True => self.word("true"),
            Constant::False => self.word("false"),
            Constant::Skip => self.word("skip"),
        }
    }

    pub(super) fn variable(&mut self, variable: &VariableRef) {
        self.separated(&variable.parts, ".", |printer, part| {
            printer.word(&part.name.text);
            if let Some(index) = &part.index {
                printer.word("[");
                printer.expr(index);
                printer.word("]");
            }
        });
    }

    fn process(&mut self, proctype: &str, pid: Option<&Expr>) {
        self.word(proctype);
        if let Some(pid) = pid {
            self.word("[");
            self.expr(pid);
            self.word("]");
        }
    }

    fn about_process(&mut self, word: &str, process: &Expr) {
        self.word(word);
        self.in_parentheses(process);
    }

    pub(super) fn send(&mut self, send: &Send) {
        self.variable(&send.channel);
        self.word(if send.sorted { "!!" } else { "!" });
        let first = self.out.len();
        self.separated(&send.arguments, ",", Self::expr);
        // `q! !x` sends a negation; `q!!x` would be a sorted send.
        if self.out[first..].starts_with('!') {
            self.out.insert(first, ' ');
        }
    }

    pub(super) fn receive(&mut self, receive: &Receive) {
        self.variable(&receive.channel);
        self.word(if receive.random { "??" } else { "?" });
        if receive.copy {
            self.word("<");
            self.fields(receive);
            self.word(">");
        } else {
            self.fields(receive);
        }
    }

    fn fields(&mut self, receive: &Receive) {
        self.separated(&receive.arguments, ",", |printer, argument| match argument {
            ReceiveArgument::Variable(variable) => printer.variable(variable),
            ReceiveArgument::Eval(expr) => printer.about_process("eval", expr),
            ReceiveArgument::Constant(expr) => printer.expr(expr),
        });
    }
}
