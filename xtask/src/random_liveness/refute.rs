//! Whether a violation that SPIN reports is one: its trail is followed in the reference interpreter, and the property is evaluated on the run.
//!
//! A difference is put down to SPIN only if its own trail shows it: the run can be followed to its end, and either goes round a cycle that is
//! no violation, or goes round no cycle at all although SPIN speaks of one. Then SPIN can only mean that the last state is repeated for ever, so
//! the model must be at rest there, and the repetition is what is judged. In all other cases the difference stays one.

use std::sync::Arc;

use isospin::verify::Fairness;
use machine::Machine;
use machine::claim::{Judgement, Lasso, Subject, judge, unfair_to};
use machine::interpret::Interpreter;
use machine::spin::{Body, Numbering, follow, read_trail};
use promela::ast::Unit;
use system::Movers;

/// Why the run of a trail that SPIN wrote for a cycle is no violation.
///
/// # Errors
/// When it is one, or when nothing can be said about it.
pub fn refute(
    machine: &Arc<Machine>,
    units: &[Unit],
    subject: Subject,
    fairness: Fairness,
    trail: &str,
) -> Result<String, String> {
    let told = read_trail(trail).map_err(|error| error.to_string())?;
    let numbering = Numbering::new(machine, &bodies(units));
    let followed = follow(machine, &numbering, &told).map_err(|lost| lost.to_string())?;
    let mut run = followed.run;
    let length = run.length();
    let rests = Interpreter::new(machine).successors(run.state()).is_final;
    let first_of_cycle = match followed.cycle {
        Some((first, true)) => Some(first as u32).filter(|&first| first < length),
        // With `accept stutter`, what SPIN calls the cycle is the way to the state that is repeated.
        Some((_, false)) | None => None,
    };
    if first_of_cycle.is_none() && !rests {
        return Err("the trail goes round no cycle, and its last state is not at rest".into());
    }
    let steps = run.steps().to_vec();
    // From the last state back; those in the middle of an `atomic` are not seen by claims.
    let (mut states, mut behind_start) = (Vec::new(), None);
    for taken in (0..=length).rev() {
        run.back_to(taken);
        // The last state of a cycle is its first one again.
        let is_repeated = taken == length && first_of_cycle.is_some();
        if run.is_stored() && !is_repeated {
            states.push(run.state().clone());
        }
        if Some(taken) == first_of_cycle {
            behind_start = run.is_stored().then_some(states.len());
        }
    }
    states.reverse();
    let cycle_start = match (first_of_cycle, behind_start) {
        (None, _) => states.len() - 1,
        (Some(_), Some(behind)) => states.len() - behind,
        (Some(_), None) => return Err("the cycle of the trail begins inside an atomic".into()),
    };
    let on_cycle = &steps[first_of_cycle.unwrap_or(length) as usize..];
    let moved = on_cycle.iter().fold(Movers::default(), |moved, step| moved.and(step.movers()));
    let lasso = Lasso { states: &states, cycle_start: Some(cycle_start) };
    match judge(machine, subject, lasso).map_err(|error| error.to_string())? {
        Judgement::None(reason) => Ok(reason),
        Judgement::Violation => match unfair_to(machine, lasso, moved, fairness).first() {
            Some(pid) if fairness != Fairness::None => Ok(format!("it is unfair to process {}", pid.0)),
            _ => Err("the trail is a violation".into()),
        },
    }
}

/// The order of bodies in the text, by which SPIN numbers statements.
fn bodies(units: &[Unit]) -> Vec<Body> {
    let body = |unit: &Unit| match unit {
        Unit::Proctype(_) | Unit::Init(_) => Some(Body::Process),
        Unit::Never(_) => Some(Body::Claim),
        Unit::Trace(_) => Some(Body::Trace),
        _ => None,
    };
    units.iter().filter_map(body).collect()
}
