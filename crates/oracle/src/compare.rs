//! Where SPIN's verifier and isospin's enumeration differ.
//!
//! Automata are compared location by location and edge by edge, texts without their white space; for the figures see
//! [`Summary`](crate::summary::Summary).

use std::collections::{BTreeMap, BTreeSet};

use machine::Machine;
use machine::automaton::{Automaton, Edge};
use machine::enumerate::Census;
use machine::id::Location;
use promela::model::Role;

use crate::spin::{SpinAutomaton, SpinEdge, SpinLabels, SpinReport};
use crate::summary::squeeze;

/// Lists where statements that are never reached differ.
#[must_use]
pub fn unreached(machine: &Machine, census: &Census, spin: &SpinReport) -> Vec<String> {
    let ours: BTreeSet<(String, u32)> = census
        .unreached
        .iter()
        .map(|(definition, location)| (spin_name(&machine.definition(*definition).automaton), location.0))
        .map(|(name, location)| (if name == ":init:" { "init".to_string() } else { name }, location))
        .collect();
    let spins: BTreeSet<(String, u32)> =
        spin.unreached.iter().map(|unreached| (unreached.process.clone(), unreached.state)).collect();
    let claims = |name: &str| name.starts_with("claim");
    let mut lines: Vec<String> = ours.difference(&spins).map(|(name, at)| format!("only ours: {name} {at}")).collect();
    let only_spins = spins.difference(&ours).filter(|(name, _)| !claims(name));
    lines.extend(only_spins.map(|(name, at)| format!("only SPIN's: {name} {at}")));
    lines
}

/// Lists where the automata differ.
#[must_use]
pub fn automata(machine: &Machine, spin: &[SpinAutomaton]) -> Vec<String> {
    let mut differences = Vec::new();
    for definition in &machine.definitions {
        let name = spin_name(&definition.automaton);
        match spin.iter().find(|automaton| automaton.name == name) {
            Some(spins) => differences.extend(automaton(machine, &definition.automaton, spins)),
            None => differences.push(format!("{name}: SPIN lists no such proctype")),
        }
    }
    differences
}

fn spin_name(automaton: &Automaton) -> String {
    match automaton.role {
        Role::Init => ":init:".to_string(),
        Role::Proctype | Role::Never | Role::Trace => automaton.name.to_string(),
    }
}

fn automaton(machine: &Machine, ours: &Automaton, spin: &SpinAutomaton) -> Vec<String> {
    let mut spins: BTreeMap<u32, Vec<&SpinEdge>> = BTreeMap::new();
    for edge in &spin.edges {
        spins.entry(edge.from).or_default().push(edge);
    }
    let reachable = reachable(ours);
    let mut differences = Vec::new();
    // SPIN's list is one of steps: a place without any is not in it.
    let has_steps = |location: &&Location| !ours.location(**location).edges.is_empty();
    for &location in reachable.iter().filter(has_steps).filter(|location| !spins.contains_key(&location.0)) {
        differences.push(format!("{}: state {} is only ours", spin.name, location.0));
    }
    for (&from, edges) in &spins {
        // SPIN also lists escapes that cannot be entered from anywhere.
        let Some(info) = ours.locations.get(from as usize) else {
            differences.push(format!("{}: state {from} is only SPIN's", spin.name));
            continue;
        };
        let labels = SpinLabels { progress: info.progress, end: info.end, accept: info.accept };
        if labels != edges[0].labels {
            differences.push(format!("{}: state {from} has {labels:?}, SPIN has {:?}", spin.name, edges[0].labels));
        }
        let our_lines: Vec<String> = info.edges.iter().map(|edge| describe(machine, edge)).collect();
        let edges = edges.iter().filter(|edge| !is_placeholder(edge));
        let spin_lines: Vec<String> = edges.map(|edge| describe_spin(machine, edge)).collect();
        if our_lines != spin_lines {
            differences.push(format!("{}: state {from}: {our_lines:?}, SPIN has {spin_lines:?}", spin.name));
        }
    }
    differences
}

/// A selection without options has a line in SPIN's listing, but no step.
fn is_placeholder(edge: &SpinEdge) -> bool {
    edge.to == 0 && ["IF", "DO"].contains(&edge.text.trim())
}

/// Locations that can be reached from the start.
fn reachable(automaton: &Automaton) -> BTreeSet<Location> {
    let mut reachable = BTreeSet::new();
    let mut open = vec![automaton.start];
    while let Some(location) = open.pop() {
        if location != Location(0) && reachable.insert(location) {
            let edges = &automaton.location(location).edges;
            open.extend(edges.iter().map(|edge| edge.target));
        }
    }
    reachable
}

fn describe(machine: &Machine, edge: &Edge) -> String {
    let text = normalise(machine, &machine.action(edge.action).text);
    // SPIN marks a `d_step` as atomic even when it is the last step of an `atomic`.
    let atomic = edge.atomic && text != "D_STEP";
    line(edge.target.0, atomic, edge.escape.map(|escape| escape.0), &text)
}

fn describe_spin(machine: &Machine, edge: &SpinEdge) -> String {
    let text = normalise(machine, &edge.text);
    line(edge.to, edge.atomic && text != "D_STEP", edge.escape, &text)
}

fn line(target: u32, atomic: bool, escape: Option<u32>, text: &str) -> String {
    let atomic = if atomic { " atomic" } else { "" };
    let escape = escape.map_or(String::new(), |escape| format!(" escape {escape}"));
    format!("-> {target}{atomic}{escape} {text}")
}

/// Texts are the same when they differ only in white space, in constants that one side has computed or named, in the name of a
/// loop that is left or a counter that SPIN invented, in what is added to `D_STEP` and `printm` and in `_priority = n` for
/// `set_priority(_pid, n)`.
fn normalise(machine: &Machine, text: &str) -> String {
    let mut text = without_c(&squeeze(text));
    if text.starts_with("goto:b") {
        return "break".to_string();
    }
    if text.starts_with("D_STEP") {
        return "D_STEP".to_string();
    }
    if let Some((printed, _)) = text.strip_prefix("printm(").and_then(|rest| rest.split_once([',', ')'])) {
        return format!("printm({printed})");
    }
    if let Some(priority) = text.strip_prefix("set_priority(_pid,").and_then(|rest| rest.strip_suffix(')')) {
        text = format!("_priority={priority}");
    }
    // `P:x` is `P.x` in SPIN's text. A colon of a conditional stands between parentheses.
    let is_name = |character: Option<char>| character.is_some_and(|c| c.is_alphabetic() || c == '_');
    while let Some(at) = text.match_indices(':').map(|(at, _)| at).find(|at| is_name(text[at + 1..].chars().next())) {
        text.replace_range(at..=at, ".");
    }
    // `P@L` is `(P._p==L)` in SPIN's text.
    while let Some(at) = text.find("._p==") {
        let Some(open) = text[..at].rfind('(') else { break };
        let Some(close) = text[at..].find(')') else { break };
        let label = text[at + "._p==".len()..at + close].to_string();
        text = format!("{}{}@{label}{}", &text[..open], &text[open + 1..at], &text[at + close + 1..]);
    }
    text = words(&text).map(|word| plain_word(machine, word)).collect();
    while let Some(shorter) = fold_constants(&text) {
        text = shorter;
    }
    text
}

/// SPIN's listings number pieces of C where ours show them.
fn without_c(text: &str) -> String {
    let (mut rest, mut plain) = (text, String::new());
    while let Some(at) = rest.find("c_code").into_iter().chain(rest.find("c_expr")).min() {
        let (before, piece) = rest.split_at(at);
        let end = match piece.find(|character: char| !character.is_ascii_alphanumeric() && character != '_') {
            // `{c_code3}`
            Some(end) if before.ends_with('{') => end + 1,
            // `c_code{...}`, brackets in it matched.
            Some(open) => {
                let mut depth = 0;
                let closes = |(_, character): &(usize, char)| {
                    depth += i32::from(*character == '{') - i32::from(*character == '}');
                    depth == 0
                };
                piece[open..].char_indices().find(closes).map_or(piece.len(), |(close, _)| open + close + 1)
            }
            None => piece.len(),
        };
        plain += before.strip_suffix('{').unwrap_or(before);
        plain += "{C}";
        rest = &piece[end..];
    }
    plain + rest
}

/// Cuts a text into names and what stands between them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let in_name = |character: char| character.is_alphanumeric() || character == '_';
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let end = rest.find(|character| in_name(character) != in_name(first)).unwrap_or(rest.len());
        let word;
        (word, rest) = rest.split_at(end);
        Some(word)
    })
}

fn plain_word(machine: &Machine, word: &str) -> String {
    if word.contains("f0r_t3mp") {
        return "counter".to_string();
    }
    let mut members = machine.mtypes.iter().flat_map(|set| &set.members);
    members.find(|(name, _)| **name == *word).map_or_else(|| word.to_string(), |(_, value)| value.to_string())
}

/// Computes one operation on constants: `(9+1)`, `-(1)` or `((1)->(2):(3))`.
fn fold_constants(text: &str) -> Option<String> {
    for (open, _) in text.match_indices('(') {
        let close = open + text[open..].find(')')?;
        let (before, inside, after) = (&text[..open], &text[open + 1..close], &text[close + 1..]);
        if let Ok(value) = inside.parse::<i32>() {
            if let Some(folded) = unary(before, value, after).or_else(|| conditional(before, value, after)) {
                return Some(folded);
            }
        } else if let Some(value) = operation(inside) {
            return Some(format!("{before}{value}{after}"));
        }
    }
    None
}

fn unary(before: &str, value: i32, after: &str) -> Option<String> {
    let operator = before.chars().last()?;
    let rest = &before[..before.len() - operator.len_utf8()];
    // A minus between two operands is no sign.
    let value = match operator {
        '-' if !rest.ends_with(|character: char| character.is_alphanumeric() || ")]_".contains(character)) => {
            value.wrapping_neg()
        }
        '~' => !value,
        '!' => i32::from(value == 0),
        _ => return None,
    };
    Some(format!("{rest}{value}{after}"))
}

fn conditional(before: &str, value: i32, after: &str) -> Option<String> {
    let before = before.strip_suffix('(')?;
    let (yes, rest) = parenthesised(after.strip_prefix("->")?)?;
    let (no, rest) = parenthesised(rest.strip_prefix(':')?)?;
    let after = rest.strip_prefix(')')?;
    Some(format!("{before}{}{after}", if value != 0 { yes } else { no }))
}

/// Takes `(...)` from the front: what is inside, and the rest.
fn parenthesised(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' if depth == 1 => return Some((&text[1..at], &text[at + 1..])),
            ')' => depth -= 1,
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

fn operation(text: &str) -> Option<i32> {
    // The operator is not the sign of the first number, nor is the sign of the second part of it.
    let is_operator = |character: char| "+-*/%&|^=!<>".contains(character);
    let at = 1 + text.get(1..)?.find(is_operator)?;
    let length = if text[at..].get(1..2).is_some_and(|next| "&|=<>".contains(next)) { 2 } else { 1 };
    let (left, right): (i32, i32) = (text[..at].parse().ok()?, text[at + length..].parse().ok()?);
    Some(match &text[at..at + length] {
        "+" => left.wrapping_add(right),
        "-" => left.wrapping_sub(right),
        "*" => left.wrapping_mul(right),
        "/" => left.checked_div(right)?,
        "%" => left.checked_rem(right)?,
        "&" => left & right,
        "|" => left | right,
        "^" => left ^ right,
        "<<" => left.wrapping_shl(right as u32),
        ">>" => left.wrapping_shr(right as u32),
        "==" => i32::from(left == right),
        "!=" => i32::from(left != right),
        "<" => i32::from(left < right),
        "<=" => i32::from(left <= right),
        ">" => i32::from(left > right),
        ">=" => i32::from(left >= right),
        "&&" => i32::from(left != 0 && right != 0),
        "||" => i32::from(left != 0 || right != 0),
        _ => return None,
    })
}
