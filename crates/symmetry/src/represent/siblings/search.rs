//! The search among tied siblings: one of them is singled out, colours are refined, and so on until no tie matters.

use super::super::best::{Factor, Next, Node};
use super::super::objects::Object;
use super::super::reading::scramble;
use super::super::refine::summary;
use super::super::transport::Setting;
use super::super::{Found, Purpose};
use super::{LASTING, Rounds, Search, Siblings, Ties, sort_by_colour};

impl Search<'_> {
    pub(super) fn explore_all(&mut self, found: &mut Found) {
        self.at.path.clear();
        self.reading.find_arcs(self.layout);
        self.reading.find_kinds(self.layout, self.state);
        self.at.transport.prepare(self.reading);
        self.at.automorphisms.clear();
        self.at.best.clear();
        self.branch(0);
        found.image.copy_from_slice(&self.at.best.image);
        found.changed = found.image != self.state;
        if found.purpose == Purpose::OrbitSize {
            self.stabiliser(found);
        }
    }

    /// A node below the root: refines, and either is a leaf or branches.
    fn explore(&mut self, level: usize) -> Next {
        self.refine(level, Rounds::All);
        let ties = self.settle(level);
        let objects = self.forest.objects();
        let summary = summary(&self.at.colours[level * objects..][..objects]);
        let node = match ties {
            Ties::Harmless => Node::Leaf,
            Ties::Open => Node::Inner,
        };
        if !self.at.best.admits(level - 1, summary, node) {
            return Next::Continue;
        }
        match node {
            Node::Leaf => self.arrive(),
            Node::Inner => self.branch(level),
        }
    }

    fn branch(&mut self, level: usize) -> Next {
        self.choose_candidates(level);
        self.at.automorphisms.forget_classes();
        let mut explored = 0;
        for place in 0..self.at.candidates[level].len() {
            let candidate = self.at.candidates[level][place];
            if self.repeats(level, explored, candidate) {
                continue;
            }
            self.single_out(level, candidate);
            self.at.path.push(candidate);
            let next = self.explore(level + 1);
            self.at.path.pop();
            match next {
                Next::ReturnTo(above) if above < level => return next,
                Next::ReturnTo(_) | Next::Continue => {
                    self.at.candidates[level].swap(explored, place);
                    explored += 1;
                    self.at.automorphisms.forget_classes();
                    // The order is that of a node below; exchanges below this node are matched by this node's.
                    self.settle_order(level);
                }
            }
        }
        Next::Continue
    }

    /// The colours of the next level: those of this one, but for an object that gets a colour of its own.
    fn single_out(&mut self, level: usize, object: Object) {
        let objects = self.forest.objects();
        let colours = &mut self.at.colours;
        if colours.len() < (level + 2) * objects {
            colours.resize((level + 2) * objects, 0);
        }
        let (before, after) = colours.split_at_mut((level + 1) * objects);
        after[..objects].copy_from_slice(&before[level * objects..]);
        let colour = &mut after[object as usize];
        *colour = *colour & LASTING | scramble(colour.wrapping_add(0x1d8e_4e27_c47d_124f)) >> 33;
    }

    pub(super) fn settle_order(&mut self, level: usize) {
        let objects = self.forest.objects();
        let Siblings { colours, order, .. } = &mut *self.at;
        let colours = &colours[level * objects..][..objects];
        for family in &self.forest.families {
            sort_by_colour(&mut order[family.start..family.end], colours);
        }
    }

    /// The tied objects of the first class with ties that matter, of the least colour there.
    ///
    /// Whether tied objects without children matter is decided for each tie; others are all taken to matter, since which exchange of theirs is
    /// tried depends on the order of their children.
    fn choose_candidates(&mut self, level: usize) {
        let forest = self.forest;
        let mut least: Option<(usize, u64)> = None;
        let mut chosen = std::mem::take(candidates_of(&mut self.at.candidates, level));
        chosen.clear();
        for family in &forest.families {
            if least.is_some_and(|(class, _)| class < family.class) {
                break;
            }
            let mut start = family.start;
            while start < family.end {
                let colour = self.colour(level, self.at.order[start]);
                let mut end = start + 1;
                while end < family.end && self.colour(level, self.at.order[end]) == colour {
                    end += 1;
                }
                let interesting = end - start > 1 && least.is_none_or(|(_, known)| colour <= known);
                if interesting && (!forest.children[family.class].is_empty() || self.is_open(level, start, end)) {
                    if least.is_some_and(|(_, known)| colour < known) {
                        chosen.clear();
                    }
                    least = Some((family.class, colour));
                    chosen.extend_from_slice(&self.at.order[start..end]);
                }
                start = end;
            }
        }
        self.at.candidates[level] = chosen;
    }

    /// Whether some exchange of neighbours in a tie changes the state.
    fn is_open(&mut self, level: usize, start: usize, end: usize) -> bool {
        (start + 1..end).any(|place| {
            let (a, b) = (self.at.order[place - 1], self.at.order[place]);
            !self.may_exchange(level, a, b)
        })
    }

    /// Whether an automorphism that fixes the path carries an explored candidate to this one.
    fn repeats(&mut self, level: usize, explored: usize, candidate: Object) -> bool {
        if explored == 0 {
            return false;
        }
        if !self.at.automorphisms.is_empty() {
            let Siblings { automorphisms, path, candidates, .. } = &mut *self.at;
            automorphisms.classify(path);
            let class = automorphisms.leader(candidate);
            if candidates[level][..explored].iter().any(|&known| automorphisms.leader(known) == class) {
                return true;
            }
        }
        (0..explored).any(|place| {
            let known = self.at.candidates[level][place];
            let exchanged = self.are_siblings(known, candidate) && self.may_exchange(level, known, candidate);
            exchanged && self.keeps_path() || self.is_carried(level, known, candidate)
        })
    }

    /// Whether following references finds an automorphism that fixes the path and carries one object to another.
    fn is_carried(&mut self, level: usize, known: Object, candidate: Object) -> bool {
        let objects = self.forest.objects();
        let Siblings { transport, colours, order, automorphisms, path, .. } = &mut *self.at;
        let setting = Setting {
            forest: self.forest,
            layout: self.layout,
            reading: self.reading,
            colours: &colours[level * objects..][..objects],
            order,
        };
        let carried = transport.carries(&setting, known, candidate)
            && path.iter().all(|&object| transport.image(object) == object);
        if carried {
            automorphisms.add_images(|object| transport.image(object));
        }
        carried
    }

    /// Whether the exchange tried last moves no object of the path.
    fn keeps_path(&self) -> bool {
        let moved = |object: &Object| self.at.pairs.iter().any(|&(a, b)| a == *object || b == *object);
        !self.at.path.iter().any(moved)
    }

    fn are_siblings(&self, a: Object, b: Object) -> bool {
        let place = |object: Object| self.forest.families.partition_point(|family| family.end <= object as usize);
        place(a) == place(b)
    }

    /// A leaf: the first with the best traces and image is kept, any equal one gives an automorphism.
    fn arrive(&mut self) -> Next {
        self.arrange();
        let Siblings { sources, targets, image, .. } = &mut *self.at;
        self.reading.write_image(self.layout, self.state, sources, targets, image);
        match self.at.best.compare(&self.at.image) {
            std::cmp::Ordering::Greater => Next::Continue,
            std::cmp::Ordering::Less => {
                self.keep_leaf();
                Next::Continue
            }
            std::cmp::Ordering::Equal => {
                let Siblings { automorphisms, best, sources, path, .. } = &mut *self.at;
                let images = automorphisms.add(&best.sources, sources);
                let common = best.common(path);
                let fixes_path = path[..common].iter().all(|&object| images[object as usize] == object);
                let carries = images[best.path[common] as usize] == path[common];
                if fixes_path && carries { Next::ReturnTo(common) } else { Next::Continue }
            }
        }
    }

    fn keep_leaf(&mut self) {
        let Siblings { best, path, sources, image, candidates, .. } = &mut *self.at;
        best.keep(path, sources, image);
        for (cell, candidates) in best.cells.iter_mut().zip(candidates).take(path.len()) {
            cell.clone_from(candidates);
        }
        let mut ties = std::mem::take(&mut self.at.ties);
        ties.clear();
        self.for_each_tie(|tie| ties.push(tie));
        self.at.ties = ties;
    }

    /// The stabiliser's order: for each level of the best path the orbit of its choice under what fixes the choices before, and the ties
    /// of the leaf.
    ///
    /// When the search ends, each candidate that an automorphism makes equal to the choice has been found equal; so the
    /// automorphisms known, with the exchanges of siblings, have the right orbits.
    fn stabiliser(&mut self, found: &mut Found) {
        let best = std::mem::take(&mut self.at.best);
        found.stabiliser.extend(self.at.ties.iter().map(|&tie| Factor::Factorial(tie)));
        for (level, cell) in best.cells[..best.path.len()].iter().enumerate() {
            self.at.path.clear();
            self.at.path.extend_from_slice(&best.path[..level]);
            self.colour_along_path(&best.path[..level]);
            self.at.automorphisms.forget_classes();
            self.at.automorphisms.classify(&best.path[..level]);
            for (place, &a) in cell.iter().enumerate() {
                for &b in &cell[..place] {
                    if self.are_siblings(a, b) && self.may_exchange(level, a, b) && self.keeps_path() {
                        self.at.automorphisms.merge(a, b);
                    }
                }
            }
            let class = self.at.automorphisms.leader(best.path[level]);
            let orbit = cell.iter().filter(|&&member| self.at.automorphisms.leader(member) == class).count();
            found.stabiliser.push(Factor::Number(orbit));
        }
        self.at.path.clear();
        self.at.best = best;
    }

    /// Makes the colours and the order of a level those of the node that a path leads to.
    fn colour_along_path(&mut self, path: &[Object]) {
        for (level, &choice) in path.iter().enumerate() {
            self.single_out(level, choice);
            self.refine(level + 1, Rounds::All);
        }
        self.settle_order(path.len());
    }
}

fn candidates_of(candidates: &mut Vec<Vec<Object>>, level: usize) -> &mut Vec<Object> {
    if candidates.len() <= level {
        candidates.resize_with(level + 1, Vec::new);
    }
    &mut candidates[level]
}
