//! Sockets that clients connect to.

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::halt::Halt;

/// Opens the sockets for an address. `localhost` means this machine by either of its addresses,
/// since clients differ in which one they try.
///
/// # Errors
/// Names the address and keeps the kind of the system's error, for instance `AddrInUse`.
pub fn listen(address: &str) -> io::Result<Vec<TcpListener>> {
    let named = |error: io::Error| {
        io::Error::new(error.kind(), format!("cannot listen on {address}: {error}"))
    };
    let Some(port) = address.strip_prefix("localhost:") else {
        return Ok(vec![TcpListener::bind(address).map_err(named)?]);
    };
    port_number(port).and_then(|port| listen_on(LOCALHOST, port)).map_err(named)
}

/// The addresses of this machine that nobody else reaches.
const LOCALHOST: [&str; 2] = ["127.0.0.1", "::1"];

/// Listens on a port of both addresses, or of the one that there is.
fn listen_on([first, second]: [&str; 2], wanted: u16) -> io::Result<Vec<TcpListener>> {
    let first = match TcpListener::bind((first, wanted)) {
        Err(error) if error.kind() == io::ErrorKind::AddrNotAvailable => {
            return Ok(vec![TcpListener::bind((second, wanted))?]);
        }
        bound => bound?,
    };
    let port = first.local_addr()?.port();
    let second = match TcpListener::bind((second, port)) {
        Ok(listener) => Some(listener),
        // Another program's, and clients would reach that one instead.
        Err(error) if error.kind() == io::ErrorKind::AddrInUse && wanted != 0 => {
            return Err(error);
        }
        // This machine has no such address.
        Err(_) => None,
    };
    Ok(std::iter::once(first).chain(second).collect())
}

fn port_number(port: &str) -> io::Result<u16> {
    port.parse().map_err(|_| {
        let message = format!("expected a port from 0 to 65535, got `{port}`");
        io::Error::new(io::ErrorKind::InvalidInput, message)
    })
}

/// Waits for the next client, at whichever socket it comes. `None` once `halt` says that it is enough.
///
/// # Errors
/// Waiting itself fails, or the client is gone again.
pub fn accept(sockets: &[TcpListener], halt: &Halt) -> io::Result<Option<(TcpStream, SocketAddr)>> {
    loop {
        if halt.is_reached() {
            return Ok(None);
        }
        let watch = |socket| PollFd::new(socket, PollFlags::IN);
        let mut watched: Vec<PollFd<'_>> = sockets.iter().map(watch).collect();
        let patience = Timespec::try_from(halt.patience()).expect("it looks again before long");
        match poll(&mut watched, Some(&patience)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        for (socket, seen) in sockets.iter().zip(&watched) {
            if !seen.revents().is_empty() {
                return socket.accept().map(Some);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An address that is nobody's: reserved for examples (RFC 5737, RFC 3849).
    const NO_FIRST: &str = "192.0.2.1";
    const NO_SECOND: &str = "2001:db8::1";

    #[test]
    fn a_machine_with_one_of_the_two_addresses_listens_on_that_one() {
        for pair in [["127.0.0.1", NO_SECOND], [NO_FIRST, "127.0.0.1"]] {
            let listeners = listen_on(pair, 0).expect("one of them is there");
            let addresses: Vec<_> = listeners.iter().map(|one| one.local_addr()).collect();
            assert_eq!(addresses.len(), 1, "{addresses:?}");
        }
        let error = listen_on([NO_FIRST, NO_SECOND], 0).expect_err("neither is there");
        assert_eq!(error.kind(), io::ErrorKind::AddrNotAvailable);
    }
}
