//! The model: what a text means, names looked up, constants folded, types known, sugar removed.
//!
//! This is all the later rooms see of Promela's syntax. Names are typed ids into the tables of [`Model`]; `for`,
//! `select`, inlines and structure-valued message fields are gone; every node keeps the span it came from.
//! Values are C `int`s, as in SPIN.

use std::sync::Arc;

use crate::ast::CText;
pub use crate::ast::{BinaryOp, ChannelProbe, PortDirection, UnaryOp, Visibility};
use crate::source::{SourceMap, Span};

macro_rules! typed_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The id as an index into the table it belongs to.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

typed_id!(
    /// A global variable: an index into [`Model::globals`].
    GlobalId
);
typed_id!(
    /// A parameter or local of a process: an index into [`Process::locals`].
    LocalId
);
typed_id!(
    /// A process definition: an index into [`Model::processes`].
    ProcessId
);
typed_id!(
    /// A `typedef`: an index into [`Model::structures`].
    StructureId
);
typed_id!(
    /// A set of mtype names: an index into [`Model::mtypes`]. Set 0 is the unnamed one.
    MtypeSetId
);
typed_id!(
    /// A label of a process: an index into [`Process::labels`].
    LabelId
);

/// A checked model.
#[derive(Clone, Debug)]
pub struct Model {
    /// Its text.
    pub sources: SourceMap,
    /// The mtype sets; 0 is the unnamed one, present even when empty.
    pub mtypes: Vec<MtypeSet>,
    /// The typedefs.
    pub structures: Vec<Structure>,
    /// The global variables in order of declaration.
    pub globals: Vec<Variable>,
    /// Proctypes and `init`, in order of declaration.
    pub processes: Vec<Process>,
    /// The processes that exist in the initial state, in order of pid.
    pub active: Vec<ActiveProcess>,
    /// Never claims.
    pub claims: Vec<Process>,
    /// At most one `trace` or `notrace`.
    pub trace: Option<TraceAssertion>,
    /// `ltl` properties.
    pub ltl: Vec<LtlProperty>,
    /// Embedded C outside processes, in order.
    pub embedded_c: Vec<crate::ast::EmbeddedC>,
    /// Which features the whole model uses that cost something when present.
    pub features: Features,
}

/// Features whose mere presence changes what a state must hold or which reductions are sound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Features {
    /// `_last` is read.
    pub last: bool,
    /// `enabled()` is used.
    pub enabled: bool,
    /// `pc_value()` is used.
    pub pc_value: bool,
    /// `np_` is read.
    pub non_progress: bool,
    /// A priority other than 1 is given, or priorities are read or set.
    pub priorities: bool,
    /// `provided` is used.
    pub provided: bool,
    /// `unless` is used.
    pub unless: bool,
    /// Embedded C is used.
    pub embedded_c: bool,
    /// `ref`, `public` or another extension is used.
    pub references: bool,
}

/// A set of mtype names.
#[derive(Clone, Debug)]
pub struct MtypeSet {
    /// The set's name; `None` for the plain one.
    pub name: Option<Arc<str>>,
    /// Name and value of every member.
    pub members: Vec<(Arc<str>, i32)>,
}

/// A typedef.
#[derive(Clone, Debug)]
pub struct Structure {
    /// Its name.
    pub name: Arc<str>,
    /// Its fields in order.
    pub fields: Vec<Variable>,
}

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// One bit.
    Bit,
    /// One bit.
    Bool,
    /// 0 to 255.
    Byte,
    /// 0 to 255, a process.
    Pid,
    /// 16 bits, signed.
    Short,
    /// 32 bits, signed.
    Int,
    /// The given number of bits, 1 to 31 (32 is taken as SPIN does).
    Unsigned(u8),
    /// A value of an mtype set.
    Mtype(MtypeSetId),
    /// A channel.
    Chan,
    /// A structure.
    Structure(StructureId),
    /// A reference to a process of the given definition (extension).
    Ref(ProcessId),
}

/// A variable, parameter or structure field.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Arc<str>,
    /// The type of it, or of its elements.
    pub ty: Type,
    /// How many elements an array has; `None` for a scalar.
    pub length: Option<u32>,
    /// What it starts with.
    pub initial: Initial,
    /// `hidden`, `show` or `local`.
    pub visibility: Option<Visibility>,
    /// `public` (extension).
    pub public: bool,
    /// A port of the environment (extension): its outside name and direction.
    pub external: Option<(Arc<str>, PortDirection)>,
    /// What its values stand for, where that could be inferred.
    pub kind: Kind,
    /// The nesting of blocks it is declared in: empty for globals, parameters and the outermost block.
    pub scope: Scope,
    /// Its declaration.
    pub span: Span,
}

/// The block a local belongs to: SPIN names blocks by the path of their numbers.
pub type Scope = Vec<u32>;

/// What a variable starts with.
#[derive(Clone, Debug)]
pub enum Initial {
    /// Zero, or the initial values of a structure's fields.
    Zero,
    /// The same value for every element. For locals it may read globals and parameters.
    Value(Expr),
    /// A value for each of the first elements; the rest are zero.
    List(Vec<i32>),
    /// A new channel for every element.
    Channel(ChannelSpec),
}

/// A channel to create.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ChannelSpec {
    /// Messages it can hold; 0 is a rendezvous.
    pub capacity: u32,
    /// The message's fields; a structure field stands here as its scalar parts, flattened.
    pub fields: Vec<Type>,
    /// How many flattened fields each written field covers.
    pub groups: Vec<u32>,
}

/// What the values of an integer variable or expression stand for, inferred by unification.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Nothing is known, or uses contradict each other: a number.
    Number,
    /// A process identifier.
    Pid,
    /// An index into the arrays of this domain (a number the checker gives to each domain).
    Index(u32),
    /// A value of an mtype set.
    Mtype(MtypeSetId),
    /// A channel.
    Channel,
    /// True or false.
    Truth,
}

/// A process that exists in the initial state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ActiveProcess {
    /// Its definition.
    pub process: ProcessId,
}

/// What kind of automaton a definition is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// A `proctype`.
    Proctype,
    /// `init`.
    Init,
    /// `never`.
    Never,
    /// `trace` or `notrace`.
    Trace,
}

/// A process definition, `init`, or a claim.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its name: `:init:` for init, `never_0` and the like for unnamed claims, as SPIN has them.
    pub name: Arc<str>,
    /// What it is.
    pub role: Role,
    /// `D_proctype`.
    pub deterministic: bool,
    /// Parameters first, then all locals in the order in which they are declared.
    pub locals: Vec<Variable>,
    /// How many of `locals` are parameters.
    pub parameters: usize,
    /// `priority n`, 1 if not given.
    pub priority: i32,
    /// `provided (e)`
    pub provided: Option<Expr>,
    /// Its labels.
    pub labels: Vec<Label>,
    /// Channels for which this process claims to be the only receiver or sender.
    pub exclusive: Vec<(PortDirection, Place, Span)>,
    /// The body.
    pub body: Block,
    /// Its definition.
    pub span: Span,
    /// The closing brace.
    pub end_span: Span,
}

/// A label.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its name; a prefix `end`, `accept` or `progress` has meaning.
    pub name: Arc<str>,
    /// Where it stands.
    pub span: Span,
}

/// `trace` or `notrace`.
#[derive(Clone, Debug)]
pub struct TraceAssertion {
    /// `notrace`: the behaviour must not occur.
    pub negated: bool,
    /// Its automaton.
    pub process: Process,
}

/// An `ltl` property.
#[derive(Clone, Debug)]
pub struct LtlProperty {
    /// Its name: `ltl_0` and the like if it has none, as SPIN has it.
    pub name: Arc<str>,
    /// What must hold.
    pub formula: Formula,
    /// Its text.
    pub span: Span,
}

/// A sequence of statements.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The statements.
    pub statements: Vec<Statement>,
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
    /// `x = e`; `x++` is `x = x + 1`.
    Assign(Place, Expr),
    /// A declaration with an initial value that stands behind a statement: sets the variable when passed.
    Initialise(LocalId),
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
    /// A local of the executing process.
    Local(LocalId),
}

/// A variable that can be read or written: a base, then indices and fields.
#[derive(Clone, Debug)]
pub struct Place {
    /// The variable.
    pub base: Base,
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
    /// `P[r].x` (extension): a public variable of the process that `r` refers to
    PublicVariable(Box<RemoteVariable>),
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
