//! How far the processes are from all having to wait: the formula-based estimate of deadlocks.
//!
//! A process is *dangerous* where it may have to wait. If some labels of its proctype begin with `danger`, only these locations are.

use std::sync::Arc;

use super::condition::{Asked, Conditions, Distance};
use super::failure::can_wait;
use super::flow::Flow;
use super::steppers::Steppers;
use super::{Estimate, FAR, plus};
use crate::action::{ActionKind, Field};
use crate::expression::{ChannelProbe, Expr, Poll};
use crate::id::{ActionId, DefinitionId, Location};
use crate::interpret::Interpreter;
use crate::machine::Machine;
use crate::state::{State, View};

/// For every process the distance to the nearest dangerous location, and how far it is from having to wait there; all added up.
#[derive(Clone, Debug)]
pub struct Blocked {
    machine: Arc<Machine>,
    stations: Vec<Vec<Station>>,
}

/// A dangerous location.
#[derive(Clone, Debug)]
struct Station {
    distances: Vec<u32>,
    /// How far it is until no way out is possible.
    waits: Distance,
}

impl Blocked {
    /// The prefix of labels that mark dangerous locations.
    const LABEL: &'static str = "danger";

    /// The dangerous locations of a machine.
    #[must_use]
    pub fn of(machine: &Arc<Machine>) -> Blocked {
        let definitions = (0..machine.definitions.len() as u32).map(DefinitionId);
        let (flow, steppers) = (Flow::of(machine), Steppers::of(machine));
        let stations = definitions.map(|definition| {
            let conditions =
                Conditions { machine, flow: &flow, steppers: &steppers, asker: Some(definition), bounds: false };
            let station = |location: Location| {
                let distances = flow.to(definition, |each| each == location);
                Station { distances, waits: waits(&conditions, definition, location) }
            };
            dangerous(machine, definition).into_iter().map(station).collect()
        });
        let stations = stations.collect();
        Blocked { machine: machine.clone(), stations }
    }
}

fn dangerous(machine: &Machine, definition: DefinitionId) -> Vec<Location> {
    let automaton = &machine.definition(definition).automaton;
    let is_danger = |(name, _): &&(Arc<str>, Location)| name.starts_with(Blocked::LABEL);
    let marked: Vec<Location> = automaton.labels.iter().filter(is_danger).map(|(_, location)| *location).collect();
    let locations = (0..automaton.locations.len() as u32).map(Location);
    let may_wait = |&location: &Location| {
        !automaton.location(location).edges.is_empty() && can_wait(machine, definition, location)
    };
    let may_rest = |location: Location| location == automaton.end || automaton.location(location).end;
    match marked.is_empty() {
        true => locations.filter(may_wait).collect(),
        // Where it may rest for ever it is out of the way.
        false => {
            locations.filter(may_wait).filter(|&location| marked.contains(&location) || may_rest(location)).collect()
        }
    }
}

/// How far it is until no way out of a location is possible.
fn waits(conditions: &Conditions<'_>, definition: DefinitionId, location: Location) -> Distance {
    let automaton = &conditions.machine.definition(definition).automaton;
    let edges = &automaton.location(location).edges;
    Distance::Sum(edges.iter().map(|edge| impossible(conditions, edge.action)).collect())
}

/// How far it is until an action is not possible.
fn impossible(conditions: &Conditions<'_>, action: ActionId) -> Distance {
    let until = |probe, channel: &crate::expression::ChannelRef| {
        conditions.towards(&Expr::Probe(probe, channel.clone()), false)
    };
    match &conditions.machine.action(action).kind {
        ActionKind::Condition(condition) => conditions.towards(condition, false),
        // Whether a partner waits is not looked at.
        ActionKind::Send(send) if conditions.capacity(&send.channel) == Some(0) => Distance::Known(0),
        ActionKind::Receive(receive) if conditions.capacity(&receive.channel) == Some(0) => Distance::Known(0),
        ActionKind::Send(send) => until(ChannelProbe::NotFull, &send.channel),
        ActionKind::Receive(receive) => {
            let field = |field: &Field| match field {
                Field::Match(value) => Some(value.clone()),
                Field::Bind(_) | Field::Ignore => None,
            };
            let pattern: Vec<Option<Expr>> = receive.fields.iter().map(field).collect();
            match pattern.iter().any(Option::is_some) {
                true => {
                    let (channel, span) = (receive.channel.clone(), conditions.machine.action(action).span);
                    let poll = Poll { channel, random: receive.random, pattern, span };
                    Distance::Truth(Expr::Poll(Box::new(poll)), false)
                }
                false => until(ChannelProbe::NotEmpty, &receive.channel),
            }
        }
        _ => Distance::Known(0),
    }
}

impl Estimate for Blocked {
    fn estimate(&mut self, bytes: &[u8]) -> u32 {
        let view = View::new(&self.machine.layout, bytes);
        let state = State::from_bytes(bytes);
        let mut sum = 0;
        for frame in view.frames() {
            let location = view.location(frame).index();
            let asked = Asked { interpreter: Interpreter::new(&self.machine), state: &state, pid: frame.pid };
            let distance = |station: &Station| match station.distances[location] {
                FAR => FAR,
                distance => plus(distance, station.waits.of(&asked)),
            };
            let nearest = self.stations[frame.definition.index()].iter().map(distance).min();
            sum = plus(sum, nearest.unwrap_or(FAR));
        }
        sum
    }
}
