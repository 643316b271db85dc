//! Random models of equal processes, most of them symmetric, some nearly so.
//!
//! Three or four processes with the same body, alone or in a ring or as two pairs with a leader each, over an array with a cell for each,
//! a global that names one, a channel for each and one for all; some assert something about themselves. For properties of infinite runs
//! there are labels and formulas, most of which ask the same about every process.

use std::fmt::Write as _;

use crate::liveness::{Pair, Watched};
use crate::random::Random;

/// How the processes know each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Topology {
    /// All alike.
    Crowd,
    /// Each knows the next one.
    Ring,
    /// Two and two belong together.
    Pairs,
}

struct Writer {
    random: Random,
    /// Whether and how a process looks at the others: not the stream that the rest is made of.
    monitor: Random,
    topology: Topology,
    processes: usize,
    /// Whether literals are written that may single out a process.
    literals: bool,
    /// Whether processes end.
    ends: bool,
    /// Where to put accept and progress labels, if there are to be some.
    labels: Option<Random>,
}

/// The model with a number.
#[must_use]
pub fn model(seed: u64) -> String {
    Writer::new(seed, None).model()
}

/// The model with a number, with labels, and a property of its infinite runs.
#[must_use]
pub fn pair(seed: u64) -> Pair {
    // Not the stream that the model is made of.
    let mut random = Random::new(seed.wrapping_mul(0xd134_2543_de82_ef95));
    let mut writer = Writer::new(seed, Some(Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))));
    let model = writer.model();
    let labels = [("accept_", Watched::Acceptance), ("progress_", Watched::Progress)];
    let mut present = labels.into_iter().filter(|(mark, _)| model.contains(mark));
    match present.next().filter(|_| random.below(2) == 0) {
        Some((_, property)) => Pair { text: model, property },
        None => {
            let formula = formula(&mut random, writer.processes);
            Pair { text: format!("{model}ltl f {{ {formula} }}\n"), property: Watched::Formula("f".into()) }
        }
    }
}

/// A formula that says the same of every process, or, now and then, something of the first one.
fn formula(random: &mut Random, processes: usize) -> String {
    let mut atom = || {
        let all = |each: &str, operator: &str| {
            let list: Vec<String> = (0..processes).map(|id| each.replace('#', &id.to_string())).collect();
            format!("({})", list.join(operator))
        };
        match random.below(10) {
            0 | 1 => "(turn == 255)".to_string(),
            2 | 3 => "(len(hall) == 0)".to_string(),
            4 => all("count[#] == 1", " && "),
            5 => all("len(box[#]) == 1", " || "),
            6 => all("cell[#] == 255", " && "),
            7 => format!("({} == 1)", all("count[#]", " + ")),
            8 => "(turn == 0)".to_string(),
            _ => "(cell[0] == 255)".to_string(),
        }
    };
    let (one, other) = (atom(), atom());
    match random.below(8) {
        0 => format!("[] <> {one}"),
        1 => format!("<> [] {one}"),
        2 => format!("[] ({one} -> <> {other})"),
        3 => format!("{one} U {other}"),
        4 => format!("[] <> {one} -> [] <> {other}"),
        5 => format!("<> ({one} && X {other})"),
        6 => format!("[] ({one} -> ({one} U {other}))"),
        _ => format!("<> {one} || [] {other}"),
    }
}

impl Writer {
    fn new(seed: u64, labels: Option<Random>) -> Writer {
        let mut random = Random::new(seed);
        let topology = [Topology::Crowd, Topology::Crowd, Topology::Ring, Topology::Pairs][random.below(4)];
        let processes = if topology == Topology::Pairs { 4 } else { 2 + random.below(3) };
        let literals = random.below(5) == 0;
        let ends = random.below(4) == 0;
        let monitor = Random::new(seed.wrapping_mul(0x8cb9_2ba7_2f3d_8dd7));
        Writer { random, monitor, topology, processes, literals, ends, labels }
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.random.below(choices.len())]
    }

    /// Something that may name a process; 255 names none.
    fn name(&mut self) -> String {
        let known: &[&str] = match self.topology {
            Topology::Crowd => &["id", "id", "x", "x", "y", "turn", "cell[id]", "255"],
            Topology::Ring => &["id", "x", "NEXT(id)", "NEXT(id)", "turn", "cell[id]", "255"],
            Topology::Pairs => &["id", "x", "PARTNER(id)", "PARTNER(id)", "turn", "cell[id]", "255"],
        };
        match self.literals && self.random.below(6) == 0 {
            true => self.pick(&["0", "1"]).to_string(),
            false => self.pick(known).to_string(),
        }
    }

    /// A label for the statement with a number, or none.
    fn label(&mut self, number: usize) -> String {
        match self.labels.as_mut().map(|labels| labels.below(10)) {
            Some(0) => format!("accept_{number}: "),
            Some(1) => format!("progress_{number}: "),
            _ => String::new(),
        }
    }

    fn condition(&mut self) -> String {
        let (one, other) = (self.name(), self.name());
        match self.random.below(9) {
            0 => format!("{one} != {other}"),
            1 => format!("empty(box[{}])", self.index()),
            2 => "nempty(hall)".to_string(),
            3 => format!("box[id]?[{}]", if self.random.below(2) == 0 { "_".into() } else { format!("eval({one})") }),
            4 => format!("count[{}] == {}", self.index(), self.random.below(2)),
            5 => format!("(turn == 255 || {one} == {other})"),
            6 => "true".to_string(),
            _ => format!("{one} == {other}"),
        }
    }

    /// The index of a process that is there.
    fn index(&mut self) -> String {
        match (self.topology, self.random.below(4)) {
            (Topology::Ring, 0 | 1) => "NEXT(id)".into(),
            (Topology::Pairs, 0 | 1) => "PARTNER(id)".into(),
            (_, 3) => "(x < N -> x : id)".into(),
            _ => "id".into(),
        }
    }

    fn statement(&mut self) -> String {
        let name = self.name();
        let index = self.index();
        match self.random.below(13) {
            0 => format!("turn = {name}"),
            1 => format!("cell[{index}] = {name}"),
            2 => format!("x = {name}"),
            3 => format!("y = {name}"),
            4 => format!("box[{index}]!{name}"),
            5 => "box[id]?x".to_string(),
            6 => format!("hall!{name}"),
            7 => "hall?x".to_string(),
            8 => format!("count[{index}] = 1 - count[{index}]"),
            9 => format!("atomic {{ turn == 255 -> turn = id; x = {name} }}"),
            10 => format!("d_step {{ if :: {} -> x = {name} :: else -> y = {name} fi }}", self.condition()),
            11 => format!("assert({} || {})", self.condition(), self.condition()),
            _ => "atomic { turn == id -> turn = 255 }".to_string(),
        }
    }

    fn model(&mut self) -> String {
        let capacity = self.random.below(2);
        let mut text = format!("#define N {}\n#define NEXT(i) ((i + 1) % N)\n", self.processes);
        text += "#define PARTNER(i) (i == 0 -> 1 : (i == 1 -> 0 : (i == 2 -> 3 : 2)))\n";
        text += "byte cell[N] = 255; bit count[N]; byte turn = 255;\n";
        let _ = writeln!(text, "chan box[N] = [1] of {{ byte }}; chan hall = [{capacity}] of {{ byte }};");
        text += "proctype p(byte id) {\n\tbyte x = 255, y = 255;\n";
        let label = if self.random.below(2) == 0 { "end:" } else { "" };
        let _ = writeln!(text, "{label}\tdo");
        let mut number = 0;
        for _ in 0..2 + self.random.below(3) {
            let _ = write!(text, "\t:: {}", self.condition());
            for _ in 0..1 + self.random.below(3) {
                number += 1;
                let _ = write!(text, " -> {}{}", self.label(number), self.statement());
            }
            text.push('\n');
        }
        if self.ends {
            let _ = writeln!(text, "\t:: {} -> break", self.condition());
        }
        text += "\tod\n}\n";
        if self.monitor.below(4) == 0 {
            let watched = [
                "count[0] && count[1]",
                "cell[0] == 0 && cell[1] == 1",
                "turn == 0 && count[0]",
                "turn < N && turn == cell[0]",
            ];
            let never = watched[self.monitor.below(watched.len())];
            let _ = writeln!(text, "active proctype watch() {{ end: do :: atomic {{ {never} -> assert(false) }} od }}");
        }
        let runs: String = (0..self.processes).map(|process| format!("run p({process}); ")).collect();
        // Where they are not created all at once, what is done before the last one exists is not symmetric.
        let at_once = self.labels.as_mut().is_none_or(|labels| labels.below(3) > 0);
        let _ = if at_once {
            writeln!(text, "init {{ atomic {{ {runs}skip }} }}")
        } else {
            writeln!(text, "init {{ {runs}skip }}")
        };
        text
    }
}
