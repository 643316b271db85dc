//! A counterexample as the page's script wants it: what repeats is said once.
//!
//! A long run executes few statements many times, and changes few variables. Statements and names stand in tables, a step refers to
//! them by number, and a change is the new value only; the script knows the old one. A step is an array, cut off behind the last
//! thing that it has to tell:
//!
//! ```text
//! [statement, statement of the rendezvous' other side or -1, [name, value, name, value, ...], what is rare]
//! ```

use std::collections::HashMap;

use machine::trace::{Part, Trace, TraceStep};
use machine::waiting::Waiting;
use serde_json::{Map, Value, json};

/// A run for the page.
pub(super) fn compact(trace: &Trace) -> Value {
    let (mut parts, mut names) = (Table::default(), Table::default());
    let steps: Vec<Value> = trace.steps.iter().map(|each| step(each, &mut parts, &mut names)).collect();
    json!({
        "initial": trace.initial,
        "final": trace.last,
        "waiting": trace.waiting.iter().map(waiting).collect::<Vec<_>>(),
        "cycle_start": trace.cycle_start,
        "end": trace.end,
        "parts": parts.entries,
        "names": names.entries,
        "steps": steps,
    })
}

/// What a process waits for, in lines.
fn waiting(waiting: &Waiting) -> Value {
    let obstacles = waiting.obstacles.iter().map(|obstacle| format!("  {obstacle}"));
    let who = format!("{}({}) waits at {}", waiting.process, waiting.pid, waiting.place);
    json!(std::iter::once(who).chain(obstacles).collect::<Vec<_>>().join("\n"))
}

/// Things that are said once and then called by their number.
#[derive(Default)]
struct Table {
    entries: Vec<Value>,
    numbers: HashMap<String, usize>,
}

impl Table {
    fn number(&mut self, entry: Value) -> usize {
        let next = self.entries.len();
        let number = *self.numbers.entry(entry.to_string()).or_insert(next);
        if number == next {
            self.entries.push(entry);
        }
        number
    }
}

fn step(step: &TraceStep, parts: &mut Table, names: &mut Table) -> Value {
    let mut all = vec![json!(parts.number(part(&step.part)))];
    all.push(step.partner.as_ref().map_or(json!(-1), |partner| json!(parts.number(part(partner)))));
    let changes = step
        .changes
        .iter()
        .flat_map(|change| [json!(names.number(Value::String(change.name.clone()))), json!(change.new)]);
    all.push(Value::Array(changes.collect()));
    all.push(Value::Object(rare(step)));
    let is_empty = |value: &Value| match value {
        Value::Array(list) => list.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        other => *other == -1,
    };
    while all.last().is_some_and(is_empty) {
        all.pop();
    }
    Value::Array(all)
}

fn part(part: &Part) -> Value {
    let place = &part.place;
    json!({
        "pid": part.pid, "process": part.process, "statement": part.written(),
        "file": place.file, "line": place.line, "end_line": place.end_line,
    })
}

fn rare(step: &TraceStep) -> Map<String, Value> {
    let mut fields = Map::new();
    let mut tell = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            fields.insert(name.into(), value);
        }
    };
    tell("timeout", step.timeout.then_some(Value::Bool(true)));
    tell("output", (!step.output.is_empty()).then(|| json!(step.output)));
    tell("created", (!step.created.is_empty()).then(|| json!(step.created)));
    tell("ended", (!step.ended.is_empty()).then(|| json!(step.ended)));
    tell("error", step.error.is_some().then_some(Value::Bool(true)));
    fields
}
