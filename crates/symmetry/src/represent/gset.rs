//! Sets on which a group acts, as tables: what each generator does to the elements `0..len`.
//!
//! A map between two such sets is *equivariant* when it commutes with all generators. Equivariant bijections tie the points of
//! one process (its slots, its channel's slots, its number) to one *object*; equivariant maps onto smaller sets tie an object
//! to the one it belongs to, as a client to its server.

use group::{Group, Point};

/// An orbit of a group, its elements numbered from zero.
#[derive(Clone, Debug)]
pub(super) struct GSet {
    /// By generator: the image of each element.
    actions: Vec<Vec<u32>>,
    len: usize,
}

impl GSet {
    /// The action on an orbit of points, numbered as listed.
    pub(super) fn of_points(group: &Group, orbit: &[Point]) -> Self {
        let blocks: Vec<Vec<Point>> = orbit.iter().map(|&point| vec![point]).collect();
        Self::of_blocks(group, &blocks)
    }

    /// The action on the blocks of a block system.
    pub(super) fn of_blocks(group: &Group, blocks: &[Vec<Point>]) -> Self {
        let mut number = vec![u32::MAX; group.degree()];
        for (index, block) in (0..).zip(blocks) {
            block.iter().for_each(|&point| number[point as usize] = index);
        }
        let action = |generator: &group::Permutation| {
            blocks.iter().map(|block| number[generator.image(block[0]) as usize]).collect()
        };
        Self { actions: group.generators().iter().map(action).collect(), len: blocks.len() }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// An equivariant map to another set, which is onto because that is an orbit; as images of `0..len`.
    ///
    /// There may be several; the first is taken.
    pub(super) fn map_to(&self, to: &Self) -> Option<Vec<u32>> {
        self.maps_to(to).next()
    }

    /// All equivariant maps to another set. The image of one element determines a map, so all are tried.
    pub(super) fn maps_to<'a>(&'a self, to: &'a Self) -> impl Iterator<Item = Vec<u32>> + 'a {
        let starts = if self.len.is_multiple_of(to.len) { to.len as u32 } else { 0 };
        let fits = |&start: &u32| {
            let fixed = |(here, there): (&Vec<u32>, &Vec<u32>)| here[0] != 0 || there[start as usize] == start;
            self.actions.iter().zip(&to.actions).all(fixed)
        };
        let walk = if starts > 0 { self.walk() } else { Vec::new() };
        (0..starts).filter(fits).filter_map(move |start| {
            let mut images = vec![u32::MAX; self.len];
            images[0] = start;
            for &(element, generator, next) in &walk {
                images[next as usize] = to.actions[generator][images[element as usize] as usize];
            }
            let commutes = |(here, there): (&Vec<u32>, &Vec<u32>)| {
                here.iter().zip(&images).all(|(&next, &image)| images[next as usize] == there[image as usize])
            };
            self.actions.iter().zip(&to.actions).all(commutes).then_some(images)
        })
    }

    /// A way to visit all elements from the first: an element visited before, a generator, and the new element.
    fn walk(&self) -> Vec<(u32, usize, u32)> {
        let mut met = vec![false; self.len];
        met[0] = true;
        let mut reached = vec![0];
        let mut walk = Vec::with_capacity(self.len - 1);
        let mut next = 0;
        while next < reached.len() {
            let element: u32 = reached[next];
            for (generator, action) in self.actions.iter().enumerate() {
                let image = action[element as usize];
                if !met[image as usize] {
                    met[image as usize] = true;
                    reached.push(image);
                    walk.push((element, generator, image));
                }
            }
            next += 1;
        }
        walk
    }
}

#[cfg(test)]
mod tests {
    use super::GSet;
    use group::Group;

    #[test]
    fn members_of_a_wreath_product_map_to_their_blocks() {
        let group = Group::symmetric(3).wreath_product(&Group::symmetric(4));
        let points = GSet::of_points(&group, &(0..12).collect::<Vec<_>>());
        let blocks = GSet::of_blocks(&group, &(0..4).map(|b| (3 * b..3 * b + 3).collect()).collect::<Vec<_>>());
        assert_eq!(points.map_to(&blocks).unwrap(), [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]);
        assert_eq!(blocks.map_to(&points), None);
        assert_eq!(points.map_to(&points).unwrap(), (0..12).collect::<Vec<u32>>());
    }
}
