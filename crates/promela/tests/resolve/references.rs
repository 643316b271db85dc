//! Process references, an extension: the rules of Derepas and Gastin's figure 2, and the rest of their language.

use promela::model::{Base, Kind, PortDirection, Type};

use crate::support::{code, codes, global, load, local, model};

/// The allowed column of the figure, inside `client`.
const ALLOWED: [&str; 8] = [
    "cli == _lid",
    "cli = _lid",
    "cli = _undef_ref",
    "q!_lid",
    "q!anyRef(client)",
    "ser = anyRef(server)",
    "cli == _undef_ref",
    "cli = cli",
];

/// The other column, and its like.
const FORBIDDEN: [&str; 11] = [
    "cli == n",
    "cli = 1",
    "cli < _lid",
    "q!3",
    "q!ser",
    "ser == cli",
    "ser = cli",
    "n = cli",
    "cli + 1 > 0",
    "q?ser",
    "n = _lid",
];

fn figure(statement: &str) -> String {
    format!(
        "chan q = [2] of {{ ref client }}; int n;
         proctype server() {{ skip }}
         proctype client() {{ ref client cli; ref server ser; cli = _lid; ser = _undef_ref; {statement}; (ser == _undef_ref && cli == _lid) }}
         init {{ run server(); run client(); q?_; n > 0 }}"
    )
}

#[test]
fn what_the_figure_allows_is_accepted() {
    for statement in ALLOWED {
        let loaded = load(&figure(statement));
        let errors: Vec<_> = loaded.diagnostics.iter().filter(|d| d.is_error()).collect();
        assert!(loaded.model.is_some(), "{statement}: {errors:?}");
    }
}

#[test]
fn what_the_figure_forbids_is_refused() {
    for statement in FORBIDDEN {
        assert!(codes(&figure(statement)).contains(&"reference"), "{statement}");
    }
}

#[test]
fn references_have_their_own_type_and_kind() {
    let model = model(&figure("skip"));
    let cli = local(&model, "client", "cli");
    let Type::Ref(process) = cli.ty else { panic!("{:?}", cli.ty) };
    assert_eq!(&*model.processes[process.index()].name, "client");
    assert_eq!(cli.kind, Kind::Reference(process));
    assert!(model.features.references);
}

#[test]
fn public_variables_are_read_and_set_through_references() {
    let server = "proctype server() { public chan inbox = [1] of { byte }; public bool busy; inbox?1; busy = true }";
    let client = "proctype client() { ref server s; s = anyRef(server); server[s].inbox!1; (server[s].busy == 0) }";
    // Clients and servers refer to each other, so the order of proctypes cannot matter.
    for (text, process) in [(format!("{server} {client}"), 0), (format!("{client} {server}"), 1)] {
        let text = text + " init { run client(); run server() }";
        let model = model(&text);
        let body = format!("{:?}", model.processes[1 - process].body);
        let inbox = Base::Public(promela::model::ProcessId(process as u32), promela::model::LocalId(0));
        assert!(body.contains(&format!("{inbox:?}")), "{body}");
        assert!(codes(&text.replace("(server[s].busy == 0)", "server[s].busy = 0")).is_empty());
        assert!(codes(&text.replace("(server[s].busy == 0)", "(server[s].idle == 0)")).contains(&"unknown-public"));
    }
}

#[test]
fn a_loop_over_a_public_channel_further_down_does_not_shift_the_variables() {
    let model = model(
        "typedef M { byte x }
         proctype client() { ref server s; M m; s = anyRef(server); for (m in server[s].inbox) { (m.x == server[s].load) }; public byte mine = 3; (mine == 3) }
         proctype server() { ref client c; public chan inbox = [1] of { M }; public byte load; M m; c = anyRef(client); inbox?m; load = client[c].mine; (load == m.x) }
         init { run client(); run server() }",
    );
    let mine = model.processes[0].locals.iter().position(|local| &*local.name == "mine").expect("it is declared");
    let base = Base::Public(promela::model::ProcessId(0), promela::model::LocalId(mine as u32));
    assert!(format!("{:?}", model.processes[1].body).contains(&format!("{base:?}")));
}

#[test]
fn external_channels_and_variables_keep_their_names() {
    let text = "chan out (extern DISPLAY !) = [1] of { byte }, in (extern KEYS) = [0] of { bit }; byte x[2] (extern X) = 3; init { out!x[0]; in?1 }";
    let model = model(text);
    let external =
        |name| global(&model, name).external.clone().map(|external| (external.name.to_string(), external.direction));
    assert_eq!(external("out"), Some(("DISPLAY".into(), Some(PortDirection::Send))));
    assert_eq!(external("in"), Some(("KEYS".into(), None)));
    assert_eq!(external("x"), Some(("X".into(), None)));
}

#[test]
fn the_words_of_the_extension_are_plain_names_otherwise() {
    let text = "byte ref, public, anyRef, extern; init { byte _lid; ref = 1; public = ref; anyRef = public; extern = anyRef; _lid = extern; assert(_lid == 1) }";
    assert_eq!(
        code(text),
        "ref = 1; public = ref; anyRef = public; extern = anyRef; _lid = extern; assert((_lid Equal 1))"
    );
    assert!(!model(text).features.references);
}

#[test]
fn a_statement_makes_one_choice_and_a_d_step_none() {
    let text = |body: &str| {
        format!(
            "proctype P() {{ skip }} chan q = [1] of {{ ref P, ref P }}; init {{ ref P r; {body}; r = _undef_ref; run P() }}"
        )
    };
    for (body, count) in [
        ("r = anyRef(P); r = anyRef(P)", 0),
        ("if :: r = anyRef(P) :: q!anyRef(P), r fi", 0),
        ("q!anyRef(P), anyRef(P)", 1),
        ("d_step { r = anyRef(P); r = _undef_ref }", 1),
        ("atomic { r = anyRef(P); r = _undef_ref }", 0),
    ] {
        let found = codes(&text(body)).into_iter().filter(|&code| code == "reference").count();
        assert_eq!(found, count, "{body}");
    }
}
