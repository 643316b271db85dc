//! The automata that SPIN's verifier lists with `-d`.

/// The automaton of a process definition as SPIN lists it: only what can be reached from its start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpinAutomaton {
    /// The proctype; `:init:` for the initial process.
    pub name: String,
    /// The edges, in the order of the listing.
    pub edges: Vec<SpinEdge>,
}

/// An edge of such an automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpinEdge {
    /// The control state it leaves.
    pub from: u32,
    /// The control state it leads to; 0 for the end of the process.
    pub to: u32,
    /// The guard of an `unless`: the first control state of the escape.
    pub escape: Option<u32>,
    /// Inside an `atomic`, not its last step.
    pub atomic: bool,
    /// A `d_step`.
    pub deterministic: bool,
    /// Labels of the control state it leaves.
    pub labels: SpinLabels,
    /// The line given for the control state.
    pub line: u32,
    /// The statement.
    pub text: String,
}

/// Labels with a meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SpinLabels {
    /// `progress`
    pub progress: bool,
    /// `end`
    pub end: bool,
    /// `accept`
    pub accept: bool,
}

/// Reads a listing.
pub fn parse(text: &str) -> Vec<SpinAutomaton> {
    let mut automata: Vec<SpinAutomaton> = Vec::new();
    for line in text.lines() {
        if let Some(edge) = edge(line) {
            if let Some(automaton) = automata.last_mut() {
                automaton.edges.push(edge);
            }
        } else if let Some(name) = line.strip_prefix("proctype ") {
            automata.push(SpinAutomaton { name: name.to_string(), edges: Vec::new() });
        } else if line == "init" {
            automata.push(SpinAutomaton { name: ":init:".to_string(), edges: Vec::new() });
        } else if line.starts_with("claim") || line.starts_with("trace") || line.starts_with("notrace") {
            automata.push(SpinAutomaton { name: line.to_string(), edges: Vec::new() });
        }
    }
    automata
}

/// `state  16 -(tr   9)-> state  16  [id   4 tp   2 org   5] [----G] m.pml:2 => ((x==3))`
fn edge(line: &str) -> Option<SpinEdge> {
    let rest = line.strip_prefix("\tstate ")?;
    let (head, text) = rest.split_once(" => ")?;
    let (from, rest) = head.split_once("-(")?;
    let (_, rest) = rest.split_once("-> state")?;
    let (to, rest) = rest.split_once('[')?;
    let (numbers, rest) = rest.split_once(']')?;
    let (_, rest) = rest.split_once('[')?;
    let (flags, position) = rest.split_once(']')?;
    let escape = numbers.split_once("org").map(|(_, number)| number.trim().parse()).transpose().ok()?;
    let labels = SpinLabels { progress: flags.contains('p'), end: flags.contains('e'), accept: flags.contains('a') };
    Some(SpinEdge {
        from: from.trim().parse().ok()?,
        to: to.trim().parse().ok()?,
        escape,
        atomic: flags.starts_with('A'),
        deterministic: flags.starts_with('D'),
        labels,
        line: position.rsplit_once(':')?.1.trim().parse().ok()?,
        text: text.trim().to_string(),
    })
}
