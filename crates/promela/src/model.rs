//! The model: what a text means, names looked up, constants folded, types known, sugar removed.
//!
//! This is all the later rooms see of Promela's syntax. Names are typed ids into the tables of [`Model`]; `for`,
//! `select`, inlines and structure-valued message fields are gone; every node keeps the span it came from.
//! Values are C `int`s, as in SPIN.

use std::sync::Arc;

pub use crate::ast::{BinaryOp, ChannelProbe, PortDirection, UnaryOp, Visibility};
use crate::source::{SourceMap, Span};

mod code;
mod display;
pub mod visit;

pub use code::{
    Base, Block, Event, Expr, ExprKind, FieldStep, Formula, FormulaKind, Place, Predefined, Receive, ReceiveArgument,
    RemoteLabel, RemoteVariable, Run, Send, Statement, StatementKind,
};

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
typed_id!(
    /// A domain of identifiers: an index into [`Model::domains`]. Domain 0 is that of process identifiers.
    DomainId
);
typed_id!(
    /// A reconstructed channel type: an index into [`Model::channel_types`].
    ChannelTypeId
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
    /// The domains of identifiers, inferred; [`DomainId::PROCESSES`] is always there.
    pub domains: Vec<Domain>,
    /// The types of channels, inferred; no two of them are equal.
    pub channel_types: Vec<ChannelType>,
    /// Which features the whole model uses that cost something when present.
    pub features: Features,
}

impl Model {
    /// The globals in the order in which SPIN computes their initial values: `unsigned` first, then the numbers from
    /// narrow to wide, then channels, then structures; within each group the order of the text. An initial value that
    /// reads a global of a later group reads zero. (Locals start in the order of the text.)
    #[must_use]
    pub fn initialisation_order(&self) -> Vec<GlobalId> {
        let mut order: Vec<GlobalId> = (0..self.globals.len() as u32).map(GlobalId).collect();
        order.sort_by_key(|&id| self.globals[id.index()].ty.initialisation_group());
        order
    }

    /// The process, claim or trace that an owner names.
    #[must_use]
    pub fn owner(&self, owner: Owner) -> Option<&Process> {
        match owner {
            Owner::Process(id) => self.processes.get(id.index()),
            Owner::Claim(number) => self.claims.get(number as usize),
            Owner::Trace => self.trace.as_ref().map(|trace| &trace.process),
        }
    }

    /// Every process, claim and trace, each with what names it.
    pub fn owners(&self) -> impl Iterator<Item = (Owner, &Process)> {
        let processes = self.processes.iter().enumerate().map(|(i, p)| (Owner::Process(ProcessId(i as u32)), p));
        let claims = self.claims.iter().enumerate().map(|(i, p)| (Owner::Claim(i as u32), p));
        processes.chain(claims).chain(self.trace.iter().map(|trace| (Owner::Trace, &trace.process)))
    }

    /// The variable or field that a place reaches, when `owner` executes it.
    #[must_use]
    pub fn reached(&self, place: &Place, owner: Owner) -> Option<&Variable> {
        let base = self.variable(place.base, owner)?;
        place.fields.iter().try_fold(base, |variable, step| match variable.ty {
            Type::Structure(id) => self.structures[id.index()].fields.get(step.field as usize),
            _ => None,
        })
    }

    /// What the channels of a place carry, when `owner` executes it.
    #[must_use]
    pub fn channel_type(&self, place: &Place, owner: Owner) -> Option<&ChannelType> {
        let id = self.reached(place, owner)?.channel?;
        self.channel_types.get(id.index())
    }

    /// The types of a message's fields on the channels of a place: those of its own declaration, or of its channel type.
    /// `None` where neither tells.
    #[must_use]
    pub fn message_types(&self, place: &Place, owner: Owner) -> Option<Vec<Type>> {
        if let Initial::Channel(spec) = &self.reached(place, owner)?.initial {
            return Some(spec.fields.clone());
        }
        let ty = self.channel_type(place, owner).filter(|ty| ty.declared)?;
        ty.fields.iter().map(|field| field.ty).collect()
    }

    /// The variable of a place's base, when `owner` executes it.
    #[must_use]
    pub fn variable(&self, base: Base, owner: Owner) -> Option<&Variable> {
        match base {
            Base::Global(id) => self.globals.get(id.index()),
            Base::Local(id) => self.owner(owner)?.locals.get(id.index()),
            Base::Public(process, id) => self.processes.get(process.index())?.locals.get(id.index()),
        }
    }
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
    /// A label of another process is read.
    pub remote_labels: bool,
    /// A variable of another process is read.
    pub remote_variables: bool,
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

impl Type {
    /// The values it can hold, if it is a number.
    #[must_use]
    pub fn range(self) -> Option<std::ops::RangeInclusive<i32>> {
        match self {
            Type::Bit | Type::Bool => Some(0..=1),
            Type::Byte | Type::Pid | Type::Mtype(_) | Type::Chan => Some(0..=255),
            Type::Short => Some(i32::from(i16::MIN)..=i32::from(i16::MAX)),
            Type::Int => Some(i32::MIN..=i32::MAX),
            Type::Unsigned(bits) => Some(0..=((1_i64 << bits.min(31)) - 1) as i32),
            Type::Structure(_) | Type::Ref(_) => None,
        }
    }

    /// What is left of a value that is stored in a scalar of this type.
    #[must_use]
    pub fn truncate(self, value: i32) -> i32 {
        match self {
            Type::Bit | Type::Bool => value & 1,
            Type::Byte | Type::Pid | Type::Mtype(_) | Type::Chan => value & 0xff,
            Type::Short => i32::from(value as i16),
            Type::Unsigned(bits) if bits < 32 => value & ((1_i64 << bits) - 1) as i32,
            Type::Int | Type::Unsigned(_) | Type::Structure(_) | Type::Ref(_) => value,
        }
    }

    fn initialisation_group(self) -> u8 {
        match self {
            Type::Unsigned(_) => 0,
            Type::Bit | Type::Bool => 1,
            Type::Byte | Type::Pid | Type::Ref(_) => 2,
            Type::Mtype(_) => 3,
            Type::Short => 4,
            Type::Int => 5,
            Type::Chan => 6,
            Type::Structure(_) => 7,
        }
    }
}

/// The name by which a channel or variable is observed from outside.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct External {
    /// The name.
    pub name: Arc<str>,
    /// Of a channel: whether only sends or only receives are observed; `None` for both.
    pub direction: Option<PortDirection>,
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
    /// How it is observed from outside (extension).
    pub external: Option<External>,
    /// What its values stand for, where that could be inferred.
    pub kind: Kind,
    /// What its indices stand for, if it is an array.
    pub index: Kind,
    /// The type of the channels it holds, if its kind is [`Kind::Channel`].
    pub channel: Option<ChannelTypeId>,
    /// The nesting of blocks it is declared in: empty for globals, parameters and the outermost block.
    pub scope: Scope,
    /// Its declaration.
    pub span: Span,
}

/// The block a local belongs to: SPIN names blocks by the path of their numbers.
pub type Scope = Vec<u32>;

/// What a variable starts with: a global when the model starts, a parameter's or local's value when the process does.
///
/// A declaration that stands behind a statement or in an inner block is also a step that sets the variable; the
/// statement for it is in the body, and the variable starts with [`Initial::Zero`] before it is reached.
/// Initial values are not computed in the order of the text: see [`Model::initialisation_order`].
#[derive(Clone, Debug)]
pub enum Initial {
    /// Zero, or the initial values of a structure's fields.
    Zero,
    /// The same value for every element. For locals it may read globals, parameters and locals declared before.
    Value(Expr),
    /// A value for each element.
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
    /// An index into the arrays of this domain.
    Index(DomainId),
    /// A value of an mtype set.
    Mtype(MtypeSetId),
    /// A channel.
    Channel,
    /// True or false.
    Truth,
    /// A reference to a process of this definition (extension).
    Reference(ProcessId),
}

/// Values that name the same things: those that index the same arrays, or the process identifiers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Domain {
    /// The length of its longest array; for processes, nothing is known.
    pub size: Option<u32>,
    /// The arrays that its values index.
    pub arrays: Vec<Array>,
}

impl DomainId {
    /// The domain of process identifiers, [`Kind::Pid`].
    pub const PROCESSES: DomainId = DomainId(0);
}

/// An array: a variable, or a field of a structure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Array {
    /// A global.
    Global(GlobalId),
    /// A local of a process, claim or trace.
    Local(Owner, LocalId),
    /// A field of a structure, by its number.
    Field(StructureId, u32),
}

/// What a local belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Owner {
    /// A proctype or `init`.
    Process(ProcessId),
    /// A never claim, by its number in [`Model::claims`].
    Claim(u32),
    /// The `trace` or `notrace`.
    Trace,
}

/// What a channel carries, reconstructed from declarations and uses. Types may be recursive: a channel can carry itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChannelType {
    /// Its fields, flattened as in [`ChannelSpec`].
    pub fields: Vec<MessageField>,
    /// Whether some channel of this type is created in the model; if not, its fields were guessed from its uses.
    pub declared: bool,
}

/// A field of a message.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MessageField {
    /// Its declared type; `None` where no channel of this type is created.
    pub ty: Option<Type>,
    /// What its values stand for.
    pub kind: Kind,
    /// The type of the channel that it carries, if its kind is [`Kind::Channel`].
    pub channel: Option<ChannelTypeId>,
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
    /// `priority n`, 1 if not given. Only processes of the initial state have it: `run` gives 1 unless it says otherwise.
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
    /// Its name there; the keyword, if it has none.
    pub name_span: Span,
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
    /// Whether another process, a claim or a formula asks for it: `P@L`.
    pub remote: bool,
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
    /// What its text is.
    pub form: PropertyForm,
    /// Its text.
    pub span: Span,
}

/// What the text of an `ltl` property is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PropertyForm {
    /// `ltl name { formula }`
    Block,
    /// The formula alone, as it was given from outside the model.
    Formula,
}
