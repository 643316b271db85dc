//! The check of a certificate: every successor of every listed state is listed, up to a symmetry, and no listed state is bad.
//!
//! What the checker computes itself: the machine of the model's text, the initial state, the successors of each listed state. What the certificate adds:
//! which states, and for a successor that is not listed the renaming that makes it a listed one. Each renaming is proven to be a symmetry, or is a
//! product of such.

use std::io::Read;
use std::sync::Arc;

use machine::Machine;
use machine::interpret::{Interpreter, Successors};
use machine::state::State;

use crate::file::{Blocks, Reader, Tag};
use crate::kinds::Kinds;
use crate::listing::{Listing, is_well_formed};
use crate::prover::Prover;
use crate::region::Region;
use crate::renaming::{Action, Renaming};
use crate::{Accepted, Rejection};

/// The most slots of all renamings together.
const MOST_SLOTS: usize = 1 << 28;

/// The name of the property that assertions, run-time errors and end states are.
pub const SAFETY: &str = "safety";

/// What a certificate proves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proved {
    /// The name of the property.
    pub property: String,
    /// The states listed.
    pub states: usize,
    /// The transitions executed.
    pub transitions: u64,
    /// The renamings that were compared with the program, and those that are products of such.
    pub renamings: (usize, usize),
}

/// A model as the checker reads it.
#[derive(Clone, Debug)]
pub struct Model {
    /// The machine.
    pub machine: Arc<Machine>,
    /// What tells texts apart.
    pub digest: String,
}

/// Checks a whole certificate: one section for each property.
///
/// # Errors
/// When something in it is not proven.
pub fn check(model: &Model, certificate: impl Read) -> Accepted<Vec<Proved>> {
    if model.machine.features.embedded_c || !model.machine.code.pieces.is_empty() {
        return Err(Rejection::new("models with embedded C are not certified: the interpreter does not run it"));
    }
    let mut blocks = Blocks::new(certificate)?;
    let mut proved: Vec<Proved> = Vec::new();
    while blocks.peek()? == Tag::Property {
        let section = section(model, &mut blocks)?;
        if proved.iter().any(|earlier| earlier.property == section.property) {
            return Err(Rejection::new("a property is proven twice"));
        }
        proved.push(section);
    }
    let end = blocks.expect(Tag::End)?;
    let mut end = Reader::new(&end);
    let count = end.number()?;
    if count != proved.len() as u64 || !end.is_at_end() || !blocks.is_at_end().unwrap_or(false) {
        return Err(Rejection::new("the file does not end where it should"));
    }
    match proved.is_empty() {
        true => Err(Rejection::new("the certificate proves nothing")),
        false => Ok(proved),
    }
}

/// One property.
fn section<R: Read>(model: &Model, blocks: &mut Blocks<R>) -> Accepted<Proved> {
    let head = blocks.expect(Tag::Property)?;
    let mut head = Reader::new(&head);
    let (property, digest) = (head.text()?, head.text()?);
    if digest != model.digest {
        return Err(Rejection::new("it was made for another model, or for other definitions of its macros"));
    }
    if property != SAFETY {
        return Err(Rejection::new(format!("there is no property {property} that can be certified")));
    }
    let group = match blocks.peek()? {
        Tag::Group => {
            let block = blocks.next()?.1;
            let mut reader = Reader::new(&block);
            let kinds = Kinds::read(&mut reader, &model.machine)?;
            let region = Region::new(&model.machine, kinds)?;
            let symmetries = Symmetries::read(&mut reader, &region)?;
            Some((region, symmetries))
        }
        _ => None,
    };
    let listing = listing(&model.machine, blocks)?;
    let mut closure = Closure {
        machine: &model.machine,
        group: group.as_ref(),
        listing: &listing,
        witnesses: Witnesses { blocks, block: Vec::new(), at: 0 },
        transitions: 0,
    };
    closure.check()?;
    let transitions = closure.transitions;
    let renamings = group
        .as_ref()
        .map_or((0, 0), |(_, symmetries)| (symmetries.proven, symmetries.actions.len() - symmetries.proven));
    Ok(Proved { property, states: listing.count(), transitions, renamings })
}

fn listing<R: Read>(machine: &Machine, blocks: &mut Blocks<R>) -> Accepted<Listing> {
    let mut listing = Listing::default();
    while blocks.peek()? == Tag::States {
        listing.read(&blocks.next()?.1)?;
    }
    let are_states = listing.iter().all(|state| is_well_formed(machine, state));
    match are_states {
        true => Ok(listing),
        false => Err(Rejection::new("a listed state is no state of the model")),
    }
}

/// Renamings that are symmetries.
struct Symmetries {
    actions: Vec<Action>,
    /// How many of them were compared with the program; the others are products.
    proven: usize,
}

impl Symmetries {
    /// Reads renamings, and proves that they are symmetries.
    fn read(reader: &mut Reader<'_>, region: &Region) -> Accepted<Symmetries> {
        let prover = Prover::new(region, &[])?;
        let most = MOST_SLOTS / region.slots.len().max(1);
        let mut actions: Vec<Action> = Vec::new();
        let proven = reader.below(most)?;
        for _ in 0..proven {
            let renaming = Renaming::read(reader, region)?;
            prover.prove(&renaming)?;
            actions.push(renaming.action(region));
        }
        for _ in 0..reader.below(most)? {
            let (first, next) = (reader.below(actions.len())?, reader.below(actions.len())?);
            actions.push(actions[first].renaming().then(actions[next].renaming()).action(region));
        }
        match reader.is_at_end() {
            true => Ok(Symmetries { actions, proven }),
            false => Err(Rejection::new("a block is longer than it should be")),
        }
    }
}

/// The renamings of successors that are not listed themselves, in their order.
struct Witnesses<'b, R> {
    blocks: &'b mut Blocks<R>,
    block: Vec<u8>,
    at: usize,
}

impl<R: Read> Witnesses<'_, R> {
    fn next(&mut self) -> Accepted<usize> {
        if self.at == self.block.len() {
            if self.blocks.peek()? != Tag::Witnesses {
                return Err(Rejection::new("a successor of a listed state is not listed"));
            }
            (self.block, self.at) = (self.blocks.next()?.1, 0);
        }
        let mut reader = Reader::new(&self.block[self.at..]);
        let number = reader.below(usize::MAX)?;
        self.at = self.block.len() - reader.left();
        Ok(number)
    }

    fn is_at_end(&mut self) -> Accepted<bool> {
        Ok(self.at == self.block.len() && self.blocks.peek()? != Tag::Witnesses)
    }
}

/// The check of the listed states.
struct Closure<'c, 'b, R> {
    machine: &'c Arc<Machine>,
    group: Option<&'c (Region, Symmetries)>,
    listing: &'c Listing,
    witnesses: Witnesses<'b, R>,
    transitions: u64,
}

impl<R: Read> Closure<'_, '_, R> {
    fn check(&mut self) -> Accepted<()> {
        let initial = Interpreter::new(self.machine).initial();
        let initial = initial.map_err(|error| Rejection::new(format!("no initial state: {}", error.message)))?;
        self.cover(initial.bytes())?;
        for state in self.listing.iter() {
            let (machine, successors) = self.successors(state);
            refuse_errors(machine, state, &successors)?;
            self.transitions += successors.transitions.len() as u64;
            for target in targets(&successors) {
                self.cover(target)?;
            }
        }
        match self.witnesses.is_at_end()? {
            true => Ok(()),
            false => Err(Rejection::new("there are more witnesses than successors")),
        }
    }

    /// What follows a listed state: in the region of the group processes stay at their end.
    fn successors(&self, state: &[u8]) -> (&Machine, Successors) {
        let machine = match self.group {
            Some((region, _)) if region.contains(state) => &region.without_deaths,
            _ => self.machine,
        };
        (machine, Interpreter::new(machine).successors(&State::from_bytes(state)))
    }

    /// A state must be listed, or a renaming must make it a listed one.
    fn cover(&mut self, target: &[u8]) -> Accepted<usize> {
        if let Some(number) = self.listing.find(target) {
            return Ok(number);
        }
        let not_listed = || Rejection::new("a successor of a listed state is not listed");
        let Some((region, symmetries)) = self.group.filter(|(region, _)| region.contains(target)) else {
            return Err(not_listed());
        };
        let witness = self.witnesses.next()?;
        let action = symmetries.actions.get(witness).ok_or_else(|| Rejection::new("a witness is no renaming"))?;
        self.listing.find(&action.apply(region, target)).ok_or_else(not_listed)
    }
}

/// The states that transitions lead to, in increasing order, each once.
#[must_use]
pub fn targets(successors: &Successors) -> Vec<&[u8]> {
    let mut targets: Vec<&[u8]> = successors.transitions.iter().map(|each| each.target.bytes()).collect();
    targets.sort_unstable_by_key(|&target| (target.len(), target));
    targets.dedup();
    targets
}

/// A listed state must not be bad.
fn refuse_errors(machine: &Machine, state: &[u8], successors: &Successors) -> Accepted<()> {
    if let Some(failure) = successors.errors.first() {
        return Err(Rejection::new(format!("a listed state has an error: {}", failure.error.message)));
    }
    if successors.endless_atomic || successors.cut_atomic {
        return Err(Rejection::new("an `atomic` sequence has no end"));
    }
    let is_stuck = successors.is_final && !Interpreter::new(machine).is_valid_end(&State::from_bytes(state));
    if is_stuck { Err(Rejection::new("a listed state is an invalid end state")) } else { Ok(()) }
}
