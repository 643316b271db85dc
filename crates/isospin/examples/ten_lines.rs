//! A model from text to verdict and counterexample: `cargo run -p isospin --example ten_lines`.

use isospin::verify::{self, Job, Options, Verdict};

fn main() -> Result<(), verify::Refusal> {
    let text = "byte turns; active [2] proctype P() { turns++; assert(turns < 2) }";
    let model =
        promela::load_text("turns.pml", text, &promela::Options::default()).model.expect("the model has no errors");
    for finding in verify::verify(&Job::new(machine::lower(&model)), &Options::default())? {
        println!("{}: {}", finding.property, if finding.verdict == Verdict::Holds { "holds" } else { "does not hold" });
        for step in finding.counterexample.iter().flat_map(|trace| &trace.steps) {
            println!("  {}({}) {}: {}", step.part.process, step.part.pid, step.part.place, step.part.statement);
        }
    }
    Ok(())
}
