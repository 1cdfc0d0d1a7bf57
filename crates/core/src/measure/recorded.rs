//! Recorded matches as a workload, for games in rounds whose original was measured so: positions are set
//! up and actions read beforehand, and what is timed is the rules, with or without what bots are shown.

use serde::Deserialize;
use serde_json::Value;

use super::{PrepareError, Prepared, Recording, StepMeter, Workload};
use crate::entelect::{Rendering, Rounds};
use crate::{
    ConfigChoice, ConfigText, Edition, Fault, Game, Luck, PerSeat, ReadsConfigFile, Replies, Reply,
    Seat, configure,
};

/// A game that is measured by whole matches of its original on generated maps.
pub trait Recorded: Rounds + ReadsConfigFile {
    /// What is looked for among recordings, in a few words.
    const WANTED: &'static str;

    /// Whether a match with this note says what matches cost.
    fn is_typical(note: &str) -> bool;

    /// Appends what a seat is shown before each round.
    fn show(sheet: &mut impl Rendering, out: &mut Vec<u8>);
}

/// The matches of a game through the rules alone.
///
/// # Errors
/// As [`select_matches`].
pub fn recorded<G: Recorded>(
    recordings: &mut dyn Iterator<Item = Recording>,
) -> Result<Prepared, PrepareError> {
    Ok(Prepared::new(RecordedMatches(select_matches(recordings, G::WANTED, read::<G>)?)))
}

/// The same with all that both bots are shown before each round.
///
/// # Errors
/// As [`select_matches`].
pub fn recorded_shown<G: Recorded>(
    recordings: &mut dyn Iterator<Item = Recording>,
) -> Result<Prepared, PrepareError> {
    Ok(Prepared::new(ShownMatches(select_matches(recordings, G::WANTED, read::<G>)?)))
}

/// Reads all recordings that `read` wants.
///
/// # Errors
/// Names the recording that is not played as it was, or says that there is none of `wanted`.
pub fn select_matches<M>(
    recordings: &mut dyn Iterator<Item = Recording>,
    wanted: &str,
    read: impl Fn(&[String]) -> Result<Option<M>, String>,
) -> Result<Vec<M>, PrepareError> {
    let mut matches = Vec::new();
    for Recording { name, lines } in recordings {
        let one = read(&lines).map_err(|wrong| PrepareError(format!("{name}: {wrong}")))?;
        matches.extend(one);
    }
    if matches.is_empty() {
        return Err(PrepareError(format!("expected {wanted} among the recordings, got none")));
    }
    Ok(matches)
}

/// A match that can be played again and again.
struct RecordedMatch<G: Game> {
    start: G,
    /// As it stands before the first turn.
    chance: Box<dyn Luck>,
    replies: Vec<Replies<G::Action>>,
}

#[derive(Deserialize)]
struct Header {
    game: String,
    seed: i64,
    config: Value,
    #[serde(default)]
    note: String,
}

#[derive(Deserialize)]
struct Initial {
    generated: bool,
}

#[derive(Deserialize)]
struct Round {
    commands: PerSeat<Option<String>>,
}

#[derive(Deserialize)]
struct Closing {
    /// Some recorders say whether the match came to its end.
    #[serde(default)]
    complete: Option<bool>,
    scores: PerSeat<i64>,
}

/// Reads the lines of a recording and plays it once; `None` if it is not one of a whole match on a
/// generated map.
fn read<G: Recorded>(lines: &[String]) -> Result<Option<RecordedMatch<G>>, String> {
    let [first, second, .., last] = lines else {
        return Ok(None);
    };
    let header = serde_json::from_str::<Header>(first).ok();
    let initial = serde_json::from_str::<Initial>(second).ok();
    let closing = serde_json::from_str::<Closing>(last).ok();
    let (Some(header), Some(initial), Some(closing)) = (header, initial, closing) else {
        return Ok(None);
    };
    let is_whole = initial.generated && closing.complete != Some(false);
    if header.game != G::ID || !is_whole || !G::is_typical(&header.note) {
        return Ok(None);
    }
    let file = ConfigText { path: "the header".to_owned(), text: header.config.to_string() };
    let choice = ConfigChoice { file: Some(file), ..ConfigChoice::of(Edition::Original) };
    let config =
        configure::<G>(&choice, Some(G::read_config)).map_err(|error| error.to_string())?;
    let start = G::start(&config, header.seed).map_err(|error| error.to_string())?;
    let rounds = lines.iter().filter_map(|line| serde_json::from_str::<Round>(line).ok());
    let replies = rounds.map(|round| round.commands.map(|_, command| Some(reply::<G>(command))));
    let chance = G::chance(header.seed);
    let recorded = RecordedMatch { start, chance, replies: replies.collect() };
    let scores = recorded.play(|_| {}, &mut ()).outcome().map(|outcome| outcome.scores);
    if scores == Some(closing.scores) {
        return Ok(Some(recorded));
    }
    Err(format!("expected the scores {:?}, got {scores:?}", closing.scores))
}

/// Some recorders write an empty command where none came.
fn reply<G: Recorded>(command: Option<String>) -> Reply<G::Action> {
    let read = command.filter(|command| !command.is_empty()).map(|command| G::read(&command));
    match read {
        Some(Ok(action)) => Reply::Act(action),
        Some(Err(error)) => Reply::Fault(Fault::Malformed(error)),
        None => Reply::Fault(Fault::Late),
    }
}

impl<G: Game> RecordedMatch<G> {
    /// Plays the match, with `show` called before each turn, and returns its last position.
    fn play(&self, mut show: impl FnMut(&G), watch: &mut (impl StepMeter + ?Sized)) -> G {
        let (mut game, mut chance) = (self.start.clone(), self.chance.clone_luck());
        for replies in &self.replies {
            show(&game);
            watch.before();
            game.advance(replies, &mut *chance, &mut ());
            watch.after();
        }
        game
    }
}

/// The rules alone.
struct RecordedMatches<G: Game>(Vec<RecordedMatch<G>>);

impl<G: Game> Workload for RecordedMatches<G> {
    fn round(&self) -> u64 {
        self.0.len() as u64
    }

    fn play(&self, matches: u64, watch: &mut (impl StepMeter + ?Sized)) -> u64 {
        play_all(&self.0, matches, |_| {}, watch)
    }
}

/// The rules, and all that both bots are shown before each turn.
struct ShownMatches<G: Recorded>(Vec<RecordedMatch<G>>);

impl<G: Recorded> Workload for ShownMatches<G> {
    fn round(&self) -> u64 {
        self.0.len() as u64
    }

    fn play(&self, matches: u64, watch: &mut (impl StepMeter + ?Sized)) -> u64 {
        let (mut texts, mut buffer) = (G::Texts::default(), Vec::new());
        let shown = |game: &G| {
            buffer.clear();
            for seat in Seat::BOTH {
                G::show(&mut G::sheet(&game.view(seat), &mut texts), &mut buffer);
            }
            std::hint::black_box(&buffer);
        };
        play_all(&self.0, matches, shown, watch)
    }
}

fn play_all<G: Game>(
    recorded: &[RecordedMatch<G>],
    matches: u64,
    mut show: impl FnMut(&G),
    watch: &mut (impl StepMeter + ?Sized),
) -> u64 {
    let mut turns = 0;
    for one in recorded.iter().cycle().take(matches as usize) {
        std::hint::black_box(one.play(&mut show, watch));
        turns += one.replies.len() as u64;
    }
    turns
}
