//! What sugar becomes, compared with what `pan -d` of SPIN 6.5.2 shows for the same text (see `src/resolve/sugar.rs`).

use crate::support::{code, codes, local, model};

#[test]
fn a_for_over_a_range_counts_up_and_its_label_marks_the_loop() {
    assert_eq!(
        code("byte i; init { L: for (i : 1 .. 3) { skip }; goto L }"),
        "i = 1; L: do :: (i LessEqual 3); 1; i = (i Add 1) :: else; break od; goto L@0"
    );
}

#[test]
fn a_for_over_an_array_runs_over_its_indices() {
    assert_eq!(
        code("byte i, a[4]; init { for (i in a) { a[i] = 2 } }"),
        "i = 0; do :: (i LessEqual 3); a[i] = 2; i = (i Add 1) :: else; break od"
    );
}

#[test]
fn a_for_over_a_channel_rotates_its_messages() {
    let text = "typedef M { byte a; byte b[2] } chan q = [3] of { M }; init { M m; for (m in q) { m.a = 1 } }";
    assert_eq!(
        code(text),
        "_f0r_t3mp = 0; do :: (_f0r_t3mp Less Len(q)); q?m.a,m.b[0],m.b[1]; q!m.a,m.b[0],m.b[1]; m.a = 1; \
         _f0r_t3mp = (_f0r_t3mp Add 1) :: else; break od"
    );
}

#[test]
fn loops_over_channels_share_their_counter_within_a_scope() {
    let text = "typedef M { byte a } chan q = [3] of { M }; chan r = [300] of { M };
        init { M m; for (m in q) { skip }; for (m in q) { skip }; { for (m in r) { skip } } }";
    let model = model(text);
    let counters: Vec<_> = model.processes[0].locals.iter().filter(|l| &*l.name == "_f0r_t3mp").collect();
    assert_eq!(counters.len(), 2);
    assert_eq!(counters[0].ty, promela::model::Type::Byte);
    assert_eq!(counters[1].ty, promela::model::Type::Short);
}

#[test]
fn a_for_before_unless_keeps_its_first_step_outside() {
    assert_eq!(
        code("byte i; init { for (i : 1 .. 2) { skip } unless { i > 1 } }"),
        "i = 1; { do :: (i LessEqual 2); 1; i = (i Add 1) :: else; break od } unless { (i Greater 1) }"
    );
}

#[test]
fn a_plain_select_is_a_choice_of_at_most_33_values() {
    assert_eq!(code("byte i; init { select (i : 1 .. 3) }"), "if :: i = 1 :: i = 2 :: i = 3 fi");
    assert_eq!(code("byte i; init { L: select (i : 8 .. 9); goto L }"), "L: if :: i = 8 :: i = 9 fi; goto L@0");
    assert_eq!(code("byte i; init { select (i : 0 .. 32) }").matches("::").count(), 33);
    let counted = "i = 0; do :: (i Less 33); i = (i Add 1) :: break od";
    assert_eq!(code("byte i; init { select (i : 0 .. 33) }"), counted);
    assert_eq!(code("byte i; init { L: select (i : 0 .. 33); goto L }"), format!("L: {counted}; goto L@0"));
}

#[test]
fn any_other_select_counts_with_its_break_first() {
    let counted = "i = 1; do :: break :: (i Less 3); i = (i Add 1) od";
    for text in [
        "byte i; init { select (i : 1 .. 2+1) }",
        "byte i; init { select (i : (1) .. 3) }",
        "byte i; init { select (i : 1 ..\n 3) }",
    ] {
        assert_eq!(code(text), counted, "{text}");
    }
    assert_eq!(
        code("byte i; init { L: select (i : 1 .. 2+1); goto L }"),
        "i = 1; L: do :: break :: (i Less 3); i = (i Add 1) od; goto L@0"
    );
    let underscored = "i_ = 1; do :: break :: (i_ Less 3); i_ = (i_ Add 1) od";
    assert_eq!(code("byte i_; init { select (i_ : 1 .. 3) }"), underscored);
    assert_eq!(code("byte i; inline f() { select (i : 1 .. 3) } init { f() }"), format!("{{ {counted} }}"));
    let macros = "#define N 3\nbyte i; init { select (i : 1 .. N) }";
    assert_eq!(code(macros), "if :: i = 1 :: i = 2 :: i = 3 fi");
}

#[test]
fn increments_are_assignments() {
    assert_eq!(code("byte x, a[2]; init { x++; a[x]-- }"), "x = (x Add 1); a[x] = (a[x] Subtract 1)");
}

#[test]
fn inlines_are_blocks_and_return_assigns() {
    assert_eq!(code("byte x; inline f(a) { byte t = a; return t + 1 } init { x = f(3) }"), "{ t = 3; x = (t Add 1) }");
}

#[test]
fn declarations_at_the_start_are_no_steps_and_later_ones_are() {
    let text = "typedef T { byte f = 7 } init { byte a = 1; byte b[2] = 2; a = 3; byte c; byte d = a, e[3] = 4, g[2]; T t; chan q; skip }";
    assert_eq!(code(text), "a = 3; c = 0; d = a; e[0] = 4; g[0] = 0; 1; q = 0; 1");
    let model = model("init { byte a = 1; skip; byte b = 2; b = a }");
    assert!(matches!(local(&model, ":init:", "a").initial, promela::model::Initial::Value(_)));
    assert!(matches!(local(&model, ":init:", "b").initial, promela::model::Initial::Zero));
}

#[test]
fn declarations_in_inner_blocks_are_steps_at_every_pass() {
    assert_eq!(code("init { do :: byte x = 1; x++; break od }"), "do :: x = 1; x = (x Add 1); break od");
    assert_eq!(code("init { { byte x; x = 1 } }"), "{ x = 0; x = 1 }");
    assert_eq!(code("init { atomic { byte x; x = 1 } }"), "atomic { x = 0; x = 1 }");
}

#[test]
fn a_list_that_is_too_short_repeats_its_last_value() {
    let model = model("byte a[4] = { 1, 2 }; byte b[1] = { 1, 2 }; init { a[0] = b[0] }");
    let list = |index: usize| match &model.globals[index].initial {
        promela::model::Initial::List(values) => values.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!((list(0), list(1)), (vec![1, 2, 2, 2], vec![1]));
}

#[test]
fn options_skips_and_labels_stay_as_written() {
    for text in [
        "if :: else; x = 1 :: (x Equal 2) :: (x Equal 3) fi",
        "if :: 1; 1; 1; x = 1 :: printf(\"\"); 1; x = 4; 1; 1 fi",
        "1; accept: goto L; L: 1",
        "do :: 1; end: break od",
        "1; A: end: goto B; B: 1; goto A",
    ] {
        let text = text.replace("Equal", "==");
        let written = code(&format!("byte x; init {{ {text} }}"));
        assert_eq!(written.replace("Equal", "==").replace("@0", "").replace("@1", "").replace("@2", ""), text);
    }
    // Conditions that only happen to be true are no skips.
    assert_eq!(
        code("byte x; init { if :: x = 1; (2-1); (1==1); x = 2 fi }"),
        "if :: x = 1; (1 NotEqual 0); (1 NotEqual 0); x = 2 fi"
    );
}

#[test]
fn a_label_that_another_process_asks_for_is_marked() {
    let model = model("proctype P() { skip; A: goto B; B: skip } init { run P(); P[1]@A }");
    let remote: Vec<bool> = model.processes[0].labels.iter().map(|label| label.remote).collect();
    assert_eq!(remote, [true, false]);
    let model = self::model("active proctype P() { skip; A: goto B; B: skip } ltl f { <> P@B }");
    let remote: Vec<bool> = model.processes[0].labels.iter().map(|label| label.remote).collect();
    assert_eq!(remote, [false, true]);
}

#[test]
fn an_atomic_or_d_step_inside_another_is_a_block() {
    assert_eq!(code("init { atomic { skip; atomic { skip } } }"), "atomic { 1; { 1 } }");
    assert_eq!(code("init { atomic { skip; d_step { skip } } }"), "atomic { 1; d_step { 1 } }");
    assert_eq!(code("init { d_step { skip; atomic { skip }; d_step { skip } } }"), "d_step { 1; { 1 }; { 1 } }");
    assert_eq!(code("init { atomic { if :: atomic { skip } fi } }"), "atomic { if :: { 1 } fi }");
}

#[test]
fn unless_inside_a_d_step_is_a_choice() {
    assert_eq!(
        code("byte x; init { d_step { x = 1; { x == 2 } unless { x = 7 } } }"),
        "d_step { x = 1; if :: (x Equal 2) :: x = 7 fi }"
    );
}

#[test]
fn a_label_before_braces_with_unless_is_lifted() {
    assert_eq!(
        code("byte x; init { L: { x = 1 } unless { x = 2 }; goto L }"),
        "L: { x = 1 } unless { x = 2 }; goto L@0"
    );
}

#[test]
fn structures_in_messages_and_runs_are_flattened() {
    let text = "typedef U { byte x; byte y[2] } typedef T { byte a; U u } chan q = [1] of { byte, T }; \
                init { T t; q!1,t; q?eval(2),t; q?[_,t] }";
    assert_eq!(code(text), "q!1,t.a,t.u.x,t.u.y[0],t.u.y[1]; q?eval(2),t.a,t.u.x,t.u.y[0],t.u.y[1]; Poll");
    let text = "typedef T { byte a; byte b } init { T t; run P(t, 3) } proctype P(T t; byte c) { c = t.a }";
    assert_eq!(code(text), "run P(t.a,t.b,3)");
}

#[test]
fn jumps_find_the_label_that_spin_finds() {
    // Defined twice, in two blocks: each jump finds its own.
    assert_eq!(
        code("init { { skip; L: skip; goto L }; { skip; L: skip; goto L } }"),
        "{ 1; L: 1; goto L@0 }; { 1; L: 1; goto L@1 }"
    );
    // From outside, the last one counts.
    assert_eq!(code("init { { skip; L: skip }; { skip; L: skip }; goto L }"), "{ 1; L: 1 }; { 1; L: 1 }; goto L@1");
    // An outer label is found from inside.
    assert_eq!(code("init { { skip; goto L }; L: skip }"), "{ 1; goto L@0 }; L: 1");
}

#[test]
fn events_of_a_trace_compare_constants_and_evals_only() {
    let text = "mtype = { a }; byte x; chan q = [1] of { mtype, byte }; \
                trace { do :: q!a,x :: q?a,eval(x) :: q!_,3 od } init { q!a,1; q?a,1 }";
    let model = model(text);
    let trace = model.trace.as_ref().expect("the text has a trace");
    let promela::model::StatementKind::Do(options) = &trace.process.body.statements[0].kind else { panic!() };
    let compared = |option: &promela::model::Block| match &option.statements[0].kind {
        promela::model::StatementKind::Event(event) => event.arguments.iter().map(Option::is_some).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    let all: Vec<_> = options.iter().map(compared).collect();
    assert_eq!(all, [[true, false], [true, true], [false, true]]);
}

#[test]
fn predefined_names_are_found_and_priorities_assigned() {
    assert_eq!(
        code("init { _priority = 3; _ = _pid; (_nr_pr == 1) }"),
        "set_priority(_pid, 3); _ = _pid; (ProcessCount Equal 1)"
    );
    assert!(codes("init { _pid = 1 }").contains(&"read-only"));
}

#[test]
fn mtype_names_are_numbered_from_the_end_of_each_list() {
    let model = model("mtype = { a, b, c }; mtype:s = { p, q }; mtype = { d }; init { assert(a + d == 7) }");
    let named = |set: usize| {
        let mut members: Vec<(&str, i32)> = model.mtypes[set].members.iter().map(|(n, v)| (&**n, *v)).collect();
        members.sort_by_key(|member| member.1);
        members
    };
    assert_eq!(named(0), [("c", 1), ("b", 2), ("a", 3), ("d", 4)]);
    assert_eq!(named(1), [("q", 1), ("p", 2)]);
}

#[test]
fn active_processes_stand_in_the_order_of_the_text() {
    let model =
        model("active [2] proctype A() { skip } init { skip } proctype B() { skip } active proctype C() { skip }");
    let names: Vec<&str> = model.active.iter().map(|a| &*model.processes[a.process.index()].name).collect();
    assert_eq!(names, ["A", "A", ":init:", "C"]);
}

#[test]
fn globals_are_initialised_by_type() {
    let model = model(
        "int i = 1; byte b = 2; chan c = [1] of { byte }; bit t; unsigned u : 3; short s; mtype = { m }; mtype e; \
         typedef T { byte f } T r; init { b = i + t + u + s + e + r.f; c!1; c?1 }",
    );
    let order: Vec<&str> = model.initialisation_order().iter().map(|id| &*model.globals[id.index()].name).collect();
    assert_eq!(order, ["u", "t", "b", "e", "s", "i", "c", "r"]);
}

#[test]
fn long_chains_of_operators_become_shallow_trees() {
    let sum: Vec<String> =
        (0..5000).map(|n| if n % 3 == 0 { format!("- x * {n}") } else { format!("+ x + {n}") }).collect();
    let conjunction = vec!["x"; 5000].join(" && ");
    let model = model(&format!("int x; init {{ x = 0 {}; {conjunction} }}", sum.join(" ")));
    assert_eq!(model.processes[0].body.statements.len(), 2);
}
