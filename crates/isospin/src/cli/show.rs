//! `isospin show`

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};

use super::SourceArguments;

const EXAMPLES: &str = "\
Examples:
  isospin show --automata model.pml                 every process as a list of transitions
  isospin show --automata=svg model.pml > m.svg     the same as a picture
  isospin show --automata=dot model.pml | dot -Tpdf > m.pdf
  isospin show --state --layout model.pml           the initial state, and where everything lies in it
  isospin show --slots model.pml                    what every edge of every process reads and writes of a state
  isospin show --machine model.pml                  all that is executed, as text that the library reads back
  isospin show --preprocessed -D N=4 model.pml      the text after the preprocessor";

/// `isospin show`
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("what").required(true).multiple(true))]
pub struct ShowArguments {
    /// The model; `-` is standard input
    #[arg(value_name = "MODEL.pml")]
    pub model: PathBuf,
    #[command(flatten)]
    pub source: SourceArguments,
    /// The process automata, claims included
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, require_equals = true, default_missing_value = "text", group = "what")]
    pub automata: Option<AutomataFormat>,
    /// Only the automata of these proctypes
    #[arg(long, value_name = "NAME", requires = "automata")]
    pub proctype: Vec<String>,
    /// The initial state: every variable, channel and process
    #[arg(long, group = "what")]
    pub state: bool,
    /// Where everything lies in a state
    #[arg(long, group = "what")]
    pub layout: bool,
    /// What every edge of every process reads and writes, once all processes exist
    #[arg(long, group = "what")]
    pub slots: bool,
    /// The machine that is executed, whole: layout, automata, actions, formulas
    #[arg(long, group = "what")]
    pub machine: bool,
    /// The text after the preprocessor
    #[arg(long, group = "what")]
    pub preprocessed: bool,
    /// The model as it was understood, neatly laid out
    #[arg(long = "model", group = "what")]
    pub understood: bool,
}

/// How automata are written.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum AutomataFormat {
    /// One line for each transition, near `pan -d`
    Text,
    /// Graphviz
    Dot,
    /// A picture
    Svg,
}
