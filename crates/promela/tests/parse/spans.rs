//! Trees without their spans, so that a tree can be compared with the one parsed from its own text.

use promela::ast::{
    Active, Ast, Block, CStrings, CText, Claim, Declaration, Declarator, EmbeddedC, Expr, ExprKind, For, ForRange,
    Formula, FormulaKind, Init, Initialiser, Inline, InlineCall, LtlProperty, MtypeDeclaration, Name, Proctype,
    Receive, ReceiveArgument, Send, Statement, StatementKind, Step, Trace, TypeName, Typedef, Unit, VariableRef,
};
use promela::source::Span;

/// The same tree with every span set to [`Span::NOWHERE`].
pub fn without_spans(mut ast: Ast) -> Ast {
    ast.units.iter_mut().for_each(unit);
    ast
}

pub fn formula_without_spans(mut tree: Formula) -> Formula {
    formula(&mut tree);
    tree
}

fn forget(span: &mut Span) {
    *span = Span::NOWHERE;
}

fn unit(unit: &mut Unit) {
    match unit {
        Unit::Declaration(it) => declaration(it),
        Unit::Mtype(it) => mtype(it),
        Unit::Typedef(Typedef { name: it, fields, span }) => {
            forget(span);
            name(it);
            fields.iter_mut().for_each(declaration);
        }
        Unit::Inline(Inline { name: it, parameters, text: _, span }) => {
            forget(span);
            name(it);
            parameters.iter_mut().for_each(name);
        }
        Unit::Proctype(it) => proctype(it),
        Unit::Init(Init { priority, provided, body, span }) => {
            forget(span);
            priority.iter_mut().for_each(expr);
            provided.iter_mut().for_each(expr);
            block(body);
        }
        Unit::Never(Claim { name: it, body, span }) | Unit::Trace(Trace { name: it, body, span, negated: _ }) => {
            forget(span);
            it.iter_mut().for_each(name);
            block(body);
        }
        Unit::Ltl(LtlProperty { name: it, formula: tree, span }) => {
            forget(span);
            it.iter_mut().for_each(name);
            formula(tree);
        }
        Unit::EmbeddedC(EmbeddedC::Declarations(it) | EmbeddedC::Code(it)) => c_text(it),
        Unit::EmbeddedC(EmbeddedC::State(CStrings { span, .. }) | EmbeddedC::Track(CStrings { span, .. })) => {
            forget(span)
        }
    }
}

fn proctype(proctype: &mut Proctype) {
    forget(&mut proctype.span);
    name(&mut proctype.name);
    if let Some(Active { count, span }) = &mut proctype.active {
        forget(span);
        count.iter_mut().for_each(expr);
    }
    proctype.parameters.iter_mut().for_each(declaration);
    proctype.priority.iter_mut().for_each(expr);
    proctype.provided.iter_mut().for_each(expr);
    block(&mut proctype.body);
}

fn name(name: &mut Name) {
    forget(&mut name.span);
}

fn c_text(text: &mut CText) {
    forget(&mut text.span);
}

fn mtype(mtype: &mut MtypeDeclaration) {
    forget(&mut mtype.span);
    mtype.set.iter_mut().for_each(name);
    mtype.names.iter_mut().for_each(name);
}

fn type_name(type_name: &mut TypeName) {
    match type_name {
        TypeName::Mtype(Some(it)) | TypeName::User(it) | TypeName::Ref(it) => name(it),
        _ => {}
    }
}

fn declaration(declaration: &mut Declaration) {
    forget(&mut declaration.span);
    forget(&mut declaration.type_span);
    declaration.public.iter_mut().for_each(forget);
    declaration.visibility.iter_mut().for_each(|(_, span)| forget(span));
    type_name(&mut declaration.type_name);
    declaration.variables.iter_mut().for_each(declarator);
}

fn declarator(declarator: &mut Declarator) {
    forget(&mut declarator.span);
    name(&mut declarator.name);
    declarator.width.iter_mut().for_each(expr);
    declarator.length.iter_mut().for_each(expr);
    if let Some(external) = &mut declarator.external {
        forget(&mut external.span);
        name(&mut external.name);
    }
    match &mut declarator.initialiser {
        None => {}
        Some(Initialiser::Expression(it)) => expr(it),
        Some(Initialiser::List(values, span)) => {
            forget(span);
            values.iter_mut().for_each(expr);
        }
        Some(Initialiser::Channel(channel)) => {
            forget(&mut channel.span);
            expr(&mut channel.capacity);
            channel.fields.iter_mut().for_each(|(it, span)| {
                forget(span);
                type_name(it);
            });
        }
    }
}

fn block(block: &mut Block) {
    forget(&mut block.span);
    block.steps.iter_mut().for_each(step);
}

fn step(step: &mut Step) {
    match step {
        Step::Statement(it) => statement(it),
        Step::Declaration(it) => declaration(it),
        Step::Mtype(it) => mtype(it),
        Step::Exclusive(exclusive) => {
            forget(&mut exclusive.span);
            exclusive.channels.iter_mut().for_each(variable);
        }
    }
}

fn statement(statement: &mut Statement) {
    forget(&mut statement.span);
    match &mut statement.kind {
        StatementKind::Labelled(label, labelled) => {
            name(label);
            labelled.iter_mut().for_each(|it| self::statement(it));
        }
        StatementKind::Assign(target, value) => {
            variable(target);
            expr(value);
        }
        StatementKind::Increment(target) | StatementKind::Decrement(target) => variable(target),
        StatementKind::AssignInline(target, it) => {
            variable(target);
            call(it);
        }
        StatementKind::Call(it) => call(it),
        StatementKind::Return(it)
        | StatementKind::Expression(it)
        | StatementKind::Assert(it)
        | StatementKind::Printm(it) => expr(it),
        StatementKind::Send(Send { channel, arguments, sorted: _ }) => {
            variable(channel);
            arguments.iter_mut().for_each(expr);
        }
        StatementKind::Receive(it) => receive(it),
        StatementKind::If(options) | StatementKind::Do(options) => options.iter_mut().for_each(block),
        StatementKind::For(For { variable: it, range, body }) => {
            variable(it);
            match range {
                ForRange::Bounds(low, high) => [low, high].into_iter().for_each(expr),
                ForRange::In(array) => variable(array),
            }
            block(body);
        }
        StatementKind::Select(target, low, high) => {
            variable(target);
            [low, high].into_iter().for_each(expr);
        }
        StatementKind::Unless(normal, escape) => {
            self::statement(normal);
            self::statement(escape);
        }
        StatementKind::Atomic(it) | StatementKind::DStep(it) | StatementKind::Block(it) => block(it),
        StatementKind::Goto(label) => name(label),
        StatementKind::Printf(_, arguments) => arguments.iter_mut().for_each(expr),
        StatementKind::SetPriority(process, priority) => [process, priority].into_iter().for_each(expr),
        StatementKind::CCode(text) => c_text(text),
        StatementKind::Break | StatementKind::Else | StatementKind::Error(_) => {}
    }
}

fn call(call: &mut InlineCall) {
    forget(&mut call.span);
    name(&mut call.name);
    call.arguments.iter_mut().for_each(expr);
    block(&mut call.body);
}

fn receive(receive: &mut Receive) {
    variable(&mut receive.channel);
    for argument in &mut receive.arguments {
        match argument {
            ReceiveArgument::Variable(it) => variable(it),
            ReceiveArgument::Eval(it) | ReceiveArgument::Constant(it) => expr(it),
        }
    }
}

fn variable(variable: &mut VariableRef) {
    forget(&mut variable.span);
    for part in &mut variable.parts {
        name(&mut part.name);
        part.index.iter_mut().for_each(|index| expr(index));
    }
}

fn expr(mut tree: &mut Expr) {
    loop {
        forget(&mut tree.span);
        match &mut tree.kind {
            ExprKind::Binary(_, left, right) => {
                expr(right);
                tree = left;
            }
            other => return operand(other),
        }
    }
}

fn operand(kind: &mut ExprKind) {
    match kind {
        ExprKind::Binary(_, left, right) => [left, right].into_iter().for_each(|it| expr(it)),
        ExprKind::Variable(it) | ExprKind::Probe(_, it) => variable(it),
        ExprKind::Unary(_, it)
        | ExprKind::Enabled(it)
        | ExprKind::PcValue(it)
        | ExprKind::GetPriority(it)
        | ExprKind::Paren(it) => expr(it),
        ExprKind::Conditional(condition, first, second) => {
            [condition, first, second].into_iter().for_each(|it| expr(it))
        }
        ExprKind::Poll(it) => receive(it),
        ExprKind::Run(run) => {
            name(&mut run.proctype);
            run.arguments.iter_mut().for_each(expr);
            run.priority.iter_mut().for_each(expr);
        }
        ExprKind::RemoteLabel(remote) => {
            name(&mut remote.proctype);
            remote.pid.iter_mut().for_each(expr);
            name(&mut remote.label);
        }
        ExprKind::RemoteVariable(remote) => {
            name(&mut remote.proctype);
            remote.pid.iter_mut().for_each(expr);
            variable(&mut remote.variable);
        }
        ExprKind::CExpr(text) => c_text(text),
        ExprKind::AnyRef(proctype) => name(proctype),
        ExprKind::Constant(_)
        | ExprKind::Timeout
        | ExprKind::NonProgress
        | ExprKind::UndefinedRef
        | ExprKind::Error => {}
    }
}

fn formula(tree: &mut Formula) {
    forget(&mut tree.span);
    match &mut tree.kind {
        FormulaKind::Atom(it) => expr(it),
        FormulaKind::Not(inner)
        | FormulaKind::Next(inner)
        | FormulaKind::Always(inner)
        | FormulaKind::Eventually(inner) => {
            formula(inner);
        }
        FormulaKind::And(left, right)
        | FormulaKind::Or(left, right)
        | FormulaKind::Implies(left, right)
        | FormulaKind::Equivalent(left, right)
        | FormulaKind::Until(left, right)
        | FormulaKind::WeakUntil(left, right)
        | FormulaKind::Release(left, right) => {
            formula(left);
            formula(right);
        }
    }
}
