//! Expressions: arithmetic over variables, and conditions.

use super::Writer;
use super::declarations::{OWN, Variable};

impl Writer<'_> {
    /// A variable to read or write, written out.
    pub fn reference(&mut self) -> Option<(String, Variable)> {
        let mut all = self.globals.clone();
        all.extend(self.locals.iter().cloned());
        let variable = self.random.pick(&all)?.clone();
        Some((self.element(&variable), variable))
    }

    /// A variable, or an element of an array, written out.
    fn element(&mut self, variable: &Variable) -> String {
        match variable.length {
            None => variable.name.clone(),
            Some(_) if variable.name == OWN && self.random.chance(60) => format!("{OWN}[_pid]"),
            Some(length) => {
                let index = self.index(length);
                format!("{}[{index}]", variable.name)
            }
        }
    }

    pub fn index(&mut self, length: usize) -> String {
        let scalars: Vec<&Variable> =
            self.globals.iter().chain(&self.locals).filter(|v| v.natural && v.length.is_none()).collect();
        match self.random.pick(&scalars) {
            Some(variable) if self.random.chance(30) => format!("{} % {length}", variable.name),
            _ if self.random.chance(25) => format!("_pid % {length}"),
            _ => self.random.below(length).to_string(),
        }
    }

    /// A comparison of a global with a number.
    pub fn global_condition(&mut self) -> String {
        let globals = self.globals.clone();
        let Some(variable) = self.random.pick(&globals).cloned() else { return "true".to_string() };
        let locals = std::mem::take(&mut self.locals);
        let text = self.element(&variable);
        self.locals = locals;
        let operator = ["==", "!=", "!=", "<"][self.random.below(4)];
        format!("{text} {operator} {}", self.random.between(1, 2))
    }

    fn constant(&mut self) -> String {
        match self.random.below(30) {
            0 => "-1".to_string(),
            1 => "255".to_string(),
            2 => "300".to_string(),
            _ => self.random.below(4).to_string(),
        }
    }

    /// An expression of any value.
    pub fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.chance(30) {
            return self.atom();
        }
        let left = self.expression(depth - 1);
        match self.random.below(14) {
            0 => format!("-({left})"),
            1 => format!("!({left})"),
            2 => format!("~({left})"),
            3 => {
                let (yes, no) = (self.expression(depth - 1), self.expression(depth - 1));
                format!("({left} -> {yes} : {no})")
            }
            4 => format!("({left} {} {})", ["/", "%"][self.random.below(2)], self.random.between(1, 3)),
            5 => format!("({left} {} {})", ["<<", ">>"][self.random.below(2)], self.random.below(4)),
            _ => {
                let operators = ["+", "-", "*", "&", "|", "^", "==", "!=", "<", "<=", ">", ">=", "&&", "||"];
                let operator = operators[self.random.below(operators.len())];
                let right = self.expression(depth - 1);
                format!("({left} {operator} {right})")
            }
        }
    }

    fn atom(&mut self) -> String {
        if let Some(text) = self.extended_atom() {
            return text;
        }
        match self.random.below(10) {
            0..=2 => self.constant(),
            3 if self.features.predefined => ["_pid", "_nr_pr", "_last"][self.random.below(3)].to_string(),
            4 if self.features.buffered && !self.channels.is_empty() => {
                let channel = self.any_channel();
                channel.map_or("1".to_string(), |channel| format!("len({})", channel.name))
            }
            _ => match self.reference() {
                Some((text, _)) => text,
                None => self.constant(),
            },
        }
    }

    /// An expression meant to be true about as often as false.
    pub fn condition(&mut self) -> String {
        if let Some(text) = self.extended_condition() {
            return text;
        }
        match self.random.below(20) {
            0 if self.features.timeout => return "timeout".to_string(),
            1 if self.remote && !self.in_d_step => return ["P0@R", "P0[0]@R"][self.random.below(2)].to_string(),
            2 | 7 if self.remote && !self.in_d_step => {
                let index = self.index(2);
                // Without parentheses, `P0:` would be a label.
                let array = format!("(P0:log[{index}] == 1)");
                return match self.random.below(4) {
                    0 => "(P0:seen == 0)".to_string(),
                    1 => "P0[0]:seen > 0".to_string(),
                    _ => array,
                };
            }
            3 | 4 => {
                if let Some(channel) = self.any_channel() {
                    return self.probe(&channel.name, channel.fields.len(), channel.capacity);
                }
            }
            5 => return self.expression(2),
            6 if self.features.predefined => return format!("_nr_pr < {}", self.random.between(2, 4)),
            _ => {}
        }
        self.plain_condition()
    }

    /// A comparison of a variable with a number.
    pub fn plain_condition(&mut self) -> String {
        match self.reference() {
            Some((text, variable)) => {
                let operator = ["==", "!=", "<", ">"][self.random.below(4)];
                format!("{text} {operator} {}", self.random.below(variable.values))
            }
            None => "true".to_string(),
        }
    }

    fn probe(&mut self, name: &str, fields: usize, capacity: usize) -> String {
        match self.random.below(6) {
            0 => format!("empty({name})"),
            1 => format!("full({name})"),
            2 => format!("nempty({name})"),
            3 => format!("nfull({name})"),
            4 if capacity > 0 => {
                let fields: Vec<String> = (0..fields)
                    .map(|_| if self.random.chance(50) { "_".into() } else { self.random.below(2).to_string() })
                    .collect();
                format!("{name}{}[{}]", ["?", "??"][self.random.below(2)], fields.join(","))
            }
            _ => format!("len({name}) {} {}", ["==", "<"][self.random.below(2)], self.random.below(3)),
        }
    }
}
