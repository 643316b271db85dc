//! A reduction of one's own, with its inverse: of two counters that nobody can tell apart, only the ordered pair is stored; the path that is found is
//! unwound to a run of the real system. `cargo run -p isospin --example quotient`

use explore::search::{Options, Order, Progress, search};
use explore::store::{Limits, PlainStore};
use system::unwind::Unwinder;
use system::{Arena, Extent, Fate, Label, System, leave_to_inner};

/// Two counters that go up by themselves, at most one apart. That both are at five is what is looked for.
#[derive(Clone)]
struct Counters;

impl System for Counters {
    fn initial(&mut self, into: &mut Vec<u8>) -> Fate {
        into.clear();
        into.extend([0, 0]);
        Fate::Open
    }

    fn successors(&mut self, state: &[u8], into: &mut Arena) {
        into.clear();
        into.signals_mut().errors = u32::from(state == [5, 5]);
        for counter in 0..2 {
            let mut target = [state[0], state[1]];
            target[counter] += 1;
            if target[0].abs_diff(target[1]) <= 1 {
                into.push(&target, Label::alone(counter as u8, 0));
            }
        }
    }
}

/// The layer: the smaller counter comes first.
struct Sorted<S>(S);

impl<S: System> System for Sorted<S> {
    leave_to_inner!(0: initial);

    fn successors(&mut self, state: &[u8], into: &mut Arena) {
        self.0.successors(state, into);
        (0..into.len()).for_each(|transition| into.target_mut(transition).sort_unstable());
    }

    fn reduced(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        self.successors(state, into);
        Extent::All
    }

    fn normalise(&mut self, state: &mut Vec<u8>) {
        state.sort_unstable();
    }
}

fn main() {
    let options = Options { order: Order::BreadthFirst, ..Options::default() };
    let store = || PlainStore::new(Limits::memory(1 << 20));
    let full = search(|| Counters, &store(), &options, &Progress::new());
    let reduced = search(|| Sorted(Counters), &store(), &options, &Progress::new());
    let path = reduced.path.expect("both can be at five");
    let run = Unwinder::new(Sorted(Counters), Counters).path(&path).expect("every stored path stands for a run");
    println!("{} states, {} up to order; the run: {run:?}", full.stored, reduced.stored);
    assert!(reduced.stored < full.stored);
    let mut successors = Arena::new();
    for pair in run.windows(2) {
        Counters.successors(&pair[0], &mut successors);
        assert!(successors.targets().any(|target| target == pair[1]), "it is a run of the counters themselves");
    }
}
