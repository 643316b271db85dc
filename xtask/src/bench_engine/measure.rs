//! Running both programs and reading their figures.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// How long a command took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// On the clock.
    pub wall: f64,
    /// On the processors, outside of the kernel. The kernel counts it in hundredths.
    pub user: f64,
}

/// What a run found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Run {
    /// The command.
    pub times: Times,
    /// The search itself, as the program says.
    pub search: f64,
    /// States stored.
    pub states: u64,
    /// Transitions as SPIN counts them.
    pub transitions: u64,
    /// Errors counted.
    pub errors: u64,
    /// Memory for states, in bytes.
    pub memory: f64,
}

impl Run {
    /// The shorter of two runs with equal results, by the time the search took.
    #[must_use]
    pub fn best(self, other: Run) -> Run {
        if other.search < self.search { other } else { self }
    }

    /// The shorter of two runs, by the time the command took.
    #[must_use]
    pub fn best_whole(self, other: Run) -> Run {
        if other.times.wall < self.times.wall { other } else { self }
    }
}

/// Runs a command to its end: its output, and how long it took.
///
/// # Errors
/// When it cannot be started. Exit codes up to 3 are answers: both programs tell violations that way.
pub fn run(command: &mut Command) -> Result<(String, Times), String> {
    let (start, user) = (Instant::now(), user_time_of_children());
    let output = command.stdin(Stdio::null()).stderr(Stdio::piped()).output();
    let output = output.map_err(|error| format!("{command:?}: {error}"))?;
    let times = Times { wall: start.elapsed().as_secs_f64(), user: user_time_of_children() - user };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.status.code() {
        Some(0..=3) => Ok((text, times)),
        _ => Err(format!("{command:?}: {}\n{text}{}", output.status, String::from_utf8_lossy(&output.stderr))),
    }
}

/// Seconds that ended children of this process have computed.
fn user_time_of_children() -> f64 {
    // Behind the name in parentheses, `cutime` is the 14th field, in hundredths of a second.
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    fields.split_whitespace().nth(13).and_then(|ticks| ticks.parse::<f64>().ok()).unwrap_or(0.0) / 100.0
}

/// How SPIN's verifier is made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Make {
    /// Plain semantics: no merging, no dead variables, no partial order.
    Exact,
    /// The same, with compressed states.
    Collapse,
    /// As a user does it.
    Default,
    /// The same, to go on after errors.
    AllErrors,
}

impl Make {
    fn spin(self) -> &'static [&'static str] {
        match self {
            Make::Exact | Make::Collapse => &["-o1", "-o2", "-o3", "-a"],
            Make::Default | Make::AllErrors => &["-a"],
        }
    }

    fn compiler(self) -> &'static [&'static str] {
        match self {
            Make::Exact => &["-DNOREDUCE"],
            Make::Collapse => &["-DNOREDUCE", "-DCOLLAPSE"],
            Make::Default | Make::AllErrors => &[],
        }
    }

    fn verifier(self) -> &'static [&'static str] {
        match self {
            Make::Exact | Make::Collapse | Make::AllErrors => &["-c0"],
            Make::Default => &[],
        }
    }
}

/// A verifier that SPIN and the C compiler have made.
pub struct Pan {
    directory: PathBuf,
    make: Make,
    /// Making it.
    pub times: Times,
}

impl Pan {
    /// Makes one in a directory of its own beside the model.
    ///
    /// # Errors
    /// When SPIN or the C compiler fails.
    pub fn new(model: &Path, make: Make) -> Result<Pan, String> {
        let beside = model.parent().ok_or("a model without a directory")?;
        let name = match make {
            Make::Exact => "exact",
            Make::Collapse => "collapse",
            Make::Default => "default",
            Make::AllErrors => "all-errors",
        };
        let directory = beside.join(name);
        std::fs::create_dir_all(&directory).map_err(|error| error.to_string())?;
        for entry in beside.read_dir().map_err(|error| error.to_string())?.flatten() {
            if entry.path().is_file() {
                std::fs::copy(entry.path(), directory.join(entry.file_name())).map_err(|error| error.to_string())?;
            }
        }
        let file = model.file_name().unwrap_or_default();
        let (_, spin) = run(Command::new("spin").args(make.spin()).arg(file).current_dir(&directory))?;
        let mut compiler = Command::new("cc");
        compiler.args(["-O2", "-w", "-DSAFETY", "-DNOCLAIM", "-DVECTORSZ=2048", "-DMEMLIM=12000"]);
        let compiler = compiler.args(make.compiler()).args(["-o", "pan", "pan.c"]).current_dir(&directory);
        let (_, cc) = run(compiler)?;
        Ok(Pan { directory, make, times: Times { wall: spin.wall + cc.wall, user: spin.user + cc.user } })
    }

    /// Runs it; deep enough for all models of the set.
    ///
    /// # Errors
    /// When it fails or its report cannot be read.
    pub fn run(&self) -> Result<Run, String> {
        let mut pan = Command::new("./pan");
        let pan = pan.args(["-n", "-m3000000"]).args(self.make.verifier()).current_dir(&self.directory);
        let (text, times) = run(pan)?;
        if text.contains("max search depth too small") {
            return Err("SPIN's stack is too small for this model".into());
        }
        let before = |what: &str| number_before(&text, what).ok_or_else(|| format!("no {what} in\n{text}"));
        let states = before("states, stored")?;
        // Short runs have no such line; their time is that of the command.
        let elapsed = text.split("elapsed time ").nth(1).and_then(|rest| rest.split_whitespace().next()?.parse().ok());
        Ok(Run {
            search: elapsed.filter(|&seconds: &f64| seconds > 0.05).unwrap_or(times.wall),
            times,
            states: states as u64,
            transitions: before("transitions (= ")? as u64,
            errors: text
                .split("errors: ")
                .nth(1)
                .and_then(|rest| rest.lines().next()?.trim().parse().ok())
                .unwrap_or(0),
            memory: number_before(&text, "actual memory usage for states").unwrap_or(f64::NAN) * f64::from(1 << 20),
        })
    }
}

/// The last number before the first occurrence of a phrase.
pub fn number_before(text: &str, phrase: &str) -> Option<f64> {
    text.split(phrase).next().filter(|before| before.len() < text.len())?.split_whitespace().next_back()?.parse().ok()
}

/// Runs isospin on a model with these options.
///
/// # Errors
/// When it fails or its report cannot be read.
pub fn isospin(binary: &Path, model: &Path, options: &[&str]) -> Result<Run, String> {
    let mut command = Command::new(binary);
    let directory = model.parent().ok_or("a model without a directory")?;
    let command = command.arg("verify").arg(model).args(["--safety", "--json"]).args(options).current_dir(directory);
    let (text, times) = run(command)?;
    let result = text.split("\"results\"").nth(1).ok_or_else(|| format!("no results in\n{text}"))?;
    let field = |name: &str| field(result, name).ok_or_else(|| format!("no {name} in\n{text}"));
    let states = field("states")?;
    Ok(Run {
        times,
        // What `cc` takes is not in the time that pan reports either.
        search: field("seconds")? - field("code_seconds")?,
        states: states as u64,
        transitions: field("transitions")? as u64,
        errors: field("violations")? as u64,
        memory: field("store_bytes")?,
    })
}

/// The first number with this name in a JSON text, those of a search that confirmed another aside.
pub fn field(text: &str, name: &str) -> Option<f64> {
    let (before, confirmed) = text.split_once("\"confirmed\": {").unwrap_or((text, ""));
    let behind = confirmed.split_once('}').map_or("", |(_, behind)| behind);
    let rest = [before, behind].into_iter().find_map(|part| part.split(&format!("\"{name}\":")).nth(1))?;
    rest.trim_start().split([',', '\n', '}']).next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{field, number_before};

    #[test]
    fn figures_are_read_from_reports() {
        let spin = "   659683 states, stored\n  2795306 states, matched\n  3454989 transitions (= stored+matched)\n";
        assert_eq!(number_before(spin, "states, stored"), Some(659_683.0));
        assert_eq!(number_before(spin, "transitions (= "), Some(3_454_989.0));
        assert_eq!(number_before(spin, "actual memory"), None);
        let ours = "{\n \"confirmed\": {\n \"states\": 9\n },\n \"states\": 4,\n \"seconds\": 0.5\n}";
        assert_eq!((field(ours, "states"), field(ours, "seconds")), (Some(4.0), Some(0.5)));
        let ours = "{\n \"bytes_per_state\": 6.5,\n \"seconds\": 1e-3\n}";
        assert_eq!((field(ours, "bytes_per_state"), field(ours, "seconds")), (Some(6.5), Some(0.001)));
        assert_eq!(field(ours, "states"), None);
    }
}
