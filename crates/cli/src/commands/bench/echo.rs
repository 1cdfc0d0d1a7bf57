//! The simplest bots there are: one answers every line with the same line, one by a script, one says
//! the same line over and over.

use std::io::{Read, Write};
use std::net::TcpStream;

use super::script::Script;
use crate::args::EchoArgs;

pub(super) fn run(args: &EchoArgs) -> anyhow::Result<()> {
    if let Some(address) = &args.connect {
        let stream = TcpStream::connect(address.as_str())?;
        stream.set_nodelay(true)?;
        return echo(&stream, &stream);
    }
    if let (Some(line), Some(every)) = (&args.say, args.every) {
        let silence = std::iter::repeat_n(Vec::new(), every.get() as usize - 1);
        let script: Vec<Vec<String>> = silence.chain([vec![line.clone()]]).collect();
        return recite(script.into_iter().cycle(), std::io::stdin(), std::io::stdout());
    }
    if let Some(script) = &args.script {
        let Script(script) = serde_json::from_slice(&std::fs::read(script)?)?;
        return recite(script.into_iter(), std::io::stdin(), std::io::stdout());
    }
    echo(std::io::stdin(), std::io::stdout())
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
