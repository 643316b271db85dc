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
    for &location in reachable.iter().filter(|location| !spins.contains_key(&location.0)) {
        differences.push(format!("{}: state {} is only ours", spin.name, location.0));
    }
    for (&from, edges) in &spins {
        let location = Location(from);
        if !reachable.contains(&location) {
            differences.push(format!("{}: state {from} is only SPIN's", spin.name));
            continue;
        }
        let info = ours.location(location);
        let labels = SpinLabels { progress: info.progress, end: info.end, accept: info.accept };
        if labels != edges[0].labels {
            differences.push(format!("{}: state {from} has {labels:?}, SPIN has {:?}", spin.name, edges[0].labels));
        }
        let our_lines: Vec<String> = info.edges.iter().map(|edge| describe(machine, edge)).collect();
        let spin_lines: Vec<String> = edges.iter().map(|edge| describe_spin(machine, edge)).collect();
        if our_lines != spin_lines {
            differences.push(format!("{}: state {from}: {our_lines:?}, SPIN has {spin_lines:?}", spin.name));
        }
    }
    differences
}

/// Locations that can be reached from the start.
fn reachable(automaton: &Automaton) -> BTreeSet<Location> {
    let mut reachable = BTreeSet::new();
    let mut open = vec![automaton.start];
    while let Some(location) = open.pop() {
        if location != Location(0) && reachable.insert(location) {
            let edges = &automaton.location(location).edges;
            open.extend(edges.iter().flat_map(|edge| std::iter::once(edge.target).chain(edge.escape)));
        }
    }
    reachable
}

fn describe(machine: &Machine, edge: &Edge) -> String {
    let text = normalise(machine, &machine.action(edge.action).text);
    let escape = edge.escape.map(|escape| escape.0);
    format!("-> {}{}{} {text}", edge.target.0, atomic(edge.atomic), escape_text(escape))
}

fn describe_spin(machine: &Machine, edge: &SpinEdge) -> String {
    let text = normalise(machine, &edge.text);
    format!("-> {}{}{} {text}", edge.to, atomic(edge.atomic), escape_text(edge.escape))
}

/// Texts are the same when they differ only in white space, in constants that one side has computed or named, in the name of a
/// loop that is left or a counter that SPIN invented, in what SPIN adds to `printm` and in `_priority = n` for
/// `set_priority(_pid, n)`.
fn normalise(machine: &Machine, text: &str) -> String {
    let mut text = squeeze(text);
    if text.starts_with("goto:b") {
        return "break".to_string();
    }
    if let Some((printed, _)) = text.strip_prefix("printm(").and_then(|rest| rest.split_once([',', ')'])) {
        return format!("printm({printed})");
    }
    if let Some(priority) = text.strip_prefix("set_priority(_pid,").and_then(|rest| rest.strip_suffix(')')) {
        text = format!("_priority={priority}");
    }
    text = words(&text).map(|word| plain_word(machine, word)).collect();
    while let Some(shorter) = fold_constants(&text) {
        text = shorter;
    }
    text
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

/// Computes one operation on constants: `(9+1)` or `-(1)`.
fn fold_constants(text: &str) -> Option<String> {
    for (open, _) in text.match_indices('(') {
        let close = open + text[open..].find(')')?;
        let inside = &text[open + 1..close];
        let before = &text[..open];
        let value = match inside.parse::<i64>() {
            Ok(value)
                if before.ends_with('-') && !before[..before.len() - 1].ends_with(|c: char| c.is_alphanumeric()) =>
            {
                return Some(format!("{}{}{}", &before[..before.len() - 1], -value, &text[close + 1..]));
            }
            Ok(_) => None,
            Err(_) => operation(inside),
        };
        if let Some(value) = value {
            return Some(format!("{before}{value}{}", &text[close + 1..]));
        }
    }
    None
}

fn operation(text: &str) -> Option<i64> {
    // The operator is not the sign of the first number.
    let (at, operator) = text.char_indices().skip(1).find(|(_, c)| "+-*/%".contains(*c))?;
    let (left, right): (i64, i64) = (text[..at].parse().ok()?, text[at + 1..].parse().ok()?);
    match operator {
        '+' => left.checked_add(right),
        '-' => left.checked_sub(right),
        '*' => left.checked_mul(right),
        '/' => left.checked_div(right),
        _ => left.checked_rem(right),
    }
}

fn atomic(atomic: bool) -> &'static str {
    if atomic { " atomic" } else { "" }
}

fn escape_text(escape: Option<u32>) -> String {
    escape.map_or(String::new(), |escape| format!(" escape {escape}"))
}
