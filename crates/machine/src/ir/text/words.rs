//! The words of the textual form, each written once for the writer and the reader.

use promela::model::{BinaryOp, ChannelProbe, Features, PortDirection, Predefined, Role, UnaryOp};

use crate::claim::AtRest;

/// The version of the form, in its first line.
pub const VERSION: u32 = 1;

/// A feature with its flag.
pub type Feature = (&'static str, fn(&mut Features) -> &mut bool);

/// The features by name.
pub const FEATURES: [Feature; 11] = [
    ("last", |features| &mut features.last),
    ("enabled", |features| &mut features.enabled),
    ("pc_value", |features| &mut features.pc_value),
    ("non_progress", |features| &mut features.non_progress),
    ("priorities", |features| &mut features.priorities),
    ("provided", |features| &mut features.provided),
    ("unless", |features| &mut features.unless),
    ("embedded_c", |features| &mut features.embedded_c),
    ("references", |features| &mut features.references),
    ("remote_labels", |features| &mut features.remote_labels),
    ("remote_variables", |features| &mut features.remote_variables),
];

/// The predefined variables.
pub const PREDEFINED: [(&str, Predefined); 7] = [
    ("_pid", Predefined::Pid),
    ("_nr_pr", Predefined::ProcessCount),
    ("_nr_qs", Predefined::ChannelCount),
    ("_last", Predefined::Last),
    ("np_", Predefined::NonProgress),
    ("_priority", Predefined::Priority),
    ("_lid", Predefined::LocalNumber),
];

/// Questions about channels.
pub const PROBES: [ChannelProbe; 5] =
    [ChannelProbe::Len, ChannelProbe::Full, ChannelProbe::Empty, ChannelProbe::NotFull, ChannelProbe::NotEmpty];

/// Operators with one operand.
pub const UNARY: [UnaryOp; 3] = [UnaryOp::Negate, UnaryOp::Complement, UnaryOp::Not];

/// Operators with two operands.
pub const BINARY: [BinaryOp; 18] = [
    BinaryOp::Multiply,
    BinaryOp::Divide,
    BinaryOp::Remainder,
    BinaryOp::Add,
    BinaryOp::Subtract,
    BinaryOp::ShiftLeft,
    BinaryOp::ShiftRight,
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterEqual,
    BinaryOp::Equal,
    BinaryOp::NotEqual,
    BinaryOp::BitAnd,
    BinaryOp::BitXor,
    BinaryOp::BitOr,
    BinaryOp::And,
    BinaryOp::Or,
];

/// What becomes of a run whose system is at rest.
pub const AT_REST: [(&str, AtRest); 3] =
    [("stutters", AtRest::Stutters), ("stutters_stuck", AtRest::StuttersStuck), ("ends", AtRest::Ends)];

/// The word for what an automaton is.
pub fn role(role: Role) -> &'static str {
    match role {
        Role::Proctype => "proctype",
        Role::Init => "init",
        Role::Never => "never",
        Role::Trace => "trace",
    }
}

/// The sign of a direction.
pub fn direction(direction: PortDirection) -> &'static str {
    match direction {
        PortDirection::Send => "!",
        PortDirection::Receive => "?",
    }
}

/// Whether a name can stand without quotes.
pub fn is_word(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|each| each.is_ascii_alphanumeric() || each == '_')
}
