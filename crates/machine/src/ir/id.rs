//! Typed numbers: a location can never index actions, nor a process a channel.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub $inner);

        impl $name {
            /// The number as an index into the table it belongs to.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A process definition: a proctype or `init`. An index into [`Machine::definitions`](crate::Machine::definitions).
    DefinitionId(u32)
);
id!(
    /// A group of cells in an [`Area`](crate::layout::Area).
    CellsId(u32)
);
id!(
    /// A shape of channel: capacity and field types.
    ChannelShapeId(u32)
);
id!(
    /// A control location of one automaton, numbered as SPIN numbers its states: from 1.
    Location(u32)
);
id!(
    /// An action of the machine, over all automata.
    ActionId(u32)
);
id!(
    /// A process of a state: SPIN's `_pid`.
    Pid(u8)
);
id!(
    /// A channel of a state as SPIN numbers them: from 1; 0 is "no channel".
    ChannelNumber(u8)
);
id!(
    /// A piece of embedded C.
    CodeId(u32)
);
id!(
    /// A cell of a [configuration](crate::ground::Configuration): a scalar variable, or a scalar element of one.
    CellId(u32)
);
id!(
    /// A group of cells of one owner: a variable, or a field of one.
    GroupId(u32)
);
id!(
    /// A channel of a configuration; its number in Promela is one more.
    ChannelId(u32)
);
id!(
    /// A place of a scalar in the vectors of a configuration: see [`Slots`](crate::ground::Slots).
    SlotId(u32)
);
id!(
    /// An occurrence of a [term](crate::ground::Term).
    TermId(u32)
);

impl ChannelId {
    /// The value that names it.
    #[must_use]
    pub fn number(self) -> i32 {
        self.0 as i32 + 1
    }
}
