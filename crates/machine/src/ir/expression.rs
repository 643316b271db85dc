//! Expressions over cells, channels and processes.
//!
//! They mirror Promela's expressions with every name replaced by where its value lies. Arithmetic is C's on 32-bit
//! integers, as in SPIN.

use promela::source::Span;

pub use promela::model::{BinaryOp, ChannelProbe, Predefined, UnaryOp};

use crate::id::{CellsId, CodeId, DefinitionId, Location};

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    /// A constant.
    Constant(i32),
    /// The value of a cell.
    Load(Place),
    /// `P[e]:x`: the value of a cell of another process; 0 when there is no such process.
    Remote(Place),
    /// `_pid` and its like.
    Predefined(Predefined),
    /// `-e`, `~e`, `!e`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b` and its like; `&&` and `||` evaluate their right side only when needed.
    Binary(BinaryOp, Box<Expr>, Box<Expr>, Span),
    /// `(c -> a : b)`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `len(q)` and its like
    Probe(ChannelProbe, ChannelRef),
    /// `q?[...]`: whether that receive could be executed
    Poll(Box<Poll>),
    /// `run P(...)`: creates a process, gives its pid
    Run(Box<Run>),
    /// `P[e]@L`: whether that process is at that location
    At(Box<At>),
    /// `timeout`: no process can move without it
    Timeout,
    /// `enabled(e)`: whether that process can move
    Enabled(Box<Expr>),
    /// `pc_value(e)`: the number of that process' location
    LocationOf(Box<Expr>),
    /// `get_priority(e)`
    PriorityOf(Box<Expr>),
    /// `c_expr { ... }`
    Code(CodeId),
    /// One choice of `anyRef(P)`: the process with this number among those of the definition, the oldest being 0 (extension)
    AnyReference(DefinitionId, u32),
}

/// Whose cells.
#[derive(Clone, PartialEq, Debug)]
pub enum Owner {
    /// The globals.
    Global,
    /// The executing process.
    Own,
    /// Another process, of the given definition: `P[e]:x`. Without `e`, the oldest process of that definition.
    Remote(DefinitionId, Option<Box<Expr>>),
}

/// A cell: readable and writable.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    /// Whose.
    pub owner: Owner,
    /// The group of cells.
    pub cells: CellsId,
    /// Which cell of the group.
    pub index: Index,
    /// The reference's text.
    pub span: Span,
}

/// Which cell of a group.
#[derive(Clone, PartialEq, Debug)]
pub enum Index {
    /// Known now.
    Constant(u32),
    /// One index for every array on the path from the outside in, each with its length; a scalar part has none.
    Computed(Vec<(Expr, u32)>),
}

/// A channel named in a statement or expression.
#[derive(Clone, PartialEq, Debug)]
pub enum ChannelRef {
    /// A global channel whose variable never changes: an index into the globals' channels.
    Global(u32),
    /// A channel of the executing process whose variable never changes: an index into its own channels.
    Own(u32),
    /// The channel whose number a variable holds.
    Variable(Place),
}

/// A receive as a question.
#[derive(Clone, PartialEq, Debug)]
pub struct Poll {
    /// The channel.
    pub channel: ChannelRef,
    /// `??`: any message, not only the oldest.
    pub random: bool,
    /// For each field the value it must have, or nothing.
    pub pattern: Vec<Option<Expr>>,
    /// Its text.
    pub span: Span,
}

/// A process to create.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    /// What.
    pub definition: DefinitionId,
    /// A value for each parameter cell.
    pub arguments: Vec<Expr>,
    /// Its priority.
    pub priority: Option<Expr>,
    /// Its text.
    pub span: Span,
}

/// A question about another process' location.
#[derive(Clone, PartialEq, Debug)]
pub struct At {
    /// The definition that was named.
    pub definition: DefinitionId,
    /// The process; without it, the oldest one of that definition.
    pub pid: Option<Expr>,
    /// The location.
    pub location: Location,
    /// Its text.
    pub span: Span,
}

impl Expr {
    /// Whether a test holds for the expression or anything inside it.
    pub fn any(&self, test: &mut dyn FnMut(&Expr) -> bool) -> bool {
        if test(self) {
            return true;
        }
        match self {
            Expr::Constant(_) | Expr::Predefined(_) | Expr::Timeout | Expr::Code(_) | Expr::AnyReference(..) => false,
            Expr::Load(place) | Expr::Remote(place) => place.any(test),
            Expr::Unary(_, operand) => operand.any(test),
            Expr::Binary(_, left, right, _) => left.any(test) || right.any(test),
            Expr::Conditional(condition, yes, no) => condition.any(test) || yes.any(test) || no.any(test),
            Expr::Probe(_, channel) => channel.any(test),
            Expr::Poll(poll) => poll.channel.any(test) || poll.pattern.iter().flatten().any(|value| value.any(test)),
            Expr::Run(run) => run.arguments.iter().chain(&run.priority).any(|value| value.any(test)),
            Expr::At(at) => at.pid.as_ref().is_some_and(|pid| pid.any(test)),
            Expr::Enabled(pid) | Expr::LocationOf(pid) | Expr::PriorityOf(pid) => pid.any(test),
        }
    }
}

impl Place {
    /// Whether a test holds for an expression in the place.
    pub fn any(&self, test: &mut dyn FnMut(&Expr) -> bool) -> bool {
        let owner = matches!(&self.owner, Owner::Remote(_, Some(pid)) if pid.any(test));
        owner || matches!(&self.index, Index::Computed(list) if list.iter().any(|(index, _)| index.any(test)))
    }
}

impl ChannelRef {
    /// Whether a test holds for an expression in the reference.
    pub fn any(&self, test: &mut dyn FnMut(&Expr) -> bool) -> bool {
        matches!(self, ChannelRef::Variable(place) if place.any(test))
    }
}
