//! A network of its own for bots: a loopback and nothing else, so that they reach the host that called
//! them and nobody besides.
//!
//! A network namespace belongs to a process, and making one takes rights that an ordinary user only has
//! in a user namespace of its own. This process wants neither for itself, since its store may be on
//! another machine: a short-lived process makes both and opens what the host needs in them. What stays
//! is the sockets and two handles, and bots enter the namespaces as they are started.
//!
//! A bot that runs as root can leave such a network again, as it could leave anything but a virtual
//! machine.

use std::io;
use std::net::TcpListener;
use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd};
use std::sync::Arc;

use nix::errno::Errno;
use nix::sched::{CloneFlags, setns, unshare};
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketType};
use rustix::process::{DumpableBehavior, dumpable_behavior, set_dumpable_behavior};

use crate::connection_owner::{Directory, NLM_F_REQUEST, NLMSG_ERROR};
use crate::launcher::Launchers;
use crate::{Listener, listen, start};

/// A network that bots can be started in.
#[derive(Debug)]
pub struct Seclusion {
    /// The user namespace that the network belongs to; `None` if it belongs to that of this process.
    user: Option<OwnedFd>,
    network: OwnedFd,
    /// What starts programs there.
    launchers: Launchers,
}

/// What is opened in a new network.
struct Opened {
    seclusion: Seclusion,
    listeners: Vec<TcpListener>,
    directory: Directory,
}

impl Seclusion {
    /// Makes a network, and a listener in it.
    ///
    /// # Errors
    /// `PermissionDenied` or another kind where the system allows no such network, and as [`listen`].
    pub fn with_listener(address: &str) -> io::Result<(Arc<Seclusion>, Listener)> {
        let opened = Self::make(address)?;
        let listener = Listener::of(opened.listeners, opened.directory)?;
        Ok((Arc::new(opened.seclusion), listener))
    }

    /// As root without a user namespace, in which root would lose its rights to the files of others.
    fn make(address: &str) -> io::Result<Opened> {
        let kinds = match rustix::process::geteuid().is_root() {
            true => [false, true].as_slice(),
            false => &[true],
        };
        let mut last = io::Error::from(io::ErrorKind::PermissionDenied);
        for &with_user in kinds {
            match start::in_short_process(|| open(address, with_user)).flatten() {
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => last = error,
                made => return made,
            }
        }
        Err(last)
    }

    pub(crate) fn launchers(&self) -> &Launchers {
        &self.launchers
    }

    /// Moves the calling process into the network. It must have a single thread of its own.
    pub(crate) fn enter(&self) -> Result<(), Errno> {
        if let Some(user) = &self.user {
            setns(user, CloneFlags::CLONE_NEWUSER)?;
        }
        setns(&self.network, CloneFlags::CLONE_NEWNET)
    }
}

/// One network is another one's equal only if it is the same.
impl PartialEq for Seclusion {
    fn eq(&self, other: &Self) -> bool {
        self.network.as_raw_fd() == other.network.as_raw_fd()
    }
}

impl Eq for Seclusion {}

/// Runs in the short-lived process: moves it into a new network, and opens everything there.
fn open(address: &str, with_user: bool) -> io::Result<Opened> {
    let user = match with_user {
        true => Some(enter_user_namespace()?),
        false => None,
    };
    unshare(CloneFlags::CLONE_NEWNET)?;
    let network = handle("/proc/self/ns/net")?;
    raise_loopback()?;
    let seclusion = Seclusion { user, network, launchers: Launchers::default() };
    Ok(Opened { seclusion, listeners: listen(address)?, directory: Directory::open()? })
}

/// The user stays who it is, and is nobody else.
fn enter_user_namespace() -> io::Result<OwnedFd> {
    let user = rustix::process::geteuid().as_raw();
    let group = rustix::process::getegid().as_raw();
    // The maps of a process that hides its memory belong to root; this one shares the host's.
    let before = dumpable_behavior()?;
    set_dumpable_behavior(DumpableBehavior::Dumpable)?;
    let entered = unshare(CloneFlags::CLONE_NEWUSER).map_err(io::Error::from).and_then(|()| {
        std::fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
        std::fs::write("/proc/self/setgroups", "deny")?;
        std::fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
        handle("/proc/self/ns/user")
    });
    set_dumpable_behavior(before)?;
    entered
}

fn handle(path: &str) -> io::Result<OwnedFd> {
    Ok(std::fs::File::open(path)?.into())
}

/// The first interface of every network is its loopback, which is down at first.
const LOOPBACK_INDEX: i32 = 1;
const RTM_NEWLINK: u16 = 16;
const NLM_F_ACK: u16 = 4;
const IFF_UP: u32 = 1;
/// `struct nlmsghdr` and `struct ifinfomsg`.
const MESSAGE_BYTES: u32 = 16 + 16;

/// Asks the system as `ip link set lo up` does (rtnetlink(7)).
fn raise_loopback() -> io::Result<()> {
    let mut message = Vec::new();
    message.extend(MESSAGE_BYTES.to_ne_bytes());
    message.extend(RTM_NEWLINK.to_ne_bytes());
    message.extend((NLM_F_REQUEST | NLM_F_ACK).to_ne_bytes());
    // A sequence number and the number of this end: the system chooses. Family and kind: any.
    message.extend([0; 8]);
    message.extend([0; 4]);
    message.extend(LOOPBACK_INDEX.to_ne_bytes());
    // The flags that are to be set, and which of all flags are meant.
    message.extend(IFF_UP.to_ne_bytes());
    message.extend(IFF_UP.to_ne_bytes());
    // The first of these protocols, NETLINK_ROUTE.
    let socket = rustix::net::socket(AddressFamily::NETLINK, SocketType::RAW, None)?;
    rustix::net::send(&socket, &message, SendFlags::empty())?;
    let mut answer = [0; 64];
    rustix::net::recv(socket.as_fd(), &mut answer[..], RecvFlags::empty())?;
    let kind = u16::from_ne_bytes([answer[4], answer[5]]);
    let error = i32::from_ne_bytes([answer[16], answer[17], answer[18], answer[19]]);
    match (kind, error) {
        (NLMSG_ERROR, 0) => Ok(()),
        (NLMSG_ERROR, error) => Err(io::Error::from_raw_os_error(-error)),
        (kind, _) => {
            Err(io::Error::other(format!("expected an acknowledgement, got message {kind}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::os::fd::OwnedFd;

    use quintain_record::Launch;

    use super::*;
    use crate::connection_owner::Owner;

    /// What a program prints that is started in a network.
    fn said(seclusion: &Arc<Seclusion>, script: &str) -> (u32, String) {
        let launch = Launch {
            program: "bash".to_owned(),
            args: vec!["-c".to_owned(), script.to_owned()],
            ..Launch::default()
        };
        let (mut reader, writer) = io::pipe().expect("a pipe");
        let stdin: OwnedFd = io::pipe().expect("a pipe").0.into();
        let stderr = writer.try_clone().expect("another handle").into();
        let streams = start::Streams { stdin, stdout: writer.into(), stderr };
        let pid = start::start(&launch, Some(seclusion), &streams).expect("bash");
        drop(streams);
        let mut text = String::new();
        reader.read_to_string(&mut text).expect("text");
        (pid.as_raw_nonzero().get().cast_unsigned(), text)
    }

    /// With a user namespace and, as root, without one.
    #[test]
    fn a_program_in_a_network_of_its_own_reaches_the_door_and_nothing_else() {
        let outside = TcpListener::bind("127.0.0.1:0").expect("a port");
        let far = outside.local_addr().expect("an address").port();
        for with_user in [true, false] {
            let opened = start::in_short_process(|| open("localhost:0", with_user)).flatten();
            // The system decides; what is said where it refuses is tested with the command.
            let Ok(Opened { seclusion, listeners, directory }) = opened else { continue };
            let near = listeners[0].local_addr().expect("an address").port();
            assert!(
                TcpListener::bind(("127.0.0.1", near)).is_ok(),
                "the port is another network's"
            );
            let seclusion = Arc::new(seclusion);
            let script = format!(
                "id -u; (exec 3<>/dev/tcp/127.0.0.1/{far}) 2>/dev/null && echo out; \
                 exec 3<>/dev/tcp/127.0.0.1/{near} && {{ read -r -u 3; echo in; }}"
            );
            let user = rustix::process::geteuid().as_raw();
            let (pid, text) = std::thread::scope(|scope| {
                let program = scope.spawn(|| said(&seclusion, &script));
                let (stream, _) = listeners[0].accept().expect("a client");
                // The program descends from this process.
                let owner = directory.owner(&stream, std::process::id());
                assert_eq!(owner, Owner::Family, "its socket is found");
                drop(stream);
                program.join().expect("it ends")
            });
            assert_eq!(text, format!("{user}\nin\n"));
            let pid = rustix::process::Pid::from_raw(pid.cast_signed());
            rustix::process::waitpid(pid, rustix::process::WaitOptions::empty()).expect("ours");
        }
    }
}
