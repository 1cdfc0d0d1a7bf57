//! A sample bot for Paper Hockey, with the standard library alone. Copy the folder, then change
//! `choose.rs`.
//!
//! `board.rs` is the rink, `dialogue.rs` the conversation with the host; this file connects the
//! two with a socket, or with standard input and output.

mod board;
mod choose;
mod dialogue;

use std::env;
use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::net::TcpStream;
use std::process::ExitCode;

use dialogue::Dialogue;

const HELP: &str = "\
A sample bot for Paper Hockey.

Usage: hockey-sample-bot [NAME] [--host HOST] [--port PORT] [--stdio]

Without options it connects to localhost, port 8023. The environment variables
QUINTAIN_NAME, QUINTAIN_HOST and QUINTAIN_PORT stand in for options not given.
";

struct Options {
    name: String,
    host: String,
    port: String,
    stdio: bool,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if arguments.iter().any(|word| word == "--help" || word == "-h") {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    let result = parse(&arguments, |name| env::var(name).ok()).and_then(|options| play(&options));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn parse(
    arguments: &[String],
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Options, String> {
    let or = |name: &str, usual: &str| variable(name).unwrap_or_else(|| usual.to_owned());
    let mut options = Options {
        name: or("QUINTAIN_NAME", "Crab"),
        host: or("QUINTAIN_HOST", "localhost"),
        port: or("QUINTAIN_PORT", "8023"),
        stdio: false,
    };
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().cloned().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--stdio" => options.stdio = true,
            "--host" => options.host = value()?,
            "--port" => options.port = value()?,
            other if other.starts_with("--") => return Err(format!("unknown option {other}")),
            name => options.name = name.to_owned(),
        }
    }
    Ok(options)
}

fn play(options: &Options) -> Result<(), String> {
    let dialogue = Dialogue::new(&options.name);
    let result = if options.stdio {
        talk(dialogue, io::stdin().lock(), io::stdout().lock())
    } else {
        let port = options.port.parse::<u16>();
        let port = port.map_err(|_| format!("expected a port number, got `{}`", options.port))?;
        let address = format!("{}:{port}", options.host);
        let stream = TcpStream::connect((options.host.as_str(), port)).map_err(|error| {
            format!("cannot reach {address}: {error}; start `quintain host hockey` first")
        })?;
        let reader = stream.try_clone().map_err(|error| error.to_string())?;
        talk(dialogue, BufReader::new(reader), stream)
    };
    match result {
        // The host left in the middle of a line: the match is over.
        Err(error) if is_goodbye(&error) => Ok(()),
        other => other.map_err(|error| error.to_string()),
    }
}

/// Answers line by line until the host closes the connection.
fn talk(mut dialogue: Dialogue, mut from: impl BufRead, mut to: impl Write) -> io::Result<()> {
    let mut bytes = Vec::new();
    while from.read_until(b'\n', &mut bytes)? > 0 {
        // The host ends its lines with CR LF; a bare LF will do as well.
        let line = String::from_utf8_lossy(&bytes);
        if let Some(answer) = dialogue.hear(line.trim_end_matches(['\r', '\n'])) {
            to.write_all(format!("{answer}\r\n").as_bytes())?;
            to.flush()?;
        }
        bytes.clear();
    }
    Ok(())
}

fn is_goodbye(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_line_ends_are_understood_and_answers_end_with_both_characters() {
        let mut said = Vec::new();
        let heard = b"What's your name?\r\nName taken, please choose another.\n".as_slice();
        talk(Dialogue::new("Bob"), heard, &mut said).unwrap();
        assert_eq!(said, b"Bob\r\nBob-2\r\n");
    }

    #[test]
    fn arguments_come_before_the_environment() {
        let environment = |name: &str| (name == "QUINTAIN_NAME").then(|| "Eve".to_owned());
        let parsed = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            parse(&words, environment)
        };
        let options = parsed(&["--port", "9000", "--stdio"]).unwrap();
        assert_eq!((options.name.as_str(), options.port.as_str()), ("Eve", "9000"));
        assert!(options.stdio);
        assert_eq!(parsed(&["Bob"]).unwrap().name, "Bob");
        assert_eq!(parsed(&["--port"]).err().as_deref(), Some("--port needs a value"));
        assert_eq!(parsed(&["--fast"]).err().as_deref(), Some("unknown option --fast"));
    }
}
