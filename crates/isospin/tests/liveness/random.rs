//! Random small systems and random formulas: the verdict against a naive one.
//!
//! The naive way shares nothing with the search but the interpreter and the logic: all states are listed, the automaton of the
//! negation is another one (acceptance on states), the product is a matrix, and components are found by reachability.

use std::fmt::Write;
use std::sync::Arc;

use automata::automaton::{Automaton, StateId};
use automata::reduce::Kind;
use automata::translate::translate_to;
use isospin::verify::Fairness;
use machine::Machine;
use machine::claim::Property;
use machine::interpret::{Interpreter, Timeout};
use machine::random::Random;
use machine::state::State;
use oracle::liveness::Watched;

use crate::{holds, load};

/// One to three processes that walk through a few labels and set two bits on the way; some can get stuck.
fn random_model(random: &mut Random) -> String {
    let mut text = String::from("bit x, y;\n");
    let processes = 1 + random.below(3);
    for process in 0..processes {
        let labels = 1 + random.below(4);
        let _ = writeln!(text, "active proctype P{process}() {{ goto L0;");
        for label in 0..labels {
            let _ = write!(text, "L{label}: if");
            for _ in 0..1 + random.below(3) {
                let variable = ["x", "y"][random.below(2)];
                let action = match random.below(5) {
                    0 => format!("{variable} = 0"),
                    1 => format!("{variable} = 1"),
                    2 => format!("{variable} = 1 - {variable}"),
                    3 => format!("{variable} == 1"),
                    _ => format!("{variable} == 0"),
                };
                let _ = write!(text, " :: {action} -> goto L{}", random.below(labels));
            }
            text.push_str(" fi;\n");
        }
        text.push_str("}\n");
    }
    text
}

fn random_formula(random: &mut Random, depth: u32) -> String {
    if depth == 0 || random.below(6) == 0 {
        return ["(x == 1)", "(y == 1)", "(x == y)", "(x == 0)"][random.below(4)].to_owned();
    }
    let unary = |operator: &str, random: &mut Random| format!("({operator} {})", random_formula(random, depth - 1));
    match random.below(9) {
        0 => unary("!", random),
        1 | 2 => unary("[]", random),
        3 | 4 => unary("<>", random),
        5 => unary("X", random),
        binary => {
            let (left, right) = (random_formula(random, depth - 1), random_formula(random, depth - 1));
            format!("({left} {} {right})", ["U", "&&", "||"][binary - 6])
        }
    }
}

/// The reachable states and, for each, the steps out of it: the processes that move, and where it leads.
struct Explicit {
    values: Vec<u64>,
    steps: Vec<Vec<(Vec<u8>, usize)>>,
}

impl Explicit {
    fn new(machine: &Machine, property: &Property) -> Explicit {
        let interpreter = Interpreter::new(machine);
        let mut states: Vec<State> = vec![interpreter.initial().unwrap()];
        let mut steps = Vec::new();
        let mut next = 0;
        while next < states.len() {
            let mut out = Vec::new();
            for transition in interpreter.successors(&states[next].clone()).transitions {
                let target = states.iter().position(|state| *state == transition.target).unwrap_or(states.len());
                if target == states.len() {
                    states.push(transition.target);
                }
                out.push((transition.steps.iter().map(|step| step.pid.0).collect(), target));
            }
            if out.is_empty() {
                out.push((Vec::new(), next));
            }
            steps.push(out);
            next += 1;
        }
        let value = |state: &State| {
            let atoms = property.atoms.iter().enumerate();
            atoms.fold(0, |word, (bit, atom)| {
                word | u64::from(interpreter.global_value(state, &atom.expression, Timeout::No).unwrap() != 0) << bit
            })
        };
        Explicit { values: states.iter().map(value).collect(), steps }
    }

    /// Whether no run, fair if that is asked for, is accepted.
    fn avoids(&self, automaton: &Automaton, fairness: Fairness) -> bool {
        let width = automaton.state_count();
        let count = self.values.len() * width;
        let mut edges: Vec<(usize, usize, u64)> = Vec::new();
        for (state, out) in self.steps.iter().enumerate() {
            let enabled = out.iter().filter_map(|(pids, _)| pids.first()).fold(0u64, |set, pid| set | 2 << pid);
            for location in automaton.states() {
                for edge in automaton.edges(location) {
                    if !automaton.guard_holds(edge.guard, |atom| self.values[state] >> atom.index() & 1 == 1) {
                        continue;
                    }
                    for (pids, target) in out {
                        let fair = pids.iter().fold(!enabled, |set, pid| set | 2 << pid);
                        let marks = u64::from(!edge.marks.is_empty()) | (fair & !1);
                        edges.push((state * width + location.index(), target * width + edge.target.index(), marks));
                    }
                }
            }
        }
        let wanted = if fairness == Fairness::Weak { u64::MAX } else { 1 };
        let mut reach = vec![vec![false; count]; count];
        edges.iter().for_each(|&(from, to, _)| reach[from][to] = true);
        for middle in 0..count {
            let row = reach[middle].clone();
            for from in reach.iter_mut().filter(|from| from[middle]) {
                from.iter_mut().zip(&row).for_each(|(to, &also)| *to |= also);
            }
        }
        let start = StateId::index(automaton.initial());
        !(0..count).any(|node| {
            let member = |other: usize| reach[node][other] && reach[other][node];
            let inner = edges.iter().filter(|&&(from, to, _)| member(from) && member(to));
            let marks = inner.fold(0, |all, &(_, _, marks)| all | marks);
            (node == start || reach[start][node]) && reach[node][node] && marks & wanted == wanted
        })
    }
}

impl Explicit {
    /// The same for strongly fair runs: around each node, what asks for a process that never moves is taken away until nothing does.
    fn avoids_strongly(&self, automaton: &Automaton) -> bool {
        let width = automaton.state_count();
        let count = self.values.len() * width;
        let enabled: Vec<u64> = (0..count)
            .map(|node| {
                self.steps[node / width].iter().filter_map(|(pids, _)| pids.first()).fold(0, |set, pid| set | 1 << pid)
            })
            .collect();
        let mut edges: Vec<(usize, usize, u64, bool)> = Vec::new();
        for (state, out) in self.steps.iter().enumerate() {
            for location in automaton.states() {
                for edge in automaton.edges(location) {
                    if automaton.guard_holds(edge.guard, |atom| self.values[state] >> atom.index() & 1 == 1) {
                        for (pids, target) in out {
                            let moved = pids.iter().fold(0, |set, pid| set | 1 << pid);
                            let (from, to) = (state * width + location.index(), target * width + edge.target.index());
                            edges.push((from, to, moved, !edge.marks.is_empty()));
                        }
                    }
                }
            }
        }
        let reach = |start: usize, region: &[bool], backwards: bool| {
            let mut found = vec![false; count];
            found[start] = true;
            let mut before = 0;
            while before != found.iter().filter(|&&is_found| is_found).count() {
                before = found.iter().filter(|&&is_found| is_found).count();
                for &(from, to, ..) in edges.iter().filter(|&&(from, to, ..)| region[from] && region[to]) {
                    let (from, to) = if backwards { (to, from) } else { (from, to) };
                    found[to] |= found[from];
                }
            }
            found
        };
        let everything = vec![true; count];
        let reachable = reach(StateId::index(automaton.initial()), &everything, false);
        !(0..count).filter(|&node| reachable[node]).any(|node| {
            let mut region = everything.clone();
            loop {
                let (ahead, behind) = (reach(node, &region, false), reach(node, &region, true));
                let member = |other: usize| ahead[other] && behind[other];
                let inner =
                    || edges.iter().filter(|&&(from, to, ..)| region[from] && region[to] && member(from) && member(to));
                let moved = inner().fold(0, |all, &(_, _, moved, _)| all | moved);
                let asked = (0..count).filter(|&other| member(other)).fold(0, |all, other| all | enabled[other]);
                if !inner().any(|&(.., accepting)| accepting) {
                    return false;
                }
                let owed = asked & !moved;
                if owed == 0 {
                    return true;
                }
                if enabled[node] & owed != 0 {
                    return false;
                }
                (0..count).filter(|&other| enabled[other] & owed != 0).for_each(|other| region[other] = false);
            }
        })
    }
}

#[test]
fn verdicts_with_strong_fairness_are_those_of_the_naive_product() {
    let mut verdicts = [0; 2];
    for seed in 1_000..1_160 {
        let mut random = Random::new(seed);
        let formula = random_formula(&mut random, 2);
        let text = format!("{}ltl p {{ {formula} }}\n", random_model(&mut random));
        let machine: Arc<Machine> = load(&text);
        let property = &machine.ltl[0];
        let automaton = translate_to(&property.formula.negated(), Kind::BuchiStates).unwrap();
        let explicit = Explicit::new(&machine, property);
        if explicit.values.len() * automaton.state_count() > 120 {
            continue;
        }
        let expected = explicit.avoids_strongly(&automaton);
        assert_eq!(holds(&machine, &Watched::Formula("p".into()), Fairness::Strong), expected, "{text}");
        verdicts[usize::from(expected)] += 1;
    }
    assert!(verdicts[0] > 20 && verdicts[1] > 20, "{verdicts:?}");
}

#[test]
fn strong_fairness_helps_who_can_move_now_and_then() {
    let text = "bit x, y; active proctype P() { do :: y = 1 - y od } active proctype Q() { y == 1 -> x = 1 }
                ltl p { <> (x == 1) }";
    let machine = load(text);
    let property = Watched::Formula("p".into());
    let verdicts =
        [Fairness::None, Fairness::Weak, Fairness::Strong].map(|fairness| holds(&machine, &property, fairness));
    assert_eq!(verdicts, [false, false, true]);
}

#[test]
fn verdicts_on_random_systems_and_formulas_are_those_of_the_naive_product() {
    let mut verdicts = [0; 2];
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let formula = random_formula(&mut random, 3);
        let text = format!("{}ltl p {{ {formula} }}\n", random_model(&mut random));
        let machine: Arc<Machine> = load(&text);
        let property = &machine.ltl[0];
        let automaton = translate_to(&property.formula.negated(), Kind::BuchiStates).unwrap();
        let explicit = Explicit::new(&machine, property);
        if explicit.values.len() * automaton.state_count() > 300 {
            continue;
        }
        for fairness in [Fairness::None, Fairness::Weak] {
            let expected = explicit.avoids(&automaton, fairness);
            assert_eq!(holds(&machine, &Watched::Formula("p".into()), fairness), expected, "{fairness:?}\n{text}");
            verdicts[usize::from(expected)] += 1;
        }
    }
    assert!(verdicts[0] > 50 && verdicts[1] > 50, "{verdicts:?}");
}
