//! Formulas of Hennessy–Milner logic, with the modalities that each bisimulation needs.
//!
//! | modality | holds of a state that … | for |
//! | --- | --- | --- |
//! | `⟨a⟩φ` | has a step `a`, internal or not, to a state of φ | strong |
//! | `⟪a⟫φ`, `⟪ε⟫φ` | has `=a⇒`, or `⇒`, to a state of φ | weak, simulations |
//! | `φ⟨a⟩ψ`, `φ⟨ε⟩ψ` | has internal steps through states of φ, the state itself included, and then a step `a` (an internal step, or none) to a state of ψ | branching |
//! | `Δφ` | has an infinite run of internal steps through states of φ | divergence preserved |
//! | `ready{a, b}` | has no internal step, and steps by these events and no others | ready simulation |
//!
//! A formula is a list of nodes, each of which refers to earlier ones, so that common parts are there once: written out it can be exponentially longer.

use std::fmt::Write as _;

use crate::{Alphabet, Event};

/// A formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Formula {
    /// Each node refers to earlier ones. The last one is the formula.
    nodes: Vec<Node>,
}

/// The number of a node.
pub type NodeId = u32;

/// A part of a formula.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A conjunction; the empty one is true.
    And(Vec<NodeId>),
    /// A negation.
    Not(NodeId),
    /// `⟨a⟩φ`.
    Step(Event, NodeId),
    /// `⟪a⟫φ`; of the internal event `⟪ε⟫φ`.
    Weak(Event, NodeId),
    /// `φ⟨a⟩ψ`; of the internal event `φ⟨ε⟩ψ`.
    Until(NodeId, Event, NodeId),
    /// `Δφ`.
    Diverges(NodeId),
    /// Stable, with exactly these events.
    Ready(Vec<Event>),
}

impl Node {
    /// The nodes that it refers to.
    pub(crate) fn parts(&self) -> Vec<NodeId> {
        match self {
            Node::And(parts) => parts.clone(),
            Node::Not(part) | Node::Step(_, part) | Node::Weak(_, part) | Node::Diverges(part) => vec![*part],
            Node::Until(through, _, then) => vec![*through, *then],
            Node::Ready(_) => Vec::new(),
        }
    }

    fn is_modal(&self) -> bool {
        !matches!(self, Node::And(_) | Node::Not(_))
    }
}

impl Formula {
    /// The formula whose nodes these are.
    ///
    /// # Panics
    /// If there is none, or if one refers to itself or to a later one.
    #[must_use]
    pub fn new(nodes: Vec<Node>) -> Formula {
        assert!(!nodes.is_empty(), "a formula has a node");
        for (number, node) in nodes.iter().enumerate() {
            assert!(node.parts().iter().all(|&part| (part as usize) < number), "a node refers to earlier ones");
        }
        Formula { nodes }
    }

    /// Its nodes; the last one is the formula.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The greatest number of modalities inside each other.
    #[must_use]
    pub fn depth(&self) -> usize {
        let mut depths: Vec<usize> = Vec::new();
        for node in &self.nodes {
            let inner = node.parts().iter().map(|&part| depths[part as usize]).max().unwrap_or(0);
            depths.push(inner + usize::from(node.is_modal()));
        }
        depths.last().copied().unwrap_or(0)
    }

    /// The formula of which it is the negation.
    pub(crate) fn negated(&self) -> Option<Formula> {
        let Some(&Node::Not(part)) = self.nodes.last() else { return None };
        Some(Formula { nodes: self.nodes[..=part as usize].to_vec() })
    }

    /// In symbols. Parts that occur again are named: `X1 where X1 = …`.
    #[must_use]
    pub fn symbols(&self, alphabet: &Alphabet) -> String {
        self.print(&|node, text| symbols(node, text, alphabet), ";")
    }

    /// In words, as a sentence about a state without its subject: `can do IN!1 and then cannot do OUT!1`.
    #[must_use]
    pub fn words(&self, alphabet: &Alphabet) -> String {
        self.print(&|node, text| words(node, text, alphabet), ";")
    }

    /// Prints every node from the texts of its parts; parts that are used twice and are not short get a name.
    fn print(&self, node_text: &dyn Fn(&Node, TextOf<'_>) -> String, separator: &str) -> String {
        const SHORT: usize = 24;
        let mut uses = vec![0; self.nodes.len()];
        for part in self.nodes.iter().flat_map(Node::parts) {
            uses[part as usize] += 1;
        }
        let (mut texts, mut named): (Vec<String>, Vec<(String, String)>) = (Vec::new(), Vec::new());
        for (number, node) in self.nodes.iter().enumerate() {
            let text = node_text(node, &|part| texts[part as usize].clone());
            if uses[number] > 1 && text.chars().count() > SHORT {
                let name = format!("X{}", named.len() + 1);
                named.push((name.clone(), text));
                texts.push(name);
            } else {
                texts.push(text);
            }
        }
        let mut whole = texts.pop().unwrap_or_default();
        for (number, (name, text)) in named.into_iter().enumerate() {
            let _ = write!(whole, "{} {name} = {text}", if number == 0 { " where" } else { separator });
        }
        whole
    }
}

/// The text of an earlier node.
type TextOf<'a> = &'a dyn Fn(NodeId) -> String;

fn symbols(node: &Node, text: TextOf<'_>, alphabet: &Alphabet) -> String {
    let name = |event: Event| if event.is_visible() { alphabet.name(event).to_string() } else { "ε".to_owned() };
    match node {
        Node::And(parts) if parts.is_empty() => "tt".to_owned(),
        Node::And(parts) => {
            let parts: Vec<String> = parts.iter().map(|&part| text(part)).collect();
            if parts.len() == 1 { parts.concat() } else { format!("({})", parts.join(" ∧ ")) }
        }
        Node::Not(part) => format!("¬{}", text(*part)),
        Node::Step(event, then) => format!("⟨{}⟩{}", alphabet.name(*event), text(*then)),
        Node::Weak(event, then) => format!("⟪{}⟫{}", name(*event), text(*then)),
        Node::Until(through, event, then) => format!("({}⟨{}⟩{})", text(*through), name(*event), text(*then)),
        Node::Diverges(through) => format!("Δ{}", text(*through)),
        Node::Ready(events) => format!("ready{{{}}}", events.iter().map(|&e| name(e)).collect::<Vec<_>>().join(", ")),
    }
}

fn words(node: &Node, text: TextOf<'_>, alphabet: &Alphabet) -> String {
    let then = |part: NodeId| match text(part).as_str() {
        ANYTHING => String::new(),
        text => format!(" and then {text}"),
    };
    match node {
        Node::And(parts) if parts.is_empty() => ANYTHING.to_owned(),
        Node::And(parts) => {
            let parts: Vec<String> = parts.iter().map(|&part| text(part)).collect();
            if parts.len() == 1 { parts.concat() } else { format!("both ({})", parts.join(") and (")) }
        }
        Node::Not(part) => match text(*part) {
            text if text.starts_with("can ") => text.replacen("can ", "cannot ", 1),
            text => format!("not ({text})"),
        },
        Node::Step(Event::INTERNAL, part) => format!("can make an internal step{}", then(*part)),
        Node::Weak(Event::INTERNAL, part) => format!("can by itself come to a state that {}", text(*part)),
        Node::Step(event, part) | Node::Weak(event, part) => format!("can do {}{}", alphabet.name(*event), then(*part)),
        Node::Until(through, event, part) => {
            let step = match *event {
                Event::INTERNAL => format!("can by itself come to a state that {}", text(*part)),
                event => format!("can do {}{}", alphabet.name(event), then(*part)),
            };
            match text(*through).as_str() {
                ANYTHING => step,
                through => format!("{step} [until that step: {through}]"),
            }
        }
        Node::Diverges(part) => match text(*part).as_str() {
            ANYTHING => "can go on by itself for ever".to_owned(),
            through => format!("can go on by itself for ever [all the time: {through}]"),
        },
        Node::Ready(events) if events.is_empty() => "is stuck".to_owned(),
        Node::Ready(events) => {
            let events: Vec<String> = events.iter().map(|&event| alphabet.name(event).to_string()).collect();
            format!("waits for exactly {}", events.join(", "))
        }
    }
}

/// The words for a true formula.
const ANYTHING: &str = "is anything";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_is_written_in_symbols_and_in_words() {
        let alphabet = Alphabet::new();
        let (a, b) = (alphabet.event("a"), alphabet.event("b"));
        let nodes = vec![Node::And(vec![]), Node::Weak(b, 0), Node::Not(1), Node::Weak(a, 2)];
        let formula = Formula::new(nodes);
        assert_eq!(formula.symbols(&alphabet), "⟪a⟫¬⟪b⟫tt");
        assert_eq!(formula.words(&alphabet), "can do a and then cannot do b");
        assert_eq!(formula.depth(), 2);
    }

    #[test]
    fn a_long_part_that_occurs_twice_is_named_once() {
        let alphabet = Alphabet::new();
        let event = alphabet.event("a-rather-long-name-of-an-event");
        let nodes = vec![Node::And(vec![]), Node::Step(event, 0), Node::Step(event, 1), Node::And(vec![1, 2])];
        let text = Formula::new(nodes).symbols(&alphabet);
        assert_eq!(text, "(X1 ∧ ⟨a-rather-long-name-of-an-event⟩X1) where X1 = ⟨a-rather-long-name-of-an-event⟩tt");
    }
}
