//! The text of statements as traces and listings show it: one line, close to what SPIN prints.

use std::fmt::Write as _;

use promela::model::{
    Base, Expr, ExprKind, Kind, Model, MtypeSetId, Place, PortDirection, Predefined, Process, Receive, ReceiveArgument,
    Statement, StatementKind, StructureId, Type, Variable,
};

/// Writes statements and expressions of one process (or none) of a model.
#[derive(Clone, Copy)]
pub struct Writer<'a> {
    pub model: &'a Model,
    pub process: Option<&'a Process>,
}

impl Writer<'_> {
    /// A basic statement.
    pub fn statement(self, statement: &Statement) -> String {
        match &statement.kind {
            StatementKind::Expression(expr) => format!("({})", self.expr(expr)),
            StatementKind::Assign(place, value) => format!("{} = {}", self.place(place), self.expr(value)),
            StatementKind::Discard(value) => format!("_ = {}", self.expr(value)),
            StatementKind::Send(send) => {
                let arguments: Vec<String> = send.arguments.iter().map(|argument| self.expr(argument)).collect();
                format!("{}{}{}", self.place(&send.channel), if send.sorted { "!!" } else { "!" }, arguments.join(","))
            }
            StatementKind::Receive(receive) => {
                let (open, close) = if receive.copy { ("<", ">") } else { ("", "") };
                self.receive(receive, open, close)
            }
            StatementKind::Assert(expr) => format!("assert({})", self.expr(expr)),
            StatementKind::Printf(format, arguments) => {
                let mut text = format!("printf('{}'", format.escape_debug());
                for argument in arguments {
                    let _ = write!(text, ",{}", self.expr(argument));
                }
                text + ")"
            }
            StatementKind::Printm(value, _) => format!("printm({})", self.expr(value)),
            StatementKind::SetPriority(pid, priority) => {
                format!("set_priority({}, {})", self.expr(pid), self.expr(priority))
            }
            StatementKind::CCode(text) => format!("c_code {{{}}}", one_line(&text.text)),
            StatementKind::Event(event) => {
                let argument =
                    |argument: &Option<Expr>| argument.as_ref().map_or("_".to_string(), |value| self.expr(value));
                let arguments: Vec<String> = event.arguments.iter().map(argument).collect();
                let operator = match event.direction {
                    PortDirection::Send => "!",
                    PortDirection::Receive => "?",
                };
                format!("{}{operator}{}", self.place(&event.channel), arguments.join(","))
            }
            StatementKind::Else => "else".to_string(),
            StatementKind::Goto(_) => "goto".to_string(),
            StatementKind::Break => "break".to_string(),
            StatementKind::If(_) => "IF".to_string(),
            StatementKind::Do(_) => "DO".to_string(),
            StatementKind::Unless(..) => "unless".to_string(),
            StatementKind::Atomic(_) => "ATOMIC".to_string(),
            StatementKind::DStep(block) => {
                let first = block.statements.first().map(|first| self.statement(first)).unwrap_or_default();
                format!("D_STEP [{first}]")
            }
            StatementKind::Block(_) => "sub-sequence".to_string(),
        }
    }

    /// An expression, every operation in parentheses.
    pub fn expr(self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Constant(value) => self.constant(*value, expr.meaning),
            ExprKind::Read(place) => self.place(place),
            ExprKind::Predefined(which) => predefined(*which).to_string(),
            ExprKind::Unary(op, operand) => format!("{}({})", op.text(), self.expr(operand)),
            ExprKind::Binary(op, left, right) => format!("({}{}{})", self.expr(left), op.text(), self.expr(right)),
            ExprKind::Conditional(condition, yes, no) => {
                format!("( ({}) -> ({}) : ({}) )", self.expr(condition), self.expr(yes), self.expr(no))
            }
            ExprKind::Probe(probe, channel) => format!("{}({})", probe.name(), self.place(channel)),
            ExprKind::Poll(receive) => self.receive(receive, "[", "]"),
            ExprKind::Run(run) => {
                let arguments: Vec<String> = run.arguments.iter().map(|argument| self.expr(argument)).collect();
                format!("run {}({})", self.model.processes[run.process.index()].name, arguments.join(","))
            }
            ExprKind::RemoteLabel(remote) => {
                let process = &self.model.processes[remote.process.index()];
                let label = &process.labels[remote.label.index()].name;
                format!("{}{}@{label}", process.name, self.process_index(remote.pid.as_ref()))
            }
            ExprKind::RemoteVariable(remote) => {
                let process = &self.model.processes[remote.process.index()];
                let index = self.process_index(remote.pid.as_ref());
                format!("{}{index}.{}", process.name, self.place_in(Some(process), &remote.place))
            }
            ExprKind::Timeout => "timeout".to_string(),
            ExprKind::Enabled(pid) => format!("enabled({})", self.expr(pid)),
            ExprKind::PcValue(pid) => format!("pc_value({})", self.expr(pid)),
            ExprKind::GetPriority(pid) => format!("get_priority({})", self.expr(pid)),
            ExprKind::CExpr(text) => format!("c_expr {{{}}}", one_line(&text.text)),
            ExprKind::AnyRef(process) => format!("anyRef({})", self.model.processes[process.index()].name),
            ExprKind::UndefinedRef => "_undef_ref".to_string(),
        }
    }

    fn process_index(self, pid: Option<&Expr>) -> String {
        pid.map_or(String::new(), |pid| format!("[{}]", self.expr(pid)))
    }

    fn constant(self, value: i32, meaning: Kind) -> String {
        match meaning {
            Kind::Mtype(set) => mtype_name(self.model, set, value).unwrap_or_else(|| value.to_string()),
            _ => value.to_string(),
        }
    }

    fn receive(self, receive: &Receive, open: &str, close: &str) -> String {
        let argument = |argument: &ReceiveArgument| match argument {
            ReceiveArgument::Bind(place) => self.place(place),
            ReceiveArgument::Ignore => "_".to_string(),
            ReceiveArgument::Match(Expr { kind: ExprKind::Constant(value), meaning, .. }) => {
                self.constant(*value, *meaning)
            }
            ReceiveArgument::Match(value) => format!("eval({})", self.expr(value)),
        };
        let arguments: Vec<String> = receive.arguments.iter().map(argument).collect();
        let operator = if receive.random { "??" } else { "?" };
        format!("{}{operator}{open}{}{close}", self.place(&receive.channel), arguments.join(","))
    }

    fn place(self, place: &Place) -> String {
        self.place_in(self.process, place)
    }

    /// A place whose local variable is one of `owner`. The indices in it are expressions of the process that reads it.
    fn place_in(self, owner: Option<&Process>, place: &Place) -> String {
        let mut text = String::new();
        let variable = match place.base {
            Base::Global(id) => &self.model.globals[id.index()],
            Base::Local(id) => match owner {
                Some(process) => &process.locals[id.index()],
                None => return String::from("?"),
            },
            Base::Public(process, id) => {
                let process = &self.model.processes[process.index()];
                let _ = write!(text, "{}{}.", process.name, self.process_index(place.owner.as_deref()));
                &process.locals[id.index()]
            }
        };
        self.part(&mut text, variable, place.index.as_deref());
        let mut ty = variable.ty;
        for step in &place.fields {
            let Type::Structure(StructureId(structure)) = ty else { break };
            let field = &self.model.structures[structure as usize].fields[step.field as usize];
            text.push('.');
            self.part(&mut text, field, step.index.as_deref());
            ty = field.ty;
        }
        text
    }

    fn part(self, text: &mut String, variable: &Variable, index: Option<&Expr>) {
        text.push_str(&variable.name);
        if let Some(index) = index {
            let _ = write!(text, "[{}]", self.expr(index));
        }
    }
}

/// The name of an mtype value.
pub fn mtype_name(model: &Model, set: MtypeSetId, value: i32) -> Option<String> {
    let members = &model.mtypes.get(set.index())?.members;
    members.iter().find(|(_, member)| *member == value).map(|(name, _)| name.to_string())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn predefined(which: Predefined) -> &'static str {
    match which {
        Predefined::Pid => "_pid",
        Predefined::ProcessCount => "_nr_pr",
        Predefined::ChannelCount => "_nr_qs",
        Predefined::Last => "_last",
        Predefined::NonProgress => "np_",
        Predefined::Priority => "_priority",
        Predefined::LocalNumber => "_lid",
    }
}

#[cfg(test)]
mod tests {
    /// The texts of the statements of a model's last process.
    fn texts(model: &str) -> Vec<String> {
        let loaded = promela::load_text("m.pml", model, &promela::Options::default());
        let machine = crate::lower(&loaded.model.expect("a model"));
        let last = machine.definitions.last().expect("a process");
        let edges = last.automaton.locations.iter().flat_map(|location| &location.edges);
        edges.map(|edge| machine.actions[edge.action.index()].text.to_string()).collect()
    }

    /// As in `pan.t` of SPIN 6.5.2.
    #[test]
    fn indices_of_a_remote_reference_are_named_as_in_the_process_that_reads() {
        let told = texts(
            "active proctype P0() { byte other; byte log[2]; skip }
             active proctype P1() { byte i; (P0:log[i % 2] == 0); (P0[0]:log[i - 1] == 0) }",
        );
        assert_eq!(told[..2], ["((P0.log[(i%2)]==0))", "((P0[0].log[(i-1)]==0))"]);
    }
}
