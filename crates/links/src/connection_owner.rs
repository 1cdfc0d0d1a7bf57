//! Who holds the other end of a local connection: the system knows the socket that it belongs to, and
//! `/proc` which process has that socket open.
//!
//! A bot that leaves its group and its ancestors behind cannot be told from a stranger and counts as
//! one. A process of the same user that joins the group of somebody else counts as one of theirs: only
//! a sandbox could hold it, as it could do worse.

use std::fs;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::os::fd::OwnedFd;
use std::sync::{Mutex, PoisonError};

use rustix::io::Errno;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, netlink};

use crate::family;

/// Who connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// A process that the bot's own process started, or that itself.
    Family,
    /// A process of this machine that is not known to belong to the bot.
    Stranger,
    /// Nobody on this machine, as far as can be seen from here.
    Unknown,
}

/// The system's list of connections in one network: that of whoever opened it.
#[derive(Debug)]
pub(crate) struct Directory {
    /// One question at a time. `None` where the system has no such service.
    service: Mutex<Option<OwnedFd>>,
}

impl Directory {
    /// # Errors
    /// If the process has too many open files.
    pub(crate) fn open() -> io::Result<Directory> {
        let socket = rustix::net::socket_with(
            AddressFamily::NETLINK,
            SocketType::DGRAM,
            SocketFlags::CLOEXEC,
            Some(netlink::SOCK_DIAG),
        );
        let service = match socket {
            Ok(socket) => Some(socket),
            Err(error @ (Errno::MFILE | Errno::NFILE)) => return Err(error.into()),
            Err(_) => None,
        };
        Ok(Directory { service: Mutex::new(service) })
    }

    /// Who holds the other end of `stream`, seen from the process that leads a bot's group.
    pub(crate) fn owner(&self, stream: &TcpStream, leader: u32) -> Owner {
        let (Ok(theirs), Ok(ours)) = (stream.peer_addr(), stream.local_addr()) else {
            return Owner::Unknown;
        };
        match self.socket_number(theirs, ours, leader) {
            None => Owner::Unknown,
            Some(socket) if family_holds(leader, socket) => Owner::Family,
            Some(_) => Owner::Stranger,
        }
    }

    /// The number of the socket from which `theirs` talks to `ours`, if it is of this machine and open.
    fn socket_number(&self, theirs: SocketAddr, ours: SocketAddr, leader: u32) -> Option<u64> {
        let found = match self.asked(theirs, ours) {
            Asked::Found(number) => Some(number),
            Asked::Nothing => None,
            // Some containers and sandboxes have no such service.
            Asked::Unanswered => listed(theirs, ours, leader),
        };
        // A socket that was closed by its process has no number.
        found.filter(|number| *number != 0)
    }

    /// Asks the system for one socket, as `ss` does (sock_diag(7)): a list of all takes long on a host
    /// with thousands of connections that are about to vanish.
    fn asked(&self, theirs: SocketAddr, ours: SocketAddr) -> Asked {
        let service = self.service.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(socket) = service.as_ref() else { return Asked::Unanswered };
        let answer = || -> rustix::io::Result<Vec<u8>> {
            rustix::net::send(socket, &request(theirs, ours), SendFlags::empty())?;
            let mut answer = vec![0; 1024];
            let (length, _) = rustix::net::recv(socket, &mut answer[..], RecvFlags::DONTWAIT)?;
            answer.truncate(length);
            Ok(answer)
        };
        answer().map_or(Asked::Unanswered, |answer| number_in(&answer))
    }
}

/// Most bots take the place of their script, so that one is looked at before all processes are.
fn family_holds(leader: u32, socket: u64) -> bool {
    let name = format!("socket:[{socket}]");
    family::holds(leader, &name)
        || family::members(leader).into_keys().any(|pid| family::holds(pid, &name))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Found(u64),
    Nothing,
    Unanswered,
}

const HEADER_BYTES: usize = 16;
/// `struct inet_diag_req_v2`.
const REQUEST_BYTES: usize = 56;
/// Where `struct inet_diag_msg` has the number of the socket.
const NUMBER_AT: usize = HEADER_BYTES + 68;
const SOCK_DIAG_BY_FAMILY: u16 = 20;
pub(crate) const NLMSG_ERROR: u16 = 2;
pub(crate) const NLM_F_REQUEST: u16 = 1;
const AF_INET: u8 = 2;
const AF_INET6: u8 = 10;
const IPPROTO_TCP: u8 = 6;
const ENOENT: i32 = 2;

fn request(theirs: SocketAddr, ours: SocketAddr) -> Vec<u8> {
    let (theirs, ours) = (plain(theirs), plain(ours));
    let mut bytes = Vec::with_capacity(HEADER_BYTES + REQUEST_BYTES);
    let length = u32::try_from(HEADER_BYTES + REQUEST_BYTES).expect("both are small");
    bytes.extend(length.to_ne_bytes());
    bytes.extend(SOCK_DIAG_BY_FAMILY.to_ne_bytes());
    bytes.extend(NLM_F_REQUEST.to_ne_bytes());
    // A sequence number and the number of this end: the system chooses.
    bytes.extend([0; 8]);
    bytes.extend([if theirs.is_ipv4() { AF_INET } else { AF_INET6 }, IPPROTO_TCP, 0, 0]);
    // In all states.
    bytes.extend(u32::MAX.to_ne_bytes());
    bytes.extend(theirs.port().to_be_bytes());
    bytes.extend(ours.port().to_be_bytes());
    for address in [theirs.ip(), ours.ip()] {
        let mut field = [0; 16];
        match address {
            IpAddr::V4(address) => field[..4].copy_from_slice(&address.octets()),
            IpAddr::V6(address) => field.copy_from_slice(&address.octets()),
        }
        bytes.extend(field);
    }
    // Any interface, and no cookie of an earlier answer.
    bytes.extend(0_u32.to_ne_bytes());
    bytes.extend([u8::MAX; 8]);
    bytes
}

/// An IPv4 address in the clothes of IPv6 is known to the system as what it is.
fn plain(address: SocketAddr) -> SocketAddr {
    SocketAddr::new(address.ip().to_canonical(), address.port())
}

fn number_in(answer: &[u8]) -> Asked {
    let number = |at: usize| {
        let bytes = answer.get(at..at + 4)?;
        Some(u32::from_ne_bytes(bytes.try_into().expect("four bytes were taken")))
    };
    let kind = answer.get(4..6).map(|bytes| u16::from_ne_bytes([bytes[0], bytes[1]]));
    match (kind, number(HEADER_BYTES), number(NUMBER_AT)) {
        (Some(SOCK_DIAG_BY_FAMILY), _, Some(found)) => Asked::Found(u64::from(found)),
        (Some(NLMSG_ERROR), Some(error), _) if error.cast_signed() == -ENOENT => Asked::Nothing,
        _ => Asked::Unanswered,
    }
}

/// Looks for the socket in the system's list of all connections, as the bot's own network has it.
fn listed(theirs: SocketAddr, ours: SocketAddr, leader: u32) -> Option<u64> {
    let tables = ["tcp", "tcp6"].map(|table| format!("/proc/{leader}/net/{table}"));
    let mut texts = tables.into_iter().filter_map(|table| fs::read_to_string(table).ok());
    texts.find_map(|text| number_in_table(&text, theirs, ours))
}

/// The columns are the line's number, both addresses, the state, and the socket's number as the tenth.
fn number_in_table(text: &str, theirs: SocketAddr, ours: SocketAddr) -> Option<u64> {
    const NUMBER_AFTER: usize = 6;
    let (theirs, ours) = (table_words(theirs), table_words(ours));
    let lines = text.lines().skip(1).map(str::split_ascii_whitespace);
    lines.filter_map(|mut words| Some((words.nth(1)?, words.next()?, words))).find_map(
        |(local, remote, mut rest)| {
            let is_it = (0..2).any(|form| local == theirs[form] && remote == ours[form]);
            if is_it { rest.nth(NUMBER_AFTER)?.parse().ok() } else { None }
        },
    )
}

/// An address as the list of IPv4 has it, and as that of IPv6 has it: words of four bytes, each as a
/// number of this machine. An address of IPv6 is in the second list only.
fn table_words(address: SocketAddr) -> [String; 2] {
    let octets = match address.ip() {
        IpAddr::V4(address) => address.to_ipv6_mapped().octets(),
        IpAddr::V6(address) => address.octets(),
    };
    let word = |word: &[u8]| {
        let bytes = word.try_into().expect("words of four bytes");
        format!("{:08X}", u32::from_ne_bytes(bytes))
    };
    let words: Vec<String> = octets.chunks(4).map(word).collect();
    let port = address.port();
    let long = format!("{}:{port:04X}", words.concat());
    let short = format!("{}:{port:04X}", words[3]);
    if plain(address).is_ipv4() { [short, long] } else { [long.clone(), long] }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::os::unix::process::CommandExt as _;
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};

    use super::*;

    fn end(mut child: Child) {
        child.kill().expect("a process of ours");
        child.wait().expect("a process of ours");
    }

    /// A script whose child connects and stays.
    fn caller(port: u16) -> Child {
        let connect = format!("exec 3<>/dev/tcp/127.0.0.1/{port}; exec sleep 60");
        let script = format!("bash -c '{connect}' & wait");
        let mut command = Command::new("bash");
        command.arg("-c").arg(script).process_group(0).stdin(Stdio::null());
        command.spawn().expect("bash")
    }

    #[test]
    fn a_connection_belongs_to_the_process_that_started_its_holder() {
        let directory = Directory::open().expect("there is room");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let one = caller(port);
        let (stream, _) = listener.accept().expect("a client");
        let other = caller(port);
        let (second, _) = listener.accept().expect("a client");
        assert_eq!(directory.owner(&stream, one.id()), Owner::Family);
        assert_eq!(directory.owner(&stream, other.id()), Owner::Stranger);
        assert_eq!(directory.owner(&second, one.id()), Owner::Stranger);
        assert_eq!(directory.owner(&second, other.id()), Owner::Family);
        for child in [one, other] {
            let group = rustix::process::Pid::from_raw(child.id().cast_signed()).expect("a number");
            rustix::process::kill_process_group(group, rustix::process::Signal::KILL)
                .expect("a group of ours");
            end(child);
        }
    }

    #[test]
    fn both_ways_of_asking_agree_in_all_families() {
        let directory = Directory::open().expect("there is room");
        for address in ["127.0.0.1:0", "[::1]:0", "[::ffff:127.0.0.1]:0"] {
            let listener = TcpListener::bind(address).expect("a port");
            let target = listener.local_addr().expect("an address");
            let client = TcpStream::connect(target).expect("a connection");
            let (stream, _) = listener.accept().expect("a client");
            let ends =
                (stream.peer_addr().expect("connected"), stream.local_addr().expect("connected"));
            let number = listed(ends.0, ends.1, std::process::id());
            assert!(number.is_some_and(|number| number > 0), "{address}");
            let asked = directory.asked(ends.0, ends.1);
            assert_eq!(asked, Asked::Found(number.expect("found")), "{address}");
            assert_eq!(directory.owner(&stream, std::process::id()), Owner::Family, "{address}");
            drop(client);
            assert_eq!(settled(&directory, &stream), Owner::Unknown, "{address}");
        }
    }

    /// Who holds a connection once nobody of this process does: a process that another test is starting
    /// has all open that this one had, until it has loaded its program.
    fn settled(directory: &Directory, stream: &TcpStream) -> Owner {
        let until = Instant::now() + Duration::from_secs(10);
        loop {
            let found = directory.owner(stream, std::process::id());
            if found == Owner::Unknown || Instant::now() >= until {
                return found;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn answers_that_are_none_are_not_taken_for_one() {
        assert_eq!(number_in(&[]), Asked::Unanswered);
        assert_eq!(number_in(&[0; 100]), Asked::Unanswered);
        let nobody: SocketAddr = "192.0.2.1:4".parse().expect("an address");
        let directory = Directory::open().expect("there is room");
        assert_eq!(directory.socket_number(nobody, nobody, std::process::id()), None);
    }
}
