//! From text to model, in one call, and the model's code as short text.

use promela::model::{
    Base, Block, ExprKind, Kind, Model, Owner, Place, Predefined, Process, ReceiveArgument, Statement, StatementKind,
    Variable,
};
use promela::{Loaded, Options, load_text};

pub fn load(text: &str) -> Loaded {
    load_text("model.pml", text, &Options::default())
}

/// The model of a text without errors.
#[track_caller]
pub fn model(text: &str) -> Model {
    let loaded = load(text);
    let errors: Vec<&str> = loaded.diagnostics.iter().filter(|d| d.is_error()).map(|d| &*d.message).collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    loaded.model.expect("a text without errors has a model")
}

/// The codes of what was reported.
pub fn codes(text: &str) -> Vec<&'static str> {
    load(text).diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

#[track_caller]
pub fn global<'m>(model: &'m Model, name: &str) -> &'m Variable {
    model.globals.iter().find(|global| &*global.name == name).expect("the test names a global")
}

#[track_caller]
pub fn local<'m>(model: &'m Model, process: &str, name: &str) -> &'m Variable {
    let process = model.processes.iter().find(|p| &*p.name == process).expect("the test names a process");
    process.locals.iter().find(|local| &*local.name == name).expect("the test names a local")
}

#[track_caller]
pub fn kind(model: &Model, name: &str) -> Kind {
    match name.split_once('.') {
        Some((process, name)) => local(model, process, name).kind,
        None => global(model, name).kind,
    }
}

/// The body of the first process, on one line.
pub fn code(text: &str) -> String {
    let model = model(text);
    let writer =
        Writer { model: &model, owner: Owner::Process(promela::model::ProcessId(0)), process: &model.processes[0] };
    writer.block(&model.processes[0].body)
}

/// Writes statements in a form close to Promela, fully explicit.
struct Writer<'m> {
    model: &'m Model,
    owner: Owner,
    process: &'m Process,
}

impl Writer<'_> {
    fn block(&self, block: &Block) -> String {
        let statements: Vec<String> = block.statements.iter().map(|statement| self.statement(statement)).collect();
        statements.join("; ")
    }

    fn statement(&self, statement: &Statement) -> String {
        let labels = statement.labels.iter().map(|label| format!("{}: ", self.process.labels[label.index()].name));
        labels.collect::<String>() + &self.unlabelled(&statement.kind)
    }

    fn unlabelled(&self, kind: &StatementKind) -> String {
        let options = |options: &[Block]| -> String {
            options.iter().map(|option| format!(":: {} ", self.block(option))).collect()
        };
        match kind {
            StatementKind::Expression(e) => self.expression(&e.kind),
            StatementKind::Assign(place, e) => format!("{} = {}", self.place(place), self.expression(&e.kind)),
            StatementKind::Discard(e) => format!("_ = {}", self.expression(&e.kind)),
            StatementKind::Send(send) => {
                let arguments: Vec<String> = send.arguments.iter().map(|a| self.expression(&a.kind)).collect();
                format!("{}!{}", self.place(&send.channel), arguments.join(","))
            }
            StatementKind::Receive(receive) => {
                let arguments: Vec<String> = receive.arguments.iter().map(|a| self.argument(a)).collect();
                format!("{}?{}", self.place(&receive.channel), arguments.join(","))
            }
            StatementKind::Event(event) => {
                let any = |argument: &Option<promela::model::Expr>| match argument {
                    Some(value) => self.expression(&value.kind),
                    None => "_".into(),
                };
                let arguments: Vec<String> = event.arguments.iter().map(any).collect();
                format!("{:?} {} {}", event.direction, self.place(&event.channel), arguments.join(","))
            }
            StatementKind::If(blocks) => format!("if {}fi", options(blocks)),
            StatementKind::Do(blocks) => format!("do {}od", options(blocks)),
            StatementKind::Unless(main, escape) => {
                format!("{{ {} }} unless {{ {} }}", self.block(main), self.block(escape))
            }
            StatementKind::Atomic(block) => format!("atomic {{ {} }}", self.block(block)),
            StatementKind::DStep(block) => format!("d_step {{ {} }}", self.block(block)),
            StatementKind::Block(block) => format!("{{ {} }}", self.block(block)),
            StatementKind::Goto(label) => format!("goto {}@{}", self.process.labels[label.index()].name, label.0),
            StatementKind::Break => "break".into(),
            StatementKind::Else => "else".into(),
            StatementKind::Assert(e) => format!("assert({})", self.expression(&e.kind)),
            StatementKind::Printf(format, _) => format!("printf({format:?})"),
            StatementKind::Printm(e, set) => format!("printm({}, {})", self.expression(&e.kind), set.0),
            StatementKind::SetPriority(p, n) => {
                format!("set_priority({}, {})", self.expression(&p.kind), self.expression(&n.kind))
            }
            StatementKind::CCode(_) => "c_code".into(),
        }
    }

    fn argument(&self, argument: &ReceiveArgument) -> String {
        match argument {
            ReceiveArgument::Bind(place) => self.place(place),
            ReceiveArgument::Ignore => "_".into(),
            ReceiveArgument::Match(value) => format!("eval({})", self.expression(&value.kind)),
        }
    }

    fn place(&self, place: &Place) -> String {
        let mut variable = self.model.variable(place.base, self.owner).expect("a place has a variable");
        let index = |index: &Option<Box<promela::model::Expr>>| match index {
            Some(index) => format!("[{}]", self.expression(&index.kind)),
            None => String::new(),
        };
        let mut text = match (place.base, &place.owner) {
            (Base::Public(process, _), Some(owner)) => {
                let name = &self.model.processes[process.index()].name;
                format!("{name}[{}].", self.expression(&owner.kind))
            }
            _ => String::new(),
        };
        text += &format!("{}{}", variable.name, index(&place.index));
        for step in &place.fields {
            let promela::model::Type::Structure(id) = variable.ty else { panic!("fields belong to structures") };
            variable = &self.model.structures[id.index()].fields[step.field as usize];
            text += &format!(".{}{}", variable.name, index(&step.index));
        }
        text
    }

    fn expression(&self, kind: &ExprKind) -> String {
        match kind {
            ExprKind::Constant(value) => value.to_string(),
            ExprKind::Read(place) => self.place(place),
            ExprKind::Predefined(Predefined::Pid) => "_pid".into(),
            ExprKind::Predefined(other) => format!("{other:?}"),
            ExprKind::Unary(operator, a) => format!("{operator:?}({})", self.expression(&a.kind)),
            ExprKind::Binary(operator, a, b) => {
                format!("({} {operator:?} {})", self.expression(&a.kind), self.expression(&b.kind))
            }
            ExprKind::Probe(probe, place) => format!("{probe:?}({})", self.place(place)),
            ExprKind::Run(run) => {
                let arguments: Vec<String> = run.arguments.iter().map(|a| self.expression(&a.kind)).collect();
                format!("run {}({})", self.model.processes[run.process.index()].name, arguments.join(","))
            }
            other => format!("{other:?}").split(['(', ' ']).next().unwrap_or_default().into(),
        }
    }
}
