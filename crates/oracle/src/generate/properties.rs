//! Properties of infinite runs for random models: formulas about their variables, channels, places and processes, claims, and labels.

use super::{Features, Writer};
use crate::liveness::{Pair, Watched};
use crate::random::Random;

/// Every cycle passes a progress label, said by a claim.
const NON_PROGRESS: &str = "never { do :: true :: np_ -> break od; accept1: do :: np_ od }";

/// A model of a seed and a property of its infinite runs, one that SPIN is not asked about.
///
/// ```
/// let pair = oracle::generate::watched(1);
/// assert!(pair.text.contains("proctype"));
/// ```
#[must_use]
pub fn watched(seed: u64) -> Pair {
    let mut random = Random::new(seed.wrapping_mul(0x8ebc_6af0_9c88_c6e3));
    let features = match random.chance(50) {
        true => Features::draw_extended(&mut random),
        false => Features::draw(&mut random),
    };
    let mut writer = Writer::new(&mut random, features);
    let text = writer.model().to_string();
    // What the model's globals are is known; a formula has no locals.
    writer.locals.clear();
    writer.local_channels.clear();
    let labels = [("accept0:", Watched::Acceptance), ("progress0:", Watched::Progress)];
    let present = labels.into_iter().find(|(mark, _)| text.contains(mark));
    match (present, writer.random.below(6)) {
        (Some((_, property)), 0..=2) => Pair { text, property },
        (_, 5) => Pair { text: format!("{text}{NON_PROGRESS}\n"), property: Watched::Never },
        _ => {
            let formula = writer.formula(2);
            Pair { text: format!("{text}ltl p {{ {formula} }}\n"), property: Watched::Formula("p".into()) }
        }
    }
}

impl Writer<'_> {
    fn formula(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.chance(15) {
            return format!("({})", self.proposition());
        }
        let one = self.formula(depth - 1);
        match self.random.below(16) {
            0..=2 => format!("(<> {one})"),
            3..=5 => format!("([] {one})"),
            6 | 7 => format!("([] <> {one})"),
            8 | 9 => format!("(<> [] {one})"),
            10 => format!("(! {one})"),
            11 => format!("(X {one})"),
            binary => {
                let other = self.formula(depth - 1);
                let operators = [["U", "->"], ["W", "&&"], ["V", "||"], ["<->", "U"]];
                format!("({one} {} {other})", operators[binary - 12][self.random.below(2)])
            }
        }
    }

    fn proposition(&mut self) -> String {
        let channels: Vec<String> = self.channels.iter().map(|channel| channel.name.clone()).collect();
        match self.random.below(14) {
            0 if self.features.timeout => "timeout".into(),
            1 if self.features.remote => "P0@R".into(),
            2 if self.features.remote => "P0:log[1] == 1".into(),
            3 if self.features.predefined => "_last == 0".into(),
            4 if self.features.predefined => format!("_nr_pr < {}", self.random.between(2, 3)),
            5 | 6 => match self.random.pick(&channels) {
                Some(channel) => format!("len({channel}) == 0"),
                None => self.constant_condition(),
            },
            7 | 10 if self.features.extensions.control => "enabled(0)".into(),
            8 | 11 if self.features.extensions.control => "pc_value(0) > 2".into(),
            9 if self.features.extensions.names => "word == ma".into(),
            _ => self.constant_condition(),
        }
    }

    /// A comparison of a global, by a constant index, with a number: a formula has no `_pid`.
    fn constant_condition(&mut self) -> String {
        let globals = self.globals.clone();
        let Some(variable) = self.random.pick(&globals) else { return "true".to_string() };
        let element = match variable.length {
            Some(length) => format!("{}[{}]", variable.name, self.random.below(length)),
            None => variable.name.clone(),
        };
        format!("{element} {} {}", ["==", "!="][self.random.below(2)], self.random.below(variable.values))
    }
}
