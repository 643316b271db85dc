//! Which claims a model makes about its infinite runs: what `verify` looks at when it is told nothing.

use std::sync::Arc;

use super::{Claim, ClaimError};
use crate::machine::Machine;

/// Something a model claims about its infinite runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Subject {
    /// An `ltl` property, by its place in [`Machine::ltl`].
    Formula(usize),
    /// A never claim, by its place in [`Machine::claims`].
    Never(usize),
    /// An automaton from a file, by its place in [`Machine::automata`].
    Automaton(usize),
    /// The `accept` labels of processes: none is visited again and again.
    Acceptance,
    /// The `progress` labels of processes: one is visited again and again.
    NonProgress,
}

impl Subject {
    /// All that a model claims: each `ltl` property, each never claim, each automaton, and its labels.
    ///
    /// ```
    /// use machine::claim::Subject;
    /// let text = "bit x; active proctype P() { do :: x = 1; progress: x = 0 od } ltl p { [] <> (x == 1) }";
    /// let model = promela::load_text("m.pml", text, &promela::Options::default()).model.expect("it is correct");
    /// assert_eq!(Subject::all(&machine::lower(&model)), [Subject::Formula(0), Subject::NonProgress]);
    /// ```
    #[must_use]
    pub fn all(machine: &Machine) -> Vec<Subject> {
        let mut subjects: Vec<Subject> = (0..machine.ltl.len()).map(Subject::Formula).collect();
        subjects.extend((0..machine.claims.len()).map(Subject::Never));
        subjects.extend((0..machine.automata.len()).map(Subject::Automaton));
        let mut locations = machine.definitions.iter().flat_map(|definition| &definition.automaton.locations);
        if locations.clone().any(|location| location.accept) {
            subjects.push(Subject::Acceptance);
        }
        if locations.any(|location| location.progress) {
            subjects.push(Subject::NonProgress);
        }
        subjects
    }

    /// What has this name in reports.
    #[must_use]
    pub fn named(machine: &Machine, name: &str) -> Option<Subject> {
        Subject::all(machine).into_iter().find(|subject| &*subject.name(machine) == name)
    }

    /// The name that reports use, different for each: one that several properties share has its kind before it. The search for
    /// assertions and end states is called `safety`, whatever else is.
    ///
    /// ```
    /// use machine::claim::Subject;
    /// let text = "bit x; active proctype P() { x = 1 } ltl safety { [] (x == 0) } ltl p { <> (x == 1) }";
    /// let model = promela::load_text("m.pml", text, &promela::Options::default()).model.expect("it is correct");
    /// let machine = machine::lower(&model);
    /// let names: Vec<_> = Subject::all(&machine).into_iter().map(|subject| subject.name(&machine)).collect();
    /// assert_eq!(names, ["ltl.safety".into(), "p".into()]);
    /// ```
    #[must_use]
    pub fn name(self, machine: &Machine) -> Arc<str> {
        let name = self.written_name(machine);
        let kind = match self {
            Subject::Formula(_) => "ltl",
            Subject::Never(_) => "never",
            Subject::Automaton(_) => "claim",
            Subject::Acceptance | Subject::NonProgress => return name,
        };
        let namesakes = Subject::all(machine).into_iter().filter(|other| other.written_name(machine) == name);
        let namesakes: Vec<Subject> = namesakes.collect();
        if namesakes.len() == 1 && &*name != "safety" {
            return name;
        }
        let is_alike = |other: &&Subject| std::mem::discriminant(*other) == std::mem::discriminant(&self);
        match namesakes.iter().filter(is_alike).position(|other| *other == self) {
            None | Some(0) => format!("{kind}.{name}").into(),
            Some(before) => format!("{kind}.{name}.{}", before + 1).into(),
        }
    }

    /// The name that it has where it is written; others may have the same.
    #[must_use]
    pub fn written_name(self, machine: &Machine) -> Arc<str> {
        match self {
            Subject::Formula(index) => machine.ltl[index].name.clone(),
            Subject::Never(index) => machine.claims[index].name.clone(),
            Subject::Automaton(index) => machine.automata[index].name.clone(),
            Subject::Acceptance => "acceptance".into(),
            Subject::NonProgress => "non-progress".into(),
        }
    }

    /// The claim that watches for a violation.
    ///
    /// # Errors
    /// When there is none.
    pub fn claim(self, machine: &Machine) -> Result<Claim, ClaimError> {
        match self {
            Subject::Formula(index) => machine.ltl[index].claim(),
            Subject::Never(index) => Claim::from_never(machine, index),
            Subject::Automaton(index) => Ok(machine.automata[index].clone()),
            Subject::Acceptance => Ok(Claim::acceptance()),
            Subject::NonProgress => Ok(Claim::non_progress()),
        }
    }
}
