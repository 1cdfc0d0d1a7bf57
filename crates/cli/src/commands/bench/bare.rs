//! Exchanges of lines with nothing around them: the floor that a match is measured against.

use std::fs::File;
use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use anyhow::Context as _;
use quintain_core::PerSeat;
use quintain_links::Quarters;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{Mode, OFlags, fcntl_setfl, mkdirat, openat};

use super::matches::START_TIME;
use super::script::Part;
use super::this_program;

/// As long as a typical message of a game.
pub(super) const LINE: &[u8; 60] = b"player number two did go south west and is to throw - 12345\n";
const EXCHANGES: u32 = 20_000;
/// What is written where a match writes a state.
static CONTENT: [u8; 1 << 20] = [b'.'; 1 << 20];

/// A child that sends every line back, waited for as a referee must: non-blocking, read first, then
/// poll.
pub(super) struct Echo {
    child: Child,
    input: Option<ChildStdin>,
    output: ChildStdout,
}

impl Echo {
    pub(super) fn start() -> anyhow::Result<Echo> {
        let mut child = Command::new(this_program()?)
            .arg("echo")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take();
        let output = child.stdout.take().expect("the child's output was piped");
        fcntl_setfl(&output, OFlags::NONBLOCK)?;
        Ok(Echo { child, input, output })
    }

    pub(super) fn exchange(&mut self) -> std::io::Result<()> {
        self.input.as_mut().expect("the child's input was piped").write_all(LINE)?;
        read_line(&mut self.output)
    }
}

impl Drop for Echo {
    fn drop(&mut self) {
        // It ends when nothing more comes.
        self.input = None;
        let _ = self.child.wait();
    }
}

/// Microseconds per exchange with one child over pipes.
pub(super) fn pipe_exchange_us() -> anyhow::Result<f64> {
    let mut echo = Echo::start()?;
    for _ in 0..EXCHANGES / 10 {
        echo.exchange()?;
    }
    let started = Instant::now();
    for _ in 0..EXCHANGES {
        echo.exchange()?;
    }
    Ok(started.elapsed().as_secs_f64() * 1e6 / f64::from(EXCHANGES))
}

/// Microseconds per exchange of a match with state files: folder and files of a round are written
/// for one bot after the other, its number is sent, its answer read.
pub(super) fn file_exchange_us(
    parts: &PerSeat<Part>,
    scripts: &PerSeat<PathBuf>,
) -> anyhow::Result<f64> {
    let mut bots = Vec::new();
    for (seat, script) in scripts.iter() {
        let mut child = Command::new(this_program()?)
            .args(["echo", "--script"])
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take().expect("the child's input was piped");
        let output = child.stdout.take().expect("the child's output was piped");
        fcntl_setfl(&output, OFlags::NONBLOCK)?;
        let quarters = Quarters::empty()?;
        let rounds = File::open(quarters.folder().join("rounds"))?;
        bots.push((&parts[seat].files, child, input, output, rounds, quarters));
    }
    std::thread::sleep(START_TIME);
    let (mut exchanges, started) = (0_u32, Instant::now());
    for round in 0..parts.0.iter().map(|part| part.files.len()).max().unwrap_or(0) {
        for (files, _, input, output, rounds, _) in &mut bots {
            let Some(files) = files.get(round) else { continue };
            let number = round + 1;
            write_files(rounds, number, files)?;
            input.write_all(format!("{number}\n").as_bytes())?;
            read_until_line_end(output)?;
            exchanges += 1;
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    for (_, mut child, input, ..) in bots {
        drop(input);
        child.wait()?;
    }
    Ok(seconds * 1e6 / f64::from(exchanges))
}

fn write_files(rounds: &File, number: usize, files: &[(String, usize)]) -> anyhow::Result<()> {
    mkdirat(rounds, number.to_string(), Mode::from_raw_mode(0o755))?;
    for (name, bytes) in files {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::CLOEXEC;
        let path = format!("{number}/{name}");
        let file = openat(rounds, path, flags, Mode::from_raw_mode(0o644))?;
        let content = CONTENT.get(..*bytes).context("a state file is larger than expected")?;
        rustix::io::write(&file, content)?;
    }
    Ok(())
}

fn read_until_line_end(source: &mut (impl std::io::Read + AsFd)) -> std::io::Result<()> {
    let mut buffer = [0; 4096];
    loop {
        match source.read(&mut buffer) {
            Ok(0) => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            Ok(count) if buffer[count - 1] == b'\n' => return Ok(()),
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                poll(&mut [PollFd::new(source, PollFlags::IN)], None)?;
            }
            Err(error) => return Err(error),
        }
    }
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

pub(super) fn read_line(source: &mut (impl std::io::Read + AsFd)) -> std::io::Result<()> {
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
