//! What breaks symmetry, and how much there would be without it.
//!
//! Causes of known kinds (`causes.rs`) are tried first: the program is changed so that one of them is gone, and if more permutations of
//! the processes are symmetries then, it is an obstacle, and the change is what the user is told to do. Groups are compared by what they
//! do to processes, so that a variable that nothing uses any more does not count. Where nothing is an obstacle by itself, as
//! when two loops put processes in order, as few causes as possible are looked for that are one together. Only where no known kind
//! explains anything are statements left out one by one.

mod causes;
pub(super) mod diagram;
pub(super) mod habits;
pub(super) mod reasons;

use std::cell::Cell;
use std::time::{Duration, Instant};

use group::graph::{automorphisms_within, classes_by_refinement};
use group::{Group, Permutation, Point};
use machine::Machine;
use machine::ground::{CellGroup, CellId, ChannelId, Configuration, GroupId, Program, find_entry};
use num_bigint::BigUint;
use promela::source::Span;

use super::compose::compose;
use super::program_graph::{self, Deaths};
use super::reasons::reason;
use super::{Detection, Obstacle, Options, deaths};
use causes::{Cause, Edit};

/// More places than these that have to be changed together are how the model is, not an obstacle in it.
const MOST_TOGETHER: usize = 4;

/// What breaks symmetry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// Those whose absence was tried out come first, in the order of the text.
    pub obstacles: Vec<Obstacle>,
    /// Whether there was time for everything that could be one.
    pub complete: bool,
}

/// Finds what breaks symmetry, for as long as the limit allows.
///
/// ```
/// use symmetry::detect::{Options, detect, explain};
/// let text = "byte x; active [3] proctype p() { do :: x = 1 - x :: _pid == 2 -> x = 0 od }";
/// let loaded = promela::load_text("broken.pml", text, &promela::Options::default());
/// let machine = machine::lower(&loaded.model.unwrap());
/// let options = Options::default();
/// let detection = detect(&machine, &options);
/// assert_eq!(detection.group.order(), 2u32.into());
/// let obstacles = explain(&machine, &detection, &options, std::time::Duration::from_secs(5)).obstacles;
/// assert_eq!(obstacles[0].order_without, Some(6u32.into()));
/// assert_eq!(obstacles[0].message, "only p[2] can do this");
/// ```
#[must_use]
pub fn explain(machine: &Machine, detection: &Detection, options: &Options, limit: Duration) -> Explanation {
    let mut obstacles = detection.obstacles.clone();
    if limit.is_zero() {
        return Explanation { obstacles, complete: false };
    }
    let Ok(entry) = find_entry(machine) else { return Explanation { obstacles, complete: true } };
    let mut program = Program::of(Configuration::of(machine, entry));
    let preserved = program.add_expressions(&options.preserve);
    if program.opaque.is_some() || machine.trace.is_some() || program.configuration.definitions.len() < 2 {
        return Explanation { obstacles, complete: true };
    }
    let deaths = if deaths::noticed(&program, &preserved).is_some() { Deaths::Happen } else { Deaths::Ignored };
    let clock = Clock::new(limit, detection.seconds);
    let known_base = order_on_processes(detection, options);
    let order_of = |program: &Program<'_>, variables: &[Span]| {
        let _trial = clock.trial();
        let mut program = compose(program, &detection.forgetting);
        let domains = detection.forgetting.clone().settle(&mut program, &preserved);
        let graph = program_graph::build(&program, &domains, &preserved, deaths, variables);
        let frozen = graph.builder.freeze();
        // Most things that are left out change nothing, and what refinement cannot tell apart bounds the order.
        let bound = || largest_order(&classes_by_refinement(&frozen, &graph.processes));
        if let Some(base) = known_base.as_ref().filter(|&base| bound() <= *base) {
            return base.clone();
        }
        let found = automorphisms_within(&frozen, options.budget / 20);
        let places: Vec<Point> = graph.processes.iter().map(|process| process.point()).collect();
        let permutations = found.generators().iter().map(|generator| permutation_of(&places, |at| generator.image(at)));
        Group::generated_by(places.len(), permutations).order()
    };
    let base = known_base.clone().unwrap_or_else(|| order_of(&program, &[]));
    obstacles.extend(habits::scattered_runs(machine));
    let mut composed = compose(&program, &detection.forgetting);
    let domains = detection.forgetting.clone().settle(&mut composed, &preserved);
    let scans = habits::ordered_scans(&composed, &domains);
    let causes = causes::suspects(&program, &composed, &scans);
    let order_with = |edits: &[Edit]| {
        let starts = edits.iter().filter_map(|edit| match edit {
            Edit::Start(span) => Some(*span),
            _ => None,
        });
        let starts: Vec<Span> = starts.collect();
        let changed = causes::apply(&program, edits, &scans, &domains);
        if is_gutted(&program, &changed) { base.clone() } else { order_of(&changed, &starts) }
    };
    let trials = Trials { order_with: &order_with, base: &base, clock: &clock };
    let mut found = trials.known(&causes);
    if found.is_empty() {
        let statements = statements(&program);
        found = trials.unknown(&statements, |span| reason(&program, &scans, span));
    }
    for Found { span, message, suggestion, order } in found {
        let order_without = Some(detection.group.order() * order / &base);
        obstacles.push(Obstacle { span, message, suggestion, order_without });
    }
    // What is known to be a cause comes first.
    obstacles.sort_by_key(|obstacle| (obstacle.order_without.is_none(), obstacle.span));
    Explanation { obstacles, complete: !clock.ended.get() }
}

/// The statements of a program.
fn statements(program: &Program<'_>) -> Vec<Span> {
    let mut spans: Vec<Span> = program.ways().map(|way| way.span).collect();
    spans.sort_unstable();
    spans.dedup();
    spans
}

/// What breaks symmetry, with the order of the group on processes without it.
struct Found {
    span: Span,
    message: String,
    suggestion: Option<String>,
    order: BigUint,
}

/// Changes that are tried out.
struct Trials<'a> {
    order_with: &'a dyn Fn(&[Edit]) -> BigUint,
    base: &'a BigUint,
    clock: &'a Clock,
}

impl Trials<'_> {
    /// Causes of known kinds: each by itself, or else as few of them as possible together. One that brings nothing where another one
    /// is gone already is no cause of its own.
    fn known(&self, causes: &[Cause]) -> Vec<Found> {
        let mut found: Vec<Found> = Vec::new();
        let mut edits: Vec<Edit> = Vec::new();
        let mut reached = self.base.clone();
        for cause in causes {
            let gains = cause.edits.iter().find_map(|(edit, advice)| Some((*edit, advice, self.gain(&[*edit])?)));
            let Some((edit, advice, order)) = gains else { continue };
            edits.push(edit);
            let together = if found.is_empty() { order.clone() } else { (self.order_with)(&edits) };
            if together > reached {
                reached = together;
                let (message, suggestion) = (cause.message.clone(), Some(advice.clone()));
                found.push(Found { span: cause.span, message, suggestion, order });
            } else {
                edits.pop();
            }
        }
        if found.is_empty() { self.together(causes) } else { found }
    }

    /// Causes that only count together. The smallest change of each is tried first, then the largest.
    fn together(&self, causes: &[Cause]) -> Vec<Found> {
        for largest in [false, true] {
            let edit_of = |number: &usize| {
                let edits = &causes[*number].edits;
                if largest { edits.last() } else { edits.first() }
            };
            let edits =
                |numbers: &[usize]| numbers.iter().filter_map(edit_of).map(|(edit, _)| *edit).collect::<Vec<_>>();
            let Some((needed, order)) = self.fewest(causes.len(), &edits) else { continue };
            if needed.len() > MOST_TOGETHER {
                continue;
            }
            let entry = |number: &usize| {
                let Cause { span, message, .. } = &causes[*number];
                let suggestion = edit_of(number).map(|(_, advice)| advice.clone());
                Found { span: *span, message: with_others(message, needed.len() - 1), suggestion, order: order.clone() }
            };
            return needed.iter().map(entry).collect();
        }
        Vec::new()
    }

    /// Statements of no known kind.
    fn unknown(&self, spans: &[Span], reason: impl Fn(Span) -> (String, Option<String>)) -> Vec<Found> {
        let entry = |span: Span, others: usize, order: BigUint| {
            let (message, suggestion) = reason(span);
            Found { span, message: with_others(&message, others), suggestion, order }
        };
        let alone = spans.iter().filter_map(|&span| Some((span, self.gain(&[Edit::Effect(span)])?)));
        let alone: Vec<Found> = alone.map(|(span, order)| entry(span, 0, order)).collect();
        if !alone.is_empty() {
            return alone;
        }
        let edits = |numbers: &[usize]| numbers.iter().map(|&number| Edit::Effect(spans[number])).collect::<Vec<_>>();
        match self.fewest(spans.len(), &edits).filter(|(needed, _)| needed.len() <= MOST_TOGETHER) {
            Some((needed, order)) => {
                let others = needed.len() - 1;
                needed.into_iter().map(|number| entry(spans[number], others, order.clone())).collect()
            }
            None => Vec::new(),
        }
    }

    /// The order with changes, if it is larger than without.
    fn gain(&self, edits: &[Edit]) -> Option<BigUint> {
        if self.clock.is_over() {
            return None;
        }
        Some((self.order_with)(edits)).filter(|order| order > self.base)
    }

    /// As few as possible that have to be changed together, and the order then. Those that come first are left alone if others will do.
    fn fewest(&self, count: usize, edits: &dyn Fn(&[usize]) -> Vec<Edit>) -> Option<(Vec<usize>, BigUint)> {
        let mut needed: Vec<usize> = (0..count).collect();
        let order = self.gain(&edits(&needed)).filter(|_| count > 1)?;
        let mut index = 0;
        while index < needed.len() {
            if self.clock.is_over() {
                return None;
            }
            let left_out = needed.remove(index);
            if (self.order_with)(&edits(&needed)) < order {
                needed.insert(index, left_out);
                index += 1;
            }
        }
        Some((needed, order))
    }
}

fn with_others(message: &str, others: usize) -> String {
    match others {
        0 => message.to_string(),
        1 => format!("{message}; together with another place"),
        _ => format!("{message}; together with {others} other places"),
    }
}

/// How much time is left for trials. One that would take as long as the longest so far is not begun if it would end too late.
struct Clock {
    start: Instant,
    limit: Duration,
    longest: Cell<Duration>,
    /// Whether it was ever said that the time is over.
    ended: Cell<bool>,
}

impl Clock {
    /// Detection itself tells what to expect: a trial leaves out its longest part.
    fn new(limit: Duration, detection_seconds: f64) -> Clock {
        let expected = Duration::try_from_secs_f64(detection_seconds / 2.0).unwrap_or_default();
        Clock { start: Instant::now(), limit, longest: Cell::new(expected), ended: Cell::new(false) }
    }

    fn is_over(&self) -> bool {
        let is_over = self.start.elapsed() + self.longest.get() > self.limit;
        self.ended.set(self.ended.get() || is_over);
        is_over
    }

    /// Measures a trial until it is dropped.
    fn trial(&self) -> ClockedTrial<'_> {
        ClockedTrial { clock: self, start: Instant::now() }
    }
}

struct ClockedTrial<'a> {
    clock: &'a Clock,
    start: Instant,
}

impl Drop for ClockedTrial<'_> {
    fn drop(&mut self) {
        self.clock.longest.set(self.clock.longest.get().max(self.start.elapsed()));
    }
}

/// The order of what the symmetries that were found do to the processes, if they are all there are.
fn order_on_processes(detection: &Detection, options: &Options) -> Option<BigUint> {
    if options.declared.is_some() || !detection.complete || !detection.rejected.is_empty() {
        return None;
    }
    let places = detection.process_points();
    let generators = detection.generators.iter().map(|generator| &generator.permutation);
    let permutations = generators.map(|permutation| permutation_of(places, |at| permutation.image(at)));
    Some(Group::generated_by(places.len(), permutations).order())
}

/// What is done to the points at these places, which are in ascending order.
fn permutation_of(places: &[Point], image: impl Fn(Point) -> Point) -> Permutation {
    let images: Vec<Point> =
        places.iter().map(|&place| places.binary_search(&image(place)).map_or(0, |index| index as Point)).collect();
    Permutation::from_images(images).unwrap_or_else(|_| Permutation::identity(places.len()))
}

/// The number of permutations that keep classes.
fn largest_order(classes: &[usize]) -> BigUint {
    let mut sorted = classes.to_vec();
    sorted.sort_unstable();
    sorted.chunk_by(|one, other| one == other).flat_map(|class| 1..=class.len()).map(BigUint::from).product()
}

/// Whether so much is missing that nothing can be learned: a process lost more than half of its locations.
fn is_gutted(program: &Program<'_>, without: &Program<'_>) -> bool {
    let pairs = program.processes.iter().zip(&without.processes);
    pairs.into_iter().any(|(before, after)| 2 * after.locations.len() < before.locations.len())
}

/// How the cells of a variable start.
enum Start {
    /// All with this value.
    Same(i32),
    Unlike,
    /// They are channels, some of which hold messages.
    Messages(Vec<String>),
}

/// Variables by declaration, with how they start.
fn unlike_variables(program: &Program<'_>) -> Vec<(Span, String, Start)> {
    let configuration = &program.configuration;
    let is_channel = |group: GroupId| {
        let CellGroup { storage, id, .. } = configuration.groups[group.index()];
        configuration.channels.iter().any(|channel| channel.storage == storage && channel.cells == id)
    };
    let mut seen: Vec<(Span, String, Start)> = Vec::new();
    for index in 0..configuration.cells.len() as u32 {
        let cell = CellId(index);
        let group = configuration.cells[cell.index()];
        let layout = configuration.layout_of(group);
        let is_known = program.constants[cell.index()] && !program.relied_on.contains(&cell);
        if is_known || is_channel(group) {
            continue;
        }
        let value = configuration.entry_value(cell);
        match seen.iter_mut().find(|(span, ..)| *span == layout.span) {
            Some((_, _, start)) => {
                if !matches!(start, Start::Same(first) if *first == value) {
                    *start = Start::Unlike;
                }
            }
            None => {
                let name = layout.path.last().map_or_else(String::new, |part| part.name.to_string());
                seen.push((layout.span, name, Start::Same(value)));
            }
        }
    }
    for (index, channel) in configuration.channels.iter().enumerate() {
        let id = ChannelId(index as u32);
        if configuration.entry_messages(id).is_empty() {
            continue;
        }
        let layout = configuration.layout_of(configuration.group(channel.storage, channel.cells));
        let name = configuration.channel_name(id);
        match seen.iter_mut().find(|(span, ..)| *span == layout.span) {
            Some((_, _, Start::Messages(channels))) => channels.push(name),
            _ => seen.push((layout.span, name.clone(), Start::Messages(vec![name]))),
        }
    }
    seen
}

fn values_of(program: &Program<'_>, span: Span) -> String {
    let configuration = &program.configuration;
    let cells = (0..configuration.cells.len() as u32).map(CellId);
    let cells = cells.filter(|&cell| configuration.layout_of(configuration.cells[cell.index()]).span == span);
    let values = cells.map(|cell| format!("{} = {}", configuration.cell_name(cell), configuration.entry_value(cell)));
    let values: Vec<String> = values.collect();
    match values.len() {
        0..=6 => values.join(", "),
        more => format!("{}, and {} more", values[..5].join(", "), more - 5),
    }
}
