//! Messages of the debug adapter protocol: a header with the length, then JSON. A thread reads them, so that a long run can look whether
//! somebody wants it to stop.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};

use crossbeam_channel::{Receiver, unbounded};
use serde::Deserialize;
use serde_json::{Value, json};

/// What the editor asks for.
#[derive(Clone, Deserialize, Debug)]
pub struct Request {
    /// Its number.
    pub seq: i64,
    /// What is asked for.
    pub command: String,
    /// With which arguments.
    #[serde(default)]
    pub arguments: Value,
}

/// The connection to the editor.
pub struct Link<W> {
    incoming: Receiver<Result<Request, String>>,
    /// Requests that were looked at early.
    waiting: VecDeque<Request>,
    /// Requests that were answered, and are to be looked at again by who comes next.
    postponed: Vec<Request>,
    output: W,
    seq: i64,
}

impl<W: Write> Link<W> {
    /// Begins to read.
    pub fn new(mut input: impl BufRead + Send + 'static, output: W) -> Link<W> {
        let (sender, incoming) = unbounded();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut input).transpose() {
                let is_broken = message.is_err();
                // Events and responses are for the other direction.
                if sender.send(message).is_err() || is_broken {
                    return;
                }
            }
        });
        Link { incoming, waiting: VecDeque::new(), postponed: Vec::new(), output, seq: 0 }
    }

    /// The next request; `None` when the editor is gone.
    pub fn next(&mut self) -> Result<Option<Request>, String> {
        match self.waiting.pop_front() {
            Some(request) => Ok(Some(request)),
            None => self.incoming.recv().ok().transpose(),
        }
    }

    /// Whether somebody asked to pause or to leave meanwhile. A request to pause is answered.
    pub fn is_interrupted(&mut self) -> bool {
        while let Ok(Ok(request)) = self.incoming.try_recv() {
            if request.command == "pause" {
                self.answer(&request, Value::Null);
                return true;
            }
            self.waiting.push_back(request);
        }
        self.waiting.iter().any(|request| matches!(request.command.as_str(), "disconnect" | "terminate" | "restart"))
    }

    /// Keeps a request that was answered, for who comes next.
    pub fn postpone(&mut self, request: Request) {
        self.postponed.push(request);
    }

    /// The requests that were kept.
    pub fn take_postponed(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.postponed)
    }

    /// Answers a request.
    pub fn answer(&mut self, request: &Request, body: Value) {
        self.send(json!({
            "type": "response", "request_seq": request.seq, "command": request.command, "success": true, "body": body,
        }));
    }

    /// Says that a request cannot be met.
    pub fn refuse(&mut self, request: &Request, message: &str) {
        self.send(json!({
            "type": "response", "request_seq": request.seq, "command": request.command, "success": false, "message": message,
            "body": { "error": { "id": 1, "format": message, "showUser": true } },
        }));
    }

    /// Tells something.
    pub fn event(&mut self, event: &str, body: Value) {
        self.send(json!({ "type": "event", "event": event, "body": body }));
    }

    fn send(&mut self, mut message: Value) {
        self.seq += 1;
        message["seq"] = json!(self.seq);
        let text = message.to_string();
        // If the editor is gone, there is no next request.
        let _ = write!(self.output, "Content-Length: {}\r\n\r\n{text}", text.len()).and_then(|()| self.output.flush());
    }
}

/// The longest message that is taken.
const LONGEST: usize = 64 << 20;

/// The next request; `None` at the end of the input.
fn read(input: &mut impl BufRead) -> Result<Option<Request>, String> {
    let broken = |error: io::Error| error.to_string();
    let mut length = None;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line).map_err(broken)? == 0 {
            return Ok(None);
        }
        match line.trim().split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.trim().parse().ok(),
            Some(_) => {}
            None => break,
        }
    }
    let length: usize = length.filter(|length| *length <= LONGEST).ok_or("a message has no length, or is too long")?;
    let mut text = vec![0; length];
    input.read_exact(&mut text).map_err(broken)?;
    serde_json::from_slice(&text).map(Some).map_err(|error| format!("a message is no request: {error}"))
}
