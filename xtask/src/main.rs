//! Developer commands: `cargo xtask <command>`.
//!
//! | command | job |
//! | --- | --- |
//! | `test`  | installs what the tests need (Debian's spin and its like) and runs every check that CI runs |
//! | `setup` | only the installation |
//! | `licences` | licences of all that is built, and crates that are built twice |
//! | `withdrawn` | asks crates.io whether a version that is built was withdrawn |
//! | `fuzz-frontend [--count N]` | feeds mutated models to the front end, a million unless told otherwise |
//! | `bench frontend` | how long the front end takes for generated models of growing size |
//! | `bench engine` | SPIN's verifier and isospin on the same models: time, rate, memory |
//! | `bench liveness` | SPIN's verifier with `-a` and `-f` and isospin on the same properties |
//! | `bench symmetry` | searches modulo symmetry of the families of the literature, counts checked |
//! | `bench reductions` | what each reduction saves and costs, alone and with the others, beside SPIN's |
//! | `bench directed` | states expanded by directed search, and lengths of the runs it finds, beside breadth first and depth first |
//! | `bench relations` | comparisons of two systems: buffers of growing length, pairs of a million states |
//! | `bench workers` | how many states several workers keep with reductions, and one |
//! | `compare-spin` | the examples that come with SPIN through SPIN and through isospin, side by side |
//! | `traps` | SPIN's figures of the trap models, on record |
//! | `random-models` | random models through both; with `--symmetry`, with symmetry and without |
//! | `enumerate` | every model of a finite grammar, with every set of reductions and without |
//! | `soak` | random models and properties of every kind, with every set of reductions and without, and with SPIN |
//! | `random-liveness` | random models with properties of infinite runs through both |
//! | `mutants` | plants faults in the reductions and reports which the tests catch |

mod bench_directed;
mod bench_engine;
mod bench_liveness;
mod bench_reductions;
mod bench_relations;
mod bench_symmetry;
mod bench_workers;
mod campaign;
mod compare_spin;
mod enumerate;
mod frontend;
mod licences;
mod mutants;
mod random_liveness;
mod random_models;
mod random_symmetric;
mod setup;
mod soak;
mod test;
mod traps;
mod withdrawn;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <command>

  test     install what the tests need, then run formatting, lints, tests and documentation checks
  setup    only install what the tests need
  licences check the licences of all that is built, and list crates that are built twice
  withdrawn
           ask crates.io whether a crate that is built was withdrawn
  fuzz-frontend [--count N] [--first SEED] [--jobs N]
           feed mutated models to the front end; none may make it panic, hang or overflow
  bench frontend
           measure the front end on generated models of 5,000, 50,000 and 500,000 lines
  bench engine [--runs N] [--quick | --full] [--save] [--binary PATH] [NAME...]
           measure SPIN and isospin on the same models; --save writes docs/benchmarks
  bench liveness [--runs N] [--quick] [--save] [--binary PATH] [WORD...]
           measure SPIN and isospin on properties of infinite runs; --save writes docs/benchmarks/liveness.csv
  bench symmetry [--dry] [--as-built] [WORD...]
           measure searches modulo symmetry of examples/families and write docs/benchmarks.md,
           or only those whose name contains a word, and write nothing; the word growth
           stands for the growth with the number of processes;
           --as-built takes target/release/isospin as it is
  bench reductions [--runs N] [--quick | --full] [--no-spin] [--save] [--binary PATH] [WORD...]
           measure the models of examples/bench without reductions, with each alone, with all and by default,
           and SPIN with its own and without; --save writes docs/benchmarks/reductions.md
  bench directed [--faults] [--binary PATH] [WORD...]
           search the models of examples/directed by estimates, breadth first and depth first
  bench relations [buffers] [million]
           compare chains of buffers with buffers of as many places, and systems of a million states
  bench workers [--binary PATH] [WORD...]
           search examples and families with reductions and 1, 2 and 4 workers: the states they keep
  compare-spin [--large] [NAME...]
           count the states of SPIN's examples with SPIN and with isospin
  traps [NAME...]
           ask SPIN about the trap models and record its figures
  enumerate [--count N] [--first K] [--jobs J] [--family WORD] [--sample] [--directory D] [--show]
           verify all models of a finite grammar with every set of reductions and without;
           any N numbers are spread over the whole space; --sample tries the default and two other sets of each model;
           what differs is cut down and kept in D
  soak [--count N] [--seed S] [--spin M] [--jobs J] [--directory D]
           verify random models and properties of every kind with every set of reductions and without,
           and M of them with SPIN; go on where it was broken off with --seed; differences are kept in D
  random-models [--count N] [--seed S] [--show]
           do so with random models, and cut down those that differ
  random-models --symmetry [--count N] [--seed S] [--show]
           verify random models of equal processes with symmetry and without
  random-liveness [--count N] [--seed S] [--show]
           formulas, never claims, accept and progress labels of random models: every way to search,
           with and without fairness, says what SPIN says
  mutants [--modules WORD,..] [--count N] [--list | --branches | --survivors | --report] [--fresh]
           plant faults in the modules of the reductions and try which the tests catch;
           --list only names them, --branches lists what no test of verdicts meets,
           --survivors tries those again that nothing caught, --report says again what is known; faults caught before are not tried again, unless --fresh
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.first().map(String::as_str) {
        Some("test") => setup::install().and_then(|()| test::run()),
        Some("setup") => setup::install(),
        Some("licences") => licences::check(),
        Some("withdrawn") => withdrawn::check(),
        Some("fuzz-frontend") => frontend::fuzz(&arguments[1..]),
        Some("bench") if arguments.get(1).is_some_and(|what| what == "engine") => bench_engine::run(&arguments[2..]),
        Some("bench") if arguments.get(1).is_some_and(|what| what == "liveness") => {
            bench_liveness::run(&arguments[2..])
        }
        Some("bench") if arguments.get(1).is_some_and(|what| what == "symmetry") => {
            bench_symmetry::run(&arguments[2..])
        }
        Some("bench") if arguments.get(1).is_some_and(|what| what == "reductions") => {
            bench_reductions::run(&arguments[2..])
        }
        Some("bench") if arguments.get(1).is_some_and(|what| what == "directed") => {
            bench_directed::bench(&arguments[2..])
        }
        Some("bench") if arguments.get(1).is_some_and(|what| what == "relations") => {
            bench_relations::bench(&arguments[2..])
        }
        Some("bench") if arguments.get(1).is_some_and(|what| what == "reductions") => {
            bench_reductions::run(&arguments[2..])
        }
        Some("bench") if arguments.get(1).is_some_and(|what| what == "workers") => {
            bench_workers::bench(&arguments[2..])
        }
        Some("bench") => frontend::bench(&arguments[1..]),
        Some("compare-spin") => compare_spin::run(&arguments[1..]),
        Some("mutants") => mutants::run(&arguments[1..]),
        Some("enumerate") => enumerate::run(&arguments[1..]),
        Some("soak") => soak::run(&arguments[1..]),
        Some("traps") => traps::run(&arguments[1..]),
        Some("random-liveness") => random_liveness::run(&arguments[1..]),
        Some("random-models") => random_models::run(&arguments[1..]),
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
