//! What holds a foreign program: its rights, its limits, and the launcher that sets them.
//!
//! A program is never started by itself. A [`Plan`] says what it may see, reach and use; a fresh copy of the
//! launcher (see [`launch()`]), which was ordered to be one ([`give_order`]), takes everything else away from itself
//! layer by layer, and then becomes the program. What a layer stops is written at [`Layer`], how far it is wanted at [`Level`]. A layer
//! that the system does not have is left out and told, unless it is required: then nothing is started.
//!
//! What is deliberately absent: how the process is watched and ended (that is the crate of links), flags, and
//! any policy about who is trusted.
//!
//! Where to start reading: `launch.rs`, which is the order of the layers; `plan.rs`, what is told to it; then
//! a file for each layer: `view.rs` (files; `trees.rs` is what all see of the system), `rules.rs` (Landlock), `calls.rs` (seccomp), `rights.rs` (users and
//! capabilities), `limits.rs`, `watch.rs` (the process that watches the limits; `line.rs` is how it finds and ends
//! everybody where there are no namespaces, `holdings.rs` what they hide).

mod calls;
mod cgroup;
mod fork;
mod holdings;
mod launch;
mod layer;
mod level;
mod limits;
mod line;
mod order;
mod owners;
mod plan;
mod remedy;
mod report;
mod rights;
mod rules;
mod runtime;
mod shown;
mod trees;
mod view;
mod watch;

pub use cgroup::Cgroup;
pub use launch::{LAUNCH_COMMAND, launch};
pub use layer::Layer;
pub use level::Level;
pub use limits::{Hit, Limits, read_size};
pub use order::give_order;
pub use owners::settle_in;
pub use plan::Plan;
pub use remedy::remedies;
pub use report::{Ended, Failed, Missing, Report};
pub use rules::landlock_lacks;
pub use runtime::{RUNTIME_VARIABLES, detours, runtime_paths, rust_toolchains, tool_paths, traced};
pub use watch::is_full;
