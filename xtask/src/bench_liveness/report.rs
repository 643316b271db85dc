//! The table, the geometric means, and `docs/benchmarks/liveness.csv`.

use std::fmt::Write as _;
use std::path::Path;

use super::{Fairness, Measured};
use crate::bench_engine::report::ratios;

/// The head of the printed table; ratios are SPIN's time divided by ours.
pub const HEADING: &str = "\
                                            |      states         | search, seconds          rate  | verdict, seconds         | two
property                     fair  verdict  |    SPIN      ours   |   SPIN     ours   ratio   ratio |   SPIN     ours    ratio | workers";

/// One line of the printed table.
pub fn line(measured: &Measured) -> String {
    let Measured { name, spin, ours, two, spin_whole, ours_whole, .. } = measured;
    format!(
        "{name:<28} {:<5} {:<8} | {:>9} {:>9} | {:>7} {:>8.3} {:>7} {:>7} | {:>7} {:>8.3} {:>7} | {:>5.2}",
        measured.fairness_name(),
        measured.verdict_name(),
        optional(spin.map(|spin| spin.states as f64), 0),
        ours.states,
        optional(spin.map(|spin| spin.search), 2),
        ours.search,
        optional(measured.search(), 2),
        optional(measured.rate(), 2),
        optional(spin_whole.map(|run| run.times.wall), 2),
        ours_whole.times.wall,
        optional(measured.verdict(), 1),
        ours.search / two.search,
    )
}

/// A figure with so many decimals; a dash if SPIN took too long.
fn optional(value: Option<f64>, decimals: usize) -> String {
    value.map_or("-".into(), |value| format!("{value:.decimals$}"))
}

/// The geometric means of all ratios, and the worst of each. What SPIN did not finish is left out.
pub fn means(all: &[Measured]) -> String {
    // A search that ends at its first cycle says nothing about rates.
    let complete = |measured: &&Measured| measured.ours.holds && measured.spin.is_some_and(|spin| spin.search > 0.05);
    let fair =
        |measured: &&Measured| measured.fairness == Fairness::Weak && measured.processes >= 5 && complete(measured);
    let long = |measured: &&Measured| measured.fairness == Fairness::None && measured.ours.search > 0.5;
    let rows = [
        (
            "rate of the search, SPIN = 1, where the property holds",
            ratios(all.iter().filter(complete).filter_map(Measured::rate)),
        ),
        (
            "time of the search, ours = 1, where the property holds",
            ratios(all.iter().filter(complete).filter_map(Measured::search)),
        ),
        (
            "the same with fairness and five or more processes",
            ratios(all.iter().filter(fair).filter_map(Measured::search)),
        ),
        (
            "user time of the command, ours = 1, SPIN's above 0.5 s",
            ratios(all.iter().filter(complete).filter_map(Measured::user)),
        ),
        (
            "the same with fairness and five or more processes",
            ratios(all.iter().filter(fair).filter_map(Measured::user)),
        ),
        ("time to verdict, ours = 1", ratios(all.iter().filter_map(Measured::verdict))),
        (
            "two workers, one = 1, searches above half a second",
            ratios(all.iter().filter(long).map(|measured| measured.ours.search / measured.two.search)),
        ),
    ];
    let mut text = String::new();
    for (what, (count, mean, least)) in rows {
        let _ = writeln!(text, "{what:<56} geometric mean {mean:>6.2}, least {least:>6.2}, of {count}");
    }
    text
}

impl Measured {
    fn search(&self) -> Option<f64> {
        self.spin.map(|spin| spin.search / self.ours.search)
    }

    /// States of the product in a second: the two products are not of the same size.
    fn rate(&self) -> Option<f64> {
        self.spin.map(|spin| (self.ours.states as f64 / self.ours.search) / (spin.states as f64 / spin.search))
    }

    /// On a busy machine the clock says little. Short runs are left out: ours includes the making of code.
    fn user(&self) -> Option<f64> {
        self.spin.filter(|spin| spin.times.user > 0.5).map(|spin| spin.times.user / self.ours.times.user)
    }

    fn verdict(&self) -> Option<f64> {
        self.spin_whole.map(|spin| spin.times.wall / self.ours_whole.times.wall)
    }

    fn fairness_name(&self) -> &'static str {
        match self.fairness {
            Fairness::None => "none",
            Fairness::Weak => "weak",
        }
    }

    fn verdict_name(&self) -> &'static str {
        if self.ours.holds { "holds" } else { "violated" }
    }
}

/// Writes `liveness.csv`.
pub fn save(all: &[Measured], directory: &Path) -> Result<(), String> {
    let mut text = String::from(
        "property,fairness,verdict,processes,spin_states,ours_states,spin_seconds,spin_user,ours_seconds,ours_user,\
         two_workers_seconds,spin_verdict_seconds,ours_verdict_seconds\n",
    );
    for measured in all {
        let Measured { name, processes, spin, ours, two, spin_whole, ours_whole, .. } = measured;
        let _ = writeln!(
            text,
            "{name},{},{},{processes},{},{},{},{},{:.4},{:.2},{:.4},{},{:.4}",
            measured.fairness_name(),
            measured.verdict_name(),
            optional(spin.map(|spin| spin.states as f64), 0),
            ours.states,
            optional(spin.map(|spin| spin.search), 3),
            optional(spin.map(|spin| spin.times.user), 2),
            ours.search,
            ours.times.user,
            two.search,
            optional(spin_whole.map(|run| run.times.wall), 3),
            ours_whole.times.wall,
        );
    }
    std::fs::create_dir_all(directory).map_err(|error| error.to_string())?;
    std::fs::write(directory.join("liveness.csv"), text).map_err(|error| format!("liveness.csv: {error}"))
}
