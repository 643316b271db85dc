//! The layers by which searches keep one state of each orbit.
//!
//! [`Orbits`] replaces every state by the representative of its orbit, so that only representatives are stored and expanded. With a claim beside the
//! system, its part of the state stays as it is: every symmetry that is used keeps the value of each of the claim's atoms, so `(s, q)` and
//! `(g(s), q)` have the same futures, up to `g`. [`Kept`] lets processes stay at their end where symmetry applies; [`Audited`] tries symmetries out
//! on the way. What symmetry a search uses is told by [`Symmetry`].

mod audit;
mod kept;
mod layer;
mod symmetry;
mod trial;

pub use self::audit::Audited;
pub use self::kept::{Kept, Living};
pub use self::layer::Orbits;
pub use self::symmetry::{Fixed, ForClaim, Region, Symmetry};
pub use self::trial::{Balance, Patience, Trial};
