//! What models contain: for every way to name a variable and every role of it, and for every construct that reductions have to know,
//! whether it occurs.
//!
//! It is counted on the resolved model, so that a macro or a `for` is what it stands for. A test asks for every cell of this table in the
//! random models: what is not drawn is not tested.

use std::collections::{BTreeMap, BTreeSet};

use promela::ast::BinaryOp;
use promela::model::visit::{Access, Visitor, walk};
use promela::model::{
    Base, Block, Expr, ExprKind, Formula, FormulaKind, Initial, Model, Owner, Place, Predefined, ReceiveArgument,
    Statement, StatementKind,
};

/// A cell of the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cell {
    /// A variable is read.
    Read(Read, Index),
    /// A variable is written.
    Write(Write, Index),
    /// A construct.
    Construct(Construct),
}

/// How the element of a variable is named.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Index {
    /// It is no array.
    Scalar,
    /// By a number.
    Constant,
    /// By a variable.
    Computed,
    /// By `_pid`.
    Pid,
}

/// Where a variable is read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Read {
    /// In a statement that waits.
    Guard,
    /// In an assertion.
    Assertion,
    /// In a message that is sent, or that a receive asks for.
    Message,
    /// As an argument of `run`.
    Argument,
    /// In a guard beside an `else`.
    Else,
    /// In the first guard of an escape.
    Unless,
    /// In a `provided` clause.
    Provided,
    /// By another process.
    Remote,
    /// In a claim or formula.
    Claim,
}

/// How a variable is written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Write {
    /// By an assignment.
    Assignment,
    /// By a receive.
    Receive,
    /// By `x++`.
    Increment,
    /// By its declaration.
    Initialisation,
    /// By a `for`.
    For,
}

/// A construct.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Construct {
    /// An `else` beside a send or receive of a rendezvous.
    ElseBesideRendezvous,
    /// An `else` beside a send or receive of a channel that holds messages.
    ElseBesideBuffered,
    /// A rendezvous in the main sequence of an `unless`.
    RendezvousInMain,
    /// A buffered channel in the main sequence of an `unless`.
    BufferedInMain,
    /// An escape that begins with a rendezvous.
    RendezvousEscapes,
    /// An escape that begins with a buffered channel.
    BufferedEscapes,
    /// An `atomic` with a rendezvous behind its first statement.
    AtomicMeets,
    /// An `atomic` with a buffered channel behind its first statement.
    AtomicWaits,
    /// `run` in a loop.
    RunInLoop,
    /// `run`
    Run,
    /// `!!`
    SortedSend,
    /// `??`
    RandomReceive,
    /// `?<...>`
    CopyingReceive,
    /// `q?[...]`
    Poll,
    /// `len(q)`, `full(q)` and their like.
    Probe,
    /// `P@L`
    RemoteLabel,
    /// `timeout`
    Timeout,
    /// `_nr_pr`
    ProcessCount,
    /// A process that only looks at variables that others write, and asserts something about two or more of them at once.
    Monitor,
}

const INDICES: [Index; 4] = [Index::Scalar, Index::Constant, Index::Computed, Index::Pid];

/// Every cell that can be filled. A claim is no process, so it has no `_pid`; a `for` counts with a variable that is no array; a declaration
/// names no element.
#[must_use]
pub fn cells() -> Vec<Cell> {
    use Construct as C;
    let reads = [
        Read::Guard,
        Read::Assertion,
        Read::Message,
        Read::Argument,
        Read::Else,
        Read::Unless,
        Read::Provided,
        Read::Remote,
    ];
    let writes = [Write::Assignment, Write::Receive, Write::Increment];
    let constructs = [
        C::ElseBesideRendezvous,
        C::ElseBesideBuffered,
        C::RendezvousInMain,
        C::BufferedInMain,
        C::RendezvousEscapes,
        C::BufferedEscapes,
        C::AtomicMeets,
        C::AtomicWaits,
        C::RunInLoop,
        C::Run,
        C::SortedSend,
        C::RandomReceive,
        C::CopyingReceive,
        C::Poll,
        C::Probe,
        C::RemoteLabel,
        C::Timeout,
        C::ProcessCount,
        C::Monitor,
    ];
    let mut cells: Vec<Cell> = reads.iter().flat_map(|&read| INDICES.map(|index| Cell::Read(read, index))).collect();
    cells.extend(INDICES[..3].iter().map(|&index| Cell::Read(Read::Claim, index)));
    cells.extend(writes.iter().flat_map(|&write| INDICES.map(|index| Cell::Write(write, index))));
    cells.extend([Index::Scalar, Index::Constant].map(|index| Cell::Write(Write::Initialisation, index)));
    cells.push(Cell::Write(Write::For, Index::Scalar));
    cells.extend(constructs.map(Cell::Construct));
    cells
}

/// The cells that a model fills.
#[must_use]
pub fn of(model: &Model) -> BTreeSet<Cell> {
    let mut scout = Scout { model, owner: Owner::Trace, roles: Vec::new(), cells: BTreeSet::new() };
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
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Capacity {
    None,
    Some,
}

impl<'m> Scout<'m> {
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
                self.block(main, Around { in_main: true, ..inner });
                self.block(escape, Around { escapes: true, ..inner });
            }
            StatementKind::Atomic(block) => {
                for (number, statement) in block.statements.iter().enumerate() {
                    self.statement_around(statement, Around { inside_atomic: number > 0, ..around });
                }
            }
            StatementKind::DStep(block) | StatementKind::Block(block) => self.block(block, around),
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
                let write = if increments(place, value) { Write::Increment } else { Write::Assignment };
                self.cells.insert(Cell::Write(write, index));
                self.roles_with(&[], value);
            }
            StatementKind::Send(send) => {
                self.channel(&send.channel, around);
                if send.sorted {
                    self.cells.insert(Cell::Construct(Construct::SortedSend));
                }
                let mut roles = guarded.split_off(1);
                roles.push(Read::Message);
                send.arguments.iter().for_each(|argument| self.roles_with(&roles, argument));
            }
            StatementKind::Receive(receive) => {
                self.channel(&receive.channel, around);
                let kinds = [(receive.random, Construct::RandomReceive), (receive.copy, Construct::CopyingReceive)];
                self.cells.extend(kinds.iter().filter(|(is, _)| *is).map(|(_, kind)| Cell::Construct(*kind)));
                for argument in &receive.arguments {
                    match argument {
                        ReceiveArgument::Bind(place) => {
                            self.cells.insert(Cell::Write(Write::Receive, index_of(place)));
                        }
                        ReceiveArgument::Match(value) => self.reads(Read::Message, value),
                        ReceiveArgument::Ignore => {}
                    }
                }
            }
            _ => self.statement(statement),
        }
        if around.in_loop && contains_run(statement) {
            self.cells.insert(Cell::Construct(Construct::RunInLoop));
        }
    }

    /// A send or receive.
    fn channel(&mut self, channel: &Place, around: Around) {
        let spec = self.model.reached(channel, self.owner).map(|variable| &variable.initial);
        let capacity = match spec {
            Some(Initial::Channel(spec)) if spec.capacity == 0 => Capacity::None,
            Some(Initial::Channel(_)) => Capacity::Some,
            _ => return,
        };
        use Construct as C;
        let places = [
            (around.beside_else, [C::ElseBesideRendezvous, C::ElseBesideBuffered]),
            (around.in_main, [C::RendezvousInMain, C::BufferedInMain]),
            (around.escapes, [C::RendezvousEscapes, C::BufferedEscapes]),
            (around.inside_atomic, [C::AtomicMeets, C::AtomicWaits]),
        ];
        let kind = usize::from(capacity == Capacity::Some);
        self.cells.extend(places.iter().filter(|(is, _)| *is).map(|(_, kinds)| Cell::Construct(kinds[kind])));
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

    fn formula(&mut self, formula: &'m Formula) {
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
            | FormulaKind::Until(one, other) => {
                self.formula(one);
                self.formula(other);
            }
            _ => {}
        }
    }
}

impl<'m> Visitor<'m> for Scout<'m> {
    fn expression(&mut self, expression: &'m Expr) {
        let construct = match &expression.kind {
            ExprKind::Run(run) => {
                self.cells.insert(Cell::Construct(Construct::Run));
                run.arguments.iter().for_each(|argument| self.reads(Read::Argument, argument));
                return;
            }
            ExprKind::RemoteVariable(remote) => {
                self.cells.insert(Cell::Read(Read::Remote, index_of(&remote.place)));
                None
            }
            ExprKind::RemoteLabel(_) => Some(Construct::RemoteLabel),
            ExprKind::Timeout => Some(Construct::Timeout),
            ExprKind::Predefined(Predefined::ProcessCount) => Some(Construct::ProcessCount),
            ExprKind::Poll(_) => Some(Construct::Poll),
            ExprKind::Probe(..) => Some(Construct::Probe),
            _ => None,
        };
        self.cells.extend(construct.map(Cell::Construct));
        walk::expression(self, expression);
    }

    fn place(&mut self, place: &'m Place, access: Access) {
        if access == Access::Read {
            let index = index_of(place);
            self.cells.extend(self.roles.iter().map(|&role| Cell::Read(role, index)));
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

/// In how many of the models each cell occurs.
#[must_use]
pub fn count<'t>(texts: impl Iterator<Item = String> + 't) -> BTreeMap<Cell, usize> {
    let mut counts: BTreeMap<Cell, usize> = cells().into_iter().map(|cell| (cell, 0)).collect();
    for text in texts {
        let loaded = promela::load_text("model.pml", &text, &promela::Options::default());
        for cell in loaded.model.iter().flat_map(of) {
            *counts.entry(cell).or_default() += 1;
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use machine::enumerate::{End, Limits, enumerate};

    use super::{Cell, Construct, Read, Write, count};
    use crate::{generate, liveness, ours, symmetric};

    /// Models in which each cell has to occur.
    const LEAST: usize = 8;
    const SEEDS: u64 = 3_000;

    #[test]
    fn random_models_contain_every_construct_in_every_role() {
        let drawn = (0..SEEDS).map(|seed| generate::model(seed).to_string());
        let infinite = (0..SEEDS / 10).flat_map(liveness::pairs).map(|pair| pair.text);
        let counts = count(drawn.chain(infinite));
        let rare: Vec<_> = counts.iter().filter(|(_, count)| **count < LEAST).collect();
        assert!(rare.is_empty(), "hardly ever drawn: {rare:?}");
        assert!(counts[&Cell::Construct(Construct::Monitor)] > SEEDS as usize / 4, "{counts:?}");
    }

    #[test]
    fn about_half_of_the_random_models_hold() {
        let verdict = |seed| {
            let machine = ours::machine(&generate::model(seed).to_string()).ok()?;
            let census = enumerate(&machine, Limits { states: 2_000, errors: 1, stop: |_| false }).ok()?;
            (census.end == End::Complete).then_some(census.errors == 0)
        };
        let verdicts: Vec<bool> = (0..600).filter_map(verdict).collect();
        let holds = verdicts.iter().filter(|holds| **holds).count();
        assert!(verdicts.len() > 400, "{} models are small enough", verdicts.len());
        assert!((35..=65).contains(&(100 * holds / verdicts.len())), "{holds} of {} hold", verdicts.len());
    }

    #[test]
    fn models_of_equal_processes_are_watched() {
        let counts = count((0..300).map(symmetric::model));
        assert!(counts[&Cell::Read(Read::Guard, super::Index::Constant)] > 40, "{counts:?}");
        assert!(counts[&Cell::Write(Write::Receive, super::Index::Scalar)] > 40, "{counts:?}");
    }
}
