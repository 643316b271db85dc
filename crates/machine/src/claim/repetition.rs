//! Claims whose runs bear it when a state is repeated, or a repetition left out, *while they are on their way*.
//!
//! That a claim accepts the same runs with and without repetitions says nothing about its single states: after a repetition another accepting run of
//! the claim may be needed, which accepts later, and after the next one yet another. If a search leaves out moves in a way that depends on the state of
//! the claim, this can go on for ever, and a violation is lost (Siegel, CAV 2019). It cannot if the claim has these two properties, for every letter `a`,
//! where `q -a,m-> r` is an edge with marks `m` that is possible when exactly the atoms of `a` hold:
//!
//! - **S** for `q -a,m-> r` there are `q -a,m'-> p -a,m''-> r` whose marks together contain `m`;
//! - **C** for `q -a,m-> p -a,m'-> r` there is `q -a,m''-> r` whose marks contain both.
//!
//! So a run of the claim is stretched and shortened in place, and keeps where it was going and the marks it was going to meet. What follows from
//! them for a search is proven in `docs/internals/liveness.md`. **C** can be had: the edges that are missing are added. That accepts nothing new from a claim that is
//! insensitive to repetitions, as a run that uses such an edge reads what another run reads with repetitions. **S** is only checked.
//!
//! An end of a claim counts as a state that stays where it is and carries all marks.

use super::{Claim, ClaimEdge, ClaimStateId, Cube};

/// Claims that ask about more are not looked at: all combinations of values are.
const MOST_ATOMS: u32 = 10;

/// The closure may add so many edges to a claim, beside doubling it.
const MOST_NEW_EDGES: usize = 64;

impl Claim {
    /// A claim that accepts the same runs and has both properties, if this one is insensitive to repetitions and it is easily found.
    #[must_use]
    pub fn bearing_repetition(&self) -> Option<Claim> {
        if !self.stutter_invariant {
            return None;
        }
        let letters = Letters::of(self)?;
        let mut claim = self.clone();
        letters.close(&mut claim)?;
        letters.prune(&mut claim);
        letters.can_stretch(&claim).then_some(claim)
    }
}

/// All combinations of values of the atoms that guards ask about.
struct Letters(Vec<u64>);

impl Letters {
    fn of(claim: &Claim) -> Option<Letters> {
        let cubes = claim.states.iter().flat_map(|state| &state.edges).flat_map(|edge| &edge.guard);
        let asked = cubes.fold(0, |asked, cube| asked | cube.required | cube.excluded);
        if asked.count_ones() > MOST_ATOMS {
            return None;
        }
        // Counts through the subsets of `asked`, the empty one last.
        let next = |&subset: &u64| (subset != 0).then(|| (subset - 1) & asked);
        Some(Letters(std::iter::successors(Some(asked), next).collect()))
    }

    /// Whether `q -letter-> r` with these marks is possible, or with more, for all letters of a guard.
    fn are_covered(&self, claim: &Claim, edges: &[ClaimEdge], wanted: &ClaimEdge) -> bool {
        let mut letters = self.0.iter().filter(|&&letter| wanted.is_possible(letter));
        letters.all(|&letter| edges.iter().any(|edge| serves(claim, edge, letter, wanted.target, wanted.marks)))
    }

    /// Adds the edges that **C** asks for; `None` when they become too many.
    fn close(&self, claim: &mut Claim) -> Option<()> {
        let count = |claim: &Claim| claim.states.iter().map(|state| state.edges.len()).sum::<usize>();
        let most = 2 * count(claim) + MOST_NEW_EDGES;
        let mut is_closed = false;
        while !is_closed {
            is_closed = true;
            for state in 0..claim.states.len() {
                let mut first = 0;
                while let Some(edge) = claim.states[state].edges.get(first).cloned() {
                    first += 1;
                    let middle = &claim.states[edge.target.index()];
                    if claim.states[state].end.is_some() || middle.end.is_some() {
                        continue;
                    }
                    for second in middle.edges.clone() {
                        let direct = ClaimEdge {
                            guard: both(&edge.guard, &second.guard),
                            marks: edge.marks | second.marks,
                            target: second.target,
                        };
                        if !self.are_covered(claim, &claim.states[state].edges, &direct) {
                            claim.states[state].edges.push(direct);
                            is_closed = false;
                        }
                    }
                    if count(claim) > most {
                        return None;
                    }
                }
            }
        }
        Some(())
    }

    /// Drops edges that others are as good as.
    fn prune(&self, claim: &mut Claim) {
        for state in 0..claim.states.len() {
            let mut at = 0;
            while at < claim.states[state].edges.len() {
                let mut others = claim.states[state].edges.clone();
                let edge = others.remove(at);
                if self.are_covered(claim, &others, &edge) {
                    claim.states[state].edges = others;
                } else {
                    at += 1;
                }
            }
        }
    }

    /// **S**
    fn can_stretch(&self, claim: &Claim) -> bool {
        let open = claim.states.iter().filter(|state| state.end.is_none());
        open.flat_map(|state| state.edges.iter().map(move |edge| (state, edge))).all(|(state, edge)| {
            let is_end = claim.state(edge.target).end.is_some();
            let mut letters = self.0.iter().copied().filter(|&letter| edge.is_possible(letter));
            is_end
                || letters.all(|letter| {
                    let mut halves = state.edges.iter().filter(|half| half.is_possible(letter));
                    halves.any(|half| {
                        let middle = claim.state(half.target);
                        let missing = edge.marks & !half.marks;
                        middle.end.is_none()
                            && middle.edges.iter().any(|rest| serves(claim, rest, letter, edge.target, missing))
                    })
                })
        })
    }
}

/// Whether an edge leads to a state when a letter is read, with these marks or more. At an end no marks are needed.
fn serves(claim: &Claim, edge: &ClaimEdge, letter: u64, target: ClaimStateId, marks: u64) -> bool {
    let is_enough = marks & !edge.marks == 0 || claim.state(target).end.is_some();
    edge.target == target && is_enough && edge.is_possible(letter)
}

/// The guard that holds when both do.
fn both(one: &[Cube], other: &[Cube]) -> Vec<Cube> {
    let pairs = one.iter().flat_map(|&one| other.iter().map(move |&other| (one, other)));
    let joined = pairs
        .map(|(one, other)| Cube { required: one.required | other.required, excluded: one.excluded | other.excluded });
    let mut cubes: Vec<Cube> = Vec::new();
    for cube in joined.filter(|cube| cube.required & cube.excluded == 0) {
        if !cubes.contains(&cube) {
            cubes.push(cube);
        }
    }
    cubes
}

#[cfg(test)]
mod tests {
    use super::{Letters, serves};
    use crate::claim::{Claim, ClaimEdge, Subject};

    fn claim(formula: &str) -> Claim {
        let text = format!("bit a, b, c; active proctype P() {{ a = 1; b = 1; c = 1 }} ltl p {{ {formula} }}");
        let model = promela::load_text("m.pml", &text, &promela::Options::default()).model.expect("it is correct");
        Subject::Formula(0).claim(&crate::lower(&model)).expect("there is an automaton")
    }

    #[test]
    fn claims_of_usual_formulas_can_be_stretched_and_shortened() {
        let formulas = [
            "[] a",
            "<> a",
            "[] <> a",
            "<> [] a",
            "a U b",
            "[] (a -> <> b)",
            "[] (a -> (b U c))",
            "([] <> a) -> [] <> b",
            "[] (a -> [] (b -> <> c))",
            "<> a -> (!a U b)",
            "([] <> a && [] <> b) -> [] (a -> <> c)",
        ];
        for formula in formulas {
            assert!(claim(formula).bearing_repetition().is_some(), "{formula}");
        }
    }

    #[test]
    fn what_notices_repetitions_cannot() {
        assert!(claim("[] (a -> X b)").bearing_repetition().is_none());
        // The property itself, not what the formula promises: a letter of which exactly two are read.
        let mut twice = claim("[] (a -> X b)");
        twice.stutter_invariant = true;
        assert!(twice.bearing_repetition().is_none());
    }

    /// **C**, letter by letter.
    fn can_shorten(claim: &Claim, letters: &Letters) -> bool {
        let open = claim.states.iter().filter(|state| state.end.is_none());
        open.flat_map(|state| state.edges.iter().map(move |edge| (state, edge))).all(|(state, first)| {
            let middle = claim.state(first.target);
            let seconds = middle.edges.iter().filter(|_| middle.end.is_none());
            seconds.flat_map(|second| letters.0.iter().map(move |&letter| (second, letter))).all(|(second, letter)| {
                let marks = first.marks | second.marks;
                let direct = |edge: &ClaimEdge| serves(claim, edge, letter, second.target, marks);
                !first.is_possible(letter) || !second.is_possible(letter) || state.edges.iter().any(direct)
            })
        })
    }

    #[test]
    fn two_steps_with_one_letter_can_be_one() {
        let mut added = 0;
        for formula in ["[] (a -> <> b)", "<> a -> (!a U b)", "<> [] a -> [] <> (b && <> c)", "[] (a -> (b U c))"] {
            let before = claim(formula);
            let after = before.bearing_repetition().expect("it can be stretched");
            let letters = Letters::of(&after).expect("there are few atoms");
            assert!(can_shorten(&after, &letters), "{formula}");
            added += u32::from(!can_shorten(&before, &letters));
        }
        assert!(added > 0, "nothing had to be added");
    }

    #[test]
    fn every_pair_of_edges_has_its_direct_one() {
        let claim = claim("<> [] a -> [] <> (b && <> c)").bearing_repetition().expect("it can be stretched");
        let letters = Letters::of(&claim).expect("there are three atoms");
        let mut closed = claim.clone();
        letters.close(&mut closed).expect("nothing is added");
        assert_eq!(closed.states, claim.states);
    }
}
