//! Promela front end: from text to a checked [`model::Model`].
//!
//! ```text
//! files ── preprocess ──▶ tokens ── parse ──▶ ast::Ast ── resolve ──▶ model::Model
//! ```
//! [`load()`] does all of it. Nothing here fails with a bare string and nothing stops at the first problem: every stage
//! returns what it could make of its input, and a list of [`diagnostic::Diagnostic`]s.
//!
//! [`mod@index`] keeps what every name of the text means, for whoever looks at the text rather than the model.
//! [`Scope`] reads properties that come from elsewhere as if they stood behind the text.
//! Beside that flow stand [`mod@print`], from trees to text, and [`mod@format`], which makes a file's white space uniform.

// A library returns what there is to say.
#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod ast;
pub mod diagnostic;
pub mod format;
pub mod index;
mod kinds;
pub mod lex;
mod lint;
mod load;
pub mod model;
pub mod parse;
pub mod preprocess;
pub mod print;
pub mod render;
mod resolve;
mod scope;
pub mod source;
pub mod token;

pub use load::{Loaded, Options, Strictness, load, load_text, load_with, unreadable};
pub use scope::Scope;
