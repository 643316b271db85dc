//! The symmetry of a model as searches use it.

use std::fmt;
use std::sync::Arc;

use group::{Group, Point};
use machine::Machine;
use machine::action::ActionKind;
use machine::claim::Claim;
use machine::dead::DeadVariables;
use machine::expression::Expr;
use machine::id::{DefinitionId, Location};
use machine::merged::Stops;
use machine::state::{Frame, Header};

use crate::detect::{self, Deaths, Declared, Detection};
use crate::represent::{Canonicaliser, Strategy};
use crate::shape::Content;

/// A model's symmetry.
#[derive(Debug)]
pub struct Symmetry {
    /// What was found in the program.
    pub detection: Detection,
    /// How representatives are found.
    pub strategy: Strategy,
    canonicaliser: Canonicaliser,
    /// The machine to be used where symmetry applies, if it is another one: processes stay at their end there.
    pub without_deaths: Option<Arc<Machine>>,
    /// Whether processes that would disappear stay at their end there.
    ended_stay: bool,
    /// Where symmetry applies, if that is not for detection to say.
    region: Option<Region>,
}

/// The states to which the symmetries apply that somebody else has proven.
#[derive(Clone)]
pub struct Region(Arc<Test>);

/// Whether a state is meant.
type Test = dyn Fn(&[u8]) -> bool + Send + Sync;

impl Region {
    /// The states that a test says.
    #[must_use]
    pub fn new(contains: impl Fn(&[u8]) -> bool + Send + Sync + 'static) -> Region {
        Region(Arc::new(contains))
    }
}

impl fmt::Debug for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Region")
    }
}

impl Symmetry {
    /// Detects symmetry, within what is declared, of states in which the given variables are set back; `None` if there is none.
    #[must_use]
    pub fn of(
        machine: &Machine,
        strategy: Strategy,
        declared: Option<&[Declared]>,
        dead: Option<DeadVariables>,
    ) -> Option<Symmetry> {
        let declared = declared.map(<[Declared]>::to_vec);
        let options = detect::Options { declared, dead, ..detect::Options::default() };
        let detection = detect::detect(machine, &options);
        if detection.group.is_trivial() {
            return None;
        }
        let canonicaliser = Canonicaliser::new(&detection.shape, &detection.group, strategy);
        let without_deaths = match detection.deaths {
            Deaths::Ignored => Some(Arc::new(detect::without_deaths(machine))),
            Deaths::Happen => None,
        };
        let ended_stay = without_deaths.is_some() && can_die(machine, &detection);
        Some(Symmetry { detection, strategy, canonicaliser, without_deaths, ended_stay, region: None })
    }

    /// Detects the symmetry that keeps some conditions, by which a claim decides, and, if `fixed` says so, every process, of states in which
    /// the given variables are set back.
    #[must_use]
    pub fn of_claim(
        machine: &Machine,
        strategy: Strategy,
        declared: Option<&[Declared]>,
        claim: &Claim,
        preserve: Vec<Expr>,
        fixed: Fixed,
        dead: Option<DeadVariables>,
    ) -> ForClaim {
        // Labels need no mention: they are part of locations, and symmetries keep them.
        let declared = declared.map(<[Declared]>::to_vec);
        // A useless variable may count for ever, and a cycle would never come back to where it began.
        let useless = detect::Useless::Kept;
        let options = detect::Options { preserve, declared, dead, useless, ..detect::Options::default() };
        let mut detection = detect::detect(machine, &options);
        if detection.group.is_trivial() {
            return ForClaim::None;
        }
        if detection.deaths == Deaths::Ignored && can_die(machine, &detection) {
            // A process that stays at its end takes one step less and may keep a label.
            let ends = machine.definitions.iter().map(|each| each.automaton.location(each.automaton.end));
            if ends.into_iter().any(|end| end.accept || end.progress) {
                return ForClaim::Refused("a process ends at a label, and symmetry has to ignore that it disappears");
            }
            if !claim.stutter_invariant {
                return ForClaim::Refused(
                    "the property counts steps, and symmetry has to ignore those of processes that end",
                );
            }
        }
        if fixed == Fixed::Processes {
            restrict_to_fixed_processes(machine, &mut detection);
            if detection.group.is_trivial() {
                return ForClaim::Refused(
                    "fairness tells processes apart, so states that differ in processes are not merged",
                );
            }
        }
        let canonicaliser = Canonicaliser::new(&detection.shape, &detection.group, strategy);
        let without_deaths = match detection.deaths {
            Deaths::Ignored => Some(Arc::new(detect::without_deaths(machine))),
            Deaths::Happen => None,
        };
        let ended_stay = without_deaths.is_some() && can_die(machine, &detection);
        let region = None;
        ForClaim::Some(Arc::new(Symmetry { detection, strategy, canonicaliser, without_deaths, ended_stay, region }))
    }

    /// Symmetries that somebody else has proven, for the states of a region; processes stay at their end there, in the machine given.
    #[must_use]
    pub fn of_region(
        mut detection: Detection,
        strategy: Strategy,
        region: Region,
        without_deaths: Arc<Machine>,
        ended_stay: bool,
    ) -> Symmetry {
        let canonicaliser = Canonicaliser::new(&detection.shape, &detection.group, strategy);
        detection.deaths = Deaths::Ignored;
        let without_deaths = Some(without_deaths);
        Symmetry { detection, strategy, canonicaliser, without_deaths, ended_stay, region: Some(region) }
    }

    /// Whether all symmetries keep a mark of locations.
    #[must_use]
    pub fn keep(&self, machine: &Machine, is_marked: impl Fn(DefinitionId, Location) -> bool) -> bool {
        let Some(slots) = location_slots(machine, &self.detection) else { return false };
        let shape = &self.detection.shape;
        self.detection.generators.iter().all(|generator| {
            slots.iter().all(|&(slot, definition)| {
                let image = generator.permutation.image(slot);
                let Some(&(_, other)) = slots.iter().find(|&&(slot, _)| slot == image) else { return false };
                let same = |from: u32, to: u32| is_marked(definition, Location(from)) == is_marked(other, Location(to));
                match shape.slots[slot as usize].content {
                    Content::Number => (0..machine.definition(definition).automaton.locations.len() as u32)
                        .all(|location| definition == other && same(location, location)),
                    Content::Name(domain) => {
                        (0..).zip(&shape.domains[domain.0 as usize].values).all(|(index, &from)| {
                            let point = shape.domains[domain.0 as usize].first_point + index;
                            let to = shape.value_at(generator.permutation.image(point));
                            to.is_some_and(|to| same(from as u32, to as u32))
                        })
                    }
                }
            })
        })
    }

    /// What finds representatives for one worker.
    #[must_use]
    pub fn canonicaliser(&self) -> Canonicaliser {
        self.canonicaliser.clone()
    }

    /// Whether symmetry applies to a state.
    #[must_use]
    pub fn applies(&self, state: &[u8]) -> bool {
        match &self.region {
            Some(Region(contains)) => contains(state),
            None => self.detection.is_eligible(state),
        }
    }

    /// A state whose youngest processes have disappeared, with these put back as they are in the entry state, if symmetry applies to it then.
    ///
    /// Symmetries fix a process whose disappearance is noticed, and go on to exchange the others when it is gone. So two states are images of each
    /// other without it if they are with it.
    #[must_use]
    pub fn with_the_dead(&self, state: &[u8]) -> Option<Vec<u8>> {
        let entry = self.detection.entry.as_ref().filter(|_| self.without_deaths.is_none())?.bytes();
        let missing = entry.get(state.len()..).filter(|_| state[0] < entry[0])?;
        let mut whole = [state, missing].concat();
        whole[0] = entry[0];
        self.applies(&whole).then_some(whole)
    }

    /// Where chains end that begin in states to which symmetry does not apply.
    ///
    /// Where processes stay at their end as soon as symmetry applies, the state in which it begins to must not be passed over: in a chain that goes on
    /// behind it processes would disappear. What follows would be searched without symmetry, and the run that is told from the stored states, in which
    /// they do not disappear there, would not be found.
    #[must_use]
    pub fn beginning(self: &Arc<Symmetry>) -> Stops {
        let symmetry = self.clone();
        match self.without_deaths {
            Some(_) => Stops::at(move |state| symmetry.applies(state)),
            None => Stops::default(),
        }
    }

    /// Whether representatives are unique.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.canonicaliser.is_exact()
    }

    /// Whether processes that would disappear stay at their end.
    #[must_use]
    pub fn ended_stay(&self) -> bool {
        self.ended_stay
    }

    /// What tells orbits apart, whatever the search used.
    #[must_use]
    pub fn exact_canonicaliser(&self) -> Canonicaliser {
        match self.canonicaliser.is_exact() {
            true => self.canonicaliser(),
            false => Canonicaliser::new(&self.detection.shape, &self.detection.group, Strategy::Exact),
        }
    }
}

/// What symmetries must leave alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fixed {
    /// Nothing in particular.
    Nothing,
    /// Every process.
    Processes,
}

/// The symmetry for a claim.
#[derive(Debug)]
pub enum ForClaim {
    /// There is one.
    Some(Arc<Symmetry>),
    /// There is none.
    None,
    /// There is one that cannot be used, and why.
    Refused(&'static str),
}

/// Whether some process of the entry state can disappear. Only the youngest ever does, and none is created any more, so the first to go would be the
/// youngest one of the entry state.
fn can_die(machine: &Machine, detection: &Detection) -> bool {
    let Some(entry) = &detection.entry else { return true };
    let Some(youngest) = entry.pids().next_back() else { return false };
    let automaton = &machine.definition(entry.definition(&machine.layout, youngest)).automaton;
    let mut seen = vec![false; automaton.locations.len()];
    let mut waiting = vec![entry.location(&machine.layout, youngest)];
    while let Some(location) = waiting.pop() {
        if !std::mem::replace(&mut seen[location.index()], true) {
            for edge in &automaton.location(location).edges {
                if matches!(machine.action(edge.action).kind, ActionKind::End) {
                    return true;
                }
                waiting.push(edge.target);
            }
        }
    }
    false
}

/// The slots of the processes' locations, and what the processes are; `None` unless each has one.
fn location_slots(machine: &Machine, detection: &Detection) -> Option<Vec<(Point, DefinitionId)>> {
    let layout = &machine.layout;
    let entry = detection.entry.as_ref()?;
    let slot_of = |frame: Frame| {
        let offset = Header::of(layout).location_bytes(frame.offset).start;
        let slot = detection.shape.slots.iter().position(|slot| slot.at.offset as usize == offset)?;
        Some((slot as Point, frame.definition))
    };
    entry.view(layout).frames().map(slot_of).collect()
}

/// Keeps the symmetries that fix every process: those that fix the place of each process' location.
fn restrict_to_fixed_processes(machine: &Machine, detection: &mut Detection) {
    let slots = location_slots(machine, detection);
    let points: Option<Vec<Point>> = slots.map(|slots| slots.into_iter().map(|(slot, _)| slot).collect());
    let degree = detection.shape.degree();
    let smaller = match points {
        Some(points) => detection.group.pointwise_stabiliser(&points),
        None => Group::trivial(degree),
    };
    detection.restrict_to(smaller);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> (Machine, Symmetry) {
        let model = promela::load_text("m.pml", text, &promela::Options::default()).model.expect("it is correct");
        let machine = machine::lower(&model);
        let symmetry = Symmetry::of(&machine, Strategy::Exact, None, None).expect("it is symmetric");
        (machine, symmetry)
    }

    fn locations(machine: &Machine, definition: u32) -> impl Iterator<Item = Location> + use<> {
        (0..machine.definition(DefinitionId(definition)).automaton.locations.len() as u32).map(Location)
    }

    #[test]
    fn equal_processes_keep_every_mark_of_a_location() {
        let (machine, symmetry) = found("byte n; active [3] proctype P() { do :: n = 1 - n; n == 1; n = 0 od }");
        for marked in locations(&machine, 0) {
            assert!(symmetry.keep(&machine, |_, location| location == marked));
        }
    }

    #[test]
    fn processes_of_two_kinds_do_not_keep_a_mark_that_one_has() {
        let body = "{ do :: n = 1 - n; n == 1; n = 0 od }";
        let text = format!("byte n; active proctype P() {body} active proctype Q() {body}");
        let (machine, symmetry) = found(&text);
        let loop_of = |definition| locations(&machine, definition).filter(|location| location.0 > 0);
        for (definition, marked) in (0..2).flat_map(|each| loop_of(each).map(move |marked| (each, marked))) {
            assert!(!symmetry.keep(&machine, |each, location| each.0 == definition && location == marked));
        }
    }

    #[test]
    fn a_process_can_die_if_it_can_come_to_its_end() {
        let youngest = |body: &str| {
            let (machine, symmetry) = found(&format!("byte n; active [2] proctype P() {{ {body} }}"));
            can_die(&machine, &symmetry.detection)
        };
        assert!(youngest("n++") && youngest("n++; n++; n++") && youngest("do :: n++ :: break od"));
        assert!(!youngest("do :: n++ od") && !youngest("do :: n++; n-- :: n == 3 -> n = 0 od"));
    }
}
