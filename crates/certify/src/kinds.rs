//! Kinds: which values of a model are numbers, and which are names that a renaming renames.
//!
//! Kind 0 are numbers. The others are kinds of names: a renaming permutes the values of each. One kind holds the numbers of processes and one
//! the numbers of channels (they may be the same one). A certificate says of which kind every variable, every index and every field of a message is. It
//! is not believed: a program is compared with its renamed self by rules that only hold if the kinds fit together ([`crate::prover`]).

use machine::Machine;
use machine::layout::{Area, Cells};

use crate::file::{Reader, Writer};
use crate::{Accepted, Rejection};

/// A kind of values; 0 are the numbers.
pub type Kind = u8;

/// The kind of numbers.
pub const NUMBER: Kind = 0;

/// The kinds of everything in the states of a region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kinds {
    /// The definition of each process, in the order of their numbers.
    pub processes: Vec<u32>,
    /// How many kinds there are, numbers included.
    pub count: Kind,
    /// The kind of the numbers of processes.
    pub process: Kind,
    /// The kind of the numbers of channels.
    pub channel: Kind,
    /// Of each group of global cells.
    pub globals: Vec<CellKinds>,
    /// Of each definition: of each group of its cells.
    pub frames: Vec<Vec<CellKinds>>,
    /// Of each channel, in the order of their numbers: of each field.
    pub fields: Vec<Vec<Kind>>,
}

/// The kinds of a group of cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellKinds {
    /// Of what they hold.
    pub content: Kind,
    /// Of the indices of each array on the path, from the outside in.
    pub indices: Vec<Kind>,
}

impl CellKinds {
    /// Numbers, indexed by numbers.
    #[must_use]
    pub fn numbers(cells: &Cells) -> CellKinds {
        CellKinds { content: NUMBER, indices: vec![NUMBER; lengths(cells).count()] }
    }
}

/// The lengths of the arrays on the path of a group of cells, from the outside in.
pub fn lengths(cells: &Cells) -> impl DoubleEndedIterator<Item = u32> {
    cells.path.iter().filter_map(|part| part.length)
}

/// The index of a cell in each array on its path.
#[must_use]
pub fn indices(cells: &Cells, mut element: u32) -> Vec<u32> {
    let mut indices = Vec::new();
    for length in lengths(cells).rev() {
        indices.push(element % length.max(1));
        element /= length.max(1);
    }
    indices.reverse();
    indices
}

/// The cell with these indices.
#[must_use]
pub fn element(cells: &Cells, indices: &[u32]) -> u32 {
    lengths(cells).zip(indices).fold(0, |element, (length, index)| element * length + index)
}

impl Kinds {
    /// Everything is a number, in states with processes of these definitions.
    #[must_use]
    pub fn numbers(machine: &Machine, processes: Vec<u32>) -> Kinds {
        let layout = &machine.layout;
        let of_area = |area: &Area| area.cells.iter().map(CellKinds::numbers).collect();
        let mut kinds = Kinds {
            processes,
            count: 1,
            process: NUMBER,
            channel: NUMBER,
            globals: of_area(&layout.globals),
            frames: layout.frames.iter().map(of_area).collect(),
            fields: Vec::new(),
        };
        let shapes = kinds.channels(machine).map(|(_, channel)| layout.shape(channel.shape).fields.len());
        kinds.fields = shapes.map(|fields| vec![NUMBER; fields]).collect();
        kinds
    }

    /// The channels of these processes: who owns each, by the number of a process, and what it is, in the order of their numbers.
    pub fn channels<'m>(
        &self,
        machine: &'m Machine,
    ) -> impl Iterator<Item = (Option<usize>, &'m machine::layout::OwnedChannel)> {
        let layout = &machine.layout;
        let own = self.processes.clone().into_iter().enumerate();
        let own = own.flat_map(|(pid, definition)| {
            layout.frames[definition as usize].channels.iter().map(move |channel| (Some(pid), channel))
        });
        layout.globals.channels.iter().map(|channel| (None, channel)).chain(own)
    }

    /// Writes them.
    pub fn write(&self, into: &mut Writer) {
        into.numbers(self.processes.iter().map(|&definition| u64::from(definition)));
        [self.count, self.process, self.channel].iter().for_each(|&kind| into.byte(kind));
        let cells = self.globals.iter().chain(self.frames.iter().flatten());
        cells.for_each(|cells| into.bytes(&[&[cells.content], &cells.indices[..]].concat()));
        self.fields.iter().for_each(|fields| into.bytes(fields));
    }

    /// Reads those of a machine, as many as it needs.
    ///
    /// # Errors
    /// When they are not those of the machine's variables and channels.
    pub fn read(from: &mut Reader<'_>, machine: &Machine) -> Accepted<Kinds> {
        let layout = &machine.layout;
        let known = |&definition: &u64| definition < layout.frames.len() as u64;
        let processes = from.numbers(255)?;
        if !processes.iter().all(known) {
            return Err(Rejection::new("a process of the group is of no definition"));
        }
        let processes = processes.into_iter().map(|definition| definition as u32).collect();
        let (count, process, channel) = (from.byte()?, from.byte()?, from.byte()?);
        let kind = |from: &mut Reader<'_>| match from.byte()? {
            kind if kind < count => Ok(kind),
            _ => Err(Rejection::new("a kind is out of range")),
        };
        let of_area = |from: &mut Reader<'_>, area: &Area| {
            let of_cells = |cells: &Cells| {
                let content = kind(from)?;
                let indices = lengths(cells).map(|_| kind(from)).collect::<Accepted<Vec<Kind>>>()?;
                Ok(CellKinds { content, indices })
            };
            area.cells.iter().map(of_cells).collect::<Accepted<Vec<CellKinds>>>()
        };
        let globals = of_area(from, &layout.globals)?;
        let frames = layout.frames.iter().map(|area| of_area(from, area)).collect::<Accepted<Vec<_>>>()?;
        let mut kinds = Kinds { processes, count, process, channel, globals, frames, fields: Vec::new() };
        if process >= count || channel >= count {
            return Err(Rejection::new("a kind is out of range"));
        }
        let shapes: Vec<usize> =
            kinds.channels(machine).map(|(_, channel)| layout.shape(channel.shape).fields.len()).collect();
        for fields in shapes {
            kinds.fields.push((0..fields).map(|_| kind(from)).collect::<Accepted<Vec<Kind>>>()?);
        }
        Ok(kinds)
    }
}
