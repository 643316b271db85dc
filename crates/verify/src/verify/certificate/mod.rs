//! Certificates: what a search that says "holds" has to hand over, so that `isospin-certify` can see it for itself.
//!
//! ```text
//! detection ── group ──▶ generators that the checker can prove ──▶ search ── recorded ──▶ states ── witness ──▶ section of a certificate
//! ```
//! A certified search uses no reduction but those symmetries, since the checker can justify no other. Its states are written down as it expands them. Afterwards
//! every successor is generated again, and for each that is no listed state an element of the group is found that makes it one. If there is none,
//! the search is repeated without symmetry; and if even then a successor is missing, what the search said is not believed.

mod flow;
mod group;
mod recorded;
mod witness;

use std::sync::Arc;

use certify::check::SAFETY;
use certify::file::{MAGIC, Tag, Writer};
use certify::listing::Listing;
use system::{Arena, System};

pub(super) use self::group::{CertifiedGroup, Provable};
pub(super) use self::recorded::{Recorded, States};
use self::witness::Finder;
use super::{Finding, NoCertificate, Verdict};

/// So many bytes of witnesses make a block.
const WITNESS_BYTES: usize = 1 << 20;

/// The part of a certificate that is about one property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    bytes: Arc<[u8]>,
    /// The states listed.
    pub states: usize,
    /// The transitions between them, as a checker executes them.
    pub transitions: u64,
}

impl Certificate {
    /// How many bytes it takes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// The file of these parts.
    #[must_use]
    pub fn file(parts: &[&Certificate]) -> Vec<u8> {
        let mut end = Writer::default();
        end.number(parts.len() as u64);
        let mut file = MAGIC.to_vec();
        parts.iter().for_each(|part| file.extend_from_slice(&part.bytes));
        file.extend_from_slice(&end.block(Tag::End));
        file
    }
}

/// The certificate of safety for states that a search has expanded.
///
/// # Errors
/// When they are not closed under successors, up to the group: the search has left something out.
pub(super) fn of_safety(
    digest: &str,
    states: &States,
    system: &mut dyn System,
    group: Option<&CertifiedGroup>,
) -> Result<Certificate, String> {
    let listing = Listing::of(states.take());
    let mut covering =
        Covering { listing: &listing, finder: group.map(Finder::new).transpose()?, witnesses: Vec::new() };
    let mut initial = Vec::new();
    system.initial(&mut initial);
    covering.cover(&initial)?;
    let mut transitions = 0;
    let mut arena = Arena::new();
    for state in listing.iter() {
        system.successors(state, &mut arena);
        transitions += arena.len() as u64;
        let mut targets: Vec<&[u8]> = arena.targets().collect();
        targets.sort_unstable_by_key(|&target| (target.len(), target));
        targets.dedup();
        targets.into_iter().try_for_each(|target| covering.cover(target))?;
    }
    let bytes = covering.section(SAFETY, digest).into();
    Ok(Certificate { bytes, states: listing.count(), transitions })
}

/// Why a finding has no certificate, if so.
pub(super) fn none_for(finding: &Finding) -> Option<NoCertificate> {
    match (&finding.verdict, finding.complete) {
        (Verdict::Holds, true) => None,
        (Verdict::Holds, false) => Some(NoCertificate::EndlessAtomic),
        _ => Some(NoCertificate::NotHolding),
    }
}

/// States that are to be listed, up to a group.
struct Covering<'c> {
    listing: &'c Listing,
    finder: Option<Finder<'c>>,
    witnesses: Vec<usize>,
}

impl Covering<'_> {
    fn cover(&mut self, target: &[u8]) -> Result<(), String> {
        if self.listing.find(target).is_some() {
            return Ok(());
        }
        let witness = self.finder.as_mut().and_then(|finder| finder.find(target, self.listing));
        self.witnesses
            .push(witness.ok_or("a state was left out that can be reached in one step from one that was not")?);
        Ok(())
    }

    fn section(&mut self, property: &str, digest: &str) -> Vec<u8> {
        let mut head = Writer::default();
        head.text(property);
        head.text(digest);
        let mut bytes = head.block(Tag::Property);
        if let Some(finder) = &self.finder {
            bytes.extend_from_slice(&finder.write(&mut self.witnesses).block(Tag::Group));
        }
        self.listing.write().for_each(|block| bytes.extend_from_slice(&block.block(Tag::States)));
        let mut block = Writer::default();
        for &witness in &self.witnesses {
            block.number(witness as u64);
            if block.len() >= WITNESS_BYTES {
                bytes.extend_from_slice(&std::mem::take(&mut block).block(Tag::Witnesses));
            }
        }
        if !block.is_empty() {
            bytes.extend_from_slice(&block.block(Tag::Witnesses));
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use machine::Machine;
    use machine::generate::InterpretedGenerator;
    use symmetry::Strategy;
    use symmetry::orbits::Orbits;

    use super::{Provable, Recorded, States, of_safety};
    use system::{Arena, System};

    fn lock() -> Arc<Machine> {
        let text = "byte n; active [3] proctype P() { do :: atomic { n < 2 -> n++ }; n-- od }";
        let model = promela::load_text("m.pml", text, &promela::Options::default()).model.expect("it is correct");
        Arc::new(machine::lower(&model))
    }

    /// Visits all states of a system.
    fn visit(mut system: impl System) {
        let (mut initial, mut arena) = (Vec::new(), Arena::new());
        system.initial(&mut initial);
        let (mut seen, mut waiting) = (std::collections::HashSet::from([initial.clone()]), vec![initial]);
        while let Some(state) = waiting.pop() {
            system.successors(&state, &mut arena);
            waiting.extend(arena.targets().filter(|&target| seen.insert(target.to_vec())).map(<[u8]>::to_vec));
        }
    }

    #[test]
    fn a_store_that_loses_a_state_is_noticed() {
        let machine = lock();
        let engine = || InterpretedGenerator::new(machine.clone()).expect("it can be executed");
        let states = States::default();
        visit(Recorded::new(engine(), &states));
        let all = states.take();
        let certificate = |some: Vec<Box<[u8]>>| {
            let states = States::default();
            some.iter().for_each(|state| states.add(state));
            of_safety("", &states, &mut engine(), None)
        };
        assert_eq!(certificate(all.clone()).map(|each| each.states), Ok(all.len()));
        for lost in 0..all.len() {
            let mut some = all.clone();
            some.remove(lost);
            assert!(certificate(some).is_err(), "{lost}");
        }
    }

    #[test]
    fn a_wrong_representative_is_noticed() {
        let machine = lock();
        let engine = || InterpretedGenerator::new(machine.clone()).expect("it can be executed");
        let group = Provable::of(&machine, Strategy::Exact, None, &[]).group.expect("processes may be exchanged");
        let states = States::default();
        visit(Recorded::new(Orbits::new(engine(), &group.symmetry, 0), &states));
        let all = states.take();
        let certificate = |some: Vec<Box<[u8]>>| {
            let states = States::default();
            some.iter().for_each(|state| states.add(state));
            of_safety("", &states, &mut engine(), Some(&group))
        };
        assert_eq!(certificate(all.clone()).map(|each| each.states), Ok(all.len()));
        for wrong in 0..all.len() {
            let mut some = all.clone();
            // The counter is the same for all states of an orbit.
            some[wrong][1] ^= 1;
            assert!(certificate(some).is_err(), "{wrong}");
        }
    }
}
