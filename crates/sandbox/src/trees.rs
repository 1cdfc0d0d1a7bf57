//! What programs see of the system, put together once for all that are shown the same: a mount namespace which nobody
//! is in. A program is given a copy of it, which the system makes at once, and moves its parts to where they belong.

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::{Path, PathBuf};

use nix::libc::{MOUNT_ATTR_NODEV, MOUNT_ATTR_NOSUID, MOUNT_ATTR_RDONLY};
use nix::sched::{CloneFlags, setns, unshare};
use rustix::fs::CWD;
use rustix::mount::{MoveMountFlags, move_mount};

use crate::Layer;
use crate::fork::{change_mount, fork_child};
use crate::plan::Plan;
use crate::view;

/// Where a tree has its parts, and where the root of a program is put together.
const PARTS: &str = "/parts";
pub(crate) const SITE: &str = "/site";

/// Trees of different programs. Whoever shows more forgets all of them.
const KEPT_MAX: usize = 16;

/// What a tree is made of.
type Kind = (Vec<PathBuf>, Vec<(PathBuf, PathBuf)>);

/// The trees that were made.
#[derive(Default)]
pub(crate) struct Trees {
    of: Vec<(Kind, Option<Tree>)>,
}

/// A mount namespace with what is shown of the system, a folder or file for each first part of a path.
#[derive(Debug)]
pub(crate) struct Tree {
    namespace: OwnedFd,
}

impl Trees {
    /// Makes ready what a plan shows of the system. Whoever is not root can make a tree, and not give anybody a copy:
    /// it is in a user namespace by then that has no rights to it.
    pub(crate) fn add(&mut self, plan: &Plan) {
        if !plan.wants(Layer::Files) || !rustix::process::geteuid().is_root() {
            return;
        }
        if self.find(plan).is_some() {
            return;
        }
        if self.of.len() >= KEPT_MAX {
            self.of.clear();
        }
        // Where none can be made every program puts together what it sees.
        self.of.push((kind_of(plan), Tree::new(plan).ok()));
    }

    /// The tree of a plan, if there is one.
    pub(crate) fn of(&self, plan: &Plan) -> Option<&Tree> {
        self.find(plan)?.as_ref()
    }

    fn find(&self, plan: &Plan) -> Option<&Option<Tree>> {
        let is_same = |kind: &Kind| kind.0 == plan.system && kind.1 == plan.links;
        self.of.iter().find(|(kind, _)| is_same(kind)).map(|(_, tree)| tree)
    }
}

fn kind_of(plan: &Plan) -> Kind {
    (plan.system.clone(), plan.links.clone())
}

impl Tree {
    /// A mount namespace is made by a process that moves there, and lasts as long as somebody has it open.
    fn new(plan: &Plan) -> io::Result<Tree> {
        let (wait, go) = io::pipe()?;
        let (ready, tell) = io::pipe()?;
        let Some(helper) = fork_child()? else {
            drop((go, ready));
            if put_together(plan).is_ok() {
                let _ = io::Write::write(&mut &tell, &[1]);
            }
            drop(tell);
            let _ = io::Read::read(&mut &wait, &mut [0]);
            std::process::exit(0);
        };
        drop((wait, tell));
        let is_made = matches!(io::Read::read(&mut &ready, &mut [0]), Ok(1));
        let namespace = File::open(format!("/proc/{helper}/ns/mnt"));
        drop(go);
        let _ = nix::sys::wait::waitpid(nix::unistd::Pid::from_raw(helper), None);
        let tree = Tree { namespace: namespace?.into() };
        match is_made && tree.can_be_entered()? {
            true => Ok(tree),
            false => Err(io::Error::other("no tree of the system's files")),
        }
    }

    /// Whether this process may move there: in a container it can have the right to make namespaces alone.
    fn can_be_entered(&self) -> io::Result<bool> {
        let Some(helper) = fork_child()? else {
            std::process::exit(i32::from(self.enter_copy().is_err()));
        };
        let ended = nix::sys::wait::waitpid(nix::unistd::Pid::from_raw(helper), None)?;
        Ok(matches!(ended, nix::sys::wait::WaitStatus::Exited(_, 0)))
    }

    /// Moves this process to a copy of the tree, in a mount namespace of its own.
    pub(crate) fn enter_copy(&self) -> io::Result<()> {
        setns(self.namespace.as_fd(), CloneFlags::CLONE_NEWNS)?;
        Ok(unshare(CloneFlags::CLONE_NEWNS)?)
    }
}

/// Runs in a process that ends afterwards.
fn put_together(plan: &Plan) -> io::Result<()> {
    unshare(CloneFlags::CLONE_NEWNS)?;
    view::make_private()?;
    let pieces = view::system_pieces(plan)?;
    let site = Path::new(view::SITE);
    view::mount_root(site)?;
    let parts = view::below(site, PARTS);
    for folder in [parts.as_path(), &view::below(site, SITE)] {
        fs::create_dir(folder)?;
    }
    view::make_links(&parts, plan.links.iter().cloned().chain(view::standard_links()));
    view::place(pieces, &parts)?;
    fs::create_dir_all(view::below(&parts, view::SHARED_MEMORY))?;
    make_mounts(&parts, plan)?;
    view::leave_for(site)
}

/// Makes every entry of a folder a mount, so that it can be moved, with all that is mounted below it.
fn make_mounts(folder: &Path, plan: &Plan) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // Links are made anew, and what is shown as a whole is one already.
        let is_mount = plan.system.contains(&Path::new("/").join(entry.file_name()));
        if is_mount || entry.file_type()?.is_symlink() {
            continue;
        }
        let path = entry.path();
        let mount = view::copy_of(&path)?;
        // The folders alone: devices below them are devices still.
        let attributes = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
        change_mount(mount.as_fd(), attributes, None, false)?;
        move_mount(&mount, "", CWD, &path, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)?;
    }
    Ok(())
}

/// The parts of the tree that this process has a copy of, each with where it belongs.
pub(crate) fn parts() -> io::Result<Vec<(PathBuf, PathBuf)>> {
    let mut parts = Vec::new();
    for entry in fs::read_dir(PARTS)? {
        let entry = entry?;
        if !entry.file_type()?.is_symlink() {
            parts.push((entry.path(), Path::new("/").join(entry.file_name())));
        }
    }
    Ok(parts)
}

/// Moves a part to its place in the root of a program.
pub(crate) fn move_part(from: &Path, to: &Path) -> rustix::io::Result<()> {
    move_mount(CWD, from, CWD, to, MoveMountFlags::empty())
}
