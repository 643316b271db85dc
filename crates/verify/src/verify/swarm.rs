//! Swarms: several approximate searches instead of one (Holzmann, Joshi and Groce, ASE 2008).
//!
//! A bitstate search takes some states for others and so misses what lies behind them. Another search, with other hashes and another
//! order of successors, misses other states. Each uses all the memory, one after the other; a violation that one of
//! them finds is real. What all of them together have missed is not known, so nothing is claimed about it but what the best
//! one knows of itself.

use std::num::NonZeroU32;
use std::time::Duration;

use super::engine::Refusal;
use super::options::Options;
use super::{Errors, Finding, Verdict};

/// One search of a swarm.
pub(super) struct Search {
    /// Changes the hashes.
    pub hash: u64,
    /// Changes the order of successors.
    pub order: u64,
    /// How many searches are left, this one among them.
    left: u32,
}

impl Search {
    /// This search's share of the time that is left.
    pub fn share(&self, limit: Option<Duration>, elapsed: Duration) -> Option<Duration> {
        limit.map(|limit| limit.saturating_sub(elapsed) / self.left)
    }
}

/// The searches of a swarm.
pub(super) fn searches(count: NonZeroU32, options: &Options) -> impl Iterator<Item = Search> {
    let first = options.seed.unwrap_or(0);
    (0..count.get()).map(move |number| {
        let seed = first.wrapping_add(u64::from(number));
        Search { hash: spread(!seed), order: spread(seed), left: count.get() - number }
    })
}

/// Runs searches until one finds a violation, or all of them where all errors are wanted, and joins what they found.
pub(super) fn join(
    searches: impl Iterator<Item = Result<Finding, Refusal>>,
    options: &Options,
) -> Result<Finding, Refusal> {
    let mut joined: Option<Finding> = None;
    let mut count = 0;
    for found in searches {
        let found = found?;
        count += 1;
        let interrupted = matches!(&found.verdict, Verdict::Unknown(cause) if cause.is_interruption());
        let time = found.counts.time;
        let mut best = match joined.take() {
            Some(best) if rank(&best) >= rank(&found) => best,
            _ => found,
        };
        best.counts.time = time;
        let enough = interrupted || best.verdict == Verdict::Violated && options.errors == Errors::First;
        joined = Some(best);
        if enough {
            break;
        }
    }
    let mut joined = joined.expect("a swarm has at least one search");
    if let Some(method) = &mut joined.method {
        method.searches = Some(count);
    }
    Ok(joined)
}

/// A violation counts most, then how much was seen.
fn rank(finding: &Finding) -> (bool, u64) {
    (finding.verdict == Verdict::Violated, finding.counts.states)
}

/// The finisher of SplitMix, so that seeds side by side have nothing in common.
fn spread(seed: u64) -> u64 {
    let mut word = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
