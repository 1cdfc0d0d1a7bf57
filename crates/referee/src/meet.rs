//! The dialogue before a match, for games whose bots introduce themselves.

use std::collections::VecDeque;
use std::time::Duration;

use quintain_core::{Absence, Client, Fault, Item, Lobby, LobbyStep, Opening, PerSeat, Seat};

use crate::{Heard, Incoming, World};

/// Who comes to a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guest {
    /// What it is called if it has no name of its own on the wire.
    pub label: String,
    pub is_remote: bool,
}

/// What is known when the dialogue is over.
#[derive(Clone, Debug, PartialEq)]
pub struct Meeting {
    pub opening: Opening,
    /// Seats that never became ready.
    pub absent: PerSeat<Option<Fault>>,
    /// Lines that came before they could be heard, for the match.
    pub early: VecDeque<Incoming>,
}

impl Meeting {
    /// For games without such a dialogue: the labels are the names.
    pub fn by_label(guests: &PerSeat<Guest>) -> Self {
        Self::opened(Opening::new(unique_names(guests)))
    }

    /// For a dialogue that somebody else has held.
    pub fn opened(opening: Opening) -> Self {
        Meeting { opening, absent: PerSeat::default(), early: VecDeque::new() }
    }
}

/// Seats both guests, the first one first, so that each has the seat it was given. A guest that
/// has no name within `limit` is absent.
pub fn meet(
    lobby: &mut dyn Lobby,
    guests: &PerSeat<Guest>,
    world: &mut dyn World,
    limit: PerSeat<Option<Duration>>,
) -> Meeting {
    let mut hall =
        Hall { lobby, world, meeting: Meeting::by_label(guests), left: PerSeat::default() };
    for seat in Seat::BOTH {
        let ready = if guests[seat].is_remote {
            hall.welcome_remote(seat, limit[seat])
        } else {
            hall.welcome_inside(seat, &guests[seat].label)
        };
        if let Err(absence) = ready {
            hall.meeting.absent[seat] = Some(Fault::NotStarted(absence));
            break;
        }
    }
    hall.meeting
}

/// The labels, with a number behind the second where both are the same.
fn unique_names(guests: &PerSeat<Guest>) -> PerSeat<String> {
    let mut names = PerSeat::from_fn(|seat| guests[seat].label.clone());
    if names[Seat::First] == names[Seat::Second] {
        names[Seat::Second] = offered_name(&guests[Seat::Second].label, 2);
    }
    names
}

fn offered_name(label: &str, attempt: u32) -> String {
    if attempt == 1 { label.to_owned() } else { format!("{label} {attempt}") }
}

struct Hall<'a> {
    lobby: &'a mut dyn Lobby,
    world: &'a mut dyn World,
    meeting: Meeting,
    left: PerSeat<Option<Absence>>,
}

impl Hall<'_> {
    /// A bot inside the process takes the first free name.
    fn welcome_inside(&mut self, seat: Seat, label: &str) -> Result<(), Absence> {
        self.drive(seat, |lobby, client, steps| lobby.connect(client, steps));
        for attempt in 1..=u32::MAX {
            let name = offered_name(label, attempt);
            self.drive(seat, |lobby, client, steps| lobby.line(client, name.as_bytes(), steps));
            if self.lobby.has_name(client_of(seat)) {
                return Ok(());
            }
        }
        Err(Absence::Silent)
    }

    fn welcome_remote(&mut self, seat: Seat, limit: Option<Duration>) -> Result<(), Absence> {
        let deadline = limit.map(|limit| self.world.now() + limit);
        self.drive(seat, |lobby, client, steps| lobby.connect(client, steps));
        while !self.lobby.has_name(client_of(seat)) {
            let left = self.left[seat].take();
            if let Some(absence) = left.or_else(|| self.world.absence(seat)) {
                return Err(absence);
            }
            let early = self.take_early(seat);
            let Some(incoming) = early.or_else(|| self.world.next(deadline)) else {
                return Err(Absence::Silent);
            };
            if deadline.is_some_and(|deadline| incoming.at > deadline) && incoming.seat == seat {
                return Err(Absence::Silent);
            }
            if incoming.seat == seat {
                self.hear(seat, incoming.heard);
            } else {
                self.meeting.early.push_back(incoming);
            }
        }
        Ok(())
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
                    self.world.send(seat_of(client), &Item::Line(line));
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
