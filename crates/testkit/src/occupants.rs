//! Who sits on a seat in a test that makes its links itself.

use quintain_record::{Contestant, Launch, Occupant, State};

/// A program that is told the state in files, in games that have them.
pub fn program(name: impl Into<String>) -> Occupant {
    Contestant::program(name, Launch::default(), State::default()).into()
}

/// The same, told everything on its standard input.
pub fn program_on_stdin(name: impl Into<String>) -> Occupant {
    Contestant::program(name, Launch::default(), State::Stdin).into()
}
