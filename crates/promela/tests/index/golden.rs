//! Small texts, and what their names mean.

use promela::preprocess::InMemory;
use promela::source::{FileId, Position};
use promela::{Options, load_with};

use crate::support::{definition_at, find, listing, load, place};

#[test]
fn every_kind_of_definition_is_there_with_its_uses() {
    let loaded = load(
        "mtype = { req, ack };\n\
         mtype:fruit = { pear };\n\
         typedef Slot { byte owner; mtype kind[2] };\n\
         Slot slots[3];\n\
         chan net = [1] of { mtype, Slot };\n\
         proctype P(byte me; mtype:fruit f) {\n\
         \tint sum = me;\n\
         again:\tslots[me].kind[0] = req;\n\
         \tif :: net?ack,slots[0] -> goto again :: f == pear fi\n\
         }\n\
         init { run P(1, pear); P:sum > 0; P[1]@again }\n\
         ltl safe { [] (P[1]@again || slots[0].owner == 0) }\n\
         never idle { do :: P[1]:sum == 3 od }\n",
    );
    assert!(loaded.model.is_some(), "{:?}", loaded.diagnostics);
    let expected = "\
1:11 mtype name req : mtype <- 8:28
1:16 mtype name ack : mtype <- 9:12
2:7 mtype set fruit <- 6:27
2:17 mtype name pear : mtype:fruit in fruit <- 9:47 11:17
3:9 typedef Slot <- 4:1 5:28
3:21 field owner : byte in Slot <- 12:39
3:34 field kind : mtype[2] in Slot <- 8:18
4:6 variable slots : Slot[3] <- 8:8 9:16 12:30
5:6 channel net : chan <- 9:8
6:10 proctype P <- 11:12 11:24 11:35 12:16 13:20
6:17 parameter me : byte in P <- 7:12 8:14
6:33 parameter f : mtype:fruit in P <- 9:42
7:6 variable sum : int in P <- 11:26 13:25
8:1 label again in P <- 9:33 11:40 12:21
11:1 init init
12:5 ltl property safe
13:7 never claim idle";
    assert_eq!(listing(&loaded).join("\n"), expected);
}

#[test]
fn text_of_inlines_is_defined_once_and_used_where_it_is_written() {
    let loaded = load(
        "byte x, y;\n\
         inline add(to, what) {\n\
         \tbyte twice = what * 2;\n\
         \tto = to + twice + x;\n\
         done:\tskip\n\
         }\n\
         active proctype P() { add(x, 1); add(y, x) }\n\
         active proctype Q() { byte z; add(z, y) }\n",
    );
    assert!(loaded.model.is_some(), "{:?}", loaded.diagnostics);
    let expected = "\
1:6 variable x : byte <- 4:20 7:27 7:41
1:9 variable y : byte <- 7:38 8:38
2:8 inline add <- 7:23 7:34 8:31
2:12 inline parameter to in add <- 4:2 4:7
2:16 inline parameter what in add <- 3:15
3:7 variable twice : byte in add <- 4:12
5:1 label done in add
7:17 proctype P
8:17 proctype Q
8:28 variable z : byte in Q <- 8:35";
    assert_eq!(listing(&loaded).join("\n"), expected);
}

#[test]
fn macros_are_definitions_and_what_they_hold_is_used_where_it_is_written() {
    let loaded = load(
        "#define N 2\n\
         #define NEXT(i) ((i + 1) % N)\n\
         #define GUARD (turn == me)\n\
         #define VAR(n) byte v_##n\n\
         byte turn;\n\
         VAR(a); VAR(b);\n\
         #ifdef N\n\
         active [N] proctype P() { byte me = _pid; GUARD; turn = NEXT(me); v_a = v_b }\n\
         #endif\n\
         #undef N\n",
    );
    assert!(loaded.model.is_some(), "{:?}", loaded.diagnostics);
    let expected = "\
1:9 macro N <- 2:28 7:8 8:9 10:8
2:9 macro NEXT <- 8:57
3:9 macro GUARD <- 8:43
4:9 macro VAR <- 6:1 6:9
4:21 variable v_a : byte <- 8:67
4:21 variable v_b : byte <- 8:73
5:6 variable turn : byte <- 3:16 8:50
8:21 proctype P
8:32 variable me : byte in P <- 3:24 8:62";
    assert_eq!(listing(&loaded).join("\n"), expected);
}

#[test]
fn included_files_have_their_own_places() {
    let files = InMemory::from([("lib.h", "#define N 2\nbyte shared[N];\ninline put(v) { shared[0] = v }\n")]);
    let text = "#include \"lib.h\"\ninit { put(N); shared[1] = 3 }\n";
    let loaded = load_with("m.pml", text, &Options::default(), &files);
    assert!(loaded.model.is_some(), "{:?}", loaded.diagnostics);
    let expected = "\
2:1 init init
lib.h:1:9 macro N <- 2:12 lib.h:2:13
lib.h:2:6 variable shared : byte[2] <- 2:16 lib.h:3:17
lib.h:3:8 inline put <- 2:8
lib.h:3:12 inline parameter v in put <- lib.h:3:29";
    assert_eq!(listing(&loaded).join("\n"), expected);
    let included = loaded.sources.files_at("lib.h").next().expect("it was read");
    let directive = loaded.sources.file(included).included_at.expect("it was included");
    assert_eq!(loaded.sources.snippet(directive), "#include \"lib.h\"");
}

#[test]
fn public_variables_of_a_process_further_down_are_found() {
    let loaded = load(
        "active proctype A() { byte n; n = B[anyRef(B)].level }\n\
         active [2] proctype B() { public byte level; ref A other; level = 1 }\n",
    );
    assert!(loaded.model.is_some(), "{:?}", loaded.diagnostics);
    let expected = "\
1:17 proctype A <- 2:50
1:28 variable n : byte in A <- 1:31
2:21 proctype B <- 1:35 1:44
2:39 variable level : byte in B <- 1:48 2:59
2:52 variable other : ref A in B";
    assert_eq!(listing(&loaded).join("\n"), expected);
}

#[test]
fn a_text_with_errors_has_an_index_and_what_could_be_made_of_its_model() {
    let loaded = load(
        "byte count, broken[0];\n\
         active proctype P() { byte mine; mine = ; goto nowhere; count = mine + Q:lost; }\n\
         proctype Q( { skip }\n\
         active proctype R() { count++; if :: count > fi; unknown = count }\n",
    );
    assert!(loaded.model.is_none());
    let lines = listing(&loaded);
    let expected = [
        "1:6 variable count : byte <- 2:57 4:23 4:38 4:60",
        "1:13 variable broken : byte",
        "2:17 proctype P",
        "2:28 variable mine : byte in P <- 2:34 2:65",
        "4:17 proctype R",
    ];
    for line in expected {
        assert!(lines.iter().any(|each| each == line), "{line}\nis not in\n{}", lines.join("\n"));
    }
    let partial = loaded.partial.expect("something could be made of it");
    assert_eq!(partial.globals.len(), 1);
    assert!(partial.processes.iter().any(|process| &*process.name == "R"));
}

#[test]
fn the_place_behind_a_name_belongs_to_it_and_the_place_before_a_name_to_that() {
    let loaded = load("byte a, b; init { a=b }");
    let at = |offset| {
        let position = Position { file: FileId::MAIN, offset };
        loaded.index.definition_at(&loaded.sources, position).map(|id| loaded.index.definition(id).name.to_string())
    };
    assert_eq!(at(18).as_deref(), Some("a"));
    assert_eq!(at(19).as_deref(), Some("a"));
    assert_eq!(at(20).as_deref(), Some("b"));
    assert_eq!(at(21).as_deref(), Some("b"));
    assert_eq!(at(17), None);
}

#[test]
fn expansions_tell_what_a_use_became() {
    let loaded = load(
        "#define N 3\n\
         #define NEXT(i) ((i + 1) % N)\n\
         byte x;\n\
         inline step(v, by) { v = NEXT(v + by); x++ }\n\
         init { byte y; step(y, N); x = NEXT(N); skip }\n",
    );
    let text = |text: &str, number| loaded.expansion_at(find(&loaded, text, number)).map(|found| found.text);
    assert_eq!(text("NEXT(N)", 1).as_deref(), Some("((3 + 1) % 3)"));
    assert_eq!(text("N);", 2).as_deref(), Some("3"));
    assert_eq!(text("NEXT(v", 1).as_deref(), Some("((v + by + 1) % 3)"));
    let inline = loaded.expansion_at(find(&loaded, "step", 2)).expect("an inline is used there");
    assert_eq!(inline.text.split_whitespace().collect::<Vec<_>>().join(" "), "{ y = ((y + 3 + 1) % 3); x++ }");
    assert_eq!(place(&loaded, inline.definition), "4:8");
    assert_eq!(text("skip", 1), None);
    assert_eq!(text("byte y", 1), None);
}

#[test]
fn the_outline_is_a_tree() {
    let loaded = load(
        "#define DECLARE byte made;\n\
         typedef T { byte f; int g }\nDECLARE\ninline i(p) { byte in_inline; p = 1 }\n\
         active proctype P() { T t; L: i(t.f); { byte inner; inner = 0 } }\nltl { <> (made > 0) }\n",
    );
    let name = |id| loaded.index.definition(id).name.to_string();
    let outline: Vec<String> = (loaded.index.symbols(&loaded.sources, FileId::MAIN).iter())
        .map(|symbol| {
            let children: Vec<String> = symbol.children.iter().map(|child| name(child.definition)).collect();
            format!("{}({})", name(symbol.definition), children.join(" "))
        })
        .collect();
    assert_eq!(outline, ["DECLARE()", "T(f g)", "made()", "i(p in_inline)", "P(t L inner)", "ltl_0()"]);
}

#[test]
fn completion_offers_what_can_be_used_at_a_place() {
    let files = InMemory::from([("lib.h", "byte from_lib;\n")]);
    let text = "#define LIMIT 3\nbyte above;\n#include \"lib.h\"\n\
         active proctype P(byte param) { byte first; L: { byte inner; skip }; first = 1; byte late }\n\
         byte below;\nproctype Q() { skip }\n";
    let loaded = load_with("m.pml", text, &Options::default(), &files);
    let names = |text: &str| {
        let found = loaded.index.symbols_in_scope(&loaded.sources, find(&loaded, text, 1));
        let written = |name: &String| !name.starts_with("__");
        found.iter().map(|&id| loaded.index.definition(id).name.to_string()).filter(written).collect::<Vec<_>>()
    };
    assert_eq!(names("skip }; first"), ["param", "first", "L", "inner", "above", "P", "Q", "from_lib", "LIMIT"]);
    assert_eq!(names("first = 1"), ["param", "first", "L", "above", "P", "Q", "from_lib", "LIMIT"]);
    assert_eq!(names("proctype Q"), ["above", "P", "below", "Q", "from_lib", "LIMIT"]);
    let fields = load("typedef T { byte f; int g } T t; init { t.f = 1 }");
    let t = definition_at(&fields, "t.f", 1);
    let names: Vec<_> =
        fields.index.fields_of(t).into_iter().map(|id| fields.index.definition(id).name.clone()).collect();
    assert_eq!(names, ["f".into(), "g".into()]);
}
