//! The simplest form of a step that was put together.

use machine::expression::{BinaryOp, UnaryOp};
use machine::ground::{Composite, Reference, Segment, SegmentPath, Step, Term, TermId, Terms};
use machine::id::Location;
use promela::source::Span;

use super::super::commute;
use super::super::domains::may_fail;
use super::super::guards::{self, Guard};
use super::Composer;
use super::folds;
use super::follow::Trace;

impl Composer<'_, '_> {
    /// The step of a trace to a location, in its simplest form.
    pub(super) fn finish(&mut self, trace: Trace, behind: Location) -> Step {
        let Trace { first, mut segments, .. } = trace;
        let dead = self.dead_at(behind);
        for paths in &mut segments {
            for path in paths.iter_mut() {
                path.steps.retain(|step| match step {
                    Step::Evaluate(terms) => terms.iter().any(|&term| may_fail(&self.program.terms, term)),
                    _ => true,
                });
            }
        }
        self.program.forgets |= commute::remove_overwritten(&self.program, &mut segments, &dead);
        for paths in &mut segments {
            paths.iter_mut().for_each(|path| path.ordered = !commute::all_independent(&self.program, &path.steps));
        }
        let mut segments: Vec<Vec<SegmentPath>> =
            segments.into_iter().flat_map(|paths| folds::by_cell(&self.program, paths)).collect();
        for paths in &mut segments {
            commute::join_equal(&self.program, paths);
            self.as_function(paths);
        }
        segments.retain(|paths| paths.iter().any(|path| !path.steps.is_empty()) || self.may_go_wrong(paths));
        match (&first, segments.as_slice()) {
            (None, []) => return Step::Skip,
            (Some(first), []) => return first.clone(),
            (None, [paths]) => {
                if let [SegmentPath { conditions: Some(conditions), steps, .. }] = paths.as_slice()
                    && let ([], [step]) = (conditions.as_slice(), steps.as_slice())
                    // By itself it would wait where it is an error as a part of a `d_step`.
                    && !matches!(step, Step::Send { .. } | Step::Receive { .. })
                {
                    return step.clone();
                }
            }
            _ => {}
        }
        let after = commute::order(&self.program, &segments, &mut self.values);
        let segments = segments.into_iter().zip(after).map(|(paths, after)| Segment { paths, after });
        Step::Composite(Composite { first: first.map(Box::new), segments: segments.collect() })
    }

    /// A segment that computes the new value of a cell from its old one is a function, however its cases are written.
    fn as_function(&mut self, paths: &mut Vec<SegmentPath>) {
        let Some(target) = paths.iter().find_map(|path| match path.steps.first() {
            Some(Step::Assign(Reference::Cell(cell), _)) => Some(*cell),
            _ => None,
        }) else {
            return;
        };
        let reads_itself = |id: TermId| {
            let places = guards::places_of(&self.program.terms, id).filter(|_| !may_fail(&self.program.terms, id));
            places.is_some_and(|places| {
                let is_target = |&place: &TermId| matches!(self.program.terms.get(place), Term::Load(Reference::Cell(cell)) if *cell == target);
                places.iter().all(is_target)
            })
        };
        let mut cases: Vec<(Option<Vec<Guard>>, Option<TermId>)> = Vec::new();
        for path in paths.iter() {
            let mut conditions = Vec::new();
            for (condition, holds) in path.conditions.iter().flatten() {
                match condition {
                    Step::Condition(term) if reads_itself(*term) => conditions.push((*term, *holds)),
                    _ => return,
                }
            }
            let value = match path.steps.as_slice() {
                [] => None,
                [Step::Assign(Reference::Cell(cell), value)] if *cell == target && reads_itself(*value) => Some(*value),
                _ => return,
            };
            cases.push((path.conditions.as_ref().map(|_| conditions), value));
        }
        // The case without conditions is what is left.
        cases.sort_by_key(|(conditions, _)| conditions.is_none());
        if cases.len() < 2 {
            return;
        }
        let terms = &mut self.program.terms;
        let span = cases.iter().find_map(|(_, value)| *value).map_or(Span::NOWHERE, |value| terms.span(value));
        let value_of = |value: Option<TermId>, terms: &mut Terms| {
            value.unwrap_or_else(|| terms.add(Term::Load(Reference::Cell(target)), span))
        };
        let Some((_, last)) = cases.pop() else { return };
        let mut function = value_of(last, terms);
        for (conditions, value) in cases.into_iter().rev() {
            let mut all = terms.add(Term::Constant(1), span);
            for (condition, holds) in conditions.into_iter().flatten() {
                let part = if holds { condition } else { terms.add(Term::Unary(UnaryOp::Not, condition), span) };
                all = terms.add(Term::Binary(BinaryOp::And, all, part), span);
            }
            let value = value_of(value, terms);
            function = terms.add(Term::Conditional(all, value, function), span);
        }
        let step = Step::Assign(Reference::Cell(target), function);
        *paths = vec![SegmentPath { conditions: Some(Vec::new()), steps: vec![step], ordered: false }];
    }

    /// Whether to find out which path is taken can be an error.
    fn may_go_wrong(&self, paths: &[SegmentPath]) -> bool {
        let conditions = paths.iter().flat_map(|path| path.conditions.iter().flatten());
        conditions.into_iter().any(|(condition, _)| match condition {
            Step::Condition(term) => may_fail(&self.program.terms, *term),
            _ => true,
        })
    }
}
