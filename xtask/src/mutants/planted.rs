//! Chooses which planted fault is active. This text becomes a module of each crate in which faults are planted.
//!
//! `FAULT=n` activates fault `n`. `FAULT=record` activates none and appends to the file `FAULT_RECORD` which places were met:
//! `n r` for a place, `n t` and `n f` for a condition that was true or false there.
#![allow(missing_docs, dead_code)]

use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

const NONE: u32 = u32::MAX;
const RECORD: u32 = u32::MAX - 1;
const MOST: usize = 1 << 16;

static CHOSEN: OnceLock<u32> = OnceLock::new();
static MET: [AtomicU8; MOST] = [const { AtomicU8::new(0) }; MOST];

#[inline]
fn chosen() -> u32 {
    *CHOSEN.get_or_init(|| match std::env::var("FAULT").as_deref() {
        Ok("record") => RECORD,
        Ok(number) => number.parse().unwrap_or(NONE),
        Err(_) => NONE,
    })
}

#[cold]
#[inline(never)]
fn note(number: u32, bit: u8, letter: char) {
    if MET[number as usize].fetch_or(bit, Relaxed) & bit == 0
        && let Some(path) = std::env::var_os("FAULT_RECORD")
        && let Ok(mut file) = std::fs::OpenOptions::new().append(true).create(true).open(path)
    {
        let _ = file.write_all(format!("{number} {letter}\n").as_bytes());
    }
}

/// Whether this fault is active.
#[inline]
pub fn planted(number: u32) -> bool {
    let chosen = chosen();
    if chosen == RECORD {
        note(number, 1, 'r');
    }
    chosen == number
}

/// A branch was taken.
#[inline]
pub fn mark(number: u32) {
    if chosen() == RECORD {
        note(number, 1, 'r');
    }
}

/// A condition had this value.
#[inline]
pub fn seen(number: u32, value: bool) -> bool {
    if chosen() == RECORD {
        note(number, if value { 2 } else { 4 }, if value { 't' } else { 'f' });
    }
    value
}

pub trait Outcome: std::ops::Not<Output = Self> + Sized {
    fn outcome(&self) -> Option<bool> {
        None
    }
}

impl Outcome for bool {
    fn outcome(&self) -> Option<bool> {
        Some(*self)
    }
}

pub trait Step: Sized {
    fn up(self) -> Self;
    fn down(self) -> Self;
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl Outcome for $type {}
        impl Step for $type {
            fn up(self) -> Self { self.saturating_add(1) }
            fn down(self) -> Self { self.saturating_sub(1) }
        }
    )*};
}
integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

/// The opposite.
#[inline]
pub fn flip<T: Outcome>(number: u32, value: T) -> T {
    if chosen() == RECORD && let Some(outcome) = value.outcome() {
        seen(number, outcome);
    }
    if planted(number) { !value } else { value }
}

macro_rules! comparisons {
    ($($name:ident $right:tt $wrong:tt)*) => {$(
        #[inline]
        pub fn $name<T: PartialOrd + ?Sized>(number: u32, left: &T, right: &T) -> bool {
            if planted(number) { left $wrong right } else { left $right right }
        }
    )*};
}
comparisons!(lt < <= le <= < gt > >= ge >= >);

macro_rules! operations {
    ($($name:ident $first:ident $right:tt $second:ident $wrong:tt)*) => {$(
        #[inline]
        pub fn $name<A, B, C>(number: u32, left: A, right: B) -> C
        where
            A: std::ops::$first<B, Output = C> + std::ops::$second<B, Output = C>,
        {
            if planted(number) { left $wrong right } else { left $right right }
        }
    )*};
}
operations!(add Add + Sub - sub Sub - Add + bit_or BitOr | BitAnd & bit_and BitAnd & BitOr | bit_xor BitXor ^ BitAnd &);

/// One more.
#[inline]
pub fn up<T: Step>(number: u32, value: T) -> T {
    if planted(number) { value.up() } else { value }
}

/// One less.
#[inline]
pub fn down<T: Step>(number: u32, value: T) -> T {
    if planted(number) { value.down() } else { value }
}

#[inline]
pub fn any<I: Iterator>(number: u32, items: &mut I, test: impl FnMut(I::Item) -> bool) -> bool {
    if planted(number) { items.all(test) } else { items.any(test) }
}

#[inline]
pub fn all<I: Iterator>(number: u32, items: &mut I, test: impl FnMut(I::Item) -> bool) -> bool {
    if planted(number) { items.any(test) } else { items.all(test) }
}

#[inline]
pub fn min<T: PartialOrd>(number: u32, left: T, right: T) -> T {
    if (left <= right) != planted(number) { left } else { right }
}

#[inline]
pub fn max<T: PartialOrd>(number: u32, left: T, right: T) -> T {
    if (left >= right) != planted(number) { left } else { right }
}
