//! A state as a debugger shows it: scopes, variables with their elements, channels with their messages, and where processes stand.

use std::path::Path;

use machine::Machine;
use machine::id::Pid;
use machine::show::{ChannelView, ProcessView, Show, StateView, Value as Shown, VariableView};
use machine::state::State;
use promela::source::{ExpansionKind, Span};
use serde_json::{Value, json};

use super::breakpoints::standing;

/// A line of the pane of variables.
#[derive(Clone, Debug)]
pub struct Variable {
    name: String,
    value: String,
    /// What data breakpoints call it, if it can have one.
    data: Option<String>,
    parts: Vec<Variable>,
}

/// The variables that can be unfolded, by the number that the editor has of them.
#[derive(Default, Debug)]
pub struct Unfolded(Vec<Vec<Variable>>);

impl Unfolded {
    /// Forgets all numbers, since the state is another one.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// A number for some variables.
    pub fn number(&mut self, variables: Vec<Variable>) -> usize {
        self.0.push(variables);
        self.0.len()
    }

    /// The variables with a number.
    pub fn variables(&mut self, number: usize) -> Option<Value> {
        let variables = self.0.get(number.checked_sub(1)?)?.clone();
        let shown = variables.into_iter().map(|variable| {
            let Variable { name, value, data, parts } = variable;
            let parts = if parts.is_empty() { 0 } else { self.number(parts) };
            json!({ "name": name, "value": value, "variablesReference": parts, "evaluateName": data })
        });
        Some(Value::Array(shown.collect()))
    }

    /// What data breakpoints call a variable of a number.
    pub fn data(&self, number: usize, name: &str) -> Option<String> {
        let variables = self.0.get(number.checked_sub(1)?)?;
        variables.iter().find(|variable| variable.name == name)?.data.clone()
    }
}

/// The parameters and locals of a process.
pub fn locals(process: &ProcessView) -> Vec<Variable> {
    grouped(&process.variables, &format!("{}({}):", process.process, process.pid))
}

/// The global variables that are no channels.
pub fn globals(state: &StateView) -> Vec<Variable> {
    let is_channel = |name: &str| state.channels.iter().any(|channel| channel.name == name);
    let variables: Vec<VariableView> =
        state.globals.iter().filter(|variable| !is_channel(&variable.name)).cloned().collect();
    grouped(&variables, "")
}

/// The channels with their messages.
pub fn channels(state: &StateView) -> Vec<Variable> {
    state.channels.iter().map(channel).collect()
}

fn channel(channel: &ChannelView) -> Variable {
    let message = |(number, message): (usize, &Vec<Shown>)| Variable {
        name: number.to_string(),
        value: machine::show::joined(message),
        data: None,
        parts: Vec::new(),
    };
    let value = match channel.capacity {
        0 => "rendezvous".to_owned(),
        capacity => format!("{} of {capacity}: {}", channel.messages.len(), Shown::Messages(channel.messages.clone())),
    };
    Variable {
        name: channel.name.clone(),
        value,
        data: Some(channel.name.clone()),
        parts: channel.messages.iter().enumerate().map(message).collect(),
    }
}

/// Elements of arrays and structures below the name of the whole.
fn grouped(variables: &[VariableView], prefix: &str) -> Vec<Variable> {
    let leaf = |variable: &VariableView| Variable {
        name: variable.name.clone(),
        value: variable.value.to_string(),
        data: Some(format!("{prefix}{}", variable.name)),
        parts: Vec::new(),
    };
    let base = |name: &str| name[..name.find(['[', '.']).unwrap_or(name.len())].to_owned();
    let mut groups: Vec<Variable> = Vec::new();
    for variable in variables {
        let whole = base(&variable.name);
        if whole == variable.name {
            groups.push(leaf(variable));
        } else if let Some(group) = groups.last_mut().filter(|group| group.name == whole && !group.parts.is_empty()) {
            group.parts.push(leaf(variable));
        } else {
            groups.push(Variable { name: whole, value: String::new(), data: None, parts: vec![leaf(variable)] });
        }
    }
    for group in groups.iter_mut().filter(|group| !group.parts.is_empty()) {
        let values: Vec<&str> = group.parts.iter().map(|part| part.value.as_str()).collect();
        group.value = format!("[{}]", values.join(", "));
    }
    groups
}

/// Where a process stands: in the text of inlines first, then where they are used.
pub fn frames(show: &Show<'_>, state: &State, pid: Pid) -> Vec<Value> {
    let machine = show.machine();
    let automaton = &machine.definition(state.definition(&machine.layout, pid)).automaton;
    let mut frames: Vec<Value> = Vec::new();
    let mut at = Some(standing(show, state, pid));
    while let Some(span) = at {
        let call = inline_call(machine, span);
        let name = call.as_ref().map_or_else(|| automaton.name.to_string(), |(name, _)| name.clone());
        frames.push(frame(show, span, &name, pid, frames.len()));
        at = call.map(|(_, call)| call);
    }
    frames
}

/// The innermost inline that a text belongs to, and where it is used.
fn inline_call(machine: &Machine, mut span: Span) -> Option<(String, Span)> {
    while let Some(expansion) = machine.sources.expansion(span) {
        if expansion.kind == ExpansionKind::Inline {
            return Some((expansion.name.to_string(), expansion.call));
        }
        span = expansion.call;
    }
    None
}

/// The most frames of a process.
const FRAMES: i64 = 1000;

fn frame(show: &Show<'_>, span: Span, name: &str, pid: Pid, depth: usize) -> Value {
    let place = show.place(span);
    let file = Path::new(&place.file).file_name().map(|name| name.to_string_lossy().into_owned());
    json!({
        "id": thread(pid) * FRAMES + depth as i64,
        "name": name,
        "source": { "name": file, "path": place.file },
        "line": place.line, "column": place.column, "endLine": place.end_line, "endColumn": place.end_column,
    })
}

/// The number of the thread that stands for a process; 0 is none.
pub fn thread(pid: Pid) -> i64 {
    i64::from(pid.0) + 1
}

/// The process that a thread stands for.
pub fn process(thread: &Value) -> Option<Pid> {
    u8::try_from(thread.as_i64()?.checked_sub(1)?).ok().map(Pid)
}

/// The process that a frame belongs to.
pub fn process_of_frame(frame: &Value) -> Option<Pid> {
    process(&json!(frame.as_i64()? / FRAMES))
}
