//! Conditions in the program graph, in a form that depends on what they mean.
//!
//! Negations go inwards, comparisons are `==` and `<` only, `x` is `x != 0`, and of a few conditions joined by `&&`, `||` and `!` all prime
//! implicants are written down (Blake's canonical form). It is the same for all texts of one Boolean function, and it commutes
//! with renaming what is asked. So `!(b || c)` here and `!a && !c` there are one condition about other variables. Where a part may be a
//! run-time error that another part guards, the order of the parts stays.

use group::graph::Vertex;
use machine::expression::{BinaryOp, ChannelProbe, UnaryOp};
use machine::ground::{ChannelTerm, Reference, Term, TermId, is_ordering};

use super::terms::{parts, unordered};
use crate::detect::classes::ClassId;
use crate::detect::colour::{Colour, Label};
use crate::detect::domains::may_fail;
use crate::detect::program_graph::Writer;

/// Conditions with more different questions than this are not brought into Blake's form.
const MOST_QUESTIONS: usize = 6;

/// A condition without negations but at its leaves.
enum Formula {
    Constant(bool),
    Question(Literal),
    All(Vec<Formula>),
    Any(Vec<Formula>),
}

/// A question, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Literal {
    question: usize,
    holds: bool,
}

/// What can be asked of a state. Vertices are made for those questions only that are left in the end.
struct Question {
    asked: Asked,
    /// What is compared with a constant, and the constant.
    compared: Option<(TermId, i32)>,
    can_fail: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// Whether a condition holds.
    Condition(Vertex),
    /// Whether two values are equal.
    Equal(Vertex, Vertex),
    /// Which of two values something has: is it the first one?
    OneOf(Vertex, [Vertex; 2]),
}

impl Asked {
    /// The opposite question, if it is one by itself.
    fn opposite(self) -> Option<Asked> {
        match self {
            Asked::OneOf(place, [one, other]) => Some(Asked::OneOf(place, [other, one])),
            Asked::Condition(_) | Asked::Equal(..) => None,
        }
    }
}

/// A set of valuations of up to six questions, one bit for each.
type Valuations = u64;

impl Writer<'_, '_> {
    /// The vertex of a term that is used as a condition.
    pub fn condition(&mut self, id: TermId) -> Vertex {
        self.conjunction(&[(id, true)])
    }

    /// The vertex of conditions that all hold, or do not.
    pub(super) fn conjunction(&mut self, conditions: &[(TermId, bool)]) -> Vertex {
        let mut questions = Vec::new();
        let mut operands = Vec::new();
        for &(id, holds) in conditions {
            match self.formula(id, holds, &mut questions) {
                Formula::All(inner) => operands.extend(inner),
                formula => operands.push(formula),
            }
        }
        let formula = if operands.len() == 1 { operands.remove(0) } else { Formula::All(operands) };
        if questions.iter().any(|question| question.can_fail) || questions.len() > MOST_QUESTIONS {
            return self.as_written(&formula, &questions);
        }
        let exclusive = self.exclusive_pairs(&questions);
        match self.plain_junction(&formula, exclusive.is_empty()) {
            Some((is_all, literals)) => {
                let vertices: Vec<Vertex> = literals.iter().map(|&it| self.literal(it, &questions)).collect();
                self.junction(is_all, vertices, false)
            }
            None => self.blake(&formula, &questions, &exclusive),
        }
    }

    fn formula(&mut self, id: TermId, holds: bool, questions: &mut Vec<Question>) -> Formula {
        match self.program.terms.get(id).clone() {
            Term::Constant(value) => Formula::Constant((value != 0) == holds),
            Term::Unary(UnaryOp::Not, operand) => self.formula(operand, !holds, questions),
            Term::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let is_all = (op == BinaryOp::And) == holds;
                let mut operands = Vec::new();
                for operand in [left, right] {
                    match (self.formula(operand, holds, questions), is_all) {
                        (Formula::All(inner), true) | (Formula::Any(inner), false) => operands.extend(inner),
                        (formula, _) => operands.push(formula),
                    }
                }
                if is_all { Formula::All(operands) } else { Formula::Any(operands) }
            }
            term => self.question(id, &term, holds, questions),
        }
    }

    /// A leaf of a formula.
    fn question(&mut self, id: TermId, term: &Term, holds: bool, questions: &mut Vec<Question>) -> Formula {
        let can_fail = self.can_fail(id);
        let (asked, positive, compared) = match term {
            Term::Binary(op @ (BinaryOp::Equal | BinaryOp::NotEqual), left, right) => {
                let positive = *op == BinaryOp::Equal;
                let value = self.program.terms.constant(*right);
                let names = self.domains.class_of(*right).and_then(|class| self.domains.classes.names(class));
                if let (false, Some(value), Some(names)) = (can_fail, value, names)
                    && !names.contains(&value)
                {
                    return Formula::Constant(positive != holds);
                }
                let (left_value, right_value) = (self.value(*left), self.value(*right));
                let asked = value.and_then(|value| self.one_of_two(left_value, self.domains.class_of(*right)?, value));
                let compared = value.map(|value| (*left, value));
                let (one, other) = (left_value.min(right_value), left_value.max(right_value));
                (asked.unwrap_or(Asked::Equal(one, other)), positive, compared)
            }
            Term::Binary(op, ..) if is_ordering(*op) => (Asked::Condition(self.operator(id)), true, None),
            Term::Probe(probe, channel) if self.program.terms.is_boolean(id) => {
                let (probe, positive) = match probe {
                    ChannelProbe::NotEmpty => (ChannelProbe::Empty, false),
                    ChannelProbe::NotFull => (ChannelProbe::Full, false),
                    probe => (*probe, true),
                };
                let channel = self.channel(channel);
                (Asked::Condition(self.node(Colour::Probe(probe), parts([channel]))), positive, None)
            }
            _ => match self.asked(id, term) {
                Some(vertex) => (Asked::Condition(vertex), true, None),
                None => match self.is_zero(id) {
                    Some(asked) => (asked, false, Some((id, 0))),
                    None if !can_fail => return Formula::Constant(holds),
                    None => {
                        let foreign = self.node(Colour::Foreign, Vec::new());
                        (Asked::Equal(self.value(id), foreign), false, None)
                    }
                },
            },
        };
        let place = questions.iter().position(|it| it.asked == asked || it.asked.opposite() == Some(asked));
        let question = place.unwrap_or_else(|| {
            questions.push(Question { asked, compared, can_fail });
            questions.len() - 1
        });
        questions[question].can_fail |= can_fail;
        let is_same = questions[question].asked == asked;
        Formula::Question(Literal { question, holds: is_same == (positive == holds) })
    }

    /// The question whether a value is 0; `None` if it never is.
    fn is_zero(&mut self, id: TermId) -> Option<Asked> {
        let value = self.value(id);
        let class = self.domains.class_of(id).filter(|&class| self.domains.classes.names(class).is_some());
        let Some(class) = class else {
            return Some(Asked::Equal(value, self.node(Colour::Number(0), Vec::new())));
        };
        let zero = self.name(class, 0)?;
        Some(self.one_of_two(value, class, 0).unwrap_or(Asked::Equal(value, zero)))
    }

    /// The question whether something has a value, where it has that one or one other.
    fn one_of_two(&self, place: Vertex, class: ClassId, value: i32) -> Option<Asked> {
        let names = self.domains.classes.names(class).filter(|names| names.len() == 2)?;
        let other = *names.iter().find(|&&name| name != value)?;
        Some(Asked::OneOf(place, [self.name(class, value)?, self.name(class, other)?]))
    }

    /// A term that is a condition by itself.
    fn asked(&mut self, id: TermId, term: &Term) -> Option<Vertex> {
        Some(match term {
            Term::Poll { channel, random, pattern } => {
                let mut children = vec![(Label::Part(0), self.channel(channel))];
                for (index, value) in pattern.iter().enumerate() {
                    if let Some(value) = value {
                        children.push((Label::Part(1 + index as u32), self.value(*value)));
                    }
                }
                self.node(Colour::Poll { random: *random, fields: pattern.len() }, children)
            }
            Term::At(pid, location) => match self.location(*pid, *location) {
                Some(location) => self.node(Colour::At, parts([location])),
                None => self.node(Colour::Always(false), Vec::new()),
            },
            Term::AnyAt(pid, definition, location) => {
                let processes: Vec<_> = self.program.configuration.instances(*definition).collect();
                let locations = processes.into_iter().filter_map(|process| self.location(process, *location));
                let locations: Vec<(Label, Vertex)> = locations.map(|location| (Label::Part(1), location)).collect();
                let pid = self.value(*pid);
                self.node(Colour::AnyAt, [(Label::Part(0), pid)].into_iter().chain(locations).collect())
            }
            Term::Timeout => self.node(Colour::Timeout, Vec::new()),
            Term::NonProgress => self.node(Colour::NonProgress, Vec::new()),
            Term::Enabled(pid) => {
                let pid = self.value(*pid);
                self.node(Colour::Enabled, parts([pid]))
            }
            Term::Fails => self.node(Colour::Missing, Vec::new()),
            Term::Opaque => self.vertex(Colour::Opaque),
            _ => {
                debug_assert!(!self.program.terms.is_boolean(id), "every condition has its own case");
                return None;
            }
        })
    }

    fn literal(&mut self, literal: Literal, questions: &[Question]) -> Vertex {
        let asked = questions[literal.question].asked;
        match (literal.holds, asked.opposite()) {
            (true, _) => self.vertex_of(asked),
            (false, Some(opposite)) => self.vertex_of(opposite),
            (false, None) => {
                let yes = self.vertex_of(asked);
                self.node(Colour::Unary(UnaryOp::Not), parts([yes]))
            }
        }
    }

    fn vertex_of(&mut self, asked: Asked) -> Vertex {
        match asked {
            Asked::Condition(vertex) => vertex,
            Asked::Equal(left, right) => self.node(Colour::Equal, unordered([left, right])),
            Asked::OneOf(place, [value, _]) => self.node(Colour::Equal, unordered([place, value])),
        }
    }

    /// Literals joined by `&&` or by `||` alone, each question once: that is Blake's form already.
    fn plain_junction(&self, formula: &Formula, nothing_excluded: bool) -> Option<(bool, Vec<Literal>)> {
        let (is_all, operands) = match formula {
            Formula::Question(literal) => return Some((true, vec![*literal])),
            Formula::All(operands) => (true, operands),
            Formula::Any(operands) => (false, operands),
            Formula::Constant(_) => return None,
        };
        let mut literals: Vec<Literal> = Vec::new();
        for operand in operands {
            match operand {
                Formula::Question(literal) if literals.iter().all(|it| it.question != literal.question) => {
                    literals.push(*literal);
                }
                _ => return None,
            }
        }
        nothing_excluded.then_some((is_all, literals))
    }

    /// One operand is itself, none is true or false.
    fn junction(&mut self, is_all: bool, mut operands: Vec<Vertex>, ordered: bool) -> Vertex {
        match (operands.as_slice(), is_all) {
            ([], _) => self.node(Colour::Always(is_all), Vec::new()),
            ([only], _) => *only,
            (_, true) if ordered => self.node(Colour::All { ordered }, parts(operands)),
            (_, false) if ordered => self.node(Colour::Any { ordered }, parts(operands)),
            _ => {
                operands.sort_unstable();
                operands.dedup();
                if let [only] = operands.as_slice() {
                    return *only;
                }
                let colour = if is_all { Colour::All { ordered } } else { Colour::Any { ordered } };
                self.node(colour, unordered(operands))
            }
        }
    }

    /// Operands in any order, unless one can go wrong that another one guards.
    fn as_written(&mut self, formula: &Formula, questions: &[Question]) -> Vertex {
        let (is_all, operands) = match formula {
            Formula::Constant(value) => return self.node(Colour::Always(*value), Vec::new()),
            Formula::Question(literal) => return self.literal(*literal, questions),
            Formula::All(operands) => (true, operands),
            Formula::Any(operands) => (false, operands),
        };
        let operands: Vec<Vertex> = operands.iter().map(|operand| self.as_written(operand, questions)).collect();
        let ordered = can_fail(formula, questions);
        self.junction(is_all, operands, ordered)
    }

    /// Questions of which at most one can be answered with yes: one thing is compared with different constants.
    fn exclusive_pairs(&self, questions: &[Question]) -> Vec<(usize, usize)> {
        let terms = &self.program.terms;
        let excludes = |left: usize, right: usize| match (questions[left].compared, questions[right].compared) {
            (Some((left, one)), Some((right, other))) => one != other && terms.same(left, right),
            _ => false,
        };
        let pairs = (0..questions.len()).flat_map(|right| (0..right).map(move |left| (left, right)));
        pairs.filter(|&(left, right)| excludes(left, right)).collect()
    }

    /// All prime implicants; what cannot be is taken to be as is convenient.
    fn blake(&mut self, formula: &Formula, questions: &[Question], exclusive: &[(usize, usize)]) -> Vertex {
        let all = all_valuations(questions.len());
        let impossible =
            exclusive.iter().fold(0, |set, &(left, right)| set | (where_yes(left) & where_yes(right) & all));
        let possible = all & !impossible;
        let function = valuations_of(formula, all) & possible;
        if function == 0 || function == possible {
            return self.node(Colour::Always(function != 0), Vec::new());
        }
        let implicants: Vec<Vertex> = prime_implicants(function | impossible, questions.len())
            .into_iter()
            // What holds only where nothing can be says nothing.
            .filter(|cube| valuations_of_cube(cube, all) & function != 0)
            .map(|cube| {
                let literals: Vec<Vertex> = cube.iter().map(|&literal| self.literal(literal, questions)).collect();
                self.junction(true, literals, false)
            })
            .collect();
        self.junction(false, implicants, false)
    }

    /// Whether computing a term can be a run-time error, now that all values are known that can occur.
    pub(super) fn can_fail(&self, id: TermId) -> bool {
        let terms = &self.program.terms;
        let any = |ids: &[TermId]| ids.iter().any(|&id| self.can_fail(id));
        match terms.get(id) {
            Term::Load(Reference::Indexed(group, indices)) => {
                let lengths = &self.program.configuration.groups[group.index()].lengths;
                let in_range = indices.iter().zip(lengths).all(|(&index, &length)| {
                    let names = self.domains.class_of(index).and_then(|class| self.domains.classes.names(class));
                    names.is_some_and(|names| names.iter().all(|&name| (0..length as i32).contains(&name)))
                });
                !in_range || any(indices)
            }
            Term::Unary(_, operand) => self.can_fail(*operand),
            Term::Binary(op, left, right) => {
                let divides = matches!(op, BinaryOp::Divide | BinaryOp::Remainder);
                let by_zero = divides && terms.constant(*right).is_none_or(|divisor| divisor == 0);
                by_zero || any(&[*left, *right])
            }
            Term::Conditional(condition, yes, no) => any(&[*condition, *yes, *no]),
            Term::Probe(_, channel) => self.channel_can_fail(channel, false),
            Term::Poll { channel, pattern, .. } => {
                self.channel_can_fail(channel, true) || pattern.iter().flatten().any(|&value| self.can_fail(value))
            }
            _ => may_fail(terms, id),
        }
    }

    fn channel_can_fail(&self, channel: &ChannelTerm, polled: bool) -> bool {
        let configuration = &self.program.configuration;
        let layout = &configuration.machine.layout;
        let fails = |id: machine::ground::ChannelId| {
            polled && layout.shape(configuration.channels[id.index()].shape).is_rendezvous()
        };
        match channel {
            ChannelTerm::Missing => true,
            ChannelTerm::Known(id) => fails(*id),
            ChannelTerm::Variable(number) => {
                let names = self.domains.class_of(*number).and_then(|class| self.domains.classes.names(class));
                let valid = names.is_some_and(|names| {
                    names.iter().all(|&name| configuration.channel(name).is_some_and(|id| !fails(id)))
                });
                !valid || self.can_fail(*number)
            }
        }
    }
}

/// Whether finding out about a formula can be an error.
fn can_fail(formula: &Formula, questions: &[Question]) -> bool {
    match formula {
        Formula::Constant(_) => false,
        Formula::Question(literal) => questions[literal.question].can_fail,
        Formula::All(operands) | Formula::Any(operands) => operands.iter().any(|operand| can_fail(operand, questions)),
    }
}

fn all_valuations(questions: usize) -> Valuations {
    if questions >= MOST_QUESTIONS { Valuations::MAX } else { (1 << (1 << questions)) - 1 }
}

/// The valuations in which a question is answered with yes.
fn where_yes(question: usize) -> Valuations {
    (0..1 << MOST_QUESTIONS).filter(|valuation| valuation >> question & 1 == 1).fold(0, |set, it| set | 1 << it)
}

fn valuations_of(formula: &Formula, all: Valuations) -> Valuations {
    match formula {
        Formula::Constant(value) => {
            if *value {
                all
            } else {
                0
            }
        }
        Formula::Question(literal) => valuations_of_cube(std::slice::from_ref(literal), all),
        Formula::All(operands) => operands.iter().fold(all, |set, operand| set & valuations_of(operand, all)),
        Formula::Any(operands) => operands.iter().fold(0, |set, operand| set | valuations_of(operand, all)),
    }
}

fn valuations_of_cube(cube: &[Literal], all: Valuations) -> Valuations {
    cube.iter().fold(all, |set, literal| {
        let yes = where_yes(literal.question);
        set & if literal.holds { yes } else { !yes }
    })
}

/// The conjunctions that imply a function, none of which stays one when a part is left out.
fn prime_implicants(function: Valuations, questions: usize) -> Vec<Vec<Literal>> {
    let all = all_valuations(questions);
    let mut cubes: Vec<Vec<Literal>> = vec![Vec::new()];
    for question in 0..questions {
        let longer: Vec<Vec<Literal>> = cubes
            .iter()
            .flat_map(|cube| {
                [true, false].map(|holds| cube.iter().copied().chain([Literal { question, holds }]).collect())
            })
            .collect();
        cubes.extend(longer);
    }
    let implies = |cube: &[Literal]| valuations_of_cube(cube, all) & !function == 0;
    let is_prime = |cube: &Vec<Literal>| {
        (0..cube.len()).all(|left_out| {
            let shorter: Vec<Literal> =
                cube.iter().enumerate().filter(|&(index, _)| index != left_out).map(|(_, &literal)| literal).collect();
            !implies(&shorter)
        })
    };
    cubes.into_iter().filter(|cube| implies(cube) && is_prime(cube)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Literal, prime_implicants, where_yes};

    #[test]
    fn a_consensus_is_a_prime_implicant() {
        // (a && b) || (!a && c) implies b && c.
        let (a, b, c) = (where_yes(0), where_yes(1), where_yes(2));
        let function = ((a & b) | (!a & c)) & 0xff;
        let primes = prime_implicants(function, 3);
        assert_eq!(primes.len(), 3);
        let consensus = [Literal { question: 1, holds: true }, Literal { question: 2, holds: true }];
        assert!(primes.iter().any(|cube| cube == &consensus));
    }

    #[test]
    fn a_conjunction_is_its_own_form() {
        let function = where_yes(0) & !where_yes(1) & 0xf;
        let primes = prime_implicants(function, 2);
        assert_eq!(primes, [[Literal { question: 0, holds: true }, Literal { question: 1, holds: false }]]);
    }
}
