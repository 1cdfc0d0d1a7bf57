//! Erases the types of a game, once.

use std::marker::PhantomData;

use quintain_core::scene::{Eye, Film};
use quintain_core::{
    Conform, Dialogue, Difference, Enumerate, Fault, Framing, Game, House, Lobby, NamedWorkload,
    Options, OptionsError, Outcome, PerSeat, Prepared, Protocol, Sample, Seat, Source, Spectate,
    perft, printable,
};
use quintain_referee::{
    Entry as Heard, Guest, Meeting, Observer, Player, StepRecord, Table, Tags, World, meet, play,
};
use quintain_replay::{
    Closing, Ended, FORMAT_VERSION, Filmer, Header, Replay, RerunError, Writer, film, rerun,
    unix_ms,
};

use crate::selfplay::RandomPlay;
use crate::{
    AnswerStats, AnyGame, Audience, Facts, MatchError, MatchReport, MatchSpec, Programme, SeatKind,
};

/// The game `G` spoken to through `P`.
pub struct Entry<G, P> {
    /// Counts sequences of plies, for games whose actions can be listed.
    perft: Option<fn(&G, u32) -> u64>,
    /// The game's own workloads; random play is every game's.
    workloads: &'static [NamedWorkload],
    types: PhantomData<fn() -> (G, P)>,
}

impl<G, P> Entry<G, P> {
    /// A game whose actions are too many to be listed.
    pub const GAME: Self = Entry { perft: None, workloads: &[], types: PhantomData };

    /// The same game with workloads of its own.
    #[must_use]
    pub const fn measured_by(self, workloads: &'static [NamedWorkload]) -> Self {
        Entry { workloads, ..self }
    }
}

impl<G: Enumerate, P> Entry<G, P> {
    /// A game whose actions can be listed.
    pub const LISTED: Self = Entry { perft: Some(perft::<G>), workloads: &[], types: PhantomData };
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
        }
    }

    fn framing(&self) -> Framing {
        P::FRAMING
    }

    fn check_options(&self, options: &Options) -> Result<(), OptionsError> {
        G::configure(options).map(|_| ())
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
        play_match::<G, P>(spec, world, audience)
    }

    fn verify(&self, replay: &Replay) -> Result<Ended, RerunError> {
        rerun::<G, P>(replay, &mut ())
    }

    fn film(&self, replay: &Replay) -> Result<Film, RerunError> {
        film::<G, P>(replay)
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

    fn perft(&self, options: &Options, seed: i64, depth: u32) -> Result<Option<u64>, MatchError> {
        let config = G::configure(options)?;
        let game = G::new(&config, G::generate(&config, seed))?;
        Ok(self.perft.map(|perft| perft(&game, depth)))
    }
}

fn play_match<G, P>(
    spec: &MatchSpec,
    world: &mut dyn World,
    audience: &mut dyn Audience,
) -> Result<MatchReport, MatchError>
where
    G: Spectate + House,
    P: Protocol<G>,
{
    let config = G::configure(&spec.options)?;
    let setup = G::generate(&config, spec.seed);
    let game = G::new(&config, setup.clone())?;
    let mut players = seat_players::<G>(spec)?;
    let meeting = hold_meeting::<G, P>(spec, world);
    let header = header_of::<G>(spec, &config, &setup, &meeting);
    let shown_names = header.shown_names();
    let writer = match &spec.replay {
        Some(path) => Some(Writer::create(path, header)?),
        None => None,
    };
    let opening = meeting.opening.clone();
    let mut press = Press::<G>::new(writer, audience, shown_names, &game);
    let mut table = Table::new(game, P::new(&opening), spec.ask);
    let mut chance = G::chance(spec.seed);
    press.audience.start();
    let outcome =
        play(&mut table, &mut players, meeting, world, &spec.rules, &mut *chance, &mut press);
    press.audience.over(table.protocol.next_message_id());
    let left = world.finish();
    let turns = table.game.turn();
    let mut report = press.report(spec, &outcome, turns);
    report.wire_names = opening.names;
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
        (None, None) => Meeting::by_label(&guests),
    }
}

fn header_of<G: Game>(
    spec: &MatchSpec,
    config: &G::Config,
    setup: &G::Setup,
    meeting: &Meeting,
) -> Header {
    let value = "config and setup of every game are plain data that JSON can hold";
    Header {
        format: FORMAT_VERSION,
        quintain: env!("CARGO_PKG_VERSION").to_owned(),
        game: G::ID.to_owned(),
        rules_version: G::RULES_VERSION,
        edition: spec.options.edition,
        config: serde_json::to_value(config).expect(value),
        seed: spec.seed,
        setup: serde_json::to_value(setup).expect(value),
        names: meeting.opening.names.clone(),
        first_message_id: meeting.opening.first_message_id,
        bots: PerSeat::from_fn(|seat| spec.seats[seat].label.clone()),
        ask: spec.ask.name().to_owned(),
        time_scale: spec.rules.time_scale,
        clock: spec.rules.clock,
        started_ms: unix_ms(),
    }
}

/// Everyone who writes about a match: the replay, the audience, the report.
struct Press<'a, G: Spectate> {
    writer: Option<Writer>,
    audience: &'a mut dyn Audience,
    filmer: Filmer<G>,
    faults: Vec<(Seat, Fault)>,
    faults_in_last_step: usize,
    answers: PerSeat<AnswerStats>,
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
            audience,
            filmer,
            faults: Vec::new(),
            faults_in_last_step: 0,
            answers: PerSeat::default(),
            last_stderr: PerSeat::default(),
            tags: Tags::default(),
        }
    }

    fn report(&mut self, spec: &MatchSpec, outcome: &Outcome, turns: u32) -> MatchReport {
        let names = self.filmer.names().clone();
        let last = self.faults.len() - self.faults_in_last_step;
        let (turn_name, faults) = (G::TURN_NAME, &self.faults[last..]);
        let closing = Closing { names: &names, outcome, turns, turn_name, faults }.to_string();
        MatchReport {
            names,
            wire_names: PerSeat::default(),
            outcome: *outcome,
            turns,
            seed: spec.seed,
            closing,
            faults: std::mem::take(&mut self.faults),
            answers: self.answers,
            replay: spec.replay.clone(),
            replay_error: None,
            last_stderr: std::mem::take(&mut self.last_stderr),
            tags: Vec::new(),
        }
    }
}

impl<G: Spectate> Observer<G> for Press<'_, G> {
    fn step(&mut self, game: &G, record: &StepRecord, events: &[G::Event]) {
        if let Some(writer) = &mut self.writer {
            writer.step(game, record, events);
        }
        self.faults_in_last_step = 0;
        for entry in &record.entries {
            if let Heard::Fault { seat, fault } = entry {
                self.faults.push((*seat, *fault));
                self.faults_in_last_step += 1;
            }
        }
        for (seat, timing) in record.answers.iter() {
            if let Some(timing) = timing {
                self.answers[seat].add(timing.wall);
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

fn keep_stderr(kept: &mut String, text: &str) {
    if !text.trim().is_empty() {
        *kept = text.lines().map(|line| format!("{}\n", printable(line))).collect();
    }
}
