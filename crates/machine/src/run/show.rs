//! States as people read them: every variable by name, every channel with its messages, every process with its line.
//!
//! [`Show`] turns a packed [`State`] into a [`StateView`], which is plain data: its `Display` is what the commands print,
//! its serialised form is what traces hold, and two of them are compared to tell what a step changed. Nothing else in
//! isospin gives names to the contents of a state.

mod changes;
mod layout;
mod slots;
mod text;

pub use self::changes::{Change, Changes, ProcessBirth};
pub use self::layout::LayoutView;
pub use self::slots::SlotsView;

use std::fmt;
use std::sync::Arc;

use promela::model::{Kind, Type};
use promela::source::Span;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::action::{Action, ActionKind};
use crate::id::{CellsId, ChannelNumber, DefinitionId, Pid};
use crate::layout::{Area, Cells, OwnedChannel};
use crate::machine::Machine;
use crate::state::{Channel, State, Storage};

/// A state with names.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct StateView {
    /// The global variables, in order of declaration.
    pub globals: Vec<VariableView>,
    /// All channels in order of their numbers.
    pub channels: Vec<ChannelView>,
    /// All processes, oldest first.
    pub processes: Vec<ProcessView>,
}

/// A variable, or one element of an array or structure.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct VariableView {
    /// Its name as a Promela reference: `a[1].y`. The second variable of one name in a process is `x#2`.
    pub name: String,
    /// What it holds.
    pub value: Value,
}

/// A channel.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChannelView {
    /// The variable that it was declared with: `q`, `q[2]`, or `P(1):q` for a channel that a process owns.
    pub name: String,
    /// Its number in this state, from 1.
    pub number: u8,
    /// Messages it can hold; 0 is a rendezvous.
    pub capacity: u32,
    /// The messages, oldest first.
    pub messages: Vec<Vec<Value>>,
}

/// A process.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProcessView {
    /// Its number.
    pub pid: u8,
    /// The name of its proctype; `:init:` for `init`.
    pub process: String,
    /// Its priority, where the model uses priorities.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<i32>,
    /// Its control location, numbered as SPIN numbers them.
    pub location: u32,
    /// Where that is in the text.
    #[serde(flatten)]
    pub place: SourcePlace,
    /// Whether it may rest here for ever: its closing brace, or an `end` label.
    pub valid_end: bool,
    /// Its parameters and locals.
    pub variables: Vec<VariableView>,
}

/// A piece of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SourcePlace {
    /// The file, as the user named it.
    pub file: String,
    /// The line, from 1; 0 where no text stands for it.
    pub line: u32,
    /// The column of its first character, from 1.
    pub column: u32,
    /// The line where it ends.
    pub end_line: u32,
    /// The column behind its last character.
    pub end_column: u32,
}

impl fmt::Display for SourcePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// A value with its name, where it has one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// A number.
    Number(i32),
    /// An mtype value, or a channel.
    Name(String),
    /// What a channel holds.
    Messages(Vec<Vec<Value>>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => number.fmt(f),
            Value::Name(name) => name.fmt(f),
            Value::Messages(messages) if messages.is_empty() => f.write_str("[]"),
            Value::Messages(messages) => messages.iter().try_for_each(|message| write!(f, "[{}]", joined(message))),
        }
    }
}

/// The fields of a message: `ack,1`.
#[must_use]
pub fn joined(message: &[Value]) -> String {
    message.iter().map(Value::to_string).collect::<Vec<_>>().join(",")
}

/// Gives names to what a machine's states hold.
#[derive(Clone, Debug)]
pub struct Show<'m> {
    machine: &'m Machine,
    /// For the globals, then for each definition.
    names: Vec<AreaNames>,
}

/// How the cells of an area are named and listed.
#[derive(Clone, Debug)]
struct AreaNames {
    /// For each group of cells: which variable of the same name it is, from 1.
    repetitions: Vec<u32>,
    /// All cells in the order in which a person would list them: `t[0].x`, `t[0].y`, `t[1].x`, ...
    order: Vec<(CellsId, u32)>,
}

impl<'m> Show<'m> {
    /// For the states of a machine.
    #[must_use]
    pub fn new(machine: &'m Machine) -> Show<'m> {
        let areas = std::iter::once(&machine.layout.globals).chain(&machine.layout.frames);
        Show { machine, names: areas.map(AreaNames::new).collect() }
    }

    /// The machine.
    #[must_use]
    pub fn machine(&self) -> &'m Machine {
        self.machine
    }

    /// A state with names.
    #[must_use]
    pub fn state(&self, state: &State) -> StateView {
        let channels = self.channel_names(state).collect::<Vec<String>>();
        let channel = |(index, name): (usize, &String)| {
            let number = ChannelNumber(index as u8 + 1);
            self.channel_called(state, number, name.clone(), &channels)
        };
        StateView {
            globals: self.globals(state, &channels),
            channels: channels.iter().enumerate().filter_map(channel).collect(),
            processes: state.pids().map(|pid| self.process(state, pid, &channels)).collect(),
        }
    }

    fn globals(&self, state: &State, channels: &[String]) -> Vec<VariableView> {
        let mut globals = self.variables(state, Storage::Global, channels);
        if self.machine.layout.last_offset.is_some() {
            let value = Value::Number(state.last(&self.machine.layout));
            globals.push(VariableView { name: "_last".to_string(), value });
        }
        globals
    }

    fn process(&self, state: &State, pid: Pid, channels: &[String]) -> ProcessView {
        let layout = &self.machine.layout;
        let automaton = &self.machine.definition(state.definition(layout, pid)).automaton;
        let location = state.location(layout, pid);
        let info = automaton.location(location);
        ProcessView {
            pid: pid.0,
            process: automaton.name.to_string(),
            priority: layout.priority_offset.map(|_| state.priority(layout, pid)),
            location: location.0,
            place: self.place(info.span.unwrap_or(automaton.span)),
            valid_end: info.end,
            variables: self.variables(state, Storage::Process(pid), channels),
        }
    }

    fn variables(&self, state: &State, storage: Storage, channels: &[String]) -> Vec<VariableView> {
        let names = &self.names[self.area_index(state, storage)];
        let area = self.area(state, storage);
        let variable = |&(id, element): &(CellsId, u32)| {
            let cells = area.cells(id);
            let value = state.read(&self.machine.layout, storage, id, element);
            VariableView {
                name: names.cell(area, id, element),
                value: self.value_among(channels, cells.ty, cells.kind, value),
            }
        };
        names.order.iter().map(variable).collect()
    }

    /// The name of a cell, and what its value is called: one of a definition's, or a global.
    pub(crate) fn cell(
        &self,
        state: &State,
        owner: Option<DefinitionId>,
        id: CellsId,
        element: u32,
        value: i32,
    ) -> VariableView {
        let layout = &self.machine.layout;
        let (names, area) = match owner {
            Some(definition) => (&self.names[definition.index() + 1], &layout.frames[definition.index()]),
            None => (&self.names[0], &layout.globals),
        };
        let cells = area.cells(id);
        VariableView { name: names.cell(area, id, element), value: self.value(state, cells.ty, cells.kind, value) }
    }

    fn area(&self, state: &State, storage: Storage) -> &'m Area {
        match storage {
            Storage::Global => &self.machine.layout.globals,
            Storage::Process(pid) => &self.machine.layout.frames[state.definition(&self.machine.layout, pid).index()],
        }
    }

    fn area_index(&self, state: &State, storage: Storage) -> usize {
        match storage {
            Storage::Global => 0,
            Storage::Process(pid) => state.definition(&self.machine.layout, pid).index() + 1,
        }
    }

    /// What a value of some type is called in a state.
    #[must_use]
    pub fn value(&self, state: &State, ty: Type, kind: Kind, value: i32) -> Value {
        match ty {
            Type::Chan => self.channel_name(state, value).map_or(Value::Number(value), Value::Name),
            _ => self.value_among(&[], ty, kind, value),
        }
    }

    /// What a value of some type is called where channels have these names.
    fn value_among(&self, channels: &[String], ty: Type, kind: Kind, value: i32) -> Value {
        let set = match (ty, kind) {
            (Type::Mtype(set), _) | (_, Kind::Mtype(set)) => Some(set),
            _ => None,
        };
        let member = set.and_then(|set| {
            let members = &self.machine.mtypes.get(set.index())?.members;
            members.iter().find(|(_, member)| *member == value).map(|(name, _)| name.to_string())
        });
        let channel = || match usize::try_from(value) {
            Ok(number) if ty == Type::Chan => channels.get(number.checked_sub(1)?).cloned(),
            _ => None,
        };
        member.or_else(channel).map_or(Value::Number(value), Value::Name)
    }

    /// A channel by its number; `None` if there is none.
    #[must_use]
    pub fn channel(&self, state: &State, number: ChannelNumber) -> Option<ChannelView> {
        let channels: Vec<String> = self.channel_names(state).collect();
        let name = channels.get(usize::from(number.0).checked_sub(1)?)?.clone();
        self.channel_called(state, number, name, &channels)
    }

    fn channel_called(
        &self,
        state: &State,
        number: ChannelNumber,
        name: String,
        channels: &[String],
    ) -> Option<ChannelView> {
        let layout = &self.machine.layout;
        let channel = state.channel(layout, i32::from(number.0))?;
        let shape = layout.shape(channel.shape);
        let field = |position, (index, &ty): (usize, &Type)| {
            let value = state.message_field(layout, channel, position, index);
            self.value_among(channels, ty, Kind::Number, value)
        };
        let message = |position| shape.fields.iter().enumerate().map(|each| field(position, each)).collect();
        let messages = (0..state.channel_length(layout, channel)).map(message).collect();
        Some(ChannelView { name, number: number.0, capacity: shape.capacity, messages })
    }

    /// The fields of a message with names.
    #[must_use]
    pub fn message(&self, state: &State, channel: Channel, values: &[i32]) -> Vec<Value> {
        let fields = &self.machine.layout.shape(channel.shape).fields;
        fields.iter().zip(values).map(|(&ty, &value)| self.value(state, ty, Kind::Number, value)).collect()
    }

    /// The variable that a channel was declared with; `None` if there is no such channel.
    #[must_use]
    pub fn channel_name(&self, state: &State, number: i32) -> Option<String> {
        self.channel_names(state).nth(usize::try_from(number).ok()?.checked_sub(1)?)
    }

    /// The variables that the channels of a state were declared with, by the channels' numbers.
    fn channel_names<'s>(&'s self, state: &'s State) -> impl Iterator<Item = String> + use<'s, 'm> {
        let layout = &self.machine.layout;
        let globals = owned_names(&self.names[0], &layout.globals, String::new());
        let locals = state.definitions(layout).flat_map(|(pid, definition)| {
            let owner = &self.machine.definition(definition).automaton.name;
            let names = &self.names[definition.index() + 1];
            owned_names(names, &layout.frames[definition.index()], local_prefix(owner, pid))
        });
        globals.chain(locals)
    }

    /// The statement of an action as it is written; `None` where that is a whole block or the action is no statement of its own.
    #[must_use]
    pub fn statement(&self, action: &Action) -> Option<String> {
        let is_statement = !matches!(
            action.kind,
            ActionKind::Jump(_)
                | ActionKind::Else
                | ActionKind::Deterministic(_)
                | ActionKind::Event(_)
                | ActionKind::End
        );
        let written = is_statement.then(|| self.written(action.span))?;
        let first = written.split(|each: char| !each.is_alphanumeric() && each != '_').next();
        let is_block =
            matches!(first, Some("for" | "select" | "if" | "do" | "atomic" | "d_step")) || written.starts_with('{');
        (!written.is_empty() && !is_block).then_some(written)
    }

    /// A piece of text as it is written, in one line.
    #[must_use]
    pub fn written(&self, span: Span) -> String {
        let sources = &self.machine.sources;
        one_line(sources.snippet(sources.reported_span(span)))
    }

    /// The line to tell a user for a piece of text, as SPIN reports it: that of a macro's use, but that of the text
    /// inside an `inline`'s body.
    #[must_use]
    pub fn place(&self, span: Span) -> SourcePlace {
        let sources = &self.machine.sources;
        if sources.range(span).is_none() {
            return SourcePlace::default();
        }
        let span = sources.reported_span(span);
        let (start, end) = (sources.location(span), sources.location(span.after()));
        let (file, line) = sources.presumed_line(start.file, start.line);
        let (_, end_line) = sources.presumed_line(end.file, end.line);
        SourcePlace { file: file.to_string(), line, column: start.column, end_line, end_column: end.column }
    }
}

/// A text with all white space as single blanks.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What stands before a local's name when it is seen from outside: `P(1):`.
fn local_prefix(owner: &str, pid: Pid) -> String {
    format!("{owner}({}):", pid.0)
}

/// The names of the channels that an area declares.
fn owned_names<'a>(names: &'a AreaNames, area: &'a Area, prefix: String) -> impl Iterator<Item = String> + use<'a> {
    let name = move |owned: &OwnedChannel| format!("{prefix}{}", names.cell(area, owned.cells, owned.element));
    area.channels.iter().map(name)
}

impl AreaNames {
    /// The name of one cell within its area: `a[1].y`.
    fn cell(&self, area: &Area, cells: CellsId, element: u32) -> String {
        let name = area.cells(cells).element_name(element);
        match self.repetitions[cells.index()] {
            0 | 1 => name,
            repetition => format!("{name}#{repetition}"),
        }
    }

    fn new(area: &Area) -> AreaNames {
        let mut seen: FxHashMap<Vec<Arc<str>>, u32> = FxHashMap::default();
        let mut count = |cells: &Cells| {
            let times = seen.entry(names(cells, cells.path.len())).or_default();
            *times += 1;
            *times
        };
        let repetitions: Vec<u32> = area.cells.iter().map(&mut count).collect();
        let mut order: Vec<(CellsId, u32)> = Vec::new();
        for (index, cells) in area.cells.iter().enumerate() {
            order.extend((0..cells.count).map(|element| (CellsId(index as u32), element)));
        }
        order.sort_by_cached_key(|&(id, element)| listing_key(area, &repetitions, id, element));
        AreaNames { repetitions, order }
    }
}

/// Orders cells by variable, then index, then field, then index and so on.
fn listing_key(area: &Area, repetitions: &[u32], id: CellsId, mut element: u32) -> Vec<(usize, u32)> {
    let cells = area.cells(id);
    let mut key = Vec::new();
    for (depth, part) in cells.path.iter().enumerate().rev() {
        let path = names(cells, depth + 1);
        // Fields of a variable follow each other, in order of declaration.
        let same = |index: &usize| {
            let other = &area.cells[*index];
            repetitions[*index] == repetitions[id.index()]
                && other.path.len() > depth
                && names(other, depth + 1) == path
        };
        let first = (0..area.cells.len()).find(same).unwrap_or(id.index());
        let length = part.length.unwrap_or(1).max(1);
        key.push((first, element % length));
        element /= length;
    }
    key.reverse();
    key
}

fn names(cells: &Cells, depth: usize) -> Vec<Arc<str>> {
    cells.path[..depth].iter().map(|part| part.name.clone()).collect()
}
