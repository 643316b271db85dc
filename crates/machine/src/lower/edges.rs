//! Edges: the second half of turning a body into an automaton.
//!
//! Points become locations. Selections and blocks are not steps: their ways out are those of the statements they begin with,
//! collected recursively; jumps and joints are passed through where that does not give up atomicity. Labels of points that are
//! passed over in this way move to where the step leads, escapes are put before the ordinary ways. All of it follows what SPIN's
//! verifier does when it sets up its tables, so that the two agree on every state and transition.

use std::sync::Arc;

use promela::model::Process;
use promela::source::Span;

use super::points::{PointId, PointKind, Points, Sequence};
use crate::action::{DStep, DStepEdge, DStepNode, Jump};
use crate::automaton::{Automaton, Edge, LocationInfo};
use crate::id::{ActionId, Location};

/// A chain of jumps longer than this is taken for an endless one.
const JUMP_LIMIT: usize = 500;

/// Makes the actions of steps that stand for no statement of their own.
pub trait StepActions {
    /// A step that does nothing but move on.
    fn jump(&mut self, jump: Jump, text: &str, span: Span) -> ActionId;
    /// A `d_step`.
    fn d_step(&mut self, body: DStep, span: Span) -> ActionId;
    /// The text of an action.
    fn text(&self, action: ActionId) -> Arc<str>;
    /// Whether an action is the condition 0 or `false`.
    fn is_never(&self, action: ActionId) -> bool;
}

/// Builds the automaton of a body.
pub fn build(process: &Process, points: &mut Points, actions: &mut impl StepActions) -> Automaton {
    let count = points.len() + 1;
    let mut builder = EdgeBuilder {
        process,
        points,
        actions,
        locations: vec![LocationInfo::default(); count],
        visited: vec![false; count],
        escapes: vec![Vec::new(); count],
        origins: vec![Vec::new(); count],
    };
    builder.label();
    let entries = builder.flatten_selections();
    builder.visit(builder.points.body);
    builder.add_edges(&entries);
    builder.add_escapes();
    builder.move_end_labels();
    let first = builder.points.body.first;
    let start = builder.hunt(first, builder.points.get(first).atomic);
    let EdgeBuilder { points, locations, .. } = builder;
    let labels = process.labels.iter().zip(&points.labels);
    Automaton {
        name: process.name.clone(),
        role: process.role,
        deterministic: process.deterministic,
        locations,
        start: start.location(),
        end: points.body.last.location(),
        provided: None,
        labels: labels.filter_map(|(label, point)| Some((label.name.clone(), (*point)?.location()))).collect(),
        span: process.span,
    }
}

struct EdgeBuilder<'a, A> {
    process: &'a Process,
    points: &'a mut Points,
    actions: &'a mut A,
    locations: Vec<LocationInfo>,
    /// Which points have been visited.
    visited: Vec<bool>,
    /// For every point, where the escapes begin that may interrupt its step.
    escapes: Vec<Vec<Location>>,
    /// For every edge of a location, the point whose step it is.
    origins: Vec<Vec<PointId>>,
}

impl<A: StepActions> EdgeBuilder<'_, A> {
    fn label(&mut self) {
        for id in self.points.ids() {
            let point = self.points.get(id);
            let location = &mut self.locations[id.0 as usize];
            location.span = Some(point.span);
            for label in &point.labels {
                let name = &self.process.labels[label.index()].name;
                location.end |= name.starts_with("end");
                location.accept |= name.starts_with("accept");
                location.progress |= name.starts_with("progress");
            }
        }
        self.locations[self.points.body.last.0 as usize].end = true;
    }

    /// Where a process that is about to enter a point really rests.
    fn start(&self, mut id: PointId) -> PointId {
        for _ in 0..JUMP_LIMIT {
            match (&self.points.get(id).kind, self.points.get(id).next) {
                (PointKind::Join, Some(next)) => id = next,
                (PointKind::Unless { main, .. }, _) => id = main.first,
                _ => break,
            }
        }
        id
    }

    /// Where a step that leads to a point really ends. From inside an `atomic`, a joint that leaves it is a step of its own.
    fn hunt(&self, mut id: PointId, from_atomic: bool) -> PointId {
        for _ in 0..JUMP_LIMIT {
            let next = match self.points.get(id).kind {
                PointKind::Goto(_) | PointKind::Break(_) => self.points.jump_target(id),
                PointKind::Join | PointKind::LoopExit => self.points.get(id).next,
                PointKind::Unless { main, .. } => Some(self.hunt(main.first, from_atomic)),
                _ => None,
            };
            match next {
                Some(next) if !from_atomic || self.points.get(next).atomic => id = next,
                _ => break,
            }
        }
        id
    }

    /// For every selection and block, the points its ways out begin with; empty for everything else.
    fn flatten_selections(&mut self) -> Vec<Vec<PointId>> {
        let mut entries = vec![Vec::new(); self.locations.len()];
        for id in self.points.ids() {
            entries[id.0 as usize] = match &self.points.get(id).kind {
                PointKind::Select(options) => {
                    let starts = options.iter().map(|option| self.start(option.first));
                    starts.filter(|&first| !self.is_dead(first)).collect()
                }
                PointKind::Block(body) => vec![self.start(body.first)],
                _ => Vec::new(),
            };
        }
        loop {
            let mut changed = false;
            for index in 1..entries.len() {
                if entries[index].iter().all(|entry| entries[entry.0 as usize].is_empty()) {
                    continue;
                }
                let mut flat = Vec::new();
                for entry in std::mem::take(&mut entries[index]) {
                    let inner = &entries[entry.0 as usize];
                    if inner.is_empty() {
                        flat.push(entry);
                        continue;
                    }
                    flat.extend_from_slice(inner);
                    for &target in inner {
                        move_labels(&mut self.locations, entry.location(), target.location());
                    }
                    changed = true;
                }
                entries[index] = flat;
            }
            if !changed {
                return entries;
            }
        }
    }

    /// An option that can never be taken: SPIN leaves it out.
    fn is_dead(&self, id: PointId) -> bool {
        let point = self.points.get(id);
        matches!(point.kind, PointKind::Basic(action) if self.actions.is_never(action)) && point.escapes.is_empty()
    }

    /// Gives the points of a sequence their steps, in SPIN's order: a jump out of a block that was not visited yet still counts as
    /// part of its `atomic` for the steps that were.
    fn visit(&mut self, sequence: Sequence) {
        let mut id = sequence.first;
        loop {
            if !std::mem::replace(&mut self.visited[id.0 as usize], true) {
                match self.points.get(id).kind.clone() {
                    PointKind::Unless { main, .. } => self.visit(main),
                    PointKind::Select(options) => options.into_iter().for_each(|option| self.visit(option)),
                    PointKind::Block(body) => {
                        self.points.patch_jumps(body);
                        self.visit(body);
                    }
                    PointKind::DStep { body, .. } => {
                        self.points.patch_jumps(body);
                        self.visit_step(id);
                    }
                    _ => self.visit_step(id),
                }
            }
            match self.points.get(id).next {
                Some(next) if id != sequence.last => id = next,
                _ => return,
            }
        }
    }

    fn visit_step(&mut self, id: PointId) {
        if let Some(edge) = self.own_edge(id) {
            self.locations[id.0 as usize].text = self.actions.text(edge.action);
            self.locations[id.0 as usize].edges.push(edge);
            self.origins[id.0 as usize].push(id);
        }
        // A mere joint has no escapes: whoever stands there goes on first.
        let point = self.points.get(id);
        if matches!(point.kind, PointKind::Join) {
            return;
        }
        let atomic = point.atomic;
        for escape in point.escapes.clone() {
            let sequence = self.points.escapes[escape];
            let start = self.hunt(sequence.first, atomic).location();
            self.escapes[id.0 as usize].push(start);
        }
        for escape in self.points.get(id).escapes.clone() {
            self.visit(self.points.escapes[escape]);
        }
    }

    fn add_edges(&mut self, entries: &[Vec<PointId>]) {
        for (index, entries) in entries.iter().enumerate() {
            for &entry in entries {
                // A point that is no selection has at most one way out.
                let Some(edge) = self.locations[entry.0 as usize].edges.first().cloned() else { continue };
                move_labels(&mut self.locations, entry.location(), edge.target);
                self.locations[index].edges.push(edge);
                self.origins[index].push(entry);
            }
        }
    }

    /// The step of a point that is neither a selection nor a block.
    fn own_edge(&mut self, id: PointId) -> Option<Edge> {
        let point = self.points.get(id);
        let (atomic, span, next) = (point.atomic, point.span, point.next);
        let (action, next) = match point.kind.clone() {
            PointKind::Basic(action) | PointKind::Else(action) => (action, next),
            PointKind::End(action) => (action, None),
            PointKind::Goto(_) | PointKind::Break(_) => (self.jump(id), self.points.jump_target(id)),
            PointKind::Join => (self.actions.jump(Jump::Join, ".(goto)", span), next),
            PointKind::LoopExit => (self.actions.jump(Jump::Break, "break", span), next),
            PointKind::DStep { body, inside } => {
                let body = self.d_step(body, inside..id.0);
                (self.actions.d_step(body, span), next)
            }
            PointKind::Select(_) | PointKind::Block(_) | PointKind::Unless { .. } => return None,
        };
        let target = next.map_or(Location(0), |next| self.hunt(next, atomic).location());
        Some(Edge { action, target, atomic, escape: None })
    }

    /// A jump as a step of its own.
    fn jump(&mut self, id: PointId) -> ActionId {
        let point = self.points.get(id);
        match point.kind {
            PointKind::Goto(label) => {
                let text = format!("goto {}", self.process.labels[label.index()].name);
                self.actions.jump(Jump::Goto, &text, point.span)
            }
            _ => self.actions.jump(Jump::Break, "break", point.span),
        }
    }

    /// Guards of escapes come first, those of outer ones before those of inner ones.
    fn add_escapes(&mut self) {
        // The escapes of a location are those of the statements its ways out begin with.
        for index in 1..self.locations.len() {
            let origins = self.origins[index].iter();
            let starts: Vec<Location> =
                origins.flat_map(|origin| self.escapes[origin.0 as usize].iter().rev()).copied().collect();
            for start in starts {
                let ways = self.locations[start.index()].edges.clone();
                for way in ways {
                    let edges = &mut self.locations[index].edges;
                    if edges.iter().all(|edge| edge.action != way.action) {
                        edges.insert(0, Edge { escape: Some(start), ..way });
                    }
                }
            }
        }
    }

    /// An `end` label on a mere joint holds where the joint leads.
    fn move_end_labels(&mut self) {
        for id in self.points.ids() {
            let location = &self.locations[id.0 as usize];
            if matches!(self.points.get(id).kind, PointKind::Join) && location.end && location.edges.len() == 1 {
                let target = location.edges[0].target;
                self.locations[target.index()].end = true;
            }
        }
    }

    /// The body of a `d_step` as a small automaton. `inside` are the numbers of its points.
    fn d_step(&mut self, body: Sequence, inside: std::ops::Range<u32>) -> DStep {
        let mut nodes: Vec<PointId> = vec![self.pass_through(body.first)];
        let mut edges: Vec<Vec<DStepEdge>> = Vec::new();
        while edges.len() < nodes.len() {
            let mut steps = Vec::new();
            self.d_step_edges(nodes[edges.len()], &mut steps);
            let mut out = Vec::new();
            for (action, target) in steps {
                let target = target.map(|target| self.pass_through(target)).filter(|target| inside.contains(&target.0));
                let target = target.map(|target| {
                    let known = nodes.iter().position(|&node| node == target);
                    known.unwrap_or_else(|| {
                        nodes.push(target);
                        nodes.len() - 1
                    }) as u32
                });
                out.push(DStepEdge { action, target });
            }
            edges.push(out);
        }
        let nodes = nodes.into_iter().zip(edges).map(|(node, edges)| DStepNode { edges, location: node.location() });
        DStep { nodes: nodes.collect() }
    }

    fn d_step_edges(&mut self, id: PointId, steps: &mut Vec<(ActionId, Option<PointId>)>) {
        let point = self.points.get(id).clone();
        match &point.kind {
            PointKind::Select(options) => {
                for option in options {
                    self.d_step_edges(self.start(option.first), steps);
                }
            }
            PointKind::Block(body) | PointKind::DStep { body, .. } => self.d_step_edges(self.start(body.first), steps),
            PointKind::Basic(action) | PointKind::Else(action) | PointKind::End(action) => {
                steps.push((*action, point.next))
            }
            PointKind::Goto(_) | PointKind::Break(_) => {
                let target = self.points.jump_target(id);
                steps.push((self.jump(id), target));
            }
            PointKind::Join | PointKind::LoopExit => {
                steps.push((self.actions.jump(Jump::Join, ".(goto)", point.span), point.next))
            }
            PointKind::Unless { main, .. } => self.d_step_edges(self.start(main.first), steps),
        }
    }

    /// Inside a `d_step` nobody rests, so jumps and joints are always passed through.
    fn pass_through(&self, id: PointId) -> PointId {
        self.hunt(id, false)
    }
}

/// A label with a meaning holds at `to` when it holds at `from`.
fn move_labels(locations: &mut [LocationInfo], from: Location, to: Location) {
    let LocationInfo { end, accept, progress, .. } = locations[from.index()];
    let target = &mut locations[to.index()];
    target.end |= end;
    target.accept |= accept;
    target.progress |= progress;
}
