//! Verification of Promela models: from a text to verdicts, counts and counterexamples.
//!
//! ```
//! use isospin::verify::{self, Options};
//!
//! let text = "byte x; active [2] proctype P() { x++; assert(x < 2) }";
//! let model = promela::load_text("m.pml", text, &promela::Options::default()).model.expect("it is correct");
//! let results = verify::verify(&verify::Job::new(machine::lower(&model)), &Options::default())?;
//!
//! let run = results[0].counterexample.as_ref().expect("both may have counted");
//! let statements: Vec<&str> = run.steps.iter().map(|step| step.part.statement.as_str()).collect();
//! assert_eq!(statements.last(), Some(&"assert((x<2))"));
//! # Ok::<(), verify::Refusal>(())
//! ```

// A library returns what there is to say.
#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod relations;
pub mod report;
pub mod verify;
