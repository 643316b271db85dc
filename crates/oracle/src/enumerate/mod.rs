//! All models up to a bound: a finite grammar, and the model of every number.
//!
//! `grammar.txt` says which models there are. Its families are drawn in turns, in a family the shapes of models in turns, and of a shape
//! every model once, in an order that leaps through the choices of its statements. So every range of numbers is spread over the whole
//! space, and a range that is long enough has every model of the small families.

mod grammar;

use grammar::{Family, Grammar};

/// The models of the grammar.
#[derive(Debug)]
pub struct Space {
    families: Vec<Family>,
}

impl Space {
    /// The space that `grammar.txt` describes.
    #[must_use]
    pub fn new() -> Space {
        Space { families: Grammar::parse(include_str!("grammar.txt")).families() }
    }

    /// The model with a number; `None` where the models of a shape have all had a number.
    ///
    /// ```
    /// let space = oracle::enumerate::Space::new();
    /// assert!(space.model(0).is_some_and(|text| text.contains("proctype")));
    /// ```
    #[must_use]
    pub fn model(&self, number: u64) -> Option<String> {
        let (family, number) = self.family_of(number);
        let shapes = family.shapes.len() as u64;
        family.shapes[(number % shapes) as usize].model(number / shapes, number % shapes)
    }

    /// The name of the family that a number belongs to.
    #[must_use]
    pub fn family(&self, number: u64) -> &'static str {
        self.family_of(number).0.name
    }

    /// The families, and how many models each has.
    pub fn sizes(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.families.iter().map(|family| (family.name, family.shapes.iter().map(grammar::Shape::models).sum()))
    }

    fn family_of(&self, number: u64) -> (&Family, u64) {
        let families = self.families.len() as u64;
        (&self.families[(number % families) as usize], number / families)
    }
}

impl Default for Space {
    fn default() -> Space {
        Space::new()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::Space;

    #[test]
    fn every_model_of_the_small_families_has_one_number() {
        let space = Space::new();
        let smallest = space.sizes().filter(|(name, _)| name.contains("Small")).min_by_key(|&(_, size)| size);
        let (name, size) = smallest.expect("there are small families");
        let of_it = (0..2_000_000).filter(|&number| space.family(number) == name);
        let models: Vec<String> = of_it.filter_map(|number| space.model(number)).collect();
        assert_eq!(models.len() as u64, size);
        assert_eq!(models.into_iter().collect::<HashSet<_>>().len() as u64, size);
    }

    #[test]
    fn the_front_end_accepts_the_models() {
        let space = Space::new();
        for number in 0..20_000 {
            let Some(text) = space.model(number) else { continue };
            if let Err(messages) = crate::ours::machine(&text) {
                panic!("{number}, {}: {messages}\n{text}", space.family(number));
            }
        }
    }
}
