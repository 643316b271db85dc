//! The records of a store, by their width, and how a worker finds them.

use super::form::{Leaf, PAIRS, Width};
use super::nodes::{Content, NodeId, Nodes, Spare};
use super::recent::Recent;
use crate::store::growing::Inside;
use crate::store::memory::Budget;
use crate::store::mix::hash_words;
use crate::store::sync::Arc;

/// All records of a store: nodes, and leaves of each width.
pub(super) struct Tables {
    pub nodes: Nodes<1>,
    pub two: Nodes<2>,
    pub three: Nodes<3>,
    pub four: Nodes<4>,
}

impl Tables {
    pub fn new(budget: &Arc<Budget>) -> Tables {
        Tables {
            nodes: Nodes::new(budget),
            two: Nodes::new(budget),
            three: Nodes::new(budget),
            four: Nodes::new(budget),
        }
    }

    /// What a leaf says.
    #[inline]
    pub fn leaf(&self, width: Width, id: NodeId) -> Leaf {
        match width {
            Width::Two => widened(self.two.get(id)),
            Width::Three => widened(self.three.get(id)),
            Width::Four => self.four.get(id),
        }
    }

    /// Takes back what a worker has reserved and not used.
    pub fn give_back(&self, finders: &mut Finders) {
        self.nodes.give_back(std::mem::take(&mut finders.nodes.spare));
        self.two.give_back(std::mem::take(&mut finders.two.spare));
        self.three.give_back(std::mem::take(&mut finders.three.spare));
        self.four.give_back(std::mem::take(&mut finders.four.spare));
    }
}

/// The first words of a leaf are all it has.
#[inline]
pub(super) fn narrowed<const W: usize>(leaf: &Leaf) -> Content<W> {
    let mut content = [0; W];
    content.copy_from_slice(&leaf[..W.min(PAIRS)]);
    content
}

#[inline]
fn widened<const W: usize>(content: Content<W>) -> Leaf {
    let mut leaf = Leaf::default();
    leaf[..W].copy_from_slice(&content);
    leaf
}

/// What a worker needs to find records of all widths.
pub(super) struct Finders {
    pub nodes: Finder<1>,
    pub two: Finder<2>,
    pub three: Finder<3>,
    pub four: Finder<4>,
}

impl Finders {
    pub fn new(budget: &Arc<Budget>) -> Finders {
        Finders {
            nodes: Finder::new(budget),
            two: Finder::new(budget),
            three: Finder::new(budget),
            four: Finder::new(budget),
        }
    }

    /// The number of a leaf, which is stored then; `None` if there is no memory for it.
    pub fn leaf(&mut self, width: Width, leaf: &Leaf, tables: &Tables, inside: &mut Inside<'_>) -> Option<NodeId> {
        match width {
            Width::Two => self.two.find(&narrowed(leaf), &tables.two, inside),
            Width::Three => self.three.find(&narrowed(leaf), &tables.three, inside),
            Width::Four => self.four.find(leaf, &tables.four, inside),
        }
    }
}

/// What a worker needs to find records of `W` words.
pub(super) struct Finder<const W: usize> {
    recent: Recent<W>,
    spare: Spare,
}

/// Why a record is not found.
pub(super) enum Stop {
    /// It is not near, and was asked for.
    Later,
    /// There is no memory for it.
    Full,
}

impl<const W: usize> Finder<W> {
    fn new(budget: &Arc<Budget>) -> Finder<W> {
        Finder { recent: Recent::new(budget), spare: Spare::default() }
    }

    /// The number of a record, which is stored then; `None` if there is no memory for it.
    #[inline]
    pub fn find(&mut self, content: &Content<W>, nodes: &Nodes<W>, inside: &mut Inside<'_>) -> Option<NodeId> {
        let hash = hash_words(content);
        self.recent.get(content, hash).or_else(|| self.find_far(content, hash, nodes, inside))
    }

    /// The same; but what is far is first asked for: `asked` has the bit `position` if it was already.
    #[inline]
    pub fn find_or_ask(
        &mut self,
        content: &Content<W>,
        position: u32,
        asked: &mut u64,
        nodes: &Nodes<W>,
        inside: &mut Inside<'_>,
    ) -> Result<NodeId, Stop> {
        let hash = hash_words(content);
        match self.recent.get(content, hash) {
            Some(id) => Ok(id),
            None => self.ask(content, hash, position, asked, nodes, inside),
        }
    }

    #[inline(never)]
    fn ask(
        &mut self,
        content: &Content<W>,
        hash: u64,
        position: u32,
        asked: &mut u64,
        nodes: &Nodes<W>,
        inside: &mut Inside<'_>,
    ) -> Result<NodeId, Stop> {
        let bit = 1 << (position % u64::BITS);
        if *asked & bit == 0 && Nodes::<W>::are_far(&self.spare) {
            *asked |= bit;
            nodes.prefetch(hash, inside);
            return Err(Stop::Later);
        }
        self.find_far(content, hash, nodes, inside).ok_or(Stop::Full)
    }

    fn find_far(
        &mut self,
        content: &Content<W>,
        hash: u64,
        nodes: &Nodes<W>,
        inside: &mut Inside<'_>,
    ) -> Option<NodeId> {
        let id = nodes.cons(content, hash, &mut self.spare, inside)?;
        self.recent.remember(content, hash, id);
        Some(id)
    }
}
