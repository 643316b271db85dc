//! Constructs that SPIN does not know, or treats in a way of its own: process references, channels that are sent around, `enabled`, exclusive
//! channels, traces and their like.
//!
//! Models with them are compared with reductions and without, not with SPIN. `P0` is the process to which references lead: it has public
//! variables and a public channel, and most often waits at its end, since to follow a reference to a process that has ended is an error.

use super::declarations::{Channel, Variable, Width};
use super::sketch::{Choice, Piece, ProcessSketch};
use super::{Parameter, Writer};
use crate::random::Random;

/// Which of these constructs a model may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extensions {
    /// `ref P0`, `anyRef`, `P0[r].x`
    pub references: bool,
    /// Channels in messages, in variables that change, and found by a computed index.
    pub carried: bool,
    /// `mtype`, sets of names, `pid`
    pub names: bool,
    /// `enabled`, `pc_value`, `_nr_qs`, priorities that are read
    pub control: bool,
    /// `xr`, `xs`
    pub exclusive: bool,
    /// `trace`, `notrace`
    pub observed: bool,
    /// Structures in structures and in messages, `for` over a channel
    pub nested: bool,
    /// Declarations behind statements, initial values that read variables, `hidden`, jumps in a `d_step`, values that are only printed
    pub odd: bool,
}

impl Extensions {
    /// One or two of them, so that models stay small.
    pub fn draw(random: &mut Random) -> Extensions {
        let mut extensions = Extensions::default();
        for _ in 0..random.between(1, 2) {
            match random.below(12) {
                0..=4 => extensions.references = true,
                5 => extensions.carried = true,
                6 => extensions.names = true,
                7 => extensions.control = true,
                8 => extensions.exclusive = true,
                9 => extensions.observed = true,
                10 => extensions.nested = true,
                _ => extensions.odd = true,
            }
        }
        extensions
    }

    fn any(self) -> bool {
        self != Extensions::default()
    }
}

const BYTES: Width = Width::Byte;

fn variable(name: &str, length: Option<usize>) -> Variable {
    Variable { name: name.to_string(), length, values: 2, natural: true, width: BYTES }
}

impl Writer<'_> {
    pub fn extended_globals(&mut self) -> Vec<String> {
        let extensions = self.features.extensions;
        let mut lines = Vec::new();
        if extensions.references {
            lines.push("chan refs = [1] of { ref P0 }".to_string());
        }
        if extensions.carried {
            lines.push("chan wire = [1] of { chan }".to_string());
        }
        if extensions.names {
            lines.push("mtype = { ma, mb, mc }".into());
            lines.push("mtype:hue = { red, green }".into());
            lines.push("mtype word = ma; mtype:hue shade = red; pid who".into());
            lines.push("chan post = [1] of { mtype, mtype:hue }".into());
        }
        if extensions.nested {
            lines.push("typedef V { T t; T ts[2] }".into());
            lines.push("typedef U { byte v; byte w }".into());
            lines.push("V deep; chan line = [2] of { U }".into());
            for name in ["deep.t.h", "deep.ts[1].h"] {
                self.globals.push(Variable { natural: false, width: Width::Short, ..variable(name, Some(2)) });
            }
            self.globals.push(variable("deep.ts[0].f", None));
        }
        self.hides = extensions.odd && self.random.chance(30);
        if self.hides {
            lines.push("hidden byte hid".into());
        }
        if extensions.observed && !self.channels.is_empty() {
            let channel = self.channels[0].clone();
            let rest = ",_".repeat(channel.fields.len() - 1);
            let name = channel.name;
            lines.push(match self.random.below(4) {
                0 => format!("trace {{ do :: {name}!_{rest} :: {name}?_{rest} od }}"),
                1 => format!("trace {{ do :: {name}!1{rest} :: {name}!0{rest}; {name}!_{rest} od }}"),
                2 => format!("notrace {{ {name}?0{rest}; {name}?1{rest} }}"),
                _ => format!("notrace {{ do :: {name}!1{rest} :: {name}!0{rest} -> break od; {name}!0{rest} }}"),
            });
        }
        lines
    }

    /// What others may look at, and what the process needs in order to look at others.
    pub fn extended_locals(&mut self) -> Vec<String> {
        let extensions = self.features.extensions;
        let mut lines = Vec::new();
        if extensions.references {
            let capacity = self.port_capacity;
            let channel = |name: &str| Channel { name: name.into(), capacity, fields: vec![BYTES] };
            if self.number == 0 {
                lines.push("public byte pub; public byte puba[2]".into());
                lines.push(format!("public chan port = [{capacity}] of {{ byte }}"));
                self.locals.extend([variable("pub", None), variable("puba", Some(2))]);
                self.local_channels.push(channel("port"));
            }
            self.refers = self.number > 0 || self.random.chance(50);
            if self.refers {
                lines.push("ref P0 r".into());
                lines.push("ref P0 s".into());
                self.local_channels.extend([channel("P0[r].port"), channel("P0[r].port")]);
            }
        }
        if extensions.carried {
            lines.push(format!("chan d = m[{}]", self.random.below(2)));
            let (capacity, index) = (self.mobile_capacity, self.index(2));
            for name in ["d".to_string(), format!("m[{index}]")] {
                self.local_channels.push(Channel { name, capacity, fields: vec![BYTES] });
            }
        }
        if extensions.nested {
            lines.push("U u".into());
        }
        if extensions.exclusive && self.random.chance(60) {
            let channels: Vec<String> = self.channels.iter().map(|channel| channel.name.clone()).collect();
            if let Some(channel) = self.random.pick(&channels).filter(|name| !name.contains('[')) {
                lines.push(format!("{} {channel}", if self.random.chance(50) { "xs" } else { "xr" }));
            }
        }
        if extensions.odd && self.random.chance(50) {
            let value = self.expression(1);
            lines.push(format!("byte k = {value}"));
            self.locals.push(variable("k", None));
        }
        lines
    }

    /// What a process does before anything else, and at its end.
    pub fn extended_ends(&mut self, body: &mut Vec<Piece>) {
        if !self.features.extensions.references {
            return;
        }
        if self.refers && self.random.chance(90) {
            body.insert(0, Piece::Basic("r = anyRef(P0)".into()));
        }
        if self.number == 0 && self.random.chance(85) {
            body.push(Piece::Labelled("endp".into(), Box::new(Piece::Basic("false".into()))));
        }
    }

    /// Now and then a statement that only models with extensions have. `top` if it stands in no other statement.
    pub fn extended_statement(&mut self, top: bool) -> Option<Piece> {
        let extensions = self.features.extensions;
        if !extensions.any() || !self.random.chance(25) {
            return None;
        }
        let mut texts: Vec<String> = Vec::new();
        let daring = !self.features.calm || self.random.chance(20);
        let mut add = |list: &[&str]| texts.extend(list.iter().map(|text| (*text).to_string()));
        if extensions.references && self.refers {
            add(&["s = anyRef(P0)", "s = r", "refs!r", "refs?s", "refs?eval(r)", "refs!s", "s = _undef_ref"]);
            add(&["if :: s != _undef_ref -> r = s :: else fi", "assert(P0[r].pub + P0[r].puba[1] < 4)"]);
            add(&["P0[r].pub = 1 - P0[r].pub", "P0[r].pub = 1", "P0[r].puba[1] = 1 - P0[r].puba[1]", "P0[r].pub = 0"]);
            add(&["P0[r].puba[P0[r].pub & 1] = 1", "if :: P0[r].port?P0[r].pub :: else fi", "P0[r].puba[0] = g0 & 1"]);
            add(&[
                "d_step { P0[r].pub = 1; P0[r].puba[1] = P0[r].pub }",
                "atomic { P0[r].pub = 0; P0[r].puba[0] = 1 }",
            ]);
            if daring {
                add(&["assert(P0[r].pub == 0)", "assert(!P0[r].puba[1])", "assert(!(P0[r].puba[0] && P0[r].pub))"]);
                add(&["r = s", "r = _undef_ref"]);
            }
        }
        if extensions.references && self.number == 0 {
            add(&["refs!_lid", "pub = 1 - pub", "puba[1] = 1 - puba[1]", "if :: pub == 1 -> puba[0] = 1 :: else fi"]);
        }
        if extensions.carried {
            add(&["wire!d", "wire!m[1]", "wire?d", "wire?eval(d)", "d = m[1]", "d = m[g0 & 1]", "d!1", "d?_"]);
            if self.local_channels.iter().any(|channel| channel.name == "own") {
                add(&["wire!own", "wire!own"]);
            }
        }
        if extensions.names {
            add(&["word = mb", "shade = green", "post!ma,red", "post!word,shade", "post?word,shade", "post?mb,_"]);
            add(&["post?eval(word),_", "who = _pid", "printm(word)", "post?_,red", "word == ma -> word = mc"]);
            if daring {
                add(&["assert(word != mb || shade == red)", "assert(who == _pid)"]);
            }
        }
        if extensions.nested {
            add(&["line!1,0", "line!u", "line?u", "line?u.v,1", "u.w = 1 - u.w", "for (u in line) { g0 = u.v & 1 }"]);
        }
        if extensions.odd {
            add(&["printf(\"%d\\n\", g0)", "_ = g0"]);
        }
        if self.hides {
            add(&["d_step { hid = g0; g0 = 1 - (hid & 1) }"]);
        }
        if extensions.control && self.features.priorities {
            add(&["g0 = get_priority(0) & 1", "set_priority(0, 2)"]);
        }
        if extensions.odd && self.random.chance(30) {
            return Some(match top && self.random.chance(50) {
                true => self.late_declaration(),
                false => self.d_step_with_jump(),
            });
        }
        let text = self.random.pick(&texts).cloned()?;
        let waits = (text.contains('!') || text.contains('?')) && !text.contains(['(', '{']);
        let piece = Piece::Basic(text);
        Some(match waits && self.features.calm && self.random.chance(85) {
            true => Piece::Choice(Choice::If, vec![vec![piece], vec![Piece::Basic("else".into())]]),
            false => piece,
        })
    }

    fn late_declaration(&mut self) -> Piece {
        self.labels += 1;
        let (name, value) = (format!("z{}", self.labels), self.expression(1));
        self.locals.push(variable(&name, None));
        Piece::Basic(format!("byte {name} = {value}"))
    }

    fn d_step_with_jump(&mut self) -> Piece {
        self.labels += 1;
        let label = format!("K{}", self.labels);
        let jump = vec![Piece::Basic(self.plain_condition()), Piece::Basic(format!("goto {label}"))];
        let choice = Piece::Choice(Choice::If, vec![jump, vec![Piece::Basic("else".into())]]);
        let (passed, target) = (Piece::Basic(self.assignment()), Piece::Basic(self.assignment()));
        let first = Piece::Basic(self.assignment());
        Piece::Block("d_step".into(), vec![first, choice, passed, Piece::Labelled(label, Box::new(target))])
    }

    /// Now and then a condition that only models with extensions have.
    pub fn extended_condition(&mut self) -> Option<String> {
        let extensions = self.features.extensions;
        if !extensions.any() || !self.random.chance(20) {
            return None;
        }
        let mut texts: Vec<String> = Vec::new();
        let mut add = |list: &[&str]| texts.extend(list.iter().map(|text| (*text).to_string()));
        if extensions.references && self.refers {
            add(&["P0[r].pub == 1", "P0[r].pub == 0", "P0[r].puba[1] == 1", "r == s", "s == _undef_ref", "refs?[_]"]);
            if self.number == 0 {
                add(&["r == _lid", "r != _lid && P0[r].pub == 1"]);
            }
        }
        if extensions.carried {
            add(&["len(d) == 0", "nempty(wire)", "d == m[0]"]);
        }
        if extensions.names {
            add(&["word == ma", "shade == red", "who == _pid", "post?[ma,_]"]);
        }
        if extensions.nested {
            add(&["u.v == 1", "line?[1,_]", "len(line) < 2"]);
        }
        if extensions.control && !self.in_d_step {
            add(&["enabled(0)", "enabled(1)", "pc_value(0) > 3", "pc_value(1) < 4", "_nr_qs > 1", "!enabled(0)"]);
            if self.features.timeout {
                add(&["(timeout && g0 == 0)"]);
            }
            if self.features.priorities {
                add(&["get_priority(0) == 1", "_priority == 1"]);
            }
        }
        self.random.pick(&texts).cloned()
    }

    /// Now and then a value that only models with extensions have.
    pub fn extended_atom(&mut self) -> Option<String> {
        if !self.features.extensions.references || !self.refers || !self.random.chance(15) {
            return None;
        }
        Some(match self.random.below(3) {
            0 => "P0[r].pub".to_string(),
            1 => "len(P0[r].port)".to_string(),
            _ => format!("P0[r].puba[{}]", self.index(2)),
        })
    }

    /// A process that looks at the variables of those to which it has references.
    pub fn referring_monitor(&mut self) -> Option<ProcessSketch> {
        if !self.features.extensions.references || !self.random.chance(60) {
            return None;
        }
        let texts = [
            "assert(!(P0[r].pub && P0[s].puba[1]))",
            "assert(!(P0[r].pub && P0[r].puba[0]))",
            "if :: r != s && P0[r].pub && P0[s].pub -> assert(false) :: else fi",
            "assert(len(P0[r].port) + P0[s].pub < 2)",
        ];
        let basic = |text: &str| Piece::Basic(text.to_string());
        let text = match self.features.calm && self.random.chance(60) {
            true => "assert(P0[r].pub + P0[s].puba[1] < 4)",
            false => texts[self.random.below(texts.len())],
        };
        let body = vec![basic("r = anyRef(P0)"), basic("s = anyRef(P0)"), basic(text)];
        let locals = vec!["ref P0 r".to_string(), "ref P0 s".to_string()];
        Some(ProcessSketch { head: "active proctype M()".into(), locals, body })
    }

    /// An argument for a parameter that is a reference.
    pub fn reference_argument(&mut self) -> String {
        if self.refers { "r".to_string() } else { "_undef_ref".to_string() }
    }

    /// A parameter that is a reference, now and then.
    pub fn reference_parameter(&mut self) -> Option<(Parameter, &'static str)> {
        let wanted = self.features.extensions.references && self.random.chance(40);
        wanted.then_some((Parameter::Reference, "ref P0 t"))
    }
}
