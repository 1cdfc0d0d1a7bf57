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
use crate::owners::{Owners, settle_in};
use crate::plan::{Plan, SCRATCH};
use crate::rules::DEVICES;
use crate::trees;

/// Where the new root is put together by a process that has the machine's files. Whatever is there is out of sight
/// by then.
pub(crate) const SITE: &str = "/tmp";

/// Where the folder of small shared files is, which runtimes take for granted.
pub(crate) const SHARED_MEMORY: &str = "/dev/shm";

/// Room for the folders that hold everything else.
const ROOT_OPTIONS: &std::ffi::CStr = c"size=4m,mode=0755";

const ONLY_READ: u64 = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;

/// Part of the machine's files, open and not yet anywhere.
pub(crate) struct Piece {
    mount: OwnedFd,
    at: PathBuf,
    is_folder: bool,
    /// Its files belong to the user that the program becomes.
    is_own: bool,
}

/// Moves this process to a root folder of its own. It is in a mount namespace that nobody outside sees, a copy of that
/// of the machine. `owners` own the files that are its own.
pub(crate) fn enter(plan: &Plan, owners: &Owners) -> io::Result<()> {
    make_private()?;
    let (system, own) = (system_pieces(plan)?, own_pieces(plan, owners)?);
    let site = Path::new(SITE);
    mount_root(site)?;
    mount_scratch(plan, &below(site, SCRATCH))?;
    fs::create_dir_all(below(site, "/dev"))?;
    share_scratch(site)?;
    make_links(site, standard_links().chain(plan.links.iter().cloned()));
    place(system, site)?;
    settle(plan, own, site)
}

/// The same where the namespace is a copy of a tree, and what is its own was opened before.
pub(crate) fn enter_tree(plan: &Plan, own: Vec<Piece>) -> io::Result<()> {
    let site = Path::new(trees::SITE);
    mount_root(site)?;
    mount_scratch(plan, &below(site, SCRATCH))?;
    for (part, at) in trees::parts()? {
        place_part(plan, &part, &at, site)?;
    }
    let is_first = |(link, _): &&(PathBuf, PathBuf)| link.parent() == Some(Path::new("/"));
    make_links(site, plan.links.iter().filter(is_first).cloned());
    share_scratch(site)?;
    settle(plan, own, site)
}

/// Moves a part of a tree to its place, as a whole, or what is in it one by one where something of the program's own
/// belongs between that.
fn place_part(plan: &Plan, part: &Path, at: &Path, site: &Path) -> io::Result<()> {
    let move_to = |from: &Path, at: &Path| -> io::Result<()> {
        let to = below(site, at);
        make_place(&to, from.is_dir())?;
        trees::move_part(from, &to).map_err(self::at(at))
    };
    if is_apart(plan, at) {
        return move_to(part, at);
    }
    let links = plan.links.iter().filter(|(link, _)| link.starts_with(at));
    make_links(site, links.cloned());
    for path in without_nested(&plan.system).filter(|path| path.starts_with(at)) {
        let from = part.join(path.strip_prefix(at).unwrap_or(path));
        if from.exists() {
            move_to(&from, path)?;
        }
    }
    Ok(())
}

/// Whether nothing that is the program's own is put into a part of the system.
fn is_apart(plan: &Plan, part: &Path) -> bool {
    if plan.system.iter().any(|path| path == part) {
        return true;
    }
    let own = [&plan.own, &plan.writable, &plan.fixed, &plan.passed].into_iter().flatten();
    let own = own.chain([&plan.folder]).chain(plan.own_links.iter().map(|(link, _)| link));
    let own = own.map(PathBuf::as_path).filter(|path| !path.starts_with(SHARED_MEMORY));
    own.chain([Path::new(SCRATCH)]).all(|path| !path.starts_with(part))
}

/// Adds what is the program's own to a root that has everything else, and takes that root.
fn settle(plan: &Plan, own: Vec<Piece>, site: &Path) -> io::Result<()> {
    make_links(site, plan.own_links.iter().cloned());
    place(own, site)?;
    mount_processes(&below(site, "/proc"))?;
    for folder in plan.passed.iter().chain([&plan.folder]) {
        // One that leads through a link is there by now, or is missed by its name.
        let _ = fs::create_dir_all(below(site, folder));
    }
    leave_for(site)?;
    let root = File::open("/")?;
    change_mount(root.as_fd(), MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID, None, false)
}

/// What is mounted in this namespace is mounted in no other.
pub(crate) fn make_private() -> io::Result<()> {
    Ok(mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?)
}

/// An empty file system in memory.
pub(crate) fn mount_root(site: &Path) -> io::Result<()> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    mount("tmpfs", site, "tmpfs", flags, ROOT_OPTIONS).map_err(at("a root folder"))
}

/// Opens everything that is shown of the system.
pub(crate) fn system_pieces(plan: &Plan) -> io::Result<Vec<Piece>> {
    let mut pieces = Vec::new();
    for path in without_nested(&plan.system) {
        pieces.extend(piece(path, ONLY_READ, None)?);
    }
    for device in DEVICES {
        pieces.extend(piece(Path::new(device), MOUNT_ATTR_NOSUID, None)?);
    }
    Ok(pieces)
}

/// Opens everything that is the program's own.
pub(crate) fn own_pieces(plan: &Plan, owners: &Owners) -> io::Result<Vec<Piece>> {
    let owners = plan.user.map(|user| (owners, user));
    let mut pieces = Vec::new();
    for path in without_nested(&plan.own) {
        pieces.extend(piece(path, ONLY_READ, owners)?);
    }
    for path in &plan.writable {
        let piece = piece(path, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, owners)?;
        if let (Some(user), Some(Piece { is_own: false, .. })) = (plan.user, &piece) {
            settle_in(user, path, &plan.fixed)?;
        }
        pieces.extend(piece);
    }
    for path in &plan.fixed {
        pieces.extend(piece(path, ONLY_READ, owners)?);
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
    let mount = copy_of(path)?;
    let owners = owners.map(|(owners, user)| owners.of(path, user)).transpose()?.flatten();
    let change = |owners| {
        change_mount(mount.as_fd(), attributes, owners, true)
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
    };
    let mapped = owners.map(|owners| change(Some(owners)));
    let is_own = matches!(mapped, Some(Ok(())));
    if !is_own {
        // Not every file system can show its files as somebody else's. What everybody may read is seen there too.
        change(None)?;
    }
    Ok(Some(Piece { mount, at: path.to_owned(), is_folder: found.is_dir(), is_own }))
}

/// A copy of what is mounted at a path and below it.
pub(crate) fn copy_of(path: &Path) -> io::Result<OwnedFd> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE;
    open_tree(CWD, path, flags).map_err(at(path))
}

pub(crate) fn place(pieces: Vec<Piece>, site: &Path) -> io::Result<()> {
    pieces.iter().try_for_each(|piece| piece.place(site))
}

impl Piece {
    fn place(&self, site: &Path) -> io::Result<()> {
        let target = below(site, &self.at);
        make_place(&target, self.is_folder)?;
        let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH;
        move_mount(self.mount.as_fd(), "", CWD, &target, flags).map_err(at(&self.at))
    }
}

/// Something that a mount can be put upon.
fn make_place(target: &Path, is_folder: bool) -> io::Result<()> {
    let made = match is_folder {
        true => make_with_parents(target, |path: &Path| fs::create_dir(path)),
        false => make_with_parents(target, |path| File::create_new(path).map(drop)),
    };
    match made {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
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
    fs::create_dir_all(to)?;
    let owner = plan.user.map(|user| format!(",uid={user},gid={user}")).unwrap_or_default();
    let (size, inodes) = (plan.limits.disk, plan.limits.inodes());
    let options = format!("size={size},nr_inodes={inodes},mode=0700{owner}");
    let options = std::ffi::CString::new(options).map_err(io::Error::other)?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    mount("tmpfs", to, "tmpfs", flags, options.as_c_str()).map_err(at("a scratch folder"))
}

/// The same file system at a second place, so that there is one limit.
fn share_scratch(site: &Path) -> io::Result<()> {
    let to = below(site, SHARED_MEMORY);
    make_place(&to, true)?;
    let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC;
    let mount = open_tree(CWD, below(site, SCRATCH), flags)?;
    Ok(move_mount(&mount, "", CWD, &to, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)?)
}

/// The processes of this namespace alone. A container may allow none of that; then there is none.
fn mount_processes(to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    let _ = mount("proc", to, "proc", flags, None);
    Ok(())
}

pub(crate) fn standard_links() -> impl Iterator<Item = (PathBuf, PathBuf)> {
    let links = [
        ("/dev/fd", "/proc/self/fd"),
        ("/dev/stdin", "/proc/self/fd/0"),
        ("/dev/stdout", "/proc/self/fd/1"),
        ("/dev/stderr", "/proc/self/fd/2"),
    ];
    links.into_iter().map(|(link, target)| (link.into(), target.into()))
}

/// A link that cannot be made is missed by whoever follows it, with its name.
pub(crate) fn make_links(site: &Path, links: impl Iterator<Item = (PathBuf, PathBuf)>) {
    for (link, target) in links {
        let _ = make_with_parents(&below(site, &link), |link| symlink(&target, link));
    }
}

/// Takes the new root, and lets go of the old one.
pub(crate) fn leave_for(site: &Path) -> io::Result<()> {
    rustix::process::chdir(site)?;
    rustix::process::pivot_root(".", ".")?;
    unmount(".", UnmountFlags::DETACH)?;
    Ok(rustix::process::chdir("/")?)
}

pub(crate) fn below(site: &Path, path: impl AsRef<Path>) -> PathBuf {
    site.join(path.as_ref().strip_prefix("/").unwrap_or(path.as_ref()))
}

fn at(what: impl AsRef<Path>) -> impl Fn(rustix::io::Errno) -> io::Error {
    move |error| {
        let error = io::Error::from(error);
        io::Error::new(error.kind(), format!("{}: {error}", what.as_ref().display()))
    }
}
