//! What a step changed: the difference of two states, by name.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{ProcessView, StateView, Value, VariableView};

/// A variable or channel that changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Change {
    /// `x` for a global, `P(1):x` for a local, the channel's name for a channel.
    pub name: String,
    /// What it held before.
    pub old: Value,
    /// What it holds now.
    pub new: Value,
}

/// `x = 1`, or `queue (q): [1][2]`, as SPIN has it.
impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.new {
            Value::Messages(_) => write!(f, "queue ({}): {}", self.name, self.new),
            _ => write!(f, "{} = {}", self.name, self.new),
        }
    }
}

/// A process that appeared.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProcessBirth {
    /// Its number.
    pub pid: u8,
    /// The name of its proctype.
    pub process: String,
    /// What its parameters and locals start with.
    pub variables: Vec<VariableView>,
}

/// The difference of two states.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Changes {
    /// Variables and channels, globals first.
    pub changed: Vec<Change>,
    /// Processes that only the later state has.
    pub created: Vec<ProcessBirth>,
    /// Processes that only the earlier state has.
    pub ended: Vec<u8>,
}

impl Changes {
    /// What leads from one state to another of the same machine.
    #[must_use]
    pub fn between(before: &StateView, after: &StateView) -> Changes {
        let mut changes = Changes::default();
        changes.variables("", &before.globals, &after.globals);
        for (old, new) in before.channels.iter().zip(&after.channels) {
            if old.messages != new.messages {
                let contents = |messages: &Vec<Vec<Value>>| Value::Messages(messages.clone());
                changes.value(&new.name, &contents(&old.messages), &contents(&new.messages));
            }
        }
        for (old, new) in before.processes.iter().zip(&after.processes) {
            changes.process(old, new);
        }
        for process in after.processes.iter().skip(before.processes.len()) {
            changes.created.push(ProcessBirth {
                pid: process.pid,
                process: process.process.clone(),
                variables: process.variables.clone(),
            });
        }
        changes.ended.extend(before.processes.iter().skip(after.processes.len()).map(|process| process.pid));
        changes
    }

    fn process(&mut self, old: &ProcessView, new: &ProcessView) {
        let owner = format!("{}({}):", new.process, new.pid);
        self.variables(&owner, &old.variables, &new.variables);
        if let (Some(before), Some(after)) = (old.priority, new.priority) {
            self.value(&format!("{owner}_priority"), &Value::Number(before), &Value::Number(after));
        }
    }

    fn variables(&mut self, owner: &str, before: &[VariableView], after: &[VariableView]) {
        for (old, new) in before.iter().zip(after).filter(|(old, new)| old.value != new.value) {
            self.value(&format!("{owner}{}", new.name), &old.value, &new.value);
        }
    }

    fn value(&mut self, name: &str, old: &Value, new: &Value) {
        if old != new {
            self.changed.push(Change { name: name.to_string(), old: old.clone(), new: new.clone() });
        }
    }
}
