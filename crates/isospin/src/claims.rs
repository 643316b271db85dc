//! Claims from files, as `--claim` names them: automata in the Hanoi format, and never claims.
//!
//! Both are read together with the model: a never claim is appended to its text, and the propositions of an automaton become `ltl`
//! blocks, from which their meaning is taken. Mistakes are reported where they stand in the file.

use std::path::Path;

use machine::Machine;
use machine::claim::{ClaimError, HanoiClaim, Property};
use machine::trace::ClaimText;

use crate::console::Exit;
use crate::model::refuse;

/// The automaton of a file, if it is one.
pub fn automaton(claim: &ClaimText) -> Result<Option<HanoiClaim>, Exit> {
    if !claim.text.trim_start().starts_with("HOA:") {
        return Ok(None);
    }
    HanoiClaim::read(&claim.text)
        .map(Some)
        .map_err(|error| refuse(&format!("{}:{}:{}: {}", claim.file, error.line, error.column, error.message)))
}

/// The text that is appended to the model.
pub fn promela(number: usize, claim: &ClaimText, automaton: Option<&HanoiClaim>) -> String {
    match automaton {
        Some(automaton) => format!("\n{}", automaton.blocks(&prefix(number), &claim.file)),
        None => {
            let file = claim.file.replace('\\', "\\\\").replace('"', "\\\"");
            format!("\n#line 1 \"{file}\"\n{}\n", claim.text)
        }
    }
}

/// Turns the blocks of an automaton's propositions into the automaton.
pub fn add(machine: &mut Machine, number: usize, claim: &ClaimText, automaton: &HanoiClaim) -> Result<(), Exit> {
    let prefix = prefix(number);
    let (propositions, others): (Vec<Property>, Vec<Property>) =
        std::mem::take(&mut machine.ltl).into_iter().partition(|property| property.name.starts_with(&prefix));
    machine.ltl = others;
    let place = |index: usize| {
        let proposition = &automaton.propositions()[index];
        format!("{}:{}:{}", claim.file, proposition.line, proposition.column)
    };
    if let Some(temporal) = propositions.iter().position(|property| property.proposition.is_none()) {
        let text = &automaton.propositions()[temporal].text;
        return Err(refuse(&format!("{}: `{text}` is no expression but a temporal formula", place(temporal))));
    }
    let name = Path::new(&claim.file).file_stem().map_or_else(|| "claim".into(), |stem| stem.to_string_lossy());
    match automaton.claim(&name, &propositions) {
        Ok(built) => {
            machine.automata.push(built);
            Ok(())
        }
        Err(ClaimError::Unobservable(_, what)) => {
            Err(refuse(&format!("{}: a claim only observes: it cannot {what}", claim.file)))
        }
        Err(error) => Err(refuse(&format!("{}: {error}", claim.file))),
    }
}

fn prefix(number: usize) -> String {
    format!("claim_file_{number}_proposition_")
}
