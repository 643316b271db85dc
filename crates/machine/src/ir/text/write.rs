//! Writes a machine: sections in a fixed order, one thing a line, so that two machines can be compared line by line.

mod terms;

use std::fmt::Write as _;

use promela::model::{External, Kind, PortDirection, PropertyForm, Type};

use self::terms::{channel, cube, expr, formula, list, option, place};
use super::words::{self, AT_REST, FEATURES, VERSION};
use crate::action::{Action, ActionKind, DStep, Field, Jump};
use crate::automaton::Automaton;
use crate::claim::{Atom, Claim, ClaimEnd, Property, Question};
use crate::embedded::{MemoryOwner, PieceKind};
use crate::layout::{Area, Cells, Layout};
use crate::machine::{Definition, FullChannels, InitialValues, Initialiser, Machine};

/// The textual form of a machine.
///
/// ```
/// let text = "byte x; active proctype P() { do :: x < 2 -> x++ od }";
/// # let model = promela::load_text("m.pml", text, &promela::Options::default()).model.unwrap();
/// let machine = machine::lower(&model);
/// let written = machine::text::write(&machine);
/// assert!(written.contains("assign g0 := (g0 + 1)"), "{written}");
/// let read = machine::text::read(&written).unwrap();
/// assert_eq!(machine::text::write(&read), written);
/// ```
#[must_use]
pub fn write(machine: &Machine) -> String {
    let mut out = format!("machine {VERSION}\n");
    head(&mut out, machine);
    globals(&mut out, machine);
    for (number, definition) in machine.definitions.iter().enumerate() {
        process(&mut out, number, definition, machine.layout.frames.get(number));
    }
    for claim in &machine.claims {
        let _ = write!(out, "\nnever {} {{\n", name(&claim.name));
        automaton(&mut out, claim);
    }
    if let Some(trace) = &machine.trace {
        let word = if trace.negated { "notrace" } else { "trace" };
        let _ = write!(out, "\n{word} {} in g{} {{\n", name(&trace.automaton.name), trace.cells.0);
        automaton(&mut out, &trace.automaton);
    }
    out.push('\n');
    machine.actions.iter().enumerate().for_each(|(number, each)| action(&mut out, number, each));
    machine.ltl.iter().for_each(|property| ltl(&mut out, property));
    machine.automata.iter().for_each(|each| claim(&mut out, each));
    embedded(&mut out, machine);
    out
}

/// What belongs to no area and no automaton.
fn head(out: &mut String, machine: &Machine) {
    let mut features = machine.features;
    let used: Vec<&str> = FEATURES.into_iter().filter(|(_, flag)| *flag(&mut features)).map(|(word, _)| word).collect();
    if !used.is_empty() {
        let _ = writeln!(out, "features {}", used.join(" "));
    }
    if machine.full_channels == FullChannels::Lose {
        out.push_str("full_channels lose\n");
    }
    for (number, set) in machine.mtypes.iter().enumerate() {
        let _ = write!(out, "mtype {number} ");
        if let Some(set) = &set.name {
            let _ = write!(out, "{} ", name(set));
        }
        let members: Vec<String> =
            set.members.iter().map(|(member, value)| format!("{} = {value}", name(member))).collect();
        let _ = writeln!(out, "{{ {} }}", members.join(", "));
    }
    for (number, shape) in machine.layout.shapes.iter().enumerate() {
        let fields: Vec<String> = shape.fields.iter().map(|&field| ty(field)).collect();
        let _ = writeln!(out, "shape {number} [{}] of {{ {} }}", shape.capacity, fields.join(", "));
    }
    layout(out, &machine.layout);
    if !machine.active.is_empty() {
        let active: Vec<String> = machine.active.iter().map(|definition| format!("d{}", definition.0)).collect();
        let _ = writeln!(out, "active {}", active.join(", "));
    }
}

fn layout(out: &mut String, layout: &Layout) {
    let _ = write!(out, "layout definition {} location {}", layout.definition_width, layout.location_width);
    let offsets = [("last", layout.last_offset), ("priority", layout.priority_offset)];
    for (word, offset) in offsets {
        if let Some(offset) = offset {
            let _ = write!(out, " {word} @{offset}");
        }
    }
    out.push('\n');
}

fn globals(out: &mut String, machine: &Machine) {
    let area = &machine.layout.globals;
    let _ = write!(out, "\nglobals{} {{\n", sizes(area));
    declarations(out, area, 'g');
    machine.global_initial.iter().for_each(|each| initial(out, each, 'g'));
    out.push_str("}\n");
}

fn sizes(area: &Area) -> String {
    let hidden = if area.hidden_size > 0 { format!(" hidden {}", area.hidden_size) } else { String::new() };
    format!(" size {}{hidden}", area.size)
}

/// The cells and channels of an area.
fn declarations(out: &mut String, area: &Area, letter: char) {
    for (number, cells) in area.cells.iter().enumerate() {
        let _ = writeln!(out, "  {letter}{number} {}", declaration(cells));
    }
    for (number, channel) in area.channels.iter().enumerate() {
        let (shape, cells, element, offset) = (channel.shape.0, channel.cells.0, channel.element, channel.offset);
        let _ = writeln!(out, "  {letter}c{number} shape {shape} of {letter}{cells}[{element}] @{offset}");
    }
}

fn declaration(cells: &Cells) -> String {
    let mut text = ty(cells.ty);
    for (number, part) in cells.path.iter().enumerate() {
        let _ = write!(text, "{}{}", if number == 0 { ' ' } else { '.' }, name(&part.name));
        if let Some(length) = part.length {
            let _ = write!(text, "[{length}]");
        }
    }
    let _ = write!(text, " @{}", cells.offset);
    for (word, holds) in [("hidden", cells.hidden), ("unmatched", cells.unmatched)] {
        if holds {
            let _ = write!(text, " {word}");
        }
    }
    if let Some(External { name: external, direction }) = &cells.external {
        let direction = match direction {
            Some(PortDirection::Send) => " !",
            Some(PortDirection::Receive) => " ?",
            None => "",
        };
        let _ = write!(text, " extern {}{direction}", name(external));
    }
    let kind = match cells.kind {
        Kind::Number => return text,
        Kind::Pid => "pid".to_string(),
        Kind::Index(domain) => format!("index:{}", domain.0),
        Kind::Mtype(set) => format!("mtype:{}", set.0),
        Kind::Channel => "chan".to_string(),
        Kind::Truth => "bool".to_string(),
        Kind::Reference(definition) => format!("ref:{}", definition.0),
    };
    text + " kind " + &kind
}

fn ty(ty: Type) -> String {
    match ty {
        Type::Bit => "bit".to_string(),
        Type::Bool => "bool".to_string(),
        Type::Byte => "byte".to_string(),
        Type::Pid => "pid".to_string(),
        Type::Short => "short".to_string(),
        Type::Int => "int".to_string(),
        Type::Unsigned(bits) => format!("unsigned:{bits}"),
        Type::Mtype(set) => format!("mtype:{}", set.0),
        Type::Chan => "chan".to_string(),
        Type::Structure(structure) => format!("struct:{}", structure.0),
        Type::Ref(definition) => format!("ref:{}", definition.0),
    }
}

fn initial(out: &mut String, initialiser: &Initialiser, letter: char) {
    let _ = write!(out, "  initial {letter}{} = ", initialiser.cells.0);
    match &initialiser.values {
        InitialValues::Same(value) => expr(out, value),
        InitialValues::Each(values) => {
            let values: Vec<String> = values.iter().map(i32::to_string).collect();
            let _ = write!(out, "{{ {} }}", values.join(", "));
        }
    }
    out.push('\n');
}

fn process(out: &mut String, number: usize, definition: &Definition, area: Option<&Area>) {
    let process = &definition.automaton;
    let _ = write!(out, "\n{} d{number} {}", words::role(process.role), name(&process.name));
    if definition.priority != 1 {
        let _ = write!(out, " priority {}", definition.priority);
    }
    let _ = writeln!(out, "{} {{", area.map(sizes).unwrap_or_default());
    area.into_iter().for_each(|area| declarations(out, area, 'l'));
    for parameter in &definition.parameters {
        let _ = writeln!(out, "  parameter l{}", parameter.0);
    }
    definition.initial.iter().for_each(|each| initial(out, each, 'l'));
    for end in &definition.exclusive {
        let _ = write!(out, "  exclusive {} ", words::direction(end.direction));
        channel(out, &end.channel);
        out.push('\n');
    }
    automaton(out, process);
}

/// The lines of an automaton with its closing brace.
fn automaton(out: &mut String, automaton: &Automaton) {
    if automaton.deterministic {
        out.push_str("  deterministic\n");
    }
    if let Some(provided) = &automaton.provided {
        out.push_str("  provided ");
        expr(out, provided);
        out.push('\n');
    }
    let _ = writeln!(out, "  start {}\n  end {}", automaton.start.0, automaton.end.0);
    for (label, location) in &automaton.labels {
        let _ = writeln!(out, "  label {} at {}", name(label), location.0);
    }
    for (number, location) in automaton.locations.iter().enumerate() {
        let flags = [("end", location.end), ("accept", location.accept), ("progress", location.progress)];
        let is_used = !location.edges.is_empty() || !location.text.is_empty() || flags.iter().any(|(_, set)| *set);
        if number == 0 && !is_used {
            continue;
        }
        let _ = write!(out, "  location {number}");
        flags.iter().filter(|(_, set)| *set).for_each(|(word, _)| out.extend([" ", word]));
        if !location.text.is_empty() {
            out.push(' ');
            quote(out, &location.text);
        }
        out.push('\n');
        for edge in &location.edges {
            let _ = write!(out, "    a{} -> {}", edge.action.0, edge.target.0);
            if edge.atomic {
                out.push_str(" atomic");
            }
            if let Some(escape) = edge.escape {
                let _ = write!(out, " escape {}", escape.0);
            }
            out.push('\n');
        }
    }
    out.push_str("}\n");
}

fn action(out: &mut String, number: usize, action: &Action) {
    let _ = write!(out, "action a{number} ");
    if let Some((definition, instance)) = action.choice {
        let _ = write!(out, "choice d{} {instance} ", definition.0);
    }
    let value = |out: &mut String, word: &str, value| {
        out.extend([word, " "]);
        expr(out, value);
    };
    match &action.kind {
        ActionKind::Skip => out.push_str("skip"),
        ActionKind::Jump(Jump::Goto) => out.push_str("goto"),
        ActionKind::Jump(Jump::Break) => out.push_str("break"),
        ActionKind::Jump(Jump::Join) => out.push_str("join"),
        ActionKind::Else => out.push_str("else"),
        ActionKind::End => out.push_str("end"),
        ActionKind::Condition(condition) => value(out, "when", condition),
        ActionKind::Discard(discarded) => value(out, "discard", discarded),
        ActionKind::Assert(condition) => value(out, "assert", condition),
        ActionKind::Code(code) => {
            let _ = write!(out, "code k{}", code.0);
        }
        ActionKind::Deterministic(_) => out.push_str("d_step"),
        ActionKind::Assign(target, assigned) => {
            out.push_str("assign ");
            place(out, target, ".");
            out.push_str(" := ");
            expr(out, assigned);
        }
        ActionKind::Send(send) => {
            out.push_str("send ");
            channel(out, &send.channel);
            out.push_str(if send.sorted { " !! " } else { " ! " });
            list(out, &send.values, expr);
        }
        ActionKind::Receive(receive) => {
            out.push_str("receive ");
            channel(out, &receive.channel);
            out.push_str(if receive.random { " ??" } else { " ?" });
            out.push_str(if receive.copy { "< " } else { " " });
            list(out, &receive.fields, |out, field| match field {
                Field::Bind(target) => place(out, target, "."),
                Field::Ignore => out.push('_'),
                Field::Match(wanted) => {
                    out.push_str("eval(");
                    expr(out, wanted);
                    out.push(')');
                }
            });
            if receive.copy {
                out.push_str(" >");
            }
        }
        ActionKind::Print(format, arguments) => {
            out.push_str("print ");
            quote(out, format);
            out.push(' ');
            list(out, arguments, expr);
        }
        ActionKind::PrintMtype(printed, set) => value(out, &format!("printm mtype:{}", set.0), printed),
        ActionKind::SetPriority(pid, priority) => {
            out.push_str("set_priority ");
            list(out, &[pid, priority], |out, each| expr(out, each));
        }
        ActionKind::Event(event) => {
            out.push_str("event ");
            channel(out, &event.channel);
            let _ = write!(out, " {} ", words::direction(event.direction));
            list(out, &event.pattern, option);
        }
    }
    out.truncate(out.trim_end().len());
    out.push(' ');
    quote(out, &action.text);
    match &action.kind {
        ActionKind::Deterministic(body) => d_step(out, body),
        _ => out.push('\n'),
    }
}

fn d_step(out: &mut String, body: &DStep) {
    out.push_str(" {\n");
    for node in &body.nodes {
        let _ = writeln!(out, "  node {}", node.location.0);
        for edge in &node.edges {
            let target = edge.target.map_or("out".to_string(), |target| target.to_string());
            let _ = writeln!(out, "    a{} -> {target}", edge.action.0);
        }
    }
    out.push_str("}\n");
}

fn ltl(out: &mut String, property: &Property) {
    let form = match property.form {
        PropertyForm::Block => "",
        PropertyForm::Formula => " outside",
    };
    let _ = write!(out, "\nltl {}{form} {{\n", name(&property.name));
    for (number, each) in property.atoms.iter().enumerate() {
        let _ = write!(out, "  ask p{number} ");
        atom(out, each);
    }
    if let Some(proposition) = &property.proposition {
        out.push_str("  proposition ");
        atom(out, proposition);
    }
    out.push_str("  holds ");
    formula(out, &property.formula);
    out.push_str("\n}\n");
}

/// An atom up to the end of its line.
fn atom(out: &mut String, atom: &Atom) {
    expr(out, &atom.expression);
    out.push(' ');
    quote(out, &atom.text);
    out.push('\n');
}

fn claim(out: &mut String, claim: &Claim) {
    let at_rest = AT_REST.into_iter().find(|(_, at_rest)| *at_rest == claim.at_rest).map_or("", |(word, _)| word);
    let (initial, sets) = (claim.initial.0, claim.acceptance_sets);
    let invariant = if claim.stutter_invariant { " stutter_invariant" } else { "" };
    let _ = writeln!(out, "\nautomaton {} initial {initial} sets {sets} {at_rest}{invariant} {{", name(&claim.name));
    for (number, question) in claim.atoms.iter().enumerate() {
        let _ = write!(out, "  ask p{number} ");
        match question {
            Question::Expression(each) => atom(out, each),
            Question::Accepting => out.push_str("accepting\n"),
        }
    }
    for (number, state) in claim.states.iter().enumerate() {
        let _ = write!(out, "  state {number}");
        match state.end {
            None => {}
            Some(ClaimEnd::Completed) => out.push_str(" completed"),
            Some(ClaimEnd::Unanswered) => out.push_str(" unanswered"),
            Some(ClaimEnd::Assertion(failed)) => {
                let _ = write!(out, " failed a{}", failed.0);
            }
        }
        out.push('\n');
        for edge in &state.edges {
            let guard: Vec<String> = edge.guard.iter().map(|each| cube(*each)).collect();
            let guard = if guard.is_empty() { "false".to_string() } else { guard.join(" | ") };
            let _ = write!(out, "    {guard} -> {}", edge.target.0);
            let marks: Vec<String> =
                (0..64).filter(|set| edge.marks >> set & 1 == 1).map(|set| set.to_string()).collect();
            if !marks.is_empty() {
                let _ = write!(out, " in {}", marks.join(", "));
            }
            out.push('\n');
        }
    }
    out.push_str("}\n");
}

fn embedded(out: &mut String, machine: &Machine) {
    for memory in &machine.code.memory {
        let owner = match memory.owner {
            MemoryOwner::Global => "global".to_string(),
            MemoryOwner::Definition(definition) => format!("d{}", definition.0),
        };
        let unmatched = if memory.unmatched { " unmatched" } else { "" };
        let (declaration, bytes) = (memory.declaration, memory.bytes);
        let _ =
            writeln!(out, "memory {owner} {} declaration {declaration} bytes {bytes}{unmatched}", name(&memory.name));
    }
    for (number, piece) in machine.code.pieces.iter().enumerate() {
        let kind = match piece.kind {
            PieceKind::Statement => "statement",
            PieceKind::Expression => "expression",
        };
        let _ = write!(out, "code k{number} {kind} ");
        if let Some(owner) = piece.owner {
            let _ = write!(out, "of d{} ", owner.0);
        }
        quote(out, &piece.text.text);
        if let Some(precondition) = &piece.text.precondition {
            out.push_str(" requires ");
            quote(out, precondition);
        }
        out.push('\n');
    }
}

/// A name: a word if it is one, a quoted text otherwise.
fn name(name: &str) -> String {
    if words::is_word(name) {
        return name.to_string();
    }
    let mut quoted = String::new();
    quote(&mut quoted, name);
    quoted
}

/// A quoted text.
pub(super) fn quote(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            control if control.is_control() => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(control));
            }
            plain => out.push(plain),
        }
    }
    out.push('"');
}
