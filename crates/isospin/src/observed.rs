//! What the commands `relate` and `lts` read: a model with what is observed of it, or a file of transitions.

use std::path::Path;

use isospin::relations::{Model, Subject};
use isospin::verify::Engine;
use machine::events::{Ends, Observables, Pattern};
use machine::interpret::Interpreter;
use machine::{FullChannels, Machine};
use relate::{Alphabet, aut};

use crate::cli::SourceArguments;
use crate::cli::relate::ObserveArguments;
use crate::console::Exit;
use crate::model::{self, Additions, EmbeddedC, Hidden};
use crate::{console, input};

/// A pattern, and whether it has to fit: one that is meant for both sides of a comparison may fit one of them only.
pub struct Wanted {
    pub pattern: Pattern,
    pub sides: Sides,
}

/// For whom a pattern is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sides {
    /// The subject at hand.
    One,
    /// Both sides of a comparison.
    Both,
}

/// Reads patterns.
pub fn patterns(texts: &[String], sides: Sides) -> Result<Vec<Wanted>, Exit> {
    let read = |text: &String| match Pattern::parse(text) {
        Ok(pattern) => Ok(Wanted { pattern, sides }),
        Err(bad) => Err(model::refuse(&bad.to_string())),
    };
    texts.iter().map(read).collect()
}

/// What was read, and what of the wishes found nothing there.
pub struct Read {
    pub subject: Subject,
    /// For each pattern that is meant for both sides: why it does not fit here.
    pub unfit: Vec<String>,
    /// The names of `--hide-values` that are not observed here.
    pub unhidden: Vec<String>,
}

/// Whether a path names a file of transitions.
pub fn is_aut(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("aut"))
}

/// Reads a subject.
pub fn read(
    path: &Path,
    source: &SourceArguments,
    observe: &ObserveArguments,
    wanted: &[Wanted],
    alphabet: &Alphabet,
) -> Result<Read, Exit> {
    if is_aut(path) {
        let text =
            input::text(path).map_err(|error| model::refuse(&format!("cannot read {}: {error}", input::name(path))))?;
        let lts = aut::read(&text, observe.tau_label.into(), alphabet)
            .map_err(|bad| model::refuse(&format!("{}:{}: {}", input::name(path), bad.line, bad.message)))?;
        return Ok(Read { subject: Subject::File(lts), unfit: Vec::new(), unhidden: Vec::new() });
    }
    let additions = Additions::default();
    let input = model::read_with(path, source, FullChannels::Block, Hidden::InState, EmbeddedC::Refuse, &additions)?;
    if let Err(error) = Interpreter::new(&input.machine).initial() {
        return Err(model::refuse(&format!("{}: there is no initial state: {}", input::name(path), error.message)));
    }
    let (observables, unfit, unhidden) = observables(path, &input.machine, observe, wanted)?;
    let model = Model::new(input.machine, input.origin, observables, Engine::Compiled)
        .map_err(|refusal| model::refuse(&format!("{}: {refusal}", input::name(path))))?;
    Ok(Read { subject: Subject::Model(Box::new(model)), unfit, unhidden })
}

fn observables(
    path: &Path,
    machine: &Machine,
    observe: &ObserveArguments,
    wanted: &[Wanted],
) -> Result<(Observables, Vec<String>, Vec<String>), Exit> {
    let name = input::name(path);
    let ends = if observe.no_end { Ends::Hidden } else { Ends::Visible };
    let mut observables = Observables::declared(machine, ends);
    let mut unfit = Vec::new();
    for Wanted { pattern, sides } in wanted {
        match (observables.observe(machine, pattern), sides) {
            (Ok(()), _) => {}
            (Err(bad), Sides::Both) => unfit.push(format!("{name}: {bad}")),
            (Err(bad), Sides::One) => return Err(model::refuse(&format!("{name}: {bad}"))),
        }
    }
    if let Some(channel) = observables.received_rendezvous(machine) {
        let message = format!(
            "{name}: {channel} is a rendezvous, whose message is sent and received at once: observe it without a direction or with `!`"
        );
        return Err(model::refuse(&message));
    }
    let unhidden = observe.hide_values.iter().filter(|name| !observables.hide_values(name)).cloned().collect();
    if observables.is_empty() {
        console::warning(&format!(
            "nothing of {name} is observed but its ends: declare channels or variables `extern`, or use --observe"
        ));
    }
    Ok((observables, unfit, unhidden))
}
