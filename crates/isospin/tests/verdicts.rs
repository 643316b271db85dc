//! Small models whose verdict each reduction alone, and all of them together, once got wrong or may get wrong.
//!
//! The first line of a model in `verdicts/` says what is true of it: `// safety violated; p holds`. Every combination of reductions, orders of search
//! and workers must say the same; a model whose states at each level grow without bound is searched depth first only. Further lines
//! ask for weak fairness or for channels that lose messages when they are full. A model is added for each way in which the enabledness of a transition can depend on another process.
//!
//! `VERDICTS_MODEL=NAME` in the environment asks for one model only; `cargo xtask mutants` does.

use std::num::NonZeroUsize;
use std::path::Path;

use isospin::verify::{
    Engine, Fairness, Job, Limits, Options, Order, Properties, Strategy, Switch, Symmetry, Verdict, verify,
};
use machine::FullChannels;

/// What the first line of a model says: property and verdict.
fn expected(text: &str) -> Vec<(String, String)> {
    let line = text.lines().next().and_then(|line| line.strip_prefix("// ")).expect("a verdict in the first line");
    let pairs = line.split("; ").map(|pair| pair.split_once(' ').expect("a property and its verdict"));
    pairs.map(|(property, verdict)| (property.to_owned(), verdict.to_owned())).collect()
}

fn switch(bits: u32, bit: u32) -> Switch {
    if bits >> bit & 1 == 1 { Switch::On } else { Switch::Off }
}

/// All combinations of the four reductions, and each with both orders and with one and three workers.
fn manners() -> impl Iterator<Item = Options> {
    (0..64).map(|bits| Options {
        properties: Properties::All,
        partial_order: switch(bits, 0),
        merging: switch(bits, 1),
        dead: switch(bits, 2),
        symmetry: if bits >> 3 & 1 == 1 { Symmetry::Detect(Strategy::Exact) } else { Symmetry::Off },
        order: if bits >> 4 & 1 == 1 { Order::BreadthFirst } else { Order::DepthFirst },
        workers: NonZeroUsize::new(if bits >> 5 == 1 { 3 } else { 1 }).expect("not zero"),
        limits: Limits { memory: 1 << 28, ..Limits::default() },
        ..Options::default()
    })
}

#[test]
fn every_combination_of_reductions_gives_the_true_verdict() {
    all_are_true(manners());
}

/// What users get unless they ask for something else, but without code that is made for each model: this takes a moment.
#[test]
fn all_reductions_give_the_true_verdict_when_interpreted() {
    let all = manners().filter(|options| {
        let switches = [options.partial_order, options.dead];
        options.workers.get() == 1 && switches == [Switch::On; 2] && options.symmetry != Symmetry::Off
    });
    all_are_true(all.map(|options| Options { engine: Engine::Interpreter, ..options }));
}

/// The same without code that is made for each model.
#[test]
fn every_combination_of_reductions_gives_the_true_verdict_when_interpreted() {
    let alone = manners().filter(|options| options.workers.get() == 1);
    all_are_true(alone.map(|options| Options { engine: Engine::Interpreter, ..options }));
}

fn all_are_true(manners: impl Iterator<Item = Options>) {
    let manners: Vec<Options> = manners.collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verdicts");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("it is there").flatten().map(|entry| entry.path()).collect();
    // Those that meet a limit take longest.
    paths.sort_by_key(|path| (path.to_string_lossy().contains("limit"), path.clone()));
    assert!(paths.len() >= 30, "only {} models", paths.len());
    if let Some(only) = std::env::var_os("VERDICTS_MODEL") {
        paths.retain(|path| path.file_stem() == Some(&*only));
        assert_eq!(paths.len(), 1, "there is no model {only:?}");
    }
    for path in paths {
        let mut wrong = Vec::new();
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let model = promela::load(&path, &promela::Options::default()).model.expect("it is correct");
        let mut machine = machine::lower(&model);
        if text.contains("// Full channels lose messages") {
            machine.full_channels = FullChannels::Lose;
        }
        let job = Job::new(machine);
        let fairness = if text.contains("// Weak fairness") { Fairness::Weak } else { Fairness::None };
        let depth_first = text.contains("// Depth first only");
        let fits = |options: &Options| !depth_first || options.order == Order::DepthFirst && options.workers.get() == 1;
        for options in manners.iter().filter(|options| fits(options)) {
            let options = Options { fairness, ..options.clone() };
            let findings = verify(&job, &options).expect("it can be searched");
            let said = findings.iter().map(|finding| {
                let verdict = match finding.verdict {
                    Verdict::Holds => "holds",
                    Verdict::Violated => "violated",
                    Verdict::Unknown(_) => "unknown",
                };
                (finding.property.to_string(), verdict.to_owned())
            });
            let said: Vec<_> = said.collect();
            if said != expected(&text) {
                let Options { partial_order, merging, dead, symmetry, order, workers, .. } = options;
                wrong.push(format!(
                    "{}: {said:?} with partial order {partial_order:?}, merging {merging:?}, dead {dead:?}, {symmetry:?}, {order:?}, {workers}",
                    path.display()
                ));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
