//! Statements of one process, told after a renaming: see [`crate::terms`].

use machine::action::{Action, ActionKind, DStep, Field, Receive, Send};
use machine::expression::Expr;

use crate::Accepted;
use crate::kinds::NUMBER;
use crate::terms::{Speaker, Term, refuse};

impl Speaker<'_> {
    /// Tells an action.
    pub fn action(&self, action: &Action) -> Accepted<String> {
        if action.choice.is_some() {
            return refuse("a choice among processes");
        }
        Ok(match &action.kind {
            ActionKind::Skip | ActionKind::Jump(_) => "skip".into(),
            ActionKind::Condition(condition) => format!("condition {}", self.condition(condition)?),
            ActionKind::Else => "else".into(),
            ActionKind::Assign(place, value) => {
                let (text, kinds, scalar) = self.place(place)?;
                format!("{text} = {}", self.tell(value, kinds.content, Some(scalar))?)
            }
            ActionKind::Discard(value) => format!("discard{}", self.errors(std::slice::from_ref(value))?),
            // What is printed is no part of a state.
            ActionKind::Print(_, values) => format!("print{}", self.errors(values)?),
            ActionKind::PrintMtype(value, _) => format!("print{}", self.errors(std::slice::from_ref(value))?),
            ActionKind::Send(send) => self.send(send)?,
            ActionKind::Receive(receive) => self.receive(receive)?,
            ActionKind::Assert(condition) => format!("assert {}", self.condition(condition)?),
            ActionKind::Deterministic(body) => self.deterministic(body)?,
            ActionKind::End => "end".into(),
            ActionKind::SetPriority(..) => return refuse("a change of priority"),
            ActionKind::Code(_) => return refuse("embedded C"),
            ActionKind::Event(_) => return refuse("a trace automaton"),
        })
    }

    /// Values that matter only if something goes wrong in them.
    fn errors(&self, values: &[Expr]) -> Accepted<String> {
        let risky = values.iter().filter(|value| !self.is_safe(value));
        let told = risky.map(|value| match self.term(value)? {
            Term::Told { text, .. } => Ok(text),
            term => self.say(term, NUMBER, None),
        });
        Ok(format!("{:?}", told.collect::<Accepted<Vec<String>>>()?))
    }

    fn send(&self, send: &Send) -> Accepted<String> {
        let mut text = format!("{} ! {}", self.channel(&send.channel)?, send.sorted);
        for (number, value) in send.values.iter().enumerate() {
            let (kind, scalar) = self.field(&send.channel, number)?;
            if send.sorted && kind != NUMBER {
                return refuse("a sorted send of names");
            }
            text.push_str(&format!(", {}", self.tell(value, kind, Some(scalar).filter(|_| kind != NUMBER))?));
        }
        Ok(text)
    }

    fn receive(&self, receive: &Receive) -> Accepted<String> {
        let mut text = format!("{} ? {} {}", self.channel(&receive.channel)?, receive.random, receive.copy);
        for (number, field) in receive.fields.iter().enumerate() {
            let told = match field {
                Field::Ignore => "_".into(),
                Field::Match(value) => self.matched(&receive.channel, number, value)?,
                Field::Bind(place) => {
                    let (kind, from) = self.field(&receive.channel, number)?;
                    let (text, kinds, into) = self.place(place)?;
                    let (from, into) = (from.range(), into.range());
                    let fits = into.0 <= from.0 && from.1 <= into.1;
                    if kinds.content != kind || kind != NUMBER && !fits {
                        return refuse("a message into a variable of another kind");
                    }
                    format!("into {text}")
                }
            };
            text.push_str(&format!(", {told}"));
        }
        Ok(text)
    }

    /// The first alternative that is possible is taken, so they are told in their order.
    fn deterministic(&self, body: &DStep) -> Accepted<String> {
        let mut text = String::from("d_step");
        for node in &body.nodes {
            for edge in &node.edges {
                let action = self.action(self.region.machine.action(edge.action))?;
                text.push_str(&format!(" [{action} -> {:?}]", edge.target));
            }
            text.push(';');
        }
        Ok(text)
    }
}
