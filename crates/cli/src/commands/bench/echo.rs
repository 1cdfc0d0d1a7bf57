//! The simplest bot there is: answers every line with the same line, at once.

use std::io::{Read, Write};
use std::net::TcpStream;

use crate::args::EchoArgs;

pub(super) fn run(args: &EchoArgs) -> anyhow::Result<()> {
    match &args.connect {
        Some(address) => {
            let stream = TcpStream::connect(address.as_str())?;
            stream.set_nodelay(true)?;
            echo(&stream, &stream)
        }
        None => echo(std::io::stdin(), std::io::stdout()),
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
