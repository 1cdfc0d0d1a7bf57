//! Replays a recorded match of the original referee and names the first difference.
//!
//! The recording's answers go through the same protocol and rules as in a match; what these say,
//! and the position after each turn, must be what the recording has. The four switches of its
//! config alone decide which edition is played.

use std::collections::VecDeque;

use quintain_core::{
    Conform, Difference, Fault, Game, Item, Mismatch, NoChance, Opening, Outbox, PerSeat, Protocol,
    RecordedHeader, Reply, Rest, Seat, Transcript, recorded_answer, same, stops_early, wanted,
};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::summary::{final_summary, tooltips, turn_summary};
use crate::{Config, Ending, Event, Fencing, Offence, Setup, Switches, Wire};

impl Conform for Fencing {
    fn conform(lines: &[String]) -> Result<(), Difference> {
        Difference::first::<Fencing, Recording>(lines)
    }
}

/// One line of a recording.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
enum Line {
    Match(RecordedHeader),
    Turn(Turn),
    Result(Closing),
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
struct Recording(Option<Table>);

impl Transcript for Recording {
    type Line = Line;

    fn compare(&mut self, line: Line) -> Result<Option<Rest>, Mismatch> {
        match (&mut self.0, line) {
            (None, Line::Match(header)) => self.0 = Some(Table::open(header)?),
            (Some(table), Line::Turn(turn)) => table.compare_turn(&turn)?,
            (Some(table), Line::Result(closing)) => {
                table.compare_result(&closing)?;
                return Ok(Some(Rest::None));
            }
            _ => return Ok(None),
        }
        Ok(Some(Rest::Some))
    }
}

/// The match that is played along.
struct Table {
    game: Fencing,
    wire: Wire,
    /// Lines that were said and not heard yet: one is taken per question.
    waiting: PerSeat<VecDeque<String>>,
}

impl Table {
    fn open(header: RecordedHeader) -> Result<Table, Mismatch> {
        header.check_game::<Fencing>()?;
        let league = wanted("a header", header.league.ok_or("one without a league"))?;
        let switches = read_switches(header.config)?;
        let config = Config { switches, league, ..Config::default() };
        let game = wanted("a playable config", Fencing::new(&config, Setup::default()))?;
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
        // One line is taken per question; surplus ones wait for the next.
        let mut lines = PerSeat::default();
        let replies = PerSeat::from_fn(|seat| {
            let waiting = asked.contains(seat).then_some(&mut self.waiting[seat])?;
            let (line, reply) = recorded_answer(&mut self.wire, seat, waiting);
            lines[seat] = line;
            Some(reply)
        });
        let late = replies.as_ref().map(|_, reply| *reply == Some(Reply::Fault(Fault::Late)));
        same(&recorded.timeout, &late.0.contains(&true).then_some(late.0))?;

        let mut events = Vec::new();
        self.game.advance(&replies, &mut NoChance, &mut events);
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

/// A config says what differs from the original's defaults, and every recording spells out all four.
fn read_switches(config: Map<String, Value>) -> Result<Switches, Mismatch> {
    let mut switches = wanted("the four switches", serde_json::to_value(Switches::ORIGINAL))?;
    if let Value::Object(members) = &mut switches {
        members.extend(config);
    }
    wanted("the four switches", serde_json::from_value(switches))
}
