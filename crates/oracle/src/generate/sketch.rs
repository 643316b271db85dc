//! A model as a tree of pieces of text: what the generator makes, the printer writes and the minimiser cuts down.
//!
//! It knows of Promela only what is needed to take a piece away and still have a model: which lists must not become empty.

use std::fmt::{self, Write as _};

/// A model.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sketch {
    /// Declarations, each a line.
    pub globals: Vec<String>,
    /// Process definitions.
    pub processes: Vec<ProcessSketch>,
}

/// A process definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcessSketch {
    /// Everything before the body: `active [2] proctype P()`.
    pub head: String,
    /// Declarations of locals, each a line.
    pub locals: Vec<String>,
    /// The body.
    pub body: Vec<Piece>,
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// A basic statement.
    Basic(String),
    /// A statement with a label before it.
    Labelled(String, Box<Piece>),
    /// A keyword, a list of options and its closing keyword: `if ... fi`, `do ... od`.
    Choice(Choice, Vec<Vec<Piece>>),
    /// Words before a body in braces: `atomic`, `d_step`, `for (i : 1 .. 2)` or nothing.
    Block(String, Vec<Piece>),
    /// `{ ... } unless { ... }`
    Unless(Vec<Piece>, Vec<Piece>),
}

/// Which selection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// `if`
    If,
    /// `do`
    Do,
}

impl fmt::Display for Sketch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for global in &self.globals {
            writeln!(f, "{global}")?;
        }
        for process in &self.processes {
            let mut text = String::new();
            process.locals.iter().for_each(|local| {
                let _ = writeln!(text, "  {local};");
            });
            write_body(&mut text, &process.body, 1);
            writeln!(f, "{} {{\n{text}}}", process.head)?;
        }
        Ok(())
    }
}

fn write_body(text: &mut String, body: &[Piece], depth: usize) {
    for (number, piece) in body.iter().enumerate() {
        let _ = write!(text, "{:1$}", "", depth * 2);
        write_piece(text, piece, depth);
        text.push_str(if number + 1 < body.len() { ";\n" } else { "\n" });
    }
}

fn write_piece(text: &mut String, piece: &Piece, depth: usize) {
    let indent = depth * 2;
    match piece {
        Piece::Basic(basic) => text.push_str(basic),
        Piece::Labelled(label, piece) => {
            let _ = write!(text, "{label}: ");
            write_piece(text, piece, depth);
        }
        Piece::Choice(choice, options) => {
            let (open, close) = match choice {
                Choice::If => ("if", "fi"),
                Choice::Do => ("do", "od"),
            };
            let _ = writeln!(text, "{open}");
            for option in options {
                let mut inner = String::new();
                write_body(&mut inner, option, depth + 2);
                let _ = write!(text, "{:indent$}:: {}", "", inner.trim_start());
            }
            let _ = write!(text, "{:indent$}{close}", "");
        }
        Piece::Block(head, body) => {
            let _ = writeln!(text, "{head} {{");
            write_body(text, body, depth + 1);
            let _ = write!(text, "{:indent$}}}", "");
        }
        Piece::Unless(main, escape) => {
            text.push_str("{\n");
            write_body(text, main, depth + 1);
            let _ = writeln!(text, "{:indent$}}} unless {{", "");
            write_body(text, escape, depth + 1);
            let _ = write!(text, "{:indent$}}}", "");
        }
    }
}
