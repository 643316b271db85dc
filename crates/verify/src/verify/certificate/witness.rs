//! Witnesses: elements of a group that carry successors to listed states.
//!
//! The representative of a state is known, but not the element that leads there. It is found along a chain of stabilisers `G = G0 > G1 > … > 1`: an element
//! of `Gi` is one of few coset representatives `v`, followed by an element of the next group; and `v` is right for `t` and `r` if `v(t)` and `r` are in one
//! orbit of the next group, which canonical forms tell. So a witness is a product of coset representatives. The checker compares these with the
//! program, and multiplies.

use std::collections::HashMap;

use ::group::{Group, Permutation, Point};
use certify::file::Writer;
use certify::listing::Listing;
use certify::renaming::{Action, Renaming};
use symmetry::{Canonicaliser, Strategy};

use super::group::CertifiedGroup;

/// So many of the last witnesses are tried first.
const RECENT: usize = 4;

/// Finds witnesses.
pub struct Finder<'g> {
    group: &'g CertifiedGroup,
    representatives: Canonicaliser,
    levels: Vec<Level>,
    /// The coset representatives.
    renamings: Vec<Renaming>,
    /// Products of earlier lines of the table, in which coset representatives come first.
    products: Vec<(usize, usize)>,
    known: HashMap<(usize, usize), usize>,
    actions: Vec<Action>,
    recent: Vec<usize>,
}

/// One step along the chain of stabilisers.
struct Level {
    /// The coset representatives, each with its line; the first is the identity, which has none.
    cosets: Vec<(Permutation, Option<usize>)>,
    /// Canonical forms of the next group.
    next: Canonicaliser,
}

impl<'g> Finder<'g> {
    /// Makes the chain of a group.
    ///
    /// # Errors
    /// When an element cannot be said in the checker's words.
    pub fn new(group: &'g CertifiedGroup) -> Result<Finder<'g>, String> {
        let mut finder = Finder {
            group,
            representatives: group.symmetry.canonicaliser(),
            levels: Vec::new(),
            renamings: Vec::new(),
            products: Vec::new(),
            known: HashMap::new(),
            actions: Vec::new(),
            recent: Vec::new(),
        };
        let shape = &group.symmetry.detection.shape;
        let degree = shape.degree();
        let within = |element: &Permutation| Permutation::from_images(&element.images()[..degree]);
        let mut rest = group.group.clone();
        while let Some(point) = rest.moved_points().into_iter().find(|&point| point < degree as Point) {
            let mut cosets = Vec::new();
            for (image, element) in rest.transversal(point) {
                let element = element.inverse();
                let line = match image == point {
                    true => None,
                    false => Some(finder.add(group.renaming(&element).map_err(|reason| reason.to_string())?)),
                };
                cosets.push((within(&element).map_err(|_| "channels and places are exchanged")?, line));
            }
            rest = rest.point_stabiliser(point);
            let generators = rest.generators().iter().filter_map(|each| within(each).ok());
            let next = Canonicaliser::new(shape, &Group::generated_by(degree, generators), Strategy::Exact);
            finder.levels.push(Level { cosets, next });
        }
        Ok(finder)
    }

    fn add(&mut self, renaming: Renaming) -> usize {
        self.actions.push(renaming.clone().action(&self.group.region));
        self.renamings.push(renaming);
        self.renamings.len() - 1
    }

    /// The line of an element that makes a state a listed one.
    pub fn find(&mut self, target: &[u8], listing: &Listing) -> Option<usize> {
        let region = &self.group.region;
        if !region.contains(target) {
            return None;
        }
        let is_right = |line: &usize| listing.find(&self.actions[*line].apply(region, target)).is_some();
        if let Some(place) = self.recent.iter().position(is_right) {
            self.recent[..=place].rotate_right(1);
            return Some(self.recent[0]);
        }
        let line = self.along_the_chain(target)?;
        listing.find(&self.actions[line].apply(region, target))?;
        self.recent.insert(0, line);
        self.recent.truncate(RECENT);
        Some(line)
    }

    fn along_the_chain(&mut self, target: &[u8]) -> Option<usize> {
        let shape = &self.group.symmetry.detection.shape;
        let mut wanted = target.to_vec();
        self.representatives.representative(&mut wanted);
        let mut at = target.to_vec();
        let mut word: Vec<usize> = Vec::new();
        for level in &mut self.levels {
            let mut form = wanted.clone();
            level.next.representative(&mut form);
            let (image, line) = level.cosets.iter().find_map(|(element, line)| {
                let image = shape.apply(element, &at);
                let mut canonical = image.clone();
                level.next.representative(&mut canonical);
                (canonical == form).then_some((image, *line))
            })?;
            at = image;
            word.extend(line);
        }
        if at != wanted {
            return None;
        }
        word.into_iter().reduce(|first, next| self.product(first, next))
    }

    fn product(&mut self, first: usize, next: usize) -> usize {
        if let Some(&line) = self.known.get(&(first, next)) {
            return line;
        }
        let renaming = self.actions[first].renaming().then(self.actions[next].renaming());
        self.actions.push(renaming.action(&self.group.region));
        self.products.push((first, next));
        self.known.insert((first, next), self.actions.len() - 1);
        self.actions.len() - 1
    }

    /// The table, without what no witness needs; their numbers are changed accordingly.
    pub fn write(&self, witnesses: &mut [usize]) -> Writer {
        let first = self.renamings.len();
        let mut needed = vec![false; self.actions.len()];
        witnesses.iter().for_each(|&witness| needed[witness] = true);
        for (index, &(one, other)) in self.products.iter().enumerate().rev() {
            if needed[first + index] {
                (needed[one], needed[other]) = (true, true);
            }
        }
        let mut count = 0;
        let number: Vec<usize> = needed
            .iter()
            .map(|&needed| {
                count += usize::from(needed);
                count.saturating_sub(1)
            })
            .collect();
        witnesses.iter_mut().for_each(|witness| *witness = number[*witness]);
        let mut writer = Writer::default();
        self.group.region.kinds.write(&mut writer);
        let renamings: Vec<&Renaming> =
            (0..first).filter(|&line| needed[line]).map(|line| &self.renamings[line]).collect();
        writer.number(renamings.len() as u64);
        renamings.iter().for_each(|renaming| renaming.write(&mut writer));
        let products = self.products.iter().zip(&needed[first..]).filter(|(_, needed)| **needed);
        let products: Vec<&(usize, usize)> = products.map(|(product, _)| product).collect();
        writer.number(products.len() as u64);
        for &&(one, other) in &products {
            writer.number(number[one] as u64);
            writer.number(number[other] as u64);
        }
        writer
    }
}
