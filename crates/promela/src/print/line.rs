//! The text that SPIN shows for a statement in its traces and in `pan -d`.
//!
//! Binary operations stand in parentheses, without blanks and whatever was written; sugar is gone (`x++` is `x = (x+1)`),
//! character constants are numbers, and an expression statement stands in parentheses of its own: `((x==1))`.

use std::fmt::{self, Write};

use crate::ast::{
    Constant, Expr, ExprKind, OperatorChain, Receive, ReceiveArgument, Statement, StatementKind, VariableRef,
};

/// One line for a statement, as SPIN writes it; a compound statement is only named.
///
/// ```
/// use promela::ast::{Name, RefPart, Statement, StatementKind, VariableRef};
/// use promela::print::print_statement_line;
/// use promela::source::Span;
/// let name = Name { text: "x".into(), span: Span::NOWHERE };
/// let x = VariableRef { parts: vec![RefPart { name, index: None }], span: Span::NOWHERE };
/// let statement = Statement { kind: StatementKind::Increment(x), span: Span::NOWHERE };
/// assert_eq!(print_statement_line(&statement), "x = (x+1)");
/// ```
#[must_use]
pub fn print_statement_line(statement: &Statement) -> String {
    written(|out| line(out, statement))
}

/// An expression as SPIN writes it.
#[must_use]
pub fn print_expression_line(expr: &Expr) -> String {
    written(|out| expression(out, expr))
}

fn written(write: impl FnOnce(&mut String) -> fmt::Result) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write(&mut out);
    out
}

fn line(out: &mut String, statement: &Statement) -> fmt::Result {
    match &statement.kind {
        StatementKind::Labelled(_, Some(labelled)) => line(out, labelled),
        StatementKind::Labelled(_, None) => out.write_str("(1)"),
        StatementKind::Assign(target, value) => {
            variable(out, target)?;
            out.write_str(" = ")?;
            expression(out, value)
        }
        StatementKind::Increment(target) => step(out, target, '+'),
        StatementKind::Decrement(target) => step(out, target, '-'),
        StatementKind::AssignInline(target, call) => {
            variable(out, target)?;
            write!(out, " = {}(", call.name.text)?;
            list(out, &call.arguments, expression)?;
            out.write_str(")")
        }
        StatementKind::Call(call) => {
            write!(out, "{}(", call.name.text)?;
            list(out, &call.arguments, expression)?;
            out.write_str(")")
        }
        StatementKind::Return(value) => {
            out.write_str("return ")?;
            expression(out, value)
        }
        StatementKind::Expression(expr) => {
            out.write_str("(")?;
            expression(out, expr)?;
            out.write_str(")")
        }
        StatementKind::Send(send) => {
            variable(out, &send.channel)?;
            out.write_str(if send.sorted { "!!" } else { "!" })?;
            list(out, &send.arguments, expression)
        }
        StatementKind::Receive(receive) => {
            variable(out, &receive.channel)?;
            out.write_str(if receive.random { "??" } else { "?" })?;
            if receive.copy {
                out.write_str("<")?;
                fields(out, receive)?;
                out.write_str(">")
            } else {
                fields(out, receive)
            }
        }
        StatementKind::Select(target, low, high) => {
            out.write_str("select (")?;
            variable(out, target)?;
            out.write_str(" : ")?;
            expression(out, low)?;
            out.write_str(" .. ")?;
            expression(out, high)?;
            out.write_str(")")
        }
        StatementKind::If(_) => out.write_str("IF"),
        StatementKind::Do(_) | StatementKind::For(_) => out.write_str("DO"),
        StatementKind::Atomic(_) => out.write_str("ATOMIC"),
        StatementKind::DStep(_) => out.write_str("D_STEP"),
        StatementKind::Block(_) => out.write_str("sub-sequence"),
        StatementKind::Unless(..) => out.write_str("unless"),
        StatementKind::Goto(label) => write!(out, "goto {}", label.text),
        StatementKind::Break => out.write_str("break"),
        StatementKind::Else => out.write_str("else"),
        StatementKind::Assert(expr) => {
            out.write_str("assert(")?;
            expression(out, expr)?;
            out.write_str(")")
        }
        StatementKind::Printf(format, arguments) => {
            let text = format.trim_matches('"').replace('\\', "\\\\");
            write!(out, "printf('{text}'")?;
            for argument in arguments {
                out.write_str(",")?;
                expression(out, argument)?;
            }
            out.write_str(")")
        }
        StatementKind::Printm(expr) => {
            out.write_str("printm(")?;
            expression(out, expr)?;
            out.write_str(")")
        }
        StatementKind::SetPriority(process, priority) => {
            out.write_str("set_priority(")?;
            expression(out, process)?;
            out.write_str(", ")?;
            expression(out, priority)?;
            out.write_str(")")
        }
        StatementKind::CCode(text) => write!(out, "{{{}}}", text.text),
        StatementKind::Error(_) => out.write_str("<error>"),
    }
}

/// `x = (x+1)`
fn step(out: &mut String, target: &VariableRef, operator: char) -> fmt::Result {
    variable(out, target)?;
    out.write_str(" = (")?;
    variable(out, target)?;
    write!(out, "{operator}1)")
}

fn list<T>(out: &mut String, items: &[T], item: fn(&mut String, &T) -> fmt::Result) -> fmt::Result {
    for (index, each) in items.iter().enumerate() {
        if index > 0 {
            out.write_str(",")?;
        }
        item(out, each)?;
    }
    Ok(())
}

fn variable(out: &mut String, variable: &VariableRef) -> fmt::Result {
    for (index, part) in variable.parts.iter().enumerate() {
        if index > 0 {
            out.write_str(".")?;
        }
        out.write_str(&part.name.text)?;
        if let Some(index) = &part.index {
            out.write_str("[")?;
            expression(out, index)?;
            out.write_str("]")?;
        }
    }
    Ok(())
}

fn fields(out: &mut String, receive: &Receive) -> fmt::Result {
    list(out, &receive.arguments, |out, argument| match argument {
        ReceiveArgument::Variable(field) => variable(out, field),
        ReceiveArgument::Eval(expr) => {
            out.write_str("eval(")?;
            expression(out, expr)?;
            out.write_str(")")
        }
        ReceiveArgument::Constant(expr) => match &expr.kind {
            // SPIN computes the sign of a constant field while it reads.
            ExprKind::Unary(_, constant) => {
                out.write_str("-")?;
                expression(out, constant)
            }
            _ => expression(out, expr),
        },
    })
}

fn expression(out: &mut String, expr: &Expr) -> fmt::Result {
    let chain = OperatorChain::of(expr);
    out.extend(std::iter::repeat_n('(', chain.links.len()));
    operand(out, chain.first)?;
    for link in &chain.links {
        out.write_str(link.operator.text())?;
        expression(out, link.right)?;
        out.write_str(")")?;
    }
    Ok(())
}

fn operand(out: &mut String, expr: &Expr) -> fmt::Result {
    match &expr.kind {
        ExprKind::Binary(..) | ExprKind::Paren(_) => {
            let inner = if let ExprKind::Paren(inner) = &expr.kind { inner } else { expr };
            expression(out, inner)
        }
        ExprKind::Constant(constant) => match constant {
            Constant::Number(number) => write!(out, "{number}"),
            Constant::Character(character) => write!(out, "{character}"),
            Constant::True | Constant::Skip => out.write_str("1"),
            Constant::False => out.write_str("0"),
        },
        ExprKind::Variable(reference) => variable(out, reference),
        ExprKind::Unary(operator, inner) => {
            write!(out, "{}(", operator.text())?;
            expression(out, inner)?;
            out.write_str(")")
        }
        ExprKind::Conditional(condition, first, second) => {
            out.write_str("( (")?;
            expression(out, condition)?;
            out.write_str(") -> (")?;
            expression(out, first)?;
            out.write_str(") : (")?;
            expression(out, second)?;
            out.write_str(") )")
        }
        ExprKind::Probe(probe, channel) => {
            write!(out, "{}(", probe.name())?;
            variable(out, channel)?;
            out.write_str(")")
        }
        ExprKind::Poll(receive) => {
            variable(out, &receive.channel)?;
            out.write_str(if receive.random { "??[" } else { "?[" })?;
            fields(out, receive)?;
            out.write_str("]")
        }
        ExprKind::Run(run) => {
            write!(out, "run {}(", run.proctype.text)?;
            list(out, &run.arguments, expression)?;
            out.write_str(")")
        }
        ExprKind::RemoteLabel(remote) => {
            process(out, &remote.proctype.text, remote.pid.as_ref())?;
            write!(out, "@{}", remote.label.text)
        }
        ExprKind::RemoteVariable(remote) => {
            process(out, &remote.proctype.text, remote.pid.as_ref())?;
            out.write_str(":")?;
            variable(out, &remote.variable)
        }
        ExprKind::Timeout => out.write_str("timeout"),
        ExprKind::NonProgress => out.write_str("np_"),
        ExprKind::Enabled(process) => function(out, "enabled", process),
        ExprKind::PcValue(process) => function(out, "pc_value", process),
        ExprKind::GetPriority(process) => function(out, "get_priority", process),
        ExprKind::CExpr(text) => write!(out, "{{{}}}", text.text),
        ExprKind::AnyRef(proctype) => write!(out, "anyRef({})", proctype.text),
        ExprKind::UndefinedRef => out.write_str("_undef_ref"),
        ExprKind::Error => out.write_str("<error>"),
    }
}

fn process(out: &mut String, proctype: &str, pid: Option<&Expr>) -> fmt::Result {
    out.write_str(proctype)?;
    if let Some(pid) = pid {
        out.write_str("[")?;
        expression(out, pid)?;
        out.write_str("]")?;
    }
    Ok(())
}

fn function(out: &mut String, name: &str, argument: &Expr) -> fmt::Result {
    write!(out, "{name}(")?;
    expression(out, argument)?;
    out.write_str(")")
}
