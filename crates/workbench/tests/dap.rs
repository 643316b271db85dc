//! The debug adapter, as an editor sees it: steps in both directions, breakpoints of all kinds, other choices, and what is shown.

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Read, Write, pipe};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use machine::random::Random;
use machine::simulate::{History, Run};
use machine::trace::Origin;
use promela::Options;
use serde_json::{Value, json};

const MODEL: &str = "\
byte x;
byte a[2];
chan q = [2] of { byte };

inline bump(i) {
	a[i]++;
	x++
}

active proctype P() {
	do
	:: x < 6 -> bump(0)
	:: x < 6 -> bump(1); q!x
	:: x >= 6 -> break
	od
}

active proctype Q() {
	byte got;
	do
	:: q?got -> assert(got < 5)
	od
}
";

struct Editor {
    input: PipeWriter,
    output: BufReader<PipeReader>,
    server: JoinHandle<Result<(), String>>,
    seq: i64,
    /// The events that have come since the last request.
    events: Vec<Value>,
}

impl Editor {
    fn start() -> Editor {
        let (theirs, input) = pipe().expect("a pipe");
        let (ours, output) = pipe().expect("a pipe");
        let server =
            std::thread::spawn(move || workbench::dap::serve(BufReader::new(theirs), output, &Options::default()));
        let mut editor = Editor { input, output: BufReader::new(ours), server, seq: 0, events: Vec::new() };
        let capabilities = editor.ask("initialize", json!({ "adapterID": "isospin" }));
        assert_eq!(capabilities["supportsStepBack"], true);
        editor
    }

    /// Launches a model and stops before its first step.
    fn launch(model: &Path, arguments: Value) -> Editor {
        let mut editor = Editor::start();
        let mut launch = json!({ "program": model });
        launch.as_object_mut().expect("it is one").extend(arguments.as_object().expect("it is one").clone());
        editor.ask("launch", launch);
        editor.ask("configurationDone", json!({}));
        assert_eq!(editor.stopped()["reason"], "entry");
        editor
    }

    fn read(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).expect("it can be read"), 0, "the adapter has ended");
            match line.trim().strip_prefix("Content-Length: ") {
                Some(text) => length = text.parse().expect("a number"),
                None => break,
            }
        }
        let mut text = vec![0; length];
        self.output.read_exact(&mut text).expect("it can be read");
        serde_json::from_slice(&text).expect("it is JSON")
    }

    fn send(&mut self, command: &str, arguments: Value) {
        self.seq += 1;
        let text =
            json!({ "type": "request", "seq": self.seq, "command": command, "arguments": arguments }).to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the adapter reads");
    }

    fn try_ask(&mut self, command: &str, arguments: Value) -> Result<Value, String> {
        self.send(command, arguments);
        loop {
            let message = self.read();
            if message["type"] == "event" {
                self.events.push(message);
            } else {
                assert_eq!((&message["request_seq"], &message["command"]), (&json!(self.seq), &json!(command)));
                let is_met = message["success"] == true;
                return if is_met { Ok(message["body"].clone()) } else { Err(message["message"].to_string()) };
            }
        }
    }

    fn ask(&mut self, command: &str, arguments: Value) -> Value {
        self.try_ask(command, arguments).unwrap_or_else(|message| panic!("{command}: {message}"))
    }

    /// The next news that the run has stopped.
    fn stopped(&mut self) -> Value {
        loop {
            let found = self.events.iter().position(|event| event["event"] == "stopped");
            match found {
                Some(index) => return self.events.remove(index)["body"].clone(),
                None => {
                    let message = self.read();
                    self.events.push(message);
                }
            }
        }
    }

    fn go(&mut self, command: &str) -> Value {
        self.ask(command, json!({ "threadId": 1 }));
        self.stopped()
    }

    fn value(&mut self, expression: &str) -> String {
        let answer = self.ask("evaluate", json!({ "expression": expression, "context": "repl" }));
        answer["result"].as_str().expect("a text").to_owned()
    }

    /// The names and values of a scope of a process.
    fn scope(&mut self, thread: u32, scope: usize) -> Vec<(String, String)> {
        let frames = self.ask("stackTrace", json!({ "threadId": thread }));
        let scopes = self.ask("scopes", json!({ "frameId": frames["stackFrames"][0]["id"] }));
        let reference = scopes["scopes"][scope]["variablesReference"].clone();
        let variables = self.ask("variables", json!({ "variablesReference": reference }));
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let list = variables["variables"].as_array().expect("a list");
        list.iter().map(|each| (text(&each["name"]), text(&each["value"]))).collect()
    }

    fn end(mut self) {
        self.ask("disconnect", json!({}));
        self.server.join().expect("it does not panic").expect("it ends well");
    }
}

fn model(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("it can be written");
    path
}

/// A violation found by chance, as a trace.
fn trace(model: &Path, name: &str) -> PathBuf {
    let loaded = promela::load(model, &Options::default());
    let machine = machine::lower(&loaded.model.expect("it has no errors"));
    let found = (0..1000).find_map(|seed| {
        let mut random = Random::new(seed);
        let mut run = Run::new(&machine, History::Keep).expect("it has an initial state");
        while run.failure().is_none() {
            let choice = run.pick(&mut random)?;
            run.take(choice);
        }
        let end = run.end();
        Some(run.into_trace(Origin::default(), end))
    });
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let text = serde_json::to_string(&found.expect("one of them fails")).expect("it is JSON");
    std::fs::write(&path, text).expect("it can be written");
    path
}

#[test]
fn a_trace_is_stepped_forwards_and_backwards_and_says_what_is_wrong_at_its_end() {
    let path = model("forwards.pml", MODEL);
    let trace = trace(&path, "forwards.json");
    let mut editor = Editor::launch(&path, json!({ "trace": trace }));
    let mut values = vec![editor.value("x")];
    loop {
        let stop = editor.go("next");
        values.push(editor.value("x"));
        if stop["reason"] == "exception" {
            assert!(stop["text"].as_str().is_some_and(|text| text.contains("assertion violated")), "{stop}");
            break;
        }
    }
    let message = editor.ask("exceptionInfo", json!({ "threadId": 1 }));
    assert!(message["description"].as_str().is_some_and(|text| text.contains("assertion violated")));
    assert!(editor.try_ask("next", json!({ "threadId": 1 })).is_err());
    for value in values.iter().rev().skip(1) {
        editor.go("stepBack");
        assert_eq!(editor.value("x"), *value);
    }
    assert!(editor.try_ask("stepBack", json!({ "threadId": 1 })).expect_err("refused").contains("initial state"));
    // The same run again, in one go.
    assert_eq!(editor.go("continue")["reason"], "exception");
    assert_eq!(editor.value("x"), values[values.len() - 1]);
    assert_eq!(editor.go("reverseContinue")["reason"], "entry");
    editor.end();
}

#[test]
fn processes_are_threads_with_frames_for_inlines_and_scopes() {
    let path = model("threads.pml", MODEL);
    let mut editor = Editor::launch(&path, json!({}));
    let threads = editor.ask("threads", json!({}));
    assert_eq!(threads["threads"][0], json!({ "id": 1, "name": "P(0)" }));
    assert_eq!(threads["threads"][1], json!({ "id": 2, "name": "Q(1) waits: `q?got`: `q` is empty" }));
    editor.go("next");
    let frames = editor.ask("stackTrace", json!({ "threadId": 1 }));
    let shown: Vec<(&str, u64)> = frames["stackFrames"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|frame| Some((frame["name"].as_str()?, frame["line"].as_u64()?)))
        .collect();
    assert_eq!(shown, [("bump", 6), ("P", 12)]);
    assert_eq!(editor.scope(2, 0), [("got".to_owned(), "0".to_owned())]);
    editor.go("next");
    let globals = editor.scope(1, 1);
    assert_eq!(globals, [("x".to_owned(), "0".to_owned()), ("a".to_owned(), "[1, 0]".to_owned())]);
    assert_eq!(editor.scope(1, 2), [("q".to_owned(), "0 of 2: []".to_owned())]);
    editor.end();
}

#[test]
fn breakpoints_are_lines_conditions_and_changes() {
    let path = model("breakpoints.pml", MODEL);
    let mut editor = Editor::launch(&path, json!({ "seed": 3 }));
    let source = json!({ "path": path });
    // There is no line 99, and no `y`.
    let lines = json!({ "source": source, "breakpoints": [{ "line": 13, "condition": "x == 3" }, { "line": 99 }, { "line": 13, "condition": "y" }] });
    let set = editor.ask("setBreakpoints", lines);
    let verified: Vec<bool> =
        set["breakpoints"].as_array().expect("a list").iter().filter_map(|each| each["verified"].as_bool()).collect();
    assert_eq!(verified, [true, false, false], "{set}");
    editor.ask("setBreakpoints", json!({ "source": source, "breakpoints": [{ "line": 20 }] }));
    let stop = editor.go("continue");
    assert_eq!((&stop["reason"], &stop["threadId"]), (&json!("breakpoint"), &json!(2)), "{stop}");
    assert_eq!(editor.value("len(q)"), "0");
    editor.ask("setBreakpoints", json!({ "source": source, "breakpoints": [] }));
    editor.go("reverseContinue");
    // Where something becomes true, wherever that is.
    let set = editor.ask(
        "setFunctionBreakpoints",
        json!({ "breakpoints": [{ "name": "x == 3 && len(q) > 0" }, { "name": "<> x" }] }),
    );
    assert_eq!((&set["breakpoints"][0]["verified"], &set["breakpoints"][1]["verified"]), (&json!(true), &json!(false)));
    assert_eq!(editor.go("continue")["reason"], "function breakpoint");
    assert_eq!((editor.value("x"), editor.value("len(q) > 0")), ("3".to_owned(), "1".to_owned()));
    editor.ask("setFunctionBreakpoints", json!({ "breakpoints": [] }));
    let frames = editor.ask("stackTrace", json!({ "threadId": 2 }));
    let scopes = editor.ask("scopes", json!({ "frameId": frames["stackFrames"][0]["id"] }));
    let locals = scopes["scopes"][0]["variablesReference"].clone();
    let info = editor.ask("dataBreakpointInfo", json!({ "name": "got", "variablesReference": locals }));
    assert_eq!(info["dataId"], "Q(1):got");
    editor.ask("setDataBreakpoints", json!({ "breakpoints": [{ "dataId": "Q(1):got" }] }));
    let stop = editor.go("continue");
    assert_eq!(stop["reason"], "data breakpoint");
    assert!(stop["text"].as_str().is_some_and(|text| text.starts_with("Q(1):got: ")), "{stop}");
    editor.end();
}

#[test]
fn another_choice_can_be_taken_and_going_back_and_forth_stays_on_it() {
    let path = model("choices.pml", MODEL);
    let trace = trace(&path, "choices.json");
    let mut editor = Editor::launch(&path, json!({ "trace": trace }));
    let targets = editor.ask("stepInTargets", json!({ "frameId": 1000 }));
    let labels: Vec<&str> =
        targets["targets"].as_array().expect("a list").iter().filter_map(|each| each["label"].as_str()).collect();
    assert_eq!(labels, ["P(0): ((x<6))", "P(0): ((x<6))"]);
    let mut by_target = Vec::new();
    for target in [0, 1] {
        editor.ask("stepIn", json!({ "threadId": 1, "targetId": target }));
        editor.stopped();
        editor.go("next");
        by_target.push((editor.value("a[0]"), editor.value("a[1]")));
        editor.go("stepBack");
        editor.go("stepBack");
    }
    assert_eq!(by_target, [("1".to_owned(), "0".to_owned()), ("0".to_owned(), "1".to_owned())]);
    editor.go("next");
    editor.go("next");
    assert_eq!(editor.value("a[1]"), "1");
    assert!(editor.try_ask("stepIn", json!({ "threadId": 1, "targetId": 77 })).is_err());
    editor.end();
}

#[test]
fn a_person_steps_one_process_and_hears_why_another_cannot_move() {
    let path = model("person.pml", MODEL);
    let mut editor = Editor::launch(&path, json!({}));
    let refused = editor.try_ask("next", json!({ "threadId": 2 })).expect_err("it waits");
    assert!(refused.contains("Q(1) cannot move: `q?got`: `q` is empty"), "{refused}");
    assert_eq!(editor.value("waiting"), "Q(1): `q?got`: `q` is empty");
    editor.ask("evaluate", json!({ "expression": "until a[0] == 2", "context": "repl" }));
    editor.stopped();
    assert_eq!(editor.value("a[0]"), "2");
    assert!(editor.try_ask("evaluate", json!({ "expression": "until nonsense(", "context": "repl" })).is_err());
    assert!(editor.try_ask("evaluate", json!({ "expression": "take 9", "context": "repl" })).is_err());
    editor.ask("restart", json!({}));
    assert_eq!(editor.stopped()["reason"], "entry");
    assert_eq!(editor.value("a[0]"), "0");
    editor.end();
}

#[test]
fn a_run_without_end_can_be_paused() {
    let path = model("endless.pml", "byte x; active proctype P() { do :: x++ od }");
    let mut editor = Editor::launch(&path, json!({ "seed": 1 }));
    editor.send("continue", json!({ "threadId": 1 }));
    editor.send("pause", json!({ "threadId": 1 }));
    assert_eq!(editor.stopped()["reason"], "pause");
    // Both have been answered, in whatever order.
    let answered = |editor: &mut Editor, seq: i64| loop {
        let message = editor.events.pop().unwrap_or_else(|| editor.read());
        if message["request_seq"] == seq {
            return;
        }
    };
    let last = editor.seq;
    if !editor.events.iter().any(|message| message["request_seq"] == last) {
        answered(&mut editor, last);
    }
    editor.events.clear();
    editor.send("disconnect", json!({}));
    editor.server.join().expect("it does not panic").expect("it ends well");
}

#[test]
fn what_cannot_be_debugged_is_refused_with_a_reason() {
    let broken = model("broken.pml", "init { x = 1 }");
    let with_c = model("with_c.pml", "init { c_code { int i; } }");
    let fine = model("fine.pml", MODEL);
    let other = trace(&fine, "other.json");
    let changed = model("changed.pml", &MODEL.replace("byte a[2]", "byte a[3]"));
    for (arguments, reason) in [
        (json!({}), "`program` is missing"),
        (json!({ "program": "/nonexistent/m.pml" }), "cannot read"),
        (json!({ "program": broken }), "broken.pml:1:8"),
        (json!({ "program": with_c }), "embedded C"),
        (json!({ "program": fine, "trace": "/nonexistent.json" }), "cannot read"),
        (json!({ "program": fine, "trace": broken }), "is no trace"),
        (json!({ "program": changed, "trace": other }), "a[2]"),
    ] {
        let mut editor = Editor::start();
        let refused = editor.try_ask("launch", arguments).expect_err("it is refused");
        assert!(refused.contains(reason), "{reason}: {refused}");
        editor.end();
    }
    let mut editor = Editor::start();
    assert!(editor.try_ask("attach", json!({})).is_err());
    assert!(editor.try_ask("next", json!({ "threadId": 1 })).is_err());
    editor.end();
}

/// Requests in any order get an answer each, and never end the adapter.
#[test]
fn requests_in_any_order_are_answered() {
    const COMMANDS: &[&str] = &[
        "next",
        "stepIn",
        "stepOut",
        "continue",
        "stepBack",
        "reverseContinue",
        "pause",
        "threads",
        "stackTrace",
        "scopes",
        "variables",
        "stepInTargets",
        "evaluate",
        "exceptionInfo",
        "dataBreakpointInfo",
        "setBreakpoints",
        "setFunctionBreakpoints",
        "setDataBreakpoints",
        "configurationDone",
        "restart",
        "unheardOf",
        "setExceptionBreakpoints",
    ];
    let path = model("any_order.pml", MODEL);
    for seed in 0..4 {
        let mut random = Random::new(seed);
        let mut editor = Editor::launch(&path, json!({ "seed": seed }));
        for _ in 0..150 {
            let command = COMMANDS[random.below(COMMANDS.len())];
            let number = random.below(5);
            let texts = ["x > 2", "len(q) == 1", "take 1", "choices", "until x == 4", "oops(", "P:x", ""];
            let text = texts[random.below(texts.len())];
            let breakpoints = json!([{ "line": 8 + number, "condition": text, "name": text, "dataId": "x" }]);
            let arguments = match random.below(6) {
                0 => json!({}),
                1 => json!({ "threadId": 1000, "frameId": -7, "variablesReference": 1_000_000, "targetId": 1000 }),
                _ => json!({
                    "threadId": number, "frameId": number * 1000, "variablesReference": number, "expression": text,
                    "context": if number.is_multiple_of(2) { "repl" } else { "hover" }, "source": { "path": path }, "breakpoints": breakpoints,
                    "name": "x",
                }),
            };
            // Whether it is met or refused, it is answered.
            let _ = editor.try_ask(command, arguments);
        }
        editor.end();
    }
}
