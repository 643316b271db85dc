//! Expressions, places, channels and formulas. Every operator stands in parentheses, so no precedence is needed to read them.

use std::fmt::Write as _;

use automata::formula::{Formula, Operator};

use crate::claim::Cube;
use crate::expression::{ChannelRef, Expr, Index, Owner, Place};
use crate::text::words::PREDEFINED;

/// Writes the parts of a list with commas between them.
pub fn list<T>(out: &mut String, parts: &[T], mut write: impl FnMut(&mut String, &T)) {
    for (number, part) in parts.iter().enumerate() {
        if number > 0 {
            out.push_str(", ");
        }
        write(out, part);
    }
}

/// A field of a pattern: a value, or `_` for any.
pub fn option(out: &mut String, value: &Option<Expr>) {
    match value {
        Some(value) => expr(out, value),
        None => out.push('_'),
    }
}

pub fn expr(out: &mut String, value: &Expr) {
    let call = |out: &mut String, word: &str, argument| {
        out.extend([word, "("]);
        expr(out, argument);
        out.push(')');
    };
    match value {
        Expr::Constant(constant) => {
            let _ = write!(out, "{constant}");
        }
        Expr::Load(loaded) => place(out, loaded, "."),
        Expr::Remote(loaded) => place(out, loaded, ":"),
        Expr::Predefined(which) => {
            let word = PREDEFINED.into_iter().find(|(_, each)| each == which).map_or("", |(word, _)| word);
            out.push_str(word);
        }
        Expr::Unary(op, operand) => {
            let _ = write!(out, "({} ", op.text());
            expr(out, operand);
            out.push(')');
        }
        Expr::Binary(op, left, right, _) => {
            out.push('(');
            expr(out, left);
            let _ = write!(out, " {} ", op.text());
            expr(out, right);
            out.push(')');
        }
        Expr::Conditional(condition, yes, no) => {
            for (before, part) in [("(", condition), (" -> ", yes), (" : ", no)] {
                out.push_str(before);
                expr(out, part);
            }
            out.push(')');
        }
        Expr::Probe(probe, asked) => {
            let _ = write!(out, "{}(", probe.name());
            channel(out, asked);
            out.push(')');
        }
        Expr::Poll(poll) => {
            channel(out, &poll.channel);
            out.push_str(if poll.random { " ?? [" } else { " ? [" });
            list(out, &poll.pattern, option);
            out.push(']');
        }
        Expr::Run(run) => {
            let _ = write!(out, "run d{}(", run.definition.0);
            list(out, &run.arguments, expr);
            out.push(')');
            if let Some(priority) = &run.priority {
                out.push_str(" priority ");
                expr(out, priority);
            }
        }
        Expr::At(at) => {
            let _ = write!(out, "d{}", at.definition.0);
            at.pid.iter().for_each(|pid| bracketed(out, pid));
            let _ = write!(out, "@{}", at.location.0);
        }
        Expr::Timeout => out.push_str("timeout"),
        Expr::Enabled(pid) => call(out, "enabled", pid),
        Expr::LocationOf(pid) => call(out, "pc_value", pid),
        Expr::PriorityOf(pid) => call(out, "get_priority", pid),
        Expr::Code(code) => {
            let _ = write!(out, "k{}", code.0);
        }
        Expr::AnyReference(definition, number) => {
            let _ = write!(out, "anyref(d{}, {number})", definition.0);
        }
    }
}

fn bracketed(out: &mut String, value: &Expr) {
    out.push('[');
    expr(out, value);
    out.push(']');
}

/// A place; what stands between the process and the cells of a remote one tells which kind of reference it is.
pub fn place(out: &mut String, place: &Place, separator: &str) {
    let letter = match &place.owner {
        Owner::Global => 'g',
        Owner::Own => 'l',
        Owner::Remote(definition, pid) => {
            let _ = write!(out, "d{}", definition.0);
            pid.iter().for_each(|pid| bracketed(out, pid));
            out.push_str(separator);
            'l'
        }
    };
    let _ = write!(out, "{letter}{}", place.cells.0);
    match &place.index {
        Index::Constant(0) => {}
        Index::Constant(element) => {
            let _ = write!(out, "[{element}]");
        }
        Index::Computed(indices) => {
            for (index, length) in indices {
                out.push('[');
                expr(out, index);
                let _ = write!(out, " : {length}]");
            }
        }
    }
}

pub fn channel(out: &mut String, channel: &ChannelRef) {
    let _ = match channel {
        ChannelRef::Global(number) => write!(out, "gc{number}"),
        ChannelRef::Own(number) => write!(out, "lc{number}"),
        ChannelRef::Variable(variable) => {
            place(out, variable, ".");
            Ok(())
        }
    };
}

/// A conjunction of atoms: `p0 & !p1`.
pub fn cube(cube: Cube) -> String {
    let asked = |word: u64, atom: &u32| word >> atom & 1 == 1;
    let required = (0..64).filter(|atom| asked(cube.required, atom)).map(|atom| format!("p{atom}"));
    let excluded = (0..64).filter(|atom| asked(cube.excluded, atom)).map(|atom| format!("!p{atom}"));
    let atoms: Vec<String> = required.chain(excluded).collect();
    if atoms.is_empty() { "true".to_string() } else { atoms.join(" & ") }
}

pub fn formula(out: &mut String, value: &Formula) {
    let word = match value.operator() {
        Operator::True => return out.push_str("true"),
        Operator::False => return out.push_str("false"),
        Operator::Atom(atom) => {
            let _ = write!(out, "p{}", atom.0);
            return;
        }
        Operator::Not(_) => "!",
        Operator::Next(_) => "X",
        Operator::Eventually(_) => "F",
        Operator::Always(_) => "G",
        Operator::And(_) => "&&",
        Operator::Or(_) => "||",
        Operator::Implies(..) => "->",
        Operator::Equivalent(..) => "<->",
        Operator::Until(..) => "U",
        Operator::Release(..) => "R",
        Operator::WeakUntil(..) => "W",
        Operator::StrongRelease(..) => "M",
    };
    let operands: Vec<&Formula> = value.operator().operands().collect();
    out.push('(');
    for (number, operand) in operands.iter().enumerate() {
        match (number, operands.len()) {
            (0, 1) => out.extend([word, " "]),
            (0, _) => {}
            _ => out.extend([" ", word, " "]),
        }
        formula(out, operand);
    }
    out.push(')');
}
