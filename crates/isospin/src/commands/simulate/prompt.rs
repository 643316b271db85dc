//! Where a person's lines come from: a line editor on a terminal, plain lines from a file or pipe.

use std::io::{self, BufRead, IsTerminal};

use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

/// Reads lines.
pub enum Prompt {
    /// A person at a terminal: cursor keys, history.
    Terminal(Box<DefaultEditor>),
    /// Anything else.
    Plain,
}

impl Prompt {
    /// The editor if somebody sits there.
    pub fn new() -> Prompt {
        if io::stdin().is_terminal() && io::stdout().is_terminal() {
            DefaultEditor::new().map_or(Prompt::Plain, |editor| Prompt::Terminal(Box::new(editor)))
        } else {
            Prompt::Plain
        }
    }

    /// The next line; `None` when there is no more.
    pub fn line(&mut self, text: &str) -> Result<Option<String>, String> {
        match self {
            Prompt::Terminal(editor) => match editor.readline(text) {
                Ok(line) => {
                    // A history that cannot grow is no reason to stop.
                    let _ = editor.add_history_entry(&line);
                    Ok(Some(line))
                }
                Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                Err(error) => Err(error.to_string()),
            },
            Prompt::Plain => {
                let mut line = String::new();
                match io::stdin().lock().read_line(&mut line) {
                    Ok(0) => Ok(None),
                    Ok(_) => Ok(Some(line)),
                    Err(error) => Err(error.to_string()),
                }
            }
        }
    }
}
