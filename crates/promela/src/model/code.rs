//! Statements, expressions and formulas of a checked model.
//!
//! They are trees of typed ids: every name is a [`Place`], a constant or a predefined value, and every node keeps the
//! span of the text it stands for. What sugar stood for keeps the span of the sugar.

use std::sync::Arc;

use super::{GlobalId, Kind, LabelId, LocalId, MtypeSetId, ProcessId, Type};
use crate::ast::{BinaryOp, CText, ChannelProbe, PortDirection, UnaryOp};
use crate::source::Span;

/// A sequence of statements.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The statements.
    pub statements: Vec<Statement>,
}

impl Block {
    /// Its `else`, if it begins with one.
    pub(crate) fn leading_else(&self) -> Option<&Statement> {
        self.statements.first().filter(|first| matches!(first.kind, StatementKind::Else))
    }
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Labels that stand before it.
    pub labels: Vec<LabelId>,
    /// What it does.
    pub kind: StatementKind,
    /// Its text.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// Blocks until the value is not zero. `skip` is the constant 1.
    Expression(Expr),
    /// `x = e`; `x++` is `x = x + 1`; a declaration behind a statement is `x = 0` or `x = e`.
    Assign(Place, Expr),
    /// `_ = e`: computes the value for its effect.
    Discard(Expr),
    /// `q!e` and `q!!e`
    Send(Send),
    /// `q?a` in its four forms
    Receive(Receive),
    /// `if`
    If(Vec<Block>),
    /// `do`
    Do(Vec<Block>),
    /// `s unless t`
    Unless(Block, Block),
    /// `atomic`
    Atomic(Block),
    /// `d_step`
    DStep(Block),
    /// A sequence in braces, or an inline's body.
    Block(Block),
    /// `goto`
    Goto(LabelId),
    /// `break`
    Break,
    /// `else`
    Else,
    /// `assert`
    Assert(Expr),
    /// `printf`; escapes in the format resolved
    Printf(Arc<str>, Vec<Expr>),
    /// `printm`, with the set to take the name from
    Printm(Expr, MtypeSetId),
    /// `set_priority(p, n)`
    SetPriority(Expr, Expr),
    /// `c_code`
    CCode(CText),
    /// In a trace, and only there: a send or receive that is observed.
    Event(Event),
}

/// What a trace observes: any process sends or receives such a message.
#[derive(Clone, Debug)]
pub struct Event {
    /// Whether sends or receives are meant.
    pub direction: PortDirection,
    /// The channel.
    pub channel: Place,
    /// What each flattened field must equal; `None` for any value.
    pub arguments: Vec<Option<Expr>>,
}

/// A send.
#[derive(Clone, Debug)]
pub struct Send {
    /// The channel.
    pub channel: Place,
    /// `!!`
    pub sorted: bool,
    /// One value for each flattened field, as far as they are given.
    pub arguments: Vec<Expr>,
}

/// A receive or poll.
#[derive(Clone, Debug)]
pub struct Receive {
    /// The channel.
    pub channel: Place,
    /// `??`
    pub random: bool,
    /// `<...>`
    pub copy: bool,
    /// One argument for each flattened field, as far as they are given.
    pub arguments: Vec<ReceiveArgument>,
}

/// One field of a receive.
#[derive(Clone, Debug)]
pub enum ReceiveArgument {
    /// Bind it.
    Bind(Place),
    /// Throw it away: `_`.
    Ignore,
    /// It must equal this value: a constant or `eval(e)`.
    Match(Expr),
}

/// Where a place's storage lies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Base {
    /// A global.
    Global(GlobalId),
    /// A local of the executing process, or of the process that a [`RemoteVariable`] names.
    Local(LocalId),
    /// A public variable of the process that [`Place::owner`] refers to (extension).
    Public(ProcessId, LocalId),
}

/// A variable that can be read or written: a base, then indices and fields.
#[derive(Clone, Debug)]
pub struct Place {
    /// The variable.
    pub base: Base,
    /// `r` of `P[r].x`: present if and only if the base is [`Base::Public`].
    pub owner: Option<Box<Expr>>,
    /// The index of the base, if it is an array.
    pub index: Option<Box<Expr>>,
    /// Fields from the outside in, each with its index if it is an array.
    pub fields: Vec<FieldStep>,
    /// The type of what is reached.
    pub ty: Type,
    /// Its text.
    pub span: Span,
}

/// One `.field[index]` of a place.
#[derive(Clone, Debug)]
pub struct FieldStep {
    /// The field's number in its structure.
    pub field: u32,
    /// The index, if the field is an array.
    pub index: Option<Box<Expr>>,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// What its value stands for.
    pub meaning: Kind,
    /// Its text.
    pub span: Span,
}

/// A variable every process has, or the whole model has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Predefined {
    /// `_pid`
    Pid,
    /// `_nr_pr`
    ProcessCount,
    /// `_nr_qs`
    ChannelCount,
    /// `_last`
    Last,
    /// `np_`
    NonProgress,
    /// `_priority`: the executing process' own
    Priority,
    /// `_lid`: the number of the process among those of its proctype (extension)
    LocalNumber,
}

/// What an expression computes.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant; mtype names and folded constant expressions end here.
    Constant(i32),
    /// A variable's value.
    Read(Place),
    /// `_pid` and its like.
    Predefined(Predefined),
    /// `-e`, `~e`, `!e`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b` and its like; `&&` and `||` evaluate their right side only when needed
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `len(q)` and its like
    Probe(ChannelProbe, Place),
    /// `q?[...]`
    Poll(Box<Receive>),
    /// `run P(...)`
    Run(Box<Run>),
    /// `P[e]@L`; without `e`, the only process of `P`
    RemoteLabel(Box<RemoteLabel>),
    /// `P[e]:x`
    RemoteVariable(Box<RemoteVariable>),
    /// `timeout`
    Timeout,
    /// `enabled(e)`
    Enabled(Box<Expr>),
    /// `pc_value(e)`
    PcValue(Box<Expr>),
    /// `get_priority(e)`
    GetPriority(Box<Expr>),
    /// `c_expr`
    CExpr(CText),
    /// `anyRef(P)` (extension)
    AnyRef(ProcessId),
    /// `_undef_ref` (extension)
    UndefinedRef,
}

/// `run P(args) priority n`
#[derive(Clone, Debug)]
pub struct Run {
    /// The definition.
    pub process: ProcessId,
    /// A value for each parameter; structures flattened.
    pub arguments: Vec<Expr>,
    /// `priority n`
    pub priority: Option<Expr>,
}

/// `P[e]@L`
#[derive(Clone, Debug)]
pub struct RemoteLabel {
    /// The definition.
    pub process: ProcessId,
    /// The process.
    pub pid: Option<Expr>,
    /// The label in that definition.
    pub label: LabelId,
}

/// `P[e]:x`
#[derive(Clone, Debug)]
pub struct RemoteVariable {
    /// The definition.
    pub process: ProcessId,
    /// The process.
    pub pid: Option<Expr>,
    /// The place within it; its base is a local of that definition.
    pub place: Place,
}

/// A formula of linear temporal logic over expressions.
#[derive(Clone, Debug)]
pub struct Formula {
    /// What it says.
    pub kind: FormulaKind,
    /// Its text.
    pub span: Span,
}

/// What a formula says.
#[derive(Clone, Debug)]
pub enum FormulaKind {
    /// An expression of the model.
    Atom(Expr),
    /// `!f`
    Not(Box<Formula>),
    /// `f && g`
    And(Box<Formula>, Box<Formula>),
    /// `f || g`
    Or(Box<Formula>, Box<Formula>),
    /// `f -> g`
    Implies(Box<Formula>, Box<Formula>),
    /// `f <-> g`
    Equivalent(Box<Formula>, Box<Formula>),
    /// `X f`
    Next(Box<Formula>),
    /// `[] f`
    Always(Box<Formula>),
    /// `<> f`
    Eventually(Box<Formula>),
    /// `f U g`
    Until(Box<Formula>, Box<Formula>),
    /// `f W g`
    WeakUntil(Box<Formula>, Box<Formula>),
    /// `f V g`
    Release(Box<Formula>, Box<Formula>),
}
