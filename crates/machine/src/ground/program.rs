//! The program of a configuration: for every process the locations it may still reach, with their ways out as terms.
//!
//! Knowing the values of cells that nothing writes makes ways impossible, which leaves more cells that nothing writes: this
//! is repeated until it settles. Every round is sound by itself, since it only uses what the one before has proven.

use crate::automaton::Edge;
use crate::expression::{ChannelProbe, Expr};
use crate::id::{ActionId, CellId, ChannelId, GroupId, Location, Pid, TermId};
use promela::model::PortDirection;
use promela::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use super::configuration::Configuration;
use super::specialise::{Specialiser, possible_cells, resolve};
use super::term::{ChannelTerm, FieldTerm, Reference, Step, Term, Terms};

/// The processes of a configuration from its entry state on.
#[derive(Clone, Debug)]
pub struct Program<'m> {
    /// The processes, cells and channels.
    pub configuration: Configuration<'m>,
    /// The terms of all steps.
    pub terms: Terms,
    /// What each process may still do, by pid.
    pub processes: Vec<ProcessProgram>,
    /// Cells that always hold what they hold in the entry state.
    pub constants: Vec<bool>,
    /// Those of them whose value was used to fold terms.
    pub relied_on: FxHashSet<CellId>,
    /// Cells that are written before they are read, as far as an analysis has noted it here: what they hold in the entry state does not matter.
    pub forgotten: FxHashSet<CellId>,
    /// Whether an analysis took away what is stored only to be forgotten.
    pub forgets: bool,
    /// Whether a priority may change.
    pub priorities_change: bool,
    /// Whether there is something nothing is known about.
    pub opaque: Option<Span>,
}

/// What one process may still do.
#[derive(Clone, Debug)]
pub struct ProcessProgram {
    /// The locations it may reach, in ascending order.
    pub locations: Vec<(Location, Vec<Way>)>,
    /// Where it stands in the entry state.
    pub entry: Location,
    /// Its `provided` clause: it moves only while this is not 0.
    pub provided: Option<TermId>,
    /// The ends of channels it has to itself, each as a question about that end of the channel: what the question is about is permuted
    /// as the end is.
    pub ends: Vec<TermId>,
}

/// A way out of a location.
#[derive(Clone, Debug)]
pub struct Way {
    /// The action it came from.
    pub action: ActionId,
    /// What is done.
    pub step: Step,
    /// Where it leads; 0 is "gone".
    pub target: Location,
    /// Whether the process keeps control behind it.
    pub atomic: bool,
    /// Where it stands among the ways out, as far as their order matters.
    pub rank: Rank,
    /// The statement.
    pub span: Span,
}

/// What matters of the order of ways out: escapes come before what they escape from, and `else` asks about ways before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Rank {
    escape: u32,
    position: u32,
    after_else: bool,
}

impl Rank {
    /// Whether the order of the ways does not matter to this one.
    #[must_use]
    pub fn is_free(self) -> bool {
        self == Rank::default()
    }
}

impl<'m> Program<'m> {
    /// The program of a configuration.
    #[must_use]
    pub fn of(mut configuration: Configuration<'m>) -> Program<'m> {
        let mut constants = vec![false; configuration.cells.len()];
        let mut processes_end = true;
        loop {
            let program = Program::build(configuration, constants, processes_end);
            let next = program.unwritten();
            let some_end = program.configuration.pids().any(|pid| program.can_disappear(pid));
            if next == program.constants && some_end == processes_end {
                return program;
            }
            (constants, processes_end, configuration) = (next, some_end, program.configuration);
        }
    }

    fn build(configuration: Configuration<'m>, constants: Vec<bool>, processes_end: bool) -> Program<'m> {
        let mut terms = Terms::default();
        let mut relied_on = FxHashSet::default();
        let mut processes = Vec::new();
        for pid in configuration.pids() {
            let mut specialiser = Specialiser {
                configuration: &configuration,
                constants: &constants,
                processes_end,
                terms: &mut terms,
                relied_on: &mut relied_on,
                pid: Some(pid),
                span: Span::NOWHERE,
            };
            processes.push(process_program(&mut specialiser, pid));
        }
        let mut program = Program {
            configuration,
            terms,
            processes,
            constants,
            relied_on,
            forgotten: FxHashSet::default(),
            forgets: false,
            priorities_change: false,
            opaque: None,
        };
        let priorities_change = program.steps().any(|(_, step)| matches!(step, Step::SetPriority(..)));
        program.priorities_change = priorities_change;
        program.opaque = program.find_opaque();
        program
    }

    /// The terms of expressions that no process executes.
    pub fn add_expressions(&mut self, expressions: &[Expr]) -> Vec<TermId> {
        let processes_end = self.configuration.pids().any(|pid| self.can_disappear(pid));
        let mut specialiser = Specialiser {
            configuration: &self.configuration,
            constants: &self.constants,
            processes_end,
            terms: &mut self.terms,
            relied_on: &mut self.relied_on,
            pid: None,
            span: Span::NOWHERE,
        };
        let terms = expressions.iter().map(|expression| specialiser.term(expression)).collect();
        self.opaque = self.opaque.or(self.find_opaque());
        terms
    }

    /// All ways of all processes.
    pub fn ways(&self) -> impl Iterator<Item = &Way> {
        self.processes.iter().flat_map(|process| &process.locations).flat_map(|(_, ways)| ways)
    }

    /// All steps of all processes, those inside of a `d_step` by themselves.
    pub fn steps(&self) -> impl Iterator<Item = (Span, &Step)> {
        self.ways().flat_map(|way| inner_steps(way).into_iter().map(|step| (way.span, step)))
    }

    /// The steps of one process, those inside of a `d_step` by themselves.
    pub fn steps_of(&self, pid: Pid) -> impl Iterator<Item = &Step> {
        self.processes[pid.index()].locations.iter().flat_map(|(_, ways)| ways).flat_map(inner_steps)
    }

    /// Whether a process may come to its end.
    #[must_use]
    pub fn can_end(&self, pid: Pid) -> bool {
        let ways = self.processes[pid.index()].locations.iter().flat_map(|(_, ways)| ways);
        ways.into_iter().any(|way| matches!(way.step, Step::End))
    }

    /// Whether a process may disappear: only the youngest can, so all that are younger have to come to their end first.
    #[must_use]
    pub fn can_disappear(&self, pid: Pid) -> bool {
        self.configuration.pids().skip(pid.index()).all(|younger| self.can_end(younger))
    }

    /// The cells that a reference may mean.
    #[must_use]
    pub fn possible_cells(&self, reference: &Reference) -> Vec<CellId> {
        possible_cells(&self.configuration, &self.terms, reference)
    }

    /// The cell of a group at these indices, or the cells it may be.
    #[must_use]
    pub fn resolve(&self, group: GroupId, indices: Vec<TermId>) -> Reference {
        resolve(&self.configuration, &self.terms, group, indices)
    }

    /// The cells that nothing writes. What a hidden cell holds is no part of a state, so none of them is known.
    fn unwritten(&self) -> Vec<bool> {
        let configuration = &self.configuration;
        let mut unwritten: Vec<bool> =
            configuration.cells.iter().map(|&group| !configuration.layout_of(group).hidden).collect();
        let mut write = |reference: &Reference| {
            self.possible_cells(reference).into_iter().for_each(|cell| unwritten[cell.index()] = false);
        };
        for (_, step) in self.steps() {
            match step {
                Step::Assign(place, _) => write(place),
                Step::Receive { fields, .. } => fields.iter().for_each(|field| match field {
                    FieldTerm::Bind(place) => write(place),
                    FieldTerm::Ignore | FieldTerm::Match(_) => {}
                }),
                _ => {}
            }
        }
        unwritten
    }

    fn find_opaque(&self) -> Option<Span> {
        let step = self.steps().find(|(_, step)| matches!(step, Step::Opaque)).map(|(span, _)| span);
        let term = || self.terms.ids().find(|&id| matches!(self.terms.get(id), Term::Opaque));
        step.or_else(|| term().map(|id| self.terms.span(id)))
    }

    /// The cells that a step names.
    #[must_use]
    pub fn cells_of_step(&self, step: &Step) -> Vec<CellId> {
        let mut cells = Vec::new();
        self.visit_step(step, &mut |reference| cells.extend(self.possible_cells(reference)), &mut |_| {});
        cells
    }

    /// The cells that a term names.
    #[must_use]
    pub fn cells_of_term(&self, term: TermId) -> Vec<CellId> {
        let mut cells = Vec::new();
        self.visit_term(term, &mut |reference| cells.extend(self.possible_cells(reference)), &mut |_| {});
        cells
    }

    /// Calls the visitors for every reference and every channel that a step names.
    pub fn visit_step(
        &self,
        step: &Step,
        reference: &mut dyn FnMut(&Reference),
        channel: &mut dyn FnMut(&ChannelTerm),
    ) {
        match step {
            Step::Skip | Step::Else | Step::End | Step::Opaque => {}
            Step::Condition(term) | Step::Assert(term) => self.visit_term(*term, reference, channel),
            Step::Assign(place, value) => {
                self.visit_reference(place, reference, channel);
                self.visit_term(*value, reference, channel);
            }
            Step::Evaluate(terms) => terms.iter().for_each(|&term| self.visit_term(term, reference, channel)),
            Step::Send { channel: name, values, .. } => {
                self.visit_channel(name, reference, channel);
                values.iter().for_each(|&term| self.visit_term(term, reference, channel));
            }
            Step::Receive { channel: name, fields, .. } => {
                self.visit_channel(name, reference, channel);
                for field in fields {
                    match field {
                        FieldTerm::Bind(place) => self.visit_reference(place, reference, channel),
                        FieldTerm::Match(term) => self.visit_term(*term, reference, channel),
                        FieldTerm::Ignore => {}
                    }
                }
            }
            Step::SetPriority(pid, priority) => {
                self.visit_term(*pid, reference, channel);
                self.visit_term(*priority, reference, channel);
            }
            Step::Deterministic(nodes) => {
                nodes.iter().flatten().for_each(|(step, _)| self.visit_step(step, reference, channel));
            }
            Step::Composite(composite) => {
                composite.steps().for_each(|step| self.visit_step(step, reference, channel));
            }
        }
    }

    /// Calls the visitors for every reference and every channel in a term.
    pub fn visit_term(
        &self,
        term: TermId,
        reference: &mut dyn FnMut(&Reference),
        channel: &mut dyn FnMut(&ChannelTerm),
    ) {
        match self.terms.get(term) {
            Term::Load(place) => self.visit_reference(place, reference, channel),
            Term::Unary(_, e) | Term::PriorityOf(e) | Term::Enabled(e) | Term::LocationOf(e) | Term::AnyAt(e, ..) => {
                self.visit_term(*e, reference, channel);
            }
            Term::Binary(_, left, right) => {
                self.visit_term(*left, reference, channel);
                self.visit_term(*right, reference, channel);
            }
            Term::Conditional(condition, yes, no) => {
                [condition, yes, no].into_iter().for_each(|&term| self.visit_term(term, reference, channel));
            }
            Term::Probe(_, name) => self.visit_channel(name, reference, channel),
            Term::Poll { channel: name, pattern, .. } => {
                self.visit_channel(name, reference, channel);
                pattern.iter().flatten().for_each(|&term| self.visit_term(term, reference, channel));
            }
            Term::Constant(_)
            | Term::At(..)
            | Term::Timeout
            | Term::NonProgress
            | Term::ProcessCount
            | Term::ChannelCount
            | Term::Last
            | Term::Priority(_)
            | Term::Instance(..)
            | Term::Fails
            | Term::Opaque => {}
        }
    }

    fn visit_reference(
        &self,
        place: &Reference,
        reference: &mut dyn FnMut(&Reference),
        channel: &mut dyn FnMut(&ChannelTerm),
    ) {
        reference(place);
        match place {
            Reference::Cell(_) | Reference::Missing => {}
            Reference::Indexed(_, indices) => {
                indices.iter().for_each(|&index| self.visit_term(index, reference, channel));
            }
            Reference::Remote { pid, indices, .. } => {
                self.visit_term(*pid, reference, channel);
                indices.iter().for_each(|&index| self.visit_term(index, reference, channel));
            }
        }
    }

    fn visit_channel(
        &self,
        name: &ChannelTerm,
        reference: &mut dyn FnMut(&Reference),
        channel: &mut dyn FnMut(&ChannelTerm),
    ) {
        channel(name);
        if let ChannelTerm::Variable(term) = name {
            self.visit_term(*term, reference, channel);
        }
    }

    /// Whether a channel is a rendezvous port, or may be one.
    #[must_use]
    pub fn may_be_rendezvous(configuration: &Configuration<'_>, channel: &ChannelTerm) -> bool {
        let layout = &configuration.machine.layout;
        let is_port = |id: ChannelId| layout.shape(configuration.channels[id.index()].shape).is_rendezvous();
        match channel {
            ChannelTerm::Known(id) => is_port(*id),
            ChannelTerm::Variable(_) => true,
            ChannelTerm::Missing => false,
        }
    }
}

impl ProcessProgram {
    /// Forgets the locations that no way leads to.
    pub fn remove_unreachable(&mut self) {
        let mut reached = FxHashSet::default();
        let mut waiting = vec![self.entry];
        while let Some(location) = waiting.pop() {
            if reached.insert(location)
                && let Ok(index) = self.locations.binary_search_by_key(&location, |&(location, _)| location)
            {
                waiting.extend(self.locations[index].1.iter().map(|way| way.target));
            }
        }
        self.locations.retain(|(location, _)| reached.contains(location));
    }
}

fn inner_steps(way: &Way) -> Vec<&Step> {
    match &way.step {
        Step::Deterministic(nodes) => nodes.iter().flatten().flat_map(|(step, _)| parts_of(step)).collect(),
        step => parts_of(step),
    }
}

/// The steps that a composite step consists of, or the step itself.
fn parts_of(step: &Step) -> Vec<&Step> {
    match step {
        Step::Composite(composite) => composite.steps().flat_map(parts_of).collect(),
        step => vec![step],
    }
}

fn process_program(specialiser: &mut Specialiser<'_, '_>, pid: Pid) -> ProcessProgram {
    let configuration = specialiser.configuration;
    let machine = configuration.machine;
    let automaton = &machine.definition(configuration.definition(pid)).automaton;
    let entry = configuration.entry.location(&machine.layout, pid);
    let mut found: FxHashMap<Location, Vec<Way>> = FxHashMap::default();
    let mut waiting = vec![entry];
    while let Some(location) = waiting.pop() {
        if found.contains_key(&location) {
            continue;
        }
        let ways = ways_out(specialiser, &automaton.location(location).edges);
        // Location 0 stands for "gone".
        waiting.extend(ways.iter().map(|way| way.target).filter(|&target| target != Location(0)));
        found.insert(location, ways);
    }
    let mut locations: Vec<(Location, Vec<Way>)> = found.into_iter().collect();
    locations.sort_by_key(|&(location, _)| location);
    specialiser.span = automaton.span;
    let provided = automaton.provided.as_ref().map(|provided| specialiser.term(provided));
    let ends = machine.definition(configuration.definition(pid)).exclusive.iter().map(|end| {
        let probe = match end.direction {
            PortDirection::Receive => ChannelProbe::NotEmpty,
            PortDirection::Send => ChannelProbe::NotFull,
        };
        specialiser.span = end.span;
        specialiser.term(&Expr::Probe(probe, end.channel.clone()))
    });
    let ends = ends.collect();
    ProcessProgram { locations, entry, provided, ends }
}

fn ways_out(specialiser: &mut Specialiser<'_, '_>, edges: &[Edge]) -> Vec<Way> {
    let mut ways: Vec<Way> = Vec::new();
    let mut escapes = 0;
    let mut last_escape = None;
    let mut after_else = false;
    for edge in edges {
        if specialiser.chooses_nobody(edge.action) {
            continue;
        }
        let step = specialiser.step(edge.action);
        if specialiser.is_never(&step) {
            continue;
        }
        if last_escape != Some(edge.escape) {
            escapes += u32::from(last_escape.is_some());
            last_escape = Some(edge.escape);
        }
        // An offer that nobody takes lets SPIN forget that an escape was possible.
        let is_offer = matches!(&step, Step::Send { channel, .. } if Program::may_be_rendezvous(specialiser.configuration, channel));
        let position = if edge.escape.is_some() && is_offer { ways.len() as u32 + 1 } else { 0 };
        let is_else = matches!(step, Step::Else);
        let rank = Rank { escape: escapes, position, after_else };
        let span = specialiser.configuration.machine.action(edge.action).span;
        ways.push(Way { action: edge.action, step, target: edge.target, atomic: edge.atomic, rank, span });
        after_else |= is_else;
    }
    number_escapes_with_offers(&mut ways);
    ways
}

/// Among the guards of an escape one of which is an offer, each has its place.
fn number_escapes_with_offers(ways: &mut [Way]) {
    let with_offers: Vec<u32> = ways.iter().filter(|way| way.rank.position > 0).map(|way| way.rank.escape).collect();
    for (position, way) in ways.iter_mut().enumerate() {
        if with_offers.contains(&way.rank.escape) {
            way.rank.position = position as u32 + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::id::{CellsId, Pid};
    use crate::state::Storage;

    use super::super::configuration::Configuration;
    use super::super::entry;
    use super::super::term::{Reference, Step};
    use super::Program;
    use crate::ground::testing::machine_of;

    #[test]
    fn parameters_are_known_and_make_indices_known() {
        let machine = machine_of(
            "byte flag[4]; byte other; proctype p(byte id) { if :: id > 9 -> other = 1 :: else -> flag[id] = 1 fi }
             init { atomic { run p(2); run p(3) } }",
        );
        let program = Program::of(Configuration::of(&machine, entry::find(&machine).unwrap()));
        let configuration = &program.configuration;
        let flag = configuration.group(Storage::Global, CellsId(0));
        let constant: Vec<bool> = configuration.cells_of(flag).map(|cell| program.constants[cell.index()]).collect();
        assert_eq!(constant, [true, true, false, false]);
        let other = configuration.group(Storage::Global, CellsId(1));
        assert!(program.constants[configuration.cell(other, 0).index()]);
        let written = program.steps().filter(|(_, step)| matches!(step, Step::Assign(Reference::Cell(_), _)));
        assert_eq!(written.count(), 2);
        assert!(program.can_end(Pid(1)));
    }
}
