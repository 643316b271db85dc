//! Counts the states and transitions of a model with the reference interpreter: `cargo run --example count MODEL.pml`.

use std::collections::HashSet;

use machine::interpret::Interpreter;

fn main() {
    let path = std::env::args().nth(1).expect("a model");
    let loaded = promela::load(std::path::Path::new(&path), &promela::Options::default());
    let Some(model) = loaded.model else {
        for diagnostic in &loaded.diagnostics {
            println!("{}", diagnostic.message);
        }
        return;
    };
    let machine = machine::lower(&model);
    if std::env::args().nth(2).as_deref() == Some("-d") {
        for definition in &machine.definitions {
            println!("proctype {}", definition.automaton.name);
            for (number, location) in definition.automaton.locations.iter().enumerate() {
                for edge in &location.edges {
                    let text = &machine.action(edge.action).text;
                    println!(
                        "\tstate {number} -> state {} [{}] {text} {:?}",
                        edge.target.0,
                        if edge.atomic { "A" } else { "-" },
                        edge.escape
                    );
                }
            }
        }
        return;
    }
    let interpreter = Interpreter::new(&machine);
    let initial = interpreter.initial().expect("initial");
    let mut seen = HashSet::new();
    let mut stack = vec![initial.clone()];
    seen.insert(initial);
    let (mut transitions, mut errors, mut deadlocks) = (1_u64, 0_u64, 0_u64);
    while let Some(state) = stack.pop() {
        let successors = interpreter.successors(&state);
        errors += successors.errors.len() as u64;
        if successors.is_final && !interpreter.is_valid_end(&state) {
            deadlocks += 1;
        }
        for transition in successors.transitions {
            transitions += 1;
            if seen.insert(transition.target.clone()) {
                stack.push(transition.target);
            }
        }
    }
    println!("{} states {transitions} transitions {} errors", seen.len(), errors + deadlocks);
}
