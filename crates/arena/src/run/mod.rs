//! What plays a plan: it is given means, tells somebody how it goes, can be stopped, and gives a report.

mod comparison;
mod evaluation;
mod host;
mod means;
mod pairing;
mod progress;
mod team_host;
mod tournament;

pub use comparison::run_comparison;
pub use evaluation::{EvaluationMeans, run_evaluation, stored_evaluation};
pub use host::{HostMeans, HostProgress, HostingError, run_host};
pub(crate) use means::{KeptRun, rehearse};
pub use means::{ReplayWish, RunError, RunMeans, look_up_run};
pub use pairing::{EvaluationProgress, PairingNow};
pub use progress::{Now, Progress, RunHead, RunResult, Standing};
pub use team_host::{HostError, NetworkWish, OpenNetwork, TeamHost};
pub use tournament::{run_tournament, standings};
