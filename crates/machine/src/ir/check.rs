//! A verifier for machines: every number that refers to something refers to something that is there.
//!
//! Engines and analyses index tables by typed numbers without asking. Here the invariants that they rely on are checked, as cranelift's verifier
//! checks a function: cells lie in their area and do not overlap, targets and actions exist, a `d_step` holds no `d_step`, an owner has the cells
//! that a place names. Debug builds run it after every pass that makes or changes a machine ([`assert_sound`]); a front end that builds a
//! machine by hand calls [`check`].

mod areas;
mod observers;

use std::fmt;

use promela::model::{MtypeSetId, Predefined};

use crate::action::{Action, ActionKind, DStep, Field};
use crate::automaton::Automaton;
use crate::expression::{ChannelRef, Expr, Index, Owner, Place, Run};
use crate::id::{ActionId, DefinitionId, Location};
use crate::layout::Area;
use crate::machine::{InitialValues, Initialiser, Machine};

/// A violated invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The part of the machine: an area of the layout, or an automaton with a location.
    pub place: String,
    /// The invariant that does not hold there.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.place, self.message)
    }
}

/// Checks a machine. It is sound if no fault is found.
#[must_use]
pub fn check(machine: &Machine) -> Vec<Fault> {
    let mut checker = Checker { machine, place: String::new(), own: None, faults: Vec::new() };
    checker.layout();
    for (number, definition) in machine.definitions.iter().enumerate() {
        let area = machine.layout.frames.get(number);
        checker.own = area;
        checker.automaton(&definition.automaton);
        checker.place = format!("{}: declarations", definition.automaton.name);
        let known = area.map_or(0, |area| area.cells.len());
        checker.demand(definition.parameters.iter().all(|cells| cells.index() < known), "a parameter has no cells");
        let parameters = definition.parameters.iter().filter_map(|cells| area?.cells.get(cells.index()));
        checker.demand(parameters.into_iter().all(|cells| cells.count > 0), "a parameter has no cells");
        definition.initial.iter().for_each(|initialiser| checker.initialiser(initialiser, area));
        for end in &definition.exclusive {
            checker.channel(&end.channel);
            let is_fixed = match &end.channel {
                ChannelRef::Global(_) | ChannelRef::Own(_) => true,
                ChannelRef::Variable(place) => {
                    matches!(place.index, Index::Constant(_)) && !matches!(place.owner, Owner::Remote(..))
                }
            };
            checker.demand(is_fixed, "the channel of an exclusive end is computed");
        }
    }
    checker.own = None;
    let watching = machine.claims.iter().chain(machine.trace.iter().map(|trace| &trace.automaton));
    watching.for_each(|automaton| checker.automaton(automaton));
    checker.place = "globals".into();
    for initialiser in &machine.global_initial {
        checker.initialiser(initialiser, Some(&machine.layout.globals));
    }
    for definition in &machine.active {
        checker.definition(*definition);
    }
    checker.demand(machine.active.len() <= 255, "there are more than 255 processes at the start");
    machine.trace.iter().for_each(|trace| checker.trace(trace));
    machine.ltl.iter().for_each(|property| checker.property(property));
    machine.automata.iter().for_each(|claim| checker.claim(claim));
    checker.faults
}

/// Ends a debug build's run when a pass has made a machine that is not sound.
///
/// # Panics
/// In debug builds, when [`check`] finds a fault.
pub fn assert_sound(machine: &Machine, pass: &str) {
    if cfg!(debug_assertions) {
        let faults = check(machine);
        assert!(
            faults.is_empty(),
            "after {pass}: {}",
            faults.iter().map(Fault::to_string).collect::<Vec<_>>().join("; ")
        );
    }
}

struct Checker<'m> {
    machine: &'m Machine,
    place: String,
    /// The area of the executing process; `None` for claims and globals, which have no cells of their own.
    own: Option<&'m Area>,
    faults: Vec<Fault>,
}

impl<'m> Checker<'m> {
    fn demand(&mut self, holds: bool, message: &str) {
        if !holds {
            self.faults.push(Fault { place: self.place.clone(), message: message.into() });
        }
    }

    fn initialiser(&mut self, initialiser: &Initialiser, area: Option<&Area>) {
        let Some(cells) = area.and_then(|area| area.cells.get(initialiser.cells.index())) else {
            return self.demand(false, "an initial value is for cells that do not exist");
        };
        match &initialiser.values {
            InitialValues::Same(value) => self.expr(value),
            InitialValues::Each(values) => {
                self.demand(values.len() == cells.count as usize, "there is not one initial value for each cell");
            }
        }
    }

    fn automaton(&mut self, automaton: &'m Automaton) {
        self.place = automaton.name.to_string();
        self.demand(self.is_location(automaton, automaton.start), "it starts at no location");
        self.demand(self.is_location(automaton, automaton.end), "it ends at no location");
        self.demand(automaton.locations.first().is_none_or(|unused| unused.edges.is_empty()), "location 0 is used");
        let labels = automaton.labels.iter().all(|(_, location)| location.index() < automaton.locations.len());
        self.demand(labels, "a label stands at no location");
        if let Some(provided) = &automaton.provided {
            self.expr(provided);
            self.feature(self.machine.features.provided, "provided");
            self.demand(!self.machine.actions.is_empty(), "a process that waits has no actions");
        }
        for (number, location) in automaton.locations.iter().enumerate() {
            self.place = format!("{} at {number}", automaton.name);
            // The way out of the end leads to location 0: the process disappears.
            let is_end = number == automaton.end.index();
            for edge in &location.edges {
                let leads_on = self.is_location(automaton, edge.target) || is_end && edge.target.0 == 0;
                self.demand(leads_on, "an edge leads to no location");
                let escape = edge.escape.is_none_or(|escape| escape.index() < automaton.locations.len());
                self.demand(escape, "an escape stands at no location");
                self.action(edge.action, automaton);
                if self.kind(edge.action).is_some_and(|kind| matches!(kind, ActionKind::End)) {
                    let disappears = edge.target.0 == 0 && !edge.atomic;
                    self.demand(disappears, "a process ends elsewhere than at its end");
                }
            }
        }
    }

    fn is_location(&self, automaton: &Automaton, location: Location) -> bool {
        location.0 > 0 && location.index() < automaton.locations.len()
    }

    fn kind(&self, id: ActionId) -> Option<&'m ActionKind> {
        self.machine.actions.get(id.index()).map(|action| &action.kind)
    }

    /// Reductions ask which features a machine uses, not what it does.
    fn feature(&mut self, is_declared: bool, name: &str) {
        self.demand(is_declared, &format!("it uses `{name}`, which is not among the features"));
    }

    fn action(&mut self, id: ActionId, automaton: &'m Automaton) {
        let Some(action) = self.machine.actions.get(id.index()) else {
            return self.demand(false, "an edge has an action that does not exist");
        };
        match &action.kind {
            ActionKind::Deterministic(body) => self.d_step(body, automaton),
            _ => self.simple_action(action),
        }
    }

    fn d_step(&mut self, body: &'m DStep, automaton: &'m Automaton) {
        self.demand(!body.nodes.is_empty(), "a d_step has no start");
        for node in &body.nodes {
            self.demand(node.location.index() < automaton.locations.len(), "a node of a d_step has no location");
            for edge in &node.edges {
                let inside = edge.target.is_none_or(|target| (target as usize) < body.nodes.len());
                self.demand(inside, "an edge of a d_step leads nowhere");
                match self.machine.actions.get(edge.action.index()) {
                    None => self.demand(false, "an edge of a d_step has an action that does not exist"),
                    Some(Action { kind: ActionKind::Deterministic(_), .. }) => {
                        self.demand(false, "a d_step is inside a d_step");
                    }
                    Some(Action { kind: ActionKind::End, .. }) => self.demand(false, "a process ends in a d_step"),
                    Some(action) => self.simple_action(action),
                }
            }
        }
    }

    fn simple_action(&mut self, action: &'m Action) {
        if let Some((definition, _)) = action.choice {
            self.definition(definition);
        }
        match &action.kind {
            ActionKind::Skip
            | ActionKind::Jump(_)
            | ActionKind::Else
            | ActionKind::End
            | ActionKind::Deterministic(_) => {}
            ActionKind::Condition(value) | ActionKind::Discard(value) | ActionKind::Assert(value) => self.expr(value),
            ActionKind::PrintMtype(value, set) => {
                self.mtype(*set);
                self.expr(value);
            }
            ActionKind::Assign(place, value) => {
                self.target(place);
                self.expr(value);
            }
            ActionKind::Send(send) => {
                self.channel(&send.channel);
                send.values.iter().for_each(|value| self.expr(value));
            }
            ActionKind::Receive(receive) => {
                self.channel(&receive.channel);
                for field in &receive.fields {
                    match field {
                        Field::Bind(place) => self.target(place),
                        Field::Ignore => {}
                        Field::Match(value) => self.expr(value),
                    }
                }
            }
            ActionKind::Print(_, arguments) => arguments.iter().for_each(|argument| self.expr(argument)),
            ActionKind::SetPriority(pid, priority) => {
                self.feature(self.machine.features.priorities, "priorities");
                [pid, priority].into_iter().for_each(|value| self.expr(value));
            }
            ActionKind::Code(code) => {
                self.feature(self.machine.features.embedded_c, "embedded_c");
                self.demand(
                    code.index() < self.machine.code.pieces.len(),
                    "embedded C that does not exist is executed",
                );
            }
            ActionKind::Event(event) => {
                self.channel(&event.channel);
                event.pattern.iter().flatten().for_each(|value| self.expr(value));
            }
        }
    }

    /// Checks an expression with everything inside it.
    fn expr(&mut self, value: &Expr) {
        match value {
            Expr::Constant(_) | Expr::Timeout => {}
            Expr::Predefined(which) => self.predefined(*which),
            Expr::Load(place) | Expr::Remote(place) => self.place(place),
            Expr::Unary(_, operand) => self.expr(operand),
            Expr::Binary(_, left, right, _) => [left, right].into_iter().for_each(|side| self.expr(side)),
            Expr::Conditional(condition, yes, no) => {
                [condition, yes, no].into_iter().for_each(|part| self.expr(part));
            }
            Expr::Probe(_, channel) => self.channel(channel),
            Expr::Poll(poll) => {
                self.channel(&poll.channel);
                poll.pattern.iter().flatten().for_each(|value| self.expr(value));
            }
            Expr::Run(run) => self.run(run),
            Expr::At(at) => {
                self.definition(at.definition);
                let automaton = self.machine.definitions.get(at.definition.index()).map(|each| &each.automaton);
                let exists = automaton.is_none_or(|automaton| at.location.index() < automaton.locations.len());
                self.demand(exists, "a question is about no location");
                at.pid.iter().for_each(|pid| self.expr(pid));
            }
            Expr::Enabled(pid) => {
                self.feature(self.machine.features.enabled, "enabled");
                self.expr(pid);
            }
            Expr::LocationOf(pid) => {
                self.feature(self.machine.features.pc_value, "pc_value");
                self.expr(pid);
            }
            Expr::PriorityOf(pid) => {
                self.feature(self.machine.features.priorities, "priorities");
                self.expr(pid);
            }
            Expr::Code(code) => {
                self.feature(self.machine.features.embedded_c, "embedded_c");
                self.demand(
                    code.index() < self.machine.code.pieces.len(),
                    "embedded C that does not exist is evaluated",
                );
            }
            Expr::AnyReference(definition, _) => self.definition(*definition),
        }
    }

    fn predefined(&mut self, which: Predefined) {
        match which {
            Predefined::Last => self.feature(self.machine.features.last, "last"),
            // A claim may ask for it: that is refused where the claim is made, with a message.
            Predefined::Priority => self.feature(self.machine.features.priorities, "priorities"),
            Predefined::LocalNumber => self.demand(self.own.is_some(), "what is no process has no number"),
            Predefined::Pid | Predefined::ProcessCount | Predefined::ChannelCount | Predefined::NonProgress => {}
        }
    }

    fn run(&mut self, run: &Run) {
        self.definition(run.definition);
        if let Some(definition) = self.machine.definitions.get(run.definition.index()) {
            let count = definition.parameters.len();
            self.demand(run.arguments.len() == count, "`run` has not one argument for each parameter");
        }
        run.arguments.iter().chain(&run.priority).for_each(|value| self.expr(value));
    }

    fn definition(&mut self, definition: DefinitionId) {
        self.demand(definition.index() < self.machine.definitions.len(), "a definition does not exist");
    }

    fn mtype(&mut self, set: MtypeSetId) {
        self.demand(set.index() < self.machine.mtypes.len(), "an mtype set does not exist");
    }

    /// Checks a place that is stored into.
    fn target(&mut self, place: &Place) {
        self.place(place);
        let watched = self.machine.trace.as_ref().is_some_and(|trace| trace.cells == place.cells);
        self.demand(!watched || place.owner != Owner::Global, "the state of the trace automaton is changed by others");
    }

    fn place(&mut self, place: &Place) {
        let layout = &self.machine.layout;
        let area = match &place.owner {
            Owner::Global => Some(&layout.globals),
            Owner::Own => self.own,
            Owner::Remote(definition, pid) => {
                self.definition(*definition);
                pid.iter().for_each(|pid| self.expr(pid));
                layout.frames.get(definition.index())
            }
        };
        let Some(cells) = area.and_then(|area| area.cells.get(place.cells.index())) else {
            return self.demand(false, "a place names cells that its owner does not have");
        };
        match &place.index {
            Index::Constant(element) => self.demand(*element < cells.count, "a constant index is out of bounds"),
            Index::Computed(indices) => {
                let length = indices.iter().try_fold(1_u32, |product, (_, length)| product.checked_mul(*length));
                let fits = length.is_some_and(|length| length == cells.count && length > 0);
                self.demand(fits, "the lengths of an index are not those of the array");
                indices.iter().for_each(|(index, _)| self.expr(index));
            }
        }
    }

    fn channel(&mut self, channel: &ChannelRef) {
        match channel {
            ChannelRef::Global(index) => {
                let count = self.machine.layout.globals.channels.len();
                self.demand((*index as usize) < count, "a global channel does not exist");
            }
            ChannelRef::Own(index) => {
                let count = self.own.map_or(0, |area| area.channels.len());
                self.demand((*index as usize) < count, "the process has no such channel");
            }
            ChannelRef::Variable(place) => self.place(place),
        }
    }
}

#[cfg(test)]
mod tests {
    use promela::model::Type;

    use super::*;
    use crate::id::CellsId;
    use crate::layout::PathPart;
    use crate::scalar::Scalar;

    /// The number of no cells.
    const NOWHERE: CellsId = CellsId(u32::MAX);

    const MODEL: &str = "chan q = [2] of { byte }; byte a[3] = { 1, 2, 3 }; ltl p { <> (a[0] == 1) } trace { q!_ }
        proctype C(byte n; chan c) { xs c; chan own = [0] of { bit }; c!n; do :: own!1 :: a[n] = 2; break od }
        init { byte i; run C(i, q); d_step { i = 1; a[2] = i }; q?i; assert(i == 1) }";

    fn machine() -> Machine {
        let model = promela::load_text("m.pml", MODEL, &promela::Options::default()).model.expect("it is correct");
        crate::lower(&model)
    }

    fn edge_with(machine: &mut Machine, test: impl Fn(&ActionKind) -> bool) -> &mut ActionKind {
        let action = machine.actions.iter_mut().find(|action| test(&action.kind)).expect("it has such an action");
        &mut action.kind
    }

    #[test]
    fn what_is_lowered_is_sound() {
        assert_eq!(check(&machine()), []);
    }

    #[test]
    fn every_kind_of_damage_is_found() {
        type Damage = (&'static str, fn(&mut Machine));
        let damages: [Damage; 32] = [
            ("a part lies outside", |machine| machine.layout.globals.size = 4),
            ("two of its parts overlap", |machine| machine.layout.globals.cells[1].offset = 0),
            ("no multiple of the alignment", |machine| machine.layout.frames[0].size += 1),
            ("not one frame for each", |machine| drop(machine.layout.frames.pop())),
            ("product of the lengths", |machine| machine.layout.globals.cells[1].count = 2),
            ("a shape that does not exist", |machine| machine.layout.shapes.clear()),
            ("belongs to no variable", |machine| machine.layout.globals.channels[0].cells = NOWHERE),
            ("one initial value for each", |machine| {
                machine.global_initial.iter_mut().for_each(|each| each.values = InitialValues::Each(vec![1]));
            }),
            ("an initial value is for cells", |machine| machine.global_initial[0].cells = NOWHERE),
            ("it starts at no location", |machine| machine.definitions[0].automaton.start = Location(0)),
            ("an edge leads to no location", |machine| {
                let locations = &mut machine.definitions[1].automaton.locations;
                let edge = locations.iter_mut().find_map(|location| location.edges.first_mut()).expect("it has one");
                edge.target = Location(1000);
            }),
            ("an action that does not exist", |machine| machine.actions.truncate(1)),
            ("a d_step is inside", |machine| {
                let inner = machine.actions.iter().position(|each| matches!(each.kind, ActionKind::Deterministic(_)));
                let inner = ActionId(inner.expect("it has a d_step") as u32);
                let body = edge_with(machine, |kind| matches!(kind, ActionKind::Deterministic(_)));
                if let ActionKind::Deterministic(body) = body {
                    body.nodes[0].edges[0].action = inner;
                }
            }),
            ("cells that its owner does not have", |machine| {
                let assignment = edge_with(machine, |kind| matches!(kind, ActionKind::Assign(..)));
                if let ActionKind::Assign(place, _) = assignment {
                    place.cells = NOWHERE;
                }
            }),
            ("one argument for each parameter", |machine| {
                let run = edge_with(machine, |kind| matches!(kind, ActionKind::Condition(Expr::Run(_))));
                if let ActionKind::Condition(Expr::Run(run)) = run {
                    run.arguments.pop();
                }
            }),
            ("a definition does not exist", |machine| machine.active.push(DefinitionId(9))),
            ("a definition takes 1 or 2 bytes", |machine| machine.layout.definition_width = 40),
            ("`_last` is kept", |machine| machine.features.last = true),
            ("priorities are kept", |machine| machine.layout.priority_offset = Some(2)),
            ("only globals are hidden", |machine| machine.layout.frames[0].cells[0].hidden = true),
            ("not that of their type", |machine| machine.layout.globals.cells[1].scalar = Scalar::Int),
            ("an mtype set does not exist", |machine| machine.layout.shapes[0].fields[0] = Type::Mtype(MtypeSetId(7))),
            ("holds too many messages", |machine| machine.layout.shapes[0].capacity = u32::MAX),
            ("product of the lengths", |machine| {
                let part = PathPart { name: "x".into(), length: Some(u32::MAX) };
                machine.layout.globals.cells[1].path = vec![part.clone(), part];
            }),
            ("a process ends elsewhere", |machine| {
                *edge_with(machine, |kind| matches!(kind, ActionKind::Send(_))) = ActionKind::End;
            }),
            ("a process ends in a d_step", |machine| {
                *edge_with(machine, |kind| matches!(kind, ActionKind::Assign(place, _) if place.owner == Owner::Own)) =
                    ActionKind::End;
            }),
            ("`enabled`, which is not among the features", |machine| {
                let asks = Expr::Enabled(Box::new(Expr::Constant(0)));
                *edge_with(machine, |kind| matches!(kind, ActionKind::Assert(_))) = ActionKind::Condition(asks);
            }),
            ("the channel of an exclusive end is computed", |machine| {
                if let ChannelRef::Variable(place) = &mut machine.definitions[0].exclusive[0].channel {
                    place.index = Index::Computed(vec![(Expr::Constant(0), 1)]);
                }
            }),
            ("the lengths of an index", |machine| {
                let assignment = edge_with(machine, |kind| matches!(kind, ActionKind::Assign(..)));
                if let ActionKind::Assign(place, _) = assignment {
                    place.index = Index::Computed(vec![(Expr::Constant(0), u32::MAX), (Expr::Constant(0), u32::MAX)]);
                }
            }),
            ("does not begin at its start", |machine| drop(machine.global_initial.pop())),
            ("changed by others", |machine| {
                let watched = machine.trace.as_ref().expect("it has a trace").cells;
                let assignment = edge_with(machine, |kind| matches!(kind, ActionKind::Assign(..)));
                if let ActionKind::Assign(place, _) = assignment {
                    (place.owner, place.cells) = (Owner::Global, watched);
                }
            }),
            ("an atom that does not exist", |machine| machine.ltl[0].atoms.clear()),
        ];
        for (message, damage) in damages {
            let mut machine = machine();
            damage(&mut machine);
            let faults = check(&machine);
            assert!(faults.iter().any(|fault| fault.message.contains(message)), "{message}: {faults:?}");
        }
    }
}
