//! The way to the states that a worker was given: a list that grows at its end, and shares what two lists have in common.
//!
//! Work is given away again and again from a stack that may be a million states deep; copying the way each time would take
//! all the time there is.

use std::sync::Arc;

use crate::store::Charge;

/// States from the initial one on, in pieces.
pub(super) struct Path<E> {
    last: Option<Arc<Piece<E>>>,
}

struct Piece<E> {
    before: Option<Arc<Piece<E>>>,
    states: E,
    /// How many states there are up to the end of this piece.
    len: usize,
    /// What it takes of the store's memory.
    _charge: Option<Charge>,
}

impl<E> Path<E> {
    pub fn len(&self) -> usize {
        self.last.as_ref().map_or(0, |piece| piece.len)
    }

    /// The path with so many states more at its end, for whose memory was paid.
    pub fn followed_by(&self, states: E, count: usize, charge: Option<Charge>) -> Path<E> {
        match count {
            0 => self.clone(),
            _ => {
                let piece = Piece { before: self.last.clone(), states, len: self.len() + count, _charge: charge };
                Path { last: Some(Arc::new(piece)) }
            }
        }
    }

    /// Its pieces from the initial state on, and how many states each has.
    pub fn pieces(&self) -> impl Iterator<Item = (&E, usize)> {
        let mut pieces = Vec::new();
        let mut last = self.last.as_deref();
        while let Some(piece) = last {
            last = piece.before.as_deref();
            pieces.push((&piece.states, piece.len - last.map_or(0, |before| before.len)));
        }
        pieces.into_iter().rev()
    }
}

impl<E> Default for Path<E> {
    fn default() -> Path<E> {
        Path { last: None }
    }
}

impl<E> Clone for Path<E> {
    fn clone(&self) -> Path<E> {
        Path { last: self.last.clone() }
    }
}

impl<E> Drop for Piece<E> {
    /// One piece after the other: a call for each would need a stack as deep as there are pieces.
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(mut piece) = before.and_then(Arc::into_inner) {
            before = piece.before.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Path;

    fn states(path: &Path<Vec<u32>>) -> Vec<u32> {
        path.pieces().flat_map(|(states, count)| states[..count].to_vec()).collect()
    }

    #[test]
    fn paths_share_their_beginnings() {
        let first = Path::default().followed_by(vec![1, 2], 2, None);
        let (left, right) = (first.followed_by(vec![3], 1, None), first.followed_by(vec![4, 5], 2, None));
        assert_eq!((states(&first), states(&left), states(&right)), (vec![1, 2], vec![1, 2, 3], vec![1, 2, 4, 5]));
        assert_eq!((first.len(), left.len(), right.len()), (2, 3, 4));
        assert_eq!(states(&first.followed_by(vec![], 0, None)), [1, 2]);
    }

    #[test]
    fn a_path_of_many_pieces_can_be_dropped() {
        let mut path = Path::default();
        for state in 0..1_000_000 {
            path = path.followed_by(vec![state], 1, None);
        }
        assert_eq!(path.len(), 1_000_000);
    }
}
