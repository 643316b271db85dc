//! Representatives of orbits of vectors: the least image, or some canonical image that is cheaper to find.
//!
//! A group acts on vectors by moving contents from place to place. The **minimal** image is the lexicographically least
//! vector of an orbit. A **canonical** image is also the same for all vectors of an orbit, and for no others, but it is
//! least in an order made for the group: at each level of the stabiliser chain the rarest content goes to the base
//! point, and what that does to the contents of the stabiliser's orbits decides among equals (compare Jefferson,
//! Jonauskyte, Pfeiffer, Waldecker, "Minimal and canonical images", 2019). Sets of points are vectors of two values,
//! ordered partitions and colourings are vectors of colours; one search serves all.
//!
//! [`ImageFinder`] prepares a group once, for many vectors. Finding also yields the stabiliser, hence the size of the
//! orbit.

mod naive;
mod plan;
mod search;

use num_bigint::BigUint;

pub use naive::{images_by_enumeration, orbit_by_enumeration};

use crate::group::Group;
use crate::orbit::orbit_of;
use crate::permutation::{Permutation, Point};
use plan::Plan;
use search::Search;

/// Which image of an orbit stands for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Representative {
    /// The lexicographically least.
    Minimal,
    /// One that depends on the group and the orbit only, found fast.
    Canonical,
}

/// A group prepared for finding images of many vectors.
///
/// ```
/// use group::{Group, ImageFinder, Representative};
/// let ring = Group::cyclic(6);
/// let finder = ImageFinder::new(&ring, Representative::Minimal);
/// let vector = [3, 1, 2, 3, 1, 2];
/// let image = finder.find(&vector);
/// assert_eq!(image.element.permute(&vector), [1, 2, 3, 1, 2, 3]);
/// assert_eq!(image.stabiliser_order(), 2u32.into());
/// ```
#[derive(Clone, Debug)]
pub struct ImageFinder {
    degree: usize,
    /// Disjoint factors are independent of each other: one plan for each, on its own points.
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
struct Part {
    points: Vec<Point>,
    plan: Plan,
}

/// The image that stands for the orbit of a vector, by an element that carries the vector to it.
#[derive(Clone, Debug)]
pub struct Image {
    /// Carries the vector to its representative: `element.permute(&vector)`.
    pub element: Permutation,
    /// Elements that leave the vector as it is; they generate all such elements.
    pub stabiliser_generators: Vec<Permutation>,
    /// The order of the stabiliser is the product of these numbers.
    stabiliser_indices: Vec<usize>,
}

impl ImageFinder {
    /// Prepares a group.
    pub fn new(group: &Group, representative: Representative) -> Self {
        let prepare = |factor: &Group| {
            let points = factor.moved_points();
            let plan = Plan::new(&factor.restricted_to(&points), representative);
            Part { points, plan }
        };
        Self { degree: group.degree(), parts: group.disjoint_factors().iter().map(prepare).collect() }
    }

    /// Finds the representative of a vector's orbit.
    ///
    /// # Panics
    /// If there is not one value for each point.
    pub fn find<T: Ord>(&self, values: &[T]) -> Image {
        assert_eq!(values.len(), self.degree, "one value for each point");
        let mut sorted: Vec<&T> = values.iter().collect();
        sorted.sort_unstable();
        sorted.dedup();
        let rank = |value: &T| sorted.partition_point(|other| *other < value) as u32;
        self.find_by_rank(&values.iter().map(rank).collect::<Vec<u32>>())
    }

    /// The same for numbers, which saves sorting them first.
    ///
    /// # Panics
    /// If there is not one value for each point.
    pub fn find_by_rank(&self, values: &[u32]) -> Image {
        assert_eq!(values.len(), self.degree, "one value for each point");
        let mut images: Vec<Point> = (0..self.degree as Point).collect();
        let mut stabiliser_generators = Vec::new();
        let mut stabiliser_indices = Vec::new();
        for Part { points, plan } in &self.parts {
            let contents: Vec<u32> = points.iter().map(|&point| values[point as usize]).collect();
            let found = Search::run(plan, &contents);
            // The search finds where the content of each place comes from.
            for (place, &source) in found.sources.iter().enumerate() {
                images[points[source as usize] as usize] = points[place];
            }
            let automorphisms = found.automorphisms.iter().map(|element| embedded(element, points, self.degree));
            stabiliser_generators.extend(automorphisms);
            stabiliser_indices.extend(found.indices);
        }
        let element = Permutation::from_images(images).expect("each part permutes its own points");
        Image { element, stabiliser_generators, stabiliser_indices }
    }
}

impl Image {
    /// The number of group elements that leave the vector as it is; the orbit has `|G|` divided by this many vectors.
    pub fn stabiliser_order(&self) -> BigUint {
        self.stabiliser_indices.iter().product()
    }
}

impl Group {
    /// The minimal image of a vector; use an [`ImageFinder`] for many vectors.
    pub fn minimal_image<T: Ord>(&self, values: &[T]) -> Image {
        ImageFinder::new(self, Representative::Minimal).find(values)
    }

    /// A canonical image of a vector; use an [`ImageFinder`] for many vectors.
    pub fn canonical_image<T: Ord>(&self, values: &[T]) -> Image {
        ImageFinder::new(self, Representative::Canonical).find(values)
    }

    /// The minimal image of a set of points: of all images, sorted, the lexicographically least.
    pub fn minimal_image_of_set(&self, set: &[Point]) -> (Vec<Point>, Image) {
        let mut outside = vec![true; self.degree()];
        set.iter().for_each(|&point| outside[point as usize] = false);
        let image = self.minimal_image(&outside);
        let mut points: Vec<Point> = set.iter().map(|&point| image.element.image(point)).collect();
        points.sort_unstable();
        points.dedup();
        (points, image)
    }

    /// The minimal image of an ordered partition: that with the least vector of cell numbers, points in no cell last.
    ///
    /// Each cell of the image is sorted.
    pub fn minimal_image_of_partition(&self, cells: &[Vec<Point>]) -> (Vec<Vec<Point>>, Image) {
        let mut numbers = vec![cells.len(); self.degree()];
        for (number, cell) in cells.iter().enumerate() {
            cell.iter().for_each(|&point| numbers[point as usize] = number);
        }
        let image = self.minimal_image(&numbers);
        let mut moved = vec![Vec::new(); cells.len()];
        for (point, number) in (0..).zip(image.element.permute(&numbers)) {
            if let Some(cell) = moved.get_mut(number) {
                cell.push(point);
            }
        }
        (moved, image)
    }

    /// The elements that map every point to one of the same colour.
    ///
    /// # Panics
    /// If there is not one colour for each point.
    pub fn stabiliser_of_colouring<T: Ord>(&self, colours: &[T]) -> Self {
        let image = self.canonical_image(colours);
        let order = image.stabiliser_order();
        Self::of_known_order(self.degree(), image.stabiliser_generators, &order)
    }

    /// The elements that map the set of `points` onto itself.
    pub fn setwise_stabiliser(&self, points: &[Point]) -> Self {
        let mut inside = vec![false; self.degree()];
        points.iter().for_each(|&point| inside[point as usize] = true);
        self.stabiliser_of_colouring(&inside)
    }
}

/// The permutation of all points that acts on the places of `points` as `element`.
fn embedded(element: &Permutation, points: &[Point], degree: usize) -> Permutation {
    let mut images: Vec<Point> = (0..degree as Point).collect();
    for (place, &point) in (0..).zip(points) {
        images[point as usize] = points[element.image(place) as usize];
    }
    Permutation::from_images(images).expect("an element permutes its own points")
}

/// By level of the path: the length of the orbit of its point under the elements that fix the points before.
fn orbit_lengths(automorphisms: &[Permutation], path: &[Point]) -> Vec<usize> {
    let length = |level: usize| {
        let fixes_before = |element: &&Permutation| path[..level].iter().all(|&point| element.image(point) == point);
        orbit_of(path[level], automorphisms.iter().filter(fixes_before)).len()
    };
    if automorphisms.is_empty() { Vec::new() } else { (0..path.len()).map(length).collect() }
}

#[cfg(test)]
mod tests;
