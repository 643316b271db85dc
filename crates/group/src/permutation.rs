//! A permutation of the points `0..degree`, stored as the vector of its images.
//!
//! The degree is part of the value: permutations of different degrees are never equal and are never multiplied, so that
//! a forgotten conversion shows itself at once. [`Permutation::extended`] adds fixed points where that is meant.
//! Products and actions follow the crate's convention: `a.then(&b)` applies `a` first.

use std::fmt;

use num_bigint::BigUint;

use crate::random::Random;

/// A point moved by permutations.
pub type Point = u32;

/// A bijection of `0..degree` onto itself.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Permutation {
    images: Box<[Point]>,
}

/// How points are written in cycle form. In memory the first point is always zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbering {
    /// The first point is written `0`, as in this crate.
    FromZero,
    /// The first point is written `1`, as in GAP and in most papers.
    FromOne,
}

/// Why a text or a list of images is not a permutation of the given degree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PermutationError {
    /// The point, as it was written, is not one of the points `0..degree`.
    OutOfRange {
        /// The point as it was written.
        point: u64,
        /// The number of points there are.
        degree: usize,
    },
    /// The point, as it was written, is the image of two points or stands in two places of the cycles.
    Repeated {
        /// The point as it was written.
        point: u64,
    },
    /// The text is not a sequence of cycles.
    Syntax {
        /// The byte at which reading stopped.
        position: usize,
        /// What was expected there.
        expected: &'static str,
    },
}

impl Permutation {
    /// The permutation that fixes all of `0..degree`.
    pub fn identity(degree: usize) -> Self {
        Self { images: (0..degree as Point).collect() }
    }

    /// The permutation that sends point `p` to `images[p]`.
    pub fn from_images(images: impl Into<Box<[Point]>>) -> Result<Self, PermutationError> {
        let images = images.into();
        let mut met = vec![false; images.len()];
        for &image in &images {
            match met.get_mut(image as usize) {
                None => return Err(PermutationError::OutOfRange { point: image.into(), degree: images.len() }),
                Some(true) => return Err(PermutationError::Repeated { point: image.into() }),
                Some(fresh) => *fresh = true,
            }
        }
        Ok(Self { images })
    }

    /// The permutation of `0..degree` with the given disjoint cycles; each point goes to the next of its cycle.
    pub fn from_cycles<C: AsRef<[Point]>>(degree: usize, cycles: &[C]) -> Result<Self, PermutationError> {
        let mut images: Box<[Point]> = (0..degree as Point).collect();
        let mut met = vec![false; degree];
        for cycle in cycles {
            let cycle = cycle.as_ref();
            for (place, &point) in cycle.iter().enumerate() {
                match met.get_mut(point as usize) {
                    None => return Err(PermutationError::OutOfRange { point: point.into(), degree }),
                    Some(true) => return Err(PermutationError::Repeated { point: point.into() }),
                    Some(fresh) => *fresh = true,
                }
                images[point as usize] = cycle[(place + 1) % cycle.len()];
            }
        }
        Ok(Self { images })
    }

    /// Reads cycle form, such as `(1 2 3)(4 5)`; points are separated by blanks or commas, `()` is the identity.
    pub fn parse(degree: usize, text: &str, numbering: Numbering) -> Result<Self, PermutationError> {
        let cycles = parse_cycles(degree, text, numbering)?;
        Self::from_cycles(degree, &cycles).map_err(|error| match error {
            PermutationError::Repeated { point } => PermutationError::Repeated { point: point + numbering.first() },
            other => other,
        })
    }

    /// A permutation drawn uniformly from all those of `0..degree`.
    pub fn random(degree: usize, random: &mut Random) -> Self {
        let mut images: Box<[Point]> = (0..degree as Point).collect();
        for last in (1..degree).rev() {
            images.swap(last, random.below(last + 1));
        }
        Self { images }
    }

    /// The number of points, fixed ones included.
    pub fn degree(&self) -> usize {
        self.images.len()
    }

    /// Where `point` goes.
    pub fn image(&self, point: Point) -> Point {
        self.images[point as usize]
    }

    /// The images of `0, 1, 2, …` in this order.
    pub fn images(&self) -> &[Point] {
        &self.images
    }

    /// The point that goes to `point`; linear in the degree, so use [`Permutation::inverse`] for many of them.
    pub fn preimage(&self, point: Point) -> Point {
        let place = self.images.iter().position(|&image| image == point);
        place.expect("a permutation is onto") as Point
    }

    /// First `self`, then `next`.
    ///
    /// # Panics
    /// If the degrees differ.
    pub fn then(&self, next: &Self) -> Self {
        assert_eq!(self.degree(), next.degree(), "only permutations of one degree can be multiplied");
        Self { images: self.images.iter().map(|&image| next.images[image as usize]).collect() }
    }

    /// Replaces `self` by first `self`, then `next`, in place.
    ///
    /// # Panics
    /// If the degrees differ.
    pub fn then_assign(&mut self, next: &Self) {
        assert_eq!(self.degree(), next.degree(), "only permutations of one degree can be multiplied");
        for image in &mut self.images {
            *image = next.images[*image as usize];
        }
    }

    /// The permutation that undoes this one.
    pub fn inverse(&self) -> Self {
        let mut images = vec![0; self.degree()].into_boxed_slice();
        for (point, &image) in self.images.iter().enumerate() {
            images[image as usize] = point as Point;
        }
        Self { images }
    }

    /// `self` applied `exponent` times; a negative exponent applies the inverse.
    pub fn power(&self, exponent: i64) -> Self {
        let mut images: Box<[Point]> = (0..self.degree() as Point).collect();
        for cycle in self.cycles() {
            let shift = exponent.rem_euclid(cycle.len() as i64) as usize;
            for (place, &point) in cycle.iter().enumerate() {
                images[point as usize] = cycle[(place + shift) % cycle.len()];
            }
        }
        Self { images }
    }

    /// `by⁻¹ · self · by`: the permutation whose cycles are those of `self` with every point `p` renamed `by.image(p)`.
    ///
    /// # Panics
    /// If the degrees differ.
    pub fn conjugate_by(&self, by: &Self) -> Self {
        assert_eq!(self.degree(), by.degree(), "only permutations of one degree can be conjugated");
        let mut images = vec![0; self.degree()].into_boxed_slice();
        for (point, &image) in self.images.iter().enumerate() {
            images[by.images[point] as usize] = by.images[image as usize];
        }
        Self { images }
    }

    /// The same moves among more points; the new points are fixed.
    ///
    /// # Panics
    /// If `degree` is below the present degree.
    pub fn extended(&self, degree: usize) -> Self {
        assert!(degree >= self.degree(), "points can be added, not taken away");
        Self { images: self.images.iter().copied().chain(self.degree() as Point..degree as Point).collect() }
    }

    /// Whether every point is fixed.
    pub fn is_identity(&self) -> bool {
        self.images.iter().zip(0..).all(|(&image, point)| image == point)
    }

    /// Whether it is a product of an even number of transpositions.
    pub fn is_even(&self) -> bool {
        self.cycles().iter().filter(|cycle| cycle.len() % 2 == 0).count() % 2 == 0
    }

    /// The least point that is moved.
    pub fn first_moved(&self) -> Option<Point> {
        self.images.iter().zip(0..).find(|&(&image, point)| image != point).map(|(_, point)| point)
    }

    /// The points that are moved, in order.
    pub fn support(&self) -> Vec<Point> {
        self.images.iter().zip(0..).filter(|&(&image, point)| image != point).map(|(_, point)| point).collect()
    }

    /// The cycles longer than one; each starts with its least point, and they are sorted by it.
    pub fn cycles(&self) -> Vec<Vec<Point>> {
        let mut met = vec![false; self.degree()];
        let mut cycles = Vec::new();
        for start in 0..self.degree() as Point {
            if met[start as usize] || self.image(start) == start {
                continue;
            }
            let mut cycle = Vec::new();
            let mut point = start;
            while !met[point as usize] {
                met[point as usize] = true;
                cycle.push(point);
                point = self.image(point);
            }
            cycles.push(cycle);
        }
        cycles
    }

    /// The least positive number of applications that give the identity.
    pub fn order(&self) -> BigUint {
        let mut order = BigUint::from(1u32);
        for cycle in self.cycles() {
            let length = cycle.len() as u64;
            let shared = gcd(length, (&order % length).try_into().expect("a remainder is below its divisor"));
            order *= length / shared;
        }
        order
    }

    /// The vector with its contents moved: what stood at place `p` stands at place `p.image` of the result.
    ///
    /// # Panics
    /// If the vector's length is not the degree.
    pub fn permute<T: Clone>(&self, values: &[T]) -> Vec<T> {
        assert_eq!(values.len(), self.degree(), "one value for each point");
        let inverse = self.inverse();
        inverse.images.iter().map(|&place| values[place as usize].clone()).collect()
    }

    /// Cycle form for people.
    pub fn cycle_form(&self, numbering: Numbering) -> CycleForm<'_> {
        CycleForm { permutation: self, numbering }
    }
}

impl Numbering {
    fn first(self) -> u64 {
        match self {
            Numbering::FromZero => 0,
            Numbering::FromOne => 1,
        }
    }
}

/// A permutation about to be printed in cycle form, see [`Permutation::cycle_form`].
pub struct CycleForm<'a> {
    permutation: &'a Permutation,
    numbering: Numbering,
}

impl fmt::Display for CycleForm<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cycles = self.permutation.cycles();
        if cycles.is_empty() {
            return f.write_str("()");
        }
        for cycle in cycles {
            for (place, &point) in cycle.iter().enumerate() {
                f.write_str(if place == 0 { "(" } else { " " })?;
                write!(f, "{}", u64::from(point) + self.numbering.first())?;
            }
            f.write_str(")")?;
        }
        Ok(())
    }
}

impl fmt::Display for Permutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cycle_form(Numbering::FromZero).fmt(f)
    }
}

impl fmt::Debug for Permutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} of {}", self.degree())
    }
}

impl fmt::Display for PermutationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PermutationError::OutOfRange { point, degree } => {
                write!(f, "there is no point {point}, there are {degree} points")
            }
            PermutationError::Repeated { point } => write!(f, "point {point} appears twice"),
            PermutationError::Syntax { position, expected } => write!(f, "expected {expected} at byte {position}"),
        }
    }
}

impl std::error::Error for PermutationError {}

fn parse_cycles(degree: usize, text: &str, numbering: Numbering) -> Result<Vec<Vec<Point>>, PermutationError> {
    let mut cycles = Vec::new();
    let mut cycle: Option<Vec<Point>> = None;
    let mut rest = text.char_indices().peekable();
    while let Some((position, symbol)) = rest.next() {
        match (&mut cycle, symbol) {
            (_, blank) if blank.is_whitespace() => {}
            (None, '(') => cycle = Some(Vec::new()),
            (Some(_), ',') => {}
            (Some(_), ')') => cycles.extend(cycle.take()),
            (Some(points), digit) if digit.is_ascii_digit() => {
                let mut written = u64::from(digit as u8 - b'0');
                while let Some(&(_, digit)) = rest.peek().filter(|(_, next)| next.is_ascii_digit()) {
                    written = written.saturating_mul(10).saturating_add(u64::from(digit as u8 - b'0'));
                    rest.next();
                }
                let point = written.checked_sub(numbering.first()).filter(|&point| point < degree as u64);
                points.push(point.ok_or(PermutationError::OutOfRange { point: written, degree })? as Point);
            }
            (None, _) => return Err(PermutationError::Syntax { position, expected: "a cycle" }),
            (Some(_), _) => return Err(PermutationError::Syntax { position, expected: "a point or ')'" }),
        }
    }
    match cycle {
        None => Ok(cycles),
        Some(_) => Err(PermutationError::Syntax { position: text.len(), expected: "')'" }),
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests;
