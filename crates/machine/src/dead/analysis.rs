//! What is dead where: the textbook analysis of live variables (Aho, Sethi, Ullman: Compilers, section 10.6), backwards through
//! the automaton of a process definition, element by element.
//!
//! What counts as a reading: every use in a guard, an effect, an assertion, an index or the name of a channel, also where it only
//! decides whether something goes wrong. A global is analysed in each definition as if nobody else wrote it: where no process may read
//! it before it has written it itself, what it holds now will be read by nobody, whatever the others write. A process that will be
//! created needs what it needs where it starts.

use promela::model::Kind;

use super::Element;
use super::useless::Useless;
use crate::action::{Action, ActionKind, DStep, Field};
use crate::ample::actions_of;
use crate::automaton::Automaton;
use crate::expression::{ChannelRef, Expr, Index, Owner, Place};
use crate::footprint::Footprint;
use crate::id::{CellsId, DefinitionId};
use crate::layout::Area;
use crate::machine::{InitialValues, Initialiser, Machine};

/// More elements of globals, times locations, than this are not looked at.
const MOST_FACTS: usize = 1 << 22;

/// Which elements are live.
pub(super) type Live = Vec<bool>;

/// What others than processes, or than its own process, read or write.
pub(super) struct Watched {
    locals: Vec<(DefinitionId, CellsId)>,
    globals: Vec<CellsId>,
    everything: bool,
    /// Assignments to these are no reason to read anything.
    useless: Useless,
}

impl Watched {
    pub(super) fn of(machine: &Machine) -> Watched {
        let actions = machine.actions.iter().map(|action| Footprint::of_action(machine, action));
        let provided = machine.definitions.iter().filter_map(|definition| definition.automaton.provided.as_ref());
        let atoms = machine.ltl.iter().flat_map(|property| property.atoms.iter().chain(&property.proposition));
        let claims = machine.automata.iter().flat_map(|claim| claim.expressions());
        let asked = provided.chain(atoms.map(|atom| &atom.expression)).chain(claims);
        let initial = machine.definitions.iter().flat_map(|definition| &definition.initial);
        let initial = initial.chain(&machine.global_initial).filter_map(|initialiser| match &initialiser.values {
            InitialValues::Same(value) => Some(value),
            InitialValues::Each(_) => None,
        });
        let asked: Vec<Footprint> = asked.chain(initial).map(|expr| Footprint::of_expr(machine, expr)).collect();
        let traces = machine.trace.iter().map(|trace| &trace.automaton);
        let claims = machine.claims.iter().chain(traces).flat_map(|automaton| actions_of(machine, automaton));
        let claims: Vec<Footprint> =
            claims.map(|action| Footprint::of_action(machine, machine.action(action))).collect();
        let everything = machine.trace.is_some();
        let useless = Useless::nothing(machine);
        let mut watched = Watched { locals: Vec::new(), globals: Vec::new(), everything, useless };
        for footprint in asked.iter().chain(&claims) {
            watched.everything |= footprint.everything;
            for place in footprint.reads.iter().chain(&footprint.writes) {
                if place.owner == Owner::Global && !watched.globals.contains(&place.cells) {
                    watched.globals.push(place.cells);
                }
            }
        }
        // What `xr` and `xs` name is read whenever another process uses a channel.
        for (index, definition) in machine.definitions.iter().enumerate() {
            for end in &definition.exclusive {
                match &end.channel {
                    ChannelRef::Variable(place) if place.owner == Owner::Global => watched.globals.push(place.cells),
                    ChannelRef::Variable(place) => watched.locals.push((DefinitionId(index as u32), place.cells)),
                    ChannelRef::Global(_) | ChannelRef::Own(_) => {}
                }
            }
        }
        for footprint in actions.chain(asked) {
            for place in footprint.reads.iter().chain(&footprint.writes) {
                if let Owner::Remote(definition, _) = place.owner
                    && !watched.locals.contains(&(definition, place.cells))
                {
                    watched.locals.push((definition, place.cells));
                }
            }
        }
        watched
    }

    /// The same where what useless variables hold makes no difference.
    pub(super) fn without_useless(mut self, machine: &Machine) -> Watched {
        self.useless = Useless::of(machine, &self);
        self
    }

    /// Whether somebody else than its process looks at a local.
    pub(super) fn has_local(&self, definition: DefinitionId, cells: CellsId) -> bool {
        self.locals.contains(&(definition, cells))
    }

    /// Whether somebody else than processes looks at a global.
    pub(super) fn has_global(&self, cells: CellsId) -> bool {
        self.everything || self.globals.contains(&cells)
    }
}

/// What an action does to what is live.
struct Transfer {
    needed: Vec<usize>,
    killed: Vec<usize>,
}

/// The variables that can be set back, as one definition uses them, each element with a number of its own.
pub(super) struct Analysis<'m> {
    machine: &'m Machine,
    /// Whose automaton it is.
    definition: DefinitionId,
    watched: &'m Watched,
    area: &'m Area,
    /// Whose variables they are.
    owner: Owner,
    automaton: &'m Automaton,
    /// The first number of each group of cells, where its elements have numbers.
    first: Vec<Option<usize>>,
    /// By number.
    pub(super) elements: Vec<Element>,
}

impl<'m> Analysis<'m> {
    /// The locals of a definition.
    pub(super) fn of_locals(machine: &'m Machine, id: DefinitionId, watched: &'m Watched) -> Analysis<'m> {
        let automaton = &machine.definition(id).automaton;
        let area = &machine.layout.frames[id.index()];
        let (first, elements) = (Vec::new(), Vec::new());
        let mut analysis =
            Analysis { machine, definition: id, watched, area, owner: Owner::Own, automaton, first, elements };
        let written = analysis.written(automaton);
        analysis.number(
            |cells| written[cells.index()] && !watched.has_local(id, cells),
            |analysis, cells| analysis.initial_values(id, cells),
        );
        analysis
    }

    /// The globals, as a definition uses them.
    pub(super) fn of_globals(machine: &'m Machine, id: DefinitionId, watched: &'m Watched) -> Analysis<'m> {
        let automaton = &machine.definition(id).automaton;
        let area = &machine.layout.globals;
        let (first, elements) = (Vec::new(), Vec::new());
        let mut analysis =
            Analysis { machine, definition: id, watched, area, owner: Owner::Global, automaton, first, elements };
        let mut written = vec![false; area.cells.len()];
        for definition in &machine.definitions {
            let by_this = analysis.written(&definition.automaton);
            written.iter_mut().zip(by_this).for_each(|(written, by_this)| *written |= by_this);
        }
        let locations: usize = machine.definitions.iter().map(|each| each.automaton.locations.len()).sum();
        let most = MOST_FACTS / locations.max(1);
        let mut count = 0;
        for (index, cells) in area.cells.iter().enumerate() {
            count += if written[index] { cells.count as usize } else { 0 };
            written[index] &= count <= most;
        }
        analysis.number(
            |cells| written[cells.index()] && !watched.has_global(cells),
            |analysis, cells| analysis.values_after(&machine.global_initial, cells),
        );
        analysis
    }

    /// Gives elements their numbers.
    fn number(
        &mut self,
        may_die: impl Fn(CellsId) -> bool,
        values: impl Fn(&Analysis<'m>, CellsId) -> Option<Vec<i32>>,
    ) {
        let area = self.area;
        self.first = vec![None; area.cells.len()];
        for (index, cells) in area.cells.iter().enumerate() {
            let id = CellsId(index as u32);
            let is_channel = area.channels.iter().any(|channel| channel.cells == id);
            if is_channel || !may_die(id) {
                continue;
            }
            let values = values(self, id);
            self.first[index] = Some(self.elements.len());
            self.elements.extend((0..cells.count).map(|number| Element {
                cells: id,
                number,
                offset: cells.element_offset(number) as usize,
                scalar: cells.scalar,
                value: values.as_ref().map(|values| values[number as usize]),
            }));
        }
    }

    /// Which cells some statement writes.
    fn written(&self, automaton: &Automaton) -> Vec<bool> {
        let mut written = vec![false; self.area.cells.len()];
        for action in actions_of(self.machine, automaton) {
            let writes = Footprint::of_action(self.machine, self.machine.action(action)).writes;
            for place in writes.iter().filter(|place| place.owner == self.owner) {
                written[place.cells.index()] = true;
            }
        }
        written
    }

    /// What the elements of a group are set back to: the values they start with, where these are known. Others become zero, if
    /// that is a value like any other: a zero that names something might be moved by a symmetry.
    fn initial_values(&self, id: DefinitionId, cells: CellsId) -> Option<Vec<i32>> {
        let definition = self.machine.definition(id);
        match definition.parameters.contains(&cells) {
            true => self.zero(cells),
            false => self.values_after(&definition.initial, cells),
        }
    }

    fn values_after(&self, initial: &[Initialiser], cells: CellsId) -> Option<Vec<i32>> {
        let mut values = vec![0; self.area.cells(cells).count as usize];
        for initialiser in initial.iter().filter(|initialiser| initialiser.cells == cells) {
            match &initialiser.values {
                InitialValues::Same(Expr::Constant(value)) => values.fill(*value),
                InitialValues::Same(_) => return self.zero(cells),
                InitialValues::Each(each) => values.iter_mut().zip(each).for_each(|(to, from)| *to = *from),
            }
        }
        Some(values)
    }

    fn zero(&self, cells: CellsId) -> Option<Vec<i32>> {
        let cells = self.area.cells(cells);
        match cells.kind {
            Kind::Number | Kind::Truth | Kind::Mtype(_) => Some(vec![0; cells.count as usize]),
            Kind::Channel | Kind::Pid | Kind::Index(_) | Kind::Reference(_) => None,
        }
    }

    /// For each location what is live there: the least solution, by going round until nothing changes. Processes that are created
    /// need this where they start, by definition.
    pub(super) fn live(&self, starting: &[Live]) -> Vec<Live> {
        let always = self.read_by_provided();
        let mut live = vec![always; self.automaton.locations.len()];
        if self.elements.is_empty() {
            return live;
        }
        let edges = self.automaton.locations.iter().map(|location| {
            let edges = location.edges.iter();
            edges.map(|edge| (self.transfer(self.machine.action(edge.action), starting), edge.target.index())).collect()
        });
        let edges: Vec<Vec<(Transfer, usize)>> = edges.collect();
        let mut changed = true;
        while changed {
            changed = false;
            for index in (0..live.len()).rev() {
                for (transfer, target) in &edges[index] {
                    let mut before = live[*target].clone();
                    transfer.killed.iter().for_each(|&element| before[element] = false);
                    transfer.needed.iter().for_each(|&element| before[element] = true);
                    changed |= add(&mut live[index], &before);
                }
            }
        }
        live
    }

    /// What an action does to what is live: for each element, that is live before it in any case, in no case, or if it is after it.
    fn transfer(&self, action: &Action, starting: &[Live]) -> Transfer {
        let nothing = self.before(action, &vec![false; self.elements.len()], starting);
        let everything = self.before(action, &vec![true; self.elements.len()], starting);
        let all = 0..self.elements.len();
        Transfer {
            needed: all.clone().filter(|&element| nothing[element]).collect(),
            killed: all.filter(|&element| !everything[element]).collect(),
        }
    }

    fn read_by_provided(&self) -> Live {
        let mut live = vec![false; self.elements.len()];
        if let Some(provided) = &self.automaton.provided {
            self.read(&Footprint::of_expr(self.machine, provided), &mut live);
        }
        live
    }

    /// What is live before an action, if this is after it.
    fn before(&self, action: &Action, after: &Live, starting: &[Live]) -> Live {
        let mut live = after.clone();
        match &action.kind {
            ActionKind::Deterministic(body) => return self.before_d_step(body, after, starting),
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
            // Nobody will ever know.
            ActionKind::Assign(place, value) if self.watched.useless.is_vain(self.definition, place, value) => {}
            _ => {
                let footprint = Footprint::of_action(self.machine, action);
                for definition in &footprint.created {
                    starting.get(definition.index()).into_iter().for_each(|needed| {
                        add(&mut live, needed);
                    });
                }
                self.read(&footprint, &mut live);
            }
        }
        live
    }

    fn before_d_step(&self, body: &DStep, after: &Live, starting: &[Live]) -> Live {
        let mut live = vec![vec![false; self.elements.len()]; body.nodes.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for index in (0..live.len()).rev() {
                for edge in &body.nodes[index].edges {
                    let behind = edge.target.map_or(after, |target| &live[target as usize]);
                    let before = self.before(self.machine.action(edge.action), behind, starting);
                    changed |= add(&mut live[index], &before);
                }
            }
        }
        live.swap_remove(0)
    }

    /// An argument that is printed: only what can go wrong in it matters.
    fn print(&self, argument: &Expr, live: &mut Live) {
        match argument {
            Expr::Load(Place { owner: Owner::Own | Owner::Global, index: Index::Constant(_), .. }) => {}
            _ => self.read(&Footprint::of_expr(self.machine, argument), live),
        }
    }

    fn read(&self, footprint: &Footprint, live: &mut Live) {
        if footprint.everything {
            return live.fill(true);
        }
        for place in footprint.reads.iter().filter(|place| place.owner == self.owner) {
            let Some(first) = self.first[place.cells.index()] else { continue };
            match place.index {
                Index::Constant(element) => live[first + element as usize] = true,
                Index::Computed(_) => live[first..][..self.area.cells(place.cells).count as usize].fill(true),
            }
        }
    }

    fn write(&self, place: &Place, live: &mut Live) {
        if place.owner == self.owner
            && let Index::Constant(element) = &place.index
            && let Some(first) = self.first[place.cells.index()]
        {
            live[first + *element as usize] = false;
        }
    }
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

/// For each definition and location, the globals that are live there.
pub(super) fn live_globals(machine: &Machine, analyses: &[Analysis<'_>]) -> Vec<Vec<Live>> {
    let count = analyses.first().map_or(0, |analysis| analysis.elements.len());
    let mut starting: Vec<Live> = vec![vec![false; count]; analyses.len()];
    loop {
        let live: Vec<Vec<Live>> = analyses.iter().map(|analysis| analysis.live(&starting)).collect();
        let mut changed = false;
        for ((needed, live), definition) in starting.iter_mut().zip(&live).zip(&machine.definitions) {
            changed |= add(needed, &live[definition.automaton.start.index()]);
        }
        if !changed {
            return live;
        }
    }
}
