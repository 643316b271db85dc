//! Process definitions, claims and traces with their locations, and the actions of their edges.

use std::sync::Arc;

use promela::model::{MtypeSetId, PortDirection, Role};
use promela::source::Span;

use super::layout::AreaDraft;
use super::{Problem, Reader, Reading};
use crate::action::{Action, ActionKind, DStep, DStepEdge, DStepNode, Event, Field, Jump, Receive, Send};
use crate::automaton::{Automaton, Edge, LocationInfo};
use crate::exclusive::ExclusiveEnd;
use crate::expression::{ChannelRef, Expr};
use crate::id::{ActionId, CellsId, CodeId, Location};
use crate::machine::{Definition, TraceAutomaton};

impl Reader<'_> {
    /// A process definition, behind the word for what it is.
    pub fn process(&mut self, word: &str, number: usize, start: usize) -> Reading<(Definition, AreaDraft)> {
        self.next_id("d", number)?;
        let role = if word == "init" { Role::Init } else { Role::Proctype };
        let mut automaton = self.header(role, start)?;
        self.part(format!("frame {number}"), start);
        self.part(format!("{}: declarations", automaton.name), start);
        let priority = if self.accepts_word("priority") { self.integer()? } else { 1 };
        let mut frame = self.area()?;
        let (mut parameters, mut initial, mut exclusive) = (Vec::new(), Vec::new(), Vec::new());
        self.block(|reader| {
            if reader.accepts_word("parameter") {
                parameters.push(CellsId(reader.id("l")?));
            } else if reader.is_word("initial") {
                initial.push(reader.initial("l")?);
            } else if reader.is_word("exclusive") {
                exclusive.push(reader.exclusive()?);
            } else if !reader.declaration(&mut frame, "l")? {
                reader.automaton_line(&mut automaton)?;
            }
            Ok(())
        })?;
        Ok((Definition { automaton, parameters, initial, priority, exclusive }, frame))
    }

    pub fn never(&mut self, start: usize) -> Reading<Automaton> {
        let mut automaton = self.header(Role::Never, start)?;
        self.block(|reader| reader.automaton_line(&mut automaton))?;
        Ok(automaton)
    }

    pub fn trace(&mut self, word: &str, start: usize) -> Reading<TraceAutomaton> {
        let mut automaton = self.header(Role::Trace, start)?;
        self.word("in")?;
        let cells = CellsId(self.id("g")?);
        self.block(|reader| reader.automaton_line(&mut automaton))?;
        Ok(TraceAutomaton { negated: word == "notrace", automaton, cells })
    }

    /// An automaton without locations, after its name was read.
    fn header(&mut self, role: Role, start: usize) -> Reading<Automaton> {
        let name = self.name()?;
        self.part(&*name, start);
        let nowhere = Location(0);
        Ok(Automaton {
            name,
            role,
            deterministic: false,
            locations: vec![LocationInfo::default()],
            start: nowhere,
            end: nowhere,
            provided: None,
            labels: Vec::new(),
            span: self.since(start),
        })
    }

    fn exclusive(&mut self) -> Reading<ExclusiveEnd> {
        let start = self.here();
        self.word("exclusive")?;
        let direction = self.direction()?;
        Ok(ExclusiveEnd { direction, channel: self.channel()?, span: self.since(start) })
    }

    fn direction(&mut self) -> Reading<PortDirection> {
        if self.accepts("!") {
            return Ok(PortDirection::Send);
        }
        self.sign("?").map(|()| PortDirection::Receive)
    }

    /// A line of any automaton.
    fn automaton_line(&mut self, automaton: &mut Automaton) -> Reading<()> {
        if self.peek_id("a").is_some() {
            return self.edge(automaton);
        }
        let start = self.here();
        match &*self.any_word("a line of an automaton")? {
            "deterministic" => automaton.deterministic = true,
            "provided" => automaton.provided = Some(self.expr()?),
            "start" => automaton.start = self.location()?,
            "end" => automaton.end = self.location()?,
            "label" => {
                let name = self.name()?;
                self.word("at")?;
                automaton.labels.push((name, self.location()?));
            }
            "location" => self.location_line(automaton, start)?,
            other => return Err(Problem::new(start, format!("`{other}` begins no line of an automaton"))),
        }
        Ok(())
    }

    fn location(&mut self) -> Reading<Location> {
        self.number().map(Location)
    }

    fn location_line(&mut self, automaton: &mut Automaton, start: usize) -> Reading<()> {
        // Location 0 is there from the beginning; it is written only if it is not empty.
        let at = self.here();
        let number = self.number()? as usize;
        let is_first = number == 0 && automaton.locations.len() == 1 && automaton.locations[0].span.is_none();
        if is_first {
            automaton.locations.clear();
        }
        if number != automaton.locations.len() {
            return Err(Problem::new(at, format!("location {} comes next", automaton.locations.len())));
        }
        self.part(format!("{} at {number}", automaton.name), start);
        let mut location = LocationInfo::default();
        while !self.is_line() && !self.is_quoted() {
            let start = self.here();
            match &*self.any_word("a mark of a location")? {
                "end" => location.end = true,
                "accept" => location.accept = true,
                "progress" => location.progress = true,
                other => return Err(Problem::new(start, format!("`{other}` is no mark of a location"))),
            }
        }
        if self.is_quoted() {
            location.text = self.quoted()?;
        }
        location.span = Some(self.since(start));
        automaton.locations.push(location);
        Ok(())
    }

    /// An edge out of the last location.
    fn edge(&mut self, automaton: &mut Automaton) -> Reading<()> {
        let start = self.here();
        let action = ActionId(self.id("a")?);
        self.sign("->")?;
        let target = self.location()?;
        let atomic = self.accepts_word("atomic");
        let escape = if self.accepts_word("escape") { Some(self.location()?) } else { None };
        match automaton.locations.last_mut() {
            Some(location) if location.span.is_some() => {
                location.edges.push(Edge { action, target, atomic, escape });
                Ok(())
            }
            _ => Err(Problem::new(start, "an edge stands behind its location")),
        }
    }

    /// An action, behind the word `action`. Without a text of its own it is shown as it is written.
    pub fn action(&mut self, number: usize, start: usize) -> Reading<Action> {
        self.next_id("a", number)?;
        let mut choice = None;
        if self.accepts_word("choice") {
            choice = Some((self.definition()?, self.number()?));
        }
        let written = self.here();
        let word = self.any_word("a kind of action")?;
        let mut kind = self.action_kind(&word, written)?;
        let shown = self.text_since(written);
        let text: Arc<str> = if self.is_quoted() { self.quoted()? } else { shown };
        let span: Span = self.since(start);
        if let ActionKind::Deterministic(body) = &mut kind {
            self.d_step(body)?;
        }
        Ok(Action { kind, text, span, choice })
    }

    fn action_kind(&mut self, word: &str, start: usize) -> Reading<ActionKind> {
        Ok(match word {
            "skip" => ActionKind::Skip,
            "goto" => ActionKind::Jump(Jump::Goto),
            "break" => ActionKind::Jump(Jump::Break),
            "join" => ActionKind::Jump(Jump::Join),
            "else" => ActionKind::Else,
            "end" => ActionKind::End,
            "d_step" => ActionKind::Deterministic(DStep { nodes: Vec::new() }),
            "when" => ActionKind::Condition(self.expr()?),
            "discard" => ActionKind::Discard(self.expr()?),
            "assert" => ActionKind::Assert(self.expr()?),
            "code" => ActionKind::Code(CodeId(self.id("k")?)),
            "assign" => {
                let place = self.place()?;
                self.sign(":=")?;
                ActionKind::Assign(place, self.expr()?)
            }
            "send" => {
                let channel = self.channel()?;
                let sorted = self.accepts("!!");
                if !sorted {
                    self.sign("!")?;
                }
                ActionKind::Send(Send { channel, sorted, values: self.optional_list(Self::expr)? })
            }
            "receive" => ActionKind::Receive(self.receive()?),
            "print" => {
                let format = self.quoted()?;
                ActionKind::Print(format, self.optional_list(Self::expr)?)
            }
            "printm" => {
                self.word("mtype")?;
                let set = MtypeSetId(self.numbered_type()?);
                ActionKind::PrintMtype(self.expr()?, set)
            }
            "set_priority" => {
                let pid = self.expr()?;
                self.sign(",")?;
                ActionKind::SetPriority(pid, self.expr()?)
            }
            "event" => {
                let channel = self.channel()?;
                let direction = self.direction()?;
                ActionKind::Event(Event { direction, channel, pattern: self.optional_list(Self::option)? })
            }
            other => return Err(Problem::new(start, format!("`{other}` is no kind of action"))),
        })
    }

    /// A list that ends the statement, and may be empty.
    fn optional_list<T>(&mut self, part: impl FnMut(&mut Self) -> Reading<T>) -> Reading<Vec<T>> {
        if self.is_line() || self.is_quoted() { Ok(Vec::new()) } else { self.list(part) }
    }

    fn receive(&mut self) -> Reading<Receive> {
        let channel: ChannelRef = self.channel()?;
        let random = self.accepts("??");
        if !random {
            self.sign("?")?;
        }
        let copy = self.accepts("<");
        let fields = if self.is_sign(">") { Vec::new() } else { self.optional_list(Self::field)? };
        if copy {
            self.sign(">")?;
        }
        Ok(Receive { channel, random, copy, fields })
    }

    fn field(&mut self) -> Reading<Field> {
        if self.accepts_word("_") {
            return Ok(Field::Ignore);
        }
        if self.accepts_word("eval") {
            self.sign("(")?;
            let value: Expr = self.expr()?;
            self.sign(")")?;
            return Ok(Field::Match(value));
        }
        self.place().map(Field::Bind)
    }

    fn d_step(&mut self, body: &mut DStep) -> Reading<()> {
        self.block(|reader| {
            if reader.accepts_word("node") {
                body.nodes.push(DStepNode { edges: Vec::new(), location: reader.location()? });
                return Ok(());
            }
            let start = reader.here();
            let action = ActionId(reader.id("a")?);
            reader.sign("->")?;
            let target = if reader.accepts_word("out") { None } else { Some(reader.number()?) };
            match body.nodes.last_mut() {
                Some(node) => node.edges.push(DStepEdge { action, target }),
                None => return Err(Problem::new(start, "an edge stands behind its node")),
            }
            Ok(())
        })
    }
}
