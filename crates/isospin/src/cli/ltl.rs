//! The options of `isospin ltl`.

use clap::{Args, ValueEnum};

/// `isospin ltl`
#[derive(Args, Debug)]
#[command(after_help = "Operators: [] <> X U V W ! && || -> <->, and SPIN's words for them. \
Propositions are Promela expressions: x > 3, len(q) == 0, P[1]@critical.")]
pub struct LtlArguments {
    /// The formula
    pub formula: String,
    /// What to print
    #[arg(long, value_enum, default_value_t = AutomatonFormat::Never)]
    pub format: AutomatonFormat,
    /// Which kind of automaton; a never claim always has one acceptance set, on states [default: states]
    #[arg(long, value_enum)]
    pub kind: Option<AutomatonKind>,
    /// Translate the negation: what a verifier looks for when the formula must hold
    #[arg(long)]
    pub negate: bool,
}

/// What is printed of an automaton.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum AutomatonFormat {
    /// A Promela never claim
    Never,
    /// The Hanoi omega-automata format
    Hoa,
    /// A Graphviz graph
    Dot,
    /// Numbers of states, edges, transitions and acceptance sets, and what kind of property it is
    Counts,
}

/// Kinds of Büchi automata.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum AutomatonKind {
    /// One acceptance set, on states
    States,
    /// One acceptance set, on edges
    Edges,
    /// Any number of acceptance sets, on edges: smallest
    Generalised,
}
