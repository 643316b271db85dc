//! The models of `examples/bench` and the sizes they are searched in, each with its states without reductions.

use crate::bench_engine::models::Class::{self, Full, Normal, Quick};
use crate::bench_engine::models::Origin::Ours;
use crate::bench_engine::models::{Subject, subject};

/// A model in one size, and how many states it has.
pub struct Recorded {
    pub subject: Subject,
    /// Without reductions.
    pub states: u64,
}

impl Recorded {
    /// `fischer N=7`
    pub fn name(&self) -> String {
        self.subject.name().trim_start_matches("our ").to_string()
    }
}

const fn recorded(file: &'static str, sizes: &'static [(&'static str, u32)], states: u64, class: Class) -> Recorded {
    Recorded { subject: subject(Ours(file), sizes, class), states }
}

/// All of them: the sizes that the files have, then larger ones.
pub const SUBJECTS: &[Recorded] = &[
    recorded("bench/adding.pml", &[], 95_143, Quick),
    recorded("bench/anderson.pml", &[], 3160, Quick),
    recorded("bench/bakery_loop.pml", &[], 6979, Quick),
    recorded("bench/cargo.pml", &[], 78_437, Quick),
    recorded("bench/delay_lock.pml", &[], 3539, Quick),
    recorded("bench/echo.pml", &[], 47_732, Quick),
    recorded("bench/fast_mutex.pml", &[], 40_280, Quick),
    recorded("bench/filter_lock.pml", &[], 37_557, Quick),
    recorded("bench/fischer.pml", &[], 6044, Quick),
    recorded("bench/futex_barrier.pml", &[], 15_448, Quick),
    recorded("bench/futex_mutex_1.pml", &[], 20_307, Quick),
    recorded("bench/futex_mutex_2.pml", &[], 23_096, Quick),
    recorded("bench/futex_mutex_3.pml", &[], 18_681, Quick),
    recorded("bench/futex_semaphore.pml", &[], 8681, Quick),
    recorded("bench/hanoi.pml", &[], 45_927, Quick),
    recorded("bench/job_shop.pml", &[], 54_589, Quick),
    recorded("bench/key_exchange.pml", &[], 474, Quick),
    recorded("bench/leader_filters.pml", &[], 13_594, Quick),
    recorded("bench/lift.pml", &[], 408_112, Quick),
    recorded("bench/mcs.pml", &[], 4482, Quick),
    recorded("bench/ordered_forks.pml", &[], 18_837, Quick),
    recorded("bench/pipeline.pml", &[], 18_435, Quick),
    recorded("bench/publish.pml", &[], 187_057, Quick),
    recorded("bench/reactions.pml", &[], 12, Quick),
    recorded("bench/retransmission.pml", &[], 7691, Quick),
    recorded("bench/shared_buffers.pml", &[], 3117, Quick),
    recorded("bench/shared_record.pml", &[], 1423, Quick),
    recorded("bench/sorter.pml", &[], 685_440, Quick),
    recorded("bench/szymanski.pml", &[], 1625, Quick),
    recorded("bench/telephony.pml", &[], 1562, Quick),
    recorded("bench/tiles.pml", &[], 361, Quick),
    recorded("bench/token_bus.pml", &[], 84_863, Quick),
    recorded("bench/window.pml", &[], 13_484, Quick),
    recorded("bench/adding.pml", &[("MAX", 200)], 1_511_850, Normal),
    recorded("bench/anderson.pml", &[("N", 5)], 895_846, Normal),
    recorded("bench/bakery_loop.pml", &[("N", 3), ("MAX", 5)], 1_325_733, Normal),
    recorded("bench/cargo.pml", &[("TRUCKS", 3)], 3_644_237, Normal),
    recorded("bench/delay_lock.pml", &[("N", 3), ("K", 6)], 1_727_299, Normal),
    recorded("bench/echo.pml", &[("N", 4), ("L", 4)], 3_561_792, Normal),
    recorded("bench/fast_mutex.pml", &[("N", 4)], 2_321_034, Normal),
    recorded("bench/filter_lock.pml", &[("N", 4)], 6_309_900, Normal),
    recorded("bench/fischer.pml", &[("N", 7)], 2_781_055, Normal),
    recorded("bench/futex_barrier.pml", &[("N", 5)], 4_033_408, Normal),
    recorded("bench/futex_mutex_1.pml", &[("N", 4)], 1_376_101, Normal),
    recorded("bench/futex_mutex_2.pml", &[("N", 4)], 700_923, Normal),
    recorded("bench/futex_mutex_3.pml", &[("N", 4)], 527_800, Normal),
    recorded("bench/futex_semaphore.pml", &[("N", 5)], 2_831_301, Normal),
    recorded("bench/hanoi.pml", &[("N", 12)], 3_720_087, Normal),
    recorded("bench/job_shop.pml", &[("JOBS", 4)], 1_687_118, Normal),
    recorded("bench/key_exchange.pml", &[("SESSIONS", 2)], 45_795, Normal),
    recorded("bench/leader_filters.pml", &[("N", 4)], 778_671, Normal),
    recorded("bench/lift.pml", &[("F", 4)], 1_409_717, Normal),
    recorded("bench/mcs.pml", &[("N", 5)], 5_002_418, Normal),
    recorded("bench/ordered_forks.pml", &[("N", 12)], 3_030_885, Normal),
    recorded("bench/pipeline.pml", &[("N", 3)], 442_371, Normal),
    recorded("bench/reactions.pml", &[("N", 4)], 2_925_372, Normal),
    recorded("bench/retransmission.pml", &[("N", 250), ("R", 60)], 3_353_330, Normal),
    recorded("bench/shared_buffers.pml", &[("BUFFERS", 4), ("MASTERS", 4), ("SLAVES", 2)], 3_699_585, Normal),
    recorded("bench/shared_record.pml", &[("READERS", 7), ("WRITERS", 3)], 1_469_649, Normal),
    recorded("bench/sorter.pml", &[("B", 3)], 2_056_320, Normal),
    recorded("bench/szymanski.pml", &[("N", 3)], 119_443, Normal),
    recorded("bench/telephony.pml", &[("N", 5)], 703_738, Normal),
    recorded("bench/tiles.pml", &[("H", 3), ("V", 3)], 181_441, Normal),
    recorded("bench/token_bus.pml", &[("N", 4)], 1_385_097, Normal),
    recorded("bench/window.pml", &[("W", 5), ("M", 11), ("L", 4)], 2_070_508, Normal),
    recorded("bench/adding.pml", &[("N", 3), ("MAX", 20)], 9_099_290, Full),
    recorded("bench/pipeline.pml", &[("N", 4)], 10_616_835, Full),
    recorded("bench/publish.pml", &[("TOPICS", 2)], 10_535_373, Full),
    recorded("bench/sorter.pml", &[("B", 5)], 18_506_880, Full),
];
