//! What a machine is: automata, actions and expressions, the layout of its states, and states; the check that all of it fits
//! together, and the text that it can be written as.

pub mod action;
pub mod automaton;
pub mod check;
pub mod expression;
pub mod id;
pub mod layout;
pub mod machine;
pub mod scalar;
pub mod state;
pub mod text;
