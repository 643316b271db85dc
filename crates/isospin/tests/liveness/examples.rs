//! SPIN's own examples: every formula, never claim and progress label, with the verdicts of SPIN 6.5.2 (`pan -a`, `-a -f`, `-l`,
//! `-l -f`, without partial-order reduction where fairness needs that).

use std::path::Path;
use std::sync::Arc;

use isospin::verify::{Fairness, Options, Switch, Verdict};

use oracle::liveness::Watched;

use crate::{finding, plain};

const EXAMPLES: &str = "/usr/share/doc/spin/examples/Examples";

/// A model, a change of its text, a property, and whether it holds without and with weak fairness; `None` where SPIN was not asked.
type Row = (&'static str, Option<(&'static str, &'static str)>, &'static str, Option<bool>, Option<bool>);

const HOLDS: Option<bool> = Some(true);
const VIOLATED: Option<bool> = Some(false);

const VERDICTS: [Row; 28] = [
    ("LTL/train.pml", None, "c1", HOLDS, HOLDS),
    ("LTL/train.pml", None, "c2", VIOLATED, VIOLATED),
    ("LTL/train.pml", None, "c3", VIOLATED, VIOLATED),
    ("LTL/train.pml", None, "c4", VIOLATED, VIOLATED),
    ("LTL/train.pml", None, "c5", HOLDS, HOLDS),
    ("LTL/train.pml", None, "c6", VIOLATED, VIOLATED),
    ("LTL/train.pml", None, "c7", HOLDS, HOLDS),
    ("LTL/train.pml", None, "c8", HOLDS, HOLDS),
    ("LTL/mobile1.pml", None, "", HOLDS, HOLDS),
    ("LTL/mobile2.pml", None, "", HOLDS, HOLDS),
    ("LTL/bakery.pml", None, "", VIOLATED, VIOLATED),
    ("LTL/diskhead.pml", None, "", HOLDS, HOLDS),
    ("LTL/zune.pml", None, "", VIOLATED, VIOLATED),
    ("LTL/salesman1.pml", None, "", VIOLATED, VIOLATED),
    ("LTL/salesman2.pml", None, "", VIOLATED, VIOLATED),
    ("LTL/petersonN.pml", Some(("#define N\t5", "#define N\t3")), "", VIOLATED, HOLDS),
    ("LTL/petersonN.pml", Some(("#define N\t5", "#define N\t4")), "", VIOLATED, None),
    ("LTL/pftp.pml", None, "p1", VIOLATED, VIOLATED),
    ("LTL/pftp.pml", None, "p2", VIOLATED, VIOLATED),
    ("LTL/pftp.pml", None, "p3", VIOLATED, VIOLATED),
    ("Exercises/ex_3a.pml", None, "", VIOLATED, VIOLATED),
    ("Book_1991/p123.pml", None, "never", VIOLATED, VIOLATED),
    ("werkplaats.pml", None, "never", HOLDS, HOLDS),
    ("loops.pml", None, "progress", HOLDS, HOLDS),
    ("hajek.pml", None, "progress", VIOLATED, VIOLATED),
    ("LTL/diskhead.pml", None, "progress", HOLDS, HOLDS),
    ("Exercises/ex_5.pml", None, "progress", VIOLATED, VIOLATED),
    ("cambridge.pml", None, "progress", VIOLATED, None),
];

#[test]
fn verdicts_on_spins_examples_are_spins() {
    let mut wrong = Vec::new();
    for (file, change, property, unfair, fair) in VERDICTS {
        let mut text = std::fs::read_to_string(Path::new(EXAMPLES).join(file)).expect("the examples are installed");
        if let Some((before, after)) = change {
            assert!(text.contains(before), "{file}");
            text = text.replace(before, after);
        }
        let loaded = promela::load_text(file, &text, &promela::Options::default());
        let model = loaded.model.unwrap_or_else(|| panic!("{file}: {:?}", loaded.diagnostics));
        let machine = Arc::new(machine::lower(&model));
        let property = if property.is_empty() { machine.ltl[0].name.to_string() } else { property.to_owned() };
        for (fairness, expected) in [(Fairness::None, unfair), (Fairness::Weak, fair)] {
            let Some(expected) = expected else { continue };
            let start = std::time::Instant::now();
            let options = Options { partial_order: Switch::On, ..plain(fairness) };
            let found = finding(&machine, &Watched::named(&property), &options).verdict == Verdict::Holds;
            println!("{file} {property} {fairness:?}: {found} after {:.2} s", start.elapsed().as_secs_f64());
            if found != expected {
                wrong.push(format!("{file} {property} {fairness:?}: expected {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
