//! Symmetry of a model, found in its program, without any hints.
//!
//! ```text
//! Machine ── entry ──▶ Configuration ── program ──▶ terms of every process ── domains ──▶ classes of names
//!                                                            │                                 │
//!                                                            └────────── program_graph ────────┘
//!                                                                             │ automorphisms
//!                                                        Shape + Group ◀── projection
//! ```
//! The graph is built so that each of its automorphisms commutes with every step of every eligible state (see
//! `eligibility.rs`), and fixes the entry state. "Equal, or both eligible and in one orbit" then is a bisimulation, so a
//! search may keep one state of each orbit of eligible states, however the processes came into being.

mod check;
mod compose;
mod deaths;
mod declared;
mod domains;
mod eligibility;
mod explain;
mod forgotten;
mod graph;
mod names;
#[cfg(test)]
mod testing;

use std::time::Instant;

use group::graph::{Extent, automorphisms_within};
use group::{Group, Permutation, Point};
use machine::Machine;
use machine::dead::DeadVariables;
use machine::expression::Expr;
use machine::ground::{Configuration, Program, TermId, find_entry};
use machine::state::State;
use num_bigint::BigUint;
use promela::source::Span;
use rustc_hash::FxHashMap;

pub use check::{Mismatch, without_deaths};
pub use declared::{Declared, Name, Refusal, parse_declared};
pub use domains::classes::NumberReason;
pub use explain::diagram::{Diagram, DiagramNode, NodeKind, channel_diagram, program_diagram};
pub use explain::{Explanation, explain};
pub use graph::program_graph::Deaths;
pub use machine::ground::NoEntry;

use compose::commute;
use declared::ObjectAction;
use domains::{Domains, classes, guards};
use eligibility::Eligibility;
use explain::{habits, reasons};
use forgotten::{Forgetting, Unfit};
use graph::{colour, program_graph, projection};

use crate::shape::Shape;

/// What is asked of detection.
#[derive(Clone, Debug)]
pub struct Options {
    /// Conditions over globals and remote references that every symmetry is to preserve: the atoms of a property.
    pub preserve: Vec<Expr>,
    /// The dead variables of the machine, if the states to which symmetries are applied have them set back: see
    /// [`Detection::dead`]. `None` asks for symmetries of all states as they are.
    pub dead: Option<DeadVariables>,
    /// Variables that are of no use to anybody, if dead variables are set back at all.
    pub useless: Useless,
    /// How much work the search for automorphisms may be: a hundred millions take about a second.
    pub budget: u64,
    /// Symmetries given by hand: only what they generate is used. `None` asks for all there are.
    pub declared: Option<Vec<Declared>>,
    /// On how many reachable states every generator is tried out before it is believed.
    pub checked_states: usize,
}

/// What becomes of variables that are only written, or read only for each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Useless {
    /// They keep what they hold.
    Kept,
    /// They are set back, too, where that commutes with the symmetries.
    Dead,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            preserve: Vec::new(),
            dead: None,
            useless: Useless::Dead,
            budget: 2_000_000_000,
            declared: None,
            checked_states: 24,
        }
    }
}

/// The symmetry of a model.
#[derive(Clone, Debug)]
pub struct Detection {
    /// How permutations act on eligible states.
    pub shape: Shape,
    /// The group, of permutations of the shape's points.
    pub group: Group,
    /// Generators of the group, with the names of what they move.
    pub generators: Vec<Generator>,
    /// The state that all symmetries fix: the first one in which all processes exist, with dead variables set back.
    pub entry: Option<State>,
    /// What is to be set back in every state, and to what; nothing if that was not asked for.
    pub dead: Option<DeadVariables>,
    /// Whether there may be other symmetries where dead variables are not set back.
    pub needs_dead: bool,
    /// Whether the search has to let processes stay at their end in eligible states.
    pub deaths: Deaths,
    /// Whether all symmetries that the program graph has were found.
    pub complete: bool,
    /// What stands in the way of more symmetry, as far as it was noticed on the way.
    pub obstacles: Vec<Obstacle>,
    /// Generators that failed the check and were left out: each is a bug.
    pub rejected: Vec<Mismatch>,
    /// Declared symmetries that could not be proven, and were left out.
    pub refused: Vec<Refusal>,
    /// How long detection took.
    pub seconds: f64,
    /// How dead variables were treated.
    forgetting: Forgetting,
    eligibility: Eligibility,
    point_names: Vec<String>,
    process_points: Vec<Point>,
    object_names: Vec<String>,
}

/// A generator.
#[derive(Clone, Debug)]
pub struct Generator {
    /// What it does to the points of the shape.
    pub permutation: Permutation,
    /// Its cycles on processes, channels and global variables, or on other things if it moves none of these.
    pub cycles: Vec<Vec<String>>,
    /// What it does to the objects that have names.
    objects: Vec<Point>,
}

/// Something that prevents symmetry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obstacle {
    /// Where it stands, if it stands somewhere.
    pub span: Span,
    /// What it is.
    pub message: String,
    /// What could be done about it.
    pub suggestion: Option<String>,
    /// The order of the group without it, where that is known.
    pub order_without: Option<BigUint>,
}

/// Finds the symmetry of a model.
///
/// ```
/// let text = "byte turn; active [3] proctype p() { turn == 0 -> turn = _pid + 1; turn = 0 }";
/// let loaded = promela::load_text("mutex.pml", text, &promela::Options::default());
/// let machine = machine::lower(&loaded.model.unwrap());
/// let detection = symmetry::detect::detect(&machine, &symmetry::detect::Options::default());
/// assert_eq!(detection.group.order(), 6u32.into());
/// assert_eq!(detection.generators[0].cycles, [["p[1]", "p[2]"]]);
/// ```
#[must_use]
pub fn detect(machine: &Machine, options: &Options) -> Detection {
    let start = Instant::now();
    let mut detection = match find_entry(machine) {
        Ok(entry) => of_configuration(Configuration::of(machine, entry), options),
        Err(reason) => Detection::nothing(None, reason.to_string(), Span::NOWHERE),
    };
    detection.seconds = start.elapsed().as_secs_f64();
    detection
}

fn of_configuration(configuration: Configuration<'_>, options: &Options) -> Detection {
    let machine = configuration.machine;
    let entry = configuration.entry.clone();
    let mut program = Program::of(configuration);
    let preserved = program.add_expressions(&options.preserve);
    if let Some(span) = program.opaque {
        return Detection::nothing(Some(entry), "embedded C may depend on anything".to_string(), span);
    }
    if machine.trace.is_some() {
        return Detection::nothing(Some(entry), "a trace automaton watches every channel".to_string(), Span::NOWHERE);
    }
    let noticed = deaths::noticed(&program, &preserved);
    let search = |forgetting: Forgetting| {
        let program = compose::compose(&program, &forgetting);
        of_program(program, &preserved, noticed, forgetting, options)
    };
    let found = match &options.dead {
        None => search(Forgetting::Nothing),
        Some(dead) => search(Forgetting::Dead(dead.clone())).or_else(|Unfit| search(Forgetting::Kept(dead.clone()))),
    };
    found.unwrap_or_else(|Unfit| {
        Detection::nothing(Some(entry), "variables cannot be set back".to_string(), Span::NOWHERE)
    })
}

/// The symmetry of a program.
fn of_program(
    mut program: Program<'_>,
    preserved: &[TermId],
    noticed: Option<Span>,
    mut forgetting: Forgetting,
    options: &Options,
) -> Result<Detection, Unfit> {
    let real_entry = program.configuration.entry.clone();
    let deaths = if noticed.is_some() { Deaths::Happen } else { Deaths::Ignored };
    let domains = forgetting.settle(&mut program, preserved);
    let machine = program.configuration.machine;
    let entry = program.configuration.entry.clone();
    let graph = program_graph::build(&program, &domains, preserved, deaths, &[]);
    let found = automorphisms_within(&graph.builder.clone().freeze(), options.budget);
    let projection = projection::project(&program, &domains, &graph, found.generators());
    let objects = names::Objects::of(&program, &domains, &graph);
    let (object_points, object_names) = objects.list(&graph);
    let place_of: FxHashMap<Point, Point> =
        object_points.iter().enumerate().map(|(place, &point)| (point, place as Point)).collect();
    let all = found.generators().iter().map(|each| Generator {
        permutation: projection.permutation(each),
        cycles: objects.cycles(each),
        objects: object_points.iter().map(|&point| place_of[&each.image(point)]).collect(),
    });
    let mut generators: Vec<Generator> = all.filter(|each| !each.permutation.is_identity()).collect();
    forgetting.restrict(&program, &projection, &generators)?;
    if options.useless == Useless::Dead {
        forgetting.forget_useless(&program, &domains, &projection, &generators);
    }
    let set_back = forgetting.values(&program.configuration);
    let eligibility = Eligibility::of(&program, &domains, &graph, &projection, &set_back);
    let trial = check::Trial { machine, entry: &entry, deaths, forgetting: &forgetting, shape: &projection.shape };
    let rejected = trial.reject(&mut generators, options.checked_states);
    let degree = projection.shape.degree();
    let mut refused = Vec::new();
    if let Some(declared) = &options.declared {
        let action = ObjectAction {
            names: &object_names,
            processes: graph.processes.len(),
            shown: objects.shown(),
            generators: &generators,
            degree,
        };
        (generators, refused) = action.generators(declared);
    }
    let permutations = generators.iter().map(|each| each.permutation.clone());
    let faithful = options.declared.is_none()
        && found.extent() == Extent::Complete
        && generators.len() == found.generators().len();
    let group = if faithful {
        Group::of_known_order(degree, permutations, found.order())
    } else {
        Group::generated_by(degree, permutations)
    };
    let mut obstacles = numbered_indices(&program, &domains);
    if let Some(span) = noticed {
        let message = "the model can tell when a process disappears, which only the youngest can";
        obstacles.push(Obstacle { span, message: message.to_string(), suggestion: None, order_without: None });
    }
    let process_points = projection.process_points();
    let moves_entry =
        |each: &Generator| projection.shape.apply(&each.permutation, real_entry.bytes()) != real_entry.bytes();
    let needs_dead = program.forgets || generators.iter().any(moves_entry);
    Ok(Detection {
        shape: projection.shape,
        group,
        generators,
        entry: Some(entry),
        dead: forgetting.dead().filter(|dead| !dead.is_empty()),
        needs_dead,
        forgetting,
        deaths,
        complete: found.extent() == Extent::Complete,
        obstacles,
        rejected,
        refused,
        seconds: 0.0,
        eligibility,
        process_points,
        object_names,
        point_names: projection.points.iter().map(|&point| names::point(&program, &domains, point)).collect(),
    })
}

/// Arrays whose cells are fixed because their indices are plain numbers.
fn numbered_indices(program: &Program<'_>, domains: &Domains) -> Vec<Obstacle> {
    let mut obstacles: Vec<Obstacle> = Vec::new();
    let mut groups: Vec<_> = domains.indices.iter().collect();
    groups.sort_unstable();
    for (&group, classes) in groups {
        let reasons = classes.iter().filter_map(|&class| domains.classes.get(class).number);
        let layout = program.configuration.layout_of(group);
        let name = layout.path.last().map_or("", |part| &*part.name);
        for (reason, span) in reasons {
            let span = if span == Span::NOWHERE { layout.span } else { span };
            let message = format!(
                "the elements of `{name}` stay where they are: their indices are plain numbers, since {reason}"
            );
            let obstacle = Obstacle { span, message, suggestion: None, order_without: None };
            if !obstacles.contains(&obstacle) {
                obstacles.push(obstacle);
            }
        }
    }
    obstacles
}

impl Detection {
    /// Keeps a subgroup only. Its generators are named by what they do to the places of a state.
    pub fn restrict_to(&mut self, subgroup: Group) {
        let unmoved: Vec<Point> = (0..self.object_names.len() as Point).collect();
        let named = |permutation: &Permutation| {
            let name = |point: Point| self.point_name(point).to_string();
            let cycles = permutation.cycles().into_iter().map(|cycle| cycle.into_iter().map(name).collect());
            Generator { cycles: cycles.collect(), permutation: permutation.clone(), objects: unmoved.clone() }
        };
        self.generators = subgroup.generators().iter().map(named).collect();
        self.group = subgroup;
    }

    /// No symmetry at all, and why.
    fn nothing(entry: Option<State>, message: String, span: Span) -> Detection {
        Detection {
            shape: Shape::default(),
            group: Group::trivial(0),
            generators: Vec::new(),
            entry,
            dead: None,
            needs_dead: false,
            deaths: Deaths::Happen,
            complete: true,
            obstacles: vec![Obstacle { span, message, suggestion: None, order_without: None }],
            rejected: Vec::new(),
            refused: Vec::new(),
            seconds: 0.0,
            forgetting: Forgetting::Nothing,
            eligibility: Eligibility::never(),
            point_names: Vec::new(),
            process_points: Vec::new(),
            object_names: Vec::new(),
        }
    }

    /// Whether symmetries may be applied to a state. If they may, they may be applied to all its successors too, as long as
    /// no process disappears.
    #[must_use]
    pub fn is_eligible(&self, state: &[u8]) -> bool {
        self.eligibility.holds(&self.shape, state)
    }

    /// Everything with a name that is carried to something else, by orbit.
    #[must_use]
    pub fn object_orbits(&self) -> Vec<Vec<String>> {
        let permutations: Vec<Permutation> = self
            .generators
            .iter()
            .filter_map(|generator| Permutation::from_images(generator.objects.clone()).ok())
            .collect();
        let orbits = group::orbits(self.object_names.len(), &permutations).into_iter();
        let named = |orbit: Vec<Point>| orbit.into_iter().map(|point| self.object_names[point as usize].clone());
        orbits.filter(|orbit| orbit.len() > 1).map(|orbit| named(orbit).collect()).collect()
    }

    /// The points that move as the processes do, by pid.
    #[must_use]
    pub fn process_points(&self) -> &[Point] {
        &self.process_points
    }

    /// What a point of the shape is called.
    #[must_use]
    pub fn point_name(&self, point: Point) -> &str {
        self.point_names.get(point as usize).map_or("", String::as_str)
    }
}
