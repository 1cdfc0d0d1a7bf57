//! Replays a recorded match of the original engine and names the first difference.
//!
//! A match file holds the position it started from and the seed that it was drawn from: the seed
//! must give that very position, and the recorded answers, heard through the protocol, must lead to
//! every line that was sent and to the position at the end. A file of maps holds one per line.

mod lines;

use std::collections::VecDeque;

use quintain_core::{
    Conform, Difference, Edition, Game, Item, Mismatch, NoChance, Opening, Outbox, PerSeat,
    Protocol, RecordedHeader, Rest, Seat, Transcript, recorded_answer, same, stops_early, wanted,
};

use crate::setup::{PlayerSetup, SiteSetup};
use crate::{CodeRoyale, Config, Event, Kill, League, Setup, Structure, TURNS_MAX, Wire, Works};
use lines::{Building, Creep, End, Line, Map, Player, Queen, Site};

impl Conform for CodeRoyale {
    fn conform(lines: &[String]) -> Result<(), Difference> {
        Difference::first::<CodeRoyale, Recording>(lines)
    }
}

/// The recording as far as it has been compared.
#[derive(Default)]
enum Recording {
    #[default]
    Nothing,
    Maps,
    Opened(Config, i64),
    Running(Box<Replay>),
}

impl Transcript for Recording {
    type Line = Line;

    fn compare(&mut self, line: Line) -> Result<Option<Rest>, Mismatch> {
        match (&mut *self, line) {
            (Recording::Nothing | Recording::Maps, Line::Map(map)) => {
                compare_map(&map)?;
                *self = Recording::Maps;
                return Ok(Some(Rest::Any));
            }
            (Recording::Nothing, Line::Match(header)) => *self = open(&header)?,
            (Recording::Opened(config, seed), Line::Initial { turns_max, sites, players, .. }) => {
                same(&turns_max, &TURNS_MAX)?;
                let setup = recorded_setup(&sites, &players)?;
                same_setup(&setup, &CodeRoyale::generate(config, *seed))?;
                *self = Recording::Running(Box::new(Replay::new(config, setup)?));
            }
            (Recording::Running(replay), Line::Init { to }) => replay.compare_start(&to)?,
            (Recording::Running(replay), Line::Turn { turn, to, from, summary }) => {
                same(&turn, &replay.game.turn())?;
                replay.compare_turn(&to, &from, &summary)?;
            }
            (Recording::Running(replay), Line::Result(end)) => {
                replay.compare_end(&end)?;
                return Ok(Some(Rest::None));
            }
            _ => return Ok(None),
        }
        Ok(Some(Rest::Some))
    }
}

/// Levels beyond the last league are played as that.
fn original(level: u8) -> Result<Config, Mismatch> {
    let league = League::new(level.min(League::default().number()))
        .ok_or_else(|| (format!("league {level}"), "leagues 1 to 4".to_owned()))?;
    Ok(Config { edition: Edition::Original, league, ..Config::default() })
}

fn compare_map(map: &Map) -> Result<(), Mismatch> {
    same(&map.game.as_str(), &CodeRoyale::ID)?;
    let setup = CodeRoyale::generate(&original(map.league)?, map.seed);
    let queens = setup.players.as_ref().map(|_, player| player.queen);
    same(&map.queens, &queens)?;
    for player in &setup.players.0 {
        same(&map.health, &player.hp)?;
    }
    same(&map.sites.len(), &setup.sites.len())?;
    for (index, (recorded, site)) in map.sites.iter().zip(&setup.sites).enumerate() {
        let ours = (index, site.x, site.y, site.radius, site.gold, site.rate_max);
        same(recorded, &ours)?;
    }
    Ok(())
}

fn open(header: &RecordedHeader) -> Result<Recording, Mismatch> {
    header.check_game::<CodeRoyale>()?;
    header.check_no_config()?;
    let league = header.league.unwrap_or(League::default().number());
    Ok(Recording::Opened(original(league)?, header.seed))
}

fn recorded_setup(sites: &[Site], players: &PerSeat<Player>) -> Result<Setup, Mismatch> {
    let mut setup = Setup {
        turn: 0,
        sites: Vec::new(),
        players: players.as_ref().map(|_, player| PlayerSetup {
            gold: player.gold,
            hp: player.queen.health,
            queen: (player.queen.x, player.queen.y),
            creeps: Vec::new(),
        }),
    };
    for player in &players.0 {
        same(&player.creeps.len(), &0)?;
    }
    for (index, site) in sites.iter().enumerate() {
        same(&site.id, &index)?;
        same(&site.structure, &None)?;
        setup.sites.push(SiteSetup {
            x: site.x,
            y: site.y,
            radius: site.radius,
            gold: site.gold,
            rate_max: site.rate_max,
            structure: None,
        });
    }
    Ok(setup)
}

/// Compared part by part, so that a difference can be read.
fn same_setup(recorded: &Setup, generated: &Setup) -> Result<(), Mismatch> {
    same(&recorded.sites.len(), &generated.sites.len())?;
    for (recorded, generated) in recorded.sites.iter().zip(&generated.sites) {
        same(recorded, generated)?;
    }
    same(&recorded.players, &generated.players)
}

/// A match that is played again.
struct Replay {
    game: CodeRoyale,
    wire: Wire,
    /// Lines that were sent and not yet asked for.
    waiting: PerSeat<VecDeque<String>>,
    is_started: bool,
    /// Why players are out, as the recording's reason tells it.
    reasons: Vec<String>,
}

impl Replay {
    fn new(config: &Config, setup: Setup) -> Result<Replay, Mismatch> {
        let game = wanted("a playable position", CodeRoyale::new(config, setup))?;
        let opening = Opening::new(PerSeat(["$0".to_owned(), "$1".to_owned()]));
        Ok(Replay {
            game,
            wire: Wire::new(&opening),
            waiting: PerSeat::default(),
            is_started: false,
            reasons: Vec::new(),
        })
    }

    fn compare_start(&mut self, to: &PerSeat<Vec<String>>) -> Result<(), Mismatch> {
        same(&self.is_started, &false)?;
        self.is_started = true;
        let mut out = Outbox::default();
        self.wire.start(&self.game.views(), &mut out);
        compare_lines(to, &out)
    }

    fn compare_turn(
        &mut self,
        to: &PerSeat<Vec<String>>,
        from: &PerSeat<Option<Vec<String>>>,
        summary: &[String],
    ) -> Result<(), Mismatch> {
        same(&self.is_started, &true)?;
        same(&self.game.outcome().is_none(), &true)?;
        let mut out = Outbox::default();
        for seat in Seat::BOTH {
            self.wire.prompt(seat, &self.game.view(seat), &mut out);
        }
        compare_lines(to, &out)?;
        let replies = from.as_ref().map(|seat, lines| {
            let waiting = &mut self.waiting[seat];
            waiting.extend(lines.iter().flatten().cloned());
            Some(recorded_answer(&mut self.wire, seat, waiting).1)
        });
        let mut events = Vec::new();
        self.game.advance(&replies, &mut NoChance, &mut events);
        let ours: Vec<String> = events.iter().filter_map(summary_line).collect();
        same(&summary, &ours.as_slice())?;
        self.reasons.extend(events.iter().filter_map(reason));
        Ok(())
    }

    fn compare_end(&self, end: &End) -> Result<(), Mismatch> {
        end.compare(&self.game)?;
        let Some(outcome) = self.game.outcome().filter(|_| !stops_early(&end.reason)) else {
            return Ok(());
        };
        let reason = match self.reasons.as_slice() {
            [] => outcome.reason.to_owned(),
            reasons => reasons.join("; "),
        };
        same(&end.reason, &reason)
    }
}

/// Compares a recording's last line with the position at the end, all but the words of the reason.
pub(crate) fn compare_result(text: &str, game: &CodeRoyale) -> Result<(), Mismatch> {
    match wanted("a line of a recording", serde_json::from_str(text))? {
        Line::Result(end) => end.compare(game),
        _ => Err(("another line at the end".to_owned(), "a result".to_owned())),
    }
}

impl End {
    fn compare(&self, game: &CodeRoyale) -> Result<(), Mismatch> {
        let position = &self.position;
        same(&self.turns, &game.turn())?;
        same(&position.sites.len(), &game.plots().len())?;
        for (index, recorded) in position.sites.iter().enumerate() {
            same(recorded, &site(game, index))?;
        }
        for (seat, recorded) in position.players.iter() {
            same(recorded, &player(game, seat))?;
        }
        if stops_early(&self.reason) {
            return Ok(());
        }
        let Some(outcome) = game.outcome() else {
            return Err((format!("the end: {}", self.reason), "a match that goes on".to_owned()));
        };
        same(&self.winner, &outcome.winner().map(Seat::index))?;
        same(&self.scores, &outcome.scores.0)
    }
}

fn site(game: &CodeRoyale, index: usize) -> Site {
    let (site, plot) = (&game.field().sites()[index], &game.plots()[index]);
    Site {
        id: index,
        x: site.place.x,
        y: site.place.y,
        radius: site.radius as i32,
        gold: plot.gold,
        rate_max: site.rate_max,
        structure: plot.structure.map(building),
    }
}

fn player(game: &CodeRoyale, seat: Seat) -> Player {
    let player = &game.players()[seat];
    let creeps = game.creeps()[seat].as_slice().iter();
    Player {
        gold: player.gold,
        queen: Queen { x: player.queen.x, y: player.queen.y, health: player.hp },
        creeps: creeps
            .map(|creep| Creep {
                kind: creep.kind,
                x: creep.place.x,
                y: creep.place.y,
                health: creep.hp,
            })
            .collect(),
    }
}

fn building(structure: Structure) -> Building {
    let owner = structure.owner.index();
    match structure.works {
        Works::Mine { rate } => Building::Mine { owner, rate },
        Works::Tower { hp, range } => Building::Tower { owner, health: hp, range },
        Works::Barracks { creep, training } => Building::Barracks {
            owner,
            creep,
            progress: training.unwrap_or(0),
            training: training.is_some(),
        },
    }
}

fn compare_lines(recorded: &PerSeat<Vec<String>>, out: &Outbox) -> Result<(), Mismatch> {
    for (seat, lines) in recorded.iter() {
        let of_seat = out.0.iter().filter(|(to, _)| *to == seat);
        let ours: Vec<&str> = of_seat
            .map(|(_, item)| match item {
                Item::Line(line) => line.as_str(),
                Item::File { path, .. } => path.as_str(),
            })
            .collect();
        for (number, line) in lines.iter().enumerate() {
            let ours = ours.get(number).copied().unwrap_or("the end");
            if line != ours {
                let place = format!("to {}, line {}", seat.index(), number + 1);
                return Err((format!("{place}: `{line}`"), format!("`{ours}`")));
            }
        }
        same(&lines.len(), &ours.len())?;
    }
    Ok(())
}

/// What the original's log says of an event.
fn summary_line(event: &Event) -> Option<String> {
    match event {
        Event::Warned { seat, warning } => Some(format!("${}: [WARNING] {warning}", seat.index())),
        Event::Killed { seat, kill: Kill::Late } => {
            Some(format!("${} failed to provide 2 lines of output in time.", seat.index()))
        }
        Event::Killed { seat, kill } => Some(format!("${}: {kill}", seat.index())),
        _ => None,
    }
}

fn reason(event: &Event) -> Option<String> {
    match event {
        Event::Killed { seat, kill } => Some(format!("${}: {kill}", seat.index())),
        Event::QueenDied { seat } => Some(format!("${}: Dead queen", seat.index())),
        _ => None,
    }
}
