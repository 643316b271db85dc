//! `isospin-certify`: what it says, and its exit codes.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use isospin::verify::Symmetry;

use super::{certificate, examples, of_loaded};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_isospin-certify")).args(arguments).output().expect("it can be run")
}

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("certify-{}-{name}", std::process::id()))
}

#[test]
fn exit_codes_say_whether_it_is_proven() {
    let path = examples().join("mutex_server.pml");
    let model = of_loaded(promela::load(&path, &promela::Options::default()), "mutex_server");
    let file = scratch("good.cert");
    let bytes = certificate(&model, Symmetry::default());
    std::fs::write(&file, &bytes).unwrap();
    let (path, file) = (path.to_str().unwrap(), file.to_str().unwrap());
    let said = |output: &Output| String::from_utf8_lossy(&output.stdout).into_owned();
    let good = run(&[path, file]);
    assert_eq!(good.status.code(), Some(0), "{good:?}");
    assert!(said(&good).starts_with("safety: proven ("), "{good:?}");
    assert_eq!(run(&[path, file, "--property", "safety"]).status.code(), Some(0));
    assert_eq!(run(&[path, file, "--property", "progress"]).status.code(), Some(1));
    assert_eq!(run(&["-D", "N=2", path, file]).status.code(), Some(1), "another model");
    let other = examples().join("peterson.pml");
    assert_eq!(run(&[other.to_str().unwrap(), file]).status.code(), Some(1), "another model");
    let cut = scratch("cut.cert");
    std::fs::write(&cut, &bytes[..bytes.len() - 3]).unwrap();
    assert_eq!(run(&[path, cut.to_str().unwrap()]).status.code(), Some(1));
    assert_eq!(run(&[path, path]).status.code(), Some(2), "no certificate at all");
    assert_eq!(run(&[path, "/nowhere/x.cert"]).status.code(), Some(2));
    assert_eq!(run(&["/nowhere/x.pml", file]).status.code(), Some(2));
    assert_eq!(run(&[path]).status.code(), Some(2));
    assert_eq!(run(&["--nonsense", path, file]).status.code(), Some(2));
    assert!(said(&run(&["--help"])).contains("Usage: isospin-certify"));
    assert!(said(&run(&["--version"])).contains(env!("CARGO_PKG_VERSION")));
    std::fs::remove_file(file).unwrap();
    std::fs::remove_file(cut).unwrap();
}
