//! Habits of modelling that cost symmetry, after Donaldson's study of student models (thesis, chapter 8).

use machine::Machine;
use machine::expression::BinaryOp;
use machine::ground::{CellId, Program, Reference, Step, Term, action_runs};
use machine::id::Location;
use promela::source::Span;
use rustc_hash::FxHashSet;

use crate::detect::Obstacle;
use crate::detect::classes::ClassId;
use crate::detect::domains::Domains;

/// What to do about a loop over all ids.
pub(in crate::detect) const SCAN_ADVICE: &str = "put the loop into `d_step`, or into an `atomic` in which nothing blocks; \
     or choose the next one with `select` or an `if` that has an option for each";

/// Processes that are created one by one while those that exist already move.
pub(in crate::detect) fn scattered_runs(machine: &Machine) -> Vec<Obstacle> {
    let mut obstacles = Vec::new();
    for definition in &machine.definitions {
        let automaton = &definition.automaton;
        let runs_later = |from: Location| {
            let mut seen = FxHashSet::default();
            let mut waiting = vec![from];
            while let Some(location) = waiting.pop() {
                if !seen.insert(location) {
                    continue;
                }
                for edge in &automaton.location(location).edges {
                    if action_runs(machine, edge.action) {
                        return true;
                    }
                    waiting.push(edge.target);
                }
            }
            false
        };
        let edges = automaton.locations.iter().flat_map(|location| &location.edges);
        let scattered =
            edges.filter(|edge| !edge.atomic && action_runs(machine, edge.action) && runs_later(edge.target));
        if let Some(first) = scattered.min_by_key(|edge| machine.action(edge.action).span) {
            obstacles.push(Obstacle {
                span: machine.action(first.action).span,
                message:
                    "processes are started one by one, and those that exist can move before the others do; symmetry \
                          applies only once all exist"
                        .to_string(),
                suggestion: Some("put all `run` statements into one `atomic { ... }`".to_string()),
                order_without: None,
            });
        }
    }
    obstacles
}

/// A counter that goes through the indices of an array, or through ids, for all to see.
pub(in crate::detect) struct Scan {
    /// The statement that counts.
    pub span: Span,
    /// What the counter is called.
    pub name: String,
    /// What it goes through.
    pub what: String,
    /// The counters of all processes that execute the statement.
    pub cells: FxHashSet<CellId>,
}

impl Scan {
    /// What is said about the statement that counts.
    pub fn message(&self) -> String {
        let Scan { name, what, .. } = self;
        format!("`{name}` goes through {what} one by one, and others can see in which order")
    }
}

/// All such counters.
pub(in crate::detect) fn ordered_scans(program: &Program<'_>, domains: &Domains) -> Vec<Scan> {
    let mut scans: Vec<Scan> = Vec::new();
    for way in program.ways() {
        let Step::Assign(Reference::Cell(cell), value) = &way.step else { continue };
        let Term::Binary(BinaryOp::Add | BinaryOp::Subtract, left, right) = program.terms.get(*value) else { continue };
        let counts = matches!(program.terms.get(*left), Term::Load(Reference::Cell(other)) if other == cell)
            && program.terms.constant(*right).is_some();
        if !counts {
            continue;
        }
        if let Some(known) = scans.iter_mut().find(|scan| scan.span == way.span) {
            known.cells.insert(*cell);
            continue;
        }
        let class = domains.classes.root(domains.cells[cell.index()]);
        if let Some(what) = indexed_by(program, domains, class) {
            let name = program.configuration.cell_name(*cell);
            let name = name.rsplit(':').next().unwrap_or(&name).to_string();
            scans.push(Scan { span: way.span, name, what, cells: FxHashSet::from_iter([*cell]) });
        }
    }
    scans
}

/// What the values of a class are used for.
fn indexed_by(program: &Program<'_>, domains: &Domains, class: ClassId) -> Option<String> {
    let mut groups: Vec<_> = domains.indices.iter().collect();
    groups.sort_unstable();
    let indexed =
        groups.into_iter().find(|(_, classes)| classes.iter().any(|&index| domains.classes.root(index) == class));
    if let Some((&group, _)) = indexed {
        let name = program.configuration.layout_of(group).path.last().map_or("", |part| &*part.name);
        return Some(format!("the indices of `{name}`"));
    }
    domains.classes.get(class).names_processes.then(|| "the processes".to_string())
}
