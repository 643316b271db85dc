//! `isospin show`: what a model was understood to be.

pub mod preprocessed;

use machine::interpret::Interpreter;
use machine::listing::{self, Listed};
use machine::show::{Show, SlotsView};
use machine::spin::Numbering;

use crate::cli::show::{AutomataFormat, ShowArguments};
use crate::console::{self, Exit};
use crate::model::{self, Hidden, Input};

/// Prints what the options ask for, in the order of the stages of reading a model.
pub fn run(arguments: &ShowArguments) -> Exit {
    match show(arguments) {
        Ok(text) => console::print(&text),
        Err(exit) => exit,
    }
}

fn show(arguments: &ShowArguments) -> Result<String, Exit> {
    let mut text = String::new();
    if arguments.preprocessed {
        text += &preprocessed::text(&arguments.model, &arguments.source)?;
    }
    let ShowArguments { state: shows_state, layout, slots, machine, .. } = *arguments;
    if arguments.understood || shows_state || layout || slots || machine || arguments.automata.is_some() {
        let input = model::read(&arguments.model, &arguments.source, model::full_channels(false), Hidden::Outside)?;
        if arguments.understood {
            text += &promela::print::print(&input.loaded.ast);
        }
        if let Some(format) = arguments.automata {
            text += &automata(&input, format, &arguments.proctype)?;
        }
        if machine {
            text += &::machine::text::write(&input.machine);
        }
        if shows_state {
            text += &state(&input)?;
        }
        if layout {
            text += &format!("layout (offset, bytes, type, name):\n{}", Show::new(&input.machine).layout());
        }
        if slots {
            let ground = SlotsView::of(&input.machine);
            let refusal = |reason| model::refuse(&format!("what edges read and write is not known: {reason}"));
            text += &ground.map_err(refusal)?.to_string();
        }
    }
    Ok(text)
}

fn automata(input: &Input, format: AutomataFormat, names: &[String]) -> Result<String, Exit> {
    let numbering = Numbering::new(&input.machine, &input.bodies());
    let listed = Listed::all(&input.machine, &numbering, names);
    if let Some(unknown) = names.iter().find(|name| !listed.iter().any(|each| each.name() == **name)) {
        return Err(model::refuse(&format!("the model has no proctype or claim {unknown}")));
    }
    let pictures = || listed.iter().map(Listed::picture).collect::<Vec<_>>();
    Ok(match format {
        AutomataFormat::Text => listing::text(&listed),
        AutomataFormat::Dot => picture::automaton::dot(&pictures()),
        AutomataFormat::Svg => picture::automaton::svg(&pictures()),
    })
}

fn state(input: &Input) -> Result<String, Exit> {
    let show = Show::new(&input.machine);
    let initial = Interpreter::new(&input.machine).initial().map_err(|error| {
        console::error(&format!("the model has no initial state: {}", error.message));
        Exit::Violation
    })?;
    let bytes = initial.bytes().len();
    Ok(format!("initial state, {bytes} bytes:\n{}", show.state(&initial)))
}
