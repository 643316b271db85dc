//! Kinds flow: what is copied to, compared with or indexed by a name is a name.
//!
//! Detection knows names by the values that are possible. A variable that never holds one, or a message of a rendezvous, which lies in no state, has no
//! values that tell its kind, but the checker asks for it. So kinds spread along assignments, comparisons, indices and messages. A wrong guess costs a
//! symmetry, never truth: the checker decides.

use certify::kinds::{Kind, Kinds, NUMBER};
use certify::region::Region;
use machine::Machine;
use machine::action::{ActionKind, Field};
use machine::expression::{BinaryOp, ChannelRef, Expr, Index, Owner, Place};
use machine::id::ActionId;

/// Something that has a kind.
#[derive(Clone, Copy)]
enum Holder {
    /// What cells hold: of a definition, or global ones.
    Content(Option<usize>, usize),
    /// An index of cells.
    Index(Option<usize>, usize, usize),
    /// A field of a channel.
    Field(usize, usize),
}

/// Lets kinds spread until nothing changes.
pub(super) fn spread(region: &Region, kinds: &mut Kinds) {
    let mut pairs = Vec::new();
    for pid in 0..region.frames.len() {
        let flow = Flow { region, pid };
        actions(&region.machine, region, pid).into_iter().for_each(|action| flow.of_action(action, &mut pairs));
    }
    while pairs.iter().fold(false, |changed, &(one, other)| join(kinds, one, other) || changed) {}
}

/// Gives the kind of a name to what is taken for a number.
fn join(kinds: &mut Kinds, one: Holder, other: Holder) -> bool {
    match (*kind(kinds, one), *kind(kinds, other)) {
        (NUMBER, NUMBER) => false,
        (NUMBER, name) => {
            *kind(kinds, one) = name;
            true
        }
        (name, NUMBER) => {
            *kind(kinds, other) = name;
            true
        }
        _ => false,
    }
}

fn kind(kinds: &mut Kinds, holder: Holder) -> &mut Kind {
    match holder {
        Holder::Content(None, cells) => &mut kinds.globals[cells].content,
        Holder::Content(Some(definition), cells) => &mut kinds.frames[definition][cells].content,
        Holder::Index(None, cells, place) => &mut kinds.globals[cells].indices[place],
        Holder::Index(Some(definition), cells, place) => &mut kinds.frames[definition][cells].indices[place],
        Holder::Field(channel, field) => &mut kinds.fields[channel][field],
    }
}

/// What one process copies and compares.
struct Flow<'r> {
    region: &'r Region,
    pid: usize,
}

impl Flow<'_> {
    fn owner(&self, place: &Place) -> Option<usize> {
        match &place.owner {
            Owner::Global => None,
            Owner::Own => Some(self.region.definition(self.pid).index()),
            Owner::Remote(definition, _) => Some(definition.index()),
        }
    }

    fn content(&self, place: &Place) -> Holder {
        Holder::Content(self.owner(place), place.cells.index())
    }

    fn of_action(&self, action: ActionId, into: &mut Vec<(Holder, Holder)>) {
        let action = self.region.machine.action(action);
        action.any(&mut |expr| {
            self.of_expression(expr, into);
            false
        });
        match &action.kind {
            ActionKind::Assign(place, value) => {
                self.of_place(place, into);
                self.copied(self.content(place), value, into);
            }
            ActionKind::Send(send) => {
                for (field, value) in send.values.iter().enumerate() {
                    self.fields(&send.channel, field).for_each(|to| self.copied(to, value, into));
                }
            }
            ActionKind::Receive(receive) => {
                for (number, field) in receive.fields.iter().enumerate() {
                    for from in self.fields(&receive.channel, number) {
                        match field {
                            Field::Bind(place) => into.push((from, self.content(place))),
                            Field::Match(value) => self.copied(from, value, into),
                            Field::Ignore => {}
                        }
                    }
                    if let Field::Bind(place) = field {
                        self.of_place(place, into);
                    }
                }
            }
            _ => {}
        }
    }

    fn of_expression(&self, expr: &Expr, into: &mut Vec<(Holder, Holder)>) {
        match expr {
            Expr::Load(place) | Expr::Remote(place) => self.of_place(place, into),
            Expr::Binary(BinaryOp::Equal | BinaryOp::NotEqual, left, right, _) => {
                for place in sources(left) {
                    self.copied(self.content(place), right, into);
                }
            }
            _ => {}
        }
    }

    fn of_place(&self, place: &Place, into: &mut Vec<(Holder, Holder)>) {
        let Index::Computed(indices) = &place.index else { return };
        for (number, (index, _)) in indices.iter().enumerate() {
            self.copied(Holder::Index(self.owner(place), place.cells.index(), number), index, into);
        }
    }

    fn copied(&self, to: Holder, value: &Expr, into: &mut Vec<(Holder, Holder)>) {
        into.extend(sources(value).into_iter().map(|place| (to, self.content(place))));
    }

    /// A field of every channel that a statement may mean.
    fn fields(&self, channel: &ChannelRef, field: usize) -> impl Iterator<Item = Holder> {
        let is_meant = |&number: &usize| match channel {
            ChannelRef::Global(index) => number == *index as usize,
            ChannelRef::Variable(Place { owner: Owner::Global, cells, .. }) => {
                self.region.may_hold(cells.index(), number)
            }
            ChannelRef::Own(_) | ChannelRef::Variable(_) => true,
        };
        let fields = |number: usize| self.region.kinds.fields[number].len();
        (0..self.region.channels.len())
            .filter(is_meant)
            .filter(move |&number| field < fields(number))
            .map(move |number| Holder::Field(number, field))
            .collect::<Vec<Holder>>()
            .into_iter()
    }
}

/// The variables whose values an expression may have.
fn sources(expr: &Expr) -> Vec<&Place> {
    match expr {
        Expr::Load(place) => vec![place],
        Expr::Conditional(_, yes, no) => [sources(yes), sources(no)].concat(),
        _ => Vec::new(),
    }
}

/// The actions of a process, those inside of a `d_step` included.
fn actions(machine: &Machine, region: &Region, pid: usize) -> Vec<ActionId> {
    let locations = &machine.definition(region.definition(pid)).automaton.locations;
    let mut actions: Vec<ActionId> =
        locations.iter().flat_map(|location| &location.edges).map(|edge| edge.action).collect();
    let mut next = 0;
    while let Some(&action) = actions.get(next) {
        next += 1;
        if let ActionKind::Deterministic(body) = &machine.action(action).kind {
            actions.extend(body.nodes.iter().flat_map(|node| &node.edges).map(|edge| edge.action));
        }
    }
    actions
}
