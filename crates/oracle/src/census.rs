//! What models contain: for every way to name a variable and every role of it, and for every construct that reductions have to know,
//! whether it occurs.
//!
//! It is counted on the resolved model, so that a macro or a `for` is what it stands for. A test asks for every cell of this table in the
//! random models: what is not drawn is not tested. Embedded C is not drawn (no reduction is used with it), nor are ports of the environment,
//! which are channels.

mod scout;

use std::collections::BTreeMap;

pub use self::scout::of;

/// A cell of the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cell {
    /// A variable is read.
    Read(Read, Index),
    /// A variable is written.
    Write(Write, Index),
    /// A public variable is read through a reference.
    Public(Read),
    /// A construct.
    Construct(Construct),
    /// A construct in a claim or formula.
    Claimed(Construct),
}

/// How the element of a variable is named.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Index {
    /// It is no array.
    Scalar,
    /// By a number.
    Constant,
    /// By a variable.
    Computed,
    /// By `_pid`.
    Pid,
}

/// Where a variable is read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Read {
    /// In a statement that waits.
    Guard,
    /// In an assertion.
    Assertion,
    /// In a message that is sent, or that a receive asks for.
    Message,
    /// As an argument of `run`.
    Argument,
    /// In a guard beside an `else`.
    Else,
    /// In the first guard of an escape.
    Unless,
    /// In a `provided` clause.
    Provided,
    /// By another process.
    Remote,
    /// In a claim or formula.
    Claim,
}

/// How a variable is written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Write {
    /// By an assignment.
    Assignment,
    /// By a receive.
    Receive,
    /// By `x++`.
    Increment,
    /// By its declaration.
    Initialisation,
    /// By a `for`.
    For,
}

/// A construct.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Construct {
    /// An `else` beside a send or receive of a rendezvous.
    ElseBesideRendezvous,
    /// An `else` beside a send or receive of a channel that holds messages.
    ElseBesideBuffered,
    /// A rendezvous in the main sequence of an `unless`.
    RendezvousInMain,
    /// A buffered channel in the main sequence of an `unless`.
    BufferedInMain,
    /// An escape that begins with a rendezvous.
    RendezvousEscapes,
    /// An escape that begins with a buffered channel.
    BufferedEscapes,
    /// An `atomic` with a rendezvous behind its first statement.
    AtomicMeets,
    /// An `atomic` with a buffered channel behind its first statement.
    AtomicWaits,
    /// `run` in a loop.
    RunInLoop,
    /// `run`
    Run,
    /// `!!`
    SortedSend,
    /// `??`
    RandomReceive,
    /// `?<...>`
    CopyingReceive,
    /// `q?[...]`
    Poll,
    /// `len(q)`, `full(q)` and their like.
    Probe,
    /// `P@L`
    RemoteLabel,
    /// `timeout`
    Timeout,
    /// `_nr_pr`
    ProcessCount,
    /// A process that only looks at variables that others write, and asserts something about two or more of them at once.
    Monitor,
    /// `anyRef(P)`
    AnyReference,
    /// `_undef_ref`
    UndefinedReference,
    /// `_lid`
    LocalNumber,
    /// A reference in a message.
    ReferenceInMessage,
    /// A reference as an argument of `run`.
    ReferenceArgument,
    /// `P[r].c!1`
    PublicSend,
    /// `P[r].c?x`
    PublicReceive,
    /// `len(P[r].c)`, `P[r].c?[1]`
    PublicProbe,
    /// A variable of another process is assigned through a reference.
    PublicWrite,
    /// A message is received into a variable of another process.
    PublicBind,
    /// An `else` beside a channel that is found by a reference.
    ElseBesidePublic,
    /// An escape that begins with such a channel.
    PublicEscapes,
    /// An `atomic` with such a channel behind its first statement.
    AtomicPublic,
    /// A channel in a message.
    ChannelInMessage,
    /// A channel as an argument of `run`.
    ChannelArgument,
    /// `d = c`
    ChannelAssigned,
    /// `c[i]!1`
    ComputedChannel,
    /// A send or receive on a channel of the process itself.
    LocalChannel,
    /// `eval(x)`
    Eval,
    /// A structure in a structure.
    NestedStructure,
    /// A variable of an `mtype` set.
    Names,
    /// A variable of a set of names of its own.
    NamedSet,
    /// A `pid` variable.
    ProcessNumber,
    /// An `unsigned` variable.
    Unsigned,
    /// A `hidden` variable.
    Hidden,
    /// `xr` or `xs`
    Exclusive,
    /// `trace`
    Trace,
    /// `notrace`
    ForbiddenTrace,
    /// `D_proctype`
    Deterministic,
    /// `priority`
    Priority,
    /// `set_priority`
    SetPriority,
    /// `get_priority`, `_priority`
    ReadPriority,
    /// `enabled`
    Enabled,
    /// `pc_value`
    PcValue,
    /// `_last`
    Last,
    /// `_nr_qs`
    ChannelCount,
    /// `np_`
    NonProgress,
    /// `printf` of a value.
    Printed,
    /// `printm`
    PrintedName,
    /// `_ = e`
    Discarded,
    /// A local whose first value is that of another variable.
    InitialRead,
    /// An `unless` in an `unless`.
    NestedUnless,
    /// An escape of more than one statement.
    LongEscape,
    /// `d_step`
    DStep,
    /// A jump in a `d_step`.
    JumpInDStep,
    /// `goto`
    Jump,
    /// `end` labels.
    EndLabel,
    /// `accept` labels.
    AcceptLabel,
    /// `progress` labels.
    ProgressLabel,
    /// `X`
    Next,
    /// `W`
    WeakUntil,
    /// `V`
    Release,
    /// `<->`
    Equivalent,
}

const INDICES: [Index; 4] = [Index::Scalar, Index::Constant, Index::Computed, Index::Pid];

/// Every cell that can be filled. A claim is no process, so it has no `_pid`; a `for` counts with a variable that is no array; a declaration
/// names no element.
#[must_use]
pub fn cells() -> Vec<Cell> {
    use Construct as C;
    let reads = [
        Read::Guard,
        Read::Assertion,
        Read::Message,
        Read::Argument,
        Read::Else,
        Read::Unless,
        Read::Provided,
        Read::Remote,
    ];
    let writes = [Write::Assignment, Write::Receive, Write::Increment];
    let constructs = [
        C::ElseBesideRendezvous,
        C::ElseBesideBuffered,
        C::RendezvousInMain,
        C::BufferedInMain,
        C::RendezvousEscapes,
        C::BufferedEscapes,
        C::AtomicMeets,
        C::AtomicWaits,
        C::RunInLoop,
        C::Run,
        C::SortedSend,
        C::RandomReceive,
        C::CopyingReceive,
        C::Poll,
        C::Probe,
        C::RemoteLabel,
        C::Timeout,
        C::ProcessCount,
        C::Monitor,
        C::AnyReference,
        C::UndefinedReference,
        C::LocalNumber,
        C::ReferenceInMessage,
        C::ReferenceArgument,
        C::PublicSend,
        C::PublicReceive,
        C::PublicProbe,
        C::PublicWrite,
        C::PublicBind,
        C::ElseBesidePublic,
        C::PublicEscapes,
        C::AtomicPublic,
        C::ChannelInMessage,
        C::ChannelArgument,
        C::ChannelAssigned,
        C::ComputedChannel,
        C::LocalChannel,
        C::Eval,
        C::NestedStructure,
        C::Names,
        C::NamedSet,
        C::ProcessNumber,
        C::Unsigned,
        C::Hidden,
        C::Exclusive,
        C::Trace,
        C::ForbiddenTrace,
        C::Deterministic,
        C::Priority,
        C::SetPriority,
        C::ReadPriority,
        C::Enabled,
        C::PcValue,
        C::Last,
        C::ChannelCount,
        C::NonProgress,
        C::Printed,
        C::PrintedName,
        C::Discarded,
        C::InitialRead,
        C::NestedUnless,
        C::LongEscape,
        C::DStep,
        C::JumpInDStep,
        C::Jump,
        C::EndLabel,
        C::AcceptLabel,
        C::ProgressLabel,
        C::Next,
        C::WeakUntil,
        C::Release,
        C::Equivalent,
    ];
    let claimed =
        [C::Timeout, C::RemoteLabel, C::ProcessCount, C::Probe, C::Enabled, C::PcValue, C::Last, C::NonProgress];
    let public = [Read::Guard, Read::Assertion, Read::Message, Read::Argument, Read::Else, Read::Unless];
    let mut cells: Vec<Cell> = reads.iter().flat_map(|&read| INDICES.map(|index| Cell::Read(read, index))).collect();
    cells.extend(INDICES[..3].iter().map(|&index| Cell::Read(Read::Claim, index)));
    cells.extend(writes.iter().flat_map(|&write| INDICES.map(|index| Cell::Write(write, index))));
    cells.extend([Index::Scalar, Index::Constant].map(|index| Cell::Write(Write::Initialisation, index)));
    cells.push(Cell::Write(Write::For, Index::Scalar));
    cells.extend(constructs.map(Cell::Construct));
    cells.extend(claimed.map(Cell::Claimed));
    cells.extend(public.map(Cell::Public));
    cells
}

/// In how many of the models each cell occurs.
#[must_use]
pub fn count<'t>(texts: impl Iterator<Item = String> + 't) -> BTreeMap<Cell, usize> {
    let mut counts: BTreeMap<Cell, usize> = cells().into_iter().map(|cell| (cell, 0)).collect();
    for text in texts {
        let loaded = promela::load_text("model.pml", &text, &promela::Options::default());
        for cell in loaded.model.iter().flat_map(of) {
            *counts.entry(cell).or_default() += 1;
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use machine::enumerate::{End, Limits, enumerate};

    use super::{Cell, Construct, Read, Write, count};
    use crate::{generate, liveness, ours, symmetric};

    /// Models in which each cell has to occur.
    const LEAST: usize = 8;
    const SEEDS: u64 = 3_000;

    #[test]
    fn random_models_contain_every_construct_in_every_role() {
        let drawn = (0..SEEDS).map(|seed| generate::model(seed).to_string());
        let infinite = (0..SEEDS / 10).flat_map(liveness::pairs).map(|pair| pair.text);
        let extended = (0..SEEDS).map(|seed| generate::extended(seed).to_string());
        let watched = (0..SEEDS).map(|seed| generate::watched(seed).text);
        let counts = count(drawn.chain(infinite).chain(extended).chain(watched));
        let rare: Vec<_> = counts.iter().filter(|(_, count)| **count < LEAST).collect();
        assert!(rare.is_empty(), "hardly ever drawn: {rare:?}");
        assert!(counts[&Cell::Construct(Construct::Monitor)] > SEEDS as usize / 4, "{counts:?}");
    }

    #[test]
    fn about_half_of_the_random_models_hold() {
        let verdict = |seed| {
            let machine = ours::machine(&generate::model(seed).to_string()).ok()?;
            let census = enumerate(&machine, Limits { states: 2_000, errors: 1, stop: |_| false }).ok()?;
            (census.end == End::Complete).then_some(census.errors == 0)
        };
        let verdicts: Vec<bool> = (0..600).filter_map(verdict).collect();
        let holds = verdicts.iter().filter(|holds| **holds).count();
        assert!(verdicts.len() > 400, "{} models are small enough", verdicts.len());
        assert!((35..=65).contains(&(100 * holds / verdicts.len())), "{holds} of {} hold", verdicts.len());
    }

    #[test]
    fn models_of_equal_processes_are_watched() {
        let counts = count((0..300).map(symmetric::model));
        assert!(counts[&Cell::Read(Read::Guard, super::Index::Constant)] > 40, "{counts:?}");
        assert!(counts[&Cell::Write(Write::Receive, super::Index::Scalar)] > 40, "{counts:?}");
    }
}
