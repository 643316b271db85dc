//! Reads a machine. Lines may stand in any order inside their block, but the things of one sort are numbered from 0 in order.
//!
//! Numbers are looked up by nobody while the text is read: when all of it is there, [`check`] says whether each refers to something. What
//! it finds is an error of the text, at the line of the part that it speaks about.

mod automata;
mod claims;
mod cursor;
mod layout;
mod terms;

use std::sync::Arc;

use promela::ast::CText;
use promela::model::{Features, MtypeSet};
use promela::source::{FileId, SourceMap, Span};
use rustc_hash::FxHashMap;

use self::layout::AreaDraft;
use super::Error;
use super::lex::{self, Token};
use super::words::{FEATURES, VERSION};
use crate::check::check;
use crate::embedded::{Code, Memory, MemoryOwner, Piece, PieceKind};
use crate::id::DefinitionId;
use crate::layout::Layout;
use crate::machine::{FullChannels, Machine};

/// Reads the textual form of a machine. The machine's source is the text, under the name `machine`.
///
/// # Errors
/// When the text is not in the form, or the machine is not sound.
///
/// ```
/// let text = "machine 1
/// globals {
///   g0 byte x
/// }
/// proctype d0 P {
///   start 1
///   end 2
///   location 1
///     a0 -> 1
///   location 2 end
/// }
/// action a0 assign g0 := (g0 + 1)
/// active d0";
/// let machine = machine::text::read(text).unwrap();
/// let census = machine::enumerate::enumerate(&machine, machine::enumerate::Limits::default()).unwrap();
/// assert_eq!((census.states, census.errors), (256, 0));
/// assert_eq!(machine::text::read("machine 1\nactive d0").unwrap_err().to_string(), "1:1: globals: a definition does not exist");
/// ```
pub fn read(text: &str) -> Result<Machine, Error> {
    machine(text).map_err(|problem| {
        let before = &text[..text.floor_char_boundary(problem.offset)];
        let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Error { line: line as u32, column: column as u32, message: problem.message }
    })
}

fn machine(text: &str) -> Reading<Machine> {
    let mut sources = SourceMap::new();
    let file = sources.add_file("machine", text).map_err(|_| Problem::new(0, "the text is too long"))?;
    let tokens = lex::tokens(text)?;
    let mut reader = Reader { text, tokens, at: 0, file, sources, levels: 0, parts: FxHashMap::default() };
    let mut draft = Draft::new(reader.sources.clone());
    reader.word("machine")?;
    let version = reader.here();
    if reader.number()? != VERSION {
        return Err(Problem::new(version, format!("this is not version {VERSION} of the form")));
    }
    reader.end_of_line()?;
    while !reader.is_done() {
        reader.item(&mut draft)?;
    }
    let machine = draft.finish()?;
    match check(&machine).first() {
        None => Ok(machine),
        Some(fault) => Err(Problem::new(reader.parts.get(&fault.place).copied().unwrap_or(0), fault.to_string())),
    }
}

/// A problem at an offset of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    offset: usize,
    message: String,
}

impl Problem {
    /// A problem with what stands at an offset.
    pub fn new(offset: usize, message: impl Into<String>) -> Problem {
        Problem { offset, message: message.into() }
    }
}

/// What was read, or why it was not.
pub type Reading<T> = Result<T, Problem>;

/// Walks along the tokens.
struct Reader<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    file: FileId,
    sources: SourceMap,
    /// How many expressions are open.
    levels: u32,
    /// Where the parts of the machine stand, by the names that faults use.
    parts: FxHashMap<String, usize>,
}

/// The machine as far as it was read.
struct Draft {
    machine: Machine,
    layout: Option<Layout>,
    globals: Option<AreaDraft>,
    frames: Vec<AreaDraft>,
}

impl Draft {
    fn new(sources: SourceMap) -> Draft {
        let machine = Machine {
            sources,
            mtypes: Vec::new(),
            layout: layout::nothing(),
            definitions: Vec::new(),
            claims: Vec::new(),
            trace: None,
            ltl: Vec::new(),
            automata: Vec::new(),
            actions: Vec::new(),
            global_initial: Vec::new(),
            active: Vec::new(),
            features: Features::default(),
            code: Code::default(),
            full_channels: FullChannels::Block,
        };
        Draft { machine, layout: None, globals: None, frames: Vec::new() }
    }
}

impl Reader<'_> {
    /// One item: a line, or a block.
    fn item(&mut self, draft: &mut Draft) -> Reading<()> {
        let start = self.here();
        let word = self.any_word("an item")?;
        let machine = &mut draft.machine;
        match &*word {
            "features" => self.features(&mut machine.features)?,
            "full_channels" => {
                self.word("lose")?;
                machine.full_channels = FullChannels::Lose;
            }
            "mtype" => {
                let set = self.mtype(machine.mtypes.len())?;
                machine.mtypes.push(set);
            }
            "shape" => {
                let shape = self.shape(machine.layout.shapes.len())?;
                machine.layout.shapes.push(shape);
            }
            "layout" => {
                self.once(draft.layout.is_none(), start)?;
                self.part("layout", start);
                draft.layout = Some(self.layout()?);
            }
            "active" => {
                let more = self.list(|reader| reader.definition())?;
                machine.active.extend(more);
            }
            "globals" => {
                self.once(draft.globals.is_none(), start)?;
                self.part("globals", start);
                draft.globals = Some(self.globals(&mut machine.global_initial)?);
            }
            "proctype" | "init" => {
                let (definition, frame) = self.process(&word, machine.definitions.len(), start)?;
                machine.definitions.push(definition);
                draft.frames.push(frame);
            }
            "never" => {
                let claim = self.never(start)?;
                machine.claims.push(claim);
            }
            "trace" | "notrace" => {
                self.once(machine.trace.is_none(), start)?;
                machine.trace = Some(self.trace(&word, start)?);
            }
            "action" => {
                let action = self.action(machine.actions.len(), start)?;
                machine.actions.push(action);
            }
            "ltl" => {
                let property = self.ltl(start)?;
                machine.ltl.push(property);
            }
            "automaton" => {
                let claim = self.claim(start)?;
                machine.automata.push(claim);
            }
            "memory" => {
                let memory = self.memory(start)?;
                machine.code.memory.push(memory);
            }
            "code" => {
                let piece = self.piece(machine.code.pieces.len(), start)?;
                machine.code.pieces.push(piece);
            }
            _ => return Err(Problem::new(start, format!("`{word}` begins no item"))),
        }
        self.end_of_line()
    }

    fn once(&self, is_first: bool, start: usize) -> Reading<()> {
        if is_first { Ok(()) } else { Err(Problem::new(start, "there is one of these already")) }
    }

    /// Notes where a part of the machine stands.
    fn part(&mut self, name: impl Into<String>, start: usize) {
        self.parts.entry(name.into()).or_insert(start);
    }

    fn features(&mut self, features: &mut Features) -> Reading<()> {
        while !self.is_line() {
            let start = self.here();
            let word = self.any_word("a feature")?;
            let known = FEATURES.into_iter().find(|(name, _)| *name == word);
            let (_, flag) = known.ok_or_else(|| Problem::new(start, format!("`{word}` is no feature")))?;
            *flag(features) = true;
        }
        Ok(())
    }

    fn mtype(&mut self, number: usize) -> Reading<MtypeSet> {
        self.numbered("mtype", number)?;
        let name = if self.is_sign("{") { None } else { Some(self.name()?) };
        self.sign("{")?;
        let member = |reader: &mut Self| {
            let name = reader.name()?;
            reader.sign("=")?;
            Ok((name, reader.integer()?))
        };
        let members = if self.is_sign("}") { Vec::new() } else { self.list(member)? };
        self.sign("}")?;
        Ok(MtypeSet { name, members })
    }

    fn memory(&mut self, start: usize) -> Reading<Memory> {
        let owner = match self.accepts_word("global") {
            true => MemoryOwner::Global,
            false => MemoryOwner::Definition(self.definition()?),
        };
        let name = self.name()?;
        self.word("declaration")?;
        let declaration = self.number()? as usize;
        self.word("bytes")?;
        let bytes = self.number()?;
        let unmatched = self.accepts_word("unmatched");
        Ok(Memory { owner, declaration, name, bytes, unmatched, span: self.since(start) })
    }

    fn piece(&mut self, number: usize, start: usize) -> Reading<Piece> {
        self.next_id("k", number)?;
        let kind = match self.accepts_word("statement") {
            true => PieceKind::Statement,
            false => {
                self.word("expression")?;
                PieceKind::Expression
            }
        };
        let owner = if self.accepts_word("of") { Some(self.definition()?) } else { None };
        let text = self.quoted()?;
        let precondition = if self.accepts_word("requires") { Some(self.quoted()?) } else { None };
        Ok(Piece { kind, owner, text: CText { text, precondition, span: self.since(start) } })
    }

    fn definition(&mut self) -> Reading<DefinitionId> {
        self.id("d").map(DefinitionId)
    }

    /// The span from an offset to the token before this one.
    fn since(&self, start: usize) -> Span {
        let end = self.at.checked_sub(1).map_or(start, |last| self.tokens[last].end);
        self.sources.span(self.file, start, end.max(start))
    }

    /// The text of the same.
    fn text_since(&self, start: usize) -> Arc<str> {
        let end = self.at.checked_sub(1).map_or(start, |last| self.tokens[last].end);
        self.text[start..end.max(start)].into()
    }
}
