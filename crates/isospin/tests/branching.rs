//! Computation tree logic through the command line, and against a naive evaluation on random models.

#[path = "branching/command.rs"]
mod command;
#[path = "branching/naive.rs"]
mod naive;
