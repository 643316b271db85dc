//! Automata as pictures: locations are circles, statements stand on the way between them.

mod dot;
mod svg;

pub use self::dot::dot;
pub use self::svg::svg;

/// An automaton to draw.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// What stands above it.
    pub title: String,
    /// The number of the location where it starts.
    pub start: u32,
    /// Its locations.
    pub locations: Vec<Location>,
}

/// A location with its ways out.
#[derive(Clone, Debug)]
pub struct Location {
    /// Its number.
    pub number: u32,
    /// Whether a process may rest there for ever.
    pub end: bool,
    /// Whether being there again and again is acceptance.
    pub accept: bool,
    /// Whether being there is progress.
    pub progress: bool,
    /// The ways out.
    pub transitions: Vec<Transition>,
}

/// A way out of a location.
#[derive(Clone, Debug)]
pub struct Transition {
    /// The number of the location it leads to; one that the automaton does not have is its end.
    pub target: u32,
    /// What is done.
    pub text: String,
    /// Where that is written.
    pub place: String,
    /// The line of that place.
    pub line: u32,
    /// Whether the process keeps control.
    pub atomic: bool,
    /// Whether it interrupts other ways.
    pub escape: bool,
}

impl Location {
    /// The names of its marks.
    fn marks(&self) -> impl Iterator<Item = &'static str> {
        let marks = [(self.end, "end"), (self.accept, "accept"), (self.progress, "progress")];
        marks.into_iter().filter(|(set, _)| *set).map(|(_, name)| name)
    }
}
