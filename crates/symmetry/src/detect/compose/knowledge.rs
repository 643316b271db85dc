//! What is known at some point of a step that is put together: values of cells, and how full channels are.

use machine::expression::{BinaryOp, ChannelProbe};
use machine::ground::{CellId, ChannelId, ChannelTerm, FieldTerm, Reference, Step, Term, TermId};
use rustc_hash::FxHashMap;

use super::super::commute;
use super::super::guards;
use super::Composer;

/// What is known.
#[derive(Clone, Default)]
pub(super) struct Store {
    values: FxHashMap<CellId, i32>,
    channels: FxHashMap<ChannelId, Fill>,
}

/// What is known of a channel: for how many messages there is room, and how many it holds, at least.
#[derive(Clone, Copy, Default)]
struct Fill {
    room: u32,
    held: u32,
}

impl Store {
    /// The value of a cell.
    pub fn value(&self, cell: CellId) -> Option<i32> {
        self.values.get(&cell).copied()
    }

    /// The cells whose values are known.
    pub fn known(&self) -> impl Iterator<Item = CellId> {
        self.values.keys().copied()
    }

    /// Forgets the values of some cells.
    pub fn retain(&mut self, is_kept: impl Fn(CellId) -> bool) {
        self.values.retain(|&cell, _| is_kept(cell));
    }

    /// What is known in both cases.
    pub fn common(&self, other: &Store) -> Store {
        let values = self.values.iter().filter(|(cell, value)| other.values.get(cell) == Some(value));
        let both = self.channels.iter().filter_map(|(id, fill)| Some((*id, *fill, *other.channels.get(id)?)));
        let channels =
            both.map(|(id, one, other)| (id, Fill { room: one.room.min(other.room), held: one.held.min(other.held) }));
        Store { values: values.map(|(&cell, &value)| (cell, value)).collect(), channels: channels.collect() }
    }

    /// Whether two states in which these things are known cannot be the same.
    pub fn differs(&self, other: &Store) -> bool {
        self.values.iter().any(|(cell, value)| other.values.get(cell).is_some_and(|known| known != value))
    }

    /// Whether a step on a channel cannot block: there is room, or there is a message of which nothing is asked.
    pub fn cannot_block(&self, step: &Step) -> bool {
        let fill = |channel: &ChannelTerm| match channel {
            ChannelTerm::Known(id) => self.channels.get(id).copied().unwrap_or_default(),
            _ => Fill::default(),
        };
        match step {
            Step::Send { channel, .. } => fill(channel).room > 0,
            Step::Receive { channel, fields, .. } => {
                fill(channel).held > 0 && !fields.iter().any(|field| matches!(field, FieldTerm::Match(_)))
            }
            _ => false,
        }
    }
}

impl Composer<'_, '_> {
    /// Takes note of what a condition that holds says: `x == 3`, `empty(q)`.
    pub(super) fn assume(&self, store: &mut Store, step: &Step) {
        let Step::Condition(condition) = step else { return };
        self.assume_all(store, *condition, true);
    }

    pub(super) fn assume_all(&self, store: &mut Store, condition: TermId, holds: bool) {
        for (part, holds) in guards::conjuncts(&self.program.terms, condition, holds) {
            self.assume_value(store, part, holds);
            self.assume_fill(store, part, holds);
        }
    }

    fn assume_value(&self, store: &mut Store, part: TermId, holds: bool) {
        let terms = &self.program.terms;
        let (op, left, right) = match terms.get(part) {
            Term::Binary(op, left, right) => (*op, *left, *right),
            _ => return,
        };
        if (op, holds) != (BinaryOp::Equal, true) && (op, holds) != (BinaryOp::NotEqual, false) {
            return;
        }
        let pair = match (terms.get(left), terms.get(right)) {
            (Term::Load(Reference::Cell(cell)), Term::Constant(value)) => (*cell, *value),
            (Term::Constant(value), Term::Load(Reference::Cell(cell))) => (*cell, *value),
            _ => return,
        };
        let configuration = &self.program.configuration;
        if !configuration.layout_of(configuration.cells[pair.0.index()]).hidden && !self.untracked.contains(&pair.0) {
            store.values.insert(pair.0, pair.1);
        }
    }

    fn assume_fill(&self, store: &mut Store, part: TermId, holds: bool) {
        let terms = &self.program.terms;
        let length = |id: TermId| match terms.get(id) {
            Term::Probe(ChannelProbe::Len, ChannelTerm::Known(channel)) => Some(*channel),
            _ => None,
        };
        let (channel, fill) = match terms.get(part) {
            Term::Probe(probe, ChannelTerm::Known(channel)) => {
                let all = self.capacity(*channel);
                let fill = match (probe, holds) {
                    (ChannelProbe::Empty, true) | (ChannelProbe::NotEmpty, false) => Fill { room: all, held: 0 },
                    (ChannelProbe::Full, true) | (ChannelProbe::NotFull, false) => Fill { room: 0, held: all },
                    (ChannelProbe::Empty, false) | (ChannelProbe::NotEmpty, true) => Fill { room: 0, held: 1.min(all) },
                    (ChannelProbe::Full, false) | (ChannelProbe::NotFull, true) => Fill { room: 1.min(all), held: 0 },
                    (ChannelProbe::Len, _) => return,
                };
                (*channel, fill)
            }
            Term::Binary(op, left, right) => {
                let (Some(channel), Some(number)) = (length(*left), terms.constant(*right)) else { return };
                let all = i64::from(self.capacity(channel));
                let number = i64::from(number);
                let (least, most) = match (op, holds) {
                    (BinaryOp::Equal, true) | (BinaryOp::NotEqual, false) => (number, number),
                    (BinaryOp::Less, true) | (BinaryOp::GreaterEqual, false) => (0, number - 1),
                    (BinaryOp::LessEqual, true) | (BinaryOp::Greater, false) => (0, number),
                    (BinaryOp::Greater, true) | (BinaryOp::LessEqual, false) => (number + 1, all),
                    (BinaryOp::GreaterEqual, true) | (BinaryOp::Less, false) => (number, all),
                    _ => return,
                };
                // A comparison with more than there can be, or less than nothing, tells nothing.
                let count = |number: i64| u32::try_from(number.clamp(0, all)).unwrap_or(0);
                let fill = Fill { room: count(all - most), held: count(least) };
                (channel, fill)
            }
            _ => return,
        };
        let known = store.channels.entry(channel).or_default();
        *known = Fill { room: known.room.max(fill.room), held: known.held.max(fill.held) };
    }

    /// Takes note of what is known after a step.
    pub(super) fn learn(&mut self, store: &mut Store, step: &Step) {
        let constant = match step {
            Step::Assign(Reference::Cell(_), value) => self.program.terms.constant(*value),
            _ => None,
        };
        if constant.is_none() {
            let written = commute::written(&self.program, step);
            self.lost.extend(written.into_iter().filter(|cell| store.values.contains_key(cell)));
        }
        let fill = self.fill_after(store, step);
        self.forget(store, step);
        store.channels.extend(fill);
        if let (Step::Assign(Reference::Cell(cell), _), Some(value)) = (step, constant)
            && !self.untracked.contains(cell)
        {
            let configuration = &self.program.configuration;
            let scalar = configuration.layout_of(configuration.cells[cell.index()]).scalar;
            store.values.insert(*cell, scalar.truncate(value));
        }
    }

    pub(super) fn forget(&self, store: &mut Store, step: &Step) {
        for cell in commute::written(&self.program, step) {
            store.values.remove(&cell);
        }
        if matches!(step, Step::Condition(_) | Step::Assign(..) | Step::Assert(_) | Step::Evaluate(_)) {
            return;
        }
        let mut forgotten = Vec::new();
        self.program.visit_step(step, &mut |_| {}, &mut |channel| forgotten.push(channel.clone()));
        for channel in forgotten {
            match channel {
                ChannelTerm::Known(id) => {
                    store.channels.remove(&id);
                }
                ChannelTerm::Variable(_) => store.channels.clear(),
                ChannelTerm::Missing => {}
            }
        }
    }

    fn capacity(&self, channel: ChannelId) -> u32 {
        let configuration = &self.program.configuration;
        configuration.machine.layout.shape(configuration.channels[channel.index()].shape).capacity
    }

    /// What is known of the channel that a step uses, after it.
    fn fill_after(&self, store: &Store, step: &Step) -> Option<(ChannelId, Fill)> {
        let (channel, room, held): (_, i32, i32) = match step {
            Step::Send { channel: ChannelTerm::Known(id), .. } => (*id, -1, 1),
            Step::Receive { channel: ChannelTerm::Known(id), copy: false, .. } => (*id, 1, -1),
            _ => return None,
        };
        let fill = store.channels.get(&channel).copied().unwrap_or_default();
        // A message that is sent to a full channel may be lost.
        let count = |known: u32, change: i32| known.saturating_add_signed(change).min(self.capacity(channel));
        Some((channel, Fill { room: count(fill.room, room), held: count(fill.held, held) }))
    }
}
