//! Reads what `spin -t -p` prints: `  4:  proc  1 (Q:1) f.pml:1 (state 2)  [z = 0]`.

use super::{LeftOut, SpinRun, SpinStep, Statement, Unreadable};

/// Reads the listing of a guided simulation.
///
/// # Errors
/// When it holds no step at all.
///
/// ```
/// let run = machine::spin::read_listing("  1:\tproc  0 (P:1) m.pml:1 (state 3)\t[x = 1]\n").unwrap();
/// assert_eq!(run.steps[0].statement, machine::spin::Statement::InProctype(3));
/// ```
pub fn read_listing(text: &str) -> Result<SpinRun, Unreadable> {
    let mut run = SpinRun { left_out: LeftOut::Jumps, ..SpinRun::default() };
    let mut ended = false;
    for (index, line) in text.lines().enumerate() {
        if line.contains("<<<<<START OF CYCLE>>>>>") {
            run.cycle_start = Some(run.steps.len());
        } else if line.starts_with("Never claim moves") {
            run.with_claim = true;
        } else if line.starts_with("spin: trail ends") {
            // What follows is the final state.
            ended = true;
            break;
        } else if let Some((pid, statement)) = step(line) {
            run.steps.push(SpinStep { line: index + 1, pid, statement });
        }
    }
    if run.steps.is_empty() && !ended {
        let message =
            "no step was found; `spin -t -p model.pml` prints lines like `1: proc 0 (P:1) m.pml:3 (state 1) [x = 1]`";
        return Err(Unreadable { line: 1, message: message.to_string() });
    }
    Ok(run)
}

/// Process and statement of a line that shows a step; the statement in brackets tells it from a final position.
fn step(line: &str) -> Option<(u8, Statement)> {
    // What the model printed may stand before it.
    let numbered = |at: usize| {
        let before = line[..at].trim_end().strip_suffix(':');
        before.is_some_and(|before| before.ends_with(|last: char| last.is_ascii_digit()))
    };
    let (at, word) = line.match_indices("proc").find(|&(at, _)| numbered(at))?;
    let rest = line[at + word.len()..].trim_start();
    let (pid, rest) = rest.split_once(' ')?;
    let pid = pid.parse().ok()?;
    if rest.trim_end().ends_with("terminates") {
        return Some((pid, Statement::End));
    }
    let (_, rest) = rest.split_once("(state ")?;
    let (state, rest) = rest.split_once(')')?;
    rest.contains('[').then_some(())?;
    Some((pid, Statement::InProctype(state.parse().ok()?)))
}
