//! Standard output for long runs: buffered, and content when the reader goes away.

use crate::console::{self, Exit};

/// Text is written when so much has gathered.
const ENOUGH: usize = 1 << 15;

/// Gathers text for standard output.
pub struct Output {
    buffer: String,
    at_line_start: bool,
    state: State,
}

enum State {
    Open,
    Closed(Exit),
}

impl Default for Output {
    fn default() -> Output {
        Output { buffer: String::new(), at_line_start: true, state: State::Open }
    }
}

impl Output {
    /// Whether writing still makes sense.
    pub fn is_open(&self) -> bool {
        matches!(self.state, State::Open)
    }

    /// How writing went.
    pub fn exit(&self) -> Exit {
        match self.state {
            State::Open => Exit::Success,
            State::Closed(exit) => exit,
        }
    }

    /// A line of its own.
    pub fn line(&mut self, text: &str) {
        if !self.at_line_start {
            self.buffer.push('\n');
        }
        self.text(text);
        self.text("\n");
    }

    /// Text as it is.
    pub fn text(&mut self, text: &str) {
        self.buffer.push_str(text);
        if !text.is_empty() {
            self.at_line_start = text.ends_with('\n');
        }
        if self.buffer.len() >= ENOUGH {
            self.flush();
        }
    }

    /// What the model prints: each line that begins here is indented.
    pub fn model_text(&mut self, text: &str, indent: usize) {
        for line in text.split_inclusive('\n') {
            if self.at_line_start {
                self.buffer.push_str(&" ".repeat(indent));
            }
            self.text(line);
        }
    }

    /// Writes what has gathered.
    pub fn flush(&mut self) {
        let text = std::mem::take(&mut self.buffer);
        if self.is_open() {
            self.state = match console::write(&text) {
                console::Written::All => State::Open,
                console::Written::NobodyReads => State::Closed(Exit::Success),
                console::Written::Failed => State::Closed(Exit::Unwritten),
            };
        }
    }
}
