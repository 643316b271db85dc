//! Long searches on disk: a search is saved now and then, and can be taken up again where it was.
//!
//! ```text
//! file     "isospin checkpoint 1\n" | identity: length 8, text, checksum 8 | open search | store      (little endian)
//! ```
//! The identity tells for which model and with which options the search was made, a line each; another search cannot go on from
//! there. Every part has checksums of its own, so a file that is damaged or cut short is noticed. The file is written under
//! another name and renamed when it is whole and on the disk: whatever happens meanwhile, the checkpoint before stays valid. If it
//! cannot be written the search goes on, with a warning.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use explore::search::{Checkpointer, OpenSearch, Progress};
use explore::store::{self, CheckpointError};

use super::choice::Choice as _;
use super::engine::Refusal;
use super::notice::Notice;
use super::options::{Options, Symmetry};

const MAGIC: &[u8; 21] = b"isospin checkpoint 1\n";
/// An identity longer than this is not believed.
const LONGEST_IDENTITY: u64 = 1 << 16;
/// Saving takes at most this part of the time.
const SHARE: u32 = 10;

/// Where and how often a search is saved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checkpoints {
    /// The file.
    pub file: PathBuf,
    /// How often.
    pub interval: Duration,
}

/// For which model, and with which options, a search is made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Identity(Vec<(&'static str, String)>);

impl Identity {
    /// What the subject of the search says of itself, and the options that a search depends on.
    pub fn of(subject: Vec<(&'static str, String)>, options: &Options) -> Identity {
        let symmetry = match options.symmetry {
            Symmetry::Off => "off".to_string(),
            Symmetry::Detect(strategy) => format!("{strategy:?}").to_lowercase(),
        };
        let depth = options.limits.depth.map_or("none".to_string(), |depth| depth.to_string());
        let mut identity = vec![("version", env!("CARGO_PKG_VERSION").to_string())];
        identity.extend(subject);
        identity.extend([
            ("--search", options.order.word().to_string()),
            ("--heuristic", options.heuristic.word().to_string()),
            ("--weight", options.weight.number().to_string()),
            ("--store", options.store.word().to_string()),
            ("--por", options.partial_order.word().to_string()),
            ("--merge", options.merging.word().to_string()),
            ("--dead", options.dead.word().to_string()),
            ("--symmetry", symmetry),
            ("end states", options.end_states.word().to_string()),
            ("errors", format!("{:?}", options.errors).to_lowercase()),
            ("--max-depth", depth),
            ("--seed", options.seed.map_or("none".to_string(), |seed| seed.to_string())),
        ]);
        Identity(identity)
    }

    fn text(&self) -> String {
        self.0.iter().map(|(name, value)| format!("{name}: {value}\n")).collect()
    }

    /// Why a search with this identity cannot go on with one that has the other.
    fn difference(&self, other: &str) -> Option<String> {
        for (name, value) in &self.0 {
            let theirs =
                other.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ")).unwrap_or("nothing");
            if theirs != value {
                return Some(match *name {
                    "model" => "it was made for another model, or the model has changed".to_string(),
                    _ => format!("it was made with {name} {theirs}, this run has {value}"),
                });
            }
        }
        None
    }
}

/// Writes searches to a file.
pub(super) struct FileCheckpointer<V> {
    store: V,
    identity: Identity,
    checkpoints: Checkpoints,
    progress: Arc<Progress>,
    state: Mutex<Saved>,
}

struct Saved {
    /// Never, where the time is too far away to be told.
    due: Option<Instant>,
    failure: Option<Notice>,
}

impl<V> fmt::Debug for FileCheckpointer<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FileCheckpointer({})", self.checkpoints.file.display())
    }
}

impl<V: store::Checkpoint> FileCheckpointer<V> {
    pub fn new(store: V, identity: Identity, checkpoints: Checkpoints, progress: Arc<Progress>) -> FileCheckpointer<V> {
        let state = Mutex::new(Saved { due: Instant::now().checked_add(checkpoints.interval), failure: None });
        FileCheckpointer { store, identity, checkpoints, progress, state }
    }

    /// What went wrong last, if the last attempt to write failed.
    pub fn failure(&self) -> Option<Notice> {
        self.lock().failure.clone()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Saved> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn write(&self, open: &OpenSearch) -> io::Result<()> {
        let temporary = temporary(&self.checkpoints.file);
        let written =
            self.write_to(&temporary, open).and_then(|()| std::fs::rename(&temporary, &self.checkpoints.file));
        if written.is_err() {
            // What is left of it is of no use; that it cannot be removed is no further harm.
            let _ = std::fs::remove_file(&temporary);
        }
        written
    }

    fn write_to(&self, path: &Path, open: &OpenSearch) -> io::Result<()> {
        let mut to = BufWriter::with_capacity(1 << 20, File::create(path)?);
        let identity = self.identity.text();
        to.write_all(MAGIC)?;
        to.write_all(&(identity.len() as u64).to_le_bytes())?;
        to.write_all(identity.as_bytes())?;
        to.write_all(&digest(identity.as_bytes()).to_le_bytes())?;
        open.save(&mut to)?;
        self.store.save(&mut to)?;
        to.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
    }
}

impl<V: store::Checkpoint> Checkpointer for FileCheckpointer<V> {
    fn is_due(&self) -> bool {
        self.lock().due.is_some_and(|due| Instant::now() >= due)
    }

    fn save(&self, open: &OpenSearch) {
        let start = Instant::now();
        let result = self.write(open);
        let mut state = self.lock();
        state.due = Instant::now().checked_add(self.checkpoints.interval.max(start.elapsed() * SHARE));
        let file = self.checkpoints.file.clone();
        state.failure = result.err().map(|error| Notice::CheckpointNotWritten { file, error: error.to_string() });
        // The user should know before the search is over.
        state.failure.iter().for_each(|failure| self.progress.warn(failure.to_string()));
    }
}

/// A saved search that is being read.
pub(super) struct Reading {
    file: BufReader<File>,
    path: PathBuf,
    /// What is open.
    pub open: OpenSearch,
}

impl Reading {
    /// Reads all but the store.
    pub fn new(path: &Path, identity: &Identity) -> Result<Reading, Refusal> {
        let file = File::open(path).map_err(|error| refusal(path, &error.to_string()))?;
        let mut file = BufReader::with_capacity(1 << 20, file);
        let theirs = read_identity(&mut file).map_err(|error| refuse(path, &error))?;
        if let Some(difference) = identity.difference(&theirs) {
            return Err(refusal(path, &difference));
        }
        let open = OpenSearch::restore(&mut file).map_err(|error| refuse(path, &error))?;
        Ok(Reading { file, path: path.to_path_buf(), open })
    }

    /// Reads the store, behind which nothing may follow.
    pub fn store<V: store::Checkpoint>(&mut self, limits: store::Limits) -> Result<V, Refusal> {
        let store = V::restore(&mut self.file, limits).map_err(|error| refuse(&self.path, &error))?;
        match self.file.read(&mut [0]) {
            Ok(0) => Ok(store),
            _ => Err(refusal(&self.path, "something follows behind its end")),
        }
    }
}

fn read_identity(file: &mut impl Read) -> Result<String, CheckpointError> {
    let mut magic = [0; MAGIC.len()];
    file.read_exact(&mut magic)?;
    if magic != *MAGIC {
        return Err(CheckpointError::NotAStore);
    }
    let mut word = [0; 8];
    file.read_exact(&mut word)?;
    let damaged = CheckpointError::Damaged { block: 0 };
    let length = u64::from_le_bytes(word);
    if length > LONGEST_IDENTITY {
        return Err(damaged);
    }
    let mut text = vec![0; length as usize];
    file.read_exact(&mut text)?;
    file.read_exact(&mut word)?;
    match String::from_utf8(text) {
        Ok(text) if digest(text.as_bytes()) == u64::from_le_bytes(word) => Ok(text),
        _ => Err(damaged),
    }
}

fn refuse(path: &Path, error: &CheckpointError) -> Refusal {
    let reason = match error {
        CheckpointError::NotAStore => "it is no checkpoint".to_string(),
        CheckpointError::TooLarge => "its states do not fit into --max-memory".to_string(),
        other => other.to_string(),
    };
    refusal(path, &reason)
}

fn refusal(path: &Path, reason: &str) -> Refusal {
    Refusal { reason: format!("{} cannot be resumed: {reason}", path.display()) }
}

/// The name under which a checkpoint is written until it is whole.
fn temporary(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    PathBuf::from(name)
}

/// Whether checkpoints can be written to a file at all.
pub(super) fn can_write(path: &Path) -> Result<(), Refusal> {
    let reason = match std::fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => "it is no regular file".to_string(),
        _ => match File::create(temporary(path)) {
            Ok(_) => {
                let _ = std::fs::remove_file(temporary(path));
                return Ok(());
            }
            Err(error) => error.to_string(),
        },
    };
    Err(Refusal { reason: format!("no checkpoint can be written to {}: {reason}", path.display()) })
}

/// FNV-1a.
fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
