//! Sizes of automata for the formula sets of the literature, beside those reported for Spot, and those of SPIN.
//!
//! ```text
//! cargo run --release -p isospin-automata --example patterns -- [--each] [--spin]
//! ```
//! `--each` prints a line for each formula, `--spin` runs `spin -f` (five seconds each) on formulas without `X`.
//! Transitions are edges counted once for each letter, as Spot reports them; SPIN's edges are the options of its
//! claims. Behind each line is the longest time that one formula took, both kinds of automata counted by themselves.

use std::process::Command;
use std::time::{Duration, Instant};

use automata::atom::AtomTable;
use automata::automaton::Size;
use automata::formula::Formula;
use automata::reduce::Kind;
use automata::spelling::Spelling;
use automata::text::parse;
use automata::translate::translate_to;

fn main() {
    let options = Options {
        each: std::env::args().any(|argument| argument == "--each"),
        spin: std::env::args().any(|argument| argument == "--spin"),
    };
    println!("{:<26}{:^38}{:^38}", "", "generalised", "one set on states");
    println!("{:<26}{:>38}{:>38}{:>28}", "", COLUMNS, COLUMNS, "SPIN states/edges (ours)");
    let mut total = Sum::default();
    for (name, text) in SETS {
        for negated in [false, true] {
            let rows = text.lines().filter(|line| !line.starts_with('#'));
            let rows = rows.filter_map(|row| Row::of_pattern(row, negated));
            let title = format!("{}{name}", if negated { "not " } else { "" });
            total.add(&print_set(&title, rows.collect(), &options));
        }
    }
    println!("{}", total.line("sum of these"));
    println!("the slowest of these: {}", total.slowest.1);
    for (name, family) in families() {
        print_set(name, family, &options);
    }
}

const COLUMNS: &str = "states/Spot  edges  transitions/Spot";

const SETS: [(&str, &str); 5] = [
    ("dwyer", include_str!("../patterns/dwyer.tsv")),
    ("etessami-holzmann", include_str!("../patterns/etessami-holzmann.tsv")),
    ("somenzi-bloem", include_str!("../patterns/somenzi-bloem.tsv")),
    ("liberouter", include_str!("../patterns/liberouter.tsv")),
    ("pelanek", include_str!("../patterns/pelanek.tsv")),
];

/// Formulas that grow with a number.
fn families() -> Vec<(&'static str, Vec<Row>)> {
    let join =
        |sign: &str, n: usize, part: &dyn Fn(usize) -> String| (1..=n).map(part).collect::<Vec<String>>().join(sign);
    let up_to = |last: usize, text: &dyn Fn(usize) -> String| (1..=last).map(|n| Row::of_text(&text(n))).collect();
    vec![
        ("GF p1 & .. & GF pn", up_to(6, &|n| join(" & ", n, &|i| format!("G F p{i}")))),
        (
            "!(GF.. -> G(q -> F r))",
            up_to(6, &|n| format!("!(({}) -> G(q -> F r))", join(" & ", n, &|i| format!("G F p{i}")))),
        ),
        (
            "p1 U (p2 U .. pn)",
            up_to(6, &|n| format!("{}p{}{}", join("", n, &|i| format!("p{i} U (")), n + 1, ")".repeat(n))),
        ),
        (
            "(..(p1 U p2) ..) U pn",
            up_to(6, &|n| format!("{}p1{}", "(".repeat(n), join("", n, &|i| format!(" U p{})", i + 1)))),
        ),
        ("F p1 & .. & F pn", up_to(6, &|n| join(" & ", n, &|i| format!("F p{i}")))),
        ("(GF p1 | FG p2) & ..", up_to(4, &|n| join(" & ", n, &|i| format!("(G F p{i} | F G p{})", i + 1)))),
    ]
}

struct Options {
    each: bool,
    spin: bool,
}

/// A formula with the figures known for it.
struct Row {
    formula: Formula,
    atoms: AtomTable,
    /// States and transitions reported for Spot: generalised, and with one set on states.
    spot: [Option<(u128, u128)>; 2],
}

impl Row {
    fn of_text(text: &str) -> Row {
        let mut atoms = AtomTable::default();
        let formula = parse(text, &mut atoms).expect("the table's formulas are well formed");
        Row { formula, atoms, spot: [None, None] }
    }

    /// None for a formula that occurred before, and so has no figures.
    fn of_pattern(line: &str, negated: bool) -> Option<Row> {
        let columns: Vec<&str> = line.split('\t').collect();
        let mut row = Row::of_text(columns[0]);
        let figures = |text: &str| {
            let (states, transitions) = text.split_once('/')?;
            Some((states.parse().ok()?, transitions.parse().ok()?))
        };
        if negated {
            row.formula = Formula::negation(row.formula);
        }
        let first = if negated { 3 } else { 1 };
        row.spot = [Some(figures(columns[first])?), Some(figures(columns[first + 1])?)];
        Some(row)
    }

    /// States and edges of SPIN's claim, if it is made in five seconds.
    fn spin(&self) -> Option<(u128, u128)> {
        if !self.formula.classes().stutter_invariant() {
            return None; // Debian's SPIN is built without `X`
        }
        let text = self.formula.display(Spelling::Spin, &self.atoms).to_string();
        let output = Command::new("timeout").args(["5", "spin", "-f", &text]).output().ok()?;
        let claim = String::from_utf8(output.stdout).ok().filter(|claim| claim.starts_with("never"))?;
        let is_label = |line: &str| line.ends_with(':') && !line.starts_with('\t');
        let lines: Vec<&str> = claim.lines().collect();
        let states = lines.windows(2).filter(|pair| is_label(pair[0]) && !is_label(pair[1])).count();
        let edges = lines.iter().filter(|line| line.trim_start().starts_with("::")).count();
        Some((states as u128, edges as u128))
    }
}

/// Sums over formulas.
#[derive(Default)]
struct Sum {
    /// For each kind: states, states of Spot, edges, transitions, transitions of Spot.
    kinds: [[u128; 5]; 2],
    /// SPIN's states and edges, and ours for the same formulas.
    spin: [u128; 4],
    formulas: usize,
    without_spin: usize,
    /// The formula whose translation took longest, and how long: the shortest of [`ROUNDS`] times.
    slowest: (Duration, String),
}

/// How often each formula is translated.
const ROUNDS: usize = 5;

impl Sum {
    fn add(&mut self, other: &Sum) {
        for (mine, theirs) in self.kinds.iter_mut().flatten().zip(other.kinds.iter().flatten()) {
            *mine += theirs;
        }
        for (mine, theirs) in self.spin.iter_mut().zip(other.spin) {
            *mine += theirs;
        }
        self.formulas += other.formulas;
        self.without_spin += other.without_spin;
        if other.slowest.0 > self.slowest.0 {
            self.slowest = other.slowest.clone();
        }
    }

    fn line(&self, title: &str) -> String {
        let kinds: String = self
            .kinds
            .iter()
            .map(|sums| format!("{:>13}/{:<5}{:>6}{:>7}/{:<6}", sums[0], sums[1], sums[2], sums[3], sums[4]))
            .collect();
        let spin = if self.spin[0] == 0 {
            String::new()
        } else {
            let absent = self.without_spin;
            format!("{:>7}/{} ({}/{}), {absent} absent", self.spin[0], self.spin[1], self.spin[2], self.spin[3])
        };
        format!("{title:<26}{kinds}{spin}  slowest {:.1} ms", self.slowest.0.as_secs_f64() * 1000.0)
    }
}

fn print_set(title: &str, rows: Vec<Row>, options: &Options) -> Sum {
    let mut sum = Sum::default();
    for (number, row) in rows.iter().enumerate() {
        let one = measure(row, options);
        if options.each {
            println!("{}", one.line(&format!("  {title} {}", number + 1)));
        }
        sum.add(&one);
    }
    println!("{}", sum.line(title));
    sum
}

fn measure(row: &Row, options: &Options) -> Sum {
    let mut sum = Sum { formulas: 1, ..Sum::default() };
    let mut sizes: Vec<Size> = Vec::new();
    for (index, kind) in [Kind::Generalised, Kind::BuchiStates].into_iter().enumerate() {
        let translate = || {
            let start = Instant::now();
            let automaton = translate_to(&row.formula, kind).expect("the table's formulas are small");
            (start.elapsed(), automaton)
        };
        let (time, automaton) = translate();
        // What else the machine is doing only adds to a time, so the shortest of a few is the one to believe.
        let time = (1..ROUNDS).map(|_| translate().0).fold(time, Duration::min);
        if time > sum.slowest.0 {
            sum.slowest = (time, row.formula.display(Spelling::Spin, &row.atoms).to_string());
        }
        let size = automaton.size();
        let (states, transitions) = row.spot[index].unwrap_or((0, 0));
        sum.kinds[index] = [size.states as u128, states, size.edges as u128, size.transitions, transitions];
        sizes.push(size);
    }
    if options.spin {
        match row.spin() {
            Some((states, edges)) => sum.spin = [states, edges, sizes[1].states as u128, sizes[1].edges as u128],
            None => sum.without_spin = 1,
        }
    }
    sum
}
