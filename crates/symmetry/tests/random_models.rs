//! Whatever is found in random models, most of them nearly symmetric, is a symmetry of their states.

mod support;

use std::fmt::Write as _;

use group::Random;
use support::{check_all_states, machine_of_text, with_dead};
use symmetry::detect::{Options, detect};
use symmetry::oracle::order_on_processes;

/// Writes models of three processes with the same body, over an array, a scalar and channels.
struct Writer {
    random: Random,
    /// Whether literals are written that may single out a process.
    literals: bool,
}

impl Writer {
    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.random.below(choices.len())]
    }

    fn value(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.below(3) > 0 {
            let names = ["id", "id", "x", "x", "y", "t", "g[id]", "255"];
            let literals = ["0", "1", "2", "255"];
            return match self.literals && self.random.below(4) == 0 {
                true => self.pick(&literals).to_string(),
                false => self.pick(&names).to_string(),
            };
        }
        let (left, right) = (self.value(depth - 1), self.value(depth - 1));
        match self.random.below(9) {
            0 => format!("(({left} + 1) % 3)"),
            1 => format!("(2 - {left} % 3)"),
            2 => format!("({left} ^ 1)"),
            3 => format!("(({left} + {right}) % 3)"),
            4 => format!("g[{left} % 3]"),
            5 => format!("({} -> {left} : {right})", self.condition(depth - 1)),
            6 => format!("h[{left} % 3]"),
            _ => left,
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        let (left, right) = (self.value(depth), self.value(depth));
        match self.random.below(13) {
            0 => format!("({left} < {right})"),
            10 => format!("!({} || {})", self.condition(0), self.condition(0)),
            11 => format!("({left} >= {right})"),
            12 => "(t != 255)".to_string(),
            1 => format!("({} && {})", self.condition(0), self.condition(0)),
            2 => format!("({} || {})", self.condition(0), self.condition(0)),
            3 => format!("!({})", self.condition(0)),
            4 => format!("empty(q[{left} % 3])"),
            5 => format!("q[id]?[eval({left}), _]"),
            6 => format!("({left} != {right})"),
            _ => format!("({left} == {right})"),
        }
    }

    fn statement(&mut self) -> String {
        let value = self.value(2);
        match self.random.below(20) {
            0 => format!("t = {value}"),
            1 => format!("g[id] = {value}"),
            2 => format!("g[x % 3] = {value}"),
            3 => format!("y = {value}"),
            4 => format!("q[id]!{value}, id"),
            5 => format!("q[{value} % 3]!id, x"),
            6 => self.pick(&["q[id]?x, y", "q[id]?z, y; x = z"]).to_string(),
            7 => format!("q[id]?eval({value}), x"),
            8 => format!("port!{value}"),
            9 => "port?x".to_string(),
            10 => format!(
                "d_step {{ if :: {} -> x = {value} :: {} -> y = id :: else fi }}",
                self.condition(1),
                self.condition(1)
            ),
            11 => format!("atomic {{ i = 0; do :: i < 3 -> g[i] = {value}; i++ :: else -> break od; i = 0 }}"),
            12 => format!("d_step {{ i = 0; do :: i < 3 -> {}; i++ :: else -> break od; i = 0 }}", self.inside()),
            13 => format!("atomic {{ i = 0; do :: i < 3 -> {}; i++ :: else -> break od; i = 0 }}", self.inside()),
            14 => {
                format!("atomic {{ if :: {} -> {} :: else fi; {} }}", self.condition(1), self.inside(), self.inside())
            }
            15 => "atomic { if :: x == 2 -> x = 0 :: else -> x++ fi }".to_string(),
            16 => format!("atomic {{ g[id] = {value}; h[id] = {}; t = 255 }}", self.value(1)),
            17 => format!(
                "atomic {{ i = 0; n = 0; do :: i < 3 -> if :: {} -> n = 1; break :: else -> i++ fi :: else -> break od; i = 0 }}",
                self.looking()
            ),
            18 => "if :: x == 2 -> x = 0 :: x < 2 -> x++ :: else -> x = 255 fi".to_string(),
            _ => format!("x = {value}"),
        }
    }

    /// A condition that a loop asks about the index at hand.
    fn looking(&mut self) -> String {
        let other = self.value(0);
        match self.random.below(5) {
            0 => format!("(g[i] == {other})"),
            1 => "(i != id && g[i] == 255)".to_string(),
            2 => "(g[i] > t)".to_string(),
            3 => format!("(h[i] != {other})"),
            _ => "(g[i] == id)".to_string(),
        }
    }

    /// A statement of a loop over all indices.
    fn inside(&mut self) -> String {
        let value = self.value(0);
        match self.random.below(20) {
            0 => format!("g[i] = {value}"),
            10 => format!("n = n && {}", self.looking()),
            11 => format!("n = {} || n", self.looking()),
            12 => format!("if :: {} && n < 2 -> n++ :: else fi", self.looking()),
            13 => format!("if :: {} && n < 2 -> n = n + 2 :: else fi", self.looking()),
            14 => format!("n = ({} -> 1 - n : n)", self.looking()),
            15 => format!("if :: {} -> n++; m = !m :: else -> m = m || n fi", self.looking()),
            16 => format!("n = 2 * n + {}", self.looking()),
            17 => "m = (g[i] >= m -> g[i] : m)".to_string(),
            18 => format!("n = n >> {}", self.looking()),
            19 => format!("if :: {} -> n++; m = m * 3 :: else -> m = m & 7 fi", self.looking()),
            1 => "n = n + g[i]".to_string(),
            2 => format!("if :: {} -> n++ :: else fi", self.looking()),
            3 => format!("if :: {} -> x = {value} :: else fi", self.looking()),
            4 => "if :: g[i] > t -> t = g[i] :: else fi".to_string(),
            5 => format!("if :: {} -> g[i] = {value} :: else fi", self.looking()),
            6 => "h[i] = g[i]".to_string(),
            7 => "n = i".to_string(),
            8 => "y = g[i]; n = n + y".to_string(),
            _ => format!("if :: {} -> g[id] = i :: {} -> n = 2 :: else fi", self.looking(), self.looking()),
        }
    }

    fn model(&mut self) -> String {
        let mut text = String::from("byte g[3] = 255; byte h[3] = { 0, 1, 2 }; byte t = 255;\n");
        text += "chan q[3] = [1] of { byte, byte }; chan port = [0] of { byte };\n";
        text += "proctype p(byte id) { byte x = id; byte y = 255; byte i; byte n; byte m; byte z;\ndo\n";
        for _ in 0..2 + self.random.below(3) {
            let _ = write!(text, ":: {}", self.condition(1));
            for _ in 0..1 + self.random.below(3) {
                let _ = write!(text, " -> {}", self.statement());
            }
            text.push('\n');
        }
        text += "od }\ninit { atomic { run p(0); run p(1); run p(2) } }\n";
        text
    }
}

#[test]
fn what_is_found_in_random_models_is_symmetry() {
    let mut nontrivial = 0;
    for seed in 0..models() {
        let mut writer = Writer { random: Random::from_seed(seed), literals: seed % 3 == 0 };
        let text = writer.model();
        let machine = machine_of_text(&text);
        let detection = detect(&machine, &Options { checked_states: 0, ..Options::default() });
        let trimmed = detect(&machine, &Options { checked_states: 0, ..with_dead(&machine) });
        assert!(order_on_processes(&trimmed) >= order_on_processes(&detection), "{text}");
        if !trimmed.group.is_trivial() {
            check_all_states(&machine, &trimmed, 200, &text);
        }
        if detection.group.is_trivial() {
            continue;
        }
        nontrivial += 1;
        check_all_states(&machine, &detection, 200, &text);
    }
    assert!(nontrivial * 5 >= models(), "the models are not all asymmetric: {nontrivial}");
}

/// How many models are tried; `ISOSPIN_RANDOM_MODELS` asks for more.
fn models() -> u64 {
    std::env::var("ISOSPIN_RANDOM_MODELS").ok().and_then(|text| text.parse().ok()).unwrap_or(400)
}
