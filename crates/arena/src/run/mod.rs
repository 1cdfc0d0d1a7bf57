//! What plays a plan: it is given means, tells somebody how it goes, can be stopped, and gives a report.

mod comparison;
mod host;
mod means;
mod progress;
mod tournament;

pub use comparison::run_comparison;
pub use host::{HostMeans, HostProgress, HostingError, run_host};
pub(crate) use means::{Kept, rehearse};
pub use means::{ReplayWish, RunError, RunMeans, look_up_run};
pub use progress::{Now, Progress, RunHead, RunResult, Standing};
pub use tournament::{run_tournament, standings};
