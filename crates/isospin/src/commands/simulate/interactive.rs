//! A run whose every step a person chooses. Lines are commands, numbers of choices, or parts of a choice's text.

use machine::random::Random;
use machine::simulate::Run;

use super::prompt::Prompt;
use crate::console::Exit;
use crate::listing::Listing;
use crate::model;

const HELP: &str = "  a number      take that choice; an empty line takes the only one
  some text     take the choice that contains it, or list those that do
  r [N]         take one step, or N steps, at random
  u [N]         take back one step, or N steps
  j N           jump back to step N; 0 is the start
  s             show the state
  t             show the steps so far
  w             show what waits, and for what
  c             show the choices again
  h             this help
  q             quit";

/// What a line asks for.
#[derive(PartialEq, Eq, Debug)]
enum Command {
    Take(usize),
    TakeOnly,
    Filter(String),
    Random(u32),
    Undo(u32),
    Jump(u32),
    State,
    Steps,
    Waiting,
    Choices,
    Help,
    Quit,
    Unclear(&'static str),
}

/// Lets a person choose until there is nothing more to choose or they have had enough.
pub fn explore(run: &mut Run<'_>, random: &mut Random, listing: &mut Listing<'_>) -> Result<(), Exit> {
    let mut prompt = Prompt::new();
    show_choices(run, listing, "");
    while listing.is_open() {
        listing.flush();
        let line = prompt
            .line(&format!("{}> ", run.length()))
            .map_err(|error| model::refuse(&format!("cannot read from standard input: {error}")))?;
        let Some(line) = line else { return Ok(()) };
        if obey(parse(&line), run, random, listing) == Next::Leave {
            return Ok(());
        }
    }
    Ok(())
}

#[derive(PartialEq, Eq)]
enum Next {
    Stay,
    Leave,
}

fn obey(command: Command, run: &mut Run<'_>, random: &mut Random, listing: &mut Listing<'_>) -> Next {
    match command {
        Command::Quit => return Next::Leave,
        Command::Help => listing.remark(HELP),
        Command::Unclear(message) => listing.remark(message),
        Command::State => listing.remark(run.view().to_string().trim_end_matches('\n')),
        Command::Steps => {
            for step in run.steps() {
                for part in std::iter::once(&step.part).chain(&step.partner) {
                    listing.remark(&format!("{:3}:\t{}", step.number, part));
                }
            }
        }
        Command::Waiting => {
            for waiting in run.waiting() {
                listing.remark(&format!("{}({}) waits at {}", waiting.process, waiting.pid, waiting.place));
                waiting.obstacles.iter().for_each(|obstacle| listing.remark(&format!("  {obstacle}")));
            }
        }
        Command::Choices => show_choices(run, listing, ""),
        Command::Take(number) => match number.checked_sub(1).filter(|&index| index < run.choices().len()) {
            Some(choice) => take(run, choice, listing),
            None => listing.remark(&format!("there is no choice {number}")),
        },
        Command::TakeOnly => match run.choices().len() {
            1 => take(run, 0, listing),
            0 => show_choices(run, listing, ""),
            _ => listing.remark("which one? A number, some text, or h for help"),
        },
        Command::Filter(text) => match matching(run, &text).as_slice() {
            [only] => take(run, *only, listing),
            [] => listing.remark(&format!("no choice contains `{text}`; h for help")),
            _ => show_choices(run, listing, &text),
        },
        Command::Random(count) => {
            for _ in 0..count {
                let Some(choice) = run.pick(random) else { break };
                listing.step(&run.take(choice));
                if run.failure().is_some() {
                    break;
                }
            }
            show_choices(run, listing, "");
        }
        Command::Undo(count) => back(run, run.length().saturating_sub(count), listing),
        Command::Jump(length) if length <= run.length() => back(run, length, listing),
        Command::Jump(_) => listing.remark(&format!("the run has {} steps so far", run.length())),
    }
    Next::Stay
}

fn take(run: &mut Run<'_>, choice: usize, listing: &mut Listing<'_>) {
    listing.step(&run.take(choice));
    show_choices(run, listing, "");
}

fn back(run: &mut Run<'_>, length: u32, listing: &mut Listing<'_>) {
    run.back_to(length);
    listing.back_to(run.initial(), run.steps());
    listing.remark(&format!("back after step {}", run.length()));
    show_choices(run, listing, "");
}

fn show_choices(run: &Run<'_>, listing: &mut Listing<'_>, filter: &str) {
    if let Some(failure) = run.failure() {
        listing.remark(&format!("{}: {}", failure.place, failure.message));
    }
    if run.choices().is_empty() {
        listing.remark(&format!("{}; u takes a step back, q quits", run.end().message));
    }
    for index in matching(run, filter) {
        listing.remark(&format!("  {:2}  {}", index + 1, text(run, index)));
    }
}

/// The choices whose text contains the given one, whatever the case.
fn matching(run: &Run<'_>, filter: &str) -> Vec<usize> {
    let filter = filter.to_lowercase();
    (0..run.choices().len()).filter(|&index| text(run, index).to_lowercase().contains(&filter)).collect()
}

fn text(run: &Run<'_>, choice: usize) -> String {
    let parts = run.parts(&run.choices()[choice]);
    parts.iter().map(|part| part.to_string().replace('\t', " ")).collect::<Vec<_>>().join(" with ")
}

fn parse(line: &str) -> Command {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let number = rest.trim().parse::<u32>();
    let or_one = |make: fn(u32) -> Command| match (rest.is_empty(), &number) {
        (true, _) => make(1),
        (false, Ok(number)) => make(*number),
        (false, Err(_)) => Command::Filter(line.to_string()),
    };
    match word {
        "" => Command::TakeOnly,
        "r" | "random" => or_one(Command::Random),
        "u" | "undo" => or_one(Command::Undo),
        "j" | "jump" if rest.is_empty() => Command::Unclear("jump where? `j 0` is the start"),
        "j" | "jump" => number.map_or_else(|_| Command::Filter(line.to_string()), Command::Jump),
        "s" | "state" if rest.is_empty() => Command::State,
        "t" | "trace" if rest.is_empty() => Command::Steps,
        "w" | "waiting" if rest.is_empty() => Command::Waiting,
        "c" | "choices" if rest.is_empty() => Command::Choices,
        "h" | "help" | "?" if rest.is_empty() => Command::Help,
        "q" | "quit" | "exit" if rest.is_empty() => Command::Quit,
        _ => line.parse().map_or_else(|_| Command::Filter(line.to_string()), Command::Take),
    }
}

#[cfg(test)]
mod tests {
    use super::{Command, parse};

    #[test]
    fn lines_are_commands_numbers_or_parts_of_text() {
        assert_eq!(parse("3\n"), Command::Take(3));
        assert_eq!(parse(""), Command::TakeOnly);
        assert_eq!(parse("u"), Command::Undo(1));
        assert_eq!(parse("undo 4"), Command::Undo(4));
        assert_eq!(parse("r 10"), Command::Random(10));
        assert_eq!(parse("j 0"), Command::Jump(0));
        assert_eq!(parse("q!1"), Command::Filter("q!1".to_string()));
        assert_eq!(parse("r ? x"), Command::Filter("r ? x".to_string()));
        assert_eq!(parse("s"), Command::State);
        assert_eq!(parse("q"), Command::Quit);
    }
}
