//! A finite grammar: rules with a capital are expanded to shapes, the others are choices within a shape.

use std::collections::HashMap;
use std::sync::Arc;

/// The rules.
pub struct Grammar {
    rules: HashMap<&'static str, Vec<&'static str>>,
    /// In the order of the text.
    starts: Vec<&'static str>,
}

/// A start rule, expanded.
#[derive(Debug)]
pub struct Family {
    /// The rule.
    pub name: &'static str,
    /// All that its rules with a capital allow.
    pub shapes: Vec<Shape>,
}

/// A model with gaps.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    Text(&'static str),
    /// One of several statements.
    Gap(Arc<[&'static str]>),
}

impl Grammar {
    /// Reads rules; a mistake in them is a mistake of this crate.
    pub fn parse(text: &'static str) -> Grammar {
        let mut grammar = Grammar { rules: HashMap::new(), starts: Vec::new() };
        let mut rule = "";
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some(alternative) = line.strip_prefix("  ") {
                grammar.rules.entry(rule).or_default().push(alternative);
            } else {
                rule = line.strip_suffix(':').expect("a rule ends with a colon");
                if rule.starts_with("Model") {
                    grammar.starts.push(rule);
                }
            }
        }
        grammar
    }

    /// The start rules with their shapes.
    pub fn families(&self) -> Vec<Family> {
        self.starts.iter().map(|&name| Family { name, shapes: self.shapes(name) }).collect()
    }

    fn shapes(&self, rule: &str) -> Vec<Shape> {
        self.alternatives(rule).iter().flat_map(|alternative| self.expand(alternative)).collect()
    }

    fn alternatives(&self, rule: &str) -> &[&'static str] {
        self.rules.get(rule).unwrap_or_else(|| panic!("there is no rule {rule}"))
    }

    /// The shapes of an alternative: those of its parts, combined in all ways.
    fn expand(&self, alternative: &'static str) -> Vec<Shape> {
        let mut shapes = vec![Shape::default()];
        let mut rest = alternative;
        while let Some((text, behind)) = rest.split_once('$') {
            let end = behind.find(|character: char| !character.is_alphanumeric()).unwrap_or(behind.len());
            let name;
            (name, rest) = behind.split_at(end);
            shapes.iter_mut().for_each(|shape| shape.parts.push(Part::Text(text)));
            if name.starts_with(char::is_uppercase) {
                let inner = self.shapes(name);
                shapes = shapes.iter().flat_map(|shape| inner.iter().map(|inner| shape.followed_by(inner))).collect();
            } else {
                let gap = Part::Gap(self.alternatives(name).into());
                shapes.iter_mut().for_each(|shape| shape.parts.push(gap.clone()));
            }
        }
        shapes.iter_mut().for_each(|shape| shape.parts.push(Part::Text(rest)));
        shapes
    }
}

impl Shape {
    fn followed_by(&self, other: &Shape) -> Shape {
        Shape { parts: self.parts.iter().chain(&other.parts).cloned().collect() }
    }

    /// How many models it stands for.
    pub fn models(&self) -> u64 {
        self.parts.iter().map(|part| if let Part::Gap(choices) = part { choices.len() as u64 } else { 1 }).product()
    }

    /// Its model with a number below [`Shape::models`]. Shapes with different `offset` begin with different choices.
    pub fn model(&self, number: u64, offset: u64) -> Option<String> {
        let models = self.models();
        if number >= models {
            return None;
        }
        let leaps = u128::from(number) + u128::from(offset);
        let mut rank = (leaps * u128::from(leap(models)) % u128::from(models)) as u64;
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Text(piece) => text.push_str(&piece.replace("\\n", "\n")),
                Part::Gap(choices) => {
                    let count = choices.len() as u64;
                    text.push_str(choices[(rank % count) as usize]);
                    rank /= count;
                }
            }
        }
        Some(text)
    }
}

/// A number without a common divisor with `count`, near its golden section: its multiples are spread evenly and meet every number below `count`.
fn leap(count: u64) -> u64 {
    let divides_both = |mut one: u64, mut other: u64| {
        while other != 0 {
            (one, other) = (other, one % other);
        }
        one > 1
    };
    let near = (count as f64 * 0.618_034) as u64;
    (near.max(1)..).find(|&leap| !divides_both(leap, count)).unwrap_or(1)
}
