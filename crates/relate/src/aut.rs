//! Aldebaran files: one line for the sizes, one line for each transition.
//!
//! ```text
//! file  = "des" "(" initial "," transitions "," states ")" LF { "(" from "," label "," to ")" LF }
//! label = '"' characters without '"' '"'  |  text up to the last comma
//! ```
//! Tools agree on the form and not on the internal label: CADP calls it `i`, mCRL2 `tau`, so a reader has to be told. Labels are written in quotes, in
//! printable ASCII; other bytes, `"`, `\` and `%` become `%XX`, which is undone when a file is read.

use std::fmt;
use std::fmt::Write as _;

use crate::{Alphabet, Event, Lts};

/// How the internal event is spelled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum InternalLabel {
    /// `i`, as CADP has it.
    #[default]
    I,
    /// `tau`, as mCRL2 has it.
    Tau,
    /// Either, when a file is read; `i` is written.
    Both,
}

impl InternalLabel {
    fn is(self, label: &str) -> bool {
        match self {
            InternalLabel::I => label == "i",
            InternalLabel::Tau => label == "tau",
            InternalLabel::Both => label == "i" || label == "tau",
        }
    }

    fn written(self) -> &'static str {
        match self {
            InternalLabel::I | InternalLabel::Both => "i",
            InternalLabel::Tau => "tau",
        }
    }
}

/// What is wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadFile {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for BadFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for BadFile {}

/// A visible event that is spelled like the internal one, so that a file would lose it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ambiguous {
    /// Its spelling.
    pub label: String,
}

/// Reads a file.
///
/// # Errors
/// When it is none, or its counts are wrong.
pub fn read(text: &str, internal: InternalLabel, alphabet: &Alphabet) -> Result<Lts, BadFile> {
    // Some writers end a file as they end a transmission.
    let text = text.split('\u{4}').next().unwrap_or_default();
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let (at, first) =
        lines.next().ok_or_else(|| bad(0, "the file is empty: `des (0, transitions, states)` is expected"))?;
    let [initial, transitions, states] = header(first).map_err(|message| bad(at, message))?;
    let (mut steps, mut last, mut highest) = (Vec::new(), at, initial);
    for (at, line) in lines {
        let (from, label, to) = transition(line).map_err(|message| bad(at, message))?;
        if let Some(state) = [from, to].into_iter().find(|&state| u64::from(state) >= states) {
            return Err(bad(at, format!("state {state} is not below {states}, the number of states in the header")));
        }
        let event = if internal.is(&label) { Event::INTERNAL } else { alphabet.event(&label) };
        steps.push((from, event, to));
        (last, highest) = (at, highest.max(u64::from(from)).max(u64::from(to)));
    }
    if steps.len() as u64 != transitions {
        let message = format!("the header says {transitions} transitions, but there are {}", steps.len());
        return Err(bad(last, message));
    }
    if initial >= states {
        return Err(bad(at, format!("the initial state {initial} is not below {states}, the number of states")));
    }
    // States that no transition names cannot be reached: however many the header promises, they cost nothing.
    let initial = u32::try_from(initial).map_err(|_| bad(at, "the initial state has too large a number"))?;
    Ok(Lts::new(initial, highest as u32 + 1, steps))
}

fn bad(line: usize, message: impl Into<String>) -> BadFile {
    BadFile { line: line + 1, message: message.into() }
}

fn header(line: &str) -> Result<[u64; 3], String> {
    const EXPECTED: &str = "`des (initial, transitions, states)` is expected";
    let rest = line.trim().strip_prefix("des").ok_or(EXPECTED)?.trim();
    let inner = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).ok_or(EXPECTED)?;
    let numbers = inner.split(',').map(|number| number.trim().parse()).collect::<Result<Vec<u64>, _>>();
    let numbers: [u64; 3] = numbers.map_err(|_| EXPECTED)?.try_into().map_err(|_| EXPECTED)?;
    match numbers[2] {
        states if states > u64::from(u32::MAX) => Err(format!("{states} states are too many")),
        _ => Ok(numbers),
    }
}

/// The parts of a transition. A label in quotes ends at the next quote; another one at the last comma.
fn transition(line: &str) -> Result<(u32, String, u32), String> {
    const EXPECTED: &str = "`(from, label, to)` is expected";
    let inner = line.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).ok_or(EXPECTED)?;
    let (from, rest) = inner.split_once(',').ok_or(EXPECTED)?;
    let rest = rest.trim_start();
    let (label, to) = match rest.strip_prefix('"') {
        Some(quoted) => {
            let (label, to) = quoted.split_once('"').ok_or("the label's second quote is missing")?;
            (label, to.trim_start().strip_prefix(',').ok_or("`, to)` is expected behind the label")?)
        }
        None => {
            let (label, to) = rest.rsplit_once(',').ok_or(EXPECTED)?;
            (label.trim(), to)
        }
    };
    if label.is_empty() {
        return Err("a label is missing".into());
    }
    let number =
        |text: &str| text.trim().parse().map_err(|_| format!("`{}` is not the number of a state", text.trim()));
    Ok((number(from)?, unescaped(label), number(to)?))
}

/// Writes a system, its initial state with the number 0.
///
/// # Errors
/// When a visible event is spelled like the internal one.
pub fn write(lts: &Lts, internal: InternalLabel, alphabet: &Alphabet) -> Result<String, Ambiguous> {
    let number = |state: u32| match state {
        state if state == lts.initial() => 0,
        0 => lts.initial(),
        state => state,
    };
    let mut labels: Vec<Option<String>> = vec![None; alphabet.len()];
    labels[0] = Some(internal.written().to_string());
    let mut out = format!("des (0,{},{})\n", lts.transitions(), lts.states());
    let order = (0..lts.states()).map(number);
    for (state, from) in order.map(|state| (state, number(state))) {
        for &(event, to) in lts.steps(state) {
            let label = labels[event.0 as usize].get_or_insert_with(|| escaped(&alphabet.name(event)));
            if event.is_visible() && internal.is(label) {
                return Err(Ambiguous { label: label.clone() });
            }
            let _ = writeln!(out, "({from},\"{label}\",{})", number(to));
        }
    }
    Ok(out)
}

fn escaped(label: &str) -> String {
    let mut out = String::new();
    for byte in label.bytes() {
        match byte {
            b'"' | b'\\' | b'%' | ..b' ' | 0x7f.. => {
                let _ = write!(out, "%{byte:02X}");
            }
            _ => out.push(char::from(byte)),
        }
    }
    out
}

fn unescaped(label: &str) -> String {
    let bytes = label.as_bytes();
    let (mut out, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let code = (bytes[at] == b'%').then(|| label.get(at + 1..at + 3)).flatten();
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| label.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let alphabet = Alphabet::new();
        let names = ["IN!1,2", "√", "a\"b\\c%d", "x y(,)", "100%"];
        let events: Vec<Event> = names.iter().map(|name| alphabet.event(name)).collect();
        let mut steps: Vec<(u32, Event, u32)> = (0..).zip(&events).map(|(at, &event)| (at, event, at + 1)).collect();
        steps.push((5, Event::INTERNAL, 0));
        let lts = Lts::new(3, 6, steps);
        let text = write(&lts, InternalLabel::I, &alphabet).expect("no event is called i");
        assert!(text.is_ascii() && text.starts_with("des (0,6,6)\n"));
        let again = read(&text, InternalLabel::I, &alphabet).expect("the file is one");
        assert_eq!((again.initial(), again.states(), again.transitions()), (0, 6, 6));
        assert_eq!(write(&again, InternalLabel::I, &alphabet), Ok(text));
    }

    #[test]
    fn files_of_other_tools_are_read() {
        let alphabet = Alphabet::new();
        let text = " des ( 0 , 4 , 9 )\r\n(0,i,1)\r\n(1, \"tau\" ,2)\n\n(2,PUT !1 (a, b),0)\n(2,\"c,d\",2)\u{4}garbage";
        let lts = read(text, InternalLabel::I, &alphabet).expect("the file is one");
        let names =
            |lts: &Lts| -> Vec<String> { lts.all().map(|(_, event, _)| alphabet.name(event).to_string()).collect() };
        assert_eq!(names(&lts), ["τ", "tau", "PUT !1 (a, b)", "c,d"]);
        let lts = read(text, InternalLabel::Both, &alphabet).expect("the file is one");
        assert_eq!(names(&lts)[..2], ["τ", "τ"]);
    }

    #[test]
    fn a_bad_file_is_refused_with_its_line() {
        let problem = |text: &str| read(text, InternalLabel::I, &Alphabet::new()).map_err(|bad| bad.line);
        assert_eq!(problem(""), Err(1));
        assert_eq!(problem("des (0,0)"), Err(1));
        assert_eq!(problem("des (1,0,1)"), Err(1));
        assert_eq!(problem("des (0,0,99999999999)"), Err(1));
        assert_eq!(problem("\ndes (0,2,2)\n(0,a,1)"), Err(3));
        assert_eq!(problem("des (0,1,1)\n(0,a,1)"), Err(2));
        for line in ["0,a,0", "(0,a)", "(0,\"a,0)", "(x,a,0)", "(0,a,-1)", "(0,,0)", "(0,\"\",0)", "(0,\"a\"b,0)"] {
            assert_eq!(problem(&format!("des (0,1,1)\n{line}\n")), Err(2), "{line}");
        }
        // A promise of many states costs nothing.
        assert!(problem("des (0,0,4294967295)").is_ok());
    }

    #[test]
    fn a_visible_event_that_is_spelled_like_the_internal_one_is_not_written() {
        let alphabet = Alphabet::new();
        let lts = Lts::new(0, 1, vec![(0, alphabet.event("i"), 0)]);
        assert!(write(&lts, InternalLabel::I, &alphabet).is_err());
        assert!(write(&lts, InternalLabel::Tau, &alphabet).is_ok());
    }
}
