//! Forged certificates. What counts is that none is accepted of a model that is wrong; of a model that is right, that no state may be missing.

use certify::check::{Model, check};
use certify::file::{Blocks, MAGIC, Tag, Writer};
use certify::listing::Listing;
use isospin::verify::{Symmetry, Verdict};
use machine::random::Random;

use super::{certificate, certified, model};

/// A lock that works, and the same one where somebody forgets to look, forgets to count, or counts too far: the states look alike.
const RIGHT: &str =
    "byte n, t; active [3] proctype P() { do :: atomic { n == 0 -> n = 1; t = _pid }; assert(t == _pid); n = 0 od }";
const WRONG: [&str; 3] = [
    "byte n, t; active [3] proctype P() { do :: atomic { n <= 1 -> n = 1; t = _pid }; assert(t == _pid); n = 0 od }",
    "byte n, t; active [3] proctype P() { do :: atomic { n == 0 -> n = 0; t = _pid }; assert(t == _pid); n = 0 od }",
    "byte n, t; active [3] proctype P() { do :: atomic { n == 0 -> n = 1; t = _pid }; assert(t == 0); n = 0 od }",
];

/// The blocks of a certificate, unpacked.
type Unpacked = Vec<(Tag, Vec<u8>)>;

fn unpack(file: &[u8]) -> Unpacked {
    let mut blocks = Blocks::new(file).unwrap();
    let mut unpacked = Vec::new();
    while unpacked.last().is_none_or(|(tag, _)| *tag != Tag::End) {
        unpacked.push(blocks.next().unwrap());
    }
    unpacked
}

fn pack(blocks: &Unpacked) -> Vec<u8> {
    let mut file = MAGIC.to_vec();
    for (tag, bytes) in blocks {
        let mut writer = Writer::default();
        writer.bytes(bytes);
        file.extend_from_slice(&writer.block(*tag));
    }
    file
}

/// The same certificate, said to be of another model.
fn relabelled(file: &[u8], of: &Model) -> Unpacked {
    let mut blocks = unpack(file);
    let mut head = Writer::default();
    head.text("safety");
    head.text(&of.digest);
    let file = [MAGIC, &head.block(Tag::Property)].concat();
    blocks[0] = unpack_one(&file);
    blocks
}

fn unpack_one(file: &[u8]) -> (Tag, Vec<u8>) {
    Blocks::new(file).unwrap().next().unwrap()
}

/// The same with this listing.
fn with_states(blocks: &Unpacked, states: Vec<Box<[u8]>>) -> Unpacked {
    let mut forged = blocks.clone();
    let at = forged.iter().position(|(tag, _)| *tag == Tag::States).unwrap_or(0);
    forged.retain(|(tag, _)| *tag != Tag::States);
    for block in Listing::of(states).write() {
        forged.insert(at, unpack_one(&[MAGIC, &block.block(Tag::States)].concat()));
    }
    forged
}

/// The states listed, as far as they can be read.
fn states(blocks: &Unpacked) -> Vec<Box<[u8]>> {
    let mut listing = Listing::default();
    let blocks = blocks.iter().filter(|(tag, _)| *tag == Tag::States);
    let _ = blocks.map(|(_, bytes)| listing.read(bytes)).take_while(Result::is_ok).count();
    listing.iter().map(Into::into).collect()
}

/// Changes a certificate somewhere.
fn mutated(blocks: &Unpacked, random: &mut Random) -> Unpacked {
    let mut forged = blocks.clone();
    let mut below = |bound: usize| (random.next_u64() % bound.max(1) as u64) as usize;
    match below(8) {
        0 => drop(forged.remove(below(forged.len()))),
        1 => {
            let (one, other) = (below(forged.len()), below(forged.len()));
            forged.swap(one, other);
        }
        2 => {
            let mut states = states(&forged);
            let missing = below(states.len());
            states = states.into_iter().enumerate().filter(|(at, _)| *at != missing).map(|(_, state)| state).collect();
            forged = with_states(&forged, states);
        }
        3 => {
            let mut states = states(&forged);
            let at = below(states.len());
            if let Some(state) = states.get_mut(at) {
                let byte = below(state.len());
                state[byte] = below(8) as u8;
            }
            forged = with_states(&forged, states);
        }
        _ => {
            let at = below(forged.len());
            let bytes = &mut forged[at].1;
            for _ in 0..=below(3) {
                let (place, most) = (below(bytes.len()), [8, 256][below(2)]);
                match below(4) {
                    0 if !bytes.is_empty() => drop(bytes.remove(place)),
                    1 => bytes.insert(place, below(256) as u8),
                    2 if !bytes.is_empty() => bytes.truncate(place),
                    _ if !bytes.is_empty() => bytes[place] = below(most) as u8,
                    _ => {}
                }
            }
        }
    }
    forged
}

#[test]
fn no_forgery_proves_a_model_that_is_wrong() {
    let right = model(RIGHT);
    let mut random = Random::new(27);
    for symmetry in [Symmetry::Off, Symmetry::default()] {
        let honest = certificate(&right, symmetry);
        assert!(check(&right, &honest[..]).is_ok());
        for wrong in WRONG.map(model) {
            assert_eq!(certified(&wrong, symmetry).verdict, Verdict::Violated);
            let neighbour = relabelled(&honest, &wrong);
            assert!(check(&wrong, &honest[..]).is_err() && check(&wrong, &pack(&neighbour)[..]).is_err());
            for _ in 0..700 {
                let mut forged = mutated(&neighbour, &mut random);
                if random.next_u64().is_multiple_of(2) {
                    forged = mutated(&forged, &mut random);
                }
                assert!(check(&wrong, &pack(&forged)[..]).is_err());
            }
        }
    }
}

#[test]
fn of_a_model_that_is_right_no_state_may_be_missing() {
    let right = model(RIGHT);
    for symmetry in [Symmetry::Off, Symmetry::default()] {
        let blocks = unpack(&certificate(&right, symmetry));
        let all = states(&blocks);
        assert!(check(&right, &pack(&with_states(&blocks, all.clone()))[..]).is_ok());
        for missing in 0..all.len() {
            let mut some = all.clone();
            some.remove(missing);
            assert!(check(&right, &pack(&with_states(&blocks, some))[..]).is_err(), "{symmetry:?} {missing}");
        }
    }
}

#[test]
fn damaged_files_are_refused_without_a_panic() {
    let right = model(RIGHT);
    let honest = certificate(&right, Symmetry::default());
    for length in 0..honest.len() {
        assert!(check(&right, &honest[..length]).is_err(), "{length}");
    }
    let longer = [&honest[..], &[0]].concat();
    assert!(check(&right, &longer[..]).is_err());
    // What is accepted all the same differs in how it is packed only, or lists the same in other words.
    let mut random = Random::new(3);
    for _ in 0..2000 {
        let mut damaged = honest.clone();
        let at = (random.next_u64() % damaged.len() as u64) as usize;
        damaged[at] ^= 1 << (random.next_u64() % 8);
        let _ = check(&right, &damaged[..]);
        let _ = check(&right, &pack(&mutated(&unpack(&honest), &mut random))[..]);
    }
}

#[test]
fn what_nobody_proves_is_not_proven() {
    let right = model(RIGHT);
    let mut end = Writer::default();
    end.number(0);
    assert!(check(&right, &[MAGIC, &end.block(Tag::End)].concat()[..]).is_err(), "no property");
    let blocks = unpack(&certificate(&right, Symmetry::Off));
    assert!(check(&right, &pack(&with_states(&blocks, Vec::new()))[..]).is_err(), "no states");
    let twice = [&blocks[..blocks.len() - 1], &blocks[..]].concat();
    assert!(check(&right, &pack(&twice)[..]).is_err(), "the same twice");
    let mut head = Writer::default();
    head.text("liveness");
    head.text(&right.digest);
    let mut other = blocks.clone();
    other[0] = unpack_one(&[MAGIC, &head.block(Tag::Property)].concat());
    assert!(check(&right, &pack(&other)[..]).is_err(), "a property that the model does not have");
}

#[test]
fn a_symmetry_of_another_model_does_not_serve() {
    // Up to the exchange of processes 0 and 1 the same states are reached, but process 0 alone fails.
    let right = model("byte n; active [2] proctype P() { do :: n == 0 -> n = 1; n = 0 od }");
    let wrong = model("byte n; active [2] proctype P() { do :: n == 0 -> n = 1; assert(_pid == 1); n = 0 od }");
    let honest = certificate(&right, Symmetry::default());
    let reason = check(&wrong, &pack(&relabelled(&honest, &wrong))[..]).unwrap_err().to_string();
    assert!(!reason.is_empty());
}
