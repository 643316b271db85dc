//! Pairs of sets of states, one of each side: Erdogmus' composite states. For equivalences, and for counting as SPINE counts.
//!
//! With [`Pairs::Pruned`] a pair is dropped if earlier ones prove its sets equivalent by transitivity (Hopcroft and Karp's algorithm): then there are
//! at most as many pairs as sets. How few events it takes to tell two sets apart is an ultrametric, so if a dropped pair can be told apart by some trace, one of
//! the pairs that spoke for it can by a trace that is not longer: the first failure found still has the fewest events. With [`Pairs::All`] only
//! a pair that was met before is dropped. Inclusions are not symmetric, so they are never pruned here.

use explore::search::End;
use rustc_hash::FxHashSet;

use crate::Event;
use crate::limits::Watch;
use crate::local::{Followed, Inductive, Judgement, Phase};
use crate::search::{Counts, First, Found, Sides, Ways, watch};
use crate::sets::SetId;

/// Which pairs are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Pairs {
    /// As few as suffice.
    #[default]
    Pruned,
    /// Every pair of sets that a trace leads to, as SPINE does.
    All,
}

/// The search, with the pairs that were met.
pub(crate) struct Composite<'s, 'o> {
    relation: Inductive,
    sides: &'s mut Sides<'o>,
    pairs: Vec<(SetId, SetId, Phase)>,
    ways: Ways,
    seen: Seen,
    most: u64,
    pub(crate) counts: Counts,
}

impl<'s, 'o> Composite<'s, 'o> {
    pub(crate) fn new(relation: Inductive, pairs: Pairs, sides: &'s mut Sides<'o>) -> Composite<'s, 'o> {
        let seen = match pairs {
            Pairs::Pruned if !relation.is_inclusion() => {
                Seen::Classes { convergent: Classes::default(), traces: Classes::default() }
            }
            _ => Seen::Pairs(FxHashSet::default()),
        };
        let (pairs, ways) = (Vec::new(), Ways::default());
        Composite { relation, sides, pairs, ways, seen, most: u64::MAX, counts: Counts::default() }
    }

    /// The same, and after about so many pairs it is taken that there is no failure.
    pub(crate) fn at_most(self, most: u64) -> Composite<'s, 'o> {
        Composite { most, ..self }
    }

    /// The first failure, if there is one.
    pub(crate) fn run(&mut self, limits: &mut Watch<'_>) -> Result<Option<Found>, End> {
        let (left, right) = (self.sides.left.initial_set()?, self.sides.right.initial_set()?);
        self.meet(left, right, Phase::Convergent, 0, Event::INTERNAL);
        let (mut start, mut depth) = (0, 0);
        while start < self.pairs.len() && self.counts.pairs < self.most {
            let end = self.pairs.len();
            let mut failure = First::default();
            for pair in start..end {
                watch(limits, self.sides, self.counts, depth, self.bytes())?;
                let is_over = match self.judge(pair)? {
                    Judgement::Fail(reason) => failure.note(pair as u32, reason),
                    // Successors belong to the next level, which is not looked at after a failure.
                    Judgement::Follow(phase) if !failure.is_some() => {
                        self.follow(pair, phase);
                        false
                    }
                    Judgement::Follow(_) | Judgement::Accept => false,
                };
                if is_over {
                    break;
                }
            }
            if failure.is_some() {
                return Ok(failure.found(&self.ways));
            }
            start = end;
            depth += 1;
        }
        Ok(None)
    }

    fn bytes(&self) -> u64 {
        let seen = match &self.seen {
            Seen::Pairs(pairs) => 16 * pairs.capacity(),
            Seen::Classes { convergent, traces } => 4 * (convergent.0.capacity() + traces.0.capacity()),
        };
        (self.pairs.capacity() * size_of::<(SetId, SetId, Phase)>() + seen) as u64 + self.ways.bytes()
    }

    fn judge(&mut self, pair: usize) -> Result<Judgement, End> {
        let (left, right, phase) = self.pairs[pair];
        let Sides { left: mine, right: yours, labels } = &mut *self.sides;
        let (left, right) = (mine.local(left, labels)?, yours.local(right, labels)?);
        Ok(self.relation.judge(left, right, phase, labels))
    }

    fn follow(&mut self, pair: usize, phase: Phase) {
        let (left, right, _) = self.pairs[pair];
        for at in 0..self.sides.left.steps(left).len() {
            let (event, left) = self.sides.left.steps(left)[at];
            let steps = self.sides.right.steps(right);
            let after = steps.binary_search_by_key(&event, |step| step.0).map(|at| steps[at].1);
            match (after, self.relation.followed()) {
                (Ok(after), _) => self.meet(left, after, phase, pair, event),
                (Err(_), Followed::Left) => self.meet(left, SetId::EMPTY, phase, pair, event),
                (Err(_), Followed::Common) => {}
            }
        }
    }

    fn meet(&mut self, left: SetId, right: SetId, phase: Phase, before: usize, event: Event) {
        if self.seen.insert(left, right, phase) {
            self.pairs.push((left, right, phase));
            self.ways.push(before as u32, event);
            self.counts.pairs += 1;
        } else {
            self.counts.matched += 1;
        }
    }
}

/// Which pairs need not be looked at.
enum Seen {
    Pairs(FxHashSet<(u32, u32, Phase)>),
    /// Sets that must be equivalent, by all that is compared and by traces. The former implies the latter.
    Classes {
        convergent: Classes,
        traces: Classes,
    },
}

impl Seen {
    fn insert(&mut self, left: SetId, right: SetId, phase: Phase) -> bool {
        match (self, phase) {
            (Seen::Pairs(pairs), _) => pairs.insert((left.0, right.0, phase)),
            (Seen::Classes { convergent, traces }, Phase::Convergent) => {
                traces.merge(left, right);
                convergent.merge(left, right)
            }
            (Seen::Classes { traces, .. }, Phase::Diverged) => traces.merge(left, right),
        }
    }
}

/// Disjoint classes of the sets of both sides: those of the left side have even numbers. Each entry is the parent, or itself.
#[derive(Default)]
struct Classes(Vec<u32>);

impl Classes {
    /// Puts two sets into one class; answers whether they were in different ones.
    fn merge(&mut self, left: SetId, right: SetId) -> bool {
        let (left, right) = (self.root(2 * left.0), self.root(2 * right.0 + 1));
        let (small, large) = (left.min(right), left.max(right));
        self.0[large as usize] = small;
        small != large
    }

    /// The representative, with the path to it halved.
    fn root(&mut self, mut set: u32) -> u32 {
        for new in self.0.len() as u32..=set {
            self.0.push(new);
        }
        while self.0[set as usize] != set {
            let parent = self.0[set as usize];
            self.0[set as usize] = self.0[parent as usize];
            set = parent;
        }
        set
    }
}
