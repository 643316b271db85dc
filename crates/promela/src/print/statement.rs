//! Statements as text, one to a line.

use super::Printer;
use crate::ast::{Block, Exclusive, For, ForRange, InlineCall, PortDirection, Statement, StatementKind, Step};

impl Printer {
    /// `{ ... }`, a step to a line.
    pub(super) fn block(&mut self, block: &Block) {
        self.word("{");
        self.indent += 1;
        for (index, step) in block.steps.iter().enumerate() {
            self.line_break();
            self.step(step);
            if index + 1 < block.steps.len() {
                self.word(";");
            }
        }
        self.indent -= 1;
        self.line_break();
        self.word("}");
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Statement(statement) => self.statement(statement),
            Step::Declaration(declaration) => self.declaration(declaration),
            Step::Mtype(mtype) => self.mtype(mtype),
            Step::Exclusive(Exclusive { direction, channels, .. }) => {
                self.word(if *direction == PortDirection::Receive { "xr " } else { "xs " });
                self.separated(channels, ", ", Self::variable);
            }
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Labelled(label, labelled) => {
                self.format(format_args!("{}:", label.text));
                if let Some(labelled) = labelled {
                    self.word(" ");
                    self.part(labelled);
                }
            }
            StatementKind::Unless(normal, escape) => {
                self.part(normal);
                self.word(" unless ");
                self.part(escape);
            }
            StatementKind::Assign(variable, expr) => {
                self.variable(variable);
                self.word(" = ");
                self.expr(expr);
            }
            StatementKind::Increment(variable) => {
                self.variable(variable);
                self.word("++");
            }
            StatementKind::Decrement(variable) => {
                self.variable(variable);
                self.word("--");
            }
            StatementKind::AssignInline(variable, call) => {
                self.variable(variable);
                self.word(" = ");
                self.call(call);
            }
            StatementKind::Call(call) => self.call(call),
            StatementKind::Return(expr) => {
                self.word("return ");
                self.expr(expr);
            }
            StatementKind::Expression(expr) => self.expr(expr),
            StatementKind::Send(send) => self.send(send),
            StatementKind::Receive(receive) => self.receive(receive),
            StatementKind::If(options) => self.selection("if", options, "fi"),
            StatementKind::Do(options) => self.selection("do", options, "od"),
            StatementKind::For(for_loop) => self.for_loop(for_loop),
            StatementKind::Select(variable, low, high) => {
                self.word("select (");
                self.variable(variable);
                self.word(" : ");
                self.expr(low);
                self.word(" .. ");
                self.expr(high);
                self.word(")");
            }
            StatementKind::Atomic(block) => {
                self.word("atomic ");
                self.block(block);
            }
            StatementKind::DStep(block) => {
                self.word("d_step ");
                self.block(block);
            }
            StatementKind::Block(block) => self.block(block),
            StatementKind::Goto(label) => self.format(format_args!("goto {}", label.text)),
            StatementKind::Break => self.word("break"),
            StatementKind::Else => self.word("else"),
            StatementKind::Assert(expr) => {
                self.word("assert ");
                self.expr(expr);
            }
            StatementKind::Printf(format, arguments) => {
                self.format(format_args!("printf({format}"));
                for argument in arguments {
                    self.word(", ");
                    self.expr(argument);
                }
                self.word(")");
            }
            StatementKind::Printm(expr) => {
                self.word("printm(");
                self.expr(expr);
                self.word(")");
            }
            StatementKind::SetPriority(process, priority) => {
                self.word("set_priority(");
                self.expr(process);
                self.word(", ");
                self.expr(priority);
                self.word(")");
            }
            StatementKind::CCode(text) => self.c_text("c_code", text),
            StatementKind::Error(_) => self.word("<error>"),
        }
    }

    /// A statement inside another; `unless` needs braces there.
    fn part(&mut self, statement: &Statement) {
        if let StatementKind::Unless(..) = statement.kind {
            self.word("{ ");
            self.statement(statement);
            self.word(" }");
        } else {
            self.statement(statement);
        }
    }

    fn call(&mut self, call: &InlineCall) {
        self.format(format_args!("{}(", call.name.text));
        self.separated(&call.arguments, ", ", Self::expr);
        self.word(")");
    }

    fn selection(&mut self, open: &str, options: &[Block], close: &str) {
        self.word(open);
        for option in options {
            self.line_break();
            self.word(":: ");
            self.indent += 1;
            for (index, step) in option.steps.iter().enumerate() {
                if index > 0 {
                    self.word(if index == 1 && is_guard(&option.steps[0]) { " ->" } else { ";" });
                    self.line_break();
                }
                self.step(step);
            }
            self.indent -= 1;
        }
        self.line_break();
        self.word(close);
    }

    fn for_loop(&mut self, for_loop: &For) {
        self.word("for (");
        self.variable(&for_loop.variable);
        match &for_loop.range {
            ForRange::Bounds(low, high) => {
                self.word(" : ");
                self.expr(low);
                self.word(" .. ");
                self.expr(high);
            }
            ForRange::In(array) => {
                self.word(" in ");
                self.variable(array);
            }
        }
        self.word(") ");
        self.block(&for_loop.body);
    }
}

/// Whether a step can block, so that what follows it is customarily set off by `->`.
fn is_guard(step: &Step) -> bool {
    let Step::Statement(statement) = step else { return false };
    matches!(
        statement.kind,
        StatementKind::Expression(_) | StatementKind::Else | StatementKind::Send(_) | StatementKind::Receive(_)
    )
}
