//! The simplest bots there are: one answers every line with the same line, one by a script, one says
//! the same line over and over.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::num::NonZeroU32;
use std::path::Path;

use crate::script::Script;

/// How the other end of a bare exchange answers.
pub enum Echo<'a> {
    /// With what it hears, on standard input and output.
    Lines,
    /// The same over a connection to this address.
    Connected(&'a str),
    /// By the script in this file.
    Script(&'a Path),
    /// With one line after every so many.
    Say { line: &'a str, every: NonZeroU32 },
}

impl Echo<'_> {
    /// Answers until nothing more comes.
    ///
    /// # Errors
    /// There is no such address or script, or whoever listened has gone.
    pub fn run(&self) -> anyhow::Result<()> {
        match self {
            Echo::Lines => echo(std::io::stdin(), std::io::stdout()),
            Echo::Connected(address) => {
                let stream = TcpStream::connect(address)?;
                stream.set_nodelay(true)?;
                echo(&stream, &stream)
            }
            Echo::Script(script) => {
                let Script(script) = serde_json::from_slice(&std::fs::read(script)?)?;
                recite(script.into_iter(), std::io::stdin(), std::io::stdout())
            }
            Echo::Say { line, every } => {
                let silence = std::iter::repeat_n(Vec::new(), every.get() as usize - 1);
                let script: Vec<_> = silence.chain([vec![(*line).to_owned()]]).collect();
                recite(script.into_iter().cycle(), std::io::stdin(), std::io::stdout())
            }
        }
    }
}

fn echo(mut input: impl Read, mut output: impl Write) -> anyhow::Result<()> {
    let mut buffer = [0; 4096];
    loop {
        let count = input.read(&mut buffer)?;
        if count == 0 {
            return Ok(());
        }
        output.write_all(&buffer[..count])?;
        output.flush()?;
    }
}

/// For each line heard, says the next lines of the script.
fn recite(
    mut script: impl Iterator<Item = Vec<String>>,
    mut input: impl Read,
    mut output: impl Write,
) -> anyhow::Result<()> {
    let mut buffer = [0; 4096];
    let mut said = Vec::new();
    loop {
        let count = input.read(&mut buffer)?;
        if count == 0 {
            return Ok(());
        }
        let lines = buffer[..count].iter().filter(|&&byte| byte == b'\n').count();
        for line in script.by_ref().take(lines).flatten() {
            said.extend_from_slice(line.as_bytes());
            said.push(b'\n');
        }
        if !said.is_empty() {
            output.write_all(&said)?;
            output.flush()?;
            said.clear();
        }
    }
}
