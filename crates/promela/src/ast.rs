//! The syntax tree: a model as it was written, inlines expanded in place, names not yet looked up.
//!
//! The order of the types is that of SPIN's language reference: units, declarations, statements, expressions, formulas.
//! Every node that a message may point at carries its [`Span`]. Sugar (`for`, `select`, `x++`) is kept here and removed
//! by the resolver.

use std::sync::Arc;

use crate::source::Span;

mod chain;

pub use chain::OperatorChain;

/// A name as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// Its text.
    pub text: Arc<str>,
    /// Where it stands.
    pub span: Span,
}

/// A whole model.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ast {
    /// The top-level units in their order.
    pub units: Vec<Unit>,
}

/// A top-level unit.
#[derive(Clone, PartialEq, Debug)]
pub enum Unit {
    /// Global variables or channels.
    Declaration(Declaration),
    /// `mtype = { ... }`
    Mtype(MtypeDeclaration),
    /// `typedef`
    Typedef(Typedef),
    /// `inline`
    Inline(Inline),
    /// `proctype`, `D_proctype`, `active proctype`
    Proctype(Proctype),
    /// `init`
    Init(Init),
    /// `never`
    Never(Claim),
    /// `trace` or `notrace`
    Trace(Trace),
    /// `ltl`
    Ltl(LtlProperty),
    /// `c_decl`, `c_code`, `c_state`, `c_track` outside any process
    EmbeddedC(EmbeddedC),
}

// ---------------------------------------------------------------------------------------------- declarations

/// `hidden`, `show`, `local` before a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    /// Outside the state vector.
    Hidden,
    /// For displays only.
    Show,
    /// Used by one process only.
    Local,
}

/// A type as written.
#[derive(Clone, PartialEq, Debug)]
pub enum TypeName {
    /// `bit`
    Bit,
    /// `bool`
    Bool,
    /// `byte`
    Byte,
    /// `pid`
    Pid,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `unsigned`; its width stands at each variable
    Unsigned,
    /// `mtype` or `mtype:subtype`
    Mtype(Option<Name>),
    /// `chan`
    Chan,
    /// A `typedef`'s name
    User(Name),
    /// `ref P`: a reference to a process of proctype `P` (extension)
    Ref(Name),
}

/// One declaration: a type and the variables it declares.
#[derive(Clone, PartialEq, Debug)]
pub struct Declaration {
    /// `hidden`, `show` or `local`.
    pub visibility: Option<(Visibility, Span)>,
    /// `public`: other processes can read and set it through a reference (extension).
    pub public: Option<Span>,
    /// The type.
    pub type_name: TypeName,
    /// Where the type stands.
    pub type_span: Span,
    /// The variables, at least one.
    pub variables: Vec<Declarator>,
    /// The whole declaration.
    pub span: Span,
}

/// One declared variable.
#[derive(Clone, PartialEq, Debug)]
pub struct Declarator {
    /// Its name.
    pub name: Name,
    /// `: n` of an `unsigned`.
    pub width: Option<Expr>,
    /// `[n]` of an array.
    pub length: Option<Expr>,
    /// `(extern NAME)`, and of a channel `(extern NAME !)` or `(extern NAME ?)` (extension).
    pub external: Option<External>,
    /// `= ...`
    pub initialiser: Option<Initialiser>,
    /// The whole declarator.
    pub span: Span,
}

/// `(extern NAME !)`: what is sent through the channel can be observed, under that name (extension).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct External {
    /// The name outside.
    pub name: Name,
    /// Whether only sends or only receives are observed; `None` for both.
    pub direction: Option<PortDirection>,
    /// The clause with its parentheses.
    pub span: Span,
}

/// An end of a channel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PortDirection {
    /// `!`: messages are sent.
    Send,
    /// `?`: messages are received.
    Receive,
}

/// The value a variable starts with.
#[derive(Clone, PartialEq, Debug)]
pub enum Initialiser {
    /// `= e`
    Expression(Expr),
    /// `= { 1, 2, 3 }`
    List(Vec<Expr>, Span),
    /// `= [capacity] of { types }`
    Channel(ChannelInitialiser),
}

/// `[capacity] of { types }`
#[derive(Clone, PartialEq, Debug)]
pub struct ChannelInitialiser {
    /// Messages it can hold; 0 is a rendezvous.
    pub capacity: Expr,
    /// The types of a message's fields.
    pub fields: Vec<(TypeName, Span)>,
    /// The whole initialiser.
    pub span: Span,
}

/// `mtype = { a, b }` or `mtype:set = { a, b }`
#[derive(Clone, PartialEq, Debug)]
pub struct MtypeDeclaration {
    /// The set's name.
    pub set: Option<Name>,
    /// The values in their order of writing.
    pub names: Vec<Name>,
    /// The whole declaration.
    pub span: Span,
}

/// `typedef T { ... }`
#[derive(Clone, PartialEq, Debug)]
pub struct Typedef {
    /// Its name.
    pub name: Name,
    /// The fields.
    pub fields: Vec<Declaration>,
    /// The whole definition.
    pub span: Span,
}

/// `inline f(a, b) { ... }`: its head and its text; every use holds its own expanded body.
#[derive(Clone, PartialEq, Debug)]
pub struct Inline {
    /// Its name.
    pub name: Name,
    /// The parameters.
    pub parameters: Vec<Name>,
    /// The text between the braces, macros expanded; it may be no Promela at all when nothing uses it.
    pub text: Arc<str>,
    /// The whole definition.
    pub span: Span,
}

/// A `proctype`.
#[derive(Clone, PartialEq, Debug)]
pub struct Proctype {
    /// Its name.
    pub name: Name,
    /// `D_proctype`: must be deterministic.
    pub deterministic: bool,
    /// `active` or `active [n]`.
    pub active: Option<Active>,
    /// Parameters; initialisers and arrays are refused by the resolver.
    pub parameters: Vec<Declaration>,
    /// `priority n`
    pub priority: Option<Expr>,
    /// `provided (e)`
    pub provided: Option<Expr>,
    /// The body.
    pub body: Block,
    /// The whole definition.
    pub span: Span,
}

/// `active` or `active [n]`
#[derive(Clone, PartialEq, Debug)]
pub struct Active {
    /// `n`; one instance when absent.
    pub count: Option<Expr>,
    /// The clause.
    pub span: Span,
}

/// `init { ... }`
#[derive(Clone, PartialEq, Debug)]
pub struct Init {
    /// `priority n`
    pub priority: Option<Expr>,
    /// `provided (e)`: SPIN has none for `init`; kept for a good message.
    pub provided: Option<Expr>,
    /// The body.
    pub body: Block,
    /// The whole definition.
    pub span: Span,
}

/// `never name { ... }`
#[derive(Clone, PartialEq, Debug)]
pub struct Claim {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// The body.
    pub body: Block,
    /// The whole definition.
    pub span: Span,
}

/// `trace { ... }` or `notrace { ... }`
#[derive(Clone, PartialEq, Debug)]
pub struct Trace {
    /// `notrace`: the behaviour must *not* occur.
    pub negated: bool,
    /// A name, where one was written.
    pub name: Option<Name>,
    /// The body.
    pub body: Block,
    /// The whole definition.
    pub span: Span,
}

/// `ltl name { formula }`
#[derive(Clone, PartialEq, Debug)]
pub struct LtlProperty {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// What must hold.
    pub formula: Formula,
    /// The whole definition.
    pub span: Span,
}

/// Embedded C outside a process.
#[derive(Clone, PartialEq, Debug)]
pub enum EmbeddedC {
    /// `c_decl { ... }`
    Declarations(CText),
    /// `c_code { ... }`
    Code(CText),
    /// `c_state "declaration" "scope" "initial value"`
    State(CStrings),
    /// `c_track "address" "size" "matching"`
    Track(CStrings),
}

/// The strings of `c_state` or `c_track`, quotes removed.
#[derive(Clone, PartialEq, Debug)]
pub struct CStrings {
    /// Two or three strings.
    pub strings: Vec<Arc<str>>,
    /// The whole unit.
    pub span: Span,
}

/// Verbatim C, macros expanded.
#[derive(Clone, PartialEq, Debug)]
pub struct CText {
    /// The text between the braces.
    pub text: Arc<str>,
    /// `[e]` before the braces: an assertion in C.
    pub precondition: Option<Arc<str>>,
    /// The whole construct.
    pub span: Span,
}

// ---------------------------------------------------------------------------------------------- statements

/// A sequence of steps: the body of a process, option, loop or braces.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// The steps.
    pub steps: Vec<Step>,
    /// From the first step to the last, or the braces.
    pub span: Span,
}

/// An element of a sequence.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// A statement.
    Statement(Statement),
    /// A local declaration.
    Declaration(Declaration),
    /// `mtype` sets may be declared inside a body too.
    Mtype(MtypeDeclaration),
    /// `xr q` or `xs q`
    Exclusive(Exclusive),
}

/// `xr q, r` or `xs q, r`
#[derive(Clone, PartialEq, Debug)]
pub struct Exclusive {
    /// Receives (`xr`) or sends (`xs`).
    pub direction: PortDirection,
    /// The channels.
    pub channels: Vec<VariableRef>,
    /// The whole step.
    pub span: Span,
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// Its text.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, PartialEq, Debug)]
pub enum StatementKind {
    /// `L: s`; `None` for a label before a closing bracket
    Labelled(Name, Option<Box<Statement>>),
    /// `x = e`
    Assign(VariableRef, Expr),
    /// `x++`
    Increment(VariableRef),
    /// `x--`
    Decrement(VariableRef),
    /// `x = f(a, b)` with an inline that returns a value
    AssignInline(VariableRef, InlineCall),
    /// `f(a, b)`
    Call(InlineCall),
    /// `return e` inside an inline
    Return(Expr),
    /// An expression: blocks until it is not zero
    Expression(Expr),
    /// `q!a,b` and `q!!a,b`
    Send(Send),
    /// `q?a,b`, `q??a,b`, `q?<a,b>`, `q??<a,b>`
    Receive(Receive),
    /// `if :: ... fi`
    If(Vec<Block>),
    /// `do :: ... od`
    Do(Vec<Block>),
    /// `for (...) { ... }`
    For(For),
    /// `select (i : a .. b)`
    Select(VariableRef, Expr, Expr),
    /// `s unless t`
    Unless(Box<Statement>, Box<Statement>),
    /// `atomic { ... }`
    Atomic(Block),
    /// `d_step { ... }`
    DStep(Block),
    /// `{ ... }`
    Block(Block),
    /// `goto L`
    Goto(Name),
    /// `break`
    Break,
    /// `else`
    Else,
    /// `assert(e)`
    Assert(Expr),
    /// `printf("...", a, b)`; the string with its quotes
    Printf(Arc<str>, Vec<Expr>),
    /// `printm(x)`
    Printm(Expr),
    /// `set_priority(p, n)`
    SetPriority(Expr, Expr),
    /// `c_code { ... }`
    CCode(CText),
    /// What could not be parsed; its errors have been reported. The names in it, fields and the like left out.
    Error(Vec<Name>),
}

/// A use of an inline, with its body for these arguments.
#[derive(Clone, PartialEq, Debug)]
pub struct InlineCall {
    /// The inline.
    pub name: Name,
    /// The arguments as written.
    pub arguments: Vec<Expr>,
    /// The body with the arguments put in.
    pub body: Block,
    /// The whole use.
    pub span: Span,
}

/// `q!a,b` or `q!!a,b`
#[derive(Clone, PartialEq, Debug)]
pub struct Send {
    /// The channel.
    pub channel: VariableRef,
    /// `!!`: keep the queue sorted.
    pub sorted: bool,
    /// The fields.
    pub arguments: Vec<Expr>,
}

/// `q?a,b` in its four forms.
#[derive(Clone, PartialEq, Debug)]
pub struct Receive {
    /// The channel.
    pub channel: VariableRef,
    /// `??`: the first message that matches, not only the oldest one.
    pub random: bool,
    /// `<...>`: copy the message and leave it in the channel.
    pub copy: bool,
    /// The fields.
    pub arguments: Vec<ReceiveArgument>,
}

/// One field of a receive.
#[derive(Clone, PartialEq, Debug)]
pub enum ReceiveArgument {
    /// A variable to bind, a constant name to match (the resolver tells them apart), or `_`.
    Variable(VariableRef),
    /// `eval(e)`: match the value of `e`.
    Eval(Expr),
    /// A constant to match.
    Constant(Expr),
}

/// `for`
#[derive(Clone, PartialEq, Debug)]
pub struct For {
    /// The loop variable.
    pub variable: VariableRef,
    /// What it runs over.
    pub range: ForRange,
    /// The body.
    pub body: Block,
}

/// What a `for` runs over.
#[derive(Clone, PartialEq, Debug)]
pub enum ForRange {
    /// `: a .. b`
    Bounds(Expr, Expr),
    /// `in array` or `in channel`
    In(VariableRef),
}

// ---------------------------------------------------------------------------------------------- expressions

/// A variable, array element or structure field.
#[derive(Clone, PartialEq, Debug)]
pub struct VariableRef {
    /// `a[i].b[j].c` is three parts.
    pub parts: Vec<RefPart>,
    /// The whole reference.
    pub span: Span,
}

/// `a` or `a[i]` in a reference.
#[derive(Clone, PartialEq, Debug)]
pub struct RefPart {
    /// The name.
    pub name: Name,
    /// The index.
    pub index: Option<Box<Expr>>,
}

/// An expression.
///
/// A generated model may join thousands of operands with one operator, which gives a tree as deep on its left side:
/// cloning and comparing walk that side in a loop (see [`OperatorChain`]), and so should everything else.
#[derive(Debug)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// Its text.
    pub span: Span,
}

/// A unary operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `~`
    Complement,
    /// `!`
    Not,
}

impl UnaryOp {
    /// How it is written.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            UnaryOp::Negate => "-",
            UnaryOp::Complement => "~",
            UnaryOp::Not => "!",
        }
    }
}

/// A binary operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
    /// `&&`
    And,
    /// `||`
    Or,
}

impl BinaryOp {
    /// How it is written.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Remainder => "%",
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::ShiftLeft => "<<",
            BinaryOp::ShiftRight => ">>",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitXor => "^",
            BinaryOp::BitOr => "|",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
        }
    }
}

/// A question about a channel's fill.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ChannelProbe {
    /// `len(q)`
    Len,
    /// `full(q)`
    Full,
    /// `empty(q)`
    Empty,
    /// `nfull(q)`
    NotFull,
    /// `nempty(q)`
    NotEmpty,
}

impl ChannelProbe {
    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ChannelProbe::Len => "len",
            ChannelProbe::Full => "full",
            ChannelProbe::Empty => "empty",
            ChannelProbe::NotFull => "nfull",
            ChannelProbe::NotEmpty => "nempty",
        }
    }
}

/// What an expression computes.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// A number, a character constant, `true`, `false` or `skip`
    Constant(Constant),
    /// A variable or an mtype name
    Variable(VariableRef),
    /// `-e`, `~e`, `!e`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b` and its like
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `len(q)` and its like
    Probe(ChannelProbe, VariableRef),
    /// `q?[...]` and `q??[...]`
    Poll(Box<Receive>),
    /// `run P(...)`
    Run(Box<Run>),
    /// `P[e]@L` and `P@L`
    RemoteLabel(Box<RemoteLabel>),
    /// `P[e]:x` and `P:x`
    RemoteVariable(Box<RemoteVariable>),
    /// `timeout`
    Timeout,
    /// `np_`
    NonProgress,
    /// `enabled(e)`
    Enabled(Box<Expr>),
    /// `pc_value(e)`
    PcValue(Box<Expr>),
    /// `get_priority(e)`
    GetPriority(Box<Expr>),
    /// `c_expr { ... }`
    CExpr(CText),
    /// `anyRef(P)`: any process of proctype `P` (extension)
    AnyRef(Name),
    /// `_undef_ref`: no process (extension)
    UndefinedRef,
    /// `(e)`: kept so that printing gives back what was written
    Paren(Box<Expr>),
    /// What could not be parsed; its errors have been reported.
    Error,
}

/// A constant as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Constant {
    /// `42`
    Number(i32),
    /// `'a'`
    Character(u8),
    /// `true`
    True,
    /// `false`
    False,
    /// `skip`
    Skip,
}

/// `run P(args) priority n`
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    /// The proctype.
    pub proctype: Name,
    /// The arguments.
    pub arguments: Vec<Expr>,
    /// `priority n`
    pub priority: Option<Expr>,
}

/// `P[e]@L`
#[derive(Clone, PartialEq, Debug)]
pub struct RemoteLabel {
    /// The proctype.
    pub proctype: Name,
    /// The process.
    pub pid: Option<Expr>,
    /// The label.
    pub label: Name,
}

/// `P[e]:x`
#[derive(Clone, PartialEq, Debug)]
pub struct RemoteVariable {
    /// The proctype.
    pub proctype: Name,
    /// The process.
    pub pid: Option<Expr>,
    /// The variable in it.
    pub variable: VariableRef,
}

// ---------------------------------------------------------------------------------------------- formulas

/// A formula of linear temporal logic.
#[derive(Clone, PartialEq, Debug)]
pub struct Formula {
    /// What it says.
    pub kind: FormulaKind,
    /// Its text.
    pub span: Span,
}

/// What a formula says. Boolean structure above temporal operators is here; below them it is the atom's own.
#[derive(Clone, PartialEq, Debug)]
pub enum FormulaKind {
    /// A Promela expression.
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
    /// `f V g` or `f R g`
    Release(Box<Formula>, Box<Formula>),
}
