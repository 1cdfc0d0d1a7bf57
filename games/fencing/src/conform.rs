//! Replays a recorded match of the original referee and names the first difference.
//!
//! The recording's answers go through the same protocol and rules as in a match; what these say,
//! and the position after each turn, must be what the recording has. The four switches of its
//! config alone decide which edition is played.

use std::collections::VecDeque;

use quintain_core::{
    Conform, Difference, Fault, Game, Intake, Item, Mismatch, NoChance, Opening, Outbox, PerSeat,
    Protocol, Reply, Seat, Transcript, same, stops_early,
};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::summary::{final_summary, tooltips, turn_summary};
use crate::{Action, Config, Ending, Event, Fencing, Offence, Setup, Switches, Wire};

impl Conform for Fencing {
    fn conform(lines: &[String]) -> Result<(), Difference> {
        Difference::first(lines, Recording::default())
    }
}

/// One line of a recording.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
enum Line {
    Match(Header),
    Turn(Turn),
    Result(Closing),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    game: String,
    league: u8,
    /// Read by the original and never used.
    #[serde(rename = "seed")]
    _seed: i64,
    #[serde(rename = "players")]
    _players: [String; 2],
    config: Map<String, Value>,
    #[serde(rename = "source")]
    _source: Option<String>,
    #[serde(rename = "note")]
    _note: Option<String>,
}

/// A turn. `to` and `from` are the lines of each seat.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Turn {
    turn: u32,
    to: [Vec<String>; 2],
    from: [Vec<String>; 2],
    /// There and true for a respawn.
    restart: Option<bool>,
    /// There if somebody did not answer.
    timeout: Option<[bool; 2]>,
    after: After,
    summary: Vec<String>,
    tooltips: Vec<String>,
}

/// The position once the turn has been played.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct After {
    pos: [i16; 2],
    energy: [i16; 2],
    points: [i16; 2],
    drugs: [u8; 2],
    cheater: [bool; 2],
    active: [bool; 2],
    respawn: bool,
    /// Whether a rule ended the match. The turn limit is not one: there the original's loop ends.
    over: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Closing {
    winner: Option<u8>,
    scores: [i64; 2],
    points: [i16; 2],
    turns: u32,
    /// The recorder's label.
    reason: String,
    summary: Vec<String>,
}

/// The recording as far as it has been compared.
#[derive(Default)]
struct Recording {
    table: Option<Table>,
    is_complete: bool,
}

impl Transcript for Recording {
    fn compare(&mut self, text: &str) -> Result<(), Mismatch> {
        let line: Line = serde_json::from_str(text)
            .map_err(|error| ("a line of a fencing recording".to_owned(), error.to_string()))?;
        if self.is_complete {
            return Err(("the end of the file".to_owned(), text.to_owned()));
        }
        match (line, &mut self.table) {
            (Line::Match(header), None) => {
                self.table = Some(Table::open(header)?);
                Ok(())
            }
            (Line::Match(_), Some(_)) => Err(("one header".to_owned(), "a second one".to_owned())),
            (_, None) => Err(("the header first".to_owned(), text.to_owned())),
            (Line::Turn(turn), Some(table)) => table.compare_turn(&turn),
            (Line::Result(closing), Some(table)) => {
                self.is_complete = true;
                table.compare_result(&closing)
            }
        }
    }

    fn is_complete(&self) -> bool {
        self.is_complete
    }
}

/// The match that is played along.
struct Table {
    game: Fencing,
    wire: Wire,
    /// Lines that were said and not heard yet: one is taken per question.
    waiting: PerSeat<VecDeque<String>>,
}

/// What one seat said to one question.
struct Answer {
    /// As it was heard; empty if nothing was.
    line: String,
    reply: Reply<Action>,
}

impl Table {
    fn open(header: Header) -> Result<Table, Mismatch> {
        same(&header.game.as_str(), &Fencing::ID)?;
        let config = Config {
            switches: read_switches(header.config)?,
            league: header.league,
            ..Config::default()
        };
        let game = Fencing::new(&config, Setup::default())
            .map_err(|error| ("a playable config".to_owned(), error.to_string()))?;
        let opening = Opening::new(PerSeat::default());
        Ok(Table { game, wire: Wire::new(&opening), waiting: PerSeat::default() })
    }

    fn compare_turn(&mut self, recorded: &Turn) -> Result<(), Mismatch> {
        if self.game.outcome().is_some() {
            let over = format!("a match that is over after turn {}", self.game.turn());
            return Err((format!("turn {}", recorded.turn), over));
        }
        same(&recorded.turn, &(self.game.turn() + 1))?;
        let asked = self.game.to_act();
        same(&recorded.restart, &asked.is_empty().then_some(true))?;
        same(&recorded.to, &self.prompts())?;
        for (seat, lines) in Seat::BOTH.into_iter().zip(&recorded.from) {
            self.waiting[seat].extend(lines.iter().cloned());
        }
        let answers = PerSeat::from_fn(|seat| asked.contains(seat).then(|| self.answer(seat)));
        let late = answers.as_ref().map(|_, answer| answer.as_ref().is_some_and(Answer::is_late));
        same(&recorded.timeout, &late.0.contains(&true).then_some(late.0))?;

        let mut events = Vec::new();
        let replies = answers.as_ref().map(|_, answer| answer.as_ref().map(|a| a.reply.clone()));
        self.game.advance(&replies, &mut NoChance, &mut events);
        let lines = answers.map(|_, answer| answer.map_or_else(String::new, |a| a.line));
        same(&recorded.after, &self.after())?;
        same(&recorded.summary, &turn_summary(self.game.turn(), &events))?;
        same(&recorded.tooltips, &tooltips(&events, &lines, self.game.league()))?;
        self.check_told(&events)
    }

    /// The lines that ask each seat.
    fn prompts(&mut self) -> [Vec<String>; 2] {
        let mut out = Outbox::default();
        if self.game.turn() == 0 {
            self.wire.start(&self.game.views(), &mut out);
        }
        for seat in self.game.to_act().iter() {
            self.wire.prompt(seat, &self.game.view(seat), &mut out);
        }
        let mut lines = [Vec::new(), Vec::new()];
        for (seat, item) in out.0 {
            if let Item::Line(line) = item {
                lines[seat.index()].push(line);
            }
        }
        lines
    }

    /// One line is taken per question; surplus ones wait for the next.
    fn answer(&mut self, seat: Seat) -> Answer {
        let mut out = Outbox::default();
        while let Some(line) = self.waiting[seat].pop_front() {
            let reply = match self.wire.hear(seat, true, &line, &mut out) {
                Intake::Action(action) => Reply::Act(action),
                Intake::Malformed(error) => Reply::Fault(Fault::Malformed(error)),
                Intake::More | Intake::Ignored | Intake::Later => continue,
            };
            return Answer { line, reply };
        }
        Answer { line: String::new(), reply: Reply::Fault(Fault::Late) }
    }

    fn after(&self) -> After {
        let fencers = &self.game.fencers().0;
        let offences = &self.game.offences().0;
        let is_bad_answer =
            |offence| matches!(offence, Some(Offence::Invalid) | Some(Offence::Silent));
        let is_by_rule = |ending| matches!(ending, Ending::Offence(_) | Ending::Decisive);
        After {
            pos: fencers.map(|fencer| fencer.position),
            energy: fencers.map(|fencer| fencer.energy),
            points: fencers.map(|fencer| fencer.points),
            drugs: fencers.map(|fencer| fencer.drugs),
            cheater: offences.map(|offence| offence == Some(Offence::Doping)),
            active: offences.map(|offence| !is_bad_answer(offence)),
            respawn: self.game.is_respawn_due(),
            over: self.game.ending().is_some_and(is_by_rule),
        }
    }

    /// The original says nothing between its prompts.
    fn check_told(&mut self, events: &[Event]) -> Result<(), Mismatch> {
        let mut out = Outbox::default();
        self.wire.tell(events, self.game.outcome().as_ref(), &mut out);
        same(&Outbox::default(), &out)
    }

    fn compare_result(&self, closing: &Closing) -> Result<(), Mismatch> {
        if stops_early(&closing.reason) {
            return Ok(());
        }
        let Some(outcome) = self.game.outcome() else {
            return Err(("a finished match".to_owned(), "a match that goes on".to_owned()));
        };
        same(&closing.winner, &outcome.winner().map(|seat| seat.index() as u8))?;
        same(&closing.scores, &outcome.scores.0)?;
        same(&closing.points, &self.after().points)?;
        same(&closing.turns, &self.game.turn())?;
        same(&closing.summary, &vec![final_summary(outcome.scores)])
    }
}

impl Answer {
    fn is_late(&self) -> bool {
        matches!(self.reply, Reply::Fault(Fault::Late))
    }
}

/// A config says what differs from the original's defaults, and every recording spells out all four.
fn read_switches(config: Map<String, Value>) -> Result<Switches, Mismatch> {
    let unreadable = |error: serde_json::Error| ("the four switches".to_owned(), error.to_string());
    let mut switches = serde_json::to_value(Switches::ORIGINAL).map_err(unreadable)?;
    if let Value::Object(members) = &mut switches {
        members.extend(config);
    }
    serde_json::from_value(switches).map_err(unreadable)
}
