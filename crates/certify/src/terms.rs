//! Expressions of one process, told after a renaming.
//!
//! Two programs that tell the same text do the same, up to the renaming. What is told keeps to the kinds: values are copied and compared within their
//! kind, arithmetic is for numbers. A function of a single small variable is told as the table of its values, so that `1 - turn` or `(id + 1) % N` may be
//! names. Operands of commutative operators are told in alphabetical order. What the rules do not cover is refused, never guessed.

use machine::expression::{At, BinaryOp, ChannelRef, Expr, Index, Owner, Place, Poll, Predefined, UnaryOp};
use machine::id::DefinitionId;
use machine::interpret::arithmetic;
use machine::layout::Cells;
use machine::scalar::Scalar;

use crate::kinds::{CellKinds, Kind, NUMBER, indices};
use crate::region::Region;
use crate::renaming::Renaming;
use crate::{Accepted, Rejection};

/// The most values of a variable of which tables are made.
const MOST_VALUES: i64 = 256;

/// The least and the greatest value.
type Range = (i32, i32);

/// Tells what one process does, or what is asked about all of them, after a renaming.
#[derive(Clone, Copy)]
pub struct Speaker<'r> {
    /// The region that the states lie in.
    pub region: &'r Region,
    /// Who speaks; nobody asks questions about all processes.
    pub pid: Option<usize>,
    /// The renaming; none changes nothing.
    pub renaming: Option<&'r Renaming>,
}

/// What an expression comes to.
#[derive(Clone, Debug)]
pub(crate) enum Term {
    /// This value, of whatever kind is wanted.
    Literal(i32),
    /// By value of a variable of this kind, from the least on: the value, or none where it is an error. It is of whatever kind is wanted.
    Table { variable: String, kind: Kind, least: i32, values: Vec<Option<i32>> },
    /// Told already.
    Told { text: String, kind: Kind, range: Range },
}

pub(crate) fn refuse<T>(what: &str) -> Accepted<T> {
    Err(Rejection::new(format!("{what} is not certified to be symmetric")))
}

fn number(text: String) -> Term {
    Term::Told { text, kind: NUMBER, range: (i32::MIN, i32::MAX) }
}

impl Speaker<'_> {
    fn name(&self, kind: Kind, value: i32) -> i32 {
        self.renaming.map_or(value, |renaming| renaming.name(kind, value))
    }

    /// Where a location of a process of the region goes.
    pub fn location(&self, pid: usize, location: usize) -> usize {
        self.renaming.map_or(location, |renaming| renaming.location(pid, location))
    }

    /// Tells an expression as a value of a kind, which is stored if it is said where.
    pub(crate) fn tell(&self, expr: &Expr, kind: Kind, into: Option<Scalar>) -> Accepted<String> {
        self.say(self.term(expr)?, kind, into)
    }

    /// Tells a condition.
    pub fn condition(&self, expr: &Expr) -> Accepted<String> {
        self.tell(expr, NUMBER, None)
    }

    pub(crate) fn say(&self, term: Term, wanted: Kind, into: Option<Scalar>) -> Accepted<String> {
        // What does not fit is cut off, and then it is another name.
        let cut = |value: i32| into.map_or(value, |scalar| scalar.truncate(value));
        let fits = |value: i32| wanted == NUMBER || cut(value) == value;
        match term {
            Term::Literal(value) => Ok(self.name(wanted, cut(value)).to_string()),
            Term::Table { variable, kind, least, values } => {
                let renamed = |value: Option<i32>| value.map(|value| self.name(wanted, cut(value)));
                let mut table: Vec<(i32, Option<i32>)> =
                    (least..).zip(values).map(|(at, value)| (self.name(kind, at), renamed(value))).collect();
                table.sort_unstable();
                Ok(format!("table({variable} {table:?})"))
            }
            Term::Told { text, kind, range } if kind == wanted && fits(range.0) && fits(range.1) => Ok(text),
            Term::Told { .. } => refuse("a value of one kind where another is needed"),
        }
    }

    pub(crate) fn term(&self, expr: &Expr) -> Accepted<Term> {
        if let Some(table) = self.table(expr)? {
            return Ok(table);
        }
        match expr {
            Expr::Constant(value) => Ok(Term::Literal(*value)),
            Expr::Load(place) => self.load(place),
            Expr::Remote(place) => match self.load(place)? {
                // Where there is no such process the value is zero, which may be a name.
                Term::Told { kind: NUMBER, text, range } => Ok(Term::Told { text, kind: NUMBER, range }),
                _ => refuse("a name in another process"),
            },
            Expr::Predefined(which) => self.predefined(*which),
            Expr::Unary(op, operand) => match (op, self.term(operand)?) {
                (op, Term::Literal(value)) => Ok(Term::Literal(unary(*op, value))),
                (op, term) => Ok(number(format!("{op:?}({})", self.say(term, NUMBER, None)?))),
            },
            Expr::Binary(op, left, right, _) => self.binary(*op, left, right),
            Expr::Conditional(condition, yes, no) => self.conditional(condition, yes, no),
            Expr::Probe(probe, channel) => Ok(number(format!("{probe:?}({})", self.channel(channel)?))),
            Expr::Poll(poll) => self.poll(poll),
            Expr::At(at) => self.at(at),
            Expr::Timeout => Ok(number("timeout".into())),
            Expr::Run(_) => refuse("`run`"),
            Expr::Enabled(_) | Expr::LocationOf(_) | Expr::PriorityOf(_) | Expr::AnyReference(..) => {
                refuse("a question about what a process can do")
            }
            Expr::Code(_) => refuse("embedded C"),
        }
    }

    fn predefined(&self, which: Predefined) -> Accepted<Term> {
        let processes = &self.region.kinds.processes;
        match (which, self.pid) {
            (Predefined::Pid, Some(pid)) => Ok(Term::Literal(pid as i32)),
            (Predefined::LocalNumber, Some(pid)) => {
                let older = processes[..pid].iter().filter(|&&definition| definition == processes[pid]);
                Ok(Term::Literal(older.count() as i32))
            }
            (Predefined::ProcessCount, _) if !self.region.has_deaths() => Ok(Term::Literal(processes.len() as i32)),
            (Predefined::NonProgress, _) if !self.region.has_deaths() => Ok(number("np_".into())),
            _ => refuse("a predefined variable"),
        }
    }

    fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Accepted<Term> {
        if matches!(op, BinaryOp::And | BinaryOp::Or) || is_associative(op) {
            return self.chain(op, left, right);
        }
        let (left, right) = (self.term(left)?, self.term(right)?);
        if let (Term::Literal(left), Term::Literal(right)) = (&left, &right) {
            return Ok(arithmetic(op, *left, *right).map_or_else(|| number("error".into()), Term::Literal));
        }
        let compares = matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
        let kind = match (&left, &right) {
            (Term::Told { kind, .. }, _) | (_, Term::Told { kind, .. }) if compares => *kind,
            _ => NUMBER,
        };
        let mut operands = [self.say(left, kind, None)?, self.say(right, kind, None)?];
        if compares {
            operands.sort_unstable();
        }
        Ok(number(format!("{op:?}({})", operands.join(", "))))
    }

    /// An operator whose operands may come in any order, with all operands that it joins. What is not evaluated if another operand decides may only
    /// be moved if nothing in it can go wrong.
    fn chain(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Accepted<Term> {
        let mut operands = Vec::new();
        operands_of(op, left, &mut operands);
        operands_of(op, right, &mut operands);
        let moves = is_associative(op) || operands.iter().all(|operand| self.is_safe(operand));
        let terms = operands.into_iter().map(|operand| self.term(operand)).collect::<Accepted<Vec<Term>>>()?;
        let literal = |term: &Term| if let Term::Literal(value) = term { Some(*value) } else { None };
        let literals: Option<Vec<i32>> = terms.iter().map(literal).collect();
        if let Some(value) = literals.and_then(|values| values.into_iter().reduce(|one, other| fold(op, one, other))) {
            return Ok(Term::Literal(value));
        }
        let mut told = terms.into_iter().map(|term| self.say(term, NUMBER, None)).collect::<Accepted<Vec<String>>>()?;
        if moves {
            told.sort_unstable();
        }
        Ok(number(format!("{op:?}({})", told.join(", "))))
    }

    fn conditional(&self, condition: &Expr, yes: &Expr, no: &Expr) -> Accepted<Term> {
        let condition = self.condition(condition)?;
        let (yes, no) = (self.term(yes)?, self.term(no)?);
        let values = |term: &Term| match term {
            Term::Literal(value) => (*value, *value),
            Term::Table { values, .. } => {
                let values = || values.iter().flatten().copied();
                (values().min().unwrap_or(0), values().max().unwrap_or(0))
            }
            Term::Told { range, .. } => *range,
        };
        let (one, other) = (values(&yes), values(&no));
        let kind = match (&yes, &no) {
            (Term::Told { kind, .. }, _) | (_, Term::Told { kind, .. }) => *kind,
            _ => NUMBER,
        };
        let (yes, no) = (self.say(yes, kind, None)?, self.say(no, kind, None)?);
        let range = (one.0.min(other.0), one.1.max(other.1));
        Ok(Term::Told { text: format!("if({condition}, {yes}, {no})"), kind, range })
    }

    fn poll(&self, poll: &Poll) -> Accepted<Term> {
        let mut text = format!("poll({} {}", self.channel(&poll.channel)?, poll.random);
        for (field, value) in poll.pattern.iter().enumerate() {
            let value = value.as_ref().map(|value| self.matched(&poll.channel, field, value)).transpose()?;
            text.push_str(&format!(", {}", value.unwrap_or_default()));
        }
        Ok(number(text + ")"))
    }

    fn at(&self, at: &At) -> Accepted<Term> {
        self.exists_for_good(at.definition)?;
        let processes = (0..self.region.frames.len()).filter(|&pid| self.region.definition(pid) == at.definition);
        let pid = match &at.pid {
            Some(pid) => self.term(pid)?,
            None => processes.clone().next().map_or_else(|| number("none".into()), |pid| Term::Literal(pid as i32)),
        };
        let location = at.location.index();
        if let Term::Literal(pid) = pid {
            let is_one = |each: &usize| i32::try_from(*each) == Ok(pid);
            let location = processes.clone().find(is_one).map(|pid| self.location(pid, location));
            return Ok(number(format!("at({}, {location:?})", self.name(self.region.kinds.process, pid))));
        }
        if processes.into_iter().any(|pid| self.location(pid, location) != location) {
            return refuse("a question about locations that change places");
        }
        let pid = self.say(pid, self.region.kinds.process, None)?;
        Ok(number(format!("at({pid}, {:?} {location})", at.definition)))
    }

    /// Whoever asks about a process must not notice that it came to its end.
    fn exists_for_good(&self, definition: DefinitionId) -> Accepted<()> {
        match self.region.can_die(definition) {
            true => refuse("a question about a process that can come to its end"),
            false => Ok(()),
        }
    }

    /// The value of a variable.
    fn load(&self, place: &Place) -> Accepted<Term> {
        let (text, kinds, scalar) = self.place(place)?;
        Ok(Term::Told { text, kind: kinds.content, range: scalar.range() })
    }

    /// A variable: its text, its kinds and what it can hold.
    pub(crate) fn place(&self, place: &Place) -> Accepted<(String, &CellKinds, Scalar)> {
        let Speaker { region, renaming, .. } = *self;
        let (owner, prefix) = match (&place.owner, self.pid) {
            (Owner::Global, _) => (None, String::new()),
            (Owner::Own, Some(pid)) => (Some(pid), "own ".into()),
            (Owner::Remote(definition, pid), _) => self.remote(*definition, pid.as_deref())?,
            (Owner::Own, None) => return refuse("a variable of nobody"),
        };
        let number = place.cells.index();
        let (cells, kinds) = (region.cells(owner, number), region.cell_kinds(owner, number));
        let image = |element| renaming.map_or((number, element), |each| each.cell(region, owner, number, element));
        let (group, told) = match &place.index {
            Index::Constant(element) => {
                let (number, element) = image(*element);
                (number, constant(cells, element))
            }
            Index::Computed(indices) => {
                let told = indices.iter().zip(&kinds.indices).map(|((index, _), &kind)| self.tell(index, kind, None));
                (image(0).0, told.collect::<Accepted<Vec<String>>>()?)
            }
        };
        Ok((format!("{prefix}v{group}{told:?}"), kinds, cells.scalar))
    }

    /// A process of a definition whose variable is meant.
    fn remote(&self, definition: DefinitionId, pid: Option<&Expr>) -> Accepted<(Option<usize>, String)> {
        self.exists_for_good(definition)?;
        let first = (0..self.region.frames.len()).find(|&pid| self.region.definition(pid) == definition);
        let Some(first) = first else { return refuse("a variable of a process that does not exist") };
        let pid = match pid {
            Some(pid) => self.tell(pid, self.region.kinds.process, None)?,
            None => self.name(self.region.kinds.process, first as i32).to_string(),
        };
        Ok((Some(first), format!("{definition:?}({pid}) ")))
    }

    /// The one channel that is meant, if that is known.
    fn known_channel(&self, channel: &ChannelRef) -> Option<usize> {
        let own = |pid: usize| {
            let (layout, processes) = (&self.region.machine.layout, &self.region.kinds.processes);
            let of = |definition: &u32| layout.frames[*definition as usize].channels.len();
            layout.globals.channels.len() + processes[..pid].iter().map(of).sum::<usize>()
        };
        match (channel, self.pid) {
            (ChannelRef::Global(index), _) => Some(*index as usize),
            (ChannelRef::Own(index), Some(pid)) => Some(own(pid) + *index as usize),
            _ => None,
        }
    }

    pub(crate) fn channel(&self, channel: &ChannelRef) -> Accepted<String> {
        let kind = self.region.kinds.channel;
        match (channel, self.known_channel(channel)) {
            (_, Some(index)) => Ok(format!("channel {}", self.name(kind, index as i32 + 1))),
            (ChannelRef::Variable(place), _) => match self.load(place)? {
                Term::Told { text, kind: holds, .. } if holds == kind => Ok(format!("channel in {text}")),
                _ => refuse("a channel variable of another kind"),
            },
            _ => refuse("a channel of nobody"),
        }
    }

    /// Whether a channel may be meant.
    fn may_be(&self, channel: &ChannelRef, number: usize) -> bool {
        match (channel, self.known_channel(channel)) {
            (_, Some(only)) => number == only,
            (ChannelRef::Variable(Place { owner: Owner::Global, cells, .. }), _) => {
                self.region.may_hold(cells.index(), number)
            }
            _ => true,
        }
    }

    /// The kind of a field of a message, its storage, and the least and greatest value there. Channels with fewer fields do not use it.
    pub(crate) fn field(&self, channel: &ChannelRef, field: usize) -> Accepted<(Kind, Scalar)> {
        let region = self.region;
        let channels = (0..region.channels.len()).filter(|&number| self.may_be(channel, number));
        let mut fields: Vec<(Kind, Scalar)> = channels
            .filter_map(|number| Some((*region.kinds.fields[number].get(field)?, region.field(number, field))))
            .collect();
        fields.dedup();
        match fields[..] {
            [] => Ok((NUMBER, Scalar::Int)),
            [only] => Ok(only),
            // What is stored in a number makes no difference here: it is the same for the renamed program.
            _ if fields.iter().all(|(kind, _)| *kind == NUMBER) => Ok((NUMBER, Scalar::Int)),
            _ => refuse("a channel variable that may hold channels of several kinds"),
        }
    }

    pub(crate) fn matched(&self, channel: &ChannelRef, field: usize, value: &Expr) -> Accepted<String> {
        self.tell(value, self.field(channel, field)?.0, None)
    }

    /// An expression that reads nothing but one small variable, which holds a name: the table of its values.
    fn table(&self, expr: &Expr) -> Accepted<Option<Term>> {
        if matches!(expr, Expr::Load(_)) {
            return Ok(None);
        }
        let mut only: Option<&Place> = None;
        if !reads_only(expr, &mut only) {
            return Ok(None);
        }
        let Some(place) = only else { return Ok(None) };
        let (variable, kinds, scalar) = self.place(place)?;
        let (least, most) = scalar.range();
        if kinds.content == NUMBER || i64::from(most) - i64::from(least) >= MOST_VALUES {
            return Ok(None);
        }
        let values = (least..=most).map(|value| self.evaluate(expr, value)).collect();
        Ok(Some(Term::Table { variable, kind: kinds.content, least, values }))
    }

    /// The value of an expression that [`reads_only`] one variable.
    fn evaluate(&self, expr: &Expr, variable: i32) -> Option<i32> {
        match expr {
            Expr::Constant(value) => Some(*value),
            Expr::Load(_) => Some(variable),
            Expr::Predefined(Predefined::Pid) => self.pid.map(|pid| pid as i32),
            Expr::Unary(op, operand) => Some(unary(*op, self.evaluate(operand, variable)?)),
            Expr::Binary(BinaryOp::And, left, right, _) => match self.evaluate(left, variable)? {
                0 => Some(0),
                _ => Some(i32::from(self.evaluate(right, variable)? != 0)),
            },
            Expr::Binary(BinaryOp::Or, left, right, _) => match self.evaluate(left, variable)? {
                0 => Some(i32::from(self.evaluate(right, variable)? != 0)),
                _ => Some(1),
            },
            Expr::Binary(op, left, right, _) => {
                arithmetic(*op, self.evaluate(left, variable)?, self.evaluate(right, variable)?)
            }
            Expr::Conditional(condition, yes, no) => match self.evaluate(condition, variable)? {
                0 => self.evaluate(no, variable),
                _ => self.evaluate(yes, variable),
            },
            _ => None,
        }
    }

    /// Whether nothing can go wrong in an expression.
    pub(crate) fn is_safe(&self, expr: &Expr) -> bool {
        let is_risky = |expr: &Expr| match expr {
            Expr::Constant(_) | Expr::Predefined(_) | Expr::Unary(..) | Expr::Conditional(..) | Expr::Timeout => false,
            Expr::Load(place) => matches!(place.owner, Owner::Remote(..)) || !self.is_inside(place),
            // Of a process that does not exist the value is zero; what is inside is looked at by itself.
            Expr::Remote(place) => !self.is_inside(place),
            Expr::At(_) => false,
            Expr::Binary(op, ..) => matches!(op, BinaryOp::Divide | BinaryOp::Remainder),
            Expr::Probe(_, channel) => matches!(channel, ChannelRef::Variable(_)),
            _ => true,
        };
        !expr.any(&mut |expr| is_risky(expr))
    }

    /// Whether an index is known to lie in its array.
    fn is_inside(&self, place: &Place) -> bool {
        let is_inside = |(index, length): &(Expr, u32)| {
            let index = match index {
                Expr::Constant(value) => Some(*value),
                Expr::Predefined(Predefined::Pid) => self.pid.map(|pid| pid as i32),
                _ => None,
            };
            index.is_some_and(|index| (0..*length as i32).contains(&index))
        };
        match &place.index {
            Index::Constant(_) => true,
            Index::Computed(indices) => indices.iter().all(is_inside),
        }
    }
}

fn constant(cells: &Cells, element: u32) -> Vec<String> {
    indices(cells, element).iter().map(ToString::to_string).collect()
}

fn unary(op: UnaryOp, value: i32) -> i32 {
    match op {
        UnaryOp::Negate => value.wrapping_neg(),
        UnaryOp::Complement => !value,
        UnaryOp::Not => i32::from(value == 0),
    }
}

/// An operator that a chain has: none of them can go wrong.
fn fold(op: BinaryOp, one: i32, other: i32) -> i32 {
    arithmetic(op, one, other).unwrap_or_default()
}

/// Whether operands may be regrouped and reordered: all of them are evaluated anyway.
fn is_associative(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Add | BinaryOp::Multiply | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor)
}

fn operands_of<'e>(op: BinaryOp, expr: &'e Expr, into: &mut Vec<&'e Expr>) {
    match expr {
        Expr::Binary(other, left, right, _) if *other == op => {
            operands_of(op, left, into);
            operands_of(op, right, into);
        }
        other => into.push(other),
    }
}

fn is_computed(place: &Place) -> bool {
    matches!(place.index, Index::Computed(_))
}

/// Whether an expression reads one variable at most, of the process itself or a global one, with a fixed index.
fn reads_only<'e>(expr: &'e Expr, only: &mut Option<&'e Place>) -> bool {
    match expr {
        Expr::Constant(_) | Expr::Predefined(Predefined::Pid) => true,
        Expr::Load(place) => {
            let is_plain = !is_computed(place) && !matches!(place.owner, Owner::Remote(..));
            let same =
                |known: &Place| (&known.owner, known.cells, &known.index) == (&place.owner, place.cells, &place.index);
            is_plain && same(only.get_or_insert(place))
        }
        Expr::Unary(_, operand) => reads_only(operand, only),
        Expr::Binary(_, left, right, _) => reads_only(left, only) && reads_only(right, only),
        Expr::Conditional(condition, yes, no) => {
            reads_only(condition, only) && reads_only(yes, only) && reads_only(no, only)
        }
        _ => false,
    }
}
