//! Erases the types of a game, once.

use std::io;
use std::marker::PhantomData;
use std::path::Path;

use quintain_core::entelect::RunnerLog;
use quintain_core::scene::{Eye, Film, Frame};
use quintain_core::{
    Conform, Dialogue, Difference, Edition, Enumerate, Fault, Framing, Game, House, Lobby,
    NamedWorkload, Options, OptionsError, Outcome, PerSeat, Prepared, Protocol, Sample, Seat,
    Source, Spectate, Stub, configure, perft, printable,
};
use quintain_referee::{
    Ask, Entry as Heard, Guest, Meeting, Message, Observer, Player, StepRecord, Table, Tags, World,
    go_on, meet, play,
};
use quintain_replay::{
    Closing, Ended, FORMAT_VERSION, Filmer, Header, MatchLog, Origin, Replay, RerunError, StepLine,
    Visitor, Writer, check_match_log_folder, film, open_match_log, open_table, rerun, unix_ms,
};

use serde_json::Value;

use crate::errors::{ErrorList, ErrorPlace};
use crate::feed::{feed, transcript};
use crate::selfplay::RandomPlay;
use crate::{
    AnswerStats, AnyGame, Audience, Branch, Disturbed, Exchange, Facts, FeedError, FeedSpec,
    MatchError, MatchLogError, MatchReport, MatchSpec, Programme, SeatKind,
};

/// The game `G` spoken to through `P`.
pub struct Entry<G, P> {
    /// Counts sequences of plies, for games whose actions can be listed.
    perft: Option<fn(&G, u32) -> u64>,
    /// Opens the log of the game's original runner, for games that have one.
    log: Option<OpenLog<G>>,
    /// The game's own workloads; random play is every game's.
    workloads: &'static [NamedWorkload],
    stub: Option<Stub>,
    types: PhantomData<fn() -> (G, P)>,
}

/// [`open_match_log`] of a game.
type OpenLog<G> = fn(&Header, Option<&Path>, &G) -> io::Result<Box<dyn MatchLog<G>>>;

impl<G, P> Entry<G, P> {
    /// A game whose actions are too many to be listed.
    pub const GAME: Self =
        Entry { perft: None, log: None, workloads: &[], stub: None, types: PhantomData };

    /// The same game with workloads of its own.
    #[must_use]
    pub const fn measured_by(self, workloads: &'static [NamedWorkload]) -> Self {
        Entry { workloads, ..self }
    }

    /// The same game with a bot that never thinks.
    #[must_use]
    pub const fn with_stub(self, stub: Stub) -> Self {
        Entry { stub: Some(stub), ..self }
    }
}

impl<G: Enumerate, P> Entry<G, P> {
    /// A game whose actions can be listed.
    pub const LISTED: Self = Entry { perft: Some(perft::<G>), ..Self::GAME };
}

impl<G: RunnerLog, P> Entry<G, P> {
    /// A game of the Entelect contests: its runner's match log can be written.
    pub const LOGGED: Self = Entry { log: Some(open_match_log::<G>), ..Self::GAME };
}

impl<G, P> AnyGame for Entry<G, P>
where
    G: Sample + Spectate + House + Conform,
    P: Protocol<G>,
{
    fn facts(&self) -> Facts {
        Facts {
            id: G::ID,
            title: G::TITLE,
            origin: G::ORIGIN,
            turn_name: G::TURN_NAME,
            leagues: G::LEAGUES,
            house_bots: G::NAMES,
            answers: P::ANSWERS,
            has_lobby: P::lobby(None).is_some(),
            has_files: P::HAS_FILES,
            has_match_log: self.log.is_some(),
        }
    }

    fn framing(&self) -> Framing {
        P::FRAMING
    }

    fn check_options(&self, options: &Options) -> Result<(), OptionsError> {
        configure::<G>(options).map(|_| ())
    }

    fn check_seed(&self, seed: i64) -> Result<(), OptionsError> {
        G::check_seed(seed)
    }

    fn lobby(&self, tables_max: Option<usize>) -> Option<Box<dyn Lobby>> {
        P::lobby(tables_max)
    }

    fn dialogue(
        &self,
        bot: &str,
        name: &str,
        seed: i64,
        league: Option<u8>,
    ) -> Option<Box<dyn Dialogue>> {
        G::dialogue(bot, name, seed, league)
    }

    fn play(
        &self,
        spec: &MatchSpec,
        world: &mut dyn World,
        audience: &mut dyn Audience,
    ) -> Result<MatchReport, MatchError> {
        play_match::<G, P>(spec, None, world, audience, self.log)
    }

    fn play_on(
        &self,
        spec: &MatchSpec,
        branch: &Branch,
        world: &mut dyn World,
        audience: &mut dyn Audience,
    ) -> Result<MatchReport, MatchError> {
        branch.check::<G, P>()?;
        play_match::<G, P>(spec, Some(branch), world, audience, self.log)
    }

    fn feed(
        &self,
        replay: &Replay,
        spec: &FeedSpec,
        world: &mut dyn World,
        waiting: &mut dyn FnMut(u32),
    ) -> Result<Vec<Exchange>, FeedError> {
        feed::<G, P>(replay, spec, world, waiting)
    }

    fn transcript(&self, replay: &Replay, seat: Seat) -> Result<Vec<Exchange>, RerunError> {
        transcript::<G, P>(replay, seat)
    }

    fn verify(&self, replay: &Replay) -> Result<Ended, RerunError> {
        rerun::<G, P>(replay, &mut ())
    }

    fn film(&self, replay: &Replay) -> Result<Film, RerunError> {
        film::<G, P>(replay)
    }

    fn match_log(&self, replay: &Replay, folder: &Path) -> Result<Vec<String>, MatchLogError> {
        let Some(open) = self.log else {
            return Err(MatchLogError::None(G::ID));
        };
        check_match_log_folder(folder)?;
        let mut follower = LogFollower { open, header: &replay.header, folder, log: None };
        let ended = rerun::<G, P>(replay, &mut follower)?;
        let mut log = follower.log.expect("a match that was played again has begun")?;
        let end = log.finish(ended.outcome.as_ref());
        match end.error {
            Some(error) => Err(error.into()),
            None => Ok(end.remarks),
        }
    }

    fn conform(&self, lines: &[String]) -> Result<(), Difference> {
        G::conform(lines)
    }

    fn workloads(&self) -> Vec<NamedWorkload> {
        let random = NamedWorkload {
            name: "random",
            source: Source::Seed(|seed| Prepared::new(RandomPlay::<G>::new(seed))),
        };
        std::iter::once(random).chain(self.workloads.iter().copied()).collect()
    }

    fn stub(&self) -> Option<Stub> {
        self.stub
    }

    fn perft(&self, options: &Options, seed: i64, depth: u32) -> Result<Option<u64>, MatchError> {
        G::check_seed(seed)?;
        let config = configure::<G>(options)?;
        let game = G::new(&config, G::generate(&config, seed))?;
        Ok(self.perft.map(|perft| perft(&game, depth)))
    }
}

fn play_match<G, P>(
    spec: &MatchSpec,
    branch: Option<&Branch>,
    world: &mut dyn World,
    audience: &mut dyn Audience,
    open_log: Option<OpenLog<G>>,
) -> Result<MatchReport, MatchError>
where
    G: Spectate + House,
    P: Protocol<G>,
{
    let (game, origin) = match branch {
        None => usual_start::<G>(spec)?,
        Some(branch) => start_of::<G, P>(branch)?,
    };
    let mut players = seat_players::<G>(spec)?;
    let mut meeting = hold_meeting::<G, P>(spec, world);
    let ask = branch.and_then(|branch| Ask::from_name(&branch.header().ask)).unwrap_or(spec.ask);
    let header = header_of::<G>(spec, ask, origin, &meeting);
    let shown_names = header.shown_names();
    let log = match open_log {
        Some(open) => Some(open(&header, spec.match_log.as_deref(), &game)?),
        None => None,
    };
    let writer = match &spec.replay {
        Some(path) => Some(Writer::create(path, header)?),
        None => None,
    };
    let opening = meeting.opening.clone();
    let mut press = Press::<G>::new(writer, audience, shown_names, &game);
    press.log = log;
    let mut table = Table::new(game, P::new(&opening), ask);
    let mut chance = G::chance(spec.seed);
    press.audience.start();
    let chance = &mut *chance;
    let outcome = match branch {
        None => play(&mut table, &mut players, meeting, world, &spec.rules, chance, &mut press),
        Some(branch) => {
            let record = |game: &G, step: &StepLine, events: &[G::Event]| {
                press.recorded(game, step, events);
            };
            let caught_up = branch.catch_up(spec, &mut table, &meeting, world, chance, record)?;
            meeting.early.extend(caught_up.early);
            press.has_caught_up(caught_up.behind);
            go_on(&mut table, &mut players, meeting, world, &spec.rules, chance, &mut press)
        }
    };
    press.audience.over(table.protocol.next_message_id());
    let left = world.finish();
    let turns = table.game.turn();
    let mut report = press.report(spec, &outcome, turns, P::PLAYS_ON);
    report.wire_names = opening.names;
    if let Some(mut log) = press.log.take() {
        let end = log.finish(Some(&outcome));
        report.remarks = Some(end.remarks);
        report.match_log_error = end.error;
    }
    for (seat, departure) in left.iter() {
        keep_stderr(&mut report.last_stderr[seat], &departure.stderr.text);
        press.tags.hear(seat, &departure.stderr);
    }
    report.tags = press.tags.finish();
    if let Some(writer) = press.writer {
        let messages = table.messages_fingerprint();
        report.replay_error = writer.finish(&outcome, turns, messages, &left).err();
    }
    Ok(report)
}

/// A position, and the parts of a header that say how it came about.
type Start<G> = (G, Roots);

/// What a match is played with, as its replay keeps it.
struct Roots {
    edition: Edition,
    config: Value,
    setup: Value,
    from: Option<Origin>,
}

fn usual_start<G: Game>(spec: &MatchSpec) -> Result<Start<G>, MatchError> {
    let value = "config and setup of every game are plain data that JSON can hold";
    G::check_seed(spec.seed)?;
    let config = configure::<G>(&spec.options)?;
    let setup = G::generate(&config, spec.seed);
    let roots = Roots {
        edition: spec.options.edition,
        config: serde_json::to_value(&config).expect(value),
        setup: serde_json::to_value(&setup).expect(value),
        from: None,
    };
    Ok((G::new(&config, setup)?, roots))
}

fn start_of<G: Game, P: Protocol<G>>(branch: &Branch) -> Result<Start<G>, MatchError> {
    let header = branch.header();
    let table = open_table::<G, P>(header, &header.opening()).map_err(RerunError::Header)?;
    let roots = Roots {
        edition: header.edition,
        config: header.config.clone(),
        setup: header.setup.clone(),
        from: Some(branch.origin()),
    };
    Ok((table.game, roots))
}

fn seat_players<G: House>(spec: &MatchSpec) -> Result<PerSeat<Player<G>>, MatchError> {
    let seat_player = |seat: Seat| -> Result<Player<G>, MatchError> {
        match &spec.seats[seat].kind {
            SeatKind::Remote => Ok(Player::Remote),
            SeatKind::House(name) => {
                // The same bot on both seats must not play the same luck.
                let seed = spec.seed.wrapping_mul(2).wrapping_add(seat.index() as i64);
                let bot = G::bot(name, seed).ok_or_else(|| MatchError::House {
                    game: G::ID,
                    name: name.clone(),
                    known: G::NAMES.join(", "),
                })?;
                Ok(Player::Bot(bot))
            }
        }
    };
    Ok(PerSeat([seat_player(Seat::First)?, seat_player(Seat::Second)?]))
}

fn hold_meeting<G: Game, P: Protocol<G>>(spec: &MatchSpec, world: &mut dyn World) -> Meeting {
    let guests = PerSeat::from_fn(|seat| Guest {
        label: spec.seats[seat].label.clone(),
        is_remote: spec.seats[seat].kind == SeatKind::Remote,
    });
    match (&spec.opening, P::lobby(None)) {
        (Some(opening), _) => Meeting::opened(opening.clone()),
        (None, Some(mut lobby)) => meet(&mut *lobby, &guests, world, spec.start_limit),
        (None, None) => {
            let mut meeting = Meeting::by_label(&guests);
            if P::HAS_FILES {
                meeting.opening.manners = PerSeat::from_fn(|seat| spec.manner(seat));
            }
            let absence = |seat| world.absence(seat).map(Fault::NotStarted);
            meeting.absent = PerSeat::from_fn(absence);
            meeting
        }
    }
}

fn header_of<G: Game>(spec: &MatchSpec, ask: Ask, roots: Roots, meeting: &Meeting) -> Header {
    Header {
        format: FORMAT_VERSION,
        quintain: env!("CARGO_PKG_VERSION").to_owned(),
        game: G::ID.to_owned(),
        rules_version: G::RULES_VERSION,
        edition: roots.edition,
        config: roots.config,
        seed: spec.seed,
        setup: roots.setup,
        names: meeting.opening.names.clone(),
        first_message_id: meeting.opening.first_message_id,
        manners: meeting.opening.manners,
        bots: PerSeat::from_fn(|seat| spec.seats[seat].label.clone()),
        ask: ask.name().to_owned(),
        time_scale: spec.rules.time_scale,
        clock: spec.rules.clock,
        started_ms: unix_ms(),
        from: roots.from,
    }
}

/// Everyone who writes about a match: the replay, the audience, the report.
struct Press<'a, G: Spectate> {
    writer: Option<Writer>,
    log: Option<Box<dyn MatchLog<G>>>,
    audience: &'a mut dyn Audience,
    filmer: Filmer<G>,
    /// The last picture of the turns that others have played.
    joined_at: Option<Frame>,
    faults: Vec<(Seat, Fault)>,
    faults_in_last_step: usize,
    answers: PerSeat<AnswerStats>,
    errors: ErrorList,
    disturbed: Vec<Disturbed>,
    behind: PerSeat<Option<u32>>,
    last_stderr: PerSeat<String>,
    tags: Tags,
}

impl<'a, G: Spectate> Press<'a, G> {
    fn new(
        writer: Option<Writer>,
        audience: &'a mut dyn Audience,
        names: PerSeat<String>,
        game: &G,
    ) -> Self {
        let mut filmer = Filmer::new(Eye::All, names);
        if audience.wants_frames() {
            audience.begin(&Programme {
                title: G::TITLE,
                turn_name: G::TURN_NAME,
                names: filmer.names().clone(),
                stage: game.stage(),
            });
            audience.frame(&filmer.frame(game, &[]));
        }
        Press {
            writer,
            log: None,
            audience,
            filmer,
            joined_at: None,
            faults: Vec::new(),
            faults_in_last_step: 0,
            answers: PerSeat::default(),
            errors: ErrorList::default(),
            disturbed: Vec::new(),
            behind: PerSeat::default(),
            last_stderr: PerSeat::default(),
            tags: Tags::default(),
        }
    }

    /// Writes about a step that others have played before. Only the last of its pictures is shown.
    fn recorded(&mut self, game: &G, step: &StepLine, events: &[G::Event]) {
        if let Some(writer) = &mut self.writer {
            writer.recorded(step);
        }
        if let Some(log) = &mut self.log {
            log.step(game, step, events);
        }
        if self.audience.wants_frames() {
            self.joined_at = Some(self.filmer.frame(game, events));
        }
    }

    fn has_caught_up(&mut self, behind: PerSeat<Option<u32>>) {
        self.behind = behind;
        if let Some(frame) = self.joined_at.take() {
            self.audience.frame(&frame);
        }
    }

    fn report(
        &mut self,
        spec: &MatchSpec,
        outcome: &Outcome,
        turns: u32,
        plays_on: bool,
    ) -> MatchReport {
        let names = self.filmer.names().clone();
        let last = self.faults.len() - self.faults_in_last_step;
        let (turn_name, faults) = (G::TURN_NAME, &self.faults[last..]);
        let closing =
            Closing { names: &names, outcome, turns, turn_name, faults, plays_on }.to_string();
        if plays_on {
            keep_first_of_lasting(&mut self.faults);
        }
        MatchReport {
            names,
            wire_names: PerSeat::default(),
            outcome: *outcome,
            turns,
            seed: spec.seed,
            closing,
            faults: std::mem::take(&mut self.faults),
            answers: self.answers,
            errors: self.errors.take(),
            disturbed: std::mem::take(&mut self.disturbed),
            behind: self.behind,
            replay: spec.replay.clone(),
            replay_error: None,
            last_stderr: std::mem::take(&mut self.last_stderr),
            remarks: None,
            match_log_error: None,
            tags: Vec::new(),
        }
    }
}

impl<G: Spectate> Observer<G> for Press<'_, G> {
    fn step(&mut self, game: &G, record: &StepRecord, events: &[G::Event]) {
        if let Some(writer) = &mut self.writer {
            writer.step(game, record, events);
        }
        if let Some(log) = &mut self.log {
            // The digest is of no interest to a log.
            log.step(game, &StepLine::new(record, 0), events);
        }
        self.faults_in_last_step = 0;
        let place = ErrorPlace { turn_name: G::TURN_NAME, record };
        for entry in &record.entries {
            if let Heard::Fault { seat, fault } = entry {
                self.faults.push((*seat, *fault));
                self.faults_in_last_step += 1;
                self.errors.add_fault(*seat, fault, &place);
            }
        }
        for event in events {
            if let Some(seat) = G::refused(event) {
                let what = G::describe(event, self.filmer.names());
                self.errors.add_refused(seat, &what, &place);
            }
        }
        for (seat, timing) in record.answers.iter() {
            if let Some(timing) = timing {
                self.answers[seat].add(timing.wall);
            }
        }
        for (seat, late) in record.disturbed.iter() {
            if let Some(late) = *late {
                self.disturbed.push(Disturbed { seat, turn: record.turn, late });
            }
        }
        for (seat, stderr) in record.stderr.iter() {
            keep_stderr(&mut self.last_stderr[seat], &stderr.text);
            self.tags.hear(seat, stderr);
        }
        if self.audience.wants_frames() {
            self.audience.frame(&self.filmer.frame(game, events));
        }
    }

    fn idle(&mut self) {
        if let Some(writer) = &mut self.writer {
            Observer::<G>::idle(writer);
        }
    }
}

/// A bot that is gone is missing in every round to the end; once is enough in a report.
fn keep_first_of_lasting(faults: &mut Vec<(Seat, Fault)>) {
    let mut is_gone = PerSeat([false; 2]);
    faults.retain(|(seat, fault)| {
        let is_repeated = fault.is_lasting() && is_gone[*seat];
        is_gone[*seat] |= fault.is_lasting();
        !is_repeated
    });
}

/// Writes a match log from a match that is played again.
struct LogFollower<'a, G: Game> {
    open: OpenLog<G>,
    header: &'a Header,
    folder: &'a Path,
    log: Option<io::Result<Box<dyn MatchLog<G>>>>,
}

impl<G: Game> Visitor<G> for LogFollower<'_, G> {
    fn start(&mut self, game: &G, _messages: &[Message]) {
        self.log = Some((self.open)(self.header, Some(self.folder), game));
    }

    fn step(&mut self, game: &G, step: &StepLine, events: &[G::Event], _messages: &[Message]) {
        if let Some(Ok(log)) = &mut self.log {
            log.step(game, step, events);
        }
    }
}

fn keep_stderr(kept: &mut String, text: &str) {
    if !text.trim().is_empty() {
        *kept = text.lines().map(|line| format!("{}\n", printable(line))).collect();
    }
}
