//! Dead variables: those whose value nobody will read before it is written again.
//!
//! Two states that differ in such values only can do the same for ever, so one of them is enough. In every state that is
//! generated, a dead variable is set back to the value it starts with, or to another one: which one does not matter to the steps, but
//! symmetry prefers a value that is no name of anything. `dead/analysis.rs` finds what is dead, from where the processes
//! are: a local while its own process has no use for it, a global while no process has.
//!
//! Never dead is what is read from elsewhere: by another process, a claim, a formula or a `provided` clause. With embedded C nothing is
//! dead. Printing a variable is no reading: what is printed belongs to no property, and a counterexample is executed again
//! by the reference interpreter, which forgets nothing.
//!
//! Variables that are never written stay as they are, so that what other analyses take for fixed is fixed. Those that are only written,
//! or read only for each other (`dead/useless.rs`), are dead everywhere.

mod analysis;
mod layer;
mod useless;

pub use self::layer::Trimmed;

use self::analysis::{Analysis, Live, Watched};
use crate::id::{CellsId, DefinitionId, Location};
use crate::machine::Machine;
use crate::scalar::Scalar;
use crate::state::Header;

/// As many global variables are looked after that are dead now and then; others stay as they are.
const MOST_GLOBALS: usize = u128::BITS as usize;

/// Which bytes of a state to set back, and to what.
#[derive(Clone, Debug)]
pub struct DeadVariables {
    header: Header,
    definitions: Vec<DeadInDefinition>,
    globals: DeadGlobals,
}

#[derive(Clone, Debug)]
struct DeadInDefinition {
    frame_size: usize,
    /// The locals that can be set back, element by element.
    elements: Vec<Element>,
    /// By location: which of them are live.
    live: Vec<Live>,
    /// By location: what is to be written.
    writes: Vec<Box<[Write]>>,
    /// By location: which globals the process may read before it writes them itself, one bit for each.
    needs: Vec<u128>,
}

/// What is done with variables that nobody ever has a use for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Useless {
    /// They are left as they are, unless they are overwritten unread.
    Kept,
    /// They are set back at once.
    Dead,
}

/// Global variables that can be set back, element by element.
#[derive(Clone, Debug)]
struct DeadGlobals {
    elements: Vec<Element>,
    /// How many of them, from the first on, have a bit of their own; nobody ever needs the others.
    with_bits: usize,
    /// By bit: what is to be written while no process needs the element.
    writes: Vec<Option<Write>>,
    /// The bits of those for which there is something to write.
    written: u128,
    /// What is written in every state.
    always: Box<[Write]>,
}

/// A variable that can be set back, or an element of one.
#[derive(Clone, Debug)]
struct Element {
    cells: CellsId,
    number: u32,
    offset: usize,
    scalar: Scalar,
    /// What it is set back to; it is left alone while that is not known.
    value: Option<i32>,
}

/// A value to write into the globals or a frame: one, two, four or eight bytes, so that no call is needed to write it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Write {
    offset: u32,
    width: u32,
    value: u64,
}

/// A variable, or an element of one, that is dead now and then.
#[derive(Clone, Copy, Debug)]
pub struct DeadElement<'d> {
    /// Where it is declared: in a definition, or for all.
    pub owner: Option<DefinitionId>,
    /// The group of cells that it belongs to.
    pub cells: CellsId,
    /// Its number in the group.
    pub number: u32,
    /// What it is set back to; `None` if it is left alone.
    pub value: Option<i32>,
    dead: &'d DeadVariables,
    index: usize,
}

impl DeadElement<'_> {
    /// Whether a process of a definition at a location has a use for it. For a local: its own process.
    #[must_use]
    pub fn is_needed(&self, definition: DefinitionId, location: Location) -> bool {
        let process = &self.dead.definitions[definition.index()];
        match self.owner {
            Some(_) => process.live[location.index()][self.index],
            None => {
                let has_bit = self.index < self.dead.globals.with_bits;
                has_bit && process.needs[location.index()] >> self.index & 1 == 1
            }
        }
    }

    /// Whether it is set back somewhere.
    #[must_use]
    pub fn is_set_back(&self) -> bool {
        let everywhere = |definition: DefinitionId| {
            self.dead.definitions[definition.index()].live.iter().all(|live| live[self.index])
        };
        self.value.is_some() && !self.owner.is_some_and(everywhere)
    }
}

impl DeadVariables {
    /// The variables of a machine that are dead now and then; `None` where there are none, useless ones included.
    #[must_use]
    pub fn with_useless(machine: &Machine) -> Option<DeadVariables> {
        if machine.features.embedded_c {
            return None;
        }
        let watched = Watched::of(machine).without_useless(machine);
        let dead = DeadVariables::analyse(machine, &watched, Useless::Dead);
        let mut locals = dead.definitions.iter().flat_map(|each| each.live.iter().flatten());
        (locals.any(|is_live| !is_live) || !dead.globals.elements.is_empty()).then_some(dead)
    }

    /// The same, useless variables aside: globals that nobody ever reads stay as they are, and so does what is read for another variable
    /// only. `None` where there are not even useless ones.
    #[must_use]
    pub fn of(machine: &Machine) -> Option<DeadVariables> {
        DeadVariables::with_useless(machine)?;
        Some(DeadVariables::analyse(machine, &Watched::of(machine), Useless::Kept))
    }

    fn analyse(machine: &Machine, watched: &Watched, useless: Useless) -> DeadVariables {
        let layout = &machine.layout;
        let ids = || (0..machine.definitions.len() as u32).map(DefinitionId);
        let analyses: Vec<Analysis<'_>> = ids().map(|id| Analysis::of_locals(machine, id, watched)).collect();
        let (globals, needs) = DeadGlobals::of(machine, watched, useless);
        let definitions = analyses.into_iter().zip(needs).zip(&layout.frames).map(|((analysis, needs), frame)| {
            let live = analysis.live(&[]);
            let frame_size = frame.size as usize;
            DeadInDefinition { frame_size, elements: analysis.elements, live, writes: Vec::new(), needs }
        });
        let header = Header::of(layout);
        let mut dead = DeadVariables { header, definitions: definitions.collect(), globals };
        dead.join();
        dead
    }

    /// The elements of a definition's locals, or of the globals, that are dead now and then.
    pub fn elements(&self, owner: Option<DefinitionId>) -> impl Iterator<Item = DeadElement<'_>> {
        let elements = match owner {
            Some(definition) => &self.definitions[definition.index()].elements,
            None => &self.globals.elements,
        };
        elements.iter().enumerate().map(move |(index, &Element { cells, number, value, .. })| DeadElement {
            owner,
            cells,
            number,
            value,
            dead: self,
            index,
        })
    }

    /// The elements of globals that are set back in every state. Other elements of the same array may be live.
    pub fn always_dead(&self) -> impl Iterator<Item = (CellsId, u32)> {
        let useless = self.globals.elements[self.globals.with_bits..].iter();
        useless.filter(|element| element.value.is_some()).map(|element| (element.cells, element.number))
    }

    /// Changes what elements are set back to: the same for all processes of a definition, `None` to leave one alone.
    pub fn set_back_to(&mut self, value_of: impl Fn(DeadElement<'_>) -> Option<i32>) {
        let ids = (0..self.definitions.len() as u32).map(|id| Some(DefinitionId(id)));
        for owner in ids.chain([None]) {
            let values: Vec<Option<i32>> = self.elements(owner).map(&value_of).collect();
            let elements = match owner {
                Some(definition) => &mut self.definitions[definition.index()].elements,
                None => &mut self.globals.elements,
            };
            elements.iter_mut().zip(values).for_each(|(element, value)| element.value = value);
        }
        self.join();
    }

    /// Leaves some globals alone: somebody looks at their values who is no process.
    #[must_use]
    pub fn without_globals(mut self, is_kept: impl Fn(CellsId) -> bool) -> DeadVariables {
        let kept = self.globals.elements.iter_mut().filter(|element| is_kept(element.cells));
        kept.for_each(|element| element.value = None);
        self.join();
        self
    }

    /// Keeps locals at the locations where they are to be kept.
    pub fn keep(&mut self, is_kept: impl Fn(Location, DeadElement<'_>) -> bool) {
        for id in (0..self.definitions.len() as u32).map(DefinitionId) {
            let mut live = self.definitions[id.index()].live.clone();
            for (location, live) in live.iter_mut().enumerate() {
                let location = Location(location as u32);
                let kept = self.elements(Some(id)).map(|element| is_kept(location, element));
                live.iter_mut().zip(kept).for_each(|(live, kept)| *live |= kept);
            }
            self.definitions[id.index()].live = live;
        }
        self.join();
    }

    /// Whether nothing is set back anywhere.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let mut locals = self.definitions.iter().flat_map(|definition| &definition.writes);
        locals.all(|writes| writes.is_empty()) && self.globals.written == 0 && self.globals.always.is_empty()
    }

    /// Works out what is to be written.
    fn join(&mut self) {
        for definition in &mut self.definitions {
            let writes = definition.live.iter().map(|live| {
                let dead = definition.elements.iter().zip(live).filter(|(_, live)| !**live);
                joined(dead.map(|(element, _)| element))
            });
            definition.writes = writes.collect();
        }
        let (with_bits, useless) = self.globals.elements.split_at(self.globals.with_bits);
        self.globals.writes = with_bits.iter().map(Element::write).collect();
        let written = self.globals.writes.iter().enumerate().filter(|(_, write)| write.is_some());
        self.globals.written = written.fold(0, |bits, (bit, _)| bits | 1 << bit);
        self.globals.always = joined(useless.iter());
    }

    /// Sets the dead variables of a state back.
    pub fn reset(&self, state: &mut [u8]) {
        let mut frame = self.header.first;
        let mut needed = 0;
        for _ in 0..state[0] {
            let (definition, location) = self.place(state, frame);
            let definition = &self.definitions[definition];
            definition.writes[location].iter().for_each(|write| write.apply(state, frame));
            needed |= definition.needs[location];
            frame += definition.frame_size;
        }
        self.globals.reset(state, needed);
    }

    /// Sets back what is dead in one process, and what nobody ever needs; if the process is of another definition, all that is dead.
    #[inline]
    fn reset_locals(&self, definition: usize, frame: usize, state: &mut [u8]) {
        let (now, location) = self.place(state, frame);
        if now != definition {
            return self.reset(state);
        }
        self.definitions[definition].writes[location].iter().for_each(|write| write.apply(state, frame));
        self.globals.always.iter().for_each(|write| write.apply(state, 0));
        debug_assert!(self.is_reset(state), "one process has moved");
    }

    /// Where the frame of a process begins, and its definition.
    #[inline]
    fn frame(&self, state: &[u8], process: u8) -> (usize, usize) {
        let mut frame = self.header.first;
        for _ in 0..process {
            frame += self.definitions[self.header.definition(state, frame).index()].frame_size;
        }
        (frame, self.header.definition(state, frame).index())
    }

    /// Whether the dead variables of a state are set back.
    fn is_reset(&self, state: &[u8]) -> bool {
        let mut reset = state.to_vec();
        self.reset(&mut reset);
        reset == state
    }

    /// The definition and the location of the process whose frame begins there.
    #[inline]
    fn place(&self, state: &[u8], frame: usize) -> (usize, usize) {
        (self.header.definition(state, frame).index(), self.header.location(state, frame).index())
    }
}

impl DeadGlobals {
    /// The globals that are dead now and then, and for each definition and location those that it needs there.
    fn of(machine: &Machine, watched: &Watched, useless: Useless) -> (DeadGlobals, Vec<Vec<u128>>) {
        let ids = || (0..machine.definitions.len() as u32).map(DefinitionId);
        let mut analyses: Vec<Analysis<'_>> = ids().map(|id| Analysis::of_globals(machine, id, watched)).collect();
        let live = analysis::live_globals(machine, &analyses);
        let elements = analyses.pop().map_or_else(Vec::new, |analysis| analysis.elements);
        let mut needed: Vec<bool> = vec![false; elements.len()];
        for live in live.iter().flatten() {
            needed.iter_mut().zip(live).for_each(|(needed, live)| *needed |= live);
        }
        let mut chosen: Vec<usize> = (0..elements.len()).filter(|&index| needed[index]).take(MOST_GLOBALS).collect();
        let with_bits = chosen.len();
        let bits = |live: &Live| {
            chosen.iter().enumerate().fold(0_u128, |bits, (bit, &index)| bits | u128::from(live[index]) << bit)
        };
        let needs = live.iter().map(|by_location| by_location.iter().map(bits).collect()).collect();
        chosen.extend((0..elements.len()).filter(|&index| !needed[index] && useless == Useless::Dead));
        let elements = chosen.iter().map(|&index| elements[index].clone()).collect();
        (DeadGlobals { elements, with_bits, writes: Vec::new(), written: 0, always: Box::default() }, needs)
    }

    /// Sets back what no process needs.
    #[inline]
    fn reset(&self, state: &mut [u8], needed: u128) {
        let mut dead = self.written & !needed;
        while dead != 0 {
            let bit = dead.trailing_zeros() as usize;
            dead &= dead - 1;
            self.writes[bit].iter().for_each(|write| write.apply(state, 0));
        }
        self.always.iter().for_each(|write| write.apply(state, 0));
    }
}

impl Element {
    fn write(&self) -> Option<Write> {
        let mut bytes = [0; 8];
        let width = self.scalar.width();
        self.scalar.write(&mut bytes[..width as usize], self.value?);
        Some(Write { offset: self.offset as u32, width, value: u64::from_le_bytes(bytes) })
    }
}

impl Write {
    #[inline]
    fn apply(self, state: &mut [u8], frame: usize) {
        let bytes = self.value.to_le_bytes();
        let start = frame + self.offset as usize;
        match self.width {
            1 => state[start] = bytes[0],
            2 => state[start..start + 2].copy_from_slice(&bytes[..2]),
            4 => state[start..start + 4].copy_from_slice(&bytes[..4]),
            _ => state[start..start + 8].copy_from_slice(&bytes),
        }
    }
}

/// What is to be written to set elements back, neighbours together where their bytes fit into one value.
fn joined<'e>(elements: impl Iterator<Item = &'e Element>) -> Box<[Write]> {
    let mut dead: Vec<Write> = elements.filter_map(Element::write).collect();
    dead.sort_by_key(|write| write.offset);
    let mut joined: Vec<Write> = Vec::new();
    for write in dead {
        joined.push(write);
        while let [.., one, two] = joined[..]
            && one.width == two.width
            && one.width < 8
            && one.offset + one.width == two.offset
        {
            let value = one.value | two.value << (8 * one.width);
            joined.truncate(joined.len() - 2);
            joined.push(Write { offset: one.offset, width: 2 * one.width, value });
        }
    }
    joined.into()
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
        let dead = DeadVariables::with_useless(&machine);
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

    #[test]
    fn a_global_is_dead_while_nobody_will_read_it_before_writing_it() {
        let text = "byte g, n; active [2] proctype P() { do :: atomic { n == 0 -> g = _pid + 1; n = 1 }; assert(g == _pid + 1); n = 0 od }";
        let machine = read(text);
        let dead = DeadVariables::of(&machine).expect("g dies");
        let interpreter = Interpreter::new(&machine);
        let mut state = interpreter.initial().expect("it has one");
        let g = machine.layout.globals.cells[0].element_offset(0) as usize;
        let mut seen = Vec::new();
        for _ in 0..3 {
            state = interpreter.successors(&state).transitions[0].target.clone();
            let mut bytes = state.bytes().to_vec();
            dead.reset(&mut bytes);
            seen.push((state.bytes()[g], bytes[g]));
        }
        // It is asserted, then nobody needs it any more.
        assert_eq!(seen, [(2, 2), (2, 0), (2, 0)]);
    }

    #[test]
    fn a_global_that_a_later_process_reads_is_live() {
        let text = "byte g; proctype Q() { assert(g == 1) } init { g = 1; run Q(); g = 0 }";
        let machine = read(text);
        let dead = DeadVariables::of(&machine).expect("g dies at the end");
        let interpreter = Interpreter::new(&machine);
        let mut state = interpreter.initial().expect("it has one");
        let g = machine.layout.globals.cells[0].element_offset(0) as usize;
        for _ in 0..2 {
            state = interpreter.successors(&state).transitions[0].target.clone();
            let mut bytes = state.bytes().to_vec();
            dead.reset(&mut bytes);
            assert_eq!(bytes[g], 1);
        }
    }

    #[test]
    fn a_global_that_a_formula_asks_for_is_kept() {
        let has_dead = |text: &str| DeadVariables::with_useless(&read(text)).is_some();
        assert!(has_dead("byte g; active [2] proctype P() { do :: g = _pid; assert(g < 2) od }"));
        assert!(has_dead("byte g; active [2] proctype P() { do :: g = _pid od }"));
        let unread = read("byte g; active [2] proctype P() { do :: g = _pid od }");
        assert!(DeadVariables::of(&unread).expect("a useless one").is_empty());
        assert!(!has_dead("byte g; active [2] proctype P() { do :: g = _pid; assert(g < 2) od } ltl p { [] (g < 2) }"));
    }

    #[test]
    fn what_is_only_written_is_forgotten_at_once() {
        // Each counts for ever, and in the end nobody knows.
        for text in [
            "int g; active proctype P() { do :: g++ od }",
            "int g[3]; active proctype P() { do :: g[_pid]++ od }",
            "int g, h; active proctype P() { int x; do :: x = x + 1; g = h + x; h = -g od }",
            "int g; active proctype P() { do :: d_step { g++; g = g * 2 + 1 } od }",
            "int g; active proctype P() { do :: g++; printf(\"%d\", g) od }",
        ] {
            let (plain, trimmed) = states(text);
            assert!(plain >= 30 && trimmed <= 3, "{text}: {plain}, {trimmed}");
        }
        // Each of these can end, fail or be seen.
        for text in [
            "int g; active proctype P() { do :: g++; assert(g < 1000) od }",
            "int g, h; active proctype P() { do :: g++; h = 1 / g od }",
            "int g; bit a[2]; active proctype P() { do :: g++; a[g - g] = 1 od }",
            "int g; bit a[2]; bool b; active proctype P() { do :: g++; b = (g != 7 || a[_pid]) od }",
            "int g, h; active proctype P() { do :: g++; h = g; assert(h < 1000) od }",
            "int g; active proctype P() provided (g < 1000) { do :: g++ od }",
            "int g; active proctype P() { do :: g++ od } ltl p { [] (g < 1000) }",
            "chan q = [1] of { int }; int g; active proctype P() { int x; do :: g++; q!g; q?x; assert(x < 1000) od }",
        ] {
            let (plain, trimmed) = states(text);
            assert!(trimmed >= 25, "{text}: {plain}, {trimmed}");
        }
    }
}
