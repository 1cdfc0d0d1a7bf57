//! Replays a recorded match of the original server and names the first difference.
//!
//! The recording's inputs (connections, lines, time) go through the same lobby, protocol and rules
//! as in a match; what these say must be what the recording says next, line by line. The referee's
//! part, one throw at a time and a clock, is played by [`Server`].

mod server;

use std::collections::BTreeMap;

use quintain_core::{
    Client, Conform, Difference, Mismatch, PerSeat, RecordedHeader, Rest, Transcript, same,
    stops_early,
};
use serde::Deserialize;

use crate::Hockey;
use server::{After, Said, Server};

impl Conform for Hockey {
    fn conform(lines: &[String]) -> Result<(), Difference> {
        Difference::first::<Hockey, Recording>(lines)
    }
}

/// One line of a recording. `from` and `to` are the client's seat in the current game.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
enum Line {
    Match(RecordedHeader),
    Connect {
        from: u8,
    },
    Name {
        from: u8,
        text: String,
    },
    Move(Move),
    Message {
        to: u8,
        text: String,
    },
    Close {
        to: u8,
    },
    Disconnect {
        from: u8,
    },
    /// Seconds on the server's clock.
    Time {
        seconds: f64,
    },
    /// The end of one game of a session.
    Over {
        winner: Option<u8>,
        name: String,
        reason: String,
    },
    Result {
        winner: Option<u8>,
        scores: [i64; 2],
        reason: String,
    },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Move {
    from: u8,
    text: String,
    after: After,
    /// Several lines came in one segment, which changes nothing.
    #[serde(default, rename = "batched")]
    _batched: bool,
}

/// The recording as far as it has been compared.
#[derive(Default)]
struct Recording {
    players: Option<PerSeat<String>>,
    /// The clients by the number that the recording gives them, the latest of each.
    clients: BTreeMap<u8, Client>,
    server: Server,
    /// Games won by the two names of the header.
    wins: [i64; 2],
}

impl Transcript for Recording {
    type Line = Line;

    fn compare(&mut self, line: Line) -> Result<Option<Rest>, Mismatch> {
        if matches!(line, Line::Match(_)) != self.players.is_none() {
            return Ok(None);
        }
        // Whatever was said must have been listed before anything else happens.
        if !matches!(line, Line::Message { .. } | Line::Close { .. })
            && let Some(said) = self.server.said.front()
        {
            return Err((format!("{line:?}"), self.name_said(said)));
        }
        let rest = if matches!(line, Line::Result { .. }) { Rest::None } else { Rest::Some };
        self.compare_line(line)?;
        Ok(Some(rest))
    }
}

impl Recording {
    fn open(&mut self, header: RecordedHeader) -> Result<(), Mismatch> {
        header.check_game::<Hockey>()?;
        header.check_no_config()?;
        same(&header.league, &None)?;
        self.players = Some(header.players);
        Ok(())
    }

    fn compare_line(&mut self, line: Line) -> Result<(), Mismatch> {
        match line {
            Line::Match(header) => self.open(header),
            Line::Connect { from } => {
                let client = self.server.connect();
                self.clients.insert(from, client);
                Ok(())
            }
            Line::Name { from, text } => self.hear(from, &text, true),
            Line::Move(Move { from, text, after, .. }) => {
                self.hear(from, &text, false)?;
                same(&after, &self.server.after(self.client(from)?))
            }
            Line::Message { to, text } => self.expect_said(Said::Line(self.client(to)?, text)),
            Line::Close { to } => self.expect_said(Said::Close(self.client(to)?)),
            Line::Disconnect { from } => {
                let client = self.client(from)?;
                self.server.disconnect(client);
                Ok(())
            }
            Line::Time { seconds } => self.server.pass_time(seconds),
            Line::Over { winner, name, reason } => self.compare_over(winner, &name, &reason),
            Line::Result { winner, scores, reason } => self.close(winner, scores, &reason),
        }
    }

    fn client(&self, number: u8) -> Result<Client, Mismatch> {
        let known = self.clients.get(&number).copied();
        known.ok_or_else(|| (format!("client {number}"), "no such client".to_owned()))
    }

    fn hear(&mut self, from: u8, text: &str, is_name: bool) -> Result<(), Mismatch> {
        let client = self.client(from)?;
        let kind = |is_name| if is_name { "a name" } else { "a move" };
        same(&kind(is_name), &kind(self.server.awaits_name(client)))?;
        self.server.hear(client, text);
        Ok(())
    }

    fn expect_said(&mut self, expected: Said) -> Result<(), Mismatch> {
        let got = self.server.said.pop_front();
        if got.as_ref() == Some(&expected) {
            return Ok(());
        }
        let got = got.map_or_else(|| "nothing said".to_owned(), |said| self.name_said(&said));
        Err((self.name_said(&expected), got))
    }

    fn name_said(&self, said: &Said) -> String {
        let number = |client: Client| {
            let known = self.clients.iter().find(|&(_, &other)| other == client);
            known.map_or_else(|| "nobody".to_owned(), |(number, _)| number.to_string())
        };
        match said {
            Said::Line(client, text) => format!("`{text}` to {}", number(*client)),
            Said::Close(client) => format!("close of {}", number(*client)),
        }
    }

    fn compare_over(
        &mut self,
        winner: Option<u8>,
        name: &str,
        reason: &str,
    ) -> Result<(), Mismatch> {
        let (ours, text, our_name) = self.server.finished()?;
        same(&winner, &ours.map(|seat| seat.index() as u8))?;
        same(&name, &our_name.as_str())?;
        same(&reason, &text.as_str())?;
        for (seat, player) in self.players.iter().flat_map(PerSeat::iter) {
            self.wins[seat.index()] += i64::from(player == name);
        }
        Ok(())
    }

    fn close(
        &mut self,
        winner: Option<u8>,
        scores: [i64; 2],
        reason: &str,
    ) -> Result<(), Mismatch> {
        if reason == "session" {
            let [first, second] = self.wins;
            let leader = match first.cmp(&second) {
                std::cmp::Ordering::Greater => Some(0),
                std::cmp::Ordering::Less => Some(1),
                std::cmp::Ordering::Equal => None,
            };
            same(&winner, &leader)?;
            return same(&scores, &self.wins);
        }
        if stops_early(reason) {
            return Ok(());
        }
        let (ours, text, _) = self.server.finished()?;
        same(&winner, &ours.map(|seat| seat.index() as u8))?;
        same(&scores, &self.server.scores())?;
        same(&reason, &text.as_str())
    }
}
