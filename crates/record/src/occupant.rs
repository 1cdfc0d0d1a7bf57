//! Who sits on a seat: read once, checked once, and sent to other machines as it is.
//!
//! What cannot be does not fit into these types: a house bot that is a process, a person in a tournament,
//! state files for somebody without a folder.

use std::path::Path;
use std::time::Duration;

use quintain_core::Manner;
use serde::{Deserialize, Serialize};

use crate::Launch;

/// How long a client usually may take to connect, and then to become ready: it may be a person with telnet,
/// who takes a while to type a name.
pub const CLIENT_START_LIMIT: Duration = Duration::from_secs(60);

/// Who sits on a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Occupant {
    Contestant(Contestant),
    /// Somebody at the terminal of this process.
    Person {
        name: String,
    },
    /// The next one that connects.
    Client {
        name: String,
    },
}

/// A bot that can play any number of matches, several at a time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contestant {
    pub name: String,
    /// As it was written, without the name.
    pub written: String,
    pub mind: Mind,
}

/// What plays in the name of a contestant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mind {
    /// A house bot, inside the process.
    House { bot: String },
    /// A process of its own for every match.
    Program(Program),
}

/// A program and how it is spoken to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    pub launch: Launch,
    pub link: ProgramLink,
}

/// The way to a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProgramLink {
    /// Its standard input and output.
    Pipes { state: State },
    /// It is started by us and connects by itself.
    Connects { admission: Admission },
}

/// How a program on pipes is told the state. It means nothing in games without state files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// In files of its folder, of which so many rounds are kept; `None`: all.
    Files { keep_rounds: Option<u32> },
    /// On its standard input.
    Stdin,
}

impl Default for State {
    fn default() -> Self {
        State::Files { keep_rounds: None }
    }
}

impl State {
    /// What it is called in settings and in the environment of a program.
    pub fn name(self) -> &'static str {
        match self {
            State::Files { .. } => "files",
            State::Stdin => "stdin",
        }
    }

    fn manner(self) -> Manner {
        match self {
            State::Files { .. } => Manner::Files,
            State::Stdin => Manner::Lines,
        }
    }
}

/// Who is let in for a program that connects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Admission {
    /// Whoever was started by the bot's own process.
    Own,
    /// Whoever comes first. For bots in containers, whose processes cannot be seen.
    Any,
}

impl Contestant {
    /// A house bot by its own name.
    pub fn house(bot: &str) -> Contestant {
        let (name, written) = (bot.to_owned(), format!("house:{bot}"));
        Contestant { name, written, mind: Mind::House { bot: bot.to_owned() } }
    }

    /// A program that is spoken to on its standard input and output.
    pub fn program(name: impl Into<String>, launch: Launch, state: State) -> Contestant {
        let written = launch.program.clone();
        let mind = Mind::Program(Program { launch, link: ProgramLink::Pipes { state } });
        Contestant { name: name.into(), written, mind }
    }

    /// What is started for it, unless it is a house bot.
    pub fn launch(&self) -> Option<&Launch> {
        match &self.mind {
            Mind::House { .. } => None,
            Mind::Program(program) => Some(&program.launch),
        }
    }

    /// Gives a program more of an environment.
    pub fn give(&mut self, variables: &[(String, String)]) {
        if let Mind::Program(program) = &mut self.mind {
            program.launch.env.extend_from_slice(variables);
        }
    }
}

impl From<Contestant> for Occupant {
    fn from(contestant: Contestant) -> Occupant {
        Occupant::Contestant(contestant)
    }
}

impl Occupant {
    /// What the organiser calls it.
    pub fn name(&self) -> &str {
        match self {
            Occupant::Contestant(contestant) => &contestant.name,
            Occupant::Person { name } | Occupant::Client { name } => name,
        }
    }

    /// The same one under another name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Occupant {
        let (Occupant::Contestant(Contestant { name: old, .. })
        | Occupant::Person { name: old }
        | Occupant::Client { name: old }) = &mut self;
        *old = name.into();
        self
    }

    /// Gives a program more of an environment.
    pub fn give(&mut self, variables: &[(String, String)]) {
        if let Occupant::Contestant(contestant) = self {
            contestant.give(variables);
        }
    }

    pub fn contestant(&self) -> Option<&Contestant> {
        match self {
            Occupant::Contestant(contestant) => Some(contestant),
            Occupant::Person { .. } | Occupant::Client { .. } => None,
        }
    }

    /// The house bot that plays inside the process, if it is one.
    pub fn house_bot(&self) -> Option<&str> {
        match &self.contestant()?.mind {
            Mind::House { bot } => Some(bot),
            Mind::Program(_) => None,
        }
    }

    /// The same one as somebody who can be spoken to: a house bot of `game` becomes a process of this program's
    /// own binary, which plays it when it is started with the words `bot GAME BOT`.
    #[must_use]
    pub fn as_program(self, binary: &Path, game: &str, state: State) -> Occupant {
        let Some(house_bot) = self.house_bot() else { return self };
        let launch = Launch {
            program: binary.to_string_lossy().into_owned(),
            args: ["bot", game, house_bot].map(str::to_owned).into(),
            ..Launch::default()
        };
        Contestant::program(self.name(), launch, state).into()
    }

    /// Whether it is spoken to over a link.
    pub fn is_outside(&self) -> bool {
        self.house_bot().is_none()
    }

    pub fn is_person(&self) -> bool {
        matches!(self, Occupant::Person { .. })
    }

    /// How it is told the state, in games that have a choice.
    pub fn manner(&self) -> Manner {
        match self {
            Occupant::Person { .. } => Manner::Console,
            // A client has no folder in which files could be put.
            Occupant::Client { .. } => Manner::Lines,
            Occupant::Contestant(contestant) => match &contestant.mind {
                Mind::House { .. } => Manner::Inside,
                Mind::Program(program) => match program.link {
                    ProgramLink::Pipes { state } => state.manner(),
                    ProgramLink::Connects { .. } => Manner::Lines,
                },
            },
        }
    }

    /// Whether its answers have a time limit.
    pub fn is_timed(&self) -> bool {
        !self.is_person()
    }

    /// How long it may take to become ready, where programs may take `usual` and clients that connect by
    /// themselves `client`; `None` waits for ever.
    pub fn start_limit(&self, usual: Duration, client: Duration) -> Option<Duration> {
        match self {
            Occupant::Contestant(_) => Some(usual),
            Occupant::Person { .. } => None,
            Occupant::Client { .. } => Some(client),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_occupant_is_sent_as_it_is() {
        let launch = Launch { program: "cat".to_owned(), ..Launch::default() };
        let connects = ProgramLink::Connects { admission: Admission::Own };
        let program = Program { launch: launch.clone(), link: connects };
        let (name, written) = ("b".to_owned(), "run.sh".to_owned());
        let occupants = [
            Contestant::house("greedy").into(),
            Contestant::program("a", launch, State::Files { keep_rounds: Some(3) }).into(),
            Contestant { name, written, mind: Mind::Program(program) }.into(),
            Occupant::Person { name: "human".to_owned() },
            Occupant::Client { name: "tcp".to_owned() },
        ];
        for occupant in occupants {
            let text = serde_json::to_string(&occupant).expect("it is plain data");
            assert_eq!(serde_json::from_str::<Occupant>(&text).expect(&text), occupant);
        }
    }
}
