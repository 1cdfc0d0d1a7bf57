//! Exchanges of lines with nothing around them: the floor that a match is measured against.

use std::fs::File;
use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use anyhow::Context as _;
use quintain_core::{PerSeat, Seat};
use quintain_links::Quarters;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{Mode, OFlags, fcntl_setfl, mkdirat, openat};

use crate::matches::START_TIME;
use crate::script::{Part, Rehearsed};
use crate::{Call, Means};

/// As long as a typical message of a game.
const LINE: &[u8; 60] = b"player number two did go south west and is to throw - 12345\n";
const EXCHANGES: u32 = 20_000;
/// What is written where a match writes a state.
static CONTENT: [u8; 1 << 20] = [b'.'; 1 << 20];

/// A child that answers at once, waited for as a referee must: non-blocking, read first, then poll.
pub(crate) struct Partner {
    child: Child,
    input: Option<ChildStdin>,
    output: ChildStdout,
}

impl Partner {
    /// `call` says how it answers.
    pub(crate) fn start(means: &Means<'_>, call: &Call<'_>) -> anyhow::Result<Partner> {
        let mut child =
            means.program.command(call).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take();
        let output = child.stdout.take().expect("the child's output was piped");
        fcntl_setfl(&output, OFlags::NONBLOCK)?;
        Ok(Partner { child, input, output })
    }

    fn by_heart(means: &Means<'_>, script: &Path) -> anyhow::Result<Partner> {
        Partner::start(means, &Call::Recite { script })
    }

    pub(crate) fn answer(&mut self, question: &[u8]) -> std::io::Result<()> {
        self.tell(question)?;
        self.hear()
    }

    fn tell(&mut self, lines: &[u8]) -> std::io::Result<()> {
        self.input.as_mut().expect("the child's input was piped").write_all(lines)
    }

    fn hear(&mut self) -> std::io::Result<()> {
        read_until_line_end(&mut self.output)
    }
}

impl Drop for Partner {
    fn drop(&mut self) {
        // It ends when nothing more comes.
        self.input = None;
        let _ = self.child.wait();
    }
}

/// Microseconds per answer of a match with nothing around it: when an answer is due, both bots are told
/// what they are told in the match, each in one write, and the answer is read.
pub(crate) fn pipe_exchange_us(
    means: &Means<'_>,
    rehearsed: &Rehearsed,
    scripts: &PerSeat<PathBuf>,
    line_end: &str,
) -> anyhow::Result<f64> {
    let start = |seat: Seat| Partner::by_heart(means, &scripts[seat]);
    let mut bots = PerSeat([start(Seat::First)?, start(Seat::Second)?]);
    let mut told = PerSeat::from_fn(|seat| {
        let part = &rehearsed.parts[seat];
        part.told.iter().zip(&part.script.0)
    });
    let mut untold = PerSeat::<Vec<u8>>::default();
    std::thread::sleep(START_TIME);
    let (mut answers, started) = (0_u32, Instant::now());
    for &seat in &rehearsed.order {
        let (line, said) = told[seat].next().context("a line that nobody was told")?;
        untold[seat].extend_from_slice(line.as_bytes());
        untold[seat].extend_from_slice(line_end.as_bytes());
        if said.is_empty() {
            continue;
        }
        for seat in [seat, seat.other()] {
            if !untold[seat].is_empty() {
                bots[seat].tell(&untold[seat])?;
                untold[seat].clear();
            }
        }
        bots[seat].hear()?;
        answers += 1;
    }
    Ok(started.elapsed().as_secs_f64() * 1e6 / f64::from(answers))
}

/// Microseconds per exchange of a match with state files: folder and files of a round are written
/// for one bot after the other, its number is sent, its answer read.
pub(crate) fn file_exchange_us(
    means: &Means<'_>,
    parts: &PerSeat<Part>,
    scripts: &PerSeat<PathBuf>,
) -> anyhow::Result<f64> {
    let mut bots = Vec::new();
    for (seat, script) in scripts.iter() {
        let bot = Partner::by_heart(means, script)?;
        let quarters = Quarters::empty()?;
        let rounds = File::open(quarters.folder().join("rounds"))?;
        bots.push((&parts[seat].files, bot, rounds, quarters));
    }
    std::thread::sleep(START_TIME);
    let (mut exchanges, started) = (0_u32, Instant::now());
    for round in 0..parts.0.iter().map(|part| part.files.len()).max().unwrap_or(0) {
        for (files, bot, rounds, _) in &mut bots {
            let Some(files) = files.get(round) else { continue };
            let number = round + 1;
            write_files(rounds, number, files)?;
            bot.answer(format!("{number}\n").as_bytes())?;
            exchanges += 1;
        }
    }
    Ok(started.elapsed().as_secs_f64() * 1e6 / f64::from(exchanges))
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

/// A program that connects by itself and says each line again.
pub(crate) struct Client {
    child: Child,
    stream: Option<TcpStream>,
}

impl Client {
    pub(crate) fn start(command: &mut Command, listener: &TcpListener) -> anyhow::Result<Client> {
        let child = command.spawn()?;
        let (stream, _) = listener.accept()?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        Ok(Client { child, stream: Some(stream) })
    }

    pub(crate) fn exchange(&mut self) -> std::io::Result<()> {
        let stream = self.stream.as_mut().expect("it is open as long as the client is there");
        stream.write_all(LINE)?;
        read_until_line_end(stream)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // As a partner.
        self.stream = None;
        let _ = self.child.wait();
    }
}

/// Microseconds per exchange with one of two clients on loopback, in turn.
pub(crate) fn tcp_exchange_us(means: &Means<'_>) -> anyhow::Result<f64> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?.to_string();
    let start = || {
        let mut command = means.program.command(&Call::EchoTo { address: &address });
        Client::start(&mut command, &listener)
    };
    let mut clients = [start()?, start()?];
    let mut exchange =
        |times: u32| (0..times).try_for_each(|time| clients[time as usize % 2].exchange());
    exchange(EXCHANGES / 10)?;
    let started = Instant::now();
    exchange(EXCHANGES)?;
    Ok(started.elapsed().as_secs_f64() * 1e6 / f64::from(EXCHANGES))
}
