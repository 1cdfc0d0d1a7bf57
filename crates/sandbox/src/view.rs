//! Files: a root folder of its own, in which a program finds what the plan shows and nothing else.

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use nix::libc::{MOUNT_ATTR_NODEV, MOUNT_ATTR_NOSUID, MOUNT_ATTR_RDONLY};
use rustix::fs::CWD;
use rustix::mount::{
    MountFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags, UnmountFlags, mount,
    mount_change, move_mount, open_tree, unmount,
};

use crate::fork::change_mount;
use crate::owners::Owners;
use crate::plan::{Plan, SCRATCH};
use crate::rules::DEVICES;

/// Where the new root is put together. Whatever is there is out of sight by then.
const SITE: &str = "/tmp";

/// Where the folder of small shared files is, which runtimes take for granted.
const SHARED_MEMORY: &str = "/dev/shm";

/// Room for the folders that hold everything else.
const ROOT_OPTIONS: &std::ffi::CStr = c"size=4m,mode=0755";

/// Part of the machine's files, open and not yet anywhere.
struct Piece {
    mount: OwnedFd,
    at: PathBuf,
    is_folder: bool,
}

/// Moves this process to a root folder of its own. It is in a mount namespace that nobody outside sees.
/// `owners` own the files that are its own.
pub(crate) fn enter(plan: &Plan, owners: &Owners) -> io::Result<()> {
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    let pieces = pieces(plan, owners)?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    mount("tmpfs", SITE, "tmpfs", flags, ROOT_OPTIONS).map_err(at("a root folder"))?;
    let site = Path::new(SITE);
    fs::create_dir_all(below(site, SCRATCH))?;
    mount_scratch(plan, &below(site, SCRATCH))?;
    fs::create_dir_all(below(site, "/dev"))?;
    share_scratch(&below(site, SCRATCH), &below(site, SHARED_MEMORY))?;
    for (link, target) in standard_links().chain(plan.links.iter().cloned()) {
        make_link(&below(site, &link), &target);
    }
    for piece in pieces {
        piece.place(site)?;
    }
    mount_processes(&below(site, "/proc"))?;
    for folder in plan.passed.iter().chain([&plan.folder]) {
        // One that leads through a link is there by now, or is missed by its name.
        let _ = fs::create_dir_all(below(site, folder));
    }
    leave_for(site)?;
    let root = File::open("/")?;
    change_mount(root.as_fd(), MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID, None, false)
}

/// Opens everything that is shown.
fn pieces(plan: &Plan, owners: &Owners) -> io::Result<Vec<Piece>> {
    let owners = plan.user.map(|user| (owners, user));
    let only_read = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
    let mut pieces = Vec::new();
    for path in without_nested(&plan.system) {
        pieces.extend(piece(path, only_read, None)?);
    }
    for path in without_nested(&plan.own) {
        pieces.extend(piece(path, only_read, owners)?);
    }
    for path in &plan.writable {
        pieces.extend(piece(path, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, owners)?);
    }
    for path in &plan.fixed {
        pieces.extend(piece(path, only_read, owners)?);
    }
    for device in DEVICES {
        pieces.extend(piece(Path::new(device), MOUNT_ATTR_NOSUID, None)?);
    }
    Ok(pieces)
}

/// What is not there is not shown.
fn piece(
    path: &Path,
    attributes: u64,
    owners: Option<(&Owners, u32)>,
) -> io::Result<Option<Piece>> {
    let Ok(found) = fs::symlink_metadata(path) else { return Ok(None) };
    if found.is_symlink() {
        return Ok(None);
    }
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE;
    let mount = open_tree(CWD, path, flags).map_err(at(path))?;
    let owners = owners.map(|(owners, user)| owners.of(path, user)).transpose()?.flatten();
    change_mount(mount.as_fd(), attributes, owners, true)
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
    Ok(Some(Piece { mount, at: path.to_owned(), is_folder: found.is_dir() }))
}

impl Piece {
    fn place(&self, site: &Path) -> io::Result<()> {
        let target = below(site, &self.at);
        let made = match self.is_folder {
            true => make_with_parents(&target, |path: &Path| fs::create_dir(path)),
            false => make_with_parents(&target, |path| File::create_new(path).map(drop)),
        };
        match made {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH;
        move_mount(self.mount.as_fd(), "", CWD, &target, flags).map_err(at(&self.at))
    }
}

/// Makes something at a path, and the folders above it if they are not there.
fn make_with_parents(path: &Path, make: impl Fn(&Path) -> io::Result<()>) -> io::Result<()> {
    match (make(path), path.parent()) {
        (Err(error), Some(above)) if error.kind() == io::ErrorKind::NotFound => {
            fs::create_dir_all(above)?;
            make(path)
        }
        (made, _) => made,
    }
}

/// Those that are not below another one.
fn without_nested(paths: &[PathBuf]) -> impl Iterator<Item = &Path> {
    let is_nested =
        |path: &PathBuf| paths.iter().any(|other| other != path && path.starts_with(other));
    paths.iter().filter(move |path| !is_nested(path)).map(PathBuf::as_path)
}

/// A file system in memory, of which a program cannot take more than its share.
fn mount_scratch(plan: &Plan, to: &Path) -> io::Result<()> {
    let owner = plan.user.map(|user| format!(",uid={user},gid={user}")).unwrap_or_default();
    let (size, inodes) = (plan.limits.disk, plan.limits.inodes());
    let options = format!("size={size},nr_inodes={inodes},mode=0700{owner}");
    let options = std::ffi::CString::new(options).map_err(io::Error::other)?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    mount("tmpfs", to, "tmpfs", flags, options.as_c_str()).map_err(at("a scratch folder"))
}

/// The same file system at a second place, so that there is one limit.
fn share_scratch(scratch: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC;
    let mount = open_tree(CWD, scratch, flags)?;
    Ok(move_mount(&mount, "", CWD, to, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)?)
}

/// The processes of this namespace alone. A container may allow none of that; then there is none.
fn mount_processes(to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    let _ = mount("proc", to, "proc", flags, None);
    Ok(())
}

fn standard_links() -> impl Iterator<Item = (PathBuf, PathBuf)> {
    let links = [
        ("/dev/fd", "/proc/self/fd"),
        ("/dev/stdin", "/proc/self/fd/0"),
        ("/dev/stdout", "/proc/self/fd/1"),
        ("/dev/stderr", "/proc/self/fd/2"),
    ];
    links.into_iter().map(|(link, target)| (link.into(), target.into()))
}

/// A link that cannot be made is missed by whoever follows it, with its name.
fn make_link(link: &Path, target: &Path) {
    let _ = make_with_parents(link, |link| symlink(target, link));
}

/// Takes the new root, and lets go of the old one.
fn leave_for(site: &Path) -> io::Result<()> {
    rustix::process::chdir(site)?;
    rustix::process::pivot_root(".", ".")?;
    unmount(".", UnmountFlags::DETACH)?;
    Ok(rustix::process::chdir("/")?)
}

fn below(site: &Path, path: impl AsRef<Path>) -> PathBuf {
    site.join(path.as_ref().strip_prefix("/").unwrap_or(path.as_ref()))
}

fn at(what: impl AsRef<Path>) -> impl Fn(rustix::io::Errno) -> io::Error {
    move |error| {
        let error = io::Error::from(error);
        io::Error::new(error.kind(), format!("{}: {error}", what.as_ref().display()))
    }
}
