//! The `.trail` files of SPIN's verifiers: lines `depth:process:statement`, special ones with a negative depth.

use super::{LeftOut, Numbering, SpinRun, SpinStep, Statement, Unreadable};
use crate::id::{DefinitionId, Location};
use crate::machine::Machine;
use crate::trace::{Part, Trace};

/// Reads a trail.
///
/// # Errors
/// When a line is not of that form, or the verifier had searched in an order that only it can repeat.
///
/// ```
/// let run = machine::spin::read_trail("-4:-4:-4\n1:0:8\n2:1:0\n").unwrap();
/// assert_eq!(run.left_out, machine::spin::LeftOut::Merged);
/// assert_eq!(run.steps.len(), 2);
/// ```
pub fn read_trail(text: &str) -> Result<SpinRun, Unreadable> {
    let mut run = SpinRun::default();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let number = index + 1;
        let fail = |message: &str| Unreadable { line: number, message: message.to_string() };
        let mut fields = line.trim().split(':').map(str::parse::<i64>);
        let (Some(Ok(depth)), Some(Ok(pid)), Some(Ok(statement)), None) =
            (fields.next(), fields.next(), fields.next(), fields.next())
        else {
            return Err(fail("a trail has lines of three numbers: depth:process:statement"));
        };
        match depth {
            -1 => run.cycle_start = Some(run.steps.len()),
            -2 => run.with_claim = true,
            -4 => run.left_out = LeftOut::Merged,
            -8..=-5 => {
                return Err(fail("the verifier permuted its search; only that verifier can replay this (./pan -r)"));
            }
            depth if depth < 0 => return Err(fail("unknown kind of line")),
            _ => {
                let pid = if run.with_claim { pid - 1 } else { pid };
                // The claim's own steps.
                if pid == -1 && run.with_claim {
                    continue;
                }
                let pid = u8::try_from(pid).map_err(|_| fail("there is no such process"))?;
                let statement = u32::try_from(statement).map_err(|_| fail("there is no such statement"))?;
                run.steps.push(SpinStep { line: number, pid, statement: Statement::InModel(statement) });
            }
        }
    }
    Ok(run)
}

/// A run without a claim as a trail that SPIN follows, for a model whose statements SPIN does not merge; both halves of a rendezvous are
/// lines of their own. `None` if a step is none that SPIN numbers.
#[must_use]
pub fn write_trail(machine: &Machine, numbering: &Numbering, trace: &Trace) -> Option<String> {
    let number = |part: &Part| {
        let definition = machine.definitions.iter().position(|each| *each.automaton.name == *part.process)?;
        numbering.in_model(DefinitionId(definition as u32), Location(part.state))
    };
    let mut text = String::new();
    let mut depth = 0;
    for (index, step) in trace.steps.iter().enumerate() {
        if trace.cycle_start == Some(index) {
            text += "-1:-1:-1\n";
        }
        for part in std::iter::once(&step.part).chain(&step.partner) {
            depth += 1;
            text += &format!("{depth}:{}:{}\n", part.pid, number(part)?);
        }
    }
    Some(text)
}
