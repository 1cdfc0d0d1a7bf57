//! The dialogue before a match, for games whose bots introduce themselves.

use std::collections::VecDeque;
use std::time::Duration;

use quintain_core::{
    Absence, Client, Fault, Item, Lobby, LobbyStep, Opening, PerSeat, Seat, Seats,
};

use crate::{Heard, Incoming, Wait, World};

/// What is known when the dialogue is over.
#[derive(Clone, Debug, PartialEq)]
pub struct Meeting {
    pub opening: Opening,
    /// Seats that never became ready.
    pub absent: PerSeat<Option<Fault>>,
    /// Lines that came before they could be heard, for the match.
    pub early: VecDeque<Incoming>,
    /// Everything that was said, in order.
    pub introduction: Vec<IntroductionLine>,
}

/// A line of the dialogue before a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IntroductionLine {
    Sent { seat: Seat, line: String },
    Heard { seat: Seat, line: String, at: Duration },
}

impl IntroductionLine {
    pub fn seat(&self) -> Seat {
        match self {
            IntroductionLine::Sent { seat, .. } | IntroductionLine::Heard { seat, .. } => *seat,
        }
    }
}

impl Meeting {
    /// For games without such a dialogue: the labels are the names.
    pub fn by_label(labels: &PerSeat<String>) -> Self {
        Self::opened(Opening::new(unique_names(labels)))
    }

    /// For a dialogue that somebody else has held.
    pub fn opened(opening: Opening) -> Self {
        Meeting {
            opening,
            absent: PerSeat::default(),
            early: VecDeque::new(),
            introduction: Vec::new(),
        }
    }
}

/// Seats both players, the first one first, so that each has the seat it was given. They are called by
/// their labels if they have no name of their own on the wire. Who is `outside` and has no name within
/// `limit` is absent. `None` if the world is stopped before that is settled.
pub fn meet(
    lobby: &mut dyn Lobby,
    labels: &PerSeat<String>,
    outside: Seats,
    world: &mut dyn World,
    limit: PerSeat<Option<Duration>>,
) -> Option<Meeting> {
    let mut introductions = Introductions {
        lobby,
        world,
        meeting: Meeting::by_label(labels),
        left: PerSeat::default(),
    };
    for seat in Seat::BOTH {
        let ready = if outside.contains(seat) {
            introductions.welcome_outside(seat, limit[seat])
        } else {
            introductions.welcome_inside(seat, &labels[seat])
        };
        match ready {
            Ok(()) => {}
            Err(Unready::Absent(absence)) => {
                introductions.meeting.absent[seat] = Some(Fault::NotStarted(absence));
                break;
            }
            Err(Unready::Stopped) => return None,
        }
    }
    Some(introductions.meeting)
}

/// Why a player is not ready.
enum Unready {
    Absent(Absence),
    /// It was not waited for any longer.
    Stopped,
}

impl From<Absence> for Unready {
    fn from(absence: Absence) -> Unready {
        Unready::Absent(absence)
    }
}

/// The labels, with a number behind the second where both are the same.
fn unique_names(labels: &PerSeat<String>) -> PerSeat<String> {
    let mut names = labels.clone();
    if names[Seat::First] == names[Seat::Second] {
        names[Seat::Second] = offered_name(&labels[Seat::Second], 2);
    }
    names
}

fn offered_name(label: &str, attempt: u32) -> String {
    if attempt == 1 { label.to_owned() } else { format!("{label} {attempt}") }
}

struct Introductions<'a> {
    lobby: &'a mut dyn Lobby,
    world: &'a mut dyn World,
    meeting: Meeting,
    left: PerSeat<Option<Absence>>,
}

impl Introductions<'_> {
    /// A bot inside the process takes the first free name.
    fn welcome_inside(&mut self, seat: Seat, label: &str) -> Result<(), Unready> {
        self.drive(seat, |lobby, client, steps| lobby.connect(client, steps));
        for attempt in 1..=u32::MAX {
            let name = offered_name(label, attempt);
            self.drive(seat, |lobby, client, steps| lobby.line(client, name.as_bytes(), steps));
            if self.lobby.has_name(client_of(seat)) {
                return Ok(());
            }
        }
        Err(Absence::Silent.into())
    }

    fn welcome_outside(&mut self, seat: Seat, limit: Option<Duration>) -> Result<(), Unready> {
        let deadline = limit.map(|limit| self.world.now() + limit);
        self.drive(seat, |lobby, client, steps| lobby.connect(client, steps));
        while !self.lobby.has_name(client_of(seat)) {
            let left = self.left[seat].take();
            if let Some(absence) = left.or_else(|| self.world.absence(seat)) {
                return Err(absence.into());
            }
            let incoming = match self.take_early(seat) {
                Some(early) => early,
                None => self.next(deadline)?,
            };
            if deadline.is_some_and(|deadline| incoming.at > deadline) && incoming.seat == seat {
                return Err(Absence::Silent.into());
            }
            if incoming.seat == seat {
                self.hear(seat, incoming.heard);
            } else {
                self.meeting.early.push_back(incoming);
            }
        }
        Ok(())
    }

    /// The next thing that anybody says.
    fn next(&mut self, deadline: Option<Duration>) -> Result<Incoming, Unready> {
        let incoming = match self.world.next(deadline) {
            Wait::Came(incoming) => incoming,
            Wait::TimeUp | Wait::Silent => return Err(Absence::Silent.into()),
            Wait::Stopped => return Err(Unready::Stopped),
        };
        if let Heard::Line(line) = &incoming.heard {
            let (seat, at) = (incoming.seat, incoming.at);
            let line = String::from_utf8_lossy(line).into_owned();
            self.meeting.introduction.push(IntroductionLine::Heard { seat, line, at });
        }
        Ok(incoming)
    }

    /// What this seat said while another was being welcomed.
    fn take_early(&mut self, seat: Seat) -> Option<Incoming> {
        let index = self.meeting.early.iter().position(|incoming| incoming.seat == seat)?;
        let mut incoming = self.meeting.early.remove(index)?;
        incoming.at = self.world.now();
        Some(incoming)
    }

    fn hear(&mut self, seat: Seat, heard: Heard) {
        match heard {
            Heard::Line(line) => {
                self.drive(seat, |lobby, client, steps| lobby.line(client, &line, steps));
            }
            Heard::Overlong => self.left[seat] = Some(Absence::Refused),
            Heard::Closed(exit) => self.left[seat] = Some(Absence::Left(exit)),
        }
    }

    fn drive(
        &mut self,
        seat: Seat,
        action: impl FnOnce(&mut dyn Lobby, Client, &mut Vec<LobbyStep>),
    ) {
        let mut steps = Vec::new();
        action(self.lobby, client_of(seat), &mut steps);
        for step in steps {
            match step {
                LobbyStep::Say(client, line) => {
                    let (seat, item) = (seat_of(client), Item::Line(line.clone()));
                    self.world.send(seat, &item);
                    self.meeting.introduction.push(IntroductionLine::Sent { seat, line });
                }
                LobbyStep::Close(client) => {
                    self.world.hang_up(seat_of(client));
                    self.left[seat_of(client)] = Some(Absence::Refused);
                }
                LobbyStep::Seated { opening, .. } => self.meeting.opening = opening,
            }
        }
    }
}

fn client_of(seat: Seat) -> Client {
    Client(seat.index() as u64)
}

fn seat_of(client: Client) -> Seat {
    if client == client_of(Seat::First) { Seat::First } else { Seat::Second }
}
