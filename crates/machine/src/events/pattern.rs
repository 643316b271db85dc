//! Patterns: what is to be observed of a model whose text does not say so.
//!
//! ```text
//! pattern = name { "." name } [ "[" ( NUMBER | "*" ) "]" ] [ "!" | "?" ] [ "=" name outside ]
//! ```
//! `in!` are the messages sent to `in`, `q[*]?` those received from any element of `q`, `q[1]` both for one element, `x` the changes of a variable.
//! `toS!=IN` calls `toS` by the name `IN`.

use std::fmt;

use promela::model::{PortDirection, Type};

use super::Observables;
use crate::id::CellsId;
use crate::machine::Machine;

/// A pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    text: String,
    /// The name of the variable and, for a part of a structure, of its fields.
    path: Vec<String>,
    index: Option<u32>,
    direction: Option<PortDirection>,
    name: String,
}

/// Why a pattern cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadPattern {
    /// The pattern.
    pub pattern: String,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with a pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// It is no pattern.
    Syntax(String),
    /// The model has no global of this name; these come near, or are all there are.
    Unknown(Vec<String>),
    /// A variable that is no channel has no direction.
    Direction,
    /// The array ends before the index.
    Index(u32),
    /// A channel variable that is assigned to, and was not declared with a channel of its own.
    NoChannel,
}

impl fmt::Display for BadPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot observe `{}`: ", self.pattern)?;
        match &self.problem {
            Problem::Syntax(problem) => {
                write!(f, "{problem}; a pattern is NAME, NAME!, NAME?, NAME[*]! or NAME!=OUTSIDE")
            }
            Problem::Unknown(names) if names.is_empty() => f.write_str("the model has no global channels or variables"),
            Problem::Unknown(names) => {
                write!(f, "the model has no global channel or variable of that name; it has {}", names.join(", "))
            }
            Problem::Direction => f.write_str("only channels have a direction, and this is none"),
            Problem::Index(length) => write!(f, "the array has {length} elements, from 0 on"),
            Problem::NoChannel => f.write_str("no channel was declared there: the variable holds channels of others"),
        }
    }
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// When it is none.
    pub fn parse(text: &str) -> Result<Pattern, BadPattern> {
        let bad = |problem: &str| BadPattern { pattern: text.into(), problem: Problem::Syntax(problem.into()) };
        let trimmed = text.trim();
        let (front, outside) = match trimmed.split_once('=') {
            Some((front, outside)) => (front.trim_end(), Some(outside.trim())),
            None => (trimmed, None),
        };
        let (front, direction) = match front.strip_suffix('!') {
            Some(front) => (front, Some(PortDirection::Send)),
            None => match front.strip_suffix('?') {
                Some(front) => (front, Some(PortDirection::Receive)),
                None => (front, None),
            },
        };
        let (base, index) = match front.trim_end().strip_suffix(']') {
            Some(front) => {
                let (base, index) = front.split_once('[').ok_or_else(|| bad("`[` is missing"))?;
                match index.trim() {
                    "*" => (base, None),
                    index => (base, Some(index.parse().map_err(|_| bad("an index is a number or `*`"))?)),
                }
            }
            None => (front, None),
        };
        let path: Vec<String> = base.trim().split('.').map(str::to_string).collect();
        if !path.iter().all(|part| is_name(part)) {
            return Err(bad("a name is expected"));
        }
        if outside.is_some_and(|outside| !is_name(outside)) {
            return Err(bad("behind `=` a name is expected"));
        }
        let name = match (outside, index) {
            (Some(outside), _) => outside.to_string(),
            (None, Some(index)) => format!("{}[{index}]", path.join(".")),
            (None, None) => path[0].clone(),
        };
        Ok(Pattern { text: trimmed.into(), path, index, direction, name })
    }

    fn bad(&self, problem: Problem) -> BadPattern {
        BadPattern { pattern: self.text.clone(), problem }
    }
}

impl Observables {
    /// Observes what a pattern asks for.
    ///
    /// # Errors
    /// When the machine has nothing of the kind.
    pub fn observe(&mut self, machine: &Machine, pattern: &Pattern) -> Result<(), BadPattern> {
        let globals = &machine.layout.globals;
        let names = |cells: &crate::layout::Cells| -> Vec<String> {
            cells.path.iter().map(|part| part.name.to_string()).collect()
        };
        let meant = |(_, cells): &(usize, &crate::layout::Cells)| names(cells).starts_with(&pattern.path);
        let found: Vec<CellsId> =
            globals.cells.iter().enumerate().filter(meant).map(|(number, _)| CellsId(number as u32)).collect();
        if found.is_empty() {
            let mut all: Vec<String> = globals.cells.iter().map(|cells| names(cells).join(".")).collect();
            all.truncate(12);
            return Err(pattern.bad(Problem::Unknown(all)));
        }
        for cells in found {
            let info = globals.cells(cells);
            if pattern.direction.is_some() && info.ty != Type::Chan {
                return Err(pattern.bad(Problem::Direction));
            }
            if pattern.index.is_some_and(|index| index >= info.count) {
                return Err(pattern.bad(Problem::Index(info.count)));
            }
            if info.ty == Type::Chan && !globals.channels.iter().any(|channel| channel.cells == cells) {
                return Err(pattern.bad(Problem::NoChannel));
            }
            self.add(machine, cells, pattern.index, &pattern.name, pattern.direction);
        }
        Ok(())
    }
}

fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    let first = characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    first && characters.all(|each| each.is_ascii_alphanumeric() || each == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str, patterns: &[&str]) -> Result<Vec<String>, String> {
        let model = promela::load_text("m.pml", text, &promela::Options::default()).model.expect("a model");
        let machine = crate::lower(&model);
        let mut observables = Observables::declared(&machine, super::super::Ends::Visible);
        for pattern in patterns {
            let pattern = Pattern::parse(pattern).map_err(|bad| bad.to_string())?;
            observables.observe(&machine, &pattern).map_err(|bad| bad.to_string())?;
        }
        Ok(observables.names().map(str::to_string).collect())
    }

    const MODEL: &str =
        "chan q[2] = [1] of { byte }; chan c (extern C !) = [0] of { byte }; byte x; init { q[0]!x; c!1; q[1]?x }";

    #[test]
    fn patterns_name_channels_elements_and_variables() {
        assert_eq!(names(MODEL, &[]), Ok(vec!["C".into()]));
        assert_eq!(names(MODEL, &["q[*]?"]), Ok(vec!["q[0]".into(), "q[1]".into(), "C".into()]));
        assert_eq!(names(MODEL, &["q = OUT", "x"]), Ok(vec!["OUT[0]".into(), "OUT[1]".into(), "C".into(), "x".into()]));
        assert_eq!(names(MODEL, &["q[1]!=OUT", "c!=IN"]), Ok(vec!["OUT".into(), "IN".into()]));
    }

    #[test]
    fn bad_patterns_are_told_what_is_wrong() {
        let problem = |pattern| names(MODEL, &[pattern]).expect_err("a bad pattern");
        assert!(problem("z!").contains("it has q, c, x"));
        assert!(problem("x?").contains("only channels have a direction"));
        assert!(problem("q[2]!").contains("2 elements"));
        for text in ["", "!", "q[!", "q[a]", "q!=", "q!=1", "q!x", "q q"] {
            assert!(problem(text).contains("a pattern is"), "{text}");
        }
    }
}
