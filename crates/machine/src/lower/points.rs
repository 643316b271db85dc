//! Control points: the first half of turning a body into an automaton.
//!
//! A body becomes a graph of points, one for each statement and a few joints, created in the very order in which SPIN's parser
//! creates them, so that their numbers are SPIN's state numbers. What a point's number means and which of them end up as places
//! where a process can rest is decided in [`edges`](super::edges).

use promela::model::{Block, Expr, ExprKind, LabelId, Process, Role, Statement, StatementKind};
use promela::source::Span;

use crate::id::{ActionId, Location};

/// A point: an index into [`Points`]; also its number in SPIN's listings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PointId(pub u32);

impl PointId {
    /// The location of the same number.
    pub fn location(self) -> Location {
        Location(self.0)
    }
}

/// A control point.
#[derive(Clone, Debug)]
pub struct Point {
    /// What stands there.
    pub kind: PointKind,
    /// What follows in the text.
    pub next: Option<PointId>,
    /// Inside an `atomic` and not its last step: the process keeps control after it.
    pub atomic: bool,
    /// The last step of an `atomic`.
    pub atomic_end: bool,
    /// Escapes (`unless`) that may interrupt here, outermost first: indices into [`Points::escapes`].
    pub escapes: Vec<usize>,
    /// Labels that stand here.
    pub labels: Vec<LabelId>,
    /// Whether SPIN takes it for a step that may be redundant.
    passive: Passive,
    /// The statement.
    pub span: Span,
}

/// SPIN drops a `skip` that directly follows another `skip` or a print statement inside an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Passive {
    No,
    Skip,
    Print,
}

/// What stands at a point.
#[derive(Clone, Debug)]
pub enum PointKind {
    /// A basic statement.
    Basic(ActionId),
    /// `else`
    Else(ActionId),
    /// The closing brace of the body.
    End(ActionId),
    /// `if` or `do`
    Select(Vec<Sequence>),
    /// `atomic { ... }` or `{ ... }`
    Block(Sequence),
    /// `d_step { ... }`; the points inside have numbers from `inside` up to its own.
    DStep {
        /// The body.
        body: Sequence,
        /// The lowest number of a point inside.
        inside: u32,
    },
    /// `goto`
    Goto(LabelId),
    /// `break`, out of the given loop
    Break(usize),
    /// Where the options of an `if` meet, and where a `do` begins again
    Join,
    /// Where a `do` is left
    LoopExit,
    /// `s unless t`
    Unless {
        /// What is done when nothing escapes.
        main: Sequence,
        /// The escape: an index into [`Points::escapes`].
        escape: usize,
    },
}

/// A list of points linked by `next`.
#[derive(Clone, Copy, Debug)]
pub struct Sequence {
    /// The first.
    pub first: PointId,
    /// The last, joints included.
    pub last: PointId,
    /// The last statement as written.
    pub extent: PointId,
}

/// The points of one body.
#[derive(Debug)]
pub struct Points {
    points: Vec<Point>,
    /// The exit of each loop.
    pub loop_exits: Vec<PointId>,
    /// The point of each label, where it has one.
    pub labels: Vec<Option<PointId>>,
    /// The escape sequences.
    pub escapes: Vec<Sequence>,
    /// The whole body.
    pub body: Sequence,
}

impl Points {
    /// A point.
    pub fn get(&self, id: PointId) -> &Point {
        &self.points[id.0 as usize - 1]
    }

    /// All points in order of their numbers.
    pub fn ids(&self) -> impl Iterator<Item = PointId> + use<> {
        (1..=self.points.len() as u32).map(PointId)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.points.len()
    }
}

/// Makes the actions that points carry.
pub trait Actions {
    /// The action of a basic statement or `else`.
    fn statement(&mut self, statement: &Statement) -> ActionId;
    /// A step that does nothing.
    fn skip(&mut self, span: Span) -> ActionId;
    /// The action of the closing brace.
    fn end(&mut self, span: Span) -> ActionId;
}

/// Builds the points of a body. `remote` tells which of its labels other processes ask about.
pub fn build(process: &Process, remote: &[bool], actions: &mut impl Actions) -> Points {
    let mut builder = Builder {
        process,
        actions,
        points: Vec::new(),
        loops: Vec::new(),
        loop_exits: Vec::new(),
        labels: vec![None; process.labels.len()],
        escapes: Vec::new(),
    };
    let mut chain = Chain::default();
    builder.block(&process.body, &mut chain);
    let end = builder.actions.end(process.end_span);
    let end = builder.point(PointKind::End(end), process.end_span);
    builder.add(&mut chain, end);
    let body = chain.close();
    builder.make_restable(remote);
    let Builder { points, loop_exits, labels, escapes, .. } = builder;
    let mut points = Points { points, loop_exits, labels, escapes, body };
    points.tie_block_ends();
    points
}

/// A sequence under construction.
#[derive(Default)]
struct Chain {
    ends: Option<(PointId, PointId)>,
}

impl Chain {
    fn close(self) -> Sequence {
        let (first, last) = self.ends.expect("the front end leaves no sequence empty");
        Sequence { first, last, extent: last }
    }
}

/// What was built inside a statement.
enum Parts {
    None,
    Options(Vec<Sequence>),
    Loop(usize, Vec<Sequence>),
    Body(PointKind),
    Unless { main: Sequence, escape: Sequence },
}

struct Builder<'a, A> {
    process: &'a Process,
    actions: &'a mut A,
    points: Vec<Point>,
    /// The loops around the current statement.
    loops: Vec<usize>,
    loop_exits: Vec<PointId>,
    labels: Vec<Option<PointId>>,
    escapes: Vec<Sequence>,
}

impl<A: Actions> Builder<'_, A> {
    fn point(&mut self, kind: PointKind, span: Span) -> PointId {
        self.points.push(Point {
            kind,
            next: None,
            atomic: false,
            atomic_end: false,
            escapes: Vec::new(),
            labels: Vec::new(),
            passive: Passive::No,
            span,
        });
        PointId(self.points.len() as u32)
    }

    fn get(&mut self, id: PointId) -> &mut Point {
        &mut self.points[id.0 as usize - 1]
    }

    fn add(&mut self, chain: &mut Chain, id: PointId) {
        match &mut chain.ends {
            Some((_, last)) => {
                let previous = std::mem::replace(last, id);
                self.get(previous).next = Some(id);
            }
            None => chain.ends = Some((id, id)),
        }
    }

    fn set_labels(&mut self, id: PointId, labels: &[LabelId]) {
        for &label in labels {
            self.labels[label.index()] = Some(id);
        }
        self.get(id).labels.extend_from_slice(labels);
    }

    fn sequence(&mut self, block: &Block) -> Sequence {
        let mut chain = Chain::default();
        self.block(block, &mut chain);
        chain.close()
    }

    fn block(&mut self, block: &Block, chain: &mut Chain) {
        for statement in &block.statements {
            self.statement(statement, chain);
        }
    }

    fn statement(&mut self, statement: &Statement, chain: &mut Chain) {
        let parts = self.parts(statement);
        self.place(statement, parts, chain);
    }

    /// Builds what is inside a statement. Its own points come later, for SPIN's parser numbers a statement when it has seen all of it.
    fn parts(&mut self, statement: &Statement) -> Parts {
        match &statement.kind {
            StatementKind::If(options) => Parts::Options(self.options(options, statement.span)),
            StatementKind::Do(options) => {
                let number = self.loop_exits.len();
                self.loop_exits.push(PointId(0));
                self.loops.push(number);
                let options = self.options(options, statement.span);
                self.loops.pop();
                Parts::Loop(number, options)
            }
            StatementKind::Unless(main, escape) => self.unless_parts(statement, main, escape),
            StatementKind::Atomic(block) => {
                let body = self.sequence(block);
                self.make_atomic(body);
                Parts::Body(PointKind::Block(body))
            }
            StatementKind::Block(block) => Parts::Body(PointKind::Block(self.sequence(block))),
            StatementKind::DStep(block) => {
                let inside = self.points.len() as u32 + 1;
                let body = self.sequence(block);
                Parts::Body(PointKind::DStep { body, inside })
            }
            _ => Parts::None,
        }
    }

    /// Puts a statement into a sequence.
    fn place(&mut self, statement: &Statement, parts: Parts, chain: &mut Chain) {
        match (&statement.kind, parts) {
            (_, Parts::Options(options)) => {
                let select = self.point(PointKind::Select(Vec::new()), statement.span);
                let join = self.point(PointKind::Join, statement.span);
                self.set_labels(select, &statement.labels);
                self.finish_select(select, join, options);
                self.add(chain, select);
                self.add(chain, join);
            }
            (_, Parts::Loop(number, options)) => {
                let select = self.point(PointKind::Select(Vec::new()), statement.span);
                let again = self.point(PointKind::Join, statement.span);
                let exit = self.point(PointKind::LoopExit, statement.span);
                self.loop_exits[number] = exit;
                self.set_labels(select, &statement.labels);
                self.finish_select(select, again, options);
                self.add(chain, again);
                self.add(chain, select);
                self.add(chain, exit);
            }
            (_, Parts::Unless { main, escape }) if statement.labels.is_empty() => {
                self.unless(statement.span, main, escape, chain);
            }
            (_, Parts::Unless { main, escape }) => {
                // A label goes to a block around the whole, for the guard of an escape is no single place.
                let mut inner = Chain::default();
                self.unless(statement.span, main, escape, &mut inner);
                self.single(PointKind::Block(inner.close()), statement, chain);
            }
            (_, Parts::Body(kind)) => {
                self.single(kind, statement, chain);
            }
            (StatementKind::Goto(label), Parts::None) => self.jump(PointKind::Goto(*label), statement, chain),
            (StatementKind::Break, Parts::None) => {
                let target = *self.loops.last().expect("the front end refuses a break outside loops");
                self.jump(PointKind::Break(target), statement, chain);
            }
            (StatementKind::Else, Parts::None) => {
                let action = self.actions.statement(statement);
                self.single(PointKind::Else(action), statement, chain);
            }
            (kind, Parts::None) => {
                let action = self.actions.statement(statement);
                let id = self.single(PointKind::Basic(action), statement, chain);
                self.get(id).passive = match kind {
                    StatementKind::Expression(Expr { kind: ExprKind::Constant(1), .. }) => Passive::Skip,
                    StatementKind::Printf(..) | StatementKind::Printm(..) => Passive::Print,
                    _ => Passive::No,
                };
            }
        }
    }

    fn single(&mut self, kind: PointKind, statement: &Statement, chain: &mut Chain) -> PointId {
        let id = self.point(kind, statement.span);
        self.set_labels(id, &statement.labels);
        self.add(chain, id);
        id
    }

    /// A jump is passed through without a step, so a label with a meaning cannot stay on it: a `skip` is put before. It gets the
    /// first of several labels, whichever that is, as in SPIN.
    fn jump(&mut self, kind: PointKind, statement: &Statement, chain: &mut Chain) {
        let jump = self.point(kind, statement.span);
        let special = |label: &LabelId| {
            let name = &self.process.labels[label.index()].name;
            ["end", "accept", "progress"].iter().any(|prefix| name.starts_with(prefix))
        };
        let (moved, kept) = statement.labels.split_at(usize::from(statement.labels.iter().any(special)));
        if !moved.is_empty() {
            let action = self.actions.skip(statement.span);
            let skip = self.point(PointKind::Basic(action), statement.span);
            self.set_labels(skip, moved);
            self.add(chain, skip);
        }
        self.set_labels(jump, kept);
        self.add(chain, jump);
    }

    /// The options of a selection, `else` moved to the end as SPIN does.
    fn options(&mut self, options: &[Block], span: Span) -> Vec<Sequence> {
        let is_break = |statement: &Statement| matches!(statement.kind, StatementKind::Break);
        let mut sequences: Vec<Sequence> = match options {
            // SPIN makes the steps of a counting `select` before its `break`, but lists the `break` first.
            [leave, count] if leave.statements.first().is_some_and(|first| first.span == span && is_break(first)) => {
                let count = self.sequence(count);
                vec![self.sequence(leave), count]
            }
            _ => options.iter().map(|option| self.sequence(option)).collect(),
        };
        // What `for` stands for is left as it is, and so are claims.
        let written = options.iter().flat_map(|option| option.statements.first()).all(|first| first.span != span);
        if written && self.process.role != Role::Never {
            sequences.iter().for_each(|&sequence| self.drop_redundant_skips(sequence));
        }
        let is_else =
            |sequence: &Sequence| matches!(self.points[sequence.first.0 as usize - 1].kind, PointKind::Else(_));
        sequences.sort_by_key(is_else);
        sequences
    }

    fn drop_redundant_skips(&mut self, sequence: Sequence) {
        let (mut previous, mut run) = (None, 0);
        let mut current = Some(sequence.first);
        while let Some(id) = current {
            let Point { next, passive, ref labels, .. } = *self.get(id);
            run = if passive != Passive::No && labels.is_empty() { run + 1 } else { 0 };
            match previous {
                Some(before) if run > 1 && passive == Passive::Skip && id != sequence.last => {
                    self.get(before).next = next
                }
                _ => previous = Some(id),
            }
            current = if id == sequence.last { None } else { next };
        }
    }

    fn finish_select(&mut self, select: PointId, join: PointId, mut options: Vec<Sequence>) {
        for option in &mut options {
            self.get(option.last).next = Some(join);
            option.last = join;
        }
        self.get(select).kind = PointKind::Select(options);
    }

    /// The two sides of an `unless`. A main part without braces is numbered after the escape.
    fn unless_parts(&mut self, statement: &Statement, main: &Block, escape: &Block) -> Parts {
        // Without braces the statement, or its first label, stands where the whole begins.
        let begins = |main: &Statement| match main.labels.first() {
            Some(label) => self.process.labels[label.index()].span.start,
            None => main.span.start,
        };
        match &main.statements[..] {
            [bare] if begins(bare) == statement.span.start => {
                let parts = self.parts(bare);
                let escape = self.sequence(escape);
                let mut chain = Chain::default();
                self.place(bare, parts, &mut chain);
                Parts::Unless { main: chain.close(), escape }
            }
            _ => {
                let main = self.sequence(main);
                Parts::Unless { main, escape: self.sequence(escape) }
            }
        }
    }

    fn unless(&mut self, span: Span, mut main: Sequence, mut escape: Sequence, chain: &mut Chain) {
        let unless = self.point(PointKind::Join, span);
        let join = self.point(PointKind::Join, span);
        for sequence in [&mut main, &mut escape] {
            self.get(sequence.last).next = Some(join);
            sequence.last = join;
        }
        let number = self.escapes.len();
        self.escapes.push(escape);
        self.get(unless).kind = PointKind::Unless { main, escape: number };
        self.attach_escape(main, number);
        self.add(chain, unless);
        self.add(chain, join);
    }

    fn attach_escape(&mut self, sequence: Sequence, escape: usize) {
        let mut id = sequence.first;
        loop {
            self.attach_escape_to(id, escape);
            if id == sequence.extent {
                return;
            }
            match self.get(id).next {
                Some(next) => id = next,
                None => return,
            }
        }
    }

    fn attach_escape_to(&mut self, id: PointId, escape: usize) {
        if self.get(id).escapes.contains(&escape) {
            return;
        }
        // The guards of inner escapes can be interrupted by the outer one too.
        for inner in self.get(id).escapes.clone() {
            self.attach_escape(self.escapes[inner], escape);
        }
        self.get(id).escapes.insert(0, escape);
        match self.get(id).kind.clone() {
            PointKind::Unless { main, .. } => self.attach_escape(main, escape),
            PointKind::Select(options) => options.into_iter().for_each(|option| self.attach_escape(option, escape)),
            PointKind::Block(body) => self.attach_escape(body, escape),
            // Only the guard of a `d_step` can be interrupted.
            PointKind::DStep { body, .. } => self.attach_escape_to(body.first, escape),
            _ => {}
        }
    }

    fn make_atomic(&mut self, sequence: Sequence) {
        self.mark_atomic(sequence);
        let last = sequence.last;
        match self.get(last).kind.clone() {
            PointKind::Block(body) => self.make_atomic(body),
            PointKind::Unless { main, .. } => self.make_atomic(main),
            _ => {
                let point = self.get(last);
                point.atomic = false;
                point.atomic_end = true;
            }
        }
    }

    fn mark_atomic(&mut self, sequence: Sequence) {
        let mut id = sequence.first;
        loop {
            self.get(id).atomic = true;
            match self.get(id).kind.clone() {
                PointKind::Block(body) => self.mark_atomic(body),
                PointKind::Select(options) => options.into_iter().for_each(|option| self.mark_atomic(option)),
                PointKind::Unless { main, escape } => {
                    self.mark_atomic(main);
                    self.mark_atomic(self.escapes[escape]);
                }
                _ => {}
            }
            if id == sequence.last {
                return;
            }
            match self.get(id).next {
                Some(next) => id = next,
                None => return,
            }
        }
    }

    /// A process must be able to rest at a label that others ask about; a jump there becomes a `skip` before the jump.
    fn make_restable(&mut self, remote: &[bool]) {
        for label in (0..self.labels.len()).filter(|&label| remote[label]) {
            let Some(id) = self.labels[label] else { continue };
            if matches!(self.get(id).kind, PointKind::Goto(_) | PointKind::Break(_)) {
                let Point { kind, next, atomic, atomic_end, span, .. } = self.get(id).clone();
                let jump = self.point(kind, span);
                let moved = self.get(jump);
                (moved.next, moved.atomic, moved.atomic_end) = (next, atomic, atomic_end);
                let action = self.actions.skip(span);
                let skip = self.get(id);
                skip.kind = PointKind::Basic(action);
                skip.next = Some(jump);
            }
        }
    }
}

impl Points {
    /// What follows a block follows its last statement.
    fn tie_block_ends(&mut self) {
        // From the outside in: an outer block has a higher number than the blocks inside it.
        for index in (0..self.points.len()).rev() {
            if let PointKind::Block(body) | PointKind::DStep { body, .. } = self.points[index].kind {
                let next = self.points[index].next;
                // The last statement already leads on where a jump was split off it.
                let last = &mut self.points[body.last.0 as usize - 1].next;
                *last = last.or(next);
            }
        }
    }

    /// A jump out of an `atomic` gives up control; one from the end of an `atomic` into another keeps it.
    pub fn patch_jumps(&mut self, sequence: Sequence) {
        let mut id = sequence.first;
        loop {
            if let Some(target) = self.jump_target(id) {
                let target = self.get(target);
                let target_atomic = target.atomic || target.atomic_end;
                let jump = &mut self.points[id.0 as usize - 1];
                if jump.atomic && !target_atomic {
                    jump.atomic = false;
                    jump.atomic_end = true;
                } else if jump.atomic_end && target_atomic {
                    jump.atomic_end = false;
                    jump.atomic = true;
                }
            } else {
                match self.get(id).kind.clone() {
                    PointKind::Select(options) => options.into_iter().for_each(|option| self.patch_jumps(option)),
                    PointKind::Unless { main, escape } => {
                        self.patch_jumps(main);
                        self.patch_jumps(self.escapes[escape]);
                    }
                    _ => {}
                }
            }
            if id == sequence.extent {
                return;
            }
            match self.get(id).next {
                Some(next) => id = next,
                None => return,
            }
        }
    }

    /// Where a jump leads; `None` for anything else.
    pub fn jump_target(&self, id: PointId) -> Option<PointId> {
        match self.get(id).kind {
            PointKind::Goto(label) => Some(self.labels[label.index()].expect("the front end checks labels")),
            PointKind::Break(number) => Some(self.loop_exits[number]),
            _ => None,
        }
    }
}
