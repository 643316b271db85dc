//! The real `spin`, asked whether it accepts a model.
//!
//! SPIN *accepts* a model when `spin -a` ends with exit code 0. (It also writes a `pan.c` for some models that it reports
//! errors for, and prints the word "Error" about some that it accepts; the exit code is what scripts rely on.)

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Whether a model is accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    Accepts,
    Rejects,
}

impl Answer {
    /// The answer of somebody who accepts if this is true.
    pub fn of(accepts: bool) -> Answer {
        if accepts { Answer::Accepts } else { Answer::Rejects }
    }
}

/// A `spin` with a directory to work in, which is removed again.
pub struct Spin {
    directory: PathBuf,
}

impl Spin {
    /// A directory for the test of this name.
    pub fn new(name: &str) -> Spin {
        let directory = std::env::temp_dir().join(format!("isospin-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("the temporary directory is writable");
        Spin { directory }
    }

    /// Where the model stands that SPIN reads.
    #[allow(dead_code, reason = "only tests whose models include files need it")]
    pub fn model_path(&self) -> PathBuf {
        self.directory.join("m.pml")
    }

    /// Runs `spin -a`: the answer, and what it printed. `None` without a `spin`.
    pub fn answer(&self, text: &str) -> Option<(Answer, String)> {
        std::fs::write(self.directory.join("m.pml"), text).expect("the temporary directory is writable");
        let mut command = Command::new("spin");
        if !text.contains('#') && !text.contains("//") && !text.contains("/*") {
            // Nothing to preprocess: starting gcc would take longer than all the rest.
            command.arg("-Pcat");
        }
        let output = command.args(["-a", "m.pml"]).current_dir(&self.directory).stdin(Stdio::null()).output().ok()?;
        let printed = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        Some((Answer::of(output.status.success()), printed))
    }
}

impl Drop for Spin {
    fn drop(&mut self) {
        // Best effort: what stays behind is in the temporary directory.
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}
