//! The expectations, compared with SPIN's own verifier: `cargo test -p isospin-machine --test liveness -- --ignored`.

use std::path::Path;
use std::process::Command;

use crate::{Model, models};

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
