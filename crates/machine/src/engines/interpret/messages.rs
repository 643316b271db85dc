//! Sends and receives.

use promela::model::PortDirection;

use super::error::ErrorKind;
use super::execution::{Attempt, Execution, Offer, Verdict};
use crate::action::{Field, Receive, Send};
use crate::expression::{ChannelRef, Place};
use crate::id::ChannelNumber;
use crate::machine::FullChannels;
use crate::state::{Channel, Storage};

impl<'m> Execution<'m, '_> {
    /// The channel that a statement names.
    pub fn channel(&mut self, channel: &'m ChannelRef) -> Attempt<(ChannelNumber, Channel)> {
        let layout = &self.machine.layout;
        let number = match channel {
            ChannelRef::Global(index) => self.state.channel_number(layout, Storage::Global, *index),
            ChannelRef::Own(index) => self.state.channel_number(layout, Storage::Process(self.pid), *index),
            ChannelRef::Variable(place) => return self.channel_in(place),
        };
        let channel =
            self.state.channel(layout, i32::from(number.0)).expect("an owner's channels live as long as it does");
        Ok((number, channel))
    }

    fn channel_in(&mut self, place: &'m Place) -> Attempt<(ChannelNumber, Channel)> {
        let number = self.load(place)?;
        match self.state.channel(&self.machine.layout, number) {
            Some(channel) => Ok((ChannelNumber(number as u8), channel)),
            None if number == 0 => {
                Err(self.error(ErrorKind::BadChannel, place.span, "the channel variable holds no channel"))
            }
            None => Err(self.error(
                ErrorKind::BadChannel,
                place.span,
                format!("channel {number} does not exist (any more)"),
            )),
        }
    }

    /// `q!...`: appends a message; a full channel blocks, or loses the message; a rendezvous offers it.
    pub fn send(&mut self, send: &'m Send) -> Attempt<Verdict> {
        let (number, channel) = self.channel(&send.channel)?;
        let shape = self.machine.layout.shape(channel.shape);
        if send.values.len() < shape.fields.len() {
            return Err(self.error(ErrorKind::MessageArity, self.span, "too few parameters in send statement"));
        }
        let length = self.state.channel_length(&self.machine.layout, channel);
        if !shape.is_rendezvous() && length == shape.capacity && self.machine.full_channels == FullChannels::Block {
            return Ok(Verdict::Blocked);
        }
        let mut message = Vec::new();
        for (field, value) in send.values.iter().enumerate().take(shape.fields.len()) {
            message.push(shape.scalar(field).truncate(self.value(value)?));
        }
        if shape.is_rendezvous() {
            return Ok(Verdict::Offers(Offer { channel: number, message }));
        }
        self.check_end(PortDirection::Send, number);
        if length < shape.capacity {
            let position = if send.sorted { self.sorted_position(channel, &message) } else { length };
            self.state.to_mut().insert_message(&self.machine.layout, channel, position, &message);
            self.event(PortDirection::Send, number, &message)?;
        }
        Ok(Verdict::Done)
    }

    /// Another process may have said with `xr` or `xs` that this end of the channel is its own.
    fn check_end(&mut self, direction: PortDirection, channel: ChannelNumber) {
        if let Some((owner, _)) = self.machine.owner_of_end(&self.state, self.pid, direction, channel) {
            let name = |pid| &*self.machine.definition(self.state.definition(&self.machine.layout, pid)).automaton.name;
            let (word, does) = match direction {
                PortDirection::Receive => ("xr", "receives from"),
                PortDirection::Send => ("xs", "sends to"),
            };
            let message = format!(
                "{word} violated: {}({}) {does} a channel that {}({}) has to itself",
                name(self.pid),
                self.pid.0,
                name(owner),
                owner.0
            );
            self.errors.push(self.error(ErrorKind::ExclusiveEnd, self.span, message));
        }
    }

    /// `q!!...`: before the first message that is greater, comparing field by field.
    fn sorted_position(&self, channel: Channel, message: &[i32]) -> u32 {
        let length = self.state.channel_length(&self.machine.layout, channel);
        (0..length).find(|&position| self.message(channel, position).as_slice() > message).unwrap_or(length)
    }

    fn message(&self, channel: Channel, position: u32) -> Vec<i32> {
        let layout = &self.machine.layout;
        let fields = 0..layout.shape(channel.shape).fields.len();
        fields.map(|field| self.state.message_field(layout, channel, position, field)).collect()
    }

    /// `q?...`: takes the oldest message, or with `??` the oldest that matches.
    pub fn receive(&mut self, receive: &'m Receive) -> Attempt<Verdict> {
        let (number, channel) = self.channel(&receive.channel)?;
        let shape = self.machine.layout.shape(channel.shape);
        if receive.fields.len() < shape.fields.len() {
            return Err(self.error(ErrorKind::MessageArity, self.span, "missing parameters in receive statement"));
        }
        if receive.copy && shape.is_rendezvous() {
            let message = "a rendezvous leaves no message to be copied";
            return Err(self.error(ErrorKind::PollRendezvous, self.span, message));
        }
        if self.offer.is_some_and(|offer| offer.channel != number) || (self.offer.is_none() && shape.is_rendezvous()) {
            return Ok(Verdict::Blocked);
        }
        let mut pattern = Vec::new();
        for field in &receive.fields {
            pattern.push(match field {
                Field::Match(value) => Some(self.value(value)?),
                Field::Bind(_) | Field::Ignore => None,
            });
        }
        if let Some(offer) = self.offer {
            if !matches(&offer.message, &pattern) {
                return Ok(Verdict::Blocked);
            }
            self.event(PortDirection::Send, number, &offer.message)?;
            self.event(PortDirection::Receive, number, &offer.message)?;
            self.bind(receive, &offer.message)?;
            return Ok(Verdict::Done);
        }
        let Some(position) = self.find_message(channel, &pattern, receive.random) else {
            return Ok(Verdict::Blocked);
        };
        self.check_end(PortDirection::Receive, number);
        let message = self.message(channel, position);
        if !receive.copy {
            self.event(PortDirection::Receive, number, &message)?;
            self.state.to_mut().remove_message(&self.machine.layout, channel, position);
        }
        self.bind(receive, &message)?;
        Ok(Verdict::Done)
    }

    /// The position of the message that a receive would take.
    pub fn find_message(&self, channel: Channel, pattern: &[Option<i32>], random: bool) -> Option<u32> {
        let length = self.state.channel_length(&self.machine.layout, channel);
        let candidates = if random { length } else { length.min(1) };
        (0..candidates).find(|&position| matches(&self.message(channel, position), pattern))
    }

    fn bind(&mut self, receive: &'m Receive, message: &[i32]) -> Attempt<()> {
        for (field, &value) in receive.fields.iter().zip(message) {
            if let Field::Bind(place) = field {
                self.store(place, value)?;
            }
        }
        Ok(())
    }
}

fn matches(message: &[i32], pattern: &[Option<i32>]) -> bool {
    message.iter().zip(pattern).all(|(value, wanted)| wanted.is_none_or(|wanted| wanted == *value))
}
