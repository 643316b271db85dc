//! Linear temporal logic, small Büchi automata, and the Hanoi omega-automata format; beside it, computation tree logic on finite graphs
//! ([`ctl`], [`graph`]).
//!
//! ```text
//!  text ──▶ Formula ── simplify ──▶ tableau ──▶ Automaton ── reduce ──▶ never claim, HOA, DOT
//!              │                                    ▲
//!              └── lasso: the meaning, by itself    └── HOA
//! ```
//! Invariants. Nothing here knows Promela: atoms are numbers ([`atom::AtomId`]), names serve printing only. The meaning
//! of formulas ([`lasso::holds`]) is computed without any automaton, and every construction is tested against it.
//! Automata are generalised Büchi with acceptance on edges ([`automaton::Automaton`]); other conditions are converted
//! when read. What could explode has a limit, and reaching it is an error value.
//!
//! ```
//! use automata::{atom::AtomTable, never::never_claim, reduce::Kind, text, translate::translate_to};
//! let mut atoms = AtomTable::default();
//! let response = text::parse("[](request -> <>reply)", &mut atoms)?;
//! // What must never happen is the negation.
//! let automaton = translate_to(&response.negated(), Kind::BuchiStates)?;
//! assert_eq!(automaton.state_count(), 2);
//! println!("{}", never_claim(&automaton, &atoms, "![](request -> <>reply)"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// A library returns what there is to say.
#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod atom;
pub mod automaton;
mod bisimulation;
pub mod classes;
pub mod classify;
mod components;
pub mod ctl;
pub mod degeneralise;
mod diagram;
pub mod dot;
pub mod emptiness;
pub mod formula;
pub mod graph;
pub mod hoa;
pub mod lasso;
pub mod never;
mod obligation;
pub mod product;
mod prune;
pub mod reduce;
pub mod simplify;
mod simulation;
pub mod spelling;
pub mod stutter;
mod suspension;
mod tableau;
pub mod text;
pub mod translate;

#[cfg(test)]
mod laws;
