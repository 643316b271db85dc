//! What breaks symmetry, and how much there would be without it.
//!
//! One thing is left out at a time: the initial values of a variable, what a statement does, or the statement as a way to
//! go. If more permutations of the processes are symmetries then, that thing is an obstacle. Groups are compared by what they
//! do to processes, so that a variable that nothing uses any more does not count. Where nothing is an obstacle by itself, as
//! when two loops put processes in order, as few things as possible are looked for that are one together.

pub(super) mod diagram;
pub(super) mod habits;
pub(super) mod reasons;

use std::cell::Cell;
use std::time::{Duration, Instant};

use group::graph::{automorphisms_within, classes_by_refinement};
use group::{Group, Permutation, Point};
use machine::Machine;
use machine::ground::{CellGroup, CellId, ChannelId, Configuration, GroupId, Program, Step, find_entry};
use num_bigint::BigUint;
use promela::source::Span;

use super::compose::compose;
use super::program_graph::{self, Deaths};
use super::reasons::reason;
use super::{Detection, Obstacle, Options, deaths};

/// More places than these that have to be changed together are how the model is, not an obstacle in it.
const MOST_TOGETHER: usize = 4;

/// What breaks symmetry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// Those come first that stand first in the text.
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
    let mut add = |span: Span, message: String, suggestion: Option<String>, order: &BigUint| {
        let order_without = Some(detection.group.order() * order / &base);
        obstacles.push(Obstacle { span, message, suggestion, order_without });
    };
    let mut explained = Vec::new();
    let mut composed = compose(&program, &detection.forgetting);
    let domains = detection.forgetting.clone().settle(&mut composed, &preserved);
    let scans = habits::ordered_scans(&composed, &domains);
    for scan in &scans {
        if clock.is_over() {
            break;
        }
        let order = order_of(&without(&program, Omission::Effect(scan.span)), &[]);
        if order > base {
            explained.push(scan.span);
            add(scan.span, scan.message(), Some(habits::SCAN_ADVICE.to_string()), &order);
        }
    }
    let mut by_variables = Vec::new();
    let variables = unlike_variables(&program);
    for (span, name, start_value) in &variables {
        let span = *span;
        if clock.is_over() {
            break;
        }
        let order = order_of(&program, &[span]);
        if order > base {
            by_variables.push(order.clone());
            let (message, advice) = match start_value {
                Start::Same(value) => (
                    format!("`{name}` starts with {value}, which names one of the things that would be alike"),
                    "let it start with a value that is no id, such as 255 or the number of processes",
                ),
                Start::Unlike => (
                    format!("`{name}` starts with different values: {}", values_of(&program, span)),
                    "let them start alike; if one is to be special, choose it in the model: if :: x = 1 :: x = 2 fi",
                ),
                Start::Messages(channels) => (
                    format!("there are messages in {} from the start", channels.join(", ")),
                    "let one of them be chosen: if :: q[0]!m :: q[1]!m fi",
                ),
            };
            add(span, message, Some(advice.to_string()), &order);
        }
    }
    if by_variables.is_empty() {
        let together = Together { order_of: &|spans| order_of(&program, spans), base: &base, clock: &clock };
        if let Some((spans, order)) = together.find(variables.iter().map(|&(span, ..)| span).collect()) {
            let names =
                variables.iter().filter(|(span, ..)| spans.contains(span)).map(|(_, name, _)| format!("`{name}`"));
            let names: Vec<String> = names.collect();
            let message =
                format!("{} start with values that name some of the things that would be alike", names.join(", "));
            let advice = "let them start with a value that is no id, such as 255 or the number of processes";
            by_variables.push(order.clone());
            add(spans[0], message, Some(advice.to_string()), &order);
        }
    }
    let mut spans: Vec<Span> = program.ways().map(|way| way.span).collect();
    spans.sort_unstable();
    spans.dedup();
    spans.retain(|span| !explained.contains(span));
    let mut is_explained = !explained.is_empty() || !by_variables.is_empty();
    for &span in &spans {
        for omission in [Omission::Effect(span), Omission::Way(span)] {
            if clock.is_over() {
                break;
            }
            let smaller = without(&program, omission);
            if is_gutted(&program, &smaller) {
                continue;
            }
            let order = order_of(&smaller, &[]);
            // What a variable that starts unlike explains already needs no statement to explain it.
            if order > base && !by_variables.contains(&order) {
                let (message, suggestion) = reason(&program, &scans, span);
                add(span, message, suggestion, &order);
                is_explained = true;
                break;
            }
        }
    }
    if !is_explained {
        // A span is one of a statement or of the declaration of a variable, never of both.
        let order_without = |left_out: &[Span]| {
            let program =
                left_out.iter().fold(program.clone(), |program, &span| without(&program, Omission::Effect(span)));
            order_of(&program, left_out)
        };
        let together = Together { order_of: &order_without, base: &base, clock: &clock };
        spans.extend(variables.iter().map(|&(span, ..)| span));
        // Statements of loops over ids come last, so that they are what is left.
        spans.sort_by_key(|span| scans.iter().any(|scan| scan.span == *span));
        if let Some((found, order)) = together.find(spans).filter(|(found, _)| found.len() <= MOST_TOGETHER) {
            for &span in &found {
                let (message, suggestion) = match scans.iter().find(|scan| scan.span == span) {
                    Some(scan) => (scan.message(), Some(habits::SCAN_ADVICE.to_string())),
                    None => reason(&program, &scans, span),
                };
                let others = found.len() - 1;
                let message = match others {
                    0 => message,
                    1 => format!("{message}; together with another place"),
                    _ => format!("{message}; together with {others} other places"),
                };
                add(span, message, suggestion, &order);
            }
        }
    }
    obstacles.sort_by_key(|obstacle| obstacle.span);
    Explanation { obstacles, complete: !clock.ended.get() }
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

/// A search for things that break symmetry only together.
struct Together<'a> {
    order_of: &'a dyn Fn(&[Span]) -> BigUint,
    base: &'a BigUint,
    clock: &'a Clock,
}

impl Together<'_> {
    /// As few of these as possible that have to be left out together, and the order without them. Those that come first are
    /// kept out of it if others will do.
    fn find(&self, mut spans: Vec<Span>) -> Option<(Vec<Span>, BigUint)> {
        if spans.len() < 2 || self.clock.is_over() {
            return None;
        }
        let order = (self.order_of)(&spans);
        if order <= *self.base {
            return None;
        }
        let mut index = 0;
        while index < spans.len() {
            if self.clock.is_over() {
                return None;
            }
            let span = spans.remove(index);
            if (self.order_of)(&spans) < order {
                spans.insert(index, span);
                index += 1;
            }
        }
        Some((spans, order))
    }
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

/// Something to leave out of a program, to see what it would be without.
#[derive(Clone, Copy, Debug)]
enum Omission {
    /// What a statement does and asks for.
    Effect(Span),
    /// A statement as a way to go.
    Way(Span),
}

/// The program without something. What is constant stays so.
fn without<'m>(program: &Program<'m>, omission: Omission) -> Program<'m> {
    let mut program = program.clone();
    for process in &mut program.processes {
        for (_, ways) in &mut process.locations {
            match omission {
                Omission::Effect(span) => ways.iter_mut().filter(|way| way.span == span).for_each(|way| {
                    way.step = Step::Skip;
                }),
                Omission::Way(span) => ways.retain(|way| way.span != span),
            }
        }
        process.remove_unreachable();
    }
    program
}
