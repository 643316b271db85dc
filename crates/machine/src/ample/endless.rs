//! What infinite runs ask of ample sets beyond those of finite ones: nothing may be put off for ever, and labels are observed.
//!
//! Every cycle of states takes each process that moves in it round a cycle of its control graph. (A process that comes and goes
//! on the cycle was created by one that stays, as only the youngest processes disappear; so some process stays and moves.) If a
//! process leaves one of a set of locations that meet all these cycles, the *heads*, only when everybody may move, then every
//! cycle of the reduced graph has a state in which nothing was left out: condition C3, known before the search (Kurshan, Levin,
//! Minea, Peled and Yenigün 1998). What is left out then depends on the state of the system alone, not on the order of a search nor
//! on the claim beside it. That matters: with a proviso on cycles of the product, the reduction of a state may differ
//! from one claim state to the next, and accepting runs can get lost (Siegel, CAV 2019).

use crate::claim::{Claim, Question};
use crate::expression::{Expr, Predefined};
use crate::footprint::Footprint;
use crate::generate::Refusal;
use crate::id::Location;
use crate::machine::{Definition, Machine};

/// The labels that a claim asks about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Labels {
    accept: bool,
    progress: bool,
}

/// What the atoms of a claim read, and for every definition the locations that processes leave only when everybody may move.
pub(super) fn observed_by(claim: &Claim, machine: &Machine) -> Result<(Vec<Footprint>, Vec<Vec<bool>>), Refusal> {
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
    let guarded = machine.definitions.iter().map(|definition| guarded(definition, labels)).collect();
    Ok((footprints, guarded))
}

/// The locations from which the next transition leaves a head, or comes to or leaves a label that is asked about.
fn guarded(definition: &Definition, labels: Labels) -> Vec<bool> {
    let locations = &definition.automaton.locations;
    let heads = heads(definition);
    let is_label = |location: usize| {
        let info = &locations[location];
        labels.accept && info.accept || labels.progress && info.progress
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
                    if is_label(target) {
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

/// Locations that meet every cycle of the control graph: those to which a depth-first walk comes back.
fn heads(definition: &Definition) -> Vec<bool> {
    let locations = &definition.automaton.locations;
    let mut heads = vec![false; locations.len()];
    let mut visited = vec![false; locations.len()];
    let mut on_path = vec![false; locations.len()];
    // From the start, so that loops are entered where the program enters them.
    let start = definition.automaton.start.index();
    for root in std::iter::once(start).chain(0..locations.len()) {
        if visited[root] {
            continue;
        }
        visited[root] = true;
        on_path[root] = true;
        let mut path: Vec<(usize, usize)> = vec![(root, 0)];
        while let Some((location, next)) = path.last_mut() {
            let Some(edge) = locations[*location].edges.get(*next) else {
                on_path[*location] = false;
                path.pop();
                continue;
            };
            *next += 1;
            let Location(target) = edge.target;
            let target = target as usize;
            if on_path[target] {
                heads[target] = true;
            } else if !std::mem::replace(&mut visited[target], true) {
                on_path[target] = true;
                path.push((target, 0));
            }
        }
    }
    heads
}

#[cfg(test)]
mod tests {
    use super::heads;

    fn heads_of(body: &str) -> Vec<bool> {
        let text = format!("byte x; active proctype P() {{ {body} }}");
        let model = promela::load_text("m.pml", &text, &promela::Options::default()).model.expect("it is correct");
        heads(&crate::lower(&model).definitions[0])
    }

    #[test]
    fn every_loop_has_a_head_and_nothing_else() {
        let count = |body: &str| heads_of(body).into_iter().filter(|&head| head).count();
        assert_eq!(count("x = 1; x = 2"), 0);
        assert_eq!(count("do :: x = 1; x = 2 :: x = 3 od"), 1);
        assert_eq!(count("do :: x = 1 :: break od; do :: x = 2; do :: x = 3 :: x == 2; break od od"), 3);
        assert_eq!(count("L: x = 1; if :: goto L :: x = 2 fi"), 1);
    }
}
