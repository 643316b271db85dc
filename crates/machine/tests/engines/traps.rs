//! What the compiled engine leaves to others: embedded C, and the automata of trace assertions.

use std::path::Path;
use std::sync::Arc;

use machine::Hidden;

use crate::support::Pair;

#[test]
fn embedded_c_and_traces_are_the_same_for_both_engines() {
    let directory = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/traps"));
    let mut count = 0;
    for path in directory.read_dir().expect("it is there").map(|entry| entry.expect("it can be read").path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !(name.starts_with("code-") || name.starts_with("trace-")) {
            continue;
        }
        let model = promela::load(&path, &promela::Options::default()).model.unwrap_or_else(|| panic!("{name}"));
        let machine = machine::embedded::lower(&model, Hidden::InState, directory)
            .unwrap_or_else(|failure| panic!("{name}: {failure}"));
        let mut pair = Pair::new(Arc::new(machine)).unwrap_or_else(|reason| panic!("{name}: {reason}"));
        pair.compare_states(500).unwrap_or_else(|difference| panic!("{name}: {difference}"));
        count += 1;
    }
    assert!(count >= 32, "{count}");
}

#[test]
fn embedded_c_that_was_not_compiled_is_refused_by_both_engines() {
    let models =
        ["byte x; init { c_code { now.x = 1; } }", "byte x; init { x = 1 } ltl p { <> c_expr { now.x == 1 } }"];
    for text in models {
        let machine = crate::support::read(text);
        assert!(Pair::new(machine.clone()).is_err(), "{text}");
        let compiled = machine::jit::CompiledMachine::new(machine, machine::jit::EmbeddedCode::none());
        assert!(compiled.is_err(), "{text}");
    }
}
