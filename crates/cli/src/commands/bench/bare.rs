//! Exchanges of lines with nothing around them: the floor that a match is measured against.

use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::os::fd::AsFd;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{OFlags, fcntl_setfl};

use super::this_program;

/// As long as a typical message of a game.
const LINE: &[u8; 60] = b"player number two did go south west and is to throw - 12345\n";
const EXCHANGES: u32 = 20_000;

/// Microseconds per exchange with one child over pipes, waiting as a referee must: non-blocking,
/// read first, then poll.
pub(super) fn pipe_exchange_us() -> anyhow::Result<f64> {
    let mut child = Command::new(this_program()?)
        .arg("echo")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut input = child.stdin.take().expect("the child's input was piped");
    let mut output = child.stdout.take().expect("the child's output was piped");
    fcntl_setfl(&output, OFlags::NONBLOCK)?;
    let mut exchange = || -> std::io::Result<()> {
        input.write_all(LINE)?;
        read_line(&mut output)
    };
    for _ in 0..EXCHANGES / 10 {
        exchange()?;
    }
    let started = Instant::now();
    for _ in 0..EXCHANGES {
        exchange()?;
    }
    let seconds = started.elapsed().as_secs_f64();
    drop(input);
    child.wait()?;
    Ok(seconds * 1e6 / f64::from(EXCHANGES))
}

/// Microseconds per exchange with one of two clients on loopback, in turn.
pub(super) fn tcp_exchange_us() -> anyhow::Result<f64> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?.to_string();
    let mut clients = Vec::new();
    for _ in 0..2 {
        let child = Command::new(this_program()?).args(["echo", "--connect", &address]).spawn()?;
        let (stream, _) = listener.accept()?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        clients.push((child, stream));
    }
    for _ in 0..EXCHANGES / 20 {
        both_in_turn(&mut clients)?;
    }
    let started = Instant::now();
    for _ in 0..EXCHANGES / 2 {
        both_in_turn(&mut clients)?;
    }
    let seconds = started.elapsed().as_secs_f64();
    for (mut child, stream) in clients {
        drop(stream);
        child.wait()?;
    }
    Ok(seconds * 1e6 / f64::from(EXCHANGES))
}

fn both_in_turn(clients: &mut [(Child, TcpStream)]) -> std::io::Result<()> {
    for (_, stream) in clients {
        stream.write_all(LINE)?;
        read_line(stream)?;
    }
    Ok(())
}

fn read_line(source: &mut (impl std::io::Read + AsFd)) -> std::io::Result<()> {
    let mut buffer = [0; 4096];
    let mut count = 0;
    while count < LINE.len() {
        match source.read(&mut buffer[count..]) {
            Ok(0) => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => count += read,
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                poll(&mut [PollFd::new(source, PollFlags::IN)], None)?;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
