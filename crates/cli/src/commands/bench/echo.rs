//! The simplest bots there are: one answers every line with the same line, the other by a script.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;

use super::script::Script;
use crate::args::EchoArgs;

pub(super) fn run(args: &EchoArgs) -> anyhow::Result<()> {
    match (&args.connect, &args.script) {
        (Some(address), _) => {
            let stream = TcpStream::connect(address.as_str())?;
            stream.set_nodelay(true)?;
            echo(&stream, &stream)
        }
        (None, Some(script)) => recite(script, std::io::stdin(), std::io::stdout()),
        (None, None) => echo(std::io::stdin(), std::io::stdout()),
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

fn recite(script: &Path, mut input: impl Read, mut output: impl Write) -> anyhow::Result<()> {
    let Script(script) = serde_json::from_slice(&std::fs::read(script)?)?;
    let mut answers = script.into_iter();
    let mut buffer = [0; 4096];
    let mut said = Vec::new();
    loop {
        let count = input.read(&mut buffer)?;
        if count == 0 {
            return Ok(());
        }
        let lines = buffer[..count].iter().filter(|&&byte| byte == b'\n').count();
        for line in answers.by_ref().take(lines).flatten() {
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
