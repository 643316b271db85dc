//! What a process may touch in its next transition and in all later ones, by location.
//!
//! What can be touched from a location on is what is touched there and what can be touched from where it leads: one
//! union for each strongly connected component of the automaton, computed in the order in which Tarjan's algorithm (1972) finds
//! them, successors first. So a process costs time in proportion to its statements. Many locations touch the same, and
//! are of one class: what is computed for pairs of locations is computed for pairs of classes.

use rustc_hash::FxHashMap;

use super::conflict::Touched;
use super::processes::Station;

/// What a process touches, by location.
#[derive(Clone, Debug)]
pub(super) struct Reach {
    /// In its next transition.
    pub next: Classes,
    /// In all transitions from there on, its own and those of the processes that it creates.
    pub future: Classes,
}

/// Something for each location, of which many have the same.
#[derive(Clone, Debug)]
pub(super) struct Classes {
    of: Vec<u32>,
    distinct: Vec<Touched>,
}

impl Classes {
    fn new(all: impl Iterator<Item = Touched>) -> Classes {
        let mut known: FxHashMap<Touched, u32> = FxHashMap::default();
        let of = all.map(|touched| {
            let next = known.len() as u32;
            *known.entry(touched).or_insert(next)
        });
        let of = of.collect();
        let mut distinct: Vec<(Touched, u32)> = known.into_iter().collect();
        distinct.sort_unstable_by_key(|&(_, class)| class);
        Classes { of, distinct: distinct.into_iter().map(|(touched, _)| touched).collect() }
    }

    /// What there is at a location.
    pub fn at(&self, location: u32) -> &Touched {
        &self.distinct[self.class(location) as usize]
    }

    /// Which of the distinct ones that is.
    pub fn class(&self, location: u32) -> u32 {
        self.of[location as usize]
    }

    /// How many locations there are.
    pub fn locations(&self) -> u32 {
        self.of.len() as u32
    }

    /// All that are different.
    pub fn distinct(&self) -> &[Touched] {
        &self.distinct
    }
}

impl Reach {
    /// What is touched where at each location `here` is, and a process of each definition touches `lives`.
    pub fn new(stations: &[Station], here: &[Touched], lives: &[Touched]) -> Reach {
        let created = |location: usize, touched: &mut Touched| {
            stations[location].footprint.created.iter().for_each(|id| touched.merge(&lives[id.index()]));
        };
        let inside_atomic = Closure::new(stations, Follow::Atomic, |location| {
            let mut touched = here[location].watching();
            // A process created inside an `atomic` may take part in it, by a rendezvous.
            created(location, &mut touched);
            touched
        });
        let next = Classes::new((0..stations.len()).map(|location| {
            let mut touched = here[location].clone();
            let mut targets = targets(&stations[location], Follow::Atomic).peekable();
            if targets.peek().is_some() {
                created(location, &mut touched);
            }
            targets.for_each(|target| touched.merge(inside_atomic.at(target)));
            touched
        }));
        let future = Closure::new(stations, Follow::All, |location| {
            let mut touched = next.at(location as u32).clone();
            created(location, &mut touched);
            touched
        });
        let future = Classes::new((0..stations.len()).map(|location| future.at(location).clone()));
        Reach { next, future }
    }
}

/// Which steps are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Follow {
    All,
    /// Those after which the process still is inside an `atomic`.
    Atomic,
}

fn targets(station: &Station, follow: Follow) -> impl Iterator<Item = usize> {
    let targets = station.targets.iter();
    targets.filter(move |(_, atomic)| *atomic || follow == Follow::All).map(|(target, _)| target.index())
}

/// What is touched at a location and at all that can be reached from it.
struct Closure {
    /// By location.
    component: Vec<u32>,
    touched: Vec<Touched>,
}

/// A component that is not known yet.
const OPEN: u32 = u32::MAX;

impl Closure {
    fn at(&self, location: usize) -> &Touched {
        &self.touched[self.component[location] as usize]
    }

    fn new(stations: &[Station], follow: Follow, own: impl Fn(usize) -> Touched) -> Closure {
        let successors: Vec<Vec<usize>> = stations.iter().map(|station| targets(station, follow).collect()).collect();
        let mut closure = Closure { component: vec![OPEN; stations.len()], touched: Vec::new() };
        // When a location was found, from 1 on, and the earliest one on the stack that is known to be reached from it.
        let mut found = vec![0_u32; stations.len()];
        let mut lowest = vec![0_u32; stations.len()];
        let mut count = 0;
        let mut stack = Vec::new();
        for start in 0..stations.len() {
            let mut path = Vec::new();
            if found[start] == 0 {
                path.push((start, 0));
            }
            while let Some((location, followed)) = path.last_mut() {
                let location = *location;
                if *followed == 0 {
                    count += 1;
                    (found[location], lowest[location]) = (count, count);
                    stack.push(location);
                }
                if let Some(&target) = successors[location].get(*followed) {
                    *followed += 1;
                    if found[target] == 0 {
                        path.push((target, 0));
                    } else if closure.component[target] == OPEN {
                        lowest[location] = lowest[location].min(found[target]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    lowest[parent] = lowest[parent].min(lowest[location]);
                }
                if lowest[location] == found[location] {
                    let first = stack.iter().rposition(|&member| member == location).expect("a location on the stack");
                    closure.close(stack.drain(first..), &successors, &own);
                }
            }
        }
        closure
    }

    /// Makes a component of these locations. Those that they lead to are known.
    fn close(
        &mut self,
        members: impl Iterator<Item = usize>,
        successors: &[Vec<usize>],
        own: &impl Fn(usize) -> Touched,
    ) {
        let component = self.touched.len() as u32;
        let members: Vec<usize> = members.collect();
        members.iter().for_each(|&member| self.component[member] = component);
        let mut touched = Touched::default();
        let mut merged = component;
        for &member in &members {
            touched.merge(&own(member));
            for &target in &successors[member] {
                // Statements in a row mostly lead to the same one.
                let other = self.component[target];
                if other != component && std::mem::replace(&mut merged, other) != other {
                    touched.merge(&self.touched[other as usize]);
                }
            }
        }
        self.touched.push(touched);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::Location;
    use crate::random::Random;

    /// What can be reached in one step or more, one location at a time.
    fn reached(stations: &[Station], start: usize, follow: Follow) -> Vec<usize> {
        let mut seen = vec![false; stations.len()];
        let mut waiting: Vec<usize> = targets(&stations[start], follow).collect();
        while let Some(location) = waiting.pop() {
            if !std::mem::replace(&mut seen[location], true) {
                waiting.extend(targets(&stations[location], follow));
            }
        }
        (0..stations.len()).filter(|&location| seen[location]).collect()
    }

    #[test]
    fn the_future_is_what_a_walk_from_each_location_meets() {
        let mut random = Random::new(7);
        for _ in 0..300 {
            let count = 1 + random.below(12);
            let stations: Vec<Station> = (0..count)
                .map(|_| {
                    let edges = random.below(4);
                    let edge = |random: &mut Random| (Location(random.below(count) as u32), random.below(3) == 0);
                    Station { targets: (0..edges).map(|_| edge(&mut random)).collect(), ..Station::default() }
                })
                .collect();
            let mark = |location: usize| {
                let mut touched = Touched::default();
                touched.reads.insert(location * 40);
                touched
            };
            let here: Vec<Touched> = (0..count).map(mark).collect();
            let reach = Reach::new(&stations, &here, &[]);
            for location in 0..count {
                let mut next = mark(location);
                reached(&stations, location, Follow::Atomic).into_iter().for_each(|each| next.merge(&mark(each)));
                assert_eq!(*reach.next.at(location as u32), next, "{stations:?} from {location}");
                let mut future = next;
                for each in reached(&stations, location, Follow::All) {
                    future.merge(&mark(each));
                    reached(&stations, each, Follow::Atomic).into_iter().for_each(|inner| future.merge(&mark(inner)));
                }
                assert_eq!(*reach.future.at(location as u32), future, "{stations:?} from {location}");
            }
        }
    }

    #[test]
    fn a_process_of_a_hundred_thousand_statements_is_no_effort() {
        let count = 100_000;
        let stations: Vec<Station> = (0..count)
            .map(|index| Station {
                targets: vec![(Location((index + 1) % count), index % 2 == 0)],
                ..Station::default()
            })
            .collect();
        let reach = Reach::new(&stations, &vec![Touched::default(); count as usize], &[]);
        assert_eq!((reach.next.distinct().len(), reach.future.distinct().len()), (1, 1));
    }
}
