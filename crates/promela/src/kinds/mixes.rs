//! Where kinds meet that have nothing in common: a process number and an mtype value in one variable, say.
//!
//! A class whose uses contradict each other has evidence of several sorts: declarations, mtype names, `_pid`. From each
//! piece of evidence its sort spreads along what flows and is compared, one step at a time; where the territories of two
//! sorts touch, they are mixed, and the evidence on either side is the reason. This is the job of Etch (Donaldson, thesis,
//! chapter 6), with one difference: a plain number that is one of several fields of a message may be one thing or another,
//! depending on the other fields, so nothing is concluded through it, nor through the number variables that receive it.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::classes::Classes;
use super::nodes::{Node, Nodes};
use crate::model::Type;
use crate::source::Span;

/// What a value can stand for, as far as mixing is concerned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Sort {
    Process,
    Mtype,
    Channel,
}

impl Sort {
    /// The sort that a declared type tells.
    pub(super) fn of(ty: Type) -> Option<Sort> {
        match ty {
            Type::Pid => Some(Sort::Process),
            Type::Mtype(_) => Some(Sort::Mtype),
            Type::Chan => Some(Sort::Channel),
            _ => None,
        }
    }
}

/// A reason to believe that values are of a sort.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Evidence {
    pub(crate) sort: Sort,
    pub(crate) span: Span,
}

/// Two kinds that are taken for one another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mix {
    /// Values of two sorts meet.
    Sorts { span: Span, evidence: [Evidence; 2] },
    /// A number is written where something declared takes an mtype value or a channel.
    Number { span: Span, number: i32, belongs: Evidence },
}

/// What was seen of the kinds of nodes.
#[derive(Default)]
pub(super) struct Sightings {
    declared: FxHashMap<Node, Evidence>,
    names: Vec<(Node, Span)>,
    numbers: Vec<(Node, i32, Span)>,
    /// Fields of messages that have several.
    accompanied: FxHashSet<Node>,
    /// Which variables receive which fields.
    bound: Vec<(Node, Node)>,
}

impl Sightings {
    pub(super) fn declared(&mut self, node: Node, sort: Sort, span: Span) {
        self.declared.insert(node, Evidence { sort, span });
    }

    /// The name of an mtype value.
    pub(super) fn name(&mut self, node: Node, span: Span) {
        self.names.push((node, span));
    }

    pub(super) fn number(&mut self, node: Node, number: i32, span: Span) {
        self.numbers.push((node, number, span));
    }

    pub(super) fn message(&mut self, fields: &[Node]) {
        if fields.len() > 1 {
            self.accompanied.extend(fields);
        }
    }

    pub(super) fn bound(&mut self, field: Node, target: Node) {
        self.bound.push((field, target));
    }
}

/// All mixes, each with the evidence that is nearest.
pub(super) fn find(nodes: &Nodes, classes: &Classes, seen: Sightings) -> Vec<Mix> {
    let fields = Fields::new(nodes, classes, &seen);
    let mut mixes = numbers(&fields, &seen);
    if !contradictory(classes, &seen) {
        return mixes;
    }
    let open = fields.unclear(classes, &seen);
    let mut map = Map::new(classes.len());
    for &(a, b, span) in classes.meetings() {
        if !open[a.0 as usize] && !open[b.0 as usize] {
            map.meet(a, b, span);
        }
    }
    let mut declared: Vec<(Node, Evidence)> = seen.declared.into_iter().collect();
    declared.sort_by_key(|&(node, _)| node.0);
    map.start.splice(0..0, declared);
    map.start.extend(seen.names.iter().map(|&(node, span)| (node, Evidence { sort: Sort::Mtype, span })));
    map.start.retain(|&(node, _)| !open[node.0 as usize]);
    mixes.extend(seen.names.iter().filter(|(node, _)| *node == Nodes::PID).map(|&(_, span)| named(span)));
    mixes.extend(map.borders());
    mixes
}

/// A name that is compared with, or given as, a process by itself: both stand in one place.
fn named(span: Span) -> Mix {
    Mix::Sorts { span, evidence: [Sort::Process, Sort::Mtype].map(|sort| Evidence { sort, span }) }
}

/// Whether any class has evidence of two sorts; mostly none has, and nothing more is to do.
fn contradictory(classes: &Classes, seen: &Sightings) -> bool {
    let mut sorts: FxHashMap<Node, Sort> = FxHashMap::default();
    sorts.insert(classes.find(Nodes::PID), Sort::Process);
    let declared = seen.declared.iter().map(|(&node, evidence)| (node, evidence.sort));
    let names = seen.names.iter().map(|&(node, _)| (node, Sort::Mtype));
    declared.chain(names).any(|(node, sort)| *sorts.entry(classes.find(node)).or_insert(sort) != sort)
}

/// Numbers where a declaration asks for something else. 0 is what variables start with, and stands for nothing.
fn numbers(fields: &Fields, seen: &Sightings) -> Vec<Mix> {
    let mut found = Vec::new();
    for &(node, number, span) in &seen.numbers {
        if let Some(&belongs) = fields.declared.get(&fields.group(node)).or_else(|| seen.declared.get(&node))
            && belongs.sort != Sort::Process
            && number != 0
        {
            found.push(Mix::Number { span, number, belongs });
        }
    }
    found
}

/// The fields of messages: those that are one because their channels are form a group.
struct Fields {
    first: usize,
    group: Vec<usize>,
    declared: FxHashMap<Node, Evidence>,
}

impl Fields {
    fn new(nodes: &Nodes, classes: &Classes, seen: &Sightings) -> Fields {
        let first = nodes.count();
        let mut fields = Fields { first, group: (first..classes.len()).collect(), declared: FxHashMap::default() };
        for &(a, b, _) in classes.meetings() {
            if fields.is_field(a) && fields.is_field(b) {
                let (a, b) = (fields.group(a).0 as usize, fields.group(b).0 as usize);
                fields.group[a.max(b) - first] = a.min(b);
            }
        }
        for (&node, &evidence) in &seen.declared {
            if fields.is_field(node) {
                let group = fields.group(node);
                let known = fields.declared.entry(group).or_insert(evidence);
                *known = (*known).min_by_span(evidence);
            }
        }
        fields
    }

    /// Nodes behind those of variables are fields.
    fn is_field(&self, node: Node) -> bool {
        node.0 as usize >= self.first
    }

    /// The field that stands for a group; any other node stands for itself.
    fn group(&self, node: Node) -> Node {
        let mut at = node.0 as usize;
        while at >= self.first && self.group[at - self.first] != at {
            at = self.group[at - self.first];
        }
        Node(at as u32)
    }

    /// Nodes that may be one thing or another, depending on the rest of a message.
    fn unclear(&self, classes: &Classes, seen: &Sightings) -> Vec<bool> {
        let accompanied: FxHashSet<Node> = seen.accompanied.iter().map(|&node| self.group(node)).collect();
        let vague = |node: Node| {
            let group = self.group(node);
            self.is_field(node) && accompanied.contains(&group) && !self.declared.contains_key(&group)
        };
        let mut open: Vec<bool> = (0..classes.len() as u32).map(|node| vague(Node(node))).collect();
        for &(field, target) in &seen.bound {
            open[target.0 as usize] |= open[field.0 as usize] && !seen.declared.contains_key(&target);
        }
        open
    }
}

impl Evidence {
    fn min_by_span(self, other: Evidence) -> Evidence {
        if other.span.start < self.span.start { other } else { self }
    }
}

/// What flows where, and where evidence was seen.
struct Map {
    neighbours: Vec<Vec<(Node, Span)>>,
    start: Vec<(Node, Evidence)>,
}

impl Map {
    fn new(count: usize) -> Map {
        Map { neighbours: vec![Vec::new(); count], start: Vec::new() }
    }

    /// All process numbers are one node of the inference, which would make everything a neighbour of everything: here each
    /// meeting with it is evidence of its own.
    fn meet(&mut self, a: Node, b: Node, span: Span) {
        if a == Nodes::PID || b == Nodes::PID {
            let node = if a == Nodes::PID { b } else { a };
            if span != Span::NOWHERE && node != Nodes::PID {
                self.start.push((node, Evidence { sort: Sort::Process, span }));
            }
        } else if a != b {
            self.neighbours[a.0 as usize].push((b, span));
            self.neighbours[b.0 as usize].push((a, span));
        }
    }

    /// Spreads the evidence, and finds where different sorts touch.
    fn borders(self) -> Vec<Mix> {
        let mut territory: Vec<Option<Evidence>> = vec![None; self.neighbours.len()];
        let mut mixes = Borders::default();
        let mut queue = VecDeque::new();
        for &(node, evidence) in &self.start {
            match territory[node.0 as usize] {
                Some(known) => mixes.touch(known, evidence, evidence.span),
                None => {
                    territory[node.0 as usize] = Some(evidence);
                    queue.push_back((node, evidence));
                }
            }
        }
        while let Some((node, evidence)) = queue.pop_front() {
            for &(next, span) in &self.neighbours[node.0 as usize] {
                match territory[next.0 as usize] {
                    Some(known) => mixes.touch(known, evidence, span),
                    None => {
                        territory[next.0 as usize] = Some(evidence);
                        queue.push_back((next, evidence));
                    }
                }
            }
        }
        mixes.found
    }
}

/// One mix for each piece of evidence and what it is mixed with: a mistake that is made ten times is told once.
#[derive(Default)]
struct Borders {
    found: Vec<Mix>,
    known: FxHashSet<(Evidence, Sort)>,
}

impl Borders {
    fn touch(&mut self, a: Evidence, b: Evidence, span: Span) {
        if a.sort == b.sort {
            return;
        }
        let new = [self.known.insert((a, b.sort)), self.known.insert((b, a.sort))];
        if new == [true, true] {
            let evidence = if a.sort < b.sort { [a, b] } else { [b, a] };
            self.found.push(Mix::Sorts { span, evidence });
        }
    }
}
