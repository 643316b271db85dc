//! States as an observer of a machine counts them, as bytes: the machine's own states, and a few that lie between them.
//!
//! The vector of a machine's state is a multiple of four bytes long. The other states have one byte more, the last, which says what they are:
//!
//! ```text
//! vector                                     a state of the machine
//! 0                                          nothing comes any more: after `√` and `error`
//! 1                                          internal steps for ever, inside of an `atomic` that never ends
//! vector | pid (4)                     | 2   in the middle of an `atomic`: this process has control and can move
//! vector | events (4 each) | count (4) | pid (4) | 3   events of the last step that are still to come, then one of the states above
//! ```

use crate::id::Pid;
use crate::layout::FRAME_ALIGNMENT;
use crate::state::State;

use super::EventId;

const STOPPED: u8 = 0;
const ENDLESS: u8 = 1;
const CONTROLLED: u8 = 2;
const PENDING: u8 = 3;

/// No process has control.
const NOBODY: u32 = u32::MAX;

/// What bytes stand for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Encoded {
    Stopped,
    Endless,
    State(State, Option<Pid>),
    /// The events that are still to come, the next one last.
    Pending(State, Option<Pid>, Vec<EventId>),
}

impl Encoded {
    /// Whether bytes are a vector of the machine.
    #[inline]
    pub(super) fn is_vector(bytes: &[u8]) -> bool {
        bytes.len().is_multiple_of(FRAME_ALIGNMENT as usize)
    }

    pub(super) fn read(bytes: &[u8]) -> Encoded {
        let Some((&tag, rest)) = bytes.split_last().filter(|_| !Encoded::is_vector(bytes)) else {
            return Encoded::State(State::from_bytes(bytes), None);
        };
        match tag {
            STOPPED => Encoded::Stopped,
            ENDLESS => Encoded::Endless,
            CONTROLLED => {
                let (vector, control) = split_number(rest);
                Encoded::State(State::from_bytes(vector), pid(control))
            }
            _ => {
                let (rest, control) = split_number(rest);
                let (mut rest, count) = split_number(rest);
                let mut events = Vec::new();
                for _ in 0..count {
                    let event;
                    (rest, event) = split_number(rest);
                    events.push(EventId(event));
                }
                events.reverse();
                Encoded::Pending(State::from_bytes(rest), pid(control), events)
            }
        }
    }

    pub(super) fn write(&self) -> Vec<u8> {
        let control = |control: &Option<Pid>| control.map_or(NOBODY, |pid| u32::from(pid.0));
        match self {
            Encoded::Stopped => vec![STOPPED],
            Encoded::Endless => vec![ENDLESS],
            Encoded::State(state, None) => state.bytes().to_vec(),
            Encoded::State(state, Some(pid)) => pack(state, &[u32::from(pid.0)], CONTROLLED),
            Encoded::Pending(state, who, events) => {
                let mut numbers: Vec<u32> = events.iter().map(|event| event.0).collect();
                numbers.extend([events.len() as u32, control(who)]);
                pack(state, &numbers, PENDING)
            }
        }
    }
}

fn pid(number: u32) -> Option<Pid> {
    u8::try_from(number).ok().map(Pid)
}

fn pack(state: &State, numbers: &[u32], tag: u8) -> Vec<u8> {
    let mut bytes = state.bytes().to_vec();
    numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    bytes.push(tag);
    bytes
}

fn split_number(bytes: &[u8]) -> (&[u8], u32) {
    let (rest, number) = bytes.split_last_chunk::<4>().expect("numbers stand before the tag");
    (rest, u32::from_le_bytes(*number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let state = State::from_bytes(&[1, 2, 3, 4]);
        let events = vec![EventId(7), EventId(9)];
        for encoded in [
            Encoded::Stopped,
            Encoded::Endless,
            Encoded::State(state.clone(), None),
            Encoded::State(state.clone(), Some(Pid(3))),
            Encoded::Pending(state.clone(), None, events.clone()),
            Encoded::Pending(state, Some(Pid(254)), events),
        ] {
            assert_eq!(Encoded::read(&encoded.write()), encoded);
        }
    }
}
