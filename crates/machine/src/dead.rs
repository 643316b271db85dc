//! Dead variables: locals whose value nobody will read before it is written again.
//!
//! Two states that differ in such values only can do the same for ever, so one of them is enough. In every state that is
//! generated, a dead local is set back to the value it starts with. Which locals are dead follows from where their process is:
//! the textbook analysis of live variables (Aho, Sethi, Ullman: Compilers, section 10.6), backwards through the automaton of a
//! process definition, element by element.
//!
//! What counts as a reading: every use in a guard, an effect, an assertion, an index or the name of a channel, also where it only
//! decides whether something goes wrong. Never dead is what is read from elsewhere: by another process, a claim, a formula or a
//! `provided` clause. With embedded C nothing is dead. Printing a variable is no reading: what is printed belongs to no property, and a
//! counterexample is executed again by the reference interpreter, which forgets nothing.
//!
//! Locals that are never written stay as they are, so that what other analyses take for fixed is fixed.

use std::sync::Arc;

use promela::model::Kind;

use crate::action::{Action, ActionKind, DStep, Field};
use crate::ample::actions_of;
use crate::automaton::Automaton;
use crate::expression::{Expr, Index, Owner, Place};
use crate::footprint::Footprint;
use crate::generate::{Coverage, Generator, Successors};
use crate::id::{CellsId, DefinitionId, Pid};
use crate::interpret::error::RuntimeError;
use crate::layout::Area;
use crate::machine::{InitialValues, Machine};

/// Which bytes of a state to set back, and to what.
#[derive(Clone, Debug)]
pub struct DeadVariables {
    header: Header,
    definitions: Vec<DeadInDefinition>,
}

/// What must be known of the layout to find processes and their locations.
#[derive(Clone, Copy, Debug)]
struct Header {
    globals: usize,
    definition_width: usize,
    location_width: usize,
}

#[derive(Clone, Debug)]
struct DeadInDefinition {
    frame_size: usize,
    /// The locals that can be set back, element by element.
    elements: Vec<Reset>,
    /// By location: which of them are live.
    live: Vec<Live>,
    /// By location: what is to be written, neighbours in one piece.
    resets: Vec<Box<[Reset]>>,
}

/// Which elements are live.
type Live = Vec<bool>;

/// Bytes to write into a frame.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Reset {
    offset: usize,
    bytes: Vec<u8>,
}

impl DeadVariables {
    /// The dead variables of a machine; `None` where there is nothing to set back.
    #[must_use]
    pub fn of(machine: &Machine) -> Option<DeadVariables> {
        if machine.features.embedded_c {
            return None;
        }
        let layout = &machine.layout;
        let watched = Watched::of(machine);
        let definitions: Vec<DeadInDefinition> = (0..machine.definitions.len() as u32)
            .map(|id| {
                let analysis = Analysis::new(machine, DefinitionId(id), &watched);
                let live = analysis.live();
                let frame_size = layout.frames[id as usize].size as usize;
                DeadInDefinition { frame_size, elements: analysis.elements, live, resets: Vec::new() }
            })
            .collect();
        let header = Header {
            globals: layout.globals.size as usize,
            definition_width: layout.definition_width as usize,
            location_width: layout.location_width as usize,
        };
        DeadVariables { header, definitions }.joined()
    }

    /// The same without variables whose initial value is not allowed in some process of a state, where whether a value is allowed
    /// does not depend on other values; `None` where nothing is left.
    #[must_use]
    pub fn allowed_in(mut self, state: &[u8], is_allowed: impl Fn(&[u8]) -> bool) -> Option<DeadVariables> {
        for (frame, definition) in self.frames(state) {
            let DeadInDefinition { elements, live, .. } = &mut self.definitions[definition];
            for (number, element) in elements.iter().enumerate() {
                let mut changed = state.to_vec();
                element.write(&mut changed, frame);
                if !is_allowed(&changed) {
                    live.iter_mut().for_each(|live| live[number] = true);
                }
            }
        }
        self.joined()
    }

    /// Works out what is to be written; `None` if that is nothing.
    fn joined(mut self) -> Option<DeadVariables> {
        for definition in &mut self.definitions {
            definition.resets = definition.live.iter().map(|live| joined(&definition.elements, live)).collect();
        }
        let mut resets = self.definitions.iter().flat_map(|definition| &definition.resets);
        resets.any(|resets| !resets.is_empty()).then_some(self)
    }

    /// Where the frames of a state are, and of which definitions.
    fn frames(&self, state: &[u8]) -> Vec<(usize, usize)> {
        let mut frame = self.header.globals;
        let mut frames = Vec::new();
        for _ in 0..state[0] {
            let definition = number(&state[frame..frame + self.header.definition_width]);
            frames.push((frame, definition));
            frame += self.definitions[definition].frame_size;
        }
        frames
    }

    /// Sets the dead variables of a state back.
    pub fn reset(&self, state: &mut [u8]) {
        let Header { globals, definition_width, location_width } = self.header;
        let mut frame = globals;
        for _ in 0..state[0] {
            let body = frame + definition_width;
            let definition = &self.definitions[number(&state[frame..body])];
            let location = number(&state[body..body + location_width]);
            definition.resets[location].iter().for_each(|reset| reset.write(state, frame));
            frame += definition.frame_size;
        }
    }
}

impl Reset {
    fn write(&self, state: &mut [u8], frame: usize) {
        let start = frame + self.offset;
        state[start..start + self.bytes.len()].copy_from_slice(&self.bytes);
    }
}

fn number(bytes: &[u8]) -> usize {
    bytes.iter().rev().fold(0, |value, &byte| value << 8 | usize::from(byte))
}

/// A generator whose states have their dead variables set back.
#[derive(Clone, Debug)]
pub struct Trimmed<G> {
    generator: G,
    dead: Option<Arc<DeadVariables>>,
}

impl<G> Trimmed<G> {
    /// Sets back these variables, or none.
    #[must_use]
    pub fn new(generator: G, dead: Option<Arc<DeadVariables>>) -> Trimmed<G> {
        Trimmed { generator, dead }
    }

    fn trim(&self, from: usize, into: &mut Successors) {
        if let Some(dead) = &self.dead {
            (from..into.len()).for_each(|transition| dead.reset(into.target_mut(transition)));
        }
    }
}

impl<G: Generator> Generator for Trimmed<G> {
    fn initial(&mut self, into: &mut Vec<u8>) -> Result<(), RuntimeError> {
        self.generator.initial(into)?;
        if let Some(dead) = &self.dead {
            dead.reset(into);
        }
        Ok(())
    }

    fn successors(&mut self, state: &[u8], into: &mut Successors) {
        self.generator.successors(state, into);
        self.trim(0, into);
    }

    fn process_successors(&mut self, state: &[u8], pid: Pid, into: &mut Successors) {
        let before = into.len();
        self.generator.process_successors(state, pid, into);
        self.trim(before, into);
    }

    fn coverage(&self) -> &Coverage {
        self.generator.coverage()
    }
}

/// Locals that are read or written by others than their own process, by definition.
struct Watched(Vec<(DefinitionId, CellsId)>);

impl Watched {
    fn of(machine: &Machine) -> Watched {
        let actions = machine.actions.iter().map(|action| Footprint::of_action(machine, action));
        let provided = machine.definitions.iter().filter_map(|definition| definition.automaton.provided.as_ref());
        let atoms = machine.ltl.iter().flat_map(|property| property.atoms.iter().chain(&property.proposition));
        let asked = provided.chain(atoms.map(|atom| &atom.expression));
        let initial = machine.definitions.iter().flat_map(|definition| &definition.initial);
        let initial = initial.chain(&machine.global_initial).filter_map(|initialiser| match &initialiser.values {
            InitialValues::Same(value) => Some(value),
            InitialValues::Each(_) => None,
        });
        let asked = asked.chain(initial).map(|expr| Footprint::of_expr(machine, expr));
        let mut list = Vec::new();
        for footprint in actions.chain(asked) {
            for place in footprint.reads.iter().chain(&footprint.writes) {
                if let Owner::Remote(definition, _) = place.owner
                    && !list.contains(&(definition, place.cells))
                {
                    list.push((definition, place.cells));
                }
            }
        }
        Watched(list)
    }
}

/// The locals of a definition that can be set back, each element with a number of its own.
struct Analysis<'m> {
    machine: &'m Machine,
    area: &'m Area,
    automaton: &'m Automaton,
    /// The first number of each group of cells, where its elements have numbers.
    first: Vec<Option<usize>>,
    /// For each number: the offset in the frame, and the bytes it starts with.
    elements: Vec<Reset>,
}

impl<'m> Analysis<'m> {
    fn new(machine: &'m Machine, id: DefinitionId, watched: &Watched) -> Analysis<'m> {
        let area = &machine.layout.frames[id.index()];
        let automaton = &machine.definition(id).automaton;
        let mut analysis =
            Analysis { machine, area, automaton, first: vec![None; area.cells.len()], elements: Vec::new() };
        let written = analysis.written();
        for (index, cells) in area.cells.iter().enumerate() {
            let cells_id = CellsId(index as u32);
            if !written[index] || cells.hidden || watched.0.contains(&(id, cells_id)) {
                continue;
            }
            let Some(values) = analysis.initial_values(id, cells_id) else { continue };
            analysis.first[index] = Some(analysis.elements.len());
            for (element, value) in (0..cells.count).zip(values) {
                let mut bytes = vec![0; cells.scalar.width() as usize];
                cells.scalar.write(&mut bytes, value);
                analysis.elements.push(Reset { offset: cells.element_offset(element) as usize, bytes });
            }
        }
        analysis
    }

    /// Which cells some statement of the process writes.
    fn written(&self) -> Vec<bool> {
        let mut written = vec![false; self.area.cells.len()];
        for action in actions_of(self.machine, self.automaton) {
            let writes = Footprint::of_action(self.machine, self.machine.action(action)).writes;
            for place in writes.iter().filter(|place| place.owner == Owner::Own) {
                written[place.cells.index()] = true;
            }
        }
        written
    }

    /// What the elements of a group are set back to: the values they start with, where these are known. Others become zero, if
    /// that is a value like any other: a zero that names something might be moved by a symmetry.
    fn initial_values(&self, id: DefinitionId, cells: CellsId) -> Option<Vec<i32>> {
        let definition = self.machine.definition(id);
        let count = self.area.cells(cells).count as usize;
        if self.area.channels.iter().any(|channel| channel.cells == cells) {
            return None;
        }
        let zero = || match self.area.cells(cells).kind {
            Kind::Number | Kind::Truth | Kind::Mtype(_) => Some(vec![0; count]),
            Kind::Channel | Kind::Pid | Kind::Index(_) | Kind::Reference(_) => None,
        };
        if definition.parameters.contains(&cells) {
            return zero();
        }
        let mut values = vec![0; count];
        for initialiser in definition.initial.iter().filter(|initialiser| initialiser.cells == cells) {
            match &initialiser.values {
                InitialValues::Same(Expr::Constant(value)) => values.fill(*value),
                InitialValues::Same(_) => return zero(),
                InitialValues::Each(each) => values.iter_mut().zip(each).for_each(|(to, from)| *to = *from),
            }
        }
        Some(values)
    }

    /// For each location what is live there: the least solution, by going round until nothing changes.
    fn live(&self) -> Vec<Live> {
        let always = self.read_by_provided();
        let mut live = vec![always; self.automaton.locations.len()];
        let mut changed = !self.elements.is_empty();
        while changed {
            changed = false;
            for index in (0..live.len()).rev() {
                for edge in &self.automaton.locations[index].edges {
                    let before = self.before(self.machine.action(edge.action), &live[edge.target.index()]);
                    changed |= add(&mut live[index], &before);
                }
            }
        }
        live
    }

    fn read_by_provided(&self) -> Live {
        let mut live = vec![false; self.elements.len()];
        if let Some(provided) = &self.automaton.provided {
            self.read(&Footprint::of_expr(self.machine, provided), &mut live);
        }
        live
    }

    /// What is live before an action, if this is after it.
    fn before(&self, action: &Action, after: &Live) -> Live {
        let mut live = after.clone();
        match &action.kind {
            ActionKind::Deterministic(body) => return self.before_d_step(body, after),
            ActionKind::Assign(place, _) => self.write(place, &mut live),
            ActionKind::Receive(receive) => receive.fields.iter().for_each(|field| {
                if let Field::Bind(place) = field {
                    self.write(place, &mut live);
                }
            }),
            _ => {}
        }
        match &action.kind {
            ActionKind::Print(_, arguments) => arguments.iter().for_each(|argument| self.print(argument, &mut live)),
            ActionKind::PrintMtype(value, _) => self.print(value, &mut live),
            _ => self.read(&Footprint::of_action(self.machine, action), &mut live),
        }
        live
    }

    fn before_d_step(&self, body: &DStep, after: &Live) -> Live {
        let mut live = vec![vec![false; self.elements.len()]; body.nodes.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for index in (0..live.len()).rev() {
                for edge in &body.nodes[index].edges {
                    let behind = edge.target.map_or(after, |target| &live[target as usize]);
                    let before = self.before(self.machine.action(edge.action), behind);
                    changed |= add(&mut live[index], &before);
                }
            }
        }
        live.swap_remove(0)
    }

    /// An argument that is printed: only what can go wrong in it matters.
    fn print(&self, argument: &Expr, live: &mut Live) {
        match argument {
            Expr::Load(Place { owner: Owner::Own, index: Index::Constant(_), .. }) => {}
            _ => self.read(&Footprint::of_expr(self.machine, argument), live),
        }
    }

    fn read(&self, footprint: &Footprint, live: &mut Live) {
        if footprint.everything {
            return live.fill(true);
        }
        for place in footprint.reads.iter().filter(|place| place.owner == Owner::Own) {
            let Some(first) = self.first[place.cells.index()] else { continue };
            match place.index {
                Index::Constant(element) => live[first + element as usize] = true,
                Index::Computed(_) => live[first..][..self.area.cells(place.cells).count as usize].fill(true),
            }
        }
    }

    fn write(&self, place: &Place, live: &mut Live) {
        if let (Owner::Own, Index::Constant(element)) = (&place.owner, &place.index)
            && let Some(first) = self.first[place.cells.index()]
        {
            live[first + *element as usize] = false;
        }
    }
}

/// What is to be written where these elements are live.
fn joined(elements: &[Reset], live: &Live) -> Box<[Reset]> {
    let mut dead: Vec<&Reset> = elements.iter().zip(live).filter(|(_, live)| !**live).map(|(reset, _)| reset).collect();
    dead.sort_by_key(|reset| reset.offset);
    let mut joined: Vec<Reset> = Vec::new();
    for reset in dead {
        match joined.last_mut() {
            Some(last) if last.offset + last.bytes.len() == reset.offset => last.bytes.extend(&reset.bytes),
            _ => joined.push(reset.clone()),
        }
    }
    joined.into()
}

/// Adds elements; whether there was a new one.
fn add(to: &mut Live, from: &Live) -> bool {
    let mut changed = false;
    for (to, from) in to.iter_mut().zip(from) {
        changed |= *from && !*to;
        *to |= from;
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::DeadVariables;
    use crate::interpret::Interpreter;
    use crate::machine::Machine;

    fn read(text: &str) -> Machine {
        let loaded = promela::load_text("model.pml", text, &promela::Options::default());
        crate::lower(&loaded.model.expect("a model"))
    }

    /// How many states there are along the only run of a model, and how many once dead variables are set back.
    fn states(text: &str) -> (usize, usize) {
        let machine = read(text);
        let dead = DeadVariables::of(&machine);
        let interpreter = Interpreter::new(&machine);
        let mut state = interpreter.initial().expect("it has one");
        let (mut plain, mut trimmed) = (std::collections::HashSet::new(), std::collections::HashSet::new());
        for _ in 0..100 {
            let mut bytes = state.bytes().to_vec();
            plain.insert(bytes.clone());
            dead.iter().for_each(|dead| dead.reset(&mut bytes));
            trimmed.insert(bytes);
            state = interpreter.successors(&state).transitions[0].target.clone();
        }
        (plain.len(), trimmed.len())
    }

    #[test]
    fn a_value_that_is_overwritten_unread_is_forgotten() {
        let (plain, trimmed) = states("active proctype P() { bit i, x; do :: x = i; assert(x == i); i = 1 - i od }");
        // When the loop is entered x is 0, and when it comes back with the same i it is 1.
        assert_eq!(plain, trimmed + 1);
    }

    #[test]
    fn the_value_a_local_starts_with_is_what_it_is_set_back_to() {
        let machine = read("active proctype P() { byte x = 7; x++; assert(x == 8); skip }");
        let dead = DeadVariables::of(&machine).expect("x dies");
        let interpreter = Interpreter::new(&machine);
        let initial = interpreter.initial().expect("it has one");
        let mut state = initial.clone();
        for _ in 0..2 {
            state = interpreter.successors(&state).transitions[0].target.clone();
        }
        let mut bytes = state.bytes().to_vec();
        dead.reset(&mut bytes);
        let changed: Vec<_> = bytes.iter().zip(state.bytes()).filter(|(new, old)| new != old).collect();
        assert_eq!(changed, [(&7, &8)]);
        let mut bytes = initial.bytes().to_vec();
        dead.reset(&mut bytes);
        assert_eq!(bytes, initial.bytes());
    }

    #[test]
    fn what_others_read_is_never_dead() {
        for text in [
            "active proctype P() { byte x; x = 1; x = 2 } active proctype Q() { P:x == 1 }",
            "active proctype P() { byte x; x = 1; x = 2 } ltl p { <> (P:x == 1) }",
            "active proctype P() { byte x; x = 1; x = 2 } never { do :: P:x == 1 :: else od }",
        ] {
            assert!(DeadVariables::of(&read(text)).is_none(), "{text}");
        }
    }

    #[test]
    fn a_local_in_a_provided_clause_or_an_index_is_live() {
        let machine = read("byte a[3]; active proctype P() { byte i; i = 1; a[i] = 1; i = 7 / a[1] }");
        let dead = DeadVariables::of(&machine).expect("i dies");
        let interpreter = Interpreter::new(&machine);
        let state = interpreter.initial().expect("it has one");
        let state = interpreter.successors(&state).transitions[0].target.clone();
        let mut bytes = state.bytes().to_vec();
        dead.reset(&mut bytes);
        assert_eq!(bytes, state.bytes());
    }
}
