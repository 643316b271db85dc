//! Random small models and random formulas: verdicts are those of an evaluation by naive fixpoints over the interpreter's states, and the evidence is
//! checked step by step.

use std::collections::HashMap;
use std::num::NonZeroUsize;

use automata::ctl::{Ctl, Operator, Part, Quantifier, parse};
use isospin::verify::{
    Because, Branching, Engine, Fairness, Job, Options, Properties, Strategy, Switch, Symmetry, Tree, Verdict, verify,
};
use machine::Machine;
use machine::claim::Atom;
use machine::interpret::{Interpreter, Timeout};
use machine::random::Random;
use machine::simulate::Statements;
use machine::state::State;
use oracle::liveness::{Watched, pairs};

/// All states and, for each, its transitions: the processes that move, and where it leads.
struct Explicit {
    states: Vec<State>,
    steps: Vec<Vec<(u64, usize)>>,
    enabled: Vec<u64>,
}

impl Explicit {
    fn new(machine: &Machine, most: usize) -> Option<Explicit> {
        let interpreter = Interpreter::new(machine);
        let mut numbers: HashMap<Vec<u8>, usize> = HashMap::new();
        let mut states = vec![interpreter.initial().ok()?];
        numbers.insert(states[0].bytes().to_vec(), 0);
        let (mut steps, mut enabled) = (Vec::new(), Vec::new());
        let mut next = 0;
        while next < states.len() {
            if states.len() > most {
                return None;
            }
            let found = interpreter.successors(&states[next].clone());
            let rests = found.transitions.is_empty();
            let (mut out, mut able) = (Vec::new(), 0);
            for transition in found.transitions {
                let count = states.len();
                let target = *numbers.entry(transition.target.bytes().to_vec()).or_insert(count);
                if target == count {
                    states.push(transition.target);
                }
                able |= 1 << transition.steps[0].pid.0;
                out.push((transition.steps.iter().fold(0, |movers, step| movers | 1 << step.pid.0), target));
            }
            if rests {
                out.push((0, next));
            }
            steps.push(out);
            enabled.push(able);
            next += 1;
        }
        Some(Explicit { states, steps, enabled })
    }

    /// The states from which a fair run stays in a set, by its definition: a state is in a fair cycle when, within some set of states that can all
    /// reach each other, every process moves or is not owed a move. All strongly connected subsets of states are tried by removing states that ask for what is
    /// not answered, one process after the other, in every order that matters.
    fn fair_globally(&self, inside: &[bool], fairness: Fairness) -> Vec<bool> {
        let count = self.states.len();
        let mut good = vec![false; count];
        for start in (0..count).filter(|&state| inside[state]) {
            if !good[start] {
                let mut region = inside.to_vec();
                if let Some(component) = self.fair_component(start, &mut region, fairness) {
                    component.into_iter().for_each(|state| good[state] = true);
                }
            }
        }
        // Backwards, inside the set.
        loop {
            let mut changed = false;
            for state in 0..count {
                if !good[state] && inside[state] && self.steps[state].iter().any(|&(_, target)| good[target]) {
                    good[state] = true;
                    changed = true;
                }
            }
            if !changed {
                return good;
            }
        }
    }

    /// A fair component around a state, within a region.
    fn fair_component(&self, start: usize, region: &mut [bool], fairness: Fairness) -> Option<Vec<usize>> {
        loop {
            let ahead = self.reach(start, region, false);
            let behind = self.reach(start, region, true);
            let members: Vec<usize> =
                (0..self.states.len()).filter(|&state| region[state] && ahead[state] && behind[state]).collect();
            let (mut moved, mut able, mut always, mut edges) = (0_u64, 0_u64, u64::MAX, 0);
            for &state in &members {
                able |= self.enabled[state];
                let mut has_edge = false;
                for &(movers, target) in &self.steps[state] {
                    if members.contains(&target) {
                        moved |= movers;
                        edges += 1;
                        has_edge = true;
                    }
                }
                if has_edge {
                    always &= self.enabled[state];
                }
            }
            if edges == 0 {
                return None;
            }
            match fairness {
                Fairness::None => return Some(members),
                Fairness::Weak => return (always & !moved == 0).then_some(members),
                Fairness::Strong if able & !moved == 0 => return Some(members),
                Fairness::Strong => {
                    let owed = able & !moved;
                    if self.enabled[start] & owed != 0 {
                        return None;
                    }
                    members
                        .iter()
                        .filter(|&&state| self.enabled[state] & owed != 0)
                        .for_each(|&state| region[state] = false);
                }
            }
        }
    }

    fn reach(&self, start: usize, region: &[bool], backwards: bool) -> Vec<bool> {
        let mut found = vec![false; self.states.len()];
        found[start] = region[start];
        loop {
            let mut changed = false;
            for state in (0..self.states.len()).filter(|&state| region[state]) {
                for &(_, target) in self.steps[state].iter().filter(|&&(_, target)| region[target]) {
                    let (from, to) = if backwards { (target, state) } else { (state, target) };
                    if found[from] && !found[to] {
                        found[to] = true;
                        changed = true;
                    }
                }
            }
            if !changed {
                return found;
            }
        }
    }

    fn evaluate(&self, formula: &Ctl, holds: &dyn Fn(usize, u32) -> bool, fairness: Fairness) -> Vec<Vec<bool>> {
        let count = self.states.len();
        let fair = self.fair_globally(&vec![true; count], fairness);
        let not = |set: &[bool]| -> Vec<bool> { set.iter().map(|value| !value).collect() };
        let and = |a: &[bool], b: &[bool]| -> Vec<bool> { a.iter().zip(b).map(|(a, b)| *a && *b).collect() };
        let or = |a: &[bool], b: &[bool]| -> Vec<bool> { a.iter().zip(b).map(|(a, b)| *a || *b).collect() };
        let next = |set: &[bool]| -> Vec<bool> {
            (0..count).map(|state| self.steps[state].iter().any(|&(_, to)| set[to] && fair[to])).collect()
        };
        let until = |before: &[bool], goal: &[bool]| -> Vec<bool> {
            let mut set = and(goal, &fair);
            loop {
                let more = or(
                    &set,
                    &and(
                        before,
                        &(0..count).map(|state| self.steps[state].iter().any(|&(_, to)| set[to])).collect::<Vec<_>>(),
                    ),
                );
                if more == set {
                    return set;
                }
                set = more;
            }
        };
        let globally = |set: &[bool]| self.fair_globally(set, fairness);
        let all = vec![true; count];
        let mut sets: Vec<Vec<bool>> = Vec::new();
        for part in formula.parts() {
            let of = |part: Part| sets[part.index()].clone();
            let set = match formula.operator(part) {
                Operator::Constant(value) => vec![value; count],
                Operator::Atom(atom) => (0..count).map(|state| holds(state, atom)).collect(),
                Operator::Not(f) => not(&of(f)),
                Operator::And(f, g) => and(&of(f), &of(g)),
                Operator::Or(f, g) => or(&of(f), &of(g)),
                Operator::Implies(f, g) => or(&not(&of(f)), &of(g)),
                Operator::Equivalent(f, g) => or(&and(&of(f), &of(g)), &and(&not(&of(f)), &not(&of(g)))),
                Operator::Next(Quantifier::Some, f) => next(&of(f)),
                Operator::Next(Quantifier::All, f) => not(&next(&not(&of(f)))),
                Operator::Finally(Quantifier::Some, f) => until(&all, &of(f)),
                Operator::Finally(Quantifier::All, f) => not(&globally(&not(&of(f)))),
                Operator::Globally(Quantifier::Some, f) => globally(&of(f)),
                Operator::Globally(Quantifier::All, f) => not(&until(&all, &not(&of(f)))),
                Operator::Until(Quantifier::Some, f, g) => until(&of(f), &of(g)),
                Operator::Until(Quantifier::All, f, g) => {
                    let (f, g) = (not(&of(f)), not(&of(g)));
                    not(&or(&until(&g, &and(&f, &g)), &globally(&g)))
                }
                Operator::WeakUntil(Quantifier::Some, f, g) => or(&until(&of(f), &of(g)), &globally(&of(f))),
                // f W g is g R (f || g).
                Operator::WeakUntil(Quantifier::All, f, g) => {
                    let either = or(&of(f), &of(g));
                    not(&until(&not(&of(g)), &not(&either)))
                }
                Operator::Release(Quantifier::Some, f, g) => {
                    or(&until(&of(g), &and(&of(f), &of(g))), &globally(&of(g)))
                }
                Operator::Release(Quantifier::All, f, g) => not(&until(&not(&of(f)), &not(&of(g)))),
            };
            sets.push(set);
        }
        sets
    }
}

const ATOMS: [&str; 6] = ["g == 1", "h == 1", "g == h", "len(c) == 0", "a[0] == 1", "a[0] == a[1]"];

fn random_formula(random: &mut Random, depth: u32) -> String {
    if depth == 0 || random.below(7) == 0 {
        return ATOMS[random.below(ATOMS.len())].to_string();
    }
    let quantifier = ["A", "E"][random.below(2)];
    let mut inner = || random_formula(random, depth - 1);
    let (f, g) = (inner(), inner());
    match random.below(11) {
        0 => format!("!({f})"),
        1 => format!("(({f}) && ({g}))"),
        2 => format!("(({f}) -> ({g}))"),
        3 => format!("(({f}) || ({g}))"),
        4 => format!("{quantifier}X ({f})"),
        5 | 6 => format!("{quantifier}F ({f})"),
        7 | 8 => format!("{quantifier}G ({f})"),
        9 => format!("{quantifier}[{f} U {g}]"),
        _ => format!("{quantifier}[{f} {} {g}]", ["W", "R"][random.below(2)]),
    }
}

/// The model of a random pair, without its property, and with what the formula's propositions mean.
fn model(seed: u64, formula: &Ctl) -> Option<(Machine, Vec<Atom>)> {
    let pair = pairs(seed).into_iter().find(|pair| matches!(pair.property, Watched::Formula(_)))?;
    let mut text = pair.text.lines().filter(|line| !line.starts_with("ltl")).collect::<Vec<_>>().join("\n");
    for (number, proposition) in formula.propositions.iter().enumerate() {
        text += &format!("\nltl atom_{number} {{ ({}) }}", proposition.text);
    }
    let loaded = promela::load_text("m.pml", &text, &promela::Options::default());
    let mut machine = machine::lower(&loaded.model?);
    let atoms = std::mem::take(&mut machine.ltl).into_iter().filter_map(|property| property.proposition).collect();
    Some((machine, atoms))
}

#[test]
fn verdicts_are_those_of_naive_fixpoints() {
    let mut verdicts = [0; 2];
    let (mut reduced, mut runs) = (0, 0);
    for seed in 0..150 {
        let mut random = Random::new(seed * 7919 + 1);
        let formula = parse(&random_formula(&mut random, 3)).expect("it is a formula");
        let Some((machine, atoms)) = model(seed, &formula) else { continue };
        let Some(explicit) = Explicit::new(&machine, 120) else { continue };
        let interpreter = Interpreter::new(&machine);
        let statements = Statements::new(&machine);
        let holds = |state: usize, atom: u32| {
            interpreter
                .global_value(&explicit.states[state], &atoms[atom as usize].expression, Timeout::No)
                .unwrap_or(0)
                != 0
        };
        for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
            let sets = explicit.evaluate(&formula, &holds, fairness);
            let expected = sets[formula.root().index()][0];
            verdicts[usize::from(expected)] += 1;
            for symmetry in [Symmetry::Off, Symmetry::Detect(Strategy::Exact)] {
                let options = Options {
                    properties: Properties::Named(vec!["f".into()]),
                    fairness,
                    symmetry,
                    workers: NonZeroUsize::MIN,
                    engine: if seed % 8 == 0 { Engine::Compiled } else { Engine::Interpreter },
                    partial_order: Switch::On,
                    ..Options::default()
                };
                let property = Branching { name: "f".into(), formula: formula.clone(), atoms: atoms.clone() };
                let job = Job { branching: vec![property], ..Job::new(machine.clone()) };
                let finding = verify(&job, &options).expect("it can be verified").remove(0);
                let text = formula.text(formula.root());
                let context = format!("seed {seed} {fairness:?} {symmetry:?}: {text}");
                assert_eq!(finding.verdict == Verdict::Holds, expected, "{context} {:?}", finding.verdict);
                reduced += u32::from(finding.symmetry.is_some());
                let tree = finding.evidence.expect("there is evidence");
                let checker = Checker {
                    explicit: &explicit,
                    interpreter: &interpreter,
                    statements: &statements,
                    formula: &formula,
                    sets: &sets,
                };
                runs += checker.check(&tree, 0, &context);
            }
        }
    }
    assert!(verdicts.iter().all(|&count| count > 60), "{verdicts:?}");
    assert!(reduced > 5 && runs > 100, "{reduced} reduced, {runs} runs");
}

/// Follows the evidence in the naive graph.
struct Checker<'a> {
    explicit: &'a Explicit,
    interpreter: &'a Interpreter<'a>,
    statements: &'a Statements,
    formula: &'a Ctl,
    sets: &'a [Vec<bool>],
}

impl Checker<'_> {
    /// Checks that what a tree says of a state is so; the number of runs in it.
    fn check(&self, tree: &Tree, state: usize, context: &str) -> u32 {
        let part = self.formula.parts().find(|&part| self.formula.text(part).to_string() == tree.formula);
        let part = part.unwrap_or_else(|| panic!("{context}: `{}` is no part of it", tree.formula));
        assert_eq!(self.sets[part.index()][state], tree.holds, "{context}: {}", tree.formula);
        match &tree.because {
            Because::OfTheState | Because::OfEveryRun { .. } | Because::Omitted => 0,
            Because::OfParts(parts) => parts.iter().map(|each| self.check(each, state, context)).sum(),
            Because::OfRun { steps, cycle_start, points } => {
                let mut after = vec![Some(state)];
                let mut here = self.explicit.states[state].clone();
                let mut done = 0;
                while done < steps.len() {
                    let found = self.interpreter.successors(&here).transitions.into_iter().find(|transition| {
                        let parts =
                            steps[done..].iter().flat_map(|step| std::iter::once(&step.part).chain(&step.partner));
                        transition.steps.iter().zip(parts).all(|(one, part)| {
                            let number = self.statements.number(one.action).0;
                            (one.pid.0, one.from.0, one.to.0, number) == (part.pid, part.from, part.to, part.state)
                        })
                    });
                    let found = found.unwrap_or_else(|| panic!("{context}: step {done} is not possible"));
                    let halves: Vec<usize> = steps.iter().map(|step| 1 + usize::from(step.partner.is_some())).collect();
                    let (mut taken, mut end) = (0, done);
                    while taken < found.steps.len() {
                        taken += halves[end];
                        end += 1;
                        after.push(None);
                    }
                    done = end;
                    here = found.target;
                    let number = self.explicit.states.iter().position(|known| *known == here);
                    after[done] = number;
                }
                if let Some(start) = cycle_start {
                    assert_eq!(after[*start], after[steps.len()], "{context}: the cycle does not close");
                }
                1 + points
                    .iter()
                    .map(|(at, point)| self.check(point, after[*at].expect("a point is at a state"), context))
                    .sum::<u32>()
            }
        }
    }
}
