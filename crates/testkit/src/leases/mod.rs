//! The leases of jobs as a small model, written apart from the queue that keeps them: what may happen to one job
//! ([`Job`]), all that can happen to two jobs and three workers ([`LeaseModel`]), and whether what really happened fits
//! ([`replay`]).

mod job;
mod model;
mod trace;

pub use job::{Answer, Call, Counting, Job, Rules};
pub use model::{Action, LeaseModel, LeaseState, Serving};
pub use trace::{Replayed, replay};
