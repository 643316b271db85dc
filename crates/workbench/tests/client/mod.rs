//! An editor without a screen: it opens, edits and asks, and remembers which problems it was told to show.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::Duration;

use promela::Options;
use serde_json::{Value, json};
use workbench::lsp::{Connection, Message, Notification, Request, serve};

/// An answer that takes longer is taken for none.
const PATIENCE: Duration = Duration::from_secs(120);

/// The editor's side.
pub struct Client {
    connection: Connection,
    server: JoinHandle<Result<(), String>>,
    requests: i32,
    versions: i32,
    shown: BTreeMap<String, Vec<String>>,
}

impl Client {
    /// An editor that says nothing special of itself.
    pub fn start() -> Client {
        Client::start_with(json!({}))
    }

    /// An editor that begins with these parameters.
    pub fn start_with(mut parameters: Value) -> Client {
        let (ours, theirs) = Connection::memory();
        let server = std::thread::Builder::new()
            .stack_size(64 << 20)
            .spawn(move || serve(theirs, PathBuf::from("/nonexistent/isospin"), Options::default()))
            .expect("a thread can be started");
        let mut client = Client { connection: ours, server, requests: 0, versions: 0, shown: BTreeMap::new() };
        parameters["capabilities"] = json!({});
        let answer = client.request("initialize", parameters);
        assert_eq!(answer["capabilities"]["hoverProvider"], true, "{answer}");
        client.notify("initialized", json!({}));
        client
    }

    /// The address of a file of the tests; there is no such file.
    pub fn uri(name: &str) -> String {
        format!("file:///nonexistent/{name}")
    }

    /// Opens a text.
    pub fn open(&mut self, name: &str, text: &str) {
        self.versions += 1;
        let document =
            json!({ "uri": Client::uri(name), "languageId": "promela", "version": self.versions, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Closes a text.
    pub fn close(&mut self, name: &str) {
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": Client::uri(name) } }));
    }

    /// Replaces a range of a text.
    pub fn edit(&mut self, name: &str, range: Value, text: &str) {
        self.versions += 1;
        let document = json!({ "uri": Client::uri(name), "version": self.versions });
        let change = json!({ "range": range, "text": text });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }));
    }

    /// What is shown to be wrong with a text, once the server has nothing else to say.
    pub fn problems(&mut self, name: &str) -> Vec<String> {
        // Problems are shown behind an answer, so they are here before the next one.
        for _ in 0..2 {
            let _ = self.try_request("isospin/nothing", json!({}));
        }
        self.shown.get(&Client::uri(name)).cloned().unwrap_or_default()
    }

    /// Asks about a text.
    pub fn ask(&mut self, method: &str, name: &str, parameters: Value) -> Value {
        self.try_ask(method, name, parameters).unwrap_or_else(|message| panic!("{method}: {message}"))
    }

    /// Asks about a text what may be refused.
    pub fn try_ask(&mut self, method: &str, name: &str, mut parameters: Value) -> Result<Value, String> {
        parameters["textDocument"] = json!({ "uri": Client::uri(name) });
        self.try_request(method, parameters)
    }

    /// Asks about a place in a text.
    pub fn ask_at(&mut self, method: &str, name: &str, position: Value) -> Value {
        self.ask(method, name, json!({ "position": position }))
    }

    /// Asks.
    pub fn request(&mut self, method: &str, parameters: Value) -> Value {
        self.try_request(method, parameters).unwrap_or_else(|message| panic!("{method}: {message}"))
    }

    /// Asks what may be refused.
    pub fn try_request(&mut self, method: &str, parameters: Value) -> Result<Value, String> {
        self.requests += 1;
        let id = self.requests.into();
        self.send(Request::new(id, method.to_owned(), parameters));
        loop {
            match self.connection.receiver.recv_timeout(PATIENCE).expect("the server answers") {
                Message::Response(response) => {
                    assert_eq!(response.id, self.requests.into());
                    let answer = serde_json::to_value(response).expect("it is JSON");
                    return match answer["error"]["message"].as_str() {
                        Some(message) => Err(message.to_owned()),
                        None => Ok(answer["result"].clone()),
                    };
                }
                Message::Notification(Notification { method, params }) => self.note(&method, &params),
                Message::Request(_) => {}
            }
        }
    }

    fn note(&mut self, method: &str, parameters: &Value) {
        if method == "textDocument/publishDiagnostics" {
            let uri = parameters["uri"].as_str().expect("an address").to_owned();
            let found = parameters["diagnostics"].as_array().expect("a list");
            self.shown.insert(uri, found.iter().map(|each| format!("{} {}", each["range"], each["message"])).collect());
        }
    }

    /// Tells something.
    pub fn notify(&mut self, method: &str, parameters: Value) {
        self.send(Notification::new(method.to_owned(), parameters));
    }

    fn send(&self, message: impl Into<Message>) {
        self.connection.sender.send(message.into()).expect("the server listens");
    }

    /// Ends the session as the protocol has it.
    pub fn end(mut self) {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.server.join().expect("the server does not panic").expect("the session ends well");
    }
}

/// A range from its borders.
pub fn range(line: u32, column: u32, end_line: u32, end_column: u32) -> Value {
    json!({ "start": { "line": line, "character": column }, "end": { "line": end_line, "character": end_column } })
}

/// The range of some bytes of a text.
pub fn range_in(text: &str, start: usize, end: usize) -> Value {
    let place = |offset: usize| {
        let before = &text[..offset];
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        (before.matches('\n').count() as u32, text[line..offset].encode_utf16().count() as u32)
    };
    let ((line, column), (end_line, end_column)) = (place(start), place(end));
    range(line, column, end_line, end_column)
}
