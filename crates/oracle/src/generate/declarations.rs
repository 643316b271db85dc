//! Declarations: globals, channels, process heads and locals.

use super::{Parameter, Startable, Writer};

/// An array with an element for each process.
pub const OWN: &str = "mine";

/// A variable that statements can use.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The length of an array.
    pub length: Option<usize>,
    /// The number of values it is meant to take.
    pub values: usize,
    /// Whether its values are never negative, so that it can be an index.
    pub natural: bool,
    /// What it can hold.
    pub width: Width,
}

/// What a variable or message field can hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Width {
    /// Less than a byte.
    Narrow,
    Byte,
    Short,
    Int,
}

/// A channel that statements can use.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Its name, with an index if it is one of an array.
    pub name: String,
    /// How many messages it holds.
    pub capacity: usize,
    /// The fields of a message.
    pub fields: Vec<Width>,
}

/// What comes before a body.
#[derive(Clone, Debug)]
pub struct Head {
    pub text: String,
    pub parameters: Vec<Variable>,
    pub channels: Vec<Channel>,
}

impl Writer<'_> {
    pub fn declare_globals(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        for number in 0..self.random.between(1, 3) {
            let name = format!("g{number}");
            lines.push(self.scalar(&name, true));
        }
        if self.features.composite {
            lines.push("typedef T { byte f; short h[2] }".to_string());
            let initial = if self.random.chance(25) { " = 1" } else { "" };
            lines.push(format!("byte arr[3]{initial}; T rec; T recs[2]"));
            // Where no process is started, pids are below six: at most three definitions, with two processes each.
            if !self.features.dynamic {
                lines.push(format!("byte {OWN}[6]"));
                let (name, width) = (OWN.to_string(), Width::Byte);
                self.globals.push(Variable { name, length: Some(6), values: 2, natural: true, width });
            }
            self.globals.push(Variable {
                name: "arr".into(),
                length: Some(3),
                values: 2,
                natural: true,
                width: Width::Byte,
            });
            self.globals.push(Variable {
                name: "rec.f".into(),
                length: None,
                values: 3,
                natural: true,
                width: Width::Byte,
            });
            self.globals.push(Variable {
                name: "rec.h".into(),
                length: Some(2),
                values: 2,
                natural: false,
                width: Width::Short,
            });
            self.globals.push(Variable {
                name: "recs[1].h".into(),
                length: Some(2),
                values: 2,
                natural: false,
                width: Width::Short,
            });
        }
        if self.features.buffered {
            for number in 0..self.random.between(1, 2) {
                let (capacity, fields) = (self.random.between(1, 2), self.random.between(1, 2));
                lines.push(self.channel(&format!("q{number}"), capacity, fields));
            }
        }
        if self.features.rendezvous {
            for number in 0..self.random.between(1, 2) {
                let fields = self.random.between(1, 2);
                lines.push(self.channel(&format!("r{number}"), 0, fields));
            }
        }
        if self.features.mobile {
            let capacity = self.random.below(2);
            self.mobile_capacity = capacity;
            lines.push(format!("chan m[2] = [{capacity}] of {{ byte }}"));
            for name in ["m[0]", "m[1]"] {
                self.channels.push(Channel { name: name.into(), capacity, fields: vec![Width::Byte] });
            }
        }
        self.port_capacity = if self.features.extensions.references { self.random.below(3) } else { 0 };
        lines.extend(self.extended_globals());
        lines
    }

    fn scalar(&mut self, name: &str, global: bool) -> String {
        let types = [
            ("byte", Width::Byte),
            ("byte", Width::Byte),
            ("bit", Width::Narrow),
            ("bool", Width::Narrow),
            ("short", Width::Short),
            ("int", Width::Int),
            ("unsigned", Width::Narrow),
        ];
        let (ty, width) = types[self.random.below(types.len())];
        let natural = width <= Width::Byte;
        let values = if ty == "bit" || ty == "bool" { 2 } else { self.random.between(2, 3) };
        let initial = if self.random.chance(30) { format!(" = {}", self.random.below(values)) } else { String::new() };
        let variable = Variable { name: name.to_string(), length: None, values, natural, width };
        if global {
            self.globals.push(variable);
        } else {
            self.locals.push(variable);
        }
        let width = if ty == "unsigned" { format!(" : {}", self.random.between(2, 4)) } else { String::new() };
        format!("{ty} {name}{width}{initial}")
    }

    fn channel(&mut self, name: &str, capacity: usize, fields: usize) -> String {
        // Bits are left out: SPIN does not cut them in messages.
        let all = [("byte", Width::Byte), ("byte", Width::Byte), ("short", Width::Short), ("int", Width::Int)];
        let (types, fields): (Vec<&str>, _) = (0..fields).map(|_| all[self.random.below(4)]).unzip();
        self.channels.push(Channel { name: name.to_string(), capacity, fields });
        format!("chan {name} = [{capacity}] of {{ {} }}", types.join(", "))
    }

    pub fn declare_processes(&mut self) -> Vec<Head> {
        let mut heads = Vec::new();
        let count = self.random.between(1, 3);
        for number in 0..count {
            let suffix = self.suffix();
            let plain = |text: String| Head { text, parameters: Vec::new(), channels: Vec::new() };
            if self.features.dynamic && number + 1 < count {
                heads.push(self.startable_head(number));
            } else if number == 0 && self.features.extensions.references && self.random.chance(40) {
                heads.push(plain(format!("active [2] proctype P0(){suffix}")));
            } else if self.features.extensions.odd && self.random.chance(10) {
                heads.push(plain(format!("active D_proctype P{number}(){suffix}")));
            } else if self.random.chance(25) && !self.features.remote {
                heads.push(plain(format!("active [2] proctype P{number}(){suffix}")));
            } else {
                heads.push(plain(format!("active proctype P{number}(){suffix}")));
            }
        }
        heads
    }

    fn startable_head(&mut self, number: usize) -> Head {
        let name = format!("P{number}");
        let mut parameters = Vec::new();
        let mut head = Head { text: String::new(), parameters: Vec::new(), channels: Vec::new() };
        let mut texts = Vec::new();
        if self.random.chance(60) {
            parameters.push(Parameter::Byte);
            texts.push("byte p");
            let width = Width::Byte;
            head.parameters.push(Variable { name: "p".into(), length: None, values: 2, natural: true, width });
        }
        if self.features.mobile && self.random.chance(60) {
            parameters.push(Parameter::Channel);
            texts.push("chan c");
            let capacity = self.mobile_capacity;
            head.channels.push(Channel { name: "c".into(), capacity, fields: vec![Width::Byte] });
        }
        if let Some((parameter, text)) = self.reference_parameter() {
            parameters.push(parameter);
            texts.push(text);
        }
        head.text = format!("proctype {name}({})", texts.join("; "));
        self.startable.push(Startable { name, parameters });
        head
    }

    fn suffix(&mut self) -> String {
        let mut suffix = String::new();
        if self.features.priorities && self.random.chance(50) {
            suffix.push_str(&format!(" priority {}", self.random.between(1, 3)));
        }
        if self.features.provided && self.random.chance(50) {
            let condition = self.global_condition();
            suffix.push_str(&format!(" provided ({condition})"));
        }
        suffix
    }

    pub fn declare_locals(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        for number in 0..self.random.between(0, 2) {
            lines.push(self.scalar(&format!("l{number}"), false));
        }
        if self.number == 0 && self.features.remote {
            let width = Width::Byte;
            self.locals.push(Variable { name: "seen".into(), length: None, values: 2, natural: true, width });
            lines.push("byte seen".to_string());
            self.locals.push(Variable { name: "log".into(), length: Some(2), values: 2, natural: true, width });
            lines.push("byte log[2]".to_string());
        }
        if self.features.composite && self.random.chance(40) {
            let width = Width::Byte;
            self.locals.push(Variable { name: "la".into(), length: Some(2), values: 2, natural: true, width });
            lines.push("byte la[2] = 1".to_string());
        }
        if self.features.buffered && self.random.chance(15) {
            self.local_channels.push(Channel { name: "own".into(), capacity: 1, fields: vec![Width::Byte] });
            lines.push("chan own = [1] of { byte }".to_string());
        }
        if self.features.counting {
            let width = Width::Byte;
            self.locals.push(Variable { name: "i".into(), length: None, values: 2, natural: true, width });
            lines.push("byte i".to_string());
        }
        lines.extend(self.extended_locals());
        lines
    }
}
