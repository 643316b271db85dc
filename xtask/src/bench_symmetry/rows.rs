//! The configurations that are measured: those of figures 11.6 and 11.7 of Donaldson's thesis (Glasgow, 2007), and larger ones.

/// One configuration of a family.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The file in `examples/families`, without its ending.
    pub family: &'static str,
    /// What the thesis calls the configuration.
    pub size: &'static str,
    /// Definitions that set it.
    pub defines: &'static [&'static str],
    /// The number of orbits, where it is known from elsewhere.
    pub orbits: Option<u64>,
    /// Seconds that TopSPIN took to compute exact representatives of as many orbits, on hardware of 2007, if it could.
    pub topspin: Option<f64>,
    pub unreduced: Unreduced,
}

/// Whether the search without symmetry is run to its end, which checks the predicted number of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreduced {
    Whole,
    /// Too large: only a part of it is searched, to learn how long a state takes.
    Part,
}

use Unreduced::{Part, Whole};

const fn row(
    family: &'static str,
    size: &'static str,
    defines: &'static [&'static str],
    orbits: Option<u64>,
    topspin: Option<f64>,
    unreduced: Unreduced,
) -> Row {
    Row { family, size, defines, orbits, topspin, unreduced }
}

/// All of them. Our resource allocator, load balancer and hypercube are not those of the thesis' measurements: their groups are the same, but their
/// orbits are others, so no time of TopSPIN's stands beside them.
pub const ROWS: &[Row] = &[
    row("mutex", "5", &["N=5"], Some(12), Some(0.1), Whole),
    row("mutex", "10", &["N=10"], Some(22), Some(1088.0), Whole),
    row("mutex", "15", &["N=15"], Some(32), None, Whole),
    row("mutex", "20", &["N=20"], Some(42), None, Part),
    row("mutex", "50", &["N=50"], Some(102), None, Part),
    row("mutex", "100", &["N=100"], Some(202), None, Part),
    row("peterson", "3", &["N=3"], Some(494), Some(0.02), Whole),
    row("peterson", "4", &["N=4"], Some(3106), Some(0.2), Whole),
    row("peterson", "5", &["N=5"], Some(17_321), Some(7.0), Whole),
    row("peterson", "6", &["N=6"], Some(89_850), Some(304.0), Part),
    row("peterson", "7", &["N=7"], Some(442_481), Some(13_885.0), Part),
    row("peterson", "8", &["N=8"], None, None, Part),
    row("peterson", "9", &["N=9"], None, None, Part),
    row("peterson_stepwise", "2", &["N=2"], Some(148), Some(0.34), Whole),
    row("peterson_stepwise", "3", &["N=3"], Some(12_706), Some(0.68), Whole),
    row("peterson_stepwise", "4", &["N=4"], None, Some(972.0), Part),
    row("resource_allocator", "2-3-2", &["N=7", "A=2", "B=3"], Some(337), None, Whole),
    row("resource_allocator", "3-3", &["N=6", "A=3"], None, None, Whole),
    row("resource_allocator", "4-4", &["N=8", "A=4"], None, None, Whole),
    row("resource_allocator", "5-5", &["N=10", "A=5"], None, None, Whole),
    row("resource_allocator", "4-4-4", &["N=12", "A=4", "B=4"], None, None, Whole),
    row("resource_allocator", "5-5-5", &["N=15", "A=5", "B=5"], None, None, Part),
    row("resource_allocator", "alternating 16", &["N=16", "A=1", "ALTERNATING"], None, None, Part),
    row("resource_allocator", "sharing 3-3-3", &["N=9", "A=3", "B=3", "SHARING"], None, None, Whole),
    row("three_tiered", "3-3", &["SERVERS=2", "CLIENTS=3"], Some(2656), Some(4.0), Whole),
    row("three_tiered", "4-4", &["SERVERS=2", "CLIENTS=4"], Some(5021), Some(108.0), Whole),
    row("three_tiered", "5-5", &["SERVERS=2", "CLIENTS=5"], Some(8133), None, Part),
    row("three_tiered", "6-6", &["SERVERS=2", "CLIENTS=6"], Some(11_992), None, Part),
    row("three_tiered", "3-3-3", &["SERVERS=3", "CLIENTS=3"], Some(50_396), Some(1689.0), Part),
    row("three_tiered", "4-4-4", &["SERVERS=3", "CLIENTS=4"], Some(130_348), None, Part),
    row("email", "3", &["N=3"], Some(3902), Some(0.2), Whole),
    row("email", "4", &["N=4"], Some(36_255), Some(4.0), Whole),
    row("email", "5", &["N=5"], Some(265_315), Some(71.0), Part),
    row("email", "6", &["N=6"], None, Some(1600.0), Part),
    row("email", "7", &["N=7"], None, Some(50_970.0), Part),
    row("load_balancer", "2-6", &["SERVERS=2", "N=6"], None, None, Part),
    row("load_balancer", "2-7", &["SERVERS=2", "N=7"], None, None, Part),
    row("load_balancer", "3-6", &["SERVERS=3", "N=6"], None, None, Part),
    row("load_balancer", "3-7", &["SERVERS=3", "N=7"], None, None, Part),
    row("load_balancer", "4-6", &["SERVERS=4", "N=6"], None, None, Part),
    row("load_balancer", "4-7", &["SERVERS=4", "N=7"], None, None, Part),
    row("load_balancer", "2-12", &["SERVERS=2", "N=12"], None, None, Part),
    row("hypercube", "3", &["DIMENSIONS=3"], None, None, Whole),
    row("hypercube", "4", &["DIMENSIONS=4"], None, None, Whole),
    row("hypercube", "5", &["DIMENSIONS=5"], None, None, Part),
];
