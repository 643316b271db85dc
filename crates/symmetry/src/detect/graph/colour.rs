//! What may never be changed by a symmetry: the colours of the program graph's vertices and the labels of its arcs.

use machine::expression::{BinaryOp, ChannelProbe, UnaryOp};
use machine::ground::Rank;
use machine::scalar::Scalar;

/// The kind of a vertex with everything that symmetries preserve of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(in crate::detect) enum Colour {
    Process {
        deterministic: bool,
        priority: Option<i32>,
        individual: Option<u32>,
    },
    Location {
        end: bool,
        accept: bool,
        progress: bool,
        number: Option<u32>,
    },
    Cell(CellColour),
    Channel {
        capacity: u32,
        fields: Vec<Scalar>,
        individual: Option<u32>,
    },
    /// A message of the entry state; its plain numbers by field.
    Message {
        position: u32,
        numbers: Vec<Option<i32>>,
    },
    Last(Option<i32>),
    Class,
    Value {
        is_false: bool,
    },
    Way {
        atomic: bool,
        rank: Rank,
    },
    Array,
    Family,
    /// A condition that is to be preserved.
    Preserved(u32),
    // Statements.
    Skip,
    Condition,
    Else,
    Assign,
    Evaluate,
    Send {
        sorted: bool,
        values: usize,
    },
    Receive {
        random: bool,
        copy: bool,
        fields: usize,
    },
    Assert,
    SetPriority,
    End,
    DStep,
    DStepNode,
    DStepWay {
        position: Option<usize>,
    },
    Composite,
    Segment,
    SegmentPath {
        otherwise: bool,
        ordered: bool,
    },
    // Terms.
    Number(i32),
    /// A value that never occurs in the class it is compared with.
    Foreign,
    Always(bool),
    Indexed,
    Remote,
    Missing,
    ChannelOf,
    Unary(UnaryOp),
    Binary(BinaryOp),
    All {
        ordered: bool,
    },
    Any {
        ordered: bool,
    },
    Equal,
    AsValue,
    Conditional,
    Probe(ChannelProbe),
    Poll {
        random: bool,
        fields: usize,
    },
    At,
    AnyAt,
    Timeout,
    NonProgress,
    ProcessCount,
    ChannelCount,
    PriorityOf,
    Enabled,
    LocationOf,
    Opaque,
    // Functions given by tables.
    Apply,
    Table,
    Row(RowResult),
}

/// What symmetries preserve of a cell.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(in crate::detect) struct CellColour {
    pub scalar: Scalar,
    pub constant: bool,
    /// Its value in the entry state, if that is a plain number.
    pub entry: Option<i32>,
    /// Its indices that are plain numbers.
    pub indices: Vec<Option<i32>>,
    pub individual: Option<u32>,
}

/// The result of a row that is no name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::detect) enum RowResult {
    Name,
    Number(i32),
    Condition(bool),
    Error,
}

/// The labels of arcs between fixed kinds of vertices. Children of terms and statements count up from zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::detect) enum Label {
    Part(u32),
    InClass,
    Entry,
    Owner,
    NamesProcess,
    NamesChannel,
    InArray,
    InFamily,
    Out,
    Target,
    Does,
    Result,
    HasToItself,
    Index(u32),
    Field(u32),
}

impl Label {
    pub fn number(self) -> u32 {
        match self {
            Label::InClass => 0,
            Label::Entry => 1,
            Label::Owner => 2,
            Label::NamesProcess => 3,
            Label::NamesChannel => 4,
            Label::InArray => 5,
            Label::InFamily => 6,
            Label::Out => 7,
            Label::Target => 8,
            Label::Does => 9,
            Label::Result => 10,
            Label::HasToItself => 11,
            Label::Part(part) => 16 + 3 * part,
            Label::Index(dimension) => 17 + 3 * dimension,
            Label::Field(field) => 18 + 3 * field,
        }
    }
}
