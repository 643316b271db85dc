//! From a checked model to a machine.
//!
//! ```text
//! variables ── cells ──▶ layout          bodies ── points ──▶ control points ── edges ──▶ automata
//! ```
//! The order of things is SPIN's throughout: channels are numbered, locations counted and ways out listed as it does.

mod cells;
mod choices;
mod edges;
mod expression;
mod formula;
mod points;
mod text;

use std::cell::RefCell;
use std::sync::Arc;

use promela::model::visit::{self, Access, Visitor};
use promela::model::{
    self, Base, ExprKind, Initial, Model, Place, Predefined, Process, ProcessId, Statement, StatementKind, Type,
    Variable,
};
use promela::source::Span;

use self::cells::{Changing, Contents, Shapes};
use self::expression::{Context, Frame};
use self::points::{PointId, Points};
use self::text::Writer;
use crate::action::{Action, ActionKind, DStep, Event, Jump};
use crate::automaton::Automaton;
use crate::check::assert_sound;
use crate::embedded::{Code, Memory, MemoryOwner, PieceKind};
use crate::exclusive::ExclusiveEnd;
use crate::expression::Expr;
use crate::id::{ActionId, CellsId, DefinitionId, Location};
use crate::layout::Layout;
use crate::machine::{Definition, FullChannels, InitialValues, Initialiser, Machine, TraceAutomaton};
use crate::trace::Part;

/// Where values are that are no part of a state's identity in SPIN: `hidden` variables, and memory of C that is tracked but
/// not matched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Hidden {
    /// Beside the state's vector, as in SPIN: they keep the value they were given last on the run at hand.
    #[default]
    Outside,
    /// In the vector like any other. SPIN's own searches depend on the order of visits where such a value is read before it
    /// is written; with it in the state, verdicts are right for every run.
    InState,
}

/// Lowers a model. Its embedded C cannot be executed: for that, see [`embedded::lower`](crate::embedded::lower).
pub fn lower(model: &Model) -> Machine {
    lower_with(model, Hidden::Outside, &[])
}

/// Lowers a model, with a choice of where hidden values are.
pub fn lower_hidden(model: &Model, hidden: Hidden) -> Machine {
    lower_with(model, hidden, &[])
}

/// Lowers a model with memory of embedded C of the given sizes; where a size is missing, the memory has none.
pub(crate) fn lower_with(model: &Model, hidden: Hidden, sizes: &[u32]) -> Machine {
    let mut shapes = Shapes::default();
    let memory = crate::embedded::memory(model, sizes);
    let owned_by = |owner: MemoryOwner| memory.iter().filter(|each| each.owner == owner).cloned().collect();
    let remote = remote_labels(model);
    let all: Vec<&Process> =
        model.processes.iter().chain(&model.claims).chain(model.trace.iter().map(|trace| &trace.process)).collect();

    let mut actions = Vec::new();
    let mut bodies: Vec<Points> = all
        .iter()
        .enumerate()
        .map(|(index, process)| {
            let nothing = vec![false; process.labels.len()];
            let remote = remote.get(index).unwrap_or(&nothing);
            points::build(process, remote, &mut Recorder { actions: &mut actions, owner: index })
        })
        .collect();

    let most_locations = bodies.iter().map(Points::len).max().unwrap_or(0);
    let mut layout = Layout {
        shapes: Vec::new(),
        last_offset: None,
        globals: Default::default(),
        definition_width: if model.processes.len() <= 256 { 1 } else { 2 },
        location_width: match most_locations {
            0..=255 => 1,
            256..=65_535 => 2,
            _ => 4,
        },
        priority_offset: None,
        frames: Vec::new(),
    };
    let mut header = 1;
    if model.features.last {
        layout.last_offset = Some(header);
        header += 1;
    }
    if model.features.priorities {
        layout.priority_offset = Some(layout.definition_width + layout.location_width);
    }
    let changing = stores(model, &all);
    let mut frames = Vec::new();
    let mut changing = changing.into_iter();
    let watch = model.trace.as_ref().zip(bodies.last()).map(|(trace, body)| (body.len() + 1, trace.process.span));
    let contents = Contents { variables: &model.globals, memory: owned_by(MemoryOwner::Global), trace: watch, header };
    let (area, leaves) = cells::lay_out(model, contents, hidden, &mut shapes);
    let globals = Frame { area, leaves, changing: changing.next().expect("the globals come first") };
    for (index, process) in all.iter().enumerate() {
        let memory = owned_by(MemoryOwner::Definition(DefinitionId(index as u32)));
        let contents = Contents { variables: &process.locals, memory, trace: None, header: layout.frame_header() };
        let (area, leaves) = cells::lay_out(model, contents, hidden, &mut shapes);
        frames.push(Frame { area, leaves, changing: changing.next().expect("one for each process") });
    }

    let labels: Vec<Vec<Option<Location>>> =
        bodies.iter().map(|body| body.labels.iter().map(|point| point.map(PointId::location)).collect()).collect();
    let code = RefCell::new(Vec::new());
    let context = |index: Option<usize>| Context {
        model,
        globals: &globals,
        frames: &frames,
        own: index.map(|index| &frames[index]),
        process: index.map(|index| all[index]),
        definition: index.filter(|&index| index < model.processes.len()).map(|index| DefinitionId(index as u32)),
        labels: &labels,
        code: &code,
    };

    let mut lowered: Vec<Action> =
        actions.iter().map(|recorded| lower_action(recorded, &context(Some(recorded.owner)))).collect();
    let mut automata = Vec::new();
    let standing = standing(model);
    for (index, process) in all.iter().enumerate() {
        let mut automaton = edges::build(process, &mut bodies[index], &mut Steps { actions: &mut lowered });
        automaton.provided = process.provided.as_ref().map(|provided| context(Some(index)).expr(provided));
        if standing.get(index) == Some(&true) {
            let end = automaton.end.index();
            automaton.locations[end].edges.clear();
        }
        automata.push(automaton);
    }

    if model.features.references {
        let active: Vec<DefinitionId> = model.active.iter().map(|each| DefinitionId(each.process.0)).collect();
        choices::spell_out(&mut automata[..model.processes.len()], &mut lowered, &active);
    }

    let mut global_initial = initialisers(
        &context(None),
        model.initialisation_order().into_iter().map(|id| (&model.globals[id.index()], id.index())),
        &globals,
    );
    let ltl = model.ltl.iter().map(|property| formula::lower(property, &context(None))).collect();
    let mut automata = automata.into_iter();
    let definitions: Vec<Definition> = model
        .processes
        .iter()
        .enumerate()
        .map(|(index, process)| {
            let frame = &frames[index];
            let (parameters, locals) = process.locals.split_at(process.parameters);
            Definition {
                automaton: automata.next().expect("one for each process"),
                parameters: (0..parameters.len()).flat_map(|local| frame.leaves[local].all().to_vec()).collect(),
                initial: initialisers(&context(Some(index)), locals.iter().zip(parameters.len()..), frame),
                priority: process.priority,
                exclusive: exclusive_ends(process, &context(Some(index))),
            }
        })
        .collect();
    let claims: Vec<Automaton> = automata.by_ref().take(model.claims.len()).collect();
    let trace = model.trace.as_ref().zip(automata.next()).map(|(trace, automaton)| {
        let variables: usize = globals.leaves.iter().map(|leaves| leaves.all().len()).sum();
        let cells = CellsId(variables as u32);
        let start = InitialValues::Same(Expr::Constant(automaton.start.0 as i32));
        global_initial.push(Initialiser { cells, values: start });
        TraceAutomaton { negated: trace.negated, automaton, cells }
    });

    layout.frames = frames.into_iter().take(model.processes.len()).map(|frame| frame.area).collect();
    layout.globals = globals.area;
    layout.shapes = shapes.into_list();
    let machine = Machine {
        sources: model.sources.clone(),
        mtypes: model.mtypes.clone(),
        layout,
        definitions,
        claims,
        trace,
        ltl,
        automata: Vec::new(),
        actions: lowered,
        global_initial,
        active: model.active.iter().map(|active| DefinitionId(active.process.0)).collect(),
        features: model.features,
        code: Code { pieces: code.into_inner(), memory, library: None },
        full_channels: FullChannels::Block,
    };
    assert_sound(&machine, "lowering");
    machine
}

fn exclusive_ends(process: &Process, context: &Context<'_>) -> Vec<ExclusiveEnd> {
    let named = process.exclusive.iter().filter(|(_, place, _)| !matches!(place.base, Base::Public(..)));
    named
        .map(|&(direction, ref place, span)| ExclusiveEnd { direction, channel: context.channel(place), span })
        .collect()
}

/// A statement seen while points were built; it is lowered when all labels are known.
struct Recorded {
    owner: usize,
    kind: RecordedKind,
    span: Span,
}

enum RecordedKind {
    Statement(Box<Statement>),
    Skip,
    End,
}

struct Recorder<'a> {
    actions: &'a mut Vec<Recorded>,
    owner: usize,
}

impl Recorder<'_> {
    fn record(&mut self, kind: RecordedKind, span: Span) -> ActionId {
        self.actions.push(Recorded { owner: self.owner, kind, span });
        ActionId(self.actions.len() as u32 - 1)
    }
}

impl points::Actions for Recorder<'_> {
    fn statement(&mut self, statement: &Statement) -> ActionId {
        self.record(RecordedKind::Statement(Box::new(statement.clone())), statement.span)
    }

    fn skip(&mut self, span: Span) -> ActionId {
        self.record(RecordedKind::Skip, span)
    }

    fn end(&mut self, span: Span) -> ActionId {
        self.record(RecordedKind::End, span)
    }
}

fn lower_action(recorded: &Recorded, context: &Context<'_>) -> Action {
    let span = recorded.span;
    let statement = match &recorded.kind {
        RecordedKind::Statement(statement) => statement,
        RecordedKind::Skip => return Action { kind: ActionKind::Skip, text: "(1)".into(), span, choice: None },
        RecordedKind::End => return Action { kind: ActionKind::End, text: Part::END.into(), span, choice: None },
    };
    let kind = match &statement.kind {
        StatementKind::Expression(expr) => match context.expr(expr) {
            Expr::Constant(value) if value != 0 => ActionKind::Skip,
            condition => ActionKind::Condition(condition),
        },
        StatementKind::Assign(place, value) => ActionKind::Assign(context.place(place), context.expr(value)),
        StatementKind::Discard(value) => ActionKind::Discard(context.expr(value)),
        StatementKind::Send(send) => ActionKind::Send(context.send(send)),
        StatementKind::Receive(receive) => ActionKind::Receive(context.receive(receive)),
        StatementKind::Else => ActionKind::Else,
        StatementKind::Assert(expr) => ActionKind::Assert(context.expr(expr)),
        StatementKind::Printf(format, arguments) => {
            ActionKind::Print(format.clone(), arguments.iter().map(|argument| context.expr(argument)).collect())
        }
        StatementKind::Printm(value, set) => ActionKind::PrintMtype(context.expr(value), *set),
        StatementKind::SetPriority(pid, priority) => ActionKind::SetPriority(context.expr(pid), context.expr(priority)),
        StatementKind::CCode(text) => ActionKind::Code(context.code(text, PieceKind::Statement)),
        StatementKind::Event(event) => ActionKind::Event(Event {
            direction: event.direction,
            channel: context.channel(&event.channel),
            pattern: event.arguments.iter().map(|value| value.as_ref().map(|value| context.expr(value))).collect(),
        }),
        StatementKind::If(_)
        | StatementKind::Do(_)
        | StatementKind::Unless(..)
        | StatementKind::Atomic(_)
        | StatementKind::DStep(_)
        | StatementKind::Block(_)
        | StatementKind::Goto(_)
        | StatementKind::Break => unreachable!("only basic statements are recorded"),
    };
    let writer = Writer { model: context.model, process: context.process };
    Action { kind, text: writer.statement(statement).into(), span, choice: None }
}

/// Makes the actions that appear while edges are built.
struct Steps<'a> {
    actions: &'a mut Vec<Action>,
}

impl Steps<'_> {
    fn push(&mut self, kind: ActionKind, text: Arc<str>, span: Span) -> ActionId {
        self.actions.push(Action { kind, text, span, choice: None });
        ActionId(self.actions.len() as u32 - 1)
    }
}

impl edges::StepActions for Steps<'_> {
    fn jump(&mut self, jump: Jump, text: &str, span: Span) -> ActionId {
        self.push(ActionKind::Jump(jump), text.into(), span)
    }

    fn d_step(&mut self, body: DStep, span: Span) -> ActionId {
        let first = body.nodes[0].edges.first().map_or_else(|| "".into(), |edge| self.text(edge.action));
        self.push(ActionKind::Deterministic(body), format!("D_STEP [{first}]").into(), span)
    }

    fn text(&self, action: ActionId) -> Arc<str> {
        self.actions[action.index()].text.clone()
    }

    fn is_never(&self, action: ActionId) -> bool {
        matches!(self.actions[action.index()].kind, ActionKind::Condition(Expr::Constant(0)))
    }
}

/// The initial values of variables, in the given order; `number` is a variable's place in the frame's leaves.
fn initialisers<'v>(
    context: &Context<'_>,
    variables: impl Iterator<Item = (&'v Variable, usize)>,
    frame: &Frame,
) -> Vec<Initialiser> {
    let mut list = Vec::new();
    for (variable, number) in variables {
        let leaves: &[CellsId] = frame.leaves[number].all();
        match &variable.initial {
            Initial::Zero if matches!(variable.ty, Type::Structure(_)) => {
                field_initialisers(context, variable, leaves, &mut list);
            }
            Initial::Zero if matches!(variable.ty, Type::Ref(_)) => {
                let values = InitialValues::Same(Expr::Constant(crate::UNDEFINED_REFERENCE));
                list.push(Initialiser { cells: leaves[0], values });
            }
            Initial::Zero | Initial::Channel(_) => {}
            Initial::Value(value) => {
                let values = InitialValues::Same(context.expr(value));
                list.push(Initialiser { cells: leaves[0], values });
            }
            Initial::List(values) => {
                list.push(Initialiser { cells: leaves[0], values: InitialValues::Each(values.clone()) });
            }
        }
    }
    list
}

/// The fields of a structure start as its typedef says, in every structure.
fn field_initialisers(context: &Context<'_>, variable: &Variable, leaves: &[CellsId], list: &mut Vec<Initialiser>) {
    let mut leaves = leaves.iter();
    visit_fields(context.model, variable, &mut |field| {
        let Some(&cells) = leaves.next() else { return };
        match &field.initial {
            Initial::Value(value) => {
                list.push(Initialiser { cells, values: InitialValues::Same(context.expr(value)) });
            }
            Initial::List(values) => {
                let structures = context_count(context, cells, variable) / values.len().max(1);
                let repeated = values.repeat(structures.max(1));
                list.push(Initialiser { cells, values: InitialValues::Each(repeated) });
            }
            Initial::Zero if matches!(field.ty, Type::Ref(_)) => {
                let values = InitialValues::Same(Expr::Constant(crate::UNDEFINED_REFERENCE));
                list.push(Initialiser { cells, values });
            }
            Initial::Zero | Initial::Channel(_) => {}
        }
    });
}

fn context_count(context: &Context<'_>, cells: CellsId, variable: &Variable) -> usize {
    let frame = context.own.unwrap_or(context.globals);
    debug_assert!(!variable.name.is_empty());
    frame.area.cells(cells).count as usize
}

fn visit_fields(model: &Model, variable: &Variable, leaf: &mut impl FnMut(&Variable)) {
    match variable.ty {
        Type::Structure(structure) => {
            for field in &model.structures[structure.index()].fields {
                visit_fields(model, field, leaf);
            }
        }
        _ => leaf(variable),
    }
}

/// For every process, which of its labels are named by a remote reference anywhere in the model.
fn remote_labels(model: &Model) -> Vec<Vec<bool>> {
    struct Finder {
        named: Vec<Vec<bool>>,
    }
    impl<'m> Visitor<'m> for Finder {
        fn expression(&mut self, expression: &model::Expr) {
            if let ExprKind::RemoteLabel(remote) = &expression.kind {
                self.named[remote.process.index()][remote.label.index()] = true;
            }
            visit::walk::expression(self, expression);
        }
    }
    let named = model.processes.iter().map(|process| vec![false; process.labels.len()]).collect();
    let mut finder = Finder { named };
    visit::walk::model(&mut finder, model);
    finder.named
}

/// The definitions whose processes stay at their end: references may lead to them, and all of them exist from the beginning on, so that
/// `anyRef` means the same processes in every state and a reference never leads to nobody.
fn standing(model: &Model) -> Vec<bool> {
    struct Finder {
        owner: Option<ProcessId>,
        found: Vec<bool>,
        created: Vec<bool>,
    }
    impl<'m> Visitor<'m> for Finder {
        fn expression(&mut self, expression: &model::Expr) {
            match (&expression.kind, self.owner) {
                (ExprKind::AnyRef(process), _) => self.found[process.index()] = true,
                (ExprKind::Predefined(Predefined::LocalNumber), Some(owner)) => self.found[owner.index()] = true,
                (ExprKind::Run(run), _) => self.created[run.process.index()] = true,
                _ => {}
            }
            visit::walk::expression(self, expression);
        }
    }
    let none = vec![false; model.processes.len()];
    let mut finder = Finder { owner: None, found: none.clone(), created: none };
    for (number, process) in model.processes.iter().enumerate() {
        finder.owner = Some(ProcessId(number as u32));
        visit::walk::process(&mut finder, process);
    }
    finder.found.iter().zip(finder.created).map(|(&found, created)| found && !created).collect()
}

/// Which variables anything stores into: the globals first, then each process' locals.
fn stores(model: &Model, all: &[&Process]) -> Vec<Changing> {
    struct Finder {
        globals: Changing,
        locals: Changing,
        public: Vec<(ProcessId, model::LocalId)>,
    }
    impl<'m> Visitor<'m> for Finder {
        fn place(&mut self, place: &Place, access: Access) {
            if matches!(access, Access::Write | Access::Bind) {
                match place.base {
                    Base::Global(id) => self.globals.mark(id.index()),
                    Base::Local(id) => self.locals.mark(id.index()),
                    Base::Public(process, local) => self.public.push((process, local)),
                }
            }
            visit::walk::place(self, place);
        }
    }
    let embedded = model.features.embedded_c;
    let mut finder = Finder {
        globals: Changing::new(model.globals.len(), embedded),
        locals: Changing::default(),
        public: Vec::new(),
    };
    let mut locals = Vec::new();
    for process in all {
        finder.locals = Changing::new(process.locals.len(), embedded);
        // A parameter holds whatever it was given.
        (0..process.parameters).for_each(|parameter| finder.locals.mark(parameter));
        visit::walk::process(&mut finder, process);
        locals.push(std::mem::take(&mut finder.locals));
    }
    for (process, local) in finder.public {
        locals[process.index()].mark(local.index());
    }
    std::iter::once(finder.globals).chain(locals).collect()
}
