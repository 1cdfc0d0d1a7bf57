//! Where the project lies, and what cargo knows of its packages.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

/// The folder of the workspace. Cargo names the package's folder when it runs this program; the
/// one from the build is for starting the binary by hand.
pub(crate) fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    package.parent().map_or_else(|| package.clone(), Path::to_path_buf)
}

/// The cargo that runs this program, so that all steps use the same toolchain.
pub(crate) fn cargo() -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(root());
    command
}

/// What `cargo metadata` says, as far as it is used here.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Metadata {
    pub(crate) packages: Vec<Package>,
    pub(crate) target_directory: PathBuf,
}

/// One package of the workspace.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) manifest_path: PathBuf,
    pub(crate) dependencies: Vec<Dependency>,
}

/// A dependency as its package's manifest states it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// Absent for a normal dependency.
    pub(crate) kind: Option<Kind>,
}

/// What a dependency that is not a normal one is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Dev,
    Build,
}

/// Asks cargo for the packages of the workspace.
pub(crate) fn metadata() -> Result<Metadata> {
    let output = cargo()
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .output()
        .context("cannot start cargo")?;
    if !output.status.success() {
        bail!("cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    serde_json::from_slice(&output.stdout).context("cargo metadata printed something unexpected")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_holds_the_workspace_manifest() {
        let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
        assert!(manifest.contains("[workspace]"));
    }

    #[test]
    fn the_metadata_lists_this_package_and_its_dependencies() {
        let metadata = metadata().unwrap();
        let package = metadata.packages.iter().find(|package| package.name == "xtask").unwrap();
        assert!(package.manifest_path.ends_with("xtask/Cargo.toml"));
        let anyhow = package.dependencies.iter().find(|dependency| dependency.name == "anyhow");
        assert_eq!(anyhow.unwrap().kind, None);
    }
}
