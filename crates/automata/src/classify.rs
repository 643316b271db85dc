//! The strength of an automaton and of its components: how hard the search for an accepting run has to look.
//!
//! | strength | accepting components | enough to find a violation |
//! | --- | --- | --- |
//! | terminal | accept whatever follows | reach one |
//! | weak | every cycle accepts | find a cycle in one |
//! | strong | some cycles accept | find an accepting cycle |
//!
//! Definitions of Kupferman and Vardi, Bloem, Ravi and Somenzi (1999), as Spot and the HOA format use them.

use crate::automaton::{Automaton, Marks, StateId};
use crate::components::Components;
use crate::diagram::Diagram;
use crate::prune::has_cycle;

/// What a strongly connected component can do.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ComponentKind {
    /// A single state on no cycle.
    Transient,
    /// Cycles, none of them accepting.
    Rejecting,
    /// Every word that arrives is accepted.
    Terminal,
    /// Every cycle is accepting.
    Weak,
    /// Some cycles accept and some do not.
    Strong,
}

/// The strength of a whole automaton: the largest of its components'.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Strength {
    /// No component accepts.
    Empty,
    /// Accepting components are terminal.
    Terminal,
    /// Accepting components are terminal or weak.
    Weak,
    /// Some component is strong.
    Strong,
}

/// An automaton's components and structural properties.
#[derive(Clone, Debug)]
pub struct Classification {
    components: Vec<(ComponentKind, Vec<StateId>)>,
    component_of: Vec<u32>,
    /// Each component's inner edges all carry all marks, or none does.
    pub weak: bool,
    /// Each component is a single state (very weak, or linear).
    pub very_weak: bool,
    /// No state reads a letter in two ways.
    pub deterministic: bool,
    /// Each state reads every letter.
    pub complete: bool,
}

impl Classification {
    /// Classifies an automaton.
    ///
    /// ```
    /// use automata::{atom::AtomTable, classify::{Classification, Strength}, text, translate::translate};
    /// let strength = |text: &str| {
    ///     let formula = text::parse(text, &mut AtomTable::default()).unwrap();
    ///     Classification::of(&translate(&formula).unwrap()).strength()
    /// };
    /// assert_eq!(strength("F p"), Strength::Terminal);
    /// assert_eq!(strength("F G p"), Strength::Weak);
    /// assert_eq!(strength("G F p"), Strength::Strong);
    /// ```
    pub fn of(automaton: &Automaton) -> Classification {
        let components = Components::of_automaton(automaton);
        let inner = components.inner_marks(automaton);
        let mut guards = automaton.guards.clone();
        let mut weak = true;
        let mut kinds = Vec::with_capacity(components.count());
        for (component, &marks) in inner.iter().enumerate() {
            let avoidable = |set: u32| {
                has_cycle(automaton, &components, component, Marks::NONE, |_, edge| !edge.marks.contains(set))
            };
            let inside = |state: usize| {
                automaton.edges[state].iter().filter(|edge| components.of(edge.target.index()) == component)
            };
            let mut reads_everything = |state: usize| {
                inside(state).fold(Diagram::FALSE, |seen, edge| guards.or(seen, edge.guard)) == Diagram::TRUE
            };
            let kind = match marks {
                None => ComponentKind::Transient,
                Some(marks) if marks != automaton.all_marks() => ComponentKind::Rejecting,
                Some(_) if (0..automaton.acceptance_sets).any(avoidable) => ComponentKind::Strong,
                Some(_) if components.members(component).all(&mut reads_everything) => ComponentKind::Terminal,
                Some(_) => ComponentKind::Weak,
            };
            let uniform = |wanted: Marks| {
                components.members(component).all(|state| inside(state).all(|edge| edge.marks == wanted))
            };
            weak &= uniform(Marks::NONE) || uniform(automaton.all_marks());
            kinds.push((kind, components.members(component).map(StateId::from_index).collect::<Vec<StateId>>()));
        }
        Classification {
            weak,
            very_weak: kinds.iter().all(|(_, states)| states.len() == 1),
            deterministic: automaton.is_deterministic(),
            complete: automaton.is_complete(),
            component_of: (0..automaton.state_count()).map(|state| components.of(state) as u32).collect(),
            components: kinds,
        }
    }

    /// The components, successors before predecessors: what each can do, and its states.
    pub fn components(&self) -> &[(ComponentKind, Vec<StateId>)] {
        &self.components
    }

    /// What the component of a state can do.
    pub fn kind_of(&self, state: StateId) -> ComponentKind {
        self.components[self.component_of[state.index()] as usize].0
    }

    /// The strength of the automaton.
    pub fn strength(&self) -> Strength {
        let of_kind = |kind: ComponentKind| match kind {
            ComponentKind::Transient | ComponentKind::Rejecting => Strength::Empty,
            ComponentKind::Terminal => Strength::Terminal,
            ComponentKind::Weak => Strength::Weak,
            ComponentKind::Strong => Strength::Strong,
        };
        self.components.iter().map(|(kind, _)| of_kind(*kind)).max().unwrap_or(Strength::Empty)
    }

    /// Is no component strong: in each, all cycles accept or none does?
    pub fn inherently_weak(&self) -> bool {
        self.strength() <= Strength::Weak
    }
}
