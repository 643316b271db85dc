//! A state as text: globals, channels and processes, one line for each variable.

use std::fmt;

use super::{ChannelView, ProcessView, StateView, Value, VariableView};

impl fmt::Display for StateView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for variable in self.globals.iter().filter(|variable| !names_itself("", variable)) {
            writeln!(f, "  {variable}")?;
        }
        for channel in &self.channels {
            writeln!(f, "  {channel}")?;
        }
        for process in &self.processes {
            write!(f, "{process}")?;
        }
        Ok(())
    }
}

impl fmt::Display for VariableView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.name, self.value)
    }
}

impl fmt::Display for ChannelView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.capacity {
            0 => write!(f, "channel {}: rendezvous", self.name),
            capacity => {
                let messages = Value::Messages(self.messages.clone());
                write!(f, "channel {} ({} of {capacity}): {messages}", self.name, self.messages.len())
            }
        }
    }
}

impl fmt::Display for ProcessView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "  proc {} ({}) {} (state {})", self.pid, self.process, self.place, self.location)?;
        if self.valid_end {
            f.write_str(" <valid end state>")?;
        }
        f.write_str("\n")?;
        if let Some(priority) = self.priority {
            writeln!(f, "      _priority = {priority}")?;
        }
        let owner = format!("{}({}):", self.process, self.pid);
        for variable in self.variables.iter().filter(|variable| !names_itself(&owner, variable)) {
            writeln!(f, "      {variable}")?;
        }
        Ok(())
    }
}

/// A channel variable that holds the very channel it was declared with says nothing: the channel is shown.
fn names_itself(owner: &str, variable: &VariableView) -> bool {
    matches!(&variable.value, Value::Name(name) if name.strip_prefix(owner) == Some(&variable.name))
}
