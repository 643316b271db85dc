//! Partial-order reduction: in which states it suffices to let some of the processes move.
//!
//! From a state, let `A` be a set of processes such that nothing a process outside of `A` may ever do, from where it
//! is now, conflicts (`conflict`) with what a process of `A` may do *next*. Then the moves of `A` are a persistent set (Godefroid,
//! LNCS 1032, definition 4.1 and algorithm 2, with "next transition" and "transitions reachable from the current location"
//! for the operations; Overman's closure), which is the ample set of Clarke, Grumberg and Peled (Model Checking, chapter 10):
//!
//! - **C0** `A` has a move, unless no process has: a set without one is not proposed.
//! - **C1** Before a move of `A`, nothing happens that depends on one. Others cannot disable or enable moves of `A`, nor
//!   does the order matter: that is what "no conflict" means. A rendezvous takes a process of `A` and one outside only if their
//!   uses of the channel conflict. `timeout` is false for everybody as long as `A` can move. An `atomic` sequence is one
//!   transition, so all its actions count as next; and as it is interrupted where it has to wait, waiting inside it is
//!   itself observable: see [`Footprint::watch_channels`]. The same holds beside an `else` or an escape, and in a
//!   `D_proctype`.
//! - **C2** Moves of `A` do not change what the property reads: the property is an observer that conflicts with them. An assertion
//!   needs no observer, because it is an action: what it reads is written by nobody outside of `A` before it is executed. The same
//!   holds for run-time errors. Deadlocks are kept by C0 and C1 alone.
//! - **C3** No move is put off for ever: the business of the search, which may ask for another set or for all moves.
//!
//! SPIN's static reduction (Holzmann and Peled, FORTE 1994) is the case of one process whose moves touch nothing that any
//! other process can touch at any time.

mod anonymous;
mod conflict;
mod creation;
mod endless;
mod fair;
mod layer;
mod pairs;
mod present;
mod processes;
mod reach;
mod rows;
mod slots;

use std::sync::{Arc, Mutex};

use rustc_hash::FxHashMap;
use system::{Arena, Grouped};

pub use self::endless::Proviso;
pub use self::layer::Ample;

use self::conflict::{Condition, Touched, conflict};
use self::creation::Creation;
use self::pairs::{Pairs, Question};
use self::present::{Header, Instance, InstanceId, Presence};
use self::processes::{Resolver, Station, Who, stations};
use self::rows::Rows;
use self::slots::Slots;
use crate::claim::Claim;
use crate::dead::DeadVariables;

pub(crate) use self::slots::actions_of;
use crate::footprint::Footprint;
use crate::generate::Refusal;
use crate::id::{ActionId, CellsId, DefinitionId, Location};
use crate::machine::Machine;
use crate::state::read_number;

/// With more processes than this nothing is reduced.
const MOST_PROCESSES: usize = 128;

/// Chooses processes that may move alone. Each worker of a search has its own.
#[derive(Clone, Debug)]
pub struct AmpleSets {
    machine: Arc<Machine>,
    shared: Arc<Shared>,
    /// Processes met so far: definition, pid, fixed values.
    known: FxHashMap<Vec<u8>, InstanceId>,
    instances: Vec<Arc<Instance>>,
    /// Conflicts of processes with each other.
    pairs: Pairs,
    header: Header,
    /// The processes of the current state.
    present: Vec<Presence>,
    /// Whether all channels that they name exist: the number of one that does not may be given to another.
    channels_exist: bool,
    /// For each of them the processes that conflict with its next transition.
    rows: Rows,
    /// The sets of the current state that were found and not proposed yet, best last.
    candidates: Vec<u128>,
    /// Whether there may be sets of several processes that were not looked for yet.
    larger: bool,
    fairness: Fair,
    key: Vec<u8>,
}

/// Whether fair runs are kept, too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
enum Fair {
    #[default]
    Ignored,
    Kept,
}

/// What all workers share.
#[derive(Debug)]
struct Shared {
    slots: Slots,
    stations: Vec<Vec<Station>>,
    lives: Vec<Touched>,
    observer: Touched,
    /// By definition and location: whether the next transition is to be taken only when everybody may move. Empty if nowhere.
    guarded: Vec<Vec<bool>>,
    creation: Creation,
    /// Processes that some worker has met: what is known of one is worked out once.
    met: Mutex<FxHashMap<Vec<u8>, Arc<Instance>>>,
}

impl AmpleSets {
    /// The reduction for a machine and what properties read: `observed`.
    ///
    /// # Errors
    /// When the model uses something that makes every step depend on every other.
    pub fn new(machine: Arc<Machine>, observed: &[Footprint]) -> Result<AmpleSets, Refusal> {
        AmpleSets::build(machine, observed, Vec::new(), &[])
    }

    /// The reduction for states in which dead variables are set back: what is dead in all of them is nobody's business.
    ///
    /// # Errors
    /// As for [`AmpleSets::new`].
    pub fn for_trimmed(machine: Arc<Machine>, dead: &DeadVariables) -> Result<AmpleSets, Refusal> {
        let unseen: Vec<(CellsId, u32)> = dead.always_dead().collect();
        AmpleSets::build(machine, &[], Vec::new(), &unseen)
    }

    /// The reduction for a claim about infinite runs whose verdict does not depend on how often states are repeated. Who has to see to it that
    /// nothing is put off for ever is told by `proviso`. If it is the search, what is left out may depend on the claim's state, and the
    /// claim must be one that bears that ([`Claim::bearing_repetition`]).
    ///
    /// # Errors
    /// When the model or the claim uses something that makes every step depend on every other.
    pub fn for_claim(machine: Arc<Machine>, claim: &Claim, proviso: Proviso) -> Result<AmpleSets, Refusal> {
        let (observed, guarded) = endless::observed_by(claim, &machine, proviso)?;
        AmpleSets::build(machine, &observed, guarded, &[])
    }

    /// The reduction for an observer who sees some actions: nobody takes one of them alone. Whether a transition goes wrong is seen too: who asks
    /// expands such states in full. Everything is known before the search ([`Proviso::InAdvance`]).
    ///
    /// # Errors
    /// When the model uses something that makes every step depend on every other.
    pub fn for_events(machine: Arc<Machine>, is_seen: &dyn Fn(ActionId) -> bool) -> Result<AmpleSets, Refusal> {
        let guarded = endless::guarded_for_events(&machine, is_seen);
        AmpleSets::build(machine, &[], guarded, &[])
    }

    fn build(
        machine: Arc<Machine>,
        observed: &[Footprint],
        guarded: Vec<Vec<bool>>,
        unseen: &[(CellsId, u32)],
    ) -> Result<AmpleSets, Refusal> {
        can_reduce(&machine)?;
        let slots = Slots::new(&machine, observed, unseen);
        let all = (0..machine.definitions.len() as u32).map(|id| stations(&machine, DefinitionId(id)));
        let stations: Vec<Vec<Station>> = all.collect();
        let resolver = Resolver { machine: &machine, slots: &slots };
        let lives = resolver.whole_lives(&stations);
        let mut observer = Touched::default();
        for footprint in observed {
            observer.merge(&resolver.resolve(None, footprint, Who::Anyone).watching());
        }
        // A cycle must come back to the very state where it began.
        let is_finite = observed.is_empty() && guarded.is_empty();
        let creation = if is_finite { Creation::of(&machine) } else { Creation::Numbered };
        let met = Mutex::default();
        let header = Header::of(&machine);
        let shared = Arc::new(Shared { slots, stations, lives, observer, guarded, creation, met });
        Ok(AmpleSets {
            machine,
            shared,
            known: FxHashMap::default(),
            instances: Vec::new(),
            pairs: Pairs::default(),
            header,
            present: Vec::new(),
            channels_exist: true,
            rows: Rows::default(),
            candidates: Vec::new(),
            larger: false,
            fairness: Fair::Ignored,
            key: Vec::new(),
        })
    }

    /// Whether processes leave a location only when everybody may move. Symmetries of a search must keep that.
    #[must_use]
    pub fn is_guarded(&self, definition: DefinitionId, location: Location) -> bool {
        self.shared.guarded.get(definition.index()).is_some_and(|guarded| guarded[location.index()])
    }

    /// The same, where for every fair run there is one that differs only in what the property does not see: see `fair.rs`.
    ///
    /// # Errors
    /// When the model uses `timeout`, which every step may make true or false.
    pub fn keeping_fairness(self) -> Result<AmpleSets, Refusal> {
        fair::can_keep(&self.machine)?;
        Ok(AmpleSets { fairness: Fair::Kept, ..self })
    }

    /// Finds the processes that may each move alone in a state. [`AmpleSets::next`] gives one after the other, then sets of several.
    pub(crate) fn prepare(&mut self, state: &[u8]) {
        self.candidates.clear();
        self.larger = false;
        let changes = self.describe(state);
        if !self.channels_exist || !(2..=MOST_PROCESSES).contains(&self.present.len()) {
            self.rows.forget();
            return;
        }
        self.update_rows(changes);
        self.larger = true;
        for pid in 0..self.present.len() {
            let is_free = self.conflicts_of(state, pid) & !(1 << pid) == 0 && !self.is_stuck(self.present[pid]);
            if is_free && self.is_allowed(1 << pid) {
                self.candidates.push(1 << pid);
            }
        }
    }

    /// The next set of processes of the state, as bits: those with fewer processes first.
    pub(crate) fn next(&mut self, state: &[u8]) -> Option<u128> {
        if self.candidates.is_empty() && std::mem::take(&mut self.larger) {
            self.find_larger(state);
        }
        self.candidates.pop()
    }

    /// The next process of the state that may move alone, as a bit.
    pub(crate) fn next_single(&mut self) -> Option<u128> {
        // Larger ones come afterwards.
        if self.larger { self.candidates.pop() } else { None }
    }

    /// Whether there is another one.
    pub(crate) fn has_single(&self) -> bool {
        self.larger && !self.candidates.is_empty()
    }

    /// If there is only one process in the state: whether its next transition is invisible to the property.
    pub(crate) fn alone(&self) -> Option<bool> {
        match self.present[..] {
            [alone] => Some(!self.is_visible(alone)),
            _ => None,
        }
    }

    /// All sets of several processes that may move alone, each the closure of one process under conflicts.
    fn find_larger(&mut self, state: &[u8]) {
        let count = self.present.len();
        let everyone = everyone(count);
        for first in 0..count {
            let mut set = 1_u128 << first;
            let mut waiting = set;
            while waiting != 0 {
                let pid = waiting.trailing_zeros() as usize;
                waiting &= waiting - 1;
                let row = self.conflicts_of(state, pid);
                waiting |= row & !set;
                set |= row;
                if set == everyone {
                    break;
                }
            }
            if set == everyone || set == 1 << first {
                continue;
            }
            if !self.candidates.contains(&set) && self.is_allowed(set) {
                self.candidates.push(set);
            }
        }
        if self.candidates.len() > 1 {
            self.candidates.sort_by_key(|set| std::cmp::Reverse(set.count_ones()));
        }
    }

    /// Whether fairness, if it matters, lets a set of processes move alone.
    fn is_allowed(&self, set: u128) -> bool {
        self.fairness == Fair::Ignored || self.keeps_fairness(set)
    }

    /// Whether the property can see the next transition of a process.
    fn is_visible(&self, presence: Presence) -> bool {
        self.instances[presence.instance.0 as usize].visible[presence.location as usize]
    }

    /// Whether a process can never move from where it is.
    fn is_stuck(&self, presence: Presence) -> bool {
        self.instances[presence.instance.0 as usize].stuck[presence.location as usize]
    }

    /// What is asked to find out whether two processes conflict.
    fn question(&self, mine: Presence, theirs: Presence) -> Question {
        let next = &self.instances[mine.instance.0 as usize].reach.next;
        let future = &self.instances[theirs.instance.0 as usize].reach.future;
        Question {
            processes: (mine.instance, theirs.instance),
            classes: (next.class(mine.location), theirs.future),
            sizes: (next.distinct().len(), future.distinct().len()),
        }
    }

    /// Whether two processes conflict: the number of the answer.
    fn conflict(&mut self, mine: Presence, theirs: Presence) -> u16 {
        let question = self.question(mine, theirs);
        let next = &self.instances[mine.instance.0 as usize].reach.next;
        let future = &self.instances[theirs.instance.0 as usize].reach.future;
        self.pairs.answer(question, || {
            let slots = &self.shared.slots;
            let leaked = |number: u8| match slots.leaked.get(usize::from(number) - 1) {
                Some(&leaked) => leaked,
                None => slots.leaked_local,
            };
            conflict(next.at(mine.location), future.at(theirs.location), self.shared.creation, leaked)
        })
    }

    fn holds(&self, state: &[u8], condition: Condition, pid: usize) -> bool {
        let layout = &self.machine.layout;
        let (channel, full) = match condition {
            Condition::NotYoungest => return pid + 1 < self.present.len(),
            Condition::Full(channel) => (channel, true),
            Condition::Empty(channel) => (channel, false),
        };
        let (shape, offset) = self.channel(channel);
        let shape = layout.shape(shape);
        match shape.length_width() {
            0 => true,
            width => read_number(&state[offset..], width as usize) == if full { shape.capacity } else { 0 },
        }
    }

    /// The shape of a channel and where it lies. It exists: [`AmpleSets::prepare`] has made sure of that.
    fn channel(&self, number: u8) -> (crate::id::ChannelShapeId, usize) {
        let layout = &self.machine.layout;
        let mut index = usize::from(number) - 1;
        if let Some(channel) = layout.globals.channels.get(index) {
            return (channel.shape, channel.offset as usize);
        }
        index -= layout.globals.channels.len();
        for presence in &self.present {
            let definition = self.instances[presence.instance.0 as usize].definition;
            let channels = &layout.frames[definition.index()].channels;
            match channels.get(index) {
                Some(channel) => return (channel.shape, (presence.frame + channel.offset) as usize),
                None => index -= channels.len(),
            }
        }
        unreachable!("all channels that processes name exist")
    }
}

/// Writes the moves of a set of processes to `into`.
pub(crate) fn moves_of(mut set: u128, system: &mut impl Grouped, state: &[u8], into: &mut Arena) {
    into.clear();
    while set != 0 {
        let process = 127 - set.leading_zeros();
        set &= !(1 << process);
        system.of_process(state, process as u8, into);
    }
}

/// Whether a machine can be reduced at all.
///
/// # Errors
/// With the feature that forbids it.
pub fn can_reduce(machine: &Machine) -> Result<(), Refusal> {
    let features = &machine.features;
    let forbidding = [
        (features.priorities, "priorities make every process watch all others"),
        (features.last, "`_last` is changed by every step"),
        (features.enabled, "`enabled` watches all that another process reads"),
        (features.pc_value, "`pc_value` watches every step of another process"),
        (features.embedded_c, "embedded C may read and write everything"),
    ];
    match forbidding.iter().find(|(used, _)| *used) {
        Some((_, reason)) => Err(Refusal { reason: (*reason).to_owned() }),
        None => Ok(()),
    }
}

/// The first so many processes.
fn everyone(count: usize) -> u128 {
    u128::MAX >> (128 - count)
}
