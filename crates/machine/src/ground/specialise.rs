//! From expressions of a definition to terms of one of its processes: names are resolved, known values folded.

use crate::action::{ActionKind, DStepEdge, Field};
use crate::expression::{At, BinaryOp, ChannelRef, Expr, Index, Owner, Place, Predefined, UnaryOp};
use crate::id::{ActionId, CellId, DefinitionId, GroupId, Pid, TermId};
use crate::state::Storage;
use promela::source::Span;
use rustc_hash::FxHashSet;

use super::configuration::Configuration;
use super::term::{ChannelTerm, FieldTerm, Reference, Step, Term, Terms};

/// What is known while terms are made.
pub(super) struct Specialiser<'c, 'm> {
    pub configuration: &'c Configuration<'m>,
    /// Cells that always hold what they hold in the entry state.
    pub constants: &'c [bool],
    /// Whether processes may disappear.
    pub processes_end: bool,
    pub terms: &'c mut Terms,
    /// The cells whose known value was used.
    pub relied_on: &'c mut FxHashSet<CellId>,
    /// The executing process; none for claims.
    pub pid: Option<Pid>,
    /// The statement at hand.
    pub span: Span,
}

impl Specialiser<'_, '_> {
    /// What an action does.
    pub fn step(&mut self, action: ActionId) -> Step {
        let machine = self.configuration.machine;
        let action = machine.action(action);
        self.span = action.span;
        match &action.kind {
            ActionKind::Skip | ActionKind::Jump(_) => Step::Skip,
            ActionKind::Condition(condition) => {
                let condition = self.term(condition);
                match self.terms.constant(condition) {
                    Some(value) if value != 0 => Step::Skip,
                    _ => Step::Condition(condition),
                }
            }
            ActionKind::Else => Step::Else,
            ActionKind::Assign(place, value) => {
                let value = self.term(value);
                Step::Assign(self.reference(place), value)
            }
            ActionKind::Discard(value) | ActionKind::PrintMtype(value, _) => Step::Evaluate(vec![self.term(value)]),
            ActionKind::Print(_, arguments) => Step::Evaluate(self.all(arguments)),
            ActionKind::Send(send) => {
                let values = self.all(&send.values);
                Step::Send { channel: self.channel(&send.channel), sorted: send.sorted, values }
            }
            ActionKind::Receive(receive) => {
                let fields = receive.fields.iter().map(|field| match field {
                    Field::Bind(place) => FieldTerm::Bind(self.reference(place)),
                    Field::Ignore => FieldTerm::Ignore,
                    Field::Match(value) => FieldTerm::Match(self.term(value)),
                });
                let fields = fields.collect();
                let channel = self.channel(&receive.channel);
                Step::Receive { channel, random: receive.random, copy: receive.copy, fields }
            }
            ActionKind::Assert(condition) => Step::Assert(self.term(condition)),
            ActionKind::SetPriority(pid, priority) => {
                let pid = self.term(pid);
                Step::SetPriority(pid, self.term(priority))
            }
            ActionKind::Deterministic(body) => {
                let nodes = body.nodes.iter().map(|node| self.alternatives(&node.edges));
                Step::Deterministic(nodes.collect())
            }
            ActionKind::End => Step::End,
            ActionKind::Code(_) | ActionKind::Event(_) => Step::Opaque,
        }
    }

    /// The alternatives at a location of a `d_step`, as far as one of them may be the first possible one.
    fn alternatives(&mut self, edges: &[DStepEdge]) -> Vec<(Step, Option<u32>)> {
        let mut alternatives = Vec::new();
        for edge in edges {
            let step = self.step(edge.action);
            if self.is_never(&step) {
                continue;
            }
            let is_last = matches!(step, Step::Skip | Step::Else);
            alternatives.push((step, edge.target));
            if is_last {
                break;
            }
        }
        alternatives
    }

    /// Whether a step can be taken in no state.
    pub fn is_never(&self, step: &Step) -> bool {
        match step {
            Step::Condition(condition) => self.terms.constant(*condition) == Some(0),
            Step::Deterministic(nodes) => nodes.first().is_none_or(Vec::is_empty),
            _ => false,
        }
    }

    /// Whether an action chooses a process that there is not.
    pub fn chooses_nobody(&self, action: ActionId) -> bool {
        self.configuration
            .machine
            .action(action)
            .choice
            .is_some_and(|(definition, number)| self.configuration.instances(definition).nth(number as usize).is_none())
    }

    fn all(&mut self, expressions: &[Expr]) -> Vec<TermId> {
        expressions.iter().map(|expression| self.term(expression)).collect()
    }

    fn add(&mut self, term: Term) -> TermId {
        self.terms.add(term, self.span)
    }

    /// The term of an expression.
    pub fn term(&mut self, expression: &Expr) -> TermId {
        let configuration = self.configuration;
        let term = match expression {
            Expr::Constant(value) => Term::Constant(*value),
            Expr::Load(place) => match self.reference(place) {
                Reference::Missing => Term::Fails,
                Reference::Cell(cell) if self.constants[cell.index()] => {
                    self.relied_on.insert(cell);
                    Term::Constant(self.configuration.entry_value(cell))
                }
                reference => Term::Load(reference),
            },
            // Of a process that is not there, 0 is read. So 0 must stay 0: it is written down as what `(x -> x : 0)` gives.
            Expr::Remote(place) => match self.reference(place) {
                Reference::Missing => Term::Constant(0),
                // What never changes is gone with its process all the same.
                Reference::Cell(cell) if self.processes_end => Term::Load(Reference::Cell(cell)),
                Reference::Cell(_) => return self.term(&Expr::Load(place.clone())),
                reference => {
                    let value = self.add(Term::Load(reference));
                    Term::Conditional(value, value, self.add(Term::Constant(0)))
                }
            },
            Expr::Predefined(which) => self.predefined(*which),
            Expr::Unary(op, operand) => {
                let operand = self.term(operand);
                match self.terms.constant(operand) {
                    Some(value) => Term::Constant(unary(*op, value)),
                    None => Term::Unary(*op, operand),
                }
            }
            Expr::Binary(op, left, right, _) => return self.binary(*op, left, right),
            Expr::Conditional(condition, yes, no) => {
                let condition = self.term(condition);
                match self.terms.constant(condition) {
                    Some(0) => return self.term(no),
                    Some(_) => return self.term(yes),
                    None => Term::Conditional(condition, self.term(yes), self.term(no)),
                }
            }
            Expr::Probe(probe, channel) => Term::Probe(*probe, self.channel(channel)),
            Expr::Poll(poll) => {
                let pattern = poll.pattern.iter().map(|value| value.as_ref().map(|value| self.term(value))).collect();
                Term::Poll { channel: self.channel(&poll.channel), random: poll.random, pattern }
            }
            Expr::At(at) => self.at(at),
            Expr::Timeout => Term::Timeout,
            Expr::Enabled(pid) => Term::Enabled(self.term(pid)),
            Expr::LocationOf(pid) => Term::LocationOf(self.term(pid)),
            Expr::PriorityOf(pid) => Term::PriorityOf(self.term(pid)),
            // Where processes disappear, others get their numbers.
            Expr::AnyReference(definition, number) if self.processes_end && self.may_end(*definition) => {
                Term::Instance(*definition, *number)
            }
            Expr::AnyReference(definition, number) => {
                let instance = configuration.instances(*definition).nth(*number as usize);
                instance.map_or(Term::Fails, |pid| Term::Constant(i32::from(pid.0)))
            }
            Expr::Run(_) | Expr::Code(_) => Term::Opaque,
        };
        self.add(term)
    }

    /// Whether processes of a definition may come to an end, not only to rest there.
    fn may_end(&self, definition: DefinitionId) -> bool {
        let automaton = &self.configuration.machine.definition(definition).automaton;
        !automaton.location(automaton.end).edges.is_empty()
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> TermId {
        let left = self.term(left);
        let known_left = self.terms.constant(left);
        match (op, known_left) {
            (BinaryOp::And, Some(0)) => return self.add(Term::Constant(0)),
            (BinaryOp::Or, Some(value)) if value != 0 => return self.add(Term::Constant(1)),
            _ => {}
        }
        let right = self.term(right);
        self.terms.binary(op, left, right, self.span)
    }

    fn predefined(&self, which: Predefined) -> Term {
        let configuration = self.configuration;
        match (which, self.pid) {
            (Predefined::Pid, Some(pid)) => Term::Constant(i32::from(pid.0)),
            (Predefined::ProcessCount, _) if !self.processes_end => {
                Term::Constant(configuration.definitions.len() as i32)
            }
            (Predefined::ChannelCount, _) if !self.processes_end => Term::Constant(configuration.channels.len() as i32),
            (Predefined::ProcessCount, _) => Term::ProcessCount,
            (Predefined::ChannelCount, _) => Term::ChannelCount,
            (Predefined::Last, _) => Term::Last,
            (Predefined::NonProgress, _) => Term::NonProgress,
            (Predefined::Priority, Some(_)) if configuration.machine.layout.priority_offset.is_none() => {
                Term::Constant(1)
            }
            (Predefined::Priority, Some(pid)) => Term::Priority(pid),
            (Predefined::LocalNumber, Some(pid)) => {
                let definition = configuration.definition(pid);
                Term::Constant(configuration.instances(definition).take_while(|&other| other != pid).count() as i32)
            }
            (Predefined::Pid | Predefined::Priority | Predefined::LocalNumber, None) => Term::Opaque,
        }
    }

    fn at(&mut self, at: &At) -> Term {
        let configuration = self.configuration;
        let known = match &at.pid {
            None => configuration.instances(at.definition).next(),
            Some(pid) => {
                let pid = self.term(pid);
                let Some(value) = self.terms.constant(pid) else {
                    return Term::AnyAt(pid, at.definition, at.location);
                };
                configuration.instances(at.definition).find(|pid| i32::from(pid.0) == value)
            }
        };
        known.map_or(Term::Constant(0), |pid| Term::At(pid, at.location))
    }

    /// The cell that a place is, or the cells it may be.
    pub fn reference(&mut self, place: &Place) -> Reference {
        let configuration = self.configuration;
        let storage = match &place.owner {
            Owner::Global => Storage::Global,
            Owner::Own => match self.pid {
                Some(pid) => Storage::Process(pid),
                None => return Reference::Missing,
            },
            Owner::Remote(definition, pid) => {
                let process = match pid {
                    None => configuration.instances(*definition).next(),
                    Some(pid) => {
                        let pid = self.term(pid);
                        let Some(value) = self.terms.constant(pid) else {
                            let Some(first) = configuration.instances(*definition).next() else {
                                return Reference::Missing;
                            };
                            let group = configuration.group(Storage::Process(first), place.cells);
                            let indices = match &place.index {
                                Index::Constant(element) => {
                                    let cell = configuration.cell(group, *element);
                                    let indices = configuration.indices(cell);
                                    indices.into_iter().map(|index| self.add(Term::Constant(index))).collect()
                                }
                                Index::Computed(indices) => indices.iter().map(|(index, _)| self.term(index)).collect(),
                            };
                            return Reference::Remote { definition: *definition, cells: place.cells, pid, indices };
                        };
                        configuration.instances(*definition).find(|pid| i32::from(pid.0) == value)
                    }
                };
                match process {
                    Some(process) => Storage::Process(process),
                    None => return Reference::Missing,
                }
            }
        };
        let group = configuration.group(storage, place.cells);
        let indices: Vec<TermId> = match &place.index {
            Index::Constant(element) => return Reference::Cell(configuration.cell(group, *element)),
            Index::Computed(indices) => indices.iter().map(|(index, _)| self.term(index)).collect(),
        };
        resolve(configuration, self.terms, group, indices)
    }

    /// The channel that a statement names.
    pub fn channel(&mut self, channel: &ChannelRef) -> ChannelTerm {
        let ChannelRef::Variable(place) = channel else {
            let known = self.configuration.static_channel(self.pid, channel);
            return known.map_or(ChannelTerm::Missing, ChannelTerm::Known);
        };
        let number = self.term(&Expr::Load(place.clone()));
        match self.terms.get(number) {
            Term::Constant(number) => {
                self.configuration.channel(*number).map_or(ChannelTerm::Missing, ChannelTerm::Known)
            }
            Term::Fails => ChannelTerm::Missing,
            _ => ChannelTerm::Variable(number),
        }
    }
}

/// The value of an operator with one operand.
#[must_use]
pub fn unary(op: UnaryOp, value: i32) -> i32 {
    match op {
        UnaryOp::Negate => value.wrapping_neg(),
        UnaryOp::Complement => !value,
        UnaryOp::Not => i32::from(value == 0),
    }
}

/// The cell of a group at these indices, or the cells it may be.
pub(super) fn resolve(
    configuration: &Configuration<'_>,
    terms: &Terms,
    group: GroupId,
    indices: Vec<TermId>,
) -> Reference {
    let mut element = 0;
    for (&index, &length) in indices.iter().zip(&configuration.groups[group.index()].lengths) {
        match terms.constant(index).map(u32::try_from) {
            None => return Reference::Indexed(group, indices),
            Some(Ok(index)) if index < length => element = element * length + index,
            Some(_) => return Reference::Missing,
        }
    }
    Reference::Cell(configuration.cell(group, element))
}

/// The cells that a reference may mean.
pub(super) fn possible_cells(configuration: &Configuration<'_>, terms: &Terms, reference: &Reference) -> Vec<CellId> {
    let matching = |group, indices: &[TermId]| {
        let cells = configuration.cells_of(group).filter(|&cell| {
            let known = indices.iter().map(|&index| terms.constant(index));
            configuration
                .indices(cell)
                .into_iter()
                .zip(known)
                .all(|(index, known)| known.is_none_or(|known| known == index))
        });
        cells.collect::<Vec<CellId>>()
    };
    match reference {
        Reference::Cell(cell) => vec![*cell],
        Reference::Missing => Vec::new(),
        Reference::Indexed(group, indices) => matching(*group, indices),
        Reference::Remote { definition, cells, indices, .. } => configuration
            .instances(*definition)
            .flat_map(|pid| matching(configuration.group(Storage::Process(pid), *cells), indices))
            .collect(),
    }
}
