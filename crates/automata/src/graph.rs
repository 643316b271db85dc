//! A finite graph of states as a whole, its fair runs, and witnesses for them.
//!
//! An infinite run through the graph is *fair* when it takes edges of every one of some sets again and again (generalised Büchi),
//! and, for each of some other sets, when it takes edges of the set again and again provided that it asks for it again and
//! again: states ask for sets (Streett). Weak process fairness is of the first kind; strong process fairness is of the second: a state asks for the
//! processes that can move in it, an edge answers the processes that move.
//!
//! What a fair run visits again and again lies in one strongly connected component whose edges are in all sets. If the component
//! asks for a set that no edge of it answers, a fair run cannot visit the states that ask; they are taken out, and what is left falls
//! apart into smaller components (Emerson and Lei 1987). A component in which everything is answered has a fair run: round and round
//! through all of it.

mod witness;

pub use self::witness::Lasso;

/// A set of sets of edges: bit `i` stands for the `i`-th.
pub type Sets = u64;

/// A graph on the states `0..len`.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The edges of state `s` are those from `offsets[s]` to `offsets[s + 1]`.
    pub offsets: Vec<usize>,
    /// Where each edge leads.
    pub targets: Vec<u32>,
    /// The sets that each edge is in; empty if no edge is in any.
    pub marks: Vec<Sets>,
    /// The sets that each state asks for; empty if no state asks for any.
    pub requests: Vec<Sets>,
    /// The sets of which a fair run must take edges whatever it asks for.
    pub required: Sets,
}

/// A set of states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateSet {
    words: Vec<u64>,
    len: usize,
}

impl StateSet {
    /// No state of a graph with so many.
    #[must_use]
    pub fn none(len: usize) -> StateSet {
        StateSet { words: vec![0; len.div_ceil(64)], len }
    }

    /// All states of a graph with so many.
    #[must_use]
    pub fn all(len: usize) -> StateSet {
        StateSet::none(len).complement()
    }

    /// Is the state in it?
    #[must_use]
    pub fn contains(&self, state: u32) -> bool {
        self.words[state as usize / 64] >> (state % 64) & 1 == 1
    }

    /// Adds a state; whether it is new.
    pub fn insert(&mut self, state: u32) -> bool {
        let word = &mut self.words[state as usize / 64];
        let is_new = *word >> (state % 64) & 1 == 0;
        *word |= 1 << (state % 64);
        is_new
    }

    /// Takes a state out.
    pub fn remove(&mut self, state: u32) {
        self.words[state as usize / 64] &= !(1 << (state % 64));
    }

    /// The others.
    #[must_use]
    pub fn complement(mut self) -> StateSet {
        self.words.iter_mut().for_each(|word| *word = !*word);
        if let Some(last) = self.words.last_mut()
            && !self.len.is_multiple_of(64)
        {
            *last &= (1 << (self.len % 64)) - 1;
        }
        self
    }

    /// Those in both.
    #[must_use]
    pub fn and(mut self, other: &StateSet) -> StateSet {
        self.words.iter_mut().zip(&other.words).for_each(|(mine, theirs)| *mine &= theirs);
        self
    }

    /// Those in either.
    #[must_use]
    pub fn or(mut self, other: &StateSet) -> StateSet {
        self.words.iter_mut().zip(&other.words).for_each(|(mine, theirs)| *mine |= theirs);
        self
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// The states, in order.
    pub fn states(&self) -> impl Iterator<Item = u32> + '_ {
        (0..)
            .zip(&self.words)
            .flat_map(|(index, &word)| (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| index * 64 + bit))
    }
}

impl Graph {
    /// The number of states.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Is there no state?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The edges out of a state, by number.
    pub fn edges(&self, state: u32) -> std::ops::Range<usize> {
        self.offsets[state as usize]..self.offsets[state as usize + 1]
    }

    /// Where the edges out of a state lead.
    #[must_use]
    pub fn successors(&self, state: u32) -> &[u32] {
        &self.targets[self.edges(state)]
    }

    fn marks(&self, edge: usize) -> Sets {
        self.marks.get(edge).copied().unwrap_or(0)
    }

    fn requests(&self, state: u32) -> Sets {
        self.requests.get(state as usize).copied().unwrap_or(0)
    }

    /// The same graph with every edge the other way round, without sets.
    #[must_use]
    pub fn reversed(&self) -> Graph {
        let mut offsets = vec![0; self.len() + 1];
        for &target in &self.targets {
            offsets[target as usize + 1] += 1;
        }
        for state in 0..self.len() {
            offsets[state + 1] += offsets[state];
        }
        let mut next = offsets.clone();
        let mut targets = vec![0; self.targets.len()];
        for source in 0..self.len() as u32 {
            for &target in self.successors(source) {
                targets[next[target as usize]] = source;
                next[target as usize] += 1;
            }
        }
        Graph { offsets, targets, ..Graph::default() }
    }

    /// What can be reached from these states by steps out of states `through`, these states included.
    #[must_use]
    pub fn closure(&self, from: &StateSet, through: &StateSet) -> StateSet {
        let mut found = from.clone();
        let mut waiting: Vec<u32> = from.states().collect();
        while let Some(state) = waiting.pop() {
            for &target in self.successors(state) {
                if through.contains(target) && found.insert(target) {
                    waiting.push(target);
                }
            }
        }
        found
    }

    /// The components inside a set of states round which fair runs go, each as the list of its states.
    #[must_use]
    pub fn fair_components(&self, inside: &StateSet) -> Vec<Vec<u32>> {
        let mut good = Vec::new();
        let mut tarjan = Tarjan::new(self.len());
        let mut regions = vec![inside.clone()];
        while let Some(region) = regions.pop() {
            for component in tarjan.components(self, &region) {
                match self.judge(&component, &tarjan) {
                    Verdict::Unfair => {}
                    Verdict::Fair => good.push(component),
                    Verdict::Without(unanswered) => {
                        let mut smaller = StateSet::none(self.len());
                        for &state in component.iter().filter(|&&state| self.requests(state) & unanswered == 0) {
                            smaller.insert(state);
                        }
                        regions.push(smaller);
                    }
                }
            }
        }
        good
    }

    /// Looks at a component that was just found.
    fn judge(&self, component: &[u32], tarjan: &Tarjan) -> Verdict {
        let (mut marks, mut requests, mut has_edge) = (0, 0, false);
        for &state in component {
            requests |= self.requests(state);
            for edge in self.edges(state) {
                if tarjan.number[self.targets[edge] as usize] == tarjan.number[state as usize] {
                    has_edge = true;
                    marks |= self.marks(edge);
                }
            }
        }
        if !has_edge || marks & self.required != self.required {
            return Verdict::Unfair;
        }
        match requests & !marks {
            0 => Verdict::Fair,
            unanswered => Verdict::Without(unanswered),
        }
    }
}

enum Verdict {
    Fair,
    Unfair,
    /// Fair runs do not visit the states that ask for these sets.
    Without(Sets),
}

/// Strongly connected components (Tarjan 1972), with memory that is used again.
struct Tarjan {
    /// For each state when it was entered in the present run; 0: not yet.
    entered: Vec<u32>,
    lowest: Vec<u32>,
    /// The component that each state was last found in, never the same for two; 0: none, or still open.
    number: Vec<u32>,
    last_number: u32,
}

const OPEN: u32 = u32::MAX;

impl Tarjan {
    fn new(states: usize) -> Tarjan {
        Tarjan { entered: vec![0; states], lowest: vec![0; states], number: vec![0; states], last_number: 0 }
    }

    /// The components of what a graph is inside a region.
    fn components(&mut self, graph: &Graph, region: &StateSet) -> Vec<Vec<u32>> {
        for state in region.states() {
            self.entered[state as usize] = 0;
        }
        let mut components = Vec::new();
        let mut open: Vec<u32> = Vec::new();
        let mut path: Vec<(u32, std::ops::Range<usize>)> = Vec::new();
        let mut clock = 0;
        for root in region.states() {
            if self.entered[root as usize] != 0 {
                continue;
            }
            let mut enter = Some(root);
            loop {
                if let Some(state) = enter.take() {
                    clock += 1;
                    self.entered[state as usize] = clock;
                    self.lowest[state as usize] = clock;
                    self.number[state as usize] = OPEN;
                    open.push(state);
                    path.push((state, graph.edges(state)));
                }
                let Some((state, edges)) = path.last_mut() else { break };
                let state = *state as usize;
                if let Some(edge) = edges.next() {
                    let target = graph.targets[edge];
                    if !region.contains(target) {
                        continue;
                    }
                    if self.entered[target as usize] == 0 {
                        enter = Some(target);
                    } else if self.number[target as usize] == OPEN {
                        self.lowest[state] = self.lowest[state].min(self.entered[target as usize]);
                    }
                    continue;
                }
                path.pop();
                if let Some((parent, _)) = path.last() {
                    self.lowest[*parent as usize] = self.lowest[*parent as usize].min(self.lowest[state]);
                }
                if self.lowest[state] == self.entered[state] {
                    self.last_number += 1;
                    let mut members = Vec::new();
                    while let Some(member) = open.pop() {
                        self.number[member as usize] = self.last_number;
                        members.push(member);
                        if member as usize == state {
                            break;
                        }
                    }
                    components.push(members);
                }
            }
        }
        components
    }
}
