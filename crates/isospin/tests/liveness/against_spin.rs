//! The expectations, compared with SPIN's own verifier: `cargo test -p isospin --test liveness -- --ignored`.

use std::path::Path;
use std::process::Command;

use isospin::verify::{Fairness, Options, Switch, Verdict};

use crate::reduced::{random_cases, seeds};
use crate::{Expectation, Model, finding, load, models, plain};

/// Whether SPIN says that a property holds.
fn spin_holds(directory: &Path, property: &str, fair: bool) -> bool {
    let mut pan = Command::new(directory.join("pan"));
    pan.current_dir(directory).arg("-m100000");
    match property {
        "accept" => pan.args(["-a", "-E"]),
        "progress" => pan.args(["-l", "-E"]),
        "never" => pan.arg("-a"),
        name => pan.args(["-a", "-N", name]),
    };
    if fair {
        pan.arg("-f");
    }
    let report = String::from_utf8(pan.output().expect("pan runs").stdout).expect("it writes text");
    let (_, rest) = report.split_once("errors: ").unwrap_or_else(|| panic!("no verdict in {report}"));
    rest.starts_with('0')
}

fn compile(directory: &Path, model: &Model) {
    std::fs::write(directory.join("m.pml"), &model.text).expect("there is room");
    let spin = Command::new("spin").current_dir(directory).args(["-a", "m.pml"]).output().expect("SPIN is installed");
    assert!(spin.status.success(), "{}: {}", model.name, String::from_utf8_lossy(&spin.stdout));
    let kind = match model.expectations[0].property.as_str() {
        "accept" => "-DNOCLAIM",
        "progress" => "-DNP",
        _ => "-DCLAIM",
    };
    let options = ["-O0", "-w", "-DNOREDUCE", "-DNFAIR=3", kind, "-o", "pan", "pan.c"];
    let compiler = Command::new("gcc").current_dir(directory).args(options).status().expect("there is a compiler");
    assert!(compiler.success(), "{}", model.name);
}

#[test]
#[ignore = "needs SPIN and a C compiler"]
fn spin_says_what_the_models_say_it_says() {
    let directory = std::env::temp_dir().join(format!("isospin-liveness-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("there is room");
    let mut wrong = Vec::new();
    for model in models() {
        compile(&directory, &model);
        for expectation in &model.expectations {
            let property = &expectation.property;
            let spin = [false, true].map(|fair| spin_holds(&directory, property, fair));
            if spin != expectation.spin {
                wrong.push(format!("{} {property}: {spin:?}, not {:?}", model.name, expectation.spin));
            }
        }
    }
    std::fs::remove_dir_all(&directory).expect("it was there");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Random models and formulas: `ISOSPIN_SEEDS=0..1000 cargo test -p isospin --test liveness -- --ignored spin_agrees`.
#[test]
#[ignore = "needs SPIN and a C compiler, and a second for each seed"]
fn spin_agrees_on_random_models_and_formulas() {
    let directory = std::env::temp_dir().join(format!("isospin-random-liveness-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("there is room");
    let (mut agreed, mut rests) = (0, 0);
    let mut wrong = Vec::new();
    for seed in seeds(0..100) {
        for (text, property) in random_cases(seed) {
            let machine = load(&text);
            let expectation = Expectation { property: property.clone(), holds: [true; 2], spin: [true; 2] };
            let model = Model { name: format!("seed {seed}"), text: text.clone(), expectations: vec![expectation] };
            compile(&directory, &model);
            for fairness in [Fairness::None, Fairness::Weak] {
                let spin = spin_holds(&directory, &property, fairness == Fairness::Weak);
                let options = Options { partial_order: Switch::On, ..plain(fairness) };
                let found = finding(&machine, &property, &options);
                let ours = found.verdict == Verdict::Holds;
                // SPIN misses fair runs that come to rest.
                let at_rest =
                    found.counterexample.as_ref().is_some_and(|trace| trace.cycle_start == Some(trace.steps.len()));
                match (ours == spin, fairness == Fairness::Weak && spin && at_rest) {
                    (true, _) => agreed += 1,
                    (false, true) => rests += 1,
                    (false, false) => {
                        wrong.push(format!("seed {seed} {property} {fairness:?}: SPIN {spin}, ours {ours}\n{text}"));
                    }
                }
            }
        }
    }
    std::fs::remove_dir_all(&directory).expect("it was there");
    println!("{agreed} agree; {rests} fair runs at rest that SPIN misses; {} differ", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
