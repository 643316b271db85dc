//! `isospin lsp` as a process: verdicts and what breaks symmetry come into the editor, and a search can be stopped.

mod support;

use std::io::BufReader;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};
use support::{command, file};
use workbench::lsp::{Message, Notification, Request};

struct Editor {
    server: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    requests: i32,
}

impl Editor {
    fn start() -> Editor {
        let mut server = command(&["lsp"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let input = server.stdin.take().expect("it has an input");
        let output = BufReader::new(server.stdout.take().expect("it has an output"));
        let mut editor = Editor { server, input, output, requests: 0 };
        let capabilities =
            json!({ "window": { "workDoneProgress": true }, "workspace": { "inlayHint": { "refreshSupport": true } } });
        editor.ask("initialize", json!({ "capabilities": capabilities }));
        editor.tell("initialized", json!({}));
        editor
    }

    fn open(&mut self, path: &str) {
        let text = std::fs::read_to_string(path).expect("it is there");
        let document = json!({ "uri": uri(path), "languageId": "promela", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn tell(&mut self, method: &str, parameters: Value) {
        let message = Message::from(Notification::new(method.to_owned(), parameters));
        message.write(&mut self.input).expect("the server reads");
    }

    /// Asks, and does not wait for the answer.
    fn request(&mut self, method: &str, parameters: Value) {
        self.requests += 1;
        let message = Message::from(Request::new(self.requests.into(), method.to_owned(), parameters));
        message.write(&mut self.input).expect("the server reads");
    }

    /// Asks, and leaves aside what is said before the answer.
    fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.request(method, parameters);
        let id = json!(self.requests);
        let answer = self.wait(|message| message["id"] == id && message["method"].is_null());
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The next message of some kind.
    fn wait(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = Message::read(&mut self.output).expect("it can be read").expect("the server speaks");
            let message = serde_json::to_value(message).expect("it is JSON");
            if is_it(&message) {
                return message;
            }
        }
    }

    fn verify(&mut self, path: &str, property: &str) {
        self.ask(
            "workspace/executeCommand",
            json!({ "command": "isospin.verify", "arguments": [uri(path), property] }),
        );
    }

    fn end(mut self) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        assert!(self.server.wait().expect("it ends").success());
    }
}

fn uri(path: &str) -> String {
    format!("file://{path}")
}

fn is_method(name: &'static str) -> impl Fn(&Value) -> bool {
    move |message| message["method"] == name
}

#[test]
fn a_violation_is_shown_where_it_happens() {
    let path = file("lsp/violated.pml", "byte x;\nactive proctype P() {\n\tx = 1;\n\tassert(x == 0)\n}\n");
    let mut editor = Editor::start();
    editor.open(&path);
    editor.verify(&path, "safety");
    let message = editor.wait(is_method("window/showMessage"));
    assert!(
        message["params"]["message"].as_str().is_some_and(|text| text.starts_with("safety is violated")),
        "{message}"
    );
    let is_verdict = |message: &Value| {
        let found = message["params"]["diagnostics"].as_array();
        found.is_some_and(|found| found.iter().any(|each| each["source"] == "isospin verify"))
    };
    let shown = editor.wait(is_verdict);
    let place = json!({ "start": { "line": 3, "character": 1 }, "end": { "line": 3, "character": 15 } });
    assert_eq!(shown["params"]["diagnostics"][0]["range"], place, "{shown}");
    // A verdict is about a text; once that is changed it is gone.
    let change = json!({ "range": { "start": { "line": 2, "character": 5 }, "end": { "line": 2, "character": 6 } }, "text": "0" });
    let document = json!({ "uri": uri(&path), "version": 2 });
    editor.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }));
    let shown = editor.wait(is_method("textDocument/publishDiagnostics"));
    assert_eq!(shown["params"]["diagnostics"], json!([]));
    editor.end();
}

#[test]
fn what_breaks_symmetry_is_shown_beside_it() {
    let model = "byte turn;\nactive [3] proctype P() {\n\tdo\n\t:: turn == 0 -> turn = 1\n\t:: _pid == 1 -> turn = 0\n\tod\n}\n";
    let path = file("lsp/broken.pml", model);
    let mut editor = Editor::start();
    editor.open(&path);
    editor.wait(is_method("workspace/inlayHint/refresh"));
    let all = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let hints = editor.ask("textDocument/inlayHint", json!({ "textDocument": { "uri": uri(&path) }, "range": all }));
    assert_eq!(hints[0]["position"]["line"], 4, "{hints}");
    assert_eq!(hints[0]["label"], "breaks symmetry (2 → 6)", "{hints}");
    editor.end();
}

#[test]
fn a_search_can_be_stopped_and_ends_with_the_session() {
    let model = "int x;\nactive proctype P() {\n\tdo\n\t:: x < 2000000000 -> x++\n\tod\n}\n";
    let path = file("lsp/endless.pml", model);
    let mut editor = Editor::start();
    editor.open(&path);
    editor.request("workspace/executeCommand", json!({ "command": "isospin.verify", "arguments": [uri(&path)] }));
    let begun = editor.wait(is_method("$/progress"));
    assert_eq!(begun["params"]["value"]["kind"], "begin");
    editor.tell("window/workDoneProgress/cancel", json!({ "token": begun["params"]["token"] }));
    let ended = editor.wait(is_method("$/progress"));
    assert_eq!(
        (&ended["params"]["token"], &ended["params"]["value"]["kind"]),
        (&begun["params"]["token"], &json!("end"))
    );
    // One that still runs when the editor goes does not keep the server.
    editor.verify(&path, "safety");
    editor.end();
}

#[test]
fn a_text_that_is_not_saved_is_not_verified() {
    let path = file("lsp/unsaved.pml", "init { skip }\n");
    let mut editor = Editor::start();
    let document =
        json!({ "uri": uri(&path), "languageId": "promela", "version": 1, "text": "init { assert(false) }\n" });
    editor.tell("textDocument/didOpen", json!({ "textDocument": document }));
    editor.request("workspace/executeCommand", json!({ "command": "isospin.verify", "arguments": [uri(&path)] }));
    let answer = editor.wait(|message| !message["error"].is_null());
    assert!(answer["error"]["message"].as_str().is_some_and(|text| text.contains("save the file first")), "{answer}");
    editor.end();
}
