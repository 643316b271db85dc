//! The symmetry of a state graph itself, by brute force: what any detector could find at best.
//!
//! States, transitions and who takes them become one coloured graph, and nothing of the program does. Its automorphisms, as far as they
//! permute processes, are compared with what detection has proven (the job of SPIN-to-GRAPE, Donaldson's thesis, chapter 4). Only small
//! state graphs can be taken, and an automorphism of the graph need not keep what variables hold.

use group::graph::{GraphBuilder, Vertex, automorphisms};
use group::{Group, Permutation, Point};
use machine::Machine;
use machine::ground::Configuration;
use machine::interpret::Interpreter;
use machine::state::State;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use crate::detect::{Deaths, Detection, without_deaths};

/// A state graph with its automorphisms.
pub struct StateGraph {
    /// The names of the processes, by pid.
    pub processes: Vec<String>,
    /// What its automorphisms do to the processes.
    pub group: Group,
    /// Transitions: from, who moves, to.
    transitions: Vec<(u32, u32, u32)>,
    states: usize,
    /// The number of each state's orbit.
    orbits: Vec<u32>,
}

impl StateGraph {
    /// The state graph from the state on in which all processes exist; `None` if it has more states than this, or no such state.
    #[must_use]
    pub fn of(machine: &Machine, detection: &Detection, most_states: usize) -> Option<StateGraph> {
        let entry = detection.entry.clone()?;
        let processes: Vec<String> = {
            let configuration = Configuration::of(machine, entry.clone());
            configuration.pids().map(|pid| configuration.process_name(pid)).collect()
        };
        let immortal = (detection.deaths == Deaths::Ignored).then(|| without_deaths(machine));
        let mut builder = Builder::new(processes.len(), entry);
        builder.explore(&Interpreter::new(immortal.as_ref().unwrap_or(machine)), detection, most_states)?;
        Some(builder.finish(processes))
    }

    /// How many states there are.
    #[must_use]
    pub fn states(&self) -> usize {
        self.states
    }

    /// How many transitions there are.
    #[must_use]
    pub fn transitions(&self) -> usize {
        self.transitions.len()
    }

    /// How many orbits of states there are.
    #[must_use]
    pub fn orbits(&self) -> usize {
        self.orbits.iter().map(|&orbit| orbit as usize + 1).max().unwrap_or(0)
    }

    /// Permutations of processes that the state graph has and the detected group does not: cycles of names.
    #[must_use]
    pub fn unproven(&self, detection: &Detection) -> Vec<Vec<Vec<String>>> {
        let proven = on_processes(detection);
        self.named(self.group.generators().iter().filter(|permutation| !proven.contains(permutation)))
    }

    /// Permutations of processes that were proven and that the state graph does not have: each would be a bug.
    #[must_use]
    pub fn contradicted(&self, detection: &Detection) -> Vec<Vec<Vec<String>>> {
        let proven = on_processes(detection);
        self.named(proven.generators().iter().filter(|permutation| !self.group.contains(permutation)))
    }

    fn named<'p>(&self, permutations: impl Iterator<Item = &'p Permutation>) -> Vec<Vec<Vec<String>>> {
        let name = |point: Point| self.processes[point as usize].clone();
        let cycles = |permutation: &Permutation| {
            permutation.cycles().into_iter().map(|cycle| cycle.into_iter().map(name).collect()).collect()
        };
        permutations.map(cycles).collect()
    }

    /// One state for each orbit, with the transitions between orbits, in Aldebaran's format. Labels are the proctypes of who moves.
    #[must_use]
    pub fn quotient_aut(&self) -> String {
        let arcs = self.quotient();
        let mut text = format!("des ({}, {}, {})\n", self.orbits[0], arcs.len(), self.orbits());
        for (from, label, to) in arcs {
            text += &format!("({from}, \"{label}\", {to})\n");
        }
        text
    }

    /// The same for Graphviz.
    #[must_use]
    pub fn quotient_dot(&self) -> String {
        let mut text = format!("digraph quotient {{\n  {} [penwidth=2];\n", self.orbits[0]);
        for (from, label, to) in self.quotient() {
            text += &format!("  {from} -> {to} [label=\"{label}\"];\n");
        }
        text + "}\n"
    }

    fn quotient(&self) -> Vec<(u32, String, u32)> {
        let label = |mover: u32| {
            let name = &self.processes[mover as usize];
            name.split('[').next().unwrap_or(name).to_string()
        };
        let arcs = self
            .transitions
            .iter()
            .map(|&(from, mover, to)| (self.orbits[from as usize], label(mover), self.orbits[to as usize]));
        let mut arcs: Vec<(u32, String, u32)> = arcs.collect();
        arcs.sort_unstable();
        arcs.dedup();
        arcs
    }
}

/// The detected group as it acts on processes.
#[must_use]
pub fn on_processes(detection: &Detection) -> Group {
    let points = detection.process_points();
    let place: FxHashMap<Point, Point> =
        points.iter().enumerate().map(|(index, &point)| (point, index as Point)).collect();
    let permutations = detection.generators.iter().filter_map(|generator| {
        let images = points.iter().map(|&point| place.get(&generator.permutation.image(point)).copied());
        Permutation::from_images(images.collect::<Option<Vec<Point>>>()?).ok()
    });
    Group::generated_by(points.len(), permutations)
}

/// The order of the detected group as it acts on processes.
#[must_use]
pub fn order_on_processes(detection: &Detection) -> BigUint {
    on_processes(detection).order()
}

struct Builder {
    graph: GraphBuilder,
    processes: Vec<Vertex>,
    numbers: FxHashMap<State, u32>,
    states: Vec<Vertex>,
    transitions: Vec<(u32, u32, u32)>,
    waiting: Vec<State>,
}

impl Builder {
    fn new(processes: usize, entry: State) -> Builder {
        let mut graph = GraphBuilder::new();
        let processes = (0..processes).map(|_| graph.add_vertex(0)).collect();
        let states = vec![graph.add_vertex(1)];
        let numbers = FxHashMap::from_iter([(entry.clone(), 0)]);
        Builder { graph, processes, numbers, states, transitions: Vec::new(), waiting: vec![entry] }
    }

    fn explore(&mut self, interpreter: &Interpreter<'_>, detection: &Detection, most_states: usize) -> Option<()> {
        while let Some(state) = self.waiting.pop() {
            let from = self.numbers[&state];
            let successors = interpreter.successors(&state);
            for _ in &successors.errors {
                let error = self.graph.add_vertex(4);
                self.graph.add_labelled_arc(self.states[from as usize], error, 4);
            }
            for transition in successors.transitions {
                let mut target = transition.target.bytes().to_vec();
                detection.dead.iter().for_each(|dead| dead.reset(&mut target));
                let mut movers: Vec<usize> = transition.steps.iter().map(|step| step.pid.index()).collect();
                movers.dedup();
                self.add(from, &movers, State::from_bytes(&target));
            }
            if self.states.len() > most_states {
                return None;
            }
        }
        Some(())
    }

    fn add(&mut self, from: u32, movers: &[usize], target: State) {
        let next = self.states.len() as u32;
        let to = *self.numbers.entry(target.clone()).or_insert(next);
        if to == next {
            self.states.push(self.graph.add_vertex(2));
            self.waiting.push(target);
        }
        let step = self.graph.add_vertex(3);
        self.graph.add_labelled_arc(self.states[from as usize], step, 0);
        self.graph.add_labelled_arc(step, self.states[to as usize], 1);
        for (position, &mover) in movers.iter().take(2).enumerate() {
            self.graph.add_labelled_arc(step, self.processes[mover], 2 + position as u32);
        }
        self.transitions.push((from, movers.first().map_or(0, |&mover| mover as u32), to));
    }

    fn finish(self, names: Vec<String>) -> StateGraph {
        let Builder { graph, processes, states, transitions, .. } = self;
        let found = automorphisms(&graph.freeze());
        let permutations = found.generators().iter().map(|generator| {
            let images: Vec<Point> = processes.iter().map(|process| generator.image(process.point())).collect();
            Permutation::from_images(images).expect("processes are the first vertices")
        });
        let group = Group::generated_by(processes.len(), permutations);
        let mut orbits: Vec<u32> = (0..states.len() as u32).collect();
        let place: FxHashMap<Point, u32> =
            states.iter().enumerate().map(|(number, state)| (state.point(), number as u32)).collect();
        for generator in found.generators() {
            for &(from, to) in generator.moves() {
                if let (Some(&from), Some(&to)) = (place.get(&from), place.get(&to)) {
                    let (one, other) = (root(&orbits, from), root(&orbits, to));
                    orbits[one.max(other) as usize] = one.min(other);
                }
            }
        }
        let roots: Vec<u32> = (0..states.len() as u32).map(|state| root(&orbits, state)).collect();
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        let orbits = roots.iter().map(|root| {
            let next = numbers.len() as u32;
            *numbers.entry(*root).or_insert(next)
        });
        StateGraph { processes: names, group, orbits: orbits.collect(), states: states.len(), transitions }
    }
}

fn root(parents: &[u32], mut state: u32) -> u32 {
    while parents[state as usize] != state {
        state = parents[state as usize];
    }
    state
}
