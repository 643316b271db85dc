//! Symmetries given by hand: permutations of named objects, read from a text and proven before they are used.
//!
//! One generator stands on each line, in the form in which detected ones are printed: `(client[1] client[2])(link[1] link[2])`,
//! or `client[1] <-> client[2], link[1] <-> link[2]`; `a -> b -> c -> a` is a longer cycle. `#` and `//` begin a comment.
//! Processes that a line does not name stay where they are; everything else that it does not name follows the processes.
//!
//! A declared permutation is used if some automorphism of the program graph does to the named objects what it says. So the
//! proof is the one of detection: a file can only make the group smaller.

use std::fmt;

use group::{Group, Permutation, Point};

use super::Generator;

/// A permutation that was given by hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declared {
    /// Cycles of names, each with where it stands.
    pub cycles: Vec<Vec<Name>>,
    /// The line it stands in.
    pub line: u32,
}

/// A name in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Its line, from 1.
    pub line: u32,
    /// Its column, from 1.
    pub column: u32,
}

/// Why a declared permutation cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The reason.
    pub message: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

/// Reads permutations.
///
/// ```
/// use symmetry::detect::parse_declared;
/// let found = parse_declared("# two clients\nclient[1] <-> client[2], link[1] <-> link[2]\n").unwrap();
/// assert_eq!(found.len(), 1);
/// let same = parse_declared("\n(client[1] client[2]) (link[1] link[2])").unwrap();
/// assert_eq!(found[0].cycles[1][0].text, same[0].cycles[1][0].text);
/// assert_eq!(parse_declared("(p[1] p[2]").unwrap_err().to_string(), "1:1: this cycle is not closed");
/// ```
///
/// # Errors
/// The first thing that is not of the form described above.
pub fn parse_declared(text: &str) -> Result<Vec<Declared>, Refusal> {
    let mut declared = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let number = index as u32 + 1;
        let code = line.split('#').next().unwrap_or("").split("//").next().unwrap_or("");
        if code.trim().is_empty() {
            continue;
        }
        let cycles =
            if code.trim_start().starts_with('(') { in_brackets(code, number)? } else { arrows(code, number)? };
        let mut seen: Vec<&Name> = Vec::new();
        for name in cycles.iter().flatten() {
            if seen.iter().any(|other| other.text == name.text) {
                return Err(name.refusal(format!("`{}` stands here twice", name.text)));
            }
            seen.push(name);
        }
        declared.push(Declared { cycles, line: number });
    }
    Ok(declared)
}

impl Name {
    fn refusal(&self, message: String) -> Refusal {
        Refusal { line: self.line, column: self.column, message }
    }
}

/// `(a b)(c d)`
fn in_brackets(code: &str, line: u32) -> Result<Vec<Vec<Name>>, Refusal> {
    let mut cycles = Vec::new();
    let mut open: Option<(usize, Vec<Name>)> = None;
    for (column, token) in tokens(code) {
        let refusal = |message: &str| Refusal { line, column: column as u32 + 1, message: message.to_string() };
        match (token, &mut open) {
            ("(", None) => open = Some((column, Vec::new())),
            ("(", Some(_)) => return Err(refusal("a cycle within a cycle")),
            (")", None) => return Err(refusal("no cycle is open here")),
            (")", Some(_)) => cycles.extend(open.take().map(|(_, names)| names)),
            (",", _) => {}
            (name, Some((_, names))) => {
                names.push(Name { text: name.to_string(), line, column: column as u32 + 1 });
            }
            (name, None) => return Err(refusal(&format!("`{name}` stands outside of all cycles"))),
        }
    }
    match open {
        Some((column, _)) => {
            Err(Refusal { line, column: column as u32 + 1, message: "this cycle is not closed".to_string() })
        }
        None => Ok(cycles),
    }
}

/// Names, brackets and commas with their places. What stands in square brackets belongs to a name.
fn tokens(code: &str) -> Vec<(usize, &str)> {
    let mut tokens = Vec::new();
    let mut start: Option<usize> = None;
    let mut depth = 0;
    for (place, character) in code.char_indices() {
        let single = depth == 0 && matches!(character, '(' | ')' | ',');
        if single || (depth == 0 && character.is_whitespace()) {
            tokens.extend(start.take().map(|start| (start, &code[start..place])));
            if single {
                tokens.push((place, &code[place..place + 1]));
            }
            continue;
        }
        match character {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        start.get_or_insert(place);
    }
    tokens.extend(start.map(|start| (start, &code[start..])));
    tokens
}

/// `a <-> b, c -> d -> e -> c`
fn arrows(code: &str, line: u32) -> Result<Vec<Vec<Name>>, Refusal> {
    let mut cycles = Vec::new();
    let mut names: Vec<Name> = Vec::new();
    let mut exchange = false;
    let mut arrow_before = true;
    let end = [(code.trim_end().len(), ",")];
    for (column, token) in tokens(code).into_iter().chain(end) {
        let refusal = |message: String| Refusal { line, column: column as u32 + 1, message };
        match token {
            "<->" | "↔" | "->" | "→" => {
                if arrow_before {
                    return Err(refusal("a name is expected before an arrow".to_string()));
                }
                exchange |= matches!(token, "<->" | "↔");
                arrow_before = true;
            }
            "," => {
                if arrow_before && names.is_empty() {
                    continue;
                }
                if arrow_before {
                    return Err(refusal("a name is expected behind an arrow".to_string()));
                }
                let mut cycle = std::mem::take(&mut names);
                match (exchange, cycle.len()) {
                    (true, 2) => {}
                    (false, 3..) if cycle.first().map(|it| &it.text) == cycle.last().map(|it| &it.text) => {
                        cycle.pop();
                    }
                    (true, _) => return Err(cycle[0].refusal("`<->` exchanges two things".to_string())),
                    (false, _) => {
                        let message = "a cycle ends with what it began with: a -> b -> c -> a".to_string();
                        return Err(cycle[0].refusal(message));
                    }
                }
                cycles.push(cycle);
                (exchange, arrow_before) = (false, true);
            }
            name if arrow_before => {
                names.push(Name { text: name.to_string(), line, column: column as u32 + 1 });
                arrow_before = false;
            }
            name => return Err(refusal(format!("an arrow or a comma is expected before `{name}`"))),
        }
    }
    Ok(cycles)
}

/// What generators do to the objects that have names.
pub(super) struct ObjectAction<'a> {
    pub names: &'a [String],
    /// How many of the objects are processes; these come first.
    pub processes: usize,
    /// How many of them are shown: processes, channels and global variables.
    pub shown: usize,
    pub generators: &'a [Generator],
    pub degree: usize,
}

impl ObjectAction<'_> {
    /// The symmetries that do what was declared, and why others are none.
    pub fn generators(&self, declared: &[Declared]) -> (Vec<Generator>, Vec<Refusal>) {
        let objects = self.names.len();
        // Objects first, then the points of the shape.
        let joint = self.generators.iter().map(|generator| {
            let of_objects = generator.objects.iter().copied();
            let of_points = generator.permutation.images().iter().map(|&point| point + objects as Point);
            Permutation::from_images(of_objects.chain(of_points).collect::<Vec<Point>>())
                .expect("a permutation of both is one")
        });
        let group = Group::generated_by(objects + self.degree, joint);
        let (mut proven, mut refused) = (Vec::new(), Vec::new());
        for each in declared {
            match self.find(&group, each) {
                Ok(found) => {
                    let points = found.images()[objects..].iter().map(|&point| point - objects as Point);
                    let permutation = Permutation::from_images(points.collect::<Vec<Point>>());
                    proven.push(Generator {
                        permutation: permutation.expect("points are mapped to points"),
                        cycles: self.cycles(&found),
                        objects: found.images()[..objects].to_vec(),
                    });
                }
                Err(refusal) => refused.push(refusal),
            }
        }
        (proven, refused)
    }

    /// The cycles on what people think of, by name.
    fn cycles(&self, found: &Permutation) -> Vec<Vec<String>> {
        let cycles = found.cycles().into_iter().filter(|cycle| (cycle[0] as usize) < self.shown);
        cycles.map(|cycle| cycle.into_iter().map(|point| self.names[point as usize].clone()).collect()).collect()
    }

    fn find(&self, group: &Group, declared: &Declared) -> Result<Permutation, Refusal> {
        let mut from: Vec<Point> = Vec::new();
        let mut to: Vec<Point> = Vec::new();
        for cycle in &declared.cycles {
            let points: Vec<Point> = cycle.iter().map(|name| self.resolve(name)).collect::<Result<_, _>>()?;
            for (index, &point) in points.iter().enumerate() {
                let image = points[(index + 1) % points.len()];
                from.push(point);
                to.push(image);
                if point != image && !group.orbit(point).contains(&image) {
                    let other = &cycle[(index + 1) % cycle.len()].text;
                    let message = format!("no symmetry of the program takes `{}` to `{other}`", cycle[index].text);
                    return Err(cycle[index].refusal(message));
                }
            }
        }
        for process in 0..self.processes as Point {
            if !from.contains(&process) {
                from.push(process);
                to.push(process);
            }
        }
        group.transporter(&from, &to).ok_or_else(|| {
            let column = declared.cycles.first().and_then(|cycle| cycle.first()).map_or(1, |name| name.column);
            let message =
                "no symmetry of the program does all of this and leaves the other processes alone".to_string();
            Refusal { line: declared.line, column, message }
        })
    }

    fn resolve(&self, name: &Name) -> Result<Point, Refusal> {
        if let Some(place) = self.names.iter().position(|known| *known == name.text) {
            return Ok(place as Point);
        }
        let plain = |text: &str| text.split(['[', ':', '@', '=']).next().unwrap_or("").to_string();
        let like: Vec<&str> =
            self.names.iter().filter(|known| plain(known) == plain(&name.text)).map(String::as_str).take(4).collect();
        let hint = if like.is_empty() { String::new() } else { format!("; there are {}", like.join(", ")) };
        Err(name.refusal(format!("the model has no `{}` that takes part in its program{hint}", name.text)))
    }
}

#[cfg(test)]
mod tests {
    use super::parse_declared;

    fn refusal(text: &str) -> String {
        parse_declared(text).unwrap_err().to_string()
    }

    #[test]
    fn both_forms_mean_the_same() {
        let names = |text: &str| {
            let declared = parse_declared(text).unwrap();
            let cycles = declared[0].cycles.iter().map(|cycle| cycle.iter().map(|name| name.text.clone()).collect());
            cycles.collect::<Vec<Vec<String>>>()
        };
        assert_eq!(names("a[1] -> a[2] -> a[3] -> a[1], b <-> c"), names("(a[1] a[2] a[3])(b c) // a turn"));
        assert_eq!(names("p[1]:x ↔ p[2]:x"), [["p[1]:x", "p[2]:x"]]);
        assert!(parse_declared(" \n# nothing\n").unwrap().is_empty());
    }

    #[test]
    fn mistakes_have_a_place() {
        assert_eq!(refusal("\n(a b"), "2:1: this cycle is not closed");
        assert_eq!(refusal("(a b) c"), "1:7: `c` stands outside of all cycles");
        assert_eq!(refusal("(a a)"), "1:4: `a` stands here twice");
        assert_eq!(refusal("a -> b"), "1:1: a cycle ends with what it began with: a -> b -> c -> a");
        assert_eq!(refusal("a <-> b <-> c"), "1:1: `<->` exchanges two things");
        assert_eq!(refusal("a b"), "1:3: an arrow or a comma is expected before `b`");
        assert_eq!(refusal("a <->"), "1:6: a name is expected behind an arrow");
    }
}
