//! What plays a plan: it is given means, tells somebody how it goes, can be stopped, and gives a report.

mod comparison;
mod evaluation;
mod host;
mod ladder;
mod means;
mod pairing;
mod progress;
mod sides;
mod single_match;
mod team_host;
mod tournament;
mod tune;

pub use comparison::run_comparison;
pub use evaluation::{evaluation_in, run_evaluation, stored_evaluation};
pub use host::{HostProgress, run_host};
pub use ladder::{run_calibration, run_ladder};
use means::look_up_run;
pub use means::{LISTEN, ReplayWish, RunError, RunMeans};
pub(crate) use means::{StoredRun, rehearse};
pub use progress::{BrokenOff, Now, PairingNow, Progress, RunHead, RunResult, Standing};
pub use single_match::run_match;
pub use team_host::{NetworkWish, OpenNetwork};
pub use tournament::{planned_games, run_tournament, standings, tournament_in};
pub use tune::{HistoryError, run_tune};
