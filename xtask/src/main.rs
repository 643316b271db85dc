//! Developer commands: `cargo xtask <command>`.
//!
//! | command | job |
//! | --- | --- |
//! | `test`  | installs what the tests need (Debian's spin and its like) and runs every check that CI runs |
//! | `setup` | only the installation |
//! | `compare` | the examples that come with SPIN through SPIN and through isospin, side by side |
//! | `traps` | SPIN's figures of the trap models, on record |
//! | `fuzz-semantics` | random models through both |

mod compare;
mod fuzz;
mod setup;
mod test;
mod traps;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <command>

  test     install what the tests need, then run formatting, lints, tests and documentation checks
  setup    only install what the tests need
  compare [--large] [NAME...]
           count the states of SPIN's examples with SPIN and with isospin
  traps [NAME...]
           ask SPIN about the trap models and record its figures
  fuzz-semantics [--models N] [--seed S] [--show]
           do so with random models, and cut down those that differ
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.first().map(String::as_str) {
        Some("test") => setup::install().and_then(|()| test::run()),
        Some("setup") => setup::install(),
        Some("compare") => compare::run(&arguments[1..]),
        Some("traps") => traps::run(&arguments[1..]),
        Some("fuzz-semantics") => fuzz::run(&arguments[1..]),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
