//! `isospin show`: what a model was understood to be.

use crate::cli::show::ShowArguments;
use crate::console::{self, Exit};
use crate::model;
use machine::interpret::Interpreter;
use machine::show::Show;

/// Prints what the options ask for.
pub fn run(arguments: &ShowArguments) -> Exit {
    let input = match model::read(&arguments.model, &arguments.source, Default::default()) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    let mut text = String::new();
    if arguments.state {
        let show = Show::new(&input.machine);
        let initial = Interpreter::new(&input.machine).initial().unwrap();
        text += &show.state(&initial).to_string();
        text += &show.layout().to_string();
    }
    console::print(&text)
}
