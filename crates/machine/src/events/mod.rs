//! What an observer outside sees of a machine: the messages of some channels and the changes of some global variables. Everything else is internal.
//!
//! ```text
//! extern in the text ─┐
//!                     ├─▶ Observables ─▶ Observer: the steps of a state, each an event or internal
//! patterns (--observe)┘
//! ```
//! The idea and the syntax of `extern` are those of SPINE (Erdogmus, *Verifying Semantic Relations in SPIN*, 1995), extended to arrays of channels and
//! to variables, which were left open there. A rendezvous is one event. Reading a message that stays in its channel is none.

mod encode;
mod observer;
mod pattern;
mod ways;

pub use self::observer::{EventId, Observer, Way};
pub use self::pattern::{BadPattern, Pattern};

use std::sync::Arc;

use promela::model::{PortDirection, Type};

use crate::dead::DeadVariables;
use crate::id::{CellsId, ChannelNumber};
use crate::machine::Machine;

/// What can be observed, and under which names.
#[derive(Clone, Debug)]
pub struct Observables {
    /// For each global channel.
    channels: Vec<Option<ObservedChannel>>,
    variables: Vec<ObservedVariable>,
    ends: Ends,
}

/// Whether coming to a valid end is an event.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Ends {
    /// It is: `√`.
    #[default]
    Visible,
    /// It is not: a valid end state looks like a deadlock.
    Hidden,
}

/// Whether events carry values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Values {
    Shown,
    Hidden,
}

#[derive(Clone, Debug)]
struct ObservedChannel {
    /// The name outside, with its index if it is an element of an array.
    name: Arc<str>,
    direction: Option<PortDirection>,
    values: Values,
}

#[derive(Clone, Debug)]
struct ObservedVariable {
    name: Arc<str>,
    cells: CellsId,
    element: u32,
    values: Values,
}

impl Observables {
    /// What a machine's text declares to be observed.
    #[must_use]
    pub fn declared(machine: &Machine, ends: Ends) -> Observables {
        let globals = &machine.layout.globals;
        let mut all = Observables { channels: vec![None; globals.channels.len()], variables: Vec::new(), ends };
        for (number, cells) in globals.cells.iter().enumerate() {
            if let Some(external) = &cells.external {
                let cells = CellsId(number as u32);
                all.add(machine, cells, None, &external.name, external.direction);
            }
        }
        all
    }

    /// Whether nothing is observed but ends and errors.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.variables.is_empty() && self.channels.iter().all(Option::is_none)
    }

    /// The names outside, those of channels first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let channels = self.channels.iter().flatten().map(|channel| &*channel.name);
        channels.chain(self.variables.iter().map(|variable| &*variable.name))
    }

    /// A rendezvous that is said to be observed where its message is received only: it is sent and received at once.
    #[must_use]
    pub fn received_rendezvous(&self, machine: &Machine) -> Option<&str> {
        let globals = &machine.layout.globals;
        let mut channels = self.channels.iter().zip(&globals.channels).filter_map(|(observed, channel)| {
            let observed = observed.as_ref()?;
            let is_rendezvous = machine.layout.shape(channel.shape).is_rendezvous();
            (is_rendezvous && observed.direction == Some(PortDirection::Receive)).then_some(&*observed.name)
        });
        channels.next()
    }

    /// Drops the values of the events of a name. Whether there is such a name.
    pub fn hide_values(&mut self, name: &str) -> bool {
        let is_meant = |full: &str| full == name || full.split(['[', '.']).next() == Some(name);
        let mut found = false;
        for channel in self.channels.iter_mut().flatten().filter(|channel| is_meant(&channel.name)) {
            (channel.values, found) = (Values::Hidden, true);
        }
        for variable in self.variables.iter_mut().filter(|variable| is_meant(&variable.name)) {
            (variable.values, found) = (Values::Hidden, true);
        }
        found
    }

    /// Observes a group of global cells, or one of them: the channels that they were declared with, or their values.
    fn add(
        &mut self,
        machine: &Machine,
        cells: CellsId,
        element: Option<u32>,
        name: &str,
        direction: Option<PortDirection>,
    ) {
        let globals = &machine.layout.globals;
        let info = globals.cells(cells);
        let elements = element.map_or(0..info.count, |element| element..element + 1);
        let values = Values::Shown;
        for each in elements {
            // One element by itself has the name that it was given.
            let name: Arc<str> = match element {
                Some(_) => name.into(),
                None => renamed(&info.element_name(each), name).into(),
            };
            if info.ty == Type::Chan {
                let owned =
                    globals.channels.iter().position(|channel| (channel.cells, channel.element) == (cells, each));
                if let Some(index) = owned {
                    self.channels[index] = Some(ObservedChannel { name, direction, values });
                }
            } else {
                self.variables.retain(|other| (other.cells, other.element) != (cells, each));
                self.variables.push(ObservedVariable { name, cells, element: each, values });
            }
        }
    }

    fn channel(&self, number: ChannelNumber) -> Option<&ObservedChannel> {
        self.channels.get(usize::from(number.0).checked_sub(1)?)?.as_ref()
    }
}

/// Which actions an observer may see something of, as the first ones of transitions.
#[must_use]
pub fn seen_actions(machine: &Machine, observables: &Observables) -> Vec<bool> {
    ways::shows(machine, observables).into_iter().map(|shows| shows != ways::Shows::Nothing).collect()
}

/// The dead variables of a machine but for those whose changes are seen.
#[must_use]
pub fn dead_variables(machine: &Machine, observables: &Observables) -> Option<DeadVariables> {
    let is_seen = |cells| observables.variables.iter().any(|variable| variable.cells == cells);
    DeadVariables::of(machine).map(|dead| dead.without_globals(is_seen)).filter(|dead| !dead.is_empty())
}

/// `a[1].x` with `a` called something else.
fn renamed(element: &str, name: &str) -> String {
    let rest = element.find(['[', '.']).map_or("", |at| &element[at..]);
    format!("{name}{rest}")
}
