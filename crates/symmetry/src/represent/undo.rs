//! What a reading of one state has to take back before the next: successors of a state are read one after the other, and each is
//! much like that state, not like the one before it.

use super::layout::Reference;
use super::objects::Object;

/// What was there before a state was read in passing.
#[derive(Clone, Debug, Default)]
pub(super) struct Undo {
    /// The objects that hold something else, or that others refer to in other slots, each once.
    pub(super) objects: Vec<ObjectChange>,
    is_listed: Vec<bool>,
    /// Slots of objects with what they held and referred to.
    pub(super) names: Vec<(u32, i32, Reference)>,
    /// Slots outside with what they referred to.
    pub(super) outside: Vec<(u32, Reference)>,
}

/// What an object was before.
#[derive(Clone, Copy, Debug)]
pub(super) struct ObjectChange {
    pub(super) object: Object,
    pub(super) key: u64,
    pub(super) kind: u32,
}

impl Undo {
    pub(super) fn new(objects: usize) -> Self {
        Self { is_listed: vec![false; objects], ..Self::default() }
    }

    /// Keeps what an object is, unless that has been done.
    #[inline]
    pub(super) fn note(&mut self, object: Object, key: u64, kind: u32) {
        if !std::mem::replace(&mut self.is_listed[object as usize], true) {
            self.objects.push(ObjectChange { object, key, kind });
        }
    }

    /// Calls with what each object was, and forgets it.
    pub(super) fn take_back(&mut self, mut call: impl FnMut(ObjectChange)) {
        for change in self.objects.drain(..) {
            self.is_listed[change.object as usize] = false;
            call(change);
        }
    }
}
