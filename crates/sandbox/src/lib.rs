//! What holds a foreign program: its rights, its limits, and the launcher that sets them.
//!
//! A program is never started by itself. A [`Plan`] says what it may see, reach and use; a fresh process of
//! the launcher (see [`launch()`]) reads it, takes everything else away from itself layer by layer, and then
//! becomes the program. What a layer stops is written at [`Layer`], how far it is wanted at [`Level`]. A layer
//! that the system does not have is left out and told, unless it is required: then nothing is started.
//!
//! What is deliberately absent: how the process is watched and ended (that is the crate of links), flags, and
//! any policy about who is trusted.
//!
//! Where to start reading: `launch.rs`, which is the order of the layers; `plan.rs`, what is told to it; then
//! a file for each layer: `view.rs` (files), `rules.rs` (Landlock), `calls.rs` (seccomp), `rights.rs` (users and
//! capabilities), `limits.rs`, `watch.rs` (the first process of a namespace, which watches the limits).

mod calls;
mod cgroup;
mod fork;
mod launch;
mod layer;
mod level;
mod limits;
mod owners;
mod plan;
mod report;
mod rights;
mod rules;
mod runtime;
mod view;
mod watch;

pub use cgroup::Cgroup;
pub use launch::{Descriptors, LAUNCH_COMMAND, launch};
pub use layer::Layer;
pub use level::Level;
pub use limits::{Hit, Limits, read_size};
pub use plan::Plan;
pub use report::{Failed, Missing, Report};
pub use runtime::{detours, runtime_paths, traced};
pub use watch::is_full;
