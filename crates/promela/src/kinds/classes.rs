//! Classes of values: a union-find whose classes know what their members were used as.
//!
//! Uniting two classes of channels unites their fields too; that work waits in a list instead of on the stack, so types
//! may be as deep, and as circular, as they like. Near-linear in the number of constraints (Tarjan 1975).

use super::nodes::{Node, Nodes};
use crate::diagnostic::Diagnostic;
use crate::model::{Array, Domain, DomainId, Kind, Model, MtypeSetId, ProcessId, Type};
use crate::source::Span;

/// What the members of a class have been used as.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    pub(super) pid: bool,
    /// Names of this set were seen.
    pub(super) mtype: Option<MtypeSetId>,
    /// A variable of plain `mtype` is in the class: a set seen elsewhere decides.
    pub(super) plain_mtype: bool,
    pub(super) reference: Option<ProcessId>,
    /// Decides only if nothing else does: a `bool` may well hold an index.
    pub(super) truth: bool,
    /// The arrays that the members index.
    pub(super) arrays: Vec<Array>,
    pub(super) channel: Option<Channel>,
    /// Names of two sets, or references to two proctypes.
    contradiction: bool,
}

/// What is known about the channels of a class.
#[derive(Clone, Debug, Default)]
pub(super) struct Channel {
    /// The nodes of the fields seen so far.
    pub(super) fields: Vec<Node>,
    /// The types of the fields, if a channel of the class is created somewhere.
    pub(super) declared: Option<Vec<Type>>,
    /// Channels of different types are in the class, so none of them is its type.
    pub(super) clashed: bool,
}

/// Two channels of different types that are used as one.
struct Clash {
    span: Span,
    types: [Vec<Type>; 2],
}

/// The classes of all nodes.
pub(super) struct Classes {
    parent: Vec<u32>,
    size: Vec<u32>,
    facts: Vec<Facts>,
    pending: Vec<(Node, Node, Span)>,
    clashes: Vec<Clash>,
    /// Every pair of nodes that was made one, with the place where they met.
    meetings: Vec<(Node, Node, Span)>,
    /// The domain of each class that indexes arrays.
    domains: Vec<Option<DomainId>>,
}

impl Classes {
    pub(super) fn new(count: usize) -> Classes {
        Classes {
            parent: (0..count as u32).collect(),
            size: vec![1; count],
            facts: vec![Facts::default(); count],
            pending: Vec::new(),
            clashes: Vec::new(),
            meetings: Vec::new(),
            domains: Vec::new(),
        }
    }

    /// A node that no variable stands for: a field of a message.
    pub(super) fn fresh(&mut self) -> Node {
        let node = self.parent.len() as u32;
        self.parent.push(node);
        self.size.push(1);
        self.facts.push(Facts::default());
        Node(node)
    }

    pub(super) fn len(&self) -> usize {
        self.parent.len()
    }

    /// The node that stands for a class.
    pub(super) fn find(&self, node: Node) -> Node {
        let mut at = node.0;
        while self.parent[at as usize] != at {
            at = self.parent[at as usize];
        }
        Node(at)
    }

    fn find_and_compress(&mut self, node: Node) -> Node {
        let root = self.find(node);
        let mut at = node.0;
        while self.parent[at as usize] != root.0 {
            at = std::mem::replace(&mut self.parent[at as usize], root.0);
        }
        root
    }

    pub(super) fn facts(&self, node: Node) -> &Facts {
        &self.facts[self.find(node).0 as usize]
    }

    pub(super) fn facts_mut(&mut self, node: Node) -> &mut Facts {
        let root = self.find_and_compress(node);
        &mut self.facts[root.0 as usize]
    }

    /// Every pair of nodes that was made one, with the place where they met.
    pub(super) fn meetings(&self) -> &[(Node, Node, Span)] {
        &self.meetings
    }

    /// Makes one class of two; `span` is where they met.
    pub(super) fn unite(&mut self, a: Node, b: Node, span: Span) {
        self.pending.push((a, b, span));
        while let Some((a, b, span)) = self.pending.pop() {
            self.meetings.push((a, b, span));
            let (mut a, mut b) = (self.find_and_compress(a), self.find_and_compress(b));
            if a == b {
                continue;
            }
            if self.size[a.0 as usize] < self.size[b.0 as usize] {
                std::mem::swap(&mut a, &mut b);
            }
            self.parent[b.0 as usize] = a.0;
            self.size[a.0 as usize] += self.size[b.0 as usize];
            let absorbed = std::mem::take(&mut self.facts[b.0 as usize]);
            self.absorb(a, absorbed, span);
        }
    }

    fn absorb(&mut self, root: Node, mut other: Facts, span: Span) {
        let facts = &mut self.facts[root.0 as usize];
        facts.pid |= other.pid;
        facts.plain_mtype |= other.plain_mtype;
        facts.truth |= other.truth;
        facts.contradiction |= other.contradiction;
        facts.contradiction |= differ(facts.mtype, other.mtype) || differ(facts.reference, other.reference);
        facts.mtype = facts.mtype.or(other.mtype);
        facts.reference = facts.reference.or(other.reference);
        if facts.arrays.len() < other.arrays.len() {
            std::mem::swap(&mut facts.arrays, &mut other.arrays);
        }
        facts.arrays.append(&mut other.arrays);
        let Some(theirs) = other.channel else { return };
        let Some(ours) = &mut facts.channel else {
            facts.channel = Some(theirs);
            return;
        };
        for (&a, &b) in ours.fields.iter().zip(&theirs.fields) {
            self.pending.push((a, b, span));
        }
        if theirs.fields.len() > ours.fields.len() {
            ours.fields.extend_from_slice(&theirs.fields[ours.fields.len()..]);
        }
        ours.clashed |= theirs.clashed;
        match (&ours.declared, theirs.declared) {
            (Some(a), Some(b)) if *a != b => {
                ours.clashed = true;
                self.clashes.push(Clash { span, types: [a.clone(), b] });
            }
            (None, declared) => ours.declared = declared,
            _ => {}
        }
    }

    /// Notes that a class holds names of an mtype set.
    pub(super) fn seed_mtype(&mut self, node: Node, set: MtypeSetId) {
        let facts = self.facts_mut(node);
        facts.contradiction |= differ(facts.mtype, Some(set));
        facts.mtype = Some(set);
    }

    /// Notes that a class holds references to a proctype.
    pub(super) fn seed_reference(&mut self, node: Node, process: ProcessId) {
        let facts = self.facts_mut(node);
        facts.contradiction |= differ(facts.reference, Some(process));
        facts.reference = Some(process);
    }

    /// The node of a field of the channels in a class.
    pub(super) fn channel_field(&mut self, node: Node, number: usize) -> Node {
        let known = self.facts(node).channel.as_ref().map_or(0, |channel| channel.fields.len());
        let fresh: Vec<Node> = (known..=number).map(|_| self.fresh()).collect();
        let channel = self.facts_mut(node).channel.get_or_insert_default();
        channel.fields.extend(fresh);
        channel.fields[number]
    }

    /// What the members of a class stand for.
    pub(super) fn kind(&self, node: Node) -> Kind {
        let facts = self.facts(node);
        let strong = [facts.pid, facts.mtype.is_some(), facts.reference.is_some(), facts.channel.is_some()];
        let count = strong.iter().filter(|&&fact| fact).count();
        if facts.contradiction || count > 1 {
            return Kind::Number;
        }
        match facts {
            Facts { pid: true, .. } => Kind::Pid,
            Facts { mtype: Some(set), .. } => Kind::Mtype(*set),
            Facts { reference: Some(process), .. } => Kind::Reference(*process),
            Facts { channel: Some(_), arrays, .. } if arrays.is_empty() => Kind::Channel,
            Facts { channel: Some(_), .. } => Kind::Number,
            Facts { plain_mtype: true, .. } => Kind::Mtype(MtypeSetId(0)),
            Facts { arrays, .. } if !arrays.is_empty() => match self.domains.get(self.find(node).0 as usize) {
                Some(Some(domain)) => Kind::Index(*domain),
                _ => Kind::Number,
            },
            Facts { truth: true, .. } => Kind::Truth,
            _ => Kind::Number,
        }
    }

    /// Gives each class of indices its domain, in the order of nodes.
    pub(super) fn number_domains(&mut self, nodes: &Nodes) -> Vec<Domain> {
        let domain = |arrays: &[Array]| {
            let mut arrays = arrays.to_vec();
            arrays.sort_unstable();
            Domain { size: arrays.iter().filter_map(|&array| nodes.length(array)).max(), arrays }
        };
        let of_pids = if self.kind(Nodes::PID) == Kind::Pid { &*self.facts(Nodes::PID).arrays } else { &[] };
        let mut domains = vec![Domain { size: None, ..domain(of_pids) }];
        self.domains = vec![None; self.len()];
        for node in 0..self.len() as u32 {
            let root = self.find(Node(node));
            let facts = &self.facts[root.0 as usize];
            let plain = !facts.pid && facts.mtype.is_none() && facts.reference.is_none();
            let indices = plain && facts.channel.is_none() && !facts.plain_mtype && !facts.contradiction;
            if indices && !facts.arrays.is_empty() && self.domains[root.0 as usize].is_none() {
                self.domains[root.0 as usize] = Some(DomainId(domains.len() as u32));
                domains.push(domain(&facts.arrays));
            }
        }
        domains
    }

    /// Warns where channels of different types were taken for one another.
    pub(super) fn report_clashes(&mut self, model: &Model, diagnostics: &mut Vec<Diagnostic>) {
        let describe = |types: &[Type]| {
            let names: Vec<String> = types.iter().map(|&ty| model.type_name(ty)).collect();
            format!("`chan {{{}}}`", names.join(", "))
        };
        for Clash { span, types: [a, b] } in self.clashes.drain(..) {
            let message = format!("channels of different types meet here: {} and {}", describe(&a), describe(&b));
            let note = "a message that is sent as the one and received as the other loses fields or bits";
            diagnostics.push(Diagnostic::warning("channel-type", span, message).note(note));
        }
    }
}

fn differ<T: PartialEq>(a: Option<T>, b: Option<T>) -> bool {
    matches!((a, b), (Some(a), Some(b)) if a != b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uniting_channels_unites_their_fields_even_in_circles() {
        let mut classes = Classes::new(2);
        let (a, b) = (Node(0), Node(1));
        let (of_a, of_b) = (classes.channel_field(a, 0), classes.channel_field(b, 0));
        classes.unite(of_a, a, Span::NOWHERE);
        classes.unite(of_b, b, Span::NOWHERE);
        classes.unite(a, b, Span::NOWHERE);
        assert_eq!(classes.find(of_a), classes.find(b));
        assert_eq!(classes.kind(of_b), Kind::Channel);
    }

    #[test]
    fn contradicting_uses_make_a_plain_number() {
        let mut classes = Classes::new(2);
        classes.facts_mut(Node(0)).pid = true;
        classes.seed_mtype(Node(1), MtypeSetId(1));
        classes.unite(Node(0), Node(1), Span::NOWHERE);
        assert_eq!(classes.kind(Node(0)), Kind::Number);
    }

    #[test]
    fn truth_gives_way_to_everything_else() {
        let mut classes = Classes::new(2);
        classes.facts_mut(Node(0)).truth = true;
        assert_eq!(classes.kind(Node(0)), Kind::Truth);
        classes.facts_mut(Node(1)).pid = true;
        classes.unite(Node(0), Node(1), Span::NOWHERE);
        assert_eq!(classes.kind(Node(0)), Kind::Pid);
    }
}
