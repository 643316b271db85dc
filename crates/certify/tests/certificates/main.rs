//! Certificates from end to end: honest ones are accepted, forged ones are not, and the program says which.

mod command;
mod forged;
mod honest;
mod renamings;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use certify::check::Model;
use isospin::verify::{Certificate, Finding, Job, Limits, Options, Properties, Switch, Symmetry, Verdict, verify};
use machine::Hidden;
use machine::trace::Origin;

/// A model as the checker reads it.
fn model(text: &str) -> Model {
    of_loaded(promela::load_text("model.pml", text, &promela::Options::default()), text)
}

fn of_loaded(loaded: promela::Loaded, name: &str) -> Model {
    let digest = promela::print::digest(&loaded.ast);
    let model = loaded.model.unwrap_or_else(|| panic!("{name}: {:?}", loaded.diagnostics));
    Model { machine: Arc::new(machine::lower_hidden(&model, Hidden::InState)), digest }
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// What a search with a certificate says about safety.
fn certified(model: &Model, symmetry: Symmetry) -> Finding {
    let origin = Origin { digest: model.digest.clone(), ..Origin::default() };
    let job = Job { origin, ..Job::new((*model.machine).clone()) };
    let limits = Limits { time: Some(Duration::from_secs(60)), ..Limits::default() };
    let options =
        Options { properties: Properties::Safety, certificate: Switch::On, symmetry, limits, ..Options::default() };
    verify(&job, &options).unwrap_or_else(|refusal| panic!("{}", refusal.reason)).remove(0)
}

/// The certificate that a search makes of a model whose safety holds.
fn certificate(model: &Model, symmetry: Symmetry) -> Vec<u8> {
    let finding = certified(model, symmetry);
    assert_eq!(finding.verdict, Verdict::Holds);
    Certificate::file(&[finding.certificate.as_ref().expect("what holds has a certificate")])
}
