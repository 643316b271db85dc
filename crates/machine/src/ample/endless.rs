//! What infinite runs ask of ample sets beyond those of finite ones: nothing may be put off for ever, and labels are observed.
//!
//! Every cycle of states takes each process that moves in it round a cycle of its control graph. (A process that comes and goes
//! on the cycle was created by one that stays, as only the youngest processes disappear; so some process stays and moves.) If a
//! process leaves one of a set of locations that meet all these cycles, the *heads*, only when everybody may move, then every
//! cycle of the reduced graph has a state in which nothing was left out: condition C3, known before the search (Kurshan, Levin,
//! Minea, Peled and Yenigün 1998). What is left out then depends on the state of the system alone, not on the order of a search nor
//! on the claim beside it. That matters: with a proviso on cycles of the product, the reduction of a state may differ
//! from one claim state to the next, and accepting runs can get lost (Siegel, CAV 2019), unless the claim bears that
//! (`claim/repetition.rs`). For those that do, and a search that watches its own path, there are the sets without heads. The two kinds
//! must not be mixed: a cycle may leave all its heads where sets of the second kind are used and close where one of the first kind is.

use crate::automaton::LocationInfo;
use crate::claim::{Claim, Question};
use crate::expression::{Expr, Owner, Place, Predefined};
use crate::footprint::Footprint;
use crate::generate::Refusal;
use crate::id::ActionId;
use crate::machine::{Definition, Machine};

/// The labels that a claim asks about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Labels {
    accept: bool,
    progress: bool,
}

impl Labels {
    /// Whether a location has one of them.
    fn contain(self, location: &LocationInfo) -> bool {
        self.accept && location.accept || self.progress && location.progress
    }
}

/// Who sees to it that nothing is put off for ever.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Proviso {
    /// The sets themselves: nobody leaves a head alone.
    InAdvance,
    /// The search, which asks for another set, or for all moves, in a state where a move closes a cycle on its path.
    OnThePath,
}

/// What the atoms of a claim read, and for every definition the locations that processes leave only when everybody may move.
pub(super) fn observed_by(
    claim: &Claim,
    machine: &Machine,
    proviso: Proviso,
) -> Result<(Vec<Footprint>, Vec<Vec<bool>>), Refusal> {
    let mut footprints = Vec::new();
    let mut labels = Labels::default();
    for question in &claim.atoms {
        match question {
            Question::Accepting => labels.accept = true,
            Question::Expression(atom) if atom.expression == Expr::Predefined(Predefined::NonProgress) => {
                labels.progress = true;
            }
            Question::Expression(atom) => {
                let footprint = Footprint::of_expr(machine, &atom.expression);
                if footprint.everything || footprint.timeout {
                    return Err(Refusal { reason: format!("`{}` may be changed by any step", atom.text) });
                }
                footprints.push(footprint);
            }
        }
    }
    let guarded = |definition: &Definition| {
        let heads = match proviso {
            Proviso::InAdvance => heads(machine, definition),
            Proviso::OnThePath => vec![false; definition.automaton.locations.len()],
        };
        guarded(machine, definition, labels, &heads)
    };
    Ok((footprints, machine.definitions.iter().map(guarded).collect()))
}

/// For every definition the locations that processes leave only when everybody may move, for somebody who sees what happens at some locations and
/// asks for every finite and infinite run but for what he does not see.
pub(super) fn guarded_for_events(machine: &Machine, is_seen: &dyn Fn(ActionId) -> bool) -> Vec<Vec<bool>> {
    let guarded_in = |definition: &Definition| {
        let mut guarded = guarded(machine, definition, Labels::default(), &heads(machine, definition));
        for (location, guarded) in definition.automaton.locations.iter().zip(&mut guarded) {
            *guarded |= location.edges.iter().any(|edge| is_seen(edge.action));
        }
        guarded
    };
    machine.definitions.iter().map(guarded_in).collect()
}

/// The locations from which the next transition leaves a head, or comes to or leaves a label that is asked about, or creates a process at one.
fn guarded(machine: &Machine, definition: &Definition, labels: Labels, heads: &[bool]) -> Vec<bool> {
    let locations = &definition.automaton.locations;
    let is_label = |location: usize| labels.contain(&locations[location]);
    // A process that is created at a label is seen there at once.
    let creates_at_label = |action: ActionId| {
        let created = Footprint::of_action(machine, machine.action(action)).created;
        created.iter().map(|&id| &machine.definition(id).automaton).any(|new| labels.contain(new.location(new.start)))
    };
    (0..locations.len())
        .map(|start| {
            let mut seen = vec![false; locations.len()];
            let mut waiting = vec![start];
            seen[start] = true;
            while let Some(location) = waiting.pop() {
                if heads[location] || is_label(location) {
                    return true;
                }
                for edge in &locations[location].edges {
                    let target = edge.target.index();
                    if is_label(target) || creates_at_label(edge.action) {
                        return true;
                    }
                    // The transition goes on inside an `atomic`.
                    if edge.atomic && !std::mem::replace(&mut seen[target], true) {
                        waiting.push(target);
                    }
                }
            }
            false
        })
        .collect()
}

/// Locations that meet every cycle of the control graph. Where a cycle can be cut at a step that uses global variables it is cut there: others
/// mostly use them too, so that such a step is seldom taken alone anyway.
fn heads(machine: &Machine, definition: &Definition) -> Vec<bool> {
    let locations = &definition.automaton.locations;
    let is_shared = |place: &Place| place.owner != Owner::Own;
    let shared: Vec<bool> = locations
        .iter()
        .map(|location| {
            location.edges.iter().any(|edge| {
                let footprint = Footprint::of_action(machine, machine.action(edge.action));
                footprint.reads.iter().chain(&footprint.writes).any(is_shared)
            })
        })
        .collect();
    // From the start, so that loops are entered where the program enters them.
    let start = definition.automaton.start.index();
    let mut heads = vec![false; locations.len()];
    while let Some(cycle) = cycle_without(definition, start, &heads) {
        let cut = cycle.iter().copied().find(|&location| shared[location]).unwrap_or(cycle[0]);
        heads[cut] = true;
    }
    heads
}

/// A cycle of the control graph that no head is on, beginning where a walk from `start` comes to it.
fn cycle_without(definition: &Definition, start: usize, heads: &[bool]) -> Option<Vec<usize>> {
    let locations = &definition.automaton.locations;
    let mut visited = heads.to_vec();
    for root in std::iter::once(start).chain(0..locations.len()) {
        if std::mem::replace(&mut visited[root], true) {
            continue;
        }
        let mut path: Vec<(usize, usize)> = vec![(root, 0)];
        while let Some((location, next)) = path.last_mut() {
            let Some(edge) = locations[*location].edges.get(*next) else {
                path.pop();
                continue;
            };
            *next += 1;
            let target = edge.target.index();
            if let Some(at) = path.iter().position(|&(location, _)| location == target) {
                return Some(path[at..].iter().map(|&(location, _)| location).collect());
            }
            if !std::mem::replace(&mut visited[target], true) {
                path.push((target, 0));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::heads;

    fn heads_of(body: &str) -> Vec<bool> {
        let text = format!("byte x; active proctype P() {{ {body} }}");
        let model = promela::load_text("m.pml", &text, &promela::Options::default()).model.expect("it is correct");
        let machine = crate::lower(&model);
        heads(&machine, &machine.definitions[0])
    }

    #[test]
    fn every_loop_has_a_head_and_nothing_else() {
        let count = |body: &str| heads_of(body).into_iter().filter(|&head| head).count();
        assert_eq!(count("x = 1; x = 2"), 0);
        assert_eq!(count("do :: x = 1; x = 2 :: x = 3 od"), 1);
        // The inner loop's head lies on the outer loop, too.
        assert_eq!(count("do :: x = 1 :: break od; do :: x = 2; do :: x = 3 :: x == 2; break od od"), 2);
        assert_eq!(count("L: x = 1; if :: goto L :: x = 2 fi"), 1);
    }

    #[test]
    fn loops_are_cut_where_globals_are_used() {
        let text = "byte x; active proctype P() { byte l; do :: l = 1; l = 2; x = 1; l = 3 od }";
        let model = promela::load_text("m.pml", text, &promela::Options::default()).model.expect("it is correct");
        let machine = crate::lower(&model);
        let automaton = &machine.definitions[0].automaton;
        let cut = heads(&machine, &machine.definitions[0]).iter().position(|&head| head).expect("there is a loop");
        assert_eq!(&*automaton.locations[cut].text, "x = 1");
    }
}
