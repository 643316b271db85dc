//! A picture of a group: what is exchanged with what.
//!
//! Each row is an orbit, what can take each other's place; each generator has a colour, and an arc for each step of its cycles.

use std::fmt::Write as _;

use crate::markup::escaped;

const COLOURS: [&str; 8] = ["#0a69c6", "#bf5b00", "#1a7f37", "#8250df", "#b42369", "#5d6b00", "#007f88", "#8a3b12"];
/// Objects of an orbit that are drawn.
const MOST_OBJECTS: usize = 24;
/// Generators that are drawn.
pub const MOST_GENERATORS: usize = 24;

const ROW: f64 = 68.0;
const BOX: f64 = 24.0;
const GAP: f64 = 22.0;
const CHARACTER: f64 = 7.3;

/// A box in the picture.
struct Object<'a> {
    name: &'a str,
    middle: f64,
    top: f64,
    width: f64,
}

/// The generators, given as cycles of names, as a picture to stand in a page.
#[must_use]
pub fn svg(generators: &[String]) -> String {
    let cycles: Vec<Vec<Vec<&str>>> = generators.iter().map(|generator| parse(generator)).collect();
    let orbits = orbits(&cycles);
    let objects = place(&orbits);
    let width = objects.iter().map(|object| object.middle + object.width / 2.0 + GAP).fold(120.0, f64::max);
    let height = orbits.len() as f64 * ROW + 10.0;
    let mut text = format!(
        "<svg class=\"i-group\" role=\"img\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\"><title>what the generators of the group exchange</title>"
    );
    for (index, generator) in cycles.iter().enumerate().take(MOST_GENERATORS) {
        for cycle in generator {
            arcs(cycle, index, &objects, &mut text);
        }
    }
    for Object { name, middle, top, width } in &objects {
        let _ = write!(
            text,
            "<rect x=\"{:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{BOX}\" rx=\"5\"/>\
             <text x=\"{middle:.1}\" y=\"{:.1}\">{}</text>",
            middle - width / 2.0,
            top + 16.0,
            escaped(name)
        );
    }
    text + "</svg>"
}

/// The colour of a generator, by number.
#[must_use]
pub fn colour(generator: usize) -> &'static str {
    COLOURS[generator % COLOURS.len()]
}

/// The cycles of `(a b)(c d)`.
fn parse(generator: &str) -> Vec<Vec<&str>> {
    generator
        .split(')')
        .map(|cycle| cycle.trim_start_matches('(').split(' ').filter(|name| !name.is_empty()).collect::<Vec<_>>())
        .filter(|cycle| cycle.len() > 1)
        .collect()
}

/// What can take each other's place, in the order in which the generators name it.
fn orbits<'a>(generators: &[Vec<Vec<&'a str>>]) -> Vec<Vec<&'a str>> {
    let mut orbits: Vec<Vec<&str>> = Vec::new();
    for cycle in generators.iter().flatten() {
        let (touched, mut rest): (Vec<_>, Vec<_>) =
            orbits.into_iter().partition(|orbit| orbit.iter().any(|name| cycle.contains(name)));
        let mut merged: Vec<&str> = touched.into_iter().flatten().collect();
        merged.extend(cycle.iter().filter(|name| !merged.contains(name)).copied().collect::<Vec<_>>());
        merged.sort_by_key(|name| (name.len(), *name));
        rest.push(merged);
        orbits = rest;
    }
    orbits.sort_by_key(|orbit| (orbit[0].len(), orbit[0]));
    orbits
}

fn place<'a>(orbits: &[Vec<&'a str>]) -> Vec<Object<'a>> {
    let mut objects = Vec::new();
    for (row, orbit) in orbits.iter().enumerate() {
        let top = row as f64 * ROW + ROW - BOX - 6.0;
        let mut left = GAP;
        for &name in orbit.iter().take(MOST_OBJECTS) {
            let width = name.chars().count() as f64 * CHARACTER + 14.0;
            objects.push(Object { name, middle: left + width / 2.0, top, width });
            left += width + GAP;
        }
    }
    objects
}

/// An arc for each step of a cycle; an exchange is one arc.
fn arcs(cycle: &[&str], generator: usize, objects: &[Object<'_>], text: &mut String) {
    let find = |name: &str| objects.iter().find(|object| object.name == name);
    let steps = if cycle.len() == 2 { 1 } else { cycle.len() };
    for step in 0..steps {
        let (Some(from), Some(to)) = (find(cycle[step]), find(cycle[(step + 1) % cycle.len()])) else { continue };
        let distance = (to.middle - from.middle).abs();
        let rise = (14.0 + distance / 14.0 + (generator % 3) as f64 * 5.0).min(ROW - BOX - 12.0);
        let shift = ((generator % 5) as f64 - 2.0) * 3.0;
        let _ = write!(
            text,
            "<path stroke=\"{}\" d=\"M{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}\"/>",
            colour(generator),
            from.middle + shift,
            from.top,
            f64::midpoint(from.middle, to.middle),
            from.top - 2.0 * rise + BOX / 2.0,
            to.middle + shift,
            to.top
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_read_and_joined_to_orbits() {
        let generators = ["(P[1] P[2])(q[1] q[2])".to_string(), "(P[2] P[3])(q[2] q[3])".to_string()];
        let cycles: Vec<_> = generators.iter().map(|each| parse(each)).collect();
        assert_eq!(orbits(&cycles), [["P[1]", "P[2]", "P[3]"], ["q[1]", "q[2]", "q[3]"]]);
        let picture = svg(&generators);
        assert_eq!((picture.matches("<rect").count(), picture.matches("<path").count()), (6, 4));
    }
}
