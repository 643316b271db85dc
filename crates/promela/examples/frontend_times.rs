//! How long the front end takes for models of 5,000, 50,000 and 500,000 lines: `frontend_times`, best as
//! `cargo xtask bench frontend`.
//!
//! The generated model looks like what tools write: many proctypes with arrays, channels, typed names, inlines, selections,
//! loops and macros, every hundred lines a new one. Reading includes preprocessing, parsing, resolving, inference and lints.

use std::fmt::Write;
use std::process::ExitCode;
use std::sync::OnceLock;
use std::time::Instant;

use promela::{Options, load_text};

const SIZES: [usize; 3] = [5_000, 50_000, 500_000];
/// Each size is read so many times, and the fastest counts: the rest is noise of the machine.
const RUNS: usize = 3;
/// The promise: 50,000 lines below a second, and ten times the lines in about ten times the time.
const MOST_SECONDS: f64 = 1.0;
const MOST_GROWTH: f64 = 15.0;

fn main() -> ExitCode {
    println!("{:>8}  {:>10}  {:>8}  {:>12}  {:>6}", "lines", "bytes", "seconds", "lines/second", "growth");
    let mut before: Option<f64> = None;
    let mut kept = true;
    for lines in SIZES {
        let text = model(lines);
        let seconds = (0..RUNS).map(|_| read(&text)).fold(f64::INFINITY, f64::min);
        let growth = before.map(|before| seconds / before);
        let shown = growth.map_or_else(String::new, |growth| format!("{growth:.1}x"));
        let rate = lines as f64 / seconds;
        println!("{lines:>8}  {:>10}  {seconds:>8.3}  {rate:>12.0}  {shown:>6}", text.len());
        kept &= growth.is_none_or(|growth| growth < MOST_GROWTH) && (lines != 50_000 || seconds < MOST_SECONDS);
        before = Some(seconds);
    }
    if kept {
        return ExitCode::SUCCESS;
    }
    println!(
        "50,000 lines took more than {MOST_SECONDS} s, or ten times the lines took more than {MOST_GROWTH} times as long"
    );
    ExitCode::FAILURE
}

fn read(text: &str) -> f64 {
    let start = clock();
    let loaded = load_text("generated.pml", text, &Options::default());
    let seconds = clock() - start;
    assert!(loaded.model.is_some(), "the generated model is refused: {:?}", loaded.diagnostics.first());
    seconds
}

/// Seconds that this thread has had a processor, where the system tells (Linux); else seconds by the clock. Other work on
/// the machine does not count then.
fn clock() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let on_processor = std::fs::read_to_string("/proc/thread-self/schedstat").ok().and_then(|line| {
        let nanoseconds: f64 = line.split_whitespace().next()?.parse().ok()?;
        Some(nanoseconds / 1e9)
    });
    on_processor.unwrap_or_else(|| START.get_or_init(Instant::now).elapsed().as_secs_f64())
}

/// A model with so many lines.
fn model(lines: usize) -> String {
    let mut text = String::from(
        "#define SLOTS 8\n#define NEXT(i) (((i) + 1) % SLOTS)\nmtype = { req, ack, nak };\n\
         typedef Slot { byte owner; bool busy; int load }\nSlot slots[SLOTS];\nchan net[SLOTS] = [2] of { mtype, byte };\n\
         byte turn;\ninline take(s, who) {\n\td_step { slots[s].busy = true; slots[s].owner = who }\n}\n",
    );
    let mut written = text.lines().count();
    let mut number = 0;
    while written < lines {
        let unit = proctype(number);
        written += unit.lines().count();
        text += &unit;
        number += 1;
    }
    // Not more than a run of the model could start; the rest stands there as libraries do.
    let runs: String = (0..number.min(200)).map(|number| format!(" run P{number}({});", number % 8)).collect();
    text + &format!("init {{ atomic {{{runs} skip }} }}\n")
}

/// A proctype of about a hundred lines.
fn proctype(number: usize) -> String {
    let mut text =
        format!("\n/* unit {number} */\nproctype P{number}(byte me) {{\n\tbyte next, count_{number};\n\tmtype kind;\n");
    for step in 0..9 {
        let next = (step + 1) % 9;
        let _ = write!(
            text,
            "state{step}:\n\tif\n\t:: net[me]?req,next -> // asked\n\t\tcount_{number} = count_{number} + 1;\n\
             \t\ttake(NEXT(me), next)\n\t:: net[NEXT(me)]!ack,me;\n\t\tslots[me].load = (slots[me].load + {step}) * 2 % 7\n\
             \t:: turn == me && !slots[me].busy ->\n\t\tturn = (count_{number} > {step} -> NEXT(turn) : turn)\n\
             \t:: net[me]?kind,_ -> assert(kind != nak || count_{number} < 200); goto state{next}\n\tfi\n"
        );
    }
    text += "}\n";
    text
}
