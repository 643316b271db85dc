//! What the names of a text mean, by their places: the questions that an editor asks.
//!
//! The resolver notes every definition and every use as it looks names up; macros come from the preprocessor, inlines and
//! their parameters from the expansions that the [source map](crate::source::SourceMap) holds. The index is there for
//! every text, also for one with errors: it then holds what could be read.
//!
//! Places are those of the *written* text. The body of an inline or macro is written once and means something at every
//! use, so one name in it may have several meanings, and a variable declared in it is one definition however often the
//! inline is used. An inline that is never used is not read, so there are no uses in its text.

mod build;
mod expansion;
mod query;

use std::sync::Arc;

pub(crate) use build::{Builder, Member, New};
pub use expansion::ExpandedText;
pub use query::Symbol;

use crate::model::Type;
use crate::source::Span;
use crate::token::Token;

/// A definition of an [`Index`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DefinitionId(u32);

impl DefinitionId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a definition defines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DefinitionKind {
    /// A variable that is no channel, global or local.
    Variable,
    /// A variable of type `chan`, global or local.
    Channel,
    /// A field of a typedef.
    Field,
    /// A parameter of a proctype.
    Parameter,
    /// A `proctype`.
    Proctype,
    /// The `init` process.
    Init,
    /// An `inline`.
    Inline,
    /// A parameter of an inline.
    InlineParameter,
    /// A `#define`, of the model or of the command line.
    Macro,
    /// A label.
    Label,
    /// The `set` of `mtype:set`.
    MtypeSet,
    /// A name of an mtype set.
    MtypeConstant,
    /// A `typedef`.
    Typedef,
    /// An `ltl` property.
    Ltl,
    /// A never claim.
    Never,
    /// A `trace` or `notrace`.
    Trace,
}

impl DefinitionKind {
    /// The word for it in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            DefinitionKind::Variable => "variable",
            DefinitionKind::Channel => "channel",
            DefinitionKind::Field => "field",
            DefinitionKind::Parameter => "parameter",
            DefinitionKind::Proctype => "proctype",
            DefinitionKind::Init => "init",
            DefinitionKind::Inline => "inline",
            DefinitionKind::InlineParameter => "inline parameter",
            DefinitionKind::Macro => "macro",
            DefinitionKind::Label => "label",
            DefinitionKind::MtypeSet => "mtype set",
            DefinitionKind::MtypeConstant => "mtype name",
            DefinitionKind::Typedef => "typedef",
            DefinitionKind::Ltl => "ltl property",
            DefinitionKind::Never => "never claim",
            DefinitionKind::Trace => "trace",
        }
    }
}

/// Where something was given a name.
#[derive(Clone, PartialEq, Debug)]
pub struct Definition {
    /// The name. What has none in the text is called as in reports: `init`, `never_0`, `ltl_0`, `trace`.
    pub name: Arc<str>,
    /// What is defined.
    pub kind: DefinitionKind,
    /// The name in the text, or the keyword of what has no name.
    pub span: Span,
    /// The whole definition: a proctype with its body, a variable with its initial value.
    pub whole: Span,
    /// The proctype, typedef, inline, claim or mtype set that it belongs to.
    pub parent: Option<DefinitionId>,
    /// The text in which the name can be used, where that is not the rest of the model.
    pub extent: Option<Span>,
    /// The type of a variable, field, parameter or mtype name, if it is one.
    pub ty: Option<Type>,
    /// The length of an array.
    pub length: Option<u32>,
}

/// A name in the text that stands for a definition elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Use {
    /// The name in the text.
    pub span: Span,
    /// What it means.
    pub definition: DefinitionId,
}

/// The definitions and uses of a text. See the [module](self).
///
/// ```
/// use promela::source::{FileId, Position};
/// use promela::{Options, load_text};
///
/// // The last statement is not finished, so there is no model.
/// let text = "byte count; init { count = 1; count = }";
/// let loaded = load_text("m.pml", text, &Options::default());
/// assert!(loaded.model.is_none());
///
/// let there = Position { file: FileId::MAIN, offset: text.rfind("count").unwrap() };
/// let found = loaded.index.definition_at(&loaded.sources, there).unwrap();
/// assert_eq!(loaded.index.type_name(found), "byte");
/// assert_eq!(loaded.index.uses_of(found).count(), 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Index {
    definitions: Vec<Definition>,
    /// In the order of the text.
    uses: Vec<Use>,
    /// The definitions in the order of the text.
    by_place: Vec<DefinitionId>,
    /// The definition of each typedef of the model.
    structures: Vec<DefinitionId>,
    /// The definition of each process of the model.
    processes: Vec<DefinitionId>,
    /// The definition of each mtype set of the model that has a name.
    mtype_sets: Vec<Option<DefinitionId>>,
    /// The tokens that macros made.
    pub(crate) expanded: Vec<Token>,
}
