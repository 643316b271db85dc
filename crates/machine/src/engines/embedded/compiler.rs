//! The system's C compiler, run in a directory of our own that is gone afterwards.

use std::fs::DirBuilder;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use super::Failure;

/// A shared object in its own directory.
pub struct Object {
    directory: Directory,
}

impl Object {
    pub fn path(&self) -> PathBuf {
        self.directory.0.join("code.so")
    }
}

/// A directory that nobody else can read, removed at the end.
struct Directory(PathBuf);

impl Directory {
    fn create() -> std::io::Result<Directory> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = std::env::temp_dir().join(format!("isospin-c-{}-{number}", std::process::id()));
            let mut builder = DirBuilder::new();
            #[cfg(unix)]
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
            match builder.create(&path) {
                Ok(()) => return Ok(Directory(path)),
                // Somebody else's: what is in it is none of ours.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // What cannot be removed is left to the system.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Compiles C text; included files are looked for in `include`.
pub fn compile(text: &str, include: &Path) -> Result<Object, Failure> {
    let other = |error: std::io::Error| Failure::Other(format!("cannot write the C text to a temporary file: {error}"));
    let directory = Directory::create().map_err(other)?;
    let source = directory.0.join(super::source::FILE);
    std::fs::write(&source, text).map_err(other)?;
    let object = Object { directory };

    let named = std::env::var("CC").ok().filter(|name| !name.trim().is_empty()).unwrap_or_else(|| "cc".into());
    let mut words = named.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("cc"));
    command.args(words).args(["-std=gnu11", "-O2", "-w", "-fno-strict-aliasing", "-fPIC", "-shared"]);
    if cfg!(target_os = "linux") {
        // What the text defines is meant, whatever else in this process has the same name.
        command.arg("-Wl,-Bsymbolic");
    }
    let include = if include.as_os_str().is_empty() { Path::new(".") } else { include };
    command.arg("-I").arg(include).arg("-o").arg(object.path()).arg(&source).stdin(Stdio::null());
    let output = command.output().map_err(|_| Failure::NoCompiler(named.clone()))?;
    if !output.status.success() {
        let messages = String::from_utf8_lossy(&output.stderr).replace(&*source.to_string_lossy(), super::source::FILE);
        return Err(Failure::Rejected(messages));
    }
    Ok(object)
}
