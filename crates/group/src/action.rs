//! What a group does to a part of its points, and to sets of points that it exchanges as wholes, such as blocks.
//!
//! The action on sets is computed by adding one new point for each set. The enlarged permutations generate the same
//! group; in a stabiliser chain that fixes the new points first, the upper levels are the image of the action, the
//! lower levels its kernel, and sifting finds an element for a given permutation of the sets. So no homomorphisms are
//! needed.

use crate::construct::{chain_of_known_order, restriction};
use crate::group::Group;
use crate::permutation::{Permutation, Point};

impl Group {
    /// The group made by the elements on the places of `points`: it permutes `0..points.len()`.
    ///
    /// # Panics
    /// If the group does not map the set of `points` onto itself.
    pub fn restricted_to(&self, points: &[Point]) -> Self {
        let order = self.order() / self.pointwise_stabiliser(points).order();
        let generators = self.generators().iter().map(|generator| restriction(generator, points));
        Self::of_known_order(points.len(), generators, &order)
    }
}

/// How a group permutes a list of disjoint sets of points.
#[derive(Clone, Debug)]
pub struct Action {
    degree: usize,
    sets: Vec<Vec<Point>>,
    /// The group on the points and, after them, one new point for each set.
    combined: Group,
    image: Group,
    kernel: Group,
}

impl Action {
    /// The action of `group` on `sets`; `None` if they are not disjoint, not empty, and exchanged as wholes.
    pub fn on_sets(group: &Group, sets: &[Vec<Point>]) -> Option<Self> {
        let degree = group.degree();
        let owners = owners(degree, sets)?;
        let images: Vec<Permutation> =
            group.generators().iter().map(|generator| image_on(generator, sets, &owners)).collect::<Option<_>>()?;
        let combine = |(generator, image): (&Permutation, &Permutation)| {
            let moved_sets = image.images().iter().map(|&set| set + degree as Point);
            let images: Vec<Point> = generator.images().iter().copied().chain(moved_sets).collect();
            Permutation::from_images(images).expect("two permutations side by side are one")
        };
        let combined: Vec<Permutation> = group.generators().iter().zip(&images).map(combine).collect();
        let size = degree + sets.len();
        let base: Vec<Point> = (degree as Point..size as Point).collect();
        let chain = chain_of_known_order(size, &combined, &base, &group.order());
        let image_order = chain.order_from(0) / chain.order_from(base.len());
        let kernel = chain.tail(base.len());
        let kernel_generators = kernel.generators_at(0).map(|step| points_part(&step.forward, degree));
        Some(Self {
            degree,
            sets: sets.to_vec(),
            image: Group::of_known_order(sets.len(), images, &image_order),
            kernel: Group::of_known_order(degree, kernel_generators, &kernel.order_from(0)),
            combined: Group::from_chain(chain),
        })
    }

    /// The sets acted on; the image permutes their places in this list.
    pub fn sets(&self) -> &[Vec<Point>] {
        &self.sets
    }

    /// The group of permutations of the sets.
    pub fn image(&self) -> &Group {
        &self.image
    }

    /// The elements that map each set onto itself.
    pub fn kernel(&self) -> &Group {
        &self.kernel
    }

    /// An element of the group that permutes the sets in the given way, if there is one.
    pub fn lift(&self, permutation: &Permutation) -> Option<Permutation> {
        let new_points: Vec<Point> = (self.degree as Point..self.combined.degree() as Point).collect();
        let targets: Vec<Point> = permutation.images().iter().map(|&set| set + self.degree as Point).collect();
        let lifted = self.combined.transporter(&new_points, &targets)?;
        Some(points_part(&lifted, self.degree))
    }

    /// The elements of the group that map one of the sets onto itself.
    pub fn stabiliser_of(&self, set: usize) -> Group {
        let stabiliser = self.combined.point_stabiliser((self.degree + set) as Point);
        let generators = stabiliser.generators().iter().map(|generator| points_part(generator, self.degree));
        Group::of_known_order(self.degree, generators, &stabiliser.order())
    }

    /// For each set an element that carries the first set to it; `None` for sets in another orbit than the first.
    pub fn transversal(&self) -> Vec<Option<Permutation>> {
        let mut transversal = vec![None; self.sets.len()];
        if !self.sets.is_empty() {
            for (point, element) in self.combined.transversal(self.degree as Point) {
                transversal[point as usize - self.degree] = Some(points_part(&element, self.degree));
            }
        }
        transversal
    }
}

/// By point: the set that holds it. `None` if the sets overlap or one is empty.
fn owners(degree: usize, sets: &[Vec<Point>]) -> Option<Vec<Option<usize>>> {
    let mut owners = vec![None; degree];
    for (index, set) in sets.iter().enumerate() {
        for &point in set {
            if owners[point as usize].replace(index).is_some() {
                return None;
            }
        }
    }
    sets.iter().all(|set| !set.is_empty()).then_some(owners)
}

fn image_on(element: &Permutation, sets: &[Vec<Point>], owners: &[Option<usize>]) -> Option<Permutation> {
    let image_of = |set: &Vec<Point>| {
        let image = owners[element.image(set[0]) as usize]?;
        let whole = sets[image].len() == set.len();
        (whole && set.iter().all(|&p| owners[element.image(p) as usize] == Some(image))).then_some(image as Point)
    };
    let images: Vec<Point> = sets.iter().map(image_of).collect::<Option<_>>()?;
    Permutation::from_images(images).ok()
}

fn points_part(combined: &Permutation, degree: usize) -> Permutation {
    Permutation::from_images(&combined.images()[..degree]).expect("points stay points, and sets stay sets")
}

#[cfg(test)]
mod tests {
    use super::Action;
    use crate::group::Group;
    use crate::permutation::{Numbering, Permutation};

    #[test]
    fn a_wreath_product_acts_on_its_blocks_as_its_top_group() {
        let group = Group::symmetric(3).wreath_product(&Group::cyclic(4));
        let blocks: Vec<Vec<u32>> = (0..4).map(|block| (3 * block..3 * block + 3).collect()).collect();
        let action = Action::on_sets(&group, &blocks).unwrap();
        assert_eq!(action.image(), &Group::cyclic(4));
        assert_eq!(action.kernel(), &Group::disjoint_product(&vec![Group::symmetric(3); 4]));
        let turn = Permutation::parse(4, "(0 1 2 3)", Numbering::FromZero).unwrap();
        let lifted = action.lift(&turn).unwrap();
        assert!(group.contains(&lifted));
        assert!((0..12).all(|point| lifted.image(point) / 3 == (point / 3 + 1) % 4));
        assert_eq!(action.lift(&Permutation::parse(4, "(0 1)", Numbering::FromZero).unwrap()), None);
        assert_eq!(action.stabiliser_of(2).order(), (6u32.pow(4)).into());
        for (block, element) in (0..).zip(action.transversal()) {
            assert!((0..3).all(|point| element.as_ref().unwrap().image(point) / 3 == block));
        }
    }

    #[test]
    fn sets_that_are_torn_apart_are_refused() {
        let group = Group::cyclic(4);
        assert!(Action::on_sets(&group, &[vec![0, 2], vec![1, 3]]).is_some());
        assert!(Action::on_sets(&group, &[vec![0, 1], vec![2, 3]]).is_none());
        assert!(Action::on_sets(&group, &[vec![0, 2], vec![1]]).is_none());
        assert!(Action::on_sets(&group, &[vec![0, 1, 2, 3], vec![1]]).is_none());
    }

    #[test]
    fn restriction_renumbers_the_points() {
        let group = Group::disjoint_product(&[Group::cyclic(3), Group::dihedral(5), Group::symmetric(2)]);
        assert_eq!(group.restricted_to(&[3, 4, 5, 6, 7]), Group::dihedral(5));
        assert_eq!(group.restricted_to(&[8, 9]), Group::symmetric(2));
        assert_eq!(group.restricted_to(&[1, 8, 0, 9, 2]).order(), 6u32.into());
    }
}
