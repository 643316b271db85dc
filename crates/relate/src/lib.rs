//! Relations between two labelled transition systems, as an observer sees them: inclusions and preorders on the fly, simulations, bisimulations,
//! quotients, and evidence for a difference that can be replayed on both sides.
//!
//! This crate knows no Promela. A side is [`Observed`]: states are bytes, a step is an [`Event`] or internal; a file of transitions is an [`Lts`].
//! [`compare`] decides one [`Relation`]. The plan of the whole is that of SPINE (Erdogmus, *Verifying Semantic Relations in SPIN*, 1995): the inductive
//! relations differ in one routine, the local relation, and in nothing else.
//!
//! ```text
//! Observed ─▶ space (numbers, steps on demand) ─▶ components (internal steps) ─▶ sets (after a trace) ─▶ local relation: inclusion, composite
//!                       └──▶ Lts ─▶ partition (signatures) ─▶ formula, quotient
//! ```
//! ```
//! use explore::search::Progress;
//! use relate::{Alphabet, Event, Lts, Options, Relation, Verdict, compare};
//!
//! let alphabet = Alphabet::new();
//! let (coin, tea, coffee) = (alphabet.event("coin"), alphabet.event("tea"), alphabet.event("coffee"));
//! // After the coin the customer chooses, or the machine does.
//! let polite = Lts::new(0, 2, vec![(0, coin, 1), (1, tea, 0), (1, coffee, 0)]);
//! let rude = Lts::new(0, 3, vec![(0, coin, 1), (0, coin, 2), (1, tea, 0), (2, coffee, 0)]);
//! let verdict = |relation| compare(&mut &rude, &mut &polite, relation, &Options::default(), &Progress::new()).verdict;
//!
//! assert!(matches!(verdict(Relation::TraceEquivalence), Verdict::Holds));
//! let Verdict::Violated(difference) = verdict(Relation::FailuresInclusion) else { panic!("it refuses what the other never does") };
//! assert_eq!(difference.trace, [coin]);
//! assert_eq!(difference.refusal.expect("a refusal").refused.len(), 1);
//! ```

// A library returns what there is to say.
#![warn(clippy::print_stderr, clippy::print_stdout)]

mod alphabet;
pub mod aut;
mod bisimulation;
mod compare;
mod comparison;
mod components;
mod composite;
mod evaluate;
mod evidence;
mod explain;
mod formula;
mod game;
mod graph;
mod inclusion;
mod interner;
mod labels;
mod limits;
mod local;
mod lts;
mod minimise;
mod observed;
mod partition;
mod relation;
mod runs;
mod search;
mod sets;
mod space;

pub use self::alphabet::{Alphabet, Event};
pub use self::compare::{Options, compare};
pub use self::comparison::{Comparison, Difference, Kind, Refusal, Run, Side, Size, Verdict};
pub use self::composite::Pairs;
pub use self::formula::{Formula, Node, NodeId};
pub use self::limits::Limits;
pub use self::lts::{Lts, bytes_of, state_of};
pub use self::minimise::{Quotient, minimise};
pub use self::observed::{Observed, Steps};
pub use self::relation::{Method, Relation};
pub use self::space::{Explored, explore};
