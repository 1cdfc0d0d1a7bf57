//! What a bot can do in its own folder to whoever writes state files there, and to whoever removes it.

use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use nix::sys::stat::Mode;
use rustix::fs::IFlags;

/// The rounds of which the files are to be in the way of something.
const TRAPPED: [u32; 3] = [5, 6, 7];

/// Deeper than a process may have files open, or a path be long.
const LEVELS: u32 = 3000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meddling {
    PipeInTheWay,
    FolderInTheWay,
    /// To that file.
    LinkInTheWay(PathBuf),
    /// To that folder.
    RoundAsLink(PathBuf),
    RoundsAsLink(PathBuf),
    RoundsAsPipe,
    RoundsGone,
    DeepFolders,
    LockedFiles,
}

impl Meddling {
    pub(crate) fn named(name: &str, value: Option<&str>) -> Option<Meddling> {
        Some(match (name, value.map(PathBuf::from)) {
            ("pipe-in-the-way", None) => Meddling::PipeInTheWay,
            ("folder-in-the-way", None) => Meddling::FolderInTheWay,
            ("link-in-the-way", Some(target)) => Meddling::LinkInTheWay(target),
            ("round-as-link", Some(target)) => Meddling::RoundAsLink(target),
            ("rounds-as-link", Some(target)) => Meddling::RoundsAsLink(target),
            ("rounds-as-pipe", None) => Meddling::RoundsAsPipe,
            ("rounds-gone", None) => Meddling::RoundsGone,
            ("deep-folders", None) => Meddling::DeepFolders,
            ("locked-files", None) => Meddling::LockedFiles,
            _ => return None,
        })
    }

    pub(crate) fn begin(&self) -> io::Result<()> {
        match self {
            Meddling::PipeInTheWay => at_every_file(make_pipe),
            Meddling::FolderInTheWay => at_every_file(|place| fs::create_dir_all(place.join("x"))),
            Meddling::LinkInTheWay(target) => at_every_file(|place| symlink(target, place)),
            Meddling::RoundAsLink(target) => {
                TRAPPED.iter().try_for_each(|round| symlink(target, format!("rounds/{round}")))
            }
            Meddling::RoundsAsLink(target) => {
                fs::rename("rounds", "old-rounds")?;
                symlink(target, "rounds")
            }
            Meddling::RoundsAsPipe => {
                fs::rename("rounds", "old-rounds")?;
                make_pipe(Path::new("rounds"))
            }
            Meddling::RoundsGone => {
                let place = fs::canonicalize("rounds")?;
                fs::remove_dir_all(place)
            }
            Meddling::DeepFolders => deep_folders(),
            Meddling::LockedFiles => locked_files(),
        }
    }
}

fn at_every_file(act: impl Fn(&Path) -> io::Result<()>) -> io::Result<()> {
    for round in TRAPPED {
        let folder = PathBuf::from(format!("rounds/{round}"));
        fs::create_dir(&folder)?;
        act(&folder.join("state.json"))?;
    }
    Ok(())
}

fn make_pipe(place: &Path) -> io::Result<()> {
    Ok(nix::unistd::mkfifo(place, Mode::S_IRWXU)?)
}

fn deep_folders() -> io::Result<()> {
    let home = std::env::current_dir()?;
    for _ in 0..LEVELS {
        fs::create_dir("deeper")?;
        fs::write("file", "")?;
        std::env::set_current_dir("deeper")?;
    }
    std::env::set_current_dir(home)
}

/// A file and its folder that nobody may change: not by their modes, and not by their flags, where this
/// process may set these.
fn locked_files() -> io::Result<()> {
    fs::create_dir_all("locked/inner")?;
    fs::write("locked/inner/file", "")?;
    for name in ["locked/inner/file", "locked/inner", "locked"] {
        fs::set_permissions(name, fs::Permissions::from_mode(0o500))?;
        let handle = fs::File::open(name)?;
        let flags = rustix::fs::ioctl_getflags(&handle).unwrap_or(IFlags::empty());
        let _ = rustix::fs::ioctl_setflags(&handle, flags | IFlags::IMMUTABLE);
    }
    Ok(())
}
