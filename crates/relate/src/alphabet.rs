//! Events: what an observer sees of a step, as numbers that both sides of a comparison share.

use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;

/// The number of an event in an [`Alphabet`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Event(pub u32);

impl Event {
    /// τ: a step of which nothing is seen.
    pub const INTERNAL: Event = Event(0);

    /// Is something seen of it?
    #[inline]
    #[must_use]
    pub fn is_visible(self) -> bool {
        self != Event::INTERNAL
    }
}

/// The names of events. Clones share one alphabet, and several workers may add to it at a time.
#[derive(Clone, Debug)]
pub struct Alphabet {
    names: Arc<RwLock<Names>>,
}

#[derive(Debug)]
struct Names {
    by_name: FxHashMap<Arc<str>, Event>,
    names: Vec<Arc<str>>,
}

/// How the internal event is written.
const INTERNAL: &str = "τ";

impl Alphabet {
    /// An alphabet with the internal event alone.
    #[must_use]
    pub fn new() -> Alphabet {
        let names = Names { by_name: FxHashMap::default(), names: vec![INTERNAL.into()] };
        Alphabet { names: Arc::new(RwLock::new(names)) }
    }

    /// The visible event of this name, a new one if need be. A caller that meets few events again and again keeps their numbers.
    #[must_use]
    pub fn event(&self, name: &str) -> Event {
        let known = self.names.read().unwrap_or_else(PoisonError::into_inner).by_name.get(name).copied();
        known.unwrap_or_else(|| self.add(name))
    }

    fn add(&self, name: &str) -> Event {
        let mut all = self.names.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(&event) = all.by_name.get(name) {
            return event;
        }
        let event = Event(u32::try_from(all.names.len()).expect("fewer events than there are bytes of memory"));
        let name: Arc<str> = name.into();
        all.names.push(Arc::clone(&name));
        all.by_name.insert(name, event);
        event
    }

    /// The name of an event; `τ` for the internal one.
    #[must_use]
    pub fn name(&self, event: Event) -> Arc<str> {
        let all = self.names.read().unwrap_or_else(PoisonError::into_inner);
        all.names.get(event.0 as usize).map_or_else(|| format!("event {}", event.0).into(), Arc::clone)
    }

    /// How many events there are, the internal one among them.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.read().unwrap_or_else(PoisonError::into_inner).names.len()
    }

    /// Is no event visible?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 1
    }
}

impl Default for Alphabet {
    fn default() -> Alphabet {
        Alphabet::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_has_one_number_and_the_internal_one_has_none_but_zero() {
        let alphabet = Alphabet::new();
        let (a, b) = (alphabet.event("IN!1"), alphabet.clone().event("OUT!1"));
        assert_ne!(a, b);
        assert_eq!(alphabet.event("IN!1"), a);
        assert_eq!(&*alphabet.name(b), "OUT!1");
        assert_eq!(&*alphabet.name(Event::INTERNAL), "τ");
        // A visible event may be spelled like the internal one; it is another event all the same.
        assert!(alphabet.event("τ").is_visible());
    }
}
