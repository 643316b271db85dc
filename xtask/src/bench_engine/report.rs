//! The table, the geometric means, and the files under `docs/benchmarks`.

use std::fmt::Write as _;
use std::path::Path;

use super::Measured;

/// The head of the printed table; ratios are SPIN's figure divided by ours.
pub const HEADING: &str = "\
                          states transitions |  search, seconds            rate         user | bytes/state   less | verdict, seconds  times |  two | partial order
model                                        |    SPIN    plain     tree  plain   tree  ratio |  SPIN  ours  ratio |    SPIN     ours  ratio | wrk. |    SPIN     ours";

/// One line of the printed table.
pub fn line(measured: &Measured) -> String {
    let Measured { name, spin, ours, spin_whole, ours_whole, ours_partial, .. } = measured;
    format!(
        "{name:<22} {:>9} {:>11} | {:>7.2} {:>8.3} {:>8.3} {:>6.2} {:>6.2} {:>6.2} | {:>5} {:>5.1} {:>6} | {:>7.2} {:>8.3} {:>6.1} | {:>4.2} | {:>8} {:>8}",
        ours.states,
        ours.transitions,
        spin.search,
        measured.uncompressed.search,
        ours.search,
        measured.uncompressed_rate(),
        measured.rate(),
        measured.user(),
        optional(measured.collapse),
        measured.bytes(),
        optional(measured.compression()),
        spin_whole.times.wall,
        ours_whole.times.wall,
        measured.verdict(),
        measured.speedup(),
        measured.spin_partial.states,
        ours_partial.states,
    )
}

/// The geometric means of all ratios, and the worst of each.
pub fn means(all: &[Measured]) -> String {
    let small = all.iter().filter(|measured| measured.ours.states < 100_000);
    let long = || all.iter().filter(|measured| measured.ours.search > 0.5);
    let lasting = all.iter().filter(|measured| measured.spin.search > 0.4);
    let rows = [
        ("rate of the search, both uncompressed, SPIN = 1", ratios(all.iter().map(Measured::uncompressed_rate))),
        ("the same, searches of SPIN above 0.4 s", ratios(lasting.map(Measured::uncompressed_rate))),
        ("rate of the search, ours compressed, SPIN = 1", ratios(all.iter().map(Measured::rate))),
        ("bytes for a state, ours = 1 (SPIN with -DCOLLAPSE)", ratios(all.iter().filter_map(Measured::compression))),
        ("time to verdict, ours = 1", ratios(all.iter().map(Measured::verdict))),
        ("time to verdict below 100,000 states", ratios(small.map(Measured::verdict))),
        ("two workers, one = 1, searches above half a second", ratios(long().map(Measured::speedup))),
        ("two programs that share nothing, one = 1, the same", ratios(long().map(Measured::ceiling))),
        ("states with partial order, ours = 1", ratios(all.iter().map(Measured::partial))),
    ];
    let slowest = all.iter().map(|measured| measured.first.times.wall).fold(0.0, f64::max);
    let mut text = String::new();
    for (what, (count, mean, least)) in rows {
        let _ = writeln!(text, "{what:<52} geometric mean {mean:>6.2}, least {least:>6.2}, of {count}");
    }
    let _ = writeln!(text, "from text to the first state, the whole command        at most {:.0} ms", slowest * 1e3);
    text
}

/// How many there are, their geometric mean, and the least.
pub fn ratios(values: impl Iterator<Item = f64>) -> (usize, f64, f64) {
    let values: Vec<f64> = values.collect();
    let mean = (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp();
    (values.len(), mean, values.iter().copied().fold(f64::INFINITY, f64::min))
}

impl Measured {
    fn rate(&self) -> f64 {
        self.spin.search / self.ours.search
    }

    fn uncompressed_rate(&self) -> f64 {
        self.spin.search / self.uncompressed.search
    }

    /// The same by user time of the whole commands, which other programs on the machine disturb less.
    fn user(&self) -> f64 {
        self.spin.times.user.max(0.01) / self.ours.times.user.max(0.01)
    }

    fn bytes(&self) -> f64 {
        self.ours.memory / self.ours.states as f64
    }

    fn compression(&self) -> Option<f64> {
        self.collapse.map(|spin| spin / self.bytes())
    }

    fn verdict(&self) -> f64 {
        self.spin_whole.times.wall / self.ours_whole.times.wall
    }

    fn speedup(&self) -> f64 {
        self.ours.search / self.two.search
    }

    /// What this machine gives two workers at most.
    fn ceiling(&self) -> f64 {
        2.0 * self.ours.search / self.copies.search
    }

    fn partial(&self) -> f64 {
        self.spin_partial.states as f64 / self.ours_partial.states as f64
    }
}

fn optional(value: Option<f64>) -> String {
    value.map_or("-".into(), |value| format!("{value:.1}"))
}

/// Writes `engine.csv`, `engine.md` and `engine.svg`.
pub fn save(all: &[Measured], runs: u32, directory: &Path) -> Result<(), String> {
    let files = [("engine.csv", csv(all)), ("engine.md", markdown(all, runs)), ("engine.svg", svg(all))];
    std::fs::create_dir_all(directory).map_err(|error| error.to_string())?;
    for (name, text) in files {
        std::fs::write(directory.join(name), text).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(())
}

fn csv(all: &[Measured]) -> String {
    let mut text = String::from(
        "model,states,transitions,errors,spin_seconds,spin_user,plain_seconds,plain_user,ours_seconds,ours_user,two_workers_seconds,two_programs_seconds,\
         spin_collapse_bytes,ours_bytes,spin_verdict_seconds,ours_verdict_seconds,spin_partial_states,ours_partial_states,first_state_seconds\n",
    );
    for measured in all {
        let Measured { name, spin, ours, uncompressed, two, collapse, spin_whole, ours_whole, ours_partial, .. } =
            measured;
        let _ = writeln!(
            text,
            "{name},{},{},{},{:.3},{:.2},{:.4},{:.2},{:.4},{:.2},{:.4},{:.4},{},{:.2},{:.3},{:.4},{},{},{:.4}",
            ours.states,
            ours.transitions,
            ours.errors,
            spin.search,
            spin.times.user,
            uncompressed.search,
            uncompressed.times.user,
            ours.search,
            ours.times.user,
            two.search,
            measured.copies.search,
            optional(*collapse),
            measured.bytes(),
            spin_whole.times.wall,
            ours_whole.times.wall,
            measured.spin_partial.states,
            ours_partial.states,
            measured.first.times.wall,
        );
    }
    text
}

fn markdown(all: &[Measured], runs: u32) -> String {
    let mut text = format!(
        "Measured on {}, best of {runs}. Made by `cargo xtask bench engine --save`.\n\n\
         | model | states | transitions | SPIN, s | plain, s | tree, s | rate plain, × | rate tree, × | SPIN, B/state | isospin, B/state | verdict SPIN, s | verdict isospin, s | faster, × | two workers, × | two programs, × | first state, ms | partial order: SPIN's states | ours |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
        machine()
    );
    for measured in all {
        let Measured { name, spin, ours, uncompressed, collapse, spin_whole, ours_whole, ours_partial, .. } = measured;
        let _ = writeln!(
            text,
            "| {name} | {} | {} | {:.2} | {:.3} | {:.3} | {:.2} | {:.2} | {} | {:.1} | {:.2} | {:.3} | {:.1} | {:.2} | {:.2} | {:.0} | {} | {} |",
            ours.states,
            ours.transitions,
            spin.search,
            uncompressed.search,
            ours.search,
            measured.uncompressed_rate(),
            measured.rate(),
            optional(*collapse),
            measured.bytes(),
            spin_whole.times.wall,
            ours_whole.times.wall,
            measured.verdict(),
            measured.speedup(),
            measured.ceiling(),
            measured.first.times.wall * 1e3,
            measured.spin_partial.states,
            ours_partial.states,
        );
    }
    let _ = write!(text, "\n```text\n{}```\n", means(all));
    text
}

/// The processor, the number of processors, memory, and how busy it was.
fn machine() -> String {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let value = |text: &str, name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or(": unknown");
        line.trim_start_matches([' ', '\t', ':']).trim().to_string()
    };
    let memory = value(&read("/proc/meminfo"), "MemTotal").trim_end_matches(" kB").parse::<f64>().unwrap_or(0.0);
    let load = read("/proc/loadavg").split(' ').next().unwrap_or("?").to_string();
    format!(
        "{}, {} processors, {:.0} GB, load {load} at the end",
        value(&read("/proc/cpuinfo"), "model name"),
        std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        memory / f64::from(1 << 20),
    )
}

/// Bars on a logarithmic scale: how many times faster and smaller than SPIN.
fn svg(all: &[Measured]) -> String {
    const LEFT: f64 = 190.0;
    const TENFOLD: f64 = 160.0;
    const ROW: f64 = 34.0;
    let zero = LEFT + TENFOLD * 0.5;
    let width = LEFT + TENFOLD * 4.0;
    let height = 60.0 + ROW * all.len() as f64;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"18\">isospin against SPIN, times better (SPIN = 1)</text>\n"
    );
    for (factor, label) in [(1.0_f64, "1"), (2.0, "2"), (10.0, "10"), (100.0, "100"), (1000.0, "1000")] {
        let x = zero + TENFOLD * factor.log10();
        let _ = writeln!(
            text,
            "<line x1=\"{x:.1}\" y1=\"40\" x2=\"{x:.1}\" y2=\"{:.1}\" stroke=\"#bbb\"/><text x=\"{x:.1}\" y=\"36\" text-anchor=\"middle\" fill=\"#555\">{label}</text>",
            height - 18.0
        );
    }
    for (row, measured) in all.iter().enumerate() {
        let top = 44.0 + ROW * row as f64;
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 6.0,
            top + 18.0,
            measured.name
        );
        let bars = [
            (Some(measured.uncompressed_rate()), "#4878a8"),
            (measured.compression(), "#6aa84f"),
            (Some(measured.verdict()), "#c99a2e"),
        ];
        for (bar, (ratio, colour)) in bars.into_iter().enumerate() {
            let Some(ratio) = ratio else { continue };
            let length = TENFOLD * ratio.log10().clamp(-0.5, 3.4);
            let (start, length) = if length < 0.0 { (zero + length, -length) } else { (zero, length) };
            let y = top + 3.0 + 9.0 * bar as f64;
            let _ = writeln!(
                text,
                "<rect x=\"{start:.1}\" y=\"{y:.1}\" width=\"{length:.1}\" height=\"8\" fill=\"{colour}\"/>"
            );
        }
    }
    let legend = [("rate of the search", "#4878a8"), ("bytes for a state", "#6aa84f"), ("time to verdict", "#c99a2e")];
    for (place, (label, colour)) in legend.into_iter().enumerate() {
        let (x, y) = (LEFT + 140.0 * place as f64, height - 6.0);
        let _ = writeln!(
            text,
            "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"9\" height=\"9\" fill=\"{colour}\"/><text x=\"{:.1}\" y=\"{y:.1}\">{label}</text>",
            y - 9.0,
            x + 13.0
        );
    }
    text + "</svg>\n"
}
