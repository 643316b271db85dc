//! Partial-order reduction: footprints tell the truth, and reduced searches give the verdicts of full ones with at most as many
//! states as SPIN's.

mod chains;
mod footprints;
mod searching;
mod verdicts;
