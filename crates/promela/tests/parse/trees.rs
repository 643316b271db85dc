//! Random trees, as the parser could have made them: parentheses where precedence needs them, no construct empty, names from
//! a small pool that holds every word that is special only in some places.

use std::sync::Arc;

use promela::ast::{
    Active, Ast, BinaryOp, Block, CStrings, CText, ChannelInitialiser, ChannelProbe, Claim, Constant, Declaration,
    Declarator, EmbeddedC, Exclusive, Expr, ExprKind, External, For, ForRange, Formula, FormulaKind, Init, Initialiser,
    LtlProperty, MtypeDeclaration, Name, PortDirection, Proctype, Receive, ReceiveArgument, RefPart, RemoteLabel,
    RemoteVariable, Run, Send, Statement, StatementKind, Step, Trace, TypeName, Typedef, UnaryOp, Unit, VariableRef,
    Visibility,
};
use promela::source::Span;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{BoxedStrategy, Just, Strategy, any, prop_oneof};
use proptest::sample::select;

const NOWHERE: Span = Span::NOWHERE;

/// A whole model. It begins with the definitions that the rest may refer to.
pub fn ast() -> impl Strategy<Value = Ast> {
    vec(unit(), 0..6).prop_map(|mut units| {
        let skip = expression(Expr { kind: ExprKind::Constant(Constant::Skip), span: NOWHERE });
        let prelude = [
            Unit::Typedef(Typedef { name: name("T"), fields: vec![plain_declaration("x")], span: NOWHERE }),
            Unit::Proctype(Proctype {
                name: name("P"),
                deterministic: false,
                active: None,
                parameters: Vec::new(),
                priority: None,
                provided: None,
                body: Block { steps: vec![Step::Statement(skip)], span: NOWHERE },
                span: NOWHERE,
            }),
        ];
        units.splice(0..0, prelude);
        Ast { units }
    })
}

fn plain_declaration(of: &str) -> Declaration {
    let variable =
        Declarator { name: name(of), width: None, length: None, external: None, initialiser: None, span: NOWHERE };
    Declaration {
        visibility: None,
        public: None,
        type_name: TypeName::Byte,
        type_span: NOWHERE,
        variables: vec![variable],
        span: NOWHERE,
    }
}

fn name(text: &str) -> Name {
    Name { text: text.into(), span: NOWHERE }
}

/// Names for variables, labels and the like.
fn any_name() -> impl Strategy<Value = Name> {
    select(vec![
        "x", "y", "i", "n_1", "in", "ref", "public", "extern", "U", "X", "always", "anyRef", "_pid", "_lid", "_",
    ])
    .prop_map(name)
}

/// Names that mean nothing special in a formula either.
fn atom_name() -> impl Strategy<Value = Name> {
    select(vec!["x", "y", "request", "in", "ref"]).prop_map(name)
}

// ---------------------------------------------------------------------------------------------- units

fn unit() -> BoxedStrategy<Unit> {
    let body = || block(2);
    let provided = || option::of(expr(any_name().boxed()));
    let proctype = (
        (select(vec!["Q", "R", "Server"]).prop_map(name), any::<bool>()),
        option::of(option::of(expr(any_name().boxed())).prop_map(|count| Active { count, span: NOWHERE })),
        vec(declaration(), 0..3),
        (option::of(constant()), provided()),
        body(),
    );
    let proctype = proctype.prop_map(|((name, deterministic), active, parameters, (priority, provided), body)| {
        Unit::Proctype(Proctype { name, deterministic, active, parameters, priority, provided, body, span: NOWHERE })
    });
    prop_oneof![
        2 => declaration().prop_map(Unit::Declaration),
        1 => mtype().prop_map(Unit::Mtype),
        1 => vec(declaration(), 1..3).prop_map(|fields| Unit::Typedef(Typedef { name: name("Other"), fields, span: NOWHERE })),
        3 => proctype,
        1 => (option::of(constant()), body()).prop_map(|(priority, body)| Unit::Init(Init { priority, provided: None, body, span: NOWHERE })),
        1 => (option::of(any_name()), body()).prop_map(|(name, body)| Unit::Never(Claim { name, body, span: NOWHERE })),
        1 => (any::<bool>(), option::of(any_name()), body()).prop_map(|(negated, name, body)| Unit::Trace(Trace { negated, name, body, span: NOWHERE })),
        2 => (option::of(any_name()), formula()).prop_map(|(name, formula)| Unit::Ltl(LtlProperty { name, formula, span: NOWHERE })),
        1 => embedded_c().prop_map(Unit::EmbeddedC),
    ]
    .boxed()
}

fn embedded_c() -> impl Strategy<Value = EmbeddedC> {
    let text = || select(vec!["int x", "Local P", "sizeof(x)", "&x", "0"]).prop_map(Arc::from);
    let strings = move || vec(text(), 2..4).prop_map(|strings| CStrings { strings, span: NOWHERE });
    prop_oneof![
        c_text().prop_map(EmbeddedC::Declarations),
        c_text().prop_map(EmbeddedC::Code),
        strings().prop_map(EmbeddedC::State),
        strings().prop_map(EmbeddedC::Track),
    ]
}

fn c_text() -> impl Strategy<Value = CText> {
    let text = select(vec!["", "now.x = 1;", "if (a[0] == '}') { f(\"{\", 2); }", "x\ny->z += 1;"]);
    (text, option::of(select(vec!["now.x > 0", "a[1] == b[c[2]]"]))).prop_map(|(text, precondition)| CText {
        text: text.into(),
        precondition: precondition.map(Arc::from),
        span: NOWHERE,
    })
}

// ---------------------------------------------------------------------------------------------- declarations

fn mtype() -> impl Strategy<Value = MtypeDeclaration> {
    (option::of(any_name()), vec(any_name(), 1..4)).prop_map(|(set, names)| MtypeDeclaration {
        set,
        names,
        span: NOWHERE,
    })
}

fn type_name() -> impl Strategy<Value = TypeName> {
    prop_oneof![
        select(vec![
            TypeName::Bit,
            TypeName::Bool,
            TypeName::Byte,
            TypeName::Pid,
            TypeName::Short,
            TypeName::Int,
            TypeName::Unsigned,
            TypeName::Mtype(None),
            TypeName::Chan,
            TypeName::User(name("T")),
            TypeName::Ref(name("P")),
        ]),
        any_name().prop_map(|set| TypeName::Mtype(Some(set))),
    ]
}

fn declaration() -> impl Strategy<Value = Declaration> {
    let visibility = select(vec![Visibility::Hidden, Visibility::Show, Visibility::Local]).prop_map(|it| (it, NOWHERE));
    (option::weighted(0.2, visibility), any::<bool>(), type_name(), vec(declarator(), 1..3)).prop_map(
        |(visibility, public, type_name, mut variables)| {
            if type_name != TypeName::Chan {
                let externals = variables.iter_mut().filter_map(|variable| variable.external.as_mut());
                externals.for_each(|external| external.direction = None);
            }
            let public = public.then_some(NOWHERE);
            Declaration { visibility, public, type_name, type_span: NOWHERE, variables, span: NOWHERE }
        },
    )
}

fn declarator() -> impl Strategy<Value = Declarator> {
    let external =
        (any_name(), option::of(direction())).prop_map(|(name, direction)| External { name, direction, span: NOWHERE });
    let shape = prop_oneof![
        Just((None, None)),
        constant().prop_map(|width| (Some(width), None)),
        expr(any_name().boxed()).prop_map(|length| (None, Some(length))),
    ];
    (any_name(), shape, option::weighted(0.2, external), option::of(initialiser())).prop_map(
        |(name, (width, length), external, initialiser)| Declarator {
            name,
            width,
            length,
            external,
            initialiser,
            span: NOWHERE,
        },
    )
}

fn direction() -> impl Strategy<Value = PortDirection> {
    select(vec![PortDirection::Send, PortDirection::Receive])
}

fn initialiser() -> impl Strategy<Value = Initialiser> {
    let expr = || expr(any_name().boxed());
    let channel = (expr(), vec(type_name().prop_map(|it| (it, NOWHERE)), 1..3));
    prop_oneof![
        expr().prop_map(Initialiser::Expression),
        vec(expr(), 1..3).prop_map(|values| Initialiser::List(values, NOWHERE)),
        channel.prop_map(|(capacity, fields)| Initialiser::Channel(ChannelInitialiser {
            capacity,
            fields,
            span: NOWHERE
        })),
    ]
}

// ---------------------------------------------------------------------------------------------- statements

fn block(depth: u32) -> BoxedStrategy<Block> {
    vec(step(depth), 1..4).prop_map(|steps| Block { steps, span: NOWHERE }).boxed()
}

fn step(depth: u32) -> BoxedStrategy<Step> {
    let exclusive = (direction(), vec(variable(any_name().boxed()), 1..3))
        .prop_map(|(direction, channels)| Step::Exclusive(Exclusive { direction, channels, span: NOWHERE }));
    let unless = (statement(depth), statement(depth)).prop_map(|(normal, escape)| {
        let kind = StatementKind::Unless(Box::new(normal), Box::new(escape));
        Step::Statement(Statement { kind, span: NOWHERE })
    });
    prop_oneof![
        10 => statement(depth).prop_map(Step::Statement),
        2 => declaration().prop_map(Step::Declaration),
        1 => mtype().prop_map(Step::Mtype),
        1 => exclusive,
        1 => unless,
    ]
    .boxed()
}

fn statement(depth: u32) -> BoxedStrategy<Statement> {
    let kind = if depth == 0 {
        simple_statement()
    } else {
        prop_oneof![3 => simple_statement(), 2 => compound_statement(depth - 1)].boxed()
    };
    kind.prop_map(|kind| Statement { kind, span: NOWHERE }).boxed()
}

fn simple_statement() -> BoxedStrategy<StatementKind> {
    let expr = || expr(any_name().boxed());
    let variable = || variable(any_name().boxed());
    let send = (variable(), any::<bool>(), vec(expr(), 1..3))
        .prop_map(|(channel, sorted, arguments)| StatementKind::Send(Send { channel, sorted, arguments }));
    let receive = (receive(any_name().boxed(), expr().boxed()), any::<bool>())
        .prop_map(|(receive, copy)| StatementKind::Receive(Receive { copy, ..receive }));
    let format = select(vec!["\"hello\"", "\"%d of \\\"%d\\n\"", "\"\""]).prop_map(Arc::from);
    prop_oneof![
        (variable(), expr()).prop_map(|(target, value)| StatementKind::Assign(target, value)),
        variable().prop_map(StatementKind::Increment),
        variable().prop_map(StatementKind::Decrement),
        expr().prop_map(StatementKind::Return),
        expr().prop_map(StatementKind::Expression),
        send,
        receive,
        (variable(), expr(), expr()).prop_map(|(target, low, high)| StatementKind::Select(target, low, high)),
        any_name().prop_map(StatementKind::Goto),
        Just(StatementKind::Break),
        Just(StatementKind::Else),
        expr().prop_map(StatementKind::Assert),
        (format, vec(expr(), 0..3)).prop_map(|(format, arguments)| StatementKind::Printf(format, arguments)),
        variable().prop_map(|it| StatementKind::Printm(Expr { kind: ExprKind::Variable(it), span: NOWHERE })),
        (expr(), expr()).prop_map(|(process, priority)| StatementKind::SetPriority(process, priority)),
        c_text().prop_map(StatementKind::CCode),
    ]
    .boxed()
}

fn compound_statement(depth: u32) -> BoxedStrategy<StatementKind> {
    let variable = || variable(any_name().boxed());
    let expr = || expr(any_name().boxed());
    let range = prop_oneof![
        (expr(), expr()).prop_map(|(low, high)| ForRange::Bounds(low, high)),
        variable().prop_map(ForRange::In),
    ];
    prop_oneof![
        (any_name(), option::of(statement(depth)))
            .prop_map(|(label, labelled)| StatementKind::Labelled(label, labelled.map(Box::new))),
        vec(block(depth), 1..3).prop_map(StatementKind::If),
        vec(block(depth), 1..3).prop_map(StatementKind::Do),
        (variable(), range, block(depth)).prop_map(|(variable, range, body)| StatementKind::For(For {
            variable,
            range,
            body
        })),
        block(depth).prop_map(StatementKind::Atomic),
        block(depth).prop_map(StatementKind::DStep),
        block(depth).prop_map(StatementKind::Block),
    ]
    .boxed()
}

fn expression(expr: Expr) -> Statement {
    Statement { kind: StatementKind::Expression(expr), span: NOWHERE }
}

// ---------------------------------------------------------------------------------------------- expressions

fn constant() -> BoxedStrategy<Expr> {
    let constant = prop_oneof![
        any::<i32>().prop_map(Constant::Number),
        (0..20_i32).prop_map(Constant::Number),
        prop_oneof![b' '..=b'~', select(b"\n\r\t\x0c".to_vec())].prop_map(Constant::Character),
        select(vec![Constant::True, Constant::False, Constant::Skip]),
    ];
    constant.prop_map(|constant| Expr { kind: ExprKind::Constant(constant), span: NOWHERE }).boxed()
}

/// A variable with no index, so that expressions can build on it.
fn leaf_variable(names: BoxedStrategy<Name>) -> impl Strategy<Value = VariableRef> {
    vec(names, 1..3).prop_map(|names| VariableRef {
        parts: names.into_iter().map(|name| RefPart { name, index: None }).collect(),
        span: NOWHERE,
    })
}

fn variable(names: BoxedStrategy<Name>) -> BoxedStrategy<VariableRef> {
    let index = option::of(leaf(names.clone()).prop_map(Box::new));
    vec((names, index), 1..3)
        .prop_map(|parts| VariableRef {
            parts: parts.into_iter().map(|(name, index)| RefPart { name, index }).collect(),
            span: NOWHERE,
        })
        .boxed()
}

fn leaf(names: BoxedStrategy<Name>) -> BoxedStrategy<Expr> {
    let probe = select(vec![
        ChannelProbe::Len,
        ChannelProbe::Full,
        ChannelProbe::Empty,
        ChannelProbe::NotFull,
        ChannelProbe::NotEmpty,
    ]);
    let kind = prop_oneof![
        4 => leaf_variable(names.clone()).prop_map(ExprKind::Variable),
        1 => (probe, leaf_variable(names)).prop_map(|(probe, channel)| ExprKind::Probe(probe, channel)),
        1 => select(vec![ExprKind::Timeout, ExprKind::NonProgress, ExprKind::UndefinedRef, ExprKind::AnyRef(name("P"))]),
        1 => c_text().prop_map(ExprKind::CExpr),
    ];
    prop_oneof![3 => constant(), 7 => kind.prop_map(|kind| Expr { kind, span: NOWHERE })].boxed()
}

fn receive(names: BoxedStrategy<Name>, expr: BoxedStrategy<Expr>) -> impl Strategy<Value = Receive> {
    let negative = (0..i32::MAX).prop_map(|number| {
        let number = Expr { kind: ExprKind::Constant(Constant::Number(number)), span: NOWHERE };
        Expr { kind: ExprKind::Unary(UnaryOp::Negate, Box::new(number)), span: NOWHERE }
    });
    let argument = prop_oneof![
        variable(names.clone()).prop_map(ReceiveArgument::Variable),
        expr.prop_map(ReceiveArgument::Eval),
        constant().prop_map(ReceiveArgument::Constant),
        negative.prop_map(ReceiveArgument::Constant),
    ];
    (variable(names), any::<bool>(), vec(argument, 1..4)).prop_map(|(channel, random, arguments)| Receive {
        channel,
        random,
        copy: false,
        arguments,
    })
}

/// An expression whose variables have these names.
pub fn expr(names: BoxedStrategy<Name>) -> BoxedStrategy<Expr> {
    leaf(names.clone())
        .prop_recursive(3, 12, 3, move |inner| {
            let operator = select(vec![
                BinaryOp::Multiply,
                BinaryOp::Remainder,
                BinaryOp::Add,
                BinaryOp::Subtract,
                BinaryOp::ShiftLeft,
                BinaryOp::Less,
                BinaryOp::GreaterEqual,
                BinaryOp::Equal,
                BinaryOp::NotEqual,
                BinaryOp::BitAnd,
                BinaryOp::BitXor,
                BinaryOp::BitOr,
                BinaryOp::And,
                BinaryOp::Or,
            ]);
            let sign = select(vec![UnaryOp::Negate, UnaryOp::Complement, UnaryOp::Not]);
            let run = (vec(inner.clone(), 0..3), option::of(constant()))
                .prop_map(|(arguments, priority)| ExprKind::Run(Box::new(Run { proctype: name("P"), arguments, priority })));
            let remote = (option::of(inner.clone()), any_name()).prop_map(|(pid, label)| {
                ExprKind::RemoteLabel(Box::new(RemoteLabel { proctype: name("P"), pid, label }))
            });
            let remote_variable = (option::of(inner.clone()), variable(names.clone())).prop_map(|(pid, variable)| {
                ExprKind::RemoteVariable(Box::new(RemoteVariable { proctype: name("P"), pid, variable }))
            });
            let boxed = || inner.clone().prop_map(Box::new);
            let kind = prop_oneof![
                boxed().prop_map(ExprKind::Paren),
                (boxed(), boxed(), boxed()).prop_map(|(condition, first, second)| ExprKind::Conditional(condition, first, second)),
                receive(names.clone(), inner.clone()).prop_map(|receive| ExprKind::Poll(Box::new(receive))),
                run,
                remote,
                remote_variable,
                boxed().prop_map(ExprKind::Enabled),
                boxed().prop_map(ExprKind::PcValue),
                boxed().prop_map(ExprKind::GetPriority),
            ];
            prop_oneof![
                6 => (operator, inner.clone(), inner.clone()).prop_map(|(operator, left, right)| binary(operator, left, right)),
                2 => (sign, inner.clone()).prop_map(|(operator, inner)| unary(operator, inner)),
                4 => kind.prop_map(|kind| Expr { kind, span: NOWHERE }),
            ]
        })
        .boxed()
}

fn paren(expr: Expr) -> Expr {
    Expr { kind: ExprKind::Paren(Box::new(expr)), span: NOWHERE }
}

/// How tightly a binary operation binds; everything else binds tighter.
fn tightness(expr: &Expr) -> u32 {
    let ExprKind::Binary(operator, ..) = expr.kind else { return 10 };
    match operator {
        BinaryOp::Or => 0,
        BinaryOp::And => 1,
        BinaryOp::BitOr => 2,
        BinaryOp::BitXor => 3,
        BinaryOp::BitAnd => 4,
        BinaryOp::Equal | BinaryOp::NotEqual => 5,
        BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => 6,
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => 7,
        BinaryOp::Add | BinaryOp::Subtract => 8,
        BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder => 9,
    }
}

fn at_least(level: u32, expr: Expr) -> Expr {
    if tightness(&expr) < level { paren(expr) } else { expr }
}

fn binary(operator: BinaryOp, left: Expr, right: Expr) -> Expr {
    let whole = |left, right| Expr { kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)), span: NOWHERE };
    let level = tightness(&whole(left.clone(), right.clone()));
    whole(at_least(level, left), at_least(level + 1, right))
}

fn unary(operator: UnaryOp, inner: Expr) -> Expr {
    Expr { kind: ExprKind::Unary(operator, Box::new(at_least(10, inner))), span: NOWHERE }
}

// ---------------------------------------------------------------------------------------------- formulas

/// A formula as the parser makes it: `&&`, `||` and `!` of expressions are expressions.
pub fn formula() -> BoxedStrategy<Formula> {
    let atom = expr(atom_name().boxed()).prop_map(|expr| formula_of(FormulaKind::Atom(expr)));
    atom.prop_recursive(4, 16, 2, |inner| {
        let pair = || (inner.clone(), inner.clone());
        prop_oneof![
            inner.clone().prop_map(not),
            pair().prop_map(|(left, right)| join(left, right, BinaryOp::And)),
            pair().prop_map(|(left, right)| join(left, right, BinaryOp::Or)),
            pair().prop_map(|(left, right)| formula_of(FormulaKind::Implies(Box::new(left), Box::new(right)))),
            pair().prop_map(|(left, right)| formula_of(FormulaKind::Equivalent(Box::new(left), Box::new(right)))),
            pair().prop_map(|(left, right)| formula_of(FormulaKind::Until(tight(left, 2), tight(right, 2)))),
            pair().prop_map(|(left, right)| formula_of(FormulaKind::WeakUntil(tight(left, 2), tight(right, 2)))),
            pair().prop_map(|(left, right)| formula_of(FormulaKind::Release(tight(left, 2), tight(right, 2)))),
            inner.clone().prop_map(|inner| formula_of(FormulaKind::Always(tight(inner, 10)))),
            inner.clone().prop_map(|inner| formula_of(FormulaKind::Eventually(tight(inner, 10)))),
            inner.prop_map(|inner| formula_of(FormulaKind::Next(tight(inner, 10)))),
        ]
    })
    .boxed()
}

fn formula_of(kind: FormulaKind) -> Formula {
    Formula { kind, span: NOWHERE }
}

/// An atom with parentheses unless it binds at least so tightly.
fn tight(formula: Formula, level: u32) -> Box<Formula> {
    Box::new(match formula.kind {
        FormulaKind::Atom(expr) => formula_of(FormulaKind::Atom(at_least(level, expr))),
        _ => formula,
    })
}

fn not(inner: Formula) -> Formula {
    match inner.kind {
        FormulaKind::Atom(expr) => formula_of(FormulaKind::Atom(unary(UnaryOp::Not, expr))),
        _ => formula_of(FormulaKind::Not(Box::new(inner))),
    }
}

fn join(left: Formula, right: Formula, operator: BinaryOp) -> Formula {
    let level = if operator == BinaryOp::Or { 0 } else { 1 };
    match (left.kind, right.kind) {
        (FormulaKind::Atom(left), FormulaKind::Atom(right)) => {
            formula_of(FormulaKind::Atom(binary(operator, left, right)))
        }
        (left, right) => {
            let (left, right) = (tight(formula_of(left), level), tight(formula_of(right), level + 1));
            formula_of(if operator == BinaryOp::Or {
                FormulaKind::Or(left, right)
            } else {
                FormulaKind::And(left, right)
            })
        }
    }
}
