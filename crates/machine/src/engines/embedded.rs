//! Embedded C: `c_code`, `c_expr`, `c_decl`, `c_state` and `c_track`.
//!
//! ```text
//! Model ── lower ──▶ pieces ── source ──▶ C text ── compiler ──▶ shared object ── library ──▶ functions
//!   └─────────────── lower again, with the sizes that the C compiler gave ──▶ Machine that can run it
//! ```
//! A model's C speaks of `now.x` and `Pproctype->x`, of a structure that SPIN's verifier calls its state. Our states are packed
//! otherwise, so each piece is wrapped in a function that copies the variables from the vector to such structures, runs the
//! text as it stands, and copies them back. Memory that belongs to C (`c_state`, `c_track`) lies in the vector as plain bytes,
//! and is copied likewise; its size is known to the C compiler alone, which is why a model is lowered twice.
//!
//! Nothing here runs unless a caller asks for it by [`lower`]: a model must not run code unasked.

mod compiler;
mod crash;
mod library;
mod source;
mod words;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use promela::ast::{CStrings, CText, EmbeddedC};
use promela::model::Model;
use promela::source::Span;

pub use self::crash::announce as announce_crashes;
pub use self::library::{CodeFunction, Extra, Library};
pub(crate) use self::library::{Said, Target};

use crate::id::{CodeId, DefinitionId};
use crate::lower::{Hidden, lower_with};
use crate::machine::Machine;

/// The embedded C of a machine.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// What processes execute and expressions ask.
    pub pieces: Vec<Piece>,
    /// What belongs to C and is part of states.
    pub memory: Vec<Memory>,
    /// The compiled text; `None` as long as it must not be executed.
    pub library: Option<Arc<Library>>,
}

/// A `c_code` of a process, or a `c_expr`.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Which of the two.
    pub kind: PieceKind,
    /// Whose locals it may name; claims have none.
    pub owner: Option<DefinitionId>,
    /// Its text.
    pub text: CText,
}

/// What a piece of C is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PieceKind {
    /// It changes the state.
    Statement,
    /// It has a value.
    Expression,
}

/// Memory of C that is part of states.
#[derive(Clone, Debug)]
pub struct Memory {
    /// With whom it lives.
    pub owner: MemoryOwner,
    /// Which of the model's embedded C declares it.
    pub(crate) declaration: usize,
    /// What it is called in listings.
    pub name: Arc<str>,
    /// How long it is; 0 as long as no compiler told.
    pub bytes: u32,
    /// It is restored when a search goes back, but tells no states apart.
    pub unmatched: bool,
    /// Its declaration.
    pub span: Span,
}

/// With whom memory of C lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemoryOwner {
    /// The globals.
    Global,
    /// Each process of a definition.
    Definition(DefinitionId),
}

/// Whether threads may run a model's C at the same time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sharing {
    /// They may: everything it works on belongs to the thread.
    Threads,
    /// It may keep data of its own.
    OneByOne,
}

/// Why embedded C cannot be executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// A `c_state` or `c_track` makes no sense.
    Declaration(Span, String),
    /// There is no C compiler.
    NoCompiler(String),
    /// The compiler does not accept the text; these are its messages.
    Rejected(String),
    /// Something else went wrong.
    Other(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Declaration(_, message) | Failure::Other(message) => f.write_str(message),
            Failure::NoCompiler(tried) => {
                write!(f, "embedded C needs a C compiler, and `{tried}` cannot be run; install one, or name one in CC")
            }
            Failure::Rejected(messages) => {
                write!(f, "the C compiler does not accept the model's embedded C\n{}", messages.trim_end())
            }
        }
    }
}

impl std::error::Error for Failure {}

/// Lowers a model, and compiles its embedded C with the system's C compiler (`$CC`, or `cc`). A model without any is only
/// lowered. `directory` is where the C may include files from.
///
/// ```no_run
/// # let text = "int x; active proctype P() { c_code { now.x = 3; } }";
/// # let model = promela::load_text("m.pml", text, &promela::Options::default()).model.unwrap();
/// let machine = machine::embedded::lower(&model, machine::Hidden::InState, std::path::Path::new("."))?;
/// assert!(machine.code.library.is_some());
/// # Ok::<(), machine::embedded::Failure>(())
/// ```
///
/// # Errors
/// When there is no compiler, or it does not accept the text.
pub fn lower(model: &Model, hidden: Hidden, directory: &Path) -> Result<Machine, Failure> {
    let first = lower_with(model, hidden, &[]);
    if !first.features.embedded_c {
        return Ok(first);
    }
    check(model)?;
    let sharing = words::sharing(model, &first.code);
    let object = compiler::compile(&source::write(model, &first, sharing), directory)?;
    let mut library = Library::open(&object, &first, sharing)?;
    let mut machine = lower_with(model, hidden, library.sizes());
    library.place(&source::table(&machine.layout));
    machine.code.library = Some(Arc::new(library));
    Ok(machine)
}

impl Code {
    /// The piece with a number.
    #[must_use]
    pub fn piece(&self, id: CodeId) -> &Piece {
        &self.pieces[id.index()]
    }

    /// Whether several workers may run the machine: its C, if any, keeps nothing to itself that they would share.
    #[must_use]
    pub fn allows_workers(&self) -> bool {
        self.library.as_ref().is_none_or(|library| library.sharing() == Sharing::Threads)
    }
}

/// What a `c_state` is for.
enum Scope<'a> {
    Global,
    Local(&'a str),
    Hidden,
}

fn scope(state: &CStrings) -> Option<Scope<'_>> {
    let mut words = state.strings[1].split_whitespace();
    let scope = match (words.next()?, words.next()) {
        ("Global", None) => Scope::Global,
        ("Hidden", None) => Scope::Hidden,
        ("Local", Some(process)) => Scope::Local(process),
        _ => return None,
    };
    words.next().is_none().then_some(scope)
}

/// What C calls `init` is `:init:` elsewhere.
fn definition(model: &Model, name: &str) -> Option<DefinitionId> {
    let position = model.processes.iter().position(|process| process.name.trim_matches(':') == name);
    position.map(|index| DefinitionId(index as u32))
}

fn is_matched(track: &CStrings) -> Option<bool> {
    match track.strings.get(2).map(|matching| matching.trim()) {
        None | Some("Matched") => Some(true),
        Some("UnMatched" | "StackOnly") => Some(false),
        Some(_) => None,
    }
}

/// The memory of C that is part of states, with its sizes as far as they are known.
pub(crate) fn memory(model: &Model, sizes: &[u32]) -> Vec<Memory> {
    let mut list = Vec::new();
    for (declaration, embedded) in model.embedded_c.iter().enumerate() {
        let (owner, name, unmatched, span) = match embedded {
            EmbeddedC::Declarations(_) | EmbeddedC::Code(_) => continue,
            EmbeddedC::State(state) => {
                let owner = match scope(state) {
                    Some(Scope::Global) => Some(MemoryOwner::Global),
                    Some(Scope::Local(process)) => definition(model, process).map(MemoryOwner::Definition),
                    Some(Scope::Hidden) | None => None,
                };
                let Some(owner) = owner else { continue };
                (owner, words::declared_name(&state.strings[0]), false, state.span)
            }
            EmbeddedC::Track(track) => {
                let unmatched = is_matched(track) == Some(false);
                (MemoryOwner::Global, track.strings[0].trim(), unmatched, track.span)
            }
        };
        let bytes = sizes.get(list.len()).copied().unwrap_or(0);
        list.push(Memory { owner, declaration, name: name.into(), bytes, unmatched, span });
    }
    list
}

fn check(model: &Model) -> Result<(), Failure> {
    for embedded in &model.embedded_c {
        match embedded {
            EmbeddedC::State(state) => match scope(state) {
                Some(Scope::Local(name)) if definition(model, name).is_none() => {
                    let message = format!("c_state: no proctype is called `{name}`");
                    return Err(Failure::Declaration(state.span, message));
                }
                Some(_) => {}
                None => {
                    let message = format!("c_state: `{}` is none of Global, Hidden and Local P", state.strings[1]);
                    return Err(Failure::Declaration(state.span, message));
                }
            },
            EmbeddedC::Track(track) if is_matched(track).is_none() => {
                let message = format!("c_track: `{}` is neither Matched nor UnMatched", track.strings[2]);
                return Err(Failure::Declaration(track.span, message));
            }
            EmbeddedC::Track(_) | EmbeddedC::Declarations(_) | EmbeddedC::Code(_) => {}
        }
    }
    Ok(())
}
