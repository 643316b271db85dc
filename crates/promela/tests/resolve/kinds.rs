//! What values stand for, and what channels carry: the inference on small models of the usual kinds.

use promela::model::{Array, DomainId, GlobalId, Kind, Model, MtypeSetId};

use crate::support::{codes, global, kind, local, model};

/// The names of the arrays in each domain but that of processes.
fn domains(model: &Model) -> Vec<(Option<u32>, Vec<String>)> {
    let name = |array: &Array| match *array {
        Array::Global(id) => model.globals[id.index()].name.to_string(),
        Array::Local(owner, id) => {
            let process = model.owner(owner).expect("a domain's arrays exist");
            format!("{}.{}", process.name, process.locals[id.index()].name)
        }
        Array::Field(structure, field) => {
            let structure = &model.structures[structure.index()];
            format!("{}.{}", structure.name, structure.fields[field as usize].name)
        }
    };
    model.domains[1..].iter().map(|domain| (domain.size, domain.arrays.iter().map(name).collect())).collect()
}

fn channel_type(model: &Model, name: &str) -> String {
    let variable = match name.split_once('.') {
        Some((process, name)) => local(model, process, name),
        None => global(model, name),
    };
    model.channel_type_name(variable.channel.expect("the test names a channel"))
}

#[test]
fn arrays_indexed_by_pid_belong_to_the_domain_of_processes() {
    let model = model(
        "byte state[3]; byte other[3]; byte leader;
         active [3] proctype P() { byte i; state[_pid] = 1; leader = _pid; i = leader; other[i] = 2; leader != 2 }",
    );
    assert_eq!(kind(&model, "leader"), Kind::Pid);
    assert_eq!(kind(&model, "P.i"), Kind::Pid);
    assert_eq!(kind(&model, "state"), Kind::Number);
    assert_eq!(global(&model, "state").index, Kind::Pid);
    assert_eq!(model.domains[0].arrays, [Array::Global(GlobalId(0)), Array::Global(GlobalId(1))]);
    assert!(domains(&model).is_empty());
}

#[test]
fn user_identifiers_form_a_domain_of_their_own() {
    let model = model(
        "byte flag[4], turn, count; byte free[2];
         proctype User(byte id; byte seat) { byte j; flag[id] = 1; turn = id; for (j in flag) { (flag[j] == 0) }; free[seat] = 1; count++ }
         init { run User(0, 1); run User(1, 0) }",
    );
    let domain = match kind(&model, "User.id") {
        Kind::Index(domain) => domain,
        other => panic!("{other:?}"),
    };
    assert_eq!(kind(&model, "turn"), Kind::Index(domain));
    assert_eq!(kind(&model, "User.j"), Kind::Index(domain));
    assert_eq!(kind(&model, "count"), Kind::Number);
    assert_ne!(kind(&model, "User.seat"), kind(&model, "User.id"));
    assert_eq!(domains(&model), [(Some(4), vec!["flag".into()]), (Some(2), vec!["free".into()])]);
}

#[test]
fn a_token_ring_keeps_its_domain_through_arithmetic() {
    let model = model(
        "#define N 3
         chan link[N] = [1] of { byte };
         proctype Station(byte me) { byte next; next = (me % N) + 1; link[next - 1]!me }
         init { run Station(1); run Station(2) }",
    );
    assert!(matches!(kind(&model, "Station.me"), Kind::Index(_)));
    assert_eq!(kind(&model, "Station.next"), kind(&model, "Station.me"));
    // The ring's members travel in the messages too.
    let ty = &model.channel_types[global(&model, "link").channel.expect("it is a channel").index()];
    assert_eq!(ty.fields[0].kind, kind(&model, "Station.me"));
}

#[test]
fn message_fields_carry_pids() {
    let model = model(
        "mtype = { req, ack }; chan q = [2] of { mtype, byte };
         active proctype Client() { q!req,_pid }
         active proctype Server() { byte who; mtype m; q?m,who; (m == req) -> assert(who == 0) }",
    );
    assert_eq!(kind(&model, "Server.who"), Kind::Pid);
    assert_eq!(kind(&model, "Server.m"), Kind::Mtype(MtypeSetId(0)));
    let ty = &model.channel_types[global(&model, "q").channel.expect("it is a channel").index()];
    assert_eq!(ty.fields.iter().map(|f| f.kind).collect::<Vec<_>>(), [Kind::Mtype(MtypeSetId(0)), Kind::Pid]);
    // The 0 in the assertion is a process.
    let body = format!("{:?}", model.processes[1].body);
    assert!(body.contains("kind: Constant(0), meaning: Pid"), "{body}");
}

#[test]
fn pids_flow_from_run_pid_variables_and_remote_references() {
    let model = model(
        "pid declared; byte started, asked, last;
         proctype P() { byte x; L: x = 1 }
         init { started = run P(); P[asked]@L; last = _last; (declared == 2) }",
    );
    for name in ["declared", "started", "asked", "last"] {
        assert_eq!(kind(&model, name), Kind::Pid, "{name}");
    }
}

#[test]
fn contradicting_uses_are_plain_numbers() {
    let model = model("mtype = { red }; byte x, y; init { x = _pid; y = red; x = y; assert(x == y) }");
    assert_eq!(kind(&model, "x"), Kind::Number);
    assert_eq!(kind(&model, "y"), Kind::Number);
}

#[test]
fn truth_is_what_comparisons_give_unless_it_is_used_as_more() {
    let model = model(
        "bool wants[2], turn, done; byte flag;
         active [2] proctype P() { wants[_pid] = true; turn = 1 - _pid; done = (turn == _pid); flag = done; flag > 0 }",
    );
    assert_eq!(kind(&model, "wants"), Kind::Truth);
    assert_eq!(kind(&model, "turn"), Kind::Pid);
    assert_eq!(kind(&model, "done"), Kind::Truth);
    assert_eq!(kind(&model, "flag"), Kind::Truth);
}

#[test]
fn fields_of_structures_have_kinds_and_arrays_in_them_domains() {
    let model = model(
        "typedef Node { byte parent; byte weight[3] } Node tree[5]; byte at, k;
         init { at = tree[at].parent; tree[at].weight[k] = 7; assert(tree[0].weight[0] == 7) }",
    );
    assert_eq!(kind(&model, "at"), model.structures[0].fields[0].kind);
    assert_eq!(domains(&model), [(Some(5), vec!["tree".into()]), (Some(3), vec!["Node.weight".into()])]);
    assert_eq!(model.structures[0].fields[1].index, kind(&model, "k"));
}

#[test]
fn order_says_nothing_about_what_a_number_is() {
    let model =
        model("byte a[3], i, limit; init { do :: i < limit -> a[i] = 1; i++ :: else -> break od; limit = a[0] }");
    assert!(matches!(kind(&model, "i"), Kind::Index(_)));
    assert_eq!(kind(&model, "limit"), Kind::Number);
}

#[test]
fn a_mtype_set_is_taken_from_the_names_that_flow_in() {
    let model =
        model("mtype:fruit = { apple }; mtype x; byte y, z; init { x = apple; y = x; assert(z == apple && y == 1) }");
    for name in ["x", "y", "z"] {
        assert_eq!(kind(&model, name), Kind::Mtype(MtypeSetId(1)), "{name}");
    }
}

#[test]
fn channel_types_are_found_through_parameters_assignments_and_arrays() {
    let model = model(
        "chan q[2] = [1] of { mtype, byte, pid }; chan copy;
         proctype P(chan c) { chan d; d = c; d?_,_,_ }
         init { copy = q[1]; run P(copy); q[0]!1,2,3 }",
    );
    for name in ["q", "copy", "P.c", "P.d"] {
        assert_eq!(channel_type(&model, name), "chan {mtype, byte, pid}", "{name}");
    }
}

#[test]
fn channels_that_carry_channels_are_seen_through() {
    let model = model(
        "chan reply = [1] of { byte, int }; chan request = [1] of { chan };
         active proctype Client() { request!reply; reply?1,2 }
         active proctype Server() { chan to; request?to; to!1,2 }",
    );
    assert_eq!(channel_type(&model, "request"), "chan {chan {byte, int}}");
    assert_eq!(channel_type(&model, "Server.to"), "chan {byte, int}");
}

#[test]
fn recursive_channel_types_are_minimised() {
    let text = "chan a = [1] of { chan, byte }; chan b = [1] of { chan, byte }; chan c = [1] of { chan, byte };
         init { a!b,1; b!c,1; c!a,1 }";
    let model = model(text);
    for name in ["a", "b", "c"] {
        assert_eq!(channel_type(&model, name), "rec X. chan {X, byte}", "{name}");
    }
    // They never meet in one class, and yet have one type.
    let model =
        crate::support::model("chan a = [1] of { chan }; chan b = [1] of { chan }; init { a!a; b!b; a?a; b?b }");
    assert_eq!(channel_type(&model, "a"), "rec X. chan {X}");
    assert_eq!(model.channel_types.len(), 1);
}

#[test]
fn the_type_of_a_channel_that_is_never_created_is_guessed_from_its_uses() {
    let model =
        model("chan q = [1] of { byte }; proctype P(chan c) { byte x; c!_pid; c?x; assert(x == 0) } init { q!1; q?1 }");
    assert_eq!(channel_type(&model, "P.c"), "chan {pid}");
    assert_eq!(kind(&model, "P.x"), Kind::Pid);
}

#[test]
fn channels_of_different_types_that_meet_are_reported() {
    let text = "chan a = [1] of { byte }; chan b = [1] of { byte, byte }; chan c;
        init { c = a; c = b; c!1; a?1; b?1,1 }";
    assert!(codes(text).contains(&"channel-type"));
    let fine = "chan a = [1] of { byte }; chan b = [2] of { byte }; chan c; init { c = a; c = b; c!1; a?1; b?1 }";
    assert!(!codes(fine).contains(&"channel-type"));
}

#[test]
fn constants_mean_what_they_meet() {
    let model = model("byte a[3], i; init { i = 2; (i == 1); a[i] = 5; (a[1] == 5) }");
    let body = format!("{:?}", model.processes[0].body);
    let index = format!("{:?}", Kind::Index(DomainId(1)));
    for text in [
        format!("Constant(2), meaning: {index}"),
        format!("Constant(1), meaning: {index}"),
        "Constant(5), meaning: Number".into(),
    ] {
        assert!(body.contains(&text), "{text} in {body}");
    }
}
