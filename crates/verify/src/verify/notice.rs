//! What a user should know about a finding beside its verdict, as data. Words for it are made by [`crate::report`].

use std::fmt;
use std::path::PathBuf;

use num_bigint::BigUint;

use super::facts::Cause;
use super::options::Reduction;
use super::plan::{Given, Unsuitable};

/// Something that a user should know about a finding.
#[derive(Clone, PartialEq, Debug)]
pub enum Notice {
    /// Reductions that were asked for are not used.
    Unused(Unused),
    /// An option that was given is not used for this property.
    Option(Given, Unsuitable),
    /// The search was begun again without symmetry.
    SymmetryDoesNotPay {
        /// The order of the group.
        order: BigUint,
        /// How many times as expensive a state was.
        cost: f64,
        /// The factor that was saved.
        saving: f64,
    },
    /// No symmetry was found in a model of several processes of a kind.
    NoSymmetry {
        /// The order of the group that there would be if dead variables were set back.
        with_dead: Option<BigUint>,
    },
    /// A reduction left out too little and was switched off.
    GivenUp(Reduction),
    /// Nothing but run-time errors could be found: there is no assertion, and end states are not looked at.
    NothingToVerify,
    /// A formula holds because these premises are never true.
    Vacuous(Vec<String>),
    /// An `atomic` sequence was met that never ends.
    EndlessAtomic,
    /// The audit found a mistake.
    AuditFailed(String),
    /// States are compared without these `hidden` variables, and something depends on them.
    DependsOnHidden(Vec<String>),
    /// One worker searches where `hidden` variables are not compared.
    OneWorkerForHidden,
    /// There may be a shorter run.
    PerhapsShorter(NotSought),
    /// The property was not asked for: it is there because runs of other properties end in an error.
    NotAskedFor,
    /// The checkpoint cannot be written.
    CheckpointNotWritten {
        /// The file.
        file: PathBuf,
        /// Why.
        error: String,
    },
    /// There is no certificate, and why.
    NoCertificate(NoCertificate),
    /// So many generators of the group are not used: the checker of certificates would not see that they are symmetries.
    Unproven {
        /// How many.
        generators: usize,
        /// What it says of the first.
        reason: String,
    },
    /// A violation was found, but its run was not worked out in time.
    NoCounterexample(Cause),
    /// The counterexample cannot be written.
    TraceNotWritten(String),
    /// The trace of an earlier violation was removed, or cannot be.
    StaleTrace {
        /// The file.
        file: PathBuf,
        /// Why it cannot be removed.
        error: Option<String>,
    },
}

/// Reductions that were asked for and are not used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unused {
    /// Which ones.
    pub reductions: Vec<Reduction>,
    /// Why.
    pub reason: Unfit,
}

/// Why a reduction cannot be used for a model and a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unfit {
    /// What the layer says about the model.
    Model(String),
    /// What the detection of symmetry says about the property.
    Property(String),
    /// The property counts steps.
    CountsSteps,
    /// Symmetries exchange locations at which every process may move with others.
    GuardsExchanged,
    /// A state at rest shows less progress than one before it that would be passed over.
    Progress,
    /// With strong fairness it is not noted which processes move on the way.
    StrongFairness,
    /// A shortest run is one of single steps.
    Shortest,
    /// The checker of certificates could not be told why nothing is lost.
    Certificate,
}

/// Why there is no certificate of a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoCertificate {
    /// Only what holds has one.
    NotHolding,
    /// An `atomic` sequence never ends.
    EndlessAtomic,
}

/// Why a shorter run was not looked for to the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotSought {
    /// With strong fairness none is looked for.
    StrongFairness,
    /// Where `hidden` variables are not compared none is looked for.
    Hidden,
    /// It took too much time or memory.
    Effort,
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&crate::report::notice(self))
    }
}
