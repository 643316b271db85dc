//! The language server, as an editor sees it: what it answers to a scripted client, and that it answers the same after any edits as
//! after a fresh start.

mod client;

use client::{Client, range};
use serde_json::{Value, json};

const MODEL: &str = "\
#define LIMIT 3
#define full(q) (len(q) == LIMIT)
mtype = { ask, reply };
typedef Job { byte owner; short cost }
chan queue = [3] of { mtype, byte };
Job current;
byte count;

inline enter(who) {
	count++;
	queue!ask(who)
}

proctype Worker(byte id; chan out) {
again:
	enter(id);
	out!reply(current.owner + current.cost);
	if
	:: full(queue) -> goto again
	:: else -> current.owner = id; current.cost = 2; queue?reply(_)
	fi;
	assert(count < 10)
}

init {
	run Worker(1, queue)
}

ltl small { [] (count < 10) }
";

/// The first place of a text in the model, and `ahead` characters further.
fn at(text: &str, ahead: usize) -> Value {
    place_in(MODEL, text, ahead)
}

fn place_in(model: &str, text: &str, ahead: usize) -> Value {
    let offset = model.find(text).unwrap_or_else(|| panic!("{text} is in the model"));
    let before = &model[..offset];
    let line = before.matches('\n').count();
    let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
    json!({ "line": line, "character": column + ahead })
}

fn names(value: &Value) -> Vec<&str> {
    value.as_array().expect("a list").iter().map(|each| each["label"].as_str().expect("a label")).collect()
}

#[test]
fn a_model_without_mistakes_has_no_problems_and_a_mistake_is_shown_until_it_is_mended() {
    let mut client = Client::start();
    client.open("m.pml", MODEL);
    assert_eq!(client.problems("m.pml"), Vec::<String>::new());
    // Columns count UTF-16 code units: the second letter of the comment counts twice.
    client.edit("m.pml", range(6, 0, 6, 0), "/* ü𝄞 */ ");
    client.edit("m.pml", range(6, 10, 6, 14), "bite");
    let problems = client.problems("m.pml");
    assert!(problems.iter().any(|each| each.contains("bite")), "{problems:?}");
    client.edit("m.pml", range(6, 10, 6, 14), "byte");
    assert_eq!(client.problems("m.pml"), Vec::<String>::new());
    client.end();
}

#[test]
fn a_suggested_mend_is_an_edit() {
    let mut client = Client::start();
    let model = "byte count;\nactive proctype P() {\n\tcuont = 1\n}\n";
    client.open("m.pml", model);
    assert!(!client.problems("m.pml").is_empty());
    let here = json!({ "start": { "line": 2, "character": 2 }, "end": { "line": 2, "character": 2 } });
    let actions =
        client.ask("textDocument/codeAction", "m.pml", json!({ "range": here, "context": { "diagnostics": [] } }));
    let edit = &actions[0]["edit"]["changes"][Client::uri("m.pml")][0];
    assert_eq!(edit, &json!({ "range": range(2, 1, 2, 6), "newText": "count" }), "{actions}");
    client.end();
}

#[test]
fn names_lead_to_their_definitions_and_uses() {
    let mut client = Client::start();
    client.open("m.pml", MODEL);
    let found = client.ask_at("textDocument/definition", "m.pml", at("goto again", 6));
    assert_eq!(found[0]["range"], range(14, 0, 14, 5));
    let found = client.ask_at("textDocument/definition", "m.pml", at(".owner", 2));
    assert_eq!(found[0]["range"], json!({ "start": at("owner;", 0), "end": at("owner;", 5) }));
    let position = at("byte count", 6);
    let more = json!({ "position": position, "context": { "includeDeclaration": true } });
    let found = client.ask("textDocument/references", "m.pml", more);
    assert_eq!(found.as_array().map(Vec::len), Some(4), "{found}");
    let found = client.ask_at("textDocument/documentHighlight", "m.pml", at("byte count", 6));
    let kinds: Vec<u64> = found.as_array().expect("a list").iter().filter_map(|each| each["kind"].as_u64()).collect();
    // Text, read and written are 1, 2 and 3.
    assert_eq!(kinds, [1, 3, 2, 2], "{found}");
    client.end();
}

#[test]
fn hovering_tells_type_values_users_and_expansions() {
    let mut client = Client::start();
    client.open("m.pml", MODEL);
    let mut hover = |place: Value| {
        let answer = client.ask_at("textDocument/hover", "m.pml", place);
        answer["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    let count = hover(at("byte count", 6));
    for part in [
        "byte count",
        "values: 0 to 255",
        "written by `enter` (line 10)",
        "read by `Worker` (line 22); `enter` (line 10); `small` (line 29)",
    ] {
        assert!(count.contains(part), "{part}: {count}");
    }
    assert!(hover(at(":: full(queue)", 4)).contains("(len(queue) == 3)"));
    let inline = hover(at("\tenter(id)", 2));
    assert!(inline.contains("queue!ask") && inline.contains("count"), "{inline}");
    assert_eq!(hover(at("{ mtype", 0)), "");
    client.end();
}

#[test]
fn completion_knows_scopes_fields_and_labels() {
    let mut client = Client::start();
    client.open("m.pml", MODEL);
    let all = client.ask_at("textDocument/completion", "m.pml", at("goto again", 5));
    for name in ["id", "out", "again", "count", "queue", "Job", "ask", "LIMIT", "full", "enter", "atomic", "_pid"] {
        assert!(names(&all).contains(&name), "{name}");
    }
    let fields = client.ask_at("textDocument/completion", "m.pml", at(".owner", 1));
    assert_eq!(names(&fields), ["owner", "cost"]);
    let outside = client.ask_at("textDocument/completion", "m.pml", at("run Worker", 4));
    assert!(!names(&outside).contains(&"id"));
    client.edit("m.pml", range(28, 16, 28, 27), "Worker[1]@");
    let labels = client.ask_at("textDocument/completion", "m.pml", json!({ "line": 28, "character": 26 }));
    assert_eq!(names(&labels), ["again"]);
    client.end();
}

#[test]
fn signatures_name_the_parameter_at_the_cursor() {
    let mut client = Client::start();
    client.open("m.pml", MODEL);
    let help = client.ask_at("textDocument/signatureHelp", "m.pml", at("run Worker(1, ", 14));
    assert_eq!(help["signatures"][0]["label"], "Worker(byte id, chan out)");
    assert_eq!(help["signatures"][0]["activeParameter"], 1);
    let help = client.ask_at("textDocument/signatureHelp", "m.pml", at("\tenter(id)", 7));
    assert_eq!(help["signatures"][0]["label"], "enter(who)");
    assert_eq!(client.ask_at("textDocument/signatureHelp", "m.pml", at("byte count", 3)), Value::Null);
    client.end();
}

#[test]
fn the_outline_is_a_tree_and_names_are_found_in_all_models() {
    let mut client = Client::start();
    client.open("m.pml", MODEL);
    client.open("other.pml", "byte counter; init { counter = 1 }");
    let symbols = client.ask("textDocument/documentSymbol", "m.pml", json!({}));
    let list = symbols.as_array().expect("a list");
    let worker = list.iter().find(|each| each["name"] == "Worker").expect("it is there");
    let inner: Vec<&str> =
        worker["children"].as_array().expect("a list").iter().filter_map(|each| each["name"].as_str()).collect();
    assert_eq!(inner, ["id", "out", "again"]);
    let found = client.request("workspace/symbol", json!({ "query": "COUNT" }));
    let mut found: Vec<&str> =
        found.as_array().expect("a list").iter().filter_map(|each| each["name"].as_str()).collect();
    found.sort_unstable();
    assert_eq!(found, ["count", "counter"]);
    client.end();
}

#[test]
fn renaming_changes_every_use_or_nothing() {
    let mut client = Client::start();
    client.open("m.pml", MODEL);
    let mut rename = |place: Value, name: &str| {
        client.try_ask("textDocument/rename", "m.pml", json!({ "position": place, "newName": name }))
    };
    let edits = rename(at("byte count", 6), "total").expect("it can be renamed");
    let edits = edits["changes"][Client::uri("m.pml")].as_array().expect("a list").clone();
    assert_eq!(edits.len(), 4);
    assert!(edits.iter().all(|edit| edit["newText"] == "total"));
    // A parameter of an inline, used in its text.
    let edits = rename(at("inline enter(who)", 14), "whom").expect("it can be renamed");
    assert_eq!(edits["changes"][Client::uri("m.pml")].as_array().map(Vec::len), Some(2));
    for (name, reason) in
        [("queue", "there would be an error"), ("3x", "is no name"), ("atomic", "is a word of the language")]
    {
        let refused = rename(at("byte count", 6), name).expect_err("it is refused");
        assert!(refused.contains(reason), "{name}: {refused}");
    }
    // The parameter would hide the variable.
    let refused = rename(at("byte id", 5), "count").expect_err("it is refused");
    assert!(refused.contains("would mean something else") || refused.contains("would be an error"), "{refused}");
    let refused = rename(at("again:", 1), "end_again").expect_err("it is refused");
    assert!(refused.contains("means something else to the verification"), "{refused}");
    client.end();
}

#[test]
fn a_name_in_an_inline_that_means_several_things_is_not_renamed() {
    let mut client = Client::start();
    let model = "inline go() { x = 1 }\nactive proctype P() { byte x; go() }\nactive proctype Q() { byte x; go() }\n";
    client.open("m.pml", model);
    let place = place_in(model, "x = 1", 0);
    let refused = client
        .try_ask("textDocument/rename", "m.pml", json!({ "position": place, "newName": "y" }))
        .expect_err("it is refused");
    assert!(refused.contains("means several things"), "{refused}");
    let found = client.ask_at("textDocument/definition", "m.pml", place);
    assert_eq!(found.as_array().map(Vec::len), Some(2));
    client.end();
}

#[test]
fn included_files_are_read_from_the_editor() {
    let mut client = Client::start();
    client.open("m.pml", "#include \"n.h\"\nbyte x[N];\ninit { x[0] = 1; helper(); assert(x[0] == x[1]) }\n");
    assert!(client.problems("m.pml").iter().any(|each| each.contains("n.h")));
    client.open("n.h", "#define N 2\ninline helper() { x[1] = 1 }\n");
    assert_eq!(client.problems("m.pml"), Vec::<String>::new());
    assert_eq!(client.problems("n.h"), Vec::<String>::new());
    let found = client.ask_at("textDocument/definition", "n.h", json!({ "line": 1, "character": 18 }));
    assert_eq!(found[0]["uri"], Client::uri("m.pml"));
    client.edit("n.h", range(0, 10, 0, 11), "1");
    let problems = [client.problems("m.pml"), client.problems("n.h")].concat();
    assert!(problems.iter().any(|each| each.contains("has no element 1")), "{problems:?}");
    client.close("m.pml");
    assert_eq!(client.problems("m.pml"), Vec::<String>::new());
    // Alone, it is a header with unknown names, which is no mistake.
    assert_eq!(client.problems("n.h"), Vec::<String>::new());
    client.end();
}

#[test]
fn definitions_of_the_editor_count_as_those_of_the_command_line() {
    let mut client = Client::start_with(json!({ "initializationOptions": { "definitions": ["N=2"] } }));
    client.open("m.pml", "byte x[N];\ninit { x[1] = 1; assert(x[1] == 1) }\n");
    assert_eq!(client.problems("m.pml"), Vec::<String>::new());
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "isospin": { "definitions": [] } } }));
    assert!(!client.problems("m.pml").is_empty());
    client.end();
}

#[test]
fn colours_cover_comments_names_and_words() {
    let mut client = Client::start();
    let text = "/* a\n b */ byte x = 1; // end\ninit { x = 2 }\n";
    client.open("m.pml", text);
    let tokens = client.ask("textDocument/semanticTokens/full", "m.pml", json!({}));
    let data: Vec<u64> = tokens["data"].as_array().expect("a list").iter().filter_map(Value::as_u64).collect();
    let (mut line, mut column) = (0, 0);
    let lines: Vec<&str> = text.lines().collect();
    let found: Vec<(&str, u64)> = data
        .chunks(5)
        .map(|token| {
            column = if token[0] == 0 { column + token[1] } else { token[1] };
            line += token[0];
            (&lines[line as usize][column as usize..(column + token[2]) as usize], token[3])
        })
        .collect();
    let expected =
        [("/* a", 0), (" b */", 0), ("byte", 3), ("x", 5), ("1", 2), ("// end", 0), ("init", 3), ("x", 5), ("2", 2)];
    assert_eq!(found, expected);
    client.end();
}

#[test]
fn formatting_is_that_of_the_formatter() {
    let mut client = Client::start();
    client.open("m.pml", "init{skip ;\n skip}\n");
    let options = json!({ "options": { "tabSize": 4, "insertSpaces": true } });
    let edits = client.ask("textDocument/formatting", "m.pml", options.clone());
    let expected = promela::format::format("init{skip ;\n skip}\n").expect("it can be formatted");
    assert_eq!(edits[0]["newText"], expected);
    client.edit("m.pml", range(0, 0, 2, 0), &expected);
    assert_eq!(client.ask("textDocument/formatting", "m.pml", options.clone()), json!([]));
    client.edit("m.pml", range(0, 4, 0, 6), "((");
    assert!(client.try_ask("textDocument/formatting", "m.pml", options).is_err());
    client.end();
}

#[test]
fn properties_and_assertions_have_commands_above_them() {
    let mut client = Client::start();
    client.open("m.pml", MODEL);
    let lenses = client.ask("textDocument/codeLens", "m.pml", json!({}));
    let found: Vec<(u64, &str)> = lenses
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|each| Some((each["range"]["start"]["line"].as_u64()?, each["command"]["title"].as_str()?)))
        .collect();
    assert_eq!(found, [(13, "verify the model"), (28, "verify small"), (21, "verify safety")]);
    client.end();
}

#[test]
fn unknown_requests_and_wrong_parameters_are_refused_and_the_server_goes_on() {
    let mut client = Client::start();
    client.open("m.pml", MODEL);
    assert!(client.try_request("textDocument/unheardOf", json!({})).expect_err("refused").contains("not served"));
    assert!(client.try_request("textDocument/hover", json!({ "position": 3 })).is_err());
    assert!(client.try_request("workspace/executeCommand", json!({ "command": "format.disk" })).is_err());
    client.notify("textDocument/didChange", json!({ "oops": true }));
    let far = json!({ "line": 4_000_000_000_u32, "character": u32::MAX });
    assert_eq!(client.ask_at("textDocument/hover", "m.pml", far), Value::Null);
    assert_eq!(client.ask_at("textDocument/hover", "closed.pml", json!({ "line": 0, "character": 0 })), Value::Null);
    client.end();
}

/// After any sequence of edits the answers are those of a server that sees the text for the first time.
#[test]
fn after_any_edits_the_answers_are_those_of_a_fresh_start() {
    const PIECES: &[&str] = &[
        "",
        " ",
        "\n",
        ";",
        "{",
        "}",
        "(",
        ")",
        "::",
        "if",
        "fi",
        "do",
        "od",
        "count",
        "Worker",
        "enter(1)",
        "/*",
        "*/",
        "\"",
        "#define X ",
        "byte ",
        "ü",
        "𝄞",
        "goto again",
        "->",
        "ltl q { <> done }",
        "queue?ask(_)",
        "#include \"m.pml\"\n",
    ];
    let mut state = 7_u64;
    let mut below = move |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let mut client = Client::start();
    client.open("m.pml", MODEL);
    let mut text = MODEL.to_owned();
    for round in 0..400 {
        let start = text.floor_char_boundary(below(text.len() + 1));
        let end = text.floor_char_boundary((start + below(12)).min(text.len())).max(start);
        let piece = PIECES[below(PIECES.len())];
        client.edit("m.pml", client::range_in(&text, start, end), piece);
        text.replace_range(start..end, piece);
        if round % 8 == 7 {
            let mut fresh = Client::start();
            fresh.open("m.pml", &text);
            assert_eq!(client.problems("m.pml"), fresh.problems("m.pml"), "{text}");
            for method in ["textDocument/documentSymbol", "textDocument/semanticTokens/full", "textDocument/codeLens"] {
                assert_eq!(
                    client.ask(method, "m.pml", json!({})),
                    fresh.ask(method, "m.pml", json!({})),
                    "{method}: {text}"
                );
            }
            let offset = text.floor_char_boundary(below(text.len() + 1));
            let place = client::range_in(&text, offset, offset)["start"].clone();
            for method in [
                "textDocument/hover",
                "textDocument/completion",
                "textDocument/definition",
                "textDocument/signatureHelp",
            ] {
                let answers = [&mut client, &mut fresh].map(|each| each.ask_at(method, "m.pml", place.clone()));
                assert_eq!(answers[0], answers[1], "{method}: {text}");
            }
            fresh.end();
        }
        if text.len() < 200 {
            let whole = client::range_in(&text, 0, text.len());
            client.edit("m.pml", whole, MODEL);
            MODEL.clone_into(&mut text);
        }
    }
    client.end();
}
