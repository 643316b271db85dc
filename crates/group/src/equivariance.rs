//! Orbits that move in step: bijections `f` between two orbits with `f(p·g) = f(p)·g` for every generator `g`.
//!
//! Where there is such a bijection, a group element is known on the second orbit once it is known on the first. So a
//! group acts faithfully on one orbit of each class of orbits in step, which is how large diagonal actions are proven
//! cheaply; and a symmetric group on a class of orbits in step is one "acting in columns", see [`crate::columns`].

use crate::permutation::{Permutation, Point};

/// Two orbits in step: `pairs[i]` are the `i`-th point of the first orbit and its image.
pub(crate) type InStep = Vec<(Point, Point)>;

/// A bijection of the orbit `from` onto the orbit `to` that commutes with all generators, if there is one.
///
/// The image of one point determines it; so all points of `to` are tried, with early failure.
pub(crate) fn equivariant_bijection(generators: &[Permutation], from: &[Point], to: &[Point]) -> Option<InStep> {
    let degree = generators.first()?.degree();
    if from.len() != to.len() {
        return None;
    }
    let walk = spanning_walk(generators, degree, from[0]);
    debug_assert_eq!(walk.len(), from.len() - 1, "the points given are one orbit");
    let mut images = vec![Point::MAX; degree];
    to.iter().find_map(|&start| {
        images[from[0] as usize] = start;
        for &(point, generator, next) in &walk {
            images[next as usize] = generators[generator].image(images[point as usize]);
        }
        let commutes = |generator: &Permutation| {
            from.iter().all(|&p| images[generator.image(p) as usize] == generator.image(images[p as usize]))
        };
        // A map that commutes is onto, since `to` is an orbit; of equal size, it is a bijection.
        generators.iter().all(commutes).then(|| from.iter().map(|&point| (point, images[point as usize])).collect())
    })
}

/// A way to visit the orbit of `start`: each step applies a generator to a point visited before and gives a new one.
fn spanning_walk(generators: &[Permutation], degree: usize, start: Point) -> Vec<(Point, usize, Point)> {
    let mut met = vec![false; degree];
    met[start as usize] = true;
    let mut reached = vec![start];
    let mut walk = Vec::new();
    let mut next = 0;
    while next < reached.len() {
        let point = reached[next];
        for (index, generator) in generators.iter().enumerate() {
            let image = generator.image(point);
            if !met[image as usize] {
                met[image as usize] = true;
                reached.push(image);
                walk.push((point, index, image));
            }
        }
        next += 1;
    }
    walk
}

/// The orbits longer than one, sorted into classes of orbits in step.
///
/// Each class has its first orbit, and for every further orbit the bijection from the first.
pub(crate) fn classes_in_step(generators: &[Permutation], orbits: &[Vec<Point>]) -> Vec<(Vec<Point>, Vec<InStep>)> {
    let mut classes: Vec<(Vec<Point>, Vec<InStep>)> = Vec::new();
    for orbit in orbits.iter().filter(|orbit| orbit.len() > 1) {
        let known = classes.iter_mut().find_map(|(first, further)| {
            equivariant_bijection(generators, first, orbit).map(|bijection| (further, bijection))
        });
        match known {
            Some((further, bijection)) => further.push(bijection),
            None => classes.push((orbit.clone(), Vec::new())),
        }
    }
    classes
}

#[cfg(test)]
mod tests {
    use super::{classes_in_step, equivariant_bijection};
    use crate::orbit::orbits;
    use crate::permutation::{Numbering, Permutation};

    fn generators(degree: usize, texts: &[&str]) -> Vec<Permutation> {
        texts.iter().map(|text| Permutation::parse(degree, text, Numbering::FromZero).unwrap()).collect()
    }

    #[test]
    fn orbits_in_step_are_found_whatever_their_numbering() {
        let generators = generators(9, &["(0 1)(3 5)(6 7)", "(1 2)(4 5)(7 8)"]);
        let bijection = equivariant_bijection(&generators, &[0, 1, 2], &[3, 4, 5]);
        assert_eq!(bijection, Some(vec![(0, 3), (1, 5), (2, 4)]));
        assert_eq!(classes_in_step(&generators, &orbits(9, &generators)).len(), 1);
    }

    #[test]
    fn equally_long_orbits_need_not_be_in_step() {
        let generators = generators(6, &["(0 1 2)(3 4 5)", "(0 1)"]);
        assert_eq!(equivariant_bijection(&generators, &[0, 1, 2], &[3, 4, 5]), None);
    }
}
