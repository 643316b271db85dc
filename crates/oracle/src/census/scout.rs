//! Finds the cells that a model fills.

use std::collections::BTreeSet;

use promela::ast::{BinaryOp, Visibility};
use promela::model::visit::{Access, Visitor, walk};
use promela::model::{
    Base, Block, Expr, ExprKind, Formula, FormulaKind, Initial, Kind, Model, Owner, Place, Predefined, ReceiveArgument,
    Statement, StatementKind, Type,
};

use super::{Cell, Construct, Index, Read, Write};

/// The cells that a model fills.
#[must_use]
pub fn of(model: &Model) -> BTreeSet<Cell> {
    let mut scout = Scout { model, owner: Owner::Trace, roles: Vec::new(), cells: BTreeSet::new() };
    scout.declarations();
    let locals = model.processes.iter().flat_map(|process| &process.locals[process.parameters..]);
    for variable in model.globals.iter().chain(locals) {
        if matches!(variable.initial, Initial::Value(_) | Initial::List(_)) {
            let index = if variable.length.is_some() { Index::Constant } else { Index::Scalar };
            scout.cells.insert(Cell::Write(Write::Initialisation, index));
        }
    }
    for (owner, process) in model.owners() {
        scout.owner = owner;
        match owner {
            Owner::Claim(_) => scout.roles = vec![Read::Claim],
            Owner::Process(_) | Owner::Trace => scout.roles = Vec::new(),
        }
        process.provided.iter().for_each(|condition| scout.reads(Read::Provided, condition));
        scout.block(&process.body, Around::default());
    }
    model.ltl.iter().for_each(|property| scout.formula(&property.formula));
    if has_monitor(model) {
        scout.cells.insert(Cell::Construct(Construct::Monitor));
    }
    scout.cells
}

struct Scout<'m> {
    model: &'m Model,
    owner: Owner,
    /// In what the expression at hand is read.
    roles: Vec<Read>,
    cells: BTreeSet<Cell>,
}

/// What stands around a statement.
#[derive(Clone, Copy, Default)]
struct Around {
    in_loop: bool,
    in_main: bool,
    /// The first statement of an option beside an `else`.
    beside_else: bool,
    /// The first statement of an escape.
    escapes: bool,
    /// In an `atomic`, behind its first statement.
    inside_atomic: bool,
    in_d_step: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Capacity {
    None,
    Some,
}

impl<'m> Scout<'m> {
    fn construct(&mut self, construct: Construct) {
        self.cells.insert(Cell::Construct(construct));
        if self.roles.contains(&Read::Claim) {
            self.cells.insert(Cell::Claimed(construct));
        }
    }

    /// What variables, definitions and labels there are.
    fn declarations(&mut self) {
        use Construct as C;
        let model = self.model;
        let fields = model.structures.iter().flat_map(|structure| &structure.fields);
        if fields.into_iter().any(|field| matches!(field.ty, Type::Structure(_))) {
            self.construct(C::NestedStructure);
        }
        let locals = model.processes.iter().flat_map(|process| &process.locals);
        for variable in model.globals.iter().chain(locals) {
            let kinds = [
                (matches!(variable.ty, Type::Mtype(set) if set.0 == 0), C::Names),
                (matches!(variable.ty, Type::Mtype(set) if set.0 > 0), C::NamedSet),
                (variable.ty == Type::Pid, C::ProcessNumber),
                (matches!(variable.ty, Type::Unsigned(_)), C::Unsigned),
                (variable.visibility == Some(Visibility::Hidden), C::Hidden),
                (matches!(&variable.initial, Initial::Value(value) if reads(value)), C::InitialRead),
            ];
            kinds.into_iter().filter(|(is, _)| *is).for_each(|(_, construct)| self.construct(construct));
        }
        for process in &model.processes {
            let label = |start: &str| process.labels.iter().any(|label| label.name.starts_with(start));
            let kinds = [
                (process.deterministic, C::Deterministic),
                (process.priority != 1, C::Priority),
                (!process.exclusive.is_empty(), C::Exclusive),
                (label("end"), C::EndLabel),
                (label("accept"), C::AcceptLabel),
                (label("progress"), C::ProgressLabel),
            ];
            kinds.into_iter().filter(|(is, _)| *is).for_each(|(_, construct)| self.construct(construct));
        }
        if let Some(trace) = &model.trace {
            self.construct(if trace.negated { C::ForbiddenTrace } else { C::Trace });
        }
    }

    fn block(&mut self, block: &'m Block, around: Around) {
        for (number, statement) in block.statements.iter().enumerate() {
            let first = number == 0;
            let here = Around { beside_else: around.beside_else && first, escapes: around.escapes && first, ..around };
            self.statement_around(statement, here);
        }
    }

    fn statement_around(&mut self, statement: &'m Statement, around: Around) {
        let inner = Around { beside_else: false, escapes: false, ..around };
        match &statement.kind {
            StatementKind::If(options) | StatementKind::Do(options) => {
                if is_for(options) {
                    self.cells.insert(Cell::Write(Write::For, Index::Scalar));
                }
                let is_else = |option: &&Block| {
                    option.statements.first().is_some_and(|first| matches!(first.kind, StatementKind::Else))
                };
                let beside_else = options.iter().any(|option| is_else(&option));
                let in_loop = around.in_loop || matches!(statement.kind, StatementKind::Do(_));
                for option in options {
                    self.block(option, Around { beside_else, in_loop, ..inner });
                }
            }
            StatementKind::Unless(main, escape) => {
                if around.in_main {
                    self.construct(Construct::NestedUnless);
                }
                if escape.statements.len() > 1 {
                    self.construct(Construct::LongEscape);
                }
                self.block(main, Around { in_main: true, ..inner });
                self.block(escape, Around { escapes: true, ..inner });
            }
            StatementKind::Atomic(block) => {
                for (number, statement) in block.statements.iter().enumerate() {
                    self.statement_around(statement, Around { inside_atomic: number > 0, ..around });
                }
            }
            StatementKind::DStep(block) => {
                self.construct(Construct::DStep);
                self.block(block, Around { in_d_step: true, ..around });
            }
            StatementKind::Block(block) => self.block(block, around),
            _ => self.basic(statement, around),
        }
    }

    fn basic(&mut self, statement: &'m Statement, around: Around) {
        let mut guarded = vec![Read::Guard];
        guarded.extend(around.beside_else.then_some(Read::Else));
        guarded.extend(around.escapes.then_some(Read::Unless));
        match &statement.kind {
            StatementKind::Expression(condition) => guarded.iter().for_each(|&role| self.reads(role, condition)),
            StatementKind::Assert(condition) => self.reads(Read::Assertion, condition),
            StatementKind::Assign(place, value) => {
                let index = index_of(place);
                if place.ty == Type::Chan {
                    self.construct(Construct::ChannelAssigned);
                }
                let write = if increments(place, value) { Write::Increment } else { Write::Assignment };
                self.cells.insert(Cell::Write(write, index));
                if matches!(place.base, Base::Public(..)) {
                    self.construct(Construct::PublicWrite);
                }
                self.roles_with(&[], value);
            }
            StatementKind::Send(send) => {
                self.channel(&send.channel, around);
                if send.sorted {
                    self.cells.insert(Cell::Construct(Construct::SortedSend));
                }
                self.sent(&send.arguments, Construct::ChannelInMessage, Construct::ReferenceInMessage);
                if matches!(send.channel.base, Base::Public(..)) {
                    self.construct(Construct::PublicSend);
                }
                let mut roles = guarded.split_off(1);
                roles.push(Read::Message);
                send.arguments.iter().for_each(|argument| self.roles_with(&roles, argument));
            }
            StatementKind::Receive(receive) => {
                self.channel(&receive.channel, around);
                if matches!(receive.channel.base, Base::Public(..)) {
                    self.construct(Construct::PublicReceive);
                }
                let kinds = [(receive.random, Construct::RandomReceive), (receive.copy, Construct::CopyingReceive)];
                self.cells.extend(kinds.iter().filter(|(is, _)| *is).map(|(_, kind)| Cell::Construct(*kind)));
                for argument in &receive.arguments {
                    match argument {
                        ReceiveArgument::Bind(place) => {
                            if matches!(place.base, Base::Public(..)) {
                                self.construct(Construct::PublicBind);
                            }
                            self.cells.insert(Cell::Write(Write::Receive, index_of(place)));
                        }
                        ReceiveArgument::Match(value) => {
                            if !matches!(value.kind, ExprKind::Constant(_)) {
                                self.construct(Construct::Eval);
                            }
                            self.reads(Read::Message, value);
                        }
                        ReceiveArgument::Ignore => {}
                    }
                }
            }
            StatementKind::Goto(_) => {
                self.construct(if around.in_d_step { Construct::JumpInDStep } else { Construct::Jump });
            }
            other => {
                self.cells.extend(of_statement(other).map(Cell::Construct));
                self.statement(statement);
            }
        }
        if around.in_loop && contains_run(statement) {
            self.cells.insert(Cell::Construct(Construct::RunInLoop));
        }
    }

    /// A send or receive.
    fn channel(&mut self, channel: &Place, around: Around) {
        use Construct as C;
        let is_public = matches!(channel.base, Base::Public(..));
        let declared = self.model.reached(channel, self.owner).map(|variable| &variable.initial);
        let kinds = [
            (is_public && around.beside_else, C::ElseBesidePublic),
            (is_public && around.escapes, C::PublicEscapes),
            (is_public && around.inside_atomic, C::AtomicPublic),
            (index_of(channel) >= Index::Computed, C::ComputedChannel),
            (matches!((channel.base, declared), (Base::Local(_), Some(Initial::Channel(_)))), C::LocalChannel),
        ];
        kinds.into_iter().filter(|(is, _)| *is).for_each(|(_, construct)| self.construct(construct));
        let spec = self.model.reached(channel, self.owner).map(|variable| &variable.initial);
        let capacity = match spec {
            Some(Initial::Channel(spec)) if spec.capacity == 0 => Capacity::None,
            Some(Initial::Channel(_)) => Capacity::Some,
            _ => return,
        };
        let places = [
            (around.beside_else, [C::ElseBesideRendezvous, C::ElseBesideBuffered]),
            (around.in_main, [C::RendezvousInMain, C::BufferedInMain]),
            (around.escapes, [C::RendezvousEscapes, C::BufferedEscapes]),
            (around.inside_atomic, [C::AtomicMeets, C::AtomicWaits]),
        ];
        let kind = usize::from(capacity == Capacity::Some);
        self.cells.extend(places.iter().filter(|(is, _)| *is).map(|(_, kinds)| Cell::Construct(kinds[kind])));
    }

    /// Values that are handed over: whether a channel or a reference is among them.
    fn sent(&mut self, values: &[Expr], channel: Construct, reference: Construct) {
        for value in values {
            match value.meaning {
                Kind::Channel => self.construct(channel),
                Kind::Reference(_) => self.construct(reference),
                _ => {}
            }
        }
    }

    fn reads(&mut self, role: Read, expression: &'m Expr) {
        self.roles_with(&[role], expression);
    }

    fn roles_with(&mut self, roles: &[Read], expression: &'m Expr) {
        let claimed: Vec<Read> = self.roles.clone();
        self.roles.extend_from_slice(roles);
        self.expression(expression);
        self.roles = claimed;
    }

    fn public_probe(&mut self, channel: &Place) {
        if matches!(channel.base, Base::Public(..)) {
            self.construct(Construct::PublicProbe);
        }
    }

    fn formula(&mut self, formula: &'m Formula) {
        let operator = match &formula.kind {
            FormulaKind::Next(_) => Some(Construct::Next),
            FormulaKind::WeakUntil(..) => Some(Construct::WeakUntil),
            FormulaKind::Release(..) => Some(Construct::Release),
            FormulaKind::Equivalent(..) => Some(Construct::Equivalent),
            _ => None,
        };
        self.cells.extend(operator.map(Cell::Construct));
        match &formula.kind {
            FormulaKind::Atom(expression) => self.reads(Read::Claim, expression),
            FormulaKind::Not(part)
            | FormulaKind::Next(part)
            | FormulaKind::Always(part)
            | FormulaKind::Eventually(part) => self.formula(part),
            FormulaKind::And(one, other)
            | FormulaKind::Or(one, other)
            | FormulaKind::Implies(one, other)
            | FormulaKind::Equivalent(one, other)
            | FormulaKind::Until(one, other)
            | FormulaKind::WeakUntil(one, other)
            | FormulaKind::Release(one, other) => {
                self.formula(one);
                self.formula(other);
            }
        }
    }
}

impl<'m> Visitor<'m> for Scout<'m> {
    fn expression(&mut self, expression: &'m Expr) {
        let construct = match &expression.kind {
            ExprKind::Run(run) => {
                self.construct(Construct::Run);
                self.sent(&run.arguments, Construct::ChannelArgument, Construct::ReferenceArgument);
                run.arguments.iter().for_each(|argument| self.reads(Read::Argument, argument));
                return;
            }
            ExprKind::RemoteVariable(remote) => {
                self.cells.insert(Cell::Read(Read::Remote, index_of(&remote.place)));
                None
            }
            ExprKind::RemoteLabel(_) => Some(Construct::RemoteLabel),
            ExprKind::Timeout => Some(Construct::Timeout),
            ExprKind::Predefined(predefined) => of_predefined(*predefined),
            ExprKind::Poll(receive) => {
                self.public_probe(&receive.channel);
                Some(Construct::Poll)
            }
            ExprKind::Probe(_, channel) => {
                self.public_probe(channel);
                Some(Construct::Probe)
            }
            ExprKind::Enabled(_) => Some(Construct::Enabled),
            ExprKind::PcValue(_) => Some(Construct::PcValue),
            ExprKind::GetPriority(_) => Some(Construct::ReadPriority),
            ExprKind::AnyRef(_) => Some(Construct::AnyReference),
            ExprKind::UndefinedRef => Some(Construct::UndefinedReference),
            _ => None,
        };
        construct.into_iter().for_each(|construct| self.construct(construct));
        walk::expression(self, expression);
    }

    fn place(&mut self, place: &'m Place, access: Access) {
        if access == Access::Read {
            let index = index_of(place);
            self.cells.extend(self.roles.iter().map(|&role| Cell::Read(role, index)));
            if matches!(place.base, Base::Public(..)) {
                self.cells.extend(self.roles.iter().map(|&role| Cell::Public(role)));
            }
        }
        walk::place(self, place);
    }
}

fn index_of(place: &Place) -> Index {
    let indices = place.index.iter().chain(place.fields.iter().filter_map(|step| step.index.as_ref()));
    let kind = |index: &Expr| match index.kind {
        ExprKind::Constant(_) => Index::Constant,
        _ if mentions_pid(index) => Index::Pid,
        _ => Index::Computed,
    };
    indices.map(|index| kind(index)).max().unwrap_or(Index::Scalar)
}

fn mentions_pid(expression: &Expr) -> bool {
    match &expression.kind {
        ExprKind::Predefined(Predefined::Pid) => true,
        ExprKind::Unary(_, part) => mentions_pid(part),
        ExprKind::Binary(_, one, other) => mentions_pid(one) || mentions_pid(other),
        _ => false,
    }
}

/// `x = x + 1`
fn increments(place: &Place, value: &Expr) -> bool {
    let ExprKind::Binary(BinaryOp::Add, one, other) = &value.kind else { return false };
    let same =
        matches!(&one.kind, ExprKind::Read(read) if read.base == place.base && index_of(read) == index_of(place));
    same && matches!(other.kind, ExprKind::Constant(1))
}

/// What a `for` stands for: `do :: i <= n; ...; i++ :: else; break od`.
fn is_for(options: &[Block]) -> bool {
    let [option, end] = options else { return false };
    let ends = matches!(
        end.statements[..],
        [Statement { kind: StatementKind::Else, .. }, Statement { kind: StatementKind::Break, .. }]
    );
    let counts = option
        .statements
        .last()
        .is_some_and(|last| matches!(&last.kind, StatementKind::Assign(place, value) if increments(place, value)));
    ends && counts
}

fn contains_run(statement: &Statement) -> bool {
    struct Looking(bool);
    impl<'m> Visitor<'m> for Looking {
        fn expression(&mut self, expression: &'m Expr) {
            self.0 |= matches!(expression.kind, ExprKind::Run(_));
            walk::expression(self, expression);
        }
    }
    let mut looking = Looking(false);
    looking.statement(statement);
    looking.0
}

/// Whether some definition writes no global and asserts something about two or more places that others write.
fn has_monitor(model: &Model) -> bool {
    #[derive(Default)]
    struct Uses {
        written: BTreeSet<u32>,
        asserted: BTreeSet<u32>,
        most: usize,
        places: Vec<u32>,
        asserting: bool,
    }
    impl<'m> Visitor<'m> for Uses {
        fn statement(&mut self, statement: &'m Statement) {
            self.asserting = matches!(statement.kind, StatementKind::Assert(_));
            self.places.clear();
            walk::statement(self, statement);
            if self.asserting {
                self.most = self.most.max(self.places.len());
                self.asserted.extend(&self.places);
            }
            self.asserting = false;
        }
        fn place(&mut self, place: &'m Place, access: Access) {
            if let Base::Global(global) = place.base {
                match access {
                    Access::Read if self.asserting => self.places.push(global.0),
                    Access::Write | Access::Bind => {
                        self.written.insert(global.0);
                    }
                    _ => {}
                }
            }
            walk::place(self, place);
        }
    }
    let uses: Vec<Uses> = model
        .processes
        .iter()
        .map(|process| {
            let mut uses = Uses::default();
            walk::process(&mut uses, process);
            uses
        })
        .collect();
    let written: BTreeSet<u32> = uses.iter().flat_map(|uses| uses.written.iter().copied()).collect();
    uses.iter().any(|uses| uses.written.is_empty() && uses.most >= 2 && !uses.asserted.is_disjoint(&written))
}

fn of_statement(statement: &StatementKind) -> Option<Construct> {
    match statement {
        StatementKind::Printf(_, values) if !values.is_empty() => Some(Construct::Printed),
        StatementKind::Printm(..) => Some(Construct::PrintedName),
        StatementKind::Discard(_) => Some(Construct::Discarded),
        StatementKind::SetPriority(..) => Some(Construct::SetPriority),
        _ => None,
    }
}

fn of_predefined(predefined: Predefined) -> Option<Construct> {
    match predefined {
        Predefined::Pid => None,
        Predefined::ProcessCount => Some(Construct::ProcessCount),
        Predefined::ChannelCount => Some(Construct::ChannelCount),
        Predefined::Last => Some(Construct::Last),
        Predefined::NonProgress => Some(Construct::NonProgress),
        Predefined::Priority => Some(Construct::ReadPriority),
        Predefined::LocalNumber => Some(Construct::LocalNumber),
    }
}

/// Whether a value depends on a variable.
fn reads(value: &Expr) -> bool {
    struct Looking(bool);
    impl<'m> Visitor<'m> for Looking {
        fn place(&mut self, _: &'m Place, _: Access) {
            self.0 = true;
        }
    }
    let mut looking = Looking(false);
    looking.expression(value);
    looking.0
}
