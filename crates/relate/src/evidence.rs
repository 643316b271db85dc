//! From a failure of the local relation to a difference that a user can follow: a run of each side, confirmed by plain search.

use explore::search::End;

use crate::graph::Graph;
use crate::local::Failure;
use crate::lts::split;
use crate::runs::{Layers, cycle_through};
use crate::search::Found;
use crate::space::Space;
use crate::{Difference, Event, Kind, Refusal, Run, Side};

/// The difference that a failure stands for. An end that is "damaged" says that plain search does not confirm it.
pub(crate) fn difference<'o>(found: Found, left: &mut Space<'o>, right: &mut Space<'o>) -> Result<Difference, End> {
    let Found { failure: Failure { kind, by, refusal, .. }, trace } = found;
    let (able, unable) = match by {
        Side::Left => (left, right),
        Side::Right => (right, left),
    };
    let (mine, yours) = (Layers::along(&trace, able)?, Layers::along(&trace, unable)?);
    let confirmed =
        mine.length() == trace.len() && is_confirmed(kind, refusal.as_ref(), &trace, (&mine, able), (&yours, unable));
    if !confirmed {
        return Err(End::Damaged);
    }
    let my_run = run_of_able(kind, refusal.as_ref(), &mine, able)?;
    let your_run = yours.run(unable, |_| true);
    let (left, right) = match by {
        Side::Left => (my_run, your_run),
        Side::Right => (your_run, my_run),
    };
    Ok(Difference { kind, trace, by, refusal, formula: None, left, right })
}

fn run_of_able(kind: Kind, refusal: Option<&Refusal>, layers: &Layers, space: &mut Space<'_>) -> Result<Run, End> {
    let goal = match (kind, refusal) {
        (Kind::Refusal, Some(refusal)) => {
            layers.states().find(|&state| is_stable(state, space) && offers(state, space) == refusal.offered)
        }
        (Kind::Completion, _) => layers.states().find(|&state| space.steps(state).is_empty()),
        (Kind::Divergence, _) => layers.states().find(|&state| cycle_through(state, space).is_some()),
        _ => layers.states().next(),
    };
    let goal = goal.ok_or(End::Damaged)?;
    let mut run = layers.run(space, |state| state == goal);
    if kind == Kind::Divergence {
        let cycle = cycle_through(goal, space).ok_or(End::Damaged)?;
        run.cycle_start = Some(run.states.len() - 1);
        for &state in &cycle[1..] {
            run.states.push(space.load(state));
            run.events.push(Event::INTERNAL);
        }
    }
    Ok(run)
}

/// Whether the other side cannot do it.
fn is_confirmed(
    kind: Kind,
    refusal: Option<&Refusal>,
    trace: &[Event],
    (mine, able): (&Layers, &Space<'_>),
    (yours, unable): (&Layers, &Space<'_>),
) -> bool {
    let is_possible = yours.length() == trace.len();
    match (kind, refusal) {
        (Kind::Trace, _) => !is_possible,
        (Kind::Refusal, Some(Refusal { refused, offered, .. })) => {
            let refuses = |state: u32, space: &Space<'_>| {
                is_stable(state, space) && !offers(state, space).iter().any(|event| refused.contains(event))
            };
            let has = |state: u32| refuses(state, able) && offers(state, able) == *offered;
            mine.states().any(has) && !(is_possible && yours.states().any(|state| refuses(state, unable)))
        }
        (Kind::Completion, _) => !(is_possible && yours.states().any(|state| unable.steps(state).is_empty())),
        (Kind::Divergence, _) => !(is_possible && yours.states().any(|state| cycle_through(state, unable).is_some())),
        _ => false,
    }
}

fn is_stable(state: u32, space: &Space<'_>) -> bool {
    split(space.steps(state)).0.is_empty()
}

fn offers(state: u32, space: &Space<'_>) -> Vec<Event> {
    let mut events: Vec<Event> = split(space.steps(state)).1.iter().map(|step| step.0).collect();
    events.dedup();
    events
}
