//! How a launcher is told to start a program: a message over a socket, with everything that the program is given open.
//! The answer is the number of the process that sees to it.

use std::fs::File;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};

use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recv, recvmsg, send, sendmsg,
};

/// How many descriptors come with an order.
const DESCRIPTORS: usize = 6;

/// What there is to say besides them.
const WORD: &[u8] = b"start";

/// What a launcher is given for one program.
pub(crate) struct Order {
    /// The plan, to be read from its beginning.
    pub(crate) plan: File,
    /// What becomes of it is told here.
    pub(crate) report: OwnedFd,
    /// Which limit was hit is told here.
    pub(crate) hits: OwnedFd,
    /// Input, output and error output of the program.
    pub(crate) streams: [OwnedFd; 3],
}

/// Gives an order with these descriptors: the plan, where to report, where to tell hits, and the three streams.
/// Returns the number of the process that carries it out, which is a child of whoever has started the launcher.
///
/// # Errors
/// The launcher is gone (`BrokenPipe` or `ConnectionReset`), or has no room for another process.
pub fn give_order(launcher: BorrowedFd<'_>, descriptors: &[BorrowedFd<'_>; 6]) -> io::Result<i32> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
    let mut beside = SendAncillaryBuffer::new(&mut space);
    beside.push(SendAncillaryMessage::ScmRights(descriptors));
    sendmsg(launcher, &[IoSlice::new(WORD)], &mut beside, SendFlags::NOSIGNAL)?;
    let mut bytes = [0; size_of::<i32>()];
    let length = retried(|| recv(launcher, &mut bytes, RecvFlags::empty()))?.0;
    match i32::from_ne_bytes(bytes) {
        _ if length == 0 => Err(Errno::CONNRESET.into()),
        number if number > 0 => Ok(number),
        error => Err(io::Error::from_raw_os_error(-error)),
    }
}

/// The next order; `None` if nobody gives any more.
pub(crate) fn receive(from: BorrowedFd<'_>) -> io::Result<Option<Order>> {
    let mut word = [0; WORD.len()];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
    let mut beside = RecvAncillaryBuffer::new(&mut space);
    let flags = RecvFlags::CMSG_CLOEXEC;
    let received =
        retried(|| recvmsg(from, &mut [IoSliceMut::new(&mut word)], &mut beside, flags))?;
    if received.bytes == 0 {
        return Ok(None);
    }
    let given = beside.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(given) => Some(given),
        _ => None,
    });
    let given: Vec<OwnedFd> = given.flatten().collect();
    let Ok([plan, report, hits, stdin, stdout, stderr]) = <[OwnedFd; DESCRIPTORS]>::try_from(given)
    else {
        return Err(io::Error::other(format!("expected {DESCRIPTORS} descriptors in an order")));
    };
    Ok(Some(Order { plan: plan.into(), report, hits, streams: [stdin, stdout, stderr] }))
}

/// Answers with the number of a process, or with an error of the system as one below zero.
pub(crate) fn answer(to: BorrowedFd<'_>, started: io::Result<i32>) -> io::Result<()> {
    let number = started.unwrap_or_else(|error| -error.raw_os_error().unwrap_or(1));
    send(to, &number.to_ne_bytes(), SendFlags::NOSIGNAL)?;
    Ok(())
}

/// Does it again if a signal came between.
fn retried<T>(mut call: impl FnMut() -> rustix::io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(Errno::INTR) => {}
            done => return Ok(done?),
        }
    }
}
