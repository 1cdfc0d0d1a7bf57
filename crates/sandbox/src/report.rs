//! What the launcher tells while it works: which layers hold, and which processes there are.

use std::fmt;
use std::fs::File;
use std::io::{self, Write as _};
use std::str::FromStr;

use crate::Layer;

/// A layer that is not there, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    pub layer: Layer,
    pub why: String,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.layer, self.why)
    }
}

/// What the launcher told, complete once the program has been loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub held: Vec<Layer>,
    pub missing: Vec<Missing>,
    /// The process that is the program.
    pub program: Option<i32>,
    /// The first process of its namespace.
    pub init: Option<i32>,
    /// The process that all of its processes descend from, where there is no namespace.
    pub watch: Option<i32>,
    /// Why the program does not run.
    pub failed: Option<Failed>,
}

/// Why a program does not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failed {
    /// The system did not load it.
    Load(i32),
    /// A layer that is required could not be set, or nothing could be tried.
    Sandbox(String),
}

impl Report {
    /// Reads what was told. Words that nobody knows are left out: they come from a launcher of another
    /// version.
    pub fn read(text: &str) -> Report {
        let mut report = Report::default();
        for line in text.lines() {
            let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
            match kind {
                "held" => report.held.extend(rest.parse::<Layer>()),
                "missing" => report.missing.extend(read_missing(rest)),
                "program" => report.program = rest.parse().ok(),
                "init" => report.init = rest.parse().ok(),
                "watch" => report.watch = rest.parse().ok(),
                "load" => report.failed = rest.parse().ok().map(Failed::Load),
                "failed" => report.failed = Some(Failed::Sandbox(rest.to_owned())),
                _ => {}
            }
        }
        report
    }
}

/// How a program ended, told by the process that it descends from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    Code(i32),
    Signal(i32),
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ended::Code(code) => write!(f, "code {code}"),
            Ended::Signal(signal) => write!(f, "signal {signal}"),
        }
    }
}

impl FromStr for Ended {
    type Err = ();

    fn from_str(text: &str) -> Result<Ended, ()> {
        let (kind, number) = text.split_once(' ').ok_or(())?;
        let number = number.parse().map_err(drop)?;
        match kind {
            "code" => Ok(Ended::Code(number)),
            "signal" => Ok(Ended::Signal(number)),
            _ => Err(()),
        }
    }
}

fn read_missing(rest: &str) -> Option<Missing> {
    let (layer, why) = rest.split_once(' ')?;
    Some(Missing { layer: layer.parse().ok()?, why: why.to_owned() })
}

/// Where the launcher tells it. Whoever hears it is woken by every message, so that there are few.
pub(crate) struct Teller {
    to: File,
    required: Vec<Layer>,
    untold: String,
}

impl Teller {
    pub(crate) fn new(to: File, required: &[Layer]) -> Teller {
        Teller { to, required: required.to_vec(), untold: String::new() }
    }

    /// Tells how a layer went. It is an error where the layer is required.
    pub(crate) fn layer(&mut self, layer: Layer, result: io::Result<()>) -> io::Result<bool> {
        match result {
            Ok(()) => {
                self.say(&format!("held {layer}"));
                Ok(true)
            }
            Err(error) if self.required.contains(&layer) => {
                Err(io::Error::other(format!("the layer `{layer}` cannot be had: {error}")))
            }
            Err(error) => {
                self.say(&format!("missing {layer} {error}"));
                Ok(false)
            }
        }
    }

    /// Says a line, which is heard at the next [`Teller::tell`].
    pub(crate) fn say(&mut self, line: &str) {
        self.untold.push_str(&line.replace('\n', " "));
        self.untold.push('\n');
    }

    /// Tells what was said. An error if nobody listens any more.
    pub(crate) fn tell(&mut self) -> io::Result<()> {
        self.to.write_all(std::mem::take(&mut self.untold).as_bytes())
    }

    /// Has nothing more to tell.
    pub(crate) fn close(&mut self, nothing: File) {
        self.to = nothing;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_a_program_ended_is_told_in_a_line() {
        for ended in [Ended::Code(3), Ended::Signal(9)] {
            assert_eq!(ended.to_string().parse(), Ok(ended));
        }
        assert_eq!("memory".parse::<Ended>(), Err(()));
    }

    #[test]
    fn what_is_told_is_read() {
        let text = "held session\nmissing files no such call\ninit 7\nprogram 8\nnews x\nload 2\n";
        let report = Report::read(text);
        assert_eq!(report.held, [Layer::Session]);
        assert_eq!(report.missing[0].to_string(), "files: no such call");
        assert_eq!((report.init, report.program), (Some(7), Some(8)));
        assert_eq!(report.failed, Some(Failed::Load(2)));
        let sentence = Report::read("failed the layer `user` cannot be had: no\n").failed;
        assert!(matches!(sentence, Some(Failed::Sandbox(why)) if why.contains("user")));
    }
}
