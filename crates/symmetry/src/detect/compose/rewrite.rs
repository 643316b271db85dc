//! Steps with what is known put in.

use machine::expression::BinaryOp;
use machine::ground::{CellId, ChannelTerm, FieldTerm, Reference, Step, Term, TermId, unary};
use promela::source::Span;

use super::Composer;
use super::knowledge::Store;

impl Composer<'_, '_> {
    /// A step with what is known put in. All its terms are new ones, since what is found out about a term (the class of a
    /// constant) belongs to one occurrence of it.
    pub(super) fn rewrite_step(&mut self, step: &Step, store: &Store) -> Step {
        match step {
            Step::Condition(term) => Step::Condition(self.rewrite(*term, store)),
            Step::Assert(term) => Step::Assert(self.rewrite(*term, store)),
            Step::Assign(place, value) => {
                let value = self.rewrite(*value, store);
                Step::Assign(self.rewrite_reference(place, store), value)
            }
            Step::Evaluate(terms) => Step::Evaluate(terms.iter().map(|&term| self.rewrite(term, store)).collect()),
            Step::Send { channel, sorted, values } => Step::Send {
                channel: self.rewrite_channel(channel, store),
                sorted: *sorted,
                values: values.iter().map(|&value| self.rewrite(value, store)).collect(),
            },
            Step::Receive { channel, random, copy, fields } => Step::Receive {
                channel: self.rewrite_channel(channel, store),
                random: *random,
                copy: *copy,
                fields: fields
                    .iter()
                    .map(|field| match field {
                        FieldTerm::Bind(place) => FieldTerm::Bind(self.rewrite_reference(place, store)),
                        FieldTerm::Ignore => FieldTerm::Ignore,
                        FieldTerm::Match(value) => FieldTerm::Match(self.rewrite(*value, store)),
                    })
                    .collect(),
            },
            step => step.clone(),
        }
    }

    fn rewrite(&mut self, id: TermId, store: &Store) -> TermId {
        let span = self.program.terms.span(id);
        match self.program.terms.get(id).clone() {
            Term::Load(place) => match self.rewrite_reference(&place, store) {
                Reference::Cell(cell) => match store.value(cell) {
                    Some(value) => self.program.terms.add(Term::Constant(value), span),
                    None => self.load(cell, span),
                },
                Reference::Missing => self.program.terms.add(Term::Fails, span),
                reference => self.program.terms.add(Term::Load(reference), span),
            },
            Term::Unary(op, operand) => {
                let operand = self.rewrite(operand, store);
                match self.program.terms.constant(operand) {
                    Some(value) => self.program.terms.add(Term::Constant(unary(op, value)), span),
                    None => self.program.terms.add(Term::Unary(op, operand), span),
                }
            }
            Term::Binary(op, left, right) => {
                let left = self.rewrite(left, store);
                let short = match (op, self.program.terms.constant(left)) {
                    (BinaryOp::And, Some(0)) => Some(0),
                    (BinaryOp::Or, Some(value)) if value != 0 => Some(1),
                    _ => None,
                };
                if let Some(value) = short {
                    return self.program.terms.add(Term::Constant(value), span);
                }
                let right = self.rewrite(right, store);
                self.program.terms.binary(op, left, right, span)
            }
            Term::Conditional(condition, yes, no) => {
                let condition = self.rewrite(condition, store);
                match self.program.terms.constant(condition) {
                    Some(0) => self.rewrite(no, store),
                    Some(_) => self.rewrite(yes, store),
                    None => {
                        let (yes, no) = (self.rewrite(yes, store), self.rewrite(no, store));
                        self.program.terms.add(Term::Conditional(condition, yes, no), span)
                    }
                }
            }
            Term::Probe(probe, channel) => {
                let channel = self.rewrite_channel(&channel, store);
                self.program.terms.add(Term::Probe(probe, channel), span)
            }
            Term::Poll { channel, random, pattern } => {
                let channel = self.rewrite_channel(&channel, store);
                let pattern = pattern.into_iter().map(|value| value.map(|value| self.rewrite(value, store))).collect();
                self.program.terms.add(Term::Poll { channel, random, pattern }, span)
            }
            term => self.program.terms.add(term, span),
        }
    }

    /// What a known cell holds, if that never changes.
    fn load(&mut self, cell: CellId, span: Span) -> TermId {
        let term = if self.program.constants[cell.index()] {
            self.program.relied_on.insert(cell);
            Term::Constant(self.program.configuration.entry_value(cell))
        } else {
            Term::Load(Reference::Cell(cell))
        };
        self.program.terms.add(term, span)
    }

    fn rewrite_reference(&mut self, place: &Reference, store: &Store) -> Reference {
        match place {
            Reference::Indexed(group, indices) => {
                let indices: Vec<TermId> = indices.iter().map(|&index| self.rewrite(index, store)).collect();
                self.program.resolve(*group, indices)
            }
            Reference::Remote { definition, cells, pid, indices } => Reference::Remote {
                definition: *definition,
                cells: *cells,
                pid: *pid,
                indices: indices.iter().map(|&index| self.rewrite(index, store)).collect(),
            },
            place => place.clone(),
        }
    }

    fn rewrite_channel(&mut self, channel: &ChannelTerm, store: &Store) -> ChannelTerm {
        let ChannelTerm::Variable(number) = channel else { return channel.clone() };
        let number = self.rewrite(*number, store);
        match self.program.terms.get(number) {
            Term::Constant(value) => {
                self.program.configuration.channel(*value).map_or(ChannelTerm::Missing, ChannelTerm::Known)
            }
            Term::Fails => ChannelTerm::Missing,
            _ => ChannelTerm::Variable(number),
        }
    }
}
