//! Choices that users make by a word: one table for the command line, saved searches and reports.

use machine::claim::Fairness;

use super::options::{Engine, Heuristic, Order, Store, Switch};

/// A value with a word of its own.
pub trait Choice: Copy + PartialEq + Send + Sync + 'static {
    /// Every value, with its word and what it means.
    const TABLE: &'static [(Self, &'static str, &'static str)];

    /// Its word.
    #[must_use]
    fn word(self) -> &'static str {
        let found = Self::TABLE.iter().find(|(value, ..)| *value == self);
        found.map(|(_, word, _)| *word).unwrap_or_default()
    }

    /// The value of a word.
    #[must_use]
    fn of_word(word: &str) -> Option<Self> {
        Self::TABLE.iter().find(|(_, known, _)| *known == word).map(|(value, ..)| *value)
    }
}

impl Choice for Store {
    const TABLE: &'static [(Store, &'static str, &'static str)] = &[
        (Store::Tree, "tree", "Lossless, compressed"),
        (Store::Plain, "plain", "Lossless, as they are"),
        (Store::Bitstate, "bitstate", "Three bits in a field of all the memory allowed"),
        (Store::Compact, "compact", "A 61-bit fingerprint each"),
    ];
}

impl Choice for Order {
    const TABLE: &'static [(Order, &'static str, &'static str)] = &[
        (Order::DepthFirst, "dfs", "Depth first"),
        (Order::BreadthFirst, "bfs", "Breadth first"),
        (Order::BestFirst, "best-first", "Nearest first by an estimate"),
        (
            Order::AStar,
            "astar",
            "Nearest first by depth and estimate together, without partial order and merging unless asked for",
        ),
        (
            Order::Deepening,
            "ida",
            "Depth first up to a bound of depth and estimate together, which grows until a violation is found; also with --store bitstate",
        ),
        (
            Order::Beam,
            "beam",
            "Breadth first, of each level the nearest states only: `unknown` unless a violation is found",
        ),
        (
            Order::Walk,
            "walk",
            "Random walks that prefer rare statements, for 10 s unless limited otherwise: `unknown` unless a violation is found",
        ),
    ];
}

impl Choice for Heuristic {
    const TABLE: &'static [(Heuristic, &'static str, &'static str)] = &[
        (Heuristic::Auto, "auto", "What fits the property"),
        (
            Heuristic::Assertions,
            "assertions",
            "Control flow to an assertion, and how far its condition is from failing",
        ),
        (Heuristic::Active, "active", "The number of processes that can move: towards deadlocks"),
        (
            Heuristic::Blocked,
            "blocked",
            "How far processes are from having to wait, at labels `danger...` if there are: towards deadlocks",
        ),
        (Heuristic::Goal, "goal", "How far the parts of the --goal are from being true"),
        (Heuristic::Claim, "claim", "How far a formula or claim about infinite runs is from being violated"),
        (Heuristic::Coverage, "coverage", "Rare control locations first"),
        (Heuristic::Bound, "bound", "A lower bound of the distance to any violation, or to the --goal"),
    ];
}

impl Choice for Engine {
    const TABLE: &'static [(Engine, &'static str, &'static str)] = &[
        (Engine::Compiled, "jit", "Native code made for the model"),
        (Engine::Interpreter, "interpreter", "The reference interpreter"),
    ];
}

impl Choice for Switch {
    const TABLE: &'static [(Switch, &'static str, &'static str)] =
        &[(Switch::On, "on", "It is"), (Switch::Off, "off", "It is not")];
}

impl Choice for Fairness {
    const TABLE: &'static [(Fairness, &'static str, &'static str)] = &[
        (Fairness::None, "none", "All"),
        (Fairness::Weak, "weak", "Weakly fair ones"),
        (Fairness::Strong, "strong", "Strongly fair ones"),
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words_are_unique_and_come_back<C: Choice + std::fmt::Debug>() {
        for (value, word, _) in C::TABLE {
            assert_eq!((C::of_word(word), value.word()), (Some(*value), *word));
        }
        assert_eq!(C::of_word(""), None);
    }

    #[test]
    fn a_word_stands_for_one_value() {
        words_are_unique_and_come_back::<Store>();
        words_are_unique_and_come_back::<Order>();
        words_are_unique_and_come_back::<Heuristic>();
        words_are_unique_and_come_back::<Engine>();
        words_are_unique_and_come_back::<Switch>();
        words_are_unique_and_come_back::<Fairness>();
    }
}
