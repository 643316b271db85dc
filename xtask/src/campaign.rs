//! Long comparisons: numbers are worked off by several threads, counts go to the terminal, and what differs is cut down and kept in files.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use isospin::verify::Fairness;
use oracle::generate::sketch::Sketch;
use oracle::minimise::minimise;
use oracle::reductions::{Asked, Difference, Outcome};

/// How often a campaign says how far it is.
const INTERVAL: Duration = Duration::from_secs(10);
/// How many models are tried to make one smaller.
const BUDGET: usize = 400;
/// So many differences of one kind are cut down; further ones are only counted.
const EXPLAINED: u64 = 12;

/// What is to be done.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The numbers to work off.
    pub numbers: Range<u64>,
    /// On so many threads.
    pub jobs: usize,
    /// Where models that differ are kept.
    pub directory: PathBuf,
}

/// One comparison.
pub struct Case {
    /// The model.
    pub text: String,
    /// What was asked about it.
    pub asked: Asked,
    /// Which infinite runs count.
    pub fairness: Fairness,
    /// Where it comes from, in words: counted separately.
    pub kind: String,
    /// What it came to.
    pub outcome: Outcome,
}

#[derive(Default)]
struct Tally {
    equal: BTreeMap<String, [u64; 2]>,
    symmetric: u64,
    incomparable: BTreeMap<String, u64>,
    different: BTreeMap<String, u64>,
    seen: HashSet<String>,
    first: Option<u64>,
}

/// Works off a plan. `cases` makes the comparisons of a number; `again` asks about a smaller model what was asked about a case.
///
/// # Errors
/// When something differs.
pub fn run(
    plan: &Plan,
    cases: impl Fn(u64) -> Vec<Case> + Sync,
    again: impl Fn(&Case, &Difference, &str) -> Outcome + Sync,
) -> Result<(), String> {
    let next = AtomicU64::new(plan.numbers.start);
    let tally = Mutex::new(Tally::default());
    let start = Instant::now();
    let spoken = Mutex::new(start);
    std::fs::create_dir_all(&plan.directory).map_err(|error| format!("{}: {error}", plan.directory.display()))?;
    std::thread::scope(|scope| {
        for _ in 0..plan.jobs {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= plan.numbers.end {
                        return;
                    }
                    for case in cases(number) {
                        note(plan, &tally, number, &case, &again);
                    }
                    let Ok(mut last) = spoken.lock() else { return };
                    if last.elapsed() >= INTERVAL {
                        *last = Instant::now();
                        let Ok(tally) = tally.lock() else { return };
                        eprintln!("{} s, next is {number}: {}", start.elapsed().as_secs(), tally.summary());
                    }
                }
            });
        }
    });
    let tally = tally.into_inner().map_err(|_| "a thread failed".to_string())?;
    println!("{}", tally.report());
    println!("{} s", start.elapsed().as_secs());
    match (tally.different.is_empty(), tally.first) {
        (true, _) => Ok(()),
        (false, first) => Err(format!(
            "{}; the first one is number {}; see {}",
            tally.summary(),
            first.unwrap_or_default(),
            plan.directory.display()
        )),
    }
}

/// What a comparison comes to; a search that panics is a difference, too.
pub fn guarded(compare: impl FnOnce() -> Outcome) -> Outcome {
    catch_unwind(AssertUnwindSafe(compare)).unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().cloned();
        let message = message.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
        Outcome::Different(Difference {
            reductions: oracle::reductions::Reductions::ALL,
            plain: "no panic".into(),
            reduced: format!("panic: {}", message.unwrap_or_default()),
        })
    })
}

fn note(
    plan: &Plan,
    tally: &Mutex<Tally>,
    number: u64,
    case: &Case,
    again: &impl Fn(&Case, &Difference, &str) -> Outcome,
) {
    let difference = {
        // A poisoned lock means that another thread failed, which ends the campaign anyway.
        let Ok(mut tally) = tally.lock() else { return };
        match &case.outcome {
            Outcome::Equal { violated, symmetric } => {
                tally.equal.entry(case.kind.clone()).or_default()[usize::from(*violated)] += 1;
                tally.symmetric += u64::from(*symmetric);
                return;
            }
            Outcome::NotComparable(reason) => {
                let reason: String = reason.lines().next().unwrap_or_default().chars().take(80).collect();
                *tally.incomparable.entry(reason).or_default() += 1;
                return;
            }
            Outcome::Different(difference) => {
                tally.first = Some(tally.first.map_or(number, |first| first.min(number)));
                let kind = format!("{}, {}", case.kind, difference.reductions.arguments());
                let count = tally.different.entry(kind).or_default();
                *count += 1;
                if *count > EXPLAINED {
                    return;
                }
                difference.clone()
            }
        }
    };
    let small = cut_down(case, &difference, again);
    let Ok(mut tally) = tally.lock() else { return };
    if !tally.seen.insert(small.clone()) {
        return;
    }
    let head = format!(
        "/* number {number}, {}: {}: {}; without reductions: {} */",
        case.kind,
        difference.reductions.arguments(),
        difference.reduced,
        difference.plain
    );
    let whole = case.text.replace("*/", "* /");
    let text = format!("{head}\n{small}\n/* from:\n{whole}\n*/\n");
    println!("{head}\n{small}");
    let file = plan.directory.join(format!("{number}-{}.pml", tally.seen.len()));
    if let Err(error) = std::fs::write(&file, text) {
        eprintln!("{}: {error}", file.display());
    }
}

/// The smallest model with the same difference.
fn cut_down(case: &Case, difference: &Difference, again: &impl Fn(&Case, &Difference, &str) -> Outcome) -> String {
    let Some(sketch) = Sketch::parse(&case.text) else { return case.text.clone() };
    let beginning = |text: &str| text.split(':').next().unwrap_or_default().to_string();
    let same = |text: &str| match guarded(|| again(case, difference, text)) {
        Outcome::Different(other) => {
            beginning(&other.plain) == beginning(&difference.plain)
                && beginning(&other.reduced) == beginning(&difference.reduced)
        }
        Outcome::Equal { .. } | Outcome::NotComparable(_) => false,
    };
    if !same(&sketch.to_string()) {
        return case.text.clone();
    }
    minimise(&sketch, BUDGET, |candidate| same(&candidate.to_string())).to_string()
}

impl Tally {
    fn summary(&self) -> String {
        let (holds, violated) =
            self.equal.values().fold((0, 0), |(holds, violated), count| (holds + count[0], violated + count[1]));
        format!(
            "{} equal ({violated} of them violated, {} with symmetry), {} not comparable, {} different",
            holds + violated,
            self.symmetric,
            self.incomparable.values().sum::<u64>(),
            self.different.values().sum::<u64>()
        )
    }

    fn report(&self) -> String {
        let mut lines = vec![self.summary()];
        for (kind, [holds, violated]) in &self.equal {
            lines.push(format!("{:>9} equal, {violated} of them violated: {kind}", holds + violated));
        }
        let others = [("not comparable", &self.incomparable), ("different", &self.different)];
        for (what, counts) in others {
            lines.extend(counts.iter().map(|(reason, count)| format!("{count:>9} {what}: {reason}")));
        }
        lines.join("\n")
    }
}
