//! The models of the engine benchmark, and the sizes they are run in.

use std::path::{Path, PathBuf};

/// Where Debian puts SPIN's examples.
const SPINS: &str = "/usr/share/doc/spin/examples/Examples";

/// A model in one size.
pub struct Subject {
    /// The file, from [`SPINS`] or from our examples.
    file: Origin,
    /// Constants whose definition in the text is replaced, since those models do not let the command line set them.
    sizes: &'static [(&'static str, u32)],
    /// When it is run.
    pub class: Class,
}

/// Where a model comes from.
pub enum Origin {
    /// From SPIN's examples.
    Spin(&'static str),
    /// From ours.
    Ours(&'static str),
}

/// How long a model takes SPIN.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Below a second.
    Quick,
    /// Below a minute.
    Normal,
    /// Longer.
    Full,
}

use Class::{Full, Normal, Quick};
use Origin::{Ours, Spin};

/// A model in one size.
pub const fn subject(file: Origin, sizes: &'static [(&'static str, u32)], class: Class) -> Subject {
    Subject { file, sizes, class }
}

/// All of them.
pub const SUBJECTS: &[Subject] = &[
    subject(Ours("peterson.pml"), &[], Quick),
    subject(Ours("cache_coherence.pml"), &[], Quick),
    subject(Ours("leader.pml"), &[("N", 6)], Quick),
    subject(Ours("mutex_server.pml"), &[("N", 6)], Quick),
    subject(Ours("hypercube.pml"), &[], Quick),
    subject(Ours("sliding_window.pml"), &[], Quick),
    subject(Ours("ticket_lock.pml"), &[("N", 6)], Quick),
    subject(Ours("email.pml"), &[("N", 4)], Quick),
    subject(Ours("philosophers.pml"), &[("N", 8)], Normal),
    subject(Ours("two_phase_commit.pml"), &[("N", 5)], Normal),
    subject(Ours("philosophers.pml"), &[("N", 10)], Full),
    subject(Spin("LTL/petersonN.pml"), &[("N", 3)], Quick),
    subject(Spin("LTL/train.pml"), &[], Quick),
    subject(Spin("LTL/mobile1.pml"), &[], Quick),
    subject(Spin("eratosthenes.pml"), &[], Quick),
    subject(Spin("leader0.pml"), &[], Quick),
    subject(Spin("snoopy.pml"), &[], Quick),
    subject(Spin("hajek.pml"), &[], Quick),
    subject(Spin("dtp.pml"), &[], Quick),
    subject(Spin("Book_1991/p337.pftp.ses.pml"), &[], Quick),
    subject(Spin("LTL/pftp.pml"), &[], Quick),
    subject(Spin("leader0.pml"), &[("N", 6)], Normal),
    subject(Spin("sort.pml"), &[], Normal),
    subject(Spin("LTL/train.pml"), &[("N", 5)], Normal),
    subject(Spin("eratosthenes.pml"), &[("MAX", 40)], Normal),
    subject(Spin("cambridge.pml"), &[], Normal),
    subject(Spin("LTL/leader.pml"), &[], Normal),
    subject(Spin("sort.pml"), &[("N", 8)], Normal),
    subject(Spin("LTL/petersonN.pml"), &[("N", 4)], Normal),
    subject(Spin("Exercises/ex_6.pml"), &[], Full),
];

impl Subject {
    /// `sort N=8`
    pub fn name(&self) -> String {
        let (path, prefix) = match self.file {
            Spin(path) => (path, ""),
            Ours(path) => (path, "our "),
        };
        let stem = Path::new(path).file_stem().unwrap_or_default().to_string_lossy();
        let sizes: String = self.sizes.iter().map(|(name, value)| format!(" {name}={value}")).collect();
        format!("{prefix}{stem}{sizes}")
    }

    /// Writes the model in its size, and what it includes, into a directory; the model's path there.
    ///
    /// # Errors
    /// When a file cannot be read or written, or the model has no such constant.
    pub fn write(&self, directory: &Path) -> Result<PathBuf, String> {
        let source = match self.file {
            Spin(path) => Path::new(SPINS).join(path),
            Ours(path) => Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(path),
        };
        let said = |error: std::io::Error| format!("{}: {error}", source.display());
        let beside = source.parent().ok_or("a model without a directory")?;
        for entry in beside.read_dir().map_err(said)?.flatten() {
            if entry.path().extension().is_some_and(|extension| extension == "h") {
                std::fs::copy(entry.path(), directory.join(entry.file_name())).map_err(said)?;
            }
        }
        let mut text = std::fs::read_to_string(&source).map_err(said)?;
        for (name, value) in self.sizes {
            text = with_size(&text, name, *value).ok_or_else(|| format!("{} defines no {name}", source.display()))?;
        }
        let model = directory.join(source.file_name().unwrap_or_default());
        std::fs::write(&model, text).map_err(said)?;
        Ok(model)
    }
}

/// The text with the first `#define NAME …` replaced.
fn with_size(text: &str, name: &str, value: u32) -> Option<String> {
    let is_it =
        |line: &&str| line.strip_prefix("#define").is_some_and(|rest| rest.split_whitespace().next() == Some(name));
    let line = text.lines().find(is_it)?;
    Some(text.replacen(line, &format!("#define {name} {value}"), 1))
}

#[cfg(test)]
mod tests {
    use super::with_size;

    #[test]
    fn a_size_replaces_the_definition() {
        let text = "#define NN 3\n#define N\t7 /* so many */\nbyte x[N];\n";
        assert_eq!(with_size(text, "N", 9).as_deref(), Some("#define NN 3\n#define N 9\nbyte x[N];\n"));
        assert_eq!(with_size(text, "M", 9), None);
    }
}
